//! Sets of a fixed number of 64-bit words.
//!
//! The number is a constant of the type, so the compiler unrolls loops over the words.

use crate::puzzle::ValueSet;

/// A set of at most 64·`W` members.
pub(super) type Words<const W: usize> = [u64; W];

/// The number of members.
#[inline(always)]
pub(super) fn count<const W: usize>(set: &Words<W>) -> u32 {
    set.iter().map(|w| w.count_ones()).sum()
}

/// The members, ascending.
#[inline(always)]
pub(super) fn bits<const W: usize>(set: &Words<W>) -> impl Iterator<Item = usize> + use<W> {
    let mut set = *set;
    std::iter::from_fn(move || take_first(&mut set))
}

/// Calls `visit` for each member, ascending. In the innermost loop this is faster than [`bits`].
#[inline(always)]
pub(super) fn for_each<const W: usize>(set: &Words<W>, mut visit: impl FnMut(usize)) {
    for (index, &word) in set.iter().enumerate() {
        let mut left = word;
        while left != 0 {
            visit(index * 64 + left.trailing_zeros() as usize);
            left &= left - 1;
        }
    }
}

/// Removes and returns the smallest member; `None` if the set is empty.
#[inline(always)]
pub(super) fn take_first<const W: usize>(set: &mut Words<W>) -> Option<usize> {
    for (index, word) in set.iter_mut().enumerate() {
        if *word != 0 {
            let bit = word.trailing_zeros() as usize;
            *word &= *word - 1;
            return Some(index * 64 + bit);
        }
    }
    None
}

/// The smallest member; `None` if the set is empty.
#[inline(always)]
pub(super) fn first<const W: usize>(set: &Words<W>) -> Option<usize> {
    let index = set.iter().position(|&word| word != 0)?;
    Some(index * 64 + set[index].trailing_zeros() as usize)
}

/// The set that contains only `member`, which must be below 64·`W`.
#[inline(always)]
pub(super) fn singleton<const W: usize>(member: usize) -> Words<W> {
    let mut set = [0; W];
    set[member / 64] = 1 << (member % 64);
    set
}

/// Returns true if the set contains `member`, which must be below 64·`W`.
#[inline(always)]
pub(super) fn contains<const W: usize>(set: &Words<W>, member: usize) -> bool {
    set[member / 64] >> (member % 64) & 1 == 1
}

/// The intersection of two sets.
#[inline(always)]
pub(super) fn intersection<const W: usize>(one: &Words<W>, other: &Words<W>) -> Words<W> {
    std::array::from_fn(|w| one[w] & other[w])
}

/// Adds the members of `other` to `set`.
#[inline(always)]
pub(super) fn add_all<const W: usize>(set: &mut Words<W>, other: &Words<W>) {
    for (word, other) in set.iter_mut().zip(other) {
        *word |= other;
    }
}

/// Converts a set of any size. Members from 64·`W` on are dropped.
pub(super) fn to_words<const W: usize>(set: &ValueSet) -> Words<W> {
    let mut words = [0; W];
    for (word, &given) in words.iter_mut().zip(set.words()) {
        *word = given;
    }
    words
}

/// Returns true if two sets share a member.
#[inline(always)]
pub(super) fn meet<const W: usize>(one: &Words<W>, other: &Words<W>) -> bool {
    one.iter().zip(other).any(|(a, b)| a & b != 0)
}
