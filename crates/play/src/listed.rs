//! An entry in the list of puzzles: its description, thumbnail and difficulty.

use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::domains::counting;
use edgematch::enumerate::Limits;
use edgematch::generate::{AtLeast, Band, Measured};
use edgematch::problem::Problem;
use edgematch_draw::{self as draw, Pictures, Style, Theme, TileNames, Titles};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::game::{code, title};
use crate::pieces::Pieces;

/// The time limit for measuring one puzzle; a puzzle that takes longer is not rated.
const LONGEST: Duration = Duration::from_millis(60);

/// A puzzle as read from a file.
#[derive(Debug, Clone)]
pub struct LoadedPuzzle {
    /// The puzzle with its constraints.
    pub problem: Problem,
    /// The pictures of its tiles, if it has any.
    pub pictures: Option<Pictures>,
}

impl LoadedPuzzle {
    /// Draws the tiles as an SVG document.
    pub fn thumbnail(&self, look: &Look) -> String {
        draw::tiles(&self.problem, &look.style(self, &[])).svg
    }
}

/// How a player wants to see the tiles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Look {
    /// What the edges show; by default what suits the puzzle.
    #[serde(deserialize_with = "theme_by_name")]
    pub theme: Option<Theme>,
    /// True to show the names of the tiles.
    pub names: bool,
}

impl Look {
    /// The style for a puzzle. `images` receive the first figures; a player who chose figures for
    /// images sees these, unless the look has a theme.
    pub fn style<'a>(&self, one: &'a LoadedPuzzle, images: &'a [String]) -> Style<'a> {
        let suited = || match images {
            [] => Theme::suited_to(&one.problem),
            _ => Theme::Figures,
        };
        Style {
            names: if self.names { TileNames::Small } else { TileNames::Hidden },
            theme: self.theme.unwrap_or_else(suited),
            pictures: one.pictures.as_ref(),
            images,
            titles: Titles::Hidden,
            ..Style::default()
        }
    }
}

/// Reads the name of a theme, or null.
fn theme_by_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Theme>, D::Error> {
    let Some(name) = Option::<String>::deserialize(from)? else {
        return Ok(None);
    };
    let known = Theme::ALL.iter().find(|(known, _)| *known == name);
    let unknown = || D::Error::custom(format!("there is no theme `{name:.100}`"));
    known.map(|(_, theme)| Some(*theme)).ok_or_else(unknown)
}

/// The description of a puzzle in a list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PuzzleSummary {
    pub(crate) name: String,
    /// The puzzle as a short text for addresses; `None` if it cannot be read or written as one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    pub(crate) title: String,
    /// A description of the board.
    pub(crate) board: String,
    /// The number of pieces.
    pub(crate) tiles: usize,
    /// The section of the list.
    pub(crate) kind: Kind,
}

/// A section of the list of puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Rectangles.
    Classic,
    /// Squares on boards with a border.
    Framed,
    /// Hexagons, triangles and other shapes.
    Shapes,
    /// Boards without a rim, or with ends that are joined.
    Solids,
    /// Boards with at least [`LARGE`] cells.
    Large,
    /// Examples for programs rather than players.
    More,
}

/// The number of cells from which a board is large.
const LARGE: usize = 25;

/// What the title of a puzzle for programs contains, in lower case.
const MORE: [&str; 9] = [
    "random ",
    "test board",
    "test instance",
    "sample",
    "example",
    "benchmark",
    "mock-up",
    "second source",
    "as typed",
];

impl Kind {
    /// The section of a puzzle with this title.
    fn new(problem: &Problem, title: &str) -> Kind {
        let title = title.to_lowercase();
        let board = &problem.board;
        if MORE.iter().any(|words| title.contains(words)) {
            Kind::More
        } else if board.size() >= LARGE {
            Kind::Large
        } else if board.cells().iter().all(|cell| cell.sides == 4) && board.rectangle().is_some() {
            if problem.puzzle.border.is_some() { Kind::Framed } else { Kind::Classic }
        } else if board.rim().is_empty() || board.rows_and_columns().is_some() {
            Kind::Solids
        } else {
            Kind::Shapes
        }
    }
}

impl PuzzleSummary {
    /// Describes a puzzle that is requested by this name.
    pub fn new(name: &str, problem: &Problem) -> PuzzleSummary {
        let title = title(problem);
        PuzzleSummary {
            name: name.to_owned(),
            code: code(problem),
            kind: Kind::new(problem, &title),
            title,
            board: problem.board.description().to_owned(),
            tiles: Pieces::new(problem).number(),
        }
    }

    /// The entry of a file that was not read or is not a puzzle, with only its name; opening it
    /// reports the error.
    pub fn unreadable(name: &str) -> PuzzleSummary {
        PuzzleSummary {
            name: name.to_owned(),
            code: None,
            title: name.to_owned(),
            board: String::new(),
            tiles: 0,
            kind: Kind::More,
        }
    }
}

/// Rates the difficulty of a puzzle: the name of a [`Band`], or `impossible` without a solution;
/// `None` if that takes longer than 60 ms or the limits allow.
pub fn difficulty(problem: &Problem, limits: &Limits<'_>) -> Option<&'static str> {
    let limits = Limits { threads: 1, ..limits.token().limits_within(LONGEST) };
    let proof = counting::proof_under(&limits.token(), problem);
    if let ControlFlow::Continue(Some(_)) = proof {
        return Some("impossible");
    }
    let measured = Measured::new(problem, &limits).ok()?;
    if measured.distinct == (AtLeast { number: 0, is_all: true }) {
        return Some("impossible");
    }
    Band::from_difficulty(measured.difficulty()?).map(|band| band.name)
}
