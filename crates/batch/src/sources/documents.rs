//! The puzzles of one file, one after another.
//!
//! A YAML file is cut at its `---` lines, a `.jsonl` file at its lines. Documents are read as they
//! come, so a file may be larger than memory; one that is too long is an error of its own.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};

use edgematch::load;
use edgematch_proof::hexadecimal;
use hmac_sha256::Hash;

use super::{End, Found, Item, NoText, holds_lines, shown, unreadable};

/// The way a file is cut into documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// At lines that begin with `---`.
    Yaml,
    /// After each line.
    Lines,
}

/// The documents of one file.
pub(super) struct Documents {
    path: PathBuf,
    reader: Box<dyn BufRead + Send>,
    form: Option<Form>,
    /// Documents so far.
    number: u32,
    /// Lines so far.
    lines: u32,
    /// The first line of the next document, where the last one's end was seen by it.
    begun: Option<Vec<u8>>,
    /// True if no document follows.
    is_ended: bool,
    /// True if the end of the file was reported.
    is_over: bool,
}

/// The number of bytes that are skipped to find the end of a document that is too large.
const GIVEN_UP: u64 = 1 << 30;

/// A document while it is read.
#[derive(Default)]
struct DocumentDraft {
    bytes: Vec<u8>,
    hash: Hash,
    is_too_large: bool,
    /// The number of bytes that were read.
    length: u64,
    /// True if there is more in it than comments.
    has_content: bool,
    /// True if it begins with `---`.
    is_marked: bool,
}

impl DocumentDraft {
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
    /// The documents of a file, from its beginning.
    pub fn new(path: &Path, reader: Box<dyn BufRead + Send>) -> Self {
        let is_lines = holds_lines(path);
        // The first character decides for standard input.
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
            is_ended: false,
            is_over: false,
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
        let first = self.reader.fill_buf()?.iter().find(|byte| !byte.is_ascii_whitespace());
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
                // Without its end, behind which a line that stops too early would have its error.
                (Form::Lines, true) => draft.add(without_end(&piece)),
                (Form::Yaml, _) => draft.add(&piece),
            }
            if form == Form::Lines && draft.has_content && is_at_start {
                break true;
            }
        };
        if !is_followed {
            self.is_ended = true;
            // An empty file is a bad puzzle, the emptiness behind a puzzle is nothing.
            if !draft.has_content && self.number > 0 {
                return Ok(None);
            }
        }
        self.number += 1;
        let is_several = self.number > 1 || is_followed;
        Ok(Some(self.item(draft, line, is_several)))
    }

    fn item(&self, draft: DocumentDraft, line: u32, is_several: bool) -> Item {
        let is_literal = load::is_literal(&self.path);
        let path = if is_literal { load::shown(&self.path) } else { shown(&self.path) };
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
            // Standard input brings another text each time, so numbers mean nothing.
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
        let item = if self.is_ended { Ok(None) } else { self.document() };
        let item = item.unwrap_or_else(|error| {
            self.is_ended = true;
            self.number += 1;
            Some(Item { document: self.number, ..unreadable(&self.path, &error) })
        });
        if let Some(item) = item {
            return Some(Found::Item(Box::new(item)));
        }
        let is_over = std::mem::replace(&mut self.is_over, true);
        (!is_over)
            .then(|| Found::End(End::File { path: shown(&self.path), documents: self.number }))
    }
}

pub(super) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns true if a line begins a document: `---`, alone or with something behind a space.
fn is_marker(line: &[u8]) -> bool {
    line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
}

/// Returns true if there is more in a line of YAML than a marker, a directive or a comment.
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
