"""What the tests share."""
from pathlib import Path
from typing import Any, TypeVar

ROOT = Path(__file__).resolve().parents[3]
KNIFFLIG = ROOT / "puzzles" / "absolut-knifflig.yaml"
# This puzzle has too many solutions to list.
LOOSE = ROOT / "puzzles" / "the-ant-trails-puzzle.yaml"
TWO: dict[str, Any] = {"rows": 1, "cols": 2, "tiles": {1: ["a+", "b", "b", "c"], 2: ["c", "c", "a-", "b"]}}

Thing = TypeVar("Thing")


def some(thing: Thing | None) -> Thing:
    """The thing, which must not be missing."""
    assert thing is not None
    return thing
