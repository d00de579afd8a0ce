//! The key `constraints`: each item is a kind and its fields, looked up on the board and in the
//! puzzle.

use std::sync::Arc;

use super::fields::{Reader, Record, TERMS_EXAMPLE};
use super::suggest::did_you_mean;
use super::tree::{Node, ReadError};
use crate::constraints::{Fields, KINDS, Kind, Scene, TERM, TERMS, second_pin};
use crate::problem::Constraint;

/// The key of the list in a file.
pub(super) const KEY: &str = "constraints";

/// What every error about a list of constraints shows.
pub(super) const EXAMPLE: &str = "a list such as `constraints: [{pin: {cell: [1, 1], tile: 5}}]`";

type List = Vec<Arc<dyn Constraint>>;

/// Reads the list of a file that holds nothing else: behind the key, or alone.
pub(super) fn read_alone(root: &Node, scene: Scene<'_>) -> Result<List, ReadError> {
    if root.items().is_some() {
        return read(root, scene);
    }
    let entries = root.entries(EXAMPLE)?;
    if let Some(other) = entries.iter().find(|entry| entry.name != KEY) {
        let error = other
            .key
            .error(format!("`{}` in a file of constraints", other.name));
        return Err(error.with_help(format!("it holds {EXAMPLE} and nothing else")));
    }
    match entries.first() {
        Some(entry) => read(entry.value, scene),
        None => Err(root
            .error(format!("the key `{KEY}` is missing"))
            .with_help(EXAMPLE)),
    }
}

/// Reads a list of constraints.
pub(super) fn read(node: &Node, scene: Scene<'_>) -> Result<List, ReadError> {
    if node.is_nothing() {
        return Ok(Vec::new());
    }
    let items = node.list(EXAMPLE)?;
    let list: List = items
        .iter()
        .map(|item| constraint(item, scene))
        .collect::<Result<_, ReadError>>()?;
    match second_pin(scene.board, &list) {
        Some((index, message)) => Err(items[index].error(message)),
        None => Ok(list),
    }
}

/// One constraint: its kind, and behind it its fields.
fn constraint(node: &Node, scene: Scene<'_>) -> Result<Arc<dyn Constraint>, ReadError> {
    let entries = node.entries("a constraint such as `pin: {cell: [1, 1], tile: 5}`")?;
    let Some(entry) = entries.first() else {
        return Err(node.error("a constraint without a name"));
    };
    let kind = kind_named(entry.key, entry.name)?;
    if let Some(other) = entries.get(1) {
        let error = other
            .key
            .error(format!("`{}` beside `{}`", other.name, kind.name));
        return Err(error.with_help("each constraint is an item of the list of its own"));
    }
    let reader = Reader(scene);
    let record = Record {
        name: &format!("`{}`", kind.name),
        mapping: &kind.takes,
    };
    let fields = match kind.shorthand {
        Some(field) if !entry.value.is_map() => {
            let value = reader.value(entry.value, field)?;
            Fields::default().with(field.key, value)
        }
        _ => reader.fields(entry.value, record)?,
    };
    let made = kind.make(&scene, fields);
    made.map_err(|message| entry.value.error(message))
}

fn kind_named(node: &Node, name: &str) -> Result<&'static Kind, ReadError> {
    let names = || KINDS.iter().map(|kind| kind.name);
    Kind::named(name).ok_or_else(|| {
        let help = did_you_mean(name, names())
            .unwrap_or_else(|| format!("the constraints are {}", itertools::join(names(), ", ")));
        node.error(format!("unknown constraint `{name}`"))
            .with_help(help)
    })
}

/// The terms of an expression: a list, the same behind `terms`, or one term alone.
pub(super) fn expression(root: &Node, scene: Scene<'_>) -> Result<Vec<Fields>, ReadError> {
    let reader = Reader(scene);
    if root.items().is_some() {
        return reader.terms(root, &TERM);
    }
    let entries = root.entries(TERMS_EXAMPLE)?;
    let (terms, others): (Vec<_>, Vec<_>) = entries
        .into_iter()
        .partition(|entry| entry.name == TERMS.key);
    match (terms.first(), others.first()) {
        (Some(terms), None) => reader.terms(terms.value, &TERM),
        (Some(_), Some(_)) => Err(root.error("`terms` together with the fields of a single term")),
        (None, _) => {
            let term = Record {
                name: "an expression",
                mapping: &TERM,
            };
            Ok(vec![reader.fields(root, term)?])
        }
    }
}
