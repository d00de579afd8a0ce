#!/usr/bin/env python3
"""Random constraints: a brute force in Python and five other programs must agree on every count.

    python3 benches/peers/logic.py [--puzzles 5000] [--seed 1] [--program target/release/edgematch] [--keep FOLDER]

Each puzzle has two to six cells, sometimes joined at the ends, and tiles with halves, backs, copies or lists of matching
images. It has one to three constraints of all kinds except those of lines and connected cells, nested up to three deep,
with `for` and `where`. `Reader` states what docs/constraints.md says about them, and counts by brute force. `edgematch
count` counts, and `edgematch solve` lists with one engine after the other. HiGHS enumerates the exported LP, Glucose the
models of the CNF, clingo the answer sets and, for every fiftieth puzzle, MiniZinc the solutions. A disagreement is printed
with its puzzle, which `--keep` writes to a folder; the script then ends with 1. Installs clingo, highspy and python-sat
into target/peers, and MiniZinc from Debian where that may be done.
"""
import argparse, collections, importlib, itertools, json, operator, random, re, shutil, subprocess, sys, tempfile
from pathlib import Path

from run import ROOT, install

PROGRAM = ROOT / "target" / "release" / "edgematch"
SIDES = ["right", "top", "left", "bottom"]
STEPS = [(0, 1), (-1, 0), (0, -1), (1, 0)]
PALETTES = [["red", "blue", "green"], ["red+", "red-", "blue+", "blue-"],
            ["red", "blue+", "blue-"], ["red", "blue+", "blue-", "green+"]]
MOST_ARRANGEMENTS = 24
SIGNS = {"<": operator.lt, ">": operator.gt, "=": operator.eq, "!=": operator.ne}
# Rows and columns from 1, then their numbers plus 1, and which of a cell's sides are on the rim, the first one twice.
PARTS = {
    "all": lambda r, c, n, m, rim: True, "diagonal": lambda r, c, n, m, rim: n == m and r == c,
    "white": lambda r, c, n, m, rim: (r + c) % 2 == 0, "antidiagonal": lambda r, c, n, m, rim: r + c == n == m,
    "black": lambda r, c, n, m, rim: (r + c) % 2 == 1, "centre": lambda r, c, n, m, rim: (2 * r, 2 * c) == (n, m),
    "border": lambda r, c, n, m, rim: any(rim), "inside": lambda r, c, n, m, rim: not any(rim),
    "corners": lambda r, c, n, m, rim: any(map(operator.and_, rim, rim[1:])),
}
MOVES = {
    "turned 1": lambda r, c, n, m: (c, n - r), "turned 2": lambda r, c, n, m: (n - r, m - c),
    "turned 3": lambda r, c, n, m: (m - c, r), "mirrored left-right": lambda r, c, n, m: (r, m - c),
    "mirrored top-bottom": lambda r, c, n, m: (n - r, c), "mirrored diagonal": lambda r, c, n, m: (c, r),
    "mirrored antidiagonal": lambda r, c, n, m: (m - c, n - r),
}
VARIABLE = re.compile(r"\b[a-z]\d\b(\.(row|column))?")
Placed = collections.namedtuple("Placed", "tile face rotation edges")


class Refused(Exception):
    """The documentation does not allow what was drawn, such as a cell that is not on the board."""


def image(edge):
    return edge.rstrip("+-")


def turn(edges, rotation):
    """The edges at the right, top, left and bottom after quarter turns counter-clockwise."""
    return tuple(edges[(side - rotation) % 4] for side in range(4))


def shown(edge, text):
    """Returns true if an edge is an image, or one half of it, as a constraint names it."""
    return text in (edge, image(edge))


def negated(holds):
    return lambda a: not holds(a)


