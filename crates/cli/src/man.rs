//! `edgematch man`: manual pages from the one table of arguments.

use std::io::{self, Write};

use anyhow::anyhow;
use clap::CommandFactory;
use itertools::Itertools;

use super::args::{Args, Man};
use super::exit;

/// Runs the command; gives the exit code.
pub fn run(args: &Man) -> anyhow::Result<u8> {
    let mut program = Args::command();
    program.build();
    let page = match &args.verb {
        None => program,
        Some(verb) => {
            let found = program.find_subcommand(verb).cloned();
            let shown = program.get_subcommands().filter(|c| !c.is_hide_set());
            let verbs = shown.map(|c| c.get_name()).join(", ");
            found.ok_or_else(|| anyhow!("no command `{verb}`; the commands are {verbs}"))?
        }
    };
    let mut out = Vec::new();
    clap_mangen::Man::new(page).render(&mut out)?;
    io::stdout().lock().write_all(&out)?;
    Ok(exit::FOUND)
}
