//! The variables of a repeated item with their values, and the conditions on them.

use std::ops::{BitAnd, BitOr};

use itertools::Itertools;

use super::arithmetic;
use super::tree::{Node, Result};
use crate::board::{CellName, side_name};
use crate::problem::constraints::{Scene, WrittenCells};
use crate::puzzle::Label;

const CONDITION: &str = "a condition such as `a < b`, `r != 2` or `c in border`";

/// The value of a variable. Values of one domain are ordered as in the puzzle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    Number(i64),
    /// The index of a cell.
    Cell(usize),
    /// The index of a tile.
    Tile(usize),
    /// A label of the image.
    Image(Label),
    /// The number of a side.
    Side(usize),
}

/// The variables of an item with their values.
pub(super) struct Variables<'a, 'n> {
    pub scene: Scene<'a>,
    pub values: Vec<(&'n str, Value)>,
}

impl std::fmt::Display for Variables<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values =
            self.values.iter().map(|(name, value)| format!("{name} = {}", self.text(*value)));
        f.write_str(&values.collect_vec().join(", "))
    }
}

impl Variables<'_, '_> {
    /// The value of a variable; `None` if there is none with this name.
    pub fn value(&self, name: &str) -> Option<Value> {
        self.values.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
    }

    /// A value in the form of a file.
    pub fn text(&self, value: Value) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Cell(cell) => self.scene.board.cells()[cell].name.bare(),
            Value::Tile(tile) => self.scene.puzzle.tiles[tile].name.clone(),
            Value::Image(label) => self.scene.puzzle.labels.edge(label).image.clone(),
            Value::Side(side) => side_name(side, self.scene.board.most_sides()),
        }
    }

    /// The number that a name means in an expression; `None` if it means none.
    fn number(&self, name: &str) -> Option<i64> {
        let (name, part) = name.split_once('.').map_or((name, None), |(n, p)| (n, Some(p)));
        match (self.value(name)?, part) {
            (Value::Number(number), None) => Some(number),
            (Value::Tile(tile), None) => self.scene.puzzle.tiles[tile].name.parse().ok(),
            (Value::Side(side), None) => Some(side as i64),
            (Value::Cell(cell), Some(part)) => match (&self.scene.board.cells()[cell].name, part) {
                (CellName::At(row, _), "row") => Some(*row as i64),
                (CellName::At(_, column), "column") => Some(*column as i64),
                _ => None,
            },
            _ => None,
        }
    }

    /// The number to which an expression evaluates; `None` if it is not a valid expression.
    pub fn evaluate(&self, expression: &str) -> Option<i64> {
        arithmetic::evaluate(expression, &|name| self.number(name))
    }

    /// A text in which values replace the names of variables.
    pub fn replace_names(&self, text: &str) -> String {
        let is_part = |c: char| c.is_alphanumeric() || "_.".contains(c);
        let words = text.chars().chunk_by(|&c| is_part(c));
        let replace = |(is_word, word): (bool, String)| match self.number(&word) {
            _ if !is_word => word,
            Some(number) => number.to_string(),
            None => self.value(&word).map_or(word, |value| self.text(value)),
        };
        words.into_iter().map(|(is_word, word)| replace((is_word, word.collect()))).collect()
    }

    /// Returns true if the values satisfy a condition. Its parts are joined by `and`, and these by
    /// `or`.
    pub fn satisfy(&self, condition: &Node) -> Result<bool> {
        let part_holds = |part: &str| {
            self.part_holds(part.trim()).ok_or_else(|| {
                let error = condition.error(format!("`{part}` cannot be decided with {self}"));
                error.with_help(format!("expected {CONDITION}; `and` and `or` join several"))
            })
        };
        let all_hold =
            |parts: &str| parts.split(" and ").map(part_holds).fold_ok(true, BitAnd::bitand);
        let mut alternatives = condition.name(CONDITION)?.split(" or ").map(all_hold);
        alternatives.fold_ok(false, BitOr::bitor)
    }

    /// Decides a comparison or a membership; `None` if it is neither.
    fn part_holds(&self, text: &str) -> Option<bool> {
        if let Some((name, cells)) = text.split_once(" not in ") {
            return self.part_holds(&format!("{name} in {cells}")).map(|is_in| !is_in);
        }
        if let Some((name, cells)) = text.split_once(" in ") {
            return match self.value(name.trim()) {
                Some(Value::Cell(cell)) => Some(self.cells(cells)?.contains(&cell)),
                _ => {
                    let range = arithmetic::range(&self.replace_names(cells))?;
                    Some(range.contains(&self.evaluate(name)?))
                }
            };
        }
        let (left, holds, right) = arithmetic::comparison(text)?;
        if let (Some(one), Some(other)) = (self.evaluate(left), self.evaluate(right)) {
            return Some(holds(one.cmp(&other)));
        }
        let one = self.value(left)?;
        let other = self.value(right).or_else(|| self.named_value(one, right))?;
        let is_alike = std::mem::discriminant(&one) == std::mem::discriminant(&other);
        is_alike.then(|| holds(one.cmp(&other)))
    }

    /// The value in the domain of another value that a text names; `None` if it names none.
    fn named_value(&self, like: Value, text: &str) -> Option<Value> {
        Some(match like {
            Value::Number(_) => return None,
            Value::Cell(_) => Value::Cell(self.cells(text)?.into_iter().exactly_one().ok()?),
            Value::Tile(_) => Value::Tile(self.scene.tile(text).ok()?),
            Value::Side(_) => Value::Side(self.scene.side(text).ok()?),
            Value::Image(_) => {
                let labels = &self.scene.puzzle.labels;
                let mut images = self.scene.all_images().into_iter();
                Value::Image(images.find(|&label| labels.edge(label).image == text)?)
            }
        })
    }

    /// The cells that a text names: `[r, c + 1]`, or a part of the board.
    fn cells(&self, text: &str) -> Option<Vec<usize>> {
        let inner = text.trim().trim_start_matches('[').trim_end_matches(']');
        let at = inner.split_once(',').and_then(|(row, column)| {
            Some(WrittenCells::At(self.evaluate(row)?, self.evaluate(column)?))
        });
        let named = || WrittenCells::Named(self.replace_names(text.trim()));
        self.scene.cells(&at.unwrap_or_else(named)).ok()
    }
}
