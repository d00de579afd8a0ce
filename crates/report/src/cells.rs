//! Tables as aligned text, and rows of CSV.

use comfy_table::{CellAlignment, Table, TableStyle};
use edgematch::load::printable;
use itertools::Itertools;

/// The content of a table, without a style.
pub struct Cells {
    /// The names of the columns.
    pub header: Vec<String>,
    /// The rows, each with as many cells as the header.
    pub rows: Vec<Vec<String>>,
    /// The indices of the left-aligned columns, by default the first; the others are right-aligned.
    pub left: Vec<usize>,
}

impl Cells {
    /// Creates a table without rows.
    pub fn new(header: &[&str]) -> Self {
        Cells {
            header: header.iter().map(|h| (*h).to_owned()).collect(),
            rows: Vec::new(),
            left: vec![0],
        }
    }

    /// The table as lines of text in a style, with control characters escaped and without trailing
    /// spaces.
    pub fn drawn(self, style: TableStyle) -> String {
        let mut table = Table::new();
        table.load_style(style).set_header(self.header);
        table.add_rows(self.rows.iter().map(|row| row.iter().map(|cell| printable(cell))));
        for (index, column) in table.column_iter_mut().enumerate() {
            if !self.left.contains(&index) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.to_string().lines().map(|line| line.trim_end().to_owned() + "\n").collect()
    }
}

/// A line of CSV, with fields quoted where needed. Text that a spreadsheet would evaluate as a
/// formula gets an apostrophe in front; numbers stay numbers.
pub fn csv_line(fields: &[String]) -> String {
    let field = |field: &String| {
        let apostrophe = if is_formula(field) { "'" } else { "" };
        let text = format!("{apostrophe}{field}");
        if text.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text
        }
    };
    fields.iter().map(field).join(",") + "\n"
}

/// Returns true if a spreadsheet would evaluate the cell as a formula.
fn is_formula(cell: &str) -> bool {
    let is_number = || cell.parse::<f64>().is_ok_and(f64::is_finite);
    cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && !is_number()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_text_and_numbers_are_numbers() {
        for (cell, expected) in [
            ("=HYPERLINK(\"http://x\",1)", "\"'=HYPERLINK(\"\"http://x\"\",1)\""),
            ("+a", "'+a"),
            ("-1+2", "'-1+2"),
            ("@SUM(1)", "'@SUM(1)"),
            ("\t=1", "'\t=1"),
            ("-inf", "'-inf"),
            ("-1", "-1"),
            ("+2.5e3", "+2.5e3"),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            assert_eq!(csv_line(&[cell.to_owned()]), format!("{expected}\n"));
        }
    }
}
