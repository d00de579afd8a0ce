//! A rectangle of places, in rows and columns: each place is a cell or a hole, and letters group
//! cells into parts.

use std::collections::BTreeSet;

use itertools::iproduct;

/// The mask character of a cell that belongs to no part.
const CELL: char = '#';
/// The mask character of a place that is not a cell.
const HOLE: char = '.';

/// A mask of rows and columns: which places are cells, and which part each cell belongs to. Rows
/// and columns are numbered from 0 here, cells in reading order.
///
/// ```
/// use edgematch::board::Area;
/// let area = Area::from_mask(&[vec![true, true, false], vec![true; 3]]).expect("equal rows");
/// assert_eq!(area.size(), 5);
/// assert_eq!(area.number(1, 0), Some(2));
/// assert_eq!(area.lines()[0], [Some(0), Some(1), None]);
/// assert_eq!(Area::from_mask(&vec![vec![true; 2]; 3]), Some(Area::full(3, 2)));
/// let rows = ["AAB", "AB."].map(|row| row.chars().collect());
/// let area = Area::from_letters(&rows).expect("equal rows");
/// assert_eq!(area.part('B'), [2, 4]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    rows: usize,
    columns: usize,
    /// The index of the cell in each place, in reading order, `None` for a hole; `None` as a whole
    /// if every place is a cell.
    numbers: Option<Vec<Option<usize>>>,
    /// The letter of each cell's part, `#` for none; empty if no cell is in a part.
    letters: Vec<char>,
}

impl Area {
    /// Creates an area with a cell in every place.
    pub fn full(rows: usize, columns: usize) -> Area {
        Area { rows, columns, numbers: None, letters: Vec::new() }
    }

    /// Creates an area with cells where the mask is true; `None` if the rows differ in length or
    /// there is no cell.
    pub fn from_mask(mask: &[Vec<bool>]) -> Option<Area> {
        let letter = |&is_cell: &bool| if is_cell { CELL } else { HOLE };
        let row = |row: &Vec<bool>| row.iter().map(letter).collect();
        Area::from_letters(&mask.iter().map(row).collect::<Vec<Vec<char>>>())
    }

    /// Creates an area with a cell for each character but `.`. Letters name the parts; `#` is a
    /// cell without a part. Returns `None` in the same cases as [`Area::from_mask`].
    pub fn from_letters(mask: &[Vec<char>]) -> Option<Area> {
        let columns = mask.first()?.len();
        if mask.iter().any(|row| row.len() != columns) {
            return None;
        }
        let mut next = 0..;
        let places = mask.iter().flatten();
        let numbers = places.clone().map(|&letter| match letter {
            HOLE => None,
            _ => next.next(),
        });
        let numbers: Vec<Option<usize>> = numbers.collect();
        let mut letters: Vec<char> = places.copied().filter(|&letter| letter != HOLE).collect();
        let cells = letters.len();
        if letters.iter().all(|&letter| letter == CELL) {
            letters.clear();
        }
        (cells > 0).then(|| Area {
            rows: mask.len(),
            columns,
            numbers: (cells < numbers.len()).then_some(numbers),
            letters,
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of cells, without holes.
    pub fn size(&self) -> usize {
        match &self.numbers {
            None => self.rows * self.columns,
            Some(numbers) => numbers.iter().flatten().count(),
        }
    }

    /// The number of holes.
    pub fn holes(&self) -> usize {
        self.rows * self.columns - self.size()
    }

    /// The letters of the parts in alphabetical order, without duplicates.
    pub fn letters(&self) -> BTreeSet<char> {
        self.letters.iter().copied().filter(|&letter| letter != CELL).collect()
    }

    /// The letter of the part to which a cell belongs; `None` if it belongs to none.
    pub fn letter(&self, cell: usize) -> Option<char> {
        let letter = self.letters.get(cell).copied();
        letter.filter(|&letter| letter != CELL)
    }

    /// The cells of the part with this letter, ascending; empty if there is no such part.
    pub fn part(&self, letter: char) -> Vec<usize> {
        (0..self.size()).filter(|&cell| self.letter(cell) == Some(letter)).collect()
    }

    /// The index of the cell in this place; `None` for a hole or outside the area.
    pub fn number(&self, row: usize, column: usize) -> Option<usize> {
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let place = row * self.columns + column;
        match &self.numbers {
            None => Some(place),
            Some(numbers) => numbers[place],
        }
    }

    /// The row and column of each cell, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = iproduct!(0..self.rows, 0..self.columns);
        places.filter(|&(row, column)| self.number(row, column).is_some())
    }

    /// The index of the cell in each place, row by row; `None` for a hole.
    pub fn lines(&self) -> Vec<Vec<Option<usize>>> {
        let line = |row| (0..self.columns).map(move |column| self.number(row, column));
        (0..self.rows).map(|row| line(row).collect()).collect()
    }

    /// The mask as written in files, a string for each row; `None` if there are neither holes nor
    /// parts.
    pub fn mask(&self) -> Option<Vec<String>> {
        if self.numbers.is_none() && self.letters.is_empty() {
            return None;
        }
        let letter = |cell: Option<usize>| match cell {
            None => HOLE,
            Some(cell) => self.letter(cell).unwrap_or(CELL),
        };
        let row = |line: Vec<Option<usize>>| line.into_iter().map(letter).collect();
        Some(self.lines().into_iter().map(row).collect())
    }

    /// Formats holes and parts as a suffix of the board's description, such as ` with 2 holes in 3
    /// parts`. Empty if there are neither.
    pub(super) fn describe(&self) -> String {
        let holes = match self.holes() {
            0 => String::new(),
            1 => " with 1 hole".to_owned(),
            holes => format!(" with {holes} holes"),
        };
        let parts = match self.letters().len() {
            0 => String::new(),
            1 => " with 1 part".to_owned(),
            parts => format!(" in {parts} parts"),
        };
        holes + &parts
    }
}
