//! Randomly drawn constraints, alone and nested.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use edgematch::engine::Engine;
use edgematch::enumerate::solution::expand;
use edgematch::enumerate::{self, Limits, NewSolution, RunStatus};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use proptest::prelude::*;

use super::generated::{Generated, planted, random};
use super::{PINNED_TWICE, brute_force_freed, loaded};

/// Board sizes that are small enough for brute force.
pub const SIZES: &[(usize, usize)] = &[(1, 2), (1, 3), (2, 2), (2, 2), (2, 3), (3, 2)];

/// A random sequence of numbers that determines a constraint; it is repeated if it is too short.
#[derive(Debug, Clone)]
pub struct Draws {
    numbers: Vec<usize>,
    next: usize,
    /// The images of the puzzle.
    images: Vec<String>,
}

/// A strategy for random sequences of 40 numbers.
pub fn draws() -> impl Strategy<Value = Draws> {
    proptest::collection::vec(0..10_000usize, 40).prop_map(Draws::new)
}

impl Draws {
    /// Creates a sequence from these numbers.
    pub fn new(numbers: Vec<usize>) -> Draws {
        Draws { numbers, next: 0, images: Vec::new() }
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        let number = self.numbers[self.next % self.numbers.len()];
        self.next += 1;
        number % end
    }

