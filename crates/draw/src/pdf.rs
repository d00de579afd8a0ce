//! PDF from pages in SVG, by krilla.

use krilla::Document;
use krilla::geom::Size;
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla_svg::{SurfaceExt, SvgSettings};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

use super::{Page, png};

/// Points in a millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// Why pages can't become a PDF.
#[derive(Debug, Error)]
#[error("the page can't be written as PDF: {0}")]
pub struct PdfError(String);

/// The bytes of a PDF file with these pages.
///
/// # Errors
/// Where a page can't be drawn.
pub fn pdf(pages: &[Page], title: &str) -> Result<Vec<u8>, PdfError> {
    let failed = |e: &dyn std::fmt::Display| PdfError(e.to_string());
    let options = Options {
        fontdb: png::fonts(),
        ..Options::default()
    };
    let mut document = Document::new();
    document.set_metadata(
        Metadata::new()
            .title(title.to_owned())
            .creator(concat!("edgematch ", env!("CARGO_PKG_VERSION")).to_owned()),
    );
    for page in pages {
        let tree = Tree::from_str(&page.svg, &options).map_err(|e| failed(&e))?;
        let [width, height] = [page.width, page.height].map(|length| (length * POINTS) as f32);
        let size = Size::from_wh(width, height);
        let settings = PageSettings::from_wh(width, height);
        let (Some(size), Some(settings)) = (size, settings) else {
            return Err(failed(&"it has no size"));
        };
        let mut sheet = document.start_page_with(settings);
        let mut surface = sheet.surface();
        let drawn = surface.draw_svg(&tree, size, SvgSettings::default());
        surface.finish();
        sheet.finish();
        drawn.ok_or_else(|| failed(&"it has no size"))?;
    }
    document.finish().map_err(|e| PdfError(format!("{e:?}")))
}
