//! Reads the fields of constraints according to their declarations.
//!
//! [`expected`] and [`Reader::value`] have all that differs among the types of fields. A constraint
//! is written back in the form in which it was read.

use std::collections::HashMap;

use itertools::Itertools;
use serde_json::{Value, json};

use super::number::{whole, whole_number};
use super::tree::{Entry, Node, NodeKind, Result, Scalar, did_you_mean};
use super::{advice, arithmetic};
use crate::problem::constraints::{
    Field, FieldType, FieldValue, Fields, Mapping, NO_TERMS, OF, PATTERN, PLACEMENTS, Scene,
};
use crate::puzzle::{DocValue, Face, Label};

/// The expected form in errors about an expression.
pub(super) const TERMS_EXAMPLE: &str = "a list of terms such as [{weight: 2, tile: 5}]";

/// What a file defines for its constraints, each under a name.
#[derive(Default)]
pub(super) struct Named {
    /// Placements: their fields, and the entries of the mapping that defines them.
    pub placements: HashMap<String, (Fields, Vec<(String, DocValue)>)>,
    /// The weight of each tile, and the mapping that defines them.
    pub weights: HashMap<String, (Vec<i64>, DocValue)>,
}

impl Named {
    /// Returns true if placements or weights have this name.
    pub fn has(&self, name: &str) -> bool {
        self.placements.contains_key(name) || self.weights.contains_key(name)
    }
}

/// Reads fields and resolves their names in a scene.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub scene: Scene<'a>,
    pub named: &'a Named,
}

impl<'a> Reader<'a> {
    /// Reads a mapping of fields; `name` names the mapping in errors.
    pub fn fields(self, node: &Node, name: &str, mapping: &Mapping) -> Result<Fields> {
        let keys = mapping.fields.iter().map(|field| field.key).join(", ");
        let mut entries = node.entries(&format!("a mapping with the fields of {name} ({keys})"))?;
        let is_named = |entry: &Entry<'_>| PLACEMENTS.has_key(entry.name);
        // Named placements may not repeat any other field.
        entries.sort_by_key(is_named);
        let mut fields = Fields::default();
        for entry in entries {
            let Entry { name: own, key, value } = entry;
            let Some(field) = mapping.field(own) else {
                let error = key.error(format!("{name} has no field `{own}`"));
                let all = || format!("its fields are {}", mapping.keys().join(", "));
                return Err(error.with_help(advice::on_field(own, mapping).unwrap_or_else(all)));
            };
            if is_named(&entry) {
                let words = &field_words(field);
                for (name, part) in many(value, words, |node| self.placements(node))? {
                    fields = value.check(joined(fields, name, part))?;
                }
            } else if fields.has(field) {
                let message = format!("`{own}` together with another key of the same field");
                return Err(key.error(message));
            } else {
                fields = fields.with(field.key, self.value(value, field)?);
            }
        }
        match fields.missing(mapping) {
            Some(missing) => Err(node.error(missing)),
            None => Ok(fields),
        }
    }

    /// Reads the terms of an expression.
    pub fn terms(self, node: &Node, mapping: &Mapping) -> Result<Vec<Fields>> {
        let items = node.list(TERMS_EXAMPLE)?;
        if items.is_empty() {
            return Err(node.error(NO_TERMS));
        }
        self.repeated(items, |item| self.fields(item, "a term", mapping))
    }

