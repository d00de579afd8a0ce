// Entering cards by keys and by touch; correcting, storing and playing them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { atEachSizeOf, cards, forAllTests, leave, open, picture, press, said, SIZES, withPuzzle } from "./harness.mjs";

const world = forAllTests();
const atEachSize = atEachSizeOf(world);

/** Sides in reading order: clockwise from the top. */
const READING = [1, 0, 3, 2];

const ALL = cards("puzzles/scramble-1.yaml");
const IMAGES = [...new Set(ALL.flat().map((edge) => edge.slice(0, -1)))];

/** The index of an edge in the palette. */
const place = (edge) => 2 * IMAGES.indexOf(edge.slice(0, -1)) + (edge.endsWith("-") ? 1 : 0);

const inOrder = ALL.flatMap((edges) => READING.map((side) => place(edges[side])));

async function openEditor(page) {
  await press(page, "#door-enter");
  await page.waitForSelector("dialog .cards");
}

const side = (page, card, number) => page.locator(`[data-side="${card}-${number}"]`).getAttribute("aria-label");

atEachSize("nine cards are entered by keys alone, named, and solved", null, async (page, size) => {
  await page.locator("#door-enter").focus();
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .cards");
  // The first side has the focus, and each key moves to the next one.
  for (const number of inOrder) {
    await page.keyboard.press(String(number + 1));
  }
  await picture(page, `cards-${size}`);
  await page.locator("dialog summary", { hasText: "Images" }).click();
  for (const [index, image] of IMAGES.entries()) {
    const name = page.getByLabel(`Name of image ${index + 1}`);
    await name.fill(image);
    await name.press("Enter");
    await page.waitForFunction((text) => document.querySelector(".halves").textContent.includes(text), `${image}+`);
  }
  assert.equal(await side(page, 0, 0), "Card 1, right: ylw+");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await press(page, "#solve");
  await said(page, /^1 solution, and no more\.$/);
  assert.match(await page.textContent("#sentence"), /^1 solution \(4 with rotations of the board\), proven complete/);
  // The cards as read are shown next to the answer.
  assert.equal(await page.locator("#cards .face:visible").count(), 9);
  await picture(page, `read-${size}`);
});

test("the editor goes on at the first side that is missing", () => withPuzzle(world, SIZES.desktop, null, async (page) => {
  await openEditor(page);
  for (const number of inOrder.slice(0, 6)) {
    await page.keyboard.press(String(number + 1));
  }
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await openEditor(page);
  assert.equal(await page.locator("dialog .here").getAttribute("data-side"), "1-3");
}));

test("an early wish to save or to play is answered until the next action", () => withPuzzle(world, SIZES.desktop, null, async (page) => {
  await openEditor(page);
  const wrong = page.locator("dialog .wrong");
  for (const name of ["Save as YAML", "Play these cards"]) {
    await page.getByRole("button", { name }).click();
    await page.waitForFunction(() => document.querySelector("dialog .wrong").textContent !== "");
    assert.match(await wrong.textContent(), /^card 1 has no edge on its top side$/);
    await page.keyboard.press("ArrowRight");
    assert.equal(await wrong.textContent(), "");
  }
}));

test("after the last side, keys change nothing until a side is chosen, and Undo goes back to what it changes", () => withPuzzle(world, SIZES.desktop, null, async (page) => {
  await openEditor(page);
  for (const number of inOrder) {
    await page.keyboard.press(String(number + 1));
  }
  assert.match(await page.textContent(".palette p"), /complete/);
  const last = await side(page, 8, 2);
  for (const key of ["1", "2"]) {
    await page.keyboard.press(key);
  }
  assert.equal(await side(page, 8, 2), last);
  await page.locator('[data-side="0-1"]').click();
  await page.locator(".palette").getByRole("button", { name: "Undo" }).click();
  assert.equal(await page.locator("dialog .here").getAttribute("data-side"), "8-2");
  assert.match(await side(page, 8, 2), /nothing$/);
}));

test("of many remarks about cards the foremost are said", () => withPuzzle(world, SIZES.desktop, null, async (page) => {
  await openEditor(page);
  await page.locator("dialog summary", { hasText: "paste" }).click();
  const same = (number) => `${number}: [a+, b+, c+, d+]`;
  await page.getByLabel("Text of a puzzle").fill(`{rows: 2, cols: 2, tiles: {${[1, 2, 3, 4].map(same)}}}`);
  await page.click("dialog button[type=submit]");
  const said = await page.waitForFunction(() => /^no solution/.test(document.getElementById("status").textContent) && document.getElementById("status").textContent);
  assert.match(await said.jsonValue(), /^no solution: [^;]*; 4 edges show [a-d]\+, but none shows [a-d]-$/);
}));

