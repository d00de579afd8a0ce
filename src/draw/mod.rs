//! What a puzzle and its arrangements look like: SVG, PNG rendered from it, and a text picture.
//!
//! Tiles are squares of 100 units. Every edge is drawn as one half of a figure that is cut by the
//! edge, so that two edges that match make a whole figure:
//!
//! ```text
//!   ┌──────────┬──────────┐     The figure of a `+` half sits a little to one side of the middle
//!   │        ▟▀│▀▙        │     of its edge, that of a `-` half to the other side, paler. So `+`
//!   │   1    ▜▄│▄▛   2    │     meets `-` in one figure, and anything else is plainly broken.
//!   │          │          │     The figure of a whole image sits in the middle.
//!   └──────────┴──────────┘
//! ```

mod figure;
mod pictures;
mod png;
mod svg;
mod table;
mod text;

pub use pictures::{PictureError, Pictures};
pub use png::{MOST_PIXELS, PngError, Renderer};
pub use text::{Ink, printable, text, text_of_tiles};

use std::collections::BTreeSet;

use unicode_width::UnicodeWidthStr;

use crate::board::{Arrangement, CellName, Placed, Problem, Seam};
use crate::puzzle::{Half, Label, Orientation};
use crate::solution::{Misfit, check, misfits};
use figure::{Figure, OFFSET};
use svg::{Element, Svg};

/// The length of a tile's side, in units of the drawing.
pub const TILE: f64 = 100.0;

/// The space around a drawing, in the same units.
const MARGIN: f64 = 10.0;

/// The space between tiles that do not lie on the board.
const GAP: f64 = 14.0;

/// How wide a border band is.
const BAND: f64 = 9.0;

/// Where the names of tiles are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Names {
    /// In the middle of the tile, turned with it.
    #[default]
    Turned,
    /// In the middle of the tile, always upright.
    Upright,
    /// Nowhere.
    Hidden,
}

/// What a drawing looks like.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style<'a> {
    /// Where the names of tiles are written; tiles with pictures have none.
    pub names: Names,
    /// The tiles' own pictures.
    pub pictures: Option<&'a Pictures>,
}

/// A finished drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The SVG document.
    pub svg: String,
    /// Its width in units; a tile has [`TILE`].
    pub width: f64,
    /// Its height in units.
    pub height: f64,
}

/// Where a tile lies in a drawing.
struct Laid {
    placed: Placed,
    x: f64,
    y: f64,
}

/// What stands out in a drawing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// A bar on each of these seams.
    pub seams: Vec<Seam>,
    /// A frame in each of these tiles.
    pub tiles: Vec<usize>,
}

/// Draws the tiles as they lie in the file, apart from each other.
pub fn tiles(problem: &Problem, style: &Style<'_>) -> Drawing {
    let title = format!("The tiles of {}", problem.puzzle.name);
    marked_tiles(problem, style, &title, &Marks::default())
}

/// Draws the tiles apart from each other, some of them marked.
pub fn marked_tiles(problem: &Problem, style: &Style<'_>, title: &str, marks: &Marks) -> Drawing {
    let columns = problem.board.line_length();
    let laid: Vec<Laid> = (0..problem.puzzle.tiles.len())
        .map(|tile| Laid {
            placed: Placed {
                tile,
                orientation: Orientation::turned(0),
            },
            x: MARGIN + (tile % columns) as f64 * (TILE + GAP),
            y: MARGIN + (tile / columns) as f64 * (TILE + GAP),
        })
        .collect();
    draw(problem, style, &laid, title, (&[], marks))
}

/// Draws an arrangement, right or wrong; seams and sides that do not fit are marked.
///
/// # Panics
/// Where the arrangement has another number of cells than the board.
pub fn arrangement(problem: &Problem, arrangement: &Arrangement, style: &Style<'_>) -> Drawing {
    let name = &problem.puzzle.name;
    let title = match check(problem, arrangement) {
        Ok(()) => format!("A solution of {name}"),
        Err(_) => format!("An arrangement of {name} that does not fit"),
    };
    marked(problem, arrangement, style, &title, &Marks::default())
}

