//! The manifest of a certificate: the files it consists of, with their hashes, and what they claim.

use edgematch::board::CellName;
use edgematch::load::{LoadError, ReadOverrides};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::counting::Claim;

/// What a certificate claims, and of which puzzle.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The form of the files.
    pub form: u32,
    /// The version of the program that wrote it.
    pub edgematch: String,
    /// The puzzle's name.
    pub name: String,
    /// The puzzle.
    pub puzzle: FileEntry,
    /// The form that the puzzle was said to be in.
    #[serde(default)]
    pub from: Option<String>,
    /// The order in which its edges were said to be listed.
    #[serde(default)]
    pub edge_order: Option<String>,
    /// The board that was asked for in place of the puzzle's own.
    #[serde(default)]
    pub board: Option<String>,
    /// The image that was said to be on the rim, or `none`.
    #[serde(default)]
    pub border: Option<String>,
    /// Whether tiles were said to be turned.
    #[serde(default)]
    pub rotations: Option<bool>,
    /// The count that rules out that there is a solution, in place of a proof.
    #[serde(default)]
    pub counting: Option<Claim>,
    /// Files with further constraints, in their order.
    pub constraints: Vec<FileEntry>,
    /// Placements that are forbidden beside these, `CELL=TILE@ROTATION`.
    pub forbid: Vec<String>,
    /// Placements that are pinned.
    pub pin: Vec<String>,
    /// What breaks the symmetry.
    pub symmetry: SymmetryEntry,
    /// Clauses in each section of the formula.
    pub clauses: Sections,
    /// Lemmas of the proof.
    pub lemmas: u64,
    /// What was found.
    pub found: Counted,
    /// Whether that is all.
    pub complete: bool,
    /// What the variables mean.
    pub variables: Value,
}

/// A file, and the hash of its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its name in the folder.
    pub file: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// What breaks the symmetry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "broken_by", rename_all = "lowercase", deny_unknown_fields)]
pub enum SymmetryEntry {
    /// It is not broken.
    Nothing {},
    /// A tile that keeps one placement of each orbit.
    Tile {
        /// Its name.
        tile: String,
    },
    /// A cell that keeps one value of each orbit.
    Cell {
        /// Row and column, from 1, or its name.
        cell: CellName,
    },
}

/// Clauses in each section of the formula, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sections {
    /// The puzzle.
    pub base: usize,
    /// Placements that are left out because an image is kept.
    pub symmetry: usize,
    /// One for each arrangement that was found and breaks a constraint of which the puzzle's clauses
    /// do not say all; an older program reads what has none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub cuts: usize,
    /// One for each arrangement that was found.
    pub solutions: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(number: &usize) -> bool {
    *number == 0
}

/// How many there are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// Distinct arrangements.
    pub distinct: u64,
    /// Solutions up to the group.
    pub classes: String,
    /// Labelled solutions.
    pub solutions: String,
}

impl Manifest {
    /// The form of the files that this program writes; another one is another number.
    pub const FORM: u32 = 1;

    /// The text: one entry a line.
    pub fn text(&self) -> String {
        let entries = [
            ("form", json!(self.form)),
            ("edgematch", json!(self.edgematch)),
            ("name", json!(self.name)),
            ("puzzle", json!(self.puzzle)),
            ("constraints", json!(self.constraints)),
            ("forbid", json!(self.forbid)),
            ("pin", json!(self.pin)),
            ("symmetry", json!(self.symmetry)),
            ("clauses", json!(self.clauses)),
            ("lemmas", json!(self.lemmas)),
            ("found", json!(self.found)),
            ("complete", json!(self.complete)),
            ("variables", self.variables.clone()),
        ];
        // An older program reads what does not need it.
        let overrides = [
            ("from", json!(self.from)),
            ("edge_order", json!(self.edge_order)),
            ("board", json!(self.board)),
            ("border", json!(self.border)),
            ("rotations", json!(self.rotations)),
        ];
        let overrides = overrides.into_iter().filter(|(_, value)| !value.is_null());
        let counting = self.counting.iter().map(|claim| ("counting", json!(claim)));
        let entries = entries.into_iter().chain(overrides).chain(counting);
        let mut lines = entries.map(|(key, value)| format!("  \"{key}\": {value}"));
        format!("{{\n{}\n}}\n", lines.join(",\n"))
    }

    /// What was told of the puzzle's text beside it.
    pub fn overrides(&self) -> ReadOverrides {
        ReadOverrides {
            from: self.from.clone(),
            edge_order: self.edge_order.clone(),
            board: self.board.clone(),
            border: self.border.clone(),
            rotations: self.rotations,
        }
    }

    /// Reads a manifest; `file` is what errors call it.
    ///
    /// # Errors
    /// Where the text is none.
    pub fn parse(text: &[u8], file: &str) -> Result<Manifest, LoadError> {
        let refuse = |position, message| LoadError {
            file: file.to_owned(),
            position,
            message,
            help: None,
            remedy: None,
            source_line: None,
        };
        let manifest: Manifest = serde_json::from_slice(text).map_err(|e| {
            let place = format!(" at line {} column {}", e.line(), e.column());
            let message = e.to_string().replace(&place, "");
            refuse(Some((e.line().max(1), e.column().max(1))), message)
        })?;
        match manifest.form {
            Self::FORM => Ok(manifest),
            form => Err(refuse(
                None,
                format!("form {form} of certificates; this program knows form {}", Self::FORM),
            )),
        }
    }
}
