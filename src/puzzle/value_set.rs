//! A set of values as bits, of any size; the domains of searches use sets of fixed width instead.

use std::ops::Range;

const BITS: usize = u64::BITS as usize;

/// A set of values of one puzzle, one bit a value.
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
    /// The empty set for a puzzle with so many values.
    pub fn empty(values: usize) -> Self {
        ValueSet { words: vec![0; values.div_ceil(BITS)] }
    }

    /// The set of these values, for a puzzle with so many values.
    pub fn from_values(values: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = ValueSet::empty(values);
        members.into_iter().for_each(|value| set.insert(value));
        set
    }

    /// The set of a range of values, for a puzzle with so many values.
    pub fn from_range(values: usize, range: Range<usize>) -> Self {
        ValueSet::from_values(values, range)
    }

    /// The set whose bits are these words, value 0 the lowest bit of the first one; words that are
    /// not given are empty.
    pub fn from_words(values: usize, words: &[u64]) -> Self {
        let mut set = ValueSet::empty(values);
        for (word, &given) in set.words.iter_mut().zip(words) {
            *word = given;
        }
        set
    }

    /// The bits, value 0 the lowest one of the first word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether the value is in the set.
    pub fn contains(&self, value: usize) -> bool {
        self.words[value / BITS] >> (value % BITS) & 1 == 1
    }

    /// Puts a value in.
    pub fn insert(&mut self, value: usize) {
        self.words[value / BITS] |= 1 << (value % BITS);
    }

    /// Takes a value out.
    pub fn remove(&mut self, value: usize) {
        self.words[value / BITS] &= !(1 << (value % BITS));
    }

    /// Takes all values out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Number of values in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no value is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Whether the two sets share a value.
    pub fn meets(&self, other: &ValueSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Number of values that are in both sets.
    pub fn number_in(&self, other: &ValueSet) -> usize {
        self.words.iter().zip(&other.words).map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Adds all values of the other set.
    pub fn insert_all(&mut self, other: &ValueSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Keeps only the values that are also in the other set.
    pub fn keep(&mut self, other: &ValueSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Takes out all values of the other set.
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

/// The bits of a word that are set, ascending.
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
