//! Measures the time to the first solution of planted boards and white jigsaws, from the loaded
//! board, with all threads.

use std::ops::ControlFlow;

use edgematch::board::Board;
use edgematch::engine::Auto;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::generate::{Generator, Recipe, Target};
use edgematch::optimise::FirstSolutions;
use edgematch::problem::Problem;
use edgematch::runtime::scheduler;

use super::sides;

const BOARDS: [&str; 24] = [
    "s4-k4-0",
    "s4-k6-0",
    "s5-k6-0",
    "s5-k10-0",
    "s6-k8-0",
    "s6-k12-0",
    "s7-k12-0",
    "s7-k16-0",
    "s8-k16-0",
    "s10-k16-0",
    "s10-k20-0",
    "s12-k28-0",
    "s12-k24-1",
    "s12-k24-2",
    "s12-k24-3",
    "s12-k24-4",
    "s7-k8-1",
    "s7-k8-2",
    "s7-k8-3",
    "s7-k8-4",
    "f6-b4k5-0",
    "f7-b4k6-0",
    "f7-b4k9-0",
    "f8-b5k11-0",
];

/// Side lengths of white jigsaws: one image in halves, no image on the rim.
const JIGSAWS: [usize; 3] = [32, 48, 64];

/// The seed of the jigsaws.
const SEED: u64 = 1;

const RUNS: usize = 5;

/// Prints the median of several runs of each board.
pub fn print() {
    println!("first solution: nodes and milliseconds, median of {RUNS} runs");
    let planted = BOARDS.map(|board| (board.to_owned(), sides::load(board)));
    let jigsaws = JIGSAWS.map(|side| (format!("jigsaw-{side}"), jigsaw(side)));
    for (name, problem) in planted.into_iter().chain(jigsaws) {
        let mut runs: Vec<Outcome> = (0..RUNS).map(|_| first(&problem)).collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let run = &runs[RUNS / 2];
        let milliseconds = 1e3 * run.seconds;
        println!("{name:<12} {:>9} {milliseconds:>9.2}", run.work.nodes);
    }
}

fn jigsaw(side: usize) -> Problem {
    let recipe = Recipe {
        board: Board::grid(side, side),
        images: 1,
        has_halves: true,
        frame: Some(0),
        may_turn: true,
        two_sided: false,
    };
    let generator = Generator::new(recipe, Target::default()).expect("one image is enough");
    let made = generator.make(SEED, &Limits::default(), &mut |_| ());
    made.expect("nothing is wished of it").problem
}

fn first(problem: &Problem) -> Outcome {
    let limits = Limits { distinct: 1, threads: scheduler::available(), ..Limits::default() };
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(problem, &FirstSolutions::new(&Auto), &limits, ignore)
}
