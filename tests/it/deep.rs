//! The plain backtrackers on boards with more cells than a recursive search or a 16-bit counter
//! could handle, and the amount of work between two polls.

use std::ops::ControlFlow;
use std::path::Path;
use std::thread;

use edgematch::engine::{Backtrack, Engine, Host, Order, Work};
use edgematch::enumerate::solution::check;
use edgematch::enumerate::{self, Limits, NewSolution, RunStatus, StopReason};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch::runtime::limits::CancelToken;

use crate::common::problem;

/// Checks the first arrangement and stops.
struct First<'a>(&'a Problem);

impl Host for First<'_> {
    fn found(&mut self, arrangement: &Arrangement, _: &Work) -> ControlFlow<()> {
        check(self.0, arrangement).unwrap();
        ControlFlow::Break(())
    }

    fn poll(&mut self, _: &Work) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Searches on a stack of 128 KiB: 2 bytes per cell of the larger board.
fn finds_one(problem: &Problem, engine: Backtrack) -> bool {
    let search = || {
        let engine: &dyn Engine = &engine;
        engine.run(problem, &CancelToken::never(), &mut First(problem), &mut Work::default())
    };
    thread::scope(|scope| {
        let small = thread::Builder::new().stack_size(1 << 17);
        let end = small.spawn_scoped(scope, search).unwrap().join();
        end.unwrap().unwrap().is_break()
    })
}

fn plain_forms() -> [Backtrack; 4] {
    let [spiral, rows] = Order::ALL;
    [
        Backtrack::Plain(spiral),
        Backtrack::Plain(rows),
        Backtrack::Scan(spiral),
        Backtrack::Scan(rows),
    ]
}

#[test]
fn large_boards_are_filled_on_a_small_stack() {
    let path = Path::new(crate::ROOT).join("tests/cases/limits/wrap-130x127.yaml");
    let problem = load::read(&path).unwrap();
    for engine in plain_forms() {
        assert!(finds_one(&problem, engine), "{}", engine.variant());
    }
}

#[test]
fn a_tile_may_be_used_more_often_than_16_bits_count() {
    let text = "{rows: 256, cols: 257, tiles: {1: {edges: [a, a, a, a], copies: any}}}";
    let problem = load::from_str(text).unwrap();
    for engine in plain_forms().into_iter().chain([Backtrack::Fast]) {
        assert!(finds_one(&problem, engine), "{}", engine.variant());
    }
}

/// Records the most work between two polls, and ends the search after a number of polls.
struct Meter {
    polls: u64,
    before: (u64, u64),
    most: u64,
}

impl Host for Meter {
    fn found(&mut self, _: &Arrangement, _: &Work) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn poll(&mut self, work: &Work) -> ControlFlow<()> {
        let (nodes, tries) = self.before;
        self.most = self.most.max(work.nodes - nodes).max(work.tries - tries);
        self.before = (work.nodes, work.tries);
        self.polls -= 1;
        if self.polls == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn plain_searches_poll_at_least_every_1024_candidates() {
    // No two tiles match, so most of the tries belong to a few nodes.
    let tiles = (0..3_000).map(|tile| format!("{tile}: [a{tile}+, b, b, b]"));
    let tiles = itertools::join(tiles, ", ");
    let long = load::from_str(&format!(
        "{{rows: 1, cols: 2, order: clockwise-from-top, rotations: false, tiles: {{{tiles}, z: [b, c+, b, b]}}}}"
    ));
    for problem in [problem("absolut-knifflig"), long.unwrap()] {
        for engine in &plain_forms() {
            let mut meter = Meter { polls: 12, before: (0, 0), most: 0 };
            let engine: &dyn Engine = engine;
            let mut work = Work::default();
            let end = engine.run(&problem, &CancelToken::never(), &mut meter, &mut work).unwrap();
            assert!(meter.most <= 1_024, "{} {}", engine.variant(), meter.most);
            assert!(end.is_continue() || meter.polls == 0);
            assert!(work.tries.max(work.nodes) <= 12 * 1_024);
        }
    }
}

/// The last puzzle has more labels than the index by pairs of labels supports.
#[test]
fn lookup_makes_the_same_calls_as_trying_every_tile() {
    let spares = (0..75).map(|spare| {
        let edges = [0, 1, 2, 3].map(|side| format!("s{}", 4 * spare + side));
        format!("s{spare}: [{}]", edges.join(", "))
    });
    let tiles = [
        "p: [a+, b+, c+, a-]",
        "q: [a+, b-, c+, b+]",
        "r: [b-, c-, a-, c-]",
        "s: [a-, c-, b-, b+]",
        "t: [c+, a+, b+, c-]",
        "u: [b+, a-, c-, a+]",
    ];
    let tiles = itertools::join(tiles.map(String::from).into_iter().chain(spares), ", ");
    let many_labels = format!("{{rows: 2, cols: 3, tiles: {{{tiles}}}}}");
    let known = ["scramble-1", "python-backtracker-mockup", "framed-3x3-tud"];
    let many_labels = load::from_str(&many_labels).unwrap();
    assert!(many_labels.puzzle.labels.len() > 256);
    for problem in known.map(problem).into_iter().chain([many_labels]) {
        for order in Order::ALL {
            let [plain, scan] = [Backtrack::Plain(order), Backtrack::Scan(order)].map(|engine| {
                let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
                enumerate::run(&problem, &engine, &Limits::default(), ignore)
            });
            assert_eq!(plain.tally, scan.tally);
            assert_eq!(plain.work.nodes, scan.work.nodes);
            assert!(scan.work.nodes > 6);
        }
    }
}

#[test]
fn a_node_limit_stops_a_plain_search() {
    let problem = problem("absolut-knifflig");
    let limits = Limits { nodes: Some(1_000), ..Limits::default() };
    for engine in &plain_forms() {
        let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
        let outcome = enumerate::run(&problem, engine, &limits, ignore);
        let stopped = RunStatus::Stopped(StopReason::Nodes(1_000));
        assert_eq!(outcome.status, stopped, "{}", engine.variant());
    }
}
