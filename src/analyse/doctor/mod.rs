//! Finds the mistyped tile: lists every single slip whose correction gives a solution, and the
//! likelihood that each tile has one.
//!
//! About forty single slips fit a typical mistyped puzzle of nine tiles, and the file does not
//! identify the right one. So slips are weighted by Bayes' rule: by the frequency of their kind,
//! the number of possible slips of that kind, and the resemblance of the corrected puzzle to real
//! puzzles. The weights of each tile are added up. Two slips, or one of another kind, have the prior
//! probability that a typist has who mistypes one edge in a hundred.

mod likeness;
mod slips;
mod words;

use std::ops::ControlFlow;

use self::likeness::Likeness;
pub use self::slips::SlipKind;
use self::slips::{PossibleSlip, number_of_possible_slips, possible_slips};
use crate::board::CellSide;
use crate::engine::{Auto, Propagate};
use crate::enumerate::{self, Limits, NewSolution, RunStatus, StopReason};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::{Change, ValueSet};
use crate::runtime::limits::CancelToken;

/// The number of solutions after which counting stops.
const MOST_SOLUTIONS: u64 = 8;

/// A possible slip: a single mistake in typing whose correction gives a puzzle with a solution.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Slip {
    /// The kind of slip.
    pub kind: SlipKind,
    /// The tile, by index; `None` for a slip on all tiles.
    pub tile: Option<usize>,
    /// The corrected edges; empty for a tile that is a copy of another one, because its true edges
    /// are unknown.
    pub changes: Vec<Change>,
    /// The number of distinct solutions after the correction, counted up to eight; 1 for a copy,
    /// whose solutions are not counted.
    pub solutions: u64,
    /// The probability of the slip; those of all slips and [`Diagnosis::other`] add up to 1.
    pub likelihood: f64,
}

/// A tile with the slips that may have been made on it, or all tiles with those on all of them.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Suspect {
    /// The tile, by index; `None` for all tiles.
    pub tile: Option<usize>,
    /// The sum of the likelihoods of its slips.
    pub likelihood: f64,
    /// The slips, most likely first.
    pub slips: Vec<Slip>,
}

/// The possible mistakes in a puzzle.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Diagnosis {
    /// A solution of the puzzle as typed; `None` if it has none.
    pub solution: Option<Arrangement>,
    /// The tiles with possible slips, most likely first.
    pub suspects: Vec<Suspect>,
    /// The probability of several slips, or of one that was not tried.
    pub other: f64,
    /// The final status; [`RunStatus::Complete`] if every single slip was tried.
    pub status: RunStatus,
    /// The number of slips tried, then the number of all possible slips.
    pub tried: [usize; 2],
}

impl Diagnosis {
    /// The slips, tile by tile, each most likely first.
    pub fn slips(&self) -> impl Iterator<Item = &Slip> {
        self.suspects.iter().flat_map(|suspect| &suspect.slips)
    }
}

/// Tries every single slip of a puzzle, also if the puzzle has a solution as typed. If a limit is
/// reached, the diagnosis contains the slips found so far, and its status names the limit. Limits
/// on nodes apply to each correction separately.
///
/// # Errors
/// The status of the search if it did not determine whether the puzzle as typed has a solution.
pub fn diagnose(problem: &Problem, limits: &Limits<'_>) -> Result<Diagnosis, RunStatus> {
    let trial = Trial { limits, token: &limits.token() };
    trial.poll()?;
    // The search ends at the first solution, so a limit that is reached later does not hide it.
    let solution = enumerate::first_under(trial.token, problem, &Auto, limits, &mut |_| ())?;
    let likeness = Likeness::new(problem);
    let mut slips = Vec::new();
    let mut tried = 0;
    let mut status = RunStatus::Complete;
    for candidate in possible_slips(problem) {
        match trial.try_slip(problem, &candidate, likeness.unnormalised_likelihood(&candidate)) {
            Ok(slip) => slips.extend(slip),
            Err(ended) => {
                status = ended;
                break;
            }
        }
        tried += 1;
    }
    let other = if slips.is_empty() { 1.0 } else { probability_of_several(problem) };
    let suspects = rank_slips(slips, 1.0 - other);
    let tried = [tried, number_of_possible_slips(problem)];
    Ok(Diagnosis { solution, suspects, other, status, tried })
}

/// The probability that a typist who mistypes one edge in a hundred made several slips, given that
/// there is one at least.
fn probability_of_several(problem: &Problem) -> f64 {
    const SLIPS_PER_EDGE: f64 = 0.01;
    let edges: usize = problem.puzzle.tiles.iter().map(|tile| tile.shown_labels().count()).sum();
    let mean = SLIPS_PER_EDGE * edges as f64;
    // The number of slips has a Poisson distribution.
    1.0 - mean / mean.exp_m1()
}

/// Groups slips by tile, sorts both by likelihood, and scales the weights to likelihoods that add up
/// to `whole`.
fn rank_slips(mut slips: Vec<Slip>, whole: f64) -> Vec<Suspect> {
    let weights: f64 = slips.iter().map(|slip| slip.likelihood).sum();
    for slip in &mut slips {
        slip.likelihood *= whole / weights;
    }
    slips.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    let mut suspects: Vec<Suspect> = Vec::new();
    for slip in slips {
        match suspects.iter_mut().find(|suspect| suspect.tile == slip.tile) {
            Some(suspect) => {
                suspect.likelihood += slip.likelihood;
                suspect.slips.push(slip);
            }
            None => suspects.push(Suspect {
                tile: slip.tile,
                likelihood: slip.likelihood,
                slips: vec![slip],
            }),
        }
    }
    suspects.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    suspects
}

