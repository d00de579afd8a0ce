//! `edgematch man`: manual pages from the one table of arguments.

use std::io::{self, Write};

use anyhow::anyhow;
use clap::{Command, CommandFactory};
use itertools::Itertools;

use crate::args::{Args, Man};
use crate::common::exit;
use crate::common::output::Outputs;

/// Runs the command; gives the exit code.
pub fn run(args: &Man) -> anyhow::Result<u8> {
    let mut program = Args::command();
    program.build();
    let verbs = || program.get_subcommands().filter(|c| !c.is_hide_set());
    if let Some(path) = &args.all {
        let folder = Outputs::new(args.force, []).folder(path, |_| false)?;
        for command in verbs().chain([&program]) {
            let name = command.get_display_name().unwrap_or(command.get_name());
            folder.write(format!("{name}.1"), &page(command.clone())?)?;
        }
        return Ok(exit::FOUND);
    }
    let command = match &args.verb {
        None => program.clone(),
        Some(verb) => {
            let found = program.find_subcommand(verb).cloned();
            let names = || verbs().map(Command::get_name).join(", ");
            found.ok_or_else(|| anyhow!("no command `{verb}`; the commands are {}", names()))?
        }
    };
    io::stdout().lock().write_all(&page(command)?)?;
    Ok(exit::FOUND)
}

/// A page, with examples and exit status under the headings where readers of manuals look for them.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let text = |help: Option<&clap::builder::StyledStr>| help.map(ToString::to_string);
    let examples = text(command.get_before_help());
    let behind = text(command.get_after_help());
    let command = command.before_help(None::<&str>).after_help(None::<&str>);
    let mut out = Vec::new();
    clap_mangen::Man::new(command).render(&mut out)?;
    let examples = examples.as_deref().map(|text| text.trim_start_matches("Examples:\n"));
    let codes = behind.as_deref().and_then(|text| text.strip_prefix("Exit codes:\n"));
    for (heading, text) in [("EXAMPLES", examples), ("EXIT STATUS", codes)] {
        if let Some(text) = text {
            write!(out, ".SH \"{heading}\"\n.nf\n{}\n.fi\n", roff(text))?;
        }
    }
    Ok(out)
}

/// Lines as they are, none of which is taken for a command of roff.
fn roff(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        format!("\\&{line}")
    };
    text.lines().map(line).join("\n")
}
