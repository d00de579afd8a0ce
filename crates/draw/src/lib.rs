//! Drawings of puzzles and arrangements: SVG, PNG and PDF rendered from it, text, and pages to
//! print.
//!
//! Tile sides are 100 units long. A board that is not a grid is drawn as a net, with matching seams
//! numbered across the cuts, ready to print, cut and fold. Every edge is drawn as one half of a
//! figure that the edge cuts, so that two matching edges form a whole figure:
//!
//! ```text
//!   ┌──────────┬──────────┐     The figure of a `+` half sits a little to one side of the middle
//!   │        ▟▀│▀▙        │     of its edge, that of a `-` half to the other side, paler. So `+`
//!   │   1    ▜▄│▄▛   2    │     meets `-` in one figure, and anything else is visibly broken.
//!   │          │          │     The figure of a whole image sits in the middle.
//!   └──────────┴──────────┘
//! ```

mod animals;
mod common;
mod corners;
mod figure;
#[cfg(any(feature = "pdf", feature = "png"))]
mod fonts;
mod images;
mod legend;
mod lettering;
mod marks;
mod net;
mod parts;
#[cfg(feature = "pdf")]
mod pdf;
mod pictures;
#[cfg(feature = "png")]
mod png;
mod polygon;
mod sheet;
mod svg;
mod table;
mod text;
mod theme;
mod tile;
mod writing;

use std::collections::HashSet;

use edgematch::board::{CellName, CellSide};
use edgematch::enumerate::solution::check;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::{Copies, Face, Orientation};

use self::common::{Appearance, PlacedTile};
pub use self::figure::{Figure, SIGN_OFFSET};
pub use self::images::text_of_images;
use self::legend::Legend;
use self::net::Net;
pub use self::parts::{FaceSheet, FaceSquare, Layout, face_sheet, layout};
#[cfg(feature = "pdf")]
pub use self::pdf::{PdfError, pdf};
#[cfg(feature = "pictures")]
pub use self::pictures::PictureError;
pub use self::pictures::Pictures;
#[cfg(feature = "png")]
pub use self::png::{MOST_PIXELS, PngError, Renderer};
pub use self::polygon::PlacedPolygon;
use self::polygon::{Point, bounds, largest_tile, short};
pub use self::sheet::{LARGEST_SIDE, PAPERS, Paper, PrintedTile, SheetError, SheetPage, Sheets};
use self::svg::{Element, Svg};
pub use self::text::{text, text_of_tiles};
pub use self::theme::Theme;
pub use self::writing::Ink;

/// The length of a tile's side, in units of the drawing.
pub const TILE: f64 = 100.0;

/// The space around a drawing, in units.
const MARGIN: f64 = 10.0;

/// The space between tiles that are not on the board, in units.
const GAP: f64 = 14.0;

/// A grid that is more times wider than high is long.
const LONG: usize = 4;

/// The space between the two faces of a tile, in units.
const BETWEEN_FACES: f64 = 4.0;

/// Whether tiles show their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TileNames {
    /// In the middle of the tile, rotated with it.
    #[default]
    Turned,
    /// The same, but half as large.
    Small,
    /// Hidden.
    Hidden,
}

/// The tooltip of each tile, which screen readers read aloud.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Titles {
    /// Its name, orientation and edges.
    #[default]
    Shown,
    /// Hidden, which makes the file a third smaller: for an `<img>`, which shows no tooltips.
    Hidden,
}

/// The appearance of a drawing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Style<'a> {
    /// Whether tiles show their names; tiles with pictures never do.
    pub names: TileNames,
    /// The tooltips of tiles.
    pub titles: Titles,
    /// What the edges show, if the tiles have no pictures.
    pub theme: Theme,
    /// The pictures of the tiles; `None` to draw edges.
    pub pictures: Option<&'a Pictures>,
    /// The names of images that receive the first figures, in this order; other images receive the
    /// next ones in the order of the puzzle. Equal lists give an image the same figure in several
    /// drawings.
    pub images: &'a [String],
    /// True to draw a legend with the names of the images; without figures or with more than 60
    /// names there is none.
    pub has_legend: bool,
    /// True for a white background; otherwise it is transparent.
    pub is_white: bool,
}

/// A finished drawing.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    /// The SVG document.
    pub svg: String,
    /// The width in units; the side of a tile is [`TILE`] units long.
    pub width: f64,
    /// The height in units.
    pub height: f64,
}

/// Highlights in a drawing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// Seams to mark with a bar.
    pub seams: Vec<[CellSide; 2]>,
    /// Tiles to mark with a frame.
    pub tiles: Vec<usize>,
}

/// Draws every tile once, apart from each other and in rotation 0, with both faces of two-sided
/// tiles.
pub fn tiles(problem: &Problem, style: &Style<'_>) -> Drawing {
    let title = format!("The tiles of {}", problem.puzzle.name);
    marked_tiles(problem, style, &title, &Marks::default())
}

