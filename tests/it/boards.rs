//! Wrapped grids, solids, custom boards and two-sided tiles: every engine finds the same set and
//! the same counts as a brute force that is independent of the library.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use edgematch::board::{Board, Solid};
use edgematch::engine::{Auto, Backtrack, Contender, Engine, Lp, Milp, Order, Propagate, Regions};
use edgematch::enumerate::solution::{check, expand};
use edgematch::enumerate::{self, Limits, Listener, NewSolution, StopReason, Tally};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::Problem;
use edgematch::puzzle::Flip;
use edgematch::runtime::limits::CancelToken;
use fastrand::Rng;
use proptest::prelude::*;

use crate::common::shapes::{Backs, Draw, PlacedTile, Shape, Toy, motion, to_placed_tiles};
use crate::common::{self, Feature, PINNED_TWICE, enumerated, searches, serving};

/// The kind of a board.
#[derive(Debug, Clone, Copy)]
enum BoardKind {
    /// A grid: rows, columns, and whether the ends of rows and of columns are joined.
    Grid(usize, usize, bool, bool),
    /// A grid with holes and at most five cells.
    Masked(usize, usize, bool, bool),
    Tetrahedron,
    Cube,
    Random,
}

fn board_kinds() -> impl Strategy<Value = BoardKind> {
    let sizes = &[(2, 3), (2, 2), (1, 1), (1, 2), (1, 3), (3, 1), (2, 1)][..];
    let grid = (proptest::sample::select(sizes), any::<bool>(), any::<bool>());
    let masked = (
        proptest::sample::select(&[(2, 2), (2, 3), (3, 2), (3, 3), (4, 2)][..]),
        any::<bool>(),
        any::<bool>(),
    );
    prop_oneof![
        4 => grid.prop_map(|((rows, columns), r, c)| BoardKind::Grid(rows, columns, r, c)),
        2 => masked.prop_map(|((rows, columns), r, c)| BoardKind::Masked(rows, columns, r, c)),
        1 => Just(BoardKind::Tetrahedron),
        1 => Just(BoardKind::Cube),
        2 => Just(BoardKind::Random),
    ]
}

fn draws() -> impl Strategy<Value = Draw> {
    use Backs::*;
    let backs = proptest::sample::select(&[None, None, Own, Some, Mirror, Reverse][..]);
    let turns = prop_oneof![3 => Just(true), 1 => Just(false)];
    let spare = prop_oneof![3 => Just(0usize), 1 => 1..3usize];
    (1..4u8, backs, turns, any::<bool>(), spare, any::<bool>()).prop_map(
        |(images, backs, may_turn, has_border, spare, is_planted)| Draw {
            images,
            backs,
            may_turn,
            has_border,
            spare,
            is_planted,
        },
    )
}

fn toys() -> impl Strategy<Value = Toy> {
    (board_kinds(), draws(), any::<u64>()).prop_map(|(which, draw, seed)| toy(which, &draw, seed))
}

fn toy(which: BoardKind, draw: &Draw, seed: u64) -> Toy {
    let mut random = Rng::with_seed(seed);
    let shape = match which {
        BoardKind::Grid(rows, columns, r, c) => Shape::grid(rows, columns, r, c),
        BoardKind::Masked(rows, columns, r, c) => {
            let mut places: Vec<usize> = (0..rows * columns).collect();
            random.shuffle(&mut places);
            let cells = random.usize(1..6.min(places.len()));
            Shape::grid(rows, columns, r, c).with_holes(columns, &places[cells..])
        }
        BoardKind::Tetrahedron => Shape::tetrahedron(),
        BoardKind::Cube => Shape::cube(),
        BoardKind::Random => Shape::random(&mut random),
    };
    let many = shape.sides.len() > 4;
    let draw = Draw {
        // With fewer images there would be too many solutions.
        images: draw.images + u8::from(many) * 2,
        spare: draw.spare.min(if many { 1 } else { 2 }),
        ..*draw
    };
    Toy::new(shape, &draw, &mut random).varied(&mut random)
}

/// All solutions that an engine finds, its distinct arrangements, and its count of classes.
struct EngineResult {
    solutions: Vec<Vec<PlacedTile>>,
    arrangements: Vec<Vec<PlacedTile>>,
    classes: u64,
}

