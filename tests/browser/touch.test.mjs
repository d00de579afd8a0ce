// Fingers, wheels and small windows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEachSizeOf, cell, drag, forAllTests, picture, press, said, SIZES, solution, tileNamed, withPuzzle } from "./harness.mjs";

const world = forAllTests();
const atEachSize = atEachSizeOf(world);

const label = (page, index) => cell(page, index).getAttribute("aria-label");

atEachSize("a two-sided puzzle is solved by pressing alone", "boards/two-sided-3x3-6.yaml", async (page, size) => {
  let presses = 0;
  for (const [index, { tile, rotation, face }] of solution("puzzles/boards/two-sided-3x3-6.yaml").entries()) {
    const button = await tileNamed(page, tile);
    await (size === "desktop" ? button.click() : button.tap());
    await (size === "desktop" ? cell(page, index).click() : cell(page, index).tap());
    if (face === "back") {
      await press(page, "#over");
      presses += 1;
    }
    const now = Number(/rotation (\d)/.exec(await label(page, index))[1]);
    for (let turn = 0; turn < (rotation - now + 4) % 4; turn++) {
      await press(page, "#unturn");
    }
  }
  await said(page, /^Solved/);
  assert.ok(presses > 0);
  await picture(page, `two-sided-${size}`);
});

atEachSize("board, tools and tiles are seen together, and nothing scrolls", "scramble-1.yaml", async (page, size) => {
  const { width, height } = page.viewportSize();
  for (const id of ["board", "hint", "undo", "check", "tray"]) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width, `${size}: ${id} ${JSON.stringify(box)}`);
  }
  const board = await page.locator("#board svg").boundingBox();
  assert.ok(Math.min(board.width, board.height) >= 0.8 * Math.min(width, height), JSON.stringify(board));
  for (const [index, { tile, rotation }] of solution("puzzles/scramble-1.yaml").entries()) {
    const button = await tileNamed(page, tile);
    await (size === "desktop" ? button.click() : button.tap());
    await (size === "desktop" ? cell(page, index).click() : cell(page, index).tap());
    for (let turn = 0; turn < (4 - rotation) % 4; turn++) {
      await (size === "desktop" ? cell(page, index).click() : cell(page, index).tap());
    }
  }
  await said(page, /^Solved/);
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  assert.ok(await page.isVisible("#won"));
});

test("a phone on its side shows board and tiles together", () => withPuzzle(world, { ...SIZES.small, viewport: { width: 640, height: 360 } }, "scramble-1.yaml", async (page) => {
  for (const id of ["board", "hint", "undo", "tray"]) {
    const box = await page.locator(`#${id}`).boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= 360, `${id}: ${JSON.stringify(box)}`);
  }
  await drag(page, await tileNamed(page, "2"), cell(page, 4));
  assert.match(await label(page, 4), /tile 2,/);
  await picture(page, "landscape");
}));

test("wheel and right button turn a tile, both ways", () => withPuzzle(world, SIZES.desktop, "scramble-1.yaml", async (page) => {
  await drag(page, await tileNamed(page, "2"), cell(page, 4));
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => /rotation 3/.test(document.querySelector('[data-cell="4"]').getAttribute("aria-label")));
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => /rotation 0/.test(document.querySelector('[data-cell="4"]').getAttribute("aria-label")));
  await cell(page, 4).click({ button: "right" });
  assert.match(await label(page, 4), /rotation 1/);
  await (await tileNamed(page, "3")).click({ button: "right" });
  assert.match(await (await tileNamed(page, "3")).getAttribute("aria-label"), /rotation 1/);
  await cell(page, 4).click();
  assert.match(await label(page, 4), /rotation 0/);
}));

test("the cell that would take a tile lights up while one drags, and the wheel turns it on its way", () => withPuzzle(world, SIZES.desktop, "scramble-1.yaml", async (page) => {
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  await page.mouse.move(...(await middle(await tileNamed(page, "2"))));
  await page.mouse.down();
  await page.mouse.move(...(await middle(cell(page, 7))), { steps: 6 });
  assert.match(await cell(page, 7).getAttribute("class"), /would/);
  assert.equal(await page.locator(".would").count(), 1);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => /rotation 3/.test(document.querySelector('#tray [data-tile="1"]').getAttribute("aria-label")));
  await page.mouse.up();
  assert.match(await label(page, 7), /tile 2, rotation 3/);
  assert.equal(await page.locator(".would").count(), 0);
}));

