//! Times in words.

/// A time with three significant digits.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.999_5 => format!("{} ms", three_digits(s * 1e3)),
        s if s < 999_999.5 => format!("{} s", three_digits(s)),
        s => format!("{s:.2e} s"),
    }
}

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
