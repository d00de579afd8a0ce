//! A puzzle inside a single-file page: its description, text and stored answers.

use edgematch::enumerate::Limits;
use edgematch::load::PUZZLE_FORMATS;
use edgematch::problem::Arrangement;
use edgematch_draw as draw;
use serde::Serialize;

use crate::game::Game;
use crate::known::KnownAnswers;
use crate::listed::{LoadedPuzzle, Look, PuzzleSummary, difficulty};
use crate::refusal::{Refusal, Result};
use crate::request::refuse_too_large;

/// A puzzle that a page offers.
#[derive(Debug, Clone, Serialize)]
pub struct OfferedPuzzle {
    #[serde(flatten)]
    listed: PuzzleSummary,
    /// The difficulty; `None` if it was not measured or takes too long to measure.
    difficulty: Option<&'static str>,
    /// The text of its YAML file; `None` if the puzzle cannot be played.
    text: Option<String>,
    /// The drawn puzzle and its thumbnail; `None` if the page's solver draws them.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    drawn: Option<DrawnPuzzle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    /// Stored answers; `None` if the page has a solver.
    known: Option<KnownAnswers>,
    /// The results of a batch, if the puzzle comes from a results file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Findings>,
}

/// A puzzle that the page can show without a solver: the drawn puzzle, and its thumbnail as SVG.
#[derive(Debug, Clone, Serialize)]
struct DrawnPuzzle {
    game: Game,
    picture: String,
}

/// The results of a batch for one puzzle.
#[derive(Debug, Clone, Serialize)]
pub struct Findings {
    /// The status of the most informative run, such as `ALL_SOLUTIONS`.
    pub status: &'static str,
    /// The number of distinct solutions, in decimal digits; `None` if nothing was searched.
    pub distinct: Option<String>,
    /// The same number, formatted for people.
    pub shown: String,
    /// True if it is proven that there are no more.
    pub complete: bool,
    /// One line per run.
    pub runs: Vec<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Errors in the puzzle or its results.
    pub faults: Vec<String>,
}

impl OfferedPuzzle {
    /// An entry with only a description and a text.
    fn listed(listed: PuzzleSummary, text: Option<String>) -> OfferedPuzzle {
        OfferedPuzzle { listed, difficulty: None, text, drawn: None, known: None, found: None }
    }

    /// The entry of a puzzle with this name.
    ///
    /// # Errors
    /// If it is too large to play, or cannot be written as YAML.
    pub fn new(name: &str, one: &LoadedPuzzle) -> Result<OfferedPuzzle> {
        let problem = &one.problem;
        refuse_too_large(problem)?;
        let text = PUZZLE_FORMATS[0].write(problem, None).map_err(Refusal::unanswerable)?.text;
        let offered = OfferedPuzzle::listed(PuzzleSummary::new(name, problem), Some(text));
        // The page's solver can draw figures from the text, but not the pictures of the tiles.
        Ok(if one.pictures.is_some() { offered.drawn(one, None) } else { offered })
    }

    /// Adds the difficulty, measured within limits.
    #[must_use]
    pub fn rated(self, one: &LoadedPuzzle, limits: &Limits<'_>) -> OfferedPuzzle {
        OfferedPuzzle { difficulty: difficulty(&one.problem, limits), ..self }
    }

    /// The entry of a text that is not a valid puzzle or cannot be played.
    pub fn unplayable(name: &str, title: String, board: String) -> OfferedPuzzle {
        let listed = PuzzleSummary { title, board, ..PuzzleSummary::unreadable(name) };
        OfferedPuzzle::listed(listed, None)
    }

    /// Adds stored answers and the drawn puzzle. The thumbnail is the arrangement `shown`, or
    /// without it the tiles.
    #[must_use]
    pub fn with_known(
        self,
        one: &LoadedPuzzle,
        known: KnownAnswers,
        shown: Option<&Arrangement>,
    ) -> OfferedPuzzle {
        OfferedPuzzle { known: Some(known), ..self.drawn(one, shown) }
    }

    /// Adds the drawn puzzle and a thumbnail, of `shown` or of the tiles.
    fn drawn(self, one: &LoadedPuzzle, shown: Option<&Arrangement>) -> OfferedPuzzle {
        let look = Look { names: true, ..Look::default() };
        let style = look.style(one, &[]);
        let picture = match shown {
            Some(solution) => draw::arrangement(&one.problem, solution, &style).svg,
            None => one.thumbnail(&Look::default()),
        };
        let game = Game::new(&one.problem, &style);
        OfferedPuzzle { drawn: Some(DrawnPuzzle { game, picture }), ..self }
    }
}
