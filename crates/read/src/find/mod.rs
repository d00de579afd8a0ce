//! Finds the cards in a photograph: separate cards on a ground, or a board of cards that touch.

mod grid;
mod ground;
mod outline;

use edgematch::runtime::limits::CancelToken;
use image::{GrayImage, Luma, RgbImage, imageops};
use imageproc::contours::{BorderType, find_contours};
use imageproc::point::Point;

pub(crate) use self::grid::Layout;
use self::ground::Planes;
pub(crate) use self::ground::log_colours;
use crate::quad::{Point as Corner, Quad};
use crate::{GridSize, ReadError, Result, poll, sorted};

/// The longer side to which photographs are scaled for finding cards, in pixels.
const LARGEST: u32 = 1000;

/// The maximum factor by which small photographs are enlarged.
const ENLARGED: f32 = 3.0;

/// Regions smaller than this fraction of the largest one are ignored.
const CRUMB: f32 = 0.2;

/// Of the remaining regions, those smaller than this fraction of the median are ignored.
const SMALL: f32 = 0.4;

/// The minimum area of the largest region, as a fraction of the photograph.
const LEAST: f32 = 0.002;

/// Points this close to the border of the photograph count as cut off, in pixels of the scaled
/// photograph.
const BORDER: i32 = 6;

/// The minimum similarity of separate cards to equal squares.
const ALIKE: f32 = 0.5;

/// The minimum fraction of their bounding rectangle that cards cover. If it is smaller, the regions
/// are parts of the pictures on the cards.
const DENSE: f32 = 0.25;

/// The minimum fraction of its quadrilateral that the region of a board fills.
const FILLED: f32 = 0.88;

/// A connected region that is not ground.
struct Region {
    /// The quadrilateral that fits its border best.
    quad: Quad,
    /// The fraction of the quadrilateral that the region fills.
    fill: f32,
    /// True if the border of the photograph cuts it off.
    is_cut: bool,
}

/// Returns the layouts, or [`ReadError::NoCards`] if there are none.
fn non_empty(layouts: Vec<Layout>, name: &str) -> Result<Vec<Layout>> {
    if layouts.is_empty() {
        return Err(ReadError::NoCards { photo: name.to_owned() });
    }
    Ok(layouts)
}

/// Finds the cards of a photograph, whose `name` is for messages. Returns one layout if the cards
/// are separate or the size is given, otherwise candidates, the most likely first; never none.
///
/// # Errors
/// If there are no cards, their number is not that of `size`, they do not form a rectangle, one is
/// cut off, or the token stops the run.
pub(crate) fn cards(
    name: &str,
    photo: &RgbImage,
    size: Option<GridSize>,
    token: &CancelToken<'_>,
) -> Result<Vec<Layout>> {
    let scale = (LARGEST as f32 / photo.width().max(photo.height()) as f32).min(ENLARGED);
    let length = |l: u32| ((l as f32 * scale).round() as u32).max(1);
    let (width, height) = (length(photo.width()), length(photo.height()));
    let small = imageops::resize(photo, width, height, imageops::FilterType::Triangle);
    let search = CardSearch { name, planes: Planes::new(&small), size, token };
    let mut layouts = search.layouts(&small)?;
    let back = photo.width() as f32 / small.width() as f32;
    for quad in layouts.iter_mut().flat_map(|layout| &mut layout.quads) {
        *quad = quad.scaled(back);
    }
    Ok(layouts)
}

/// The tolerances for the ground that are tried; see [`ground::ground`].
const TOLERANCES: [f32; 4] = [1.0, 1.6, 2.5, 4.0];

/// Tolerances that are tried if those find nothing, because cards may have thin outlines.
const STRICT: [f32; 2] = [0.7, 0.5];

