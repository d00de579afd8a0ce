//! Compares one thread with two, in interleaved pairs, on boards that take one thread more than a
//! second.

use std::ops::ControlFlow;

use edgematch::engine::{Auto, Engine, Milp};
use edgematch::enumerate::{self, Limits, NewSolution};

use super::sides;

const PAIRS: usize = 5;

/// Prints the medians, and the median of the pairs' ratios.
pub fn print() {
    println!("threads: seconds with one, with two, and the median ratio of {PAIRS} pairs");
    let milp = Milp::default();
    let runs: [(&str, &dyn Engine, u64); 4] = [
        ("s7-k8-3", &Auto, 0),
        ("s7-k8-4", &Auto, 0),
        ("f9-b5k12-0", &Auto, 0),
        ("f7-b4k6-0", &milp, 2),
    ];
    for (board, engine, distinct) in runs {
        let mut one = Vec::new();
        let mut two = Vec::new();
        let mut ratios = Vec::new();
        for _ in 0..PAIRS {
            let pair = [1, 2].map(|threads| seconds(board, engine, distinct, threads));
            one.push(pair[0]);
            two.push(pair[1]);
            ratios.push(pair[0] / pair[1]);
        }
        let [one, two, ratio] = [one, two, ratios].map(median);
        let name = engine.name();
        println!("{board:<20} {name:<10} {one:>7.2} {two:>7.2} {ratio:>6.2}");
    }
}

fn seconds(board: &str, engine: &dyn Engine, distinct: u64, threads: usize) -> f64 {
    let problem = sides::load(board);
    let limits = Limits { threads, distinct, ..Limits::default() };
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(&problem, engine, &limits, ignore).seconds
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
