//! The commands `schema`, `completions` and `man`. The last two are generated from the table of
//! arguments.

use std::io::{self, Write};

use anyhow::anyhow;
use clap::Command;
use clap::builder::StyledStr;
use edgematch::load::{self, Described};
use itertools::Itertools;

use crate::args::{self, Completions, DescribedArg, Man, Schema};
use crate::common::{Outputs, exit, print};

/// `edgematch schema`: prints a JSON Schema of our YAML format.
pub fn schema(args: &Schema) -> anyhow::Result<u8> {
    let described = match args.of {
        DescribedArg::Puzzle => Described::Puzzle,
        DescribedArg::Constraints => Described::Constraints,
    };
    print(serde_json::to_string_pretty(&load::schema(described))? + "\n")?;
    Ok(exit::FOUND)
}

/// `edgematch completions`: prints a completion script for a shell, without the hidden commands.
pub fn completions(args: &Completions) -> anyhow::Result<u8> {
    let all = args::program();
    let visible = all.get_subcommands().filter(|c| !c.is_hide_set()).cloned();
    let mut visible =
        Command::new("edgematch").version(env!("CARGO_PKG_VERSION")).subcommands(visible);
    // Written to memory first: the generator panics where output cannot be written.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut visible, "edgematch", &mut script);
    print(script)?;
    Ok(exit::FOUND)
}

/// `edgematch man`: prints one manual page, or writes all pages into a folder.
pub fn man(args: &Man) -> anyhow::Result<u8> {
    let mut program = args::program();
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
        None => &program,
        Some(verb) => program.find_subcommand(verb).ok_or_else(|| {
            let names = verbs().map(Command::get_name).join(", ");
            anyhow!("no command `{verb}`; the commands are {names}")
        })?,
    };
    print(page(command.clone())?)?;
    Ok(exit::FOUND)
}

/// Renders a manual page as roff. Examples and exit codes, which the help has before and after the
/// options, get the conventional sections `EXAMPLES` and `EXIT STATUS`.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let section = |help: Option<&StyledStr>, title: &str| -> Option<String> {
        Some(help?.to_string().strip_prefix(title)?.to_owned())
    };
    let examples = section(command.get_before_help(), "Examples:\n");
    let codes = section(command.get_after_help(), "Exit codes:\n");
    let command = command.before_help(None::<&str>).after_help(None::<&str>);
    let mut out = Vec::new();
    clap_mangen::Man::new(command).render(&mut out)?;
    for (heading, text) in [("EXAMPLES", examples), ("EXIT STATUS", codes)] {
        if let Some(text) = text {
            write!(out, ".SH \"{heading}\"\n.nf\n{}\n.fi\n", roff(&text))?;
        }
    }
    Ok(out)
}

/// Escapes text for roff: backslashes and hyphens are printed literally, and no line is taken for a
/// roff request.
fn roff(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        format!("\\&{line}")
    };
    text.lines().map(line).join("\n")
}
