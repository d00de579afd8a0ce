// Plays on the page of a server, as people do.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { atEachSizeOf, cell, choose, drag, forAllTests, open, picture, press, ready, run, said, serve, solution, tileNamed, withPuzzle, SIZES } from "./harness.mjs";

const PUZZLE = "puzzles/scramble-1.yaml";
const world = forAllTests();

const atEachSize = atEachSizeOf(world);

/** The number of clicks, each a clockwise turn, that lead to a rotation. */
const clicks = (rotation) => (4 - rotation) % 4;

atEachSize("a whole 3×3 by pointer", "scramble-1.yaml", async (page, size) => {
  for (const [index, { tile, rotation }] of solution(PUZZLE).entries()) {
    const button = await tileNamed(page, tile);
    if (size !== "desktop") {
      await button.tap();
      await cell(page, index).tap();
    } else {
      await drag(page, button, cell(page, index));
    }
    for (let click = 0; click < clicks(rotation); click++) {
      await (size !== "desktop" ? cell(page, index).tap() : cell(page, index).click());
    }
    if (index === 4) {
      await picture(page, `half-${size}`);
    }
  }
  await said(page, /^Solved in \d+:\d\d: \d+ moves, no hint\.$/);
  // A link with the tiles would give the solution away.
  await press(page, "#share");
  assert.equal(await page.isChecked("dialog input[type=checkbox]"), false);
  await page.keyboard.press("Escape");
  // No marks cover the solved picture.
  assert.equal(await page.locator("#board .mark *").count(), 0);
  await picture(page, `solved-${size}`);
});

atEachSize("a hint on a long row is visible", "models/dominoes-double-four-line.yaml", async (page) => {
  assert.ok(await page.isVisible("#whole"));
  for (let hint = 0; hint < 3; hint++) {
    await press(page, "#hint");
    await page.waitForFunction((all) => document.querySelectorAll("#board .movable").length === all, hint + 1);
    const [board, there] = await Promise.all([page.locator("#board").boundingBox(), page.locator("#board .advised").boundingBox()]);
    assert.ok(there.x > board.x - 2 && there.x + there.width < board.x + board.width + 2);
  }
  await press(page, "#whole");
  assert.ok(await page.evaluate(() => document.getElementById("board").scrollWidth <= document.getElementById("board").clientWidth + 1));
});

test("the buttons to zoom a long row come and go with the size of the window", () => withPuzzle(world, SIZES.small, "models/dominoes-double-two-line.yaml", async (page) => {
  assert.ok(await page.isVisible("#whole"));
  await page.setViewportSize({ width: 2400, height: 900 });
  await page.waitForSelector("#whole", { state: "hidden" });
  await page.setViewportSize(SIZES.small.viewport);
  await page.waitForSelector("#whole", { state: "visible" });
}));

test("a tile picked up while a hint is sought stays in hand", () => withPuzzle(world, SIZES.desktop, "scramble-1.yaml", async (page) => {
  let go;
  await page.route("**/api/answer", async (route) => {
    await new Promise((resolve) => (go = resolve));
    await route.continue();
  });
  await page.click("#hint");
  const taken = page.locator('#tray [aria-pressed="true"]');
  await page.locator("#tray button").last().click();
  const name = await taken.getAttribute("aria-label");
  go();
  await page.waitForSelector("#board .movable");
  assert.equal(await taken.getAttribute("aria-label"), name);
}));

atEachSize("a pause by keyboard, and a check of an empty board", "scramble-1.yaml", async (page) => {
  await cell(page, 4).focus();
  await page.keyboard.press("c");
  await said(page, /^No tiles touch yet\.$/);
  await page.keyboard.press("p");
  assert.ok(await page.isHidden("#board"));
  await page.keyboard.press("p");
  assert.ok(await page.isVisible("#board"));
  assert.ok(await cell(page, 4).evaluate((cell) => cell === document.activeElement));
});

