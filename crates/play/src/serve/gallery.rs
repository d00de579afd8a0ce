//! The puzzles to choose from: what is said of each, a picture, how hard it is.
//!
//! What was read of a file is kept until the file changes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use edgematch::enumerate::Limits;
use edgematch::generate::{Band, Measured};
use edgematch::problem::Problem;
use edgematch_draw::{self as draw, Names, Style};
use serde::Serialize;

use super::One;
use super::library::Library;
use crate::game::{code, title};

/// The longest time that one puzzle is measured; what takes longer is not rated.
const LONGEST: Duration = Duration::from_millis(60);

/// What is said of a puzzle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Listed {
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
    fn new(name: &str, problem: &Problem) -> Listed {
        Listed {
            name: name.to_owned(),
            code: code(problem),
            title: title(problem),
            board: problem.board.description().to_owned(),
            tiles: problem.puzzle.tiles.len(),
        }
    }

    /// A file that is no puzzle: whoever opens it is told why.
    fn unreadable(name: &str) -> Listed {
        Listed {
            name: name.to_owned(),
            code: None,
            title: name.to_owned(),
            board: String::new(),
            tiles: 0,
        }
    }
}

#[derive(Debug)]
struct Known {
    /// When the file was changed.
    changed: Option<SystemTime>,
    listed: Listed,
    /// How hard it is, once that was asked for.
    difficulty: Option<Option<&'static str>>,
}

/// What is known of the puzzles of a library.
#[derive(Debug, Default)]
pub(super) struct Gallery {
    known: Mutex<HashMap<String, Known>>,
}

impl Gallery {
    /// All puzzles of a library, listed anew.
    pub fn list(&self, library: &Library) -> Vec<Listed> {
        let names = library.names();
        names.iter().map(|name| self.entry(library, name)).collect()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, library: &Library, name: &str) -> Listed {
        let changed = library.changed(name);
        let mut known = self.locked();
        if let Some(known) = known.get(name).filter(|known| known.changed == changed) {
            return known.listed.clone();
        }
        let listed = match library.problem(name) {
            Some(Ok(problem)) => Listed::new(name, &problem),
            _ => Listed::unreadable(name),
        };
        let new = Known {
            changed,
            listed: listed.clone(),
            difficulty: None,
        };
        known.insert(name.to_owned(), new);
        listed
    }

    /// How hard a puzzle is: the name of a [`Band`]; nothing where that takes long to find out.
    pub fn difficulty(
        &self,
        library: &Library,
        name: &str,
        limits: &Limits<'_>,
    ) -> Option<&'static str> {
        let known = self.locked().get(name).and_then(|known| known.difficulty);
        if let Some(difficulty) = known {
            return difficulty;
        }
        let problem = library.problem(name)?.ok()?;
        let limits = Limits {
            time: Some(LONGEST),
            threads: 1,
            ..*limits
        };
        let measured = Measured::new(&problem, &limits).ok();
        let band = measured.and_then(|measured| Band::of(measured.difficulty()?));
        let difficulty = band.map(|band| band.name);
        if let Some(known) = self.locked().get_mut(name) {
            known.difficulty = Some(difficulty);
        }
        difficulty
    }
}

/// A picture of the tiles of a puzzle: an SVG document.
pub(super) fn thumbnail(one: &One) -> String {
    let style = Style {
        names: Names::Hidden,
        pictures: one.pictures.as_ref(),
        ..Style::default()
    };
    draw::tiles(&one.problem, &style).svg
}
