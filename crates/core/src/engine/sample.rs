//! A random test of lazy constraints: a constraint must give the same answer for arrangements that
//! are equivalent by its declared dependence.

use crate::board::Symmetry;
use crate::problem::{Arrangement, Placed, Problem};
use crate::puzzle::Orientation;
use crate::runtime::random::Random;

/// The maximum number of draws in a run.
const DRAWS: u32 = 512;

/// The maximum number of draws per arrangement.
const DRAWS_EACH: u32 = 8;

/// The test of the first arrangements of a run, until [`DRAWS`] are used up.
pub(super) struct Sample<'a> {
    problem: &'a Problem,
    random: Random,
    left: u32,
}

impl<'a> Sample<'a> {
    /// Prepares the draws; `None` if engines do not rely on declared dependence, or the problem is
    /// only a part of a divided search.
    pub fn new(problem: &'a Problem) -> Option<Self> {
        // A part of a search has few arrangements, and there may be many parts.
        let is_used = problem.within.is_none() && problem.trusts_dependence();
        is_used.then(|| Sample { problem, random: Random::with_seed(0), left: DRAWS })
    }

    /// Compares an arrangement with random equivalent ones. Returns a message that names the
    /// constraint if it allows only one of the two; otherwise `None`, also if all [`DRAWS`] of the
    /// run were made. Each tile of the arrangement must have the number of sides of its cell and an
    /// allowed orientation.
    pub fn contradiction(&mut self, arrangement: &Arrangement) -> Option<String> {
        let draws = self.left.min(DRAWS_EACH);
        self.left -= draws;
        (0..draws).find_map(|_| self.draw(arrangement))
    }

    /// Compares an arrangement with one random equivalent arrangement of each sort: tiles rotated,
    /// tiles exchanged, board moved. Returns a message like that of [`Sample::contradiction`], or
    /// `None` if every constraint agrees.
    fn draw(&mut self, arrangement: &Arrangement) -> Option<String> {
        let problem = self.problem;
        let symmetry = self.random.choice(&problem.group)?;
        let (of_motion, motion) = if symmetry.turns() {
            ("position or rotations", "turning the board")
        } else {
            ("position", "shifting the board")
        };
        let cases = [
            (
                self.turned(arrangement),
                "rotations",
                "turning tiles whose orientations look the same",
            ),
            (self.exchanged(arrangement), "tiles", "exchanging tiles that look the same"),
            (moved(problem, arrangement, symmetry), of_motion, motion),
        ];
        problem.lazy_constraints().find_map(|constraint| {
            let refuses = |arrangement| {
                constraint.broken(&problem.puzzle, &problem.board, arrangement).is_some()
            };
            let expected = refuses(arrangement);
            let mut cases = cases.iter();
            let (_, what, how) = cases.find(|(same, ..)| refuses(same) != expected)?;
            let name = constraint.name();
            Some(format!(
                "constraint `{name}` depends on {what}, which it does not declare: {how} changes its \
                 result"
            ))
        })
    }

    /// The arrangement with each tile in a random orientation that looks the same.
    fn turned(&mut self, arrangement: &Arrangement) -> Arrangement {
        let placed = arrangement.0.iter().map(|&Placed { tile, orientation }| {
            let orientations = self.showing_as(Placed { tile, orientation }, tile);
            let drawn = self.random.choice(&orientations).copied();
            Placed { tile, orientation: drawn.unwrap_or(orientation) }
        });
        Arrangement(placed.collect())
    }

    /// The arrangement with tiles randomly exchanged for others of the same kind. A tile is rotated
    /// only if it would otherwise look different.
    fn exchanged(&mut self, arrangement: &Arrangement) -> Arrangement {
        let kinds = &self.problem.kinds;
        let mut hands = vec![Vec::new(); kinds.kinds.len()];
        for tile in self.problem.pieces() {
            hands[kinds.of_tile[tile]].push(tile);
        }
        hands.iter_mut().for_each(|hand| self.random.shuffle(hand));
        let placed = arrangement.0.iter().map(|&placed| {
            let tile = hands[kinds.of_tile[placed.tile]].pop().unwrap_or(placed.tile);
            let orientations = self.showing_as(placed, tile);
            let orientation = match orientations.first() {
                Some(&first) if !orientations.contains(&placed.orientation) => first,
                _ => placed.orientation,
            };
            Placed { tile, orientation }
        });
        Arrangement(placed.collect())
    }

    /// The orientations in which `tile` looks like the placement `placed` of a tile of the same
    /// kind.
    fn showing_as(&self, placed: Placed, tile: usize) -> Vec<Orientation> {
        let kinds = &self.problem.kinds;
        let value = kinds.value_of(placed.tile, placed.orientation);
        let all = value.map(|value| kinds.orientations_of(tile, value));
        all.into_iter().flatten().collect()
    }
}

/// The image of the arrangement under a symmetry.
fn moved(problem: &Problem, arrangement: &Arrangement, symmetry: &Symmetry) -> Arrangement {
    let mut moved = arrangement.clone();
    for (cell, &Placed { tile, orientation }) in arrangement.0.iter().enumerate() {
        let sides = problem.board.cells()[cell].sides;
        moved.0[symmetry.image[cell]] =
            Placed { tile, orientation: orientation.then(symmetry.motion[cell], sides) };
    }
    moved
}
