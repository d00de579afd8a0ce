//! A cache of the descriptions and difficulties of puzzles, valid until their files change.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::runtime::limits::{CancelToken, Limits};

use crate::library::Library;
use crate::listed::{PuzzleSummary, difficulty};

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

/// A cache of the descriptions and difficulties of a library's puzzles, by name.
#[derive(Debug, Default)]
pub(super) struct Gallery {
    known: Mutex<HashMap<String, CachedPuzzle>>,
}

impl Gallery {
    /// Lists the puzzles of a library again; reads those that are new or have changed. Puzzles that
    /// are not read within the limits have only a name until the next listing.
    pub fn list(&self, library: &Library, limits: &Limits<'_>) -> Vec<PuzzleSummary> {
        let token = limits.token();
        library.names().iter().map(|name: &String| self.entry(library, name, &token)).collect()
    }

    /// Locks the cache. Ignores poisoning: a panic cannot leave it half changed.
    fn locked(&self) -> MutexGuard<'_, HashMap<String, CachedPuzzle>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The description of a puzzle, from the cache if its file has not changed.
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

    /// The difficulty of a puzzle, from the cache if possible; see [`difficulty`]. `None` if no
    /// valid puzzle has this name, or it was not rated within the limits, which is not cached.
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
        // If the limits stopped the rating, it is not cached.
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
    fn puzzles_not_read_in_time_are_read_by_the_next_listing() {
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
