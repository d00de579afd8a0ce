//! Rows and columns of places, of which some may be holes.

use itertools::iproduct;

/// Which places of so many rows and columns are cells. Both count from 0 here.
///
/// ```
/// use edgematch::board::Area;
/// let area = Area::masked(&[vec![true, true, false], vec![true; 3]]).expect("rows are as long");
/// assert_eq!(area.size(), 5);
/// assert_eq!(area.number(1, 0), Some(2));
/// assert_eq!(area.lines()[0], [Some(0), Some(1), None]);
/// assert_eq!(Area::masked(&vec![vec![true; 2]; 3]), Some(Area::full(3, 2)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Area {
    rows: usize,
    columns: usize,
    /// By place in reading order, the number of its cell; nothing where every place is one.
    numbers: Option<Vec<Option<usize>>>,
}

impl Area {
    /// A cell in every place.
    pub fn full(rows: usize, columns: usize) -> Area {
        Area {
            rows,
            columns,
            numbers: None,
        }
    }

    /// Cells where the mask says so; `None` where its rows are of different lengths, or there is no
    /// cell.
    pub fn masked(mask: &[Vec<bool>]) -> Option<Area> {
        let columns = mask.first()?.len();
        if mask.iter().any(|row| row.len() != columns) {
            return None;
        }
        let mut next = 0..;
        let places = mask.iter().flatten();
        let numbers = places.map(|&is_cell| if is_cell { next.next() } else { None });
        let numbers: Vec<Option<usize>> = numbers.collect();
        let cells = numbers.iter().flatten().count();
        (cells > 0).then(|| Area {
            rows: mask.len(),
            columns,
            numbers: (cells < numbers.len()).then_some(numbers),
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

    /// What is said of it behind rows and columns: ` with 2 holes`, or nothing.
    pub(super) fn holes_in_words(&self) -> String {
        match self.holes() {
            0 => String::new(),
            1 => " with 1 hole".to_owned(),
            holes => format!(" with {holes} holes"),
        }
    }
}
