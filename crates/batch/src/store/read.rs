//! Reading a results file: its runs with their puzzles, and the solutions they kept.
//!
//! It reads in one transaction, so a batch that is still writing does not change what is shown.

use rusqlite::{OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::columns::{read, selected};
use super::{Result, Store, StoreError};
use crate::status::Ended;
use crate::{Kept, Key, PuzzleFacts, RunWork};

/// Which finished runs are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Query {
    /// The puzzles as their files are now, with the results of the newest version of the program:
    /// one row for each file, engine and set of options.
    #[default]
    Newest,
    /// Everything, also of earlier contents of the files and of earlier versions.
    All,
}

/// A finished run, seen from a file that holds its puzzle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// The run's id in this file of results.
    pub run: i64,
    /// The SHA-256 of the puzzle's text.
    pub hash: String,
    /// The file, as it was named; `None` where none holds this text any more.
    #[serde(rename = "file")]
    pub path: Option<String>,
    /// Which one of the file's documents, from 1.
    pub document: u32,
    /// The number of puzzles in the file.
    pub documents: u32,
    /// The puzzle. Where the text is none, there is a name alone.
    #[serde(flatten)]
    pub puzzle: PuzzleFacts,
    /// The engine, as it was named.
    pub engine: String,
    /// The options, as JSON.
    pub options: String,
    /// The version of the program.
    pub version: String,
    /// See [`edgematch::REVISION`].
    pub revision: String,
    /// When it was started: `2026-01-31T12:00:00Z`.
    pub started_at: String,
    /// The end of the run, and its counts.
    #[serde(flatten)]
    pub ended: Ended,
    /// The exit code that was kept with it.
    pub exit_code: u8,
    /// The work that it took.
    #[serde(flatten)]
    pub work: RunWork,
}

impl RunRow {
    /// The identity of the run.
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

const ROWS: &str = "
    FROM runs r JOIN puzzles p ON p.hash = r.hash LEFT JOIN files f ON f.hash = r.hash
    WHERE r.state = 'done' AND (?1 OR (f.path IS NOT NULL AND r.id = (
        SELECT id FROM runs q WHERE q.hash = r.hash AND q.engine = r.engine
            AND q.options = r.options AND q.state = 'done'
        ORDER BY q.started_at DESC, q.id DESC LIMIT 1)))
    ORDER BY f.path COLLATE natural_order, f.document, r.engine, r.options, r.started_at, r.id";

impl Store {
    /// Makes later reads show the file as it is now, even if others write to it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn freeze(&self) -> Result<()> {
        self.query(|connection| connection.execute_batch("BEGIN; SELECT 1 FROM runs"))
    }

    /// Goes through the rows, in the order of files, documents, engines and options.
    ///
    /// # Errors
    /// If the file cannot be read, or the error of `each`.
    pub fn rows<E: From<StoreError>>(
        &self,
        query: Query,
        mut each: impl FnMut(RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let trouble = |error: rusqlite::Error| self.trouble(&error);
        let find = format!("SELECT {} {ROWS}", selected(false));
        let mut rows = self.connection.prepare(&find).map_err(trouble)?;
        let mut rows = rows.query([query == Query::All]).map_err(trouble)?;
        while let Some(row) = rows.next().map_err(trouble)? {
            each(read(row).map_err(trouble)?)?;
        }
        Ok(())
    }

    /// The text of a file of constraints; `None` where there is none with this hash.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn constraints(&self, hash: &str) -> Result<Option<String>> {
        let find = "SELECT text FROM constraint_files WHERE hash = ?1";
        self.query(|connection| connection.query_row(find, [hash], |row| row.get(0)).optional())
    }

    /// The text of a puzzle; `None` where it could not be read.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn text(&self, hash: &str) -> Result<Option<Vec<u8>>> {
        let find = "SELECT text FROM puzzles WHERE hash = ?1";
        let found = self
            .query(|connection| connection.query_row(find, [hash], |row| row.get(0)).optional());
        found.map(Option::flatten)
    }

    /// The number of solutions that a run has kept.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn number_kept(&self, run: i64) -> Result<u64> {
        let count = "SELECT count(*) FROM solutions WHERE run = ?1";
        self.query(|connection| connection.query_row(count, [run], |row| row.get(0)))
            .map(i64::cast_unsigned)
    }

    /// Goes through the solutions that a run has kept, at most so many, each with its number.
    ///
    /// # Errors
    /// If the file cannot be read, or the error of `each`.
    pub fn kept<E: From<StoreError>>(
        &self,
        run: i64,
        most: u64,
        mut each: impl FnMut(u64, Kept) -> Result<(), E>,
    ) -> Result<(), E> {
        let trouble = |error: rusqlite::Error| self.trouble(&error);
        let find = "SELECT number, placements, solutions FROM solutions
             WHERE run = ?1 ORDER BY number LIMIT ?2";
        let mut find = self.connection.prepare_cached(find).map_err(trouble)?;
        // SQLite takes a negative limit for none.
        let rows = find.query_map(params![run, most.cast_signed()], |row| {
            Ok((row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?))
        });
        for row in rows.map_err(trouble)? {
            let (number, placements, solutions) = row.map_err(trouble)?;
            let damaged = |_| self.error(format!("the solutions of run {run} are damaged"));
            let placements = RawValue::from_string(placements).map_err(damaged)?;
            each(number.cast_unsigned(), Kept { placements, solutions })?;
        }
        Ok(())
    }
}