class Puzzle:
    def __init__(self, rng):
        self.rows, self.columns = rng.choice([(2, 2)] * 6 + [(1, 3), (3, 1), (1, 2), (2, 3), (3, 2)])
        self.wrap = rng.choice([None] * 7 + ["horizontal", "vertical", "both"])
        self.cells = list(itertools.product(range(1, self.rows + 1), range(1, self.columns + 1)))
        self.seams = [((cell, side), (other, side + 2 & 3)) for cell in self.cells for side in (0, 3)
                      if (other := self.beside(cell, side))]
        touching = set(itertools.chain(*self.seams))
        self.rim = [end for end in itertools.product(self.cells, range(4)) if end not in touching]
        self.free, self.seen, self.labels = set(), set(), rng.choice(PALETTES)
        choose = lambda number: rng.sample(self.labels, min(number, len(self.labels)))
        self.matches = {edge: choose(rng.randint(1, 2)) for edge in choose(2)} if rng.random() < 0.15 else {}
        number = len(self.cells) + (rng.random() < 0.3)
        names = rng.sample(range(1, number + 1), number)
        self.copies = {name: rng.choice([1] * 6 + [2, "any"]) for name in names}
        self.has_backs = rng.random() < 0.15
        looks = (edges for edges in iter(lambda: tuple(rng.choices(self.labels, k=4)), None) if self.is_new(edges))
        self.faces = {name: list(itertools.islice(looks, rng.randint(1, 1 + self.has_backs))) for name in names}
        self.placements = [Placed(name, face, rotation, turn(edges, rotation)) for name in names
                           for face, edges in enumerate(self.faces[name]) for rotation in range(4)]
        self.images = sorted({image(edge) for placed in self.placements for edge in placed.edges})
        self.weights = {"points": {str(name): rng.randint(-3, 5) for name in names if rng.random() < 0.8}}
        self.named = {"home": {"tile": rng.choice(names)}, "upright": {"rotation": rng.choice([0, "0..1", [1, 3]])}}

    def is_new(self, edges):
        """Returns true once for edges that differ in every rotation; a model would not tell others apart."""
        turns = {turn(edges, rotation) for rotation in range(4)}
        is_new = len(turns) == 4 and not turns & self.seen
        self.seen |= turns
        return is_new

    def beside(self, cell, side):
        """The cell that touches a side; `None` if the side is on the rim."""
        row, column = cell[0] + STEPS[side][0], cell[1] + STEPS[side][1]
        if self.wrap in ("vertical", "both"):
            row = (row - 1) % self.rows + 1
        if self.wrap in ("horizontal", "both"):
            column = (column - 1) % self.columns + 1
        return (row, column) if (row, column) in self.cells else None

    def match(self, one, other):
        if one in self.matches or other in self.matches:
            return other in self.matches.get(one, []) or one in self.matches.get(other, [])
        return other == one[:-1] + {"+": "-", "-": "+"}.get(one[-1], one[-1])

    def arrangements(self, laid={}):
        """The arrangements whose seams match, except the free ones: placements by cell."""
        if len(laid) == len(self.cells):
            yield laid
            return
        cell, used = self.cells[len(laid)], collections.Counter(placed.tile for placed in laid.values())
        for placed in self.placements:
            copies = self.copies[placed.tile]
            if copies != "any" and used[placed.tile] == copies:
                continue
            now = laid | {cell: placed}
            seams = (ends for ends in self.seams if any(end[0] == cell for end in ends) and ends not in self.free)
            if all(self.match(*(now[at].edges[side] for at, side in ends))
                   for ends in seams if all(at in now for at, _ in ends)):
                yield from self.arrangements(now)

    def text(self, constraints):
        board = {"grid": [self.rows, self.columns]} | ({"wrap": self.wrap} if self.wrap else {})
        tiles = {str(name): {"edges": faces[0]} | ({"back": faces[1]} if faces[1:] else {})
                 | ({"copies": self.copies[name]} if self.copies[name] != 1 else {}) for name, faces in self.faces.items()}
        keys = {"board": board, "order": "counterclockwise-from-right", "tiles": tiles, "matches": self.matches,
                "weights": self.weights, "placements": self.named}
        lines = [f"{key}: {json.dumps(value)}\n" for key, value in keys.items() if value]
        return "".join(lines) + "constraints:\n" + "".join(f"  - {json.dumps(item)}\n" for item in constraints)


