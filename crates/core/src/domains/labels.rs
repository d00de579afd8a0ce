//! Sets of labels in the smallest integer type that holds a puzzle's labels, so that the sets of
//! four sides fit into one or two registers.

use std::fmt::Debug;

use super::words;
use crate::problem::Problem;

/// The bit of a label in a [set](LabelSet). The two halves of an image have adjacent bits, the
/// first one even; whole images follow. Therefore the mates of a whole set are computed with
/// shifts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelBit(pub u32);

impl LabelBit {
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of labels, with one bit per label.
pub(super) trait LabelSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// The number of labels that a set of this type can hold.
    const MOST: usize;

    /// The empty set.
    const NONE: Self;

    /// The set with one label.
    fn singleton(label: LabelBit) -> Self;

    /// Combines two sets word by word.
    fn combine(self, other: Self, words: impl Fn(u64, u64) -> u64) -> Self;

    /// The number of labels.
    fn count(self) -> u32;

    /// Removes the lowest label and returns its bit. If the set is empty, returns
    /// [`MOST`](Self::MOST), the index of the padding row.
    fn take_first(&mut self) -> usize;

    /// The union of two sets.
    #[inline(always)]
    fn union(self, other: Self) -> Self {
        self.combine(other, |a, b| a | b)
    }

    /// The intersection of two sets.
    #[inline(always)]
    fn intersection(self, other: Self) -> Self {
        self.combine(other, |a, b| a & b)
    }

    /// The labels of this set that are not in the other one.
    #[inline(always)]
    fn difference(self, other: Self) -> Self {
        self.combine(other, |a, b| a & !b)
    }

    /// Moves each label to the next higher bit, so that first halves become second halves. The
    /// result is unspecified for other labels; callers mask it.
    #[inline(always)]
    fn shift_up(self) -> Self {
        self.combine(self, |a, _| a << 1)
    }

    /// Moves each label to the next lower bit, so that second halves become first halves. The
    /// result is unspecified for other labels; callers mask it.
    #[inline(always)]
    fn shift_down(self) -> Self {
        self.combine(self, |a, _| a >> 1)
    }
}

macro_rules! impl_for_words {
    ($($word:ty),*) => {$(
        impl LabelSet for $word {
            const MOST: usize = <$word>::BITS as usize;
            const NONE: Self = 0;

            #[inline(always)]
            fn singleton(label: LabelBit) -> Self {
                1 << label.0
            }

            #[inline(always)]
            fn combine(self, other: Self, words: impl Fn(u64, u64) -> u64) -> Self {
                words(self.into(), other.into()) as $word
            }

            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }

            #[inline(always)]
            fn take_first(&mut self) -> usize {
                let first = self.trailing_zeros() as usize;
                *self &= self.wrapping_sub(1);
                first
            }
        }
    )*};
}

impl_for_words!(u32, u64);

/// A set of up to 1,024 labels, for puzzles with very many images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wide([u64; 16]);

impl LabelSet for Wide {
    const MOST: usize = 1024;
    const NONE: Self = Wide([0; 16]);

    fn singleton(label: LabelBit) -> Self {
        Wide(words::singleton(label.index()))
    }

    #[inline(always)]
    fn combine(self, other: Self, words: impl Fn(u64, u64) -> u64) -> Self {
        Wide(std::array::from_fn(|w| words(self.0[w], other.0[w])))
    }

    fn count(self) -> u32 {
        words::count(&self.0)
    }

    fn take_first(&mut self) -> usize {
        words::take_first(&mut self.0).unwrap_or(Self::MOST)
    }
}

/// A computation that is compiled once for each combination of set sizes.
pub(super) trait LabelSetTask {
    type Result;

    /// Runs with sets of at most 64·`W` values, sets of labels `M`, and cells of at most `S` sides.
    fn run<const W: usize, M: LabelSet, const S: usize>(self) -> Self::Result;
}

/// The maximum number of values of a problem: 256 words.
const MOST_VALUES: usize = 64 * 256;

/// The maximum number of labels of a puzzle.
const MOST_LABELS: usize = Wide::MOST;

/// Checks that a problem fits into the largest sets.
///
/// # Errors
/// A message that names the exceeded limit.
pub(super) fn check_capacity(problem: &Problem) -> Result<(), String> {
    if problem.kinds.values.len() > MOST_VALUES {
        return Err(format!(
            "it supports at most {MOST_VALUES} values (a value is a tile in one orientation)"
        ));
    }
    if problem.puzzle.labels.len() > MOST_LABELS {
        Err(format!("it supports at most {MOST_LABELS} different edges"))
    } else {
        Ok(())
    }
}
