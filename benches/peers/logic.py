#!/usr/bin/env python3
"""Random constraints: a brute force in Python and five other programs must agree on the number of solutions.

    python3 benches/peers/logic.py [--puzzles 5000] [--seed 1] [--program target/release/edgematch] [--keep FOLDER]

Each puzzle has two to six cells. Some boards are joined at the ends; some tiles have backs or copies, and some images match
others. One or two constraints of all kinds except `loop`, `path`, `acyclic`, `tree` and `connected` are nested up to three
deep, some with `for`. `Reader` states their meaning as docs/constraints.md does, and a brute force applies it to every
arrangement. `edgematch count` counts; `edgematch solve` lists, with three engines in turn. HiGHS enumerates the exported LP,
Glucose the models of the CNF, clingo the answer sets and, for every fiftieth puzzle, MiniZinc the solutions. Prints each
puzzle with a disagreement, which `--keep` also writes to a folder, and then ends with 1. Installs clingo, highspy and
python-sat into target/peers, and MiniZinc from Debian where that may be done.
"""
import argparse, collections, importlib, itertools, json, operator, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from run import ROOT, install

# More arrangements, or more characters of LP, would take HiGHS and clingo many seconds.
MOST_ARRANGEMENTS, LARGEST_MODEL = 24, 300_000
SIZES = [(2, 2)] * 6 + [(1, 3), (3, 1), (1, 2), (2, 3), (3, 2)]
PALETTES = [["red", "blue", "green"], ["red+", "red-", "blue+", "blue-"], ["red", "blue+", "blue-"],
            ["red", "blue+", "blue-", "green+"]]
