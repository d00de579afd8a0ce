//! One sentence about a run: what was found, whether that is all, and the work it took.
//!
//! "Complete" and "proven" appear only for runs that the engine finished; a run that stopped early
//! says why.

use std::fmt::Display;

use edgematch::counting;
use edgematch::engine::{Choice, PartOf, counted};
use edgematch::enumerate::{Outcome, RunStatus, StopReason};
use edgematch::optimise::Goal;
use edgematch::problem::Problem;
use edgematch::runtime::clock::seconds;

use super::{Best, Score, readable};

/// Classes, solutions, distinct, whether that is proven, the engine's work, seconds. Where something
/// was assumed of the puzzle, a proof holds for the puzzle as it was read.
pub fn sentence(problem: &Problem, outcome: &Outcome) -> String {
    let effort = effort(outcome);
    let as_read = if problem.puzzle.assumed.is_empty() { "" } else { " as read" };
    match &outcome.status {
        RunStatus::Complete if outcome.tally.distinct == 0 => {
            let choice = outcome.work.choice.as_ref();
            match choice.filter(|choice| choice.engine == counting::NAME) {
                Some(Choice { why, .. }) => {
                    let time = seconds(outcome.seconds);
                    format!("no solution{as_read}, proven by counting: {why} ({time})")
                }
                None => format!("no solution{as_read}, proven {effort}"),
            }
        }
        RunStatus::Complete => format!("{}, complete {effort}", counts(outcome)),
        _ => unfinished(outcome, "the search", ""),
    }
}

/// The same of one part of a search, which proves nothing of the whole.
pub fn part_sentence(outcome: &Outcome, part: PartOf) -> String {
    let words = match outcome.status {
        RunStatus::Complete => {
            format!("{}, complete in this part {}", counts(outcome), effort(outcome))
        }
        _ => unfinished(outcome, "this part", " in this part"),
    };
    format!("{part}: {words}")
}

fn unfinished(outcome: &Outcome, searched: &str, place: &str) -> String {
    let found = counts(outcome);
    let effort = effort(outcome);
    match &outcome.status {
        RunStatus::Failed(failure) => format!("failed: {failure}; {found} until then {effort}"),
        RunStatus::Stopped(stop) if outcome.tally.distinct == 0 => {
            format!("no solution found; {stop}, {searched} is not finished {effort}")
        }
        RunStatus::Stopped(stop) => {
            format!("{found} so far; {stop}, there may be more{place} {effort}")
        }
        other => format!("{found}, {other} {effort}"),
    }
}

/// The engine's work and seconds. The share of the tree that is done is not told: nobody knows
/// whether the rest is as easy.
fn effort(outcome: &Outcome) -> String {
    format!("({}, {})", outcome.effort, seconds(outcome.seconds))
}

/// What is reached, whether that is proven to be the best, and how many are as good.
pub fn best_sentence(outcome: &Outcome, best: &Best) -> String {
    let steps = match best.steps {
        0 => String::new(),
        steps => format!("{} of {}, ", counted(steps, "step", "steps"), best.methods),
    };
    let effort = format!("({steps}{}, {})", outcome.effort, seconds(outcome.seconds));
    let goal = best.goal;
    let bound = best.bound;
    if let RunStatus::Failed(failure) = &outcome.status {
        return format!("failed: {failure} {effort}");
    }
    let reason = match outcome.status {
        RunStatus::Stopped(stop) => stop.to_string(),
        _ => String::new(),
    };
    let Some(value) = best.value else {
        return match (best.is_proven, goal) {
            (true, Goal::Seams(_)) => {
                format!("no arrangement, even with broken seams, proven {effort}")
            }
            (true, _) => format!("no solution, proven {effort}"),
            (false, _) => format!("nothing found; {reason}, the search is not finished {effort}"),
        };
    };
    let score = Score { value, goal };
    if !best.is_proven {
        let bound = match goal {
            Goal::Seams(_) | Goal::Largest => format!("upper bound {bound}"),
            Goal::Smallest => format!("lower bound {bound}"),
        };
        return format!("best so far: {score} ({bound}); {reason} {effort}");
    }
    let found = counts(outcome);
    match outcome.status {
        RunStatus::Complete => format!("{score}, proven best; {found}, complete {effort}"),
        RunStatus::Stopped(StopReason::Enough) => format!("{score}, proven best {effort}"),
        _ => format!("{score}, proven best; {found} so far; {reason}, there may be more {effort}"),
    }
}

fn counts(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    found(tally.distinct, &tally.classes, &tally.solutions)
}

/// The three counts in words.
pub fn found(distinct: u64, classes: impl Display, solutions: impl Display) -> String {
    match distinct {
        0 => "no solution".to_owned(),
        _ => format!(
            "{}, {}, {distinct} distinct",
            counted(readable(classes), "class", "classes"),
            counted(readable(solutions), "solution", "solutions")
        ),
    }
}
