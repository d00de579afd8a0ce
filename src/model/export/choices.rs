//! The puzzle as choices of cells, for formats that say more than rows: what each cell can take, how
//! often each kind is used, the tables of the seams. What remains of the model are rows.

use super::NamedModel;
use crate::domains::{Domains, Uses};
use crate::model::{Meaning, Row};
use crate::tables::Tables;

/// A seam between two cells.
pub(super) struct ChosenSeam {
    /// The two cells.
    pub cells: [usize; 2],
    /// Which of the tables it has.
    pub table: usize,
    /// The variable that is 1 where it does not fit; `None` where it must.
    pub broken: Option<usize>,
}

/// A problem as choices.
pub(super) struct Choices<'a> {
    /// The values that each cell can take.
    pub cells: Vec<Vec<usize>>,
    /// How often each kind is used.
    pub uses: Vec<Uses>,
    /// The tables of the seams.
    pub tables: &'a Tables,
    /// The seams.
    pub seams: Vec<ChosenSeam>,
    /// Extra constraints and cuts.
    pub rows: &'a [Row],
    /// The variables of parts of constraints, which the rows define.
    pub parts: Vec<usize>,
}

impl<'a> Choices<'a> {
    /// Those of a model.
    pub fn new(named: &NamedModel<'a>) -> Choices<'a> {
        let (problem, model) = (named.problem, named.model);
        let of = |meaning| {
            let variables = model.variables.iter().enumerate();
            let variables = variables.filter(move |(_, variable)| variable.meaning == meaning);
            variables.map(|(index, _)| index)
        };
        let placements = named.placements().into_iter();
        let values = |cell: Vec<(usize, usize)>| cell.into_iter().map(|(value, _)| value).collect();
        // Where seams may break, the model has a variable for each of them, in their order.
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
            rows: &model.rows[model.of_puzzle..],
            parts: of(Meaning::Holds).collect(),
        }
    }
}
