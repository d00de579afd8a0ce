//! What a file may hold at most, so that no file can take all time or memory.

/// Files above this size, in bytes, are refused: no puzzle comes near it.
pub const LARGEST_FILE: u64 = 16 << 20;

/// More tiles than any puzzle has.
pub(super) const MOST_TILES: usize = 10_000;

/// More cells than any puzzle has. A tile with any number of copies would fill a larger board.
pub(super) const MOST_CELLS: usize = 100_000;

/// The largest number of rows or columns.
pub(super) const LONGEST_SIDE: usize = 1_000;
