//! Observing a search step by step: for recordings on the page and for proofs.
//!
//! An observed search runs on one thread and makes the same decisions as any other.

use std::ops::ControlFlow;

use super::leaves::Leaf;
use crate::problem::Placed;

/// A tile that is laid into a cell.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    /// The cell.
    pub cell: usize,
    /// The tile: any one of its kind, where the search lays kinds.
    pub placed: Placed,
    /// The placements that were tried until then, where the search counts them.
    pub tries: Option<u64>,
    /// What is left once the consequences are followed; `None` where nothing fits, or none are
    /// followed.
    pub left: Option<&'a dyn Leaf>,
}

/// Is told of each step of a search, which then runs on one thread. `Break` ends the search.
pub trait Observer {
    /// A tile is laid into a cell.
    fn decided(&mut self, _decision: &Decision<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// One value a cell that fit together. The same are never told again.
    fn found(&mut self, _values: &[usize]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The last of these placements (cell, value) is taken back: nothing fits there but what was
    /// found. Children come before their parents; the end of the run speaks for the top.
    fn done(&mut self, _path: &mut dyn Iterator<Item = (usize, usize)>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// What made it end the search, where that is a failure.
    fn trouble(&self) -> Option<String> {
        None
    }
}
