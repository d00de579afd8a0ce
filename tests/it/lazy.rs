//! Lazy constraints: for any declared dependence, every engine finds the arrangements of brute
//! force that the constraint allows. A constraint that declares too little is reported.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::ControlFlow;
use std::sync::Arc;

use edgematch::analyse::compare::{CheckError, check};
use edgematch::analyse::explain::{Explanation, why};
use edgematch::analyse::hint::{Suggestion, hint};
use edgematch::board::Board;
use edgematch::engine::{Auto, Engine, Milp, PartOf, Propagate, Share};
use edgematch::enumerate::{self, Limits, NewSolution, RunStatus};
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{
    Arrangement, Constraint, Dependence, Formula, LinearConstraint, Placed, Problem, TilePlacements,
};
use edgematch::puzzle::Puzzle;
use edgematch::{load, solve};
use fastrand::Rng;
use proptest::prelude::*;

use crate::common::drawn::found;
use crate::common::shapes::{Backs, Draw, Shape, Toy, arrangement};
use crate::common::{every_engine, problem};

const POSITION: Dependence = Dependence { position: true, ..Dependence::EDGES };
const ROTATIONS: Dependence = Dependence { rotations: true, ..Dependence::EDGES };
const TILES: Dependence = Dependence { tiles: true, ..Dependence::EDGES };

fn hashed(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Allows half of all arrangements, selected by a hash of everything that it depends on.
#[derive(Debug)]
struct Half {
    salt: u64,
    /// What the selection really depends on.
    of: Dependence,
    /// What the constraint declares.
    declares: Dependence,
}

impl Half {
    fn cell(&self, puzzle: &Puzzle, cell: usize, placed: Placed) -> u64 {
        let Placed { tile, orientation } = placed;
        let mut edges = puzzle.tiles[tile].edges_in(orientation);
        if !self.of.position {
            edges.sort_unstable();
        }
        hashed((
            self.salt,
            self.of.position.then_some(cell),
            self.of.tiles.then_some(tile),
            self.of.rotations.then_some(orientation),
            edges,
        ))
    }
}

impl Constraint for Half {
    fn name(&self) -> &'static str {
        "half"
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let cells = arrangement.0.iter().enumerate();
        let cells: Vec<u64> = cells.map(|(c, &placed)| self.cell(puzzle, c, placed)).collect();
        // The order of cells and seams must not matter.
        let seams = board.touching().map(|[one, other]| {
            let (one, other) = (cells[one.0], cells[other.0]);
            hashed((one.min(other), one.max(other)))
        });
        let sum = cells.iter().copied().chain(seams).fold(0, u64::wrapping_add);
        hashed(sum).is_multiple_of(2).then(|| "the other half".into())
    }

    fn depends_on(&self) -> Dependence {
        self.declares
    }
}

/// Forbids a combination of placements, without stating that as a formula.
#[derive(Debug)]
struct NotTogether {
    cells: Vec<(usize, Arc<TilePlacements>)>,
    /// The number of cells that its cuts omit.
    forgets: usize,
}

impl Constraint for NotTogether {
    fn name(&self) -> &'static str {
        "not-together"
    }

    fn broken(&self, _: &Puzzle, _: &Board, arrangement: &Arrangement) -> Option<String> {
        let mut cells = self.cells.iter();
        let is_met = cells.all(|(cell, placements)| placements.contains(&arrangement.0[*cell]));
        is_met.then(|| "all of them".into())
    }

    fn lazy_cut(
        &self,
        _: &Puzzle,
        _: &Board,
        _: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        Some(self.cells[self.forgets..].to_vec())
    }
}

