//! The key `board`: a grid that may be joined at its ends, a field of triangles or hexagons, a solid,
//! or cells and seams of one's own.
//!
//! ```yaml
//! board: cube
//! board: {grid: [4, 5], wrap: both}
//! board: {hexagons: [3, 4]}
//! board: {cells: {A: 4, B: 3}, seams: [[A, 0, B, 2]]}
//! ```
//!
//! Seams are read once more, when all cells are known.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::length::Length;
use super::scalar::{Refusal, Scalar, first_time, next_key, short};
use super::suggest::did_you_mean;
use crate::board::{CellSide, MOST_SIDES, Polygon, Shape, Solid, Wrap};
use crate::load::board::BoardForm;

/// The key in a file.
pub(super) const KEY: &str = "board";

/// The fewest sides that a cell has: it is drawn as a polygon.
pub(super) const FEWEST_SIDES: usize = 3;

/// More cells than any board has; it bounds what a file can cost.
const MOST_CELLS: usize = 10_000;

pub(super) const KEYS: [&str; 6] = ["grid", "wrap", "triangles", "hexagons", "cells", "seams"];

const EXAMPLE: &str = "`board: cube`, `board: {grid: [4, 5], wrap: both}` or \
                       `board: {cells: {A: 4, B: 4}, seams: [[A, 0, B, 2]]}`";

