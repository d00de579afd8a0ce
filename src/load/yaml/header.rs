//! The outermost mapping: everything that a file says but its tiles and its constraints.
//!
//! [`KEYS`] lists the keys; `schema.json` describes their values.

use std::collections::HashSet;

use super::board;
use super::number::length;
use super::tree::{Entry, Node, ReadError, Result, Scalar};
use crate::load::board::WrittenBoard;
use crate::load::edge_order::EdgeOrder;
use crate::puzzle::{EdgeName, Flip, Half, Oddity, UNKNOWN};

/// What every error about a puzzle as a whole shows.
pub(super) const EXAMPLE: &str =
    "a puzzle is a mapping with its tiles, `tiles: {1: [ylw+, red-, grn+, blu+], …}`";

/// The longest title or source, in characters.
const LONGEST_TEXT: usize = 10_000;

/// The key of the tiles.
pub(super) const TILES: &str = "tiles";

/// An outermost key.
pub(super) struct Key {
    pub name: &'static str,
    read: fn(&mut Header, &Node) -> Result<()>,
}

/// Everything that a file says but its tiles and its constraints.
#[derive(Default)]
pub(super) struct Header {
    pub name: Option<String>,
    pub title: Option<String>,
    pub source: Option<String>,
    pub pictures: Option<String>,
    pub images: Vec<(EdgeName, String)>,
    pub rows: Option<usize>,
    pub columns: Option<usize>,
    pub board: Option<WrittenBoard>,
    pub order: Option<EdgeOrder>,
    pub matching: Option<Matching>,
    pub may_turn: bool,
    /// How the backs of all tiles follow from their fronts.
    pub flip: Option<Flip>,
    pub border: Option<EdgeName>,
    pub allowed: Vec<Oddity>,
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

/// Every key.
pub(super) const KEYS: [Key; 17] = [
    Key {
        name: "name",
        read: |header, node| {
            header.name = Some(node.name("a name")?.to_owned());
            Ok(())
        },
    },
    Key { name: "title", read: |header, node| text(node).map(|found| header.title = Some(found)) },
    Key {
        name: "source",
        read: |header, node| text(node).map(|found| header.source = Some(found)),
    },
    Key { name: "rows", read: |header, node| length(node).map(|found| header.rows = Some(found)) },
    Key {
        name: "cols",
        read: |header, node| length(node).map(|found| header.columns = Some(found)),
    },
    Key {
        name: board::KEY,
        read: |header, node| board::read(node).map(|found| header.board = Some(found)),
    },
    Key { name: "order", read: |header, node| order(node).map(|found| header.order = Some(found)) },
    Key {
        name: "matching",
        read: |header, node| matching(node).map(|found| header.matching = Some(found)),
    },
    Key {
        name: "rotations",
        read: |header, node| truth(node).map(|found| header.may_turn = found),
    },
    Key { name: "flip", read: |header, node| flip(node).map(|found| header.flip = Some(found)) },
    Key {
        name: "border",
        read: |header, node| border(node).map(|found| header.border = Some(found)),
    },
    Key {
        name: "pictures",
        read: |header, node| pictures(node).map(|found| header.pictures = Some(found)),
    },
    Key { name: "images", read: |header, node| images(node).map(|found| header.images = found) },
    Key { name: "allow", read: |header, node| allowed(node).map(|found| header.allowed = found) },
    Key { name: super::placements::KEY, read: |_, _| Ok(()) },
    Key { name: super::constraints::KEY, read: |_, _| Ok(()) },
    Key { name: TILES, read: |_, _| Ok(()) },
];

/// Whether an outermost key is a tile of the blog's form.
pub(in crate::load) fn is_tile_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())
}

/// Returns true for a key of our own format.
pub(in crate::load) fn is_key(name: &str) -> bool {
    KEYS.iter().any(|key| key.name == name)
}

/// Reads the header from the outermost mapping.
pub(super) fn read(root: &Node) -> Result<Header> {
    let mut header = Header { may_turn: true, ..Header::default() };
    let expected = "a mapping with the key `tiles`";
    if root.scalar().is_some() || root.items().is_some() {
        return Err(root.unexpected(expected).with_help(EXAMPLE));
    }
    for (index, entry) in root.entries(expected)?.iter().enumerate() {
        let is_tile = is_tile_number(entry.name);
        if is_tile && index > 0 && !header.is_blog_form {
            return Err(entry.key.error(format!("tile `{}` is outside `tiles:`", entry.name)));
        }
        if is_tile {
            header.is_blog_form = true;
            continue;
        }
        if header.is_blog_form {
            let message = format!("`{}` together with tiles at the top level", entry.name);
            return Err(entry.key.error(message).with_help("put the tiles below `tiles:`"));
        }
        let key = KEYS.iter().find(|key| key.name == entry.name);
        let key = key.ok_or_else(|| unknown_key(entry.key, entry.name))?;
        (key.read)(&mut header, entry.value)?;
    }
    if root.key(TILES).is_none() && !header.is_blog_form {
        return Err(root.error("the key `tiles` is missing").with_help(EXAMPLE));
    }
    Ok(header)
}

