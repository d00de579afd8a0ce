//! Natural order of names: numbers in them are compared by value, so that s2 comes before s10.

use std::cmp::Ordering;

/// Compares two names in natural order, ignoring case and leading zeros; names that are then equal
/// are compared by bytes.
pub fn natural(one: &str, other: &str) -> Ordering {
    pieces(one).cmp(pieces(other)).then_with(|| one.cmp(other))
}

/// The sort keys of the characters of a text: the character in lower case; for a run of digits
/// together `0`, their number and the digits, without leading zeros.
fn pieces(mut text: &str) -> impl Iterator<Item = (char, usize, &str)> {
    std::iter::from_fn(move || {
        let first = text.chars().next()?;
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let piece;
        (piece, text) = text.split_at(digits.max(first.len_utf8()));
        if digits == 0 {
            return Some((first.to_lowercase().next()?, 0, ""));
        }
        let number = piece.trim_start_matches('0');
        Some(('0', number.len(), number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_by_size_and_letters_without_case() {
        let mut names =
            ["s10", "S2", "s1", "s02", "", "s", "t1", "s1b", "s1a", "é", "s1-10", "s1-9"];
        names.sort_by(|one, other| natural(one, other));
        let expected =
            ["", "s", "s1", "s1-9", "s1-10", "s1a", "s1b", "S2", "s02", "s10", "t1", "é"];
        assert_eq!(names, expected);
    }

    #[test]
    fn it_is_an_order() {
        let names = ["a1", "a01", "A1", "a", "1", "01", "1a", "b", "a1b", "a1B", "é2", "É10"];
        for one in names {
            assert_eq!(natural(one, one), Ordering::Equal);
            for other in names {
                assert_eq!(natural(one, other), natural(other, one).reverse());
                for third in names {
                    let is_between = natural(one, other).is_lt() && natural(other, third).is_lt();
                    assert!(!is_between || natural(one, third).is_lt(), "{one} {other} {third}");
                }
            }
        }
    }
}
