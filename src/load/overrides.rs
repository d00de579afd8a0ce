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
        let fail = |key, message| LoadError::whole_file(name(key), message);
        let form = |form: &str| {
            PuzzleFormat::named(form).ok_or_else(|| {
                let names = itertools::join(PUZZLE_FORMATS.iter().map(|form| form.name), ", ");
                let error = fail("from", format!("unknown form `{form}`"));
                error.with_help(format!("the forms are {names}"))
            })
        };
        let order = |order: &str| EdgeOrder::parse(order).map_err(|e| fail("edge-order", e));
        let board =
            |board: &str| yaml::read_board(&Source::decode(board.as_bytes(), &name("board"))?);
        let border = |border: &str| match border {
            "none" => Ok(None),
            border => parse_border(border).map(Some).map_err(|e| fail("border", e)),
        };
        Ok(ReadOptions {
            form: self.from.as_deref().map(form).transpose()?,
            order: self.edge_order.as_deref().map(order).transpose()?,
            board: self.board.as_deref().map(board).transpose()?,
            border: self.border.as_deref().map(border).transpose()?,
            may_turn: self.rotations,
            ..ReadOptions::AS_WRITTEN
        })
    }
}
