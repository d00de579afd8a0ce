//! Reads the answers of other programs to an exported model as arrangements.
//!
//! Solver output varies, but nearly every solver prints names and values. The text is read as
//! words: a placement name such as `x_1_2_t5_3` is selected if no number follows it, or if a 1
//! does. This covers solution files of HiGHS, CBC, SCIP, GLPK, Gurobi, CPLEX and `lp_solve`, the
//! output of MiniZinc models, and lists of names. An answer set of clingo writes the same placement
//! as `place(c_1_2,t5_3)`. SAT solvers print numbers, `v 1 -2 3 0`; the comments of the exported
//! file map them to names: `c x_1_2_t5_3 = 17`.

use std::collections::HashMap;

use super::names::{cell_name, value_name};
use crate::load::{LoadError, Remedy, Source};
use crate::problem::{Arrangement, Problem};

/// The largest accepted distance of a value from 0 or 1, for solvers with tolerances.
const TOLERANCE: f64 = 1e-3;

/// The names of a problem's placements in exported files, for reading answers.
pub struct PlacementNames<'a> {
    problem: &'a Problem,
    placements: HashMap<String, (usize, usize)>,
    /// The placement (cell, value) of each variable number, read from the exported file; empty if
    /// no file was read.
    numbers: HashMap<u64, (usize, usize)>,
}

impl<'a> PlacementNames<'a> {
    /// Names every placement of a problem.
    pub fn new(problem: &'a Problem) -> PlacementNames<'a> {
        let values: Vec<String> =
            (0..problem.kinds.values.len()).map(|value| value_name(problem, value)).collect();
        let mut placements = HashMap::new();
        for cell in 0..problem.board.size() {
            let of_cell = cell_name(problem, cell);
            let names = values.iter().enumerate();
            placements
                .extend(names.map(|(value, name)| (format!("x_{of_cell}_{name}"), (cell, value))));
        }
        PlacementNames { problem, placements, numbers: HashMap::new() }
    }

    /// Reads the variable numbers from the comments of an exported CNF or OPB file. Errors refer to
    /// it as `file`.
    ///
    /// # Errors
    /// If the file is not text, or has no such comments for this problem.
    pub fn learn_numbers(&mut self, bytes: &[u8], file: &str) -> Result<(), LoadError> {
        let source = Source::decode(bytes, file)?;
        for line in source.text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            if let [_, name, "=", number] = words[..]
                && let Some(&placement) = self.placements.get(name)
                && let Ok(number) = number.trim_start_matches('x').parse()
            {
                self.numbers.insert(number, placement);
            }
        }
        if self.numbers.is_empty() {
            return Err(source
                .error("no comment names the placement of this puzzle for any number".into())
                .with_help("expected this puzzle's model, exported as CNF or OPB"));
        }
        Ok(())
    }

    /// Returns true if the variable numbers of an exported file are known.
    fn has_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// Returns true if a text looks like the answer of another program: it has a line of literals,
    /// reports that there is no solution, or contains a placement name. Always true after
    /// [`PlacementNames::learn_numbers`].
    pub fn are_in(&self, text: &str) -> bool {
        let has_name = || {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            words.clone().any(|word| self.placements.contains_key(word))
                || text.contains("place(c_")
        };
        text.lines().any(is_literal_line)
            || reports_no_solution(text)
            || self.has_numbers()
            || has_name()
    }

    /// Reads every arrangement of an answer. Errors refer to it as `file`.
    ///
    /// # Errors
    /// If the solver reports that there is no solution, no placement is selected, an arrangement
    /// selects no placement or several for a cell, a value is neither 0 nor 1, or the answer uses
    /// numbers but [`PlacementNames::learn_numbers`] was not called.
    pub fn read(&self, bytes: &[u8], file: &str) -> Result<Vec<Arrangement>, LoadError> {
        let source = Source::decode(bytes, file)?;
        // Some solvers print values even if there is no solution.
        if reports_no_solution(source.text) {
            return Err(source.error("the solver reports that there is no solution".into()));
        }
        let mut reading = AnswerReader {
            names: self,
            source: &source,
            cells: vec![None; self.problem.board.size()],
            filled: 0,
            line: 1,
            found: Vec::new(),
        };
        let mut lines = source.text.lines().enumerate().peekable();
        while let Some((index, line)) = lines.next() {
            let before = reading.filled;
            if line.starts_with("Answer:") || line.starts_with("-----") {
                reading.store_arrangement()?;
            } else if is_literal_line(line) || self.has_numbers() {
                reading.read_literals(index + 1, line)?;
            } else {
                // GLPK breaks the line after a long name.
                let rest = lines.next_if(|(_, next)| next.trim_start().starts_with('*'));
                let rest = rest.map_or("", |(_, rest)| rest);
                reading.read_names(index + 1, &format!("{line} {rest}"))?;
            }
            if reading.filled != before {
                reading.line = index + 1;
            }
        }
        reading.store_arrangement()?;
        if reading.found.is_empty() {
            return Err(source.error("no placement is selected in this file".into()));
        }
        Ok(reading.found)
    }
}

