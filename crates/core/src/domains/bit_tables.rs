//! The compatibility tables as bit sets for the innermost loop: which values show a label on a
//! side, which labels each value shows, which cells touch. They do not change while domains shrink.

use super::Uses;
use super::labels::{LabelBit, LabelSet};
use super::sums::Constraints;
use super::words::{self, Words};

use crate::problem::Problem;
use crate::puzzle::{Label, OrientedKind};
use crate::tables::Tables;

/// A set of labels for each side of a cell or value.
pub(super) type Sides<M, const S: usize> = [M; S];

/// The values of one kind, as bits of one word and, if they cross its end, of the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct KindBits {
    word: usize,
    bits: u64,
    bits_of_next: u64,
}

impl KindBits {
    /// The bits of a kind's values, which are at most 64 and consecutive, so that they occupy at
    /// most two words.
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

    /// Removes the values of the kind from a set.
    #[inline(always)]
    pub fn remove_from<const W: usize>(&self, set: &mut Words<W>) {
        set[self.word] &= !self.bits;
        if self.bits_of_next != 0 {
            set[self.word + 1] &= !self.bits_of_next;
        }
    }

    /// Returns true if a set contains a value of the kind.
    #[inline(always)]
    pub fn meets<const W: usize>(&self, set: &Words<W>) -> bool {
        set[self.word] & self.bits != 0
            || self.bits_of_next != 0 && set[self.word + 1] & self.bits_of_next != 0
    }

    /// The values of the kind that are in a set.
    pub fn intersect<const W: usize>(&self, set: &Words<W>) -> Words<W> {
        let mut within = [0; W];
        within[self.word] = set[self.word] & self.bits;
        if self.bits_of_next != 0 {
            within[self.word + 1] = set[self.word + 1] & self.bits_of_next;
        }
        within
    }

    /// Adds the values of the kind to a set.
    #[inline(always)]
    pub fn insert_into<const W: usize>(&self, set: &mut Words<W>) {
        set[self.word] |= self.bits;
        if self.bits_of_next != 0 {
            set[self.word + 1] |= self.bits_of_next;
        }
    }
}

/// The number of labels of a set that are visited unconditionally. If the set is smaller, the
/// padding row is visited instead. Most sets are not larger, and branches on the exact size would
/// be mispredicted.
const USUAL_LABELS: usize = 4;
/// The number of values in a word of a domain that are visited unconditionally, for the same
/// reason. If there are fewer, the padding entry is visited instead.
const USUAL_VALUES: usize = 2;

/// Tables have a padding row for "no label" if their type of label set holds at most this many
/// labels.
const MOST_PADDED: usize = 64;

/// The side that touches a given side: its cell, and its number below `S`.
#[derive(Debug, Clone, Copy)]
pub(super) struct OppositeSide {
    pub cell: u32,
    pub side: u32,
}

impl OppositeSide {
    /// The number of the side. The remainder does not change it, but saves a bounds check when
    /// arrays of length `S` are indexed.
    #[inline(always)]
    pub fn side_number<const S: usize>(self) -> usize {
        self.side as usize % S
    }
}

/// The tables and constraints of a problem, for sets of at most 64·`W` values, sets of labels `M`,
/// and cells of at most `S` sides.
pub(super) struct BitTables<const W: usize, M, const S: usize> {
    /// The values that show a label on a side, indexed by side and label. If `M` has at most 64
    /// labels, the last row of a side is the padding for "no label".
    showing: [Vec<Words<W>>; S],
    /// The label that each value shows on each side, as a set, indexed by word and bit of the
    /// value. The last entry of a word is the padding for "no value".
    shown: Vec<[Sides<M, S>; 65]>,
    /// The mate of the label that a value shows, indexed by value and side.
    pub needed: Vec<[LabelBit; S]>,
    /// The kind of each value.
    pub kind_of: Vec<u32>,
    /// The values of each kind.
    pub kinds: Vec<KindBits>,
    /// The side across each required seam, indexed by cell and side. Every other side touches a
    /// dummy cell after the last one.
    pub beside: Vec<[OppositeSide; S]>,
    /// The sums and formulas of the problem.
    pub constraints: Constraints<W>,
    mates: Mates<M>,
    /// The labels that fit each label; `None` if every label fits only its mate.
    fitting: Option<Vec<M>>,
}

