//! Redistributes the edges of an existing puzzle over its tiles.
//!
//! The multiset of edges is preserved; only their positions change.

use itertools::Itertools;

use super::odds::Odds;
use super::planted::{Blank, Planted, Slot};
use super::{ATTEMPTS, GenerateError, PuzzleFamily, PuzzleSource};
use crate::board::Board;
use crate::engine::counted;
use crate::problem::Problem;
use crate::puzzle::{Flip, Label, Labels, Puzzle, Tile};
use crate::runtime::random::Random;

/// The edges of a puzzle without its border, to be redistributed with a planted solution.
#[derive(Debug, Clone)]
pub struct Deal {
    problem: Problem,
    /// The shape of each tile.
    blanks: Vec<Blank>,
    /// As many matching pairs as the edges form, each represented by its smaller label.
    pairs: Vec<Label>,
    /// The edges that are in no pair.
    rest: Vec<Label>,
}

/// Splits a multiset of edges into as many matching pairs as possible and the remaining edges.
/// `numbers` is the number of edges per label. A pair is represented by its smaller label.
fn split_into_pairs(labels: &Labels, numbers: &[usize]) -> (Vec<Label>, Vec<Label>) {
    let mut pairs = Vec::new();
    let mut rest = Vec::new();
    for label in labels.all() {
        let mate = labels.mate(label);
        let own = numbers[label.index()];
        let of_pairs = if mate == label { own / 2 } else { own.min(numbers[mate.index()]) };
        let left = if mate == label { own % 2 } else { own - of_pairs };
        if label <= mate {
            pairs.extend(std::iter::repeat_n(label, of_pairs));
        }
        rest.extend(std::iter::repeat_n(label, left));
    }
    (pairs, rest)
}

impl Deal {
    /// Takes the edges of a puzzle; those of backs that follow from fronts are not counted.
    ///
    /// # Errors
    /// If the puzzle has constraints or unknown edges, its number of border edges differs from the
    /// number of rim sides, or its edges form fewer matching pairs than the board has seams.
    pub fn new(problem: &Problem) -> Result<Deal, GenerateError> {
        let puzzle = &problem.puzzle;
        if !problem.constraints.is_empty() {
            let why = "its constraints name tiles, which would change";
            return Err(GenerateError::Impossible(why.into()));
        }
        if !puzzle.labels.fit_mates_only() {
            return Err(GenerateError::Impossible("some edges fit several others".into()));
        }
        let flip = puzzle.flip();
        let blank = |tile: &Tile| Blank { sides: tile.sides(), has_back: tile.back.is_some() };
        let blanks = puzzle.tiles.iter().map(blank).collect();
        let printed = |tile: &Tile| -> Vec<Label> {
            let faces = tile.faces().take(if flip.is_some() { 1 } else { 2 });
            faces.flat_map(|face| tile.face(face).to_vec()).collect()
        };
        let mut numbers = vec![0; puzzle.labels.len()];
        for label in puzzle.tiles.iter().flat_map(printed) {
            numbers[label.index()] += 1;
        }
        if let Some(border) = puzzle.border {
            let here = numbers[border.index()];
            let needed = problem.board.rim().len();
            if here != needed {
                return Err(GenerateError::Impossible(format!(
                    "its tiles have {here} border edges, but the rim of the board has {}",
                    counted(needed, "side", "sides")
                )));
            }
            numbers[border.index()] = 0;
        }
        if flip == Some(Flip::Reverse) {
            // The halves of an image are one edge, seen from the front and from the back.
            for first in puzzle.labels.firsts() {
                let mate = puzzle.labels.mate(first);
                let number = numbers[first.index()] + numbers[mate.index()];
                if mate != first {
                    numbers[first.index()] = number.div_ceil(2);
                    numbers[mate.index()] = number / 2;
                }
            }
        }
        let (pairs, rest) = split_into_pairs(&puzzle.labels, &numbers);
        let board = &problem.board;
        let seams = board.touching().count();
        if pairs.len() < seams {
            return Err(GenerateError::Impossible(format!(
                "its edges make at most {} that match, but the board has {}",
                counted(pairs.len(), "pair", "pairs"),
                counted(seams, "seam", "seams")
            )));
        }
        Ok(Deal { problem: problem.clone(), blanks, pairs, rest })
    }

