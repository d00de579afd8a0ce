//! Pages to print: tiles to cut out, the net of the board, and a solution.
//!
//! ```text
//!   ┌───────────────────────────┐   A page is drawn in the units of a drawing, so tiles
//!   │ name, what the page has   │   look the same everywhere; its size is in millimetres.
//!   │    ╷     ╷   ╷     ╷      │   Marks show the cutting lines: they extend the sides
//!   │   ╶┌─────┐╴ ╶┌─────┐╴     │   of a tile beyond its corners.
//!   │    │  3  │   │  1  │      │
//!   │   ╶└─────┘╴ ╶└─────┘╴     │
//!   │    ╵     ╵   ╵     ╵      │
//!   │ ├─ 50 mm ─┤               │
//!   └───────────────────────────┘
//! ```

use edgematch::board::CellName;
use edgematch::problem::{Arrangement, Placed, Problem};
use edgematch::puzzle::{Face, Orientation};
use edgematch::runtime::random::Random;
use thiserror::Error;

use super::common::{Appearance, PlacedTile, scale};
use super::lettering::{BASELINE, lettering};
use super::marks::line;
use super::net::Net;
use super::polygon::{PlacedPolygon, Point, bounds, largest_tile, short};
use super::svg::{Element, Svg};
use super::{Marks, Style, TILE, on_net, tile};

/// A paper size in portrait format, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paper {
    /// The name on the command line.
    pub name: &'static str,
    /// The shorter side.
    pub width: f64,
    /// The longer side.
    pub height: f64,
}

/// The supported paper sizes, the default first.
pub const PAPERS: [Paper; 2] = [
    Paper { name: "a4", width: 210.0, height: 297.0 },
    Paper { name: "letter", width: 215.9, height: 279.4 },
];

/// The largest side of a tile that error messages suggest, in millimetres.
pub const LARGEST_SIDE: f64 = 1000.0;

/// The margin on each side of the paper, which printers leave blank, in millimetres.
const MARGIN: f64 = 12.0;

/// The height of the line of text above, and of the ruler below, in millimetres.
const WORDS: f64 = 9.0;

/// The gap between tiles, in millimetres.
const GAP: f64 = 7.0;

/// The distance from a corner to the start of a cut mark, in millimetres.
const MARK_START: f64 = 0.8;

/// The length of a cut mark, in millimetres.
const MARK_LENGTH: f64 = 2.2;

/// The length of the ruler for checking the print scale, in millimetres.
const RULER: f64 = 50.0;

/// The font size, in millimetres.
const LETTERS: f64 = 3.2;

/// The settings for printing.
#[derive(Debug, Clone, Copy)]
pub struct Sheets<'a> {
    /// The paper size.
    pub paper: Paper,
    /// The side of a tile in millimetres.
    pub side: f64,
    /// The random seed for the order and rotations of the tiles.
    pub seed: u64,
    /// The appearance of tiles.
    pub style: Style<'a>,
}

/// A page to print.
#[derive(Debug, Clone, PartialEq)]
pub struct SheetPage {
    /// The SVG document; its width and height are in millimetres.
    pub svg: String,
    /// The width in millimetres.
    pub width: f64,
    /// The height in millimetres.
    pub height: f64,
    /// The tiles to cut out; empty on pages with the board or a solution.
    pub tiles: Vec<PrintedTile>,
}

/// A tile on a page.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedTile {
    /// The tile and its orientation.
    pub placed: Placed,
    /// The corners, counter-clockwise as seen on the page, in millimetres from the left and top
    /// edges of the paper.
    pub corners: Vec<(f64, f64)>,
}

/// The reason why no sheets can be made: a tile is larger than the paper.
#[derive(Debug, Clone, PartialEq, Error)]
#[error(
    "tiles with sides of {side} mm do not fit on {paper} paper; the largest that fit have {most} mm"
)]
pub struct SheetError {
    /// The requested side, in millimetres.
    side: f64,
    /// The paper.
    paper: &'static str,
    /// The largest side that fits, in whole millimetres.
    most: f64,
}

