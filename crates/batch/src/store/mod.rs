//! The file of results: what was claimed, what came out.
//!
//! SQLite with a write-ahead log: every result is written whole or not at all, and stays when the
//! process is killed. Several processes may write into one file.

mod read;

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use itertools::Itertools;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rusqlite::{
    Connection, ErrorCode, OpenFlags, OptionalExtension, Transaction, TransactionBehavior, params,
};
use thiserror::Error;

use super::life::Process;
use super::{Ended, Kept, Key, LIMITS, Record, Report, Seen};
use rusqlite::types::Type;

pub use read::{Query, Row};

/// Tells our files from other SQLite files: `edge` in ASCII.
const APPLICATION: i64 = 0x6564_6765;

/// The schema's version.
const SCHEMA: i64 = 2;

/// The one before: `revision` was called `sources`, and held a hash of the program's sources.
const SCHEMA_WITH_SOURCES: i64 = 1;

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
    /// What is wrong, for people.
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
    /// Opens a file of results to write into; makes it where there is none.
    ///
    /// # Errors
    /// Where it can't be opened or made, or is something else.
    pub fn open(file: &Path) -> Result<Store, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut store = Store::connect(file, flags)?;
        let made = store.make();
        made.map_err(|error| store.trouble(&error))?;
        match store.schema()? {
            SCHEMA => Ok(store),
            _ => Err(store.error(
                "an edgematch of the version before writes into it: wait until that has ended"
                    .into(),
            )),
        }
    }

    /// Opens a file of results to read from.
    ///
    /// # Errors
    /// Where there is none, it can't be opened, or is something else.
    pub fn open_to_read(file: &Path) -> Result<Store, StoreError> {
        if !file.is_file() {
            let message = match file.exists() {
                true => "it is no file of results",
                false => "there is no such file",
            };
            return Err(StoreError {
                file: file.to_owned(),
                message: message.into(),
            });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let store = Store::connect(file, flags)?;
        let Err(error) = store.rename_for_reading() else {
            return Ok(store);
        };
        // A reader writes, too, into a file beside this one, unless it is told that nobody does.
        match Store::finished(file, flags) {
            Some(store) => store,
            None => Err(error),
        }
    }

    /// Opens a file that nobody writes, where that is so: nothing stands in the log beside it.
    fn finished(file: &Path, flags: OpenFlags) -> Option<Result<Store, StoreError>> {
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        let is_done = Path::new(&log)
            .metadata()
            .map_or(true, |log| log.len() == 0);
        let path = file.canonicalize().ok()?;
        let path = utf8_percent_encode(path.to_str()?, NON_ALPHANUMERIC);
        let address = format!("file:{path}?immutable=1");
        is_done.then(|| {
            let flags = flags | OpenFlags::SQLITE_OPEN_URI;
            let mut store = Store::connect(Path::new(&address), flags)?;
            store.file = file.to_owned();
            store.rename_for_reading()?;
            Ok(store)
        })
    }

    fn connect(file: &Path, flags: OpenFlags) -> Result<Store, StoreError> {
        let fail = |error: rusqlite::Error| StoreError {
            file: file.to_owned(),
            message: explained(&error),
        };
        let connection = Connection::open_with_flags(file, flags).map_err(fail)?;
        connection.busy_timeout(PATIENCE).map_err(fail)?;
        Ok(Store {
            file: file.to_owned(),
            connection,
            process: None,
        })
    }

    /// Whatever is missing of a new file. Two processes may be at it.
    fn make(&mut self) -> rusqlite::Result<()> {
        let number = |name| pragma(&self.connection, name);
        if number("user_version")? == 0 && number("schema_version")? == 0 {
            // A new file's mode can't be changed while another process makes it, too.
            let deadline = SystemTime::now() + PATIENCE;
            while let Err(error) = self.connection.pragma_update(None, "journal_mode", "WAL") {
                let is_busy = error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy);
                if !is_busy || SystemTime::now() > deadline {
                    return Err(error);
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let change = self
                .connection
                .transaction_with_behavior(TransactionBehavior::Immediate)?;
            if pragma(&change, "user_version")? == 0 {
                change.execute_batch(include_str!("schema.sql"))?;
                change.pragma_update(None, "application_id", APPLICATION)?;
                change.pragma_update(None, "user_version", SCHEMA)?;
            }
            change.commit()?;
        }
        self.bring_up_to_date()?;
        // What a killed process has committed stays; only a power cut may take the last of it.
        self.connection
            .pragma_update(None, "synchronous", "NORMAL")?;
        self.connection.pragma_update(None, "foreign_keys", true)
    }

    /// Renames what the schema before called otherwise, but for a program that writes into it. Two
    /// processes may be at it.
    fn bring_up_to_date(&mut self) -> rusqlite::Result<()> {
        if !is_of_the_schema_before(&self.connection)? {
            return Ok(());
        }
        let behavior = TransactionBehavior::Immediate;
        let change = self.connection.transaction_with_behavior(behavior)?;
        if is_of_the_schema_before(&change)? && !has_living_batch(&change)? {
            change.execute_batch("ALTER TABLE runs RENAME COLUMN sources TO revision")?;
            change.pragma_update(None, "user_version", SCHEMA)?;
        }
        change.commit()
    }

    /// Shows a file of the schema before as one of today's, without a change to it.
    fn rename_for_reading(&self) -> Result<(), StoreError> {
        if self.schema()? == SCHEMA {
            return Ok(());
        }
        let renamed = "CREATE TEMP VIEW runs AS SELECT *, sources AS revision FROM main.runs";
        let made = self.connection.execute_batch(renamed);
        made.map_err(|error| self.trouble(&error))
    }

    /// The version of its schema, today's or the one before; anything else is refused.
    fn schema(&self) -> Result<i64, StoreError> {
        let number = |name| {
            let asked = pragma(&self.connection, name);
            asked.map_err(|error| self.trouble(&error))
        };
        if number("application_id")? == 0 && number("schema_version")? == 0 {
            return Err(self.error("it is empty: nothing has been written into it yet".into()));
        }
        if number("application_id")? != APPLICATION {
            return Err(self.error("a database, but not one of edgematch's results".into()));
        }
        match number("user_version")? {
            known @ (SCHEMA | SCHEMA_WITH_SOURCES) => Ok(known),
            other => Err(self.error(format!(
                "its form is version {other}, this program writes and reads version {SCHEMA}"
            ))),
        }
    }

    fn error(&self, message: String) -> StoreError {
        StoreError {
            file: self.file.clone(),
            message,
        }
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
        let changed = self
            .connection
            .transaction_with_behavior(behavior)
            .and_then(|transaction| {
                let value = change(&transaction)?;
                transaction.commit()?;
                Ok(value)
            });
        changed.map_err(|error| self.trouble(&error))
    }

    /// Signs a process in, and all those out that are known to be dead.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn begin(&mut self, process: &Process) -> Result<BatchId, StoreError> {
        self.process = Some(process.clone());
        self.change(|change| {
            let mut others = change.prepare("SELECT id FROM batches")?;
            let others: Vec<i64> = others.query_map([], |row| row.get(0))?.try_collect()?;
            for other in others {
                if !is_alive(change, Some(other))? {
                    sign_out(change, other)?;
                }
            }
            sign_in(change, None, process)?;
            Ok(BatchId(change.last_insert_rowid()))
        })
    }

    /// Says that a batch lives; also where others have held it for dead, as after a long sleep.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn beat(&mut self, batch: BatchId) -> Result<(), StoreError> {
        let process = self.process.clone();
        self.change(|change| stay(change, batch, process.as_ref()))
    }

    /// Notes a puzzle and where it lies.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn see(&mut self, seen: &Seen<'_>) -> Result<(), StoreError> {
        let known = self.connection.prepare_cached(
            "SELECT 1 FROM files WHERE path = ?1 AND document = ?2 AND line = ?3 AND hash = ?4",
        );
        let place = params![seen.path, seen.document, seen.line, seen.hash];
        let known = known.and_then(|mut known| known.exists(place));
        if known.map_err(|error| self.trouble(&error))? {
            return Ok(());
        }
        self.change(|change| {
            change
                .prepare_cached(
                    "INSERT INTO puzzles (hash, name, text) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO NOTHING",
                )?
                .execute(params![seen.hash, seen.name, seen.text])?;
            change
                .prepare_cached(
                    "INSERT OR REPLACE INTO files (path, document, line, hash)
                     VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![seen.path, seen.document, seen.line, seen.hash])?;
            Ok(())
        })
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

    /// Forgets documents of a file behind this one: there are no more in it.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn forget_behind(&mut self, path: &str, document: u32) -> Result<(), StoreError> {
        let more = self
            .connection
            .prepare_cached("SELECT 1 FROM files WHERE path = ?1 AND document > ?2");
        let more = more.and_then(|mut more| more.exists(params![path, document]));
        if !more.map_err(|error| self.trouble(&error))? {
            return Ok(());
        }
        self.change(|change| {
            let forget = "DELETE FROM files WHERE path = ?1 AND document > ?2";
            change.execute(forget, params![path, document])?;
            Ok(())
        })
    }

    /// Claims a run for a batch: it must be noted before, see [`Store::see`]. A run whose batch is
    /// dead is taken over; one that is finished is done again where solutions are wanted that it did
    /// not keep.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn claim(
        &mut self,
        batch: BatchId,
        key: &Key<'_>,
        wants_solutions: bool,
    ) -> Result<Claim, StoreError> {
        // Most are finished where a batch goes on, and reading keeps nobody waiting.
        let found = find(&self.connection, key).map_err(|error| self.trouble(&error))?;
        if let Some(Found {
            ended: Some(ended), ..
        }) = found
            && ended.is_enough(wants_solutions)
        {
            return Ok(Claim::Done(ended));
        }
        let process = self.process.clone();
        self.change(|change| {
            if let Some(ended) = complete(change, key)?
                && ended.is_enough(wants_solutions)
            {
                return Ok(Claim::Done(ended));
            }
            let Some(found) = find(change, key)? else {
                stay(change, batch, process.as_ref())?;
                change
                    .prepare_cached(
                        "INSERT INTO runs
                         (hash, engine, options, version, revision, batch, state, started_at)
                         VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running',
                                 strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))",
                    )?
                    .execute(params![
                        key.hash,
                        key.engine,
                        key.options,
                        key.version,
                        key.revision,
                        batch.0
                    ])?;
                return Ok(Claim::Ours(change.last_insert_rowid()));
            };
            match found.ended {
                Some(ended) if ended.is_enough(wants_solutions) => {
                    return Ok(Claim::Done(ended));
                }
                Some(_) => {}
                None if is_alive(change, found.batch)? => return Ok(Claim::Taken),
                None => {}
            }
            stay(change, batch, process.as_ref())?;
            let forget = "DELETE FROM solutions WHERE run = ?1";
            change.prepare_cached(forget)?.execute([found.run])?;
            change
                .prepare_cached(
                    "UPDATE runs SET state = 'running', batch = ?2,
                     started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
                )?
                .execute(params![found.run, batch.0])?;
            Ok(Claim::Ours(found.run))
        })
    }

    /// Adds solutions to a run that is ours; the first of them has this number. `false` where it is no
    /// longer ours.
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
            let mut add = change.prepare_cached(
                "INSERT INTO solutions (run, number, placements, solutions)
                 VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (number, kept) in (first..).zip(solutions) {
                add.execute(params![
                    run,
                    number.cast_signed(),
                    kept.placements.get(),
                    kept.solutions
                ])?;
            }
            Ok(true)
        })
    }

    /// Writes what came out of a run that is ours. `false` where it is no longer ours: then somebody
    /// else does it, or has done it.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn finish(
        &mut self,
        batch: BatchId,
        run: i64,
        report: &Report,
    ) -> Result<bool, StoreError> {
        self.change(|change| {
            if !is_ours(change, batch, run)? {
                return Ok(false);
            }
            let (ended, work) = (Record::from(report.ended.clone()), &report.work);
            if ended.distinct.is_none() {
                // Of a run that was killed nobody knows what it would have said of them.
                let forget = "DELETE FROM solutions WHERE run = ?1";
                change.prepare_cached(forget)?.execute([run])?;
            }
            change
                .prepare_cached(
                    "UPDATE runs SET state = 'done', batch = NULL, status = ?2, complete = ?3,
                     reason = ?4, error = ?5, exit_code = ?6, distinct_count = ?7,
                     class_count = ?8, solution_count = ?9, chosen = ?10, nodes = ?11, tries = ?12,
                     solves = ?13, cuts = ?14, seconds = ?15, has_solutions = ?16 WHERE id = ?1",
                )?
                .execute(params![
                    run,
                    ended.status,
                    ended.is_complete,
                    ended.reason,
                    ended.error,
                    ended.exit_code,
                    ended.distinct,
                    ended.classes,
                    ended.solutions,
                    work.chosen,
                    work.nodes.cast_signed(),
                    work.tries.cast_signed(),
                    work.solves.cast_signed(),
                    work.cuts.cast_signed(),
                    work.seconds,
                    ended.has_solutions,
                ])?;
            if let Some(puzzle) = &report.puzzle {
                change
                    .prepare_cached(
                        "UPDATE puzzles SET name = ?2, title = ?3, source = ?4, board = ?5,
                         tiles = ?6, kinds = ?7
                         WHERE hash = (SELECT hash FROM runs WHERE id = ?1) AND board IS NULL",
                    )?
                    .execute(params![
                        run,
                        puzzle.name,
                        puzzle.title,
                        puzzle.source,
                        puzzle.board,
                        puzzle.tiles,
                        puzzle.kinds,
                    ])?;
            }
            Ok(true)
        })
    }

    /// Forgets finished runs of these engines, options and revision that are neither complete nor found
    /// as much as was asked for; the hash of a key is not looked at. Returns how many.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn forget_unfinished(&mut self, key: &Key<'_>) -> Result<usize, StoreError> {
        self.change(|change| {
            change.execute(
                "DELETE FROM runs WHERE state = 'done' AND exit_code <> 0 AND engine = ?1
                 AND options = ?2 AND version = ?3 AND revision = ?4",
                params![key.engine, key.options, key.version, key.revision],
            )
        })
    }

    /// Gives a claim back: nobody has run it.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn release(&mut self, batch: BatchId, run: i64) -> Result<(), StoreError> {
        self.change(|change| {
            if is_ours(change, batch, run)? {
                change.execute("DELETE FROM runs WHERE id = ?1", [run])?;
            }
            Ok(())
        })
    }

    /// Signs a process out, with all that it still claims.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn end(&mut self, batch: BatchId) -> Result<(), StoreError> {
        self.change(|change| sign_out(change, batch.0))
    }
}

