//! A first look at all rows: what they differ in, which of several files shows a run, and whether
//! those agree that should.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;

use super::Files;
use crate::{LIMITS, Query, Result, RunRow, StoreError};

/// What was seen of files of results.
#[derive(Debug, Default)]
pub struct Survey {
    /// The engines of all runs.
    pub engines: BTreeSet<String>,
    /// Complete runs that should have found the same, and have not.
    pub disagreements: Vec<Disagreement>,
    options: BTreeSet<String>,
    versions: BTreeSet<(String, String)>,
    /// Of several files the runs that are shown: the number of the file, and the run's in it.
    shown: Option<HashSet<Place>>,
}

/// Two complete runs of one puzzle under the same constraints that count differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The puzzle's file, or its name.
    pub puzzle: String,
    /// What was found first.
    pub one: Counted,
    /// What was found later.
    pub other: Counted,
}

/// What a complete run counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The engine.
    pub engine: String,
    /// The program's version and revision.
    pub version: String,
    /// Distinct, classes and solutions.
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

/// The place of a run: the number of its file, and its number there.
type Place = (usize, i64);

/// The value of a run that is in several files: complete, with its solutions, late.
type Worth = (bool, bool, String);

/// The most valuable place of each run, by its key.
type Candidates = HashMap<[String; 5], (Worth, Place)>;

impl Survey {
    /// Goes through all rows.
    ///
    /// # Errors
    /// Where a file can't be read.
    pub fn new(files: &Files, query: Query) -> Result<Survey> {
        let mut survey = Survey::default();
        let mut found: HashMap<(String, String), Counted> = HashMap::new();
        let mut candidates = Candidates::new();
        let is_one_file = files.0.len() == 1;
        files.every(query, |file, row| {
            survey.engines.insert(row.engine.clone());
            survey.options.insert(row.options.clone());
            survey.versions.insert((row.version.clone(), row.revision.clone()));
            survey.compare(&row, &mut found);
            if !is_one_file {
                offer(&mut candidates, file, &row);
            }
            Ok::<(), StoreError>(())
        })?;
        survey.shown = (!is_one_file).then(|| chosen(candidates, query));
        Ok(survey)
    }

    /// Whether runs with different options are among them.
    pub(super) fn has_options(&self) -> bool {
        self.options.len() > 1
    }

    /// Whether runs of different versions are among them.
    pub(super) fn has_versions(&self) -> bool {
        self.versions.len() > 1
    }

    pub(super) fn is_shown(&self, file: usize, run: i64) -> bool {
        let shown = self.shown.as_ref();
        shown.is_none_or(|shown| shown.contains(&(file, run)))
    }

    fn compare(&mut self, row: &RunRow, found: &mut HashMap<(String, String), Counted>) {
        let Some(counted) = counted(row) else {
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
            // A text that lies in several files has several rows.
            let is_same = |known: &Disagreement| {
                known.one == disagreement.one && known.other == disagreement.other
            };
            if !self.disagreements.last().is_some_and(is_same) {
                self.disagreements.push(disagreement);
            }
        }
    }
}

fn counted(row: &RunRow) -> Option<Counted> {
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

/// The version of the program and its revision, as far as it tells programs apart.
pub(super) fn version(row: &RunRow) -> String {
    const ENOUGH: usize = 8;
    let revision: String = row.revision.chars().take(ENOUGH).collect();
    format!("{} {revision}", row.version)
}

/// The options without the limits: runs that agree in them should find the same.
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

fn offer(candidates: &mut Candidates, file: usize, row: &RunRow) {
    let key = row.key();
    let key = [key.hash, key.engine, key.options, key.version, key.revision].map(str::to_owned);
    let ended = &row.ended;
    let worth = (ended.status.is_complete(), ended.has_solutions, row.started_at.clone());
    if candidates.get(&key).is_none_or(|(known, _)| worth > *known) {
        candidates.insert(key, (worth, (file, row.run)));
    }
}

/// Every run once; of one puzzle, engine and set of options only the newest, unless all are wanted.
fn chosen(candidates: Candidates, query: Query) -> HashSet<Place> {
    if query == Query::All {
        return candidates.into_values().map(|(_, place)| place).collect();
    }
    let mut newest: HashMap<[String; 3], (String, Place)> = HashMap::new();
    for ([hash, engine, options, ..], ((.., started_at), place)) in candidates {
        let offered = (started_at, place);
        let known = newest.entry([hash, engine, options]).or_insert_with(|| offered.clone());
        if offered > *known {
            *known = offered;
        }
    }
    newest.into_values().map(|(_, place)| place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_do_not_change_what_there_is_to_find() {
        assert_eq!(constraints("{}"), "");
        assert_eq!(constraints(r#"{"time_limit":5}"#), "");
        let limits = r#"{"memory_limit":9,"solutions":1,"time_limit":5}"#;
        assert_eq!(constraints(limits), "");
        assert_eq!(constraints(r#"{"pin":["5"],"time_limit":5}"#), r#"{"pin":["5"]}"#);
        assert_eq!(constraints("damaged"), "damaged");
    }
}
