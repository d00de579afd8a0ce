//! Depth-first search with scheduled breaks.
//!
//! Cells are filled in a fixed order, and with each depth comes a number of seams that may be
//! broken by then: none for most of the board, the first ones late, the last ones close to the end
//! (Verhaard 2008 and Blackwood 2020, for Eternity II). Tiles of a few *early* colours, drawn at
//! random, must be used up first, so that those left for the end match each other more often. Each
//! full board tightens the schedule, and the search goes on in the same tree. After some nodes it
//! begins anew with other colours, another corner and another order of tiles.
//!
//! It obeys what concerns single cells. Constraints over several cells it leaves to other methods.

mod plan;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::plan::{Before, Plan, schedule};
use super::Effort;
use super::method::Method;
use super::tables::FitTables;
use crate::scheduler::{Progress, Sink};

/// Nodes that take as long as a step of annealing.
const NODES_PER_STEP: u64 = 8;

/// Nodes for each cell after which the search begins anew: 30 million on 16 × 16.
const RESTART: u64 = 117_000;

/// Nodes between two questions whether to go on: about a millisecond.
const STRIDE: u64 = 1 << 16;

/// The largest number of labels, whose square each list of candidates is indexed by.
const MOST_LABELS: usize = 1 << 9;

/// The search with scheduled breaks.
pub(super) struct Scheduled;

impl Method for Scheduled {
    fn name(&self) -> &'static str {
        "scheduled breaks"
    }

    fn serves(&self, tables: &FitTables<'_>) -> bool {
        tables.problem.puzzle.labels.len() <= MOST_LABELS
            && tables.kind_of.len() <= usize::from(u16::MAX)
            && tables.is_free
    }

    fn restart(&self, tables: &FitTables<'_>) -> Option<u64> {
        Some(RESTART * tables.problem.board.size() as u64 / NODES_PER_STEP)
    }

    fn run(
        &self,
        tables: &FitTables<'_>,
        effort: &Effort,
        broken: &AtomicUsize,
        sink: &mut dyn Sink<Vec<usize>>,
    ) {
        let mut random = fastrand::Rng::with_seed(effort.seed);
        let plan = Plan::new(tables, &mut random);
        let mut search = Search::new(tables, &plan, broken);
        while search.nodes < NODES_PER_STEP * effort.steps {
            let flow = search.run(STRIDE, sink);
            let steps = search.nodes / NODES_PER_STEP;
            let share = steps as f64 / effort.steps as f64;
            if flow.is_break() || sink.progress(Progress { steps, share }).is_break() {
                return;
            }
        }
    }
}

/// A search at some node.
struct Search<'a> {
    tables: &'a FitTables<'a>,
    plan: &'a Plan,
    /// The fewest broken seams that any thread has reached.
    best: &'a AtomicUsize,
    /// By depth, how many seams may be broken with that cell filled.
    allowed: Vec<u32>,
    /// By cell, its value.
    values: Vec<u16>,
    /// By depth, the kind of its tile.
    kinds: Vec<u16>,
    /// By kind, the copies left.
    left: Vec<u16>,
    /// By depth, the next candidate and the end of its list.
    next: Vec<u32>,
    end: Vec<u32>,
    /// By depth, the seams broken and the sides of early colours used before its cell is filled.
    broken: Vec<u32>,
    early: Vec<u32>,
    depth: usize,
    nodes: u64,
}

impl<'a> Search<'a> {
    fn new(tables: &'a FitTables<'a>, plan: &'a Plan, best: &'a AtomicUsize) -> Self {
        let cells = plan.depths.len();
        let copies = tables.problem.kinds.kinds.iter();
        let mut search = Search {
            tables,
            plan,
            best,
            allowed: Vec::new(),
            values: vec![0; cells],
            kinds: vec![0; cells],
            left: copies.map(|kind| kind.count() as u16).collect(),
            next: vec![0; cells],
            end: vec![0; cells],
            broken: vec![0; cells + 1],
            early: vec![0; cells + 1],
            depth: 0,
            nodes: 0,
        };
        search.tighten();
        search.open();
        search
    }

    /// Sets the schedule for one broken seam less than the best arrangement has.
    fn tighten(&mut self) {
        let best = self.best.load(Ordering::Relaxed);
        let most = best.min(self.tables.seams()).saturating_sub(1);
        self.allowed = schedule(self.plan.depths.len(), most);
    }

    /// Finds the candidates of the present depth.
    #[inline(always)]
    fn open(&mut self) {
        let depth = &self.plan.depths[self.depth];
        let first = self.required(depth.first);
        let second = self.required(depth.second);
        let [start, middle, end] = self.plan.list(depth, first, second);
        self.next[self.depth] = start;
        // With all breaks made, only what matches both neighbours.
        self.end[self.depth] = if self.broken[self.depth] < self.allowed[self.depth] {
            end
        } else {
            middle
        };
    }

    /// The label that a filled neighbour requires, from 1; 0 without one.
    #[inline(always)]
    fn required(&self, before: Option<Before>) -> usize {
        before.map_or(0, |before| self.required_by(before) as usize + 1)
    }

    #[inline(always)]
    fn required_by(&self, before: Before) -> u32 {
        let value = usize::from(self.values[before.cell as usize]);
        self.tables.fits[value * self.tables.sides + before.there as usize]
    }

    /// Goes back one depth; says whether there was one.
    #[inline(always)]
    fn go_back(&mut self) -> bool {
        if self.depth == 0 {
            return false;
        }
        self.depth -= 1;
        self.left[usize::from(self.kinds[self.depth])] += 1;
        true
    }

