//! What to use in place of an unknown command or option.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use edgematch::problem::oddities::similar;

/// Our commands, each with its names in other programs.
const COMMANDS: [(&str, &str); 20] = [
    ("solve", "enumerate run search all list find"),
    ("solve --best", "best optimize optimise"),
    ("why", "explain conflict"),
    ("doctor", "diagnose debug fix"),
    ("check", "lint validate test"),
    ("info", "stats describe inspect analyze analyse difficulty size"),
    ("compare", "bench benchmark"),
    ("show", "draw view render svg image picture png"),
    ("sheet", "print pdf"),
    ("generate", "init create new random make"),
    ("play", "serve page open start gui"),
    ("read", "scan photo ocr"),
    ("site", "web html"),
    ("export", "minizinc"),
    ("solve --sample", "sample"),
    ("count", "unique"),
    ("convert", "import format edit"),
    ("estimate", "time"),
    ("man", "manual docs"),
    ("--version", "version"),
];

/// Our options with their values, or sentences, each with the options of other programs that it
/// replaces.
const OPTIONS: [(&str, &str); 34] = [
    ("-n 0", "--all -a"),
    ("-n N", "--num-solutions --limit --max --max-solutions --models"),
    ("-n 1", "--one --first"),
    ("`edgematch count` counts solutions without listing them", "--count"),
    ("`edgematch count` tells how many solutions there are", "--unique"),
    ("`edgematch estimate` predicts the time of a search", "--dry-run"),
    ("`edgematch sheet` prints tiles and solution as a PDF", "--pdf"),
    ("`edgematch --version` prints the version", "--version"),
    ("--count N", "-n"),
    ("--images N", "--colors"),
    ("--format json", "--json"),
    ("--format jsonl", "--jsonl"),
    ("`edgematch results --format csv` writes a table of many runs", "--csv"),
    ("--output FILE.svg", "--svg --picture"),
    ("--output FILE.png", "--png"),
    ("-j N", "--jobs --cores --cpus --workers"),
    ("--engine NAME", "--solver --algorithm --method"),
    ("--engine milp", "--milp"),
    ("--engine backtrack", "--backtrack"),
    ("--time-limit TIME", "-t --time --timeout"),
    ("--node-limit N", "--nodes"),
    ("--memory-limit SIZE", "--memory"),
    ("--best", "--optimal"),
    ("--size ROWSxCOLS", "--rows --cols"),
    ("tiles may be turned, unless there is --no-rotation", "--rotations --rotate"),
    ("--verbose", "--debug"),
    ("--quiet", "--silent"),
    ("--output FILE", "--out"),
    ("name the file without an option: edgematch solve FILE", "--file --input -f"),
    ("`edgematch why` explains why there is no solution", "--explain"),
    ("`edgematch doctor` finds the card that was probably mistyped", "--fix"),
    ("`edgematch show` draws an arrangement", "--show"),
    ("--edge-order ORDER", "--order"),
    ("--to FORM", "--format"),
];

/// Replaces clap's suggestions where they mislead: commands and options that merely have similar
/// letters, and the tip to pass an unknown option as a value. `command` is the one that was called.
pub(super) fn with_advice(mut error: clap::Error, command: Option<&clap::Command>) -> clap::Error {
    let named = |kind| match error.get(kind) {
        Some(ContextValue::String(name)) => Some(name.as_str()),
        _ => None,
    };
    let own_of = |table: &[(&'static str, &str)], name: &str| {
        table
            .iter()
            .find(|(_, others)| others.split(' ').any(|other| other == name))
            .map(|(own, _)| *own)
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
