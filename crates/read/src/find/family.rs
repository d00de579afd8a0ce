//! Families of cards: quadrilaterals of about the same size that do not overlap.

use edgematch::runtime::limits::CancelToken;

use super::edges::{Edges, Support};
use crate::quad::{Point, Quad, distance};
use crate::{Result, poll, sorted};

/// The maximum difference of the logarithms of the sizes of two cards of a family.
const ALIKE: f32 = 0.15;

/// Cards whose centres are nearer than this, relative to their size, overlap.
const APART: f32 = 0.88;

/// The minimum evidence for a card that is predicted from others.
pub(super) const PREDICTED: Support = Support { mean: 0.6, least: 0.3 };

/// The same for cards whose sides are hardly visible.
pub(super) const FAINT: Support = Support { mean: 0.35, least: 0.1 };

/// The minimum likeness in colour of a predicted card to the known ones.
const COLOURED: f32 = 0.5;

/// The evidence for each side of a predicted card from which its colours do not matter.
const EVIDENT: f32 = 0.75;

/// A quadrilateral that may be a card.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub quad: Quad,
    pub support: Support,
    /// The number of regions that it was fitted to.
    regions: usize,
}

impl Candidate {
    fn new(edges: &Edges, quad: Quad) -> Candidate {
        Candidate { quad, support: edges.support(&quad), regions: 1 }
    }

    /// The evidence that it is a card; not positive if there is none.
    pub fn value(&self) -> f32 {
        1.2 * (self.support.mean - 0.5)
            + 0.5 * (self.support.least - 0.2)
            + 0.05 * (1.0 + self.regions as f32).ln()
    }

    /// The side of a square with the same area.
    pub fn size(&self) -> f32 {
        self.quad.area().sqrt()
    }

    /// Returns true if the cards overlap, as squares of about the same size.
    fn overlaps(&self, other: &Candidate) -> bool {
        distance(self.quad.middle(), other.quad.middle())
            < APART * self.size().midpoint(other.size())
    }
}

/// These quadrilaterals, with their sides moved to the steps in colour; those that
/// nearly coincide are merged.
///
/// # Errors
/// If the token stops the run.
pub(super) fn candidates(
    edges: &Edges,
    quads: &[Quad],
    token: &CancelToken<'_>,
) -> Result<Vec<Candidate>> {
    /// The distance of the centres, relative to the size, up to which two quadrilaterals are the
    /// same.
    const SAME_PLACE: f32 = 0.06;
    /// The logarithm of the ratio of the sizes up to which two quadrilaterals are the same.
    const SAME_SIZE: f32 = 0.07;
    let mut merged: Vec<Candidate> = Vec::new();
    for quad in quads {
        poll(token)?;
        let found = fitted(edges, quad);
        let is_same = |other: &&mut Candidate| {
            let size = other.size();
            distance(other.quad.middle(), found.quad.middle()) < SAME_PLACE * size
                && (found.size() / size).ln().abs() < SAME_SIZE
        };
        match merged.iter_mut().find(is_same) {
            Some(same) => {
                let regions = same.regions + 1;
                if found.support.mean > same.support.mean {
                    *same = found;
                }
                same.regions = regions;
            }
            None => merged.push(found),
        }
    }
    Ok(merged)
}

/// The quadrilateral with its sides moved to the strongest steps nearby.
fn fitted(edges: &Edges, quad: &Quad) -> Candidate {
    /// The maximum movement relative to a side.
    const REACH: f32 = 0.04;
    /// The minimum of that maximum, in pixels.
    const LEAST_REACH: f32 = 2.0;
    let reach = (quad.side() * REACH).max(LEAST_REACH);
    let moved = Candidate::new(edges, edges.refined(quad, reach));
    let unmoved = Candidate::new(edges, *quad);
    if moved.support.mean > unmoved.support.mean { moved } else { unmoved }
}

/// Cards of about the same size that do not overlap.
#[derive(Debug, Clone)]
pub(super) struct Family {
    pub cards: Vec<Candidate>,
    /// The evidence, which grows with the part of the picture that the cards cover.
    pub score: f32,
}

