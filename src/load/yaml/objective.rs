//! Reads the key `objective`: one objective, or a list of them, the most important first.

use std::slice;

use super::fields::{Named, Reader, TERMS_EXAMPLE};
use super::tree::{Entry, Node, Result};
use crate::problem::constraints::{Expression, Fields, Scene, TERM, TERMS};
use crate::problem::{Objective, Objectives};

/// The key in a file.
pub(super) const KEY: &str = "objective";

/// The help of errors about an objective.
const EXAMPLE: &str = "`maximize` or `minimize` with terms, such as `objective: {maximize: [{weight: 2, tile: 5, \
                       cells: corners}]}`, or `{minimize: cost}` for the weight of the violated soft constraints";

/// The word for the weight of the violated soft constraints.
const COST: &str = "cost";

/// Reads the objectives under the key; none if it is missing.
pub(super) fn read_if_present(root: &Node, reader: Reader<'_>) -> Result<Objectives> {
    let read = root.read(KEY, |node| {
        if node.each().is_empty() {
            return Err(node.error("no objectives").with_help(EXAMPLE));
        }
        let list = node.each().iter().map(|item| objective(item, reader)).collect::<Result<_>>()?;
        Ok(Objectives { list, source: Some(reader.written(node)) })
    });
    Ok(read?.unwrap_or_default())
}

/// Reads one objective.
fn objective(node: &Node, reader: Reader<'_>) -> Result<Objective> {
    let entries = node.entries("an objective").map_err(|error| error.with_help(EXAMPLE))?;
    let [Entry { name, key, value }] = entries[..] else {
        return Err(node.error("expected one key").with_help(EXAMPLE));
    };
    let is_cost = value.scalar().is_some_and(|(_, text)| text == COST);
    match name {
        "minimize" if is_cost => Ok(Objective::Cost),
        "maximize" if is_cost => Err(value.error("`cost` can only be minimised")),
        "maximize" => Ok(Objective::Largest(expression(value, reader)?)),
        "minimize" => Ok(Objective::Smallest(expression(value, reader)?)),
        _ => {
            let keys = ["maximize", "minimize"].into_iter();
            let error = key.error(format!("unknown objective `{name}`"));
            Err(error.with_known(name, keys, "the objectives are"))
        }
    }
}

/// Reads an expression that is a text of its own.
pub(super) fn read_alone(root: &Node, scene: Scene<'_>) -> Result<Expression> {
    expression(root, Reader { scene, named: &Named::default() })
}

/// Reads an expression: a list of terms, a list under the key `terms`, or a single term.
fn expression(node: &Node, reader: Reader<'_>) -> Result<Expression> {
    let terms = terms(node, reader)?;
    node.check(Expression::new(&reader.scene, &terms))
}

fn terms(node: &Node, reader: Reader<'_>) -> Result<Vec<Fields>> {
    if node.items().is_some() {
        return reader.terms(node, &TERM);
    }
    let entries = node.entries(TERMS_EXAMPLE)?;
    match (node.value(TERMS.key), entries.len()) {
        (Some(terms), 1) => reader.terms(terms, &TERM),
        (Some(_), _) => Err(node.error("`terms` together with the fields of a single term")),
        (None, _) => {
            reader.repeated(slice::from_ref(node), |term| reader.fields(term, "a term", &TERM))
        }
    }
}
