//! The backtracker that tries every unused tile in every rotation and counts the tries.
//!
//! It exists for comparison with published programs, whose figures it reproduces. Nothing in it is
//! fast on purpose.

use std::ops::ControlFlow;

use crate::domains::{Decision, Observer};
use crate::engine::step::{Step, copies, in_cell_order};
use crate::engine::{Decided, Host, Work};
use crate::problem::{Placed, Problem};
use crate::puzzle::{Face, Orientation};

/// How many tries there are between two questions to the host.
const TRIES_PER_POLL: u64 = 1 << 16;

/// Fills the cells in the order of the steps. Every entry of the recursive function is a call,
/// every placement tested against the neighbours a try.
pub(super) fn search(
    problem: &Problem,
    steps: &[Step],
    observer: Option<&mut dyn Observer>,
    host: &mut dyn Host,
    work: &mut Work,
) -> ControlFlow<()> {
    work.calls_per_level = vec![0; steps.len() + 1];
    let mut scan = Scan {
        problem,
        steps,
        placed: Vec::with_capacity(steps.len()),
        left: copies(problem),
        next_poll: 0,
        observer,
        host,
        work,
    };
    let end = scan.enter();
    work.nodes = work.calls_per_level.iter().sum::<u64>() - 1;
    end
}

struct Scan<'a, 'o> {
    problem: &'a Problem,
    steps: &'a [Step],
    /// What lies where, in the order of the steps.
    placed: Vec<Placed>,
    /// By tile, the copies that do not lie.
    left: Vec<usize>,
    next_poll: u64,
    observer: Option<&'a mut (dyn Observer + 'o)>,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl Scan<'_, '_> {
    fn enter(&mut self) -> ControlFlow<()> {
        let level = self.placed.len();
        self.work.calls_per_level[level] += 1;
        let steps = self.steps;
        if self.work.tries >= self.next_poll {
            self.next_poll = self.work.tries + TRIES_PER_POLL;
            let placed = &self.placed;
            self.host.stands_at(&|| Decided::in_steps(steps, placed));
            self.host.poll(self.work)?;
        }
        let Some(step) = steps.get(level) else {
            let arrangement = in_cell_order(steps, self.placed.iter().copied());
            return self.host.found(&arrangement, self.work);
        };
        for tile in 0..self.left.len() {
            let definition = &self.problem.puzzle.tiles[tile];
            if self.left[tile] == 0 || definition.sides() != step.sides {
                continue;
            }
            let is_two_sided = definition.back.is_some();
            for &orientation in &step.orientations {
                if orientation.face() == Face::Back && !is_two_sided {
                    continue;
                }
                self.work.tries += 1;
                if self.fits(step, tile, orientation) {
                    let placed = Placed { tile, orientation };
                    self.tell_decided(step.cell, placed)?;
                    self.left[tile] -= 1;
                    self.placed.push(placed);
                    self.enter()?;
                    self.tell_done()?;
                    self.placed.pop();
                    self.left[tile] += 1;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn tell_decided(&mut self, cell: usize, placed: Placed) -> ControlFlow<()> {
        let Some(observer) = &mut self.observer else {
            return ControlFlow::Continue(());
        };
        observer.decided(&Decision {
            cell,
            placed,
            tries: Some(self.work.tries),
            left: None,
        })
    }

    fn tell_done(&mut self) -> ControlFlow<()> {
        let Some(observer) = &mut self.observer else {
            return ControlFlow::Continue(());
        };
        let kinds = &self.problem.kinds;
        let placed = self.steps.iter().zip(&self.placed);
        observer.done(&mut placed.filter_map(|(step, placed)| {
            let value = kinds.value_of(placed.tile, placed.orientation)?;
            Some((step.cell, value))
        }))
    }

    fn fits(&self, step: &Step, tile: usize, orientation: Orientation) -> bool {
        let puzzle = &self.problem.puzzle;
        let shows = |side: usize| puzzle.tiles[tile].shows(side, orientation);
        step.fits_alone(puzzle, shows)
            && step.asks_for(self.problem, tile, orientation)
            && step.neighbours.iter().all(|n| {
                let there = self.placed[n.step];
                let label = puzzle.tiles[there.tile].shows(n.its_side, there.orientation);
                puzzle.labels.fit(label, shows(n.side))
            })
    }
}
