//! Extra constraints: every engine finds what brute force finds and the checker lets pass.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use common::brute_force_freed;
use common::generated::{Generated, planted, random};
use edgematch::board::{Arrangement, Problem};
use edgematch::compare::contenders;
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;
use edgematch::solution::{check, expand};
use proptest::prelude::*;

const SIZES: &[(usize, usize)] = &[(1, 2), (1, 3), (2, 2), (2, 2), (2, 3), (3, 2)];

/// Numbers that a constraint is made of.
#[derive(Debug, Clone)]
struct Draws {
    numbers: Vec<usize>,
    next: usize,
}

impl Draws {
    fn below(&mut self, end: usize) -> usize {
        let number = self.numbers[self.next % self.numbers.len()];
        self.next += 1;
        number % end
    }

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
        match self.below(8) {
            0 => "all".into(),
            1 => "corners".into(),
            2 => "border".into(),
            3 => format!("row {}", 1 + self.below(size.0)),
            4 => format!("{{column: {}}}", 1 + self.below(size.1)),
            5 => format!("[{}, {}]", self.cell(size), self.cell(size)),
            _ => self.cell(size),
        }
    }

    fn shows(&mut self) -> String {
        let side = self.of(&["right", "top", "left", "bottom"]);
        // An image may not be in the puzzle, and may have no halves.
        format!("{{{side}: {}}}", self.of(&["a", "b", "g", "i0", "i1"]))
    }

    /// A pattern with at least one field.
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

    /// One constraint, with the two cells whose seam it frees.
    fn constraint(&mut self, size: (usize, usize), tiles: usize) -> (String, Option<[usize; 2]>) {
        let pair = |draws: &mut Draws| {
            let first = draws.below(tiles);
            let second = (first + 1 + draws.below(tiles - 1)) % tiles;
            format!("[t{first}, t{second}]")
        };
        let text = match self.below(13) {
            0 => format!(
                "pin: {{cell: {}, tile: {}}}",
                self.cell(size),
                self.tile(tiles)
            ),
            1 => format!(
                "pin: {{tile: {}, rotation: {}}}",
                self.tile(tiles),
                self.below(2)
            ),
            2 => format!(
                "pin: {{cell: {}, shows: {}}}",
                self.cell(size),
                self.shows()
            ),
            3 => format!("forbid: {{{}}}", self.pattern(size, tiles)),
            4 => format!(
                "rotations: {{tiles: {}, rotations: [0, {}]}}",
                self.tiles(tiles),
                self.below(4)
            ),
            5 => format!(
                "region: {{tiles: {}, only_in: {}}}",
                self.tiles(tiles),
                self.cells(size)
            ),
            6 => format!(
                "region: {{cells: {}, only_from: {}}}",
                self.cell(size),
                self.tiles(tiles)
            ),
            7 => {
                let sides = ["", ", sides: [right, any]", ", sides: [top, left]"];
                format!("adjacent: {{tiles: {}{}}}", pair(self), self.of(&sides))
            }
            8 => {
                let sides = ["", ", sides: [any, bottom]", ", sides: [top, left]"];
                format!("apart: {{tiles: {}{}}}", pair(self), self.of(&sides))
            }
            9 => {
                let rims = [
                    "same: true",
                    "image: a",
                    "image: g, only: true",
                    "image: i0",
                ];
                format!("rim: {{{}}}", self.of(&rims))
            }
            10 => {
                let pattern = self.pattern(size, tiles);
                format!("count: {{{pattern}, {}}}", self.bounds(size.0 * size.1))
            }
            11 => {
                let weights = ["1", "2", "-1", "-3", "1000000000"];
                let terms: Vec<String> = (0..1 + self.below(3))
                    .map(|_| {
                        let weight = self.of(&weights);
                        format!("{{weight: {weight}, {}}}", self.pattern(size, tiles))
                    })
                    .collect();
                format!(
                    "linear: {{terms: [{}], {}}}",
                    terms.join(", "),
                    self.bounds(4)
                )
            }
            _ => {
                let what = self.of(&["tiles", "without"]);
                format!("use: {{{what}: {}}}", self.tiles(tiles))
            }
        };
        (text, None)
    }

    /// A seam that need not fit.
    fn seam(&mut self, (rows, columns): (usize, usize)) -> (String, Option<[usize; 2]>) {
        let (row, column) = (self.below(rows), self.below(columns));
        let other = match column + 1 < columns {
            true => (row, column + 1),
            false if row + 1 < rows => (row + 1, column),
            false => (row, column - 1),
        };
        let name = |(row, column): (usize, usize)| format!("[{}, {}]", row + 1, column + 1);
        let text = format!(
            "seam: {{cells: [{}, {}], fit: free}}",
            name((row, column)),
            name(other)
        );
        let index = |(row, column): (usize, usize)| row * columns + column;
        (text, Some([index((row, column)), index(other)]))
    }
}

