//! A search in parts: for any number of parts, together they find what one run finds, each
//! arrangement once.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use edgematch::BigUint;
use edgematch::engine::{Auto, ENGINES, Engine, PartOf, Share};
use edgematch::enumerate::solution::ValueArrangement;
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::load;
use edgematch::problem::Problem;

use crate::common::boards::BOARDS;
use crate::common::{Feature, every_engine, problem, read, serving};

/// The result of a run: each canonical form with the number of solutions that it represents.
type Found = BTreeMap<ValueArrangement, BigUint>;

fn found(problem: &Problem, engine: &dyn Engine, threads: usize) -> Found {
    let mut all = Found::new();
    let limits = Limits { threads, ..Limits::default() };
    let outcome = enumerate::run(problem, engine, &limits, &mut |found: &NewSolution<'_>| {
        let NewSolution { distinct, .. } = found;
        let twice = all.insert(distinct.orbit[0].clone(), distinct.solutions.clone());
        assert_eq!(twice, None);
        ControlFlow::Continue(())
    });
    assert!(outcome.status.is_complete(), "{:?}", outcome.status);
    all
}

/// The results of all parts together, which must be disjoint.
fn together(problem: &Problem, engine: &dyn Engine, of: u32, threads: usize) -> Found {
    let mut all = Found::new();
    for part in 1..=of {
        let share = Share::new(engine, PartOf { part, of });
        for (arrangement, solutions) in found(problem, &share, threads) {
            let twice = all.insert(arrangement, solutions);
            assert_eq!(twice, None, "part {part} of {of} finds it, too");
        }
    }
    all
}

/// Puzzles with properties that are difficult for splitting a search.
fn puzzles() -> Vec<(&'static str, Problem)> {
    let same = "tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, b, a, b], 4: [a, b, a, b]}";
    let spare = "{rows: 2, cols: 2, tiles: {1: [a, b, c, a], 2: [a, b, a, b], 3: [c, a, b, b], \
                 4: [a, a, c, b], 5: [b, a, c, c], 6: [a, c, b, a]}}";
    let spare_3 = "{rows: 1, cols: 3, tiles: {1: [a, b, a, b], 2: [a, b, a, b], 3: [c, a, b, b], \
                   4: [a, a, c, b], 5: [b, a, c, c]}}";
    let constrained = "{rows: 2, cols: 3, constraints: [{count: {cells: all, shows: {top: a}, \
                       at_most: 2}}, {adjacent: {tiles: [1, 2]}}], tiles: {1: [a, b, a, a], \
                       2: [a, b, a, b], 3: [b, a, b, b], 4: [a, a, b, b], 5: [b, a, b, a], 6: [a, a, a, b]}}";
    let turnless = "{rows: 2, cols: 3, rotations: false, tiles: {1: [a, b, a, a], 2: [a, b, a, a], \
                    3: [b, a, a, b], 4: [a, a, b, b], 5: [a, a, a, a], 6: [a, b, a, b]}}";
    let texts = [
        ("twins and tiles that equal their turns", same),
        ("more tiles than cells", spare),
        ("a row", spare_3),
        ("constraints", constrained),
        ("no turns", turnless),
    ];
    let boards = BOARDS.map(|(name, text, _)| (name, text));
    let texts = texts.into_iter().chain(boards);
    let written = texts.map(|(name, text)| (name, load::from_str(text).unwrap()));
    let files = [
        "scramble-1",
        "absolut-knifflig",
        "knifflidiffels-version5",
        "random-half-3x4-4-s1",
        "framed-3x3-tud",
        "random-frame-4x4-4-s1",
        "sharks-misread",
        "random-vex-3x3-10-s1",
    ]
    .map(|name| (name, problem(name)));
    written.chain(files).collect()
}

fn finds_the_same_in_parts(are_meant: impl Fn(&str, &str) -> bool, numbers: &[u32]) {
    for (name, problem) in puzzles() {
        let whole = found(&problem, &Auto, 1);
        let odd = ["a row", "cube", "torus", "mirrored", "mixed"];
        let features = if odd.contains(&name) { &[Feature::NoRectangle][..] } else { &[] };
        for contender in serving(every_engine(), &problem, features) {
            let engine = contender.engine.as_ref();
            if !are_meant(name, &contender.name) {
                continue;
            }
            for &of in numbers {
                let all = together(&problem, engine, of, 1);
                assert_eq!(all, whole, "{name}, {}, {of} parts", contender.name);
            }
        }
    }
}

/// Models are slow with constraints.
fn is_slow(puzzle: &str, engine: &str) -> bool {
    puzzle == "constraints" && engine.starts_with("milp")
}

#[test]
fn every_engine_finds_the_same_in_parts() {
    finds_the_same_in_parts(|puzzle, engine| !is_slow(puzzle, engine), &[1, 2, 7]);
}

#[test]
fn one_engine_of_each_kind_finds_the_same_in_many_parts() {
    let first = ENGINES.iter().map(|kind| kind.contenders()[0].name.clone());
    let sorts: Vec<String> = first.chain(["scan-spiral".to_owned()]).collect();
    let is_meant = |puzzle: &str, engine: &str| {
        sorts.iter().any(|sort| sort == engine) && !is_slow(puzzle, engine)
    };
    finds_the_same_in_parts(is_meant, &[64]);
}

#[test]
#[ignore = "a minute; .ci/run runs it"]
fn every_engine_finds_the_same_in_every_number_of_parts() {
    finds_the_same_in_parts(|_, _| true, &[1, 2, 7, 64]);
}

#[test]
fn threads_change_nothing_in_a_part() {
    let problem = read("benches/boards/f6-b4k5-0.yaml");
    let whole = found(&problem, &Auto, 1);
    for engine in every_engine() {
        if ["auto", "backtrack"].contains(&engine.name.as_str()) {
            let all = together(&problem, engine.engine.as_ref(), 3, 2);
            assert_eq!(all, whole, "{}", engine.name);
        }
    }
}
