//! A good arrangement soon: simulated annealing (Kirkpatrick, Gelatt and Vecchi, *Science* 220,
//! 1983).
//!
//! Tiles always lie in cells that can take them, so that the border and what concerns one cell
//! hold. A step swaps two tiles, or one with a tile that is left over, each in the orientation that
//! breaks the fewest seams there. Sums over several cells weigh as much as some seams until they
//! hold.

use std::collections::{HashMap, VecDeque};
use std::ops::Range;

use super::Effort;
use crate::board::{Board, CellId};
use crate::domains::Domains;
use crate::problem::{Arrangement, CellSum, Problem};
use crate::puzzle::{KindId, ValueId, ValueSet};
use crate::scheduler::{Progress, Sink};

/// Temperatures at the beginning and at the end, in broken seams. Of twelve pairs from 0.9 and 0.12
/// to 0.35 and 0.18 these break the fewest on 16×16 and 10×10 in 10 s.
const HOT: f64 = 0.45;
const COLD: f64 = 0.1;

/// How often another cell is drawn for one whose seams all fit: 429 seams of 480 fit instead of
/// 419; 4 and 8 times are no better.
const REDRAWS: usize = 2;

/// What a broken sum weighs, in broken seams.
const SUM: i64 = 3;

/// Steps between two questions whether to go on, at one temperature.
const STRIDE: u64 = 1 << 10;

/// No seam.
const NOTHING: u32 = u32::MAX;

/// Anneals once.
pub(super) fn anneal(problem: &Problem, effort: &Effort, sink: &mut dyn Sink<Arrangement>) {
    let ground = Ground::new(problem);
    let mut random = fastrand::Rng::with_seed(effort.seed);
    if let Some(mut state) = State::random(&ground, &mut random) {
        state.run(problem, effort, &mut random, sink);
    }
}

/// What does not change.
struct Ground<'a> {
    problem: &'a Problem,
    /// The most sides of a cell, and so many entries of a cell or a value in the next three.
    sides: usize,
    /// By cell and side, the side of another cell that it touches and that cell, or [`NOTHING`]
    /// where that does not count.
    beside: Vec<(u32, u32)>,
    /// By cell, its own sides that touch, where that counts.
    own: Vec<Vec<[usize; 2]>>,
    /// By value and side, the label that it shows, and the one that fits against it.
    shows: Vec<u32>,
    fits: Vec<u32>,
    kind_of: Vec<usize>,
    /// Cells with one domain are of one class.
    class_of: Vec<usize>,
    classes: Vec<Vec<usize>>,
    /// By class and kind, the values that such a cell can take.
    values: Vec<Vec<Range<usize>>>,
    all_values: Vec<usize>,
    /// By cell, the sums that it counts in, and what each value counts there.
    sums: Vec<Vec<(usize, Vec<i64>)>>,
}

impl<'a> Ground<'a> {
    fn new(problem: &'a Problem) -> Self {
        let board = &problem.board;
        let kinds = &problem.kinds;
        let sides = board
            .cells()
            .iter()
            .map(|cell| cell.sides)
            .max()
            .unwrap_or_default();
        let labels = &problem.puzzle.labels;
        let mut shows = vec![0; kinds.values.len() * sides];
        let mut fits = shows.clone();
        for (index, value) in kinds.values.iter().enumerate() {
            for (side, &label) in value.edges.iter().enumerate().take(sides) {
                shows[index * sides + side] = label.index() as u32;
                fits[index * sides + side] = labels.mate(label).index() as u32;
            }
        }
        let domains = Domains::first(problem);
        let (class_of, classes) = classes(&domains);
        let mut values = Vec::new();
        let mut all_values = Vec::new();
        for cells in &classes {
            let domain = &domains.cells[cells[0]];
            let by_kind = kinds.kinds.iter().map(|kind| {
                let start = all_values.len();
                all_values.extend(kind.values.clone().filter(|&value| domain.contains(value)));
                start..all_values.len()
            });
            values.push(by_kind.collect());
        }
        Ground {
            problem,
            sides,
            beside: beside(board, sides),
            own: own(board),
            shows,
            fits,
            kind_of: kinds.values.iter().map(|value| value.kind).collect(),
            class_of,
            classes,
            values,
            all_values,
            sums: sums_of(problem, &domains),
        }
    }

