//! `milp`: the 0-1 model, solved with no-good cuts until it is infeasible.
//!
//! The domains are reduced, symmetry is broken, and the rest is split until few placements are
//! open. Each leaf becomes a model; without splitting, there is a single model. A model is solved
//! in one branch-and-bound tree, or again after each cut. Each solution gets a cut, and so does
//! each of its images in the leaf. Only the solver's proof of infeasibility completes a leaf or a
//! node; any other answer is an [`EngineError`] with its round.

mod beside;
mod no_good;
mod rounds;
mod solver;
mod tree;

use std::ops::ControlFlow;

pub use self::solver::{BACK_ENDS, BackEnd};
use self::tree::Tree;
use super::host::report_branches_to_host;
use super::{
    Engine, EngineError, EngineKind, EngineOption, FilteringHost, Host, Options, Result, Value,
    Work, counted, probe_parts,
};
use crate::domains::{
    Domains, Leaf, NothingFitsError, Outlet, Rarest, Split, SymmetryBranch, break_symmetry_under,
    reduce_under,
};
use crate::model::{FORMULATIONS, Formulation, Model};
use crate::problem::{Arrangement, Problem};
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Branch, SearchProgress, Sink};

/// The engine that solves the 0-1 model.
#[derive(Debug, Clone, Copy)]
pub struct Milp {
    /// The encoding of the seams.
    pub formulation: &'static dyn Formulation,
    /// Domains are split until the cells with several values have at most this many placements in
    /// total. The rest is solved as a model.
    pub leaf: usize,
    /// If true, a model is solved again after each cut instead of in one branch-and-bound tree.
    /// Only the first of the [`BACK_ENDS`] supports a tree; the others always solve in rounds.
    pub rounds: bool,
    /// The solver that solves the models.
    pub back_end: BackEnd,
}

impl Milp {
    /// The default size of a leaf. Smaller leaves are faster, because a model costs more than the
    /// search that it replaces. With this size every 3×3 is still more than ten times faster than
    /// with OR-Tools, and the model is large enough for comparisons, cuts and constraints.
    pub const LEAF: usize = 60;

    /// The leaf size that disables splitting, so there is one model per symmetry branch.
    pub const WHOLE: usize = usize::MAX;

    /// Creates the engine with a formulation, the default leaf size and the default solver.
    pub fn new(formulation: &'static dyn Formulation) -> Milp {
        Milp { formulation, leaf: Milp::LEAF, rounds: false, back_end: BACK_ENDS[0] }
    }

    /// Creates the engine with these options. The first formulation and the first solver are the
    /// defaults.
    fn from_options(options: &Options) -> Milp {
        let formulation = FORMULATIONS
            .into_iter()
            .find(|formulation| Some(formulation.name()) == options.name_of(&FORMULATION));
        let back_end =
            BACK_ENDS.iter().find(|back_end| Some(back_end.name()) == options.name_of(&SOLVER));
        Milp {
            formulation: formulation.unwrap_or(FORMULATIONS[0]),
            leaf: if options.has(&WHOLE) { Milp::WHOLE } else { Milp::LEAF },
            rounds: options.has(&ROUNDS),
            back_end: *back_end.unwrap_or(&BACK_ENDS[0]),
        }
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

const WHOLE: EngineOption = EngineOption::flag(
    "whole",
    "solve one model of the whole board instead of splitting the search",
);

const ROUNDS: EngineOption =
    EngineOption::flag("rounds", "solve a new model after each cut instead of keeping one tree");

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
        &WHOLE,
        &ROUNDS,
        // Without this feature there is only one solver.
        #[cfg(feature = "highs")]
        &SOLVER,
    ],
    build: |options| Box::new(Milp::from_options(options)),
    variants,
    is_compared: true,
    has_probes: true,
};

