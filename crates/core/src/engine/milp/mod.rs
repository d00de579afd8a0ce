//! `milp`: the 0-1 model with no-good cuts.
//!
//! The domains are reduced and symmetry is broken; each branch of the symmetry becomes one model.
//! Its rows are propagated in a search tree that learns no-goods from conflicts and solves linear
//! relaxations where they pay, or a solver solves the model to the end, again after each cut. Only
//! a proof completes a search: a solver that gives any other answer ends it with an
//! [`EngineError`].

mod account;
mod beside;
mod no_good;
mod rounds;
mod rows;
mod solver;
mod tree;

use std::ops::ControlFlow;

use self::solver::Relaxation;
pub use self::solver::{BACK_ENDS, BackEnd};
use self::tree::Tree;
use super::{
    Engine, EngineError, EngineKind, EngineOption, FilteringHost, Options, Result, Value, Work,
    counted,
};
use crate::domains::{Domains, Rarest, Split, reduced_branches};
use crate::model::{FORMULATIONS, Formulation, Model};
use crate::problem::{Objective, Problem};
use crate::runtime::limits::{CancelToken, Flow};

/// The engine that solves the 0-1 model.
#[derive(Debug, Clone, Copy)]
pub struct Milp {
    /// The encoding of the seams.
    pub formulation: &'static dyn Formulation,
    /// When the tree solves linear relaxations.
    pub lp: Lp,
    /// If true, a model is solved again after each cut instead of in one branch-and-bound tree.
    /// Only the first of the [`BACK_ENDS`] supports a tree; the others always solve in rounds.
    pub rounds: bool,
    /// The solver that solves the models.
    pub back_end: BackEnd,
}

/// When a search tree solves linear relaxations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Lp {
    /// At every node.
    Always,
    /// On levels on which they have refuted more than they cost, and for a tenth of the work.
    #[default]
    Auto,
    /// Never.
    Never,
}

impl Lp {
    /// Every choice, with its name on the command line.
    pub const ALL: [(Lp, &'static str); 3] =
        [(Lp::Always, "always"), (Lp::Auto, "auto"), (Lp::Never, "never")];

    fn name(self) -> &'static str {
        let mut all = Lp::ALL.into_iter();
        all.find(|(lp, _)| *lp == self).map_or("", |(_, name)| name)
    }
}

impl Milp {
    /// Creates the engine with a formulation and default options.
    pub fn new(formulation: &'static dyn Formulation) -> Milp {
        Milp { formulation, lp: Lp::default(), rounds: false, back_end: BACK_ENDS[0] }
    }

    /// Creates the engine with these options. The first formulation and the first solver are the
    /// defaults.
    fn from_options(options: &Options) -> Milp {
        let formulation = FORMULATIONS
            .into_iter()
            .find(|formulation| Some(formulation.name()) == options.name_of(&FORMULATION));
        let lp = Lp::ALL.into_iter().find(|(_, name)| Some(*name) == options.name_of(&LP));
        let back_end =
            BACK_ENDS.iter().find(|back_end| Some(back_end.name()) == options.name_of(&SOLVER));
        Milp {
            formulation: formulation.unwrap_or(FORMULATIONS[0]),
            lp: lp.map_or(Lp::default(), |(lp, _)| lp),
            rounds: options.has(&ROUNDS),
            back_end: *back_end.unwrap_or(&BACK_ENDS[0]),
        }
    }

