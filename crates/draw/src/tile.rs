//! A tile: paper, the half figures of its edges or its own picture, its name.
//!
//! Everything is drawn in a square of 100 units with the middle of the polygon in its middle, and
//! as the right side of a square shows it; the sides of other polygons lie nearer or farther from
//! there.

use std::collections::BTreeSet;

use edgematch::problem::{Placed, Problem};
use edgematch::puzzle::{Corners, Face, Half, Label, UNKNOWN};

use super::corners::{self, Colours};
use super::figure::{Figure, OFFSET};
use super::lettering::{MIDDLE, Words, lettering};
use super::polygon::{Point, Polygon, short};
use super::svg::{Element, Svg};
use super::{Names, Pictures, Style, TILE, first_labels};

/// How wide a border band is.
const BAND: f64 = 9.0;

/// How deep figures reach into a tile, unscaled, with a little space.
const DEPTH: f64 = 27.0;

/// By how much figures between coloured corners are smaller.
const BETWEEN: f64 = 0.6;

/// Paper with its front up, and with its back up.
const FRONT: &str = "#fdfbf5";
const BACK: &str = "#d3e0ee";

/// Where a tile lies in a drawing.
pub(super) struct Laid {
    pub placed: Placed,
    pub polygon: Polygon,
    /// What people call the cell, where that is not plain from the drawing.
    pub cell: Option<String>,
}

/// By how much the figures of a puzzle are scaled. All by the same, as halves on polygons of
/// different sorts meet: small, where there are triangles; a little smaller, where numbers stand
/// beside them.
pub(super) fn scale(problem: &Problem) -> f64 {
    let mut cells = problem.board.cells().iter();
    if cells.any(|cell| cell.sides < 4) {
        0.55
    } else if problem.board.rectangle().is_none() {
        0.8
    } else {
        1.0
    }
}

/// Whether bands of neighbouring sides must be clipped to the polygon, as must pictures.
fn is_clipped(problem: &Problem) -> bool {
    problem.board.cells().iter().any(|cell| cell.sides != 4)
}

/// One `<defs>` for each image that is shown, behind those for what clips them; or one for each
/// picture.
pub(super) fn define(problem: &Problem, style: &Style<'_>, laid: &[Laid], svg: &mut Svg) {
    if is_clipped(problem) {
        let shapes: BTreeSet<usize> = laid.iter().map(|l| l.polygon.sides).collect();
        for sides in shapes {
            svg.define(|svg| {
                svg.open(Element::new("clipPath").with("id", format!("polygon{sides}")));
                let middle = (MIDDLE, MIDDLE);
                let outline = outline(&Polygon::new(sides).moved(middle));
                svg.put(Element::new("path").with("d", outline));
                svg.close("clipPath");
            });
        }
    }
    match style.pictures {
        Some(pictures) => define_pictures(pictures, laid, svg),
        None => define_images(problem, style, laid, svg),
    }
}

fn define_pictures(pictures: &Pictures, laid: &[Laid], svg: &mut Svg) {
    let shown = laid.iter().map(|l| {
        let Placed { tile, orientation } = l.placed;
        let face = pictures.printed(tile, orientation.face());
        (tile, face, l.polygon.sides)
    });
    for (tile, face, sides) in shown.collect::<BTreeSet<_>>() {
        svg.define(|svg| {
            let image = Element::new("image");
            let reach = Polygon::new(sides).reach();
            let image = match sides {
                4 => square(image),
                _ => image
                    .with("x", short(MIDDLE - reach))
                    .with("y", short(MIDDLE - reach))
                    .with("width", short(2.0 * reach))
                    .with("height", short(2.0 * reach)),
            };
            let image = image
                .with("id", picture_id(tile, face))
                .with("preserveAspectRatio", "none")
                .with("href", pictures.of(tile, face));
            svg.put(image);
        });
    }
}

fn picture_id(tile: usize, face: Face) -> String {
    match face {
        Face::Front => format!("t{tile}"),
        Face::Back => format!("t{tile}-back"),
    }
}

