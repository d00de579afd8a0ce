//! Text in the manner of MiniZinc: rows of placements, `----------` after each solution,
//! `==========` when all are found.

use std::io::{self, Write};

use edgematch::engine::{Work, counted};
use edgematch::enumerate::Known;
use edgematch::load::{HOLE, LoadError, cell_text, placed_text};
use edgematch::problem::{Arrangement, Problem};
use itertools::Itertools;

use super::{Ending, Report, Shown, readable};
use crate::sizes::Sizes;

/// The text format.
pub(super) struct Text;

/// A row of the board a line, `[t=3,r=1] [t=7,r=0] …`, and `.` for a hole; where cells do not lie in rows, a cell a
/// line behind its name, `front: [t=3,r=1]`.
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
    fn solution(
        &mut self,
        out: &mut dyn Write,
        problem: &Problem,
        shown: &Shown<'_>,
    ) -> io::Result<()> {
        out.write_all(arrangement_text(problem, shown.arrangement).as_bytes())?;
        if let Some(number) = shown.stands_for.filter(|n| **n != problem.group.len().into()) {
            writeln!(out, "% stands for {}", counted(readable(number), "solution", "solutions"))?;
        }
        if let Some(score) = shown.score {
            writeln!(out, "% {score}")?;
        }
        for line in shown.picture.unwrap_or_default().lines() {
            writeln!(out, "% {line}")?;
        }
        writeln!(out, "----------")
    }

    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        match ending.known() {
            Known::AllSolutions | Known::Optimal => writeln!(out, "==========")?,
            Known::Satisfied => {}
            other => writeln!(out, "====={}=====", other.name())?,
        }
        match ending.sizes {
            Some(sizes) => statistics(out, ending, sizes),
            None => Ok(()),
        }
    }

    fn error(&mut self, _: &mut dyn Write, _: &LoadError) -> io::Result<()> {
        Ok(())
    }
}

/// Solutions, classes and distinct, one a line; lower bounds unless the search is complete.
pub fn count_lines(counts: [String; 3], is_complete: bool) -> String {
    let least = if is_complete { "" } else { "at least " };
    let names = ["solutions", "classes", "distinct"];
    let line = |(name, count)| format!("{name:<11}{least}{count}\n");
    names.into_iter().zip(counts).map(line).collect()
}

/// Writes one statistic.
type Line<'a> = dyn FnMut(&str, String) -> io::Result<()> + 'a;

/// What the engine did.
fn work(line: &mut Line<'_>, work: &Work) -> io::Result<()> {
    if let Some(explored) = work.explored {
        line("explored", format!("{explored:.6}"))?;
    }
    line("nodes", work.nodes.to_string())?;
    if work.tries > 0 {
        line("tries", work.tries.to_string())?;
        let levels = work.calls_per_level.iter().join(",");
        line("calls_per_level", format!("[{levels}]"))?;
    }
    if let Some(blocks) = work.blocks {
        line("block_chains", blocks.chains.to_string())?;
        line("block_tries", blocks.tries.to_string())?;
        line("blocks", blocks.found.to_string())?;
    }
    if work.solves > 0 {
        line("placements", work.placements.to_string())?;
        line("variables", work.variables.to_string())?;
        line("rows", work.rows.to_string())?;
        line("nonzeros", work.nonzeros.to_string())?;
        line("solves", work.solves.to_string())?;
        line("cuts", work.cuts.to_string())?;
        let rounds = work.rounds.iter().map(|s| format!("{s:.6}")).join(",");
        line("rounds", format!("[{rounds}]"))?;
    }
    Ok(())
}

/// Writes sizes, work and counts, with all digits, as MiniZinc's statistics.
///
/// # Errors
/// Where `out` cannot be written.
pub fn statistics(out: &mut dyn Write, ending: &Ending<'_>, sizes: &Sizes) -> io::Result<()> {
    let mut line = |name: &str, value: String| writeln!(out, "%%%mzn-stat: {name}={value}");
    let outcome = ending.outcome;
    if let Some(best) = &ending.best {
        if let Some(value) = best.value {
            line("objective", value.to_string())?;
        }
        line("objectiveBound", best.bound.to_string())?;
        line("guess_steps", best.steps.to_string())?;
        line("found_by", format!("{:?}", best.found_by))?;
        for (method, why) in &best.left_out {
            line("left_out", format!("{:?}", format!("{method}: {why}")))?;
        }
    }
    line("engine", format!("\"{}\"", outcome.engine))?;
    if !outcome.variant.is_empty() {
        line("variant", format!("\"{}\"", outcome.variant))?;
    }
    if let Some(choice) = &outcome.work.choice {
        line("chosen", format!("\"{}\"", choice.engine))?;
    }
    line("tiles", sizes.tiles.to_string())?;
    line("kinds", sizes.kinds.to_string())?;
    line("images", sizes.images.to_string())?;
    line("cells", sizes.cells.to_string())?;
    line("seams", sizes.seams.to_string())?;
    line("group", sizes.group.to_string())?;
    for table in &sizes.tables {
        line(&format!("{}_tuples", table.name), table.tuples.to_string())?;
        line(&format!("{}_density", table.name), format!("{:.4}", table.density))?;
        line(&format!("{}_blocks", table.name), table.blocks.to_string())?;
    }
    work(&mut line, &outcome.work)?;
    line("distinct", outcome.tally.distinct.to_string())?;
    line("classes", outcome.tally.classes.to_string())?;
    line("solutions", outcome.tally.solutions.to_string())?;
    line("seconds", format!("{:.6}", outcome.seconds))?;
    writeln!(out, "%%%mzn-stat-end")
}
