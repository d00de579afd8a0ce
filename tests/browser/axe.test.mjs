// Accessibility violations that axe-core detects.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { choose, forAllTests, open, press, said, SIZES } from "./harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const world = forAllTests();

async function check(page, what) {
  await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(() => globalThis.axe.run(document));
  assert.ok(passes.length > 10, `${what}: axe looked at little`);
  const found = violations.map(({ id, impact, nodes }) => `${impact}: ${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join("\n")}`);
  assert.deepEqual(found, [], what);
}

for (const [size, options] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every state of the page (${size}, ${colorScheme})`, async () => {
      const { context, page } = await open(world.browser, { ...options, colorScheme });
      await page.goto(world.server.url);
      await page.waitForSelector("#puzzles .card");
      await check(page, "the first screen");
      await choose(page, "scramble-1.yaml");
      await page.waitForSelector("#board svg");
      await check(page, "a puzzle");
      await page.click("#hint");
      await said(page, /^Hint/);
      await page.locator("#tray button").first().click();
      await page.locator("#board [data-cell]").nth(8).click();
      await press(page, "#count");
      await said(page, /./);
      await check(page, "a game");
      await press(page, "#solve");
      await said(page, /^1 solution/);
      await press(page, "#watch");
      await said(page, /^Both/);
      await page.click("#step");
      await check(page, "a solution and a search");
      await press(page, "#fresh");
      await check(page, "a dialog");
      await page.keyboard.press("Escape");
      await press(page, "#enter");
      await page.waitForSelector("dialog .halves button");
      await page.click("dialog button[type=submit]");
      await page.waitForTimeout(100);
      await check(page, "the editor");
      await context.close();
    });
  }
}
