//! A problem as JSON for the page: cells with their shapes, tiles with their edges and names, and a
//! picture of all tiles.

use edgematch::board::{CellName, Seam};
use edgematch::load::PuzzleFormat;
use edgematch::problem::Problem;
use edgematch::puzzle::Orientation;
use edgematch_draw::{self as draw, FaceSheet, FaceSquare, Style};
use serde::Serialize;

/// A problem as JSON for the page. Lengths are in units of a drawing, in which a tile's side is
/// [`TILE`](edgematch_draw::TILE) long.
#[derive(Debug, Clone, Serialize)]
pub struct Game {
    name: String,
    /// The puzzle as a short text for addresses; `None` if it cannot be written as one.
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
    /// True if tiles may be rotated.
    turns: bool,
    /// The width and height of the board.
    size: [f64; 2],
    cells: Vec<Cell>,
    /// Touching sides that must match: cell, side, cell, side.
    seams: Vec<[usize; 4]>,
    /// Touching sides that need not match.
    loose: Vec<[usize; 4]>,
    /// Touching sides that are apart in the drawing, ordered by the number that marks both.
    cuts: Vec<[usize; 4]>,
    /// The sides at the rim: cell, side.
    rim: Vec<[usize; 2]>,
    /// The label of the border, as an index into `labels`.
    #[serde(skip_serializing_if = "Option::is_none")]
    border: Option<usize>,
    labels: Vec<Label>,
    /// All faces as one SVG document, with its width and height.
    sheet: Sheet,
    /// The pieces; copies of a tile are repeated.
    tiles: Vec<Tile>,
    /// True if there are no constraints besides matching seams and the border.
    plain: bool,
    /// The kind of each constraint, as its keyword in files.
    constraints: Vec<&'static str>,
}

/// A cell and its polygon in the drawing.
#[derive(Debug, Clone, Serialize)]
struct Cell {
    name: String,
    sides: usize,
    /// The middle, from the left.
    x: f64,
    /// The middle, from the top.
    y: f64,
    /// The rotation in degrees, counter-clockwise.
    turn: f64,
}

/// One half of an image, or a whole image.
#[derive(Debug, Clone, Serialize)]
struct Label {
    name: String,
    /// The label that matches this one, as an index.
    mate: usize,
    /// All labels that match this one, including its mate; `None` if the puzzle has no unknown
    /// edges, so that only the mate matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    fits: Option<Vec<usize>>,
}

/// A piece.
#[derive(Debug, Clone, Serialize)]
struct Tile {
    name: String,
    /// For each orientation, by its index, a number that is equal for pieces and orientations that
    /// look the same; `None` if the orientation is not allowed.
    #[serde(rename = "looks")]
    values: Vec<Option<usize>>,
    faces: Vec<Face>,
}

/// The front or the back of a piece.
#[derive(Debug, Clone, Serialize)]
struct Face {
    /// The labels of the sides in rotation 0, as indices.
    edges: Vec<usize>,
    /// The left upper corner of the face in rotation 0 on the sheet.
    corner: (f64, f64),
    /// Half the side of its square.
    reach: f64,
}

/// The picture of all faces.
#[derive(Debug, Clone, Serialize)]
struct Sheet {
    svg: String,
    size: [f64; 2],
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
        let FaceSheet { drawing, squares } = draw::face_sheet(problem, style);
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
                    fits: (!puzzle.labels.fit_mates_only())
                        .then(|| puzzle.labels.fitting(label).map(|label| label.index()).collect()),
                })
                .collect(),
            sheet: Sheet { size: [drawing.width, drawing.height], svg: drawing.svg },
            tiles: tiles(problem, &squares),
            plain: problem.constraints.is_empty(),
            constraints: problem.constraints.iter().map(|c| c.name()).collect(),
        }
    }
}

/// The title of a puzzle, or its name if it has none.
pub(crate) fn title(problem: &Problem) -> String {
    problem.puzzle.title.as_ref().unwrap_or(&problem.puzzle.name).clone()
}

/// The puzzle as a short text for addresses; `None` if that form cannot represent it.
pub(crate) fn code(problem: &Problem) -> Option<String> {
    Some(PuzzleFormat::named("code")?.write(problem, None).ok()?.text.trim().to_owned())
}

/// A seam as four numbers: cell, side, cell, side.
fn flat([first, second]: [(usize, usize); 2]) -> [usize; 4] {
    [first.0, first.1, second.0, second.1]
}

/// The name of a cell in words, for screen readers.
fn spoken(name: &CellName) -> String {
    match name {
        CellName::At(row, column) => format!("row {row}, column {column}"),
        CellName::Named(name) => name.clone(),
    }
}

/// The pieces in order; `squares` are the places of the faces on the sheet, by tile.
fn tiles(problem: &Problem, squares: &[Vec<FaceSquare>]) -> Vec<Tile> {
    let tile_of = |tile: usize| {
        let definition = &problem.puzzle.tiles[tile];
        let value = |orientation: Orientation| problem.kinds.value_of(tile, orientation);
        let faces = definition.faces().zip(&squares[tile]).map(|(face, square)| Face {
            edges: definition.face(face).iter().map(|l| l.index()).collect(),
            corner: square.corner,
            reach: square.reach,
        });
        Tile {
            name: definition.name.clone(),
            values: definition.orientations().map(value).collect(),
            faces: faces.collect(),
        }
    };
    problem.pieces().map(tile_of).collect()
}
