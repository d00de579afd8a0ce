//! Symmetry breaking: of each orbit under the group, leave one.
//!
//! Either one cell that the whole group fixes keeps one look of each orbit (the centre of an odd
//! square), or one tile that every solution uses keeps one placement of each orbit (any board).
//! With more tiles than cells no tile need be used; then the domains are split on the first used
//! one: earlier ones unused, this one restricted. A picture and its images always fall into the
//! same part, so parts never repeat one another; within a part repeats remain only where a tile or
//! a picture equals its own turn, and the canonical form tells those apart.

use std::collections::HashSet;
use std::ops::Range;

use super::{Domains, Uses};
use crate::board::Problem;
use crate::puzzle::LookSet;

/// The domains in parts that together hold an image of every solution.
///
/// The domains must be the group's own: no placement without its images.
pub fn break_symmetry(problem: &Problem, domains: Domains) -> Vec<Domains> {
    if problem.group.len() == 1 {
        return vec![domains];
    }
    let tiles = single_tiles(problem, &domains);
    let Some(cell) = fixed_cell(problem) else {
        return split_on_tiles(problem, domains, &tiles);
    };
    let restricted = restrict_cell(problem, &domains, cell);
    let by_cell = restricted.cells[cell].len();
    match tiles.first() {
        Some(&(by_tile, kind)) if problem.uses_every_tile() && by_tile < by_cell => {
            vec![restrict_kind(problem, &domains, kind)]
        }
        _ => vec![restricted],
    }
}

fn fixed_cell(problem: &Problem) -> Option<usize> {
    (0..problem.board.size()).find(|&cell| problem.group.iter().all(|s| s.fixes(cell)))
}

/// Kinds with one tile, with the number of placements that are left of each: fewest first, and of
/// those with as many, the one whose edges have the fewest mates.
fn single_tiles(problem: &Problem, domains: &Domains) -> Vec<(usize, usize)> {
    let kinds = problem.kinds.kinds.iter().enumerate();
    let singles = kinds.filter(|(_, kind)| kind.count() == 1).map(|(k, _)| k);
    let mut ranked: Vec<_> = singles
        .map(|kind| {
            let cells = 0..problem.board.size();
            let left = representatives(problem, domains, kind, cells).len();
            (left, mates(problem, kind), kind)
        })
        .collect();
    ranked.sort_unstable();
    ranked
        .into_iter()
        .map(|(left, _, kind)| (left, kind))
        .collect()
}

/// The product over the tile's edges of the number of edges that fit.
fn mates(problem: &Problem, kind: usize) -> u128 {
    let labels = &problem.puzzle.labels;
    let tiles = &problem.puzzle.tiles;
    let fitting = |label| {
        let mate = labels.mate(label);
        tiles
            .iter()
            .flat_map(|t| &t.edges)
            .filter(|&&e| e == mate)
            .count()
    };
    let tile = &tiles[problem.kinds.kinds[kind].tiles[0]];
    let numbers = tile.edges.iter().map(|&edge| fitting(edge) as u128);
    numbers.fold(1, u128::saturating_mul)
}

/// One placement (cell, look) of each orbit of a kind's placements in these cells.
fn representatives(
    problem: &Problem,
    domains: &Domains,
    kind: usize,
    cells: Range<usize>,
) -> Vec<(usize, usize)> {
    let mut seen = HashSet::new();
    let mut kept = Vec::new();
    for cell in cells {
        for look in problem.kinds.kinds[kind].looks.clone() {
            if domains.cells[cell].contains(look) && !seen.contains(&(cell, look)) {
                kept.push((cell, look));
                seen.extend(problem.group.iter().filter_map(|s| {
                    let turned = problem.kinds.turned(look, s.turn[cell])?;
                    Some((s.image[cell], turned))
                }));
            }
        }
    }
    kept
}

fn restrict_cell(problem: &Problem, domains: &Domains, cell: usize) -> Domains {
    let looks = problem.kinds.looks.len();
    let kinds = 0..problem.kinds.kinds.len();
    let kept = kinds.flat_map(|kind| {
        let of_kind = representatives(problem, domains, kind, cell..cell + 1);
        of_kind.into_iter().map(|p| p.1)
    });
    let kept = LookSet::from_looks(looks, kept);
    let mut domains = domains.clone();
    domains.cells[cell].keep(&kept);
    domains
}

/// The kind's tile is used, in one placement of each orbit.
fn restrict_kind(problem: &Problem, domains: &Domains, kind: usize) -> Domains {
    let kept = representatives(problem, domains, kind, 0..problem.board.size());
    let mut domains = without_kind(problem, domains, kind);
    for (cell, look) in kept {
        let look = LookSet::from_looks(problem.kinds.looks.len(), [look]);
        domains.cells[cell].insert_all(&look);
    }
    domains.uses[kind] = Uses { least: 1, most: 1 };
    domains
}

/// The kind's tiles are not used.
fn without_kind(problem: &Problem, domains: &Domains, kind: usize) -> Domains {
    let looks = problem.kinds.kinds[kind].looks.clone();
    let looks = LookSet::from_range(problem.kinds.looks.len(), looks);
    let mut domains = domains.clone();
    for cell in &mut domains.cells {
        cell.remove_all(&looks);
    }
    domains.uses[kind] = Uses { least: 0, most: 0 };
    domains
}

fn split_on_tiles(problem: &Problem, domains: Domains, tiles: &[(usize, usize)]) -> Vec<Domains> {
    let can_fill = |domains: &Domains| {
        domains.uses.iter().map(|u| u.most).sum::<usize>() >= problem.board.size()
    };
    let mut parts = Vec::new();
    let mut rest = domains;
    for &(_, kind) in tiles {
        if !can_fill(&rest) {
            return parts;
        }
        parts.push(restrict_kind(problem, &rest, kind));
        rest = without_kind(problem, &rest, kind);
    }
    if can_fill(&rest) {
        parts.push(rest);
    }
    parts
}