    /// Reads the value of a field.
    pub fn value(self, node: &Node, field: Field) -> Result<FieldValue> {
        let words = &field_words(field);
        Ok(match field.field_type {
            FieldType::Cells => FieldValue::Cells(self.cells(node)?),
            FieldType::Tiles => {
                FieldValue::Tiles(many(node, words, |node| self.tiles(node))?.concat())
            }
            FieldType::Rotations => {
                let rotations = many(node, words, |node| self.rotations(node))?.concat();
                FieldValue::Rotations(rotations.into_iter().sorted_unstable().dedup().collect())
            }
            FieldType::Face => FieldValue::Face(node.check(self.scene.face(node.name(words)?))?),
            FieldType::Shows => FieldValue::Shows(self.shows(node, words)?),
            FieldType::Sides => {
                let sides = many(node, words, |node| self.side_or_any(node))?;
                let wrong = |sides: Vec<_>| format!("found {}, expected {words}", sides.len());
                FieldValue::Sides(node.check(sides.try_into().map_err(wrong))?)
            }
            FieldType::Image => {
                FieldValue::Image(node.check(self.scene.labels(node.text(words)?))?)
            }
            FieldType::Truth => FieldValue::Truth(node.truth(words)?),
            FieldType::Word(known) => {
                let known = known.iter().map(|&word| (word, word)).collect_vec();
                FieldValue::Word(node.word(field.key, &known)?)
            }
            FieldType::Number(range) => FieldValue::Number(whole(node, &range)?),
            FieldType::Terms(term) => FieldValue::Terms(self.terms(node, term)?),
            FieldType::Placements => {
                return Err(node.error("named placements may only be used inside a pattern"));
            }
            FieldType::CellValue => FieldValue::CellValue(self.cell_value(node)?),
            FieldType::Lines => {
                let lines = node.list(words)?.iter().map(|line| self.line(line));
                FieldValue::Lines(lines.collect::<Result<_>>()?)
            }
            FieldType::Constraint => {
                let single = self.single(node).map_err(|error| match node.items() {
                    Some(_) => error.with_help("`all: […]` joins several"),
                    None => error,
                });
                FieldValue::Constraints(vec![single?])
            }
            FieldType::Constraints => {
                let items = node.list(words)?;
                if items.is_empty() {
                    return Err(node.error("an empty list, expected constraints"));
                }
                FieldValue::Constraints(self.repeated(items, |item| self.constraint(item))?)
            }
        })
    }

    /// The placements with a given name.
    fn placements<'n>(self, node: &'n Node) -> Result<(&'n str, &'a Fields)> {
        let name = node.name("the name of placements")?;
        let placements = &self.named.placements;
        placements.get(name).map(|(fields, _)| (name, fields)).ok_or_else(|| {
            let error = node.error(format!("there are no placements `{name}`"));
            let help = did_you_mean(name, placements.keys().map(String::as_str));
            error.with_help(help.unwrap_or_else(|| {
                "they have their names under the key `placements` of the same file".to_owned()
            }))
        })
    }

    /// The source of a mapping for writing it back, with named placements and weights expanded.
    pub fn source(self, mapping: &Node) -> Vec<(String, DocValue)> {
        let entry = |Entry { name, value, .. }: Entry<'_>| {
            if name == OF.key
                && let Some((_, weights)) = self.weights(value)
            {
                return vec![(name.to_owned(), weights.clone())];
            }
            if !PLACEMENTS.has_key(name) {
                return vec![(name.to_owned(), self.written(value))];
            }
            let named = &self.named.placements;
            let parts = value.each().iter().filter_map(|name| named.get(name.scalar()?.1));
            parts.flat_map(|(_, source)| source.clone()).collect()
        };
        mapping.entries("").unwrap_or_default().into_iter().flat_map(entry).collect()
    }

    /// The weights that a node names; `None` if it names none.
    pub fn weights(self, node: &Node) -> Option<&'a (Vec<i64>, DocValue)> {
        self.named.weights.get(node.scalar()?.1)
    }

    /// The content of a node as it can be written back: the names of placements are replaced by
    /// their fields.
    pub fn written(self, node: &Node) -> DocValue {
        match &node.kind {
            NodeKind::Scalar(text, Scalar::Text) => DocValue::text(text),
            // It was written without quotes. As a name it would be written with quotes.
            NodeKind::Scalar(text, _) => DocValue::Plain(text.clone()),
            NodeKind::List(items) => DocValue::list(items.iter().map(|item| self.written(item))),
            NodeKind::Map(_) | NodeKind::Tagged => DocValue::Map(self.source(node)),
        }
    }

    /// Reads the name of a tile, or a range of names such as `1..4`; returns indices.
    pub fn tiles(self, node: &Node) -> Result<Vec<usize>> {
        let name = node.name("the name of a tile")?;
        match arithmetic::range(name).filter(|_| self.scene.tile(name).is_err()) {
            Some(range) => {
                range.map(|number| node.check(self.scene.tile(&number.to_string()))).collect()
            }
            None => Ok(vec![node.check(self.scene.tile(name))?]),
        }
    }

    /// Reads a rotation, or a range such as `1..3`. Some tile must have these rotations.
    fn rotations(self, node: &Node) -> Result<Vec<usize>> {
        let text = node.name("a rotation")?;
        if let Some(range) = arithmetic::range(text) {
            return range.map(|number| node.check(self.scene.rotation(number))).collect();
        }
        let number = match node.scalar() {
            Some((Scalar::Text, text)) => text.parse().ok(),
            _ => whole_number(node),
        };
        let Some(number) = number else {
            return Err(node.error(format!(
                "`{text}` is not a rotation: expected steps counter-clockwise, such as 1"
            )));
        };
        Ok(vec![node.check(self.scene.rotation(number))?])
    }

    /// Reads the name or number of a side.
    pub fn side(self, node: &Node) -> Result<usize> {
        node.check(self.scene.side(node.name("a side")?))
    }

    /// Reads the name or number of a side; `None` for `any`.
    fn side_or_any(self, node: &Node) -> Result<Option<usize>> {
        match node.name("a side")? {
            "any" => Ok(None),
            _ => self.side(node).map(Some),
        }
    }

    /// Reads a mapping such as `{top: red+, left: blue}`.
    fn shows(self, node: &Node, expected: &str) -> Result<Vec<(usize, Vec<Label>)>> {
        let entries = node.entries(expected)?;
        if entries.is_empty() {
            return Err(node.error("`shows` without a side"));
        }
        let mut shows = Vec::new();
        for entry in entries {
            let side = self.side(entry.key)?;
            if shows.iter().any(|(other, _)| *other == side) {
                let message = format!("side `{}` appears a second time", entry.name);
                return Err(entry.key.error(message));
            }
            let labels = self.scene.labels(entry.value.text("an edge such as `red+`")?);
            shows.push((side, entry.value.check(labels)?));
        }
        Ok(shows)
    }
}

