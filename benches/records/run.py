#!/usr/bin/env python3
"""The records of docs/measurements.md: boards that others have published counts of.

    benches/records/run.py measure FOLDER [NAME ...]        what ends, by two engines where others have no count
    benches/records/run.py parts FOLDER NAME OF SECONDS     parts of a board that does not, as far as the time goes
    benches/records/run.py table FOLDER                     both as tables of Markdown

Run it after `cargo build --release`. A run leaves a file in FOLDER; what is there is not measured again.
Counts that others have published are compared, and so are those of two engines: the command fails where they differ.
Boards in `sets` are not copied here: FOLDER/sets is the folder `python` of a clone of github.com/david3x3x3/eternity2.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/edgematch"

# name: (file, published distinct solutions, engines). The slow ones are last.
BOARDS = {
    "drive-ya-nuts": ("benches/boards/drive-ya-nuts.yaml", 1, ["auto", "milp"]),
    "owen-1-6": ("benches/boards/owen-1-6.yaml", 65, ["auto", "propagate"]),
    "owen-2-6": ("benches/boards/owen-2-6.yaml", 40, ["auto", "propagate"]),
    "eternity2-clue3": ("puzzles/eternity2-clue3.yaml", None, ["auto", "backtrack"]),
    "macmahon-4x6": ("benches/boards/macmahon-4x6.yaml", 4 * 13328, ["auto"]),
    "owen-2-7": ("benches/boards/owen-2-7.yaml", None, ["auto"]),
    "owen-1-7": ("benches/boards/owen-1-7.yaml", 6297, ["auto"]),
    "owen-1-8x6": ("sets/pieces_set_1/pieces_08x06.txt", None, ["auto", "propagate"]),
    "owen-2-8x6": ("sets/pieces_set_2/pieces_08x06.txt", None, ["auto", "propagate"]),
    "owen-1-8x7": ("sets/pieces_set_1/pieces_08x07.txt", None, ["auto"]),
    "owen-2-8x7": ("sets/pieces_set_2/pieces_08x07.txt", None, ["auto"]),
}


def machine():
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
    return f"{cpu[1] if cpu else 'unknown'}, {os.cpu_count()} cores, {version.splitlines()[0]}"


def ran(arguments):
    """The last two objects of a run: what it took and how it ended. Its solutions are many."""
    before, started = os.times(), time.monotonic()
    command = [PROGRAM, "solve", *arguments, "-q", "--format", "jsonl", "--statistics"]
    last = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            last = [*last[-1:], line]
    after = os.times()
    statistics, status = map(json.loads, last)
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    both, kept = {**statistics, **status}, ["engine", "chosen", "nodes", "distinct", "classes", "solutions", "complete", "part"]
    return {
        **{key: both[key] for key in kept if key in both},
        # The system counts it in hundredths.
        "cpu": round(cpu, 2),
        "wall": time.monotonic() - started,
        "machine": machine(),
        "command": " ".join(["edgematch solve", *map(str, arguments)]),
    }


def measure(folder, names):
    for name in names or BOARDS:
        file, published, engines = BOARDS[name]
        file = folder / file if file.startswith("sets/") else file
        counts = set()
        for engine in engines:
            output = folder / f"{name}.{engine}.json"
            if not output.exists():
                output.write_text(json.dumps(ran([file, "--engine", engine])))
            run = json.loads(output.read_text())
            if run["complete"]:
                counts.add((run["distinct"], run["classes"], run["solutions"]))
        print(f"{name}: {sorted(counts)}, published: {published}")
        if len(counts) > 1 or (published and any(distinct != published for distinct, _, _ in counts)):
            sys.exit(f"{name}: the counts differ")


def parts(folder, name, of, seconds):
    deadline = time.monotonic() + seconds
    file = f"benches/boards/{name}.yaml"
    estimate = folder / f"{name}.estimate.json"
    if not estimate.exists():
        command = [PROGRAM, "estimate", file, "--format", "json"]
        estimate.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    for part in range(1, of + 1):
        output = folder / f"{name}.part-{part}-{of}.json"
        if output.exists():
            continue
        if time.monotonic() > deadline:
            break
        output.write_text(json.dumps(ran([file, "--engine", "backtrack", "--part", f"{part}/{of}"])))
        print(output.read_text(), flush=True)


def shown(number):
    return f"{number:,}" if isinstance(number, int) else f"{number:,.3g}"


def table(folder):
    print("| board | published | distinct | solutions | engine | nodes | CPU time | clock |")
    print("|---|---|---|---|---|---|---|---|")
    for name, (_, published, engines) in BOARDS.items():
        for engine in engines:
            path = folder / f"{name}.{engine}.json"
            if not path.exists():
                continue
            run = json.loads(path.read_text())
            searched = run.get("chosen") or run["engine"]
            cpu = f"{shown(run['cpu'])} s" if run["cpu"] else ""
            print(
                f"| {name} | {shown(published) if published else ''} | {shown(run['distinct'])} "
                f"| {shown(run['solutions'])} | `{searched}` | {shown(run.get('nodes', 0))} "
                f"| {cpu} | {shown(run['wall'])} s |"
            )
    print()
    for path in sorted(folder.glob("*.estimate.json")):
        name = path.name.split(".")[0]
        runs = [json.loads(part.read_text()) for part in folder.glob(f"{name}.part-*.json")]
        whole = [run for run in runs if run["part"]["complete"]]
        of = max([run["part"]["of"] for run in runs], default=0)
        nodes, cpu = sum(run["nodes"] for run in whole), sum(run["cpu"] for run in whole)
        found = sum(run["distinct"] for run in whole)
        print(f"{name}: {len(whole)} of {of} parts, {found} distinct, {shown(nodes)} nodes, {shown(cpu)} s of CPU time")
        print(path.read_text().strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["measure", "parts", "table"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rest", nargs="*")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    words.folder = words.folder.resolve()
    os.chdir(ROOT)
    if words.what == "measure":
        measure(words.folder, words.rest)
    elif words.what == "parts":
        name, of, seconds = words.rest
        parts(words.folder, name, int(of), float(seconds))
    else:
        table(words.folder)


if __name__ == "__main__":
    main()
