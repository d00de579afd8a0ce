// The page in German, and without its server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { choose, forAllTests, open, picture, press, said, serve, SIZES, withPuzzle } from "./harness.mjs";

const world = forAllTests();

for (const [size, options] of Object.entries(SIZES)) {
  test(`a German browser gets German, and English when it is chosen (${size})`, () => withPuzzle(world, { ...options, locale: "de-DE" }, "scramble-1.yaml", async (page) => {
    assert.equal(await page.getAttribute("html", "lang"), "de");
    await press(page, "#hint");
    await said(page, /^Tipp: Karte 2 in Zeile 1, Spalte 1; /);
    assert.match(await page.locator('[data-cell="0"]').getAttribute("aria-label"), /^Zeile 1, Spalte 1, Karte 2, Drehung 0: rechts /);
    await picture(page, `german-${size}`);
    // Nothing is wider than the window.
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    // Boards and figures also have German names.
    await page.click("#all");
    await page.waitForFunction(() => /Raster 3 × 3 · (leicht|mittel|schwer)/.test(document.getElementById("puzzles").innerText));
    await page.selectOption("#language", "en");
    await page.waitForFunction(() => /3 × 3 grid/.test(document.getElementById("puzzles")?.innerText ?? ""));
    assert.equal(await page.getAttribute("html", "lang"), "en");
  }));
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`the page can be installed, and works without the server once it was seen (${size})`, async () => {
    const own = await serve("puzzles");
    const { context, page, troubles } = await open(world.browser, options);
    await page.goto(own.url);
    const manifest = await page.evaluate(() => fetch(document.querySelector("link[rel=manifest]").href).then((answer) => answer.json()));
    assert.equal(manifest.display, "standalone");
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await choose(page, "scramble-1.yaml");
    own.stop();
    await page.reload();
    await page.waitForSelector("#board svg");
    await page.locator("#tray button").first().click();
    await page.locator('[data-cell="0"]').click();
    assert.equal(await page.locator("#board .movable").count(), 1);
    // Functions that need the server report that it is missing.
    await choose(page, "scramble-1.yaml");
    await page.click("#hint");
    await said(page, /the server no longer responds/);
    assert.deepEqual(troubles, []);
    await context.close();
  });
}
