//! Compares the nanoseconds per node of the plain row-by-row backtracker with those of a
//! depth-first search in C. The runs are interleaved, so ratios are meaningful on a machine with
//! other load.
//!
//! The C reference is optional: `EDGEMATCH_REFERENCES` names the command that runs it, see
//! `sides.rs`. Without it, only our own figures are printed.

use std::time::Duration;

use edgematch::engine::{Backtrack, Order};

use super::sides;

/// Boards that are searched to the end, and one for which only the node rate is measured.
const BOARDS: [&str; 5] = ["s4-k4-0", "s5-k6-0", "s6-k12-0", "f6-b4k5-0", "f16-b5k17-0"];

/// The number of runs, of which the best counts.
const RUNS: usize = 7;

/// The time limit for the board that is not finished.
const LIMIT: Duration = Duration::from_secs(12);

/// Prints the table.
pub fn print() {
    println!("{:<14}{:>12}{:>12}{:>12}{:>8}", "board", "nodes", "ns/node", "C ns/node", "ratio");
    for board in BOARDS {
        let problem = sides::load(board);
        let runs = if board.starts_with("f16") { 1 } else { RUNS };
        let mut nodes = 0;
        let mut best = f64::MAX;
        let mut reference = f64::MAX;
        for _ in 0..runs {
            let outcome = sides::ours(&problem, &Backtrack::Plain(Order::Rows), LIMIT);
            nodes = outcome.work.nodes;
            best = best.min(outcome.seconds * 1e9 / nodes as f64);
            if let Some(dfs) = sides::reference("dfs", board, LIMIT) {
                reference = reference.min(dfs.seconds_per_node * 1e9);
            }
        }
        let (theirs, ratio) = if reference < f64::MAX {
            (format!("{reference:.2}"), format!("{:.2}", best / reference))
        } else {
            ("-".into(), "-".into())
        };
        println!("{board:<14}{nodes:>12}{best:>12.2}{theirs:>12}{ratio:>8}");
    }
}
