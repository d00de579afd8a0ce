//! Random dives into the search tree that estimate its size.

use std::ops::ControlFlow;

use super::Split;
use super::dfs::DepthFirst;
use crate::domains::bit_tables::BitTables;
use crate::domains::labels::{LabelSet, LabelSetTask};
use crate::domains::state::State;
use crate::domains::symmetry::SymmetryBranch;
use crate::domains::tree::{DomainStore, Tree};
use crate::problem::Problem;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::SearchProgress;

/// The results of random dives.
#[derive(Debug, Clone, Default)]
pub struct Probes {
    /// One estimate per dive of the number of decisions in the tree; all are 0 if the root has a
    /// conflict.
    pub estimates: Vec<f64>,
    /// The total number of decisions of the dives.
    pub decisions: u64,
    /// The number of dives that ended at a leaf instead of a conflict.
    pub leaves: u32,
}

/// The task of making random dives.
pub(super) struct DiveTask<'a> {
    pub split: Split,
    pub problem: &'a Problem,
    pub part: &'a SymmetryBranch,
    pub random: &'a mut Random,
    pub probes: u32,
    pub token: &'a CancelToken<'a>,
}

impl LabelSetTask for DiveTask<'_> {
    type Result = Flow<Probes>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let DiveTask { split, problem, part, token, .. } = self;
        let bit_tables = BitTables::<W, M, S>::new(problem);
        let state = State::new(&bit_tables, &part.domains, split.consistency, token)?;
        let before = SearchProgress::default();
        let mut dfs = DepthFirst::new(split, problem, part, state, before);
        let mut probes = Probes::default();
        if dfs.propagate(|_| token.poll())? {
            for _ in 0..self.probes {
                dive(&mut dfs, part, &mut *self.random, &mut probes, token)?;
            }
        } else {
            probes.estimates = vec![0.0; self.probes as usize];
        }
        probes.decisions = dfs.decisions;
        ControlFlow::Continue(probes)
    }
}

/// Makes one random dive and adds its estimate: the sum over its decisions of the product of the
/// numbers of branches so far. Breaks if the token is cancelled.
fn dive<const W: usize, T: Tree + DomainStore<W>>(
    dfs: &mut DepthFirst<'_, W, T>,
    part: &SymmetryBranch,
    random: &mut Random,
    probes: &mut Probes,
    token: &CancelToken<'_>,
) -> Flow {
    dfs.state.mark();
    let mut estimate = 0.0;
    let mut weight = 1.0;
    let mut choices = dfs.root_branches(part).unwrap_or_default();
    while !choices.is_empty() {
        // Choosing a cell examines all of them.
        token.work(dfs.cells + choices.len())?;
        weight *= choices.len() as f64;
        estimate += weight;
        let choice = choices[random.usize(..choices.len())];
        choices = Vec::new();
        if dfs.decide(choice, |_| token.poll())? {
            match dfs.node_branches() {
                Some(branches) => choices = branches,
                None => probes.leaves += 1,
            }
        }
    }
    dfs.state.undo();
    probes.estimates.push(estimate);
    ControlFlow::Continue(())
}
