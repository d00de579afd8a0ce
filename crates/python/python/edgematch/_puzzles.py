"""The class `Puzzle`, and the functions that make puzzles."""
from __future__ import annotations

import json
import os
import pickle
import random
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from operator import index
from pathlib import Path
from typing import Any, Literal, SupportsIndex

from . import _edgematch
from ._answers import Best, Comparison, Count, Diagnosis, Estimates, Hint, Why
from ._edgematch import Stopped
from ._model import Model
from ._solutions import Cell, Drawing, Placement, Solution, Solutions

Edges = str | Sequence[str | int] | Mapping[str, Any]


def engines() -> dict[str, str]:
    """The names of the engines, each with a description."""
    return dict(_edgematch.engines())


def load(source: str | os.PathLike[str] | Mapping[Any, Any], name: str = "puzzle") -> Puzzle:
    """Reads a puzzle.

    Parameters
    ----------
    source : path-like, str or mapping
        A file or a folder; a text in any form that the command reads; or a dictionary with the keys of the YAML files. A
        string with a line break or a brace is a text, any other string is a path.
    name : str
        The name of a puzzle that has none; it also names a text in errors.

    Raises
    ------
    PuzzleError
        If it cannot be read.
    FileNotFoundError
        If there is no such file.
    """
    if not source:
        raise ValueError("expected a non-empty path, puzzle text or dictionary")
    if isinstance(source, Mapping):
        source = json.dumps(_plain(source))
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return Puzzle._of(_read(_edgematch.Problem.from_text(source, name)))
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; the text of a puzzle must contain a line break or a brace")
    return Puzzle._of(_read(_edgematch.Problem.from_path(path)))


def generate(
    rows: int = 3,
    cols: int = 3,
    *,
    board: Any = None,
    images: int | None = None,
    matching: Literal["half", "equal"] = "half",
    framed: bool = False,
    frame_images: int = 0,
    rotations: bool = True,
    two_sided: bool = False,
    like: Puzzle | None = None,
    unique: bool = False,
    classes: tuple[int, int | None] | None = None,
    difficulty: str | tuple[float, float | None] | None = None,
    no_twins: bool = False,
    seed: int | None = None,
    name: str | None = None,
    time_limit: float | None = None,
) -> Puzzle:
    """Generates a puzzle with a solution.

    Parameters
    ----------
    rows, cols : int
        The size of the board.
    board : str or mapping, optional
        Another board, as in the YAML files: `"cube"`, `{"grid": [2, 4], "wrap": "both"}`.
    images : int, optional
        The number of images; by default, as many as make a second solution unlikely or the difficulty likely.
    matching : {"half", "equal"}
        Whether an edge shows half of an image, or a whole one that matches itself.
    framed : bool
        Puts a border image on the whole rim and nowhere else, as in Eternity II.
    frame_images : int
        The number of further images that are only between two tiles on the rim.
    rotations : bool
        False if tiles may not be turned, as in TetraVex.
    two_sided : bool
        Whether tiles have backs with other edges.
    like : Puzzle, optional
        Deals the edges of this puzzle anew; the options above do not matter then.
    unique : bool
        Requires exactly one solution up to the symmetries of the board, proven.
    classes : tuple of int, optional
        The minimum and the maximum number of such solutions; None for no maximum.
    difficulty : {"easy", "medium", "hard"} or tuple, optional
        A range of tries per distinct solution. The names are those of sold puzzles with nine tiles.
    no_twins : bool
        Requires that no two tiles look the same.
    seed : int, optional
        Equal seeds give equal puzzles. By default a random one, which the name of the puzzle ends in.
    name : str, optional
        The name of the puzzle.
    time_limit : float, optional
        Seconds. With it, targets that look unreachable are tried, too.

    Raises
    ------
    ValueError
        If there is no such puzzle.
    Stopped
        If none was found.
    """
    if unique and classes is not None:
        raise ValueError("unique and classes exclude each other")
    if frame_images and not framed:
        raise ValueError("frame_images needs framed")
    if matching not in ("half", "equal"):
        raise ValueError("matching: expected half or equal")
    if like is not None and not isinstance(like, Puzzle):
        raise TypeError("like: expected a Puzzle")
    if classes is not None and (not isinstance(classes, Sequence) or len(classes) != 2):
        raise TypeError("classes: expected a minimum and a maximum")
    seed = random.randrange(1_000_000_000) if seed is None else _whole("seed", seed)
    wish = {
        "board": json.dumps(_plain({"grid": [rows, cols]} if board is None else board)),
        "images": images,
        "halves": matching == "half",
        "frame": frame_images if framed else None,
        "may_turn": rotations,
        "two_sided": two_sided,
        "classes": (1, 1) if unique else classes,
        "difficulty": _difficulty(difficulty),
        "no_twins": no_twins,
    }
    inner = None if like is None else like._inner
    return Puzzle._of(_edgematch.generate(wish, inner, name or f"generated-s{seed}", seed, time_limit))