atEachSize("nine cards cost forty taps", null, async (page) => {
  let taps = 0;
  const tap = async (selector) => {
    taps += 1;
    await press(page, selector);
  };
  await tap("#door-enter");
  await page.waitForSelector("dialog .cards");
  for (const number of inOrder) {
    await tap(`.halves button:nth-child(${number + 1})`);
  }
  await tap("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.ok(taps <= 40, `${taps} taps`);
  await press(page, "#count");
  await said(page, /^Yes: 1 solution left, not counting rotations/);
});

atEachSize("what is missing is said and shown", null, async (page) => {
  await openEditor(page);
  for (const number of inOrder.slice(0, 10)) {
    await press(page, `.halves button:nth-child(${number + 1})`);
  }
  await page.click("dialog button[type=submit]");
  await page.waitForFunction(() => document.querySelector("dialog form > .wrong").textContent !== "");
  assert.match(await page.textContent("dialog form > .wrong"), /^card 3 has no edge on its bottom side$/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.side), "2-3");
  await page.locator("dialog summary", { hasText: "paste" }).click();
  await page.getByLabel("Text of a puzzle").fill("tiles: {1: [a, b, c]}\nrows: 2");
  await page.click("dialog button[type=submit]");
  await page.waitForFunction(() => /line \d+, column \d+/.test(document.querySelector("dialog form > .wrong").textContent));
  await page.getByLabel("Text of a puzzle").fill("tiles: {1: [a, b, a, b]}");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await page.locator("#board [data-cell]").count(), 1);
});

atEachSize("a smaller board keeps the cards, steps are undone, an edge without a partner is marked", null, async (page) => {
  await openEditor(page);
  for (const number of inOrder) {
    await press(page, `.halves button:nth-child(${number + 1})`);
  }
  const eighth = await side(page, 7, 0);
  assert.match(eighth, /^Card 8, right: (circle|diamond|square|star)[+-]$/);
  await page.locator("dialog summary", { hasText: "Board" }).click();
  const rows = page.locator("dialog").getByLabel("Rows", { exact: true });
  await rows.fill("2");
  await rows.blur();
  await page.waitForFunction(() => document.querySelectorAll(".cards > svg").length === 6);
  await page.locator("dialog").getByLabel("Rows", { exact: true }).fill("3");
  await page.locator("dialog").getByLabel("Rows", { exact: true }).blur();
  await page.waitForFunction(() => document.querySelectorAll(".cards > svg").length === 9);
  assert.equal(await side(page, 7, 0), eighth);
  assert.equal(await page.locator(".halves .odd").count(), 0);
  const counts = (await page.locator(".halves small").allTextContents()).map((text) => Number(/· (\d+)/.exec(text)[1]));
  assert.equal(counts.reduce((sum, one) => sum + one), 36);
  await page.getByRole("button", { name: "Clear all cards" }).click();
  assert.match(await side(page, 7, 0), /nothing$/);
  await press(page, ".halves button:nth-child(1)");
  assert.equal(await page.locator(".halves .odd").count(), 1);
  await page.locator(".palette").getByRole("button", { name: "Undo" }).click();
  await page.locator(".palette").getByRole("button", { name: "Undo" }).click();
  assert.equal(await side(page, 7, 0), eighth);
});

atEachSize("half-entered cards are still there after a reload", null, async (page) => {
  await openEditor(page);
  for (const number of inOrder.slice(0, 7)) {
    await press(page, `.halves button:nth-child(${number + 1})`);
  }
  const before = await side(page, 1, 0);
  await page.reload();
  await openEditor(page);
  assert.equal(await side(page, 1, 0), before);
});

test("boards that are no grids are chosen, and more images than digits have keys", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  for (const [shape, number, sides] of [["octahedron", 8, 3], ["dodecahedron", 12, 5], ["hexagons", 9, 6], ["cube", 6, 4]]) {
    await page.click("#door-enter");
    await page.waitForSelector("dialog .cards");
    await page.locator("dialog summary", { hasText: "Board" }).click();
    await page.getByLabel("Board", { exact: true }).selectOption(shape);
    await page.waitForFunction((number) => document.querySelectorAll(".cards > svg").length === number, number);
    await page.locator("dialog summary", { hasText: "Images" }).click();
    await page.getByRole("button", { name: "Add an image" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".halves button").length === 10);
    await page.locator('[data-side="0-1"]').click();
    await page.locator(".here").focus();
    await page.keyboard.press("a");
    assert.match(await side(page, 0, 1), /cross-$/);
    await page.locator('[data-side="0-0"]').click();
    for (let card = 0; card < number; card++) {
      for (let one = 0; one < sides; one++) {
        await page.locator(`[data-side="${card}-${one}"]`).focus();
        await page.locator(`[data-side="${card}-${one}"]`).dispatchEvent("click");
        await page.keyboard.press(String(1 + ((card + one) % 4)));
      }
    }
    if (shape === "dodecahedron") {
      await picture(page, "cards-dodecahedron");
    }
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await page.locator("#board [data-cell]").count(), number, shape);
    await page.click("#hint");
    await said(page, /./);
    await leave(page);
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

test("own cards are saved before they are played", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  await openEditor(page);
  for (const number of inOrder) {
    await page.keyboard.press(String(number + 1));
  }
  await page.locator("dialog summary", { hasText: "Board" }).click();
  await page.getByLabel("Title", { exact: true }).fill("My fish");
  await page.getByLabel("Title", { exact: true }).blur();
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("dialog").getByRole("button", { name: "Save as YAML" }).click()]);
  assert.equal(download.suggestedFilename(), "My-fish.yaml");
  assert.match(readFileSync(await download.path(), "utf8"), /title: "My fish"\nrows: 3\ncols: 3\n/);
  assert.deepEqual(troubles, []);
  await context.close();
});
