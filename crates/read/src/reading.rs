//! Reading photographs: from the pixels to the groups of sides and the puzzle.

use edgematch::problem::Problem;
use edgematch::puzzle::EdgeName;
use edgematch::runtime::limits::{CancelToken, Limits};
use image::RgbImage;

use crate::alternatives::{Alternative, SideMeasurements, alternatives, edges, problem};
use crate::card::{Card, SIDES};
use crate::find::Layout;
use crate::pairs::{mean_profiles, mismatches, profiles};
use crate::quad::Quad;
use crate::seams::Seams;
use crate::shapes::separated;
use crate::sides::{contrast, distances, strangeness, strips};
use crate::{
    CardFacts, GridSize, MOST_CARDS, MOST_PIXELS, Photo, ReadError, Result, SMALLEST, find, poll,
    sorted,
};

/// The maximum side of a card's rectified picture, in pixels.
const LARGEST: u32 = 512;

/// Sides with a lower certainty are doubtful.
const DOUBTFUL: f32 = 0.9;

/// The reduction of a layout's cost per unit of its score.
const BY_SCORE: f32 = 0.04;
/// The score above which a layout's cost is not reduced further.
const BEST_SCORE: f32 = 4.0;

/// The usual number of cards.
const USUAL: f32 = 9.0;
/// The cost of a layout per factor of e by which its number of cards differs from the usual one.
const BY_NUMBER: f32 = 0.08;

/// If the mean distance of sides from their most similar other side is larger, the cards are
/// rejected.
const STRANGEST: f32 = 0.6;

/// The largest such mean for cards without visible lines between them.
const STRANGEST_GUESS: f32 = 0.22;

/// A card with less than this fraction of the median contrast is blank.
const BLANK: f32 = 0.2;

/// Sides with a smaller distance count as identical when checking whether all cards are the same.
const SAME: f32 = 0.15;

/// The mismatch above which the pair of two halves is doubtful. Two of 58 right pairs of photographs
/// have more, and so have two wrong ones that passed as certain.
const UNLIKE: f32 = 0.4;

/// The prior odds that a group of less than half the mean size is one. Of 40 halves of five puzzles,
/// four are on two of 36 sides; on two pictures, two sides that belonged to another group formed one.
const ODDS_OF_SMALL: f32 = 0.25;

/// Readings whose cost is less than this above that of the best one are its rivals.
const RIVAL: f32 = 2.0;

/// The reading of one side of a card.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Side {
    /// The group of sides that show the same edge, an index from 0.
    pub group: usize,
    /// The estimated probability, 0 to 1, that the group is right.
    pub certainty: f32,
}

impl Side {
    /// Returns true if a person should check the side, because its certainty is below 90 %.
    pub fn is_doubtful(&self) -> bool {
        self.certainty < DOUBTFUL
    }
}

/// The result of reading photographs.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The rows and columns of the board.
    pub size: GridSize,
    /// The cards, row by row.
    pub cards: Vec<Card>,
    /// The top, right, bottom and left sides of the first card, then of the next.
    pub sides: Vec<Side>,
    /// The group that matches each group; itself for a whole image.
    pub mates: Vec<usize>,
    /// The number of solutions, up to [`MOST_SOLUTIONS`](crate::MOST_SOLUTIONS); a lower bound if
    /// counting took too long, `None` if it took too long to find any.
    pub solutions: Option<u64>,
    /// The groups for which a similarly likely reading, or the most likely one by appearance alone,
    /// has another matching group, and those whose colours hardly continue in the matching group.
    pub doubtful_mates: Vec<usize>,
    /// The number of similarly likely readings that have a solution; includes this one if it has.
    pub rivals: usize,
}

