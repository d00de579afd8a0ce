//! Counts the labelled solutions that one distinct solution represents, and their classes under the
//! group.
//!
//! A labelled solution states the tile and orientation in each cell. Twins are different tiles;
//! copies of a tile are not distinguished.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use itertools::Itertools;
use num_bigint::BigUint;

use super::ValueArrangement;
use crate::board::Symmetry;
use crate::problem::Problem;
use crate::puzzle::{Copies, Kind, Orientation, OrientedKind};
use crate::runtime::limits::{CancelToken, Flow};

/// The numbers of solutions that one distinct solution represents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandsFor {
    /// The number of labelled solutions.
    pub solutions: BigUint,
    /// The number of labelled solutions, with all images under the group counted once.
    pub classes: BigUint,
}

/// The exact number of labelled solutions that look like an image of `arrangement` under the group,
/// and of their classes. `orbit` must be the number of distinct images of the arrangement.
///
/// The number of solutions is the orbit size × the ways to assign the tiles of each kind to its
/// cells × the product over the cells of the number of orientations in which the tile looks the
/// same. If u of c tiles of a kind are used, there are c!/(c−u)! ways. If tiles have copies, there
/// are u! times the coefficient of xᵘ in the product of Σ xʲ/j! over the tiles, with j up to the
/// number of copies. In that case a symmetry can fix a labelled solution, so classes are counted by
/// Burnside's lemma.
pub fn stands_for(problem: &Problem, arrangement: &ValueArrangement, orbit: usize) -> StandsFor {
    let counted = stands_for_under(&CancelToken::never(), problem, arrangement, orbit);
    counted.continue_value().unwrap_or_default()
}

/// Like [`stands_for`], but breaks if the token stops the run.
pub(crate) fn stands_for_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    arrangement: &ValueArrangement,
    orbit: usize,
) -> Flow<StandsFor> {
    let kinds = &problem.kinds;
    let has_copies = problem.puzzle.has_copies();
    let mut used = vec![0; kinds.kinds.len()];
    let mut solutions = BigUint::from(orbit);
    for value in arrangement.values() {
        let OrientedKind { kind, same, .. } = kinds.values[value];
        let left = kinds.kinds[kind].tiles.len().saturating_sub(used[kind]);
        used[kind] += 1;
        solutions *= if has_copies { same } else { left * same };
        token.work(units(&solutions))?;
    }
    if !has_copies {
        let classes = &solutions / problem.group.len();
        return ControlFlow::Continue(StandsFor { solutions, classes });
    }
    for (kind, &used) in kinds.kinds.iter().zip(&used) {
        solutions *= count_assignments(problem, kind, &vec![1; used], token)?;
        token.work(units(&solutions))?;
    }
    let classes = count_classes(problem, arrangement, token)?;
    ControlFlow::Continue(StandsFor { solutions, classes })
}

/// The units of work for an operation on a number: a constant plus one per 64 bits.
fn units(number: &BigUint) -> usize {
    4 + number.bits() as usize / 64
}

/// The number of classes under the group of the labelled solutions that look like an image of the
/// arrangement, by Burnside's lemma. Breaks if the token stops the run.
fn count_classes(
    problem: &Problem,
    arrangement: &ValueArrangement,
    token: &CancelToken<'_>,
) -> Flow<BigUint> {
    let mut sum = BigUint::ZERO;
    let mut number = 0usize;
    for symmetry in &problem.group {
        if arrangement.image(problem, symmetry) == *arrangement {
            sum += fixed_solutions(problem, arrangement, symmetry, token)?;
            number += 1;
        }
        token.work(4 * problem.board.size())?;
    }
    ControlFlow::Continue(sum / number)
}

/// The number of labelled solutions that look like `arrangement` and are fixed by a symmetry, which
/// must map the arrangement onto itself. Breaks if the token stops the run.
pub fn fixed_solutions(
    problem: &Problem,
    arrangement: &ValueArrangement,
    symmetry: &Symmetry,
    token: &CancelToken<'_>,
) -> Flow<BigUint> {
    let values: Vec<usize> = arrangement.values().collect();
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
        // The tile must return to its exact orientation, not only to one that looks the same.
        if motion != Orientation::default() {
            return ControlFlow::Continue(BigUint::ZERO);
        }
        lengths[value.kind].push(length);
        count *= value.same;
        token.work(length + units(&count))?;
    }
    for (kind, lengths) in problem.kinds.kinds.iter().zip(&lengths) {
        count *= count_assignments(problem, kind, lengths, token)?;
        token.work(units(&count))?;
    }
    ControlFlow::Continue(count)
}

