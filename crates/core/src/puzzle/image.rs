//! Statistics of images: how often each half occurs, and on which tiles.

use super::{Label, Puzzle};

/// Pairs of words that usually name the two halves of an image, as in `cat head` and `cat tail`.
pub const HALF_WORDS: [[&str; 2]; 13] = [
    ["head", "tail"],
    ["top", "bottom"],
    ["upper", "lower"],
    ["left", "right"],
    ["front", "back"],
    ["in", "out"],
    ["up", "down"],
    ["north", "south"],
    ["east", "west"],
    ["kopf", "schwanz"],
    ["oben", "unten"],
    ["vorne", "hinten"],
    ["links", "rechts"],
];

/// Splits a name such as `cat head` or `catHead` into `cat` and its last word; `None` if it has a
/// single word.
pub fn last_word(name: &str) -> Option<(&str, &str)> {
    if let Some((image, word)) = name.rsplit_once([' ', '/', '_', '-', '.']) {
        return Some((image.trim_end(), word));
    }
    let at = name.rfind(char::is_uppercase)?;
    let (image, word) = name.split_at(at);
    image.ends_with(char::is_lowercase).then_some((image, word))
}

/// Splits a name such as `head of cat` into its first word and the others; `None` if it has a single
/// word.
pub fn first_word(name: &str) -> Option<(&str, &str)> {
    let (word, image) = name.split_once([' ', '/', '_', '-', '.'])?;
    Some((image.trim_start(), word))
}

/// An image with the edges that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageUse {
    /// Its name, without a sign.
    pub name: String,
    /// Its halves, `+` first; a single entry for an image without halves.
    pub halves: Vec<HalfUse>,
}

/// A label with the tiles that show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HalfUse {
    /// The label.
    pub label: Label,
    /// The tile of each edge that shows the label, ascending; a tile with two such edges occurs
    /// twice.
    pub tiles: Vec<usize>,
}

impl ImageUse {
    /// The number of edges that show the image.
    pub fn edges(&self) -> usize {
        self.halves.iter().map(|half| half.tiles.len()).sum()
    }

    /// The number of edges that show each half, in the order of `halves`.
    pub fn counts(&self) -> Vec<usize> {
        self.halves.iter().map(|half| half.tiles.len()).collect()
    }

    /// The half that occurs if the other one does not; otherwise `None`, also for an image without
    /// halves.
    pub fn only_half(&self) -> Option<&HalfUse> {
        let mut present = self.halves.iter().filter(|half| !half.tiles.is_empty());
        let first = present.next()?;
        (self.halves.len() == 2 && present.next().is_none()).then_some(first)
    }
}

impl Puzzle {
    /// The uses of every image except the border and partly unknown ones, in order of first
    /// occurrence. If the print of a tile shows through, only its front counts.
    pub fn image_uses(&self) -> Vec<ImageUse> {
        let mut shown_by = vec![Vec::new(); self.labels.len()];
        for (index, tile) in self.tiles.iter().enumerate() {
            for label in tile.shown_labels() {
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
