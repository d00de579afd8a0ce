//! Puzzles in files, folders, lists and streams, as a sequence of texts.
//!
//! Folders are walked in order of their names and never entered twice. What cannot be read is an
//! item of the sequence too: a batch reports it and goes on.

mod documents;

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use edgematch::load;
use hmac_sha256::Hash;
use walkdir::WalkDir;

use self::documents::Documents;

/// Endings of files that hold a puzzle a line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// Where puzzles come from.
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
    /// What people know it by: the path, and the document where there are several.
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
    /// Which one of so many parts it belongs to, from 0: its text decides, so that whoever asks
    /// gets the same answer, wherever the file lies.
    pub fn part(&self, of: u32) -> u32 {
        let hash = Hash::hash(self.hash.as_bytes());
        let first = hash[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        u32::try_from(first % u64::from(of.max(1))).unwrap_or_default()
    }
}

/// What comes out of a source.
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
        // What was named by itself, or came by standard input, is found in no folder.
        is_below && is_puzzle_file(file) && !files.contains(path)
    }
}

/// Goes through sources one after another. Folders are walked in the order of names, symbolic links
/// followed, hidden files left out. Only one text is in memory.
pub struct Items {
    sources: VecDeque<Source>,
    open: Vec<Open>,
}

/// What is being read, the innermost last.
enum Open {
    List(Box<dyn BufRead + Send>, PathBuf),
    Folder(Box<Folder>),
    File(Documents),
    /// Something that follows what was found last.
    Then(Found),
}

/// A folder while it is walked.
struct Folder {
    root: PathBuf,
    walk: walkdir::IntoIter,
    /// The folders below, without links: links may lead to one twice.
    entered: HashSet<PathBuf>,
    /// The files that were found, as they are named; `None` if a part could not be searched.
    files: Option<HashSet<String>>,
}

impl Items {
    /// All that these sources hold.
    pub fn new(sources: impl IntoIterator<Item = Source>) -> Items {
        Items { sources: sources.into_iter().collect(), open: Vec::new() }
    }

    fn open(&mut self, path: &Path) -> Option<Found> {
        if path.is_dir() {
            let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
            self.open.push(Open::Folder(Box::new(Folder {
                root: path.to_owned(),
                walk: walk.into_iter(),
                entered: HashSet::new(),
                files: Some(HashSet::new()),
            })));
            return None;
        }
        match opened(path) {
            Ok(reader) => {
                self.open.push(Open::File(Documents::new(path, reader)));
                None
            }
            Err(error) => Some(self.unreadable(path, &error)),
        }
    }

    /// A file that cannot be read: an item, then its end.
    fn unreadable(&mut self, path: &Path, error: &io::Error) -> Found {
        let item = unreadable(path, error);
        if error.kind() == io::ErrorKind::NotFound {
            let (root, files) = (item.path.clone(), HashSet::new());
            self.open.push(Open::Then(Found::End(End::Folder { root, files })));
        }
        let (path, documents) = (item.path.clone(), 1);
        let end = Found::End(End::File { path, documents });
        self.open.push(Open::Then(end));
        Found::Item(Box::new(item))
    }

    /// The next thing of the innermost source; `None` where it has ended, or led to another one.
    fn step(&mut self) -> Option<Found> {
        match self.open.last_mut()? {
            Open::File(documents) => {
                let found = documents.next();
                if found.is_none() {
                    self.open.pop();
                }
                found
            }
            Open::Then(_) => match self.open.pop() {
                Some(Open::Then(found)) => Some(found),
                _ => None,
            },
            Open::Folder(folder) => match folder.step() {
                Some(Step::File(path)) => self.open(&path),
                Some(Step::Unreadable(path, error)) => Some(self.unreadable(&path, &error)),
                Some(Step::Note(note)) => Some(Found::Note(note)),
                Some(Step::Nothing) => None,
                None => {
                    let root = shown(&folder.root);
                    let files = folder.files.take();
                    self.open.pop();
                    let files = files?;
                    if files.is_empty() {
                        let note = format!("{root}: a folder without puzzles");
                        self.open.push(Open::Then(Found::Note(note)));
                    }
                    Some(Found::End(End::Folder { root, files }))
                }
            },
            Open::List(reader, list) => {
                let mut line = Vec::new();
                match load::next_line(reader, &mut line) {
                    Ok(0) => {
                        self.open.pop();
                        None
                    }
                    Ok(_) => match path_of(documents::without_end(&line)) {
                        Ok(path) if path.as_os_str().is_empty() => None,
                        Ok(path) => self.open(&path),
                        Err(path) => {
                            let error = io::Error::other("its name is not UTF-8");
                            Some(self.unreadable(Path::new(&path), &error))
                        }
                    },
                    Err(error) => {
                        let list = std::mem::take(list);
                        self.open.pop();
                        Some(self.unreadable(&list, &error))
                    }
                }
            }
        }
    }
}

impl Iterator for Items {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            while !self.open.is_empty() {
                if let Some(found) = self.step() {
                    return Some(found);
                }
            }
            match self.sources.pop_front()? {
                Source::Path(path) => {
                    if let Some(found) = self.open(&path) {
                        return Some(found);
                    }
                }
                Source::List(path) => match opened(&path) {
                    Ok(reader) => self.open.push(Open::List(reader, path)),
                    Err(error) => return Some(self.unreadable(&path, &error)),
                },
            }
        }
    }
}

/// What a step through a folder leads to.
enum Step {
    /// A puzzle's file.
    File(PathBuf),
    /// A file that cannot be read.
    Unreadable(PathBuf, io::Error),
    /// Something that people should know.
    Note(String),
    /// Nothing of interest.
    Nothing,
}

impl Folder {
    fn step(&mut self) -> Option<Step> {
        Some(match self.walk.next()? {
            Ok(entry) => {
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                let is_hidden = is_hidden && entry.depth() > 0;
                if entry.file_type().is_dir() {
                    if is_hidden {
                        self.walk.skip_current_dir();
                        return Some(Step::Nothing);
                    }
                    let place =
                        entry.path().canonicalize().unwrap_or_else(|_| entry.path().to_owned());
                    if !self.entered.insert(place) {
                        self.walk.skip_current_dir();
                        let path = entry.path().display();
                        let note = format!("{path} was searched under another name: not entered");
                        return Some(Step::Note(note));
                    }
                    return Some(Step::Nothing);
                }
                if is_hidden || !entry.file_type().is_file() || !is_puzzle_file(entry.path()) {
                    return Some(Step::Nothing);
                }
                self.note_file(entry.path());
                Step::File(entry.into_path())
            }
            Err(error) => {
                let path = error.path().unwrap_or(&self.root).to_owned();
                if let Some(ancestor) = error.loop_ancestor() {
                    let path = path.display();
                    let ancestor = ancestor.display();
                    let note = format!("{path} leads back to {ancestor}: not entered");
                    return Some(Step::Note(note));
                }
                if path.is_dir() {
                    self.files = None;
                }
                // A link to nowhere matters where it is called like a puzzle.
                if !path.is_dir() && !is_puzzle_file(&path) {
                    return Some(Step::Nothing);
                }
                self.note_file(&path);
                let error = error.into_io_error().unwrap_or_else(|| io::Error::other("unreadable"));
                Step::Unreadable(path, error)
            }
        })
    }

    fn note_file(&mut self, path: &Path) {
        if let Some(files) = &mut self.files {
            files.insert(shown(path));
        }
    }
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

/// Whether a file is called as those are that hold a puzzle a line.
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
