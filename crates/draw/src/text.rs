//! Text drawings for a terminal: boards of squares as pictures, other boards as tables.

use edgematch::load::printable;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::Face;
use unicode_width::UnicodeWidthStr;

use super::table::{arrangement_table, tile_table};
use super::unrotated;
use super::writing::{Ink, Writing, tile_name};

/// Draws an arrangement, which need not be a solution, as text. A grid of squares shows the edges
/// around each tile, and an arrow in the direction of the tile's top. Any other board is a table
/// with one line per cell. If the output would be wider than `columns` characters, names of images
/// are replaced by letters, which a legend explains; it may still be wider.
pub fn text(problem: &Problem, arrangement: &Arrangement, columns: usize, ink: Ink) -> String {
    match problem.board.squares() {
        Some(area) => {
            let placed = |cell: Option<usize>| cell.map(|cell| arrangement.0[cell]);
            let row = |line: Vec<Option<usize>>| line.into_iter().map(placed).collect();
            let rows: Vec<Row> = area.lines().into_iter().map(row).collect();
            grid(problem, &rows, columns, ink)
        }
        None => arrangement_table(problem, arrangement, columns, ink),
    }
}

/// Draws every tile in rotation 0 in the same way, with both faces of two-sided tiles. If some
/// tiles have copies, a last line lists their numbers.
pub fn text_of_tiles(problem: &Problem, columns: usize, ink: Ink) -> String {
    let faces: Vec<Placed> = unrotated(problem).collect();
    let picture = match problem.board.squares() {
        Some(area) => {
            let rows = faces.chunks(area.columns());
            let rows: Vec<Row> = rows.map(|row| row.iter().copied().map(Some).collect()).collect();
            grid(problem, &rows, columns, ink)
        }
        None => tile_table(problem, &faces, columns, ink),
    };
    picture + &copies(problem)
}

/// The number of copies of each tile, in one line; empty if every tile has exactly one.
fn copies(problem: &Problem) -> String {
    if !problem.puzzle.has_copies() {
        return String::new();
    }
    let all = problem.puzzle.tiles.iter().map(|tile| {
        let copies = tile.copies.number().map_or("any".to_owned(), |number| number.to_string());
        format!("{}×{}", copies, printable(&tile.name))
    });
    format!("{}\n", itertools::join(all, "  "))
}

/// The tiles of a row; `None` is a hole.
type Row = Vec<Option<Placed>>;

/// Draws rows of square tiles in boxes. The last row may be shorter.
fn grid(problem: &Problem, rows: &[Row], columns: usize, ink: Ink) -> String {
    let placed: Vec<Placed> = rows.iter().flatten().flatten().copied().collect();
    let in_a_row = rows.first().map_or(0, Vec::len);
    let writing = Writing::fit_to_columns(problem, columns, ink, |writing| {
        in_a_row * (cell_width(problem, &placed, writing) + 1) + 1
    });
    let cell = cell_width(problem, &placed, &writing);
    let rule = |left: &str, middle: &str, right: &str, cells: usize| {
        format!("{left}{}{right}\n", vec!["─".repeat(cell); cells].join(middle))
    };
    let mut picture = String::new();
    for (index, row) in rows.iter().enumerate() {
        picture += &match index {
            0 => rule("┌", "┬", "┐", row.len()),
            _ => rule("├", "┼", "┤", row.len()),
        };
        for line in 0..3 {
            let cells = row.iter().map(|&placed| match placed {
                Some(placed) => cell_line(problem, placed, line, cell, &writing),
                None => " ".repeat(cell),
            });
            picture += &format!("│{}│\n", itertools::join(cells, "│"));
        }
    }
    picture += &rule("└", "┴", "┘", rows.last().map_or(0, Vec::len));
    picture + &writing.legend
}

/// The text in the middle of a tile: its name, the direction of its top (↑ unrotated, ← after a
/// quarter turn counter-clockwise), and `back` if the back is up.
fn centre(problem: &Problem, placed: Placed, writing: &Writing) -> String {
    const ARROWS: [char; 4] = ['↑', '←', '↓', '→'];
    let arrow = ARROWS[placed.orientation.rotation() % ARROWS.len()];
    let back = match placed.orientation.face() {
        Face::Front => "",
        Face::Back => " back",
    };
    let name = tile_name(problem, placed.tile, writing);
    format!("{name}{arrow}{back}")
}

/// The width in characters that the widest of these tiles needs.
fn cell_width(problem: &Problem, placed: &[Placed], writing: &Writing) -> usize {
    let needs = |&placed: &Placed| {
        let edges = problem.puzzle.tiles[placed.tile].edges_in(placed.orientation);
        let of = |side: usize| writing.names[edges[side].index()].width();
        let middle = of(2) + centre(problem, placed, writing).width() + of(0) + 2;
        middle.max(of(1)).max(of(3))
    };
    placed.iter().map(needs).max().unwrap_or(0)
}

/// Line 0, 1 or 2 of a cell: the top edge; left edge, tile, right edge; the bottom edge.
fn cell_line(
    problem: &Problem,
    placed: Placed,
    line: usize,
    width: usize,
    writing: &Writing,
) -> String {
    let edges = problem.puzzle.tiles[placed.tile].edges_in(placed.orientation);
    let edge = |side: usize| {
        let label = edges[side].index();
        (writing.painted[label].clone(), writing.names[label].width())
    };
    let centred = |(text, text_width): (String, usize), width: usize| {
        let left = (width - text_width) / 2;
        format!("{}{text}{}", " ".repeat(left), " ".repeat(width - text_width - left))
    };
    match line {
        0 => centred(edge(1), width),
        1 => {
            let left = edge(2);
            let right = edge(0);
            let tile = centre(problem, placed, writing);
            let room = width - left.1 - right.1;
            let tile_width = tile.width();
            format!("{}{}{}", left.0, centred((tile, tile_width), room), right.0)
        }
        _ => centred(edge(3), width),
    }
}
