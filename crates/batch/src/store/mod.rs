//! The results file: an SQLite database with a write-ahead log.
//!
//! Every result is written completely or not at all, and survives if the process is killed. Only
//! one process at a time may write; others can read meanwhile.

mod columns;
mod open;
mod read;
mod write;

use std::fs::File;
use std::path::PathBuf;

use rusqlite::{Connection, ErrorCode};
use thiserror::Error;

pub(crate) use self::columns::COLUMNS;
pub use self::read::{Query, RunRow};
pub use self::write::{Finished, RunSolutions};

/// The result of a read or write of a results file.
pub type Result<T, E = StoreError> = std::result::Result<T, E>;

/// An error of a results file.
#[derive(Debug, Error)]
#[error("{}: {message}", file.display())]
pub struct StoreError {
    /// The file.
    pub file: PathBuf,
    /// The message, without the file.
    pub message: String,
    /// True if the file could not be opened because another process is writing to it.
    pub is_in_use: bool,
}

/// An open results file.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    connection: Connection,
    /// The lock of a process that writes; `None` if this one only reads. It must be dropped after
    /// the connection: closing any handle of the file would release SQLite's own locks on it.
    _lock: Option<File>,
}

impl Store {
    /// An error of this file with a message.
    fn error(&self, message: String) -> StoreError {
        StoreError { file: self.file.clone(), message, is_in_use: false }
    }

    /// An error of this file for an error of SQLite.
    fn sqlite_error(&self, error: &rusqlite::Error) -> StoreError {
        self.error(describe_sqlite_error(error))
    }

    /// Runs `read` on the connection and converts its error.
    fn query<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        read(&self.connection).map_err(|error| self.sqlite_error(&error))
    }
}