fn toy(random: &mut Rng) -> Toy {
    let shape = match random.u8(..8) {
        0 => Shape::tetrahedron(),
        1 => Shape::random(random),
        2 => Shape::grid(2, 3, random.bool(), random.bool()),
        3 => Shape::grid(1, 3, random.bool(), random.bool()),
        _ => Shape::grid(2, 2, random.bool(), random.bool()),
    };
    let draw = Draw {
        images: random.u8(1..4) + u8::from(shape.sides.len() > 4),
        backs: [Backs::None, Backs::Some, Backs::Mirror, Backs::Reverse][random.usize(..4)],
        may_turn: random.u8(..4) > 0,
        has_border: random.u8(..4) == 0,
        spare: random.usize(..2),
        is_planted: true,
    };
    let mut toy = Toy::new(shape, &draw, random);
    // Add twins, some of them listed in another orientation, and self-symmetric tiles.
    for _ in 0..random.usize(..3) {
        let [from, to] = [(); 2].map(|()| random.usize(..toy.pieces.len()));
        if toy.pieces[from].front.len() == toy.pieces[to].front.len() {
            let steps = if toy.may_turn { random.usize(..4) } else { 0 };
            let twin = toy.pieces[from].listed(false, steps);
            toy.pieces[to].front = twin.front;
            toy.pieces[to].back = twin.back;
            toy.planted = None;
        }
    }
    toy.varied(random)
}

fn drawn(toy: &Toy, random: &mut Rng) -> Arc<dyn Constraint> {
    if random.u8(..4) == 0 {
        let cells = (0..1 + random.usize(..2)).map(|_| {
            let ways = (0..toy.pieces.len()).flat_map(|tile| toy.ways(tile));
            let ways: Vec<_> = ways.filter(|_| random.bool()).collect();
            let placements = arrangement(&ways).0.into_iter().collect();
            (random.usize(..toy.shape.sides.len()), Arc::new(placements))
        });
        let cells: Vec<_> = cells.collect();
        return Arc::new(NotTogether { cells, forgets: 0 });
    }
    let mut dependence =
        || Dependence { tiles: random.bool(), rotations: random.bool(), position: random.bool() };
    let (of, more) = (dependence(), dependence());
    let declares = Dependence {
        tiles: of.tiles || more.tiles,
        rotations: of.rotations || more.rotations,
        position: of.position || more.position,
    };
    let salt = random.u64(..);
    Arc::new(Half { salt, of, declares })
}