/// Reads what stands below the key.
pub(super) struct Reader;

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = BoardForm;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<BoardForm, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = BoardForm;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(EXAMPLE)
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<BoardForm, E> {
        let solid = Solid::ALL.into_iter().find(|solid| solid.name() == name);
        solid
            .map(|solid| BoardForm::Shaped(Shape::Solid(solid)))
            .ok_or_else(|| {
                let names = || Solid::ALL.into_iter().map(Solid::name);
                let help = did_you_mean(name, names()).unwrap_or_else(|| {
                    let names = itertools::join(names(), ", ");
                    format!("the solids are {names}; any other board is a mapping")
                });
                match short(name, "a board") {
                    Ok(name) => Refusal::with_help(format!("unknown board `{name}`"), help),
                    Err(refusal) => refusal,
                }
                .into_error()
            })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BoardForm, A::Error> {
        let mut seen = HashSet::new();
        let (mut size, mut wrap, mut cells, mut field) = (None, None, None, None);
        while let Some(key) = map.next_key_seed(Scalar::new("a key", |text| {
            let key = known_key(text)?;
            refuse_mixed(&key, &seen)?;
            first_time(key, &mut seen)
        }))? {
            match key.as_str() {
                "grid" => size = Some(map.next_value_seed(SizeReader)?),
                "wrap" => {
                    let expecting = "`horizontal`, `vertical` or `both`";
                    wrap = Some(map.next_value_seed(Scalar::new(expecting, wrap_named))?);
                }
                "triangles" => field = Some((Polygon::Triangle, map.next_value_seed(SizeReader)?)),
                "hexagons" => field = Some((Polygon::Hexagon, map.next_value_seed(SizeReader)?)),
                "cells" => cells = Some(map.next_value_seed(CellsReader)?),
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        match (size, field, cells) {
            (Some((rows, columns)), None, None) => Ok(BoardForm::Shaped(Shape::Grid {
                rows,
                columns,
                wrap,
            })),
            (None, Some((polygon, (rows, columns))), None) => Ok(BoardForm::Shaped(Shape::Field {
                polygon,
                rows,
                columns,
            })),
            (None, None, Some(cells)) => Ok(BoardForm::Cells(cells)),
            _ => {
                let refusal = Refusal::with_help("a board without `grid` or `cells`", EXAMPLE);
                Err(refusal.into_error())
            }
        }
    }
}

fn known_key(text: &str) -> Result<String, Refusal> {
    let key = short(text, "a key")?;
    match KEYS.contains(&key.as_str()) {
        true => Ok(key),
        false => {
            let help = did_you_mean(&key, KEYS.into_iter())
                .unwrap_or_else(|| format!("the keys of a board are {}", KEYS.join(", ")));
            Err(Refusal::with_help(format!("unknown key `{key}`"), help))
        }
    }
}

/// `grid` goes with `wrap`, `cells` with `seams`, and the others with nothing.
fn refuse_mixed(key: &str, seen: &HashSet<String>) -> Result<(), Refusal> {
    let group = |key: &str| match key {
        "wrap" => KEYS.iter().position(|key| *key == "grid"),
        "seams" => KEYS.iter().position(|key| *key == "cells"),
        key => KEYS.iter().position(|own| *own == key),
    };
    match seen.iter().find(|other| group(other) != group(key)) {
        Some(other) => Err(Refusal::with_help(
            format!("`{key}` beside `{other}`"),
            EXAMPLE,
        )),
        None => Ok(()),
    }
}

fn wrap_named(name: &str) -> Result<Wrap, Refusal> {
    let found = Wrap::ALL.into_iter().find(|(own, _)| *own == name);
    match found {
        Some((_, wrap)) => Ok(wrap),
        None => {
            let name = short(name, "a way")?;
            let names = itertools::join(Wrap::ALL.map(|(name, _)| name), ", ");
            Err(format!("`{name}` joins no ends: expected {names}").into())
        }
    }
}

/// `[rows, columns]`.
struct SizeReader;

impl<'de> DeserializeSeed<'de> for SizeReader {
    type Value = (usize, usize);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for SizeReader {
    type Value = (usize, usize);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("rows and columns such as [4, 5]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let expected = || {
            let refusal = Refusal::from("expected rows and columns such as [4, 5]");
            refusal.into_error::<A::Error>()
        };
        let rows = list.next_element::<Length>()?.ok_or_else(expected)?;
        let columns = list.next_element::<Length>()?.ok_or_else(expected)?;
        match list.next_element::<IgnoredAny>()? {
            None => Ok((rows.0, columns.0)),
            Some(_) => Err(expected()),
        }
    }
}

/// A mapping from names to numbers of sides.
struct CellsReader;

impl<'de> DeserializeSeed<'de> for CellsReader {
    type Value = Vec<(String, usize)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for CellsReader {
    type Value = Vec<(String, usize)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping from cells to their numbers of sides such as {A: 4, B: 3}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut cells, mut seen) = (Vec::new(), HashSet::new());
        while let Some(name) = next_key(&mut map, &mut seen)? {
            if name.trim().is_empty() {
                return Err(Refusal::from("a cell without a name").into_error());
            }
            let sides = map.next_value_seed(Scalar::new("a number of sides", |text| {
                let number = text.parse().ok();
                let sides = number.filter(|sides| (FEWEST_SIDES..=MOST_SIDES).contains(sides));
                let text = short(text, "a number")?;
                sides.ok_or_else(|| {
                    let expected = format!("expected {FEWEST_SIDES} to {MOST_SIDES}");
                    format!("cell `{name}` with {text} sides: {expected}").into()
                })
            }))?;
            if cells.len() == MOST_CELLS {
                return Err(Refusal::from(format!("more than {MOST_CELLS} cells")).into_error());
            }
            cells.push((name, sides));
        }
        match cells.is_empty() {
            true => Err(Refusal::with_help("no cells", EXAMPLE).into_error()),
            false => Ok(cells),
        }
    }
}

/// Reads the seams between these cells, which stand below some keys.
pub(super) struct SeamsReader<'c> {
    cells: HashMap<&'c str, (usize, usize)>,
    keys: &'static [&'static str],
}

impl<'c> SeamsReader<'c> {
    /// From a whole file.
    pub fn in_file(cells: &'c [(String, usize)]) -> Self {
        SeamsReader::below(cells, &[KEY, "seams"])
    }

    /// From the board alone.
    pub fn in_board(cells: &'c [(String, usize)]) -> Self {
        SeamsReader::below(cells, &["seams"])
    }

    fn below(cells: &'c [(String, usize)], keys: &'static [&'static str]) -> Self {
        let cells = cells.iter().enumerate();
        SeamsReader {
            keys,
            cells: cells
                .map(|(index, (name, sides))| (&name[..], (index, *sides)))
                .collect(),
        }
    }
}

impl<'de> DeserializeSeed<'de> for SeamsReader<'_> {
    type Value = Vec<[CellSide; 2]>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(Below {
            keys: self.keys,
            reader: self,
        })
    }
}

