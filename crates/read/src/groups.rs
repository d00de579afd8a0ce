//! Groups sides that look alike, and estimates the number of groups.

use edgematch::runtime::limits::CancelToken;

use crate::{EdgeKind, MOST_IMAGES, Result, poll};

/// A distance that is added to both sides of ratios, because smaller ones are due to noise.
const NOISE: f32 = 0.03;

/// The number of sides of nine cards.
const USUAL_SIDES: f32 = 36.0;

/// The usual number of halves on nine cards.
const USUAL_HALVES: f32 = 8.0;

/// The usual number of whole images on nine cards.
const USUAL_IMAGES: f32 = 4.0;

/// The exponent by which both usual numbers of images grow with the number of sides.
const GROWTH: f32 = 0.5;

/// The score that is subtracted for whole images, which are rare.
const RARE: f32 = 1.1;

/// The score that is subtracted per factor of e by which the number of groups differs from the
/// usual one.
const UNUSUAL: f32 = 1.8;

/// The score that is subtracted for an odd number of groups, which would leave a half without its
/// counterpart.
const ODD: f32 = 0.4;

/// The score that is subtracted per factor of e by which the distance of the last join exceeds that
/// of the median join.
const ABOVE_NOISE: f32 = 0.2;

/// The logarithm of that ratio of distances from which the score is reduced.
const FROM_NOISE: f32 = 0.5;

/// The cost per unit by which a score is lower than the best one.
const BY_GAP: f32 = 4.0;

/// The maximum number of different numbers of groups that are tried.
const TRIED: usize = 4;

/// The maximum number of groups: two halves of each image.
const MOST: usize = 2 * MOST_IMAGES as usize;

/// The maximum number of sides for which groups are improved by k-medoids.
const EXCHANGED: usize = 150;

/// A partition of the sides into groups.
#[derive(Debug, Clone)]
pub(crate) struct Groups {
    /// The group of each side.
    pub of: Vec<usize>,
    /// The number of groups.
    pub number: usize,
}

/// The joins of an agglomerative clustering by mean distance (average linkage; Sokal and Michener,
/// 1958) from single sides to one group of all.
pub(crate) struct Clustering<'d> {
    /// The distances between all sides.
    distances: &'d [Vec<f32>],
    /// The number of sides.
    sides: usize,
    /// The two groups of each join; the first one remains.
    joins: Vec<(usize, usize)>,
    /// The distance of each join, made non-decreasing.
    heights: Vec<f32>,
}

