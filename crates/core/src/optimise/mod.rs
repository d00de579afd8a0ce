//! Optimisation: finds the best arrangements, and a proof that they are optimal or a bound.
//!
//! Each value of an [`Objective`] defines a problem: find an arrangement that reaches the value, or
//! prove that there is none. Any engine that supports such problems finds the
//! optimum, which is proven when the incumbent meets the bound.
//!
//! ```text
//!   least ├──────────── reached ─────── ? ─────── bound ┤ largest
//! ```

mod anneal;
mod first;
mod hunt;
mod method;
mod objective;
mod penalty;
mod portfolio;
mod repair;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod scheduled;
// Some of it is only used by a method that is not built for browsers.
#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), allow(dead_code))]
mod tables;

pub use self::first::FirstSolutions;
pub use self::hunt::run;
pub use self::objective::{Goal, own_objectives, weakest, with_cost};
use crate::enumerate::Outcome;
use crate::problem::{Arrangement, Objective, Problem};

/// A problem with objectives, and the solutions wanted.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Optimisation<'a> {
    /// The problem.
    pub problem: &'a Problem,
    /// The objectives, the most important first: each is optimised among the optima of those
    /// before.
    pub objectives: Vec<Objective>,
    /// The random seed of the heuristics. With one thread, and a limit of steps rather than time,
    /// equal seeds give equal runs.
    pub seed: u64,
    /// The initial arrangement. It must satisfy all rules except those on seams.
    pub start: Option<Arrangement>,
    /// Solutions are reported if the value of the last objective is worse than its optimum by at
    /// most this.
    pub gap: u64,
    /// The number of cells in which each reported solution differs from those before, as by
    /// [`run_apart`](crate::enumerate::run_apart).
    pub distance: Option<usize>,
}

impl<'a> Optimisation<'a> {
    /// Creates an optimisation of these objectives. [`run`] panics if there are none.
    pub fn new(problem: &'a Problem, objectives: Vec<Objective>) -> Optimisation<'a> {
        Optimisation { problem, objectives, seed: 0, start: None, gap: 0, distance: None }
    }

    /// Creates the search for the arrangement with the most matching seams.
    pub fn best(problem: &'a Problem) -> Optimisation<'a> {
        Optimisation::new(problem, vec![Objective::Seams])
    }
}

/// The result of an optimisation.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Optimum {
    /// The optimal values of the objectives before the current one: the last one, unless the run
    /// was stopped earlier.
    pub earlier: Vec<i64>,
    /// The value of the current objective for the best arrangement; `None` if there is none.
    pub value: Option<i64>,
    /// The proven upper bound of the current objective.
    pub bound: i64,
    /// True if it is proven that all values are optimal, or that there is no arrangement.
    pub is_proven: bool,
    /// The total number of steps of the heuristic methods.
    pub steps: u64,
    /// The names of the heuristic methods that were used.
    pub methods: Vec<&'static str>,
    /// The names of the heuristic methods that do not support the problem, each with the reason.
    pub left_out: Vec<(&'static str, &'static str)>,
    /// The name of the method or engine that found the best arrangement, or `start` for the given
    /// initial arrangement.
    pub found_by: &'static str,
    /// The reported arrangements and the work of all searches. It is
    /// [complete](crate::enumerate::RunStatus::Complete) only if all optimal arrangements were
    /// reported.
    pub outcome: Outcome,
}

/// Tests the contract of all methods: each reported arrangement breaks fewer seams than those
/// before, and the reported number is correct.
#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::method::{Effort, Guess, Incumbent, MethodRun};
    use super::portfolio::METHODS;
    use super::tables::FitTables;
    use crate::board::{Board, Polygon, Wrap};
    use crate::enumerate::solution::{broken_seams, check};
    use crate::problem::Problem;
    use crate::runtime::limits::CancelToken;
    use crate::runtime::random::Random;
    use crate::runtime::scheduler::{SearchProgress, Sink};
    use crate::samples;

