//! The wall clock and the processor time. No other module reads them directly.
//!
//! In a browser the standard library has no clock, so [`Instant`] is another type with the same
//! methods. The caller provides the processor time, because reading it requires a crate.

use std::time::Duration;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::Instant;

/// The current time.
pub fn now() -> Instant {
    Instant::now()
}

/// A function that returns the processor time that all threads of this process have used, or `None`
/// if it is unknown. The default always returns `None`.
#[derive(Debug, Clone, Copy)]
pub struct ProcessorTime(pub fn() -> Option<Duration>);

impl Default for ProcessorTime {
    fn default() -> Self {
        ProcessorTime(|| None)
    }
}

/// A stopwatch for the processor time of this process, or for the wall-clock time if that is
/// unknown.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch {
    started: Instant,
    processor: ProcessorTime,
    used_before: Option<Duration>,
}

impl Stopwatch {
    /// Creates a stopwatch that starts now.
    pub fn start(processor: ProcessorTime) -> Stopwatch {
        Stopwatch { started: now(), processor, used_before: (processor.0)() }
    }

    /// The processor time since the start in seconds, or the wall-clock time if that is unknown.
    pub fn seconds(&self) -> f64 {
        self.processor_seconds().unwrap_or_else(|| self.started.elapsed().as_secs_f64())
    }

    /// The processor time since the start in seconds; `None` if unknown.
    pub fn processor_seconds(&self) -> Option<f64> {
        let (used, before) = ((self.processor.0)()?, self.used_before?);
        Some(used.saturating_sub(before).as_secs_f64())
    }
}

/// Formats a time, given in seconds: µs without decimals; ms or s with three significant digits, or
/// whole seconds from 1000 s; scientific notation from 10⁶ s.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.999_5 => format!("{} ms", three_digits(s * 1e3)),
        s if s < 999_999.5 => format!("{} s", three_digits(s)),
        s => format!("{s:.2e} s"),
    }
}

/// Formats a number with three significant digits, or as a whole number from 100.
fn three_digits(number: f64) -> String {
    let decimals = match number {
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_time_is_taken_where_it_is_known() {
        let known = Stopwatch::start(ProcessorTime(|| Some(Duration::from_secs(7))));
        let unknown = Stopwatch::start(ProcessorTime::default());
        while unknown.seconds() == 0.0 {
            std::hint::spin_loop();
        }
        assert_eq!(known.seconds(), 0.0);
    }

    #[test]
    fn times_have_three_digits() {
        let cases = [
            (0.000_041, "41 µs"),
            (0.023_45, "23.4 ms"),
            (0.999_9, "1.00 s"),
            (12.0, "12.0 s"),
            (3600.0, "3600 s"),
            (1.234e38, "1.23e38 s"),
        ];
        for (time, text) in cases {
            assert_eq!(seconds(time), text);
        }
    }
}
