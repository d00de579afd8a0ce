//! The fast backtracker: every candidate it meets fits the neighbours already.
//!
//! The lists are built once: one for each pair of labels that two placed neighbours can show. In
//! the loop a list is found by one multiplication, a used tile by one bit; nothing is allocated.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::side_label::SideLabel;
use crate::board::MOST_SIDES;
use crate::engine::step::{Neighbour, Step, copies, in_cell_order};
use crate::engine::{Decided, Host, Work};
use crate::problem::{Placed, Problem};
use crate::puzzle::{TileId, ValueId, ValueSet};

/// Nodes between two questions to the host; a power of two, so that the test is one mask.
const NODES_PER_POLL: u64 = 1 << 16;

/// Lists for pairs of labels are built up to this number; beyond it one neighbour is tested.
const MOST_LISTS: usize = 1 << 20;

/// A placement in a list.
#[derive(Debug, Clone, Copy)]
struct Candidate<const SIDES: usize> {
    tile: u16,
    value: u16,
    /// What each side shows.
    edges: [SideLabel; SIDES],
}

impl<const SIDES: usize> Candidate<SIDES> {
    const NONE: Self = Candidate {
        tile: 0,
        value: 0,
        edges: [SideLabel::ANY; SIDES],
    };
}

/// All lists of one sort of cell, one behind the other.
struct Lists<const SIDES: usize> {
    candidates: Vec<Candidate<SIDES>>,
    /// Where the list of each pair of labels starts, and behind the last one where that ends.
    starts: Vec<u32>,
}

/// Where one of a step's neighbours shows what it shows.
#[derive(Debug, Clone, Copy, Default)]
struct Key {
    step: usize,
    side: usize,
    /// All ones, or 0 where there is no neighbour: then [`SideLabel::ANY`] is read.
    mask: u16,
}

/// Where a step finds what its neighbours show, and its candidates.
struct Slot {
    lists: usize,
    keys: [Key; 2],
    /// Neighbours that the lists do not cover.
    tested: Vec<Neighbour>,
}

/// What lists depend on: the sides that have placed neighbours, the cell by itself, and whether the
/// step is the first one, which may be restricted.
type Sort<'a> = (Vec<usize>, Alone<'a>, bool);

/// What of a step its cell says by itself: sides, border, sides that touch each other, values that
/// are asked for.
type Alone<'a> = (
    usize,
    &'a Option<Vec<bool>>,
    &'a [[usize; 2]],
    &'a Option<ValueSet>,
);

/// Everything that does not change during a search.
struct Plan<const SIDES: usize> {
    slots: Vec<Slot>,
    lists: Vec<Lists<SIDES>>,
    /// By how much a key grows with what the first neighbour shows: there are so many keys for the
    /// second one.
    stride: usize,
    /// By label, what it matches.
    mates: Vec<SideLabel>,
}

/// Fills the cells in the order of the steps.
pub(super) fn search(
    problem: &Problem,
    steps: &[Step],
    host: &mut dyn Host,
    work: &mut Work,
) -> ControlFlow<()> {
    match problem.board.most_sides() {
        ..=4 => search_with::<4>(problem, steps, host, work),
        _ => search_with::<MOST_SIDES>(problem, steps, host, work),
    }
}

/// The same on cells of at most so many sides, a power of two.
fn search_with<const SIDES: usize>(
    problem: &Problem,
    steps: &[Step],
    host: &mut dyn Host,
    work: &mut Work,
) -> ControlFlow<()> {
    let plan = Plan::<SIDES>::new(problem, steps);
    let copies = copies(problem);
    let words = copies.len().max(steps.len()).div_ceil(64);
    if problem.puzzle.has_copies() {
        return Search::<256, SIDES, _>::run(problem, steps, &plan, Left(copies), host, work);
    }
    match words {
        1 => Search::<1, SIDES, _>::run(problem, steps, &plan, Unused([0; 1]), host, work),
        2..=4 => Search::<4, SIDES, _>::run(problem, steps, &plan, Unused([0; 4]), host, work),
        5..=16 => Search::<16, SIDES, _>::run(problem, steps, &plan, Unused([0; 16]), host, work),
        17..=64 => Search::<64, SIDES, _>::run(problem, steps, &plan, Unused([0; 64]), host, work),
        _ => Search::<256, SIDES, _>::run(problem, steps, &plan, Unused([0; 256]), host, work),
    }
}

/// Which tiles are left.
trait Hand {
    fn has(&self, tile: u16) -> bool;

    fn take(&mut self, tile: u16);

    fn give_back(&mut self, tile: u16);
}

