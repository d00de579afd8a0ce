//! Reads a file of results of parts line by line: solutions, statistics, status.
//!
//! Only hashes of solutions are stored, so a file may be larger than memory.

use std::fs::File;
use std::io::{self, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use hmac_sha256::Hash;
use num_bigint::BigUint;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::{PartStatus, parse_count};
use crate::engine::PartOf;
use crate::enumerate::first_half;
use crate::load::{LoadError, next_line};

/// The combined results and work of parts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MergedTotals {
    /// The number of distinct arrangements.
    pub distinct: u64,
    /// The number of solutions up to the symmetries of the board.
    pub classes: BigUint,
    /// The number of labelled solutions.
    pub solutions: BigUint,
    /// The engines, without duplicates.
    pub engines: Vec<String>,
    /// The total seconds of all parts.
    pub seconds: f64,
    /// The number of nodes; see [`Work`](crate::engine::Work) for this and the other fields.
    pub nodes: u64,
    /// The number of placements tested against the seams.
    pub tries: u64,
    /// The number of calls of the recursive search with k tiles placed.
    pub calls_per_level: Vec<u64>,
    /// The number of times a model was solved.
    pub solves: u64,
    /// The number of no-good cuts.
    pub cuts: u64,
}

impl MergedTotals {
    /// Adds the totals of a part; `None` if a sum of 64-bit numbers overflows.
    pub(super) fn add(mut self, part: &MergedTotals) -> Option<MergedTotals> {
        for (sum, more) in [
            (&mut self.distinct, part.distinct),
            (&mut self.nodes, part.nodes),
            (&mut self.tries, part.tries),
            (&mut self.solves, part.solves),
            (&mut self.cuts, part.cuts),
        ] {
            *sum = sum.checked_add(more)?;
        }
        self.classes += &part.classes;
        self.solutions += &part.solutions;
        for engine in &part.engines {
            if !self.engines.contains(engine) {
                self.engines.push(engine.clone());
            }
        }
        self.seconds += part.seconds;
        let levels = self.calls_per_level.len().max(part.calls_per_level.len());
        self.calls_per_level.resize(levels, 0);
        for (calls, more) in self.calls_per_level.iter_mut().zip(&part.calls_per_level) {
            *calls = calls.checked_add(*more)?;
        }
        Some(self)
    }
}

/// A solution in the results of a part.
#[derive(Debug, Clone, Copy)]
pub struct PartSolution<'a> {
    /// The placements, as JSON.
    pub placements: &'a RawValue,
    /// The placements of the canonical form, as JSON.
    pub canonical: Option<&'a RawValue>,
    /// The number of labelled solutions that it represents, as JSON.
    pub solutions: Option<&'a RawValue>,
}

/// A line of results: any object that `solve` writes. Missing fields have defaults.
#[derive(Deserialize)]
struct ResultLine<'a> {
    #[serde(rename = "type")]
    kind: String,
    #[serde(borrow)]
    placements: Option<&'a RawValue>,
    #[serde(borrow)]
    canonical: Option<&'a RawValue>,
    #[serde(borrow)]
    solutions: Option<&'a RawValue>,
    #[serde(borrow)]
    classes: Option<&'a RawValue>,
    distinct: Option<u64>,
    part: Option<PartStatus>,
    message: Option<String>,
    engine: Option<String>,
    chosen: Option<String>,
    #[serde(default)]
    seconds: f64,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    tries: u64,
    #[serde(default)]
    calls_per_level: Vec<u64>,
    #[serde(default)]
    solves: u64,
    #[serde(default)]
    cuts: u64,
}

impl ResultLine<'_> {
    /// The work in a statistics object, without counts of solutions.
    fn work(self) -> MergedTotals {
        MergedTotals {
            engines: self.chosen.or(self.engine).into_iter().collect(),
            seconds: self.seconds,
            nodes: self.nodes,
            tries: self.tries,
            calls_per_level: self.calls_per_level,
            solves: self.solves,
            cuts: self.cuts,
            ..MergedTotals::default()
        }
    }

    /// The counts in a status: distinct arrangements, classes and labelled solutions; `None` if one
    /// is missing or invalid.
    fn counts(&self) -> Option<(u64, BigUint, BigUint)> {
        let [classes, solutions] = [self.classes, self.solutions].map(|n| parse_count(n?.get()));
        Some((self.distinct?, classes?, solutions?))
    }
}

/// The results of one run of a part, up to its status.
#[derive(Debug, Clone)]
pub(super) struct Section {
    pub file: PathBuf,
    /// The line of the status, from 1.
    line: usize,
    /// The byte offset of the section in the file.
    start: u64,
    pub status: PartStatus,
    pub totals: MergedTotals,
    /// The error message if the run failed.
    pub failure: Option<String>,
    /// The hash of each solution and its line in the file.
    pub found: Vec<(u128, usize)>,
}