/// The value below some keys, each in the mapping of the one before; nothing where one is missing.
struct Below<'c> {
    keys: &'static [&'static str],
    reader: SeamsReader<'c>,
}

impl<'de> DeserializeSeed<'de> for Below<'_> {
    type Value = Vec<[CellSide; 2]>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        match self.keys {
            [] => deserializer.deserialize_any(ListReader(self.reader)),
            _ => deserializer.deserialize_map(self),
        }
    }
}

impl<'de> Visitor<'de> for Below<'_> {
    type Value = Vec<[CellSide; 2]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let Below { keys, reader } = self;
        let (mut reader, mut seams) = (Some(reader), Vec::new());
        while let Some(key) = map.next_key::<String>()? {
            match reader.take_if(|_| key == keys[0]) {
                Some(reader) => {
                    let keys = &keys[1..];
                    seams = map.next_value_seed(Below { keys, reader })?;
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(seams)
    }
}

/// A list of seams.
struct ListReader<'c>(SeamsReader<'c>);

impl<'de> Visitor<'de> for ListReader<'_> {
    type Value = Vec<[CellSide; 2]>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of seams such as [[A, 0, B, 2]]")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let (mut seams, mut taken) = (Vec::new(), HashMap::new());
        while let Some(seam) = list.next_element_seed(SeamReader {
            cells: &self.0.cells,
            taken: &mut taken,
        })? {
            seams.push(seam);
        }
        Ok(seams)
    }
}

/// `[A, 0, B, 2]`.
struct SeamReader<'a, 'c> {
    cells: &'a HashMap<&'c str, (usize, usize)>,
    /// The side that each side touches already.
    taken: &'a mut HashMap<CellSide, CellSide>,
}

impl<'de> DeserializeSeed<'de> for SeamReader<'_, '_> {
    type Value = [CellSide; 2];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

const SEAM: &str = "a cell, its side, another cell and its side, such as [A, 0, B, 2]";

impl<'de> Visitor<'de> for SeamReader<'_, '_> {
    type Value = [CellSide; 2];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(SEAM)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let SeamReader { cells, taken } = self;
        let expected = || Refusal::from(format!("expected {SEAM}")).into_error::<A::Error>();
        let mut ends: Vec<CellSide> = Vec::new();
        for _ in 0..2 {
            let mut cell_name = String::new();
            let cell = Scalar::new("the name of a cell", |name| {
                cell_name = short(name, "a name")?;
                cells.get(name).copied().ok_or_else(|| {
                    let help = did_you_mean(&cell_name, cells.keys().copied());
                    let message = format!("the board has no cell `{cell_name}`");
                    Refusal { message, help }
                })
            });
            let (cell, sides) = list.next_element_seed(cell)?.ok_or_else(expected)?;
            let side = Scalar::new("the number of a side", |text| {
                let number = text.parse().ok().filter(|&side| side < sides);
                let side = number.ok_or_else(|| {
                    let last = sides - 1;
                    format!("cell `{cell_name}` has no side {text}: expected 0 to {last}")
                })?;
                if ends.first() == Some(&(cell, side)) {
                    let message = format!("side {side} of cell `{cell_name}` can't touch itself");
                    return Err(Refusal::from(message));
                }
                match taken.get(&(cell, side)) {
                    None => Ok(side),
                    Some(&(other, side_there)) => {
                        let name = name_of(cells, other);
                        Err(Refusal::from(format!(
                            "side {side} of cell `{cell_name}` touches side {side_there} of cell `{name}` already"
                        )))
                    }
                }
            });
            let side = list.next_element_seed(side)?.ok_or_else(expected)?;
            ends.push((cell, side));
        }
        if list.next_element::<IgnoredAny>()?.is_some() {
            return Err(expected());
        }
        let seam = [ends[0], ends[1]];
        taken.insert(seam[0], seam[1]);
        taken.insert(seam[1], seam[0]);
        Ok(seam)
    }
}

fn name_of<'c>(cells: &HashMap<&'c str, (usize, usize)>, cell: usize) -> &'c str {
    let mut names = cells.iter().filter(|(_, (index, _))| *index == cell);
    names.next().map_or("", |(name, _)| name)
}
