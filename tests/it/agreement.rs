//! Engines that share neither tables, domains nor model report the same set of distinct
//! arrangements as brute force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::domains::Domains;
use edgematch::engine::{Auto, Engine, Lp, Milp, relax};
use edgematch::enumerate::{self, Limits, Method};
use edgematch::load::{self, PuzzleFormat};
use edgematch::model::FORMULATIONS;
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::Problem;
use edgematch::puzzle::Labels;
use itertools::Itertools;
use proptest::prelude::*;

use crate::common::generated::{planted, random};
use crate::common::{
    Brute, Feature, brute_force_best, brute_force_within, fits, searches, serving, smallest_picture,
};

const SMALL: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2), (3, 3)];
const UP_TO_2X3: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2)];
const SQUARE: &[(usize, usize)] = &[(3, 3)];

fn assert_finds_the_same(
    problem: &Problem,
    engine: &dyn Engine,
    brute: &Brute,
) -> Result<(), TestCaseError> {
    let name = format!("{} {}", engine.name(), engine.variant());
    let mut pictures = BTreeSet::new();
    let outcome = enumerate::run(
        problem,
        engine,
        &Limits::default(),
        &mut |found: &enumerate::NewSolution<'_>| {
            pictures.insert(smallest_picture(problem, &found.distinct.arrangement));
            ControlFlow::Continue(())
        },
    );
    prop_assert!(outcome.status.is_complete(), "{name}: {:?}", outcome.status);
    prop_assert_eq!(&pictures, &brute.distinct, "{}", name);
    prop_assert_eq!(outcome.tally.listed() as usize, pictures.len(), "{}", name);
    prop_assert_eq!(&outcome.tally.solutions, &brute.solutions.len().into(), "{}", name);
    prop_assert_eq!(outcome.tally.classes, brute.classes.into(), "{}", name);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_global_rejects: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn every_search_agrees_with_brute_force(
        generated in prop_oneof![random(SMALL), planted(SMALL, 1..5)],
    ) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        // Engines that distinguish twins are fast enough only if there are few solutions.
        let brute = brute_force_within(&problem, 5_000);
        prop_assume!(brute.is_some());
        for search in serving(searches(), &problem, &Feature::of_grid(generated.size())) {
            assert_finds_the_same(&problem, search.engine.as_ref(), brute.as_ref().unwrap())?;
        }
    }
}

/// The lists of the key `matches`, by name.
fn listed(labels: &Labels) -> Vec<(String, Vec<String>)> {
    let lists = labels.matches().map(|(label, fitting)| {
        (labels.name(label), fitting.iter().map(|&other| labels.name(other)).collect())
    });
    lists.sorted().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_global_rejects: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn every_search_agrees_on_images_that_match_several_others(
        generated in prop_oneof![random(UP_TO_2X3), planted(UP_TO_2X3, 2..5)],
        matches in proptest::collection::btree_map(0usize..4, proptest::collection::vec(0usize..4, 0..4), 1..3),
    ) {
        let plain = load::from_str(&generated.yaml()).unwrap();
        let labels = &plain.puzzle.labels;
        let inside = labels.all().filter(|&label| plain.puzzle.border != Some(label));
        let names: Vec<String> = inside.map(|label| labels.name(label)).collect();
        let matches: Vec<(usize, Vec<usize>)> = matches
            .into_iter()
            .map(|(one, all)| (one, all.into_iter().filter(|&other| other < names.len()).collect()))
            .filter(|(one, _)| *one < names.len())
            .collect();
        let lists = matches.iter().map(|(label, fitting)| {
            let fitting = fitting.iter().map(|&other| names[other].as_str());
            format!("{}: [{}]", names[*label], fitting.collect::<Vec<_>>().join(", "))
        });
        let lists = lists.collect::<Vec<_>>().join(", ");
        let problem = load::from_str(&format!("{}matches: {{{lists}}}\n", generated.yaml())).unwrap();
        let labels = &problem.puzzle.labels;
        let read: Vec<(String, Vec<String>)> = listed(labels);
        let given = matches.iter().map(|(label, fitting)| {
            (names[*label].clone(), fitting.iter().map(|&other| names[other].clone()).collect())
        });
        prop_assert_eq!(read, given.sorted().collect::<Vec<_>>());
        for (one, other) in labels.all().collect_vec().into_iter().cartesian_product(labels.all().collect_vec()) {
            prop_assert_eq!(labels.fit(one, other), fits(labels, one, other));
        }
        let brute = brute_force_within(&problem, 5_000);
        prop_assume!(brute.is_some());
        let brute = brute.unwrap();
        let mut features = Feature::of_grid(generated.size());
        features.extend((!labels.fit_mates_only()).then_some(Feature::Matches));
        for search in serving(searches(), &problem, &features) {
            assert_finds_the_same(&problem, search.engine.as_ref(), &brute)?;
        }
        let counted = enumerate::count(&problem, &Limits::default(), Some(Method::Frontier));
        if counted.status.is_complete() {
            prop_assert_eq!(&counted.tally.solutions, &brute.solutions.len().into());
        }
        if problem.board.size() < 5 {
            let one = Limits { distinct: 1, ..Limits::default() };
            let ignore = &mut |_: &enumerate::NewSolution<'_>| ControlFlow::Continue(());
            let best = optimise::run(&Optimisation::best(&problem), &Auto, &one, ignore);
            let expected = brute_force_best(&problem)
                .map(|(broken, _)| (problem.board.seams().len() - broken) as i64);
            prop_assert_eq!(best.value, expected);
        }
        let written = PuzzleFormat::named("yaml").unwrap().write(&problem, None).unwrap();
        let read = load::from_str(&written.text).unwrap();
        prop_assert_eq!(listed(&read.puzzle.labels), listed(labels));
    }
}

