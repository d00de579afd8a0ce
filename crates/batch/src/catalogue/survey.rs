//! A first pass over all rows: in which columns they differ, which file to use for a run that is in
//! several, and which runs disagree.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use itertools::Itertools;

use super::Files;
use crate::{LIMITS, Query, Result, RunRow, StoreError};

/// The result of a pass over all rows of results files.
#[derive(Debug, Default)]
pub struct Survey {
    /// The engines of all runs.
    pub engines: BTreeSet<String>,
    /// Pairs of complete runs of the same problem with different counts.
    pub disagreements: Vec<Disagreement>,
    /// The options of all runs.
    pub(super) options: BTreeSet<String>,
    /// The versions and revisions of all runs.
    pub(super) versions: BTreeSet<(String, String)>,
    /// The runs to show if there are several files; `None` if there is one, whose runs are all
    /// shown.
    shown: Option<HashSet<Place>>,
}

/// Two complete runs of a puzzle with the same constraints but different counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The puzzle's file, or its name if no file contains it.
    pub puzzle: String,
    /// The counts of the run that was read first.
    pub one: Counted,
    /// The counts of the later run.
    pub other: Counted,
}

/// The counts of a complete run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The engine's name.
    pub engine: String,
    /// The program's version and the start of its revision.
    pub version: String,
    /// The numbers of distinct solutions, classes and solutions.
    pub counts: [String; 3],
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Disagreement { puzzle, one, other } = self;
        let said =
            |Counted { engine, version, counts: [distinct, classes, solutions] }: &Counted| {
                format!(
                    "{engine} ({version}) finds {distinct} distinct, {classes} classes, {solutions} solutions"
                )
            };
        write!(f, "{puzzle}: {}, but {}", said(one), said(other))
    }
}

/// The place of a run: the index of its results file, and its id there.
type Place = (usize, i64);

/// A sort key of the copies of a run in several files: is it complete, are its solutions stored,
/// and when did it start.
type Worth = (bool, bool, String);

/// The best copy of each run, by the run's key.
type Candidates = HashMap<[String; 5], (Worth, Place)>;

impl Survey {
    /// Reads all rows of the query.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn new(files: &Files, query: Query) -> Result<Survey> {
        let mut survey = Survey::default();
        let mut found: HashMap<(String, String), Counted> = HashMap::new();
        let mut candidates = Candidates::new();
        let is_one_file = files.0.len() == 1;
        files.all_rows(query, |file, row| {
            survey.engines.insert(row.engine.clone());
            survey.options.insert(row.options.clone());
            survey.versions.insert((row.version.clone(), row.revision.clone()));
            survey.compare(&row, &mut found);
            if !is_one_file {
                add_candidate(&mut candidates, file, &row);
            }
            Ok::<(), StoreError>(())
        })?;
        survey.shown = (!is_one_file).then(|| choose_places(candidates, query));
        Ok(survey)
    }

    /// Returns true if this is the copy of a run to show, and not superseded by a newer run.
    pub(super) fn is_shown(&self, file: usize, run: i64) -> bool {
        let shown = self.shown.as_ref();
        shown.is_none_or(|shown| shown.contains(&(file, run)))
    }

    /// Compares a complete run with the first one of the same puzzle and constraints in `found`,
    /// and records a disagreement. If there is none yet, adds the run to `found`. Does nothing for
    /// other runs.
    fn compare(&mut self, row: &RunRow, found: &mut HashMap<(String, String), Counted>) {
        let Some(counted) = final_counts(row) else {
            return;
        };
        let key = (row.hash.clone(), constraints(&row.options));
        let first = found.entry(key).or_insert_with(|| counted.clone());
        if first.counts != counted.counts {
            let disagreement = Disagreement {
                puzzle: row.path.as_ref().unwrap_or(&row.puzzle.name).clone(),
                one: first.clone(),
                other: counted,
            };
            // A run has several rows if several files contain its puzzle.
            let is_same = |known: &Disagreement| {
                known.one == disagreement.one && known.other == disagreement.other
            };
            if !self.disagreements.last().is_some_and(is_same) {
                self.disagreements.push(disagreement);
            }
        }
    }
}

/// The counts of a run with its engine and version; `None` if it is not complete.
fn final_counts(row: &RunRow) -> Option<Counted> {
    let ended = &row.ended;
    if !ended.status.is_complete() {
        return None;
    }
    let counts = [&ended.distinct, &ended.classes, &ended.solutions];
    let [Some(distinct), Some(classes), Some(solutions)] = counts else {
        return None;
    };
    Some(Counted {
        engine: row.engine.clone(),
        version: version(row),
        counts: [distinct, classes, solutions].map(String::clone),
    })
}

/// The version of the program and the first eight characters of its revision.
pub(super) fn version(row: &RunRow) -> String {
    /// The number of characters of a revision that are shown.
    const ENOUGH: usize = 8;
    let revision: String = row.revision.chars().take(ENOUGH).collect();
    format!("{} {revision}", row.version)
}

/// The options without [`LIMITS`], as JSON; empty if nothing is left. Complete runs of a puzzle for
/// which they are equal must have equal counts.
pub(super) fn constraints(options: &str) -> String {
    match serde_json::from_str(options) {
        Ok(serde_json::Value::Object(mut options)) => {
            options.retain(|name, _| !LIMITS.contains(&name.as_str()));
            let is_none = options.is_empty();
            if is_none { String::new() } else { serde_json::Value::from(options).to_string() }
        }
        _ => options.to_owned(),
    }
}

/// Records a copy of a run if it is better than the one known so far.
fn add_candidate(candidates: &mut Candidates, file: usize, row: &RunRow) {
    let key = row.key();
    let key = [key.hash, key.engine, key.options, key.version, key.revision].map(str::to_owned);
    let ended = &row.ended;
    let worth = (ended.status.is_complete(), ended.has_solutions, row.started_at.clone());
    if candidates.get(&key).is_none_or(|(known, _)| worth > *known) {
        candidates.insert(key, (worth, (file, row.run)));
    }
}

/// The places of the runs to show: all candidates for [`Query::All`], otherwise the newest for each
/// puzzle, engine and set of options.
fn choose_places(candidates: Candidates, query: Query) -> HashSet<Place> {
    if query == Query::All {
        return candidates.into_values().map(|(_, place)| place).collect();
    }
    let runs = candidates.into_iter().map(|(key, ((.., started_at), place))| {
        let [hash, engine, options, ..] = key;
        ([hash, engine, options], (started_at, place))
    });
    runs.into_grouping_map().max().into_values().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_do_not_include_limits() {
        assert_eq!(constraints("{}"), "");
        assert_eq!(constraints(r#"{"time_limit":5}"#), "");
        let limits = r#"{"memory_limit":9,"solutions":1,"time_limit":5}"#;
        assert_eq!(constraints(limits), "");
        assert_eq!(constraints(r#"{"pin":["5"],"time_limit":5}"#), r#"{"pin":["5"]}"#);
        assert_eq!(constraints("damaged"), "damaged");
    }
}
