//! Chooses where to cut a board into halves.

use std::ops::ControlFlow;

use super::half::{Half, HalfRole, Tiles};
use crate::board::{CellSide, Symmetry};
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::{Face, Flip};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;

/// A board cut into two halves.
#[derive(Debug)]
pub(super) struct Cut<const W: usize> {
    pub first: Half<W>,
    pub second: Half<W>,
    /// The indices of the labels that can occur at each position along the cut.
    pub labels: Vec<Vec<usize>>,
    /// The position to which each position along the cut is mapped by a symmetry that swaps the
    /// halves, if there is one.
    pub swapped: Option<Vec<usize>>,
    /// The mate of each label, by index; used only if every label fits exactly one.
    pub mates: Vec<usize>,
    /// The packed tile counts of a whole board.
    pub all: u64,
}

impl<const W: usize> Cut<W> {
    /// Chooses the cut with the fewest seams between halves of equal size. Candidates are the first
    /// half of the cells in each reading order and in the order of distance from each cell. Breaks
    /// if the token stops the run.
    pub fn best(
        problem: &Problem,
        domains: &Domains,
        tiles: &Tiles,
        token: &CancelToken<'_>,
    ) -> Flow<Self> {
        let size = problem.board.size();
        let mut best: Option<(Vec<bool>, Vec<[CellSide; 2]>)> = None;
        for order in orders(problem) {
            let mut first = vec![false; size];
            order[..size / 2].iter().for_each(|&cell| first[cell] = true);
            let seams = crossing(problem, &first);
            if best.as_ref().is_none_or(|best| seams.len() < best.1.len()) {
                best = Some((first, seams));
            }
            // Computing distances, sorting them, and scanning all seams.
            token.work(16 * size)?;
        }
        let (first, seams) = best.unwrap_or_default();
        let cells = |is_first: bool| -> Vec<usize> {
            (0..size).filter(|&cell| first[cell] == is_first).collect()
        };
        let sides = |end: usize| -> Vec<CellSide> { seams.iter().map(|seam| seam[end]).collect() };
        let values = &problem.kinds.values;
        let shown = |&[(cell, side), _]: &[CellSide; 2]| {
            let shown = domains.cells[cell].iter();
            let mut shown: Vec<usize> =
                shown.map(|value| values[value].edges[side].index()).collect();
            shown.sort_unstable();
            shown.dedup();
            shown
        };
        let labels: Vec<Vec<usize>> = seams.iter().map(shown).collect();
        let half = |is_first: bool, end: usize, which: HalfRole| {
            let (cells, sides) = (cells(is_first), sides(end));
            let mut best: Option<(f64, Half<W>)> = None;
            for &first in &cells {
                let part = (&cells[..], &sides[..], which);
                let half = Half::new(problem, domains, tiles, part, first, token)?;
                let steps = probed(&half, &labels, token)?;
                if best.as_ref().is_none_or(|best| steps.total_cmp(&best.0).is_lt()) {
                    best = Some((steps, half));
                }
            }
            ControlFlow::Continue(
                best.map(|(_, half)| half).expect("every half has at least one cell"),
            )
        };
        let tables = problem.tables();
        let mates = tables.all_labels().map(|label| tables.mate(label).index());
        ControlFlow::Continue(Cut {
            first: half(true, 0, HalfRole::First)?,
            second: half(false, 1, HalfRole::Second)?,
            swapped: swapped(problem, &first, &seams),
            mates: mates.collect(),
            all: tiles.all,
            labels,
        })
    }

    /// Estimates the number of steps to enumerate all half boards, by random probes. Breaks if the
    /// token stops the run.
    pub fn expected(&self, token: &CancelToken<'_>) -> Flow<f64> {
        let second = match self.swapped {
            Some(_) => 0.0,
            None => probed(&self.second, &self.labels, token)?,
        };
        ControlFlow::Continue(probed(&self.first, &self.labels, token)? + second)
    }
}

/// Estimates the steps of one half over all labels along the cut. The random seed is fixed.
fn probed<const W: usize>(
    half: &Half<W>,
    labels: &[Vec<usize>],
    token: &CancelToken<'_>,
) -> Flow<f64> {
    const PROBES: u32 = 200;
    let mut random = Random::with_seed(0);
    let mut sum = 0.0;
    for _ in 0..PROBES {
        let along = labels.iter().map(|labels| random.choice(labels).copied());
        let along: Option<Vec<usize>> = along.collect();
        if let Some(along) = along {
            sum += half.estimate_steps(&along, &mut random, token)?;
        }
    }
    let ways: f64 = labels.iter().map(|labels| labels.len() as f64).product();
    ControlFlow::Continue(ways * sum / f64::from(PROBES))
}

/// Finds a symmetry that exchanges the halves and is an involution on the cut, and returns the
/// position that it maps each position to. Every label must fit exactly one label, and the symmetry
/// must preserve labels; the boards of the second half are then images of the boards of the first.
fn swapped(problem: &Problem, first: &[bool], seams: &[[CellSide; 2]]) -> Option<Vec<usize>> {
    let board = &problem.board;
    if !problem.tables().fits_mates_only() {
        return None;
    }
    let place = |symmetry: &Symmetry, &[own, other]: &[CellSide; 2]| {
        let moved = |(cell, side): CellSide| {
            (symmetry.image[cell], symmetry.motion[cell].move_side(side, board.cells()[cell].sides))
        };
        let image = [moved(other), moved(own)];
        seams.iter().position(|seam| *seam == image)
    };
    let swaps = |symmetry: &&Symmetry| {
        let mut cells = symmetry.image.iter().enumerate();
        cells.all(|(cell, &image)| first[cell] != first[image])
    };
    let is_reversed = problem.puzzle.flip() == Some(Flip::Reverse);
    let keeps_labels = |symmetry: &&Symmetry| {
        let mut motions = symmetry.motion.iter();
        !is_reversed || motions.all(|motion| motion.face() == Face::Front)
    };
    let mut swapping = problem.group.iter().filter(swaps).filter(keeps_labels);
    swapping.find_map(|symmetry| {
        let places = seams.iter().map(|seam| place(symmetry, seam));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        places.iter().enumerate().all(|(from, &to)| places[to] == from).then_some(places)
    })
}

/// The seams between the two halves, directed from the first to the second.
fn crossing(problem: &Problem, first: &[bool]) -> Vec<[CellSide; 2]> {
    let seams = problem.board.seams().iter().filter_map(|seam| {
        let [one, other] = seam.ends();
        match (first[one.0], first[other.0]) {
            (true, false) => Some([one, other]),
            (false, true) => Some([other, one]),
            _ => None,
        }
    });
    seams.collect()
}

/// Cell orders whose first half tends to be connected: by row, by column, and by the distance from
/// each cell.
fn orders(problem: &Problem) -> impl Iterator<Item = Vec<usize>> {
    let board = &problem.board;
    let size = board.size();
    let rows: Vec<usize> = (0..size).collect();
    let columns = board.squares().map(|area| {
        let cells = (0..area.columns())
            .flat_map(|column| (0..area.rows()).map(move |row| (row, column)))
            .filter_map(|(row, column)| area.number(row, column));
        cells.collect()
    });
    let by_distance = (0..size).map(move |from| {
        let distances = board.distances(from);
        let mut cells: Vec<usize> = (0..size).collect();
        cells.sort_by_key(|&cell| distances[cell].unwrap_or(usize::MAX));
        cells
    });
    std::iter::once(rows).chain(columns).chain(by_distance)
}
