//! A tile, and how it can lie.

use super::Label;

/// How a tile lies in its cell: turned by a number of steps, counter-clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Orientation {
    rotation: u8,
}

impl Orientation {
    /// Turned counter-clockwise by `steps` steps; a step is a quarter turn of a square.
    ///
    /// # Panics
    /// Where `steps` exceeds 255: no tile has so many sides.
    pub fn turned(steps: usize) -> Self {
        let rotation = u8::try_from(steps).expect("a tile has at most 255 sides");
        Orientation { rotation }
    }

    /// The number of counter-clockwise steps.
    pub fn rotation(self) -> usize {
        usize::from(self.rotation)
    }

    /// This orientation after `steps` more steps of a tile with `sides` sides.
    pub fn plus(self, steps: usize, sides: usize) -> Self {
        Orientation::turned((self.rotation() + steps) % sides)
    }
}

/// A piece of the puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    /// The key in the file.
    pub name: String,
    /// What each side shows in rotation 0, counter-clockwise from the right.
    pub edges: Vec<Label>,
}

impl Tile {
    /// The number of sides.
    pub fn sides(&self) -> usize {
        self.edges.len()
    }

    /// What `side` shows when the tile lies in `orientation`.
    pub fn shows(&self, side: usize, orientation: Orientation) -> Label {
        let sides = self.sides();
        self.edges[(side + sides - orientation.rotation() % sides) % sides]
    }

    /// What all sides show when the tile lies in `orientation`, counter-clockwise from the right.
    pub fn look(&self, orientation: Orientation) -> Vec<Label> {
        (0..self.sides())
            .map(|side| self.shows(side, orientation))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{EdgeName, Labels};
    use super::*;

    #[test]
    fn one_step_brings_the_right_edge_to_the_top() {
        let mut labels = Labels::default();
        let edges: Vec<Label> = ["right", "top", "left", "bottom"]
            .iter()
            .map(|name| labels.add(&EdgeName::parse(name).unwrap()).unwrap())
            .collect();
        let tile = Tile {
            name: "1".into(),
            edges: edges.clone(),
        };
        assert_eq!(tile.shows(1, Orientation::turned(1)), edges[0]);
        assert_eq!(tile.shows(0, Orientation::turned(1)), edges[3]);
        assert_eq!(tile.look(Orientation::turned(0)), edges);
    }
}
