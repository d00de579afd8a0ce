"""Edge-matching puzzles: every solution, proven complete.

    >>> import edgematch
    >>> puzzle = edgematch.Puzzle(rows=1, cols=2, tiles={1: ["a+", "b", "b", "c"], 2: ["c", "c", "a-", "b"]})
    >>> puzzle.count().distinct
    5

A puzzle comes from `load` (a file, a text, a dictionary in the form of the YAML files) or from `Puzzle`. It is not
changed: `with_constraints` and `where` give another one.
"""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _edgematch
from ._edgematch import PuzzleError, SearchError, __version__

__all__ = ["Best", "Count", "Drawing", "Model", "Placement", "Puzzle", "PuzzleError", "SearchError", "Solution", "Solutions",
           "Why", "__version__", "engines", "load"]

Cell = Union[Tuple[int, int], str]


def engines() -> Dict[str, str]:
    """The engines by name, each with what it does."""
    return dict(_edgematch.engines())


def load(source: Union[str, os.PathLike[str], Mapping[Any, Any]], name: str = "puzzle") -> Puzzle:
    """A puzzle from a file or a folder, from a text in any form that the command reads, or from a dictionary.

    A text has a line break or a brace; anything else is a path. Raises `PuzzleError` where the puzzle can't be read, and
    `FileNotFoundError` where there is no such file.
    """
    if not source:
        raise ValueError("expected a path, the text of a puzzle or a dictionary, which are not empty")
    if isinstance(source, Mapping):
        return Puzzle._of(_edgematch.Problem.from_text(json.dumps(_plain(source)), name))
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return Puzzle._of(_edgematch.Problem.from_text(source, name))
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; a text of a puzzle has a line break or a brace")
    return Puzzle._of(_edgematch.Problem.from_path(path))


def _plain(value: Any) -> Any:
    """What JSON can hold: names may be numbers, sequences may be tuples."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


@dataclass(frozen=True)
class Placement:
    """A tile in a cell, turned by so many steps counter-clockwise; `face` where it has two."""

    cell: Cell
    tile: str
    rotation: int
    face: Optional[str] = None


@dataclass(frozen=True)
class Count:
    """How many arrangements there are, as far as the search came."""

    distinct: int
    classes: int
    solutions: int
    complete: bool
    status: str
    seconds: float


@dataclass(frozen=True)
class Best:
    """An arrangement with as many fitting seams as were found; `bound` is what none exceeds."""

    solution: Optional[Solution]
    seams: Optional[int]
    bound: int
    proven: bool


@dataclass(frozen=True)
class Why:
    """Why there is no solution; `smallest` where without any one of the reasons there might be one."""

    reasons: List[str]
    smallest: bool

    def __str__(self) -> str:
        return "\n".join(self.reasons)


class Drawing:
    """A picture; a notebook shows it by itself."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the SVG into a file, whose name ends in .svg."""
        if Path(path).suffix.lower() != ".svg":
            raise ValueError(f"{path}: expected a name that ends in .svg; `edgematch solve -o x.png` draws PNG")
        Path(path).write_text(self.svg, encoding="utf-8")


class Solution:
    """A distinct arrangement; equal to another where the same placements are."""

    def __init__(self, puzzle: Puzzle, inner: _edgematch.Solution):
        self._puzzle, self._inner = puzzle, inner
        self.placements: List[Placement] = [Placement(*placement) for placement in inner.placements]
        #: How many solutions it stands for: twins told apart, under every symmetry of the board.
        self.solutions = int(inner.solutions, 16)

    def __getitem__(self, cell: Cell) -> Placement:
        for placement in self.placements:
            if placement.cell == cell:
                return placement
        raise KeyError(cell)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self.placements == other.placements

    def __hash__(self) -> int:
        return hash(tuple(self.placements))

    def __str__(self) -> str:
        return str(self._inner)

    def __repr__(self) -> str:
        return f"<Solution of {self._puzzle.name}>\n{self}"

    @property
    def steps(self) -> str:
        """How to lay it, a line a tile."""
        return self._inner.steps

    def draw(self) -> Drawing:
        """The arrangement as a picture."""
        return Drawing(self._puzzle._inner.draw(self._inner))

    def _repr_svg_(self) -> str:
        return self.draw().svg


