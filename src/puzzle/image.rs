//! Images as an owner of tiles sees them: how often each half occurs, and where.

use super::{Label, Puzzle};

/// Words that name the two halves of an image, as in `cat head` and `cat tail`.
pub(crate) const HALF_WORDS: [[&str; 2]; 6] = [
    ["head", "tail"],
    ["top", "bottom"],
    ["upper", "lower"],
    ["left", "right"],
    ["front", "back"],
    ["in", "out"],
];

/// The parts of a name that ends in a word of its own: `cat` and `head`.
pub(crate) fn last_word(name: &str) -> Option<(&str, &str)> {
    let (image, word) = name.rsplit_once([' ', '/', '_', '-', '.'])?;
    Some((image.trim_end(), word))
}

/// An image with all edges that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageUse {
    /// Its name, without a sign.
    pub name: String,
    /// Its halves, `+` first; the one label of an image without halves.
    pub halves: Vec<HalfUse>,
}

/// A label with the tiles that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HalfUse {
    /// The label.
    pub label: Label,
    /// The tile of each edge that shows it, ascending; a tile with two such edges stands twice.
    pub tiles: Vec<usize>,
}

impl ImageUse {
    /// How many edges show it.
    pub fn edges(&self) -> usize {
        self.halves.iter().map(|half| half.tiles.len()).sum()
    }

    /// How many edges show each half.
    pub fn counts(&self) -> Vec<usize> {
        self.halves.iter().map(|half| half.tiles.len()).collect()
    }

    /// The half of which edges are there, where it is the only one.
    pub fn only_half(&self) -> Option<&HalfUse> {
        let mut present = self.halves.iter().filter(|half| !half.tiles.is_empty());
        let first = present.next()?;
        (self.halves.len() == 2 && present.next().is_none()).then_some(first)
    }
}

impl Puzzle {
    /// Every image but the border that is wholly known, in the order in which they were met, with the edges that show
    /// it. Of a tile whose print goes through only the front is counted.
    pub fn image_uses(&self) -> Vec<ImageUse> {
        let mut shown_by = vec![Vec::new(); self.labels.len()];
        for (index, tile) in self.tiles.iter().enumerate() {
            for label in tile.shown() {
                shown_by[label.index()].push(index);
            }
        }
        let firsts = self.labels.firsts();
        let firsts = firsts.filter(|&l| self.border != Some(l) && self.labels.is_known(l));
        let uses = firsts.map(|first| {
            let mate = self.labels.mate(first);
            let halves = [first, mate].into_iter().take(1 + usize::from(mate != first));
            let half = |label: Label| HalfUse {
                label,
                tiles: std::mem::take(&mut shown_by[label.index()]),
            };
            ImageUse {
                name: self.labels.edge(first).image.clone(),
                halves: halves.map(half).collect(),
            }
        });
        uses.collect()
    }
}
