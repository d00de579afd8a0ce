//! Limits, tested without a clock: every operation polls the token often, and stops soon after the
//! token breaks.
//!
//! A fake interrupt counts the polls and the units of work between them, and is raised at a given
//! poll. A loop that does not poll makes a test run for minutes.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use edgematch::analyse::estimate::{Probing, estimate};
use edgematch::analyse::explain::{SetSearch, reasons};
use edgematch::engine::{Auto, Engine, Milp, PartOf, Propagate, Share, contenders};
use edgematch::enumerate::{self, Improvement, Limits, Listener, NewSolution, StopReason, Tally};
use edgematch::generate::{Classes, Deal, Generator, Target};
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::Problem;
use edgematch::runtime::limits::Interrupt;
use edgematch::runtime::random::Random;
use edgematch::{
    analyse::doctor, analyse::hint, engine::Work, enumerate::Method, load,
    runtime::clock::ProcessorTime,
};

/// The maximum work between two polls, in units: the interval after which a loop polls, plus its
/// last step.
const MOST_UNITS: u64 = (1 << 18) + (1 << 21);

/// The maximum work after the token broke, in units.
const MOST_UNITS_AFTER: u64 = 1 << 21;

/// The maximum number of polls after the token broke: each of several searches polls once.
const MOST_POLLS_AFTER: u64 = 16;

/// The maximum number of nodes and tries of a search between two polls.
const MOST_NODES: u64 = 1 << 17;

/// An interrupt that is raised at a given poll.
#[derive(Debug)]
struct Poller {
    /// The poll at which it is raised, from 1.
    raised_at: u64,
    polls: AtomicU64,
    /// The most units of work between two polls.
    most_units: AtomicU64,
    /// The units of work after it was raised.
    units_after: AtomicU64,
}

impl Poller {
    fn raised_at(poll: u64) -> Poller {
        Poller {
            raised_at: poll,
            polls: AtomicU64::new(0),
            most_units: AtomicU64::new(0),
            units_after: AtomicU64::new(0),
        }
    }

    fn limits(&self) -> Limits<'_> {
        Limits { interrupt: Some(self), ..Limits::default() }
    }

    /// Asserts that the operation under these limits polled often, and that it stopped.
    fn check(&self, what: &str) {
        let value = |number: &AtomicU64| number.load(Ordering::Relaxed);
        assert!(value(&self.polls) > 0, "{what} does not poll");
        let (most, after) = (value(&self.most_units), value(&self.units_after));
        assert!(most <= MOST_UNITS, "{what}: {most} units between two polls");
        assert!(after <= MOST_UNITS_AFTER, "{what}: {after} units after the stop");
        let polls = value(&self.polls).saturating_sub(self.raised_at);
        assert!(polls <= MOST_POLLS_AFTER, "{what}: {polls} polls after the stop");
    }
}

impl Interrupt for Poller {
    fn is_raised(&self, units: u64) -> bool {
        let poll = self.polls.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_units.fetch_max(units, Ordering::Relaxed);
        if poll > self.raised_at {
            self.units_after.fetch_add(units, Ordering::Relaxed);
        }
        poll >= self.raised_at
    }
}

/// Counts nodes and tries between polls.
#[derive(Default)]
struct Nodes {
    last: u64,
    most: u64,
}

impl Listener for Nodes {
    fn found(&mut self, _: &NewSolution<'_>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, _: &Tally, work: &Work) {
        let now = work.nodes + work.tries;
        // A restarted search counts from zero again.
        self.most = self.most.max(now.saturating_sub(self.last));
        self.last = now;
    }
}

/// Tiles with random labels.
fn random(rows: usize, columns: usize, tiles: usize, labels: usize) -> String {
    let mut random = Random::with_seed(1);
    let mut label = || format!("x{}", random.usize(..labels));
    let tile = |number: usize| {
        let edges = [(); 4].map(|()| label()).join(", ");
        format!("{number}: [{edges}]")
    };
    let tiles: Vec<String> = (1..=tiles).map(tile).collect();
    format!("{{rows: {rows}, cols: {columns}, tiles: {{{}}}}}", tiles.join(", "))
}

/// A row of tiles, each of which matches only the next one.
fn row(tiles: usize) -> String {
    let tile = |number: usize| format!("{number}: [x{number}, t, x{}, b]", number - 1);
    let tiles: Vec<String> = (1..=tiles).map(tile).collect();
    let columns = tiles.len();
    format!("{{rows: 1, cols: {columns}, tiles: {{{}}}}}", tiles.join(", "))
}

fn case(name: &str) -> Problem {
    let path = format!("{}/tests/cases/limits/{name}", crate::ROOT);
    load::read(path.as_ref()).unwrap()
}

/// Puzzles that are extreme in one way each.
static EXTREMES: LazyLock<Vec<(&str, Problem)>> = LazyLock::new(|| {
    let yaml = |text: &str| load::from_str(text).unwrap();
    vec![
        ("two kinds on 130×130", case("two-kinds-130.yaml")),
        ("a white jigsaw of 13×13", case("white-jigsaw-13.yaml")),
        ("a white jigsaw of 18×18", case("white-jigsaw-18.yaml")),
        ("20×20 of any copies", case("by-halves-ignores-time-limit.yaml")),
        ("999×2 of any copies", case("tall-best.yaml")),
        ("7×7", case("halves-time-limit-7x7.json")),
        ("1×1000", yaml(&row(1000))),
        ("40×40 of 1000 labels", yaml(&random(40, 40, 1600, 1000))),
        ("24×24 of 3 labels", yaml(&random(24, 24, 576, 3))),
        ("14×14 of more tiles", yaml(&random(14, 14, 260, 6))),
        (
            "a torus of 24×24",
            yaml(
                "{board: {grid: [24, 24], wrap: both}, tiles: {1: {edges: [a, b, a, b], copies: \
                 any}, 2: {edges: [a, a, b, b], copies: 100}}}",
            ),
        ),
        (
            "hexagons",
            yaml(
                "{board: {hexagons: [24, 24]}, tiles: {1: {edges: [a, a, b, b, a, b], copies: any}, \
                 2: {edges: [a, b, a, b, b, b], copies: any}}}",
            ),
        ),
    ]
});

