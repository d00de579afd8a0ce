//! `connected`: the cells that match a pattern are connected.
//!
//! It has no formula: it is checked on whole arrangements and enforced by lazy cuts.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::ConstraintKind;
use super::declare::Mapping;
use super::fields::Fields;
use super::pattern::{CELLS, FACE, PLACEMENTS, Pattern, ROTATIONS, SHOWS, TILES};
use super::scene::Scene;
use crate::board::Board;
use crate::problem::{Arrangement, Constraint, Dependence, Placed, TilePlacements};
use crate::puzzle::Puzzle;

/// The constraint `connected`: from each cell that matches the pattern to each other one there is a
/// way from cell to cell that match it.
///
/// ```yaml
/// constraints:
///   - connected: {rotation: 0}
/// ```
pub(super) const KIND: ConstraintKind = ConstraintKind::new(
    "connected",
    "The cells that match are connected from side to side.",
    Mapping { fields: &[CELLS, TILES, ROTATIONS, FACE, SHOWS, PLACEMENTS], needs: &[] },
    build,
);

#[derive(Debug)]
struct Connected {
    pattern: Pattern,
    depends_on: Dependence,
}

fn build(scene: &Scene<'_>, fields: &Fields) -> Result<Arc<dyn Constraint>, String> {
    let depends_on = Dependence {
        tiles: fields.has(TILES),
        rotations: [ROTATIONS, FACE, SHOWS].iter().any(|field| fields.has(*field)),
        position: fields.has(CELLS),
    };
    Ok(Arc::new(Connected { pattern: Pattern::new(scene, fields), depends_on }))
}

/// The connected parts of a set of cells; `touching` gives the cells that a cell touches.
pub(super) fn connected_parts(
    cells: &BTreeSet<usize>,
    touching: impl Fn(usize) -> Vec<usize>,
) -> Vec<BTreeSet<usize>> {
    let mut left = cells.clone();
    let mut parts = Vec::new();
    while let Some(first) = left.pop_first() {
        let mut part = BTreeSet::from([first]);
        let mut open = vec![first];
        while let Some(cell) = open.pop() {
            for other in touching(cell).into_iter().filter(|cell| cells.contains(cell)) {
                if left.remove(&other) {
                    part.insert(other);
                    open.push(other);
                }
            }
        }
        parts.push(part);
    }
    parts
}

/// The cells that a cell touches, itself included if it does.
fn neighbours(board: &Board, cell: usize) -> Vec<usize> {
    board.touching_sides(cell).iter().flatten().map(|(other, _)| *other).collect()
}

impl Connected {
    /// The connected parts of the cells that match, the smallest first.
    fn parts(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Vec<BTreeSet<usize>> {
        let placed = arrangement.0.iter().enumerate();
        let matching = placed.filter(|(cell, placed)| self.pattern.meets(puzzle, *cell, placed));
        let cells = matching.map(|(cell, _)| cell).collect();
        let mut parts = connected_parts(&cells, |cell| neighbours(board, cell));
        parts.sort_by_key(BTreeSet::len);
        parts
    }
}

impl Constraint for Connected {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn broken(&self, puzzle: &Puzzle, board: &Board, arrangement: &Arrangement) -> Option<String> {
        let parts = self.parts(puzzle, board, arrangement);
        (parts.len() > 1).then(|| format!("`connected`: the cells form {} parts", parts.len()))
    }

    fn depends_on(&self) -> Dependence {
        self.depends_on
    }

    /// The cut excludes the smallest part, with no matching cell around it, together with a
    /// matching cell elsewhere.
    fn lazy_cut(
        &self,
        puzzle: &Puzzle,
        board: &Board,
        arrangement: &Arrangement,
    ) -> Option<Vec<(usize, Arc<TilePlacements>)>> {
        let parts = self.parts(puzzle, board, arrangement);
        let [part, other, ..] = &parts[..] else {
            return None;
        };
        let matching = self.pattern.placements(puzzle);
        let all = (0..puzzle.tiles.len()).flat_map(|tile| Placed::every(puzzle, tile));
        let others = Arc::new(all.filter(|placed| !matching.contains(placed)).collect());
        let around: BTreeSet<usize> =
            part.iter().flat_map(|&cell| neighbours(board, cell)).collect();
        // Cells outside the pattern never match.
        let around = around.difference(part).filter(|cell| self.pattern.cells.contains(cell));
        let inside = part.iter().chain(other.first()).map(|&cell| (cell, Arc::clone(&matching)));
        Some(inside.chain(around.map(|&cell| (cell, Arc::clone(&others)))).collect())
    }
}
