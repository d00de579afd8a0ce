//! Local search for a puzzle that meets a target: changes of labels that do not increase the
//! distance are kept.

use std::cell::Cell;

use crate::runtime::random::Random;

use super::measure::{AtLeast, ClassCount, count_classes, count_tries};
use super::planted::Planted;
use super::{Classes, Difficulty, GenerateError, PuzzleSource, Target};
use crate::board::Board;
use crate::engine::Auto;
use crate::enumerate::{Limits, RunStatus};
use crate::problem::Problem;
use crate::runtime::limits::CancelToken;

/// The number of consecutive changes without improvement before a restart.
const PATIENCE: u64 = 500;

/// The maximum number of changes if there is no time limit.
const MOST_CHANGES: u64 = 50_000;

/// The maximum number of nodes if there is no time limit: about half a minute.
const MOST_NODES: u64 = 30_000_000;

/// The number of tries that take as long as a node.
const TRIES_A_NODE: u64 = 64;

/// The number of classes above which all puzzles are considered equally bad.
const MOST_CLASSES: u64 = 10_000;

/// A puzzle that meets the target.
pub(super) struct FoundPuzzle {
    pub problem: Problem,
    /// The count of its classes; `None` if the target did not require one.
    pub count: Option<ClassCount>,
    /// The number of changes tried.
    pub changes: u64,
}

/// A puzzle, its distance from the target, and what was counted to compute it.
struct JudgedPuzzle {
    planted: Planted,
    problem: Problem,
    count: Option<ClassCount>,
    difficulty: Option<AtLeast<f64>>,
    distance: f64,
}

/// One search for a puzzle.
pub(super) struct Seeker<'a> {
    pub source: &'a dyn PuzzleSource,
    pub board: &'a Board,
    pub target: &'a Target,
    pub limits: &'a Limits<'a>,
    pub token: &'a CancelToken<'a>,
    /// The nodes used so far; tries are converted to nodes.
    pub work: Cell<u64>,
}

