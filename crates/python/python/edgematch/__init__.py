"""Edge-matching puzzles: every solution, proven complete.

    >>> import edgematch
    >>> puzzle = edgematch.Puzzle(rows=1, cols=2, tiles={1: ["a+", "b", "b", "c"], 2: ["c", "c", "a-", "b"]})
    >>> puzzle.count().distinct
    5

Create a puzzle with `load` (from a file, a text, or a dictionary structured like the YAML files) or with `Puzzle`.
Puzzles are immutable: `with_constraints` and `where` return a new one.
"""
from ._edgematch import PuzzleError, SearchError, __version__
from ._puzzles import Best, Count, Drawing, Model, Placement, Puzzle, Solution, Solutions, Why, engines, load

__all__ = ["Best", "Count", "Drawing", "Model", "Placement", "Puzzle", "PuzzleError", "SearchError", "Solution", "Solutions",
           "Why", "__version__", "engines", "load"]
