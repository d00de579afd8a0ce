//! The symmetries of a board, found by following its seams.
//!
//! The image and motion of one cell determine those of its neighbours. A connected board with
//! k-sided cells therefore has at most 2k symmetries per cell, half of which turn it over.
//! Components move independently, also onto equal components. Colour refinement (Weisfeiler and
//! Leman, 1968) distinguishes cells that no symmetry maps to each other; the search starts from a
//! cell of the rarest colour.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use itertools::{Itertools, iproduct};
use thiserror::Error;

use super::{CellSide, Touching};
use crate::puzzle::{Face, Orientation};

/// The maximum number of symmetries × cells that is stored: about 300 MB.
const MOST_IMAGES: u128 = 30_000_000;

/// A symmetry of a board: the cell to which it moves each cell, and the motion of the tile in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// The cell to which each cell is moved.
    pub image: Vec<usize>,
    /// The motion of the tile in each cell: how far it is turned, and whether it is turned over.
    pub motion: Vec<Orientation>,
}

impl Symmetry {
    /// Returns true if the cell is mapped to itself.
    pub fn fixes(&self, cell: usize) -> bool {
        self.image[cell] == cell
    }

    /// Returns true if the symmetry turns some tile, or turns it over. A translation does neither.
    pub fn turns(&self) -> bool {
        let mut motions = self.motion.iter();
        motions.any(|&motion| motion != Orientation::default())
    }
}

/// The error for a board with more symmetries than can be stored.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "the board has at least {symmetries} symmetries of {cells} cells, which is too many to store"
)]
pub struct SymmetryError {
    /// A lower bound on the number of symmetries, including those that turn the board over.
    pub symmetries: u128,
    /// The number of cells.
    pub cells: usize,
}

/// The image and motion of each cell of a component, in the order of its cells.
type Map = Vec<(usize, Orientation)>;

/// Lists the symmetries of a board with these touching sides; the first one is the identity.
///
/// # Errors
/// If there are more of them than can be stored.
pub(super) fn find_symmetries(touching: &Touching) -> Result<Vec<Symmetry>, SymmetryError> {
    let pieces = components(touching);
    let colours = refine_colours(touching);
    let mut place_of = vec![0; touching.len()];
    for piece in &pieces {
        for (place, &cell) in piece.iter().enumerate() {
            place_of[cell] = place;
        }
    }
    let ground = BoardGraph {
        touching,
        roots: pieces.iter().map(|piece| choose_root(piece, &colours)).collect(),
        colours,
        pieces,
        place_of,
    };
    let cells = touching.len();
    let is_too_large = |order: u128| order.saturating_mul(cells as u128) > MOST_IMAGES;
    if is_too_large(ground.upper_bound()) {
        let symmetries = ground.count_symmetries();
        if is_too_large(symmetries) {
            return Err(SymmetryError { symmetries, cells });
        }
    }
    let identity =
        Symmetry { image: (0..cells).collect(), motion: vec![Orientation::default(); cells] };
    let mut search = SymmetrySearch {
        is_taken: vec![false; ground.pieces.len()],
        ground: &ground,
        now: identity.clone(),
        found: Vec::new(),
    };
    search.map_components(0);
    let mut found = search.found;
    if let Some(place) = found.iter().position(|symmetry| *symmetry == identity) {
        found[..=place].rotate_right(1);
    }
    Ok(found)
}

/// The data that the search for symmetries computes once.
struct BoardGraph<'a> {
    touching: &'a Touching,
    /// The colour of each cell, which every symmetry preserves.
    colours: Vec<usize>,
    /// The connected components, each with its cells in ascending order.
    pieces: Vec<Vec<usize>>,
    /// The cell of each component whose image is chosen first.
    roots: Vec<usize>,
    /// The index of each cell in its component.
    place_of: Vec<usize>,
}

/// The first cell of a component among those with the rarest colour within it.
fn choose_root(piece: &[usize], colours: &[usize]) -> usize {
    let numbers = piece.iter().map(|&cell| colours[cell]).counts();
    piece.iter().min_by_key(|&&cell| (numbers[&colours[cell]], cell)).copied().unwrap_or_default()
}

