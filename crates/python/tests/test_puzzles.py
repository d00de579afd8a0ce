"""Tests of the Python package through its public interface; the counts are those of the command's tests."""
import concurrent.futures
import gc
import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
import weakref
import xml.etree.ElementTree as xml
from collections.abc import Callable

import pytest

import edgematch
from common import KNIFFLIG, LOOSE, ROOT, TWO, some


def test_a_puzzle_comes_from_a_file_a_text_a_dictionary_or_keywords() -> None:
    text = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]}}"
    for puzzle in (edgematch.load(text), edgematch.load(TWO), edgematch.Puzzle(TWO["tiles"], rows=1, cols=2)):
        assert puzzle.count().distinct == 5
        assert puzzle.tiles == {"1": ["a+", "b", "b", "c"], "2": ["c", "c", "a-", "b"]}
        assert puzzle.cells == [(1, 1), (1, 2)]
    assert edgematch.load(KNIFFLIG).name == edgematch.load(str(KNIFFLIG)).name == "absolut-knifflig"


@pytest.mark.parametrize("engine", [name for name in edgematch.engines()])
def test_every_engine_finds_the_same(engine: str) -> None:
    puzzle = edgematch.load(KNIFFLIG)
    solutions = puzzle.solutions(engine)
    found = list(solutions)
    assert solutions.complete and len(found) == 37
    assert sum(solution.solutions for solution in found) == 148
    assert all(puzzle.violation(solution) is None for solution in found)
    count = puzzle.count(engine)
    assert (count.distinct, count.classes, count.solutions, count.complete) == (37, 37, 148, True)


def test_a_limit_ends_the_iterator_and_says_nothing_of_the_rest() -> None:
    solutions = edgematch.load(KNIFFLIG).solutions(limit=3)
    assert len(list(solutions)) == 3 and next(solutions, None) is None
    assert solutions.complete is False and solutions.status == "stopped after the requested number"
    with pytest.raises(edgematch.SearchError, match="stopped"):
        edgematch.load(KNIFFLIG).solve(time_limit=0)
    late = edgematch.load(LOOSE).count("propagate", time_limit=0.1)
    assert not late.complete and late.seconds < 10 and "stopped" in late.status


def test_the_lock_is_released_while_it_searches() -> None:
    ticks = []
    over = threading.Event()

    def tick() -> None:
        while not over.wait(0.01):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    edgematch.load(LOOSE).count("propagate", time_limit=0.5)
    over.set()
    ticker.join()
    assert len(ticks) > 10


def slow(solution: edgematch.Solution) -> bool:
    time.sleep(0.01)
    return True


@pytest.mark.skipif(os.name == "nt", reason="signals are sent otherwise there")
@pytest.mark.parametrize("puzzle", [edgematch.load(LOOSE), edgematch.load(LOOSE).where(slow)], ids=["plain", "where"])
def test_ctrl_c_ends_a_search(puzzle: edgematch.Puzzle) -> None:
    # A background process ignores the signal by default.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            puzzle.count("propagate", time_limit=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - started < 10


def test_a_placement_names_its_cell_tile_and_rotation() -> None:
    puzzle = edgematch.load(ROOT / "puzzles" / "scramble-1.yaml")
    solution = some(puzzle.solve())
    assert [solution[row, column] for row in (1, 2, 3) for column in (1, 2, 3)] == solution.placements
    assert sorted(placement.tile for placement in solution.placements) == [str(tile) for tile in range(1, 10)]
    again = puzzle.read(str(solution))
    assert [other.placements for other in again] == [solution.placements]
    assert puzzle.violation(str(solution)) is None
    assert len(solution.steps.splitlines()) == 9
    cube = edgematch.load(ROOT / "puzzles" / "boards" / "cube-4.yaml")
    assert some(cube.solve())["front"].cell == "front"
    with pytest.raises(KeyError):
        solution[4, 1]


