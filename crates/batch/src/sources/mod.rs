//! The puzzles in files, folders, lists of paths and standard input, as a sequence of texts.
//!
//! Folders are walked in the order of names and never entered twice. A file that cannot be read is
//! an item of the sequence too, so that a batch reports it and continues.

mod documents;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use edgematch::load;
use hmac_sha256::Hash;
use walkdir::{DirEntry, WalkDir};

use self::documents::Documents;

/// Extensions of files with one puzzle per line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// A source of puzzles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, or a folder with its subfolders; `-` is standard input.
    Path(PathBuf),
    /// A file with a path on each line, which names a file or a folder; `-` is standard input.
    List(PathBuf),
}

/// The text of a puzzle and its place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// The path of the file, as it was given.
    pub path: String,
    /// The number of the puzzle in its file, from 1.
    pub document: u32,
    /// The line of the file where the text begins, from 1.
    pub line: u32,
    /// The text's name in messages: the path, followed by `#` and the document if the file has
    /// several.
    pub label: String,
    /// The puzzle's name if its text has none.
    pub name: String,
    /// The SHA-256 of the text, in hexadecimal digits; `path:` and the path if it could not be
    /// read.
    pub hash: String,
    /// The text, or why it is missing.
    pub text: Result<Vec<u8>, NoText>,
}

/// Why a text is missing, with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoText {
    /// The file could not be read.
    Unreadable(String),
    /// The text exceeds [`load::LARGEST_FILE`].
    TooLarge(String),
}

impl Item {
    /// The part that the puzzle belongs to if a batch is split into `of` parts: an index from 0. It
    /// depends only on [`hash`](Self::hash), so all machines agree.
    pub fn part(&self, of: u32) -> u32 {
        let hash = Hash::hash(self.hash.as_bytes());
        let first = hash[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        u32::try_from(first % u64::from(of.max(1))).unwrap_or_default()
    }
}

/// An element of the sequence that a source yields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A puzzle's text.
    Item(Box<Item>),
    /// A file or a folder was read to its end.
    End(End),
    /// A warning, for example that a folder has no puzzles.
    Note(String),
}

/// The complete contents of a file or a folder. Earlier records of other documents or files in it
/// are out of date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// A file.
    File {
        /// The path of the file, as in [`Item::path`].
        path: String,
        /// The number of puzzles in the file.
        documents: u32,
    },
    /// A folder all of which could be searched.
    Folder {
        /// The path of the folder, as the paths of its files begin.
        root: String,
        /// The paths of its puzzle files, as in [`Item::path`].
        files: HashSet<String>,
    },
}

impl End {
    /// Returns true if `path` is a puzzle file below the folder `root` that is not in `files`: the
    /// file no longer exists.
    pub fn lacks(root: &str, files: &HashSet<String>, path: &str) -> bool {
        let file = Path::new(path);
        let is_below = match root {
            "" | "." => file.is_relative() && !file.starts_with(".."),
            root => file.starts_with(root) && path != root,
        };
        // Other files, or standard input, can have been given by themselves.
        is_below && is_puzzle_file(file) && !files.contains(path)
    }
}

/// A lazy sequence, which reads files as it is advanced.
type Sequence = Box<dyn Iterator<Item = Found> + Send>;

/// The puzzles, ends and warnings of all sources, one after another. Folders are walked in the
/// order of names, following symbolic links and skipping hidden files. The sequence is lazy and
/// keeps only one text in memory.
pub fn items(sources: Vec<Source>) -> impl Iterator<Item = Found> + Send + 'static {
    sources.into_iter().flat_map(|source| match source {
        Source::Path(path) => path_items(&path),
        Source::List(path) => list_items(path),
    })
}

/// The items of a folder, or of a file whatever its extension. A file that cannot be opened becomes
/// an item with the error.
fn path_items(path: &Path) -> Sequence {
    if path.is_dir() {
        return folder_items(path);
    }
    match open_reader(path) {
        Ok(reader) => Box::new(Documents::new(path, reader)),
        Err(error) => unreadable_items(path, &error),
    }
}

