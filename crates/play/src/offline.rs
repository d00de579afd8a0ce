//! A puzzle with its solutions, found before its page was made.

use edgematch::problem::{Arrangement, Problem};
use serde::Serialize;

use super::answer::Answer;
use super::blocks::{data, in_script, json_block};
use super::game::Game;
use crate::pieces::Pieces;

/// What was found before the page was made.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Solved {
    /// One placement a cell: tile, number of the orientation; solution by solution.
    list: Vec<Vec<[usize; 2]>>,
    /// Whether there are no more: proven.
    complete: bool,
    /// One honest sentence.
    sentence: String,
}

impl Solved {
    /// All that was found, with a sentence on it; complete where it is proven that there is no
    /// more.
    pub fn new(
        problem: &Problem,
        solutions: &[Arrangement],
        is_complete: bool,
        sentence: String,
    ) -> Solved {
        let pieces = Pieces::new(problem);
        let numbered = |solution: &Arrangement| pieces.all(problem, &solution.0);
        Solved { list: solutions.iter().map(numbered).collect(), complete: is_complete, sentence }
    }
}

/// How the group of a problem moves placements.
#[derive(Debug, Clone, Serialize)]
pub struct Symmetries(Vec<Motion>);

#[derive(Debug, Clone, Serialize)]
struct Motion {
    /// By cell, where it goes.
    to: Vec<usize>,
    /// By cell, how what lies there is moved: the number of an orientation.
    by: Vec<usize>,
}

impl Symmetries {
    /// Of a problem's group.
    pub fn new(problem: &Problem) -> Symmetries {
        let cells = problem.board.cells();
        let motions = problem.group.iter().map(|symmetry| {
            let by = symmetry.motion.iter().zip(cells);
            Motion {
                to: symmetry.image.clone(),
                by: by.map(|(motion, cell)| motion.index(cell.sides)).collect(),
            }
        });
        Symmetries(motions.collect())
    }
}

/// All that is known of the puzzle.
#[derive(Debug, Clone)]
pub struct Offline {
    /// The puzzle.
    pub game: Game,
    /// Its solutions.
    pub solved: Solved,
    /// What turns one solution into others.
    pub symmetries: Symmetries,
    /// Searches step by step.
    pub recordings: Vec<Answer>,
}

#[derive(Serialize)]
struct Known<'a> {
    solved: &'a Solved,
    symmetries: &'a Symmetries,
    recordings: &'a [Answer],
}

impl Offline {
    /// The blocks of the page that hold all this.
    pub(crate) fn blocks(&self) -> serde_json::Result<String> {
        let known = serde_json::to_string(&Known {
            solved: &self.solved,
            symmetries: &self.symmetries,
            recordings: &self.recordings,
        })?;
        let game = serde_json::to_string(&self.game)?;
        Ok(format!(
            "{}\n{}",
            data("game", "application/json", &in_script(&game)),
            json_block("known", &known)
        ))
    }
}
