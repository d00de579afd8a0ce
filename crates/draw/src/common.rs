//! The SVG `<defs>` that the tiles of a drawing share: paper, outline, figures or pictures, and
//! clip paths.
//!
//! The origin of a shape is the middle of its polygon. Edges are defined for the right side of a
//! square; [`tile`](super::tile) moves them to other sides.

use std::collections::{BTreeMap, BTreeSet};

use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::{EdgeCorners, Face, Half, Label, UNKNOWN};
use itertools::Itertools;

use super::corners::{self, Colours, named};
use super::lettering::{BASELINE, lettering};
use super::polygon::{PlacedPolygon, Point, short};
use super::svg::{Element, Svg};
use super::theme::{Motif, Theme};
use super::{Pictures, Style, TILE};

/// The distance from the middle of a square to its sides, in units.
pub(super) const HALF: f64 = TILE / 2.0;

/// The width of a border band, in units.
const BAND: f64 = 9.0;

/// The scale of a figure between coloured corners, relative to other figures.
const BETWEEN: f64 = 0.6;

/// The paper colour of a front.
pub(super) const FRONT: &str = "#fdfbf5";
/// The paper colour of a back.
pub(super) const BACK: &str = "#d3e0ee";

/// A tile and its place in a drawing.
pub(super) struct PlacedTile {
    pub placed: Placed,
    pub polygon: PlacedPolygon,
    /// The name of the cell, for the tile's tooltip; `None` on a grid.
    pub cell: Option<String>,
}

/// The scale of a puzzle's figures, 1 on a rectangle: small in the narrow corners of triangles,
/// large in hexagons, otherwise 0.8, because seam numbers need room next to the figures. It is the
/// same for all polygons, because halves on different polygons meet.
pub(super) fn scale(problem: &Problem) -> f64 {
    let sides = problem.board.cells().iter().map(|cell| cell.sides).min();
    match sides {
        Some(..4) => 0.55,
        Some(6..) => 1.25,
        _ if problem.board.rectangle().is_none() => 0.8,
        _ => 1.0,
    }
}

/// The appearance of tiles. Data that depends on all cells or labels is computed once, not per
/// tile.
pub(super) struct Appearance<'a> {
    pub problem: &'a Problem,
    pub style: &'a Style<'a>,
    /// True if border bands and pictures must be clipped, because some cells are not square.
    pub is_clipped: bool,
    /// The scale of figures; see [`scale`].
    pub scale: f64,
    /// The distance of the sides of the smallest tile from its middle.
    apothem: f64,
    /// The motif of each image, by its first label.
    motifs: BTreeMap<Label, Motif>,
    colours: Colours,
}

impl<'a> Appearance<'a> {
    /// Chooses the scale, the figures and the colours with which a problem is drawn in a style.
    pub fn new(problem: &'a Problem, style: &'a Style<'a>) -> Self {
        Appearance {
            problem,
            style,
            is_clipped: problem.board.cells().iter().any(|cell| cell.sides != 4),
            scale: scale(problem),
            apothem: smallest_apothem(problem),
            motifs: motifs(problem, style).into_iter().collect(),
            colours: Colours::from_problem(problem),
        }
    }
}

/// The distance of the sides of the smallest tile from its middle.
fn smallest_apothem(problem: &Problem) -> f64 {
    let sides = problem.puzzle.tiles.iter().map(|tile| tile.sides()).min();
    PlacedPolygon::new(sides.unwrap_or(4)).apothem()
}

/// The closed polygon through these points, as SVG path data.
pub(super) fn closed_path(points: &[Point]) -> String {
    let points = points.iter().map(|(x, y)| format!("{} {}", short(*x), short(*y)));
    format!("M{}Z", itertools::join(points, "L"))
}

/// Writes the definitions for these tiles: one `<defs>` for shapes and clip paths, and one per
/// image or picture.
pub(super) fn define(look: &Appearance<'_>, laid: &[PlacedTile], svg: &mut Svg) {
    svg.open(Element::new("defs"));
    for sides in laid.iter().map(|l| l.polygon.sides).collect::<BTreeSet<_>>() {
        define_shape(look, sides, laid, svg);
    }
    if look.style.pictures.is_none() {
        svg.open(Element::new("clipPath").with("id", "inside"));
        svg.put(sized_around(Element::new("rect"), 4));
        svg.close("clipPath");
    }
    svg.close("defs");
    match look.style.pictures {
        Some(pictures) => define_pictures(pictures, laid, svg),
        None => define_images(look, laid, svg),
    }
}

