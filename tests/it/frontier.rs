//! Counting along a frontier, compared with listing and with known figures.

use std::fs;
use std::path::Path;

use edgematch::enumerate::{Limits, Memory, MemoryLimit, RunStatus, StopReason, Tally};
use edgematch::problem::Problem;
use edgematch::{BigUint, enumerate::frontier, load};
use fastrand::Rng;
use proptest::prelude::*;

use crate::common::drawn::{SIZES, nested};
use crate::common::shapes::{Draw, Shape, Toy};

/// The tally along a frontier.
fn tally(problem: &Problem) -> Tally {
    let counted = frontier::count(problem, &Limits::default());
    assert_eq!(counted.status, RunStatus::Complete);
    counted.tally
}

/// The only symmetry turns the board over, so the two halves show each other's labels along the cut
/// with image halves exchanged.
#[test]
fn halves_of_a_board_swap_with_the_halves_of_images() {
    let text = "{rows: 1, cols: 2, rotations: false, flip: reverse, \
                tiles: {1: [b-, b-, a+, b+], 2: [b-, b-, b+, b-]}}";
    let tally = tally(&load::from_str(text).unwrap());
    assert_eq!(
        (tally.solutions, tally.classes, tally.distinct),
        (4u32.into(), 2u32.into(), 2u32.into())
    );
}

/// Two tiles that look the same, with two pieces each: any two of the four cells have the first name.
#[test]
fn copies_of_twins_have_their_names_in_every_order() {
    let tile = "{edges: [a, a, a, a], copies: 2}";
    let text = format!("{{rows: 2, cols: 2, rotations: false, tiles: {{1: {tile}, 2: {tile}}}}}");
    let tally = tally(&load::from_str(&text).unwrap());
    assert_eq!((tally.solutions, tally.distinct), (6u32.into(), 1u32.into()));
}

/// Compares a count along a frontier with a list, if the problem is supported and has a short list.
/// Returns the number of distinct solutions if it was compared.
fn compare_with_list(problem: &Problem, text: &str) -> Option<u64> {
    frontier::serves(problem).ok()?;
    let listed = problem.solutions().with_most(20_000).all().outcome;
    if !listed.status.is_complete() {
        return None;
    }
    assert_eq!(tally(problem), listed.tally, "{text}");
    Some(listed.tally.listed())
}

/// Boards of all kinds, with spare and two-sided tiles, twins, copies, unknown edges, and
/// constraints that distinguish orientations which look the same.
fn compare_on_boards(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let compared = seeds.filter_map(|seed| {
        let mut random = Rng::with_seed(seed);
        let shape = Shape::random(&mut random);
        let draw = Draw::random(&mut random);
        let mut toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        if random.bool() {
            let tile = &toy.pieces[random.usize(..toy.pieces.len())].name;
            let what = ["rotations", "forbid"][random.usize(..2)];
            let rotation = random.usize(..3);
            toy.constraints =
                format!("constraints: [{what}: {{tile: {tile}, rotations: [{rotation}]}}]\n");
        }
        let text = toy.yaml();
        compare_with_list(&load::from_str(&text).ok()?, &format!("seed {seed}\n{text}"))
    });
    let numbers: Vec<u64> = compared.collect();
    (numbers.len(), numbers.iter().filter(|number| **number > 0).count())
}

