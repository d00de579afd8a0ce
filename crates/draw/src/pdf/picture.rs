//! A picture in a PDF: its pixels, and how far one sees through them.

use pdf_writer::{Filter, Finish, Pdf, Ref};

use super::{PdfError, compressed};

/// Writes a picture from the bytes of its file; `mask` is the reference that its transparency
/// takes.
pub(super) fn write(file: &[u8], reference: Ref, mask: Ref, pdf: &mut Pdf) -> Result<(), PdfError> {
    let picture = image::load_from_memory(file).map_err(PdfError::new)?.to_rgba8();
    let [width, height] = [picture.width(), picture.height()].map(|length| length as i32);
    let colours = picture.pixels().flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    let alphas = picture.pixels().map(|pixel| pixel[3]);
    let colours = compressed(&colours.collect::<Vec<u8>>())?;
    let alphas = compressed(&alphas.collect::<Vec<u8>>())?;
    let mut object = pdf.image_xobject(reference, &colours);
    object.filter(Filter::FlateDecode);
    object.width(width).height(height).bits_per_component(8).s_mask(mask);
    object.color_space().device_rgb();
    object.finish();
    let mut object = pdf.image_xobject(mask, &alphas);
    object.filter(Filter::FlateDecode);
    object.width(width).height(height).bits_per_component(8);
    object.color_space().device_gray();
    Ok(())
}
