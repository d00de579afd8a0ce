//! Puzzles in files, folders, lists and streams, one text after the other.

use std::collections::{HashSet, VecDeque};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use hmac_sha256::Hash;
use walkdir::WalkDir;

use edgematch::load;
use edgematch_proof::hexadecimal;

/// Files that hold a puzzle a line.
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
    /// Which one of so many parts it belongs to, from 0: its text decides, so that whoever asks gets the
    /// same answer, wherever the file lies.
    pub fn part(&self, of: u32) -> u32 {
        let hash = Hash::hash(self.hash.as_bytes());
        let first = hash[..8]
            .iter()
            .fold(0, |number, &byte| number << 8 | u64::from(byte));
        u32::try_from(first % u64::from(of.max(1))).unwrap_or_default()
    }
}

/// What comes out of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A puzzle's text.
    Item(Box<Item>),
    /// A file has ended, and had so many documents.
    End {
        /// The file, as it was named.
        path: String,
        /// Its documents.
        documents: u32,
    },
    /// Something that people should know, and that is no puzzle.
    Note(String),
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
}

/// A folder while it is walked.
struct Folder {
    root: PathBuf,
    walk: walkdir::IntoIter,
    has_found: bool,
    /// The folders below, without links: links may lead to one twice.
    entered: HashSet<PathBuf>,
}

impl Items {
    /// All that these sources hold.
    pub fn of(sources: impl IntoIterator<Item = Source>) -> Items {
        Items {
            sources: sources.into_iter().collect(),
            open: Vec::new(),
        }
    }

    fn open(&mut self, path: &Path) -> Option<Found> {
        if path.is_dir() {
            let walk = WalkDir::new(path).follow_links(true).sort_by_file_name();
            self.open.push(Open::Folder(Box::new(Folder {
                root: path.to_owned(),
                walk: walk.into_iter(),
                has_found: false,
                entered: HashSet::new(),
            })));
            return None;
        }
        match opened(path) {
            Ok(reader) => {
                self.open.push(Open::File(Documents::of(path, reader)));
                None
            }
            Err(error) => Some(unreadable(path, &error)),
        }
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
            Open::Folder(folder) => match folder.step() {
                Some(Step::File(path)) => self.open(&path),
                Some(Step::Found(found)) => Some(found),
                Some(Step::Nothing) => None,
                None => {
                    let note = format!("{}: a folder without puzzles", folder.root.display());
                    let note = (!folder.has_found).then_some(Found::Note(note));
                    self.open.pop();
                    note
                }
            },
            Open::List(reader, list) => {
                let mut line = Vec::new();
                match load::next_line(reader, &mut line) {
                    Ok(0) => {
                        self.open.pop();
                        None
                    }
                    Ok(_) => {
                        let line = line.strip_suffix(b"\n").unwrap_or(&line);
                        let line = line.strip_suffix(b"\r").unwrap_or(line);
                        match path_of(line) {
                            Ok(path) if path.as_os_str().is_empty() => None,
                            Ok(path) => self.open(&path),
                            Err(path) => {
                                let error = io::Error::other("its name is not UTF-8");
                                Some(unreadable(Path::new(&path), &error))
                            }
                        }
                    }
                    Err(error) => {
                        let found = unreadable(list, &error);
                        self.open.pop();
                        Some(found)
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
                    Err(error) => return Some(unreadable(&path, &error)),
                },
            }
        }
    }
}

