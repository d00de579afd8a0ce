//! Kinds: tiles that nobody can tell apart, and the looks that each can have.
//!
//! Two tiles are of one kind when they look the same after an orientation that both may take.
//! A *look* is a kind in one of the orientations that can be told apart; a tile that is the same
//! after a turn has fewer looks than orientations. What an extra constraint tells apart is of another
//! kind, or has another look. Everything behind this file works with looks,
//! so twins and self-symmetric tiles are searched once and counted afterwards.

use std::collections::HashMap;

use super::{Face, Label, Orientation, Puzzle, Tile};

/// Tiles that look the same, and how often each look occurs.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The tiles, ascending; the first one stands for the kind.
    pub tiles: Vec<usize>,
    /// The looks of this kind, ascending by the orientation of its first tile.
    pub looks: std::ops::Range<usize>,
    /// How often it may be used: as often as it has tiles, but where a tile stands for any number.
    pub copies: usize,
}

impl Kind {
    /// How often it may be used.
    pub fn count(&self) -> usize {
        self.copies
    }
}

/// A kind in one of the orientations that can be told apart.
#[derive(Debug, Clone)]
pub struct Look {
    /// Which kind, an index into [`Kinds::kinds`].
    pub kind: usize,
    /// The first orientation in which the kind's first tile looks so.
    pub orientation: Orientation,
    /// What each side shows.
    pub edges: Vec<Label>,
    /// In how many orientations one tile has this look.
    pub same: usize,
}

/// A tile, by its place in [`Puzzle::tiles`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId(pub usize);

/// A kind, by its place in [`Kinds::kinds`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindId(pub usize);

/// What a cell can show, the value of a variable: a look, by its place in [`Kinds::looks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ValueId(pub usize);

/// All kinds and looks of a puzzle.
#[derive(Debug, Clone)]
pub struct Kinds {
    /// Kinds in the order of their first tiles.
    pub kinds: Vec<Kind>,
    /// Looks, those of one kind side by side; "a look" elsewhere is an index into this list.
    pub looks: Vec<Look>,
    /// The kind of each tile.
    pub of_tile: Vec<usize>,
    /// For each tile and orientation the look, or `None` where the tile may not lie so.
    by_orientation: Vec<Vec<Option<usize>>>,
}

impl Kinds {
    /// Sorts the tiles of a puzzle into kinds.
    pub fn of(puzzle: &Puzzle) -> Kinds {
        Kinds::told_apart(puzzle, |_, _| 0)
    }

    /// Sorts the tiles of a puzzle into kinds, where orientations of tiles with different numbers are
    /// told apart though they show the same.
    pub fn told_apart(puzzle: &Puzzle, number: impl Fn(usize, Orientation) -> u32) -> Kinds {
        let mut kinds = Kinds {
            kinds: Vec::new(),
            looks: Vec::new(),
            of_tile: Vec::new(),
            by_orientation: Vec::new(),
        };
        // What each face shows, and the number of each orientation.
        type Key = (Vec<Label>, Option<Vec<Label>>, Vec<u32>);
        let mut known: HashMap<Key, usize> = HashMap::new();
        let mut numbers_of_looks = Vec::new();
        for (tile, definition) in puzzle.tiles.iter().enumerate() {
            let sides = definition.sides();
            let orientations: Vec<_> = puzzle.orientations(tile).collect();
            // As the tile would stand in the file if it had been moved first.
            let key = |first: Orientation| -> Key {
                let back = definition.back.as_ref().map(|_| {
                    let over = Orientation::default().on(Face::Back);
                    definition.look(first.then(over, sides))
                });
                let numbers = orientations
                    .iter()
                    .map(|&o| number(tile, first.then(o, sides)));
                (definition.look(first), back, numbers.collect())
            };
            let kind = *known
                .entry(key(Orientation::default()))
                .or_insert(kinds.kinds.len());
            if kind == kinds.kinds.len() {
                let numbered = orientations.iter().map(|&o| (o, number(tile, o)));
                kinds.add(definition, numbered, &mut numbers_of_looks);
                // A twin may lie in the file as this one lies in any orientation.
                for &orientation in &orientations {
                    known.insert(key(orientation), kind);
                }
            }
            kinds.kinds[kind].tiles.push(tile);
            kinds.kinds[kind].copies += 1;
            kinds.of_tile.push(kind);
            let looks = kinds.kinds[kind].looks.clone();
            let mut by_orientation = vec![None; definition.orientations().count()];
            for &orientation in &orientations {
                let (edges, number) = (definition.look(orientation), number(tile, orientation));
                by_orientation[orientation.index(sides)] = looks.clone().find(|&look| {
                    kinds.looks[look].edges == edges && numbers_of_looks[look] == number
                });
            }
            kinds.by_orientation.push(by_orientation);
        }
        kinds
    }

