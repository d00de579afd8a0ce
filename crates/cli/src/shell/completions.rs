//! `edgematch completions`: from the one table of arguments.

use std::io::{self, Write};

use clap::{Command, CommandFactory};

use crate::args::{Args, Completions};
use crate::common::exit;

/// The table without what people are not to call.
fn visible() -> Command {
    let all = Args::command();
    let shown: Vec<Command> = all.get_subcommands().filter(|c| !c.is_hide_set()).cloned().collect();
    Command::new("edgematch").version(env!("CARGO_PKG_VERSION")).subcommands(shown)
}

/// Runs the command; gives the exit code.
pub fn run(args: &Completions) -> anyhow::Result<u8> {
    // Written to memory first: the generator panics where output cannot be written.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible(), "edgematch", &mut script);
    io::stdout().lock().write_all(&script)?;
    Ok(exit::FOUND)
}
