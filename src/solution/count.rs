//! How many labelled solutions, and how many classes of them, one distinct arrangement stands for.
//!
//! A labelled solution says which tile lies in each cell, and how. Twins have names of their own,
//! copies of a tile have one.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::Picture;
use crate::board::Symmetry;
use crate::problem::Problem;
use crate::puzzle::{Copies, Kind, Orientation, OrientedKind};

/// What one distinct arrangement stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandsFor {
    /// Labelled solutions.
    pub solutions: BigUint,
    /// Those up to the group.
    pub classes: BigUint,
}

/// The number of labelled solutions that look like `picture` up to the group, given the size of
/// its orbit: orbit × the ways to name the tiles of each kind × Π over cells the number of
/// orientations in which the tile looks the same; and of their classes. Exact, whatever its size.
///
/// A kind of c tiles, u of them used, is named in c!/(c−u)! ways. Where tiles have copies, the ways
/// are u! times the coefficient of xᵘ in the product of Σ xʲ/j! over the tiles, j up to the number
/// of copies; and a symmetry can leave a labelled solution as it is, so that classes are counted by
/// Burnside's lemma.
pub fn stands_for(problem: &Problem, picture: &Picture, orbit: usize) -> StandsFor {
    let kinds = &problem.kinds;
    let has_copies = problem.puzzle.has_copies();
    let mut used = vec![0; kinds.kinds.len()];
    let mut solutions = BigUint::from(orbit);
    for value in picture.values() {
        let OrientedKind { kind, same, .. } = kinds.values[value];
        let left = kinds.kinds[kind].tiles.len().saturating_sub(used[kind]);
        used[kind] += 1;
        solutions *= if has_copies { same } else { left * same };
    }
    if !has_copies {
        let classes = &solutions / problem.group.len();
        return StandsFor { solutions, classes };
    }
    for (kind, &used) in kinds.kinds.iter().zip(&used) {
        solutions *= namings(problem, kind, &vec![1; used]);
    }
    let classes = orbits(problem, picture);
    StandsFor { solutions, classes }
}

/// The labelled solutions that look like the picture up to the group, up to the group.
fn orbits(problem: &Problem, picture: &Picture) -> BigUint {
    let mut sum = BigUint::ZERO;
    let mut number = 0usize;
    for symmetry in &problem.group {
        if picture.image(problem, symmetry) == *picture {
            sum += fixed_solutions(problem, picture, symmetry);
            number += 1;
        }
    }
    sum / number
}

/// The labelled solutions that look like `picture` and that the symmetry, which maps the picture
/// onto itself, leaves as they are.
pub fn fixed_solutions(problem: &Problem, picture: &Picture, symmetry: &Symmetry) -> BigUint {
    let values: Vec<usize> = picture.values().collect();
    let mut lengths = vec![Vec::new(); problem.kinds.kinds.len()];
    let mut count = BigUint::from(1u32);
    let mut is_seen = vec![false; values.len()];
    for start in 0..values.len() {
        if is_seen[start] {
            continue;
        }
        let value = &problem.kinds.values[values[start]];
        let mut motion = Orientation::default();
        let mut cell = start;
        let mut length = 0usize;
        while !is_seen[cell] {
            is_seen[cell] = true;
            motion = motion.then(symmetry.motion[cell], value.edges.len());
            cell = symmetry.image[cell];
            length += 1;
        }
        // Once around, a tile lies as it lay, not only so that it looks the same.
        if motion != Orientation::default() {
            return BigUint::ZERO;
        }
        lengths[value.kind].push(length);
        count *= value.same;
    }
    for (kind, lengths) in problem.kinds.kinds.iter().zip(&lengths) {
        count *= namings(problem, kind, lengths);
    }
    count
}

/// In how many ways groups of so many cells are named after tiles of a kind, all cells of a group
/// after one tile.
fn namings(problem: &Problem, kind: &Kind, groups: &[usize]) -> BigUint {
    let copies = kind
        .tiles
        .iter()
        .map(|&tile| problem.puzzle.tiles[tile].copies);
    let copies: Vec<Copies> = copies.collect();
    match copies[..] {
        [one] => {
            let used: usize = groups.iter().sum();
            BigUint::from(u32::from(used <= one.within(usize::MAX)))
        }
        _ => dealt(&copies, groups),
    }
}

/// The same where tiles have copies: by how many of them are left, tile by tile, how many groups of
/// each length go to it.
fn dealt(copies: &[Copies], groups: &[usize]) -> BigUint {
    let mut lengths: Vec<usize> = groups.to_vec();
    lengths.sort_unstable();
    lengths.dedup();
    let numbers: Vec<usize> = lengths
        .iter()
        .map(|length| groups.iter().filter(|other| *other == length).count())
        .collect();
    // By how many groups of each length are named, in how many ways that is done.
    let mut ways = BTreeMap::from([(vec![0; lengths.len()], BigUint::from(1u32))]);
    for copies in copies {
        let mut next = BTreeMap::new();
        for (named, ways) in &ways {
            let mut left = vec![(named.clone(), copies.within(usize::MAX), ways.clone())];
            for (index, &length) in lengths.iter().enumerate() {
                left = left
                    .into_iter()
                    .flat_map(|(named, room, ways)| {
                        let free = numbers[index] - named[index];
                        let most = free.min(room / length);
                        (0..=most).map(move |more| {
                            let mut named = named.clone();
                            named[index] += more;
                            (named, room - more * length, &ways * binomial(free, more))
                        })
                    })
                    .collect();
            }
            for (named, _, ways) in left {
                *next.entry(named).or_insert(BigUint::ZERO) += ways;
            }
        }
        ways = next;
    }
    ways.remove(&numbers).unwrap_or_default()
}

fn binomial(of: usize, taken: usize) -> BigUint {
    let factors = (0..taken).map(|i| BigUint::from(of - i));
    let divisors = (1..=taken).map(BigUint::from);
    factors.product::<BigUint>() / divisors.product::<BigUint>()
}
