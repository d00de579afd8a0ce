#!/usr/bin/env python3
"""What `edgematch export` writes, read and solved by other programs.

    python3 benches/peers/exports.py [--limit SECONDS] [--sides NAMES] [--puzzles NAMES]

Ten puzzles, and two odd ones, are exported in each format. HiGHS reads the LP and the MPS file, OR-Tools' CP-SAT the MPS
file, Glucose the clauses and Gecode, through MiniZinc, the MiniZinc file. What a program finds is put
together by the names of the columns and judged by `edgematch check`; then the model with every solution
cut off must be infeasible, as must a puzzle without solutions at once. Installs highspy, ortools and
python-sat into a folder of its own (target/peers), and MiniZinc from Debian where that may be done. Prints
a table; ends with 1 where a program disagrees, and with 3 where one needed more than its time.
"""
import argparse, importlib, multiprocessing, re, shutil, subprocess, sys, tempfile, threading, time
from pathlib import Path

from run import ROOT, board_path, install, seconds_text

PACKAGES = ["highspy", "ortools", "python-sat"]
EDGEMATCH = ROOT / "target" / "release" / "edgematch"
FOUND, INFEASIBLE, UNKNOWN = "found", "infeasible", "out of time"
# Constraints that come in a file.
CONSTRAINTS = """constraints:
  - count: {cells: border, rotation: 0, at_most: 2}
  - linear: {terms: [{weight: 3, cells: row 1, rotation: 1}, {weight: -2, cells: corners, rotation: 2}], at_least: -2}
"""
# Puzzles that no file holds: names that no format takes as they are, and a tile that fits nowhere.
BOARDS = {
    "odd-names": r"""{rows: 2, cols: 2, tiles: {"a \\( \"b": [x, y, x, z], "日本 = 1": [y, x, z, x],
                      "a_b": [x, x, y, x], "+": [x, z, x, y]}}""",
    "homeless-tile": "{rows: 1, cols: 2, border: g, tiles: {1: [a, g, g, g], 2: [a, b, g, g]}}",
}
# Name, what it shows, flags of every command, and of `export` alone.
PUZZLES = [
    ("scramble-1", "3×3, every turn", [], []),
    ("python-backtracker-mockup", "3×3, tuple", [], ["--formulation", "tuple"]),
    ("absolut-knifflig", "3×3, 148 cuts", [], []),
    ("sharks-misread", "3×3, no solution", [], []),
    ("knifflidiffels-version5", "3×3, twins", [], []),
    ("witches-puzzle", "3×3, --constraints", ["--constraints", "FILE"], []),
    ("absolut-knifflig", "3×3, --pin 2,2=4", ["--pin", "2,2=4"], ["--formulation", "support"]),
    ("random-vex-4x4-10-s1", "4×4 TetraVex", [], []),
    ("random-frame-4x4-4-s1", "4×4 framed", [], ["--break-symmetry"]),
    ("random-half-4x4-6-s1", "4×4", [], ["--break-symmetry", "--formulation", "support"]),
    ("odd-names", "2×2, odd names, triplets", [], []),
    ("homeless-tile", "1×2, a row 0 = 1", [], []),
]


def edgematch(*words, given=None):
    run = subprocess.run([EDGEMATCH, *map(str, words)], input=given, capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"edgematch {' '.join(map(str, words))}: {run.stderr}")
    return run


def highs(file, limit):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    solver.setOptionValue("time_limit", float(limit))
    if solver.readModel(str(file)) != highspy.HighsStatus.kOk:
        raise RuntimeError(f"HiGHS does not read {file}")
    solver.run()
    status = solver.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return INFEASIBLE, None
    if status != highspy.HighsModelStatus.kOptimal:
        return UNKNOWN, None
    names, values = solver.getLp().col_names_, solver.getSolution().col_value
    return FOUND, [name for name, value in zip(names, values) if value > 0.5]


def cp_sat(file, limit):
    from ortools.linear_solver.python import model_builder
    model, solver = model_builder.Model(), model_builder.Solver("sat")
    if not model.import_from_mps_file(str(file)):
        raise RuntimeError(f"OR-Tools does not read {file}")
    solver.set_time_limit_in_seconds(limit)
    status = solver.solve(model)
    if status == model_builder.SolveStatus.INFEASIBLE:
        return INFEASIBLE, None
    if status not in (model_builder.SolveStatus.OPTIMAL, model_builder.SolveStatus.FEASIBLE):
        return UNKNOWN, None
    return FOUND, [v.name for v in model.get_variables() if solver.value(v) > 0.5]


def glucose(file, limit):
    from pysat.formula import CNF
    from pysat.solvers import Glucose4
    formula = CNF(from_file=str(file))
    names = dict(re.findall(r"^c (\S+) = (\d+)$", file.read_text(), re.M))
    with Glucose4(bootstrap_with=formula.clauses) as solver:
        timer = threading.Timer(limit, solver.interrupt)
        timer.start()
        answer = solver.solve_limited(expect_interrupt=True)
        timer.cancel()
        if answer is None:
            return UNKNOWN, None
        if not answer:
            return INFEASIBLE, None
        true = {literal for literal in solver.get_model() if literal > 0}
    return FOUND, [name for name, number in names.items() if int(number) in true]


def minizinc(file, limit):
    command = ["minizinc", "--solver", "gecode", "--time-limit", str(1000 * limit), str(file)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr.strip())
    if "=====UNSATISFIABLE=====" in run.stdout:
        return INFEASIBLE, None
    return (FOUND, run.stdout) if "----------" in run.stdout else (UNKNOWN, None)


