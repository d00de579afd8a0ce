//! A problem in the form that the page needs: cells with their shapes, tiles with their edges,
//! names, pictures.

use edgematch::board::{CellName, Seam};
use edgematch::load::PuzzleFormat;
use edgematch::problem::Problem;
use edgematch::puzzle::Orientation;
use edgematch_draw::{self as draw, Style};
use serde::Serialize;

/// A problem in the form that the page shows.
#[derive(Debug, Clone, Serialize)]
pub struct Game {
    name: String,
    /// The code for addresses; `None` if the puzzle cannot be written as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// A description of the board.
    board: String,
    /// Rows and columns, if the board is a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<[usize; 2]>,
    turns: bool,
    size: [f64; 2],
    cells: Vec<Cell>,
    /// Touching sides that must match: cell, side, cell, side.
    seams: Vec<[usize; 4]>,
    /// Touching sides that need not match.
    loose: Vec<[usize; 4]>,
    /// Touching sides that are apart in the drawing, ordered by the number that marks both.
    cuts: Vec<[usize; 4]>,
    rim: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    border: Option<usize>,
    labels: Vec<Label>,
    tiles: Vec<Tile>,
    /// True if a solution only needs matching seams and a correct border.
    plain: bool,
    /// The kinds of the constraints, one word each.
    constraints: Vec<&'static str>,
}

#[derive(Debug, Clone, Serialize)]
struct Cell {
    name: String,
    sides: usize,
    x: f64,
    y: f64,
    turn: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Label {
    name: String,
    mate: usize,
    /// Labels that match this one, including its mate; only if some edges are unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<Vec<usize>>,
}

#[derive(Debug, Clone, Serialize)]
struct Tile {
    name: String,
    /// The value of each orientation, by its index; `None` if the orientation is not allowed.
    #[serde(rename = "looks")]
    values: Vec<Option<usize>>,
    faces: Vec<Face>,
}

#[derive(Debug, Clone, Serialize)]
struct Face {
    edges: Vec<usize>,
    /// The face in rotation 0, as an SVG document.
    picture: String,
    /// Half the side of the square that the picture fills.
    reach: f64,
}

impl Game {
    /// Converts a problem for the page, with the tiles drawn in a style.
    pub fn new(problem: &Problem, style: &Style<'_>) -> Game {
        let puzzle = &problem.puzzle;
        let board = &problem.board;
        let layout = draw::layout(board);
        let cells = board.cells().iter().zip(&layout.places);
        let wanted = board.wanted_seams().iter().map(Seam::ends);
        let wanted_own = board.wanted_own_seams().iter().copied();
        let labels = puzzle.labels.all();
        Game {
            name: puzzle.name.clone(),
            code: code(problem),
            title: title(problem),
            source: puzzle.source.clone(),
            board: board.description().to_owned(),
            rows: board.rows_and_columns().map(|(rows, columns)| [rows, columns]),
            turns: puzzle.may_turn,
            size: [layout.width, layout.height],
            cells: cells
                .map(|(cell, place)| Cell {
                    name: spoken(&cell.name),
                    sides: cell.sides,
                    x: place.x,
                    y: place.y,
                    turn: place.turn,
                })
                .collect(),
            seams: board.required().map(flat).collect(),
            loose: wanted.chain(wanted_own).map(flat).collect(),
            cuts: layout.cuts.iter().copied().map(flat).collect(),
            rim: board.rim().iter().map(|&(cell, side)| [cell, side]).collect(),
            border: puzzle.border.map(|label| label.index()),
            labels: labels
                .map(|label| Label {
                    name: puzzle.labels.name(label),
                    mate: puzzle.labels.mate(label).index(),
                    fits: (!puzzle.labels.are_known())
                        .then(|| puzzle.labels.fitting(label).map(|label| label.index()).collect()),
                })
                .collect(),
            tiles: tiles(problem, style),
            plain: problem.constraints.is_empty(),
            constraints: problem.constraints.iter().map(|c| c.name()).collect(),
        }
    }
}

/// The title of a puzzle, or its name if it has none.
pub(crate) fn title(problem: &Problem) -> String {
    problem.puzzle.title.as_ref().unwrap_or(&problem.puzzle.name).clone()
}

/// The code of a puzzle for addresses; `None` if no code can represent it.
pub(crate) fn code(problem: &Problem) -> Option<String> {
    Some(PuzzleFormat::named("code")?.write(problem, None).ok()?.text.trim().to_owned())
}

fn flat([first, second]: [(usize, usize); 2]) -> [usize; 4] {
    [first.0, first.1, second.0, second.1]
}

/// The name of a cell in words.
fn spoken(name: &CellName) -> String {
    match name {
        CellName::At(row, column) => format!("row {row}, column {column}"),
        CellName::Named(name) => name.clone(),
    }
}

/// One entry for each piece.
fn tiles(problem: &Problem, style: &Style<'_>) -> Vec<Tile> {
    let draw = draw::faces(problem, style);
    let tile_of = |tile: usize| {
        let definition = &problem.puzzle.tiles[tile];
        let value = |orientation: Orientation| problem.kinds.value_of(tile, orientation);
        let faces = definition.faces().map(|face| {
            let drawing = draw(tile, face);
            Face {
                edges: definition.face(face).iter().map(|l| l.index()).collect(),
                picture: drawing.svg,
                reach: drawing.width / 2.0,
            }
        });
        Tile {
            name: definition.name.clone(),
            values: definition.orientations().map(value).collect(),
            faces: faces.collect(),
        }
    };
    problem.pieces().map(tile_of).collect()
}
