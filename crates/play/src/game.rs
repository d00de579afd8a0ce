//! A problem as the page needs it: cells with their shapes, tiles with their edges, names,
//! pictures.

use edgematch::board::{CellName, Seam};
use edgematch::load::Form;
use edgematch::problem::Problem;
use edgematch::puzzle::Orientation;
use edgematch_draw::{self as draw, Style};
use serde::Serialize;

/// A problem as the page shows it.
#[derive(Debug, Clone, Serialize)]
pub struct Game {
    name: String,
    /// For addresses; nothing where it has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    title: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// The board in words.
    board: String,
    /// Rows and columns, where cells lie so.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<[usize; 2]>,
    turns: bool,
    size: [f64; 2],
    cells: Vec<Cell>,
    /// Sides that touch and must fit: cell, side, cell, side.
    seams: Vec<[usize; 4]>,
    /// Sides that touch and need not fit.
    loose: Vec<[usize; 4]>,
    /// Sides that touch and are cut apart in the drawing, in the order of their numbers.
    cuts: Vec<[usize; 4]>,
    rim: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    border: Option<usize>,
    labels: Vec<Label>,
    tiles: Vec<Tile>,
    /// Whether seams and border alone decide what a solution is.
    plain: bool,
    /// What else is asked, in a word each.
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
    /// What else fits, where not all edges are known, and the mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<Vec<usize>>,
}

#[derive(Debug, Clone, Serialize)]
struct Tile {
    name: String,
    /// By number of the orientation, what looks the same; none where it may not lie so.
    #[serde(rename = "looks")]
    values: Vec<Option<usize>>,
    faces: Vec<Face>,
}

#[derive(Debug, Clone, Serialize)]
struct Face {
    edges: Vec<usize>,
    /// An SVG document: the face as it lies in the file.
    picture: String,
    /// Half the side of the square that it fills.
    reach: f64,
}

impl Game {
    /// What the page shows of a problem, drawn in a style.
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

/// What a puzzle is called.
pub(crate) fn title(problem: &Problem) -> String {
    problem.puzzle.title.as_ref().unwrap_or(&problem.puzzle.name).clone()
}

/// The code of a puzzle, for addresses.
pub(crate) fn code(problem: &Problem) -> Option<String> {
    Some(Form::named("code")?.write(problem, None).ok()?.text.trim().to_owned())
}

fn flat([first, second]: [(usize, usize); 2]) -> [usize; 4] {
    [first.0, first.1, second.0, second.1]
}

/// A cell's name as one says it.
fn spoken(name: &CellName) -> String {
    match name {
        CellName::At(row, column) => format!("row {row}, column {column}"),
        CellName::Named(name) => name.clone(),
    }
}

/// A tile for each piece.
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