/// Colours the cells so that cells with different numbers of sides, or with different multisets of
/// neighbours' colours, get different colours. No symmetry maps cells of different colours to each
/// other.
///
/// Each round visits only the neighbours of cells recoloured in the round before, because a long
/// row of cells takes about as many rounds as it has cells.
fn refine_colours(touching: &Touching) -> Vec<usize> {
    let mut colours = vec![0; touching.len()];
    let mut sizes = vec![touching.len()];
    let mut open: BTreeSet<usize> = (0..touching.len()).collect();
    while !open.is_empty() {
        let beside = |cell: usize| {
            let beside = touching[cell].iter().map(|end| end.map(|(cell, _)| colours[cell]));
            beside.sorted().collect::<Vec<Option<usize>>>()
        };
        let alike = open.iter().map(|&cell| ((colours[cell], beside(cell)), cell));
        let alike = alike.into_group_map().into_iter().sorted();
        let mut by_colour: BTreeMap<usize, Vec<Vec<usize>>> = BTreeMap::new();
        for ((colour, _), cells) in alike {
            by_colour.entry(colour).or_default().push(cells);
        }
        open.clear();
        for (colour, mut parts) in by_colour {
            // The cells that are not visited keep their colour. If all are visited, the largest
            // part keeps it.
            if parts.iter().map(Vec::len).sum::<usize>() == sizes[colour] {
                let largest = parts.iter().position_max_by_key(|part| part.len());
                largest.map(|largest| parts.swap_remove(largest));
            }
            for part in parts {
                for &cell in &part {
                    colours[cell] = sizes.len();
                    open.extend(touching[cell].iter().flatten().map(|&(cell, _)| cell));
                }
                sizes[colour] -= part.len();
                sizes.push(part.len());
            }
        }
    }
    colours
}

/// The connected components, ordered by their first cells, each with its cells in ascending order.
pub(super) fn components(touching: &Touching) -> Vec<Vec<usize>> {
    let mut is_seen = vec![false; touching.len()];
    let mut pieces = Vec::new();
    for first in 0..touching.len() {
        if std::mem::replace(&mut is_seen[first], true) {
            continue;
        }
        let mut piece = vec![first];
        let mut next = 0;
        while let Some(&cell) = piece.get(next) {
            next += 1;
            for &(beside, _) in touching[cell].iter().flatten() {
                if !std::mem::replace(&mut is_seen[beside], true) {
                    piece.push(beside);
                }
            }
        }
        piece.sort_unstable();
        pieces.push(piece);
    }
    pieces
}

