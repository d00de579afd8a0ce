//! Finds the cards in a photograph: separate cards on a ground, or a board of cards that touch.

mod board;
mod edges;
mod family;
mod grid;
mod mask;
mod regions;

use edgematch::runtime::limits::CancelToken;
use image::{RgbImage, imageops};

use self::edges::{Edges, Support};
use self::family::{Candidate, FAINT, Family, PREDICTED, by_number, candidates, families};
use crate::quad::Quad;
use crate::{GridSize, ReadError, Result, SMALLEST, poll};

/// The longer side to which photographs are scaled for finding cards, in pixels.
const LARGEST: u32 = 480;

/// The maximum length of the longer side when the sides of cards are located exactly.
const FINE: u32 = 1_800;

/// The maximum movement of the ends of a side when it is located exactly, relative to the side.
const REACH: f32 = 0.018;

/// The maximum factor by which the score of a family grows when it is completed.
const COMPLETED: f32 = 2.5;

/// The number of families of different sizes that are compared.
const FAMILIES: usize = 4;

/// The minimum confidence in separate cards.
const CONFIDENT: f32 = 0.37;

/// The minimum confidence in separate cards with a good score, if their number is given.
const CONFIDENT_EXPECTED: f32 = 0.25;

/// The minimum score of a family of cards.
const LEAST_SCORE: f32 = 0.04;

/// A good score: only if it is reached, a wrong number is reported or corrected.
const GOOD_SCORE: f32 = 0.2;

/// The minimum number of cards if their number is not given.
const FEWEST: usize = 4;

/// A card whose corner is farther outside the photograph than this, relative to its side, is cut
/// off.
const CUT: f32 = 0.1;

/// A candidate layout of cards.
pub(crate) struct Layout {
    pub size: GridSize,
    /// The cards, row by row from the top, each row from the left.
    pub quads: Vec<Quad>,
    /// The evidence for the layout; comparable only between layouts of the same photograph.
    pub score: f32,
    /// True if neither lines between the cards nor the user say that this is a board.
    pub is_guess: bool,
}

/// Finds the cards of a photograph, whose `name` is for messages. Returns candidates, the most
/// likely first, if they are a board without visible lines between its cards and no size is given;
/// otherwise one layout.
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
    poll(token)?;
    let small = scaled(photo, LARGEST);
    let smallest = SMALLEST * small.width() as f32 / photo.width() as f32;
    let mut search = CardSearch { name, edges: Edges::new(&small), smallest, token };
    let quads = regions::quads(&search.edges, token)?;
    let found = match size {
        Some(GridSize::ONE) => {
            let candidates = candidates(&search.edges, &quads, token)?;
            Found::Loose(GridSize::ONE, vec![search.single(&candidates)])
        }
        _ => {
            let mut found = search.several(&quads, size);
            if !matches!(found, Ok(Found::Loose(..) | Found::Board(Some(_), _))) {
                search.edges.make_sensitive();
                found = search.several(&quads, size).or(found);
            }
            // A limit that stops the second search must not be hidden by the first result.
            poll(token)?;
            match (found, size) {
                (Err(ReadError::NoCards { .. }), Some(size)) => {
                    Found::Board(Some(size), search.whole())
                }
                (found, _) => found?,
            }
        }
    };
    poll(token)?;
    let longest = photo.width().max(photo.height()).clamp(LARGEST, FINE);
    let large = scaled(photo, longest);
    let edges = Edges::new(&large);
    let by = large.width() as f32 / small.width() as f32;
    let back = photo.width() as f32 / large.width() as f32;
    // Searches begin at any corner; the sides of a card are named as they are in the photograph.
    let exact = |quad: &Quad| {
        let quad = quad.scaled(by);
        Quad::sorted(edges.refined(&quad, (quad.side() * REACH).max(1.0)).scaled(back).0)
    };
    match found {
        Found::Loose(size, quads) => {
            let quads = quads.iter().map(exact).collect();
            Ok(vec![Layout { size, quads, score: 0.0, is_guess: false }])
        }
        Found::Board(size, board) => {
            let is_whole = board == search.whole();
            let board = if is_whole { board.scaled(by * back) } else { exact(&board) };
            let mut layouts = inside(name, photo, &board, size)?;
            for layout in &mut layouts {
                layout.is_guess = size.is_none();
            }
            Ok(layouts)
        }
    }
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
    let layouts = grid::layouts(photo, board, size);
    if layouts.is_empty() {
        return Err(ReadError::NoCards { photo: name.to_owned() });
    }
    Ok(layouts)
}