/// Adds the fields of named placements to the fields; a field given twice is an error.
fn joined(mut fields: Fields, name: &str, part: &Fields) -> Result<Fields, String> {
    for (key, value) in part.entries() {
        let has_it = PATTERN.field(key).is_some_and(|field| fields.has(field));
        if has_it {
            return Err(format!("`{key}` stands in placements `{name}`, too"));
        }
        fields = fields.with(key, value.clone());
    }
    Ok(fields)
}

/// Reads one item or a non-empty list of items; `words` describes what is expected.
fn many<'n, T>(
    node: &'n Node,
    words: &str,
    read: impl Fn(&'n Node) -> Result<T>,
) -> Result<Vec<T>> {
    match node.items() {
        Some([]) => Err(node.error(format!("an empty list, expected {words}"))),
        None if node.is_map() || node.is_nothing() => Err(node.unexpected(words)),
        _ => node.each().iter().map(read).collect(),
    }
}

/// A description of the value that a field expects, for errors and the documentation.
pub fn field_words(field: Field) -> String {
    expected(field).0
}

/// The value that a field expects: in words, and as a JSON Schema.
pub(super) fn expected(field: Field) -> (String, Value) {
    let (words, schema) = match field.field_type {
        FieldType::Cells => ("a cell, a part of the board, or a list of them", defined("cells")),
        FieldType::Tiles => ("the name of a tile, or a list of names", defined("names")),
        FieldType::Rotations => ("a rotation, or a list of them", defined("rotations")),
        FieldType::Face => ("`front` or `back`", json!({"enum": Face::ALL.map(Face::name)})),
        FieldType::Shows => {
            ("sides with the edges that they show, such as `{top: red+}`", defined("shows"))
        }
        FieldType::Sides => ("two sides, each of which may be `any`", defined("sides")),
        FieldType::Image => ("an image, or one half of it", defined("edge")),
        FieldType::Truth => ("`true` or `false`", defined("truth")),
        FieldType::Word(words) => {
            let listed = words.iter().map(|word| format!("`{word}`")).join(" or ");
            return (listed, json!({"enum": words}));
        }
        FieldType::Number(range) => {
            let [least, most] = [-range.largest, range.largest];
            let number =
                json!({"type": "number", "multipleOf": 1, "minimum": least, "maximum": most});
            ("a whole number", json!({"anyOf": [number, defined("expression")]}))
        }
        FieldType::Terms(_) => ("a list of patterns, each with its `weight`", defined("terms")),
        FieldType::Placements => ("the name of a placement, or a list of names", defined("names")),
        FieldType::CellValue => {
            ("`number`, `rotation`, a side, or the weights of tiles", defined("value"))
        }
        FieldType::Lines => (
            "a list of lines of cells, such as `[row 1, row 2]`",
            json!({"type": "array", "items": defined("cells"), "minItems": 2}),
        ),
        FieldType::Constraint => ("a constraint", defined("constraint")),
        FieldType::Constraints => ("a list of constraints", defined("parts")),
    };
    (words.to_owned(), schema)
}

/// A JSON Schema `$ref` to the schema's definition with this name.
pub(super) fn defined(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}
