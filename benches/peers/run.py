#!/usr/bin/env python3
"""edgematch beside other solvers: all solutions of each board, symmetry broken, one thread.

    python3 benches/peers/run.py [--limit SECONDS] [--rounds N] [--sides NAMES] [--native FOLDER]
                                 [BOARD.yaml ...]

Installs OR-Tools and clingo into a folder of its own (target/peers), and Gecode from Debian where
that may be done; builds the C references where their folder is found. All sides run in turn. What a
side needs to read the board and to state its model is not counted, for edgematch only reading is
not. Prints a table of seconds and the ratio of each side to the best of edgematch's searches. blog is
the model of AllDifferent and AllowedAssignments as it was published, blog-broken the same with its
symmetry broken. milp-highs is our model solved by HiGHS, where cmake and libclang are installed to build it.
"""
import argparse, json, os, re, shutil, statistics, subprocess, sys, tempfile, time, venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "target" / "peers"
PACKAGES = ["ortools", "clingo"]
USUAL = ["scramble-1", "python-backtracker-mockup", "absolut-knifflig", "s4-k4-0", "s4-k6-0",
         "s5-k6-0", "s5-k10-0", "s6-k8-0", "s6-k12-0", "s7-k12-0", "s7-k16-0", "s8-k16-0",
         "f6-b4k8-0", "f6-b4k5-0", "f7-b4k9-0", "f8-b5k11-0"]
SEARCHES, MODEL = ["propagate", "backtrack"], ["milp-balance"]
OURS = SEARCHES + MODEL


def board_path(name):
    beside = ROOT / "benches" / "boards" / f"{name}.yaml"
    return beside if beside.exists() else ROOT / "puzzles" / f"{name}.yaml"


