#!/usr/bin/env python3
"""Proven optima of twenty puzzles by edgematch, HiGHS and CP-SAT, one thread each.

    python3 benches/peers/optima.py [--limit SECONDS]

Six puzzles have three objectives each: the fewest turned tiles, the largest sum of tile numbers in the
first row, and the largest sum of sixteen weighted placements. Two more have no solution, and the most
matching seams are sought. The others solve the rows that `edgematch export` writes; for the last two,
each seam has a variable that releases its rows. Prints a table with the optimum of the linear relaxation,
the optimum, and milliseconds of CPU time without reading the puzzle or the model, or `-` if the limit
did not suffice. Ends with 1 if two programs prove different optima. Installs highspy and ortools into a
folder of its own (target/peers).
"""
import argparse, json, math, os, random, re, subprocess, sys, tempfile, time
from pathlib import Path

from run import ROOT, install

EDGEMATCH = ROOT / "target" / "release" / "edgematch"
# Flags of `generate`, and rows and columns.
PUZZLES = {
    "3x3-k3-1": ["--images", "3", "--seed", "1"],
    "3x3-k3-2": ["--images", "3", "--seed", "2"],
    "3x4-k3": ["--images", "3", "--seed", "2"],
    "4x4-k4-1": ["--images", "4", "--seed", "1"],
    "4x4-k4-2": ["--images", "4", "--seed", "2"],
    "5x5-framed": ["--images", "5", "--seed", "1", "--framed", "--matching", "equal"],
}
WITHOUT_SOLUTION = {
    "4x4-none-1": ["--images", "4", "--seed", "1", "--classes", "0"],
    "4x4-none-2": ["--images", "4", "--seed", "2", "--classes", "0"],
}


def size(name):
    return tuple(int(number) for number in name.split("-")[0].split("x"))


def terms(objective, rows, cols):
    """The sense and the terms of an objective, as `--maximize` takes them."""
    if objective == "turned":
        return "minimize", [{"weight": 1, "rotation": turns} for turns in (1, 2, 3)]
    tiles = range(1, rows * cols + 1)
    if objective == "row":
        return "maximize", [{"weight": tile, "tile": tile, "cells": "row 1"} for tile in tiles]
    chance = random.Random(5)
    cell = lambda: [chance.randint(1, rows), chance.randint(1, cols)]
    drawn = [{"weight": chance.randint(1, 9), "cell": cell(), "tile": chance.choice(tiles)}
             for _ in range(12)]
    return "maximize", drawn + [{"weight": chance.randint(1, 9), "tile": chance.choice(tiles),
                                 "rotation": chance.randint(0, 3)} for _ in range(4)]


def weight(column, terms):
    """The coefficient of a column such as x_1_2_t5_3 in an objective."""
    placement = re.fullmatch(r"x_(\d+)_(\d+)_t(\d+)_(\d+)", column)
    row, col, tile, turns = map(int, placement.groups())
    fits = {"cell": [row, col], "tile": tile, "rotation": turns, "cells": "row 1" if row == 1 else ""}
    return sum(term["weight"] for term in terms
               if all(fits[field] == term[field] for field in term if field != "weight"))


def read(file):
    """The columns and the rows, each with its name, terms and bounds, of an MPS file."""
    from ortools.linear_solver.python import model_builder
    model = model_builder.Model()
    model.import_from_mps_file(str(file))
    proto = model.export_to_proto()
    columns = [column.name for column in proto.variable]
    rows = [(row.name, dict(zip(row.var_index, row.coefficient)), row.lower_bound, row.upper_bound)
            for row in proto.constraint]
    return columns, rows


def released(columns, rows):
    """The model in which a seam's rows need not hold if its own variable, at the end, is 1."""
    columns, seams, result = list(columns), {}, []
    for name, terms, low, high in rows:
        seam = re.match(r"seam_\d+_\d+_\d+_\d+", name)
        if seam is None:
            result.append((name, terms, low, high))
            continue
        variable = seams.setdefault(seam.group(), len(columns))
        if variable == len(columns):
            columns.append(seam.group())
        if low > -math.inf:
            result.append((name, {**terms, variable: 1.0}, low, math.inf))
        if high < math.inf:
            result.append((name, {**terms, variable: -1.0}, -math.inf, high))
    return columns, result, len(seams)


