//! A host for engines that see no extra constraint but in their domains.

use std::ops::ControlFlow;

use super::{Host, Work};
use crate::problem::{Arrangement, Problem};

/// Hands over what obeys the constraints, and nothing else.
pub(super) struct Filter<'a> {
    pub problem: &'a Problem,
    pub host: &'a mut dyn Host,
}

impl Host for Filter<'_> {
    fn found(&mut self, arrangement: &Arrangement, work: &Work) -> ControlFlow<()> {
        match self.problem.broken_constraint(arrangement) {
            Some(_) => ControlFlow::Continue(()),
            None => self.host.found(arrangement, work),
        }
    }

    fn poll(&mut self, work: &Work) -> ControlFlow<()> {
        self.host.poll(work)
    }

    fn meets_each_once(&mut self) {
        self.host.meets_each_once();
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}
