//! The measures of a generated puzzle in one line: classes, tries, nodes.

use std::fmt::Display;

use edgematch::generate::{AtLeast, Band, Measured};
use num_bigint::BigUint;

/// `1 class, 1 distinct, 64,352 tries per distinct solution (medium), 34 nodes`; without the tries where
/// they were not counted.
pub fn measured(measured: &Measured) -> String {
    let classes = &measured.classes;
    let most = if classes.is_all { "" } else { "at least " };
    let number = |number: &dyn Display, one: &str, many: &str| match number.to_string().as_str() {
        "1" => format!("1 {one}"),
        number => format!("{} {many}", grouped(number)),
    };
    let classes = match (classes.number == BigUint::ZERO, classes.is_all) {
        (true, true) => "no solution".to_owned(),
        (true, false) => "solutions uncounted".to_owned(),
        _ => format!(
            "{most}{}, {}",
            number(&classes.number, "class", "classes"),
            number(&measured.distinct.number, "distinct", "distinct"),
        ),
    };
    let nodes = measured.nodes.map_or_else(String::new, |nodes| {
        let most = if nodes.is_all { "" } else { "more than " };
        format!(", {most}{}", number(&nodes.number, "node", "nodes"))
    });
    let difficulty = if measured.tries.is_some() {
        format!(", {}", difficulty(measured))
    } else {
        String::new()
    };
    format!("{classes}{difficulty}{nodes}")
}

/// `64,352 tries per distinct solution (medium)`.
fn difficulty(measured: &Measured) -> String {
    let tries = |AtLeast { number, is_all }: AtLeast<f64>| {
        let most = if is_all { "" } else { "more than " };
        let number = number.round();
        format!(
            "{most}{} {}",
            grouped(number),
            if number == 1.0 { "try" } else { "tries" }
        )
    };
    match measured.difficulty() {
        None => "of unknown difficulty".to_owned(),
        Some(difficulty) if measured.distinct.number == 0 => tries(difficulty),
        Some(difficulty) => {
            let band = Band::of(difficulty);
            let band = band.map_or_else(String::new, |band| format!(" ({})", band.name));
            format!("{} per distinct solution{band}", tries(difficulty))
        }
    }
}

/// 23,781,703,680; numbers that are longer than anybody reads are 1.23e45.
pub fn grouped(number: impl Display) -> String {
    const LONGEST: usize = 18;
    let digits = number.to_string();
    if digits.len() > LONGEST {
        return format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1);
    }
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
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
}
