//! Justifies the removal of placements: each has an image that is kept.
//!
//! If a symmetry of the board maps the rules onto themselves, it maps solutions to solutions.
//! Suppose every solution places a tile exactly once, and only placements of that tile are removed.
//! Then a solution with a removed placement has an image with a kept one. The same holds for a cell
//! that the symmetries fix.

use std::collections::{HashMap, HashSet};

use edgematch::board::{CellSide, Symmetry};
use edgematch::problem::Problem;
use edgematch::runtime::limits::CancelToken;

use super::encode::{Encoding, Meaning, SeamEnd};
use super::rule::Rule;

/// The end of a seam, by its side and the side that touches it.
type Ends = HashMap<[CellSide; 2], SeamEnd>;

/// The tile or cell by which symmetry is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymmetryBreaking {
    /// Symmetry is not broken.
    Nothing,
    /// By the placements of a kind, which has a single copy.
    Kind(usize),
    /// By the values of a cell.
    Cell(usize),
}

impl Encoding {
    /// Returns true if every symmetry of the group maps the encoded rules onto themselves; false
    /// also if the token is cancelled before that is known.
    pub fn is_closed(&self, problem: &Problem, token: &CancelToken<'_>) -> bool {
        self.symmetries(problem, token).len() == problem.group.len()
    }

    /// The symmetries of the group that map the rules onto themselves; incomplete if the token is
    /// cancelled.
    fn symmetries<'p>(&self, problem: &'p Problem, token: &CancelToken<'_>) -> Vec<&'p Symmetry> {
        let rules: HashSet<Rule> = self.rules.iter().cloned().map(Rule::in_order).collect();
        let ends = (0..problem.board.seams().len()).flat_map(SeamEnd::both);
        let ends: Ends = ends.map(|end| (end.sides(problem), end)).collect();
        let keeps = |symmetry: &&Symmetry| {
            let images = self.images(problem, symmetry, &ends);
            let mut moved = self.rules.iter().map(|rule| rule.moved(&images));
            // A permutation of the variables maps different rules to different rules.
            is_permutation(&images)
                && moved.all(|rule| rule.is_some_and(|rule| rules.contains(&rule.in_order())))
        };
        let in_time = |_: &&Symmetry| token.work(self.rules.len()).is_continue();
        problem.group.iter().take_while(in_time).filter(keeps).collect()
    }

    /// The image of each variable, starting with variable 1, under a symmetry; `None` if it has
    /// none.
    fn images(&self, problem: &Problem, symmetry: &Symmetry, ends: &Ends) -> Vec<Option<i32>> {
        let of = |meaning: &Meaning, images: &[Option<i32>]| match *meaning {
            Meaning::Placement { cell, value } => {
                let moved = problem.kinds.moved_value(value, symmetry.motion[cell])?;
                self.placement_variable(symmetry.image[cell], moved)
            }
            Meaning::Kind { cell, kind } => self.kind_variable(symmetry.image[cell], kind),
            Meaning::Shown { end, label } => {
                let moved = |(cell, side): CellSide| {
                    let sides = problem.board.cells()[cell].sides;
                    (symmetry.image[cell], symmetry.motion[cell].move_side(side, sides))
                };
                self.shown_variable(problem, *ends.get(&end.sides(problem).map(moved))?, label)
            }
            // The variables of a condition precede it.
            Meaning::Holds { condition } => {
                self.holding.get(&self.conditions[condition].moved(images)?.in_order()).copied()
            }
        };
        let mut images = Vec::with_capacity(self.meanings.len());
        for meaning in &self.meanings {
            let image = of(meaning, &images);
            images.push(image);
        }
        images
    }

    /// Checks that every solution, or an image of it, remains after removing these placements
    /// (cell, value).
    ///
    /// # Errors
    /// If that is not certain; the reason as a message.
    pub(super) fn justify(
        &self,
        problem: &Problem,
        by: SymmetryBreaking,
        removed: &[(usize, usize)],
    ) -> Result<(), String> {
        match by {
            SymmetryBreaking::Nothing if !removed.is_empty() => {
                return Err("symmetry is not broken, but placements are removed".into());
            }
            SymmetryBreaking::Kind(kind) => {
                if problem.kinds.kinds[kind].copies != 1 || !problem.uses_every_tile() {
                    return Err("the tile is not in every solution exactly once".into());
                }
                if removed.iter().any(|&(_, value)| problem.kinds.values[value].kind != kind) {
                    return Err("a placement of another tile is removed".into());
                }
            }
            SymmetryBreaking::Cell(own) if removed.iter().any(|&(cell, _)| cell != own) => {
                return Err("a placement in another cell is removed".into());
            }
            SymmetryBreaking::Nothing | SymmetryBreaking::Cell(_) => {}
        }
        let symmetries = self.symmetries(problem, &CancelToken::never());
        let is_removed: HashSet<(usize, usize)> = removed.iter().copied().collect();
        let has_image = |&(cell, value): &(usize, usize)| {
            symmetries.iter().any(|symmetry| {
                let place = symmetry.image[cell];
                let is_meant = !matches!(by, SymmetryBreaking::Cell(own) if place != own);
                let moved = problem.kinds.moved_value(value, symmetry.motion[cell]);
                let is_kept = |moved: usize| {
                    self.placement_variable(place, moved).is_some()
                        && !is_removed.contains(&(place, moved))
                };
                is_meant && moved.is_some_and(is_kept)
            })
        };
        match removed.iter().find(|placement| !has_image(placement)) {
            None => Ok(()),
            Some(&(cell, value)) => {
                let value = &problem.kinds.values[value];
                let tile = problem.kinds.kinds[value.kind].tiles[0];
                Err(format!(
                    "tile {} in cell {} with rotation {} is removed together with all its images",
                    problem.puzzle.tiles[tile].name,
                    problem.board.cells()[cell].name,
                    problem.puzzle.tiles[tile].describe(value.orientation)
                ))
            }
        }
    }
}

/// Returns true if every variable is the image of exactly one variable.
fn is_permutation(images: &[Option<i32>]) -> bool {
    let different: HashSet<i32> = images.iter().copied().flatten().collect();
    different.len() == images.len()
}