/// The number of ways to assign the tiles of a kind to groups of cells with the given sizes, if all
/// cells of a group must have the same tile. Breaks if the token stops the run.
fn count_assignments(
    problem: &Problem,
    kind: &Kind,
    groups: &[usize],
    token: &CancelToken<'_>,
) -> Flow<BigUint> {
    let copies = kind.tiles.iter().map(|&tile| problem.puzzle.tiles[tile].copies);
    let copies: Vec<Copies> = copies.collect();
    match copies[..] {
        [one] => {
            let used: usize = groups.iter().sum();
            ControlFlow::Continue(BigUint::from(u32::from(used <= one.limited_to(usize::MAX))))
        }
        _ => count_distributions(&copies, groups, token),
    }
}

/// Like [`count_assignments`], for several tiles with copies. Assigns groups to one tile after
/// another and merges equal remainders (dynamic programming). Breaks if the token stops the run.
///
/// Takes as many steps as there are distributions of the groups, identified by length only, among
/// all but one of the limited tiles. For two tiles this is the number of cells.
fn count_distributions(
    copies: &[Copies],
    groups: &[usize],
    token: &CancelToken<'_>,
) -> Flow<BigUint> {
    let by_length = groups.iter().copied().counts();
    let (lengths, numbers): (Vec<usize>, Vec<usize>) = by_length.into_iter().sorted().unzip();
    let mut limited: Vec<usize> = copies.iter().filter_map(|c| c.number()).collect();
    let unlimited = copies.len() - limited.len();
    limited.sort_unstable();
    // Without unlimited tiles, the tile with the most copies takes all remaining groups.
    let last = if unlimited == 0 { limited.pop() } else { None };
    let mut ways = BTreeMap::from([(numbers, BigUint::from(1u32))]);
    for room in limited {
        let mut next = BTreeMap::new();
        for (left, ways) in ways {
            for (left, _, ways) in distribute(&lengths, (left, room, ways), token)? {
                *next.entry(left).or_insert(BigUint::ZERO) += ways;
            }
        }
        ways = next;
    }
    let mut sum = BigUint::ZERO;
    for (left, ways) in ways {
        let cells: usize = lengths.iter().zip(&left).map(|(l, n)| l * n).sum();
        let completed = match last {
            Some(room) => ways * u32::from(cells <= room),
            None => ways * BigUint::from(unlimited).pow(left.iter().sum::<usize>() as u32),
        };
        token.work(16 * units(&completed))?;
        sum += completed;
    }
    ControlFlow::Continue(sum)
}

/// A state of the distribution: the number of unassigned groups of each length, the copies left of
/// the current tile, and the number of ways to reach the state.
type DistributionState = (Vec<usize>, usize, BigUint);

/// All states that can be reached from `before` by assigning unassigned groups, or none, to the
/// current tile, as far as its copies suffice. `lengths` are the group lengths that index the
/// state. Groups of one length are not distinguished: the number of ways to choose them multiplies
/// the ways of the state. Breaks if the token stops the run.
fn distribute(
    lengths: &[usize],
    before: DistributionState,
    token: &CancelToken<'_>,
) -> Flow<Vec<DistributionState>> {
    let mut taken = vec![before];
    for (index, &length) in lengths.iter().enumerate() {
        let mut longer = Vec::new();
        for (mut left, mut room, mut ways) in taken {
            let number = left[index];
            for more in 1..=number.min(room / length) {
                longer.push((left.clone(), room, ways.clone()));
                // Consecutive binomial coefficients; the division is exact.
                ways *= number + 1 - more;
                ways /= more;
                left[index] -= 1;
                room -= length;
                token.work(4 * units(&ways))?;
            }
            longer.push((left, room, ways));
        }
        taken = longer;
    }
    ControlFlow::Continue(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of assignments of tiles to groups, by brute force.
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

    fn all_dealt(copies: &[Copies], groups: &[usize]) -> BigUint {
        count_distributions(copies, groups, &CancelToken::never()).continue_value().unwrap()
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
            assert_eq!(all_dealt(copies, groups), expected, "{copies:?} {groups:?}");
        }
    }

    #[test]
    fn two_tiles_are_dealt_to_a_large_board_in_a_step_per_cell() {
        const CELLS: usize = 20_000;
        let groups = vec![1; CELLS];
        let half = Copies::new(CELLS / 2).unwrap();
        assert_eq!(all_dealt(&[Copies::Any, Copies::ONE], &groups), (CELLS + 1).into());
        // The central binomial coefficient: at least 2ⁿ / (n + 1), at most 2ⁿ.
        let halves = all_dealt(&[half, half], &groups).bits() as usize;
        assert!((CELLS - 16..=CELLS).contains(&halves), "{halves}");
    }
}
