//! Where a board is cut into halves.

use super::half::{Half, Tiles, Which};
use crate::board::{CellSide, Symmetry};
use crate::domains::Domains;
use crate::problem::Problem;
use crate::random::Random;

/// A board in two halves.
#[derive(Debug)]
pub(super) struct Cut<const W: usize> {
    pub first: Half<W>,
    pub second: Half<W>,
    /// By place along the cut, the numbers of the labels that may be shown there.
    pub labels: Vec<Vec<usize>>,
    /// How boards of the first half become boards of the second one, where a symmetry swaps the two:
    /// by place along the cut, the place that it goes to.
    pub swapped: Option<Vec<usize>>,
    /// By the number of a label, that of the label that it fits, where it is one.
    pub mates: Vec<usize>,
    /// What a whole board uses, as the halves count tiles.
    pub all: u64,
}

impl<const W: usize> Cut<W> {
    /// The cut with the fewest seams between halves that are as large as each other, of those
    /// behind the cells of each reading order and of each order of distances.
    pub fn best(problem: &Problem, domains: &Domains, tiles: &Tiles) -> Self {
        let size = problem.board.size();
        let number = |first: &[bool]| crossing(problem, first).len();
        let firsts = orders(problem).into_iter().map(|order| {
            let mut first = vec![false; size];
            order[..size / 2]
                .iter()
                .for_each(|&cell| first[cell] = true);
            first
        });
        let first = firsts.min_by_key(|first| number(first));
        let first = first.unwrap_or_else(|| vec![false; size]);
        let seams = crossing(problem, &first);
        let cells = |is_first: bool| -> Vec<usize> {
            (0..size).filter(|&cell| first[cell] == is_first).collect()
        };
        let sides = |end: usize| -> Vec<CellSide> { seams.iter().map(|seam| seam[end]).collect() };
        let values = &problem.kinds.values;
        let shown = |&[(cell, side), _]: &[CellSide; 2]| {
            let shown = domains.cells[cell].iter();
            let mut shown: Vec<usize> = shown
                .map(|value| values[value].edges[side].index())
                .collect();
            shown.sort_unstable();
            shown.dedup();
            shown
        };
        let labels: Vec<Vec<usize>> = seams.iter().map(shown).collect();
        let half = |is_first: bool, end: usize, which: Which| {
            let (cells, sides) = (cells(is_first), sides(end));
            let from = |&first: &usize| {
                let half = Half::new(problem, domains, tiles, (&cells, &sides, which), first);
                (probed(&half, &labels), half)
            };
            let halves = cells.iter().map(from);
            let best = halves.min_by(|(one, _), (other, _)| one.total_cmp(other));
            best.map(|(_, half)| half).expect("a half has a cell")
        };
        let known = &problem.puzzle.labels;
        let mates = known.all().map(|label| known.mate(label).index());
        Cut {
            first: half(true, 0, Which::First),
            second: half(false, 1, Which::Second),
            labels,
            swapped: swapped(problem, &first, &seams),
            mates: mates.collect(),
            all: tiles.all,
        }
    }

    /// The steps that lead to all half boards, as random ones tell it.
    pub fn expected(&self) -> f64 {
        let second = match self.swapped {
            Some(_) => 0.0,
            None => probed(&self.second, &self.labels),
        };
        probed(&self.first, &self.labels) + second
    }
}

/// The steps of one half for all labels along the cut, as random ones tell it: always the same ones.
fn probed<const W: usize>(half: &Half<W>, labels: &[Vec<usize>]) -> f64 {
    const PROBES: u32 = 200;
    let mut random = Random::with_seed(0);
    let probe = |_| {
        let along = labels.iter().map(|labels| random.choice(labels).copied());
        let along: Option<Vec<usize>> = along.collect();
        along.map_or(0.0, |along| half.probe(&along, &mut random))
    };
    let sum: f64 = (0..PROBES).map(probe).sum();
    let ways: f64 = labels.iter().map(|labels| labels.len() as f64).product();
    ways * sum / f64::from(PROBES)
}

/// By place along the cut where a symmetry takes it, if one exchanges the halves, and does nothing when
/// done twice along the cut. Labels must fit one alone: then the second half shows what the first one
/// has shown.
fn swapped(problem: &Problem, first: &[bool], seams: &[[CellSide; 2]]) -> Option<Vec<usize>> {
    let board = &problem.board;
    if !problem.puzzle.labels.are_known() {
        return None;
    }
    let place = |symmetry: &Symmetry, &[own, other]: &[CellSide; 2]| {
        let moved = |(cell, side): CellSide| {
            let side = symmetry.motion[cell].moved(side, board.cells()[cell].sides);
            (symmetry.image[cell], side)
        };
        let image = [moved(other), moved(own)];
        seams.iter().position(|seam| *seam == image)
    };
    let swaps = |symmetry: &&Symmetry| {
        let mut cells = symmetry.image.iter().enumerate();
        cells.all(|(cell, &image)| first[cell] != first[image])
    };
    let mut swapping = problem.group.iter().filter(swaps);
    swapping.find_map(|symmetry| {
        let places = seams.iter().map(|seam| place(symmetry, seam));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let is_undone = places
            .iter()
            .enumerate()
            .all(|(from, &to)| places[to] == from);
        is_undone.then_some(places)
    })
}

/// The seams between the two halves, from the first to the second.
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

/// Orders of the cells whose first half may lie together: row by row, column by column, and by the
/// distance from each cell.
fn orders(problem: &Problem) -> Vec<Vec<usize>> {
    let board = &problem.board;
    let size = board.size();
    let rows: Vec<usize> = (0..size).collect();
    let mut orders = vec![rows];
    if let Some(area) = board.squares() {
        let cells = (0..area.columns())
            .flat_map(|column| (0..area.rows()).map(move |row| (row, column)))
            .filter_map(|(row, column)| area.number(row, column));
        orders.push(cells.collect());
    }
    orders.extend((0..size).map(|from| {
        let distances = board.distances(from);
        let mut cells: Vec<usize> = (0..size).collect();
        cells.sort_by_key(|&cell| distances[cell].unwrap_or(usize::MAX));
        cells
    }));
    orders
}
