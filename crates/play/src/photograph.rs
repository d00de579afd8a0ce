//! A photograph of cards that a player sends.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch_read::{Options, Photo, Quad, Reading, Size};
use serde::Deserialize;
use serde_json::{Value, json};

/// Rows and columns of cards that are played by hand.
const MOST_SIDE: usize = 20;

/// Pages make photographs smaller than this before they send them.
const MOST_PIXELS: u64 = 8_000_000;

/// A photograph, and what is known of the cards in it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Photograph {
    /// A JPEG or PNG picture in Base64.
    photo: String,
    /// Rows and columns, where they are known.
    size: Option<(usize, usize)>,
    /// So many images.
    images: Option<usize>,
    /// The corners of a board whose cards touch each other, in pixels.
    corners: Option<[(f32, f32); 4]>,
}

impl Photograph {
    /// What was read, as the page wants it: the reading, and where the cards lie.
    ///
    /// # Errors
    /// Why nothing can be read, as a message.
    pub fn read(&self) -> Result<Value, String> {
        let bytes = STANDARD.decode(&self.photo);
        let bytes = bytes.map_err(|_| "the photograph is not Base64".to_owned())?;
        let (rows, columns) = self.size.unwrap_or((1, 1));
        if !(1..=MOST_SIDE).contains(&rows) || !(1..=MOST_SIDE).contains(&columns) {
            return Err(format!("expected at most {MOST_SIDE} rows and columns"));
        }
        let options = Options {
            size: self.size.map(|(rows, columns)| Size { rows, columns }),
            images: self.images.filter(|&images| images > 0),
            kind: None,
            corners: self.corners.map(Quad),
            most_pixels: Some(MOST_PIXELS),
        };
        let photo = Photo {
            name: "the photograph",
            bytes: &bytes,
        };
        let reading = Reading::new(&[photo], &options).map_err(|error| error.to_string())?;
        let quads: Vec<[(f32, f32); 4]> = reading.cards.iter().map(|card| card.quad.0).collect();
        Ok(json!({
            "type": "reading",
            "reading": reading.to_json("photograph"),
            "cards": quads,
            "solutions": reading.solutions,
        }))
    }
}
