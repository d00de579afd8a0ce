//! Claims: which batch works on which run, and which runs are done.
//!
//! A run is claimed in the same transaction that finds it open, so two batches never do the same
//! one. Claims of a process that has died are free again.

use std::collections::HashSet;

use itertools::Itertools;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::{
    BatchId, Claim, ENDED, Exchanged, Finished, LONGEST_SILENCE, Store, StoreError, Wish,
    add_solutions, ended, now,
};
use crate::life::Process;
use crate::sources::End;
use crate::{Ended, Key, LIMITS, PuzzleFacts, Record, Seen};

impl Store {
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

    /// Writes what came out of runs, claims others, and forgets what files and folders that have
    /// ended no longer hold: all of it, or nothing.
    ///
    /// A run whose batch is dead is taken over; one that is finished is done again where solutions
    /// are wanted that it did not keep.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn exchange(
        &mut self,
        batch: BatchId,
        finished: &[Finished<'_>],
        wishes: &[Wish<'_>],
        ends: &[End],
    ) -> Result<Exchanged, StoreError> {
        let process = self.process.clone();
        self.change(|change| {
            let accepted = finished.iter().map(|run| finish(change, batch, run));
            let accepted = accepted.try_collect()?;
            stay(change, batch, process.as_ref())?;
            for end in ends {
                match end {
                    End::File { path, documents } => forget_behind(change, path, *documents)?,
                    End::Folder { root, files } => forget_missing(change, root, files)?,
                }
            }
            let claims = wishes.iter().map(|wish| claim(change, batch, wish));
            Ok(Exchanged { accepted, claims: claims.try_collect()? })
        })
    }

    /// Forgets finished runs of these engines, options and revision that are neither complete nor
    /// found as much as was asked for; the hash of a key is not looked at. Returns how many.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn forget_unfinished(&mut self, key: &Key<'_>) -> Result<usize, StoreError> {
        self.change(|change| {
            change.execute(
                "DELETE FROM runs WHERE state = 'done' AND reason NOT IN ('solutions', 'engine')
                 AND engine = ?1 AND options = ?2 AND version = ?3 AND revision = ?4",
                params![key.engine, key.options, key.version, key.revision],
            )
        })
    }