SIDES, STEPS = ["right", "top", "left", "bottom"], [(0, 1), (-1, 0), (0, -1), (1, 0)]
SIGNS = {"<": operator.lt, ">": operator.gt, "=": operator.eq, "!=": operator.ne}
# By row and column from 1, the numbers of rows and columns plus 1, and which sides are on the rim, the first one twice.
PARTS = {
    "all": lambda r, c, n, m, rim: True, "diagonal": lambda r, c, n, m, rim: n == m and r == c,
    "white": lambda r, c, n, m, rim: (r + c) % 2 == 0, "antidiagonal": lambda r, c, n, m, rim: r + c == n == m,
    "black": lambda r, c, n, m, rim: (r + c) % 2 == 1, "centre": lambda r, c, n, m, rim: (2 * r, 2 * c) == (n, m),
    "border": lambda r, c, n, m, rim: any(rim), "inside": lambda r, c, n, m, rim: not any(rim),
    "corners": lambda r, c, n, m, rim: any(map(operator.and_, rim, rim[1:])),
}
# The place to which a cell moves.
MOVES = {
    "turned 1": lambda r, c, n, m: (m - c, r), "turned 2": lambda r, c, n, m: (n - r, m - c),
    "turned 3": lambda r, c, n, m: (c, n - r), "mirrored left-right": lambda r, c, n, m: (r, m - c),
    "mirrored top-bottom": lambda r, c, n, m: (n - r, c), "mirrored diagonal": lambda r, c, n, m: (c, r),
    "mirrored antidiagonal": lambda r, c, n, m: (m - c, n - r),
}
# What `<word>` may become; a key such as `+field` adds the fields of so many draws. Words that depend on the puzzle or on
# the variables are added by `Writer`.
GRAMMAR = {
    "cell": [["<row>", "<column>"]], "line": ["row <row_name>", "column <column_name>"], "part": list(PARTS),
    "cells": ["<cell>", "<cell>", "<cell>", "<line>", "<line>", "<part>", "<part>", "<part>", ["<cell>", "<line>"],
              ["<cell>", "<cell>"], "rows 1..<row_name>", "columns <column_name>..2", {"neighbours of": "<cells>"},
              {"intersection": ["<part>", "<cells>"]}, {"difference": ["<part>", "<cells>"]}],
    "tiles": ["<tile>", "<tile>", "<tile>", ["<tile>"], ["<tile>", "<tile>"], "1..2", "2..3"],
    "rotations": ["<rotation>", "<rotation>", ["<rotation>", "<rotation>"], "0..1", "1..3"],
    "side": SIDES, "face": ["front", "front", "back"], "weight": [-3, -1, 0, 1, 2, 5], "truth": [True, True, False],
    "field": [{"cells": "<cells>"}, {"cell": "<cells>"}, {"tiles": "<tiles>"}, {"tile": "<tiles>"}, {"face": "<face>"},
              {"rotations": "<rotations>"}, {"rotation": "<rotations>"}, {"shows": {"<side>": "<edge>"}},
              {"shows": {"<side>": "<edge>", "left": "<edge>"}}, {"placement": "home"},
              {"placements": ["upright", "home"]}, {"placements": "upright"}],
    "pattern": [{"+field": 1}, {"+field": 2}, {"+field": 2}, {"+field": 3}],
    "number": [0, 0, 1, 1, 2, 2, 3, 4, 6, 9, -2],
    "bounds": [{"at_least": "<number>"}, {"at_most": "<number>"}, {"exactly": "<number>"},
               {"at_least": "<number>", "at_most": "<number>"}],
    "sum": ["number", "rotation", "points", {"<tile>": "<weight>", "1": "<weight>"}], "of": ["<sum>", "<side>"],
    "some": [{}, {"cells": "<cells>"}, {"cells": "<cells>"}, {"cells": "<cells>"}],
    "term": [{"weight": "<weight>", "+pattern": 1}] * 3 + [{"for": {"row": "x"}, "weight": "x + 1", "cells": "row x"}],
    "pair": [["<tile>", "<tile>"]], "end": ["any", "<side>"],
    "touch": [{"tiles": "<pair>"}, {"tiles": "<pair>", "sides": ["<end>", "<end>"]}],
    "before": ["<pair>", {"tiles": "<pair>", "immediate": "<truth>"}],
    "rim": [{"same": True}, {"image": "<edge>"}, {"image": "<edge>", "only": "<truth>"}],
    "lines": [["row 1", "row 2"], ["column 1", "column 2"], ["column 2", "column 1"], ["<cell>", "<cell>"],
              [["<cell>", "<cell>"], ["<cell>", "<line>"]], ["all", "<move>"], ["<move>", "all", "<move>"]],
    "move": list(MOVES), "strict": [{}, {}, {"strict": "<truth>"}],
    "plain": [
        {"pin": "<pattern>"}, {"forbid": "<pattern>"}, {"rotations": "<rotations>"}, {"adjacent": "<touch>"},
        {"apart": "<touch>"}, {"rotations": {"tiles": "<tiles>", "rotations": "<rotations>"}}, {"rim": "<rim>"},
        {"region": {"tiles": "<tiles>", "only_in": "<cells>"}}, {"region": {"cells": "<cells>", "only_from": "<tiles>"}},
        {"count": {"+pattern": 1, "+bounds": 1}}, {"linear": {"terms": ["<term>", "<term>"], "+bounds": 1}},
        {"sum": {"+some": 1, "of": "<sum>", "+bounds": 1}}, {"all_different": {"+some": 1, "of": "<of>"}},
        {"all_equal": {"+some": 1, "of": "<of>"}}, {"lex": {"lines": "<lines>", "of": "<of>", "+strict": 1}},
        {"left_of": "<before>"}, {"above": "<before>"}, {"use": {"tiles": "<tiles>"}}, {"use": {"without": "<tiles>"}}],
    "items": [["<item>"] * number for number in (1, 2, 3)], "least": [{"number": "<number>", "of": "<items>"}],
    "nested": [{"any": "<items>"}, {"all": "<items>"}, {"not": "<item>"}, {"if": "<item>", "then": "<item>"},
               {"if": "<item>", "then": "<item>", "else": "<item>"}, {"exactly": "<least>"}, {"at_least": "<least>"},
               {"at_most": "<least>"}],
}
# Variables with conditions, and what can be written with a variable of a domain.
REPEATS = [
    ({"row": "a"}, ["a < 2", "a != 1"]), ({"column": "a"}, ["a mod 2 = 1"]), ({"row": "a", "column": "b"}, ["a != b"]),
    ({"cell": "a"}, ["a in <part>", "a != [1, 1]", ["a.row + a.column < 4", "a in row 1"]]), ({"rotation": "a"}, ["a > 1"]),
    ({"cell": ["a", "b"]}, ["a.row < b.row", "a != b"]), ({"seam": ["a", "b"]}, ["a in <line>", "a.row = b.row"]),
    ({"tile": "a"}, ["a != 2"]), ({"tile": ["a", "b"]}, ["a < b"]), ({"image": "a"}, ["a != <image>"]),
    ({"side": "a"}, ["a < 2"]), ({"1..3": "a"}, ["a > 1 and a < 3"]), ({"1..2": ["a", "b"]}, ["a < b", "a + b > 2"]),
]
NUMBERS = {"number": ["a", "a - 1", "2 * a", "2 * (a + 1) - 3"]}
USES = {
    "row": {"row": ["a", "a", "a + 1", "3 - a", "a mod 2 + 1"], "row_name": ["a", "a"], **NUMBERS},
    "column": {"column": ["a", "a", "a + 1", "3 - a", "a mod 2 + 1"], "column_name": ["a", "a"], **NUMBERS},
    "cell": {"cell": ["a"] * 4, "row": ["a.row"], "number": ["a.row", "a.column - 1"]},
    "tile": {"tile": ["a"] * 6, "number": ["a", "2 * a"]}, "image": {"edge": ["a"] * 8}, "side": {"side": ["a"] * 8},
    "rotation": {"rotation": ["a", "a", "3 - a", "(a + 1) mod 4"], **NUMBERS}, "number": {"column": ["a"], **NUMBERS},
}
VARIABLE = re.compile(r"\b([a-z]\d|x)\b(\.(row|column))?")
Placed = collections.namedtuple("Placed", "tile face rotation edges")