impl Sheets<'_> {
    /// The pages to cut out: the tiles, with their copies, shuffled and rotated. If there are
    /// two-sided tiles, each page of fronts is followed by a page of backs. If the net of the board
    /// has cut seams, it is the last page.
    ///
    /// # Errors
    /// If tiles are larger than the paper.
    pub fn pages(&self, problem: &Problem) -> Result<Vec<SheetPage>, SheetError> {
        let mut pages = self.tiles(problem)?;
        let net = Net::new(&problem.board);
        if net.is_cut() {
            pages.push(self.net(problem, &net));
        }
        Ok(pages)
    }

    /// The number of drawing units per millimetre.
    fn units(&self) -> f64 {
        TILE / self.side
    }

    /// The width and height that the tiles can use on paper of this size in millimetres; in units.
    fn room(&self, (width, height): (f64, f64)) -> Point {
        let printable = [width - 2.0 * MARGIN, height - 2.0 * (MARGIN + WORDS)];
        printable.map(|length| length * self.units()).into()
    }

    /// The middle of paper of this size in millimetres; in units.
    fn middle(&self, (width, height): (f64, f64)) -> Point {
        [width, height].map(|length| length / 2.0 * self.units()).into()
    }

    /// The positions of tiles on a page; an error if not even one tile fits. The error names the
    /// largest side in whole millimetres with which one would.
    fn lattice(&self, problem: &Problem) -> Result<Lattice, SheetError> {
        let lattice = Lattice::new(self, problem);
        if lattice.room() > 0 {
            return Ok(lattice);
        }
        let mut sides = (1..=LARGEST_SIDE as u32).rev().map(f64::from);
        let fits = |&side: &f64| Lattice::new(&Sheets { side, ..*self }, problem).room() > 0;
        Err(SheetError {
            side: self.side,
            paper: self.paper.name,
            most: sides.find(fits).unwrap_or(0.0),
        })
    }

    /// The pages of fronts, each followed by one of backs if any tile is two-sided. The order and
    /// the rotations depend on the seed. Fails if not even one tile fits on the paper.
    fn tiles(&self, problem: &Problem) -> Result<Vec<SheetPage>, SheetError> {
        let tiles = &problem.puzzle.tiles;
        let lattice = self.lattice(problem)?;
        let mut random = Random::with_seed(self.seed);
        let mut order: Vec<usize> = problem.pieces().collect();
        random.shuffle(&mut order);
        let mut turned = |tile: usize| {
            let orientations: Vec<Orientation> = problem.puzzle.orientations(tile).collect();
            Placed { tile, orientation: orientations[random.usize(..orientations.len())] }
        };
        let shuffled: Vec<Placed> = order.into_iter().map(&mut turned).collect();
        let chunks = shuffled.chunks(lattice.room());
        let number = chunks.len();
        let has_backs = tiles.iter().any(|tile| tile.back.is_some());
        let look = Appearance::new(problem, &self.style);
        let mut pages = Vec::new();
        for (index, placed) in chunks.enumerate() {
            let page = match number {
                1 => String::new(),
                _ => format!(", page {} of {number}", index + 1),
            };
            let name = &problem.puzzle.name;
            let side = self.side;
            let fronts = lattice.place_tiles(placed, problem, false);
            let words = format!("{name}: tiles of {side} mm{page}");
            pages.push(self.cut_out(&look, &lattice, fronts, &words));
            if has_backs {
                let backs = lattice.place_tiles(placed, problem, true);
                let words =
                    format!("{name}: backs{page}; print on both sides, turned like a book's page");
                pages.push(self.cut_out(&look, &lattice, backs, &words));
            }
        }
        Ok(pages)
    }

    /// A page of tiles with cut marks.
    fn cut_out(
        &self,
        look: &Appearance<'_>,
        lattice: &Lattice,
        laid: Vec<PlacedTile>,
        words: &str,
    ) -> SheetPage {
        let mut svg = self.page(lattice.paper, words);
        let units = self.units();
        tile::draw(look, &laid, &mut svg);
        for tile in &laid {
            cut_marks(&tile.polygon, units, &mut svg);
        }
        let printed = laid.iter().map(|tile| {
            let corners = tile.polygon.corners().into_iter();
            PrintedTile {
                placed: tile.placed,
                corners: corners.map(|(x, y)| (x / units, y / units)).collect(),
            }
        });
        SheetPage { tiles: printed.collect(), ..finished(lattice.paper, svg) }
    }

    /// An SVG document for a page, with text above and a ruler below.
    fn page(&self, paper: (f64, f64), words: &str) -> Svg {
        let units = self.units();
        let (width, height) = paper;
        let size = [width, height].map(|length| format!("{length}mm"));
        let mut svg = Svg::new([width, height].map(|length| short(length * units)), size, words);
        let write = |svg: &mut Svg, (x, y): Point, text: &str| {
            let place = lettering((x * units, y * units), LETTERS * units);
            svg.text(place.with("style", "text-anchor: start"), text);
        };
        write(&mut svg, (MARGIN, MARGIN + LETTERS), words);
        let end = MARGIN + RULER;
        let line = height - MARGIN;
        let [x, to, y, up] = [MARGIN, end, line, line - 1.5].map(|length| short(length * units));
        let ruler = Element::new("path")
            .with("class", "ruler")
            .with("d", format!("M{x} {up}V{y}H{to}V{up}"));
        svg.put(thin(ruler, units));
        write(&mut svg, (end + 2.0, line), &format!("{RULER} mm, if printed at its true size"));
        svg
    }

    /// A page with a drawing of these polygons, reduced if it would not fit, in portrait or
    /// landscape format, whichever allows a larger scale. A reduction is mentioned between the two
    /// parts of the caption.
    fn fitted(
        &self,
        polygons: &[PlacedPolygon],
        [before, after]: [&str; 2],
        draw: impl FnOnce(&mut Svg),
    ) -> SheetPage {
        let ((left, top), (right, bottom)) = bounds(polygons);
        let Paper { width, height, .. } = self.paper;
        let scaled = |paper: (f64, f64)| {
            let (width, height) = self.room(paper);
            (f64::min(1.0, f64::min(width / (right - left), height / (bottom - top))), paper)
        };
        let [upright, lying] = [(width, height), (height, width)].map(scaled);
        let (scale, paper) = if lying.0 > upright.0 { lying } else { upright };
        let reduced = format!(", at {:.0} % of its size", 100.0 * scale);
        let smaller = if scale < 1.0 { reduced.as_str() } else { "" };
        let mut svg = self.page(paper, &format!("{before}{smaller}{after}"));
        let middle = self.middle(paper);
        let x = short(middle.0 - (left + right) / 2.0 * scale);
        let y = short(middle.1 - (top + bottom) / 2.0 * scale);
        let place = format!("translate({x} {y}) scale({scale:.6})");
        svg.open(Element::new("g").with("transform", place));
        draw(&mut svg);
        svg.close("g");
        finished(paper, svg)
    }

    /// A page with the empty net.
    fn net(&self, problem: &Problem, net: &Net) -> SheetPage {
        let name = format!("{}: the board", problem.puzzle.name);
        let after = "; cut along the lines, fold along the dashes, equal numbers meet";
        self.fitted(&net.polygons, [&name, after], |svg| {
            net.draw_lines(svg);
            net.draw_numbers(scale(problem), svg);
            for (cell, polygon) in problem.board.cells().iter().zip(&net.polygons) {
                if let CellName::Named(name) = &cell.name {
                    const SIZE: f64 = 12.0;
                    let below = polygon.y + SIZE * BASELINE;
                    svg.text(lettering((polygon.x, below), SIZE), name);
                }
            }
        })
    }

    /// A page with a solution and a caption, after the name of the puzzle. It is reduced if it
    /// would not fit.
    pub fn solution_page(
        &self,
        problem: &Problem,
        arrangement: &Arrangement,
        words: &str,
    ) -> SheetPage {
        let net = Net::new(&problem.board);
        let words = format!("{}: {words}", problem.puzzle.name);
        self.fitted(&net.polygons, [&words, ""], |svg| {
            let laid = on_net(problem, arrangement, &net);
            tile::draw(&Appearance::new(problem, &self.style), &laid, svg);
            net.draw_marks(problem, arrangement, &Marks::default(), svg);
        })
    }
}

