//! Nanoseconds per node of the look-up backtracker in rows, beside those of a depth-first search
//! in C, run in turn, so that the ratio means something on a machine that does other things too.
//!
//! `cargo bench` runs it. The C reference is optional: `EDGEMATCH_DFS` names a command that takes a
//! board and prints a JSON line with `nodes` and `seconds`; without it our own figures stand alone.

use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use edgematch::engine::{Backtrack, Order};
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;

/// Boards that are searched to the end, and one of which the node rate alone is measured.
const BOARDS: [&str; 5] = ["s4-k4-0", "s5-k6-0", "s6-k12-0", "f6-b4k5-0", "f16-b5k17-0"];

/// Of so many runs each the best counts.
const RUNS: usize = 7;

/// How long the board without end is searched.
const LIMIT: Duration = Duration::from_secs(12);

fn main() {
    println!(
        "{:<14}{:>12}{:>12}{:>12}{:>8}",
        "board", "nodes", "ns/node", "C ns/node", "ratio"
    );
    for name in BOARDS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/boards");
        let path = folder.join(format!("{name}.yaml"));
        let runs = if name.starts_with("f16") { 1 } else { RUNS };
        let (mut nodes, mut best, mut reference) = (0, f64::MAX, f64::MAX);
        for _ in 0..runs {
            let (counted, per_node) = ours(&path);
            nodes = counted;
            best = best.min(per_node);
            if let Some(per_node) = theirs(&path) {
                reference = reference.min(per_node);
            }
        }
        let (theirs, ratio) = match reference < f64::MAX {
            true => (
                format!("{reference:.2}"),
                format!("{:.2}", best / reference),
            ),
            false => ("-".into(), "-".into()),
        };
        println!("{name:<14}{nodes:>12}{best:>12.2}{theirs:>12}{ratio:>8}");
    }
}

fn ours(path: &Path) -> (u64, f64) {
    let problem = load::read(path).expect("the boards beside this file are puzzles");
    let engine = Backtrack::Plain(Order::Rows);
    let limits = Limits {
        time: Some(LIMIT),
        ..Limits::default()
    };
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(&problem, &engine, &limits, ignore);
    per_node(outcome.work.nodes as f64, outcome.seconds)
}

fn theirs(path: &Path) -> Option<f64> {
    let command = std::env::var("EDGEMATCH_DFS").ok()?;
    let mut words = command.split_whitespace();
    let output = Command::new(words.next()?)
        .args(words)
        .arg(path)
        .env("LIMIT", LIMIT.as_secs().to_string())
        .output()
        .ok()?;
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    Some(per_node(line["nodes"].as_f64()?, line["seconds"].as_f64()?).1)
}

fn per_node(nodes: f64, seconds: f64) -> (u64, f64) {
    (nodes as u64, seconds * 1e9 / nodes)
}
