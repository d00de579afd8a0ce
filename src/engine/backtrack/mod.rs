//! `backtrack`: depth first, one cell after another, in a fixed order.
//!
//! Two ways to find the candidates of a cell: [`Method::Scan`] tries every unused tile in every
//! rotation, as the published backtrackers do, and counts as they count; [`Method::LookUp`] finds
//! the placements that fit the neighbours in lists that are built once. Where the group of the
//! board fixes the first cell, its tile is tried in one orientation of each orbit; the other
//! repeats are left to the host, which tells them apart by canonical form.
//!
//! Neither sees the domains or the model.

mod look_up;
mod order;
mod scan;

pub use order::Order;

use std::ops::ControlFlow;

use super::step::steps;
use super::{Engine, Failure, Host, Work, counted};
use num_bigint::BigUint;

use crate::board::Problem;
use crate::tables::Tables;

/// How the candidates of a cell are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// In lists of the placements that fit the neighbours.
    #[default]
    LookUp,
    /// By trying every unused tile in every rotation.
    Scan,
}

/// The engine that places one tile after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backtrack {
    /// The order of the cells.
    pub order: Order,
    /// How the candidates of a cell are found.
    pub method: Method,
}

impl Engine for Backtrack {
    fn name(&self) -> &'static str {
        "backtrack"
    }

    fn variant(&self) -> String {
        match self.method {
            Method::LookUp => self.order.name().to_owned(),
            Method::Scan => format!("{} scan", self.order.name()),
        }
    }

    /// The lists hold labels and looks as 16 bits.
    fn serves(&self, problem: &Problem) -> Result<(), String> {
        let most = usize::from(u16::MAX) - 1;
        let labels = problem.puzzle.labels.len();
        match self.method == Method::Scan || labels.max(problem.kinds.looks.len()) <= most {
            true => Ok(()),
            false => Err(format!("it knows at most {most} labels and looks")),
        }
    }

    fn effort(&self, work: &Work) -> String {
        let nodes = counted(work.nodes, "node", "nodes");
        match self.method {
            Method::LookUp => nodes,
            Method::Scan => format!("{nodes}, {}", counted(work.tries, "try", "tries")),
        }
    }

    /// N!/(N−k)! ways to choose k of N tiles in order, each in every orientation that its cell
    /// tries: N!·4^(k−1)/(N−k)! where the first tile is not turned, else N!·4^k/(N−k)!.
    fn possible(&self, problem: &Problem) -> Vec<BigUint> {
        if self.method != Method::Scan {
            return Vec::new();
        }
        let steps = steps(problem, &self.order.cells(&problem.board));
        let tiles = problem.puzzle.tiles.len();
        let mut possible = vec![BigUint::from(1u8)];
        for (level, step) in steps.iter().enumerate() {
            let choices = (tiles - level) * step.orientations.len();
            let next = &possible[level] * choices;
            possible.push(next);
        }
        possible
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let cells = self.order.cells(&problem.board);
        let steps = steps(problem, &cells);
        Ok(match self.method {
            Method::Scan => scan::search(problem, &steps, host, work),
            Method::LookUp => look_up::search(problem, &Tables::build(problem), &steps, host, work),
        })
    }
}