    fn values(&self, CellId(cell): CellId, KindId(kind): KindId) -> &[usize] {
        &self.all_values[self.values[self.class_of[cell]][kind].clone()]
    }
}

/// By cell and side what it touches of another cell, where that counts.
fn beside(board: &Board, sides: usize) -> Vec<(u32, u32)> {
    let mut beside = vec![(0, NOTHING); board.size() * sides];
    for [one, other] in board.counted().filter(|[one, other]| one.0 != other.0) {
        for (here, there) in [(one, other), (other, one)] {
            beside[here.0 * sides + here.1] = (there.1 as u32, there.0 as u32);
        }
    }
    beside
}

/// By cell its own sides that touch, where that counts.
fn own(board: &Board) -> Vec<Vec<[usize; 2]>> {
    let mut own = vec![Vec::new(); board.size()];
    for [one, other] in board.counted().filter(|[one, other]| one.0 == other.0) {
        own[one.0].push([one.1, other.1]);
    }
    own
}

/// The class of each cell, and the cells of each class: those that can take the same.
fn classes(domains: &Domains) -> (Vec<usize>, Vec<Vec<usize>>) {
    let mut numbers: HashMap<&ValueSet, usize> = HashMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    let class_of: Vec<usize> = domains
        .cells
        .iter()
        .enumerate()
        .map(|(cell, domain)| {
            let class = *numbers.entry(domain).or_insert(classes.len());
            if class == classes.len() {
                classes.push(Vec::new());
            }
            classes[class].push(cell);
            class
        })
        .collect();
    (class_of, classes)
}

/// The sums that the first domains do not obey anyway, by cell.
fn sums_of(problem: &Problem, domains: &Domains) -> Vec<Vec<(usize, Vec<i64>)>> {
    let mut sums = vec![Vec::new(); problem.board.size()];
    if domains.imply_constraints(problem) {
        return sums;
    }
    for (index, sum) in problem.sums.iter().enumerate() {
        for (cell, levels) in &sum.cells {
            let mut weights = vec![0; problem.kinds.values.len()];
            for level in levels.iter() {
                for value in level.values.iter() {
                    weights[value] = level.coefficient;
                }
            }
            sums[*cell].push((index, weights));
        }
    }
    sums
}

struct State<'g, 'p> {
    ground: &'g Ground<'p>,
    /// By cell.
    values: Vec<usize>,
    /// Kinds of the tiles that are left over.
    spare: Vec<usize>,
    /// By sum, what it is above its bound, or below.
    excess: Vec<i64>,
    broken: i64,
}

/// What lies in some cells after a step.
type Step = [(usize, usize)];

impl<'g, 'p> State<'g, 'p> {
    /// Tiles at random where they can lie; `None` where they cannot.
    fn random(ground: &'g Ground<'p>, random: &mut fastrand::Rng) -> Option<Self> {
        let kinds = deal(ground, random)?;
        let cells = kinds.iter().enumerate();
        let values: Vec<usize> = cells
            .map(|(cell, &kind)| {
                let values = ground.values(CellId(cell), KindId(kind));
                values[random.usize(..values.len())]
            })
            .collect();
        let copies = ground.problem.kinds.kinds.iter().enumerate();
        let spare = copies.flat_map(|(index, kind)| {
            let used = kinds.iter().filter(|&&k| k == index).count();
            vec![index; kind.count().saturating_sub(used)]
        });
        let excess = ground
            .problem
            .sums
            .iter()
            .map(|sum: &CellSum<ValueSet>| -sum.bound);
        let mut state = State {
            ground,
            values,
            spare: spare.collect(),
            excess: excess.collect(),
            broken: 0,
        };
        let mut from_both_sides = 0;
        for cell in 0..state.values.len() {
            state.count(cell, 1);
            let value = state.values[cell];
            from_both_sides += state.broken_around(CellId(cell), ValueId(value));
            state.broken += state.broken_within(CellId(cell), ValueId(value));
        }
        state.broken += from_both_sides / 2;
        Some(state)
    }

