//! Rows as a table, for the terminal or in Markdown.

use std::io::{self, Write};

use comfy_table::presets;
use edgematch::runtime::clock::seconds;
use edgematch_report::Cells;

use super::words::{
    counts, end_of_path, engine, one_line, place, shortened, verdict, version_and_date, work,
};
use super::{RowWriter, Survey, Totals};
use crate::RunRow;

/// The maximum number of characters of a cell; longer texts are truncated.
const LONGEST: usize = 60;

/// The style of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TableForm {
    Text,
    Markdown,
}

/// The writer of a table. It collects all rows and prints them at the end, when the column widths
/// are known.
pub(super) struct Rows {
    form: TableForm,
    cells: Cells,
    columns: Vec<Column>,
}

/// A column: its header, true if it is text and therefore left-aligned, and its content for a row.
type Column = (&'static str, bool, fn(&RunRow) -> String);

const TEXT: bool = true;
const NUMBER: bool = false;

impl Rows {
    /// Creates an empty table for the results of a survey. Columns that would be the same in all
    /// rows, such as the version, are omitted.
    pub fn new(survey: &Survey, form: TableForm) -> Self {
        let mut columns: Vec<Column> = vec![
            ("puzzle", TEXT, |row| end_of_path(&place(row), LONGEST)),
            ("engine", TEXT, engine),
        ];
        if survey.options.len() > 1 {
            columns.push(("options", TEXT, |row| row.options.clone()));
        }
        if survey.versions.len() > 1 {
            columns.push(("version", TEXT, version_and_date));
        }
        let rest: [Column; 7] = [
            ("verdict", TEXT, |row| verdict(&row.ended)),
            ("distinct", NUMBER, |row| counts(&row.ended)[0].clone()),
            ("classes", NUMBER, |row| counts(&row.ended)[1].clone()),
            ("solutions", NUMBER, |row| counts(&row.ended)[2].clone()),
            ("work", NUMBER, |row| work(&row.work)),
            ("time", NUMBER, |row| seconds(row.work.seconds)),
            ("error", TEXT, |row| row.ended.status.message().unwrap_or_default()),
        ];
        columns.extend(rest);
        let mut cells = Cells::new(&columns.iter().map(|column| column.0).collect::<Vec<_>>());
        cells.left = (0..columns.len()).filter(|&index| columns[index].1).collect();
        Rows { form, cells, columns }
    }

    /// A text on one line, truncated, and escaped for Markdown.
    fn cell(&self, text: &str) -> String {
        let text = shortened(&one_line(text), LONGEST);
        match self.form {
            TableForm::Text => text,
            TableForm::Markdown => escaped(&text),
        }
    }

    /// Removes the last column, the errors, if it is empty in all rows.
    fn remove_empty_errors(&mut self) {
        if self.cells.rows.iter().all(|row| row.last().is_none_or(String::is_empty)) {
            self.cells.header.pop();
            self.cells.rows.iter_mut().for_each(|row| _ = row.pop());
            self.cells.left.pop();
        }
    }
}

impl RowWriter for Rows {
    fn row(&mut self, _: &mut dyn Write, row: &RunRow) -> io::Result<()> {
        let cells = self.columns.iter().map(|(_, _, of)| self.cell(&of(row))).collect();
        self.cells.rows.push(cells);
        Ok(())
    }

    fn end(&mut self, out: &mut dyn Write, totals: &Totals) -> io::Result<()> {
        self.remove_empty_errors();
        let cells = std::mem::replace(&mut self.cells, Cells::new(&[]));
        let style = match self.form {
            TableForm::Text => presets::NOTHING,
            TableForm::Markdown => presets::ASCII_MARKDOWN,
        };
        if !cells.rows.is_empty() {
            writeln!(out, "{}", cells.drawn(style))?;
        }
        writeln!(out, "{totals}")
    }
}

/// A text with the special characters of Markdown escaped.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' | '|' | '`' | '*' | '[' | ']' => escaped.extend(['\\', c]),
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(escaped("a|b <script>"), "a\\|b &lt;script&gt;");
    }
}