/// The result with one tolerance.
enum AttemptResult {
    /// Separate cards, row by row, and their similarity to equal squares, at most 1.
    Loose(GridSize, Vec<Quad>, f32),
    /// One region with all cards, and its similarity to a quadrilateral, at most 1.
    Board(Quad, f32),
    /// Neither; the error says why.
    Wrong(ReadError),
}

/// A search for the cards of a photograph that was scaled.
struct CardSearch<'a> {
    /// The name of the photograph, for messages.
    name: &'a str,
    planes: Planes,
    /// The size that the user requires.
    size: Option<GridSize>,
    token: &'a CancelToken<'a>,
}

/// The best results over several tolerances.
#[derive(Default)]
struct BestAttempts {
    /// A board and its similarity to a quadrilateral.
    board: Option<(Quad, f32)>,
    /// Separate cards, with a score for size and squareness.
    loose: Option<(GridSize, Vec<Quad>, f32)>,
    /// The error of the first tolerance that found neither.
    wrong: Option<ReadError>,
}

impl BestAttempts {
    /// Returns true if neither a board nor cards were found.
    fn is_none(&self) -> bool {
        self.board.is_none() && self.loose.is_none()
    }

    /// Keeps a result if it is better than the one of its sort so far.
    fn take(&mut self, found: AttemptResult) {
        match found {
            AttemptResult::Loose(size, quads, likeness) => {
                let area: f32 = quads.iter().map(Quad::area).sum();
                let likeness = likeness * area.sqrt();
                if self.loose.as_ref().is_none_or(|best| likeness > best.2 * 1.02) {
                    self.loose = Some((size, quads, likeness));
                }
            }
            AttemptResult::Board(quad, likeness) => {
                if self.board.is_none_or(|best| likeness > best.1 + 0.02) {
                    self.board = Some((quad, likeness));
                }
            }
            AttemptResult::Wrong(error) => drop(self.wrong.get_or_insert(error)),
        }
    }
}

