//! What a method of the portfolio is.
//!
//! A method is one file, or one folder, and a line in the list of the portfolio. It proves nothing;
//! it hands over arrangements that are better than all that any method has found.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Effort;
use super::tables::FitTables;
use crate::runtime::scheduler::Sink;

/// A way to good arrangements.
pub(super) trait Method: Sync {
    /// Its name in statistics.
    fn name(&self) -> &'static str;

    /// Whether it obeys all that a problem asks for.
    ///
    /// # Errors
    /// Why it does not, in a few words.
    fn serves(&self, tables: &FitTables<'_>) -> Result<(), &'static str>;

    /// Steps after which it had better begin anew; `None` if it makes use of any number.
    fn restart(&self, _tables: &FitTables<'_>) -> Option<u64> {
        None
    }

    /// Whether it finds arrangements by itself, so that it may get most of a round.
    fn leads(&self) -> bool {
        true
    }

    /// Looks for arrangements with fewer broken seams than what is reached, and hands over the
    /// values of all cells.
    fn run(
        &self,
        tables: &FitTables<'_>,
        effort: &Effort<'_>,
        reached: &Reached,
        sink: &mut dyn Sink<Vec<usize>>,
    );
}

/// The best that any method has found, on any thread.
#[derive(Debug)]
pub(super) struct Reached {
    /// The fewest broken seams, so that they can be asked for often.
    broken: AtomicUsize,
    /// The same with the values of all cells.
    best: Mutex<Option<(usize, Vec<usize>)>>,
}

impl Default for Reached {
    fn default() -> Self {
        Reached { broken: AtomicUsize::new(usize::MAX), best: Mutex::default() }
    }
}

impl Reached {
    /// The fewest broken seams; the largest number where nothing is found.
    pub fn broken(&self) -> usize {
        self.broken.load(Ordering::Relaxed)
    }

    /// Takes values that break fewer seams than any before; says whether they do.
    pub fn improve(&self, broken: usize, values: impl FnOnce() -> Vec<usize>) -> bool {
        if broken >= self.broken() {
            return false;
        }
        // Where a thread panicked, what it wrote was whole.
        let mut best = self.best.lock().unwrap_or_else(PoisonError::into_inner);
        if best.as_ref().is_some_and(|(before, _)| broken >= *before) {
            return false;
        }
        *best = Some((broken, values()));
        self.broken.store(broken, Ordering::Relaxed);
        true
    }

    /// The best: its broken seams and its values.
    pub fn best(&self) -> Option<(usize, Vec<usize>)> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
pub(super) mod testing {
    use std::ops::ControlFlow;

    use crate::enumerate::solution::{broken_seams, check};
    use crate::problem::Problem;
    use crate::runtime::scheduler::{Progress, Sink};

    /// Takes boards, and tests each of them.
    pub struct Tested<'a> {
        problem: &'a Problem,
        pub broken: Vec<usize>,
    }

    impl<'a> Tested<'a> {
        pub fn new(problem: &'a Problem) -> Self {
            Tested { problem, broken: Vec::new() }
        }
    }

    impl Sink<Vec<usize>> for Tested<'_> {
        fn found(&mut self, values: Vec<usize>, _steps: u64) -> ControlFlow<()> {
            let arrangement = self.problem.deal(values);
            let broken = broken_seams(self.problem, &arrangement).len();
            check(&self.problem.breaking(broken), &arrangement).unwrap();
            self.broken.push(broken);
            ControlFlow::Continue(())
        }

        fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
}
