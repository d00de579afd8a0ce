//! The fonts of pictures that carry none.

use std::sync::Arc;

use resvg::usvg::fontdb;

/// A font of our own, and those of the system for what it lacks.
pub(super) fn fonts() -> Arc<fontdb::Database> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_system_fonts();
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
}