impl CardSearch<'_> {
    /// Finds the cards of the picture, with the errors of [`cards`]. If neither cards nor a board
    /// are separated from a ground, the whole photograph is taken as the board.
    fn layouts(&self, photo: &RgbImage) -> Result<Vec<Layout>> {
        let mut best = self.merge_attempts(&TOLERANCES)?;
        if best.is_none() {
            let strict = self.merge_attempts(&STRICT)?;
            best = if strict.is_none() { best } else { strict };
        }
        if let Some((size, quads, _)) = best.loose {
            return Ok(vec![Layout { size, quads, score: 0.0 }]);
        }
        let board = match (best.board, best.wrong) {
            (Some((board, _)), _) => board,
            (None, Some(error)) => return Err(error),
            // Without a recognisable ground, the photograph is the board.
            (None, None) => Quad::whole_picture(photo.width(), photo.height()),
        };
        non_empty(grid::layouts(photo, &board, self.size), self.name)
    }

    /// Tries each tolerance and keeps the best results and the first error.
    ///
    /// # Errors
    /// If the token stops the run.
    fn merge_attempts(&self, tolerances: &[f32]) -> Result<BestAttempts> {
        let mut best = BestAttempts::default();
        for &tolerance in tolerances {
            poll(self.token)?;
            if let Some(ground) = ground::ground(&self.planes, tolerance) {
                best.take(self.classify_regions(&ground)?);
            }
        }
        Ok(best)
    }

    /// Decides whether the regions outside the ground are a board (a single region that fills its
    /// outline), separate cards, or neither: [`AttemptResult::Wrong`] with the error to report if
    /// no other attempt succeeds.
    ///
    /// # Errors
    /// If the token stops the run.
    fn classify_regions(&self, ground: &GrayImage) -> Result<AttemptResult> {
        let planes = &self.planes;
        let all = regions(ground);
        let regions = large(&all, (planes.width * planes.height) as f32);
        let photo = self.name.to_owned();
        match regions[..] {
            [only] if !only.is_cut && only.fill >= FILLED => {
                let coarse = outline::sharpened(&only.quad, planes, only.quad.side() * 0.06 + 1.0);
                let fine = outline::sharpened(&coarse, planes, coarse.side() * 0.01 + 1.0);
                Ok(AttemptResult::Board(fine, only.fill))
            }
            [] | [_] => Ok(AttemptResult::Wrong(ReadError::NoCards { photo })),
            _ if regions.iter().any(|region| region.is_cut) => {
                Ok(AttemptResult::Wrong(ReadError::Cut { photo }))
            }
            _ => self.loose(&regions),
        }
    }

    /// Interprets regions as separate cards; if the number or the shape is wrong, the result is
    /// [`AttemptResult::Wrong`]. Without a size, the cards must form equal rows, or their number be
    /// a square.
    ///
    /// # Errors
    /// If the token stops the run.
    fn loose(&self, regions: &[&Region]) -> Result<AttemptResult> {
        let photo = self.name.to_owned();
        let unit = card_side(regions);
        let cards = regions.iter().flat_map(|region| split_region(&region.quad, unit));
        let sharpened = cards.map(|quad| {
            poll(self.token)?;
            Ok(outline::sharpened(&quad, &self.planes, quad.side() * 0.07 + 1.0))
        });
        let quads: Vec<Quad> = sharpened.collect::<Result<_, _>>()?;
        let found = quads.len();
        let likeness = likeness(&quads, regions);
        let (rows, quads) = in_rows(quads);
        let even = GridSize { rows: rows.len(), columns: rows[0] };
        let even = Some(even).filter(|_| rows.windows(2).all(|pair| pair[0] == pair[1]));
        let size = match (self.size, even.or_else(|| GridSize::square(found))) {
            (Some(size), _) if size.cards() == found => size,
            (Some(expected), _) => {
                return Ok(AttemptResult::Wrong(ReadError::Number { photo, found, expected }));
            }
            (None, Some(size)) => size,
            (None, None) => return Ok(AttemptResult::Wrong(ReadError::Uneven { photo, found })),
        };
        if likeness < ALIKE || density(&quads) < DENSE {
            return Ok(AttemptResult::Wrong(ReadError::NoCards { photo }));
        }
        Ok(AttemptResult::Loose(size, quads, likeness))
    }
}

/// The regions large enough to be cards, the largest first. Empty if even the largest has less than
/// [`LEAST`] of the area `whole` of the photograph.
fn large(regions: &[Region], whole: f32) -> Vec<&Region> {
    let largest = regions.iter().map(|r| r.quad.area()).fold(0.0, f32::max);
    if largest < whole * LEAST {
        return Vec::new();
    }
    let large = regions.iter().filter(|r| r.quad.area() > largest * CRUMB);
    let mut large: Vec<&Region> = large.collect();
    large.sort_by(|a, b| b.quad.area().total_cmp(&a.quad.area()));
    let usual = large[large.len() / 2].quad.area();
    large.retain(|region| region.quad.area() > usual * SMALL);
    large
}

/// The estimated side of a card in pixels: the median of the shorter sides of the regions.
fn card_side(regions: &[&Region]) -> f32 {
    let shorter = |region: &&Region| {
        let (width, height) = region.quad.size();
        width.min(height)
    };
    sorted(regions.iter().map(shorter))[regions.len() / 2]
}

/// Splits a region into cards with sides of about `unit` pixels. There are several if the ground
/// between them was not visible.
fn split_region(quad: &Quad, unit: f32) -> Vec<Quad> {
    let (width, height) = quad.size();
    // A region of two cards and the gap between them must not count as three.
    let number = |length: f32| ((length / unit / 1.1).round() as usize).max(1);
    let ranges = |length: f32| -> Vec<(f32, f32)> {
        let number = number(length);
        let card = if number == 1 { 1.0 } else { (unit / length).min(1.0 / number as f32) };
        let step = if number == 1 { 0.0 } else { (1.0 - card) / (number - 1) as f32 };
        (0..number).map(|at| (at as f32 * step, at as f32 * step + card)).collect()
    };
    quad.parts(&ranges(height), &ranges(width)).unwrap_or_default()
}