    /// Returns true if there is a search tree, not a loop around a solver.
    fn has_tree(&self) -> bool {
        self.back_end.is_first() && !self.rounds
    }
}

/// The engine with the first formulation and default options.
impl Default for Milp {
    fn default() -> Milp {
        Milp::new(FORMULATIONS[0])
    }
}

const FORMULATION: EngineOption = EngineOption {
    name: "formulation",
    help: "how the model encodes matching edges [default: balance]",
    value: Value::Name(|| FORMULATIONS.iter().map(|f| f.name()).collect()),
    excludes: &[],
    goes_with: &[],
};

const LP: EngineOption = EngineOption {
    name: "lp",
    help: "when the search solves linear relaxations [default: auto]",
    value: Value::Name(|| Lp::ALL.map(|(_, name)| name).to_vec()),
    excludes: &["rounds"],
    goes_with: &[],
};

const ROUNDS: EngineOption =
    EngineOption::flag("rounds", "solve the model again from the start after each solution");

const SOLVER: EngineOption = EngineOption {
    name: "solver",
    help: "the MILP solver [default: microlp]; others run in rounds",
    value: Value::Name(|| BACK_ENDS.iter().map(BackEnd::name).collect()),
    excludes: &[],
    goes_with: &[],
};

pub(super) const KIND: EngineKind = EngineKind {
    name: "milp",
    help: "0-1 model with no-good cuts",
    options: &[
        &FORMULATION,
        &LP,
        &ROUNDS,
        // Without this feature there is only one solver.
        #[cfg(feature = "highs")]
        &SOLVER,
    ],
    build: |options| Box::new(Milp::from_options(options)),
    variants,
    is_compared: true,
    has_probes: false,
};

/// The variants in comparisons: each formulation, then `rounds`, and each solver but the default.
fn variants() -> Vec<(String, Options)> {
    let named = |(name, options)| (format!("{}-{name}", KIND.name), options);
    let formulations = FORMULATIONS.iter().map(|formulation| {
        let name = formulation.name();
        (name, Options::default().name(FORMULATION.name, name))
    });
    let rounds = (ROUNDS.name, Options::default().flag(ROUNDS.name));
    // The first solver is used by the variants above.
    let others = BACK_ENDS.iter().skip(1).map(|back_end| {
        let name = back_end.name();
        (name, Options::default().name(SOLVER.name, name))
    });
    formulations.chain([rounds]).chain(others).map(named).collect()
}

impl Engine for Milp {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn variant(&self) -> String {
        let mut words = vec![self.formulation.name()];
        if !self.back_end.is_first() {
            words.push(self.back_end.name());
        } else if self.rounds {
            words.push(ROUNDS.name);
        } else if self.lp != Lp::default() {
            words.extend([LP.name, self.lp.name()]);
        }
        words.join(" ")
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Split::serves(problem)
    }

    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn effort(&self, work: &Work) -> String {
        let cuts = counted(work.cuts, "cut", "cuts");
        if !self.has_tree() {
            return format!("{}, {cuts}", counted(work.solves, "solve", "solves"));
        }
        let nodes = counted(work.nodes, "node", "nodes");
        let solves = match work.solves {
            0 => "no LP".to_owned(),
            solves => counted(solves, "LP", "LPs"),
        };
        let no_goods = counted(work.no_goods, "no-good", "no-goods");
        format!("{nodes}, {solves}, {cuts}, {no_goods}")
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let token = host.token();
        let rarest = if self.has_tree() { Rarest::Mates } else { Rarest::Placements };
        let ControlFlow::Continue(parts) = reduced_branches(problem, rarest, token) else {
            return Ok(ControlFlow::Break(()));
        };
        let models = Models { problem, milp: *self, token };
        let share = 1.0 / parts.len() as f64;
        for part in &parts {
            let end = if self.has_tree() {
                Tree::new(&models, part, host, work).and_then(|mut tree| tree.search(share))
            } else {
                rounds::search(&models, &part.domains, host, work)
            };
            if let Err(end) = end {
                return end.in_round(work.solves);
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// A solution of the linear relaxation of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Relaxed {
    /// The number of variables with a fractional value.
    pub fractional: usize,
    /// The value of the objective, an upper bound for all arrangements; `None` without an objective.
    pub value: Option<f64>,
}

/// Builds the model of the arrangements in `domains`, with the objectives of the problem, and solves
/// its linear relaxation. Returns `None` if it has no solution, so that no arrangement is possible.
/// Breaks if the token stops the run.
///
/// # Errors
/// If the solver gives no answer.
pub fn relax(
    (problem, objectives): (&Problem, &[Objective]),
    domains: &Domains,
    formulation: &'static dyn Formulation,
    token: &CancelToken<'_>,
) -> Flow<Result<Option<Relaxed>>> {
    let model = Model::build(problem, objectives, domains, formulation, token)?;
    let relaxation = Relaxation::of_open(&model, &|_| None);
    const TOLERANCE: f64 = 1e-6;
    let is_fractional = |x: f64| (x - x.round()).abs() > TOLERANCE;
    match relaxation.solve(token, &mut || token.poll()) {
        Ok(point) => ControlFlow::Continue(Ok(point.map(|point| {
            let value = model.objective.as_ref().map(|objective| {
                let terms = objective.terms.iter().map(|&(v, weight)| weight as f64 * point[v].1);
                terms.sum::<f64>() + objective.constant as f64
            });
            let fractional = point.iter().filter(|(_, x)| is_fractional(*x)).count();
            Relaxed { fractional, value }
        }))),
        Err(end) => match end.in_round(1) {
            Ok(_) => ControlFlow::Break(()),
            Err(error) => ControlFlow::Continue(Err(error)),
        },
    }
}

/// The value of a step, or [`End::Stopped`] as the error if it breaks.
fn unless_stopped<T>(flow: Flow<T>) -> Result<T, End> {
    flow.continue_value().ok_or(End::Stopped)
}

/// The reason why a search ended before it was complete.
enum End {
    /// The run was stopped.
    Stopped,
    /// The solver gave no answer.
    NoAnswer(String),
    /// The answer of the solver is not an arrangement, or was excluded by a cut.
    WrongAnswer(String),
}

impl End {
    /// The result of a search that ended in the solve with this number, from 1.
    ///
    /// # Errors
    /// If the solver failed.
    fn in_round(self, round: u64) -> Result<Flow> {
        match self {
            End::Stopped => Ok(ControlFlow::Break(())),
            End::NoAnswer(message) => Err(EngineError::Solver { round, message }),
            End::WrongAnswer(message) => Err(EngineError::WrongAnswer { round, message }),
        }
    }
}

/// What the models of a problem are built from, and how they are solved.
struct Models<'a> {
    problem: &'a Problem,
    milp: Milp,
    token: &'a CancelToken<'a>,
}

impl Models<'_> {
    /// Builds the model of the arrangements in `domains` and records its size in `work`. Breaks if
    /// the token stops the run.
    fn model(&self, domains: &Domains, work: &mut Work) -> Flow<Model> {
        let model = Model::build(self.problem, &[], domains, self.milp.formulation, self.token)?;
        work.placements += domains.placements() as u64;
        work.variables = work.variables.max(model.variables.len() as u64);
        work.rows = work.rows.max(model.rows.len() as u64);
        work.nonzeros = work.nonzeros.max(model.nonzeros() as u64);
        ControlFlow::Continue(model)
    }

    /// Returns true if values whose seams match also satisfy the constraints that the model may
    /// omit.
    fn is_solution(&self, values: &[usize]) -> bool {
        let problem = self.problem;
        problem.lazy_cut(values).is_none()
            && problem.sums.iter().all(|sum| sum.holds(values))
            && problem.formulas.iter().all(|formula| formula.holds_where(&|sum| sum.holds(values)))
    }
}
