//! Resolution of names: cells, tiles, sides and images of a puzzle on its board.
//!
//! An unknown name is an error; most messages list what is expected.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use itertools::Itertools;

use super::declare::LARGEST_WEIGHT as LARGEST;
use crate::board::{Area, Board, CellName, side_name};
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Face, Half, Label, Puzzle, Tile, UNKNOWN};

/// A puzzle and its board, whose names are resolved to indices.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// The puzzle, with its tiles and labels.
    pub puzzle: &'a Puzzle,
    /// The board, with its cells.
    pub board: &'a Board,
}

/// Cells as written in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WrittenCells {
    /// Row and column from 1.
    At(i64, i64),
    /// Rows from 1.
    Rows(RangeInclusive<i64>),
    /// Columns from 1.
    Columns(RangeInclusive<i64>),
    /// The cells that touch one of these, without these themselves.
    Neighbours(Vec<usize>),
    /// The name of a cell, of a part of the board, `row 2`, `columns 1..3`, or a letter of
    /// the mask.
    Named(String),
}

/// The parts of a board of squares that have a name.
pub const PARTS: [&str; 9] =
    ["corners", "border", "inside", "centre", "all", "white", "black", "diagonal", "antidiagonal"];

impl<'a> Scene<'a> {
    /// Creates the scene of a problem.
    pub fn new(problem: &'a Problem) -> Scene<'a> {
        Scene { puzzle: &problem.puzzle, board: &problem.board }
    }
}

impl Scene<'_> {
    /// All cells of the board, ascending.
    pub fn all_cells(&self) -> Vec<usize> {
        (0..self.board.size()).collect()
    }

    /// All tiles of the puzzle, ascending.
    pub fn all_tiles(&self) -> Vec<usize> {
        (0..self.puzzle.tiles.len()).collect()
    }

    /// A label of each image that a tile shows, in the order of the labels.
    pub fn all_images(&self) -> Vec<Label> {
        let labels = &self.puzzle.labels;
        labels.all().unique_by(|&label| &labels.edge(label).image).collect()
    }

    /// All rotations that some tile has, ascending.
    pub fn all_rotations(&self) -> Vec<usize> {
        (0..self.sides()).collect()
    }

    /// The maximum number of sides of a tile.
    fn sides(&self) -> usize {
        self.puzzle.tiles.iter().map(|tile| tile.sides()).max().unwrap_or_default()
    }

    /// The cells that are meant, ascending.
    ///
    /// # Errors
    /// If there are no such cells, as a message.
    pub fn cells(&self, written: &WrittenCells) -> Result<Vec<usize>, String> {
        let board = self.board.description_with_article();
        let none = |words: &str| format!("there is no {words} on {board}");
        let line = |noun: &str, lines: &RangeInclusive<i64>| {
            let lines = if lines.start() == lines.end() {
                lines.start().to_string()
            } else {
                format!("{}..{}", lines.start(), lines.end())
            };
            none(&format!("{noun} {lines}"))
        };
        let (cells, refusal) = match written {
            WrittenCells::At(row, column) => (
                self.cells_at(|r, c| (r, c) == (*row, *column)),
                none(&format!("cell [{row},{column}]")),
            ),
            WrittenCells::Rows(rows) => {
                let refusal = line("row", rows);
                (self.lines(rows, |row| self.cells_at(|own, _| own == row)), refusal)
            }
            WrittenCells::Columns(columns) => {
                let refusal = line("column", columns);
                (self.lines(columns, |column| self.cells_at(|_, own| own == column)), refusal)
            }
            WrittenCells::Neighbours(of) => {
                (self.neighbours(of), "these cells have no neighbours".to_owned())
            }
            WrittenCells::Named(name) => match (self.cell_named(name), lines_named(name)) {
                (Some(cell), _) => (vec![cell], String::new()),
                (None, Some(lines)) => return self.cells(&lines),
                (None, None) => {
                    (self.part_named(name)?, format!("`{name}` does not name a cell of {board}"))
                }
            },
        };
        if cells.is_empty() { Err(refusal) } else { Ok(cells) }
    }

