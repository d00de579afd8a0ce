//! Every labelled solution behind one distinct arrangement, one after another.
//!
//! They are produced on demand, so that billions of them need no memory.

use itertools::Itertools;

use super::Picture;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::{TileId, ValueId};

/// All labelled solutions that look like one of the `orbit`'s pictures; as many as
/// [`stands_for`](super::stands_for) says. Lazy: nothing is kept but the position.
pub fn expand<'a>(
    problem: &'a Problem,
    orbit: &'a [Picture],
) -> impl Iterator<Item = Arrangement> + 'a {
    orbit
        .iter()
        .flat_map(move |picture| labelled(problem, picture))
}

/// Deals the tiles of each kind to the kind's cells in every order, in every fitting orientation.
fn labelled<'a>(
    problem: &'a Problem,
    picture: &'a Picture,
) -> impl Iterator<Item = Arrangement> + 'a {
    let mut cells_of: Vec<Vec<usize>> = vec![Vec::new(); problem.kinds.kinds.len()];
    let values: Vec<usize> = picture.values().collect();
    for (cell, &value) in values.iter().enumerate() {
        cells_of[problem.kinds.values[value].kind].push(cell);
    }
    let used: Vec<usize> = (0..cells_of.len())
        .filter(|&k| !cells_of[k].is_empty())
        .collect();
    let deals = used.into_iter().map(move |kind| {
        let tiles = problem.kinds.kinds[kind].tiles.iter().copied();
        let cells = cells_of[kind].clone();
        tiles
            .permutations(cells.len())
            .map(move |tiles| (cells.clone(), tiles))
    });
    deals.multi_cartesian_product().flat_map(move |deal| {
        let mut tile_in = vec![0; values.len()];
        for (cells, tiles) in deal {
            for (cell, tile) in cells.into_iter().zip(tiles) {
                tile_in[cell] = tile;
            }
        }
        let choices = values
            .clone()
            .into_iter()
            .zip(tile_in)
            .map(|(value, tile)| {
                let orientations = problem.kinds.orientations_of(TileId(tile), ValueId(value));
                orientations
                    .map(|orientation| Placed { tile, orientation })
                    .collect_vec()
            });
        choices.multi_cartesian_product().map(Arrangement)
    })
}