/// The page of a finished document, without tiles to cut out.
fn finished((width, height): (f64, f64), svg: Svg) -> SheetPage {
    SheetPage { svg: svg.finish(), width, height, tiles: Vec::new() }
}

/// Sets the stroke of cut marks and the ruler, 0.2 mm wide.
fn thin(element: Element, units: f64) -> Element {
    const WIDTH: f64 = 0.2;
    element.with("fill", "none").with_stroke("#111", short(WIDTH * units))
}

/// Draws marks that extend the sides of a polygon beyond its corners.
fn cut_marks(polygon: &PlacedPolygon, units: f64, svg: &mut Svg) {
    let from = MARK_START * units;
    let length = MARK_LENGTH * units;
    let mut lines = String::new();
    for side in 0..polygon.sides {
        for direction in [-1.0, 1.0] {
            let at = |beyond: f64| polygon.at_side(side, direction * (TILE / 2.0 + beyond), 0.0);
            lines += &line(at(from), at(from + length));
        }
    }
    svg.put(thin(Element::new("path").with("class", "cut").with("d", lines), units));
}

/// The positions of tiles on a page, in rows and columns around the middle.
struct Lattice {
    /// The width and height of the paper, in millimetres.
    paper: (f64, f64),
    columns: usize,
    rows: usize,
    /// The distance from one tile to the next, in units.
    step: Point,
    /// The middle of the page, in units.
    middle: Point,
}

