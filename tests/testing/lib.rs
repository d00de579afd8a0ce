//! Shared test code: known counts, generated puzzles, and a brute force that is independent of
//! kinds, tables and domains.

#![allow(missing_docs, reason = "only our tests use it")]

pub mod boards;
pub mod drawn;
pub mod generated;
pub mod shapes;

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use edgematch::engine::{Contender, ENGINES, Engine, Options, Value};
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::{Label, Labels, Orientation};

/// The root folder of the project.
pub const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Reads a file of the project as a puzzle.
pub fn read(path: &str) -> Problem {
    load::read(&Path::new(ROOT).join(path)).unwrap()
}

/// Reads a puzzle of the folder `puzzles` by name.
pub fn problem(name: &str) -> Problem {
    read(&format!("puzzles/{name}.yaml"))
}

/// Every engine in each variant that is listed, and with each of its flags.
pub fn every_engine() -> Vec<Contender> {
    let mut all: Vec<Contender> = Vec::new();
    for kind in ENGINES {
        all.extend(kind.contenders());
        let options = kind.options.iter();
        for flag in options.filter(|option| matches!(option.value, Value::Flag)) {
            let told = Options::default().flag(flag.name);
            let engine = kind.make(&told).unwrap();
            let how = (engine.name(), engine.variant());
            let is_same = |c: &Contender| (c.engine.name(), c.engine.variant()) == how;
            if !all.iter().any(is_same) {
                let name = format!("{}-{}", kind.name, flag.name);
                all.push(Contender { name, engine });
            }
        }
    }
    all
}

/// A property of problems that some engines do not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feature {
    /// The board is not a rectangle of squares with at least two rows and columns.
    NoRectangle,
    /// Some seams need not match.
    FreeSeams,
    /// Some seams may be broken, up to a maximum.
    BrokenSeams,
    /// Some edges or corners are unknown.
    UnknownEdges,
    /// Some images match others than themselves.
    Matches,
    /// There are more than a thousand labels.
    ManyLabels,
    /// There are more than three million placements of single tiles.
    ManyPlacements,
}

impl Feature {
    /// The features of a grid with these numbers of rows and columns.
    pub fn of_grid((rows, columns): (usize, usize)) -> Vec<Feature> {
        let is_narrow = rows.min(columns) < 2;
        is_narrow.then_some(Feature::NoRectangle).into_iter().collect()
    }
}

/// The engines, or variants of engines, that reject problems with each feature. There are no other
/// reasons for rejection.
const REFUSALS: [(Feature, &[&str]); 7] = [
    (Feature::NoRectangle, &["corners"]),
    (Feature::FreeSeams, &["corners"]),
    (Feature::BrokenSeams, &["corners", "backtrack", "xcc"]),
    (Feature::UnknownEdges, &["corners", "plain"]),
    (Feature::Matches, &["corners", "plain", "xcc"]),
    (Feature::ManyLabels, &["propagate", "milp"]),
    (Feature::ManyPlacements, &["xcc"]),
];

/// The contenders that support a problem with these features.
///
/// # Panics
/// If one rejects a problem that it should support, or the reverse.
pub fn serving(
    mut contenders: Vec<Contender>,
    problem: &Problem,
    features: &[Feature],
) -> Vec<Contender> {
    contenders.retain(|Contender { name, engine }| {
        let variant = engine.variant();
        let words: Vec<&str> = variant.split(' ').chain([engine.name()]).collect();
        let mut refused = REFUSALS.iter().filter(|(odd, _)| features.contains(odd));
        let must_refuse = refused.any(|(_, by)| by.iter().any(|word| words.contains(word)));
        let served = engine.serves(problem);
        assert_eq!(
            served.is_err(),
            must_refuse,
            "{name} on {} with {features:?}: {served:?}",
            problem.board.description()
        );
        !must_refuse
    });
    contenders
}

/// The loader's message about a cell that is pinned twice.
pub const PINNED_TWICE: &str = "is pinned twice";

/// Loads a puzzle that a test has drawn; `None` if the loader rejects it with one of these
/// messages.
///
/// # Panics
/// If the loader rejects it for another reason.
pub fn loaded(yaml: &str, allowed: &[&str]) -> Option<Problem> {
    match load::from_str(yaml) {
        Ok(problem) => Some(problem),
        Err(error) if allowed.iter().any(|words| error.message.contains(words)) => None,
        Err(error) => panic!("{}\n{yaml}", error.render()),
    }
}

