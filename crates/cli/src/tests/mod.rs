//! Tests that the tables in `docs/commands.md` agree with the table of arguments.
//!
//! The page marks the tables by comments: `<!-- options: solve -->` … `<!-- end -->`. The test
//! fails if a table differs; with `EDGEMATCH_UPDATE=1` it rewrites the page.

use std::fmt::Write;
use std::path::Path;

use clap::{Arg, Command};
use itertools::Itertools;

use crate::args;
use crate::args::headings::{CONSTRAINTS, READING};

/// The headings of options that have a common table instead of one per command.
const SHARED: [&str; 2] = [CONSTRAINTS, READING];

/// The end marker of a table in the page.
const END: &str = "<!-- end -->";

#[test]
fn the_page_of_commands_has_the_tables_of_the_arguments() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    let page = std::fs::read_to_string(&path).expect("the page is there");
    let expected = filled(&page);
    if std::env::var_os("EDGEMATCH_UPDATE").is_some() {
        std::fs::write(&path, &expected).expect("the page can be written");
    } else {
        assert!(
            page == expected,
            "docs/commands.md differs from the table of arguments: run `EDGEMATCH_UPDATE=1 cargo \
             test -p edgematch-cli --bin edgematch`"
        );
    }
    for command in commands() {
        let marker = marker(&format!("options: {}", command.get_name()));
        assert!(page.contains(&marker), "docs/commands.md has no {marker}");
    }
}

/// The commands that are not hidden, except `help`.
fn commands() -> Vec<Command> {
    let mut all = args::program();
    all.build();
    let seen = all.get_subcommands().filter(|c| !c.is_hide_set());
    seen.filter(|c| c.get_name() != "help").cloned().collect()
}

/// The start marker of a table.
fn marker(what: &str) -> String {
    format!("<!-- {what} -->\n")
}

/// The page with every table regenerated. Tables whose marker is missing are skipped.
fn filled(page: &str) -> String {
    let commands = commands();
    let mut tables = vec![
        ("exit codes".to_owned(), exit_codes(&commands)),
        ("options: all".to_owned(), shared(&commands)),
    ];
    for command in &commands {
        let name = format!("options: {}", command.get_name());
        tables.push((name, own(command)));
    }
    let mut page = page.to_owned();
    for (what, table) in tables {
        let marker = marker(&what);
        let Some(start) = page.find(&marker).map(|at| at + marker.len()) else {
            continue;
        };
        let end = start + page[start..].find(END).expect("each table has its end");
        page.replace_range(start..end, &format!("\n{table}\n"));
    }
    page
}

/// The tables of a command's own arguments, by heading; shared options are only referred to.
fn own(command: &Command) -> String {
    let (shared, own): (Vec<_>, Vec<_>) =
        arguments(command).into_iter().partition(|(heading, _)| SHARED.contains(&heading.as_str()));
    let mut table = sections(own);
    if !shared.is_empty() {
        table += "\nAlso the [shared options](#shared-options).\n";
    }
    table
}

/// The tables of the options that all commands with a puzzle share.
fn shared(commands: &[Command]) -> String {
    let solve = commands.iter().find(|c| c.get_name() == "solve");
    let solve = solve.expect("there is a command `solve`");
    let mut all = arguments(solve);
    all.retain(|(heading, _)| SHARED.contains(&heading.as_str()));
    sections(all)
}

/// The arguments of a command grouped by heading, in the order of the help; positional arguments
/// come first, under `Arguments`.
fn arguments(command: &Command) -> Vec<(String, Vec<&Arg>)> {
    let mut sections: Vec<(String, Vec<&Arg>)> = Vec::new();
    for argument in command.get_arguments().filter(|a| a.get_id() != "help") {
        let heading = match argument.get_help_heading() {
            Some(heading) => heading.to_owned(),
            None => "Arguments".to_owned(),
        };
        match sections.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, arguments)) => arguments.push(argument),
            None => sections.push((heading, vec![argument])),
        }
    }
    sections.sort_by_key(|(heading, _)| heading != "Arguments");
    sections
}

/// A Markdown table for each heading.
fn sections(sections: Vec<(String, Vec<&Arg>)>) -> String {
    let mut text = String::new();
    for (heading, arguments) in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "| {heading} | |\n|---|---|");
        for argument in arguments {
            let _ = writeln!(text, "| {} | {} |", spelling(argument), meaning(argument));
        }
    }
    text
}

/// An argument as it is written, in Markdown: `-n`, `--solutions N`.
fn spelling(argument: &Arg) -> String {
    let value = argument.get_value_names().unwrap_or_default().join(" ");
    let takes_value = argument.get_action().takes_values();
    let long = argument.get_long().map(|long| {
        if argument.is_require_equals_set() {
            format!("`--{long}[={value}]`")
        } else if takes_value {
            format!("`--{long} {value}`")
        } else {
            format!("`--{long}`")
        }
    });
    let short = argument.get_short().map(|short| format!("`-{short}`"));
    let names = [short, long].into_iter().flatten().join(", ");
    let spelt = if names.is_empty() { format!("`{}`", value.to_uppercase()) } else { names };
    spelt.replace('|', "\\|")
}

/// The help text of an argument with its possible values and its default, in Markdown.
fn meaning(argument: &Arg) -> String {
    let help = argument.get_help().map(ToString::to_string);
    let help = help.unwrap_or_default().replace('\n', " ");
    let (mut text, mut default) = match help.split_once(" [default") {
        Some((text, default)) => (text.to_owned(), format!(" [default{default}")),
        None => (help, String::new()),
    };
    if argument.get_action().takes_values() {
        let values = argument.get_possible_values();
        let values = values.iter().filter(|value| !value.is_hide_set());
        let names = values.map(|value| format!("`{}`", value.get_name()));
        let names = names.collect_vec();
        if !names.is_empty() && !argument.is_hide_possible_values_set() {
            let _ = write!(text, ": {}", names.join(", "));
        }
        let defaults = argument.get_default_values().iter();
        let defaults = defaults.map(|value| value.to_string_lossy()).join(", ");
        if !defaults.is_empty() {
            default = format!(" [default: {defaults}]");
        }
    }
    text += &default;
    text.replace('|', "\\|")
}

/// A Markdown table with a row for each group of commands with the same exit codes, and a column
/// for each code.
fn exit_codes(commands: &[Command]) -> String {
    const CODES: [&str; 6] = ["0", "1", "2", "3", "4", "130"];
    let mut table = format!("| | {} |\n|---|", CODES.join(" | "));
    table += &"---|".repeat(CODES.len());
    table.push('\n');
    for (help, group) in &commands.iter().chunk_by(|command| after_help(command)) {
        let names = group.map(|command| format!("`{}`", command.get_name()));
        let cells = CODES.map(|code| {
            let lines = help.lines().map(str::trim_start);
            let meanings = lines.filter_map(|line| line.strip_prefix(code)?.strip_prefix(' '));
            meanings.map(str::trim).join("; ")
        });
        let _ = writeln!(table, "| {} | {} |", { names }.join(", "), cells.join(" | "));
    }
    table
}

/// The section on exit codes in a command's help.
fn after_help(command: &Command) -> String {
    let help = command.get_after_help();
    let help = help.unwrap_or_else(|| panic!("{} says its exit codes", command.get_name()));
    help.to_string()
}
