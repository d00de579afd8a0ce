//! A JSON Schema of our own form, made from the lists that the readers go by, so that an editor
//! completes what they read and marks what they refuse.
//!
//! It is of draft 7, the one that editors know best.

use serde_json::{Map, Value, json};

use super::board;
use super::field_schema::{
    constraint, defined, described, mapping, number, object, one_or_list, scalar,
};
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
    schema["definitions"] = json!({
        "name": name(),
        "edge": edge(),
        "edges": edges(),
        "cell": cell(),
        "cells": cells(),
        "names": one_or_list("name"),
        "rotation": number(0, MOST_SIDES - 1),
        "rotations": one_or_list("rotation"),
        "side": side(),
        "shows": shows(),
        "constraint": constraint(),
        "placements": {
            "type": "object",
            "additionalProperties": mapping(&PATTERN),
        },
        "constraints": {
            "type": ["array", "null"],
            "items": {"$ref": "#/definitions/constraint"},
        },
        "length": {"type": "integer", "minimum": 1, "maximum": LONGEST_SIDE},
        "size": {
            "description": "Rows and columns.",
            "type": "array",
            "items": {"$ref": "#/definitions/length"},
            "minItems": 2,
            "maxItems": 2,
        },
        "tile": tile(),
    });
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
        "flip": {"properties": {"tiles": {"additionalProperties": {"properties": {
            "back": false, "corners": false,
        }}}}},
    });
    schema["allOf"] = sides_of_boards();
    schema
}

/// How many edges tiles have on a board whose cells all have as many sides; only squares have an
/// order.
fn sides_of_boards() -> Value {
    let on = |board: Value| json!({"required": ["board"], "properties": {"board": board}});
    let keyed = |key: &str| on(json!({"type": "object", "required": [key]}));
    let mut boards = vec![(4, json!({"properties": {"board": false}})), (4, keyed("grid"))];
    boards.extend(POLYGONS.map(|polygon| (polygon.sides(), keyed(polygon.plural()))));
    let solids = Solid::ALL.map(|solid| {
        let sides = Board::solid(solid).most_sides();
        (sides, on(json!({"const": solid.name()})))
    });
    boards.extend(solids);
    let rules = boards.into_iter().map(|(sides, board)| {
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
    });
    Value::Array(rules.collect())
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

fn name() -> Value {
    let mut name = scalar();
    name["maxLength"] = json!(LONGEST_NAME);
    name
}

fn edge() -> Value {
    let mut edge = scalar();
    // The sign stands behind the image.
    edge["pattern"] = json!("^\\s*[^\\s+-]");
    edge["minimum"] = json!(0);
    edge["description"] = json!(
        "An image, or one of its halves: `ylw+` fits `ylw-`, a name without a sign fits itself, an unknown edge, `?`, fits everything."
    );
    edge
}

fn edges() -> Value {
    json!({
        "type": "array",
        "items": {"$ref": "#/definitions/edge"},
        "minItems": board::FEWEST_SIDES,
        "maxItems": MOST_SIDES,
    })
}

fn tile() -> Value {
    let edges = defined("edges");
    let is_known = json!([{"required": ["edges"]}, {"required": ["corners"]}]);
    let face = [("edges".to_owned(), edges.clone()), ("corners".to_owned(), corners())];
    let mut back = object(Map::from_iter(face.clone()));
    back["anyOf"] = is_known.clone();
    let mut faces = object(Map::from_iter(face.into_iter().chain([
        ("back".to_owned(), json!({"anyOf": [edges.clone(), back]})),
        ("copies".to_owned(), copies()),
    ])));
    faces["anyOf"] = is_known;
    json!({"anyOf": [edges, faces]})
}

fn corners() -> Value {
    let mut colour = scalar();
    colour["pattern"] = json!("^\\s*[^\\s/+-]([^/]*[^/+-])?$");
    colour["minimum"] = json!(0);
    json!({
        "description": "The colours of the corners: each edge runs from the one in its place to the next.",
        "type": "array",
        "items": colour,
        "minItems": board::FEWEST_SIDES,
        "maxItems": MOST_SIDES,
    })
}

fn copies() -> Value {
    json!({
        "description": "How many pieces there are of the tile: a number, or as many as are needed.",
        "anyOf": [{"type": "integer", "minimum": 1, "maximum": MOST_TILES}, {"const": "any"}],
    })
}

fn cell() -> Value {
    let number = json!({"type": "integer", "minimum": 1});
    let line = |key: &str| {
        let mut line = object(Map::from_iter([(key.to_owned(), number.clone())]));
        line["required"] = json!([key]);
        line
    };
    json!({"anyOf": [
        {
            "description": "A part of the board.",
            "enum": ["all", "corners", "border", "inside", "centre", "center"],
        },
        {
            "description": "Row and column, from 1.",
            "type": "array",
            "items": number,
            "minItems": 2,
            "maxItems": 2,
        },
        line("row"),
        line("column"),
        {"$ref": "#/definitions/name"},
    ]})
}

/// A cell, or a list of what are cells.
fn cells() -> Value {
    let cell = defined("cell");
    let list = json!({"type": "array", "items": {"$ref": "#/definitions/cells"}, "minItems": 1});
    json!({"anyOf": [cell, list]})
}

fn side() -> Value {
    json!({"anyOf": [
        {"enum": ["right", "top", "left", "bottom"]},
        number(0, MOST_SIDES - 1),
    ]})
}

fn shows() -> Value {
    let edge = defined("edge");
    let sides = ["right", "top", "left", "bottom"];
    let sides: Map<String, Value> =
        sides.into_iter().map(|side| (side.to_owned(), edge.clone())).collect();
    json!({
        "description": "Sides with what they show.",
        "type": "object",
        "properties": sides,
        "patternProperties": {"^[+]?[0-9]+$": edge},
        "additionalProperties": false,
        "minProperties": 1,
    })
}