/// The variants in comparisons: each formulation, then `whole`, `rounds`, and each solver but the
/// default.
fn variants() -> Vec<(String, Options)> {
    let named = |(name, options)| (format!("{}-{name}", KIND.name), options);
    let formulations = FORMULATIONS.iter().map(|formulation| {
        let name = formulation.name();
        (name, Options::default().name(FORMULATION.name, name))
    });
    let flags = [WHOLE.name, ROUNDS.name].map(|name| (name, Options::default().flag(name)));
    // The first solver is used by the variants above.
    let others = BACK_ENDS.iter().skip(1).map(|back_end| {
        let name = back_end.name();
        (name, Options::default().name(SOLVER.name, name))
    });
    formulations.chain(flags).chain(others).map(named).collect()
}

impl Engine for Milp {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn variant(&self) -> String {
        let variant = match self.leaf {
            Milp::WHOLE => format!("{} whole", self.formulation.name()),
            Milp::LEAF => self.formulation.name().to_owned(),
            leaf => format!("{} leaf {leaf}", self.formulation.name()),
        };
        if !self.back_end.is_first() {
            return format!("{variant} {}", self.back_end.name());
        }
        if self.rounds { format!("{variant} rounds") } else { variant }
    }

    fn serves(&self, problem: &Problem) -> Result<(), String> {
        Split::serves(problem)
    }

    fn prunes_by_constraints(&self) -> bool {
        true
    }

    fn uses_threads(&self) -> bool {
        self.leaf != Milp::WHOLE
    }

    fn seeks_alone(&self) -> bool {
        true
    }

    fn effort(&self, work: &Work) -> String {
        let solves = counted(work.solves, "solve", "solves");
        format!("{solves}, {}", counted(work.cuts, "cut", "cuts"))
    }

    fn steps(&self, work: &Work) -> u64 {
        work.decisions
    }

    fn probe(
        &self,
        problem: &Problem,
        probes: u32,
        seed: u64,
        token: &CancelToken<'_>,
    ) -> Flow<Vec<f64>> {
        let parts = symmetry_branches(problem, token)?;
        let split = Split::with_leaf_size(self.leaf);
        let random = &mut Random::with_seed(seed);
        let probes = probe_parts(problem, split, &parts, (probes, random), token)?;
        ControlFlow::Continue(probes.estimates)
    }

    fn search(
        &self,
        problem: &Problem,
        host: &mut FilteringHost<'_>,
        work: &mut Work,
    ) -> Result<Flow> {
        let token = host.token();
        let ControlFlow::Continue(parts) = symmetry_branches(problem, token) else {
            return Ok(ControlFlow::Break(()));
        };
        let models = Models {
            problem,
            formulation: self.formulation,
            has_tree: self.back_end.is_first() && !self.rounds,
            back_end: self.back_end,
            token,
        };
        let threads = host.threads();
        let mut books = LeafSink { problem, host, work, failure: None };
        let (end, decisions) = Split::with_leaf_size(self.leaf).walk(
            problem,
            &parts,
            (threads, token),
            &|leaf: &mut Leaf<'_>, outlet: &mut Outlet<'_, LeafResult>| {
                models.solve_leaf(leaf, outlet)
            },
            &mut books,
            None,
        )?;
        let failure = books.failure.take();
        work.decisions = decisions;
        failure.map_or(Ok(end), Err)
    }
}

/// The symmetry branches to search, after reducing the domains; empty if the reduction proves that
/// there is no solution. Breaks if the token stops the run.
fn symmetry_branches(problem: &Problem, token: &CancelToken<'_>) -> Flow<Vec<SymmetryBranch>> {
    let mut root = Domains::first(problem);
    match reduce_under(token, problem, &mut root)? {
        Ok(()) => break_symmetry_under(token, problem, root, Rarest::Placements),
        Err(NothingFitsError) => ControlFlow::Continue(Vec::new()),
    }
}

/// The value of a step, or [`End::Stopped`] as the error if it breaks.
fn unless_stopped<T>(flow: Flow<T>) -> Result<T, End> {
    flow.continue_value().ok_or(End::Stopped)
}

/// The reason why a leaf ended before it was complete.
enum End {
    /// The run was stopped.
    Stopped,
    /// The solver failed.
    Failed(LeafError),
}

/// The failure of the solver in a leaf.
enum LeafError {
    /// The solver gave no answer.
    NoAnswer(String),
    /// The answer is not an arrangement, or was excluded by a cut.
    Wrong(String),
}

