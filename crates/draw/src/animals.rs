//! Animals cut in half by an edge: the head is on the `+` half, the tail on the `-` half.

use itertools::Itertools;

use super::figure::Figure;
use super::svg::{Element, Svg};

/// The parts of the animals, a line each; see its head.
const ART: &str = include_str!("animals.txt");

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
    let line = || Element::path(path).with("fill", "none").with("stroke-linecap", "round");
    let fill = match paint {
        "line" => return svg.put(Element::path(path).with("fill", "none").with("stroke", "#222")),
        "tail" => {
            svg.put(line().with_stroke("#222", 4.2));
            return svg.put(line().with_stroke(PINK, 2.0));
        }
        "dark" => {
            let shade = figure.mixed(0.3, 0.0);
            return svg.put(Element::path(path).with("fill", shade).with("stroke", "none"));
        }
        "body" => figure.strong(),
        "pale" => figure.mixed(0.65, 255.0),
        "ink" => "#222".to_owned(),
        "pink" => PINK.to_owned(),
        "yellow" => "#ffc53d".to_owned(),
        _ => "#fff".to_owned(),
    };
    svg.put(Element::path(path).with("fill", fill).with("stroke", "#222"));
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
