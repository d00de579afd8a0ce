//! Leaves of the search: domains that are not split further, and where their results go.
//!
//! At the bottom a leaf is a solution; for the engine `milp` it is a small model. Each solution of
//! the whole lies in exactly one leaf.

use std::ops::ControlFlow;

use crate::domains::tree::{Conflict, Stride, Tree};
use crate::domains::{Domains, Uses};
use crate::problem::Placed;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{Progress, Sink};

/// Domains that are not split any further. Each solution of the whole lies in exactly one leaf.
pub struct Leaf<'a> {
    pub(super) state: &'a mut dyn Tree,
    /// How often each kind must and may be used.
    pub(super) uses: &'a [Uses],
    pub(super) stride: Stride,
    pub(super) token: &'a CancelToken<'a>,
}

impl Leaf<'_> {
    /// One value a cell, where nothing is left to choose.
    pub fn values(&self) -> Option<Vec<usize>> {
        self.state.values()
    }

    /// What each cell can still take.
    pub fn domains(&self) -> Domains {
        Domains { cells: self.state.domains(), uses: self.uses.to_vec() }
    }

    /// Whether nothing is left to choose once these placements (cell, value) are made. `Break`
    /// where the run is cancelled, which leaves the leaf unusable.
    pub fn forces(&mut self, placements: &[(usize, usize)]) -> Flow<bool> {
        self.state.mark();
        let mut fits = true;
        for &placement in placements {
            fits = self.place(placement)?.is_ok();
            if !fits {
                break;
            }
            self.token.work(self.uses.len())?;
        }
        let is_forced = fits && self.state.unfilled() == 0;
        self.state.undo();
        ControlFlow::Continue(is_forced)
    }

    /// Makes a placement and follows its consequences; where nothing contradicts it, what is left
    /// is handed over. Afterwards all is as before. `Break` where the run is cancelled, which
    /// leaves the leaf unusable.
    pub fn descend(
        &mut self,
        placement: (usize, usize),
        go_on: &mut dyn FnMut(&mut Leaf<'_>),
    ) -> Flow {
        self.state.mark();
        if self.place(placement)?.is_ok() {
            go_on(self);
        }
        self.state.undo();
        ControlFlow::Continue(())
    }

    /// Makes a placement and follows its consequences.
    fn place(&mut self, (cell, value): (usize, usize)) -> Flow<Result<(), Conflict>> {
        match self.state.decide(cell, value) {
            Ok(()) => self.state.propagate_all(self.stride, self.token),
            Err(conflict) => ControlFlow::Continue(Err(conflict)),
        }
    }
}

/// Hands over what a leaf yields, on whichever thread comes to it. `Break` only where the outlet
/// said so.
pub type OnLeaf<'a, Y> = dyn Fn(&mut Leaf<'_>, &mut Outlet<'_, Y>) -> Flow + Sync + 'a;

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
    pub left: Option<&'a Leaf<'a>>,
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