    const SPARE: &str = "tiles: 1: [a, b, a, b], 2: [a, c, b, c], 3: [b, b, c, c], \
                         4: [c, a, c, a], 5: [b, a, b, b], 6: [a, a, a, a]";
    const TORUS: &str = "tiles: 1: [a+, b-, c+, b+], 2: [a-, c-, b+, c+], \
                         3: [b-, a+, a-, c-], 4: [c+, c-, a+, b-], 5: [a+, a+, b-, c-], 6: [b+, c+, c-, a-], \
                         7: [a-, b+, a+, b-], 8: [c-, a-, b-, a+], 9: [b+, b-, a-, c+], 10: [c+, a-, c-, b+], \
                         11: [a+, c+, b+, a-], 12: [b-, b+, c+, a+], 13: [a+, a-, b+, b-]";
    const TWINS: &str = "tiles: 1: [a, b, a, b], 2: [a, b, a, b], 3: [b, b, a, a], 4: [b, b, a, a], 5: [a, a, a, b], \
                         6: [a, a, b, b], 7: [b, a, b, a], 8: [a, b, b, b], 9: [b, b, b, a]";

    fn framed() -> Problem {
        let tiles = samples::tiles(Board::grid(6, 6), samples::FRAMED_6X6);
        tiles.with_border("grey").build().unwrap()
    }

    /// A sink that checks every reported arrangement.
    struct Tested<'a> {
        problem: &'a Problem,
        broken: Vec<usize>,
    }

    impl Sink<Guess> for Tested<'_> {
        fn found(&mut self, (_method, values): Guess, _steps: u64) -> ControlFlow<()> {
            let arrangement = self.problem.deal(values);
            let broken = broken_seams(self.problem, &arrangement).len();
            check(&self.problem.breaking(broken), &arrangement).unwrap();
            self.broken.push(broken);
            ControlFlow::Continue(())
        }

        fn progress(&mut self, _progress: SearchProgress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    /// Runs methods one after the other, each for a number of steps. Returns the number of broken
    /// seams of each reported arrangement.
    fn found(whole: &Problem, methods: &[(&str, u64)], seed: u64) -> Vec<usize> {
        let problem = whole.breaking(whole.board.required().count());
        let token = &CancelToken::never();
        let tables = FitTables::new(&problem, token).continue_value().unwrap();
        let reached = Incumbent::new(None);
        let mut tested = Tested { problem: &problem, broken: Vec::new() };
        for &(name, steps) in methods {
            let method = METHODS.iter().find(|method| method.name == name).unwrap();
            assert_eq!((method.serves)(&tables), Ok(()));
            let mut run = MethodRun {
                method,
                tables: &tables,
                effort: Effort::new(steps, seed, token),
                reached: &reached,
                random: Random::with_seed(seed),
                before: 0,
                steps: 0,
                sink: &mut tested,
                flow: ControlFlow::Continue(()),
            };
            let _flow = (method.run)(&mut run);
        }
        assert_eq!(reached.broken(), *tested.broken.last().unwrap_or(&usize::MAX));
        tested.broken
    }

    #[test]
    fn each_board_is_better_than_the_one_before_and_counted_rightly() {
        let methods: &[&[(&str, u64)]] = &[
            &[("annealing", 50_000)],
            &[("scheduled breaks", 200_000)],
            &[("annealing", 1), ("repair", 100_000)],
        ];
        let torus = Board::wrapped(3, 4, Wrap::Both).unwrap();
        for problem in [
            framed(),
            samples::problem(Board::plane(Polygon::Hexagon, 3, 3), samples::HEXAGONS),
            samples::problem(Board::grid(2, 2), SPARE),
            samples::problem(torus, TORUS),
            samples::problem(Board::grid(3, 3), TWINS),
        ] {
            for methods in methods {
                let broken = found(&problem, methods, 1);
                assert!(broken.is_sorted_by(|a, b| a > b), "{methods:?}: {broken:?}");
            }
        }
        // On a few tiles it may complete no board; with a frame it does.
        assert!(!found(&framed(), methods[1], 1).is_empty());
    }

    #[test]
    fn the_same_seed_finds_the_same_boards() {
        let methods = &[("annealing", 5_000), ("scheduled breaks", 50_000), ("repair", 5_000)];
        assert_eq!(found(&framed(), methods, 7), found(&framed(), methods, 7));
    }

    #[test]
    fn cells_that_touch_themselves_are_left_to_other_methods() {
        let whole = samples::problem(Board::wrapped(4, 1, Wrap::Both).unwrap(), TWINS);
        let problem = whole.breaking(whole.board.required().count());
        let tables = FitTables::new(&problem, &CancelToken::never()).continue_value().unwrap();
        for method in METHODS {
            let is_scheduled = method.name == "scheduled breaks";
            assert_eq!((method.serves)(&tables).is_err(), is_scheduled, "{}", method.name);
        }
    }
}
