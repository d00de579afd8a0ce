//! The puzzles that a server offers: those of a folder, a single one, or none.
//!
//! Only listed files inside the folder are read, and symbolic links are not followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use edgematch::load::{self, LoadError};
use edgematch::problem::Problem;
use edgematch::runtime::limits::Limits;
use edgematch_draw::Pictures;
use walkdir::WalkDir;

use crate::listed::LoadedPuzzle;
use crate::refusal::{Refusal, Result};
use crate::request::{missing, read_playable};

/// The maximum number of files that are listed; others are left out.
const MOST_FILES: usize = 5_000;

/// The puzzles that a server offers.
#[derive(Debug)]
pub enum Library {
    /// No puzzles: players enter or generate them.
    Empty,
    /// One puzzle.
    One(Box<LoadedPuzzle>),
    /// The files of a folder and its subfolders; symbolic links are not followed.
    Folder {
        /// The folder.
        root: PathBuf,
        /// The paths of the files by name, from the latest listing. A name is the path relative to
        /// `root`.
        listed: Mutex<BTreeMap<String, PathBuf>>,
    },
}

impl Library {
    /// The library of a folder, whose files are listed now.
    pub fn folder(root: &Path) -> Library {
        let listed = Mutex::new(list(root));
        Library::Folder { root: root.to_owned(), listed }
    }

    /// Returns true if the library has no puzzle, according to the latest listing.
    pub fn is_empty(&self) -> bool {
        match self {
            Library::Empty => true,
            Library::One(_) => false,
            Library::Folder { listed, .. } => locked(listed).is_empty(),
        }
    }

    /// Lists the folder again and returns the names of all puzzles.
    pub fn names(&self) -> Vec<String> {
        match self {
            Library::Empty => Vec::new(),
            Library::One(one) => vec![one.problem.puzzle.name.clone()],
            Library::Folder { root, listed } => {
                let new = list(root);
                let names = new.keys().cloned().collect();
                *locked(listed) = new;
                names
            }
        }
    }

    /// The modification time of a puzzle's file; `None` if it has no file or that cannot be read.
    pub fn changed(&self, name: &str) -> Option<SystemTime> {
        fs::metadata(self.path(name)?).ok()?.modified().ok()
    }

    /// The path of a listed puzzle; `None` if it is not listed or has no file.
    fn path(&self, name: &str) -> Option<PathBuf> {
        match self {
            Library::Empty | Library::One(_) => None,
            Library::Folder { listed, .. } => locked(listed).get(name).cloned(),
        }
    }

    /// Reads a listed puzzle, without its pictures.
    ///
    /// # Errors
    /// If no puzzle has this name, its file is not a valid puzzle, or the board is too large to
    /// play.
    pub fn problem(&self, name: &str) -> Result<Problem> {
        match self {
            Library::One(one) if one.problem.puzzle.name == name => Ok(one.problem.clone()),
            Library::Folder { .. } => Ok(read(name, &self.path(name).ok_or(missing(name))?)?),
            _ => Err(missing(name)),
        }
    }

    /// Reads a listed puzzle with its pictures.
    ///
    /// # Errors
    /// Those of [`problem`](Self::problem); also if its pictures cannot be used or are not read
    /// within the limits.
    pub fn find(&self, name: &str, limits: &Limits<'_>) -> Result<LoadedPuzzle> {
        let problem = self.problem(name)?;
        let pictures = match self {
            Library::Empty => None,
            Library::One(one) => one.pictures.clone(),
            Library::Folder { .. } => {
                let path = self.path(name).ok_or(missing(name))?;
                let read = Pictures::read(&problem, &path, &limits.token());
                read.map_err(Refusal::unanswerable)?
            }
        };
        Ok(LoadedPuzzle { problem, pictures })
    }
}

/// Locks the listing. A panic in another thread cannot leave it half-written, so poisoning is
/// ignored.
fn locked(listed: &Mutex<BTreeMap<String, PathBuf>>) -> MutexGuard<'_, BTreeMap<String, PathBuf>> {
    listed.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The paths of all puzzle files in a folder by name, at most [`MOST_FILES`], without hidden ones.
fn list(root: &Path) -> BTreeMap<String, PathBuf> {
    let is_hidden = |name: &std::ffi::OsStr| name.as_encoded_bytes().starts_with(b".");
    let walk = WalkDir::new(root).into_iter();
    let shown = walk.filter_entry(move |entry| entry.depth() == 0 || !is_hidden(entry.file_name()));
    let files = shown.filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    let puzzles = files.filter(|entry| load::is_puzzle_file(entry.path()));
    let named = puzzles.take(MOST_FILES).filter_map(|entry| {
        Some((entry.path().strip_prefix(root).ok()?.to_str()?.to_owned(), entry.into_path()))
    });
    named.collect()
}

/// Reads a puzzle from a file; `name` is used in errors.
fn read(name: &str, path: &Path) -> Result<Problem, LoadError> {
    read_playable(&load::read_bytes(path)?, name, &load::name_of(path))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::refusal::Reason;

    const PUZZLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../puzzles");

    #[test]
    fn only_listed_puzzles_are_found() {
        let library = Library::folder(Path::new(PUZZLES));
        assert!(library.names().contains(&"scramble-1.yaml".to_owned()));
        let limits = Limits::default();
        assert!(library.find("scramble-1.yaml", &limits).is_ok());
        for name in [
            "../Cargo.toml",
            "./scramble-1.yaml",
            "/etc/passwd",
            "boards/../scramble-1.yaml",
            "scramble-1.yaml\0",
            "",
        ] {
            let refused = library.find(name, &limits).unwrap_err();
            assert_eq!(refused.reason, Reason::Missing, "{name}");
        }
    }

    #[test]
    fn pictures_outside_the_folder_and_links_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let picture = Path::new(PUZZLES).join("scramble-1/input/1.png");
        fs::copy(&picture, folder.path().join("1.png")).unwrap();
        fs::copy(&picture, inside.join("1.png")).unwrap();
        let puzzle =
            |pictures: &str| format!("{{pictures: '{pictures}', tiles: {{1: [a, a, a, a]}}}}");
        fs::write(inside.join("good.yaml"), puzzle("{tile}.png")).unwrap();
        fs::write(inside.join("bad.yaml"), puzzle("../{tile}.png")).unwrap();
        let library = Library::folder(&inside);
        let find = |name| library.find(name, &Limits::default());
        assert!(find("good.yaml").unwrap().pictures.is_some());
        let refused = find("bad.yaml").unwrap_err();
        assert!(refused.message.contains("outside"), "{refused:?}");
        let up = AtomicBool::new(true);
        let interrupted = Limits { interrupt: Some(&up), ..Limits::default() };
        let refused = library.find("good.yaml", &interrupted).unwrap_err();
        assert!(refused.message.starts_with("interrupted, before"), "{refused:?}");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(
                fs::canonicalize("Cargo.toml").unwrap(),
                inside.join("link.yaml"),
            )
            .unwrap();
            assert_eq!(library.names(), ["bad.yaml", "good.yaml"]);
        }
    }
}
