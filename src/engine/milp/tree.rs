//! One branch-and-bound tree over the model of a leaf.
//!
//! A node has the domains that its placements leave, propagated to the fixpoint. Their model is
//! relaxed. Where the relaxation has no point, there is no solution below the node. A point whose
//! placements are whole is a solution: it is cut, and the relaxation is solved again from where it
//! stands. Any other point tells which cell is decided least, and the node branches on that.
//!
//! Each node states its own model, as that is far smaller than the one above it: to fix a variable
//! there and to solve on takes five times as long.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use super::no_good::Cut;
use super::solver::Relaxation;
use super::{End, Models, Yield, count_size, no_good, unless_stopped, wrong};
use crate::domains::{Domains, Leaf, Outlet};
use crate::engine::Work;
use crate::model::{Meaning, Model};
use crate::runtime::clock::{self, Instant};

/// The time between two tellings of the work.
const PACE: Duration = Duration::from_millis(50);

/// A placement in each cell that can take more than one.
type Placements = Vec<(usize, usize)>;

/// The tree over a leaf, while it is searched.
pub(super) struct Tree<'a, 'o> {
    models: &'a Models<'a>,
    /// The domains of the leaf.
    root: Domains,
    outlet: &'a mut Outlet<'o, Yield>,
    work: &'a mut Work,
    /// What was found, and its images in the leaf.
    known: HashSet<Vec<usize>>,
    /// When the work was handed over last.
    told: Instant,
}

impl<'a, 'o> Tree<'a, 'o> {
    pub fn new(
        models: &'a Models<'a>,
        root: Domains,
        outlet: &'a mut Outlet<'o, Yield>,
        work: &'a mut Work,
    ) -> Self {
        Tree { models, root, outlet, work, known: HashSet::new(), told: clock::now() }
    }

    /// Finds all solutions below a node.
    pub fn search(&mut self, node: &mut Leaf<'_>) -> Result<(), End> {
        self.tell()?;
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

    /// Hands over the work now and then, for those who wait, and asks whether to go on. The leaf
    /// itself counts at its end.
    fn tell(&mut self) -> Result<(), End> {
        if self.told.elapsed() >= PACE && self.work.solves > 0 {
            self.told = clock::now();
            let work = std::mem::take(self.work);
            self.work.nodes = work.nodes;
            let done = Yield { result: Ok(None), work: Work { nodes: 0, ..work } };
            if self.outlet.found(done).is_break() {
                return Err(End::Stopped);
            }
        }
        match self.outlet.poll() {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(End::Stopped),
        }
    }

    /// Solves the relaxation of a node, and cuts its whole points, until there are none. The cell
    /// to branch on; `None` where nothing is left.
    fn relax(&mut self, node: &mut Leaf<'_>, domains: &Domains) -> Result<Option<usize>, End> {
        let models = self.models;
        let model = unless_stopped(models.model(domains))?;
        count_size(&model, self.work);
        let posted = (&model, models.token);
        let mut relaxation = Relaxation::new(posted, &mut || self.outlet.poll(), self.work)?;
        let mut cuts: Vec<Cut> = Vec::new();
        while let Some(relaxed) = relaxation {
            let point = relaxed.point();
            let forced = match whole(domains, &model, &point) {
                Some(all) if unless_stopped(node.forces(&all))? => Some(all),
                _ => None,
            };
            let Some(placements) = forced else {
                return Ok(least_decided(domains, &model, &point));
            };
            let values = with(domains, &placements);
            if cuts.iter().any(|cut| no_good::is_met(cut, &values)) {
                return Err(wrong("it was excluded by a cut".into()));
            }
            self.found(&values)?;
            let is_solution = models.is_solution(&values);
            relaxation = Some(relaxed);
            let images = no_good::images(models.problem, domains, &values, models.token);
            for image in unless_stopped(images)? {
                let cut = no_good::cut(models.problem, (node, domains), is_solution, &image);
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

    /// Hands over a solution, unless it or an image of it was found in another branch.
    fn found(&mut self, values: &[usize]) -> Result<(), End> {
        let models = self.models;
        if self.known.contains(values) || !models.is_solution(values) {
            return Ok(());
        }
        let images = no_good::images(models.problem, &self.root, values, models.token);
        self.known.extend(unless_stopped(images)?);
        let found = Yield {
            result: Ok(Some(models.problem.deal(values.iter().copied()))),
            work: std::mem::take(self.work),
        };
        if self.outlet.found(found).is_break() {
            return Err(End::Stopped);
        }
        Ok(())
    }
}

/// The placements of a point, where each of them is 1 as far as a solver can tell.
fn whole(domains: &Domains, model: &Model, point: &[f64]) -> Option<Placements> {
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

/// One value a cell: that of its placement, or the only one that it can take.
fn with(domains: &Domains, placements: &[(usize, usize)]) -> Vec<usize> {
    let only = domains.cells.iter().map(|domain| domain.iter().next());
    let mut values: Vec<usize> = only.map(Option::unwrap_or_default).collect();
    for &(cell, value) in placements {
        values[cell] = value;
    }
    values
}

/// The cell with the smallest product of its values and the largest share of one of them: few
/// values, none of which the point prefers.
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
