//! One part of a search that is divided among independent processes.
//!
//! Every process splits the search tree into the same leaves ([`Frontier`]) and searches its share
//! of them, each as a problem of its own. An arrangement and its images may be in different leaves;
//! it belongs to the first leaf that holds one of its images, and other leaves drop it. So each
//! distinct arrangement is reported by exactly one part.

use std::cell::OnceCell;
use std::fmt;
use std::ops::ControlFlow;

use super::{Decided, Engine, EngineError, FilteringHost, Host, Result, Work};
use crate::domains::{Frontier, Split};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// The number of leaves per part. Many leaves average out their sizes: with 64, the longest of 100
/// parts of a 6×6 board takes 1.34 times the mean; with 16, it takes 1.63 times the mean.
const LEAVES_PER_PART: usize = 64;

/// The minimum number of leaves of all parts, if the tree is large enough. The frontier chooses
/// worse branches than a search that learns, and most so near the root: 165 leaves cost a third
/// more nodes, 16,001 leaves an eighth.
const LEAST_LEAVES: usize = 1 << 10;

/// The maximum number of leaves, if there are no more parts: every part spends some microseconds on
/// each leaf.
const MOST_LEAVES: usize = 1 << 18;

/// The number of a part of a divided search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartOf {
    /// The index of the part, from 1.
    pub part: u32,
    /// The number of parts.
    pub of: u32,
}

impl PartOf {
    /// The maximum number of parts.
    pub const MOST: u32 = 1_000_000;
}

impl fmt::Display for PartOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.part, self.of)
    }
}

/// Splits the search tree of an engine into leaves for `parts` parts: normally 64 per part, but at
/// least 1,024 and at most 262,144 in all, unless there are more parts. The engine must not
/// delegate to another one ([`Engine::chosen`]). Breaks if the token stops the run.
pub fn split_search(
    engine: &dyn Engine,
    problem: &Problem,
    parts: u32,
    token: &CancelToken<'_>,
) -> Flow<Frontier> {
    token.poll()?;
    let parts = parts as usize;
    let leaves = (LEAVES_PER_PART * parts).clamp(LEAST_LEAVES, MOST_LEAVES);
    Frontier::grow(problem, &engine.roots(problem, token)?, leaves.max(parts), token)
}

/// An engine that searches one part of another engine's tree.
pub struct Share<'a> {
    engine: &'a dyn Engine,
    part: PartOf,
    cut: OnceCell<Cut>,
}

/// The leaves into which a search was split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The number of leaves in this part.
    pub leaves: usize,
    /// The number of leaves in all parts.
    pub of_leaves: usize,
    /// The checksum of the leaves, from [`Frontier::sha256`]; it must be equal for all parts.
    pub sha256: String,
}

impl<'a> Share<'a> {
    /// Prepares the search of one part.
    pub fn new(engine: &'a dyn Engine, part: PartOf) -> Self {
        Share { engine, part, cut: OnceCell::new() }
    }

    /// The part that this engine searches.
    pub fn part(&self) -> PartOf {
        self.part
    }

    /// The leaves into which the search was split; `None` until the search has split it.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.get()
    }
}

impl Engine for Share<'_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn variant(&self) -> String {
        self.engine.variant()
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        self.engine.serves(problem)?;
        Split::serves(problem).map_err(|why| format!("if a search is cut into parts, {why}"))
    }

    /// Always true: each leaf is searched by [`run`](#method.run) of the inner engine, which tests
    /// the constraints if necessary.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn effort(&self, work: &Work) -> String {
        self.engine.effort(work)
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let token = host.token();
        let (engine, choice) = match self.engine.chosen(problem, token) {
            ControlFlow::Continue(Some((engine, choice))) => (engine, Some(choice)),
            ControlFlow::Continue(None) => (self.engine, None),
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        };
        work.choice = choice;
        let ControlFlow::Continue(frontier) = split_search(engine, problem, self.part.of, token)
        else {
            return Ok(ControlFlow::Break(()));
        };
        let part = self.part.part as usize - 1;
        let leaves = frontier.share(part, self.part.of as usize);
        // The search runs only once, so `cut` is not set yet.
        let _ = self.cut.set(Cut {
            leaves: leaves.len(),
            of_leaves: frontier.len(),
            sha256: frontier.sha256(),
        });
        let mut owner = LeafHost {
            problem,
            frontier: &frontier,
            leaves: &leaves,
            host,
            work,
            done: 0,
            failure: None,
        };
        for &leaf in &leaves {
            let cells = match frontier.cells(problem, leaf, token) {
                ControlFlow::Continue(Some(cells)) => cells,
                ControlFlow::Continue(None) => {
                    owner.done += 1;
                    continue;
                }
                ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
            };
            let mut of_leaf = Work::default();
            let end = engine.run(&problem.confined(cells), token, &mut owner, &mut of_leaf);
            owner.work.add(of_leaf);
            if let Some(failure) = owner.failure.take() {
                return Err(failure);
            }
            if end?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
            owner.done += 1;
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The host of the searches of the leaves. It forwards the arrangements that belong to this part
/// and adds up the work.
struct LeafHost<'a> {
    problem: &'a Problem,
    frontier: &'a Frontier,
    /// The leaves of this part, ascending.
    leaves: &'a [usize],
    host: &'a mut dyn Host,
    /// The work of the finished leaves.
    work: &'a mut Work,
    /// The number of finished leaves.
    done: usize,
    failure: Option<EngineError>,
}

