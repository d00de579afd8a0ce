//! The search itself: from the top of a part, or from somewhere below it.

use std::ops::ControlFlow;

use super::Split;
use super::leaves::{Leaf, Progress};
use super::watch::{Boss, Job, Watch};
use crate::domains::holder::Dead;
use crate::domains::labels::LabelSet;
use crate::domains::loose::{Ground, Loose};
use crate::domains::network::Network;
use crate::domains::rooms::Task;
use crate::domains::scores::Scores;
use crate::domains::state::State;
use crate::domains::symmetry::Part;
use crate::domains::tree::Tree;
use crate::domains::words::{Words, bits, count, take_first};
use crate::domains::{Domains, Uses};
use crate::problem::Problem;
use crate::tables::Tables;
use crate::threads::Trouble;

/// Random ways down.
pub(super) struct Probes<'a> {
    pub split: Split,
    pub problem: &'a Problem,
    pub tables: &'a Tables,
    pub part: &'a Part,
    pub random: &'a mut fastrand::Rng,
    pub probes: u32,
}

impl Task for Probes<'_> {
    type Result = Vec<f64>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let network = Network::<W, M, S>::of(self.problem, self.tables);
        let state = State::new(&network, &self.part.domains, self.split.reach);
        let nobody = &mut Nobody;
        let mut search = Search::of(self.split, self.problem, self.part, state, nobody);
        if search.follow() != ControlFlow::Continue(true) {
            return vec![0.0; self.probes as usize];
        }
        let probes = 0..self.probes;
        probes
            .map(|_| search.probe(self.part, self.random))
            .collect()
    }
}

struct Nobody;

impl Watch for Nobody {
    fn leaf(&mut self, _leaf: &mut dyn Leaf, _decisions: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn poll(&mut self, _progress: Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// A walk through all leaves of a part.
pub(super) struct Walk<'a> {
    pub split: Split,
    pub problem: &'a Problem,
    pub tables: &'a Tables,
    pub part: &'a Part,
    pub boss: &'a mut dyn Boss,
}

impl Task for Walk<'_> {
    type Result = Result<(ControlFlow<()>, u64), Trouble>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let network = Network::<W, M, S>::of(self.problem, self.tables);
        let (domains, reach) = (&self.part.domains, self.split.reach);
        self.walk(|| State::new(&network, domains, reach))
    }
}

/// A walk where at most so many seams may break.
pub(super) struct LooseWalk<'a> {
    pub walk: Walk<'a>,
    pub most_broken: usize,
}

impl Task for LooseWalk<'_> {
    type Result = Result<(ControlFlow<()>, u64), Trouble>;

    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result {
        let walk = self.walk;
        let network = Network::<W, M, S>::of(walk.problem, walk.tables);
        let ground = Ground::of(walk.problem, self.most_broken);
        let domains = &walk.part.domains;
        walk.walk(|| Loose::new(&network, &ground, domains))
    }
}

impl Walk<'_> {
    /// Walks through domains that each thread makes for itself.
    fn walk<const W: usize, T: Tree<W>>(
        self,
        domains: impl Fn() -> T + Sync,
    ) -> Result<(ControlFlow<()>, u64), Trouble> {
        let Walk {
            split,
            problem,
            part,
            ..
        } = self;
        let alone = match self.boss.is_many() {
            true => split.learning,
            false => u64::MAX,
        };
        let mut search = Search::of(split, problem, part, domains(), &mut *self.boss);
        search.pause = alone;
        let end = search.root(part);
        let (decisions, rest) = (search.decisions, search.leave_rest());
        if end.is_break() || rest.is_empty() {
            return Ok((end, decisions));
        }
        let scores = search.scores.clone();
        let shift = |watch: &mut dyn Watch| {
            let mut search = Search::of(split, problem, part, domains(), watch);
            search.scores = scores.clone();
            search.learning = 0;
            // Whoever says stop here knows it.
            let _ = search.serve();
        };
        let left: f64 = rest.iter().map(Job::share).sum();
        let before = Progress {
            decisions,
            explored: 1.0 - left,
        };
        let (end, shared) = self.boss.share(rest, before, &shift)?;
        Ok((end, decisions + shared))
    }
}

/// Decisions between two questions to the walker. On large boards one decision may take long.
fn decisions_per_poll(problem: &Problem) -> u64 {
    const MANY_PLACEMENTS: usize = 100_000;
    match problem.board.size() * problem.kinds.looks.len() {
        ..=MANY_PLACEMENTS => 1 << 10,
        _ => 1,
    }
}

