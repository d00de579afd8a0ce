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
    let Some(node) = root.value(KEY) else {
        return Ok(Named::default());
    };
    let entries = node.entries(EXAMPLE)?;
    let mut names = Names {
        scene,
        entries: entries.iter().map(|entry| (entry.name, entry)).collect(),
        known: Named::default(),
        open: Vec::new(),
    };
    for entry in &entries {
        names.resolve(entry)?;
    }
    Ok(names.known)
}

struct Names<'e> {
    scene: Scene<'e>,
    entries: HashMap<&'e str, &'e Entry<'e>>,
    known: Named,
    /// The stack of names being read; each is used by the one before it.
    open: Vec<&'e str>,
}

impl<'e> Names<'e> {
    /// Reads a named pattern after those that it uses; reports cycles.
    fn resolve(&mut self, entry: &'e Entry<'e>) -> Result<()> {
        let name = entry.name;
        if self.known.placements.contains_key(name) {
            return Ok(());
        }
        if let Some(first) = self.open.iter().position(|open| *open == name) {
            let circle = self.open[first..].iter().chain([&name]);
            let circle = itertools::join(circle.map(|name| format!("`{name}`")), " uses ");
            return Err(entry.key.error(format!("placements in a circle: {circle}")));
        }
        if self.open.len() == DEEPEST {
            let message = format!("placements use one another more than {DEEPEST} deep");
            return Err(entry.key.error(message));
        }
        self.open.push(name);
        let uses: Vec<&'e Entry<'e>> =
            used(entry.value).iter().filter_map(|name| self.entries.get(name).copied()).collect();
        for used in uses {
            self.resolve(used)?;
        }
        self.open.pop();
        let reader = Reader { scene: self.scene, named: &self.known };
        let fields = reader.fields(entry.value, "placements", &PATTERN)?;
        let source = reader.source(entry.value);
        self.known.placements.insert(name.to_owned(), (fields, source));
        Ok(())
    }
}

/// The names that a pattern uses.
fn used(pattern: &Node) -> Vec<&str> {
    let entries = pattern.entries("").unwrap_or_default();
    let uses = entries.iter().filter(|e| PLACEMENTS.has_key(e.name));
    let names = uses.flat_map(|entry| entry.value.each());
    names.filter_map(|node| node.scalar().map(|(_, text)| text)).collect()
}
