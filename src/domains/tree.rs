//! What a search needs of domains: choices, their consequences, and the way back.

use super::holder::{Dead, Holder};
use super::labels::LabelSet;
use super::scores::Scores;
use super::state::{Mark, State};
use crate::puzzle::LookSet;

/// Domains under choices that can be taken back.
pub(super) trait Tree<const W: usize>: Holder<W> {
    /// Where choices were at some time.
    type Mark: Copy;

    /// Begins a level: what happens from now on can be undone at once.
    fn mark(&mut self) -> Self::Mark;

    /// Takes back everything since the mark, which is used up.
    fn undo(&mut self, mark: Self::Mark);

    /// Leaves one look in a cell; what follows from it is not followed yet.
    fn choose(&mut self, cell: usize, look: usize) -> Result<(), Dead>;

    /// Follows the consequences of all that has happened, of about so many cells; says whether that was
    /// the end.
    fn propagate_some(&mut self, cells: usize) -> Result<bool, Dead>;

    /// Number of cells without a tile.
    fn unfilled(&self) -> usize;

    /// The number of placements in those.
    fn placements(&self) -> usize;

    /// One look a cell, where every cell is filled.
    fn looks(&self) -> Option<Vec<usize>>;

    /// What every cell can still take.
    fn domains(&self) -> Vec<LookSet>;

    /// The cell to branch on.
    fn best(&self, scores: &Scores) -> usize;
}

impl<const W: usize, M: LabelSet, const S: usize> Tree<W> for State<'_, W, M, S> {
    type Mark = Mark;

    #[inline(always)]
    fn mark(&mut self) -> Mark {
        State::mark(self)
    }

    #[inline(always)]
    fn undo(&mut self, mark: Mark) {
        State::undo(self, mark);
    }

    #[inline(always)]
    fn choose(&mut self, cell: usize, look: usize) -> Result<(), Dead> {
        State::choose(self, cell, look)
    }

    #[inline(always)]
    fn propagate_some(&mut self, cells: usize) -> Result<bool, Dead> {
        State::propagate_some(self, cells)
    }

    #[inline(always)]
    fn unfilled(&self) -> usize {
        State::unfilled(self)
    }

    fn placements(&self) -> usize {
        State::placements(self)
    }

    fn looks(&self) -> Option<Vec<usize>> {
        State::looks(self)
    }

    fn domains(&self) -> Vec<LookSet> {
        State::domains(self)
    }

    #[inline(always)]
    fn best(&self, scores: &Scores) -> usize {
        scores.best(self)
    }
}
