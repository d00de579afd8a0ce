//! The 0-1 model: named binary variables, named rows, and a formulation for the seams.
//!
//! x\[c,t,r\] = 1 when tile t lies in cell c in rotation r, for the placements left in c's domain;
//! over kinds, t is the first tile of the kind and r the rotation in which it looks the same. Rows:
//!
//! - a cell takes one placement: Σ x\[c,·,·\] = 1;
//! - a kind is used as often as it must and may be: Σ x\[·,t,·\] = count, or ≤ with more tiles than
//!   cells;
//! - each seam has the rows of one of the [formulations](FORMULATIONS); if the seam may break, a
//!   variable of its own relaxes them, and at most so many of these variables are 1;
//! - each solution found has a no-good cut.
//!
//! The model is plain data: it can be counted, printed, and evaluated on an arrangement without a
//! solver. A new formulation is one file and one line in [`FORMULATIONS`]. [`export`] writes models
//! for other programs.

mod balance;
mod constraints;
pub mod export;
mod size;
mod support;
mod tuple;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use itertools::iproduct;

pub use self::balance::Balance;
use self::constraints::Stating;
pub use self::size::{Rows, Size};
pub use self::support::Support;
pub use self::tuple::Tuple;
use crate::board::Seam;
use crate::domains::Domains;
use crate::problem::{Placed, Problem};
use crate::puzzle::ValueSet;
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::Table;

/// Constraints with larger weights are no rows of a model that a solver with tolerances is given.
const LARGEST_WEIGHT: i64 = 1_000;

/// Units of work that it takes to look a placement up, or to state a term of a row.
const UNITS_PER_TERM: usize = 32;

/// Every formulation, the default first.
pub const FORMULATIONS: [&dyn Formulation; 3] = [&Balance, &Support, &Tuple];

/// A variable of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// `x[row,column,tile,rotation]` for a placement.
    pub name: String,
    /// When it is 1.
    pub meaning: Meaning,
}

/// When a variable is 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    /// When the cell shows the value.
    Placement {
        /// The cell.
        cell: usize,
        /// The value.
        value: usize,
    },
    /// When both variables are 1. It need not be declared integer: the rows make it so.
    Both(usize, usize),
    /// When a seam that may break does not fit.
    Broken,
    /// When a part of an extra constraint holds.
    Holds,
}

/// How a row's sum compares with its bound.
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
    /// As most formats write it.
    fn sign(self) -> &'static str {
        match self {
            Sense::Equal => "=",
            Sense::AtMost => "<=",
            Sense::AtLeast => ">=",
        }
    }
}

/// A linear constraint with whole coefficients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it says, in short.
    pub name: String,
    /// Variables, each once, with their coefficients.
    pub terms: Vec<(usize, i64)>,
    /// How the sum compares with the bound.
    pub sense: Sense,
    /// The bound.
    pub bound: i64,
}

impl Row {
    /// Whether the values, one a variable, obey the row.
    pub fn holds(&self, point: &[i64]) -> bool {
        let sum: i64 = self.terms.iter().map(|&(v, c)| c * point[v]).sum();
        match self.sense {
            Sense::Equal => sum == self.bound,
            Sense::AtMost => sum <= self.bound,
            Sense::AtLeast => sum >= self.bound,
        }
    }
}

/// A way to state with linear rows that two sides of a seam match.
pub trait Formulation: fmt::Debug + Send + Sync {
    /// The name on the command line.
    fn name(&self) -> &'static str;

    /// Adds the rows, and where needed variables, of one seam. `Break` where the token says so.
    fn encode(&self, seam: &SeamEncoding<'_>, model: &mut Model, token: &CancelToken<'_>) -> Flow;