fn unknown_key(node: &Node, name: &str) -> ReadError {
    let known = KEYS.iter().map(|key| key.name);
    node.error(format!("unknown key `{name}`")).with_known(name, known, "the keys are")
}

fn text(node: &Node) -> Result<String> {
    let text = node.text("a text")?;
    let length = text.chars().count();
    if length > LONGEST_TEXT {
        return Err(node
            .error(format!("a text of {length} characters, at most {LONGEST_TEXT} are allowed")));
    }
    Ok(text.to_owned())
}

fn pictures(node: &Node) -> Result<String> {
    if !node.text("a pattern such as `{tile}.png`")?.contains("{tile}") {
        return Err(node
            .error("the pattern does not say which tile")
            .with_help("write `{tile}` for the tile's name, as in `{tile}.png`"));
    }
    Ok(node.name("a pattern")?.to_owned())
}

fn order(node: &Node) -> Result<EdgeOrder> {
    node.text("an order such as `clockwise-from-top`")?;
    EdgeOrder::parse(node.name("an order")?).map_err(|e| node.error(e))
}

fn matching(node: &Node) -> Result<Matching> {
    match node.text("`half` or `equal`")? {
        "half" => Ok(Matching::Half),
        "equal" => Ok(Matching::Equal),
        _ => {
            let other = node.name("a matching")?;
            Err(node.error(format!("unknown matching `{other}`: expected `half` or `equal`")))
        }
    }
}

fn truth(node: &Node) -> Result<bool> {
    match node.scalar() {
        Some((Scalar::Truth(may_turn), _)) => Ok(may_turn),
        _ => Err(node.unexpected("`true`, or `false` if tiles may not be turned")),
    }
}

fn allowed(node: &Node) -> Result<Vec<Oddity>> {
    let oddity = |node: &Node| {
        let name = node.name("the name of a warning")?;
        Oddity::named(name).ok_or_else(|| {
            let known = Oddity::ALL.into_iter().map(Oddity::name);
            let error = node.error(format!("unknown warning `{name}`"));
            error.with_known(name, known, "the warnings are")
        })
    };
    node.list("a list of warnings such as [tiles-alike]")?.iter().map(oddity).collect()
}

fn flip(node: &Node) -> Result<Flip> {
    if let Some(flip) = Flip::named(node.text("`mirror` or `reverse`")?) {
        return Ok(flip);
    }
    let other = node.name("a flip")?;
    Err(node
        .error(format!("unknown flip `{other}`: expected `mirror` or `reverse`"))
        .with_help("where backs differ, each tile has its own: `1: {edges: […], back: […]}`"))
}

fn border(node: &Node) -> Result<EdgeName> {
    let edge = image(node, "the name of an image")?;
    if edge.half != Half::Whole {
        return Err(
            node.error(format!("the border is a whole image, not a half: write `{}`", edge.image))
        );
    }
    Ok(edge)
}

/// `{cat+: the cat's head, cat-: its tail}`.
fn images(node: &Node) -> Result<Vec<(EdgeName, String)>> {
    const EXPECTED: &str =
        "edges with what else they are called, such as {cat+: the head of the cat}";
    let mut seen = HashSet::new();
    let image = |entry: &Entry<'_>| {
        let edge = image(entry.key, "an edge such as `cat+`")?;
        if !seen.insert(edge.to_string()) {
            return Err(entry.key.error(format!("`{edge}` appears a second time")));
        }
        Ok((edge, entry.value.name("a name")?.to_owned()))
    };
    node.entries(EXPECTED)?.iter().map(image).collect()
}

/// The same where something must be known.
fn image(node: &Node, expected: &str) -> Result<EdgeName> {
    let edge = edge(node, expected)?;
    if edge.image == UNKNOWN {
        return Err(node.error(format!("`?` is an unknown edge: expected {expected}")));
    }
    Ok(edge)
}

/// An image, or one half of it, or `?`.
pub(super) fn edge(node: &Node, expected: &str) -> Result<EdgeName> {
    EdgeName::parse(node.text(expected)?).map_err(|e| node.error(e.to_string()))
}
