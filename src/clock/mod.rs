//! Time that work takes on the processor, whatever else the machine does meanwhile.

use std::time::{Duration, Instant};

/// Measures the processor time of this process, all its threads together; where the system does not
/// tell it, the time that passes.
#[derive(Debug, Clone, Copy)]
pub struct CpuClock {
    started: Instant,
    used_before: Option<Duration>,
}

impl CpuClock {
    /// Starts now.
    pub fn start() -> CpuClock {
        CpuClock {
            started: Instant::now(),
            used_before: used(),
        }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        let elapsed = match (used(), self.used_before) {
            (Some(now), Some(before)) => now.saturating_sub(before),
            _ => self.started.elapsed(),
        };
        elapsed.as_secs_f64()
    }
}

/// The processor time that this process has used.
#[cfg(unix)]
fn used() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).ok()
}

/// No crate that we have tells it here.
#[cfg(not(unix))]
fn used() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_some() {
        let (clock, wall) = (CpuClock::start(), Instant::now());
        let mut number = 1_u64;
        while clock.seconds() == 0.0 && wall.elapsed() < Duration::from_secs(60) {
            number = std::hint::black_box(number.wrapping_mul(3));
        }
        assert!(clock.seconds() > 0.0);
    }
}
