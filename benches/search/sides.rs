//! Code that the benchmarks share: loading boards, running our engines, and running the optional
//! references in C.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use edgematch::engine::Engine;
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load;
use edgematch::problem::Problem;

/// The environment variable with a command that takes names of references, `--` and a board. It
/// prints a JSON line for each with `nodes`, `seconds`, `classes` and `complete`. `LIMIT` contains
/// its time limit in seconds.
const REFERENCES: &str = "EDGEMATCH_REFERENCES";

/// The path of a benchmark board, or of a puzzle.
pub fn path(board: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = format!("{board}.yaml");
    let beside = root.join("benches/boards").join(&file);
    if beside.exists() { beside } else { root.join("puzzles").join(&file) }
}

/// Loads a board.
pub fn load(board: &str) -> Problem {
    load::read(&path(board)).expect("the boards beside this file are puzzles")
}

/// Runs an engine on a loaded board.
pub fn ours(problem: &Problem, engine: &dyn Engine, limit: Duration) -> Outcome {
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(problem, engine, &limits, ignore)
}

/// The result of a reference.
#[derive(Debug, Clone, Copy)]
pub struct Reference {
    pub seconds: f64,
    pub seconds_per_node: f64,
    pub is_complete: bool,
}

/// Runs a reference on a board; `None` if there are no references.
pub fn reference(name: &str, board: &str, limit: Duration) -> Option<Reference> {
    let command = std::env::var(REFERENCES).ok()?;
    let mut words = command.split_whitespace();
    let output = Command::new(words.next()?)
        .args(words)
        .args([name, "--"])
        .arg(path(board))
        .env("LIMIT", limit.as_secs().to_string())
        .output()
        .ok()?;
    let line: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    let seconds = line["seconds"].as_f64()?;
    Some(Reference {
        seconds,
        seconds_per_node: seconds / line["nodes"].as_f64()?,
        is_complete: line["complete"].as_bool()?,
    })
}