    /// One of these words.
    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len())]
    }

    fn tile(&mut self, tiles: usize) -> String {
        format!("t{}", self.below(tiles))
    }

    fn tiles(&mut self, tiles: usize) -> String {
        let number = 1 + self.below(tiles.min(3));
        let some: BTreeSet<String> = (0..number).map(|_| self.tile(tiles)).collect();
        format!("[{}]", itertools::join(some, ", "))
    }

    fn cell(&mut self, (rows, columns): (usize, usize)) -> String {
        format!("[{}, {}]", 1 + self.below(rows), 1 + self.below(columns))
    }

    fn cells(&mut self, size: (usize, usize)) -> String {
        match self.below(12) {
            0 => "all".into(),
            1 => "corners".into(),
            2 => "border".into(),
            3 => format!("row {}", 1 + self.below(size.0)),
            4 => format!("{{column: {}}}", 1 + self.below(size.1)),
            5 => format!("[{}, {}]", self.cell(size), self.cell(size)),
            6 => self.of(&["white", "black"]).into(),
            7 => format!("{{neighbours of: {}}}", self.cell(size)),
            8 => format!("{{difference: [all, {}]}}", self.cell(size)),
            9 => format!("rows 1..{}", 1 + self.below(size.0)),
            _ => self.cell(size),
        }
    }

    /// An image, which may not occur in the puzzle.
    fn image(&mut self) -> String {
        let place = self.below(self.images.len() + 1);
        self.images.get(place).map_or("nowhere", String::as_str).to_owned()
    }

    fn shows(&mut self) -> String {
        let side = self.of(&["right", "top", "left", "bottom"]);
        format!("{{{side}: {}}}", self.image())
    }

    /// The fields of a pattern, at least one, as YAML.
    fn pattern(&mut self, size: (usize, usize), tiles: usize) -> String {
        let mut fields = Vec::new();
        while fields.is_empty() {
            if self.below(2) == 0 {
                fields.push(format!("cells: {}", self.cells(size)));
            }
            if self.below(2) == 0 {
                fields.push(format!("tiles: {}", self.tiles(tiles)));
            }
            if self.below(3) == 0 {
                fields.push(format!("rotations: [0, {}]", self.below(4)));
            }
            if self.below(3) == 0 {
                fields.push(format!("shows: {}", self.shows()));
            }
        }
        fields.join(", ")
    }

    fn bounds(&mut self, most: usize) -> String {
        let number = self.below(most + 1);
        match self.below(4) {
            0 => format!("at_least: {number}"),
            1 => format!("at_most: {number}"),
            2 => format!("exactly: {number}"),
            _ => format!("at_least: {}, at_most: {}", number.min(1), number.max(1)),
        }
    }

    /// A constraint as YAML. The second value is `None`, because no seam is freed; see
    /// [`Draws::seam`].
    pub fn constraint(&mut self, of: &Generated) -> (String, Option<[usize; 2]>) {
        let (size, tiles) = (of.size(), of.tiles());
        self.images = of.images();
        let pair = |draws: &mut Draws| {
            let first = draws.below(tiles);
            let second = (first + 1 + draws.below(tiles - 1)) % tiles;
            format!("[t{first}, t{second}]")
        };
        let text = match self.below(20) {
            0 => format!("pin: {{cell: {}, tile: {}}}", self.cell(size), self.tile(tiles)),
            1 => format!("pin: {{tile: {}, rotation: {}}}", self.tile(tiles), self.below(2)),
            2 => format!("pin: {{cell: {}, shows: {}}}", self.cell(size), self.shows()),
            3 => format!("forbid: {{{}}}", self.pattern(size, tiles)),
            4 => format!(
                "rotations: {{tiles: {}, rotations: [0, {}]}}",
                self.tiles(tiles),
                self.below(4)
            ),
            5 => format!("region: {{tiles: {}, only_in: {}}}", self.tiles(tiles), self.cells(size)),
            6 => {
                format!("region: {{cells: {}, only_from: {}}}", self.cell(size), self.tiles(tiles))
            }
            7 => {
                let sides = ["", ", sides: [right, any]", ", sides: [top, left]"];
                format!("adjacent: {{tiles: {}{}}}", pair(self), self.of(&sides))
            }
            8 => {
                let sides = ["", ", sides: [any, bottom]", ", sides: [top, left]"];
                format!("apart: {{tiles: {}{}}}", pair(self), self.of(&sides))
            }
            9 => {
                let image = self.image();
                match self.below(3) {
                    0 => "rim: {same: true}".to_owned(),
                    1 => format!("rim: {{image: {image}}}"),
                    _ => format!("rim: {{image: {image}, only: true}}"),
                }
            }
            10 => {
                let pattern = self.pattern(size, tiles);
                format!("count: {{{pattern}, {}}}", self.bounds(size.0 * size.1))
            }
            11 => {
                let weights = ["1", "2", "-1", "-3", "1001", "1000000000"];
                let terms: Vec<String> = (0..1 + self.below(3))
                    .map(|_| {
                        let weight = self.of(&weights);
                        format!("{{weight: {weight}, {}}}", self.pattern(size, tiles))
                    })
                    .collect();
                format!("linear: {{terms: [{}], {}}}", terms.join(", "), self.bounds(4))
            }
            12 => {
                let of = self.of(&["rotation", "{t0: 2, t1: -1}"]);
                format!("sum: {{cells: {}, of: {of}, {}}}", self.cells(size), self.bounds(4))
            }
            13 => {
                let kind = self.of(&["all_different", "all_equal"]);
                let of = self.of(&["rotation", "{t0: 2, t1: -1}", "top", "left"]);
                format!("{kind}: {{cells: {}, of: {of}}}", self.cells(size))
            }
            14 => {
                let of = self.of(&["rotation", "{t0: 2, t1: -1}", "right"]);
                let lines = self.of(&["[all, turned 2]", "[mirrored left-right, all]"]);
                format!("lex: {{lines: {lines}, of: {of}, strict: {}}}", self.below(2) == 0)
            }
            15 => {
                let kind = self.of(&["left_of", "above"]);
                let immediate = self.of(&["", ", immediate: true"]);
                format!("{kind}: {{tiles: {}{immediate}}}", pair(self))
            }
            16 => self.repeated(size, tiles),
            _ => {
                let what = self.of(&["tiles", "without"]);
                format!("use: {{{what}: {}}}", self.tiles(tiles))
            }
        };
        (text, None)
    }

    /// A constraint that is repeated for values of variables, as YAML.
    fn repeated(&mut self, size: (usize, usize), tiles: usize) -> String {
        let number = self.below(3);
        match self.below(5) {
            0 => {
                format!(
                    "for: {{row: vr}}, count: {{cells: row vr, rotation: 0, at_most: {number}}}"
                )
            }
            1 => "for: {seam: [v1, v2]}, all_different: {cells: [v1, v2], of: rotation}".to_owned(),
            2 => {
                let cells = self.cells(size);
                format!(
                    "for: {{rotation: vk}}, where: vk != {number}, count: {{cells: {cells}, rotation: vk, at_most: 1}}"
                )
            }
            3 => {
                let tile = self.tile(tiles);
                format!(
                    "for: {{tile: vt}}, where: vt != {tile}, forbid: {{tile: vt, rotation: {number}}}"
                )
            }
            _ => format!(
                "for: {{cell: vc, image: vi}}, where: vc.row + vc.column = 3, count: {{cell: vc, shows: {{top: vi}}, at_most: {}}}",
                number % 2
            ),
        }
    }

    /// A constraint that is checked on whole arrangements, as YAML.
    pub fn lazy(&mut self, of: &Generated) -> String {
        self.images = of.images();
        if self.below(2) == 0 {
            return format!("connected: {{{}}}", self.pattern(of.size(), of.tiles()));
        }
        let kind = self.of(&["acyclic", "tree", "loop", "path"]);
        format!("{kind}: {}", self.image())
    }

    /// A constraint that frees a seam, as YAML, and the two cells of the seam.
    pub fn seam(&mut self, (rows, columns): (usize, usize)) -> (String, Option<[usize; 2]>) {
        let row = self.below(rows);
        let column = self.below(columns);
        let other = match column + 1 < columns {
            true => (row, column + 1),
            false if row + 1 < rows => (row + 1, column),
            false => (row, column - 1),
        };
        let name = |(row, column): (usize, usize)| format!("[{}, {}]", row + 1, column + 1);
        let text =
            format!("seam: {{cells: [{}, {}], fit: free}}", name((row, column)), name(other));
        let index = |(row, column): (usize, usize)| row * columns + column;
        (text, Some([index((row, column)), index(other)]))
    }

    /// A constraint with nested ones, up to this depth.
    pub fn nested(&mut self, of: &Generated, depth: usize) -> DrawnConstraint {
        if depth == 0 || self.below(4) == 0 {
            let text = match self.below(6) {
                0 => self.lazy(of),
                _ => self.constraint(of).0,
            };
            // In a list, copies would count as several constraints.
            let is_repeated = text.starts_with("for: ");
            let text = if is_repeated { format!("all: [{{{text}}}]") } else { text };
            return DrawnConstraint::Plain(text);
        }
        let what = self.of(&["any", "all", "not", "if", "exactly", "at_least", "at_most"]);
        let parts = match what {
            "not" => 1,
            "if" => 2 + self.below(2),
            _ => 1 + self.below(3),
        };
        let number = self.below(parts + 1);
        let parts = (0..parts).map(|_| self.nested(of, depth - 1));
        DrawnConstraint::Logic(what, number, parts.collect())
    }
}

