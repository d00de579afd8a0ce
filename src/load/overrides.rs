//! Overrides for reading a text: its form, edge order, rules and board.

use serde::{Deserialize, Serialize};

use super::edge_order::EdgeOrder;
use super::error::{LoadError, Result};
use super::form::{PuzzleFormat, ReadOptions, parse_border};
use super::forms::PUZZLE_FORMATS;
use super::text::Source;
use super::yaml;

/// Overrides for reading a text, as strings that can be stored with the text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOverrides {
    /// The name of a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The order in which edges are listed, such as `clockwise-from-top`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_order: Option<String>,
    /// The board that replaces the puzzle's own, in the form of the key `board` of a file, such as
    /// `{grid: [4, 5]}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The image on the whole rim, or `none`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub border: Option<String>,
    /// True if tiles may be rotated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotations: Option<bool>,
}

impl ReadOverrides {
    /// The overrides that are set, with their names.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let rotations = self.rotations.map(|may_turn| if may_turn { "true" } else { "false" });
        let words = [
            ("from", self.from.as_deref()),
            ("edge-order", self.edge_order.as_deref()),
            ("board", self.board.as_deref()),
            ("border", self.border.as_deref()),
            ("rotations", rotations),
        ];
        words.into_iter().filter_map(|(name, word)| Some((name, word?)))
    }

    /// The overrides without the board, for a puzzle on its own board.
    pub fn without_board(&self) -> ReadOverrides {
        ReadOverrides { board: None, ..self.clone() }
    }

    /// Parses the overrides; `name` converts a name such as `edge-order` to the one shown in
    /// errors.
    ///
    /// # Errors
    /// If an override is invalid.
    pub fn options(&self, name: impl Fn(&str) -> String) -> Result<ReadOptions> {
        let form = self.from.as_ref().map(|from| {
            PuzzleFormat::named(from).ok_or_else(|| {
                let names = itertools::join(PUZZLE_FORMATS.iter().map(|form| form.name), ", ");
                LoadError::whole_file(name("from"), format!("unknown form `{from}`"))
                    .with_help(format!("the forms are {names}"))
            })
        });
        let order = self.edge_order.as_deref().map(EdgeOrder::parse).transpose();
        let board = self.board.as_ref().map(|text| {
            let name = name("board");
            yaml::read_board(&Source::decode(text.as_bytes(), &name)?)
        });
        let border = self.border.as_deref().map(|text| match text {
            "none" => Ok(None),
            text => parse_border(text).map(Some),
        });
        let border = border.transpose();
        Ok(ReadOptions {
            form: form.transpose()?,
            order: order.map_err(|e| LoadError::whole_file(name("edge-order"), e))?,
            board: board.transpose()?,
            border: border.map_err(|e| LoadError::whole_file(name("border"), e))?,
            may_turn: self.rotations,
            ..ReadOptions::AS_WRITTEN
        })
    }
}
