//! Why nothing fits: the set that is named is impossible, and as small as can be.

use std::path::Path;

use edgematch::engine::Propagate;
use edgematch::enumerate::{self, Limits};
use edgematch::explain::{self, Members, Why, counts};
use edgematch::load;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::Orientation;
use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::common::generated::random;
use crate::common::shapes::{Backs, Draw, Shape, Toy};
use crate::session::{puzzle, run, write};

/// Whether something obeys these members alone, by trying every tile in every orientation.
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
        let copies = puzzle.tiles[tile].copies.within(board.size());
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

/// Whether the tile that was laid last fits.
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
    let backs = proptest::sample::select(&[None, None, Own, Some, Mirror][..]);
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
fn sets_on_boards_of_every_sort_are_smallest() {
    let mut runner = TestRunner::new(Config::with_cases(60));
    let checked = runner.run(&small_boards(), |toy| {
        let problem = load::from_str(&toy.yaml()).unwrap();
        let found = enumerate::first(&problem, &Propagate, &Limits::default()).unwrap();
        prop_assume!(found.is_none());
        is_smallest(&problem, |members| {
            brute_force_finds(&problem, members, &mut Vec::new())
        })?;
        Ok(())
    });
    checked.unwrap();
}

fn engine_finds(problem: &Problem, members: &Members) -> bool {
    let relaxed = members.problem(problem);
    let found = enumerate::first(&relaxed, &Propagate, &Limits::default());
    found.unwrap().is_some()
}