impl LeafHost<'_> {
    /// The work of the finished leaves and the current one, with the explored share of this part.
    /// It omits the rounds of finished leaves: there may be many, and the host polls often.
    fn work_so_far(&mut self, of_leaf: &Work) -> Work {
        let rounds = std::mem::take(&mut self.work.rounds);
        let mut work = self.work.clone();
        self.work.rounds = rounds;
        work.add(of_leaf.clone());
        let in_leaf = of_leaf.explored.unwrap_or(0.0);
        let leaves = self.leaves.len().max(1) as f64;
        work.explored = Some((self.done as f64 + in_leaf) / leaves);
        work
    }

    /// The first leaf of all parts that contains an image of an arrangement; `None` if no leaf does
    /// or a placement is not allowed.
    fn leaf_of(&self, arrangement: &Arrangement) -> Option<usize> {
        let kinds = &self.problem.kinds;
        let placed = arrangement.0.iter();
        let values: Option<Vec<usize>> =
            placed.map(|placed| kinds.value_of(placed.tile, placed.orientation)).collect();
        let values = values?;
        let images =
            self.problem.group.iter().filter_map(|s| self.problem.image(values.iter().copied(), s));
        images.filter_map(|i| self.frontier.leaf_of(&i)).min()
    }
}

impl Host for LeafHost<'_> {
    fn found(&mut self, arrangement: &Arrangement, of_leaf: &Work) -> Flow {
        match self.leaf_of(arrangement) {
            Some(leaf) if self.leaves.binary_search(&leaf).is_err() => ControlFlow::Continue(()),
            Some(_) => {
                let work = self.work_so_far(of_leaf);
                self.host.found(arrangement, &work)
            }
            None => {
                // The host reports an error if this is not a solution.
                let work = self.work_so_far(of_leaf);
                self.host.found(arrangement, &work)?;
                let message = "a solution does not belong to any part".into();
                self.failure = Some(EngineError::Cut { message });
                ControlFlow::Break(())
            }
        }
    }

    fn poll(&mut self, of_leaf: &Work) -> Flow {
        let work = self.work_so_far(of_leaf);
        self.host.poll(&work)
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.report_path(path);
    }

    fn report_restart(&mut self, why: &str, of_leaf: &Work) {
        let work = self.work_so_far(of_leaf);
        self.host.report_restart(why, &work);
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::Board;
    use crate::engine::Propagate;
    use crate::runtime::limits::Limits;
    use crate::samples;

    /// A host that stops the search when it is polled.
    struct Impatient;

    impl Host for Impatient {
        fn found(&mut self, _: &Arrangement, _: &Work) -> ControlFlow<()> {
            ControlFlow::Break(())
        }

        fn poll(&mut self, _: &Work) -> ControlFlow<()> {
            ControlFlow::Break(())
        }
    }

    #[test]
    fn a_part_stops_where_its_host_or_the_token_says_so() {
        let problem = samples::problem(Board::grid(6, 6), samples::HALVES_6X6);
        for (is_raised, of) in [(false, 1), (true, 1), (true, 10_000)] {
            let share = Share::new(&Propagate, PartOf { part: 1, of });
            let flag = AtomicBool::new(is_raised);
            let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
            let (token, work) = (limits.token(), &mut Work::default());
            let end = (&share as &dyn Engine).run(&problem, &token, &mut Impatient, work);
            assert_eq!(end, Ok(ControlFlow::Break(())), "{of}");
            // The search polls before it is cut.
            assert_eq!(share.cut().is_none(), is_raised);
        }
    }

    #[test]
    fn work_is_added_up() {
        let problem = samples::problem(Board::grid(6, 6), samples::HALVES_6X6);
        struct All(f64);
        impl Host for All {
            fn found(&mut self, _: &Arrangement, work: &Work) -> ControlFlow<()> {
                self.poll(work)
            }

            fn poll(&mut self, work: &Work) -> ControlFlow<()> {
                let explored = work.explored.unwrap_or(0.0);
                assert!(explored >= self.0 && explored <= 1.0);
                self.0 = explored;
                ControlFlow::Continue(())
            }
        }
        let nodes = [1, 2, 3].map(|part| {
            let mut work = Work::default();
            let share = PartOf { part, of: 3 };
            let share = Share::new(&Propagate, share);
            let (token, host) = (CancelToken::never(), &mut All(0.0));
            let end = (&share as &dyn Engine).run(&problem, &token, host, &mut work);
            assert_eq!(end, Ok(ControlFlow::Continue(())));
            work.nodes
        });
        assert!(nodes.iter().sum::<u64>() > 0, "{nodes:?}");
    }
}
