//! The order of the variables, chosen for few states, and the place where it is cut in two.

use itertools::Itertools;

use super::network::Network;
use crate::board::CellName;
use crate::problem::Problem;

/// The maximum number of starts of the greedy order.
const MOST_STARTS: usize = 8;

/// The links between the variables of a network.
pub(super) struct Neighbours(Vec<Vec<Neighbour>>);

struct Neighbour {
    variable: usize,
    /// The logarithm of the number of labels on the link.
    labels: f64,
}

impl Neighbours {
    pub fn new(network: &Network) -> Neighbours {
        let mut all: Vec<Vec<Neighbour>> = Vec::new();
        all.resize_with(network.variables.len(), Vec::new);
        for link in &network.links {
            let labels = link.labels.iter().map(|labels| labels.iter().unique().count());
            let labels = (labels.min().unwrap_or(1).max(1) as f64).ln();
            let [one, other] = link.ends;
            all[one].push(Neighbour { variable: other, labels });
            all[other].push(Neighbour { variable: one, labels });
        }
        Neighbours(all)
    }

    /// The order with the smallest estimated number of states: along the rows, along the columns,
    /// or greedily around the variables assigned before. The second order assigns the same
    /// variables from the other end.
    pub fn best_order(&self, problem: &Problem, network: &Network) -> [Vec<usize>; 2] {
        let number = self.0.len();
        let place = |&variable: &usize| match problem.board.cells()
            [network.variables[variable].cells[0]]
            .name
        {
            CellName::At(row, column) => (row as isize, column as isize),
            CellName::Named(_) => (variable as isize, 0),
        };
        let by = |key: &dyn Fn((isize, isize)) -> (isize, isize)| {
            (0..number).sorted_by_key(|variable| key(place(variable))).collect_vec()
        };
        let lines = [
            [by(&|(row, column)| (row, column)), by(&|(row, column)| (-row, column))],
            [by(&|(row, column)| (column, row)), by(&|(row, column)| (-column, row))],
        ];
        let stride = number.div_ceil(MOST_STARTS).max(1);
        let greedy = (0..number).step_by(stride).map(|start| self.greedy_order(start));
        let greedy = greedy.map(|order| [order.clone(), order.into_iter().rev().collect()]);
        let cost = |orders: &[Vec<usize>; 2]| self.open(&orders[0]).map(f64::exp).sum::<f64>();
        let cheaper = |one: &_, other: &_| cost(one).total_cmp(&cost(other));
        lines.into_iter().chain(greedy).min_by(cheaper).unwrap_or_default()
    }

    /// The number of first variables of an order after which the fewest labels are open, among the
    /// numbers near one half.
    pub fn middle(&self, order: &[usize]) -> usize {
        let half = order.len() / 2;
        let near = half - order.len() / 8..=half + order.len() / 8;
        let open = self.open(order).collect_vec();
        let cost = |&number: &usize| (open[number.max(1) - 1], number.abs_diff(half));
        let cheaper = |one: &usize, other: &usize| {
            let (one, other) = (cost(one), cost(other));
            one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
        };
        near.min_by(cheaper).unwrap_or(half)
    }

    /// After each variable of an order, the logarithm of the number of combinations of labels on
    /// the links between assigned and other variables.
    fn open(&self, order: &[usize]) -> impl Iterator<Item = f64> {
        let mut is_assigned = vec![false; self.0.len()];
        order.iter().scan(0.0, move |open, &variable| {
            *open += self.change(&is_assigned, variable);
            is_assigned[variable] = true;
            Some(*open)
        })
    }

    /// The change of [`open`](Self::open) if a variable is assigned next.
    fn change(&self, is_assigned: &[bool], variable: usize) -> f64 {
        let signed = |other: &Neighbour| {
            if is_assigned[other.variable] { -other.labels } else { other.labels }
        };
        self.0[variable].iter().map(signed).sum()
    }

    /// Starts with `start`. Among the variables beside the assigned ones, the next is the one that
    /// leaves the fewest labels open; if there are several, the one reached first.
    fn greedy_order(&self, start: usize) -> Vec<usize> {
        let number = self.0.len();
        let mut is_assigned = vec![false; number];
        let mut reached = vec![start];
        let mut order = Vec::new();
        while order.len() < number {
            let changes = reached.iter().map(|&variable| self.change(&is_assigned, variable));
            let best = changes.enumerate().min_by(|one, other| one.1.total_cmp(&other.1));
            let next = match best {
                Some((at, _)) => reached.remove(at),
                None => is_assigned.iter().position(|assigned| !assigned).unwrap_or_default(),
            };
            is_assigned[next] = true;
            order.push(next);
            let beside = self.0[next].iter().map(|other| other.variable);
            for other in beside {
                if !is_assigned[other] && !reached.contains(&other) {
                    reached.push(other);
                }
            }
        }
        order
    }
}
