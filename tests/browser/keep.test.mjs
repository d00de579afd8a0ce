// Nothing is lost, and the address represents the current view.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { atEachSizeOf, cell, choose, forAllTests, open, picture, press, run, said, SIZES, tileNamed } from "./harness.mjs";

const READER = readFileSync(createRequire(import.meta.url).resolve("jsqr"), "utf8");
const world = forAllTests();
const atEachSize = atEachSizeOf(world);

const laid = (page) => page.locator("#board .movable").count();
const hash = (page) => page.evaluate(() => location.hash);

/** Waits until the address includes the position. */
async function settled(page) {
  await page.waitForTimeout(1000);
  return hash(page);
}

async function layTwo(page) {
  await (await tileNamed(page, "1")).click();
  await cell(page, 0).click();
  await (await tileNamed(page, "2")).click();
  await cell(page, 1).click();
  assert.equal(await laid(page), 2);
}

atEachSize("a game is as it was after a reload, with its steps and its clock", "scramble-1.yaml", async (page) => {
  await layTwo(page);
  await page.waitForFunction(() => document.getElementById("timer").textContent !== "0:00");
  await cell(page, 1).click();
  await settled(page);
  await page.reload();
  await page.waitForSelector("#board svg");
  await said(page, /^Your game as you left it/);
  assert.equal(await laid(page), 2);
  assert.notEqual(await page.textContent("#timer"), "0:00");
  for (let step = 0; step < 3; step++) {
    await page.click("#undo");
  }
  assert.equal(await laid(page), 0);
  await press(page, "#redo");
  assert.equal(await laid(page), 1);
});

atEachSize("another puzzle and back, and the first screen offers the game", "scramble-1.yaml", async (page, size) => {
  await layTwo(page);
  await choose(page, "boards/cube-4.yaml");
  assert.equal(await laid(page), 0);
  await page.click("#all");
  await page.waitForSelector("#go-on:not([hidden])");
  assert.match(await page.textContent("#go-on-list .card"), /2 of 9 placed/);
  await picture(page, `gallery-${size}`);
  await press(page, "#go-on-list .card");
  await page.waitForSelector("#play:not([hidden]) #board svg");
  assert.equal(await laid(page), 2);
});

atEachSize("beginning with some tiles is undone", "scramble-1.yaml", async (page) => {
  await layTwo(page);
  await press(page, "#deal");
  await said(page, /^3 tiles are given/);
  assert.equal(await page.locator("#board .pinned").count(), 3);
  await page.click("#undo");
  assert.equal(await page.locator("#board .pinned").count(), 0);
  assert.equal(await laid(page), 2);
});

atEachSize("a random puzzle stays, own cards ask before they are left", null, async (page) => {
  await page.click("#door-make");
  await page.locator(".presets").getByRole("button", { name: "4 × 4", exact: true }).click();
  await page.waitForSelector("#play:not([hidden]) #board svg");
  const random = await hash(page);
  await page.click("#all");
  await page.waitForSelector("#yours:not([hidden])");
  await page.reload();
  await page.waitForSelector("#yours:not([hidden])");
  await page.click("#yours-list .card");
  await page.waitForSelector("#play:not([hidden]) #board svg");
  assert.equal(await hash(page), random);
  await press(page, "#enter");
  await page.locator("dialog summary", { hasText: "paste" }).click();
  await page.getByLabel("Text of a puzzle").fill("{title: Mine, tiles: {1: [a, b, a, b]}}");
  await page.click("dialog button[type=submit]");
  await page.waitForFunction(() => document.title.startsWith("Mine"));
  await page.click("#all");
  await page.getByRole("button", { name: "Stay" }).click();
  assert.ok(await page.isVisible("#board"));
  await page.click("#all");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save and leave" }).click()]);
  assert.match(download.suggestedFilename(), /\.yaml$/);
  await page.waitForSelector("#gallery:not([hidden])");
  assert.equal(await page.locator("#yours-list .card").count(), 2);
  await page.getByRole("button", { name: "Remove Mine" }).click();
  await page.getByRole("button", { name: "Remove?" }).click();
  assert.equal(await page.locator("#yours-list .card").count(), 1);
});

test("closing the page asks where an own puzzle is on no disk", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  await page.click("#door-enter");
  await page.locator("dialog summary", { hasText: "paste" }).click();
  await page.getByLabel("Text of a puzzle").fill("{title: Mine, tiles: {1: [a, b, a, b]}}");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("#play:not([hidden]) #board svg");
  const [asked] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })]);
  assert.equal(asked.type(), "beforeunload");
  await context.close();
});

