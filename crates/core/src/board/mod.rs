//! Boards: cells, their sides, seams, rim, and the symmetries of the board.
//!
//! ```text
//!        ┌─────┬─────┐      A seam is a pair of sides that touch: here side 0 of cell 0 with
//!   rim  │  0  │  1  │      side 2 of cell 1. All seams between the same two sides are of one
//!        ├─────┼─────┤      type and share one table: `horizontal` (left cell's right side,
//!        │  2  │  3  │      right cell's left side) and `vertical` (upper cell's bottom,
//!        └─────┴─────┘      lower cell's top). Sides that touch nothing are the rim.
//! ```
//!
//! A new kind of board is one new file that builds a [`Board`]; other code does not depend on its
//! shape.

mod area;
mod build;
mod grid;
mod outline;
mod plane;
mod requirements;
mod solid;
mod symmetry;

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::fmt;

use serde::{Deserialize, Serialize};

pub use self::area::Area;
use self::build::BoardParts;
pub use self::grid::{Wrap, side_of_square};
pub use self::outline::{Outline, triangle_area};
pub use self::plane::Polygon;
use self::requirements::SeamsByRequirement;
pub use self::solid::Solid;
pub use self::symmetry::{Symmetry, SymmetryError};

/// The maximum number of sides of a cell.
pub const MOST_SIDES: usize = 16;

/// A place for one tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cell {
    /// The name in files and output.
    pub name: CellName,
    /// The number of sides.
    pub sides: usize,
}

/// The name of a cell. It is serialised as the list of row and column, or as a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CellName {
    /// Row and column, numbered from 1, on a board of squares.
    At(usize, usize),
    /// A name, on any other board.
    Named(String),
}

impl CellName {
    /// The name without brackets, such as `1,1`; [`Display`](fmt::Display) formats it as `[1,1]`.
    pub fn bare(&self) -> String {
        match self {
            CellName::At(row, column) => format!("{row},{column}"),
            CellName::Named(name) => name.clone(),
        }
    }
}

impl fmt::Display for CellName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CellName::At(row, column) => write!(f, "[{row},{column}]"),
            CellName::Named(name) => f.write_str(name),
        }
    }
}

/// A side of a cell: the cell's index, and the number of the side, counter-clockwise from 0; side 0
/// of a square is the right one.
pub type CellSide = (usize, usize);

/// The side that touches each side, indexed by cell and side; `None` on the rim.
type Touching = Vec<Vec<Option<CellSide>>>;

/// Two sides of different cells that touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seam {
    /// The first side; on a grid it belongs to the left or upper cell.
    pub first: CellSide,
    /// The side that touches it.
    pub second: CellSide,
    /// The seam's type, an index into [`Board::seam_types`].
    pub seam_type: usize,
}

impl Seam {
    /// Both sides, the first one first.
    pub fn ends(&self) -> [CellSide; 2] {
        [self.first, self.second]
    }
}

/// The type of seams between the same two sides of the same polygons; they share one compatibility
/// table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeamType {
    /// The name: `horizontal` or `vertical` on a grid, otherwise generated from the sides.
    pub name: String,
    /// The number of sides of the first cell.
    pub first_sides: usize,
    /// The side of the first cell.
    pub first_side: usize,
    /// The number of sides of the second cell.
    pub second_sides: usize,
    /// The side of the second cell.
    pub second_side: usize,
}

/// A board defined by a few parameters instead of lists of cells and seams.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// Rows and columns of squares, with their ends joined or not.
    Grid {
        /// The places that are cells.
        area: Area,
        /// The ends that are joined; `None` for a plain rectangle.
        wrap: Option<Wrap>,
    },
    /// Rows of triangles or hexagons.
    Field {
        /// The polygon.
        polygon: Polygon,
        /// The places that are cells.
        area: Area,
    },
    /// Triangles or hexagons with a named outline.
    Outline(Outline),
    /// The faces of a solid.
    Solid(Solid),
}

impl Shape {
    /// The number of sides of each cell.
    pub fn sides(&self) -> usize {
        match self {
            Shape::Grid { .. } => 4,
            Shape::Field { polygon, .. } => polygon.sides(),
            Shape::Outline(outline) => outline.polygon().sides(),
            Shape::Solid(solid) => Board::solid(*solid).most_sides(),
        }
    }
}

