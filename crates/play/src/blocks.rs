//! Blocks of data inside a page.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Blocks of more bytes are compressed.
const MOST_PLAIN: usize = 16 << 10;

/// A block of data that the script reads.
pub(super) fn data(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>")
}

/// A block of JSON, compressed where it is long.
pub(super) fn json_block(id: &str, json: &str) -> String {
    if json.len() > MOST_PLAIN {
        data(id, "application/zlib", &compressed(json.as_bytes()))
    } else {
        // In JSON, `<` stands in strings alone; there it must not end the script.
        data(id, "application/json", &json.replace('<', "\\u003c"))
    }
}

pub(super) fn compressed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}
