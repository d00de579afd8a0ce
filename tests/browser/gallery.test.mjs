// The start screen, and the wording for players.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEachSizeOf, choose, forAllTests, leave, open, picture, press, run, said, serve, SIZES } from "./harness.mjs";

const world = forAllTests();
const atEachSize = atEachSizeOf(world);

// Read in one step, because ratings that arrive in between re-sort the list.
const texts = (page, selector) => page.evaluate((selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent), selector);
const titles = (page) => texts(page, "#puzzles .card b");
const facts = (page) => texts(page, "#puzzles .card .facts");

atEachSize("puzzles lie in sections, with titles, pictures, sizes and difficulties", null, async (page, size) => {
  await page.waitForSelector("#puzzles .card");
  assert.ok((await titles(page)).length > 80);
  assert.deepEqual(await texts(page, "#puzzles h3, #puzzles summary"),
    ["Start here", "Classic", "Framed", "Hexagons and triangles", "Solids and rings", "Large", "More: test boards and second sources"]);
  assert.equal(await page.locator("#puzzles section").first().locator(".card").count(), 6);
  // What a player meets last is closed.
  assert.ok(await page.isHidden('[data-name="sharks-misread.yaml"]'));
  // A long section shows its first cards, and all on request.
  const classic = page.locator("#puzzles section").nth(1);
  const visible = () => classic.locator(".card").evaluateAll((all) => all.filter((card) => card.checkVisibility()).length);
  assert.equal(await visible(), size === "desktop" ? 8 : 4);
  const all = await classic.locator(".card").count();
  await classic.getByText(`Show all ${all}`).click();
  assert.equal(await visible(), all);
  assert.ok(await classic.locator(".all").isHidden());
  // Every visible picture is loaded.
  const seen = await page.locator("#puzzles img").first().evaluate((image) => image.decode().then(() => image.naturalWidth));
  assert.ok(seen > 0);
  await page.waitForFunction(() => [...document.querySelectorAll("#puzzles .facts")].filter((one) => /easy|medium|hard/.test(one.textContent)).length > 50);
  await picture(page, `first-${size}`);
  // No row is wider than the window.
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

atEachSize("the card of a puzzle that was left is visible and has the focus", "sharks-misread.yaml", async (page) => {
  await leave(page);
  const card = page.locator('[data-name="sharks-misread.yaml"] a');
  assert.ok(await card.isVisible());
  assert.ok(await card.evaluate((card) => card === document.activeElement));
  await page.waitForFunction(() => document.querySelector('[data-name="sharks-misread.yaml"]').textContent.endsWith("3 × 3 grid · no solution"));
});

atEachSize("puzzles are sorted, searched in both languages, and chosen by size and difficulty", null, async (page) => {
  await page.waitForSelector("#puzzles .card");
  await page.selectOption("#sort", "title");
  const all = await titles(page);
  assert.deepEqual(all, [...all].sort((a, b) => a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" })));
  await page.waitForFunction(() => [...document.querySelectorAll("#puzzles .facts")].filter((one) => /easy|medium|hard/.test(one.textContent)).length > 50);
  await page.selectOption("#sort", "difficulty");
  const rated = (await facts(page)).map((text) => ["easy", "medium", "hard"].findIndex((word) => text.includes(word))).filter((rank) => rank >= 0);
  assert.deepEqual(rated, [...rated].sort());
  await page.selectOption("#sort", "size");
  assert.match((await facts(page))[0], /^board of 3 cells/);
  const found = async (text) => {
    await page.fill("#find", text);
    return titles(page);
  };
  for (const title of await found("SQUARES scramble")) {
    assert.match(title, /scramble.*squares|squares.*scramble/i);
  }
  assert.match(await page.textContent("#found"), /^\d+ of \d+$/);
  assert.ok((await found("Würfel")).includes("Cube, 4 images"));
  assert.deepEqual(await found("cube"), ["Cube, 4 images", "The tangled cube"]);
  assert.ok((await found("leicht 3x3")).length > 5);
  assert.deepEqual(await found("nothing is called so"), []);
  await page.fill("#find", "");
  const chip = (name) => page.locator("#chips button", { hasText: name }).click();
  await chip("3 × 3");
  await chip("easy");
  const chosen = await facts(page);
  assert.ok(chosen.length > 2);
  for (const words of chosen) {
    assert.match(words, /^3 × 3 grid · easy/);
  }
});

atEachSize("play one, make one, enter cards", null, async (page) => {
  await page.waitForSelector("#puzzles .card");
  for (const level of ["easy", "medium", "hard"]) {
    await press(page, `#play-${level}`);
    await page.waitForSelector("#play:not([hidden]) #board svg");
    assert.match(await page.textContent("#title"), /^Puzzle \d+$/);
    assert.equal(await page.locator("#board [data-cell]").count(), 9);
    await leave(page);
  }
  await press(page, "#door-make");
  await page.locator("dialog select").selectOption("medium");
  await press(page, ".presets button:nth-child(3)");
  await page.waitForSelector("dialog", { state: "detached" });
  assert.equal(await page.locator("#board [data-cell]").count(), 16);
  await page.goBack();
  await page.waitForSelector("#gallery:not([hidden])");
  await press(page, "#door-enter");
  await page.waitForSelector("dialog .cards");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
});

test("today's puzzle is the same for everyone, and counts for the streak", async () => {
  const addresses = [];
  for (const days of [0, 1]) {
    const { context, page, troubles } = await open(world.browser, SIZES.desktop);
    await page.clock.setFixedTime(new Date("2026-11-30T12:00:00"));
    await page.goto(world.server.url);
    await page.click("#today");
    await page.waitForSelector("#play:not([hidden]) #board svg");
    assert.match(await page.textContent("#title"), /^Today, November 30$/);
    addresses.push((await page.evaluate(() => location.hash)).split("~")[0]);
    if (days === 1) {
      const key = "edgematch/settings";
      await page.evaluate((key) => localStorage.setItem(key, JSON.stringify({ days: { "2026-11-28": {}, "2026-11-29": {} } })), key);
      const status = () => page.textContent("#status");
      // "Solved" follows the last hint at some time, so each turn reads the status once.
      for (let before = await status(); !/^Solved/.test(before); before = await status()) {
        await page.click("#hint");
        await page.waitForFunction((before) => {
          const now = document.getElementById("status").textContent;
          return !/^Looking/.test(now) && now !== before;
        }, before);
      }
      await leave(page);
      assert.match(await page.textContent("#record"), /^3 days in a row/);
      assert.match(await page.textContent("#today"), /✓/);
    }
    assert.deepEqual(troubles, []);
    await context.close();
  }
  assert.equal(addresses[0], addresses[1]);
});

atEachSize("players read of solutions, not of nodes and engines", "absolut-knifflig.yaml", async (page) => {
  const jargon = /class|node|propagate|backtrack|µs|distinct/i;
  const shown = () => page.evaluate(() => document.querySelector("main").innerText);
  assert.doesNotMatch(await shown(), jargon);
  await press(page, "#solve");
  await said(page, /^37 solutions, and no more\.$/);
  assert.doesNotMatch(await shown(), jargon);
  // Details are available on request.
  await page.locator("#solutions summary", { hasText: "Details" }).click();
  assert.match(await page.textContent("#sentence"), /^37 solutions \(148 with rotations of the board\)/);
  assert.ok(await page.isVisible("#sentence"));
});

test("images that nobody has named are called after their figures", async () => {
  const { context, page, troubles } = await open(world.browser, SIZES.desktop);
  await page.goto(world.server.url);
  await page.click("#door-enter");
  await page.waitForSelector("dialog .halves button");
  const names = await page.locator(".halves button > span:not(.unseen)").allTextContents();
  assert.deepEqual(names, ["circle", "diamond", "square", "star"].flatMap((name) => [`${name}+`, `${name}-`]));
  await picture(page, "figures");
  assert.deepEqual(troubles, []);
  await context.close();
});

test("a visitor whose search has to wait is told so, and can leave", async () => {
  const server = await serve("puzzles", "--time-limit", "1m");
  const hard = await run("generate", "--quiet", "--size", "10x10", "--images", "8", "--seed", "1");
  const pages = [];
  for (let visitor = 0; visitor < 6; visitor++) {
    const one = await open(world.browser, SIZES.desktop);
    await one.page.goto(server.url);
    await one.page.click("#door-enter");
    await one.page.locator("dialog summary", { hasText: "paste" }).click();
    await one.page.getByLabel("Text of a puzzle").fill(hard);
    await one.page.click("dialog button[type=submit]");
    await one.page.waitForSelector("dialog", { state: "detached" });
    await press(one.page, "#count");
    pages.push(one);
  }
  const last = pages.at(-1);
  await said(last.page, /^Other searches are running: waiting for a free place\.$/);
  await last.page.click("#stop");
  await said(last.page, /^Stopped\.$/);
  for (const { context, troubles } of pages) {
    assert.deepEqual(troubles, []);
    await context.close();
  }
  server.stop();
});
