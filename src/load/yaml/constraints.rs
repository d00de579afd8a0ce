//! Reads the key `constraints`: each item is a kind with its fields, resolved on the board and in
//! the puzzle.

use std::sync::Arc;
use std::{iter, slice};

use super::fields::{Named, Reader};
use super::tree::{Node, Result};
use super::{objective, placements, repeat};
use crate::problem::constraints::{Scene, check_total, second_pin};
use crate::problem::{Listed, Objectives, Repeated};
use crate::puzzle::DocValue;

/// The key of the list in a file.
pub(super) const KEY: &str = "constraints";

/// The help of all errors about a list of constraints.
pub(super) const EXAMPLE: &str = "a list such as `constraints: [{pin: {cell: [1, 1], tile: 5}}]`";

type List = Vec<Listed>;

/// Reads a file that contains only constraints: a list under its key, optionally with objectives and
/// named placements, or the list alone.
pub(super) fn read_alone(root: &Node, scene: Scene<'_>) -> Result<(List, Objectives)> {
    if root.items().is_some() {
        let named = &Named::default();
        return Ok((read(root, Reader { scene, named })?, Objectives::default()));
    }
    let entries = root.entries(EXAMPLE)?;
    let keys = [KEY, objective::KEY, placements::KEY, placements::WEIGHTS];
    if let Some(other) = entries.iter().find(|entry| !keys.contains(&entry.name)) {
        let error = other.key.error(format!("`{}` in a file of constraints", other.name));
        return Err(error.with_help(format!("it holds {EXAMPLE} and nothing else")));
    }
    match read_if_present(root, scene)? {
        (None, objectives) if objectives.list.is_empty() => {
            Err(root.error(format!("the key `{KEY}` is missing")).with_help(EXAMPLE))
        }
        (list, objectives) => Ok((list.unwrap_or_default(), objectives)),
    }
}

/// Reads the list under its key, if there is one, and the objectives. Both may use the named
/// placements of the file.
pub(super) fn read_if_present(root: &Node, scene: Scene<'_>) -> Result<(Option<List>, Objectives)> {
    let reader = Reader { scene, named: &placements::read(root, scene)? };
    let list = root.read(KEY, |list| read(list, reader))?;
    Ok((list, objective::read_if_present(root, reader)?))
}

/// Reads a list of constraints. Fails if one of them is invalid, or a cell is pinned twice. An
/// empty value is an empty list.
fn read(node: &Node, reader: Reader<'_>) -> Result<List> {
    if node.is_nothing() {
        return Ok(Vec::new());
    }
    let mut list = Vec::new();
    let mut written = Vec::new();
    for item in node.list(EXAMPLE)? {
        let copies = reader.repeated(slice::from_ref(item), |item| reader.listed(item))?;
        written.extend(iter::repeat_n(item, copies.len()));
        list.extend(copies_of(reader, item, copies));
    }
    match second_pin(reader.scene.board, list.iter().map(|listed: &Listed| &listed.constraint)) {
        Some((index, message)) => Err(written[index].error(message)),
        None => {
            let soft = list.iter().filter_map(|listed| listed.soft.as_ref());
            node.check(check_total(soft.map(|soft| soft.weight)))?;
            Ok(list)
        }
    }
}

/// Notes for the copies of an item with the key `for` that they are written as one.
fn copies_of(reader: Reader<'_>, item: &Node, copies: List) -> List {
    if item.value(repeat::FOR).is_none() {
        return copies;
    }
    let item = DocValue::Map(reader.source(item));
    let repeated = Arc::new(Repeated { item, copies: copies.len() });
    let note = |copy: Listed| Listed { repeated: Some(Arc::clone(&repeated)), ..copy };
    copies.into_iter().map(note).collect()
}