/// Runs an engine for all solutions, under limits.
pub fn enumerated(problem: &Problem, engine: &dyn Engine, limits: &Limits<'_>) -> Outcome {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    enumerate::run(problem, engine, limits, ignore)
}

/// Runs an engine for all solutions, and asserts that it completes.
pub fn complete(problem: &Problem, engine: &dyn Engine) -> Outcome {
    let outcome = enumerated(problem, engine, &Limits::default());
    let status = &outcome.status;
    assert!(status.is_complete(), "{}: {status:?}", engine.name());
    outcome
}

/// The engines that do not solve a model.
pub fn searches() -> Vec<Contender> {
    let all = every_engine().into_iter();
    all.filter(|c| c.engine.name() != "milp").collect()
}

/// The known counts of a puzzle: solutions, classes, distinct.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    pub solutions: u64,
    pub classes: u64,
    pub distinct: u64,
}

/// The names of all puzzles in `tests/expected.yaml`, with their counts if known.
pub fn expected() -> Vec<(String, Option<Counts>)> {
    let path = Path::new(ROOT).join("tests/expected.yaml");
    let file: serde_yaml::Mapping =
        serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    file.iter()
        .map(|(name, entry)| {
            let number = |key: &str| entry[key].as_u64();
            let counts = number("solutions").map(|solutions| Counts {
                solutions,
                classes: number("classes").unwrap(),
                distinct: number("distinct").unwrap(),
            });
            (name.as_str().unwrap().to_owned(), counts)
        })
        .collect()
}

/// The result of [`brute_force`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brute {
    /// All solutions, in which every tile counts as different.
    pub solutions: Vec<Arrangement>,
    /// Distinct arrangements: for each, the labels that each cell shows, as the smallest over all
    /// rotations of the board.
    pub distinct: BTreeSet<Vec<Vec<Label>>>,
    /// The number of labelled solutions up to rotations of the board.
    pub classes: usize,
}

/// All solutions of a problem on a grid of squares without constraints, found by trying every tile
/// in every rotation in every cell. Uses no kinds, tables or domains of the library.
pub fn brute_force(problem: &Problem) -> Brute {
    brute_force_within(problem, usize::MAX).expect("there is no limit")
}

/// Like [`brute_force`], but returns `None` if there are more than `most` solutions.
pub fn brute_force_within(problem: &Problem, most: usize) -> Option<Brute> {
    let solutions = brute_force_freed(problem, &[], most)?;
    let turns = turns(problem);
    let smallest = |picture: Vec<Vec<Label>>| {
        turns.iter().map(|&turn| turned(problem, &picture, turn)).min().unwrap()
    };
    let distinct = solutions.iter().map(|s| smallest(picture(problem, s)));
    Some(Brute { distinct: distinct.collect(), classes: solutions.len() / turns.len(), solutions })
}

/// The solutions if the seams between these pairs of cells need not match; `None` if there are more
/// than `most`.
pub fn brute_force_freed(
    problem: &Problem,
    free: &[[usize; 2]],
    most: usize,
) -> Option<Vec<Arrangement>> {
    let rules = Rules { free, most_broken: 0, most };
    let mut solutions = Vec::new();
    fill(problem, &rules, (&mut Vec::new(), 0), &mut solutions)?;
    Some(solutions)
}

/// The least number of broken seams of an arrangement, and all arrangements that have it; `None` if
/// the border rules out every arrangement.
pub fn brute_force_best(problem: &Problem) -> Option<(usize, Vec<Arrangement>)> {
    let broken = 0..=problem.board.seams().len();
    broken
        .map(|most_broken| {
            let rules = Rules { free: &[], most_broken, most: usize::MAX };
            let mut best = Vec::new();
            fill(problem, &rules, (&mut Vec::new(), 0), &mut best);
            (most_broken, best)
        })
        .find(|(_, best)| !best.is_empty())
}

/// What brute force allows.
struct Rules<'a> {
    /// Pairs of cells whose seams need not match.
    free: &'a [[usize; 2]],
    /// The maximum number of other seams that may be broken.
    most_broken: usize,
    /// The number of solutions after which it gives up.
    most: usize,
}

/// The labels that each cell shows, counter-clockwise from the right.
pub fn picture(problem: &Problem, arrangement: &Arrangement) -> Vec<Vec<Label>> {
    let value = |p: &Placed| problem.puzzle.tiles[p.tile].edges_in(p.orientation);
    arrangement.0.iter().map(value).collect()
}

