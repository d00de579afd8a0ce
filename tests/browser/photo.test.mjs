// Entering cards from a photograph: selecting or dropping it, setting corners by hand, correcting the
// reading, playing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { drag, forAllTests, open, photograph, picture, press, said, told, SIZES } from "./harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const world = forAllTests();

async function entering(options) {
  const { context, page, troubles } = await open(world.browser, options);
  await page.goto(world.server.url);
  await page.waitForSelector("#gallery:not([hidden])");
  await page.click("#door-enter");
  await page.waitForSelector("dialog .photo input");
  return { context, page, troubles };
}

const READ = /^9 cards, 3 × 3, no side is doubtful; it has a solution\.$/;

for (const [size, options] of Object.entries(SIZES)) {
  test(`a photograph is read, corrected and played (${size})`, async () => {
    const { context, page, troubles } = await entering(options);
    const buffer = await photograph(page, 30);
    await page.setInputFiles("dialog .photo input", { name: "cards.png", mimeType: "image/png", buffer });
    await told(page, READ);
    assert.equal(await page.locator("dialog .view polygon").count(), 9);
    assert.equal(await page.locator("dialog .strip").count(), 36);
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
    await picture(page, `photo-${size}`);

    // Move a strip to a wrong row and back, and rename an image; Enter there must not submit the form.
    const strip = page.locator('dialog .strip[aria-label^="card 1 right"]');
    const rows = page.locator("dialog .row:not(.new)");
    const home = await strip.evaluate((node) => [...document.querySelectorAll("dialog .row")].indexOf(node.closest(".row")));
    // The adjacent row is on the screen, too.
    const other = rows.nth(home === 0 ? 1 : home - 1);
    await drag(page, strip, other, 500);
    await told(page, /^1 right moved to /);
    await page.locator("dialog").getByRole("button", { name: "Undo" }).click();
    const name = page.locator('dialog [data-row] input').first();
    await name.fill("cat");
    await name.press("Enter");
    assert.equal(await page.locator("dialog .strip").count(), 36);

    await page.click("dialog button[type=submit]");
    await page.waitForSelector("#board svg");
    await press(page, "#solve");
    await said(page, /^1 solution/);
    assert.deepEqual(troubles, []);
    await context.close();
  });

  test(`the corners of a board are dragged (${size})`, async () => {
    const { context, page, troubles } = await entering(options);
    const buffer = await photograph(page, 0);
    await page.setInputFiles("dialog .photo input", { name: "board.png", mimeType: "image/png", buffer });
    await told(page, /cards/);
    await page.locator("dialog").getByLabel("the cards touch each other").check();
    await page.locator("dialog").getByLabel("Rows").fill("3");
    await page.locator("dialog").getByLabel("Columns").fill("3");
    const [first] = await page.locator("dialog .corner").all();
    const before = await first.getAttribute("style");
    // The board starts after 50 of 460 pixels.
    const places = [[50, 50], [410, 50], [410, 410], [50, 410]];
    for (const [index, [x, y]] of places.entries()) {
      const corner = page.locator("dialog .corner").nth(index);
      await page.locator("dialog .view").scrollIntoViewIfNeeded();
      const canvas = await page.locator("dialog .view canvas").boundingBox();
      const { x: left, y: top, width, height } = await corner.boundingBox();
      const target = [canvas.x + (x / 460) * canvas.width, canvas.y + (y / 460) * canvas.height];
      await page.mouse.move(left + width / 2, top + height / 2);
      await page.mouse.down();
      await page.mouse.move(...target, { steps: 4 });
      await page.mouse.up();
    }
    assert.notEqual(await first.getAttribute("style"), before);
    await page.getByRole("button", { name: "Read again" }).click();
    await told(page, READ);
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("#board svg");
    await press(page, "#count");
    await said(page, /^Yes: 1 solution left/);
    assert.deepEqual(troubles, []);
    await context.close();
  });
}

test("a card that was found is removed, and one that was not is marked", async () => {
  const { context, page, troubles } = await entering(SIZES.desktop);
  const buffer = await photograph(page, 30);
  await page.setInputFiles("dialog .photo input", { name: "cards.png", mimeType: "image/png", buffer });
  await told(page, READ);
  const cards = page.locator("dialog .view polygon");
  const fifth = await cards.nth(4).getAttribute("points");
  await cards.nth(4).focus();
  await page.keyboard.press("Enter");
  await picture(page, "photo-card");
  await page.getByRole("button", { name: "Remove this card" }).click();
  assert.equal(await cards.count(), 8);
  await page.getByRole("button", { name: "Read again" }).click();
  await told(page, /8 cards/);
  assert.ok(await page.isDisabled("dialog button[type=submit]"));
  await page.getByRole("button", { name: "Add a card" }).click();
  for (const [index, point] of fifth.split(" ").entries()) {
    const [x, y] = point.split(",").map(Number);
    const corner = page.locator("dialog .corner").nth(index);
    await page.locator("dialog .view").scrollIntoViewIfNeeded();
    const canvas = await page.locator("dialog .view canvas").boundingBox();
    const pixels = await page.locator("dialog .view canvas").evaluate(({ width }) => width);
    const { x: left, y: top, width, height } = await corner.boundingBox();
    const scale = canvas.width / pixels;
    await page.mouse.move(left + width / 2, top + height / 2);
    await page.mouse.down();
    await page.mouse.move(canvas.x + x * scale, canvas.y + y * scale, { steps: 4 });
    await page.mouse.up();
  }
  await page.getByRole("button", { name: "Read again" }).click();
  await told(page, READ);
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("#board svg");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("what is dropped or pasted is read, and what is no picture of cards is said", async () => {
  const { context, page, troubles } = await entering(SIZES.desktop);
  const buffer = await photograph(page, 30);
  const drop = (bytes, type) =>
    page.evaluate(([bytes, type]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], "dropped", { type }));
      document.querySelector("dialog .photo").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, [[...bytes], type]);
  await drop(Buffer.from("no picture"), "image/png");
  await told(page, /^dropped is not a picture$/);
  assert.ok(await page.isDisabled("dialog[open] button[type=submit]"));
  await page.keyboard.press("Escape");
  await page.click("#door-enter");
  await drop(buffer, "image/png");
  await told(page, READ);
  await page.keyboard.press("Escape");
  await page.click("#door-enter");
  await page.waitForSelector("dialog .photo input");
  await page.evaluate(([bytes]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(bytes)], "pasted.png", { type: "image/png" }));
    document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, [[...buffer]]);
  await told(page, READ);
  assert.deepEqual(troubles, []);
  await context.close();
});
