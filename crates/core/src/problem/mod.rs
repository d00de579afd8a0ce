//! Problems: a puzzle on a board, with extra constraints.
//!
//! A [`Problem`] is complete and immutable. Kinds, group and linear constraints follow from the
//! puzzle, the board and the constraints; they are computed once, when it is built. Every later
//! stage takes it by reference. An [`Arrangement`] is a candidate solution. This folder has the
//! interface to constraints ([`Constraint`], [`Formula`]); the built-in constraints are in
//! [`constraints`].

mod arrangement;
mod builder;
mod constraint;
pub mod constraints;
mod formula;
mod linear;
mod objective;
pub mod oddities;
mod over_values;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

pub use self::arrangement::{Arrangement, Dependence, Placed};
pub use self::builder::{BuildError, ProblemBuilder};
pub use self::constraint::{Constraint, Listed, Nesting, Repeated, Weighted};
use self::constraint::{DistinguishAll, preserved_symmetries};
use self::constraints::CostLimit;
pub use self::formula::Formula;
pub use self::linear::{LinearConstraint, Term, TilePlacements};
pub use self::objective::{Objective, Objectives};
pub(crate) use self::over_values::coefficient_of;
pub use self::over_values::{CellFormula, CellSum, CoefficientLevel, OverSets};
use self::over_values::{Signatures, ValueConverter, values_of_placements};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{
    Assumption, Change, Copies, Face, Flip, Kinds, Label, Oddity, Orientation, Puzzle, ValueSet,
};
use crate::tables::Tables;

/// A puzzle on a board, with the derived data that every later stage needs: the kinds of tiles and
/// the group of symmetries under which solutions are counted.
///
/// The derived data follow from the puzzle, the board and the constraints. Therefore fields can be
/// read, but not changed.
#[derive(Debug, Clone)]
pub struct Problem {
    parts: ProblemParts,
    /// The compatibility tables, built on first use.
    tables: OnceLock<Arc<Tables>>,
}

/// The readable fields of a [`Problem`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProblemParts {
    /// The tiles and their matching rule.
    pub puzzle: Puzzle,
    /// The cells and seams.
    pub board: Board,
    /// Kinds and values of the tiles.
    pub kinds: Kinds,
    /// The symmetries of the board that preserve the allowed orientations and the list of
    /// constraints; the first one is the identity.
    pub group: Vec<Symmetry>,
    /// Additional constraints.
    pub constraints: Vec<Listed>,
    /// The indices of the [lazy](Constraint::is_lazy) constraints.
    pub lazy: Vec<usize>,
    /// The objectives of the file. An enumeration ignores them.
    pub objectives: Objectives,
    /// The constraints over values: sums that must all be within their bounds.
    pub sums: Vec<CellSum<ValueSet>>,
    /// The remaining formulas over values, which are not single sums; all must hold.
    pub formulas: Vec<CellFormula<ValueSet>>,
    /// The index in `constraints` of the constraint of each sum, then of each formula.
    pub origins: Vec<usize>,
    /// The maximum number of [counted](Board::counted) seams that may be broken; `None` if there is
    /// no such limit, so that required seams must match and others need not.
    pub most_broken: Option<usize>,
    /// The values to which each cell is [confined](Problem::confined); `None` if it is not.
    pub within: Option<Arc<[ValueSet]>>,
}

/// The error for a board with more cells, or more cells with some number of sides, than pieces.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} {} of {board}", describe_pieces(*tiles, *sides), describe_cells(*cells, *sides))]
pub struct FillError {
    /// The number of pieces.
    pub tiles: usize,
    /// The number of cells.
    pub cells: usize,
    /// The number of sides of these pieces and cells; `None` if all cells have the same number.
    pub sides: Option<usize>,
    /// A description of the board.
    pub board: String,
}

/// Formats the pieces and the verb of a [`FillError`].
fn describe_pieces(tiles: usize, sides: Option<usize>) -> String {
    let with = sides.map_or_else(String::new, |sides| format!(" with {sides} sides"));
    match tiles {
        1 => format!("1 tile{with} does not fill"),
        _ => format!("{tiles} tiles{with} do not fill"),
    }
}