/// The layout of cards with known outlines.
///
/// # Errors
/// If their number is not that of `size`, or they do not form a rectangle.
pub(crate) fn given(name: &str, cards: Vec<Quad>, size: Option<GridSize>) -> Result<Layout> {
    let found = cards.len();
    let photo = || name.to_owned();
    let (rows, quads) = in_rows(cards);
    let is_even = rows.iter().all(|&row| row == rows[0]);
    let size = match size {
        Some(expected) if expected.cards() != found => {
            return Err(ReadError::Number { photo: photo(), found, expected });
        }
        Some(size) => Some(size),
        None if is_even && rows.len() > 1 && rows[0] > 1 => {
            Some(GridSize { rows: rows.len(), columns: rows[0] })
        }
        None => GridSize::square(found),
    };
    let size = size.ok_or_else(|| ReadError::Uneven { photo: photo(), found })?;
    Ok(Layout { size, quads, score: 0.0, is_guess: false })
}

/// The picture, scaled to a longer side of `longest` pixels.
fn scaled(photo: &RgbImage, longest: u32) -> RgbImage {
    let scale = longest as f32 / photo.width().max(photo.height()) as f32;
    let length = |l: u32| ((l as f32 * scale).round() as u32).max(1);
    let (width, height) = (length(photo.width()), length(photo.height()));
    if scale < 0.5 {
        imageops::thumbnail(photo, width, height)
    } else {
        // A picture that is hardly reduced keeps its noise.
        let resized = imageops::resize(photo, width, height, imageops::FilterType::Triangle);
        imageops::blur(&resized, 1.0)
    }
}

/// Cards in a scaled photograph.
enum Found {
    /// Cards, row by row.
    Loose(GridSize, Vec<Quad>),
    /// The outline of a board of cards that touch; its size is unknown if no lines are visible.
    Board(Option<GridSize>, Quad),
}

/// A search for the cards of a photograph that was scaled.
struct CardSearch<'a> {
    /// The name of the photograph, for messages.
    name: &'a str,
    edges: Edges,
    /// The minimum side of a card, in pixels of the scaled photograph.
    smallest: f32,
    token: &'a CancelToken<'a>,
}

