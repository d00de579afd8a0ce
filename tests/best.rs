//! The arrangements that break the fewest seams: every way finds what brute force finds.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use common::generated::random;
use common::{brute_force_best, smallest_picture};
use edgematch::engine::{Engine, Milp, Propagate};
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use proptest::prelude::*;

const SMALL: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2)];

fn enumerates_the_best(yaml: &str, engines: &[&dyn Engine]) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let Some((broken, best)) = brute_force_best(&problem) else {
        return Ok(());
    };
    let expected: BTreeSet<_> = best.iter().map(|a| smallest_picture(&problem, a)).collect();
    let loose = problem.breaking(broken);
    for engine in engines {
        let mut found = BTreeSet::new();
        let mut take = |f: &Found<'_>| {
            found.insert(smallest_picture(&problem, &f.distinct.arrangement));
            ControlFlow::Continue(())
        };
        let outcome = enumerate::run(&loose, *engine, &Limits::default(), &mut take);
        prop_assert!(outcome.verdict.is_complete(), "{:?}", outcome.verdict);
        prop_assert_eq!(&found, &expected, "{} {}", engine.name(), engine.variant());
        prop_assert_eq!(outcome.tally.solutions, best.len().into());
    }
    Ok(())
}

fn milps() -> Vec<Milp> {
    let usual = FORMULATIONS.map(Milp::new);
    let whole = Milp {
        leaf: Milp::WHOLE,
        ..Milp::default()
    };
    usual.into_iter().chain([whole]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn propagate_finds_all_arrangements_that_break_the_fewest(puzzle in random(SMALL)) {
        enumerates_the_best(&puzzle.yaml(), &[&Propagate])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn the_model_finds_them_in_every_formulation(puzzle in random(&[(2, 2), (1, 3)])) {
        let milps = milps();
        let engines: Vec<&dyn Engine> = milps.iter().map(|milp| milp as &dyn Engine).collect();
        enumerates_the_best(&puzzle.yaml(), &engines)?;
    }
}
