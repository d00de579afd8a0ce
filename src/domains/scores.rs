//! Scores of cells for branching, learnt from conflicts.
//!
//! A cell that often ran out of values is preferred, as in dom/wdeg (Boussemart and others, ECAI
//! 2004).

/// By cell, how often it ran out of values: one that fails often promises a small tree.
#[derive(Clone)]
pub(super) struct Scores {
    failures: Vec<u32>,
    /// 1/√(1 + failures).
    ease: Vec<f32>,
}

impl Scores {
    /// No failures yet.
    pub fn new(cells: usize) -> Self {
        Scores { failures: vec![0; cells], ease: vec![1.0; cells] }
    }

    /// Notes that a cell ran out of values.
    pub fn fail(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.ease[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// 1 for a cell that never failed, less for others.
    #[inline(always)]
    pub fn ease(&self, cell: usize) -> f32 {
        self.ease[cell]
    }
}