    /// The size of what [`Formulation::encode`] adds.
    fn size(&self, seam: &SeamEncoding<'_>) -> Size;
}

/// A seam as a formulation sees it.
pub struct SeamEncoding<'a> {
    /// The seam.
    pub seam: &'a Seam,
    /// Its compatibility table.
    pub table: &'a Table,
    /// The values that the first cell can still take.
    pub first: &'a ValueSet,
    /// The values that the second cell can still take.
    pub second: &'a ValueSet,
    /// How its rows are called.
    pub name: String,
    /// What each block of the table is called.
    pub block_names: Vec<String>,
}

impl SeamEncoding<'_> {
    /// The two cells.
    pub fn cells(&self) -> [usize; 2] {
        [self.seam.first, self.seam.second].map(|(cell, _)| cell)
    }
}

/// Variables and rows of one problem in given domains.
#[derive(Debug, Clone, Default)]
pub struct Model {
    /// The variables; a variable is referred to by its place in this list.
    pub variables: Vec<Variable>,
    /// The rows: those of cells, tiles and seams, then the extra constraints, then cuts.
    pub rows: Vec<Row>,
    /// The number of rows that state cells, tiles and seams.
    of_puzzle: usize,
    of_placement: HashMap<(usize, usize), usize>,
    /// Variables that are 1 where a row holds, which counts placements and those before it.
    reified: Vec<(usize, Row)>,
}

impl Model {
    /// States a problem in the given domains. Extra constraints with weights that a solver's
    /// tolerances would blur are left out: whoever solves the model must test
    /// [`CellSum::holds`](crate::problem::CellSum::holds) for sums, alone and in formulas. `Break`
    /// where the token says so.
    pub fn build(
        problem: &Problem,
        domains: &Domains,
        formulation: &dyn Formulation,
        token: &CancelToken<'_>,
    ) -> Flow<Model> {
        Model::stating(Stating::ForSolvers, (problem, domains), formulation, token)
    }

    /// States a problem with all its extra constraints, whatever their weights. A solver that works
    /// with tolerances may take a row of large weights for kept where it is broken by a little: by
    /// about the largest weight times the tolerance.
    pub fn build_whole(
        problem: &Problem,
        domains: &Domains,
        formulation: &dyn Formulation,
    ) -> Model {
        let (problem, token) = ((problem, domains), &CancelToken::never());
        let model = Model::stating(Stating::Exactly, problem, formulation, token);
        model.continue_value().unwrap_or_default()
    }

    fn stating(
        stating: Stating,
        (problem, domains): (&Problem, &Domains),
        formulation: &dyn Formulation,
        token: &CancelToken<'_>,
    ) -> Flow<Model> {
        let mut model = Model::default();
        model.declare_placements(problem, domains, token)?;
        model.post_cells(problem, domains, token)?;
        model.post_kinds(problem, domains, token)?;
        for seam in problem.board.seams() {
            let seam_encoding = seam_encoding(problem, domains, seam);
            formulation.encode(&seam_encoding, &mut model, token)?;
        }
        // Each seam that may break has a variable of its own, which loosens its rows.
        if let Some(most) = problem.most_broken {
            for seam in problem.board.wanted_seams() {
                let seam_encoding = seam_encoding(problem, domains, seam);
                let name = seam_encoding.name.replacen("seam", "broken", 1);
                let broken = model.declare(name, Meaning::Broken);
                let rows = model.rows.len();
                formulation.encode(&seam_encoding, &mut model, token)?;
                model.loosen(rows, broken);
            }
            model.of_puzzle = model.rows.len();
            model.post_most_broken(problem, most);
        } else {
            model.of_puzzle = model.rows.len();
        }
        model.post_constraints(problem, domains, stating, token)?;
        ControlFlow::Continue(model)
    }

    /// The rows from this one on need not hold where a variable is 1. Both sides of each are at
    /// most 1 in a broken seam, so that 1 is room enough.
    fn loosen(&mut self, from: usize, broken: usize) {
        for row in self.rows.split_off(from) {
            let senses: &[(Sense, i64)] = match row.sense {
                Sense::Equal => &[(Sense::AtMost, -1), (Sense::AtLeast, 1)],
                Sense::AtMost => &[(Sense::AtMost, -1)],
                Sense::AtLeast => &[(Sense::AtLeast, 1)],
            };
            for &(sense, room) in senses {
                let mut terms = row.terms.clone();
                terms.push((broken, room));
                let end = match (row.sense, sense) {
                    (Sense::Equal, Sense::AtMost) => "most",
                    (Sense::Equal, _) => "least",
                    _ => "",
                };
                self.post(format!("{}{end}", row.name), terms, sense, row.bound);
            }
        }
    }

