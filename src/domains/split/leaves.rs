//! What a walk comes to, and who is told: leaves, what is made of them, and where that goes.

use std::ops::ControlFlow;

use crate::domains::Domains;

/// What is made of the leaves, on whichever thread comes to them.
pub trait Leaves: Sync {
    /// What a leaf yields.
    type Yield: Send;

    /// Hands over what a leaf yields. `Break` only where the outlet said so.
    fn leaf(&self, leaf: &mut dyn Leaf, outlet: &mut dyn Outlet<Self::Yield>) -> ControlFlow<()>;
}

/// Where the yield of a leaf goes.
pub trait Outlet<Y> {
    /// Takes one. `Break` ends the walk.
    fn found(&mut self, found: Y) -> ControlFlow<()>;

    /// To be asked at least every tenth of a second. `Break` ends the walk.
    fn poll(&mut self) -> ControlFlow<()>;
}

/// Looks on while domains are split.
pub trait Walker<Y> {
    /// Takes what the leaves yield, in their order, with the decisions made until then when the
    /// branches are taken one after another. `Break` ends the walk.
    fn found(&mut self, found: Y, decisions: u64) -> ControlFlow<()>;

    /// Asked at least every tenth of a second. `Break` ends the walk.
    fn poll(&mut self, progress: Progress) -> ControlFlow<()>;

    /// Whether it wants to be told what is [`decided`](Walker::decided) and [`done`](Walker::done), which one
    /// thread alone can tell.
    fn is_tracing(&self) -> bool {
        false
    }

    /// Told that a look is laid into a cell, and what is left then; `None` where nothing fits.
    fn decided(&mut self, _cell: usize, _look: usize, _left: Option<&dyn Leaf>) {}

    /// Told that all below these placements (cell, look) is done: nothing fits there but what was
    /// found. Children come before their parents; the top itself is not told.
    fn done(&mut self, _way: &[(usize, usize)]) {}
}

/// How far a walk is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Decisions so far.
    pub decisions: u64,
    /// The share of the tree that is done, from 0 to 1, when the branches of a node count alike.
    pub explored: f64,
}

/// Domains that are not split any further. Each solution of the whole lies in exactly one leaf.
pub trait Leaf {
    /// One look a cell, where nothing is left to choose.
    fn looks(&self) -> Option<Vec<usize>>;

    /// What each cell can still take.
    fn domains(&self) -> Domains;

    /// Whether nothing is left to choose once these placements (cell, look) are made.
    fn forces(&mut self, placements: &[(usize, usize)]) -> bool;
}
