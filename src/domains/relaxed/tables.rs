//! What a search with soft seams looks up.

use crate::problem::Problem;
use crate::puzzle::Label;
use crate::tables::Tables;

/// What a side touches, where that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub cell: usize,
    pub side: usize,
}

/// The constants of a problem with soft seams.
#[derive(Debug)]
pub(in crate::domains) struct RelaxedTables<'a, const S: usize> {
    /// What fits what.
    pub(super) tables: &'a Tables,
    /// By cell and side, what of another cell it touches.
    pub(super) beside: Vec<[Option<Beside>; S]>,
    /// Number of seams between two cells that count.
    pub(super) seams: usize,
    /// By value, the label that each side shows; the first one again for sides that it lacks.
    pub(super) shows: Vec<[Label; S]>,
    /// The labels that a seam may show.
    pub(super) labels: Vec<Label>,
    /// By kind, each label that a tile of it shows, with how many edges show it at most.
    pub(super) supply: Vec<Vec<(usize, usize)>>,
    pub(super) most_broken: usize,
}

impl<'a, const S: usize> RelaxedTables<'a, S> {
    /// Of a problem with a number of seams that may break.
    pub fn new(problem: &'a Problem, most_broken: usize) -> Self {
        let mut beside = vec![[None; S]; problem.board.size()];
        for seam in problem.board.wanted_seams() {
            for (here, (cell, side)) in [(seam.first, seam.second), (seam.second, seam.first)] {
                beside[here.0][here.1] = Some(Beside { cell, side });
            }
        }
        let shows = problem.kinds.values.iter().map(|value| {
            std::array::from_fn(|side| *value.edges.get(side).unwrap_or(&value.edges[0]))
        });
        let labels = problem.puzzle.labels.all();
        RelaxedTables {
            tables: problem.tables(),
            beside,
            seams: problem.board.wanted_seams().len(),
            shows: shows.collect(),
            labels: labels.filter(|label| problem.puzzle.border != Some(*label)).collect(),
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

    /// How many of a cell's own seams a value breaks.
    pub fn broken_within(&self, cell: usize, value: usize) -> usize {
        self.tables.own_broken(cell).get(value).copied().unwrap_or(0)
    }
}
