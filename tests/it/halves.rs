//! Counting by halves, compared with listing.

use std::fs;
use std::path::Path;

use edgematch::enumerate::{Limits, Memory, MemoryLimit, RunStatus, StopReason, Tally};
use edgematch::problem::Problem;
use edgematch::{BigUint, enumerate::halves, load};
use fastrand::Rng;

use crate::common::shapes::{Draw, Shape, Toy};

/// The tally by halves with this number of threads.
fn by_halves(problem: &Problem, threads: usize) -> Tally {
    let limits = Limits { threads, ..Limits::default() };
    let counted = halves::count(problem, &limits);
    assert_eq!(counted.status, RunStatus::Complete);
    counted.tally
}

/// The only symmetry turns the board over, so the two halves show each other's labels along the cut
/// with image halves exchanged.
#[test]
fn halves_of_a_board_swap_with_the_halves_of_images() {
    let text = "{rows: 1, cols: 2, rotations: false, flip: reverse, \
                tiles: {1: [b-, b-, a+, b+], 2: [b-, b-, b+, b-]}}";
    let tally = by_halves(&load::from_str(text).unwrap(), 1);
    assert_eq!((tally.solutions, tally.classes, tally.distinct), (4u32.into(), 2u32.into(), 2));
}

/// Boards of all kinds, with two-sided tiles, twins, copies, unknown edges, and constraints that
/// distinguish orientations which look the same.
#[test]
fn as_many_are_counted_as_are_listed() {
    let (mut served, mut solved) = (0, 0);
    for seed in 0..700 {
        let mut random = Rng::with_seed(seed);
        let shape = Shape::random(&mut random);
        let draw = Draw { spare: 0, ..Draw::random(&mut random) };
        let mut toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        if random.bool() {
            let tile = &toy.pieces[random.usize(..toy.pieces.len())].name;
            let what = ["rotations", "forbid"][random.usize(..2)];
            let rotation = random.usize(..3);
            toy.constraints =
                format!("constraints: [{what}: {{tile: {tile}, rotations: [{rotation}]}}]\n");
        }
        let Ok(problem) = load::from_str(&toy.yaml()) else {
            continue;
        };
        if halves::serves(&problem).is_err() {
            continue;
        }
        let limits = Limits { distinct: 20_000, ..Limits::default() };
        let listed = problem.solutions().with_most(limits.distinct).all().outcome;
        if !listed.status.is_complete() {
            continue;
        }
        served += 1;
        solved += u32::from(listed.tally.distinct > 0);
        for threads in [1, 2] {
            assert_eq!(by_halves(&problem, threads), listed.tally, "seed {seed}\n{}", toy.yaml());
        }
    }
    assert!(served > 250 && solved > 120, "{served}, {solved} solved");
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
    let counted = by_halves(&sixteen(rim), 2);
    assert_eq!((counted.distinct, counted.solutions), (652, 652u32.into()));
    let torus = "board: {grid: [4, 4], wrap: both}";
    let counted = by_halves(&sixteen(torus), 2);
    assert_eq!(counted.distinct, 12_720);
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
    assert_eq!(by_halves(&small, 1), edgematch::solve(&small).outcome.tally);
    // One image passes through each row, and one through each column; tiles 1 and 2 are at the
    // crossings.
    let large = by_halves(&dominoes(4, 4), 2);
    assert_eq!(large.solutions, by_rows_and_columns(4));
}

/// The number of ways to choose an image for each row and column such that rows of b do not cross
/// columns of a.
fn by_rows_and_columns(side: u32) -> BigUint {
    let ways = (0..1u32 << side).map(|rows| if rows == 0 { 1u32 << side } else { 1 });
    ways.sum::<u32>().into()
}

#[test]
fn what_a_half_cannot_know_is_refused() {
    let refused = |text: &str| halves::serves(&load::from_str(text).unwrap()).unwrap_err();
    let four = "tiles: {1: [a, a, a, a], 2: [a, b, a, b], 3: [a, a, b, b], 4: [b, b, b, b]}";
    let on = |board: &str| format!("{{{board}, {four}}}");
    let several = on("rows: 2, cols: 2, constraints: [apart: {tiles: [1, 2]}]");
    assert_eq!(
        refused(&several),
        "constraint 1 (`apart`) concerns several cells, which may be in different halves"
    );
    assert_eq!(
        refused(&on("rows: 1, cols: 3")),
        "there are more tiles than cells, so one half does not determine the other"
    );
    assert_eq!(
        refused("{tiles: {1: [a, a, a, a]}}"),
        "a board of one cell cannot be cut into halves"
    );
    let size = (1..=81).map(|tile| format!("{tile}: [a, b, a, c{tile}]"));
    let large = format!("{{tiles: {{{}}}}}", itertools::join(size, ", "));
    assert_eq!(
        refused(&large),
        "there are too many different tiles: the used ones must fit into 64 bits"
    );
    assert!(halves::serves(&load::from_str(&on("rows: 2, cols: 2")).unwrap()).is_ok());
}

/// If there is no memory for the tables of half boards, the count finds nothing, but the preceding
/// list does.
#[test]
fn a_count_that_ends_early_reports_what_was_found_before() {
    let nothing = || Some(Memory { resident: 0, address_space: 0 });
    // The trial list needs less memory, a table of half boards more.
    let limit = 1 << 20;
    let limits = Limits {
        memory: MemoryLimit::measured_by(nothing, Some(limit), None),
        ..Limits::default()
    };
    let read = |name: &str| load::read(&Path::new(crate::ROOT).join(name)).unwrap();
    let none = read("tests/cases/counts/count-halves-none.yaml");
    let mac = read("tests/cases/counts/mac-norot-5x5.yaml");
    for (counted, least) in [
        (halves::count(&none, &limits), 1),
        (halves::count(&mac, &limits), 1),
        (halves::count_or_list(&none, &limits), 3_114),
    ] {
        assert_eq!(counted.engine, halves::NAME);
        let stopped = RunStatus::Stopped(StopReason::Memory(limit));
        assert_eq!(counted.status, stopped);
        assert!(counted.tally.distinct >= least, "{:?}", counted.tally);
        assert!(counted.tally.solutions >= least.into());
    }
}

/// MacMahon's 24 squares with three colours, 4×6, with a rim of one colour: 13,328 solutions up to
/// rotations, reflections and exchanging the two other colours.
#[test]
#[ignore = "takes seconds in release; .ci/run runs it"]
fn squares_of_three_colours_are_counted_by_themselves_so() {
    let file = Path::new(crate::ROOT).join("benches/boards/macmahon-4x6.yaml");
    let problem = load::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let limits = Limits { threads: 2, ..Limits::default() };
    let counted = halves::count_or_list(&problem, &limits);
    assert_eq!(counted.engine, halves::NAME);
    assert_eq!(counted.tally.distinct, 4 * 13_328);
    assert_eq!(counted.tally.classes, 27_295_744u32.into());
    assert_eq!(counted.tally.solutions, 54_591_488u32.into());
}
