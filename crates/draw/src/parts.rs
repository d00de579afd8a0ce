//! Parts of a drawing, for programs that place tiles themselves: single faces of tiles, and the
//! positions of a board's cells.

use edgematch::board::{Board, CellSide};
use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::{Face, Orientation};

use super::common::{Appearance, PlacedTile};
use super::net::Net;
use super::polygon::{PlacedPolygon, bounds, short};
use super::svg::Svg;
use super::{Drawing, MARGIN, Style, tile};

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

/// Returns a function that draws a face of the tile with this index in rotation 0, in the middle of
/// an upright square. The work that all tiles share is done once.
pub fn faces<'a>(
    problem: &'a Problem,
    style: &'a Style<'a>,
) -> impl Fn(usize, Face) -> Drawing + 'a {
    let look = Appearance::new(problem, style);
    move |tile, face| {
        let definition = &problem.puzzle.tiles[tile];
        let polygon = PlacedPolygon::new(definition.sides());
        let reach = short(polygon.reach());
        let side = short(2.0 * reach);
        let laid = PlacedTile {
            placed: Placed { tile, orientation: Orientation::default().with_face(face) },
            polygon: polygon.moved((reach, reach)),
            cell: None,
        };
        let mut svg = Svg::new([side; 2], [side; 2], &format!("Tile {}", definition.name));
        tile::draw(&look, &[laid], &mut svg);
        Drawing { svg: svg.finish(), width: side, height: side }
    }
}
