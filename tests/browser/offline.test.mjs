// The page as one file with stored solutions, opened from the disk, without a network.
import assert from "node:assert/strict";
import { mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cell, choose, forAllTests, leave, open, picture, picturePath, press, ready, run, said, tileNamed, SIZES } from "./harness.mjs";

const world = forAllTests();

async function offline(name, options, act) {
  const file = picturePath(`${name}.html`);
  await run("site", "--quiet", "--force", "-n", "10000", `puzzles/${name}.yaml`, "-o", file);
  console.log(`${name}: ${statSync(file).size} bytes`);
  const { context, page, troubles } = await open(world.browser, options);
  await context.setOffline(true);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#board svg");
  await act(page);
  assert.deepEqual(troubles, []);
  assert.deepEqual(asked.filter((url) => !/^(file|data|blob):/.test(url)), []);
  await context.close();
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`one solution (${size})`, () =>
    offline("scramble-1", options, async (page) => {
      assert.ok(await page.isHidden("#fresh"));
      assert.ok(await page.isHidden("#all"));
      await press(page, "#count");
      await said(page, /^Yes: 1 solution left, not counting rotations of the board\.$/);
      await (await tileNamed(page, "5")).click();
      await cell(page, 0).click();
      await press(page, "#count");
      await said(page, /^No: it cannot be completed like this\.$/);
      await page.click("#hint");
      await said(page, /Take back the tile in row 1, column 1/);
      await page.click("#undo");
      for (let hint = 0; hint < 8; hint++) {
        await page.click("#hint");
        await said(page, /^Hint: /);
      }
      await page.click("#hint");
      await said(page, /^Solved/);
      await picture(page, `offline-${size}`);
      await press(page, "#watch");
      await said(page, /^Both/);
      await page.click("#step");
    }));

  test(`37 solutions (${size})`, () =>
    offline("absolut-knifflig", options, async (page) => {
      await press(page, "#solve");
      await said(page, /^37 solutions, and no more\.$/);
      await page.click("#last");
      assert.equal(await page.textContent("#which"), "37 of 37");
      assert.equal(await page.locator("#board .mark *").count(), 0);
      await page.click("#close");
      for (const wrong of ["9", "-3", "2.5", ""]) {
        await ready(page, "#given");
        await page.fill("#given", wrong);
        await press(page, "#deal");
        await said(page, /^Tiles given: expected a whole number from 0 to 8\.$/);
      }
      await ready(page, "#given");
      await page.fill("#given", "2");
      await press(page, "#deal");
      await said(page, /^2 tiles are given/);
      await press(page, "#count");
      await said(page, /^Yes: \d+ solutions? left\.$/);
      for (let hint = 0; hint < 7; hint++) {
        await page.click("#hint");
        await said(page, /^(Hint|Solved)/);
      }
      await said(page, /^Solved/);
    }));
}

