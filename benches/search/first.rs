//! Measures the time to the first solution of planted boards, from the loaded board, with all
//! threads.

use std::ops::ControlFlow;

use edgematch::engine::Auto;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
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

const RUNS: usize = 5;

/// Prints the median of several runs of each board.
pub fn print() {
    println!("first solution: nodes and milliseconds, median of {RUNS} runs");
    for board in BOARDS {
        let mut runs: Vec<Outcome> = (0..RUNS).map(|_| first(board)).collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let run = &runs[RUNS / 2];
        let milliseconds = 1e3 * run.seconds;
        println!("{board:<12} {:>9} {milliseconds:>9.2}", run.work.nodes);
    }
}

fn first(board: &str) -> Outcome {
    let problem = sides::load(board);
    let limits = Limits { distinct: 1, threads: scheduler::available(), ..Limits::default() };
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(&problem, &Auto, &limits, ignore)
}