/// One of each tile, a bit each that says whether it is used. `WORDS` is a power of two, so that no
/// index needs a test.
struct Unused<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Hand for Unused<WORDS> {
    fn has(&self, tile: u16) -> bool {
        let tile = usize::from(tile);
        self.0[(tile / 64) % WORDS] >> (tile % 64) & 1 == 0
    }

    fn take(&mut self, tile: u16) {
        let tile = usize::from(tile);
        self.0[(tile / 64) % WORDS] ^= 1 << (tile % 64);
    }

    fn give_back(&mut self, tile: u16) {
        self.take(tile);
    }
}

/// By tile, the copies that are left.
struct Left(Vec<usize>);

impl Hand for Left {
    fn has(&self, tile: u16) -> bool {
        self.0[usize::from(tile)] > 0
    }

    fn take(&mut self, tile: u16) {
        self.0[usize::from(tile)] -= 1;
    }

    fn give_back(&mut self, tile: u16) {
        self.0[usize::from(tile)] += 1;
    }
}

impl<const SIDES: usize> Plan<SIDES> {
    fn new(problem: &Problem, steps: &[Step]) -> Self {
        let labels = &problem.puzzle.labels;
        let width = SideLabel::number(labels.len());
        let (keys_in_lists, stride) = if width * width <= MOST_LISTS {
            (2, width)
        } else {
            (1, 1)
        };
        let mut plan = Plan {
            slots: Vec::new(),
            lists: Vec::new(),
            stride,
            mates: std::iter::once(SideLabel::ANY)
                .chain(labels.all().map(|label| labels.mate(label).into()))
                .collect(),
        };
        let mut known: HashMap<Sort<'_>, usize> = HashMap::new();
        for (index, step) in steps.iter().enumerate() {
            let (keyed, tested) = step
                .neighbours
                .split_at(step.neighbours.len().min(keys_in_lists));
            let sides: Vec<usize> = keyed.iter().map(|n| n.side).collect();
            let alone = (step.sides, &step.border, &step.own_seams[..], &step.within);
            let sort = (sides.clone(), alone, index == 0);
            let lists = *known.entry(sort).or_insert_with(|| {
                plan.lists
                    .push(Lists::new(problem, step, &sides, width * stride, stride));
                plan.lists.len() - 1
            });
            let key = |i: usize| {
                keyed.get(i).map_or(Key::default(), |n| Key {
                    step: n.step,
                    side: n.its_side,
                    mask: u16::MAX,
                })
            };
            plan.slots.push(Slot {
                lists,
                keys: [key(0), key(1)],
                tested: tested.to_vec(),
            });
        }
        plan
    }
}

impl<const SIDES: usize> Lists<SIDES> {
    fn new(problem: &Problem, step: &Step, sides: &[usize], keys: usize, stride: usize) -> Self {
        let key = |candidate: &Candidate<SIDES>| {
            let shown = |position: usize| match sides.get(position) {
                None => Some(SideLabel::ANY),
                Some(&side) => matching(problem, ValueId(candidate.value.into()), side),
            };
            Some(shown(0)?.index() * stride + shown(1)?.index())
        };
        let mut keyed: Vec<(usize, Candidate<SIDES>)> = candidates(problem, step)
            .into_iter()
            .filter_map(|candidate| Some((key(&candidate)?, candidate)))
            .collect();
        keyed.sort_by_key(|(key, _)| *key);
        let mut starts = vec![0; keys + 1];
        for (key, _) in &keyed {
            starts[key + 1] += 1;
        }
        for key in 0..keys {
            starts[key + 1] += starts[key];
        }
        Lists {
            candidates: keyed.into_iter().map(|(_, candidate)| candidate).collect(),
            starts,
        }
    }

    fn range(&self, key: usize) -> Range<usize> {
        self.starts[key] as usize..self.starts[key + 1] as usize
    }
}

/// What must lie against this side of a value; `None` where nothing may.
fn matching(problem: &Problem, ValueId(value): ValueId, side: usize) -> Option<SideLabel> {
    let puzzle = &problem.puzzle;
    let shown = problem.kinds.values[value].edges[side];
    let is_inside = puzzle.border != Some(shown);
    is_inside.then(|| puzzle.labels.mate(shown).into())
}

/// What a cell can take by itself: each tile in each value once, under the rules of the border and
/// the step's orientations.
fn candidates<const SIDES: usize>(problem: &Problem, step: &Step) -> Vec<Candidate<SIDES>> {
    let mut candidates = Vec::new();
    for (tile, &kind) in problem.kinds.of_tile.iter().enumerate() {
        if problem.puzzle.tiles[tile].sides() != step.sides {
            continue;
        }
        let values = problem.kinds.kinds[kind].values.clone();
        for value in values {
            let edges = &problem.kinds.values[value].edges;
            let mut lies = problem.kinds.orientations_of(TileId(tile), ValueId(value));
            let fits_alone = step.fits_alone(&problem.puzzle, |side| edges[side]);
            let is_asked_for = step.within.as_ref().is_none_or(|w| w.contains(value));
            if fits_alone && is_asked_for && lies.any(|o| step.orientations.contains(&o)) {
                let mut shown = [SideLabel::ANY; SIDES];
                for (side, &edge) in shown.iter_mut().zip(edges) {
                    *side = edge.into();
                }
                candidates.push(Candidate {
                    tile: tile as u16,
                    value: value as u16,
                    edges: shown,
                });
            }
        }
    }
    candidates
}