/// The items of all paths in a list. Empty lines are skipped. A list or a path that cannot be read
/// becomes an item with the error; the rest of the list after an unreadable line is skipped.
fn list_items(list: PathBuf) -> Sequence {
    let mut reader = match open_reader(&list) {
        Ok(reader) => Some(reader),
        Err(error) => return unreadable_items(&list, &error),
    };
    let lines = std::iter::from_fn(move || {
        let mut line = Vec::new();
        Some(match load::next_line(reader.as_mut()?, &mut line) {
            Ok(0) => return None,
            Ok(_) => match path_from_bytes(documents::without_end(&line)) {
                Ok(path) if path.as_os_str().is_empty() => no_items(),
                Ok(path) => path_items(&path),
                Err(path) => {
                    unreadable_items(Path::new(&path), &io::Error::other("its name is not UTF-8"))
                }
            },
            Err(error) => {
                reader = None;
                unreadable_items(&list, &error)
            }
        })
    });
    Box::new(lines.flatten())
}

/// The items of a folder, then its end and warnings.
fn folder_items(root: &Path) -> Sequence {
    let walk = WalkDir::new(root).follow_links(true).sort_by_file_name().into_iter();
    let mut walk = walk.filter_entry(|entry| !is_hidden(entry));
    let mut folder = FolderWalk {
        root: root.to_owned(),
        entered: HashSet::new(),
        files: HashSet::new(),
        lists: 0,
        is_complete: true,
        is_ended: false,
    };
    let steps = std::iter::from_fn(move || match walk.next() {
        Some(Ok(entry)) if entry.file_type().is_dir() => Some(if folder.enter(&entry) {
            no_items()
        } else {
            walk.skip_current_dir();
            let path = entry.path().display();
            warning(format!("{path} was already searched under another name: not entered again"))
        }),
        Some(Ok(entry)) => Some(folder.file(&entry)),
        Some(Err(error)) => Some(folder.error(error)),
        None if folder.is_ended => None,
        None => Some(folder.end()),
    });
    Box::new(steps.flatten())
}

/// A sequence without items.
fn no_items() -> Sequence {
    Box::new(std::iter::empty())
}

/// A sequence with one warning.
fn warning(note: String) -> Sequence {
    Box::new(std::iter::once(Found::Note(note)))
}

/// The sequence of a file that cannot be read: an item with the error, then its end. If the path
/// does not exist, it may have been a folder, so the end of an empty folder follows.
fn unreadable_items(path: &Path, error: &io::Error) -> Sequence {
    let item = unreadable_item(path, error);
    let path = item.path.clone();
    let was_folder = (error.kind() == io::ErrorKind::NotFound)
        .then(|| Found::End(End::Folder { root: path.clone(), files: HashSet::new() }));
    let end = Found::End(End::File { path, documents: 1 });
    Box::new([Found::Item(Box::new(item)), end].into_iter().chain(was_folder))
}

/// The state of walking a folder.
struct FolderWalk {
    root: PathBuf,
    /// The canonical paths of the folders entered: symbolic links can lead to a folder twice.
    entered: HashSet<PathBuf>,
    /// The paths of the puzzle files found so far, as in [`Item::path`].
    files: HashSet<String>,
    /// The number of files that are not read, but whose extension is that of a list or a table.
    lists: usize,
    /// False if a subfolder could not be searched.
    is_complete: bool,
    /// True if the end of the folder was reported.
    is_ended: bool,
}

impl FolderWalk {
    /// Records that a folder is entered; returns false if it was entered before, also by another
    /// path that links to it.
    fn enter(&mut self, entry: &DirEntry) -> bool {
        let place = entry.path().canonicalize().unwrap_or_else(|_| entry.path().to_owned());
        self.entered.insert(place)
    }

