//! A formula in conjunctive normal form with DIMACS literals, and its file format.
//!
//! The file has sections, so that readers can see which clauses state the puzzle, which break
//! symmetry, and which exclude solutions.

use std::io::{BufRead, Write};

use edgematch::load::LoadError;

use super::proof::Lines;

/// Clauses over the variables 1, 2, …; a negative number is a negated variable.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cnf {
    /// The number of variables, which is also the largest variable.
    pub variables: i32,
    literals: Vec<i32>,
    /// The end of each clause in `literals`.
    ends: Vec<usize>,
}

impl Cnf {
    /// Creates a formula without clauses.
    pub fn with_variables(variables: i32) -> Cnf {
        Cnf { variables, ..Cnf::default() }
    }

    /// Adds a clause.
    pub fn push(&mut self, clause: impl IntoIterator<Item = i32>) {
        self.literals.extend(clause);
        self.ends.push(self.literals.len());
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The clause with an index, from 0.
    ///
    /// # Panics
    /// If there is no such clause.
    pub fn clause(&self, index: usize) -> &[i32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start..self.ends[index]]
    }

    /// The clauses in order.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        (0..self.len()).map(|index| self.clause(index))
    }

    /// Writes the clauses of a section, one per line, after a comment with its name.
    pub(super) fn write_section(&self, out: &mut Vec<u8>, name: &str) {
        out.extend(format!("c section {name}: {} clauses\n", self.len()).bytes());
        for clause in self.iter() {
            write_clause(out, clause);
        }
    }

    /// Reads a file in DIMACS format with one clause per line; `file` is its name in errors.
    ///
    /// # Errors
    /// If the file cannot be read or is malformed.
    pub fn read(text: impl BufRead, file: &str) -> Result<Cnf, LoadError> {
        let mut lines = Lines::new(text, file);
        let Some(line) = lines.next_line()? else {
            return Err(lines.error("the file is empty: expected `p cnf VARIABLES CLAUSES`".into()));
        };
        let (variables, number) = header(line.words())
            .ok_or_else(|| line.error(1, "expected `p cnf VARIABLES CLAUSES`"))?;
        let mut formula = Cnf::with_variables(variables);
        let mut clause = Vec::new();
        while let Some(line) = lines.next_line()? {
            line.clause(line.words(), variables, &mut clause)?;
            formula.push(clause.iter().copied());
            if formula.len() > number {
                let expected = format!("more than the {number} clauses that the file announces");
                return Err(line.error(1, &expected));
            }
        }
        if formula.len() < number {
            let found = formula.len();
            return Err(lines.error(format!("{found} clauses, but {number} are announced")));
        }
        Ok(formula)
    }
}

/// Parses the numbers of variables and clauses in the line `p cnf …`; `None` if it is malformed.
fn header(words: &[u8]) -> Option<(i32, usize)> {
    let words: Vec<&str> = std::str::from_utf8(words).ok()?.split_ascii_whitespace().collect();
    let ["p", "cnf", variables, clauses] = words[..] else {
        return None;
    };
    let variables: i32 = variables.parse().ok().filter(|&v| v >= 0)?;
    Some((variables, clauses.parse().ok()?))
}

/// Writes a clause as a line of DIMACS, ended by 0.
pub(super) fn write_clause(out: &mut Vec<u8>, clause: &[i32]) {
    for literal in clause {
        // Writing to memory cannot fail.
        let _ = write!(out, "{literal} ");
    }
    out.extend(b"0\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut formula = Cnf::with_variables(3);
        formula.push([1, -2]);
        formula.push([3]);
        let mut text = b"c a comment\np cnf 3 2\n".to_vec();
        formula.write_section(&mut text, "base");
        assert_eq!(Cnf::read(&text[..], "f").unwrap(), formula);
    }

    #[test]
    fn junk_has_its_line() {
        let cases = [
            ("1 0\n", "f:1:1:"),
            ("p cnf 2 1\n1 x 0\n", "f:2:3:"),
            ("p cnf 2 1\n1 3 0\n", "f:2:3:"),
            ("p cnf 2 1\n1 2\n", "f:2:1:"),
            ("p cnf 2 1\n1 0 2 0\n", "f:2:5:"),
            ("p cnf 2 1\n1 0\n2 0\n", "f:3:1:"),
            ("p cnf 2 2\n1 0\n", "f:"),
            ("p cnf -2 2\n1 0\n", "f:1:1:"),
            ("p cnf 99999999999 2\n1 0\n", "f:1:1:"),
            ("", "f:"),
        ];
        for (text, place) in cases {
            let error = Cnf::read(text.as_bytes(), "f").unwrap_err().to_string();
            assert!(error.starts_with(place), "{text:?}: {error}");
        }
    }
}
