//! Derives the part of the JSON Schema for constraints from the declarations of their kinds and
//! fields.

use serde_json::{Map, Value, json};

use super::advice::{FOR, ITEM_KEYS, WHERE};
use super::fields::{defined, expected};
use crate::problem::constraints::{
    ConstraintKind, Field, FieldCondition, KINDS, Mapping, Requirement, TERM,
};

/// The schema of a constraint: a mapping with one entry, the kind with its fields, beside the keys
/// for its name and its variables; or, for a kind without a key, the fields themselves.
pub(super) fn constraint() -> Value {
    let (spread, keyed): (Vec<&ConstraintKind>, Vec<&ConstraintKind>) =
        KINDS.iter().copied().partition(|kind| kind.is_spread());
    let one_kind: Vec<Value> = keyed.iter().map(|kind| json!({"required": [kind.name]})).collect();
    let kinds = keyed.into_iter().map(|kind| (kind.name.to_owned(), of_kind(kind)));
    let mut properties: Map<String, Value> = kinds.collect();
    for (key, definition, what) in ITEM_KEYS {
        properties.insert(key.to_owned(), described(defined(definition), what));
    }
    let mut rules = Vec::new();
    let mut keys = Vec::new();
    for kind in spread {
        let own: Vec<&str> = kind.takes.fields.iter().flat_map(|field| field.keys()).collect();
        let needs: Vec<Value> = kind.takes.needs.iter().map(need).collect();
        let beside = ITEM_KEYS.iter().map(|(key, ..)| key);
        let allowed: Vec<&&str> = own.iter().chain(beside).collect();
        let then = json!({"propertyNames": {"enum": allowed}, "allOf": needs});
        rules.push(json!({"if": has_any(&own), "then": then}));
        properties.extend(described_fields(&kind.takes));
        keys.extend(own);
    }
    rules.push(json!({"if": has_any(&keys), "else": {"oneOf": one_kind}}));
    let mut constraint = object(properties);
    constraint["minProperties"] = json!(1);
    constraint["allOf"] = Value::Array(rules);
    constraint["dependencies"] = json!({WHERE: [FOR]});
    constraint
}

/// The schema of a term of an expression, which may have variables.
pub(super) fn term() -> Value {
    let mut schema = mapping(&TERM);
    for (key, definition, what) in &ITEM_KEYS[2..] {
        schema["properties"][key] = described(defined(definition), what);
    }
    schema
}

/// Requires at least one of the keys.
fn has_any(keys: &[&str]) -> Value {
    json!({"anyOf": keys.iter().map(|key| json!({"required": [key]})).collect::<Vec<Value>>()})
}

/// The schema of the fields of one kind of constraint, or of its short form if it has one.
fn of_kind(kind: &ConstraintKind) -> Value {
    let mut schema = mapping(&kind.takes);
    schema["minProperties"] = json!(1);
    if let Some(field) = kind.shorthand {
        schema = json!({"anyOf": [schema, expected(field).1]});
    }
    described(schema, kind.what)
}

/// The schema of a requirement: a field or combination of fields that must be present.
fn need(need: &Requirement) -> Value {
    let any = |fields: &[Field]| {
        let keys: Vec<&str> = fields.iter().flat_map(|field| field.keys()).collect();
        has_any(&keys)
    };
    match need.condition {
        FieldCondition::Any(fields) => any(fields),
        FieldCondition::Either(choices) => {
            let choices = choices.iter().map(|choice| {
                let keys = choice.without.iter().flat_map(|field| field.keys());
                let without = Map::from_iter(keys.map(|key| (key.to_owned(), json!(false))));
                let with = choice.with.iter().map(|&field| any(&[field]));
                let all: Vec<Value> = with.chain([json!({"properties": without})]).collect();
                json!({"allOf": all})
            });
            json!({"anyOf": choices.collect::<Vec<Value>>()})
        }
        FieldCondition::Two(field) => json!({
            "required": [field.key],
            "properties": {field.key: {"type": "array", "minItems": 2, "maxItems": 2, "uniqueItems": true}},
        }),
    }
}

/// A mapping of fields. Two keys of one field exclude each other.
pub(super) fn mapping(mapping: &Mapping) -> Value {
    let mut schema = object(described_fields(mapping));
    let pairs = mapping.fields.iter().filter_map(|field| {
        Some((field.singular?.to_owned(), json!({"properties": {field.key: false}})))
    });
    schema["dependencies"] = Value::Object(pairs.collect());
    if !mapping.needs.is_empty() {
        schema["allOf"] = mapping.needs.iter().map(need).collect();
    }
    schema
}

/// The schema of the value of each key, with its description.
fn described_fields(mapping: &Mapping) -> Map<String, Value> {
    let keys = mapping.fields.iter().flat_map(|field| {
        let schemas = std::iter::repeat(described(expected(*field).1, field.what));
        field.keys().map(str::to_owned).zip(schemas)
    });
    keys.collect()
}

/// Adds a description. A reference is wrapped, because draft 7 ignores the siblings of `$ref`.
pub(super) fn described(schema: Value, what: &str) -> Value {
    let mut described = match schema.get("$ref") {
        Some(_) => json!({"allOf": [schema]}),
        None => schema,
    };
    described["description"] = json!(what);
    described
}

/// A mapping that allows only these keys.
pub(super) fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}