class Solutions(Iterator[Solution]):
    """Solutions, one after another. When it has ended, `complete` tells whether these are all."""

    def __init__(self, puzzle: Puzzle, search: _edgematch.Search, limit: int):
        self._puzzle, self._search, self._left = puzzle, search, limit or None
        self._is_over = False

    def __iter__(self) -> Solutions:
        return self

    def __next__(self) -> Solution:
        inner = next(self._search, None) if self._left != 0 else None
        if inner is None:
            self._is_over = True
            raise StopIteration
        if self._left is not None:
            self._left -= 1
        return Solution(self._puzzle, inner)

    @property
    def complete(self) -> Optional[bool]:
        """Whether all were found; `None` before the end."""
        return False if self._is_over and self._search.complete is None else self._search.complete

    @property
    def status(self) -> Optional[str]:
        """How the search ended, in words; `None` before the end."""
        return "as many as asked for" if self._is_over and self._search.status is None else self._search.status

    @property
    def effort(self) -> Optional[Tuple[str, int, float]]:
        """The engine, its nodes and the seconds that the search took; `None` where a limit was reached before its end."""
        return self._search.effort


class Model:
    """The 0-1 model: minimise 0 subject to lower <= A x <= upper, every column 0 or 1.

    Row i of A has the coefficients data[indptr[i]:indptr[i + 1]] in the columns indices[indptr[i]:indptr[i + 1]].
    """

    def __init__(self, puzzle: Puzzle, inner: _edgematch.Model):
        self._puzzle = puzzle
        self.columns: List[str] = inner.columns
        self.is_placement: List[bool] = inner.is_placement
        self.rows: List[str] = inner.rows
        self.indptr: List[int] = inner.indptr
        self.indices: List[int] = inner.indices
        self.data: List[int] = inner.data
        #: None where a row has no such bound.
        self.lower: List[Optional[int]] = inner.lower
        self.upper: List[Optional[int]] = inner.upper
        #: Constraints that no rows state, such as `loop`: ask `Puzzle.check` about each answer.
        self.unstated: List[str] = inner.unstated

    def matrix(self) -> Any:
        """A as a `scipy.sparse.csr_array`, with the bounds as arrays: (A, lower, upper)."""
        import numpy
        from scipy.sparse import csr_array  # type: ignore[import-untyped, unused-ignore]

        shape = (len(self.rows), len(self.columns))
        matrix = csr_array((numpy.array(self.data, dtype=float), self.indices, self.indptr), shape=shape)
        lower = numpy.array([-numpy.inf if bound is None else bound for bound in self.lower])
        upper = numpy.array([numpy.inf if bound is None else bound for bound in self.upper])
        return matrix, lower, upper

    def solution(self, values: Sequence[float]) -> Solution:
        """What a solver's values of the columns stand for; it may not fit: `Puzzle.check` tells."""
        if len(values) != len(self.columns):
            raise ValueError(f"{len(values)} values for {len(self.columns)} columns")
        for name, value in zip(self.columns, values):
            if not min(abs(value), abs(value - 1)) < 1e-3:
                raise ValueError(f"{name} is {value}, expected 0 or 1")
        taken = [name for name, value, is_placement in zip(self.columns, values, self.is_placement)
                 if is_placement and value > 0.5]
        return Solution(self._puzzle, self._puzzle._inner.answer("\n".join(taken)))


