//! Constant tables for searches in which seams may break.

use crate::board::CellSide;
use crate::problem::Problem;
use crate::puzzle::Label;
use crate::tables::Tables;

/// The constant data of a problem in which seams may break.
#[derive(Debug)]
pub(in crate::domains) struct RelaxedTables<'a, const S: usize> {
    /// The compatibility tables.
    pub(super) tables: &'a Tables,
    /// The side across each counted seam to another cell, indexed by cell and side; `None` for
    /// every other side.
    pub(super) beside: Vec<[Option<CellSide>; S]>,
    /// The number of counted seams between two cells.
    pub(super) seams: usize,
    /// The label that each side of a value shows, indexed by value and side; missing sides repeat
    /// the first one.
    pub(super) shows: Vec<[Label; S]>,
    /// The labels that can occur on a seam: all but the border.
    pub(super) labels: Vec<Label>,
    /// For each kind, its labels, each with the maximum number of edges that show it on one face of
    /// a tile.
    pub(super) supply: Vec<Vec<(usize, usize)>>,
    /// The maximum number of seams that may break.
    pub(super) most_broken: usize,
}

impl<'a, const S: usize> RelaxedTables<'a, S> {
    /// Creates the tables for a problem in which at most `most_broken` seams may break.
    pub fn new(problem: &'a Problem, most_broken: usize) -> Self {
        let mut beside = vec![[None; S]; problem.board.size()];
        for seam in problem.board.wanted_seams() {
            for (here, there) in [(seam.first, seam.second), (seam.second, seam.first)] {
                beside[here.0][here.1] = Some(there);
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
}