impl<'d> Clustering<'d> {
    /// Clusters sides with these distances from each other: repeatedly joins the two groups with
    /// the smallest mean distance, until one is left.
    ///
    /// # Errors
    /// If the token stops the run.
    pub fn new(distances: &'d [Vec<f32>], token: &CancelToken<'_>) -> Result<Clustering<'d>> {
        let sides = distances.len();
        let mut between: Vec<Vec<f32>> = distances.to_vec();
        let mut sizes = vec![1.0_f32; sides];
        let mut alive: Vec<usize> = (0..sides).collect();
        let mut joins = Vec::new();
        let mut heights: Vec<f32> = Vec::new();
        while alive.len() > 1 {
            poll(token)?;
            let pairs = alive.iter().flat_map(|&a| alive.iter().map(move |&b| (a, b)));
            let nearest = pairs
                .filter(|(a, b)| a < b)
                .min_by(|&(a, b), &(c, d)| between[a][b].total_cmp(&between[c][d]));
            let Some((kept, gone)) = nearest else {
                break;
            };
            let height = between[kept][gone];
            heights.push(heights.last().map_or(height, |last| last.max(height)));
            joins.push((kept, gone));
            alive.retain(|&group| group != gone);
            for &other in &alive {
                let sum = between[kept][other] * sizes[kept] + between[gone][other] * sizes[gone];
                let mean = sum / (sizes[kept] + sizes[gone]);
                between[kept][other] = mean;
                between[other][kept] = mean;
            }
            sizes[kept] += sizes[gone];
        }
        Ok(Clustering { distances, sides, joins, heights })
    }

    /// Up to [`TRIED`] numbers of groups with their costs, the most likely first, whose cost is 0.
    /// A number is likely if the next join has a much larger distance than the previous one.
    /// `images` and `kind` are known facts.
    pub fn likeliest(&self, images: Option<usize>, kind: Option<EdgeKind>) -> Vec<(usize, f32)> {
        let most = (self.sides / 2).min(MOST);
        let possible: Vec<usize> = match (images, kind) {
            (Some(images), Some(EdgeKind::Whole)) => vec![images],
            (Some(images), Some(EdgeKind::Halves)) => vec![2 * images],
            (Some(images), None) => vec![2 * images, images],
            (None, Some(EdgeKind::Halves)) => (2..=most).step_by(2).collect(),
            (None, _) => (2..=most).collect(),
        };
        let possible = possible.into_iter().filter(|&number| number <= self.sides.min(MOST));
        let mut scored: Vec<(usize, f32)> =
            possible.map(|number| (number, self.score(number, kind))).collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.truncate(TRIED);
        let best = scored.first().map_or(0.0, |first| first.1);
        scored.into_iter().map(|(number, score)| (number, (best - score) * BY_GAP)).collect()
    }

    /// The score of a number of groups; the greater, the more likely.
    fn score(&self, groups: usize, kind: Option<EdgeKind>) -> f32 {
        // With this many groups left, `before` was the last join and `next` is the following one.
        let next = self.heights.get(self.sides - groups).copied().unwrap_or(0.0);
        let before = (self.sides - groups).checked_sub(1).map_or(0.0, |at| self.heights[at]);
        let more = (self.sides as f32 / USUAL_SIDES).powf(GROWTH);
        let off = |usual: f32| (groups as f32 / (usual * more)).ln().abs() * UNUSUAL;
        let halves = off(USUAL_HALVES) + (groups % 2) as f32 * ODD;
        let whole = off(USUAL_IMAGES);
        let unusual = match kind {
            Some(EdgeKind::Halves) => halves,
            Some(EdgeKind::Whole) => whole,
            None => halves.min(whole + RARE),
        };
        let middle = self.heights.get(self.sides / 2).copied().unwrap_or(0.0);
        let above = ((before + 0.01) / (middle + 0.01)).ln() - FROM_NOISE;
        let high = above.max(0.0) * ABOVE_NOISE;
        ((next + NOISE) / (before + NOISE)).ln() - unusual - high
    }

    /// The groups after joining until `number` are left, numbered from 0.
    fn groups_at(&self, number: usize) -> Groups {
        let mut of: Vec<usize> = (0..self.sides).collect();
        for &(kept, gone) in &self.joins[..self.sides.saturating_sub(number)] {
            for group in &mut of {
                if *group == gone {
                    *group = kept;
                }
            }
        }
        let mut names: Vec<usize> = Vec::new();
        for group in &mut of {
            let place = names.iter().position(|name| name == group);
            *group = place.unwrap_or_else(|| {
                names.push(*group);
                names.len() - 1
            });
        }
        Groups { of, number: names.len() }
    }

    /// Divides the sides into `number` groups: those of the clustering, improved by k-medoids if
    /// there are at most [`EXCHANGED`] sides.
    ///
    /// # Errors
    /// If the token stops the run.
    pub fn groups(&self, number: usize, token: &CancelToken<'_>) -> Result<Groups> {
        let first = self.groups_at(number);
        // Exchanging medoids takes too long for many sides.
        if self.sides > EXCHANGED {
            return Ok(first);
        }
        Ok(Groups { of: self.around_medoids(&first, token)?, number: first.number })
    }

    /// Improves groups by k-medoids: medoids are exchanged while the sum of distances from them
    /// decreases (Kaufman and Rousseeuw, 1987). Returns the group of each side.
    ///
    /// # Errors
    /// If the token stops the run.
    fn around_medoids(&self, first: &Groups, token: &CancelToken<'_>) -> Result<Vec<usize>> {
        let middle = |group: usize| {
            let members = || (0..self.sides).filter(|&side| first.of[side] == group);
            let sum = |side: usize| members().map(|other| self.distances[side][other]).sum::<f32>();
            members().min_by(|&a, &b| sum(a).total_cmp(&sum(b)))
        };
        let mut medoids: Vec<usize> = (0..first.number).filter_map(middle).collect();
        let mut least = self.distance_sum(&medoids);
        loop {
            let mut best = None;
            for place in 0..medoids.len() {
                poll(token)?;
                for side in (0..self.sides).filter(|side| !medoids.contains(side)) {
                    let mut tried = medoids.clone();
                    tried[place] = side;
                    let found = self.distance_sum(&tried);
                    if found < least - 1e-4 {
                        least = found;
                        best = Some(tried);
                    }
                }
            }
            match best {
                Some(better) => medoids = better,
                None => break,
            }
        }
        let nearest = |side: usize| {
            let distance = |at: usize| self.distances[side][medoids[at]];
            (0..medoids.len()).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        };
        Ok((0..self.sides).map(|side| nearest(side).unwrap_or(0)).collect())
    }

    /// The sum of the distances of all sides from their nearest medoids.
    fn distance_sum(&self, medoids: &[usize]) -> f32 {
        let nearest = |row: &Vec<f32>| medoids.iter().map(|&m| row[m]).fold(f32::MAX, f32::min);
        self.distances.iter().map(nearest).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distances between points on a line.
    fn distances(points: &[f32]) -> Vec<Vec<f32>> {
        points.iter().map(|a: &f32| points.iter().map(|b| (a - b).abs()).collect()).collect()
    }

    #[test]
    fn points_in_clusters_are_grouped() {
        let points: Vec<f32> = (0..32).map(|i| (i % 8) as f32 + (i / 8) as f32 * 0.01).collect();
        let distances = distances(&points);
        let token = &CancelToken::never();
        let numbers = Clustering::new(&distances, token).unwrap();
        assert_eq!(numbers.likeliest(None, None)[0], (8, 0.0));
        let groups = numbers.groups(8, token).unwrap();
        for a in 0..32 {
            for b in 0..32 {
                assert_eq!(groups.of[a] == groups.of[b], a % 8 == b % 8);
            }
        }
        let told = |images, kind| -> Vec<usize> {
            numbers.likeliest(images, kind).into_iter().map(|(number, _)| number).collect()
        };
        assert_eq!(told(Some(3), Some(EdgeKind::Halves)), [6]);
        assert_eq!(told(Some(3), Some(EdgeKind::Whole)), [3]);
        assert_eq!(told(Some(8), None), [8, 16]);
    }
}
