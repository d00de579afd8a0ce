//! The puzzle in rules over 0-1 variables.
//!
//! - x\[cell, value\]: the cell takes the value.
//! - y\[cell, kind\]: it takes one of the kind's values.
//! - z\[seam, label\]: the seam's first side shows the label, and the second one its mate.
//! - h\[condition\]: where it is true, the condition holds, a part of an extra constraint.
//!
//! Values that break the border's rule in a cell have no variable there. Twins are one kind with a
//! count, as in the search: labelled tiles would make a proof longer by all ways to deal them.

use std::collections::HashMap;

use edgematch::board::{CellId, CellSide};
use edgematch::problem::{CellFormula, CellSum, Problem};
use edgematch::puzzle::{KindId, Label, ValueId, ValueSet};
use serde_json::{Value, json};
use thiserror::Error;

/// A puzzle that would take too many clauses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("too large for a certificate: {0}")]
pub struct SizeError(pub(super) String);

/// Something that a solution obeys.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Rule {
    /// One of these literals is true.
    Clause(Vec<i32>),
    /// At most so many of these variables are true.
    AtMost {
        /// The variables.
        of: Vec<i32>,
        /// The number.
        most: usize,
    },
    /// Σ over cells of what the literal that is true counts ≤ most.
    Sum {
        /// By cell, each of its literals with what it counts.
        cells: Vec<Vec<(i32, i64)>>,
        /// The bound.
        most: i64,
    },
}

/// The most that cells can count, each by one of its literals.
fn largest(cells: &[Vec<(i32, i64)>]) -> i64 {
    let most = |cell: &Vec<(i32, i64)>| cell.iter().map(|&(_, weight)| weight).max();
    cells.iter().filter_map(most).sum()
}

/// What a variable means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Look { cell: usize, value: usize },
    Kind { cell: usize, kind: usize },
    Shown { seam: usize, label: Label },
    Holds { condition: usize },
}

impl Rule {
    /// The rule over the images of its variables.
    pub(super) fn moved(&self, images: &[Option<i32>]) -> Option<Rule> {
        let image = |&literal: &i32| {
            let image = images[literal.unsigned_abs() as usize - 1]?;
            Some(image * literal.signum())
        };
        Some(match self {
            Rule::Clause(clause) => Rule::Clause(clause.iter().map(image).collect::<Option<_>>()?),
            Rule::AtMost { of, most } => Rule::AtMost {
                of: of.iter().map(image).collect::<Option<_>>()?,
                most: *most,
            },
            Rule::Sum { cells, most } => {
                let counted = |(variable, weight): &(i32, i64)| Some((image(variable)?, *weight));
                let cells = cells
                    .iter()
                    .map(|cell| cell.iter().map(counted).collect::<Option<Vec<_>>>());
                Rule::Sum {
                    cells: cells.collect::<Option<_>>()?,
                    most: *most,
                }
            }
        })
    }

    /// The rule with its parts in ascending order: equal rules are then equal values.
    pub(super) fn in_order(mut self) -> Rule {
        match &mut self {
            Rule::Clause(of) | Rule::AtMost { of, .. } => of.sort_unstable(),
            Rule::Sum { cells, .. } => {
                // Cells that count nothing say nothing.
                cells.retain(|cell| cell.iter().any(|&(_, weight)| weight != 0));
                cells.iter_mut().for_each(|cell| cell.sort_unstable());
                cells.sort_unstable();
            }
        }
        self
    }

    /// One of these variables is true, or more of them.
    fn at_least(number: usize, mut of: Vec<i32>) -> Rule {
        of.sort_unstable();
        if number == 1 {
            of.dedup();
            return Rule::Clause(of);
        }
        Rule::Sum {
            most: of.len() as i64 - number as i64,
            cells: of
                .into_iter()
                .map(|part| vec![(part, 0), (-part, 1)])
                .collect(),
        }
    }

    /// The rule that this one holds where a variable is true; nothing where it always does.
    fn when(&self, variable: i32) -> Option<Rule> {
        match self {
            Rule::Clause(of) => Some(Rule::Clause([&of[..], &[-variable]].concat())),
            Rule::AtMost { of, most } => {
                let cells = of
                    .iter()
                    .map(|&variable| vec![(variable, 1), (-variable, 0)]);
                let most = *most as i64;
                let sum = Rule::Sum {
                    cells: cells.collect(),
                    most,
                };
                sum.when(variable)
            }
            Rule::Sum { cells, most } => {
                let largest = largest(cells);
                let loosened = vec![(variable, largest - most), (-variable, 0)];
                (largest > *most).then(|| Rule::Sum {
                    cells: cells.iter().cloned().chain([loosened]).collect(),
                    most: largest,
                })
            }
        }
    }
}

