//! Images and labels, and the rule by which labels match.
//!
//! A [`Label`] is one half of an image (`ylw+`) or a whole image (`grey`). Every label has exactly
//! one mate: the other half, or itself. No image is both halved and whole. A wholly or partly
//! unknown label fits more than its mate: `?` fits every label. A puzzle may also list the labels
//! that a label fits in place of its mate.

use std::collections::{BTreeMap, HashMap, HashSet};

use thiserror::Error;

use super::edge_name::{EdgeName, Half};
use super::parts::EdgeParts;

/// The label of one side of a tile; an index into [`Labels`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(u32);

impl Label {
    /// The index of the label, from 0 to [`Labels::len`] − 1.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The error for an image written both with and without a sign.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "image `{image}` is written {here} here, but {before} before: its edges must all have a sign, or none"
)]
pub struct MixedImageError {
    /// The image.
    pub image: String,
    here: &'static str,
    before: &'static str,
}

/// The labels of a puzzle with their names and mates.
///
/// ```
/// use edgematch::puzzle::{EdgeName, Labels};
/// let mut labels = Labels::default();
/// let plus = labels.add(&EdgeName::parse("ylw+").unwrap()).unwrap();
/// assert_eq!(labels.name(labels.mate(plus)), "ylw-");
/// ```
#[derive(Debug, Clone, Default)]
pub struct Labels {
    edges: Vec<EdgeName>,
    mates: Vec<Label>,
    images: HashMap<String, Label>,
    parts: Vec<EdgeParts>,
    /// The pairs of labels that fit and of which at least one is wholly or partly unknown.
    fitting: HashSet<[Label; 2]>,
    /// The labels that a label fits in place of its mate.
    matches: BTreeMap<Label, Vec<Label>>,
}

impl Labels {
    /// Returns the label of an edge. A new image is added, with both halves if the edge has a sign.
    ///
    /// # Errors
    /// If the image was added with a sign and this edge has none, or the reverse.
    pub fn add(&mut self, edge: &EdgeName) -> Result<Label, MixedImageError> {
        let first = match self.images.get(&edge.image) {
            Some(&first) => first,
            None => self.add_image(edge),
        };
        let is_whole = self.edges[first.index()].half == Half::Whole;
        match edge.half {
            Half::Whole if is_whole => Ok(first),
            Half::Plus if !is_whole => Ok(first),
            Half::Minus if !is_whole => Ok(self.mate(first)),
            Half::Whole => Err(mixed_image_error(edge, "without a sign", "with a sign")),
            _ => Err(mixed_image_error(edge, "with a sign", "without a sign")),
        }
    }

    /// Adds a new image, and returns the label of its `+` half or of the whole image.
    fn add_image(&mut self, edge: &EdgeName) -> Label {
        let first = Label(self.edges.len() as u32);
        let halves: &[Half] = match edge.half {
            Half::Whole => &[Half::Whole],
            _ => &[Half::Plus, Half::Minus],
        };
        for &half in halves {
            let image = edge.image.clone();
            let edge = EdgeName { image, half };
            self.parts.push(EdgeParts::from_edge(&edge));
            self.edges.push(edge);
        }
        let last = Label(self.edges.len() as u32 - 1);
        self.mates.push(last);
        if last != first {
            self.mates.push(first);
        }
        self.images.insert(edge.image.clone(), first);
        if self.is_known(first) && self.fitting.is_empty() {
            return first;
        }
        for label in [first, last] {
            let fitting = self.all().filter(|&other| {
                let [one, other] = [label, other].map(|label| self.parts(label));
                !(one.are_known() && other.are_known()) && one.fit(other)
            });
            let fitting: Vec<Label> = fitting.collect();
            let pairs = fitting.iter().flat_map(|&other| [[label, other], [other, label]]);
            self.fitting.extend(pairs);
        }
        first
    }

    /// Sets the labels that `label` fits in place of its mate. They fit it, and otherwise what they
    /// fit without this list.
    ///
    /// ```
    /// use edgematch::puzzle::{EdgeName, Labels};
    /// let mut labels = Labels::default();
    /// let mut label = |name| labels.add(&EdgeName::parse(name).unwrap()).unwrap();
    /// let [key, lock, door] = [label("key"), label("lock"), label("door")];
    /// labels.set_matches(key, vec![lock, door]);
    /// assert!(labels.fit(key, lock) && labels.fit(door, key) && labels.fit(door, door));
    /// assert!(!labels.fit(key, key));
    /// ```
    pub fn set_matches(&mut self, label: Label, fitting: Vec<Label>) {
        self.matches.insert(label, fitting);
    }

