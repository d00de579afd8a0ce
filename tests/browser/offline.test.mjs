// The page as one file, from the disk, with the network off.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cell, forAllTests, open, picture, picturePath, run, said, SIZES, tileNamed } from "./harness.mjs";

const world = forAllTests();

async function offline(name, options, act) {
  const file = picturePath(`${name}.html`);
  await run("page", "--quiet", "--force", `puzzles/${name}.yaml`, "-o", file);
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
      assert.ok(await page.isHidden("#save"));
      await page.click("#count");
      await said(page, /^Yes: 1 solution left, up to turns of the whole board\.$/);
      await (await tileNamed(page, "5")).click();
      await cell(page, 0).click();
      await page.click("#count");
      await said(page, /^No solution left\.$/);
      await page.click("#hint");
      await said(page, /Take back what lies in row 1, column 1/);
      await page.click("#undo");
      for (let hint = 0; hint < 8; hint++) {
        await page.click("#hint");
        await said(page, /^Hint: /);
      }
      await page.click("#hint");
      await said(page, /^Solved/);
      await picture(page, `offline-${size}`);
      await page.click("#watch");
      await said(page, /^Both/);
      await page.click("#step");
    }));

  test(`37 solutions (${size})`, () =>
    offline("absolut-knifflig", options, async (page) => {
      await page.click("#solve");
      await said(page, /^37 solutions, and no more\.$/);
      await page.click("#last");
      assert.equal(await page.textContent("#which"), "37 of 37");
      assert.equal(await page.locator("#board .mark *").count(), 0);
      await page.click("#close");
      for (const wrong of ["9", "-3", "2.5", ""]) {
        await page.fill("#given", wrong);
        await page.click("#deal");
        await said(page, /^Tiles given: expected a whole number from 1 to 8\.$/);
      }
      await page.fill("#given", "2");
      await page.click("#deal");
      await said(page, /^2 tiles are given/);
      await page.click("#count");
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
  await run("page", "--quiet", "--force", "puzzles/absolut-knifflig.yaml", "-n", "5", "-o", file);
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#board svg");
  await page.click("#solve");
  await said(page, /^At least 5 solutions\.$/);
  await page.click("#count");
  await said(page, /^Yes: at least 5 solutions left/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("twins, two faces, a cube, constraints, and no solution", async () => {
  const counts = { "knifflidiffels-version5": 1, "boards/two-sided-3x3-6": null, "boards/cube-4": null };
  for (const name of Object.keys(counts)) {
    const file = picturePath("other.html");
    await run("page", "--quiet", "--force", `puzzles/${name}.yaml`, "-n", "50", "-o", file);
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
  await run("page", "--quiet", "--force", "puzzles/sharks-misread.yaml", "-o", file);
  const { context, page } = await open(world.browser, SIZES.desktop);
  await page.goto(pathToFileURL(file).href);
  await page.waitForSelector("#board svg");
  for (const button of ["#count", "#hint", "#solve", "#deal"]) {
    await page.click(button);
    await said(page, /^This puzzle has no solution\.$/);
  }
  await context.close();
});
