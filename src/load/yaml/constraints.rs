//! Reads the key `constraints`: each item is a kind with its fields, resolved on the board and in
//! the puzzle.

use std::sync::Arc;
use std::{iter, slice};

use super::advice::{self, FOR, NAME, SOFT};
use super::fields::{Named, Reader};
use super::number::whole;
use super::tree::{Entry, Node, Result};
use super::{objective, placements};
use crate::problem::constraints::{
    ConstraintKind, Field, FieldType, Fields, KINDS, Range, Scene, all_of, check_total, second_pin,
    soft,
};
use crate::problem::{Constraint, Listed, Objectives, Repeated};
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
        return Err(error.with_known(other.name, keys.into_iter(), "its keys are"));
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
    if item.value(FOR).is_none() {
        return copies;
    }
    let item = DocValue::Map(reader.source(item));
    let repeated = Arc::new(Repeated { item, copies: copies.len() });
    let note = |copy: Listed| Listed { repeated: Some(Arc::clone(&repeated)), ..copy };
    copies.into_iter().map(note).collect()
}

impl Reader<'_> {
    /// Reads a constraint and keeps its name, and its source for writing it back.
    pub fn listed(self, node: &Node) -> Result<Listed> {
        if node.is_map() {
            node.entries("")?;
        }
        let source = Some(DocValue::Map(self.source(node)));
        let name = node.read(NAME, |node| node.name("a name").map(str::to_owned))?;
        let weight = node.read(SOFT, weight_of_soft)?;
        if name.is_none() && weight.is_none() {
            return Ok(Listed { source, ..Listed::from(self.constraint(node)?) });
        }
        let constraint = self.constraint(&node.without(&[NAME, SOFT]))?;
        let Some(weight) = weight else {
            return Ok(Listed { name, source, ..Listed::from(constraint) });
        };
        Ok(Listed { name, source, ..node.check(soft(constraint, weight))? })
    }

    /// Reads a constraint outside of a list. With the key `for`, it is the conjunction of its
    /// copies.
    pub fn single(self, node: &Node) -> Result<Arc<dyn Constraint>> {
        if node.value(FOR).is_none() {
            return self.constraint(node);
        }
        let parts = self.repeated(slice::from_ref(node), |node| self.constraint(node))?;
        node.check(all_of(&parts))
    }

    /// Reads a constraint: a mapping with one key, its kind, whose value has the fields or is a
    /// short form of them. The fields of a kind such as `if` are further keys of the same mapping.
    pub fn constraint(self, node: &Node) -> Result<Arc<dyn Constraint>> {
        let entries = node.entries("a constraint such as `pin: {cell: [1, 1], tile: 5}`")?;
        let Some(entry) = entries.first() else {
            return Err(node.error("a constraint without a kind, such as `pin`"));
        };
        if let Some(key) = node.key(NAME).or(node.key(SOFT)) {
            let message = "only the items of the list `constraints` have names or are soft";
            return Err(key.error(message));
        }
        let mut kinds = entries.iter().filter_map(|entry| ConstraintKind::named(entry.name));
        let (kind, behind) = match kinds.find(|kind| kind.is_spread()) {
            Some(kind) => (kind, node),
            None => (kind_of(entry)?, entry.value),
        };
        if let Some(other) = entries.get(1).filter(|_| !kind.is_spread()) {
            let error = other.key.error(format!("`{}` beside `{}`", other.name, kind.name));
            let advice = match ConstraintKind::named(other.name) {
                Some(_) => None,
                None => advice::on_item_key(other.name),
            };
            let apart = || "write each constraint as a separate item of the list".to_owned();
            return Err(error.with_help(advice.unwrap_or_else(apart)));
        }
        let fields = match kind.shorthand {
            Some(field) if !behind.is_map() || is_constraint(behind, field) => {
                Fields::default().with(field.key, self.value(behind, field)?)
            }
            _ => self.fields(behind, &format!("`{}`", kind.name), &kind.takes)?,
        };
        behind.check(kind.make(&self.scene, &fields))
    }
}

/// Returns true if the mapping is a constraint given as shorthand, not a mapping of fields.
fn is_constraint(node: &Node, field: Field) -> bool {
    let mut keys = field.keys();
    matches!(field.field_type, FieldType::Constraint) && keys.all(|key| node.key(key).is_none())
}

/// The kind of constraint that an entry names.
fn kind_of(entry: &Entry<'_>) -> Result<&'static ConstraintKind> {
    let kinds = KINDS.iter().map(|kind| (kind.name, *kind));
    let known = entry.key.choice("constraint", kinds, "the constraints are");
    known.map_err(|error| match advice::on_item_key(entry.name) {
        Some(help) => error.with_help(help),
        None => error,
    })
}

/// Reads the weight of a soft constraint: a positive number.
fn weight_of_soft(node: &Node) -> Result<u32> {
    const WEIGHT: Range = Range { what: "a weight", largest: 1_000_000_000, scales: false };
    let weight = whole(node, &WEIGHT)?;
    let positive = u32::try_from(weight).ok().filter(|&weight| weight > 0);
    positive.ok_or_else(|| node.error(format!("`soft: {weight}`: expected a cost of 1 or more")))
}
