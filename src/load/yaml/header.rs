//! The first reading: everything but the tiles and the constraints.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};

use super::board;
use super::constraints;
use super::length::Length;
use super::scalar::{Refusal, Scalar, first_time, short};
use super::suggest::did_you_mean;
use crate::load::board::BoardForm;
use crate::load::edge_order::EdgeOrder;
use crate::puzzle::{EdgeName, Half};

/// What every error about a file as a whole shows.
pub(super) const EXAMPLE: &str =
    "a puzzle is a mapping with its tiles, `tiles: {1: [ylw+, red-, grn+, blu+], …}`";

/// The longest title or source, in characters.
const LONGEST_TEXT: usize = 10_000;

/// An outermost key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Name,
    Title,
    Source,
    Rows,
    Columns,
    Board,
    Order,
    Matching,
    Rotations,
    Flip,
    Border,
    Pictures,
    Images,
    Constraints,
    Tiles,
}

impl Key {
    /// Every key, with its name in a file.
    pub const ALL: [(&str, Key); 15] = [
        ("name", Key::Name),
        ("title", Key::Title),
        ("source", Key::Source),
        ("rows", Key::Rows),
        ("cols", Key::Columns),
        (board::KEY, Key::Board),
        ("order", Key::Order),
        ("matching", Key::Matching),
        ("rotations", Key::Rotations),
        ("flip", Key::Flip),
        ("border", Key::Border),
        ("pictures", Key::Pictures),
        ("images", Key::Images),
        (constraints::KEY, Key::Constraints),
        ("tiles", Key::Tiles),
    ];

    fn named(name: &str) -> Option<Key> {
        let found = Key::ALL.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, key)| key)
    }
}

/// Everything that a file says but its tiles.
pub(super) struct Header {
    pub name: Option<String>,
    pub title: Option<String>,
    pub source: Option<String>,
    pub pictures: Option<String>,
    pub images: Vec<(EdgeName, String)>,
    pub rows: Option<usize>,
    pub columns: Option<usize>,
    pub board: Option<BoardForm>,
    pub order: Option<EdgeOrder>,
    pub matching: Option<Matching>,
    pub may_turn: bool,
    /// Every tile's back is its mirror.
    pub is_printed_through: bool,
    pub border: Option<EdgeName>,
    /// There is a list of constraints.
    pub has_constraints: bool,
    /// The tiles are the outermost keys, as in the blog's file.
    pub is_blog_form: bool,
}

/// What the file asserts of its images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Matching {
    /// Every image but the border has halves.
    Half,
    /// No image has halves.
    Equal,
}

/// Whether an outermost key is a tile of the blog's form.
pub(in crate::load) fn is_tile_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())
}

/// Reads the header.
pub(super) struct Reader;

