//! What is to be solved: a puzzle on a board, with extra constraints.
//!
//! A [`Problem`] is complete and immutable. Kinds, group and linear constraints follow from puzzle,
//! board and constraints and are computed once, when it is built; every later stage takes it by
//! reference. An [`Arrangement`] is a candidate for a solution. The traits and types through which
//! other stages see constraints are here ([`Constraint`], [`Formula`]); the kinds that files can
//! name are in [`constraints`](crate::problem::constraints).

mod arrangement;
mod builder;
mod constraint;
pub mod constraints;
mod formula;
mod linear;
pub mod oddities;
mod over_values;

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use thiserror::Error;

pub use self::arrangement::{Arrangement, Dependence, Placed};
pub use self::builder::{BuildError, ProblemBuilder};
pub use self::constraint::{Constraint, Listed, Nesting};
use self::constraint::{ToldApart, keeping};
pub use self::formula::Formula;
pub use self::linear::{LinearConstraint, Term, TilePlacements};
pub use self::over_values::{CellFormula, CellSum, Level, OverSets};
use self::over_values::{OverValues, Signatures, values_of_placements};
use crate::board::{Board, CellSide, Symmetry};
use crate::puzzle::{
    Assumption, Change, Copies, Face, Flip, Kinds, Label, Oddity, Orientation, Puzzle, ValueSet,
};
use crate::tables::Tables;

/// A puzzle on a board, with what every later stage needs to know of both: the kinds of tiles and
/// the group of symmetries under which solutions are counted.
///
/// All of it follows from the puzzle, the board and the constraints, so it can be read, and a
/// problem made of it, but nothing of it can be changed.
#[derive(Debug, Clone)]
pub struct Problem {
    parts: ProblemParts,
    /// Built when they are first asked for.
    tables: OnceLock<Arc<Tables>>,
}

/// What of a [`Problem`] can be read.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProblemParts {
    /// The tiles and their matching rule.
    pub puzzle: Puzzle,
    /// The cells and seams.
    pub board: Board,
    /// Kinds and values of the tiles.
    pub kinds: Kinds,
    /// The symmetries of the board that map the allowed orientations and the list of constraints
    /// onto themselves; the first one moves nothing.
    pub group: Vec<Symmetry>,
    /// What else is asked of an arrangement.
    pub constraints: Vec<Listed>,
    /// The same over values: the sums that must all be within their bounds.
    pub sums: Vec<CellSum<ValueSet>>,
    /// What of it no sum alone says; all of these must hold.
    pub formulas: Vec<CellFormula<ValueSet>>,
    /// At most so many of the seams that [count](Board::counted) do not fit; any number where
    /// nothing is said.
    pub most_broken: Option<usize>,
    /// The values that each cell may take where only some of the solutions are asked for.
    pub within: Option<Arc<[ValueSet]>>,
}

/// There are more cells than pieces.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{} {} of {board}", fillers(*tiles, *sides), filled(*cells, *sides))]
pub struct FillError {
    /// Number of pieces.
    pub tiles: usize,
    /// Number of cells.
    pub cells: usize,
    /// With how many sides, where not all have as many.
    pub sides: Option<usize>,
    /// The board, in words.
    pub board: String,
}

fn fillers(tiles: usize, sides: Option<usize>) -> String {
    let with = sides.map_or_else(String::new, |sides| format!(" with {sides} sides"));
    match tiles {
        1 => format!("1 tile{with} does not fill"),
        _ => format!("{tiles} tiles{with} do not fill"),
    }
}

/// All cells, or those with so many sides.
fn filled(cells: usize, sides: Option<usize>) -> String {
    match (cells, sides) {
        (1, Some(_)) => "1 cell".to_owned(),
        (_, Some(_)) => format!("{cells} cells"),
        (_, None) => format!("the {cells} cells"),
    }
}

