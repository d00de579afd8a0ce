//! The alphabet of a link: a mapping between letters and edges of a puzzle.
//!
//! Letters match themselves; edges need not. The letters of a link by another program are found by
//! search.

use itertools::Itertools;

use crate::load::edge_order::EdgeOrder;
use crate::problem::Placed;
use crate::puzzle::{Half, Label, Puzzle};

/// The letter of the frame.
pub(super) const FRAME: char = 'a';

/// Pairs of a letter and its label, each in at most one pair.
#[derive(Debug, Clone)]
pub(super) struct Alphabet(pub Vec<(char, Label)>);

impl Alphabet {
    /// Maps the letter `a` to the border, and `b`, `c`, … to the other labels in the order of the
    /// tiles. If all images are named by letters, they keep these letters.
    ///
    /// # Errors
    /// If there are not enough letters.
    pub fn new(puzzle: &Puzzle) -> Result<Alphabet, String> {
        const LETTERS: usize = 25;
        let edges = puzzle.tiles.iter().flat_map(|tile| &tile.edges).copied();
        let inside = edges.filter(|&label| puzzle.border != Some(label));
        let shown: Vec<Label> = inside.unique().collect();
        let own_letter = |label: Label| {
            let edge = puzzle.labels.edge(label);
            let letter = edge.image.chars().exactly_one().ok()?;
            let is_letter = letter.is_ascii_lowercase() && edge.half == Half::Whole;
            let is_frame = puzzle.border == Some(label);
            (is_letter && (letter == FRAME) == is_frame).then_some((letter, label))
        };
        let all = shown.iter().copied().chain(puzzle.border);
        if let Some(own) = all.map(own_letter).collect() {
            return Ok(Alphabet(own));
        }
        if shown.len() > LETTERS {
            let number = shown.len();
            return Err(format!("{number} different edges, and there are {LETTERS} letters"));
        }
        let border = puzzle.border.map(|border| (FRAME, border));
        Ok(Alphabet(border.into_iter().chain(('b'..='z').zip(shown)).collect()))
    }

    /// Extends the alphabet such that each cell's letters show its tile in some orientation. `None`
    /// if there is no such alphabet, or if the search takes too many steps.
    pub fn extended(mut self, puzzle: &Puzzle, cells: &[(&str, usize)]) -> Option<Alphabet> {
        let cells = cells.iter().map(|&(shown, tile)| {
            let orientations = Placed::every(puzzle, tile).map(|placed| labels(puzzle, placed));
            (shown, orientations.unique().collect())
        });
        self.extend(&cells.collect::<Vec<_>>(), &mut 0).then_some(self)
    }

    /// Branches on the cell with the fewest orientations consistent with the known letters.
    fn extend(&mut self, cells: &[(&str, Vec<Vec<Label>>)], steps: &mut usize) -> bool {
        const MOST_STEPS: usize = 5_000;
        *steps += 1;
        if *steps > MOST_STEPS {
            return false;
        }
        let mut fewest: Option<Vec<_>> = None;
        for (shown, orientations) in cells {
            let added = orientations.iter().filter_map(|labels| self.added(shown, labels));
            let added: Vec<_> = added.unique().collect();
            if added.is_empty() {
                return false;
            }
            let is_known = added.len() == 1 && added[0].is_empty();
            if !is_known && fewest.as_ref().is_none_or(|fewest| added.len() < fewest.len()) {
                fewest = Some(added);
            }
        }
        let known = self.0.len();
        fewest.is_none_or(|added| {
            added.into_iter().any(|pairs| {
                self.0.truncate(known);
                self.0.extend(pairs);
                self.extend(cells, steps)
            })
        })
    }

    /// The pairs to add if a cell shows these labels; `None` if they contradict known letters.
    fn added(&self, shown: &str, labels: &[Label]) -> Option<Vec<(char, Label)>> {
        let mut added = Vec::new();
        for pair in shown.chars().zip(labels.iter().copied()) {
            let mut known = self.0.iter().chain(&added);
            match known.find(|(letter, label)| *letter == pair.0 || *label == pair.1) {
                None => added.push(pair),
                Some(own) if *own == pair => {}
                Some(_) => return None,
            }
        }
        Some(added)
    }

    /// The letters of a tile, clockwise from the top.
    pub fn word(&self, puzzle: &Puzzle, placed: Placed) -> String {
        let letter =
            |label| self.0.iter().find(|(_, own)| *own == label).map(|(letter, _)| *letter);
        labels(puzzle, placed).into_iter().filter_map(letter).collect()
    }
}

/// The labels of a tile, clockwise from the top.
fn labels(puzzle: &Puzzle, placed: Placed) -> Vec<Label> {
    let edges = puzzle.tiles[placed.tile].edges_in(placed.orientation);
    EdgeOrder::CLOCKWISE_FROM_TOP.listed(&edges)
}
