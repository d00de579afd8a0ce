//! A branch-and-bound tree over the model of a leaf.
//!
//! A node has the domains that follow from its placements, propagated to the fixpoint, and their
//! model is relaxed. If it is infeasible, the node is pruned. If the placements of a point are
//! integral, they are a solution: it is cut, and the relaxation is solved again from there. Any
//! other point shows the least decided cell, on which the node branches.
//!
//! Each node builds a new model, because it is far smaller than its parent's. Fixing a variable in
//! the parent's model and continuing from there takes five times as long.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use super::no_good::Cut;
use super::solver::Relaxation;
use super::{End, LeafResult, Models, no_good, record_size, unless_stopped, wrong_answer};
use crate::domains::{Domains, Leaf, Outlet};
use crate::engine::Work;
use crate::model::{Meaning, Model};
use crate::runtime::clock::{self, Instant};

/// The minimum interval between two reports of work.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// A placement in each cell with several values.
type Placements = Vec<(usize, usize)>;

/// The state of the tree over a leaf.
pub(super) struct Tree<'a, 'o> {
    models: &'a Models<'a>,
    /// The domains of the leaf.
    root: Domains,
    outlet: &'a mut Outlet<'o, LeafResult>,
    work: &'a mut Work,
    /// The solutions found, with their images in the leaf.
    known: HashSet<Vec<usize>>,
    /// The time of the last report of work.
    last_report: Instant,
}

impl<'a, 'o> Tree<'a, 'o> {
    /// Creates a search below `root`, which passes leaves to `outlet` and counts in `work`.
    pub fn new(
        models: &'a Models<'a>,
        root: Domains,
        outlet: &'a mut Outlet<'o, LeafResult>,
        work: &'a mut Work,
    ) -> Self {
        Tree { models, root, outlet, work, known: HashSet::new(), last_report: clock::now() }
    }

    /// Reports all solutions below a node.
    ///
    /// # Errors
    /// If the run is stopped, or the solver fails or returns a wrong answer.
    pub fn search(&mut self, node: &mut Leaf<'_>) -> Result<(), End> {
        self.report_work()?;
        if let Some(values) = node.values() {
            return self.found(&values);
        }
        let domains = node.domains();
        let Some(cell) = self.relax(node, &domains)? else {
            return Ok(());
        };
        for value in domains.cells[cell].iter() {
            let mut end = Ok(());
            let descended = node.descend((cell, value), &mut |below| {
                end = self.search(below);
            });
            end?;
            unless_stopped(descended)?;
        }
        Ok(())
    }