/// A constraint that can be nested.
#[derive(Debug, Clone)]
pub enum DrawnConstraint {
    /// A constraint without nested ones, as YAML.
    Plain(String),
    /// A logical combination: its kind, its `number`, and its parts.
    Logic(&'static str, usize, Vec<DrawnConstraint>),
}

impl DrawnConstraint {
    /// The constraint as in a file, without the surrounding braces.
    pub fn text(&self) -> String {
        let braced = |asked: &DrawnConstraint| format!("{{{}}}", asked.text());
        match self {
            DrawnConstraint::Plain(text) => text.clone(),
            DrawnConstraint::Logic("not", _, parts) => format!("not: {}", braced(&parts[0])),
            DrawnConstraint::Logic("if", _, parts) => {
                let keys = ["if", "then", "else"].iter().zip(parts);
                itertools::join(keys.map(|(key, part)| format!("{key}: {}", braced(part))), ", ")
            }
            DrawnConstraint::Logic(what, number, parts) => {
                let list = itertools::join(parts.iter().map(braced), ", ");
                match *what {
                    "any" | "all" => format!("{what}: [{list}]"),
                    _ => format!("{what}: {{number: {number}, of: [{list}]}}"),
                }
            }
        }
    }

    /// Evaluates the constraint with an independent implementation of the logic; `of_plain`
    /// evaluates plain constraints.
    pub fn holds(&self, of_plain: &mut dyn FnMut(&str) -> bool) -> bool {
        let (what, number, parts) = match self {
            DrawnConstraint::Plain(text) => return of_plain(text),
            DrawnConstraint::Logic(what, number, parts) => (*what, *number, parts),
        };
        let holds: Vec<bool> = parts.iter().map(|part| part.holds(of_plain)).collect();
        let holding = holds.iter().filter(|holds| **holds).count();
        match what {
            "any" => holding > 0,
            "all" => holding == holds.len(),
            "not" => !holds[0],
            "if" if holds[0] => holds[1],
            "if" => holds.get(2).is_none_or(|otherwise| *otherwise),
            "exactly" => holding == number,
            "at_least" => holding >= number,
            _ => holding <= number,
        }
    }

