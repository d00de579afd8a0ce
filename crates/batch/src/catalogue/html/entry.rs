//! A puzzle of the catalogue with its runs, prepared for its pages and for the index.
//!
//! The puzzle is read again as the batch read it; if its file is gone or has changed, the page says
//! so and pictures are left out.

use std::path::Path;

use edgematch::limits::CancelToken;
use edgematch::load::{self, LoadError, ReadOverrides};
use edgematch::problem::Problem;
use edgematch_draw::{Pictures, Style, Titles};
use edgematch_proof::sha256;
use num_bigint::BigUint;
use serde::Deserialize;

use crate::catalogue::Files;
use crate::catalogue::survey::constraints;
use crate::catalogue::words::{one_line, place};
use crate::{PuzzleFacts, Row, Store, StoreError};

/// The engine whose tries tell the difficulty.
const SCAN: &str = "scan-rows";

/// Hexadecimal digits of the hash in the name of a folder.
const DIGITS: usize = 16;

/// A text with all that was found of it.
pub(super) struct Entry {
    pub hash: String,
    pub puzzle: PuzzleFacts,
    /// Where it lies, as people read it.
    pub places: Vec<String>,
    /// Its runs, each with the number of the file of results.
    pub runs: Vec<(usize, Row)>,
    /// The file where it lies alone.
    file: Option<String>,
}

/// A puzzle that can be drawn.
pub(super) struct Puzzle {
    pub problem: Problem,
    text: Vec<u8>,
    pictures: Option<Pictures>,
    /// Why there are no pictures where there should be.
    pub note: Option<String>,
}

/// What the solutions of a run must obey.
pub(super) struct Rules {
    pub problem: Problem,
    /// Why that is not all.
    pub lacks: Option<String>,
}

/// The options that say in words what else must hold.
#[derive(Default, Deserialize)]
struct Extra {
    #[serde(flatten)]
    overrides: ReadOverrides,
    #[serde(default)]
    forbid: Vec<String>,
    #[serde(default)]
    pin: Vec<String>,
    /// Hashes of files.
    #[serde(default)]
    constraints: Vec<String>,
}

impl Rules {
    /// Adds constraints; where they can't be understood, that is noted.
    fn add(&mut self, more: impl FnOnce(Problem) -> Result<Problem, LoadError>) {
        match more(self.problem.clone()) {
            Ok(problem) => self.problem = problem,
            Err(error) => self.lacks = Some(error.message),
        }
    }
}

impl Puzzle {
    /// The puzzle with what the options of a run add to it, as far as its file of results tells.
    pub fn under(&self, options: &str, store: &Store) -> Result<Rules, StoreError> {
        let mut rules = Rules { problem: self.problem.clone(), lacks: None };
        let Ok(extra) = serde_json::from_str::<Extra>(options) else {
            rules.lacks = Some("its options can't be read".into());
            return Ok(rules);
        };
        if extra.overrides != ReadOverrides::default() {
            rules.add(|_| {
                let reading = extra.overrides.options(str::to_owned)?;
                let name = &self.problem.puzzle.name;
                load::from_bytes_as(&self.text, name, name, &reading)
            });
        }
        for hash in &extra.constraints {
            match store.constraints(hash)? {
                None => {
                    let lacks = "a file of constraints is not in the file of results";
                    rules.lacks = Some(lacks.into());
                }
                Some(text) => rules
                    .add(|problem| load::constraints_from_bytes(problem, text.as_bytes(), hash)),
            }
        }
        for (kind, words) in [("forbid", &extra.forbid), ("pin", &extra.pin)] {
            rules.add(|problem| load::with_short_constraints(problem, kind, words, kind));
        }
        Ok(rules)
    }

    pub fn style(&self) -> Style<'_> {
        Style { pictures: self.pictures.as_ref(), titles: Titles::Hidden, ..Style::default() }
    }
}

impl Entry {
    pub fn new(row: &Row) -> Entry {
        Entry {
            hash: row.hash.clone(),
            puzzle: row.puzzle.clone(),
            places: Vec::new(),
            runs: Vec::new(),
            file: None,
        }
    }

    pub fn add(&mut self, file: usize, row: Row) {
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
        let is_known = |(known, run): &(usize, Row)| (*known, run.run) == (file, row.run);
        if !self.runs.iter().any(is_known) {
            self.runs.push((file, row));
        }
    }

    /// What it is called.
    pub fn title(&self) -> String {
        let title = self.puzzle.title.as_deref().map(one_line);
        let title = title.filter(|title| !title.is_empty());
        title.unwrap_or_else(|| one_line(&self.puzzle.name))
    }

