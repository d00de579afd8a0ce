//! The fast backtracker: row by row, with a look ahead to the end of each row.
//!
//! Kinds are laid, not tiles, so twins are searched once; the symmetry is broken up front, at a
//! corner of a framed board. When a row begins, what its upper neighbours show is known: a sweep
//! from its end to its beginning keeps, for each cell, the labels towards the beginning from which
//! the row can still be completed with kinds that have copies left. After that one bit a candidate
//! tells whether it leads to the end of the row.
//!
//! Any corner can be the first cell, and rows can run either way. Those trees differ up to threefold,
//! and random probes tell them apart.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use crate::board::Problem;
use crate::domains::{Domains, Part, Rarest, break_symmetry, break_symmetry_at_first_cell};
use crate::engine::{Host, Work, add_up, share};
use crate::puzzle::{Label, LookSet};

/// Nodes between two questions to the host: about a millisecond.
const NODES_PER_POLL: u64 = 1 << 15;

/// Probes of each tree, and the nodes within which the one that looks smallest must end; else the
/// next stage looks harder. Tiny boards need no probes; 128 are mostly within a factor of 2.5 of the
/// tree's size, 1,024 within 1.5, and trees differ by 3.
const STAGES: [(u32, u64); 3] = [(0, 1 << 12), (128, 1 << 21), (1024, u64::MAX)];

/// The same probes in each run.
const SEED: u64 = 1;

/// The lists by two labels take this many squared.
const MOST_LABELS: usize = 255;

/// What a neighbour shows where there is none.
const ANY: u16 = 0;

/// Whether a problem's labels fit in the lists, and the copies of its kinds in their counts; its looks
/// do where the engine serves it.
pub(super) fn serves(problem: &Problem) -> bool {
    problem.puzzle.labels.len() <= MOST_LABELS
        && problem.puzzle.tiles.len() <= usize::from(u16::MAX)
}

/// Fills the board row by row, from the corner and in the direction that promise the smallest tree.
pub(super) fn search(problem: &Problem, host: &mut dyn Host, work: &mut Work) -> ControlFlow<()> {
    forests(problem, |trees, part| {
        search_smallest(problem, trees, part, host, work)
    })
}

/// What each of so many random ways down estimates of the number of nodes.
pub(super) fn probe(problem: &Problem, probes: u32, seed: u64) -> Vec<f64> {
    let mut sum = Vec::new();
    // Nothing stops it.
    let _ = forests(problem, |trees, _| {
        let ways = trees.iter().map(|(part, way)| {
            let plan = Plan::of(problem, part, way);
            let mut random = fastrand::Rng::with_seed(seed);
            Filling::of(&plan).probes(&mut random, probes)
        });
        let total = |ways: &Vec<f64>| ways.iter().sum::<f64>();
        let smallest = ways.min_by(|a, b| total(a).total_cmp(&total(b)));
        add_up(&mut sum, smallest.unwrap_or_default());
        ControlFlow::Continue(())
    });
    sum
}

/// Visits each part of the search with the trees of it, any of which holds all its solutions; tells
/// the index of the part and the number of parts, too.
fn forests(
    problem: &Problem,
    mut visit: impl FnMut(Vec<(&Part, Way)>, (usize, usize)) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let domains = Domains::first(problem);
    let corners = break_symmetry_at_first_cell(problem, &domains);
    if corners.is_empty() {
        let parts = break_symmetry(problem, domains, Rarest::Placements);
        let trees = |part| ways(problem).into_iter().map(move |way| (part, way));
        let mut numbered = parts.iter().enumerate();
        return numbered
            .try_for_each(|(index, part)| visit(trees(part).collect(), (index, parts.len())));
    }
    let from_first = |part| {
        let ways = ways(problem).into_iter().filter(|way| way.starts_at(0));
        ways.map(move |way| (part, way))
    };
    visit(corners.iter().flat_map(from_first).collect(), (0, 1))
}

