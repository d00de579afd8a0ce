//! The table of arguments: every command and option, from which help, completions, manual pages and
//! `docs/commands.md` are made.
//!
//! The doc comment of a command is its help: a summary, examples, exit codes. The structs hold what
//! the user typed, parsed and checked against its range. Combinations of options are checked by the
//! commands.

mod advice;
mod answers;
mod batch;
pub mod engine;
mod exit_codes;
mod explain;
mod files;
mod generate;
pub mod headings;
pub mod machine;
mod pages;
mod search;
mod shared;
mod values;

use std::ffi::OsString;
use std::sync::LazyLock;

use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use edgematch::{REVISION, VERSION};

use self::advice::with_advice;
pub use self::batch::{Batch, BatchWorker, Merge, MergeFormat, Results};
use self::exit_codes::exit_codes;
pub use self::explain::{Doctor, Why};
pub use self::files::{Completions, Convert, DescribedArg, Export, Man, Read, Schema, Show};
pub use self::generate::{Generate, MatchingArg};
use self::headings::{OPTIONS, OUTPUT, USUAL};
pub use self::pages::{Play, Sheet, Site};
pub use self::search::{
    Check, Compare, Count, CountMethod, Estimate, Hint, Identified, Info, Solve, Verify,
};
pub use self::shared::{
    AnswerFormat, Color, Extra, Force, Input, Loaded, PictureArgs, PuzzleFile, Size, When,
    address_space, inputs, refuse_two_readers,
};

/// Find every solution of an edge-matching puzzle, and prove that there are no more.
#[derive(Parser)]
#[command(
    name = "edgematch",
    version,
    long_version = LONG_VERSION.as_str(),
    before_help = "\
Examples:
  edgematch solve puzzles/scramble-1.yaml         find every solution, with proof
  edgematch solve -o out puzzles/scramble-1.yaml  also draw them, in the folder out
  edgematch show puzzles/scramble-1.yaml          draw the tiles as the file lists them
  edgematch info puzzles/scramble-1.yaml          sizes of the puzzle and its models
  edgematch estimate puzzles/scramble-1.yaml      how long a search would take
  edgematch generate --images 4 --unique          a new puzzle with one solution
  edgematch play puzzles                          play in the browser
  edgematch check puzzles/scramble-1.yaml -       does this arrangement fit?
  edgematch batch puzzles --results runs.sqlite   solve every puzzle of a folder",
    after_help = "\
The exit codes of a command are listed in its own --help.",
    mut_subcommands(|command| with_sections(command).mut_args(with_heading).mut_args(take_negative)),
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

/// Moves the examples of a command's description above its help and the exit codes below it. A
/// description that does not consist of summary, examples and exit codes stays as it is.
fn with_sections(command: clap::Command) -> clap::Command {
    let description = command.get_long_about().map(ToString::to_string).unwrap_or_default();
    match description.split("\n\n").collect::<Vec<_>>()[..] {
        [_, examples, codes] => command
            .long_about(None::<&str>)
            .before_help(examples.to_owned())
            .after_help(exit_codes(codes)),
        _ => command,
    }
}

/// Sets the heading of an option that has none: the one that [`OPTIONS`] lists for it, otherwise
/// `Output`. Positional arguments and `schema --of` keep clap's default.
fn with_heading(arg: Arg) -> Arg {
    let name = arg.get_id().as_str();
    if arg.is_positional() || name == "of" || arg.get_help_heading().is_some() {
        return arg;
    }
    let listed = OPTIONS.iter().find(|(_, names)| names.split(' ').any(|listed| listed == name));
    arg.help_heading(listed.map_or(OUTPUT, |(heading, _)| *heading))
}

/// Lets an option with a numeric value accept `-1`, so that its parser rejects it with a message
/// that says what is expected; otherwise clap reports an unknown flag.
fn take_negative(arg: Arg) -> Arg {
    const NUMBERS: [&str; 7] = ["N", "G", "D", "TIME", "SIZE", "MM", "X,Y"];
    let names = arg.get_value_names().unwrap_or_default();
    // A positional argument would take unknown options for numbers.
    let is_number =
        !arg.is_positional() && names.iter().any(|name| NUMBERS.contains(&name.as_str()));
    if is_number { arg.allow_hyphen_values(true) } else { arg }
}

