//! What does not change while domains shrink: which values show a label on a side, what a value
//! shows, which cells touch. The tables again, as bits for the innermost loop.

use super::Uses;
use super::labels::{LabelBit, LabelSet};
use super::sums::{clauses, sums};
use super::words::{Words, for_each};
use crate::problem::{CellClause, CellSum, Problem};
use crate::puzzle::{Label, ValueSet};
use crate::tables::Tables;

/// What every side of a cell, or of a value, can show.
pub(super) type Sides<M, const S: usize> = [M; S];

/// The values of one kind, as bits of a word and, where they do not all lie in it, of the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindBits {
    word: usize,
    bits: u64,
    bits_of_next: u64,
}

impl KindBits {
    fn new(values: &std::ops::Range<usize>) -> Self {
        let mut kind = KindBits {
            word: values.start / 64,
            bits: 0,
            bits_of_next: 0,
        };
        for value in values.clone() {
            if value / 64 == kind.word {
                kind.bits |= 1 << (value % 64);
            } else {
                kind.bits_of_next |= 1 << (value % 64);
            }
        }
        kind
    }

    /// Takes the values of the kind out of a set.
    #[inline(always)]
    pub fn remove_from<const W: usize>(&self, set: &mut Words<W>) {
        set[self.word] &= !self.bits;
        if self.bits_of_next != 0 {
            set[self.word + 1] &= !self.bits_of_next;
        }
    }

    /// Whether a value of the kind is in a set.
    #[inline(always)]
    pub fn meets<const W: usize>(&self, set: &Words<W>) -> bool {
        set[self.word] & self.bits != 0
            || self.bits_of_next != 0 && set[self.word + 1] & self.bits_of_next != 0
    }

    /// The values of the kind that are in a set.
    pub fn within<const W: usize>(&self, set: &Words<W>) -> Words<W> {
        let mut within = [0; W];
        within[self.word] = set[self.word] & self.bits;
        if self.bits_of_next != 0 {
            within[self.word + 1] = set[self.word + 1] & self.bits_of_next;
        }
        within
    }

    /// Puts the values of the kind into a set.
    #[inline(always)]
    pub fn insert_into<const W: usize>(&self, set: &mut Words<W>) {
        set[self.word] |= self.bits;
        if self.bits_of_next != 0 {
            set[self.word + 1] |= self.bits_of_next;
        }
    }
}

/// Labels in a group: the sets of four fit a first-level cache.
const GROUP: usize = 4;

/// The side that a side touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub cell: u32,
    pub side: u32,
}

/// A problem's constraints for sets of at most 64·`W` values, sets of labels `M`, and cells of at
/// most `S` sides.
pub(super) struct BitTables<const W: usize, M, const S: usize> {
    /// By side, group of four labels, and set of those, the values that show one of the set there.
    showing: Vec<Words<W>>,
    /// Groups of four labels.
    groups: usize,
    /// By value, what each side shows.
    shown: Vec<Sides<M, S>>,
    /// By value and side, the label that must lie against it.
    pub needed: Vec<[LabelBit; S]>,
    /// By value, its kind.
    pub kind_of: Vec<u32>,
    /// By kind.
    pub kinds: Vec<KindBits>,
    /// By cell and side, what it touches; a rim touches a cell behind the last one.
    pub beside: Vec<[Beside; S]>,
    /// The extra constraints.
    pub sums: Vec<CellSum<Words<W>>>,
    pub clauses: Vec<CellClause<Words<W>>>,
    mates: Mates<M>,
}

/// The mates of whole sets: the two halves of an image lie side by side, the first one at an even
/// bit; whole images follow, each its own mate.
struct Mates<M> {
    first_halves: M,
    wholes: M,
    /// By label, its bit.
    bit: Vec<LabelBit>,
}

impl<M: LabelSet> Mates<M> {
    fn new(problem: &Problem) -> Self {
        let labels = &problem.puzzle.labels;
        let mut mates = Mates {
            first_halves: M::NONE,
            wholes: M::NONE,
            bit: vec![LabelBit(0); labels.len()],
        };
        let mut next = 0;
        for label in labels.all().filter(|&l| l < labels.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.bit[labels.mate(label).index()] = LabelBit(next + 1);
            mates.first_halves = mates.first_halves.or(M::only(LabelBit(next)));
            next += 2;
        }
        for label in labels.all().filter(|&l| l == labels.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.wholes = mates.wholes.or(M::only(LabelBit(next)));
            next += 1;
        }
        mates
    }

    fn bit(&self, label: Label) -> LabelBit {
        self.bit[label.index()]
    }
}

