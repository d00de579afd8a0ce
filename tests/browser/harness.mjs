// A server, a browser, and the actions of a player.
import assert from "node:assert/strict";
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium } from "playwright-core";

/** The root folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

export const PROGRAM = process.env.EDGEMATCH ?? join(ROOT, "target", "release", "edgematch");
/** The solver for browsers. */
export const SOLVER = process.env.EDGEMATCH_WASM ?? join(ROOT, "target", "web", "edgematch.wasm");

const PICTURES = join(ROOT, "target", "browser");
mkdirSync(PICTURES, { recursive: true });

/** The window sizes of the tests. */
export const SIZES = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 412, height: 915 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  small: { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
};

/** Runs the program and returns its output, for any exit code. */
export async function run(...args) {
  try {
    return (await promisify(execFile)(PROGRAM, args, { cwd: ROOT })).stdout;
  } catch (error) {
    return error.stdout;
  }
}

/** The first solution of a puzzle: a tile name and a rotation per cell. */
export function solution(file) {
  const lines = execFileSync(PROGRAM, ["solve", "-n", "1", "-q", "--format", "jsonl", file], { cwd: ROOT });
  return JSON.parse(String(lines).split("\n")[0]).placements;
}

/** The cards of a puzzle file: names of edges, counter-clockwise from the right. */
export function cards(file) {
  const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
  const all = lines.map((line) => /^\s+'?(\d+)'?: \[(.*)\]/.exec(line)).filter(Boolean);
  return all.map(([, , edges]) => edges.split(",").map((edge) => edge.trim().replaceAll(/['"]/g, "")));
}

/** Starts a server for a puzzle or a folder. */
export async function serve(...args) {
  const server = spawn(PROGRAM, ["play", "--port", "0", "--quiet", ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    server.once("error", reject);
    server.once("exit", (code) => reject(new Error(`the server ended with exit code ${code}`)));
  });
  // If a test fails, its server keeps running; it must not delay the exit of the process.
  server.unref();
  server.stdout.unref();
  process.on("exit", () => server.kill());
  return { url, stop: () => server.kill() };
}

export function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Opens a page in a separate browser context; its errors are collected in `troubles`. */
export async function open(browser, options) {
  const context = await browser.newContext({ reducedMotion: "reduce", acceptDownloads: true, ...options });
  const page = await context.newPage();
  const troubles = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    // Tests leave pages intentionally.
    if (dialog.type() === "beforeunload") {
      dialog.accept();
      return;
    }
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("console", (message) => {
    const isExpected = message.text().startsWith("Failed to load resource");
    if (["error", "warning"].includes(message.type()) && !isExpected) {
      troubles.push(message.text());
    }
  });
  page.setDefaultTimeout(60_000);
  return { context, page, troubles };
}

/** A browser, and a server for the project's puzzles, shared by all tests of a file. */
export function forAllTests() {
  const both = {};
  before(async () => {
    both.browser = await launch();
    both.server = await serve("puzzles");
  });
  after(async () => {
    await both.browser.close();
    both.server.stop();
  });
  return both;
}

export function picture(page, name) {
  return page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

export function picturePath(name) {
  return join(PICTURES, name);
}

/** Acts in a separate browser context, with a puzzle open or on the start screen, and asserts that no
 * errors occurred. */
export async function withPuzzle(world, options, name, act) {
  const { context, page, troubles } = await open(world.browser, options);
  await page.goto(world.server.url + (name ? `#${encodeURIComponent(name)}` : ""));
  await page.waitForSelector(name ? "#board svg" : "#gallery:not([hidden])");
  await act(page, context);
  assert.deepEqual(troubles, []);
  await context.close();
}

/** Declares a test for each window size. */
export function atEachSizeOf(world) {
  return (what, name, act) => {
    for (const [size, options] of Object.entries(SIZES)) {
      test(`${what} (${size})`, () => withPuzzle(world, options, name, (page, context) => act(page, size, context)));
    }
  };
}

/** Opens the menu of a small window if it has this element. */
export async function ready(page, selector) {
  if (await page.locator(selector).evaluate((one) => one.closest("#more[popover]:not(:popover-open)") !== null)) {
    await page.click("#menu");
  }
}

/** Ticks a box of the menu. */
export async function tick(page, selector) {
  await ready(page, selector);
  await page.check(selector);
  await page.keyboard.press("Escape");
}

/** Clicks, or taps on a touch screen. */
export async function press(page, selector) {
  await ready(page, selector);
  await (page.viewportSize().width < 500 ? page.tap(selector) : page.click(selector));
}

/** Waits until the status line matches a pattern. */
export async function said(page, pattern) {
  await page.waitForFunction(
    ([source, flags]) => new RegExp(source, flags).test(document.getElementById("status").textContent),
    [pattern.source, pattern.flags],
  );
  return page.textContent("#status");
}

/** Returns to the gallery, even if a puzzle is not saved. */
export async function leave(page) {
  await page.click("#all");
  await page.waitForSelector("#gallery:not([hidden]), dialog");
  if (await page.locator("dialog").count()) {
    await page.getByRole("button", { name: "Leave", exact: true }).click();
  }
  await page.waitForSelector("#gallery:not([hidden])");
}

/** Opens a puzzle from the gallery, starting on any screen. */
export async function choose(page, name) {
  await page.waitForSelector("#gallery:not([hidden]), #play:not([hidden])");
  if (await page.isHidden("#gallery")) {
    await leave(page);
  }
  await page.waitForSelector("#puzzles .card", { state: "attached" });
  await page.evaluate(() => {
    document.querySelectorAll("#puzzles details").forEach((details) => (details.open = true));
    document.querySelectorAll("#puzzles .all").forEach((all) => all.click());
  });
  await page.locator(`#puzzles [data-name=${JSON.stringify(name)}] a`).click();
  await page.waitForSelector("#play:not([hidden]) #board svg");
}

/** The button of a tile in the tray, by the tile's name. */
export async function tileNamed(page, name) {
  const buttons = page.locator("#tray button");
  const labels = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  return buttons.nth(labels.findIndex((label) => label.startsWith(`tile ${name},`)));
}

export function cell(page, index) {
  return page.locator(`#board [data-cell="${index}"]`);
}

/** Drags one element to the middle of another, with a finger on a touch screen; the finger rests for
 * `rest` milliseconds first. */
export async function drag(page, from, to, rest = 0) {
  await from.scrollIntoViewIfNeeded();
  await to.scrollIntoViewIfNeeded();
  const middle = async (locator) => {
    const { x, y, width, height } = await locator.boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const [start, end] = [await middle(from), await middle(to)];
  if (!(await page.evaluate(() => navigator.maxTouchPoints > 0))) {
    await page.mouse.move(...start);
    await page.mouse.down();
    await page.mouse.move(...end, { steps: 5 });
    await page.mouse.up();
    return;
  }
  const session = await page.context().newCDPSession(page);
  const touch = (type, points) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", [start]);
  await page.waitForTimeout(rest);
  for (let step = 1; step <= 5; step++) {
    await touch("touchMove", [start.map((from, axis) => from + ((end[axis] - from) * step) / 5)]);
  }
  await touch("touchEnd", []);
  await session.detach();
}

/** A picture of nine cards with a gap between them, on a grey ground, as the bytes of a PNG file. */
export async function photograph(page, gap) {
  const cards = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((card) => {
    const png = readFileSync(join(ROOT, "puzzles", "scramble-1", "input", `${card}.png`));
    return `data:image/png;base64,${png.toString("base64")}`;
  });
  const link = await page.evaluate(async ([cards, gap]) => {
    const [side, margin] = [120, 50];
    const length = 3 * side + 2 * gap + 2 * margin;
    const canvas = Object.assign(document.createElement("canvas"), { width: length, height: length });
    const pen = canvas.getContext("2d");
    pen.fillStyle = "#7a7d70";
    pen.fillRect(0, 0, length, length);
    for (const [place, card] of cards.entries()) {
      const picture = Object.assign(new Image(), { src: card });
      await picture.decode();
      const at = (index) => margin + index * (side + gap);
      pen.drawImage(picture, at(place % 3), at(Math.floor(place / 3)), side, side);
    }
    return canvas.toDataURL("image/png");
  }, [cards, gap]);
  return Buffer.from(link.split(",")[1], "base64");
}

/** Waits until the message about a reading matches a pattern. With other work on the machine, a photograph takes long. */
export async function told(page, pattern) {
  await page.waitForFunction(
    ([source]) => new RegExp(source).test(document.querySelector("dialog .said")?.textContent ?? ""),
    [pattern.source],
    { timeout: 60_000 },
  );
}
