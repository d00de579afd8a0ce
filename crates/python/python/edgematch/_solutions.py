"""Arrangements, the iterator that yields them, and pictures."""
from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _edgematch

if TYPE_CHECKING:
    import pandas

    from ._puzzles import Puzzle

Cell = tuple[int, int] | str


@dataclass(frozen=True, slots=True)
class Placement:
    """A tile in a cell.

    Attributes
    ----------
    cell : tuple of int, or str
        Row and column, counted from 1; on boards that are not grids, the name of the cell.
    tile : str
        The name of the tile, always a string: `"5"`, not 5.
    rotation : int
        The number of steps by which the tile is turned, counter-clockwise.
    face : str or None
        `"front"` or `"back"` for two-sided tiles, None for others.
    """

    cell: Cell
    tile: str
    rotation: int
    face: str | None = None


class Drawing:
    """A picture. Notebooks show it by themselves.

    Attributes
    ----------
    svg : str
        The picture as SVG.
    """

    __slots__ = ("svg",)

    def __init__(self, svg: str):
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def png(self, width: int = 1000) -> bytes:
        """The picture as PNG; it needs `pip install edgematch[png]`.

        Parameters
        ----------
        width : int
            The width in pixels, from 1 to 10,000.
        """
        if not 1 <= width <= 10_000:
            raise ValueError(f"width: expected from 1 to 10000 pixels, found {width}")
        try:
            from resvg_py import svg_to_bytes
        except ImportError as error:
            raise ImportError("PNG needs a renderer: pip install edgematch[png]") from error
        return bytes(svg_to_bytes(svg_string=self.svg, width=width))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file.

        Parameters
        ----------
        path : path-like
            A name that ends in `.svg` or `.png`.
        """
        path = Path(path)
        match path.suffix.lower():
            case ".svg":
                path.write_text(self.svg, encoding="utf-8")
            case ".png":
                path.write_bytes(self.png())
            case _:
                raise ValueError(f"{path}: expected a name that ends in .svg or .png")


class Solution(Mapping[Cell, Placement]):
    """An arrangement: a mapping from cells to placements. Two are equal if their placements are.

    Attributes
    ----------
    solutions : int
        The number of solutions that it represents: with identical tiles distinguished, and all symmetric images counted.
    """

    __slots__ = ("_cells", "_inner", "_puzzle", "solutions")

    def __init__(self, puzzle: Puzzle, inner: _edgematch.Solution, solutions: int | None = None):
        self._puzzle, self._inner = puzzle, inner
        placements = (Placement(*placement) for placement in inner.placements)
        self._cells: dict[Cell, Placement] = {placement.cell: placement for placement in placements}
        self.solutions = int(inner.solutions, 16) if solutions is None else solutions

    @property
    def placements(self) -> list[Placement]:
        """The placements in the order of the cells."""
        return list(self._cells.values())

    @property
    def grid(self) -> list[list[Placement]]:
        """The placements row by row; ValueError if cells have names, as on a cube."""
        rows: dict[int, list[Placement]] = {}
        for cell, placement in self.items():
            if isinstance(cell, str):
                raise ValueError("the cells of this board are not in rows")
            rows.setdefault(cell[0], []).append(placement)
        return list(rows.values())

    @property
    def steps(self) -> str:
        """How to lay the tiles, one line per tile."""
        return self._inner.steps

    def to_dict(self) -> dict[str, Any]:
        """The solution as dictionaries and lists for JSON, with the names that `edgematch solve --format json` uses."""
        placements = [asdict(placement) for placement in self.placements]
        for placement in placements:
            if placement["face"] is None:
                del placement["face"]
        return {"placements": placements, "solutions": self.solutions}

    def to_frame(self) -> pandas.DataFrame:
        """The placements as a data frame with the columns row and column (or cell, if cells have names), tile, rotation and
        face."""
        import pandas

        frame = pandas.DataFrame([asdict(placement) for placement in self.placements])
        if all(isinstance(cell, tuple) for cell in self):
            frame.insert(0, "row", [cell[0] for cell in self])
            frame.insert(1, "column", [cell[1] for cell in self])
            frame = frame.drop(columns="cell")
        return frame

    def draw(self, *, theme: str = "figures") -> Drawing:
        """Draws the arrangement.

        Parameters
        ----------
        theme : {"figures", "animals", "letters", "wedges"}
            The motif of the edges.
        """
        return Drawing(self._puzzle._inner.draw(self._inner, theme))

    def _repr_svg_(self) -> str:
        return self.draw().svg

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


def _restored(puzzle: Puzzle, text: str, solutions: int) -> Solution:
    """A pickled solution."""
    (solution,) = puzzle._inner.arrange(text)
    return Solution(puzzle, solution, solutions)


class Solutions(Iterator[Solution]):
    """An iterator over solutions, which are searched in the background.

    Use it in a `with` statement, or call `close`, to end a search early; one that is dropped also ends.
    """

    __slots__ = ("_end", "_is_over", "_left", "_puzzle", "_search")

    def __init__(self, puzzle: Puzzle, search: _edgematch.Search, limit: int | None):
        self._puzzle, self._search, self._left = puzzle, search, limit
        self._is_over, self._end = False, "stopped after the requested number"

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

    def close(self) -> None:
        """Stops the search; the iterator yields nothing more."""
        if not self._is_over:
            self._search.close()
            self._left, self._is_over, self._end = 0, True, "closed"

    def __enter__(self) -> Solutions:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def complete(self) -> bool | None:
        """True if all solutions were found, which is proven; None before the end."""
        return False if self._is_over and self._search.complete is None else self._search.complete

    @property
    def status(self) -> str | None:
        """The status of the search in words; None before the end."""
        return self._end if self._is_over and self._search.status is None else self._search.status

    @property
    def effort(self) -> tuple[str, int, float] | None:
        """The engine, the number of nodes and the time in seconds; None unless the search itself has ended."""
        return self._search.effort
