//! Kinds, which are sets of tiles that look the same, and values, which are kinds in an
//! orientation.
//!
//! Two tiles are of the same kind if they look the same after turning one of them in an allowed
//! way. Cells are the variables of the search; a *value* of a cell is an oriented kind: a kind in
//! one of its distinguishable orientations. A tile that a rotation maps to itself has fewer values
//! than orientations. Tiles or orientations that a constraint distinguishes are separate kinds or
//! values. All later folders work with values, so that twins and self-symmetric tiles are searched
//! once and multiplied afterwards.

use std::collections::HashMap;
use std::hash::Hash;

use itertools::Itertools;

use super::{Face, Label, Orientation, Puzzle, Tile};

/// A set of tiles that look the same, with their values.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The tiles, ascending; the first one represents the kind.
    pub tiles: Vec<usize>,
    /// The values of this kind, ascending by the orientation of the first tile.
    pub values: std::ops::Range<usize>,
    /// The total number of copies of its tiles; `usize::MAX` if unlimited. In a problem, at most
    /// the number of cells.
    pub copies: usize,
}

/// A kind in one of its distinguishable orientations: a value of a cell.
#[derive(Debug, Clone)]
pub struct OrientedKind {
    /// The kind, an index into [`Kinds::kinds`].
    pub kind: usize,
    /// The first orientation in which the kind's first tile has this value.
    pub orientation: Orientation,
    /// The label on each side, counter-clockwise from the right.
    pub edges: Vec<Label>,
    /// The number of orientations in which a tile of the kind has this value.
    pub same: usize,
}

/// The kinds and values of a puzzle.
#[derive(Debug, Clone)]
pub struct Kinds {
    /// The kinds in order of their first tiles.
    pub kinds: Vec<Kind>,
    /// The values, grouped by kind; elsewhere "a value" is an index into this list.
    pub values: Vec<OrientedKind>,
    /// The kind of each tile.
    pub of_tile: Vec<usize>,
    /// The value for each tile and [index](Orientation::index) of an orientation; `None` if the
    /// tile may not be placed in it.
    by_orientation: Vec<Vec<Option<usize>>>,
}

impl Kinds {
    /// The tiles of each kind that has several tiles.
    pub fn twins(&self) -> impl Iterator<Item = &[usize]> {
        let tiles = self.kinds.iter().map(|kind| &kind.tiles[..]);
        tiles.filter(|tiles| tiles.len() > 1)
    }

    /// Groups the tiles of a puzzle into kinds.
    pub fn new(puzzle: &Puzzle) -> Kinds {
        Kinds::with_marks(puzzle, |_, _| ())
    }

    /// Groups the tiles of a puzzle into kinds, with a mark for each tile and orientation. Tiles in
    /// orientations with different marks count as different even if they show the same labels.
    pub fn with_marks<M: Copy + Ord + Hash>(
        puzzle: &Puzzle,
        mark: impl Fn(usize, Orientation) -> M,
    ) -> Kinds {
        let mut kinds = Kinds {
            kinds: Vec::new(),
            values: Vec::new(),
            of_tile: Vec::new(),
            by_orientation: Vec::new(),
        };
        // Kinds by their sorted labels and marks, which twins share.
        let mut showing: HashMap<(Vec<Label>, Vec<M>), Vec<usize>> = HashMap::new();
        let mut marks_of_values = Vec::new();
        for (tile, definition) in puzzle.tiles.iter().enumerate() {
            let marked: Vec<_> = puzzle.orientations(tile).map(|o| (o, mark(tile, o))).collect();
            let marks = marked.iter().map(|&(_, mark)| mark).sorted_unstable();
            let key = (definition.sorted_labels(), marks.collect());
            let alike = showing.entry(key).or_default();
            let known = alike.iter().copied().find(|&kind| {
                let first = kinds.kinds[kind].tiles[0];
                let is_moved_so = |&(moved, _): &(Orientation, M)| {
                    let mark = |o| mark(first, moved.then(o, definition.sides()));
                    puzzle.tiles[first].is_moved_as(moved, definition)
                        && marked.iter().all(|&(o, own)| mark(o) == own)
                };
                marked.iter().any(is_moved_so)
            });
            let kind = known.unwrap_or_else(|| {
                let kind = kinds.kinds.len();
                alike.push(kind);
                kinds.add(definition, &marked, &mut marks_of_values);
                kind
            });
            kinds.kinds[kind].tiles.push(tile);
            let copies = definition.copies.number().unwrap_or(usize::MAX);
            kinds.kinds[kind].copies = kinds.kinds[kind].copies.saturating_add(copies);
            kinds.of_tile.push(kind);
            let mut by_orientation = vec![None; definition.orientations().count()];
            for &(orientation, mark) in &marked {
                let mut values = kinds.kinds[kind].values.clone();
                let value = values.find(|&value| {
                    marks_of_values[value] == mark
                        && definition.shows_all(&kinds.values[value].edges, orientation)
                });
                by_orientation[orientation.index(definition.sides())] = value;
            }
            kinds.by_orientation.push(by_orientation);
        }
        kinds
    }

