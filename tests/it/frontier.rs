//! Counting along a frontier, compared with listing and with known figures.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use edgematch::enumerate::solution::{check, expand};
use edgematch::enumerate::up_to::{UpTo, symmetries};
use edgematch::enumerate::{
    self, Limits, Memory, MemoryLimit, Method, RunStatus, StopReason, Tally, frontier,
};
use edgematch::problem::Problem;
use edgematch::{BigUint, load};
use fastrand::Rng;
use itertools::Itertools;
use proptest::prelude::*;

use crate::common::drawn::{SIZES, nested};
use crate::common::shapes::{Draw, Shape, Toy};

/// The tally along a frontier.
fn tally(problem: &Problem) -> Tally {
    let counted = enumerate::count(problem, &Limits::default(), Some(Method::Frontier));
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
    if listed.tally.solutions <= 5_000u32.into() {
        compare_marginals(problem, text);
    }
    Some(listed.tally.listed())
}

/// Compares the marginals of both methods with a list of all labelled solutions.
fn compare_marginals(problem: &Problem, text: &str) {
    let mut expected = vec![vec![0u32; problem.board.size()]; problem.kinds.kinds.len()];
    for solution in problem.solutions() {
        for arrangement in expand(problem, &solution.orbit) {
            for (cell, placed) in arrangement.0.iter().enumerate() {
                let kind = problem.kinds.kinds.iter().position(|k| k.tiles.contains(&placed.tile));
                expected[kind.unwrap()][cell] += 1;
            }
        }
    }
    for method in [Method::Search, Method::Frontier] {
        let (outcome, found) = enumerate::marginals(problem, &Limits::default(), Some(method));
        assert!(outcome.status.is_complete());
        let found: Vec<Vec<u32>> = found
            .kinds
            .iter()
            .map(|row| row.iter().map(|number| u32::try_from(number).unwrap()).collect())
            .collect();
        assert_eq!(found, expected, "{method:?} {text}");
    }
}

/// Every solution is drawn equally often: chi-square within five standard deviations of its mean.
#[test]
fn samples_are_uniform() {
    const DRAWN: usize = 10_000;
    let read = |name: &str| load::read(&Path::new(crate::ROOT).join("puzzles").join(name)).unwrap();
    // Copies of two tiles that look alike, so arrangements represent different numbers of solutions.
    let tile = |edges: &str| format!("{{edges: [{edges}], copies: 2}}");
    let [plain, striped] = ["a, a, a, a", "a, b, a, b"].map(tile);
    let text = format!("{{rows: 2, cols: 2, tiles: {{1: {plain}, 2: {plain}, 3: {striped}}}}}");
    for problem in [read("absolut-knifflig.yaml"), load::from_str(&text).unwrap()] {
        let mut share = HashMap::new();
        for solution in problem.solutions() {
            for image in &solution.orbit {
                let labelled = expand(&problem, std::slice::from_ref(image)).count();
                share.insert(image.clone(), labelled as f64);
            }
        }
        let total: f64 = share.values().sum();
        let freedom = share.len() as f64 - 1.0;
        for method in [Method::Search, Method::Frontier] {
            let (outcome, drawn) =
                enumerate::sample(&problem, &Limits::default(), Some(method), (DRAWN, 1));
            assert!(outcome.status.is_complete());
            assert_eq!(drawn.len(), DRAWN);
            let times = drawn.iter().counts();
            let chi_square: f64 = share
                .iter()
                .map(|(image, share)| {
                    let expected = DRAWN as f64 * share / total;
                    let times = times.get(image).copied().unwrap_or(0) as f64;
                    (times - expected).powi(2) / expected
                })
                .sum();
            assert_eq!(times.keys().filter(|image| !share.contains_key(**image)).count(), 0);
            let most = freedom + 5.0 * (2.0 * freedom).sqrt();
            assert!(chi_square < most, "{method:?}: {chi_square} of {freedom}");
        }
    }
}

