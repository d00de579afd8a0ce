//! The pictures of tiles that a puzzle brings with it.

#[cfg(feature = "pictures")]
mod read;

use std::path::PathBuf;

use edgematch::puzzle::Face;

#[cfg(feature = "pictures")]
pub use self::read::PictureError;

/// One picture per tile, or one per face.
#[derive(Debug, Clone, Default)]
pub struct Pictures {
    /// The `data:` URLs of each tile's front, and of its back unless it shows the front mirrored.
    faces: Vec<Vec<String>>,
    /// The files that were read, in the order of the tiles.
    pub files: Vec<PathBuf>,
    /// Warnings about pictures that had to be scaled.
    pub warnings: Vec<String>,
}

impl Pictures {
    /// The picture of a face of a tile, as a `data:` URL.
    pub(super) fn data_url(&self, tile: usize, face: Face) -> &str {
        &self.faces[tile][usize::from(self.printed(tile, face) == Face::Back)]
    }

    /// The face whose picture is drawn for a face of a tile: the front if the back has no picture
    /// of its own.
    pub(super) fn printed(&self, tile: usize, face: Face) -> Face {
        if self.faces[tile].len() > 1 { face } else { Face::Front }
    }
}
