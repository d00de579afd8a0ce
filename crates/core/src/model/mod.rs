//! The 0-1 model: named binary variables, named rows, and a formulation for the seams.
//!
//! x\[c,t,r\] = 1 if tile t is placed in cell c in rotation r, for the placements in c's domain.
//! Over kinds, t is the first tile of the kind and r the rotation in which it looks the same. Rows:
//!
//! - each cell contains one placement: Σ x\[c,·,·\] = 1;
//! - each kind is used within its limits: Σ x\[·,t,·\] = count, or ≤ count if there are more tiles
//!   than cells;
//! - each seam has the rows of one of the [formulations](FORMULATIONS); if the seam may break, a
//!   `broken` variable relaxes them, and the number of broken seams is bounded;
//! - each solution found has a no-good cut.
//!
//! The model is plain data: it can be counted, printed, and evaluated on an arrangement without a
//! solver. A new formulation is one file and one line in [`FORMULATIONS`].

mod balance;
mod constraints;
mod objective;
mod size;
mod support;
mod tuple;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use itertools::iproduct;

pub use self::balance::Balance;
use self::constraints::ConstraintDetail;
pub use self::objective::LinearObjective;
pub use self::size::{ModelSize, RowsSize};
pub use self::support::Support;
pub use self::tuple::Tuple;
use crate::board::Seam;
use crate::domains::Domains;
use crate::problem::{Objective, Placed, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::Table;

/// The maximum absolute coefficient in a row for a solver with tolerances.
pub const LARGEST_WEIGHT: i64 = 1_000;

/// The units of work of the token for looking up a placement or adding a term to a row.
const UNITS_PER_TERM: usize = 32;

/// Every formulation, the default first.
pub const FORMULATIONS: [&dyn Formulation; 3] = [&Balance, &Support, &Tuple];

/// A binary variable of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// The name in the model, such as `x[row,column,tile,rotation]` for a placement.
    pub name: String,
    /// The condition under which it is 1; otherwise it is 0.
    pub meaning: Meaning,
}

/// The condition under which a variable is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// The cell contains the value.
    Placement {
        /// The cell.
        cell: usize,
        /// The value.
        value: usize,
    },
    /// Both variables are 1. The rows imply integrality, so it need not be declared integer.
    Both(usize, usize),
    /// A seam that may break does not fit.
    Broken,
    /// A part of an extra constraint holds.
    Holds,
}

/// The comparison of a row's sum with its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// Σ = bound.
    Equal,
    /// Σ ≤ bound.
    AtMost,
    /// Σ ≥ bound.
    AtLeast,
}

impl Sense {
    /// The sign in most file formats, such as `<=`.
    pub fn sign(self) -> &'static str {
        match self {
            Sense::Equal => "=",
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
        }
    }

    /// The factors by which a row is multiplied to become upper bounds: an equation becomes two.
    pub fn signs(self) -> &'static [i64] {
        match self {
            Sense::Equal => &[1, -1],
            Sense::AtMost => &[1],
            Sense::AtLeast => &[-1],
        }
    }
}

/// A linear constraint with integer coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The name, such as `cell(1,2)`; unique in a model.
    pub name: String,
    /// The variables with their coefficients, each variable at most once.
    pub terms: Vec<(usize, i64)>,
    /// The comparison of the sum with the bound.
    pub sense: Sense,
    /// The bound.
    pub bound: i64,
}

impl Row {
    /// Returns true if the values, one per variable, satisfy the row.
    pub fn holds(&self, point: &[i64]) -> bool {
        let sum: i64 = self.terms.iter().map(|&(v, c)| c * point[v]).sum();
        match self.sense {
            Sense::Equal => sum == self.bound,
            Sense::AtMost => sum <= self.bound,
            Sense::AtLeast => sum >= self.bound,
        }
    }
}

/// A linear encoding of the condition that the two sides of a seam match.
pub trait Formulation: fmt::Debug + Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Adds the rows of one seam, and variables if needed. Breaks if the token stops the run.
    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model, token: &CancelToken<'_>) -> Flow;

    /// The number and size of the rows and variables that [`Formulation::encode`] adds.
    fn size(&self, seam: &SeamEncoding<'_>) -> ModelSize;
}

/// The input of a formulation: a seam, its table and both domains.
pub struct SeamEncoding<'a> {
    /// The seam.
    pub seam: &'a Seam,
    /// The table of allowed pairs.
    pub table: &'a Table,
    /// The domain of the first cell.
    pub first: &'a ValueSet,
    /// The domain of the second cell.
    pub second: &'a ValueSet,
    /// The prefix for the names of the rows.
    pub name: String,
    /// The name of each block of the table.
    pub block_names: Vec<String>,
}

