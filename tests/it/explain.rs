//! Explanations of infeasibility: the reported set is infeasible, and minimal.

use std::ops::ControlFlow;

use edgematch::analyse::explain::{self, Explanation, Finding, Members, counts};
use edgematch::engine::Propagate;
use edgematch::enumerate::{self, Limits};
use edgematch::load;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::Orientation;
use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::common::drawn::{Draws, draws};
use crate::common::generated::{planted, random};
use crate::common::shapes::{Backs, Draw, Shape, Toy};
use crate::common::{PINNED_TWICE, loaded, problem, read};

/// Returns true if an arrangement obeys these members, by trying every tile in every orientation.
fn brute_force_finds(problem: &Problem, members: &Members, placed: &mut Vec<Placed>) -> bool {
    let puzzle = &problem.puzzle;
    let board = &problem.board;
    let cell = placed.len();
    if cell == board.size() {
        let arrangement = Arrangement(placed.clone());
        let mut constraints = members.constraints.iter().map(|&c| &problem.constraints[c]);
        return constraints
            .all(|constraint| constraint.broken(puzzle, board, &arrangement).is_none());
    }
    for tile in 0..puzzle.tiles.len() {
        let lying = placed.iter().filter(|p| p.tile == tile).count();
        let copies = puzzle.tiles[tile].copies.limited_to(board.size());
        let is_used_up = members.tiles.contains(&tile) && lying >= copies;
        if is_used_up || puzzle.tiles[tile].sides() != board.cells()[cell].sides {
            continue;
        }
        for orientation in puzzle.orientations(tile) {
            placed.push(Placed { tile, orientation });
            let finds =
                fits(problem, members, placed) && brute_force_finds(problem, members, placed);
            placed.pop();
            if finds {
                return true;
            }
        }
    }
    false
}

/// Returns true if the tile placed last fits.
fn fits(problem: &Problem, members: &Members, placed: &[Placed]) -> bool {
    let puzzle = &problem.puzzle;
    let board = &problem.board;
    let last = placed.len() - 1;
    let shows = |(cell, side): (usize, usize)| {
        let Placed { tile, orientation }: Placed = placed[cell];
        puzzle.tiles[tile].shows(side, orientation)
    };
    let framed = puzzle.border.is_none()
        || (0..board.cells()[last].sides).all(|side| {
            (puzzle.border == Some(shows((last, side)))) == board.rim().contains(&(last, side))
        });
    let seams: Vec<_> = board.required().collect();
    let asked = members.seams.iter().map(|&seam| seams[seam]);
    let mut laid = asked.filter(|[one, other]| one.0.max(other.0) == last);
    framed
        && laid.all(|[one, other]| {
            let ends = [shows(one), shows(other)];
            let is_unknown = ends.iter().any(|&label| puzzle.labels.name(label) == "?");
            is_unknown || ends[1] == puzzle.labels.mate(ends[0])
        })
}

fn small_boards() -> impl Strategy<Value = Toy> {
    use Backs::*;
    let backs = proptest::sample::select(&[None, None, Own, Some, Mirror, Reverse][..]);
    (0..4u8, backs, any::<u64>()).prop_map(|(shape, backs, seed)| {
        let mut random = Rng::with_seed(seed);
        let draw = Draw {
            images: 4,
            backs,
            may_turn: seed % 4 > 0,
            has_border: false,
            spare: usize::from(seed % 3 == 0),
            is_planted: false,
        };
        let shape = match shape {
            0 => Shape::grid(1, 3, true, false),
            1 => Shape::tetrahedron(),
            2 => Shape::of_cells(vec![3, 3], vec![[(0, 0), (1, 1)], [(0, 1), (1, 0)]]),
            _ => {
                let seams = vec![[(0, 0), (1, 0)], [(0, 1), (0, 3)], [(1, 1), (2, 2)]];
                Shape::of_cells(vec![4, 3, 5], seams)
            }
        };
        Toy::new(shape, &draw, &mut random).varied(&mut random)
    })
}

#[test]
fn sets_on_boards_of_every_kind_are_minimal() {
    let mut runner = TestRunner::new(Config::with_cases(60));
    let checked = runner.run(&small_boards(), |toy| {
        let problem = load::from_str(&toy.yaml()).unwrap();
        let found = enumerate::first(&problem, &Propagate, &Limits::default()).unwrap();
        prop_assume!(found.is_none());
        check_minimal(&problem, |members| brute_force_finds(&problem, members, &mut Vec::new()))?;
        Ok(())
    });
    checked.unwrap();
}

