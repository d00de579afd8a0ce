//! JSON: one object a line, all that is known, counts in full.

use std::io::{self, Write};

use edgematch_report::number;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use super::Show;
use crate::Row;

/// The format.
pub(super) struct JsonLines;

#[derive(Serialize)]
struct Object<'a> {
    r#type: &'static str,
    file: Option<&'a str>,
    document: u32,
    documents: u32,
    hash: &'a str,
    name: &'a str,
    title: Option<&'a str>,
    source: Option<&'a str>,
    board: Option<&'a str>,
    tiles: Option<u32>,
    kinds: Option<u32>,
    engine: &'a str,
    chosen: Option<&'a str>,
    options: Box<RawValue>,
    version: &'a str,
    revision: &'a str,
    started_at: &'a str,
    status: &'a str,
    complete: bool,
    reason: Option<&'a str>,
    error: Option<String>,
    exit_code: u8,
    distinct: Option<Box<RawValue>>,
    classes: Option<Box<RawValue>>,
    solutions: Option<Box<RawValue>>,
    has_solutions: bool,
    nodes: u64,
    tries: u64,
    solves: u64,
    cuts: u64,
    seconds: f64,
    run: i64,
}

impl Show for JsonLines {
    fn row(&mut self, out: &mut dyn Write, row: &Row) -> io::Result<()> {
        serde_json::to_writer(&mut *out, &object(row)?)?;
        out.write_all(b"\n")
    }
}

fn object(row: &Row) -> io::Result<Object<'_>> {
    let puzzle = &row.puzzle;
    let ended = &row.ended;
    let work = &row.work;
    // As it is written, where it is JSON: numbers in it may be long.
    let options = RawValue::from_string(row.options.clone());
    let options = options.or_else(|_| to_raw_value(&row.options))?;
    Ok(Object {
        r#type: "result",
        file: row.path.as_deref(),
        document: row.document,
        documents: row.documents,
        hash: &row.hash,
        name: &puzzle.name,
        title: puzzle.title.as_deref(),
        source: puzzle.source.as_deref(),
        board: puzzle.board.as_deref(),
        tiles: puzzle.tiles,
        kinds: puzzle.kinds,
        engine: &row.engine,
        chosen: work.chosen.as_deref(),
        options,
        version: &row.version,
        revision: &row.revision,
        started_at: &row.started_at,
        status: ended.known().name(),
        complete: ended.status.is_complete(),
        reason: ended.status.reason(),
        error: ended.status.message(),
        exit_code: row.exit_code,
        distinct: count(ended.distinct.as_deref()),
        classes: count(ended.classes.as_deref()),
        solutions: count(ended.solutions.as_deref()),
        has_solutions: ended.has_solutions,
        nodes: work.nodes,
        tries: work.tries,
        solves: work.solves,
        cuts: work.cuts,
        seconds: work.seconds,
        run: row.run,
    })
}

/// A count in full; what is not a number is left out.
fn count(digits: Option<&str>) -> Option<Box<RawValue>> {
    let count: BigUint = digits?.parse().ok()?;
    Some(number(&count))
}
