#!/usr/bin/env python3
"""How evenly parts are loaded: every part of a board for N = 10, 100, 1000, one after another.

    python3 benches/distributed/balance.py [--parts N …] [--program FILE] [--board FILE] [-- OPTION of solve …]

For each N: the leaves, the nodes of all parts ÷ those of a run in one piece, the longest part ÷ the mean
in nodes (which no other program on the machine can change) and in seconds, and what each part pays to
cut the search: the shortest of three measurements by `estimate --parts`.
"""
import argparse, json, statistics, subprocess, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target" / "release" / "edgematch"


def solve(program, board, options):
    command = [program, "solve", board, "--format", "jsonl", "--threads", "1", "--quiet", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    *_, work, status = [json.loads(line) for line in done.stdout.splitlines()]
    return work, status


def frontier(program, board, number):
    command = [program, "estimate", board, "--parts", str(number), "--probes", "1", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["parts"]["frontier"]


def main():
    own, _, options = " ".join(sys.argv[1:]).partition("-- ")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--parts", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--program", type=Path, default=PROGRAM)
    parser.add_argument("--board", type=Path, default=ROOT / "benches" / "boards" / "s6-k5-8.yaml")
    args = parser.parse_args(own.split())
    options = options.split()
    work, status = solve(args.program, args.board, options)
    whole, distinct, seconds = work["nodes"], status["distinct"], work["seconds"]
    print(f"in one piece: {whole} nodes, {seconds:.1f} s, {distinct} distinct", flush=True)
    for number in args.parts:
        nodes, times, found, leaves = [], [], 0, 0
        for part in range(1, number + 1):
            work, status = solve(args.program, args.board, ["--part", f"{part}/{number}", *options])
            nodes.append(work["nodes"])
            times.append(work["seconds"])
            found += status["distinct"]
            leaves = status["part"]["of_leaves"]
        assert found == distinct, (found, distinct)
        cutting = min(frontier(args.program, args.board, number) for _ in range(3))
        print(
            f"{number} parts: {leaves} leaves, nodes {sum(nodes) / whole:.3f} of one piece, longest ÷ mean "
            f"{max(nodes) / statistics.mean(nodes):.2f} in nodes, "
            f"{max(times) / statistics.mean(times):.2f} in seconds; mean {statistics.mean(times):.3f} s, "
            f"longest {max(times):.3f} s; frontier {cutting * 1000:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