    /// A seam between two cells breaks where its variable says so, one within a cell by what lies
    /// there.
    fn post_most_broken(&mut self, problem: &Problem, most: usize) {
        let variables = self.variables.iter().enumerate();
        let broken = variables.filter(|(_, v)| v.meaning == Meaning::Broken);
        let mut terms: Vec<(usize, i64)> = broken.map(|(variable, _)| (variable, 1)).collect();
        for cell in 0..problem.board.size() {
            let own = problem.tables().own_broken(cell).iter();
            let breaking = own.enumerate().filter(|(_, broken)| **broken > 0);
            let left = breaking.filter_map(|(value, &broken)| {
                let variable = self.of_placement.get(&(cell, value))?;
                Some((*variable, broken as i64))
            });
            terms.extend(left);
        }
        self.post("broken".into(), terms, Sense::AtMost, most as i64);
    }

    fn declare_placements(
        &mut self,
        problem: &Problem,
        domains: &Domains,
        token: &CancelToken<'_>,
    ) -> Flow {
        for (cell, value) in smallest_choice_first(problem, domains, token)? {
            let place = problem.board.cells()[cell].name.bare();
            let Placed { tile, orientation } = problem.first_with(value);
            let tile = &problem.puzzle.tiles[tile];
            let orientation = tile.word(orientation);
            let name = format!("x[{place},{},{orientation}]", tile.name);
            let variable = self.declare(name, Meaning::Placement { cell, value });
            self.of_placement.insert((cell, value), variable);
            token.work(UNITS_PER_TERM)?;
        }
        ControlFlow::Continue(())
    }

    fn post_cells(
        &mut self,
        problem: &Problem,
        domains: &Domains,
        token: &CancelToken<'_>,
    ) -> Flow {
        for (cell, domain) in domains.cells.iter().enumerate() {
            let name = format!("cell{}", problem.board.cells()[cell].name);
            let terms = domain.iter().map(|value| (self.placement(cell, value), 1));
            let terms = terms.collect();
            self.post(name, terms, Sense::Equal, 1);
            token.work(UNITS_PER_TERM * domain.len())?;
        }
        ControlFlow::Continue(())
    }

    fn post_kinds(
        &mut self,
        problem: &Problem,
        domains: &Domains,
        token: &CancelToken<'_>,
    ) -> Flow {
        for (kind, uses) in problem.kinds.kinds.iter().zip(&domains.uses) {
            token.work(UNITS_PER_TERM * problem.board.size() * kind.values.len())?;
            let tile = &problem.puzzle.tiles[kind.tiles[0]].name;
            let terms: Vec<_> = (0..problem.board.size())
                .flat_map(|cell| kind.values.clone().map(move |value| (cell, value)))
                .filter_map(|placement| self.of_placement.get(&placement))
                .map(|&variable| (variable, 1))
                .collect();
            let least = uses.least as i64;
            let most = uses.most as i64;
            if least == most {
                self.post(format!("tile[{tile}]"), terms, Sense::Equal, most);
                continue;
            }
            if least > 0 {
                let name = format!("tile[{tile}]least");
                self.post(name, terms.clone(), Sense::AtLeast, least);
            }
            self.post(format!("tile[{tile}]most"), terms, Sense::AtMost, most);
        }
        ControlFlow::Continue(())
    }

    /// Adds a variable.
    pub fn declare(&mut self, name: String, meaning: Meaning) -> usize {
        self.variables.push(Variable { name, meaning });
        self.variables.len() - 1
    }

