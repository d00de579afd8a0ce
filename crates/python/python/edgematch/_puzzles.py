"""The classes and functions of the package."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _edgematch
from ._edgematch import SearchError

Cell = Union[Tuple[int, int], str]


def engines() -> Dict[str, str]:
    """The names of the engines, each with a description."""
    return dict(_edgematch.engines())


def load(source: Union[str, os.PathLike[str], Mapping[Any, Any]], name: str = "puzzle") -> Puzzle:
    """Reads a puzzle from a file or a folder, from a text in any form that the command reads, or from a dictionary.

    A string with a line break or a brace is a text; any other string is a path. Raises `PuzzleError` if the puzzle cannot
    be read, and `FileNotFoundError` if there is no such file.
    """
    if not source:
        raise ValueError("expected a non-empty path, puzzle text or dictionary")
    if isinstance(source, Mapping):
        return Puzzle._of(_edgematch.Problem.from_text(json.dumps(_plain(source)), name))
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return Puzzle._of(_edgematch.Problem.from_text(source, name))
    path = Path(source)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file; the text of a puzzle must contain a line break or a brace")
    return Puzzle._of(_edgematch.Problem.from_path(path))


def _plain(value: Any) -> Any:
    """Converts a value for JSON: keys become strings, tuples become lists."""
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return value


@dataclass(frozen=True)
class Placement:
    """A tile in a cell. `rotation` counts steps counter-clockwise; `face` is set for two-sided tiles."""

    cell: Cell
    tile: str
    rotation: int
    face: Optional[str] = None


@dataclass(frozen=True)
class Count:
    """The numbers of arrangements found; `complete` if they are proven to be all."""

    distinct: int
    classes: int
    solutions: int
    complete: bool
    status: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.distinct} distinct, {self.classes} classes, {self.solutions} solutions, {self.status}"


@dataclass(frozen=True)
class Best:
    """The arrangement with the most matching seams that was found; no arrangement has more than `bound`."""

    solution: Optional[Solution]
    seams: Optional[int]
    bound: int
    proven: bool


@dataclass(frozen=True)
class Why:
    """The reasons why there is no solution; `smallest` if none of them is redundant."""

    reasons: List[str]
    smallest: bool

    def __str__(self) -> str:
        return "\n".join(self.reasons)


class Drawing:
    """A picture; notebooks display it automatically."""

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the SVG to a file, whose name must end in .svg."""
        if Path(path).suffix.lower() != ".svg":
            raise ValueError(f"{path}: expected a name that ends in .svg; `edgematch solve -o x.png` draws PNG")
        Path(path).write_text(self.svg, encoding="utf-8")


class Solution(Mapping[Cell, Placement]):
    """A distinct arrangement: a mapping from cells to placements; two are equal if their placements are."""

    def __init__(self, puzzle: Puzzle, inner: _edgematch.Solution):
        self._puzzle, self._inner = puzzle, inner
        placements = (Placement(*placement) for placement in inner.placements)
        self._cells: Dict[Cell, Placement] = {placement.cell: placement for placement in placements}
        #: The number of solutions that it represents: with twins distinguished and all symmetric images counted.
        self.solutions = int(inner.solutions, 16)

    @property
    def placements(self) -> List[Placement]:
        """The placements in the order of the cells."""
        return list(self._cells.values())

    @property
    def grid(self) -> List[List[Placement]]:
        """The placements row by row; raises `ValueError` if cells have names, as on a cube."""
        if any(isinstance(cell, str) for cell in self):
            raise ValueError("the cells of this board are not in rows")
        rows: Dict[Union[int, str], List[Placement]] = {}
        for placement in self.placements:
            rows.setdefault(placement.cell[0], []).append(placement)
        return list(rows.values())

    def to_frame(self) -> Any:
        """The placements as a `pandas.DataFrame` with the columns cell, tile, rotation and face."""
        import pandas  # type: ignore[import-untyped, unused-ignore]

        return pandas.DataFrame([vars(placement) for placement in self.placements])

    def __getitem__(self, cell: Cell) -> Placement:
        return self._cells[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells)

    def __len__(self) -> int:
        return len(self._cells)

    def __reduce__(self) -> Any:
        return _restored, (self._puzzle, str(self), self.solutions)

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
        """Instructions for placing the tiles, one line per tile."""
        return self._inner.steps

    def draw(self, *, theme: str = "figures") -> Drawing:
        """Draws the arrangement; a theme is figures, animals, letters or wedges."""
        return Drawing(self._puzzle._inner.draw(self._inner, theme))

    def _repr_svg_(self) -> str:
        return self.draw().svg


def _restored(puzzle: Puzzle, text: str, solutions: int) -> Solution:
    """A pickled solution."""
    (solution,) = puzzle.read(text)
    solution.solutions = solutions
    return solution


class Solutions(Iterator[Solution]):
    """An iterator over solutions. At its end, `complete` is true if these are proven to be all."""

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
        """True if all solutions were found, which is proven; `None` before the end."""
        return False if self._is_over and self._search.complete is None else self._search.complete

    @property
    def status(self) -> Optional[str]:
        """The status of the search in words; `None` before the end."""
        return "stopped after the requested number" if self._is_over and self._search.status is None else self._search.status

    @property
    def effort(self) -> Optional[Tuple[str, int, float]]:
        """The engine, the number of nodes and the time in seconds; `None` unless the search itself has ended."""
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
        #: `None` for a row without this bound.
        self.lower: List[Optional[int]] = inner.lower
        self.upper: List[Optional[int]] = inner.upper
        #: Constraints that no rows state, such as `loop`: verify each answer with `Puzzle.check`.
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
        """Converts a solver's values of the columns to an arrangement; verify it with `Puzzle.check`."""
        if len(values) != len(self.columns):
            raise ValueError(f"{len(values)} values for {len(self.columns)} columns")
        for name, value in zip(self.columns, values):
            if not min(abs(value), abs(value - 1)) < 1e-3:
                raise ValueError(f"{name} is {value}, expected 0 or 1")
        taken = [name for name, value, is_placement in zip(self.columns, values, self.is_placement)
                 if is_placement and value > 0.5]
        return Solution(self._puzzle, self._puzzle._inner.answer("\n".join(taken)))


