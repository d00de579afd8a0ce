//! The arrangements with the fewest broken seams: every method agrees with brute force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::engine::{Auto, Engine, Lp, Milp, Propagate};
use edgematch::enumerate::solution::broken_seams;
use edgematch::enumerate::{self, Limits, Listener, NewSolution, StopReason};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::optimise::{self, Aim, Fit, LinearAim, Optimum, SoftAim};
use edgematch::problem::{Arrangement, Problem};
use proptest::prelude::*;

use crate::common::drawn::{Draws, draws};
use crate::common::generated::{Generated, planted, random};
use crate::common::{brute_force, brute_force_best, smallest_picture};

const SMALL: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2)];

/// Asserts that these engines find exactly the arrangements with the fewest broken seams.
fn assert_enumerates_the_best(yaml: &str, engines: &[&dyn Engine]) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let Some((broken, best)) = brute_force_best(&problem) else {
        return Ok(());
    };
    let expected: BTreeSet<_> = best.iter().map(|a| smallest_picture(&problem, a)).collect();
    let loose = problem.breaking(broken);
    for engine in engines {
        let mut found = BTreeSet::new();
        let mut take = |f: &NewSolution<'_>| {
            found.insert(smallest_picture(&problem, &f.distinct.arrangement));
            ControlFlow::Continue(())
        };
        let outcome = enumerate::run(&loose, *engine, &Limits::default(), &mut take);
        prop_assert!(outcome.status.is_complete(), "{:?}", outcome.status);
        prop_assert_eq!(&found, &expected, "{} {}", engine.name(), engine.variant());
        prop_assert_eq!(outcome.tally.solutions, best.len().into());
    }
    Ok(())
}

/// Keeps every arrangement that it receives.
#[derive(Default)]
struct Kept(Vec<edgematch::problem::Arrangement>);

impl Listener for Kept {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.0.push(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    }
}

/// The optimum and its arrangements by the combined methods, and by the model alone.
fn both_optimisers(aim: &dyn Aim, limits: &Limits<'_>) -> [(Optimum, Kept); 2] {
    let milp = Milp::default();
    [&Auto as &dyn Engine, &milp].map(|engine| {
        let mut kept = Kept::default();
        let optimum = optimise::run(aim, engine, limits, &mut kept);
        (optimum, kept)
    })
}

/// Asserts that both optimisers prove the optimum of brute force.
fn assert_best_is_found(problem: &Problem) -> Result<(), TestCaseError> {
    let seams = problem.board.seams().len();
    let expected = brute_force_best(problem).map(|(broken, _)| (seams - broken) as i64);
    let one = Limits { distinct: 1, ..Limits::default() };
    for (optimum, kept) in both_optimisers(&Fit::new(problem), &one) {
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(optimum.value, expected);
        prop_assert_eq!(kept.0.len(), usize::from(expected.is_some()));
        for arrangement in &kept.0 {
            let broken = broken_seams(problem, arrangement).len();
            prop_assert_eq!(Some((seams - broken) as i64), expected);
        }
    }
    Ok(())
}

