//! The layout of the states of a sweep, and its steps.
//!
//! A state is a number of up to 128 bits. It has a field for each link between a variable that is
//! assigned and one that is not, and for each counter that is used before and after. The field of a
//! link holds the class of the label shown on it: labels that the other end cannot distinguish share
//! a class. A link across a cut has no field, because its class is fixed before the sweep.

use itertools::Itertools;

use super::network::{Choice, Network, SeamLink};
use crate::problem::Problem;
use crate::puzzle::Label;

/// The maximum number of bits of a state.
pub(super) const MOST_BITS: u32 = 128;

/// Bits of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    shift: u32,
    width: u32,
}

impl Field {
    /// The number in the field.
    pub fn number_in(self, state: u128) -> u64 {
        ((state & self.mask()) >> self.shift) as u64
    }

    /// The state with only this number.
    pub fn holding(self, number: u64) -> u128 {
        u128::from(number) << self.shift
    }

    fn mask(self) -> u128 {
        ((1 << self.width) - 1) << self.shift
    }
}

/// The bits of several fields.
fn mask(fields: &[Field]) -> u128 {
    fields.iter().fold(0, |mask, field| mask | field.mask())
}

/// The assignment of one variable.
#[derive(Debug)]
pub(super) struct SweepStep {
    /// The variable that it assigns.
    pub variable: usize,
    /// The fields of the links to earlier variables, which the step clears.
    pub incoming: Vec<Field>,
    /// The links across the cut, as indices into the fixed classes.
    pub cut: Vec<usize>,
    /// The choices.
    pub moves: Vec<Move>,
    /// Counters without a minimum, with a total up to which all totals are equivalent.
    pub raised: Vec<(Field, u64)>,
    /// Counters that no later step uses, with their minimum.
    pub retired: Vec<(Field, u64)>,
    /// The bits that the step keeps: all except the incoming fields.
    pub before: u128,
    /// The bits that remain after the step: all except the retired counters.
    pub after: u128,
}

/// A choice of a step.
#[derive(Debug)]
pub(super) struct Move {
    /// The index among the choices of the variable.
    pub choice: usize,
    /// The accepted classes for each incoming field, then for each link across the cut.
    pub accepts: Vec<Vec<u64>>,
    /// The classes in the outgoing fields and the increments of the counters.
    pub added: u128,
    /// The counters that it increases.
    pub uses: Vec<CounterUse>,
}

/// An increment of a counter.
#[derive(Debug, Clone, Copy)]
pub(super) struct CounterUse {
    pub field: Field,
    /// The maximum total before the increment.
    pub most_before: u64,
}

/// The links of a network in the direction of a sweep.
pub(super) struct DirectedLinks {
    links: Vec<DirectedLink>,
    /// For each variable, the links of which it is the first end, and the second.
    by_end: Vec<[Vec<usize>; 2]>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct DirectedLink {
    /// The variable that is assigned first, and the other one.
    ends: [usize; 2],
    /// The number of classes.
    classes: u64,
    /// The classes that each choice of the first end shows (at most one), and that each choice of
    /// the second end accepts; ascending.
    accepts: [Vec<Vec<u64>>; 2],
}

impl DirectedLinks {
    /// Directs the links along an order of all variables. Links that are then equal, such as images
    /// of one seam under a symmetry, are kept only once.
    pub fn new(problem: &Problem, network: &Network, order: &[usize]) -> DirectedLinks {
        let mut step_of = vec![0; order.len()];
        (0..).zip(order).for_each(|(step, &variable)| step_of[variable] = step);
        let links = network.links.iter().map(|link| directed(problem, link, &step_of));
        let links = links.unique().collect_vec();
        let mut by_end = vec![[Vec::new(), Vec::new()]; order.len()];
        for (index, link) in links.iter().enumerate() {
            (0..2).for_each(|end| by_end[link.ends[end]][end].push(index));
        }
        DirectedLinks { links, by_end }
    }

    /// The links from the variables of `first` to others.
    pub fn across(&self, first: &[usize]) -> Vec<usize> {
        let mut is_first = vec![false; self.by_end.len()];
        first.iter().for_each(|&variable| is_first[variable] = true);
        let outgoing = first.iter().flat_map(|&variable| &self.by_end[variable][0]).copied();
        outgoing.filter(|&link| !is_first[self.links[link].ends[1]]).collect()
    }

    /// The number of classes of a link.
    pub fn classes(&self, link: usize) -> u64 {
        self.links[link].classes
    }
}

fn directed(problem: &Problem, link: &SeamLink, step_of: &[usize]) -> DirectedLink {
    let is_forward = step_of[link.ends[0]] < step_of[link.ends[1]];
    let (one, other) = if is_forward { (0, 1) } else { (1, 0) };
    let shown = link.labels[other].iter().copied().unique().collect_vec();
    let mut rows: Vec<Vec<bool>> = Vec::new();
    let class = link.labels[one].iter().map(|&label| {
        let row = shown.iter().map(|&other| problem.tables().fit(label, other)).collect_vec();
        let known = rows.iter().position(|known| *known == row);
        let class = known.unwrap_or(rows.len());
        let fits = row.contains(&true);
        if known.is_none() && fits {
            rows.push(row);
        }
        fits.then_some(class as u64).into_iter().collect()
    });
    let class = class.collect();
    let accepted = |&label: &Label| {
        let column = shown.iter().position(|&l| l == label).unwrap_or_default();
        (0..).zip(&rows).filter(|(_, row)| row[column]).map(|(class, _)| class).collect()
    };
    let accepted = link.labels[other].iter().map(accepted).collect();
    DirectedLink {
        ends: [link.ends[one], link.ends[other]],
        classes: rows.len() as u64,
        accepts: [class, accepted],
    }
}

/// Lays out the states of sweeps over the variables of a network.
#[derive(Clone)]
pub(super) struct Planner<'a> {
    network: &'a Network,
    links: &'a DirectedLinks,
    /// The bits in use.
    taken: u128,
    /// The field of each counter in use.
    counters: Vec<Option<Field>>,
}

