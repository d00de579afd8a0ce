//! Questions about all solutions: how many there are, where each tile is in them, and random ones.
//!
//! Each is answered by a list of all solutions or [along a frontier](super::frontier), whichever is
//! expected to take less time.

use std::ops::ControlFlow;
use std::time::Duration;

use itertools::Itertools;
use num_bigint::BigUint;

use super::frontier::{FrontierCounter, Marginals, SweepLimits, along_frontier, serves};
use super::solution::ValueArrangement;
use super::up_to::{self, PuzzleSymmetry};
use super::{Limits, NewSolution, Outcome, RunStatus, Solution, StopReason, run_under};
use crate::engine::{Auto, Engine, Propagate};
use crate::problem::{Arrangement, Problem};
use crate::puzzle::Copies;
use crate::runtime::clock;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// How a question about all solutions is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By a list of all solutions.
    Search,
    /// Along a frontier, without a list. The status is `Unsupported` if [`serves`] fails.
    Frontier,
}

/// The node limit of the trial listing.
const TRIAL: u64 = 100_000;

/// The node limit of the search for one solution, as a state of a frontier is not a solution.
const FIRST: u64 = 1_000_000;

/// The share of the remaining time after which a count along a frontier is given up for a list.
const FRONTIER_SHARE: f64 = 0.8;

/// The transitions that take as long as a node of the search.
const TRANSITIONS_PER_NODE: f64 = 4.0;

/// Counts all solutions, with the method that is expected to take less time unless one is given. If
/// the run is not complete, the counts are lower bounds.
///
/// ```
/// use edgematch::{Limits, count, load};
/// let text = "{rows: 2, cols: 2, rotations: false, tiles: {1: [a, b, c, d], 2: [c, b, a, d], \
///             3: [a, d, c, b], 4: [c, d, a, b]}}";
/// let counted = count(&load::from_str(text)?, &Limits::default(), None);
/// assert!(counted.status.is_complete());
/// assert_eq!(counted.tally.distinct, 12u32.into());
/// # Ok::<(), edgematch::load::LoadError>(())
/// ```
pub fn count(problem: &Problem, limits: &Limits<'_>, method: Option<Method>) -> Outcome {
    answer(problem, limits, method, || (), |(), _, _| ControlFlow::Continue(()), |_| Ok(())).0
}

/// Counts all solutions, and the distinct ones up to some symmetries of the whole puzzle. If the
/// run is not complete, the counts are lower bounds.
pub fn count_up_to(
    problem: &Problem,
    limits: &Limits<'_>,
    method: Option<Method>,
    symmetries: &[PuzzleSymmetry],
) -> (Outcome, BigUint) {
    let add = |number: &mut BigUint, found: &Solution, token: &CancelToken<'_>| {
        *number += u32::from(up_to::is_first(symmetries, found));
        token.work(symmetries.len() * problem.board.size())
    };
    let sweep = |counter: &mut FrontierCounter<'_>| counter.orbits(symmetries);
    answer(problem, limits, method, || BigUint::ZERO, add, sweep)
}

/// Counts all solutions, and for each kind of tile and each cell those with such a tile in the cell.
/// If the run is not complete, all numbers are lower bounds.
pub fn marginals(
    problem: &Problem,
    limits: &Limits<'_>,
    method: Option<Method>,
) -> (Outcome, Marginals) {
    let add = |marginals: &mut Marginals, found: &Solution, token: &CancelToken<'_>| {
        let each = &found.solutions / found.orbit.len();
        for image in &found.orbit {
            for (cell, value) in image.values().enumerate() {
                marginals.add(problem, cell, value, each.clone());
            }
        }
        token.work(found.orbit.len() * problem.board.size())
    };
    answer(problem, limits, method, || Marginals::none(problem), add, |counter| counter.marginals())
}

/// Counts all solutions and draws some of them at random, uniformly and independently, without
/// [assigning](assign_at_random) identical tiles. The list is empty if there is no solution;
/// if the run is not complete, it is not a sample of all solutions.
pub fn sample(
    problem: &Problem,
    limits: &Limits<'_>,
    method: Option<Method>,
    (number, seed): (usize, u64),
) -> (Outcome, Vec<ValueArrangement>) {
    let start = || Reservoir {
        random: Random::with_seed(seed),
        total: BigUint::ZERO,
        drawn: vec![None; number],
    };
    let add = |reservoir: &mut Reservoir, found: &Solution, token: &CancelToken<'_>| {
        reservoir.add(found);
        token.work(number)
    };
    let sweep = |counter: &mut FrontierCounter<'_>| {
        let drawn = counter.sample(number, seed)?;
        Ok(Reservoir { drawn: drawn.into_iter().map(Some).collect(), ..start() })
    };
    let (outcome, reservoir) = answer(problem, limits, method, start, add, sweep);
    (outcome, reservoir.drawn.into_iter().flatten().collect())
}

