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

use super::number::{length, whole};
use super::tree::{Entry, Node, ReadError, Result, Scalar, did_you_mean};
use crate::board::{Area, CellSide, MOST_SIDES, Outline, Polygon, Shape, Solid, Wrap};
use crate::load::board::{BoardForm, WrittenBoard};
use crate::problem::constraints::Range;
use itertools::Itertools;

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
pub(super) fn read(node: &Node) -> Result<WrittenBoard> {
    let shaped = |shape: Shape| WrittenBoard { form: BoardForm::Shaped(shape), seams: Vec::new() };
    let outlined = |outline: Outline| shaped(Shape::Outline(outline));
    if matches!(node.scalar(), Some((Scalar::Text, _))) {
        return Ok(match node.name("a board")? {
            name if name == Outline::Flower.name() => outlined(Outline::Flower),
            _ => shaped(Shape::Solid(solid(node)?)),
        });
    }
    let entries = node.entries(EXAMPLE)?;
    refuse_mixed(&entries)?;
    let value = |name: &str| {
        let entry = entries.iter().find(|entry| entry.name == name);
        entry.map(|entry| entry.value)
    };
    let field = |polygon, node| {
        let area = area(node)?;
        Ok(shaped(Shape::Field { polygon, area }))
    };
    if let Some(grid) = value("grid").or(value("mask")) {
        let area = area(grid)?;
        let wrap = value("wrap").map(wrap).transpose()?;
        Ok(shaped(Shape::Grid { area, wrap }))
    } else if let Some(node) = value("triangles") {
        field(Polygon::Triangle, node)
    } else if let Some(node) = value("hexagons") {
        field(Polygon::Hexagon, node)
    } else if let Some(node) = value("triangle-hexagon") {
        Ok(outlined(Outline::TriangleHexagon(side(node)?)))
    } else if let Some(node) = value("rhombus") {
        Ok(outlined(Outline::Rhombus(side(node)?)))
    } else if let Some(node) = value("cells") {
        let cells = cells(node)?;
        let seams = value("seams").map(|node| seams(node, &cells)).transpose()?;
        Ok(WrittenBoard { form: BoardForm::Cells(cells), seams: seams.unwrap_or_default() })
    } else {
        let error = node.error(
            "a board without `grid`, `mask`, `triangles`, `hexagons` or `cells`, or an outline",
        );
        Err(error.with_help(EXAMPLE))
    }
}

/// The boards that are written as a name alone.
pub(super) fn names() -> impl Iterator<Item = &'static str> + Clone {
    Solid::ALL.into_iter().map(Solid::name).chain([Outline::Flower.name()])
}

fn solid(node: &Node) -> Result<Solid> {
    let name = node.name("a board")?;
    Solid::ALL.into_iter().find(|solid| solid.name() == name).ok_or_else(|| {
        let error = node.error(format!("unknown board `{name}`"));
        error.with_known(name, names(), "any other board is a mapping; boards with names are")
    })
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

fn wrap(node: &Node) -> Result<Wrap> {
    let name = node.name("`horizontal`, `vertical` or `both`")?;
    let found = Wrap::ALL.into_iter().find(|(own, _)| *own == name);
    found.map(|(_, wrap)| wrap).ok_or_else(|| {
        let names = itertools::join(Wrap::ALL.map(|(name, _)| name), ", ");
        node.error(format!("`{name}` joins no ends: expected {names}"))
    })
}

/// Reads the side length of an outline.
fn side(node: &Node) -> Result<usize> {
    const RANGE: Range = Range { what: "a side", largest: LONGEST_OUTLINE as i64, scales: false };
    let side = usize::try_from(whole(node, &RANGE)?).ok();
    let side = side.filter(|&side| side > 0);
    side.ok_or_else(|| node.error(format!("expected a side from 1 to {LONGEST_OUTLINE}")))
}

/// Reads `[rows, columns]`, or a mask.
fn area(node: &Node) -> Result<Area> {
    const EXPECTED: &str = "rows and columns such as [4, 5], or a mask such as [\"##.\", \"###\"]";
    let items = node.list(EXPECTED)?;
    let is_text = |item: &Node| matches!(item.scalar(), Some((Scalar::Text, _)));
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
            '#' | '.' => Ok(letter),
            _ if letter.is_ascii_alphabetic() => Ok(letter),
            other => Err(row
                .error(format!("`{other}` in a mask: expected `#`, `.` or the letter of a part"))),
        };
        let places: Vec<char> = text.chars().map(place).collect::<Result<_, _>>()?;
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

/// Reads a list of seams between the cells.
fn seams(node: &Node, cells: &[(String, usize)]) -> Result<Vec<[CellSide; 2]>> {
    if node.is_nothing() {
        return Ok(Vec::new());
    }
    let cells = cells.iter().enumerate();
    let mut reader = SeamReader {
        cells: cells.map(|(index, (name, sides))| (&name[..], (index, *sides))).collect(),
        taken: HashMap::new(),
    };
    let seams = node.list("a list of seams such as [[A, 0, B, 2]]")?;
    seams.iter().map(|seam| reader.seam(seam)).collect()
}

/// Reads seams and checks that each side is used once.
struct SeamReader<'c> {
    /// The index and number of sides of each cell, by name.
    cells: HashMap<&'c str, (usize, usize)>,
    /// The side joined to each side that already has a seam.
    taken: HashMap<CellSide, CellSide>,
}

impl SeamReader<'_> {
    /// Reads a seam such as `[A, 0, B, 2]`.
    fn seam(&mut self, node: &Node) -> Result<[CellSide; 2]> {
        const EXPECTED: &str = "a cell, its side, another cell and its side, such as [A, 0, B, 2]";
        let [cell, side, other, other_side] = node.list(EXPECTED)? else {
            return Err(node.error(format!("expected {EXPECTED}")));
        };
        let one = self.end(cell, side)?;
        let other = self.end(other, other_side)?;
        if one == other {
            let name = self.name_of(one.0);
            let message = format!("side {} of cell `{name}` can't touch itself", one.1);
            return Err(other_side.error(message));
        }
        self.taken.insert(one, other);
        self.taken.insert(other, one);
        Ok([one, other])
    }

    /// Reads a cell and one of its sides that has no seam yet.
    fn end(&self, cell: &Node, side: &Node) -> Result<CellSide> {
        let name = cell.name("the name of a cell")?;
        let Some(&(index, sides)) = self.cells.get(name) else {
            let error = cell.error(format!("the board has no cell `{name}`"));
            let help = did_you_mean(name, self.cells.keys().copied());
            return Err(ReadError { help, ..error });
        };
        let text = side.name("the number of a side")?;
        let number = text.parse().ok().filter(|&number| number < sides).ok_or_else(|| {
            let last = sides - 1;
            side.error(format!("cell `{name}` has no side {text}: expected 0 to {last}"))
        })?;
        match self.taken.get(&(index, number)) {
            None => Ok((index, number)),
            Some(&(other, side_there)) => Err(side.error(format!(
                "side {number} of cell `{name}` touches side {side_there} of cell `{}` already",
                self.name_of(other)
            ))),
        }
    }

    fn name_of(&self, cell: usize) -> &str {
        let mut names = self.cells.iter().filter(|(_, (index, _))| *index == cell);
        names.next().map_or("", |(name, _)| name)
    }
}
