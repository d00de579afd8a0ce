//! Rows in words.

use itertools::Itertools;

use super::survey::version;
use crate::{Ended, Reason, Row, RunWork};
use edgematch::engine::counted;
use edgematch_draw::printable;

/// The puzzle as its file is named, or by its name where no file holds it any more.
pub(super) fn place(row: &Row) -> String {
    match &row.path {
        Some(path) if row.documents > 1 => format!("{path}#{}", row.document),
        Some(path) => path.clone(),
        None => row.puzzle.name.clone(),
    }
}

/// How a run ended, as people sort it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    /// All was found.
    Complete,
    /// There is none, proven.
    Without,
    /// As many as asked for.
    Enough,
    /// A limit.
    Stopped,
    /// The engine is not for this board.
    NotServed,
    /// There is no puzzle.
    Bad,
    Failed,
}

impl Outcome {
    pub fn of(ended: &Ended) -> Outcome {
        if ended.is_complete {
            return match ended.distinct.as_deref() {
                Some("0") => Outcome::Without,
                _ => Outcome::Complete,
            };
        }
        match (
            ended.reason.as_deref().and_then(Reason::named),
            ended.status.as_str(),
        ) {
            (Some(Reason::Solutions), _) => Outcome::Enough,
            (Some(Reason::Engine), _) => Outcome::NotServed,
            (Some(Reason::Puzzle | Reason::Unreadable | Reason::TooLarge), _) => Outcome::Bad,
            (_, "ERROR") => Outcome::Failed,
            _ => Outcome::Stopped,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Outcome::Complete => "complete",
            Outcome::Without => "no solution",
            Outcome::Enough => "enough",
            Outcome::Stopped => "stopped",
            Outcome::NotServed => "not served",
            Outcome::Bad => "bad",
            Outcome::Failed => "failed",
        }
    }
}

/// How a run ended, and why.
pub(super) fn verdict(ended: &Ended) -> String {
    let outcome = Outcome::of(ended);
    let name = outcome.name();
    match (outcome, ended.reason.as_deref()) {
        (Outcome::Stopped | Outcome::Bad | Outcome::Failed, Some(reason)) => {
            let words = match Reason::named(reason) {
                Some(reason) => reason.words(),
                None => reason,
            };
            format!("{name}: {words}")
        }
        _ => name.to_owned(),
    }
}

/// Distinct, classes and solutions; what a run did not finish to count is at least so much.
pub(super) fn counts(ended: &Ended) -> [String; 3] {
    let counts = [&ended.distinct, &ended.classes, &ended.solutions];
    counts.map(|count| match (count, ended.is_complete) {
        (None, _) => String::new(),
        (Some(count), true) => count.clone(),
        (Some(count), false) => format!("≥ {count}"),
    })
}

/// What an engine did, each in its own units.
pub(super) fn work(work: &RunWork) -> String {
    let parts = [
        (work.nodes, "node", "nodes"),
        (work.tries, "try", "tries"),
        (work.solves, "solve", "solves"),
        (work.cuts, "cut", "cuts"),
    ];
    let parts = parts.into_iter().filter(|part| part.0 > 0);
    parts.map(|(n, one, many)| counted(n, one, many)).join(", ")
}

/// The engine, and what `auto` took.
pub(super) fn engine(row: &Row) -> String {
    match &row.work.chosen {
        Some(chosen) if *chosen != row.engine => format!("{}: {chosen}", row.engine),
        _ => row.engine.clone(),
    }
}

/// The version, and when it ran.
pub(super) fn version_and_date(row: &Row) -> String {
    format!("{} {}", version(row), row.started_at)
}

/// On one line, nothing in it that does something to a terminal or a page.
pub(super) fn one_line(text: &str) -> String {
    printable(&text.split_whitespace().join(" "))
}

/// The end of a path, as much as fits.
pub(super) fn end_of_path(path: &str, most: usize) -> String {
    let length = path.chars().count();
    match length > most {
        false => path.to_owned(),
        true => "…"
            .chars()
            .chain(path.chars().skip(length - most + 1))
            .collect(),
    }
}

/// The beginning of a text, as much as fits.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 1).collect::<String>() + "…",
    }
}
