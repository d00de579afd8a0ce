// The end of a game, and its exports: a picture, a print.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { atEachSizeOf, forAllTests, open, picture, press, said, tick, withPuzzle, SIZES } from "./harness.mjs";

const world = forAllTests();
const atEachSize = atEachSizeOf(world);

async function solveByHints(page, cells) {
  for (let hint = 0; hint < cells; hint++) {
    await page.click("#hint");
    await said(page, hint + 1 === cells ? /^Solved/ : /^Hint/);
  }
}

atEachSize("a solved puzzle says what it took, and leads to the next one", "scramble-1.yaml", async (page, size) => {
  await solveByHints(page, 9);
  await said(page, /^Solved in \d+:\d\d: 9 moves, 9 hints\.$/);
  assert.equal(await page.locator("#board .mark *").count(), 0);
  assert.equal(await page.locator("#board .advised").count(), 0);
  await picture(page, `won-${size}`);
  const before = await page.textContent("h1");
  await press(page, "#next-puzzle");
  await page.waitForFunction((before) => document.getElementById("title").textContent !== before, before);
  assert.ok(await page.isHidden("#won"));
  // The start screen shows that it was solved.
  await page.click("#all");
  await page.waitForSelector("#puzzles .card");
  assert.match(await page.textContent('#puzzles [data-name="scramble-1.yaml"]'), /✓ \d+:\d\d/);
});

atEachSize("what fits is marked thinly beside the pictures, what does not at its end", "scramble-1.yaml", async (page) => {
  await tick(page, "#mistakes");
  for (let hint = 0; hint < 2; hint++) {
    await page.click("#hint");
    await said(page, /^Hint/);
  }
  assert.equal(await page.locator("#board .fit").count(), 1);
  const width = await page.locator("#board .fit").evaluate((line) => Number(getComputedStyle(line).strokeWidth.replace("px", "")));
  assert.ok(width <= 2, `${width} of 100`);
  await page.locator('[data-cell="1"]').click();
  // After rotation, the tile does not match; the badge is at the end of the seam, not in its middle.
  assert.equal(await page.locator("#board .misfit").count(), 1);
  const badge = await page.locator("#board .misfit").boundingBox();
  const cell = await page.locator('[data-cell="1"]').boundingBox();
  assert.ok(Math.abs(badge.y + badge.height / 2 - (cell.y + cell.height / 2)) > 0.35 * cell.height);
});

for (const reducedMotion of ["reduce", "no-preference"]) {
  test(`paper rains where motion is ${reducedMotion === "reduce" ? "not " : ""}liked`, () => withPuzzle(world, { ...SIZES.desktop, reducedMotion }, "random-half-2x2-3-s1.yaml", async (page) => {
    await solveByHints(page, 4);
    assert.equal(await page.locator(".rain").count(), reducedMotion === "reduce" ? 0 : 1);
  }));
}

test("a tile flies to its cell and turns about its middle, where motion is liked", () => withPuzzle(world, { ...SIZES.desktop, reducedMotion: "no-preference" }, "scramble-1.yaml", async (page) => {
  await page.locator("#tray button").first().click();
  const flown = await page.evaluate(() => {
    document.querySelector('[data-cell="4"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return document.querySelectorAll(".ghost").length;
  });
  assert.equal(flown, 1);
  await page.waitForFunction(() => document.querySelectorAll(".ghost").length === 0);
  // On its way, a tile looks different than before and after; four quarter turns bring it back. The page's
  // clock stands still between the looks, since a busy machine may not draw in time.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1000);
  const look = () => page.evaluate(() => document.querySelector("#board canvas").toDataURL());
  const looks = [await look()];
  for (let turn = 0; turn < 4; turn++) {
    await page.evaluate(() => document.querySelector('[data-cell="4"]').dispatchEvent(new MouseEvent("click", { bubbles: true })));
    for (const time of [60, 400]) {
      await page.clock.runFor(time);
      looks.push(await look());
    }
  }
  assert.equal(new Set(looks).size, 8);
  assert.equal(looks[0], looks[8]);
}));

atEachSize("the board is saved as a picture", "scramble-1.yaml", async (page) => {
  await solveByHints(page, 9);
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "#picture")]);
  assert.equal(download.suggestedFilename(), "scramble-1.png");
  const png = readFileSync(await download.path());
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.equal(png.readUInt32BE(16), png.readUInt32BE(20));
  assert.ok(png.length > 20_000, `${png.length} bytes`);
});

test("a print shows the board alone", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(`${world.server.url}#scramble-1.yaml`);
  await page.waitForSelector("#board svg");
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.isVisible("#board"));
  for (const id of ["tools", "hand", "more", "status"]) {
    assert.ok(await page.isHidden(`#${id}`), id);
  }
  await context.close();
});

atEachSize("sound is off until it is chosen, and stays chosen", "scramble-1.yaml", async (page) => {
  assert.equal(await page.isChecked("#sound"), false);
  await tick(page, "#sound");
  await page.click("#hint");
  await said(page, /^Hint/);
  await page.reload();
  await page.waitForSelector("#board svg");
  assert.equal(await page.isChecked("#sound"), true);
});

atEachSize("mistakes are marked when the player asks, until the next move", "scramble-1.yaml", async (page, size) => {
  const lay = async (index) => {
    await page.locator("#tray button").first().click();
    await page.locator(`[data-cell="${index}"]`).click();
  };
  for (const index of [0, 1, 3, 4]) {
    await lay(index);
  }
  assert.equal(await page.locator("#board .misfit").count(), 0);
  assert.equal(await page.textContent("#fits"), "");
  await page.click("#check");
  const [, number] = /^(\d+) edges? do(?:es)? not match$/.exec(await said(page, /not match$/));
  assert.equal(await page.locator("#board .misfit").count(), Number(number));
  await picture(page, `checked-${size}`);
  await lay(6);
  assert.equal(await page.locator("#board .misfit").count(), 0);
  await tick(page, "#mistakes");
  assert.ok((await page.locator("#board .misfit").count()) >= Number(number));
  assert.match(await page.textContent("#fits"), /of 12 edges match$/);
});

atEachSize("a pause stops the clock and hides the board", "scramble-1.yaml", async (page) => {
  await page.locator("#tray button").first().click();
  await page.locator('[data-cell="0"]').click();
  await page.click("#pause");
  assert.ok(await page.isHidden("#board"));
  const time = await page.textContent("#timer");
  await page.waitForTimeout(1600);
  assert.equal(await page.textContent("#timer"), time);
  await page.click("#go-on-playing");
  assert.ok(await page.isVisible("#board"));
  await page.waitForFunction((time) => document.getElementById("timer").textContent !== time, time);
});

test("a result is shared as a text, and tiles are printed to cut out", () => withPuzzle(world, { ...SIZES.desktop, permissions: ["clipboard-read", "clipboard-write"] }, "random-half-2x2-3-s1.yaml", async (page) => {
  await solveByHints(page, 4);
  assert.match(await page.textContent("#won-says"), /^Solved! /);
  await page.click("#share-result");
  await said(page, /^Copied\.$/);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^Random 2x2.*: Solved! \d+:\d\d · 4 moves · 4 hints$/);
  await page.evaluate(() => (window.print = () => undefined));
  await press(page, "#print");
  await page.click("#print-tiles");
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#cut-outs .face:visible").count(), 4);
  assert.ok(await page.isHidden("#board"));
}));
