#!/usr/bin/env python3
"""Constraints in constraints: what a brute force of this script finds, HiGHS finds in the exported LP.

    python3 benches/peers/logic.py [--puzzles 5000] [--seed 1]

Each puzzle has four different tiles on 2×2 and one or two random constraints, nested up to three deep. The
brute force goes through all arrangements and reads the constraints as this script drew them. HiGHS solves
the LP and cuts each solution off until nothing is left; Glucose does so with the clauses; `edgematch
count` counts. Ends with 1 where two of them disagree. Installs highspy and python-sat into target/peers.
"""
import argparse, importlib, json, random, subprocess, sys, tempfile
from pathlib import Path

from run import ROOT, install

EDGEMATCH = ROOT / "target" / "release" / "edgematch"
CELLS = [(row, column) for row in (1, 2) for column in (1, 2)]
TOUCHING = [(0, 1), (2, 3), (0, 2), (1, 3)]


def edgematch(*words):
    run = subprocess.run([EDGEMATCH, *map(str, words)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"edgematch {' '.join(map(str, words))}: {run.stderr}")
    return run.stdout


def drawn_tiles(rng):
    """Four squares that differ however they are turned, edges counter-clockwise from the right."""
    while True:
        tiles = [tuple(rng.choice("ab") if rng.random() < 0.8 else "c" for _ in range(4)) for _ in range(4)]
        turns = {turn(tile, r) for tile in tiles for r in range(4)}
        if len(turns) == 16:
            return tiles


def turn(tile, rotation):
    """What shows at the right, top, left and bottom after quarter turns counter-clockwise."""
    return tile[-rotation:] + tile[:-rotation] if rotation else tile


def fitting(tiles, laid=()):
    """All arrangements whose seams fit: by cell, tile and rotation."""
    cell = len(laid)
    if cell == 4:
        yield laid
        return
    shown = [turn(tiles[tile], rotation) for tile, rotation in laid]
    for tile in set(range(4)) - {tile for tile, _ in laid}:
        for rotation in range(4):
            own = turn(tiles[tile], rotation)
            fits_left = cell % 2 == 0 or shown[cell - 1][0] == own[2]
            fits_above = cell < 2 or shown[cell - 2][3] == own[1]
            if fits_left and fits_above:
                yield from fitting(tiles, laid + ((tile, rotation),))


def plain(rng):
    """A constraint without others: its text, and whether an arrangement obeys it."""
    tile, other = rng.sample(range(4), 2)
    cell, rotation = rng.randrange(4), rng.randrange(4)
    row, column = CELLS[cell]
    kind = rng.randrange(7)
    if kind == 0:
        return (f"pin: {{cell: [{row}, {column}], tile: t{tile}}}", lambda a: a[cell][0] == tile)
    if kind == 1:
        return (f"pin: {{tile: t{tile}, rotation: {rotation}}}", lambda a: (tile, rotation) in a)
    if kind == 2:
        return (f"forbid: {{cells: row {row}, tile: t{tile}}}",
                lambda a: all(a[c][0] != tile for c in range(4) if CELLS[c][0] == row))
    if kind == 3:
        most = rng.randrange(4)
        return (f"count: {{rotation: {rotation}, at_most: {most}}}",
                lambda a: sum(r == rotation for _, r in a) <= most)
    if kind == 4:
        return (f"region: {{tiles: [t{tile}, t{other}], only_in: column {column}}}",
                lambda a: all(CELLS[c][1] == column for c in range(4) if a[c][0] in (tile, other)))
    touch = lambda a: any({a[c][0], a[d][0]} == {tile, other} for c, d in TOUCHING)
    if kind == 5:
        return (f"adjacent: {{tiles: [t{tile}, t{other}]}}", touch)
    return (f"apart: {{tiles: [t{tile}, t{other}]}}", lambda a: not touch(a))


def nested(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        return plain(rng)
    kind = rng.choice(["any", "all", "not", "if", "exactly", "at_least", "at_most"])
    if kind == "not":
        text, holds = nested(rng, depth - 1)
        return f"not: {{{text}}}", lambda a: not holds(a)
    if kind == "if":
        (when, is_so), (then, follows), (other, otherwise) = (nested(rng, depth - 1) for _ in range(3))
        text = f"if: {{{when}}}, then: {{{then}}}, else: {{{other}}}"
        return text, lambda a: follows(a) if is_so(a) else otherwise(a)
    parts = [nested(rng, depth - 1) for _ in range(rng.randint(1, 3))]
    texts = ", ".join(f"{{{text}}}" for text, _ in parts)
    number = rng.randint(0, len(parts))
    holding = lambda a: sum(holds(a) for _, holds in parts)
    checks = {
        "any": lambda a: holding(a) >= 1,
        "all": lambda a: holding(a) == len(parts),
        "exactly": lambda a: holding(a) == number,
        "at_least": lambda a: holding(a) >= number,
        "at_most": lambda a: holding(a) <= number,
    }
    if kind in ("any", "all"):
        return f"{kind}: [{texts}]", checks[kind]
    return f"{kind}: {{number: {number}, of: [{texts}]}}", checks[kind]


def by_highs(file):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(file))
    columns = [c for c in range(solver.getNumCol()) if solver.getColName(c)[1].startswith("x_")]
    number = 0
    while True:
        solver.run()
        if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            return number
        assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal, solver.getModelStatus()
        values = solver.getSolution().col_value
        chosen = [c for c in columns if values[c] > 0.5]
        assert len(chosen) == 4
        number += 1
        solver.addRow(-highspy.kHighsInf, 3.0, 4, chosen, [1.0] * 4)


def by_glucose(text):
    from pysat.solvers import Glucose4
    solver, placements = Glucose4(), []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["c"]:
            if len(words) == 4 and words[1].startswith("x_") and words[2] == "=":
                placements.append(int(words[3]))
        elif words[:1] != ["p"]:
            solver.add_clause([int(word) for word in words[:-1]])
    number = 0
    while solver.solve():
        model = set(solver.get_model())
        number += 1
        solver.add_clause([-p for p in placements if p in model])
    return number


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    install(["highspy", "python-sat"])
    importlib.invalidate_caches()
    rng = random.Random(args.seed)
    done = solved = wrong = 0
    folder = Path(tempfile.mkdtemp())
    while done < args.puzzles:
        tiles = drawn_tiles(rng)
        constraints = [nested(rng, 3) for _ in range(rng.randint(1, 2))]
        arrangements = list(fitting(tiles))
        # Else a program enumerates for long what the constraints hardly touch.
        if not 0 < len(arrangements) <= 24:
            continue
        expected = sum(all(holds(a) for _, holds in constraints) for a in arrangements)
        file = folder / "puzzle.yaml"
        listed = ", ".join(f"t{i}: [{', '.join(tile)}]" for i, tile in enumerate(tiles))
        items = ", ".join(f"{{{text}}}" for text, _ in constraints)
        file.write_text(f"{{rows: 2, cols: 2, order: counterclockwise-from-right, matching: equal, tiles: {{{listed}}}, "
                        f"constraints: [{items}]}}\n")
        model = folder / "model.lp"
        edgematch("export", file, "--to", "lp", "-q", "--force", "-o", model)
        counts = {
            "edgematch": int(json.loads(edgematch("count", "-q", "--format", "json", file))["solutions"]),
            "HiGHS": by_highs(model),
            "Glucose": by_glucose(edgematch("export", file, "--to", "cnf", "-q")),
        }
        done += 1
        solved += expected > 0
        if any(count != expected for count in counts.values()):
            wrong += 1
            print(f"expected {expected}, {counts}:\n{file.read_text()}")
    print(f"{done} puzzles, {solved} of them with solutions: {wrong} disagreements")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
