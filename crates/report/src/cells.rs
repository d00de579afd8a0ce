//! Tables: columns aligned for reading, or fields for spreadsheets.

use comfy_table::{CellAlignment, Table, TableStyle};
use itertools::Itertools;

/// A table before it has a form.
pub struct Cells {
    /// The names of the columns.
    pub header: Vec<String>,
    /// As many cells as the header has.
    pub rows: Vec<Vec<String>>,
    /// The columns that are written from the left, the others from the right.
    pub left: Vec<usize>,
}

impl Cells {
    /// A table without rows.
    pub fn new(header: &[&str]) -> Self {
        Cells {
            header: header.iter().map(|h| (*h).to_owned()).collect(),
            rows: Vec::new(),
            left: vec![0],
        }
    }

    /// The columns side by side, as wide as they must be.
    pub fn drawn(self, style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(style).set_header(self.header);
        table.add_rows(self.rows);
        for (index, column) in table.column_iter_mut().enumerate() {
            if !self.left.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let lines = table.to_string();
        lines
            .lines()
            .map(|line| line.trim_end().to_owned() + "\n")
            .collect()
    }

    /// Comma-separated, quoted where needed.
    pub(super) fn csv(self) -> String {
        let rows = std::iter::once(&self.header).chain(&self.rows);
        rows.map(|row| csv_line(row)).collect()
    }
}

/// A row, comma-separated, quoted where needed.
pub fn csv_line(fields: &[String]) -> String {
    let quoted = |field: &String| {
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field.clone()
        }
    };
    fields.iter().map(quoted).join(",") + "\n"
}