/// By side and group of labels, for each set of the group the values that show one of it there.
fn showing<const W: usize, M: LabelSet, const S: usize>(
    problem: &Problem,
    tables: &Tables,
    mates: &Mates<M>,
) -> Vec<Words<W>> {
    let labels = &problem.puzzle.labels;
    let groups = labels.len().div_ceil(GROUP);
    let mut showing = vec![[0; W]; (S * groups) << GROUP];
    let mut enter = |side: usize, label: Label, values: &ValueSet| {
        let bit = mates.bit(label).index();
        let first = (side * groups + bit / GROUP) << GROUP;
        for (word, &values) in showing[first | (1 << (bit % GROUP))]
            .iter_mut()
            .zip(values.words())
        {
            *word |= values;
        }
    };
    for (seam, table) in problem.board.seam_types().iter().zip(tables.all()) {
        for block in table.blocks() {
            enter(seam.first_side, block.label, &block.first);
            enter(seam.second_side, labels.mate(block.label), &block.second);
        }
    }
    for sets in showing.chunks_mut(1 << GROUP) {
        for set in 1..1usize << GROUP {
            let rest = set & (set - 1);
            let first = sets[set ^ rest];
            let rest = sets[rest];
            sets[set] = std::array::from_fn(|w| rest[w] | first[w]);
        }
    }
    showing
}

/// What each side of each cell touches; a rim touches a cell behind the last one.
fn beside<const S: usize>(problem: &Problem) -> Vec<[Beside; S]> {
    let behind_the_last = Beside {
        cell: problem.board.size() as u32,
        side: 0,
    };
    let mut beside = vec![[behind_the_last; S]; problem.board.size()];
    for seam in problem.board.seams() {
        let first = seam.first;
        let second = seam.second;
        for (here, there) in [(first, second), (second, first)] {
            beside[here.0][here.1] = Beside {
                cell: there.0 as u32,
                side: there.1 as u32,
            };
        }
    }
    beside
}

impl<const W: usize, M: LabelSet, const S: usize> BitTables<W, M, S> {
    /// The values of kinds of which some may be used.
    pub fn free(&self, uses: &[Uses]) -> Words<W> {
        let mut free = [0; W];
        for (kind, uses) in self.kinds.iter().zip(uses) {
            if uses.most > 0 {
                kind.insert_into(&mut free);
            }
        }
        free
    }

    /// The tables of a problem as bits.
    pub fn new(problem: &Problem, tables: &Tables) -> Self {
        let labels = &problem.puzzle.labels;
        let mates = Mates::<M>::new(problem);
        let groups = labels.len().div_ceil(GROUP);
        let shown = problem.kinds.values.iter().map(|value| {
            let mut shown = [M::NONE; S];
            for (set, &label) in shown.iter_mut().zip(&value.edges) {
                *set = M::only(mates.bit(label));
            }
            shown
        });
        let needed = problem.kinds.values.iter().map(|value| {
            let mut needed = [LabelBit(0); S];
            for (bit, &label) in needed.iter_mut().zip(&value.edges) {
                *bit = mates.bit(labels.mate(label));
            }
            needed
        });
        let kinds = &problem.kinds;
        BitTables {
            shown: shown.collect(),
            needed: needed.collect(),
            kind_of: kinds.values.iter().map(|value| value.kind as u32).collect(),
            kinds: kinds
                .kinds
                .iter()
                .map(|k| KindBits::new(&k.values))
                .collect(),
            showing: showing::<W, M, S>(problem, tables, &mates),
            groups,
            beside: beside(problem),
            sums: sums(problem),
            clauses: clauses(problem),
            mates,
        }
    }

    /// What may lie against a side that shows one of these labels.
    #[inline(always)]
    pub fn mates(&self, labels: M) -> M {
        let first = self.mates.first_halves;
        let second = labels.and(first).up();
        let first = labels.down().and(first);
        first.or(second).or(labels.and(self.mates.wholes))
    }

    /// The values that show a label on a side.
    #[inline(always)]
    pub fn set_showing(&self, side: usize, label: LabelBit) -> &Words<W> {
        let label = label.index();
        let group = side * self.groups + label / GROUP;
        &self.showing[(group << GROUP) | (1 << (label % GROUP))]
    }

    /// The values that show one of these labels on a side. No step depends on the labels, which no
    /// processor could guess.
    #[inline(always)]
    pub fn showing(&self, side: usize, labels: M) -> Words<W> {
        let first = side * self.groups;
        let mut showing = [0; W];
        let groups =
            self.showing[first << GROUP..(first + self.groups) << GROUP].chunks_exact(1 << GROUP);
        for (group, sets) in groups.enumerate() {
            let set = &sets[labels.group_of_four(group)];
            for (word, set) in showing.iter_mut().zip(set) {
                *word |= set;
            }
        }
        showing
    }

    /// What the values of a set show, side by side.
    #[inline(always)]
    pub fn shown_by(&self, domain: &Words<W>) -> Sides<M, S> {
        let mut shown = [M::NONE; S];
        for_each(domain, |value| {
            for (set, side) in shown.iter_mut().zip(&self.shown[value]) {
                *set = set.or(*side);
            }
        });
        shown
    }
}
