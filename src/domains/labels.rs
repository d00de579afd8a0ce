//! Sets of labels, as narrow as the puzzle allows: what four sides show then fits one or two
//! registers.

use std::fmt::Debug;

/// A set of labels, one bit each.
pub(super) trait LabelSet: Copy + Eq + Debug + Send + Sync {
    /// The largest number of labels.
    const MOST: usize;
    /// No label.
    const NONE: Self;

    /// The set of one label.
    fn only(label: usize) -> Self;

    /// The labels of both sets.
    fn or(self, other: Self) -> Self;

    /// The labels that both sets share.
    fn and(self, other: Self) -> Self;

    /// The labels that the other set lacks.
    fn without(self, other: Self) -> Self;

    /// Each label at the next higher bit, the lowest one empty. Needed only within pairs of bits.
    fn up(self) -> Self;

    /// Each label at the next lower bit.
    fn down(self) -> Self;

    /// Takes the smallest label out.
    fn take_first(&mut self) -> Option<usize>;
}

macro_rules! one_word {
    ($($word:ty),*) => {$(
        impl LabelSet for $word {
            const MOST: usize = <$word>::BITS as usize;
            const NONE: Self = 0;

            #[inline(always)]
            fn only(label: usize) -> Self {
                1 << label
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
            fn without(self, other: Self) -> Self {
                self & !other
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
            fn take_first(&mut self) -> Option<usize> {
                let first = self.trailing_zeros() as usize;
                (*self != 0).then(|| {
                    *self &= *self - 1;
                    first
                })
            }
        }
    )*};
}

one_word!(u16, u32, u64);

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

    fn only(label: usize) -> Self {
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

    fn without(self, other: Self) -> Self {
        self.each(other, |a, b| a & !b)
    }

    fn up(self) -> Self {
        self.each(self, |a, _| a << 1)
    }

    fn down(self) -> Self {
        self.each(self, |a, _| a >> 1)
    }

    fn take_first(&mut self) -> Option<usize> {
        super::words::take_first(&mut self.0)
    }
}

/// Whether one set has fewer labels than the other, or as many. They are emptied in turn, as one of
/// them is small.
#[inline(always)]
pub(super) fn has_fewer<M: LabelSet>(mut one: M, mut other: M) -> bool {
    loop {
        if one.take_first().is_none() {
            return true;
        }
        if other.take_first().is_none() {
            return false;
        }
    }
}
