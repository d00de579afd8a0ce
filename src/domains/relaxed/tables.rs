//! What a search with soft seams looks up.

use crate::board::CellId;
use crate::problem::Problem;
use crate::puzzle::ValueId;
use crate::tables::own_broken;

/// What a side touches, where that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub cell: usize,
    pub side: usize,
}

/// The constants of a problem with soft seams.
#[derive(Debug)]
pub(in crate::domains) struct RelaxedTables<const S: usize> {
    /// By cell and side, what of another cell it touches.
    pub(super) beside: Vec<[Option<Beside>; S]>,
    /// Number of seams between two cells that count.
    pub(super) seams: usize,
    /// By cell, how many of its own seams each value breaks; nothing where it has none.
    pub(super) own_broken: Vec<Vec<usize>>,
    /// By value, the label that each side shows.
    pub(super) shows: Vec<[usize; S]>,
    /// By label, its mate.
    pub(super) mates: Vec<usize>,
    /// By two labels, whether they fit; nothing where these are mates alone.
    pub(super) fitting: Option<Vec<Vec<bool>>>,
    /// The label that no seam may show.
    pub(super) border: Option<usize>,
    /// By kind, each label that a tile of it shows, with how many edges show it at most.
    pub(super) supply: Vec<Vec<(usize, usize)>>,
    pub(super) most_broken: usize,
}

impl<const S: usize> RelaxedTables<S> {
    /// Of a problem with a number of seams that may break.
    pub fn new(problem: &Problem, most_broken: usize) -> Self {
        let mut beside = vec![[None; S]; problem.board.size()];
        for seam in problem.board.wanted_seams() {
            for (here, (cell, side)) in [(seam.first, seam.second), (seam.second, seam.first)] {
                beside[here.0][here.1] = Some(Beside { cell, side });
            }
        }
        let labels = &problem.puzzle.labels;
        let shows = problem.kinds.values.iter().map(|value| {
            let mut shows = [0; S];
            for (label, edge) in shows.iter_mut().zip(&value.edges) {
                *label = edge.index();
            }
            shows
        });
        RelaxedTables {
            beside,
            seams: problem.board.wanted_seams().len(),
            own_broken: own_broken(problem),
            shows: shows.collect(),
            mates: labels.all().map(|l| labels.mate(l).index()).collect(),
            fitting: labels.fitting_table(),
            border: problem.puzzle.border.map(|border| border.index()),
            supply: problem
                .kinds
                .kinds
                .iter()
                .map(|kind| {
                    let tile = &problem.puzzle.tiles[kind.tiles[0]];
                    tile.edges_at_most().map(|(label, most)| (label.index(), most)).collect()
                })
                .collect(),
            most_broken,
        }
    }

    /// Whether two labels fit.
    pub fn fit(&self, one: usize, other: usize) -> bool {
        self.mates[one] == other || self.fitting.as_ref().is_some_and(|fitting| fitting[one][other])
    }

    /// How many of a cell's own seams a value breaks.
    pub fn broken_within(&self, CellId(cell): CellId, ValueId(value): ValueId) -> usize {
        self.own_broken[cell].get(value).copied().unwrap_or(0)
    }
}
