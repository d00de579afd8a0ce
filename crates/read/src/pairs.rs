//! Pairs groups of sides that match each other across a seam.
//!
//! Two halves of an image meet along a line, where both have the same colours, one from left to
//! right, the other from right to left. A whole image, which matches itself, is the same in both
//! directions.

use image::RgbImage;

use crate::EdgeKind;
use crate::card::{SIDES, reduced, turned};
use crate::colour::log_colours;

/// The number of samples in a profile along a side.
const PLACES: usize = 48;

/// The rows of pixels next to the side that are averaged; the outermost row may show the ground.
const ROWS: std::ops::Range<usize> = 1..4;

/// The maximum shift between two profiles, in samples.
const SHIFT: usize = 4;

/// The additional cost of a whole image, because most images have halves.
const WHOLE: f32 = 0.15;

/// The additional cost of a pairing with both whole images and halves.
const MIXED: f32 = 0.4;

/// The cost of a forbidden pair.
const NEVER: f32 = 100.0;

/// The maximum number of groups that are paired optimally; more are paired greedily.
const EXACT: usize = 16;

/// The colours along a side, at [`PLACES`] samples from left to right, in the form of
/// [`log_colours`].
pub(crate) type Profile = Vec<[f32; 3]>;

/// The profiles of all sides: the top, right, bottom and left sides of the first card, then of the
/// next. Brightness is relative to the mean of the card.
pub(crate) fn profiles(cards: &[RgbImage]) -> Vec<Profile> {
    let mut all = Vec::new();
    for card in cards {
        let small = reduced(card, PLACES);
        let colours = log_colours(&small);
        let light = colours.iter().map(|c| c[0]).sum::<f32>() / colours.len() as f32;
        for side in 0..SIDES {
            let colours = log_colours(&turned(&small, side));
            let place = |x: usize| {
                let mut sum = [0.0; 3];
                for row in ROWS {
                    for (sum, value) in sum.iter_mut().zip(colours[row * PLACES + x]) {
                        *sum += value / ROWS.len() as f32;
                    }
                }
                sum[0] -= light;
                sum
            };
            all.push((0..PLACES).map(place).collect());
        }
    }
    all
}

/// The mean profile of each group, minus the background beside the images. `of` has the group of
/// each side, `number` is that of the groups.
pub(crate) fn mean_profiles(profiles: &[Profile], of: &[usize], number: usize) -> Vec<Profile> {
    let mean = |members: &[usize]| -> Profile {
        let place = |x: usize| {
            [0, 1, 2].map(|c| {
                let sum: f32 = members.iter().map(|&side| profiles[side][x][c]).sum();
                sum / members.len().max(1) as f32
            })
        };
        (0..PLACES).map(place).collect()
    };
    let groups: Vec<Profile> = (0..number)
        .map(|group| {
            let members: Vec<usize> = (0..of.len()).filter(|&side| of[side] == group).collect();
            mean(&members)
        })
        .collect();
    groups.iter().map(minus_background).collect()
}

/// Subtracts the mean of both ends of a profile, to which images seldom extend.
fn minus_background(profile: &Profile) -> Profile {
    /// The number of samples of an end.
    const END: usize = PLACES / 6;
    let ends = || profile[..END].iter().chain(&profile[PLACES - END..]);
    let ground = [0, 1, 2].map(|c| ends().map(|place| place[c]).sum::<f32>() / (2 * END) as f32);
    profile.iter().map(|place: &[f32; 3]| [0, 1, 2].map(|c| place[c] - ground[c])).collect()
}

/// The mismatch between two profiles, at the best shift: 0 if one is a multiple of the other's
/// mirror image, 1 if they are uncorrelated, at most 2.
fn mismatch(a: &Profile, b: &Profile) -> f32 {
    let at_shift = |shift: usize| {
        let (mut product, mut left, mut right) = (0.0, 1e-9, 1e-9);
        for (x, own) in a.iter().enumerate().take(PLACES - SHIFT).skip(SHIFT) {
            let other = &b[PLACES - 1 - (x + shift - SHIFT)];
            let off = (x as f32 + 0.5) / PLACES as f32 * 2.0 - 1.0;
            let weight = (-2.0 * off * off).exp();
            for (u, v) in own.iter().zip(other) {
                product += u * v * weight;
                left += u * u * weight;
                right += v * v * weight;
            }
        }
        1.0 - product / (left * right).sqrt()
    };
    (0..=2 * SHIFT).map(at_shift).fold(f32::MAX, f32::min)
}

/// A pairing of the groups.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pairing {
    /// The group that matches each group; itself for a whole image.
    pub mate: Vec<usize>,
    /// The sum of the mismatches of the pairs, plus additional costs.
    pub cost: f32,
}

/// The mismatch of every two groups, halved for a group with itself (a whole image).
pub(crate) fn mismatches(groups: &[Profile]) -> Vec<Vec<f32>> {
    let of = |a: usize, b: usize| {
        let cost = mismatch(&groups[a], &groups[b]);
        if a == b { cost / 2.0 } else { cost }
    };
    (0..groups.len()).map(|a: usize| (0..groups.len()).map(|b| of(a, b)).collect()).collect()
}

