//! A puzzle among others to choose from: what is said of it, a picture, how hard it is.

use std::time::Duration;

use edgematch::enumerate::Limits;
use edgematch::generate::{Band, Measured};
use edgematch::problem::Problem;
use edgematch_draw::{self as draw, Names, Pictures, Style};
use serde::Serialize;

use crate::game::{code, title};
use crate::pieces::Pieces;

/// The longest time that one puzzle is measured; what takes longer is not rated.
const LONGEST: Duration = Duration::from_millis(60);

/// A puzzle that was read.
#[derive(Debug, Clone)]
pub struct One {
    /// The puzzle, with all that is asked beside.
    pub problem: Problem,
    /// Its tiles' own pictures.
    pub pictures: Option<Pictures>,
}

impl One {
    /// A picture of the tiles: an SVG document.
    pub fn thumbnail(&self) -> String {
        let style =
            Style { names: Names::Hidden, pictures: self.pictures.as_ref(), ..Style::default() };
        draw::tiles(&self.problem, &style).svg
    }
}

/// What is said of a puzzle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Listed {
    name: String,
    /// Nothing where it cannot be read, or has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<String>,
    title: String,
    /// The board in words.
    board: String,
    tiles: usize,
}

impl Listed {
    /// A puzzle under a name.
    pub fn new(name: &str, problem: &Problem) -> Listed {
        Listed {
            name: name.to_owned(),
            code: code(problem),
            title: title(problem),
            board: problem.board.description().to_owned(),
            tiles: Pieces::new(problem).number(),
        }
    }

    /// A file that is no puzzle: whoever opens it is told why.
    pub fn unreadable(name: &str) -> Listed {
        Listed {
            name: name.to_owned(),
            code: None,
            title: name.to_owned(),
            board: String::new(),
            tiles: 0,
        }
    }

    /// The same with another title and board.
    #[cfg(feature = "pages")]
    pub(crate) fn called(self, title: String, board: String) -> Listed {
        Listed { title, board, ..self }
    }
}

/// How hard a puzzle is: the name of a [`Band`]; nothing where that takes long to find out.
pub fn difficulty(problem: &Problem, limits: &Limits<'_>) -> Option<&'static str> {
    let limits = Limits { threads: 1, ..limits.token().within(LONGEST) };
    Band::of(Measured::new(problem, &limits).ok()?.difficulty()?).map(|band| band.name)
}
