//! Encodes the puzzle as rules over 0-1 variables.
//!
//! - x\[cell, value\]: the cell takes the value.
//! - y\[cell, kind\]: the cell takes a value of the kind.
//! - z\[seam, label\]: the seam's first side shows the label, and the second one its mate. If some
//!   edges are unknown, each end of a seam has such variables.
//! - h\[condition\]: implies the condition, a part of a constraint.
//!
//! Values that violate the rules of a single cell have no variable there. Twins are one kind with a
//! count, as in the search; distinguishing tiles would multiply the proof by their permutations.

use std::collections::{BTreeSet, HashMap};

use edgematch::board::CellSide;
use edgematch::problem::{CellFormula, CellSum, Problem};
use edgematch::puzzle::{Label, ValueSet};
use serde_json::{Value, json};
use thiserror::Error;

use super::rule::Rule;

/// Reports a puzzle that would take too many clauses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("too large for a certificate: {0}")]
pub struct SizeError(pub(super) String);

/// The meaning of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Placement { cell: usize, value: usize },
    Kind { cell: usize, kind: usize },
    Shown { end: SeamEnd, label: Label },
    Holds { condition: usize },
}

/// The variables of a puzzle, and the rules that every solution satisfies.
#[derive(Debug, Clone)]
pub struct Encoding {
    /// The meaning of each variable, from 1; auxiliary variables have larger numbers.
    pub(super) meanings: Vec<Meaning>,
    values: HashMap<(usize, usize), i32>,
    kinds: HashMap<(usize, usize), i32>,
    shown: HashMap<(SeamEnd, Label), i32>,
    /// The rule that each condition's variable implies, in order.
    pub(super) conditions: Vec<Rule>,
    /// The variable of each condition; equal conditions share one.
    pub(super) holding: HashMap<Rule, i32>,
    /// The rules.
    pub(super) rules: Vec<Rule>,
}

/// The maximum number of placements.
const MOST_PLACEMENTS: usize = 4_000_000;