    /// Polls the outlet, and reports the work if [`REPORT_INTERVAL`] has passed since the last
    /// report. The leaf itself is counted at its end.
    ///
    /// # Errors
    /// If the run is stopped.
    fn report_work(&mut self) -> Result<(), End> {
        if self.last_report.elapsed() >= REPORT_INTERVAL && self.work.solves > 0 {
            self.last_report = clock::now();
            let work = std::mem::take(self.work);
            self.work.nodes = work.nodes;
            let done = LeafResult { result: Ok(None), work: Work { nodes: 0, ..work } };
            if self.outlet.found(done).is_break() {
                return Err(End::Stopped);
            }
        }
        match self.outlet.poll() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(End::Stopped),
        }
    }

    /// Solves the relaxation of a node; reports and cuts its points as long as they are integral.
    /// Returns the cell to branch on; `None` if the node has no further solutions.
    ///
    /// # Errors
    /// If the run is stopped, or the solver fails or returns a wrong answer.
    fn relax(&mut self, node: &mut Leaf<'_>, domains: &Domains) -> Result<Option<usize>, End> {
        let models = self.models;
        let model = unless_stopped(models.model(domains))?;
        record_size(&model, self.work);
        let posted = (&model, models.token);
        let mut relaxation = Relaxation::new(posted, &mut || self.outlet.poll(), self.work)?;
        let mut cuts: Vec<Cut> = Vec::new();
        while let Some(relaxed) = relaxation {
            let point = relaxed.point();
            let forced = match integral_placements(domains, &model, &point) {
                Some(all) if unless_stopped(node.forces(&all))? => Some(all),
                _ => None,
            };
            let Some(placements) = forced else {
                return Ok(least_decided(domains, &model, &point));
            };
            let values = complete_values(domains, &placements);
            if cuts.iter().any(|cut| no_good::excludes(cut, &values)) {
                return Err(wrong_answer("a cut already excludes this arrangement".into()));
            }
            self.found(&values)?;
            let is_solution = models.is_solution(&values);
            relaxation = Some(relaxed);
            let images = no_good::images(models.problem, domains, &values, models.token);
            for image in unless_stopped(images)? {
                let cut = no_good::make_cut(models.problem, (node, domains), is_solution, &image);
                let cut = unless_stopped(cut)?;
                self.work.cuts += 1;
                let row = model.no_good(&cut, self.work.cuts);
                cuts.push(cut);
                relaxation = match relaxation {
                    Some(relaxed) => {
                        relaxed.with_row(&row, &mut || self.outlet.poll(), self.work)?
                    }
                    None => None,
                };
            }
        }
        Ok(None)
    }

    /// Reports an integral point, unless it violates a constraint that the model omits, or it or
    /// one of its images was reported before.
    ///
    /// # Errors
    /// If the run is stopped.
    fn found(&mut self, values: &[usize]) -> Result<(), End> {
        let models = self.models;
        if self.known.contains(values) || !models.is_solution(values) {
            return Ok(());
        }
        let images = no_good::images(models.problem, &self.root, values, models.token);
        self.known.extend(unless_stopped(images)?);
        let found = LeafResult {
            result: Ok(Some(models.problem.deal(values.iter().copied()))),
            work: std::mem::take(self.work),
        };
        if self.outlet.found(found).is_break() {
            return Err(End::Stopped);
        }
        Ok(())
    }
}

/// The placements of a point in the cells with several values; `None` unless each of these cells
/// has exactly one placement that is 1 within the solver's tolerance.
fn integral_placements(domains: &Domains, model: &Model, point: &[f64]) -> Option<Placements> {
    const WHOLE: f64 = 1.0 - 1e-6;
    let mut placements = Vec::new();
    for (variable, &x) in model.variables.iter().zip(point) {
        if let Meaning::Placement { cell, value } = variable.meaning
            && domains.cells[cell].len() > 1
            && x > WHOLE
        {
            placements.push((cell, value));
        }
    }
    let open = domains.cells.iter().filter(|domain| domain.len() > 1);
    (placements.len() == open.count()).then_some(placements)
}

/// The value of each cell: that of its placement, otherwise the first value of its domain.
fn complete_values(domains: &Domains, placements: &[(usize, usize)]) -> Vec<usize> {
    let only = domains.cells.iter().map(|domain| domain.iter().next());
    let mut values: Vec<usize> = only.map(Option::unwrap_or_default).collect();
    for &(cell, value) in placements {
        values[cell] = value;
    }
    values
}

/// The cell to branch on: among the cells with several values, the one with the smallest product of
/// domain size and largest variable. It has few values, none of which the point prefers. `None` if
/// every cell has a single value.
fn least_decided(domains: &Domains, model: &Model, point: &[f64]) -> Option<usize> {
    let mut largest = vec![0.0_f64; domains.cells.len()];
    for (variable, &x) in model.variables.iter().zip(point) {
        if let Meaning::Placement { cell, .. } = variable.meaning {
            largest[cell] = largest[cell].max(x);
        }
    }
    let product = |cell: usize| domains.cells[cell].len() as f64 * largest[cell];
    let open = (0..domains.cells.len()).filter(|&cell| domains.cells[cell].len() > 1);
    open.min_by(|&a, &b| product(a).total_cmp(&product(b)))
}
