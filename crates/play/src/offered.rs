//! A puzzle inside a page that is one file: what is said of it, its text, and what is known of it.

use edgematch::enumerate::Limits;
use edgematch::load::Form;
use edgematch::problem::Arrangement;
use edgematch_draw::{self as draw, Style, Titles};
use serde::Serialize;

use crate::game::Game;
use crate::known::Known;
use crate::listed::{Listed, One, difficulty};
use crate::refusal::{Refusal, Result};
use crate::request::refuse_too_large;

/// A puzzle that a page offers.
#[derive(Debug, Clone, Serialize)]
pub struct Offered {
    #[serde(flatten)]
    listed: Listed,
    /// How hard it is; nothing where that is not measured, or takes long.
    difficulty: Option<&'static str>,
    /// The file, in our own form; absent if the puzzle cannot be played.
    text: Option<String>,
    /// The puzzle and its picture, unless the solver of the page draws them.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    drawn: Option<Drawn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    known: Option<Known>,
    /// What a batch found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<Findings>,
}

#[derive(Debug, Clone, Serialize)]
struct Drawn {
    game: Game,
    picture: String,
}

/// What the runs of a batch found of a puzzle.
#[derive(Debug, Clone, Serialize)]
pub struct Findings {
    /// The status of the run that says most, such as `ALL_SOLUTIONS`.
    pub status: &'static str,
    /// Distinct solutions, in decimal digits.
    pub distinct: Option<String>,
    /// The same for people.
    pub shown: String,
    /// Whether there are no more: proven.
    pub complete: bool,
    /// A line for each run.
    pub runs: Vec<String>,
    /// What else should be known.
    pub notes: Vec<String>,
    /// What is wrong with the puzzle or its results.
    pub faults: Vec<String>,
}

impl Offered {
    fn listed(listed: Listed, text: Option<String>) -> Offered {
        Offered { listed, difficulty: None, text, drawn: None, known: None, found: None }
    }

    /// A puzzle under a name.
    ///
    /// # Errors
    /// If it is too large to be played, or no text can say it.
    pub fn new(name: &str, one: &One) -> Result<Offered> {
        let problem = &one.problem;
        refuse_too_large(problem)?;
        let form = Form::named("yaml").expect("our own form");
        let text = form.write(problem, None).map_err(Refusal::wrong)?.text;
        let offered = Offered::listed(Listed::new(name, problem), Some(text));
        // The solver cannot know the tiles' own pictures.
        Ok(if one.pictures.is_some() { offered.drawn(one, None) } else { offered })
    }

    /// The puzzle with its difficulty, measured within limits.
    #[must_use]
    pub fn rated(self, one: &One, limits: &Limits<'_>) -> Offered {
        Offered { difficulty: difficulty(&one.problem, limits), ..self }
    }

    /// A text that is no puzzle, or none that can be played.
    pub fn unplayable(name: &str, title: String, board: String) -> Offered {
        Offered::listed(Listed::unreadable(name).called(title, board), None)
    }

    /// The puzzle with what is known of it, shown with one of its solutions if that is given.
    #[must_use]
    pub fn with_known(self, one: &One, known: Known, shown: Option<&Arrangement>) -> Offered {
        Offered { known: Some(known), ..self.drawn(one, shown) }
    }

    fn drawn(self, one: &One, shown: Option<&Arrangement>) -> Offered {
        let style = Style { pictures: one.pictures.as_ref(), ..Style::default() };
        let picture = match shown {
            Some(solution) => {
                let style = Style { titles: Titles::Hidden, ..style };
                draw::arrangement(&one.problem, solution, &style).svg
            }
            None => one.thumbnail(),
        };
        let game = Game::new(&one.problem, &style);
        Offered { drawn: Some(Drawn { game, picture }), ..self }
    }
}
