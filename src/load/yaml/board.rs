//! Reads the key `board`: a grid with optional wrapping or a field of triangles or hexagons, either
//! with holes given by a mask; an outline; a solid; or custom cells and seams.
//!
//! ```yaml
//! board: cube
//! board: {grid: [4, 5], wrap: both}
//! board: {hexagons: [3, 4]}
//! board: {mask: ["##.", "###"]}
//! board: {cells: {A: 4, B: 3}, seams: [[A, 0, B, 2]]}
//! ```

use std::collections::HashMap;

use itertools::Itertools;

use super::number::{length, positive};
use super::tree::{Entry, Node, ReadError, Result, Scalar, did_you_mean};
use crate::board::{Area, CellSide, MOST_SIDES, Outline, Polygon, Shape, Solid, Wrap};
use crate::load::board::BoardSpec;

/// The key of a board in a file.
pub(super) const KEY: &str = "board";

/// The fewest sides of a cell, because it is drawn as a polygon.
pub(super) const FEWEST_SIDES: usize = 3;

/// The longest side of an outline: 6 · 40² triangles are fewer than 10,000.
pub(super) const LONGEST_OUTLINE: usize = 40;

/// The largest number of listed cells. It exceeds that of any real board and bounds the cost of a
/// file.
const MOST_CELLS: usize = 10_000;

/// Groups of keys that may occur together; the first key of a group is required.
pub(super) const FORMS: [&[&str]; 7] = [
    &["grid", "wrap"],
    &["mask", "wrap"],
    &["triangles"],
    &["hexagons"],
    &["triangle-hexagon"],
    &["rhombus"],
    &["cells", "seams"],
];

pub(super) const EXAMPLE: &str = "`board: cube`, `board: {grid: [4, 5], wrap: both}` or \
                       `board: {cells: {A: 4, B: 4}, seams: [[A, 0, B, 2]]}`";

/// Reads the value of the key `board`.
pub(super) fn read(node: &Node) -> Result<BoardSpec> {
    if is_text(node) {
        let list = "any other board is a mapping; boards with names are";
        return node.choice("board", named(), list).map(BoardSpec::Shaped);
    }
    refuse_mixed(&node.entries(EXAMPLE)?)?;
    let given = FORMS.iter().find_map(|keys| Some((keys[0], node.value(keys[0])?)));
    let Some((form, value)) = given else {
        let error = node.error(
            "a board without `grid`, `mask`, `triangles`, `hexagons` or `cells`, or an outline",
        );
        return Err(error.with_help(EXAMPLE));
    };
    let side = || positive(value, LONGEST_OUTLINE, "the length of a side");
    let wrap = |node: &Node| node.word("wrap", &Wrap::ALL);
    Ok(BoardSpec::Shaped(match form {
        "triangles" => Shape::Field { polygon: Polygon::Triangle, area: area(value)? },
        "hexagons" => Shape::Field { polygon: Polygon::Hexagon, area: area(value)? },
        "triangle-hexagon" => Shape::Outline(Outline::TriangleHexagon(side()?)),
        "rhombus" => Shape::Outline(Outline::Rhombus(side()?)),
        "cells" => {
            let cells = cells(value)?;
            let seams = node.read("seams", |list| seams(list, &cells))?.unwrap_or_default();
            return Ok(BoardSpec::Cells(cells, seams));
        }
        _ => Shape::Grid { area: area(value)?, wrap: node.read("wrap", wrap)? },
    }))
}

/// The boards that are written as a name alone.
pub(super) fn named() -> impl Iterator<Item = (&'static str, Shape)> + Clone {
    let solids = Solid::ALL.into_iter().map(|solid| (solid.name(), Shape::Solid(solid)));
    solids.chain([(Outline::Flower.name(), Shape::Outline(Outline::Flower))])
}

/// Returns true for a scalar that is a text, not a number, truth value or null.
fn is_text(node: &Node) -> bool {
    matches!(node.scalar(), Some((Scalar::Text, _)))
}