    /// The lists of [`set_matches`](Labels::set_matches), ascending by label.
    pub fn matches(&self) -> impl Iterator<Item = (Label, &[Label])> + '_ {
        self.matches.iter().map(|(label, fitting)| (*label, &fitting[..]))
    }

    /// Returns true if two labels fit: they are mates, or agree in everything known about both; of
    /// labels with a list of matches, if one lists the other.
    ///
    /// ```
    /// use edgematch::puzzle::{EdgeName, Labels};
    /// let mut labels = Labels::default();
    /// let mut label = |name| labels.add(&EdgeName::parse(name).unwrap()).unwrap();
    /// let [grey, minus, unknown] = [label("grey"), label("ylw-"), label("?")];
    /// assert!(!labels.fit(grey, minus));
    /// assert!(labels.fit(grey, unknown) && labels.fit(unknown, minus));
    /// ```
    pub fn fit(&self, one: Label, other: Label) -> bool {
        if !self.fitting.is_empty() && self.fitting.contains(&[one, other]) {
            return true;
        }
        if self.matches.contains_key(&one) || self.matches.contains_key(&other) {
            return self.lists(one, other) || self.lists(other, one);
        }
        self.mate(one) == other
    }

    /// Returns true if the list of matches of a label contains the other one.
    fn lists(&self, label: Label, other: Label) -> bool {
        self.matches.get(&label).is_some_and(|fitting| fitting.contains(&other))
    }

    /// All labels that fit `label`, ascending.
    pub fn fitting(&self, label: Label) -> impl Iterator<Item = Label> + '_ {
        let candidates = if self.fit_mates_only() {
            let mate = self.mate(label).0;
            mate..mate + 1
        } else {
            0..self.edges.len() as u32
        };
        candidates.map(Label).filter(move |&other| self.fit(label, other))
    }

    /// Returns true if every label fits only its mate: no edge is unknown or partly unknown, and no
    /// label has a list of matches.
    pub fn fit_mates_only(&self) -> bool {
        self.fitting.is_empty() && self.matches.is_empty()
    }

    /// Returns true if a known label fits nothing but its mate, or nothing at all.
    pub fn fits_mate_only(&self, label: Label) -> bool {
        let mate = self.mate(label);
        self.is_known(label)
            && self.fitting(label).all(|other| other == mate || !self.is_known(other))
    }

    /// A matrix, by the [indices](Label::index) of two labels, that is true where they fit; `None`
    /// if every label fits only its mate.
    pub fn fitting_table(&self) -> Option<Vec<Vec<bool>>> {
        let fit = |one| self.all().map(|other| self.fit(one, other)).collect();
        (!self.fit_mates_only()).then(|| self.all().map(fit).collect())
    }

    /// Returns true if no part of the label is unknown.
    pub fn is_known(&self, label: Label) -> bool {
        self.parts(label).are_known()
    }

    /// The corners of an edge with this label and the image between them.
    pub fn parts(&self, label: Label) -> &EdgeParts {
        &self.parts[label.index()]
    }

    /// The mate of a label: the other half of its image, or the label itself for a whole image.
    pub fn mate(&self, label: Label) -> Label {
        self.mates[label.index()]
    }

    /// The label as written in files, such as `ylw+`.
    pub fn name(&self, label: Label) -> String {
        self.edges[label.index()].to_string()
    }

    /// The image and half of a label.
    pub fn edge(&self, label: Label) -> &EdgeName {
        &self.edges[label.index()]
    }

    /// The number of labels; an image with halves has two.
    pub fn len(&self) -> usize {
        self.edges.len()
    }

    /// Returns true if there are no labels.
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// All labels, by image in order of first occurrence.
    pub fn all(&self) -> impl Iterator<Item = Label> + use<> {
        (0..self.edges.len() as u32).map(Label)
    }

    /// The first label of each image: its `+` half, or the whole image.
    pub fn firsts(&self) -> impl Iterator<Item = Label> + '_ {
        self.all().filter(|&label| label <= self.mate(label))
    }

    /// The number of images. Partly unknown edges do not count.
    pub fn images(&self) -> usize {
        self.firsts().filter(|&label| self.is_known(label)).count()
    }

    /// The number of images with halves. Partly unknown edges do not count.
    pub fn halved_images(&self) -> usize {
        let halved = self.firsts().filter(|&label| self.is_known(label));
        halved.filter(|&label| self.mate(label) != label).count()
    }
}

/// The error for an image that occurs both whole and in halves; `here` and `before` name the two
/// forms.
fn mixed_image_error(edge: &EdgeName, here: &'static str, before: &'static str) -> MixedImageError {
    MixedImageError { image: edge.image.clone(), here, before }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_mates_and_a_whole_image_is_its_own() {
        let mut labels = Labels::default();
        let minus = labels.add(&EdgeName::parse("a-").unwrap()).unwrap();
        let grey = labels.add(&EdgeName::parse("grey").unwrap()).unwrap();
        assert_eq!(labels.name(labels.mate(minus)), "a+");
        assert_eq!(labels.mate(labels.mate(minus)), minus);
        assert_eq!(labels.mate(grey), grey);
        assert_eq!((labels.images(), labels.halved_images()), (2, 1));
    }

    #[test]
    fn an_image_is_never_both_halved_and_whole() {
        let mut labels = Labels::default();
        labels.add(&EdgeName::parse("a-").unwrap()).unwrap();
        assert!(labels.add(&EdgeName::parse("a").unwrap()).is_err());
        labels.add(&EdgeName::parse("b").unwrap()).unwrap();
        assert!(labels.add(&EdgeName::parse("b+").unwrap()).is_err());
    }
}
