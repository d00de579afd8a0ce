#!/usr/bin/env python3
"""Every export, solved by a real solver whose own output is read back, until nothing is left.

    python3 benches/peers/answers.py [--puzzles NAMES] [--solvers NAMES]

clingo and MiniZinc list all solutions, and `edgematch check` reads what they print. The others find one at a time: its
file goes to `edgematch check`, and to `edgematch export --with-cuts`, until the solver says that nothing is left. Either
way the distinct pictures must be those of `edgematch solve`. Installs clingo, highspy, ortools and python-sat into a
folder of its own (target/peers); CBC, GLPK and MiniZinc are used where they are installed. Ends with 1 where
something differs.
"""
import argparse, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path

from run import ROOT, install

EDGEMATCH = ROOT / "target" / "release" / "edgematch"
PUZZLES = ["scramble-1", "sharks-misread", "framed-4x4-tud", "boards/cube-4", "boards/flower-3", "boards/pyramid-3", "models/tantrix-3"]
# Added to each puzzle that is not a model: weights, logic, a count.
CONSTRAINTS = """constraints:
  - linear: {terms: [{weight: 3, rotation: 1}, {weight: -2, rotation: 0}], at_most: 9}
  - any: [{count: {rotation: 0, at_least: 1}}, {count: {rotation: 1, at_most: 3}}]
"""


def edgematch(*words, codes=(0, 1)):
    run = subprocess.run([EDGEMATCH, *map(str, words)], capture_output=True, text=True)
    if run.returncode not in codes:
        sys.exit(f"edgematch {' '.join(map(str, words))}: {run.stderr}")
    return run


def run(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=60).stdout


# Solvers of one solution: they get the model and a file for the answer, and say whether there is one.
def highs(model, answer):
    import highspy
    solver = highspy.Highs()
    solver.silent()
    solver.readModel(str(model))
    solver.run()
    solver.writeSolution(str(answer), 0)
    return solver.getModelStatus() == highspy.HighsModelStatus.kOptimal


def cbc(model, answer):
    run("cbc", model, "solve", "solution", answer)
    return answer.read_text().startswith("Optimal")


def glpk(model, answer):
    run("glpsol", "--lp", model, "--output", answer)
    return "INTEGER OPTIMAL" in answer.read_text()


def cp_sat(model, answer):
    from ortools.linear_solver.python import model_builder
    read, solver = model_builder.Model(), model_builder.Solver("sat")
    if not read.import_from_mps_file(str(model)):
        sys.exit(f"OR-Tools does not read {model}")
    if solver.solve(read) == model_builder.SolveStatus.INFEASIBLE:
        return False
    answer.write_text("\n".join(f"{v.name} {solver.value(v)}" for v in read.get_variables()))
    return True


def glucose(model, answer):
    from pysat.formula import CNF
    from pysat.solvers import Glucose4
    with Glucose4(bootstrap_with=CNF(from_file=str(model)).clauses) as solver:
        if not solver.solve():
            return False
        answer.write_text("s SATISFIABLE\nv " + " ".join(map(str, solver.get_model())) + " 0\n")
    return True


def clingo(model, answer):
    answer.write_text(run(sys.executable, "-m", "clingo", model, 0))


def minizinc(model, answer):
    answer.write_text(run("minizinc", "-a", model))


# Format, function, whether it lists all, and the program that must be there.
SOLVERS = {"HiGHS": ("lp", highs, False, None), "HiGHS mps": ("mps", highs, False, None), "CBC": ("lp", cbc, False, "cbc"),
           "GLPK": ("lp", glpk, False, "glpsol"),
           "CP-SAT": ("mps", cp_sat, False, None), "Glucose": ("cnf", glucose, False, None),
           "clingo": ("asp", clingo, True, None), "MiniZinc": ("mzn", minizinc, True, "minizinc")}


