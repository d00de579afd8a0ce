//! Splitting a file into its puzzles.
//!
//! A YAML file is split at its `---` lines, a `.jsonl` file into its lines. One document at a time
//! is read, so a file may be larger than memory. A document that is too large becomes an item with
//! an error.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use edgematch::load;
use edgematch_proof::hexadecimal;
use hmac_sha256::Hash;

use super::{End, Found, Item, NoText, holds_lines, path_text, unreadable_item};

/// How a file is split into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Before each line that is `---` or begins with `---` and a space.
    Yaml,
    /// After each line.
    Lines,
}

/// An iterator over the documents of one file, followed by its [`End`]. After an error of reading,
/// no document follows.
pub(super) struct Documents {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    /// `None` for standard input until its first character was read.
    form: Option<Form>,
    /// The number of documents so far.
    number: u32,
    /// The number of lines so far.
    lines: u32,
    /// The first line of the next document, which was read to find the end of the previous one.
    begun: Option<Vec<u8>>,
    /// True if there are no more documents.
    is_ended: bool,
    /// True if the end of the file was reported.
    is_over: bool,
}

/// If the end of a document is not found within this number of bytes, the rest of the file is
/// ignored.
const LONGEST_SEARCH: u64 = 1 << 30;

/// A document that is being read.
#[derive(Default)]
struct DocumentDraft {
    bytes: Vec<u8>,
    hash: Hash,
    is_too_large: bool,
    /// The number of bytes added, including those of a document that is too large.
    length: u64,
    /// True if it has more than markers, directives and comments.
    has_content: bool,
    /// True if it begins with `---`.
    is_marked: bool,
}

impl DocumentDraft {
    /// Appends bytes. If the document becomes too large, only its hash and length are updated.
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
    /// The documents of `reader`, whose name is `path`.
    pub fn new(path: &Path, reader: Box<dyn BufRead + Send>) -> Self {
        let form = if holds_lines(path) { Form::Lines } else { Form::Yaml };
        Documents {
            path: path.to_owned(),
            reader,
            // Standard input has lines if its first character is `{`.
            form: (path != Path::new("-")).then_some(form),
            number: 0,
            lines: 0,
            begun: None,
            is_ended: false,
            is_over: false,
        }
    }

    /// Reads a line with its line break, or the next 1 MiB of a longer line; empty at the end of
    /// the file.
    fn read_piece(&mut self) -> io::Result<Vec<u8>> {
        const MOST: u64 = 1 << 20;
        let mut piece = Vec::new();
        let mut reader = self.reader.by_ref().take(MOST);
        reader.read_until(b'\n', &mut piece)?;
        Ok(piece)
    }

    /// The form of the file; for standard input it is detected from the first character, which is
    /// not consumed. Fails if it cannot be read.
    fn form(&mut self) -> io::Result<Form> {
        if let Some(form) = self.form {
            return Ok(form);
        }
        let first = self.reader.fill_buf()?.iter().find(|byte| !byte.is_ascii_whitespace());
        let form = match first {
            Some(b'{') => Form::Lines,
            _ => Form::Yaml,
        };
        Ok(*self.form.insert(form))
    }

    /// Reads the next document; `None` at the end. An empty file has one document, which is empty.
    /// After the last document, sets `is_ended`. Fails if the file cannot be read.
    fn next_document(&mut self) -> io::Result<Option<Item>> {
        let form = self.form()?;
        let mut draft = DocumentDraft::default();
        let mut line = self.lines + 1;
        if let Some(begun) = self.begun.take() {
            line = self.lines;
            draft.is_marked = true;
            draft.has_content = has_content(&begun);
            draft.add(&begun);
        }
        let mut is_at_start = true;
        let is_followed = loop {
            let piece = self.read_piece()?;
            if piece.is_empty() || draft.length > LONGEST_SEARCH {
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
                    // The document before this marker is empty: ignore it.
                    draft = DocumentDraft::default();
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
                // Without the line break, an error at the end of a truncated line is on that line.
                (Form::Lines, true) => draft.add(without_end(&piece)),
                (Form::Yaml, _) => draft.add(&piece),
            }
            if form == Form::Lines && draft.has_content && is_at_start {
                break true;
            }
        };
        if !is_followed {
            self.is_ended = true;
            // An empty file is an invalid puzzle, but empty lines after a puzzle are not.
            if !draft.has_content && self.number > 0 {
                return Ok(None);
            }
        }
        self.number += 1;
        let is_several = self.number > 1 || is_followed;
        Ok(Some(self.item(draft, line, is_several)))
    }

    /// Makes an item of a document. `is_several` is true if the file has more than one.
    fn item(&self, draft: DocumentDraft, line: u32, is_several: bool) -> Item {
        let is_literal = load::is_literal(&self.path);
        let path = if is_literal { load::shown(&self.path) } else { path_text(&self.path) };
        let name = load::name_of(&self.path);
        let number = self.number;
        let hash = hexadecimal(&draft.hash.finalize());
        let text = if !draft.is_too_large {
            Ok(draft.bytes)
        } else {
            Err(NoText::TooLarge(load::too_large()))
        };
        Item {
            label: if is_several { format!("{path}#{number}") } else { path.clone() },
            name: if is_several { format!("{name}-{number}") } else { name },
            // Standard input has other texts each time, so its hash replaces the number.
            document: if path == "-" { 1 } else { number },
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
        let item = if self.is_ended { Ok(None) } else { self.next_document() };
        let item = item.unwrap_or_else(|error| {
            self.is_ended = true;
            self.number += 1;
            Some(Item { document: self.number, ..unreadable_item(&self.path, &error) })
        });
        if let Some(item) = item {
            return Some(Found::Item(Box::new(item)));
        }
        let is_over = std::mem::replace(&mut self.is_over, true);
        (!is_over)
            .then(|| Found::End(End::File { path: path_text(&self.path), documents: self.number }))
    }
}

/// A line without its line break.
pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns true if a line begins a YAML document: it is `---`, or begins with `---` and white
/// space.
fn is_marker(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns true if a line of YAML has more than a marker, a directive or a comment.
fn has_content(line: &[u8]) -> bool {
    let is_directive = line.starts_with(b"%");
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
    let line = if is_marker(line) || line.trim_ascii() == b"..." { &line[3..] } else { line };
    let line = line.trim_ascii();
    !line.is_empty() && !line.starts_with(b"#") && !is_directive
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn documents(path: &str, text: &'static str) -> Vec<(u32, String, String)> {
        let found = Documents::new(Path::new(path), Box::new(text.as_bytes()));
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
        assert_eq!(lines, [row(1, "a.jsonl#1", "{\"a\":1}"), row(3, "a.jsonl#2", "{\"b\":2}")]);
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
        let endless = io::repeat(b'a').take(load::LARGEST_FILE + 10).chain(&b"\n---\na: 1\n"[..]);
        let reader = Box::new(BufReader::new(endless));
        let found: Vec<Found> = Documents::new(Path::new("a.yaml"), reader).collect();
        let Found::Item(first) = &found[0] else { panic!("{found:?}") };
        assert!(matches!(first.text, Err(NoText::TooLarge(_))));
        let Found::Item(second) = &found[1] else { panic!("{found:?}") };
        assert_eq!((second.line, second.document), (2, 2));
        assert_eq!(found.len(), 3);
    }
}