/// Searches the tree that promises to be the smallest; where it is not small, looks again.
fn search_smallest(
    problem: &Problem,
    trees: Vec<(&Part, Way)>,
    part: (usize, usize),
    host: &mut dyn Host,
    work: &mut Work,
) -> ControlFlow<()> {
    let mut plans: Vec<Plan> = Vec::new();
    for (probes, most) in STAGES {
        let wanted = if probes == 0 { 1 } else { trees.len() };
        for (part, way) in trees.iter().take(wanted).skip(plans.len()) {
            host.poll(work)?;
            plans.push(Plan::of(problem, part, way));
        }
        let mut smallest: Option<(f64, &Plan)> = None;
        for plan in &plans {
            let size = total_of_probes(plan, probes, host, work)?;
            if smallest.is_none_or(|(other, _)| size < other) {
                smallest = Some((size, plan));
            }
        }
        let Some((_, plan)) = smallest else { break };
        let mut search = Search::of(problem, plan, host, work);
        search.most = search.nodes.saturating_add(most);
        search.part = (most == u64::MAX).then_some(part);
        let end = search.run();
        if !search.is_cut_short {
            return end;
        }
    }
    ControlFlow::Continue(())
}

/// The sum of so many probes; infinite where a tree is too large for its number. Probes of large
/// boards take long, so the host is asked now and then.
fn total_of_probes(
    plan: &Plan,
    probes: u32,
    host: &mut dyn Host,
    work: &Work,
) -> ControlFlow<(), f64> {
    const BATCH: u32 = 32;
    let mut random = fastrand::Rng::with_seed(SEED);
    let mut total = 0.0;
    for _ in 0..probes / BATCH {
        host.poll(work)?;
        let ways = Filling::of(plan).probes(&mut random, BATCH);
        total += ways.iter().sum::<f64>();
    }
    ControlFlow::Continue(total)
}

/// The cells in the order in which they are filled.
struct Way {
    cells: Vec<usize>,
    /// Cells in a row.
    length: usize,
    /// The side towards the next cell of the row, and the one towards the next row.
    ahead: usize,
    down: usize,
}

impl Way {
    fn starts_at(&self, cell: usize) -> bool {
        self.cells[0] == cell
    }

    fn behind(&self) -> usize {
        (self.ahead + 2) % 4
    }

    fn up(&self) -> usize {
        (self.down + 2) % 4
    }
}

/// From each corner, along the rows and along the columns.
fn ways(problem: &Problem) -> Vec<Way> {
    let columns = problem.board.line_length();
    let rows = problem.board.size() / columns;
    let mut ways = Vec::new();
    for (from_bottom, from_right, by_columns) in
        itertools::iproduct!([false, true], [false, true], [false, true])
    {
        let across = if from_right { 2 } else { 0 };
        let along = if from_bottom { 1 } else { 3 };
        let (outer, inner) = if by_columns {
            (columns, rows)
        } else {
            (rows, columns)
        };
        let (ahead, down) = if by_columns {
            (along, across)
        } else {
            (across, along)
        };
        let cell = |(outer, inner): (usize, usize)| {
            let (row, column) = if by_columns {
                (inner, outer)
            } else {
                (outer, inner)
            };
            let row = if from_bottom { rows - 1 - row } else { row };
            let column = if from_right {
                columns - 1 - column
            } else {
                column
            };
            row * columns + column
        };
        ways.push(Way {
            cells: itertools::iproduct!(0..outer, 0..inner).map(cell).collect(),
            length: inner,
            ahead,
            down,
        });
    }
    ways
}

/// A look that fits its cell and the neighbours filled before.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    kind: u16,
    look: u16,
    /// What the next cell of the row must show, and the cell below.
    ahead: u16,
    down: u16,
}

/// A look that fits the neighbour above, as the sweep sees it.
#[derive(Debug, Clone, Copy)]
struct Step {
    kind: u16,
    /// Bits of what it shows behind, and of what the next cell must show.
    behind: u8,
    ahead: u8,
}

/// Where a position finds its candidates and the steps of its sweep.
#[derive(Debug, Clone, Copy)]
struct Position {
    /// Into `candidate_starts`, for labels 0, 0.
    candidates: u32,
    /// Into `step_starts`, for label 0.
    steps: u32,
    is_first_of_row: bool,
}

