//! A set of looks, as bits.

use std::ops::Range;

const BITS: usize = u64::BITS as usize;

/// A set of looks of one puzzle, one bit a look.
///
/// ```
/// use edgematch::puzzle::LookSet;
/// let mut set: LookSet = LookSet::from_looks(100, [3, 70]);
/// set.remove(3);
/// assert_eq!(set.iter().collect::<Vec<_>>(), [70]);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct LookSet {
    words: Vec<u64>,
}

impl LookSet {
    /// The empty set for a puzzle with `looks` looks.
    pub fn empty(looks: usize) -> Self {
        LookSet {
            words: vec![0; looks.div_ceil(BITS)],
        }
    }

    /// The set of these looks, for a puzzle with `looks` looks.
    pub fn from_looks(looks: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = LookSet::empty(looks);
        for look in members {
            set.insert(look);
        }
        set
    }

    /// The set of a range of looks, for a puzzle with `looks` looks.
    pub fn from_range(looks: usize, range: Range<usize>) -> Self {
        LookSet::from_looks(looks, range)
    }

    /// The set whose bits are these words, look 0 the lowest bit of the first one; words that are not
    /// given are empty.
    pub fn from_words(looks: usize, words: &[u64]) -> Self {
        let mut set = LookSet::empty(looks);
        for (word, &given) in set.words.iter_mut().zip(words) {
            *word = given;
        }
        set
    }

    /// The bits, look 0 the lowest one of the first word.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether the look is in the set.
    pub fn contains(&self, look: usize) -> bool {
        self.words[look / BITS] >> (look % BITS) & 1 == 1
    }

    /// Puts a look in.
    pub fn insert(&mut self, look: usize) {
        self.words[look / BITS] |= 1 << (look % BITS);
    }

    /// Takes a look out.
    pub fn remove(&mut self, look: usize) {
        self.words[look / BITS] &= !(1 << (look % BITS));
    }

    /// Takes all looks out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Number of looks in the set.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no look is in the set.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Whether the two sets share a look.
    pub fn meets(&self, other: &LookSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Number of looks that are in both sets.
    pub fn number_in(&self, other: &LookSet) -> usize {
        let pairs = self.words.iter().zip(&other.words);
        pairs.map(|(a, b)| (a & b).count_ones() as usize).sum()
    }

    /// Whether every look of this set is in the other.
    pub fn is_within(&self, other: &LookSet) -> bool {
        self.words
            .iter()
            .zip(&other.words)
            .all(|(a, b)| a & !b == 0)
    }

    /// Adds all looks of the other set.
    pub fn insert_all(&mut self, other: &LookSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Keeps only the looks that are also in the other set.
    pub fn keep(&mut self, other: &LookSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    /// Takes out all looks of the other set.
    pub fn remove_all(&mut self, other: &LookSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= !other;
        }
    }

    /// The looks, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            std::iter::successors(Some(word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|&w| w != 0)
                .map(move |w| index * BITS + w.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_out_ascending_across_words() {
        let set = LookSet::from_looks(200, [199, 0, 64, 63]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 199]);
        assert_eq!(set.len(), 4);
        assert!(LookSet::empty(200).is_within(&set));
        assert!(!set.meets(&LookSet::from_range(200, 1..63)));
    }
}
