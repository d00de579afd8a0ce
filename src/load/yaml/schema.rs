//! A JSON Schema of our own form, made from the lists that the readers go by, so that an editor
//! completes what they read and marks what they refuse.
//!
//! It is of draft 7, the one that editors know best.

use serde_json::{Map, Value, json};

use super::board;
use super::header::Key;
use crate::board::{Board, MOST_SIDES, Polygon, Solid, Wrap};
use crate::constraints::{Asks, FIELDS_OF_TERM, Field, Fit, KINDS, Kind, Need};
use crate::load::edge_order::EdgeOrder;
use crate::load::limits::LONGEST_SIDE;
use crate::puzzle::{Face, LONGEST_NAME};

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
        "term": term(),
        "constraint": constraint(),
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
    let keys = Key::ALL.into_iter();
    let properties = keys.map(|(name, key)| (name.to_owned(), of_key(key)));
    let mut schema = object(properties.collect());
    schema["title"] = json!("An edge-matching puzzle");
    schema["description"] = json!("A puzzle for edgematch: its tiles, and where they go.");
    schema["required"] = json!(["tiles"]);
    schema["dependencies"] = json!({
        "rows": ["cols"],
        "cols": ["rows"],
        "board": {"properties": {"rows": false, "cols": false}},
        "flip": {"properties": {"tiles": {"additionalProperties": {"properties": {"back": false}}}}},
    });
    schema["allOf"] = sides_of_boards();
    schema
}