atEachSize("a whole 3×3 by keyboard", "scramble-1.yaml", async (page) => {
  for (const [index, { tile, rotation }] of solution(PUZZLE).entries()) {
    await (await tileNamed(page, tile)).focus();
    await page.keyboard.press("Enter");
    // The board has the focus, at the first empty cell.
    const label = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.match(label, new RegExp(`^row ${Math.floor(index / 3) + 1}, column ${(index % 3) + 1}, empty`));
    await page.keyboard.press("Enter");
    for (let turn = 0; turn < rotation; turn++) {
      await page.keyboard.press("Shift+R");
    }
  }
  await said(page, /^Solved/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "next-puzzle");
  await cell(page, 8).focus();
  await page.keyboard.press("ArrowUp");
  assert.match(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), /^row 2, column 3, tile 4/);
  await page.keyboard.press("Delete");
  assert.equal(await page.locator("#tray button").count(), 1);
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator("#tray button").count(), 0);
  await page.keyboard.press("Control+y");
  assert.equal(await page.locator("#tray button").count(), 1);
});

atEachSize("a tile moves between cells and back to the hand", "scramble-1.yaml", async (page) => {
  const lies = (index) => cell(page, index).getAttribute("aria-label");
  await (await tileNamed(page, "1")).click();
  await cell(page, 0).click();
  await (await tileNamed(page, "2")).click();
  await cell(page, 1).click();
  await drag(page, cell(page, 0), cell(page, 1));
  assert.match(await lies(0), /tile 2,/);
  assert.match(await lies(1), /tile 1,/);
  await drag(page, cell(page, 1), page.locator("#tray"));
  assert.match(await lies(1), /empty/);
  await page.click("#undo");
  await page.click("#undo");
  assert.match(await lies(0), /tile 1,/);
  await press(page, "#redo");
  assert.match(await lies(0), /tile 2,/);
  await press(page, "#clear");
  assert.equal(await page.locator("#tray button").count(), 9);
});

atEachSize("hints lead to the solution", "scramble-1.yaml", async (page) => {
  for (let hint = 0; hint < 8; hint++) {
    await page.click("#hint");
    await said(page, /^Hint: tile \d in row \d, column \d; /);
    await press(page, "#count");
    await said(page, /^Yes: \d+ solutions? left\.$/);
  }
  await page.click("#hint");
  await said(page, /^Solved/);
  await page.click("#hint");
  await said(page, /^Solved/);
});

atEachSize("a wrong tile leaves no solution", "scramble-1.yaml", async (page, size) => {
  await press(page, "#count");
  await said(page, /^Yes: 1 solution left, not counting rotations of the board\.$/);
  // In every solution, tile 5 is in the middle.
  await (await tileNamed(page, "5")).click();
  await cell(page, 0).click();
  await press(page, "#count");
  await said(page, /^No: it cannot be completed like this\.$/);
  await page.click("#hint");
  await said(page, /^No solution is possible like this\. Take back the tile in row 1, column 1\.$/);
  assert.equal(await page.locator("#board .doubted").count(), 1);
  await picture(page, `wrong-${size}`);
  await press(page, "#count");
  await said(page, /^No: it cannot be completed like this\.$/);
  await page.click("#remove-wrong");
  await page.waitForFunction(() => document.querySelectorAll("#board .movable").length === 0);
});

atEachSize("a puzzle without a solution says which card to compare", "sharks-misread.yaml", async (page, size) => {
  await press(page, "#solve");
  await said(page, /^This puzzle has no solution\.$/);
  await press(page, "#doctor");
  await said(page, /^Changing any one of these gives a solution\.$/);
  const items = await page.locator("#suspects > li > b").allTextContents();
  assert.match(items[0], /^Card \d, \d+ %$/);
  assert.match(items.at(-1), /^Several mistakes, or another one, \d+ %$/);
  const questions = await page.locator("#suspects li li").allTextContents();
  assert.ok(questions.length > 0 && questions.every((question) => /^(Are|Is|Was) .*\?|: typed “.*”, but should it be “.*”\?$/.test(question)), questions.join());
  await page.locator("#suspects").scrollIntoViewIfNeeded();
  await picture(page, `suspects-${size}`);
});

