//! One part of a search that is divided among programs that never talk to each other.
//!
//! Every part cuts the search tree into the same leaves ([`Frontier`]) and searches its share of
//! them, each as a problem of its own. An arrangement and its images may be in different leaves; it
//! belongs to the first leaf that holds one of its images, and other leaves drop it. So each
//! distinct arrangement is reported by exactly one part.

use std::cell::OnceCell;
use std::fmt;
use std::ops::ControlFlow;

use super::{Decided, Engine, EngineError, Filtered, Host, Result, Work};
use crate::domains::{Frontier, Split};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// Leaves for each part, so that chance evens out what they take: of 100 parts of a 6×6 the longest
/// takes 1.34 times the mean, with 16 leaves each 1.63 times.
const LEAVES_PER_PART: usize = 64;

/// Leaves in all of them at least, where there is so much to split: the frontier's own choices are
/// worse than those of a search that learns, the more so the nearer to the top (a third more nodes
/// with 165 leaves, an eighth with 16,001).
const LEAST_LEAVES: usize = 1 << 10;

/// No more leaves than these, but one a part: each takes some microseconds of every part.
const MOST_LEAVES: usize = 1 << 18;

/// One of so many parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PartOf {
    /// Which one, from 1.
    pub part: u32,
    /// How many there are.
    pub of: u32,
}

impl PartOf {
    /// There are at most so many parts.
    pub const MOST: u32 = 1_000_000;
}

impl fmt::Display for PartOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.part, self.of)
    }
}

/// Cuts what an engine searches into the leaves that so many parts share; the engine must be one
/// that chooses no other. `Break` where the token says so.
pub fn cut(
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

/// An engine that searches one part.
pub struct Share<'a> {
    engine: &'a dyn Engine,
    part: PartOf,
    cut: OnceCell<Cut>,
}

/// How the search was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Leaves of this part.
    pub leaves: usize,
    /// Leaves of all parts.
    pub of_leaves: usize,
    /// [`Frontier::sha256`].
    pub sha256: String,
}

impl<'a> Share<'a> {
    /// One part of what an engine searches.
    pub fn new(engine: &'a dyn Engine, part: PartOf) -> Self {
        Share { engine, part, cut: OnceCell::new() }
    }

    /// Which part it is.
    pub fn part(&self) -> PartOf {
        self.part
    }

    /// How the search was cut; `None` before it has begun.
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
        Split::serves(problem).map_err(|why| format!("of what is cut into parts {why}"))
    }

    /// The engine does, or the constraints are asked of what it finds.
    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn effort(&self, work: &Work) -> String {
        self.engine.effort(work)
    }

    fn search(&self, problem: &Problem, host: &mut Filtered<'_>, work: &mut Work) -> Result<Flow> {
        let token = host.token();
        let (engine, choice) = match self.engine.chosen(problem, token) {
            ControlFlow::Continue(Some((engine, choice))) => (engine, Some(choice)),
            ControlFlow::Continue(None) => (self.engine, None),
            ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
        };
        work.choice = choice;
        let ControlFlow::Continue(frontier) = cut(engine, problem, self.part.of, token) else {
            return Ok(ControlFlow::Break(()));
        };
        let part = self.part.part as usize - 1;
        let leaves = frontier.share(part, self.part.of as usize);
        // It is set once, as a share runs once.
        let _ = self.cut.set(Cut {
            leaves: leaves.len(),
            of_leaves: frontier.len(),
            sha256: frontier.sha256(),
        });
        let mut owner = Owner {
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

/// The host of the leaves: hands over what belongs to this part, and adds up the work.
struct Owner<'a> {
    problem: &'a Problem,
    frontier: &'a Frontier,
    /// Those of this part, ascending.
    leaves: &'a [usize],
    host: &'a mut dyn Host,
    /// In the leaves before this one.
    work: &'a mut Work,
    /// The number of those.
    done: usize,
    failure: Option<EngineError>,
}

impl Owner<'_> {
    /// The work with that of the leaf in hand, but for the rounds of the leaves before: there may
    /// be many of them, and this is asked for often.
    fn so_far(&mut self, of_leaf: &Work) -> Work {
        let rounds = std::mem::take(&mut self.work.rounds);
        let mut work = self.work.clone();
        self.work.rounds = rounds;
        work.add(of_leaf.clone());
        let in_leaf = of_leaf.explored.unwrap_or(0.0);
        let leaves = self.leaves.len().max(1) as f64;
        work.explored = Some((self.done as f64 + in_leaf) / leaves);
        work
    }

    /// The first leaf that holds an image of an arrangement; `None` where none does.
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

impl Host for Owner<'_> {
    fn found(&mut self, arrangement: &Arrangement, of_leaf: &Work) -> Flow {
        match self.leaf_of(arrangement) {
            Some(leaf) if self.leaves.binary_search(&leaf).is_err() => ControlFlow::Continue(()),
            Some(_) => {
                let work = self.so_far(of_leaf);
                self.host.found(arrangement, &work)
            }
            None => {
                // Where it is no solution, the host says so.
                let work = self.so_far(of_leaf);
                self.host.found(arrangement, &work)?;
                let message = "a solution lies in no part".into();
                self.failure = Some(EngineError::Cut { message });
                ControlFlow::Break(())
            }
        }
    }

    fn poll(&mut self, of_leaf: &Work) -> Flow {
        let work = self.so_far(of_leaf);
        self.host.poll(&work)
    }

    fn stands_at(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.host.stands_at(path);
    }

    fn begins_again(&mut self, why: &str, of_leaf: &Work) {
        let work = self.so_far(of_leaf);
        self.host.begins_again(why, &work);
    }

    fn threads(&self) -> usize {
        self.host.threads()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::engine::Propagate;
    use crate::load;
    use crate::runtime::limits::Limits;

    /// A host that stops at its first question.
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
        let text = include_str!("../../benches/boards/s6-k8-0.yaml");
        let problem = load::from_str(text).unwrap();
        for (is_raised, of) in [(false, 1), (true, 1), (true, 10_000)] {
            let share = Share::new(&Propagate, PartOf { part: 1, of });
            let flag = AtomicBool::new(is_raised);
            let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
            let (token, work) = (limits.token(), &mut Work::default());
            let end = (&share as &dyn Engine).run(&problem, &token, &mut Impatient, work);
            assert_eq!(end, Ok(ControlFlow::Break(())), "{of}");
            // It polls before it is cut.
            assert_eq!(share.cut().is_none(), is_raised);
        }
    }

    #[test]
    fn work_is_added_up() {
        let text = include_str!("../../benches/boards/s6-k8-0.yaml");
        let problem = load::from_str(text).unwrap();
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