/// The message of an SQLite error, with a remedy for the common ones.
fn describe_sqlite_error(error: &rusqlite::Error) -> String {
    let more = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "; results written so far are kept: free some space, then run the batch again to continue"
        }
        Some(ErrorCode::SystemIoFailure) => {
            "; the disk is full, or a limit on the size of files is reached; results written so far \
            are kept"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another process has locked the file for too long"
        }
        Some(ErrorCode::CannotOpen) => "; does the folder exist, and is it writable?",
        Some(ErrorCode::DatabaseCorrupt) => {
            return "the file is damaged, or is not a results file: restore a copy, or run the batch \
            into a new file"
                .into();
        }
        Some(ErrorCode::NotADatabase) => {
            return "it is not a results file: not an SQLite database".into();
        }
        _ => "",
    };
    format!("{error}{more}")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use edgematch::enumerate::RunStatus;

    use super::*;
    use crate::sources::Item;
    use crate::status::{BatchStatus, Ended};
    use crate::{Kept, Key, RunReport};

    const KEY: Key<'_> =
        Key { hash: "abc", engine: "propagate", options: "{}", version: "1", revision: "1" };

    fn report() -> RunReport {
        RunReport {
            puzzle: None,
            assumed: String::new(),
            ended: Ended {
                status: BatchStatus::Ran(RunStatus::Complete),
                distinct: Some("1".into()),
                classes: Some("1".into()),
                solutions: Some("4".into()),
                has_solutions: false,
            },
            work: crate::RunWork::default(),
        }
    }

    fn opened(folder: &Path) -> Store {
        Store::open(&folder.join("runs.sqlite")).unwrap()
    }

    fn item() -> Item {
        Item {
            path: "a.yaml".into(),
            document: 1,
            line: 1,
            label: "a.yaml".into(),
            name: "a".into(),
            hash: KEY.hash.into(),
            text: Ok(b"tiles".to_vec()),
        }
    }

    fn begin(store: &mut Store, key: Key<'_>, wants_solutions: bool) -> Option<Ended> {
        store.begin(&[(&item(), key)], &[], wants_solutions).unwrap().into_iter().next().unwrap()
    }

    fn finish(store: &mut Store, report: &RunReport, kept: &RunSolutions) {
        store.finish(&[Finished { key: KEY, report, exit_code: 0, kept }]).unwrap();
    }

    fn kept(number: usize) -> Vec<Kept> {
        let placements = serde_json::value::RawValue::from_string("[]".into()).unwrap();
        vec![Kept { placements, solutions: "4".into() }; number]
    }

    fn rows(store: &Store) -> Vec<RunRow> {
        let mut rows = Vec::new();
        let all = store.rows(Query::Newest, |row| {
            rows.push(row);
            Ok::<(), StoreError>(())
        });
        all.unwrap();
        rows
    }

    #[test]
    fn a_run_is_stored_once_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = opened(folder.path());
        assert_eq!(begin(&mut store, KEY, false), None);
        finish(&mut store, &report(), &RunSolutions::default());
        let limited = Key { options: "{\"time_limit\":5}", ..KEY };
        let pinned = Key { options: "{\"pin\":[\"1\"]}", ..KEY };
        assert_eq!(begin(&mut store, KEY, false), Some(report().ended));
        assert_eq!(begin(&mut store, limited, false), Some(report().ended));
        assert_eq!(begin(&mut store, pinned, false), None);
        // The stored run has no solutions.
        assert_eq!(begin(&mut store, KEY, true), None);
        let mut solutions = RunSolutions { stored: None, others: kept(2) };
        store.keep(&KEY, &mut solutions).unwrap();
        assert!(rows(&store).is_empty(), "it is at work");
        solutions.others = kept(1);
        let mut report = report();
        report.ended.has_solutions = true;
        finish(&mut store, &report, &solutions);
        assert_eq!(begin(&mut store, KEY, true), Some(report.ended.clone()));
        let [row] = &rows(&store)[..] else { panic!() };
        assert_eq!((&row.ended, &row.work), (&report.ended, &report.work));
        assert_eq!(store.number_kept(row.run).unwrap(), 3);
    }

    #[test]
    fn nothing_stays_of_a_run_that_was_not_finished() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = opened(folder.path());
        begin(&mut store, KEY, true);
        store.keep(&KEY, &mut RunSolutions { stored: None, others: kept(1) }).unwrap();
        drop(store);
        let store = opened(folder.path());
        for table in ["runs", "solutions"] {
            let count = format!("SELECT count(*) FROM {table}");
            let number: i64 = store.connection.query_row(&count, [], |row| row.get(0)).unwrap();
            assert_eq!(number, 0, "{table}");
        }
    }

    #[test]
    fn one_at_a_time_may_write_and_others_read() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = opened(folder.path());
        begin(&mut store, KEY, false);
        finish(&mut store, &report(), &RunSolutions::default());
        let file = folder.path().join("runs.sqlite");
        let error = Store::open(&file).unwrap_err();
        let writer = format!("another batch is writing to it (process {}", std::process::id());
        assert!(error.is_in_use && error.message.starts_with(&writer), "{error}");
        assert_eq!(rows(&Store::open_to_read(&file).unwrap()).len(), 1);
        drop(store);
        assert!(Store::open(&file).is_ok());
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        std::fs::write(&text, "tiles: {1: [a, a, a, a]}\n".repeat(100)).unwrap();
        let error = Store::open(&text).unwrap_err().message;
        assert_eq!(error, "it is not a results file: not an SQLite database");
        let other = folder.path().join("other.sqlite");
        Connection::open(&other).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
        let refused = || Store::open(&other).unwrap_err().message;
        assert_eq!(refused(), "it is a database, but not a results file");
        // A database that resembles a results file is not changed either.
        let alike = "CREATE TABLE runs (id, sources); PRAGMA user_version = 1";
        Connection::open(&other).unwrap().execute_batch(alike).unwrap();
        assert_eq!(refused(), "it is a database, but not a results file");
        let connection = Connection::open(&other).unwrap();
        assert!(connection.prepare("SELECT sources FROM runs").is_ok());
        // Objects that edgematch does not create could run forever.
        for more in [
            "CREATE VIEW more AS SELECT 1",
            "CREATE TRIGGER more AFTER INSERT ON runs BEGIN DELETE FROM runs; END",
            "CREATE TABLE more (x)",
            "CREATE INDEX more ON runs (state)",
            "DROP TABLE files; CREATE VIEW files AS SELECT hash AS path, 1 AS document, 1 AS line, hash FROM puzzles",
        ] {
            let file = folder.path().join("runs.sqlite");
            let _ = std::fs::remove_file(&file);
            drop(opened(folder.path()));
            Connection::open(&file).unwrap().execute_batch(more).unwrap();
            for opened in [Store::open(&file), Store::open_to_read(&file)] {
                let error = opened.unwrap_err().message;
                assert!(error.contains("which edgematch does not write"), "{more}: {error}");
            }
        }
        let none = folder.path().join("none.sqlite");
        let error = Store::open_to_read(&none).unwrap_err().message;
        assert_eq!(error, "there is no such file");
        assert!(!none.exists());
    }
}
