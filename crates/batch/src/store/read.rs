//! Reading a results file: runs with their puzzles, and stored solutions.
//!
//! All reads of [`Store::open_to_read`] are one transaction, so a batch that is writing meanwhile
//! does not change the results.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::columns::{read_row, select_list};
use super::{Result, Store, StoreError};
use crate::status::Ended;
use crate::{Kept, Key, PuzzleFacts, RunWork};

/// Which finished runs to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Query {
    /// For each puzzle that a file still contains, each engine and each set of options, the run
    /// that was started last.
    #[default]
    Newest,
    /// All finished runs, including those of earlier contents of the files and earlier versions of
    /// the program.
    All,
}

/// A finished run together with a file that contains its puzzle. If several files contain it, the
/// run has a row for each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// The run's id in its results file.
    pub run: i64,
    /// The SHA-256 of the puzzle's text.
    pub hash: String,
    /// The path of the file, as it was given; `None` if no file contains this text any more.
    #[serde(rename = "file")]
    pub path: Option<String>,
    /// The number of the puzzle in its file, from 1.
    pub document: u32,
    /// The number of puzzles in the file.
    pub documents: u32,
    /// The puzzle; only its name if the text is not a valid puzzle.
    #[serde(flatten)]
    pub puzzle: PuzzleFacts,
    /// The engine's name.
    pub engine: String,
    /// The options, as a JSON object.
    pub options: String,
    /// The version of the program.
    pub version: String,
    /// See [`edgematch::REVISION`].
    pub revision: String,
    /// The start of the run in UTC: `2026-01-31T12:00:00Z`.
    pub started_at: String,
    /// The status of the run and its numbers of solutions.
    #[serde(flatten)]
    pub ended: Ended,
    /// The exit code that `solve` would have had.
    pub exit_code: u8,
    /// The work that it took.
    #[serde(flatten)]
    pub work: RunWork,
}

impl RunRow {
    /// The identity of the run, which is the same in every results file.
    pub fn key(&self) -> Key<'_> {
        Key {
            hash: &self.hash,
            engine: &self.engine,
            options: &self.options,
            version: &self.version,
            revision: &self.revision,
        }
    }
}

/// The rest of the query for rows: all finished runs if parameter 1 is true, otherwise those of
/// [`Query::Newest`].
const ROWS: &str = "
    FROM runs r JOIN puzzles p ON p.hash = r.hash LEFT JOIN files f ON f.hash = r.hash
    WHERE r.state = 'done' AND (?1 OR (f.path IS NOT NULL AND r.id = (
        SELECT id FROM runs q WHERE q.hash = r.hash AND q.engine = r.engine
            AND q.options = r.options AND q.state = 'done'
        ORDER BY q.started_at DESC, q.id DESC LIMIT 1)))
    ORDER BY f.path COLLATE natural_order, f.document, r.engine, r.options, r.started_at, r.id";

impl Store {
    /// Calls `each` with every row of the query, sorted by file, document, engine, options and
    /// time.
    ///
    /// # Errors
    /// If the file cannot be read, or the error of `each`.
    pub fn rows<E: From<StoreError>>(
        &self,
        query: Query,
        mut each: impl FnMut(RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let convert = |error: rusqlite::Error| self.sqlite_error(&error);
        let find = format!("SELECT {} {ROWS}", select_list(false));
        let mut rows = self.connection.prepare(&find).map_err(convert)?;
        let mut rows = rows.query([query == Query::All]).map_err(convert)?;
        while let Some(row) = rows.next().map_err(convert)? {
            each(read_row(row).map_err(convert)?)?;
        }
        Ok(())
    }

    /// The text of a file of constraints; `None` if none has this hash.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn constraints(&self, hash: &str) -> Result<Option<String>> {
        let find = "SELECT text FROM constraint_files WHERE hash = ?1";
        self.query(|connection| connection.query_row(find, [hash], |row| row.get(0)).optional())
    }

    /// The text of a puzzle; `None` if it could not be read, or no puzzle has this hash.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&self, hash: &str) -> Result<Option<Vec<u8>>> {
        let find = "SELECT text FROM puzzles WHERE hash = ?1";
        let found = self
            .query(|connection| connection.query_row(find, [hash], |row| row.get(0)).optional());
        found.map(Option::flatten)
    }

    /// The number of stored solutions of a run.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn number_kept(&self, run: i64) -> Result<u64> {
        let count = "SELECT count(*) FROM solutions WHERE run = ?1";
        self.query(|connection| connection.query_row(count, [run], |row| row.get(0)))
            .map(i64::cast_unsigned)
    }

    /// Calls `each` with the first `most` stored solutions of a run and their numbers, which start
    /// at 1.
    ///
    /// # Errors
    /// If the file cannot be read or the solutions are damaged, or the error of `each`.
    pub fn kept<E: From<StoreError>>(
        &self,
        run: i64,
        most: u64,
        mut each: impl FnMut(u64, Kept) -> Result<(), E>,
    ) -> Result<(), E> {
        let convert = |error: rusqlite::Error| self.sqlite_error(&error);
        let find = "SELECT number, placements, solutions FROM solutions
             WHERE run = ?1 ORDER BY number LIMIT ?2";
        let mut find = self.connection.prepare_cached(find).map_err(convert)?;
        // SQLite treats a negative limit as no limit.
        let rows = find.query_map(params![run, most.cast_signed()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?))
        });
        for row in rows.map_err(convert)? {
            let (number, placements, solutions) = row.map_err(convert)?;
            let damaged = |_| self.error(format!("the solutions of run {run} are damaged"));
            let placements = RawValue::from_string(placements).map_err(damaged)?;
            each(number.cast_unsigned(), Kept { placements, solutions })?;
        }
        Ok(())
    }
}
