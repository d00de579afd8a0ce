//! Compares `propagate` and `backtrack` with three references in C on boards that a search can
//! finish: all solutions proven, including set-up. The references are a depth-first search, one
//! that fills the cell with the fewest candidates, and dancing links. All run interleaved on one
//! thread; the best run counts.
//!
//! The references are optional: `EDGEMATCH_REFERENCES` names the command that runs them, see
//! `sides.rs`. They are compiled for the native CPU; `RUSTFLAGS="-C target-cpu=native"` does the
//! same for our engines.

use std::time::{Duration, Instant};

use edgematch::engine::{Backtrack, Engine, Propagate};

use super::sides;

const BOARDS: [&str; 19] = [
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
    "f6-b4k5-0",
    "f6-b4k8-0",
    "f7-b4k9-0",
    "f8-b5k11-0",
    "scramble-1",
    "python-backtracker-mockup",
    "absolut-knifflig",
];

const REFERENCES: [&str; 3] = ["dfs", "mrv", "xcc"];

/// Engines and references that take longer are not measured.
const LIMIT: Duration = Duration::from_secs(10);

/// The number of rounds. In a round each of our engines runs repeatedly for this time, and each
/// reference once. An engine that takes longer than [`LONG`] runs only once.
const ROUNDS: usize = 3;
const ROUND: Duration = Duration::from_millis(100);
const LONG: f64 = 1.0;

/// The best run of one of our engines.
#[derive(Clone, Copy, Default)]
struct Best {
    seconds: Option<f64>,
    nodes: u64,
    has_failed: bool,
}

impl Best {
    fn measure(&mut self, board: &str, engine: &dyn Engine) {
        if self.has_failed || self.seconds.is_some_and(|s| s > LONG) {
            return;
        }
        let problem = sides::load(board);
        let started = Instant::now();
        while started.elapsed() < ROUND {
            let outcome = sides::ours(&problem, engine, LIMIT);
            if !outcome.status.is_complete() {
                self.has_failed = true;
                return;
            }
            self.nodes = outcome.work.nodes;
            let before = self.seconds.unwrap_or(f64::INFINITY);
            self.seconds = Some(before.min(outcome.seconds));
        }
    }

    fn print(&self) {
        match self.seconds {
            None => print!("{:>12}{:>8}{:>11}", "", "", "-"),
            Some(seconds) => {
                let per_node = seconds * 1e6 / self.nodes.max(1) as f64;
                print!("{:>12}{per_node:>8.3}{:>11}", self.nodes, time(seconds));
            }
        }
    }
}

/// Prints the table.
pub fn print() {
    println!(
        "{:<26}{:>12}{:>8}{:>11}{:>12}{:>8}{:>11}{:>11}{:>11}{:>11}{:>9}",
        "board",
        "propagate",
        "µs/node",
        "",
        "backtrack",
        "µs/node",
        "",
        "dfs",
        "mrv",
        "xcc",
        "ratio"
    );
    let mut ratios = Vec::new();
    for board in BOARDS {
        if let Some(ratio) = row(board) {
            ratios.push((board, ratio));
        }
    }
    for (family, prefix) in [("signed, 4×4 to 12×12", "s"), ("framed", "f")] {
        let is_of = |board: &str| {
            let rest = board.strip_prefix(prefix);
            rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let logs = ratios.iter().filter(|(board, _)| is_of(board)).map(|(_, r)| r.ln());
        let logs: Vec<f64> = logs.collect();
        if !logs.is_empty() {
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            println!("{family}: the best reference takes {mean:.1} times as long (geometric mean)");
        }
    }
}

/// Measures a board; returns the time of the best reference divided by ours.
fn row(board: &str) -> Option<f64> {
    let mut ours = [Best::default(); 2];
    let engines: [&dyn Engine; 2] = [&Propagate, &Backtrack::Fast];
    let mut theirs: [Option<f64>; REFERENCES.len()] = [Some(f64::INFINITY); REFERENCES.len()];
    for _ in 0..ROUNDS {
        for (best, engine) in ours.iter_mut().zip(engines) {
            best.measure(board, engine);
        }
        for (best, name) in theirs.iter_mut().zip(REFERENCES) {
            *best = best.and_then(|seconds| {
                if seconds.is_finite() && seconds > LONG {
                    return Some(seconds);
                }
                let run = sides::reference(name, board, LIMIT)?;
                run.is_complete.then(|| seconds.min(run.seconds))
            });
        }
    }
    print!("{board:<26}");
    for best in &ours {
        best.print();
    }
    for seconds in theirs {
        print!("{:>11}", seconds.map_or("-".into(), time));
    }
    let fastest = |times: &mut dyn Iterator<Item = Option<f64>>| times.flatten().reduce(f64::min);
    let us = fastest(&mut ours.iter().map(|best| best.seconds));
    let them = fastest(&mut theirs.into_iter());
    let ratio = us.zip(them).map(|(us, them)| them / us);
    println!("{:>9}", ratio.map_or("-".into(), |ratio| format!("{ratio:.1}")));
    ratio
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}
