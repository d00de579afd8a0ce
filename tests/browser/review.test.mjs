// The correction page as one file, opened from the disk, without a network.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { drag, forAllTests, open, picture, run, said, SIZES } from "./harness.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** The time that a finger rests before it picks up a strip, in milliseconds. */
const REST = 500;

const world = forAllTests();

/** The edges of each tile of a puzzle file, clockwise from the top. */
function tiles(text) {
  return [...text.matchAll(/^ {2}\d+: \[(.*)\]$/gm)].map(([, edges]) => edges.split(", "));
}

async function saved(page, folder) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  const file = join(folder, "puzzle.yaml");
  await download.saveAs(file);
  return { file, text: readFileSync(file, "utf8") };
}

function row(page, edge) {
  return page.getByRole("group", { name: new RegExp(`^${edge.replace("+", "\\+")}: `) });
}

function strip(page, name) {
  return page.locator(`.strip[aria-label^="card ${name}"]`);
}

for (const [size, options] of Object.entries(SIZES)) {
  test(`a reading is corrected and saved (${size})`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "edgematch-"));
    const cards = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((card) => `puzzles/scramble-1/input/${card}.png`);
    await run("read", "--quiet", ...cards, "-o", join(folder, "cards"), "--review");
    const { context, page, troubles } = await open(world.browser, options);
    await context.setOffline(true);
    await page.goto(pathToFileURL(join(folder, "cards", "review.html")).href);
    await page.waitForSelector(".strip");
    await page.evaluate(AXE);
    const { violations } = await page.evaluate(() => globalThis.axe.run(document));
    assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`), []);
    assert.equal(await page.locator(".strip").count(), 36);
    await picture(page, `review-${size}`);

    // The initial state is the reading.
    const read = tiles(readFileSync(join(folder, "cards", "puzzle.yaml"), "utf8"));
    assert.deepEqual(tiles((await saved(page, folder)).text), read);

    // Drag a strip to a wrong row, and undo.
    const right = read[0][1];
    // The adjacent row, which is on the screen, too.
    const other = read.flat().find((edge) => edge[0] === right[0] && edge !== right);
    await drag(page, strip(page, "1 right"), row(page, other), REST);
    await said(page, /^1 right moved to /);
    assert.equal(tiles((await saved(page, folder)).text)[0][1], other);
    await page.getByRole("button", { name: "Undo" }).click();
    assert.deepEqual(tiles((await saved(page, folder)).text), read);

    // Move two strips to a new image, and back.
    await strip(page, "1 right").click();
    await strip(page, "1 top").click();
    await page.getByRole("button", { name: "Move to a new image" }).click();
    await said(page, /^1 right, 1 top moved to e$/);
    const moved = tiles((await saved(page, folder)).text)[0];
    assert.deepEqual(moved.slice(0, 2), ["e", "e"]);
    await row(page, "e").getByLabel("join e with").selectOption({ label: right });
    await said(page, /^joined with /);
    assert.deepEqual(tiles((await saved(page, folder)).text)[0].slice(0, 2), [right, right]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();

    // Rename an image; make its halves match themselves, then each other.
    await row(page, "a+").getByRole("textbox").fill("cat");
    await row(page, "a+").getByRole("textbox").press("Enter");
    await row(page, "b+").getByRole("textbox").fill("cat");
    await row(page, "b+").getByRole("textbox").press("Enter");
    await said(page, /^another image is called cat$/);
    await row(page, "cat+").getByLabel("what cat+ matches").selectOption({ label: "matches itself" });
    await said(page, /^cat matches cat$/);
    await page.getByRole("button", { name: "Undo" }).click();
    const named = await saved(page, folder);
    assert.deepEqual(tiles(named.text), read.map((edges) => edges.map((edge) => edge.replace(/^a/, "cat"))));
    assert.match(await run("count", named.file), /^classes +1$/m);

    assert.deepEqual(troubles, []);
    await context.close();
  });
}