/// A cell's consequences take as long as it has looks: some ten milliseconds for all of these.
fn cells_per_poll(problem: &Problem) -> usize {
    const LOOKS: usize = 1 << 22;
    LOOKS / problem.kinds.looks.len().max(1) + 1
}

/// The branches of a node that are still to be taken.
struct Node<const W: usize, K> {
    cell: usize,
    /// The branch that is taken, and the decisions when that began.
    look: usize,
    began: u64,
    looks: Words<W>,
    /// The number of all of them.
    number: u32,
    /// Those that were given away.
    given: u32,
    mark: K,
}

impl<const W: usize, K> Node<W, K> {
    /// The number of branches that were taken here, and are done.
    fn done(&self) -> u32 {
        (self.number - self.given - count(&self.looks)).saturating_sub(1)
    }
}

struct Search<'a, const W: usize, T: Tree<W>> {
    state: T,
    uses: &'a [Uses],
    leaf: usize,
    scores: Scores,
    /// The decisions whose failures are learnt from.
    learning: u64,
    /// The job in hand; branches that were given away have left it.
    job: Job,
    /// Which of its branches is taken, and the decisions when that began.
    branch: usize,
    began: u64,
    /// The open nodes below that branch, from the top.
    path: Vec<Node<W, T::Mark>>,
    decisions: u64,
    /// The share of the tree that was given away.
    given: f64,
    decisions_per_job: u64,
    /// The decisions after which the end of the job is given away.
    next_give: u64,
    /// The decisions after which the rest is left to others.
    pause: u64,
    decisions_per_poll: u64,
    /// Cells whose consequences are followed between two questions to the walker.
    cells_per_poll: usize,
    /// Whether the watch is told what is done.
    is_traced: bool,
    watch: &'a mut dyn Watch,
}

impl<'a, const W: usize, T: Tree<W>> Search<'a, W, T> {
    fn of(
        split: Split,
        problem: &Problem,
        part: &'a Part,
        state: T,
        watch: &'a mut dyn Watch,
    ) -> Self {
        Search {
            state,
            uses: &part.domains.uses,
            leaf: split.leaf,
            scores: Scores::new(problem.board.size()),
            learning: split.learning,
            job: Job::default(),
            branch: 0,
            began: 0,
            path: Vec::new(),
            decisions: 0,
            given: 0.0,
            decisions_per_job: split.per_job,
            next_give: u64::MAX,
            pause: u64::MAX,
            decisions_per_poll: decisions_per_poll(problem),
            cells_per_poll: cells_per_poll(problem),
            is_traced: watch.is_tracing(),
            watch,
        }
    }

    /// One random way down.
    fn probe(&mut self, part: &Part, random: &mut fastrand::Rng) -> f64 {
        let mark = self.state.mark();
        let (mut decisions, mut weight) = (0.0, 1.0);
        let mut choices = self.first_choices(part).unwrap_or_default();
        while !choices.is_empty() {
            weight *= choices.len() as f64;
            decisions += weight;
            let (cell, look) = choices[random.usize(..choices.len())];
            choices = match self.decide(cell, look) {
                ControlFlow::Continue(true) => self.choices().unwrap_or_default(),
                _ => Vec::new(),
            };
        }
        self.state.undo(mark);
        decisions
    }

    /// The branches of the top: the places of the tile that breaks the symmetry, if there is one.
    fn first_choices(&self, part: &Part) -> Option<Vec<(usize, usize)>> {
        match &part.first {
            Some(places) if !self.is_open_leaf() => Some(places.clone()),
            _ => self.choices(),
        }
    }

    /// The branches of the present node; `None` at a leaf.
    fn choices(&self) -> Option<Vec<(usize, usize)>> {
        if self.is_leaf() {
            return None;
        }
        let cell = self.state.best(&self.scores);
        let looks = bits(&self.state.domain(cell));
        Some(looks.map(|look| (cell, look)).collect())
    }

    /// A leaf that is filled says nothing of a tile that must be used; its places do.
    fn is_open_leaf(&self) -> bool {
        self.state.unfilled() > 0 && self.is_leaf()
    }

    /// Walks through the whole part, or pauses with a path left.
    fn root(&mut self, part: &Part) -> ControlFlow<()> {
        self.poll()?;
        if !self.follow()? {
            return ControlFlow::Continue(());
        }
        let Some(branches) = self.first_choices(part) else {
            return self.enter();
        };
        let weight = 1.0 / branches.len().max(1) as f64;
        self.take(Job {
            way: Vec::new(),
            branches,
            weight,
        })
    }

