//! The command `edgematch`.
//!
//! This crate alone knows flags, files, terminals and exit codes. It contains no search and no rule
//! of a puzzle: each command reads its input, calls the libraries and prints.

mod answers;
mod args;
mod batch;
mod certificate;
mod check;
mod claim;
mod compare;
mod completions;
mod convert;
mod count;
mod doctor;
mod engine;
mod estimate;
mod exit;
mod export;
mod forecast;
mod generate;
mod generated;
mod headings;
mod hint;
mod info;
mod interrupt;
mod library;
mod machine;
mod man;
mod merge;
mod output;
mod patience;
mod pictures;
mod play;
mod printer;
mod progress;
mod read;
mod results;
mod schema;
mod sheet;
mod show;
mod site;
mod solve;
mod solver;
mod talk;
mod task;
mod terminal;
#[cfg(test)]
mod tests;
mod verify;
mod warnings;
mod watcher;
mod why;
mod worker;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use edgematch::load::{self, Form};

use self::args::{Args, Command};

/// The least address space in which a run can say what it wants.
const LEAST_ADDRESS_SPACE: u64 = 64 << 20;

/// Below it threads cannot be started, nor puzzles read, and no error could be told.
fn refuse_little_memory(granted: u64) -> anyhow::Result<()> {
    if granted < LEAST_ADDRESS_SPACE {
        anyhow::bail!(
            "{} kB of address space is too little (ulimit -v): at least {} are needed",
            granted >> 10,
            LEAST_ADDRESS_SPACE >> 10
        );
    }
    Ok(())
}

fn is_command(arg: &OsStr) -> bool {
    let command = Args::command();
    arg.to_str().is_some_and(|name| command.find_subcommand(name).is_some() || name == "help")
}

/// The arguments with the command that is meant where a puzzle stands in its place.
fn with_command(mut args: Vec<OsString>) -> Vec<OsString> {
    const USUAL: &str = "solve";
    let is_puzzle = |arg: &OsString| {
        let path = Path::new(arg);
        let is_named = path.exists() || Form::of_ending(path).is_some();
        (is_named || load::is_literal(path)) && !is_command(arg)
    };
    if args.get(1).is_some_and(is_puzzle) {
        args.insert(1, USUAL.into());
    }
    args
}

/// Reads the arguments and runs the command.
fn main() -> ExitCode {
    // Before anything that would need more.
    if let Some(granted) = args::address_space()
        && let Err(error) = refuse_little_memory(granted)
    {
        return exit::code(Err(error));
    }
    interrupt::survive_full_files();
    let args = with_command(std::env::args_os().collect());
    let args = Args::parse_from(args);
    let result = match &args.command {
        Command::Solve(args) => solve::run(args),
        Command::Info(args) => info::run(args),
        Command::Estimate(args) => estimate::run(args),
        Command::Count(args) => count::run(args),
        Command::Hint(args) => hint::run(args),
        Command::Why(args) => why::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Check(args) => check::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Read(args) => read::run(args),
        Command::Show(args) => show::run(args),
        Command::Convert(args) => convert::run(args),
        Command::Generate(args) => generate::run(args),
        Command::Sheet(args) => sheet::run(args),
        Command::Play(args) => play::run(args),
        Command::Site(args) => site::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Batch(args) => batch::run(args),
        Command::BatchWorker(args) => worker::run(args),
        Command::Results(args) => results::run(args),
        Command::Export(args) => export::run(args),
        Command::Merge(args) => merge::run(args),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    exit::code(result)
}
