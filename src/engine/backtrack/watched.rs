//! The backtracker that tries everything, with somebody who looks on.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::onlooker::Onlooker;
use super::{Backtrack, Order, scan};
use crate::engine::step::steps;
use crate::engine::{Engine, Failure, Filtered, Work};
use crate::problem::Problem;

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

    fn search(
        &self,
        problem: &Problem,
        host: &mut Filtered<'_>,
        work: &mut Work,
    ) -> Result<ControlFlow<()>, Failure> {
        let steps = steps(problem, &self.order.cells(&problem.board));
        let onlooker = &mut **self.onlooker.borrow_mut();
        Ok(scan::search(problem, &steps, onlooker, host, work))
    }
}