# The format, the function, and what it imports, which is not measured.
SIDES = {"HiGHS lp": ("lp", highs, "highspy"), "HiGHS mps": ("mps", highs, "highspy"),
         "CP-SAT mps": ("mps", cp_sat, "ortools.linear_solver.python.model_builder"),
         "Glucose cnf": ("cnf", glucose, "pysat.solvers"), "Gecode mzn": ("mzn", minizinc, "subprocess")}


def arrangement(names, file):
    """The text that `solve` would print, from the names of columns that are 1. What a name stands for is
    its own tile and rotation, or what the head of the file says; of twins each lies once."""
    meant = dict(re.findall(r"^\S+ (t\w+) is (\[.*\])$", file.read_text(), re.M))
    placed, used, lines = {}, {}, {}
    for name in (name for name in names if name.startswith("x_")):
        row, column, look = re.fullmatch(r"x_(\d+)_(\d+)_(t\w+)", name).groups()
        placed[int(row), int(column)] = look
    for (row, column), look in sorted(placed.items()):
        tile, rotation = look[1:].rsplit("_", 1)
        texts = meant.get(look, f"[t={tile},r={rotation}]").split(" or ")
        number = used[tile] = used.get(tile, -1) + 1
        lines.setdefault(row, []).append(texts[number])
    return "".join(" ".join(line) + "\n" for line in lines.values())


def solved(name, file, limit):
    """What the program says, its arrangement, and the seconds."""
    _, side, module = SIDES[name]
    importlib.import_module(module)
    started = time.perf_counter()
    answer, found = side(file, limit)
    seconds = time.perf_counter() - started
    if answer == FOUND and isinstance(found, list):
        found = arrangement(found, file)
    return answer, found, seconds


class Process:
    """A program in a process of its own: two of them bring libraries that do not go together."""

    def __init__(self, name):
        self.name, self.pool = name, None

    def __call__(self, file, limit):
        spare = 10
        self.pool = self.pool or multiprocessing.get_context("spawn").Pool(1)
        try:
            return self.pool.apply_async(solved, (self.name, file, limit)).get(limit + spare)
        except multiprocessing.TimeoutError:
            self.pool.terminate()
            self.pool = None
            return UNKNOWN, None, limit


class Row:
    """A puzzle, exported with and without its solutions cut off."""

    def __init__(self, folder, name, flags, exports):
        path, constraints = board_path(name), folder / "constraints.yaml"
        constraints.write_text(CONSTRAINTS)
        if name in BOARDS:
            path = folder / f"{name}.yaml"
            path.write_text(BOARDS[name])
        self.puzzle = [path, *(constraints if flag == "FILE" else flag for flag in flags)]
        self.exports, self.folder = exports, folder
        text = edgematch("solve", "-q", *self.puzzle).stdout
        self.number = text.count("----------")
        if self.number and "==========" not in text:
            sys.exit(f"{name}: edgematch did not find all solutions")
        self.solutions = folder / "solutions.txt"
        self.solutions.write_text(text)

    def file(self, format, is_cut):
        file = self.folder / f"{'cut' if is_cut else 'model'}.{format}"
        cut = ["--with-cuts", self.solutions] if is_cut else []
        edgematch("export", "-q", *self.puzzle, *self.exports, *cut, "--to", format, "--force", "-o", file)
        return file

    def judge(self, answer, found):
        """What is wrong with an answer to the whole model."""
        if answer == FOUND:
            words = edgematch("check", *self.puzzle, "-", given=found).stdout
            return None if words == "arrangement 1: fits\n" else words
        if answer == INFEASIBLE and self.number:
            return f"infeasible, but there are {self.number} solutions"
        return None


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("--limit", type=int, default=60, help="seconds that a solve has (60)")
    arguments.add_argument("--sides", help=f"only these, with commas between: {', '.join(SIDES)}")
    arguments.add_argument("--puzzles", help="only these, by name, with commas between")
    given = arguments.parse_args()
    install(PACKAGES, "minizinc", "minizinc")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    names = [name for name in SIDES if not given.sides or name in given.sides.split(",")]
    sides = {name: (SIDES[name][0], Process(name)) for name in names}
    if not shutil.which("minizinc"):
        sides.pop("Gecode mzn", None)
    print("| puzzle | | solutions | program, format | | seconds | all cut off | seconds |")
    print("|---|---|---|---|---|---|---|---|")
    wrong, late = 0, 0
    for name, what, flags, exports in PUZZLES:
        if given.puzzles and name not in given.puzzles.split(","):
            continue
        with tempfile.TemporaryDirectory() as folder:
            row = Row(Path(folder), name, flags, exports)
            for side, (format, solve) in sides.items():
                answer, found, seconds = solve(row.file(format, False), given.limit)
                cells = [answer, seconds_text(seconds)]
                trouble, late = row.judge(answer, found), late + (answer == UNKNOWN)
                if row.number:
                    answer, found, seconds = solve(row.file(format, True), given.limit)
                    cells += [answer, seconds_text(seconds)]
                    late += answer == UNKNOWN
                    if answer == FOUND:
                        trouble = trouble or f"a solution that edgematch did not find:\n{found}"
                else:
                    cells += ["", ""]
                print(f"| {name} | {what} | {row.number} | {side} | {' | '.join(cells)} |", flush=True)
                if trouble:
                    wrong += 1
                    print(f"DISAGREEMENT: {trouble}", flush=True)
    sys.exit(1 if wrong else 3 if late else 0)


if __name__ == "__main__":
    main()
