//! The 0-1 model as arrays, for solvers that are called from Python.

use edgematch::domains::{Domains, Rarest, break_symmetry};
use edgematch::export::NamedModel;
use edgematch::model::{FORMULATIONS, Meaning, Model as Inner, Sense};
use edgematch::optimise;
use edgematch::problem::Problem;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A 0-1 model in compressed sparse row form (CSR): row i has the entries from `indptr[i]` up to,
/// but not including, `indptr[i + 1]` of `indices` and `data`, and the bounds `lower[i]` and
/// `upper[i]`. All columns are binary.
#[pyclass(name = "Model", frozen, get_all, module = "edgematch._edgematch")]
pub struct PyModel {
    /// The names of the columns, such as `x_1_2_t5_3` for a placement.
    columns: Vec<String>,
    /// True for each column that is a placement.
    is_placement: Vec<bool>,
    /// The names of the rows.
    rows: Vec<String>,
    /// The start of each row, and the end of the last.
    indptr: Vec<usize>,
    /// The column of each entry.
    indices: Vec<usize>,
    /// The coefficient of each entry.
    data: Vec<i64>,
    /// The lower bound of each row; `None` if there is none.
    lower: Vec<Option<i64>>,
    /// The upper bound of each row; `None` if there is none.
    upper: Vec<Option<i64>>,
    /// The coefficient of each column in the sum to minimise; zeros without an objective.
    costs: Vec<i64>,
    /// The names of the constraints that the rows do not express.
    unstated: Vec<&'static str>,
}

impl PyModel {
    /// Builds the model in the formulation with this name; if `is_broken`, the domains are restricted
    /// so that only one image of each solution under the symmetries remains.
    ///
    /// # Errors
    /// If there is no such formulation, or one model cannot break the symmetry.
    pub fn new(problem: &Problem, formulation: &str, is_broken: bool) -> PyResult<PyModel> {
        let found = FORMULATIONS.iter().find(|f| f.name() == formulation);
        let formulation = found.ok_or_else(|| {
            let names = FORMULATIONS.map(|formulation| formulation.name()).join(", ");
            PyValueError::new_err(format!(
                "`{formulation}` is not a formulation; the formulations are {names}"
            ))
        })?;
        let objectives = optimise::own_objectives(problem);
        let problem = &optimise::weakest(problem, &objectives);
        let mut domains = Domains::first(problem);
        if is_broken {
            let mut parts = break_symmetry(problem, domains, Rarest::Placements);
            domains = match (parts.pop(), parts.is_empty()) {
                (Some(part), true) => part.domains,
                _ => {
                    let message =
                        "the symmetry of this board cannot be broken in one model, only in several";
                    return Err(PyValueError::new_err(message));
                }
            };
        }
        let model = Inner::build_whole(problem, &objectives, &domains, *formulation);
        let named = NamedModel::new(problem, &model, Vec::new());
        let mut costs = vec![0; model.variables.len()];
        for &(column, gain) in model.objective.iter().flat_map(|objective| &objective.terms) {
            costs[column] = gain.saturating_neg();
        }
        let mut arrays = PyModel {
            is_placement: (model.variables.iter())
                .map(|variable| matches!(variable.meaning, Meaning::Placement { .. }))
                .collect(),
            columns: named.columns,
            rows: named.rows,
            indptr: vec![0],
            indices: Vec::new(),
            data: Vec::new(),
            lower: Vec::new(),
            upper: Vec::new(),
            costs,
            unstated: problem.unstated_constraints().map(|constraint| constraint.name()).collect(),
        };
        for row in &model.rows {
            for &(column, coefficient) in &row.terms {
                arrays.indices.push(column);
                arrays.data.push(coefficient);
            }
            arrays.indptr.push(arrays.indices.len());
            let has = |senses: [Sense; 2]| senses.contains(&row.sense).then_some(row.bound);
            arrays.lower.push(has([Sense::Equal, Sense::AtLeast]));
            arrays.upper.push(has([Sense::Equal, Sense::AtMost]));
        }
        Ok(arrays)
    }
}
