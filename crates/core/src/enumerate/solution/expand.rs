//! Iterates over every labelled solution that a distinct solution represents.
//!
//! They are generated on demand, so even billions of them take little memory.

use itertools::Itertools;

use super::ValueArrangement;
use crate::problem::{Arrangement, Placed, Problem};

/// Iterates over the labelled solutions that look like one of the arrangements in `orbit`. For a
/// whole orbit, their number is that of [`stands_for`](super::stands_for).
pub fn expand<'a>(
    problem: &'a Problem,
    orbit: &'a [ValueArrangement],
) -> impl Iterator<Item = Arrangement> + 'a {
    orbit.iter().flat_map(move |arrangement| labelled(problem, arrangement))
}

/// Iterates over the labelled solutions that look like `arrangement`: the tiles of each kind in
/// every order, in every orientation that looks the same.
fn labelled<'a>(
    problem: &'a Problem,
    arrangement: &'a ValueArrangement,
) -> impl Iterator<Item = Arrangement> + 'a {
    let mut cells_of: Vec<Vec<usize>> = vec![Vec::new(); problem.kinds.kinds.len()];
    let values: Vec<usize> = arrangement.values().collect();
    for (cell, &value) in values.iter().enumerate() {
        cells_of[problem.kinds.values[value].kind].push(cell);
    }
    let used: Vec<usize> = (0..cells_of.len()).filter(|&k| !cells_of[k].is_empty()).collect();
    let deals = used.into_iter().map(move |kind| {
        let tiles = problem.kinds.kinds[kind].tiles.iter().copied();
        let cells = cells_of[kind].clone();
        let copies = |tile: usize| problem.puzzle.tiles[tile].copies.limited_to(cells.len());
        let tiles_left: Vec<(usize, usize)> = tiles.map(|tile| (tile, copies(tile))).collect();
        Deals::new(tiles_left, cells.len()).map(move |tiles| (cells.clone(), tiles))
    });
    deals.multi_cartesian_product().flat_map(move |deal| {
        let mut tile_in = vec![0; values.len()];
        for (cells, tiles) in deal {
            for (cell, tile) in cells.into_iter().zip(tiles) {
                tile_in[cell] = tile;
            }
        }
        let choices = values.clone().into_iter().zip(tile_in).map(|(value, tile)| {
            let orientations = problem.kinds.orientations_of(tile, value);
            orientations.map(|orientation| Placed { tile, orientation }).collect_vec()
        });
        choices.multi_cartesian_product().map(Arrangement)
    })
}

/// An iterator over the sequences of a given length in which no tile occurs more often than it has
/// copies, in ascending order of positions in the list of tiles.
#[derive(Clone)]
struct Deals {
    /// The tiles, each with the number of copies that are not in the sequence.
    tiles_left: Vec<(usize, usize)>,
    /// The indices in `tiles_left` of the next sequence; `None` after the last.
    next: Option<Vec<usize>>,
}

impl Deals {
    /// Starts with the first sequence; there is none if there are fewer copies than `length`.
    fn new(tiles_left: Vec<(usize, usize)>, length: usize) -> Deals {
        let mut deals = Deals { tiles_left, next: None };
        let mut first = Vec::new();
        if deals.fill(&mut first, length) {
            deals.next = Some(first);
        }
        deals
    }

    /// Uses a copy of the first tile at or after an index that has one left; `None` if there is
    /// none.
    fn take(&mut self, from: usize) -> Option<usize> {
        let place = (from..self.tiles_left.len()).find(|&place| self.tiles_left[place].1 > 0)?;
        self.tiles_left[place].1 -= 1;
        Some(place)
    }

    /// Extends a sequence to `length` with the first tiles that have copies left; returns false if
    /// there are too few.
    fn fill(&mut self, sequence: &mut Vec<usize>, length: usize) -> bool {
        let mut first = 0;
        while sequence.len() < length {
            match self.take(first) {
                Some(place) => {
                    sequence.push(place);
                    first = place;
                }
                None => return false,
            }
        }
        true
    }

    /// The sequence after `sequence`, whose copies are in use; `None` if it is the last.
    fn next_sequence(&mut self, mut sequence: Vec<usize>) -> Option<Vec<usize>> {
        let length = sequence.len();
        while let Some(last) = sequence.pop() {
            self.tiles_left[last].1 += 1;
            if let Some(place) = self.take(last + 1) {
                sequence.push(place);
                return self.fill(&mut sequence, length).then_some(sequence);
            }
        }
        None
    }
}

impl Iterator for Deals {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let sequence = self.next.take()?;
        let tiles = sequence.iter().map(|&place| self.tiles_left[place].0).collect();
        self.next = self.next_sequence(sequence);
        Some(tiles)
    }
}