/// The labelled solutions in all parts of a search.
fn in_parts(problem: &Problem, of: u32) -> BTreeSet<Arrangement> {
    let parts = (1..=of).map(|part| {
        let share = Share::new(&Propagate, PartOf { part, of });
        found(problem, &share, 1).0
    });
    let mut all = BTreeSet::new();
    for part in parts {
        let before = all.len() + part.len();
        all.extend(part);
        assert_eq!(all.len(), before, "a solution is in two parts");
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 12,
        max_global_rejects: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_engine_enforces_lazy_constraints(seed in any::<u64>()) {
        let random = &mut Rng::with_seed(seed);
        let toy = toy(random);
        let all = toy.brute_force(0, &[], 1_500);
        prop_assume!(all.as_ref().is_some_and(|all| !all.solutions.is_empty()));
        let all: Vec<Arrangement> =
            all.unwrap().solutions.iter().map(|lies| arrangement(lies)).collect();
        let list: Vec<_> = (0..random.usize(1..3)).map(|_| drawn(&toy, random)).collect();
        let problem = load::from_str(&toy.yaml()).unwrap().with_constraints(list);
        let obeys = |arrangement: &&Arrangement| problem.broken_constraint(arrangement).is_none();
        let right: BTreeSet<Arrangement> = all.iter().filter(obeys).cloned().collect();
        let mut counts = BTreeSet::new();
        for contender in every_engine() {
            let engine = contender.engine.as_ref();
            let takes_long = contender.name.starts_with("milp") && all.len() > 60;
            if takes_long || engine.serves(&problem).is_err() {
                continue;
            }
            for threads in [1, 2] {
                let (solutions, distinct, classes) = found(&problem, engine, threads);
                prop_assert!(solutions == right, "{}: {} of {} in\n{}{:?}",
                    contender.name, solutions.len(), right.len(), toy.yaml(), problem.constraints);
                counts.insert((distinct, classes));
            }
        }
        prop_assert_eq!(counts.len(), 1);
        let part = Share::new(&Propagate, PartOf { part: 1, of: 3 });
        if part.serves(&problem).is_ok() {
            prop_assert!(in_parts(&problem, 3) == right);
        }
        let has_solution = !right.is_empty();
        let hinted = hint(&problem, &[], &Limits::default(), &mut |_| ()).unwrap();
        prop_assert_eq!(hinted != Suggestion::Nothing, has_solution);
        let counted = enumerate::count(&problem, &Limits::default(), None);
        prop_assert_eq!(counted.tally.solutions, right.len().into());
        let explained = why(&problem, &Limits::default()).unwrap();
        prop_assert_eq!(matches!(explained, Explanation::Solvable(_)), has_solution);
    }
}

/// The unrotated tiles are connected. A user wrote this example and expected that it needs nothing
/// else.
#[derive(Debug)]
struct UprightConnected {
    /// True if its formula breaks the symmetry of the board.
    is_asymmetric: bool,
    declares: Dependence,
}

impl Constraint for UprightConnected {
    fn name(&self) -> &'static str {
        "upright-connected"
    }

    fn broken(&self, _: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let is_upright = |&cell: &usize| arrangement.0[cell].orientation.rotation() == 0;
        let upright: Vec<usize> = (0..board.size()).filter(is_upright).collect();
        let mut seen = vec![*upright.first()?];
        let mut next = 0;
        while next < seen.len() {
            for &(cell, _) in board.touching_sides(seen[next]).iter().flatten() {
                if is_upright(&cell) && !seen.contains(&cell) {
                    seen.push(cell);
                }
            }
            next += 1;
        }
        (seen.len() < upright.len()).then(|| "upright tiles fall apart".into())
    }

    fn symmetric_formula(&self, _: &Puzzle, _: &Board) -> Formula {
        let here = Placed { tile: 0, orientation: Default::default() };
        let here = Arc::new([here].into_iter().collect());
        if self.is_asymmetric {
            LinearConstraint::at_most(&[0], &here, 1).into()
        } else {
            Formula::all([])
        }
    }

    fn depends_on(&self) -> Dependence {
        self.declares
    }
}

#[test]
fn the_upright_tiles_of_163_of_296_solutions_are_connected() {
    let whole = problem("random-half-3x3-3-s1");
    assert_eq!(solve(&whole).outcome.tally.solutions, 296u32.into());
    for declares in [Dependence::EVERYTHING, ROTATIONS] {
        for is_asymmetric in [false, true] {
            let own = UprightConnected { is_asymmetric, declares };
            let own = whole.clone().with_constraints(vec![Arc::new(own)]);
            let solved = solve(&own);
            assert!(solved.outcome.status.is_complete());
            assert_eq!(solved.outcome.tally.solutions, 163u32.into());
        }
    }
}

/// Requires a tile to be in a cell.
#[derive(Debug)]
struct LiesIn(usize, usize, Dependence);

impl Constraint for LiesIn {
    fn name(&self) -> &'static str {
        "lies-in"
    }

    fn broken(&self, _: &Puzzle, _: &Board, arrangement: &Arrangement) -> Option<String> {
        (arrangement.0[self.1].tile != self.0).then(|| "another one".into())
    }

    fn depends_on(&self) -> Dependence {
        self.2
    }
}