    /// The constraints without nested ones that it contains.
    pub fn plain(&self) -> Vec<&str> {
        match self {
            DrawnConstraint::Plain(text) => vec![text],
            DrawnConstraint::Logic(_, _, parts) => {
                parts.iter().flat_map(DrawnConstraint::plain).collect()
            }
        }
    }
}

/// A puzzle with nested constraints.
#[derive(Debug)]
pub struct Nested {
    generated: Generated,
    pub list: Vec<DrawnConstraint>,
}

/// Puzzles of these sizes with one or two nested constraints.
pub fn nested(sizes: &'static [(usize, usize)]) -> impl Strategy<Value = Nested> {
    let puzzles = prop_oneof![random(sizes), planted(sizes, 1..3)];
    let lists = proptest::collection::vec(draws(), 1..3);
    (puzzles, lists).prop_map(|(generated, lists)| {
        let lists = lists.into_iter();
        Nested { list: lists.map(|mut draws| draws.nested(&generated, 3)).collect(), generated }
    })
}

impl Nested {
    pub fn yaml(&self) -> String {
        let texts: Vec<String> = self.list.iter().map(DrawnConstraint::text).collect();
        self.with(&texts)
    }

    fn with(&self, constraints: &[String]) -> String {
        let items = constraints.iter().map(|text| format!("  - {{{text}}}\n"));
        format!("{}constraints:\n{}", self.generated.yaml(), items.collect::<String>())
    }

    /// Rows and columns.
    pub fn size(&self) -> (usize, usize) {
        self.generated.size()
    }

    /// The solutions that brute force finds and that satisfy the constraints, according to an
    /// independent implementation of the logic; `None` if there are more than 5,000 without
    /// constraints.
    pub fn brute_force(&self) -> Option<BTreeSet<Arrangement>> {
        const MOST: usize = 5_000;
        let plain = load::from_str(&self.generated.yaml()).unwrap();
        let mut alone: HashMap<&str, Problem> = HashMap::new();
        for text in self.list.iter().flat_map(DrawnConstraint::plain) {
            let problem = load::from_str(&self.with(&[text.to_owned()])).unwrap();
            alone.insert(text, problem);
        }
        let all = brute_force_freed(&plain, &[], MOST)?.into_iter();
        let obeys = |arrangement: &Arrangement| {
            let mut holds = |text: &str| alone[text].broken_constraint(arrangement).is_none();
            self.list.iter().all(|asked| asked.holds(&mut holds))
        };
        Some(all.filter(obeys).collect())
    }

    /// The problem; `None` if its constraints pin a cell twice.
    pub fn problem(&self) -> Option<Problem> {
        loaded(&self.yaml(), &[PINNED_TWICE])
    }
}

/// All solutions that an engine finds, and its counts of distinct arrangements and classes.
pub type All = (BTreeSet<Arrangement>, u64, String);

/// Runs an engine and asserts that it completes and reports no solution twice.
pub fn found(problem: &Problem, engine: &dyn Engine, threads: usize) -> All {
    let limits = Limits { threads, ..Limits::default() };
    let (all, is_complete) = found_within(problem, engine, &limits);
    assert!(is_complete, "it was stopped");
    all
}

/// Runs an engine under limits; also returns true if it completed. Asserts that it does not fail or
/// report a solution twice, and that it counts its solutions correctly.
pub fn found_within(problem: &Problem, engine: &dyn Engine, limits: &Limits<'_>) -> (All, bool) {
    let mut solutions = BTreeSet::new();
    let outcome = enumerate::run(problem, engine, limits, &mut |found: &NewSolution<'_>| {
        for arrangement in expand(problem, &found.distinct.orbit) {
            assert!(solutions.insert(arrangement), "a solution twice");
        }
        ControlFlow::Continue(())
    });
    assert_eq!(outcome.tally.solutions, solutions.len().into());
    let status = outcome.status;
    assert!(
        matches!(status, RunStatus::Complete | RunStatus::Stopped(_)),
        "{}: {status:?}",
        engine.name()
    );
    let classes = outcome.tally.classes.to_string();
    let all = (solutions, outcome.tally.listed(), classes);
    (all, status.is_complete())
}