atEachSize("all solutions are leafed through", "absolut-knifflig.yaml", async (page, size) => {
  await press(page, "#solve");
  await said(page, /^37 solutions, and no more\.$/);
  assert.match(await page.textContent("#sentence"), /^37 solutions \(148 with rotations of the board\), proven complete/);
  const seen = new Set();
  for (let number = 1; number <= 37; number++) {
    assert.equal(await page.textContent("#which"), `${number} of 37`);
    assert.equal(await page.locator("#board .mark *").count(), 0);
    const labels = await page.locator("#board [data-cell]").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
    seen.add(labels.join());
    if (number < 37) {
      await page.click("#next");
    }
  }
  assert.equal(seen.size, 37);
  assert.ok(await page.isDisabled("#next"));
  await page.click("#first");
  assert.equal(await page.textContent("#which"), "1 of 37");
  await picture(page, `solutions-${size}`);
  await page.click("#close");
  assert.equal(await page.locator("#tray button").count(), 9);
});

atEachSize("a random 4×4 is made, begun with some tiles, saved", null, async (page, size) => {
  await page.click("#door-make");
  const field = (label) => page.locator("dialog").getByLabel(label, { exact: true });
  await field("Rows").fill("4");
  await field("Columns").fill("4");
  // Without a number of images, one is chosen.
  assert.equal(await field("Images").inputValue(), "");
  await field("Images").fill("6");
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await page.locator("#board [data-cell]").count(), 16);
  // Images that the generator numbered have names that can be read aloud.
  assert.match(await page.locator("#tray button").first().getAttribute("aria-label"), /, top image \d (first|second) half,/);
  await press(page, "#count");
  await said(page, /^Yes: 1 solution left, not counting rotations/);
  await ready(page, "#given");
  await page.fill("#given", "5");
  await press(page, "#deal");
  await said(page, /^5 tiles are given\. Your turn\.$/);
  assert.equal(await page.locator("#tray button").count(), 11);
  await press(page, "#count");
  await said(page, /^Yes: 1 solution left\.$/);
  await picture(page, `random-${size}`);
  const [download] = await Promise.all([page.waitForEvent("download"), press(page, "#save")]);
  const file = join(mkdtempSync(join(tmpdir(), "edgematch-")), download.suggestedFilename());
  await download.saveAs(file);
  const [, seed] = /4 × 4, 6 images in halves, one solution, seed (\d+)/.exec(readFileSync(file, "utf8"));
  assert.match(await run("solve", "--format", "jsonl", file), /"complete":true,"distinct":1/);
  const command = ["generate", "--quiet", "--size", "4x4", "--images", "6", "--unique", "--seed", seed];
  const again = await run(...command);
  const tiles = (text) => text.slice(text.indexOf("tiles:"));
  assert.equal(tiles(again), tiles(readFileSync(file, "utf8")));
});

test("random puzzles of every size from 10×10 to 1×1 are made as the page proposes", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  for (let size = 10; size >= 1; size--) {
    await page.click(size === 10 ? "#door-make" : "#fresh");
    for (const label of ["Rows", "Columns"]) {
      await page.locator("dialog").getByLabel(label, { exact: true }).fill(String(size));
    }
    await page.click("dialog button[type=submit]");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await page.locator("#board [data-cell]").count(), size * size);
  }
  assert.deepEqual(troubles, []);
  await context.close();
});

atEachSize("what cannot be made is said", null, async (page) => {
  await page.click("#door-make");
  await page.locator("dialog").getByLabel("Rows", { exact: true }).fill("11");
  await page.click("dialog button[type=submit]");
  await page.waitForFunction(() => document.querySelector("dialog .wrong").textContent !== "");
  assert.match(await page.textContent("dialog .wrong"), /from 1 to 10 rows/);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForSelector("dialog", { state: "detached" });
});