/// Formats the cells of a [`FillError`].
fn describe_cells(cells: usize, sides: Option<usize>) -> String {
    match (cells, sides) {
        (1, Some(_)) => "1 cell".to_owned(),
        (_, Some(_)) => format!("{cells} cells"),
        (_, None) => format!("the {cells} cells"),
    }
}

impl Deref for Problem {
    type Target = ProblemParts;

    #[inline(always)]
    fn deref(&self) -> &ProblemParts {
        &self.parts
    }
}

impl Problem {
    /// Converts the problem into its parts.
    pub fn into_parts(self) -> ProblemParts {
        self.parts
    }

    /// Creates the problem of a puzzle on a board, without extra constraints. If there are more
    /// tiles than cells, some remain unused. Use [`Problem::builder`] to build and validate the
    /// puzzle as well.
    ///
    /// # Errors
    /// If there are fewer tiles than cells with some number of sides.
    ///
    /// # Panics
    /// If a tile has labels of another puzzle, or faces with different numbers of edges.
    pub fn new(puzzle: Puzzle, board: Board) -> Result<Problem, FillError> {
        let all = board.numbers_of_sides();
        for &sides in &all {
            let cells = board.cells().iter().filter(|cell| cell.sides == sides).count();
            let tiles = puzzle.tiles.iter().filter(|tile| tile.sides() == sides);
            let tiles = tiles.map(|tile| tile.copies.limited_to(cells)).sum();
            if tiles < cells {
                return Err(FillError {
                    tiles,
                    cells,
                    sides: (all.len() > 1).then_some(sides),
                    board: board.description_with_article(),
                });
            }
        }
        Ok(Problem::from_definition(puzzle, board, Vec::new()))
    }

    /// Replaces the name and the source of the puzzle.
    pub fn with_name(mut self, name: String, source: Option<String>) -> Problem {
        self.parts.puzzle.name = name;
        self.parts.puzzle.source = source;
        self
    }

    /// Replaces the title.
    pub fn with_title(mut self, title: Option<String>) -> Problem {
        self.parts.puzzle.title = title;
        self
    }

    /// Replaces the border, and the rule whether tiles may be turned. The result is not
    /// [confined](Problem::confined).
    pub fn with_rules(self, border: Option<Label>, may_turn: bool) -> Problem {
        let before = self.parts;
        let puzzle = Puzzle { border, may_turn, ..before.puzzle };
        let mut problem = Problem::from_definition(puzzle, before.board, before.constraints);
        problem.parts.objectives = before.objectives;
        problem.parts.most_broken = before.most_broken;
        problem
    }

    /// Replaces the location of the tiles' pictures.
    pub fn with_pictures(mut self, pictures: Option<String>) -> Problem {
        self.parts.puzzle.pictures = pictures;
        self
    }

    /// Replaces the list of suspicious features that are intentional.
    pub fn with_allowed(mut self, allowed: Vec<Oddity>) -> Problem {
        self.parts.puzzle.allowed = allowed;
        self
    }

    /// Replaces the list of facts that the file leaves open.
    pub fn with_assumed(mut self, assumed: Vec<Assumption>) -> Problem {
        self.parts.puzzle.assumed = assumed;
        self
    }

    /// Replaces the objectives.
    pub fn with_objectives(mut self, objectives: Objectives) -> Problem {
        self.parts.objectives = objectives;
        self
    }

    /// Adds constraints to the existing ones. The result is not [confined](Problem::confined), even
    /// if this problem is.
    pub fn with_constraints<C: Into<Listed>>(self, more: impl IntoIterator<Item = C>) -> Problem {
        let before = self.parts;
        let mut constraints = before.constraints;
        constraints.extend(more.into_iter().map(C::into));
        let mut problem = Problem::from_definition(before.puzzle, before.board, constraints);
        problem.parts.objectives = before.objectives;
        problem.parts.most_broken = before.most_broken;
        problem
    }

