//! From photographs to a puzzle.

use edgematch::problem::Problem;
use edgematch::puzzle::EdgeName;
use edgematch::runtime::limits::{CancelToken, Limits};
use image::RgbImage;

use crate::alternatives::{Alternative, Seen, alternatives, edges, nearness, problem};
use crate::card::{Card, SIDES};
use crate::find::Layout;
use crate::pairs::profiles;
use crate::quad::Quad;
use crate::sides::{contrast, distances, strangeness, strips};
use crate::{MOST_CARDS, MOST_PIXELS, Options, Photo, ReadError, Result, Size, find, go_on};

/// Pictures of cards have at most so many pixels a side.
const LARGEST: u32 = 512;

/// Cards with fewer pixels a side than this can't be told apart.
const SMALLEST: f32 = 16.0;

/// Sides whose certainty is below this are marked.
const DOUBTFUL: f32 = 0.9;

/// What the lines of a photograph are worth beside the likeness of sides, and up to which strength.
const BY_SCORE: f32 = 0.04;
const BEST_SCORE: f32 = 4.0;

/// So many cards are usual, and what each factor of e costs that their number is off.
const USUAL: f32 = 9.0;
const BY_NUMBER: f32 = 0.08;

/// How far sides may be from the others like them, on average.
const STRANGEST: f32 = 0.6;

/// A card with less contrast than this part of the usual one shows nothing.
const BLANK: f32 = 0.2;

/// Sides that are nearer than this are the same.
const SAME: f32 = 0.15;

/// Readings that are less likely than the first one by this factor, as a logarithm, are none that
/// anybody need consider.
const RIVAL: f32 = 2.0;

/// What a side of a card shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// The group of sides that show the same.
    pub group: usize,
    /// How sure that is, 0 to 1.
    pub certainty: f32,
}

impl Side {
    /// Whether it should be looked at.
    pub fn is_doubtful(&self) -> bool {
        self.certainty < DOUBTFUL
    }
}

/// What was read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Rows and columns.
    pub size: Size,
    /// The cards, row by row as they lie.
    pub cards: Vec<Card>,
    /// The sides: upper, right, lower and left one of the first card, then of the next.
    pub sides: Vec<Side>,
    /// The group that continues each group; itself for an image that matches itself.
    pub mates: Vec<usize>,
    /// Solutions, counted up to [`MOST_SOLUTIONS`](crate::MOST_SOLUTIONS); nothing where that took too long.
    pub solutions: Option<u64>,
    /// How many readings that are about as likely have a solution, this one with them.
    pub rivals: usize,
}

