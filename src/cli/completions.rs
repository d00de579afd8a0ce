//! `edgematch completions`: from the one table of arguments.

use std::io::{self, Write};

use clap::CommandFactory;

use super::args::{Args, Completions};
use super::exit;

/// Runs the command; gives the exit code.
pub fn run(args: &Completions) -> anyhow::Result<u8> {
    // Written to memory first: the generator panics where output cannot be written.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "edgematch", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(exit::FOUND)
}