class Reader:
    """What docs/constraints.md says about constraints: their copies, their fields, and a predicate for each kind."""

    def __init__(self, puzzle):
        self.puzzle = puzzle

    def refuse(self, what):
        raise Refused(what)

    def fill(self, node, values):
        """The node with values in place of variables, and expressions evaluated."""
        if isinstance(node, dict):
            return {str(self.fill(key, values)): self.fill(value, values) for key, value in node.items()}
        if isinstance(node, list):
            return [self.fill(item, values) for item in node]
        if not isinstance(node, str) or not VARIABLE.search(node):
            return node
        text = VARIABLE.sub(lambda word: str(values.get(word[0], word[0])), node)
        return eval(text.replace("mod", "%")) if re.fullmatch(r"[-+*() \dmod]*\d\)*|\[\d, \d\]", text) else text

    def copies(self, item):
        """The copies of an item, one for each combination of values that `where` selects."""
        if "for" not in item:
            return [item]
        puzzle = self.puzzle
        domains = {"row": range(1, puzzle.rows + 1), "column": range(1, puzzle.columns + 1), "cell": puzzle.cells,
                   "tile": puzzle.faces, "image": puzzle.images, "rotation": range(4), "side": range(4)}
        place = lambda name, cell: {name: list(cell), f"{name}.row": cell[0], f"{name}.column": cell[1]}
        choices = []
        for domain, names in item["for"].items():
            names = names if isinstance(names, list) else [names]
            if domain == "seam":
                pairs = [(one[0], other[0]) for one, other in puzzle.seams if one[0] != other[0]]
                choices.append([place(names[0], one) | place(names[1], other) for one, other in pairs])
            else:
                values = domains[domain] if domain in domains else self.numbers(domain)
                choices += [[place(name, v) if domain == "cell" else {name: v} for v in values] for name in names]
        conditions = item.get("where", [])
        rest = {key: value for key, value in item.items() if key not in ("for", "where")}
        copies = []
        for choice in itertools.product(*choices):
            values = {name: value for one in choice for name, value in one.items()}
            texts = self.fill(conditions if isinstance(conditions, list) else [conditions], values)
            if all([self.holds(text) for whole in texts for text in whole.split(" and ")]):
                copies.append(self.fill(rest, values))
        return copies

    def holds(self, condition):
        """Returns true if a condition without variables holds."""
        if " in " in condition:
            cell, part = condition.split(" in ")
            return tuple(json.loads(cell)) in self.cells(part)
        one, sign, other = re.fullmatch(r"(.*?) ([<>=!]+) (.*)", condition).groups()
        value = lambda text: text if text.isalpha() else eval(text.replace("mod", "%"))
        return SIGNS[sign](value(one), value(other))

    def numbers(self, node):
        """The numbers that are meant by a number, a range such as 1..3, or a list of these."""
        if isinstance(node, list):
            return [number for item in node for number in self.numbers(item)]
        first, last = (str(node).split("..") * 2)[:2]
        return list(range(int(first), int(last) + 1)) or self.refuse(node)

    def among(self, allowed, node):
        numbers = self.numbers(node)
        return numbers if set(numbers) <= set(allowed) else self.refuse(node)

    def tiles(self, node):
        return self.among(self.puzzle.faces, node)

    def rotations(self, node):
        return self.among(range(4), node)

    def side(self, node):
        return SIDES.index(node) if node in SIDES else self.among(range(4), node)[0]

    def cells(self, node):
        """Cells in the order in which they are listed."""
        puzzle, n, m = self.puzzle, self.puzzle.rows, self.puzzle.columns
        if isinstance(node, dict):
            (key, value), = node.items()
            first, *others = [set(self.cells(item)) for item in (value if key in ("intersection", "difference") else [value])]
            beside = {puzzle.beside(cell, side) for cell in first for side in range(4)} - {None}
            found = sorted({"neighbours of": beside - first, "difference": first.difference(*others),
                            "intersection": first.intersection(*others)}[key])
        elif isinstance(node, list):
            is_cell = all(isinstance(item, int) for item in node)
            found = [tuple(node)] if is_cell else [cell for item in node for cell in self.cells(item)]
        elif node in MOVES:
            found = [MOVES[node](r, c, n + 1, m + 1) for r, c in puzzle.cells]
        elif node in PARTS:
            rims = {cell: [(cell, side % 4) in puzzle.rim for side in range(5)] for cell in puzzle.cells}
            found = [(r, c) for r, c in puzzle.cells if PARTS[node](r, c, n + 1, m + 1, rims[r, c])]
        else:
            line, numbers = node.split(" ")
            found = [cell for cell in puzzle.cells if cell[line.startswith("column")] in self.numbers(numbers)]
        return found if found and set(found) <= set(puzzle.cells) else self.refuse(node)

    def field(self, fields, key, read, default):
        """The value of a field under its singular or plural."""
        return next((read(fields[name]) for name in (key, key + "s") if name in fields), default)

    def pattern(self, fields):
        """The cells and tiles of a pattern, `None` if it has no such field, and the function that lists its matches."""
        names = self.field(fields, "placement", lambda names: names if isinstance(names, list) else [names], [])
        for named in (self.puzzle.named[name] for name in names):
            if any(key.rstrip("s") in named for key in fields):
                self.refuse(named)
            fields = fields | named
        cells = self.field(fields, "cell", self.cells, None)
        tiles = self.field(fields, "tile", self.tiles, None)
        rotations = self.field(fields, "rotation", self.rotations, range(4))
        face = self.field(fields, "face", ["front", "back"].index, None)
        shows = [(self.side(side), edge) for side, edge in fields.get("shows", {}).items()]
        fits = lambda cell, placed: (
            (cells is None or cell in cells) and (tiles is None or placed.tile in tiles) and placed.rotation in rotations
            and face in (None, placed.face) and all(shown(placed.edges[side], edge) for side, edge in shows))
        return cells, tiles, lambda a: [cell for cell in a if fits(cell, a[cell])]

    def bounded(self, fields, number):
        least, most = (fields.get("exactly", fields.get(key)) for key in ("at_least", "at_most"))
        if None not in (least, most) and least > most:
            self.refuse(fields)
        return lambda a: (least is None or number(a) >= least) and (most is None or number(a) <= most)

    def values(self, fields):
        """The function that lists the values under `of` of some cells."""
        of = fields["of"]
        weights = of if isinstance(of, dict) else self.puzzle.weights.get(of)
        if weights:
            weights = {tile: weight for key, weight in weights.items() for tile in self.tiles(key)}
            value = lambda placed: weights.get(placed.tile, 0)
        elif of in ("number", "rotation"):
            value = operator.attrgetter("tile" if of == "number" else of)
        else:
            side = self.side(of)
            value = lambda placed: image(placed.edges[side])
        cells = set(self.field(fields, "cell", self.cells, self.puzzle.cells))
        return lambda a, cells=cells: [value(a[cell]) for cell in cells]

    def pin(self, fields):
        cells, tiles, matches = self.pattern(fields)
        if not tiles and cells:
            return lambda a: set(matches(a)) >= set(cells)
        is_allowed = tiles and (len(set(tiles)) == 1 or cells and len(set(cells)) == 1)
        return (lambda a: bool(matches(a))) if is_allowed else self.refuse(fields)

    def forbid(self, fields):
        matches = self.pattern(fields)[2]
        return lambda a: not matches(a)

    def turns(self, fields):
        fields = fields if isinstance(fields, dict) else {"rotations": fields}
        allowed = self.field(fields, "rotation", self.rotations, None)
        tiles = self.field(fields, "tile", self.tiles, self.puzzle.faces)
        return lambda a: all(placed.rotation in allowed for placed in a.values() if placed.tile in tiles)

    def region(self, fields):
        tiles = self.field(fields, "tile", self.tiles, []) or self.tiles(fields["only_from"])
        cells = self.cells(fields["only_in"]) if "only_in" in fields else self.field(fields, "cell", self.cells, None)
        if "only_in" in fields:
            return lambda a: all(cell in cells for cell in a if a[cell].tile in tiles)
        return lambda a: all(a[cell].tile in tiles for cell in cells)

    def two_tiles(self, fields):
        tiles = self.tiles(fields["tiles"] if isinstance(fields, dict) else fields)
        return tiles if len(set(tiles)) == len(tiles) == 2 else self.refuse(fields)

    def touching(self, fields):
        """The predicate that some copies of two tiles touch, with the given sides of the fronts in rotation 0."""
        wanted = list(zip(self.two_tiles(fields), fields.get("sides", ["any", "any"])))
        sides = [None if side == "any" else self.side(side) for _, side in wanted]
        seams = [ends for ends in self.puzzle.seams if ends[0][0] != ends[1][0]]

        def is_there(placed, side, which):
            own = (side - placed.rotation) % 4
            # A tile is turned over about its vertical axis.
            name = (2 - own) % 4 if placed.face else own
            return placed.tile == wanted[which][0] and sides[which] in (None, name)

        return lambda a: any(all(is_there(a[cell], side, which) for which, (cell, side) in enumerate(ends))
                             for seam in seams for ends in (seam, seam[::-1]))

    def ordered(self, fields, axis):
        """The predicate that some copy of a tile is left of another, or above it for the axis 0."""
        first, second = self.two_tiles(fields)
        immediate = isinstance(fields, dict) and fields.get("immediate", False)

        def is_before(one, other):
            steps = other[axis] - one[axis]
            return steps == 1 and one[1 - axis] == other[1 - axis] if immediate else steps > 0

        return lambda a: any(is_before(*cells) for cells in itertools.permutations(a, 2)
                             if [a[cell].tile for cell in cells] == [first, second])

    def rim(self, fields):
        rim, is_half = set(self.puzzle.rim), fields.get("image", "")[-1:] in "+-"
        inner = [end for end in itertools.product(self.puzzle.cells, range(4)) if end not in rim]
        if "image" not in fields:
            return lambda a: len({image(a[cell].edges[side]) for cell, side in rim}) <= 1
        is_shown = lambda a, end: shown(a[end[0]].edges[end[1]], fields["image"])
        return lambda a: (all(is_shown(a, end) for end in rim)
                          and not (fields.get("only") and any(is_shown(a, end) for end in inner)))

    def linear(self, fields):
        terms = [(term["weight"], self.pattern(term)[2]) for item in fields["terms"] for term in self.copies(item)]
        if not terms:
            self.refuse(fields)
        return self.bounded(fields, lambda a: sum(weight * len(matches(a)) for weight, matches in terms))

    def lex(self, fields):
        lines, values = [self.cells(line) for line in fields["lines"]], self.values(fields)
        if len({len(line) for line in lines}) > 1:
            self.refuse(fields)
        before = operator.lt if fields.get("strict") else operator.le
        return lambda a: all(before(values(a, one), values(a, other)) for one, other in itertools.pairwise(lines))

    def use(self, fields):
        tiles = set(self.field(fields, "tile", self.tiles, []) or self.tiles(fields["without"]))
        used = lambda a: {placed.tile for placed in a.values()} & tiles
        return lambda a: used(a) == (set() if "without" in fields else tiles)

    def any_of(self, kind, fields):
        """The predicate of `any`, `all` and those with `number`."""
        items = [copy for item in (fields["of"] if "number" in fields else fields) for copy in self.copies(item)]
        pins = [self.pattern(item["pin"])[0] for item in items if "pin" in item]
        pinned = [cells[0] for cells in pins if cells and len(set(cells)) == 1]
        if kind == "all" and len(set(pinned)) < len(pinned):
            self.refuse(fields)
        parts = [self.meaning(item) for item in items]
        number = fields["number"] if "number" in fields else {"any": 1, "all": len(parts)}[kind]
        if "number" in fields and not 0 <= number <= len(parts):
            self.refuse(fields)
        compare = {"any": operator.ge, "at_least": operator.ge, "at_most": operator.le}.get(kind, operator.eq)
        return lambda a: compare(sum(part(a) for part in parts), number)

    def together(self, item):
        """The predicate of a single constraint, whose copies hold together."""
        parts = [self.meaning(copy) for copy in self.copies(item)]
        return lambda a: all(part(a) for part in parts)

    def condition(self, item):
        when, then = self.together(item["if"]), self.together(item["then"])
        other = self.together(item["else"]) if "else" in item else lambda a: True
        return lambda a: then(a) if when(a) else other(a)

    def meaning(self, item):
        """The predicate of a constraint without `for`."""
        if "if" in item:
            return self.condition(item)
        (kind, fields), = item.items()
        if kind in ("any", "all", "exactly", "at_least", "at_most"):
            return self.any_of(kind, fields)
        readers = {
            "pin": self.pin, "forbid": self.forbid, "rotations": self.turns, "region": self.region,
            "adjacent": self.touching, "rim": self.rim, "linear": self.linear, "lex": self.lex, "use": self.use,
            "not": lambda fields: negated(self.together(fields)), "apart": lambda fields: negated(self.touching(fields)),
            "left_of": lambda fields: self.ordered(fields, 1), "above": lambda fields: self.ordered(fields, 0),
            "count": lambda fields, : self.bounded(fields, lambda a, matches=self.pattern(fields)[2]: len(matches(a))),
            "sum": lambda fields: self.bounded(fields, lambda a, values=self.values(fields): sum(values(a))),
            "all_different": lambda fields: self.distinct(fields, len),
            "all_equal": lambda fields: self.distinct(fields, lambda values: 1),
        }
        return readers[kind](fields)

    def distinct(self, fields, number):
        """The predicate that the number of different values is a function of their list."""
        values = self.values(fields)
        return lambda a: len(set(values(a))) == number(values(a))


