"""Answers to questions about a puzzle."""
from __future__ import annotations

import json
import os
import sqlite3
from dataclasses import dataclass, field
from decimal import Decimal
from math import ceil, floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ._solutions import Cell, Placement, Solution

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas


@dataclass(frozen=True, slots=True)
class Count:
    """The numbers of solutions.

    Attributes
    ----------
    distinct : int
        Arrangements that look different, up to the symmetries of the board.
    classes : int
        Solutions up to the symmetries of the board.
    solutions : int
        All solutions: identical tiles count as different, and so does every turn of the board.
    complete : bool
        True if these are proven to be all; otherwise they are lower bounds.
    status : str
        Why the count ended, in words.
    seconds : float
        The time that it took.
    marginals : dict or None
        For each tile, the cells in which it is in some solution, with the number of those solutions. None unless requested.
    """

    distinct: int
    classes: int
    solutions: int
    complete: bool
    status: str
    seconds: float = field(compare=False)
    marginals: dict[str, dict[Cell, int]] | None = None

    def __str__(self) -> str:
        return f"{self.distinct} distinct, {self.classes} classes, {self.solutions} solutions, {self.status}"


@dataclass(frozen=True, slots=True)
class Best:
    """The best arrangement that was found.

    Attributes
    ----------
    solution : Solution or None
        The arrangement; None if none was found.
    values : tuple of int
        Its values of all objectives, the most important first.
    bound : int or None
        No arrangement has a better `value` than this; None if it is proven that there is none.
    proven : bool
        True if it is proven that no arrangement is better, or that there is none.
    """

    solution: Solution | None
    values: tuple[int, ...]
    bound: int | None
    proven: bool

    @property
    def value(self) -> int | None:
        """The value of the first objective, such as the number of seams; None if no arrangement was found."""
        return self.values[0] if self.values else None


@dataclass(frozen=True, slots=True)
class Why:
    """Why there is no solution.

    Attributes
    ----------
    reasons : list of str
        Counts that contradict each other, or constraints, seams and tiles that do.
    smallest : bool
        True if there is a solution without any one of them.
    """

    reasons: list[str]
    smallest: bool

    def __str__(self) -> str:
        return "\n".join(self.reasons)


@dataclass(frozen=True, slots=True)
class Slip:
    """A single mistake in typing whose correction gives a puzzle with a solution.

    Attributes
    ----------
    words : str
        The mistake, as a question to the owner of the cards.
    likelihood : float
        The probability that it is the mistake.
    solutions : int
        The number of distinct solutions after the correction, counted up to 8.
    changes : list of dict
        The corrected edges, each with `card`, `side`, `typed` and `instead`.
    """

    words: str
    likelihood: float
    solutions: int
    changes: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A card that may be mistyped.

    Attributes
    ----------
    card : str or None
        Its name; None for mistakes on all cards.
    likelihood : float
        The sum of the probabilities of its slips.
    slips : list of Slip
        The possible mistakes, the likeliest first.
    """

    card: str | None
    likelihood: float
    slips: list[Slip]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The cards to compare with what was typed, in this order.

    Attributes
    ----------
    solvable : bool
        True if the puzzle has a solution without a correction.
    complete : bool
        True if every single mistake was tried.
    cards : list of Suspect
        The cards, the likeliest first.
    other : float
        The probability of several mistakes, or of one that was not tried.
    """

    solvable: bool
    complete: bool
    cards: list[Suspect]
    other: float

    @classmethod
    def _of(cls, text: str) -> Diagnosis:
        answer = json.loads(text)
        cards = [Suspect(card["card"], card["likelihood"],
                         [Slip(it["words"], it["likelihood"], it["solutions"], it["changes"]) for it in card["slips"]])
                 for card in answer["cards"]]
        return cls(answer["solvable"], answer["complete"], cards, answer["other"])

    def __str__(self) -> str:
        found = "there is a solution without a correction" if self.solvable else "there is no solution"
        lines = [f"{'all cards' if it.card is None else f'card {it.card}'}, {it.likelihood:.0%}: {it.slips[0].words}"
                 for it in self.cards if it.slips]
        return "\n".join([found, *lines])


