//! Randomly redistributes the half images of a puzzle over its tiles, and reports how many of the
//! resulting puzzles have no solution, one or several, up to moving the board.
//!
//! `cargo run --release --example rearranged -- puzzles/huberf-cards.yaml 1000`

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::ControlFlow;
use std::path::Path;

use edgematch::engine::Auto;
use edgematch::enumerate::{self, Limits};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::Label;

/// The fixed random seed.
const SEED: u64 = 1;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(file), Some(number)) = (args.next(), args.next()) else {
        return Err("usage: rearranged PUZZLE NUMBER".into());
    };
    let problem = load::read(Path::new(&file))?;
    let number: u32 = number.parse()?;
    let mut puzzle = problem.puzzle.clone();
    puzzle.tiles.iter_mut().for_each(|tile| tile.back = None);
    let mut edges: Vec<Label> = puzzle.tiles.iter().flat_map(|t| t.edges.clone()).collect();
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut with_solutions: BTreeMap<u64, u32> = BTreeMap::new();
    for _ in 0..number {
        random.shuffle(&mut edges);
        let mut dealt = edges.iter().copied();
        for edge in puzzle.tiles.iter_mut().flat_map(|tile| &mut tile.edges) {
            *edge = dealt.next().ok_or("as many edges as before")?;
        }
        let problem = Problem::new(puzzle.clone(), problem.board.clone())?;
        let mut go_on = |_: &enumerate::NewSolution<'_>| ControlFlow::Continue(());
        let outcome = enumerate::run(&problem, &Auto, &Limits::default(), &mut go_on);
        if !outcome.status.is_complete() {
            return Err("a search did not finish".into());
        }
        *with_solutions.entry(outcome.tally.listed()).or_default() += 1;
    }
    println!("solutions  puzzles of {number}");
    for (solutions, puzzles) in with_solutions {
        println!("{solutions:>9}  {puzzles}");
    }
    Ok(())
}