class Puzzle:
    """Tiles, a board and constraints. The keywords are the keys of the YAML files.

        Puzzle(rows=3, cols=3, tiles={1: ["red+", "blue-", "red-", "green+"], ...})
    """

    def __init__(self, *, name: str = "puzzle", **keys: Any):
        self._inner = _edgematch.Problem.from_text(json.dumps(_plain({"name": name, **keys})), name)

    @classmethod
    def _of(cls, inner: _edgematch.Problem) -> Puzzle:
        puzzle = cls.__new__(cls)
        puzzle._inner = inner
        return puzzle

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}: {len(self.tiles)} tiles, {self._inner.board}>"

    @property
    def name(self) -> str:
        """The name of the puzzle."""
        return self._inner.name

    @property
    def tiles(self) -> Dict[str, List[str]]:
        """The edges of each tile, counter-clockwise from the right."""
        return dict(self._inner.tiles)

    @property
    def cells(self) -> List[Cell]:
        """The cells of the board: pairs of row and column, or names."""
        return list(self._inner.cells)

    def with_constraints(self, *constraints: Mapping[str, Any]) -> Puzzle:
        """The puzzle with more constraints, as docs/constraints.md has them: `{"pin": {"cell": [1, 1], "tile": 5}}`."""
        text = json.dumps({"constraints": _plain(list(constraints))})
        return Puzzle._of(self._inner.with_constraints(text))

    def where(self, check: Callable[[Solution], bool], *, depends_on: Union[str, Iterable[str], None] = None) -> Puzzle:
        """The puzzle with a constraint of one's own: only solutions for which the function is true.

        Searches call the function about whole arrangements and do not prune by it; they may call it from other threads. An
        exception ends the search and is raised where its result is asked for.

        By default the answer may depend on everything: every turn of the board and every exchange of tiles that look the
        same is asked about, and is a solution of its own. `depends_on` declares less, and makes the search faster, with any
        of these words:

        - "edges": the images that the cells show, and how they touch (always included);
        - "tiles": which tile is in a cell, not only the images that it shows;
        - "rotations": the rotation and face of a tile, even if it looks the same in several;
        - "position": where on the board a tile is.

        Declare everything that the function looks at: a search that meets a contradiction raises `SearchError`, but it cannot
        find every one.
        """
        if not callable(check):
            raise TypeError("where takes a function of a solution; with_constraints takes dictionaries")
        words = [depends_on] if isinstance(depends_on, str) else None if depends_on is None else list(depends_on)
        return Puzzle._of(self._inner.with_function(lambda inner: bool(check(Solution(self, inner))), words))

    def solutions(self, engine: str = "auto", *, limit: int = 0, every_turn: bool = False,
                  time_limit: Optional[float] = None, threads: Optional[int] = None) -> Solutions:
        """The distinct solutions; of `limit` as many, 0 for all. Python runs on meanwhile, and Ctrl-C ends it.

        With `every_turn`, every symmetric image is a solution of its own.
        """
        if not isinstance(limit, int) or limit < 0:
            raise ValueError("limit: expected a whole number, 0 for all")
        # The limit counts turns, the search does not.
        of_search = 0 if every_turn else limit
        return Solutions(self, self._inner.search(engine, of_search, every_turn, time_limit, threads), limit)

    def solve(self, **options: Any) -> Optional[Solution]:
        """The first solution; `None` where there is none, proven. Raises `SearchError` where none was found in time."""
        solutions = self.solutions(limit=1, **options)
        found = next(solutions, None)
        if found is None and not solutions.complete:
            raise SearchError(f"no solution found: {solutions.status}")
        return found

    def count(self, engine: Optional[str] = None, *, time_limit: Optional[float] = None,
              threads: Optional[int] = None) -> Count:
        """How many there are; without an engine by whatever counts fastest."""
        distinct, classes, labelled, complete, status, seconds = self._inner.count(engine, time_limit, threads)
        return Count(distinct, int(classes, 16), int(labelled, 16), complete, status, seconds)

    def best(self, *, time_limit: Optional[float] = None, seed: int = 0, threads: Optional[int] = None) -> Best:
        """An arrangement with the most fitting seams, proven where the time allows."""
        inner, seams, bound, proven = self._inner.best(time_limit, seed, threads)
        return Best(None if inner is None else Solution(self, inner), seams, bound, proven)

    def why(self, *, time_limit: Optional[float] = None) -> Optional[Why]:
        """Why there is no solution; `None` where there is one."""
        reasons = self._inner.why(time_limit)
        return None if reasons is None else Why(*reasons)

    def check(self, solution: Union[Solution, str]) -> Optional[str]:
        """What an arrangement, or the text of one, breaks; `None` where it fits."""
        if isinstance(solution, str):
            solution = self.read(solution)[0]
        return self._inner.check(solution._inner)

    def read(self, text: str) -> List[Solution]:
        """Arrangements as `edgematch solve` prints them."""
        return [Solution(self, inner) for inner in self._inner.arrange(text)]

    def draw(self, solution: Optional[Solution] = None) -> Drawing:
        """The tiles as they are listed, or an arrangement."""
        return Drawing(self._inner.draw(None if solution is None else solution._inner))

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def tables(self) -> Dict[str, List[Tuple[Tuple[str, str], Tuple[str, str]]]]:
        """The allowed tuples of each type of seam: pairs of a tile and its rotation."""
        return dict(self._inner.tables())

    def model(self, formulation: str = "balance", *, break_symmetry: bool = False) -> Model:
        """The 0-1 model, in one of the formulations balance, support and tuple."""
        return Model(self, self._inner.model(formulation, break_symmetry))