/// Draws one of the solutions that look like `values`, uniformly: the assignment of identical tiles,
/// and of orientations that look the same.
pub fn assign_at_random(
    problem: &Problem,
    values: &ValueArrangement,
    random: &mut Random,
) -> Arrangement {
    let mut arrangement = values.arrangement(problem);
    let kinds = &problem.kinds;
    let used = values.values().counts_by(|value| kinds.values[value].kind);
    let drawn = kinds.kinds.iter().enumerate().map(|(kind, of)| {
        let cells = used.get(&kind).copied().unwrap_or(0);
        let tiles = of.tiles.iter().map(|&tile| (tile, problem.puzzle.tiles[tile].copies));
        random_tiles(&tiles.collect_vec(), cells, random).into_iter()
    });
    let mut tiles_by_kind = drawn.collect_vec();
    for (placed, value) in arrangement.0.iter_mut().zip(values.values()) {
        placed.tile = tiles_by_kind[kinds.values[value].kind].next().unwrap_or(placed.tile);
        let looks: Vec<_> = kinds.orientations_of(placed.tile, value).collect();
        placed.orientation = *random.choice(&looks).unwrap_or(&placed.orientation);
    }
    arrangement
}

/// A sequence of tiles, drawn uniformly from all that use no tile more often than it has copies.
///
/// # Panics
/// If there are fewer copies than `cells`.
fn random_tiles(tiles: &[(usize, Copies)], cells: usize, random: &mut Random) -> Vec<usize> {
    if let [(tile, _)] = *tiles {
        return vec![tile; cells];
    }
    // The number of sequences, by the first tile that they may use and by their length.
    let mut ways = vec![vec![BigUint::ZERO; cells + 1]; tiles.len() + 1];
    ways[tiles.len()][0] = BigUint::from(1u32);
    let shares = |ways: &[Vec<BigUint>], at: usize, length: usize| {
        let most = tiles[at].1.limited_to(length);
        let later = ways[at + 1][length - most..=length].iter().rev();
        let shares = (0..=most).zip(later).scan(BigUint::from(1u32), |choices, (used, later)| {
            let share = &*choices * later;
            *choices = &*choices * (length - used) / (used + 1);
            Some(share)
        });
        shares.collect_vec()
    };
    for at in (0..tiles.len()).rev() {
        for length in 0..=cells {
            ways[at][length] = shares(&ways, at, length).iter().sum();
        }
    }
    let mut drawn = Vec::with_capacity(cells);
    for (at, &(tile, _)) in tiles.iter().enumerate() {
        let length = cells - drawn.len();
        let mut left = random.number_below(&ways[at][length]);
        let shares = shares(&ways, at, length);
        let used = shares.iter().take_while(|&share| {
            let is_passed = left >= *share;
            if is_passed {
                left -= share;
            }
            is_passed
        });
        drawn.extend(std::iter::repeat_n(tile, used.count()));
    }
    random.shuffle(&mut drawn);
    drawn
}

/// Solutions drawn from a stream of unknown length (reservoir sampling with replacement).
struct Reservoir {
    random: Random,
    /// The number of labelled solutions so far.
    total: BigUint,
    drawn: Vec<Option<ValueArrangement>>,
}

impl Reservoir {
    /// Replaces each drawn solution by one of those that `found` represents, with the probability
    /// of their share in all solutions so far.
    fn add(&mut self, found: &Solution) {
        self.total += &found.solutions;
        for drawn in &mut self.drawn {
            if self.random.number_below(&self.total) < found.solutions {
                *drawn = self.random.choice(&found.orbit).cloned();
            }
        }
    }
}