/// The cheapest pairing: all halves, all whole images or, at an additional cost, a mixture. With
/// `is_few`, whole images have a smaller additional cost. If `kind` is given, all edges are of it.
pub(crate) fn best_pairing(
    mismatches: &[Vec<f32>],
    kind: Option<EdgeKind>,
    is_few: bool,
) -> Pairing {
    let number = mismatches.len();
    let mut costs = mismatches.to_vec();
    for (group, row) in costs.iter_mut().enumerate() {
        row[group] += if is_few { WHOLE / 5.0 } else { WHOLE };
    }
    let costs = &costs[..];
    let whole =
        Pairing { mate: (0..number).collect(), cost: (0..number).map(|a| costs[a][a]).sum() };
    if kind == Some(EdgeKind::Whole) {
        return whole;
    }
    let mut apart = costs.to_vec();
    for (group, row) in apart.iter_mut().enumerate() {
        row[group] = NEVER;
    }
    let halves = paired(&apart);
    if kind == Some(EdgeKind::Halves) {
        return halves;
    }
    let mut mixed = paired(costs);
    mixed.cost += MIXED;
    let best = [halves, whole, mixed].into_iter().min_by(|a, b| a.cost.total_cmp(&b.cost));
    best.unwrap_or_else(|| Pairing { mate: Vec::new(), cost: 0.0 })
}

/// A cheap pairing: the optimum for up to [`EXACT`] groups, otherwise greedy.
pub(crate) fn paired(costs: &[Vec<f32>]) -> Pairing {
    if costs.len() > EXACT { greedy(costs) } else { exact(costs) }
}

/// The optimal pairing, by dynamic programming over subsets: the first group of a subset is paired
/// with itself or another one. Takes 2^n · n steps.
fn exact(costs: &[Vec<f32>]) -> Pairing {
    let number = costs.len();
    let all = (1_usize << number) - 1;
    let mut least = vec![f32::MAX; all + 1];
    let mut choice = vec![0; all + 1];
    least[0] = 0.0;
    for set in 1..=all {
        let first = set.trailing_zeros() as usize;
        for other in (first..number).filter(|other| set >> other & 1 == 1) {
            let cost = least[set & !(1 << first) & !(1 << other)] + costs[first][other];
            if cost < least[set] {
                least[set] = cost;
                choice[set] = other;
            }
        }
    }
    let mut mate = vec![0; number];
    let mut set = all;
    while set > 0 {
        let first = set.trailing_zeros() as usize;
        let other = choice[set];
        mate[first] = other;
        mate[other] = first;
        set &= !(1 << first) & !(1 << other);
    }
    Pairing { mate, cost: least[all] }
}

/// All pairings that differ from the best one by exchanging partners between two pairs, or by
/// joining two whole images into one pair, with their costs.
pub(crate) fn alternative_pairings(costs: &[Vec<f32>], best: &Pairing) -> Vec<Pairing> {
    let firsts: Vec<usize> = (0..costs.len()).filter(|&a| best.mate[a] >= a).collect();
    let mut others = Vec::new();
    for (place, &a) in firsts.iter().enumerate() {
        for &c in &firsts[place + 1..] {
            let (b, d) = (best.mate[a], best.mate[c]);
            let before = costs[a][b] + costs[c][d];
            let exchanges = if a == b && c == d {
                vec![vec![(a, c)]]
            } else {
                vec![vec![(a, c), (b, d)], vec![(a, d), (b, c)]]
            };
            for pairs in exchanges {
                let mut mate = best.mate.clone();
                let mut after = 0.0;
                for (x, y) in pairs {
                    mate[x] = y;
                    mate[y] = x;
                    after += costs[x][y];
                }
                if (0..mate.len()).all(|x| mate[mate[x]] == x) {
                    others.push(Pairing { mate, cost: best.cost - before + after });
                }
            }
        }
    }
    others
}

/// A greedy pairing: repeatedly pairs the groups with the least cost among those left.
fn greedy(costs: &[Vec<f32>]) -> Pairing {
    let number = costs.len();
    let mut pairs: Vec<(usize, usize)> =
        (0..number).flat_map(|a| (a..number).map(move |b| (a, b))).collect();
    // A whole image covers one group, so its cost is doubled for the comparison.
    let of_group = |&(a, b): &(usize, usize)| {
        if a == b { costs[a][a] * 2.0 } else { costs[a][b] }
    };
    pairs.sort_by(|a, b| of_group(a).total_cmp(&of_group(b)));
    let mut mate = vec![usize::MAX; number];
    let mut cost = 0.0;
    for (a, b) in pairs {
        if mate[a] == usize::MAX && mate[b] == usize::MAX {
            mate[a] = b;
            mate[b] = a;
            cost += costs[a][b];
        }
    }
    Pairing { mate, cost }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A profile that is 0 except for a triangle of the given height around a sample.
    fn bump(at: usize, height: f32) -> Profile {
        let place = |x: usize| {
            let near = (4.0 - x.abs_diff(at) as f32).max(0.0);
            [near * height, 0.0, -near * height]
        };
        (0..PLACES).map(place).collect()
    }

    #[test]
    fn matching_profiles_are_mirror_images() {
        let left = bump(14, 1.0);
        assert!(mismatch(&left, &bump(PLACES - 1 - 14, 0.5)) < 0.01);
        assert!(mismatch(&left, &left) > 0.5);
    }

    #[test]
    fn exact_and_greedy_pairing_agree_if_partners_are_unique() {
        let groups: Vec<Profile> = [8, 14, 20]
            .into_iter()
            .flat_map(|at| [bump(at, 1.0), bump(PLACES - 1 - at, 1.0)])
            .collect();
        let costs = mismatches(&groups);
        let mate = vec![1, 0, 3, 2, 5, 4];
        assert_eq!(best_pairing(&costs, None, false).mate, mate);
        assert_eq!(greedy(&costs).mate, mate);
        let whole = best_pairing(&costs, Some(EdgeKind::Whole), false);
        assert_eq!(whole.mate, [0, 1, 2, 3, 4, 5]);
        let others = alternative_pairings(&costs, &best_pairing(&costs, None, false));
        assert_eq!(others.len(), 6);
        assert!(others.iter().all(|other| other.cost > best_pairing(&costs, None, false).cost));
    }
}