/// Everything that does not change during a search.
struct Plan {
    positions: Vec<Position>,
    cells: Vec<usize>,
    length: usize,
    /// Labels, and one for [`ANY`].
    stride: usize,
    candidates: Vec<Candidate>,
    candidate_starts: Vec<u32>,
    steps: Vec<Step>,
    step_starts: Vec<u32>,
    most: Vec<u16>,
    least: Vec<u16>,
}

/// What lists depend on: the domain, and whether there are neighbours behind and above.
type Sort<'a> = (&'a LookSet, bool, bool);

impl Plan {
    fn of(problem: &Problem, part: &Part, way: &Way) -> Self {
        let mut plan = Plan {
            positions: Vec::with_capacity(way.cells.len()),
            cells: way.cells.clone(),
            length: way.length,
            stride: problem.puzzle.labels.len() + 1,
            candidates: Vec::new(),
            candidate_starts: Vec::new(),
            steps: Vec::new(),
            step_starts: Vec::new(),
            most: part.domains.uses.iter().map(|u| u.most as u16).collect(),
            least: part.domains.uses.iter().map(|u| u.least as u16).collect(),
        };
        let mut known: HashMap<Sort<'_>, Position> = HashMap::new();
        for (index, &cell) in way.cells.iter().enumerate() {
            let is_first_of_row = index % way.length == 0;
            let has_upper = index >= way.length;
            let sort = (&part.domains.cells[cell], !is_first_of_row, has_upper);
            let position = *known
                .entry(sort)
                .or_insert_with(|| plan.enter(problem, way, sort));
            plan.positions.push(position);
        }
        plan
    }

    /// Builds the lists of a sort of position.
    fn enter(
        &mut self,
        problem: &Problem,
        way: &Way,
        (domain, has_behind, has_upper): Sort<'_>,
    ) -> Position {
        let shown = |look: usize, side: usize| word(problem.kinds.looks[look].edges[side]);
        let needed = |look: usize, side: usize| {
            let edges = &problem.kinds.looks[look].edges;
            word(problem.puzzle.labels.mate(edges[side]))
        };
        let when = |is_there: bool, label: u16| if is_there { label } else { ANY };
        let looks: Vec<usize> = domain
            .iter()
            .filter(|&l| self.most[problem.kinds.looks[l].kind] > 0)
            .collect();
        let position = Position {
            candidates: self.candidate_starts.len() as u32,
            steps: self.step_starts.len() as u32,
            is_first_of_row: !has_behind,
        };
        let by_key = |look: &usize| {
            let behind = when(has_behind, shown(*look, way.behind()));
            let upper = when(has_upper, shown(*look, way.up()));
            usize::from(behind) * self.stride + usize::from(upper)
        };
        let candidates = sorted_by(
            &looks,
            self.stride * self.stride,
            by_key,
            self.candidates.len(),
        );
        let by_upper = |look: &usize| usize::from(when(has_upper, shown(*look, way.up())));
        let steps = sorted_by(&looks, self.stride, by_upper, self.steps.len());
        self.candidate_starts.extend(candidates.1);
        self.candidates
            .extend(candidates.0.into_iter().map(|look| Candidate {
                kind: problem.kinds.looks[look].kind as u16,
                look: look as u16,
                ahead: needed(look, way.ahead),
                down: needed(look, way.down),
            }));
        self.step_starts.extend(steps.1);
        self.steps.extend(steps.0.into_iter().map(|look| Step {
            kind: problem.kinds.looks[look].kind as u16,
            behind: bit(shown(look, way.behind())),
            ahead: bit(needed(look, way.ahead)),
        }));
        position
    }

    fn candidates(&self, position: usize, behind: u16, upper: u16) -> &[Candidate] {
        let first = self.positions[position].candidates as usize;
        let start = first + usize::from(behind) * self.stride + usize::from(upper);
        &self.candidates[range(&self.candidate_starts, start)]
    }

    fn steps(&self, position: usize, upper: u16) -> &[Step] {
        let start = self.positions[position].steps as usize + usize::from(upper);
        &self.steps[range(&self.step_starts, start)]
    }
}

