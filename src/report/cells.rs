//! Tables, for people and for spreadsheets.

use comfy_table::{CellAlignment, Table, TableStyle};
use itertools::Itertools;

/// A table before it has a form.
pub struct Cells {
    /// The names of the columns.
    pub header: Vec<String>,
    /// As many cells as the header has.
    pub rows: Vec<Vec<String>>,
}

impl Cells {
    /// A table without rows.
    pub fn new(header: &[&str]) -> Self {
        Cells {
            header: header.iter().map(|h| (*h).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// The first column to the left, the others to the right.
    pub fn drawn(self, style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(style).set_header(self.header);
        table.add_rows(self.rows);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let lines = table.to_string();
        lines
            .lines()
            .map(|line| line.trim_end().to_owned() + "\n")
            .collect()
    }

    /// Comma-separated, quoted where needed.
    pub fn csv(self) -> String {
        let quoted = |field: &String| match field.contains([',', '"', '\n']) {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field.clone(),
        };
        let line = |row: &Vec<String>| row.iter().map(quoted).join(",") + "\n";
        std::iter::once(&self.header)
            .chain(&self.rows)
            .map(line)
            .collect()
    }
}