def test_a_solution_is_a_mapping() -> None:
    puzzle = edgematch.load(ROOT / "puzzles" / "scramble-1.yaml")
    solution = some(puzzle.solve())
    assert list(solution) == puzzle.cells and len(solution) == 9 and (2, 2) in solution and (4, 1) not in solution
    assert [placement for row in solution.grid for placement in row] == list(solution.values()) == solution.placements
    frame = pytest.importorskip("pandas") and solution.to_frame()
    assert list(frame.columns) == ["row", "column", "tile", "rotation", "face"] and len(frame) == 9
    cube = edgematch.load(ROOT / "puzzles" / "boards" / "cube-4.yaml")
    with pytest.raises(ValueError, match="not in rows"):
        some(cube.solve()).grid


def test_puzzles_and_solutions_are_pickled() -> None:
    puzzle = edgematch.load(KNIFFLIG).with_constraints({"pin": {"cell": (1, 1), "tile": 5}})
    solution = some(puzzle.solve())
    again = pickle.loads(pickle.dumps(puzzle))
    assert again.count().solutions == puzzle.count().solutions and again == puzzle and hash(again) == hash(puzzle)
    assert again != edgematch.load(KNIFFLIG) and puzzle.where(slow) != puzzle.where(slow)
    other = pickle.loads(pickle.dumps(solution))
    assert other == solution and hash(other) == hash(solution) and other.solutions == solution.solutions
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        assert list(pool.map(edgematch.Puzzle.count, [puzzle, puzzle]))[1].solutions == puzzle.count().solutions
    with pytest.raises(pickle.PicklingError, match="functions"):
        pickle.dumps(puzzle.where(slow))


def test_backs_are_those_of_tiles_that_have_one() -> None:
    two_sided = {"edges": ["a", "b", "a", "b"], "back": ["c", "c", "a", "b"]}
    puzzle = edgematch.Puzzle([two_sided, ["a", "a", "b", "b"]], rows=1, cols=2)
    assert puzzle.tiles["1"] == ["a", "b", "a", "b"] and puzzle.backs == {"1": ["c", "c", "a", "b"]}


def test_a_count_reads_well() -> None:
    assert str(edgematch.load(KNIFFLIG).count()) == "37 distinct, 37 classes, 148 solutions, complete"


def test_solutions_are_equal_where_the_same_tiles_lie_the_same_way() -> None:
    first, again = (set(edgematch.load(KNIFFLIG).solutions(engine)) for engine in ("propagate", "xcc"))
    assert len(first) == 37 and first == again


def test_counts_have_all_digits() -> None:
    plain = {"edges": ["a", "a", "a", "a"], "copies": "any"}
    puzzle = edgematch.Puzzle(rows=90, cols=90, tiles={1: plain})
    assert puzzle.count().solutions == some(puzzle.solve()).solutions == 4**8100


def test_own_constraints_say_what_built_in_ones_say() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    every = list(puzzle.solutions(expand=True))
    assert len(every) == 148 and sum(solution.solutions for solution in every) == 148
    for cell in ((2, 2), (1, 1)):
        wanted = sorted(str(s) for s in every if s[cell].tile == "5")
        pinned = puzzle.with_constraints({"pin": {"cell": cell, "tile": 5}})
        assert pinned.count().solutions == len(wanted) > 0
        for depends_on in (None, ("tiles", "position")):
            filtered = puzzle.where(lambda solution: solution[cell].tile == "5", depends_on=depends_on)
            solutions = filtered.solutions()
            assert sorted(str(s) for s in solutions) == wanted and solutions.complete
            assert len(list(filtered.solutions(limit=1))) == 1
            assert filtered.count().solutions == len(wanted)
            assert filtered.count("milp").solutions == len(wanted)
            assert all(filtered.violation(s) is None for s in filtered.solutions())

    def is_first(solution: edgematch.Solution) -> bool:
        return solution[1, 1].tile == "5"

    message = some(puzzle.where(is_first).violation(next(s for s in every if s[1, 1].tile != "5")))
    assert "the function `is_first` of `where` is false" in message
    with pytest.raises(ValueError, match="where"):
        filtered.model()
    with pytest.raises(TypeError):
        puzzle.where(5)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="depends_on: `tile`"):
        puzzle.where(lambda solution: True, depends_on="tile")


