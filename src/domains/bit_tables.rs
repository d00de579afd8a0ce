//! What does not change while domains shrink: which values show a label on a side, what a value
//! shows, which cells touch. The tables again, as bits for the innermost loop.

use super::Uses;
use super::labels::{LabelBit, LabelSet};
use super::sums::Constraints;
use super::words::{self, Words};

use crate::problem::Problem;
use crate::puzzle::{Label, OrientedKind};
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
        let mut kind = KindBits { word: values.start / 64, bits: 0, bits_of_next: 0 };
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

/// So many labels, and so many values a word, are visited whether they are there or not: most sets
/// have no more, and no processor can guess how many.
const USUAL_LABELS: usize = 4;
const USUAL_VALUES: usize = 2;

/// Labels of which no label takes little room.
const MOST_PADDED: usize = 64;

/// The side that a side touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beside {
    pub cell: u32,
    pub side: u32,
}

impl Beside {
    /// The side, of a cell of `S` sides at most. The remainder is the side itself; it spares a test.
    #[inline(always)]
    pub fn side_of<const S: usize>(self) -> usize {
        self.side as usize % S
    }
}

/// A problem's constraints for sets of at most 64·`W` values, sets of labels `M`, and cells of at
/// most `S` sides.
pub(super) struct BitTables<const W: usize, M, const S: usize> {
    /// By side and label, the values that show it there; where there are few labels, the last one
    /// of a side stands for none.
    showing: [Vec<Words<W>>; S],
    /// By word and bit, what each side of that value shows; the last of a word is no value.
    shown: Vec<[Sides<M, S>; 65]>,
    /// By value and side, the label that must lie against it.
    pub needed: Vec<[LabelBit; S]>,
    /// By value, its kind.
    pub kind_of: Vec<u32>,
    /// By kind.
    pub kinds: Vec<KindBits>,
    /// By cell and side, what it touches; a rim touches a cell behind the last one.
    pub beside: Vec<[Beside; S]>,
    /// The extra constraints.
    pub constraints: Constraints<W>,
    mates: Mates<M>,
    /// By label, what fits against it; nothing where these are mates alone.
    fitting: Option<Vec<M>>,
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
    fn new(tables: &Tables) -> Self {
        let bit = vec![LabelBit(0); tables.labels()];
        let mut mates = Mates { first_halves: M::NONE, wholes: M::NONE, bit };
        let mut next = 0;
        for label in tables.all_labels().filter(|&l| l < tables.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.bit[tables.mate(label).index()] = LabelBit(next + 1);
            mates.first_halves = mates.first_halves.or(M::only(LabelBit(next)));
            next += 2;
        }
        for label in tables.all_labels().filter(|&l| l == tables.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.wholes = mates.wholes.or(M::only(LabelBit(next)));
            next += 1;
        }
        mates
    }

    fn bit(&self, label: Label) -> LabelBit {
        self.bit[label.index()]
    }

    /// By bit, the labels that fit.
    fn fitting(&self, tables: &Tables) -> Vec<M> {
        let mut fitting = vec![M::NONE; tables.labels()];
        for label in tables.all_labels() {
            let bits = tables.fitting(label).map(|other| M::only(self.bit(other)));
            fitting[self.bit(label).index()] = bits.fold(M::NONE, M::or);
        }
        fitting
    }
}

/// Length of a side's row in a table by labels: with room for no label, where that is little.
#[inline(always)]
fn row<M: LabelSet>(labels: usize) -> usize {
    if M::MOST <= MOST_PADDED { M::MOST + 1 } else { labels }
}

/// By side and label, the values that show it there.
fn showing<const W: usize, M: LabelSet, const S: usize>(
    tables: &Tables,
    mates: &Mates<M>,
) -> [Vec<Words<W>>; S] {
    let mut showing = std::array::from_fn(|_| vec![[0; W]; row::<M>(tables.labels())]);
    for (side, sets) in showing.iter_mut().enumerate().take(tables.sides()) {
        for label in tables.all_labels() {
            let set = &mut sets[mates.bit(label).index()];
            for &value in tables.showing(side, label) {
                set[value / 64] |= 1 << (value % 64);
            }
        }
    }
    showing
}

/// By word and bit, what each side of that value shows; the last of a word is no value.
fn shown<M: LabelSet, const S: usize>(
    problem: &Problem,
    mates: &Mates<M>,
) -> Vec<[Sides<M, S>; 65]> {
    let values = &problem.kinds.values;
    let of_word = |values: &[OrientedKind]| {
        let mut shown = [[M::NONE; S]; 65];
        for (shown, value) in shown.iter_mut().zip(values) {
            for (set, &label) in shown.iter_mut().zip(&value.edges) {
                *set = M::only(mates.bit(label));
            }
        }
        shown
    };
    values.chunks(64).map(of_word).collect()
}