/// The variables of a puzzle, and the rules that its solutions obey.
#[derive(Debug, Clone)]
pub struct Encoding {
    /// By variable from 1, what it means; auxiliary variables come behind these.
    pub(super) meanings: Vec<Meaning>,
    values: HashMap<(usize, usize), i32>,
    kinds: HashMap<(usize, usize), i32>,
    shown: HashMap<(usize, Label), i32>,
    /// By condition, the rule that holds where its variable is true, in order.
    pub(super) conditions: Vec<Rule>,
    /// By condition, its variable: equal ones have one.
    pub(super) holding: HashMap<Rule, i32>,
    /// The rules.
    pub(super) rules: Vec<Rule>,
}

/// Placements above which there is no certificate.
const MOST_PLACEMENTS: usize = 4_000_000;

impl Encoding {
    /// Encodes a puzzle.
    ///
    /// # Errors
    /// Where that would take too much memory.
    pub fn new(problem: &Problem) -> Result<Encoding, SizeError> {
        let placements = problem.board.size() * problem.kinds.values.len();
        if placements > MOST_PLACEMENTS {
            let most = format!("{placements} placements, at most {MOST_PLACEMENTS}");
            return Err(SizeError(most));
        }
        let mut encoding = Encoding {
            meanings: Vec::new(),
            values: HashMap::new(),
            kinds: HashMap::new(),
            shown: HashMap::new(),
            conditions: Vec::new(),
            holding: HashMap::new(),
            rules: Vec::new(),
        };
        let fitting = fitting(problem);
        encoding.name_variables(problem, &fitting);
        encoding.fill_cells(problem, &fitting);
        encoding.count_kinds(problem);
        encoding.match_seams(problem, &fitting);
        for sum in &problem.sums {
            let (cells, most) = encoding.weighted(sum, &fitting);
            encoding.rules.push(Rule::Sum { cells, most });
        }
        for formula in &problem.formulas {
            let rule = encoding.condition(formula, &fitting);
            encoding.rules.push(rule);
        }
        Ok(encoding)
    }

    /// The variable of a placement, if it has one.
    pub(super) fn value(&self, CellId(cell): CellId, ValueId(value): ValueId) -> Option<i32> {
        self.values.get(&(cell, value)).copied()
    }

    pub(super) fn kind(&self, CellId(cell): CellId, KindId(kind): KindId) -> Option<i32> {
        self.kinds.get(&(cell, kind)).copied()
    }

    pub(super) fn shown(&self, seam: usize, label: Label) -> Option<i32> {
        self.shown.get(&(seam, label)).copied()
    }

    /// The clause that excludes values, one a cell; `None` where one of them has no variable.
    pub(super) fn excluding(&self, values: impl IntoIterator<Item = usize>) -> Option<Vec<i32>> {
        let values = values.into_iter().enumerate();
        values
            .map(|(cell, value)| Some(-self.value(CellId(cell), ValueId(value))?))
            .collect()
    }

    fn name_variables(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        let mut next = 0..;
        let mut name = |meaning: Meaning, meanings: &mut Vec<Meaning>| {
            meanings.push(meaning);
            next.next().map_or(0, |number: i32| number + 1)
        };
        for (cell, values) in fitting.iter().enumerate() {
            for &value in values {
                let number = name(Meaning::Look { cell, value }, &mut self.meanings);
                self.values.insert((cell, value), number);
            }
        }
        for (cell, values) in fitting.iter().enumerate() {
            for kind in values.iter().map(|&value| problem.kinds.values[value].kind) {
                // Values of one kind stand side by side.
                if !self.kinds.contains_key(&(cell, kind)) {
                    let number = name(Meaning::Kind { cell, kind }, &mut self.meanings);
                    self.kinds.insert((cell, kind), number);
                }
            }
        }
        let labels = &problem.puzzle.labels;
        for (seam, ends) in problem.board.seams().iter().enumerate() {
            let shows = |(cell, side): CellSide, label: Label| {
                let mut values = fitting[cell].iter();
                values.any(|&value| problem.kinds.values[value].edges[side] == label)
            };
            for label in labels.all() {
                if shows(ends.first, label) || shows(ends.second, labels.mate(label)) {
                    let number = name(Meaning::Shown { seam, label }, &mut self.meanings);
                    self.shown.insert((seam, label), number);
                }
            }
        }
    }

