//! Habits of people who come from MiniZinc, clingo and SAT solvers: flags of theirs that mean the same
//! here are taken, others are answered by the flag that does it.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error, Parser};
use edgematch::engine::ENGINES;

use super::args::Args;

/// A flag of others, our words for it, and our option that a command must have for it.
const SAME: [(&str, &str, &str); 6] = [
    ("-a", "--solutions=0", "solutions"),
    ("--all-solutions", "--solutions=0", "solutions"),
    ("-p", "--threads", "threads"),
    ("--parallel", "--threads", "threads"),
    ("--json", "--format=json", "format"),
    ("--stats", "--statistics", "statistics"),
];

/// What is said where one of these is not taken.
const INSTEAD: [(&str, &str); 10] = [
    (
        "--format",
        "this command has no formats of its output; `export` and `convert` have `--to NAME`",
    ),
    (
        "-t",
        "a limit of time is `--time-limit 30s`, the number of threads `-j 4`",
    ),
    (
        "--seed",
        "nothing is random in this command: the same run gives the same answer",
    ),
    (
        "-a",
        "this command has no number of solutions; `solve` lists all, unless `-n N` says otherwise",
    ),
    (
        "-p",
        "`-j N` is the number of threads in commands that search, and of jobs in `batch`",
    ),
    (
        "--json",
        "this command has no `--format json`; of a comparison `--export-json FILE` writes JSON",
    ),
    (
        "--limit",
        "`-n N` stops after N solutions, `--time-limit 30s` after a time",
    ),
    ("--timeout", "a limit of time is `--time-limit 30s`"),
    ("-i", "solutions are always printed as they are found"),
    (
        "--solver",
        "this build has no other MILP solver; `--features highs` adds HiGHS; `--engine` chooses the engine",
    ),
];

/// Reads the arguments. Where they are not understood, flags of others in them are put in our words.
///
/// # Errors
/// What is wrong with them then.
pub fn parsed(args: Vec<OsString>) -> Result<Args, Error> {
    Args::try_parse_from(&args).or_else(|error| match translated(&args) {
        Some(args) => Args::try_parse_from(args),
        None => Err(error),
    })
}

/// The arguments with the flags of others in our words, where the command has them; `None` where
/// there are none.
fn translated(args: &[OsString]) -> Option<Vec<OsString>> {
    let program = Args::command();
    let command = program.find_subcommand(args.get(1)?)?;
    let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
    let mut translated = args.to_vec();
    let flags = translated.iter_mut().skip(2);
    for arg in flags.take_while(|arg| *arg != "--") {
        let same = SAME.iter().find(|(flag, _, id)| *arg == *flag && has(id));
        if let Some((_, ours, _)) = same {
            *arg = (*ours).into();
        }
    }
    (translated != args).then_some(translated)
}

/// What helps with a flag that is not taken, or with an engine that there is not.
pub fn help(error: &Error) -> Option<String> {
    let Some(ContextValue::String(flag)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    if flag.starts_with("--engine")
        && !matches!(
            error.kind(),
            ErrorKind::ArgumentConflict | ErrorKind::UnknownArgument
        )
    {
        return Some(format!(
            "the engines are\n{}and those that `edgematch engines` lists by other names",
            engines()
        ));
    }
    if flag.starts_with("--solutions") && error.kind() == ErrorKind::ArgumentConflict {
        return Some("`-a` is `--solutions 0`: all of them".into());
    }
    let flag = flag.split([' ', '=']).next().unwrap_or_default();
    let known = INSTEAD.iter().find(|(instead, _)| *instead == flag);
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    known
        .filter(|_| is_unknown)
        .map(|(_, words)| (*words).into())
}

/// Every engine with a line.
pub fn engines() -> String {
    let width = ENGINES
        .iter()
        .map(|kind| kind.name.len())
        .max()
        .unwrap_or(0);
    let line = |(name, help): (&str, &str)| format!("  {name:width$}  {help}\n");
    ENGINES
        .iter()
        .map(|kind| line((kind.name, kind.help)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(words: &str) -> Option<String> {
        let args: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let args = translated(&args)?;
        let words: Vec<_> = args.iter().map(|arg| arg.to_string_lossy()).collect();
        Some(words.join(" "))
    }

    #[test]
    fn flags_of_others_are_taken_where_the_command_has_ours() {
        for (theirs, expected) in [
            (
                "edgematch solve -a x",
                Some("edgematch solve --solutions=0 x"),
            ),
            (
                "edgematch solve -p 2 --json x",
                Some("edgematch solve --threads 2 --format=json x"),
            ),
            ("edgematch show -a x", None),
            ("edgematch solve -- -a", None),
        ] {
            assert_eq!(ours(theirs).as_deref(), expected);
        }
        let args = "edgematch solve -a -p 2 --json x"
            .split(' ')
            .map(OsString::from);
        assert!(parsed(args.collect()).is_ok());
    }

    #[test]
    fn other_flags_are_answered_by_what_does_it() {
        for (words, answer) in [
            ("edgematch solve -t 5 x", "--time-limit"),
            ("edgematch count --seed 3 x", "nothing is random"),
            ("edgematch show --json x", "--export-json"),
            ("edgematch solve x --engine", "dancing links"),
            ("edgematch solve x --engine fast", "dancing links"),
            ("edgematch solve -a -n 2 x", "--solutions 0"),
        ] {
            let args = words.split(' ').map(OsString::from).collect();
            let error = parsed(args).unwrap_err();
            let help = help(&error).unwrap_or_default();
            assert!(help.contains(answer), "{words}: {help}");
        }
    }
}
