//! A piece of a search that a thread can do by itself.

/// Some branches of a node, and everything below them.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, value) that lead to the node.
    pub way: Vec<(usize, usize)>,
    /// The branches: placements too.
    pub branches: Vec<(usize, usize)>,
    /// The share of the tree that each of them has.
    pub weight: f64,
}

impl Job {
    /// The share of the tree that all of them have.
    pub fn share(&self) -> f64 {
        self.weight * self.branches.len() as f64
    }
}
