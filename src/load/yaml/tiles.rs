//! The second reading: the tiles, under the rules that the header gave.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::header::{EXAMPLE, Header, Matching, is_tile_number};
use super::scalar::{Refusal, Scalar, first_time, next_key, short};
use crate::load::limits::MOST_TILES;
use crate::puzzle::{EdgeName, Half, Label, Labels, Tile};

/// The tiles of a file, and the labels on them.
pub(super) struct Tiles {
    pub labels: Labels,
    pub border: Option<Label>,
    pub tiles: Vec<Tile>,
}

/// Reads the tiles of a file.
pub(super) struct Reader<'h> {
    header: &'h Header,
    /// The numbers of sides that cells of the board have.
    sides: &'h [usize],
    labels: Labels,
    border: Option<Label>,
    tiles: Vec<Tile>,
}

impl<'h> Reader<'h> {
    pub fn new(header: &'h Header, sides: &'h [usize]) -> Self {
        let mut labels = Labels::default();
        let border = header.border.as_ref();
        // The first image entered cannot contradict another.
        let border = border.and_then(|edge| labels.add(edge).ok());
        Reader {
            header,
            sides,
            labels,
            border,
            tiles: Vec::new(),
        }
    }

    /// Takes an edge in, if the header allows it.
    fn add(&mut self, edge: &EdgeName) -> Result<Label, Refusal> {
        let is_border = self.header.border.as_ref() == Some(edge);
        match self.header.matching {
            Some(Matching::Half) if edge.half == Half::Whole && !is_border => {
                Err(Refusal::with_help(
                    format!("`{edge}` has no sign, but the file says `matching: half`"),
                    format!("write `{edge}+` or `{edge}-`, or leave `matching` out"),
                ))
            }
            Some(Matching::Equal) if edge.half != Half::Whole => Err(Refusal::with_help(
                format!("`{edge}` is a half, but the file says `matching: equal`"),
                "no name may end in `+` or `-` then",
            )),
            _ => Ok(self.labels.add(edge)?),
        }
    }

    fn read_tile<'de, A: MapAccess<'de>>(
        &mut self,
        map: &mut A,
        name: String,
    ) -> Result<(), A::Error> {
        if self.tiles.len() == MOST_TILES {
            return Err(Refusal::from(format!("more than {MOST_TILES} tiles")).into_error());
        }
        let listed = map.next_value_seed(TileReader {
            name: &name,
            reader: self,
        })?;
        let order = self.header.order.unwrap_or_default();
        let mut tile = Tile {
            name,
            edges: order.normalise(&listed.edges),
            back: listed.back.map(|back| order.normalise(&back)),
        };
        if self.header.is_printed_through {
            tile.back = Some(tile.mirror());
        }
        self.tiles.push(tile);
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Reader<'_> {
    type Value = Tiles;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Tiles, D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The outermost mapping.
impl<'de> Visitor<'de> for Reader<'_> {
    type Value = Tiles;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping with the key `tiles`")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Tiles, A::Error> {
        let mut seen = HashSet::new();
        while let Some(key) = next_key(&mut map, &mut seen)? {
            if key == "tiles" {
                map.next_value_seed(TilesReader(&mut self))?;
            } else if is_tile_number(&key) {
                self.read_tile(&mut map, key)?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Tiles {
            labels: self.labels,
            border: self.border,
            tiles: self.tiles,
        })
    }
}

/// The mapping below `tiles`.
struct TilesReader<'a, 'h>(&'a mut Reader<'h>);

impl<'de> DeserializeSeed<'de> for TilesReader<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TilesReader<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping from the name of a tile to its edges")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen = HashSet::new();
        while let Some(name) = next_key(&mut map, &mut seen)? {
            if name.trim().is_empty() {
                return Err(Refusal::from("a tile without a name").into_error());
            }
            self.0.read_tile(&mut map, name)?;
        }
        if seen.is_empty() {
            return Err(Refusal::with_help("no tiles", EXAMPLE).into_error());
        }
        Ok(())
    }
}

/// The edges of one tile, in the order of the file.
struct Listed {
    edges: Vec<Label>,
    back: Option<Vec<Label>>,
}

/// One tile: its edges, or a mapping with both faces.
struct TileReader<'a, 'h> {
    name: &'a str,
    reader: &'a mut Reader<'h>,
}

