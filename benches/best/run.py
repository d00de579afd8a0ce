#!/usr/bin/env python3
"""How good `solve --best` gets, and when: runs with five seeds on the boards of docs/measurements.md.

    benches/best/run.py measure FOLDER [BOARD ...]    seconds of each run: --seconds 60
    benches/best/run.py draw FOLDER > docs/best.svg   the medians of what was measured
    benches/best/run.py table FOLDER                  the same as a table of Markdown
    benches/best/run.py rates FOLDER                  boards per CPU hour, of runs with --threads 1

A run leaves FOLDER/BOARD.SEED.jsonl, with --clues FOLDER/BOARD+clues.SEED.jsonl; what is there is not measured again.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BOARDS = ["f10-b5k12-0", "f16-b5k17-0"] + [f"owen-{s}-{n}" for n in (10, 12, 14, 16) for s in (1, 2)]
TIMES = [1, 10, 60]

# The cells of the five official clues of Eternity II.
CLUES = ["9,8", "3,3", "3,14", "14,3", "14,14"]

# The values of a rate table.
VALUES = range(460, 467)

# Published for the real Eternity II puzzle, 480 seams: other tiles of the same make-up.
PUBLISHED = [
    (10, 452, "beam search"),
    (60, 454, "Blackwood's program"),
    (90, 462, "beam and repair"),
    (3600, 461, "Wauters and others 2012"),
    (2, 463, "Verhaard 2008"),
    (31, 464, "Verhaard 2008"),
    (540, 465, "Verhaard 2008"),
    (10800, 466, "Verhaard 2008"),
]


def clues(board):
    """Options that pin the first tiles without a border, as they are listed, in the cells of the clues."""
    lines = (ROOT / f"benches/boards/{board}.yaml").read_text().splitlines()
    border = next(line.split()[1] for line in lines if line.startswith("border:"))
    tiles = [line.split(":")[0].strip() for line in lines if line.startswith("  ") and border not in line]
    return [option for pin in zip(CLUES, tiles) for option in ("--pin", "{}={}@0".format(*pin))]


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(args):
    args.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, args.seeds + 1):
        for board in args.boards:
            output = args.folder / f"{board}{'+clues' if args.clues else ''}.{seed}.jsonl"
            if output.exists():
                continue
            command = [args.program, "solve", "--best", "-q", "--format", "jsonl", "--seed", str(seed)]
            command += ["--time-limit", str(args.seconds), "--threads", str(args.threads)]
            command += clues(board) if args.clues else []
            before = cpu()
            text = subprocess.run(
                [*command, ROOT / f"benches/boards/{board}.yaml"], stdout=subprocess.PIPE, check=False
            ).stdout.decode()
            used = json.dumps({"type": "cpu", "seconds": cpu() - before})
            output.write_text(text + used + "\n")


def rates(folder):
    """By board and value, how many boards with at least this value a CPU hour gives, as a table of Markdown.

    A run counts until its first such board, because later ones improve it. Times are scaled by the share of a
    processor that the run had.
    """
    print("| board |" + "".join(f" {value} |" for value in VALUES))
    print("|---|" + "---|" * len(VALUES))
    for board in sorted({path.name.rsplit(".", 2)[0] for path in folder.glob("*.jsonl")}):
        hits, hours = [0] * len(VALUES), [0.0] * len(VALUES)
        for path in folder.glob(f"{board}.*.jsonl"):
            objects = [json.loads(line) for line in path.read_text().splitlines()]
            ran = {o["type"]: o["seconds"] for o in objects if o["type"] in ("statistics", "cpu")}
            scale = ran["cpu"] / ran["statistics"]
            better = [(o["seconds"], o["objective"]) for o in objects if o["type"] == "improvement"]
            for index, value in enumerate(VALUES):
                first = min((seconds for seconds, found in better if found >= value), default=None)
                hits[index] += first is not None
                hours[index] += scale * (ran["statistics"] if first is None else first) / 3600
        cells = [f" {hit / hour:,.0f} |" if hit else " |" for hit, hour in zip(hits, hours)]
        print(f"| {board} |" + "".join(cells))


def curves(folder):
    """By board, for each seed the seconds and values of its improvements, and how long it ran."""
    found = {}
    for board in BOARDS:
        for path in sorted(folder.glob(f"{board}.*.jsonl")):
            objects = [json.loads(line) for line in path.read_text().splitlines()]
            better = [(o["seconds"], o["objective"]) for o in objects if o["type"] == "improvement"]
            ran = [o["seconds"] for o in objects if o["type"] == "statistics"]
            if better and ran:
                found.setdefault(board, []).append((better, ran[0]))
    return found


def median_at(runs, seconds):
    """The median of the values at a time, or None where a run was shorter."""
    if any(ran < 0.99 * seconds for _, ran in runs):
        return None
    values = [max((v for t, v in better if t <= seconds), default=0) for better, _ in runs]
    return statistics.median_low(values), min(values), max(values)


def table(folder):
    print("| board | seams | runs |" + "".join(f" {t} s |" for t in TIMES))
    print("|---|---|---|" + "---|" * len(TIMES))
    for board, runs in curves(folder).items():
        seams = {"10": 180, "12": 264, "14": 364, "16": 480}[board.split("-")[-1] if "owen" in board else board[1:3]]
        cells = []
        for seconds in TIMES:
            found = median_at(runs, seconds)
            cells.append(" |" if found is None else f" {found[0]} ({found[1]} to {found[2]}) |")
        print(f"| {board} | {seams} | {len(runs)} |" + "".join(cells))


def draw(folder):
    """Score against time on 16 x 16, a line a board, with the published figures as points."""
    import math

    width, height, left, bottom = 760, 420, 60, 50
    least, most = 440, 470

    def at(seconds, value):
        x = left + (math.log10(seconds) + 1) / 5.2 * (width - left - 20)
        return x, height - bottom - (value - least) / (most - least) * (height - bottom - 30)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
        f'<text x="{width / 2}" y="18" text-anchor="middle" font-size="14">'
        "Seams that fit, of 480, against seconds: medians of five seeds</text>",
    ]
    for value in range(least, most + 1, 5):
        x, y = at(0.1, value)
        out.append(f'<path d="M{x:.1f} {y:.1f}H{width - 20}" stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{value}</text>')
    for power in range(-1, 5):
        x, y = at(10**power, least)
        name = {-1: "0.1 s", 0: "1 s", 1: "10 s", 2: "100 s", 3: "1,000 s", 4: "10,000 s"}[power]
        out.append(f'<path d="M{x:.1f} {y:.1f}V30" stroke="#eee"/>')
        out.append(f'<text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{name}</text>')
    colours = {"f16-b5k17-0": "#0072b2", "owen-1-16": "#d55e00", "owen-2-16": "#009e73"}
    for index, (board, runs) in enumerate(curves(folder).items()):
        if board not in colours:
            continue
        end = min(ran for _, ran in runs)
        points = []
        for step in range(401):
            seconds = 10 ** (-1 + step / 400 * (math.log10(end) + 1))
            found = median_at(runs, min(seconds, 0.999 * end))
            if found and found[0] >= least:
                points.append("{:.1f} {:.1f}".format(*at(seconds, found[0])))
        out.append(
            f'<path d="M{"L".join(points)}" fill="none" stroke="{colours[board]}" stroke-width="2"/>'
        )
    for index, (board, colour) in enumerate(colours.items()):
        y = height - bottom - 20 - 18 * index
        out.append(f'<path d="M{width - 170} {y}h24" stroke="{colour}" stroke-width="2"/>')
        out.append(f'<text x="{width - 140}" y="{y + 4}">{board}</text>')
    for seconds, value, who in PUBLISHED:
        x, y = at(seconds, value)
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#555"/>')
        anchor, dx = ("end", -8) if seconds > 3000 else ("start", 8)
        out.append(
            f'<text x="{x + dx:.1f}" y="{y + 12:.1f}" text-anchor="{anchor}" fill="#555" font-size="10">{who}</text>'
        )
    out.append("</svg>")
    print("\n".join(out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("what", choices=["measure", "draw", "table", "rates"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("boards", nargs="*", default=BOARDS)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clues", action="store_true", help="pin tiles in the cells of the five clues")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "target/release/edgematch")
    args = parser.parse_args()
    if args.what == "measure":
        measure(args)
    elif args.what == "draw":
        draw(args.folder)
    elif args.what == "rates":
        rates(args.folder)
    else:
        table(args.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