#[test]
fn a_required_twin_is_in_its_cell() {
    let whole = problem("knifflidiffels-version5");
    let pinned = "- pin: {cell: [1, 1], tile: 2}".as_bytes();
    let pinned = load::constraints_from_bytes(whole.clone(), pinned, "here").unwrap();
    let pinned = solve(&pinned).outcome.tally;
    assert_eq!((pinned.distinct, pinned.solutions), (40u32.into(), 960u32.into()));
    let tile = whole.puzzle.tiles.iter().position(|tile| tile.name == "2");
    let place = Dependence { tiles: true, position: true, ..Dependence::EDGES };
    for declares in [Dependence::EVERYTHING, place] {
        let own = LiesIn(tile.unwrap(), 0, declares);
        let own = whole.clone().with_constraints(vec![Arc::new(own)]);
        assert_eq!(solve(&own).outcome.tally.solutions, 960u32.into());
    }
}

/// The failure messages of a run and of a check.
fn failures(problem: &Problem, engine: &dyn Engine) -> [String; 2] {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    let run = enumerate::run(problem, engine, &Limits::default(), ignore);
    let constraints = &problem.constraints;
    assert!(matches!(run.status, RunStatus::Failed(_)), "{constraints:?}");
    let checked = check(problem, Vec::new(), &Limits::default());
    let checked = checked.expect_err("the constraint is wrong");
    assert!(matches!(checked, CheckError::Constraint { .. }), "{checked}");
    [run.status.to_string(), checked.to_string()]
}

#[test]
fn a_constraint_that_declares_too_little_is_named() {
    let alike = "{rows: 2, cols: 2, rotations: false, tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: \
                 [a, a, a, a], 4: [a, a, a, b]}}";
    let turned = alike.replace("rotations: false, ", "");
    let upright = |declares| UprightConnected { is_asymmetric: false, declares };
    let half = |of, declares| Half { salt: 1, of, declares };
    let cases: Vec<(&str, Arc<dyn Constraint>, &str)> = vec![
        (alike, Arc::new(LiesIn(0, 0, POSITION)), "`lies-in` depends on tiles,"),
        (&turned, Arc::new(upright(POSITION)), "`upright-connected` depends on rotations,"),
        (
            &turned,
            Arc::new(half(POSITION, Dependence::EDGES)),
            "`half` depends on position or rotations,",
        ),
        (
            "{board: {grid: [1, 3], wrap: horizontal}, rotations: false, tiles: {1: [a, b, a, c], 2: [a, \
             c, a, b], 3: [a, c, a, c]}}",
            Arc::new(half(POSITION, TILES)),
            "`half` depends on position,",
        ),
    ];
    for (text, constraint, named) in cases {
        let problem = load::from_str(text).unwrap().with_constraints(vec![constraint]);
        for message in failures(&problem, &Propagate) {
            assert!(message.contains(named), "{message}");
        }
    }
}

/// Only `milp` cuts, and only some of its cuts exclude a solution.
#[test]
fn cuts_that_exclude_solutions_are_reported() {
    // The model is slow if there are hundreds of solutions.
    let centre: &[u8] = b"- pin: {cell: centre, tile: 1}";
    let whole = load::constraints_from_bytes(problem("random-half-3x3-3-s1"), centre, "here");
    let whole = whole.unwrap();
    let first = whole.solutions().next().expect("there are some").arrangement;
    let cells = [0, 8].map(|cell| {
        let every = Placed::every(&whole.puzzle, first.0[cell].tile);
        (cell, Arc::new(every.collect()))
    });
    let own = |forgets| {
        let own = NotTogether { cells: cells.to_vec(), forgets };
        whole.clone().with_constraints(vec![Arc::new(own)])
    };
    check(&own(0), Vec::new(), &Limits::default()).unwrap();
    let wide = check(&own(1), Vec::new(), &Limits::default());
    let wide = wide.expect_err("the cut is wide");
    assert!(matches!(wide, CheckError::Constraint { .. }), "{wide}");
    assert!(wide.to_string().contains("`not-together`"), "{wide}");
}

