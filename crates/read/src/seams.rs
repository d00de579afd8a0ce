//! The seams of cards that are laid as a board.

use crate::GridSize;
use crate::card::{Card, SIDES};
use crate::groups::Groups;
use crate::pairs::paired;
use crate::quad::{Point, distance};

/// The maximum distance between sides that touch, relative to a card.
const TOUCHING: f32 = 0.25;

/// The minimum number of seams that show that a board is solved.
const FEWEST_SEAMS: usize = 8;

/// The minimum fraction of them whose sides match. Of shuffled cards, a pairing of eight groups
/// makes half of the seams match by chance.
const LEAST_MATCHED: f32 = 0.75;

/// The minimum number of groups: a pairing of fewer makes most seams match by chance.
const FEWEST: usize = 6;

/// The pairs of sides that touch. A side is four times the index of its card plus 0 for the top,
/// then clockwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seams(Vec<(usize, usize)>);

impl Seams {
    /// The seams of cards in rows and columns.
    pub fn new(size: GridSize, cards: &[Card]) -> Seams {
        let neighbours = (0..size.cards()).flat_map(|card| {
            let is_last = card % size.columns + 1 == size.columns;
            let right = (!is_last).then_some((card * SIDES + 1, (card + 1) * SIDES + 3));
            let below = card + size.columns;
            let below = (below < size.cards()).then_some((card * SIDES + 2, below * SIDES));
            right.into_iter().chain(below)
        });
        Seams(neighbours.filter(|&(a, b)| are_near(cards, a, b)).collect())
    }

    /// The number of seams between each pair of groups if the cards are laid as a solved board:
    /// some pairing of the groups makes the sides match at most seams. `None` if they are not.
    pub fn of_solved(&self, groups: &Groups) -> Option<Vec<Vec<f32>>> {
        let mut counts = vec![vec![0.0; groups.number]; groups.number];
        for &(a, b) in &self.0 {
            let (a, b) = (groups.of[a], groups.of[b]);
            counts[a][b] += 1.0;
            if a != b {
                counts[b][a] += 1.0;
            }
        }
        let costs: Vec<Vec<f32>> =
            counts.iter().map(|row| row.iter().map(|count: &f32| -count).collect()).collect();
        let matched = -paired(&costs).cost;
        let is_enough = self.0.len() >= FEWEST_SEAMS && groups.number >= FEWEST;
        let is_solved = is_enough && matched >= LEAST_MATCHED * self.0.len() as f32;
        is_solved.then_some(counts)
    }

    /// The number of seams at which the sides do not match, for the group of each side and the
    /// matching group of each group.
    pub fn broken(&self, of: &[usize], mate: &[usize]) -> usize {
        self.0.iter().filter(|&&(a, b)| mate[of[a]] != of[b]).count()
    }
}

/// Returns true if two sides nearly coincide in a photograph.
fn are_near(cards: &[Card], a: usize, b: usize) -> bool {
    let ends = |side: usize| -> (Point, Point) {
        let quad = &cards[side / SIDES].quad;
        (quad.0[side % SIDES], quad.0[(side + 1) % SIDES])
    };
    let ((from, to), (start, end)) = (ends(a), ends(b));
    let is_same = cards[a / SIDES].photo == cards[b / SIDES].photo;
    // Both sides run clockwise around their cards, so their directions are opposite.
    is_same && distance(from, end).max(distance(to, start)) < TOUCHING * distance(from, to)
}

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::*;
    use crate::quad::Quad;

    /// Cards with sides of 10 pixels and gaps of this many pixels, and the group of each side: on a
    /// solved board, groups 2k and 2k + 1 match.
    fn laid(gap: f32) -> (Vec<Card>, Groups) {
        let place = |card: usize| {
            let (x, y) = ((card % 3) as f32 * (10.0 + gap), (card / 3) as f32 * (10.0 + gap));
            Quad([(x, y), (x + 10.0, y), (x + 10.0, y + 10.0), (x, y + 10.0)])
        };
        let card = |card| Card { photo: 0, quad: place(card), picture: RgbImage::new(1, 1) };
        let upright = |line: usize| line * 5 % 4 * 2;
        let of = (0..9).flat_map(|card| {
            let (row, column) = (card / 3, card % 3);
            let (above, left) = (upright(row + column * 2), upright(row * 3 + column));
            let (below, right) = (upright(row + 1 + column * 2), upright(row * 3 + column + 1));
            [above + 1, right, below, left + 1]
        });
        ((0..9).map(card).collect(), Groups { of: of.collect(), number: 8 })
    }

    const NINE: GridSize = GridSize { rows: 3, columns: 3 };

    #[test]
    fn the_seams_of_a_solved_board_show_which_groups_match() {
        let (cards, groups) = laid(1.0);
        let seams = Seams::new(NINE, &cards);
        let counts = seams.of_solved(&groups).expect("the board is solved");
        assert_eq!(counts.iter().flatten().sum::<f32>(), 24.0);
        let mates: Vec<usize> = (0..8).map(|group| group ^ 1).collect();
        assert_eq!(seams.broken(&groups.of, &mates), 0);
    }

    #[test]
    fn shuffled_cards_and_cards_apart_are_no_solved_board() {
        let (cards, groups) = laid(1.0);
        let mut of = groups.of.clone();
        of.rotate_left(5);
        let shuffled = Groups { of, number: 8 };
        assert!(Seams::new(NINE, &cards).of_solved(&shuffled).is_none());
        assert!(Seams::new(NINE, &laid(4.0).0).of_solved(&groups).is_none());
    }
}