/// The output of `--version`, with the revision of the search results.
static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{VERSION} (revision {REVISION})"));

/// The headings under which `edgematch --help` lists the commands, in this order.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Solve", &["solve", "count", "why", "doctor", "hint", "check"]),
    ("Experiment", &["compare", "info", "estimate", "export"]),
    ("Make", &["generate", "read", "convert", "show", "sheet"]),
    ("Play", &["play", "site"]),
    ("Many", &["batch", "results", "merge", "verify"]),
    ("Shell", &["schema", "completions", "man", "help"]),
];

/// The program with all its commands and options.
pub fn program() -> clap::Command {
    let program = Args::command();
    let template = help_template(&program);
    program.help_template(template)
}

/// The program with the help that `-h` prints: exit codes and, if the options of a command do not
/// fit on a screen, those that are rarely used are left out.
///
/// clap prints an option that it hides from `-h` in a form that doubles the length of `--help`.
pub fn in_brief(program: clap::Command) -> clap::Command {
    const SCREEN: usize = 16;
    let is_usual = |arg: &Arg| USUAL.split(' ').any(|usual| usual == arg.get_id().as_str());
    program.mut_subcommands(|command| {
        let command = command.after_help("All options and exit codes: --help");
        if command.get_opts().count() <= SCREEN {
            return command;
        }
        command.mut_args(|arg| {
            let is_hidden = arg.is_hide_set() || !(is_usual(&arg) || arg.is_positional());
            arg.hide(is_hidden)
        })
    })
}

/// clap's help template of the program, with the commands in [`GROUPS`].
fn help_template(program: &clap::Command) -> String {
    let about = |name: &str| match program.find_subcommand(name).and_then(clap::Command::get_about)
    {
        Some(about) => about.to_string(),
        None => "Print this message or the help of a command".to_owned(),
    };
    let line = |name: &&str| format!("  {name:<13}{}\n", about(name));
    let group = |(title, names): (&str, &[&str])| {
        format!("{title}:\n{}\n", names.iter().map(line).collect::<String>())
    };
    let groups: String = GROUPS.into_iter().map(group).collect();
    "{before-help}{about}\n\n{usage-heading} {usage}\n\n".to_owned()
        + &groups
        + "Options:\n{options}{after-help}"
}

/// Parses the arguments. Prints help if it is requested, or a message if they are invalid, and ends the
/// program.
pub fn parse(mut program: clap::Command, args: Vec<OsString>) -> Args {
    let name = args.get(1).cloned().unwrap_or_default();
    let matches = program.try_get_matches_from_mut(args);
    let args = matches.and_then(|matches| Args::from_arg_matches(&matches));
    args.unwrap_or_else(|error| with_advice(error, program.find_subcommand(name)).exit())
}

#[derive(Subcommand)]
pub enum Command {
    Solve(Solve),
    Count(Count),
    Why(Why),
    Doctor(Doctor),
    Hint(Hint),
    Check(Check),
    Compare(Compare),
    Info(Info),
    Estimate(Estimate),
    Export(Export),
    Generate(Generate),
    Read(Read),
    Convert(Convert),
    Show(Show),
    Sheet(Sheet),
    Play(Play),
    Site(Site),
    Batch(Batch),
    #[command(hide = true)]
    BatchWorker(BatchWorker),
    Results(Results),
    Merge(Merge),
    Verify(Verify),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_arguments_is_consistent() {
        program().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let program = program();
        let shown = program.get_subcommands().filter(|command| !command.is_hide_set());
        let shown: Vec<&str> = shown.map(clap::Command::get_name).collect();
        let mut listed: Vec<&str> =
            GROUPS.into_iter().flat_map(|(_, names)| names).copied().collect();
        assert_eq!(listed.pop(), Some("help"));
        assert_eq!(listed, shown);
        for line in help_template(&program).lines() {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }

    #[test]
    fn flags_of_minizinc_and_clingo_are_aliases() {
        for words in [
            "solve -p 2 --stats x",
            "count --parallel 2 x",
            "sheet -p 2 -o x.pdf x",
            "generate -p 2 --images 3",
        ] {
            let words = ["edgematch"].into_iter().chain(words.split(' '));
            assert!(Args::try_parse_from(words).is_ok());
        }
    }
}