/// Defines paper, outline and clip path of the tiles with this number of sides.
fn define_shape(look: &Appearance<'_>, sides: usize, laid: &[PlacedTile], svg: &mut Svg) {
    let shape = || Element::path(closed_path(&PlacedPolygon::new(sides).corners()));
    if look.is_clipped {
        svg.open(Element::new("clipPath").with("id", clip_name(sides)));
        svg.put(shape());
        svg.close("clipPath");
    }
    for (face, colour) in [(Face::Front, FRONT), (Face::Back, BACK)] {
        let is_laid = |l: &PlacedTile| l.placed.orientation.face() == face;
        if look.style.pictures.is_none() && laid.iter().any(is_laid) {
            svg.put(shape().with("id", paper_name(face, sides)).with("fill", colour));
        }
    }
    let frame = shape().with("id", frame_name(sides)).with("fill", "none");
    svg.put(frame.with_stroke("#333", 1.0).with("stroke-linejoin", "miter"));
}

/// The id of the clip path of a shape.
pub(super) fn clip_name(sides: usize) -> String {
    format!("polygon{sides}")
}

/// The id of the paper of a face.
pub(super) fn paper_name(face: Face, sides: usize) -> String {
    format!("{}{sides}", face.name())
}

/// The id of the outline of a shape.
pub(super) fn frame_name(sides: usize) -> String {
    format!("frame{sides}")
}

/// The id of the drawing of an edge with this label.
pub(super) fn edge_name(label: Label) -> String {
    format!("e{}", label.index())
}

/// Defines each picture that these tiles show once.
fn define_pictures(pictures: &Pictures, laid: &[PlacedTile], svg: &mut Svg) {
    let shown = laid.iter().map(|l| {
        let Placed { tile, orientation } = l.placed;
        (tile, pictures.printed(tile, orientation.face()), l.polygon.sides)
    });
    for (tile, face, sides) in shown.collect::<BTreeSet<_>>() {
        svg.open(Element::new("defs"));
        let image = sized_around(Element::new("image"), sides)
            .with("id", picture_name(tile, face))
            .with("preserveAspectRatio", "none")
            .with("href", pictures.data_url(tile, face));
        svg.put(image);
        svg.close("defs");
    }
}

/// The id of the picture of a face.
pub(super) fn picture_name(tile: usize, face: Face) -> String {
    match face {
        Face::Front => format!("t{tile}"),
        Face::Back => format!("t{tile}-back"),
    }
}

/// Defines the drawing of each label that these tiles show: a half or whole figure, a border band,
/// coloured corners, or a question mark for an unknown edge.
fn define_images(look: &Appearance<'_>, laid: &[PlacedTile], svg: &mut Svg) {
    let problem = look.problem;
    let edges = laid.iter().flat_map(|l| {
        let Placed { tile, orientation } = l.placed;
        problem.puzzle.tiles[tile].face(orientation.face())
    });
    let labels: BTreeSet<Label> = edges.copied().collect();
    let names = &problem.puzzle.labels;
    if let Some(unknown) = labels.iter().find(|&&label| is_unknown(problem, label)) {
        svg.open(Element::new("defs"));
        svg.open(Element::new("g").with("id", edge_name(*unknown)));
        put_question_mark(look.scale, svg);
        svg.close("g");
        svg.close("defs");
    }
    let images = labels.into_iter().into_group_map_by(|&label| label.min(names.mate(label)));
    for (first, halves) in images.into_iter().sorted() {
        // An unknown edge has no figure.
        let Some(&motif) = look.motifs.get(&first) else {
            continue;
        };
        svg.open(Element::new("defs"));
        for label in halves {
            let group = Element::new("g").with("id", edge_name(label));
            match EdgeCorners::from_edge(names.edge(label)) {
                Some(corners) => {
                    svg.open(group.with("clip-path", "url(#inside)"));
                    put_corners(look, &corners, svg);
                }
                None if problem.puzzle.border == Some(label) => {
                    svg.open(group);
                    put_band(look, svg);
                }
                None => {
                    svg.open(group.with("clip-path", "url(#inside)"));
                    if look.style.theme == Theme::Wedges {
                        put_wedge(look, &motif.hue(), svg);
                    }
                    put_motif(look, motif, names.edge(label).half, look.scale, svg);
                }
            }
            svg.close("g");
        }
        svg.close("defs");
    }
}