atEachSize("two searches are watched side by side", "scramble-1.yaml", async (page, size) => {
  await press(page, "#watch");
  await said(page, /^Both searches run below\.$/);
  // They start immediately and are in view.
  await page.waitForFunction(() => /^step [2-9]/.test(document.querySelector("#screens figcaption").textContent));
  const { y } = await page.locator("#screens svg").nth(1).boundingBox();
  assert.ok(y >= 0 && y < page.viewportSize().height, `in view: ${y}`);
  for (const screen of await page.locator("#screens svg").all()) {
    const isSeen = await screen.evaluate((node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      return node.contains(document.elementFromPoint(left + width / 2, top + Math.min(height / 2, innerHeight - top - 1)));
    });
    assert.ok(isSeen, "nothing lies in front of it");
  }
  await page.click("#run");
  await page.click("#rewind");
  for (let step = 0; step < 7; step++) {
    await page.click("#step");
  }
  const captions = () => page.locator("#screens figcaption").allTextContents();
  assert.match((await captions())[0], /^step 7 of 939; .*tries/);
  assert.match((await captions())[1], /^step 7 of \d+; /);
  await page.locator("#screens").scrollIntoViewIfNeeded();
  await picture(page, `watch-${size}`);
  await page.locator("#speed").fill("8");
  await page.click("#run");
  await page.waitForFunction(() => /the end of the search/.test(document.querySelectorAll("#screens figcaption")[1].textContent));
  assert.match((await captions())[1], /1 solution; the end of the search$/);
  await page.click("#run");
  await page.click("#rewind");
  assert.match((await captions())[0], /^step 0 of 939/);
  await page.click("#unwatch");
  assert.ok(await page.isHidden("#searches"));
  assert.equal(await page.evaluate(() => window.scrollY), 0);
  await page.reload();
  await page.waitForSelector("#board svg");
  assert.equal(await page.inputValue("#speed"), "8");
});

atEachSize("a cube is unfolded and solved", "boards/cube-4.yaml", async (page, size) => {
  assert.equal(await page.locator("#board [data-cell]").count(), 6);
  await press(page, "#solve");
  await said(page, /^\d+ solutions?, and no more\.$/);
  assert.equal(await page.locator("#board .misfit").count(), 0);
  assert.equal(await page.textContent("#which"), "1 of " + (await page.textContent("#status")).split(" ")[0]);
  await picture(page, `cube-${size}`);
});

atEachSize("two-sided tiles are turned over", "boards/two-sided-3x3-6.yaml", async (page) => {
  await (await tileNamed(page, "1")).focus();
  const label = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(await label(), /^tile 1, front up, rotation 0/);
  await page.keyboard.press("f");
  assert.match(await label(), /^tile 1, back up, rotation 0/);
  for (let hint = 0; hint < 9; hint++) {
    await page.click("#hint");
    await said(page, /^(Hint|Solved)/);
  }
  await said(page, /^Solved/);
});

atEachSize("a tile that may not be turned is not", "random-vex-3x3-10-s1.yaml", async (page) => {
  await (await tileNamed(page, "5")).focus();
  await page.keyboard.press("r");
  await said(page, /^in this puzzle tiles may not be turned$/);
});

