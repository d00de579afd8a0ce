//! The page as one file that needs no server: inside are puzzles with the solver, or with their
//! solutions.
//!
//! Its style and its one script are named in the policy by their digests, so that nothing else can
//! run there, whatever a puzzle's title says.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hmac_sha256::Hash;
use serde::Serialize;

use super::assets;
use super::offered::Offered;
use super::solver::Solver;

/// A page that is one file, and needs no server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'a> {
    /// The puzzles to choose from.
    pub puzzles: &'a [Offered],
    /// The solver; without it the page knows only what is stored of its puzzles.
    pub solver: Option<&'a Solver>,
    /// The results that the puzzles were taken from.
    pub results: Option<&'a Results>,
    /// Whether what [`BESIDE`](crate::BESIDE) names lies beside it.
    pub has_files: bool,
}

/// What results files say of all their puzzles.
#[derive(Debug, Clone, Serialize)]
pub struct Results {
    /// Runs and how they ended, as a sentence.
    pub totals: String,
    /// Runs that contradict each other, as sentences.
    pub disagreements: Vec<String>,
}

impl Page<'_> {
    /// The page.
    ///
    /// # Errors
    /// Where it cannot be written down: never, as names and numbers are JSON.
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

    /// What the page may do: nothing but what is inside.
    fn policy(&self, style: &str, script: &str) -> String {
        let (images, files) =
            if self.has_files { ("'self' data:", " manifest-src 'self';") } else { ("data:", "") };
        let compile = if self.solver.is_some() { " 'wasm-unsafe-eval'" } else { "" };
        // The solver's worker is made of what is inside, and the other one keeps the page.
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

/// How a policy names an inline script or style.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Hash::hash(text.as_bytes())))
}

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

#[cfg(test)]
mod tests {
    use edgematch::load;
    use edgematch::problem::{Arrangement, Placed};
    use edgematch::puzzle::Orientation;

    use super::*;
    use crate::{Known, One};

    fn page(text: &str, solutions: usize) -> String {
        let one = One { problem: load::from_str(text).unwrap(), pictures: None };
        let problem = &one.problem;
        let placed = Placed { tile: 0, orientation: Orientation::default() };
        let solution = Arrangement(vec![placed; problem.board.size()]);
        let known =
            Known::new(problem, &vec![solution; solutions], true, "so many".into(), Vec::new());
        let offered = Offered::new("one", &one).unwrap();
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
        // Its own two blocks, and nothing more.
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
