//! Sets of labels, as narrow as the puzzle allows: what four sides show then fits one or two
//! registers.

use std::fmt::Debug;

/// A label in a [set](LabelSet). The two halves of an image have neighbouring bits, the first one
/// an even bit; whole images follow. So the mates of a whole set are a shift away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelBit(pub u32);

impl LabelBit {
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of labels, one bit each.
pub(super) trait LabelSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// The largest number of labels.
    const MOST: usize;
    /// No label.
    const NONE: Self;

    /// The set of one label.
    fn only(label: LabelBit) -> Self;

    /// The labels of both sets.
    fn or(self, other: Self) -> Self;

    /// The labels that both sets share.
    fn and(self, other: Self) -> Self;

    /// Each label at the next higher bit, the lowest one empty. Needed only within pairs of bits.
    fn up(self) -> Self;

    /// Each label at the next lower bit.
    fn down(self) -> Self;

    /// The labels 4·`group` to 4·`group` + 3, as the lowest four bits.
    fn group_of_four(self, group: usize) -> usize;
}

macro_rules! one_word {
    ($($word:ty),*) => {$(
        impl LabelSet for $word {
            const MOST: usize = <$word>::BITS as usize;
            const NONE: Self = 0;

            #[inline(always)]
            fn only(label: LabelBit) -> Self {
                1 << label.0
            }

            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn up(self) -> Self {
                self << 1
            }

            #[inline(always)]
            fn down(self) -> Self {
                self >> 1
            }

            #[inline(always)]
            fn group_of_four(self, group: usize) -> usize {
                (self >> (4 * group)) as usize & 15
            }
        }
    )*};
}

one_word!(u32, u64);

/// Room for puzzles with very many images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide([u64; 16]);

impl Wide {
    #[inline(always)]
    fn each(self, other: Self, merge: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|w| merge(self.0[w], other.0[w])))
    }
}

impl LabelSet for Wide {
    const MOST: usize = 1024;
    const NONE: Self = Wide([0; 16]);

    fn only(label: LabelBit) -> Self {
        let label = label.index();
        let mut set = Self::NONE;
        set.0[label / 64] = 1 << (label % 64);
        set
    }

    fn or(self, other: Self) -> Self {
        self.each(other, |a, b| a | b)
    }

    fn and(self, other: Self) -> Self {
        self.each(other, |a, b| a & b)
    }

    fn up(self) -> Self {
        self.each(self, |a, _| a << 1)
    }

    fn down(self) -> Self {
        self.each(self, |a, _| a >> 1)
    }

    fn group_of_four(self, group: usize) -> usize {
        (self.0[group / 16] >> (4 * (group % 16))) as usize & 15
    }
}
