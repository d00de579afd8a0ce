//! A JSON Schema of our own form, made from the lists that the readers go by, so that an editor
//! completes what they read and marks what they refuse.
//!
//! It is of draft 7, the one that editors know best.

use serde_json::{Map, Value, json};

use super::board;
use super::field_schema::{constraint, defined, described, mapping, object};
use super::header::{KEYS, Key};
use crate::board::{Board, MOST_SIDES, Polygon, Solid};
use crate::constraints::PATTERN;
use crate::load::text::{LONGEST_SIDE, MOST_TILES};
use crate::puzzle::LONGEST_NAME;

/// What a schema is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Described {
    /// A file with a puzzle.
    Puzzle,
    /// A file with constraints alone.
    Constraints,
}

/// The JSON Schema of a file in our own form.
pub fn schema(described: Described) -> Value {
    let mut schema = match described {
        Described::Puzzle => puzzle(),
        Described::Constraints => constraints_alone(),
    };
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["definitions"] = definitions();
    schema["definitions"]["constraint"] = constraint();
    schema["definitions"]["placements"] =
        json!({"type": "object", "additionalProperties": mapping(&PATTERN)});
    schema
}

fn puzzle() -> Value {
    let key = |key: &Key| (key.name.to_owned(), described((key.schema)(), key.what));
    let properties = KEYS.iter().map(key);
    let mut schema = object(properties.collect());
    schema["title"] = json!("An edge-matching puzzle");
    schema["description"] = json!("A puzzle for edgematch: its tiles, and where they go.");
    schema["required"] = json!(["tiles"]);
    schema["dependencies"] = json!({
        "rows": ["cols"],
        "cols": ["rows"],
        "board": {"properties": {"rows": false, "cols": false}},
        "flip": tiles_without("back"),
    });
    let mirror = json!({"required": ["flip"], "properties": {"flip": {"const": "mirror"}}});
    let mut rules = vec![json!({"if": mirror, "then": tiles_without("corners")})];
    rules.extend(sides_of_boards());
    schema["allOf"] = Value::Array(rules);
    schema
}

fn tiles_without(key: &str) -> Value {
    json!({"properties": {"tiles": {"additionalProperties": {"properties": {key: false}}}}})
}

/// How many edges tiles have on a board whose cells all have as many sides; only squares have an
/// order.
fn sides_of_boards() -> impl Iterator<Item = Value> {
    let on = |board: Value| json!({"required": ["board"], "properties": {"board": board}});
    let keyed = |key: &str| on(json!({"type": "object", "required": [key]}));
    let mut boards = vec![(4, json!({"properties": {"board": false}})), (4, keyed("grid"))];
    boards.extend(POLYGONS.map(|polygon| (polygon.sides(), keyed(polygon.plural()))));
    let solids = Solid::ALL.map(|solid| {
        let sides = Board::solid(solid).most_sides();
        (sides, on(json!({"const": solid.name()})))
    });
    boards.extend(solids);
    boards.into_iter().map(|(sides, board)| {
        let edges = json!({"minItems": sides, "maxItems": sides});
        let face = json!({"edges": edges, "corners": edges});
        let back = json!({"if": {"type": "array"}, "then": edges, "else": {"properties": face}});
        let mut faces = json!({"properties": face});
        faces["properties"]["back"] = back;
        let tile = json!({"if": {"type": "array"}, "then": edges, "else": faces});
        let mut keys = json!({"tiles": {"additionalProperties": tile}});
        if sides != 4 {
            keys["order"] = json!(false);
        }
        json!({"if": board, "then": {"properties": keys}})
    })
}

const POLYGONS: [Polygon; 2] = [Polygon::Triangle, Polygon::Hexagon];

/// The list, or the key with it.
fn constraints_alone() -> Value {
    let list = defined("constraints");
    let properties = Map::from_iter([
        ("placements".to_owned(), defined("placements")),
        ("constraints".to_owned(), list.clone()),
    ]);
    let mut keyed = object(properties);
    keyed["required"] = json!(["constraints"]);
    json!({
        "title": "Constraints of an edge-matching puzzle",
        "anyOf": [keyed, list],
    })
}

/// The parts that need no list of the readers, with the names of limits in place of numbers.
fn definitions() -> Value {
    let numbers = [
        ("FEWEST_SIDES", board::FEWEST_SIDES),
        ("LAST_SIDE", MOST_SIDES - 1),
        ("LONGEST_NAME", LONGEST_NAME),
        ("LONGEST_SIDE", LONGEST_SIDE),
        ("MOST_SIDES", MOST_SIDES),
        ("MOST_TILES", MOST_TILES),
    ];
    let template = include_str!("definitions.json").to_owned();
    let text = numbers.into_iter().fold(template, |text, (name, number)| {
        text.replace(&format!("\"{name}\""), &number.to_string())
    });
    serde_json::from_str(&text).expect("the definitions are JSON")
}
