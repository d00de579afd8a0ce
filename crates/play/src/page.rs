//! The page as one file that needs no server: a puzzle with its solutions, or the solver itself, are
//! inside.
//!
//! Its style and its one script are named in the policy by their digests, so that nothing else can
//! run there, whatever a puzzle's title says.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac_sha256::Hash;

use super::assets;
use super::blocks::{compressed, data, json_block};
use super::offered::Offered;
use super::offline::Offline;
use super::solver::Solver;

/// The solver with the puzzles to choose from.
#[derive(Debug, Clone, Copy)]
pub struct Solving<'a> {
    /// The solver.
    pub solver: &'a Solver,
    /// The puzzles.
    pub puzzles: &'a [Offered],
}

impl Solving<'_> {
    fn blocks(&self) -> serde_json::Result<String> {
        let puzzles = serde_json::to_string(self.puzzles)?;
        Ok(format!(
            "{}\n{}",
            json_block("offered", &puzzles),
            data("solver", "application/zlib", &compressed(self.solver.bytes()))
        ))
    }
}

/// A page that is one file, and needs no server.
#[derive(Debug, Clone, Copy, Default)]
pub struct Page<'a> {
    /// One puzzle with its solutions.
    pub offline: Option<&'a Offline>,
    /// The solver.
    pub solving: Option<Solving<'a>>,
    /// Whether what [`BESIDE`](crate::BESIDE) names lies beside it.
    pub has_files: bool,
}

impl Page<'_> {
    /// The page.
    ///
    /// # Errors
    /// Where it cannot be written down: never, as names and numbers are JSON.
    pub fn html(&self) -> serde_json::Result<String> {
        let mut blocks = Vec::new();
        if let Some(offline) = self.offline {
            blocks.push(offline.blocks()?);
        }
        if let Some(solving) = &self.solving {
            blocks.push(solving.blocks()?);
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
        let compile = match self.solving {
            Some(_) => " 'wasm-unsafe-eval'",
            None => "",
        };
        // The solver's worker is made of what is inside, and the other one keeps the page.
        let workers = match (self.solving.is_some(), self.has_files) {
            (false, _) => "",
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

#[cfg(test)]
mod tests {
    use edgematch::load;
    use edgematch::problem::{Arrangement, Placed};
    use edgematch::puzzle::Orientation;
    use edgematch_draw::Style;

    use super::*;
    use crate::{Game, Solved, Symmetries};

    fn page(text: &str, solutions: usize) -> String {
        let problem = load::from_str(text).unwrap();
        let placed = Placed { tile: 0, orientation: Orientation::default() };
        let solution = Arrangement(vec![placed; problem.board.size()]);
        let solved = Solved::new(&problem, &vec![solution; solutions], true, "so many".into());
        let offline = Offline {
            game: Game::new(&problem, &Style::default()),
            symmetries: Symmetries::new(&problem),
            solved,
            recordings: Vec::new(),
        };
        let page = Page { offline: Some(&offline), ..Page::default() };
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
        // Its own three blocks, and nothing more.
        assert_eq!(html.matches("<script").count(), 3);
        assert_eq!(html.matches("</script>").count(), 3);
    }

    #[test]
    fn many_solutions_are_compressed() {
        let few = page("tiles: {1: [a, a, a, a]}", 1);
        assert!(few.contains("<script type=\"application/json\" id=\"known\">"));
        let many = page("tiles: {1: [a, a, a, a]}", 100_000);
        assert!(many.contains("<script type=\"application/zlib\" id=\"known\">"));
        assert!(many.len() < few.len() + 100_000);
    }
}
