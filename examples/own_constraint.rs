//! A custom constraint, checked with every engine: some tiles may only be placed on the black cells
//! of a chess board.
//!
//! `cargo run --release --example own_constraint -- puzzles/absolut-knifflig.yaml 1 5`

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use edgematch::{
    Arrangement, Board, Constraint, Formula, Limits, LinearConstraint, Placed, Puzzle,
    check_engines, load, solve,
};

/// The tiles with these indices must be placed on black cells, where row and column are both even
/// or both odd.
#[derive(Debug)]
pub struct OnBlack {
    /// The tiles.
    pub tiles: Vec<usize>,
}

/// The white cells of a rectangular board.
fn white(board: &Board) -> Vec<usize> {
    let columns = board.rectangle().map_or(1, |(_, columns)| columns);
    let is_white = |cell: &usize| (cell / columns + cell % columns) % 2 == 1;
    (0..board.size()).filter(is_white).collect()
}

impl Constraint for OnBlack {
    fn name(&self) -> &'static str {
        "on-black"
    }

    fn is_lazy(&self) -> bool {
        false
    }

    /// The checker tests complete arrangements.
    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let white = white(board);
        let mut lying = white.iter().map(|&cell| arrangement.0[cell].tile);
        let tile = lying.find(|tile| self.tiles.contains(tile))?;
        Some(format!("tile `{}` lies on white", puzzle.tiles[tile].name))
    }

    /// Searches and models use a formula: at most none of these placements may occur.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let placements = self.tiles.iter().flat_map(|&tile| {
            let orientations = puzzle.orientations(tile);
            orientations.map(move |orientation| Placed { tile, orientation })
        });
        LinearConstraint::at_most(&white(board), &Arc::new(placements.collect()), 0).into()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("usage: own_constraint PUZZLE TILE…")?;
    let problem = load::read(Path::new(&file))?;
    let named = |name: String| {
        let mut tiles = problem.puzzle.tiles.iter();
        tiles.position(|tile| tile.name == name).ok_or_else(|| format!("no tile `{name}`"))
    };
    let tiles = args.map(named).collect::<Result<_, _>>()?;
    let constrained = problem.clone().with_constraints(vec![Arc::new(OnBlack { tiles })]);
    check_engines(&constrained, Vec::new(), &Limits::default())?;
    for (words, problem) in [("without it", &problem), ("with it", &constrained)] {
        println!("{words}: {} distinct", solve(problem).solutions.len());
    }
    Ok(())
}
