//! How many labelled solutions, and how many classes of them, one distinct arrangement stands for.
//!
//! A labelled solution says which tile lies in each cell, and how. Twins have names of their own,
//! copies of a tile have one.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::Picture;
use crate::board::Symmetry;
use crate::problem::Problem;
use crate::puzzle::{Copies, Kind, Orientation};

/// The number of labelled solutions that look like `picture` up to the group, given the size of
/// its orbit: orbit × the ways to name the tiles of each kind × Π over cells the number of
/// orientations in which the tile looks the same. Exact, whatever its size.
///
/// A kind of c tiles, u of them used, is named in c!/(c−u)! ways. Where tiles have copies, the ways
/// are u! times the coefficient of xᵘ in the product of Σ xʲ/j! over the tiles, j up to the number
/// of copies.
pub fn stands_for(problem: &Problem, picture: &Picture, orbit: usize) -> BigUint {
    let mut used = vec![0; problem.kinds.kinds.len()];
    let mut count = BigUint::from(orbit);
    for value in picture.values() {
        used[problem.kinds.values[value].kind] += 1;
        count *= problem.kinds.values[value].same;
    }
    for (kind, &used) in problem.kinds.kinds.iter().zip(&used) {
        count *= namings(problem, kind, &vec![1; used]);
    }
    count
}

/// The number of those up to the group, by Burnside's lemma: a symmetry that maps the picture onto
/// itself fixes the labelled solutions in which the cells that it permutes hold the same tile.
pub fn classes(problem: &Problem, picture: &Picture, orbit: usize) -> BigUint {
    if !problem.puzzle.has_copies() {
        return stands_for(problem, picture, orbit) / problem.group.len();
    }
    let mut sum = BigUint::ZERO;
    let mut number = 0usize;
    for symmetry in &problem.group {
        if picture.image(problem, symmetry) == *picture {
            sum += fixed(problem, picture, symmetry);
            number += 1;
        }
    }
    sum / number
}

/// The labelled solutions that look like `picture` and that the symmetry, which maps the picture
/// onto itself, leaves as they are.
fn fixed(problem: &Problem, picture: &Picture, symmetry: &Symmetry) -> BigUint {
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
        [one] => BigUint::from(u32::from(
            groups.iter().sum::<usize>() <= one.within(usize::MAX),
        )),
        _ if copies.iter().all(|&copies| copies == Copies::ONE) => {
            let all_single = groups.iter().all(|&length| length == 1);
            let ways = (0..groups.len()).map(|named| copies.len().saturating_sub(named));
            let ways: BigUint = ways.map(BigUint::from).product();
            if all_single { ways } else { BigUint::ZERO }
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
