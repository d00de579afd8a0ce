#!/usr/bin/env python3
"""edgematch on another team's suite of framed boards, which SAT solvers had on a cluster, a day each.

    benches/records/suite.py SUITE RESULTS [--time-limit 5s] [--sample 6] [--program EDGEMATCH]

SUITE is the folder puzzles/board_suite of a clone of github.com/JamesGallicchio/eternity2, which has no licence and
is not copied here: SIZE/COLOURS/board_I/puzzle.puz, a file sol_K.sol for each solution that was found, one corner
pinned, and a file `done` where all were found. RESULTS is a file of `edgematch batch`; run it after
`cargo build --release`.

Every board that was finished there runs here, and of the others so many of each size and number of colours. Prints
two tables of Markdown; fails where a number of solutions differs.
"""

import argparse
import collections
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

Board = collections.namedtuple("Board", "size colours puzzle solutions")


def boards(suite):
    """Every board; `solutions` is None where not all are known."""
    for puzzle in sorted(suite.glob("*/*/board_*/puzzle.puz")):
        folder = puzzle.parent
        solutions = len(list(folder.glob("sol_*.sol"))) if (folder / "done").exists() else None
        yield Board(int(folder.parts[-3]), int(folder.parts[-2]), puzzle, solutions)


def chosen(all_boards, sample):
    """Those that were finished, and the first of the others in each group."""
    taken = collections.Counter()
    for board in all_boards:
        group = board.size, board.colours
        if board.solutions is None:
            taken[group] += 1
        if board.solutions is not None or taken[group] <= sample:
            yield board


def run(program, wanted, results, time_limit):
    paths = "".join(f"{board.puzzle}\n" for board in wanted)
    command = [program, "batch", "--list", "-", "--results", results, "-q", "--time-limit", time_limit]
    # 3: some were stopped by the limit.
    if subprocess.run(command, input=paths, text=True, stdout=subprocess.DEVNULL, check=False).returncode not in (0, 3):
        sys.exit("the batch failed")
    shown = subprocess.run([program, "results", results, "--format", "jsonl"], capture_output=True, text=True, check=True)
    lines = map(json.loads, shown.stdout.splitlines())
    return {line["file"]: line for line in lines if line["type"] == "result"}


def finished(wanted, ran):
    """The table of the boards that were finished there; whether all counts agree."""
    print("| size | boards | all solutions found | seconds of those | counts that differ |")
    print("|---|---|---|---|---|")
    agree = True
    known = [board for board in wanted if board.solutions is not None]
    for size in sorted({board.size for board in known}):
        here = [(board, ran[str(board.puzzle)]) for board in known if board.size == size]
        ended = [(board, result) for board, result in here if result["complete"]]
        differ = [board for board, result in ended if int(result["distinct"]) != board.solutions]
        seconds = sum(result["seconds"] for _, result in ended)
        print(f"| {size}×{size} | {len(here)} | {len(ended)} | {seconds:.3g} | {len(differ)} |")
        for board in differ:
            print(f"{board.puzzle}: {ran[str(board.puzzle)]['distinct']}, not {board.solutions}", file=sys.stderr)
        agree = agree and not differ
    return agree


def unfinished(wanted, ran):
    """The table of the others: which numbers of colours end, and after how long."""
    print("| size | colours | boards | all solutions found | median seconds of those |")
    print("|---|---|---|---|---|")
    groups = collections.defaultdict(list)
    for board in wanted:
        if board.solutions is None:
            groups[board.size, board.colours].append(ran[str(board.puzzle)])
    for (size, colours), results in sorted(groups.items()):
        seconds = [result["seconds"] for result in results if result["complete"]]
        median = f"{statistics.median(seconds):.3g}" if seconds else ""
        print(f"| {size}×{size} | {colours} | {len(results)} | {len(seconds)} | {median} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--time-limit", default="5s")
    parser.add_argument("--sample", type=int, default=6)
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/edgematch")
    words = parser.parse_args()
    wanted = list(chosen(boards(words.suite.resolve()), words.sample))
    if not wanted:
        sys.exit(f"{words.suite} has no SIZE/COLOURS/board_I/puzzle.puz")
    ran = run(words.program, wanted, words.results, words.time_limit)
    agree = finished(wanted, ran)
    print()
    unfinished(wanted, ran)
    if not agree:
        sys.exit("numbers of solutions differ")


if __name__ == "__main__":
    main()