impl Section {
    /// A copy without solutions, totals and failure.
    pub fn without_results(&self) -> Section {
        Section {
            file: self.file.clone(),
            status: self.status.clone(),
            totals: MergedTotals::default(),
            failure: None,
            found: Vec::new(),
            ..*self
        }
    }

    /// A value that is equal for equal sets of solutions, in any order: their number, the sum of
    /// their hashes, and the number of labelled solutions.
    pub fn fingerprint(&self) -> (usize, u128, &BigUint) {
        let sum = self.found.iter().map(|(hash, _)| *hash).fold(0, u128::wrapping_add);
        (self.found.len(), sum, &self.totals.solutions)
    }

    /// An error at the line of the status.
    fn error(&self, message: String) -> LoadError {
        LoadError {
            position: Some((self.line, 1)),
            ..LoadError::whole_file(self.file.display(), message)
        }
    }

    /// Checks that two sections belong to the same search.
    ///
    /// # Errors
    /// If they differ in the puzzle, the number of parts, the version of the program or the leaves.
    /// The error is at the status of this section.
    pub fn check_same_search(&self, other: &Section) -> Result<(), LoadError> {
        let one = &self.status;
        let two = &other.status;
        let file = other.file.display();
        let message = if one.puzzle != two.puzzle {
            format!("its puzzle or constraints differ from those of {file}")
        } else if one.of != two.of {
            format!("it is one of {} parts, but {file} is one of {}", one.of, two.of)
        } else if (&one.version, &one.revision) != (&two.version, &two.revision) {
            format!(
                "it was written by version {} (revision {}), but {file} by {} ({})",
                one.version, one.revision, two.version, two.revision
            )
        } else if (&one.frontier, one.of_leaves) != (&two.frontier, two.of_leaves) {
            format!(
                "its search was divided differently from that of {file}: was another engine used?"
            )
        } else {
            return Ok(());
        };
        Err(self.error(message))
    }

    /// Reads the solutions again and passes them to `take`.
    ///
    /// # Errors
    /// If the file cannot be read or has changed, or `take` fails.
    pub fn solutions(
        &self,
        take: &mut dyn FnMut(PartSolution<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut reader = BufReader::new(File::open(&self.file)?);
        reader.seek(SeekFrom::Start(self.start))?;
        let mut line = Vec::new();
        for _ in 0..self.found.len() {
            next_line(&mut reader, &mut line)?;
            let object: ResultLine<'_> = serde_json::from_slice(&line)?;
            if let Some(placements) = object.placements {
                let ResultLine { canonical, solutions, .. } = object;
                take(PartSolution { placements, canonical, solutions })?;
            }
        }
        Ok(())
    }
}

/// The way in which a section ends.
pub(super) enum SectionEnd {
    /// A status.
    Status(Box<Section>),
    /// The end of the file without a status, with a description of the defect.
    Broken(&'static str),
}

/// A reader of the sections of a file.
pub(super) struct PartReader {
    file: PathBuf,
    reader: BufReader<File>,
    line: usize,
    position: u64,
}

impl PartReader {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be opened or is a folder.
    pub fn open(path: &Path) -> Result<PartReader, LoadError> {
        let unreadable = |error: io::Error| {
            LoadError::whole_file(path.display(), format!("it can't be read: {error}"))
        };
        let file = File::open(path).map_err(unreadable)?;
        if file.metadata().map_err(unreadable)?.is_dir() {
            let message = "it is a folder; give the files in it".into();
            return Err(LoadError::whole_file(path.display(), message));
        }
        Ok(PartReader { file: path.to_owned(), reader: BufReader::new(file), line: 0, position: 0 })
    }

    /// An error in the current line.
    fn error(&self, column: usize, message: String) -> LoadError {
        LoadError {
            position: Some((self.line, column)),
            ..LoadError::whole_file(self.file.display(), message)
        }
    }

