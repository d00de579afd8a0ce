//! The processor time and memory of this process, as reported by the system.

use std::time::Duration;

use edgematch::enumerate::Memory;
use edgematch::runtime::clock::ProcessorTime;
use memory_stats::memory_stats;

/// Measures the processor time of all threads of this process.
pub const PROCESSOR_TIME: ProcessorTime = ProcessorTime(processor_time);

#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

/// `None`: no dependency of ours measures it on this system.
#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

/// The memory that the process uses now, in bytes; `None` if the system does not report it.
pub fn memory() -> Option<Memory> {
    let used = memory_stats()?;
    Some(Memory { resident: used.physical_mem as u64, address_space: used.virtual_mem as u64 })
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use edgematch::runtime::clock::Stopwatch;

    use super::*;

    #[test]
    fn work_takes_processor_time() {
        let before = processor_time().expect("the system tells it");
        let clock = Stopwatch::start(PROCESSOR_TIME);
        let mut number = 1_u64;
        while clock.seconds() == 0.0 {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(processor_time() > Some(before));
    }

    #[test]
    fn the_process_has_memory() {
        let memory = memory().expect("the system tells it");
        assert!(memory.resident > 0 && memory.address_space >= memory.resident);
    }
}