impl Lattice {
    /// Chooses portrait or landscape format, whichever has room for more tiles.
    fn new(sheets: &Sheets<'_>, problem: &Problem) -> Lattice {
        let largest = largest_tile(problem);
        let Paper { width, height, .. } = sheets.paper;
        let [upright, lying] = [(width, height), (height, width)]
            .map(|paper| Lattice::fit_to_paper(sheets, paper, largest));
        if lying.room() > upright.room() { lying } else { upright }
    }

    /// The rows and columns on paper of this size, for tiles of this size in units; 0 if none fits.
    fn fit_to_paper(sheets: &Sheets<'_>, paper: (f64, f64), (width, height): Point) -> Lattice {
        let gap = GAP * sheets.units();
        let step = (width + gap, height + gap);
        let (room_across, room_down) = sheets.room(paper);
        // There is no gap after the last tile.
        let number = |room: f64, step: f64| ((room + gap) / step).max(0.0) as usize;
        Lattice {
            paper,
            columns: number(room_across, step.0),
            rows: number(room_down, step.1),
            step,
            middle: sheets.middle(paper),
        }
    }

    /// The number of tiles on a page.
    fn room(&self) -> usize {
        self.columns * self.rows
    }

    /// Places fronts from left to right, or their backs from right to left, so that both coincide
    /// after turning the paper over.
    fn place_tiles(
        &self,
        placed: &[Placed],
        problem: &Problem,
        is_turned_over: bool,
    ) -> Vec<PlacedTile> {
        let from_middle = |at: usize, of: usize| at as f64 - (of - 1) as f64 / 2.0;
        let tile = |(index, &placed): (usize, &Placed)| {
            let sides = problem.puzzle.tiles[placed.tile].sides();
            let centred = PlacedPolygon::centred(sides, (0.0, 0.0));
            let x = from_middle(index % self.columns, self.columns) * self.step.0 + centred.x;
            let y = from_middle(index / self.columns, self.rows) * self.step.1 + centred.y;
            let front = PlacedPolygon { x: self.middle.0 + x, y: self.middle.1 + y, ..centred };
            if !is_turned_over {
                return PlacedTile { placed, polygon: front, cell: None };
            }
            let over = Orientation::turned(0).with_face(Face::Back);
            let orientation = placed.orientation.then(over, sides);
            // If the number of sides is odd, half a step makes the mirrored polygon match the
            // front.
            let turn = if sides % 2 == 1 { centred.step() / 2.0 } else { 0.0 };
            let polygon = PlacedPolygon { x: self.middle.0 - x, turn, ..front };
            PlacedTile { placed: Placed { orientation, ..placed }, polygon, cell: None }
        };
        let has_back = |placed: &Placed| problem.puzzle.tiles[placed.tile].back.is_some();
        let all = placed.iter().enumerate();
        all.filter(|(_, placed)| !is_turned_over || has_back(placed)).map(tile).collect()
    }
}