/// Runs an engine, and asserts that it completes and that its counts agree with its solutions.
fn run_engine(
    problem: &Problem,
    engine: &dyn Engine,
    threads: usize,
) -> Result<EngineResult, TestCaseError> {
    let name = format!("{} {}", engine.name(), engine.variant());
    let limits = Limits { threads, ..Limits::default() };
    let mut solutions = Vec::new();
    let mut arrangements = Vec::new();
    let outcome = enumerate::run(problem, engine, &limits, &mut |found: &NewSolution<'_>| {
        let labelled = expand(problem, &found.distinct.orbit);
        solutions.extend(labelled.map(|a| to_placed_tiles(&a)));
        arrangements.push(to_placed_tiles(&found.distinct.arrangement));
        ControlFlow::Continue(())
    });
    prop_assert!(outcome.status.is_complete(), "{name}: {:?}", outcome.status);
    prop_assert_eq!(&outcome.tally.solutions, &solutions.len().into(), "{}", name);
    prop_assert_eq!(outcome.tally.listed() as usize, arrangements.len(), "{}", name);
    solutions.sort();
    let classes = u64::try_from(outcome.tally.classes).unwrap();
    Ok(EngineResult { solutions, arrangements, classes })
}

fn loaded(toy: &Toy) -> Problem {
    common::loaded(&toy.yaml(), &[]).expect("it is loaded")
}

/// Asserts that the library's symmetry group equals the one that the test computes; returns its
/// size.
fn check_group(toy: &Toy, problem: &Problem) -> Result<usize, TestCaseError> {
    let own: BTreeSet<_> = toy.group().into_iter().collect();
    let group: BTreeSet<_> =
        problem.group.iter().map(|symmetry| motion(&toy.shape, symmetry)).collect();
    prop_assert_eq!(problem.group.len(), group.len());
    prop_assert_eq!(&group, &own);
    Ok(group.len())
}

/// Asserts that engines agree with brute force; skips puzzles with more than `most` solutions.
fn assert_agrees(toy: &Toy, most: usize, contenders: Vec<Contender>) -> Result<(), TestCaseError> {
    let problem = loaded(toy);
    check_group(toy, &problem)?;
    let brute = toy.brute_force(0, &[], most);
    prop_assume!(brute.is_some());
    let brute = brute.unwrap().solutions;
    if let Some(planted) = &toy.planted {
        prop_assert!(brute.contains(planted));
    }
    let group = toy.group();
    let pictures = toy.pictures(&group, &brute);
    let classes = toy.classes(&group, &brute);
    for Contender { name, engine } in serving(contenders, &problem, &toy.features()) {
        if name.starts_with("milp") && pictures.len() > 15 {
            continue;
        }
        for threads in [1, 3] {
            let ran = run_engine(&problem, engine.as_ref(), threads)?;
            prop_assert!(
                ran.solutions == brute,
                "{}: {} of {}",
                name,
                ran.solutions.len(),
                brute.len()
            );
            prop_assert_eq!(ran.classes as usize, classes, "{}", name);
            let found = toy.pictures(&group, &ran.arrangements);
            prop_assert_eq!(found.len(), ran.arrangements.len(), "{}", name);
            prop_assert!(found == pictures, "{}", name);
        }
    }
    Ok(())
}

fn models() -> Vec<Contender> {
    let models = itertools::iproduct!(FORMULATIONS, Lp::ALL)
        .map(|(formulation, (lp, _))| Milp { lp, ..Milp::new(formulation) });
    models.map(|milp| Contender::new("milp", milp)).collect()
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_global_rejects: 20_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(80))]

    #[test]
    fn searches_agree_with_brute_force(toy in toys()) {
        assert_agrees(&toy, 3_000, searches())?;
    }
}

proptest! {
    #![proptest_config(config(10))]

    #[test]
    fn the_model_agrees_with_brute_force(toy in toys()) {
        assert_agrees(&toy, 1_000, models())?;
    }
}

