//! The row-by-row search as a worker of the scheduler: takes jobs, reports progress, and gives away
//! the rest of its job.

use std::ops::{ControlFlow, Range};

use super::plan::{RowCandidate, RowPlan};
use super::search::{Job, PositionState, RowSearch};
use super::steps::LabelBits;
use crate::engine::backtrack::side_label::SideLabel;
use crate::engine::host::HostSink;
use crate::engine::{Host, Work};
use crate::problem::Problem;
use crate::runtime::limits::Flow;
use crate::runtime::scheduler::{
    Branch, QueueWorker, SchedulerError, SearchProgress, SingleWorker, room_for, run_jobs,
};

/// Searches the whole tree on this thread, with at most `most` nodes. Returns false if the limit
/// ended the search, although solutions may have been reported. Breaks if the host stopped it.
pub(super) fn search_within<B: LabelBits>(
    problem: &Problem,
    plan: &RowPlan<B>,
    most: u64,
    host: &mut dyn Host,
    work: &mut Work,
) -> Flow<bool> {
    let before = work.nodes;
    let mut sink = HostSink::new(problem, host, work, None);
    let mut worker = SingleWorker(&mut sink);
    let mut search = RowSearch::new(plan, &mut worker);
    search.most = most;
    let end = search.run_job(Job::whole(plan));
    let nodes = search.nodes;
    work.nodes = before + nodes;
    if nodes > most { ControlFlow::Continue(false) } else { end.map_continue(|()| true) }
}

/// Searches the whole tree with all threads of the host. `part` is the index of this search among
/// several and their number, for the reported progress. Breaks if the host stops the search.
///
/// # Errors
/// If a thread panics or cannot be started.
pub(super) fn search_in_parallel<B: LabelBits>(
    problem: &Problem,
    plan: &RowPlan<B>,
    part: (usize, usize),
    host: &mut dyn Host,
    work: &mut Work,
) -> Flow<Result<(), SchedulerError>> {
    let before = work.nodes;
    let threads = host.threads();
    let mut sink = HostSink::new(problem, host, work, Some(part));
    let (end, nodes) = if threads > 1 {
        let body = |worker: &mut QueueWorker<'_, Job, Vec<usize>>| {
            // The sink remembers the reason for stopping.
            let _ = RowSearch::new(plan, worker).run_jobs_of_worker();
        };
        let room = room_for(plan.cells.len());
        let before = SearchProgress::default();
        match run_jobs(threads, [Job::whole(plan)], before, room, &body, &mut sink) {
            Ok(end) => end,
            Err(error) => return ControlFlow::Continue(Err(error)),
        }
    } else {
        let mut worker = SingleWorker(&mut sink);
        let mut search = RowSearch::new(plan, &mut worker);
        (search.run_job(Job::whole(plan)), search.nodes)
    };
    work.nodes = before + nodes;
    end.map_continue(Ok)
}

impl<'a, B: LabelBits> RowSearch<'a, B> {
    /// Takes jobs from the worker and searches them until there are none. Breaks if the worker
    /// does.
    fn run_jobs_of_worker(&mut self) -> Flow {
        while let Some(job) = self.worker.next_job() {
            self.nodes = 0;
            (self.next_pause, self.next_give) = (self.nodes_per_poll, self.nodes_per_job);
            self.run_job(job)?;
            let share = self.job.share - self.given_share;
            self.worker.progress(SearchProgress::new(self.nodes, share))?;
        }
        ControlFlow::Continue(())
    }