    /// Adds a row, unless it has no terms and says nothing.
    pub fn post(&mut self, name: String, terms: Vec<(usize, i64)>, sense: Sense, bound: i64) {
        let row = Row { name, terms, sense, bound };
        if !row.terms.is_empty() || !row.holds(&[]) {
            self.rows.push(row);
        }
    }

    /// The variable of a placement that is in the domains.
    ///
    /// # Panics
    /// Where the placement was not in the domains of [`Model::build`].
    pub fn placement(&self, cell: usize, value: usize) -> usize {
        self.of_placement[&(cell, value)]
    }

    /// The cut that excludes every solution with one of these values in each of these cells:
    /// Σ x ≤ cells − 1.
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

    /// The value of every variable when each cell shows the given value; `None` where a value is
    /// not in the domains that the model was built for.
    pub fn point(&self, values: &[usize]) -> Option<Vec<i64>> {
        let mut point = vec![0; self.variables.len()];
        for (cell, &value) in values.iter().enumerate() {
            point[*self.of_placement.get(&(cell, value))?] = 1;
        }
        for (index, variable) in self.variables.iter().enumerate() {
            if let Meaning::Both(x, y) = variable.meaning {
                point[index] = point[x] * point[y];
            }
        }
        for (variable, row) in &self.reified {
            point[*variable] = i64::from(row.holds(&point));
        }
        // A seam is broken where its rows say so.
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

    /// The first row that the values break.
    pub fn broken_row(&self, point: &[i64]) -> Option<&Row> {
        self.rows.iter().find(|row| !row.holds(point))
    }

    /// The number of coefficients in all rows.
    pub fn nonzeros(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len()).sum()
    }
}

/// A seam for a formulation.
fn seam_encoding<'a>(
    problem: &'a Problem,
    domains: &'a Domains,
    seam: &'a Seam,
) -> SeamEncoding<'a> {
    let table = problem.tables().of(seam);
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

/// All placements, in the order in which they are best decided; with a zero objective microlp
/// branches on the variable created first.
///
/// A tile with fewer placements than any cell comes first, then the cells that it can lie in, then
/// the others, each time those with the fewest placements. Measured on the 4×4s of `puzzles/`:
/// 2 to 10 times faster than cells alone; on a 3×3 the restricted centre comes first.
fn smallest_choice_first(
    problem: &Problem,
    domains: &Domains,
    token: &CancelToken<'_>,
) -> Flow<Vec<(usize, usize)>> {
    let mut cells: Vec<usize> = (0..problem.board.size()).collect();
    let smallest_cell = domains.cells.iter().map(ValueSet::len).min();
    let placements = |kind: usize| -> Vec<(usize, usize)> {
        iproduct!(cells.iter().copied(), problem.kinds.kinds[kind].values.clone())
            .filter(|&(cell, value)| domains.cells[cell].contains(value))
            .collect()
    };
    let mut rarest: Option<Vec<(usize, usize)>> = None;
    for kind in (0..problem.kinds.kinds.len()).filter(|&kind| domains.uses[kind].least > 0) {
        let placements = placements(kind);
        if rarest.as_ref().is_none_or(|rarest| placements.len() < rarest.len()) {
            rarest = Some(placements);
        }
        token.work(cells.len() * problem.kinds.kinds[kind].values.len())?;
    }
    let mut chosen =
        rarest.filter(|placements| Some(placements.len()) < smallest_cell).unwrap_or_default();
    let leading: HashSet<(usize, usize)> = chosen.iter().copied().collect();
    let leading_cells: HashSet<usize> = chosen.iter().map(|p| p.0).collect();
    cells.sort_by_key(|c| (!leading_cells.contains(c), domains.cells[*c].len()));
    for cell in cells {
        let placements = domains.cells[cell].iter().map(|value| (cell, value));
        chosen.extend(placements.filter(|placement| !leading.contains(placement)));
        token.work(UNITS_PER_TERM * domains.cells[cell].len())?;
    }
    ControlFlow::Continue(chosen)
}