impl CardSearch<'_> {
    /// The outline of the only card in the picture: a quadrilateral on a plain ground, or else the
    /// whole picture.
    fn single(&self, candidates: &[Candidate]) -> Quad {
        let best = self.outline(candidates).map(|outline| outline.0);
        best.filter(|quad| self.edges.is_on_ground(quad)).unwrap_or(self.whole())
    }

    /// Finds separate cards or a board, whichever has more evidence.
    ///
    /// # Errors
    /// Those of [`cards`].
    fn several(&self, quads: &[Quad], size: Option<GridSize>) -> Result<Found> {
        let candidates = &candidates(&self.edges, quads, self.token)?[..];
        let mut loose: Option<(GridSize, Vec<Quad>, f32)> = None;
        let mut wrong = None;
        let outline = self.outline(candidates);
        // Cards with less evidence than a quadrilateral around them are pictures on its cards.
        let least = outline.map_or(LEAST_SCORE, |outline| outline.2.max(LEAST_SCORE));
        for family in families(&self.edges, candidates, FAMILIES) {
            if family.side() < self.smallest || family.score * COMPLETED < least {
                continue;
            }
            let family = self.completed(&family, size)?;
            let is_expected = size.is_some() && family.score >= GOOD_SCORE;
            let confident = if is_expected { CONFIDENT_EXPECTED } else { CONFIDENT };
            let is_confident = family.cards.len() >= 2
                && family.score >= least
                && family.confidence(&self.edges) >= confident;
            if !is_confident {
                continue;
            }
            match self.arranged(&family, size) {
                Ok((size, quads)) => {
                    if loose.as_ref().is_none_or(|best| family.score > best.2) {
                        loose = Some((size, quads, family.score));
                    }
                }
                Err(error) if family.score >= GOOD_SCORE => drop(wrong.get_or_insert(error)),
                Err(_) => {}
            }
        }
        match (loose, self.board(candidates, size)) {
            (Some((size, quads, score)), board) if board.is_none_or(|board| score >= board.2) => {
                Ok(Found::Loose(size, quads))
            }
            (_, Some((size, board, _))) => Ok(Found::Board(Some(size), board)),
            (_, None) => match outline {
                Some((outline, true, _)) => Ok(Found::Board(size, outline)),
                _ => Err(wrong.unwrap_or_else(|| self.no_cards())),
            },
        }
    }

    /// The quadrilateral of the whole picture.
    fn whole(&self) -> Quad {
        Quad::whole_picture(self.edges.width as u32, self.edges.height as u32)
    }

    /// The quadrilateral with the most evidence, which may be a board; true if the evidence is enough
    /// for a board without visible lines; and its score. `None` if all are small.
    fn outline(&self, candidates: &[Candidate]) -> Option<(Quad, bool, f32)> {
        /// The minimum area as a fraction of the picture.
        const LEAST_AREA: f32 = 0.15;
        /// The minimum evidence for a board without visible lines.
        const CLEAR: Support = Support { mean: 0.65, least: 0.55 };
        let whole = self.whole().area();
        let large = candidates.iter().filter(|card| card.quad.area() > LEAST_AREA * whole);
        let scored = large.map(|card| {
            let is_clear = card.support.reaches(CLEAR);
            (card.quad, is_clear, card.value() * card.quad.area() / whole)
        });
        scored.max_by(|a, b| a.2.total_cmp(&b.2))
    }

    fn no_cards(&self) -> ReadError {
        ReadError::NoCards { photo: self.name.to_owned() }
    }

    /// A family whose cards are regular, with those that were missing. If the number is given, or
    /// nearly a square, a few cards are added, or left out, to reach it.
    ///
    /// # Errors
    /// If the token stops the run.
    fn completed(&self, family: &Family, size: Option<GridSize>) -> Result<Family> {
        /// The maximum number of other quadrilaterals of the size of the cards.
        const STRAY: usize = 2;
        /// The maximum number of cards among which missing ones are searched.
        const MOST: usize = 36;
        let (edges, token) = (&self.edges, self.token);
        let found = family.completed(edges, PREDICTED, token)?.regular(edges);
        let number = found.cards.len();
        if let Some(wanted) = size.map(GridSize::cards).filter(|&wanted| number > wanted) {
            let is_near = number <= wanted + STRAY && found.score >= GOOD_SCORE;
            return Ok(if is_near { found.best(edges, wanted) } else { found });
        }
        let square = (number as f32).sqrt().ceil() as usize;
        let wanted = size.map_or(square * square, GridSize::cards);
        let is_near = (wanted * 2 / 3..wanted).contains(&number) && wanted <= MOST;
        let is_likely = size.is_some() || found.score >= GOOD_SCORE;
        if number < FEWEST || !is_near || !is_likely {
            return Ok(found);
        }
        let distant = found.with_distant(edges, wanted, token)?.regular(edges);
        if distant.cards.len() == wanted {
            return Ok(distant);
        }
        let faint = found.completed(edges, FAINT, token)?.regular(edges);
        Ok(if faint.cards.len() == wanted { faint } else { found })
    }

    /// The cards of a family, row by row, and their rows and columns.
    ///
    /// # Errors
    /// If their number is not that of `size`, they do not form a rectangle, or one is cut off.
    fn arranged(&self, family: &Family, size: Option<GridSize>) -> Result<(GridSize, Vec<Quad>)> {
        let found = family.cards.len();
        if size.is_none() && found < FEWEST {
            return Err(ReadError::Uneven { photo: self.name.to_owned(), found });
        }
        let quads = family.cards.iter().map(|card| card.quad).collect();
        let Layout { size, quads, .. } = given(self.name, quads, size)?;
        let (width, height) = (self.edges.width as f32, self.edges.height as f32);
        let is_cut = |quad: &Quad| {
            let far = quad.side() * CUT;
            quad.0.iter().any(|&(x, y)| x.min(y) < -far || x > width + far || y > height + far)
        };
        if quads.iter().any(is_cut) {
            return Err(ReadError::Cut { photo: self.name.to_owned() });
        }
        Ok((size, quads))
    }

    /// The board with the most evidence, and its score; `None` if no lines between cards are
    /// visible.
    fn board(
        &self,
        candidates: &[Candidate],
        size: Option<GridSize>,
    ) -> Option<(GridSize, Quad, f32)> {
        /// The number of quadrilaterals that are tried.
        const TRIED: usize = 5;
        /// The minimum area of a board as a fraction of the picture.
        const LEAST: f32 = 0.1;
        let whole = self.whole();
        let weight = |card: &Candidate| card.value() * card.quad.area();
        let mut large: Vec<&Candidate> =
            candidates.iter().filter(|card| card.quad.area() > LEAST * whole.area()).collect();
        large.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let tried = large.iter().take(TRIED).map(|card| card.quad).chain([whole]);
        let scored = tried.filter_map(|quad| {
            let (size, evidence) = board::divided(&self.edges, &quad, size)?;
            let score = evidence * quad.area() / whole.area() * by_number(size.cards());
            Some((size, quad, score))
        });
        scored.max_by(|a, b| a.2.total_cmp(&b.2))
    }
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
