//! The fonts for text in rendered pictures.

use std::sync::Arc;

use resvg::usvg::fontdb;

/// Loads the bundled font `DejaVu Sans`, and the system's fonts for characters that it lacks.
pub(super) fn fonts() -> Arc<fontdb::Database> {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_system_fonts();
    fonts.set_sans_serif_family("DejaVu Sans");
    Arc::new(fonts)
}