/// The fraction of their bounding rectangle that the cards cover.
fn density(quads: &[Quad]) -> f32 {
    let corners = || quads.iter().flat_map(|quad| quad.0);
    let least = |by: fn(Corner) -> f32| corners().map(by).fold(f32::MAX, f32::min);
    let most = |by: fn(Corner) -> f32| corners().map(by).fold(f32::MIN, f32::max);
    let around = (most(|p| p.0) - least(|p| p.0)) * (most(|p| p.1) - least(|p| p.1));
    quads.iter().map(Quad::area).sum::<f32>() / around
}

/// The similarity of cards to equal squares, at most 1: the ratio of the shortest to the longest
/// side, times the smallest fraction that a region fills.
fn likeness(quads: &[Quad], regions: &[&Region]) -> f32 {
    let sides = || quads.iter().flat_map(Quad::lengths);
    let equal = sides().fold(f32::MAX, f32::min) / sides().fold(0.0, f32::max);
    let filled = regions.iter().map(|region| region.fill).fold(1.0, f32::min);
    equal * filled
}

/// The connected regions that are not ground, each with its quadrilateral.
fn regions(ground: &GrayImage) -> Vec<Region> {
    // A frame is added, because contours are traced only inside the picture.
    let framed = GrayImage::from_fn(ground.width() + 2, ground.height() + 2, |x, y| {
        let is_inside = x > 0 && y > 0 && x <= ground.width() && y <= ground.height();
        Luma([if is_inside { 255 - ground.get_pixel(x - 1, y - 1)[0] } else { 0 }])
    });
    let (last_x, last_y) = (ground.width() as i32, ground.height() as i32);
    let mut regions = Vec::new();
    for contour in find_contours::<i32>(&framed) {
        if contour.border_type != BorderType::Outer {
            continue;
        }
        let Some((quad, fill)) = outline::fit_quad(&contour.points) else {
            continue;
        };
        let is_near = |p: &&Point<i32>| {
            p.x.min(p.y) <= BORDER || p.x > last_x - BORDER || p.y > last_y - BORDER
        };
        let cut = contour.points.iter().filter(is_near).count() as f32;
        regions.push(Region {
            quad: Quad(quad.0.map(|(x, y)| (x - 1.0, y - 1.0))),
            fill,
            is_cut: cut > quad.side() * 0.2,
        });
    }
    regions
}

/// Sorts cards into rows from the top, each from the left, and returns the lengths of the rows.
fn in_rows(mut quads: Vec<Quad>) -> (Vec<usize>, Vec<Quad>) {
    quads.sort_by(|a, b| a.middle().1.total_cmp(&b.middle().1));
    let mut rows: Vec<Vec<Quad>> = Vec::new();
    for quad in quads {
        let fits = |row: &Vec<Quad>| {
            let mean = row.iter().map(|q| q.middle().1).sum::<f32>() / row.len() as f32;
            quad.middle().1 - mean < quad.side() * 0.5
        };
        match rows.last_mut() {
            Some(row) if fits(row) => row.push(quad),
            _ => rows.push(vec![quad]),
        }
    }
    for row in &mut rows {
        row.sort_by(|a, b| a.middle().0.total_cmp(&b.middle().0));
    }
    (rows.iter().map(Vec::len).collect(), rows.into_iter().flatten().collect())
}

/// Finds the cards inside a board with known corners. Returns one layout if the size is given,
/// otherwise candidates, the most likely first.
///
/// # Errors
/// If there are no candidates.
pub(crate) fn inside(
    name: &str,
    photo: &RgbImage,
    board: &Quad,
    size: Option<GridSize>,
) -> Result<Vec<Layout>> {
    non_empty(grid::layouts(photo, board, size), name)
}