/// Solves corrected puzzles under a shared token.
struct Trial<'a> {
    limits: &'a Limits<'a>,
    token: &'a CancelToken<'a>,
}

impl Trial<'_> {
    /// The number of distinct solutions, counted up to eight.
    ///
    /// # Errors
    /// The status of the search if a limit ended it before the count, even if it had found a
    /// solution.
    fn count(&self, problem: &Problem) -> Result<u64, RunStatus> {
        self.poll()?;
        let limits = Limits { distinct: MOST_SOLUTIONS, ..*self.limits };
        let mut ignore = |_: &NewSolution<'_>| ControlFlow::Continue(());
        let outcome = enumerate::run_under(self.token, problem, &Auto, &limits, &mut ignore);
        match outcome.status {
            RunStatus::Complete | RunStatus::Stopped(StopReason::Enough) => {
                Ok(outcome.tally.listed())
            }
            status => Err(status),
        }
    }

    /// Polls the token, because small searches end before they poll.
    ///
    /// # Errors
    /// The status of a stopped run if the token is cancelled.
    fn poll(&self) -> Result<(), RunStatus> {
        RunStatus::unless_stopped(self.token.poll(), self.token)
    }

    /// Tests a slip; `None` if it is proven that the corrected puzzle has no solution. The
    /// likelihood of the returned slip is `weight`, which is not normalised.
    ///
    /// # Errors
    /// The status of the search if a limit ended it before the solutions were counted.
    fn try_slip(
        &self,
        problem: &Problem,
        candidate: &PossibleSlip,
        weight: f64,
    ) -> Result<Option<Slip>, RunStatus> {
        let solutions = match (candidate.kind, candidate.tile) {
            (SlipKind::Copied, Some(tile)) => u64::from(self.is_solved_without(problem, tile)?),
            _ => self.count(&problem.with_changes(&candidate.changes))?,
        };
        Ok((solutions > 0).then(|| Slip {
            kind: candidate.kind,
            tile: candidate.tile,
            changes: candidate.changes.clone(),
            solutions,
            likelihood: weight,
        }))
    }

    /// Returns true if there is a solution in which one tile need not match its neighbours. Tries
    /// the tile in each cell in turn.
    ///
    /// # Errors
    /// The status of the search if a limit ended it before a solution or a proof.
    fn is_solved_without(&self, problem: &Problem, tile: usize) -> Result<bool, RunStatus> {
        for cell in 0..problem.board.size() {
            self.poll()?;
            let seams = problem.board.required();
            let around: Vec<[CellSide; 2]> =
                seams.filter(|ends| ends.iter().any(|(at, _)| *at == cell)).collect();
            let freed = problem.relaxed(problem.constraints.clone(), &around, &[]);
            let kinds = &freed.kinds;
            let values = kinds.values.len();
            let mut cells = vec![ValueSet::from_range(values, 0..values); problem.board.size()];
            let own = kinds.kinds[kinds.of_tile[tile]].values.clone();
            cells[cell] = ValueSet::from_range(values, own);
            let confined = freed.confined(cells);
            let found =
                enumerate::first_under(self.token, &confined, &Propagate, self.limits, &mut |_| ());
            if found?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn diagnosed(text: &str) -> Diagnosis {
        let problem = load::from_str(text).unwrap();
        diagnose(&problem, &Limits::default()).unwrap()
    }

    #[test]
    fn a_wrong_sign_is_among_the_slips() {
        let found = diagnosed(
            "{rows: 1, cols: 3, rotations: false, tiles: {1: [a+, x, y, z], 2: [b+, x, a+, z], 3: \
             [w, x, b-, z]}}",
        );
        assert_eq!(found.solution, None);
        let sign = |slip: &&Slip| slip.kind == SlipKind::Sign && slip.tile == Some(1);
        assert!(found.slips().any(|slip| sign(&slip) && slip.changes[0].side == 2));
        let whole: f64 = found.slips().map(|slip| slip.likelihood).sum();
        assert!(0.0 < found.other && (whole + found.other - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_copy_is_suggested_if_two_tiles_look_alike() {
        let found = diagnosed(
            "{rows: 1, cols: 3, rotations: false, tiles: {1: [a+, x, y, z], 2: [a+, x, y, z], 3: \
             [w, x, b-, z]}}",
        );
        let copies = found.slips().filter(|slip| slip.kind == SlipKind::Copied);
        assert_eq!(copies.count(), 2);
    }

    /// The search for the only solution finds it after 1,563 nodes, but needs more than 3,000 to
    /// prove that there is no other.
    #[test]
    fn a_solution_as_typed_is_kept_if_the_limit_stops_the_search_for_others() {
        let problem = load::from_str(include_str!("../../../benches/boards/s5-k6-0.yaml")).unwrap();
        let limits = Limits { nodes: Some(2_000), ..Limits::default() };
        let whole = enumerate::run(&problem, &Auto, &limits, &mut |_: &NewSolution<'_>| {
            ControlFlow::Continue(())
        });
        assert_eq!(whole.tally.listed(), 1);
        assert!(!whole.status.is_complete());
        let found = diagnose(&problem, &limits).unwrap();
        assert!(found.solution.is_some());
        assert_ne!(found.status, RunStatus::Complete);
    }
}