@dataclass(frozen=True, slots=True)
class Hint:
    """The next step.

    Attributes
    ----------
    kind : {"place", "done", "take back", "nothing"}
        Place a tile; the placed tiles are a solution; take some back; or nothing helps, because the puzzle has no solution.
    placement : Placement or None
        The tile to place.
    forced : bool
        True if nothing else fits there.
    share : tuple of int, or None
        In how many solutions the tile is there, and how many there are with the placed tiles.
    take_back : list
        The cells whose tiles to take back.
    """

    kind: Literal["place", "done", "take back", "nothing"]
    placement: Placement | None
    forced: bool
    share: tuple[int, int] | None
    take_back: list[Cell]


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated search of one engine.

    Attributes
    ----------
    engine : str
        The name of the engine.
    nodes : float
        The number of nodes of its tree.
    spread : float
        The standard error of `nodes`; 0 if `exact` or `at_least`.
    seconds : float
        The time on one thread.
    exact : bool
        True if the engine finished immediately, so that nothing is estimated.
    at_least : bool
        True if nodes and seconds are lower bounds, because the probes say nothing.
    """

    engine: str
    nodes: float
    spread: float
    seconds: float
    exact: bool
    at_least: bool


@dataclass(frozen=True, slots=True)
class Estimates:
    """Estimates of a search by every engine that can be probed.

    Attributes
    ----------
    engines : dict
        The estimate of each engine by its name.
    auto : str or None
        The engine that `auto` chooses; None if a limit came first.
    why : str or None
        Why it chooses that one.
    """

    engines: dict[str, Estimate]
    auto: str | None
    why: str | None

    @classmethod
    def _of(cls, text: str) -> Estimates:
        answer = json.loads(text)
        engines = {it["engine"]: Estimate(it["engine"], it["nodes"], it["spread"], it["seconds"], it["is_known"],
                                          it["is_at_least"]) for it in answer["engines"]}
        auto = answer["auto"] or {}
        return cls(engines, auto.get("engine"), auto.get("why"))

    def to_frame(self) -> pandas.DataFrame:
        """A data frame with a row for each engine."""
        import pandas

        return pandas.DataFrame(list(self.engines.values())).set_index("engine")


class Comparison:
    """The results of engines that ran side by side on one puzzle.

    Attributes
    ----------
    agree : bool
        True if all engines that finished found and counted the same.
    engines : list of dict
        The results of each engine, with the names of `edgematch compare --export-json`: `engine`, `state`, `distinct`,
        `classes`, `solutions`, `nodes`, `seconds` (of each measured run), `calls_per_level`, `possible_per_level`, ….
    """

    __slots__ = ("_table", "agree", "engines")

    def __init__(self, text: str, table: str):
        # Python reads decimal numbers of at most 4300 digits, but any decimal fraction.
        (answer,) = json.loads(text, parse_int=lambda digits: int(Decimal(digits)))
        self.agree: bool = answer["agree"]
        self.engines: list[dict[str, Any]] = answer["engines"]
        self._table = table

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f"<Comparison of {len(self.engines)} engines>\n{self}"

    def to_frame(self) -> pandas.DataFrame:
        """A data frame with a row for each engine; `seconds` is the median of the measured runs."""
        import pandas

        columns = ["engine", "state", "distinct", "classes", "solutions", "nodes", "tries", "solves", "cuts"]
        frame = pandas.DataFrame(self.engines, columns=columns).set_index("engine")
        return frame.assign(seconds=[pandas.Series(it["seconds"], dtype=float).median() for it in self.engines])

    def levels(self) -> pandas.DataFrame:
        """A data frame of calls per level: a row for each level of the tree, a column for each engine that counts them (those that begin with `scan`), and
        `possible`, the number of ways to place that number of tiles if all edges matched, the first one not turned."""
        import pandas

        counting = [it for it in self.engines if it["calls_per_level"] and it["possible_per_level"]]
        columns = {it["engine"]: it["calls_per_level"] for it in counting}
        possible = {"possible": it["possible_per_level"] for it in counting[:1]}
        return pandas.DataFrame({**columns, **possible}).rename_axis("level")

    def plot(self, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws the median time of each engine that finished, on a logarithmic scale; needs matplotlib."""
        from matplotlib import pyplot

        times = self.to_frame()["seconds"].dropna().sort_values(ascending=False)
        ax = pyplot.subplots()[1] if ax is None else ax
        ax.plot(times, times.index, "o")
        decades = log10(times.min()), log10(times.max())
        ax.set(xscale="log", xlabel="seconds", xlim=(10 ** floor(decades[0]), 10 ** ceil(decades[1])))
        return ax


def read_results(path: str | os.PathLike[str]) -> pandas.DataFrame:
    """Reads the results of `edgematch batch --results`, one row for each puzzle and engine that is done.

    Parameters
    ----------
    path : path-like
        The SQLite file.

    Returns
    -------
    pandas.DataFrame
        The columns of the tables `runs` and `puzzles`. Counts are text, because they can have any number of digits.
    """
    import pandas

    if not Path(path).exists():
        raise FileNotFoundError(f"{path}: no such file")
    connection = sqlite3.connect(Path(path).absolute().as_uri() + "?mode=ro", uri=True)
    try:
        return pandas.read_sql("SELECT * FROM runs JOIN puzzles USING (hash) WHERE state = 'done'", connection)
    except pandas.errors.DatabaseError as error:
        raise ValueError(f"{path}: not a file of results") from error
    finally:
        connection.close()
