//! The puzzles to choose from: what is said of each, and how hard it is.
//!
//! What was read of a file is kept until the file changes.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::runtime::limits::{CancelToken, Limits};

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
    /// All puzzles of a library, listed anew. Those that are not read within the limits have their
    /// names alone, until they are listed next.
    pub fn list(&self, library: &Library, limits: &Limits<'_>) -> Vec<Listed> {
        let token = limits.token();
        library.names().iter().map(|name: &String| self.entry(library, name, &token)).collect()
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, library: &Library, name: &str, token: &CancelToken<'_>) -> Listed {
        let changed = library.changed(name);
        let mut known = self.locked();
        if let Some(known) = known.get(name).filter(|known| known.changed == changed) {
            return known.listed.clone();
        }
        if token.poll().is_break() {
            return Listed::unreadable(name);
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
        // What limits cut short says nothing of the puzzle.
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
        let unread: Vec<Listed> = names.iter().map(|name| Listed::unreadable(name)).collect();
        assert!(!names.is_empty());
        assert_eq!(gallery.list(&library, &limits), unread);
        assert_ne!(gallery.list(&library, &Limits::default()), unread);
        // What is known needs no time.
        assert_ne!(gallery.list(&library, &limits), unread);
    }
}
