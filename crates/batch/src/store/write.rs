//! Writing a results file: puzzles, the files that contain them, and the results of runs.

use itertools::Itertools;
use rusqlite::types::Value as Cell;
use rusqlite::{Transaction, TransactionBehavior, params, params_from_iter};
use serde::Serialize;

use super::columns::{read_row, select_list, update_list};
use super::{Result, Store};
use crate::sources::{End, Item};
use crate::status::Ended;
use crate::{Kept, Key, LIMITS, PuzzleFacts, RunReport, RunWork};

/// The result of a run, to be written.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The identity of the run.
    pub key: Key<'a>,
    /// The result of the run.
    pub report: &'a RunReport,
    /// The exit code that `solve` would have had.
    pub exit_code: u8,
    /// The solutions to store; empty if they are not wanted.
    pub kept: &'a RunSolutions,
}

/// The solutions of a run. Some of them may have been stored before the run ends.
#[derive(Debug, Default)]
pub struct RunSolutions {
    /// The run's id in the store and the number of its solutions there; `None` if none was stored.
    pub stored: Option<(i64, u64)>,
    /// The solutions that are not yet stored.
    pub others: Vec<Kept>,
}

/// The columns of a finished run that are written from its report.
#[derive(Serialize)]
struct Fields<'a> {
    #[serde(flatten)]
    ended: &'a Ended,
    #[serde(flatten)]
    work: &'a RunWork,
    exit_code: u8,
}

impl Store {
    /// Runs `change` in a transaction, which is rolled back if it fails.
    fn change<T>(
        &mut self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        let behavior = TransactionBehavior::Immediate;
        let changed = self.connection.transaction_with_behavior(behavior).and_then(|transaction| {
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        });
        changed.map_err(|error| self.sqlite_error(&error))
    }

    /// Deletes the records of puzzles that the files and folders in `ends` no longer contain, then
    /// records the puzzles of `runs` and their files. Returns for each run its stored result, or
    /// `None` if it must be done: there is no result, or solutions are wanted and not stored.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn begin(
        &mut self,
        runs: &[(&Item, Key<'_>)],
        ends: &[End],
        wants_solutions: bool,
    ) -> Result<Vec<Option<Ended>>> {
        self.change(|change| {
            ends.iter().try_for_each(|end| forget(change, end))?;
            let stored = runs.iter().map(|(item, key)| {
                record_puzzle(change, item)?;
                stored_result(change, key, wants_solutions)
            });
            stored.try_collect()
        })
    }

    /// Writes solutions of a run that has not ended, and removes them from `kept`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn keep(&mut self, key: &Key<'_>, kept: &mut RunSolutions) -> Result<()> {
        let stored = self.change(|change| {
            let (run, number) = match kept.stored {
                Some(stored) => stored,
                None => (start(change, key, 0.0)?, 0),
            };
            add_solutions(change, run, number, &kept.others)?;
            Ok((run, number + kept.others.len() as u64))
        })?;
        *kept = RunSolutions { stored: Some(stored), others: Vec::new() };
        Ok(())
    }

    /// Writes the results of runs and the descriptions of their puzzles. An earlier result of a run
    /// with the same key is replaced.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&mut self, finished: &[Finished<'_>]) -> Result<()> {
        self.change(|change| finished.iter().try_for_each(|finished| finish(change, finished)))
    }

    /// Deletes runs that were started but not finished, with their solutions.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn drop_unfinished(&mut self) -> Result<()> {
        self.change(|change| change.execute_batch("DELETE FROM runs WHERE state = 'running'"))
    }

    /// Deletes the ended runs of the key's engine, options, version and revision, of any puzzle,
    /// that are neither complete, nor found the requested number of solutions, nor are unsupported.
    /// Returns how many; ignores the hash of the key.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn forget_unfinished(&mut self, key: &Key<'_>) -> Result<usize> {
        self.change(|change| {
            change.execute(
                "DELETE FROM runs WHERE state = 'done' AND reason NOT IN ('solutions', 'engine')
                 AND engine = ?1 AND options = ?2 AND version = ?3 AND revision = ?4",
                params![key.engine, key.options, key.version, key.revision],
            )
        })
    }

    /// Stores the text of a file of constraints, to which the options of runs refer by this hash.
    /// Does nothing if it is already stored.
    ///
    /// # Errors
    /// If the results file cannot be written.
    pub fn note_constraints(&mut self, hash: &str, path: &str, text: &str) -> Result<()> {
        self.change(|change| {
            let note = "INSERT INTO constraint_files (hash, path, text) VALUES (?1, ?2, ?3)
                        ON CONFLICT DO NOTHING";
            change.execute(note, [hash, path, text]).map(|_| ())
        })
    }
}

/// Runs a statement, which is cached; returns the number of rows changed. Fails like SQLite, as do
/// all functions below, whose transaction is then rolled back.
fn execute(
    change: &Transaction<'_>,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<usize> {
    change.prepare_cached(sql)?.execute(parameters)
}

/// Records a puzzle, if it is new, and the file that contains it. An earlier record of the same
/// document of the file is replaced.
fn record_puzzle(change: &Transaction<'_>, item: &Item) -> rusqlite::Result<()> {
    execute(
        change,
        "INSERT INTO puzzles (hash, name, text) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        params![item.hash, item.name, item.text.as_deref().ok()],
    )?;
    execute(
        change,
        "INSERT INTO files (path, document, line, hash) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET line = ?3, hash = ?4 WHERE line <> ?3 OR hash <> ?4",
        params![item.path, item.document, item.line, item.hash],
    )?;
    Ok(())
}

