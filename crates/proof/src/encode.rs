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

use std::collections::{BTreeMap, BTreeSet, HashMap};

use edgematch::board::{CellName, CellSide};
use edgematch::problem::{CellFormula, CellSum, CoefficientLevel, Problem};
use edgematch::puzzle::{Label, ValueSet};
use itertools::Itertools;
use serde_json::{Value, json};
use thiserror::Error;

use super::rule::Rule;

/// The puzzle would take too many clauses or variables; the field says of what.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("too large for a certificate: {0}")]
pub struct SizeError(pub(super) String);

/// The meaning of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Meaning {
    Placement { cell: usize, value: usize },
    Kind { cell: usize, kind: usize },
    Shown { end: SeamEnd, label: Label },
    Holds { condition: usize },
}

impl Meaning {
    /// The list of [`Encoding::map`] that describes the variable, and its entry there.
    fn place(&self) -> (usize, usize) {
        match *self {
            Meaning::Placement { cell, .. } => (0, cell),
            Meaning::Kind { cell, .. } => (1, cell),
            Meaning::Shown { end, .. } => (2, 2 * end.seam + usize::from(!end.is_first)),
            Meaning::Holds { .. } => (3, 0),
        }
    }
}

/// The variables of a puzzle, and the rules that every solution satisfies.
#[derive(Debug, Clone, Default)]
pub struct Encoding {
    /// The meaning of each variable, from 1; auxiliary variables have larger numbers.
    pub(super) meanings: Vec<Meaning>,
    /// The variable of each meaning.
    variables: HashMap<Meaning, i32>,
    /// The rule that each condition's variable implies, in order.
    pub(super) conditions: Vec<Rule>,
    /// The variable that implies each condition; equal conditions share one.
    pub(super) holding: HashMap<Rule, i32>,
    /// The rules.
    pub(super) rules: Vec<Rule>,
}

/// The maximum number of placements (cells times values) of a puzzle.
const MOST_PLACEMENTS: usize = 4_000_000;

impl Encoding {
    /// Encodes a puzzle.
    ///
    /// # Errors
    /// If it has more than 4 million placements, which would take too much memory.
    pub fn new(problem: &Problem) -> Result<Encoding, SizeError> {
        let placements = problem.board.size() * problem.kinds.values.len();
        if placements > MOST_PLACEMENTS {
            return Err(SizeError(format!("{placements} placements, at most {MOST_PLACEMENTS}")));
        }
        let mut encoding = Encoding::default();
        let fitting = fitting(problem);
        encoding.add_variables(problem, &fitting);
        encoding.fill_cells(problem, &fitting);
        encoding.count_kinds(problem);
        encoding.match_seams(problem, &fitting);
        for sum in &problem.sums {
            encoding.rules.push(encoding.weighted(sum, &fitting));
        }
        for formula in &problem.formulas {
            let rule = encoding.condition(formula, &fitting);
            encoding.rules.push(rule);
        }
        Ok(encoding)
    }

    /// The variable of a placement; `None` if a rule of its cell excludes it.
    pub(super) fn placement_variable(&self, cell: usize, value: usize) -> Option<i32> {
        self.variables.get(&Meaning::Placement { cell, value }).copied()
    }

    /// The variable for "the cell takes a value of the kind"; `None` if no value of the kind fits
    /// there.
    pub(super) fn kind_variable(&self, cell: usize, kind: usize) -> Option<i32> {
        self.variables.get(&Meaning::Kind { cell, kind }).copied()
    }

    /// The variable for "this end of a seam shows the label"; `None` if no placement shows it
    /// there. If all edges are known, it is that of the first end with the corresponding label.
    pub(super) fn shown_variable(
        &self,
        problem: &Problem,
        end: SeamEnd,
        label: Label,
    ) -> Option<i32> {
        let (end, label) = canonical_end(problem, end, label);
        self.variables.get(&Meaning::Shown { end, label }).copied()
    }

    /// The variable of a placement that satisfies the rules of its cell.
    ///
    /// # Panics
    /// If it does not.
    fn placement(&self, cell: usize, value: usize) -> i32 {
        self.variables[&Meaning::Placement { cell, value }]
    }

    /// The clause that excludes an arrangement, given as a value for each cell; `None` if one of
    /// these placements has no variable.
    pub(super) fn excluding(&self, values: impl IntoIterator<Item = usize>) -> Option<Vec<i32>> {
        let values = values.into_iter().enumerate();
        values.map(|(cell, value)| Some(-self.placement_variable(cell, value)?)).collect()
    }

    /// The inverse of [`Encoding::excluding`]: the arrangement that a clause excludes, as a value
    /// for each cell; `None` if the clause is not of that form.
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

    /// Adds a variable with this meaning; returns it.
    fn add_variable(&mut self, meaning: Meaning) -> i32 {
        self.meanings.push(meaning);
        let variable = self.meanings.len() as i32;
        self.variables.insert(meaning, variable);
        variable
    }