/// The assignment of labels to bits, by which the mates of a whole set are computed. The two halves
/// of an image have adjacent bits, the first one even; whole images follow, each its own mate.
struct Mates<M> {
    /// The first halves of all images.
    first_halves: M,
    /// All whole images.
    wholes: M,
    /// The bit of each label.
    bit: Vec<LabelBit>,
}

impl<M: LabelSet> Mates<M> {
    /// Numbers the labels: first the halves, each directly before or after its mate, then the
    /// whole images, which are their own mates.
    fn new(tables: &Tables) -> Self {
        let bit = vec![LabelBit(0); tables.labels()];
        let mut mates = Mates { first_halves: M::NONE, wholes: M::NONE, bit };
        let mut next = 0;
        for label in tables.all_labels().filter(|&l| l < tables.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.bit[tables.mate(label).index()] = LabelBit(next + 1);
            mates.first_halves = mates.first_halves.union(M::singleton(LabelBit(next)));
            next += 2;
        }
        for label in tables.all_labels().filter(|&l| l == tables.mate(l)) {
            mates.bit[label.index()] = LabelBit(next);
            mates.wholes = mates.wholes.union(M::singleton(LabelBit(next)));
            next += 1;
        }
        mates
    }

    /// The bit that represents a label.
    fn bit(&self, label: Label) -> LabelBit {
        self.bit[label.index()]
    }

    /// The labels that fit each label, indexed by bit.
    fn fitting(&self, tables: &Tables) -> Vec<M> {
        let mut fitting = vec![M::NONE; tables.labels()];
        for label in tables.all_labels() {
            let bits = tables.fitting(label).map(|other| M::singleton(self.bit(other)));
            fitting[self.bit(label).index()] = bits.fold(M::NONE, M::union);
        }
        fitting
    }
}

/// The number of rows of a side in a table by label: one for each possible bit and one for the
/// padding if `M` is padded, otherwise `labels`.
#[inline(always)]
fn row_length<M: LabelSet>(labels: usize) -> usize {
    if M::MOST <= MOST_PADDED { M::MOST + 1 } else { labels }
}

