//! The memory limit of a run.

/// The memory of the process, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Resident memory.
    pub resident: u64,
    /// Address space.
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
    /// Creates limits on the resident memory and the address space (such as a limit set by the
    /// system). `used` returns the current sizes, because the library does not query the system; if
    /// it returns `None`, there is no limit.
    ///
    /// A run stops when a sixteenth of the address space is left, at least 16 MiB. Exceeding it
    /// would end the process before the results are printed.
    pub fn measured_by(
        used: fn() -> Option<Memory>,
        resident: Option<u64>,
        address_space: Option<u64>,
    ) -> MemoryLimit {
        MemoryLimit { used: Some(used), resident, address_space }
    }

    /// One of the limits, if there is any.
    pub(crate) fn any(&self) -> Option<u64> {
        self.resident.or(self.address_space)
    }

    /// The limit that would be exceeded by allocating `more` bytes, if any.
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

/// The size in bytes of a hash table with entries of `bytes` bytes after it grows from `entries`
/// entries: it doubles, has a control byte per entry, and leaves an eighth empty.
pub(crate) fn doubled(entries: usize, bytes: u64) -> u64 {
    (2 * entries as u64 + 4) * (bytes + 1) * 8 / 7
}

/// The address space that is kept free when a run stops.
fn reserve(granted: u64) -> u64 {
    const LEAST: u64 = 16 << 20;
    LEAST.max(granted / 16)
}
