//! Parts of a drawing, for programs that place tiles themselves: single faces of tiles, and the
//! places of a board's cells.

use edgematch::board::{Board, CellSide};
use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::{Face, Orientation};

use super::common::{Appearance, PlacedTile};
use super::figure::{Figure, OFFSET};
use super::net::Net;
use super::polygon::{Polygon, bounds, short};
use super::svg::Svg;
use super::{Drawing, MARGIN, Style, tile};

/// The place of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The number of sides of its polygon.
    pub sides: usize,
    /// The x coordinate of its middle, from the left.
    pub x: f64,
    /// The y coordinate of its middle, from the top.
    pub y: f64,
    /// The rotation in degrees, counter-clockwise; at 0, side 0 is on the right.
    pub turn: f64,
}

/// A board laid out flat.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The place of each cell.
    pub places: Vec<Place>,
    /// The seams that are cut apart, numbered from 1 in this order.
    pub cuts: Vec<[CellSide; 2]>,
    /// The width with margins, in units; a side has [`TILE`](super::TILE).
    pub width: f64,
    /// The height with margins, in units.
    pub height: f64,
}

/// Lays a board out flat.
pub fn layout(board: &Board) -> Layout {
    let net = Net::new(board);
    let ((left, top), (right, bottom)) = bounds(&net.polygons);
    let place = |polygon: &Polygon| Place {
        sides: polygon.sides,
        x: short(polygon.x - left + MARGIN),
        y: short(polygon.y - top + MARGIN),
        turn: short(polygon.turn),
    };
    Layout {
        places: net.polygons.iter().map(place).collect(),
        cuts: net.cuts,
        width: short(right - left + 2.0 * MARGIN),
        height: short(bottom - top + 2.0 * MARGIN),
    }
}

/// Returns a function that draws a face of a tile in rotation 0, in the middle of an upright
/// square. Shared work is done once.
pub fn faces<'a>(
    problem: &'a Problem,
    style: &'a Style<'a>,
) -> impl Fn(usize, Face) -> Drawing + 'a {
    let look = Appearance::new(problem, style);
    move |tile, face| {
        let definition = &problem.puzzle.tiles[tile];
        let polygon = Polygon::new(definition.sides());
        let reach = short(polygon.reach());
        let side = short(2.0 * reach);
        let laid = PlacedTile {
            placed: Placed { tile, orientation: Orientation::default().with_face(face) },
            polygon: polygon.moved((reach, reach)),
            cell: None,
        };
        let mut svg = Svg::new(side, side, &format!("Tile {}", definition.name));
        tile::draw(&look, &[laid], &mut svg);
        Drawing { svg: svg.finish(), width: side, height: side }
    }
}

/// The figure of an image on the side of a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// The outline around the middle of the side, as SVG path data for the fill rule `evenodd`: x
    /// across the side, y along it.
    pub path: String,
    /// The colour of a `+` half or of a whole image.
    pub strong: String,
    /// The colour of a `-` half.
    pub pale: String,
}

/// The offset of a `+` half from the middle of its side; a `-` half has the opposite offset.
pub const SIGN_OFFSET: f64 = OFFSET;

/// The figure of the image with this number and name.
pub fn sign(number: usize, name: &str) -> Sign {
    let figure = Figure::from_image(number, name);
    Sign { path: figure.path(), strong: figure.strong(), pale: figure.pale() }
}