class Refused(Exception):
    """The documentation does not allow what was drawn, such as a cell that is not on the board."""


def check(is_allowed, what):
    if not is_allowed:
        raise Refused(what)


def listed(node):
    return node if isinstance(node, list) else [node]


def image(edge):
    return edge.rstrip("+-")


def shown(edge, text):
    """Returns true if an edge is an image, or one half of it, as a constraint names it."""
    return text in (edge, image(edge))


def turn(edges, rotation):
    """The edges at the right, top, left and bottom after quarter turns counter-clockwise."""
    return tuple(edges[(side - rotation) % 4] for side in range(4))


class Puzzle:
    def __init__(self, rng):
        self.rows, self.columns = rng.choice(SIZES)
        self.wrap = rng.choice([None] * 7 + ["horizontal", "vertical", "both"])
        self.labels, self.seen = rng.choice(PALETTES), set()
        self.cells = list(itertools.product(range(1, self.rows + 1), range(1, self.columns + 1)))
        self.seams = [((cell, side), (other, (side + 2) % 4)) for cell in self.cells for side in (0, 3)
                      if (other := self.beside(cell, side))]
        self.rim = set(itertools.product(self.cells, range(4))) - set(itertools.chain(*self.seams))
        # The constraint `seam` frees all seams between two cells.
        free = {cell for cell, _ in rng.choice(self.seams)} if rng.random() < 0.1 else None
        self.fixed = [ends for ends in self.seams if {cell for cell, _ in ends} != free]
        self.free = [{"seam": {"cells": sorted(free), "fit": rng.choice(["free", "wanted"])}}] if free else []
        number, most_faces = len(self.cells) + (rng.random() < 0.3), 1 + (rng.random() < 0.15)
        names = rng.sample(range(1, number + 1), number)
        self.copies = {name: rng.choice([1] * 6 + [2, "any"]) for name in names}
        looks = (edges for edges in iter(lambda: rng.choices(self.labels, k=4), None) if self.is_new(edges))
        self.faces = {name: list(itertools.islice(looks, rng.randint(1, most_faces))) for name in names}
        self.placements = [Placed(name, face, rotation, turn(edges, rotation)) for name in names
                           for face, edges in enumerate(self.faces[name]) for rotation in range(4)]
        edges = sorted({edge for placed in self.placements for edge in placed.edges})
        self.images = sorted(set(map(image, edges)))
        self.matches = {edge: rng.sample(edges, 2) for edge in rng.sample(edges, 2)} if rng.random() < 0.15 else {}
        self.weights = {"points": {str(name): rng.randint(-3, 5) for name in names[:-1]}}
        self.named = {"home": {"tile": rng.choice(names)}, "upright": {"rotation": rng.choice([0, "0..1", [1, 3]])}}

    def is_new(self, edges):
        """Returns true once for edges that differ in every rotation. Models have one tile for several that look alike."""
        turns = {turn(edges, rotation) for rotation in range(4)}
        is_new = len(turns) == 4 and not turns & self.seen
        self.seen |= turns
        return is_new

    def beside(self, cell, side):
        """The cell that touches a side; `None` if the side is on the rim."""
        row, column = map(operator.add, cell, STEPS[side])
        row = (row - 1) % self.rows + 1 if self.wrap in ("vertical", "both") else row
        column = (column - 1) % self.columns + 1 if self.wrap in ("horizontal", "both") else column
        return (row, column) if (row, column) in self.cells else None

    def match(self, one, other):
        if one in self.matches or other in self.matches:
            return other in self.matches.get(one, []) or one in self.matches.get(other, [])
        return other == one[:-1] + {"+": "-", "-": "+"}.get(one[-1], one[-1])

    def arrangements(self, laid={}):
        """The arrangements in which all seams match but the free ones: placements by cell."""
        if len(laid) == len(self.cells):
            yield laid
            return
        cell, used = self.cells[len(laid)], collections.Counter(placed.tile for placed in laid.values())
        left = {name for name, copies in self.copies.items() if copies == "any" or used[name] < copies}
        seams = [ends for ends in self.fixed if cell in dict(ends) and all(at in laid or at == cell for at, _ in ends)]
        for placed in (placed for placed in self.placements if placed.tile in left):
            now = laid | {cell: placed}
            if all(self.match(*(now[at].edges[side] for at, side in ends)) for ends in seams):
                yield from self.arrangements(now)

    def text(self, constraints):
        tiles = {str(name): {"edges": fronts, "copies": self.copies[name], **({"back": backs[0]} if backs else {})}
                 for name, (fronts, *backs) in self.faces.items()}
        keys = {"board": {"grid": [self.rows, self.columns], **({"wrap": self.wrap} if self.wrap else {})},
                "order": "counterclockwise-from-right", "tiles": tiles, "matches": self.matches,
                "weights": self.weights, "placements": self.named}
        lines = [f"{key}: {json.dumps(value)}\n" for key, value in keys.items() if value]
        return "".join(lines) + "constraints:\n" + "".join(f"  - {json.dumps(item)}\n" for item in constraints)


