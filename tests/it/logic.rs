//! Nested constraints: every engine finds the arrangements of brute force that an independent
//! implementation of the logic accepts.

use std::collections::BTreeSet;
use std::time::Duration;

use edgematch::engine::{Propagate, contenders};
use edgematch::enumerate::Limits;
use edgematch::load::{self, PuzzleFormat};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::common::drawn::{Nested, SIZES, found, found_within, nested};
use crate::common::{Feature, serving};

/// The time limit of a whole solve.
const A_WHILE: Duration = Duration::from_secs(5);

fn obeys(nested: &Nested) -> TestCaseResult {
    let (brute, problem) = (nested.brute_force(), nested.problem());
    prop_assume!(brute.is_some() && problem.is_some());
    let (brute, problem) = (brute.unwrap(), problem.unwrap());
    let mut counts = BTreeSet::new();
    for contender in serving(contenders(), &problem, &Feature::of_grid(nested.size())) {
        let engine = contender.engine.as_ref();
        if contender.name.starts_with("milp") && brute.len() > 60 {
            continue;
        }
        // Some relaxations give no information, and then the branch-and-bound of a whole solve
        // takes minutes.
        let limits = Limits {
            time: contender.name.ends_with("rounds").then_some(A_WHILE),
            threads: 1,
            ..Limits::default()
        };
        let ((solutions, distinct, classes), is_complete) = found_within(&problem, engine, &limits);
        let numbers = (solutions.len(), brute.len());
        if !is_complete {
            prop_assert!(solutions.is_subset(&brute), "{}: {numbers:?}", contender.name);
            continue;
        }
        prop_assert!(solutions == brute, "{}: {numbers:?}", contender.name);
        counts.insert((distinct, classes));
    }
    prop_assert_eq!(counts.len(), 1);
    // The problem can be written and read again with the same solutions.
    let yaml = PuzzleFormat::named("yaml").unwrap().write(&problem, None).unwrap().text;
    let (again, _, _) = found(&load::from_str(&yaml).unwrap(), &Propagate, 1);
    prop_assert_eq!(again.len(), brute.len());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20,
        max_global_rejects: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_engine_enforces_nested_constraints(nested in nested(SIZES)) {
        obeys(&nested)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 5_000,
        max_global_rejects: 100_000,
        ..ProptestConfig::default()
    })]

    #[test]
    #[ignore = "takes minutes; .ci/run runs it"]
    fn every_engine_obeys_constraints_in_constraints_on_5000_puzzles(nested in nested(SIZES)) {
        obeys(&nested)?;
    }
}

const PUZZLE: &str = "name: t
rows: 2
cols: 2
tiles: {1: [a, a, b, b], 2: [a, b, a, b], 3: [a, a, a, b], 4: [b, b, b, a]}
";

fn solutions(behind: &str) -> Result<usize, String> {
    let problem = load::from_str(&format!("{PUZZLE}{behind}"));
    let problem = problem.map_err(|error| error.message)?;
    Ok(found(&problem, &Propagate, 1).0.len())
}

#[test]
fn named_placements_are_equivalent_to_their_fields() {
    let named = "placements:
  home: {placement: low, tile: 3}
  low: {cells: row 2}
  upright: {rotation: 0}
constraints:
  - any: [pin: {placements: [home, upright]}, count: {placement: low, rotation: 1, exactly: 2}]
  - linear: {terms: [{weight: 2, placement: home}, {weight: 1, placement: upright}], at_most: 3}
";
    let plain = "constraints:
  - any: [pin: {tile: 3, cells: row 2, rotation: 0}, count: {cells: row 2, rotation: 1, exactly: 2}]
  - linear: {terms: [{weight: 2, tile: 3, cells: row 2}, {weight: 1, rotation: 0}], at_most: 3}
";
    let number = solutions(named).unwrap();
    assert_eq!(number, solutions(plain).unwrap());
    assert!((1..solutions("").unwrap()).contains(&number));
}

