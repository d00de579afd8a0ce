//! Leaves of the search: domains that are not split further, and where their results go.
//!
//! At the bottom a leaf is a solution; for the engine `milp` it is a small model. Each solution of
//! the whole lies in exactly one leaf.

use std::ops::ControlFlow;

use crate::domains::Domains;
use crate::limits::Flow;
use crate::problem::Placed;
use crate::scheduler::{Progress, Sink};

/// Domains that are not split any further. Each solution of the whole lies in exactly one leaf.
pub trait Leaf {
    /// One value a cell, where nothing is left to choose.
    fn values(&self) -> Option<Vec<usize>>;

    /// What each cell can still take.
    fn domains(&self) -> Domains;

    /// Whether nothing is left to choose once these placements (cell, value) are made. `Break`
    /// where the run is cancelled, which leaves the leaf unusable.
    fn forces(&mut self, placements: &[(usize, usize)]) -> Flow<bool>;

    /// Makes a placement and follows its consequences; where nothing contradicts it, what is left
    /// is handed over. Afterwards all is as before. `Break` where the run is cancelled, which
    /// leaves the leaf unusable.
    fn descend(&mut self, placement: (usize, usize), go_on: &mut dyn FnMut(&mut dyn Leaf)) -> Flow;
}

/// Hands over what a leaf yields, on whichever thread comes to it. `Break` only where the outlet
/// said so.
pub type OnLeaf<'a, Y> = dyn Fn(&mut dyn Leaf, &mut Outlet<'_, Y>) -> Flow + Sync + 'a;

/// Where the yield of a leaf goes.
pub struct Outlet<'a, Y> {
    pub(super) sink: &'a mut dyn Sink<Y>,
    /// When the search came to the leaf.
    pub(super) progress: Progress,
}

impl<Y> Outlet<'_, Y> {
    /// Takes one. `Break` ends the search.
    pub fn found(&mut self, found: Y) -> Flow {
        self.sink.found(found, self.progress.steps)
    }

    /// To be asked at least every tenth of a second. `Break` ends the search.
    pub fn poll(&mut self) -> Flow {
        self.sink.progress(self.progress)
    }
}

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
    fn decided(&mut self, _decision: &Decision<'_>) -> Flow {
        ControlFlow::Continue(())
    }

    /// One value a cell that fit together. The same are never told again.
    fn found(&mut self, _values: &[usize]) -> Flow {
        ControlFlow::Continue(())
    }

    /// The last of these placements (cell, value) is taken back: nothing fits there but what was
    /// found. Children come before their parents; the end of the run speaks for the top.
    fn done(&mut self, _path: &mut dyn Iterator<Item = (usize, usize)>) -> Flow {
        ControlFlow::Continue(())
    }

    /// What made it end the search, where that is a failure.
    fn trouble(&self) -> Option<String> {
        None
    }
}