impl SeamEncoding<'_> {
    /// The first and the second cell of the seam.
    pub fn cells(&self) -> [usize; 2] {
        [self.seam.first, self.seam.second].map(|(cell, _)| cell)
    }
}

/// The variables and rows of one problem within given domains.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The variables, identified by their index in this list.
    pub variables: Vec<Variable>,
    /// The rows: first those of cells, tiles and seams, then the extra constraints, then cuts.
    pub rows: Vec<Row>,
    /// Rows that are sums of others, and not part of the model. Propagation finds more with them.
    pub implied: Vec<Row>,
    /// The objective; `None` if all solutions are equally good.
    pub objective: Option<LinearObjective>,
    /// The number of rows for cells, tiles and seams, which come first in `rows`.
    pub puzzle_rows: usize,
    variable_of: HashMap<(usize, usize), usize>,
    /// The variables for parts of constraints; each is 1 if the given row over earlier variables
    /// holds.
    reified: Vec<(usize, Row)>,
}

impl Model {
    /// Builds the model of a problem within the given domains. Breaks if the token stops the run.
    ///
    /// Extra constraints with weights beyond a solver's tolerances are omitted, so the caller must
    /// test solutions with [`CellSum::holds`](crate::problem::CellSum::holds) for every sum,
    /// including those in formulas.
    ///
    /// Unless `objectives` is empty, the model has an objective, and the problem must distinguish
    /// the placements that they distinguish, as by [`weakest`](crate::optimise::weakest).
    pub fn build(
        problem: &Problem,
        objectives: &[Objective],
        domains: &Domains,
        formulation: &dyn Formulation,
        token: &CancelToken<'_>,
    ) -> Flow<Model> {
        let (model, detail) = (Model::default(), ConstraintDetail::ForSolvers);
        ModelBuilder { model, problem, domains, detail, token }.build(formulation, objectives)
    }

    /// Builds the model with all extra constraints, including those with large weights. A solver
    /// with tolerances may accept a point that violates such a row by about the largest weight
    /// times the tolerance. Objectives are as in [`build`](Model::build).
    pub fn build_whole(
        problem: &Problem,
        objectives: &[Objective],
        domains: &Domains,
        formulation: &dyn Formulation,
    ) -> Model {
        let (model, detail) = (Model::default(), ConstraintDetail::Exactly);
        let token = &CancelToken::never();
        let builder = ModelBuilder { model, problem, domains, detail, token };
        builder.build(formulation, objectives).continue_value().unwrap_or_default()
    }

    /// Adds a variable and returns its index.
    pub fn declare(&mut self, name: String, meaning: Meaning) -> usize {
        self.variables.push(Variable { name, meaning });
        self.variables.len() - 1
    }

    /// Adds a row, unless it has no terms and holds.
    pub fn post(&mut self, name: String, terms: Vec<(usize, i64)>, sense: Sense, bound: i64) {
        let row = Row { name, terms, sense, bound };
        if !row.terms.is_empty() || !row.holds(&[]) {
            self.rows.push(row);
        }
    }

    /// The index of the variable of a placement.
    ///
    /// # Panics
    /// If the placement was not in the domains given to [`Model::build`].
    pub fn placement(&self, cell: usize, value: usize) -> usize {
        self.variable_of[&(cell, value)]
    }

    /// The row that excludes every solution that has one of the given values in each of the given
    /// cells: Σ x ≤ cells − 1. It is not added. `number` becomes part of its name.
    ///
    /// # Panics
    /// If a placement was not in the domains given to [`Model::build`].
    pub fn no_good(&self, cut: &[(usize, Vec<usize>)], number: u64) -> Row {
        let terms = cut.iter().flat_map(|(cell, values)| {
            values.iter().map(|&value| (self.placement(*cell, value), 1))
        });
        Row {
            name: format!("no_good[{number}]"),
            terms: terms.collect(),
            sense: Sense::AtMost,
            bound: cut.len() as i64 - 1,
        }
    }

    /// The value of every variable for the arrangement with `values`, one per cell; `None` if a
    /// value is not in the domains of the model. The point may violate rows.
    pub fn point(&self, values: &[usize]) -> Option<Vec<i64>> {
        let mut point = vec![0; self.variables.len()];
        for (cell, &value) in values.iter().enumerate() {
            point[*self.variable_of.get(&(cell, value))?] = 1;
        }
        for (index, variable) in self.variables.iter().enumerate() {
            if let Meaning::Both(x, y) = variable.meaning {
                point[index] = point[x] * point[y];
            }
        }
        for (variable, row) in &self.reified {
            point[*variable] = i64::from(row.holds(&point));
        }
        // A seam is broken if the point violates one of its relaxed rows.
        let is_broken = |&variable: &usize| {
            let mut rows = self.rows.iter();
            self.variables[variable].meaning == Meaning::Broken
                && rows.any(|row| row.terms.iter().any(|t| t.0 == variable) && !row.holds(&point))
        };
        let broken: Vec<usize> = (0..point.len()).filter(is_broken).collect();
        for variable in broken {
            point[variable] = 1;
        }
        Some(point)
    }

