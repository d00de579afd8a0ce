"""Tests of the questions with one answer, compared with lists of all solutions."""
import itertools
import json
import threading
from collections import Counter
from collections.abc import Callable

import pytest

import edgematch
from common import KNIFFLIG, LOOSE, ROOT, TWO, some

HALF = ROOT / "puzzles" / "random-half-3x3-3-s1.yaml"


def test_marginals_are_those_of_a_list() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    placed = Counter((p.tile, p.cell) for s in puzzle.solutions(expand=True) for p in s.placements)
    count = puzzle.count(marginals=True)
    assert count.solutions == 148 and count.marginals is not None and list(count.marginals) == list(puzzle.tiles)
    assert {(tile, cell): n for tile, row in count.marginals.items() for cell, n in row.items()} == placed
    assert puzzle.count().marginals is None
    with pytest.raises(ValueError, match="without an engine"):
        puzzle.count("propagate", marginals=True)


def test_samples_are_solutions_and_differ() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    drawn = puzzle.sample(200, seed=1)
    assert len(drawn) == 200 and all(puzzle.violation(solution) is None for solution in drawn)
    assert len(set(drawn)) > 80 and drawn == puzzle.sample(200, seed=1) != puzzle.sample(200, seed=2)
    assert edgematch.load(ROOT / "puzzles" / "sharks-misread.yaml").sample(3) == []
    with pytest.raises(edgematch.Stopped):
        edgematch.load(LOOSE).sample(time_limit=0)


def test_optima_are_those_of_a_list() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    upright = [sum(p.rotation == 0 for p in s.placements) for s in puzzle.solutions(expand=True)]
    terms = {"weight": 2, "rotation": 0}
    most, least = puzzle.maximize(terms), puzzle.minimize([terms])
    assert most.proven and most.value == most.bound == 2 * max(upright)
    assert sum(p.rotation == 0 for p in some(most.solution).placements) == max(upright)
    assert least.proven and least.value == 2 * min(upright)
    with pytest.raises(ValueError, match="no objective"):
        puzzle.optimize()


def test_the_weight_of_soft_constraints_is_minimised() -> None:
    puzzle = edgematch.Puzzle(TWO["tiles"], rows=1, cols=2, constraints=[
        {"soft": 3, "pin": {"cell": (1, 1), "tile": 2}}, {"soft": 2, "pin": {"cell": (1, 1), "tile": 1}},
    ])
    for best in (puzzle.minimize("cost"), puzzle.optimize()):
        assert best.proven and best.value == 2 and some(best.solution)[1, 1].tile == "2"
    both = edgematch.Puzzle(TWO["tiles"], rows=1, cols=2, objective=[{"maximize": {"tile": 1, "cells": [[1, 1]]}}, {
        "minimize": {"rotation": 0}}]).optimize()
    assert both.values == (1, 0) and both.value == both.bound == 1


def test_identical_tiles_are_exchanged_in_samples_marginals_and_expanded_solutions() -> None:
    puzzle = edgematch.load(HALF)
    every = list(puzzle.solutions(expand=True))
    assert len(every) == len(set(every)) == puzzle.count().solutions == 296
    placed = Counter((p.tile, p.cell) for s in every for p in s.placements)
    # A function distinguishes all tiles and rotations.
    for asked in (puzzle, puzzle.where(lambda solution: True)):
        marginals = some(asked.count(marginals=True).marginals)
        assert {(tile, cell): n for tile, row in marginals.items() for cell, n in row.items()} == placed
        drawn = asked.sample(3000, seed=1)
        times = Counter(drawn)
        assert times.keys() <= set(every) and len(times) > 280
        assert sum((times[one] - 3000 / 296) ** 2 / (3000 / 296) for one in every) < 295 + 5 * (2 * 295) ** 0.5


def test_identical_tiles_with_copies_are_counted_and_drawn_one_by_one() -> None:
    tile = ["a", "b", "a", "b"]
    puzzle = edgematch.Puzzle({1: {"edges": tile, "copies": 2}, 2: {"edges": tile}}, rows=1, cols=2)
    every = list(puzzle.solutions(expand=True))
    count = puzzle.count(marginals=True)
    assert len(set(every)) == count.solutions > 1
    placed = Counter((p.tile, p.cell) for s in every for p in s.placements)
    assert {(tile, cell): n for tile, row in some(count.marginals).items() for cell, n in row.items()} == placed
    assert set(puzzle.sample(500, seed=1)) == set(every)