    /// The items of a file; none if it is not a puzzle file.
    fn file(&mut self, entry: &DirEntry) -> Sequence {
        let path = entry.path();
        if !entry.file_type().is_file() || !is_puzzle_file(path) {
            let is_list = path.extension().is_some_and(|ending| ending == "txt" || ending == "csv");
            self.lists += usize::from(is_list);
            return no_items();
        }
        self.files.insert(path_text(path));
        path_items(path)
    }

    /// The items for an error of the walk: a warning for a link to a folder that contains it,
    /// nothing for an entry that is not a puzzle file, otherwise an unreadable item.
    fn error(&mut self, error: walkdir::Error) -> Sequence {
        let path = error.path().unwrap_or(&self.root).to_owned();
        if let Some(ancestor) = error.loop_ancestor() {
            let (path, ancestor) = (path.display(), ancestor.display());
            return warning(format!("{path} leads back to {ancestor}: not entered"));
        }
        if path.is_dir() {
            self.is_complete = false;
        } else if !is_puzzle_file(&path) {
            // A broken link matters only if it has the extension of a puzzle.
            return no_items();
        }
        self.files.insert(path_text(&path));
        let error = error.into_io_error().unwrap_or_else(|| io::Error::other("unreadable"));
        unreadable_items(&path, &error)
    }

    /// The end of the folder, with a warning if it has no puzzles; nothing if it is incomplete.
    fn end(&mut self) -> Sequence {
        self.is_ended = true;
        if !self.is_complete {
            return no_items();
        }
        let root = path_text(&self.root);
        let files = std::mem::take(&mut self.files);
        let empty = files.is_empty().then(|| format!("{root}: a folder without puzzles"));
        let lists = (self.lists > 0).then(|| {
            format!("{root}: .txt and .csv files are not read ({}): give their names", self.lists)
        });
        let notes = empty.into_iter().chain(lists).map(Found::Note);
        Box::new(std::iter::once(Found::End(End::Folder { root, files })).chain(notes))
    }
}

/// Returns true if a name below the searched folder begins with a dot.
fn is_hidden(entry: &DirEntry) -> bool {
    entry.depth() > 0 && entry.file_name().to_string_lossy().starts_with('.')
}

/// A path from its bytes. Outside Unix it must be UTF-8; otherwise returns it with replacement
/// characters as the error.
#[cfg(unix)]
fn path_from_bytes(bytes: &[u8]) -> Result<PathBuf, String> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(std::ffi::OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_from_bytes(bytes: &[u8]) -> Result<PathBuf, String> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(PathBuf::from(text)),
        Err(_) => Err(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// Opens a file, or standard input for `-`. A puzzle that was given instead of a path is its own
/// text. Fails if the file cannot be opened.
fn open_reader(path: &Path) -> io::Result<Box<dyn BufRead + Send>> {
    if let Some(text) = load::literal(path) {
        return Ok(Box::new(io::Cursor::new(text.as_bytes().to_vec())));
    }
    if path == Path::new("-") {
        Ok(Box::new(BufReader::new(io::stdin())))
    } else {
        Ok(Box::new(BufReader::new(File::open(path)?)))
    }
}

/// Returns true if a file in a folder is read: if its extension is typical of puzzles.
fn is_puzzle_file(path: &Path) -> bool {
    holds_lines(path) || load::is_puzzle_file(path)
}

/// Returns true if a file has one puzzle per line according to its extension, `.jsonl` or
/// `.ndjson`.
pub fn holds_lines(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| LINES.contains(&ending.as_str()))
}

/// A path as text, without a leading `./`. A path that is not UTF-8 is quoted and its other bytes
/// are escaped in hexadecimal, so that different paths have different texts.
fn path_text(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.strip_prefix("./").unwrap_or(text).to_owned(),
        None => format!("{path:?}"),
    }
}

/// An item for a file that cannot be read.
fn unreadable_item(path: &Path, error: &io::Error) -> Item {
    let name = path_text(path);
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