/// Enters a process, with this number or the next one.
fn sign_in(change: &Transaction<'_>, id: Option<i64>, process: &Process) -> rusqlite::Result<()> {
    change.execute(
        "INSERT INTO batches (id, host, pid, born, started_at, heartbeat)
         VALUES (?1, ?2, ?3, ?4, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?5)",
        params![id, process.host, process.pid, process.born, now()],
    )?;
    Ok(())
}

/// Renews a heartbeat; enters a batch again that somebody has signed out.
fn stay(
    change: &Transaction<'_>,
    batch: BatchId,
    process: Option<&Process>,
) -> rusqlite::Result<()> {
    let beat = "UPDATE batches SET heartbeat = ?2 WHERE id = ?1";
    let known = change
        .prepare_cached(beat)?
        .execute(params![batch.0, now()])?;
    match process {
        Some(process) if known == 0 => sign_in(change, Some(batch.0), process),
        _ => Ok(()),
    }
}

fn sign_out(change: &Transaction<'_>, batch: i64) -> rusqlite::Result<()> {
    change.execute("DELETE FROM runs WHERE batch = ?1", [batch])?;
    change.execute("DELETE FROM batches WHERE id = ?1", [batch])?;
    Ok(())
}

/// What is known of a run.
struct Found {
    run: i64,
    batch: Option<i64>,
    /// `None` while it runs.
    ended: Option<Ended>,
}