    /// A cell takes a value, and one alone.
    fn fill_cells(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        for (cell, values) in fitting.iter().enumerate() {
            let of = |value: &usize| self.values[&(cell, *value)];
            self.rules
                .push(Rule::Clause(values.iter().map(of).collect()));
            let mut kinds = Vec::new();
            let alike = |a: &usize, b: &usize| {
                problem.kinds.values[*a].kind == problem.kinds.values[*b].kind
            };
            for values in values.chunk_by(alike) {
                let kind = self.kinds[&(cell, problem.kinds.values[values[0]].kind)];
                let values: Vec<i32> = values.iter().map(of).collect();
                let one = values.iter().copied().chain([-kind]);
                self.rules.push(Rule::Clause(one.collect()));
                for &value in &values {
                    self.rules.push(Rule::Clause(vec![-value, kind]));
                }
                self.rules.push(Rule::AtMost {
                    of: values,
                    most: 1,
                });
                kinds.push(kind);
            }
            self.rules.push(Rule::AtMost { of: kinds, most: 1 });
        }
    }

    /// A kind is used no more often than it has copies. One that must be used lies somewhere; that
    /// all copies of others must be used follows from the number of cells, and no lemma needs
    /// it.
    fn count_kinds(&mut self, problem: &Problem) {
        for (index, kind) in problem.kinds.kinds.iter().enumerate() {
            let cells = 0..problem.board.size();
            let of: Vec<i32> = cells
                .filter_map(|cell| self.kind(CellId(cell), KindId(index)))
                .collect();
            if kind.count() == 1 && problem.uses_every_tile() {
                self.rules.push(Rule::Clause(of.clone()));
            }
            let most = kind.count();
            self.rules.push(Rule::AtMost { of, most });
        }
    }

    /// Sides that touch show mates.
    fn match_seams(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        let labels = &problem.puzzle.labels;
        for (seam, ends) in problem.board.seams().iter().enumerate() {
            let known = labels.all().filter_map(|label| self.shown(seam, label));
            let of: Vec<i32> = known.collect();
            self.rules.push(Rule::AtMost { of, most: 1 });
            for (side, is_first) in [(ends.first, true), (ends.second, false)] {
                let mut showing: HashMap<Label, Vec<i32>> = HashMap::new();
                for &value in &fitting[side.0] {
                    let label = problem.kinds.values[value].edges[side.1];
                    let label = if is_first { label } else { labels.mate(label) };
                    let (value, shown) =
                        (self.values[&(side.0, value)], self.shown[&(seam, label)]);
                    self.rules.push(Rule::Clause(vec![-value, shown]));
                    showing.entry(label).or_default().push(value);
                }
                for label in labels.all() {
                    let Some(shown) = self.shown(seam, label) else {
                        continue;
                    };
                    let mut clause = showing.remove(&label).unwrap_or_default();
                    clause.push(-shown);
                    self.rules.push(Rule::Clause(clause));
                }
            }
        }
    }