/// The labelled solutions that an engine finds; and what it counts.
fn found(
    problem: &Problem,
    engine: &dyn edgematch::engine::Engine,
    threads: usize,
) -> (BTreeSet<Arrangement>, u64, String) {
    let limits = Limits {
        threads,
        ..Limits::default()
    };
    let mut solutions = BTreeSet::new();
    let outcome = enumerate::run(problem, engine, &limits, &mut |found: &Found<'_>| {
        for arrangement in expand(problem, &found.distinct.orbit) {
            assert!(solutions.insert(arrangement), "a solution twice");
        }
        ControlFlow::Continue(())
    });
    assert!(outcome.verdict.is_complete(), "{:?}", outcome.verdict);
    assert_eq!(outcome.tally.solutions, solutions.len().into());
    (
        solutions,
        outcome.tally.distinct,
        outcome.tally.classes().to_string(),
    )
}

fn lists() -> impl Strategy<Value = (Generated, Vec<Draws>, bool)> {
    let draws = proptest::collection::vec(0..10_000usize, 40);
    let draws = draws.prop_map(|numbers| Draws { numbers, next: 0 });
    let puzzles = prop_oneof![random(SIZES), planted(SIZES, 1..3)];
    (
        puzzles,
        proptest::collection::vec(draws, 1..4),
        any::<bool>(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1_500,
        max_global_rejects: 20_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_engine_obeys_every_list((generated, draws, has_free_seam) in lists()) {
        let plain = load::from_str(&generated.yaml()).unwrap();
        let (size, tiles) = (generated.size(), plain.puzzle.tiles.len());
        let mut list: Vec<(String, Option<[usize; 2]>)> =
            draws.into_iter().map(|mut draws| draws.constraint(size, tiles)).collect();
        if has_free_seam {
            let mut draws = Draws { numbers: vec![list.len(), list[0].0.len()], next: 0 };
            list.push(draws.seam(size));
        }
        let items: String = list.iter().map(|(text, _)| format!("  - {text}\n")).collect();
        let yaml = format!("{}constraints:\n{items}", generated.yaml());
        let problem = load::from_str(&yaml).map_err(|e| e.to_string());
        // Two pins of a cell, an image without halves.
        prop_assume!(problem.is_ok(), "{:?}", problem);
        let problem = problem.unwrap();
        let free: Vec<[usize; 2]> = list.iter().filter_map(|(_, free)| *free).collect();
        let brute = brute_force_freed(&plain, &free, 5_000);
        prop_assume!(brute.is_some());
        let brute: BTreeSet<Arrangement> =
            brute.unwrap().into_iter().filter(|a| check(&problem, a).is_ok()).collect();
        let mut counts = BTreeSet::new();
        for contender in contenders() {
            let engine = contender.engine.as_ref();
            if engine.serves(&problem).is_err() {
                continue;
            }
            if contender.name.starts_with("milp") && brute.len() > 60 {
                continue;
            }
            for threads in [1, 2] {
                let (solutions, distinct, classes) = found(&problem, engine, threads);
                prop_assert!(solutions == brute, "{}: {} of {}", contender.name, solutions.len(), brute.len());
                counts.insert((distinct, classes));
            }
        }
        prop_assert_eq!(counts.len(), 1);
    }
}
