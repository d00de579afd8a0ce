//! The sequences of regions with their cell orders, and the constant tables of all searches.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::board::{Board, CellName, CellSide, Symmetry};
use crate::domains::Domains;
use crate::problem::Problem;
use crate::puzzle::{Kind, Label, ValueSet};
use crate::runtime::limits::{CancelToken, Flow};
use crate::tables::Tables;

/// How often regions are halved.
const HALVINGS: usize = 2;

/// The minimum number of cells of a region that is halved.
const FEWEST_CELLS: usize = 4;

/// The numbers of seams that are broken in a region.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Breaks {
    /// In the better half, which is the previous region.
    better: usize,
    /// In the worse half, of which there are at least as many in the end.
    worse: usize,
    others: usize,
}

impl Breaks {
    /// The same breaks at the start of the next region.
    pub fn in_better_half(self) -> Breaks {
        Breaks { better: self.all(), worse: 0, others: 0 }
    }

    /// The number so far.
    pub fn all(self) -> usize {
        self.better + self.worse + self.others
    }

    /// The minimum number once the region is filled.
    pub fn at_least(self) -> usize {
        self.better + self.worse.max(self.better) + self.others
    }

    /// The numbers with some seams between the sides of a cell, which may be in the worse half.
    pub fn with_own(self, own: usize, is_worse: bool) -> Breaks {
        if is_worse {
            Breaks { worse: self.worse + own, ..self }
        } else {
            Breaks { others: self.others + own, ..self }
        }
    }

    /// The numbers with those of a choice.
    pub fn with(self, choice: &BreakChoice) -> Breaks {
        let Breaks { better, worse, others } = self;
        Breaks { better, worse: worse + choice.worse, others: others + choice.others }
    }
}

/// A set of seams with filled neighbours that are broken.
#[derive(Debug)]
pub(super) struct BreakChoice {
    /// The indices of the neighbours, as bits.
    pub neighbours: usize,
    /// The number of the seams within the worse half, and of the others.
    worse: usize,
    others: usize,
}

/// A neighbour that is filled before a cell: its depth, its side, and the cell's side.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilledNeighbour {
    pub depth: usize,
    pub there: usize,
    pub here: usize,
}

/// The half of an image that a label is.
#[derive(Debug, Clone, Copy)]
pub(super) struct ImageHalf {
    /// The index of the image.
    pub image: usize,
    /// 0 or 1; 0 if the image is whole.
    pub half: usize,
    /// The half that fits it.
    pub mate: usize,
}

impl ImageHalf {
    fn of(label: Label, tables: &Tables) -> ImageHalf {
        let mate = tables.mate(label);
        ImageHalf {
            image: label.index().min(mate.index()),
            half: usize::from(mate < label),
            mate: usize::from(label < mate),
        }
    }
}

/// The constants of a depth of the search.
#[derive(Debug)]
pub(super) struct Depth {
    pub cell: usize,
    pub neighbours: Vec<FilledNeighbour>,
    /// The sides that touch cells that are filled later.
    pub open_sides: Vec<usize>,
    /// The sets of seams that may be broken, the smallest first.
    pub choices: Vec<BreakChoice>,
    /// True if the cell is in the worse half of its region.
    pub is_worse: bool,
    /// True at the first cell after a better half.
    pub starts_region: bool,
    /// The maximum number of broken seams in the region.
    pub most: usize,
}

/// The tables of a problem.
pub(super) struct RegionTables<'a> {
    problem: &'a Problem,
    /// The maximum number of broken seams.
    pub most: usize,
    /// The number of counted seams between two cells.
    pub seams: usize,
    pub domains: Domains,
    /// The kind of each value, and the values of each kind.
    pub kind_of: Vec<usize>,
    pub values: Vec<ValueSet>,
    /// The labels of each kind with the maximum number of edges that show them on one face, without
    /// the border.
    pub edges: Vec<Vec<(usize, i32)>>,
    /// The half of each label.
    pub halves: Vec<ImageHalf>,
    pub fits_mates_only: bool,
    /// The label on each side of each value: `sides` entries per value.
    shown: Vec<usize>,
    sides: usize,
    /// The values that fit a neighbour's label on a side: bit sets of `words` words, indexed by
    /// side, then by label.
    fitting: Vec<u64>,
    words: usize,
}

