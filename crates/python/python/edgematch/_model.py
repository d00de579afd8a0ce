"""The 0-1 model of a puzzle."""
from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import _edgematch
from ._solutions import Solution

if TYPE_CHECKING:
    from ._puzzles import Puzzle


class Model:
    """The 0-1 model: minimise costs x subject to lower <= A x <= upper, every column 0 or 1.

    Attributes
    ----------
    columns, rows : list of str
        Their names: `x_1_2_t5_3` is tile 5 in rotation 3 in row 1, column 2. Of identical tiles, the first one represents all.
    is_placement : list of bool
        True for the columns that are placements.
    indptr, indices, data : list of int
        A in compressed sparse rows: row i has the coefficients `data[indptr[i]:indptr[i + 1]]` in the columns
        `indices[indptr[i]:indptr[i + 1]]`.
    lower, upper : list of int or None
        The bounds of each row; None where there is none.
    costs : list of int
        Of each column. They order solutions by the puzzle's objectives, the most important first and the penalty of soft
        constraints last; zeros if it has neither.
    unstated : list of str
        The names of constraints that no rows state, such as `loop`. Verify each answer with `Puzzle.violation`.
    """

    __slots__ = ("_puzzle", "columns", "costs", "data", "indices", "indptr", "is_placement", "lower", "rows", "unstated", "upper")

    def __init__(self, puzzle: Puzzle, inner: _edgematch.Model):
        self._puzzle = puzzle
        self.columns: list[str] = inner.columns
        self.is_placement: list[bool] = inner.is_placement
        self.rows: list[str] = inner.rows
        self.indptr: list[int] = inner.indptr
        self.indices: list[int] = inner.indices
        self.data: list[int] = inner.data
        self.lower: list[int | None] = inner.lower
        self.upper: list[int | None] = inner.upper
        self.costs: list[int] = inner.costs
        self.unstated: list[str] = inner.unstated

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
        """Converts a solver's values of the columns to an arrangement; verify it with `Puzzle.violation`."""
        if len(values) != len(self.columns):
            raise ValueError(f"{len(values)} values for {len(self.columns)} columns")
        for name, value in zip(self.columns, values):
            if not min(abs(value), abs(value - 1)) < 1e-3:
                raise ValueError(f"{name} is {value}, expected 0 or 1")
        taken = [name for name, value, is_placement in zip(self.columns, values, self.is_placement)
                 if is_placement and value > 0.5]
        return Solution(self._puzzle, self._puzzle._inner.answer("\n".join(taken)))
