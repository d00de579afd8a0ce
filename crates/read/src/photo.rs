//! Photographs as input: files or decoded pixels.

use std::borrow::Cow;

use image::RgbImage;

use super::{ReadError, Result};

/// The default limit for the number of pixels of a photograph.
pub const MOST_PIXELS: u64 = 80_000_000;

/// A photograph from a camera.
#[derive(Debug, Clone, Copy)]
pub struct Photo<'a> {
    /// The name in messages.
    pub name: &'a str,
    /// The pixels or the file.
    pub picture: PhotoContent<'a>,
}

/// The content of a photograph.
#[derive(Debug, Clone, Copy)]
pub enum PhotoContent<'a> {
    /// A PNG or JPEG file.
    #[cfg(feature = "files")]
    File(&'a [u8]),
    /// Decoded pixels, upright.
    Pixels(&'a RgbImage),
}

impl<'a> Photo<'a> {
    /// The pixels, decoded if necessary.
    ///
    /// # Errors
    /// If the file is not a valid picture, or there are more pixels than `most`.
    pub(crate) fn pixels(&self, most: u64) -> Result<Cow<'a, RgbImage>> {
        match self.picture {
            #[cfg(feature = "files")]
            PhotoContent::File(bytes) => super::decode(self.name, bytes, most).map(Cow::Owned),
            PhotoContent::Pixels(pixels) => {
                let number = u64::from(pixels.width()) * u64::from(pixels.height());
                if number > most {
                    return Err(ReadError::too_large(self.name, Some(number), most));
                }
                Ok(Cow::Borrowed(pixels))
            }
        }
    }
}
