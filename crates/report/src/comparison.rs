//! The result of a comparison as tables and as exports in JSON, CSV and Markdown.

use std::fmt::Write as _;

use comfy_table::presets;
use edgematch::analyse::compare::{Comparison, EngineDisagreement, EngineResult};
use edgematch::enumerate::solution::ValueArrangement;
use edgematch::enumerate::{Outcome, RunStatus};
use edgematch::problem::Problem;
use edgematch::runtime::clock::seconds;
use itertools::Itertools;
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::RawValue;

use super::cells::{Cells, csv_line};
use super::json::number;
use super::{arrangement_text, grouped, readable};

/// The table of one comparison, with a row for each engine.
pub fn engines_text(comparison: &Comparison) -> String {
    engines_table(comparison).drawn(presets::NOTHING)
}

fn engines_table(comparison: &Comparison) -> Cells {
    let mut cells = Cells::new(&[
        "engine",
        "distinct",
        "classes",
        "solutions",
        "work",
        "min",
        "median",
        "cpu",
        "ratio",
    ]);
    let fastest = comparison.entries.iter().filter_map(EngineResult::min).reduce(f64::min);
    for entry in &comparison.entries {
        let mut row = vec![entry.name.clone()];
        let outcome = entry.outcome.as_ref().filter(|_| !entry.status.is_failure());
        row.extend(outcome.into_iter().flat_map(|outcome| counts_of(entry, outcome)));
        match (outcome, entry.min(), entry.median(), fastest) {
            (Some(_), Some(min), Some(median), Some(fastest)) => row.extend([
                seconds(min),
                seconds(median),
                entry.min_processor().map_or(String::new(), seconds),
                format!("{:.1}", min / fastest),
            ]),
            _ => row.push(status_text(&entry.status)),
        }
        row.resize(cells.header.len(), String::new());
        cells.rows.push(row);
    }
    cells
}

/// The counts of an engine and its work; counts of an unfinished run are written as lower bounds.
fn counts_of(entry: &EngineResult, outcome: &Outcome) -> [String; 4] {
    let at_least = |number: BigUint| match entry.status {
        RunStatus::Complete => readable(number),
        _ => format!("≥ {}", readable(number)),
    };
    let tally = &outcome.tally;
    [
        at_least(tally.listed().into()),
        at_least(tally.classes.clone()),
        at_least(tally.solutions.clone()),
        outcome.effort.clone(),
    ]
}

/// A run's status for tables; only a failure has its reason.
fn status_text(status: &RunStatus) -> String {
    match status {
        RunStatus::Complete => "finished".into(),
        RunStatus::Stopped(_) => "stopped".into(),
        RunStatus::Failed(failure) => format!("failed: {failure}"),
        other => other.words().into(),
    }
}

/// The table of calls per level of the engines that count them, each beside the number of possible
/// nodes; empty if no engine counts them.
pub fn levels_text(comparison: &Comparison) -> String {
    let counting: Vec<(&EngineResult, &Vec<u64>)> = counting_engines(comparison).collect();
    if counting.is_empty() {
        return String::new();
    }
    let headers = counting.iter().flat_map(|(entry, _)| [entry.name.as_str(), "possible"]);
    let mut cells = Cells::new(&["level"].into_iter().chain(headers).collect_vec());
    let depth = counting[0].1.len();
    let levels = (0..depth).map(|level| level.to_string());
    let mut columns: Vec<Vec<String>> = vec![levels.chain(["all".to_owned()]).collect()];
    for (entry, calls) in &counting {
        let total: u64 = calls.iter().sum();
        columns.push(calls.iter().chain([&total]).map(grouped).collect());
        let total: BigUint = entry.possible.iter().sum();
        columns.push(entry.possible.iter().chain([&total]).map(grouped).collect());
    }
    let row = |row: usize| columns.iter().map(|column| column[row].clone()).collect();
    cells.rows = (0..=depth).map(row).collect();
    let stopped = counting.iter().filter(|(entry, _)| !entry.status.is_complete());
    let stopped =
        stopped.map(|(entry, _)| format!(" {} was stopped: its counts are partial\n", entry.name));
    let stopped: String = stopped.collect();
    cells.drawn(presets::NOTHING) + &stopped
}

/// The engines that counted calls per level, with these calls.
pub(super) fn counting_engines(
    comparison: &Comparison,
) -> impl Iterator<Item = (&EngineResult, &Vec<u64>)> {
    comparison.entries.iter().filter_map(|entry| {
        let calls = &entry.outcome.as_ref()?.work.calls_per_level;
        (calls.len() == entry.possible.len() && !calls.is_empty()).then_some((entry, calls))
    })
}

/// The disagreements between engines, with drawings of the arrangements that one of them misses;
/// empty if all agree.
pub fn disagreements_text(problem: &Problem, comparison: &Comparison) -> String {
    let mut text = String::new();
    for EngineDisagreement { one, other, only_one, only_other, counts_differ, .. } in
        &comparison.disagreements
    {
        let mut missing = |from: &str, but: &str, arrangements: &[ValueArrangement]| {
            for arrangement in arrangements {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{from} does not find what {but} finds:");
                text += &arrangement_text(problem, &arrangement.arrangement(problem));
            }
        };
        missing(other, one, only_one);
        missing(one, other, only_other);
        if only_one.is_empty() && only_other.is_empty() && *counts_differ {
            let _ = writeln!(text, "{one} and {other} count differently");
        }
    }
    text
}

/// A table over several puzzles: the number of solutions and the fastest time of each engine.
pub fn summary_text(comparisons: &[Comparison]) -> String {
    summary_table(comparisons).drawn(presets::NOTHING)
}