    /// The folder of its pages, which no other puzzle has; `None` where the text is no puzzle.
    pub fn folder(&self) -> Option<String> {
        const LONGEST: usize = 48;
        self.puzzle.board.as_ref()?;
        let mut name = String::new();
        for c in self.puzzle.name.chars() {
            if c.is_ascii_alphanumeric() {
                name.push(c.to_ascii_lowercase());
            } else if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
            if name.len() == LONGEST {
                break;
            }
        }
        let name = match name.trim_end_matches('-') {
            "" => "puzzle",
            name => name,
        };
        // The hash in the file may be anything.
        let digits = sha256(self.hash.as_bytes());
        let is_hash = self.hash.len() == digits.len()
            && self.hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let digits = if is_hash { &self.hash } else { &digits };
        Some(format!("{name}-{}", &digits[..DIGITS]))
    }

    /// The run that says most: without constraints, complete, late.
    pub fn best(&self) -> &Row {
        let (_, row) = self
            .runs
            .iter()
            .max_by_key(|(_, row)| worth(row))
            .expect("a puzzle is there because of a run");
        row
    }

    /// The best of the runs that kept solutions, with its file of results.
    pub fn kept(&self) -> Option<&(usize, Row)> {
        let runs = self.runs.iter();
        let kept = runs.filter(|(_, row)| row.ended.has_solutions);
        kept.max_by_key(|(_, row)| worth(row))
    }

    /// The number of solutions that were kept.
    pub fn number_kept(&self, files: &Files) -> Result<u64, StoreError> {
        match self.kept() {
            Some((file, row)) => files.0[*file].number_kept(row.run),
            None => Ok(0),
        }
    }

    /// Tries of `rows --scan` for each distinct solution, as the largest catalogue of bought
    /// puzzles has it; only where there was such a run.
    pub fn difficulty(&self) -> Option<f64> {
        let is_measured = |row: &Row| {
            row.engine == SCAN
                && row.ended.status.is_complete()
                && constraints(&row.options).is_empty()
        };
        let mut runs = self.runs.iter().map(|(_, row)| row);
        let run = runs.find(|row| is_measured(row))?;
        let distinct: f64 = run.ended.distinct.as_ref()?.parse().ok()?;
        (distinct > 0.0).then(|| run.work.tries as f64 / distinct)
    }

    /// What went wrong, where anything did.
    pub fn error(&self) -> Option<String> {
        self.runs.iter().find_map(|(_, row)| row.ended.status.message())
    }

    /// Reads the puzzle from its text; in words why that can't be done.
    pub fn load(&self, files: &Files) -> Result<Result<Puzzle, String>, StoreError> {
        for (file, row) in &self.runs {
            if let Some(text) = files.0[*file].text(&self.hash)? {
                return Ok(match self.read(&text, &row.options) {
                    Ok(problem) => Ok(self.with_pictures(problem, text)),
                    Err(error) => Err(format!("the text is not read any more: {}", error.message)),
                });
            }
        }
        Ok(Err("the text is not in the file of results".into()))
    }

    /// Reads the text as the options of a run told, on the puzzle's own board where it has one.
    fn read(&self, text: &[u8], options: &str) -> Result<Problem, LoadError> {
        let overrides = serde_json::from_str::<Extra>(options).unwrap_or_default().overrides;
        let name = &self.puzzle.name;
        let read = |overrides: &ReadOverrides| {
            let reading = overrides.options(str::to_owned)?;
            load::from_bytes_as(text, name, name, &reading)
        };
        read(&overrides.without_board()).or_else(|error| read(&overrides).map_err(|_| error))
    }

    /// With the pictures of the tiles, where the puzzle's file is still there and still the same.
    fn with_pictures(&self, problem: Problem, text: Vec<u8>) -> Puzzle {
        let without = |problem, text, note| Puzzle { problem, text, pictures: None, note };
        let Some(file) = self.file.as_ref().map(Path::new) else {
            return without(problem, text, None);
        };
        let same = load::puzzle_file(file).ok().filter(|file| {
            // A pipe would never end.
            let bytes = file.is_file().then(|| load::read_bytes(file).ok()).flatten();
            bytes.is_some_and(|bytes| sha256(&bytes) == self.hash)
        });
        let Some(file) = same else {
            let note = problem.puzzle.pictures.as_ref().map(|_| {
                "drawn without its pictures, as its file is not there any more, or another".into()
            });
            return without(problem, text, note);
        };
        let Some(pattern) = load::picture_pattern(&problem, &file) else {
            return without(problem, text, None);
        };
        let folder = file.parent().unwrap_or(Path::new(""));
        match Pictures::read(&problem, folder, &pattern, &CancelToken::never()) {
            Err(error) => {
                without(problem, text, Some(format!("drawn without its pictures: {error}")))
            }
            Ok(pictures) => Puzzle { problem, text, pictures: Some(pictures), note: None },
        }
    }
}

/// How much a run says of its puzzle: all, or as much as possible.
fn worth(row: &Row) -> (bool, bool, BigUint, bool, &str) {
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
