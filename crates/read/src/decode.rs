//! Decodes photographs from PNG and JPEG files.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

use super::{ReadError, Result};

/// The memory limit for decoding, in bytes per pixel: four channels of 16 bits.
const BYTES: u64 = 8;

/// Decodes a photograph and applies the orientation that the camera stored. Transparent pixels
/// become white. `name` is for messages.
///
/// # Errors
/// If it is not a PNG or JPEG file, is truncated, damaged or animated, or has more pixels than
/// `most`.
pub fn decode(name: &str, bytes: &[u8], most: u64) -> Result<RgbImage> {
    let refuse = |what: String| ReadError::Photo { name: name.to_owned(), what };
    let reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|e| refuse(format!("can't be read: {e}")))?;
    match reader.format() {
        Some(ImageFormat::Jpeg) if !has_jpeg_end(bytes) => {
            return Err(refuse("is damaged: it ends too early".into()));
        }
        Some(ImageFormat::Png) if is_animated(bytes) => {
            return Err(refuse("is animated: expected a still picture".into()));
        }
        Some(ImageFormat::Jpeg | ImageFormat::Png) => {}
        _ => return Err(refuse("is not a JPEG or PNG picture".into())),
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(most * BYTES);
    reader.limits(limits);
    let damaged = |e: image::ImageError| match e {
        image::ImageError::Limits(_) => ReadError::too_large(name, None, most),
        image::ImageError::Unsupported(e) => refuse(format!("can't be read: {e}")),
        e => refuse(format!("is damaged: {e}")),
    };
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > most {
        return Err(ReadError::too_large(name, Some(pixels), most));
    }
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    picture.apply_orientation(orientation);
    Ok(on_white(picture))
}

/// Blends transparent pixels with white.
fn on_white(picture: DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8();
    }
    let picture = picture.into_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0.map(u32::from);
        Rgb([red, green, blue].map(|c| ((c * alpha + 255 * (255 - alpha)) / 255) as u8))
    })
}

/// Returns true if a JPEG file has an end marker in its last 1024 bytes. Without this check, the
/// decoder silently fills truncated files with grey.
fn has_jpeg_end(bytes: &[u8]) -> bool {
    const END: [u8; 2] = [0xff, 0xd9];
    const LAST: usize = 1024;
    let last = &bytes[bytes.len().saturating_sub(LAST)..];
    last.windows(END.len()).any(|pair| pair == END)
}

/// Returns true if a PNG file is animated.
fn is_animated(bytes: &[u8]) -> bool {
    PngDecoder::new(Cursor::new(bytes)).is_ok_and(|png| png.is_apng().unwrap_or(false))
}