def listed(puzzle, solver, folder):
    """How many arrangements an answer with all of them holds; every one is checked."""
    form, function, _, _ = SOLVERS[solver]
    model, answer = folder / f"{puzzle.stem}.{form}", folder / "answer.txt"
    edgematch("export", puzzle, "--to", form, "-q", "--force", "-o", model)
    function(model, answer)
    checked = edgematch("check", puzzle, answer, codes=(0, 1, 2))
    if checked.returncode == 2:
        return 0 if "no solution" in checked.stderr or "no arrangement" in checked.stderr else checked.stderr
    return checked.stdout.count("fits") if checked.returncode == 0 else checked.stdout


def one_by_one(puzzle, solver, folder):
    """How many distinct pictures are found, each cut off with its images."""
    form, function, _, _ = SOLVERS[solver]
    model, answer, cuts = (folder / name for name in (f"m.{form}", "answer.sol", "cuts.txt"))
    with_model = ["--model", model] if form == "cnf" else []
    cuts.write_text("")
    number = 0
    while True:
        cut = ["--with-cuts", cuts] if number else []
        edgematch("export", puzzle, "--to", form, "-q", "--force", *cut, "-o", model)
        if not function(model, answer):
            return number
        checked = edgematch("check", puzzle, answer, *with_model, codes=(0, 1, 2))
        if checked.returncode != 0:
            return checked.stdout + checked.stderr
        number += 1
        # What is kept is the answer itself, by the names of its columns.
        names = true_names(answer, model)
        cuts.write_text(cuts.read_text() + " ".join(names) + "\n")


def true_names(answer, model):
    """The columns that are 1, for the list of cuts."""
    if answer.read_text().startswith("s SAT"):
        names = dict(re.findall(r"^c (x\S+) = (\d+)$", model.read_text(), re.M))
        true = set(answer.read_text().split())
        return [name for name, number in names.items() if number in true]
    words = re.findall(r"(x_\w+)\s+(?:\*\s+)?([\d.e+-]+)", answer.read_text())
    return [name for name, value in words if float(value) > 0.5]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", default=",".join(PUZZLES))
    parser.add_argument("--solvers", default=",".join(SOLVERS))
    args = parser.parse_args()
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "edgematch-cli"], cwd=ROOT, check=True)
    install(["clingo", "highspy", "ortools", "python-sat"])
    wrong = False
    for name in args.puzzles.split(","):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            puzzle = folder / f"{Path(name).name}.yaml"
            text = (ROOT / "puzzles" / f"{name}.yaml").read_text()
            puzzle.write_text(text if "constraints:" in text else text.rstrip() + "\n" + CONSTRAINTS)
            found = edgematch("solve", puzzle, "-q").stdout.count("----------")
            pictures = expected_pictures(puzzle, folder)
            for solver in args.solvers.split(","):
                _, _, lists_all, program = SOLVERS[solver]
                if program and not shutil.which(program):
                    continue
                started = time.perf_counter()
                expected = pictures if lists_all else found
                try:
                    got = (listed if lists_all else one_by_one)(puzzle, solver, folder)
                except subprocess.TimeoutExpired:
                    got = "out of time"
                seconds = time.perf_counter() - started
                wrong |= got != expected
                verdict = "agrees" if got == expected else f"DIFFERS: {got} for {expected}"
                print(f"{name:28} {solver:13} {expected:5}  {verdict:8} {seconds:6.2f} s", flush=True)
    return int(wrong)


def expected_pictures(puzzle, folder):
    """How many pictures the model has: the solutions of its clauses, counted by a SAT solver."""
    from pysat.formula import CNF
    from pysat.solvers import Glucose4
    model = folder / "count.cnf"
    edgematch("export", puzzle, "--to", "cnf", "-q", "--force", "-o", model)
    names = re.findall(r"^c x_\S+ = \d+$", model.read_text(), re.M)
    variables = [int(line.split()[-1]) for line in names]
    number = 0
    with Glucose4(bootstrap_with=CNF(from_file=str(model)).clauses) as solver:
        while solver.solve():
            true = set(solver.get_model())
            solver.add_clause([-v for v in variables if v in true])
            number += 1
    return number


if __name__ == "__main__":
    sys.exit(main())
