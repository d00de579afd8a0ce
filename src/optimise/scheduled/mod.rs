//! Depth-first search with scheduled breaks.
//!
//! Cells are filled in a fixed order, and with each depth comes a number of seams that may be
//! broken by then: none for most of the board, the first ones late, the last ones close to the end
//! (Verhaard 2008 and Blackwood 2020, for Eternity II). An attempt draws a corner, some images that
//! are to be used up early, and a measure; a beam finds beginnings whose tiles left over match
//! well, and each of them is searched for some nodes. The schedule follows from the fits that the
//! attempt measures. Each full board tightens it, and the search goes on in the same tree.
//!
//! It obeys what concerns single cells. Constraints over several cells it leaves to other methods.

mod beam;
mod chain;
mod plan;
mod search;

use std::ops::ControlFlow;

use self::beam::{Beam, Beginnings, Measure};
use self::plan::{Candidate, Plan};
use self::search::Search;
use super::Effort;
use super::method::{Method, Reached};
use super::tables::FitTables;
use crate::runtime::limits::{CancelToken, Flow};
use crate::runtime::random::Random;
use crate::runtime::scheduler::{Progress, Sink};

/// Nodes that take as long as a step of annealing.
const NODES_PER_STEP: u64 = 8;

/// Nodes for each cell after which another attempt begins: 30 million on 16 × 16.
const RESTART: u64 = 117_000;

/// Nodes for each cell that a beginning gets.
const BEGINNING: u64 = 8_000;

/// Beginnings of a beam for each cell, and the share of an attempt's nodes that a beam may cost:
/// it then looks at about so many candidates for each beginning and cell.
const WIDTH: usize = 16;
const SHARE: f64 = 1.0 / 8.0;
const CANDIDATES: f64 = 3.0;

/// Where all beginnings were searched in vain, shorter ones follow: this share of a line shorter.
const BACK: usize = 4;

/// Nodes between two questions whether to go on: about two milliseconds.
const STRIDE: u64 = 1 << 16;

/// The most entries of tables by two labels.
const MOST_ENTRIES: usize = 1 << 22;

/// The search with scheduled breaks.
pub(super) struct Scheduled;

impl Method for Scheduled {
    fn name(&self) -> &'static str {
        "scheduled breaks"
    }

    fn serves(&self, tables: &FitTables<'_>) -> Result<(), &'static str> {
        tables.concerns_single_cells()?;
        tables.knows_every_edge()?;
        if !tables.problem.board.own_seams().is_empty() {
            return Err("a cell touches itself");
        }
        let labels = tables.problem.puzzle.labels.len();
        let values = tables.kind_of.len();
        // Cells of one class may be selected by several pairs of sides.
        let sorts = 4 * tables.classes.len();
        let entries = labels * (labels + values.div_ceil(64));
        if values > usize::from(u16::MAX) || sorts * entries > MOST_ENTRIES {
            return Err("too many tiles or images for its tables");
        }
        Ok(())
    }

    fn restart(&self, tables: &FitTables<'_>) -> Option<u64> {
        Some(RESTART * tables.problem.board.size() as u64 / NODES_PER_STEP)
    }

    fn run(
        &self,
        tables: &FitTables<'_>,
        effort: &Effort<'_>,
        reached: &Reached,
        sink: &mut dyn Sink<Vec<usize>>,
    ) {
        let mut random = Random::with_seed(effort.seed);
        let nodes = NODES_PER_STEP * effort.steps;
        let mut attempt = Attempt { nodes, done: 0, token: effort.token, sink };
        while attempt.done < nodes {
            if attempt.run(tables, reached, &mut random).is_break() {
                return;
            }
        }
    }
}

/// The nodes of a run, over all its attempts.
struct Attempt<'s> {
    nodes: u64,
    done: u64,
    token: &'s CancelToken<'s>,
    sink: &'s mut dyn Sink<Vec<usize>>,
}

impl Attempt<'_> {
    /// Finds beginnings, and searches what follows them.
    fn run(&mut self, tables: &FitTables<'_>, reached: &Reached, random: &mut Random) -> Flow {
        let plan = Plan::new(tables, random, self.token)?;
        let cells = plan.depths.len();
        let measure = if random.bool() { Measure::Early } else { Measure::Matching };
        let depths = plan.comb.saturating_sub(random.usize(..plan.line.max(1)));
        let affordable = self.nodes as f64 * SHARE / (CANDIDATES * cells as f64);
        let width = (affordable as usize).clamp(1, WIDTH * cells);
        let beam = Beam::new(tables, &plan, measure);
        let Beginnings { mut all, work } = beam.beginnings((width, depths), random, self.token)?;
        self.go_on(work)?;
        let until = self.nodes.min(self.done + RESTART * cells as u64);
        let mut search = Search::new(tables, &plan, reached, self.token);
        let mut length = all.first().map_or(0, Vec::len);
        loop {
            for beginning in &all {
                self.search(&mut search, beginning, until)?;
                if self.done >= until {
                    return ControlFlow::Continue(());
                }
            }
            // All of them led nowhere soon; shorter ones leave more to search.
            if length == 0 {
                return ControlFlow::Continue(());
            }
            length -= plan.line.div_ceil(BACK).min(length);
            all.iter_mut().for_each(|beginning| beginning.truncate(length));
            all.sort_unstable();
            all.dedup();
            random.shuffle(&mut all);
            if length == 0 {
                all = vec![Vec::new()];
            }
        }
    }

    /// Searches behind a beginning.
    fn search(&mut self, search: &mut Search<'_>, beginning: &[Candidate], until: u64) -> Flow {
        search.begin(beginning);
        let cells = search.cells() as u64;
        let until = until.min(self.done + BEGINNING * cells);
        while self.done < until && !search.is_at_end() {
            let before = search.nodes;
            search.run(STRIDE.min(until - self.done), self.done / NODES_PER_STEP, self.sink)?;
            // Beginnings without a next cell count, too.
            self.go_on((search.nodes - before).max(1))?;
        }
        ControlFlow::Continue(())
    }

    /// Counts nodes, and asks whether to go on.
    fn go_on(&mut self, nodes: u64) -> Flow {
        self.done += nodes;
        let share = self.done as f64 / self.nodes as f64;
        self.sink.progress(Progress::new(self.done / NODES_PER_STEP, share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load;
    use crate::optimise::method::testing::Tested;

    const FRAMED: &str = include_str!("../../../puzzles/framed-6x6-tud.yaml");

    /// The broken seams of each board that is found, after some steps.
    fn found(text: &str, steps: u64, seed: u64) -> Vec<usize> {
        let whole = load::from_str(text).unwrap();
        let problem = whole.breaking(whole.board.required().count());
        let token = &CancelToken::never();
        let tables = FitTables::new(&problem, token).continue_value().unwrap();
        assert_eq!(Scheduled.serves(&tables), Ok(()));
        let reached = Reached::default();
        let mut tested = Tested::new(&problem);
        Scheduled.run(&tables, &Effort::new(steps, seed, token), &reached, &mut tested);
        let last = tested.broken.last().copied();
        assert_eq!(reached.broken(), last.unwrap_or(usize::MAX));
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
}
