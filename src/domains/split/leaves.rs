//! Leaves of the search: domains that are not split further, and where their results go.
//!
//! At the bottom a leaf is a solution; for the engine `milp` it is a small model. Each solution of
//! the whole lies in exactly one leaf.

use std::ops::ControlFlow;

use crate::board::CellId;
use crate::domains::Domains;
use crate::puzzle::ValueId;
use crate::scheduler::{Progress, Sink};

/// Domains that are not split any further. Each solution of the whole lies in exactly one leaf.
pub trait Leaf {
    /// One value a cell, where nothing is left to choose.
    fn values(&self) -> Option<Vec<usize>>;

    /// What each cell can still take.
    fn domains(&self) -> Domains;

    /// Whether nothing is left to choose once these placements (cell, value) are made. `Break`
    /// where the run is cancelled, which leaves the leaf unusable.
    fn forces(&mut self, placements: &[(CellId, ValueId)]) -> ControlFlow<(), bool>;

    /// Makes a placement and follows its consequences; where nothing contradicts it, what is left
    /// is handed over. Afterwards all is as before. `Break` where the run is cancelled, which
    /// leaves the leaf unusable.
    fn descend(
        &mut self,
        placement: (CellId, ValueId),
        go_on: &mut dyn FnMut(&mut dyn Leaf),
    ) -> ControlFlow<()>;
}

/// Hands over what a leaf yields, on whichever thread comes to it. `Break` only where the outlet
/// said so.
pub type OnLeaf<'a, Y> = dyn Fn(&mut dyn Leaf, &mut Outlet<'_, Y>) -> ControlFlow<()> + Sync + 'a;

/// Where the yield of a leaf goes.
pub struct Outlet<'a, Y> {
    pub(super) sink: &'a mut dyn Sink<Y>,
    /// When the search came to the leaf.
    pub(super) progress: Progress,
}

impl<Y> Outlet<'_, Y> {
    /// Takes one. `Break` ends the search.
    pub fn found(&mut self, found: Y) -> ControlFlow<()> {
        self.sink.found(found, self.progress.steps)
    }

    /// To be asked at least every tenth of a second. `Break` ends the search.
    pub fn poll(&mut self) -> ControlFlow<()> {
        self.sink.progress(self.progress)
    }
}
