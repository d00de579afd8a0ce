//! The format `text`, modelled on MiniZinc: rows of placements, `----------` after each solution,
//! `==========` at the end if all are found.

use std::io::{self, Write};

use comfy_table::presets;
use edgematch::engine::counted;
use edgematch::enumerate::{Conclusion, Marginals};
use edgematch::load::{HOLE, cell_text, placed_text};
use edgematch::problem::{Arrangement, Problem};
use itertools::Itertools;
use num_bigint::BigUint;

use super::{Cells, Ending, Report, Shown, readable, write_statistics};

/// The text format.
pub(super) struct Text;

/// An arrangement as text: a line for each row of the board, `[t=3,r=1] [t=7,r=0] …`, with `.` for
/// a hole. If the board has no rows, there is a line for each cell with its name: `front:
/// [t=3,r=1]`.
pub fn arrangement_text(problem: &Problem, arrangement: &Arrangement) -> String {
    let place = |cell: Option<usize>| match cell {
        Some(cell) => {
            let before = cell_text(&problem.board.cells()[cell].name);
            before + &placed_text(&problem.puzzle, arrangement.0[cell])
        }
        None => HOLE.to_owned(),
    };
    let row = |line: Vec<Option<usize>>| line.into_iter().map(place).join(" ") + "\n";
    problem.board.lines().into_iter().map(row).collect()
}

impl Report for Text {
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
        out.write_all(arrangement_text(shown.problem, shown.arrangement).as_bytes())?;
        let group = shown.problem.group.len();
        if let Some(number) =
            shown.distinct.map(|distinct| &distinct.solutions).filter(|n| **n != group.into())
        {
            writeln!(out, "% stands for {}", counted(readable(number), "solution", "solutions"))?;
        }
        if let Some(scores) = &shown.scores {
            writeln!(out, "% {scores}")?;
        }
        for line in shown.picture.unwrap_or_default().lines() {
            writeln!(out, "% {line}")?;
        }
        writeln!(out, "----------")
    }

    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        match ending.conclusion() {
            Conclusion::AllSolutions | Conclusion::Optimal => writeln!(out, "==========")?,
            Conclusion::Satisfied => {}
            other => writeln!(out, "====={}=====", other.name())?,
        }
        write_statistics(out, ending)
    }
}

/// The counts of solutions, classes and distinct arrangements, one per line, marked as lower bounds
/// unless the search is complete.
pub fn count_lines(counts: [String; 3], is_complete: bool) -> String {
    let least = if is_complete { "" } else { "at least " };
    let names = ["solutions", "classes", "distinct"];
    let line = |(name, count)| format!("{name:<11}{least}{count}\n");
    names.into_iter().zip(counts).map(line).collect()
}

/// In how many solutions each tile is in each cell: a row for each kind of tile and a column for each
/// cell.
pub fn marginals_text(problem: &Problem, marginals: &Marginals) -> String {
    let cells = problem.board.cells().iter().map(|cell| cell.name.bare());
    let header = ["tile".to_owned()].into_iter().chain(cells).collect();
    let row = |(kind, numbers): (usize, &Vec<BigUint>)| {
        let tiles = problem.tiles_of_kind(kind).join(", ");
        [tiles].into_iter().chain(numbers.iter().map(readable)).collect()
    };
    let rows = marginals.kinds.iter().enumerate().map(row).collect();
    Cells { header, rows, left: vec![0] }.drawn(presets::NOTHING)
}
