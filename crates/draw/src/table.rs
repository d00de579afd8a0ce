//! Text tables for boards whose cells are not in rows.

use edgematch::board::{Cell, CellSide};
use edgematch::load::printable;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::Label;
use unicode_width::UnicodeWidthStr;

use super::writing::{Ink, Writing, tile_name};

/// The space between columns.
const GAP: usize = 2;

/// A line of the table: its first columns, and for each side its label and a word after it.
struct TableLine {
    first: Vec<String>,
    sides: Vec<(Label, String)>,
}

/// One line per cell: its name, the tile and its orientation, and for each side the edge and the
/// adjacent cell.
pub(super) fn arranged(
    problem: &Problem,
    arrangement: &Arrangement,
    columns: usize,
    ink: Ink,
) -> String {
    let beside = list_neighbours(problem);
    let cells = problem.board.cells().iter().enumerate();
    table(problem, &["cell", "tile", "turned"], columns, ink, |writing| {
        let line = |((index, cell), placed): ((usize, &_), &Placed)| {
            let cell: &Cell = cell;
            let tile = &problem.puzzle.tiles[placed.tile];
            let edges = tile.edges_in(placed.orientation).into_iter();
            TableLine {
                first: vec![
                    printable(&cell.name.bare()),
                    tile_name(problem, placed.tile, writing),
                    tile.describe(placed.orientation),
                ],
                sides: edges.zip(beside[index].iter().cloned()).collect(),
            }
        };
        cells.clone().zip(&arrangement.0).map(line).collect()
    })
}

/// One line per face of a tile.
pub(super) fn listed(problem: &Problem, faces: &[Placed], columns: usize, ink: Ink) -> String {
    let mut tiles = problem.puzzle.tiles.iter();
    let has_backs = tiles.any(|tile| tile.back.is_some());
    let header: &[&str] = if has_backs { &["tile", "face"] } else { &["tile"] };
    table(problem, header, columns, ink, |writing| {
        let line = |placed: &Placed| {
            let edges = problem.puzzle.tiles[placed.tile].edges_in(placed.orientation);
            let mut first = vec![tile_name(problem, placed.tile, writing)];
            first.extend(has_backs.then(|| placed.orientation.face().name().to_owned()));
            let sides = edges.into_iter().map(|label| (label, String::new()));
            TableLine { first, sides: sides.collect() }
        };
        faces.iter().map(line).collect()
    })
}

/// An arrow to the adjacent cell, or `rim`, for each cell and side.
fn list_neighbours(problem: &Problem) -> Vec<Vec<String>> {
    let cells = problem.board.cells();
    let name = |cell: usize| format!("→ {}", printable(&cells[cell].name.bare()));
    let word =
        |end: &Option<CellSide>| end.map_or_else(|| "rim".to_owned(), |(cell, _)| name(cell));
    let of_cell = |cell: usize| problem.board.touching_sides(cell).iter().map(word).collect();
    (0..cells.len()).map(of_cell).collect()
}

/// Formats the table. If it is too wide even with letters for names, the sides of a cell take
/// several lines.
fn table(
    problem: &Problem,
    header: &[&str],
    columns: usize,
    ink: Ink,
    lines: impl Fn(&Writing) -> Vec<TableLine>,
) -> String {
    let writing = Writing::fit_to_columns(problem, columns, ink, |writing| {
        Widths::new(header, &lines(writing), writing).all()
    });
    let lines = lines(&writing);
    let mut widths = Widths::new(header, &lines, &writing);
    let most_sides = widths.sides.len();
    let first_width: usize = widths.first.iter().map(|w| w + GAP).sum();
    let in_a_line = if widths.all() > columns {
        let each = widths.make_equal() + GAP;
        let room = columns.saturating_sub(first_width) / each;
        room.clamp(1, most_sides)
    } else {
        most_sides
    };
    let mut picture = widths.start(header.iter().map(|&h| h.to_owned()));
    for side in 0..in_a_line {
        let head =
            if most_sides > in_a_line { format!("side {side}…") } else { format!("side {side}") };
        picture += &widths.side(side, (head.clone(), head.width()));
    }
    picture = picture.trim_end().to_owned() + "\n";
    for TableLine { first, sides } in lines {
        let mut text = widths.start(first.into_iter());
        for (side, (label, beside)) in sides.into_iter().enumerate() {
            if side > 0 && side % in_a_line == 0 {
                text = text.trim_end().to_owned() + "\n" + &" ".repeat(first_width);
            }
            let edge_width = widths.sides[side].0;
            let written = writing.padded(label, edge_width) + &beside;
            text += &widths.side(side, (written, edge_width + beside.width()));
        }
        picture += text.trim_end();
        picture.push('\n');
    }
    picture + &writing.legend
}

/// The widths of the columns, without the space between them.
struct Widths {
    first: Vec<usize>,
    /// The widths of each side's edge with a trailing space, and of the word after it.
    sides: Vec<(usize, usize)>,
}

impl Widths {
    fn new(header: &[&str], lines: &[TableLine], writing: &Writing) -> Widths {
        let column = |column: usize| {
            let cells = lines.iter().map(|line| line.first[column].width());
            cells.max().unwrap_or(0).max(header[column].width())
        };
        let most_sides = lines.iter().map(|line| line.sides.len()).max();
        let side = |side: usize| {
            let there = lines.iter().filter_map(|line| line.sides.get(side));
            let edge = |label: &Label| writing.names[label.index()].width() + 1;
            let edges = there.clone().map(|(label, _)| edge(label)).max();
            let words = there.map(|(_, word)| word.width()).max();
            let edges = edges.unwrap_or(0);
            let words = words.unwrap_or(0);
            // The header covers both.
            (edges, words.max(format!("side {side}").width().saturating_sub(edges)))
        };
        Widths {
            first: (0..header.len()).map(column).collect(),
            sides: (0..most_sides.unwrap_or(0)).map(side).collect(),
        }
    }

    /// Makes the columns of all sides as wide as the widest, so that lines can wrap; returns that
    /// width.
    fn make_equal(&mut self) -> usize {
        let edge = self.sides.iter().map(|w| w.0).max().unwrap_or(0);
        let word = self.sides.iter().map(|w| w.1).max().unwrap_or(0);
        self.sides.fill((edge, word));
        edge + word
    }

    fn all(&self) -> usize {
        let first: usize = self.first.iter().map(|w| w + GAP).sum();
        let sides: usize = self.sides.iter().map(|(a, b)| a + b + GAP).sum();
        (first + sides).saturating_sub(GAP)
    }

    fn start(&self, words: impl Iterator<Item = String>) -> String {
        let padded = words.zip(&self.first).map(|(word, width)| {
            let more = width - word.width() + GAP;
            word + &" ".repeat(more)
        });
        padded.collect()
    }

    /// Pads the text of a side's column.
    fn side(&self, side: usize, (text, width): (String, usize)) -> String {
        let (edge, word) = self.sides[side];
        text + &" ".repeat((edge + word + GAP).saturating_sub(width))
    }
}
