//! A card cut out of a photograph.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageFormat, RgbImage};

use crate::quad::Quad;

/// The number of sides of a card.
pub(crate) const SIDES: usize = 4;

/// A card.
#[derive(Debug, Clone)]
pub struct Card {
    /// The index of its photograph.
    pub photo: usize,
    /// Its corners in the photograph.
    pub quad: Quad,
    /// The rectified picture of the card, in its orientation in the photograph.
    pub picture: RgbImage,
}

impl Card {
    /// Encodes the picture as a PNG file.
    #[cfg(feature = "files")]
    pub fn png(&self) -> Vec<u8> {
        written(&self.picture, ImageFormat::Png)
    }
}

/// Encodes a picture in memory.
fn written(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // Writing to memory cannot fail.
    let _ = picture.write_to(&mut bytes, format);
    bytes.into_inner()
}

/// Encodes a picture in a `data:` URL. Without the feature `files` it is uncompressed, to save
/// code.
pub(crate) fn link(picture: &RgbImage) -> String {
    let (kind, format) =
        if cfg!(feature = "files") { ("png", ImageFormat::Png) } else { ("bmp", ImageFormat::Bmp) };
    let bytes = STANDARD.encode(written(picture, format));
    format!("data:image/{kind};base64,{bytes}")
}