def highs(columns, rows, costs, sense, limit, is_relaxed=False):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    for option, value in [("threads", 1), ("time_limit", float(limit)), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)]:
        solver.setOptionValue(option, value)
    for index in range(len(columns)):
        solver.addVar(0, 1)
        solver.changeColCost(index, costs[index])
        if not is_relaxed:
            solver.changeColIntegrality(index, highspy.HighsVarType.kInteger)
    bound = lambda value: max(-highspy.kHighsInf, min(highspy.kHighsInf, value))
    for _, terms, low, high in rows:
        solver.addRow(bound(low), bound(high), len(terms), list(terms), list(terms.values()))
    solver.changeObjectiveSense(getattr(highspy.ObjSense, "k" + sense.capitalize()))
    started = time.process_time()
    solver.run()
    seconds = time.process_time() - started
    if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
        return None
    return solver.getInfo().objective_function_value, seconds


def cp_sat(columns, rows, costs, sense, limit):
    from ortools.sat.python import cp_model
    model = cp_model.CpModel()
    variables = [model.new_bool_var(name) for name in columns]
    for _, terms, low, high in rows:
        row = sum(int(c) * variables[i] for i, c in terms.items())
        model.add_linear_constraint(row, int(max(low, -2**40)), int(min(high, 2**40)))
    getattr(model, sense)(sum(int(cost) * x for cost, x in zip(costs, variables)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    started = time.process_time()
    status = solver.solve(model)
    seconds = time.process_time() - started
    return (solver.objective_value, seconds) if status == cp_model.OPTIMAL else None


def edgematch(file, engine, aim, limit):
    words = ["solve", file, "--engine", engine, "-n", "1", "--format", "json", "--time-limit", f"{limit}s", *aim]
    run = subprocess.run([EDGEMATCH, *map(str, words)], capture_output=True, text=True)
    lines = {line["type"]: line for line in json.loads(run.stdout)}
    if lines["status"]["status"] != "OPTIMAL_SOLUTION":
        return None
    return lines["status"]["objective"], lines["statistics"]["seconds"]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--limit", type=int, default=20, help="seconds for each program and objective")
    limit = arguments.parse_args().limit
    install(["highspy", "ortools"])
    # HiGHS prints its version even if it is silent.
    table = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    agree = True
    print("| puzzle | objective | relaxation | optimum | `milp` | `propagate` | CP-SAT | HiGHS |", file=table)
    print("|---|---|---:|---:|---:|---:|---:|---:|", file=table, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, flags in {**PUZZLES, **WITHOUT_SOLUTION}.items():
            rows_and_columns = size(name)
            puzzle, mps = Path(folder) / f"{name}.yaml", Path(folder) / f"{name}.mps"
            grid = ["--size", "x".join(map(str, rows_and_columns))]
            subprocess.run([EDGEMATCH, "generate", *grid, *flags, "-q", "-o", puzzle], check=True)
            subprocess.run([EDGEMATCH, "export", puzzle, "--to", "mps", "-q", "-o", mps], check=True)
            columns, rows = read(mps)
            for objective in ["seams"] if name in WITHOUT_SOLUTION else ["turned", "row", "weights"]:
                if objective == "seams":
                    aim, sense = ["--best"], "minimize"
                    placements = len(columns)
                    columns, rows, seams = released(columns, rows)
                    costs = [0.0] * placements + [1.0] * seams
                    value = lambda broken: seams - broken
                else:
                    sense, list_of_terms = terms(objective, *rows_and_columns)
                    aim = [f"--{sense}", json.dumps(list_of_terms)]
                    costs = [float(weight(column, list_of_terms)) for column in columns]
                    value = lambda result: result
                model = columns, rows, costs, sense, limit
                root = value(highs(*model, is_relaxed=True)[0])
                answers = [edgematch(puzzle, engine, aim, limit) for engine in ("milp", "propagate")]
                for found in [cp_sat(*model), highs(*model)]:
                    answers.append(found and (value(round(found[0])), found[1]))
                optima = {answer[0] for answer in answers if answer}
                agree = agree and len(optima) == 1
                times = [f"{1000 * answer[1]:,.1f}" if answer else "-" for answer in answers]
                shown = " ".join(map(str, sorted(optima)))
                print(f"| {name} | {objective} | {root:.1f} | {shown} | {' | '.join(times)} |", file=table, flush=True)
    sys.exit(0 if agree else 1)


if __name__ == "__main__":
    main()