/// The best families with different sizes, at most `most`, the best first.
pub(super) fn families(edges: &Edges, candidates: &[Candidate], most: usize) -> Vec<Family> {
    /// The number of candidates around which families are built.
    const SEEDS: usize = 60;
    let mut seeds: Vec<&Candidate> = candidates.iter().filter(|seed| seed.value() > 0.0).collect();
    let weight = |seed: &Candidate| seed.value() * seed.quad.area();
    seeds.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut all: Vec<(f32, Family)> = Vec::new();
    for seed in seeds.iter().take(SEEDS) {
        let mut near: Vec<&Candidate> = seeds
            .iter()
            .copied()
            .filter(|other| (other.size() / seed.size()).ln().abs() < ALIKE)
            .collect();
        near.sort_by(|a, b| b.value().total_cmp(&a.value()));
        let mut cards: Vec<Candidate> = Vec::new();
        for card in near {
            if cards.iter().all(|other| !other.overlaps(card)) {
                cards.push(*card);
            }
        }
        all.push((seed.size(), Family::new(edges, cards)));
    }
    all.sort_by(|a, b| b.1.score.total_cmp(&a.1.score));
    let mut best: Vec<(f32, Family)> = Vec::new();
    for (size, family) in all {
        let is_new = best.iter().all(|(other, _)| (size / other).ln().abs() > ALIKE);
        if is_new && best.len() < most {
            best.push((size, family));
        }
    }
    best.into_iter().map(|(_, family)| family).collect()
}

impl Family {
    fn new(edges: &Edges, cards: Vec<Candidate>) -> Family {
        let picture = (edges.width * edges.height) as f32;
        let covered: f32 = cards.iter().map(|card| card.value() * card.quad.area()).sum();
        Family { score: covered / picture * by_number(cards.len()), cards }
    }

    /// Returns true if there are too many cards to be improved one by one: they are the cells of a
    /// pattern.
    fn is_pattern(&self) -> bool {
        const MOST: usize = 150;
        self.cards.len() > MOST
    }

    /// Replaces cards that are not squares of the usual size, because a side was fitted to another
    /// line, by such squares where these have more evidence.
    pub fn regular(&self, edges: &Edges) -> Family {
        /// The maximum logarithm of the ratio of a side to the usual one.
        const OFF: f32 = 0.05;
        /// The amount by which the evidence may decrease.
        const LOST: f32 = 0.03;
        if self.is_pattern() {
            return self.clone();
        }
        let sides = sorted(self.cards.iter().flat_map(|card| card.quad.lengths()));
        let usual = sides[sides.len() / 2];
        let cards = self.cards.iter().map(|card| {
            let is_off = |side: &f32| (side / usual).ln().abs() > OFF;
            if !card.quad.lengths().iter().any(is_off) {
                return *card;
            }
            let squares = (0..4).flat_map(|side| card.quad.squares_at(side, usual));
            let best = squares
                .map(|square| fitted(edges, &square))
                .max_by(|a, b| a.support.mean.total_cmp(&b.support.mean));
            best.filter(|best| best.support.mean > card.support.mean - LOST).unwrap_or(*card)
        });
        Family::new(edges, cards.collect())
    }

