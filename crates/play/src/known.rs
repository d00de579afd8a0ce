//! Answers that are stored in a page without a solver: solutions, and recorded searches.

use edgematch::problem::{Arrangement, Problem};
use serde::Serialize;

use super::answer::AnswerPart;
use crate::pieces::Pieces;

/// The answers that a page can give without a solver.
#[derive(Debug, Clone, Serialize)]
pub struct KnownAnswers {
    solved: StoredSolutions,
    /// All symmetries of the problem, with which the page recognises the images of solutions.
    symmetries: Vec<Motion>,
    /// Recorded searches.
    recordings: Vec<AnswerPart>,
}

/// The answer to [`Question::Solve`](super::Question::Solve).
#[derive(Debug, Clone, Serialize)]
struct StoredSolutions {
    /// Solutions, each with one placement per cell: the piece and the index of its orientation.
    list: Vec<Vec<[usize; 2]>>,
    /// True if it is proven that there are no more.
    complete: bool,
    /// A summary of the run.
    sentence: String,
}

/// A symmetry of the problem, as its effect on placements.
#[derive(Debug, Clone, Serialize)]
struct Motion {
    /// The image of each cell.
    to: Vec<usize>,
    /// The rotation or flip of the tile in each cell, as the index of an orientation.
    by: Vec<usize>,
}

impl KnownAnswers {
    /// Converts the solutions of a problem for the page. `complete` states that it is proven that
    /// there are no more, `sentence` summarises the search.
    pub fn new(
        problem: &Problem,
        solutions: &[Arrangement],
        complete: bool,
        sentence: String,
        recordings: Vec<AnswerPart>,
    ) -> KnownAnswers {
        let pieces = Pieces::new(problem);
        let list =
            solutions.iter().map(|solution| pieces.arrangement(problem, &solution.0)).collect();
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
