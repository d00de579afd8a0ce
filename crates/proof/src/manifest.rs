//! The manifest of a certificate: its files with their hashes, and its claims.

use edgematch::board::CellName;
use edgematch::load::{LoadError, ReadOverrides};
use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::counting::Claim;

/// The manifest of a certificate: the puzzle and its files, and what is claimed about it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The format version of the files.
    pub form: u32,
    /// The version of the program that wrote it.
    pub edgematch: String,
    /// The name of the puzzle.
    pub name: String,
    /// The puzzle file.
    pub puzzle: FileEntry,
    /// The format of the puzzle file, if `--from` was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The order in which the file lists edges, if it was given explicitly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_order: Option<String>,
    /// The board that replaced the puzzle's board, if one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The border image, or `none`, if it was given explicitly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border: Option<String>,
    /// True if tiles may be rotated, if that was given explicitly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotations: Option<bool>,
    /// The counting argument that rules out every solution; if there is one, the proof is empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counting: Option<Claim>,
    /// Files with additional constraints, in order.
    pub constraints: Vec<FileEntry>,
    /// Additionally forbidden placements, `CELL=TILE@ROTATION`.
    pub forbid: Vec<String>,
    /// Additionally pinned placements.
    pub pin: Vec<String>,
    /// The tile or cell by which symmetry is broken.
    pub symmetry: SymmetryEntry,
    /// The number of clauses in each section of the formula.
    pub clauses: Sections,
    /// The number of lemmas of the proof.
    pub lemmas: u64,
    /// The number of solutions found.
    pub found: SolutionCounts,
    /// True if the enumeration is claimed to be complete.
    pub complete: bool,
    /// The meaning of the variables, as given by [`Encoding::map`](crate::Encoding::map).
    pub variables: Value,
}

/// A file of the certificate and the hash of its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// The file's name in the folder.
    pub file: String,
    /// The SHA-256 of its content in hexadecimal digits.
    pub sha256: String,
}

/// The tile or cell by which symmetry is broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "broken_by", rename_all = "lowercase", deny_unknown_fields)]
pub enum SymmetryEntry {
    /// Symmetry is not broken.
    Nothing {},
    /// A tile of which one placement per orbit is kept.
    Tile {
        /// The tile's name.
        tile: String,
    },
    /// A cell of which one value per orbit is kept.
    Cell {
        /// The cell's row and column, from 1, or its name.
        cell: CellName,
    },
}

/// The number of clauses in each section of the formula, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sections {
    /// Clauses that state the puzzle.
    pub base: usize,
    /// Clauses that remove placements of which an image is kept.
    pub symmetry: usize,
    /// Clauses that exclude arrangements found by the search that violate a lazily checked
    /// constraint. Omitted if zero, so that older programs can read the file.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cuts: usize,
    /// Clauses that exclude the solutions found.
    pub solutions: usize,
}

/// Returns true for 0, which is omitted in the manifest.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The numbers of arrangements found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolutionCounts {
    /// The number of distinct arrangements.
    pub distinct: u64,
    /// The number of solutions up to symmetry of the board, in decimal digits.
    pub classes: String,
    /// The number of solutions with all tiles distinguished, in decimal digits.
    pub solutions: String,
}

impl Manifest {
    /// The format version of the files that this program writes and reads.
    pub const FORM: u32 = 1;

    /// The manifest as JSON, with one entry per line. Unused entries are omitted, so that older
    /// programs can read the file.
    pub fn text(&self) -> String {
        const ORDER: &str = "form edgematch name puzzle constraints forbid pin symmetry clauses \
                             lemmas found complete variables \
                             from edge_order board border rotations counting";
        let entries = json!(self);
        let entry = |key| Some(format!("  \"{key}\": {}", entries.get(key)?));
        format!("{{\n{}\n}}\n", ORDER.split(' ').filter_map(entry).join(",\n"))
    }

    /// The options with which the puzzle file was read.
    pub fn overrides(&self) -> ReadOverrides {
        ReadOverrides {
            from: self.from.clone(),
            edge_order: self.edge_order.clone(),
            board: self.board.clone(),
            border: self.border.clone(),
            rotations: self.rotations,
        }
    }

    /// Parses a manifest; `file` is its name in errors.
    ///
    /// # Errors
    /// If the text is not a manifest, or has another format version.
    pub fn parse(text: &[u8], file: &str) -> Result<Manifest, LoadError> {
        let manifest: Manifest = serde_json::from_slice(text).map_err(|e| {
            let place = format!(" at line {} column {}", e.line(), e.column());
            LoadError {
                position: Some((e.line().max(1), e.column().max(1))),
                ..LoadError::whole_file(file, e.to_string().replace(&place, ""))
            }
        })?;
        if manifest.form == Self::FORM {
            return Ok(manifest);
        }
        let (form, known) = (manifest.form, Self::FORM);
        let message =
            format!("form {form} of certificates is not supported: expected form {known}");
        Err(LoadError::whole_file(file, message))
    }
}
