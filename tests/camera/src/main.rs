//! `photograph FOLDER` writes sample photographs of each kind for inspection.

use std::error::Error;
use std::path::Path;

use edgematch_camera::{ARTS, GROUNDS, Layout, Light, Shot};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: photograph FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for (number, art) in ARTS.into_iter().enumerate() {
        for (layout, name) in [
            (Layout::Cropped(0.0), "cropped"),
            (Layout::Board(0.02), "board"),
            (Layout::Loose, "loose"),
            (Layout::Scattered, "scattered"),
        ] {
            for distortion in [0.0, 1.0, 2.0] {
                let shot = Shot {
                    seed: number as u64,
                    art,
                    size: (3, 3),
                    images: 4,
                    has_halves: true,
                    pixels: 100,
                    layout,
                    ground: GROUNDS[number % GROUNDS.len()],
                    light: Light::Day,
                    distortion,
                };
                let file = format!("{art:?}-{name}-{distortion}.jpg").to_lowercase();
                std::fs::write(folder.join(file), shot.take().jpeg)?;
            }
        }
    }
    Ok(())
}
