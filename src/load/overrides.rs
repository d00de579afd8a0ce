//! What the caller says about a text beside it: its form, its edge order, another board.

use serde::{Deserialize, Serialize};

use super::edge_order::EdgeOrder;
use super::error::LoadError;
use super::form::{Form, ReadOptions};
use super::forms::FORMS;
use super::text::Source;
use super::yaml;

/// What is told of a text beside it, in words that can be kept with it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadOverrides {
    /// The name of a form.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The order in which edges are listed, such as `clockwise-from-top`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edge_order: Option<String>,
    /// The board in place of the puzzle's own, as behind the key `board` of a file: `{grid: [4,
    /// 5]}`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
}

impl ReadOverrides {
    /// Each word with its name.
    pub fn words(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let words = [
            ("from", &self.from),
            ("edge-order", &self.edge_order),
            ("board", &self.board),
        ]
        .into_iter();
        words.filter_map(|(name, word)| Some((name, word.as_deref()?)))
    }

    /// The same but for the board: a puzzle on its own.
    pub fn without_board(&self) -> ReadOverrides {
        ReadOverrides {
            board: None,
            ..self.clone()
        }
    }

    /// What the words mean where they are flags.
    ///
    /// # Errors
    /// As for [`ReadOverrides::options`].
    pub fn options_of_flags(&self) -> Result<ReadOptions, LoadError> {
        self.options(|name| format!("--{name}"))
    }

    /// What the words mean; `name` is what errors call them from their own names, `--board`.
    ///
    /// # Errors
    /// Where one of them means nothing.
    pub fn options(&self, name: impl Fn(&str) -> String) -> Result<ReadOptions, LoadError> {
        let form = self.from.as_ref().map(|from| {
            Form::named(from).ok_or_else(|| {
                let names = itertools::join(FORMS.iter().map(|form| form.name), ", ");
                LoadError::whole_file(name("from"), format!("unknown form `{from}`"))
                    .with_help(format!("the forms are {names}"))
            })
        });
        let order = self.edge_order.as_ref().map(|order| {
            let order = EdgeOrder::parse(order);
            order.map_err(|e| LoadError::whole_file(name("edge-order"), e))
        });
        let written = self.board.as_ref().map(|text| {
            let name = name("board");
            yaml::read_board(&Source::decode(text.as_bytes(), &name)?)
        });
        Ok(ReadOptions {
            form: form.transpose()?,
            order: order.transpose()?,
            board: written.transpose()?,
        })
    }
}