impl Seeker<'_> {
    /// Searches for a puzzle that meets the target. Calls `tell` with the number of changes tried,
    /// after each change.
    ///
    /// # Errors
    /// [`GenerateError::GivenUp`] if there is no time limit and the search reaches its limit of
    /// changes or nodes, [`GenerateError::Stopped`] if the limits end the search,
    /// [`GenerateError::Impossible`] if the tiles do not fill the board.
    pub fn seek(
        &self,
        random: &mut Random,
        tell: &mut dyn FnMut(u64),
    ) -> Result<FoundPuzzle, GenerateError> {
        let mut changes = 0;
        let mut nearest: Option<JudgedPuzzle> = None;
        loop {
            let mut here = self.judge(self.source.start(random), f64::INFINITY)?;
            let mut stale = 0;
            while here.distance > 0.0 && stale < PATIENCE {
                // Small counts end before they poll.
                let polled = RunStatus::unless_stopped(self.token.poll(), self.token);
                polled.map_err(GenerateError::Stopped)?;
                let is_enough = changes >= MOST_CHANGES || self.work.get() >= MOST_NODES;
                if is_enough && self.limits.time.is_none() {
                    let nearest = nearest.filter(|nearest| nearest.distance < here.distance);
                    return Err(given_up(nearest.unwrap_or(here), changes));
                }
                let mut next = here.planted.clone();
                if !self.source.change(&mut next, random) {
                    break;
                }
                changes += 1;
                stale += 1;
                tell(changes);
                let next = self.judge(next, here.distance)?;
                if next.distance <= here.distance {
                    if next.distance < here.distance {
                        stale = 0;
                    }
                    here = next;
                }
            }
            if here.distance <= 0.0 {
                return Ok(FoundPuzzle { problem: here.problem, count: here.count, changes });
            }
            // A restart counts as a change, so a search without possible changes ends.
            changes += 1;
            if nearest.as_ref().is_none_or(|nearest| here.distance < nearest.distance) {
                nearest = Some(here);
            }
        }
    }

    /// Computes the distance of a puzzle from the target. A distance above `bound` may be
    /// underestimated, because counts are cut off.
    ///
    /// # Errors
    /// As for [`Seeker::distance`], or [`GenerateError::Impossible`] if the tiles do not fill the
    /// board.
    fn judge(&self, planted: Planted, bound: f64) -> Result<JudgedPuzzle, GenerateError> {
        let problem = Problem::new(planted.puzzle.clone(), self.board.clone());
        let problem = problem.map_err(|error| GenerateError::Impossible(error.to_string()))?;
        let mut judged =
            JudgedPuzzle { planted, problem, count: None, difficulty: None, distance: 0.0 };
        judged.distance = self.distance(&mut judged, bound)?;
        Ok(judged)
    }

    /// Computes the distance, and stores in `judged` the counts that it needs. Twins count most,
    /// then classes, then difficulty: a less important property is not measured if a more important
    /// one misses the target. 0 if the puzzle meets the target. Adds the work to `work`.
    ///
    /// # Errors
    /// [`GenerateError::Stopped`] if the limits ended a count or an engine failed.
    fn distance(&self, judged: &mut JudgedPuzzle, bound: f64) -> Result<f64, GenerateError> {
        let problem = &judged.problem;
        let target = self.target;
        let twins = problem.puzzle.tiles.len() - problem.kinds.kinds.len();
        if target.excludes_twins() && twins > 0 {
            return Ok(TWINS + twins as f64);
        }
        if target.classes.is_none() && target.difficulty.is_none() {
            return Ok(0.0);
        }
        let enough = match target.classes {
            Some(Classes { to: Some(to), .. }) if bound <= CLASSES => to,
            Some(Classes { to: Some(to), .. }) if bound < TWINS => {
                count_at_distance(to, bound - CLASSES).min(to.max(MOST_CLASSES))
            }
            Some(Classes { from, to: None }) if target.difficulty.is_none() => from,
            Some(Classes { to: Some(to), .. }) => to.max(MOST_CLASSES),
            _ => MOST_CLASSES,
        };
        let counted = count_classes(problem, &Auto, (enough, None), self.limits, self.token)
            .map_err(GenerateError::Stopped)?;
        self.work.set(self.work.get() + counted.nodes);
        // If the count was cut off, a slightly larger count must not appear worse.
        let seen = u64::try_from(&counted.classes).unwrap_or(u64::MAX);
        let seen = if counted.is_all { seen } else { seen.min(enough + 1) };
        let distance = target.classes.map_or(0.0, |classes| classes.distance(seen));
        let counted = judged.count.insert(counted);
        match target.difficulty {
            _ if distance > 0.0 => Ok(CLASSES + distance),
            Some(wanted) if counted.is_all => {
                let difficulty = self.difficulty(problem, counted, wanted)?;
                Ok(wanted.distance(*judged.difficulty.insert(difficulty)))
            }
            Some(_) => Ok(CLASSES),
            None => Ok(0.0),
        }
    }

    /// Measures the difficulty as far as needed for its distance from the range `wanted`; beyond
    /// that, from eight times the upper bound, it is a lower bound.
    ///
    /// # Errors
    /// [`GenerateError::Stopped`] if the limits ended the count or the engine failed.
    fn difficulty(
        &self,
        problem: &Problem,
        counted: &ClassCount,
        wanted: Difficulty,
    ) -> Result<AtLeast<f64>, GenerateError> {
        /// The factor by which a difficulty may exceed the range before distances are no longer
        /// distinguished.
        const BEYOND: f64 = 8.0;
        let distinct = counted.distinct.max(1) as f64;
        let most = if wanted.to.is_finite() {
            BEYOND * wanted.to * distinct
        } else {
            wanted.from * distinct
        };
        let tries = count_tries(problem, most.ceil() as u64, self.token);
        let tries = tries.map_err(GenerateError::Stopped)?;
        self.work.set(self.work.get() + tries.number / TRIES_A_NODE);
        Ok(AtLeast { number: tries.number as f64 / distinct, is_all: tries.is_all })
    }
}

/// The distance added if the number of classes is wrong, larger than any distance in difficulty.
const CLASSES: f64 = 1e3;

/// The distance added if there are twins, larger than any distance in classes.
const TWINS: f64 = 1e6;

/// The largest number whose [distance](Classes::distance) above the bound `than` is about
/// `distance`.
fn count_at_distance(than: u64, distance: f64) -> u64 {
    (distance.exp() * (than as f64 + 1.0)).ceil() as u64
}

/// The error for a search that reached its limits, with the counts of the nearest puzzle.
fn given_up(nearest: JudgedPuzzle, changes: u64) -> GenerateError {
    GenerateError::GivenUp {
        changes,
        classes: nearest.count.map(|count| count.classes),
        difficulty: nearest.difficulty,
    }
}