fn milps() -> Vec<Milp> {
    let usual = FORMULATIONS.map(Milp::new);
    let always = Milp { lp: Lp::Always, ..Milp::default() };
    usual.into_iter().chain([always]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn propagate_finds_all_arrangements_that_break_the_fewest(puzzle in random(SMALL)) {
        assert_enumerates_the_best(&puzzle.yaml(), &[&Propagate])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn the_model_finds_the_best_in_every_formulation(puzzle in random(&[(2, 2), (1, 3)])) {
        let milps = milps();
        let engines: Vec<&dyn Engine> = milps.iter().map(|milp| milp as &dyn Engine).collect();
        assert_enumerates_the_best(&puzzle.yaml(), &engines)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn both_optimisers_agree_with_brute_force(puzzle in random(&[(2, 2), (2, 3)])) {
        assert_best_is_found(&load::from_str(&puzzle.yaml()).unwrap())?;
    }
}

/// Asserts that both optimisers prove the extremes of an expression with these weights.
fn assert_extremes_are_found(problem: &Problem, weights: &[i64]) -> Result<(), TestCaseError> {
    let [a, b, c, d] = *weights else { unreachable!("four were drawn") };
    let terms = format!(
        "[{{weight: {a}, cell: [1, 1], rotation: 0}}, {{weight: {b}, tile: t0}}, \
          {{weight: {c}, cells: row 1, tile: t1}}, {{weight: -{d}, tile: t2, cell: [1, 2]}}]",
    )
    .replace("--", "");
    let expression = load::expression(problem, &terms, "terms").unwrap();
    let solutions = brute_force(problem).solutions;
    let values: BTreeSet<i64> =
        solutions.iter().map(|s| expression.value(&problem.puzzle, s)).collect();
    let largest = LinearAim::maximize(problem, expression.clone());
    let smallest = LinearAim::minimize(problem, expression.clone());
    for (aim, expected) in [(largest, values.last()), (smallest, values.first())] {
        for (optimum, kept) in both_optimisers(&aim, &Limits::default()) {
            prop_assert!(optimum.is_proven);
            let own = optimum.value.map(|value| aim.goal().own(value));
            prop_assert_eq!(own.as_ref(), expected);
            let all = kept.0.iter().map(|k| expression.value(&problem.puzzle, k));
            prop_assert!(all.clone().all(|value| Some(&value) == expected));
            let as_good = solutions
                .iter()
                .filter(|s| Some(&expression.value(&problem.puzzle, s)) == expected);
            prop_assert_eq!(&optimum.outcome.tally.solutions, &as_good.count().into());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn both_optimisers_find_the_extremes_of_an_expression(
        puzzle in planted(&[(2, 2), (1, 3)], 4..7),
        weights in proptest::collection::vec(-3i64..1_000, 4),
    ) {
        assert_extremes_are_found(&load::from_str(&puzzle.yaml()).unwrap(), &weights)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    #[ignore = "takes minutes in release; `just long` runs it"]
    fn the_model_proves_the_optima_of_brute_force(
        puzzle in random(&[(2, 2), (2, 3)]),
        planted in planted(&[(2, 2), (1, 3)], 4..7),
        weights in proptest::collection::vec(-3i64..1_000, 4),
    ) {
        assert_best_is_found(&load::from_str(&puzzle.yaml()).unwrap())?;
        assert_extremes_are_found(&load::from_str(&planted.yaml()).unwrap(), &weights)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn both_ways_agree_on_boards_of_3x3(puzzle in random(&[(3, 3)])) {
        let problem = load::from_str(&puzzle.yaml()).unwrap();
        let limits = Limits { distinct: 1, ..Limits::default() };
        let [(search, _), (model, _)] = both_optimisers(&Fit::new(&problem), &limits);
        prop_assert!(search.is_proven && model.is_proven);
        prop_assert_eq!(search.value, model.value);
    }
}

/// Asserts that both optimisers find exactly the solutions whose soft constraints cost least, if
/// each of the drawn constraints is tested alone.
fn assert_least_cost_is_found(
    puzzle: &Generated,
    drawn: Vec<Draws>,
    weights: &[i64],
) -> Result<(), TestCaseError> {
    let plain = load::from_str(&puzzle.yaml()).unwrap();
    let text = |mut draws: Draws| {
        let text = draws.constraint(puzzle.size(), puzzle.tiles()).0;
        // Each copy of a repeated constraint would cost its weight.
        if text.starts_with("for: ") { format!("all: [{{{text}}}]") } else { text }
    };
    let texts: Vec<String> = drawn.into_iter().map(text).collect();
    let with = |items: String| load::from_str(&format!("{}constraints:\n{items}", puzzle.yaml()));
    let hard: Vec<Problem> =
        texts.iter().map(|text| with(format!("  - {{{text}}}\n")).unwrap()).collect();
    let cost = |solution: &Arrangement| -> i64 {
        let violated =
            hard.iter().zip(weights).filter(|(one, _)| one.broken_constraint(solution).is_some());
        violated.map(|(_, weight)| weight).sum()
    };
    let items =
        texts.iter().zip(weights).map(|(text, weight)| format!("  - {{soft: {weight}, {text}}}\n"));
    let problem = with(items.collect()).unwrap();
    let solutions = brute_force(&plain).solutions;
    let least = solutions.iter().map(cost).min();
    let aim = SoftAim::new(&problem);
    for (optimum, kept) in both_optimisers(&aim, &Limits::default()) {
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(optimum.value.map(|value| aim.goal().own(value)), least);
        prop_assert!(kept.0.iter().all(|kept| Some(cost(kept)) == least));
        let as_good = solutions.iter().filter(|solution| Some(cost(solution)) == least).count();
        prop_assert_eq!(&optimum.outcome.tally.solutions, &as_good.into());
    }
    // A search without an objective ignores soft constraints.
    let all = crate::common::complete(&problem, &Propagate).tally.solutions;
    prop_assert_eq!(all, solutions.len().into());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn the_least_cost_of_soft_constraints_is_that_of_brute_force(
        puzzle in planted(&[(2, 2), (1, 3), (2, 3)], 1..3),
        drawn in proptest::collection::vec(draws(), 2..5),
        weights in proptest::collection::vec(1i64..5, 4),
    ) {
        assert_least_cost_is_found(&puzzle, drawn, &weights)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    #[ignore = "takes a minute in release; `just long` runs it"]
    fn the_least_cost_is_that_of_brute_force_on_1000_puzzles(
        puzzle in planted(&[(2, 2), (1, 3), (2, 3)], 1..3),
        drawn in proptest::collection::vec(draws(), 2..5),
        weights in proptest::collection::vec(1i64..5, 4),
    ) {
        assert_least_cost_is_found(&puzzle, drawn, &weights)?;
    }
}