    /// Adds cards that are visible beside those known, at the distances that occur between them.
    /// `least` is the minimum evidence.
    ///
    /// # Errors
    /// If the token stops the run.
    pub fn completed(
        &self,
        edges: &Edges,
        least: Support,
        token: &CancelToken<'_>,
    ) -> Result<Family> {
        /// The maximum number of positions that are tried.
        const TRIED: usize = 400;
        /// The maximum distance of neighbours, relative to their size.
        const NEIGHBOUR: f32 = 1.8;
        /// Positions nearer than this, relative to the size of a card, count as the same.
        const SAME: f32 = 0.2;
        if self.is_pattern() {
            return Ok(self.clone());
        }
        let colours = CardColours::new(edges, &self.cards);
        let middles: Vec<Point> = self.cards.iter().map(|card| card.quad.middle()).collect();
        let between = |a: &Point, b: &Point| (b.0 - a.0, b.1 - a.1);
        let pairs = middles.iter().flat_map(|a| middles.iter().map(move |b| between(a, b)));
        let size = self.cards.iter().map(Candidate::size).sum::<f32>() / self.cards.len() as f32;
        let mut steps: Vec<Point> = Vec::new();
        for step in pairs {
            let length = distance(step, (0.0, 0.0));
            let is_same = |&other: &Point| distance(other, step) < SAME * size;
            if length > 0.0 && length < NEIGHBOUR * size && !steps.iter().any(is_same) {
                steps.push(step);
            }
        }
        let mut cards = self.cards.clone();
        let mut tried: Vec<Point> = Vec::new();
        let mut at = 0;
        while let Some(&card) = cards.get(at) {
            at += 1;
            for &step in &steps {
                poll(token)?;
                let quad = card.quad.moved(step);
                let middle = quad.middle();
                if tried.len() == TRIED
                    || !edges.contains(middle)
                    || tried.iter().any(|&other| distance(other, middle) < SAME * size)
                    || cards.iter().any(|other| other.overlaps(&Candidate { quad, ..card }))
                {
                    continue;
                }
                tried.push(middle);
                let found = searched(edges, &quad);
                if found.support.reaches(least)
                    && cards.iter().all(|other| !other.overlaps(&found))
                    && (found.support.least >= EVIDENT
                        || colours.likeness(edges, &found.quad) >= COLOURED)
                {
                    cards.push(found);
                }
            }
        }
        Ok(Family::new(edges, cards))
    }

    /// Adds the squares of the usual size with the most evidence anywhere in the picture, up to
    /// `wanted` cards.
    ///
    /// # Errors
    /// If the token stops the run.
    pub fn with_distant(
        &self,
        edges: &Edges,
        wanted: usize,
        token: &CancelToken<'_>,
    ) -> Result<Family> {
        /// The minimum distance between positions that are tried, relative to a card.
        const STEP: f32 = 0.15;
        /// The minimum distance between positions that are tried, relative to the picture.
        const STEP_IN_PICTURE: f32 = 0.012;
        /// The number of angles that are tried.
        const ANGLES: usize = 10;
        /// The number of positions that are searched exactly.
        const EXACT: usize = 40;
        /// The minimum evidence for positions that are searched exactly.
        const LEAST_EVIDENCE: f32 = 0.4;
        let mut cards = self.cards.clone();
        let side = self.side();
        let colours = CardColours::new(edges, &cards);
        let step = (side * STEP).max(edges.width.max(edges.height) as f32 * STEP_IN_PICTURE);
        let places = |length: usize| {
            (0..).map(move |i| i as f32 * step).take_while(move |&at| at < length as f32)
        };
        let mut all = Vec::new();
        for middle in places(edges.height).flat_map(|y| places(edges.width).map(move |x| (x, y))) {
            poll(token)?;
            if cards.iter().any(|card| distance(card.quad.middle(), middle) < APART * side) {
                continue;
            }
            let turned = (0..ANGLES).map(|turn| {
                let angle = turn as f32 / ANGLES as f32 * std::f32::consts::FRAC_PI_2;
                let quad = Quad::square(middle, side, angle);
                (edges.support(&quad).mean, quad)
            });
            all.extend(
                turned.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|best| best.0 > LEAST_EVIDENCE),
            );
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, quad) in all.into_iter().take(EXACT) {
            poll(token)?;
            let found = searched(edges, &quad);
            let is_card = found.support.reaches(PREDICTED)
                && cards.iter().all(|other| !other.overlaps(&found))
                && colours.likeness(edges, &found.quad) >= COLOURED;
            if is_card && cards.len() < wanted {
                cards.push(found);
            }
        }
        Ok(Family::new(edges, cards))
    }

    /// The `number` cards with the most evidence.
    pub fn best(&self, edges: &Edges, number: usize) -> Family {
        let mut cards = self.cards.clone();
        cards.sort_by(|a, b| b.value().total_cmp(&a.value()));
        cards.truncate(number);
        Family::new(edges, cards)
    }

    /// The mean side of the cards, in pixels.
    pub fn side(&self) -> f32 {
        self.cards.iter().map(|card| card.quad.side()).sum::<f32>() / self.cards.len() as f32
    }

    /// The evidence that these are cards: their mean support minus that of copies which are moved
    /// by a quarter of a side in eight directions. In a texture or a grid, both are alike.
    pub fn confidence(&self, edges: &Edges) -> f32 {
        const MOVED: f32 = 0.25;
        let number = self.cards.len() as f32;
        let own: f32 = self.cards.iter().map(|card| card.support.mean).sum();
        let copies = self.cards.iter().map(|card| {
            let around = (0..8).map(|eighth| {
                let (sin, cos) = (eighth as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
                let by = MOVED * card.size();
                edges.support(&card.quad.moved((cos * by, sin * by))).mean
            });
            around.sum::<f32>() / 8.0
        });
        (own - copies.sum::<f32>()) / number
    }
}