    fn run(
        &mut self,
        problem: &Problem,
        effort: &Effort,
        random: &mut fastrand::Rng,
        sink: &mut dyn Sink<Arrangement>,
    ) {
        let mut fewest = i64::MAX;
        let mut steps = 0;
        loop {
            let share = effort.share(steps);
            if sink.progress(Progress { steps, share }).is_break() || share >= 1.0 {
                return;
            }
            let temperature = HOT * (COLD / HOT).powf(share);
            for _ in 0..STRIDE {
                self.step(temperature, random);
                if self.broken < fewest && self.excess.iter().all(|&excess| excess <= 0) {
                    fewest = self.broken;
                    let arrangement = problem.deal(self.values.iter().copied());
                    if sink.found(arrangement, steps).is_break() {
                        return;
                    }
                }
            }
            steps += STRIDE;
        }
    }

    fn step(&mut self, temperature: f64, random: &mut fastrand::Rng) {
        let ground = self.ground;
        let mut first = random.usize(..self.values.len());
        for _ in 0..REDRAWS {
            if self.broken_at(CellId(first), ValueId(self.values[first])) > 0 {
                break;
            }
            first = random.usize(..self.values.len());
        }
        let kind = ground.kind_of[self.values[first]];
        if !self.spare.is_empty() && random.u8(..4) == 0 {
            let index = random.usize(..self.spare.len());
            let step = self.lightest(CellId(first), KindId(self.spare[index]), random);
            if let Some(value) = step
                && self.try_step(&[(first, value)], temperature, random)
            {
                self.spare[index] = kind;
            }
            return;
        }
        // Tiles of one class can lie in each other's cells; others may.
        let class = &ground.classes[ground.class_of[first]];
        let second = if class.len() > 1 && random.u8(..16) > 0 {
            class[random.usize(..class.len())]
        } else {
            random.usize(..self.values.len())
        };
        let other = ground.kind_of[self.values[second]];
        if kind == other {
            let values = ground.values(CellId(first), KindId(kind));
            let value = values[random.usize(..values.len())];
            self.try_step(&[(first, value)], temperature, random);
            return;
        }
        let Some(value) = self.lightest(CellId(first), KindId(other), random) else {
            return;
        };
        // What now lies in the first cell counts for the second one, its neighbour perhaps.
        let before = std::mem::replace(&mut self.values[first], value);
        let behind = self.lightest(CellId(second), KindId(kind), random);
        self.values[first] = before;
        if let Some(behind) = behind {
            self.try_step(&[(first, value), (second, behind)], temperature, random);
        }
    }

    /// The value of a kind that breaks the fewest seams of a cell; of several any one.
    fn lightest(&self, cell: CellId, kind: KindId, random: &mut fastrand::Rng) -> Option<usize> {
        let values = self.ground.values(cell, kind);
        let start = match values.len() {
            0 => return None,
            number => random.usize(..number),
        };
        let (behind, before) = values.split_at(start);
        let all = before.iter().chain(behind).copied();
        all.min_by_key(|&value| self.broken_at(cell, ValueId(value)))
    }

    /// How many of the cell's seams break where it shows a value.
    fn broken_at(&self, cell: CellId, value: ValueId) -> i64 {
        self.broken_around(cell, value) + self.broken_within(cell, value)
    }

    /// Those between its own sides.
    fn broken_within(&self, CellId(cell): CellId, ValueId(value): ValueId) -> i64 {
        let ground = self.ground;
        let own = ground.own[cell].iter();
        let label = |table: &[u32], side: usize| table[value * ground.sides + side];
        let broken =
            own.filter(|[one, other]| label(&ground.fits, *one) != label(&ground.shows, *other));
        broken.count() as i64
    }

    /// Those between it and other cells.
    fn broken_around(&self, CellId(cell): CellId, ValueId(value): ValueId) -> i64 {
        let ground = self.ground;
        let sides = ground.sides;
        let beside = &ground.beside[cell * sides..][..sides];
        let fits = &ground.fits[value * sides..][..sides];
        let mut broken = 0;
        for (&(side, other), &fitting) in beside.iter().zip(fits) {
            if other != NOTHING {
                let there = self.values[other as usize] * sides + side as usize;
                broken += i64::from(ground.shows[there] != fitting);
            }
        }
        broken
    }