    /// The probability that two different edges, drawn at random, match; 0 if there are fewer than
    /// two.
    fn match_probability(&self) -> f64 {
        let labels = &self.problem.puzzle.labels;
        let mut numbers = vec![0.0; labels.len()];
        for &label in &self.pairs {
            numbers[label.index()] += 1.0;
            numbers[labels.mate(label).index()] += 1.0;
        }
        for &label in &self.rest {
            numbers[label.index()] += 1.0;
        }
        let all: f64 = numbers.iter().sum();
        let matching = labels.all().map(|label| {
            let mate = labels.mate(label);
            let others = numbers[mate.index()] - if mate == label { 1.0 } else { 0.0 };
            numbers[label.index()] * others
        });
        matching.sum::<f64>() / (all * (all - 1.0)).max(1.0)
    }
}

impl PuzzleFamily for Deal {
    fn board(&self) -> &Board {
        &self.problem.board
    }

    fn planting(&self) -> Box<dyn PuzzleSource + '_> {
        Box::new(self)
    }

    fn ln_expected(&self) -> f64 {
        let puzzle = &self.problem.puzzle;
        let tiles = puzzle.tiles.iter().map(Tile::sides).counts();
        let faces = puzzle.tiles.iter().map(|tile| tile.faces().count());
        let odds = Odds {
            board: &self.problem.board,
            tiles: tiles.into_iter().collect(),
            has_frame: puzzle.border.is_some(),
            may_turn: puzzle.may_turn,
            faces: faces.max().unwrap_or(1),
            group: self.problem.group.len(),
            matching: [self.match_probability(); 2],
        };
        odds.ln_classes()
    }

    fn explain_excess(&self, expected: &str) -> String {
        format!(
            "its edges, dealt at random, have about {expected} solutions, not counting symmetries"
        )
    }
}

impl PuzzleSource for &Deal {
    fn start(&self, random: &mut Random) -> Planted {
        let puzzle = Puzzle {
            title: None,
            pictures: None,
            tiles: Vec::new(),
            assumed: Vec::new(),
            ..self.problem.puzzle.clone()
        };
        let labels = puzzle.labels.clone();
        let mut pairs = self.pairs.clone();
        random.shuffle(&mut pairs);
        // There is at least one label, because a board has a cell and a cell has sides.
        let filler = labels.all().next().expect("a tile has edges");
        let (board, flip) = (&self.problem.board, self.problem.puzzle.flip());
        let mut planted = Planted::place_blanks(puzzle, &self.blanks, flip, board, filler, random);
        let used = pairs.split_off(pairs.len() - planted.pairs.len());
        for (pair, label) in planted.pairs.clone().into_iter().zip(used) {
            let label = if random.bool() { label } else { labels.mate(label) };
            planted.set_pair(pair, label);
        }
        let apart = pairs.iter().flat_map(|&first| [first, labels.mate(first)]);
        let mut rest: Vec<Label> = self.rest.iter().copied().chain(apart).collect();
        random.shuffle(&mut rest);
        for (slot, label) in planted.loose.clone().into_iter().zip_eq(rest) {
            planted.set(slot, label);
        }
        planted
    }

    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool {
        let changes = [swap_pairs, turn_pair, swap_loose, swap_pair_with_loose];
        (0..ATTEMPTS).any(|_| changes[random.usize(..changes.len())](planted, random) == Some(true))
    }
}

/// Two random elements, possibly the same one; `None` if the list is empty.
fn choose_two<T: Copy>(all: &[T], random: &mut Random) -> Option<[T; 2]> {
    Some([*random.choice(all)?, *random.choice(all)?])
}

