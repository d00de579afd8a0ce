//! The page as one file that needs no server: the puzzle and its solutions are inside.
//!
//! Its style and its one script are named in the policy by their digests, so that nothing else can
//! run there, whatever a puzzle's title says.

use std::io::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use edgematch::problem::{Arrangement, Problem};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use hmac_sha256::Hash;
use serde::Serialize;

use super::answer::Answer;
use super::assets;
use super::game::Game;
use crate::watch::numbers;

/// Solutions and recordings above this number of bytes are compressed.
const MOST_PLAIN: usize = 16 << 10;

/// What was found before the page was made.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Solved {
    /// One placement a cell: tile, number of the orientation; solution by solution.
    list: Vec<Vec<[usize; 2]>>,
    /// Whether there are no more: proven.
    complete: bool,
    /// One honest sentence.
    sentence: String,
}

impl Solved {
    /// All that was found, with a sentence on it; complete where it is proven that there is no
    /// more.
    pub fn new(
        problem: &Problem,
        solutions: &[Arrangement],
        is_complete: bool,
        sentence: String,
    ) -> Solved {
        let numbered = |solution: &Arrangement| {
            let placed = solution.0.iter();
            placed.map(|&placed| numbers(problem, placed)).collect()
        };
        Solved {
            list: solutions.iter().map(numbered).collect(),
            complete: is_complete,
            sentence,
        }
    }
}

/// How the group of a problem moves placements.
#[derive(Debug, Clone, Serialize)]
pub struct Symmetries(Vec<Motion>);

#[derive(Debug, Clone, Serialize)]
struct Motion {
    /// By cell, where it goes.
    to: Vec<usize>,
    /// By cell, how what lies there is moved: the number of an orientation.
    by: Vec<usize>,
}

impl Symmetries {
    /// Of a problem's group.
    pub fn new(problem: &Problem) -> Symmetries {
        let cells = problem.board.cells();
        let motions = problem.group.iter().map(|symmetry| {
            let by = symmetry.motion.iter().zip(cells);
            Motion {
                to: symmetry.image.clone(),
                by: by.map(|(motion, cell)| motion.index(cell.sides)).collect(),
            }
        });
        Symmetries(motions.collect())
    }
}

/// All that is inside the page.
#[derive(Debug, Clone)]
pub struct Offline {
    /// The puzzle.
    pub game: Game,
    /// Its solutions.
    pub solved: Solved,
    /// What turns one solution into others.
    pub symmetries: Symmetries,
    /// Searches step by step.
    pub recordings: Vec<Answer>,
}

#[derive(Serialize)]
struct Known<'a> {
    solved: &'a Solved,
    symmetries: &'a Symmetries,
    recordings: &'a [Answer],
}

impl Offline {
    /// The page.
    ///
    /// # Errors
    /// Where it cannot be written down: never, as names and numbers are JSON.
    pub fn html(&self) -> serde_json::Result<String> {
        let game = serde_json::to_string(&self.game)?;
        let known = serde_json::to_string(&Known {
            solved: &self.solved,
            symmetries: &self.symmetries,
            recordings: &self.recordings,
        })?;
        let known = if known.len() > MOST_PLAIN {
            data("known", "application/zlib", &compressed(&known))
        } else {
            data("known", "application/json", &in_script(&known))
        };
        let game = data("game", "application/json", &in_script(&game));
        let style = assets::STYLE;
        let script = assets::bundle();
        let policy = format!(
            "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; base-uri 'none'; \
             form-action 'none'",
            digest(style),
            digest(&script)
        );
        let head = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <style>{style}</style>"
        );
        let scripts = format!("{game}\n{known}\n<script type=\"module\">{script}</script>");
        Ok(assets::index(&head, &scripts))
    }
}

/// A block of data that the script reads.
fn data(id: &str, kind: &str, text: &str) -> String {
    format!("<script type=\"{kind}\" id=\"{id}\">{text}</script>")
}

/// JSON that ends no script: in it, `<` stands in strings alone.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn compressed(text: &str) -> String {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(text.as_bytes());
    STANDARD.encode(encoder.finish().unwrap_or_default())
}

/// How a policy names an inline script or style.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Hash::hash(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use edgematch::load;
    use edgematch::problem::Placed;
    use edgematch::puzzle::Orientation;
    use edgematch_draw::Style;

    use super::*;

    fn page(text: &str, solutions: usize) -> String {
        let problem = load::from_str(text).unwrap();
        let placed = Placed {
            tile: 0,
            orientation: Orientation::default(),
        };
        let solution = Arrangement(vec![placed; problem.board.size()]);
        let solved = Solved::new(&problem, &vec![solution; solutions], true, "so many".into());
        let offline = Offline {
            game: Game::new(&problem, &Style::default()),
            symmetries: Symmetries::new(&problem),
            solved,
            recordings: Vec::new(),
        };
        offline.html().unwrap()
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
