//! The constraint and the engine of the examples agree with the built-in engines, and incorrect
//! ones are detected.

#[allow(dead_code)]
#[path = "../../examples/own_constraint.rs"]
mod own_constraint;
#[allow(dead_code)]
#[path = "../../examples/own_engine.rs"]
mod own_engine;

use std::ops::ControlFlow;
use std::sync::Arc;

use edgematch::analyse::compare::{CheckError, check};
use edgematch::board::Board;
use edgematch::engine::{Contender, Engine, EngineError, FilteringHost, Host, Work};
use edgematch::enumerate::{Limits, RunStatus, StopReason};
use edgematch::load;
use edgematch::problem::{Arrangement, Constraint, Formula, Placed, Problem};
use edgematch::puzzle::{Orientation, Puzzle};

use self::own_constraint::OnBlack;
use self::own_engine::InOrder;
use crate::common::problem;

#[test]
fn the_example_engine_agrees_with_all_engines() {
    for name in ["scramble-1", "huberf-cards", "framed-3x3-tud", "boards/cube-4"] {
        let own = vec![Contender::new("own", InOrder)];
        let comparison = check(&problem(name), own, &Limits::default()).unwrap();
        let entry = comparison.entries.last().unwrap();
        assert!(entry.outcome.as_ref().unwrap().status.is_complete(), "{name}");
        assert!(!entry.found.is_empty(), "{name}");
    }
}

#[test]
fn an_engine_that_stops_early_is_not_complete() {
    let text = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]},
                 constraints: [{seam: {cells: [[1, 1], [1, 2]], fit: free}}]}";
    let free = load::from_str(text).unwrap();
    let solved = free.solutions().with_engine(InOrder).all();
    let needs = RunStatus::Unsupported("it requires every seam to match".into());
    assert_eq!(solved.outcome.status, needs);
    let own = vec![Contender::new("own", InOrder)];
    let refused = check(&free, own, &Limits::default());
    assert!(matches!(refused, Err(CheckError::DoesNotServe { .. })));

    // The first engine stops although it was not interrupted; the second one ignores that it was.
    let pair = problem("scramble-1");
    let gave_up = pair.solutions().with_engine(FakeEngine(|_, _| ControlFlow::Break(()))).all();
    assert!(matches!(gave_up.outcome.status, RunStatus::Failed(EngineError::GaveUp { .. })));
    let deaf = |problem: &Problem, host: &mut dyn Host| {
        for solution in problem.solutions() {
            let _ = host.found(&solution.arrangement, &Work::default());
        }
        ControlFlow::Continue(())
    };
    let many = problem("absolut-knifflig");
    let two = many.solutions().with_engine(FakeEngine(deaf)).with_most(2).all();
    assert_eq!(two.solutions.len(), 2);
    assert_eq!(two.outcome.status, RunStatus::Stopped(StopReason::Enough));

    let mut panics = pair.solutions().with_engine(FakeEngine(|_, _| panic!("so be it")));
    assert_eq!((panics.next(), panics.next()), (None, None));
    let verdict = &panics.outcome().unwrap().status;
    assert!(
        matches!(verdict, RunStatus::Failed(EngineError::Thread { message }) if message.ends_with("so be it"))
    );
}

#[test]
fn invalid_arrangements_of_an_engine_are_rejected() {
    let text = "{rows: 1, cols: 2, tiles: {1: [a+, b, b, c], 2: [c, c, a-, b]},
                 constraints: [{pin: {cell: [1, 1], tile: 1}}]}";
    let pinned = load::from_str(text).unwrap();
    let placed = |tile| Placed { tile, orientation: Orientation::default() };
    for odd in [vec![], vec![placed(0)], vec![placed(0), placed(7)]] {
        let arrangement = Arrangement(odd);
        let given = arrangement.clone();
        let hands = FakeEngine(move |_, host| host.found(&given, &Work::default()));
        let status = pinned.solutions().with_engine(hands).all().outcome.status;
        let is_refused = matches!(status, RunStatus::Failed(EngineError::DoesNotFit { .. }));
        assert!(is_refused, "{arrangement:?}: {status:?}");
    }
}

/// An engine with arbitrary behaviour.
struct FakeEngine<F: Fn(&Problem, &mut dyn Host) -> ControlFlow<()>>(F);

impl<F: Fn(&Problem, &mut dyn Host) -> ControlFlow<()>> Engine for FakeEngine<F> {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        _work: &mut Work,
    ) -> Result<ControlFlow<()>, EngineError> {
        Ok(self.0(problem, host))
    }
}

#[test]
fn the_example_constraint_agrees_in_every_engine() {
    let whole = problem("absolut-knifflig");
    let constraint = Arc::new(OnBlack { tiles: vec![0, 4] });
    let constrained = whole.clone().with_constraints(vec![constraint]);
    let number = |problem: &Problem| edgematch::solve(problem).solutions.len();
    assert!((1..number(&whole)).contains(&number(&constrained)));
    let own = vec![Contender::new("own", InOrder)];
    check(&constrained, own, &Limits::default()).unwrap();
}

/// A constraint whose linear form requires more than the constraint itself.
#[derive(Debug)]
struct TwoFaced;

impl Constraint for TwoFaced {
    fn name(&self) -> &'static str {
        "two-faced"
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, _: &Puzzle, _: &Board, _: &Arrangement) -> Option<String> {
        None
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        OnBlack { tiles: vec![0, 4] }.formula(puzzle, board)
    }
}

/// A constraint that rejects arrangements which its formula allows.
#[derive(Debug)]
struct Loose(OnBlack);

impl Constraint for Loose {
    fn name(&self) -> &'static str {
        "loose"
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        self.0.broken(puzzle, board, arrangement)
    }

    fn formula(&self, _: &Puzzle, _: &Board) -> Formula {
        Formula::all([])
    }
}

#[test]
fn a_formula_that_allows_too_much_is_reported() {
    let tiles = vec![0, 4];
    let loose =
        problem("absolut-knifflig").with_constraints(vec![Arc::new(Loose(OnBlack { tiles }))]);
    let found = check(&loose, Vec::new(), &Limits::default());
    let Err(CheckError::Constraint { message }) = found else {
        panic!("it is not lazy");
    };
    let blamed = "the formula of constraint `loose` allows an arrangement that the constraint rejects: constraint 1: tile `";
    assert!(message.starts_with(blamed), "{message}");
}

#[test]
fn check_engines_detects_wrong_engines_and_formulas() {
    let whole = problem("absolut-knifflig");
    // The engine reports the first solution that it finds, and claims that this is all.
    let first = FakeEngine(|problem, host| {
        let first = problem.solutions().next().expect("there are some");
        host.found(&first.arrangement, &Work::default())
    });
    let lazy = check(&whole, vec![Contender::new("lazy", first)], &Limits::default());
    let Err(CheckError::Differ(differ)) = lazy else {
        panic!("it misses all but one");
    };
    assert_eq!((differ.other.as_str(), differ.only_other.len()), ("lazy", 0));
    assert!(!differ.only_one.is_empty());
    let two_faced = whole.with_constraints(vec![Arc::new(TwoFaced)]);
    let found = check(&two_faced, Vec::new(), &Limits::default());
    assert!(matches!(found, Err(CheckError::Differ(_))));
}