/// Exchanges the labels of two random pairs; returns true if this makes a difference, `None` if
/// there are no pairs.
fn swap_pairs(planted: &mut Planted, random: &mut Random) -> Option<bool> {
    let [one, other] = choose_two(&planted.pairs, random)?;
    let [here, there] = [one, other].map(|pair| planted.label(pair.ends[0]));
    planted.set_pair(one, there);
    planted.set_pair(other, here);
    Some(here != there)
}

/// Exchanges the two labels of a random pair; returns true if this makes a difference, `None` if
/// there are no pairs.
fn turn_pair(planted: &mut Planted, random: &mut Random) -> Option<bool> {
    let &pair = random.choice(&planted.pairs)?;
    let [first, second] = pair.ends.map(|slot| planted.label(slot));
    planted.set_pair(pair, second);
    Some(first != second)
}

/// Exchanges the labels of two random loose edges; returns true if this makes a difference, `None`
/// if there are none.
fn swap_loose(planted: &mut Planted, random: &mut Random) -> Option<bool> {
    choose_two(&planted.loose, random).map(|[one, other]| swap(planted, one, other))
}

/// Exchanges the labels of two edges; returns true if this makes a difference.
pub(super) fn swap(planted: &mut Planted, one: Slot, other: Slot) -> bool {
    let here = planted.label(one);
    let there = planted.label(other);
    planted.set(one, there);
    planted.set(other, here);
    here != there
}

/// Exchanges the labels of a random pair with those of two loose edges that match each other.
/// Returns `None`, without changes, if there are no such edges or they show the labels of the pair.
fn swap_pair_with_loose(planted: &mut Planted, random: &mut Random) -> Option<bool> {
    let &pair = random.choice(&planted.pairs)?;
    let &one = random.choice(&planted.loose)?;
    let label = planted.label(one);
    let mate = planted.puzzle.labels.mate(label);
    let [first, second] = pair.ends.map(|slot| planted.label(slot));
    let partners = planted.loose.iter().copied();
    let partners: Vec<Slot> =
        partners.filter(|&slot| slot != one && planted.label(slot) == mate).collect();
    match random.choice(&partners) {
        Some(&other) if label != first && label != second => {
            planted.set_pair(pair, label);
            planted.set(one, first);
            planted.set(other, second);
            Some(true)
        }
        _ => None,
    }
}

/// A source of puzzles with the edges of another source in random places, so that its planted
/// solution is lost.
pub(super) struct ShuffledSource<'a>(pub &'a dyn PuzzleSource);

/// The edges that may be exchanged within each of two groups: those inside and loose ones, and
/// those along the frame.
fn exchangeable_edges(planted: &Planted) -> [Vec<Slot>; 2] {
    let ends = |is_of_frame: bool| {
        let pairs = planted.pairs.iter().filter(move |pair| pair.is_of_frame == is_of_frame);
        pairs.flat_map(|pair| pair.ends)
    };
    [ends(false).chain(planted.loose.iter().copied()).collect(), ends(true).collect()]
}

impl PuzzleSource for ShuffledSource<'_> {
    fn start(&self, random: &mut Random) -> Planted {
        let mut planted = self.0.start(random);
        for slots in exchangeable_edges(&planted) {
            let mut labels: Vec<_> = slots.iter().map(|&slot| planted.label(slot)).collect();
            random.shuffle(&mut labels);
            for (slot, label) in slots.into_iter().zip(labels) {
                planted.set(slot, label);
            }
        }
        planted
    }

    fn change(&self, planted: &mut Planted, random: &mut Random) -> bool {
        let groups = exchangeable_edges(planted);
        (0..ATTEMPTS).any(|_| {
            let slots = &groups[random.usize(..groups.len())];
            if slots.is_empty() {
                return false;
            }
            let [one, other] = [(); 2].map(|()| slots[random.usize(..slots.len())]);
            swap(planted, one, other)
        })
    }
}