    /// Adds the variables x, y and z, in this order.
    fn add_variables(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        for (cell, values) in fitting.iter().enumerate() {
            for &value in values {
                self.add_variable(Meaning::Placement { cell, value });
            }
        }
        for (cell, values) in fitting.iter().enumerate() {
            // Values of one kind are adjacent.
            for kind in values.iter().map(|&value| problem.kinds.values[value].kind).dedup() {
                self.add_variable(Meaning::Kind { cell, kind });
            }
        }
        for seam in 0..problem.board.seams().len() {
            let mut shown = BTreeSet::new();
            for end in SeamEnd::both(seam) {
                let (cell, side) = end.side(problem);
                let edges = fitting[cell].iter();
                let edges = edges.map(|&value| problem.kinds.values[value].edges[side]);
                shown.extend(edges.map(|label| canonical_end(problem, end, label)));
            }
            for (end, label) in shown {
                self.add_variable(Meaning::Shown { end, label });
            }
        }
    }

    /// Requires that each cell takes exactly one value, and defines the variables of kinds.
    fn fill_cells(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        let kind_of = |value: &usize| problem.kinds.values[*value].kind;
        for (cell, values) in fitting.iter().enumerate() {
            let variables = |values: &[usize]| -> Vec<i32> {
                values.iter().map(|&value| self.placement(cell, value)).collect()
            };
            let mut rules = vec![Rule::Clause(variables(values))];
            let mut kinds = Vec::new();
            for values in values.chunk_by(|a, b| kind_of(a) == kind_of(b)) {
                let kind = self.variables[&Meaning::Kind { cell, kind: kind_of(&values[0]) }];
                let values = variables(values);
                rules.push(Rule::Clause([&values[..], &[-kind]].concat()));
                rules.extend(values.iter().map(|&value| Rule::Clause(vec![-value, kind])));
                rules.push(Rule::AtMost { of: values, most: 1 });
                kinds.push(kind);
            }
            rules.push(Rule::AtMost { of: kinds, most: 1 });
            self.rules.extend(rules);
        }
    }

    /// Limits each kind to its copies. A kind with one copy that must be used is placed somewhere.
    /// For other kinds, the use of all copies follows from the number of cells, and no lemma needs
    /// it.
    fn count_kinds(&mut self, problem: &Problem) {
        for (index, kind) in problem.kinds.kinds.iter().enumerate() {
            let cells = 0..problem.board.size();
            let of: Vec<i32> = cells.filter_map(|cell| self.kind_variable(cell, index)).collect();
            if kind.copies == 1 && problem.uses_every_tile() {
                self.rules.push(Rule::Clause(of.clone()));
            }
            let most = kind.copies;
            self.rules.push(Rule::AtMost { of, most });
        }
    }

    /// Requires that touching sides show matching labels.
    fn match_seams(&mut self, problem: &Problem, fitting: &[Vec<usize>]) {
        for seam in 0..problem.board.seams().len() {
            for end in SeamEnd::both(seam) {
                self.define_labels(problem, end, fitting);
            }
            if !problem.puzzle.labels.fit_mates_only() {
                for end in SeamEnd::both(seam) {
                    self.match_end(problem, end);
                }
            }
        }
    }

    /// Requires that the label at this end matches a label at the other end.
    fn match_end(&mut self, problem: &Problem, end: SeamEnd) {
        let labels = &problem.puzzle.labels;
        for label in labels.all() {
            if let Some(shown) = self.shown_variable(problem, end, label) {
                let fitting = labels.fitting(label);
                let against =
                    fitting.filter_map(|label| self.shown_variable(problem, end.other(), label));
                let clause = against.chain([-shown]).collect();
                self.rules.push(Rule::Clause(clause));
            }
        }
    }

    /// Defines the labels of an end: it shows a label if and only if its cell takes a value that
    /// shows it.
    fn define_labels(&mut self, problem: &Problem, end: SeamEnd, fitting: &[Vec<usize>]) {
        let (cell, side) = end.side(problem);
        let labels = &problem.puzzle.labels;
        // The values that show each label, by variable.
        let mut showing: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
        for shown in labels.all().filter_map(|label| self.shown_variable(problem, end, label)) {
            showing.entry(shown).or_default();
        }
        if end.is_first || !labels.fit_mates_only() {
            let of = showing.keys().copied().collect();
            self.rules.push(Rule::AtMost { of, most: 1 });
        }
        for &value in &fitting[cell] {
            let label = problem.kinds.values[value].edges[side];
            let (end, label) = canonical_end(problem, end, label);
            let shown = self.variables[&Meaning::Shown { end, label }];
            let value = self.placement(cell, value);
            self.rules.push(Rule::Clause(vec![-value, shown]));
            showing.entry(shown).or_default().push(value);
        }
        let clauses = showing.into_iter().map(|(shown, values)| [&values[..], &[-shown]].concat());
        self.rules.extend(clauses.map(Rule::Clause));
    }

