//! The measurements of a generated puzzle as a line of text.

use std::fmt::Display;

use edgematch::generate::{AtLeast, Band, Measured};
use num_bigint::BigUint;

use super::grouped;

/// The measurements as `1 class, 1 distinct, 64,352 tries per distinct solution (medium), 34
/// nodes`. Tries and nodes are left out if they were not counted; incomplete counts are marked as
/// lower bounds.
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
    let difficulty =
        measured.tries.map(|_| format!(", {}", difficulty(measured))).unwrap_or_default();
    format!("{classes}{difficulty}{nodes}")
}

/// The difficulty with its band: `64,352 tries per distinct solution (medium)`.
fn difficulty(measured: &Measured) -> String {
    let tries = |AtLeast { number, is_all }: AtLeast<f64>| {
        let most = if is_all { "" } else { "more than " };
        let number = number.round();
        format!("{most}{} {}", grouped(number), if number == 1.0 { "try" } else { "tries" })
    };
    match measured.difficulty() {
        None => "of unknown difficulty".to_owned(),
        Some(difficulty) if measured.distinct.number == 0 => tries(difficulty),
        Some(difficulty) => {
            let band = Band::from_difficulty(difficulty);
            let band = band.map_or_else(String::new, |band| format!(" ({})", band.name));
            format!("{} per distinct solution{band}", tries(difficulty))
        }
    }
}