/// The values that show each label, indexed by side and label.
fn values_by_label<const W: usize, M: LabelSet, const S: usize>(
    tables: &Tables,
    mates: &Mates<M>,
) -> [Vec<Words<W>>; S] {
    let mut showing = std::array::from_fn(|_| vec![[0; W]; row_length::<M>(tables.labels())]);
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

/// The label that each value shows on each side, indexed by word and bit of the value; the last
/// entry of a word is the padding.
fn labels_of_values<M: LabelSet, const S: usize>(
    problem: &Problem,
    mates: &Mates<M>,
) -> Vec<[Sides<M, S>; 65]> {
    let values = &problem.kinds.values;
    let of_word = |values: &[OrientedKind]| {
        let mut shown = [[M::NONE; S]; 65];
        for (shown, value) in shown.iter_mut().zip(values) {
            for (set, &label) in shown.iter_mut().zip(&value.edges) {
                *set = M::singleton(mates.bit(label));
            }
        }
        shown
    };
    values.chunks(64).map(of_word).collect()
}

/// The side across each required seam, indexed by cell and side. Every other side, such as one on
/// the rim, touches a dummy cell after the last one.
fn list_opposite_sides<const S: usize>(problem: &Problem) -> Vec<[OppositeSide; S]> {
    let behind_the_last = OppositeSide { cell: problem.board.size() as u32, side: 0 };
    let mut beside = vec![[behind_the_last; S]; problem.board.size()];
    for seam in problem.board.seams() {
        let first = seam.first;
        let second = seam.second;
        for (here, there) in [(first, second), (second, first)] {
            beside[here.0][here.1] = OppositeSide { cell: there.0 as u32, side: there.1 as u32 };
        }
    }
    beside
}

impl<const W: usize, M: LabelSet, const S: usize> BitTables<W, M, S> {
    /// The values of the kinds of which `uses` allows at least one copy.
    pub fn usable_values(&self, uses: &[Uses]) -> Words<W> {
        let mut free = [0; W];
        for (kind, uses) in self.kinds.iter().zip(uses) {
            if uses.most > 0 {
                kind.insert_into(&mut free);
            }
        }
        free
    }

    /// Converts the tables and constraints of a problem to bit sets.
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
            shown: labels_of_values(problem, &mates),
            needed: needed.collect(),
            kind_of: kinds.values.iter().map(|value| value.kind as u32).collect(),
            kinds: kinds.kinds.iter().map(|k| KindBits::new(&k.values)).collect(),
            showing: values_by_label::<W, M, S>(tables, &mates),
            beside: list_opposite_sides(problem),
            constraints: Constraints::new(problem),
            fitting: (!tables.fits_mates_only()).then(|| mates.fitting(tables)),
            mates,
        }
    }

    /// Returns true if every label fits only its mate.
    #[inline(always)]
    pub fn fits_mates_only(&self) -> bool {
        self.fitting.is_none()
    }

    /// For each side, the labels that fit at least one of the labels `shown` there.
    #[inline(always)]
    pub fn labels_fitting(&self, shown: &Sides<M, S>) -> Sides<M, S> {
        // A loop, because the compiler would turn `map` into shuffles.
        let mut against = [M::NONE; S];
        for (against, &labels) in against.iter_mut().zip(shown) {
            *against =
                if self.fits_mates_only() { self.mates(labels) } else { self.fitting(labels) };
        }
        against
    }

    /// For each side, the labels that fit the one that the value shows there.
    pub fn labels_fitting_value(&self, value: usize) -> Sides<M, S> {
        self.labels_fitting(&self.shown[value / 64][value % 64])
    }

    /// The values whose side `side` fits the side `other` of `value`.
    pub fn values_beside(&self, side: usize, value: usize, other: usize) -> Words<W> {
        if self.fits_mates_only() {
            return *self.values_showing(side, self.needed[value][other]);
        }
        let mut values = [0; W];
        let add = |set: &Words<W>| words::add_all(&mut values, set);
        self.for_each_showing(side, self.labels_fitting_value(value)[other], add);
        values
    }

    /// The labels that fit at least one of these labels.
    pub fn fitting(&self, mut labels: M) -> M {
        let Some(fitting) = &self.fitting else {
            return self.mates(labels);
        };
        let mut all = M::NONE;
        while labels != M::NONE {
            all = all.union(fitting[labels.take_first()]);
        }
        all
    }

    /// The mates of these labels: the two halves of an image change places, whole images stay.
    #[inline(always)]
    fn mates(&self, labels: M) -> M {
        let first = self.mates.first_halves;
        labels
            .shift_down()
            .intersection(first)
            .union(labels.intersection(first).shift_up())
            .union(labels.intersection(self.mates.wholes))
    }

    /// The set of values that show a label on a side.
    #[inline(always)]
    pub fn values_showing(&self, side: usize, label: LabelBit) -> &Words<W> {
        &self.showing[side][label.index()]
    }

    /// Calls `visit` with the set of values that show a label on a side, for each of these labels.
    /// May also pass empty sets.
    #[inline(always)]
    pub fn for_each_showing(&self, side: usize, labels: M, mut visit: impl FnMut(&Words<W>)) {
        let sets = &self.showing[side];
        let sets = &sets[..row_length::<M>(sets.len())];
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

    /// For each side, the labels that the values of a set show there.
    #[inline(always)]
    pub fn shown_by(&self, domain: &Words<W>) -> Sides<M, S> {
        let mut shown = [M::NONE; S];
        for (&word, by_bit) in domain.iter().zip(&self.shown) {
            let mut left = word;
            for _ in 0..USUAL_VALUES {
                add_labels(&mut shown, &by_bit[left.trailing_zeros() as usize]);
                left &= left.wrapping_sub(1);
            }
            while left != 0 {
                add_labels(&mut shown, &by_bit[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
        }
        shown
    }
}

/// Adds the labels of each side to those of the same side in `to`.
#[inline(always)]
fn add_labels<M: LabelSet, const S: usize>(to: &mut Sides<M, S>, labels: &Sides<M, S>) {
    for (to, labels) in to.iter_mut().zip(labels) {
        *to = to.union(*labels);
    }
}