    /// Translates a formula to a rule, and adds a variable with a rule for each of its parts.
    fn condition(&mut self, formula: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> Rule {
        match formula {
            CellFormula::Linear(sum) => self.weighted(sum, fitting).in_order(),
            CellFormula::AtLeast(number, parts) => {
                let of = parts.iter().map(|part| self.condition_variable(part, fitting));
                Rule::at_least(*number, of.collect()).in_order()
            }
        }
    }

    /// The variable that implies a part of a formula; it is added, with its rule, unless an equal
    /// part has one.
    fn condition_variable(&mut self, part: &CellFormula<ValueSet>, fitting: &[Vec<usize>]) -> i32 {
        let condition = self.condition(part, fitting);
        if let Some(&known) = self.holding.get(&condition) {
            return known;
        }
        let variable = self.add_variable(Meaning::Holds { condition: self.conditions.len() });
        self.rules.extend(condition.when(variable));
        self.conditions.push(condition.clone());
        self.holding.insert(condition, variable);
        variable
    }

    /// Translates a bounded sum over the values of cells to a rule.
    fn weighted(&self, sum: &CellSum<ValueSet>, fitting: &[Vec<usize>]) -> Rule {
        let cells = sum.cells.iter().map(|(cell, levels)| {
            let values = fitting[*cell]
                .iter()
                .map(|&value| (self.placement(*cell, value), coefficient(levels, value)));
            values.collect()
        });
        Rule::Sum { cells: cells.collect(), most: sum.bound }
    }

    /// Describes the variables as JSON for the manifest. Each list numbers its variables from
    /// `from` on. A kind has the name of its first tile. The variables from `auxiliary` on have no
    /// description.
    pub fn map(&self, problem: &Problem) -> Value {
        let name = |cell: usize| json!(problem.board.cells()[cell].name);
        let [mut x, mut y, mut z]: [Vec<Value>; 3] = Default::default();
        let mut from = 1;
        for alike in self.meanings.chunk_by(|a, b| a.place() == b.place()) {
            let members = alike.iter().map(|meaning| member(problem, meaning)).collect_vec();
            match alike[0] {
                Meaning::Placement { cell, .. } => {
                    x.push(json!({"from": from, "cell": name(cell), "placements": members}));
                }
                Meaning::Kind { cell, .. } => {
                    y.push(json!({"from": from, "cell": name(cell), "tiles": members}));
                }
                Meaning::Shown { end, .. } => {
                    let seam = end.sides(problem).map(|(cell, _)| name(cell));
                    z.push(json!({"from": from, "seam": seam, "shows": members}));
                }
                Meaning::Holds { .. } => break,
            }
            from += alike.len();
        }
        json!({"x": x, "y": y, "z": z, "auxiliary": from})
    }
}

/// The JSON that describes a variable in the list of its cell or seam; null for a condition.
fn member(problem: &Problem, meaning: &Meaning) -> Value {
    let tile_of = |kind: usize| &problem.puzzle.tiles[problem.kinds.kinds[kind].tiles[0]];
    match *meaning {
        Meaning::Placement { value, .. } => {
            let value = &problem.kinds.values[value];
            let rotation = value.orientation.rotation();
            let tile = tile_of(value.kind);
            match tile.back {
                None => json!([tile.name, rotation]),
                Some(_) => json!([tile.name, rotation, value.orientation.face().name()]),
            }
        }
        Meaning::Kind { kind, .. } => json!(tile_of(kind).name),
        Meaning::Shown { label, .. } => json!(problem.puzzle.labels.name(label)),
        Meaning::Holds { .. } => Value::Null,
    }
}

/// The coefficient of a value in a sum; 0 if no level contains it.
pub(super) fn coefficient(levels: &[CoefficientLevel<ValueSet>], value: usize) -> i64 {
    let level = levels.iter().find(|level| level.values.contains(value));
    level.map_or(0, |level| level.coefficient)
}

/// For each cell, the values that satisfy the rules for single cells: the number of sides, the
/// border image on the rim and nowhere else, and matching sides where the cell touches itself.
pub(super) fn fitting(problem: &Problem) -> Vec<Vec<usize>> {
    let mut on_rim = problem.board.cells().iter().map(|cell| vec![false; cell.sides]).collect_vec();
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

/// The index of the cell with this name; `None` if there is none.
pub(super) fn cell_named(problem: &Problem, name: &CellName) -> Option<usize> {
    problem.board.cells().iter().position(|cell| cell.name == *name)
}

/// One of the two sides of a seam.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SeamEnd {
    pub seam: usize,
    /// True for the first side in the board's order.
    pub is_first: bool,
}

impl SeamEnd {
    /// The two ends of the seam with this index.
    pub fn both(seam: usize) -> [SeamEnd; 2] {
        [true, false].map(|is_first| SeamEnd { seam, is_first })
    }

    /// The opposite end of the same seam.
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

/// The canonical (end, label) whose variable also represents this one: if all edges are known, the
/// first end of the seam with the corresponding label.
pub(super) fn canonical_end(problem: &Problem, end: SeamEnd, label: Label) -> (SeamEnd, Label) {
    let labels = &problem.puzzle.labels;
    if end.is_first || !labels.fit_mates_only() {
        (end, label)
    } else {
        (end.other(), labels.mate(label))
    }
}