/// What a step through a folder leads to.
enum Step {
    /// A puzzle's file.
    File(PathBuf),
    /// Something that is told.
    Found(Found),
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
                    let place = entry.path().canonicalize();
                    let place = place.unwrap_or_else(|_| entry.path().to_owned());
                    if !self.entered.insert(place) {
                        self.walk.skip_current_dir();
                        let path = entry.path().display();
                        let note = format!("{path} was searched under another name: not entered");
                        return Some(Step::Found(Found::Note(note)));
                    }
                    return Some(Step::Nothing);
                }
                if is_hidden || !entry.file_type().is_file() || !is_puzzle_file(entry.path()) {
                    return Some(Step::Nothing);
                }
                self.has_found = true;
                Step::File(entry.into_path())
            }
            Err(error) => {
                let path = error.path().unwrap_or(&self.root).to_owned();
                if let Some(ancestor) = error.loop_ancestor() {
                    let (path, ancestor) = (path.display(), ancestor.display());
                    let note = format!("{path} leads back to {ancestor}: not entered");
                    return Some(Step::Found(Found::Note(note)));
                }
                // A link to nowhere matters where it is called like a puzzle.
                if !path.is_dir() && !is_puzzle_file(&path) {
                    return Some(Step::Nothing);
                }
                self.has_found = true;
                let error = error.into_io_error();
                let error = error.unwrap_or_else(|| io::Error::other("unreadable"));
                Step::Found(unreadable(&path, &error))
            }
        })
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
    match path == Path::new("-") {
        true => Ok(Box::new(BufReader::new(io::stdin()))),
        false => Ok(Box::new(BufReader::new(File::open(path)?))),
    }
}

fn is_puzzle_file(path: &Path) -> bool {
    holds_lines(path) || load::is_puzzle_file(path)
}

fn holds_lines(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    ending.is_some_and(|ending| LINES.contains(&ending.as_str()))
}