impl LeafError {
    /// Converts the failure to an engine error with the number of the solve, from 1.
    fn in_round(self, round: u64) -> EngineError {
        match self {
            LeafError::NoAnswer(message) => EngineError::Solver { round, message },
            LeafError::Wrong(message) => EngineError::WrongAnswer { round, message },
        }
    }
}

/// A message from a leaf to the host: a solution, a failure, or work alone (`Ok(None)`).
struct LeafResult {
    result: Result<Option<Arrangement>, LeafError>,
    /// The work since the previous message.
    work: Work,
}

/// Builds and solves the models of leaves.
struct Models<'a> {
    problem: &'a Problem,
    formulation: &'static dyn Formulation,
    has_tree: bool,
    back_end: BackEnd,
    token: &'a CancelToken<'a>,
}

impl Models<'_> {
    /// Finds all solutions of a leaf and passes them to `outlet`, with the work. A solver failure
    /// is also passed as a result. Breaks if the run is stopped.
    fn solve_leaf(&self, leaf: &mut Leaf<'_>, outlet: &mut Outlet<'_, LeafResult>) -> Flow {
        let mut work = Work { nodes: 1, ..Work::default() };
        let result = match leaf.values() {
            Some(values) => Ok(Some(self.problem.deal(values))),
            None => match self.enumerate(leaf, outlet, &mut work) {
                Ok(()) => Ok(None),
                Err(End::Failed(trouble)) => Err(trouble),
                Err(End::Stopped) => {
                    // On interruption, report the work done and ignore the sink's reply.
                    let _ = outlet.found(LeafResult { result: Ok(None), work });
                    return ControlFlow::Break(());
                }
            },
        };
        outlet.found(LeafResult { result, work })
    }

    /// Builds the model of the arrangements in `domains`. Breaks if the token stops the run.
    fn model(&self, domains: &Domains) -> Flow<Model> {
        Model::build(self.problem, domains, self.formulation, self.token)
    }

    /// Solves the model of a leaf that has cells with several values, and passes each solution to
    /// `outlet`.
    ///
    /// # Errors
    /// If the run is stopped, or the solver fails or returns a wrong answer.
    fn enumerate(
        &self,
        leaf: &mut Leaf<'_>,
        outlet: &mut Outlet<'_, LeafResult>,
        work: &mut Work,
    ) -> Result<(), End> {
        work.placements += leaf.domains().placements() as u64;
        if !self.has_tree {
            return rounds::search(self, leaf, outlet, work);
        }
        Tree::new(self, leaf.domains(), outlet, work).search(leaf)
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

/// Raises the recorded sizes in `work` to those of a larger model.
fn record_size(model: &Model, work: &mut Work) {
    work.variables = work.variables.max(model.variables.len() as u64);
    work.rows = work.rows.max(model.rows.len() as u64);
    work.nonzeros = work.nonzeros.max(model.nonzeros() as u64);
}

/// Passes the solutions of leaves to the host, and adds up their work. A failure is stored in
/// `failure` and stops the search.
struct LeafSink<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    failure: Option<EngineError>,
}

impl Sink<LeafResult> for LeafSink<'_> {
    fn found(&mut self, found: LeafResult, decisions: u64) -> Flow {
        self.work.decisions = decisions;
        self.work.add_leaf(found.work);
        match found.result {
            Ok(Some(arrangement)) => self.host.found(&arrangement, self.work),
            Ok(None) => ControlFlow::Continue(()),
            Err(trouble) => {
                self.failure = Some(trouble.in_round(self.work.solves));
                ControlFlow::Break(())
            }
        }
    }

    fn progress(&mut self, progress: SearchProgress) -> Flow {
        self.work.decisions = progress.steps;
        self.work.explored = Some(progress.share);
        self.work.filled = self.work.filled.max(progress.filled);
        self.host.poll(self.work)
    }

    fn report_branches(&mut self, branches: &dyn Fn() -> Vec<Branch>) {
        report_branches_to_host(self.problem, self.host, branches);
    }
}

/// Creates the end of a leaf whose solver returned a wrong answer.
fn wrong_answer(message: String) -> End {
    End::Failed(LeafError::Wrong(message))
}