def _difficulty(difficulty: Any) -> Any:
    """A difficulty by name or as a range; None if there is none."""
    match difficulty:
        case None | str():
            return difficulty
        case (least, most):
            return float(least or 0), None if most is None else float(most)
        case _:
            raise TypeError("difficulty: expected easy, medium, hard, or a range of tries (from, to)")


def _plain(value: Any) -> Any:
    """Converts a value for JSON: keys become strings, iterables lists, and numbers of NumPy those of Python."""
    if isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Mapping):
        plain = {str(_plain(key)): _plain(inner) for key, inner in value.items()}
        if len(plain) < len(value):
            raise ValueError(f"two keys are the same as text: {', '.join(map(repr, value))}")
        return plain
    if value is None or (isinstance(value, float) and not isfinite(value)):
        raise ValueError(f"{value} has no meaning here; an unknown edge is \"?\"")
    # NumPy and pandas.
    if (tolist := getattr(value, "tolist", None)) is not None:
        return _plain(tolist())
    return [_plain(inner) for inner in value] if isinstance(value, Iterable) else value


def _whole(name: str, value: SupportsIndex, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number within bounds, which are inclusive."""
    number = index(value)
    if not least <= number <= most:
        raise ValueError(f"{name}: expected a whole number from {least} to {most}, found {number}")
    return number


def _threads(threads: SupportsIndex | None) -> int | None:
    return None if threads is None else _whole("threads", threads, 1)


def _read(inner: _edgematch.Problem) -> _edgematch.Problem:
    """Warns of probable mistakes in a text that was read."""
    for warning in inner.warnings:
        warnings.warn(warning, PuzzleWarning, stacklevel=3)
    return inner


class PuzzleWarning(UserWarning):
    """A probable mistake in a puzzle, such as an image of which only one half occurs; `allow` silences it."""


class Puzzle:
    """Tiles, a board and constraints.

    Parameters
    ----------
    tiles : mapping or sequence
        The edges of each tile by its name, or a list of them: `{1: ["red+", "blue-", "red-", "green+"], ...}`.
    rows, cols : int, optional
        The size of the board; by default a square.
    board : str or mapping, optional
        Another board: `"cube"`, `{"grid": [2, 4], "wrap": "both"}`.
    name, title, source : str, optional
        What it is called, and where the edges come from.
    order : str
        The order of the edges, such as `"clockwise-from-top"`.
    border : str, optional
        The image on the whole rim and nowhere else.
    matching : {"half", "equal"}, optional
        Asserts that every image has two halves, or none.
    matches : mapping, optional
        Edges that match others than themselves or their other half: each with all edges that it matches.
    rotations : bool
        False if tiles may not be turned.
    flip : {"mirror", "reverse"}, optional
        Tiles have backs that follow from their fronts.
    images : mapping, optional
        Descriptions of edges.
    constraints : sequence of mapping
        [Constraints](constraints.md) as dictionaries.
    objective : mapping or sequence, optional
        What `optimize` maximises or minimises.
    placements, weights : mapping, optional
        Placements and weights with names, for the constraints.
    allow : sequence of str
        Warnings that are not given.

    Raises
    ------
    PuzzleError
        If they are not a puzzle.
    """

    __slots__ = ("_inner",)

    def __init__(
        self,
        tiles: Mapping[Any, Edges] | Sequence[Edges],
        *,
        rows: int | None = None,
        cols: int | None = None,
        board: Any = None,
        name: str = "puzzle",
        title: str | None = None,
        source: str | None = None,
        order: str = "counterclockwise-from-right",
        border: str | None = None,
        matching: Literal["half", "equal"] | None = None,
        matches: Mapping[str, Any] | None = None,
        rotations: bool = True,
        flip: Literal["mirror", "reverse"] | None = None,
        images: Mapping[str, str] | None = None,
        constraints: Sequence[Mapping[str, Any]] = (),
        objective: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        placements: Mapping[str, Any] | None = None,
        weights: Mapping[str, Any] | None = None,
        allow: Sequence[str] = (),
    ):
        keys = {
            "name": name, "title": title, "source": source, "rows": rows, "cols": cols, "board": board, "order": order,
            "border": border, "matching": matching, "matches": matches, "rotations": rotations, "flip": flip,
            "images": images, "placements": placements, "weights": weights, "tiles": tiles,
            "constraints": constraints or None, "objective": objective, "allow": allow or None,
        }
        given = {key: value for key, value in keys.items() if value is not None}
        self._inner = _read(_edgematch.Problem.from_text(json.dumps(_plain(given)), name))

    @classmethod
    def _of(cls, inner: _edgematch.Problem) -> Puzzle:
        puzzle = cls.__new__(cls)
        puzzle._inner = inner
        return puzzle

    @classmethod
    def from_text(cls, text: str, name: str = "puzzle") -> Puzzle:
        """Reads a text in any form that the command reads; `name` is its name if the text gives none."""
        return cls._of(_read(_edgematch.Problem.from_text(text, name)))

    @classmethod
    def from_yaml(cls, text: str, name: str = "puzzle") -> Puzzle:
        """Reads the text of a YAML file, as `to_yaml` returns it."""
        return cls._of(_read(_edgematch.Problem.from_text(text, name)))

    def to_yaml(self) -> str:
        """The puzzle as a YAML file; ValueError if it has functions as constraints."""
        return self._inner.to_yaml()

    def __reduce__(self) -> Any:
        try:
            return _restored, (self.to_yaml(), self.name)
        except ValueError as error:
            raise pickle.PicklingError("a puzzle with functions as constraints can't be pickled") from error

    def _content(self) -> Any:
        """What equal puzzles have in common; a puzzle with functions as constraints equals only itself."""
        try:
            return self.to_yaml()
        except ValueError:
            return id(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and (self is other or self._content() == other._content())

    def __hash__(self) -> int:
        return hash(self._content())

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}: {len(self.tiles)} tiles, {self.board}>"

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self._inner.name

    @property
    def board(self) -> str:
        """The board in words, such as `3 × 3 grid`."""
        return self._inner.board

    @property
    def seams(self) -> list[tuple[Cell, Cell]]:
        """The pairs of cells that touch."""
        return list(self._inner.seams)

    @property
    def tiles(self) -> dict[str, list[str]]:
        """The edges of the front of each tile, counter-clockwise from the right, by its name, a string."""
        return dict(self._inner.tiles("front"))

    @property
    def backs(self) -> dict[str, list[str]]:
        """The edges of the back of each tile that has one, as `tiles` lists those of the front."""
        return dict(self._inner.tiles("back"))

    @property
    def cells(self) -> list[Cell]:
        """The cells of the board: pairs of row and column, or names."""
        return list(self._inner.cells)

    def with_constraints(self, *constraints: Mapping[str, Any]) -> Puzzle:
        """Returns a puzzle with more constraints, which prune the search.

        Parameters
        ----------
        *constraints : mapping
            [Constraints](constraints.md) as dictionaries: `{"pin": {"cell": (1, 1), "tile": 5}}`,
            `{"for": {"row": "r"}, "sum": {"cells": "row r", "of": "number", "at_least": 13}}`.
        """
        return Puzzle._of(self._inner.with_constraints(json.dumps({"constraints": _plain(constraints)})))

    def where(self, check: Callable[[Solution], bool], *, depends_on: str | Iterable[str] | None = None) -> Puzzle:
        """Returns a puzzle whose solutions must also satisfy a function.

        Searches call it with complete arrangements, from threads of their own, and do not prune by it. An exception ends the
        search and is raised where its result is requested.

        Parameters
        ----------
        check : callable
            Returns True for the solutions to keep.
        depends_on : str or iterable of str, optional
            What the result depends on; the less, the faster. By default everything: the function is called for every turn of
            the board and every exchange of identical tiles, and each is a separate solution.

            - `"edges"`: the images that the cells show, and which sides touch (always included);
            - `"tiles"`: the tile in a cell, even if another tile shows the same images;
            - `"rotations"`: the rotation and face of a tile, even if several look the same;
            - `"position"`: the position of a tile on the board.

            A search that detects a dependence that is not declared raises SearchError, but not every one can be detected.
        """
        if not callable(check):
            raise TypeError("where takes a function of a solution; with_constraints takes dictionaries")
        words = [depends_on] if isinstance(depends_on, str) else None if depends_on is None else list(depends_on)

        def allows(inner: _edgematch.Solution) -> bool:
            return bool(check(Solution(self, inner)))

        allows.__name__ = getattr(check, "__name__", type(check).__name__)
        return Puzzle._of(self._inner.with_function(allows, words))

    def solutions(self, engine: str = "auto", *, limit: int | None = None, expand: bool = False, time_limit: float | None = None,
                  threads: int | None = None) -> Solutions:
        """Starts a search for the distinct solutions; other threads run meanwhile, and Ctrl-C ends it.

        Parameters
        ----------
        engine : str
            One of `engines()`, or a form of one, as `compare` names them.
        limit : int, optional
            The maximum number of solutions.
        expand : bool
            Yields every solution: each turn of the board and each exchange of identical tiles is one.
        time_limit : float, optional
            Seconds.
        threads : int, optional
            By default one for each core.

        Returns
        -------
        Solutions
            An iterator; at its end, `.complete` is True if these are proven to be all.
        """
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise ValueError("limit: expected a number of solutions, or None for all")
        # The limit of the search counts distinct solutions, and 0 means none.
        of_search = 0 if expand else limit or 0
        return Solutions(self, self._inner.search(engine, of_search, expand, time_limit, _threads(threads)), limit)

    def solve(self, engine: str = "auto", *, expand: bool = False, time_limit: float | None = None,
              threads: int | None = None) -> Solution | None:
        """The first solution; None if it is proven that there is none. Objectives do not matter: see `optimize`.

        Raises
        ------
        Stopped
            If none was found in time.
        """
        with self.solutions(engine, limit=1, expand=expand, time_limit=time_limit, threads=threads) as solutions:
            found = next(solutions, None)
            if found is None and not solutions.complete:
                raise Stopped(f"no solution found: {solutions.status}")
            return found

    def count(self, engine: str | None = None, *, marginals: bool = False, time_limit: float | None = None,
              threads: int | None = None) -> Count:
        """Counts solutions, however many there are.

        Parameters
        ----------
        engine : str, optional
            An engine that lists them; by default, whichever of a list and a count along a frontier is faster.
        marginals : bool
            Also counts, for each tile and cell, the solutions with the tile in the cell.
        time_limit, threads
            As for `solutions`; after the time limit, the counts are lower bounds.
        """
        if not marginals:
            return self._count(_edgematch.count(self._inner, engine, time_limit, _threads(threads)))
        if engine is not None:
            raise ValueError("marginals are counted without an engine")
        counts, kinds = _edgematch.marginals(self._inner, time_limit, _threads(threads))
        rows = [(tiles, [int(number, 16) for number in row]) for tiles, row in kinds]
        shares = {tile: {cell: number for cell, number in zip(self.cells, row) if number}
                  for tiles, row in rows for tile in tiles}
        return self._count(counts, {tile: shares[tile] for tile in self.tiles})

    @staticmethod
    def _count(counts: tuple[str, str, str, bool, str, float],
               marginals: dict[str, dict[Cell, int]] | None = None) -> Count:
        distinct, classes, solutions, complete, status, seconds = counts
        return Count(int(distinct, 16), int(classes, 16), int(solutions, 16), complete, status, seconds, marginals)

    def sample(self, number: int = 1, *, seed: int | None = None, time_limit: float | None = None,
               threads: int | None = None) -> list[Solution]:
        """Draws solutions at random, uniformly and independently; every turn of the board is one.

        Parameters
        ----------
        number : int
            How many; one can be drawn several times.
        seed : int, optional
            The same number and seed give the same solutions. By default a random one.

        Returns
        -------
        list of Solution
            Empty if there is no solution.

        Raises
        ------
        Stopped
            If the solutions were not counted in time.
        """
        seed = random.randrange(2**64) if seed is None else _whole("seed", seed)
        drawn = _edgematch.sample(self._inner, _whole("number", number), seed, time_limit, _threads(threads))
        return [Solution(self, inner) for inner in drawn]

    def best(self, *, time_limit: float | None = None, seed: int = 0, threads: int | None = None) -> Best:
        """Finds an arrangement with the most matching seams, proven to be the best if time allows."""
        return self._best(_edgematch.best(self._inner, time_limit, _whole("seed", seed), _threads(threads)))

    def optimize(self, *, time_limit: float | None = None, seed: int = 0, threads: int | None = None) -> Best:
        """Finds the best solution by the objectives of the puzzle; the weight of violated soft constraints comes last."""
        return self._best(_edgematch.optimize(self._inner, time_limit, _whole("seed", seed), _threads(threads)))

    def maximize(self, terms: Any, *, time_limit: float | None = None, seed: int = 0, threads: int | None = None) -> Best:
        """Finds a solution with the largest sum of terms.

        Parameters
        ----------
        terms : mapping or sequence of mapping
            What [`linear`](constraints.md#linear) adds up: `{"rotation": 0}` is the number of tiles that are not turned,
            `[{"weight": 2, "cells": "corners", "tile": 5}, {"cell": "centre", "tile": 4}]` a weighted sum.
        """
        return self._with_objective({"maximize": terms}).optimize(time_limit=time_limit, seed=seed, threads=threads)

    def minimize(self, terms: Any, *, time_limit: float | None = None, seed: int = 0, threads: int | None = None) -> Best:
        """Finds a solution with the smallest sum of terms; `"cost"` is the weight of violated soft constraints."""
        return self._with_objective({"minimize": terms}).optimize(time_limit=time_limit, seed=seed, threads=threads)

    def _with_objective(self, objective: Mapping[str, Any]) -> Puzzle:
        return Puzzle._of(self._inner.with_constraints(json.dumps({"objective": _plain(objective)})))

    def _best(self, optimum: tuple[_edgematch.Solution | None, list[int], int, bool]) -> Best:
        inner, values, bound, proven = optimum
        if inner is None:
            return Best(None, (), None if proven else bound, proven)
        # The objectives before the last value are proven to be optimal.
        return Best(Solution(self, inner), tuple(values), values[0] if len(values) > 1 else bound, proven)

    def why(self, *, time_limit: float | None = None) -> Why | None:
        """Explains why there is no solution; None if there is one."""
        reasons = _edgematch.why(self._inner, time_limit)
        return None if reasons is None else Why(*reasons)

    def doctor(self, *, time_limit: float | None = 60) -> Diagnosis:
        """Finds the cards that were probably mistyped: tries every single mistake, and weighs those that explain it."""
        return Diagnosis._of(_edgematch.doctor(self._inner, time_limit))

    def hint(self, placed: Mapping[Any, Placement | str | int | tuple[Any, ...]] | None = None, *,
             time_limit: float | None = None) -> Hint:
        """Suggests the next step for someone who has placed some tiles.

        Parameters
        ----------
        placed : mapping, optional
            The tiles on the board: each cell with a placement, a tile, or a tuple of the tile, its rotation and, for a
            two-sided tile, its face: `{(1, 1): "5", (1, 2): ("4", 3)}`.
        """
        if not isinstance(placed or {}, Mapping):
            raise TypeError("hint: expected a mapping from cells to tiles")
        placed = placed or {}
        pins = json.dumps({"constraints": [{"pin": _pin(cell, what)} for cell, what in placed.items()]}) if placed else None
        kind, placement, forced, share, back = _edgematch.hint(self._inner, pins, time_limit)
        cells = list(placed)
        return Hint(
            kind, None if placement is None else Placement(*placement), forced,
            None if share is None else (int(share[0], 16), int(share[1], 16)), [cells[index] for index in back],
        )

    def estimate(self, *, probes: int = 1000, seed: int = 0, time_limit: float | None = None) -> Estimates:
        """Estimates the search of each engine from random dives into its tree, within seconds.

        Parameters
        ----------
        probes : int
            The number of dives for each engine.
        """
        return Estimates._of(_edgematch.estimate(self._inner, _whole("probes", probes, 1, 2**32 - 1), _whole("seed", seed), time_limit))

    def compare(self, engines: str | Iterable[str] = (), *, runs: int = 3, time_limit: float | None = 60) -> Comparison:
        """Runs engines side by side on one thread, and checks that they find the same.

        Parameters
        ----------
        engines : str or iterable of str
            The beginnings of their names; by default all.
        runs : int
            The number of measured runs, after one that is not measured.
        time_limit : float, optional
            Seconds for each run.
        """
        words = [engines] if isinstance(engines, str) else list(engines)
        return Comparison(*_edgematch.compare(self._inner, words, _whole("runs", runs, 1), time_limit))

    def violation(self, solution: Solution | str) -> str | None:
        """The rule that an arrangement, or the text of one, violates; None if it is a solution.

        Raises
        ------
        ValueError
            If it is an arrangement of other tiles or on another board.
        """
        if isinstance(solution, str):
            return self._inner.violation(self._inner.arrange(solution)[0])
        if not isinstance(solution, Solution):
            raise TypeError("violation takes a Solution, or its text")
        other = solution._puzzle
        if other is not self and (other.tiles, other.backs, other.cells) != (self.tiles, self.backs, self.cells):
            raise ValueError(f"an arrangement of {other.name}, which has other tiles")
        return self._inner.violation(solution._inner)

    def read(self, text: str) -> list[Solution]:
        """Reads arrangements in the form that `edgematch solve` prints."""
        return [Solution(self, inner) for inner in self._inner.arrange(text)]

    def draw(self, *, theme: str = "figures") -> Drawing:
        """Draws the tiles.

        Parameters
        ----------
        theme : {"figures", "animals", "letters", "wedges"}
            The motif of the edges.
        """
        return Drawing(self._inner.draw(None, theme))

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def tables(self) -> dict[str, list[tuple[tuple[str, str], tuple[str, str]]]]:
        """The allowed tuples of each type of seam, such as `horizontal`.

        They are pairs of a tile's name and its rotation, such as `("1", "0")` or `("1", "0/back")`. Of identical tiles, the first
        one represents all.
        """
        return dict(self._inner.tables())

    def model(self, formulation: str = "balance", *, break_symmetry: bool = False) -> Model:
        """Builds the 0-1 model.

        Parameters
        ----------
        formulation : {"balance", "support", "tuple"}
            How it states that edges match.
        break_symmetry : bool
            Keeps one of the solutions that the symmetries of the board map to each other.
        """
        return Model(self, self._inner.model(formulation, break_symmetry))


def _restored(text: str, name: str) -> Puzzle:
    """A pickled puzzle."""
    return Puzzle._of(_edgematch.Problem.from_text(text, name))


def _pin(cell: Cell, what: Any) -> dict[str, Any]:
    """The fields of a constraint that pins a tile to a cell."""
    match what:
        case Placement():
            pin = {"tile": what.tile, "rotation": what.rotation, "face": what.face}
        case (tile, rotation):
            pin = {"tile": tile, "rotation": rotation}
        case (tile, rotation, face):
            pin = {"tile": tile, "rotation": rotation, "face": face}
        case tile:
            pin = {"tile": tile}
    return {"cell": _plain(cell), **{key: _plain(value) for key, value in pin.items() if value is not None}}