impl BoardGraph<'_> {
    /// An upper bound on the number of symmetries: the product over all components of the possible
    /// images and motions of the root. Stops as soon as the product exceeds [`MOST_IMAGES`], which
    /// suffices for the caller.
    fn upper_bound(&self) -> u128 {
        let mut most = 1u128;
        for piece in 0..self.pieces.len() {
            let onto = 0..self.pieces.len();
            let images: usize = onto.map(|onto| self.candidate_images(piece, onto).len()).sum();
            let ways = Face::ALL.len() * self.touching[self.roots[piece]].len();
            most = most.saturating_mul((images * ways) as u128);
            if most > MOST_IMAGES {
                break;
            }
        }
        most
    }

    /// The number of symmetries: equal components can be permuted, and each component can be mapped
    /// onto itself. Saturates.
    fn count_symmetries(&self) -> u128 {
        let mut order = 1u128;
        // For each class of equal components: a representative, its number of symmetries, and the
        // number of components seen so far.
        let mut sorts: Vec<(usize, u128, u128)> = Vec::new();
        for piece in 0..self.pieces.len() {
            let mut sorts_so_far = sorts.iter_mut();
            let alike =
                sorts_so_far.find(|(other, ..)| self.isomorphisms(*other, piece).next().is_some());
            let (own, number) = match alike {
                Some((_, own, number)) => {
                    *number += 1;
                    (*own, *number)
                }
                None => {
                    let own = self.count_component_symmetries(piece);
                    sorts.push((piece, own, 1));
                    (own, 1)
                }
            };
            order = order.saturating_mul(own).saturating_mul(number);
        }
        order
    }

    /// The number of symmetries of a component: the size of the root's stabiliser times the size of
    /// its orbit (orbit-stabiliser theorem). Cells in the orbit under the maps found so far need no
    /// search.
    fn count_component_symmetries(&self, piece: usize) -> u128 {
        let root = self.roots[piece];
        let mut ways: Vec<Map> = self.isomorphisms_onto(piece, piece, vec![root]).collect();
        let staying = ways.len();
        let mut orbit = self.find_orbit(root, &ways);
        for image in self.candidate_images(piece, piece) {
            if !orbit.contains(&image)
                && let Some(way) = self.isomorphisms_onto(piece, piece, vec![image]).next()
            {
                ways.push(way);
                orbit = self.find_orbit(root, &ways);
            }
        }
        staying as u128 * orbit.len() as u128
    }

    /// The orbit of a root under the group that these maps of its component onto itself generate.
    fn find_orbit(&self, root: usize, ways: &[Map]) -> HashSet<usize> {
        let mut reached = HashSet::from([root]);
        let mut open = vec![root];
        while let Some(cell) = open.pop() {
            for way in ways {
                let (image, _) = way[self.place_of[cell]];
                if reached.insert(image) {
                    open.push(image);
                }
            }
        }
        reached
    }

    /// The cells of component `onto` to which the root of component `piece` may be mapped: those of
    /// the same colour. Empty if the components differ in size.
    fn candidate_images(&self, piece: usize, onto: usize) -> Vec<usize> {
        let root = self.roots[piece];
        let piece = &self.pieces[piece];
        let onto = &self.pieces[onto];
        let is_alike =
            |&image: &usize| piece.len() == onto.len() && self.colours[image] == self.colours[root];
        onto.iter().copied().filter(is_alike).collect()
    }

    /// Every isomorphism from component `piece` to component `onto`.
    fn isomorphisms(&self, piece: usize, onto: usize) -> impl Iterator<Item = Map> + '_ {
        self.isomorphisms_onto(piece, onto, self.candidate_images(piece, onto))
    }

    /// Every isomorphism from component `piece` to component `onto` that maps the root to one of
    /// `images`.
    fn isomorphisms_onto(
        &self,
        piece: usize,
        onto: usize,
        images: Vec<usize>,
    ) -> impl Iterator<Item = Map> + '_ {
        let root = self.roots[piece];
        let mut is_taken = vec![false; self.pieces[onto].len()];
        let firsts = iproduct!(Face::ALL, images, 0..self.touching[root].len());
        firsts.filter_map(move |(face, image, rotation)| {
            let first = (image, Orientation::turned(rotation).with_face(face));
            is_taken.fill(false);
            self.extend_to_component(self.pieces[piece].len(), root, first, &mut is_taken)
        })
    }

    /// Extends the image and motion `first` of `root` to its component of `cells` cells; `None` if
    /// this does not give an isomorphism. `is_taken` must be all false; it marks the images by
    /// their index in the component.
    fn extend_to_component(
        &self,
        cells: usize,
        root: usize,
        first: (usize, Orientation),
        is_taken: &mut [bool],
    ) -> Option<Map> {
        let touching = self.touching;
        let mut map: Vec<Option<(usize, Orientation)>> = vec![None; cells];
        let mut open = vec![root];
        map[self.place_of[root]] = Some(first);
        while let Some(cell) = open.pop() {
            let (image, motion) = map[self.place_of[cell]]?;
            let sides = touching[cell].len();
            if touching[image].len() != sides
                || std::mem::replace(&mut is_taken[self.place_of[image]], true)
            {
                return None;
            }
            for (side, beside) in touching[cell].iter().enumerate() {
                let moved = touching[image][motion.move_side(side, sides)];
                let (Some(beside), Some(moved)) = (beside, moved) else {
                    if beside.is_none() && moved.is_none() {
                        continue;
                    }
                    return None;
                };
                let goes = &mut map[self.place_of[beside.0]];
                match goes {
                    Some(goes) if moved_side(touching, *beside, *goes) == moved => {}
                    Some(_) => return None,
                    None => {
                        let turn = turn_between(touching, *beside, moved, motion.face());
                        *goes = Some((moved.0, turn));
                        open.push(beside.0);
                    }
                }
            }
        }
        map.into_iter().collect()
    }
}

/// An enumeration of all symmetries by recursion over the components.
struct SymmetrySearch<'a> {
    ground: &'a BoardGraph<'a>,
    /// The components that are already images of others.
    is_taken: Vec<bool>,
    /// The current symmetry, complete for the components mapped so far.
    now: Symmetry,
    found: Vec<Symmetry>,
}

impl SymmetrySearch<'_> {
    /// Maps component `index` and all later ones in every possible way, and adds each resulting
    /// symmetry to `found`.
    fn map_components(&mut self, index: usize) {
        let ground = self.ground;
        let Some(piece) = ground.pieces.get(index) else {
            self.found.push(self.now.clone());
            return;
        };
        for onto in 0..ground.pieces.len() {
            if self.is_taken[onto] {
                continue;
            }
            self.is_taken[onto] = true;
            for map in ground.isomorphisms(index, onto) {
                for (&cell, (image, motion)) in piece.iter().zip(map) {
                    self.now.image[cell] = image;
                    self.now.motion[cell] = motion;
                }
                self.map_components(index + 1);
            }
            self.is_taken[onto] = false;
        }
    }
}

