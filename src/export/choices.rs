//! The puzzle for formats with global constraints: the values of each cell, the uses of each kind
//! and the tables of the seams. Only extra constraints and cuts remain rows.

use super::NamedModel;
use crate::domains::{Domains, Uses};
use crate::model::{Meaning, Row};
use crate::tables::Tables;

/// A seam between two cells.
pub(super) struct ChosenSeam {
    /// The cells on both sides.
    pub cells: [usize; 2],
    /// The index of its table.
    pub table: usize,
    /// The variable that is 1 if the seam is broken; `None` if the seam must fit.
    pub broken: Option<usize>,
}

/// The values, uses and tables of a problem, and the rows that they do not cover.
pub(super) struct Choices<'a> {
    /// The possible values of each cell.
    pub cells: Vec<Vec<usize>>,
    /// The minimum and maximum number of uses of each kind.
    pub uses: Vec<Uses>,
    /// The tables of the seams.
    pub tables: &'a Tables,
    /// Every seam, those that must fit first.
    pub seams: Vec<ChosenSeam>,
    /// The rows of extra constraints and cuts.
    pub rows: &'a [Row],
    /// The variables that are 1 if a part of a constraint holds.
    pub parts: Vec<usize>,
}

impl<'a> Choices<'a> {
    /// Extracts the choices from a model.
    pub fn new(named: &NamedModel<'a>) -> Choices<'a> {
        let (problem, model) = (named.problem, named.model);
        let of = |meaning| {
            let variables = model.variables.iter().enumerate();
            let variables = variables.filter(move |(_, variable)| variable.meaning == meaning);
            variables.map(|(index, _)| index)
        };
        let placements = named.placements().into_iter();
        let values = |cell: Vec<(usize, usize)>| cell.into_iter().map(|(value, _)| value).collect();
        // If seams may break, the model has one variable for each of them, in the same order.
        let wanted = problem.board.wanted_seams().iter().zip(of(Meaning::Broken));
        let wanted = wanted.map(|(seam, broken)| (seam, Some(broken)));
        let seams = problem.board.seams().iter().map(|seam| (seam, None));
        let seams = seams.chain(wanted).map(|(seam, broken)| ChosenSeam {
            cells: [seam.first.0, seam.second.0],
            table: seam.seam_type,
            broken,
        });
        Choices {
            cells: placements.map(values).collect(),
            uses: Domains::first(problem).uses,
            tables: problem.tables(),
            seams: seams.collect(),
            rows: &model.rows[model.puzzle_rows..],
            parts: of(Meaning::Holds).collect(),
        }
    }
}