    /// The first row that the point violates; `None` if it satisfies the model.
    pub fn broken_row(&self, point: &[i64]) -> Option<&Row> {
        self.rows.iter().find(|row| !row.holds(point))
    }

    /// The number of terms in all rows together.
    pub fn nonzeros(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len()).sum()
    }
}

/// A model under construction. Methods that return a flow break if the token stops the run.
struct ModelBuilder<'a> {
    model: Model,
    problem: &'a Problem,
    domains: &'a Domains,
    detail: ConstraintDetail,
    token: &'a CancelToken<'a>,
}

impl ModelBuilder<'_> {
    /// Builds the model, with an objective unless `objectives` is empty.
    fn build(mut self, formulation: &dyn Formulation, objectives: &[Objective]) -> Flow<Model> {
        let (problem, domains, token) = (self.problem, self.domains, self.token);
        self.declare_placements()?;
        self.post_cells()?;
        self.post_kinds()?;
        for seam in problem.board.seams() {
            let seam_encoding = seam_encoding(problem, domains, seam);
            formulation.encode(&seam_encoding, &mut self.model, token)?;
        }
        // Each seam that may break has a variable that relaxes its rows.
        if let Some(most) = problem.most_broken {
            for seam in problem.board.wanted_seams() {
                let seam_encoding = seam_encoding(problem, domains, seam);
                let model = &mut self.model;
                let name = seam_encoding.name.replacen("seam", "broken", 1);
                let broken = model.declare(name, Meaning::Broken);
                let before = (model.rows.len(), model.implied.len());
                formulation.encode(&seam_encoding, model, token)?;
                let rows = model.rows.split_off(before.0);
                model.rows.extend(relaxed(rows, broken));
                let implied = model.implied.split_off(before.1);
                model.implied.extend(relaxed(implied, broken));
            }
            self.model.puzzle_rows = self.model.rows.len();
            self.post_most_broken(most);
        } else {
            self.model.puzzle_rows = self.model.rows.len();
        }
        self.post_constraints()?;
        if !objectives.is_empty() {
            self.post_objectives(objectives)?;
        }
        ControlFlow::Continue(self.model)
    }

    /// Adds the row that bounds the number of broken seams by `most`.
    fn post_most_broken(&mut self, most: usize) {
        let terms = self.broken_terms();
        self.model.post("broken".into(), terms, Sense::AtMost, most as i64);
    }

    /// The terms that count broken seams. A seam between two cells has a variable; a seam within a
    /// cell is broken by the placements of that cell.
    fn broken_terms(&self) -> Vec<(usize, i64)> {
        let variables = self.model.variables.iter().enumerate();
        let broken = variables.filter(|(_, v)| v.meaning == Meaning::Broken);
        let mut terms: Vec<(usize, i64)> = broken.map(|(variable, _)| (variable, 1)).collect();
        for cell in 0..self.problem.board.size() {
            let own = self.problem.tables().own_broken(cell).iter();
            let breaking = own.enumerate().filter(|(_, broken)| **broken > 0);
            let left = breaking.filter_map(|(value, &broken)| {
                let variable = self.model.variable_of.get(&(cell, value))?;
                Some((*variable, broken as i64))
            });
            terms.extend(left);
        }
        terms
    }

    /// Adds the variables of all placements in the domains.
    fn declare_placements(&mut self) -> Flow {
        for (cell, value) in self.smallest_choice_first()? {
            let place = self.problem.board.cells()[cell].name.bare();
            let Placed { tile, orientation } = self.problem.first_with(value);
            let tile = &self.problem.puzzle.tiles[tile];
            let orientation = tile.describe(orientation);
            let name = format!("x[{place},{},{orientation}]", tile.name);
            let variable = self.model.declare(name, Meaning::Placement { cell, value });
            self.model.variable_of.insert((cell, value), variable);
            self.token.work(UNITS_PER_TERM)?;
        }
        ControlFlow::Continue(())
    }

    /// The placements in the order in which their variables are created, which is the branching
    /// order: with a zero objective, microlp branches on the variable created first.
    ///
    /// A kind with fewer placements than any cell comes first, then the cells that it can be placed
    /// in, then the other cells, both by ascending domain size. On the 4×4 puzzles in `puzzles/`
    /// this is 2 to 10 times faster than cells alone; on a 3×3 board the restricted centre comes
    /// first.
    fn smallest_choice_first(&self) -> Flow<Vec<(usize, usize)>> {
        let (kinds, domains) = (&self.problem.kinds.kinds, self.domains);
        let mut cells: Vec<usize> = (0..self.problem.board.size()).collect();
        let smallest_cell = domains.cells.iter().map(ValueSet::len).min();
        let mut rarest: Option<Vec<(usize, usize)>> = None;
        for kind in (0..kinds.len()).filter(|&kind| domains.uses[kind].least > 0) {
            let all = iproduct!(cells.iter().copied(), kinds[kind].values.clone());
            let inside = all.filter(|&(cell, value)| domains.cells[cell].contains(value));
            let placements: Vec<(usize, usize)> = inside.collect();
            if rarest.as_ref().is_none_or(|rarest| placements.len() < rarest.len()) {
                rarest = Some(placements);
            }
            self.token.work(cells.len() * kinds[kind].values.len())?;
        }
        let mut chosen =
            rarest.filter(|placements| Some(placements.len()) < smallest_cell).unwrap_or_default();
        let leading: HashSet<(usize, usize)> = chosen.iter().copied().collect();
        let leading_cells: HashSet<usize> = chosen.iter().map(|p| p.0).collect();
        cells.sort_by_key(|c| (!leading_cells.contains(c), domains.cells[*c].len()));
        for cell in cells {
            let placements = domains.cells[cell].iter().map(|value| (cell, value));
            chosen.extend(placements.filter(|placement| !leading.contains(placement)));
            self.token.work(UNITS_PER_TERM * domains.cells[cell].len())?;
        }
        ControlFlow::Continue(chosen)
    }

    /// Adds a row for each cell: it contains one placement.
    fn post_cells(&mut self) -> Flow {
        for (cell, domain) in self.domains.cells.iter().enumerate() {
            let name = format!("cell{}", self.problem.board.cells()[cell].name);
            let terms = domain.iter().map(|value| (self.model.placement(cell, value), 1));
            let terms = terms.collect();
            self.model.post(name, terms, Sense::Equal, 1);
            self.token.work(UNITS_PER_TERM * domain.len())?;
        }
        ControlFlow::Continue(())
    }

    /// Adds one or two rows for each kind: the minimum and maximum number of its uses.
    fn post_kinds(&mut self) -> Flow {
        let cells = self.problem.board.size();
        for (kind, uses) in self.problem.kinds.kinds.iter().zip(&self.domains.uses) {
            self.token.work(UNITS_PER_TERM * cells * kind.values.len())?;
            let tile = &self.problem.puzzle.tiles[kind.tiles[0]].name;
            let terms: Vec<_> = iproduct!(0..cells, kind.values.clone())
                .filter_map(|placement| self.model.variable_of.get(&placement))
                .map(|&variable| (variable, 1))
                .collect();
            let (least, most) = (uses.least as i64, uses.most as i64);
            if least == most {
                self.model.post(format!("tile[{tile}]"), terms, Sense::Equal, most);
                continue;
            }
            if least > 0 {
                let name = format!("tile[{tile}]least");
                self.model.post(name, terms.clone(), Sense::AtLeast, least);
            }
            self.model.post(format!("tile[{tile}]most"), terms, Sense::AtMost, most);
        }
        ControlFlow::Continue(())
    }
}