class Reader:
    """The meaning of constraints: functions of an arrangement, which maps cells to placements."""

    def __init__(self, puzzle):
        self.puzzle = puzzle

    def fill(self, node, values):
        """The node with values in place of variables, and expressions evaluated."""
        if isinstance(node, dict):
            filled = {str(self.fill(key, values)): self.fill(value, values) for key, value in node.items()}
            check(len(filled) == len(node), node)
            return filled
        if isinstance(node, list):
            return [self.fill(item, values) for item in node]
        if not isinstance(node, str) or not VARIABLE.search(node):
            return node
        text = VARIABLE.sub(lambda word: str(values.get(word[0], word[0])), node).replace("mod", "%")
        return eval(text) if re.fullmatch(r"[-+*%() \d]*\d\)*|\[\d, \d\]", text) else text

    def copies(self, items):
        """The items in a list, and the copies of those with `for` that `where` selects."""
        return [copy for item in listed(items) for copy in (self.repeated(item) if "for" in item else [item])]

    def repeated(self, item):
        puzzle, choices = self.puzzle, []
        domains = {"row": range(1, puzzle.rows + 1), "column": range(1, puzzle.columns + 1), "cell": puzzle.cells,
                   "tile": puzzle.faces, "image": puzzle.images, "rotation": range(4), "side": range(4)}
        place = lambda name, cell: {name: list(cell), f"{name}.row": cell[0], f"{name}.column": cell[1]}
        for domain, names in item["for"].items():
            if domain == "seam":
                pairs = [[cell for cell, _ in ends] for ends in puzzle.seams if len(dict(ends)) == 2]
                choices.append([place(names[0], one) | place(names[1], other) for one, other in pairs])
                continue
            values = domains[domain] if domain in domains else self.numbers(domain)
            choices += [[place(name, v) if domain == "cell" else {name: v} for v in values] for name in listed(names)]
        rest = {key: value for key, value in item.items() if key not in ("for", "where")}
        for values in map(lambda choice: dict(collections.ChainMap(*choice)), itertools.product(*choices)):
            texts = self.fill(listed(item.get("where", [])), values)
            if all([self.holds(text) for whole in texts for text in whole.split(" and ")]):
                yield self.fill(rest, values)

    def holds(self, condition):
        if " in " in condition:
            cell, part = condition.split(" in ")
            return tuple(json.loads(cell)) in self.cells(part)
        one, sign, other = re.fullmatch(r"(.*?) ([<>=!]+) (.*)", condition).groups()
        value = lambda text: text if text.isalpha() else eval(text)
        return SIGNS[sign](value(one), value(other))

    def numbers(self, node, allowed=None):
        """The numbers in a number, a range such as 1..3, or a list of these."""
        ends = [(str(item).split("..") * 2)[:2] for item in listed(node)]
        numbers = [number for first, last in ends for number in range(int(first), int(last) + 1)]
        check(numbers and (allowed is None or set(numbers) <= set(allowed)), node)
        return numbers

    def tiles(self, node):
        return self.numbers(node, self.puzzle.faces)

    def rotations(self, node):
        return self.numbers(node, range(4))

    def side(self, node):
        return SIDES.index(node) if node in SIDES else self.rotations(node)[0]

    def cells(self, node):
        """Cells in the order in which they are listed."""
        puzzle, size = self.puzzle, (self.puzzle.rows + 1, self.puzzle.columns + 1)
        if isinstance(node, dict):
            (key, value), = node.items()
            first, *others = [set(self.cells(item)) for item in ([value] if key == "neighbours of" else value)]
            beside = {puzzle.beside(cell, side) for cell in first for side in range(4)} & set(puzzle.cells)
            found = sorted({"neighbours of": beside - first, "difference": first.difference(*others),
                            "intersection": first.intersection(*others)}[key])
        elif isinstance(node, list):
            is_cell = all(isinstance(item, int) for item in node)
            found = [tuple(node)] if is_cell else [cell for item in node for cell in self.cells(item)]
        elif node in MOVES:
            found = [MOVES[node](*cell, *size) for cell in puzzle.cells]
        elif node in PARTS:
            rim = lambda cell: [(cell, side % 4) in puzzle.rim for side in range(5)]
            found = [cell for cell in puzzle.cells if PARTS[node](*cell, *size, rim(cell))]
        else:
            line, numbers = node.split(" ")
            axis = line.startswith("column")
            lines = self.numbers(numbers, range(1, size[axis]))
            found = [cell for cell in puzzle.cells if cell[axis] in lines]
        check(found and set(found) <= set(puzzle.cells), node)
        return found

    def field(self, fields, key, read, default=None):
        """The value of a field under its singular or plural."""
        keys = fields.keys() & {key, key + "s"}
        check(len(keys) < 2, keys)
        return read(fields[keys.pop()]) if keys else default

    def pattern(self, fields):
        """The cells and tiles of a pattern, if it names any, and the function that finds the matching cells."""
        for named in (self.puzzle.named[name] for name in self.field(fields, "placement", listed, [])):
            check(not any(key.rstrip("s") in named for key in fields), named)
            fields = fields | named
        cells, tiles = self.field(fields, "cell", self.cells), self.field(fields, "tile", self.tiles)
        rotations = self.field(fields, "rotation", self.rotations, range(4))
        face = self.field(fields, "face", ["front", "back"].index)
        check(face != 1 or any(faces[1:] for faces in self.puzzle.faces.values()), fields)
        shows = [(self.side(side), edge) for side, edge in fields.get("shows", {}).items()]
        check(len(dict(shows)) == len(shows), shows)
        fits = lambda cell, placed: (
            (not cells or cell in cells) and (not tiles or placed.tile in tiles) and placed.rotation in rotations
            and face in (None, placed.face) and all(shown(placed.edges[side], edge) for side, edge in shows))
        return cells, tiles, lambda a: {cell for cell in a if fits(cell, a[cell])}

    def bounded(self, fields, number):
        least, most = (fields.get("exactly", fields.get(key)) for key in ("at_least", "at_most"))
        check(None in (least, most) or least <= most, fields)
        return lambda a: (least is None or number(a) >= least) and (most is None or number(a) <= most)

    def values(self, fields):
        """The function that lists the values of cells, by default those of the field."""
        of = fields["of"]
        if of in ("number", "rotation"):
            value = operator.attrgetter("tile" if of == "number" else of)
        elif isinstance(of, dict) or of in self.puzzle.weights:
            weights = of if isinstance(of, dict) else self.puzzle.weights[of]
            weights = {tile: weight for key, weight in weights.items() for tile in self.tiles(key)}
            value = lambda placed: weights.get(placed.tile, 0)
        else:
            side = self.side(of)
            value = lambda placed: image(placed.edges[side])
        own = set(self.field(fields, "cell", self.cells, self.puzzle.cells))
        return lambda a, cells=own: [value(a[cell]) for cell in cells]

    def pair(self, fields):
        tiles = self.tiles(fields["tiles"] if isinstance(fields, dict) else fields)
        check(len(set(tiles)) == len(tiles) == 2, fields)
        return tiles

    def touching(self, fields):
        """The predicate that copies of two tiles touch, with sides that are named as on the front in rotation 0."""
        tiles, sides = self.pair(fields), fields.get("sides", ["any", "any"])
        sides = [None if side == "any" else self.side(side) for side in sides]
        seams = [ends for ends in self.puzzle.seams if len(dict(ends)) == 2]

        def is_there(placed, side, tile, wanted):
            own = (side - placed.rotation) % 4
            # A tile is turned over about its vertical axis, which exchanges right and left.
            return placed.tile == tile and wanted in (None, (2 - own) % 4 if placed.face else own)

        return lambda a: any(all(is_there(a[cell], side, *one) for (cell, side), one in zip(ends, zip(tiles, sides)))
                             for seam in seams for ends in (seam, seam[::-1]))

    def ordered(self, fields, axis):
        """The predicate that a copy of a tile is above one of another (axis 0), or left of it (axis 1)."""
        tiles, immediate = self.pair(fields), isinstance(fields, dict) and fields.get("immediate")
        is_before = lambda one, other: (
            (other[axis] - one[axis], other[1 - axis]) == (1, one[1 - axis]) if immediate else one[axis] < other[axis])
        return lambda a: any(is_before(*cells) for cells in itertools.permutations(a, 2)
                             if [a[cell].tile for cell in cells] == tiles)

    def rim(self, fields):
        edges = lambda a, on_rim: [edge for cell in a for side, edge in enumerate(a[cell].edges)
                                   if ((cell, side) in self.puzzle.rim) == on_rim]
        if "image" not in fields:
            return lambda a: len(set(map(image, edges(a, True)))) <= 1
        is_shown = lambda edge: shown(edge, fields["image"])
        return lambda a: (all(map(is_shown, edges(a, True)))
                          and not (fields.get("only") and any(map(is_shown, edges(a, False)))))

    def pin(self, fields):
        cells, tiles, matching = self.pattern(fields)
        check(cells or tiles, fields)
        check(not tiles or len(tiles) == 1 or len(set(cells or [])) == 1, fields)
        return (lambda a: bool(matching(a))) if tiles else (lambda a: matching(a) >= set(cells))

    def region(self, fields):
        if "only_in" in fields:
            tiles, cells = self.field(fields, "tile", self.tiles), self.cells(fields["only_in"])
            return lambda a: all(cell in cells for cell in a if a[cell].tile in tiles)
        cells, tiles = self.field(fields, "cell", self.cells), self.tiles(fields["only_from"])
        return lambda a: all(a[cell].tile in tiles for cell in cells)

    def turns(self, fields):
        fields = fields if isinstance(fields, dict) else {"rotations": fields}
        allowed, tiles = (self.field(fields, *one) for one in (("rotation", self.rotations), ("tile", self.tiles)))
        return lambda a: all(p.rotation in allowed for p in a.values() if tiles is None or p.tile in tiles)

    def linear(self, fields):
        terms = [(term["weight"], self.pattern(term)[2]) for term in self.copies(fields["terms"])]
        return self.bounded(fields, lambda a: sum(weight * len(matching(a)) for weight, matching in terms))

    def lex(self, fields):
        lines, values = list(map(self.cells, fields["lines"])), self.values(fields)
        check(len(set(map(len, lines))) == 1, lines)
        before = operator.lt if fields.get("strict") else operator.le
        return lambda a: all(before(values(a, one), values(a, other)) for one, other in itertools.pairwise(lines))

    def use(self, fields):
        tiles = set(self.tiles(fields.get("tiles", fields.get("without"))))
        return lambda a: tiles & {p.tile for p in a.values()} == (tiles if "tiles" in fields else set())

    def together(self, item):
        """The predicate of a single constraint, whose copies hold together."""
        parts = self.parts(item)
        return lambda a: all(part(a) for part in parts)

    def all_of(self, items):
        pins = [self.pattern(item["pin"])[0] or [] for item in self.copies(items) if "pin" in item]
        pinned = [cells[0] for cells in pins if len(set(cells)) == 1]
        check(len(set(pinned)) == len(pinned), pinned)
        return self.together(items)

    def number_of(self, fields, compare):
        parts = self.parts(fields["of"])
        check(0 <= fields["number"] <= len(parts), fields)
        return lambda a: compare(sum(part(a) for part in parts), fields["number"])

    def condition(self, item):
        when, then = self.together(item["if"]), self.together(item["then"])
        other = self.together(item["else"]) if "else" in item else lambda a: True
        return lambda a: then(a) if when(a) else other(a)

    def derived(self, read, fields, judge):
        """The predicate that judges what a function, which is read from the fields, returns."""
        function = read(fields)
        return lambda a: judge(function(a))

    def parts(self, items):
        return [self.meaning(item) for item in self.copies(items)]

    def meaning(self, item):
        """The predicate of a constraint without `for`."""
        if "if" in item:
            return self.condition(item)
        (kind, fields), = item.items()
        matching = lambda fields: self.pattern(fields)[2]
        return {
            "pin": self.pin, "rotations": self.turns, "region": self.region, "adjacent": self.touching, "rim": self.rim,
            "linear": self.linear, "lex": self.lex, "use": self.use, "all": self.all_of,
            "forbid": lambda f: self.derived(matching, f, operator.not_),
            "apart": lambda f: self.derived(self.touching, f, operator.not_),
            "not": lambda f: self.derived(self.together, f, operator.not_),
            "left_of": lambda f: self.ordered(f, 1), "above": lambda f: self.ordered(f, 0),
            "count": lambda f: self.bounded(f, self.derived(matching, f, len)),
            "sum": lambda f: self.bounded(f, self.derived(self.values, f, sum)),
            "all_different": lambda f: self.derived(self.values, f, lambda values: len(set(values)) == len(values)),
            "all_equal": lambda f: self.derived(self.values, f, lambda values: len(set(values)) == 1),
            "any": lambda f: self.derived(lambda f: lambda a, parts=self.parts(f): [part(a) for part in parts], f, any),
            "exactly": lambda f: self.number_of(f, operator.eq), "at_least": lambda f: self.number_of(f, operator.ge),
            "at_most": lambda f: self.number_of(f, operator.le),
        }[kind](fields)


