// The WebAssembly solver finds the same solutions as the program, with the same number of nodes, for every
// puzzle of the project.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PROGRAM, ROOT, SOLVER } from "./harness.mjs";

/** The maximum number of solutions that are compared. */
const MOST = 2000;

/** The solver, run in this thread with a simulated worker. */
function solver() {
  const module = new WebAssembly.Module(readFileSync(SOLVER));
  const [script] = WebAssembly.Module.customSections(module, "javascript");
  const worker = {};
  const listen = (_kind, hear) => (worker.hear = hear);
  new Function("addEventListener", "postMessage", new TextDecoder().decode(script))(listen, (said) => worker.said.push(said));
  worker.said = [];
  worker.hear({ data: { module } });
  return (kind, body) => {
    worker.said = [];
    worker.hear({ data: { kind, body: JSON.stringify(body) } });
    assert.ok(worker.said.at(-1).done, `${kind}: ${JSON.stringify(worker.said.at(-1))}`);
    return worker.said.slice(0, -1).map(({ line }) => JSON.parse(line));
  };
}

const ask = solver();

function program(...args) {
  try {
    return execFileSync(PROGRAM, args, { cwd: ROOT, maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] }).toString();
  } catch (error) {
    return error.stdout.toString();
  }
}

// No search finishes on this puzzle, only a count by halves.
const ENDLESS = join("models", "squarematch-solids.yaml");
const files = readdirSync(join(ROOT, "puzzles"), { recursive: true }).filter((name) => name.endsWith(".yaml") && name !== ENDLESS);

/** A solution in a common format: tiles and orientations, cell by cell. */
const said = (rows) => rows.map((row) => row.join("@")).join(" ");

for (const name of files.sort()) {
  test(`${name} in the browser and in the program`, () => {
    const path = join("puzzles", name);
    const text = readFileSync(join(ROOT, path), "utf8");
    const { game } = ask("game", { puzzle: { text } })[0];
    const lines = ask("answer", { puzzle: { text }, question: { solve: { most: MOST } } });
    const found = lines.filter(({ type }) => type === "solution").map(({ placed }) => placed);
    const end = lines.at(-1);
    const written = program("solve", "--quiet", "--threads", "1", "-n", String(MOST), "--format", "jsonl", "--statistics", path);
    const all = written.trim().split("\n").map((line) => JSON.parse(line));
    const solutions = all.filter(({ placements }) => placements);
    assert.equal(end.distinct, solutions.length);
    assert.equal(end.complete, all.find(({ type }) => type === "status").complete);
    const theirs = solutions.map(({ placements }) =>
      said(placements.map(({ tile, rotation, face }) => [tile, rotation, face ?? "front"])),
    );
    const orientation = (tile, lies) => [game.tiles[tile].name, lies % game.tiles[tile].faces[0].edges.length, lies < game.tiles[tile].faces[0].edges.length ? "front" : "back"];
    const ours = found.map((placed) => said(placed.map(([tile, lies]) => orientation(tile, lies))));
    assert.deepEqual(ours, theirs);
    if (end.complete) {
      const { nodes } = all.find(({ type }) => type === "statistics");
      const made = / proven by counting: /.test(end.sentence) ? 0 : Number(/ (\d+) nodes?,/.exec(end.sentence)[1]);
      assert.equal(made, nodes);
    }
  });
}

for (const [size, images, halves] of [[3, 4, true], [4, 6, true], [5, 20, false], [8, 16, true]]) {
  test(`a random ${size}×${size} grows from its seed as in the program`, () => {
    const wish = { rows: size, columns: size, images, halves, unique: true, seed: 12 };
    const { text } = ask("fresh", wish)[0];
    const flags = ["--size", `${size}x${size}`, "--images", String(images), "--unique", "--seed", "12"];
    flags.push(...(halves ? [] : ["--matching", "equal"]));
    const tiles = (yaml) => yaml.slice(yaml.indexOf("tiles:"));
    assert.equal(tiles(text), tiles(program("generate", "--quiet", ...flags)));
  });
}