def _from_yaml(text: str, name: str) -> Puzzle:
    """A pickled puzzle."""
    return Puzzle._of(_edgematch.Problem.from_text(text, name))


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

    def to_yaml(self) -> str:
        """The puzzle as a YAML file; raises `ValueError` if it has functions as constraints."""
        return self._inner.to_yaml()

    def __reduce__(self) -> Any:
        return _from_yaml, (self.to_yaml(), self.name)

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
        """Returns a new puzzle with additional constraints (docs/constraints.md): `{"pin": {"cell": [1, 1], "tile": 5}}`."""
        text = json.dumps({"constraints": _plain(list(constraints))})
        return Puzzle._of(self._inner.with_constraints(text))

    def where(self, check: Callable[[Solution], bool], *, depends_on: Union[str, Iterable[str], None] = None) -> Puzzle:
        """Returns a new puzzle whose solutions must also satisfy a function.

        Searches call the function with complete arrangements and do not prune by it; they may call it from other threads. An
        exception ends the search and is raised when its result is requested.

        By default the function may depend on everything: it is called for every symmetric image of the board and for every
        exchange of identical tiles, and each of these counts as a separate solution. `depends_on` restricts this, which makes
        the search faster. It lists any of these words:

        - "edges": the images that the cells show, and which sides touch (always included);
        - "tiles": the tile in a cell, even if another tile shows the same images;
        - "rotations": the rotation and face of a tile, even if several look the same;
        - "position": the position of a tile on the board.

        Declare everything that the function uses. A search that detects a contradiction raises `SearchError`, but not every
        contradiction can be detected.
        """
        if not callable(check):
            raise TypeError("where takes a function of a solution; with_constraints takes dictionaries")
        words = [depends_on] if isinstance(depends_on, str) else None if depends_on is None else list(depends_on)
        return Puzzle._of(self._inner.with_function(lambda inner: bool(check(Solution(self, inner))), words))

    def solutions(self, engine: str = "auto", *, limit: int = 0, every_turn: bool = False,
                  time_limit: Optional[float] = None, threads: Optional[int] = None) -> Solutions:
        """Starts a search for distinct solutions, at most `limit` (0 for all). It runs in the background; Ctrl-C ends it.

        With `every_turn`, each symmetric image is yielded as a separate solution.
        """
        if not isinstance(limit, int) or limit < 0:
            raise ValueError("limit: expected a whole number, 0 for all")
        # `limit` counts symmetric images, but the limit of the search does not.
        of_search = 0 if every_turn else limit
        return Solutions(self, self._inner.search(engine, of_search, every_turn, time_limit, threads), limit)

    def solve(self, **options: Any) -> Optional[Solution]:
        """The first solution; `None` if it is proven that there is none. Raises `SearchError` if none was found in time."""
        solutions = self.solutions(limit=1, **options)
        found = next(solutions, None)
        if found is None and not solutions.complete:
            raise SearchError(f"no solution found: {solutions.status}")
        return found

    def count(self, engine: Optional[str] = None, *, time_limit: Optional[float] = None,
              threads: Optional[int] = None) -> Count:
        """Counts solutions; without an engine, by the fastest method."""
        distinct, classes, labelled, complete, status, seconds = self._inner.count(engine, time_limit, threads)
        return Count(int(distinct, 16), int(classes, 16), int(labelled, 16), complete, status, seconds)

    def best(self, *, time_limit: Optional[float] = None, seed: int = 0, threads: Optional[int] = None) -> Best:
        """Finds an arrangement with the most matching seams, proven optimal if time allows."""
        inner, seams, bound, proven = self._inner.best(time_limit, seed, threads)
        return Best(None if inner is None else Solution(self, inner), seams, bound, proven)

    def why(self, *, time_limit: Optional[float] = None) -> Optional[Why]:
        """Explains why there is no solution; `None` if there is one."""
        reasons = self._inner.why(time_limit)
        return None if reasons is None else Why(*reasons)

    def check(self, solution: Union[Solution, str]) -> Optional[str]:
        """Describes a violation of an arrangement, or of the text of one; `None` if it is a solution."""
        if isinstance(solution, str):
            solution = self.read(solution)[0]
        return self._inner.check(solution._inner)

    def read(self, text: str) -> List[Solution]:
        """Reads arrangements in the form that `edgematch solve` prints."""
        return [Solution(self, inner) for inner in self._inner.arrange(text)]

    def draw(self, solution: Optional[Solution] = None, *, theme: str = "figures") -> Drawing:
        """Draws the tiles, or an arrangement; a theme is figures, animals, letters or wedges."""
        return Drawing(self._inner.draw(None if solution is None else solution._inner, theme))

    def _repr_svg_(self) -> str:
        return self.draw().svg

    def tables(self) -> Dict[str, List[Tuple[Tuple[str, str], Tuple[str, str]]]]:
        """The allowed tuples of each type of seam: pairs of a tile and its rotation."""
        return dict(self._inner.tables())

    def model(self, formulation: str = "balance", *, break_symmetry: bool = False) -> Model:
        """Builds the 0-1 model in one of the formulations balance, support and tuple."""
        return Model(self, self._inner.model(formulation, break_symmetry))
