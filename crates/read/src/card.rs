//! A card as it was cut out of a photograph.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
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
    #[cfg(feature = "files")]
    pub fn png(&self) -> Vec<u8> {
        written(&self.picture, ImageFormat::Png)
    }
}

/// A picture as a file.
fn written(picture: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    // Writing to memory cannot fail.
    let _ = picture.write_to(&mut bytes, format);
    bytes.into_inner()
}

/// A picture inside a link. Where there are no files it is not compressed, which takes no code.
pub(crate) fn link(picture: &RgbImage) -> String {
    let (kind, format) =
        if cfg!(feature = "files") { ("png", ImageFormat::Png) } else { ("bmp", ImageFormat::Bmp) };
    let bytes = STANDARD.encode(written(picture, format));
    format!("data:image/{kind};base64,{bytes}")
}