#[test]
fn counts_agree_with_lists_on_boards_of_all_kinds() {
    let (compared, solved) = compare_on_boards(0..700);
    assert!(compared > 300 && solved > 150, "{compared}, {solved} solved");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Constraints, also nested ones that simplify to sums.
    #[test]
    fn counts_agree_with_lists_under_constraints(nested in nested(SIZES)) {
        if let Some(problem) = nested.problem() {
            compare_with_list(&problem, &nested.yaml());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    #[ignore = "takes a minute; .ci/run runs it"]
    fn counts_agree_with_lists_under_constraints_on_5000_puzzles(nested in nested(SIZES)) {
        if let Some(problem) = nested.problem() {
            compare_with_list(&problem, &nested.yaml());
        }
    }
}

/// All sixteen squares with two colours, not rotated.
fn sixteen(board: &str) -> Problem {
    let tile = |number: usize| {
        let colours = (0..4).map(|side| ["white", "black"][number >> side & 1]);
        format!("{number}: [{}]", itertools::join(colours, ", "))
    };
    let tiles = itertools::join((0..16).map(tile), ", ");
    load::from_str(&format!("{{{board}, rotations: false, tiles: {{{tiles}}}}}")).unwrap()
}

#[test]
fn sixteen_squares_of_two_colours_have_the_numbers_that_others_found() {
    let rim = "rows: 4, cols: 4, constraints: [rim: {image: white}]";
    let counted = tally(&sixteen(rim));
    assert_eq!((counted.listed(), counted.solutions), (652, 652u32.into()));
    let torus = "board: {grid: [4, 4], wrap: both}";
    let counted = tally(&sixteen(torus));
    assert_eq!(counted.listed(), 12_720);
    assert_eq!(counted.solutions, 203_520u32.into());
}

/// Rectangles of tiles with any number of copies: small ones are compared with the list, and large
/// ones cannot be listed.
#[test]
fn tiles_without_end_are_counted_without_a_list() {
    let dominoes = |rows: usize, columns: usize| {
        let text = format!(
            "{{rows: {rows}, cols: {columns}, rotations: false, tiles: {{\
             1: {{edges: [a, a, a, a], copies: any}}, 2: {{edges: [b, b, b, b], copies: any}}, \
             3: {{edges: [a, b, a, b], copies: any}}}}}}"
        );
        load::from_str(&text).unwrap()
    };
    let small = dominoes(2, 3);
    assert_eq!(tally(&small), edgematch::solve(&small).outcome.tally);
    // One image passes through each row, and one through each column; tiles 1 and 2 are at the
    // crossings.
    let large = tally(&dominoes(4, 4));
    assert_eq!(large.solutions, by_rows_and_columns(4));
}

/// The number of ways to choose an image for each row and column such that rows of b do not cross
/// columns of a.
fn by_rows_and_columns(side: u32) -> BigUint {
    let ways = (0..1u32 << side).map(|rows| if rows == 0 { 1u32 << side } else { 1 });
    ways.sum::<u32>().into()
}

/// Tiles with a list of labels (`right, top, left, bottom`), any number of copies, not rotated.
fn endless(board: &str, tiles: &[[&str; 4]]) -> Problem {
    let tile = |(number, edges): (usize, &[&str; 4])| {
        format!("{number}: {{edges: [{}], copies: any}}", edges.join(", "))
    };
    let tiles = itertools::join(tiles.iter().enumerate().map(tile), ", ");
    load::from_str(&format!("{{{board}, rotations: false, tiles: {{{tiles}}}}}")).unwrap()
}

/// Ice: two arrows enter each square and two leave it.
fn ice(board: &str) -> Problem {
    let out = "a+";
    let into = "a-";
    let tiles = [
        [out, out, into, into],
        [out, into, out, into],
        [out, into, into, out],
        [into, out, out, into],
        [into, out, into, out],
        [into, into, out, out],
    ];
    endless(board, &tiles)
}

fn assert_solutions(problem: &Problem, solutions: &str) {
    assert_eq!(tally(problem).solutions.to_string(), solutions, "{}", problem.board.description());
}

/// The six-vertex model with free boundaries (OEIS A054763 has it for squares), and Eulerian
/// orientations of tori (A054759).
#[test]
fn ice_has_the_published_numbers() {
    let square = |side: usize| format!("rows: {side}, cols: {side}");
    let torus = |side: usize| format!("board: {{grid: [{side}, {side}], wrap: both}}");
    let squares = [(1, "6"), (2, "82"), (3, "2604"), (4, "193662"), (8, "31191658416342674")];
    for (side, number) in squares {
        assert_solutions(&ice(&square(side)), number);
    }
    assert_solutions(&ice(&square(12)), "4759146677426447759184119036493676");
    for (side, number) in [(2, "18"), (3, "148"), (4, "2970"), (5, "143224"), (6, "16448400")] {
        assert_solutions(&ice(&torus(side)), number);
    }
}

/// Domino tilings of squares: each square joins exactly one neighbour (OEIS A004003).
#[test]
fn domino_tilings_have_the_published_numbers() {
    let tiles =
        [0, 1, 2, 3].map(|joined| [0, 1, 2, 3].map(|side| if side == joined { "j" } else { "n" }));
    let rim = |side: usize| format!("rows: {side}, cols: {side}, constraints: [rim: {{image: n}}]");
    for (side, number) in [(2, "2"), (4, "36"), (6, "6728"), (8, "12988816"), (10, "258584046368")]
    {
        assert_solutions(&endless(&rim(side), &tiles), number);
    }
}

/// The eleven Wang tiles of Jeandel and Rao, which tile the plane without a period.
#[test]
fn jeandel_and_raos_tiles_fill_a_rectangle_in_the_published_number_of_ways() {
    let tiles = [
        ["2", "4", "2", "1"],
        ["2", "2", "2", "0"],
        ["1", "1", "3", "1"],
        ["1", "2", "3", "2"],
        ["3", "1", "3", "3"],
        ["0", "1", "3", "1"],
        ["0", "0", "0", "1"],
        ["3", "1", "0", "2"],
        ["0", "2", "1", "2"],
        ["1", "2", "1", "4"],
        ["3", "3", "1", "2"],
    ];
    assert_solutions(&endless("rows: 12, cols: 10", &tiles), "14395780");
}

#[test]
fn unsupported_problems_are_refused_with_the_reason() {
    let refused = |text: &str| frontier::serves(&load::from_str(text).unwrap()).unwrap_err();
    let four = "tiles: {1: [a, a, a, a], 2: [a, b, a, b], 3: [a, a, b, b], 4: [b, b, b, b]}";
    let on = |board: &str| format!("{{{board}, {four}}}");
    let several = on("rows: 2, cols: 2, constraints: [loop: {image: a}]");
    assert_eq!(refused(&several), "constraint 1 (`loop`) is not a sum over cells");
    assert!(frontier::serves(&load::from_str(&on("rows: 1, cols: 3")).unwrap()).is_ok());
}

/// If there is no memory for the states, the count falls back to a list.
#[test]
fn a_count_that_ends_early_reports_what_was_found() {
    let nothing = || Some(Memory { resident: 0, address_space: 0 });
    let limit = 1 << 20;
    let limits = Limits {
        memory: MemoryLimit::measured_by(nothing, Some(limit), None),
        ..Limits::default()
    };
    let read = |name: &str| load::read(&Path::new(crate::ROOT).join(name)).unwrap();
    let none = read("tests/cases/counts/count-halves-none.yaml");
    let mac = read("tests/cases/counts/mac-norot-5x5.yaml");
    for problem in [&none, &mac] {
        let counted = frontier::count(problem, &limits);
        assert_eq!(counted.engine, frontier::NAME);
        assert!(matches!(counted.status, RunStatus::Stopped(StopReason::Memory(_))));
        assert!(counted.tally.listed() >= 1, "{:?}", counted.tally);
    }
    let nodes = Limits { nodes: Some(200_000), ..limits };
    let listed = frontier::count_or_list(&none, &nodes);
    assert_eq!(listed.status, RunStatus::Stopped(StopReason::Nodes(200_000)));
    assert!(listed.tally.listed() >= 3_114, "{:?}", listed.tally);
}

/// MacMahon's 24 squares with three colours, 4×6, with a rim of one colour: 13,328 solutions up to
/// rotations, reflections and exchanging the two other colours.
#[test]
#[ignore = "takes seconds in release; .ci/run runs it"]
fn macmahon_squares_have_the_published_number() {
    let file = Path::new(crate::ROOT).join("benches/boards/macmahon-4x6.yaml");
    let problem = load::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let counted = frontier::count_or_list(&problem, &Limits::default());
    assert_eq!(counted.engine, frontier::NAME);
    assert_eq!(counted.tally.listed(), 4 * 13_328);
    assert_eq!(counted.tally.classes, 27_295_744u32.into());
    assert_eq!(counted.tally.solutions, 54_591_488u32.into());
}
