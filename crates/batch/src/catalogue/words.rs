//! The parts of a row in words, shared by tables and pages.

use edgematch::engine::counted;
use edgematch::load::printable;
use edgematch_report::readable;
use itertools::Itertools;

use super::survey::version;
use crate::{Ended, Group, RunRow, RunWork};

/// The path of the puzzle's file, with `#` and the document if the file has several puzzles; the
/// puzzle's name if no file contains it any more.
pub(super) fn place(row: &RunRow) -> String {
    match &row.path {
        Some(path) if row.documents > 1 => format!("{path}#{}", row.document),
        Some(path) => path.clone(),
        None => row.puzzle.name.clone(),
    }
}

/// How a run ended: its group, followed by the reason if it was stopped, bad or failed.
pub(super) fn verdict(ended: &Ended) -> String {
    let group = ended.group();
    if matches!(group, Group::Stopped | Group::Bad | Group::Failed) {
        format!("{}: {}", group.name(), ended.status.words())
    } else {
        group.name().to_owned()
    }
}

/// The numbers of distinct solutions, classes and solutions, with thousands separators; with `≥` if
/// the run is not complete, empty if nothing was searched.
pub(super) fn counts(ended: &Ended) -> [String; 3] {
    let counts = [&ended.distinct, &ended.classes, &ended.solutions];
    counts.map(|count| match (count, ended.status.is_complete()) {
        (None, _) => String::new(),
        (Some(count), true) => readable(count),
        (Some(count), false) => format!("≥ {}", readable(count)),
    })
}

/// The counters of an engine that are not 0, with their units.
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

/// The engine; for `auto` also the engine that it chose.
pub(super) fn engine(row: &RunRow) -> String {
    match &row.work.chosen {
        Some(chosen) if *chosen != row.engine => format!("{}: {chosen}", row.engine),
        _ => row.engine.clone(),
    }
}

/// The version, the revision and the time of the start.
pub(super) fn version_and_date(row: &RunRow) -> String {
    format!("{} {}", version(row), row.started_at)
}

/// A text on one line, with all white space reduced to single spaces and control characters
/// replaced.
pub(super) fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().join(" "))
}

/// The last `most` characters of a path; if it was truncated, the first of them is `…`.
pub(super) fn end_of_path(path: &str, most: usize) -> String {
    let length = path.chars().count();
    if length <= most {
        path.to_owned()
    } else {
        "…".chars().chain(path.chars().skip(length - most + 1)).collect()
    }
}

/// The first `most` characters of a text; if it was truncated, the last of them is `…`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).collect::<String>() + "…",
    }
}