impl<'de> DeserializeSeed<'de> for TileReader<'_, '_> {
    type Value = Listed;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Listed, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TileReader<'_, '_> {
    type Value = Listed;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expected_edges(self.reader.sides))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Listed, A::Error> {
        let TileReader { name, reader } = self;
        let edges = EdgesReader { name, reader }.visit_seq(list)?;
        Ok(Listed { edges, back: None })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Listed, A::Error> {
        let TileReader { name, reader } = self;
        let (mut edges, mut back, mut seen) = (None, None, HashSet::new());
        let expected = expected_edges(reader.sides);
        while let Some(key) = map.next_key_seed(Scalar::new("a key", |text| {
            let key = short(text, "a key")?;
            match key.as_str() {
                "back" if reader.header.is_printed_through => Err(Refusal::with_help(
                    "`back` in a file that says `flip: mirror`",
                    "leave one of them out",
                )),
                "edges" | "back" => first_time(key, &mut seen),
                _ => Err(Refusal::with_help(
                    format!("unknown key `{key}` in a tile"),
                    format!("write {expected}, or a mapping with `edges` and `back`"),
                )),
            }
        }))? {
            let face = map.next_value_seed(EdgesReader { name, reader })?;
            match key.as_str() {
                "edges" => edges = Some(face),
                _ => back = Some(face),
            }
        }
        let refuse = |message: String| Err(Refusal::from(message).into_error());
        let Some(edges) = edges else {
            return refuse(format!("tile `{name}` without its `edges`"));
        };
        let sides = edges.len();
        match back
            .as_ref()
            .map(Vec::len)
            .filter(|&number| number != sides)
        {
            Some(number) => refuse(format!(
                "tile `{name}` has {sides} edges, and {number} on its back"
            )),
            None => Ok(Listed { edges, back }),
        }
    }
}

/// What a list of edges may be on a board with cells of these numbers of sides.
fn expected_edges(sides: &[usize]) -> String {
    const EXAMPLE: [&str; 4] = ["ylw+", "red-", "grn+", "blu+"];
    match sides {
        [4] => "a list of four edges such as [ylw+, red-, grn+, blu+]".to_owned(),
        _ => {
            let edges = EXAMPLE.iter().cycle().take(sides[0]);
            let numbers = itertools::join(sides, " or ");
            format!(
                "a list of {numbers} edges such as [{}]",
                itertools::join(edges, ", ")
            )
        }
    }
}

/// The edges of a face.
struct EdgesReader<'a, 'h> {
    name: &'a str,
    reader: &'a mut Reader<'h>,
}

impl<'de> DeserializeSeed<'de> for EdgesReader<'_, '_> {
    type Value = Vec<Label>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Label>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for EdgesReader<'_, '_> {
    type Value = Vec<Label>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&expected_edges(self.reader.sides))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Label>, A::Error> {
        let mut edges = Vec::new();
        let most = self.reader.sides.iter().copied().max().unwrap_or_default();
        while edges.len() < most {
            let next = match self.reader.header.is_blog_form {
                true => list.next_element_seed(PairReader(&mut *self.reader))?,
                false => list.next_element_seed(edge(&mut *self.reader))?,
            };
            match next {
                Some(edge) => edges.push(edge),
                None => break,
            }
        }
        let mut number = edges.len();
        while list.next_element::<IgnoredAny>()?.is_some() {
            number += 1;
        }
        if !self.reader.sides.contains(&number) {
            let (name, expected) = (self.name, itertools::join(self.reader.sides, " or "));
            let message = format!("tile `{name}` has {number} edges, expected {expected}");
            return Err(Refusal::from(message).into_error());
        }
        Ok(edges)
    }
}

/// One edge in the project's own form, `ylw+`.
fn edge(reader: &mut Reader<'_>) -> Scalar<impl FnOnce(&str) -> Result<Label, Refusal>> {
    Scalar::new("an edge such as `ylw+`", |text| {
        let edge = EdgeName::parse(text)?;
        reader.add(&edge)
    })
}

/// One edge in the blog's form, `['ylw', '+']`.
struct PairReader<'a, 'h>(&'a mut Reader<'h>);

impl<'de> DeserializeSeed<'de> for PairReader<'_, '_> {
    type Value = Label;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Label, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for PairReader<'_, '_> {
    type Value = Label;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an image and its half such as ['ylw', '+']")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut pair: A) -> Result<Label, A::Error> {
        let expected = || -> A::Error {
            Refusal::from("expected an image and its half such as ['ylw', '+']").into_error()
        };
        let image = Scalar::new("the name of an image", |text| Ok(text.to_owned()));
        let image = pair.next_element_seed(image)?.ok_or_else(expected)?;
        let half = Scalar::new("`+` or `-`", |sign| {
            let edge = EdgeName::from_pair(&image, sign)?;
            self.0.add(&edge)
        });
        let label = pair.next_element_seed(half)?.ok_or_else(expected)?;
        match pair.next_element::<IgnoredAny>()? {
            None => Ok(label),
            Some(_) => Err(expected()),
        }
    }
}