    /// The cells of several rows or columns, ascending; none if one of them does not exist.
    fn lines(&self, lines: &RangeInclusive<i64>, cells: impl Fn(i64) -> Vec<usize>) -> Vec<usize> {
        let mut all = Vec::new();
        for line in lines.clone() {
            let cells = cells(line);
            if cells.is_empty() {
                return Vec::new();
            }
            all.extend(cells);
        }
        all.sort_unstable();
        all
    }

    /// The cells whose row and column, from 1, satisfy a condition; none if they have no rows.
    fn cells_at(&self, is_wanted: impl Fn(i64, i64) -> bool) -> Vec<usize> {
        let cells = self.board.cells().iter().enumerate();
        let wanted = cells.filter(|(_, cell)| match cell.name {
            CellName::At(row, column) => is_wanted(row as i64, column as i64),
            CellName::Named(_) => false,
        });
        wanted.map(|(index, _)| index).collect()
    }

    /// The cells that touch one of these, without these themselves.
    fn neighbours(&self, of: &[usize]) -> Vec<usize> {
        let beside = of.iter().flat_map(|&cell| self.board.touching_sides(cell)).flatten();
        let cells: BTreeSet<usize> = beside.map(|(cell, _)| *cell).collect();
        cells.into_iter().filter(|cell| !of.contains(cell)).collect()
    }

    /// The named cell with this name; `None` if there is none.
    fn cell_named(&self, name: &str) -> Option<usize> {
        let is_called = |own: &CellName| matches!(own, CellName::Named(own) if own == name);
        let mut cells = self.board.cells().iter();
        cells.position(|cell| is_called(&cell.name))
    }

    /// The cells of a part of the board, such as `corners`; may be empty.
    ///
    /// # Errors
    /// If there is no part with this name.
    fn part_named(&self, name: &str) -> Result<Vec<usize>, String> {
        let on_rim = |cell: usize, side: usize| self.board.rim().contains(&(cell, side));
        let sides = |cell: usize| 0..self.board.cells()[cell].sides;
        let touches_rim = |cell: &usize| sides(*cell).any(|side| on_rim(*cell, side));
        let is_corner = |cell: &usize| {
            let number = sides(*cell).len();
            sides(*cell).any(|side| on_rim(*cell, side) && on_rim(*cell, (side + 1) % number))
        };
        let cells = 0..self.board.size();
        match name {
            "all" => Ok(cells.collect()),
            "corners" => Ok(cells.filter(is_corner).collect()),
            "border" => Ok(cells.filter(touches_rim).collect()),
            "inside" => Ok(cells.filter(|cell| !touches_rim(cell)).collect()),
            "centre" | "center" => Ok(self.centre()),
            "white" => Ok(self.cells_at(|row, column| (row + column) % 2 == 0)),
            "black" => Ok(self.cells_at(|row, column| (row + column) % 2 == 1)),
            "diagonal" => Ok(self.on_square(|row, column, _| row == column)),
            "antidiagonal" => Ok(self.on_square(|row, column, side| row + column == side + 1)),
            _ => self.part_with_letter(name).ok_or_else(|| self.unknown_cell_message(name)),
        }
    }

    /// The cells of a board with as many rows as columns whose row, column and this number satisfy
    /// a condition; none on other boards.
    fn on_square(&self, is_wanted: impl Fn(i64, i64, i64) -> bool) -> Vec<usize> {
        let area = self.board.squares().filter(|area| area.rows() == area.columns());
        let of_area = |area: &Area| {
            let side = area.rows() as i64;
            self.cells_at(|row, column| is_wanted(row, column, side))
        };
        area.map_or_else(Vec::new, of_area)
    }

