//! The number of ways to complete each state: a sweep that keeps its tables, and a second one from
//! the last step back to the first (the forward-backward algorithm).
//!
//! It answers how many assignments have a choice, and draws random assignments uniformly.

use num_bigint::BigUint;

use super::network::Network;
use super::plan::SweepStep;
use super::sweep::{Layer, MoveIndex, NoCount, SweepCost, Ways, bytes};
use crate::runtime::random::Random;

/// The number of assignments with each choice, by variable and choice.
///
/// # Errors
/// If the limits of `cost` end the sweeps.
pub(super) fn assignments_by_choice(
    network: &Network,
    steps: &[SweepStep],
    cost: &mut SweepCost<'_>,
) -> Result<Vec<Vec<BigUint>>, NoCount> {
    match by_choice::<u128>(network, steps, cost) {
        Err(NoCount::Overflow) => by_choice::<BigUint>(network, steps, cost),
        counted => counted,
    }
}

fn by_choice<W: Ways>(
    network: &Network,
    steps: &[SweepStep],
    cost: &mut SweepCost<'_>,
) -> Result<Vec<Vec<BigUint>>, NoCount> {
    let zeros = network.variables.iter().map(|variable| vec![W::zero(); variable.choices.len()]);
    let mut numbers: Vec<Vec<W>> = zeros.collect();
    completions(steps, cost, &mut |variable, choice, through: &W| {
        let number: &mut W = &mut numbers[variable][choice];
        *number = number.checked_add(through)?;
        Some(())
    })?;
    Ok(numbers.into_iter().map(|of| of.into_iter().map(Into::into).collect()).collect())
}

/// Assignments drawn uniformly and independently, each as the choice of every variable; empty if
/// there are none to draw from.
///
/// # Errors
/// If the limits of `cost` end the sweeps.
pub(super) fn random_assignments(
    steps: &[SweepStep],
    number: usize,
    random: &mut Random,
    cost: &mut SweepCost<'_>,
) -> Result<Vec<Vec<usize>>, NoCount> {
    match drawn::<u128>(steps, number, random, cost) {
        Err(NoCount::Overflow) => drawn::<BigUint>(steps, number, random, cost),
        drawn => drawn,
    }
}

fn drawn<W: Ways>(
    steps: &[SweepStep],
    number: usize,
    random: &mut Random,
    cost: &mut SweepCost<'_>,
) -> Result<Vec<Vec<usize>>, NoCount> {
    let layers = completions::<W>(steps, cost, &mut |_, _, _| Some(()))?;
    if layers[0].is_empty() {
        return Ok(Vec::new());
    }
    let mut states = vec![0; number];
    let mut assignments = vec![vec![0; steps.len()]; number];
    for (step, after) in steps.iter().zip(&layers[1..]) {
        let mut index = MoveIndex::new(step, &[]);
        for (state, assignment) in states.iter_mut().zip(&mut assignments) {
            let moves = index.moves(*state);
            cost.work(moves.len())?;
            let ways = |&at: &usize| {
                let to = step.successor(*state, at)?;
                Some((at, to, after.get(&to)?.clone().into()))
            };
            let next: Vec<(usize, u128, BigUint)> =
                index.found[moves].iter().filter_map(ways).collect();
            let mut left = random.number_below(&next.iter().map(|(_, _, ways)| ways).sum());
            for (at, to, ways) in next {
                if left < ways {
                    assignment[step.variable] = step.moves[at].choice;
                    *state = to;
                    break;
                }
                left -= ways;
            }
        }
    }
    Ok(assignments)
}

/// The number of ways to complete each state after each number of steps; states without any are
/// left out. Calls `visit` for each transition between them, with the variable, the choice and the
/// number of assignments through it; if it returns `None`, a number is too large for `W`.
fn completions<W: Ways>(
    steps: &[SweepStep],
    cost: &mut SweepCost<'_>,
    visit: &mut dyn FnMut(usize, usize, &W) -> Option<()>,
) -> Result<Vec<Layer<W>>, NoCount> {
    cost.kept_bytes = 0;
    let mut layers = vec![Layer::from_iter([(0, W::one())])];
    for (step, at) in steps.iter().zip(0..) {
        let next = cost.advance(step, &layers[at], &[])?;
        cost.kept_bytes += bytes(&layers[at]);
        layers.push(next);
    }
    if let Some(last) = layers.last_mut() {
        last.values_mut().for_each(|ways| *ways = W::one());
    }
    for (at, step) in steps.iter().enumerate().rev() {
        let (before, after) = layers.split_at_mut(at + 1);
        let (layer, next) = (&mut before[at], &after[0]);
        let mut index = MoveIndex::new(step, &[]);
        for (&state, ways) in layer.iter_mut() {
            let moves = index.moves(state);
            cost.take_time(moves.len())?;
            let mut sum = W::zero();
            for &at in &index.found[moves] {
                let completed = step.successor(state, at).and_then(|to| next.get(&to));
                let Some(completed) = completed else { continue };
                sum = sum.checked_add(completed).ok_or(NoCount::Overflow)?;
                let through = ways.checked_mul(completed).ok_or(NoCount::Overflow)?;
                visit(step.variable, step.moves[at].choice, &through).ok_or(NoCount::Overflow)?;
            }
            *ways = sum;
        }
        layer.retain(|_, ways| !ways.is_zero());
    }
    Ok(layers)
}