/// The motif of each image except unknown edges, with the image's first label. Images listed in
/// the style receive the first motifs, the others the next ones in the order of the puzzle.
pub(super) fn motifs(problem: &Problem, style: &Style<'_>) -> Vec<(Label, Motif)> {
    let mut next = style.images.len();
    let motif = |first: Label| {
        let image = &problem.puzzle.labels.edge(first).image;
        let listed = style.images.iter().position(|name| name == image);
        let number = listed.unwrap_or(next);
        next += usize::from(listed.is_none());
        (first, Motif::from_image(number, image))
    };
    let firsts = problem.puzzle.labels.firsts();
    firsts.filter(|&first| !is_unknown(problem, first)).map(motif).collect()
}

/// Returns true if the label is that of edges that the puzzle leaves open.
fn is_unknown(problem: &Problem, label: Label) -> bool {
    problem.puzzle.labels.edge(label).image == UNKNOWN
}

/// Draws a question mark on the right side of a square.
fn put_question_mark(scale: f64, svg: &mut Svg) {
    let size = 22.0 * scale;
    let place = (HALF - 0.6 * size, BASELINE * size);
    svg.text(lettering(place, size), UNKNOWN);
}

/// Draws a border band on the right side of a square. It is as long as the side, so that bands on
/// adjacent sides form one frame. If it will be clipped, it is longer, to fill corners wider than a
/// right angle.
fn put_band(look: &Appearance<'_>, svg: &mut Svg) {
    if look.style.theme == Theme::Wedges {
        put_wedge(look, "#8b8f96", svg);
        return;
    }
    let more = if look.is_clipped { BAND } else { 0.0 };
    let [top, bottom] = [-HALF - more, HALF + more];
    let band = format!("M{HALF} {top}H{}V{bottom}H{HALF}Z", HALF - BAND);
    svg.put(Element::path(band).with("fill", "#4a4a4a"));
}

/// Draws coloured corners and the figure between them on the right side of a square.
fn put_corners(look: &Appearance<'_>, corners: &EdgeCorners, svg: &mut Svg) {
    let scale = look.scale;
    for (colour, y) in [(&corners.first, HALF), (&corners.second, -HALF)] {
        if let Some(mark) = named(&look.colours.corners, colour) {
            let disc = Element::path(mark.path((HALF, y), corners::RADIUS * scale.max(0.8)));
            svg.put(disc.with("fill", &mark.colour).with("stroke", "#222"));
        }
    }
    if let Some(edge) = &corners.between {
        match named(&look.colours.between, &edge.image) {
            Some(&motif) => put_motif(look, motif, edge.half, scale * BETWEEN, svg),
            None => put_question_mark(scale * BETWEEN, svg),
        }
    }
}

/// Draws a motif, or half of one, on the right side of a square.
fn put_motif(look: &Appearance<'_>, motif: Motif, half: Half, scale: f64, svg: &mut Svg) {
    if look.style.theme == Theme::Figures {
        svg.put(motif.figure_at(HALF, half, scale));
        return;
    }
    let smaller = if scale == 1.0 { String::new() } else { format!("scale({scale})") };
    svg.open(Element::new("g").with_transform([format!("translate({HALF} 0)"), smaller]));
    motif.put(look.style.theme, half, svg);
    svg.close("g");
}

/// Draws a triangle from the middle of the smallest tile to its right side, on the right side of a
/// square.
fn put_wedge(look: &Appearance<'_>, colour: &str, svg: &mut Svg) {
    let path = format!("M{} 0L{HALF} {HALF}V-{HALF}Z", short(HALF - look.apothem));
    svg.put(Element::path(path).with("fill", colour).with("stroke", "#222"));
}

/// Sets position and size of an element to the smallest upright square around the origin that
/// contains the unrotated polygon with this number of sides.
fn sized_around(element: Element, sides: usize) -> Element {
    let reach = PlacedPolygon::new(sides).reach();
    element
        .with("x", short(-reach))
        .with("y", short(-reach))
        .with("width", short(2.0 * reach))
        .with("height", short(2.0 * reach))
}
