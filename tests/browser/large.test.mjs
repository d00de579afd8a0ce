// Boards of the size of Eternity II.
import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cell, forAllTests, open, picture, press, ready, run, said, serve, tick, SIZES } from "./harness.mjs";

const world = forAllTests();
let server = null;

before(async () => {
  const folder = mkdtempSync(join(tmpdir(), "edgematch-"));
  writeFileSync(join(folder, "large.yaml"), await run("generate", "--quiet", "--size", "16x16", "--framed", "--images", "17", "--seed", "5"));
  server = await serve(folder);
});
after(() => server.stop());

for (const [size, options] of Object.entries(SIZES)) {
  test(`a 16×16 with a tray to filter, candidates and zoom (${size})`, async () => {
    const { context, page, troubles } = await open(world.browser, options);
    await page.goto(server.url);
    await page.waitForSelector("#board svg");
    const shown = () => page.locator("#tray [data-tile]").count();
    assert.equal(await shown(), 60);
    await press(page, "#tray .rest button");
    assert.equal(await shown(), 120);
    assert.equal(await page.textContent("#tray .rest"), "136 more");
    await tick(page, "#mistakes");
    await page.evaluate(() => scrollTo(0, 0));
    // The tools are visible, however many tiles the tray has.
    for (const id of ["hint", "undo"]) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= page.viewportSize().height);
    }
    const filter = async (name) => {
      await press(page, "#filter-by");
      await page.locator("dialog").getByRole("button", { name, exact: true }).click();
      await page.waitForSelector("dialog", { state: "detached" });
      return shown();
    };
    assert.equal(await filter("corners"), 4);
    assert.equal(await filter("border"), 56);
    assert.equal(await filter("inside"), 60);
    assert.equal(await page.textContent("#tray-says"), "196 of 256");
    assert.equal(await filter("all tiles"), 60);
    await press(page, "#filter-by");
    const edges = await page.locator("dialog canvas").count();
    assert.ok(edges > 10, `${edges} filters with pictures`);
    assert.equal(await page.textContent('dialog [aria-pressed="true"]'), "all tiles");
    await page.keyboard.press("Escape");
    // The candidates of a corner are the corner tiles, in fitting orientations.
    await press(page, '[data-cell="0"]');
    await said(page, /^Now choose a tile: 4 fit here\.$/);
    assert.equal(await shown(), 4);
    await page.locator("#tray [data-tile]").first().click();
    assert.match(await cell(page, 0).getAttribute("aria-label"), /^row 1, column 1, tile \d+, .*top .*left /);
    assert.doesNotMatch(await cell(page, 0).getAttribute("aria-label"), /does not fit/);
    await press(page, '[data-cell="1"]');
    const number = Number(/: (\d+) fits? here/.exec(await said(page, /here\.$/))[1]);
    assert.ok(number > 0 && number < 30, `${number} candidates`);
    await page.locator("#tray [data-tile]").first().click();
    assert.equal(await page.textContent("#fits"), "1 of 480 edges match");
    // Another filter ends the choice of a cell, which would leave no tiles.
    await press(page, '[data-cell="100"]');
    await filter("corners");
    assert.equal(await shown(), 3);
    await filter("all tiles");
    await picture(page, `large-${size}`);
    // Zooms in and out.
    const before = await cell(page, 0).boundingBox();
    await press(page, "#larger");
    await press(page, "#larger");
    const after = await cell(page, 0).boundingBox();
    assert.ok(after.width > 1.8 * before.width);
    await press(page, "#whole");
    assert.ok(Math.abs((await cell(page, 0).boundingBox()).width - before.width) < 1);
    const suited = await page.evaluate(() => document.querySelector("#tray .face").toDataURL());
    await ready(page, "#theme");
    await page.selectOption("#theme", "letters");
    await page.keyboard.press("Escape");
    await page.waitForFunction((suited) => document.querySelector("#tray .face").toDataURL() !== suited, suited);
    await picture(page, `letters-${size}`);
    assert.deepEqual(troubles, []);
    await context.close();
  });
}

test("laying a tile on a 16×16 takes less than a frame", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(server.url);
  await page.waitForSelector("#board svg");
  const times = [];
  for (let index = 0; index < 30; index++) {
    await page.locator("#tray [data-tile]").nth(index).click();
    times.push(await page.evaluate((index) => {
      const target = document.querySelector(`[data-cell="${3 + 7 * index}"]`);
      const from = performance.now();
      target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return performance.now() - from;
    }, index));
  }
  // A move after hundreds of others, which are stored as well, is not slow either.
  for (let move = 0; move < 300; move++) {
    times.push(await page.evaluate(() => {
      const target = document.querySelector('[data-cell="3"]');
      const from = performance.now();
      target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      return performance.now() - from;
    }));
  }
  const late = times.slice(-100).sort((a, b) => a - b);
  console.log(`a turn after 300 moves: median ${late[50].toFixed(1)} ms`);
  times.length = 30;
  times.sort((a, b) => a - b);
  console.log(`a lay on 16×16: median ${times[15].toFixed(1)} ms, longest ${times.at(-1).toFixed(1)} ms`);
  assert.equal(await page.locator("#board .movable").count(), 30);
  await context.close();
});

test("a lay on a 16×16 touches few nodes", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(server.url);
  await page.waitForSelector("#board svg");
  assert.ok((await page.locator("*").count()) < 1500);
  const touched = await page.evaluate(async () => {
    const nodes = new Set();
    const note = (all) => all.forEach(({ target, addedNodes, removedNodes }) => [target, ...addedNodes, ...removedNodes].forEach((node) => nodes.add(node)));
    const watch = new MutationObserver(note);
    watch.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    document.querySelector("#tray [data-tile]").click();
    document.querySelector('[data-cell="100"]').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    note(watch.takeRecords());
    return nodes.size;
  });
  assert.ok(touched < 40, `${touched} nodes`);
  await context.close();
});

test("thirty openings leave no listeners behind", async () => {
  const { context, page } = await open(world.browser, SIZES.desktop);
  const client = await context.newCDPSession(page);
  await client.send("Performance.enable");
  const listeners = async () => {
    await client.send("HeapProfiler.collectGarbage");
    const { metrics } = await client.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "JSEventListeners").value;
  };
  await page.goto(world.server.url);
  const seen = (condition) => page.waitForFunction(condition);
  const openAndLeave = async () => {
    await page.evaluate(() => (location.hash = "#scramble-1.yaml"));
    await seen(() => !document.getElementById("play").hidden);
    await page.evaluate(() => (location.hash = ""));
    await seen(() => document.getElementById("play").hidden);
  };
  await openAndLeave();
  const before = await listeners();
  for (let time = 0; time < 30; time++) {
    await openAndLeave();
  }
  assert.ok((await listeners()) <= before + 5, `${before}, then ${await listeners()}`);
  await context.close();
});
