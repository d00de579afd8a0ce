//! The list of puzzles: descriptions and difficulties.
//!
//! Both are cached until the file changes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::runtime::limits::{CancelToken, Limits};

use crate::library::Library;
use crate::listed::{PuzzleSummary, difficulty};

#[derive(Debug)]
struct CachedPuzzle {
    /// The modification time of the file.
    changed: Option<SystemTime>,
    listed: PuzzleSummary,
    /// The difficulty, once it has been requested.
    difficulty: Option<Option<&'static str>>,
}

/// A cache of what is known about the puzzles of a library.
#[derive(Debug, Default)]
pub(super) struct Gallery {
    known: Mutex<HashMap<String, CachedPuzzle>>,
}

impl Gallery {
    /// Lists all puzzles of a library again. Puzzles that are not read within the limits have only
    /// a name until the next listing.
    pub fn list(&self, library: &Library, limits: &Limits<'_>) -> Vec<PuzzleSummary> {
        let token = limits.token();
        library.names().iter().map(|name: &String| self.entry(library, name, &token)).collect()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, CachedPuzzle>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, library: &Library, name: &str, token: &CancelToken<'_>) -> PuzzleSummary {
        let changed = library.changed(name);
        let mut known = self.locked();
        if let Some(known) = known.get(name).filter(|known| known.changed == changed) {
            return known.listed.clone();
        }
        if token.poll().is_break() {
            return PuzzleSummary::unreadable(name);
        }
        let listed = match library.problem(name) {
            Ok(problem) => PuzzleSummary::new(name, &problem),
            Err(_) => PuzzleSummary::unreadable(name),
        };
        let new = CachedPuzzle { changed, listed: listed.clone(), difficulty: None };
        known.insert(name.to_owned(), new);
        listed
    }

    /// The difficulty of a puzzle; see [`difficulty`].
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
        // A rating that the limits cut short says nothing about the puzzle.
        if limits.token().poll().is_continue()
            && let Some(known) = self.locked().get_mut(name)
        {
            known.difficulty = Some(difficulty);
        }
        difficulty
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn what_is_not_read_in_time_is_read_when_it_is_listed_next() {
        let puzzles = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles/scramble-1");
        let library = Library::folder(Path::new(puzzles));
        let gallery = Gallery::default();
        let up = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&up), ..Limits::default() };
        let names = library.names();
        let unread: Vec<PuzzleSummary> =
            names.iter().map(|name| PuzzleSummary::unreadable(name)).collect();
        assert!(!names.is_empty());
        assert_eq!(gallery.list(&library, &limits), unread);
        assert_ne!(gallery.list(&library, &Limits::default()), unread);
        // Cached entries need no time.
        assert_ne!(gallery.list(&library, &limits), unread);
    }
}