    /// Places the path of a job, searches its branches, and removes the path again. If the worker
    /// or the node limit stops the search, breaks without removing it.
    fn run_job(&mut self, job: Job) -> Flow {
        (self.job, self.given_share) = (job, 0.0);
        self.given = 0;
        let plan = self.plan;
        let mut behind = SideLabel::ANY;
        let depth = self.job.path.len();
        for position in 0..depth {
            if self.filling.is_first_of_row(position) {
                self.filling.sweep(position);
            }
            let level = &mut self.levels[position];
            *level = PositionState::new(self.filling.list(position, behind));
            level.chosen = level.start + self.job.path[position];
            let candidate = plan.candidate(level.chosen);
            self.filling.place(position, candidate);
            self.filling.row_below_is_feasible(position, candidate);
            behind = candidate.ahead;
        }
        self.fill(depth, self.job.from, behind)?;
        for (_, candidates, index) in self.placed_levels(0..depth) {
            self.filling.take_up(&candidates[index]);
        }
        ControlFlow::Continue(())
    }

    /// The position, the list of candidates and the index of the placed candidate, for each of the
    /// filled positions.
    fn placed_levels(&self, positions: Range<usize>) -> Vec<(usize, &'a [RowCandidate], usize)> {
        let level = |position: usize| {
            let level = &self.levels[position];
            let index = (level.chosen - level.start) as usize;
            (position, self.plan.candidates(level.start..level.end), index)
        };
        positions.map(level).collect()
    }

    /// The share of the whole tree that this job has finished, if the last level has just chosen
    /// its candidate. All candidates of a list are weighted equally, whether they fit or not.
    fn finished_share(&self, levels: &[(usize, &[RowCandidate], usize)]) -> f64 {
        let depth = self.job.path.len();
        let mut done = 0.0;
        let mut weight = self.job.branch;
        for (level, candidates, index) in &levels[depth..] {
            if *level == depth {
                done += weight * (index - self.job.from as usize) as f64;
            } else {
                weight /= candidates.len() as f64;
                done += weight * *index as f64;
            }
        }
        done
    }

    /// Reports progress, and gives away the rest of the job if it is due or another thread is idle.
    /// `position` is the one whose candidate is chosen but not placed. Breaks if the node limit is
    /// exceeded or the worker stops the search.
    #[cold]
    pub fn pause(&mut self, position: usize) -> Flow {
        if self.nodes > self.most {
            return ControlFlow::Break(());
        }
        self.next_pause = (self.nodes + self.nodes_per_poll).min(self.most.saturating_add(1));
        let plan = self.plan;
        let levels = self.placed_levels(0..position + 1);
        let branch = |&(position, candidates, index): &(usize, &[RowCandidate], usize)| Branch {
            cell: plan.cells[position],
            value: candidates[index].value.into(),
            of: candidates.len(),
        };
        let branches = || levels.iter().map(branch).collect();
        self.worker.report_branches(&branches);
        let share = self.finished_share(&levels).min(SearchProgress::MOST_SHARE);
        let progress = SearchProgress::new(self.nodes, share);
        self.worker.progress(SearchProgress { filled: position, ..progress })?;
        if self.nodes >= self.next_give || self.worker.is_wanted() {
            self.next_give = self.nodes + self.nodes_per_job;
            self.give(position);
        }
        ControlFlow::Continue(())
    }

    /// Gives the untried branches from the root of the job down to `position` to the worker, except
    /// short ones; the candidate at `position` is chosen but not placed. Results are reported in
    /// order, so the nearest branches are the most urgent, but pieces should not be too short.
    fn give(&mut self, position: usize) {
        let depth = self.job.path.len();
        let levels = self.placed_levels(depth..position + 1);
        let mut left = self.filling.left.clone();
        for (_, candidates, index) in &levels[..levels.len() - 1] {
            left[usize::from(candidates[*index].kind)] += 1;
        }
        let mut weight = self.job.branch;
        let mut jobs = Vec::new();
        for (level, candidates, index) in levels {
            if level > depth {
                weight /= candidates.len() as f64;
            }
            let is_short = self.nodes - self.levels[level].began < self.nodes_per_job / 4;
            if is_short && !jobs.is_empty() {
                break;
            }
            let fits = |candidate: &RowCandidate| {
                left[usize::from(candidate.kind)] > 0
                    && self.filling.can_complete_row(level, candidate)
            };
            let rest = &candidates[index + 1..];
            if level >= self.given && rest.iter().any(fits) {
                let share = weight * rest.len() as f64;
                self.given = level + 1;
                self.given_share += share;
                jobs.push(Job {
                    path: self.levels[..level]
                        .iter()
                        .map(|level| level.chosen - level.start)
                        .collect(),
                    from: index as u32 + 1,
                    branch: weight,
                    share,
                });
            }
            left[usize::from(candidates[index].kind)] -= 1;
        }
        self.close(depth..self.given.max(depth));
        jobs.reverse();
        self.worker.give(jobs);
    }
}