/// What each side of each cell touches; a rim touches a cell behind the last one.
fn beside<const S: usize>(problem: &Problem) -> Vec<[Beside; S]> {
    let behind_the_last = Beside { cell: problem.board.size() as u32, side: 0 };
    let mut beside = vec![[behind_the_last; S]; problem.board.size()];
    for seam in problem.board.seams() {
        let first = seam.first;
        let second = seam.second;
        for (here, there) in [(first, second), (second, first)] {
            beside[here.0][here.1] = Beside { cell: there.0 as u32, side: there.1 as u32 };
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
    pub fn new(problem: &Problem) -> Self {
        let tables = problem.tables();
        let mates = Mates::<M>::new(tables);
        let needed = problem.kinds.values.iter().map(|value| {
            let mut needed = [LabelBit(0); S];
            for (bit, &label) in needed.iter_mut().zip(&value.edges) {
                *bit = mates.bit(tables.mate(label));
            }
            needed
        });
        let kinds = &problem.kinds;
        BitTables {
            shown: shown(problem, &mates),
            needed: needed.collect(),
            kind_of: kinds.values.iter().map(|value| value.kind as u32).collect(),
            kinds: kinds.kinds.iter().map(|k| KindBits::new(&k.values)).collect(),
            showing: showing::<W, M, S>(tables, &mates),
            beside: beside(problem),
            constraints: Constraints::new(problem),
            fitting: (!tables.are_mates_alone()).then(|| mates.fitting(tables)),
            mates,
        }
    }

    /// Whether every label fits its mate alone.
    #[inline(always)]
    pub fn are_known(&self) -> bool {
        self.fitting.is_none()
    }

    /// By side, what may lie against it where it shows one of these labels.
    #[inline(always)]
    pub fn against(&self, shown: &Sides<M, S>) -> Sides<M, S> {
        // A loop, as the compiler makes shuffles of `map`.
        let mut against = [M::NONE; S];
        for (against, &labels) in against.iter_mut().zip(shown) {
            *against = if self.are_known() { self.mates(labels) } else { self.fitting(labels) };
        }
        against
    }

    /// By side, what may lie against a value.
    pub fn against_value(&self, value: usize) -> Sides<M, S> {
        self.against(&self.shown[value / 64][value % 64])
    }

    /// The values that may lie with a side against another side of a value.
    pub fn values_beside(&self, side: usize, value: usize, other: usize) -> Words<W> {
        if self.are_known() {
            return *self.set_showing(side, self.needed[value][other]);
        }
        let mut values = [0; W];
        let add = |set: &Words<W>| words::add(&mut values, set);
        self.each_showing(side, self.against_value(value)[other], add);
        values
    }

    /// What may lie against a side that shows one of these labels.
    pub fn fitting(&self, mut labels: M) -> M {
        let Some(fitting) = &self.fitting else {
            return self.mates(labels);
        };
        let mut all = M::NONE;
        while labels != M::NONE {
            all = all.or(fitting[labels.take_first()]);
        }
        all
    }

    #[inline(always)]
    fn mates(&self, labels: M) -> M {
        let first = self.mates.first_halves;
        labels.down().and(first).or(labels.and(first).up()).or(labels.and(self.mates.wholes))
    }

    /// The values that show a label on a side.
    #[inline(always)]
    pub fn set_showing(&self, side: usize, label: LabelBit) -> &Words<W> {
        &self.showing[side][label.index()]
    }

    /// Visits for each of these labels the values that show it on a side, and perhaps no values.
    #[inline(always)]
    pub fn each_showing(&self, side: usize, labels: M, mut visit: impl FnMut(&Words<W>)) {
        let sets = &self.showing[side];
        let sets = &sets[..row::<M>(sets.len())];
        let mut left = labels;
        if M::MOST <= MOST_PADDED {
            for _ in 0..USUAL_LABELS {
                visit(&sets[left.take_first()]);
            }
        }
        while left != M::NONE {
            visit(&sets[left.take_first()]);
        }
    }

    /// What the values of a set show, side by side.
    #[inline(always)]
    pub fn shown_by(&self, domain: &Words<W>) -> Sides<M, S> {
        let mut shown = [M::NONE; S];
        for (&word, by_bit) in domain.iter().zip(&self.shown) {
            let mut left = word;
            for _ in 0..USUAL_VALUES {
                add(&mut shown, &by_bit[left.trailing_zeros() as usize]);
                left &= left.wrapping_sub(1);
            }
            while left != 0 {
                add(&mut shown, &by_bit[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        shown
    }
}

#[inline(always)]
fn add<M: LabelSet, const S: usize>(to: &mut Sides<M, S>, labels: &Sides<M, S>) {
    for (to, labels) in to.iter_mut().zip(labels) {
        *to = to.or(*labels);
    }
}
