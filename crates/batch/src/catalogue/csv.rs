//! Comma-separated values: a line a row, all that is known, counts in full.

use std::io::{self, Write};

use edgematch_report::cells::csv_line;

use super::Show;
use crate::Row;

/// The format.
pub(super) struct Csv;

const HEADER: [&str; 31] = [
    "file",
    "document",
    "hash",
    "name",
    "title",
    "source",
    "board",
    "tiles",
    "kinds",
    "engine",
    "chosen",
    "options",
    "version",
    "revision",
    "started_at",
    "status",
    "complete",
    "reason",
    "error",
    "exit_code",
    "distinct",
    "classes",
    "solutions",
    "has_solutions",
    "nodes",
    "tries",
    "solves",
    "cuts",
    "seconds",
    "run",
    "documents",
];

impl Show for Csv {
    fn begin(&mut self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(csv_line(&HEADER.map(str::to_owned)).as_bytes())
    }

    fn row(&mut self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        out.write_all(csv_line(&fields(row)).as_bytes())
    }
}

fn fields(row: &Row) -> [String; HEADER.len()] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let number = |number: Option<u32>| number.map_or(String::new(), |n| n.to_string());
    let puzzle = &row.puzzle;
    let ended = &row.ended;
    let work = &row.work;
    [
        text(&row.path),
        row.document.to_string(),
        row.hash.clone(),
        puzzle.name.clone(),
        text(&puzzle.title),
        text(&puzzle.source),
        text(&puzzle.board),
        number(puzzle.tiles),
        number(puzzle.kinds),
        row.engine.clone(),
        text(&work.chosen),
        row.options.clone(),
        row.version.clone(),
        row.revision.clone(),
        row.started_at.clone(),
        ended.known().name().to_owned(),
        ended.status.is_complete().to_string(),
        ended.status.reason().unwrap_or_default().to_owned(),
        text(&ended.status.message()),
        row.exit_code.to_string(),
        text(&ended.distinct),
        text(&ended.classes),
        text(&ended.solutions),
        ended.has_solutions.to_string(),
        work.nodes.to_string(),
        work.tries.to_string(),
        work.solves.to_string(),
        work.cuts.to_string(),
        work.seconds.to_string(),
        row.run.to_string(),
        row.documents.to_string(),
    ]
}