/// The smallest picture of an arrangement over all rotations of the board.
pub fn smallest_picture(problem: &Problem, arrangement: &Arrangement) -> Vec<Vec<Label>> {
    let picture = picture(problem, arrangement);
    let all = turns(problem).into_iter();
    all.map(|turn| turned(problem, &picture, turn)).min().unwrap()
}

/// The rows and columns of the board.
fn size(problem: &Problem) -> (usize, usize) {
    let columns = problem.board.lines()[0].len();
    (problem.board.size() / columns, columns)
}

/// The rotations of the board, in quarter turns.
fn turns(problem: &Problem) -> Vec<usize> {
    let (rows, columns) = size(problem);
    match (problem.puzzle.may_turn, rows == columns) {
        (false, _) => vec![0],
        (true, true) => vec![0, 1, 2, 3],
        (true, false) => vec![0, 2],
    }
}

/// Rotates the picture of a board by quarter turns counter-clockwise.
fn turned(problem: &Problem, picture: &[Vec<Label>], quarter_turns: usize) -> Vec<Vec<Label>> {
    let (mut rows, mut columns) = size(problem);
    let mut picture = picture.to_vec();
    for _ in 0..quarter_turns {
        let mut next = vec![Vec::new(); picture.len()];
        for row in 0..rows {
            for column in 0..columns {
                let mut value = picture[row * columns + column].clone();
                value.rotate_right(1);
                next[(columns - 1 - column) * rows + row] = value;
            }
        }
        picture = next;
        (rows, columns) = (columns, rows);
    }
    picture
}

/// Returns true if two labels fit by the lists of the key `matches`; without one, if they are mates.
pub fn fits(labels: &Labels, one: Label, other: Label) -> bool {
    let lists: Vec<_> = labels.matches().collect();
    let lists_other = |a, b| lists.iter().any(|(label, all)| *label == a && all.contains(&b));
    if lists.iter().any(|(label, _)| [one, other].contains(label)) {
        lists_other(one, other) || lists_other(other, one)
    } else {
        labels.mate(one) == other
    }
}

/// Fills the remaining cells in every way and adds the arrangements to `solutions`; `None` if there
/// are more than `rules.most`. `placed` has the tiles so far, with `broken` broken seams.
fn fill(
    problem: &Problem,
    rules: &Rules<'_>,
    (placed, broken): (&mut Vec<Placed>, usize),
    solutions: &mut Vec<Arrangement>,
) -> Option<()> {
    let (rows, columns) = size(problem);
    let cell = placed.len();
    if cell == rows * columns {
        solutions.push(Arrangement(placed.clone()));
        return (solutions.len() <= rules.most).then_some(());
    }
    let puzzle = &problem.puzzle;
    let row = cell / columns;
    let column = cell % columns;
    let rotations = if puzzle.may_turn { 4 } else { 1 };
    let is_free =
        |other: usize| rules.free.contains(&[other, cell]) || rules.free.contains(&[cell, other]);
    for tile in 0..puzzle.tiles.len() {
        if placed.iter().any(|p| p.tile == tile) {
            continue;
        }
        for orientation in (0..rotations).map(Orientation::turned) {
            let shows = |side: usize| puzzle.tiles[tile].shows(side, orientation);
            let is_broken = |cell: usize, side: usize, own: usize| {
                let p: Placed = placed[cell];
                let shown = puzzle.tiles[p.tile].shows(side, p.orientation);
                !fits(&puzzle.labels, shown, shows(own))
            };
            let on_rim = [column + 1 == columns, row == 0, column == 0, row + 1 == rows];
            let border_fits = puzzle.border.is_none()
                || (0..4).all(|side| (puzzle.border == Some(shows(side))) == on_rim[side]);
            let breaks_left = column > 0 && !is_free(cell - 1) && is_broken(cell - 1, 0, 2);
            let breaks_upper =
                row > 0 && !is_free(cell - columns) && is_broken(cell - columns, 3, 1);
            let broken = broken + usize::from(breaks_left) + usize::from(breaks_upper);
            if border_fits && broken <= rules.most_broken {
                placed.push(Placed { tile, orientation });
                fill(problem, rules, (placed, broken), solutions)?;
                placed.pop();
            }
        }
    }
    Some(())
}