/// How many edges tiles have on a board whose cells all have as many sides; only squares have an order.
fn sides_of_boards() -> Value {
    let on = |board: Value| json!({"required": ["board"], "properties": {"board": board}});
    let keyed = |key: &str| on(json!({"type": "object", "required": [key]}));
    let without = json!({"properties": {"board": false}});
    let mut boards = vec![(4, without), (4, keyed("grid"))];
    boards.extend(POLYGONS.map(|polygon| (polygon.sides(), keyed(polygon.plural()))));
    let solids = Solid::ALL.map(|solid| {
        let sides = Board::solid(solid).most_sides();
        (sides, on(json!({"const": solid.name()})))
    });
    boards.extend(solids);
    let rules = boards.into_iter().map(|(sides, board)| {
        let edges = json!({"minItems": sides, "maxItems": sides});
        let faces = json!({"properties": {"edges": edges, "back": edges}});
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
    let list = json!({"$ref": "#/definitions/constraints"});
    let properties = Map::from_iter([("constraints".to_owned(), list.clone())]);
    let mut keyed = object(properties);
    keyed["required"] = json!(["constraints"]);
    json!({
        "title": "Constraints of an edge-matching puzzle",
        "anyOf": [keyed, list],
    })
}

/// What stands behind an outermost key.
fn of_key(key: Key) -> Value {
    let by_name = |names: Vec<String>| json!({"enum": names});
    let described = |mut schema: Value, text: &str| {
        schema["description"] = json!(text);
        schema
    };
    let length = || json!({"allOf": [{"$ref": "#/definitions/length"}]});
    let named = || json!({"allOf": [{"$ref": "#/definitions/name"}]});
    match key {
        Key::Name => described(
            named(),
            "What people call it; otherwise the name of the file.",
        ),
        Key::Title => described(scalar(), "A longer title."),
        Key::Source => described(scalar(), "Where the edges were read."),
        Key::Rows => described(
            length(),
            "Rows of the board; without rows and cols it is the square that the tiles fill.",
        ),
        Key::Columns => described(length(), "Columns of the board."),
        Key::Board => described(
            board_schema(),
            "Another board than rows and columns: a solid, a grid that is joined at its ends, triangles, hexagons, cells and seams of your own.",
        ),
        Key::Order => described(
            by_name(EdgeOrder::all().map(|(name, _)| name).collect()),
            "The order in which the edges of a tile are listed; otherwise right, top, left, bottom.",
        ),
        Key::Matching => described(
            json!({"enum": ["half", "equal"]}),
            "Asserts that every image but the border has two halves (half), or none (equal).",
        ),
        Key::Rotations => described(
            json!({"type": "boolean"}),
            "false where tiles may not be turned, as in TetraVex.",
        ),
        Key::Flip => described(
            json!({"const": "mirror"}),
            "Tiles have backs, and the print goes through.",
        ),
        Key::Border => described(
            json!({"allOf": [
                {"$ref": "#/definitions/edge"},
                {"not": {"type": "string", "pattern": "[+-]\\s*$"}},
            ]}),
            "The image that lies on the whole rim and nowhere else, as in Eternity II.",
        ),
        Key::Pictures => described(
            json!({"type": "string", "pattern": "\\{tile\\}", "maxLength": LONGEST_NAME, "examples": ["{tile}.png"]}),
            "The tiles' pictures beside the file, {tile} for the name of the tile.",
        ),
        Key::Images => described(
            json!({"type": "object", "additionalProperties": {"$ref": "#/definitions/name"}}),
            "What else edges are called: a name for an image, or for each of its halves.",
        ),
        Key::Constraints => described(
            json!({"allOf": [{"$ref": "#/definitions/constraints"}]}),
            "What else an arrangement must obey.",
        ),
        Key::Tiles => described(
            json!({
                "type": "object",
                "minProperties": 1,
                "additionalProperties": {"$ref": "#/definitions/tile"},
            }),
            "The tiles: the name of each with its edges, right, top, left, bottom unless `order` says otherwise.",
        ),
    }
}

fn object(properties: Map<String, Value>) -> Value {
    json!({"type": "object", "properties": properties, "additionalProperties": false})
}

/// A text; numbers and words such as `no` are texts as they are written. Were the types named, editors
/// would offer `true` and `null`.
fn scalar() -> Value {
    json!({"not": {"type": ["array", "object"]}})
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
        "An image, or one of its halves: `ylw+` fits `ylw-`, a name without a sign fits itself."
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
    let edges = json!({"$ref": "#/definitions/edges"});
    let mut faces = object(Map::from_iter([
        ("edges".to_owned(), edges.clone()),
        ("back".to_owned(), edges.clone()),
    ]));
    faces["required"] = json!(["edges"]);
    json!({"anyOf": [edges, faces]})
}

fn board_schema() -> Value {
    let solids = Solid::ALL.map(Solid::name);
    let form = |keys: &[&str]| {
        let properties = keys.iter().map(|&key| (key.to_owned(), of_board_key(key)));
        let mut form = object(properties.collect());
        form["required"] = json!([keys[0]]);
        form
    };
    let solid = json!({"enum": solids});
    let forms: Vec<Value> = std::iter::once(solid).chain(BOARDS.map(form)).collect();
    json!({"anyOf": forms})
}

/// The keys that go together; the first one must be there.
const BOARDS: [&[&str]; 4] = [
    &["grid", "wrap"],
    &["triangles"],
    &["hexagons"],
    &["cells", "seams"],
];

fn of_board_key(key: &str) -> Value {
    let size = json!({"$ref": "#/definitions/size"});
    match key {
        "wrap" => json!({
            "description": "Which ends are joined.",
            "enum": Wrap::ALL.map(|(name, _)| name),
        }),
        "cells" => json!({
            "description": "Each cell with its number of sides.",
            "type": "object",
            "minProperties": 1,
            "additionalProperties": number(board::FEWEST_SIDES, MOST_SIDES),
        }),
        "seams" => json!({
            "description": "Each pair of sides that touch: a cell, its side, another cell, its side.",
            "type": ["array", "null"],
            "items": {
                "type": "array",
                "items": [
                    {"$ref": "#/definitions/name"},
                    number(0, MOST_SIDES - 1),
                    {"$ref": "#/definitions/name"},
                    number(0, MOST_SIDES - 1),
                ],
                "minItems": 4,
                "maxItems": 4,
            },
        }),
        _ => size,
    }
}

/// A number, which may be written as a text.
fn number(least: usize, most: usize) -> Value {
    json!({"anyOf": [
        {"type": "integer", "minimum": least, "maximum": most},
        {"type": "string", "pattern": "^[+]?[0-9]+$"},
    ]})
}

/// One of something, or a list of it.
fn one_or_list(definition: &str) -> Value {
    let one = json!({"$ref": format!("#/definitions/{definition}")});
    json!({"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]})
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
    let cell = json!({"$ref": "#/definitions/cell"});
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
    let edge = json!({"$ref": "#/definitions/edge"});
    let sides = ["right", "top", "left", "bottom"];
    let sides: Map<String, Value> = sides
        .into_iter()
        .map(|side| (side.to_owned(), edge.clone()))
        .collect();
    json!({
        "description": "Sides with what they show.",
        "type": "object",
        "properties": sides,
        "patternProperties": {"^[+]?[0-9]+$": edge},
        "additionalProperties": false,
        "minProperties": 1,
    })
}

/// A mapping with one entry, the kind with its fields.
fn constraint() -> Value {
    let kinds = KINDS
        .into_iter()
        .map(|kind| (kind.name.to_owned(), of_kind(kind)));
    let mut constraint = object(kinds.collect());
    constraint["minProperties"] = json!(1);
    constraint["maxProperties"] = json!(1);
    constraint
}

fn of_kind(kind: &Kind) -> Value {
    let mut fields = exclusive(object(fields(kind.fields)));
    fields["minProperties"] = json!(1);
    if !kind.needs.is_empty() {
        fields["allOf"] = kind.needs.iter().map(need).collect();
    }
    let mut schema = match kind.name {
        // `rotations: [0, 2]`
        "rotations" => {
            let list = json!({
                "type": "array",
                "items": {"$ref": "#/definitions/rotation"},
                "minItems": 1,
            });
            json!({"anyOf": [fields, list]})
        }
        _ => fields,
    };
    schema["description"] = json!(kind.what);
    schema
}

/// What a kind cannot do without.
fn need(need: &Need) -> Value {
    let any = |fields: &[Field]| {
        let keys = fields.iter().flat_map(|field| field.keys());
        let keys = keys.map(|key| json!({"required": [key]}));
        json!({"anyOf": keys.collect::<Vec<Value>>()})
    };
    match need.asks {
        Asks::Any(fields) => any(fields),
        Asks::Either(choices) => {
            let choices = choices.iter().map(|choice| {
                let keys = choice.without.iter().flat_map(|field| field.keys());
                let keys = keys.map(|key| (key.to_owned(), json!(false)));
                let without = json!({"properties": Map::from_iter(keys)});
                let with = choice.with.iter().map(|&field| any(&[field]));
                json!({"allOf": with.chain([without]).collect::<Vec<Value>>()})
            });
            json!({"anyOf": choices.collect::<Vec<Value>>()})
        }
        Asks::TwoTiles => json!({
            "required": ["tiles"],
            "properties": {"tiles": {"type": "array", "minItems": 2, "maxItems": 2}},
        }),
    }
}

/// Keys of one field do not go together, but for bounds, of which two do.
fn exclusive(mut fields: Value) -> Value {
    let known = |key: &str| fields["properties"].get(key).is_some();
    let pairs = [
        ("cell", "cells"),
        ("tile", "tiles"),
        ("rotation", "rotations"),
    ];
    let pairs = pairs.into_iter().map(|(one, many)| (one, vec![many]));
    let bounds = ("exactly", vec!["at_least", "at_most"]);
    let rules = pairs.chain([bounds]).filter(|(key, _)| known(key));
    let rules = rules.map(|(key, others)| {
        let others = others
            .into_iter()
            .map(|other| (other.to_owned(), json!(false)));
        (
            key.to_owned(),
            json!({"properties": Map::from_iter(others)}),
        )
    });
    fields["dependencies"] = Value::Object(rules.collect());
    fields
}

fn term() -> Value {
    let mut term = exclusive(object(fields(FIELDS_OF_TERM)));
    term["required"] = json!(["weight"]);
    term
}

fn fields(known: &[Field]) -> Map<String, Value> {
    let keys = known
        .iter()
        .flat_map(|&field| field.keys().map(move |key| (key, field)));
    keys.map(|(key, field)| (key.to_owned(), of_field(key, field)))
        .collect()
}

/// What stands behind the key of a field.
fn of_field(key: &str, field: Field) -> Value {
    let defined = |definition: &str| json!({"$ref": format!("#/definitions/{definition}")});
    let described =
        |definition: &str, text: &str| json!({"allOf": [defined(definition)], "description": text});
    let truth = |text: &str| json!({"enum": [true, false, "true", "false"], "description": text});
    let whole = |text: &str| json!({"type": "number", "multipleOf": 1, "description": text});
    match field {
        Field::Cells => described(
            "cells",
            "Cells, by row and column, by name, or parts of the board.",
        ),
        Field::Tiles if key == "tile" => described("name", "The name of a tile."),
        Field::Tiles => described("names", "Names of tiles."),
        Field::Rotations => described("rotations", "Rotations, in steps counter-clockwise."),
        Field::Face => json!({
            "description": "Which face is up.",
            "enum": Face::ALL.map(Face::name),
        }),
        Field::Shows => defined("shows"),
        Field::Weight => whole("What each such placement counts."),
        Field::Bounds => whole(match key {
            "at_least" => "No fewer.",
            "at_most" => "No more.",
            _ => "Just so many.",
        }),
        Field::Terms => json!({
            "description": "What is counted, each with its weight.",
            "type": "array",
            "items": defined("term"),
            "minItems": 1,
        }),
        Field::OnlyIn => described("cells", "The cells that the tiles must lie in."),
        Field::OnlyFrom => described("names", "The tiles that the cells must take."),
        Field::Without => described("names", "Tiles that stay out."),
        Field::Sides => json!({
            "description": "A side of the first tile and one of the second, as they stand in the file, or any.",
            "type": "array",
            "items": {"anyOf": [{"const": "any"}, defined("side")]},
            "minItems": 2,
            "maxItems": 2,
        }),
        Field::Image => described("edge", "An image, or one half of it."),
        Field::Only => truth("Whether the image lies nowhere else."),
        Field::Same => truth("Whether all outer edges show the same image, whichever."),
        Field::Fit => json!({
            "description": "Whether it makes no difference, or is wanted where the best is sought.",
            "enum": Fit::ALL.map(|(name, _)| name),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_a_board_is_described() {
        let mut keys: Vec<&str> = BOARDS.into_iter().flatten().copied().collect();
        let mut known = board::KEYS.to_vec();
        keys.sort_unstable();
        known.sort_unstable();
        assert_eq!(keys, known);
    }
}
