//! Sets of values as bit sets of any size. Searches use sets of fixed width instead.

use std::ops::Range;

const BITS: usize = u64::BITS as usize;

/// A set of values of a puzzle, with one bit per value. Methods with two sets require sets of the
/// same puzzle.
///
/// ```
/// use edgematch::puzzle::ValueSet;
/// let mut set: ValueSet = ValueSet::from_values(100, [3, 70]);
/// set.remove(3);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [70]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ValueSet {
    words: Vec<u64>,
}

impl ValueSet {
    /// Creates the empty set for a puzzle with `values` values.
    pub fn empty(values: usize) -> Self {
        ValueSet { words: vec![0; values.div_ceil(BITS)] }
    }

    /// Creates a set of `members` for a puzzle with `values` values.
    pub fn from_values(values: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = ValueSet::empty(values);
        members.into_iter().for_each(|value| set.insert(value));
        set
    }

    /// Creates the set of the values in `range` for a puzzle with `values` values.
    pub fn from_range(values: usize, range: Range<usize>) -> Self {
        ValueSet::from_values(values, range)
    }

    /// Creates a set from its bits; value 0 is the lowest bit of the first word. Missing words
    /// count as zero, and excess words are ignored.
    pub fn from_words(values: usize, words: &[u64]) -> Self {
        let mut set = ValueSet::empty(values);
        for (word, &given) in set.words.iter_mut().zip(words) {
            *word = given;
        }
        set
    }

    /// The bits; value 0 is the lowest bit of the first word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns true if the set contains the value, which must be one of the puzzle's.
    pub fn contains(&self, value: usize) -> bool {
        self.words[value / BITS] >> (value % BITS) & 1 == 1
    }

    /// Adds a value.
    pub fn insert(&mut self, value: usize) {
        self.words[value / BITS] |= 1 << (value % BITS);
    }

    /// Removes a value.
    pub fn remove(&mut self, value: usize) {
        self.words[value / BITS] &= !(1 << (value % BITS));
    }

    /// Removes all values.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// The number of values in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Returns true if the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Returns true if the two sets share a value.
    pub fn meets(&self, other: &ValueSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// The number of values that the two sets share.
    pub fn number_in(&self, other: &ValueSet) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Removes the values that are not in the other set.
    pub fn keep(&mut self, other: &ValueSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Removes the values that are in the other set.
    pub fn remove_all(&mut self, other: &ValueSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// The values, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(index, &word)| Bits(word).map(move |bit| index * BITS + bit))
    }
}

/// Iterates over the set bits of a word, ascending.
struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let bit = (self.0 != 0).then(|| self.0.trailing_zeros() as usize);
        self.0 &= self.0.wrapping_sub(1);
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_out_ascending_across_words() {
        let set = ValueSet::from_values(200, [199, 0, 64, 63]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert_eq!(set.len(), 4);
        assert!(!set.meets(&ValueSet::from_range(200, 1..63)));
    }
}