impl Encoding {
    /// Encodes a puzzle.
    ///
    /// # Errors
    /// If the encoding would take too much memory.
    pub fn new(problem: &Problem) -> Result<Encoding, SizeError> {
        let placements = problem.board.size() * problem.kinds.values.len();
        if placements > MOST_PLACEMENTS {
            return Err(SizeError(format!("{placements} placements, at most {MOST_PLACEMENTS}")));
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
    pub(super) fn value(&self, cell: usize, value: usize) -> Option<i32> {
        self.values.get(&(cell, value)).copied()
    }

    pub(super) fn kind(&self, cell: usize, kind: usize) -> Option<i32> {
        self.kinds.get(&(cell, kind)).copied()
    }

    /// The variable for "this end of a seam shows the label". If all edges are known, it is that of
    /// the first end with the corresponding label.
    pub(super) fn shown_variable(
        &self,
        problem: &Problem,
        end: SeamEnd,
        label: Label,
    ) -> Option<i32> {
        self.shown.get(&own_end(problem, end, label)).copied()
    }

    /// The clause that excludes one value per cell; `None` if one of them has no variable.
    pub(super) fn excluding(&self, values: impl IntoIterator<Item = usize>) -> Option<Vec<i32>> {
        let values = values.into_iter().enumerate();
        values.map(|(cell, value)| Some(-self.value(cell, value)?)).collect()
    }

    /// The inverse of [`Encoding::excluding`]: the values that a clause excludes, one per cell;
    /// `None` for any other clause.
    pub(super) fn excluded(&self, problem: &Problem, clause: &[i32]) -> Option<Vec<usize>> {
        let mut values = vec![None; problem.board.size()];
        for &literal in clause {
            let variable = usize::try_from(-i64::from(literal)).ok()?;
            let Meaning::Placement { cell, value } =
                *self.meanings.get(variable.checked_sub(1)?)?
            else {
                return None;
            };
            if values[cell].replace(value).is_some() {
                return None;
            }
        }
        values.into_iter().collect()
    }

    fn name_variables(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        let mut next = 0..;
        let mut name = |meaning: Meaning, meanings: &mut Vec<Meaning>| {
            meanings.push(meaning);
            next.next().map_or(0, |number: i32| number + 1)
        };
        for (cell, values) in fitting.iter().enumerate() {
            for &value in values {
                let number = name(Meaning::Placement { cell, value }, &mut self.meanings);
                self.values.insert((cell, value), number);
            }
        }
        for (cell, values) in fitting.iter().enumerate() {
            for kind in values.iter().map(|&value| problem.kinds.values[value].kind) {
                // Values of one kind are adjacent.
                if !self.kinds.contains_key(&(cell, kind)) {
                    let number = name(Meaning::Kind { cell, kind }, &mut self.meanings);
                    self.kinds.insert((cell, kind), number);
                }
            }
        }
        for seam in 0..problem.board.seams().len() {
            let mut shown = BTreeSet::new();
            for end in SeamEnd::both(seam) {
                let (cell, side) = end.side(problem);
                let edges = fitting[cell].iter();
                let edges = edges.map(|&value| problem.kinds.values[value].edges[side]);
                shown.extend(edges.map(|label| own_end(problem, end, label)));
            }
            for (end, label) in shown {
                let number = name(Meaning::Shown { end, label }, &mut self.meanings);
                self.shown.insert((end, label), number);
            }
        }
    }

    /// Requires that a cell takes exactly one value.
    fn fill_cells(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        for (cell, values) in fitting.iter().enumerate() {
            let of = |value: &usize| self.values[&(cell, *value)];
            self.rules.push(Rule::Clause(values.iter().map(of).collect()));
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
                self.rules.push(Rule::AtMost { of: values, most: 1 });
                kinds.push(kind);
            }
            self.rules.push(Rule::AtMost { of: kinds, most: 1 });
        }
    }

    /// Limits each kind to its copies. A kind with one copy that must be used is placed somewhere.
    /// For other kinds, the use of all copies follows from the number of cells, and no lemma needs
    /// it.
    fn count_kinds(&mut self, problem: &Problem) {
        for (index, kind) in problem.kinds.kinds.iter().enumerate() {
            let cells = 0..problem.board.size();
            let of: Vec<i32> = cells.filter_map(|cell| self.kind(cell, index)).collect();
            if kind.copies == 1 && problem.uses_every_tile() {
                self.rules.push(Rule::Clause(of.clone()));
            }
            let most = kind.copies;
            self.rules.push(Rule::AtMost { of, most });
        }
    }

    /// Requires that touching sides show matching labels.
    fn match_seams(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        let labels = &problem.puzzle.labels;
        for seam in 0..problem.board.seams().len() {
            for end in SeamEnd::both(seam) {
                self.show(problem, end, fitting);
            }
            if !labels.are_known() {
                for end in SeamEnd::both(seam) {
                    self.fit(problem, end);
                }
            }
        }
    }

    /// Requires that the label at one end matches a label at the other end.
    fn fit(&mut self, problem: &Problem, end: SeamEnd) {
        let labels = &problem.puzzle.labels;
        for label in labels.all() {
            let Some(shown) = self.shown_variable(problem, end, label) else {
                continue;
            };
            let fitting = labels.fitting(label);
            let against =
                fitting.filter_map(|label| self.shown_variable(problem, end.other(), label));
            let clause = against.chain([-shown]).collect();
            self.rules.push(Rule::Clause(clause));
        }
    }

    /// Defines the labels of an end: it shows a label if and only if its cell takes a value that
    /// shows it.
    fn show(&mut self, problem: &Problem, end: SeamEnd, fitting: &[Vec<usize>]) {
        let (cell, side) = end.side(problem);
        let mut showing: HashMap<i32, Vec<i32>> = HashMap::new();
        let all: BTreeSet<i32> = problem
            .puzzle
            .labels
            .all()
            .filter_map(|label| self.shown_variable(problem, end, label))
            .collect();
        if end.is_first || !problem.puzzle.labels.are_known() {
            let of = all.iter().copied().collect();
            self.rules.push(Rule::AtMost { of, most: 1 });
        }
        for &value in &fitting[cell] {
            let label = problem.kinds.values[value].edges[side];
            let shown = self.shown[&own_end(problem, end, label)];
            let value = self.values[&(cell, value)];
            self.rules.push(Rule::Clause(vec![-value, shown]));
            showing.entry(shown).or_default().push(value);
        }
        for shown in all {
            let mut clause = showing.remove(&shown).unwrap_or_default();
            clause.push(-shown);
            self.rules.push(Rule::Clause(clause));
        }
    }

    /// Translates a formula to a rule; its parts get variables.
    fn condition(&mut self, formula: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> Rule {
        match formula {
            CellFormula::Linear(sum) => {
                let (cells, most) = self.weighted(sum, fitting);
                Rule::Sum { cells, most }.in_order()
            }
            CellFormula::AtLeast(number, parts) => {
                let of = parts.iter().map(|part| self.condition_variable(part, fitting));
                Rule::at_least(*number, of.collect()).in_order()
            }
        }
    }

    /// The variable of a part of a formula; equal parts share one.
    fn condition_variable(&mut self, part: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> i32 {
        let condition = self.condition(part, fitting);
        if let Some(&known) = self.holding.get(&condition) {
            return known;
        }
        self.meanings.push(Meaning::Holds { condition: self.conditions.len() });
        let variable = self.meanings.len() as i32;
        self.rules.extend(condition.when(variable));
        self.conditions.push(condition.clone());
        self.holding.insert(condition, variable);
        variable
    }

    /// The variables of each cell with their coefficients, and the bound.
    fn weighted(
        &self,
        sum: &CellSum<ValueSet>,
        fitting: &[Vec<usize>],
    ) -> (Vec<Vec<(i32, i64)>>, i64) {
        let cells = sum.cells.iter().map(|(cell, levels)| {
            let values = fitting[*cell].iter().map(|&value| {
                let level = levels.iter().find(|level| level.values.contains(value));
                (self.values[&(*cell, value)], level.map_or(0, |level| level.coefficient))
            });
            values.collect()
        });
        (cells.collect(), sum.bound)
    }

    /// Describes the variables for readers and other programs. Each list numbers its variables from
    /// `from` on. A kind has the name of its first tile. The variables of conditions are auxiliary.
    pub fn map(&self, problem: &Problem) -> Value {
        let name = |cell: usize| json!(problem.board.cells()[cell].name);
        let place = |meaning: &Meaning| match *meaning {
            Meaning::Placement { cell, .. } => Some((0, cell)),
            Meaning::Kind { cell, .. } => Some((1, cell)),
            Meaning::Shown { end, .. } => Some((2, 2 * end.seam + usize::from(!end.is_first))),
            Meaning::Holds { .. } => None,
        };
        let mut lists: [Vec<Value>; 3] = Default::default();
        let mut from = 1;
        for alike in self.meanings.chunk_by(|a, b| place(a) == place(b)) {
            let Some((list, at)) = place(&alike[0]) else {
                continue;
            };
            let members: Vec<Value> =
                alike.iter().filter_map(|meaning| member(problem, meaning)).collect();
            let entry = match list {
                2 => {
                    let [one, other] = SeamEnd::both(at / 2);
                    let ends = if at % 2 == 0 { [one, other] } else { [other, one] };
                    let seam = ends.map(|end| name(end.side(problem).0));
                    json!({"from": from, "seam": seam, "shows": members})
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

/// The entry of a variable in the list of its cell or seam.
fn member(problem: &Problem, meaning: &Meaning) -> Option<Value> {
    Some(match *meaning {
        Meaning::Placement { value, .. } => {
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
            json!(problem.puzzle.tiles[problem.kinds.kinds[kind].tiles[0]].name)
        }
        Meaning::Shown { label, .. } => json!(problem.puzzle.labels.name(label)),
        Meaning::Holds { .. } => return None,
    })
}

/// The values that satisfy the rules for each single cell: the number of sides, the border image on
/// the rim and nowhere else, and matching sides where the cell touches itself.
pub(super) fn fitting(problem: &Problem) -> Vec<Vec<usize>> {
    let mut on_rim: Vec<Vec<bool>> = Vec::new();
    for cell in problem.board.cells() {
        on_rim.push(vec![false; cell.sides]);
    }
    for &(cell, side) in problem.board.rim() {
        on_rim[cell][side] = true;
    }
    let mut own_seams: Vec<Vec<[usize; 2]>> = vec![Vec::new(); problem.board.size()];
    for &[(cell, one), (_, other)] in problem.board.own_seams() {
        own_seams[cell].push([one, other]);
    }
    let fits = |cell: usize, value: usize| {
        let on_rim = &on_rim[cell];
        let edges = &problem.kinds.values[value].edges;
        let mut own = own_seams[cell].iter();
        edges.len() == on_rim.len()
            && own.all(|&[one, other]| problem.puzzle.labels.fit(edges[one], edges[other]))
            && problem.puzzle.satisfies_border(edges.iter().copied(), on_rim.iter().copied())
    };
    let values = 0..problem.kinds.values.len();
    let cells = 0..problem.board.size();
    cells.map(|cell| values.clone().filter(|&value| fits(cell, value)).collect()).collect()
}

/// One of the two sides of a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeamEnd {
    pub seam: usize,
    /// True for the first side in the board's order.
    pub is_first: bool,
}

impl SeamEnd {
    /// The two ends of a seam.
    pub fn both(seam: usize) -> [SeamEnd; 2] {
        [true, false].map(|is_first| SeamEnd { seam, is_first })
    }

    pub fn other(self) -> SeamEnd {
        SeamEnd { is_first: !self.is_first, ..self }
    }

    /// The side at this end, and the side that touches it.
    pub fn sides(self, problem: &Problem) -> [CellSide; 2] {
        [self, self.other()].map(|end| end.side(problem))
    }

    /// The side at this end.
    pub fn side(self, problem: &Problem) -> CellSide {
        let seam = problem.board.seams()[self.seam];
        if self.is_first { seam.first } else { seam.second }
    }
}

/// The canonical (end, label) whose variable represents this one.
pub(super) fn own_end(problem: &Problem, end: SeamEnd, label: Label) -> (SeamEnd, Label) {
    let labels = &problem.puzzle.labels;
    if end.is_first || !labels.are_known() {
        (end, label)
    } else {
        (end.other(), labels.mate(label))
    }
}