/// The side to which a side is moved, given the image and motion of its cell.
fn moved_side(
    touching: &Touching,
    (cell, side): CellSide,
    (image, motion): (usize, Orientation),
) -> CellSide {
    (image, motion.move_side(side, touching[cell].len()))
}

/// The motion with `face` up that moves the side `from` to the side `to`. Only the number of the
/// side `to` matters.
fn turn_between(touching: &Touching, from: CellSide, to: CellSide, face: Face) -> Orientation {
    let sides = touching[from.0].len();
    let unturned = Orientation::default().with_face(face).move_side(from.1, sides);
    Orientation::turned((to.1 + sides - unturned) % sides).with_face(face)
}

#[cfg(test)]
mod tests {
    use super::super::{Board, Wrap};
    use super::*;

    /// The number of symmetries that turn nothing over, and the number of all symmetries.
    fn orders(board: &Board) -> (usize, usize) {
        let keeps_face = |s: &&Symmetry| s.motion.iter().all(|m| m.face() == Face::Front);
        let symmetries = board.symmetries();
        (symmetries.iter().filter(keeps_face).count(), symmetries.len())
    }

    #[test]
    fn grids_have_rotations_and_wrapped_grids_translations() {
        let wrapped = |rows, columns, wrap| Board::wrapped(rows, columns, wrap).unwrap();
        for (board, order) in [
            (Board::grid(1, 1), 4),
            (Board::grid(3, 3), 4),
            (Board::grid(2, 5), 2),
            (wrapped(3, 3, Wrap::Both), 36),
            (wrapped(1, 1, Wrap::Both), 4),
            (wrapped(2, 2, Wrap::Both), 16),
            (wrapped(2, 3, Wrap::Both), 12),
            (wrapped(1, 4, Wrap::Both), 8),
            (wrapped(2, 5, Wrap::Horizontal), 10),
            (wrapped(2, 5, Wrap::Vertical), 4),
        ] {
            assert_eq!(orders(&board), (order, 2 * order), "{}", board.description());
        }
    }

    #[test]
    fn a_long_row_has_the_symmetries_of_a_rectangle() {
        assert_eq!(orders(&Board::grid(1, 20_000)), (2, 4));
    }

    #[test]
    fn components_move_independently_and_onto_equal_ones() {
        let cells = ["A", "B", "C"].map(|name| (name.to_owned(), 4));
        let board = Board::from_cells(cells.to_vec(), vec![[(0, 0), (1, 2)]]).unwrap();
        assert_eq!(orders(&board), (2 * 4, 4 * 8));
        let alike = ["A", "B"].map(|name| (name.to_owned(), 3));
        let board = Board::from_cells(alike.to_vec(), Vec::new()).unwrap();
        assert_eq!(orders(&board), (3 * 3 * 2, 6 * 6 * 2));
        let many = (0..20).map(|n| (n.to_string(), 3)).collect();
        assert!(Board::from_cells(many, Vec::new()).is_err());
    }

    #[test]
    fn symmetries_form_a_group_and_map_seams_onto_seams() {
        let cells = [("A", 4), ("B", 3), ("C", 3)].map(|(name, sides)| (name.to_owned(), sides));
        let seams = vec![[(0, 0), (1, 0)], [(0, 2), (2, 0)], [(0, 1), (0, 3)]];
        for board in [
            Board::wrapped(2, 3, Wrap::Both).unwrap(),
            Board::grid(3, 3),
            Board::from_cells(cells.to_vec(), seams).unwrap(),
        ] {
            let touching: Vec<_> =
                board.touching().flat_map(|[one, other]| [(one, other), (other, one)]).collect();
            let sides = |cell: usize| board.cells()[cell].sides;
            let symmetries = board.symmetries();
            for symmetry in symmetries {
                let moved = |(cell, side): CellSide| {
                    let motion = symmetry.motion[cell];
                    (symmetry.image[cell], motion.move_side(side, sides(cell)))
                };
                for &(first, second) in &touching {
                    assert!(touching.contains(&(moved(first), moved(second))));
                }
                for next in symmetries {
                    let cells = 0..board.size();
                    let after = |cell: usize| symmetry.image[cell];
                    let both = Symmetry {
                        image: cells.clone().map(|cell| next.image[after(cell)]).collect(),
                        motion: cells
                            .map(|cell| {
                                symmetry.motion[cell].then(next.motion[after(cell)], sides(cell))
                            })
                            .collect(),
                    };
                    assert!(symmetries.contains(&both));
                }
            }
        }
    }
}