/// Deletes the records of puzzles that a file no longer contains, or of files that a folder no
/// longer contains. The puzzles and their results stay.
fn forget(change: &Transaction<'_>, end: &End) -> rusqlite::Result<()> {
    let delete = "DELETE FROM files WHERE path = ?1 AND document > ?2";
    match end {
        End::File { path, documents } => {
            execute(change, delete, params![path, documents])?;
        }
        End::Folder { root, files } => {
            let mut known = change.prepare_cached("SELECT DISTINCT path FROM files")?;
            let known: Vec<String> = known.query_map([], |row| row.get(0))?.try_collect()?;
            for path in known.iter().filter(|path| End::lacks(root, files, path)) {
                execute(change, delete, params![path, 0])?;
            }
        }
    }
    Ok(())
}

/// The stored result that makes a run unnecessary: that of the same run, or of a complete run whose
/// options differ only in limits. `None` if the run must be done, also if `wants_solutions` and
/// they are not stored.
fn stored_result(
    change: &Transaction<'_>,
    key: &Key<'_>,
    wants_solutions: bool,
) -> rusqlite::Result<Option<Ended>> {
    let columns = select_list(true);
    let limits = LIMITS.map(|name| format!("'$.{name}'")).join(", ");
    let mut find = change.prepare_cached(&format!(
        "SELECT {columns} FROM runs r
         WHERE hash = ?1 AND engine = ?2 AND version = ?4 AND revision = ?5 AND state = 'done'
         AND (options = ?3
             OR complete AND json_remove(options, {limits}) = json_remove(?3, {limits}))
         ORDER BY complete DESC, has_solutions DESC"
    ))?;
    let place = params![key.hash, key.engine, key.options, key.version, key.revision];
    for ended in find.query_map(place, read_row::<Ended>)? {
        let ended = ended?;
        if ended.is_enough(wants_solutions) {
            return Ok(Some(ended));
        }
    }
    Ok(None)
}

/// Inserts a run that started this number of seconds ago, as not finished, and returns its id. An
/// earlier run with the same key is replaced and its solutions are deleted.
fn start(change: &Transaction<'_>, key: &Key<'_>, seconds: f64) -> rusqlite::Result<i64> {
    let Key { hash, engine, options, version, revision } = key;
    let ago = format!("-{seconds:.3} seconds");
    let run = change
        .prepare_cached(
            "INSERT INTO runs (hash, engine, options, version, revision, state, started_at)
             VALUES (?1, ?2, ?3, ?4, ?5, 'running', strftime('%Y-%m-%dT%H:%M:%SZ', 'now', ?6))
             ON CONFLICT DO UPDATE SET state = excluded.state, started_at = excluded.started_at
             RETURNING id",
        )?
        .query_row(params![hash, engine, options, version, revision, ago], |row| row.get(0))?;
    delete_solutions(change, run)?;
    Ok(run)
}

/// Deletes the stored solutions of a run.
fn delete_solutions(change: &Transaction<'_>, run: i64) -> rusqlite::Result<()> {
    execute(change, "DELETE FROM solutions WHERE run = ?1", [run]).map(|_| ())
}

/// Writes the result of a run, its solutions and the description of its puzzle. If the worker died,
/// deletes solutions that were stored during the run.
fn finish(change: &Transaction<'_>, finished: &Finished<'_>) -> rusqlite::Result<()> {
    let Finished { key, report, exit_code, kept } = finished;
    let (run, number) = match kept.stored {
        Some(stored) => stored,
        None => (start(change, key, report.work.seconds)?, 0),
    };
    let fields = Fields { ended: &report.ended, work: &report.work, exit_code: *exit_code };
    let fields = serde_json::to_value(fields)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let (assignments, mut cells) = update_list(&fields);
    cells.push(Cell::Integer(run));
    let update = format!("UPDATE runs SET state = 'done', {assignments} WHERE id = ?");
    execute(change, &update, params_from_iter(cells))?;
    if report.ended.distinct.is_some() {
        add_solutions(change, run, number, &kept.others)?;
    } else if kept.stored.is_some() {
        // The solutions of a run whose worker died are incomplete and were not counted.
        delete_solutions(change, run)?;
    }
    match &report.puzzle {
        Some(puzzle) => describe(change, key.hash, puzzle),
        None => Ok(()),
    }
}

/// Adds solutions to a run that already has `number` of them; they are numbered from `number + 1`.
fn add_solutions(
    change: &Transaction<'_>,
    run: i64,
    number: u64,
    solutions: &[Kept],
) -> rusqlite::Result<()> {
    for (number, kept) in (number + 1..).zip(solutions) {
        execute(
            change,
            "INSERT INTO solutions (run, number, placements, solutions) VALUES (?1, ?2, ?3, ?4)",
            params![run, number.cast_signed(), kept.placements.get(), kept.solutions],
        )?;
    }
    Ok(())
}

/// Fills in the description of a puzzle whose row already exists, unless an earlier run has stored one with a board.
fn describe(change: &Transaction<'_>, hash: &str, puzzle: &PuzzleFacts) -> rusqlite::Result<()> {
    let PuzzleFacts { name, title, source, board, tiles, kinds } = puzzle;
    execute(
        change,
        "UPDATE puzzles SET name = ?2, title = ?3, source = ?4, board = ?5, tiles = ?6, kinds = ?7
         WHERE hash = ?1 AND board IS NULL",
        params![hash, name, title, source, board, tiles, kinds],
    )
    .map(|_| ())
}
