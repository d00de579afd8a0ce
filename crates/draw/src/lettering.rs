//! Text on drawings, and the name in the middle of a tile.

use unicode_width::UnicodeWidthStr;

use super::polygon::{Point, short};
use super::svg::{Element, Svg};

/// The width of a character, relative to the font size.
pub(super) const ADVANCE: f64 = 0.62;

/// The space for a name on a square tile.
const ROOM: f64 = 46.0;

/// The largest font size of a tile's name.
pub(super) const LARGEST: f64 = 24.0;

/// The text in the middle of a tile.
pub(super) struct Words<'a> {
    pub name: &'a str,
    pub is_back: bool,
    /// The space between figures on opposite sides, in units.
    pub room: f64,
}

impl Words<'_> {
    /// Draws the name as large as fits between the figures; if necessary, truncated, as the tile's
    /// title has the full name. The surrounding group must set the font size to [`LARGEST`].
    pub fn draw(&self, svg: &mut Svg) {
        let part = (self.room / ROOM).min(1.0);
        let largest = LARGEST * part;
        let smallest = (8.0 * part).max(6.0);
        let fitting = |text: &str| self.room / (ADVANCE * text.width().max(1) as f64);
        let mut shown: String = self.name.to_owned();
        while fitting(&shown) < smallest {
            let shorter = shown.chars().count().saturating_sub(2);
            shown = shown.chars().take(shorter).collect::<String>() + "…";
        }
        let size = fitting(&shown).min(largest);
        let below = match self.name {
            "" => 0.0,
            _ => {
                let baseline = size * 0.36;
                let text = Element::new("text").with("y", short(baseline));
                svg.text(if size == LARGEST { text } else { sized(text, size) }, &shown);
                if let Some(line) = underline(&shown, "0689", (0.0, baseline), size) {
                    let line = Element::new("path").with("d", line).with("stroke", "#222");
                    svg.put(line.with("stroke-width", short(size / 16.0)));
                }
                baseline + 14.5 * part
            }
        };
        if self.is_back {
            let size = 10.0 * part;
            svg.text(lettering((0.0, below), size), "back");
        }
    }
}

/// Text centred horizontally at a point on its baseline.
pub(super) fn lettering((x, baseline): Point, size: f64) -> Element {
    sized(Element::new("text").with("x", short(x)).with("y", short(baseline)), size)
}

fn sized(text: Element, size: f64) -> Element {
    text.with("font-size", (size * 10.0).round() / 10.0)
}

/// An underline as path data, for a number that reads as another one upside down, such as 6. All
/// its digits must be in `turnable`.
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
