//! Who looks on at the backtracker that tries everything.

use std::ops::ControlFlow;

use crate::problem::Placed;

/// Looks on while tiles are laid and taken back.
pub trait Onlooker {
    /// Told that a tile is laid into a cell, behind so many tries. `Break` ends the search.
    fn laid(&mut self, cell: usize, placed: Placed, tries: u64) -> ControlFlow<()>;

    /// Told that the tile laid last, of those that lie, is taken back. `Break` ends the search.
    fn taken_back(&mut self, tries: u64) -> ControlFlow<()>;
}

/// Nobody.
impl Onlooker for () {
    #[inline(always)]
    fn laid(&mut self, _cell: usize, _placed: Placed, _tries: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn taken_back(&mut self, _tries: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