class Writer:
    """Draws constraints. `scope` has the variables of `for`, each with its domain."""

    def __init__(self, rng, puzzle):
        self.rng, self.puzzle, self.scope, self.reader = rng, puzzle, [], Reader(puzzle)

    def chance(self, probability):
        return self.rng.random() < probability

    def one_of(self, *choices):
        choice = self.rng.choice(choices)
        return choice() if callable(choice) else choice

    def some(self, domain, constants):
        """A variable of a domain if there is one, else a constant."""
        names = [name for name, of in self.scope if of == domain]
        return self.rng.choice(names if names and self.chance(0.7) else list(constants))

    def some_list(self, draw, most=3):
        return list({str(item): item for item in (draw() for _ in range(self.rng.randint(1, most)))}.values())

    def line(self, domain):
        """The number of a row or column, perhaps an expression."""
        size = {"row": self.puzzle.rows, "column": self.puzzle.columns}[domain]
        name = self.some(domain, range(1, size + 1))
        shifts = [f"{name} + 1", f"{size + 1} - {name}", f"{name} mod {size} + 1"]
        return self.one_of(name, name, *shifts) if isinstance(name, str) else name

    def cell(self):
        return self.some("cell", [None]) or [self.line("row"), self.line("column")]

    def cells(self):
        sizes = {"row": self.puzzle.rows, "column": self.puzzle.columns}
        domain = self.one_of("row", "column")
        one_line = lambda: f"{domain} {self.some(domain, range(1, sizes[domain] + 1))}"
        lines = lambda: f"{domain}s {self.one_of(1, 1, 2)}..{sizes[domain]}"
        sets = lambda: [self.one_of(one_line, *PARTS), self.cells()]
        return self.one_of(self.cell, self.cell, one_line, lines, *PARTS, lambda: self.some_list(self.cell),
                           lambda: [self.cell(), one_line()], lambda: {"neighbours of": self.cells()},
                           lambda: {"intersection": sets()}, lambda: {"difference": sets()})

    def tile(self):
        return self.some("tile", self.puzzle.faces)

    def tiles(self):
        return self.one_of(self.tile, lambda: self.some_list(self.tile), lambda: f"{self.one_of(1, 2)}..{self.one_of(2, 3)}")

    def two_tiles(self):
        return self.rng.sample([*self.puzzle.faces, *(name for name, of in self.scope if of == "tile") ], 2)

    def rotation(self):
        name = self.some("rotation", range(4))
        return self.one_of(name, f"({name} + 1) mod 4", f"3 - {name}") if isinstance(name, str) else name

    def rotations(self):
        return self.one_of(self.rotation, lambda: self.some_list(self.rotation), "0..1", "1..3")

    def edge(self):
        return self.some("image", self.puzzle.labels + self.puzzle.images)

    def side(self):
        return self.some("side", SIDES)

    def shows(self):
        return {self.side(): self.edge() for _ in range(self.one_of(1, 1, 2))}

    def pattern(self):
        draws = {"cells": self.cells, "tiles": self.tiles, "rotations": self.rotations, "shows": self.shows,
                 "face": lambda: self.one_of("front", *["back"] * self.puzzle.has_backs),
                 "placements": lambda: self.one_of("home", "upright", ["upright", "home"])}
        keys = self.rng.sample([*draws, "cells", "tiles", "shows"], self.one_of(1, 2, 2, 3))
        return {key[:-1] if key[-1] == "s" != key[-2] and key != "shows" and self.chance(0.5) else key: draws[key]()
                for key in dict.fromkeys(keys)}

    def number(self, low, high):
        names = [name for name, of in self.scope if of in ("row", "column", "tile", "rotation", "number")]
        names += [f"{name}.{part}" for name, of in self.scope if of == "cell" for part in ("row", "column")]
        if names and self.chance(0.4):
            name = self.rng.choice(names)
            return self.one_of(name, f"{name} - 1", f"2 * {name}", f"2 * ({name} + 1) - 3")
        return self.rng.randint(low, high)

    def bounds(self, low, high):
        keys = self.one_of(["at_least"], ["at_most"], ["exactly"], ["at_least", "at_most"])
        return {key: self.number(low, high) for key in keys}

    def weights(self):
        return self.one_of("points", {str(tile): self.rng.randint(-3, 5) for tile in self.some_list(self.tile)})

    def of(self):
        return self.one_of("number", "rotation", self.side, self.weights)

    def some_cells(self):
        return {} if self.chance(0.2) else {"cells": self.cells()}

    def linear(self):
        terms = [{"weight": self.rng.randint(-3, 3), **self.pattern()} for _ in range(self.rng.randint(1, 3))]
        if self.chance(0.3):
            terms.append(self.repeated(lambda: {"weight": self.number(-2, 3), **self.pattern()}))
        return {"terms": terms, **self.bounds(-3, 5)}

    def lines(self):
        parts = [f"{domain} {{}}" for domain in ("row", "column")]
        part, one = self.one_of(*parts), self.one_of(lambda: ["all", *self.some_list(lambda: self.one_of(*MOVES), 2)])
        lines = lambda: [part.format(number) for number in self.rng.sample(range(1, 4), 2)]
        cells = lambda: [self.some_list(self.cell), self.some_list(self.cell)]
        return self.one_of(one, lines, cells, lambda: [self.cell(), self.cell()])

    def adjacent(self):
        sides = {"sides": [self.one_of("any", self.side) for _ in range(2)]} if self.chance(0.6) else {}
        return {"tiles": self.two_tiles(), **sides}

    def ordered(self):
        return self.one_of(self.two_tiles, lambda: {"tiles": self.two_tiles(), "immediate": self.chance(0.7)})

    def plain(self):
        bounded = lambda draw, low, high: lambda: {**draw(), **self.bounds(low, high)}
        value = lambda: self.one_of("number", "rotation", self.weights)
        draws = {
            "pin": self.pattern, "forbid": self.pattern, "linear": self.linear, "adjacent": self.adjacent,
            "apart": self.adjacent, "left_of": self.ordered, "above": self.ordered,
            "rotations": lambda: self.one_of(self.rotations, lambda: {"tiles": self.tiles(), "rotations": self.rotations()}),
            "region": lambda: self.one_of({"tiles": self.tiles(), "only_in": self.cells()},
                                          {"cells": self.cells(), "only_from": self.tiles()}),
            "rim": lambda: self.one_of({"same": True}, {"image": self.edge()}, {"image": self.edge(), "only": self.chance(0.7)}),
            "count": bounded(lambda: self.pattern() if self.chance(0.95) else {}, 0, 3),
            "sum": bounded(lambda: {**self.some_cells(), "of": value()}, 0, 12),
            "all_different": lambda: {**self.some_cells(), "of": self.of()},
            "all_equal": lambda: {**self.some_cells(), "of": self.of()},
            "lex": lambda: {"lines": self.lines(), "of": self.of(), **({"strict": True} if self.chance(0.3) else {})},
            "use": lambda: {self.one_of("tiles", "without"): self.tiles()},
        }
        kind = self.rng.choice(list(draws))
        return {kind: draws[kind]()}

    def repeated(self, draw):
        """An item with `for`: variables, which `draw` may use, and perhaps conditions."""
        n = len(self.scope)
        names = [f"{letter}{n}" for letter in "abcd"]
        one, other = names[:2]
        line = self.one_of("row", "column")
        choices = [
            ({line: one}, [f"{one} < 2", f"{one} != 1"]), ({"rotation": one}, [f"{one} > 1", f"{one} mod 2 = 0"]),
            ({"row": one, "column": other}, [f"{one} != {other}", f"{one} + {other} = 3 and {one} < 2"]),
            ({"cell": one}, [f"{one} in {self.one_of(*PARTS)}", f"{one} != [1, 1]", f"{one}.row = {one}.column",
                             [f"{one}.row + {one}.column < 4", f"{one} in row 1"]]),
            ({"cell": [one, other]}, [f"{one}.row < {other}.row", f"{one} != {other}"]),
            ({"seam": [one, other]}, [f"{one} in {line} 1", f"{one}.row = {other}.row"]),
            ({"tile": one}, [f"{one} != 2", f"{one} mod 2 = 1"]), ({"tile": [one, other]}, [f"{one} < {other}"]),
            ({"image": one}, [f"{one} != red"]), ({"side": one}, [f"{one} < 2"]), ({"1..2": one}, [f"{one} = 2"]),
            ({"1..3": [one, other]}, [f"{one} < {other}", f"{one} + {other} > 4"]),
        ]
        variables, conditions = self.rng.choice(choices)
        where = {"where": self.rng.choice(conditions)} if self.chance(0.4) else {}
        added = [(name, "cell" if domain == "seam" else "number" if ".." in domain else domain)
                 for domain, of in variables.items() for name in (of if isinstance(of, list) else [of])]
        self.scope += added
        item = {"for": variables, **where, **draw()}
        del self.scope[n:]
        return item

    def item(self, depth):
        """A constraint that the documentation allows, and its variables if they are not those of an outer one."""
        while True:
            repeats = self.chance(0.25) and len(self.scope) < 2
            item = self.repeated(lambda: self.bare(depth)) if repeats else self.bare(depth)
            if self.scope:
                return item
            try:
                self.reader.together(item)
                return item
            except Refused:
                pass

    def bare(self, depth):
        if depth == 0 or self.chance(0.3):
            return self.plain()
        kind = self.one_of("any", "all", "not", "if", "exactly", "at_least", "at_most")
        if kind == "not":
            return {"not": self.item(depth - 1)}
        if kind == "if":
            return {key: self.item(depth - 1) for key in ("if", "then", "else")[: self.one_of(2, 3)]}
        parts = [self.item(depth - 1) for _ in range(self.rng.randint(1, 3))]
        return {kind: parts if kind in ("any", "all") else {"number": self.number(0, len(parts)), "of": parts}}


