//! Parts of a drawing, for programs that place tiles themselves: the faces of tiles, and the
//! positions of a board's cells.

use edgematch::board::{Board, CellSide};
use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::Orientation;

use super::common::{Appearance, PlacedTile};
use super::net::Net;
use super::polygon::{PlacedPolygon, bounds, short};
use super::svg::Svg;
use super::{Drawing, GAP, MARGIN, Style, tile};

/// A board laid out flat.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The position of each cell.
    pub places: Vec<PlacedPolygon>,
    /// The seams that are cut apart, numbered from 1 in this order.
    pub cuts: Vec<[CellSide; 2]>,
    /// The width with margins, in units; the side of a tile is [`TILE`](super::TILE) units long.
    pub width: f64,
    /// The height with margins, in units.
    pub height: f64,
}

/// The positions of a board's cells in the plane, as in drawings; the top left corner is at 0.
pub fn layout(board: &Board) -> Layout {
    let net = Net::new(board);
    let ((left, top), (right, bottom)) = bounds(&net.polygons);
    let place = |polygon: &PlacedPolygon| PlacedPolygon {
        x: short(polygon.x - left + MARGIN),
        y: short(polygon.y - top + MARGIN),
        turn: short(polygon.turn),
        ..*polygon
    };
    Layout {
        places: net.polygons.iter().map(place).collect(),
        cuts: net.cuts,
        width: short(right - left + 2.0 * MARGIN),
        height: short(bottom - top + 2.0 * MARGIN),
    }
}

/// One drawing of all faces of a puzzle's tiles, for programs that cut it up. Each face is in
/// rotation 0 in the middle of an upright square; the squares are apart.
#[derive(Debug, Clone, PartialEq)]
pub struct FaceSheet {
    /// The drawing.
    pub drawing: Drawing,
    /// The square of each face, by tile: the front, then the back of a two-sided tile.
    pub squares: Vec<Vec<FaceSquare>>,
}

/// The square of a face on a sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceSquare {
    /// The left upper corner.
    pub corner: (f64, f64),
    /// Half the side.
    pub reach: f64,
}

/// Draws all faces of a puzzle's tiles; copies of a tile are not repeated.
pub fn face_sheet(problem: &Problem, style: &Style<'_>) -> FaceSheet {
    let tiles = &problem.puzzle.tiles;
    let number: usize = tiles.iter().map(|tile| tile.faces().count()).sum();
    let columns = number.isqrt().max(1);
    let reaches = tiles.iter().map(|tile| PlacedPolygon::new(tile.sides()).reach());
    let step = short(2.0 * reaches.fold(0.0, f64::max)) + GAP;
    let mut laid = Vec::with_capacity(number);
    let mut squares = Vec::with_capacity(tiles.len());
    for (tile, definition) in tiles.iter().enumerate() {
        let polygon = PlacedPolygon::new(definition.sides());
        let reach = polygon.reach();
        let mut faces = Vec::new();
        for face in definition.faces() {
            let left = (laid.len() % columns) as f64 * step;
            let top = (laid.len() / columns) as f64 * step;
            laid.push(PlacedTile {
                placed: Placed { tile, orientation: Orientation::default().with_face(face) },
                polygon: polygon.moved((short(left + reach), short(top + reach))),
                cell: None,
            });
            faces.push(FaceSquare { corner: (short(left), short(top)), reach: short(reach) });
        }
        squares.push(faces);
    }
    let size = [columns as f64 * step, number.div_ceil(columns) as f64 * step].map(short);
    let mut svg = Svg::new(size, size, &format!("The tiles of {}", problem.puzzle.name));
    tile::draw(&Appearance::new(problem, style), &laid, &mut svg);
    let drawing = Drawing { svg: svg.finish(), width: size[0], height: size[1] };
    FaceSheet { drawing, squares }
}
