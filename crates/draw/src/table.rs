//! Text tables for boards that are not grids of squares.

use edgematch::board::{Cell, CellSide};
use edgematch::load::printable;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::Label;
use unicode_width::UnicodeWidthStr;

use super::writing::{Ink, Writing, tile_name};

/// The number of spaces between columns.
const GAP: usize = 2;

/// A line of the table: the texts of the first columns, and for each side its label and a word,
/// such as the adjacent cell.
struct TableLine {
    first: Vec<String>,
    sides: Vec<(Label, String)>,
}

/// The table of an arrangement. It has a line for each cell: its name, the tile and its
/// orientation, and for each side the edge and the adjacent cell.
pub(super) fn arrangement_table(
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

/// The table of tiles. It has a line for each face: the tile, the face if there are two-sided
/// tiles, and the edges.
pub(super) fn tile_table(problem: &Problem, faces: &[Placed], columns: usize, ink: Ink) -> String {
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

/// For each cell and side an arrow and the name of the adjacent cell, or `rim`.
fn list_neighbours(problem: &Problem) -> Vec<Vec<String>> {
    let cells = problem.board.cells();
    let name = |cell: usize| format!("→ {}", printable(&cells[cell].name.bare()));
    let word =
        |end: &Option<CellSide>| end.map_or_else(|| "rim".to_owned(), |(cell, _)| name(cell));
    let of_cell = |cell: usize| problem.board.touching_sides(cell).iter().map(word).collect();
    (0..cells.len()).map(of_cell).collect()
}

/// Formats a table in at most `columns` characters if possible: names of edges are replaced by
/// letters if it would be wider, and if that is not enough, the sides of a cell take several lines.
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

/// The widths of the columns in characters, without the space between them.
struct Widths {
    first: Vec<usize>,
    /// The width of each side's edge, with a trailing space, and of the word after it.
    sides: Vec<(usize, usize)>,
}

impl Widths {
    /// The widths that these lines need.
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
            // The header extends over both.
            (edges, words.max(format!("side {side}").width().saturating_sub(edges)))
        };
        Widths {
            first: (0..header.len()).map(column).collect(),
            sides: (0..most_sides.unwrap_or(0)).map(side).collect(),
        }
    }

    /// Makes all columns of sides equally wide, so that wrapped lines are aligned; returns that
    /// width.
    fn make_equal(&mut self) -> usize {
        let edge = self.sides.iter().map(|w| w.0).max().unwrap_or(0);
        let word = self.sides.iter().map(|w| w.1).max().unwrap_or(0);
        self.sides.fill((edge, word));
        edge + word
    }

    /// The width of the whole table.
    fn all(&self) -> usize {
        let first: usize = self.first.iter().map(|w| w + GAP).sum();
        let sides: usize = self.sides.iter().map(|(a, b)| a + b + GAP).sum();
        (first + sides).saturating_sub(GAP)
    }

    /// The first columns of a line, padded.
    fn start(&self, words: impl Iterator<Item = String>) -> String {
        let padded = words.zip(&self.first).map(|(word, width)| {
            let more = width - word.width() + GAP;
            word + &" ".repeat(more)
        });
        padded.collect()
    }

    /// Pads the text of a side's column. Its width is given because it may contain colour codes.
    fn side(&self, side: usize, (text, width): (String, usize)) -> String {
        let (edge, word) = self.sides[side];
        text + &" ".repeat((edge + word + GAP).saturating_sub(width))
    }
}
