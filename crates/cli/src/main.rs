//! The command `edgematch`.
//!
//! This crate alone knows flags, files, terminals and exit codes. It contains no search and no rule
//! of a puzzle: each command reads its input, calls the libraries and prints.

mod args;
mod common;
mod experiment;
mod make;
mod many;
mod play;
mod shell;
mod solve;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use anyhow::anyhow;
use edgematch::load::{self, PuzzleFormat};

use self::args::Command;
use self::common::{exit, interrupt};

/// The smallest address space limit, in bytes, in which the program can at least report an error.
const LEAST_ADDRESS_SPACE: u64 = 64 << 20;

/// Returns true if the argument is the name of a command, hidden ones and `help` included.
fn is_command(program: &clap::Command, arg: &OsStr) -> bool {
    arg.to_str().is_some_and(|name| program.find_subcommand(name).is_some() || name == "help")
}

/// Inserts `solve` if the first argument is a puzzle (an existing path, a file name with the ending
/// of a puzzle format, or a literal code or link) and not the name of a command.
fn with_command(program: &clap::Command, mut args: Vec<OsString>) -> Vec<OsString> {
    let is_puzzle = |arg: &OsString| {
        let path = Path::new(arg);
        let is_named = path.exists() || PuzzleFormat::of_extension(path).is_some();
        (is_named || load::is_literal(path)) && !is_command(program, arg)
    };
    if args.get(1).is_some_and(is_puzzle) {
        args.insert(1, "solve".into());
    }
    args
}

fn main() -> ExitCode {
    // Checked before anything else allocates much: threads, puzzles, even clap's error messages.
    if let Some(granted) = args::address_space()
        && granted < LEAST_ADDRESS_SPACE
    {
        return exit::code(Err(anyhow!(
            "{} kB of address space is too little (ulimit -v): at least {} are needed",
            granted >> 10,
            LEAST_ADDRESS_SPACE >> 10
        )));
    }
    interrupt::survive_full_files();
    let mut program = args::program();
    let args = with_command(&program, std::env::args_os().collect());
    if args.iter().any(|arg| arg == "-h") {
        program = args::in_brief(program);
    }
    let args = args::parse(program, args);
    let result = match &args.command {
        Command::Solve(args) => solve::run::run(args),
        Command::Info(args) => experiment::info::run(args),
        Command::Estimate(args) => experiment::estimate::run(args),
        Command::Count(args) => solve::count::run(args),
        Command::Hint(args) => solve::hint::run(args),
        Command::Why(args) => solve::why::run(args),
        Command::Doctor(args) => solve::doctor::run(args),
        Command::Check(args) => solve::check::run(args),
        Command::Verify(args) => many::verify::run(args),
        Command::Read(args) => make::read::run(args),
        Command::Show(args) => make::show::run(args),
        Command::Convert(args) => make::convert::run(args),
        Command::Generate(args) => make::generate::run(args),
        Command::Sheet(args) => make::sheet::run(args),
        Command::Play(args) => play::serve::run(args),
        Command::Site(args) => play::site::run(args),
        Command::Compare(args) => experiment::compare::run(args),
        Command::Batch(args) => many::batch::run(args),
        Command::BatchWorker(args) => many::worker::run(args),
        Command::Results(args) => many::results::run(args),
        Command::Export(args) => experiment::export::run(args),
        Command::Merge(args) => many::merge::run(args),
        Command::Schema(args) => shell::schema(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man(args) => shell::man(args),
    };
    exit::code(result)
}
