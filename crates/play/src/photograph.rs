//! The request to read a photograph of cards.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch::runtime::limits::Limits;
use edgematch_read::{CardFacts, GridSize, MOST_IMAGES, Photo, PhotoContent, Quad, Reading};
use image::RgbImage;
use serde::Deserialize;
use serde_json::{Value, json};

/// The maximum number of rows or columns of cards.
const MOST_SIDE: usize = 20;

/// The maximum number of pixels of a photograph; pages shrink larger ones before sending.
const MOST_PIXELS: u64 = 8_000_000;

/// A photograph, and facts that the player knows about its cards.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Photograph {
    photo: EncodedPhoto,
    /// Rows and columns, if known.
    size: Option<(usize, usize)>,
    /// The number of images; `None` or 0 if unknown.
    images: Option<usize>,
    /// The corners of the board in pixels, clockwise from the top left, if its cards touch each
    /// other.
    corners: Option<[(f32, f32); 4]>,
    /// The corners of each card in pixels, in any order, if the player corrected them.
    #[serde(default)]
    cards: Vec<[(f32, f32); 4]>,
}

/// The photograph, in Base64.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum EncodedPhoto {
    /// A JPEG or PNG file.
    #[cfg(feature = "files")]
    File(String),
    /// Pixels, row by row, with one byte each for red, green and blue.
    Pixels { width: u32, height: u32, rgb: String },
}

/// Decodes Base64. Returns a message if the text is not Base64.
fn decoded(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|_| "the photograph is not Base64".to_owned())
}

impl Photograph {
    /// Reads the cards, and returns the reading and the outlines of the cards as JSON for the page.
    ///
    /// # Errors
    /// A message if the request is invalid or the photograph cannot be read within the limits.
    pub fn read(&self, limits: &Limits<'_>) -> Result<Value, String> {
        let (rows, columns) = self.size.unwrap_or((1, 1));
        if !(1..=MOST_SIDE).contains(&rows) || !(1..=MOST_SIDE).contains(&columns) {
            return Err(format!("expected at most {MOST_SIDE} rows and columns"));
        }
        if self.images.is_some_and(|images| images > usize::from(MOST_IMAGES)) {
            return Err(format!("expected at most {MOST_IMAGES} images"));
        }
        let options = CardFacts {
            size: self.size.map(|(rows, columns)| GridSize { rows, columns }),
            images: self.images.filter(|&images| images > 0),
            kind: None,
            corners: self.corners.map(Quad),
            cards: self.cards.iter().map(|&corners| Quad::sorted(corners)).collect(),
            most_pixels: Some(MOST_PIXELS),
        };
        let reading = match &self.photo {
            #[cfg(feature = "files")]
            EncodedPhoto::File(file) => {
                read(PhotoContent::File(&decoded(file)?), &options, limits)?
            }
            EncodedPhoto::Pixels { width, height, rgb } => {
                let pixels = RgbImage::from_raw(*width, *height, decoded(rgb)?);
                let pixels = pixels.ok_or("the photograph has too few pixels")?;
                read(PhotoContent::Pixels(&pixels), &options, limits)?
            }
        };
        let quads: Vec<[(f32, f32); 4]> = reading.cards.iter().map(|card| card.quad.0).collect();
        Ok(json!({
            "type": "reading",
            "reading": reading.to_json("photograph"),
            "cards": quads,
            "solutions": reading.solutions,
        }))
    }
}

/// Reads a photograph; the error is a message.
fn read(
    picture: PhotoContent<'_>,
    options: &CardFacts,
    limits: &Limits<'_>,
) -> Result<Reading, String> {
    let photo = Photo { name: "the photograph", picture };
    Reading::new(&[photo], options, limits).map_err(|error| error.to_string())
}