def test_copies_that_differ_are_counted_without_a_list() -> None:
    signs = [s for s in itertools.product("+-", repeat=4) if s.count("+") == 2]
    tiles = {number: {"edges": [a + b for a, b in zip("abab", s)], "copies": "any"} for number, s in enumerate(signs)}
    ice = edgematch.Puzzle(tiles, rows=8, cols=8, rotations=False)
    count = ice.count(marginals=True, time_limit=60)
    assert count.complete and count.solutions == 31191658416342674
    assert sum(row[1, 1] for row in some(count.marginals).values()) == count.solutions
    assert all(ice.violation(solution) is None for solution in ice.sample(3, seed=1, time_limit=60))


def test_wrong_arguments_are_named() -> None:
    puzzle = edgematch.load(TWO)
    other = some(edgematch.load(KNIFFLIG).solve())
    wrong: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (ValueError, "threads", lambda: puzzle.count(threads=-1)),
        (ValueError, "number", lambda: puzzle.sample(-1)),
        (ValueError, "seed", lambda: puzzle.sample(seed=2**70)),
        (ValueError, "probes", lambda: puzzle.estimate(probes=0)),
        (ValueError, "probes", lambda: puzzle.estimate(probes=2**40)),
        (ValueError, "runs", lambda: puzzle.compare(runs=0)),
        (ValueError, "width", lambda: puzzle.draw().png(10**7)),
        (ValueError, "other tiles", lambda: puzzle.violation(other)),
        (ValueError, "unknown edge", lambda: edgematch.Puzzle([["a", "b", "c", float("nan")]])),  # type: ignore[list-item]
        (ValueError, "two keys", lambda: edgematch.Puzzle({1: ["a"] * 4, "1": ["b"] * 4})),
        (ValueError, "minimum exceeds", lambda: edgematch.generate(classes=(3, 1))),
        (TypeError, "mapping", lambda: puzzle.hint([5])),  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
        (TypeError, "Puzzle", lambda: edgematch.generate(like="x")),  # type: ignore[arg-type]  # pyright: ignore
        (TypeError, "difficulty", lambda: edgematch.generate(difficulty=5)),  # type: ignore[arg-type]  # pyright: ignore
    ]
    for kind, text, call in wrong:
        with pytest.raises(kind, match=text):
            call()


def test_arrays_are_taken_as_lists() -> None:
    numpy = pytest.importorskip("numpy")
    puzzle = edgematch.Puzzle(numpy.array([["a+", "b", "b", "c"], ["c", "c", "a-", "b"]]), rows=1, cols=2)
    pinned = puzzle.with_constraints({"region": {"tiles": numpy.arange(1, 2), "only_in": [(1, 1)]}})
    assert puzzle.count().distinct == 5 and pinned.count().solutions > 0
    assert puzzle.hint({(numpy.int64(1), numpy.int64(1)): numpy.int64(1)}).kind == "place"


def test_probable_mistakes_are_warned_of() -> None:
    text = edgematch.load(KNIFFLIG).to_yaml().replace("monkey-", "monkye-", 1)
    with pytest.warns(edgematch.PuzzleWarning):
        edgematch.load(text)


def test_the_doctor_finds_the_card_with_a_slip() -> None:
    tiles = {name: list(edges) for name, edges in edgematch.load(ROOT / "puzzles" / "scramble-1.yaml").tiles.items()}
    tiles["5"][0], tiles["5"][1] = tiles["5"][1], tiles["5"][0]
    diagnosis = edgematch.Puzzle(tiles).doctor()
    assert not diagnosis.solvable and diagnosis.complete
    assert sum(card.likelihood for card in diagnosis.cards) + diagnosis.other == pytest.approx(1)
    slips = next(card.slips for card in diagnosis.cards if card.card == "5")
    assert any(slip.words == "are right and top exchanged?" for slip in slips)
    assert str(diagnosis).startswith("there is no solution\ncard ")


def test_hints_lead_to_a_solution() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    placed: dict[edgematch.Cell, edgematch.Placement] = {}
    while (hint := puzzle.hint(placed)).kind == "place":
        placement = some(hint.placement)
        assert hint.share is None or 0 < hint.share[0] <= hint.share[1]
        placed[placement.cell] = placement
    assert hint.kind == "done" and len(placed) == 9
    rows = ([placed[row, col] for col in (1, 2, 3)] for row in (1, 2, 3))
    text = "\n".join(" ".join(f"[t={it.tile},r={it.rotation}]" for it in row) for row in rows)
    assert puzzle.violation(text) is None
    wrong = next(tile for tile in puzzle.tiles if tile != placed[3, 3].tile)
    apart = {cell: placed[cell] for cell in placed if placed[cell].tile != wrong and cell != (3, 3)}
    back = puzzle.hint({**apart, (3, 3): (wrong, 0)})
    assert back.kind == "take back" and back.take_back == [(3, 3)]
    assert edgematch.load(ROOT / "puzzles" / "sharks-misread.yaml").hint().kind == "nothing"
    with pytest.raises(edgematch.PuzzleError, match="99"):
        puzzle.hint({(1, 1): 99})


