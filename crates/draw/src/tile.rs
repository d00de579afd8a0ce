//! Drawing tiles: paper, the half figures of the edges or a picture, and the name.
//!
//! A tile is drawn around the origin in rotation 0, then rotated and moved. An edge is defined for
//! the right side of a square; for other polygons it is moved in or out.

use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::Face;

use super::common::{
    Appearance, BACK, FRONT, HALF, PlacedTile, clip_name, define, edge_name, frame_name,
    paper_name, picture_name,
};
use super::lettering::{BASELINE, LARGEST, lettering, write_name};
use super::polygon::{PlacedPolygon, short};
use super::svg::{Element, Svg};
use super::{Pictures, Theme, TileNames, Titles};

/// How far figures extend into a tile at scale 1, with some space; in units.
const DEPTH: f64 = 27.0;

/// The maximum font size of a small name, in units.
const SMALL: f64 = 12.0;

/// Writes the definitions that these tiles share, then draws the tiles.
pub(super) fn draw(look: &Appearance<'_>, laid: &[PlacedTile], svg: &mut Svg) {
    define(look, laid, svg);
    // Attributes that all figures and names share.
    let group = Element::new("g").with("fill-rule", "evenodd").with("stroke-width", "1.6");
    svg.open(group.with("stroke-linejoin", "round").with("font-size", LARGEST));
    for tile in laid {
        draw_one(look, tile, svg);
    }
    svg.close("g");
}

/// A counter-clockwise rotation around the origin, as an SVG transform; empty for 0°.
fn turn(degrees: f64) -> String {
    let clockwise = short((-degrees).rem_euclid(360.0));
    if clockwise == 0.0 { String::new() } else { format!("rotate({clockwise})") }
}

/// The transforms that move a drawing from the right side of a square to a side of an unrotated
/// polygon around the origin.
fn to_side(polygon: &PlacedPolygon, side: usize) -> [String; 2] {
    let out = short(polygon.apothem() - HALF);
    let out = if out == 0.0 { String::new() } else { format!("translate({out} 0)") };
    [turn(side as f64 * polygon.step()), out]
}

/// A `use` element that refers to the definition with this id.
fn defined(name: &str) -> Element {
    Element::new("use").with("href", format!("#{name}"))
}

/// Draws a tile in its polygon: its picture, or its edges and its name, and the frame.
fn draw_one(look: &Appearance<'_>, laid: &PlacedTile, svg: &mut Svg) {
    let PlacedTile { placed: Placed { tile, orientation }, polygon, .. } = laid;
    let rotation = orientation.rotation() as f64 * polygon.step();
    let place = format!("translate({} {})", short(polygon.x), short(polygon.y));
    svg.open(Element::new("g").with_transform([place, turn(polygon.turn + rotation)]));
    if look.style.titles == Titles::Shown {
        svg.text(Element::new("title"), &title(look.problem, laid));
    }
    match look.style.pictures {
        Some(pictures) => draw_picture(look, pictures, laid, svg),
        None => draw_edges(look, laid, svg),
    }
    svg.put(defined(&frame_name(polygon.sides)));
    if look.style.pictures.is_none() {
        let name = match look.style.names {
            TileNames::Hidden => "",
            TileNames::Turned | TileNames::Small => &look.problem.puzzle.tiles[*tile].name,
        };
        let largest = if look.style.names == TileNames::Small { SMALL } else { LARGEST };
        if look.style.theme == Theme::Wedges && !name.is_empty() {
            let ground = Element::new("circle").with("r", short(0.75 * largest));
            svg.put(ground.with("fill", FRONT));
        }
        let room = 2.0 * (polygon.apothem() - DEPTH * look.scale);
        write_name(name, orientation.face() == Face::Back, room, largest, svg);
    }
    svg.close("g");
}

/// Draws the paper of a tile and its edges.
fn draw_edges(look: &Appearance<'_>, laid: &PlacedTile, svg: &mut Svg) {
    let Placed { tile, orientation } = laid.placed;
    let polygon = &laid.polygon;
    let definition = &look.problem.puzzle.tiles[tile];
    let face = orientation.face();
    svg.put(defined(&paper_name(face, polygon.sides)));
    if look.is_clipped {
        svg.open(clipped(Element::new("g"), polygon));
    }
    // An invalid arrangement may place a tile in a cell with another number of sides.
    if definition.sides() == polygon.sides {
        for (side, &label) in definition.face(face).iter().enumerate() {
            svg.put(defined(&edge_name(label)).with_transform(to_side(polygon, side)));
        }
    }
    if look.is_clipped {
        svg.close("g");
    }
}

/// Clips an element to a polygon.
fn clipped(element: Element, polygon: &PlacedPolygon) -> Element {
    element.with("clip-path", format!("url(#{})", clip_name(polygon.sides)))
}

/// Draws the picture of a tile; a back gets a badge.
fn draw_picture(look: &Appearance<'_>, pictures: &Pictures, laid: &PlacedTile, svg: &mut Svg) {
    let Placed { tile, orientation } = laid.placed;
    let polygon = &laid.polygon;
    let face = orientation.face();
    let printed = pictures.printed(tile, face);
    // A back without a picture is the front, mirrored at the vertical axis. With an odd number of
    // sides, half a step makes the polygons coincide again.
    let over = if printed == face {
        [String::new(), String::new()]
    } else {
        let half_step = if polygon.sides % 2 == 1 { -polygon.step() / 2.0 } else { 0.0 };
        [turn(half_step), "scale(-1 1)".to_owned()]
    };
    let picture = defined(&picture_name(tile, printed));
    if look.is_clipped {
        svg.open(clipped(Element::new("g").with_transform(over), polygon));
        svg.put(picture);
        svg.close("g");
    } else {
        svg.put(picture.with_transform(over));
    }
    if face == Face::Back {
        badge(svg);
    }
}

/// The tooltip of a tile, which screen readers read: name, cell, face, rotation, and the edges in
/// that orientation.
fn title(problem: &Problem, laid: &PlacedTile) -> String {
    let Placed { tile, orientation } = laid.placed;
    let definition = &problem.puzzle.tiles[tile];
    let shown = definition.edges_in(orientation);
    let edges: Vec<String> = shown.iter().map(|&l| problem.puzzle.labels.name(l)).collect();
    let cell = laid.cell.as_ref();
    let cell = cell.map_or(String::new(), |cell| format!(" in {cell}"));
    let up = match definition.back {
        Some(_) => format!(", {} up", orientation.face().name()),
        None => String::new(),
    };
    let name = &definition.name;
    let rotation = orientation.rotation();
    format!("Tile {name}{cell}{up}, rotation {rotation}: {}", edges.join(", "))
}

/// Draws the badge `back` in the middle of a tile with a picture.
fn badge(svg: &mut Svg) {
    const SIZE: f64 = 8.0;
    let rect = Element::new("rect")
        .with("x", -13)
        .with("y", -6)
        .with("width", 26)
        .with("height", 12)
        .with("rx", 6)
        .with("fill", BACK);
    svg.put(rect.with("fill-opacity", "0.85"));
    svg.text(lettering((0.0, SIZE * BASELINE), SIZE), "back");
}
