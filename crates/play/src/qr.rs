//! QR codes of links, for opening a puzzle on another device.

use qrcode::{Color, EcLevel, QrCode};
use serde::Serialize;

/// The width of the blank margin, in modules, as the standard requires.
const QUIET: usize = 4;

/// A QR code as a drawing: its dark modules as an SVG path, one unit per module.
#[derive(Debug, Serialize)]
pub(crate) struct QrDrawing {
    r#type: &'static str,
    path: String,
    /// The side of the square in modules, including the margin.
    size: usize,
}

/// Draws the QR code of a text.
///
/// # Errors
/// If the text has more than 2,953 bytes.
pub(crate) fn draw(text: &str) -> Result<QrDrawing, String> {
    let code = QrCode::with_error_correction_level(text, EcLevel::L)
        .map_err(|_| "the link is too long for a QR code".to_owned())?;
    let width = code.width();
    let colours = code.to_colors();
    let mut path = String::new();
    for (y, row) in colours.chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                let length = run.len();
                path += &format!("M{} {}h{length}v1h-{length}z", x + QUIET, y + QUIET);
            }
            x += run.len();
        }
    }
    Ok(QrDrawing { r#type: "qr", path, size: width + 2 * QUIET })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_fits_the_smallest_code() {
        let drawn = draw("edgematch").unwrap();
        assert_eq!(drawn.size, 21 + 2 * QUIET);
        // The top row of the top left finder pattern.
        assert!(drawn.path.starts_with("M4 4h7v1h-7z"), "{}", drawn.path);
    }

    #[test]
    fn a_text_that_is_too_long_is_refused() {
        assert!(draw(&"x".repeat(2_953)).is_ok());
        assert!(draw(&"x".repeat(2_954)).unwrap_err().contains("too long"));
    }
}
