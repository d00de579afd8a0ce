//! Merges the results of the parts of a search.
//!
//! Each part writes JSON, one object per line; the last object identifies the part and the search,
//! and states if it is complete. A file may contain several parts, and a part may occur in several
//! files, for example if it was stopped and rerun. The search is complete if every part is present
//! and complete. No solution may occur twice.

mod read;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::read::{MergedTotals, PartSolution};
use self::read::{Section, SectionEnd};
use crate::load::LoadError;

/// The description of one run of a part, which ends its results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartStatus {
    /// The number of the part, from 1.
    pub part: u32,
    /// The number of parts.
    pub of: u32,
    /// True if the whole part was searched and everything found was printed.
    pub complete: bool,
    /// The number of leaves of the search tree in this part.
    pub leaves: usize,
    /// The number of leaves in all parts.
    pub of_leaves: usize,
    /// The SHA-256 of the search's leaves; empty if the part was stopped before they were known.
    pub frontier: String,
    /// The SHA-256 of the puzzle and its constraints.
    pub puzzle: String,
    /// The version of the program.
    pub version: String,
    /// The [`REVISION`](crate::REVISION) of the program.
    pub revision: String,
}

/// The reason why parts cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeError {
    /// A file cannot be read, is not a part, or belongs to another search.
    #[error("{0}")]
    BadFile(LoadError),
    /// Parts contradict each other.
    #[error("{0}")]
    Contradiction(String),
}

impl From<LoadError> for MergeError {
    fn from(error: LoadError) -> MergeError {
        MergeError::BadFile(error)
    }
}

/// The merged results of the parts of a search.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The number of parts of the search.
    pub of: u32,
    /// The combined results and work of all parts.
    pub totals: MergedTotals,
    /// The seconds of the part that took longest.
    pub longest: f64,
    /// The parts of which no run was found, ascending.
    pub missing: Vec<u32>,
    /// The parts of which no run is complete, with the error message if the run failed.
    pub stopped: BTreeMap<u32, Option<String>>,
    /// Files that do not end with a status, with a description of the defect.
    pub broken: Vec<(PathBuf, &'static str)>,
    sections: Vec<Section>,
}

impl Merged {
    /// Returns true if every part has a complete run.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.stopped.is_empty()
    }

    /// Reads the files again and passes all solutions to `take`, part by part.
    ///
    /// # Errors
    /// If a file cannot be read again, or `take` fails.
    pub fn solutions(
        &self,
        take: &mut dyn FnMut(PartSolution<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.sections.iter().try_for_each(|section| section.solutions(take))
    }
}

/// Reads all runs of parts from any number of files, and merges the best run of each part.
///
/// # Errors
/// If a file is invalid or belongs to another search, no file contains a part, or parts contradict
/// each other. Missing and incomplete parts are not an error.
pub fn merge(files: &[PathBuf]) -> Result<Merged, MergeError> {
    let (parts, broken) = read_parts(files)?;
    let Some(of) = parts.values().next().map(|section| section.status.of) else {
        let file = files.first().map_or(Path::new(""), PathBuf::as_path).display();
        let what = broken.first().map_or("it contains no part of a search", |(_, what)| what);
        return Err(LoadError::whole_file(file, what.into()).into());
    };
    check_no_duplicates(&parts)?;
    let mut totals = MergedTotals::default();
    let mut longest = 0.0;
    for section in parts.values() {
        totals = totals.add(&section.totals).ok_or_else(|| {
            MergeError::Contradiction(
                "the statistics of the parts add up to more than 64 bits can hold".into(),
            )
        })?;
        longest = f64::max(longest, section.totals.seconds);
    }
    let stopped = parts.values().filter(|s| !s.status.complete);
    let merged = Merged {
        of,
        totals,
        longest,
        missing: (1..=of).filter(|part| !parts.contains_key(part)).collect(),
        stopped: stopped.map(|s| (s.status.part, s.failure.clone())).collect(),
        broken,
        sections: parts.into_values().collect(),
    };
    let leaves: u128 = merged.sections.iter().map(|s| s.status.leaves as u128).sum();
    let all = merged.sections.first().map_or(0, |s| s.status.of_leaves);
    if merged.is_complete() && leaves != all as u128 {
        Err(MergeError::Contradiction(format!(
            "the parts cover {leaves} leaves of the search tree, which has {all}"
        )))
    } else {
        Ok(merged)
    }
}

/// Files that do not end with a status, with a description of the defect.
type Broken = Vec<(PathBuf, &'static str)>;

/// Reads the files. Returns the best section of each part, and the files that do not end with a
/// status.
///
/// # Errors
/// If a file is invalid, sections belong to different searches, or complete runs of a part differ.
fn read_parts(files: &[PathBuf]) -> Result<(BTreeMap<u32, Section>, Broken), MergeError> {
    let mut parts: BTreeMap<u32, Section> = BTreeMap::new();
    let mut broken = Vec::new();
    let mut like: Option<Section> = None;
    for file in files {
        let mut reader = read::PartReader::open(file)?;
        while let Some(ending) = reader.next_section()? {
            let section = match ending {
                SectionEnd::Broken(what) => {
                    broken.push((file.clone(), what));
                    continue;
                }
                SectionEnd::Status(section) => *section,
            };
            if !section.status.frontier.is_empty() {
                section.check_same_search(like.get_or_insert_with(|| section.without_results()))?;
            }
            match parts.remove(&section.status.part) {
                Some(other) => {
                    let better = better_of(other, section)?;
                    parts.insert(better.status.part, better);
                }
                None => {
                    parts.insert(section.status.part, section);
                }
            }
        }
    }
    Ok((parts, broken))
}

/// Chooses between two runs of a part: the complete one, otherwise the one that found more.
///
/// # Errors
/// If both are complete but found different solutions.
fn better_of(one: Section, other: Section) -> Result<Section, MergeError> {
    match (one.status.complete, other.status.complete) {
        (true, true) if one.fingerprint() != other.fingerprint() => {
            let part = one.status.part;
            let one = one.file.display();
            let other = other.file.display();
            Err(MergeError::Contradiction(format!(
                "part {part} was run twice, with different solutions in {one} and {other}"
            )))
        }
        (false, true) => Ok(other),
        (false, false) if other.totals.distinct > one.totals.distinct => Ok(other),
        _ => Ok(one),
    }
}

/// Checks that no solution occurs twice, in one part or in several.
///
/// # Errors
/// If one does, with the lines of both occurrences.
fn check_no_duplicates(parts: &BTreeMap<u32, Section>) -> Result<(), MergeError> {
    let mut seen: HashMap<u128, (&Section, usize)> = HashMap::new();
    for section in parts.values() {
        for &(hash, line) in &section.found {
            if let Some((other, its_line)) = seen.insert(hash, (section, line)) {
                return Err(MergeError::Contradiction(format!(
                    "the solution in {}:{its_line} occurs again in {}:{line}",
                    other.file.display(),
                    section.file.display()
                )));
            }
        }
    }
    Ok(())
}

/// Parses an exact count, which is a JSON number of any length; `None` if it is not a natural
/// number.
fn parse_count(digits: &str) -> Option<BigUint> {
    BigUint::parse_bytes(digits.as_bytes(), 10)
}
