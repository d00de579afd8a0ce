//! The puzzles to choose from: what is said of each, and how hard it is.
//!
//! What was read of a file is kept until the file changes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::enumerate::Limits;

use crate::library::Library;
use crate::listed::{Listed, difficulty};

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
            Ok(problem) => Listed::new(name, &problem),
            Err(_) => Listed::unreadable(name),
        };
        let new = Known { changed, listed: listed.clone(), difficulty: None };
        known.insert(name.to_owned(), new);
        listed
    }

    /// How hard a puzzle is, as [`difficulty`] says it.
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
        let difficulty = difficulty(&library.problem(name).ok()?, limits);
        if let Some(known) = self.locked().get_mut(name) {
            known.difficulty = Some(difficulty);
        }
        difficulty
    }
}
