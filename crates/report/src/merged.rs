//! The output of `merge`: totals and solutions of a search in parts, or a list of what is missing.
//!
//! The status of a merged search is complete only if every part is present and complete.

use std::io::{self, Write};
use std::ops::RangeInclusive;

use edgematch::analyse::merge::{Merged, PartSolution};
use edgematch::engine::counted;
use edgematch::enumerate::Conclusion;
use edgematch::runtime::clock::seconds;
use itertools::Itertools;
use serde_json::json;

use super::json::{Json, MergedParts, Object, Status};
use super::{SYMMETRIES, count_lines, found, readable};

/// The counts, one per line; lower bounds if a part is missing or incomplete.
pub fn text(merged: &Merged) -> String {
    let totals = &merged.totals;
    let counts =
        [readable(&totals.solutions), readable(&totals.classes), readable(totals.distinct)];
    count_lines(counts, merged.is_complete())
}

/// Writes the solutions, renumbered, and the statistics and status of the whole search, as an array
/// or as JSON lines.
///
/// # Errors
/// If the parts cannot be read again, or `out` cannot be written.
pub fn json(merged: &Merged, is_array: bool, out: &mut dyn Write) -> io::Result<()> {
    let mut json = Json::new(is_array);
    let totals = &merged.totals;
    let mut index = 0;
    merged.solutions(&mut |solution| {
        index += 1;
        let PartSolution { placements, canonical, solutions } = solution;
        let scores = None;
        json.object(out, &Object::Solution { index, placements, canonical, solutions, scores })
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
    let is_complete = merged.is_complete();
    let known = Conclusion::of_search(is_complete, totals.distinct > 0);
    let counts = [&totals.classes, &totals.solutions];
    let parts = MergedParts {
        parts: merged.of,
        missing: merged.missing.clone(),
        stopped: merged.stopped.keys().copied().collect(),
    };
    let mut status = Status::new(known, is_complete, totals.distinct, counts);
    status.merged = Some(parts);
    json.end_with(out, status)
}

/// The closing message: the number of solutions, and that it is complete or which parts are
/// missing.
pub fn sentence(merged: &Merged) -> String {
    let totals = &merged.totals;
    let parts = counted(merged.of, "part", "parts");
    let found = found(totals.distinct, &totals.classes, &totals.solutions, SYMMETRIES);
    if !merged.is_complete() {
        return format!("{found} so far: {}", gaps(merged));
    }
    let effort = format!(
        "({parts}, {}, {})",
        counted(totals.nodes, "node", "nodes"),
        seconds(totals.seconds)
    );
    let proven = if totals.distinct == 0 { "proven" } else { "proven complete" };
    format!("{found}, {proven} {effort}")
}

/// The parts that are missing, stopped early, failed or unreadable, in words.
fn gaps(merged: &Merged) -> String {
    let Merged { of, missing, stopped, broken, .. } = merged;
    let early: Vec<u32> =
        stopped.iter().filter(|(_, why)| why.is_none()).map(|(part, _)| *part).collect();
    let failed = stopped.iter().filter_map(|(part, why)| Some((part, why.as_ref()?)));
    let failed = failed.map(|(part, why)| format!("part {part} failed: {why}"));
    let broken = broken.iter().map(|(file, what)| format!("{} {what}", file.display()));
    let missing = parts(missing, &format!(" of {of}"), "is missing", "are missing");
    let early = parts(&early, "", "was stopped early", "were stopped early");
    missing.into_iter().chain(early).chain(failed).chain(broken).join("; ")
}

/// A clause about parts: `part 3 of 30 is missing`, `parts 3, 17–20 of 30 are missing`; `None` if
/// there are none. `one` and `several` are its verbs.
fn parts(numbers: &[u32], of: &str, one: &str, several: &str) -> Option<String> {
    match numbers {
        [] => None,
        [part] => Some(format!("part {part}{of} {one}")),
        _ => Some(format!("parts {}{of} {several}", in_words(&runs(numbers)))),
    }
}

/// Groups ascending numbers into ranges of consecutive ones.
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

/// Ranges joined as `3, 17–20`.
fn in_words(runs: &[RangeInclusive<u32>]) -> String {
    let word = |run: &RangeInclusive<u32>| match run.end() - run.start() {
        0 => run.start().to_string(),
        1 => format!("{}, {}", run.start(), run.end()),
        _ => format!("{}–{}", run.start(), run.end()),
    };
    runs.iter().map(word).join(", ")
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