class Board:
    """A square board as every model here sees it: rows (tile, rotation, right, top, left, bottom)
    allowed in each cell, symmetry broken or not, and the pairs of sides that touch."""

    def __init__(self, path, is_broken=True):
        text = Path(path).read_text()
        key = lambda name: (re.search(rf"^{name}:\s*(\S+)", text, re.M) or [None, None])[1]
        tiles = re.findall(r"^\s+\S+:\s*\[([^\]]*)\]", text[text.index("tiles:"):], re.M)
        tiles = [[edge.strip() for edge in tile.split(",")] for tile in tiles]
        size = round(len(tiles) ** 0.5)
        self.size = int(key("rows") or size)
        if self.size ** 2 != len(tiles) or key("cols") not in (None, str(self.size)) or key("order"):
            sys.exit(f"{path}: the peers know squares that all tiles fill")
        border, names = key("border"), sorted({edge for tile in tiles for edge in tile})
        self.labels = {name: index for index, name in enumerate(names)}
        mate = lambda name: name[:-1] + {"+": "-", "-": "+"}[name[-1]] if name[-1] in "+-" else name
        for name in names:
            self.labels.setdefault(mate(name), len(self.labels))
        self.mate = {index: self.labels[mate(name)] for name, index in self.labels.items()}
        n, self.cells = self.size, []
        corner = next((t for t, tile in enumerate(tiles) if tile.count(border) == 2), None)
        for cell in range(n * n):
            row, column = divmod(cell, n)
            rim = [column == n - 1, row == 0, column == 0, row == n - 1]
            allowed = []
            for t, tile in enumerate(tiles):
                for r in range(4):
                    edges = [tile[(s - r) % 4] for s in range(4)]
                    if border and [edge == border for edge in edges] != rim:
                        continue
                    if border:
                        broken = (t == corner) == (cell == 0)
                    elif n % 2:
                        broken = cell != n * n // 2 or r == 0
                    else:
                        broken = t != 0 or (row < n // 2 and column < n // 2)
                    if broken or not is_broken:
                        allowed.append((t, r, *(self.labels[edge] for edge in edges)))
            self.cells.append(allowed)
        right = [(c, c + 1, 0, 2) for c in range(n * n) if c % n < n - 1]
        down = [(c, c + n, 3, 1) for c in range(n * n - n)]
        self.seams = right + down

    def lines(self, cell):
        """The seams of a cell: (seam, its side here, whether it is seen from its first side)."""
        for index, (a, b, side_a, side_b) in enumerate(self.seams):
            if a == cell:
                yield index, side_a, True
            if b == cell:
                yield index, side_b, False


def cp_sat(board, limit, blog):
    from ortools.sat.python import cp_model

    class Count(cp_model.CpSolverSolutionCallback):
        number = 0

        def on_solution_callback(self):
            self.number += 1

    model, cells = cp_model.CpModel(), range(len(board.cells))
    tile = [model.new_int_var(0, len(board.cells) - 1, "") for _ in cells]
    turn = [model.new_int_var(0, 3, "") for _ in cells]
    model.add_all_different(tile)
    if blog:
        for cell in cells:
            model.add_allowed_assignments([tile[cell], turn[cell]], [p[:2] for p in board.cells[cell]])
        for a, b, side_a, side_b in board.seams:
            by_label = {}
            for q in board.cells[b]:
                by_label.setdefault(q[2 + side_b], []).append(q[:2])
            pairs = [p[:2] + q for p in board.cells[a] for q in by_label.get(board.mate[p[2 + side_a]], [])
                     if p[0] != q[0]]
            model.add_allowed_assignments([tile[a], turn[a], tile[b], turn[b]], pairs)
    else:
        seam = [model.new_int_var(0, len(board.labels) - 1, "") for _ in board.seams]
        for cell in cells:
            lines = list(board.lines(cell))
            seen = lambda label, first: label if first else board.mate[label]
            rows = [p[:2] + tuple(seen(p[2 + side], first) for _, side, first in lines) for p in board.cells[cell]]
            model.add_allowed_assignments([tile[cell], turn[cell], *(seam[i] for i, _, _ in lines)], rows)
    solver, count = cp_model.CpSolver(), Count()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = limit
    status = solver.solve(model, count)
    return solver.wall_time, count.number, status in (cp_model.OPTIMAL, cp_model.INFEASIBLE)


def blog(path, limit):
    """The blog's model as it was published: nothing breaks the symmetry."""
    seconds, number, complete = cp_sat(Board(path, is_broken=False), limit, True)
    return seconds, number // 4, complete


def clingo(board, limit):
    import clingo as asp
    facts = []
    for cell, allowed in enumerate(board.cells):
        for index, p in enumerate(allowed):
            facts.append(f"can({cell},{p[0]},{p[1]}).")
            for seam, side, first in board.lines(cell):
                label = p[2 + side] if first else board.mate[p[2 + side]]
                facts.append(f"shows({cell},{p[0]},{p[1]},{seam},{label}).")
    rules = """
        1 { x(C,T,R) : can(C,T,R) } 1 :- can(C,_,_).
        :- can(_,T,_), #count { C,R : x(C,T,R) } != 1.
        label(C,S,L) :- x(C,T,R), shows(C,T,R,S,L).
        :- label(C,S,L), shows(D,_,_,S,_), C != D, not label(D,S,L).
        #show x/3."""
    control = asp.Control(["0", "--parallel-mode=1"])
    control.add("base", [], "\n".join(facts) + rules)
    control.ground([("base", [])])
    number, started = 0, time.perf_counter()
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            handle.resume()
            if not handle.wait(max(0.0, limit - (time.perf_counter() - started))):
                handle.cancel()
                return limit, number, False
            if handle.model() is None:
                return time.perf_counter() - started, number, True
            number += 1


def gecode(board, limit):
    lines = []
    size, labels = len(board.cells), len(board.labels)
    for cell in range(size):
        lines.append(f"var 0..{size - 1}: t{cell} :: output_var;")
        lines.append(f"var 0..3: r{cell} :: output_var;")
    lines += [f"var 0..{labels - 1}: s{seam};" for seam in range(len(board.seams))]
    tiles = ",".join(f"t{cell}" for cell in range(size))
    lines.append(f"constraint all_different_int([{tiles}]) :: domain;")
    for cell, allowed in enumerate(board.cells):
        seams = list(board.lines(cell))
        rows = [v for p in allowed for v in (*p[:2], *(p[2 + side] if first else board.mate[p[2 + side]]
                                                     for _, side, first in seams))]
        names = ",".join([f"t{cell}", f"r{cell}", *(f"s{seam}" for seam, _, _ in seams)])
        lines.append(f"constraint gecode_table_int([{names}],{list(rows)});")
    decided = ",".join(f"{v}{cell}" for cell in range(size) for v in "tr")
    lines.append(f"solve :: int_search([{decided}],dom_w_deg,indomain_min,complete) satisfy;")
    with tempfile.NamedTemporaryFile("w", suffix=".fzn") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        started = time.perf_counter()
        try:
            run = subprocess.run(["fzn-gecode", "-a", file.name], capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return limit, 0, False
        seconds = time.perf_counter() - started
    if run.returncode:
        raise RuntimeError(run.stderr.strip())
    return seconds, run.stdout.count("----------"), "==========" in run.stdout or "UNSATISFIABLE" in run.stdout


def native(folder, name):
    def run(path, limit):
        command = [sys.executable, str(folder / "run.py"), name, "--", str(path)]
        out = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LIMIT": str(limit)})
        if out.returncode:
            raise RuntimeError(out.stderr.strip())
        line = json.loads(out.stdout)
        return line["seconds"], line["classes"], line["complete"]
    return run


def highs():
    """The program with the feature `highs`, where cmake and libclang are installed to build it."""
    libclang = os.environ.get("LIBCLANG_PATH") or next(Path("/usr/lib").glob("llvm-*/lib/libclang.so*"), None)
    folder = ROOT / "target" / "highs"
    if not shutil.which("cmake") or not libclang:
        return None
    command = ["cargo", "build", "--release", "--quiet", "--features", "highs", "--target-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    return folder / "release" / "edgematch" if built else None


def edgematch(engine, path, limit, program=ROOT / "target/release/edgematch"):
    """One of our engines, in one process; what is fast has more runs, of which the best counts."""
    for runs in (1, 30):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.json"
            command = [str(program), "compare", str(path), "-q", "--runs", str(runs),
                       "--engine", engine, "--time-limit", str(limit), "--export-json", str(out)]
            subprocess.run(command, capture_output=True, check=False)
            entry = json.loads(out.read_text())[0]["engines"][0]
        if not entry["seconds"]:
            return limit, 0, False
        if min(entry["seconds"]) > 0.02:
            break
    return min(entry["seconds"]), int(entry["classes"]), True


def install(packages=PACKAGES, program="fzn-gecode", debian="flatzinc"):
    """The packages, in a folder of their own; runs the script again with its Python."""
    python = HOME / "bin" / "python3"
    if Path(sys.prefix) != HOME:
        if not python.exists():
            venv.create(HOME, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        if not shutil.which(program) and shutil.which("apt-get") and os.geteuid() == 0:
            subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", debian],
                           check=False, stdout=subprocess.DEVNULL)
        os.execv(python, [str(python), *sys.argv])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    arguments.add_argument("boards", nargs="*", type=Path)
    arguments.add_argument("--limit", type=int, default=60, help="seconds that a side has (60)")
    arguments.add_argument("--rounds", type=int, default=3, help="turns of each side, the best counts (3)")
    arguments.add_argument("--sides", help="only these, by name, with commas between")
    arguments.add_argument("--native", type=Path, default=ROOT.parent / "shared/bench/native")
    given = arguments.parse_args()
    install()
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    sides = {name: lambda _, path, s, name=name: edgematch(name, path, s) for name in OURS}
    with_highs = highs() if not given.sides or "milp-highs" in given.sides.split(",") else None
    if with_highs:
        sides["milp-highs"] = lambda _, path, s: edgematch("milp-highs", path, s, with_highs)
    sides |= {"cp-sat": lambda b, _, s: cp_sat(b, s, False), "blog": lambda _, path, s: blog(path, s),
              "blog-broken": lambda b, _, s: cp_sat(b, s, True),
              "clingo": lambda b, _, s: clingo(b, s)}
    if shutil.which("fzn-gecode"):
        sides["gecode"] = lambda b, _, s: gecode(b, s)
    if (given.native / "run.py").exists():
        for name in ("dfs", "mrv", "xcc"):
            sides[name] = lambda _, path, s, run=native(given.native, name): run(path, s)
    if given.sides:
        sides = {name: side for name, side in sides.items() if name in given.sides.split(",")}
    names = list(sides)
    print(f"{'board':<26}{'classes':>8}" + "".join(f"{name:>22}" for name in names))
    ratios = {}
    for path in given.boards or [board_path(name) for name in USUAL]:
        board, best, classes, failed = Board(path), {}, {}, {}
        for _ in range(given.rounds):
            turns = {}
            for name, side in sides.items():
                if name in failed or best.get(name, 0) > given.limit / 10:
                    continue
                try:
                    turns[name] = side(board, path, given.limit)
                except Exception as error:  # a peer that fails is shown so, the others go on
                    failed[name] = str(error).splitlines()[0]
            for name, (seconds, number, complete) in turns.items():
                if not complete:
                    failed.setdefault(name, "-")
                elif seconds <= best.get(name, seconds):
                    best[name], classes[name] = seconds, number
        us = min((best[n] for n in SEARCHES if n in best), default=best.get(MODEL[0]))
        for name in names:
            if us and name in best:
                ratios.setdefault(name, []).append(best[name] / us)
        cells = []
        for name in names:
            ratio = f" {best[name] / us:>9.1f}x" if name in best and us else ""
            cells.append(f"{seconds_text(best[name]) + ratio if name in best else failed.get(name, '-')[:20]:>22}")
        agreed = set(classes.values())
        print(f"{path.stem:<26}{'/'.join(map(str, sorted(agreed))):>8}" + "".join(cells), flush=True)
        if len(agreed) > 1:
            print(f"  the counts differ: {classes}", flush=True)
    medians = [f"{statistics.median(ratios[name]):.1f}x" if name in ratios else "-" for name in names]
    print(f"{'median of its boards':<34}" + "".join(f"{median:>22}" for median in medians))


def seconds_text(seconds):
    for unit, scale in (("µs", 1e6), ("ms", 1e3)):
        if seconds * scale < 1000:
            return f"{seconds * scale:.3g} {unit}"
    return f"{seconds:.3g} s"


if __name__ == "__main__":
    main()