/// Cells with their sides, seams, rim and symmetries.
#[derive(Debug, Clone)]
pub struct Board {
    cells: Vec<Cell>,
    /// Every pair of touching sides, whether it must match or not.
    touching: Touching,
    seam_types: Vec<SeamType>,
    /// Seams between two cells.
    seams: SeamsByRequirement<Seam>,
    /// Seams between two sides of the same cell, the smaller side first.
    own_seams: SeamsByRequirement<[CellSide; 2]>,
    rim: Vec<CellSide>,
    symmetries: Vec<Symmetry>,
    shape: Option<Shape>,
    description: String,
}

impl Board {
    /// Creates a board of this shape, on which every seam is required.
    ///
    /// # Errors
    /// If it has more symmetries than can be stored.
    pub fn shaped(shape: Shape) -> Result<Board, SymmetryError> {
        match shape {
            Shape::Grid { area, wrap } => grid::board_parts(area, wrap).assemble(),
            Shape::Field { polygon, area } => plane::board_parts(polygon, area).assemble(),
            Shape::Outline(outline) => outline::board_parts(outline).assemble(),
            Shape::Solid(solid) => Ok(Board::solid(solid)),
        }
    }

    /// Creates a board of `rows` × `columns` squares.
    ///
    /// # Panics
    /// If either is 0.
    pub fn grid(rows: usize, columns: usize) -> Board {
        assert!(rows > 0 && columns > 0, "a board has at least one cell");
        let board = grid::board_parts(Area::full(rows, columns), None).assemble();
        board.expect("a rectangle has at most eight symmetries")
    }

    /// Creates a board of `rows` × `columns` squares with the ends of its rows or columns joined.
    ///
    /// # Errors
    /// If it has more symmetries than can be stored.
    ///
    /// # Panics
    /// If `rows` or `columns` is 0.
    pub fn wrapped(rows: usize, columns: usize, wrap: Wrap) -> Result<Board, SymmetryError> {
        assert!(rows > 0 && columns > 0, "a board has at least one cell");
        grid::board_parts(Area::full(rows, columns), Some(wrap)).assemble()
    }

    /// Creates a board of rows of triangles or hexagons.
    ///
    /// # Panics
    /// If `rows` or `columns` is 0.
    pub fn plane(polygon: Polygon, rows: usize, columns: usize) -> Board {
        assert!(rows > 0 && columns > 0, "a board has at least one cell");
        let board = plane::board_parts(polygon, Area::full(rows, columns)).assemble();
        board.expect("a field in the plane has at most twelve symmetries")
    }

    /// Creates a board from the faces of a solid.
    pub fn solid(solid: Solid) -> Board {
        solid::board_parts(solid).assemble().expect("a solid has at most 120 symmetries")
    }

    /// Creates a board of arbitrary cells, each with its name and number of sides, and the pairs of
    /// sides that touch. Sides are numbered counter-clockwise from 0; a side that touches nothing
    /// is rim.
    ///
    /// # Errors
    /// If the board has more symmetries than can be stored.
    ///
    /// # Panics
    /// If there is no cell, a cell has no side or more than [`MOST_SIDES`], a pair refers to a
    /// missing cell or side, or a side touches two others.
    pub fn from_cells(
        cells: Vec<(String, usize)>,
        seams: Vec<[CellSide; 2]>,
    ) -> Result<Board, SymmetryError> {
        assert!(!cells.is_empty(), "a board has at least one cell");
        assert!(cells.iter().all(|(_, sides)| (1..=MOST_SIDES).contains(sides)));
        let mut ends: Vec<CellSide> = seams.iter().flatten().copied().collect();
        assert!(ends.iter().all(|&(cell, side)| side < cells[cell].1));
        ends.sort_unstable();
        assert!(ends.windows(2).all(|two| two[0] != two[1]));
        let named = |(name, sides)| Cell { name: CellName::Named(name), sides };
        let description = format!("board of {} cells", cells.len());
        let cells = cells.into_iter().map(named).collect();
        BoardParts::with_unnamed_seam_types(None, cells, seams, description).assemble()
    }

