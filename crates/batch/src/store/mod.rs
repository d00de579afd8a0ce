//! The file of results: what was claimed, what came out.
//!
//! SQLite with a write-ahead log: every result is written whole or not at all, and stays when the
//! process is killed. Several processes may write into one file.

mod claims;
mod open;
mod read;

use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::types::Type;
use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior, params};
use thiserror::Error;

pub use self::read::{Query, Row};
use super::life::Process;
use super::{Ended, Kept, Key, Record, Report, Seen};

/// How long to wait for another process that is writing.
const PATIENCE: Duration = Duration::from_secs(20);

/// A batch on another machine, or one whose life can't be seen, is dead after so long without a
/// heartbeat.
pub const LONGEST_SILENCE: Duration = Duration::from_secs(60);

/// What is wrong with a file of results.
#[derive(Debug, Error)]
#[error("{}: {message}", file.display())]
pub struct StoreError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong, as a message.
    pub message: String,
}

/// What became of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    /// The run with this id is ours to do.
    Ours(i64),
    /// It is finished.
    Done(Ended),
    /// Somebody is at it.
    Taken,
}

/// A run that is wanted, of a puzzle that was seen.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The puzzle.
    pub seen: Seen<'a>,
    /// The run.
    pub key: Key<'a>,
    /// Whether solutions are to be kept.
    pub wants_solutions: bool,
}

/// What came out of a run that is ours.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The run.
    pub run: i64,
    /// What it says.
    pub report: &'a Report,
    /// The exit code for it.
    pub exit_code: u8,
    /// Solutions that are to be kept, but for those that were kept before.
    pub kept: &'a [Kept],
    /// The number of the first of them.
    pub first: u64,
}

/// What an exchange led to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Exchanged {
    /// Whether each finished run was still ours. Where not, somebody else does it, or has done it.
    pub accepted: Vec<bool>,
    /// What became of each wish.
    pub claims: Vec<Claim>,
}

/// An open file of results.
#[derive(Debug)]
pub struct Store {
    file: PathBuf,
    connection: Connection,
    /// Who writes.
    process: Option<Process>,
}

/// A batch that claims runs in a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BatchId(i64);

impl Store {
    fn error(&self, message: String) -> StoreError {
        StoreError { file: self.file.clone(), message }
    }

    fn trouble(&self, error: &rusqlite::Error) -> StoreError {
        self.error(explained(error))
    }

    /// Runs a change whole or not at all.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let behavior = TransactionBehavior::Immediate;
        let changed = self.connection.transaction_with_behavior(behavior).and_then(|transaction| {
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        });
        changed.map_err(|error| self.trouble(&error))
    }

    /// Notes a file of constraints that the options of runs name by this hash.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn note_constraints(
        &mut self,
        hash: &str,
        path: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        self.change(|change| {
            let note = "INSERT INTO constraint_files (hash, path, text) VALUES (?1, ?2, ?3)
                        ON CONFLICT DO NOTHING";
            change.execute(note, [hash, path, text])?;
            Ok(())
        })
    }

    /// Adds solutions to a run that is ours; the first of them has this number. `false` where it is
    /// no longer ours.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn keep(
        &mut self,
        batch: BatchId,
        run: i64,
        first: u64,
        solutions: &[Kept],
    ) -> Result<bool, StoreError> {
        self.change(|change| {
            if !is_ours(change, batch, run)? {
                return Ok(false);
            }
            add_solutions(change, run, first, solutions)?;
            Ok(true)
        })
    }
}

/// What `ended` reads.
const ENDED: &str = "status, complete, reason, error, distinct_count, class_count, solution_count,
    has_solutions";

fn ended(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Ended> {
    let record = Record {
        status: row.get(first)?,
        is_complete: row.get(first + 1)?,
        reason: row.get(first + 2)?,
        error: row.get(first + 3)?,
        distinct: row.get(first + 4)?,
        classes: row.get(first + 5)?,
        solutions: row.get(first + 6)?,
        has_solutions: row.get(first + 7)?,
    };
    record.try_into().map_err(|error: String| {
        rusqlite::Error::FromSqlConversionFailure(first + 2, Type::Text, error.into())
    })
}

fn add_solutions(
    change: &Transaction<'_>,
    run: i64,
    first: u64,
    solutions: &[Kept],
) -> rusqlite::Result<()> {
    if solutions.is_empty() {
        return Ok(());
    }
    let mut add = change.prepare_cached(
        "INSERT INTO solutions (run, number, placements, solutions) VALUES (?1, ?2, ?3, ?4)",
    )?;
    for (number, kept) in (first..).zip(solutions) {
        add.execute(params![run, number.cast_signed(), kept.placements.get(), kept.solutions])?;
    }
    Ok(())
}

fn is_ours(connection: &Connection, batch: BatchId, run: i64) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM runs WHERE id = ?1 AND batch = ?2 AND state = 'running'")?
        .exists(params![run, batch.0])
}

