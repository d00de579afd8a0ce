//! The solver for browsers: a file that was built beforehand.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::Context;
use edgematch_play::Solver;

/// What it is called beside the program.
const NAME: &str = "edgematch.wasm";

/// Reads a file of the solver.
pub fn read(path: &Path) -> anyhow::Result<Solver> {
    let bytes = fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
    Solver::new(bytes).with_context(|| path.display().to_string())
}

/// The path where the solver is expected, beside the program.
pub fn beside() -> anyhow::Result<PathBuf> {
    Ok(env::current_exe().context("the program does not know where it lies")?.with_file_name(NAME))
}

/// What to do where it is missing.
pub fn missing() -> anyhow::Result<String> {
    Ok(format!(
        "the solver for browsers, which is not there: {}; `just web` in the project makes it, target/web/{NAME}; copy it there, or name it with --wasm",
        beside()?.display()
    ))
}