    /// Makes the seams `free` neither required nor counted, and the other seams in `wanted`
    /// breakable but counted. The two sides of a seam may be given in either order. Keeps only the
    /// symmetries that map both sets onto themselves.
    pub(crate) fn with_free_seams<'a>(
        mut self,
        free: impl Iterator<Item = &'a [CellSide; 2]>,
        wanted: impl Iterator<Item = &'a [CellSide; 2]>,
    ) -> Board {
        let free: HashSet<[CellSide; 2]> = free.map(|&ends| sorted(ends)).collect();
        let wanted: HashSet<[CellSide; 2]> = wanted.map(|&ends| sorted(ends)).collect();
        self.seams.release(
            |seam| free.contains(&sorted(seam.ends())),
            |seam| wanted.contains(&sorted(seam.ends())),
        );
        self.own_seams.release(|ends| free.contains(ends), |ends| wanted.contains(ends));
        let cells = &self.cells;
        self.symmetries.retain(|symmetry| {
            let moved = |(cell, side): CellSide| {
                (symmetry.image[cell], symmetry.motion[cell].move_side(side, cells[cell].sides))
            };
            let keeps = |set: &HashSet<[CellSide; 2]>| {
                set.iter().all(|ends| set.contains(&sorted(ends.map(moved))))
            };
            keeps(&free) && keeps(&wanted)
        });
        self
    }

    /// Makes all counted seams breakable if `may_break`, otherwise all of them required. Free seams
    /// stay free.
    pub(crate) fn with_breakable_seams(mut self, may_break: bool) -> Board {
        self.seams.set_breakable(may_break, Seam::ends);
        self.own_seams.set_breakable(may_break, |&ends| ends);
        self
    }

    /// The distinct numbers of sides of the cells.
    pub fn numbers_of_sides(&self) -> BTreeSet<usize> {
        self.cells.iter().map(|cell| cell.sides).collect()
    }

    /// Returns true if every seam must match: none may break, and none is free.
    pub fn is_whole(&self) -> bool {
        self.seams.is_whole() && self.own_seams.is_whole()
    }

    /// Every pair of touching sides, whether it must match or not; pairs within one cell come last.
    pub fn touching(&self) -> impl Iterator<Item = [CellSide; 2]> {
        let free = self.seams.free.iter().map(Seam::ends);
        let own = self.own_seams.counted().chain(&self.own_seams.free);
        self.seams.counted().map(Seam::ends).chain(free).chain(own.copied())
    }

    /// Every pair of touching sides that is counted, required or wanted; pairs within one cell come
    /// last.
    pub fn counted(&self) -> impl Iterator<Item = [CellSide; 2]> {
        self.seams.counted().map(Seam::ends).chain(self.own_seams.counted().copied())
    }

    /// Every pair of touching sides that must match; pairs within one cell come last.
    pub fn required(&self) -> impl Iterator<Item = [CellSide; 2]> {
        self.seams.required.iter().map(Seam::ends).chain(self.own_seams.required.iter().copied())
    }

    /// The seams between two cells that may break but are counted.
    pub fn wanted_seams(&self) -> &[Seam] {
        &self.seams.wanted
    }

    /// The pairs of touching sides of the same cell that may break but are counted.
    pub fn wanted_own_seams(&self) -> &[[CellSide; 2]] {
        &self.own_seams.wanted
    }

    /// The connected components of the board, each as the list of its cells in ascending order.
    pub fn pieces(&self) -> Vec<Vec<usize>> {
        symmetry::components(&self.touching)
    }

    /// The side that touches each side of a cell, by side. It may belong to the same cell; `None`
    /// on the rim.
    pub fn touching_sides(&self, cell: usize) -> &[Option<CellSide>] {
        &self.touching[cell]
    }

    /// Returns true if a side of the cell is on the rim.
    pub fn is_on_rim(&self, cell: usize) -> bool {
        self.touching[cell].iter().any(Option::is_none)
    }

    /// The distance of each cell from the cell `from`, as the number of seams to cross; `None` if
    /// it cannot be reached.
    pub fn distances(&self, from: usize) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.size()];
        distances[from] = Some(0);
        let mut open = VecDeque::from([from]);
        while let Some(cell) = open.pop_front() {
            for &(other, _) in self.touching[cell].iter().flatten() {
                if distances[other].is_none() {
                    distances[other] = distances[cell].map(|distance| distance + 1);
                    open.push_back(other);
                }
            }
        }
        distances
    }

    /// The pairs of touching sides of the same cell that must match, the smaller side first. Such a
    /// cell takes only tiles whose sides match each other there.
    pub fn own_seams(&self) -> &[[CellSide; 2]] {
        &self.own_seams.required
    }

    /// The cells in reading order. A cell is referred to by its index in this list.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// The names of two touching sides if the two cells touch more than once, or the cell touches
    /// itself. `None` if the cells alone identify the seam.
    pub fn ambiguous_side_names(&self, ends: [CellSide; 2]) -> Option<[String; 2]> {
        let [here, there] = ends.map(|(cell, _)| cell);
        let beside = self.touching[here].iter().flatten();
        let between = beside.filter(|(cell, _)| *cell == there).count();
        let names = |(cell, side): CellSide| side_name(side, self.cells[cell].sides);
        (between > 1).then(|| ends.map(names))
    }

    /// The maximum number of sides of a cell.
    pub fn most_sides(&self) -> usize {
        self.cells.iter().map(|c| c.sides).max().unwrap_or_default()
    }

    /// The number of cells.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// The seams between two cells that must match.
    pub fn seams(&self) -> &[Seam] {
        &self.seams.required
    }

    /// The seam types; each has one compatibility table.
    pub fn seam_types(&self) -> &[SeamType] {
        &self.seam_types
    }

    /// The sides that touch nothing, by cell and side.
    pub fn rim(&self) -> &[CellSide] {
        &self.rim
    }

    /// The symmetries of the board, including those that turn it over; the first one is the
    /// identity.
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The shape from which it was built; `None` if cells and seams are user-defined.
    pub fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }

    /// The area of a board of squares, whether its ends are joined or not; `None` for any other
    /// board.
    pub fn squares(&self) -> Option<&Area> {
        match &self.shape {
            Some(Shape::Grid { area, .. }) => Some(area),
            _ => None,
        }
    }

    /// The area of a board in rows and columns of squares, triangles or hexagons; `None` for named
    /// outlines, solids and user-defined boards.
    pub fn area(&self) -> Option<&Area> {
        match &self.shape {
            Some(Shape::Grid { area, .. } | Shape::Field { area, .. }) => Some(area),
            _ => None,
        }
    }

    /// The numbers of rows and columns of a board of squares without holes, whether its ends are
    /// joined or not; `None` for any other board.
    pub fn rows_and_columns(&self) -> Option<(usize, usize)> {
        let area = self.squares().filter(|area| area.holes() == 0);
        area.map(|area| (area.rows(), area.columns()))
    }

    /// The numbers of rows and columns of a board of squares without holes or joined ends; `None`
    /// for any other board.
    pub fn rectangle(&self) -> Option<(usize, usize)> {
        match self.shape {
            Some(Shape::Grid { wrap: None, .. }) => self.rows_and_columns(),
            _ => None,
        }
    }

    /// The numbers of rows and columns of a board of squares without holes, parts or joined ends;
    /// `None` for any other board. They define the whole board.
    pub fn plain_dimensions(&self) -> Option<(usize, usize)> {
        let is_plain = self.area().is_some_and(|area| area.mask().is_none());
        self.rectangle().filter(|_| is_plain)
    }

    /// The cells as they are printed, line by line: the rows of a board of squares, with `None` for
    /// holes; on other boards one cell per line.
    pub fn lines(&self) -> Vec<Vec<Option<usize>>> {
        match self.squares() {
            Some(area) => area.lines(),
            None => (0..self.size()).map(|cell| vec![Some(cell)]).collect(),
        }
    }

    /// A short description without an article, such as `3 × 3 grid`.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The description with its article, such as `a 3 × 3 grid`.
    pub fn description_with_article(&self) -> String {
        with_article(&self.description)
    }
}

/// Prefixes a noun with `a` or `an`, as it is pronounced: `an 8 × 8 grid`, `an 11 × 11 grid`.
pub fn with_article(noun: &str) -> String {
    let is_vowel = noun.starts_with(['a', 'e', 'i', 'o', '8']);
    let is_eleven = ["11 ", "18 "].iter().any(|number| noun.starts_with(number));
    let article = if is_vowel || is_eleven { "an" } else { "a" };
    format!("{article} {noun}")
}

/// The sides of a square, counter-clockwise.
pub const SIDES_OF_SQUARE: [&str; 4] = ["right", "top", "left", "bottom"];

/// The name of a side of a tile with `sides` sides: `right`, `top`, `left` or `bottom` of a square,
/// otherwise the number of the side, from 0.
pub fn side_name(side: usize, sides: usize) -> String {
    match (sides, SIDES_OF_SQUARE.get(side)) {
        (4, Some(word)) => (*word).to_owned(),
        _ => side.to_string(),
    }
}

/// Orders the two sides of a pair, the smaller one first.
fn sorted(mut ends: [CellSide; 2]) -> [CellSide; 2] {
    ends.sort_unstable();
    ends
}