class Writer:
    """Draws constraints that `Reader` accepts."""

    def __init__(self, rng, puzzle):
        rows, columns = list(range(1, puzzle.rows + 1)), list(range(1, puzzle.columns + 1))
        self.rng, self.reader, self.depth, self.level = rng, Reader(puzzle), 0, 0
        self.words = GRAMMAR | {
            "row": rows, "row_name": rows, "column": columns, "column_name": columns, "tile": list(puzzle.faces),
            "rotation": [0, 1, 2, 3], "edge": puzzle.labels + puzzle.images, "image": puzzle.images}

    def draw(self, node):
        if isinstance(node, list):
            return [self.draw(item) for item in node]
        if isinstance(node, dict):
            drawn = {}
            for key, value in node.items():
                if key[0] == "+":
                    drawn |= dict(pair for _ in range(value) for pair in self.draw(f"<{key[1:]}>").items())
                else:
                    drawn[str(self.draw(key))] = self.draw(value)
            return drawn
        word = re.fullmatch(r"<(\w+)>", str(node))
        if word:
            return self.item() if word[1] == "item" else self.draw(self.rng.choice(self.words[word[1]]))
        return re.sub(r"<\w+>", lambda word: str(self.draw(word[0])), node) if isinstance(node, str) else node

    def item(self):
        while True:
            item = self.repeated() if self.level < 2 and self.rng.random() < 0.35 else self.bare()
            if self.level:
                return item
            try:
                self.reader.together(item)
                return item
            except Refused:
                continue

    def bare(self):
        word = "<plain>" if self.depth == 3 or self.rng.random() < 0.3 else "<nested>"
        self.depth += 1
        item = self.draw(word)
        self.depth -= 1
        return item

    def repeated(self):
        """An item with `for`, whose variables have the number of the level in their names."""
        name = lambda node, own: json.loads(re.sub(r"\ba\b", own, json.dumps(node)))
        variables, conditions = name(self.rng.choice(REPEATS), f"a{self.level}")
        variables, conditions = json.loads(re.sub(r"\bb\b", f"b{self.level}", json.dumps([variables, conditions])))
        where = {"where": self.draw(self.rng.choice(conditions))} if self.rng.random() < 0.4 else {}
        before = self.words
        for domain, own in ((domain, own) for domain, names in variables.items() for own in listed(names)):
            uses = USES[{"seam": "cell"}.get(domain, "number" if ".." in domain else domain)]
            self.words = self.words | {word: self.words[word] + 2 * name(texts, own) for word, texts in uses.items()}
        self.level += 1
        item = self.bare()
        self.words, self.level = before, self.level - 1
        # Copies that are all the same would only make large models.
        return {"for": variables, **where, **item} if re.search(rf"\b[ab]{self.level}\b", json.dumps(item)) else item


