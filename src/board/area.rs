//! Rows and columns of places, of which some may be holes, and cells in parts that have letters.

use std::collections::BTreeSet;

use itertools::iproduct;

/// A cell in a mask that is in no part with a letter.
const CELL: char = '#';
const HOLE: char = '.';

/// Which places of so many rows and columns are cells, and what parts they are in. Rows and columns
/// count from 0 here.
///
/// ```
/// use edgematch::board::Area;
/// let area = Area::masked(&[vec![true, true, false], vec![true; 3]]).expect("rows are as long");
/// assert_eq!(area.size(), 5);
/// assert_eq!(area.number(1, 0), Some(2));
/// assert_eq!(area.lines()[0], [Some(0), Some(1), None]);
/// assert_eq!(Area::masked(&vec![vec![true; 2]; 3]), Some(Area::full(3, 2)));
/// let area = Area::lettered(&["AAB".chars().collect(), "AB.".chars().collect()]).expect("so too");
/// assert_eq!(area.part('B'), [2, 4]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    rows: usize,
    columns: usize,
    /// By place in reading order, the number of its cell; nothing where every place is one.
    numbers: Option<Vec<Option<usize>>>,
    /// By cell, the letter of its part, `#` where it is in none; empty where all are in none.
    letters: Vec<char>,
}

impl Area {
    /// A cell in every place.
    pub fn full(rows: usize, columns: usize) -> Area {
        Area { rows, columns, numbers: None, letters: Vec::new() }
    }

    /// Cells where the mask says so; `None` where its rows are of different lengths, or there is no
    /// cell.
    pub fn masked(mask: &[Vec<bool>]) -> Option<Area> {
        let letter = |&is_cell: &bool| if is_cell { CELL } else { HOLE };
        let row = |row: &Vec<bool>| row.iter().map(letter).collect();
        Area::lettered(&mask.iter().map(row).collect::<Vec<Vec<char>>>())
    }

    /// Cells where the mask has no `.`, in parts that letters name; a cell with `#` is in none.
    /// `None` as for [`Area::masked`].
    pub fn lettered(mask: &[Vec<char>]) -> Option<Area> {
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

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Number of cells.
    pub fn size(&self) -> usize {
        match &self.numbers {
            None => self.rows * self.columns,
            Some(numbers) => numbers.iter().flatten().count(),
        }
    }

    /// Number of places that are no cells.
    pub fn holes(&self) -> usize {
        self.rows * self.columns - self.size()
    }

    /// The letters of parts, each once, in the order of the alphabet.
    pub fn letters(&self) -> BTreeSet<char> {
        self.letters.iter().copied().filter(|&letter| letter != CELL).collect()
    }

    /// The letter of the part that a cell is in, counted as for [`Area::number`].
    pub fn letter(&self, cell: usize) -> Option<char> {
        let letter = self.letters.get(cell).copied();
        letter.filter(|&letter| letter != CELL)
    }

    /// The cells of a part, ascending; none where no part has the letter.
    pub fn part(&self, letter: char) -> Vec<usize> {
        (0..self.size()).filter(|&cell| self.letter(cell) == Some(letter)).collect()
    }

    /// The number of a cell in reading order; `None` where there is none.
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

    /// Row and column of each cell, in reading order.
    pub fn cells(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let places = iproduct!(0..self.rows, 0..self.columns);
        places.filter(|&(row, column)| self.number(row, column).is_some())
    }

    /// Row by row, the number of the cell in each place.
    pub fn lines(&self) -> Vec<Vec<Option<usize>>> {
        let line = |row| (0..self.columns).map(move |column| self.number(row, column));
        (0..self.rows).map(|row| line(row).collect()).collect()
    }

    /// The mask that it is written as; `None` where it is rows and columns alone.
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

    /// What is said of it behind rows and columns: ` with 2 holes in 3 parts`, or nothing.
    pub(super) fn in_words(&self) -> String {
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