test("an address names a puzzle, however it is written", async () => {
  for (const hash of ["boards/cube-4.yaml", "boards%2Fcube-4.yaml"]) {
    const { context, page, troubles } = await open(world.browser, SIZES.desktop);
    await page.goto(`${world.server.url}#${hash}`);
    await page.waitForSelector("#board svg");
    assert.equal(await page.locator("#board [data-cell]").count(), 6);
    assert.deepEqual(troubles, []);
    await context.close();
  }
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(`${world.server.url}#%E0%nothing`);
  await page.waitForSelector("#gallery:not([hidden])");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a hard puzzle does not freeze the page, and can be stopped", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  await page.click("#door-enter");
  await page.locator("dialog summary", { hasText: "paste" }).click();
  await page.getByLabel("Text of a puzzle").fill(await run("generate", "--size", "9x9", "--images", "9", "--seed", "1"));
  await page.click("dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await press(page, "#solve");
  await said(page, /^Solving… \d+ steps, up to \d+ of \d+ tiles placed/);
  // More searches than may run concurrently: a stopped one frees its place.
  for (let again = 0; again < 8; again++) {
    await press(page, "#solve");
    await page.waitForFunction(() => !document.getElementById("stop").hidden);
    await page.click("#stop");
    await page.waitForFunction(() => document.getElementById("stop").hidden);
  }
  // A running search does not delay others.
  await press(page, "#solve");
  await said(page, /^Solving… \d+ steps, up to \d+ of \d+ tiles placed/);
  await choose(page, "absolut-knifflig.yaml");
  await page.waitForFunction(() => document.querySelectorAll("#board [data-cell]").length === 9);
  await press(page, "#solve");
  await said(page, /^37 solutions, and no more\.$/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("hostile names are text", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.addInitScript(() => (window.hit = () => (window.wasHit = true)));
  const evil = `<img src=x onerror=hit()>"'</script><script>hit()</script>&lt;`;
  const folder = mkdtempSync(join(tmpdir(), "edgematch-"));
  const names = [`a${evil}+`, `a${evil}-`, "javascript:hit()+", "javascript:hit()-"].map((name) => JSON.stringify(name));
  const tiles = [0, 1, 2, 3].map((n) => `  ${JSON.stringify(`${evil}${n}`)}: [${names.join(", ")}]\n`);
  const header = ["name", "title", "source"].map((key) => `${key}: ${JSON.stringify(evil)}\n`);
  writeFileSync(join(folder, "evil <b onclick=hit()>.yaml"), `${header.join("")}tiles:\n${tiles.join("")}`);
  writeFileSync(join(folder, "other.yaml"), "tiles: {1: [a, a, a, a]}");
  const own = await serve(folder);
  await page.goto(own.url);
  await choose(page, "evil <b onclick=hit()>.yaml");
  await page.waitForSelector("#board svg");
  assert.equal(await page.textContent("h1"), evil);
  await press(page, "#watch");
  await said(page, /^Both|^Not/);
  await page.click("#step");
  await page.click("#hint");
  await said(page, /./);
  await press(page, "#solve");
  await page.waitForTimeout(300);
  await press(page, "#enter");
  await page.locator("dialog summary", { hasText: "Images" }).click();
  await page.getByLabel("Name of image 1", { exact: true }).fill(evil);
  await page.getByLabel("Name of image 1", { exact: true }).blur();
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => window.wasHit), undefined);
  assert.deepEqual(troubles, []);
  own.stop();
  await context.close();
});

test("another site in the same browser gets nothing", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  const other = await serve("puzzles");
  await page.goto(other.url);
  const outcome = await page.evaluate(async (url) => {
    const body = JSON.stringify({ puzzle: { name: "scramble-1.yaml" }, question: { solve: { most: 1 } } });
    const ask = (how) => fetch(url, how).then((response) => response.type, () => "refused");
    return [
      await ask({ method: "POST", headers: { "Content-Type": "application/json" }, body }),
      await ask({ method: "POST", mode: "no-cors", body }),
    ];
  }, `${world.server.url}api/answer`);
  // The page's content security policy forbids requests to other servers.
  assert.deepEqual(outcome, ["refused", "refused"]);
  other.stop();
  await context.close();
});

test("empty cells along the rim show what the rim must show", () => withPuzzle(world, SIZES.desktop, "framed-6x6-tud.yaml", async (page) => {
  const places = [[0.5, 0.1], [0.1, 3.5], [0.5, 0.9], [2.5, 2.1]];
  // The opacity of the canvas at each place, in cells from the upper left corner of the board.
  const seen = await page.evaluate((places) => {
    const canvas = document.querySelector("#board canvas");
    const box = canvas.getBoundingClientRect();
    const cell = document.querySelector('[data-cell="0"] .ground').getBoundingClientRect();
    const scale = canvas.width / box.width;
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return places.map(([column, row]) => {
      const x = Math.round((cell.x - box.x + column * cell.width) * scale);
      const y = Math.round((cell.y - box.y + row * cell.height) * scale);
      return data[4 * (y * canvas.width + x) + 3];
    });
  }, places);
  assert.deepEqual(seen, [255, 255, 0, 0]);
}));
