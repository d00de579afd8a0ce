//! The search itself, on one thread or on several.

use std::ops::{ControlFlow, Range};

use super::filling::Filling;
use super::plan::{ANY, Candidate, Plan};
use crate::engine::{Host, Work, share};
use crate::problem::Problem;
use crate::threads::{self, Desk, Done, Event, Trouble};

/// Nodes between two questions to the host: about a millisecond.
const NODES_PER_POLL: u64 = 1 << 15;

/// Nodes after which a thread gives away the end of its job, so that all of them work where the next
/// results are: some milliseconds.
const NODES_PER_JOB: u64 = 1 << 18;

/// Searches with this thread, for at most so many nodes; `None` where that is not all.
pub(super) fn alone(
    problem: &Problem,
    plan: &Plan,
    most: u64,
    host: &mut dyn Host,
    work: &mut Work,
) -> Option<ControlFlow<()>> {
    let before = work.nodes;
    let mut watch = Alone {
        problem,
        host,
        work,
        before,
        part: None,
    };
    let mut search = Search::of(plan, &mut watch);
    search.most = most;
    let end = search.take(Job::whole(plan));
    let (nodes, is_cut_short) = (search.nodes, search.is_cut_short);
    work.nodes = before + nodes;
    (!is_cut_short).then_some(end)
}

/// Searches to the end, with all threads that the host has; `part` is the index of this search among
/// several, and their number.
pub(super) fn together(
    problem: &Problem,
    plan: &Plan,
    part: (usize, usize),
    host: &mut dyn Host,
    work: &mut Work,
) -> Result<ControlFlow<()>, Trouble> {
    let (before, threads) = (work.nodes, host.threads());
    let mut watch = Alone {
        problem,
        host,
        work,
        before,
        part: Some(part),
    };
    let (end, nodes) = if threads > 1 {
        let body = |desk: &mut Desk<'_, Job, Vec<usize>>| {
            // Whoever says stop here knows it.
            let _ = Search::of(plan, desk).serve();
        };
        let tell = |event| match event {
            Event::Found(looks, steps) => watch.found(looks, steps),
            Event::Progress(done) => watch.poll(done),
        };
        {
            let room = threads::room_for(plan.cells.len());
            threads::share(threads, [Job::whole(plan)], room, body, tell)?
        }
    } else {
        let mut search = Search::of(plan, &mut watch);
        (search.take(Job::whole(plan)), search.nodes)
    };
    work.nodes = before + nodes;
    Ok(end)
}

/// Some branches of a node and everything below them.
#[derive(Debug)]
struct Job {
    /// By position, the place in the list of candidates, down to the node.
    way: Vec<u32>,
    /// The first of its branches; the others are all behind that.
    from: u32,
    /// The share of the tree that each of the branches has.
    branch: f64,
    /// The share of all of them.
    share: f64,
}

impl Job {
    fn whole(plan: &Plan) -> Job {
        Job {
            way: Vec::new(),
            from: 0,
            branch: 1.0 / plan.candidates(0, ANY, ANY).len() as f64,
            share: 1.0,
        }
    }
}

/// What a search talks to.
trait Watch {
    /// Takes the looks by cell, found after so many nodes.
    fn found(&mut self, looks: Vec<usize>, nodes: u64) -> ControlFlow<()>;

    /// Asked now and then.
    fn poll(&mut self, done: Done) -> ControlFlow<()>;

    /// Whether somebody would take a part of the job in hand.
    fn is_wanted(&self) -> bool {
        false
    }

    /// Takes the end of the job in hand.
    fn give(&mut self, _jobs: Vec<Job>) {}

    /// Ends the job in hand and gives the next one.
    fn next_job(&mut self) -> Option<Job> {
        None
    }
}

struct Alone<'a> {
    problem: &'a Problem,
    host: &'a mut dyn Host,
    work: &'a mut Work,
    /// Nodes counted before this search.
    before: u64,
    /// The index of the part that is searched, and the number of parts; `None` where the search may
    /// begin again, so that nobody can say what is done.
    part: Option<(usize, usize)>,
}

impl Watch for Alone<'_> {
    fn found(&mut self, looks: Vec<usize>, nodes: u64) -> ControlFlow<()> {
        self.work.nodes = self.before + nodes;
        self.host.found(&self.problem.deal(looks), self.work)
    }

    fn poll(&mut self, done: Done) -> ControlFlow<()> {
        self.work.nodes = self.before + done.steps;
        // Only the whole is all of it, however the parts are rounded.
        let of_part = done.share.min(1.0 - f64::EPSILON);
        self.work.explored = self.part.map(|part| share(part, of_part));
        self.host.poll(self.work)
    }
}