fn define_images(problem: &Problem, style: &Style<'_>, laid: &[Laid], svg: &mut Svg) {
    svg.define(|svg| {
        svg.open(Element::new("clipPath").with("id", "inside"));
        svg.put(square(Element::new("rect")));
        svg.close("clipPath");
    });
    let edges = |l: &Laid| {
        let Placed { tile, orientation } = l.placed;
        problem.puzzle.tiles[tile].face(orientation.face()).to_vec()
    };
    let labels: BTreeSet<Label> = laid.iter().flat_map(edges).collect();
    let names = &problem.puzzle.labels;
    let colours = Colours::of(problem);
    if let Some(unknown) = labels.iter().find(|&&label| is_unknown(problem, label)) {
        svg.define(|svg| {
            svg.open(Element::new("g").with("id", format!("e{}", unknown.index())));
            put_question_mark(scale(problem), svg);
            svg.close("g");
        });
    }
    for (first, figure) in figures(problem, style) {
        let halves: Vec<Label> = BTreeSet::from([first, names.mate(first)])
            .intersection(&labels)
            .copied()
            .collect();
        if halves.is_empty() {
            continue;
        }
        svg.define(|svg| {
            for &label in &halves {
                match Corners::of(names.edge(label)) {
                    Some(corners) => define_corners(problem, label, &corners, &colours, svg),
                    None => define_label(problem, label, figure, svg),
                }
            }
        });
    }
}

/// The figure of each image, by its first label.
pub(super) fn figures(problem: &Problem, style: &Style<'_>) -> Vec<(Label, Figure)> {
    let mut next = style.images.len();
    let figure = |first: Label| {
        let image = &problem.puzzle.labels.edge(first).image;
        let listed = style.images.iter().position(|name| name == image);
        let number = listed.unwrap_or(next);
        next += usize::from(listed.is_none());
        (first, Figure::of_image(number, image))
    };
    let first = first_labels(problem).into_iter();
    let shown = first.filter(|&first| !is_unknown(problem, first));
    shown.map(figure).collect()
}

/// Whether nothing is known of an edge.
fn is_unknown(problem: &Problem, label: Label) -> bool {
    problem.puzzle.labels.edge(label).image == UNKNOWN
}

/// A question mark beside the right side of a square.
fn put_question_mark(scale: f64, svg: &mut Svg) {
    let size = 22.0 * scale;
    let place = (TILE - 0.6 * size, MIDDLE + 0.36 * size);
    svg.text(lettering(place, size), UNKNOWN);
}

/// An edge as the right side of a square tile shows it.
fn define_label(problem: &Problem, label: Label, figure: Figure, svg: &mut Svg) {
    let edge = problem.puzzle.labels.edge(label);
    let group = Element::new("g").with("id", format!("e{}", label.index()));
    if problem.puzzle.border == Some(label) {
        svg.open(group);
        // As long as the side, so that the bands of neighbours make one frame; longer, where wide
        // corners must be filled and the tile clips what is too long.
        let more = if is_clipped(problem) { BAND } else { 0.0 };
        let top = -more + 0.0;
        let bottom = TILE + more;
        let band = format!("M{TILE} {top}H{}V{bottom}H{TILE}Z", TILE - BAND);
        svg.put(Element::new("path").with("d", band).with("fill", "#4a4a4a"));
        svg.close("g");
        return;
    }
    svg.open(group.with("clip-path", "url(#inside)"));
    put_figure(figure, edge.half, scale(problem), svg);
    svg.close("g");
}

/// An edge between coloured corners, in the same place.
fn define_corners(
    problem: &Problem,
    label: Label,
    corners: &Corners,
    colours: &Colours,
    svg: &mut Svg,
) {
    let group = Element::new("g").with("id", format!("e{}", label.index()));
    svg.open(group.with("clip-path", "url(#inside)"));
    let scale = scale(problem);
    for (colour, y) in [(&corners.first, TILE), (&corners.second, 0.0)] {
        if let Some((_, mark)) = colours.marks().find(|(name, _)| name == colour) {
            let disc = mark.path((TILE, y), corners::RADIUS * scale.max(0.8));
            let disc = Element::new("path").with("d", disc);
            let disc = disc.with("fill", mark.colour).with("fill-rule", "evenodd");
            svg.put(disc.with("stroke", "#222").with("stroke-width", "1.6"));
        }
    }
    if let Some(edge) = &corners.between {
        if edge.image == UNKNOWN {
            put_question_mark(scale * BETWEEN, svg);
        }
        let mut figures = colours.figures();
        if let Some((_, figure)) = figures.find(|(name, _)| *name == edge.image) {
            put_figure(figure, edge.half, scale * BETWEEN, svg);
        }
    }
    svg.close("g");
}