#[cfg(test)]
mod tests {
    use super::super::SearchGroups;
    use super::*;
    use crate::board::Board;
    use crate::runtime::limits::CancelToken;
    use crate::runtime::scheduler::{Sink, Worker};
    use crate::samples;

    /// A worker that always asks for parts of the job and runs all jobs in order on this thread.
    #[derive(Default)]
    struct Greedy {
        jobs: Vec<Job>,
        /// The progress of the finished jobs, and of the current one.
        done: SearchProgress,
        of_job: SearchProgress,
        found: Vec<(Vec<usize>, u64)>,
        given: usize,
        takes_nothing: bool,
    }

    impl Sink<Vec<usize>> for Greedy {
        fn found(&mut self, values: Vec<usize>, nodes: u64) -> ControlFlow<()> {
            self.found.push((values, self.done.steps + nodes));
            ControlFlow::Continue(())
        }

        fn progress(&mut self, progress: SearchProgress) -> ControlFlow<()> {
            self.of_job = progress;
            ControlFlow::Continue(())
        }
    }

    impl Worker<Job, Vec<usize>> for Greedy {
        fn is_wanted(&self) -> bool {
            !self.takes_nothing && self.given % 3 != 2
        }

        fn give(&mut self, jobs: Vec<Job>) {
            self.given += 1;
            self.jobs.extend(jobs.into_iter().rev());
        }

        fn next_job(&mut self) -> Option<Job> {
            let done = std::mem::take(&mut self.of_job);
            self.done.steps += done.steps;
            self.done.share += done.share;
            self.jobs.pop()
        }
    }

    #[test]
    fn jobs_that_are_given_away_change_nothing() {
        give_jobs_away::<u32>();
        give_jobs_away::<u64>();
    }

    fn give_jobs_away<B: LabelBits>() {
        for puzzle in [
            samples::tiles(Board::grid(4, 4), samples::FRAMED_4X4).with_border("grey"),
            samples::tiles(Board::grid(3, 3), samples::HALVES_3X3),
            samples::tiles(Board::grid(3, 3), samples::VEX_3X3).without_turning(),
        ] {
            let problem = puzzle.build().unwrap();
            let token = &CancelToken::never();
            let forests = SearchGroups::new(&problem, token).continue_value().unwrap();
            for (branch, order) in forests.iter(&problem).flatten() {
                let plan = RowPlan::<B>::new(&problem, branch, &order, token);
                let plan = &plan.continue_value().unwrap();
                let mut alone = Greedy { takes_nothing: true, ..Greedy::default() };
                let mut search = RowSearch::new(plan, &mut alone);
                assert!(search.run_job(Job::whole(plan)).is_continue());
                let nodes = search.nodes;
                for pace in [1, 2, 7, 100] {
                    let mut greedy = Greedy { jobs: vec![Job::whole(plan)], ..Greedy::default() };
                    let mut search = RowSearch::new(plan, &mut greedy);
                    search.nodes_per_poll = pace;
                    search.nodes_per_job = 8 * pace;
                    assert!(search.run_jobs_of_worker().is_continue());
                    assert_eq!(greedy.done.steps, nodes);
                    assert_eq!(greedy.found, alone.found);
                    assert!((greedy.done.share - 1.0).abs() < 1e-9);
                    assert!(greedy.given > 0 || nodes < pace);
                }
            }
        }
    }
}
