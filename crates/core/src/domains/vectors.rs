//! The innermost operations on sets, four words at a time, with the available vector instructions.

use fearless_simd::prelude::*;
use fearless_simd::{Level, u64x4};

use super::words::{self, Words};

/// A computation that is compiled once for each instruction set.
pub(super) trait VectorTask {
    type Result;

    /// Runs the computation; `simd` selects the instruction set.
    fn run<V: Simd>(self, simd: V) -> Self::Result;
}

/// Runs a task with AVX2 if the processor has it, otherwise with the instructions that every
/// processor of the architecture has. AVX2 halves the time of a task on large sets; wider vectors
/// were not tried.
#[inline(always)]
pub(super) fn dispatch<T: VectorTask>(level: Level, task: T) -> T::Result {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(avx2) = level.as_avx2() {
        return avx2.vectorize(
            #[inline(always)]
            || task.run(avx2),
        );
    }
    run_baseline(level, task)
}

/// Runs a task with the instructions that every processor of this architecture has.
#[inline(always)]
fn run_baseline<T: VectorTask>(level: Level, task: T) -> T::Result {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(sse2) = level.as_sse2() {
        return task.run(sse2);
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(neon) = level.as_neon() {
        return task.run(neon);
    }
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    if let Some(simd128) = level.as_wasm_simd128() {
        return task.run(simd128);
    }
    #[cfg(not(any(
        target_feature = "sse2",
        target_feature = "neon",
        target_feature = "simd128"
    )))]
    return task.run(fearless_simd::Fallback::new());
    #[cfg(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"))]
    unreachable!(
        "the program was compiled for processors with vector instructions, but {level:?} has none"
    );
}

/// The number of words in a vector.
const LANES: usize = 4;

/// A vector of these words. Panics unless there are exactly [`LANES`].
#[inline(always)]
fn load<V: Simd>(simd: V, words: &[u64]) -> u64x4<V> {
    u64x4::from_slice(simd, words)
}

/// The intersection of two sets.
#[inline(always)]
pub(super) fn intersection<V: Simd, const W: usize>(
    simd: V,
    one: &Words<W>,
    other: &Words<W>,
) -> Words<W> {
    if !W.is_multiple_of(LANES) {
        return words::intersection(one, other);
    }
    let mut both = [0; W];
    let pairs = one.chunks_exact(LANES).zip(other.chunks_exact(LANES));
    for (both, (one, other)) in both.chunks_exact_mut(LANES).zip(pairs) {
        (load(simd, one) & load(simd, other)).store_slice(both);
    }
    both
}

/// The members of `one` that are not in `other`.
#[inline(always)]
pub(super) fn difference<V: Simd, const W: usize>(
    simd: V,
    one: &Words<W>,
    other: &Words<W>,
) -> Words<W> {
    if !W.is_multiple_of(LANES) {
        return std::array::from_fn(|w| one[w] & !other[w]);
    }
    let mut rest = [0; W];
    let pairs = one.chunks_exact(LANES).zip(other.chunks_exact(LANES));
    for (rest, (one, other)) in rest.chunks_exact_mut(LANES).zip(pairs) {
        (load(simd, one) & !load(simd, other)).store_slice(rest);
    }
    rest
}

/// Adds the members of `other` to `set`.
#[inline(always)]
pub(super) fn add_all<V: Simd, const W: usize>(simd: V, set: &mut Words<W>, other: &Words<W>) {
    if !W.is_multiple_of(LANES) {
        return words::add_all(set, other);
    }
    for (set, other) in set.chunks_exact_mut(LANES).zip(other.chunks_exact(LANES)) {
        (load(simd, set) | load(simd, other)).store_slice(set);
    }
}

/// Returns true if two sets differ.
#[inline(always)]
pub(super) fn differ<V: Simd, const W: usize>(simd: V, one: &Words<W>, other: &Words<W>) -> bool {
    if !W.is_multiple_of(LANES) {
        return one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other)) != 0;
    }
    let mut differ = u64x4::splat(simd, 0);
    for (one, other) in one.chunks_exact(LANES).zip(other.chunks_exact(LANES)) {
        differ |= load(simd, one) ^ load(simd, other);
    }
    let bytes: fearless_simd::u8x32<V> = differ.bitcast();
    !bytes.simd_eq(0).all_true()
}