/// A path as text: where it is none, what is not is written in hexadecimal digits, so that two paths
/// never look alike; without `./` in front.
fn shown(path: &Path) -> String {
    match path.to_str() {
        Some(text) => text.strip_prefix("./").unwrap_or(text).to_owned(),
        None => format!("{path:?}"),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Found {
    let name = shown(path);
    Found::Item(Box::new(Item {
        hash: format!("path:{name}"),
        label: name.clone(),
        name: load::name_of(path),
        text: Err(NoText::Unreadable(load::read_failure(error))),
        path: name,
        document: 1,
        line: 1,
    }))
}

/// How a file is cut into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// At lines that begin with `---`.
    Yaml,
    /// After each line.
    Lines,
}

/// The documents of one file.
struct Documents {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    form: Option<Form>,
    /// Documents so far.
    number: u32,
    /// Lines so far.
    lines: u32,
    /// The first line of the next document, where the last one's end was seen by it.
    begun: Option<Vec<u8>>,
    stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Reading,
    Ended,
    Told,
}

/// As much of a document that is too large is passed over to find the next one.
const GIVEN_UP: u64 = 1 << 30;

/// A document while it is read.
#[derive(Default)]
struct Draft {
    bytes: Vec<u8>,
    hash: Hash,
    is_too_large: bool,
    /// What was read of it.
    length: u64,
    /// Whether there is more in it than comments.
    has_content: bool,
    /// Whether it begins with `---`.
    is_marked: bool,
}

impl Draft {
    fn add(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        self.length += bytes.len() as u64;
        if (self.bytes.len() + bytes.len()) as u64 > load::LARGEST_FILE {
            self.is_too_large = true;
            self.bytes = Vec::new();
        }
        if !self.is_too_large {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

impl Documents {
    fn of(path: &Path, reader: Box<dyn BufRead + Send>) -> Self {
        let is_lines = holds_lines(path);
        // Of standard input the first character tells.
        let form = match (is_lines, path == Path::new("-")) {
            (true, _) => Some(Form::Lines),
            (false, true) => None,
            (false, false) => Some(Form::Yaml),
        };
        Documents {
            path: path.to_owned(),
            reader,
            form,
            number: 0,
            lines: 0,
            begun: None,
            stage: Stage::Reading,
        }
    }

    /// A line with its end, or as much of it as may be in memory at once; empty at the end.
    fn piece(&mut self) -> io::Result<Vec<u8>> {
        const MOST: u64 = 1 << 20;
        let mut piece = Vec::new();
        let mut reader = self.reader.by_ref().take(MOST);
        reader.read_until(b'\n', &mut piece)?;
        Ok(piece)
    }

    fn form(&mut self) -> io::Result<Form> {
        if let Some(form) = self.form {
            return Ok(form);
        }
        let first = self.reader.fill_buf()?;
        let first = first.iter().find(|byte| !byte.is_ascii_whitespace());
        let form = match first {
            Some(b'{') => Form::Lines,
            _ => Form::Yaml,
        };
        self.form = Some(form);
        Ok(form)
    }

    /// The next document; `None` where there is none.
    fn document(&mut self) -> io::Result<Option<Item>> {
        let form = self.form()?;
        let mut draft = Draft::default();
        let mut line = self.lines + 1;
        if let Some(begun) = self.begun.take() {
            line = self.lines;
            draft.is_marked = true;
            draft.has_content = has_content(&begun);
            draft.add(&begun);
        }
        let mut is_at_start = true;
        let is_followed = loop {
            let piece = self.piece()?;
            if piece.is_empty() || draft.length > GIVEN_UP {
                break false;
            }
            let is_start = std::mem::replace(&mut is_at_start, piece.ends_with(b"\n"));
            self.lines = self.lines.saturating_add(u32::from(is_start));
            if form == Form::Yaml && is_start && is_marker(&piece) {
                if draft.has_content {
                    self.begun = Some(piece);
                    break true;
                }
                if draft.is_marked {
                    // An empty document in front of this one.
                    draft = Draft::default();
                    line = self.lines;
                }
                draft.is_marked = true;
            }
            draft.has_content |= match form {
                Form::Yaml => has_content(&piece),
                Form::Lines => !piece.trim_ascii().is_empty(),
            };
            match (form, draft.has_content) {
                (Form::Lines, false) => line = self.lines + 1,
                _ => draft.add(&piece),
            }
            if form == Form::Lines && draft.has_content && is_at_start {
                break true;
            }
        };
        if !is_followed {
            self.stage = Stage::Ended;
            // An empty file is a bad puzzle, the emptiness behind a puzzle is nothing.
            if !draft.has_content && self.number > 0 {
                return Ok(None);
            }
        }
        self.number += 1;
        let is_several = self.number > 1 || is_followed;
        Ok(Some(self.item(draft, line, is_several)))
    }

    fn item(&self, draft: Draft, line: u32, is_several: bool) -> Item {
        let is_literal = load::is_literal(&self.path);
        let path = match is_literal {
            true => load::shown(&self.path),
            false => shown(&self.path),
        };
        let name = load::name_of(&self.path);
        let number = self.number;
        let hash = hexadecimal(&draft.hash.finalize());
        let text = match draft.is_too_large {
            false => Ok(draft.bytes),
            true => Err(NoText::TooLarge(load::too_large())),
        };
        Item {
            label: match is_several {
                true => format!("{path}#{number}"),
                false => path.clone(),
            },
            name: match is_several {
                true => format!("{name}-{number}"),
                false => name,
            },
            // What comes by standard input is another thing each time, and has no place.
            document: match path == "-" {
                true => 1,
                false => number,
            },
            path: match path.as_str() {
                "-" => format!("-{}", &hash[..8]),
                path if is_literal => format!("{path}-{}", &hash[..8]),
                path => path.to_owned(),
            },
            hash,
            text,
            line,
        }
    }
}

impl Iterator for Documents {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        if self.stage == Stage::Reading {
            match self.document() {
                Ok(Some(item)) => return Some(Found::Item(Box::new(item))),
                Ok(None) => {}
                Err(error) => {
                    self.stage = Stage::Told;
                    let mut found = unreadable(&self.path, &error);
                    if let Found::Item(item) = &mut found {
                        item.document = self.number + 1;
                    }
                    return Some(found);
                }
            }
        }
        match std::mem::replace(&mut self.stage, Stage::Told) {
            Stage::Told => None,
            _ => Some(Found::End {
                path: shown(&self.path),
                documents: self.number,
            }),
        }
    }
}

/// Whether a line begins a document: `---`, alone or with something behind a space.
fn is_marker(line: &[u8]) -> bool {
    line.strip_prefix(b"---")
        .is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Whether there is more in a line of YAML than a marker, a directive or a comment.
fn has_content(line: &[u8]) -> bool {
    let is_directive = line.starts_with(b"%");
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let line = match is_marker(line) || line.trim_ascii() == b"..." {
        true => &line[3..],
        false => line,
    };
    let line = line.trim_ascii();
    !line.is_empty() && !line.starts_with(b"#") && !is_directive
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents(path: &str, text: &'static str) -> Vec<(u32, String, String)> {
        let found = Documents::of(Path::new(path), Box::new(text.as_bytes()));
        found
            .filter_map(|found| match found {
                Found::Item(item) => {
                    let text = String::from_utf8(item.text.unwrap()).unwrap();
                    Some((item.line, item.label, text))
                }
                _ => None,
            })
            .collect()
    }

    fn row(line: u32, label: &str, text: &str) -> (u32, String, String) {
        (line, label.to_owned(), text.to_owned())
    }

    #[test]
    fn yaml_is_cut_at_its_marks() {
        let one = documents("a.yaml", "# hello\n---\ntiles: 1\n");
        assert_eq!(one, [row(1, "a.yaml", "# hello\n---\ntiles: 1\n")]);
        let several = documents("a.yaml", "x: 1\n---\ny: ---\n--- # z\n---\nz: 3\n---\n");
        assert_eq!(
            several,
            [
                row(1, "a.yaml#1", "x: 1\n"),
                row(2, "a.yaml#2", "---\ny: ---\n"),
                row(5, "a.yaml#3", "---\nz: 3\n"),
            ]
        );
        let inline = documents("a.yaml", "--- {a: 1}\n--- {b: 2}\n---x\n");
        assert_eq!(inline.len(), 2);
        assert_eq!(inline[1], row(2, "a.yaml#2", "--- {b: 2}\n---x\n"));
    }

    #[test]
    fn lines_are_puzzles() {
        let lines = documents("a.jsonl", "{\"a\":1}\n\n{\"b\":2}");
        assert_eq!(
            lines,
            [
                row(1, "a.jsonl#1", "{\"a\":1}\n"),
                row(3, "a.jsonl#2", "{\"b\":2}")
            ]
        );
        assert_eq!(documents("-", "{\"a\":1}\n{\"b\":2}\n").len(), 2);
        assert_eq!(documents("-", "a: 1\nb: 2\n").len(), 1);
    }

    #[test]
    fn an_empty_file_is_one_text() {
        for path in ["a.yaml", "a.jsonl"] {
            assert_eq!(documents(path, ""), [row(1, path, "")]);
        }
        assert_eq!(documents("a.yaml", "# x\n"), [row(1, "a.yaml", "# x\n")]);
    }

    #[test]
    fn a_text_without_an_end_is_not_kept() {
        let endless = io::repeat(b'a').take(load::LARGEST_FILE + 10);
        let endless = endless.chain(&b"\n---\na: 1\n"[..]);
        let reader = Box::new(BufReader::new(endless));
        let found: Vec<Found> = Documents::of(Path::new("a.yaml"), reader).collect();
        let Found::Item(first) = &found[0] else {
            panic!("{found:?}")
        };
        assert!(matches!(first.text, Err(NoText::TooLarge(_))));
        let Found::Item(second) = &found[1] else {
            panic!("{found:?}")
        };
        assert_eq!((second.line, second.document), (2, 2));
        assert_eq!(found.len(), 3);
    }
}