/// A cut that does not exclude the arrangement would be added forever, so that the arrangement
/// alone is excluded instead.
#[test]
fn a_cut_that_misses_the_arrangement_is_replaced() {
    #[derive(Debug)]
    struct Sparing(LiesIn);
    impl Constraint for Sparing {
        fn name(&self) -> &'static str {
            "sparing"
        }
        fn broken(&self, puzzle: &Puzzle, board: &Board, all: &Arrangement) -> Option<String> {
            self.0.broken(puzzle, board, all)
        }
        fn is_lazy(&self) -> bool {
            true
        }
        fn lazy_cut(
            &self,
            _: &Puzzle,
            _: &Board,
            _: &Arrangement,
        ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
            Some(vec![(0, Arc::default())])
        }
    }
    let whole = problem("scramble-1");
    let right = whole.solutions().next().unwrap().arrangement.0[4].tile;
    let own = Sparing(LiesIn(right, 4, Dependence::EVERYTHING));
    let own = whole.with_constraints(vec![Arc::new(own)]);
    for engine in [&Propagate as &dyn Engine, &Milp::default()] {
        assert_eq!(found(&own, engine, 1).0.len(), 4, "{}", engine.name());
    }
}

#[test]
fn kinds_and_group_follow_from_what_is_declared() {
    // Twins, the second of them listed in another orientation, and a self-symmetric tile.
    let text = "{board: {grid: [1, 3], wrap: both}, tiles: {1: [a, b, c, d], 2: [b, c, d, a], 3: [a, b, a, b]}}";
    let whole = load::from_str(text).unwrap();
    let sizes = |declares| {
        let own = LiesIn(0, 0, declares);
        let own = whole.clone().with_constraints(vec![Arc::new(own)]);
        (own.group.len(), own.kinds.kinds.len(), own.kinds.values.len())
    };
    assert_eq!(sizes(Dependence::EDGES), (6, 2, 6));
    assert_eq!(sizes(TILES), (6, 3, 10));
    assert_eq!(sizes(ROTATIONS), (3, 3, 12));
    assert_eq!(sizes(POSITION), (1, 2, 6));
    assert_eq!(sizes(Dependence::EVERYTHING), (1, 3, 12));
}

#[test]
fn the_best_arrangement_satisfies_lazy_constraints() {
    let text = "{rows: 2, cols: 2, tiles: {1: [a+, b, c, d], 2: [e, f, a-, g], 3: [h, c, b, e], 4: [d, g, f, h]}}";
    let whole = load::from_str(text).unwrap();
    let best = |problem: &Problem| {
        let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
        let limits = Limits { distinct: 1, ..Limits::default() };
        optimise::run(&Optimisation::best(problem), &Auto, &limits, ignore)
    };
    let own = |tile| {
        let own = LiesIn(tile, 0, Dependence::EVERYTHING);
        whole.clone().with_constraints(vec![Arc::new(own)])
    };
    let of_each = (0..4).map(|tile| best(&own(tile)));
    for optimum in of_each {
        assert!(optimum.is_proven && optimum.value <= best(&whole).value);
        assert_eq!(optimum.outcome.tally.listed(), 1);
    }
}

/// Of the 148 solutions a few have the tile in that cell, and hardly any other arrangement that a
/// search without regard to seams meets.
#[test]
fn the_best_of_few_that_a_lazy_constraint_allows_is_proven() {
    let whole = problem("absolut-knifflig");
    for tile in [0, 4, 8] {
        let own = LiesIn(tile, 0, Dependence::EVERYTHING);
        let problem = whole.clone().with_constraints(vec![Arc::new(own)]);
        let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
        let limits = Limits { distinct: 1, nodes: Some(1 << 18), ..Limits::default() };
        let best = optimise::run(&Optimisation::best(&problem), &Auto, &limits, ignore);
        assert!(best.is_proven, "tile {tile}: {:?}", best.value);
        assert_eq!(best.value == Some(12), solve(&problem).outcome.tally.distinct > 0u32.into());
    }
}