    /// The same problem, but with no two arrangements equivalent: each tile is a separate kind,
    /// each orientation a separate value, and the group contains only the identity.
    #[must_use]
    pub fn with_all_distinguished(&self) -> Problem {
        self.clone().with_constraints([Arc::new(DistinguishAll)])
    }

    /// A weaker problem: `constraints` replace its own, the seams in `free` need not match, and the
    /// tiles in `unlimited` have any number of copies.
    pub fn relaxed(
        &self,
        constraints: Vec<Listed>,
        free: &[[CellSide; 2]],
        unlimited: &[usize],
    ) -> Problem {
        let board = self.board.clone().with_free_seams(free.iter(), [].iter());
        let mut puzzle = self.puzzle.clone();
        for &tile in unlimited {
            puzzle.tiles[tile].copies = Copies::Any;
        }
        Problem::from_definition(puzzle, board, constraints)
    }

    /// The problem with other labels on some edges. If the back of a tile follows from its front,
    /// it is updated accordingly.
    pub fn with_changes(&self, changes: &[Change]) -> Problem {
        let mut puzzle = self.puzzle.clone();
        let of_all = puzzle.flip();
        for &Change { tile, face, side, label } in changes {
            let flip = of_all.or_else(|| self.puzzle.tiles[tile].flip(&puzzle.labels));
            puzzle.tiles[tile].retype((face, side), label, flip, &puzzle.labels);
        }
        Problem::from_definition(puzzle, self.board.clone(), self.constraints.clone())
            .with_objectives(self.objectives.clone())
    }

    /// The problem in which at most `most` of the [counted](Board::counted) seams may be broken.
    /// With 0, all of them must match.
    pub fn breaking(&self, most: usize) -> Problem {
        let mut parts = self.parts.clone();
        parts.board = parts.board.with_breakable_seams(most > 0);
        parts.most_broken = (most > 0).then_some(most);
        Problem { parts, tables: OnceLock::new() }
    }

    /// The subproblem in which each cell contains one of the given values. Its group contains only
    /// the identity, so solutions are not merged with their images.
    pub fn confined(&self, cells: Vec<ValueSet>) -> Problem {
        let mut problem = self.clone();
        problem.parts.group.truncate(1);
        problem.parts.within = Some(cells.into());
        problem
    }

    /// Creates a problem with all derived data. There must be enough tiles to fill the board.
    fn from_definition(puzzle: Puzzle, board: Board, constraints: Vec<Listed>) -> Problem {
        let board = board.with_free_seams(
            constraints.iter().flat_map(|c| c.free_seams()),
            constraints.iter().flat_map(|c| c.wanted_seams()),
        );
        let formulas = constraints.iter().map(|c| c.formula(&puzzle, &board));
        let formulas: Vec<Formula> = formulas.collect();
        let lazy = (0..constraints.len()).filter(|&index| constraints[index].is_lazy());
        let lazy: Vec<usize> = lazy.collect();
        let dependence = lazy.iter().map(|&index| constraints[index].depends_on());
        let dependence = dependence.fold(Dependence::EDGES, Dependence::union);
        let may_turn_over = match puzzle.flip() {
            None => false,
            Some(Flip::Mirror) => true,
            // Turning over changes labels, on which any lazy constraint may depend.
            Some(Flip::Reverse) => lazy.is_empty(),
        };
        let keeps_orientations = |s: &&Symmetry| {
            let mut motions = s.motion.iter();
            motions.all(|motion| {
                (puzzle.may_turn || motion.rotation() == 0)
                    && (may_turn_over || motion.face() == Face::Front)
            })
        };
        let group = board.symmetries().iter().filter(keeps_orientations);
        let group = group.filter(|symmetry| dependence.is_kept_by(symmetry));
        let group = preserved_symmetries(&puzzle, &board, &constraints, group.cloned().collect());
        let signatures = Signatures::new(&formulas).refined_by(&puzzle, &board, &group);
        let mut kinds = Kinds::with_marks(&puzzle, |tile, orientation| {
            let placed = Placed { tile, orientation };
            (signatures.number(placed), dependence.mark(placed))
        });
        for kind in &mut kinds.kinds {
            kind.copies = kind.copies.min(board.size());
        }
        let (mut sums, mut rest) = (Vec::new(), Vec::new());
        let [mut of_sums, mut of_rest] = [Vec::new(), Vec::new()];
        for (index, formula) in formulas.into_iter().enumerate() {
            formula.simplified().split(&mut sums, &mut rest);
            of_sums.resize(sums.len(), index);
            of_rest.resize(rest.len(), index);
        }
        let mut over_values = ValueConverter::new(&kinds);
        let parts = ProblemParts {
            sums: sums.iter().map(|sum| over_values.sum(sum)).collect(),
            formulas: rest
                .iter()
                .map(|formula| formula.map(&mut |sum| over_values.sum(sum)))
                .collect(),
            puzzle,
            board,
            kinds,
            group,
            constraints,
            lazy,
            objectives: Objectives::default(),
            origins: [of_sums, of_rest].concat(),
            most_broken: None,
            within: None,
        };
        Problem { parts, tables: OnceLock::new() }
    }