/// Asserts that the checker accepts the solutions of brute force, and rejects arrangements that
/// differ from them in one placement and are not among them.
fn is_checked(toy: &Toy, seed: u64) -> Result<(), TestCaseError> {
    let problem = loaded(toy);
    let brute = toy.brute_force(0, &[], 500);
    prop_assume!(brute.is_some());
    let brute: BTreeSet<_> = brute.unwrap().solutions.into_iter().collect();
    let mut random = Rng::with_seed(seed);
    for lies in &brute {
        prop_assert!(check(&problem, &crate::common::shapes::arrangement(lies)).is_ok());
        let mut other = lies.clone();
        let cell = random.usize(..lies.len());
        let tile = random.usize(..toy.pieces.len());
        let ways: Vec<PlacedTile> = toy.ways(tile).collect();
        other[cell] = ways[random.usize(..ways.len())];
        let is_ok = check(&problem, &crate::common::shapes::arrangement(&other)).is_ok();
        prop_assert_eq!(is_ok, brute.contains(&other));
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn the_checker_agrees_with_brute_force(toy in toys(), seed in any::<u64>()) {
        is_checked(&toy, seed)?;
    }
}

type Meaning = Box<dyn Fn(&Toy, &[PlacedTile]) -> bool>;

/// A constraint as text in a file, and its meaning.
struct ConstraintWithMeaning {
    text: String,
    meaning: Meaning,
}

/// A pattern of placements, independent of the library.
#[derive(Debug, Clone, Default)]
struct Pattern {
    cells: Option<Vec<usize>>,
    tiles: Option<Vec<usize>>,
    rotations: Option<Vec<usize>>,
    is_back: Option<bool>,
    shows: Option<(usize, u8)>,
}

impl Pattern {
    fn new(toy: &Toy, random: &mut Rng) -> Pattern {
        let mut pattern = Pattern::default();
        let has_backs = toy.pieces.iter().any(|piece| piece.back.is_some());
        while pattern.text(toy).is_empty() {
            if random.bool() {
                pattern.cells = Some(cells(toy, random));
            }
            if random.bool() {
                let number = random.usize(1..3);
                let mut tiles = random.choose_multiple(0..toy.pieces.len(), number);
                tiles.sort_unstable();
                pattern.tiles = Some(tiles);
            }
            if random.u8(..3) == 0 {
                pattern.rotations = Some(vec![0, random.usize(1..3)]);
            }
            if random.bool() && has_backs {
                pattern.is_back = Some(random.bool());
            }
            if random.u8(..3) == 0 {
                pattern.shows = Some((random.usize(..3), random.u8(..3)));
            }
        }
        pattern
    }

    fn text(&self, toy: &Toy) -> String {
        let mut fields = Vec::new();
        if let Some(cells) = &self.cells {
            fields.push(format!("cells: {}", cell_list(toy, cells)));
        }
        if let Some(tiles) = &self.tiles {
            fields.push(format!("tiles: {}", tile_list(tiles)));
        }
        if let Some(rotations) = &self.rotations {
            fields.push(format!("rotations: {rotations:?}"));
        }
        if let Some(is_back) = self.is_back {
            fields.push(format!("face: {}", ["front", "back"][usize::from(is_back)]));
        }
        if let Some((side, image)) = self.shows {
            let side = side_name(toy, side);
            let image = image_name(image);
            fields.push(format!("shows: {{{side}: {image}}}"));
        }
        fields.join(", ")
    }

    /// Returns true if a tile in a cell matches the pattern.
    fn meets(&self, toy: &Toy, cell: usize, lies: &PlacedTile) -> bool {
        fn is_in(list: &Option<Vec<usize>>, one: usize) -> bool {
            list.as_ref().is_none_or(|list| list.contains(&one))
        }
        is_in(&self.cells, cell)
            && is_in(&self.tiles, lies.tile)
            && is_in(&self.rotations, lies.rotation)
            && self.is_back.is_none_or(|is_back| lies.is_back == is_back)
            && self.shows.is_none_or(|(side, image)| {
                let shown = toy.shows(lies);
                shown.get(side).is_some_and(|edge| edge / 3 == image)
            })
    }

    /// The number of placements of an arrangement that match the pattern.
    fn number(&self, toy: &Toy, lies: &[PlacedTile]) -> i64 {
        let placed = lies.iter().enumerate();
        placed.filter(|(cell, lies)| self.meets(toy, *cell, lies)).count() as i64
    }
}

fn image_name(image: u8) -> char {
    char::from(b'a' + image)
}

/// The name of a side: a word for squares if no cell has more sides, otherwise a number.
fn side_name(toy: &Toy, side: usize) -> String {
    match toy.shape.sides.iter().max() {
        Some(4) => ["right", "top", "left", "bottom"][side].into(),
        _ => side.to_string(),
    }
}

fn cells(toy: &Toy, random: &mut Rng) -> Vec<usize> {
    let number = random.usize(1..3);
    let mut cells = random.choose_multiple(0..toy.shape.sides.len(), number);
    cells.sort_unstable();
    cells
}

fn cell_list(toy: &Toy, cells: &[usize]) -> String {
    let names = cells.iter().map(|&cell| &toy.shape.names[cell]);
    format!("[{}]", itertools::join(names, ", "))
}

fn tile_list(tiles: &[usize]) -> String {
    format!("[{}]", itertools::join(tiles.iter().map(|tile| format!("t{tile}")), ", "))
}

/// A random bound as YAML, and a function that checks it.
fn bound(random: &mut Rng, most: i64) -> (String, impl Fn(i64) -> bool + use<>) {
    let number = random.i64(0..=most);
    let kind = random.usize(..3);
    let word = ["at_least", "at_most", "exactly"][kind];
    let holds = move |sum: i64| [sum >= number, sum <= number, sum == number][kind];
    (format!("{word}: {number}"), holds)
}

/// The side of the cell at which side `own` of the tile is placed; sides are numbered as in the
/// file.
fn lies_at(sides: usize, own: usize, lies: &PlacedTile) -> usize {
    let unturned = if !lies.is_back { own } else { (sides / 2 + sides - own) % sides };
    (unturned + lies.rotation) % sides
}

/// Returns true if two tiles touch, with these sides if they are given.
fn touch(toy: &Toy, lies: &[PlacedTile], tiles: [usize; 2], sides: [Option<usize>; 2]) -> bool {
    toy.shape.mates().iter().any(|(here, there)| {
        let ends = [(here, tiles[0], sides[0]), (there, tiles[1], sides[1])];
        ends.into_iter().all(|(&(cell, side), tile, own)| {
            let number = toy.shape.sides[cell];
            lies[cell].tile == tile
                && own.is_none_or(|own| lies_at(number, own, &lies[cell]) == side)
        })
    })
}

/// The images on the rim.
fn rim(toy: &Toy, lies: &[PlacedTile]) -> Vec<u8> {
    let mates = toy.shape.mates();
    let mut images = Vec::new();
    for (cell, lies) in lies.iter().enumerate() {
        for (side, edge) in toy.shows(lies).into_iter().enumerate() {
            if !mates.contains_key(&(cell, side)) {
                images.push(edge / 3);
            }
        }
    }
    images
}

/// A random constraint.
fn draw_constraint(toy: &Toy, random: &mut Rng) -> ConstraintWithMeaning {
    let tile = random.usize(..toy.pieces.len());
    let other = (tile + random.usize(1..toy.pieces.len().max(2))) % toy.pieces.len();
    let pattern = Pattern::new(toy, random);
    let inside = pattern.text(toy);
    match random.u8(..11) {
        0 => {
            let cells = Some(vec![random.usize(..toy.shape.sides.len())]);
            let mut pattern = Pattern { cells: None, ..pattern };
            if pattern.text(toy).is_empty() {
                // A pin of a cell alone is an error.
                pattern.tiles = Some(vec![tile]);
            }
            let pattern = Pattern { cells, ..pattern };
            ConstraintWithMeaning {
                text: format!("pin: {{{}}}", pattern.text(toy)),
                meaning: Box::new(move |toy, lies| pattern.number(toy, lies) > 0),
            }
        }
        1 => {
            let pattern = Pattern { tiles: Some(vec![tile]), ..pattern };
            ConstraintWithMeaning {
                text: format!("pin: {{{}}}", pattern.text(toy)),
                meaning: Box::new(move |toy, lies| pattern.number(toy, lies) > 0),
            }
        }
        2 | 3 => ConstraintWithMeaning {
            text: format!("forbid: {{{inside}}}"),
            meaning: Box::new(move |toy, lies| pattern.number(toy, lies) == 0),
        },
        4 => {
            let (bound, holds) = bound(random, 3);
            ConstraintWithMeaning {
                text: format!("count: {{{inside}, {bound}}}"),
                meaning: Box::new(move |toy, lies| holds(pattern.number(toy, lies))),
            }
        }
        5 => {
            let (bound, holds) = bound(random, 4);
            let weight = random.i64(-2..4);
            let second = Pattern::new(toy, random);
            let text = second.text(toy);
            ConstraintWithMeaning {
                text: format!(
                    "linear: {{terms: [{{weight: 2, {inside}}}, {{weight: {weight}, {text}}}], {bound}}}"
                ),
                meaning: Box::new(move |toy, lies| {
                    holds(2 * pattern.number(toy, lies) + weight * second.number(toy, lies))
                }),
            }
        }
        6 | 7 if other != tile => {
            let sides = [random.usize(..4), random.usize(..4)].map(|s| Some(s).filter(|s| *s < 3));
            let name = |side: Option<usize>| side.map_or("any".into(), |s| side_name(toy, s));
            let first = name(sides[0]);
            let second = name(sides[1]);
            let is_adjacent = random.bool();
            let word = if is_adjacent { "adjacent" } else { "apart" };
            let tiles = tile_list(&[tile, other]);
            ConstraintWithMeaning {
                text: format!("{word}: {{tiles: {tiles}, sides: [{first}, {second}]}}"),
                meaning: Box::new(move |toy, lies| {
                    touch(toy, lies, [tile, other], sides) == is_adjacent
                }),
            }
        }
        8 => {
            let image = random.u8(..2);
            let name = image_name(image);
            match random.u8(..3) {
                0 => ConstraintWithMeaning {
                    text: "rim: {same: true}".into(),
                    meaning: Box::new(|toy, lies| {
                        rim(toy, lies).windows(2).all(|two| two[0] == two[1])
                    }),
                },
                only => ConstraintWithMeaning {
                    text: format!("rim: {{image: {name}, only: {}}}", only == 1),
                    meaning: Box::new(move |toy, lies| {
                        let rim = rim(toy, lies);
                        let all = lies.iter().flat_map(|lies| toy.shows(lies));
                        let number = all.filter(|edge| edge / 3 == image).count();
                        rim.iter().all(|&other| other == image)
                            && (only == 2 || number == rim.len())
                    }),
                },
            }
        }
        9 => {
            let cells = cells(toy, random);
            ConstraintWithMeaning {
                text: format!("region: {{tiles: [t{tile}], only_in: {}}}", cell_list(toy, &cells)),
                meaning: Box::new(move |_, lies| {
                    let mut placed = lies.iter().enumerate();
                    placed.all(|(cell, lies)| lies.tile != tile || cells.contains(&cell))
                }),
            }
        }
        _ => {
            let cells = cells(toy, random);
            let tiles = [tile, other];
            let cells = vec![cells[0]];
            let text = cell_list(toy, &cells);
            ConstraintWithMeaning {
                text: format!("region: {{cells: {text}, only_from: {}}}", tile_list(&tiles)),
                meaning: Box::new(move |_, lies| tiles.contains(&lies[cells[0]].tile)),
            }
        }
    }
}

/// Asserts that all engines find the solutions of brute force that satisfy random constraints.
fn assert_constraints(mut toy: Toy, seed: u64) -> Result<(), TestCaseError> {
    let mut random = Rng::with_seed(seed);
    let mut list: Vec<ConstraintWithMeaning> =
        (0..random.usize(1..4)).map(|_| draw_constraint(&toy, &mut random)).collect();
    let mut free = Vec::new();
    if let (true, false) = (random.bool(), toy.shape.seams.is_empty()) {
        let seam = toy.shape.seams[random.usize(..toy.shape.seams.len())];
        let cells = [seam[0].0, seam[1].0];
        free = toy.shape.seams.clone();
        free.retain(|[a, b]| [a.0, b.0] == cells || [b.0, a.0] == cells);
        let own = usize::from(cells[0] == cells[1]);
        let text = format!("seam: {{cells: {}, fit: free}}", cell_list(&toy, &cells[own..]));
        list.push(ConstraintWithMeaning { text, meaning: Box::new(|_, _| true) });
    }
    toy.constraints = "constraints:\n".into();
    for ConstraintWithMeaning { text, .. } in &list {
        toy.constraints += &format!("  - {text}\n");
    }
    let problem = common::loaded(&toy.yaml(), &[PINNED_TWICE]);
    prop_assume!(problem.is_some());
    let problem = problem.unwrap();
    let brute = toy.brute_force(0, &free, 1_000);
    prop_assume!(brute.is_some());
    let mut brute = brute.unwrap().solutions;
    brute.retain(|lies| list.iter().all(|asked| (asked.meaning)(&toy, lies)));
    let own: Vec<_> = toy.group();
    for symmetry in &problem.group {
        prop_assert!(own.contains(&motion(&toy.shape, symmetry)));
    }
    let group = problem.group.iter().map(|s| motion(&toy.shape, s));
    let classes = toy.classes(&group.collect::<Vec<_>>(), &brute);
    let mut counts = BTreeSet::new();
    let mut engines = searches();
    // Models are slow, especially with many solutions.
    if brute.len() <= 20 && random.u8(..8) == 0 {
        engines.extend(models());
    }
    let mut features = toy.features();
    features.extend((!free.is_empty()).then_some(Feature::FreeSeams));
    for Contender { name, engine } in serving(engines, &problem, &features) {
        let ran = run_engine(&problem, engine.as_ref(), 1)?;
        prop_assert!(
            ran.solutions == brute,
            "{}: {} of {}",
            name,
            ran.solutions.len(),
            brute.len()
        );
        prop_assert_eq!(ran.classes as usize, classes);
        counts.insert(ran.arrangements.len());
    }
    prop_assert_eq!(counts.len(), 1);
    Ok(())
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn constraints_agree_with_their_meaning(toy in toys(), seed in any::<u64>()) {
        assert_constraints(toy, seed)?;
    }
}

/// The least number of broken seams of an arrangement, and all arrangements that have it.
fn best(toy: &Toy) -> Option<(usize, Vec<Vec<PlacedTile>>)> {
    for broken in 0..=toy.shape.seams.len().min(4) {
        let found = toy.brute_force(broken, &[], 2_000)?.solutions;
        if !found.is_empty() {
            return Some((broken, found));
        }
    }
    None
}

fn is_best(toy: &Toy) -> Result<(), TestCaseError> {
    prop_assume!(toy.shape.sides.len() <= 4);
    let best = best(toy);
    prop_assume!(best.is_some());
    let (broken, best) = best.unwrap();
    let problem = loaded(toy);
    let seams = problem.board.required().count();
    let loose = problem.breaking(broken);
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(Propagate), Box::new(Auto)];
    if best.len() / problem.group.len() <= 4 {
        engines.extend(models().into_iter().map(|contender| contender.engine));
    }
    for engine in engines {
        let ran = run_engine(&loose, engine.as_ref(), 1)?;
        prop_assert!(ran.solutions == best, "{} of {}", ran.solutions.len(), best.len());
    }
    let one = Limits { distinct: 1, ..Limits::default() };
    let milp = Milp::default();
    for engine in [&Auto as &dyn Engine, &milp] {
        let mut kept = Kept::default();
        let optimum = optimise::run(&Optimisation::best(&problem), engine, &one, &mut kept);
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(optimum.value, Some((seams - broken) as i64));
        prop_assert!(best.contains(&kept.0.expect("one")));
    }
    Ok(())
}

