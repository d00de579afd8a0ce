//! Reads the fields of constraints according to their declarations.
//!
//! A field's type determines the accepted values, the error messages and the JSON Schema, so that
//! all three agree. A constraint is written back in the form in which it was read.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use itertools::Itertools;

use super::number::{whole, whole_number};
use super::tree::{Entry, Node, NodeKind, ReadError, Result, Scalar, did_you_mean};
use crate::problem::constraints::{
    ConstraintKind, Field, FieldType, FieldValue, Fields, KINDS, Mapping, NO_TERMS, PATTERN,
    PLACEMENTS, Range, Scene, WrittenCells,
};
use crate::problem::{Constraint, Listed};
use crate::puzzle::{DocValue, Label};

/// The expected form in errors about an expression.
pub(super) const TERMS_EXAMPLE: &str = "a list of terms such as [{weight: 2, tile: 5}]";

/// The declaration of a mapping, and its name in errors.
#[derive(Clone, Copy)]
pub(super) struct Record<'m> {
    pub name: &'m str,
    pub mapping: &'m Mapping,
}

impl Record<'_> {
    /// The expected content, for an error at a node that is not a mapping.
    fn expected(&self) -> String {
        let keys = self.mapping.fields.iter().map(|field| field.key);
        let keys = itertools::join(keys, ", ");
        format!("a mapping with the fields of {} ({keys})", self.name)
    }
}

/// Named placements: for each name the fields, and the entries of the mapping that defines them.
pub(super) type Named = HashMap<String, (Fields, Vec<(String, DocValue)>)>;

/// Reads fields and resolves their names in a scene.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub scene: Scene<'a>,
    pub named: &'a Named,
}

impl<'a> Reader<'a> {
    /// Reads a mapping of fields.
    pub fn fields(self, node: &Node, record: Record<'_>) -> Result<Fields> {
        let entries = node.entries(&record.expected())?;
        let mut fields = Fields::default();
        let (named, own): (Vec<_>, Vec<_>) =
            entries.into_iter().partition(|entry| PLACEMENTS.has_key(entry.name));
        for entry in own {
            let field = record
                .mapping
                .field(entry.name)
                .ok_or_else(|| unknown_field(entry.key, entry.name, record))?;
            if fields.has(field) {
                let message =
                    format!("`{}` together with another key of the same field", entry.name);
                return Err(entry.key.error(message));
            }
            fields = fields.with(field.key, self.value(entry.value, field)?);
        }
        for entry in named {
            let field = record.mapping.field(entry.name);
            let field = field.ok_or_else(|| unknown_field(entry.key, entry.name, record))?;
            for (name, part) in many(entry.value, field, |node| self.placements(node))? {
                fields = joined(fields, name, part).map_err(|e| entry.value.error(e))?;
            }
        }
        match fields.missing(record.mapping) {
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
        let term = Record { name: "a term", mapping };
        items.iter().map(|item| self.fields(item, term)).collect()
    }

    /// Reads the value of a field.
    pub fn value(self, node: &Node, field: Field) -> Result<FieldValue> {
        let scene = self.scene;
        let at = |message: String| node.error(message);
        Ok(match field.field_type {
            FieldType::Cells => FieldValue::Cells(self.cells(node)?),
            FieldType::Tiles => FieldValue::Tiles(many(node, field, |node| self.tile(node))?),
            FieldType::Rotations => {
                let rotations = many(node, field, |node| self.rotation(node))?;
                FieldValue::Rotations(rotations.into_iter().sorted_unstable().dedup().collect())
            }
            FieldType::Face => {
                node.text("`front` or `back`")?;
                FieldValue::Face(scene.face(node.name("a face")?).map_err(at)?)
            }
            FieldType::Shows => FieldValue::Shows(self.shows(node)?),
            FieldType::Sides => {
                let sides = many(node, field, |node| self.side_or_any(node))?;
                let two = <[_; 2]>::try_from(sides).map_err(|sides| {
                    let number = sides.len();
                    let expected = field.field_type.in_words();
                    at(format!("found {number}, expected {expected}"))
                });
                FieldValue::Sides(two?)
            }
            FieldType::Image => {
                let image = node.text("an image, or one half of it")?;
                FieldValue::Image(scene.labels(image).map_err(at)?)
            }
            FieldType::Truth => FieldValue::Truth(truth(node)?),
            FieldType::Word(words) => {
                let words: Vec<_> = words.iter().map(|&word| (word, word)).collect();
                FieldValue::Word(node.word(field.key, &words)?)
            }
            FieldType::Number(range) => FieldValue::Number(whole(node, &range)?),
            FieldType::Terms(mapping) => FieldValue::Terms(self.terms(node, mapping)?),
            FieldType::Placements => return Err(at("a name stands in a pattern alone".into())),
            FieldType::Constraint => FieldValue::Constraints(vec![self.constraint(node)?]),
            FieldType::Constraints => {
                let items = node.list(&field.field_type.in_words())?;
                if items.is_empty() {
                    return Err(at("an empty list, expected constraints".into()));
                }
                let all = items.iter().map(|item| self.constraint(item));
                FieldValue::Constraints(all.collect::<Result<_, _>>()?)
            }
        })
    }

    /// The placements with a given name.
    fn placements<'n>(self, node: &'n Node) -> Result<(&'n str, &'a Fields)> {
        let name = node.name("the name of placements")?;
        self.named.get(name).map(|(fields, _)| (name, fields)).ok_or_else(|| {
            let error = node.error(format!("there are no placements `{name}`"));
            let help = did_you_mean(name, self.named.keys().map(String::as_str));
            error.with_help(help.unwrap_or_else(|| {
                "they have their names under the key `placements` of the same file".to_owned()
            }))
        })
    }

