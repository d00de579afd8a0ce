//! The prior likelihood of a slip, before it is known whether its correction gives a solution.
//!
//! Puzzle makers are regular: images occur about equally often, and tiles have similar patterns (such
//! as four different images, two heads and two tails). A slip breaks this regularity, and its
//! correction restores it. The regularity of a puzzle is estimated from its other tiles.
//!
//! `EVENNESS`, `RESEMBLANCE` and the frequency of mirrored tiles are rounded from a fit to 1,286 slips
//! on 32 sold puzzles of nine tiles. The other frequencies are assumptions.

use std::collections::HashMap;

use super::slips::{PossibleSlip, SlipKind};
use crate::problem::Problem;
use crate::problem::oddities::similar;
use crate::puzzle::{Assumption, Face, Half, Label, Puzzle, list_rotations};

/// Statistics of a puzzle that determine the likelihood of slips.
pub(super) struct Likeness<'p> {
    puzzle: &'p Puzzle,
    /// The number of edges that show each label.
    edges: Vec<i64>,
    /// The number of tiles with each pattern of images, and with each pattern of halves; see
    /// [`traits_of`].
    traits: [HashMap<Vec<usize>, usize>; 2],
    /// The total number of sides of all tiles.
    sides: usize,
}

/// The decrease of the log-likelihood for each edge by which an image differs from the mean of all
/// images.
const EVENNESS: f64 = 1.2;

/// The factor for another order of the edges if the file does not state the order.
const UNKNOWN_ORDER: f64 = 4.0;

/// The exponent of the ratio of tiles with the patterns after and before a correction.
const RESEMBLANCE: f64 = 0.75;

/// The frequency of each kind of slip, relative to the others. With that of exchanged edges, the right
/// tile is among the first three for 70 % of them, as for other kinds.
fn frequency(kind: SlipKind) -> f64 {
    match kind {
        SlipKind::Exchanged => 3.0,
        SlipKind::Mirrored => 0.6,
        SlipKind::Order => 0.5,
        _ => 1.0,
    }
}