/// What `ended` reads.
const ENDED: &str = "status, complete, reason, error, exit_code, distinct_count, class_count,
    solution_count, has_solutions";

fn ended(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Ended> {
    let record = Record {
        status: row.get(first)?,
        is_complete: row.get(first + 1)?,
        reason: row.get(first + 2)?,
        error: row.get(first + 3)?,
        exit_code: row.get(first + 4)?,
        distinct: row.get(first + 5)?,
        classes: row.get(first + 6)?,
        solutions: row.get(first + 7)?,
        has_solutions: row.get(first + 8)?,
    };
    record.try_into().map_err(|error: String| {
        rusqlite::Error::FromSqlConversionFailure(first + 2, Type::Text, error.into())
    })
}

fn find(connection: &Connection, key: &Key<'_>) -> rusqlite::Result<Option<Found>> {
    let mut find = connection.prepare_cached(&format!(
        "SELECT id, batch, state, {ENDED} FROM runs
         WHERE hash = ?1 AND engine = ?2 AND options = ?3 AND version = ?4 AND revision = ?5"
    ))?;
    let place = params![key.hash, key.engine, key.options, key.version, key.revision];
    let found = find.query_row(place, |row| {
        let is_done = row.get::<_, String>(2)? == "done";
        Ok(Found {
            run: row.get(0)?,
            batch: row.get(1)?,
            ended: is_done.then(|| ended(row, 3)).transpose()?,
        })
    });
    found.optional()
}

/// The same run under other limits, if it is complete: no limit would change it.
fn complete(connection: &Connection, key: &Key<'_>) -> rusqlite::Result<Option<Ended>> {
    let limits = LIMITS.map(|name| format!("'$.{name}'")).join(", ");
    let mut find = connection.prepare_cached(&format!(
        "SELECT {ENDED} FROM runs
         WHERE hash = ?1 AND engine = ?2 AND version = ?4 AND revision = ?5 AND complete
         AND state = 'done' AND json_remove(options, {limits}) = json_remove(?3, {limits})
         ORDER BY has_solutions DESC"
    ))?;
    let place = params![key.hash, key.engine, key.options, key.version, key.revision];
    find.query_row(place, |row| ended(row, 0)).optional()
}

/// Whether the batch that claims a run lives, as far as can be seen.
fn is_alive(connection: &Connection, batch: Option<i64>) -> rusqlite::Result<bool> {
    let mut find = connection
        .prepare_cached("SELECT host, pid, born, heartbeat FROM batches WHERE id = ?1")?;
    let found = find.query_row([batch], |row| {
        let process = Process {
            host: row.get(0)?,
            pid: row.get(1)?,
            born: row.get(2)?,
        };
        Ok((process, row.get::<_, f64>(3)?))
    });
    Ok(found.optional()?.is_some_and(|(process, heartbeat)| {
        let is_silent = now() - heartbeat > LONGEST_SILENCE.as_secs_f64();
        !is_silent && !process.is_known_dead()
    }))
}

/// A number that a file keeps of itself.
fn pragma(connection: &Connection, name: &str) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, name, |row| row.get(0))
}