    /// The source of a mapping for writing it back, with named placements expanded.
    pub fn source(self, mapping: &Node) -> Vec<(String, DocValue)> {
        let entry = |Entry { name, value, .. }: Entry<'_>| {
            if !PLACEMENTS.has_key(name) {
                return vec![(name.to_owned(), self.written(value))];
            }
            let parts = value.each().iter().filter_map(|name| self.named.get(name.scalar()?.1));
            parts.flat_map(|(_, source)| source.clone()).collect()
        };
        mapping.entries("").unwrap_or_default().into_iter().flat_map(entry).collect()
    }

    fn written(self, node: &Node) -> DocValue {
        match &node.kind {
            NodeKind::Scalar(text, Scalar::Text) => DocValue::text(text),
            // It was written without quotes. As a name it would be written with quotes.
            NodeKind::Scalar(text, _) => DocValue::Plain(text.clone()),
            NodeKind::List(items) => DocValue::list(items.iter().map(|item| self.written(item))),
            NodeKind::Map(_) | NodeKind::Tagged => DocValue::Map(self.source(node)),
        }
    }

    /// Reads a constraint and keeps its source for writing it back.
    pub fn listed(self, node: &Node) -> Result<Listed> {
        let source = Some(DocValue::Map(self.source(node)));
        Ok(Listed { constraint: self.constraint(node)?, source })
    }

    /// Reads a constraint: its kind as the key, its fields as the value.
    fn constraint(self, node: &Node) -> Result<Arc<dyn Constraint>> {
        let entries = node.entries("a constraint such as `pin: {cell: [1, 1], tile: 5}`")?;
        let Some(entry) = entries.first() else {
            return Err(node.error("a constraint without a name"));
        };
        let spread = || {
            let mut kinds = entries.iter().filter_map(|entry| ConstraintKind::named(entry.name));
            kinds.find(|kind| kind.is_spread())
        };
        let (kind, behind) = match spread() {
            Some(kind) => (kind, node),
            None => (kind_named(entry.key, entry.name)?, entry.value),
        };
        if let Some(other) = entries.get(1).filter(|_| !kind.is_spread()) {
            let error = other.key.error(format!("`{}` beside `{}`", other.name, kind.name));
            return Err(error.with_help("each constraint is an item of the list of its own"));
        }
        let record = Record { name: &format!("`{}`", kind.name), mapping: &kind.takes };
        let fields = match kind.shorthand {
            Some(field) if !behind.is_map() || is_constraint(behind, field) => {
                Fields::default().with(field.key, self.value(behind, field)?)
            }
            _ => self.fields(behind, record)?,
        };
        kind.make(&self.scene, &fields).map_err(|message| behind.error(message))
    }

    fn tile(self, node: &Node) -> Result<usize> {
        self.scene.tile(node.name("the name of a tile")?).map_err(|message| node.error(message))
    }

    fn rotation(self, node: &Node) -> Result<usize> {
        let text = node.name("a rotation")?;
        let number = match node.scalar() {
            Some((Scalar::Text, text)) => text.parse().ok(),
            _ => whole_number(node),
        };
        let rotation = match number {
            Some(number) => self.scene.rotation(number),
            None => Err(format!(
                "`{text}` is not a rotation: expected steps counter-clockwise, such as 1"
            )),
        };
        rotation.map_err(|message| node.error(message))
    }

    fn side(self, node: &Node) -> Result<usize> {
        self.scene.side(node.name("a side")?).map_err(|message| node.error(message))
    }

    fn side_or_any(self, node: &Node) -> Result<Option<usize>> {
        match node.name("a side")? {
            "any" => Ok(None),
            _ => self.side(node).map(Some),
        }
    }

    /// Reads a mapping such as `{top: red+, left: blue}`.
    fn shows(self, node: &Node) -> Result<Vec<(usize, Vec<Label>)>> {
        let entries = node.entries("sides with what they show, such as {top: red+}")?;
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
            let edge = entry.value.text("an edge such as `red+`")?;
            let labels = self.scene.labels(edge);
            shows.push((side, labels.map_err(|message| entry.value.error(message))?));
        }
        Ok(shows)
    }

    /// Reads `[1, 1]`, `corners`, `row 2`, `{row: 2}`, or a list of these.
    fn cells(self, node: &Node) -> Result<Vec<usize>> {
        const EXPECTED: &str =
            "a cell such as [1, 1], a part of the board such as `corners`, or a list of them";
        let find =
            |cells: &WrittenCells| self.scene.cells(cells).map_err(|message| node.error(message));
        // On boards without rows and columns, names of cells may be numbers.
        let has_names = self.scene.board.squares().is_none();
        if let Some(items) = node.items() {
            let numbers = items.iter().filter(|_| !has_names).filter_map(whole_number);
            return match (&numbers.collect::<Vec<i64>>()[..], items.len()) {
                (&[row, column], 2) => find(&WrittenCells::At(row, column)),
                ([], 1..) => {
                    let cells = items.iter().map(|item| self.cells(item));
                    let cells: BTreeSet<usize> = cells.flatten_ok().collect::<Result<_>>()?;
                    Ok(cells.into_iter().collect())
                }
                _ => Err(node.error("expected a cell as [row, column], or a list of cells")),
            };
        }
        if node.is_map() {
            return find(&line(node, EXPECTED)?);
        }
        match node.scalar() {
            Some((Scalar::Nothing, _)) | None => Err(node.unexpected(EXPECTED)),
            Some((scalar, _)) if scalar != Scalar::Text && !has_names => {
                Err(node.unexpected(EXPECTED))
            }
            Some(_) => find(&WrittenCells::Named(node.name("a name")?.to_owned())),
        }
    }
}

