//! A custom engine, compared with all built-in ones: it fills the cells in their listed order, and
//! only checks the seams between filled cells.
//!
//! `cargo run --release --example own_engine -- puzzles/scramble-1.yaml`

use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use edgematch::{
    Arrangement, Contender, Engine, EngineError, FilteringHost, Host, Limits, Placed, Problem,
    Work, check, check_engines, load,
};

/// The engine, which has no options.
#[derive(Debug)]
pub struct InOrder;

impl Engine for InOrder {
    fn name(&self) -> &'static str {
        "in-order"
    }

    /// The engine requires every pair of touching sides to match.
    fn serves(&self, problem: &Problem) -> Result<(), String> {
        if problem.board.is_whole() && problem.most_broken.is_none() {
            Ok(())
        } else {
            Err("it requires every seam to match".into())
        }
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, EngineError> {
        let mut search = Search { problem, host, work, placed: Vec::new() };
        Ok(search.descend())
    }
}

struct Search<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// The placements in the first cells.
    placed: Vec<Placed>,
}

impl Search<'_> {
    /// Searches all completions of the current placements. Breaks if the host stops the run.
    fn descend(&mut self) -> ControlFlow<()> {
        if self.placed.len() == self.problem.board.size() {
            let arrangement = Arrangement(self.placed.clone());
            // The host accepts only solutions.
            return match check(self.problem, &arrangement) {
                Ok(()) => self.host.found(&arrangement, self.work),
                Err(_) => ControlFlow::Continue(()),
            };
        }
        for tile in 0..self.problem.puzzle.tiles.len() {
            if self.placed.iter().any(|placed| placed.tile == tile) {
                continue;
            }
            for orientation in self.problem.puzzle.orientations(tile) {
                let placed = Placed { tile, orientation };
                self.work.tries += 1;
                if self.fits(placed) {
                    self.work.nodes += 1;
                    self.host.poll(self.work)?;
                    self.placed.push(placed);
                    self.descend()?;
                    self.placed.pop();
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns true if a tile fits the next cell and its filled neighbours.
    fn fits(&self, placed: Placed) -> bool {
        let cell = self.placed.len();
        let puzzle = &self.problem.puzzle;
        let tile = &puzzle.tiles[placed.tile];
        let sides = self.problem.board.touching_sides(cell);
        let mut filled = sides.iter().enumerate().filter_map(|(side, beside)| {
            let (there, their_side) = (*beside)?;
            Some((side, self.placed.get(there)?, their_side))
        });
        tile.sides() == sides.len()
            && filled.all(|(side, neighbour, their_side)| {
                let theirs = puzzle.tiles[neighbour.tile].shows(their_side, neighbour.orientation);
                tile.shows(side, placed.orientation) == puzzle.labels.mate(theirs)
            })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: own_engine PUZZLE")?;
    let problem = load::read(Path::new(&file))?;
    let own = vec![Contender::new("in-order", InOrder)];
    let comparison = check_engines(&problem, own, &Limits::default())?;
    for entry in &comparison.entries {
        if let Some(outcome) = &entry.outcome {
            println!("{}: {} distinct, {}", entry.name, outcome.tally.distinct, outcome.effort);
        }
    }
    Ok(())
}
