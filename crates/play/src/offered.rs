//! A puzzle that a page without a server offers: what is said of it, and its text.

use edgematch::enumerate::Limits;
use edgematch::load::{Form, WriteError};
use edgematch_draw::Style;
use serde::Serialize;

use crate::game::Game;
use crate::listed::{Listed, One, difficulty};

/// A puzzle that a page offers.
#[derive(Debug, Clone, Serialize)]
pub struct Offered {
    #[serde(flatten)]
    listed: Listed,
    /// How hard it is; nothing where that takes long to find out.
    difficulty: Option<&'static str>,
    /// The file, in our own form.
    text: String,
    /// What the solver cannot know: the tiles' own pictures.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    drawn: Option<Drawn>,
}

#[derive(Debug, Clone, Serialize)]
struct Drawn {
    game: Game,
    picture: String,
}

impl Offered {
    /// A puzzle under a name; its difficulty is measured within limits.
    ///
    /// # Errors
    /// Where no text can say it.
    pub fn new(name: &str, one: &One, limits: &Limits<'_>) -> Result<Offered, WriteError> {
        let One { problem, pictures } = one;
        let form = Form::named("yaml").expect("our own form");
        let drawn = pictures.as_ref().map(|pictures| {
            let style = Style { pictures: Some(pictures), ..Style::default() };
            Drawn { game: Game::new(problem, &style), picture: one.thumbnail() }
        });
        Ok(Offered {
            listed: Listed::new(name, problem),
            difficulty: difficulty(problem, limits),
            text: form.write(problem, None)?.text,
            drawn,
        })
    }
}