fn is_smallest(
    problem: &Problem,
    finds: impl Fn(&Members) -> bool,
) -> Result<Members, TestCaseError> {
    let why = explain::why(problem, &Limits::default()).unwrap();
    let Why::Impossible { members, smallest } = why else {
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
fn sets_of_a_hundred_random_puzzles_are_smallest() {
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
    let mut runner = TestRunner::new(Config::with_cases(100));
    let puzzles = (random(&[(2, 2), (1, 3)]), constraints);
    let checked = runner.run(&puzzles, |(generated, constraints)| {
        let yaml = format!("{}constraints: {constraints}\n", generated.yaml());
        // An image of the constraint may be missing, or have halves.
        let Ok(problem) = load::from_str(&yaml) else {
            return Err(TestCaseError::reject("the constraint does not concern it"));
        };
        if enumerate::first(&problem, &Propagate, &Limits::default())
            .unwrap()
            .is_some()
        {
            prop_assert!(counts(&problem).is_empty(), "counts deny a solution");
            return Err(TestCaseError::reject("it has a solution"));
        }
        is_smallest(&problem, |members| {
            let by_engine = engine_finds(&problem, members);
            assert_eq!(
                by_engine,
                brute_force_finds(&problem, members, &mut Vec::new())
            );
            by_engine
        })?;
        Ok(())
    });
    checked.unwrap();
}

#[test]
fn the_puzzle_with_a_slip_needs_all_its_seams_and_tiles() {
    let root = Path::new(crate::ROOT);
    let problem = load::read(&root.join(puzzle("sharks-misread"))).unwrap();
    let members = is_smallest(&problem, |members| engine_finds(&problem, members)).unwrap();
    assert_eq!((members.seams.len(), members.tiles.len()), (12, 9));
}

#[test]
fn pins_that_contradict_each_other_are_named_alone() {
    let pins = [
        "--pin",
        "1,1=1",
        "--forbid",
        "corners=9",
        "--pin",
        "2,2=5@3",
        "--pin",
        "3,3=1",
    ];
    let file = puzzle("scramble-1");
    let session = run(&[&["why", &file][..], &pins[..]].concat());
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert_eq!(
        session.stdout,
        "there is no solution, because these contradict each other:\n  \
         2 constraints: 2 (pin), 4 (pin)\n  \
         1 tile: 1\n\
         even if the other constraints are ignored, no seam need fit and the other tiles may be used \
         any number of times (as far as the constraints allow)\n\
         each of them is needed: without it, the rest of the list can be satisfied\n"
    );
}

#[test]
fn contradicting_pins_are_found_on_boards_that_nobody_solves() {
    let file = "benches/boards/f10-b5k12-0.yaml";
    let session = run(&[
        "why",
        file,
        "--pin",
        "1,1=13",
        "--pin",
        "1,10=13",
        "--time-limit",
        "60s",
    ]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(
        session
            .stdout
            .contains("2 constraints: 1 (pin), 2 (pin)\n  1 tile: 13\n")
    );
}

#[test]
fn what_cannot_be_drawn_is_refused_before_the_search() {
    let file = puzzle("sharks-misread");
    for output in ["why.jpg", "/no/such/folder/why.svg"] {
        let session = run(&["why", &file, "-o", output]);
        assert_eq!(
            (session.code, session.stdout.as_str()),
            (2, ""),
            "{}",
            session.stderr
        );
    }
    assert_eq!(run(&["why", &file, "-o", "-", "--format", "json"]).code, 2);
    let session = run(&["why", "-o", "-", &puzzle("scramble-1")]);
    assert_eq!((session.code, session.stdout.as_str()), (1, ""));
}

#[test]
fn counts_decide_before_any_search() {
    let folder = tempfile::tempdir().unwrap();
    let explained = |yaml: &str, words: &str| {
        let file = write(folder.path(), "p.yaml", yaml).display().to_string();
        let session = run(&["why", &file]);
        assert_eq!(session.code, 0, "{}", session.stderr);
        assert!(session.stdout.contains(words), "{}", session.stdout);
        assert!(!session.stdout.contains("already"));
        assert_eq!(run(&["solve", "-q", &file]).code, 1);
        let set = run(&["why", "--set", &file]);
        assert!(
            set.stdout.contains("these contradict each other:"),
            "{}",
            set.stdout
        );
    };
    explained(
        "border: x\ntiles: {1: [a+, x, x, b], 2: [a+, x, x, b], 3: [a+, x, x, b], 4: [a-, x, x, \
         b]}",
        "inside lie 3 `a+` but 1 `a-`",
    );
    explained(
        "border: x\ntiles: {1: [a, x, x, b], 2: [a, x, x, b], 3: [a, x, x, b], 4: [b, x, x, b]}",
        "inside lie 3 edges `a`, which do not go in pairs",
    );
    explained(
        "tiles: {1: [a+, a+, a+, b+], 2: [a+, b+, a+, c+], 3: [a+, c-, a+, b+], 4: [a-, a-, b+, \
         b+]}",
        "the board has 4 seams, the tiles make at most 3 pairs",
    );
    explained(
        "border: x\ntiles: {1: [a, x, x, b], 2: [a, x, x, b], 3: [a, x, x, b], 4: [x, b, x, b]}",
        "the board has 4 corners, and 3 tiles that fit there",
    );
}

#[test]
fn a_puzzle_with_a_solution_has_nothing_to_explain() {
    for flags in [&[][..], &["--set"]] {
        let session = run(&[&["why", &puzzle("scramble-1")][..], flags].concat());
        assert_eq!(session.code, 1);
        assert!(session.stdout.starts_with("there is a solution: nothing"));
    }
}

#[test]
fn the_drawing_marks_the_set() {
    let session = run(&["why", "-q", "-o", "-", &puzzle("sharks-misread")]);
    assert_eq!(session.code, 0);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let marked = svg
        .descendants()
        .filter(|n| n.attribute("class") == Some("marked"));
    assert_eq!(marked.count(), 12 + 9);
    let broken = svg
        .descendants()
        .filter(|n| n.attribute("class") == Some("misfit"));
    assert_eq!(broken.count(), 1);
}

#[test]
fn a_run_that_is_stopped_explains_nothing() {
    let session = run(&[
        "why",
        "--time-limit",
        "50ms",
        "benches/boards/f16-b5k17-0.yaml",
    ]);
    assert_eq!(session.code, 3);
    assert!(
        session
            .stderr
            .contains("not explained: stopped after 50.0 ms"),
        "{}",
        session.stderr
    );
    assert_eq!(session.stdout, "");
}

#[test]
fn an_orientation_of_a_dropped_tile_is_still_its_own() {
    // Rotations are no member: without turns two equal tiles never fit beside each other here.
    let yaml = "{rows: 1, cols: 2, rotations: false, tiles: {1: [a, b, c, b], 2: [a, b, c, b]}}";
    let problem = load::from_str(yaml).unwrap();
    let members = is_smallest(&problem, |members| engine_finds(&problem, members)).unwrap();
    assert_eq!((members.seams, members.tiles), (vec![0], vec![]));
    assert_eq!(
        problem.puzzle.orientations(0).next(),
        Some(Orientation::turned(0))
    );
}

/// `adjacent` asks some copy of a tile to touch some copy of the other, not every copy.
#[test]
fn tiles_that_must_touch_may_have_copies_that_do_not() {
    for case in ["why-adjacent", "why-adjacent-2"] {
        let root = Path::new(crate::ROOT);
        let problem = load::read(&root.join(format!("tests/cases/{case}.yaml"))).unwrap();
        is_smallest(&problem, |members| {
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
    let (cell, sides) = if is_of_triangles {
        ("r1c1", 3)
    } else {
        ("[1, 1]", 4)
    };
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
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn sets_with_tiles_that_must_touch_are_smallest(seed in any::<u64>()) {
        let yaml = touching(seed);
        let Ok(problem) = load::from_str(&yaml) else {
            return Err(TestCaseError::reject("two pins, or images with and without halves"));
        };
        let found = enumerate::first(&problem, &Propagate, &Limits::default()).unwrap();
        prop_assume!(found.is_none());
        is_smallest(&problem, |members| {
            let by_engine = engine_finds(&problem, members);
            let by_brute_force = brute_force_finds(&problem, members, &mut Vec::new());
            assert_eq!(by_engine, by_brute_force, "{yaml} {members:?}");
            by_engine
        })?;
    }
}

#[test]
fn seams_between_the_same_two_cells_are_told_apart() {
    let board = "board: {cells: {A: 3, B: 3}, seams: [[A, 0, B, 1], [A, 1, B, 0], [A, 2, B, 2]]}\n\
                 rotations: false\ntiles:\n  1: [a, b, c]\n  2: [b, a, d]\n";
    let session = crate::session::run_with_input(&["why", "--set", "-"], board);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let seams = session
        .stdout
        .lines()
        .find(|line| line.contains("1 seam: "))
        .unwrap();
    assert!(seams.contains("A-B (2-2)"), "{seams}");
    let json =
        crate::session::run_with_input(&["why", "--set", "-", "--format", "json"], board).stdout;
    assert!(json.contains(r#""seams":[["A","B"]]"#), "{json}");
    assert!(json.contains(r#""seam_sides":[["2","2"]]"#), "{json}");
}

/// A cell that touches itself: that the two sides fit is asked for, and may be dropped.
#[test]
fn a_seam_within_a_cell_is_a_member_like_any_other() {
    let board = "board: {cells: {A: 3}, seams: [[A, 2, A, 1]]}\ntiles:\n  1: [i+, i+, i+]\n";
    let session = crate::session::run_with_input(&["why", "--set", "-"], board);
    assert!(
        session.stdout.contains("1 seam: A-A (1-2)"),
        "{}",
        session.stdout
    );
    assert!(
        session
            .stdout
            .contains("every tile may be used any number of times")
    );
}