/// Runs an operation on each of the puzzles, interrupted at the first poll and at a later one.
fn interrupt(what: &str, act: impl Fn(&Problem, &Limits<'_>)) {
    for (name, problem) in &*EXTREMES {
        for poll in [1, 5] {
            // A new copy, so that tables that are built once per problem are interrupted too.
            let problem = problem.clone();
            let poller = Poller::raised_at(poll);
            let started = std::time::Instant::now();
            act(&problem, &poller.limits());
            eprintln!("{:?} {what}, {name}, {poll}: {:?}", started.elapsed(), poller);
            poller.check(&format!("{what}, {name}, poll {poll}"));
        }
    }
}

/// Some engines recurse once per cell, with large stack frames in unoptimised builds.
#[test]
fn every_engine_polls_the_token() {
    let builder = thread::Builder::new().stack_size(1 << 28);
    let worker = builder.spawn(interrupt_engines).unwrap();
    if let Err(panic) = worker.join() {
        resume_unwind(panic);
    }
}

fn interrupt_engines() {
    for contender in contenders() {
        interrupt(&contender.name, |problem, limits| {
            if contender.engine.serves(problem).is_err() {
                let _ = limits.token().poll();
                return;
            }
            let mut nodes = Nodes::default();
            enumerate::run(problem, contender.engine.as_ref(), limits, &mut nodes);
            let most = nodes.most;
            assert!(most <= MOST_NODES, "{}: {most} nodes", contender.name);
        });
    }
    interrupt("auto", |problem, limits| {
        enumerate::run(problem, &Auto, limits, &mut Nodes::default());
    });
    interrupt("threads", |problem, limits| {
        let limits = Limits { threads: 2, ..*limits };
        enumerate::run(problem, &Propagate, &limits, &mut Nodes::default());
    });
    interrupt("a part", |problem, limits| {
        let share = Share::new(&Auto, PartOf { part: 2, of: 3 });
        enumerate::run(problem, &share, limits, &mut Nodes::default());
    });
    interrupt("nodes that are possible", |problem, limits| {
        for contender in contenders() {
            let _ = contender.engine.possible(problem, &limits.token());
        }
        let _ = limits.token().poll();
    });
}

#[test]
fn counts_and_estimates_poll_the_token() {
    let processor = ProcessorTime::default();
    for parts in [None, Some(10)] {
        let probing = Probing { probes: 1000, seed: 1, processor, parts };
        interrupt("estimate", |problem, limits| {
            assert!(estimate(problem, &probing, limits).stopped.is_some());
        });
    }
    interrupt("count", |problem, limits| {
        enumerate::count(problem, limits, None);
    });
    interrupt("count along a frontier", |problem, limits| {
        enumerate::count(problem, limits, Some(Method::Frontier));
        let _ = limits.token().poll();
    });
}

#[test]
fn hints_and_explanations_poll_the_token() {
    interrupt("why", |problem, limits| {
        let _ = reasons(problem, SetSearch::Required, limits);
    });
    interrupt("hint", |problem, limits| {
        let _ = hint::hint(problem, &[], limits, &mut |_| ());
    });
    interrupt("doctor", |problem, limits| {
        let _ = doctor::diagnose(problem, limits);
    });
    interrupt("generate", |problem, limits| {
        let wish = Target { classes: Some(Classes::ONE), ..Target::default() };
        if let Ok(deal) = Deal::new(problem) {
            let generator = Generator::dealing(deal, wish);
            let _ = generator.refuse_hopeless(limits);
            let _ = generator.make(1, limits, &mut |_| {});
        }
        let _ = limits.token().poll();
    });
}

#[test]
fn optimisation_stops_when_the_token_breaks() {
    for engine in [&Propagate as &dyn Engine, &Milp::default()] {
        interrupt("best", |problem, limits| {
            let whole = problem.board.required().count();
            if whole > 0 {
                optimise::run(&Optimisation::best(problem), engine, limits, &mut Nodes::default());
            }
        });
    }
}

/// Counts the checked cells between polls.
struct Improvements<'a> {
    poller: &'a Poller,
    polls: u64,
    cells: usize,
}

impl Listener for Improvements<'_> {
    fn found(&mut self, _: &NewSolution<'_>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }

    fn improved(&mut self, improvement: &Improvement<'_>) {
        let polls = self.poller.polls.load(Ordering::Relaxed);
        let before = if polls == self.polls { self.cells } else { 0 };
        self.polls = polls;
        self.cells = before + improvement.arrangement.0.len();
        assert!(self.cells <= 1 << 15, "{} cells between two polls", self.cells);
    }
}

#[test]
fn improvements_of_a_large_board_are_polled() {
    let problem = load::from_str(&random(60, 60, 3600, 20)).unwrap();
    let poller = Poller::raised_at(100);
    let mut listener = Improvements { poller: &poller, polls: 0, cells: 0 };
    optimise::run(&Optimisation::best(&problem), &Propagate, &poller.limits(), &mut listener);
    poller.check("the best of 60×60");
}
