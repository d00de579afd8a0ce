//! `rim`: restricts the labels of the outer edges.
//!
//! A given image restricts the domains of single cells. `same: true` leaves the image open and
//! becomes linear constraints between the cells of the rim.

use std::sync::Arc;

use super::ConstraintKind;
use super::declare::{Field, FieldType, Mapping, Requirement};
use super::fields::Fields;
use super::pattern::placements_that;
use super::scene::Scene;
use crate::board::{Board, CellSide};
use crate::problem::{Arrangement, Constraint, Formula, LinearConstraint, Term, TilePlacements};
use crate::puzzle::{Label, Puzzle};

/// The constraint `rim`: every outer edge shows an image, or one half of it. With `only`, the image
/// appears nowhere else, like the `border` of a puzzle. With `same`, every outer edge shows the
/// same image, whichever it is.
///
/// ```yaml
/// constraints:
///   - rim: {image: red+}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "rim",
    "All outer edges show one image: a given image or half, or any image with `same: true`.",
    Mapping { fields: &[IMAGE, ONLY, SAME], needs: &[Requirement::any(&[IMAGE, SAME], EXPECTED)] },
    build,
);

pub(super) const IMAGE: Field =
    Field::new("image", FieldType::Image, "An image, or one half of it.");

const ONLY: Field =
    Field::new("only", FieldType::Truth, "True if the image may not occur elsewhere.");

const SAME: Field = Field::new(
    "same",
    FieldType::Truth,
    "True if all outer edges show the same image, whichever it is.",
);

const EXPECTED: &str = "`rim` requires an `image`, optionally with `only: true`, or `same: true`";

/// Creates a rim constraint. Fails unless either `image` or `same: true` is given, the latter
/// without `only`.
fn build(_scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let only = fields.is_true(ONLY);
    match (fields.image(IMAGE), fields.is_true(SAME)) {
        (Some(labels), false) => Ok(Arc::new(ImageOnRim { labels: labels.to_vec(), only })),
        (None, true) if !only => Ok(Arc::new(SameImageOnRim)),
        _ => Err(EXPECTED.into()),
    }
}

#[derive(Debug)]
struct ImageOnRim {
    labels: Vec<Label>,
    only: bool,
}

impl ImageOnRim {
    /// Returns true if a side, on the rim or not, may show a label.
    fn is_right(&self, is_rim: bool, label: Label) -> bool {
        if is_rim {
            self.labels.contains(&label)
        } else {
            !self.only || !self.labels.contains(&label)
        }
    }
}

impl Constraint for ImageOnRim {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        for (cell, placed) in arrangement.0.iter().enumerate() {
            let edges = puzzle.tiles[placed.tile].edges_in(placed.orientation);
            for (side, &label) in edges.iter().enumerate() {
                let is_rim = board.rim().contains(&(cell, side));
                if !self.is_right(is_rim, label) {
                    let name = &board.cells()[cell].name;
                    let shown = puzzle.labels.name(label);
                    let place = if is_rim { "on the rim" } else { "inside the board" };
                    return Some(format!("`rim`: cell {name} shows `{shown}` {place}"));
                }
            }
        }
        None
    }

    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let mut known: Vec<(Vec<bool>, Vec<usize>)> = Vec::new();
        for (cell, definition) in board.cells().iter().enumerate() {
            let on_rim: Vec<bool> =
                (0..definition.sides).map(|side| board.rim().contains(&(cell, side))).collect();
            match known.iter_mut().find(|(sides, _)| *sides == on_rim) {
                Some((_, cells)) => cells.push(cell),
                None => known.push((on_rim, vec![cell])),
            }
        }
        let terms = known.into_iter().map(|(on_rim, cells)| Term {
            cells,
            placements: placements_that(puzzle, |edges| {
                let mut sides = edges.iter().zip(&on_rim);
                sides.any(|(&label, &is_rim)| !self.is_right(is_rim, label))
            }),
            coefficient: 1,
        });
        Formula::Linear(LinearConstraint { terms: terms.collect(), bound: 0 })
    }
}

#[derive(Debug)]
struct SameImageOnRim;

impl Constraint for SameImageOnRim {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn is_lazy(&self) -> bool {
        false
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let image = |&(cell, side): &CellSide| {
            let placed = arrangement.0[cell];
            &puzzle.labels.edge(puzzle.tiles[placed.tile].shows(side, placed.orientation)).image
        };
        let mut images = board.rim().iter().map(image);
        let first = images.next()?;
        let other = images.find(|image| *image != first)?;
        Some(format!("`rim`: the outer edges show `{first}` and `{other}`"))
    }

    /// Always true: the constraint is invariant under every symmetry, but its formula depends on
    /// which side of the rim is the first.
    fn symmetric_formula(&self, _puzzle: &Puzzle, _board: &Board) -> Formula {
        Formula::all([])
    }

    /// For each image, every side on the rim shows it if and only if the first one does.
    fn formula(&self, puzzle: &Puzzle, board: &Board) -> Formula {
        let labels = &puzzle.labels;
        let first_halves = labels.firsts();
        let mut sums = Vec::new();
        for label in first_halves {
            let of_image = [label, labels.mate(label)];
            let sides = board.cells().iter().map(|cell| cell.sides).max();
            let showing: Vec<Arc<TilePlacements>> = (0..sides.unwrap_or_default())
                .map(|side| {
                    placements_that(puzzle, |edges| {
                        let shown = edges.get(side);
                        shown.is_some_and(|shown| of_image.contains(shown))
                    })
                })
                .collect();
            let term = |(cell, side): CellSide, coefficient: i64| Term {
                cells: vec![cell],
                placements: Arc::clone(&showing[side]),
                coefficient,
            };
            let Some((&first, others)) = board.rim().split_first() else {
                continue;
            };
            for &other in others {
                let sum =
                    LinearConstraint { terms: vec![term(first, 1), term(other, -1)], bound: 0 };
                sums.push(sum.clone().at_least_bound());
                sums.push(sum);
            }
        }
        sums.into()
    }
}