fn range(starts: &[u32], index: usize) -> Range<usize> {
    starts[index] as usize..starts[index + 1] as usize
}

/// Members sorted by a key below `keys`, and where each key's begin in a list that has `before`
/// others in front; one more start than keys ends the last.
fn sorted_by(
    members: &[usize],
    keys: usize,
    key: impl Fn(&usize) -> usize,
    before: usize,
) -> (Vec<usize>, Vec<u32>) {
    let mut starts = vec![0u32; keys + 1];
    for member in members {
        starts[key(member) + 1] += 1;
    }
    let mut sum = before as u32;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut sorted = members.to_vec();
    sorted.sort_by_key(|member| key(member));
    (sorted, starts)
}

fn word(label: Label) -> u16 {
    label.index() as u16 + 1
}

/// The bit that stands for a label in a sweep. Where there are more labels than bits several share
/// one, so that a sweep keeps too much, never too little.
fn bit(label: u16) -> u8 {
    (label % 64) as u8
}

/// What lies on the board, as far as the search must know it.
struct Filling<'a> {
    plan: &'a Plan,
    /// Copies left, by kind.
    left: Vec<u16>,
    /// By kind, 1 where copies are left and 0 where none are: a sweep must not branch on it.
    free: Vec<u64>,
    /// By position, what its upper neighbour asks of it.
    upper: Vec<u16>,
    /// By position, the bits of what the cell before may ask of it; all where nothing is known.
    open: Vec<u64>,
}

impl<'a> Filling<'a> {
    fn of(plan: &'a Plan) -> Self {
        let size = plan.cells.len();
        Filling {
            plan,
            left: plan.most.clone(),
            free: plan.most.iter().map(|&most| u64::from(most > 0)).collect(),
            upper: vec![ANY; size + plan.length],
            open: vec![u64::MAX; size + 1],
        }
    }

    fn fits(&self, position: usize, candidate: &Candidate) -> bool {
        let is_free = self.free[usize::from(candidate.kind)] != 0;
        is_free && self.open[position + 1] >> bit(candidate.ahead) & 1 == 1
    }

    fn lay(&mut self, position: usize, candidate: &Candidate) {
        let kind = usize::from(candidate.kind);
        self.left[kind] -= 1;
        self.free[kind] = u64::from(self.left[kind] > 0);
        self.upper[position + self.plan.length] = candidate.down;
    }

    fn take_up(&mut self, candidate: &Candidate) {
        let kind = usize::from(candidate.kind);
        self.left[kind] += 1;
        self.free[kind] = 1;
    }

    /// Says from which labels the row that begins here can be completed; whether from any.
    fn sweep(&mut self, first: usize) -> bool {
        let plan = self.plan;
        let mut next = u64::MAX;
        for position in (first + 1..first + plan.length).rev() {
            let mut open = 0;
            for step in plan.steps(position, self.upper[position]) {
                let is_free = self.free[usize::from(step.kind)];
                open |= (is_free & (next >> step.ahead)) << step.behind;
            }
            if open == 0 {
                return false;
            }
            self.open[position] = open;
            next = open;
        }
        true
    }

    /// Random ways down: each an unbiased estimate of the number of nodes (Knuth, *Mathematics of
    /// Computation* 29, 1975).
    fn probes(&mut self, random: &mut fastrand::Rng, probes: u32) -> Vec<f64> {
        let mut laid = Vec::new();
        let mut probe = || {
            let nodes = self.go_down(random, &mut laid);
            for candidate in laid.drain(..) {
                self.take_up(&candidate);
            }
            nodes
        };
        (0..probes).map(|_| probe()).collect()
    }