test("a browser that keeps nothing plays all the same", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.addInitScript(() => Object.defineProperty(window, "localStorage", { get: () => { throw new DOMException("denied", "SecurityError"); } }));
  await page.goto(`${world.server.url}#scramble-1.yaml`);
  await page.waitForSelector("#board svg");
  await layTwo(page);
  // The position is in the address, so a reload only loses the history.
  await settled(page);
  await page.reload();
  await page.waitForSelector("#board svg");
  assert.equal(await laid(page), 2);
  assert.deepEqual(troubles, []);
  await context.close();
});

atEachSize("the address names puzzle and position, and leads back and forth", "scramble-1.yaml", async (page, _size, context) => {
  assert.match(await hash(page), /^#em1-[\w-]+$/);
  const empty = await hash(page);
  await layTwo(page);
  const two = await settled(page);
  assert.ok(two.startsWith(`${empty}~`), two);
  // Somebody else opens the link.
  const other = await context.browser().newContext();
  const there = await other.newPage();
  await there.goto(world.server.url + two);
  await there.waitForSelector("#board svg");
  await said(there, /^This is the position in the address\.$/);
  assert.equal(await laid(there), 2);
  assert.equal(await there.textContent("h1"), "Scramble Squares, four images (constraint-programming blog)");
  await other.close();
  // Back and forward.
  await choose(page, "boards/cube-4.yaml");
  await page.goBack();
  await page.waitForSelector("#gallery:not([hidden])");
  await page.goBack();
  await page.waitForSelector("#play:not([hidden])");
  assert.equal(await laid(page), 2);
  await page.goForward();
  await page.goForward();
  await page.waitForFunction(() => document.querySelectorAll("#board [data-cell]").length === 6);
  // The address is edited by hand: the position replaces the current game, which Undo restores.
  await page.goBack();
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll("#board [data-cell]").length === 9);
  await page.evaluate((hash) => (location.hash = hash), `${empty}~Bg`);
  await said(page, /Undo brings your own game back/);
  assert.equal(await laid(page), 1);
  await page.click("#undo");
  assert.equal(await laid(page), 2);
  await page.evaluate((hash) => (location.hash = hash), `${empty}~_____________________`);
  await said(page, /does not belong to this puzzle/);
  assert.equal(await laid(page), 2);
});

test("a code that the server does not list is a puzzle all the same, and a damaged one is told", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "edgematch-")), "other.yaml");
  writeFileSync(file, await run("generate", "--quiet", "--size", "4x4", "--images", "5", "--seed", "3"));
  const code = (await run("convert", "--to", "code", file)).trim();
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(`${world.server.url}#${code}`);
  await page.waitForSelector("#board svg");
  assert.equal(await page.locator("#board [data-cell]").count(), 16);
  await page.goto(`${world.server.url}#${code.slice(0, -3)}`);
  await said(page, /^The puzzle in this link is damaged/);
  assert.ok(await page.isVisible("#gallery"));
  await page.goto(`${world.server.url}#nothing.yaml`);
  await said(page, /^There is no puzzle nothing\.yaml here\.$/);
  await context.close();
});

atEachSize("a link is copied, and its QR code says the same", "scramble-1.yaml", async (page, size, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await layTwo(page);
  const address = world.server.url + (await settled(page));
  await press(page, "#share");
  await page.waitForSelector("dialog .qr svg");
  assert.equal(await page.getByLabel("Link", { exact: true }).inputValue(), address);
  await press(page, "#copy");
  await page.waitForFunction(() => /^Copied/.test(document.querySelector("dialog [role=status]").textContent));
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
  await picture(page, `share-${size}`);
  await page.evaluate(READER);
  assert.equal(await page.evaluate(seen), address);
});

test("a link is shared by the keyboard alone", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(world.server.url);
  await page.waitForSelector("#puzzles .card");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "today");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#play:not([hidden]) #board svg");
  // The board has the focus; the link precedes it.
  while ((await page.evaluate(() => document.activeElement.id)) !== "share") {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog .qr svg");
  while ((await page.evaluate(() => document.activeElement.id)) !== "copy") {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^Copied/.test(document.querySelector("dialog [role=status]").textContent));
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#em1-/);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "share");
  assert.deepEqual(troubles, []);
  await context.close();
});

/** The image of the page's QR code, as a camera would see it. */
async function seen() {
  const drawing = document.querySelector("dialog .qr svg");
  const side = 8 * drawing.viewBox.baseVal.width;
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const context = canvas.getContext("2d");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.scale(8, 8);
  context.fillStyle = "#000";
  context.fill(new Path2D(drawing.querySelector("path").getAttribute("d")));
  const { data } = context.getImageData(0, 0, side, side);
  return globalThis.jsQR(data, side, side).data;
}
