//! Converts SVG pages to PDF. `usvg` reduces a page to paths, pictures and groups, each of which
//! has a counterpart in PDF.
//!
//! Text becomes outlines, so that no fonts are needed. Masks, filters, gradients and translucent
//! groups, which our pages never contain, are rejected.

mod content;

use std::fmt::Display;
use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::writers::Resources;
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, TextStr};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

use self::content::Painter;
use super::SheetPage;
use super::fonts::fonts;

/// Points per millimetre.
const POINTS: f64 = 72.0 / 25.4;

/// The reason why pages cannot be converted to PDF.
#[derive(Debug, Error)]
#[error("the page can't be written as PDF: {0}")]
pub struct PdfError(String);

impl PdfError {
    /// An error with this message.
    fn new(reason: impl Display) -> PdfError {
        PdfError(reason.to_string())
    }
}

/// Converts pages to the bytes of a PDF file with this title.
///
/// # Errors
/// If a page has something that cannot be converted; see the module.
pub fn pdf(pages: &[SheetPage], title: &str) -> Result<Vec<u8>, PdfError> {
    let options = Options { fontdb: fonts(), ..Options::default() };
    let mut pdf = Pdf::new();
    let mut shared = SharedResources::default();
    let [catalog, tree, info, resources] = std::array::from_fn(|_| shared.reference());
    pdf.catalog(catalog).pages(tree);
    pdf.document_info(info)
        .title(TextStr(title))
        .creator(TextStr(concat!("edgematch ", env!("CARGO_PKG_VERSION"))));
    let mut sheets = Vec::new();
    for page in pages {
        let drawing = Tree::from_str(&page.svg, &options).map_err(PdfError::new)?;
        let size = [page.width, page.height].map(|length| (length * POINTS) as f32);
        let written = Painter::draw(&drawing, size, &mut shared)?;
        let sheet = shared.reference();
        let content = shared.reference();
        pdf.stream(content, &compressed(&written)?).filter(Filter::FlateDecode);
        let mut writer = pdf.page(sheet);
        writer.parent(tree).contents(content);
        writer.media_box(Rect::new(0.0, 0.0, size[0], size[1]));
        writer.pair(Name(b"Resources"), resources);
        writer.finish();
        sheets.push(sheet);
    }
    pdf.pages(tree).count(sheets.len() as i32).kids(sheets.iter().copied());
    shared.write(&mut pdf, resources)?;
    Ok(pdf.finish())
}

/// Resources that pages share; each is stored once, under a unique name.
#[derive(Default)]
struct SharedResources {
    /// The number of the last allocated reference.
    references: i32,
    /// The bytes of picture files.
    pictures: Vec<(Ref, Arc<Vec<u8>>)>,
    /// Opacities of fill and stroke.
    opacities: Vec<(Ref, [f32; 2])>,
}

impl SharedResources {
    /// Allocates the next reference.
    fn reference(&mut self) -> Ref {
        self.references += 1;
        Ref::new(self.references)
    }

    /// The name of a picture with these bytes, which is added if it is new.
    fn picture(&mut self, file: &Arc<Vec<u8>>) -> Vec<u8> {
        name("P", intern(&mut self.pictures, Arc::clone(file), &mut self.references))
    }

    /// The name of a graphics state with these opacities, which is added if it is new.
    fn opacities(&mut self, fill: f32, stroke: f32) -> Vec<u8> {
        name("O", intern(&mut self.opacities, [fill, stroke], &mut self.references))
    }

