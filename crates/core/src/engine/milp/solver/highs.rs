//! The solver HiGHS, a C++ library; requires the cargo feature `highs`.
//!
//! good_lp cannot interrupt it, but can set a time limit. So it runs on a separate thread in slices
//! of doubling length until one is long enough. After a stop, the caller does not wait for it, and
//! it ends soon after.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use good_lp::solvers::highs::HighsParallelType;
use good_lp::{Expression, ResolutionError, Solution, SolverModel, highs as back_end};

use super::{
    BackEnd, End, Loaded, Row, SolverFailure, Variable, beside, catch_panic, convert_row, declare,
};
use crate::runtime::clock;
use crate::runtime::limits::Flow;

pub(super) const BACK_END: BackEnd = BackEnd {
    name: "highs",
    // This only copies the rows.
    load: |model, _| {
        ControlFlow::Continue(Box::new(Highs(Arc::new(PostedModel {
            variables: model.variables.clone(),
            rows: model.rows.clone(),
        }))))
    },
};

/// The model, shared with the solving thread.
struct Highs(Arc<PostedModel>);

/// The variables and rows of a model. `good_lp` consumes a problem when it solves it, so the
/// problem is rebuilt for each solve.
#[derive(Clone)]
struct PostedModel {
    variables: Vec<Variable>,
    rows: Vec<Row>,
}

impl Loaded for Highs {
    fn add(&mut self, row: &Row) {
        Arc::make_mut(&mut self.0).rows.push(row.clone());
    }

    fn solve(&self, go_on: &mut dyn FnMut() -> Flow) -> Result<Option<Vec<f64>>, End> {
        let posted = Arc::clone(&self.0);
        let solve = move |unwanted: &AtomicBool| posted.solve_in_slices(unwanted);
        beside::run(solve, go_on)?
    }
}

impl PostedModel {
    /// Solves the model with a time limit that doubles until it suffices; `None` if the model is
    /// infeasible.
    ///
    /// # Errors
    /// If the solver fails, panics, or `unwanted` is set when a slice ends.
    fn solve_in_slices(&self, unwanted: &AtomicBool) -> Result<Option<Vec<f64>>, End> {
        const FIRST_SLICE: Duration = Duration::from_secs(1);
        let mut slice = FIRST_SLICE;
        loop {
            let started = clock::now();
            match catch_panic(|| self.solve_within(slice)) {
                Ok(point) => return Ok(Some(point)),
                Err(SolverFailure::Solver(ResolutionError::Infeasible)) => return Ok(None),
                Err(SolverFailure::Panic(message)) => return Err(End::NoAnswer(message)),
                // Without a point or a proof, either the time limit was reached or the solver
                // failed.
                Err(SolverFailure::Solver(e)) => {
                    if started.elapsed() < slice || unwanted.load(Ordering::Relaxed) {
                        return Err(End::NoAnswer(e.to_string()));
                    }
                }
            }
            slice *= 2;
        }
    }

    /// Solves the model from scratch within `slice`; returns one unrounded value per variable.
    ///
    /// # Errors
    /// If the model is infeasible, the time limit is reached, or the solver fails.
    fn solve_within(&self, slice: Duration) -> Result<Vec<f64>, ResolutionError> {
        let (declared, variables) = declare(&self.variables);
        let mut problem = declared.minimise(Expression::default()).using(back_end);
        for row in &self.rows {
            problem.add_constraint(convert_row(row, &variables));
        }
        // The search already uses threads.
        let problem = problem
            .set_parallel(HighsParallelType::Off)
            .set_threads(1)
            .set_time_limit(slice.as_secs_f64());
        let solution = problem.solve()?;
        Ok(variables.into_iter().map(|v| solution.value(v)).collect())
    }
}
