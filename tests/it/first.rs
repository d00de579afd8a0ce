//! The first solutions by an exact search and local search in turn.

use edgematch::engine::Auto;
use edgematch::enumerate::{Limits, RunStatus, StopReason};
use edgematch::load;
use edgematch::optimise::FirstSolutions;
use proptest::prelude::*;

use crate::common::drawn::{Nested, SIZES, found, found_within, nested};
use crate::common::enumerated;

/// So short a turn that most puzzles need several.
const TURN: u32 = 20;

fn assert_turns_find_all(nested: &Nested) -> Result<(), TestCaseError> {
    let (brute, problem) = (nested.brute_force(), nested.problem());
    prop_assume!(brute.is_some() && problem.is_some());
    let (brute, problem) = (brute.unwrap(), problem.unwrap());
    let turns = FirstSolutions::new(&Auto).with_first_turn(TURN);
    let alone = found(&problem, &Auto, 1);
    prop_assert!(found(&problem, &turns, 1) == alone);
    prop_assert!(alone.0 == brute);
    let some = |threads| {
        let limits = Limits { distinct: 2, threads, ..Limits::default() };
        found_within(&problem, &turns, &limits).0
    };
    prop_assert!(some(1) == some(2));
    prop_assert_eq!(some(1).1, alone.1.min(2));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn turns_find_every_solution_once(nested in nested(SIZES)) {
        assert_turns_find_all(&nested)?;
    }
}

/// A white jigsaw of 20 × 20 pieces, which have in or out tabs: a search in a fixed order does not
/// solve it in minutes.
const JIGSAW: &str = "rows: 20
cols: 20
order: clockwise-from-top
border: rim
tiles:
  t0: {edges: [a-, a-, a-, a-], copies: 18}
  t1: {edges: [a-, a-, a-, rim], copies: 11}
  t2: {edges: [a-, a-, a-, a+], copies: 88}
  t3: {edges: [a-, a-, rim, rim], copies: 1}
  t4: {edges: [a-, a-, rim, a+], copies: 6}
  t5: {edges: [a-, a-, a+, rim], copies: 8}
  t6: {edges: [a-, a-, a+, a+], copies: 75}
  t7: {edges: [a-, rim, a-, a+], copies: 8}
  t8: {edges: [a-, rim, a+, a+], copies: 9}
  t9: {edges: [a-, a+, a-, a+], copies: 42}
  t10: {edges: [a-, a+, rim, rim], copies: 1}
  t11: {edges: [a-, a+, rim, a+], copies: 9}
  t12: {edges: [a-, a+, a+, rim], copies: 12}
  t13: {edges: [a-, a+, a+, a+], copies: 80}
  t14: {edges: [rim, rim, a+, a+], copies: 2}
  t15: {edges: [rim, a+, a+, a+], copies: 9}
  t16: {edges: [a+, a+, a+, a+], copies: 21}
";

#[test]
fn local_search_completes_a_white_jigsaw() {
    let problem = load::from_str(JIGSAW).unwrap();
    let turns = FirstSolutions::new(&Auto).with_first_turn(10_000);
    let limits = Limits { distinct: 3, ..Limits::default() };
    let outcome = enumerated(&problem, &turns, &limits);
    assert_eq!(outcome.status, RunStatus::Stopped(StopReason::Enough));
    assert_eq!(outcome.tally.listed(), 3);
    assert_eq!(outcome.work.choice.unwrap().engine, "annealing");
}