/** Simulates fingers: `touch(type, [[x, y], …])`. */
async function fingers(page) {
  const session = await page.context().newCDPSession(page);
  return (type, points) => session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
}

for (const size of ["phone", "small"]) {
  test(`a swipe over the tiles scrolls them, and takes none up (${size})`, () => withPuzzle(world, SIZES[size], "scramble-1.yaml", async (page) => {
    const { x, y, width, height } = await page.locator("#tray").boundingBox();
    const touch = await fingers(page);
    const at = (step) => [[x + width * (0.9 - 0.16 * step), y + height / 2]];
    await touch("touchStart", at(0));
    for (let step = 1; step <= 5; step++) {
      await touch("touchMove", at(step));
      await page.waitForTimeout(20);
    }
    await touch("touchEnd", []);
    await page.waitForFunction(() => document.getElementById("tray").scrollLeft > 60);
    assert.equal(await page.locator("#tray button").count(), 9);
    assert.equal(await page.locator(".ghost").count(), 0);
  }));

  test(`the cell that would take a tile lights up under the finger (${size})`, () => withPuzzle(world, SIZES[size], "scramble-1.yaml", async (page) => {
    await (await tileNamed(page, "2")).tap();
    await cell(page, 4).tap();
    const middle = async (index) => {
      const { x, y, width, height } = await cell(page, index).boundingBox();
      return [x + width / 2, y + height / 2];
    };
    const touch = await fingers(page);
    await touch("touchStart", [await middle(4)]);
    await touch("touchMove", [await middle(3)]);
    await touch("touchMove", [await middle(7)]);
    await page.waitForFunction(() => document.querySelector('[data-cell="7"]').classList.contains("would"));
    assert.equal(await page.locator(".would").count(), 1);
    await touch("touchEnd", []);
    assert.match(await label(page, 7), /tile 2,/);
    assert.equal(await page.locator(".would").count(), 0);
  }));

  test(`a second finger turns the tile that the first one holds (${size})`, () => withPuzzle(world, SIZES[size], "scramble-1.yaml", async (page) => {
    await (await tileNamed(page, "2")).tap();
    await cell(page, 4).tap();
    const { x, y, width } = await cell(page, 4).boundingBox();
    const [cx, cy] = [x + width / 2, y + width / 2];
    const touch = await fingers(page);
    const up = [cx, cy - 12];
    // The driver cannot lift one of two fingers, so events of the second one are dispatched as a browser
    // would.
    const second = (type, x, y) =>
      page.evaluate(([type, clientX, clientY]) => document.dispatchEvent(new PointerEvent(type, { pointerId: 99, pointerType: "touch", isPrimary: false, clientX, clientY, bubbles: true })), [type, x, y]);
    const turned = (rotation) =>
      page.waitForFunction((rotation) => document.querySelector('[data-cell="4"]').getAttribute("aria-label").includes(`rotation ${rotation}`), rotation);
    await touch("touchStart", [[cx, cy]]);
    await touch("touchMove", [up]);
    await page.waitForSelector(".ghost");
    await second("pointerdown", cx + 60, cy);
    await second("pointerup", cx + 60, cy);
    await turned(3);
    // A twist counter-clockwise, then back beyond its start.
    await second("pointerdown", up[0] + 60, up[1]);
    for (const degrees of [15, 30, 45, 30, 0, -15]) {
      const angle = (-degrees * Math.PI) / 180;
      await second("pointermove", up[0] + 60 * Math.cos(angle), up[1] + 60 * Math.sin(angle));
      if (degrees === 45) {
        await turned(0);
      }
    }
    await second("pointerup", up[0], up[1]);
    await touch("touchEnd", []);
    await turned(3);
  }));
}

