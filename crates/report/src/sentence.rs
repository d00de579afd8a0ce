//! One sentence about a run: the solutions found, whether they are all, and the work of the engine.
//!
//! "Complete" and "proven" appear only for runs that the engine finished. The sentence of a run
//! that stopped early gives the reason.

use std::fmt::Display;

use edgematch::domains::counting;
use edgematch::engine::{EngineChoice, PartOf, counted};
use edgematch::enumerate::{Outcome, RunStatus, StopReason};
use edgematch::optimise::Goal;
use edgematch::problem::Problem;
use edgematch::puzzle::Face;
use edgematch::runtime::clock::seconds;

use super::{Best, readable};

/// The sentence about a search. If the reader assumed anything about the puzzle, a proof that there
/// is no solution holds for the puzzle as read.
pub fn sentence(problem: &Problem, outcome: &Outcome) -> String {
    let effort = effort(outcome);
    let as_read = if problem.puzzle.assumed.is_empty() { "" } else { " as read" };
    match &outcome.status {
        RunStatus::Complete if outcome.tally.listed() == 0 => match &outcome.work.choice {
            Some(EngineChoice { engine, why, .. }) if *engine == counting::NAME => {
                let time = seconds(outcome.seconds);
                format!("no solution{as_read}, proven by counting: {why} ({time})")
            }
            _ => format!("no solution{as_read}, proven {effort}"),
        },
        RunStatus::Complete => {
            format!("{}, proven complete {effort}", solutions_found(problem, outcome))
        }
        _ => unfinished(problem, outcome, "the search", ""),
    }
}

/// The sentence about a search for solutions that differ in at least `distance` cells.
pub fn apart_sentence(problem: &Problem, outcome: &Outcome, distance: usize) -> String {
    match outcome.status {
        RunStatus::Complete if outcome.tally.listed() > 0 => {
            format!("{} {}", complete_apart(problem, outcome, distance), effort(outcome))
        }
        _ => sentence(problem, outcome),
    }
}

/// The words about a complete search for solutions that differ in at least `distance` cells.
fn complete_apart(problem: &Problem, outcome: &Outcome, distance: usize) -> String {
    let cells = counted(distance, "cell", "cells");
    let found = solutions_found(problem, outcome);
    format!("{found} at least {cells} apart, proven that none can be added")
}

/// The sentence about one part of a search, which proves nothing about the others.
pub fn part_sentence(problem: &Problem, outcome: &Outcome, part: PartOf) -> String {
    let words = match outcome.status {
        RunStatus::Complete => {
            format!(
                "{}, complete in this part {}",
                solutions_found(problem, outcome),
                effort(outcome)
            )
        }
        _ => unfinished(problem, outcome, "this part", " in this part"),
    };
    format!("{part}: {words}")
}

/// The words about a run that is not complete; `searched` is its subject, and `place` says where
/// there may be more solutions.
fn unfinished(problem: &Problem, outcome: &Outcome, searched: &str, place: &str) -> String {
    let found = solutions_found(problem, outcome);
    let effort = effort(outcome);
    match &outcome.status {
        RunStatus::Failed(failure) => format!("failed: {failure}; {found} until then {effort}"),
        RunStatus::Stopped(stop) if outcome.tally.listed() == 0 => {
            format!("no solution found; {stop}, {searched} is not finished {effort}")
        }
        RunStatus::Stopped(stop) => {
            format!("{found} so far; {stop}, there may be more{place} {effort}")
        }
        other => format!("{found}, {other} {effort}"),
    }
}

/// The engine's work and time in parentheses.
fn effort(outcome: &Outcome) -> String {
    format!("({})", work(outcome))
}

/// The engine's work and time; first the engine and its variant if it solved models. It omits the
/// explored share of the tree, because the rest may be harder.
fn work(outcome: &Outcome) -> String {
    let work = format!("{}, {}", outcome.effort, seconds(outcome.seconds));
    if outcome.work.variables > 0 {
        return format!("{} {}, {work}", outcome.engine, outcome.variant);
    }
    work
}