impl<'p> Likeness<'p> {
    /// Counts the edges and traits of all tiles, with which those of a tile are compared.
    pub fn new(problem: &'p Problem) -> Likeness<'p> {
        let puzzle = &problem.puzzle;
        let mut edges = vec![0; puzzle.labels.len()];
        let mut traits = [HashMap::new(), HashMap::new()];
        for tile in &puzzle.tiles {
            for label in tile.shown_labels() {
                edges[label.index()] += 1;
            }
            for (count, own) in traits.iter_mut().zip(traits_of(puzzle, &tile.edges)) {
                *count.entry(own).or_default() += 1;
            }
        }
        Likeness {
            puzzle,
            edges,
            traits,
            sides: puzzle.tiles.iter().map(|tile| tile.sides()).sum(),
        }
    }

    /// The number of possible slips of a kind in a puzzle like this; each gets an equal share of
    /// the kind's likelihood.
    fn count_slips(&self, kind: SlipKind) -> usize {
        let images = self.puzzle.labels.images().max(2);
        match kind {
            SlipKind::Order | SlipKind::Copied => 2,
            SlipKind::Mirrored => self.puzzle.tiles.len(),
            SlipKind::Exchanged | SlipKind::Sign => self.sides,
            SlipKind::Image => self.sides * (images - 1),
        }
    }

    /// The number of edges that show the image of `label`, given the number for each label.
    fn count_edges(&self, edges: &[i64], label: Label) -> i64 {
        match self.puzzle.labels.mate(label) {
            mate if mate == label => edges[label.index()],
            mate => edges[label.index()] + edges[mate.index()],
        }
    }

    /// The likelihood of a slip, up to a factor that is common to all slips. For a slip on all
    /// tiles and for a copy, it is only the prior probability; for others, the edges before and
    /// after the correction are compared too.
    pub fn unnormalised_likelihood(&self, candidate: &PossibleSlip) -> f64 {
        let mut frequency = frequency(candidate.kind);
        let mut assumed = self.puzzle.assumed.iter();
        if candidate.kind == SlipKind::Order
            && assumed.any(|fact| matches!(fact, Assumption::Order(_)))
        {
            frequency *= UNKNOWN_ORDER;
        }
        let prior = frequency / self.count_slips(candidate.kind) as f64;
        let Some(tile) = candidate.tile else {
            return prior;
        };
        if candidate.kind == SlipKind::Copied {
            return prior;
        }
        let before = &self.puzzle.tiles[tile].edges;
        let mut after = before.clone();
        let mut edges = self.edges.clone();
        for change in &candidate.changes {
            let face = self.puzzle.tiles[tile].face(change.face);
            edges[face[change.side].index()] -= 1;
            edges[change.label.index()] += 1;
            if change.face == Face::Front {
                after[change.side] = change.label;
            }
        }
        let prior = prior * self.rarity_factor(candidate);
        let evenness = self.unevenness(&self.edges) - self.unevenness(&edges);
        prior * evenness.exp() * self.resemblance_factor(before, &after)
    }

    /// A factor for rare images: more than 1 if the typed image occurs only once, so that it is
    /// probably wrong, even more if its name is similar to the corrected one; less than 1 if the
    /// corrected image occurs only once, which takes precedence; otherwise 1.
    fn rarity_factor(&self, candidate: &PossibleSlip) -> f64 {
        const RARE: f64 = 100.0;
        let (SlipKind::Image, [change]) = (candidate.kind, &candidate.changes[..]) else {
            return 1.0;
        };
        let labels = &self.puzzle.labels;
        let of_image = |label: Label| self.count_edges(&self.edges, label);
        let typed = self.puzzle.tiles[change.tile].face(change.face)[change.side];
        let name = |label: Label| labels.edge(label).image.as_str();
        // An image with a half that is misspelt, such as `fish tial`, was read as a whole image.
        let is_half = labels.edge(change.label).half != Half::Whole;
        let is_similar = || {
            similar(name(typed), std::iter::once(name(change.label))).is_some()
                || (is_half && name(typed).starts_with(name(change.label)))
        };
        match (of_image(typed), of_image(change.label)) {
            (_, 1) => 1.0 / RARE,
            (1, _) if is_similar() => RARE * RARE,
            (1, _) => RARE,
            _ => 1.0,
        }
    }

    /// The unevenness of the images: how far each differs from the mean in number, in total. Higher
    /// is less likely.
    fn unevenness(&self, edges: &[i64]) -> f64 {
        let labels = &self.puzzle.labels;
        let inside = labels
            .firsts()
            .filter(|&label| self.puzzle.border != Some(label) && labels.is_known(label));
        let firsts: Vec<Label> = inside.collect();
        let of_image = |label: Label| self.count_edges(edges, label) as f64;
        let mean = firsts.iter().map(|&label| of_image(label)).sum::<f64>() / firsts.len() as f64;
        let uneven = firsts.iter().map(|&label| (of_image(label) - mean).abs());
        EVENNESS * uneven.sum::<f64>()
    }

    /// The ratio of the number of other tiles with the patterns of `after` to the number of those
    /// with the patterns of `before`, where 0.5 is added to both numbers; the product over both
    /// patterns, raised to [`RESEMBLANCE`].
    fn resemblance_factor(&self, before: &[Label], after: &[Label]) -> f64 {
        let old = traits_of(self.puzzle, before);
        let new = traits_of(self.puzzle, after);
        let ratios = self.traits.iter().zip(old.into_iter().zip(new)).map(|(count, (old, new))| {
            let of = |own: &Vec<usize>| count.get(own).copied().unwrap_or_default() as f64;
            let others = of(&old) - 1.0;
            let others_after = of(&new) - f64::from(u8::from(old == new));
            (others_after + 0.5) / (others + 0.5)
        });
        ratios.product::<f64>().powf(RESEMBLANCE)
    }
}

/// The pattern of equal images and the pattern of halves around a tile, each in the smallest form
/// over all rotations and reflections.
fn traits_of(puzzle: &Puzzle, edges: &[Label]) -> [Vec<usize>; 2] {
    let edge = |label: Label| puzzle.labels.edge(label);
    let image = |label: Label| puzzle.labels.mate(label).min(label);
    let first_with = |around: &[Label], label: Label| {
        around.iter().position(|&other| image(other) == image(label)).unwrap_or_default()
    };
    let half = |label: Label| match edge(label).half {
        Half::Plus => 1,
        Half::Minus => 2,
        Half::Whole => 0,
    };
    let mut all: Vec<Vec<Label>> = list_rotations(edges).collect();
    all.extend(all.clone().into_iter().map(|mut around| {
        around.reverse();
        around
    }));
    let least = |of: &dyn Fn(&[Label]) -> Vec<usize>| {
        all.iter().map(|around| of(around)).min().unwrap_or_default()
    };
    [
        least(&|around| around.iter().map(|&label| first_with(around, label)).collect()),
        least(&|around| around.iter().map(|&label| half(label)).collect()),
    ]
}