/// Reads `{row: 2}` or `{column: 2}`.
fn line(node: &Node, expected: &str) -> Result<WrittenCells> {
    const NUMBER: Range =
        Range { what: "a row or a column", largest: 1_000_000_000_000_000, scales: false };
    match node.entries(expected)?[..] {
        [Entry { name: "row", value, .. }] => Ok(WrittenCells::Row(whole(value, &NUMBER)?)),
        [Entry { name: "column", value, .. }] => Ok(WrittenCells::Column(whole(value, &NUMBER)?)),
        [Entry { name, key, .. }] => {
            Err(key.error(format!("`{name}`, expected `row` or `column`")))
        }
        _ => Err(node.error("expected a cell, `{row: 1}` or `{column: 1}`")),
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

/// Returns true if the mapping is a constraint given as shorthand, not a mapping of fields.
fn is_constraint(node: &Node, field: Field) -> bool {
    let has_key =
        || node.entries("").unwrap_or_default().iter().any(|entry| field.has_key(entry.name));
    matches!(field.field_type, FieldType::Constraint) && !has_key()
}

fn kind_named(node: &Node, name: &str) -> Result<&'static ConstraintKind> {
    ConstraintKind::named(name).ok_or_else(|| {
        let known = KINDS.iter().map(|kind| kind.name);
        let error = node.error(format!("unknown constraint `{name}`"));
        error.with_known(name, known, "the constraints are")
    })
}

fn unknown_field(node: &Node, key: &str, record: Record<'_>) -> ReadError {
    let error = node.error(format!("{} has no field `{key}`", record.name));
    let known: Vec<&str> = record.mapping.fields.iter().flat_map(|field| field.keys()).collect();
    error.with_known(key, known.into_iter(), "its fields are")
}

fn truth(node: &Node) -> Result<bool> {
    const EXPECTED: &str = "`true` or `false`";
    match node.scalar() {
        Some((Scalar::Truth(is_so), _)) => Ok(is_so),
        Some((_, "true")) => Ok(true),
        Some((_, "false")) => Ok(false),
        _ => Err(node.error(format!("`{}`, expected {EXPECTED}", node.name(EXPECTED)?))),
    }
}

/// Reads one item or a non-empty list of items.
fn many<'n, T>(
    node: &'n Node,
    field: Field,
    read: impl Fn(&'n Node) -> Result<T>,
) -> Result<Vec<T>> {
    match node.items() {
        Some([]) => {
            let expected = field.field_type.in_words();
            Err(node.error(format!("an empty list, expected {expected}")))
        }
        None if node.is_map() || node.is_nothing() => {
            Err(node.unexpected(&field.field_type.in_words()))
        }
        _ => node.each().iter().map(read).collect(),
    }
}