/// Keeps the last arrangement that it receives.
#[derive(Default)]
struct Kept(Option<Vec<PlacedTile>>);

impl Listener for Kept {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.0 = Some(to_placed_tiles(&found.distinct.arrangement));
        ControlFlow::Continue(())
    }
}

proptest! {
    #![proptest_config(config(30))]

    #[test]
    fn the_best_agree_with_brute_force(toy in toys()) {
        is_best(&toy)?;
    }
}

proptest! {
    #![proptest_config(config(60))]

    #[test]
    fn regions_find_all_arrangements_that_break_few_seams(toy in toys(), broken in 1usize..5) {
        let problem = loaded(&toy).breaking(broken);
        let few = Limits { distinct: 200, nodes: Some(20_000), ..Limits::default() };
        let known = enumerated(&problem, &Propagate, &few);
        prop_assume!(known.status.is_complete());
        let known = run_engine(&problem, &Propagate, 1)?;
        for threads in [1, 3] {
            let found = run_engine(&problem, &Regions, threads)?;
            prop_assert!(found.solutions == known.solutions, "{} threads", threads);
            prop_assert_eq!(found.classes, known.classes);
        }
    }
}

/// The numbers of solutions, classes and distinct arrangements, unless there are very many.
fn counts(toy: &Toy) -> Option<Tally> {
    let limits = Limits { distinct: 3_000, ..Limits::default() };
    let outcome = enumerated(&loaded(toy), &Propagate, &limits);
    outcome.status.is_complete().then_some(outcome.tally)
}

