//! The alphabet of a link: which letter stands for which edge of a puzzle.
//!
//! Letters match themselves, edges need not; so a link to a board is matched to a puzzle by search.

use itertools::Itertools;

use crate::load::edge_order::EdgeOrder;
use crate::load::form::WriteError;
use crate::puzzle::{Half, Label, Puzzle, Tile};

/// The letter of the frame.
pub(super) const FRAME: char = 'a';

/// A letter, and what it stands for.
type Pair = (char, Label);

/// A letter for each label that tiles show.
#[derive(Debug, Clone)]
pub(super) struct Alphabet(Vec<Pair>);

impl Alphabet {
    /// The border is `a`, the others are `b`, `c`, … in the order in which tiles show them. Images
    /// that are called by letters already keep them.
    ///
    /// # Errors
    /// Where there are not letters enough.
    pub fn new(puzzle: &Puzzle) -> Result<Alphabet, WriteError> {
        const LETTERS: usize = 25;
        let edges = puzzle.tiles.iter().flat_map(|tile| &tile.edges).copied();
        let inside = edges.filter(|&label| puzzle.border != Some(label));
        let shown: Vec<Label> = inside.unique().collect();
        if let Some(own) = Alphabet::own(puzzle, &shown) {
            return Ok(own);
        }
        if shown.len() > LETTERS {
            let number = shown.len();
            let message = format!("{number} different edges, and there are {LETTERS} letters");
            return Err(WriteError(message));
        }
        let border = puzzle.border.map(|border| (FRAME, border));
        let others = ('b'..='z').zip(shown);
        Ok(Alphabet(border.into_iter().chain(others).collect()))
    }

    /// The letters that images are called by.
    fn own(puzzle: &Puzzle, shown: &[Label]) -> Option<Alphabet> {
        let letter = |label: Label| {
            let edge = puzzle.labels.edge(label);
            let letter = edge.image.chars().exactly_one().ok()?;
            let is_letter = letter.is_ascii_lowercase() && edge.half == Half::Whole;
            let is_frame = puzzle.border == Some(label);
            (is_letter && (letter == FRAME) == is_frame).then_some((letter, label))
        };
        let all = shown.iter().copied().chain(puzzle.border);
        let letters: Option<Vec<_>> = all.map(letter).collect();
        letters.map(Alphabet)
    }

    /// Letters of somebody else's choice, found from what cells show and which tiles lie there:
    /// each letter stands for one label, and each label for one letter. Nothing where that
    /// can't be, or is not found soon.
    pub fn found(puzzle: &Puzzle, cells: &[(&str, usize)]) -> Option<Alphabet> {
        let cells: Vec<Known> = cells
            .iter()
            .map(|&(shown, tile)| Known {
                shown: shown.chars().collect(),
                turned: turned(&puzzle.tiles[tile]),
            })
            .collect();
        let border = puzzle.border.map(|border| (FRAME, border));
        let mut search =
            Search { cells: &cells, letters: Alphabet(border.into_iter().collect()), steps: 0 };
        let open = (0..cells.len()).collect();
        search.extend(open).then_some(search.letters)
    }

    /// The label that a letter stands for.
    pub fn label(&self, letter: char) -> Option<Label> {
        self.0.iter().find(|(own, _)| *own == letter).map(|(_, label)| *label)
    }

    /// The letter that stands for a label.
    pub fn letter(&self, label: Label) -> Option<char> {
        self.0.iter().find(|(_, own)| *own == label).map(|(letter, _)| *letter)
    }

    /// Every letter with its label.
    pub fn letters(&self) -> impl Iterator<Item = Pair> {
        self.0.iter().copied()
    }
}

/// What a tile shows in each of its turns, clockwise from the top; looks that are alike count once.
fn turned(tile: &Tile) -> Vec<Vec<Label>> {
    let turned = tile
        .orientations()
        .map(|orientation| EdgeOrder::CLOCKWISE_FROM_TOP.listed(&tile.edges_in(orientation)));
    turned.unique().collect()
}

/// A cell whose tile is known, and what it shows.
struct Known {
    shown: Vec<char>,
    turned: Vec<Vec<Label>>,
}

struct Search<'a> {
    cells: &'a [Known],
    letters: Alphabet,
    steps: usize,
}

impl Search<'_> {
    /// Whether a look can be what a cell shows, as far as letters are known; then those that it
    /// adds.
    fn added(&self, shown: &[char], edges: &[Label]) -> Option<Vec<Pair>> {
        let mut added: Vec<Pair> = Vec::new();
        for (&letter, &label) in shown.iter().zip(edges) {
            let known = || self.letters.0.iter().chain(&added);
            let is_known = known().any(|pair| *pair == (letter, label));
            let is_other = known().any(|(l, own)| *l == letter || *own == label);
            match (is_known, is_other) {
                (true, _) => {}
                (false, true) => return None,
                (false, false) => added.push((letter, label)),
            }
        }
        Some(added)
    }

    /// Finds letters for the open cells, the one with the fewest ways first.
    fn extend(&mut self, mut open: Vec<usize>) -> bool {
        const MOST_STEPS: usize = 5_000;
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return false;
        }
        let ways = |search: &Self, cell: usize| -> Vec<Vec<Pair>> {
            let Known { shown, turned } = &search.cells[cell];
            turned.iter().filter_map(|edges| search.added(shown, edges)).unique().collect()
        };
        // The cell, and what each of its ways adds.
        let mut fewest: Option<(usize, Vec<_>)> = None;
        let mut index = 0;
        while index < open.len() {
            let found = ways(self, open[index]);
            if found.is_empty() {
                return false;
            }
            if found.len() == 1 && found[0].is_empty() {
                // All that it shows is known, and fits.
                open.swap_remove(index);
                continue;
            }
            if fewest.as_ref().is_none_or(|(_, known)| found.len() < known.len()) {
                fewest = Some((open[index], found));
            }
            index += 1;
        }
        let Some((cell, found)) = fewest else {
            return true;
        };
        open.retain(|&other| other != cell);
        let before = self.letters.0.len();
        for added in found {
            self.letters.0.extend(added);
            if self.extend(open.clone()) {
                return true;
            }
            self.letters.0.truncate(before);
        }
        false
    }
}
