//! Reducing, breaking symmetry and splitting preserve every solution that brute force finds, on
//! boards with many twins and self-symmetric tiles.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use edgematch::domains::{Domains, Rarest, Split, SymmetryBranch, break_symmetry, reduce};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::runtime::limits::CancelToken;
use edgematch::runtime::scheduler::{SearchProgress, Sink};
use proptest::prelude::*;

use crate::common::brute_force_within;
use crate::common::generated::{Generated, planted, random};

const SIZES: &[(usize, usize)] = &[(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 2), (3, 3)];
const BOTH: [Rarest; 2] = [Rarest::Placements, Rarest::Mates];

fn puzzles() -> impl Strategy<Value = Generated> {
    prop_oneof![random(SIZES), planted(SIZES, 1..6)]
}

/// The value of each cell, for every solution; `None` if there are too many solutions.
fn solutions(problem: &Problem) -> Option<BTreeSet<Vec<usize>>> {
    let brute = brute_force_within(problem, 3_000)?;
    let values = brute.solutions.iter().map(|solution| {
        let placed = solution.0.iter();
        let value = placed.map(|p| problem.kinds.value_of(p.tile, p.orientation).unwrap());
        value.collect()
    });
    Some(values.collect())
}

fn holds(domains: &Domains, values: &[usize]) -> bool {
    let mut cells = domains.cells.iter().zip(values);
    cells.all(|(cell, &value)| cell.contains(value))
}

/// Returns true if the kinds are used as often as the domains allow.
fn counts(problem: &Problem, domains: &Domains, values: &[usize]) -> bool {
    let of_kind = |kind: usize| {
        let kinds = values.iter().map(|&value| problem.kinds.values[value].kind);
        kinds.filter(|&k| k == kind).count()
    };
    let mut uses = domains.uses.iter().enumerate();
    uses.all(|(kind, uses)| (uses.least..=uses.most).contains(&of_kind(kind)))
}

/// The leaves in order, each with the number of decisions until then, and the explored share.
#[derive(Debug, Default, PartialEq)]
struct Log {
    leaves: Vec<(Vec<usize>, u64)>,
    explored: f64,
}

impl Sink<Vec<usize>> for Log {
    fn found(&mut self, leaf: Vec<usize>, decisions: u64) -> ControlFlow<()> {
        self.leaves.push((leaf, decisions));
        ControlFlow::Continue(())
    }

    fn progress(&mut self, progress: SearchProgress) -> ControlFlow<()> {
        assert!((self.explored..1.0).contains(&progress.share));
        self.explored = progress.share;
        ControlFlow::Continue(())
    }
}

/// The leaves, and the total number of decisions.
fn walk(
    problem: &Problem,
    parts: &[SymmetryBranch],
    split: Split,
    threads: usize,
) -> (Vec<(Vec<usize>, u64)>, u64) {
    let mut log = Log::default();
    let threads = (threads, &CancelToken::never());
    let end = split.walk(problem, parts, threads, &mut log, None);
    let (end, decisions) = end.unwrap();
    assert!(end.is_continue());
    (log.leaves, decisions)
}

fn leaves(problem: &Problem, part: &SymmetryBranch, split: Split) -> Vec<Vec<usize>> {
    let (leaves, _) = walk(problem, std::slice::from_ref(part), split, 1);
    leaves.into_iter().map(|(values, _)| values).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, max_global_rejects: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn reducing_keeps_every_solution(generated in puzzles()) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let solutions = solutions(&problem);
        prop_assume!(solutions.is_some());
        let solutions = solutions.unwrap();
        let mut domains = Domains::first(&problem);
        let before = domains.placements();
        match reduce(&problem, &mut domains) {
            Ok(()) => {
                prop_assert!(solutions.iter().all(|values| holds(&domains, values)));
                prop_assert!(domains.placements() <= before);
                let again = domains.clone();
                reduce(&problem, &mut domains).unwrap();
                prop_assert_eq!(domains, again, "the fixpoint is fixed");
            }
            Err(_) => prop_assert!(solutions.is_empty()),
        }
    }

    #[test]
    fn symmetry_branches_keep_an_image_of_every_solution(generated in puzzles()) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let solutions = solutions(&problem);
        prop_assume!(solutions.is_some());
        let solutions = solutions.unwrap();
        for rarest in BOTH {
            let parts = break_symmetry(&problem, Domains::first(&problem), rarest);
            let mut reached = BTreeSet::new();
            for (index, part) in parts.iter().enumerate() {
                for values in &solutions {
                    if !holds(&part.domains, values) || !counts(&problem, &part.domains, values) {
                        continue;
                    }
                    if let Some(places) = &part.first {
                        let chosen = places.iter().filter(|&&(cell, value)| values[cell] == value);
                        prop_assert_eq!(chosen.count(), 1);
                    }
                    for symmetry in &problem.group {
                        let image = problem.image(values.iter().copied(), symmetry).unwrap();
                        reached.insert((image, index));
                    }
                }
            }
            let images: BTreeSet<_> = reached.iter().map(|(image, _)| image.clone()).collect();
            prop_assert_eq!(&images, &solutions, "each solution has an image in a part");
            prop_assert_eq!(images.len(), reached.len(), "and in one part only");
        }
    }

    #[test]
    fn threads_find_the_same_leaves_in_the_same_order(
        generated in puzzles(),
        learning in 0..40u64,
    ) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let split = Split::whole_tree(&problem).with_learning_decisions(learning);
        let parts = break_symmetry(&problem, Domains::first(&problem), Rarest::Mates);
        let alone = walk(&problem, &parts, split, 1);
        for threads in [2, 5] {
            prop_assert_eq!(&walk(&problem, &parts, split, threads), &alone);
        }
    }

    #[test]
    fn each_solution_is_in_exactly_one_leaf(generated in puzzles()) {
        let problem = load::from_str(&generated.yaml()).unwrap();
        let solutions = solutions(&problem);
        prop_assume!(solutions.is_some());
        let solutions = solutions.unwrap();
        let split = Split::whole_tree(&problem);
        for rarest in BOTH {
            for part in break_symmetry(&problem, Domains::first(&problem), rarest) {
                let inside = |values: &&Vec<usize>| {
                    holds(&part.domains, values) && counts(&problem, &part.domains, values)
                };
                let expected: Vec<_> = solutions.iter().filter(inside).collect();
                let leaves = leaves(&problem, &part, split);
                for values in &expected {
                    let holding = leaves.iter().filter(|leaf| leaf == values);
                    prop_assert_eq!(holding.count(), 1);
                }
                prop_assert_eq!(leaves.len(), expected.len());
            }
        }
    }
}

/// Every cell may be filled without the tile that breaks the symmetry; that must not be a leaf.
#[test]
fn a_leaf_uses_the_tile_that_must_be_used() {
    let problem = load::from_str(
        "{rows: 1, cols: 2, border: x, tiles: {1: [a, x, a, a], 2: [a, a, x, x], 3: [x, a, x, x], 4: [x, x, a, x]}}",
    )
    .unwrap();
    let first = Domains::first(&problem);
    for part in break_symmetry(&problem, first, Rarest::Mates) {
        for values in leaves(&problem, &part, Split::whole_tree(&problem)) {
            assert!(counts(&problem, &part.domains, &values));
        }
    }
}
