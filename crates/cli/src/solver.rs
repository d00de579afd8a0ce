//! The solver for browsers: a file that was built beforehand.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, bail};
use edgematch_play::Solver;

/// What it is called beside the program.
const NAME: &str = "edgematch.wasm";

/// Reads the file that was named, or the one beside the program.
pub fn read(named: Option<&Path>) -> anyhow::Result<Solver> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => beside()?,
    };
    let bytes = fs::read(&path).with_context(|| format!("{} can't be read", path.display()))?;
    Solver::new(bytes).with_context(|| path.display().to_string())
}

fn beside() -> anyhow::Result<PathBuf> {
    let program = env::current_exe().context("the program does not know where it lies")?;
    let path = program.with_file_name(NAME);
    if !path.is_file() {
        bail!(
            "the solver for browsers is not there: {}; `just web` in the project makes it, target/web/{NAME}; copy it there, or name it with --wasm",
            path.display()
        );
    }
    Ok(path)
}
