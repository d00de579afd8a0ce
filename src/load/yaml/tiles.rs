//! The second reading: the tiles, under the rules that the header gave.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::header::{EXAMPLE, Header, Matching, is_tile_number};
use super::scalar::{Refusal, Scalar, next_key};
use crate::puzzle::{EdgeName, Half, Label, Labels, Tile};

/// The number of edges of a square tile.
const SIDES: usize = 4;

/// More tiles than any puzzle has; it bounds what a file can cost.
const MOST_TILES: usize = 10_000;

/// The tiles of a file, and the labels on them.
pub(super) struct Tiles {
    pub labels: Labels,
    pub border: Option<Label>,
    pub tiles: Vec<Tile>,
}

/// Reads the tiles of a file.
pub(super) struct Reader<'h> {
    header: &'h Header,
    labels: Labels,
    border: Option<Label>,
    tiles: Vec<Tile>,
}

impl<'h> Reader<'h> {
    pub fn new(header: &'h Header) -> Self {
        let mut labels = Labels::default();
        let border = header.border.as_ref();
        // The first image entered cannot contradict another.
        let border = border.and_then(|edge| labels.add(edge).ok());
        Reader {
            header,
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
        let edges = self.header.order.normalise(&listed);
        self.tiles.push(Tile { name, edges });
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

/// The edges of one tile.
struct TileReader<'a, 'h> {
    name: &'a str,
    reader: &'a mut Reader<'h>,
}

impl<'de> DeserializeSeed<'de> for TileReader<'_, '_> {
    type Value = Vec<Label>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<Label>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for TileReader<'_, '_> {
    type Value = Vec<Label>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of four edges such as [ylw+, red-, grn+, blu+]")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<Label>, A::Error> {
        let mut edges = Vec::new();
        while edges.len() < SIDES {
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
        if number != SIDES {
            let name = self.name;
            let message = format!("tile `{name}` has {number} edges, expected {SIDES}");
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
