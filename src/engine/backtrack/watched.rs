//! The backtracker that tries everything, with somebody who looks on.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::{Backtrack, Order, scan};
use crate::board::{Placed, Problem};
use crate::engine::filter::Filter;
use crate::engine::step::steps;
use crate::engine::{Engine, Failure, Host, Work};

/// Looks on while tiles are laid and taken back.
pub trait Onlooker {
    /// Told that a tile is laid into a cell, behind so many tries. `Break` ends the search.
    fn laid(&mut self, cell: usize, placed: Placed, tries: u64) -> ControlFlow<()>;

    /// Told that the tile laid last, of those that lie, is taken back. `Break` ends the search.
    fn taken_back(&mut self, tries: u64) -> ControlFlow<()>;
}

/// Nobody.
impl Onlooker for () {
    #[inline(always)]
    fn laid(&mut self, _cell: usize, _placed: Placed, _tries: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn taken_back(&mut self, _tries: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// [`Backtrack::Scan`] with somebody who looks on.
pub struct Watched<'a> {
    order: Order,
    onlooker: RefCell<&'a mut dyn Onlooker>,
}

impl<'a> Watched<'a> {
    /// A search in this order.
    pub fn new(order: Order, onlooker: &'a mut dyn Onlooker) -> Self {
        Watched {
            order,
            onlooker: RefCell::new(onlooker),
        }
    }

    fn unwatched(&self) -> Backtrack {
        Backtrack::Scan(self.order)
    }
}

impl Engine for Watched<'_> {
    fn name(&self) -> &'static str {
        self.unwatched().name()
    }

    fn variant(&self) -> String {
        self.unwatched().variant()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        self.unwatched().serves(problem)
    }

    fn effort(&self, work: &Work) -> String {
        self.unwatched().effort(work)
    }

    fn run(
        &self,
        problem: &Problem,
        host: &mut dyn Host,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let steps = steps(problem, &self.order.cells(&problem.board));
        let host = &mut Filter { problem, host };
        let onlooker = &mut **self.onlooker.borrow_mut();
        Ok(scan::search(problem, &steps, onlooker, host, work))
    }
}
