//! A card cut out of a photograph.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{ImageBuffer, ImageFormat, Pixel, RgbImage, imageops};

use crate::quad::Quad;

/// The number of sides of a card.
pub(crate) const SIDES: usize = 4;

/// A card cut out of a photograph.
#[derive(Debug, Clone)]
pub struct Card {
    /// The index of the photograph that it is in.
    pub photo: usize,
    /// The corners in the photograph.
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

/// A card's picture, rotated so that this side (top, right, bottom or left) is at the top.
pub(crate) fn turned<P: Pixel + 'static>(
    picture: &ImageBuffer<P, Vec<P::Subpixel>>,
    side: usize,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    match side {
        0 => picture.clone(),
        1 => imageops::rotate270(picture),
        2 => imageops::rotate180(picture),
        _ => imageops::rotate90(picture),
    }
}

/// A card's picture reduced to a square with sides of `length` pixels.
pub(crate) fn reduced(picture: &RgbImage, length: usize) -> RgbImage {
    imageops::resize(picture, length as u32, length as u32, imageops::FilterType::Triangle)
}

/// Encodes a picture in this format.
fn written(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // Writing to memory cannot fail.
    let _ = picture.write_to(&mut bytes, format);
    bytes.into_inner()
}

/// Encodes a picture as a `data:` URL: PNG, or without the feature `files` BMP, whose encoder is
/// smaller.
pub(crate) fn to_data_url(picture: &RgbImage) -> String {
    let (kind, format) =
        if cfg!(feature = "files") { ("png", ImageFormat::Png) } else { ("bmp", ImageFormat::Bmp) };
    let bytes = STANDARD.encode(written(picture, format));
    format!("data:image/{kind};base64,{bytes}")
}