class Programs:
    """The numbers of solutions by edgematch and by the programs that read its exports."""

    def __init__(self, program):
        folder = Path(tempfile.mkdtemp())
        self.program, self.file, self.model = program, folder / "puzzle.yaml", folder / "model.lp"

    def edgematch(self, *words):
        run = subprocess.run([self.program, *words, "-q", self.file], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            raise RuntimeError(run.stderr.split("\n")[0])
        return run.stdout

    def export(self, form):
        return self.edgematch("export", "--to", form)

    def count(self):
        return int(json.loads(self.edgematch("count", "--format", "json"))["solutions"])

    def solve(self, engine):
        return self.edgematch("solve", "--expand", "--engine", engine).count("----------")

    def highs(self):
        import highspy
        self.model.write_text(self.export("lp"))
        solver = highspy.Highs()
        solver.silent()
        solver.readModel(str(self.model))
        columns = [c for c in range(solver.getNumCol()) if solver.getColName(c)[1].startswith("x_")]
        for number in itertools.count():
            solver.run()
            if solver.getModelStatus() == highspy.HighsModelStatus.kSolveError:
                # The presolve of HiGHS 1.16 sometimes ends with a point outside its bounds where nothing is left.
                solver.setOptionValue("presolve", "off")
                solver.run()
            if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
                return number
            if solver.getModelStatus() != highspy.HighsModelStatus.kOptimal:
                raise RuntimeError(solver.getModelStatus())
            values = solver.getSolution().col_value
            chosen = [c for c in columns if values[c] > 0.5]
            solver.addRow(-highspy.kHighsInf, len(chosen) - 1.0, len(chosen), chosen, [1.0] * len(chosen))

    def glucose(self):
        """Counts the models of all variables, because the auxiliary ones follow from the others."""
        from pysat.formula import CNF
        from pysat.solvers import Glucose4
        with Glucose4(bootstrap_with=CNF(from_string=self.export("cnf"))) as solver:
            for number in itertools.count():
                if not solver.solve():
                    return number
                solver.add_clause([-literal for literal in solver.get_model()])

    def clingo(self):
        import clingo
        control = clingo.Control(["0", "--warn=none"])
        control.add("base", [], self.export("asp"))
        control.ground([("base", [])])
        with control.solve(yield_=True) as models:
            return sum(1 for _ in models)

    def minizinc(self):
        command = ["minizinc", "--solver", "gecode", "-a", "-"]
        run = subprocess.run(command, input=self.export("mzn"), capture_output=True, text=True)
        if run.returncode:
            raise RuntimeError(run.stderr)
        return run.stdout.count("----------")


def result(side):
    try:
        return side()
    except RuntimeError as error:
        return str(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "edgematch")
    parser.add_argument("--keep", type=Path, help="folder for the puzzles with a disagreement")
    args = parser.parse_args()
    install(["clingo", "highspy", "python-sat"], "minizinc", "minizinc")
    importlib.invalidate_caches()
    rng, programs, has_minizinc = random.Random(args.seed), Programs(args.program), shutil.which("minizinc")
    done = solved = wrong = 0
    while done < args.puzzles:
        puzzle = Puzzle(rng)
        arrangements = list(itertools.islice(puzzle.arrangements(), MOST_ARRANGEMENTS + 1))
        if not 0 < len(arrangements) <= MOST_ARRANGEMENTS:
            continue
        writer = Writer(rng, puzzle)
        constraints = [writer.item() for _ in range(rng.randint(1, 2))]
        try:
            holds = Reader(puzzle).all_of(constraints)
        except Refused:
            continue
        programs.file.write_text(puzzle.text(puzzle.free + constraints))
        if len(result(lambda: programs.export("lp"))) > LARGEST_MODEL:
            continue
        expected = sum(map(holds, arrangements))
        engine = ["propagate", "backtrack", "milp"][done % 3]
        sides = {"count": programs.count, engine: lambda: programs.solve(engine), "HiGHS": programs.highs,
                 "Glucose": programs.glucose, "clingo": programs.clingo}
        if has_minizinc and done % 50 == 0:
            sides["MiniZinc"] = programs.minizinc
        counts = {name: result(side) for name, side in sides.items()}
        done += 1
        solved += expected > 0
        if any(count != expected for count in counts.values()):
            wrong += 1
            print(f"expected {expected}, {counts}:\n{programs.file.read_text()}", flush=True)
            if args.keep:
                shutil.copy(programs.file, args.keep / f"logic-{args.seed}-{done}.yaml")
    print(f"{done} puzzles, {solved} of them with solutions: {wrong} disagreements")
    if not has_minizinc:
        print("MiniZinc was not found")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
