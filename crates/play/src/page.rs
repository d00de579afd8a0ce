//! The page as a single file that needs no server: it contains puzzles and the solver, or puzzles
//! with their solutions.
//!
//! The content security policy allows only the style and the script with given digests, so the
//! title of a puzzle cannot inject code.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hmac_sha256::Hash;
use serde::Serialize;

use super::assets;
use super::offered::OfferedPuzzle;
use super::solver::Solver;

/// A single-file page.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'a> {
    /// The puzzles to choose from.
    pub puzzles: &'a [OfferedPuzzle],
    /// The solver; without it the page has only stored answers.
    pub solver: Option<&'a Solver>,
    /// The totals of the results files from which the puzzles come, if they do.
    pub results: Option<&'a BatchResults>,
    /// True if the files in [`EXTRA_ASSETS`](crate::EXTRA_ASSETS) are stored next to the page.
    pub has_files: bool,
}

/// The results of all puzzles of a batch.
#[derive(Debug, Clone, Serialize)]
pub struct BatchResults {
    /// The number of runs by status, as a sentence.
    pub totals: String,
    /// Contradictions between runs, as sentences.
    pub disagreements: Vec<String>,
}

impl Page<'_> {
    /// Builds the HTML of the page.
    ///
    /// # Errors
    /// If serialisation fails, which cannot happen with names and numbers.
    pub fn html(&self) -> serde_json::Result<String> {
        let mut blocks = vec![json_block("offered", &serde_json::to_string(self.puzzles)?)];
        if let Some(results) = self.results {
            blocks.push(json_block("of-results", &serde_json::to_string(results)?));
        }
        if let Some(solver) = self.solver {
            blocks.push(data("solver", "application/zlib", &compressed(solver.bytes())));
        }
        let style = assets::style();
        let script = assets::bundle();
        let policy = self.policy(&style, &script);
        let files = if self.has_files { assets::FILES } else { "" };
        let head = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             {files}<style>{style}</style>"
        );
        blocks.push(format!("<script type=\"module\">{script}</script>"));
        Ok(assets::index(&head, &blocks.join("\n")))
    }

    /// The content security policy: the page may only load its own content.
    fn policy(&self, style: &str, script: &str) -> String {
        let (images, files) = if self.has_files {
            ("'self' blob: data:", " manifest-src 'self';")
        } else {
            ("blob: data:", "")
        };
        let compile = if self.solver.is_some() { " 'wasm-unsafe-eval'" } else { "" };
        // The solver's worker is created from a blob; the service worker is a file next to the
        // page.
        let workers = match (self.solver.is_some(), self.has_files) {
            (false, false) => "",
            (false, true) => " worker-src 'self';",
            (true, false) => " worker-src blob:;",
            (true, true) => " worker-src 'self' blob:;",
        };
        format!(
            "default-src 'none'; img-src {images}; style-src '{}'; script-src '{}'{compile};\
             {workers}{files} base-uri 'none'; form-action 'none'",
            digest(style),
            digest(script)
        )
    }
}

/// The digest by which a policy names an inline script or style.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Hash::hash(text.as_bytes())))
}

/// Blocks of JSON with more bytes are compressed.
const MOST_PLAIN: usize = 16 << 10;

/// A `<script>` element whose text the page's script finds by its id; `kind` is its MIME type. The
/// text is not escaped, so it must not contain `</script>`.
pub(super) fn data(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>")
}

/// An HTML element with JSON for the script, compressed if it is long.
pub(super) fn json_block(id: &str, json: &str) -> String {
    if json.len() > MOST_PLAIN {
        data(id, "application/zlib", &compressed(json.as_bytes()))
    } else {
        // In JSON, `<` occurs only in strings; unescaped, it could end the script element.
        data(id, "application/json", &json.replace('<', "\\u003c"))
    }
}

/// Bytes in zlib format, in Base64.
pub(super) fn compressed(bytes: &[u8]) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(bytes);
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use edgematch::load;
    use edgematch::problem::{Arrangement, Placed};
    use edgematch::puzzle::Orientation;

    use super::*;
    use crate::{KnownAnswers, LoadedPuzzle};

    fn page(text: &str, solutions: usize) -> String {
        let one = LoadedPuzzle { problem: load::from_str(text).unwrap(), pictures: None };
        let problem = &one.problem;
        let placed = Placed { tile: 0, orientation: Orientation::default() };
        let solution = Arrangement(vec![placed; problem.board.size()]);
        let known = KnownAnswers::new(
            problem,
            &vec![solution; solutions],
            true,
            "so many".into(),
            Vec::new(),
        );
        let offered = OfferedPuzzle::new("one", &one).unwrap();
        let puzzles = [offered.with_known(&one, known, None)];
        let page = Page { puzzles: &puzzles, ..Page::default() };
        page.html().unwrap()
    }

    #[test]
    fn no_name_ends_a_script() {
        let html = page(
            "{title: '</script><script>alert(1)</script><!--', tiles: {'<b>': [a, a, a, a]}}",
            1,
        );
        assert!(!html.contains("alert(1)</script>"));
        assert!(html.contains("\\u003c/script>\\u003cscript>alert(1)\\u003c/script>\\u003c!--"));
        assert!(!html.contains("'<b>'") && !html.contains("<b>"));
        // The script and the one data block, and nothing else.
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</script>").count(), 2);
    }

    #[test]
    fn many_solutions_are_compressed() {
        let few = page("tiles: {1: [a, a, a, a]}", 1);
        assert!(few.contains("<script type=\"application/json\" id=\"offered\">"));
        let many = page("tiles: {1: [a, a, a, a]}", 100_000);
        assert!(many.contains("<script type=\"application/zlib\" id=\"offered\">"));
        assert!(many.len() < few.len() + 100_000);
    }
}