    /// Converts a linear constraint to one over values. This problem must distinguish the placements
    /// that it distinguishes.
    pub(crate) fn sum_over_values(&self, sum: &LinearConstraint) -> CellSum<ValueSet> {
        ValueConverter::new(&self.kinds).sum(sum)
    }

    /// The formula of a constraint over values. This problem must distinguish the placements that it
    /// distinguishes.
    pub(crate) fn formula_over_values(&self, constraint: &dyn Constraint) -> CellFormula<ValueSet> {
        let formula = constraint.formula(&self.puzzle, &self.board).simplified();
        let mut over_values = ValueConverter::new(&self.kinds);
        formula.map(&mut |sum| over_values.sum(sum))
    }

    /// Returns true if the single-cell rules allow a value in a cell, and the problem is not
    /// [confined](Problem::confined) to other values there.
    pub fn is_allowed_in_cell(&self, cell: usize, value: usize) -> bool {
        self.tables().cell_domain(cell).contains(value)
            && self.within.as_ref().is_none_or(|within| within[cell].contains(value))
    }

    /// The compatibility tables, built on first use.
    pub fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Arc::new(Tables::build(&self.puzzle, &self.board, &self.kinds)))
    }

    /// A message that explains how an arrangement breaks an extra constraint; `None` if it
    /// satisfies all of them. The arrangement must have a tile in each cell.
    pub fn broken_constraint(&self, arrangement: &Arrangement) -> Option<String> {
        let mut constraints = self.constraints.iter();
        constraints.find_map(|one| one.describe_broken(&self.puzzle, &self.board, arrangement))
    }

    /// The name of a sum, or of a formula after all sums, in models: that of its constraint, if the
    /// file gives it one, and its number from 1.
    pub(crate) fn condition_name(&self, index: usize) -> String {
        let name = self.constraints[self.origins[index]].name.as_deref();
        format!("{}[{}]", name.unwrap_or("constraint"), index + 1)
    }

    /// The soft constraints, which the solutions of this problem may violate.
    pub fn soft_constraints(&self) -> impl Iterator<Item = &Weighted> + Clone {
        self.constraints.iter().filter_map(|constraint| constraint.soft.as_ref())
    }

    /// Returns true if a constraint rejects the arrangement `of`, but its formula accepts it.
    pub fn has_loose_formula(&self, constraint: &dyn Constraint, of: &Arrangement) -> bool {
        constraint.broken(&self.puzzle, &self.board, of).is_some()
            && constraint.formula(&self.puzzle, &self.board).holds(of)
    }

    /// Returns true if there is a [lazy](Constraint::is_lazy) constraint, which an arrangement may
    /// break although it satisfies the sums and formulas.
    pub fn is_lazy(&self) -> bool {
        !self.lazy.is_empty()
    }

    /// The [lazy](Constraint::is_lazy) constraints.
    pub fn lazy_constraints(&self) -> impl Iterator<Item = &Listed> {
        self.lazy.iter().map(|&index| &self.constraints[index])
    }

    /// The lazy constraints without the limit of a cost, which an objective states as far as it can.
    pub fn unstated_constraints(&self) -> impl Iterator<Item = &Listed> {
        self.lazy_constraints().filter(|constraint| constraint.name() != CostLimit::NAME)
    }

    /// Returns true if a user-defined lazy constraint declares that it depends on less than
    /// everything, and engines therefore treat some arrangements as equivalent.
    pub fn trusts_dependence(&self) -> bool {
        let is_own = |c: &&Listed| c.source.is_none();
        let mut own = self.lazy_constraints().filter(is_own);
        own.any(|c| c.depends_on() != Dependence::EVERYTHING)
            && (self.group.len() > 1 || self.has_tiles_alike())
    }

    /// A cut if the arrangement with `values`, one per cell, breaks a [lazy](Constraint::is_lazy)
    /// constraint; otherwise `None`. The cut consists of sets of values for some cells, such that
    /// no solution has a value of the set in each of them.
    pub fn lazy_cut(&self, values: &[usize]) -> Option<Vec<(usize, ValueSet)>> {
        let mut lazy = self.lazy_constraints().peekable();
        lazy.peek()?;
        let arrangement = self.deal(values.iter().copied());
        let broken = lazy.find(|c| c.broken(&self.puzzle, &self.board, &arrangement).is_some())?;
        let cut = broken.lazy_cut(&self.puzzle, &self.board, &arrangement);
        Some(cut.and_then(|cells| self.to_value_cut(cells, values)).unwrap_or_else(|| {
            let one = |&value: &usize| ValueSet::from_values(self.kinds.values.len(), [value]);
            (0..).zip(values.iter().map(one)).collect()
        }))
    }

    /// Converts a cut over placements to one over values, with one set per cell. `None` if it does
    /// not exclude `values`: a search would then find them again forever.
    fn to_value_cut(
        &self,
        cut: Vec<(usize, Arc<TilePlacements>)>,
        values: &[usize],
    ) -> Option<Vec<(usize, ValueSet)>> {
        let mut cells: BTreeMap<usize, ValueSet> = BTreeMap::new();
        for (cell, placements) in cut {
            let excluded = values_of_placements(&self.kinds, &placements);
            cells.entry(cell).and_modify(|set| set.keep(&excluded)).or_insert(excluded);
        }
        let excludes = |(&cell, excluded): (&usize, &ValueSet)| {
            let value = values.get(cell);
            value.is_some_and(|&value| excluded.contains(value))
        };
        let is_met = cells.iter().all(excludes);
        let cells = cells.into_iter();
        is_met.then(|| cells.collect())
    }

    /// The placement that represents a value: the first tile of its kind, in the first orientation
    /// with this value.
    pub fn first_with(&self, value: usize) -> Placed {
        Placed {
            tile: self.kinds.kind_of(value).tiles[0],
            orientation: self.kinds.values[value].orientation,
        }
    }

    /// The arrangement with the given values, one per cell, in which the tiles of each kind are
    /// used in order. If a kind occurs more often than it has copies, a tile is repeated, and the
    /// checker rejects the arrangement.
    pub fn deal(&self, values: impl IntoIterator<Item = usize>) -> Arrangement {
        let kinds = &self.kinds;
        let has_copies = self.puzzle.has_copies();
        let mut used = vec![0; kinds.kinds.len()];
        let placed = values.into_iter().map(|value| {
            let kind = kinds.values[value].kind;
            let tiles = &kinds.kinds[kind].tiles;
            let tile = if has_copies {
                self.piece(tiles, used[kind])
            } else {
                tiles[used[kind] % tiles.len()]
            };
            used[kind] += 1;
            let orientation = kinds
                .orientations_of(tile, value)
                .next()
                .expect("every tile of a kind has all orientations of the kind");
            Placed { tile, orientation }
        });
        Arrangement(placed.collect())
    }

    /// The tile of each piece, in order of tiles: a tile with copies occurs once per copy, but at
    /// most as often as there are cells.
    pub fn pieces(&self) -> impl Iterator<Item = usize> + '_ {
        self.puzzle.tiles.iter().enumerate().flat_map(|(index, tile)| {
            std::iter::repeat_n(index, tile.copies.limited_to(self.board.size()))
        })
    }

    /// The tile of the piece with this index among the pieces of `tiles`; the last tile if there
    /// are fewer.
    fn piece(&self, tiles: &[usize], mut piece: usize) -> usize {
        let own = tiles.iter().copied().find(|&tile| {
            let copies = self.puzzle.tiles[tile].copies.limited_to(self.board.size());
            let is_own = piece < copies;
            piece = piece.saturating_sub(copies);
            is_own
        });
        own.unwrap_or(tiles[tiles.len() - 1])
    }

    /// The value of each cell after a symmetry has moved the arrangement with `values`; `None` if a
    /// tile may not be placed in its new orientation.
    pub fn image(
        &self,
        values: impl IntoIterator<Item = usize>,
        symmetry: &Symmetry,
    ) -> Option<Vec<usize>> {
        let mut image = vec![0; self.board.size()];
        for (cell, value) in values.into_iter().enumerate() {
            image[symmetry.image[cell]] = self.kinds.moved_value(value, symmetry.motion[cell])?;
        }
        Some(image)
    }

    /// Returns `Ok` if every arrangement that fits and satisfies the linear constraints is a solution.
    ///
    /// # Errors
    /// A message that names what else decides.
    pub(crate) fn require_sums(&self) -> Result<(), String> {
        if self.most_broken.is_some() {
            return Err("it does not support seams that may be broken".into());
        }
        if !self.is_lazy() && self.formulas.is_empty() {
            return Ok(());
        }
        let mut constraints = self.constraints.iter().enumerate();
        let other = constraints.find(|(_, constraint)| {
            let alone = self.relaxed(vec![(*constraint).clone()], &[], &[]);
            constraint.is_lazy() || !alone.formulas.is_empty()
        });
        Err(match other {
            Some((index, constraint)) => {
                let (number, name) = (index + 1, constraint.name());
                format!("constraint {number} (`{name}`) is not a sum over cells")
            }
            None => "a constraint is not a sum over cells".into(),
        })
    }

    /// The names of the identical tiles of a kind.
    pub fn tiles_of_kind(&self, kind: usize) -> impl Iterator<Item = &str> {
        let tiles = self.kinds.kinds[kind].tiles.iter();
        tiles.map(|&tile| self.puzzle.tiles[tile].name.as_str())
    }

    /// Returns true if different arrangements may look the same: there are twins or copies, or a
    /// tile that looks the same in several orientations.
    pub fn has_tiles_alike(&self) -> bool {
        let kinds = &self.kinds;
        let mut tiles = 0..self.puzzle.tiles.len();
        tiles.any(|tile| {
            let kind = &kinds.kinds[kinds.of_tile[tile]];
            kind.copies > 1 || kind.values.len() < self.puzzle.orientations(tile).count()
        })
    }

    /// Returns true if every symmetry but the identity moves or turns the content of every cell.
    /// This is always the case on a connected board; in other cases a component may move while
    /// others stay.
    pub fn moves_every_placement(&self) -> bool {
        let stays = |symmetry: &Symmetry| {
            let cells = symmetry.image.iter().zip(&symmetry.motion).enumerate();
            let mut staying = cells.filter(|(cell, (image, _))| cell == *image);
            staying.any(|(_, (_, motion))| *motion == Orientation::default())
        };
        self.board.pieces().len() == 1 || !self.group[1..].iter().any(stays)
    }

    /// Returns true if every piece must be used, because there are as many pieces as cells.
    pub fn uses_every_tile(&self) -> bool {
        self.puzzle.pieces() == Some(self.board.size())
    }
}