    fn go_down(&mut self, random: &mut fastrand::Rng, laid: &mut Vec<Candidate>) -> f64 {
        let plan = self.plan;
        let (mut nodes, mut weight, mut behind) = (0.0, 1.0, ANY);
        for position in 0..plan.positions.len() {
            if plan.positions[position].is_first_of_row {
                behind = ANY;
                if !self.sweep(position) {
                    break;
                }
            }
            let candidates = plan.candidates(position, behind, self.upper[position]);
            let number = candidates.iter().filter(|c| self.fits(position, c)).count();
            weight *= number as f64;
            nodes += weight;
            let mut fitting = candidates.iter().filter(|c| self.fits(position, c));
            let chosen = fitting.nth(random.usize(..number.max(1)));
            let Some(&chosen) = chosen else { break };
            self.lay(position, &chosen);
            laid.push(chosen);
            behind = chosen.ahead;
        }
        nodes
    }
}

struct Search<'a> {
    problem: &'a Problem,
    plan: &'a Plan,
    filling: Filling<'a>,
    /// By position, the look that lies there, and its place in the list of candidates.
    placed: Vec<u16>,
    index: Vec<u32>,
    /// The index of the part that is searched, and the number of parts; `None` where the search may
    /// begin again, so that nobody can say what is done.
    part: Option<(usize, usize)>,
    nodes: u64,
    /// The nodes after which the search is cut short.
    most: u64,
    is_cut_short: bool,
    next_pause: u64,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl<'a> Search<'a> {
    fn of(
        problem: &'a Problem,
        plan: &'a Plan,
        host: &'a mut dyn Host,
        work: &'a mut Work,
    ) -> Self {
        Search {
            problem,
            plan,
            filling: Filling::of(plan),
            placed: vec![0; plan.cells.len()],
            index: vec![0; plan.cells.len()],
            part: None,
            nodes: work.nodes,
            most: u64::MAX,
            is_cut_short: false,
            next_pause: 0,
            host,
            work,
        }
    }

    fn run(&mut self) -> ControlFlow<()> {
        self.pause()?;
        let end = self.fill(0, ANY);
        self.work.nodes = self.nodes;
        match self.is_cut_short {
            true => ControlFlow::Continue(()),
            false => end,
        }
    }

    /// Fills the position and all behind it; the cell before asks for the label `behind`.
    fn fill(&mut self, position: usize, behind: u16) -> ControlFlow<()> {
        let plan = self.plan;
        if position == plan.positions.len() {
            return self.found();
        }
        let behind = match plan.positions[position].is_first_of_row {
            true if !self.filling.sweep(position) => return ControlFlow::Continue(()),
            true => ANY,
            false => behind,
        };
        let candidates = plan.candidates(position, behind, self.filling.upper[position]);
        for (index, candidate) in candidates.iter().enumerate() {
            if !self.filling.fits(position, candidate) {
                continue;
            }
            self.nodes += 1;
            self.index[position] = index as u32;
            if self.nodes >= self.next_pause {
                self.work.explored = self.part.map(|part| share(part, self.explored(position)));
                self.pause()?;
            }
            self.filling.lay(position, candidate);
            self.placed[position] = candidate.look;
            self.fill(position + 1, candidate.ahead)?;
            self.filling.take_up(candidate);
        }
        ControlFlow::Continue(())
    }

    /// The share of the tree that is done when this position has its candidate: those of a list count
    /// alike, whether they fit or not.
    #[cold]
    fn explored(&self, position: usize) -> f64 {
        let (mut explored, mut weight, mut behind) = (0.0, 1.0, ANY);
        for position in 0..=position {
            if self.plan.positions[position].is_first_of_row {
                behind = ANY;
            }
            let upper = self.filling.upper[position];
            let candidates = self.plan.candidates(position, behind, upper);
            let index = self.index[position] as usize;
            let number = candidates.len() as f64;
            explored += weight * index as f64 / number;
            weight /= number;
            behind = candidates[index].ahead;
        }
        explored
    }

    #[cold]
    fn pause(&mut self) -> ControlFlow<()> {
        self.work.nodes = self.nodes;
        if self.nodes > self.most {
            self.is_cut_short = true;
            return ControlFlow::Break(());
        }
        self.next_pause = (self.nodes + NODES_PER_POLL).min(self.most.saturating_add(1));
        self.host.poll(self.work)
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
        self.work.nodes = self.nodes;
        self.host.found(&self.problem.deal(looks), self.work)
    }
}
