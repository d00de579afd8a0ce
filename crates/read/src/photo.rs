//! A photograph, as it comes.

use std::borrow::Cow;

use image::RgbImage;

use super::{ReadError, Result};

/// Photographs with more pixels are refused, where no other limit is given.
pub const MOST_PIXELS: u64 = 80_000_000;

/// A photograph as it comes from a camera.
#[derive(Debug, Clone, Copy)]
pub struct Photo<'a> {
    /// What it is called in messages.
    pub name: &'a str,
    /// What it shows.
    pub picture: Picture<'a>,
}

/// What a photograph shows.
#[derive(Debug, Clone, Copy)]
pub enum Picture<'a> {
    /// A PNG or JPEG file.
    #[cfg(feature = "files")]
    File(&'a [u8]),
    /// Its pixels.
    Pixels(&'a RgbImage),
}

impl<'a> Photo<'a> {
    /// Its pixels.
    ///
    /// # Errors
    /// Where it is no picture, or has more pixels than `most`.
    pub(crate) fn pixels(&self, most: u64) -> Result<Cow<'a, RgbImage>> {
        match self.picture {
            #[cfg(feature = "files")]
            Picture::File(bytes) => super::decode(self.name, bytes, most).map(Cow::Owned),
            Picture::Pixels(pixels) => {
                let number = u64::from(pixels.width()) * u64::from(pixels.height());
                if number > most {
                    return Err(ReadError::too_large(self.name, Some(number), most));
                }
                Ok(Cow::Borrowed(pixels))
            }
        }
    }
}
