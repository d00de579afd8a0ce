//! The propagation queue: cells whose neighbours are to be revised, those with the fewest values
//! first.
//!
//! Cells are kept by size classes, a bit set each, so that entering a cell takes no branch.

/// Cells whose consequences are to be followed, those with few values first: one bit a cell for
/// each class of sizes, 1, 2, 3 to 4, 5 to 8, and so on. A cell may stand in several; the lowest
/// counts.
pub(super) struct Queue {
    /// Words of each class.
    words: usize,
    classes: Vec<u64>,
}

impl Queue {
    const CLASSES: usize = 5;

    pub fn new(cells: usize) -> Self {
        let words = cells.div_ceil(64);
        Queue {
            words,
            classes: vec![0; Self::CLASSES * words],
        }
    }

    /// Enters a cell if `is_wanted`, without a branch: nobody could guess which way it goes.
    #[inline(always)]
    pub fn push(&mut self, cell: usize, size: u32, is_wanted: bool) {
        let class = (u32::BITS - size.saturating_sub(1).leading_zeros()) as usize;
        let class = class.min(Self::CLASSES - 1);
        self.classes[class * self.words + cell / 64] |= u64::from(is_wanted) << (cell % 64);
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<usize> {
        for class in 0..Self::CLASSES {
            for word in 0..self.words {
                let set = self.classes[class * self.words + word];
                if set != 0 {
                    return Some(self.take(word, set.trailing_zeros()));
                }
            }
        }
        None
    }

    /// Takes a cell out of every class.
    #[inline(always)]
    fn take(&mut self, word: usize, bit: u32) -> usize {
        for class in 0..Self::CLASSES {
            self.classes[class * self.words + word] &= !(1 << bit);
        }
        word * 64 + bit as usize
    }

    pub fn is_empty(&self) -> bool {
        self.classes.iter().all(|&word| word == 0)
    }

    pub fn clear(&mut self) {
        self.classes.fill(0);
    }
}