    /// Adds a kind without tiles: how one of its tiles looks in these orientations.
    fn add(
        &mut self,
        tile: &Tile,
        orientations: impl Iterator<Item = (Orientation, u32)>,
        numbers_of_looks: &mut Vec<u32>,
    ) {
        let (kind, start) = (self.kinds.len(), self.looks.len());
        for (orientation, number) in orientations {
            let edges = tile.look(orientation);
            let mut looks = self.looks[start..]
                .iter_mut()
                .zip(&numbers_of_looks[start..]);
            match looks.find(|(look, n)| look.edges == edges && **n == number) {
                Some((look, _)) => look.same += 1,
                None => {
                    numbers_of_looks.push(number);
                    self.looks.push(Look {
                        kind,
                        orientation,
                        edges,
                        same: 1,
                    });
                }
            }
        }
        self.kinds.push(Kind {
            tiles: Vec::new(),
            looks: start..self.looks.len(),
            copies: 0,
        });
    }

    /// How `tile` looks in `orientation`; `None` where it may not lie so.
    pub fn look_of(&self, tile: usize, orientation: Orientation) -> Option<usize> {
        let sides = self.looks[self.kinds[self.of_tile[tile]].looks.start]
            .edges
            .len();
        if orientation.rotation() >= sides {
            return None;
        }
        let looks = &self.by_orientation[tile];
        looks.get(orientation.index(sides)).copied().flatten()
    }

    /// The orientations in which `tile` has this look, ascending.
    pub fn orientations_of(
        &self,
        TileId(tile): TileId,
        ValueId(look): ValueId,
    ) -> impl Iterator<Item = Orientation> + '_ {
        let sides = self.looks[look].edges.len();
        let by_orientation = self.by_orientation[tile].iter().enumerate();
        by_orientation
            .filter(move |&(_, &l)| l == Some(look))
            .map(move |(index, _)| {
                let face = Face::ALL[index / sides];
                Orientation::turned(index % sides).on(face)
            })
    }

    /// The look after a motion; `None` where the tile may not lie so.
    pub fn moved(&self, look: usize, motion: Orientation) -> Option<usize> {
        let Look {
            kind, orientation, ..
        } = self.looks[look];
        let tile = self.kinds[kind].tiles[0];
        let sides = self.looks[look].edges.len();
        self.look_of(tile, orientation.then(motion, sides))
    }

    /// The kind of a look.
    pub fn kind_of(&self, look: usize) -> &Kind {
        &self.kinds[self.looks[look].kind]
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeName, Labels, Tile};
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
        });
        Puzzle {
            name: "test".into(),
            title: None,
            source: None,
            pictures: None,
            images: Vec::new(),
            tiles: tiles.collect(),
            labels,
            border: None,
            may_turn,
        }
    }

    #[test]
    fn turned_twins_are_one_kind_only_where_tiles_may_turn() {
        let tiles = [["a", "b", "c", "d"], ["d", "a", "b", "c"]];
        assert_eq!(Kinds::of(&puzzle(true, &tiles)).kinds.len(), 1);
        assert_eq!(Kinds::of(&puzzle(false, &tiles)).kinds.len(), 2);
    }

    #[test]
    fn a_self_symmetric_tile_has_fewer_looks_than_orientations() {
        let tiles = [
            ["a", "a", "a", "a"],
            ["a", "b", "a", "b"],
            ["a", "b", "c", "d"],
        ];
        let kinds = Kinds::of(&puzzle(true, &tiles));
        let looks: Vec<_> = kinds
            .kinds
            .iter()
            .map(|k| (k.looks.len(), kinds.looks[k.looks.start].same))
            .collect();
        assert_eq!(looks, [(1, 4), (2, 2), (4, 1)]);
        assert_eq!(kinds.moved(1, Orientation::turned(1)), Some(2));
        assert_eq!(kinds.moved(1, Orientation::turned(2)), Some(1));
    }

    #[test]
    fn a_twin_finds_the_orientation_that_gives_the_look() {
        let tiles = [["a", "b", "c", "d"], ["d", "a", "b", "c"]];
        let kinds = Kinds::of(&puzzle(true, &tiles));
        let look = kinds.look_of(0, Orientation::turned(1)).unwrap();
        let turned: Vec<_> = kinds.orientations_of(TileId(1), ValueId(look)).collect();
        assert_eq!(turned, [Orientation::turned(0)]);
    }
}