/// Solutions of a board that cannot be listed are drawn, and fit.
#[test]
fn samples_of_ice_fit() {
    let problem = ice("rows: 8, cols: 8");
    let (outcome, drawn) = enumerate::sample(&problem, &Limits::default(), None, (20, 7));
    assert_eq!(outcome.engine, frontier::NAME);
    assert_eq!(drawn.iter().unique().count(), 20);
    for picture in drawn {
        assert_eq!(check(&problem, &picture.arrangement(&problem)), Ok(()));
    }
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
    let (compared, solved) = compare_on_boards(0..400);
    assert!(compared > 160 && solved > 80, "{compared}, {solved} solved");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

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

/// The six squares of two colours on a rectangle have every symmetry of the rectangle, and the
/// exchange of the colours. Orbits are counted by moving the drawn labels.
#[test]
fn solutions_up_to_mirrors_and_colours_are_orbits_of_pictures() {
    let tiles = "{1: [a, a, a, a], 2: [a, a, a, b], 3: [a, a, b, b], 4: [a, b, a, b], \
                 5: [a, b, b, b], 6: [b, b, b, b]}";
    for [rows, columns] in [[2, 3], [3, 2], [1, 6]] {
        let problem = load::from_str(&format!("{{rows: {rows}, cols: {columns}, tiles: {tiles}}}"));
        let problem = problem.unwrap();
        // The labels (right, top, left, bottom) of each cell as bits.
        let edges = |value: usize| -> Vec<bool> {
            let shown = problem.kinds.values[value].edges.iter();
            shown.map(|label| problem.puzzle.labels.name(*label) == "b").collect()
        };
        let pictures: Vec<Vec<Vec<bool>>> = problem
            .solutions()
            .flat_map(|solution| solution.orbit)
            .map(|picture| picture.values().map(edges).collect())
            .collect();
        let moved = |picture: &[Vec<bool>], [across, down, exchange]: [bool; 3]| {
            let cell = |index: usize| {
                let [row, column] = [index / columns, index % columns];
                let row = if down { rows - 1 - row } else { row };
                let column = if across { columns - 1 - column } else { column };
                let mut edges = picture[row * columns + column].clone();
                if across {
                    edges.swap(0, 2);
                }
                if down {
                    edges.swap(1, 3);
                }
                edges.into_iter().map(|edge| edge != exchange).collect()
            };
            (0..rows * columns).map(cell).collect::<Vec<Vec<bool>>>()
        };
        for (mirrors, colours) in [(false, true), (true, false), (true, true)] {
            let all = [0, 1]
                .into_iter()
                .cartesian_product(0..4)
                .map(|(exchange, motion)| [motion & 1 > 0, motion & 2 > 0, exchange > 0]);
            let group = all.filter(|[across, down, exchange]| {
                (mirrors || across == down) && (colours || !exchange)
            });
            let group = group.collect_vec();
            let canonical =
                |picture: &Vec<Vec<bool>>| group.iter().map(|&by| moved(picture, by)).min();
            let orbits = pictures.iter().map(canonical).unique().count();
            let symmetries = symmetries(&problem, UpTo { mirrors, colours }).unwrap();
            assert_eq!(symmetries.len(), group.len());
            for method in [Method::Search, Method::Frontier] {
                let (outcome, number) =
                    enumerate::count_up_to(&problem, &Limits::default(), Some(method), &symmetries);
                assert!(outcome.status.is_complete() && orbits > 0);
                assert_eq!(
                    number,
                    orbits.into(),
                    "{rows}x{columns} {mirrors} {colours} {method:?}"
                );
            }
        }
    }
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

/// Lozenge tilings of hexagons: each triangle joins exactly one neighbour (MacMahon's formula for
/// plane partitions, OEIS A008793).
#[test]
fn lozenge_tilings_have_the_published_numbers() {
    for (side, number) in [(1, "2"), (2, "20"), (3, "980"), (4, "232848")] {
        let text = format!(
            "{{board: {{triangle-hexagon: {side}}}, matching: equal, constraints: [rim: {{image: n}}], \
             tiles: {{1: {{edges: [j, n, n], copies: any}}}}}}"
        );
        assert_solutions(&load::from_str(&text).unwrap(), number);
    }
}

/// Colourings of a grid of squares with three colours, in which neighbours differ (OEIS A068253 has
/// a third of them). A tile shows its own colour and its neighbour's on each side; on the rim, the
/// other colour is one of two.
#[test]
fn colourings_with_three_colours_have_the_published_numbers() {
    let side = |own: usize, other: usize| {
        let [low, high] = [own.min(other), own.max(other)];
        format!("p{low}{high}{}", if own < other { "+" } else { "-" })
    };
    let mut tiles = Vec::new();
    for (own, others) in (0..3).cartesian_product((0..4).map(|_| [1, 2]).multi_cartesian_product())
    {
        let edges = others.iter().map(|step| side(own, (own + step) % 3)).join(", ");
        tiles.push(format!("{}: {{edges: [{edges}], copies: any}}", tiles.len()));
    }
    for (size, third) in [(1usize, 1u64), (2, 6), (3, 82), (4, 2_604), (5, 193_662)] {
        let text = format!(
            "{{rows: {size}, cols: {size}, rotations: false, tiles: {{{}}}}}",
            tiles.join(", ")
        );
        let number: BigUint = BigUint::from(3 * third) << (4 * size);
        assert_solutions(&load::from_str(&text).unwrap(), &number.to_string());
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
        let counted = enumerate::count(problem, &limits, Some(Method::Frontier));
        assert_eq!(counted.engine, frontier::NAME);
        assert!(matches!(counted.status, RunStatus::Stopped(StopReason::Memory(_))));
        assert!(counted.tally.listed() >= 1, "{:?}", counted.tally);
    }
    let nodes = Limits { nodes: Some(200_000), ..limits };
    let listed = enumerate::count(&none, &nodes, None);
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
    let up_to = symmetries(&problem, UpTo { mirrors: true, colours: true }).unwrap();
    let (counted, number) = enumerate::count_up_to(&problem, &Limits::default(), None, &up_to);
    assert_eq!(counted.engine, frontier::NAME);
    assert_eq!(number, 13_328u32.into());
    assert_eq!(counted.tally.listed(), 4 * 13_328);
    assert_eq!(counted.tally.classes, 27_295_744u32.into());
    assert_eq!(counted.tally.solutions, 54_591_488u32.into());
}
