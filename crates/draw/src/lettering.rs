//! Text in drawings, including the name in the middle of a tile.

use unicode_width::UnicodeWidthStr;

use super::polygon::{Point, short};
use super::svg::{Element, Svg};

/// The estimated width of a character, relative to the font size.
pub(super) const ADVANCE: f64 = 0.62;

/// The distance of the baseline below the middle of a line, relative to the font size.
pub(super) const BASELINE: f64 = 0.36;

/// The space for a name on a square tile, in units.
const ROOM: f64 = 46.0;

/// The maximum font size of a tile's name, in units.
pub(super) const LARGEST: f64 = 24.0;

/// Writes a name around the origin, in the largest font, up to `largest`, with which it is at most
/// `room` units wide. If that is too small to read, the name is truncated. A back is marked
/// `back` below the name. The surrounding group must set the font size to [`LARGEST`].
pub(super) fn write_name(name: &str, is_back: bool, room: f64, largest: f64, svg: &mut Svg) {
    let part = (room / ROOM).min(1.0);
    let smallest = (8.0 * part).max(6.0);
    let fitting = |text: &str| room / (ADVANCE * text.width().max(1) as f64);
    let mut shown = name.to_owned();
    while fitting(&shown) < smallest {
        let shorter = shown.chars().count().saturating_sub(2);
        shown = shown.chars().take(shorter).collect::<String>() + "…";
    }
    let size = fitting(&shown).min(largest * part);
    let mut below = 0.0;
    if !name.is_empty() {
        let baseline = size * BASELINE;
        let text = Element::new("text").with("y", short(baseline));
        svg.text(if size == LARGEST { text } else { sized(text, size) }, &shown);
        if let Some(line) = underline(&shown, "0689", (0.0, baseline), size) {
            svg.put(Element::path(line).with_stroke("#222", short(size / 16.0)));
        }
        below = baseline + 14.5 * part;
    }
    if is_back {
        svg.text(lettering((0.0, below), 10.0 * part), "back");
    }
}

/// Text centred horizontally at a point on its baseline.
pub(super) fn lettering((x, baseline): Point, size: f64) -> Element {
    sized(Element::new("text").with("x", short(x)).with("y", short(baseline)), size)
}

/// Sets the font size, rounded to a tenth of a unit.
fn sized(text: Element, size: f64) -> Element {
    text.with("font-size", (size * 10.0).round() / 10.0)
}

/// The underline of a text that reads as another number upside down, such as 6, as path data;
/// `None` for other texts. A text is one if it contains 6 or 9, and only characters of `turnable`.
pub(super) fn underline(
    digits: &str,
    turnable: &str,
    (x, baseline): Point,
    size: f64,
) -> Option<String> {
    let is_another = digits.contains(['6', '9']) && digits.chars().all(|c| turnable.contains(c));
    let half = ADVANCE * size * digits.len() as f64 / 2.0;
    let below = short(baseline + size * 0.19);
    is_another.then(|| format!("M{} {below}H{}", short(x - half), short(x + half)))
}
