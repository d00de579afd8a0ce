//! Measures `--best`: the time to prove the optimum by search and by the model, that of random tiles
//! by two searches, and the values reached on boards without a proof.

use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::board::Board;
use edgematch::engine::{Auto, Engine, Milp, Propagate};
use edgematch::enumerate::{Improvement, Limits, Listener, NewSolution, StopReason};
use edgematch::optimise::{self, Optimisation, Optimum};
use edgematch::problem::Problem;
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

/// Side length, number of images and number of seeds of the random boards.
const RANDOM: [(usize, usize, u64); 2] = [(4, 10, 10), (5, 6, 5)];

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

/// Prints how long the proof for boards of random tiles takes by two searches, on one thread.
pub fn print_proofs() {
    println!(
        "proofs of the best: value and seconds by `regions`, bound and seconds by `propagate`"
    );
    for (side, images, seeds) in RANDOM {
        for seed in 1..=seeds {
            let problem = random(side, images, seed);
            print!("{side}x{side}-k{images}-{seed:<4}");
            for (engine, seconds) in [(&Auto as &dyn Engine, 120), (&Propagate, 10)] {
                let time = Some(Duration::from_secs(seconds));
                let limits = Limits { time, distinct: 1, ..Limits::default() };
                let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
                let optimum = optimise::run(&Optimisation::best(&problem), engine, &limits, ignore);
                let value = optimum.value.unwrap_or_default();
                let sign = if optimum.is_proven { ' ' } else { '…' };
                let bound = optimum.bound;
                print!("{value:>6}{sign}{bound:<4}{:>8.2}", optimum.outcome.seconds);
            }
            println!();
        }
    }
}

/// A square board of random tiles: each side is one half of one of `images` images.
fn random(side: usize, images: usize, seed: u64) -> Problem {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut edge = || {
        let half = if random.bool() { '+' } else { '-' };
        format!("c{}{half}", random.usize(1..=images))
    };
    let tiles: Vec<[String; 4]> = (0..side * side).map(|_| [(); 4].map(|()| edge())).collect();
    let board = Problem::builder("random").with_board(Board::grid(side, side));
    let numbered = (1..).zip(tiles);
    let board = numbered.fold(board, |board, (number, tile)| board.tile(number.to_string(), tile));
    board.build().expect("the tiles fill the board")
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
