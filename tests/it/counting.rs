//! Counts that rule out a solution: they are correct, and they find known cases.

use edgematch::engine::{Auto, Propagate};
use edgematch::enumerate::{self, Limits, RunStatus};
use edgematch::{domains::counting, load};
use fastrand::Rng;

use crate::common::loaded;
use crate::common::shapes::{Draw, Shape, Toy};

#[test]
fn counts_never_rule_out_a_solution() {
    let mut ruled_out = 0;
    for seed in 0..1_500 {
        let mut random = Rng::with_seed(seed);
        let shape = Shape::random(&mut random);
        let draw = Draw::random(&mut random);
        let mut toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        let tile = &toy.pieces[random.usize(..toy.pieces.len())].name;
        let rotation = random.usize(..3);
        toy.constraints = [
            String::new(),
            format!("constraints: [rotations: {{tile: {tile}, rotations: [{rotation}]}}]\n"),
            "constraints: [rim: {image: i0}]\n".to_owned(),
            format!("constraints: [forbid: {{cells: border, tile: {tile}}}]\n"),
        ][random.usize(..4)]
        .clone();
        // A closed board cannot have a border.
        let Some(problem) = loaded(&toy.yaml(), &["`border` does not name a cell"]) else {
            continue;
        };
        let Some(count) = counting::proof(&problem) else {
            continue;
        };
        ruled_out += 1;
        let first = enumerate::first(&problem, &Propagate, &Limits::default());
        assert_eq!(first, Ok(None), "seed {seed}: {}\n{}", count.describe(&problem), toy.yaml());
        let counted = problem.solutions().with_engine(Auto).all().outcome;
        assert_eq!(counted.status, RunStatus::Complete);
        assert_eq!(counted.work.nodes, 0);
    }
    assert!(ruled_out > 150, "{ruled_out}");
}

/// MacMahon's 24 squares with three colours, on a board with a rim of one colour.
fn squares(rows: usize, columns: usize) -> String {
    let tiles = [
        "aaaa", "aaab", "aaac", "aabb", "aabc", "aacb", "aacc", "abab", "abac", "abbb", "abbc",
        "abcb", "abcc", "acac", "acbb", "acbc", "accb", "accc", "bbbb", "bbbc", "bbcc", "bcbc",
        "bccc", "cccc",
    ];
    let tiles = tiles.map(|tile| {
        let edges = itertools::join(tile.chars(), ", ");
        format!("{tile}: [{edges}]")
    });
    let tiles = itertools::join(tiles, ", ");
    format!(
        "{{rows: {rows}, cols: {columns}, constraints: [rim: {{image: a}}], tiles: {{{tiles}}}}}"
    )
}

#[test]
fn known_impossible_boards_are_ruled_out() {
    let why = |text: &str| {
        let problem = load::from_str(text).unwrap();
        counting::proof(&problem).map(|count| count.describe(&problem))
    };
    assert_eq!(why(&squares(2, 12)).unwrap(), "tile `bbbb` fits no cell");
    assert_eq!(
        why(&squares(3, 8)).unwrap(),
        "the 6 tiles (`bbbb`, `bbbc`, `bbcc`, `bcbc`, `bccc`, `cccc`) fit only the 6 cells ([2,2], [2,3], \
         [2,4], [2,5], [2,6], [2,7]), so no other tile can be placed there; tile `abab` fits no cell"
    );
    assert_eq!(why(&squares(4, 6)), None);
    // Carcassonne's 72 tiles, with fields along the rim: the 79 edges of towns cannot be paired.
    let kinds = [
        ("cccc", 1),
        ("ccfc", 4),
        ("ccrc", 3),
        ("ccff", 7),
        ("crrc", 5),
        ("fcfc", 6),
        ("cfff", 5),
        ("cfrr", 3),
        ("crrf", 3),
        ("crrr", 3),
        ("crfr", 4),
        ("rfrf", 8),
        ("ffrr", 9),
        ("frrr", 4),
        ("rrrr", 1),
        ("ffff", 4),
        ("ffrf", 2),
    ];
    let tiles = kinds.map(|(tile, copies)| {
        let edges = itertools::join(tile.chars(), ", ");
        format!("{tile}: {{edges: [{edges}], copies: {copies}}}")
    });
    let tiles = itertools::join(tiles, ", ");
    for image in ["f", "c", "r"] {
        let board = format!(
            "{{rows: 8, cols: 9, constraints: [rim: {{image: {image}}}], tiles: {{{tiles}}}}}"
        );
        let odd = if image == "c" { 79 - 34 } else { 79 };
        assert_eq!(
            why(&board).unwrap(),
            format!(
                "inside the board there must be {odd} edges `c`, an odd number: one of them has no match"
            )
        );
    }
}