/// Rows that need not hold if the variable `broken` is 1, and are like the given ones if it is 0.
/// Each side of these rows is at most 1, so a relaxation by 1 suffices.
fn relaxed(rows: Vec<Row>, broken: usize) -> impl Iterator<Item = Row> {
    rows.into_iter().flat_map(move |row| {
        let senses: &[(Sense, i64, &str)] = match row.sense {
            Sense::Equal => &[(Sense::AtMost, -1, "most"), (Sense::AtLeast, 1, "least")],
            Sense::AtMost => &[(Sense::AtMost, -1, "")],
            Sense::AtLeast => &[(Sense::AtLeast, 1, "")],
        };
        senses.iter().map(move |&(sense, room, end)| {
            let mut terms = row.terms.clone();
            terms.push((broken, room));
            Row { name: format!("{}{end}", row.name), terms, sense, bound: row.bound }
        })
    })
}

/// Collects the input of a formulation for a seam.
fn seam_encoding<'a>(
    problem: &'a Problem,
    domains: &'a Domains,
    seam: &'a Seam,
) -> SeamEncoding<'a> {
    let table = problem.tables().table_of(seam);
    let names = table.blocks().iter();
    let cell = |(cell, _): (usize, usize)| &problem.board.cells()[cell].name;
    SeamEncoding {
        seam,
        table,
        first: &domains.cells[seam.first.0],
        second: &domains.cells[seam.second.0],
        name: format!("seam{}{}", cell(seam.first), cell(seam.second)),
        block_names: names.map(|b| problem.puzzle.labels.name(b.label)).collect(),
    }
}
