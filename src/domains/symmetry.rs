//! Symmetry breaking: keeps one placement of each orbit under the group.
//!
//! Either a cell that the whole group fixes keeps one value per orbit (the centre of an odd
//! square), or a tile that every solution uses keeps one placement per orbit (any board). If there
//! are more tiles than cells, no tile is required. Then there is one branch per tile that may be
//! the first used one: the tiles before it are unused, and its placements are restricted.
//!
//! An arrangement and its images always belong to the same branch, so branches share no solutions.
//! Within a branch, an arrangement can still appear twice if it equals its own image; the canonical
//! form removes such duplicates.

use std::ops::{ControlFlow, Range};

use super::{Domains, Uses};
use crate::problem::Problem;
use crate::puzzle::{Kind, ValueSet};
use crate::runtime::limits::{CancelToken, Flow};

/// Domains that contain at most one image of each labelled solution, unless tiles look alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymmetryBranch {
    /// The domains.
    pub domains: Domains,
    /// The placements (cell, value) of the tile that breaks the symmetry. Each solution contains
    /// exactly one of them, so they are a good first branch even without symmetry. `None` if a cell
    /// breaks the symmetry.
    pub first: Option<Vec<(usize, usize)>>,
}

impl SymmetryBranch {
    /// Domains without symmetry breaking.
    fn unbroken(domains: Domains) -> SymmetryBranch {
        SymmetryBranch { domains, first: None }
    }
}

/// The criterion for the tile that breaks the symmetry, among those that occur once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rarest {
    /// The fewest placements left, then the fewest mates: yields the smallest model, and fixes a
    /// corner of a framed board.
    Placements,
    /// The fewest mates of its edges: the best root of a search that propagates, with 1.5 to 12
    /// times fewer nodes than a fixed one.
    Mates,
}

/// Splits the domains into parts that together contain an image of every solution.
///
/// The domains must be invariant under the group: each placement with all its images.
pub fn break_symmetry(problem: &Problem, domains: Domains, rarest: Rarest) -> Vec<SymmetryBranch> {
    let parts = break_symmetry_under(&CancelToken::never(), problem, domains, rarest);
    parts.continue_value().unwrap_or_default()
}

/// Like [`break_symmetry`], but cancellable.
pub(crate) fn break_symmetry_under(
    token: &CancelToken<'_>,
    problem: &Problem,
    domains: Domains,
    rarest: Rarest,
) -> Flow<Vec<SymmetryBranch>> {
    let tiles = single_tiles(problem, &domains, rarest, token)?;
    if problem.group.len() == 1 {
        // If a cell is already filled, its neighbours are a better place to start the search.
        let is_open = domains.cells.iter().all(|cell| cell.len() > 1);
        return ControlFlow::Continue(vec![match tiles.first() {
            Some(&kind) if is_open && rarest == Rarest::Mates && problem.uses_every_tile() => {
                restrict_kind(problem, &domains, kind, token)?
            }
            _ => SymmetryBranch::unbroken(domains),
        }]);
    }
    let by_cell = match fixed_cell(problem) {
        Some(cell) => Some(restrict_cell(problem, &domains, cell, token)?),
        None => None,
    };
    if !problem.uses_every_tile() {
        return match by_cell {
            Some((domains, _)) => ControlFlow::Continue(vec![SymmetryBranch::unbroken(domains)]),
            None => split_on_tiles(problem, domains, &tiles, token),
        };
    }
    let by_tile = match tiles.first() {
        Some(&kind) => Some(restrict_kind(problem, &domains, kind, token)?),
        None => None,
    };
    let places = |part: &SymmetryBranch| part.first.as_ref().map_or(0, Vec::len);
    // On ties, a model restricts the cell: its variables are in the middle of the board.
    let is_better = |values: usize, places: usize| match rarest {
        Rarest::Placements => values <= places,
        Rarest::Mates => values < places,
    };
    ControlFlow::Continue(vec![match (by_tile, by_cell) {
        (Some(part), Some((domains, values))) if is_better(values, places(&part)) => {
            SymmetryBranch::unbroken(domains)
        }
        (Some(part), _) => part,
        (None, Some((domains, _))) => SymmetryBranch::unbroken(domains),
        (None, None) => SymmetryBranch::unbroken(domains),
    }])
}

