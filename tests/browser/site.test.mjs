// The site with the solver in the page, opened from a file path and from a file server, without a network.
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { cards, choose, launch, leave, open, photograph, picture, picturePath, press, run, said, SIZES, SOLVER, told } from "./harness.mjs";

const FOLDER = picturePath("site");
const KINDS = { ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };
const world = {};

/** A server of static files. */
function files(folder) {
  const server = createServer(({ url }, response) => {
    const path = join(folder, url === "/" ? "index.html" : decodeURIComponent(new URL(url, "http://x").pathname));
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": KINDS[extname(path)] ?? "application/octet-stream" });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

before(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  await run("site", "--quiet", "--wasm", SOLVER, "puzzles", "-o", FOLDER);
  world.browser = await launch();
  world.files = await files(FOLDER);
  const html = readFileSync(join(FOLDER, "index.html"));
  const solver = readFileSync(SOLVER);
  console.log(`index.html: ${html.length} bytes, ${gzipSync(html, { level: 9 }).length} with gzip`);
  console.log(`solver: ${solver.length} bytes, ${gzipSync(solver, { level: 9 }).length} with gzip`);
});

after(async () => {
  await world.browser.close();
  world.files.close();
});

/** The addresses of the page: as a file, and on the file server. */
const PLACES = {
  "file path": () => pathToFileURL(join(FOLDER, "index.html")).href,
  "file server": () => `http://127.0.0.1:${world.files.address().port}/`,
};

/** Opens the page, disconnects the network, and acts; only the page's own files may be requested. */
async function withSite(url, options, act) {
  const { context, page, troubles } = await open(world.browser, options);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto(url);
  await page.waitForSelector("#gallery:not([hidden]), #play:not([hidden])");
  // The browser fetches the icon on its own.
  await page.waitForTimeout(200);
  await context.setOffline(true);
  const before = asked.filter((one) => one.startsWith("http")).length;
  await act(page, context);
  assert.deepEqual(troubles, []);
  const after = asked.filter((one) => one.startsWith("http")).slice(before);
  assert.deepEqual(after.filter((one) => !one.endsWith("icon.svg")), []);
  assert.deepEqual(asked.filter((one) => !one.startsWith(url.replace(/index\.html$/, "")) && !/^(data|blob):/.test(one)), []);
  await context.close();
}

const ALL = cards("puzzles/scramble-1.yaml");
const IMAGES = [...new Set(ALL.flat().map((edge) => edge.slice(0, -1)))];
const READING = [1, 0, 3, 2];
const places = ALL.flatMap((edges) =>
  READING.map((side) => 2 * IMAGES.indexOf(edges[side].slice(0, -1)) + (edges[side].endsWith("-") ? 1 : 0)),
);

const closed = (page) => page.waitForSelector("dialog", { state: "detached" });

for (const [place, url] of Object.entries(PLACES)) {
  for (const [size, options] of Object.entries(SIZES)) {
    test(`a puzzle is opened, hinted, solved and watched (${place}, ${size})`, () =>
      withSite(url(), options, async (page) => {
        await page.waitForFunction(() => document.querySelectorAll('#puzzles img[src^="data:image/svg"]').length > 2);
        await picture(page, `site-${place.split(" ")[1]}-${size}`);
        await choose(page, "scramble-1.yaml");
        await page.click("#hint");
        await said(page, /^Hint: /);
        await press(page, "#count");
        await said(page, /^Yes: /);
        await press(page, "#solve");
        await said(page, /^1 solution, and no more\.$/);
        assert.match(await page.textContent("#sentence"), /^1 solution \(4 with rotations of the board\), proven complete \(propagate, 34 nodes/);
        await page.click("#close");
        await press(page, "#watch");
        await said(page, /^Both/);
      }));

    test(`own cards are entered and solved, a slip is looked for (${place}, ${size})`, () =>
      withSite(url(), options, async (page) => {
        await press(page, "#door-enter");
        await page.waitForSelector("dialog .cards");
        for (const number of places) {
          await press(page, `.halves button:nth-child(${number + 1})`);
        }
        await page.click("dialog button[type=submit]");
        await closed(page);
        await press(page, "#solve");
        await said(page, /^1 solution, and no more\.$/);
        await leave(page);
        await choose(page, "sharks-misread.yaml");
        await press(page, "#solve");
        await said(page, /no solution/i);
        await press(page, "#doctor");
        await page.waitForSelector("#suspects li");
        await press(page, "#closest");
        await said(page, /^1 edge does not match; no arrangement is better\.$/);
        assert.equal(await page.locator("#tray button").count(), 0);
        await picture(page, `site-closest-${size}`);
      }));

    test(`a random 8×8 is made and solved (${place}, ${size})`, () =>
      withSite(url(), options, async (page) => {
        await press(page, "#door-make");
        for (const label of ["Rows", "Columns"]) {
          await page.locator("dialog").getByLabel(label, { exact: true }).fill("8");
        }
        await page.click("dialog button[type=submit]");
        await closed(page);
        assert.equal(await page.locator("#board [data-cell]").count(), 64);
        await press(page, "#solve");
        await said(page, /^1 solution, and no more\.$/);
      }));

    test(`a photograph is read and played (${place}, ${size})`, () =>
      withSite(url(), options, async (page) => {
        await press(page, "#door-enter");
        await page.waitForSelector("dialog .photo input");
        const buffer = await photograph(page, 30);
        await page.setInputFiles("dialog .photo input", { name: "cards.png", mimeType: "image/png", buffer });
        await told(page, /^9 cards, 3 × 3, no side is doubtful; it has a solution\.$/);
        assert.equal(await page.locator("dialog .strip").count(), 36);
        await picture(page, `site-photo-${size}`);
        await page.click("dialog button[type=submit]");
        await closed(page);
        await press(page, "#solve");
        await said(page, /^\d+ solutions?, and no more\.$/);
      }));

    test(`a hard search is stopped, and another one runs (${place}, ${size})`, () =>
      withSite(url(), options, async (page) => {
        await press(page, "#door-enter");
        await page.locator("dialog summary", { hasText: "paste" }).click();
        await page.getByLabel("Text of a puzzle").fill(await run("generate", "--size", "9x9", "--images", "9", "--seed", "1"));
        await page.click("dialog button[type=submit]");
        await closed(page);
        for (let again = 0; again < 3; again++) {
          await press(page, "#solve");
          await said(page, /^Solving… \d+ steps, up to \d+ of \d+ tiles placed/);
          await page.click("#stop");
          await page.waitForFunction(() => document.getElementById("stop").hidden);
        }
        // A request during a search does not wait for it.
        await press(page, "#solve");
        await said(page, /^Solving… \d+ steps/);
        await leave(page);
        await choose(page, "absolut-knifflig.yaml");
        await press(page, "#solve");
        await said(page, /^37 solutions, and no more\.$/);
      }));
  }
}

test("what opens elsewhere opens here: links, German, a text that is none", () =>
  withSite(PLACES["file path"](), SIZES.desktop, async (page) => {
    await choose(page, "boards/cube-4.yaml");
    const code = await page.evaluate(() => location.hash);
    await page.goto(`${PLACES["file path"]()}#scramble-1.yaml`);
    await page.waitForSelector("#board svg");
    await page.evaluate((hash) => (location.hash = hash), code.replace(/^#[^~]*/, (puzzle) => puzzle));
    await page.waitForFunction(() => document.querySelectorAll("#board [data-cell]").length === 6);
    await page.click("#share");
    await page.waitForSelector("dialog svg path");
    await page.keyboard.press("Escape");
    await leave(page);
    await press(page, "#door-enter");
    await page.locator("dialog summary", { hasText: "paste" }).click();
    await page.getByLabel("Text of a puzzle").fill("tiles: {1: [a");
    await page.click("dialog button[type=submit]");
    await page.waitForFunction(() => /line 1, column 14/.test(document.querySelector("dialog form > .wrong").textContent));
  }));

test("from a host the page is kept, and opens without it", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.phone);
  await page.goto(PLACES["file server"]());
  await page.evaluate(() => navigator.serviceWorker.ready);
  // Requests before the service worker started are repeated.
  await page.reload();
  await page.waitForSelector("#gallery:not([hidden])");
  await page.waitForFunction(async () => (await caches.match(location.href)) !== undefined);
  await context.setOffline(true);
  await page.reload();
  await choose(page, "scramble-1.yaml");
  await press(page, "#solve");
  await said(page, /^1 solution, and no more\.$/);
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a page with a puzzle that has no solution and the solver says what comes closest", async () => {
  const file = picturePath("none-and-solver.html");
  await run("site", "--quiet", "--force", "--wasm", SOLVER, "puzzles/sharks-misread.yaml", "-o", file);
  await withSite(pathToFileURL(file).href, SIZES.desktop, async (page) => {
    await page.waitForSelector("#board svg");
    await page.click("#hint");
    await said(page, /no solution/i);
    await press(page, "#closest");
    await said(page, /^1 edge does not match; no arrangement is better\.$/);
    await page.click("#undo");
    await press(page, "#solve");
    await press(page, "#doctor");
    await page.waitForSelector("#suspects li");
  });
});

test("a page with one puzzle and the solver makes others", async () => {
  const file = picturePath("one-and-solver.html");
  await run("site", "--quiet", "--force", "--wasm", SOLVER, "puzzles/absolut-knifflig.yaml", "-o", file);
  console.log(`one puzzle and the solver: ${statSync(file).size} bytes`);
  await withSite(pathToFileURL(file).href, SIZES.phone, async (page) => {
    await page.waitForSelector("#board svg");
    await press(page, "#solve");
    await said(page, /^37 solutions, and no more\.$/);
    await page.click("#close");
    await press(page, "#fresh");
    await page.waitForSelector("dialog");
    await page.getByRole("button", { name: "4 × 4" }).click();
    await closed(page);
    await page.click("#hint");
    await said(page, /^Hint: /);
  });
});
