//! A card as it was cut out of a photograph.

use std::io::Cursor;

use image::{ImageFormat, RgbImage};

use crate::quad::Quad;

/// Sides of a card.
pub(crate) const SIDES: usize = 4;

/// A card.
#[derive(Debug, Clone)]
pub struct Card {
    /// Which photograph shows it.
    pub photo: usize,
    /// Where it lies there.
    pub quad: Quad,
    /// The card, straightened, as it lies in the photograph.
    pub picture: RgbImage,
}

impl Card {
    /// The picture as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        png(&self.picture)
    }
}

/// The bytes of a PNG file.
pub(crate) fn png(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // Writing PNG to memory cannot fail.
    let _ = picture.write_to(&mut bytes, ImageFormat::Png);
    bytes.into_inner()
}
