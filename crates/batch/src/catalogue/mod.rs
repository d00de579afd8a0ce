//! The contents of results files: rows for people, spreadsheets and programs, and puzzles with
//! their solutions for pages.
//!
//! Several files, for example from several machines, are read as one: a run that is in more than
//! one of them is shown once. To add a format, write a file that implements [`RowWriter`] and add a
//! line to [`FORMATS`]. Rows are read one at a time, so their number is not limited by memory.

mod data;
mod entry;
mod solutions;
mod survey;
mod table;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

use edgematch::engine::counted;
use edgematch::enumerate::Conclusion;
use edgematch::runtime::clock::seconds;
use itertools::Itertools;

pub use self::entry::{Entry, Restored, entries};
pub use self::solutions::Checked;
pub use self::survey::{Disagreement, Survey};
use crate::{Group, Query, Result, RunRow, Store, StoreError};

/// All formats of rows, starting with the default.
pub const FORMATS: &[RowFormat] = &[
    RowFormat {
        name: "table",
        start: |survey| Box::new(table::Rows::new(survey, table::TableForm::Text)),
    },
    RowFormat { name: "csv", start: |_| Box::new(data::Csv) },
    RowFormat { name: "json", start: |_| Box::new(data::Json::default()) },
    RowFormat { name: "jsonl", start: |_| Box::new(data::JsonLines) },
    RowFormat {
        name: "markdown",
        start: |survey| Box::new(table::Rows::new(survey, table::TableForm::Markdown)),
    },
];

/// All values of `status` that a run can have.
pub const STATUSES: [Conclusion; 5] = [
    Conclusion::AllSolutions,
    Conclusion::Unsatisfiable,
    Conclusion::Satisfied,
    Conclusion::Unknown,
    Conclusion::Error,
];

/// A format of rows.
pub struct RowFormat {
    /// The format's name on the command line.
    pub name: &'static str,
    /// Creates a writer for the rows that were surveyed.
    pub start: fn(&Survey) -> Box<dyn RowWriter>,
}

/// Writes rows in a format: `begin` is called once, `row` for each row, `end` once.
pub trait RowWriter {
    /// Writes what precedes the rows; by default nothing.
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// Writes a row, or keeps it until [`end`](Self::end).
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()>;

    /// Writes what follows the rows; by default nothing.
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn end(&mut self, _: &mut dyn Write, _: &Totals) -> io::Result<()> {
        Ok(())
    }
}

/// Which runs to show: those that meet all three conditions.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// The newest results or all.
    pub query: Query,
    /// The names of the engines; empty means all.
    pub engines: Vec<String>,
    /// The statuses, among [`STATUSES`]; empty means all.
    pub statuses: Vec<Conclusion>,
}

impl Selection {
    /// Returns true if a row has one of the engines and one of the statuses.
    fn has(&self, row: &RunRow) -> bool {
        (self.engines.is_empty() || self.engines.contains(&row.engine))
            && (self.statuses.is_empty() || self.statuses.contains(&row.ended.known()))
    }
}

/// Results files that are read as one, each as it was when it was opened.
#[derive(Debug)]
pub struct Files(Vec<Store>);

impl Files {
    /// Opens all files for reading.
    ///
    /// # Errors
    /// If one of them cannot be read or is not a results file.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Files> {
        paths.iter().map(|path| Store::open_to_read(path.as_ref())).try_collect().map(Files)
    }

    /// Calls `each` with all rows, file after file, and the index of the file. Ends at the first
    /// error of a file or of `each`, which is returned.
    fn all_rows<E: From<StoreError>>(
        &self,
        query: Query,
        mut each: impl FnMut(usize, RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut stores = self.0.iter().enumerate();
        stores.try_for_each(|(number, store)| store.rows(query, |row| each(number, row)))
    }

    /// Calls `each` with the selected rows and the index of their results file, in the order of
    /// [`Store::rows`] within each results file. A run that is in several results files is passed
    /// once.
    ///
    /// # Errors
    /// If a file cannot be read, or the error of `each`.
    pub fn rows<E: From<StoreError>>(
        &self,
        survey: &Survey,
        selection: &Selection,
        mut each: impl FnMut(usize, RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.all_rows(selection.query, |file, row| {
            if survey.is_shown(file, row.run) && selection.has(&row) {
                each(file, row)
            } else {
                Ok(())
            }
        })
    }
}

/// The totals over rows: puzzles, runs in each group, and time.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    puzzles: HashSet<String>,
    runs: HashSet<String>,
    groups: BTreeMap<Group, usize>,
    seconds: f64,
}

impl Totals {
    /// Adds a row. A run that has several rows, because several files contain its puzzle, counts
    /// once.
    pub fn add(&mut self, row: &RunRow) {
        let key = row.key();
        let key = [key.hash, key.engine, key.options, key.version, key.revision];
        if !self.runs.insert(key.join("\0")) {
            return;
        }
        self.puzzles.insert(row.hash.clone());
        *self.groups.entry(row.ended.group()).or_default() += 1;
        self.seconds += row.work.seconds;
    }

    /// Returns true if no row was added.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let puzzles = counted(self.puzzles.len(), "puzzle", "puzzles");
        let runs = counted(self.runs.len(), "run", "runs");
        write!(f, "{puzzles}, {runs}")?;
        let outcomes = self
            .groups
            .iter()
            .map(|(group, number)| format!("{number} {}", group.name()))
            .join(", ");
        if !outcomes.is_empty() {
            write!(f, ": {outcomes}; {} in all", seconds(self.seconds))?;
        }
        Ok(())
    }
}
