//! Who is told of each step of `propagate`.

use crate::domains::Leaf;

/// What is told of a search while it runs.
pub trait Trace {
    /// A look is laid into a cell, and its consequences are followed; `None` where nothing fits then.
    fn decided(&mut self, _cell: usize, _look: usize, _left: Option<&dyn Leaf>) {}

    /// One look a cell that fit together. The same are never told again.
    fn found(&mut self, looks: &[usize]);

    /// Nothing fits where these placements (cell, look) are made, but what was found. Children come
    /// before their parents; the end of the run speaks for the top.
    fn done(&mut self, way: &[(usize, usize)]);

    /// What makes it pointless to go on, for people.
    fn trouble(&self) -> Option<String>;
}
