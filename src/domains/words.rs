//! Sets of a fixed number of 64-bit words, which the compiler unrolls.

/// A set of at most 64·`W` members.
pub(super) type Words<const W: usize> = [u64; W];

/// Number of members.
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

/// Does something for each member, ascending: [`bits`] for the innermost loop.
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

/// Takes the smallest member out.
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

/// Whether two sets share a look.
#[inline(always)]
pub(super) fn meet<const W: usize>(one: &Words<W>, other: &Words<W>) -> bool {
    one.iter().zip(other).any(|(a, b)| a & b != 0)
}