/// The same puzzle written differently: tiles in another order, each rotated and possibly turned
/// over in the list, and images renamed with halves exchanged.
fn rewritten(toy: &Toy, random: &mut Rng) -> Toy {
    let mut toy = toy.clone();
    let mut images: Vec<u8> = (0..8).collect();
    random.shuffle(&mut images);
    let swaps: Vec<bool> = (0..8).map(|_| random.bool()).collect();
    let renamed = |edge: &mut u8| {
        let image = usize::from(*edge / 3);
        let half = *edge % 3;
        if image < images.len() {
            let half = if swaps[image] { [0, 2, 1][usize::from(half)] } else { half };
            *edge = 3 * images[image] + half;
        }
    };
    for piece in &mut toy.pieces {
        let is_back = piece.back.is_some() && random.bool();
        let by = if toy.may_turn { random.usize(..piece.front.len()) } else { 0 };
        // If all tiles are listed with their backs up, `flip: mirror` still holds.
        *piece = piece.listed(is_back, by);
        piece.front.iter_mut().for_each(renamed);
        if let Some(back) = &mut piece.back {
            back.iter_mut().for_each(renamed);
        }
    }
    random.shuffle(&mut toy.pieces);
    toy
}

proptest! {
    #![proptest_config(config(150))]

    #[test]
    fn counts_do_not_depend_on_how_a_puzzle_is_written(toy in toys(), seed in any::<u64>()) {
        let before = counts(&toy);
        prop_assume!(before.is_some());
        let mut random = Rng::with_seed(seed);
        for _ in 0..3 {
            prop_assert_eq!(&counts(&rewritten(&toy, &mut random)), &before);
        }
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// A constraint that treats all cells and rotations alike preserves all symmetries.
    #[test]
    fn constraints_on_the_whole_board_keep_its_group(toy in toys()) {
        let own: BTreeSet<_> = toy.group().into_iter().collect();
        for list in [
            "rim: {image: a}",
            "rim: {image: a, only: true}",
            "rim: {same: true}",
            "count: {tiles: [t0], at_most: 1}",
            "region: {tiles: [t0], only_in: all}",
            "use: {tiles: [t0]}",
        ] {
            let constraints = format!("constraints: [{list}]\n");
            let problem = loaded(&Toy { constraints, ..toy.clone() });
            let moved = problem.group.iter().map(|symmetry| motion(&toy.shape, symmetry));
            prop_assert_eq!(&moved.collect::<BTreeSet<_>>(), &own, "{}", list);
        }
    }
}

/// A planted puzzle with so many images that hardly any other arrangement fits.
fn solid(shape: Shape, order: usize, images: u8, engines: &[&str]) {
    let draw = Draw {
        images,
        backs: Backs::None,
        may_turn: true,
        has_border: false,
        spare: 0,
        is_planted: true,
    };
    for seed in 0..3 {
        let toy = Toy::new(shape.clone(), &draw, &mut Rng::with_seed(seed));
        let problem = loaded(&toy);
        assert_eq!(problem.group.len(), order);
        let planted = toy.planted.as_ref().unwrap();
        assert!(check(&problem, &crate::common::shapes::arrangement(planted)).is_ok());
        let mut first: Option<Vec<Vec<PlacedTile>>> = None;
        for Contender { name, engine } in searches().into_iter().chain(models()) {
            if !engines.contains(&name.as_str()) {
                continue;
            }
            let ran = run_engine(&problem, engine.as_ref(), 2).unwrap();
            assert!(ran.solutions.contains(planted), "{name}");
            assert_eq!(ran.classes as usize * order, ran.solutions.len());
            let solutions = first.get_or_insert(ran.solutions.clone());
            assert!(ran.solutions == *solutions, "{name}");
        }
    }
}

#[test]
fn planted_solids_are_solved() {
    let own = |solid: Solid| {
        let board = Board::solid(solid);
        let sides: Vec<usize> = board.cells().iter().map(|cell| cell.sides).collect();
        let seams = board.seams().iter().map(|seam| [seam.first, seam.second]);
        Shape {
            yaml: solid.name().into(),
            names: Vec::new(),
            sides,
            seams: seams.collect(),
            rectangle: None,
        }
    };
    let all = ["milp", "propagate", "backtrack", "plain-rows", "plain-spiral", "scan-rows", "auto"];
    solid(Shape::tetrahedron(), 12, 3, &all);
    solid(Shape::cube(), 24, 5, &all);
    solid(own(Solid::Octahedron), 24, 5, &all[1..]);
    solid(own(Solid::Dodecahedron), 60, 9, &all[1..]);
    solid(own(Solid::Icosahedron), 60, 8, &["propagate", "backtrack", "auto"]);
}

/// Around each corner of a solid, the right number of faces meet, each adjacent to the next one
/// counter-clockwise. By Euler's formula, no other board has this property.
#[test]
fn faces_meet_at_the_corners_of_solids() {
    for (solid, faces, sides, at_corner) in [
        (Solid::Tetrahedron, 4, 3, 3),
        (Solid::Cube, 6, 4, 3),
        (Solid::Octahedron, 8, 3, 4),
        (Solid::Dodecahedron, 12, 5, 3),
        (Solid::Icosahedron, 20, 3, 5),
    ] {
        let board = Board::solid(solid);
        let touching = board.seams().iter();
        let mates: BTreeMap<_, _> = touching
            .flat_map(|seam| [(seam.first, seam.second), (seam.second, seam.first)])
            .collect();
        assert_eq!((board.size(), mates.len()), (faces, faces * sides));
        let mut seen = BTreeSet::new();
        let mut corners = 0;
        for &start in mates.keys() {
            if !seen.insert(start) {
                continue;
            }
            let mut round = 1;
            let next = |(cell, side)| {
                let (beside, its_side) = mates[&(cell, side)];
                (beside, (its_side + 1) % sides)
            };
            let mut at = next(start);
            while at != start {
                assert!(seen.insert(at));
                round += 1;
                at = next(at);
            }
            assert_eq!(round, at_corner, "{solid:?}");
            corners += 1;
        }
        let edges = mates.len() / 2;
        assert_eq!(corners + faces, edges + 2, "{solid:?}");
        assert_eq!(board.pieces().len(), 1);
    }
}

proptest! {
    #![proptest_config(config(100))]

    /// There is a possible node for each way to place a number of tiles, whether they match or not.
    /// Without symmetries, the first tile, too, is placed in every orientation.
    #[test]
    fn possible_nodes_are_the_ways_to_place_tiles(toy in toys()) {
        let problem = loaded(&toy);
        prop_assume!(toy.shape.sides.len() <= 4 && problem.group.len() == 1);
        prop_assume!(!problem.puzzle.has_copies());
        let order = Order::Rows;
        let possible = Backtrack::Scan(order).possible(&problem, &CancelToken::never());
        let possible = possible.continue_value().unwrap();
        let mut loose = toy.clone();
        loose.shape.seams.clear();
        loose.has_border = false;
        let last = loose.brute_force(0, &[], 200_000);
        prop_assume!(last.is_some());
        let ways = last.unwrap().solutions.len();
        prop_assert_eq!(possible.last().unwrap(), &ways.into());
    }
}

/// The symmetries are the same whether the file has the key `flip` or lists the same backs.
#[test]
fn listed_backs_are_equivalent_to_a_flip_rule() {
    const TILES: [[&str; 4]; 4] = [
        ["a-", "c+", "a+", "b+"],
        ["a+", "b-", "b-", "b-"],
        ["d", "b-", "a-", "a+"],
        ["b-", "a+", "b-", "b-"],
    ];
    for flip in Flip::ALL {
        let edge = |edge: &str| match (flip, edge.split_at_checked(1)) {
            (Flip::Reverse, Some((image, "+"))) => format!("{image}-"),
            (Flip::Reverse, Some((image, "-"))) => format!("{image}+"),
            _ => edge.to_owned(),
        };
        let builder = Problem::builder("square").with_board(Board::grid(2, 2));
        let [mut by_rule, mut by_hand] = [builder.clone().with_flip(flip), builder];
        for (name, front) in TILES.into_iter().enumerate() {
            let [right, top, left, bottom] = front.map(edge);
            by_rule = by_rule.tile(name.to_string(), front);
            by_hand = by_hand.two_sided_tile(
                name.to_string(),
                front.map(str::to_owned),
                [left, top, right, bottom],
            );
        }
        let [by_rule, by_hand] = [by_rule, by_hand].map(|builder| builder.build().unwrap());
        let form = load::PuzzleFormat::named("yaml").unwrap();
        let written = |problem: &Problem| form.write(problem, None).unwrap().text;
        let text = written(&by_hand);
        assert_eq!(written(&by_rule), text);
        assert!(text.contains(&format!("flip: {}", flip.name())), "{text}");
        assert_eq!([by_rule.group.len(), by_hand.group.len()], [8, 8]);
        // If all arrangements count as different, no symmetry is used.
        let plain = edgematch::solve(&by_hand.with_all_distinguished()).outcome.tally;
        let tally = edgematch::solve(&by_rule).outcome.tally;
        assert_eq!(tally.solutions, plain.solutions);
        assert_eq!(tally.classes, plain.solutions / 8u32);
    }
}

/// On the back, corners are in reverse order, and the edges between them are mirrored.
#[test]
fn coloured_corners_are_reversed_on_the_back() {
    let read = |yaml: &str| load::from_str(yaml).unwrap().into_parts().puzzle.tiles;
    let by_rule = read("board: {grid: [1, 1]}\nflip: reverse\ntiles: {1: {corners: [a, b, c, d]}}");
    let by_hand = read(
        "board: {grid: [1, 1]}\ntiles: {1: {corners: [a, b, c, d], back: {corners: [d, c, b, a]}}}",
    );
    assert_eq!(by_rule, by_hand);
}

/// The constraint refers to one cell. The other piece of the board can be turned over
/// independently, so tiles there look the same in orientations that the constraint distinguishes.
#[test]
fn constraints_on_one_piece_keep_symmetries_of_another() {
    let yaml = "board: {cells: {c0: 4, c1: 4, c2: 4, c3: 6}, seams:
        [[c2, 3, c2, 1], [c3, 0, c3, 2], [c0, 3, c1, 3], [c3, 3, c1, 1], [c3, 1, c1, 0]]}
border: x
flip: mirror
tiles: {t0: [x, a, x, a], t1: [a, x, x, a, a, a], t2: [x, x, x, a], t3: [a, x, a, a]}
constraints: [{count: {cells: [c0], rotations: [0, 1], face: back, at_most: 0}}]";
    let problem = load::from_str(yaml).unwrap();
    let contenders = searches().into_iter().chain(models()).collect();
    for Contender { engine, .. } in serving(contenders, &problem, &[Feature::NoRectangle]) {
        let ran = run_engine(&problem, engine.as_ref(), 1).unwrap();
        assert_eq!((ran.solutions.len(), ran.classes), (16, 4));
    }
}