def test_own_constraints_are_asked_about_every_twin() -> None:
    puzzle = edgematch.load(ROOT / "puzzles" / "knifflidiffels-version5.yaml")

    def lies_first(solution: edgematch.Solution) -> bool:
        return solution[1, 1].tile == "2"

    assert puzzle.with_constraints({"pin": {"cell": (1, 1), "tile": 2}}).count().solutions == 960
    assert lies_first(some(puzzle.where(lies_first).solve()))
    assert puzzle.where(lies_first).count().solutions == 960
    assert puzzle.where(lies_first, depends_on=("tiles", "position")).count().solutions == 960
    with pytest.raises(edgematch.SearchError, match="depends on"):
        puzzle.where(lies_first, depends_on="edges").count()


def test_the_best_and_the_reasons_obey_own_constraints() -> None:
    puzzle = edgematch.load(TWO)
    apart = puzzle.where(lambda solution: solution[1, 1].tile == "2").where(lambda solution: solution[1, 2].rotation == 0)
    best = apart.best()
    assert best.proven and some(best.solution)[1, 1].tile == "2" and some(best.solution)[1, 2].rotation == 0
    assert any("where" in reason for reason in some(puzzle.where(lambda solution: False).why()).reasons)


def test_an_exception_of_an_own_constraint_is_raised_where_the_result_is_asked_for() -> None:
    class Mine(Exception):
        pass

    def broken(solution: edgematch.Solution) -> bool:
        raise Mine(str(solution))

    puzzle = edgematch.load(TWO)
    solution, failing = some(puzzle.solve()), puzzle.where(broken)
    asked: list[Callable[[], object]] = [failing.solve, failing.count, failing.best, failing.why, lambda: list(failing.solutions("milp")),
             lambda: failing.violation(solution)]
    for ask in asked:
        with pytest.raises(Mine, match="t="):
            ask()
    assert puzzle.where(lambda s: puzzle.where(lambda inner: inner == s).count().solutions == 1).count().solutions == 10


def test_an_own_constraint_that_refers_to_its_puzzle_is_collected() -> None:
    class Marker:
        pass

    marker = Marker()
    left = weakref.ref(marker)
    puzzles: list[edgematch.Puzzle] = []

    def keeps(solution: edgematch.Solution, kept: object = (marker, puzzles)) -> bool:
        return True

    puzzles.append(edgematch.load(TWO).where(keeps))
    del marker, puzzles, keeps
    gc.collect()
    assert left() is None


def test_best_and_why() -> None:
    misread = edgematch.load(ROOT / "puzzles" / "sharks-misread.yaml")
    assert misread.solve() is None
    why = some(misread.why())
    assert why.reasons and str(why).startswith(why.reasons[0])
    assert edgematch.load(KNIFFLIG).why() is None
    best = misread.best()
    assert best.proven and best.value == best.bound and some(best.bound) < 12
    assert misread.violation(some(best.solution))


def test_pictures_are_svg() -> None:
    puzzle = edgematch.load(KNIFFLIG)
    with pytest.raises(ValueError, match="not a theme: figures, animals"):
        puzzle.draw(theme="fish")
    for drawing in (puzzle.draw(), some(puzzle.solve()).draw(theme="animals")):
        assert xml.fromstring(drawing._repr_svg_()).tag.endswith("svg")
        with pytest.raises(ValueError, match=".svg or .png"):
            drawing.save("picture.gif")


def test_tables_hold_the_allowed_tuples() -> None:
    assert len(edgematch.load(TWO).tables()["horizontal"]) == 10


