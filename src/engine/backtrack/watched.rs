//! The scanning backtracker with an [`Observer`], for recordings.

use std::cell::RefCell;
use std::ops::ControlFlow;

use super::{Backtrack, Order, scan};
use crate::domains::Observer;
use crate::engine::step::steps;
use crate::engine::{Engine, EngineError, Filtered, Work, observed};
use crate::problem::Problem;

/// [`Backtrack::Scan`] with an [`Observer`].
pub struct Watched<'a> {
    order: Order,
    observer: RefCell<&'a mut dyn Observer>,
}

impl<'a> Watched<'a> {
    /// A search in this order.
    pub fn new(order: Order, observer: &'a mut dyn Observer) -> Self {
        Watched {
            order,
            observer: RefCell::new(observer),
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
    ) -> Result<ControlFlow<()>, EngineError> {
        let steps = steps(problem, &self.order.cells(&problem.board));
        let observer = &mut **self.observer.borrow_mut();
        let end = scan::search(problem, &steps, Some(&mut *observer), host, work);
        observed(end, observer)
    }
}