/// Returns true if a line of the text reports that there is no solution.
fn reports_no_solution(text: &str) -> bool {
    let words = ["UNSAT", "s UNSATISFIABLE", "Infeasible", "INFEASIBLE", "Integer infeasible"];
    let mut lines = text.lines();
    lines.any(|line| line.trim() == "UNSATISFIABLE" || words.iter().any(|w| line.starts_with(w)))
}

/// Returns true if a line contains the literals of a SAT or pseudo-Boolean solver.
fn is_literal_line(line: &str) -> bool {
    line.starts_with("v ")
}

/// The state of the reader within an answer.
struct AnswerReader<'a> {
    names: &'a PlacementNames<'a>,
    source: &'a Source<'a>,
    /// The values of the current arrangement so far, and the number of cells that have one.
    cells: Vec<Option<usize>>,
    filled: usize,
    /// The number, from 1, of the last line that filled a cell.
    line: usize,
    found: Vec<Arrangement>,
}

impl AnswerReader<'_> {
    /// The problem whose model was exported.
    fn problem(&self) -> &Problem {
        self.names.problem
    }

    /// Stores the current arrangement and starts a new one; does nothing if it is empty.
    ///
    /// # Errors
    /// If a cell has no placement.
    fn store_arrangement(&mut self) -> Result<(), LoadError> {
        if self.filled == 0 {
            return Ok(());
        }
        if let Some(cell) = self.cells.iter().position(Option::is_none) {
            let name = &self.problem().board.cells()[cell].name;
            let message = format!("no placement is selected for cell {name}");
            return Err(self.source.error_at(self.line, 1, message));
        }
        let values: Vec<usize> = self.cells.iter_mut().filter_map(Option::take).collect();
        self.filled = 0;
        self.found.push(self.problem().deal(values));
        Ok(())
    }

    /// Adds a placement to the current arrangement, or to a new one if the current one is complete.
    ///
    /// # Errors
    /// If the cell already has another placement.
    fn add_placement(
        &mut self,
        line: usize,
        (cell, value): (usize, usize),
    ) -> Result<(), LoadError> {
        if self.filled == self.cells.len() {
            self.store_arrangement()?;
        }
        match self.cells[cell].replace(value) {
            None => self.filled += 1,
            Some(other) if other == value => {}
            Some(_) => {
                let name = &self.problem().board.cells()[cell].name;
                let message = format!("two placements are selected for cell {name}");
                return Err(self.source.error_at(line, 1, message));
            }
        }
        Ok(())
    }

    /// Reads a line of literals: `v 1 -2 x3 0`. A 0 ends the arrangement.
    ///
    /// # Errors
    /// If no exported file was read, or a cell gets two placements.
    fn read_literals(&mut self, line: usize, text: &str) -> Result<(), LoadError> {
        if !self.names.has_numbers() {
            let message =
                "the numbers can be read only with the exported file, which names their placements"
                    .into();
            return Err(self
                .source
                .error_at(line, 1, message)
                .with_remedy(Remedy::Model, "give that file as well"));
        }
        for word in text.split_whitespace() {
            if word == "0" {
                self.store_arrangement()?;
            } else if let Ok(number) = word.trim_start_matches('x').parse::<u64>()
                && let Some(&placement) = self.names.numbers.get(&number)
            {
                self.add_placement(line, placement)?;
            }
        }
        Ok(())
    }

    /// Reads a line of names and values. A name without a value is selected.
    ///
    /// # Errors
    /// If a value is neither 0 nor 1, or cannot be found in the line.
    fn read_names(&mut self, line: usize, text: &str) -> Result<(), LoadError> {
        // clingo writes a placement as a term that no value follows.
        let text = text.replace("place(c_", " x_").replace(",t", "_t").replace(')', " , ");
        let attribute = value_attribute(&text);
        let words: Vec<&str> = text
            .split(|c: char| c.is_whitespace() || "=:;\"'[]{}(<>".contains(c))
            .filter(|word| !matches!(*word, "" | "*"))
            .collect();
        for (index, word) in words.iter().enumerate() {
            let Some(&placement) = self.names.placements.get(word.trim_end_matches(',')) else {
                continue;
            };
            let next = words.get(index + 1).filter(|_| !word.ends_with(','));
            let number = next.and_then(|next| next.trim_end_matches(',').parse::<f64>().ok());
            // Some styles print several numbers before the name; which one is the value is unknown.
            let is_number = |word: &&&str| word.parse::<f64>().is_ok();
            let numbers = words[..index].iter().filter(is_number).count();
            if index + 1 == words.len() && numbers >= 3 && attribute.is_none() {
                let message = format!("no value follows {word}");
                return Err(self
                    .source
                    .error_at(line, 1, message)
                    .with_help("let the solver write the solution in its plain style"));
            }
            let value = attribute.or(number).unwrap_or(1.0);
            if (value - 1.0).abs() <= TOLERANCE {
                self.add_placement(line, placement)?;
            } else if value.abs() > TOLERANCE {
                let message = format!("{word} is {value}, expected 0 or 1");
                return Err(self.source.error_at(line, 1, message));
            }
        }
        Ok(())
    }
}