    /// Gives claims back: nobody has run them.
    ///
    /// # Errors
    /// Where the file can't be written.
    pub fn release(&mut self, batch: BatchId, runs: &[i64]) -> Result<(), StoreError> {
        self.change(|change| {
            let mut forget = change.prepare_cached(
                "DELETE FROM runs WHERE id = ?1 AND batch = ?2 AND state = 'running'",
            )?;
            for run in runs {
                forget.execute(params![run, batch.0])?;
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

/// Notes a puzzle and where it lies.
fn see(change: &Transaction<'_>, seen: &Seen<'_>) -> rusqlite::Result<()> {
    change
        .prepare_cached(
            "INSERT INTO puzzles (hash, name, text) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![seen.hash, seen.name, seen.text])?;
    change
        .prepare_cached(
            "INSERT INTO files (path, document, line, hash) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET line = ?3, hash = ?4 WHERE line <> ?3 OR hash <> ?4",
        )?
        .execute(params![seen.path, seen.document, seen.line, seen.hash])?;
    Ok(())
}

/// Forgets documents of a file behind this one: there are no more in it.
fn forget_behind(change: &Transaction<'_>, path: &str, document: u32) -> rusqlite::Result<()> {
    change
        .prepare_cached("DELETE FROM files WHERE path = ?1 AND document > ?2")?
        .execute(params![path, document])?;
    Ok(())
}

/// Forgets the files of a folder that are not in it any more, with all their documents.
fn forget_missing(
    change: &Transaction<'_>,
    root: &str,
    files: &HashSet<String>,
) -> rusqlite::Result<()> {
    let mut known = change.prepare_cached("SELECT DISTINCT path FROM files")?;
    let known: Vec<String> = known.query_map([], |row| row.get(0))?.try_collect()?;
    for path in known.iter().filter(|path| End::lacks(root, files, path)) {
        forget_behind(change, path, 0)?;
    }
    Ok(())
}

fn claim(change: &Transaction<'_>, batch: BatchId, wish: &Wish<'_>) -> rusqlite::Result<Claim> {
    see(change, &wish.seen)?;
    let key = &wish.key;
    if let Some(ended) = complete(change, key)?
        && ended.is_enough(wish.wants_solutions)
    {
        return Ok(Claim::Done(ended));
    }
    if let Some(run) = add_run(change, batch, key)? {
        return Ok(Claim::Ours(run));
    }
    let found = find(change, key)?;
    match found.ended {
        Some(ended) if ended.is_enough(wish.wants_solutions) => return Ok(Claim::Done(ended)),
        Some(_) => {}
        None if is_alive(change, found.batch)? => return Ok(Claim::Taken),
        None => {}
    }
    take_over(change, batch, found.run)?;
    Ok(Claim::Ours(found.run))
}

/// Whether a run was ours, so that its end is written.
fn finish(
    change: &Transaction<'_>,
    batch: BatchId,
    finished: &Finished<'_>,
) -> rusqlite::Result<bool> {
    let Finished { run, report, .. } = *finished;
    let ended = Record::from(report.ended.clone());
    let work = &report.work;
    let known_of_it = ended.distinct.is_some();
    let changed = change
        .prepare_cached(
            "UPDATE runs SET state = 'done', batch = NULL, status = ?3, complete = ?4,
             reason = ?5, error = ?6, exit_code = ?7, distinct_count = ?8,
             class_count = ?9, solution_count = ?10, chosen = ?11, nodes = ?12, tries = ?13,
             solves = ?14, cuts = ?15, seconds = ?16, has_solutions = ?17
             WHERE id = ?1 AND batch = ?2 AND state = 'running'",
        )?
        .execute(params![
            run,
            batch.0,
            ended.status,
            ended.is_complete,
            ended.reason,
            ended.error,
            finished.exit_code,
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
    if changed == 0 {
        return Ok(false);
    }
    if known_of_it {
        add_solutions(change, run, finished.first, finished.kept)?;
    } else {
        // Of a run that was killed nobody knows what it would have said of them.
        forget_solutions(change, run)?;
    }
    if let Some(puzzle) = &report.puzzle {
        describe(change, run, puzzle)?;
    }
    Ok(true)
}

/// What is known of a run.
struct Found {
    run: i64,
    batch: Option<i64>,
    /// `None` while it runs.
    ended: Option<Ended>,
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
    let known = change.prepare_cached(beat)?.execute(params![batch.0, now()])?;
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

/// A new run; gives its id. `None` where there is one already.
fn add_run(
    change: &Transaction<'_>,
    batch: BatchId,
    key: &Key<'_>,
) -> rusqlite::Result<Option<i64>> {
    let Key { hash, engine, options, version, revision } = key;
    let added = change
        .prepare_cached(
            "INSERT INTO runs
             (hash, engine, options, version, revision, batch, state, started_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running',
                     strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![hash, engine, options, version, revision, batch.0])?;
    Ok((added > 0).then(|| change.last_insert_rowid()))
}

/// Begins a run again.
fn take_over(change: &Transaction<'_>, batch: BatchId, run: i64) -> rusqlite::Result<()> {
    forget_solutions(change, run)?;
    change
        .prepare_cached(
            "UPDATE runs SET state = 'running', batch = ?2,
             started_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
        )?
        .execute(params![run, batch.0])?;
    Ok(())
}

fn forget_solutions(change: &Transaction<'_>, run: i64) -> rusqlite::Result<()> {
    let forget = "DELETE FROM solutions WHERE run = ?1";
    change.prepare_cached(forget)?.execute([run])?;
    Ok(())
}

/// What a run says of its puzzle, unless another has said it before.
fn describe(change: &Transaction<'_>, run: i64, puzzle: &PuzzleFacts) -> rusqlite::Result<()> {
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
    Ok(())
}

fn find(connection: &Connection, key: &Key<'_>) -> rusqlite::Result<Found> {
    let mut find = connection.prepare_cached(&format!(
        "SELECT id, batch, state, {ENDED} FROM runs
         WHERE hash = ?1 AND engine = ?2 AND options = ?3 AND version = ?4 AND revision = ?5"
    ))?;
    let place = params![key.hash, key.engine, key.options, key.version, key.revision];
    find.query_row(place, |row| {
        let is_done = row.get::<_, String>(2)? == "done";
        Ok(Found {
            run: row.get(0)?,
            batch: row.get(1)?,
            ended: is_done.then(|| ended(row, 3)).transpose()?,
        })
    })
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
pub(super) fn is_alive(connection: &Connection, batch: Option<i64>) -> rusqlite::Result<bool> {
    let mut find = connection
        .prepare_cached("SELECT host, pid, born, heartbeat FROM batches WHERE id = ?1")?;
    let found = find.query_row([batch], |row| {
        let process = Process { host: row.get(0)?, pid: row.get(1)?, born: row.get(2)? };
        Ok((process, row.get::<_, f64>(3)?))
    });
    Ok(found.optional()?.is_some_and(|(process, heartbeat)| {
        let is_silent = now() - heartbeat > LONGEST_SILENCE.as_secs_f64();
        !is_silent && !process.is_known_dead()
    }))
}
