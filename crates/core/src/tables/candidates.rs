//! An index of the candidates for a cell, by the labels that its filled neighbours require.
//! Backtracking searches build it once and then only read it.

use std::ops::Range;

/// Lists of candidates, stored one after another in a single vector. A list is referred to by its
/// number.
///
/// Searches store one list for each key, a number whose digits are the labels that the filled
/// neighbours require. Cells that share the candidates and the sides with filled neighbours share
/// their lists.
#[derive(Debug)]
pub(crate) struct CandidateIndex<T> {
    /// The candidates of all lists, one list after another.
    pub items: Vec<T>,
    /// The offset of each list in `items`, followed by the length of `items`.
    starts: Vec<u32>,
}

impl<T> Default for CandidateIndex<T> {
    fn default() -> Self {
        CandidateIndex { items: Vec::new(), starts: vec![0] }
    }
}

impl<T> CandidateIndex<T> {
    /// The number of lists, which is also the number that the next list will get.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Appends a list; its number is that of the lists before it.
    pub fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(self.items.len() as u32);
    }

    /// Distributes the candidates `all` over `keys` new lists, one for each key from 0, and returns
    /// the number of the first of these lists. Candidates with equal keys keep their order
    /// (counting sort).
    ///
    /// # Panics
    /// If `key` returns `keys` or more.
    pub fn push_by_key(&mut self, all: &[T], keys: usize, key: impl Fn(&T) -> usize) -> usize
    where
        T: Copy,
    {
        let first = self.len();
        let mut end = self.items.len() as u32;
        self.starts[first] = 0;
        self.starts.resize(first + keys, 0);
        let starts = &mut self.starts[first..];
        for item in all {
            starts[key(item)] += 1;
        }
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        // Filling from the back moves each end down to the start of its list.
        self.items.extend_from_slice(all);
        for item in all.iter().rev() {
            let start = &mut starts[key(item)];
            *start -= 1;
            self.items[*start as usize] = *item;
        }
        self.starts.push(end);
        first
    }

    /// The range of a list, given by its number, in [`items`](Self::items).
    #[inline(always)]
    pub fn range(&self, list: usize) -> Range<u32> {
        self.starts[list]..self.starts[list + 1]
    }

    /// The candidates of a list, given by its number.
    #[inline(always)]
    pub fn list(&self, list: usize) -> &[T] {
        self.slice(self.range(list))
    }

    /// The candidates in a range of [`items`](Self::items).
    #[inline(always)]
    pub fn slice(&self, range: Range<u32>) -> &[T] {
        &self.items[range.start as usize..range.end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_has_the_candidates_of_its_key_in_their_order() {
        let mut index = CandidateIndex::default();
        index.push([7, 8]);
        let by_ten = |number: &i32| *number as usize / 10;
        let first = index.push_by_key(&[31, 12, 30, 11, 10, 39], 5, by_ten);
        assert_eq!(first, 1);
        let lists: Vec<&[i32]> = (0..index.len()).map(|list| index.list(list)).collect();
        assert_eq!(lists, [&[7, 8][..], &[], &[12, 11, 10], &[], &[31, 30, 39], &[]]);
        // If there are no candidates, the new lists are empty and the earlier ones are unchanged.
        assert_eq!(index.push_by_key(&[], 2, by_ten), 6);
        index.push([1]);
        assert_eq!([6, 7, 8, 5].map(|list| index.range(list)), [8..8, 8..8, 8..9, 8..8]);
        assert_eq!(index.list(4), [31, 30, 39]);
    }
}
