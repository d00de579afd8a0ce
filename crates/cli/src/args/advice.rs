//! What to use in place of an unknown command or option.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use edgematch::problem::oddities::similar;

/// Names of commands in other programs, with ours.
const COMMANDS: [(&str, &str); 60] = [
    ("enumerate", "solve"),
    ("run", "solve"),
    ("search", "solve"),
    ("all", "solve"),
    ("best", "solve --best"),
    ("optimize", "solve --best"),
    ("optimise", "solve --best"),
    ("explain", "why"),
    ("diagnose", "doctor"),
    ("debug", "doctor"),
    ("fix", "doctor"),
    ("lint", "check"),
    ("validate", "check"),
    ("test", "check"),
    ("stats", "info"),
    ("describe", "info"),
    ("inspect", "info"),
    ("bench", "compare"),
    ("benchmark", "compare"),
    ("draw", "show"),
    ("view", "show"),
    ("render", "show"),
    ("print", "sheet"),
    ("pdf", "sheet"),
    ("init", "generate"),
    ("create", "generate"),
    ("new", "generate"),
    ("random", "generate"),
    ("serve", "play"),
    ("page", "play"),
    ("scan", "read"),
    ("photo", "read"),
    ("list", "solve"),
    ("web", "site"),
    ("svg", "show"),
    ("minizinc", "export"),
    ("find", "solve"),
    ("sample", "solve --sample"),
    ("open", "play"),
    ("start", "play"),
    ("gui", "play"),
    ("html", "site"),
    ("image", "show"),
    ("picture", "show"),
    ("png", "show"),
    ("make", "generate"),
    ("unique", "count"),
    ("ocr", "read"),
    ("import", "convert"),
    ("format", "convert"),
    ("edit", "convert"),
    ("conflict", "why"),
    ("analyze", "info"),
    ("analyse", "info"),
    ("difficulty", "info"),
    ("size", "info"),
    ("time", "estimate"),
    ("manual", "man"),
    ("docs", "man"),
    ("version", "--version"),
];

/// Options of other programs, each with ours and its value, or with a sentence.
const OPTIONS: [(&str, &str); 52] = [
    ("--all", "-n 0"),
    ("-a", "-n 0"),
    ("--num-solutions", "-n N"),
    ("--one", "-n 1"),
    ("--first", "-n 1"),
    ("--limit", "-n N"),
    ("--max", "-n N"),
    ("--max-solutions", "-n N"),
    ("--count", "`edgematch count` counts solutions without listing them"),
    ("--unique", "`edgematch count` tells how many solutions there are"),
    ("--dry-run", "`edgematch estimate` predicts the time of a search"),
    ("--pdf", "`edgematch sheet` prints tiles and solution as a PDF"),
    ("--version", "`edgematch --version` prints the version"),
    ("--models", "-n N"),
    ("-n", "--count N"),
    ("--colors", "--images N"),
    ("--json", "--format json"),
    ("--jsonl", "--format jsonl"),
    ("--csv", "`edgematch results --format csv` writes a table of many runs"),
    ("--svg", "--output FILE.svg"),
    ("--png", "--output FILE.png"),
    ("--jobs", "-j N"),
    ("--cores", "-j N"),
    ("--cpus", "-j N"),
    ("--workers", "-j N"),
    ("--solver", "--engine NAME"),
    ("--algorithm", "--engine NAME"),
    ("--method", "--engine NAME"),
    ("--milp", "--engine milp"),
    ("--backtrack", "--engine backtrack"),
    ("-t", "--time-limit TIME"),
    ("--time", "--time-limit TIME"),
    ("--timeout", "--time-limit TIME"),
    ("--nodes", "--node-limit N"),
    ("--memory", "--memory-limit SIZE"),
    ("--optimal", "--best"),
    ("--rows", "--size ROWSxCOLS"),
    ("--cols", "--size ROWSxCOLS"),
    ("--rotations", "tiles may be turned, unless there is --no-rotation"),
    ("--rotate", "tiles may be turned, unless there is --no-rotation"),
    ("--debug", "--verbose"),
    ("--silent", "--quiet"),
    ("--out", "--output FILE"),
    ("--picture", "--output FILE.svg"),
    ("--file", "name the file without an option: edgematch solve FILE"),
    ("--input", "name the file without an option: edgematch solve FILE"),
    ("-f", "name the file without an option: edgematch solve FILE"),
    ("--explain", "`edgematch why` explains why there is no solution"),
    ("--fix", "`edgematch doctor` finds the card that was probably mistyped"),
    ("--show", "`edgematch show` draws an arrangement"),
    ("--order", "--edge-order ORDER"),
    ("--format", "--to FORM"),
];

/// Replaces clap's suggestions where they mislead: commands and options that merely have similar
/// letters, and the tip to pass an unknown option as a value. `command` is the one that was called.
pub(super) fn with_advice(mut error: clap::Error, command: Option<&clap::Command>) -> clap::Error {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let own_of = |table: &[(&str, &'static str)], name: &str| {
        table.iter().find(|(other, _)| *other == name).map(|(_, own)| *own)
    };
    let own_command = named(ContextKind::InvalidSubcommand).and_then(|n| own_of(&COMMANDS, n));
    let is_known = |own: &&str| {
        let flag = own.split(' ').next().unwrap_or_default();
        let is_named = |arg: &clap::Arg| match flag.strip_prefix("--") {
            Some(long) => arg.get_long() == Some(long),
            None => arg.get_short() == flag.chars().nth(1),
        };
        !flag.starts_with('-')
            || command.is_some_and(|command| command.get_arguments().any(is_named))
    };
    let own_option = named(ContextKind::InvalidArg).and_then(|n| own_of(&OPTIONS, n));
    let own_option = own_option.filter(is_known);
    // clap also suggests names that are not misspellings.
    for (wrong, suggested) in [
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
    ] {
        let Some(ContextValue::String(name)) = error.get(wrong) else { continue };
        let is_close = |own: &&String| similar(name, std::iter::once(own.as_str())).is_some();
        let own = match error.get(suggested) {
            Some(ContextValue::String(own)) => std::slice::from_ref(own),
            Some(ContextValue::Strings(own)) => own,
            _ => continue,
        };
        let close: Vec<String> = own.iter().filter(is_close).cloned().collect();
        if close.is_empty() {
            error.remove(suggested);
            if suggested == ContextKind::SuggestedArg {
                error.remove(ContextKind::Usage);
            }
        } else if suggested == ContextKind::SuggestedSubcommand {
            error.insert(suggested, ContextValue::Strings(close));
        }
    }
    error.remove(ContextKind::Suggested);
    if error.kind() == ErrorKind::MissingRequiredArgument {
        let tip =
            "a puzzle is a file such as cards.txt: `edgematch generate -o cards.yaml` writes one";
        let lacks_file = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(lacking)) => lacking.iter().any(|name| name == "<FILE>"),
            _ => false,
        };
        if lacks_file {
            let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
            error.insert(ContextKind::Suggested, tip);
        }
    }
    if let Some(own) = own_command {
        let own = ContextValue::Strings(vec![own.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, own);
    }
    if let Some(own) = own_option {
        // The usage with the option that has similar letters.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        let tip = if own.starts_with('-') { format!("use {own}") } else { own.to_owned() };
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}