/// A figure on the right side of a square, or a half of one.
fn put_figure(figure: Figure, half: Half, scale: f64, svg: &mut Svg) {
    let (offset, fill) = match half {
        Half::Plus => (OFFSET, figure.strong()),
        Half::Minus => (-OFFSET, figure.pale()),
        Half::Whole => (0.0, figure.strong()),
    };
    let place = format!("translate({TILE} {})", short(MIDDLE + offset * scale));
    let place = if scale == 1.0 {
        place
    } else {
        format!("{place} scale({scale})")
    };
    let path = Element::new("path")
        .with("transform", place)
        .with("d", figure.path())
        .with("fill", fill)
        .with("fill-rule", "evenodd")
        .with("stroke", "#222")
        .with("stroke-width", "1.6")
        .with("stroke-linejoin", "round");
    svg.put(path);
}

fn square(element: Element) -> Element {
    element.with("width", TILE).with("height", TILE)
}

/// A polygon as path data.
pub(super) fn outline(polygon: &Polygon) -> String {
    through(&polygon.corners())
}

/// A closed line through points, as path data.
pub(super) fn through(points: &[Point]) -> String {
    let points = points
        .iter()
        .map(|(x, y)| format!("{} {}", short(*x), short(*y)));
    format!("M{}Z", itertools::join(points, "L"))
}

/// The turn counter-clockwise about the middle, where it is one.
fn turn(degrees: f64) -> Option<String> {
    let degrees = short(degrees.rem_euclid(360.0));
    (degrees != 0.0).then(|| format!("rotate({} {MIDDLE} {MIDDLE})", -degrees))
}

/// What brings the right side of a square to a side of a polygon.
fn to_side(polygon: &Polygon, side: usize) -> Option<String> {
    let out = short(polygon.apothem() - MIDDLE);
    let out = (out != 0.0).then(|| format!("translate({out} 0)"));
    joined([turn(side as f64 * polygon.step()), out])
}

/// Transforms one inside the other.
fn joined<const N: usize>(transforms: [Option<String>; N]) -> Option<String> {
    let all: Vec<String> = transforms.into_iter().flatten().collect();
    (!all.is_empty()).then(|| all.join(" "))
}

fn transformed(element: Element, transform: Option<String>) -> Element {
    match transform {
        Some(transform) => element.with("transform", transform),
        None => element,
    }
}

/// The polygon in the square that the tile is drawn in.
fn shape(polygon: &Polygon) -> Element {
    if polygon.is_upright_square() {
        square(Element::new("rect"))
    } else {
        let here = Polygon {
            x: MIDDLE,
            y: MIDDLE,
            ..*polygon
        };
        Element::new("path").with("d", outline(&here))
    }
}

/// Draws a tile.
pub(super) fn draw(problem: &Problem, style: &Style<'_>, laid: &Laid, svg: &mut Svg) {
    let Laid {
        placed, polygon, ..
    } = laid;
    let place = format!(
        "translate({} {})",
        short(polygon.x - MIDDLE),
        short(polygon.y - MIDDLE)
    );
    svg.open(Element::new("g").with("transform", place));
    svg.title(&title(problem, laid));
    let rotation = placed.orientation.rotation() as f64 * polygon.step();
    let turned = turn(polygon.turn + rotation);
    match style.pictures {
        Some(pictures) => draw_picture(problem, pictures, laid, turned, svg),
        None => draw_edges(problem, style, laid, turned, svg),
    }
    let frame = shape(polygon).with("fill", "none");
    svg.put(frame.with("stroke", "#333").with("stroke-width", "1"));
    svg.close("g");
}

