//! The result of merging parts: totals, or a list of what is missing.
//!
//! The status of a merged search is complete only if every part is present and complete.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use edgematch::analyse::merge::Merged;
use edgematch::engine::counted;
use edgematch::enumerate::Known;
use edgematch::runtime::clock::seconds;
use itertools::Itertools;
use serde_json::json;

use super::json::{Json, number};
use super::{count_lines, readable};

/// The counts, one a line.
pub fn text(merged: &Merged) -> String {
    let totals = &merged.totals;
    let counts =
        [readable(&totals.solutions), readable(&totals.classes), readable(totals.distinct)];
    count_lines(counts, merged.is_complete())
}

/// The solutions, numbered anew, and the status of the whole: as one array, or one object a line.
///
/// # Errors
/// Where the parts can't be read again, or `out` can't be written.
pub fn json(merged: &Merged, is_array: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut json = if is_array { Json::array() } else { Json::lines() };
    let totals = &merged.totals;
    let mut index = 0;
    merged.solutions(&mut |solution| {
        index += 1;
        json.merged_solution(out, index, &solution)
    })?;
    json.object(
        out,
        &json!({
            "type": "statistics",
            "engine": totals.engines.join(", "),
            "parts": merged.of,
            "seconds": totals.seconds,
            "longest": merged.longest,
            "nodes": totals.nodes,
            "tries": totals.tries,
            "calls_per_level": totals.calls_per_level,
            "solves": totals.solves,
            "cuts": totals.cuts,
        }),
    )?;
    json.merged_status(out, merged)?;
    json.close(out)
}

/// Classes, solutions, distinct, and whether that is all; else what is missing.
pub fn sentence(merged: &Merged) -> String {
    let totals = &merged.totals;
    let parts = counted(merged.of, "part", "parts");
    let found = match totals.distinct {
        0 => "no solution".to_owned(),
        distinct => format!(
            "{}, {}, {distinct} distinct",
            counted(readable(&totals.classes), "class", "classes"),
            counted(readable(&totals.solutions), "solution", "solutions"),
        ),
    };
    if !merged.is_complete() {
        return format!("{found} so far: {}", gaps(merged));
    }
    let effort = format!(
        "({parts}, {}, {})",
        counted(totals.nodes, "node", "nodes"),
        seconds(totals.seconds)
    );
    match totals.distinct {
        0 => format!("{found}, proven {effort}"),
        _ => format!("{found}, complete {effort}"),
    }
}

/// What is missing, in words.
fn gaps(merged: &Merged) -> String {
    let mut gaps = Vec::new();
    let of = merged.of;
    match &merged.missing[..] {
        [] => {}
        [run] if run.start() == run.end() => {
            gaps.push(format!("part {} of {of} is missing", run.start()));
        }
        runs => gaps.push(format!("parts {} of {of} are missing", in_words(runs))),
    }
    let stopped: Vec<u32> =
        merged.stopped.iter().filter(|(_, why)| why.is_none()).map(|(part, _)| *part).collect();
    match &stopped[..] {
        [] => {}
        [part] => gaps.push(format!("part {part} was stopped early")),
        parts => gaps.push(format!("parts {} were stopped early", in_words(&runs(parts)))),
    }
    for (part, why) in &merged.stopped {
        if let Some(why) = why {
            gaps.push(format!("part {part} failed: {why}"));
        }
    }
    for (file, what) in &merged.broken {
        gaps.push(format!("{} {what}", file.display()));
    }
    gaps.join("; ")
}

/// Runs of numbers that ascend.
fn runs(numbers: &[u32]) -> Vec<RangeInclusive<u32>> {
    let mut runs: Vec<RangeInclusive<u32>> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(run) if *run.end() + 1 == number => *run = *run.start()..=number,
            _ => runs.push(number..=number),
        }
    }
    runs
}

/// Each run as `17–20`.
fn in_words(runs: &[RangeInclusive<u32>]) -> String {
    let word = |run: &RangeInclusive<u32>| match run.end() - run.start() {
        0 => run.start().to_string(),
        1 => format!("{}, {}", run.start(), run.end()),
        _ => format!("{}–{}", run.start(), run.end()),
    };
    runs.iter().map(word).join(", ")
}

impl Json {
    fn merged_solution(
        &mut self,
        out: &mut dyn Write,
        index: u64,
        solution: &edgematch::analyse::merge::Solution<'_>,
    ) -> io::Result<()> {
        #[derive(serde::Serialize)]
        struct Line<'a> {
            r#type: &'a str,
            index: u64,
            placements: &'a serde_json::value::RawValue,
            #[serde(skip_serializing_if = "Option::is_none")]
            solutions: Option<&'a serde_json::value::RawValue>,
        }
        let line = Line {
            r#type: "solution",
            index,
            placements: solution.placements,
            solutions: solution.solutions,
        };
        self.object(out, &line)
    }

    fn merged_status(&mut self, out: &mut dyn Write, merged: &Merged) -> io::Result<()> {
        #[derive(serde::Serialize)]
        struct Line<'a> {
            r#type: &'a str,
            status: &'a str,
            complete: bool,
            distinct: u64,
            classes: Box<serde_json::value::RawValue>,
            solutions: Box<serde_json::value::RawValue>,
            parts: u32,
            missing: Vec<u32>,
            stopped: Vec<u32>,
        }
        let totals = &merged.totals;
        let line = Line {
            r#type: "status",
            status: Known::of_search(merged.is_complete(), totals.distinct > 0).name(),
            complete: merged.is_complete(),
            distinct: totals.distinct,
            classes: number(&totals.classes),
            solutions: number(&totals.solutions),
            parts: merged.of,
            missing: merged.missing.iter().cloned().flatten().collect(),
            stopped: merged.stopped.keys().copied().collect(),
        };
        self.object(out, &line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_numbers_are_shortened() {
        let words = |numbers: &[u32]| in_words(&runs(numbers));
        assert_eq!(words(&[3, 17, 18, 19, 20, 22, 23]), "3, 17–20, 22, 23");
        assert_eq!(words(&[]), "");
    }
}
