//! Reads the fields of constraints according to their declarations.
//!
//! A field's type determines the accepted values; its description in words is also that of the
//! documentation. A constraint is written back in the form in which it was read.

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
    /// Reads a mapping of fields, with the fields of named placements. Fails at a field that the
    /// record does not have or that is given twice, or if a required one is missing.
    pub fn fields(self, node: &Node, record: Record<'_>) -> Result<Fields> {
        let is_named = |entry: &Entry<'_>| PLACEMENTS.has_key(entry.name);
        let mut entries = node.entries(&record.expected())?;
        // Named placements may not repeat any other field.
        entries.sort_by_key(is_named);
        let mut fields = Fields::default();
        for entry in entries {
            let Entry { name, key, value } = entry;
            let field = record.mapping.field(name);
            let field = field.ok_or_else(|| unknown_field(key, name, record))?;
            if is_named(&entry) {
                for (name, part) in many(value, field, |node| self.placements(node))? {
                    fields = value.check(joined(fields, name, part))?;
                }
            } else if fields.has(field) {
                let message = format!("`{name}` together with another key of the same field");
                return Err(key.error(message));
            } else {
                fields = fields.with(field.key, self.value(value, field)?);
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
        let expected = || field.field_type.in_words();
        Ok(match field.field_type {
            FieldType::Cells => FieldValue::Cells(self.cells(node)?),
            FieldType::Tiles => FieldValue::Tiles(many(node, field, |node| self.tile(node))?),
            FieldType::Rotations => {
                let rotations = many(node, field, |node| self.rotation(node))?;
                FieldValue::Rotations(rotations.into_iter().sorted_unstable().dedup().collect())
            }
            FieldType::Face => FieldValue::Face(node.check(scene.face(node.name(&expected())?))?),
            FieldType::Shows => FieldValue::Shows(self.shows(node, &expected())?),
            FieldType::Sides => {
                let sides = many(node, field, |node| self.side_or_any(node))?;
                let wrong =
                    |sides: Vec<_>| format!("found {}, expected {}", sides.len(), expected());
                FieldValue::Sides(node.check(sides.try_into().map_err(wrong))?)
            }
            FieldType::Image => {
                FieldValue::Image(node.check(scene.labels(node.text(&expected())?))?)
            }
            FieldType::Truth => FieldValue::Truth(node.truth(&expected())?),
            FieldType::Word(words) => {
                let words: Vec<_> = words.iter().map(|&word| (word, word)).collect();
                FieldValue::Word(node.word(field.key, &words)?)
            }
            FieldType::Number(range) => FieldValue::Number(whole(node, &range)?),
            FieldType::Terms(mapping) => FieldValue::Terms(self.terms(node, mapping)?),
            FieldType::Placements => {
                return Err(node.error("named placements may only be used inside a pattern"));
            }
            FieldType::Constraint => FieldValue::Constraints(vec![self.constraint(node)?]),
            FieldType::Constraints => {
                let items = node.list(&expected())?;
                if items.is_empty() {
                    return Err(node.error("an empty list, expected constraints"));
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

    /// The content of a node as it can be written back: the names of placements are replaced by
    /// their fields.
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
            None => {
                let kinds = KINDS.iter().map(|kind| (kind.name, *kind));
                (entry.key.choice("constraint", kinds, "the constraints are")?, entry.value)
            }
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
        behind.check(kind.make(&self.scene, &fields))
    }

    /// Reads the name of a tile and returns its index.
    fn tile(self, node: &Node) -> Result<usize> {
        node.check(self.scene.tile(node.name("the name of a tile")?))
    }

    /// Reads a rotation, a whole number of steps, which some tile must have.
    fn rotation(self, node: &Node) -> Result<usize> {
        let text = node.name("a rotation")?;
        let number = match node.scalar() {
            Some((Scalar::Text, text)) => text.parse().ok(),
            _ => whole_number(node),
        };
        match number {
            Some(number) => node.check(self.scene.rotation(number)),
            None => Err(node.error(format!(
                "`{text}` is not a rotation: expected steps counter-clockwise, such as 1"
            ))),
        }
    }

    /// Reads the name or number of a side.
    fn side(self, node: &Node) -> Result<usize> {
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

    /// Reads `[1, 1]`, `corners`, `row 2`, `{row: 2}`, or a list of these.
    fn cells(self, node: &Node) -> Result<Vec<usize>> {
        const EXPECTED: &str =
            "a cell such as [1, 1], a part of the board such as `corners`, or a list of them";
        let find = |cells: &WrittenCells| node.check(self.scene.cells(cells));
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

/// The error for a field that a constraint or pattern does not have, with the known fields as help.
fn unknown_field(node: &Node, key: &str, record: Record<'_>) -> ReadError {
    let error = node.error(format!("{} has no field `{key}`", record.name));
    let known: Vec<&str> = record.mapping.fields.iter().flat_map(|field| field.keys()).collect();
    error.with_known(key, known.into_iter(), "its fields are")
}

/// Reads one item or a non-empty list of items.
fn many<'n, T>(
    node: &'n Node,
    field: Field,
    read: impl Fn(&'n Node) -> Result<T>,
) -> Result<Vec<T>> {
    let expected = || field.field_type.in_words();
    match node.items() {
        Some([]) => Err(node.error(format!("an empty list, expected {}", expected()))),
        None if node.is_map() || node.is_nothing() => Err(node.unexpected(&expected())),
        _ => node.each().iter().map(read).collect(),
    }
}
