//! Parts that the JSON Schema of our own form is put together from.

use serde_json::{Map, Value, json};

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

/// A text; numbers and words such as `no` are texts as they are written. Were the types named,
/// editors would offer `true` and `null`.
pub(super) fn scalar() -> Value {
    json!({"not": {"type": ["array", "object"]}})
}

/// A number, which may be written as a text.
pub(super) fn number(least: usize, most: usize) -> Value {
    json!({"anyOf": [
        {"type": "integer", "minimum": least, "maximum": most},
        {"type": "string", "pattern": "^[+]?[0-9]+$"},
    ]})
}

/// One of something, or a list of it.
pub(super) fn one_or_list(definition: &str) -> Value {
    let one = defined(definition);
    json!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
}
