// The page for users of screen readers: the accessibility tree, live regions, keys.
import assert from "node:assert/strict";
import { atEachSizeOf, forAllTests, said, solution } from "./harness.mjs";

const world = forAllTests();
const atEachSize = atEachSizeOf(world);

/** The accessibility tree that a browser exposes to screen readers: roles, names, and nodes to focus. */
async function tree(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const shown = nodes.filter(({ ignored }) => !ignored);
  const all = shown.map(({ role, name, backendDOMNodeId }) => ({ role: role?.value, name: name?.value ?? "", node: backendDOMNodeId }));
  const focus = (one) => session.send("DOM.focus", { backendNodeId: one.node });
  return { all, focus, named: (role, pattern) => all.find((one) => one.role === role && pattern.test(one.name)) };
}

atEachSize("a whole puzzle is played by what the accessibility tree says", "scramble-1.yaml", async (page) => {
  const heard = () => page.textContent("#spoken");
  const { all } = await tree(page);
  assert.equal(all.filter(({ role }) => role === "grid").length, 1);
  assert.equal(all.filter(({ role }) => role === "row").length, 3);
  assert.equal(all.filter(({ role }) => role === "gridcell").length, 9);
  for (const [index, { tile, rotation }] of solution("puzzles/scramble-1.yaml").entries()) {
    const [row, column] = [Math.floor(index / 3) + 1, (index % 3) + 1];
    const before = await tree(page);
    await before.focus(before.named("button", new RegExp(`^tile ${tile},`)));
    await page.keyboard.press("Enter");
    const chosen = await tree(page);
    await chosen.focus(chosen.named("gridcell", new RegExp(`^row ${row}, column ${column}, empty`)));
    await page.keyboard.press("Enter");
    assert.match(await heard(), new RegExp(`^tile ${tile} in row ${row}, column ${column}; `));
    for (let turn = 0; turn < rotation; turn++) {
      await page.keyboard.press("Shift+R");
    }
    const laid = (await tree(page)).named("gridcell", new RegExp(`^row ${row}, column ${column}, tile ${tile}, rotation ${rotation}`));
    assert.ok(laid && !/does not fit/.test(laid.name), laid?.name);
  }
  await said(page, /^Solved/);
  assert.ok((await tree(page)).named("status", /./) || (await page.textContent("#status")).startsWith("Solved"));
});

atEachSize("which side does not fit is said", "scramble-1.yaml", async (page) => {
  const { named, focus } = await tree(page);
  // Tiles 1 and 8 next to each other in rotation 0: yellow does not match blue.
  await focus(named("button", /^tile 8,/));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await focus((await tree(page)).named("button", /^tile 1,/));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  assert.match(await page.textContent("#spoken"), /^tile 1 in row 1, column 2; 0 of 1 side matches, but not left$/);
  assert.match(await page.locator('[data-cell="0"]').getAttribute("aria-label"), /does not fit: right$/);
});

atEachSize("H gives a hint from anywhere, and ? lists the keys", "scramble-1.yaml", async (page) => {
  await page.keyboard.press("h");
  await said(page, /^Hint: /);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog .key-list");
  assert.match(await page.textContent("dialog"), /turn over/);
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
});