impl<'de> DeserializeSeed<'de> for Reader {
    type Value = Header;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Header, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Reader {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a mapping with the key `tiles`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
        let mut header = Header {
            name: None,
            title: None,
            source: None,
            pictures: None,
            images: Vec::new(),
            rows: None,
            columns: None,
            board: None,
            order: None,
            matching: None,
            may_turn: true,
            is_printed_through: false,
            border: None,
            has_constraints: false,
            is_blog_form: false,
        };
        let mut seen = HashSet::new();
        let mut has_tiles = false;
        while let Some(key) = next_known_key(&mut map, &mut seen, header.is_blog_form)? {
            let Some(key) = Key::named(&key) else {
                // A tile, as in the blog's file.
                header.is_blog_form = true;
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            match key {
                Key::Tiles => {
                    has_tiles = true;
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Constraints => {
                    header.has_constraints = true;
                    map.next_value::<IgnoredAny>()?;
                }
                Key::Name => header.name = Some(map.next_value_seed(name())?),
                Key::Title => header.title = Some(map.next_value_seed(text())?),
                Key::Source => header.source = Some(map.next_value_seed(text())?),
                Key::Pictures => header.pictures = Some(map.next_value_seed(pictures())?),
                Key::Images => header.images = map.next_value_seed(ImagesReader)?,
                Key::Rows => header.rows = Some(map.next_value::<Length>()?.0),
                Key::Columns => header.columns = Some(map.next_value::<Length>()?.0),
                Key::Board => header.board = Some(map.next_value_seed(board::Reader)?),
                Key::Flip => {
                    map.next_value_seed(flip())?;
                    header.is_printed_through = true;
                }
                Key::Order => header.order = Some(map.next_value_seed(order())?),
                Key::Matching => header.matching = Some(map.next_value_seed(matching())?),
                Key::Rotations => header.may_turn = map.next_value::<Rotations>()?.0,
                Key::Border => header.border = Some(map.next_value_seed(border())?),
            }
        }
        if !has_tiles && !header.is_blog_form {
            let refusal = Refusal::with_help("the key `tiles` is missing", EXAMPLE);
            return Err(refusal.into_error());
        }
        Ok(header)
    }
}

/// The next key: a known one, or the number of a tile where the tiles are the outermost keys.
fn next_known_key<'de, A: MapAccess<'de>>(
    map: &mut A,
    seen: &mut HashSet<String>,
    is_blog_form: bool,
) -> Result<Option<String>, A::Error> {
    let has_own_keys = !seen.is_empty() && !is_blog_form;
    map.next_key_seed(Scalar::new("a key", |text| {
        let key = short(text, "a key")?;
        if is_tile_number(&key) {
            if has_own_keys {
                return Err(format!("tile `{key}` stands outside `tiles:`").into());
            }
        } else if is_blog_form {
            return Err(Refusal::with_help(
                format!("`{key}` beside tiles that are the outermost keys"),
                "put the tiles below `tiles:`",
            ));
        } else if Key::named(&key).is_none() {
            return Err(unknown_key(&key));
        }
        first_time(key, seen)
    }))
}

fn unknown_key(key: &str) -> Refusal {
    let known = || Key::ALL.into_iter().map(|(name, _)| name);
    let help = did_you_mean(key, known())
        .unwrap_or_else(|| format!("the keys are {}", itertools::join(known(), ", ")));
    Refusal::with_help(format!("unknown key `{key}`"), help)
}

type Read<T> = Scalar<fn(&str) -> Result<T, Refusal>>;

fn name() -> Read<String> {
    Scalar::new("a name", |text| short(text, "a name"))
}

fn text() -> Read<String> {
    Scalar::new("a text", |text| match text.chars().count() {
        length if length > LONGEST_TEXT => {
            Err(format!("a text of {length} characters, at most {LONGEST_TEXT} are allowed").into())
        }
        _ => Ok(text.to_owned()),
    })
}

fn pictures() -> Read<String> {
    Scalar::new("a pattern such as `{tile}.png`", |pattern| {
        match pattern.contains("{tile}") {
            true => short(pattern, "a pattern"),
            false => Err(Refusal::with_help(
                "the pattern does not say which tile",
                "write `{tile}` for the tile's name, as in `{tile}.png`",
            )),
        }
    })
}

fn order() -> Read<EdgeOrder> {
    Scalar::new("an order such as `clockwise-from-top`", |text| {
        Ok(EdgeOrder::parse(&short(text, "an order")?)?)
    })
}

fn matching() -> Read<Matching> {
    Scalar::new("`half` or `equal`", |text| match text {
        "half" => Ok(Matching::Half),
        "equal" => Ok(Matching::Equal),
        other => Err(format!(
            "unknown matching `{}`: expected `half` or `equal`",
            short(other, "a matching")?
        )
        .into()),
    })
}

fn flip() -> Read<()> {
    Scalar::new("`mirror`", |text| match text {
        "mirror" => Ok(()),
        other => Err(Refusal::with_help(
            format!(
                "unknown flip `{}`: expected `mirror`",
                short(other, "a flip")?
            ),
            "where backs differ, each tile has its own: `1: {edges: […], back: […]}`",
        )),
    })
}

fn border() -> Read<EdgeName> {
    Scalar::new("the name of an image", |text| {
        let edge = EdgeName::parse(text)?;
        match edge.half {
            Half::Whole => Ok(edge),
            _ => Err(format!(
                "the border is a whole image, not a half: write `{}`",
                edge.image
            )
            .into()),
        }
    })
}

/// `{cat+: the cat's head, cat-: its tail}`.
struct ImagesReader;

impl<'de> DeserializeSeed<'de> for ImagesReader {
    type Value = Vec<(EdgeName, String)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ImagesReader {
    type Value = Vec<(EdgeName, String)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("edges with what else they are called, such as {cat+: the head of the cat}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut images, mut seen) = (Vec::new(), HashSet::new());
        while let Some(edge) = map.next_key_seed(Scalar::new("an edge such as `cat+`", |text| {
            let edge = EdgeName::parse(text)?;
            first_time(edge.to_string(), &mut seen)?;
            Ok(edge)
        }))? {
            images.push((edge, map.next_value_seed(name())?));
        }
        Ok(images)
    }
}

/// Whether tiles may be turned.
struct Rotations(bool);

impl<'de> serde::Deserialize<'de> for Rotations {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bool(RotationsVisitor)
    }
}

struct RotationsVisitor;

impl Visitor<'_> for RotationsVisitor {
    type Value = Rotations;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`true`, or `false` where tiles may not be turned")
    }

    fn visit_bool<E: Error>(self, may_turn: bool) -> Result<Rotations, E> {
        Ok(Rotations(may_turn))
    }
}