class Program:
    """The counts of edgematch, and of the programs that read its exports."""

    def __init__(self, program, folder):
        self.program, self.file, self.model = program, folder / "puzzle.yaml", folder / "model.lp"

    def edgematch(self, *words):
        run = subprocess.run([self.program, *words, self.file, "-q"], capture_output=True, text=True)
        if run.returncode not in (0, 1):
            raise RuntimeError(run.stderr)
        return run.stdout

    def count(self):
        return int(json.loads(self.edgematch("count", "--format", "json"))["solutions"])

    def solve(self, engine):
        return self.edgematch("solve", "--expand", "--engine", engine).count("----------")

    def highs(self):
        import highspy
        self.model.write_text(self.edgematch("export", "--to", "lp"))
        solver = highspy.Highs()
        solver.silent()
        solver.readModel(str(self.model))
        columns = [c for c in range(solver.getNumCol()) if solver.getColName(c)[1].startswith("x_")]
        for number in itertools.count():
            solver.run()
            if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
                return number
            assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal, solver.getModelStatus()
            values = solver.getSolution().col_value
            chosen = [c for c in columns if values[c] > 0.5]
            solver.addRow(-highspy.kHighsInf, len(chosen) - 1.0, len(chosen), chosen, [1.0] * len(chosen))

    def glucose(self):
        """All models count, because auxiliary variables must follow from the others."""
        from pysat.formula import CNF
        from pysat.solvers import Glucose4
        with Glucose4(bootstrap_with=CNF(from_string=self.edgematch("export", "--to", "cnf"))) as solver:
            for number in itertools.count():
                if not solver.solve():
                    return number
                solver.add_clause([-literal for literal in solver.get_model()])

    def clingo(self):
        import clingo
        control = clingo.Control(["0", "--warn=none"])
        control.add("base", [], self.edgematch("export", "--to", "asp"))
        control.ground([("base", [])])
        with control.solve(yield_=True) as models:
            return sum(1 for _ in models)

    def minizinc(self):
        command = ["minizinc", "--solver", "gecode", "-a", "-"]
        run = subprocess.run(command, input=self.edgematch("export", "--to", "mzn"), capture_output=True, text=True, check=True)
        return run.stdout.count("----------")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", default=ROOT / "target" / "release" / "edgematch")
    parser.add_argument("--keep", type=Path, help="folder for puzzles with a disagreement")
    args = parser.parse_args()
    install(["clingo", "highspy", "python-sat"], "minizinc", "minizinc")
    importlib.invalidate_caches()
    rng, has_minizinc = random.Random(args.seed), shutil.which("minizinc")
    program = Program(args.program, Path(tempfile.mkdtemp()))
    done = solved = wrong = 0
    kinds = collections.Counter()
    while done < args.puzzles:
        puzzle = Puzzle(rng)
        free = [rng.choice(puzzle.seams)] if rng.random() < 0.1 else []
        seams = [{"seam": {"cells": sorted({cell for cell, _ in ends}), "fit": rng.choice(["free", "wanted"])}} for ends in free]
        puzzle.free = {ends for ends in puzzle.seams for one in free if {c for c, _ in ends} == {c for c, _ in one}}
        arrangements = list(itertools.islice(puzzle.arrangements(), MOST_ARRANGEMENTS + 1))
        # Else a program enumerates for long what the constraints hardly touch.
        if not 0 < len(arrangements) <= MOST_ARRANGEMENTS:
            continue
        writer = Writer(rng, puzzle)
        constraints = [writer.item(3) for _ in range(rng.randint(1, 2))]
        try:
            holds = Reader(puzzle).any_of("all", constraints)
        except Refused:
            continue
        expected = sum(holds(a) for a in arrangements)
        program.file.write_text(puzzle.text(seams + constraints))
        engine = ["propagate", "backtrack", "milp"][done % 3]
        sides = {"count": program.count, engine: lambda: program.solve(engine), "HiGHS": program.highs,
                 "Glucose": program.glucose, "clingo": program.clingo}
        if done % 50 == 0 and has_minizinc:
            sides["MiniZinc"] = program.minizinc
        counts = {}
        for name, side in sides.items():
            try:
                counts[name] = side()
            except (RuntimeError, AssertionError) as error:
                counts[name] = str(error).split("\n")[0]
        done += 1
        solved += expected > 0
        kinds.update(set(re.findall(r'"(\w+)":', json.dumps(seams + constraints))))
        if any(count != expected for count in counts.values()):
            wrong += 1
            print(f"expected {expected}, {counts}:\n{program.file.read_text()}", flush=True)
            if args.keep:
                shutil.copy(program.file, args.keep / f"seed-{args.seed}-{done}.yaml")
    print(f"{done} puzzles, {solved} of them with solutions: {wrong} disagreements")
    print(", ".join(f"{kind} {number}" for kind, number in sorted(kinds.items())))
    if not has_minizinc:
        print("MiniZinc is not installed")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
