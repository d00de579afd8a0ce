//! Puts together what the parts of a search have written.
//!
//! Each part writes JSON, one object a line; its last object says which part it is, of what, and
//! whether it is complete. Files may hold several parts, and a part may stand in several files, as
//! where it was stopped and run again. The whole is complete where every part is there and
//! complete; no solution may stand in two of them.

mod read;

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use num_bigint::BigUint;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::read::{Ending, Section};
pub use self::read::{Solution, Totals};
use crate::load::LoadError;

/// What a part says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartStatus {
    /// Which part it is, from 1.
    pub part: u32,
    /// The number of parts.
    pub of: u32,
    /// Whether all of the part was searched, and all that was found is printed.
    pub complete: bool,
    /// Leaves of the search tree in this part.
    pub leaves: usize,
    /// Leaves in all parts.
    pub of_leaves: usize,
    /// The SHA-256 of the leaves; empty where the part was stopped before they were known.
    pub frontier: String,
    /// The SHA-256 of the puzzle and its constraints.
    pub puzzle: String,
    /// The version of the program.
    pub version: String,
    /// See [`REVISION`](crate::REVISION).
    pub revision: String,
}

/// Why parts can't be put together.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MergeError {
    /// A file can't be read, is no part, or is one of something else.
    #[error("{0}")]
    BadFile(LoadError),
    /// Parts contradict one another.
    #[error("{0}")]
    Contradiction(String),
}

impl From<LoadError> for MergeError {
    fn from(error: LoadError) -> MergeError {
        MergeError::BadFile(error)
    }
}

/// Parts that were put together.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The number of parts that there should be.
    pub of: u32,
    /// What all of them found and took.
    pub totals: Totals,
    /// Seconds of the part that took longest.
    pub longest: f64,
    /// The parts that are not there, in runs that ascend.
    pub missing: Vec<RangeInclusive<u32>>,
    /// The parts that are there, but did not come to their end; and why not where they failed.
    pub stopped: BTreeMap<u32, Option<String>>,
    /// Files, or ends of files, that say nothing of any part, and what is wrong with them.
    pub broken: Vec<(PathBuf, &'static str)>,
    sections: Vec<Section>,
}

impl Merged {
    /// Whether every part is there and complete.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.stopped.is_empty()
    }

    /// Hands over the lines of all solutions, part by part.
    ///
    /// # Errors
    /// Where a file can't be read again, or the solution can't be taken.
    pub fn solutions(
        &self,
        take: &mut dyn FnMut(Solution<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.sections.iter().try_for_each(|section| section.solutions(take))
    }
}

/// Reads all parts; which files they stand in does not matter.
///
/// # Errors
/// Where a file is bad or of something else, or parts contradict one another. That something is
/// missing is no error.
pub fn merge(files: &[PathBuf]) -> Result<Merged, MergeError> {
    let (parts, broken) = parts_in(files)?;
    let Some(of) = parts.values().next().map(|section| section.status.of) else {
        let file = files.first().map_or(Path::new(""), PathBuf::as_path).display();
        let what = broken.first().map_or("it holds no part", |(_, what)| what);
        return Err(LoadError::whole_file(file, what.into()).into());
    };
    finds_nothing_twice(&parts)?;
    let mut totals = Totals::default();
    let mut longest = 0.0;
    for section in parts.values() {
        totals = totals.with(&section.totals).ok_or_else(|| {
            MergeError::Contradiction("the parts count more work than any machine does".into())
        })?;
        longest = f64::max(longest, section.totals.seconds);
    }
    let stopped = parts.values().filter(|s| !s.status.complete);
    let merged = Merged {
        of,
        totals,
        longest,
        missing: missing(of, parts.keys().copied()),
        stopped: stopped.map(|s| (s.status.part, s.failure.clone())).collect(),
        broken,
        sections: parts.into_values().collect(),
    };
    let leaves: u128 = merged.sections.iter().map(|s| s.status.leaves as u128).sum();
    let all = merged.sections.first().map_or(0, |s| s.status.of_leaves);
    if merged.is_complete() && leaves != all as u128 {
        Err(MergeError::Contradiction(format!(
            "the parts have {leaves} of {all} leaves of the search tree"
        )))
    } else {
        Ok(merged)
    }
}

/// Files that end before a section does, with what is wrong.
type Broken = Vec<(PathBuf, &'static str)>;

/// The best section of each part, and what has none.
fn parts_in(files: &[PathBuf]) -> Result<(BTreeMap<u32, Section>, Broken), MergeError> {
    let mut parts: BTreeMap<u32, Section> = BTreeMap::new();
    let mut broken = Vec::new();
    let mut like: Option<Section> = None;
    for file in files {
        let mut reader = read::Reader::open(file)?;
        while let Some(ending) = reader.section()? {
            let section = match ending {
                Ending::Broken(what) => {
                    broken.push((file.clone(), what));
                    continue;
                }
                Ending::Status(section) => *section,
            };
            if !section.status.frontier.is_empty() {
                section.is_of_the_same(like.get_or_insert_with(|| section.clone_head()))?;
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

/// The parts of so many that are not among these, which ascend.
fn missing(of: u32, there: impl Iterator<Item = u32>) -> Vec<RangeInclusive<u32>> {
    let mut missing = Vec::new();
    let mut next = 1;
    for part in there {
        if next < part {
            missing.push(next..=part - 1);
        }
        next = part + 1;
    }
    if next <= of {
        missing.push(next..=of);
    }
    missing
}

/// Of a part that was run twice, the complete run; two complete ones must have found the same.
fn better_of(one: Section, other: Section) -> Result<Section, MergeError> {
    match (one.status.complete, other.status.complete) {
        (true, true) if one.fingerprint() != other.fingerprint() => {
            let part = one.status.part;
            let one = one.file.display();
            let other = other.file.display();
            Err(MergeError::Contradiction(format!(
                "part {part} is there twice, and {one} has other solutions than {other}"
            )))
        }
        (false, true) => Ok(other),
        (false, false) if other.totals.distinct > one.totals.distinct => Ok(other),
        _ => Ok(one),
    }
}

fn finds_nothing_twice(parts: &BTreeMap<u32, Section>) -> Result<(), MergeError> {
    let mut seen: HashMap<u128, (&Section, usize)> = HashMap::new();
    for section in parts.values() {
        for &(hash, line) in &section.found {
            if let Some((other, its_line)) = seen.insert(hash, (section, line)) {
                return Err(MergeError::Contradiction(format!(
                    "the solution of {}:{its_line} stands in {}:{line}, too",
                    other.file.display(),
                    section.file.display()
                )));
            }
        }
    }
    Ok(())
}

/// Exact counts in JSON are numbers of any length.
fn count(digits: &str) -> Option<BigUint> {
    BigUint::parse_bytes(digits.as_bytes(), 10)
}