/// Answers a question with the given method. Without one, lists all solutions if a short search
/// finds all, and otherwise counts along a frontier; if that is not done in the time that a list is
/// expected to take, in most of the remaining time, or has too many states, lists them. `add` adds
/// a distinct solution to the answer. If the run is not complete, the answer is that of the
/// solutions found.
fn answer<T>(
    problem: &Problem,
    limits: &Limits<'_>,
    method: Option<Method>,
    start: impl Fn() -> T,
    add: impl Fn(&mut T, &Solution, &CancelToken<'_>) -> Flow,
    sweep: impl FnOnce(&mut FrontierCounter<'_>) -> Result<T, RunStatus>,
) -> (Outcome, T) {
    let started = clock::now();
    let token = &limits.token();
    let list = |limits: &Limits<'_>| {
        let mut answer = start();
        let mut add = |found: &NewSolution<'_>| {
            // A stop of the token ends the run at the next poll.
            let _ = add(&mut answer, found.distinct, found.token);
            ControlFlow::Continue(())
        };
        let outcome = run_under(token, problem, &Auto, limits, &mut add);
        (outcome, answer)
    };
    let (outcome, answer) = match method {
        Some(Method::Search) => list(limits),
        Some(Method::Frontier) => {
            let first = list(&Limits { distinct: 1, ..with_nodes(limits, FIRST) });
            let sweeps = SweepLimits { states: limits.nodes, transitions: u64::MAX };
            let (outcome, answer) = along_frontier(token, problem, sweeps, sweep);
            match answer {
                Some(answer) => (outcome, answer),
                None => (Outcome { tally: first.0.tally, ..outcome }, first.1),
            }
        }
        None if serves(problem).is_err() => list(limits),
        None => {
            let (trial, found) = list(&with_nodes(limits, TRIAL));
            if trial.status != RunStatus::Stopped(StopReason::Nodes(TRIAL)) {
                return (trial, found);
            }
            let ControlFlow::Continue(nodes) = expected_nodes(problem, token) else {
                return (Outcome { status: RunStatus::stopped_by(token), ..trial }, found);
            };
            let transitions = (TRANSITIONS_PER_NODE * nodes) as u64;
            let sweeps = SweepLimits { states: limits.nodes, transitions };
            let most = token.time_left().map_or(Duration::MAX, |left| left.mul_f64(FRONTIER_SHARE));
            let most = token.limits_within(most);
            match along_frontier(&most.token(), problem, sweeps, sweep) {
                (outcome, Some(answer)) => (outcome, answer),
                (_, None) => {
                    let (outcome, answer) = list(limits);
                    let is_less = outcome.work.nodes < trial.work.nodes;
                    if is_less && !outcome.status.is_complete() {
                        (Outcome { status: outcome.status, ..trial }, found)
                    } else {
                        (outcome, answer)
                    }
                }
            }
        }
    };
    (Outcome { seconds: started.elapsed().as_secs_f64(), ..outcome }, answer)
}

/// Limits with at most this many nodes.
fn with_nodes<'a>(limits: &Limits<'a>, nodes: u64) -> Limits<'a> {
    Limits { nodes: Some(limits.nodes.map_or(nodes, |most| most.min(nodes))), ..*limits }
}

/// The number of nodes to list all solutions, estimated by random probes.
fn expected_nodes(problem: &Problem, token: &CancelToken<'_>) -> Flow<f64> {
    const PROBES: u32 = 200;
    let probes = Propagate.probe(problem, PROBES, 0, token)?;
    ControlFlow::Continue(probes.iter().sum::<f64>() / f64::from(PROBES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_tiles_are_drawn_uniformly() {
        const DRAWN: usize = 10_000;
        let number = |number| Copies::new(number).unwrap();
        let tiles = [(7, number(2)), (8, Copies::ONE), (9, Copies::Any)];
        let all = [7, 8, 9].map(|tile| [tile].repeat(3)).concat().into_iter().permutations(3);
        let uses = |sequence: &[usize], tile| sequence.iter().filter(|&&of| of == tile).count();
        let all = all.unique().filter(|it| uses(it, 7) <= 2 && uses(it, 8) <= 1).collect_vec();
        assert_eq!(all.len(), 19);
        let mut random = Random::with_seed(1);
        let drawn = (0..DRAWN).map(|_| random_tiles(&tiles, 3, &mut random)).counts();
        let expected = DRAWN as f64 / all.len() as f64;
        let chi_square: f64 =
            all.iter().map(|it| (drawn[it] as f64 - expected).powi(2) / expected).sum();
        // Eighteen degrees of freedom; one seed in a thousand exceeds 42.
        assert!(drawn.len() == all.len() && chi_square < 42.0, "{chi_square}");
    }
}
