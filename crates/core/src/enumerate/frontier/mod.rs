//! Counts solutions without listing them: a dynamic program over the frontier of the assigned
//! cells.
//!
//! The cells are assigned one by one. Two partial boards have the same completions if they show the
//! same labels to the remaining cells, have used the same pieces, and have reached the same totals
//! in the linear constraints. Such boards are one state with a number of ways (the *transfer
//! matrix* or *broken-profile* method). The cost is proportional to the number of states, not of
//! solutions.
//!
//! ```text
//!   ┌──┬──┬──┬──┐
//!   │██│██│██│██│   assigned
//!   ├──┼──┼──┼──┤   state: the labels along the frontier ═, the pieces used, the totals
//!   │██│██│  │  │
//!   ╞══╧══╪══╧══╡
//! ```
//!
//! Distinct arrangements are the orbits of the group, counted by Burnside's lemma. The arrangements
//! that a symmetry maps onto themselves are counted by the same program over the orbits of cells.

mod completions;
mod meet;
mod network;
mod order;
mod plan;
mod sweep;

use std::ops::Range;

use itertools::Itertools;
use num_bigint::BigUint;

use self::completions::{assignments_by_choice, random_assignments};
use self::meet::Meeting;
use self::network::Network;
use self::plan::MOST_BITS;
pub(super) use self::sweep::SweepLimits;
use self::sweep::{NoCount, SweepCost};
use super::up_to::PuzzleSymmetry;
use crate::board::Symmetry;
use crate::domains::{Domains, reduce_under};
use crate::engine::{Work, counted};
use crate::enumerate::solution::ValueArrangement;
use crate::enumerate::{Outcome, RunStatus, StopReason, Tally};
use crate::problem::Problem;
use crate::puzzle::ValueSet;
use crate::runtime::clock;
use crate::runtime::limits::CancelToken;
use crate::runtime::random::Random;

/// The name of this method where results name an engine.
pub const NAME: &str = "frontier";

/// Returns `Ok` if the solutions of a problem can be counted along a frontier.
///
/// # Errors
/// A message with the reason if they cannot.
pub fn serves(problem: &Problem) -> Result<(), String> {
    problem.require_sums()?;
    if problem.board.size() * problem.kinds.values.len() > MOST_PLACEMENTS {
        return Err("there are too many placements".into());
    }
    Ok(())
}

/// The maximum number of cells times values.
const MOST_PLACEMENTS: usize = 1 << 20;

/// The maximum memory of the tables of states, in bytes.
const MOST_BYTES: u64 = 1 << 30;

/// In how many solutions a tile of each kind is in each cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marginals {
    /// The number of labelled solutions by kind and cell.
    pub kinds: Vec<Vec<BigUint>>,
}

impl Marginals {
    /// Zeros.
    pub(super) fn none(problem: &Problem) -> Marginals {
        let row = vec![BigUint::ZERO; problem.board.size()];
        Marginals { kinds: vec![row; problem.kinds.kinds.len()] }
    }

    /// Adds a number of solutions with a value in a cell.
    pub(super) fn add(&mut self, problem: &Problem, cell: usize, value: usize, number: BigUint) {
        self.kinds[problem.kinds.values[value].kind][cell] += number;
    }
}

/// Counts all solutions along a frontier, then takes `answer` from the counter. The answer is
/// `None` if the run is not complete.
pub(super) fn along_frontier<T>(
    token: &CancelToken<'_>,
    problem: &Problem,
    limits: SweepLimits,
    answer: impl FnOnce(&mut FrontierCounter<'_>) -> Result<T, RunStatus>,
) -> (Outcome, Option<T>) {
    let started = clock::now();
    let cost = SweepCost::new(token, limits);
    let domains = Domains::first(problem);
    let mut counter = FrontierCounter { problem, cost, domains };
    let mut tally = Tally::default();
    let result = counter.reduce().and_then(|()| {
        tally = counter.tally()?;
        answer(&mut counter)
    });
    let (status, answer) = match result {
        Ok(answer) => (RunStatus::Complete, Some(answer)),
        Err(status) => (status, None),
    };
    let states = counter.cost.states;
    let outcome = Outcome {
        engine: NAME,
        variant: String::new(),
        tally: if status.is_complete() { tally } else { Tally::default() },
        status,
        effort: counted(states, "state", "states"),
        work: Work { nodes: states, ..Work::default() },
        seconds: started.elapsed().as_secs_f64(),
    };
    (outcome, answer)
}

/// Answers questions about all solutions of a problem.
pub(super) struct FrontierCounter<'a> {
    problem: &'a Problem,
    cost: SweepCost<'a>,
    domains: Domains,
}

