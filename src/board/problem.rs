//! What is to be solved: a puzzle on a board.

use thiserror::Error;

use super::{Board, Symmetry};
use crate::puzzle::{Kinds, Puzzle};

/// A puzzle on a board, with what every later stage needs to know of both: the kinds of tiles and
/// the group of symmetries under which solutions are counted.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The tiles and their matching rule.
    pub puzzle: Puzzle,
    /// The cells and seams.
    pub board: Board,
    /// Kinds and looks of the tiles.
    pub kinds: Kinds,
    /// The symmetries of the board that map the allowed orientations onto themselves; the first
    /// one moves nothing.
    pub group: Vec<Symmetry>,
}

/// There are more cells than tiles.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{tiles} tiles do not fill the {cells} cells of a {board}")]
pub struct Misfilled {
    /// Number of tiles.
    pub tiles: usize,
    /// Number of cells.
    pub cells: usize,
    /// The board's description.
    pub board: String,
}

impl Problem {
    /// Lays a puzzle on a board. More tiles than cells is legal: then some stay unused.
    ///
    /// # Errors
    /// Where there are fewer tiles than cells.
    pub fn new(puzzle: Puzzle, board: Board) -> Result<Problem, Misfilled> {
        if puzzle.tiles.len() < board.size() {
            return Err(Misfilled {
                tiles: puzzle.tiles.len(),
                cells: board.size(),
                board: board.description().to_owned(),
            });
        }
        let kinds = Kinds::of(&puzzle);
        let keeps_orientations = |s: &&Symmetry| puzzle.may_turn || s.turn.iter().all(|&t| t == 0);
        let group = board.symmetries().iter().filter(keeps_orientations);
        let group = group.cloned().collect();
        Ok(Problem {
            puzzle,
            board,
            kinds,
            group,
        })
    }

    /// Whether every tile must be used: as many tiles as cells.
    pub fn uses_every_tile(&self) -> bool {
        self.puzzle.tiles.len() == self.board.size()
    }
}
