//! Suggests a file with a similar name if a path does not exist.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::form::PuzzleFormat;

/// The largest number of files of a folder that are examined.
const MOST: usize = 5_000;

/// The minimal similarity of two names; equal names have similarity 1.
const ALIKE: f64 = 0.85;

/// A question that suggests the puzzle file with the most similar name, in the same folder or in a
/// subfolder; `None` if none is similar enough.
pub(super) fn did_you_mean(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_string_lossy().into_owned();
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let beside = files_of(folder);
    let below = beside.iter().filter(|path| path.is_dir()).flat_map(|folder| files_of(folder));
    let all: Vec<PathBuf> = beside.iter().cloned().chain(below).collect();
    let likeness = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        strsim::jaro_winkler(&wanted, &name).max(strsim::jaro_winkler(&wanted, &stem))
    };
    let puzzles = all.iter().filter(|path| PuzzleFormat::of_extension(path).is_some());
    let rated = puzzles.map(|path| (likeness(path), path));
    let (best, nearest) = rated.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let nearest = nearest.strip_prefix(".").unwrap_or(nearest);
    (best > ALIKE).then(|| format!("did you mean {}?", nearest.display()))
}

/// The files and subfolders of a folder, sorted by name, without hidden ones.
pub(super) fn files_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let is_hidden = |path: &Path| {
        let name = path.file_name().and_then(OsStr::to_str);
        name.is_some_and(|name| name.starts_with('.'))
    };
    let paths = entries.map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| !is_hidden(path)).take(MOST).collect();
    paths.sort_unstable();
    paths
}
