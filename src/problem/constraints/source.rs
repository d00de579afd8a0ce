//! A constraint with its source, so that it is written again as it was read.

use std::sync::Arc;

use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Constraint, Dependence, Formula, Nesting, TilePlacements};
use crate::puzzle::{DocValue, Puzzle};

/// A constraint made of fields; `source` is what a file says of it.
#[derive(Debug)]
pub(super) struct SourceConstraint {
    pub source: Option<DocValue>,
    pub means: Arc<dyn Constraint>,
}

impl Constraint for SourceConstraint {
    fn name(&self) -> &'static str {
        self.means.name()
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        self.means.broken(puzzle, board, arrangement)
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.formula(puzzle, board)
    }

    fn formula_of_copies(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.formula_of_copies(puzzle, board)
    }

    fn is_lazy(&self) -> bool {
        self.means.is_lazy()
    }

    fn depends_on(&self) -> Dependence {
        self.means.depends_on()
    }

    fn lazy_cut(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        self.means.lazy_cut(puzzle, board, arrangement)
    }

    fn symmetric_formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        self.means.symmetric_formula(puzzle, board)
    }

    fn nesting(&self) -> Nesting {
        self.means.nesting()
    }

    fn pinned_cell(&self) -> Option<usize> {
        self.means.pinned_cell()
    }

    fn free_seams(&self) -> &[[CellSide; 2]] {
        self.means.free_seams()
    }

    fn wanted_seams(&self) -> &[[CellSide; 2]] {
        self.means.wanted_seams()
    }

    fn source(&self) -> Option<DocValue> {
        self.source.clone()
    }
}
