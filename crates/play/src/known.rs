//! Stored answers for a page without a solver: solutions, and searches to watch.

use edgematch::problem::{Arrangement, Problem};
use serde::Serialize;

use super::answer::AnswerPart;
use crate::pieces::Pieces;

/// The answers that a page can give without a solver.
#[derive(Debug, Clone, Serialize)]
pub struct KnownAnswers {
    solved: StoredSolutions,
    symmetries: Vec<Motion>,
    /// Recorded searches.
    recordings: Vec<AnswerPart>,
}

#[derive(Debug, Clone, Serialize)]
struct StoredSolutions {
    /// Solutions, each with one placement per cell: the piece and the index of its orientation.
    list: Vec<Vec<[usize; 2]>>,
    /// True if it is proven that there are no more.
    complete: bool,
    /// A summary of the run.
    sentence: String,
}

/// The effect of one symmetry of the problem on placements.
#[derive(Debug, Clone, Serialize)]
struct Motion {
    /// The image of each cell.
    to: Vec<usize>,
    /// The motion of the tile in each cell, as the index of an orientation.
    by: Vec<usize>,
}

impl KnownAnswers {
    /// Stores the solutions of a problem, a summary of the search, and recorded searches.
    /// `complete` means that it is proven that there are no more solutions.
    pub fn new(
        problem: &Problem,
        solutions: &[Arrangement],
        complete: bool,
        sentence: String,
        recordings: Vec<AnswerPart>,
    ) -> KnownAnswers {
        let pieces = Pieces::new(problem);
        let list = solutions.iter().map(|solution| pieces.all(problem, &solution.0)).collect();
        let motions = problem.group.iter().map(|symmetry| {
            let by = symmetry.motion.iter().zip(problem.board.cells());
            Motion {
                to: symmetry.image.clone(),
                by: by.map(|(motion, cell)| motion.index(cell.sides)).collect(),
            }
        });
        KnownAnswers {
            solved: StoredSolutions { list, complete, sentence },
            symmetries: motions.collect(),
            recordings,
        }
    }
}
