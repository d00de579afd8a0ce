//! Renders SVG to PNG with `resvg`.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use thiserror::Error;

use super::fonts::fonts;
use super::{Drawing, TILE};

/// The maximum number of pixels of a picture.
pub const MOST_PIXELS: f64 = 200e6;

/// The reason why a drawing cannot be rendered as PNG.
#[derive(Debug, Error)]
pub enum PngError {
    /// The picture would have more than [`MOST_PIXELS`].
    #[error(
        "a picture of {width} × {height} pixels is too large (at most 200 million pixels): reduce the \
         width of a tile"
    )]
    TooLarge {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
    },
    /// The renderer rejected the drawing.
    #[error("the drawing can't be rendered: {0}")]
    Render(String),
}

/// Renders drawings as PNG at a fixed scale. It keeps the fonts, which take a while to load.
pub struct Renderer {
    fonts: Arc<fontdb::Database>,
    /// The side of a tile, in pixels.
    pixels: u32,
}

impl Renderer {
    /// Creates a renderer with a scale at which the side of a tile has `pixels` pixels. Loads the
    /// bundled font, and the system's fonts for characters that it lacks.
    pub fn new(pixels: u32) -> Self {
        Renderer { fonts: fonts(), pixels }
    }

    /// Renders a drawing to the bytes of a PNG file.
    ///
    /// # Errors
    /// If the picture would have more than [`MOST_PIXELS`], or the renderer rejects the drawing.
    pub fn png(&self, drawing: &Drawing) -> Result<Vec<u8>, PngError> {
        let scale = f64::from(self.pixels) / TILE;
        let size = |units: f64| (units * scale).ceil();
        let width = size(drawing.width);
        let height = size(drawing.height);
        let w = width as u32;
        let h = height as u32;
        if width * height > MOST_PIXELS {
            return Err(PngError::TooLarge { width: w, height: h });
        }
        let options = Options { fontdb: Arc::clone(&self.fonts), ..Options::default() };
        let failed = |e: &dyn std::fmt::Display| PngError::Render(e.to_string());
        let tree = Tree::from_str(&drawing.svg, &options).map_err(|e| failed(&e))?;
        let mut pixmap = Pixmap::new(w, h).ok_or_else(|| failed(&"it has no size"))?;
        let transform = Transform::from_scale(scale as f32, scale as f32);
        resvg::render(&tree, transform, &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|e| failed(&e))
    }
}