/// The formula of a constraint on this puzzle.
fn formula(constraint: &dyn Constraint, puzzle: &Puzzle, board: &Board) -> Formula {
    if puzzle.has_copies() {
        constraint.formula_of_copies(puzzle, board)
    } else {
        constraint.formula(puzzle, board)
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
    /// What it is made of, to be taken apart.
    pub fn into_parts(self) -> ProblemParts {
        self.parts
    }

    /// Lays a puzzle on a board. More tiles than cells is legal: then some stay unused.
    /// [`Problem::builder`] makes the puzzle, too, and checks it.
    ///
    /// # Errors
    /// Where there are fewer tiles than cells with some number of sides.
    ///
    /// # Panics
    /// Where a tile has labels that are not the puzzle's, or a back with another number of edges.
    pub fn new(puzzle: Puzzle, board: Board) -> Result<Problem, FillError> {
        let all = board.numbers_of_sides();
        for &sides in &all {
            let cells = board.cells().iter().filter(|cell| cell.sides == sides).count();
            let tiles = puzzle.tiles.iter().filter(|tile| tile.sides() == sides);
            let tiles = tiles.map(|tile| tile.copies.within(cells)).sum();
            if tiles < cells {
                return Err(FillError {
                    tiles,
                    cells,
                    sides: (all.len() > 1).then_some(sides),
                    board: board.in_words(),
                });
            }
        }
        Ok(Problem::made_of(puzzle, board, Vec::new()))
    }

    /// The problem under another name, and from another source.
    pub fn with_name(mut self, name: String, source: Option<String>) -> Problem {
        self.parts.puzzle.name = name;
        self.parts.puzzle.source = source;
        self
    }

    /// The problem with another image on the rim, or other rotations.
    pub fn with_rules(self, border: Option<Label>, may_turn: bool) -> Problem {
        let before = self.parts;
        let puzzle = Puzzle { border, may_turn, ..before.puzzle };
        let mut problem = Problem::made_of(puzzle, before.board, before.constraints);
        problem.parts.most_broken = before.most_broken;
        problem
    }

    /// The problem with pictures of its tiles elsewhere.
    pub fn with_pictures(mut self, pictures: Option<String>) -> Problem {
        self.parts.puzzle.pictures = pictures;
        self
    }

    /// The same with what looks like a slip and is meant.
    pub fn with_allowed(mut self, allowed: Vec<Oddity>) -> Problem {
        self.parts.puzzle.allowed = allowed;
        self
    }

    /// The problem with the facts that its text leaves open.
    pub fn with_assumed(mut self, assumed: Vec<Assumption>) -> Problem {
        self.parts.puzzle.assumed = assumed;
        self
    }

    /// The problem with more constraints; one that was [confined](Problem::confined) is whole
    /// again.
    pub fn with_constraints<C: Into<Listed>>(self, more: impl IntoIterator<Item = C>) -> Problem {
        let before = self.parts;
        let mut constraints = before.constraints;
        constraints.extend(more.into_iter().map(C::into));
        let mut problem = Problem::made_of(before.puzzle, before.board, constraints);
        problem.parts.most_broken = before.most_broken;
        problem
    }

    /// The problem with no arrangements taken for the same: each tile is of a kind of its own, each
    /// orientation is a value of its own, and the group has one member.
    #[must_use]
    pub fn told_apart(&self) -> Problem {
        self.clone().with_constraints([Arc::new(ToldApart)])
    }

    /// A problem that asks for less: with these constraints in place of its own, where some seams
    /// need not fit, and tiles may be used any number of times.
    pub fn relaxed(
        &self,
        constraints: Vec<Listed>,
        free: &[[CellSide; 2]],
        unlimited: &[usize],
    ) -> Problem {
        let board = self.board.clone().freed(free.iter(), [].iter());
        let mut puzzle = self.puzzle.clone();
        for &tile in unlimited {
            puzzle.tiles[tile].copies = Copies::Any;
        }
        Problem::made_of(puzzle, board, constraints)
    }

    /// The same problem with other labels on some edges. A back that follows from the front does so
    /// here, too.
    pub fn retyped(&self, changes: &[Change]) -> Problem {
        let mut puzzle = self.puzzle.clone();
        let of_all = puzzle.flip();
        for &Change { tile, face, side, label } in changes {
            let flip = of_all.or_else(|| self.puzzle.tiles[tile].flip(&puzzle.labels));
            puzzle.tiles[tile].retype((face, side), label, flip, &puzzle.labels);
        }
        Problem::made_of(puzzle, self.board.clone(), self.constraints.clone())
    }

    /// The same problem where every seam that [counts](Board::counted) may break, but at most so
    /// many of them.
    pub fn breaking(&self, most: usize) -> Problem {
        let mut parts = self.parts.clone();
        parts.board = parts.board.with_counted(most > 0);
        parts.most_broken = (most > 0).then_some(most);
        Problem { parts, tables: OnceLock::new() }
    }

    /// The part of the problem in which each cell takes one of these values. It has no symmetry:
    /// whatever lies in these cells is a solution of its own.
    pub fn confined(&self, cells: Vec<ValueSet>) -> Problem {
        let mut problem = self.clone();
        problem.parts.group.truncate(1);
        problem.parts.within = Some(cells.into());
        problem
    }

    fn made_of(puzzle: Puzzle, board: Board, constraints: Vec<Listed>) -> Problem {
        let board = board.freed(
            constraints.iter().flat_map(|c| c.free_seams()),
            constraints.iter().flat_map(|c| c.wanted_seams()),
        );
        let formulas = constraints.iter().map(|c| formula(&**c, &puzzle, &board));
        let formulas: Vec<Formula> = formulas.collect();
        let lazy = constraints.iter().filter(|c| c.is_lazy()).map(|c| c.depends_on());
        let dependence = lazy.fold(Dependence::EDGES, Dependence::or);
        let may_turn_over = match puzzle.flip() {
            None => false,
            Some(Flip::Mirror) => true,
            // Labels change, on which any lazy constraint may depend.
            Some(Flip::Reverse) => !constraints.iter().any(|constraint| constraint.is_lazy()),
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
        let group = keeping(&puzzle, &board, &constraints, group.cloned().collect());
        let signatures = Signatures::new(&formulas).kept_by(&puzzle, &board, &group);
        let mut kinds = Kinds::told_apart(&puzzle, |tile, orientation| {
            let placed = Placed { tile, orientation };
            (signatures.number(placed), dependence.mark(placed))
        });
        for kind in &mut kinds.kinds {
            kind.copies = kind.copies.min(board.size());
        }
        let (mut sums, mut rest) = (Vec::new(), Vec::new());
        for formula in formulas {
            formula.simplified().split(&mut sums, &mut rest);
        }
        let mut over_values = OverValues::new(&kinds);
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
            most_broken: None,
            within: None,
        };
        Problem { parts, tables: OnceLock::new() }
    }

    /// Whether a value fits a cell by itself, and may lie there where the problem is
    /// [confined](Problem::confined).
    pub fn fits_alone(&self, cell: usize, value: usize) -> bool {
        self.tables().alone(cell).contains(value)
            && self.within.as_ref().is_none_or(|within| within[cell].contains(value))
    }

    /// What fits what.
    pub fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| Arc::new(Tables::build(&self.puzzle, &self.board, &self.kinds)))
    }

    /// How an arrangement breaks a constraint, as a message; `None` where it obeys all of them. The
    /// arrangement has a tile in each cell.
    pub fn broken_constraint(&self, arrangement: &Arrangement) -> Option<String> {
        let mut constraints = self.constraints.iter();
        constraints.find_map(|c| c.broken(&self.puzzle, &self.board, arrangement))
    }

    /// Returns true if a constraint refuses an arrangement that its formula allows.
    pub fn has_loose_formula(&self, constraint: &dyn Constraint, of: &Arrangement) -> bool {
        constraint.broken(&self.puzzle, &self.board, of).is_some()
            && formula(constraint, &self.puzzle, &self.board).holds(of)
    }

    /// Whether an arrangement that obeys the sums and formulas may still break a
    /// [lazy](Constraint::is_lazy) constraint.
    pub fn is_lazy(&self) -> bool {
        self.lazy_constraints().next().is_some()
    }

    /// The [lazy](Constraint::is_lazy) constraints.
    pub fn lazy_constraints(&self) -> impl Iterator<Item = &Listed> {
        self.constraints.iter().filter(|c| c.is_lazy())
    }

    /// Returns true if engines take arrangements for the same because a lazy constraint that is not
    /// from a file declares that it depends on less than everything.
    pub fn trusts_dependence(&self) -> bool {
        let is_own = |c: &&Listed| c.source.is_none();
        let mut own = self.lazy_constraints().filter(is_own);
        own.any(|c| c.depends_on() != Dependence::EVERYTHING)
            && (self.group.len() > 1 || self.has_tiles_alike())
    }

    /// Where values, one a cell, break a [lazy](Constraint::is_lazy) constraint: cells with values
    /// of which no solution has one in each of the cells.
    pub fn lazy_cut(&self, values: &[usize]) -> Option<Vec<(usize, ValueSet)>> {
        let mut lazy = self.lazy_constraints().peekable();
        lazy.peek()?;
        let arrangement = self.deal(values.iter().copied());
        let broken = lazy.find(|c| c.broken(&self.puzzle, &self.board, &arrangement).is_some())?;
        let cut = broken.lazy_cut(&self.puzzle, &self.board, &arrangement);
        Some(cut.and_then(|cells| self.by_cell(cells, values)).unwrap_or_else(|| {
            let one = |&value: &usize| ValueSet::from_values(self.kinds.values.len(), [value]);
            (0..).zip(values.iter().map(one)).collect()
        }))
    }

    /// A cut over values, each cell once; `None` if it does not exclude these values, so that a
    /// search would meet them again and again.
    fn by_cell(
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

    /// What a value is called after: the first tile of its kind, as the value shows it.
    pub fn first_with(&self, value: usize) -> Placed {
        Placed {
            tile: self.kinds.kind_of(value).tiles[0],
            orientation: self.kinds.values[value].orientation,
        }
    }

    /// An arrangement that shows these values, one a cell: of each kind the first tiles, in the
    /// order of the cells. A kind shown more often than it has copies gets a tile twice, which
    /// no checker lets pass.
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
                .expect("every tile of a kind has all its looks");
            Placed { tile, orientation }
        });
        Arrangement(placed.collect())
    }

    /// The tile of each piece, those of one tile side by side. Of a tile with any number of copies
    /// there are as many pieces as cells, and of no tile more.
    pub fn pieces(&self) -> impl Iterator<Item = usize> + '_ {
        self.puzzle.tiles.iter().enumerate().flat_map(|(index, tile)| {
            std::iter::repeat_n(index, tile.copies.within(self.board.size()))
        })
    }

    /// Which of these tiles a piece is of, where all are laid in order; the last one where there are
    /// not so many.
    fn piece(&self, tiles: &[usize], mut piece: usize) -> usize {
        let own = tiles.iter().copied().find(|&tile| {
            let copies = self.puzzle.tiles[tile].copies.within(self.board.size());
            let is_own = piece < copies;
            piece = piece.saturating_sub(copies);
            is_own
        });
        own.unwrap_or(tiles[tiles.len() - 1])
    }

    /// The values of the moved board; `None` where a tile would lie as it may not.
    pub fn image(
        &self,
        values: impl IntoIterator<Item = usize>,
        symmetry: &Symmetry,
    ) -> Option<Vec<usize>> {
        let mut image = vec![0; self.board.size()];
        for (cell, value) in values.into_iter().enumerate() {
            image[symmetry.image[cell]] = self.kinds.moved(value, symmetry.motion[cell])?;
        }
        Some(image)
    }

    /// Whether different labelled arrangements may look the same: there are twins, or tiles that
    /// look the same in several orientations.
    pub fn has_tiles_alike(&self) -> bool {
        let kinds = &self.kinds;
        let mut tiles = 0..self.puzzle.tiles.len();
        tiles.any(|tile| {
            let kind = &kinds.kinds[kinds.of_tile[tile]];
            kind.count() > 1 || kind.values.len() < self.puzzle.orientations(tile).count()
        })
    }

    /// Whether every symmetry but the first moves or turns whatever lies in any cell. Where a board
    /// is in one piece that is always so; a piece that turns by itself leaves the others alone.
    pub fn moves_every_placement(&self) -> bool {
        let stays = |symmetry: &Symmetry| {
            let cells = symmetry.image.iter().zip(&symmetry.motion).enumerate();
            let mut staying = cells.filter(|(cell, (image, _))| cell == *image);
            staying.any(|(_, (_, motion))| *motion == Orientation::default())
        };
        self.board.pieces().len() == 1 || !self.group[1..].iter().any(stays)
    }

    /// Whether every piece must be used: as many pieces as cells.
    pub fn uses_every_tile(&self) -> bool {
        self.puzzle.pieces() == Some(self.board.size())
    }
}