    /// The new places of the cells, in the order of the cells, if the board is turned
    /// by 1 to 3 quarter turns, counter-clockwise, or mirrored.
    ///
    /// # Errors
    /// If the word is unknown, or the move does not map this board onto itself, as a message.
    pub fn moved_cells(&self, how: &str) -> Result<Vec<usize>, String> {
        type Move = fn(usize, usize, usize, usize) -> (usize, usize);
        const MOVES: [(&str, Move); 7] = [
            ("1", |row, column, _, columns| (columns - 1 - column, row)),
            ("2", |row, column, rows, columns| (rows - 1 - row, columns - 1 - column)),
            ("3", |row, column, rows, _| (column, rows - 1 - row)),
            ("left-right", |row, column, _, columns| (row, columns - 1 - column)),
            ("top-bottom", |row, column, rows, _| (rows - 1 - row, column)),
            ("diagonal", |row, column, _, _| (column, row)),
            ("antidiagonal", |row, column, rows, columns| (columns - 1 - column, rows - 1 - row)),
        ];
        let Some((_, to)) = MOVES.iter().find(|(word, _)| *word == how) else {
            return Err(format!(
                "`{how}` does not move a board: expected `turned 1` to `turned 3`, or `mirrored` \
                 left-right, top-bottom, diagonal or antidiagonal"
            ));
        };
        let cells = self.board.squares().and_then(|area| {
            let at = |(row, column)| to(row, column, area.rows(), area.columns());
            let moved = area.cells().map(at);
            moved.map(|(row, column)| area.number(row, column)).collect::<Option<Vec<usize>>>()
        });
        cells.ok_or_else(|| {
            format!(
                "{} cannot be moved onto itself in this way",
                self.board.description_with_article()
            )
        })
    }

    /// The number that each tile has as its name.
    ///
    /// # Errors
    /// If the name of a tile is not a whole number, as a message.
    pub fn tile_numbers(&self) -> Result<Vec<i64>, String> {
        let number = |tile: &Tile| {
            let number = tile.name.parse::<i64>().ok().filter(|number| number.abs() <= LARGEST);
            number.ok_or_else(|| {
                let name = &tile.name;
                format!("tile `{name}` has no number: give the weights of the tiles instead")
            })
        };
        self.puzzle.tiles.iter().map(number).collect()
    }

    /// The cells that have this letter in the mask; `None` if there are none.
    fn part_with_letter(&self, name: &str) -> Option<Vec<usize>> {
        let cells = self.board.area()?.part(name.chars().exactly_one().ok()?);
        (!cells.is_empty()).then_some(cells)
    }

    /// The error message for a name that is neither a cell nor a part of the board.
    fn unknown_cell_message(&self, name: &str) -> String {
        let letters = self.board.area().map(Area::letters);
        let letters = letters.filter(|letters| !letters.is_empty());
        let parts = letters
            .map_or(String::new(), |letters| format!(", or a part: {}", letters.iter().join(", ")));
        if self.board.squares().is_some() {
            format!(
                "`{name}` does not name a cell: expected [row, column], `row 1`, `column 1`, {}{parts}",
                PARTS.join(", ")
            )
        } else {
            let names = self.board.cells().iter().map(|cell| cell.name.to_string());
            let names = join_first_names(names.collect());
            format!(
                "`{name}` is not a cell: expected {names}, or corners, border, inside or all{parts}"
            )
        }
    }

    /// The central cell of a board with odd numbers of rows and columns; otherwise empty.
    fn centre(&self) -> Vec<usize> {
        let odd = self.board.squares();
        let odd = odd.filter(|area| area.rows() % 2 == 1 && area.columns() % 2 == 1);
        odd.and_then(|area| area.number(area.rows() / 2, area.columns() / 2)).into_iter().collect()
    }

    /// The tile with this name.
    ///
    /// # Errors
    /// If there is none, as a message.
    pub fn tile(&self, name: &str) -> Result<usize, String> {
        self.puzzle.tile_named(name).ok_or_else(|| format!("there is no tile `{name}`"))
    }

    /// Validates a rotation, a number of counter-clockwise steps.
    ///
    /// # Errors
    /// If it is negative, or not less than the largest number of sides of a tile, as a message.
    pub fn rotation(&self, number: i64) -> Result<usize, String> {
        let sides = self.sides();
        let rotation = usize::try_from(number).ok().filter(|&r| r < sides);
        rotation.ok_or_else(|| {
            let steps = if sides == 4 { "quarter turns" } else { "steps" };
            let last = sides - 1;
            format!("{number} is not a rotation: expected {steps} counter-clockwise, 0 to {last}")
        })
    }