/// Draws an arrangement with some seams and tiles marked, beside those that do not fit.
///
/// # Panics
/// Where the arrangement has another number of cells than the board.
pub fn marked(
    problem: &Problem,
    arrangement: &Arrangement,
    style: &Style<'_>,
    title: &str,
    marks: &Marks,
) -> Drawing {
    let cells = problem.board.cells().iter();
    let laid: Vec<Laid> = cells
        .zip(&arrangement.0)
        .enumerate()
        .map(|(index, (cell, &placed))| {
            let (row, column) = match cell.name {
                CellName::At(row, column) => (row, column),
                CellName::Named(_) => (1, index + 1),
            };
            Laid {
                placed,
                x: MARGIN + (column - 1) as f64 * TILE,
                y: MARGIN + (row - 1) as f64 * TILE,
            }
        })
        .collect();
    let misfits = misfits(problem, arrangement);
    draw(problem, style, &laid, title, (&misfits, marks))
}

fn draw(
    problem: &Problem,
    style: &Style<'_>,
    laid: &[Laid],
    title: &str,
    (misfits, marks): (&[Misfit], &Marks),
) -> Drawing {
    let far = |place: fn(&Laid) -> f64| laid.iter().map(place).fold(0.0, f64::max);
    let width = far(|l| l.x) + TILE + MARGIN;
    let height = far(|l| l.y) + TILE + MARGIN;
    let mut svg = Svg::new(width, height, title);
    define(problem, style, laid, &mut svg);
    for tile in laid {
        draw_tile(problem, style, tile, &mut svg);
    }
    for tile in laid.iter().filter(|l| marks.tiles.contains(&l.placed.tile)) {
        frame(tile, &mut svg);
    }
    for seam in &marks.seams {
        bar(laid, seam.first, &mut svg);
    }
    for misfit in misfits {
        mark(misfit, laid, &mut svg);
    }
    Drawing {
        svg: svg.finish(),
        width,
        height,
    }
}

/// One `<defs>` for each image that is shown, behind one for what clips them; or one for each
/// picture.
fn define(problem: &Problem, style: &Style<'_>, laid: &[Laid], svg: &mut Svg) {
    let shown: BTreeSet<usize> = laid.iter().map(|l| l.placed.tile).collect();
    if let Some(pictures) = style.pictures {
        for tile in shown {
            svg.define(|svg| {
                let image = square(Element::new("image"))
                    .with("id", format!("t{tile}"))
                    .with("preserveAspectRatio", "none")
                    .with("href", pictures.of(tile));
                svg.put(image);
            });
        }
        return;
    }
    svg.define(|svg| {
        svg.open(Element::new("clipPath").with("id", "inside"));
        svg.put(square(Element::new("rect")));
        svg.close("clipPath");
    });
    let edges = |tile: &usize| problem.puzzle.tiles[*tile].edges.iter().copied();
    let labels: BTreeSet<Label> = shown.iter().flat_map(edges).collect();
    let names = &problem.puzzle.labels;
    for (number, first) in first_labels(problem).into_iter().enumerate() {
        let halves = BTreeSet::from([first, names.mate(first)]);
        let halves: Vec<Label> = halves.intersection(&labels).copied().collect();
        if halves.is_empty() {
            continue;
        }
        svg.define(|svg| {
            for &label in &halves {
                define_label(
                    problem,
                    label,
                    Figure::of_image(number, &names.edge(first).image),
                    svg,
                );
            }
        });
    }
}

/// The first label of each image, in the order of the images.
fn first_labels(problem: &Problem) -> Vec<Label> {
    let labels = &problem.puzzle.labels;
    let is_first = |&l: &Label| labels.edge(l).half != Half::Minus;
    labels.all().filter(is_first).collect()
}