def test_estimates_name_the_engine_that_auto_takes() -> None:
    estimates = edgematch.load(KNIFFLIG).estimate()
    assert estimates.engines["propagate"].exact and estimates.engines["propagate"].nodes == 375
    assert estimates.auto in edgematch.engines() and estimates.why
    large = edgematch.load(LOOSE).estimate(probes=100, time_limit=10).engines["propagate"]
    assert not large.exact and large.nodes > 1000
    assert list(edgematch.load(KNIFFLIG).estimate().to_frame().index) == list(estimates.engines)


def test_comparisons_become_frames_and_plots() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    comparison = edgematch.load(KNIFFLIG).compare(["propagate", "scan"], runs=2)
    frame = comparison.to_frame()
    assert comparison.agree and set(frame["distinct"]) == {37} and (frame["seconds"] > 0).all()
    levels = comparison.levels()
    assert len(levels) == 10 and levels["possible"].iloc[1] == 9 and (levels["scan-rows"] <= levels["possible"] * 4).all()
    shown = [label.get_text() for label in comparison.plot().get_yticklabels()]
    assert shown == list(frame.sort_values("seconds", ascending=False).index) and len(shown) == 3
    assert "propagate" in str(comparison)
    with pytest.raises(ValueError, match="is not an engine"):
        edgematch.load(KNIFFLIG).compare("fast")


def test_generated_puzzles_are_as_asked_for() -> None:
    puzzle = edgematch.generate(4, 4, unique=True, seed=3)
    assert puzzle.count().classes == 1 and puzzle.name == "generated-s3"
    assert puzzle.to_yaml() == edgematch.generate(4, 4, unique=True, seed=3).to_yaml()
    assert edgematch.generate(classes=(2, 5), images=4, seed=1).count().classes in range(2, 6)
    assert edgematch.generate(like=puzzle, seed=1).count().classes == 1
    assert "border" in edgematch.generate(5, 5, framed=True, images=5, matching="equal").to_yaml()
    assert edgematch.generate(board="cube", images=4, name="dice").name == "dice"
    with pytest.raises(ValueError, match="no such puzzle: 1000 images are too many"):
        edgematch.generate(images=1000)
    with pytest.raises(ValueError, match="expected easy, medium, hard"):
        edgematch.generate(difficulty="tiny")
    with pytest.raises(edgematch.Stopped, match="hopeless"):
        edgematch.generate(8, 8, images=3, unique=True)


def test_results_that_are_missing_are_named(tmp_path: object) -> None:
    with pytest.raises(FileNotFoundError, match="no such file"):
        edgematch.read_results(f"{tmp_path}/runs.sqlite")


def test_a_picture_becomes_png() -> None:
    pytest.importorskip("resvg_py")
    png = edgematch.load(KNIFFLIG).draw().png(width=300)
    assert png.startswith(b"\x89PNG") and int.from_bytes(png[16:20], "big") == 300


def test_a_solution_becomes_json() -> None:
    solution = some(edgematch.load(KNIFFLIG).solve())
    again = json.loads(json.dumps(solution.to_dict()))
    assert again["solutions"] == 4 and again["placements"][0].keys() == {"cell", "tile", "rotation"}


def test_errors_have_a_place() -> None:
    with pytest.raises(edgematch.PuzzleError) as caught:
        edgematch.load("rows: 1\ncols: 1\ntiles: {1: [a, b, c]}\n")
    error = caught.value
    assert (error.line, error.column) == (3, 12) and error.message == "tile `1` has 3 edges, expected 4"
    with pytest.raises(edgematch.PuzzleError) as caught:
        edgematch.load("rows: 1\nnames: x\ntiles: {1: [a, b, c, d]}\n")
    assert caught.value.line == 2 and caught.value.help
    with pytest.raises(edgematch.Unsupported):
        edgematch.load(TWO).count("corners")
    with pytest.raises(edgematch.Stopped):
        edgematch.load(LOOSE).why(time_limit=0)


def test_a_search_can_be_closed() -> None:
    with edgematch.load(LOOSE).solutions() as solutions:
        assert next(solutions) is not None
    assert next(solutions, None) is None and solutions.complete is False and solutions.status == "closed"


def test_a_puzzle_is_shared_among_threads() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    counts: list[int] = []
    threads = [threading.Thread(target=lambda: counts.append(puzzle.count().distinct)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [37] * 8
    with pytest.raises(AttributeError):
        puzzle.name = "other"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
