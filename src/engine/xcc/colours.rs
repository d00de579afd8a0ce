//! The colours that a placement gives its seams.

use std::collections::HashMap;

use crate::puzzle::{Label, Labels, Part};

/// Colours of seams, from 1.
pub(super) struct Colours<'a> {
    labels: &'a Labels,
    /// Those of parts, where some edges are unknown.
    of_parts: HashMap<Part, i32>,
}

impl Colours<'_> {
    /// The colours of a puzzle.
    pub fn new(labels: &Labels) -> Colours<'_> {
        Colours { labels, of_parts: HashMap::new() }
    }

    /// How many items a seam is.
    pub fn items(&self) -> usize {
        if self.labels.are_known() { 1 } else { 3 }
    }

    /// What an end that shows a label gives the items of its seam, the first of which is given: what
    /// the first end shows then.
    pub fn of(&mut self, item: usize, label: Label, is_first: bool) -> Vec<(usize, i32)> {
        let labels = self.labels;
        if labels.are_known() {
            let label = if is_first { label } else { labels.mate(label) };
            return vec![(item, label.index() as i32 + 1)];
        }
        let parts = labels.parts(label);
        let mates;
        let parts = if is_first {
            parts
        } else {
            mates = parts.mates();
            &mates
        };
        let known = parts.all().into_iter().enumerate().filter(|&(_, part)| *part != Part::Unknown);
        let coloured = known.map(|(index, part)| {
            let next = self.of_parts.len() as i32 + 1;
            let colour = *self.of_parts.entry(part.clone()).or_insert(next);
            (item + index, colour)
        });
        coloured.collect()
    }
}
