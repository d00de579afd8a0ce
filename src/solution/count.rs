//! How many labelled solutions, and how many classes of them, one distinct arrangement stands for.
//!
//! A labelled solution says which tile lies in each cell, and how. Twins have names of their own,
//! copies of a tile have one.

use std::collections::BTreeMap;

use itertools::Itertools;
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

/// The same where tiles have copies: tile by tile, how many groups of each length go to it.
///
/// Takes as many steps as there are ways to share out the groups, by their lengths alone, among
/// the tiles of a limited number but one: with two tiles as many as there are cells.
fn dealt(copies: &[Copies], groups: &[usize]) -> BigUint {
    let by_length = groups.iter().copied().counts();
    let (lengths, numbers): (Vec<usize>, Vec<usize>) = by_length.into_iter().sorted().unzip();
    let mut limited: Vec<usize> = copies.iter().filter_map(|c| c.number()).collect();
    let unlimited = copies.len() - limited.len();
    limited.sort_unstable();
    // The tile with the most copies takes all that is left, unless there are unlimited ones.
    let last = if unlimited == 0 { limited.pop() } else { None };
    let mut ways = BTreeMap::from([(numbers, BigUint::from(1u32))]);
    for room in limited {
        let mut next = BTreeMap::new();
        for (left, ways) in ways {
            for (left, ways) in shared_out(&lengths, left, room, ways) {
                *next.entry(left).or_insert(BigUint::ZERO) += ways;
            }
        }
        ways = next;
    }
    let completed = ways.into_iter().map(|(left, ways)| match last {
        Some(room) => {
            let cells: usize = lengths.iter().zip(&left).map(|(l, n)| l * n).sum();
            ways * u32::from(cells <= room)
        }
        None => ways * BigUint::from(unlimited).pow(left.iter().sum::<usize>() as u32),
    });
    completed.sum()
}

/// By the numbers of groups of each length that are left, the ways to let one tile with this many
/// copies take the others, times the `ways` before.
fn shared_out(
    lengths: &[usize],
    groups: Vec<usize>,
    room: usize,
    ways: BigUint,
) -> impl Iterator<Item = (Vec<usize>, BigUint)> {
    let mut taken = vec![(groups, room, ways)];
    for (index, &length) in lengths.iter().enumerate() {
        let mut longer = Vec::new();
        for (mut left, mut room, mut ways) in taken {
            let number = left[index];
            for more in 1..=number.min(room / length) {
                longer.push((left.clone(), room, ways.clone()));
                // From one binomial coefficient to the next, without a remainder.
                ways *= number + 1 - more;
                ways /= more;
                left[index] -= 1;
                room -= length;
            }
            longer.push((left, room, ways));
        }
        taken = longer;
    }
    taken.into_iter().map(|(left, _, ways)| (left, ways))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names every group after every tile, one after another.
    fn one_by_one(copies: &[Copies], groups: &[usize]) -> usize {
        let tiles = groups.iter().map(|_| 0..copies.len());
        let fits = |names: &Vec<usize>| {
            copies.iter().enumerate().all(|(tile, copies)| {
                let named = names.iter().zip(groups).filter(|(name, _)| **name == tile);
                let cells: usize = named.map(|(_, length)| length).sum();
                copies.number().is_none_or(|most| cells <= most)
            })
        };
        tiles.multi_cartesian_product().filter(fits).count()
    }

    #[test]
    fn groups_are_named_in_as_many_ways_as_one_by_one() {
        let number = |number| Copies::new(number).unwrap();
        let hands = [
            vec![Copies::Any, Copies::ONE],
            vec![Copies::Any, Copies::Any, number(3)],
            vec![number(2), number(3)],
            vec![number(4), Copies::ONE, number(2)],
            vec![Copies::ONE, Copies::ONE],
            vec![number(3), number(3), number(3), Copies::Any],
        ];
        let boards: [&[usize]; 5] = [&[], &[1; 5], &[1, 2, 2], &[2, 4, 1, 1], &[3, 3, 1]];
        for (copies, groups) in hands.iter().cartesian_product(boards) {
            let expected = BigUint::from(one_by_one(copies, groups));
            assert_eq!(dealt(copies, groups), expected, "{copies:?} {groups:?}");
        }
    }

    #[test]
    fn two_tiles_are_dealt_to_a_large_board_in_a_step_per_cell() {
        const CELLS: usize = 20_000;
        let groups = vec![1; CELLS];
        let half = Copies::new(CELLS / 2).unwrap();
        assert_eq!(
            dealt(&[Copies::Any, Copies::ONE], &groups),
            (CELLS + 1).into()
        );
        // Half of the cells, whichever: at least 2ⁿ / (n + 1) ways, at most 2ⁿ.
        let halves = dealt(&[half, half], &groups).bits() as usize;
        assert!((CELLS - 16..=CELLS).contains(&halves), "{halves}");
    }
}
