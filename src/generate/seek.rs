//! Local search for a target by changes of labels that do not increase the distance.

use std::cell::Cell;

use crate::runtime::random::Random;

use super::measure::{AtLeast, ClassCount, count, tries};
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
    pub count: Option<ClassCount>,
    pub changes: u64,
}

/// A puzzle and its distance from the target.
struct Judged {
    planted: Planted,
    problem: Problem,
    count: Option<ClassCount>,
    difficulty: Option<AtLeast<f64>>,
    distance: f64,
}

/// The state of one search.
pub(super) struct Seeker<'a> {
    pub source: &'a dyn PuzzleSource,
    pub board: &'a Board,
    pub target: &'a Target,
    pub limits: &'a Limits<'a>,
    pub token: &'a CancelToken<'a>,
    /// The nodes used so far.
    pub work: Cell<u64>,
}

impl Seeker<'_> {
    /// Searches for a puzzle. Calls `tell` with the number of changes tried.
    ///
    /// # Errors
    /// If no puzzle is found, or the limits end the search.
    pub fn seek(
        &self,
        random: &mut Random,
        tell: &mut dyn FnMut(u64),
    ) -> Result<FoundPuzzle, GenerateError> {
        let mut changes = 0;
        let mut nearest: Option<Judged> = None;
        loop {
            let mut here = self.judge(self.source.start(random), f64::INFINITY)?;
            let mut stale = 0;
            while here.distance > 0.0 && stale < PATIENCE {
                // Small counts end before they poll.
                if self.token.poll().is_break() {
                    return Err(GenerateError::Stopped(RunStatus::stopped_by(self.token)));
                }
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
    /// underestimated.
    fn judge(&self, planted: Planted, bound: f64) -> Result<Judged, GenerateError> {
        let problem = Problem::new(planted.puzzle.clone(), self.board.clone());
        let problem =
            problem.map_err(|misfilled| GenerateError::Impossible(misfilled.to_string()))?;
        let mut judged = Judged { planted, problem, count: None, difficulty: None, distance: 0.0 };
        judged.distance = self.distance(&mut judged, bound)?;
        Ok(judged)
    }

    fn distance(&self, judged: &mut Judged, bound: f64) -> Result<f64, GenerateError> {
        let problem = &judged.problem;
        let wish = self.target;
        let twins = problem.puzzle.tiles.len() - problem.kinds.kinds.len();
        if wish.no_twins() && twins > 0 {
            return Ok(TWINS + twins as f64);
        }
        if wish.classes.is_none() && wish.difficulty.is_none() {
            return Ok(0.0);
        }
        let enough = match wish.classes {
            Some(Classes { to: Some(to), .. }) if bound <= CLASSES => to,
            Some(Classes { to: Some(to), .. }) if bound < TWINS => {
                count_at_distance(to, bound - CLASSES).min(to.max(MOST_CLASSES))
            }
            Some(Classes { from, to: None }) if wish.difficulty.is_none() => from,
            Some(Classes { to: Some(to), .. }) => to.max(MOST_CLASSES),
            _ => MOST_CLASSES,
        };
        let counted = count(problem, &Auto, (enough, None), self.limits, self.token)
            .map_err(GenerateError::Stopped)?;
        self.work.set(self.work.get() + counted.nodes);
        // If the count was truncated, a slightly larger count must not appear worse.
        let seen = u64::try_from(&counted.classes).unwrap_or(u64::MAX);
        let seen = if counted.is_all { seen } else { seen.min(enough + 1) };
        let off = wish.classes.map_or(0.0, |classes| classes.distance(seen));
        let counted = judged.count.insert(counted);
        match wish.difficulty {
            _ if off > 0.0 => Ok(CLASSES + off),
            Some(wished) if counted.is_all => {
                let difficulty = self.difficulty(problem, counted, wished)?;
                Ok(wished.distance(*judged.difficulty.insert(difficulty)))
            }
            Some(_) => Ok(CLASSES),
            None => Ok(0.0),
        }
    }

    /// Measures the difficulty as far as needed to compute its distance from the range.
    fn difficulty(
        &self,
        problem: &Problem,
        counted: &ClassCount,
        wished: Difficulty,
    ) -> Result<AtLeast<f64>, GenerateError> {
        /// The factor beyond the range up to which distances are compared.
        const BEYOND: f64 = 8.0;
        let distinct = counted.distinct.max(1) as f64;
        let most = if wished.to.is_finite() {
            BEYOND * wished.to * distinct
        } else {
            wished.from * distinct
        };
        let tries = tries(problem, most.ceil() as u64, self.token);
        let tries = tries.map_err(GenerateError::Stopped)?;
        self.work.set(self.work.get() + tries.number / TRIES_A_NODE);
        Ok(AtLeast { number: tries.number as f64 / distinct, is_all: tries.is_all })
    }
}

/// The base distance of violated classes, larger than any distance in difficulty.
const CLASSES: f64 = 1e3;

/// The base distance of twins, larger than any distance in classes.
const TWINS: f64 = 1e6;

/// The largest number whose distance above another, by [`Classes::distance`], is at most `distance`.
fn count_at_distance(than: u64, distance: f64) -> u64 {
    (distance.exp() * (than as f64 + 1.0)).ceil() as u64
}

fn given_up(nearest: Judged, changes: u64) -> GenerateError {
    GenerateError::GivenUp {
        changes,
        classes: nearest.count.map(|count| count.classes),
        difficulty: nearest.difficulty,
    }
}
