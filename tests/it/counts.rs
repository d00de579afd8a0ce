//! Generated puzzles against brute force: counts and the very set of distinct arrangements, with
//! twins, self-symmetric tiles, borders, fixed rotations, and more tiles than cells.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::engine::Milp;
use edgematch::enumerate::{self, Limits};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::problem::{Arrangement, Problem};
use edgematch::solution::{check, expand};
use proptest::prelude::*;

use crate::common::generated::random;
use crate::common::{brute_force, smallest_picture};

/// The formulations are compared on boards where the larger ones take little time.
const SIZES: &[(usize, usize)] = &[(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (1, 4)];

fn solved(problem: &Problem, formulation: usize) -> (enumerate::Outcome, Vec<enumerate::Distinct>) {
    let mut found = Vec::new();
    let engine = Milp::new(FORMULATIONS[formulation]);
    let outcome = enumerate::run(
        problem,
        &engine,
        &Limits::default(),
        &mut |f: &enumerate::Found<'_>| {
            found.push(f.distinct.clone());
            ControlFlow::Continue(())
        },
    );
    (outcome, found)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_model_finds_what_brute_force_finds(generated in random(SIZES), formulation in 0..3usize) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let brute = brute_force(&problem);
        // Each arrangement is a solve; the larger formulations take long over each.
        prop_assume!(brute.distinct.len() <= if formulation == 0 { 40 } else { 12 });
        let (outcome, found) = solved(&problem, formulation);
        prop_assert!(outcome.status.is_complete(), "{:?}", outcome.status);
        prop_assert_eq!(&outcome.tally.solutions, &brute.solutions.len().into());
        prop_assert_eq!(outcome.tally.classes(), brute.classes.into());
        let pictures: BTreeSet<_> =
            found.iter().map(|d| smallest_picture(&problem, &d.arrangement)).collect();
        prop_assert_eq!(pictures.len(), found.len(), "an arrangement was found twice");
        prop_assert_eq!(pictures, brute.distinct);
    }

    #[test]
    fn expanding_gives_every_labelled_solution_once(generated in random(SIZES)) {
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