fn draw_edges(
    problem: &Problem,
    style: &Style<'_>,
    laid: &Laid,
    turned: Option<String>,
    svg: &mut Svg,
) {
    let Placed { tile, orientation } = laid.placed;
    let polygon = &laid.polygon;
    let definition = &problem.puzzle.tiles[tile];
    let face = orientation.face();
    let paper = match face {
        Face::Front => FRONT,
        Face::Back => BACK,
    };
    svg.put(shape(polygon).with("fill", paper));
    svg.open(transformed(Element::new("g"), turned));
    if is_clipped(problem) {
        let clip = format!("url(#polygon{})", polygon.sides);
        svg.open(Element::new("g").with("clip-path", clip));
    }
    // A tile may lie, wrongly, in a cell with another number of sides.
    let fitting = definition.sides() == polygon.sides;
    let edges = definition.face(face).iter().filter(|_| fitting);
    for (side, label) in edges.enumerate() {
        let edge = Element::new("use").with("href", format!("#e{}", label.index()));
        svg.put(transformed(edge, to_side(polygon, side)));
    }
    if is_clipped(problem) {
        svg.close("g");
    }
    let words = Words {
        name: match style.names {
            Names::Hidden => "",
            Names::Turned | Names::Upright => &definition.name,
        },
        is_back: face == Face::Back,
        room: 2.0 * (polygon.apothem() - DEPTH * scale(problem)),
    };
    if style.names != Names::Upright {
        words.draw(svg);
    }
    svg.close("g");
    if style.names == Names::Upright {
        words.draw(svg);
    }
}

fn draw_picture(
    problem: &Problem,
    pictures: &Pictures,
    laid: &Laid,
    turned: Option<String>,
    svg: &mut Svg,
) {
    let Placed { tile, orientation } = laid.placed;
    let polygon = &laid.polygon;
    let face = orientation.face();
    let printed = pictures.printed(tile, face);
    // Turned over about the vertical axis; with an odd number of sides, half a step makes the sides
    // lie on each other again.
    let over = (printed != face).then(|| {
        let half_step = (polygon.sides % 2 == 1).then(|| turn(-polygon.step() / 2.0));
        let flip = format!("translate({TILE} 0) scale(-1 1)");
        joined([half_step.flatten(), Some(flip)])
    });
    let picture = Element::new("use");
    let place = joined([turned.clone(), over.flatten()]);
    let href = format!("#{}", picture_id(tile, printed));
    if is_clipped(problem) {
        let clip = format!("url(#polygon{})", polygon.sides);
        let group = transformed(Element::new("g"), place);
        svg.open(group.with("clip-path", clip));
        svg.put(picture.with("href", href));
        svg.close("g");
    } else {
        svg.put(transformed(picture, place).with("href", href));
    }
    if face == Face::Back {
        svg.open(transformed(Element::new("g"), turned));
        badge(svg);
        svg.close("g");
    }
}

/// What a screen reader says of a tile.
fn title(problem: &Problem, laid: &Laid) -> String {
    let Placed { tile, orientation } = laid.placed;
    let definition = &problem.puzzle.tiles[tile];
    let shown = definition.edges_in(orientation);
    let edges: Vec<String> = shown
        .iter()
        .map(|&l| problem.puzzle.labels.name(l))
        .collect();
    let cell = laid.cell.as_ref();
    let cell = cell.map_or(String::new(), |cell| format!(" in {cell}"));
    let up = match definition.back {
        Some(_) => format!(", {} up", orientation.face().name()),
        None => String::new(),
    };
    let name = &definition.name;
    let rotation = orientation.rotation();
    format!(
        "Tile {name}{cell}{up}, rotation {rotation}: {}",
        edges.join(", ")
    )
}

/// What tells the back of a tile with a picture.
fn badge(svg: &mut Svg) {
    const SIZE: f64 = 8.0;
    let width = 26.0;
    let height = 12.0;
    let rect = Element::new("rect")
        .with("x", MIDDLE - width / 2.0)
        .with("y", MIDDLE - height / 2.0)
        .with("width", width)
        .with("height", height)
        .with("rx", height / 2.0);
    svg.put(rect.with("fill", BACK).with("fill-opacity", "0.85"));
    svg.text(lettering((MIDDLE, MIDDLE + SIZE * 0.36), SIZE), "back");
}