/// The factor by which more cards of the same total area are better evidence.
pub(super) fn by_number(cards: usize) -> f32 {
    1.0 + 0.25 * (cards as f32).ln()
}

/// The best position of a quadrilateral within 9 % of its size, with its sides moved to the
/// strongest steps.
fn searched(edges: &Edges, quad: &Quad) -> Candidate {
    let size = quad.side();
    let offsets = [-0.09, -0.045, 0.0, 0.045, 0.09].map(|part| part * size);
    let moved = offsets.iter().flat_map(|&x| offsets.iter().map(move |&y| quad.moved((x, y))));
    let by_support = |quad: Quad| (edges.support(&quad).mean, quad);
    let best = moved.map(by_support).max_by(|a, b| a.0.total_cmp(&b.0));
    fitted(edges, &best.map_or(*quad, |(_, quad)| quad))
}

/// The frequency of colours on cards relative to that in the whole picture.
struct CardColours {
    /// The fraction of the pixels of each cell of the colour space that are on cards.
    on_cards: Vec<f32>,
}

impl CardColours {
    /// The number of cells of the colour space.
    const CELLS: usize = 10 * 8 * 8;

    fn new(edges: &Edges, cards: &[Candidate]) -> CardColours {
        let mut all = vec![1.0_f32; Self::CELLS];
        for colour in &edges.colours {
            all[Self::cell(colour)] += 1.0;
        }
        let mut inside = vec![0.5_f32; Self::CELLS];
        for card in cards {
            let weight = card.quad.area() / Self::SAMPLES.pow(2) as f32;
            for colour in Self::samples(edges, &card.quad) {
                inside[Self::cell(&colour)] += weight;
            }
        }
        let on_cards = inside.iter().zip(&all).map(|(inside, all)| (inside / all).min(1.0));
        CardColours { on_cards: on_cards.collect() }
    }

    /// The cell of a colour.
    fn cell([light, a, b]: &[f32; 3]) -> usize {
        let place = |value: f32, cells: usize| {
            (value * cells as f32).clamp(0.0, cells as f32 - 1.0) as usize
        };
        (place(light / 100.0, 10) * 8 + place((a + 64.0) / 128.0, 8)) * 8
            + place((b + 64.0) / 128.0, 8)
    }

    /// The number of samples across and down a card.
    const SAMPLES: usize = 12;

    /// The colours at evenly distributed points of a quadrilateral that are in the picture.
    fn samples(edges: &Edges, quad: &Quad) -> Vec<[f32; 3]> {
        let at = |i: usize| (i as f32 + 0.5) / Self::SAMPLES as f32;
        let [a, b, c, d] = quad.0;
        let point = |x: f32, y: f32| {
            let mixed = |f: fn(Point) -> f32| {
                let top = f(a) + (f(b) - f(a)) * x;
                top + (f(d) + (f(c) - f(d)) * x - top) * y
            };
            (mixed(|p| p.0), mixed(|p| p.1))
        };
        let mut all = Vec::new();
        for i in 0..Self::SAMPLES {
            for j in 0..Self::SAMPLES {
                let (x, y) = point(at(i), at(j));
                if edges.contains((x, y)) {
                    all.push(edges.colours[y as usize * edges.width + x as usize]);
                }
            }
        }
        all
    }

    /// The mean, over a quadrilateral, of the fraction of pixels with the same colour that are on
    /// cards.
    fn likeness(&self, edges: &Edges, quad: &Quad) -> f32 {
        let samples = Self::samples(edges, quad);
        let sum: f32 = samples.iter().map(|colour| self.on_cards[Self::cell(colour)]).sum();
        sum / samples.len().max(1) as f32
    }
}