/// Whether it is one of ours, as the version before wrote them.
fn is_of_the_schema_before(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(pragma(connection, "application_id")? == APPLICATION
        && pragma(connection, "user_version")? == SCHEMA_WITH_SOURCES)
}

fn has_living_batch(connection: &Connection) -> rusqlite::Result<bool> {
    let mut find = connection.prepare("SELECT id FROM batches")?;
    let mut batches = find.query_map([], |row| row.get(0))?;
    while let Some(batch) = batches.next().transpose()? {
        if is_alive(connection, batch)? {
            return Ok(true);
        }
    }
    Ok(false)
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
            "; the disk is full, or a limit on the size of files is reached; what was written before is kept"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "; another process has been writing for too long"
        }
        Some(ErrorCode::CannotOpen) => "; is there such a folder, and may it be written to?",
        Some(ErrorCode::NotADatabase) => {
            return "it is no file of results: no SQLite database".into();
        }
        _ => "",
    };
    format!("{error}{more}")
}

#[cfg(test)]
mod tests {
    use edgematch::enumerate::RunStatus;

    use super::*;

    const KEY: Key<'_> = Key {
        hash: "abc",
        engine: "propagate",
        options: "{}",
        version: "1",
        revision: "1",
    };

    fn report() -> Report {
        Report {
            puzzle: None,
            ended: Ended {
                status: RunStatus::Complete,
                distinct: Some("1".into()),
                classes: Some("1".into()),
                solutions: Some("4".into()),
                has_solutions: false,
            },
            work: super::super::RunWork::default(),
        }
    }

    fn store_with_puzzle(folder: &Path) -> Store {
        let mut store = Store::open(&folder.join("runs.sqlite")).unwrap();
        let seen = Seen {
            hash: KEY.hash,
            path: "a.yaml",
            document: 1,
            line: 1,
            name: "a",
            text: Some(b"tiles"),
        };
        store.see(&seen).unwrap();
        store
    }

    #[test]
    fn a_run_is_claimed_once_and_done_once() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = store_with_puzzle(folder.path());
        let mut other = Store::open(&folder.path().join("runs.sqlite")).unwrap();
        let one = store.begin(&Process::this()).unwrap();
        let two = other.begin(&Process::this()).unwrap();
        let Claim::Ours(run) = store.claim(one, &KEY, false).unwrap() else {
            panic!("nobody else is at it");
        };
        assert_eq!(other.claim(two, &KEY, false).unwrap(), Claim::Taken);
        assert!(!other.finish(two, run, &report()).unwrap());
        assert!(store.finish(one, run, &report()).unwrap());
        let done = Claim::Done(report().ended);
        assert_eq!(other.claim(two, &KEY, false).unwrap(), done);
        // Its solutions are not there.
        assert_eq!(other.claim(two, &KEY, true).unwrap(), Claim::Ours(run));
    }

    #[test]
    fn the_claim_of_a_dead_process_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = store_with_puzzle(folder.path());
        let dead = Process {
            born: "1".into(),
            ..Process::this()
        };
        let dead = store.begin(&dead).unwrap();
        let claimed = store.claim(dead, &KEY, true).unwrap();
        let Claim::Ours(run) = claimed else {
            panic!("{claimed:?}");
        };
        let kept = Kept {
            placements: serde_json::value::RawValue::from_string("[]".into()).unwrap(),
            solutions: "4".into(),
        };
        assert!(store.keep(dead, run, 1, &[kept]).unwrap());
        let elsewhere = Process {
            host: "elsewhere".into(),
            ..Process::this()
        };
        let live = store.begin(&elsewhere).unwrap();
        let claimed = store.claim(live, &KEY, true).unwrap();
        assert!(matches!(claimed, Claim::Ours(_)));
        let number = store.number_kept(run).unwrap();
        assert_eq!(number, 0, "what the dead one found is not told twice");
        // Of another machine nothing is known but its heartbeat.
        let late = "UPDATE batches SET heartbeat = heartbeat - 100";
        let mine = store.begin(&Process::this()).unwrap();
        assert_eq!(store.claim(mine, &KEY, true).unwrap(), Claim::Taken);
        store.connection.execute(late, []).unwrap();
        assert!(matches!(store.claim(mine, &KEY, true), Ok(Claim::Ours(_))));
    }

    #[test]
    fn a_batch_that_was_held_for_dead_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut sleeper = store_with_puzzle(folder.path());
        let mut other = Store::open(&folder.path().join("runs.sqlite")).unwrap();
        let elsewhere = Process {
            host: "elsewhere".into(),
            ..Process::this()
        };
        let sleeping = sleeper.begin(&elsewhere).unwrap();
        let Claim::Ours(run) = sleeper.claim(sleeping, &KEY, false).unwrap() else {
            panic!("nobody else is at it");
        };
        let late = "UPDATE batches SET heartbeat = heartbeat - 100";
        other.connection.execute(late, []).unwrap();
        let awake = other.begin(&Process::this()).unwrap();
        assert!(!sleeper.finish(sleeping, run, &report()).unwrap());
        let again = sleeper.claim(sleeping, &KEY, false).unwrap();
        assert!(matches!(again, Claim::Ours(_)));
        assert_eq!(other.claim(awake, &KEY, false).unwrap(), Claim::Taken);
        sleeper.beat(sleeping).unwrap();
        assert_ne!(sleeping, awake);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let text = folder.path().join("text");
        std::fs::write(&text, "tiles: {1: [a, a, a, a]}\n".repeat(100)).unwrap();
        let error = Store::open(&text).unwrap_err().message;
        assert_eq!(error, "it is no file of results: no SQLite database");
        let other = folder.path().join("other.sqlite");
        Connection::open(&other)
            .unwrap()
            .execute_batch("CREATE TABLE x (y)")
            .unwrap();
        let refused = || Store::open(&other).unwrap_err().message;
        assert_eq!(refused(), "a database, but not one of edgematch's results");
        // Nor is anything changed in one that looks like ours.
        let alike = "CREATE TABLE runs (id, sources); PRAGMA user_version = 1";
        Connection::open(&other)
            .unwrap()
            .execute_batch(alike)
            .unwrap();
        assert_eq!(refused(), "a database, but not one of edgematch's results");
        let connection = Connection::open(&other).unwrap();
        assert!(connection.prepare("SELECT sources FROM runs").is_ok());
        let none = folder.path().join("none.sqlite");
        let error = Store::open_to_read(&none).unwrap_err().message;
        assert_eq!(error, "there is no such file");
        assert!(!none.exists());
    }
}
