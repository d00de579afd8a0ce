//! The propagation queue: cells whose neighbours are to be revised, those with the fewest values
//! first.
//!
//! Cells are kept by size classes, a bit set each, so that entering a cell takes no branch.

/// Cells whose consequences are to be followed, those with few values first: one bit a cell for
/// each class of sizes, 1, 2, 3 to 4, 5 to 8, and more. A cell may stand in several; the lowest
/// counts.
pub(super) struct Queue {
    /// By 64 cells, then by class.
    words: Vec<[u64; CLASSES]>,
    /// The classes that may have cells, one bit each.
    classes: u32,
}

const CLASSES: usize = 5;

impl Queue {
    pub fn new(cells: usize) -> Self {
        Queue { words: vec![[0; CLASSES]; cells.div_ceil(64)], classes: 0 }
    }

    /// Enters a cell if `is_wanted`, without a branch: nobody could guess which way it goes.
    #[inline(always)]
    pub fn push(&mut self, cell: usize, size: u32, is_wanted: bool) {
        let class = (u32::BITS - size.saturating_sub(1).leading_zeros()) as usize;
        let class = class.min(CLASSES - 1);
        self.words[cell / 64][class] |= u64::from(is_wanted) << (cell % 64);
        self.classes |= u32::from(is_wanted) << class;
    }

    #[inline(always)]
    pub fn pop(&mut self) -> Option<usize> {
        while self.classes != 0 {
            let class = (self.classes.trailing_zeros() as usize).min(CLASSES - 1);
            for (index, word) in self.words.iter_mut().enumerate() {
                if word[class] != 0 {
                    let bit = word[class].trailing_zeros();
                    for set in word {
                        *set &= !(1 << bit);
                    }
                    return Some(index * 64 + bit as usize);
                }
            }
            self.classes &= self.classes - 1;
        }
        None
    }

    /// Whether [`pop`](Self::pop) left nothing and nothing was entered since.
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    pub fn clear(&mut self) {
        self.words.fill([0; CLASSES]);
        self.classes = 0;
    }
}