impl FrontierCounter<'_> {
    /// Reduces the domains; they are empty if that proves that there is no solution.
    fn reduce(&mut self) -> Result<(), RunStatus> {
        serves(self.problem).map_err(RunStatus::Unsupported)?;
        let token = self.cost.token;
        let reduced = reduce_under(token, self.problem, &mut self.domains);
        if RunStatus::unless_stopped(reduced, token)?.is_err() {
            self.domains.cells.iter_mut().for_each(ValueSet::clear);
        }
        Ok(())
    }

    fn tally(&mut self) -> Result<Tally, RunStatus> {
        let problem = self.problem;
        let identity = &problem.group[0];
        let mut distinct = self.fixed_arrangements(&PuzzleSymmetry::of_board(problem, identity))?;
        let solutions = match constant_weight(problem) {
            Some(weight) => &distinct * weight,
            None => self.fixed_solutions(identity)?,
        };
        let mut classes = solutions.clone();
        let labelled_are_fixed = problem.puzzle.has_copies() || !problem.moves_every_placement();
        for symmetry in &problem.group[1..] {
            distinct += self.fixed_arrangements(&PuzzleSymmetry::of_board(problem, symmetry))?;
            if labelled_are_fixed {
                classes += self.fixed_solutions(symmetry)?;
            }
        }
        let order = problem.group.len();
        Ok(Tally { distinct: distinct / order, classes: classes / order, solutions })
    }

    /// The number of orbits of the distinct arrangements under a group, by Burnside's lemma.
    pub fn orbits(&mut self, group: &[PuzzleSymmetry]) -> Result<BigUint, RunStatus> {
        let mut fixed = BigUint::ZERO;
        for symmetry in group {
            fixed += self.fixed_arrangements(symmetry)?;
        }
        Ok(fixed / group.len())
    }

    /// The number of arrangements, without distinction between twins, that a symmetry maps onto
    /// themselves.
    fn fixed_arrangements(&mut self, symmetry: &PuzzleSymmetry) -> Result<BigUint, RunStatus> {
        self.sweep(&Network::of_values(self.problem, &self.domains, symmetry))
    }

    /// The number of labelled solutions that a symmetry maps onto themselves.
    fn fixed_solutions(&mut self, symmetry: &Symmetry) -> Result<BigUint, RunStatus> {
        self.sweep(&Network::of_tiles(self.problem, &self.domains, symmetry))
    }

    fn sweep(&mut self, network: &Network) -> Result<BigUint, RunStatus> {
        RunStatus::unless_stopped(self.cost.token.poll(), self.cost.token)?;
        if network.is_infeasible() {
            return Ok(BigUint::ZERO);
        }
        let meeting = Meeting::new(self.problem, network).ok_or_else(too_many_bits)?;
        meeting.count(&mut self.cost).map_err(|reason| self.status(reason))
    }

    /// The network of all solutions, and the number of solutions that each assignment represents.
    fn whole(&self) -> (Network, BigUint) {
        let identity = &self.problem.group[0];
        match constant_weight(self.problem) {
            Some(weight) => {
                let identity = PuzzleSymmetry::of_board(self.problem, identity);
                (Network::of_values(self.problem, &self.domains, &identity), weight)
            }
            None => {
                let network = Network::of_tiles(self.problem, &self.domains, identity);
                (network, BigUint::from(1u32))
            }
        }
    }

    /// The number of solutions that have a tile of each kind in each cell.
    pub fn marginals(&mut self) -> Result<Marginals, RunStatus> {
        let mut marginals = Marginals::none(self.problem);
        let (network, weight) = self.whole();
        if network.is_infeasible() {
            return Ok(marginals);
        }
        let steps = Meeting::whole(self.problem, &network).ok_or_else(too_many_bits)?;
        let numbers = assignments_by_choice(&network, &steps, &mut self.cost);
        let numbers = numbers.map_err(|reason| self.status(reason))?;
        for (variable, numbers) in network.variables.iter().zip(numbers) {
            for (choice, number) in variable.choices.iter().zip(numbers) {
                marginals.add(self.problem, variable.cells[0], choice.values[0], number * &weight);
            }
        }
        Ok(marginals)
    }

    /// Arrangements drawn uniformly from all solutions; empty if there are none.
    pub fn sample(&mut self, number: usize, seed: u64) -> Result<Vec<ValueArrangement>, RunStatus> {
        let (network, _) = self.whole();
        if network.is_infeasible() {
            return Ok(Vec::new());
        }
        let steps = Meeting::whole(self.problem, &network).ok_or_else(too_many_bits)?;
        let random = &mut Random::with_seed(seed);
        let drawn = random_assignments(&steps, number, random, &mut self.cost);
        let drawn = drawn.map_err(|reason| self.status(reason))?;
        let arrangement = |assignment: Vec<usize>| {
            let mut values = vec![0; assignment.len()];
            for (variable, choice) in network.variables.iter().zip(assignment) {
                values[variable.cells[0]] = variable.choices[choice].values[0];
            }
            ValueArrangement::from_values(values)
        };
        Ok(drawn.into_iter().map(arrangement).collect())
    }

    fn status(&self, reason: NoCount) -> RunStatus {
        match reason {
            NoCount::Stopped => RunStatus::stopped_by(self.cost.token),
            NoCount::Overflow => unreachable!("big integers do not overflow"),
            NoCount::StateLimit(limit) => RunStatus::Stopped(StopReason::Nodes(limit)),
            NoCount::Memory(limit) => RunStatus::Stopped(StopReason::Memory(limit)),
            NoCount::TooManyTransitions => {
                RunStatus::Unsupported("its states have too many transitions".to_owned())
            }
        }
    }
}