impl Reading {
    /// Reads photographs: one of all cards, or one of each. A limit ends it, wherever it is.
    ///
    /// # Errors
    /// Where a photograph can't be read, or the cards are not found; if a limit is reached.
    pub fn new(photos: &[Photo<'_>], options: &Options, limits: &Limits<'_>) -> Result<Reading> {
        let token = &limits.token();
        let (size, cards) = cards(photos, options, token)?;
        let pictures: Vec<RgbImage> = cards.iter().map(|card| card.picture.clone()).collect();
        refuse_blank(&pictures)?;
        let strips = strips(&pictures);
        if strangeness(&strips, token)? > STRANGEST {
            return Err(ReadError::Unlike);
        }
        let seen = Seen { distances: distances(&strips, token)?, profiles: profiles(&pictures) };
        refuse_alike(&seen.distances)?;
        let tried = alternatives(&seen, size, options, token)?;
        let Some(best) = tried.first() else {
            return Err(ReadError::Unlike);
        };
        let near = |other: &&Alternative| other.total() < best.total() + RIVAL;
        let rivals: Vec<&Alternative> = tried.iter().filter(near).collect();
        let side = |side: usize| {
            go_on(token)?;
            Ok(Side { group: best.of[side], certainty: certainty(&seen, best, &rivals, side) })
        };
        Ok(Reading {
            size,
            sides: (0..best.of.len()).map(side).collect::<Result<_, _>>()?,
            mates: best.mate.clone(),
            solutions: best.solutions,
            rivals: rivals.iter().filter(|other| other.solutions.is_some_and(|n| n > 0)).count(),
            cards,
        })
    }

    /// What each group of sides is called.
    pub fn edges(&self) -> Vec<EdgeName> {
        edges(&self.groups(), &self.mates)
    }

    /// The puzzle.
    pub fn problem(&self, name: &str) -> Option<Problem> {
        problem(name, self.size, &self.groups(), &self.mates)
    }

    /// The group of each side.
    fn groups(&self) -> Vec<usize> {
        self.sides.iter().map(|side| side.group).collect()
    }
}

/// How sure it is that a side belongs to its group: by how much nearer it is to that than to any
/// other, and by what other likely readings say.
fn certainty(seen: &Seen, best: &Alternative, rivals: &[&Alternative], side: usize) -> f32 {
    let own = nearness(seen, &best.of, side, best.of[side]);
    let others = (0..best.mate.len()).filter(|&group| group != best.of[side]);
    let other = others.filter_map(|group| nearness(seen, &best.of, side, group));
    let other = other.fold(f32::MAX, f32::min);
    // A group of one is as sure as it is far from the others.
    let odds = ((other + 0.02) / (own.unwrap_or(0.1) + 0.02)).powi(4);
    let by_distance = odds / (1.0 + odds);
    let weight = |reading: &Alternative| (best.total() - reading.total()).exp();
    let is_same = |reading: &&&Alternative| {
        // Other numbers of groups are called otherwise.
        reading.mate.len() != best.mate.len() || reading.of[side] == best.of[side]
    };
    let all: f32 = rivals.iter().map(|reading| weight(reading)).sum();
    let same: f32 = rivals.iter().filter(is_same).map(|reading| weight(reading)).sum();
    by_distance.min(same / all)
}

/// Refuses a card that shows nothing beside others that do.
fn refuse_blank(pictures: &[RgbImage]) -> Result<()> {
    let contrasts: Vec<f32> = pictures.iter().map(contrast).collect();
    let mut sorted = contrasts.clone();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted[sorted.len() / 2];
    let blank = contrasts.iter().position(|&contrast| contrast < usual * BLANK);
    match blank {
        Some(card) => Err(ReadError::Blank { card: card + 1 }),
        None => Ok(()),
    }
}

/// Refuses cards that are all the same, as backs are.
fn refuse_alike(distances: &[Vec<f32>]) -> Result<()> {
    let cards = distances.len() / SIDES;
    let is_same = |card: usize, turn: usize| {
        (0..SIDES).all(|side| distances[side][card * SIDES + (side + turn) % SIDES] < SAME)
    };
    if cards > 1 && (1..cards).all(|card: usize| (0..SIDES).any(|turn| is_same(card, turn))) {
        return Err(ReadError::Alike);
    }
    Ok(())
}

fn refuse_many(found: usize) -> Result<()> {
    if found > MOST_CARDS {
        return Err(ReadError::Many { found });
    }
    Ok(())
}

/// The cards of all photographs.
fn cards(
    photos: &[Photo<'_>],
    options: &Options,
    token: &CancelToken<'_>,
) -> Result<(Size, Vec<Card>)> {
    refuse_many(options.size.map_or(photos.len(), Size::cards))?;
    let most = options.most_pixels.unwrap_or(MOST_PIXELS);
    if let [photo] = photos {
        let pixels = photo.pixels(most)?;
        let layouts = match options.corners {
            Some(corners) => find::inside(photo.name, &pixels, &corners, options.size)?,
            None => find::cards(photo.name, &pixels, options.size, token)?,
        };
        return best_cut(photo.name, &pixels, layouts, token);
    }
    let mut all = Vec::new();
    let mut common = None;
    for (number, photo) in photos.iter().enumerate() {
        go_on(token)?;
        let pixels = photo.pixels(most)?;
        for layout in find::cards(photo.name, &pixels, Some(Size::ONE), token)? {
            let own = side(photo.name, &layout.quads)?;
            let side = *common.get_or_insert(own);
            for quad in &layout.quads {
                all.push(card(photo.name, number, &pixels, quad, side)?);
            }
        }
    }
    let found = all.len();
    let size = match options.size {
        Some(size) if size.cards() == found => size,
        Some(expected) => {
            return Err(ReadError::Photos { found, expected });
        }
        None if found > 0 && found.isqrt().pow(2) == found => {
            Size { rows: found.isqrt(), columns: found.isqrt() }
        }
        None => return Err(ReadError::NoSquare { found }),
    };
    Ok((size, all))
}

/// The cards in the layout in which sides have others that look the same, and the photograph has
/// lines.
fn best_cut(
    name: &str,
    pixels: &RgbImage,
    layouts: Vec<Layout>,
    token: &CancelToken<'_>,
) -> Result<(Size, Vec<Card>)> {
    let has_choice = layouts.len() > 1;
    let mut best: Option<(f32, Size, Vec<Card>)> = None;
    let mut refused = None;
    for layout in layouts {
        let side = match side(name, &layout.quads) {
            Ok(side) => side,
            Err(error) => {
                refused = Some(error);
                continue;
            }
        };
        refuse_many(layout.quads.len())?;
        let cut = |quad: &Quad| {
            go_on(token)?;
            card(name, 0, pixels, quad, side)
        };
        let cards = layout.quads.iter().map(cut).collect::<Result<Vec<_>, _>>()?;
        let strangeness = if has_choice {
            let pictures: Vec<RgbImage> = cards.iter().map(|card| card.picture.clone()).collect();
            let unusual = (cards.len() as f32 / USUAL).ln().abs();
            strangeness(&strips(&pictures), token)? - layout.score.min(BEST_SCORE) * BY_SCORE
                + unusual * BY_NUMBER
        } else {
            0.0
        };
        if best.as_ref().is_none_or(|(least, ..)| strangeness < *least) {
            best = Some((strangeness, layout.size, cards));
        }
    }
    match (best, refused) {
        (Some((_, size, cards)), _) => Ok((size, cards)),
        (None, Some(error)) => Err(error),
        (None, None) => Err(ReadError::NoCards { photo: name.to_owned() }),
    }
}

/// How wide the pictures of cards are.
fn side(name: &str, quads: &[Quad]) -> Result<u32> {
    let smallest = quads.iter().map(Quad::side).fold(f32::MAX, f32::min);
    if smallest < SMALLEST {
        return Err(ReadError::Small { photo: name.to_owned(), pixels: smallest as u32 });
    }
    let mean = quads.iter().map(Quad::side).sum::<f32>() / quads.len() as f32;
    Ok((mean.round() as u32).clamp(48, LARGEST))
}

fn card(name: &str, photo: usize, pixels: &RgbImage, quad: &Quad, side: u32) -> Result<Card> {
    let picture = quad.straightened(pixels, side, side);
    let picture = picture.ok_or_else(|| ReadError::NoCards { photo: name.to_owned() })?;
    Ok(Card { photo, quad: *quad, picture })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use edgematch::runtime::limits::StopReason;
    use image::Rgb;

    use super::*;
    use crate::Picture;
    use crate::groups::{Numbers, groups};

    /// Cards with stripes, no two alike.
    fn striped(number: u32) -> Vec<RgbImage> {
        let stripe = |card: u32, x: u32, y: u32| ((x * (card + 2) + y * (card + 5)) % 251) as u8;
        let pixel =
            |card: u32, x: u32, y: u32| Rgb([stripe(card, x, y), stripe(card + 1, y, x), 90]);
        (0..number).map(|card: u32| RgbImage::from_fn(64, 64, |x, y| pixel(card, x, y))).collect()
    }

    #[test]
    fn every_step_of_a_reading_ends_when_it_is_interrupted() {
        let never = Limits::default();
        let going = &never.token();
        let up = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&up), ..never };
        let stopped = &limits.token();
        let pictures = striped(4);
        let strips = strips(&pictures);
        let seen =
            Seen { distances: distances(&strips, going).unwrap(), profiles: profiles(&pictures) };
        let numbers = Numbers::new(&seen.distances, going).unwrap();
        let size = Size { rows: 2, columns: 2 };
        let options = Options { size: Some(size), ..Options::default() };
        let photo = |picture| Photo { name: "cards", picture: Picture::Pixels(picture) };
        let photos: Vec<Photo<'_>> = pictures.iter().map(photo).collect();
        let whole = Layout { size: Size::ONE, quads: vec![Quad::whole(64, 64)], score: 0.0 };
        let ends = [
            find::cards("cards", &pictures[0], None, stopped).err(),
            cards(&photos, &options, stopped).err(),
            best_cut("cards", &pictures[0], vec![whole], stopped).err(),
            strangeness(&strips, stopped).err(),
            distances(&strips, stopped).err(),
            Numbers::new(&seen.distances, stopped).err(),
            groups(&seen.distances, &numbers, 4, stopped).err(),
            alternatives(&seen, size, &options, stopped).err(),
            Reading::new(&photos, &options, &limits).err(),
        ];
        for (step, end) in ends.into_iter().enumerate() {
            let expected = ReadError::Stopped(StopReason::Interrupted);
            assert_eq!(end, Some(expected), "{step}");
        }
    }

    #[test]
    fn more_cards_than_a_puzzle_has_are_refused_before_they_are_cut() {
        let options =
            Options { size: Some(Size { rows: 1_000, columns: 1_000 }), ..Options::default() };
        let pictures = striped(1);
        let photo = Photo { name: "cards", picture: Picture::Pixels(&pictures[0]) };
        let refused = Reading::new(&[photo], &options, &Limits::default()).unwrap_err();
        assert_eq!(refused, ReadError::Many { found: 1_000_000 });
    }
}
