//! Reads cells, sets of cells, and the values by which cells are compared.

use std::ops::RangeInclusive;

use itertools::Itertools;

use super::arithmetic;
use super::fields::Reader;
use super::number::{whole, whole_number};
use super::tree::{Entry, Node, Result, Scalar};
use crate::problem::constraints::{CellValue, Range, WEIGHT, WrittenCells};

impl Reader<'_> {
    /// Reads `[1, 1]`, `corners`, `row 2`, `{row: 2}`, or a list of these. The result is ascending.
    pub fn cells(self, node: &Node) -> Result<Vec<usize>> {
        Ok(self.line(node)?.into_iter().sorted_unstable().dedup().collect())
    }

    /// Reads cells in the order in which they are listed.
    pub fn line(self, node: &Node) -> Result<Vec<usize>> {
        const EXPECTED: &str =
            "a cell such as [1, 1], a part of the board such as `corners`, or a list of them";
        let find = |cells: &WrittenCells| node.check(self.scene.cells(cells));
        // On boards without rows and columns, names of cells may be numbers.
        let has_names = self.scene.board.squares().is_none();
        if let Some(items) = node.items() {
            let numbers = items.iter().filter(|_| !has_names).filter_map(whole_number);
            return match (&numbers.collect::<Vec<i64>>()[..], items.len()) {
                (&[row, column], 2) => find(&WrittenCells::At(row, column)),
                ([], 1..) => items.iter().map(|item| self.line(item)).flatten_ok().collect(),
                _ => Err(node.error("expected a cell as [row, column], or a list of cells")),
            };
        }
        if node.is_map() {
            return self.combined_cells(node, EXPECTED);
        }
        match node.scalar() {
            Some((scalar, text)) if scalar == Scalar::Text || has_names && !node.is_nothing() => {
                match text.split_once(' ') {
                    Some(("turned" | "mirrored", how)) => {
                        node.check(self.scene.moved_cells(how.trim()))
                    }
                    _ => find(&WrittenCells::Named(node.name("a name")?.to_owned())),
                }
            }
            _ => Err(node.unexpected(EXPECTED)),
        }
    }

    /// Reads `{row: 2}`, `{column: 1..3}`, `{neighbours of: [2, 2]}`, or an operation on sets.
    fn combined_cells(self, node: &Node, expected: &str) -> Result<Vec<usize>> {
        let entries = node.entries(expected)?;
        let [Entry { name, key, value }] = entries[..] else {
            return Err(node.error("expected a cell or one key, such as `{row: 1}`"));
        };
        let sets = || {
            let sets = value.list("a list of cells or parts of the board")?;
            sets.iter().map(|set| self.cells(set)).collect::<Result<Vec<Vec<usize>>>>()
        };
        let cells: Vec<usize> = match name {
            "row" => return node.check(self.scene.cells(&WrittenCells::Rows(lines(value)?))),
            "column" => return node.check(self.scene.cells(&WrittenCells::Columns(lines(value)?))),
            "neighbours of" | "neighbors of" => {
                return node.check(self.scene.cells(&WrittenCells::Neighbours(self.cells(value)?)));
            }
            "intersection" => {
                let sets = sets()?;
                let is_in_all = |cell: &usize| sets.iter().all(|set| set.contains(cell));
                self.scene.all_cells().into_iter().filter(is_in_all).collect()
            }
            "difference" => {
                let sets = sets()?;
                let Some((first, others)) = sets.split_first() else {
                    return Err(value.error("an empty list, expected cells"));
                };
                let is_left = |cell: &usize| !others.iter().any(|set| set.contains(cell));
                first.iter().copied().filter(is_left).collect()
            }
            _ => {
                let known = ["row", "column", "neighbours of", "intersection", "difference"];
                let error = key.error(format!("`{name}` does not describe cells"));
                return Err(error.with_known(name, known.into_iter(), "expected one of"));
            }
        };
        if cells.is_empty() { Err(node.error("there are no such cells")) } else { Ok(cells) }
    }

    /// Reads the value by which cells are compared.
    pub fn cell_value(self, node: &Node) -> Result<CellValue> {
        if node.is_map() {
            return self.tile_weights(node).map(CellValue::OfTiles);
        }
        if let Some((weights, _)) = self.weights(node) {
            return Ok(CellValue::OfTiles(weights.clone()));
        }
        match node.name("a value")? {
            "rotation" => Ok(CellValue::Rotation),
            "number" => node.check(self.scene.tile_numbers().map(CellValue::OfTiles)),
            name => self.side(node).map(CellValue::ImageAt).map_err(|_| {
                let names = self.named.weights.keys().map(String::as_str);
                let known = ["number", "rotation", "top"].into_iter().chain(names);
                let error = node.error(format!("`{name}` is not a value of a cell"));
                error.with_help(format!(
                    "expected {}, a side, or a mapping from tiles to weights",
                    known.map(|name| format!("`{name}`")).join(", ")
                ))
            }),
        }
    }

    /// Reads a mapping from tiles to weights. Tiles without one have the weight 0.
    pub fn tile_weights(self, node: &Node) -> Result<Vec<i64>> {
        let mut weights = vec![0; self.scene.puzzle.tiles.len()];
        for entry in node.entries("tiles with weights, such as `{1: 5, 2: 3}`")? {
            let weight = whole(entry.value, &WEIGHT)?;
            for tile in self.tiles(entry.key)? {
                weights[tile] = weight;
            }
        }
        Ok(weights)
    }
}

/// Reads the number of a row or column, or a range.
fn lines(node: &Node) -> Result<RangeInclusive<i64>> {
    const NUMBER: Range =
        Range { what: "a row or a column", largest: 1_000_000_000_000_000, scales: false };
    let range = node.scalar().and_then(|(_, text)| arithmetic::range(text));
    range.map_or_else(|| whole(node, &NUMBER).map(|number| number..=number), Ok)
}