fn engine_finds(problem: &Problem, members: &Members) -> bool {
    let relaxed = members.relax(problem);
    let found = enumerate::first(&relaxed, &Propagate, &Limits::default());
    found.unwrap().is_some()
}

fn check_minimal(
    problem: &Problem,
    finds: impl Fn(&Members) -> bool,
) -> Result<Members, TestCaseError> {
    let why = explain::why(problem, &Limits::default()).unwrap();
    let Explanation::Impossible { members, smallest } = why else {
        return Err(TestCaseError::fail("it has a solution"));
    };
    prop_assert_eq!(smallest, Ok(()));
    prop_assert!(!finds(&members), "{:?} is possible", members);
    for fewer in members.without_each() {
        prop_assert!(finds(&fewer), "{:?} is impossible, too", fewer);
    }
    Ok(members)
}

#[test]
fn sets_of_random_puzzles_are_minimal() {
    let constraints = proptest::sample::select(
        &[
            "[]",
            "[pin: {cell: [1, 1], tile: t0}, count: {shows: {top: a}, at_most: 1}]",
            "[forbid: {cells: corners, tile: t1}, pin: {tile: t1, rotation: 0}]",
            "[adjacent: {tiles: [t0, t1]}, pin: {tile: t2, cell: [1, 1]}, use: {tiles: [t0, t1]}]",
            "[linear: {terms: [{weight: 2, cells: row 1, rotation: 0}, {weight: -1, tile: t1}], \
             at_least: 2}]",
        ][..],
    );
    let mut runner = TestRunner::new(Config::with_cases(40));
    let puzzles = (random(&[(2, 2), (1, 3)]), constraints);
    let checked = runner.run(&puzzles, |(generated, constraints)| {
        let yaml = format!("{}constraints: {constraints}\n", generated.yaml());
        let problem = loaded(&yaml, &[]).expect("it is loaded");
        if enumerate::first(&problem, &Propagate, &Limits::default()).unwrap().is_some() {
            prop_assert!(counts(&problem).is_empty(), "counts deny a solution");
            return Err(TestCaseError::reject("it has a solution"));
        }
        check_minimal(&problem, |members| {
            let by_engine = engine_finds(&problem, members);
            assert_eq!(by_engine, brute_force_finds(&problem, members, &mut Vec::new()));
            by_engine
        })?;
        Ok(())
    });
    checked.unwrap();
}

/// The conflicts and corrections that [`explain::conflicts`] reports, and those among all sets of
/// constraints, each as sets of bits.
fn assert_conflicts_are_all(problem: &Problem, kept: &[usize]) -> Result<(), TestCaseError> {
    let number = problem.constraints.len();
    let bits = |list: &[usize]| list.iter().fold(0_usize, |bits, index| bits | 1 << index);
    let (mut conflicts, mut corrections) = (Vec::new(), Vec::new());
    let found = explain::conflicts(problem, kept, &Limits::default(), &mut |finding| {
        match finding {
            Finding::Conflict(list) => conflicts.push(bits(&list)),
            Finding::Correction(list, _) => corrections.push(bits(&list)),
        }
        ControlFlow::Continue(())
    });
    prop_assert!(found.is_ok());
    prop_assert!(corrections.is_sorted_by_key(|set| set.count_ones()));
    let kept = bits(kept);
    let solvable: Vec<bool> = (0..1 << number)
        .map(|set: usize| {
            let constraints = (0..number).filter(|index| (set | kept) >> index & 1 == 1).collect();
            engine_finds(problem, &Members { constraints, ..Members::all(problem) })
        })
        .collect();
    let open = (0..1 << number).filter(|set| set & kept == 0);
    let smaller =
        |set: usize| (0..number).filter(move |i| set >> i & 1 == 1).map(move |i| set & !(1 << i));
    let minimal =
        open.clone().filter(|&set| !solvable[set] && smaller(set).all(|one| solvable[one]));
    conflicts.sort_unstable();
    prop_assert_eq!(conflicts, minimal.collect::<Vec<_>>());
    let all = (1 << number) - 1;
    let solves = |dropped: usize| solvable[all & !dropped];
    let minimal = open.filter(|&set| solves(set) && !smaller(set).any(solves));
    corrections.sort_unstable();
    prop_assert_eq!(corrections, minimal.collect::<Vec<_>>());
    Ok(())
}

