#!/usr/bin/env python3
"""How evenly parts are loaded: every part of a board for N = 10, 100, 1000, one after another.

    python3 benches/distributed/balance.py [--parts N …] [--runs FOLDER] [BOARD.yaml] [-- OPTION of solve …]

For each N: the leaves, the nodes of all parts ÷ those of a run in one piece, the longest part ÷ the mean
in nodes (which no other program on the machine can change) and in seconds, and what a part costs before
it searches: the shortest time of an empty part, that is one that stops at its first question.
"""
import argparse, json, statistics, subprocess, sys, time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "edgematch"


def solve(program, board, options):
    command = [program, "solve", board, "--format", "jsonl", "--threads", "1", "--quiet", *options]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True)
    elapsed = time.monotonic() - started
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    *_, work, status = [json.loads(line) for line in done.stdout.splitlines()]
    return work, status, elapsed


def main():
    own, _, options = " ".join(sys.argv[1:]).partition("-- ")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--board", type=Path, default=ROOT / "benches" / "boards" / "s6-k5-8.yaml")
    args = parser.parse_args(own.split())
    options = options.split()
    work, status, _ = solve(args.program, args.board, options)
    whole, distinct, seconds = work["nodes"], status["distinct"], work["seconds"]
    print(f"in one piece: {whole} nodes, {seconds:.1f} s, {distinct} distinct", flush=True)
    for number in args.parts:
        nodes, times, found, leaves = [], [], 0, 0
        for part in range(1, number + 1):
            work, status, _ = solve(args.program, args.board, ["--part", f"{part}/{number}", *options])
            nodes.append(work["nodes"])
            times.append(work["seconds"])
            found += status["distinct"]
            leaves = status["part"]["of_leaves"]
        assert found == distinct, (found, distinct)
        before = [
            solve(args.program, args.board, ["--part", f"1/{number}", "--time-limit", "0", *options])[2]
            for _ in range(5)
        ]
        print(
            f"{number} parts: {leaves} leaves, nodes {sum(nodes) / whole:.3f} of one piece, longest ÷ mean "
            f"{max(nodes) / statistics.mean(nodes):.2f} in nodes, "
            f"{max(times) / statistics.mean(times):.2f} in seconds; mean {statistics.mean(times):.3f} s, "
            f"longest {max(times):.3f} s; stopped at once {min(before) * 1000:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
