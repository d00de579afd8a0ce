//! The ends of seams, and which of them have variables.

use edgematch::board::CellSide;
use edgematch::problem::Problem;
use edgematch::puzzle::Label;

/// One of the two sides that touch in a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeamEnd {
    pub seam: usize,
    /// In the order of the board.
    pub is_first: bool,
}

impl SeamEnd {
    /// The two ends of a seam.
    pub fn both(seam: usize) -> [SeamEnd; 2] {
        [true, false].map(|is_first| SeamEnd { seam, is_first })
    }

    pub fn other(self) -> SeamEnd {
        SeamEnd { is_first: !self.is_first, ..self }
    }

    /// The side of a cell that it is, and the one that touches it.
    pub fn sides(self, problem: &Problem) -> [CellSide; 2] {
        [self, self.other()].map(|end| end.side(problem))
    }

    /// The side of a cell that it is.
    pub fn side(self, problem: &Problem) -> CellSide {
        let seam = problem.board.seams()[self.seam];
        if self.is_first { seam.first } else { seam.second }
    }
}

/// The end, and what it shows, that has a variable for what this end shows.
pub(super) fn own_end(problem: &Problem, end: SeamEnd, label: Label) -> (SeamEnd, Label) {
    let labels = &problem.puzzle.labels;
    if end.is_first || !labels.are_known() {
        (end, label)
    } else {
        (end.other(), labels.mate(label))
    }
}
