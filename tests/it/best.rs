//! The arrangements with the fewest broken seams: every method agrees with brute force.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::domains::Domains;
use edgematch::engine::{Auto, Engine, Lp, Milp, Propagate, Regions};
use edgematch::enumerate::solution::{ValueArrangement, broken_seams};
use edgematch::enumerate::{self, Limits, Listener, NewSolution, StopReason};
use edgematch::load;
use edgematch::model::{FORMULATIONS, Model};
use edgematch::optimise::{self, Optimisation, Optimum};
use edgematch::problem::{Arrangement, Objective, Problem};
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
fn both_optimisers(what: &Optimisation<'_>, limits: &Limits<'_>) -> [(Optimum, Kept); 2] {
    let milp = Milp::default();
    [&Auto as &dyn Engine, &milp].map(|engine| {
        let mut kept = Kept::default();
        let optimum = optimise::run(what, engine, limits, &mut kept);
        (optimum, kept)
    })
}

/// Asserts that both optimisers prove the optimum of brute force.
fn assert_best_is_found(problem: &Problem) -> Result<(), TestCaseError> {
    let seams = problem.board.seams().len();
    let expected = brute_force_best(problem).map(|(broken, _)| (seams - broken) as i64);
    let one = Limits { distinct: 1, ..Limits::default() };
    for (optimum, kept) in both_optimisers(&Optimisation::best(problem), &one) {
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
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn searches_find_all_arrangements_that_break_the_fewest(puzzle in random(SMALL)) {
        assert_enumerates_the_best(&puzzle.yaml(), &[&Propagate, &Regions])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn searches_agree_where_regions_are_halved_twice(
        puzzle in random(&[(3, 3), (2, 4), (5, 2)]),
        broken in 2usize..5,
    ) {
        let problem = load::from_str(&puzzle.yaml()).unwrap().breaking(broken);
        let few = Limits { distinct: 3_000, threads: 2, ..Limits::default() };
        let found = [&Propagate as &dyn Engine, &Regions].map(|engine| {
            let mut pictures = BTreeSet::new();
            let outcome = enumerate::run(&problem, engine, &few, &mut |f: &NewSolution<'_>| {
                pictures.insert(smallest_picture(&problem, &f.distinct.arrangement));
                ControlFlow::Continue(())
            });
            outcome.status.is_complete().then_some((pictures, outcome.tally))
        });
        prop_assert_eq!(found[0].is_some(), found[1].is_some());
        prop_assert!(found[0] == found[1]);
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
    #![proptest_config(ProptestConfig::with_cases(80))]

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
    let largest = Objective::Largest(expression.clone());
    let smallest = Objective::Smallest(expression.clone());
    for (objective, expected) in [(largest, values.last()), (smallest, values.first())] {
        let goal = objective.goal(problem);
        let what = Optimisation::new(problem, vec![objective]);
        for (optimum, kept) in both_optimisers(&what, &Limits::default()) {
            prop_assert!(optimum.is_proven);
            let own = optimum.value.map(|value| goal.own(value));
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
        let [(search, _), (model, _)] = both_optimisers(&Optimisation::best(&problem), &limits);
        prop_assert!(search.is_proven && model.is_proven);
        prop_assert_eq!(search.value, model.value);
    }
}

#[test]
fn a_single_term_may_be_repeated() {
    let largest = |terms: &str| {
        let tiles =
            "rows: 2\ncols: 2\ntiles: [[a, b, a, b], [b, a, b, a], [a, a, b, b], [b, b, a, a]]";
        let yaml = format!("{tiles}\nobjective: {{maximize: {terms}}}");
        let problem = load::from_str(&yaml).unwrap();
        let what = Optimisation::new(&problem, problem.objectives.list.clone());
        both_optimisers(&what, &Limits::default()).map(|(optimum, _)| optimum.value)
    };
    let term = "{for: {tile: t}, weight: t, tile: t, cells: white}";
    assert_eq!(largest(term), [Some(7), Some(7)]);
    assert_eq!(largest(&format!("[{term}]")), largest(term));
}

/// Three soft constraints and an expression to maximise, as the end of a puzzle file.
const SEVERAL: &str =
    "objective: [{maximize: [{weight: 2, cells: corners, rotation: 0}, {tile: t1, \
                       cell: [1, 1]}]}, {minimize: cost}]
constraints:
  - {soft: 1, pin: {cell: [1, 1], tile: t0}}
  - {soft: 2, all_different: {of: rotation, cells: row 1}}
  - {soft: 1, count: {rotations: [1, 2], cells: all, at_most: 1}}
";

/// Asserts that each solution is a point of each formulation, and that the value of the model there
/// orders solutions as the objectives do.
fn assert_models_have_the_objective(
    problem: &Problem,
    objectives: &[Objective],
) -> Result<(), TestCaseError> {
    let weakest = optimise::weakest(problem, objectives);
    let domains = Domains::first(&weakest);
    for formulation in FORMULATIONS {
        let model = Model::build_whole(&weakest, objectives, &domains, formulation);
        let objective = model.objective.as_ref().unwrap();
        for solution in brute_force(problem).solutions {
            let values: Vec<usize> = ValueArrangement::new(&weakest, &solution).values().collect();
            let point = model.point(&values).unwrap();
            prop_assert_eq!(model.broken_row(&point), None);
            let terms = objective.terms.iter().map(|&(variable, weight)| weight * point[variable]);
            let own = objectives.iter().zip(&objective.factors);
            let own = own.map(|(one, (factor, _))| one.value(problem, &solution) * factor.abs());
            prop_assert_eq!(terms.sum::<i64>() + objective.constant, own.sum::<i64>());
        }
    }
    Ok(())
}

/// Asserts that pools of the optima of two objectives are those of a list of all solutions.
fn assert_pools_are_exact(yaml: &str, gap: u64, most: u64) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let objectives = &problem.objectives.list;
    let values = |solution: &Arrangement| -> Vec<i64> {
        objectives.iter().map(|objective| objective.value(&problem, solution)).collect()
    };
    let mut all: Vec<Vec<i64>> = brute_force(&problem).solutions.iter().map(values).collect();
    all.sort_unstable_by(|a, b| b.cmp(a));
    assert_models_have_the_objective(&problem, objectives)?;
    let mut what = Optimisation::new(&problem, objectives.clone());
    what.gap = gap;
    for (optimum, kept) in both_optimisers(&what, &Limits::default()) {
        prop_assert!(optimum.is_proven && optimum.outcome.status.is_complete());
        let best: Vec<i64> = optimum.earlier.iter().copied().chain(optimum.value).collect();
        prop_assert_eq!(Some(&best), all.first());
        let is_within =
            |values: &Vec<i64>| values[0] == best[0] && values[1] >= best[1] - gap as i64;
        prop_assert!(kept.0.iter().map(values).all(|values| is_within(&values)));
        let within = all.iter().filter(|values| is_within(values)).count();
        prop_assert_eq!(&optimum.outcome.tally.solutions, &within.into());
        let mut distinct: Vec<Vec<i64>> = kept.0.iter().map(values).collect();
        distinct.sort_unstable_by(|a, b| b.cmp(a));
        distinct.truncate(most as usize);
        let limits = Limits { distinct: most, ..Limits::default() };
        for (_, kept) in both_optimisers(&what, &limits) {
            let first: Vec<Vec<i64>> = kept.0.iter().map(values).collect();
            prop_assert_eq!(&first, &distinct);
        }
    }
    Ok(())
}

/// Asserts that the best arrangement is the one with the smallest cost of those with the most matching
/// seams.
fn assert_cost_comes_after_seams(yaml: &str) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let Some((broken, best)) = brute_force_best(&problem) else {
        return Ok(());
    };
    let matching = (problem.board.seams().len() - broken) as i64;
    let least = best.iter().map(|one| Objective::Cost.value(&problem, one)).max();
    let what = Optimisation::new(&problem, vec![Objective::Seams, Objective::Cost]);
    for (optimum, kept) in both_optimisers(&what, &Limits { distinct: 1, ..Limits::default() }) {
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(&optimum.earlier, &[matching]);
        prop_assert_eq!(optimum.value, least);
        prop_assert_eq!(broken_seams(&problem, &kept.0[0]).len(), broken);
        prop_assert_eq!(Some(Objective::Cost.value(&problem, &kept.0[0])), least);
    }
    Ok(())
}

/// Asserts that solutions far apart are so, and that no other solution is far from all of them.
fn assert_solutions_are_far_apart(yaml: &str, distance: usize) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let difference = |one: &ValueArrangement, other: &ValueArrangement| {
        one.values().zip(other.values()).filter(|(a, b)| a != b).count()
    };
    for engine in [&Auto as &dyn Engine, &Milp::default()] {
        let mut kept = Kept::default();
        let limits = Limits::default();
        let outcome = enumerate::run_apart(&problem, distance, engine, &limits, &mut kept);
        prop_assert!(outcome.status.is_complete());
        prop_assert_eq!(outcome.tally.listed(), kept.0.len() as u64);
        let kept: Vec<ValueArrangement> =
            kept.0.iter().map(|one| ValueArrangement::new(&problem, one)).collect();
        let nearest = |one: &ValueArrangement, others: &[ValueArrangement]| {
            let images = others.iter().flat_map(|other| other.orbit(&problem));
            images.map(|image| difference(one, &image)).min().unwrap_or(usize::MAX)
        };
        for (index, one) in kept.iter().enumerate() {
            prop_assert!(nearest(one, &kept[..index]) >= distance);
        }
        for solution in brute_force(&problem).solutions {
            let one = ValueArrangement::new(&problem, &solution);
            prop_assert!(kept.contains(&one) || nearest(&one, &kept) < distance);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn pools_are_those_of_all_solutions(
        misread in random(&[(2, 2), (1, 3)]),
        puzzle in planted(&[(2, 2), (1, 3)], 1..3),
        gap in 0u64..4,
        most in 2u64..9,
        distance in 2usize..5,
    ) {
        assert_pools_are_exact(&format!("{}{SEVERAL}", puzzle.yaml()), gap, most)?;
        assert_cost_comes_after_seams(&format!("{}{SEVERAL}", misread.yaml()))?;
        assert_solutions_are_far_apart(&puzzle.yaml(), distance)?;
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
        let text = draws.constraint(puzzle).0;
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
    let what = Optimisation::new(&problem, vec![Objective::Cost]);
    for (optimum, kept) in both_optimisers(&what, &Limits::default()) {
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(optimum.value.map(|value| -value), least);
        prop_assert!(kept.0.iter().all(|kept| Some(cost(kept)) == least));
        let as_good = solutions.iter().filter(|solution| Some(cost(solution)) == least).count();
        prop_assert_eq!(&optimum.outcome.tally.solutions, &as_good.into());
    }
    // A search without an objective ignores soft constraints.
    let all = crate::common::complete(&problem, &Propagate).tally.solutions;
    prop_assert_eq!(all, solutions.len().into());
    Ok(())
}

/// The soft constraints that are checked on complete arrangements only, with others.
const LAZY: &str = "objective: {minimize: cost}
constraints:
  - {soft: 2, connected: {rotation: 0}}
  - {soft: 3, acyclic: IMAGE}
  - {soft: 1, not: {pin: {cell: [1, 1], rotation: 0}}}
  - {soft: 1, connected: {tile: [t0, t1]}}
";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn soft_constraints_may_be_checked_on_complete_arrangements(
        puzzle in planted(&[(2, 2), (1, 3)], 1..3),
    ) {
        let plain = load::from_str(&puzzle.yaml()).unwrap();
        let labels = &plain.puzzle.labels;
        let image = labels.all().find(|&label| plain.puzzle.border != Some(label)).unwrap();
        let lazy = LAZY.replace("IMAGE", &labels.edge(image).image);
        let problem = load::from_str(&format!("{}{lazy}", puzzle.yaml())).unwrap();
        let value = |solution: &Arrangement| Objective::Cost.value(&problem, solution);
        let values: Vec<i64> = brute_force(&plain).solutions.iter().map(value).collect();
        let most = values.iter().max().copied();
        let what = Optimisation::new(&problem, vec![Objective::Cost]);
        for (optimum, _) in both_optimisers(&what, &Limits::default()) {
            prop_assert!(optimum.is_proven && optimum.value == most);
            let as_good = values.iter().filter(|value| Some(**value) == most).count();
            prop_assert_eq!(&optimum.outcome.tally.solutions, &as_good.into());
        }
    }

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
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    #[ignore = "takes a minute in release; `just long` runs it"]
    fn the_least_cost_is_that_of_brute_force_on_300_puzzles(
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
    fn pools_are_those_of_all_solutions_on_1000_puzzles(
        puzzle in planted(&[(2, 2), (1, 3)], 1..3),
        (gap, most, distance) in (0u64..4, 2u64..9, 2usize..5),
    ) {
        assert_pools_are_exact(&format!("{}{SEVERAL}", puzzle.yaml()), gap, most)?;
        assert_solutions_are_far_apart(&puzzle.yaml(), distance)?;
    }
}