impl<'a> RegionTables<'a> {
    /// Builds the tables. Breaks if the token stops the run.
    pub fn new(problem: &'a Problem, token: &CancelToken<'_>) -> Flow<Self> {
        let (puzzle, kinds, tables) = (&problem.puzzle, &problem.kinds, problem.tables());
        let all = kinds.values.len();
        let sides = problem.board.most_sides();
        let mut fitting = Vec::new();
        for side in 0..sides {
            for label in tables.all_labels() {
                let labels = tables.fitting(label);
                let values = labels.flat_map(|label| tables.showing(side, label)).copied();
                fitting.extend(ValueSet::from_values(all, values).words());
            }
            token.work(tables.labels() * all.div_ceil(64))?;
        }
        let edges_of = |kind: &Kind| {
            let edges = puzzle.tiles[kind.tiles[0]].edges_at_most();
            let inner = edges.filter(|(label, _)| puzzle.border != Some(*label));
            inner.map(|(label, number)| (label.index(), number as i32)).collect()
        };
        let shown = kinds.values.iter().flat_map(|value| value.edges.iter().cycle().take(sides));
        let values = |kind: &Kind| ValueSet::from_range(all, kind.values.clone());
        ControlFlow::Continue(RegionTables {
            problem,
            most: problem.most_broken.unwrap_or(0),
            seams: seams(&problem.board).count(),
            domains: Domains::first(problem),
            kind_of: kinds.values.iter().map(|value| value.kind).collect(),
            values: kinds.kinds.iter().map(values).collect(),
            edges: kinds.kinds.iter().map(edges_of).collect(),
            halves: tables.all_labels().map(|label| ImageHalf::of(label, tables)).collect(),
            fits_mates_only: tables.fits_mates_only(),
            shown: shown.map(|label| label.index()).collect(),
            sides,
            fitting,
            words: all.div_ceil(64),
        })
    }

    /// The values of all kinds with copies, as the words of a bit set.
    pub fn available(&self) -> Vec<u64> {
        let is_left = |value: &usize| self.domains.uses[self.kind_of[*value]].most > 0;
        let all = self.kind_of.len();
        ValueSet::from_values(all, (0..all).filter(is_left)).words().to_vec()
    }

    /// The number of seams between the sides of a cell that each value breaks; empty if it has none.
    #[inline(always)]
    pub fn own_broken(&self, cell: usize) -> &[usize] {
        self.problem.tables().own_broken(cell)
    }

    /// The index of the label of a value on a side.
    #[inline(always)]
    pub fn label(&self, value: usize, side: usize) -> usize {
        self.shown[value * self.sides + side]
    }

    /// The values that fit a filled neighbour, as the words of a bit set.
    #[inline(always)]
    pub fn fitting(&self, beside: &FilledNeighbour, value: usize) -> &[u64] {
        let labels = self.halves.len();
        let index = beside.here * labels + self.label(value, beside.there);
        &self.fitting[index * self.words..][..self.words]
    }

    /// The searches that together find an image of every arrangement. Breaks if the token stops the
    /// run.
    pub fn searches(&self, token: &CancelToken<'_>) -> Flow<Vec<Vec<Depth>>> {
        let all: Vec<usize> = (0..self.problem.board.size()).collect();
        let group: Vec<&Symmetry> = self.problem.group.iter().collect();
        let sequences = sequences(&self.problem.board, &all, self.most, HALVINGS, &group);
        let mut searches = Vec::new();
        for regions in sequences {
            searches.push(self.depths(&regions, token)?);
        }
        ControlFlow::Continue(searches)
    }

    /// The depths of the search that fills some regions, one after the other. In each it continues
    /// with a cell that has the most filled neighbours. Breaks if the token stops the run.
    fn depths(&self, regions: &[Region], token: &CancelToken<'_>) -> Flow<Vec<Depth>> {
        let size = self.problem.board.size();
        let mut beside = vec![Vec::new(); size];
        for [one, other] in seams(&self.problem.board) {
            beside[one.0].push((one.1, other));
            beside[other.0].push((other.1, one));
        }
        let mut depths: Vec<Depth> = Vec::new();
        let mut depth_of = vec![None; size];
        for region in regions {
            let start = depths.len();
            loop {
                let open = region.cells.iter().rev().copied();
                let open = open.filter(|&cell| depth_of[cell].is_none());
                let filled_beside = |&cell: &usize| {
                    beside[cell].iter().filter(|(_, other)| depth_of[other.0].is_some()).count()
                };
                let Some(cell) = open.max_by_key(filled_beside) else { break };
                let mut neighbours = Vec::new();
                let mut open_sides = Vec::new();
                for &(here, (other, there)) in &beside[cell] {
                    match depth_of[other] {
                        Some(depth) => neighbours.push(FilledNeighbour { depth, there, here }),
                        None => open_sides.push(here),
                    }
                }
                let is_worse = region.worse.contains(&cell);
                let are_worse = |beside: &FilledNeighbour| {
                    is_worse && beside.depth >= start && depths[beside.depth].is_worse
                };
                let choices = choices(&neighbours, region.most, are_worse);
                depth_of[cell] = Some(depths.len());
                depths.push(Depth {
                    cell,
                    is_worse,
                    neighbours,
                    open_sides,
                    choices,
                    starts_region: start > 0 && depths.len() == start,
                    most: region.most,
                });
                token.work(size)?;
            }
        }
        ControlFlow::Continue(depths)
    }
}

/// The counted seams between two cells.
fn seams(board: &Board) -> impl Iterator<Item = [CellSide; 2]> {
    board.counted().filter(|[one, other]| one.0 != other.0)
}