/// Seconds since 1970.
fn now() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs_f64()
}

/// What SQLite says, in words that help.
fn explained(error: &rusqlite::Error) -> String {
    let more = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => {
            "; what was written before is kept: make room, and run again to go on"
        }
        Some(ErrorCode::SystemIoFailure) => {
            "; the disk is full, or a limit on the size of files is reached; what was written \
             before is kept"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another process has been writing for too long"
        }
        Some(ErrorCode::CannotOpen) => "; does the folder exist, and is it writable?",
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
    use crate::BatchStatus;

    const KEY: Key<'_> =
        Key { hash: "abc", engine: "propagate", options: "{}", version: "1", revision: "1" };

    fn report() -> Report {
        Report {
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

    fn claim(store: &mut Store, batch: BatchId, wants_solutions: bool) -> Claim {
        let seen = Seen {
            hash: KEY.hash,
            path: "a.yaml",
            document: 1,
            line: 1,
            name: "a",
            text: Some(b"tiles"),
        };
        let wish = Wish { seen, key: KEY, wants_solutions };
        let exchanged = store.exchange(batch, &[], &[wish], &[]).unwrap();
        exchanged.claims.into_iter().next().unwrap()
    }

    fn finish(store: &mut Store, batch: BatchId, run: i64) -> bool {
        let finished = Finished { run, report: &report(), exit_code: 0, kept: &[], first: 1 };
        store.exchange(batch, &[finished], &[], &[]).unwrap().accepted == [true]
    }

    #[test]
    fn a_run_is_claimed_once_and_done_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = opened(folder.path());
        let mut other = opened(folder.path());
        let one = store.begin(&Process::this()).unwrap();
        let two = other.begin(&Process::this()).unwrap();
        let Claim::Ours(run) = claim(&mut store, one, false) else {
            panic!("nobody else is at it");
        };
        assert_eq!(claim(&mut other, two, false), Claim::Taken);
        assert!(!finish(&mut other, two, run));
        assert!(finish(&mut store, one, run));
        let done = Claim::Done(report().ended);
        assert_eq!(claim(&mut other, two, false), done);
        // Its solutions are not there.
        assert_eq!(claim(&mut other, two, true), Claim::Ours(run));
    }

    #[test]
    fn the_claim_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = opened(folder.path());
        let dead = Process { born: "1".into(), ..Process::this() };
        let dead = store.begin(&dead).unwrap();
        let claimed = claim(&mut store, dead, true);
        let Claim::Ours(run) = claimed else {
            panic!("{claimed:?}");
        };
        let kept = Kept {
            placements: serde_json::value::RawValue::from_string("[]".into()).unwrap(),
            solutions: "4".into(),
        };
        assert!(store.keep(dead, run, 1, &[kept]).unwrap());
        let elsewhere = Process { host: "elsewhere".into(), ..Process::this() };
        let live = store.begin(&elsewhere).unwrap();
        let claimed = claim(&mut store, live, true);
        assert!(matches!(claimed, Claim::Ours(_)));
        let number = store.number_kept(run).unwrap();
        assert_eq!(number, 0, "what the dead one found is not told twice");
        // Of another machine nothing is known but its heartbeat.
        let late = "UPDATE batches SET heartbeat = heartbeat - 100";
        let mine = store.begin(&Process::this()).unwrap();
        assert_eq!(claim(&mut store, mine, true), Claim::Taken);
        store.connection.execute(late, []).unwrap();
        assert!(matches!(claim(&mut store, mine, true), Claim::Ours(_)));
    }

    #[test]
    fn a_batch_that_was_held_for_dead_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut sleeper = opened(folder.path());
        let mut other = opened(folder.path());
        let elsewhere = Process { host: "elsewhere".into(), ..Process::this() };
        let sleeping = sleeper.begin(&elsewhere).unwrap();
        let Claim::Ours(run) = claim(&mut sleeper, sleeping, false) else {
            panic!("nobody else is at it");
        };
        let late = "UPDATE batches SET heartbeat = heartbeat - 100";
        other.connection.execute(late, []).unwrap();
        let awake = other.begin(&Process::this()).unwrap();
        assert!(!finish(&mut sleeper, sleeping, run));
        let again = claim(&mut sleeper, sleeping, false);
        assert!(matches!(again, Claim::Ours(_)));
        assert_eq!(claim(&mut other, awake, false), Claim::Taken);
        sleeper.beat(sleeping).unwrap();
        assert_ne!(sleeping, awake);
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
        // Nor is anything changed in one that looks like ours.
        let alike = "CREATE TABLE runs (id, sources); PRAGMA user_version = 1";
        Connection::open(&other).unwrap().execute_batch(alike).unwrap();
        assert_eq!(refused(), "it is a database, but not a results file");
        let connection = Connection::open(&other).unwrap();
        assert!(connection.prepare("SELECT sources FROM runs").is_ok());
        // More than our tables may run without end.
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