    /// Writes the resources, and the dictionary with the reference `resources`, which maps names to
    /// them. Fails if a picture cannot be decoded.
    fn write(mut self, pdf: &mut Pdf, resources: Ref) -> Result<(), PdfError> {
        let mut list = pdf.indirect(resources).start::<Resources<'_>>();
        let mut drawn = list.x_objects();
        for (reference, _) in &self.pictures {
            drawn.pair(Name(&name("P", *reference)), *reference);
        }
        drawn.finish();
        let mut states = list.ext_g_states();
        for (reference, _) in &self.opacities {
            states.pair(Name(&name("O", *reference)), *reference);
        }
        states.finish();
        list.finish();
        for &(reference, [fill, stroke]) in &self.opacities {
            pdf.ext_graphics(reference).non_stroking_alpha(fill).stroking_alpha(stroke);
        }
        for (reference, file) in std::mem::take(&mut self.pictures) {
            write_picture(&file, reference, self.reference(), pdf)?;
        }
        Ok(())
    }
}

/// The reference of a resource; allocates one if it is new.
fn intern<T: PartialEq>(known: &mut Vec<(Ref, T)>, thing: T, references: &mut i32) -> Ref {
    if let Some((reference, _)) = known.iter().find(|(_, one)| *one == thing) {
        return *reference;
    }
    *references += 1;
    known.push((Ref::new(*references), thing));
    Ref::new(*references)
}

/// The name of a resource: a letter for its kind, followed by the number of its reference.
fn name(kind: &str, reference: Ref) -> Vec<u8> {
    format!("{kind}{}", reference.get()).into_bytes()
}

/// The bytes in zlib format, for PDF's `FlateDecode`.
fn compressed(bytes: &[u8]) -> Result<Vec<u8>, PdfError> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(PdfError::new)
}

/// Writes a picture, given the bytes of its file; `mask` is the reference of its alpha channel.
/// Fails if the picture cannot be decoded.
fn write_picture(file: &[u8], reference: Ref, mask: Ref, pdf: &mut Pdf) -> Result<(), PdfError> {
    let picture = image::load_from_memory(file).map_err(PdfError::new)?.to_rgba8();
    let [width, height] = [picture.width(), picture.height()].map(|length| length as i32);
    let colours: Vec<u8> = picture.pixels().flat_map(|p| [p[0], p[1], p[2]]).collect();
    let alphas: Vec<u8> = picture.pixels().map(|p| p[3]).collect();
    for (object, samples, alpha) in [(reference, colours, Some(mask)), (mask, alphas, None)] {
        let samples = compressed(&samples)?;
        let mut object = pdf.image_xobject(object, &samples);
        object.filter(Filter::FlateDecode);
        object.width(width).height(height).bits_per_component(8);
        match alpha {
            Some(mask) => object.s_mask(mask).color_space().device_rgb(),
            None => object.color_space().device_gray(),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(drawing: &str) -> SheetPage {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 10 10\" width=\"10mm\" \
             height=\"10mm\">{drawing}</svg>"
        );
        SheetPage { svg, width: 10.0, height: 10.0, tiles: Vec::new() }
    }

    #[test]
    fn shared_resources_are_written_once() {
        let drawing = "<rect width=\"5\" height=\"5\" fill=\"red\" fill-opacity=\"0.5\"/>";
        let bytes = pdf(&[page(drawing), page(drawing)], "two").unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("%PDF-"));
        let number = |word: &str| text.matches(word).count();
        assert_eq!(number("/Type /Page\n"), 2);
        assert_eq!(number("/ca 0.5"), 1);
    }

    #[test]
    fn unsupported_features_are_rejected() {
        let gradient = "<linearGradient id=\"a\"><stop stop-color=\"red\"/><stop offset=\"1\"/>\
                        </linearGradient><rect width=\"9\" height=\"9\" fill=\"url(#a)\"/>";
        let mask = "<mask id=\"m\"><rect width=\"5\" height=\"5\" fill=\"white\"/></mask>\
                    <rect width=\"9\" height=\"9\" mask=\"url(#m)\"/>";
        let translucent = "<g opacity=\"0.25\"><rect width=\"5\" height=\"5\"/></g>";
        for drawing in [gradient, mask, translucent] {
            let refused = pdf(&[page(drawing)], "").unwrap_err().to_string();
            assert!(refused.starts_with("the page can't be written as PDF: it has a"), "{refused}");
        }
    }
}
