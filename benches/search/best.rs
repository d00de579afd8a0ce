//! The most seams that fit: how long the proof takes by search and by the model, and what is
//! reached on boards that nobody proves.

use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::engine::{Auto, Engine, Milp};
use edgematch::enumerate::{Found, Limits};
use edgematch::optimise::{self, Fit, Optimum};
use edgematch::scheduler;

use super::sides;

const PROVEN: [&str; 2] = ["sharks-misread", "random-broken-3x3-4-s1"];

const REACHED: [&str; 6] = [
    "f10-b5k12-0",
    "owen-1-10",
    "owen-2-10",
    "f16-b5k17-0",
    "owen-1-16",
    "owen-2-16",
];

const RUNS: usize = 5;

const TIMES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];

/// Prints all of the best, by both ways, and then what is reached.
pub fn print() {
    println!(
        "all of the best: value, their number, milliseconds by search and by the model, median of {RUNS} runs"
    );
    for board in PROVEN {
        let median = |engine: &dyn Engine| {
            let mut runs: Vec<Optimum> = (0..RUNS).map(|_| seek(board, engine, None)).collect();
            runs.sort_by(|a, b| a.outcome.seconds.total_cmp(&b.outcome.seconds));
            runs.swap_remove(RUNS / 2)
        };
        let search = median(&Auto);
        let model = median(&Milp::default());
        assert_eq!(search.value, model.value, "{board}");
        let milliseconds = [&search, &model].map(|run| 1e3 * run.outcome.seconds);
        println!(
            "{board:<24} {:>4} {:>6} {:>9.2} {:>9.2}",
            search.value.unwrap_or_default(),
            search.outcome.tally.distinct,
            milliseconds[0],
            milliseconds[1]
        );
    }
    println!("reached within a time: seconds, value, the bound, what found it");
    for (board, time) in itertools::iproduct!(REACHED, TIMES) {
        let run = seek(board, &Auto, Some(time));
        println!(
            "{board:<24} {:>4} {:>4} {:>6} {}",
            time.as_secs(),
            run.value.unwrap_or_default(),
            run.bound,
            run.found_by
        );
    }
}

fn seek(board: &str, engine: &dyn Engine, time: Option<Duration>) -> Optimum {
    let problem = sides::load(board);
    let limits = Limits {
        time,
        threads: scheduler::available(),
        ..Limits::default()
    };
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    optimise::run(&Fit::new(&problem), engine, &limits, ignore)
}