proptest! {
    #![proptest_config(Config::with_cases(60))]

    #[test]
    fn conflicts_and_corrections_are_those_of_all_subsets(
        puzzle in planted(&[(2, 2), (1, 3), (2, 3)], 1..3),
        drawn in proptest::collection::vec(draws(), 2..6),
        kept in proptest::collection::vec(0usize..2, 0..2),
    ) {
        let text = |mut draws: Draws| draws.constraint(&puzzle).0;
        let items: String =
            drawn.into_iter().map(|draws| format!("  - {{{}}}\n", text(draws))).collect();
        // A list may pin a cell only once.
        let problem = load::from_str(&format!("{}constraints:\n{items}", puzzle.yaml()));
        prop_assume!(problem.as_ref().is_ok_and(|one| (2..9).contains(&one.constraints.len())));
        let problem = problem.unwrap();
        assert_conflicts_are_all(&problem, &kept)?;
    }
}

#[test]
fn the_mistyped_puzzle_needs_all_its_seams_and_tiles() {
    let problem = problem("sharks-misread");
    let members = check_minimal(&problem, |members| engine_finds(&problem, members)).unwrap();
    assert_eq!((members.seams.len(), members.tiles.len()), (12, 9));
}

#[test]
fn an_orientation_of_a_dropped_tile_is_still_its_own() {
    // Rotations are not a member: without rotation, two equal tiles never match here.
    let yaml = "{rows: 1, cols: 2, rotations: false, tiles: {1: [a, b, c, b], 2: [a, b, c, b]}}";
    let problem = load::from_str(yaml).unwrap();
    let members = check_minimal(&problem, |members| engine_finds(&problem, members)).unwrap();
    assert_eq!((members.seams, members.tiles), (vec![0], vec![]));
    assert_eq!(problem.puzzle.orientations(0).next(), Some(Orientation::turned(0)));
}

/// `adjacent` requires some copy of a tile to touch some copy of the other, not every copy.
#[test]
fn adjacent_requires_only_some_copies_to_touch() {
    for case in ["why-adjacent", "why-adjacent-2"] {
        let problem = read(&format!("tests/cases/{case}.yaml"));
        check_minimal(&problem, |members| {
            let by_engine = engine_finds(&problem, members);
            let by_brute_force = brute_force_finds(&problem, members, &mut Vec::new());
            assert_eq!(by_engine, by_brute_force, "{case}: {members:?}");
            by_engine
        })
        .unwrap();
    }
}

/// A small board with tiles that must touch, and two more constraints.
fn touching(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut draw = |words: &[&str]| words[random.usize(..words.len())].to_owned();
    let board = draw(&[
        "{grid: [1, 3]}",
        "{grid: [2, 2]}",
        "{grid: [1, 3], wrap: both}",
        "{triangles: [1, 4]}",
    ]);
    let is_of_triangles = board.contains("triangles");
    let (cell, sides) = if is_of_triangles { ("r1c1", 3) } else { ("[1, 1]", 4) };
    let which = if is_of_triangles {
        ["", ", sides: [0, any]", ", sides: [1, 2]"]
    } else {
        ["", ", sides: [right, any]", ", sides: [top, left]"]
    };
    let tiles = draw(&["[1, 2]", "[2, 3]", "[3, 1]"]);
    let mut constraints = vec![format!("adjacent: {{tiles: {tiles}{}}}", draw(&which))];
    let more = [
        &format!("region: {{cells: {cell}, only_from: [1]}}"),
        "apart: {tiles: [1, 3]}",
        "rotations: {rotations: [0]}",
        &format!("pin: {{cell: {cell}, rotation: 1}}"),
        "count: {tiles: [1, 2], at_most: 2}",
        "adjacent: {tiles: [2, 3]}",
    ];
    constraints.extend([draw(&more), draw(&more)]);
    let constraints: String = constraints.iter().map(|c| format!("  - {c}\n")).collect();
    let number = if board.contains("3]") { 3 } else { 4 };
    let mut tile = |t: usize| {
        let edges: Vec<String> = (0..sides).map(|_| draw(&["a+", "a-", "b"])).collect();
        format!("  {t}: [{}]\n", edges.join(", "))
    };
    let tiles: String = (1..=number).map(&mut tile).collect();
    format!("board: {board}\nconstraints:\n{constraints}tiles:\n{tiles}")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn sets_with_adjacent_tiles_are_minimal(seed in any::<u64>()) {
        let yaml = touching(seed);
        let Some(problem) = loaded(&yaml, &[PINNED_TWICE]) else {
            return Err(TestCaseError::reject("two pins of a cell"));
        };
        let found = enumerate::first(&problem, &Propagate, &Limits::default()).unwrap();
        prop_assume!(found.is_none());
        check_minimal(&problem, |members| {
            let by_engine = engine_finds(&problem, members);
            let by_brute_force = brute_force_finds(&problem, members, &mut Vec::new());
            assert_eq!(by_engine, by_brute_force, "{yaml} {members:?}");
            by_engine
        })?;
    }
}