/// A search with room for `WORDS` · 64 steps; `WORDS` is a power of two, so that no index needs a
/// test.
struct Search<'a, const WORDS: usize, const SIDES: usize, H> {
    problem: &'a Problem,
    steps: &'a [Step],
    plan: &'a Plan<SIDES>,
    hand: H,
    /// What each step has placed.
    placed: [[Candidate<SIDES>; 64]; WORDS],
    nodes: u64,
    host: &'a mut dyn Host,
    work: &'a mut Work,
}

impl<'a, const WORDS: usize, const SIDES: usize, H: Hand> Search<'a, WORDS, SIDES, H> {
    fn run(
        problem: &'a Problem,
        steps: &'a [Step],
        plan: &'a Plan<SIDES>,
        hand: H,
        host: &'a mut dyn Host,
        work: &'a mut Work,
    ) -> ControlFlow<()> {
        host.poll(work)?;
        let mut search = Search::<WORDS, SIDES, H> {
            problem,
            steps,
            plan,
            hand,
            placed: [[Candidate::NONE; 64]; WORDS],
            nodes: 0,
            host,
            work,
        };
        let end = search.enter(0);
        search.work.nodes = search.nodes;
        end
    }

    fn enter(&mut self, depth: usize) -> ControlFlow<()> {
        let plan = self.plan;
        let slot = &plan.slots[depth];
        let is_last = depth + 1 == plan.slots.len();
        let [first, second] = slot.keys.map(|key| self.shown(key));
        let lists = &plan.lists[slot.lists];
        for candidate in &lists.candidates[lists.range(first * plan.stride + second)] {
            if !self.hand.has(candidate.tile) || !self.passes(slot, candidate) {
                continue;
            }
            self.nodes += 1;
            if self.nodes.is_multiple_of(NODES_PER_POLL) {
                self.poll(depth)?;
            }
            self.placed[(depth / 64) % WORDS][depth % 64] = *candidate;
            if is_last {
                self.found()?;
                continue;
            }
            self.hand.take(candidate.tile);
            self.enter(depth + 1)?;
            self.hand.give_back(candidate.tile);
        }
        ControlFlow::Continue(())
    }

    fn at(&self, step: usize) -> &Candidate<SIDES> {
        &self.placed[(step / 64) % WORDS][step % 64]
    }

    /// What the neighbour of a key shows.
    fn shown(&self, key: Key) -> usize {
        let label = self.at(key.step).edges[key.side % SIDES];
        label.masked(key.mask).index()
    }

    /// Whether the candidate fits the neighbours that the lists do not cover.
    fn passes(&self, slot: &Slot, candidate: &Candidate<SIDES>) -> bool {
        slot.tested.iter().all(|n| {
            let shown = self.at(n.step).edges[n.its_side];
            self.plan.mates[shown.index()] == candidate.edges[n.side]
        })
    }

    #[cold]
    fn poll(&mut self, depth: usize) -> ControlFlow<()> {
        self.work.nodes = self.nodes;
        let placed = &self.placed;
        let (problem, steps) = (self.problem, self.steps);
        self.host.stands_at(&|| {
            let placed = placed.iter().flatten().take(depth);
            let taken = steps.iter().zip(placed).filter_map(|(step, candidate)| {
                Some(Decided::new(step.cell, placement_of(problem, candidate)?))
            });
            taken.collect()
        });
        self.host.poll(self.work)
    }

    #[cold]
    fn found(&mut self) -> ControlFlow<()> {
        let steps = 0..self.steps.len();
        let placed = steps.filter_map(|step| placement_of(self.problem, self.at(step)));
        let arrangement = in_cell_order(self.steps, placed);
        self.work.nodes = self.nodes;
        self.host.found(&arrangement, self.work)
    }
}

/// How a candidate lies.
fn placement_of<const SIDES: usize>(
    problem: &Problem,
    candidate: &Candidate<SIDES>,
) -> Option<Placed> {
    let tile = usize::from(candidate.tile);
    let value = ValueId(candidate.value.into());
    let mut lies = problem.kinds.orientations_of(TileId(tile), value);
    lies.next().map(|orientation| Placed { tile, orientation })
}