impl Watch for Desk<'_, Job, Vec<usize>> {
    fn found(&mut self, looks: Vec<usize>, nodes: u64) -> ControlFlow<()> {
        Desk::found(self, looks, nodes)
    }

    fn poll(&mut self, done: Done) -> ControlFlow<()> {
        self.progress(done)
    }

    fn is_wanted(&self) -> bool {
        Desk::is_wanted(self)
    }

    fn give(&mut self, jobs: Vec<Job>) {
        Desk::give(self, jobs);
    }

    fn next_job(&mut self) -> Option<Job> {
        Desk::next_job(self)
    }
}

struct Search<'a> {
    plan: &'a Plan,
    filling: Filling<'a>,
    /// By position, the look that lies there, and its place in the list of candidates.
    placed: Vec<u16>,
    index: Vec<u32>,
    /// By position, the nodes when it got its candidate.
    began: Vec<u64>,
    job: Job,
    /// Positions before this one have no branches left: they were given away.
    given: usize,
    /// The share of the tree that was given away.
    given_share: f64,
    nodes: u64,
    /// The nodes after which the search is cut short.
    most: u64,
    is_cut_short: bool,
    nodes_per_poll: u64,
    next_poll: u64,
    nodes_per_job: u64,
    /// The nodes after which the end of the job is given away.
    next_give: u64,
    watch: &'a mut dyn Watch,
}

impl<'a> Search<'a> {
    fn of(plan: &'a Plan, watch: &'a mut dyn Watch) -> Self {
        Search {
            plan,
            filling: Filling::of(plan),
            placed: vec![0; plan.cells.len()],
            index: vec![0; plan.cells.len()],
            began: vec![0; plan.cells.len()],
            job: Job::whole(plan),
            given: 0,
            given_share: 0.0,
            nodes: 0,
            most: u64::MAX,
            is_cut_short: false,
            nodes_per_poll: NODES_PER_POLL,
            next_poll: 0,
            nodes_per_job: NODES_PER_JOB,
            next_give: u64::MAX,
            watch,
        }
    }