test("a page that does not know all solutions says so", async () => {
  const file = picturePath("some.html");
  await run("site", "--quiet", "--force", "puzzles/absolut-knifflig.yaml", "-n", "5", "-o", file);
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#board svg");
  await press(page, "#solve");
  await said(page, /^At least 5 solutions\.$/);
  await press(page, "#count");
  await said(page, /^Yes: at least 5 solutions left/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("twins, two faces, a cube, constraints, and no solution", async () => {
  const counts = { "knifflidiffels-version5": 1, "boards/two-sided-3x3-6": null, "boards/cube-4": null };
  for (const name of Object.keys(counts)) {
    const file = picturePath("other.html");
    await run("site", "--quiet", "--force", `puzzles/${name}.yaml`, "-n", "50", "-o", file);
    const { context, page, troubles } = await open(world.browser, SIZES.desktop);
    await context.setOffline(true);
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("#board svg");
    const cells = await page.locator("#board [data-cell]").count();
    for (let hint = 0; hint < cells; hint++) {
      await page.click("#hint");
      await said(page, /^(Hint|Solved)/);
    }
    await said(page, /^Solved/);
    assert.deepEqual(troubles, [], name);
    await context.close();
  }
  const file = picturePath("none.html");
  await run("site", "--quiet", "--force", "-n", "0", "puzzles/sharks-misread.yaml", "-o", file);
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#board svg");
  for (const button of ["#count", "#hint", "#solve", "#deal"]) {
    await page.click(button);
    await said(page, /^This puzzle has no solution\.$/);
  }
  await context.close();
});

/** A page with the results of a batch; its last file is not a puzzle. */
async function resultsPage() {
  const folder = mkdtempSync(join(tmpdir(), "edgematch-"));
  const bad = join(folder, "bad.yaml");
  writeFileSync(bad, "title: <b>bad</b>\ntiles: {1: [a");
  const puzzles = ["scramble-1", "absolut-knifflig", "framed-3x3-tud", "sharks-misread"].map((name) => `puzzles/${name}.yaml`);
  await run("batch", "--quiet", "--keep-solutions", ...puzzles, bad, "--results", join(folder, "r.db"));
  await run("site", "--quiet", "-n", "20", join(folder, "r.db"), "-o", join(folder, "results.html"));
  return pathToFileURL(join(folder, "results.html")).href;
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`results are counted, searched, filtered, sorted and opened (${size})`, async () => {
    const { context, page, troubles } = await open(world.browser, options);
    await context.setOffline(true);
    await page.goto(await resultsPage());
    const cards = () => page.locator("#puzzles .card").count();
    await page.waitForSelector("#puzzles .card");
    assert.equal(await cards(), 5);
    assert.match(await page.textContent("#totals"), /^5 puzzles, 5 runs: 3 complete, 1 no solution, 1 bad; /);
    assert.deepEqual(await page.locator("#bars dd").allTextContents(), [" 1", " 2", " 0", " 0", " 1", " 0", " 0"]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await picture(page, `results-${size}`);
    // Functions that need a solver are not offered.
    assert.ok(await page.isHidden("#door-make"));
    assert.ok(await page.isHidden("#door-enter"));
    // The file that is not a puzzle shows its error and has no link.
    const bad = page.locator("#puzzles .card", { has: page.locator(".wrong") });
    assert.equal(await bad.count(), 1);
    assert.equal(await bad.evaluate((card) => card.tagName), "DIV");
    await page.fill("#find", "KNIFFLIG absolut");
    assert.equal(await cards(), 1);
    assert.equal(await page.textContent("#found"), "1 of 5");
    await page.fill("#find", "");
    await page.selectOption("#status-is", "UNSATISFIABLE");
    assert.equal(await cards(), 1);
    await page.selectOption("#status-is", "");
    await page.fill("#least", "2");
    assert.match(await page.textContent("#puzzles"), /Pippi.*37 solutions$/);
    assert.equal(await cards(), 1);
    await page.fill("#least", "");
    await page.fill("#most", "0");
    assert.equal(await cards(), 1);
    await page.fill("#most", "");
    await page.selectOption("#sort", "solutions");
    const facts = await page.locator("#puzzles .card > .facts:not(.wrong)").allTextContents();
    assert.match(facts[0], /no solution, proven$/);
    assert.match(facts[3], /37 solutions$/);
    await choose(page, "puzzles/absolut-knifflig.yaml");
    await press(page, "#solve");
    // The number of stored solutions was limited.
    await said(page, /^At least 20 solutions\.$/);
    await page.click("#close");
    await ready(page, "#ran summary");
    await page.locator("#ran summary").click();
    assert.match(await page.textContent("#runs"), /^auto: propagate: complete; 37 distinct, 37 classes, 148 solutions; /);
    await press(page, "#watch");
    await said(page, /^Not recorded: this page has no recorded search of this puzzle\.$/);
    await leave(page);
    await choose(page, "puzzles/scramble-1.yaml");
    await page.click("#hint");
    await said(page, /^Hint: /);
    // A link to another puzzle needs a solver.
    await page.evaluate(() => (location.hash = "#em1-AAAA"));
    await said(page, /^This page has no solver/);
    assert.deepEqual(troubles, []);
    await context.close();
  });
}

test("results print on white with every picture", async () => {
  const { context, page, troubles } = await open(world.browser, { ...SIZES.desktop, colorScheme: "dark" });
  await page.goto(await resultsPage());
  await page.waitForSelector("#puzzles .card");
  await page.pdf();
  const images = await page.locator("#puzzles img").evaluateAll((all) => all.map((image) => image.naturalWidth > 0));
  assert.deepEqual(images, [true, true, true, true]);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)");
  for (const hidden of ["#door-play", "#find", "#language"]) {
    assert.ok(await page.isHidden(hidden), hidden);
  }
  for (const shown of ["#totals", "#bars", "#puzzles .card"]) {
    assert.ok(await page.locator(shown).first().isVisible(), shown);
  }
  assert.deepEqual(troubles, []);
  await context.close();
});