#[test]
fn invalid_placement_names_are_rejected() {
    let pin = "constraints: [pin: {placement: a, rotation: 0}]\n";
    for (names, message) in [
        ("{b: {tile: 1}}", "there are no placements `a`"),
        ("{a: {tile: 9}}", "there is no tile `9`"),
        ("{a: {}}", "a named placement requires a field, such as `cell` or `tile`"),
        ("{a: {rotation: 1, tile: 1}}", "`rotations` stands in placements `a`, too"),
        ("{a: {placement: a}}", "placements in a circle: `a` uses `a`"),
        (
            "{a: {placements: [b]}, b: {placement: c, tile: 1}, c: {placement: b}}",
            "placements in a circle: `b` uses `c` uses `b`",
        ),
        ("{a: {tile: 1}, a: {tile: 2}}", "`a` appears a second time"),
        (
            "{a: {placements: [b, c]}, b: {tile: 1}, c: {tile: 2}}",
            "`tiles` stands in placements `c`, too",
        ),
        (
            "[a]",
            "found a list, expected names with placements such as `placements: {home: {tile: 5, cells: corners}}`",
        ),
    ] {
        let behind = format!("placements: {names}\n{pin}");
        assert_eq!(solutions(&behind).unwrap_err(), message, "{names}");
    }
    let names = |number: usize| {
        let uses = (0..number).map(|n| format!("n{n}: {{placement: n{}}}, ", n + 1));
        let uses: String = uses.collect();
        format!("placements: {{{uses}n{number}: {{tile: 1}}, a: {{tile: 1}}}}\n{pin}")
    };
    assert!(solutions(&names(60)).is_ok());
    let message = "placements use one another more than 64 deep";
    assert_eq!(solutions(&names(10_000)).unwrap_err(), message);
}

#[test]
fn lists_of_constraints_of_invalid_size_are_rejected() {
    let pin = "{pin: {cell: [1, 1], tile: 1}}";
    let nested = |depth: usize, before: &str, behind: &str| {
        let text = [&before.repeat(depth), pin, &behind.repeat(depth)].concat();
        solutions(&format!("constraints: [{text}]\n"))
    };
    assert_eq!(nested(4, "{not: ", "}"), nested(0, "", ""));
    assert!(nested(40, "{any: [", "]}").is_ok());
    let deep = "constraints are nested more than 64 levels deep";
    assert_eq!(nested(70, "{not: ", "}").unwrap_err(), deep);
    let brackets = nested(10_000, "{any: [", "]}").unwrap_err();
    assert_eq!(brackets, "more than 1000 brackets inside each other");
    let twice = nested(30, "{exactly: {number: 1, of: [", "]}}").unwrap_err();
    assert!(twice.starts_with("`exactly` contains more than 100000 constraints"));
    for (constraint, message) in [
        ("any: []", "an empty list, expected constraints"),
        (
            "not: [pin: {tile: 1, rotation: 0}]",
            "found a list, expected a constraint such as `pin: {cell: [1, 1], tile: 5}`",
        ),
        ("then: {pin: {tile: 1, cell: [1, 1]}}", "unknown constraint `then`"),
        ("if: {pin: {tile: 1, cell: [1, 1]}}", "`if` requires `then` or `else`"),
        (
            "exactly: {number: 2, of: [pin: {tile: 1, cell: [1, 1]}]}",
            "`number: 2` is more than the number of constraints, 1",
        ),
        (
            "at_most: {number: -1, of: [pin: {tile: 1, cell: [1, 1]}]}",
            "`number: -1` is negative: expected 0 or more",
        ),
        (
            "not: {seam: {cells: [[1, 1], [1, 2]], fit: free}}",
            "`seam` cannot be used in `not`: it changes the board and cannot be true or false",
        ),
    ] {
        let list = format!("constraints: [{{{constraint}}}]\n");
        assert_eq!(solutions(&list).unwrap_err(), message, "{constraint}");
    }
}
