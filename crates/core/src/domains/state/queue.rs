//! The propagation queue: cells whose neighbours must be revised, those with the fewest values
//! first.
//!
//! There is one bit set for each size class, so that inserting a cell needs no branch.

/// Cells to propagate, with one bit per cell in each size class: 1, 2, 3 to 4, 5 to 8, and more
/// values. A cell may be in several classes; only the lowest one counts.
pub(super) struct Queue {
    /// Indexed by blocks of 64 cells, then by class.
    words: Vec<[u64; CLASSES]>,
    /// The classes that may contain cells, with one bit per class.
    classes: u32,
}

/// The number of size classes.
const CLASSES: usize = 5;

impl Queue {
    /// Creates an empty queue for this many cells.
    pub fn new(cells: usize) -> Self {
        Queue { words: vec![[0; CLASSES]; cells.div_ceil(64)], classes: 0 }
    }

    /// Inserts a cell with `size` values if `is_wanted`, without a branch, which would be
    /// unpredictable.
    #[inline(always)]
    pub fn push(&mut self, cell: usize, size: u32, is_wanted: bool) {
        let class = (u32::BITS - size.saturating_sub(1).leading_zeros()) as usize;
        let class = class.min(CLASSES - 1);
        self.words[cell / 64][class] |= u64::from(is_wanted) << (cell % 64);
        self.classes |= u32::from(is_wanted) << class;
    }

    /// Removes a cell of the lowest class from all classes and returns it; `None` if the queue is
    /// empty.
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

    /// Returns true if nothing was inserted since [`pop`](Self::pop) last returned `None` or the
    /// queue was cleared.
    pub fn is_empty(&self) -> bool {
        self.classes == 0
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.words.fill([0; CLASSES]);
        self.classes = 0;
    }
}
