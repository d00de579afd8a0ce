//! Animals cut in half by an edge: the head is on the `+` half, the tail on the `-` half.

use itertools::Itertools;

use super::figure::Figure;
use super::svg::{Element, Svg};

/// A line for each part of an animal; the head of the file explains the fields.
const ART: &str = include_str!("animals.txt");

const INK: &str = "#222";
const PINK: &str = "#f0a3b5";

/// The parts: name, half, paint, path.
fn parts() -> impl Iterator<Item = (&'static str, &'static str, &'static str, &'static str)> {
    let lines = ART.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.splitn(4, ' ').collect_tuple())
}

/// The names of the animals, in order.
fn names() -> impl Iterator<Item = &'static str> {
    parts().map(|part| part.0).dedup()
}

/// The number of animals.
pub(super) fn number() -> usize {
    names().count()
}

/// Draws a half of the animal with this index, modulo their number, in the colours of a figure.
pub(super) fn put_animal(index: usize, figure: Figure, is_head: bool, svg: &mut Svg) {
    let name = names().nth(index % number());
    let half = if is_head { "head" } else { "tail" };
    for (_, _, paint, path) in parts().filter(|part| Some(part.0) == name && part.1 == half) {
        put_part(paint, path, figure, svg);
    }
}

/// Draws a part: filled and outlined, or a line.
fn put_part(paint: &str, path: &str, figure: Figure, svg: &mut Svg) {
    let part = |fill: &str, stroke| Element::path(path).with("fill", fill).with("stroke", stroke);
    match paint {
        "body" => svg.put(part(&figure.strong(), INK)),
        "pale" => svg.put(part(&figure.mixed(0.65, 255.0), INK)),
        "dark" => svg.put(part(&figure.mixed(0.3, 0.0), "none")),
        "ink" => svg.put(part(INK, INK)),
        "pink" => svg.put(part(PINK, INK)),
        "yellow" => svg.put(part("#ffc53d", INK)),
        "line" => svg.put(part("none", INK)),
        "tail" => {
            for (colour, width) in [(INK, 4.2), (PINK, 2.0)] {
                let line = part("none", colour).with("stroke-width", width);
                svg.put(line.with("stroke-linecap", "round"));
            }
        }
        _ => svg.put(part("#fff", INK)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_animal_has_a_head_and_a_tail() {
        let lines = ART.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(parts().count(), lines.count());
        assert_eq!(names().count(), 11);
        for name in names() {
            for half in ["head", "tail"] {
                assert!(parts().any(|part| part.0 == name && part.1 == half), "{name} {half}");
            }
        }
        let paints = parts().map(|part| part.2).unique().sorted();
        let known = ["body", "dark", "ink", "line", "pale", "pink", "tail", "white", "yellow"];
        assert!(paints.eq(known));
    }
}
