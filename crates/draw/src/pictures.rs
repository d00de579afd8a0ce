//! The tiles' own pictures, from the files that the puzzle names.
//!
//! A picture must be in the folder of the puzzle or below it, with links followed: a puzzle from
//! somebody else must not embed other files. One that is elsewhere, missing, damaged or too large is
//! an error that names the tile. The token is polled before each of them.

use std::fs;
use std::io::{self, Cursor};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch::problem::Problem;
use edgematch::puzzle::{Face, Labels, Tile};
use edgematch::runtime::limits::{CancelToken, StopReason};
use image::imageops::FilterType;
use image::{DynamicImage, ImageFormat, ImageReader, Limits};
use thiserror::Error;

/// The largest width or height of a picture that is read, in pixels.
const LARGEST: u32 = 10_000;

/// Pictures are kept at this width and height, or their own if that is smaller.
const KEPT: u32 = 512;

/// Why there are no pictures.
#[derive(Debug, Error)]
pub enum PictureError {
    /// One cannot be used.
    #[error("{}: the picture of tile `{tile}` {what}", path.display())]
    Unusable {
        /// The tile.
        tile: String,
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A limit was reached before all were read.
    #[error("{0}, before the pictures of the tiles were read")]
    Stopped(StopReason),
}

/// One picture a tile, or one for each of its faces.
#[derive(Debug, Clone)]
pub struct Pictures {
    fronts: Vec<String>,
    /// None where the back is the front seen from behind.
    backs: Vec<Option<String>>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// What had to be changed.
    pub warnings: Vec<String>,
}

impl Pictures {
    /// Reads the picture of every tile from `folder`; `{tile}` in the pattern is the tile's name,
    /// `{face}` is `front` or `back`. Without `{face}` a back that follows from the front shows it
    /// mirrored.
    ///
    /// # Errors
    /// If a picture is outside the folder, is missing, is none, or is too large, if the pattern has
    /// no `{face}` for a back that does not follow from the front, and if the token breaks.
    pub fn read(
        problem: &Problem,
        folder: &Path,
        pattern: &str,
        token: &CancelToken<'_>,
    ) -> Result<Self, PictureError> {
        let mut pictures = Pictures {
            fronts: Vec::new(),
            backs: Vec::new(),
            files: Vec::new(),
            warnings: Vec::new(),
        };
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
                links.push(link(picture));
                pictures.files.push(path);
            }
            pictures.backs.push(links.get(1).cloned());
            pictures.fronts.extend(links.into_iter().next());
        }
        Ok(pictures)
    }

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

    /// The picture of a face of a tile, as a link that holds it.
    pub(super) fn of(&self, tile: usize, face: Face) -> &str {
        match (face, &self.backs[tile]) {
            (Face::Back, Some(back)) => back,
            _ => &self.fronts[tile],
        }
    }

    /// The face whose picture a face of a tile shows; the front's is seen from behind on the back.
    pub(super) fn printed(&self, tile: usize, face: Face) -> Face {
        match self.backs[tile] {
            Some(_) => face,
            None => Face::Front,
        }
    }
}

/// What stands for the face in a pattern.
const FACE: &str = "{face}";

const OUTSIDE: &str = "is outside the folder of the puzzle: copy it there";

const NO_BACK: &str = "shows one face, but the tile has a back of its own: write {face} in `pictures`, \
                       such as \"{tile}-{face}.png\", which stands for front and back";

/// The faces of a tile that have pictures of their own.
fn printed_faces(tile: &Tile, labels: &Labels, pattern: &str) -> Vec<Face> {
    if pattern.contains(FACE) { tile.faces().collect() } else { tile.prints(labels).collect() }
}

/// Returns true if a file that exists is neither in a folder nor below it.
fn is_outside(path: &Path, folder: &Path) -> bool {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let places = (path.canonicalize(), folder.canonicalize());
    matches!(places, (Ok(path), Ok(folder)) if !path.starts_with(&folder))
}

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
    let picture = if (picture.width(), picture.height()) == (side, side) {
        picture
    } else {
        picture.resize_exact(side, side, FilterType::Lanczos3)
    };
    let mut png = Cursor::new(Vec::new());
    // Writing PNG to memory cannot fail for a picture that was decoded.
    let _ = DynamicImage::from(picture.to_rgba8()).write_to(&mut png, ImageFormat::Png);
    format!("data:image/png;base64,{}", STANDARD.encode(png.into_inner()))
}
