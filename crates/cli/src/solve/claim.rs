//! What a certificate claims where a count rules out that there is a solution.

use edgematch::board::CellName;
use edgematch::counting::{Count, Filled};
use edgematch::problem::Problem;
use edgematch::puzzle::Label;
use edgematch_proof::{Claim, Step};

/// The claim of a count; nothing of counts that another one states as well.
pub fn of_count(problem: &Problem, count: &Count) -> Option<Claim> {
    let edge = |label: Label| Claim::Edges { edge: problem.puzzle.labels.name(label) };
    let steps = |because: &[Filled]| -> Vec<Step> {
        let step = |filled: &Filled| Step {
            tiles: tiles(problem, &filled.tiles),
            cells: cells(problem, &filled.cells),
        };
        because.iter().map(step).collect()
    };
    Some(match count {
        Count::Halves { first, .. } => edge(*first),
        Count::Odd { label, .. } | Count::Short { label, .. } => edge(*label),
        Count::Pairs { .. } => Claim::Pairs {},
        Count::Unplaceable { because, tiles: own, cells: fitting } => Claim::Tiles {
            because: steps(because),
            tiles: tiles(problem, own),
            cells: cells(problem, fitting),
        },
        Count::Unfilled { because, cells: own, tiles: fitting } => Claim::Cells {
            because: steps(because),
            tiles: tiles(problem, fitting),
            cells: cells(problem, own),
        },
        Count::Rim { .. } | Count::Frame { .. } => return None,
    })
}

fn tiles(problem: &Problem, tiles: &[usize]) -> Vec<String> {
    tiles.iter().map(|&tile| problem.puzzle.tiles[tile].name.clone()).collect()
}

fn cells(problem: &Problem, cells: &[usize]) -> Vec<CellName> {
    cells.iter().map(|&cell| problem.board.cells()[cell].name.clone()).collect()
}
