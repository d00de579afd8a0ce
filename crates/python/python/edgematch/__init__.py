"""Edge-matching puzzles: every solution, proven complete.

>>> import edgematch
>>> puzzle = edgematch.Puzzle({1: ["a+", "b", "b", "c"], 2: ["c", "c", "a-", "b"]}, rows=1, cols=2)
>>> puzzle.count().distinct
5

`load` reads a puzzle from a file, a text or a dictionary, `Puzzle` takes its parts, and `generate` makes a new one. Puzzles
and solutions do not change: `with_constraints` and `where` return another puzzle. They can be shared among threads, pickled
and sent to other processes.
"""
from ._answers import (
    Best, Comparison, Count, Diagnosis, Estimate, Estimates, Hint, Slip, Suspect, Why, read_results,
)
from ._edgematch import PuzzleError, SearchError, Stopped, Unsupported, __version__
from ._model import Model
from ._puzzles import Puzzle, PuzzleWarning, engines, generate, load
from ._solutions import Cell, Drawing, Placement, Solution, Solutions

__all__ = [
    "Best", "Cell", "Comparison", "Count", "Diagnosis", "Drawing", "Estimate", "Estimates", "Hint", "Model", "Placement", "Puzzle",
    "PuzzleError", "PuzzleWarning", "SearchError", "Slip", "Solution", "Solutions", "Stopped", "Suspect", "Unsupported", "Why",
    "__version__", "engines", "generate", "load", "read_results",
]
