//! Sweeps from both ends that meet at a cut.
//!
//! If every piece must be used, a state holds the set of pieces used, and there are most such sets
//! in the middle of the board. Two sweeps of half the board then have far fewer states than one of
//! the whole board, and the pieces of one half determine those of the other. The labels along the
//! cut are fixed one after the other, so that tables stay small; sweeps share what does not depend
//! on the labels that differ. Without such counters there is one sweep, and the cut is empty.

use num_bigint::BigUint;

use super::network::Network;
use super::order::Neighbours;
use super::plan::{DirectedLinks, Planner, SweepStep};
use super::sweep::{Layer, NoCount, SweepCost, Ways};
use crate::problem::Problem;

/// Two sweeps of the variables of a network.
pub(super) struct Meeting {
    /// The steps of the first part, in its order, and of the second.
    parts: [Vec<SweepStep>; 2],
    /// The number of classes of each link across the cut.
    classes: Vec<u64>,
    /// The totals of counters that both parts must reach together.
    total: u128,
}

impl Meeting {
    /// Plans the sweeps. `None` if a state needs too many bits.
    pub fn new(problem: &Problem, network: &Network) -> Option<Meeting> {
        let neighbours = Neighbours::new(network);
        let [order, backward] = neighbours.best_order(problem, network);
        let middle = neighbours.middle(&order);
        let halves = Meeting::cut(problem, network, (&order, &backward), middle);
        halves
            .filter(|meeting| meeting.total > 0)
            .or_else(|| Meeting::cut(problem, network, (&order, &backward), order.len()))
    }

    /// Plans one sweep of all variables. `None` if a state needs too many bits.
    pub fn whole(problem: &Problem, network: &Network) -> Option<Vec<SweepStep>> {
        let [order, backward] = Neighbours::new(network).best_order(problem, network);
        let meeting = Meeting::cut(problem, network, (&order, &backward), order.len())?;
        let [steps, _] = meeting.parts;
        Some(steps)
    }

    /// Plans sweeps of the first `number` variables of the first order, and of the others along the
    /// second.
    fn cut(
        problem: &Problem,
        network: &Network,
        (order, backward): (&[usize], &[usize]),
        number: usize,
    ) -> Option<Meeting> {
        let first = &order[..number];
        let mut is_second = vec![true; order.len()];
        first.iter().for_each(|&variable| is_second[variable] = false);
        let second = backward.iter().copied().filter(|&variable| is_second[variable]);
        let second: Vec<usize> = second.collect();
        let links = DirectedLinks::new(problem, network, &[first, &second].concat());
        let mut planner = Planner::new(network, &links);
        let total = planner.share([first, &second])?;
        let cut = links.across(first);
        let parts = [planner.clone().steps(first, &cut)?, planner.steps(&second, &cut)?];
        Some(Meeting {
            parts,
            classes: cut.iter().map(|&link| links.classes(link)).collect(),
            total,
        })
    }

    /// The number of assignments.
    ///
    /// # Errors
    /// If the limits of `cost` end the sweeps.
    pub fn count(&self, cost: &mut SweepCost<'_>) -> Result<BigUint, NoCount> {
        match self.count_in::<u128>(cost) {
            Err(NoCount::Overflow) => self.count_in::<BigUint>(cost),
            counted => counted,
        }
    }

    fn count_in<W: Ways>(&self, cost: &mut SweepCost<'_>) -> Result<BigUint, NoCount> {
        let start = Layer::from_iter([(0, W::one())]);
        self.extend(cost, [&start, &start], [0, 0], &mut Vec::new())
    }

    /// The number of assignments that show `fixed` on the first links across the cut. `layers` has
    /// the states of both sweeps after `done` steps.
    fn extend<W: Ways>(
        &self,
        cost: &mut SweepCost<'_>,
        layers: [&Layer<W>; 2],
        mut done: [usize; 2],
        fixed: &mut Vec<u64>,
    ) -> Result<BigUint, NoCount> {
        let mut own: [Option<Layer<W>>; 2] = [None, None];
        for part in 0..2 {
            let is_fixed = |step: &&SweepStep| step.cut.iter().all(|&link| link < fixed.len());
            while let Some(step) = self.parts[part].get(done[part]).filter(is_fixed) {
                let layer = own[part].as_ref().unwrap_or(layers[part]);
                let next = cost.advance(step, layer, fixed)?;
                if next.is_empty() {
                    return Ok(BigUint::ZERO);
                }
                own[part] = Some(next);
                done[part] += 1;
            }
        }
        let [one, other] = [0, 1].map(|part| own[part].as_ref().unwrap_or(layers[part]));
        let Some(&classes) = self.classes.get(fixed.len()) else {
            let pairs = other.iter().filter_map(|(state, ways)| {
                let first: BigUint = one.get(&self.total.checked_sub(*state)?)?.clone().into();
                Some(first * ways.clone().into())
            });
            return Ok(pairs.sum());
        };
        let mut sum = BigUint::ZERO;
        for class in 0..classes {
            fixed.push(class);
            sum += self.extend(cost, [one, other], done, fixed)?;
            fixed.pop();
        }
        Ok(sum)
    }
}
