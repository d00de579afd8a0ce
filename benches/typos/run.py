#!/usr/bin/env python3
"""How well mistyped puzzles are noticed: every single slip on ten real puzzles of nine cards.

    benches/typos/run.py [--puzzles N] [--kinds sign,image]    a table of Markdown

Each slip is made on every card or edge where it changes something. Of those that leave a solution,
nothing can tell the file from a right one; they are counted apart. Of the others, the rank of the
card that was mistyped in the list of `edgematch doctor`: the number of cards to compare until it is found.
"""

import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "target/release/edgematch"
PUZZLES = [
    "alabama-scramble-squares", "butterflies-scramble-squares", "crazy-turtles", "die-elefanten-knobelei",
    "dolphin-scramble-squares", "golf-scramble-squares", "hummingbirds-scramble-squares",
    "insects-scramble-squares", "vikings-scramble-squares", "wildlife-scramble-squares",
]
KINDS = ["sign", "image", "exchanged", "mirrored", "copied", "order"]
LINE = re.compile(r"^  (\w+): \[(.*)\]$")


def read(name):
    """The lines of a file before its tiles, and the tiles."""
    lines = (ROOT / f"puzzles/{name}.yaml").read_text().splitlines()
    tiles = [LINE.match(line) for line in lines]
    head = [line for line, tile in zip(lines, tiles) if not tile]
    return head, [tile[2].split(", ") for tile in tiles if tile]


def write(path, head, cards):
    lines = head + [f"  {number}: [{', '.join(card)}]" for number, card in enumerate(cards, 1)]
    path.write_text("\n".join(lines) + "\n")


def turned(card):
    return min(tuple(card[turn:] + card[:turn]) for turn in range(4))


def slips(kind, cards, chance):
    """Mistyped cards, with the number of the card that is wrong; 0 for all."""
    images = sorted({edge[:-1] for card in cards for edge in card})
    for number, card in enumerate(cards):
        if kind in ("sign", "image"):
            for side, edge in enumerate(card):
                other = chance.choice([image for image in images if image != edge[:-1]])
                typed = edge[:-1] + "+-"["-+".index(edge[-1])] if kind == "sign" else other + edge[-1]
                yield number + 1, changed(cards, number, card[:side] + [typed] + card[side + 1 :])
        elif kind == "exchanged":
            for side in range(4):
                typed = list(card)
                typed[side], typed[side - 3] = typed[side - 3], typed[side]
                yield number + 1, changed(cards, number, typed)
        elif kind == "mirrored":
            yield number + 1, changed(cards, number, card[::-1])
        elif kind == "copied":
            for other in chance.sample([n for n in range(len(cards)) if n != number], 2):
                yield number + 1, changed(cards, number, cards[other])
    if kind == "order":
        for places in [0, 1, 3, 2], [0, 2, 1, 3]:
            yield 0, [[card[place] for place in places] for card in cards]


def changed(cards, number, card):
    return cards[:number] + [card] + cards[number + 1 :]


def misspelt(name, chance):
    """A letter changed, dropped, doubled, or a capital."""
    place = chance.randrange(len(name))
    letters = [letter for letter in "abcdefghijklmnopqrstuvwxyz" if letter != name[place]]
    yield name[:place] + chance.choice(letters) + name[place + 1 :]
    yield name[:place] + name[place + 1 :]
    yield name[:place] + name[place] + name[place:]
    yield name[0].upper() + name[1:]


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def tried(path, names, kinds):
    """By kind, the ranks of the mistyped cards, and how many puzzles still had a solution."""
    ranks = collections.defaultdict(list)
    solvable = collections.Counter()
    warned = collections.Counter()
    for name in names:
        chance = random.Random(name)
        head, cards = read(name)
        for kind in kinds:
            for wrong, typed in slips(kind, cards, chance):
                same = [turned(card) for card in typed] == [turned(card) for card in cards]
                if same:
                    continue
                write(path, head, typed)
                warned[kind] += "warning" in run("info", path).stderr
                found = json.loads(run("doctor", "-q", "--format", "json", path).stdout)
                if found["solvable"]:
                    solvable[kind] += 1
                else:
                    # All cards are listed without a name.
                    listed = [int(card["card"] or 0) for card in found["cards"]]
                    listed += [n for n in range(10) if n not in listed]
                    ranks[kind].append(1 + listed.index(wrong))
    return ranks, solvable, warned


def spelling(path, names):
    """Misspelt names: how many, how many are warned of, and how often with the right name."""
    number = warned = right = 0
    for name in names:
        chance = random.Random(name)
        head, cards = read(name)
        known = {edge[:-1] for card in cards for edge in card}
        for card_number, card in enumerate(cards):
            for side, edge in enumerate(card):
                for typed in misspelt(edge[:-1], chance):
                    if not typed or typed in known:
                        continue
                    new = card[:side] + [typed + edge[-1]] + card[side + 1 :]
                    write(path, head, changed(cards, card_number, new))
                    said = run("info", path).stderr
                    number += 1
                    warned += "warning" in said
                    proposed = re.search(r"did you mean (.*?)\?", said)
                    right += bool(proposed) and f"`{edge}`" in proposed[1]
    return number, warned, right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--puzzles", type=int, default=len(PUZZLES))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--from", type=int, default=0, dest="first")
    arguments = parser.parse_args()
    names = PUZZLES[arguments.first : arguments.first + arguments.puzzles]
    kinds = [kind for kind in arguments.kinds.split(",") if kind]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "typed.yaml"
        number, warned, right = spelling(path, names)
        print(f"misspelt names: {number}, warned of {warned}, with the right name {right}\n")
        ranks, solvable, warned = tried(path, names, kinds)
    print("| slip | tried | warned of | still solvable | first | of the first three | cards to compare |")
    print("|---|---|---|---|---|---|---|")
    for kind in kinds:
        print(row(kind, ranks[kind], solvable[kind], warned[kind]))
    of_cards = [kind for kind in kinds if kind != "order"]
    together = [rank for kind in of_cards for rank in ranks[kind]]
    print(row("together", together, *(sum(of[kind] for kind in of_cards) for of in (solvable, warned))))


def row(name, ranks, solvable, warned):
    number = max(1, len(ranks))
    first, three = (sum(rank <= most for rank in ranks) / number for most in (1, 3))
    compared = sum(ranks) / number
    return (
        f"| {name} | {len(ranks) + solvable} | {warned} | {solvable} | {100 * first:.0f} % | {100 * three:.0f} % "
        f"| {compared:.1f} |"
    )


if __name__ == "__main__":
    main()
