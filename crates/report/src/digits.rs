//! Shortened numbers for people. Output for programs has all digits.

use std::fmt::Display;

/// A count for people: up to 20 digits in full, otherwise `about 4.7e469`. It is truncated, not
/// rounded, so that a lower bound stays one.
pub fn readable(number: impl Display) -> String {
    let digits = number.to_string();
    scientific(&digits, 1).map_or(digits, |power| format!("about {power}"))
}

/// A count for people, grouped as `23,781,703,680`; with more than 20 digits truncated to
/// `1.23e45`.
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    scientific(&digits, 2).unwrap_or_else(|| {
        let mut grouped = String::new();
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped
    })
}

/// A number of more than 20 digits in scientific notation with this many decimals, truncated;
/// `None` for a shorter number or other text, which results files may contain in place of a number.
fn scientific(digits: &str, decimals: usize) -> Option<String> {
    const LONGEST: usize = 20;
    let is_long = digits.len() > LONGEST && digits.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = digits.len().saturating_sub(1);
    is_long.then(|| format!("{}.{}e{exponent}", &digits[..1], &digits[1..=decimals]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(grouped("23781703680"), "23,781,703,680");
        assert_eq!(grouped("999"), "999");
        assert_eq!(grouped("1000"), "1,000");
        assert_eq!(grouped("123456789".repeat(9)), "1.23e80");
    }

    #[test]
    fn more_than_twenty_digits_are_shortened() {
        assert_eq!(readable(0), "0");
        assert_eq!(readable("99999999999999999999"), "99999999999999999999");
        assert_eq!(readable("100000000000000000000"), "about 1.0e20");
        assert_eq!(readable("é".repeat(30)), "é".repeat(30));
        assert_eq!(readable("4799".to_owned() + &"9".repeat(466)), "about 4.7e469");
    }
}
