//! The parts of a drawing, for programs that lay tiles themselves: each face of a tile by itself,
//! and where the cells of a board lie.

use edgematch::board::{Board, CellSide};
use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::{Face, Orientation};

use super::common::{Laid, Look};
use super::figure::{Figure, OFFSET};
use super::net::Net;
use super::polygon::{Polygon, bounds, short};
use super::svg::Svg;
use super::{Drawing, MARGIN, Style, tile};

/// Where a cell lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The number of sides of its polygon.
    pub sides: usize,
    /// The middle, from the left.
    pub x: f64,
    /// The middle, from above.
    pub y: f64,
    /// By how many degrees it is turned counter-clockwise; at 0 side 0 lies right of the middle.
    pub turn: f64,
}

/// A board laid flat.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// By cell.
    pub places: Vec<Place>,
    /// The seams that are cut apart, in the order of their numbers, from 1.
    pub cuts: Vec<[CellSide; 2]>,
    /// The width of it all with a margin, in units; a side has [`TILE`](super::TILE).
    pub width: f64,
    /// The height.
    pub height: f64,
}

/// Lays a board flat.
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

/// Draws faces of tiles as they lie in the file, each in the middle of an upright square.
pub fn faces<'a>(
    problem: &'a Problem,
    style: &'a Style<'a>,
) -> impl Fn(usize, Face) -> Drawing + 'a {
    let look = Look::new(problem, style);
    move |tile, face| {
        let definition = &problem.puzzle.tiles[tile];
        let polygon = Polygon::new(definition.sides());
        let reach = short(polygon.reach());
        let side = short(2.0 * reach);
        let laid = Laid {
            placed: Placed { tile, orientation: Orientation::default().on(face) },
            polygon: polygon.moved((reach, reach)),
            cell: None,
        };
        let mut svg = Svg::new(side, side, &format!("Tile {}", definition.name));
        tile::draw(&look, &[laid], &mut svg);
        Drawing { svg: svg.finish(), width: side, height: side }
    }
}

/// What stands for an image on the side of a tile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sign {
    /// The outline around the middle of the side, as SVG path data: x across the side, y along it.
    /// To be filled by the rule `evenodd`.
    pub path: String,
    /// The colour of a `+` half or of a whole image.
    pub strong: String,
    /// The colour of a `-` half.
    pub pale: String,
}

/// By how much a `+` half sits beside the middle of its side; a `-` half sits as far on the other
/// side.
pub const SIGN_OFFSET: f64 = OFFSET;

/// What stands for the image with this number and name.
pub fn sign(number: usize, name: &str) -> Sign {
    let figure = Figure::of_image(number, name);
    Sign { path: figure.path(), strong: figure.strong(), pale: figure.pale() }
}
