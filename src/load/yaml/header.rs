//! Reads the root mapping, except for the tiles, placements and constraints.
//!
//! [`keys`] lists its keys; `schema.json` describes their values.

use std::collections::HashSet;

use super::board;
use super::number::length;
use super::tree::{Entry, Node, Result};
use crate::board::SIDES_OF_SQUARE;
use crate::load::board::BoardSpec;
use crate::load::edge_order::EdgeOrder;
use crate::load::form::parse_border;
use crate::puzzle::{EdgeName, Flip, Labels, Oddity, Puzzle, UNKNOWN};

/// The help of errors about a puzzle as a whole.
pub(in crate::load) const EXAMPLE: &str =
    "a puzzle is a mapping with its tiles, `tiles: {1: [ylw+, red-, grn+, blu+], …}`";

/// The longest title or source, in characters.
const LONGEST_TEXT: usize = 10_000;

/// The key of the tiles.
pub(super) const TILES: &str = "tiles";

/// The values of a file except for its tiles, placements and constraints.
pub(super) struct Header {
    /// The puzzle without labels, border and tiles.
    pub puzzle: Puzzle,
    pub rows: Option<usize>,
    pub columns: Option<usize>,
    pub board: Option<BoardSpec>,
    pub order: Option<EdgeOrder>,
    /// True if every image except the border has halves, false if no image has, if the file says
    /// so.
    pub has_halves: Option<bool>,
    /// The rule that derives the backs of all tiles from their fronts.
    pub flip: Option<Flip>,
    pub border: Option<EdgeName>,
    /// True if the tiles are keys of the root, as in the blog's form.
    pub is_blog_form: bool,
}

/// The values of the key `matching`: true if all images have halves.
const MATCHINGS: [(&str, bool); 2] = [("half", true), ("equal", false)];

/// The keys of the root mapping, in the order of errors about other keys.
const KEYS: &str = "name title source rows cols board order matching rotations flip border pictures images \
    matches allow placements weights constraints objective tiles";

/// Each key of the root mapping.
pub(super) fn keys() -> impl Iterator<Item = &'static str> + Clone {
    KEYS.split(' ')
}

/// Returns true if a key of the root is a tile in the blog's form.
pub(in crate::load) fn is_tile_number(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|b| b.is_ascii_digit())
}

/// Returns true for a key of our own form.
pub(in crate::load) fn is_key(name: &str) -> bool {
    keys().any(|key| key == name)
}

/// Reads the header from the root mapping; `name` is the puzzle's name if the file gives none.
pub(super) fn read(root: &Node, name: &str) -> Result<Header> {
    let is_blog_form = refuse_wrong_keys(root)?;
    let name = root.read("name", |node| node.name("a name"))?.unwrap_or(name);
    let puzzle = Puzzle {
        title: root.read("title", text)?,
        source: root.read("source", text)?,
        pictures: root.read("pictures", pictures)?,
        images: root.read("images", images)?.unwrap_or_default(),
        may_turn: root.read("rotations", may_turn)?.unwrap_or(true),
        allowed: root.read("allow", allowed)?.unwrap_or_default(),
        ..Puzzle::new(name.to_owned(), Labels::default(), Vec::new())
    };
    let header = Header {
        puzzle,
        rows: root.read("rows", length)?,
        columns: root.read("cols", length)?,
        board: root.read(board::KEY, board::read)?,
        order: root.read("order", order)?,
        has_halves: root.read("matching", |node| node.word("matching", &MATCHINGS))?,
        flip: root.read("flip", flip)?,
        border: root.read("border", border)?,
        is_blog_form,
    };
    if root.key(TILES).is_none() && !is_blog_form {
        return Err(root.error("the key `tiles` is missing").with_help(EXAMPLE));
    }
    Ok(header)
}