/// One part for each tile that can break the symmetry by its placement in the first cell, such as
/// the corner tiles of a framed square. Each part contains an image of every solution. Breaks if
/// the token is cancelled.
pub fn break_symmetry_at_first_cell(
    problem: &Problem,
    domains: &Domains,
    token: &CancelToken<'_>,
) -> Flow<Vec<SymmetryBranch>> {
    let mut parts = Vec::new();
    if problem.group.len() == 1 || !problem.uses_every_tile() {
        return ControlFlow::Continue(parts);
    }
    for kind in single_tiles(problem, domains, Rarest::Placements, token)? {
        let part = restrict_kind(problem, domains, kind, token)?;
        let is_at_first = |places: &Vec<(usize, usize)>| matches!(places[..], [(0, _)]);
        if !part.first.as_ref().is_some_and(is_at_first) {
            break;
        }
        parts.push(part);
    }
    ControlFlow::Continue(parts)
}

/// Breaks the symmetry by the value of `cell` if the whole group fixes it; otherwise returns the
/// domains unchanged.
pub(super) fn break_symmetry_at(
    problem: &Problem,
    domains: Domains,
    cell: usize,
    token: &CancelToken<'_>,
) -> Flow<SymmetryBranch> {
    let is_fixed = problem.group.iter().all(|s| s.fixes(cell));
    ControlFlow::Continue(SymmetryBranch::unbroken(if is_fixed {
        restrict_cell(problem, &domains, cell, token)?.0
    } else {
        domains
    }))
}

fn fixed_cell(problem: &Problem) -> Option<usize> {
    (0..problem.board.size()).find(|&cell| problem.group.iter().all(|s| s.fixes(cell)))
}

/// The kinds with a single tile, rarest first.
fn single_tiles(
    problem: &Problem,
    domains: &Domains,
    rarest: Rarest,
    token: &CancelToken<'_>,
) -> Flow<Vec<usize>> {
    let placements = match rarest {
        Rarest::Placements => placements(problem, domains, token)?,
        Rarest::Mates => vec![0; problem.kinds.kinds.len()],
    };
    let mates = mates(problem);
    let kinds = problem.kinds.kinds.iter().enumerate();
    let mut ranked: Vec<(usize, u128, usize)> = kinds
        .filter(|(_, kind)| kind.copies == 1)
        .map(|(index, _)| (placements[index], mates[index], index))
        .collect();
    ranked.sort_unstable();
    ControlFlow::Continue(ranked.into_iter().map(|(.., kind)| kind).collect())
}

/// The number of placements of each kind.
fn placements(problem: &Problem, domains: &Domains, token: &CancelToken<'_>) -> Flow<Vec<usize>> {
    let mut placements = vec![0; problem.kinds.kinds.len()];
    for cell in &domains.cells {
        for value in cell.iter() {
            placements[problem.kinds.values[value].kind] += 1;
        }
        token.work(cell.words().len() + cell.len())?;
    }
    ControlFlow::Continue(placements)
}

/// The product, for each kind, over the tile's edges of the number of edges that fit.
fn mates(problem: &Problem) -> Vec<u128> {
    let puzzle = &problem.puzzle;
    let mut fitting = vec![0; puzzle.labels.len()];
    for edge in puzzle.tiles.iter().flat_map(|tile| &tile.edges) {
        fitting[problem.tables().mate(*edge).index()] += 1;
    }
    let of_kind = |kind: &Kind| {
        let numbers = puzzle.tiles[kind.tiles[0]].edges.iter().map(|edge| fitting[edge.index()]);
        numbers.fold(1, u128::saturating_mul)
    };
    problem.kinds.kinds.iter().map(of_kind).collect()
}