test("two fingers look closer, and one moves what one sees", () => withPuzzle(world, SIZES.small, "framed-7x7-em-7-4-8.yaml", async (page) => {
  const { x, y, width, height } = await page.locator("#board").boundingBox();
  const [cx, cy] = [x + width / 2, y + height / 2];
  const before = (await cell(page, 24).boundingBox()).width;
  const touch = await fingers(page);
  const apart = (far) => [[cx - far, cy], [cx + far, cy]];
  await touch("touchStart", apart(40));
  for (const far of [50, 70, 90, 110]) {
    await touch("touchMove", apart(far));
  }
  await touch("touchEnd", []);
  const after = (await cell(page, 24).boundingBox()).width;
  assert.ok(after > 2 * before, `${before} → ${after}`);
  const left = await page.evaluate(() => document.getElementById("board").scrollLeft);
  await touch("touchStart", [[cx, cy]]);
  for (let step = 1; step <= 6; step++) {
    await touch("touchMove", [[cx - 15 * step, cy]]);
    await page.waitForTimeout(20);
  }
  await touch("touchEnd", []);
  await page.waitForFunction((left) => document.getElementById("board").scrollLeft > left + 30, left);
}));

for (const rest of [0, 300]) {
  const what = rest ? "a finger that rests on a tile of a long row moves it" : "a swipe along a long row scrolls it";
  test(what, () => withPuzzle(world, SIZES.small, "models/dominoes-double-four-line.yaml", async (page) => {
    await page.tap("#hint");
    const tile = page.locator("#board .movable");
    await tile.waitFor();
    // The row scrolls to the tile.
    await page.waitForTimeout(500);
    const [before, { x, y, width, height }] = [await page.evaluate(() => document.getElementById("board").scrollLeft), await tile.boundingBox()];
    // To a part of the row that is hidden, or towards the middle of the window.
    const way = (rest ? x < 180 : before > 30) ? 1 : -1;
    const touch = await fingers(page);
    await touch("touchStart", [[x + width / 2, y + height / 2]]);
    await page.waitForTimeout(rest);
    for (let step = 1; step <= 6; step++) {
      await touch("touchMove", [[x + width / 2 + 15 * way * step, y + height / 2]]);
      await page.waitForTimeout(20);
    }
    assert.equal(await page.locator(".ghost").count(), rest ? 1 : 0);
    await touch("touchEnd", []);
    if (!rest) {
      await page.waitForFunction((left) => Math.abs(document.getElementById("board").scrollLeft - left) > 20, before);
    }
    assert.equal(await page.locator("#board .movable").count(), 1);
  }));
}

test("dragging near the edge of the tray scrolls it", () => withPuzzle(world, SIZES.small, "scramble-1.yaml", async (page) => {
  await (await tileNamed(page, "2")).tap();
  await cell(page, 4).tap();
  const box = await cell(page, 4).boundingBox();
  const tray = await page.locator("#tray").boundingBox();
  const touch = await fingers(page);
  await touch("touchStart", [[box.x + 20, box.y + 20]]);
  await touch("touchMove", [[box.x + 60, box.y + 60]]);
  await touch("touchMove", [[tray.x + tray.width - 8, tray.y + 30]]);
  await page.waitForFunction(() => document.getElementById("tray").scrollLeft > 60);
  await touch("touchEnd", []);
  assert.match(await label(page, 4), /empty/);
}));

test("the menu of a small window opens over the game, and closes after a choice, a tap beside it and Escape", () => withPuzzle(world, SIZES.small, "scramble-1.yaml", async (page) => {
  const isOpen = () => page.isVisible("#more");
  const open = async () => {
    await page.tap("#menu");
    assert.ok(await isOpen());
    assert.equal(await page.evaluate(() => scrollY), 0);
  };
  await open();
  await page.tap("#count");
  await said(page, /^Yes: 1 solution/);
  assert.equal(await isOpen(), false);
  await open();
  await page.touchscreen.tap(180, 100);
  assert.equal(await isOpen(), false);
  await open();
  await page.keyboard.press("Escape");
  assert.equal(await isOpen(), false);
  // In a large window it is beside the board.
  await page.setViewportSize(SIZES.desktop.viewport);
  await page.waitForSelector("#more", { state: "visible" });
}));