fn too_many_bits() -> RunStatus {
    RunStatus::Unsupported(format!("the state of a frontier needs more than {MOST_BITS} bits"))
}

/// The number of labelled solutions that each arrangement represents, if it is the same for all:
/// the ways to choose among identical tiles and among orientations that look the same.
fn constant_weight(problem: &Problem) -> Option<BigUint> {
    let kinds = &problem.kinds;
    let one = || BigUint::from(1u32);
    let uses_every_tile = problem.uses_every_tile();
    let same_of = |values: Range<usize>| {
        let all = values.map(|value| kinds.values[value].same as u64).all_equal_value();
        all.ok().map(BigUint::from)
    };
    let turned = match same_of(0..kinds.values.len()) {
        Some(same) => same.pow(problem.board.size() as u32),
        None if uses_every_tile => kinds.kinds.iter().try_fold(one(), |product, kind| {
            Some(product * same_of(kind.values.clone())?.pow(kind.copies as u32))
        })?,
        None => return None,
    };
    let factorial = |n: usize| (1..=n).fold(one(), |product, factor| product * factor);
    let named = kinds.kinds.iter().try_fold(one(), |product, kind| {
        if kind.tiles.len() == 1 {
            return Some(product);
        }
        let copies = kind.tiles.iter().map(|&tile| problem.puzzle.tiles[tile].copies.number());
        let copies: Vec<usize> = copies.collect::<Option<_>>().filter(|_| uses_every_tile)?;
        let pieces = factorial(copies.iter().sum());
        Some(product * copies.into_iter().fold(pieces, |left, copies| left / factorial(copies)))
    })?;
    Some(turned * named)
}
