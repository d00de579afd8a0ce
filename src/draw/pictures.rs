//! The tiles' own pictures.

use std::fs;
use std::io::{self, Cursor};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat, ImageReader, Limits, imageops::FilterType};
use thiserror::Error;

use crate::board::Problem;

/// The largest width or height of a picture that is read, in pixels.
const LARGEST: u32 = 10_000;

/// Pictures are kept at this width and height, or their own if that is smaller.
const KEPT: u32 = 512;

/// Why a picture can't be used.
#[derive(Debug, Error)]
#[error("{}: the picture of tile `{tile}` {what}", path.display())]
pub struct PictureError {
    /// The tile.
    pub tile: String,
    /// The file.
    pub path: PathBuf,
    what: String,
}

/// One picture a tile.
#[derive(Debug, Clone)]
pub struct Pictures {
    links: Vec<String>,
    /// What had to be changed, for people to read.
    pub warnings: Vec<String>,
}

impl Pictures {
    /// Reads the picture of every tile from `folder`; `{tile}` in the pattern is the tile's name.
    ///
    /// # Errors
    /// Where a picture is missing, is none, or is too large.
    pub fn read(problem: &Problem, folder: &Path, pattern: &str) -> Result<Self, PictureError> {
        let mut pictures = Pictures {
            links: Vec::new(),
            warnings: Vec::new(),
        };
        let mut first_size = None;
        for tile in &problem.puzzle.tiles {
            let path = folder.join(pattern.replace("{tile}", &tile.name));
            let is_plain = !tile.name.contains(['/', '\\']);
            let picture = match is_plain {
                true => read_picture(&path),
                false => Err("would lie elsewhere: its name has a slash".into()),
            };
            let picture = picture.map_err(|what| PictureError {
                tile: tile.name.clone(),
                path: path.clone(),
                what,
            })?;
            let size = (picture.width(), picture.height());
            let expected = *first_size.get_or_insert(size);
            pictures.warn(&tile.name, size, expected);
            pictures.links.push(link(picture));
        }
        Ok(pictures)
    }

    fn warn(&mut self, tile: &str, size: (u32, u32), expected: (u32, u32)) {
        let (width, height) = size;
        if width != height {
            self.warnings.push(format!(
                "the picture of tile `{tile}` is {width} × {height} pixels, not square: it is scaled"
            ));
        } else if size != expected {
            self.warnings.push(format!(
                "the picture of tile `{tile}` is {width} × {height} pixels, \
                 the first one {} × {}: it is scaled",
                expected.0, expected.1
            ));
        }
    }

    /// The picture of a tile, as a link that holds it.
    pub(super) fn of(&self, tile: usize) -> &str {
        &self.links[tile]
    }
}

fn read_picture(path: &Path) -> Result<DynamicImage, String> {
    if path.exists() && !path.is_file() {
        return Err("is no file".into());
    }
    let bytes = fs::read(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => "is missing".to_owned(),
        _ => format!("can't be read: {e}"),
    })?;
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format();
    let mut reader = reader.map_err(|e| format!("can't be read: {e}"))?;
    if reader.format() == Some(ImageFormat::Jpeg) && !has_jpeg_end(&bytes) {
        return Err("is damaged: it ends too early".into());
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(LARGEST);
    limits.max_image_height = Some(LARGEST);
    reader.limits(limits);
    reader.decode().map_err(|e| match e {
        image::ImageError::Limits(_) => {
            format!("is too large: at most {LARGEST} × {LARGEST} pixels are read")
        }
        image::ImageError::Unsupported(_) => "is no PNG or JPEG picture".into(),
        e => format!("is damaged: {e}"),
    })
}

/// The decoder fills what a cut file lacks with grey, and says nothing.
fn has_jpeg_end(bytes: &[u8]) -> bool {
    const END: [u8; 2] = [0xff, 0xd9];
    const LAST: usize = 1024;
    let last = &bytes[bytes.len().saturating_sub(LAST)..];
    last.windows(END.len()).any(|pair| pair == END)
}

/// A square PNG with its alpha, inside the link.
fn link(picture: DynamicImage) -> String {
    let side = picture.width().max(picture.height()).min(KEPT);
    let picture = match (picture.width(), picture.height()) == (side, side) {
        true => picture,
        false => picture.resize_exact(side, side, FilterType::Lanczos3),
    };
    let mut png = Cursor::new(Vec::new());
    // Writing PNG to memory cannot fail for a picture that was decoded.
    let picture = DynamicImage::from(picture.to_rgba8());
    let _ = picture.write_to(&mut png, ImageFormat::Png);
    format!(
        "data:image/png;base64,{}",
        STANDARD.encode(png.into_inner())
    )
}
