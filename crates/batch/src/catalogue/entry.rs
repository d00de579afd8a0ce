//! A puzzle of results files with its runs and their stored solutions.
//!
//! The puzzle is read again from its stored text, with the options of its run. Its pictures are
//! used only if its file still exists and has not changed; otherwise a note says so.

use std::collections::HashMap;
use std::path::Path;

use edgematch::load::{self, LoadError, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::runtime::clock::seconds;
use edgematch::runtime::limits::CancelToken;
use edgematch_draw::Pictures;
use edgematch_proof::sha256;
use edgematch_report::natural;
use num_bigint::BigUint;
use serde::Deserialize;

use super::solutions::{Checked, check_stored};
use super::survey::constraints;
use super::words::{counts, engine, one_line, place, verdict, version_and_date, work};
use super::{Files, Selection, Survey};
use crate::{Ended, PuzzleFacts, Result, RunRow, Store, StoreError};

/// A puzzle's text with all its runs.
#[derive(Debug)]
pub struct Entry {
    /// The SHA-256 of the text.
    hash: String,
    /// The description of the puzzle.
    pub puzzle: PuzzleFacts,
    /// The files that contain it, with the document if a file has several; for people.
    places: Vec<String>,
    /// Its runs, each with the index of its results file.
    runs: Vec<(usize, RunRow)>,
    /// A file that contains only this puzzle.
    file: Option<String>,
}

/// A puzzle with the stored solutions of one of its runs.
#[derive(Debug)]
pub struct Restored {
    /// That run, in one line for people.
    pub run: String,
    /// The puzzle with the constraints of that run.
    pub problem: Problem,
    /// The pictures of the tiles, if there are any.
    pub pictures: Option<Pictures>,
    /// The solutions that passed the check, and the faults of the others.
    pub solutions: Checked,
    /// True if these are proven to be all solutions.
    pub is_complete: bool,
    /// Remarks that are not faults: constraints, missing pictures, constraints that cannot be read.
    pub notes: Vec<String>,
}

/// A puzzle that was read from its stored text.
struct Puzzle {
    problem: Problem,
    text: Vec<u8>,
    /// The pictures of its tiles, `None` if it has none, or why they cannot be shown.
    pictures: Result<Option<Pictures>, String>,
}

/// The options of a run that change the problem.
#[derive(Default, Deserialize)]
struct Extra {
    #[serde(flatten)]
    overrides: ReadOverrides,
    #[serde(default)]
    forbid: Vec<String>,
    #[serde(default)]
    pin: Vec<String>,
    /// Hashes of files of constraints.
    #[serde(default)]
    constraints: Vec<String>,
}

impl Puzzle {
    /// The puzzle with the board and the constraints that the options of a run specify. If one of
    /// them cannot be read, it is left out, and the second value is the last such error; `None` if
    /// all were applied.
    ///
    /// # Errors
    /// If the results file cannot be read.
    fn with_options(&self, options: &str, store: &Store) -> Result<(Problem, Option<String>)> {
        let mut rules = (self.problem.clone(), None);
        let Ok(extra) = serde_json::from_str::<Extra>(options) else {
            rules.1 = Some("the options of the run cannot be read".into());
            return Ok(rules);
        };
        let mut add =
            |more: &dyn Fn(Problem) -> Result<Problem, LoadError>| match more(rules.0.clone()) {
                Ok(problem) => rules.0 = problem,
                Err(error) => rules.1 = Some(error.message),
            };
        if extra.overrides != ReadOverrides::default() {
            let name = &self.problem.puzzle.name;
            add(&|_| {
                let reading = extra.overrides.options(str::to_owned)?;
                load::from_bytes_as(&self.text, name, name, &reading)
            });
        }
        for hash in &extra.constraints {
            let text = store.constraints(hash)?;
            let missing = "the constraints file of this run is not stored in the results file";
            add(&|problem| match &text {
                Some(text) => load::constraints_from_bytes(problem, text.as_bytes(), hash),
                None => Err(LoadError::whole_file(hash, missing.into())),
            });
        }
        for (kind, words) in [("forbid", &extra.forbid), ("pin", &extra.pin)] {
            add(&|problem| load::with_short_constraints(problem, kind, words, kind));
        }
        Ok(rules)
    }
}

/// The puzzles of the selected rows with their runs, in the natural order of their titles.
///
/// # Errors
/// If a file can't be read.
pub fn entries(files: &Files, survey: &Survey, selection: &Selection) -> Result<Vec<Entry>> {
    let mut entries: HashMap<String, Entry> = HashMap::new();
    files.rows(survey, selection, |file, row| {
        let entry = entries.entry(row.hash.clone()).or_insert_with(|| Entry::new(&row));
        entry.add(file, row);
        Ok::<(), StoreError>(())
    })?;
    let mut entries: Vec<Entry> = entries.into_values().collect();
    entries.sort_by(|one, other| {
        natural(&one.title(), &other.title()).then_with(|| one.hash.cmp(&other.hash))
    });
    Ok(entries)
}

impl Entry {
    /// An entry for the puzzle of a row, still without runs and files; the row itself is not added.
    fn new(row: &RunRow) -> Entry {
        Entry {
            hash: row.hash.clone(),
            puzzle: row.puzzle.clone(),
            places: Vec::new(),
            runs: Vec::new(),
            file: None,
        }
    }

    /// Adds a row of the results file with this index. A run that has several rows is added once.
    fn add(&mut self, file: usize, row: RunRow) {
        let place = one_line(&place(&row));
        if row.path.is_some() && !self.places.contains(&place) {
            self.places.push(place);
        }
        if self.puzzle.board.is_none() {
            self.puzzle = row.puzzle.clone();
        }
        if self.file.is_none() && row.documents == 1 {
            self.file.clone_from(&row.path);
        }
        if !self.runs.iter().any(|(known, run)| (*known, run.run) == (file, row.run)) {
            self.runs.push((file, row));
        }
    }

    /// The puzzle's title, or its name if it has none; on one line.
    pub fn title(&self) -> String {
        let title = self.puzzle.title.as_deref().map(one_line);
        title.filter(|title| !title.is_empty()).unwrap_or_else(|| one_line(&self.puzzle.name))
    }

    /// The first file that contains it, or its name if none does any more.
    pub fn place(&self) -> String {
        self.places.first().cloned().unwrap_or_else(|| one_line(&self.puzzle.name))
    }

    /// The end of the most informative run: preferably one without constraints, complete, with the
    /// most solutions, stored solutions, and started last.
    pub fn ended(&self) -> &Ended {
        &self.best().1.ended
    }

    /// The most informative run with the index of its results file.
    fn best(&self) -> &(usize, RunRow) {
        self.runs.iter().max_by_key(|(_, row)| worth(row)).expect("an entry is made of a run")
    }

    /// The number of distinct solutions that this run found, such as `≥ 1,000`; empty if it did not
    /// search.
    pub fn shown(&self) -> String {
        let [distinct, ..] = counts(self.ended());
        distinct
    }

    /// A line for each run: engine, result, work, time, constraints and version.
    pub fn lines(&self) -> Vec<String> {
        self.runs.iter().map(|(_, row)| line(row)).collect()
    }

    /// The error message of the first run that has one; `None` if no run failed.
    pub fn error(&self) -> Option<String> {
        self.runs.iter().find_map(|(_, row)| row.ended.status.message())
    }

    /// The puzzle with up to `most` stored solutions (0 means all) of its most informative run that
    /// has stored solutions; each solution is checked. The inner error says why the puzzle cannot
    /// be read.
    ///
    /// # Errors
    /// If a results file cannot be read.
    pub fn restored(&self, files: &Files, most: u64) -> Result<Result<Restored, String>> {
        let puzzle = match self.load(files)? {
            Ok(puzzle) => puzzle,
            Err(why) => return Ok(Err(why)),
        };
        let kept = self.runs.iter().filter(|(_, row)| row.ended.has_solutions);
        let (file, row) = kept.max_by_key(|(_, row)| worth(row)).unwrap_or_else(|| self.best());
        let store = &files.0[*file];
        let ended = &row.ended;
        let (problem, lacks) = puzzle.with_options(&row.options, store)?;
        let solutions = if ended.has_solutions {
            check_stored(store, row, (&problem, lacks.is_none()), most)?
        } else {
            Checked::default()
        };
        let is_all = solutions.faults.is_empty() && solutions.left_out == 0 && lacks.is_none();
        let has_all = ended.has_solutions || !ended.has_found();
        let rule = Some(constraints(&row.options)).filter(|rule| !rule.is_empty());
        let (pictures, note) = match puzzle.pictures {
            Ok(pictures) => (pictures, None),
            Err(note) => (None, Some(note)),
        };
        let notes = [
            note,
            rule.map(|rule| format!("with constraints: {rule}")),
            lacks.map(|why| format!("checked against the puzzle alone: {why}")),
        ];
        Ok(Ok(Restored {
            run: line(row),
            problem,
            pictures,
            solutions,
            is_complete: ended.status.is_complete() && is_all && has_all,
            notes: notes.into_iter().flatten().map(|note| one_line(&note)).collect(),
        }))
    }

    /// Reads the puzzle from its stored text. The inner error says why the text is missing or
    /// invalid.
    ///
    /// # Errors
    /// If a results file cannot be read.
    fn load(&self, files: &Files) -> Result<Result<Puzzle, String>> {
        for (file, row) in &self.runs {
            if let Some(text) = files.0[*file].text(&self.hash)? {
                return Ok(match self.read(&text, &row.options) {
                    Ok(problem) => Ok(Puzzle { pictures: self.pictures(&problem), problem, text }),
                    Err(error) => Err(format!("the text can no longer be read: {}", error.message)),
                });
            }
        }
        Ok(Err("the puzzle's text is not in the results file".into()))
    }

    /// Reads the text with the options of a run, but with the puzzle's own board. If that fails,
    /// uses the board of the options.
    ///
    /// # Errors
    /// The error with the puzzle's own board, if both fail.
    fn read(&self, text: &[u8], options: &str) -> Result<Problem, LoadError> {
        let overrides = serde_json::from_str::<Extra>(options).unwrap_or_default().overrides;
        let name = &self.puzzle.name;
        let read = |overrides: &ReadOverrides| {
            load::from_bytes_as(text, name, name, &overrides.options(str::to_owned)?)
        };
        read(&overrides.without_board()).or_else(|error| read(&overrides).map_err(|_| error))
    }

    /// The pictures of the tiles if the puzzle's file still exists unchanged; `None` if it has no
    /// pictures. The error is a note why they are missing.
    fn pictures(&self, problem: &Problem) -> Result<Option<Pictures>, String> {
        let Some(file) = &self.file else {
            return Ok(None);
        };
        let file = load::puzzle_file(Path::new(file)).ok().filter(|file| {
            // Only regular files: reading a pipe might never end.
            let bytes = file.is_file().then(|| load::read_bytes(file).ok()).flatten();
            bytes.is_some_and(|bytes| sha256(&bytes) == self.hash)
        });
        let Some(file) = file else {
            let note =
                "drawn without its pictures, because its file has changed or no longer exists";
            return problem.puzzle.pictures.as_ref().map_or(Ok(None), |_| Err(note.into()));
        };
        Pictures::read(problem, &file, &CancelToken::never())
            .map_err(|error| format!("drawn without its pictures: {error}"))
    }
}

/// A run in one line for people.
fn line(row: &RunRow) -> String {
    let [distinct, classes, solutions] = counts(&row.ended);
    let counted = format!("{distinct} distinct, {classes} classes, {solutions} solutions");
    let parts = [
        verdict(&row.ended),
        row.ended.status.message().unwrap_or_default(),
        if distinct.is_empty() { distinct } else { counted },
        work(&row.work),
        seconds(row.work.seconds),
        constraints(&row.options),
        version_and_date(row),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    one_line(&format!("{}: {}", engine(row), parts.join("; ")))
}

/// A sort key: the greater, the more a run says about its puzzle.
fn worth(row: &RunRow) -> (bool, bool, BigUint, bool, &str) {
    let ended = &row.ended;
    let found = ended.distinct.as_ref().and_then(|digits| digits.parse().ok());
    (
        constraints(&row.options).is_empty(),
        ended.status.is_complete(),
        found.unwrap_or_default(),
        ended.has_solutions,
        &row.started_at,
    )
}
