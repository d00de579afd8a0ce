//! Compares one thread with two, in interleaved pairs, on boards that take one thread more than a
//! second.

use std::ops::ControlFlow;

use edgematch::engine::Auto;
use edgematch::enumerate::{self, Limits, NewSolution};

use super::sides;

const PAIRS: usize = 5;

/// Prints the medians, and the median of the pairs' ratios.
pub fn print() {
    println!("threads: seconds with one, with two, and the median ratio of {PAIRS} pairs");
    for board in ["s7-k8-3", "s7-k8-4", "f9-b5k12-0"] {
        let mut one = Vec::new();
        let mut two = Vec::new();
        let mut ratios = Vec::new();
        for _ in 0..PAIRS {
            let pair = [1, 2].map(|threads| seconds(board, threads));
            one.push(pair[0]);
            two.push(pair[1]);
            ratios.push(pair[0] / pair[1]);
        }
        let [one, two, ratio] = [one, two, ratios].map(median);
        println!("{board:<20} {one:>7.2} {two:>7.2} {ratio:>6.2}");
    }
}

fn seconds(board: &str, threads: usize) -> f64 {
    let problem = sides::load(board);
    let limits = Limits { threads, ..Limits::default() };
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(&problem, &Auto, &limits, ignore).seconds
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