    /// The face with this name.
    ///
    /// # Errors
    /// If there is no such face, or no tile has a back, as a message.
    pub fn face(&self, name: &str) -> Result<Face, String> {
        let face = Face::named(name)
            .ok_or_else(|| format!("`{name}` is not a face: expected `front` or `back`"))?;
        let mut tiles = self.puzzle.tiles.iter();
        if face == Face::Front || tiles.any(|tile| tile.back.is_some()) {
            Ok(face)
        } else {
            Err("no tile of this puzzle has a back".into())
        }
    }

    /// The side with this name, or with this number from 0.
    ///
    /// # Errors
    /// If there is none, as a message.
    pub fn side(&self, name: &str) -> Result<usize, String> {
        let most = self.sides();
        let polygons: BTreeSet<usize> = self.puzzle.tiles.iter().map(|t| t.sides()).collect();
        let named = |sides: &usize| (0..*sides).find(|&side| side_name(side, *sides) == name);
        let number = name.parse().ok().filter(|&side: &usize| side < most);
        number.or_else(|| polygons.iter().find_map(named)).ok_or_else(|| {
            let sides = polygons.iter().max_by_key(|sides| **sides);
            let sides = sides.map_or(0, |sides| *sides);
            let names = (0..sides).map(|side| side_name(side, sides));
            format!("`{name}` is not a side: expected {}", itertools::join(names, ", "))
        })
    }

    /// The labels of an image, one for each half, or the single label of a half. Empty if no tile
    /// shows the image.
    ///
    /// # Errors
    /// If the text is not a valid edge, is the unknown edge `?`, or has a sign although the image
    /// has no halves; as a message.
    pub fn labels(&self, written: &str) -> Result<Vec<Label>, String> {
        let edge = EdgeName::parse(written).map_err(|e| e.to_string())?;
        if edge.image == UNKNOWN {
            return Err("`?` is an unknown edge: expected an image".into());
        }
        let labels = &self.puzzle.labels;
        let of_image: Vec<Label> =
            labels.all().filter(|&label| labels.edge(label).image == edge.image).collect();
        if edge.half == Half::Whole || of_image.is_empty() {
            return Ok(of_image);
        }
        let half: Vec<Label> =
            of_image.into_iter().filter(|&label| labels.edge(label).half == edge.half).collect();
        if half.is_empty() {
            Err(format!("image `{}` has no halves: write it without a sign", edge.image))
        } else {
            Ok(half)
        }
    }

    /// The names of the first eight cells, separated by commas.
    pub(super) fn cell_names(&self, cells: &[usize]) -> String {
        join_first_names(
            cells.iter().map(|&cell| self.board.cells()[cell].name.to_string()).collect(),
        )
    }

    /// The names of the first eight tiles in backquotes, separated by commas.
    pub(super) fn tile_names(&self, tiles: &[usize]) -> String {
        let names = tiles.iter().map(|&tile| format!("`{}`", self.puzzle.tiles[tile].name));
        join_first_names(names.collect())
    }
}

/// The rows or columns that a name such as `row 2` or `rows 2..4` means; `None` for other names.
fn lines_named(name: &str) -> Option<WrittenCells> {
    let (word, number) = name.split_once(' ')?;
    let (first, last) = number.split_once("..").unwrap_or((number, number));
    let lines = first.trim().parse().ok()?..=last.trim().parse().ok()?;
    match word {
        "row" | "rows" => Some(WrittenCells::Rows(lines)),
        "column" | "columns" => Some(WrittenCells::Columns(lines)),
        _ => None,
    }
}

/// Joins the first eight names of a list by commas; `…` follows if there are more.
fn join_first_names(mut names: Vec<String>) -> String {
    const SHOWN: usize = 8;
    let number = names.len();
    names.truncate(SHOWN);
    let rest = if number > SHOWN { ", …" } else { "" };
    names.join(", ") + rest
}
