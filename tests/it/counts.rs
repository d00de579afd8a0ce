//! Generated puzzles against brute force: counts and the set of distinct arrangements, with twins,
//! self-symmetric tiles, borders, fixed rotations, and more tiles than cells.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::engine::{Milp, Propagate};
use edgematch::enumerate::solution::{check, expand};
use edgematch::enumerate::{self, Limits};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::problem::{Arrangement, Problem};
use itertools::Itertools;
use proptest::prelude::*;

use crate::common::generated::random;
use crate::common::{brute_force, complete, smallest_picture};

/// Board sizes for which the larger formulations are fast enough.
const SIZES: &[(usize, usize)] = &[(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (1, 4)];

fn solved(problem: &Problem, formulation: usize) -> (enumerate::Outcome, Vec<enumerate::Solution>) {
    let mut found = Vec::new();
    let engine = Milp::new(FORMULATIONS[formulation]);
    let outcome =
        enumerate::run(problem, &engine, &Limits::default(), &mut |f: &enumerate::NewSolution<
            '_,
        >| {
            found.push(f.distinct.clone());
            ControlFlow::Continue(())
        });
    (outcome, found)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn the_model_agrees_with_brute_force(generated in random(SIZES), formulation in 0..3usize) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let brute = brute_force(&problem);
        // Each arrangement needs a solve, which is slow with the larger formulations.
        prop_assume!(brute.distinct.len() <= if formulation == 0 { 40 } else { 12 });
        let (outcome, found) = solved(&problem, formulation);
        prop_assert!(outcome.status.is_complete(), "{:?}", outcome.status);
        prop_assert_eq!(&outcome.tally.solutions, &brute.solutions.len().into());
        prop_assert_eq!(outcome.tally.classes, brute.classes.into());
        let pictures: BTreeSet<_> =
            found.iter().map(|d| smallest_picture(&problem, &d.arrangement)).collect();
        prop_assert_eq!(pictures.len(), found.len(), "an arrangement was found twice");
        prop_assert_eq!(pictures, brute.distinct);
    }

    #[test]
    fn expanding_lists_every_labelled_solution_once(generated in random(SIZES)) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let brute = brute_force(&problem);
        prop_assume!(brute.distinct.len() <= 20 && brute.solutions.len() <= 20_000);
        let (_, found) = solved(&problem, 0);
        let mut expanded: Vec<Arrangement> = Vec::new();
        for distinct in &found {
            let before = expanded.len();
            expanded.extend(expand(&problem, &distinct.orbit));
            prop_assert_eq!(distinct.solutions.clone(), (expanded.len() - before).into());
        }
        prop_assert!(expanded.iter().all(|a| check(&problem, a).is_ok()));
        expanded.sort();
        let mut solutions = brute.solutions;
        solutions.sort();
        prop_assert_eq!(expanded, solutions);
    }
}

/// All tiles with two colours, with any number of copies: every colouring of the edges of the board
/// is a solution, and Burnside's lemma gives their number up to its symmetries.
#[test]
fn complete_sets_with_any_copies_give_every_colouring() {
    let edges = |colours: u32| {
        let edge = |side: u32| if colours >> side & 1 == 1 { "b" } else { "a" };
        itertools::join((0..4).map(edge), ", ")
    };
    let puzzle = |header: &str, tiles: &[u32]| {
        let tile = |&colours: &u32| {
            let edges = edges(colours);
            format!("  t{colours}: {{edges: [{edges}], copies: any}}\n")
        };
        let tiles: String = tiles.iter().map(tile).collect();
        load::from_str(&format!("{header}\ntiles:\n{tiles}")).unwrap()
    };
    let all: Vec<u32> = (0..16).collect();
    let grid = puzzle("rows: 2\ncols: 2\nrotations: false", &all);
    let torus = puzzle("board: {grid: [2, 2], wrap: both}\nrotations: false", &all);
    let turned = puzzle("rows: 2\ncols: 2", &[0, 1, 3, 5, 7, 15]);
    let count = |problem: &Problem| complete(problem, &Propagate).tally;
    let grid = count(&grid);
    assert_eq!(grid.solutions, 4096u32.into());
    assert_eq!((grid.distinct, grid.classes), (4096u32.into(), 4096u32.into()));
    let torus = count(&torus);
    assert_eq!(torus.solutions, 256u32.into());
    // (2⁸ + 3 · 2⁴) / 4
    assert_eq!((torus.distinct, torus.classes), (76u32.into(), 76u32.into()));
    // (2¹² + 2⁶ + 2 · 2³) / 4
    assert_eq!(count(&turned).listed(), 1044);
}

/// Three identical tiles, one with two copies and one with any number: assignments of names are
/// counted, and each is printed once.
#[test]
fn copies_of_twins_are_counted_in_every_naming() {
    let text = "rows: 1\ncols: 4\nrotations: false\ntiles: {one: [a, b, a, b], two: {edges: [a, b, a, b], \
                copies: 2}, any: {edges: [a, b, a, b], copies: any}}";
    let problem = load::from_str(text).unwrap();
    let (outcome, found) = solved(&problem, 0);
    let names = itertools::repeat_n(0..3usize, 4).multi_cartesian_product();
    let often = |names: &[usize], tile| names.iter().filter(|&&name| name == tile).count();
    let dealt = names.filter(|names| often(names, 0) <= 1 && often(names, 1) <= 2);
    let dealt: Vec<Vec<usize>> = dealt.collect();
    assert_eq!(outcome.tally.solutions, dealt.len().into());
    assert_eq!(outcome.tally.listed(), 1);
    let expanded = expand(&problem, &found[0].orbit);
    let tiles = expanded.map(|a| a.0.iter().map(|placed| placed.tile).collect());
    assert_eq!(tiles.collect::<Vec<Vec<usize>>>(), dealt);
}

#[test]
fn sixteen_plain_twins_are_counted_in_full() {
    let tiles: Vec<String> = (1..=16).map(|t| format!("{t}: [a, a, a, a]")).collect();
    let problem = load::from_str(&format!("tiles: {{{}}}", tiles.join(", "))).unwrap();
    let (outcome, found) = solved(&problem, 0);
    assert!(outcome.status.is_complete());
    assert_eq!(found.len(), 1);
    let factorial: u128 = (1..=16).product();
    let expected = factorial * 4u128.pow(16);
    assert_eq!(outcome.tally.solutions.to_string(), expected.to_string());
}