    /// Reads up to the next status; `None` at the end of the file.
    ///
    /// # Errors
    /// If a line cannot be read, is not an object in the results of a part, or contradicts the
    /// lines before it.
    pub fn next_section(&mut self) -> Result<Option<SectionEnd>, LoadError> {
        let start = self.position;
        let mut totals = MergedTotals::default();
        let mut found = Vec::new();
        let mut failure = None;
        let mut solutions = BigUint::default();
        let mut bytes = Vec::new();
        loop {
            let length = next_line(&mut self.reader, &mut bytes);
            self.line += 1;
            match length.map_err(|error| self.error(1, format!("it can't be read: {error}")))? {
                0 if start == 0 && self.position == 0 => {
                    return Ok(Some(self.end_without_status("is empty")));
                }
                0 if start == self.position => return Ok(None),
                0 => return Ok(Some(self.end_without_status("ends before its status"))),
                length => self.position += length as u64,
            }
            if !bytes.ends_with(b"\n") {
                // A line without a line break is always the last one.
                return Ok(Some(SectionEnd::Broken("ends in the middle of a line")));
            }
            let object = self.object(&bytes)?;
            let status = object.part.clone();
            match (object.kind.as_str(), status) {
                ("solution", _) => {
                    let (hash, number) = self.solution(&object)?;
                    solutions += number;
                    found.push((hash, self.line));
                }
                ("statistics", _) => totals = object.work(),
                ("error", _) => failure = object.message,
                ("status", Some(status)) => {
                    self.check_part(&status)?;
                    let there = (found.len() as u64, &solutions);
                    let (distinct, classes, all) = self.counts(&object, status.complete, there)?;
                    (totals.distinct, totals.classes, totals.solutions) = (distinct, classes, all);
                    return Ok(Some(SectionEnd::Status(Box::new(Section {
                        file: self.file.clone(),
                        line: self.line,
                        start,
                        status,
                        totals,
                        failure,
                        found,
                    }))));
                }
                ("status", None) => {
                    let no_part = "this run is not a part of a search: there is nothing to merge";
                    let failed = failure.map(|message| format!("the run failed: {message}"));
                    return Err(self.error(1, failed.unwrap_or_else(|| no_part.into())));
                }
                (other, _) => {
                    let message =
                        format!("`{other}` is not a type of object in the results of a part");
                    return Err(self.error(1, message));
                }
            }
        }
    }

    /// Parses the object in a line.
    ///
    /// # Errors
    /// If the line is not a JSON object with the expected types.
    fn object<'a>(&self, bytes: &'a [u8]) -> Result<ResultLine<'a>, LoadError> {
        serde_json::from_slice(bytes).map_err(|error| {
            let what = if error.is_eof() { ", found an incomplete one" } else { "" };
            let message = "expected one JSON object per line, as in the results of a part";
            self.error(1, format!("{message}{what}"))
        })
    }

    /// The hash of a solution's placements, and the number of labelled solutions that it
    /// represents.
    ///
    /// # Errors
    /// If either is missing.
    fn solution(&self, object: &ResultLine<'_>) -> Result<(u128, BigUint), LoadError> {
        let missing = |what: &str| self.error(1, what.into());
        let placements = object.placements;
        let placements = placements.ok_or_else(|| missing("a solution without `placements`"))?;
        let number = object.solutions.and_then(|n| parse_count(n.get()));
        let number = number.ok_or_else(|| {
            missing("a solution without `solutions`, the number that it represents")
        })?;
        Ok((first_half(Hash::hash(placements.get().as_bytes())), number))
    }

    /// The counts in a status: distinct arrangements, classes and labelled solutions. `there` has
    /// the number of arrangements and of labelled solutions listed before it.
    ///
    /// # Errors
    /// If a count is missing, or the part is complete but its counts differ from `there`.
    fn counts(
        &self,
        object: &ResultLine<'_>,
        is_complete: bool,
        there: (u64, &BigUint),
    ) -> Result<(u64, BigUint, BigUint), LoadError> {
        let counts = object.counts();
        let counts = counts
            .ok_or_else(|| self.error(1, "a status without the counts of solutions".into()))?;
        let distinct = counts.0;
        let all = &counts.2;
        if is_complete && there != (distinct, all) {
            let message = format!(
                "the status counts {distinct} distinct and {all} solutions, but {} distinct and {} \
                 solutions precede it",
                there.0, there.1
            );
            return Err(self.error(1, message));
        }
        Ok(counts)
    }

    /// Checks the part number, the number of parts and the numbers of leaves.
    ///
    /// # Errors
    /// If they are impossible.
    fn check_part(&self, status: &PartStatus) -> Result<(), LoadError> {
        let PartStatus { part, of, .. } = *status;
        let message = if of > PartOf::MOST {
            format!("the status names {of} parts, but a search has at most {}", PartOf::MOST)
        } else if part < 1 || part > of {
            format!("there is no part {part} of {of}")
        } else if status.leaves > status.of_leaves {
            format!(
                "the part claims {} leaves, but the search has only {}",
                status.leaves, status.of_leaves
            )
        } else {
            return Ok(());
        };
        Err(self.error(1, message))
    }

    /// The result for a file that ends without a status.
    fn end_without_status(&mut self, what: &'static str) -> SectionEnd {
        // Even for an empty file, the next call must find the end of the file.
        self.position = self.position.max(1);
        SectionEnd::Broken(what)
    }
}