/// The attribute `value` in a line of XML, such as `<variable name="x_1_1_t5_0" index="3"
/// value="1"/>`; `None` if there is none.
fn value_attribute(text: &str) -> Option<f64> {
    let (_, behind) = text.split_once("value=\"")?;
    behind.split('"').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;

    fn problem() -> Problem {
        load::from_str("{rows: 1, cols: 2, tiles: {1: [a, b, c, d], B: [a, d, c, b]}}").unwrap()
    }

    fn read(text: &str) -> Result<Vec<Arrangement>, String> {
        let problem = problem();
        let mut names = PlacementNames::new(&problem);
        if text.starts_with("v x") {
            let opb = b"* x_1_1_t1_0 = x1\n* x_1_2_tB_2 = x9\n";
            names.learn_numbers(opb, "puzzle.opb").unwrap();
        }
        assert!(names.are_in(text), "{text}");
        names.read(text.as_bytes(), "answer").map_err(|error| error.message)
    }

    #[test]
    fn solution_files_of_many_programs_hold_the_same() {
        let expected = problem().deal([0, 6]);
        for text in [
            "# Columns 3\nx_1_1_t1_0 1\nx_1_1_t1_1 0\nx_1_2_tB_2 0.9999999\n# Rows 1\ncell_1_1 1\n",
            "Optimal - objective value 0\n  0 x_1_1_t1_0      1       0\n  9 x_1_2_tB_2   1   0\n",
            "x_1_1_t1_0    1 \t(obj:0)\nx_1_2_tB_2    1 \t(obj:0)\n",
            "   4 x_1_1_t1_0   *   1   0   1\n   5 x_1_1_t1_1 * 0 0 1\n   6 x_1_2_tB_2 * 1 0 1\n",
            "   4 x_1_1_t1_0\n     *   1   0   1\n   5 x_1_1_t1_1\n   * 0 0 1\n   6 x_1_2_tB_2 * 1 0 1\n",
            "<variable name=\"x_1_1_t1_0\" index=\"1\" value=\"1\"/>\n\
             <variable name=\"x_1_1_t1_3\" index=\"1\" value=\"0\"/>\n\
             <variable name=\"x_1_2_tB_2\" index=\"7\" value=\"1\"/>\n",
            "x_1_1_t1_0 = 1;\nx_1_2_tB_1 = 0;\nx_1_2_tB_2 = 1;\n----------\n==========\n",
            "[\"x_1_1_t1_0\", \"x_1_2_tB_2\"]",
            "{\"x_1_1_t1_0\": 1, \"x_1_2_tB_2\": 1, \"x_1_2_tB_3\": 0}",
            "x_1_1_t1_0\nx_1_2_tB_2\n",
            "clingo version 5.8\nAnswer: 1\nplace(c_1_1,t1_0) place(c_1_2,tB_2)\nSATISFIABLE\n",
            "v x1 -x2 x9 0\n",
        ] {
            assert_eq!(read(text).as_deref(), Ok(&[expected.clone()][..]), "{text}");
        }
    }

    #[test]
    fn several_answers_are_several_arrangements() {
        let one = "place(c_1_1,t1_0) place(c_1_2,tB_0)";
        let other = "place(c_1_2,tB_1) place(c_1_1,t1_0)";
        let text = format!("Answer: 1\n{one}\nAnswer: 2\n{other}\n");
        assert_eq!(read(&text).unwrap().len(), 2);
        let names = "x_1_1_t1_0, x_1_2_tB_0, x_1_1_t1_0, x_1_2_tB_1";
        assert_eq!(read(names).unwrap().len(), 2);
    }

    #[test]
    fn what_is_no_whole_arrangement_is_refused() {
        for (text, message) in [
            ("x_1_1_t1_0 1\n", "no placement is selected for cell [1,2]"),
            ("x_1_1_t1_0 1\nx_1_1_t1_1 1\n", "two placements are selected for cell [1,1]"),
            ("x_1_1_t1_0 0.4\n", "x_1_1_t1_0 is 0.4, expected 0 or 1"),
            ("x_1_1_t1_0 0\n", "no placement is selected in this file"),
            ("Infeasible\nx_1_1_t1_0 0\n", "the solver reports that there is no solution"),
            (" 1 0 1 -0 Integer x_1_1_t1_0\n", "no value follows x_1_1_t1_0"),
            (
                "v 1 2\n",
                "the numbers can be read only with the exported file, which names their placements",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), message);
        }
    }
}
