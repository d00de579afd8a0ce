//! Other edges in place of some, in the text as it stands.

use super::document::Document;
use super::header::{self, Header};
use super::tiles;
use super::tree::Node;
use super::write::flow;
use crate::load::form::ReadOptions;
use crate::load::text::Source;
use crate::problem::Problem;
use crate::puzzle::{Change, DocValue, Face, Half};

/// The text with other edges; nothing where one does not stand there by itself.
pub(in crate::load) fn retyped(
    source: &Source<'_>,
    options: &ReadOptions,
    problem: &Problem,
    changes: &[Change],
) -> Option<String> {
    let document = Document::read(source, header::EXAMPLE).ok()?;
    let header = header::read(&document.root).ok()?;
    let entries = tiles::entries(&document.root).ok()?;
    let mut edits = Vec::new();
    for change in changes {
        let tile = entries.get(change.tile)?.value;
        let edge = edge_node(tile, change, options, &header)?;
        let label = problem.puzzle.labels.edge(change.label);
        if let Some([image, half]) = edge.items() {
            let sign = match label.half {
                Half::Minus => "-",
                Half::Plus | Half::Whole => "+",
            };
            edits.push(edit(&document, source, image, &label.image)?);
            edits.push(edit(&document, source, half, sign)?);
        } else {
            edits.push(edit(&document, source, edge, &label.to_string())?);
        }
    }
    edits.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
    let mut text = source.text.to_owned();
    for (start, end, new) in edits {
        text.replace_range(start..end, &new);
    }
    Some(text)
}

/// The node of an edge.
fn edge_node<'n>(
    tile: &'n Node,
    change: &Change,
    options: &ReadOptions,
    header: &Header,
) -> Option<&'n Node> {
    let list = match (tile.is_map(), change.face) {
        (true, Face::Front) => tile.value("edges")?,
        (true, Face::Back) => tile.value("back")?,
        (false, _) => tile,
    };
    let items = list.items()?;
    let order = options.order.or(header.order).unwrap_or_default();
    let sides: Vec<usize> = (0..items.len()).collect();
    let place = order
        .listed(&sides)
        .iter()
        .position(|&s| s == change.side)?;
    items.get(place)
}

/// From which byte to which a scalar stands in the text, and what stands there then.
fn edit(
    document: &Document<'_>,
    source: &Source<'_>,
    scalar: &Node,
    new: &str,
) -> Option<(usize, usize, String)> {
    let old = scalar.text("").ok()?;
    let (line, column) = document.at(scalar.error("")).position?;
    let start = source.byte_at(line, column)?;
    let rest = &source.text[start..];
    let length = match rest.chars().next()? {
        quote @ ('"' | '\'') => 2 + rest[1..].find(quote)?,
        _ => rest.starts_with(old).then_some(old.len())?,
    };
    Some((start, start + length, flow(&DocValue::text(new))))
}
