//! Reads the pictures of tiles, whose files the puzzle names.
//!
//! After resolving links, a picture must be inside the folder of the puzzle, so that an untrusted
//! puzzle cannot embed other files. A picture that is elsewhere, missing, damaged or too large is
//! an error that names the tile.

use std::fs;
use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::{Face, Labels, Tile};
use edgematch::runtime::limits::{CancelToken, StopReason};
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use thiserror::Error;

use super::Pictures;

/// The maximum width or height of a picture file, in pixels.
const LARGEST: u32 = 10_000;

/// The maximum width and height of a picture in a drawing, in pixels; larger files are scaled down.
const KEPT: u32 = 512;

/// The reason why pictures cannot be read.
#[derive(Debug, Error)]
pub enum PictureError {
    /// A picture cannot be used.
    #[error("{}: the picture of tile `{tile}` {what}", path.display())]
    Unusable {
        /// The name of the tile.
        tile: String,
        /// The file.
        path: PathBuf,
        /// The rest of the message, such as `is missing`.
        what: String,
    },
    /// A limit was reached before all pictures were read.
    #[error("{0}, before the pictures of the tiles were read")]
    Stopped(StopReason),
}

impl Pictures {
    /// Reads the pictures of the tiles of the puzzle in `file` (see [`load::picture_pattern`]);
    /// `None` if they have none. The token is polled before each picture.
    ///
    /// # Errors
    /// If a picture is outside the folder of the file, missing, damaged or too large, if the
    /// pattern has no `{face}` although a back does not follow from the front, or if the token
    /// stops the run.
    pub fn read(
        problem: &Problem,
        file: &Path,
        token: &CancelToken<'_>,
    ) -> Result<Option<Self>, PictureError> {
        let folder = file.parent().unwrap_or(Path::new(""));
        let pattern = load::picture_pattern(problem, file);
        pattern.map(|pattern| Pictures::read_all(problem, folder, &pattern, token)).transpose()
    }

    /// Reads the picture of every tile from `folder`, and scales it to a square. In the pattern,
    /// `{tile}` stands for the tile's name and `{face}` for `front` or `back`. Without `{face}`, a
    /// back whose edges follow from the front is drawn as the mirrored front.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    fn read_all(
        problem: &Problem,
        folder: &Path,
        pattern: &str,
        token: &CancelToken<'_>,
    ) -> Result<Self, PictureError> {
        let mut pictures = Pictures::default();
        let mut first_size = None;
        for tile in &problem.puzzle.tiles {
            let mut links = Vec::new();
            for face in printed_faces(tile, &problem.puzzle.labels, pattern) {
                if let ControlFlow::Break(stop) = token.check() {
                    return Err(PictureError::Stopped(stop));
                }
                let name = pattern.replace("{face}", face.name());
                let path = folder.join(name.replace("{tile}", &tile.name));
                let picture = match face {
                    Face::Back if !pattern.contains(FACE) => Err(NO_BACK.into()),
                    _ if is_outside(&path, folder) => Err(OUTSIDE.into()),
                    _ => read_picture(&path),
                };
                let picture = picture.map_err(|what| PictureError::Unusable {
                    tile: tile.name.clone(),
                    path: path.clone(),
                    what,
                })?;
                let size = (picture.width(), picture.height());
                let expected = *first_size.get_or_insert(size);
                pictures.warn(&tile.name, size, expected);
                links.push(to_data_url(picture));
                pictures.files.push(path);
            }
            pictures.faces.push(links);
        }
        Ok(pictures)
    }

    /// Adds a warning if a picture is not square, or differs from `expected`, the size of the first
    /// one.
    fn warn(&mut self, tile: &str, size: (u32, u32), expected: (u32, u32)) {
        let (width, height) = size;
        if width != height {
            self.warnings.push(format!(
                "the picture of tile `{tile}` is {width} × {height} pixels, not square: it is \
                 scaled"
            ));
        } else if size != expected {
            self.warnings.push(format!(
                "the picture of tile `{tile}` is {width} × {height} pixels, \
                 the first one {} × {}: it is scaled",
                expected.0, expected.1
            ));
        }
    }
}

/// The placeholder for the face in a pattern.
const FACE: &str = "{face}";

const OUTSIDE: &str = "is outside the folder of the puzzle: copy it there";

const NO_BACK: &str = "shows one face, but the tile has a separate back: write {face} in `pictures`, \
                       such as \"{tile}-{face}.png\", which becomes front or back";

/// The faces of a tile that need separate pictures.
fn printed_faces(tile: &Tile, labels: &Labels, pattern: &str) -> Vec<Face> {
    if pattern.contains(FACE) { tile.faces().collect() } else { tile.prints(labels).collect() }
}

/// Returns true if a file exists but is not inside a folder, after resolving links.
fn is_outside(path: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let places = (path.canonicalize(), folder.canonicalize());
    matches!(places, (Ok(path), Ok(folder)) if !path.starts_with(&folder))
}

/// Decodes a PNG or JPEG file; the error is the rest of a message, such as `is missing`.
fn read_picture(path: &Path) -> Result<DynamicImage, String> {
    if path.exists() && !path.is_file() {
        return Err("is not a file".into());
    }
    let bytes = fs::read(path).map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => "is missing".to_owned(),
        _ => format!("can't be read: {e}"),
    })?;
    let mut reader = ImageReader::new(Cursor::new(&bytes))
        .with_guessed_format()
        .map_err(|e| format!("can't be read: {e}"))?;
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
        image::ImageError::Unsupported(_) => "is not a PNG or JPEG picture".into(),
        e => format!("is damaged: {e}"),
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

/// Stretches a picture to a square of at most [`KEPT`] × [`KEPT`] pixels, and encodes it as PNG in
/// a `data:` URL.
fn to_data_url(picture: DynamicImage) -> String {
    let side = picture.width().max(picture.height()).min(KEPT);
    let picture = if (picture.width(), picture.height()) == (side, side) {
        picture
    } else {
        picture.resize_exact(side, side, FilterType::Lanczos3)
    };
    let mut png = Cursor::new(Vec::new());
    // Writing a decoded picture to memory as PNG cannot fail.
    let _ = DynamicImage::from(picture.to_rgba8()).write_to(&mut png, ImageFormat::Png);
    format!("data:image/png;base64,{}", STANDARD.encode(png.into_inner()))
}
