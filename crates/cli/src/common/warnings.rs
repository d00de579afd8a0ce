//! Messages about a puzzle on standard error: likely mistakes before the command starts, and
//! assumptions made by the reader at its end.

use anyhow::Result;
use edgematch::domains::Domains;
use edgematch::engine::counted;
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::{Assumption, Half, Label};
use itertools::Itertools;

use super::talk::{note, say, say_of_file};
use crate::args::PuzzleFile;

/// The maximum number of warnings to print.
const SHOWN: usize = 8;

/// Prints warnings about likely typing mistakes in the puzzle's `text`, at most 8. With `--strict`
/// they are errors, even if messages are off.
///
/// # Errors
/// With `--strict`, the first warning, which is not printed here.
pub fn of_text(
    puzzle: &PuzzleFile,
    text: &[u8],
    problem: &Problem,
    (is_strict, is_quiet): (bool, bool),
) -> Result<()> {
    if is_quiet && !is_strict {
        return Ok(());
    }
    let kind = if is_strict { "error" } else { "warning" };
    let file = load::shown(&load::puzzle_file(&puzzle.file)?);
    let options = puzzle.extra.reading.options()?;
    let warnings = load::warnings(text, &file, &options, problem)?;
    // The error that ends the command is printed at its end.
    let last = usize::from(is_strict);
    for warning in warnings.iter().take(SHOWN).skip(last) {
        say_of_file(kind, warning);
    }
    if warnings.len() > SHOWN {
        say(&format!("{} more {kind}s", warnings.len() - SHOWN));
    }
    match warnings.into_iter().next() {
        Some(first) if is_strict => Err(first.into()),
        _ => Ok(()),
    }
}

/// Prints how a puzzle was read if the reader had to assume something, unless `is_quiet`: the last
/// line of a command.
pub fn assumed(problem: &Problem, is_quiet: bool) {
    let is_stated = problem.puzzle.assumed.is_empty();
    note(is_quiet || is_stated, &format!("read as: {}", read_as(problem)));
}

/// One line on the tiles, images and rules of a puzzle. Each assumption is marked with the flag
/// that overrides it.
pub fn read_as(problem: &Problem) -> String {
    let puzzle = &problem.puzzle;
    let (mut halves, mut order) = (String::new(), None);
    let mut rotations =
        if puzzle.may_turn { "tiles may be turned" } else { "tiles may not be turned" }.to_owned();
    let mut frame = match puzzle.border {
        Some(border) => format!("frame `{}`", puzzle.labels.name(border)),
        None => "no frame".to_owned(),
    };
    for fact in &puzzle.assumed {
        match fact {
            Assumption::Order(_) => {
                let edges = fact.to_string().replace("edges are listed", "edges");
                order = Some(format!("{edges} (assumed; --edge-order)"));
            }
            Assumption::Border(Some(_)) => frame += " (assumed; --border none)",
            Assumption::Border(None) => frame += " (assumed; --border LABEL)",
            Assumption::Rotations(true) => rotations += " (assumed; --no-rotation)",
            Assumption::Rotations(false) => rotations += " (assumed; --border none)",
            Assumption::Halves(what) => halves = format!(" by {what}"),
        }
    }
    let inside = |label: &Label| puzzle.border != Some(*label) && puzzle.labels.is_known(*label);
    let (halved, whole): (Vec<Label>, Vec<Label>) = puzzle
        .labels
        .firsts()
        .filter(inside)
        .partition(|&label| puzzle.labels.edge(label).half != Half::Whole);
    let images = [(halved.len(), format!(" in halves{halves}")), (whole.len(), String::new())];
    let images = images.into_iter().filter(|(number, _)| *number > 0);
    let images = images.map(|(number, how)| counted(number, "image", "images") + &how);
    [counted(puzzle.tiles.len(), "tile", "tiles")]
        .into_iter()
        .chain(images)
        .chain(order)
        .chain([rotations, frame])
        .join(", ")
}

/// Says that a command ignores the objective and the soft constraints of a problem, if there are any.
pub fn ignored_objective(problem: &Problem, is_quiet: bool) {
    let number = problem.soft_constraints().count();
    if number > 0 {
        let them = counted(number, "soft constraint is", "soft constraints are");
        note(is_quiet, &format!("note: {them} ignored: `solve` finds the smallest cost"));
    }
    if !problem.objectives.list.is_empty() {
        note(is_quiet, "note: the objective is ignored: `solve` finds the optimum");
    }
}

/// Prints oddities of a puzzle unless `is_quiet`: a board in several pieces, a border image that no
/// tile shows, and tiles that fit no cell. With constraints, tiles are not tested.
pub fn of_problem(problem: &Problem, is_quiet: bool) {
    if is_quiet {
        return;
    }
    let pieces = problem.board.pieces().len();
    if pieces > 1 {
        say(&format!("the board consists of {pieces} pieces that no seam connects"));
    }
    if let Some(border) = problem.puzzle.border
        && problem.puzzle.edges_within(1)[border.index()] == 0
    {
        let name = problem.puzzle.labels.name(border);
        say(&format!("warning: no tile shows the border image `{name}`, so there is no solution"));
        return;
    }
    if !problem.constraints.is_empty() {
        return;
    }
    // Without a border, only a cell whose own sides touch each other can exclude a tile.
    let touches_itself = !problem.board.own_seams().is_empty();
    let why = match (problem.puzzle.border, touches_itself) {
        (Some(_), false) => "no cell has its rim where the tile shows the border",
        (Some(_), true) => {
            "no cell has its rim where the tile shows the border, or two sides of the tile would \
             touch each other and do not match"
        }
        (None, _) => "two sides of the tile would touch each other and do not match",
    };
    let is_needed = problem.uses_every_tile();
    let follows = if is_needed { "so there is no solution" } else { "so it is never used" };
    for tile in Domains::first(problem).unplaceable_tiles(problem) {
        let name = &problem.puzzle.tiles[tile].name;
        say(&format!("warning: tile `{name}` fits no cell, {follows}: {why}; check its edges"));
    }
}
