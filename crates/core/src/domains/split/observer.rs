//! The observer of a search, which sees every decision and its consequences.

use std::ops::ControlFlow;

use crate::domains::tree::Tree;
use crate::domains::{Domains, Uses};
use crate::problem::Placed;
use crate::runtime::limits::Flow;

/// The propagated domains of a node of a search.
pub struct NodeDomains<'a> {
    pub(super) state: &'a dyn Tree,
    /// The bounds on the uses of each kind.
    pub(super) uses: &'a [Uses],
}

impl NodeDomains<'_> {
    /// Copies the domains.
    pub fn domains(&self) -> Domains {
        Domains { cells: self.state.domains(), uses: self.uses.to_vec() }
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
    pub left: Option<&'a NodeDomains<'a>>,
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
