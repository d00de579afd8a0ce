//! A job: a node of the search tree and those of its branches that are still to be searched.
//!
//! Jobs are what threads exchange. The path of placements to the node suffices to rebuild its
//! domains.

/// Some branches of a node, and everything below them.
#[derive(Debug, Clone, Default)]
pub(super) struct Job {
    /// The placements (cell, value) that lead to the node.
    pub path: Vec<(usize, usize)>,
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