impl Reading {
    /// Reads one photograph of all cards, or several photographs of single cards, in the order of
    /// the board.
    ///
    /// # Errors
    /// If a photograph cannot be read, the cards are not found, are blank, all the same or not
    /// those of one puzzle, or a limit is reached.
    pub fn new(photos: &[Photo<'_>], options: &CardFacts, limits: &Limits<'_>) -> Result<Reading> {
        let token = &limits.token();
        let (size, cards) = cards(photos, options, token)?;
        let pictures: Vec<RgbImage> = cards.iter().map(|card| card.picture.clone()).collect();
        refuse_blank(&pictures)?;
        let strips = strips(&pictures);
        if strangeness(&strips, token)? > STRANGEST {
            return Err(ReadError::Unlike);
        }
        let distances = distances(&strips, token)?;
        refuse_alike(&distances)?;
        let seen = SideMeasurements {
            separated: separated(&distances, &pictures, token)?,
            distances,
            profiles: profiles(&pictures),
            seams: Seams::new(size, &cards),
        };
        let tried = alternatives(&seen, size, options, token)?;
        let Some(best) = tried.first() else {
            return Err(ReadError::Unlike);
        };
        let near = |other: &&Alternative| other.total() < best.total() + RIVAL;
        let rivals: Vec<&Alternative> = tried.iter().filter(near).collect();
        let side = |side: usize| {
            poll(token)?;
            Ok(Side { group: best.of[side], certainty: seen.certainty(best, &rivals, side) })
        };
        // A pair that only the numbers of solutions decide is doubtful, too.
        let plainest = tried.iter().min_by(|a, b| a.cost.total_cmp(&b.cost));
        let has_other_mate = |&group: &usize| {
            let others = rivals.iter().copied().chain(plainest);
            let mut others = others.filter(|other| other.mate.len() == best.mate.len());
            others.any(|other| other.mate[group] != best.mate[group])
        };
        let mismatches = mismatches(&mean_profiles(&seen.profiles, &best.of, best.mate.len()));
        // On a solved board, the seams confirm the pairs.
        let is_unlike = |group: usize| {
            let mate = best.mate[group];
            !best.is_solved && mate != group && mismatches[group][mate] > UNLIKE
        };
        let is_doubtful = |group: &usize| has_other_mate(group) || is_unlike(*group);
        Ok(Reading {
            size,
            doubtful_mates: (0..best.mate.len()).filter(is_doubtful).collect(),
            sides: (0..best.of.len()).map(side).collect::<Result<_, _>>()?,
            mates: best.mate.clone(),
            solutions: best.solutions,
            rivals: rivals.iter().filter(|other| other.solutions.is_some_and(|n| n > 0)).count(),
            cards,
        })
    }

    /// Returns true if at most half of the sides are doubtful, or at most a quarter if no likely
    /// reading has a solution. Otherwise the photographs show too little to rely on any side.
    pub fn is_legible(&self) -> bool {
        let most = self.sides.len() / if self.solutions == Some(0) { 4 } else { 2 };
        self.doubtful_sides().count() <= most
    }

    /// The indices of the sides that a person should check.
    pub fn doubtful_sides(&self) -> impl Iterator<Item = usize> {
        (0..self.sides.len()).filter(|&side| self.sides[side].is_doubtful())
    }

    /// Returns true if no side and no pair of halves is doubtful, and the puzzle has a solution.
    pub fn is_certain(&self) -> bool {
        self.doubtful_mates.is_empty()
            && self.rivals == 1
            && self.solutions.is_some_and(|number| number > 0)
            && self.doubtful_sides().next().is_none()
    }

    /// The edge name of each group of sides, such as `a+`.
    pub fn edges(&self) -> Vec<EdgeName> {
        edges(&self.groups(), &self.mates)
    }

    /// Builds the puzzle with this name; `None` if the reading is not a valid puzzle.
    pub fn problem(&self, name: &str) -> Option<Problem> {
        problem(name, self.size, &self.groups(), &self.mates)
    }

    /// The group of each side.
    fn groups(&self) -> Vec<usize> {
        self.sides.iter().map(|side| side.group).collect()
    }
}

impl SideMeasurements {
    /// The certainty that a side belongs to its group in the best reading: the smaller of two
    /// estimates, by its distances from this and other groups, and by the weighted share of rivals
    /// that agree. The sides of a small group, which few others confirm, need more evidence.
    fn certainty(&self, best: &Alternative, rivals: &[&Alternative], side: usize) -> f32 {
        let own = self.nearness(&best.of, side, best.of[side]);
        let others = (0..best.mate.len()).filter(|&group| group != best.of[side]);
        let other = others.filter_map(|group| self.nearness(&best.of, side, group));
        let other = other.fold(f32::MAX, f32::min);
        // A side that is alone in its group has no distance from it; a typical one is assumed.
        let odds = ((other + 0.02) / (own.unwrap_or(0.1) + 0.02)).powi(4);
        let by_distance = odds / (1.0 + odds);
        let weight = |reading: &Alternative| (best.total() - reading.total()).exp();
        let all: f32 = rivals.iter().map(|reading| weight(reading)).sum();
        let same: f32 =
            rivals.iter().map(|reading| weight(reading) * likeness(best, reading, side)).sum();
        let certainty = by_distance.min(same / all);
        let members = best.of.iter().filter(|&&group| group == best.of[side]).count();
        let is_small = 2 * members * best.mate.len() < best.of.len();
        let prior = if is_small { ODDS_OF_SMALL } else { 1.0 };
        certainty * prior / (certainty * prior + 1.0 - certainty)
    }
}

/// The likeness of the groups to which two readings assign a side: the number of sides in both of
/// them divided by that in either.
fn likeness(a: &Alternative, b: &Alternative, side: usize) -> f32 {
    let is_in = |reading: &Alternative, other: usize| reading.of[other] == reading.of[side];
    let others = 0..a.of.len();
    let both = others.clone().filter(|&other| is_in(a, other) && is_in(b, other)).count();
    let either = others.filter(|&other| is_in(a, other) || is_in(b, other)).count();
    both as f32 / either as f32
}

/// Returns an error if a card has less than [`BLANK`] of the median contrast.
fn refuse_blank(pictures: &[RgbImage]) -> Result<()> {
    let contrasts: Vec<f32> = pictures.iter().map(contrast).collect();
    let usual = sorted(contrasts.iter().copied())[contrasts.len() / 2];
    match contrasts.iter().position(|&contrast| contrast < usual * BLANK) {
        Some(card) => Err(ReadError::Blank { card: card + 1 }),
        None => Ok(()),
    }
}

/// Returns an error if all cards are the same up to rotation, such as their backs.
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

/// Returns an error for more than [`MOST_CARDS`] cards.
fn refuse_many(found: usize) -> Result<()> {
    if found > MOST_CARDS {
        return Err(ReadError::Many { found });
    }
    Ok(())
}

/// Finds the cards in one photograph, or single cards in several, and cuts them out. Several cards
/// without a given size must form a square.
///
/// # Errors
/// If a photograph cannot be read, the cards are not found, too small or too many, their number is
/// not that of the size, or the token stops the run.
fn cards(
    photos: &[Photo<'_>],
    options: &CardFacts,
    token: &CancelToken<'_>,
) -> Result<(GridSize, Vec<Card>)> {
    refuse_many(options.size.map_or(photos.len(), GridSize::cards))?;
    let most = options.most_pixels.unwrap_or(MOST_PIXELS);
    if let [photo] = photos {
        let pixels = photo.pixels(most)?;
        let layouts = match options.corners {
            _ if !options.cards.is_empty() => {
                vec![find::given(photo.name, options.cards.clone(), options.size)?]
            }
            Some(corners) => find::inside(photo.name, &pixels, &corners, options.size)?,
            None => find::cards(photo.name, &pixels, options.size, token)?,
        };
        return best_cut(photo.name, &pixels, layouts, token);
    }
    let mut all = Vec::new();
    let mut common = None;
    for (number, photo) in photos.iter().enumerate() {
        poll(token)?;
        let pixels = photo.pixels(most)?;
        for layout in find::cards(photo.name, &pixels, Some(GridSize::ONE), token)? {
            let own = side(photo.name, &layout.quads)?;
            let side = *common.get_or_insert(own);
            for quad in &layout.quads {
                all.push(card(photo.name, number, &pixels, quad, side)?);
            }
        }
    }
    let found = all.len();
    match options.size {
        Some(size) if size.cards() == found => Ok((size, all)),
        Some(expected) => Err(ReadError::Photos { found, expected }),
        None => {
            let size = GridSize::square(found).ok_or(ReadError::NoSquare { found })?;
            Ok((size, all))
        }
    }
}

/// Cuts out the cards of the best layout: the one in which sides resemble each other most, lines
/// are visible and the number of cards is usual. Layouts with too small cards are ignored unless
/// all are.
///
/// # Errors
/// If the cards are too small in all layouts, a layout has too many cards, or the token stops the
/// run.
fn best_cut(
    name: &str,
    pixels: &RgbImage,
    layouts: Vec<Layout>,
    token: &CancelToken<'_>,
) -> Result<(GridSize, Vec<Card>)> {
    let has_choice = layouts.len() > 1;
    let mut best: Option<(f32, GridSize, Vec<Card>)> = None;
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
            poll(token)?;
            card(name, 0, pixels, quad, side)
        };
        let cards = layout.quads.iter().map(cut).collect::<Result<Vec<_>, _>>()?;
        let strangeness = if has_choice || layout.is_guess {
            let pictures: Vec<RgbImage> = cards.iter().map(|card| card.picture.clone()).collect();
            let unusual = (cards.len() as f32 / USUAL).ln().abs();
            let strange = strangeness(&strips(&pictures), token)?;
            if layout.is_guess && strange > STRANGEST_GUESS {
                continue;
            }
            strange - layout.score.min(BEST_SCORE) * BY_SCORE + unusual * BY_NUMBER
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

/// The side of the rectified pictures of these cards, in pixels, from 48 to [`LARGEST`]; an error
/// if a card is smaller than [`SMALLEST`] in the photograph.
fn side(name: &str, quads: &[Quad]) -> Result<u32> {
    let smallest = quads.iter().map(Quad::side).fold(f32::MAX, f32::min);
    if smallest < SMALLEST {
        return Err(ReadError::Small { photo: name.to_owned(), pixels: smallest as u32 });
    }
    let mean = quads.iter().map(Quad::side).sum::<f32>() / quads.len() as f32;
    Ok((mean.round() as u32).clamp(48, LARGEST))
}

/// Cuts out a card. `photo` is the index of the photograph, `side` the width and height of the
/// picture in pixels.
///
/// # Errors
/// If three of the corners are collinear.
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
    use crate::PhotoContent;
    use crate::groups::Clustering;

    /// Pictures of cards with different stripes.
    fn striped(number: u32) -> Vec<RgbImage> {
        let stripe = |card: u32, x: u32, y: u32| ((x * (card + 2) + y * (card + 5)) % 251) as u8;
        let pixel =
            |card: u32, x: u32, y: u32| Rgb([stripe(card, x, y), stripe(card + 1, y, x), 90]);
        (0..number).map(|card: u32| RgbImage::from_fn(64, 64, |x, y| pixel(card, x, y))).collect()
    }

    #[test]
    fn every_step_of_a_reading_stops_when_interrupted() {
        let never = Limits::default();
        let going = &never.token();
        let up = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&up), ..never };
        let stopped = &limits.token();
        let pictures = striped(4);
        let strips = strips(&pictures);
        let apart = distances(&strips, going).unwrap();
        let seen = SideMeasurements {
            separated: separated(&apart, &pictures, going).unwrap(),
            distances: apart,
            profiles: profiles(&pictures),
            seams: Seams::default(),
        };
        let numbers = Clustering::new(&seen.distances, going).unwrap();
        let size = GridSize { rows: 2, columns: 2 };
        let options = CardFacts { size: Some(size), ..CardFacts::default() };
        let photo = |picture| Photo { name: "cards", picture: PhotoContent::Pixels(picture) };
        let photos: Vec<Photo<'_>> = pictures.iter().map(photo).collect();
        let whole = Layout {
            size: GridSize::ONE,
            quads: vec![Quad::whole_picture(64, 64)],
            score: 0.0,
            is_guess: false,
        };
        let ends = [
            find::cards("cards", &pictures[0], None, stopped).err(),
            cards(&photos, &options, stopped).err(),
            best_cut("cards", &pictures[0], vec![whole], stopped).err(),
            strangeness(&strips, stopped).err(),
            distances(&strips, stopped).err(),
            separated(&seen.distances, &pictures, stopped).err(),
            Clustering::new(&seen.distances, stopped).err(),
            numbers.groups(4, stopped).err(),
            alternatives(&seen, size, &options, stopped).err(),
            Reading::new(&photos, &options, &limits).err(),
        ];
        for (step, end) in ends.into_iter().enumerate() {
            let expected = ReadError::Stopped(StopReason::Interrupted);
            assert_eq!(end, Some(expected), "{step}");
        }
    }

    #[test]
    fn too_many_cards_are_rejected_before_cutting() {
        let options = CardFacts {
            size: Some(GridSize { rows: 1_000, columns: 1_000 }),
            ..CardFacts::default()
        };
        let pictures = striped(1);
        let photo = Photo { name: "cards", picture: PhotoContent::Pixels(&pictures[0]) };
        let refused = Reading::new(&[photo], &options, &Limits::default()).unwrap_err();
        assert_eq!(refused, ReadError::Many { found: 1_000_000 });
    }
}