/// A Markdown table: of one puzzle as [`engines_text`], of several as [`summary_text`].
pub fn summary_markdown(comparisons: &[Comparison]) -> String {
    match comparisons {
        [one] => engines_table(one).drawn(presets::ASCII_MARKDOWN),
        all => summary_table(all).drawn(presets::ASCII_MARKDOWN),
    }
}

fn summary_table(comparisons: &[Comparison]) -> Cells {
    let names = comparisons.iter().flat_map(|c| c.entries.iter().map(|e| e.name.as_str()));
    let names: Vec<&str> = names.unique().collect();
    let header = ["puzzle", "distinct"].into_iter().chain(names.iter().copied());
    let mut cells = Cells::new(&header.collect_vec());
    for comparison in comparisons {
        let time = |name: &&str| {
            let entry = comparison.entries.iter().find(|e| e.name == *name);
            entry.map_or(String::new(), |e| match e.min() {
                Some(min) => seconds(min),
                None => stopped_with(e),
            })
        };
        let row = [comparison.puzzle.clone(), agreed(comparison)];
        cells.rows.push(row.into_iter().chain(names.iter().map(time)).collect());
    }
    cells
}

/// The status of an engine without a time; if it was stopped, with the number of arrangements
/// found.
fn stopped_with(entry: &EngineResult) -> String {
    let status = status_text(&entry.status);
    match entry.status {
        RunStatus::Stopped(_) => format!("{status}, {} found", entry.found.len()),
        _ => status,
    }
}

/// The number of distinct arrangements on which all finished engines agree; `DISAGREE` if they do
/// not, `?` if none finished.
fn agreed(comparison: &Comparison) -> String {
    let mut finished = comparison.entries.iter().filter(|e| e.status.is_complete());
    match finished.next() {
        _ if !comparison.disagreements.is_empty() => "DISAGREE".into(),
        Some(entry) => entry.found.len().to_string(),
        None => "?".into(),
    }
}

/// CSV with a header and a row for each puzzle and engine.
pub fn export_csv(comparisons: &[Comparison]) -> String {
    const HEADER: &str = "puzzle,engine,state,distinct,classes,solutions,nodes,tries,solves,cuts,\
                          min_seconds,median_seconds,min_cpu_seconds,runs\n";
    let time = |time: Option<f64>| time.map_or(String::new(), |t| t.to_string());
    let entries = comparisons.iter().flat_map(|c| c.entries.iter().map(move |e| (c, e)));
    let rows = entries.map(|(comparison, entry)| {
        let counts = entry.outcome.as_ref().map_or([const { String::new() }; 7], |outcome| {
            let Outcome { tally, work, .. } = outcome;
            let [classes, solutions] = [&tally.classes, &tally.solutions].map(BigUint::to_string);
            let [nodes, tries] = [work.nodes, work.tries].map(|n| n.to_string());
            let [solves, cuts] = [work.solves, work.cuts].map(|n| n.to_string());
            [tally.listed().to_string(), classes, solutions, nodes, tries, solves, cuts]
        });
        let before = [comparison.puzzle.clone(), entry.name.clone(), status_text(&entry.status)];
        let times = [entry.min(), entry.median(), entry.min_processor()].map(time);
        let runs = entry.seconds.len().to_string();
        csv_line(&before.into_iter().chain(counts).chain(times).chain([runs]).collect_vec())
    });
    HEADER.to_owned() + &rows.collect::<String>()
}

/// All results as an indented JSON array with an object for each puzzle.
pub fn export_json(comparisons: &[Comparison]) -> String {
    #[derive(Serialize)]
    struct Compared<'a> {
        agree: bool,
        engines: Vec<Contender<'a>>,
        puzzle: &'a str,
    }
    let all = comparisons.iter().map(|comparison| Compared {
        agree: comparison.disagreements.is_empty(),
        engines: comparison.entries.iter().map(Contender::new).collect(),
        puzzle: &comparison.puzzle,
    });
    serde_json::to_string_pretty(&all.collect_vec()).expect("names and numbers are JSON") + "\n"
}

/// An engine's result as a JSON object; the counts are null if it did not run.
#[derive(Serialize)]
struct Contender<'a> {
    calls_per_level: Option<&'a [u64]>,
    classes: Option<Box<RawValue>>,
    cpu_seconds: &'a [f64],
    cuts: Option<u64>,
    distinct: Option<u64>,
    engine: &'a str,
    nodes: Option<u64>,
    possible_per_level: Vec<Box<RawValue>>,
    seconds: &'a [f64],
    solutions: Option<Box<RawValue>>,
    solves: Option<u64>,
    state: String,
    tries: Option<u64>,
}

impl<'a> Contender<'a> {
    fn new(entry: &'a EngineResult) -> Self {
        let tally = entry.outcome.as_ref().map(|outcome| &outcome.tally);
        let work = entry.outcome.as_ref().map(|outcome| &outcome.work);
        Contender {
            calls_per_level: work.map(|work| &work.calls_per_level[..]),
            classes: tally.map(|tally| number(&tally.classes)),
            cpu_seconds: &entry.processor_seconds,
            cuts: work.map(|work| work.cuts),
            distinct: tally.map(|tally| tally.listed()),
            engine: &entry.name,
            nodes: work.map(|work| work.nodes),
            possible_per_level: entry.possible.iter().map(number).collect(),
            seconds: &entry.seconds,
            solutions: tally.map(|tally| number(&tally.solutions)),
            solves: work.map(|work| work.solves),
            state: status_text(&entry.status),
            tries: work.map(|work| work.tries),
        }
    }
}