/// Solves the relaxation of each formulation; `None` if it has no solution.
fn relaxations(problem: &Problem) -> Vec<Option<usize>> {
    let domains = Domains::first(problem);
    let limits = Limits::default();
    let solved = FORMULATIONS.map(|f| relax((problem, &[]), &domains, f, &limits.token()));
    let solved = solved.into_iter().map(|solved| solved.continue_value().unwrap().unwrap());
    solved.map(|solved| solved.map(|relaxed| relaxed.fractional)).collect()
}

#[test]
fn a_relaxation_refutes_a_puzzle_whose_tiles_do_not_match() {
    let yaml = "{rows: 1, cols: 2, rotations: false, tiles: {1: [a, x, b, x], 2: [c, x, d, x]}}";
    let refuted = load::from_str(yaml).unwrap();
    assert_eq!(relaxations(&refuted), [None, None, None]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn a_puzzle_with_a_solution_has_feasible_relaxations(
        generated in prop_oneof![random(UP_TO_2X3), planted(UP_TO_2X3, 2..5)],
    ) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let is_solvable = problem.solutions().next().is_some();
        prop_assert!(!is_solvable || relaxations(&problem).iter().all(Option::is_some));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn the_model_finds_what_brute_force_finds_on_3x3(generated in planted(SQUARE, 4..8)) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let brute = brute_force_within(&problem, 5_000);
        prop_assume!(brute.as_ref().is_some_and(|b| b.distinct.len() <= 10));
        for (lp, rounds) in [(Lp::Auto, false), (Lp::Always, false), (Lp::Auto, true)] {
            let engine = Milp { lp, rounds, ..Milp::default() };
            assert_finds_the_same(&problem, &engine, brute.as_ref().unwrap())?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        max_global_rejects: 5_000,
        ..ProptestConfig::default()
    })]

    #[test]
    #[ignore = "takes minutes in release; .ci/run runs it"]
    fn every_formulation_finds_what_brute_force_finds_up_to_2x3(
        generated in prop_oneof![random(UP_TO_2X3), planted(UP_TO_2X3, 1..5)],
    ) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let brute = brute_force_within(&problem, 50_000);
        prop_assume!(brute.as_ref().is_some_and(|b| b.distinct.len() <= 50));
        for formulation in FORMULATIONS {
            let tree = Milp::new(formulation);
            let rounds = Milp { rounds: true, ..tree };
            let trees = Lp::ALL.map(|(lp, _)| Milp { lp, ..tree });
            for engine in trees.into_iter().chain([rounds]) {
                assert_finds_the_same(&problem, &engine, brute.as_ref().unwrap())?;
            }
        }
    }
}
