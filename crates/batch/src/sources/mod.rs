//! Puzzles in files, folders, lists and streams, as a sequence of texts.
//!
//! Folders are walked in order of their names and never entered twice. What cannot be read is an
//! item of the sequence too: a batch reports it and goes on.

mod documents;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use edgematch::load;
use hmac_sha256::Hash;
use walkdir::{DirEntry, WalkDir};

use self::documents::Documents;

/// Endings of files that hold a puzzle a line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// A source of puzzles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a folder and all below it; `-` is standard input.
    Path(PathBuf),
    /// A file with a path a line; `-` is standard input.
    List(PathBuf),
}

/// The text of one puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The file, as it was named.
    pub path: String,
    /// Which one of the file's documents, from 1.
    pub document: u32,
    /// The line at which it begins, from 1.
    pub line: u32,
    /// The label for people: the path, and the document where there are several.
    pub label: String,
    /// The puzzle's name where the text gives none.
    pub name: String,
    /// The SHA-256 of the text; where it could not be read, `path:` and the path.
    pub hash: String,
    /// The text, or why there is none.
    pub text: Result<Vec<u8>, NoText>,
}

/// Why there is no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoText {
    /// The file could not be read.
    Unreadable(String),
    /// It is longer than any puzzle.
    TooLarge(String),
}

impl Item {
    /// The index of the part, among `of` parts, that it belongs to. Its text alone decides, so every
    /// machine gets the same answer.
    pub fn part(&self, of: u32) -> u32 {
        let hash = Hash::hash(self.hash.as_bytes());
        let first = hash[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        u32::try_from(first % u64::from(of.max(1))).unwrap_or_default()
    }
}

/// A thing found in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A puzzle's text.
    Item(Box<Item>),
    /// A file or a folder has ended.
    End(End),
    /// Something that people should know, and that is no puzzle.
    Note(String),
}

/// The end of a file or a folder: what was known of it beyond this is no longer there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// A file.
    File {
        /// The file, as it was named.
        path: String,
        /// The number of its documents.
        documents: u32,
    },
    /// A folder that was searched to its end.
    Folder {
        /// The folder, as its files name it.
        root: String,
        /// The files in it, as they are named.
        files: HashSet<String>,
    },
}

impl End {
    /// Returns true if a path, as files are named, is in a folder and not among its files.
    pub fn lacks(root: &str, files: &HashSet<String>, path: &str) -> bool {
        let file = Path::new(path);
        let is_below = match root {
            "" | "." => file.is_relative() && !file.starts_with(".."),
            root => file.starts_with(root) && path != root,
        };
        // A file that was named by itself, or standard input, is not in the folder's list.
        is_below && is_puzzle_file(file) && !files.contains(path)
    }
}

/// A part of what is found, read as it is taken.
type Sequence = Box<dyn Iterator<Item = Found> + Send>;

/// Reads sources one after another. Folders are walked in the order of names, symbolic links are
/// followed, hidden files are left out. Only one text is in memory.
pub fn items(sources: Vec<Source>) -> impl Iterator<Item = Found> + Send + 'static {
    sources.into_iter().flat_map(|source| match source {
        Source::Path(path) => of_path(&path),
        Source::List(path) => of_list(path),
    })
}

fn of_path(path: &Path) -> Sequence {
    if path.is_dir() {
        return of_folder(path);
    }
    match opened(path) {
        Ok(reader) => Box::new(Documents::new(path, reader)),
        Err(error) => of_unreadable(path, &error),
    }
}

fn of_list(list: PathBuf) -> Sequence {
    let mut reader = match opened(&list) {
        Ok(reader) => Some(reader),
        Err(error) => return of_unreadable(&list, &error),
    };
    let lines = std::iter::from_fn(move || {
        let mut line = Vec::new();
        Some(match load::next_line(reader.as_mut()?, &mut line) {
            Ok(0) => return None,
            Ok(_) => match path_of(documents::without_end(&line)) {
                Ok(path) if path.as_os_str().is_empty() => of_nothing(),
                Ok(path) => of_path(&path),
                Err(path) => {
                    of_unreadable(Path::new(&path), &io::Error::other("its name is not UTF-8"))
                }
            },
            Err(error) => {
                reader = None;
                of_unreadable(&list, &error)
            }
        })
    });
    Box::new(lines.flatten())
}

