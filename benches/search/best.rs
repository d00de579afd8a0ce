//! Measures `--best`: the time to prove the optimum by search and by the model, and the values
//! reached on boards without a proof.

use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::engine::{Auto, Engine, Milp};
use edgematch::enumerate::{Improvement, Limits, Listener, NewSolution, StopReason};
use edgematch::optimise::{self, Optimisation, Optimum};
use edgematch::runtime::scheduler;

use super::sides;

const PROVEN: [&str; 2] = ["sharks-misread", "random-broken-3x3-4-s1"];

const REACHED: [&str; 10] = [
    "f10-b5k12-0",
    "f16-b5k17-0",
    "owen-1-10",
    "owen-2-10",
    "owen-1-12",
    "owen-2-12",
    "owen-1-14",
    "owen-2-14",
    "owen-1-16",
    "owen-2-16",
];

const RUNS: usize = 5;

/// The times at which the value of a run is recorded; the run ends with the last.
const SECONDS: [u64; 3] = [1, 10, 60];

/// Prints the time to find all optimal arrangements by both methods, then the values reached over
/// time.
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
            search.outcome.tally.listed(),
            milliseconds[0],
            milliseconds[1]
        );
    }
    println!("reached within seconds {SECONDS:?}: median, least and most of {RUNS} seeds");
    for board in REACHED {
        let runs: Vec<Curve> = (1..).take(RUNS).map(|seed| curve(board, seed)).collect();
        print!("{board:<24}");
        for seconds in SECONDS {
            let mut values: Vec<i64> = runs.iter().map(|run| run.after(seconds)).collect();
            values.sort_unstable();
            print!(" {:>5} ({} to {})", values[RUNS / 2], values[0], values[RUNS - 1]);
        }
        println!();
    }
}

fn seek(board: &str, engine: &dyn Engine, time: Option<Duration>) -> Optimum {
    let problem = sides::load(board);
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    optimise::run(&Optimisation::best(&problem), engine, &limits(time), ignore)
}

fn limits(time: Option<Duration>) -> Limits<'static> {
    Limits { time, threads: scheduler::available(), ..Limits::default() }
}

/// The seconds and values of a run's improvements.
#[derive(Default)]
struct Curve(Vec<(f64, i64)>);

impl Curve {
    /// The best value reached after this time.
    fn after(&self, seconds: u64) -> i64 {
        let until = self.0.iter().filter(|(time, _)| *time <= seconds as f64);
        until.map(|&(_, value)| value).max().unwrap_or_default()
    }
}

impl Listener for Curve {
    fn found(&mut self, _found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }

    fn improved(&mut self, better: &Improvement<'_>) {
        self.0.push((better.seconds, better.value));
    }
}

fn curve(board: &str, seed: u64) -> Curve {
    let problem = sides::load(board);
    let mut curve = Curve::default();
    let limits = limits(SECONDS.last().copied().map(Duration::from_secs));
    let mut what = Optimisation::best(&problem);
    what.seed = seed;
    optimise::run(&what, &Auto, &limits, &mut curve);
    curve
}