/// Draws the tiles like [`tiles`], with a frame in each tile of `marks`; its seams are ignored.
pub fn marked_tiles(problem: &Problem, style: &Style<'_>, title: &str, marks: &Marks) -> Drawing {
    let (width, height) = largest_tile(problem);
    let faces = problem.puzzle.tiles.iter().map(|tile| tile.faces().count()).max();
    let beside = width + BETWEEN_FACES;
    let column_width = beside * faces.unwrap_or(1) as f64 - BETWEEN_FACES + GAP;
    // On a grid its number of columns, unless it is long; otherwise about as wide as high.
    let grid = problem.board.squares().map(|area| (area.rows(), area.columns()));
    let columns = match grid {
        Some((rows, columns)) if columns <= LONG * rows => columns,
        _ => {
            let lines = problem.puzzle.tiles.len() as f64 * (height + GAP) / column_width;
            lines.sqrt().round().max(1.0) as usize
        }
    };
    let laid = unrotated(problem).map(|placed| {
        let is_back = placed.orientation.face() == Face::Back;
        let column = (placed.tile % columns) as f64;
        let row = (placed.tile / columns) as f64;
        let x = column * column_width + f64::from(is_back) * beside + width / 2.0;
        let y = row * (height + GAP) + height / 2.0;
        let sides = problem.puzzle.tiles[placed.tile].sides();
        PlacedTile { placed, polygon: PlacedPolygon::centred(sides, (x, y)), cell: None }
    });
    let mut sheet = Sheet::new(problem, style, laid.collect(), title);
    sheet.copies(problem);
    sheet.frames(marks);
    sheet.finish()
}

/// Every face of every tile in rotation 0; copies of a tile are not repeated.
fn unrotated(problem: &Problem) -> impl Iterator<Item = Placed> {
    problem.puzzle.tiles.iter().enumerate().flat_map(|(tile, definition)| {
        let orientations = definition.faces().map(|face| Orientation::turned(0).with_face(face));
        orientations.map(move |orientation| Placed { tile, orientation })
    })
}

/// Draws an arrangement, which need not be a solution: seams and sides that do not match are marked
/// with a cross.
///
/// # Panics
/// If the arrangement and the board differ in the number of cells.
pub fn arrangement(problem: &Problem, arrangement: &Arrangement, style: &Style<'_>) -> Drawing {
    let name = &problem.puzzle.name;
    let title = match check(problem, arrangement) {
        Ok(()) => format!("A solution of {name}"),
        Err(_) => format!("An arrangement of {name} that does not fit"),
    };
    marked(problem, arrangement, style, &title, &Marks::default())
}

/// Draws an arrangement like [`arrangement`], with a bar on each seam and a frame in each tile of
/// `marks`.
///
/// # Panics
/// If the arrangement and the board differ in the number of cells.
pub fn marked(
    problem: &Problem,
    arrangement: &Arrangement,
    style: &Style<'_>,
    title: &str,
    marks: &Marks,
) -> Drawing {
    let mut net = Net::new(&problem.board);
    let laid = on_net(problem, arrangement, &net);
    let mut sheet = Sheet::new(problem, style, laid, title);
    sheet.frames(marks);
    net.polygons = sheet.laid.iter().map(|l| l.polygon).collect();
    net.draw_marks(problem, arrangement, marks, &mut sheet.svg);
    sheet.finish()
}

/// The tiles of an arrangement at the positions of their cells in a net.
fn on_net(problem: &Problem, arrangement: &Arrangement, net: &Net) -> Vec<PlacedTile> {
    let cells = problem.board.cells().iter().zip(&net.polygons);
    let laid = cells.zip(&arrangement.0).map(|((cell, &polygon), &placed)| PlacedTile {
        placed,
        polygon,
        cell: match &cell.name {
            CellName::At(..) => None,
            CellName::Named(name) => Some(name.clone()),
        },
    });
    laid.collect()
}

/// A drawing with its tiles, before marks are drawn on top.
struct Sheet {
    svg: Svg,
    size: Point,
    laid: Vec<PlacedTile>,
}

impl Sheet {
    /// Draws the tiles and the legend. The tiles are translated so that there is a margin around
    /// them.
    fn new(problem: &Problem, style: &Style<'_>, mut laid: Vec<PlacedTile>, title: &str) -> Sheet {
        let ((left, top), (right, bottom)) = bounds(laid.iter().map(|l| &l.polygon));
        for tile in &mut laid {
            tile.polygon = tile.polygon.moved((short(MARGIN - left), short(MARGIN - top)));
        }
        let [width, below] = [right - left, bottom - top].map(|length| length + 2.0 * MARGIN);
        let legend = Legend::new(problem, style, width - 2.0 * MARGIN);
        let legend_height = legend.as_ref().map_or(0.0, |legend| legend.height() + MARGIN);
        let size = [width, below + legend_height].map(short);
        let mut svg = Svg::new(size, size, title);
        if style.is_white {
            let ground = Element::new("rect").with("width", size[0]);
            svg.put(ground.with("height", size[1]).with("fill", "#fff"));
        }
        tile::draw(&Appearance::new(problem, style), &laid, &mut svg);
        if let Some(legend) = legend {
            legend.draw((MARGIN, below), &mut svg);
        }
        Sheet { svg, size: size.into(), laid }
    }

    /// Draws frames in the marked tiles.
    fn frames(&mut self, marks: &Marks) {
        let marked: HashSet<usize> = marks.tiles.iter().copied().collect();
        for tile in self.laid.iter().filter(|laid| marked.contains(&laid.placed.tile)) {
            marks::draw_frame(&tile.polygon, &mut self.svg);
        }
    }

    /// Writes `×` and the number of copies, or `any`, on each tile that does not have exactly one.
    fn copies(&mut self, problem: &Problem) {
        for PlacedTile { placed, polygon, .. } in &self.laid {
            let copies = problem.puzzle.tiles[placed.tile].copies;
            if copies != Copies::ONE {
                let number = copies.number().map_or("any".to_owned(), |number| number.to_string());
                let corner = 0.62 * polygon.apothem();
                let text = lettering::lettering((polygon.x + corner, polygon.y + corner), 11.0)
                    .with("class", "copies")
                    .with_stroke("#fff", 3.0);
                self.svg.text(text.with("paint-order", "stroke"), &format!("×{number}"));
            }
        }
    }

    /// The finished drawing.
    fn finish(self) -> Drawing {
        Drawing { svg: self.svg.finish(), width: self.size.0, height: self.size.1 }
    }
}
