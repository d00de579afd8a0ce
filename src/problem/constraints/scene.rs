//! Resolution of names: cells, tiles, sides and images of a puzzle on its board.
//!
//! An unknown name is an error; most messages list what is expected.

use std::collections::BTreeSet;

use itertools::Itertools;

use crate::board::{Area, Board, CellName, side_name};
use crate::problem::Problem;
use crate::puzzle::{EdgeName, Face, Half, Label, Puzzle, UNKNOWN};

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
    /// A row from 1.
    Row(i64),
    /// A column from 1.
    Column(i64),
    /// The name of a cell, `all`, `corners`, `border`, `inside`, `centre`, `row 2`, `column 3`, or
    /// a letter of the mask.
    Named(String),
}

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
        let at = |wanted: &dyn Fn(i64, i64) -> bool| -> Vec<usize> {
            let cells = self.board.cells().iter().enumerate();
            let wanted = cells.filter(|(_, cell)| match cell.name {
                CellName::At(row, column) => wanted(row as i64, column as i64),
                CellName::Named(_) => false,
            });
            wanted.map(|(index, _)| index).collect()
        };
        let none = |words: String| format!("there is no {words} on {board}");
        let (cells, refusal) = match written {
            WrittenCells::At(row, column) => {
                (at(&|r, c| (r, c) == (*row, *column)), none(format!("cell [{row},{column}]")))
            }
            WrittenCells::Row(row) => (at(&|r, _| r == *row), none(format!("row {row}"))),
            WrittenCells::Column(column) => {
                (at(&|_, c| c == *column), none(format!("column {column}")))
            }
            WrittenCells::Named(name) => match (self.cell_named(name), line_named(name)) {
                (Some(cell), _) => (vec![cell], String::new()),
                (None, Some(line)) => return self.cells(&line),
                (None, None) => {
                    (self.part_named(name)?, format!("`{name}` does not name a cell of {board}"))
                }
            },
        };
        if cells.is_empty() { Err(refusal) } else { Ok(cells) }
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
            _ => self.part_with_letter(name).ok_or_else(|| self.unknown_cell_message(name)),
        }
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
                "`{name}` does not name a cell: expected [row, column], `row 1`, `column 1`, corners, \
                 border, inside, centre or all{parts}"
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

/// The row or column that a name such as `row 2` means; `None` for other names.
fn line_named(name: &str) -> Option<WrittenCells> {
    let (word, number) = name.split_once(' ')?;
    let number = number.trim().parse().ok()?;
    match word {
        "row" => Some(WrittenCells::Row(number)),
        "column" => Some(WrittenCells::Column(number)),
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