    /// Adds a kind without tiles yet; its values are the distinguishable orientations of `tile`.
    fn add<M: Copy + PartialEq>(
        &mut self,
        tile: &Tile,
        orientations: &[(Orientation, M)],
        marks_of_values: &mut Vec<M>,
    ) {
        let kind = self.kinds.len();
        let start = self.values.len();
        for &(orientation, mark) in orientations {
            let mut values = self.values[start..].iter_mut().zip(&marks_of_values[start..]);
            match values
                .find(|(value, other)| **other == mark && tile.shows_all(&value.edges, orientation))
            {
                Some((value, _)) => value.same += 1,
                None => {
                    marks_of_values.push(mark);
                    self.values.push(OrientedKind {
                        kind,
                        orientation,
                        edges: tile.edges_in(orientation),
                        same: 1,
                    });
                }
            }
        }
        self.kinds.push(Kind { tiles: Vec::new(), values: start..self.values.len(), copies: 0 });
    }

    /// The value of `tile` in `orientation`; `None` if the tile does not have this orientation or
    /// may not be placed in it.
    pub fn value_of(&self, tile: usize, orientation: Orientation) -> Option<usize> {
        let sides = self.values[self.kinds[self.of_tile[tile]].values.start].edges.len();
        if orientation.rotation() >= sides {
            return None;
        }
        let values = &self.by_orientation[tile];
        values.get(orientation.index(sides)).copied().flatten()
    }

    /// The orientations in which `tile` has this value, ascending.
    pub fn orientations_of(
        &self,
        tile: usize,
        value: usize,
    ) -> impl Iterator<Item = Orientation> + '_ {
        let sides = self.values[value].edges.len();
        let by_orientation = self.by_orientation[tile].iter().enumerate();
        by_orientation.filter(move |&(_, &l)| l == Some(value)).map(move |(index, _)| {
            Orientation::turned(index % sides).with_face(Face::ALL[index / sides])
        })
    }

    /// The value after turning the tile by `motion`; `None` if it may not be placed in that
    /// orientation.
    pub fn moved_value(&self, value: usize, motion: Orientation) -> Option<usize> {
        let OrientedKind { kind, orientation, .. } = self.values[value];
        let tile = self.kinds[kind].tiles[0];
        self.value_of(tile, orientation.then(motion, self.values[value].edges.len()))
    }

    /// The kind of a value.
    pub fn kind_of(&self, value: usize) -> &Kind {
        &self.kinds[self.values[value].kind]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Copies, EdgeName, Labels, Tile};
    use super::*;

    fn puzzle(may_turn: bool, tiles: &[[&str; 4]]) -> Puzzle {
        let mut labels = Labels::default();
        let tiles = tiles.iter().enumerate().map(|(i, edges)| Tile {
            name: i.to_string(),
            edges: edges
                .iter()
                .map(|e| labels.add(&EdgeName::parse(e).unwrap()).unwrap())
                .collect(),
            back: None,
            copies: Copies::ONE,
        });
        let tiles = tiles.collect();
        Puzzle { may_turn, ..Puzzle::new("test".into(), labels, tiles) }
    }

    #[test]
    fn turned_twins_are_one_kind_only_where_tiles_may_turn() {
        let tiles = [["a", "b", "c", "d"], ["d", "a", "b", "c"]];
        assert_eq!(Kinds::new(&puzzle(true, &tiles)).kinds.len(), 1);
        assert_eq!(Kinds::new(&puzzle(false, &tiles)).kinds.len(), 2);
    }

    #[test]
    fn a_self_symmetric_tile_has_fewer_looks_than_orientations() {
        let tiles = [["a", "a", "a", "a"], ["a", "b", "a", "b"], ["a", "b", "c", "d"]];
        let kinds = Kinds::new(&puzzle(true, &tiles));
        let values: Vec<_> = kinds
            .kinds
            .iter()
            .map(|k| (k.values.len(), kinds.values[k.values.start].same))
            .collect();
        assert_eq!(values, [(1, 4), (2, 2), (4, 1)]);
        assert_eq!(kinds.moved_value(1, Orientation::turned(1)), Some(2));
        assert_eq!(kinds.moved_value(1, Orientation::turned(2)), Some(1));
    }

    #[test]
    fn a_twin_finds_the_orientation_that_gives_the_look() {
        let tiles = [["a", "b", "c", "d"], ["d", "a", "b", "c"]];
        let kinds = Kinds::new(&puzzle(true, &tiles));
        let value = kinds.value_of(0, Orientation::turned(1)).unwrap();
        let turned: Vec<_> = kinds.orientations_of(1, value).collect();
        assert_eq!(turned, [Orientation::turned(0)]);
    }
}
