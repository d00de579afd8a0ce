//! A puzzle made from one of its solutions: labels are assigned to seams, and each tile shows the
//! labels around its cell.

use std::collections::HashSet;

use crate::runtime::random::Random;

use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Placed};
use crate::puzzle::{Copies, Face, Flip, Label, Orientation, Puzzle, Tile};

/// An edge of a tile: the side of a face, in the tile's position in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Slot {
    tile: usize,
    face: Face,
    side: usize,
}

/// Two edges that touch in the planted solution.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    /// The two edges; the second one always shows the mate of the label on the first.
    pub ends: [Slot; 2],
    /// True if both cells are on the rim.
    pub is_of_frame: bool,
}

/// A puzzle with a planted solution, and the edges that may change.
#[derive(Debug, Clone)]
pub(super) struct Planted {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The pairs of touching edges.
    pub pairs: Vec<Pair>,
    /// The edges that touch nothing in the planted solution, without border edges and edges that
    /// follow from others.
    pub loose: Vec<Slot>,
    /// The rule by which backs follow from fronts; `None` if they do not.
    flip: Option<Flip>,
}

/// The shape of a tile: the number of sides, and true if it has a back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Blank {
    pub sides: usize,
    pub has_back: bool,
}

impl Planted {
    /// Places blank tiles at random; `puzzle` provides everything but the tiles. Rim sides show the
    /// border, if there is one; every other edge shows `filler` until it is set.
    ///
    /// # Panics
    /// If there are fewer blanks than cells with some number of sides.
    pub fn place_blanks(
        mut puzzle: Puzzle,
        blanks: &[Blank],
        flip: Option<Flip>,
        board: &Board,
        filler: Label,
        random: &mut Random,
    ) -> Planted {
        let tile = |(blank, number): (&Blank, usize)| Tile {
            name: number.to_string(),
            edges: vec![filler; blank.sides],
            back: blank.has_back.then(|| vec![filler; blank.sides]),
            copies: Copies::ONE,
        };
        puzzle.tiles = blanks.iter().zip(1..).map(tile).collect();
        let mut planted = Planted { puzzle, pairs: Vec::new(), loose: Vec::new(), flip };
        let arrangement = planted.random_arrangement(board, random);
        let slot = |(cell, side): CellSide| planted.slot(arrangement.0[cell], side);
        let pairs: Vec<Pair> = board
            .touching()
            .map(|ends| Pair {
                ends: ends.map(slot),
                is_of_frame: ends.iter().all(|&(cell, _)| board.is_on_rim(cell)),
            })
            .collect();
        let rim: Vec<Slot> = board.rim().iter().copied().map(slot).collect();
        let framed = rim.iter().copied().filter(|_| planted.puzzle.border.is_some());
        let bound = pairs.iter().flat_map(|pair| pair.ends).chain(framed);
        let bound: HashSet<Slot> = bound.map(|slot| planted.determining_edge(slot)).collect();
        planted.loose = planted.slots().filter(|slot: &Slot| !bound.contains(slot)).collect();
        planted.pairs = pairs;
        if let Some(border) = planted.puzzle.border {
            for slot in rim {
                planted.set(slot, border);
            }
        }
        planted
    }

    /// A random arrangement: each cell gets a different tile with as many sides, in a random
    /// allowed orientation. Panics if there are too few tiles.
    fn random_arrangement(&self, board: &Board, random: &mut Random) -> Arrangement {
        let mut tiles: Vec<usize> = (0..self.puzzle.tiles.len()).collect();
        random.shuffle(&mut tiles);
        let place = |cell: &crate::board::Cell| {
            let fits = |&tile: &usize| self.puzzle.tiles[tile].sides() == cell.sides;
            let place = tiles.iter().position(fits);
            let tile = tiles.swap_remove(place.expect("there is a tile for each cell"));
            let orientations: Vec<Orientation> = self.puzzle.orientations(tile).collect();
            Placed { tile, orientation: orientations[random.usize(..orientations.len())] }
        };
        Arrangement(board.cells().iter().map(place).collect())
    }

    /// The edge, by its side in the file, that a placed tile shows on `side` of its cell.
    fn slot(&self, placed: Placed, side: usize) -> Slot {
        let sides = self.puzzle.tiles[placed.tile].sides();
        Slot {
            tile: placed.tile,
            face: placed.orientation.face(),
            side: (side + sides - placed.orientation.rotation()) % sides,
        }
    }

    /// The edge that determines a slot: the slot itself, or one of the front if the back follows
    /// from it.
    fn determining_edge(&self, slot: Slot) -> Slot {
        let sides = self.puzzle.tiles[slot.tile].sides();
        match (slot.face, self.flip) {
            (Face::Back, Some(_)) => Slot {
                face: Face::Front,
                side: Orientation::turned(0).with_face(Face::Back).move_side(slot.side, sides),
                ..slot
            },
            _ => slot,
        }
    }

    /// Every edge that does not follow from another.
    fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.puzzle.tiles.iter().enumerate().flat_map(move |(tile, definition)| {
            let sides = definition.sides();
            let faces = definition.faces().take(if self.flip.is_some() { 1 } else { 2 });
            faces.flat_map(move |face| (0..sides).map(move |side| Slot { tile, face, side }))
        })
    }

    /// The label that an edge shows.
    pub fn label(&self, slot: Slot) -> Label {
        self.puzzle.tiles[slot.tile].face(slot.face)[slot.side]
    }

    /// Changes the label of an edge, and of the other face if backs follow from fronts.
    pub fn set(&mut self, slot: Slot, label: Label) {
        let Slot { tile, face, side } = slot;
        let Puzzle { tiles, labels, .. } = &mut self.puzzle;
        tiles[tile].retype((face, side), label, self.flip, labels);
    }

    /// Sets the labels of two touching edges: `label` on the first, its mate on the second.
    pub fn set_pair(&mut self, pair: Pair, label: Label) {
        let mate = self.puzzle.labels.mate(label);
        self.set(pair.ends[0], label);
        self.set(pair.ends[1], mate);
    }
}
