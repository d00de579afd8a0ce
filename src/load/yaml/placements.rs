//! Reads the keys `placements` and `weights`: named patterns, and named weights of tiles, for the
//! constraints of the same file.

use std::collections::HashMap;

use super::fields::{Named, Reader};
use super::tree::{Entry, Node, Result};
use crate::problem::constraints::{PATTERN, PLACEMENTS, Scene};

/// The key of the named placements in a file.
pub(super) const KEY: &str = "placements";

/// The help of errors about the mapping of names.
const EXAMPLE: &str =
    "names with placements such as `placements: {home: {tile: 5, cells: corners}}`";

/// The longest chain of names that use each other.
const DEEPEST: usize = 64;

/// The key of the named weights in a file.
pub(super) const WEIGHTS: &str = "weights";

/// The help of errors about the mapping of names to weights.
const WEIGHTS_EXAMPLE: &str = "names with weights such as `weights: {points: {1: 5, 2: 3}}`";

/// Reads the named placements and weights of a file, if it has the keys.
pub(super) fn read(root: &Node, scene: Scene<'_>) -> Result<Named> {
    let mut named = read_placements(root, scene)?;
    if let Some(node) = root.value(WEIGHTS) {
        for Entry { name, key, value } in node.entries(WEIGHTS_EXAMPLE)? {
            if matches!(name, "number" | "rotation") || scene.side(name).is_ok() {
                return Err(key.error(format!("`{name}` is already the name of a value")));
            }
            let reader = Reader { scene, named: &Named::default() };
            let weights = (reader.tile_weights(value)?, reader.written(value));
            named.weights.insert(name.to_owned(), weights);
        }
    }
    Ok(named)
}

fn read_placements(root: &Node, scene: Scene<'_>) -> Result<Named> {
    let mut named = Named::default();
    let entries = root.read(KEY, |node| node.entries(EXAMPLE))?.unwrap_or_default();
    let all = entries.iter().map(|entry| (entry.name, entry)).collect();
    for entry in &entries {
        resolve(entry, &all, &mut Vec::new(), scene, &mut named)?;
    }
    Ok(named)
}

/// Reads a named pattern after those that it uses; reports cycles. `open` are the names being read,
/// each of which is used by the one before it.
fn resolve<'e>(
    entry: &Entry<'e>,
    all: &HashMap<&str, &Entry<'e>>,
    open: &mut Vec<&'e str>,
    scene: Scene<'_>,
    named: &mut Named,
) -> Result<()> {
    let name = entry.name;
    if named.placements.contains_key(name) {
        return Ok(());
    }
    if let Some(first) = open.iter().position(|open| *open == name) {
        let circle = open[first..].iter().chain([&name]);
        let circle = itertools::join(circle.map(|name| format!("`{name}`")), " uses ");
        return Err(entry.key.error(format!("placements in a circle: {circle}")));
    }
    if open.len() == DEEPEST {
        let message = format!("placements use one another more than {DEEPEST} deep");
        return Err(entry.key.error(message));
    }
    open.push(name);
    let parts = entry.value.entries("").unwrap_or_default();
    let uses = parts.iter().filter(|part| PLACEMENTS.has_key(part.name));
    for used in uses.flat_map(|part| part.value.each()).filter_map(Node::scalar) {
        if let Some(used) = all.get(used.1) {
            resolve(used, all, open, scene, named)?;
        }
    }
    open.pop();
    let reader = Reader { scene, named };
    let pattern = reader.fields(entry.value, "placements", &PATTERN)?;
    let source = reader.source(entry.value);
    named.placements.insert(name.to_owned(), (pattern, source));
    Ok(())
}