    /// A formula as a rule; its parts get variables of their own.
    fn condition(&mut self, formula: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> Rule {
        match formula {
            CellFormula::Linear(sum) => {
                let (cells, most) = self.weighted(sum, fitting);
                Rule::Sum { cells, most }.in_order()
            }
            CellFormula::AtLeast(number, parts) => {
                let of = parts.iter().map(|part| self.holds(part, fitting));
                Rule::at_least(*number, of.collect()).in_order()
            }
        }
    }

    /// The variable of a part of a formula.
    fn holds(&mut self, part: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> i32 {
        let condition = self.condition(part, fitting);
        if let Some(&known) = self.holding.get(&condition) {
            return known;
        }
        self.meanings.push(Meaning::Holds {
            condition: self.conditions.len(),
        });
        let variable = self.meanings.len() as i32;
        self.rules.extend(condition.when(variable));
        self.conditions.push(condition.clone());
        self.holding.insert(condition, variable);
        variable
    }

    /// By cell, each variable with what it counts; and the bound.
    fn weighted(
        &self,
        sum: &CellSum<ValueSet>,
        fitting: &[Vec<usize>],
    ) -> (Vec<Vec<(i32, i64)>>, i64) {
        let cells = sum.cells.iter().map(|(cell, levels)| {
            let values = fitting[*cell].iter().map(|&value| {
                let level = levels.iter().find(|level| level.values.contains(value));
                (
                    self.values[&(*cell, value)],
                    level.map_or(0, |level| level.coefficient),
                )
            });
            values.collect()
        });
        (cells.collect(), sum.bound)
    }

    /// What each variable means, for a reader and for other programs: in each list the variables
    /// are numbered on from `from`. A kind has the name of its first tile. Those of conditions are
    /// auxiliary.
    pub fn map(&self, problem: &Problem) -> Value {
        let name = |cell: usize| json!(problem.board.cells()[cell].name);
        let place = |meaning: &Meaning| match *meaning {
            Meaning::Look { cell, .. } => Some((0, cell)),
            Meaning::Kind { cell, .. } => Some((1, cell)),
            Meaning::Shown { seam, .. } => Some((2, seam)),
            Meaning::Holds { .. } => None,
        };
        let mut lists: [Vec<Value>; 3] = Default::default();
        let mut from = 1;
        for alike in self.meanings.chunk_by(|a, b| place(a) == place(b)) {
            let Some((list, at)) = place(&alike[0]) else {
                continue;
            };
            let members: Vec<Value> = alike
                .iter()
                .filter_map(|meaning| member(problem, meaning))
                .collect();
            let entry = match list {
                2 => {
                    let seam = problem.board.seams()[at];
                    json!({"from": from, "seam": [name(seam.first.0), name(seam.second.0)], "shows": members})
                }
                1 => json!({"from": from, "cell": name(at), "tiles": members}),
                _ => json!({"from": from, "cell": name(at), "placements": members}),
            };
            lists[list].push(entry);
            from += alike.len();
        }
        let [x, y, z] = lists;
        json!({"x": x, "y": y, "z": z, "auxiliary": from})
    }
}

/// A variable in the list of its cell or seam.
fn member(problem: &Problem, meaning: &Meaning) -> Option<Value> {
    Some(match *meaning {
        Meaning::Look { value, .. } => {
            let orientation = problem.kinds.values[value].orientation;
            let rotation = orientation.rotation();
            let face = orientation.face().name();
            let tile = &problem.puzzle.tiles[problem.kinds.kind_of(value).tiles[0]];
            match tile.back {
                None => json!([tile.name, rotation]),
                Some(_) => json!([tile.name, rotation, face]),
            }
        }
        Meaning::Kind { kind, .. } => {
            let tile = problem.kinds.kinds[kind].tiles[0];
            json!(problem.puzzle.tiles[tile].name)
        }
        Meaning::Shown { label, .. } => json!(problem.puzzle.labels.name(label)),
        Meaning::Holds { .. } => return None,
    })
}

/// By cell, the values that obey what concerns one cell alone: as many sides, the border image on
/// the rim and nowhere else, and mates where the cell touches itself.
fn fitting(problem: &Problem) -> Vec<Vec<usize>> {
    let mut on_rim: Vec<Vec<bool>> = Vec::new();
    for cell in problem.board.cells() {
        on_rim.push(vec![false; cell.sides]);
    }
    for &(cell, side) in problem.board.rim() {
        on_rim[cell][side] = true;
    }
    let own_seams = problem.board.own_seams();
    let fits = |cell: usize, value: usize| {
        let on_rim = &on_rim[cell];
        let edges = &problem.kinds.values[value].edges;
        let mut own = own_seams.iter().filter(|ends| ends[0].0 == cell);
        edges.len() == on_rim.len()
            && own.all(|[(_, one), (_, other)]| {
                problem.puzzle.labels.mate(edges[*one]) == edges[*other]
            })
            && problem.puzzle.border.is_none_or(|border| {
                let mut sides = edges.iter().zip(on_rim);
                sides.all(|(&edge, &is_rim)| (edge == border) == is_rim)
            })
    };
    let values = 0..problem.kinds.values.len();
    let cells = 0..problem.board.size();
    cells
        .map(|cell| values.clone().filter(|&value| fits(cell, value)).collect())
        .collect()
}
