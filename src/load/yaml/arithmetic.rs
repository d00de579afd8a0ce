//! Small expressions over whole numbers and names: `+`, `-`, `*`, `mod` and brackets.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

/// Returns true if a text can be the name of a variable: a letter, then letters, digits or `_`.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(char::is_alphabetic)
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
        && text != "mod"
}

/// The names in a text, in order. A part after a point, as in `c.row`, is not a name.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
    let names = words.flat_map(|word| {
        let is_range = word.contains("..");
        word.split("..").filter_map(
            move |part| {
                if is_range { Some(part) } else { part.split('.').next() }
            },
        )
    });
    names.filter(|name| is_name(name))
}

/// The range of a text such as `1..4`; `None` for any other text.
pub(in crate::load) fn range(text: &str) -> Option<RangeInclusive<i64>> {
    let (first, last) = text.split_once("..")?;
    let range = first.trim().parse().ok()?..=last.trim().parse().ok()?;
    (!range.is_empty()).then_some(range)
}

/// The value of an expression. `number` gives the value of a name. `None` if the text is not an
/// expression, a name has no value, or the result does not fit into 64 bits.
pub(super) fn evaluate(text: &str, number: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    let mut reader = Parser { rest: text, number };
    let value = reader.sum()?;
    reader.rest.trim().is_empty().then_some(value)
}

/// A recursive-descent reader of expressions.
struct Parser<'t> {
    rest: &'t str,
    number: &'t dyn Fn(&str) -> Option<i64>,
}

impl Parser<'_> {
    /// Removes a token from the start of the rest; false if the rest starts differently.
    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.take("+") {
                value = value.checked_add(self.product()?)?;
            } else if self.take("-") {
                value = value.checked_sub(self.product()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.factor()?;
        loop {
            if self.take("*") {
                value = value.checked_mul(self.factor()?)?;
            } else if self.take("mod ") || self.take("%") {
                value = value.checked_rem_euclid(self.factor()?)?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<i64> {
        if self.take("-") {
            return self.factor()?.checked_neg();
        }
        if self.take("(") {
            let value = self.sum()?;
            return self.take(")").then_some(value);
        }
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "_.".contains(c)));
        let (word, rest) = rest.split_at(end.unwrap_or(rest.len()));
        self.rest = rest;
        word.parse().ok().or_else(|| (self.number)(word))
    }
}

/// Returns true if two values in this order satisfy a comparison.
type Holds = fn(Ordering) -> bool;

/// The operators; one that contains another comes first.
const COMPARISONS: [(&str, Holds); 6] = [
    ("<=", Ordering::is_le),
    (">=", Ordering::is_ge),
    ("!=", Ordering::is_ne),
    ("<", Ordering::is_lt),
    (">", Ordering::is_gt),
    ("=", Ordering::is_eq),
];

/// The left side, the comparison and the right side of a text; `None` if it has no operator.
pub(super) fn comparison(text: &str) -> Option<(&str, Holds, &str)> {
    COMPARISONS.into_iter().find_map(|(operator, holds)| {
        let (left, right) = text.split_once(operator)?;
        Some((left.trim(), holds, right.trim_start_matches('=').trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_their_usual_values() {
        let number = |name: &str| (name == "r" || name == "c.row").then_some(5);
        for (text, value) in [
            ("r", Some(5)),
            ("r+1", Some(6)),
            ("2 * (r - 1) - -3", Some(11)),
            ("2 + 3*4", Some(14)),
            ("(0 - 1) mod 4", Some(3)),
            ("r % 2", Some(1)),
            ("c.row - 1", Some(4)),
            ("r mod 0", None),
            ("9223372036854775807 + 1", None),
            ("s", None),
            ("r +", None),
            ("(r", None),
            ("r 1", None),
            ("", None),
        ] {
            assert_eq!(evaluate(text, &number), value, "{text}");
        }
    }

    #[test]
    fn names_and_ranges_are_found() {
        assert_eq!(names("row r+1 mod c.row 2..n").collect::<Vec<_>>(), ["row", "r", "c", "n"]);
        assert_eq!(range("2..4"), Some(2..=4));
        assert_eq!(range("4..2"), None);
        assert_eq!(range("1.5"), None);
    }

    #[test]
    fn comparisons_are_split_at_the_longest_operator() {
        for (text, holds) in [("1<=2", true), ("a != b", false), ("x>y", false), ("x == y", true)] {
            let (_, is_met, _) = comparison(text).unwrap();
            let order = if text.starts_with('1') { Ordering::Less } else { Ordering::Equal };
            assert_eq!(is_met(order), holds, "{text}");
        }
        assert!(comparison("a b").is_none());
    }
}