impl<'a> Planner<'a> {
    pub fn new(network: &'a Network, links: &'a DirectedLinks) -> Self {
        Planner { network, links, taken: 0, counters: vec![None; network.counters.len()] }
    }

    /// Reserves a field for each counter that both parts use. Then the states of both parts have
    /// it in the same place, and keep it after the last step. Returns the totals that a state of
    /// one part and a state of the other must reach together. `None` if a counter has no exact
    /// total, or there are too many bits.
    pub fn share(&mut self, parts: [&[usize]; 2]) -> Option<u128> {
        let uses = parts.map(|part| self.network.totals(part));
        let mut total = 0;
        for (index, counter) in self.network.counters.iter().enumerate() {
            if uses.iter().all(|uses| uses[index] > 0) {
                let is_exact = counter.least == counter.most;
                let field = self.take(counter.most)?;
                total |= is_exact.then(|| field.holding(counter.most))?;
                self.counters[index] = Some(field);
            }
        }
        Some(total)
    }

    /// The steps of a sweep over the variables of `order`. The links in `cut` have fixed classes.
    /// `None` if a state needs too many bits.
    pub fn steps(mut self, order: &[usize], cut: &[usize]) -> Option<Vec<SweepStep>> {
        let is_shared = self.counters.iter().map(Option::is_some).collect_vec();
        let mut later = self.network.totals(order);
        let mut fields: Vec<Option<Field>> = vec![None; self.links.links.len()];
        let mut steps = Vec::new();
        for &variable in order {
            let inner = |end: usize| {
                let links = self.links.by_end[variable][end].iter().copied();
                links.filter(|link| !cut.contains(link)).collect_vec()
            };
            let [outgoing, incoming] = [inner(0), inner(1)];
            let cleared = incoming.iter().filter_map(|&link| fields[link]).collect_vec();
            self.taken &= !mask(&cleared);
            for &link in &outgoing {
                fields[link] = Some(self.take(self.links.links[link].classes.saturating_sub(1))?);
            }
            for (&counter, most) in &self.network.uses[variable] {
                later[counter] -= most;
                if self.counters[counter].is_none() {
                    self.counters[counter] = Some(self.take(self.network.counters[counter].most)?);
                }
            }
            let ends = |&link: &usize| self.links.links[link].ends.contains(&variable);
            let cut_here = cut.iter().positions(ends).collect_vec();
            let accepted = incoming.into_iter().chain(cut_here.iter().map(|&at| cut[at]));
            let outgoing = outgoing.iter().filter_map(|&link| Some((link, fields[link]?)));
            let moves = self.moves(variable, &accepted.collect_vec(), &outgoing.collect_vec());
            let (mut raised, mut retired) = (Vec::new(), Vec::new());
            for (index, bounds) in self.network.counters.iter().enumerate() {
                let Some(field) = self.counters[index].filter(|_| !is_shared[index]) else {
                    continue;
                };
                if later[index] == 0 {
                    retired.push((field, bounds.least));
                    self.counters[index] = None;
                } else if bounds.least == 0 && later[index] < bounds.most {
                    raised.push((field, bounds.most - later[index]));
                }
            }
            let ended = retired.iter().map(|&(field, _)| field).collect_vec();
            self.taken &= !mask(&ended);
            let (before, after) = (!mask(&cleared), !mask(&ended));
            let incoming = cleared;
            steps.push(SweepStep {
                variable,
                incoming,
                cut: cut_here,
                moves,
                raised,
                retired,
                before,
                after,
            });
        }
        Some(steps)
    }

    /// The moves of a variable with the classes that they accept on some links.
    fn moves(&self, variable: usize, accepted: &[usize], outgoing: &[(usize, Field)]) -> Vec<Move> {
        let accepts = |link: usize, choice: usize| {
            let link = &self.links.links[link];
            &link.accepts[usize::from(link.ends[1] == variable)][choice]
        };
        let new = |(index, choice): (usize, &Choice)| {
            let mut added = 0;
            for &(link, field) in outgoing {
                added |= field.holding(*accepts(link, index).first()?);
            }
            let mut uses = Vec::new();
            for &(counter, amount) in &choice.uses {
                let most = self.network.counters[counter].most;
                let field = self.counters[counter]?;
                added += field.holding(amount);
                uses.push(CounterUse { field, most_before: most.checked_sub(amount)? });
            }
            let accepts = accepted.iter().map(|&link| accepts(link, index).clone()).collect();
            Some(Move { choice: index, accepts, added, uses })
        };
        let choices = self.network.variables[variable].choices.iter().enumerate();
        choices.filter_map(new).collect()
    }

    /// The lowest free field for the numbers from 0 to `most`; `None` if there is none.
    fn take(&mut self, most: u64) -> Option<Field> {
        let width = u64::BITS - most.leading_zeros();
        let fields = (0..=MOST_BITS - width).map(|shift| Field { shift, width });
        let field = fields.into_iter().find(|field| field.mask() & self.taken == 0)?;
        self.taken |= field.mask();
        Some(field)
    }
}