/// Returns true if bits of a vector can be counted efficiently with this instruction set, which is
/// AVX2 alone.
#[inline(always)]
fn has_count<V: Simd>(simd: V) -> bool {
    match simd.level() {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        Level::Avx2(_) => true,
        _ => false,
    }
}

/// The number of members.
///
/// Without an instruction that counts bits, counts are added within four bits, which have room for
/// three words, then within bytes.
#[inline(always)]
pub(super) fn count<V: Simd, const W: usize>(simd: V, set: &Words<W>) -> u32 {
    /// The maximum number of vectors, so that counts within bytes do not overflow.
    const MOST: usize = 30;
    if !W.is_multiple_of(LANES) || W > LANES * MOST {
        return words::count(set);
    }
    if has_count(simd) {
        let vectors = set.chunks_exact(LANES).map(|words| load(simd, words));
        let counts = vectors.fold(u64x4::splat(simd, 0), |sum, words| sum + words.count_ones());
        let [a, b, c, d] = counts.into();
        return (a + b + c + d) as u32;
    }
    let pairs = u64x4::splat(simd, 0x5555_5555_5555_5555);
    let fours = u64x4::splat(simd, 0x3333_3333_3333_3333);
    let eights = u64x4::splat(simd, 0x0f0f_0f0f_0f0f_0f0f);
    let mut by_eight = u64x4::splat(simd, 0);
    for three in set.chunks(3 * LANES) {
        let mut by_four = u64x4::splat(simd, 0);
        for four in three.chunks_exact(LANES) {
            let word = load(simd, four);
            let by_pair = word - ((word >> 1) & pairs);
            by_four += (by_pair & fours) + ((by_pair >> 2) & fours);
        }
        by_eight += (by_four & eights) + ((by_four >> 4) & eights);
    }
    let halves = u64x4::splat(simd, 0x00ff_00ff_00ff_00ff);
    let by_half = (by_eight & halves) + ((by_eight >> 8) & halves);
    let [a, b, c, d] = by_half.into();
    ((a + b + c + d).wrapping_mul(0x0001_0001_0001_0001) >> 48) as u32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A task that applies every operation to two sets.
    struct All<const W: usize>(Words<W>, Words<W>);

    impl<const W: usize> VectorTask for All<W> {
        type Result = (Words<W>, Words<W>, Words<W>, bool, u32);

        fn run<V: Simd>(self, simd: V) -> Self::Result {
            let All(one, other) = self;
            let mut either = one;
            add_all(simd, &mut either, &other);
            (
                intersection(simd, &one, &other),
                difference(simd, &one, &other),
                either,
                differ(simd, &one, &other),
                count(simd, &one),
            )
        }
    }

    fn check<const W: usize>(words: &[(u64, u64)]) {
        let one: Words<W> = std::array::from_fn(|w| words[w].0);
        let other: Words<W> = std::array::from_fn(|w| words[w].1);
        let expected = (
            std::array::from_fn(|w| one[w] & other[w]),
            std::array::from_fn(|w| one[w] & !other[w]),
            std::array::from_fn(|w| one[w] | other[w]),
            one != other,
            one.iter().map(|word| word.count_ones()).sum(),
        );
        let level = Level::new();
        assert_eq!(dispatch(level, All(one, other)), expected);
        assert_eq!(run_baseline(level, All(one, other)), expected);
        assert!(!dispatch(level, All(one, one)).3);
    }

    proptest! {
        #[test]
        fn vector_operations_agree_with_those_on_single_words(
            words in prop::collection::vec(prop::sample::select(vec![0, 1, 1 << 63, u64::MAX, 0x1234_5678_9abc_def0]), 128),
            random in prop::collection::vec(any::<(u64, u64)>(), 64),
        ) {
            let edges: Vec<(u64, u64)> = words.chunks(2).map(|pair| (pair[0], pair[1])).collect();
            for words in [edges, random] {
                check::<1>(&words);
                check::<2>(&words);
                check::<4>(&words);
                check::<8>(&words);
                check::<12>(&words);
                check::<16>(&words);
                check::<64>(&words);
            }
        }
    }

    #[test]
    fn full_sets_are_counted() {
        check::<4>(&[(u64::MAX, 0); 4]);
        check::<32>(&[(u64::MAX, 0); 32]);
        check::<64>(&[(u64::MAX, 0); 64]);
    }
}
