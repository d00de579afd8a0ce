//! A cache of the descriptions and difficulties of puzzles, valid until their files change.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::problem::Problem;
use edgematch::runtime::limits::{CancelToken, Limits};

use crate::library::Library;
use crate::listed::{LoadedPuzzle, PuzzleSummary, difficulty};
use crate::refusal::Result;
use crate::request::Puzzles;

/// A puzzle's description and difficulty.
#[derive(Debug)]
struct CachedPuzzle {
    /// The modification time of the file.
    changed: Option<SystemTime>,
    listed: PuzzleSummary,
    /// The difficulty; the outer `None` means not measured, the inner one that it could not be
    /// rated.
    difficulty: Option<Option<&'static str>>,
}

/// A library, and a cache of the descriptions and difficulties of its puzzles, by name.
#[derive(Debug)]
pub(super) struct Gallery {
    library: Library,
    known: Mutex<HashMap<String, CachedPuzzle>>,
}

impl Gallery {
    /// A gallery with an empty cache.
    pub fn new(library: Library) -> Self {
        Gallery { library, known: Mutex::default() }
    }

    /// Locks the cache. Ignores poisoning: a panic cannot leave it half changed.
    fn locked(&self) -> MutexGuard<'_, HashMap<String, CachedPuzzle>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The description of a puzzle, from the cache if its file has not changed.
    fn entry(&self, name: &str, token: &CancelToken<'_>) -> PuzzleSummary {
        let changed = self.library.changed(name);
        let mut known = self.locked();
        if let Some(known) = known.get(name).filter(|known| known.changed == changed) {
            return known.listed.clone();
        }
        if token.poll().is_break() {
            return PuzzleSummary::unreadable(name);
        }
        let listed = match self.library.problem(name) {
            Ok(problem) => PuzzleSummary::new(name, &problem),
            Err(_) => PuzzleSummary::unreadable(name),
        };
        let new = CachedPuzzle { changed, listed: listed.clone(), difficulty: None };
        known.insert(name.to_owned(), new);
        listed
    }
}

impl Puzzles for Gallery {
    /// Lists the folder again; reads only the puzzles that are new or have changed. Those that are
    /// not read within the limits have only a name until the next listing.
    fn list(&self, limits: &Limits<'_>) -> Vec<PuzzleSummary> {
        let token = limits.token();
        self.library.names().iter().map(|name| self.entry(name, &token)).collect()
    }

    fn difficulty(&self, name: &str, limits: &Limits<'_>) -> Option<&'static str> {
        let known = self.locked().get(name).and_then(|known| known.difficulty);
        if let Some(difficulty) = known {
            return difficulty;
        }
        let difficulty = difficulty(&self.library.problem(name).ok()?, limits);
        // If the limits stopped the rating, it is not cached.
        if limits.token().poll().is_continue()
            && let Some(known) = self.locked().get_mut(name)
        {
            known.difficulty = Some(difficulty);
        }
        difficulty
    }

    fn problem(&self, name: &str) -> Result<Problem> {
        self.library.problem(name)
    }

    fn find(&self, name: &str, limits: &Limits<'_>) -> Result<LoadedPuzzle> {
        self.library.find(name, limits)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn puzzles_not_read_in_time_are_read_by_the_next_listing() {
        let puzzles = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles/scramble-1");
        let library = Library::folder(Path::new(puzzles));
        let names = library.names();
        let gallery = Gallery::new(library);
        let up = AtomicBool::new(true);
        let limits = Limits { interrupt: Some(&up), ..Limits::default() };
        let unread: Vec<PuzzleSummary> =
            names.iter().map(|name| PuzzleSummary::unreadable(name)).collect();
        assert!(!names.is_empty());
        assert_eq!(gallery.list(&limits), unread);
        assert_ne!(gallery.list(&Limits::default()), unread);
        // Cached entries need no time.
        assert_ne!(gallery.list(&limits), unread);
    }
}
