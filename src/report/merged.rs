//! What is said of parts that were put together.

use std::io::{self, Write};

use itertools::Itertools;
use serde_json::json;

use super::json::{Json, number};
use super::sentence::seconds;
use crate::engine::counted;
use crate::merge::Merged;

/// The counts, one a line.
pub fn text(merged: &Merged) -> String {
    let least = match merged.is_complete() {
        true => "",
        false => "at least ",
    };
    let totals = &merged.totals;
    format!(
        "solutions  {least}{}\nclasses    {least}{}\ndistinct   {least}{}\n",
        totals.solutions, totals.classes, totals.distinct
    )
}

/// The solutions, numbered anew, and the status of the whole: as one array, or one object a line.
///
/// # Errors
/// Where the parts can't be read again, or `out` can't be written.
pub fn json(merged: &Merged, is_array: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut json = match is_array {
        true => Json::array(),
        false => Json::lines(),
    };
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
            counted(&totals.classes, "class", "classes"),
            counted(&totals.solutions, "solution", "solutions"),
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
        [part] => gaps.push(format!("part {part} of {of} is missing")),
        parts => gaps.push(format!("parts {} of {of} are missing", ranges(parts))),
    }
    let stopped = merged.stopped.iter().filter(|(_, why)| why.is_none());
    let stopped: Vec<u32> = stopped.map(|(part, _)| *part).collect();
    match &stopped[..] {
        [] => {}
        [part] => gaps.push(format!("part {part} was stopped early")),
        parts => gaps.push(format!("parts {} were stopped early", ranges(parts))),
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

/// Numbers that ascend, runs of them as `17–20`.
fn ranges(numbers: &[u32]) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let word = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}–{last}"),
    };
    ranges.iter().map(word).join(", ")
}

impl Json {
    fn merged_solution(
        &mut self,
        out: &mut dyn Write,
        index: u64,
        solution: &crate::merge::Solution<'_>,
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
            missing: &'a [u32],
            stopped: Vec<u32>,
        }
        let totals = &merged.totals;
        let line = Line {
            r#type: "status",
            status: match (merged.is_complete(), totals.distinct) {
                (true, 0) => "UNSATISFIABLE",
                (true, _) => "ALL_SOLUTIONS",
                (false, 0) => "UNKNOWN",
                (false, _) => "SATISFIED",
            },
            complete: merged.is_complete(),
            distinct: totals.distinct,
            classes: number(&totals.classes),
            solutions: number(&totals.solutions),
            parts: merged.of,
            missing: &merged.missing,
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
        assert_eq!(ranges(&[3, 17, 18, 19, 20, 22, 23]), "3, 17–20, 22, 23");
        assert_eq!(ranges(&[]), "");
    }
}
