//! Natural order of names: numbers in them are compared by value, so that s2 comes before s10.

use std::cmp::Ordering;

/// Compares two names in natural order, ignoring case and leading zeros; names that are then equal
/// are compared by bytes.
pub fn natural(one: &str, other: &str) -> Ordering {
    let (mut rest, mut its) = (one, other);
    loop {
        let (digits, its_digits) = (digits_of(rest), digits_of(its));
        let order = match (digits, its_digits) {
            ("", "") => {
                let (a, b) = (rest.chars().next(), its.chars().next());
                let (Some(a), Some(b)) = (a, b) else {
                    return rest.len().cmp(&its.len()).then_with(|| one.cmp(other));
                };
                (rest, its) = (&rest[a.len_utf8()..], &its[b.len_utf8()..]);
                a.to_lowercase().cmp(b.to_lowercase())
            }
            (_, "") | ("", _) => rest.cmp(its),
            _ => {
                (rest, its) = (&rest[digits.len()..], &its[its_digits.len()..]);
                let [a, b] = [digits, its_digits].map(|digits| digits.trim_start_matches('0'));
                a.len().cmp(&b.len()).then_with(|| a.cmp(b))
            }
        };
        if order.is_ne() {
            return order;
        }
    }
}

/// The longest prefix of ASCII digits.
fn digits_of(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
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
