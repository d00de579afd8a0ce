//! Writing a results file: puzzles, the files that hold them, and the results of runs.

use itertools::Itertools;
use rusqlite::types::Value as Cell;
use rusqlite::{Transaction, TransactionBehavior, params, params_from_iter};
use serde::Serialize;

use super::columns::{assigned, read, selected};
use super::{Result, Store};
use crate::sources::{End, Item};
use crate::status::Ended;
use crate::{Kept, Key, LIMITS, PuzzleFacts, RunReport, RunWork};

/// The result of a run that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Finished<'a> {
    /// The run.
    pub key: Key<'a>,
    /// Its result.
    pub report: &'a RunReport,
    /// Its exit code.
    pub exit_code: u8,
    /// Its solutions, if they are to be kept.
    pub kept: &'a RunSolutions,
}

/// The solutions of a run. Some of them may be in the store before the run ends.
#[derive(Debug, Default)]
pub struct RunSolutions {
    /// The run in the store and the number of its solutions there.
    pub(crate) stored: Option<(i64, u64)>,
    /// The others.
    pub(crate) others: Vec<Kept>,
}

impl RunSolutions {
    /// Solutions of which none is in the store.
    pub fn new(solutions: Vec<Kept>) -> RunSolutions {
        RunSolutions { stored: None, others: solutions }
    }
}

/// The fields of a finished run that describe its result.
#[derive(Serialize)]
struct Fields<'a> {
    #[serde(flatten)]
    ended: &'a Ended,
    #[serde(flatten)]
    work: &'a RunWork,
    exit_code: u8,
}

impl Store {
    /// Makes a change whole or not at all.
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
        changed.map_err(|error| self.trouble(&error))
    }

    /// Notes puzzles and their files, and forgets what files and folders that have ended no longer
    /// hold. Returns for each run its stored result, or `None` if it is to be done: if there is no
    /// result, or solutions are wanted and not stored.
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
                note_puzzle(change, item)?;
                stored(change, key, wants_solutions)
            });
            stored.try_collect()
        })
    }

    /// Writes solutions of a run that goes on.
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

    /// Writes the results of runs.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(&mut self, finished: &[Finished<'_>]) -> Result<()> {
        self.change(|change| finished.iter().try_for_each(|finished| finish(change, finished)))
    }

    /// Deletes the runs that were begun and not finished, with their solutions.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn drop_unfinished(&mut self) -> Result<()> {
        self.change(|change| change.execute_batch("DELETE FROM runs WHERE state = 'running'"))
    }

    /// Deletes finished runs of these engines, options and revision that are neither complete nor
    /// found as much as was asked for; ignores the hash of the key.
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

    /// Notes a file of constraints that the options of runs name by this hash.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn note_constraints(&mut self, hash: &str, path: &str, text: &str) -> Result<()> {
        self.change(|change| {
            let note = "INSERT INTO constraint_files (hash, path, text) VALUES (?1, ?2, ?3)
                        ON CONFLICT DO NOTHING";
            change.execute(note, [hash, path, text]).map(|_| ())
        })
    }
}

fn execute(
    change: &Transaction<'_>,
    sql: &str,
    parameters: impl rusqlite::Params,
) -> rusqlite::Result<usize> {
    change.prepare_cached(sql)?.execute(parameters)
}

fn note_puzzle(change: &Transaction<'_>, item: &Item) -> rusqlite::Result<()> {
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

/// Deletes the documents that a file no longer has, or the files that a folder no longer has.
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

/// The result of a run that need not be repeated: the same run, or a complete one under other
/// limits, because no limit would change it.
fn stored(
    change: &Transaction<'_>,
    key: &Key<'_>,
    wants_solutions: bool,
) -> rusqlite::Result<Option<Ended>> {
    let columns = selected(true);
    let limits = LIMITS.map(|name| format!("'$.{name}'")).join(", ");
    let mut find = change.prepare_cached(&format!(
        "SELECT {columns} FROM runs r
         WHERE hash = ?1 AND engine = ?2 AND version = ?4 AND revision = ?5 AND state = 'done'
         AND (options = ?3
             OR complete AND json_remove(options, {limits}) = json_remove(?3, {limits}))
         ORDER BY complete DESC, has_solutions DESC"
    ))?;
    let place = params![key.hash, key.engine, key.options, key.version, key.revision];
    for ended in find.query_map(place, read::<Ended>)? {
        let ended = ended?;
        if ended.is_enough(wants_solutions) {
            return Ok(Some(ended));
        }
    }
    Ok(None)
}

/// Enters a run that began this number of seconds ago, in place of an earlier one with the same
/// key; returns its id.
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
    forget_solutions(change, run)?;
    Ok(run)
}

fn forget_solutions(change: &Transaction<'_>, run: i64) -> rusqlite::Result<()> {
    execute(change, "DELETE FROM solutions WHERE run = ?1", [run]).map(|_| ())
}

fn finish(change: &Transaction<'_>, finished: &Finished<'_>) -> rusqlite::Result<()> {
    let Finished { key, report, exit_code, kept } = finished;
    let (run, number) = match kept.stored {
        Some(stored) => stored,
        None => (start(change, key, report.work.seconds)?, 0),
    };
    let fields = Fields { ended: &report.ended, work: &report.work, exit_code: *exit_code };
    let fields = serde_json::to_value(fields)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    let (assignments, mut cells) = assigned(&fields);
    cells.push(Cell::Integer(run));
    let update = format!("UPDATE runs SET state = 'done', {assignments} WHERE id = ?");
    execute(change, &update, params_from_iter(cells))?;
    if report.ended.distinct.is_some() {
        add_solutions(change, run, number, &kept.others)?;
    } else if kept.stored.is_some() {
        // Nobody knows what a run that was killed would have said of them.
        forget_solutions(change, run)?;
    }
    match &report.puzzle {
        Some(puzzle) => describe(change, key.hash, puzzle),
        None => Ok(()),
    }
}

/// Adds solutions to a run that has this number of them.
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

/// Describes a puzzle, unless another run has described it before.
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
