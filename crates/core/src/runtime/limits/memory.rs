//! The memory limit of a run.

/// The memory that the process uses, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// The resident memory.
    pub resident: u64,
    /// The address space.
    pub address_space: u64,
}

/// The maximum memory of the process, in bytes; unlimited by default.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryLimit {
    used: Option<fn() -> Option<Memory>>,
    resident: Option<u64>,
    address_space: Option<u64>,
}

impl MemoryLimit {
    /// Creates limits in bytes on the resident memory and the address space (such as a limit set by
    /// the system); `None` for no limit. `used` returns the current sizes, because the library does
    /// not query the system; while it returns `None`, nothing is limited.
    ///
    /// A run already stops when less than a sixteenth of the address space, or less than 16 MiB, is
    /// left: exceeding the limit would end the process before the results are printed.
    pub fn measured_by(
        used: fn() -> Option<Memory>,
        resident: Option<u64>,
        address_space: Option<u64>,
    ) -> MemoryLimit {
        MemoryLimit { used: Some(used), resident, address_space }
    }

    /// The limit on resident memory, or else that on the address space; `None` without limits.
    pub(crate) fn any(&self) -> Option<u64> {
        self.resident.or(self.address_space)
    }

    /// The limit that would be exceeded after allocating `more` bytes; `None` if no limit would be.
    pub(super) fn reached_with(&self, more: u64) -> Option<u64> {
        // Do not measure without a limit.
        self.any()?;
        let used = self.used?()?;
        let is_above = |used: u64, most: u64| used.saturating_add(more) > most;
        let resident = self.resident.filter(|&limit| is_above(used.resident, limit));
        let address_space = self
            .address_space
            .filter(|&limit| is_above(used.address_space, limit.saturating_sub(reserve(limit))));
        resident.or(address_space)
    }
}

/// The size in bytes of a hash table with entries of `bytes` bytes after it grows from a capacity
/// of `entries`: it doubles, has a control byte per entry, and leaves an eighth empty.
pub(crate) fn doubled(entries: usize, bytes: u64) -> u64 {
    (2 * entries as u64 + 4) * (bytes + 1) * 8 / 7
}

/// The number of bytes of address space that must stay free, given the limit.
fn reserve(granted: u64) -> u64 {
    const LEAST: u64 = 16 << 20;
    LEAST.max(granted / 16)
}
