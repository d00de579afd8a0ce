//! Rows of a results file in words: the engine, the status, the work.
//!
//! Every output format uses these, so that all say the same.

use edgematch::engine::counted;
use edgematch::load::printable;
use edgematch_report::readable;
use itertools::Itertools;

use super::survey::version;
use crate::{Ended, Group, RunRow, RunWork};

/// The puzzle as its file is named, or by its name where no file holds it any more.
pub(super) fn place(row: &RunRow) -> String {
    match &row.path {
        Some(path) if row.documents > 1 => format!("{path}#{}", row.document),
        Some(path) => path.clone(),
        None => row.puzzle.name.clone(),
    }
}

/// How a run ended, and why.
pub(super) fn verdict(ended: &Ended) -> String {
    let group = ended.group();
    if matches!(group, Group::Stopped | Group::Bad | Group::Failed) {
        format!("{}: {}", group.name(), ended.status.words())
    } else {
        group.name().to_owned()
    }
}

/// Distinct, classes and solutions; what a run did not finish to count is at least so much.
pub(super) fn counts(ended: &Ended) -> [String; 3] {
    let counts = [&ended.distinct, &ended.classes, &ended.solutions];
    counts.map(|count| match (count, ended.status.is_complete()) {
        (None, _) => String::new(),
        (Some(count), true) => readable(count),
        (Some(count), false) => format!("≥ {}", readable(count)),
    })
}

/// What an engine did, each in its own units.
pub(super) fn work(work: &RunWork) -> String {
    let parts = [
        (work.nodes, "node", "nodes"),
        (work.tries, "try", "tries"),
        (work.solves, "solve", "solves"),
        (work.cuts, "cut", "cuts"),
    ]
    .into_iter()
    .filter(|part| part.0 > 0);
    parts.map(|(n, one, many)| counted(n, one, many)).join(", ")
}

/// The engine, and what `auto` took.
pub(super) fn engine(row: &RunRow) -> String {
    match &row.work.chosen {
        Some(chosen) if *chosen != row.engine => format!("{}: {chosen}", row.engine),
        _ => row.engine.clone(),
    }
}

/// The version, and when it ran.
pub(super) fn version_and_date(row: &RunRow) -> String {
    format!("{} {}", version(row), row.started_at)
}

/// On one line, nothing in it that does something to a terminal or a page.
pub(super) fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().join(" "))
}

/// The end of a path, as much as fits.
pub(super) fn end_of_path(path: &str, most: usize) -> String {
    let length = path.chars().count();
    if length <= most {
        path.to_owned()
    } else {
        "…".chars().chain(path.chars().skip(length - most + 1)).collect()
    }
}

/// The beginning of a text, as much as fits.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).collect::<String>() + "…",
    }
}