    /// Searches for some nodes. `Break` where the tree ends, or nobody wants more.
    fn run(&mut self, nodes: u64, sink: &mut dyn Sink<Vec<usize>>) -> ControlFlow<()> {
        let until = self.nodes + nodes;
        while self.nodes < until {
            if self.next[self.depth] == self.end[self.depth] {
                if !self.go_back() {
                    return ControlFlow::Break(());
                }
                continue;
            }
            let candidate = self.plan.candidates[self.next[self.depth] as usize];
            self.next[self.depth] += 1;
            let kind = usize::from(candidate.kind);
            let early = self.early[self.depth] + u32::from(candidate.early);
            if self.left[kind] == 0 || early < self.plan.quota[self.depth + 1] {
                continue;
            }
            let depth = &self.plan.depths[self.depth];
            let mut broken = self.broken[self.depth] + u32::from(candidate.breaks);
            for &before in &depth.others {
                let side = usize::from(candidate.value) * self.tables.sides + before.here as usize;
                broken += u32::from(self.tables.shows[side] != self.required_by(before));
            }
            if broken > self.allowed[self.depth] {
                continue;
            }
            self.nodes += 1;
            self.values[depth.cell as usize] = candidate.value;
            self.kinds[self.depth] = candidate.kind;
            self.left[kind] -= 1;
            self.depth += 1;
            self.broken[self.depth] = broken;
            self.early[self.depth] = early;
            if self.depth == self.plan.depths.len() {
                self.complete(broken, sink)?;
            } else {
                self.open();
            }
        }
        ControlFlow::Continue(())
    }

    /// Hands over a full board, and goes back to where a tighter schedule holds.
    fn complete(&mut self, broken: u32, sink: &mut dyn Sink<Vec<usize>>) -> ControlFlow<()> {
        let before = self.best.fetch_min(broken as usize, Ordering::Relaxed);
        if (broken as usize) < before {
            let values = self.values.iter().map(|&value| usize::from(value));
            sink.found(values.collect(), self.nodes / NODES_PER_STEP)?;
        }
        if broken == 0 {
            return ControlFlow::Break(());
        }
        self.tighten();
        while self.go_back() {
            if self.depth == 0 || self.broken[self.depth] <= self.allowed[self.depth - 1] {
                break;
            }
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::problem::Problem;
    use crate::solution::{broken_seams, check};

    const FRAMED: &str = include_str!("../../../puzzles/framed-6x6-tud.yaml");

    /// Takes boards, and tests each of them.
    struct Tested<'a> {
        problem: &'a Problem,
        broken: Vec<usize>,
    }

    impl Sink<Vec<usize>> for Tested<'_> {
        fn found(&mut self, values: Vec<usize>, _steps: u64) -> ControlFlow<()> {
            let arrangement = self.problem.deal(values);
            let broken = broken_seams(self.problem, &arrangement).len();
            check(&self.problem.breaking(broken), &arrangement).unwrap();
            self.broken.push(broken);
            ControlFlow::Continue(())
        }

        fn progress(&mut self, _progress: Progress) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    /// The broken seams of each board that is found, after some steps.
    fn found(text: &str, steps: u64, seed: u64) -> Vec<usize> {
        let whole = load::from_str(text).unwrap();
        let problem = whole.breaking(whole.board.required().count());
        let tables = FitTables::new(&problem);
        assert!(Scheduled.serves(&tables));
        let best = AtomicUsize::new(usize::MAX);
        let mut tested = Tested {
            problem: &problem,
            broken: Vec::new(),
        };
        Scheduled.run(&tables, &Effort::of_steps(steps, seed), &best, &mut tested);
        let last = tested.broken.last().copied();
        assert_eq!(best.into_inner(), last.unwrap_or(usize::MAX));
        tested.broken
    }

    #[test]
    fn each_board_is_better_than_the_one_before_and_counted_rightly() {
        let torus = "board: {grid: [3, 4], wrap: both}\ntiles: {1: [a+, b-, c+, b+], 2: [a-, c-, b+, c+], \
                     3: [b-, a+, a-, c-], 4: [c+, c-, a+, b-], 5: [a+, a+, b-, c-], 6: [b+, c+, c-, a-], \
                     7: [a-, b+, a+, b-], 8: [c-, a-, b-, a+], 9: [b+, b-, a-, c+], 10: [c+, a-, c-, b+], \
                     11: [a+, c+, b+, a-], 12: [b-, b+, c+, a+], 13: [a+, a-, b+, b-]}";
        let hexagons = include_str!("../../../puzzles/boards/hexagons-3x3-4.yaml");
        let twins = "tiles: {1: [a, b, a, b], 2: [a, b, a, b], 3: [b, b, a, a], 4: [b, b, a, a], 5: [a, a, a, b], \
                     6: [a, a, b, b], 7: [b, a, b, a], 8: [a, b, b, b], 9: [b, b, b, a]}";
        for text in [FRAMED, torus, hexagons, twins] {
            let broken = found(text, 200_000, 1);
            assert!(broken.is_sorted_by(|a, b| a > b), "{broken:?}");
        }
        // On a few tiles it may complete no board; on a frame it does.
        assert!(!found(FRAMED, 200_000, 1).is_empty());
    }

    #[test]
    fn the_same_seed_finds_the_same_boards() {
        assert_eq!(found(FRAMED, 50_000, 7), found(FRAMED, 50_000, 7));
    }

    #[test]
    fn schedules_allow_all_breaks_by_the_end_and_none_early() {
        for (cells, breaks) in [(256, 20), (100, 9), (16, 3), (9, 24), (1, 0), (256, 480)] {
            let allowed = schedule(cells, breaks);
            assert!(allowed.is_sorted());
            assert_eq!(allowed[cells - 1] as usize, breaks, "{cells} {breaks}");
        }
        assert_eq!(schedule(256, 10)[200], 0);
    }
}