    /// Does jobs until there are no more.
    fn serve(&mut self) -> ControlFlow<()> {
        while let Some(job) = self.watch.next_job() {
            self.nodes = 0;
            (self.next_poll, self.next_give) = (self.nodes_per_poll, self.nodes_per_job);
            self.take(job)?;
            self.watch.poll(Done {
                steps: self.nodes,
                share: self.job.share - self.given_share,
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Goes to the node of a job, takes its branches, and comes back.
    fn take(&mut self, job: Job) -> ControlFlow<()> {
        (self.job, self.given, self.given_share) = (job, 0, 0.0);
        let (plan, mut behind) = (self.plan, ANY);
        let depth = self.job.way.len();
        for position in 0..depth {
            if plan.positions[position].is_first_of_row {
                behind = ANY;
                self.filling.sweep(position);
            }
            let candidates = plan.candidates(position, behind, self.filling.upper[position]);
            let index = self.job.way[position];
            let candidate = &candidates[index as usize];
            self.index[position] = index;
            self.filling.lay(position, candidate);
            self.placed[position] = candidate.look;
            behind = candidate.ahead;
        }
        self.fill_from(self.job.from as usize, depth, behind)?;
        for (_, candidates, index) in self.levels(0..depth) {
            self.filling.take_up(&candidates[index]);
        }
        ControlFlow::Continue(())
    }

    /// Fills the position and all behind it; the cell before asks for the label `behind`.
    fn fill(&mut self, position: usize, behind: u16) -> ControlFlow<()> {
        if position == self.plan.positions.len() {
            return self.found();
        }
        self.fill_from(0, position, behind)
    }

    /// The same, from one of its candidates on.
    #[inline(always)]
    fn fill_from(&mut self, from: usize, position: usize, behind: u16) -> ControlFlow<()> {
        let plan = self.plan;
        let behind = match plan.positions[position].is_first_of_row {
            true if !self.filling.sweep(position) => return ControlFlow::Continue(()),
            true => ANY,
            false => behind,
        };
        let candidates = plan.candidates(position, behind, self.filling.upper[position]);
        for (index, candidate) in candidates.iter().enumerate().skip(from) {
            if !self.filling.fits(position, candidate) {
                continue;
            }
            self.nodes += 1;
            self.index[position] = index as u32;
            self.began[position] = self.nodes;
            if self.nodes >= self.next_poll {
                self.pause(position)?;
            }
            self.filling.lay(position, candidate);
            self.placed[position] = candidate.look;
            self.fill(position + 1, candidate.ahead)?;
            self.filling.take_up(candidate);
            if position < self.given {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// The candidates of positions that have one, and which of them it is.
    fn levels(&self, positions: Range<usize>) -> Vec<(usize, &'a [Candidate], usize)> {
        let (plan, mut behind) = (self.plan, ANY);
        let mut levels = Vec::new();
        for position in 0..positions.end {
            if plan.positions[position].is_first_of_row {
                behind = ANY;
            }
            let candidates = plan.candidates(position, behind, self.filling.upper[position]);
            let index = self.index[position] as usize;
            behind = candidates[index].ahead;
            if position >= positions.start {
                levels.push((position, candidates, index));
            }
        }
        levels
    }

    /// How much of the job is done when this position has its candidate: those of a list count alike,
    /// whether they fit or not.
    fn done(&self, position: usize) -> f64 {
        let depth = self.job.way.len();
        let (mut done, mut weight) = (0.0, self.job.branch);
        for (level, candidates, index) in self.levels(depth..position + 1) {
            if level == depth {
                done += weight * (index - self.job.from as usize) as f64;
            } else {
                weight /= candidates.len() as f64;
                done += weight * index as f64;
            }
        }
        done
    }

    #[cold]
    fn pause(&mut self, position: usize) -> ControlFlow<()> {
        if self.nodes > self.most {
            self.is_cut_short = true;
            return ControlFlow::Break(());
        }
        self.next_poll = (self.nodes + self.nodes_per_poll).min(self.most.saturating_add(1));
        self.watch.poll(Done {
            steps: self.nodes,
            share: self.done(position),
        })?;
        if self.nodes >= self.next_give || self.watch.is_wanted() {
            self.next_give = self.nodes + self.nodes_per_job;
            self.give(position);
        }
        ControlFlow::Continue(())
    }

    /// Gives away the end of the job; this position has its candidate, which is not laid yet. As
    /// results go out in order, what comes next is wanted most, but in pieces that take some time.
    fn give(&mut self, position: usize) {
        let depth = self.job.way.len();
        let levels = self.levels(depth..position + 1);
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
            let is_short = self.nodes - self.began[level] < self.nodes_per_job / 4;
            if is_short && !jobs.is_empty() {
                break;
            }
            let fits = |candidate: &Candidate| {
                left[usize::from(candidate.kind)] > 0 && self.filling.leads_on(level, candidate)
            };
            let rest = &candidates[index + 1..];
            if level >= self.given && rest.iter().any(fits) {
                let share = weight * rest.len() as f64;
                self.given = level + 1;
                self.given_share += share;
                jobs.push(Job {
                    way: self.index[..level].to_vec(),
                    from: index as u32 + 1,
                    branch: weight,
                    share,
                });
            }
            left[usize::from(candidates[index].kind)] -= 1;
        }
        jobs.reverse();
        self.watch.give(jobs);
    }

    #[cold]
    fn found(&mut self) -> ControlFlow<()> {
        let plan = self.plan;
        let copies = plan.most.iter().zip(&self.filling.left);
        let used = copies.map(|(most, left)| most - left);
        if used.zip(&plan.least).any(|(used, &least)| used < least) {
            return ControlFlow::Continue(());
        }
        let mut looks = vec![0; plan.cells.len()];
        for (&cell, &look) in plan.cells.iter().zip(&self.placed) {
            looks[cell] = usize::from(look);
        }
        self.watch.found(looks, self.nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Forests;
    use super::*;
    use crate::load;

    /// Takes all that is given, and does it in order on this thread.
    #[derive(Default)]
    struct Greedy {
        jobs: Vec<Job>,
        /// Steps and share of the jobs done, and of the one in hand.
        done: Done,
        of_job: Done,
        found: Vec<(Vec<usize>, u64)>,
        given: usize,
        takes_nothing: bool,
    }

    impl Watch for Greedy {
        fn found(&mut self, looks: Vec<usize>, nodes: u64) -> ControlFlow<()> {
            self.found.push((looks, self.done.steps + nodes));
            ControlFlow::Continue(())
        }

        fn poll(&mut self, done: Done) -> ControlFlow<()> {
            self.of_job = done;
            ControlFlow::Continue(())
        }

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
        for puzzle in [
            include_str!("../../../../puzzles/framed-4x4-tud.yaml"),
            include_str!("../../../../puzzles/random-half-3x3-3-s1.yaml"),
            include_str!("../../../../puzzles/random-vex-3x3-10-s1.yaml"),
        ] {
            let problem = load::from_str(puzzle).unwrap();
            for (part, way) in Forests::of(&problem).iter(&problem).flatten() {
                let plan = &Plan::of(&problem, part, &way);
                let mut alone = Greedy {
                    takes_nothing: true,
                    ..Greedy::default()
                };
                let mut search = Search::of(plan, &mut alone);
                assert!(search.take(Job::whole(plan)).is_continue());
                let nodes = search.nodes;
                for pace in [1, 2, 7, 100] {
                    let mut greedy = Greedy {
                        jobs: vec![Job::whole(plan)],
                        ..Greedy::default()
                    };
                    let mut search = Search::of(plan, &mut greedy);
                    (search.nodes_per_poll, search.nodes_per_job) = (pace, 8 * pace);
                    assert!(search.serve().is_continue());
                    assert_eq!(greedy.done.steps, nodes);
                    assert_eq!(greedy.found, alone.found);
                    assert!((greedy.done.share - 1.0).abs() < 1e-9);
                    assert!(greedy.given > 0 || nodes < pace);
                }
            }
        }
    }
}