/// Rejects unknown keys; returns true if the tiles are keys of the root.
fn refuse_wrong_keys(root: &Node) -> Result<bool> {
    let expected = "a mapping with the key `tiles`";
    if root.scalar().is_some() || root.items().is_some() {
        return Err(root.unexpected(expected).with_help(EXAMPLE));
    }
    let entries = root.entries(expected)?;
    let is_blog_form = entries.first().is_some_and(|entry| is_tile_number(entry.name));
    for Entry { name, key, .. } in entries {
        if is_tile_number(name) && !is_blog_form {
            return Err(key.error(format!("tile `{name}` is outside `tiles:`")));
        }
        if !is_tile_number(name) && is_blog_form {
            let error = key.error(format!("`{name}` together with tiles at the top level"));
            return Err(error.with_help("put the tiles below `tiles:`"));
        }
        if !is_blog_form && !is_key(name) {
            let error = key.error(format!("unknown key `{name}`"));
            return Err(error.with_known(name, keys(), "the keys are"));
        }
    }
    Ok(is_blog_form)
}

/// Reads a text of at most [`LONGEST_TEXT`] characters.
fn text(node: &Node) -> Result<String> {
    node.text_up_to(LONGEST_TEXT, "a text").map(str::to_owned)
}

/// Reads the pattern of the tiles' pictures, which must contain `{tile}`.
fn pictures(node: &Node) -> Result<String> {
    let pattern = node.name("a pattern such as `{tile}.png`")?;
    if !pattern.contains("{tile}") {
        let error = node.error("the pattern does not contain `{tile}`");
        return Err(error.with_help("write `{tile}` for the tile's name, as in `{tile}.png`"));
    }
    Ok(pattern.to_owned())
}

/// Reads the order in which edges are listed: its name, or the sides in a text or a list.
fn order(node: &Node) -> Result<EdgeOrder> {
    const EXPECTED: &str = "an order such as `clockwise-from-top` or [top, right, bottom, left]";
    let Some(items) = node.items() else {
        return node.check(EdgeOrder::parse(node.name(EXPECTED)?));
    };
    let known = SIDES_OF_SQUARE.into_iter().zip(0..);
    let sides = items.iter().map(|item| item.choice("side", known.clone(), "the sides are"));
    let sides = sides.collect::<Result<Vec<_>>>()?;
    let order = EdgeOrder::of_sides(sides.into_iter().map(Some));
    order.ok_or_else(|| {
        node.error(format!("the sides are not four different ones: expected {EXPECTED}"))
    })
}

/// Reads the key `rotations`: true if tiles may be rotated.
fn may_turn(node: &Node) -> Result<bool> {
    node.truth("`true`, or `false` if tiles may not be turned")
}

/// Reads the list of warnings to silence.
fn allowed(node: &Node) -> Result<Vec<Oddity>> {
    let known = Oddity::ALL.into_iter().map(|oddity| (oddity.name(), oddity));
    let oddity = |node: &Node| node.choice("warning", known.clone(), "the warnings are");
    node.list("a list of warnings such as [tiles-alike]")?.iter().map(oddity).collect()
}

/// Reads the rule by which the backs of all tiles follow from their fronts.
fn flip(node: &Node) -> Result<Flip> {
    let flip = node.word("flip", &Flip::ALL.map(|flip| (flip.name(), flip)));
    flip.map_err(|error| {
        error.with_help("if no rule describes the backs, list the back of each tile: `1: {edges: […], back: […]}`")
    })
}

/// Reads the border, which must be a known whole image.
fn border(node: &Node) -> Result<EdgeName> {
    node.check(parse_border(node.text("the name of an image")?))
}

/// Reads a mapping such as `{cat+: the cat's head, cat-: its tail}`.
fn images(node: &Node) -> Result<Vec<(EdgeName, String)>> {
    const EXPECTED: &str =
        "edges with what else they are called, such as {cat+: the head of the cat}";
    let mut seen = HashSet::new();
    let image = |entry: &Entry<'_>| {
        let edge = edge(entry.key, "an edge such as `cat+`")?;
        if edge.image == UNKNOWN {
            let message = "`?` is an unknown edge: expected an edge such as `cat+`";
            return Err(entry.key.error(message));
        }
        if !seen.insert(edge.to_string()) {
            return Err(entry.key.error(format!("`{edge}` appears a second time")));
        }
        Ok((edge, entry.value.name("a name")?.to_owned()))
    };
    node.entries(EXPECTED)?.iter().map(image).collect()
}

/// Reads an image, one half of it, or `?`.
pub(super) fn edge(node: &Node, expected: &str) -> Result<EdgeName> {
    node.check(EdgeName::parse(node.text(expected)?))
}