def test_the_model_is_solved_by_others() -> None:
    scipy_optimize = pytest.importorskip("scipy.optimize")
    puzzle = edgematch.load(ROOT / "puzzles" / "scramble-1.yaml")
    for formulation in ("balance", "support", "tuple"):
        model = puzzle.model(formulation, break_symmetry=True)
        matrix, lower, upper = model.matrix()
        assert matrix.shape == (len(model.rows), len(model.columns))
        result = scipy_optimize.milp(
            c=model.costs, integrality=[1] * len(model.columns), bounds=scipy_optimize.Bounds(0, 1),
            constraints=scipy_optimize.LinearConstraint(matrix, lower, upper))
        assert result.status == 0
        assert puzzle.violation(model.solution(result.x)) is None
        with pytest.raises(ValueError, match="expected 0 or 1"):
            model.solution([0.5] * len(model.columns))
        with pytest.raises(ValueError, match="3 values for"):
            model.solution([0, 0, 1])


def test_the_costs_of_a_model_are_its_objectives() -> None:
    scipy_optimize = pytest.importorskip("scipy.optimize")
    text = (ROOT / "puzzles" / "absolut-knifflig.yaml").read_text(encoding="utf-8")
    puzzle = edgematch.load(text + """
objective: {maximize: {rotation: 0}}
constraints: [{soft: 3, pin: {cell: [1, 1], tile: 5}}, {soft: 2, pin: {cell: [1, 1], tile: 6}}]
""")
    model = puzzle.model()
    matrix, lower, upper = model.matrix()
    result = scipy_optimize.milp(
        c=model.costs, integrality=[1] * len(model.columns), bounds=scipy_optimize.Bounds(0, 1),
        constraints=scipy_optimize.LinearConstraint(matrix, lower, upper))
    found = model.solution(result.x)
    assert puzzle.violation(found) is None
    penalty = {"5": 2, "6": 3}.get(found[1, 1].tile, 5)
    unturned = sum(placement.rotation == 0 for placement in found.values())
    assert puzzle.optimize().values == (unturned, penalty)


def test_a_model_with_an_objective_tells_identical_tiles_apart() -> None:
    scipy_optimize = pytest.importorskip("scipy.optimize")
    tiles = {1: "a b a c".split(), 2: "a b a c".split(), 3: "b a c b".split(), 4: "c a b c".split()}
    puzzle = edgematch.Puzzle(tiles, objective={"maximize": {"cells": [[1, 1]], "tile": 2}})
    model = puzzle.model()
    matrix, lower, upper = model.matrix()
    result = scipy_optimize.milp(
        c=model.costs, integrality=[1] * len(model.columns), bounds=scipy_optimize.Bounds(0, 1),
        constraints=scipy_optimize.LinearConstraint(matrix, lower, upper))
    assert some(puzzle.optimize().solution)[1, 1] == model.solution(result.x)[1, 1]


def test_a_model_names_what_it_does_not_state() -> None:
    puzzle = edgematch.load(TWO)
    assert puzzle.model().unstated == [] and puzzle.with_constraints({"loop": "b"}).model().unstated == ["loop"]


def test_errors_say_where_and_what() -> None:
    with pytest.raises(edgematch.PuzzleError, match="3 edges, expected 4"):
        edgematch.Puzzle(rows=1, cols=1, tiles={1: ["a", "b", "c"]})
    with pytest.raises(FileNotFoundError, match="no such file"):
        edgematch.load("nowhere.yaml")
    puzzle = edgematch.load(TWO)
    with pytest.raises(ValueError, match="`fast` is not an engine"):
        puzzle.solutions("fast")
    with pytest.raises(ValueError, match="time_limit"):
        puzzle.count(time_limit=-1)
    with pytest.raises(ValueError, match="limit"):
        puzzle.solutions(limit=-1)
    with pytest.raises(ValueError, match="is not a formulation"):
        puzzle.model("dense")
    with pytest.raises(edgematch.SearchError):
        list(puzzle.solutions("corners"))
    with pytest.raises(edgematch.PuzzleError, match="pinn"):
        puzzle.with_constraints({"pinn": {"cell": [1, 1], "tile": 1}})