    /// Takes a step where the temperature lets it; says whether.
    fn try_step(&mut self, step: &Step, temperature: f64, random: &mut fastrand::Rng) -> bool {
        let before = (self.broken, self.weight());
        let mut undo = [(0, 0); 2];
        for (slot, &(cell, value)) in undo.iter_mut().zip(step) {
            *slot = (cell, self.values[cell]);
            self.lay(CellId(cell), ValueId(value));
        }
        let risen = self.broken - before.0 + self.weight() - before.1;
        if risen <= 0 || random.f64() < (-risen as f64 / temperature).exp() {
            return true;
        }
        for &(cell, value) in undo[..step.len()].iter().rev() {
            self.lay(CellId(cell), ValueId(value));
        }
        self.broken = before.0;
        false
    }

    fn lay(&mut self, cell: CellId, value: ValueId) {
        let before = ValueId(self.values[cell.0]);
        self.broken += self.broken_at(cell, value) - self.broken_at(cell, before);
        self.count(cell.0, -1);
        self.values[cell.0] = value.0;
        self.count(cell.0, 1);
    }

    /// What the cell's value counts enters the sums, or leaves them.
    fn count(&mut self, cell: usize, sign: i64) {
        for (sum, weights) in &self.ground.sums[cell] {
            self.excess[*sum] += sign * weights[self.values[cell]];
        }
    }

    /// What the broken sums weigh.
    fn weight(&self) -> i64 {
        let broken = self.excess.iter().filter(|&&excess| excess > 0);
        // By how much a sum is broken shows the way, but large weights must not drown the seams.
        broken
            .map(|&excess| SUM + i64::from(excess.unsigned_abs().ilog2()))
            .sum()
    }
}

/// A kind for each cell, at random; `None` where there is no way to deal them.
fn deal(ground: &Ground<'_>, random: &mut fastrand::Rng) -> Option<Vec<usize>> {
    let kinds = &ground.problem.kinds.kinds;
    let mut copies: Vec<usize> = kinds.iter().map(|kind| kind.count()).collect();
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    random.shuffle(&mut order);
    let mut dealt: Vec<Option<usize>> = vec![None; ground.class_of.len()];
    for (cell, slot) in dealt.iter_mut().enumerate() {
        let mut kinds = order.iter().copied();
        *slot = kinds.find(|&kind| {
            copies[kind] > 0 && !ground.values(CellId(cell), KindId(kind)).is_empty()
        });
        if let Some(kind) = *slot {
            copies[kind] -= 1;
            if copies[kind] == 0 {
                order.retain(|&k| k != kind);
            }
        }
    }
    for cell in 0..dealt.len() {
        if dealt[cell].is_none() {
            make_room(ground, cell, &mut dealt, &mut copies)?;
        }
    }
    dealt.into_iter().collect()
}

/// Gives an empty cell a kind, moving others on where it must (an augmenting path).
fn make_room(
    ground: &Ground<'_>,
    empty: usize,
    dealt: &mut [Option<usize>],
    copies: &mut [usize],
) -> Option<()> {
    // By kind, the cell that asked for it first.
    let mut asked: Vec<Option<usize>> = vec![None; copies.len()];
    let mut cells = VecDeque::from([empty]);
    while let Some(cell) = cells.pop_front() {
        for kind in 0..copies.len() {
            if asked[kind].is_some() || ground.values(CellId(cell), KindId(kind)).is_empty() {
                continue;
            }
            asked[kind] = Some(cell);
            if copies[kind] == 0 {
                let holders = (0..dealt.len()).filter(|&c| dealt[c] == Some(kind));
                cells.extend(holders);
                continue;
            }
            copies[kind] -= 1;
            let mut next = Some(kind);
            while let Some(kind) = next {
                let cell = asked[kind]?;
                next = dealt[cell].replace(kind);
            }
            return Some(());
        }
    }
    None
}
