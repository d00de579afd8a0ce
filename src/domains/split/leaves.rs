//! Leaves of the search, in which every cell is filled, and the outlet for their results.

use std::ops::ControlFlow;

use crate::domains::tree::{Conflict, Stride, Tree};
use crate::domains::{Domains, Uses};
use crate::problem::Placed;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::scheduler::{SearchProgress, Sink};

/// Propagated domains of a search; a leaf if every cell is filled. Each solution of the problem is
/// in exactly one leaf.
pub struct Leaf<'a> {
    pub(super) state: &'a mut dyn Tree,
    /// The bounds on the uses of each kind.
    pub(super) uses: &'a [Uses],
    pub(super) stride: Stride,
    pub(super) token: &'a CancelToken<'a>,
}

impl Leaf<'_> {
    /// The value of each cell; `None` unless every cell is filled.
    pub fn values(&self) -> Option<Vec<usize>> {
        self.state.values()
    }

    /// The domains of the leaf.
    pub fn domains(&self) -> Domains {
        Domains { cells: self.state.domains(), uses: self.uses.to_vec() }
    }

    /// Makes a placement and propagates. If there is no conflict, calls `go_on` with the resulting
    /// domains. Then restores the leaf. Breaks on cancellation, which leaves the leaf unusable.
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

    /// Makes a placement and propagates to the fixpoint. Continues with the conflict as an error if
    /// there is one; breaks if the token is cancelled.
    fn place(&mut self, (cell, value): (usize, usize)) -> Flow<Result<(), Conflict>> {
        match self.state.decide(cell, value) {
            Ok(()) => self.state.propagate_all(self.stride, self.token),
            Err(conflict) => ControlFlow::Continue(Err(conflict)),
        }
    }
}

/// Processes a leaf and sends its results to the outlet. Any thread may call it. It must break only
/// if the outlet does.
pub type OnLeaf<'a, Y> = dyn Fn(&mut Leaf<'_>, &mut Outlet<'_, Y>) -> Flow + Sync + 'a;

/// The destination of the results of one leaf.
pub struct Outlet<'a, Y> {
    pub(super) sink: &'a mut dyn Sink<Y>,
    /// The progress when the search reached the leaf.
    pub(super) progress: SearchProgress,
}

impl<Y> Outlet<'_, Y> {
    /// Sends one result. `Break` means that the search must end.
    pub fn found(&mut self, found: Y) -> Flow {
        self.sink.found(found, self.progress.steps)
    }
}

/// The placement of a tile in a cell, as reported to an observer.
#[derive(Clone, Copy)]
pub struct Decision<'a> {
    /// The cell.
    pub cell: usize,
    /// The tile; any tile of its kind if the search places kinds.
    pub placed: Placed,
    /// The number of placements tried so far; `None` if the search does not count them.
    pub tries: Option<u64>,
    /// The domains after propagation; `None` after a conflict or without propagation.
    pub left: Option<&'a Leaf<'a>>,
}

/// An observer of every step of a search, which then runs on one thread. `Break` from any method
/// ends the search.
pub trait Observer {
    /// Called after each decision: a tile has been placed in a cell. A break ends the search.
    fn decided(&mut self, _decision: &Decision<'_>) -> Flow {
        ControlFlow::Continue(())
    }

    /// Called once for each solution, with the value of each cell. A break ends the search.
    fn found(&mut self, _values: &[usize]) -> Flow {
        ControlFlow::Continue(())
    }

    /// Called when the last of these placements (cell, value) is undone: there are no further
    /// solutions below it. Children are reported before their parents. The top node is not
    /// reported; it is done when the run ends. A break ends the search.
    fn done(&mut self, _path: &mut dyn Iterator<Item = (usize, usize)>) -> Flow {
        ControlFlow::Continue(())
    }

    /// The message of a failure for which the observer ended the search; `None` if there was none.
    fn failure(&self) -> Option<String> {
        None
    }
}
