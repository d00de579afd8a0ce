// The solver for browsers beside the program, on ten boards, one core each, in turn.
//
//   .ci/web; cargo build --release --package edgematch-cli; node benches/browser/run.mjs
//
// Each searches for all solutions; the times are those that they tell of the search alone, the smallest of five.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const PROGRAM = process.env.EDGEMATCH ?? join(ROOT, "target", "release", "edgematch");
const SOLVER = process.env.EDGEMATCH_WASM ?? join(ROOT, "target", "web", "edgematch.wasm");
const TIMES = 5;
const BOARDS = [
  "puzzles/scramble-1.yaml",
  "puzzles/absolut-knifflig.yaml",
  "puzzles/boards/icosahedron-6.yaml",
  ...["s4-k4-0", "s5-k6-0", "s6-k8-0", "s8-k16-0", "s10-k16-0", "f6-b4k5-0", "f8-b5k11-0"].map((name) => `benches/boards/${name}.yaml`),
];

const module = new WebAssembly.Module(readFileSync(SOLVER));
const [script] = WebAssembly.Module.customSections(module, "javascript");
let hear;
let said = [];
new Function("addEventListener", "postMessage", new TextDecoder().decode(script))((_, listener) => (hear = listener), (what) => said.push(what));
hear({ data: { module } });

const UNITS = { s: 1e3, ms: 1, µs: 1e-3 };

/** Nodes and milliseconds of a sentence such as "… complete (propagate, 34 nodes, 54 µs)". */
function measured(sentence) {
  const [, nodes, time, unit] = / (\d+) nodes?, ([\d.]+) (s|ms|µs)\)/.exec(sentence);
  return { nodes: Number(nodes), ms: Number(time) * UNITS[unit] };
}

function inBrowser(text) {
  said = [];
  hear({ data: { kind: "answer", body: JSON.stringify({ puzzle: { text }, question: { solve: { most: 1e6 } } }) } });
  return measured(JSON.parse(said.at(-2).line).sentence);
}

function inProgram(file) {
  const args = ["solve", "--quiet", "--threads", "1", "--format", "jsonl", "--statistics", file];
  const lines = execFileSync(PROGRAM, args, { cwd: ROOT, maxBuffer: 1 << 28 }).toString().trim().split("\n");
  const { nodes, seconds } = lines.map((line) => JSON.parse(line)).find(({ type }) => type === "statistics");
  return { nodes, ms: 1e3 * seconds };
}

const fastest = (runs) => runs.reduce((best, run) => (run.ms < best.ms ? run : best));
const shown = (ms) => (ms < 1 ? `${(1e3 * ms).toFixed(0)} µs` : `${ms.toFixed(1)} ms`);

console.log("| board | nodes | program | browser | ratio |\n|---|---|---|---|---|");
for (const file of BOARDS) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const [here, there] = [[], []];
  for (let time = 0; time < TIMES; time++) {
    there.push(inProgram(file));
    here.push(inBrowser(text));
  }
  const [program, browser] = [fastest(there), fastest(here)];
  const nodes = program.nodes === browser.nodes ? program.nodes : `${program.nodes} and ${browser.nodes}`;
  console.log(`| \`${file.split("/").at(-1).replace(".yaml", "")}\` | ${nodes} | ${shown(program.ms)} | ${shown(browser.ms)} | ${(browser.ms / program.ms).toFixed(2)} |`);
}
