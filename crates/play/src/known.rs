//! What is known of a puzzle before its page is made: solutions, and searches to watch.

use edgematch::problem::{Arrangement, Problem};
use serde::Serialize;

use super::answer::Answer;
use crate::pieces::Pieces;

/// The answers that a page gives without a solver.
#[derive(Debug, Clone, Serialize)]
pub struct Known {
    solved: Solved,
    symmetries: Vec<Motion>,
    /// Searches step by step.
    recordings: Vec<Answer>,
}

#[derive(Debug, Clone, Serialize)]
struct Solved {
    /// One placement a cell: tile, number of the orientation; solution by solution.
    list: Vec<Vec<[usize; 2]>>,
    /// Whether there are no more: proven.
    complete: bool,
    /// One honest sentence.
    sentence: String,
}

/// How a symmetry of a problem moves placements.
#[derive(Debug, Clone, Serialize)]
struct Motion {
    /// By cell, where it goes.
    to: Vec<usize>,
    /// By cell, how what lies there is moved: the number of an orientation.
    by: Vec<usize>,
}

impl Known {
    /// The solutions of a problem with a sentence on the search, complete if it is proven that there
    /// are no more, and recorded searches.
    pub fn new(
        problem: &Problem,
        solutions: &[Arrangement],
        complete: bool,
        sentence: String,
        recordings: Vec<Answer>,
    ) -> Known {
        let pieces = Pieces::new(problem);
        let list = solutions.iter().map(|solution| pieces.all(problem, &solution.0)).collect();
        let motions = problem.group.iter().map(|symmetry| {
            let by = symmetry.motion.iter().zip(problem.board.cells());
            Motion {
                to: symmetry.image.clone(),
                by: by.map(|(motion, cell)| motion.index(cell.sides)).collect(),
            }
        });
        Known {
            solved: Solved { list, complete, sentence },
            symmetries: motions.collect(),
            recordings,
        }
    }
}