/// The sets of at most `most` seams with filled neighbours, the smallest first.
fn choices(
    neighbours: &[FilledNeighbour],
    most: usize,
    is_worse: impl Fn(&FilledNeighbour) -> bool,
) -> Vec<BreakChoice> {
    let worse = neighbours.iter().enumerate().filter(|(_, beside)| is_worse(beside));
    let worse = worse.fold(0usize, |bits, (index, _)| bits | 1 << index);
    let choice = |set: usize| BreakChoice {
        neighbours: set,
        worse: (set & worse).count_ones() as usize,
        others: (set & !worse).count_ones() as usize,
    };
    let mut sets: Vec<usize> = (0..1usize << neighbours.len()).collect();
    sets.retain(|set| set.count_ones() as usize <= most);
    sets.sort_by_key(|set| set.count_ones());
    sets.into_iter().map(choice).collect()
}

/// A region that is filled before all other cells. It contains the previous region, which is its
/// better half.
#[derive(Debug)]
struct Region {
    cells: Vec<usize>,
    /// The maximum number of broken seams.
    most: usize,
    /// The cells of its worse half; empty for the first region.
    worse: Vec<usize>,
}

/// The sequences of regions that end with `cells`, of which at most `most` seams are broken. They
/// begin with each half of the cells, but only one of two that a symmetry of `group` exchanges.
fn sequences(
    board: &Board,
    cells: &[usize],
    most: usize,
    halvings: usize,
    group: &[&Symmetry],
) -> Vec<Vec<Region>> {
    let whole = |worse| Region { cells: cells.to_vec(), most, worse };
    if most == 0 || halvings == 0 || cells.len() < FEWEST_CELLS {
        return vec![vec![whole(Vec::new())]];
    }
    let [one, other] = halves(board, cells);
    let maps = |symmetry: &Symmetry, from: &[usize], to: &[usize]| {
        from.iter().all(|&cell| to.binary_search(&symmetry.image[cell]).is_ok())
    };
    let are_exchanged =
        group.iter().any(|symmetry| maps(symmetry, &one, &other) && maps(symmetry, &other, &one));
    let keeps =
        |symmetry: &&&Symmetry| maps(symmetry, &one, &one) && maps(symmetry, &other, &other);
    let within: Vec<&Symmetry> = group.iter().filter(keeps).copied().collect();
    let turns = [(&one, &other), (&other, &one)].into_iter();
    let turns = turns.take(if are_exchanged { 1 } else { 2 });
    let sequences = turns.flat_map(|(better, worse)| {
        let mut begun = sequences(board, better, most / 2, halvings - 1, &within);
        begun.iter_mut().for_each(|regions| regions.push(whole(worse.clone())));
        begun
    });
    sequences.collect()
}

/// The two halves of some cells, across their longer extent, ascending; an odd cell is in neither.
fn halves(board: &Board, cells: &[usize]) -> [Vec<usize>; 2] {
    let place = |cell: usize| match board.cells()[cell].name {
        CellName::At(row, column) => (row, column),
        CellName::Named(_) => (cell, 0),
    };
    let extent = |of: fn((usize, usize)) -> usize| {
        let places: BTreeSet<usize> = cells.iter().map(|&cell| of(place(cell))).collect();
        places.len()
    };
    let is_wide = extent(|place| place.1) > extent(|place| place.0);
    let mut sorted = cells.to_vec();
    sorted.sort_by_key(|&cell| {
        let (row, column) = place(cell);
        if is_wide { (column, row) } else { (row, column) }
    });
    let half = cells.len() / 2;
    let mut halves = [sorted[..half].to_vec(), sorted[cells.len() - half..].to_vec()];
    halves.iter_mut().for_each(|half| half.sort_unstable());
    halves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    /// For each search, the maximum number of broken seams at each depth.
    fn limits(problem: &Problem, most: usize) -> Vec<Vec<usize>> {
        let problem = problem.breaking(most);
        let token = &CancelToken::never();
        let tables = RegionTables::new(&problem, token).continue_value().unwrap();
        let searches = tables.searches(token).continue_value().unwrap();
        searches.iter().map(|depths| depths.iter().map(|depth| depth.most).collect()).collect()
    }

    #[test]
    fn only_one_of_two_halves_that_a_symmetry_exchanges_comes_first() {
        let board = || Board::grid(3, 3);
        let turns = samples::problem(board(), samples::HALVES_3X3);
        let stays = samples::tiles(board(), samples::VEX_3X3).without_turning().build().unwrap();
        for (most, [of_turns, of_stays]) in [(0, [1, 1]), (1, [1, 2]), (2, [2, 4]), (7, [2, 4])] {
            assert_eq!(limits(&turns, most).len(), of_turns, "{most}");
            assert_eq!(limits(&stays, most).len(), of_stays, "{most}");
        }
    }

    #[test]
    fn a_quarter_breaks_at_most_a_quarter_of_the_seams() {
        let problem = samples::problem(Board::grid(6, 6), samples::HALVES_6X6);
        let expected = [[1; 9].as_slice(), &[2; 9], &[5; 18]].concat();
        assert_eq!(limits(&problem, 5), [expected.clone(), expected]);
    }
}