fn of_folder(root: &Path) -> Sequence {
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    let mut walk = walk.filter_entry(|entry| !is_hidden(entry));
    let mut folder = FolderWalk {
        root: root.to_owned(),
        entered: HashSet::new(),
        files: HashSet::new(),
        is_complete: true,
        is_ended: false,
    };
    let steps = std::iter::from_fn(move || match walk.next() {
        Some(Ok(entry)) if entry.file_type().is_dir() => Some(if folder.enter(&entry) {
            of_nothing()
        } else {
            walk.skip_current_dir();
            let path = entry.path().display();
            of_note(format!("{path} was searched under another name: not entered"))
        }),
        Some(Ok(entry)) => Some(folder.file(&entry)),
        Some(Err(error)) => Some(folder.error(error)),
        None if folder.is_ended => None,
        None => Some(folder.end()),
    });
    Box::new(steps.flatten())
}

fn of_nothing() -> Sequence {
    Box::new(std::iter::empty())
}

fn of_note(note: String) -> Sequence {
    Box::new(std::iter::once(Found::Note(note)))
}

/// A file that cannot be read: an item, then its end.
fn of_unreadable(path: &Path, error: &io::Error) -> Sequence {
    let item = unreadable(path, error);
    let path = item.path.clone();
    let was_folder = (error.kind() == io::ErrorKind::NotFound)
        .then(|| Found::End(End::Folder { root: path.clone(), files: HashSet::new() }));
    let end = Found::End(End::File { path, documents: 1 });
    Box::new([Found::Item(Box::new(item)), end].into_iter().chain(was_folder))
}

/// A folder while it is walked.
struct FolderWalk {
    root: PathBuf,
    /// The folders below, without links: links may lead to one twice.
    entered: HashSet<PathBuf>,
    /// The files that were found, as they are named.
    files: HashSet<String>,
    /// False if a part could not be searched.
    is_complete: bool,
    is_ended: bool,
}

impl FolderWalk {
    /// Enters a folder; returns false if it was searched before.
    fn enter(&mut self, entry: &DirEntry) -> bool {
        let place = entry.path().canonicalize().unwrap_or_else(|_| entry.path().to_owned());
        self.entered.insert(place)
    }

    fn file(&mut self, entry: &DirEntry) -> Sequence {
        let path = entry.path();
        if !entry.file_type().is_file() || !is_puzzle_file(path) {
            return of_nothing();
        }
        self.files.insert(shown(path));
        of_path(path)
    }

    fn error(&mut self, error: walkdir::Error) -> Sequence {
        let path = error.path().unwrap_or(&self.root).to_owned();
        if let Some(ancestor) = error.loop_ancestor() {
            let (path, ancestor) = (path.display(), ancestor.display());
            return of_note(format!("{path} leads back to {ancestor}: not entered"));
        }
        if path.is_dir() {
            self.is_complete = false;
        } else if !is_puzzle_file(&path) {
            // A link to nowhere matters only if it is named like a puzzle.
            return of_nothing();
        }
        self.files.insert(shown(&path));
        let error = error.into_io_error().unwrap_or_else(|| io::Error::other("unreadable"));
        of_unreadable(&path, &error)
    }

    fn end(&mut self) -> Sequence {
        self.is_ended = true;
        if !self.is_complete {
            return of_nothing();
        }
        let root = shown(&self.root);
        let files = std::mem::take(&mut self.files);
        let note = format!("{root}: a folder without puzzles");
        let note = files.is_empty().then_some(Found::Note(note));
        Box::new(std::iter::once(Found::End(End::Folder { root, files })).chain(note))
    }
}

fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.')
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Result<PathBuf, String> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Result<PathBuf, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PathBuf::from(text)),
        Err(_) => Err(String::from_utf8_lossy(bytes).into_owned()),
    }
}

fn opened(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if let Some(text) = load::literal(path) {
        return Ok(Box::new(io::Cursor::new(text.as_bytes().to_vec())));
    }
    if path == Path::new("-") {
        Ok(Box::new(BufReader::new(io::stdin())))
    } else {
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }
}

fn is_puzzle_file(path: &Path) -> bool {
    holds_lines(path) || load::is_puzzle_file(path)
}

/// Returns true if a file's name says that it has a puzzle per line.
pub fn holds_lines(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| LINES.contains(&ending.as_str()))
}

/// A path as text: where it is none, what is not is written in hexadecimal digits, so that two
/// paths never look alike; without `./` in front.
fn shown(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.strip_prefix("./").unwrap_or(text).to_owned(),
        None => format!("{path:?}"),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Item {
    let name = shown(path);
    Item {
        hash: format!("path:{name}"),
        label: name.clone(),
        name: load::name_of(path),
        text: Err(NoText::Unreadable(load::read_failure(error))),
        path: name,
        document: 1,
        line: 1,
    }
}
