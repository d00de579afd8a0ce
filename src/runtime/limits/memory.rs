//! How much memory a run may take.

/// How much memory the process has, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// In the machine's memory.
    pub resident: u64,
    /// Of address space.
    pub address_space: u64,
}

/// How much memory the process may have, in bytes; by default any amount.
#[derive(Debug, Clone, Copy, Default)]
pub struct MemoryLimit {
    used: Option<fn() -> Option<Memory>>,
    resident: Option<u64>,
    address_space: Option<u64>,
}

impl MemoryLimit {
    /// Limits in the machine's memory, and of address space where the system grants no more than
    /// some. `used` tells how much the process has: the library asks no system; what is not
    /// told is no reason to stop.
    ///
    /// A run stops when a sixteenth of the address space is left, or 16 MiB: what is wanted beyond
    /// it would end the process, and what was found is still to be shown.
    pub fn measured_by(
        used: fn() -> Option<Memory>,
        resident: Option<u64>,
        address_space: Option<u64>,
    ) -> MemoryLimit {
        MemoryLimit { used: Some(used), resident, address_space }
    }

    /// One of the limits, where there is one.
    pub(crate) fn any(&self) -> Option<u64> {
        self.resident.or(self.address_space)
    }

    /// The limit that is reached when the process takes so many bytes more, where one is.
    pub(super) fn reached_with(&self, more: u64) -> Option<u64> {
        // It is not asked for nothing.
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

/// Bytes of a hash table that doubles, as it does when it is full of so many entries of so many bytes:
/// one more for the control of each, and an eighth stays empty.
pub(crate) fn doubled(entries: usize, bytes: u64) -> u64 {
    (2 * entries as u64 + 4) * (bytes + 1) * 8 / 7
}

/// Address space that is left when a run stops.
fn reserve(granted: u64) -> u64 {
    const LEAST: u64 = 16 << 20;
    LEAST.max(granted / 16)
}