/// An edge as the right side of a tile shows it.
fn define_label(problem: &Problem, label: Label, figure: Figure, svg: &mut Svg) {
    let edge = problem.puzzle.labels.edge(label);
    let group = Element::new("g").with("id", format!("e{}", label.index()));
    if problem.puzzle.border == Some(label) {
        svg.open(group);
        // As long as the side, so that the bands of neighbours make one frame.
        let band = format!("M{TILE} 0H{}V{TILE}H{TILE}Z", TILE - BAND);
        svg.put(Element::new("path").with("d", band).with("fill", "#4a4a4a"));
        svg.close("g");
        return;
    }
    let (offset, fill) = match edge.half {
        Half::Plus => (OFFSET, figure.strong()),
        Half::Minus => (-OFFSET, figure.pale()),
        Half::Whole => (0.0, figure.strong()),
    };
    svg.open(group.with("clip-path", "url(#inside)"));
    let path = Element::new("path")
        .with(
            "transform",
            format!("translate({TILE} {})", TILE / 2.0 + offset),
        )
        .with("d", figure.path())
        .with("fill", fill)
        .with("fill-rule", "evenodd")
        .with("stroke", "#222")
        .with("stroke-width", "1.6")
        .with("stroke-linejoin", "round");
    svg.put(path);
    svg.close("g");
}

fn square(element: Element) -> Element {
    element.with("width", TILE).with("height", TILE)
}

/// The turn that brings the right side to `side`, or rotation 0 to `rotation`.
fn turned(steps: usize, sides: usize) -> String {
    let degrees = steps as f64 * 360.0 / sides as f64;
    let middle = TILE / 2.0;
    format!("rotate({} {middle} {middle})", -degrees)
}

fn draw_tile(problem: &Problem, style: &Style<'_>, laid: &Laid, svg: &mut Svg) {
    let Placed { tile, orientation } = laid.placed;
    let definition = &problem.puzzle.tiles[tile];
    let sides = definition.sides();
    let place = format!("translate({} {})", laid.x, laid.y);
    svg.open(Element::new("g").with("transform", place));
    svg.title(&tile_title(problem, laid.placed));
    let turn = (orientation.rotation() > 0).then(|| turned(orientation.rotation(), sides));
    let group = |element: Element| match &turn {
        Some(turn) => element.with("transform", turn),
        None => element,
    };
    if style.pictures.is_some() {
        svg.put(group(Element::new("use")).with("href", format!("#t{tile}")));
    } else {
        svg.put(square(Element::new("rect")).with("fill", "#fdfbf5"));
        svg.open(group(Element::new("g")));
        for (side, label) in definition.edges.iter().enumerate() {
            let edge = Element::new("use").with("href", format!("#e{}", label.index()));
            svg.put(match side {
                0 => edge,
                _ => edge.with("transform", turned(side, sides)),
            });
        }
        if style.names == Names::Turned {
            draw_name(&definition.name, svg);
        }
        svg.close("g");
        if style.names == Names::Upright {
            draw_name(&definition.name, svg);
        }
    }
    let frame = square(Element::new("rect")).with("fill", "none");
    svg.put(frame.with("stroke", "#333").with("stroke-width", "1"));
    svg.close("g");
}

/// What a screen reader says of a tile.
fn tile_title(problem: &Problem, placed: Placed) -> String {
    let definition = &problem.puzzle.tiles[placed.tile];
    let shown = definition.look(placed.orientation);
    let edges: Vec<String> = shown
        .iter()
        .map(|&l| problem.puzzle.labels.name(l))
        .collect();
    let rotation = placed.orientation.rotation();
    let name = &definition.name;
    format!("Tile {name}, rotation {rotation}: {}", edges.join(", "))
}

