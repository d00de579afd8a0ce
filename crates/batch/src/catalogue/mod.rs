//! The contents of results files: rows to read, for spreadsheets and for programs, and puzzles with
//! their solutions for pages.
//!
//! Several files, as several machines write one each, are read as one: a run that lies in more than
//! one of them is shown once. A format is one file that implements [`RowWriter`] and one line in
//! [`FORMATS`]; rows come one at a time, so that there may be any number of them.

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

/// Every format of rows, the default first.
pub const FORMATS: &[RowFormat] = &[
    RowFormat {
        name: "table",
        start: |survey| Box::new(table::Rows::new(survey, table::TableForm::Text)),
    },
    RowFormat { name: "csv", start: |_| Box::new(data::Csv) },
    RowFormat { name: "jsonl", start: |_| Box::new(data::JsonLines) },
    RowFormat {
        name: "markdown",
        start: |survey| Box::new(table::Rows::new(survey, table::TableForm::Markdown)),
    },
];

/// Every status that a run may have.
pub const STATUSES: [Conclusion; 5] = [
    Conclusion::AllSolutions,
    Conclusion::Unsatisfiable,
    Conclusion::Satisfied,
    Conclusion::Unknown,
    Conclusion::Error,
];

/// A format of rows.
pub struct RowFormat {
    /// Its name on the command line.
    pub name: &'static str,
    /// Begins to show what was surveyed.
    pub start: fn(&Survey) -> Box<dyn RowWriter>,
}

/// Shows rows, as they come.
pub trait RowWriter {
    /// What stands above the rows.
    ///
    /// # Errors
    /// Where it can't be written.
    fn begin(&mut self, _: &mut dyn Write) -> io::Result<()> {
        Ok(())
    }

    /// A row.
    ///
    /// # Errors
    /// Where it can't be written.
    fn row(&mut self, out: &mut dyn Write, row: &RunRow) -> io::Result<()>;

    /// There are no more.
    ///
    /// # Errors
    /// Where it can't be written.
    fn end(&mut self, _: &mut dyn Write, _: &Totals) -> io::Result<()> {
        Ok(())
    }
}

/// Which runs are shown.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Of those in the files.
    pub query: Query,
    /// With one of these engines; all where there is none.
    pub engines: Vec<String>,
    /// With one of these of [`STATUSES`]; all where there is none.
    pub statuses: Vec<Conclusion>,
}

impl Selection {
    fn has(&self, row: &RunRow) -> bool {
        (self.engines.is_empty() || self.engines.contains(&row.engine))
            && (self.statuses.is_empty() || self.statuses.contains(&row.ended.known()))
    }
}

/// Files of results that are read as one, as they were when they were opened.
#[derive(Debug)]
pub struct Files(Vec<Store>);

impl Files {
    /// Opens them all.
    ///
    /// # Errors
    /// Where one of them can't be read, or is something else.
    pub fn open<P: AsRef<Path>>(paths: &[P]) -> Result<Files> {
        let open = |path: &P| {
            let store = Store::open_to_read(path.as_ref())?;
            store.freeze()?;
            Ok(store)
        };
        let stores: Result<Vec<Store>> = paths.iter().map(open).collect();
        Ok(Files(stores?))
    }

    /// All rows, file after file, with the number of the file.
    fn every<E: From<StoreError>>(
        &self,
        query: Query,
        mut each: impl FnMut(usize, RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut stores = self.0.iter().enumerate();
        stores.try_for_each(|(number, store)| store.rows(query, |row| each(number, row)))
    }

    /// Goes through the selected rows, each once with the number of its file: file after file, in
    /// each by the puzzles' files, engines and options.
    ///
    /// # Errors
    /// If a file can't be read, or the error of `each`.
    pub fn rows<E: From<StoreError>>(
        &self,
        survey: &Survey,
        selection: &Selection,
        mut each: impl FnMut(usize, RunRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.every(selection.query, |file, row| {
            if survey.is_shown(file, row.run) && selection.has(&row) {
                each(file, row)
            } else {
                Ok(())
            }
        })
    }
}

/// What rows come to.
#[derive(Debug, Clone, Default)]
pub struct Totals {
    puzzles: HashSet<String>,
    runs: HashSet<String>,
    groups: BTreeMap<Group, usize>,
    seconds: f64,
}

impl Totals {
    /// Adds a row. A run of a text that several files hold has several, and counts once.
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

    /// Whether there was no row.
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