/// The sentence about an optimisation: the score, whether it is proven to be optimal, and the
/// number of arrangements with that score.
pub fn best_sentence(problem: &Problem, outcome: &Outcome, best: &Best) -> String {
    let steps = match best.steps {
        0 => String::new(),
        steps => format!("{} of {}, ", counted(steps, "step", "steps"), best.methods),
    };
    let effort = format!("({steps}{})", work(outcome));
    let &Best { goal, bound, .. } = best;
    if let RunStatus::Failed(failure) = &outcome.status {
        return format!("failed: {failure} {effort}");
    }
    let reason = match outcome.status {
        RunStatus::Stopped(stop) => stop.to_string(),
        _ => String::new(),
    };
    if best.scores.0.is_empty() {
        return match (best.is_proven, goal) {
            (true, Goal::Seams(_)) => {
                format!("no arrangement exists, even with mismatched edges, proven {effort}")
            }
            (true, _) => format!("no solution, proven {effort}"),
            (false, _) => format!("nothing found; {reason}, the search is not finished {effort}"),
        };
    }
    let score = &best.scores;
    if !best.is_proven {
        let bound = match goal {
            Goal::Seams(_) | Goal::Largest => format!("upper bound {bound}"),
            Goal::Smallest | Goal::Cost => format!("lower bound {bound}"),
        };
        return format!("best so far: {score} ({bound}); {reason} {effort}");
    }
    let found = solutions_found(problem, outcome);
    match outcome.status {
        RunStatus::Complete => {
            let within = match best.gap {
                0 => String::new(),
                gap => format!(" within {gap} of it"),
            };
            let all = match best.distance {
                Some(distance) => complete_apart(problem, outcome, distance) + &within,
                None => format!("{found}{within}, proven complete"),
            };
            format!("{score}, proven best; {all} {effort}")
        }
        RunStatus::Stopped(StopReason::Enough) => format!("{score}, proven best {effort}"),
        _ => format!("{score}, proven best; {found} so far; {reason}, there may be more {effort}"),
    }
}

/// The number of solutions that a run found, in words.
pub fn solutions_found(problem: &Problem, outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    found(&tally.distinct, &tally.classes, &tally.solutions, symmetries(problem))
}

/// The noun for the symmetries of the puzzle's board: "rotations of the board" if they are all
/// rotations that keep the front side up, otherwise [`SYMMETRIES`].
pub fn symmetries(problem: &Problem) -> &'static str {
    // The identity comes first. A translation turns no tile, and a reflection shows the backs.
    let mut others = problem.group.iter().skip(1);
    let are_rotations =
        others.all(|s| s.turns() && s.motion.iter().all(|m| m.face() == Face::Front));
    if are_rotations { "rotations of the board" } else { SYMMETRIES }
}

/// The noun for the symmetries of any board.
pub const SYMMETRIES: &str = "symmetries of the board";

/// The number of solutions in words: `1 solution (4 with rotations of the board)`, where the second
/// number includes symmetric images. All three counts are given if identical tiles make the numbers
/// of classes and distinct arrangements differ.
pub fn found(
    distinct: impl Display,
    classes: impl Display,
    solutions: impl Display,
    symmetries: &str,
) -> String {
    let [distinct, classes, solutions] =
        [distinct.to_string(), classes.to_string(), solutions.to_string()];
    let found = counted(readable(&distinct), "solution", "solutions");
    if distinct == "0" {
        "no solution".to_owned()
    } else if classes != distinct {
        format!(
            "{}, {}, {} distinct",
            counted(readable(classes), "class", "classes"),
            counted(readable(solutions), "solution", "solutions"),
            readable(distinct)
        )
    } else if solutions == classes {
        found
    } else {
        format!("{found} ({} with {symmetries})", readable(solutions))
    }
}