/// Rejects unknown keys and combinations of keys from different groups.
fn refuse_mixed(entries: &[Entry<'_>]) -> Result<()> {
    let go_together = |names: &[&str]| {
        let mut forms = FORMS.iter();
        forms.any(|keys| names.iter().all(|name| keys.contains(name)))
    };
    for entry in entries {
        if !go_together(&[entry.name]) {
            let known = FORMS.into_iter().flatten().copied().unique();
            let error = entry.key.error(format!("unknown key `{}`", entry.name));
            return Err(error.with_known(entry.name, known, "the keys of a board are"));
        }
        let first = entries[0].name;
        if !go_together(&[first, entry.name]) {
            let error = entry.key.error(format!("`{}` beside `{first}`", entry.name));
            return Err(error.with_help(EXAMPLE));
        }
    }
    Ok(())
}

/// Reads `[rows, columns]`, or a mask.
fn area(node: &Node) -> Result<Area> {
    const EXPECTED: &str = "rows and columns such as [4, 5], or a mask such as [\"##.\", \"###\"]";
    let items = node.list(EXPECTED)?;
    match items {
        [_, ..] if items.iter().all(is_text) => mask(node, items),
        [rows, columns] => Ok(Area::full(length(rows)?, length(columns)?)),
        _ => Err(node.error(format!("expected {EXPECTED}"))),
    }
}

/// Reads a mask: `#` is a cell, `.` a hole, and a letter a cell of a part.
fn mask(node: &Node, rows: &[Node]) -> Result<Area> {
    let mut mask: Vec<Vec<char>> = Vec::new();
    for row in rows {
        let text = row.text("a row of a mask")?;
        let place = |letter: char| match letter {
            '#' | '.' | 'a'..='z' | 'A'..='Z' => Ok(letter),
            other => Err(row
                .error(format!("`{other}` in a mask: expected `#`, `.` or the letter of a part"))),
        };
        let places: Vec<char> = text.chars().map(place).collect::<Result<_>>()?;
        let columns = mask.first().map_or(places.len(), Vec::len);
        if places.len() != columns {
            let number = places.len();
            let message = format!("a row of {number} places in a mask of {columns} columns");
            return Err(row.error(message));
        }
        if (mask.len() + 1) * columns > MOST_CELLS {
            return Err(row.error(format!("a mask of more than {MOST_CELLS} places")));
        }
        mask.push(places);
    }
    Area::from_letters(&mask).ok_or_else(|| {
        node.error("a mask without a cell").with_help("write `#` where there is one")
    })
}

/// Reads a mapping from cell names to numbers of sides.
fn cells(node: &Node) -> Result<Vec<(String, usize)>> {
    const EXPECTED: &str = "a mapping from cells to their numbers of sides such as {A: 4, B: 3}";
    let entries = node.entries(EXPECTED)?;
    if let Some(entry) = entries.get(MOST_CELLS) {
        return Err(entry.key.error(format!("more than {MOST_CELLS} cells")));
    }
    if entries.is_empty() {
        return Err(node.error("no cells").with_help(EXAMPLE));
    }
    let cell = |entry: &Entry<'_>| {
        let name = entry.name;
        if name.trim().is_empty() {
            return Err(entry.key.error("a cell without a name"));
        }
        let text = entry.value.name("a number of sides")?;
        let sides = text.parse().ok();
        let sides = sides.filter(|sides| (FEWEST_SIDES..=MOST_SIDES).contains(sides));
        let sides = sides.ok_or_else(|| {
            let expected = format!("expected {FEWEST_SIDES} to {MOST_SIDES}");
            entry.value.error(format!("cell `{name}` with {text} sides: {expected}"))
        })?;
        Ok((name.to_owned(), sides))
    };
    entries.iter().map(cell).collect()
}

/// Reads a list of seams between the cells; each side may be used once.
fn seams(node: &Node, cells: &[(String, usize)]) -> Result<Vec<[CellSide; 2]>> {
    if node.is_nothing() {
        return Ok(Vec::new());
    }
    let indexes = cells.iter().zip(0..).map(|((name, _), index)| (name.as_str(), index)).collect();
    let mut taken: HashMap<CellSide, CellSide> = HashMap::new();
    let mut seam = |node: &Node| {
        const EXPECTED: &str = "a cell, its side, another cell and its side, such as [A, 0, B, 2]";
        let [cell, side, other, other_side] = node.list(EXPECTED)? else {
            return Err(node.error(format!("expected {EXPECTED}")));
        };
        let end = |cell, side: &Node| {
            let (cell, number) = cell_side(cells, &indexes, cell, side)?;
            match taken.get(&(cell, number)) {
                None => Ok((cell, number)),
                Some(&(other, side_there)) => Err(side.error(format!(
                    "side {number} of cell `{}` touches side {side_there} of cell `{}` already",
                    cells[cell].0, cells[other].0
                ))),
            }
        };
        let ends = [end(cell, side)?, end(other, other_side)?];
        if ends[0] == ends[1] {
            let (cell, side) = ends[0];
            let message = format!("side {side} of cell `{}` can't touch itself", cells[cell].0);
            return Err(other_side.error(message));
        }
        taken.extend([(ends[0], ends[1]), (ends[1], ends[0])]);
        Ok(ends)
    };
    node.list("a list of seams such as [[A, 0, B, 2]]")?.iter().map(&mut seam).collect()
}

/// Reads a cell and the number of one of its sides; `indexes` contains the index of each cell.
fn cell_side(
    cells: &[(String, usize)],
    indexes: &HashMap<&str, usize>,
    cell: &Node,
    side: &Node,
) -> Result<CellSide> {
    let name = cell.name("the name of a cell")?;
    let Some(&index) = indexes.get(name) else {
        let error = cell.error(format!("the board has no cell `{name}`"));
        // If several names are equally similar, suggest the first.
        let help = did_you_mean(name, cells.iter().rev().map(|(name, _)| name.as_str()));
        return Err(ReadError { help, ..error });
    };
    let (text, sides) = (side.name("the number of a side")?, cells[index].1);
    let number = text.parse().ok().filter(|&number| number < sides);
    let number = number.ok_or_else(|| {
        let last = sides - 1;
        side.error(format!("cell `{name}` has no side {text}: expected 0 to {last}"))
    })?;
    Ok((index, number))
}

#[cfg(test)]
mod tests {
    use crate::load::read_board;

    #[test]
    fn the_first_of_equally_similar_cells_is_suggested() {
        let cells = "{cell-3: 4, cell-1: 4, cell-2: 4}";
        let board = format!("{{cells: {cells}, seams: [[cell-1, 0, cell-4, 2]]}}");
        let error = read_board(&board, "board").unwrap_err();
        assert_eq!(error.help.as_deref(), Some("did you mean `cell-3`?"));
    }
}
