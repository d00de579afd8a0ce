//! The part of the JSON Schema that follows from what kinds of constraints and their fields
//! declare.

use serde_json::{Map, Value, json};

use crate::problem::constraints::{Asks, Field, KINDS, Kind, Mapping, Need, Range, Sort};
use crate::puzzle::Face;

/// A mapping with one entry, the kind with its fields; or with the fields themselves, where they
/// stand side by side.
pub(super) fn constraint() -> Value {
    let (spread, keyed): (Vec<&Kind>, Vec<&Kind>) =
        KINDS.iter().copied().partition(|kind| kind.is_spread());
    let kinds = keyed.into_iter().map(|kind| (kind.name.to_owned(), of_kind(kind)));
    let mut properties: Map<String, Value> = kinds.collect();
    let mut rules = Vec::new();
    let mut keys = Vec::new();
    for kind in spread {
        let own: Vec<&str> = kind.takes.fields.iter().flat_map(|field| field.keys()).collect();
        let needs: Vec<Value> = kind.takes.needs.iter().map(need).collect();
        let then = json!({"propertyNames": {"enum": own}, "allOf": needs});
        rules.push(json!({"if": has_any(&own), "then": then}));
        properties.extend(described_fields(&kind.takes));
        keys.extend(own);
    }
    rules.push(json!({"if": has_any(&keys), "else": {"maxProperties": 1}}));
    let mut constraint = object(properties);
    constraint["minProperties"] = json!(1);
    constraint["allOf"] = Value::Array(rules);
    constraint
}

/// One of these keys is there.
fn has_any(keys: &[&str]) -> Value {
    json!({"anyOf": keys.iter().map(|key| json!({"required": [key]})).collect::<Vec<Value>>()})
}

fn of_kind(kind: &Kind) -> Value {
    let mut schema = mapping(&kind.takes);
    schema["minProperties"] = json!(1);
    if let Some(field) = kind.shorthand {
        schema = json!({"anyOf": [schema, behind_key(&field)]});
    }
    described(schema, kind.what)
}

/// What a kind cannot do without.
fn need(need: &Need) -> Value {
    let any = |fields: &[Field]| {
        let keys: Vec<&str> = fields.iter().flat_map(|field| field.keys()).collect();
        has_any(&keys)
    };
    match need.asks {
        Asks::Any(fields) => any(fields),
        Asks::Either(choices) => {
            let choices = choices.iter().map(|choice| {
                let keys = choice
                    .without
                    .iter()
                    .flat_map(|field| field.keys())
                    .map(|key| (key.to_owned(), json!(false)));
                let without = json!({"properties": Map::from_iter(keys)});
                let with = choice.with.iter().map(|&field| any(&[field]));
                json!({"allOf": with.chain([without]).collect::<Vec<Value>>()})
            });
            json!({"anyOf": choices.collect::<Vec<Value>>()})
        }
        Asks::Two(field) => json!({
            "required": [field.key],
            "properties": {field.key: {"type": "array", "minItems": 2, "maxItems": 2, "uniqueItems": true}},
        }),
    }
}

/// A mapping of fields; two keys of one field do not go together.
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

/// By key, what stands behind it.
fn described_fields(mapping: &Mapping) -> Map<String, Value> {
    let keys = mapping.fields.iter().flat_map(|field| {
        let schemas = std::iter::repeat(described(behind_key(field), field.what));
        field.keys().map(str::to_owned).zip(schemas)
    });
    keys.collect()
}

fn behind_key(field: &Field) -> Value {
    match field.sort {
        Sort::Cells => defined("cells"),
        Sort::Tiles => defined("names"),
        Sort::Rotations => defined("rotations"),
        Sort::Face => json!({"enum": Face::ALL.map(Face::name)}),
        Sort::Shows => defined("shows"),
        Sort::Sides => defined("sides"),
        Sort::Image => defined("edge"),
        Sort::Truth => defined("truth"),
        Sort::Word(words) => json!({"enum": words}),
        Sort::Number(Range { largest, .. }) => json!({
            "type": "number",
            "multipleOf": 1,
            "minimum": -largest,
            "maximum": largest,
        }),
        Sort::Placements => defined("names"),
        Sort::Constraint => defined("constraint"),
        Sort::Constraints => defined("parts"),
        Sort::Terms(term) => json!({"type": "array", "items": mapping(term), "minItems": 1}),
    }
}

/// What is defined once, by its name.
pub(super) fn defined(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}

/// The same with a description, which stands beside no reference.
pub(super) fn described(schema: Value, what: &str) -> Value {
    let mut described = match schema.get("$ref") {
        Some(_) => json!({"allOf": [schema]}),
        None => schema,
    };
    described["description"] = json!(what);
    described
}

/// A mapping with these keys and no others.
pub(super) fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}