/// The tile's name in the middle, as large as it fits between the figures; the whole name is in
/// the tile's title.
fn draw_name(name: &str, svg: &mut Svg) {
    const ROOM: f64 = 46.0;
    const LARGEST: f64 = 24.0;
    const SMALLEST: f64 = 8.0;
    const ADVANCE: f64 = 0.62;
    let fitting = |text: &str| ROOM / (ADVANCE * text.width().max(1) as f64);
    let mut shown: String = name.to_owned();
    while fitting(&shown) < SMALLEST {
        let shorter = shown.chars().count().saturating_sub(2);
        shown = shown.chars().take(shorter).collect::<String>() + "…";
    }
    let size = fitting(&shown).min(LARGEST);
    let middle = TILE / 2.0;
    let text = Element::new("text")
        .with("x", middle)
        .with("y", middle + size * 0.36)
        .with("font-family", "DejaVu Sans, sans-serif")
        .with("font-size", (size * 10.0).round() / 10.0)
        .with("text-anchor", "middle")
        .with("fill", "#222");
    svg.text(text, &shown);
    // A 6 that is turned over is a 9.
    if shown.chars().all(|c| "0689".contains(c)) && shown.contains(['6', '9']) {
        let half = ADVANCE * size * shown.len() as f64 / 2.0;
        let line = format!(
            "M{} {}H{}",
            middle - half,
            middle + size * 0.55,
            middle + half
        );
        svg.put(
            Element::new("path")
                .with("d", line)
                .with("stroke", "#222")
                .with("stroke-width", "1.5"),
        );
    }
}

/// The colour of what is marked.
const MARK: &str = "#e07000";

/// A frame in a tile that is marked.
fn frame(laid: &Laid, svg: &mut Svg) {
    const INSET: f64 = 5.0;
    let side = TILE - 2.0 * INSET;
    let rect = Element::new("rect")
        .with("class", "marked")
        .with("x", laid.x + INSET)
        .with("y", laid.y + INSET)
        .with("width", side)
        .with("height", side);
    let rect = rect.with("fill", "none").with("stroke", MARK);
    svg.put(rect.with("stroke-width", "4"));
}

/// A bar on a seam that is marked.
fn bar(laid: &[Laid], (cell, side): (usize, usize), svg: &mut Svg) {
    const END: f64 = 8.0;
    let Laid { x, y, .. } = laid[cell];
    let line = match side {
        0 | 2 => {
            let x = if side == 0 { x + TILE } else { x };
            format!("M{x} {}V{}", y + END, y + TILE - END)
        }
        _ => {
            let y = if side == 1 { y } else { y + TILE };
            format!("M{} {y}H{}", x + END, x + TILE - END)
        }
    };
    let path = Element::new("path").with("class", "marked").with("d", line);
    let path = path.with("stroke", MARK).with("stroke-width", "7");
    svg.put(path.with("stroke-linecap", "round"));
}

/// A cross on a seam or side that does not fit, or on a tile that may not lie so.
fn mark(misfit: &Misfit, laid: &[Laid], svg: &mut Svg) {
    let middle = |cell: usize| (laid[cell].x + TILE / 2.0, laid[cell].y + TILE / 2.0);
    let on_side = |(cell, side): (usize, usize)| {
        let (x, y) = middle(cell);
        let half = TILE / 2.0;
        match side {
            0 => (x + half, y),
            1 => (x, y - half),
            2 => (x - half, y),
            _ => (x, y + half),
        }
    };
    match *misfit {
        Misfit::Size { .. } | Misfit::Constraint { .. } | Misfit::ManyBroken { .. } => {}
        Misfit::NoSuchTile { cell } | Misfit::Turned { cell } => cross(middle(cell), svg),
        Misfit::Twice { cells, .. } => {
            cross(middle(cells.0), svg);
            cross(middle(cells.1), svg);
        }
        Misfit::Seam { first, .. } => cross(on_side(first.0), svg),
        Misfit::BorderInside { side } => cross(on_side(side), svg),
        Misfit::Rim { side } => cross(on_side(side.0), svg),
    }
}

fn cross((x, y): (f64, f64), svg: &mut Svg) {
    let group = Element::new("g").with("transform", format!("translate({x} {y})"));
    svg.open(group.with("class", "misfit"));
    svg.title("does not fit");
    let circle = Element::new("circle").with("r", 11).with("fill", "#fff");
    svg.put(circle.with("stroke", "#000").with("stroke-width", "2"));
    let arms = Element::new("path").with("d", "M-6 -6L6 6M6 -6L-6 6");
    svg.put(
        arms.with("stroke", "#d00000")
            .with("stroke-width", "4")
            .with("stroke-linecap", "round"),
    );
    svg.close("g");
}
