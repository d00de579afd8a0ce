#!/usr/bin/env python3
"""Scores `edgematch read` on photographs with labels: a table with a row per photograph.

    python3 benches/photos/run.py FOLDER [--program target/release/edgematch] [--told]

Each photograph NAME.jpg or NAME.png has a label NAME.json in the same folder:

    {"rows": 3, "columns": 3,
     "corners": [[[x, y], [x, y], [x, y], [x, y]], ...],
     "sides": [["fish+", "bird-", "fish-", "frog+"], ...]}

Cards are in any order; corners are in pixels of the upright photograph, clockwise; the sides of a
card start between its first two corners. `+` and `-` are the halves of an image. Without "sides",
only the positions are scored; with "corners": [], the photograph shows no cards and must be refused.
`--told` gives the program the rows and columns.
"""
import argparse, collections, json, math, pathlib, re, subprocess, tempfile, time

# A card is found if its corners are within this fraction of its side.
NEAR = 0.1
DATA = re.compile(r'<script type="application/json" id="reading">(.*?)</script>', re.S)


def distance(a, b):
    return math.hypot(a[0] - b[0], a[1] - b[1])


def off(found, label):
    """The largest distance of corners relative to the side, and the rotation for which it is least."""
    side = sum(distance(label[i], label[i - 1]) for i in range(4)) / 4
    turned = [(max(distance(found[i], label[(i + turn) % 4]) for i in range(4)) / side, turn) for turn in range(4)]
    return min(turned)


def read(program, photo, label, is_told):
    """The reading as the review page has it, None if refused; the exit code, message and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        size = ["--size", f"{label['rows']}x{label['columns']}"] if is_told and label["corners"] else []
        command = [program, "read", str(photo), "-o", f"{folder}/out", "--review", *size]
        started = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, errors="replace")
        seconds = time.monotonic() - started
        page = pathlib.Path(folder, "out", "review.html")
        data = json.loads(DATA.search(page.read_text())[1]) if page.exists() else None
        message = (done.stderr.strip().splitlines() or [""])[-1]
        return data, done.returncode, message, seconds


def wrong(groups, mates, labels):
    """The sides outside the group of their label, which is assigned greedily, and the wrong pairs."""
    counts = collections.Counter(zip(groups, labels)).most_common()
    label_of = {}
    for (group, label), _ in counts:
        if group not in label_of and label not in label_of.values():
            label_of[group] = label
    sides = [i for i, (group, label) in enumerate(zip(groups, labels)) if label_of.get(group) != label]
    mate = lambda label: label[:-1] + {"+": "-", "-": "+"}.get(label[-1], label[-1])
    pairs = sum(
        group <= other and mate(label_of[group]) in labels and mate(label_of[group]) != label_of.get(other)
        for group, other in enumerate(mates) if group in label_of
    )
    return sides, pairs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--program", default="target/release/edgematch")
    parser.add_argument("--told", action="store_true")
    args = parser.parse_args()
    total = collections.Counter()
    print("photograph | found | wrong sides | wrong pairs | doubtful | certain but wrong | seconds | last line")
    for path in sorted(args.folder.glob("*.json")):
        photo = next((p for end in ("jpg", "jpeg", "png") if (p := path.with_suffix(f".{end}")).exists()), None)
        if photo is None:
            continue
        label = json.loads(path.read_text())
        data, code, message, seconds = read(args.program, photo, label, args.told)
        total["photographs"] += 1
        corners = label["corners"]
        if not corners:
            is_right = data is None or "not read" in message
            total["refused"] += is_right
            print(f"{path.stem} | {'refused' if is_right else 'accepted'} | | | | | {seconds:.1f} | {message}")
            continue
        cards = data["corners"] if data else []
        matched = [min((off(card, own), i) for i, own in enumerate(corners)) for card in cards]
        is_found = len(cards) == len(corners) and {i for _, i in matched} == set(range(len(corners)))
        is_found = is_found and all(far < NEAR for (far, _), _ in matched)
        total["with cards"] += 1
        total["found"] += is_found
        row = [path.stem, "yes" if is_found else "no", "", "", "", ""]
        if is_found and label.get("sides"):
            labels = [label["sides"][i][(side + turn) % 4] for (_, turn), i in matched for side in range(4)]
            sides, pairs = wrong([side["group"] for side in data["sides"]], data["mates"], labels)
            certain = sum(not data["sides"][i]["doubtful"] for i in sides) if "not read" not in message else 0
            doubtful = sum(side["doubtful"] for side in data["sides"])
            row[2:] = [len(sides), pairs, doubtful, certain]
            total["sides"] += len(labels)
            total["right sides"] += len(labels) - len(sides)
            total["all right"] += not sides and not pairs
            total["certain but wrong"] += certain
        print(*row, f"{seconds:.1f}", message, sep=" | ")
    print(dict(total))


if __name__ == "__main__":
    main()