/// The smallest placement (cell, value) of each orbit of a kind's placements, restricted to these
/// cells.
fn representatives(
    problem: &Problem,
    domains: &Domains,
    kind: usize,
    cells: Range<usize>,
    token: &CancelToken<'_>,
) -> Flow<Vec<(usize, usize)>> {
    let is_smallest = |&(cell, value): &(usize, usize)| {
        problem.group.iter().all(|s| {
            let image = s.image[cell];
            let moved = || problem.kinds.moved_value(value, s.motion[cell]);
            image > cell || moved().is_none_or(|moved| (cell, value) <= (image, moved))
        })
    };
    let values = problem.kinds.kinds[kind].values.clone();
    let mut smallest = Vec::new();
    for cell in cells {
        let placements = values.clone().map(|value| (cell, value));
        let possible = placements.filter(|&(_, value)| domains.cells[cell].contains(value));
        smallest.extend(possible.filter(is_smallest));
        token.work(values.len() * problem.group.len())?;
    }
    ControlFlow::Continue(smallest)
}

/// Restricts a cell to one value of each orbit; also returns their number.
fn restrict_cell(
    problem: &Problem,
    domains: &Domains,
    cell: usize,
    token: &CancelToken<'_>,
) -> Flow<(Domains, usize)> {
    let mut values = ValueSet::empty(problem.kinds.values.len());
    for kind in 0..problem.kinds.kinds.len() {
        let kept = representatives(problem, domains, kind, cell..cell + 1, token)?;
        kept.into_iter().for_each(|(_, value)| values.insert(value));
    }
    let number = values.len();
    let mut domains = domains.clone();
    domains.cells[cell] = values;
    ControlFlow::Continue((domains, number))
}

/// Requires the tile of a kind in one placement of each orbit. If there is only one, the cell takes
/// no other value.
fn restrict_kind(
    problem: &Problem,
    domains: &Domains,
    kind: usize,
    token: &CancelToken<'_>,
) -> Flow<SymmetryBranch> {
    let places = representatives(problem, domains, kind, 0..problem.board.size(), token)?;
    let mut domains = without_kind(problem, domains, kind);
    for &(cell, value) in &places {
        domains.cells[cell].insert(value);
    }
    if let [(cell, value)] = places[..] {
        domains.cells[cell] = ValueSet::from_values(problem.kinds.values.len(), [value]);
    }
    domains.uses[kind] = Uses { least: 1, most: 1 };
    ControlFlow::Continue(SymmetryBranch { domains, first: Some(places) })
}

/// Removes the tiles of a kind.
fn without_kind(problem: &Problem, domains: &Domains, kind: usize) -> Domains {
    let values = problem.kinds.kinds[kind].values.clone();
    let values = ValueSet::from_range(problem.kinds.values.len(), values);
    let mut domains = domains.clone();
    for cell in &mut domains.cells {
        cell.remove_all(&values);
    }
    domains.uses[kind] = Uses { least: 0, most: 0 };
    domains
}

fn split_on_tiles(
    problem: &Problem,
    domains: Domains,
    tiles: &[usize],
    token: &CancelToken<'_>,
) -> Flow<Vec<SymmetryBranch>> {
    let can_fill = |domains: &Domains| {
        domains.uses.iter().map(|u| u.most).sum::<usize>() >= problem.board.size()
    };
    let mut parts = Vec::new();
    let mut rest = domains;
    for &kind in tiles {
        if !can_fill(&rest) {
            return ControlFlow::Continue(parts);
        }
        parts.push(restrict_kind(problem, &rest, kind, token)?);
        rest = without_kind(problem, &rest, kind);
        // Accounts for two copies of the domains.
        token.work(2 * rest.cells.iter().map(|cell| cell.words().len()).sum::<usize>())?;
    }
    if can_fill(&rest) {
        parts.push(SymmetryBranch::unbroken(rest));
    }
    ControlFlow::Continue(parts)
}