    /// Does jobs until there are no more.
    fn serve(&mut self) -> ControlFlow<()> {
        if !self.follow()? {
            return ControlFlow::Continue(());
        }
        while let Some(job) = self.watch.next_job() {
            (self.decisions, self.given) = (0, 0.0);
            self.next_give = self.decisions_per_job;
            let share = job.share();
            self.take(job)?;
            self.watch.poll(Progress {
                decisions: self.decisions,
                explored: share - self.given,
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Goes to the node of a job, takes its branches, and comes back, or pauses with a path left.
    fn take(&mut self, job: Job) -> ControlFlow<()> {
        self.job = job;
        let node = self.state.mark();
        for index in 0..self.job.way.len() {
            let (cell, look) = self.job.way[index];
            if self.state.choose(cell, look).is_err() || !self.follow()? {
                unreachable!("whoever gave the job was there");
            }
        }
        self.branch = 0;
        while let Some(&(cell, look)) = self.job.branches.get(self.branch) {
            self.began = self.decisions;
            let mark = self.state.mark();
            if self.decide_aloud(cell, look)? {
                self.descend()?;
            }
            if !self.path.is_empty() {
                return ControlFlow::Continue(());
            }
            self.state.undo(mark);
            if self.is_traced {
                self.tell();
            }
            self.branch += 1;
        }
        self.state.undo(node);
        ControlFlow::Continue(())
    }

    /// Walks through all that is below the present node, or pauses with a path left.
    fn descend(&mut self) -> ControlFlow<()> {
        self.enter()?;
        while let Some(node) = self.path.last_mut() {
            self.state.undo(node.mark);
            if self.decisions >= self.pause {
                return ControlFlow::Continue(());
            }
            let Some(look) = take_first(&mut node.looks) else {
                self.path.pop();
                // The branch of the job is told where it ends.
                if self.is_traced && !self.path.is_empty() {
                    self.tell();
                }
                continue;
            };
            node.mark = self.state.mark();
            (node.look, node.began) = (look, self.decisions);
            let cell = node.cell;
            if self.decisions >= self.next_give || self.watch.is_wanted() {
                self.give();
            }
            let depth = self.path.len();
            if self.decide_aloud(cell, look)? {
                self.enter()?;
            }
            if self.is_traced && self.path.len() == depth {
                self.tell();
            }
        }
        ControlFlow::Continue(())
    }

    /// Tells that all below the present placements is done.
    #[cold]
    fn tell(&mut self) {
        let placed = self.path.iter().map(|node| (node.cell, node.look));
        let branch = self.job.branches[self.branch];
        let way: Vec<_> = std::iter::once(branch).chain(placed).collect();
        self.watch.done(&way);
    }

    /// Hands a leaf over, or adds the branches of an inner node.
    fn enter(&mut self) -> ControlFlow<()> {
        if self.is_leaf() {
            let leaf = &mut LeafOf {
                state: &mut self.state,
                uses: self.uses,
            };
            return self.watch.leaf(leaf, self.decisions);
        }
        let cell = self.state.best(&self.scores);
        let looks = self.state.domain(cell);
        self.path.push(Node {
            cell,
            look: 0,
            began: 0,
            looks,
            number: count(&looks),
            given: 0,
            mark: self.state.mark(),
        });
        ControlFlow::Continue(())
    }

    /// Gives away the end of the job. As results go out in order, what comes next is wanted most, but
    /// in pieces that take some time.
    #[cold]
    fn give(&mut self) {
        self.next_give = self.decisions + self.decisions_per_job;
        let mut jobs = Vec::new();
        for depth in 0..=self.path.len() {
            let is_short = self.decisions - self.began(depth) < self.decisions_per_job / 4;
            if is_short && !jobs.is_empty() {
                break;
            }
            jobs.extend(self.take_branches(depth));
        }
        self.given += jobs.iter().map(Job::share).sum::<f64>();
        jobs.reverse();
        self.watch.give(jobs);
    }

    /// All that is still to be done, in order.
    fn leave_rest(&mut self) -> Vec<Job> {
        let depths = (0..=self.path.len()).rev();
        depths
            .filter_map(|depth| self.take_branches(depth))
            .collect()
    }

    /// The decisions when the present branch of an open node began; the node of the job is at depth 0.
    fn began(&self, depth: usize) -> u64 {
        match depth {
            0 => self.began,
            _ => self.path[depth - 1].began,
        }
    }

    /// The branches that an open node still has, if any: it has none afterwards.
    fn take_branches(&mut self, depth: usize) -> Option<Job> {
        if depth == 0 {
            let behind = self.job.branches.len().min(self.branch + 1);
            let branches = self.job.branches.split_off(behind);
            return (!branches.is_empty()).then(|| Job {
                way: self.job.way.clone(),
                branches,
                weight: self.job.weight,
            });
        }
        let (above, rest) = self.path.split_at_mut(depth - 1);
        let node = &mut rest[0];
        let number = count(&node.looks);
        if number == 0 {
            return None;
        }
        node.given += number;
        let looks = std::mem::replace(&mut node.looks, [0; W]);
        let branch = self.job.branches[self.branch];
        let placed = above.iter().map(|node| (node.cell, node.look));
        let way = self.job.way.iter().copied().chain([branch]).chain(placed);
        let above = above.iter().map(|node| f64::from(node.number));
        Some(Job {
            way: way.collect(),
            branches: bits(&looks).map(|look| (node.cell, look)).collect(),
            weight: self.job.weight / above.product::<f64>() / f64::from(node.number),
        })
    }

    #[cold]
    fn poll(&mut self) -> ControlFlow<()> {
        let mut weight = self.job.weight;
        let mut explored = weight * self.branch as f64;
        for node in &self.path {
            weight /= f64::from(node.number);
            explored += weight * f64::from(node.done());
        }
        self.watch.poll(Progress {
            decisions: self.decisions,
            explored,
        })
    }

    #[inline(always)]
    fn is_leaf(&self) -> bool {
        self.state.unfilled() == 0 || self.leaf > 0 && self.state.placements() <= self.leaf
    }

    /// Lays a look in a cell; says whether something may still fit.
    #[inline(always)]
    fn decide(&mut self, cell: usize, look: usize) -> ControlFlow<(), bool> {
        self.decisions += 1;
        if self.decisions.is_multiple_of(self.decisions_per_poll) {
            self.poll()?;
        }
        match self.state.choose(cell, look) {
            Ok(()) => self.follow(),
            Err(dead) => ControlFlow::Continue(self.fail(dead)),
        }
    }

    /// The same, told where somebody wants to know.
    #[inline(always)]
    fn decide_aloud(&mut self, cell: usize, look: usize) -> ControlFlow<(), bool> {
        let may_fit = self.decide(cell, look)?;
        if self.is_traced {
            self.tell_decided(cell, look, may_fit);
        }
        ControlFlow::Continue(may_fit)
    }

    #[cold]
    fn tell_decided(&mut self, cell: usize, look: usize, may_fit: bool) {
        let leaf = &LeafOf {
            state: &mut self.state,
            uses: self.uses,
        };
        let left = may_fit.then_some(leaf as &dyn Leaf);
        self.watch.decided(cell, look, left);
    }

    /// Follows the consequences; says whether something may still fit. On large boards the walker is
    /// asked meanwhile.
    #[inline(always)]
    fn follow(&mut self) -> ControlFlow<(), bool> {
        loop {
            match self.state.propagate_some(self.cells_per_poll) {
                Ok(true) => return ControlFlow::Continue(true),
                Ok(false) => self.poll()?,
                Err(dead) => return ControlFlow::Continue(self.fail(dead)),
            }
        }
    }

    /// Learns from a failure; nothing fits here.
    fn fail(&mut self, dead: Dead) -> bool {
        if let Dead::Cell(cell) = dead
            && self.decisions <= self.learning
        {
            self.scores.fail(cell);
        }
        false
    }
}

struct LeafOf<'a, const W: usize, T: Tree<W>> {
    state: &'a mut T,
    uses: &'a [Uses],
}

impl<const W: usize, T: Tree<W>> Leaf for LeafOf<'_, W, T> {
    fn looks(&self) -> Option<Vec<usize>> {
        self.state.looks()
    }

    fn domains(&self) -> Domains {
        Domains {
            cells: self.state.domains(),
            uses: self.uses.to_vec(),
        }
    }

    fn forces(&mut self, placements: &[(usize, usize)]) -> bool {
        let mark = self.state.mark();
        let mut placed = placements.iter();
        let fits = placed.all(|&(cell, look)| {
            self.state.choose(cell, look).is_ok() && self.state.propagate_some(usize::MAX).is_ok()
        });
        let is_forced = fits && self.state.unfilled() == 0;
        self.state.undo(mark);
        is_forced
    }
}
