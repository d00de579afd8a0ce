//! How many labelled solutions one distinct arrangement stands for: orbit size × arrangements of
//! twins × turns that look alike.

use num_bigint::BigUint;

use super::Picture;
use crate::problem::Problem;

/// The number of labelled solutions that look like `picture` up to the group, given the size of
/// its orbit: orbit × Π over kinds c!/(c−u)! (u of c copies used) × Π over cells the number of
/// orientations in which the tile looks the same. Exact, whatever its size.
pub fn stands_for(problem: &Problem, picture: &Picture, orbit: usize) -> BigUint {
    let mut used = vec![0; problem.kinds.kinds.len()];
    let mut count = BigUint::from(orbit);
    for value in picture.values() {
        let kind = problem.kinds.values[value].kind;
        let copies_left = problem.kinds.kinds[kind].count() - used[kind];
        used[kind] += 1;
        count *= copies_left * problem.kinds.values[value].same;
    }
    count
}
