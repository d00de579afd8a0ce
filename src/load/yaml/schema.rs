//! A JSON Schema of our own form, for completion and validation in editors.
//!
//! It uses draft 7, which editors support best. `schema.json` describes everything except
//! constraints, whose schema is derived from their declarations.

use serde_json::{Value, json};

use super::board::{FEWEST_SIDES, LONGEST_OUTLINE};
use super::field_schema::{constraint, mapping, term};
use crate::board::MOST_SIDES;
use crate::load::text::{LONGEST_SIDE, MOST_TILES};
use crate::problem::constraints::PATTERN;
use crate::puzzle::LONGEST_NAME;

/// The type of file that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Described {
    /// A file with a puzzle.
    Puzzle,
    /// A file with constraints only.
    Constraints,
}

/// The JSON Schema of a file in our own form.
pub fn schema(described: Described) -> Value {
    let numbers = [
        ("FEWEST_SIDES", FEWEST_SIDES),
        ("LAST_SIDE", MOST_SIDES - 1),
        ("LONGEST_NAME", LONGEST_NAME),
        ("LONGEST_OUTLINE", LONGEST_OUTLINE),
        ("LONGEST_SIDE", LONGEST_SIDE),
        ("MOST_SIDES", MOST_SIDES),
        ("MOST_TILES", MOST_TILES),
    ];
    let template = include_str!("schema.json").to_owned();
    let text = numbers.into_iter().fold(template, |text, (name, number)| {
        text.replace(&format!("\"{name}\""), &number.to_string())
    });
    let mut all: Value = serde_json::from_str(&text).expect("schema.json is JSON");
    let mut schema = match described {
        Described::Puzzle => all["puzzle"].take(),
        Described::Constraints => all["constraints"].take(),
    };
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["definitions"] = all["definitions"].take();
    schema["definitions"]["constraint"] = constraint();
    schema["definitions"]["term"] = term();
    schema["definitions"]["terms"] = json!({"type": "array", "items": term(), "minItems": 1});
    schema["definitions"]["placements"] =
        json!({"type": "object", "additionalProperties": mapping(&PATTERN)});
    schema
}

#[cfg(test)]
mod tests {
    use super::super::{board, header};
    use super::*;
    use crate::board::{Board, Solid, Wrap};
    use crate::load::edge_order::EdgeOrder;
    use crate::puzzle::{Flip, Oddity};

    fn words(list: &Value) -> Vec<&str> {
        list.as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
    }

    #[test]
    fn the_schema_has_the_keys_and_words_that_are_read() {
        let schema = schema(Described::Puzzle);
        let keys = &schema["properties"];
        assert_eq!(keys.as_object().unwrap().len(), header::keys().count());
        assert!(header::keys().all(|key| keys.get(key).is_some()));
        assert_eq!(words(&keys["allow"]["items"]["enum"]), Oddity::ALL.map(Oddity::name));
        assert_eq!(words(&keys["flip"]["enum"]), Flip::ALL.map(Flip::name));
        let orders: Vec<String> = EdgeOrder::named().map(|(name, _)| name).collect();
        assert_eq!(words(&keys["order"]["anyOf"][0]["enum"]), orders);
        let boards = keys["board"]["anyOf"].as_array().unwrap();
        assert_eq!(
            words(&boards[0]["enum"]),
            board::named().map(|(name, _)| name).collect::<Vec<_>>()
        );
        assert_eq!(
            words(&boards[1]["properties"]["wrap"]["enum"]),
            Wrap::ALL.map(|(name, _)| name)
        );
        for (board, keys) in boards[1..].iter().zip(board::FORMS) {
            assert_eq!(words(&board["required"]), keys[..1]);
            assert!(board["properties"].as_object().unwrap().keys().eq(keys));
        }
        for solid in Solid::ALL {
            let sides = json!(format!("#/definitions/{}-sided", Board::solid(solid).most_sides()));
            let rules = schema["allOf"].as_array().unwrap().iter();
            let mut rules = rules.filter(|rule| {
                let named = rule["if"]["properties"]["board"]["enum"].as_array();
                named.is_some_and(|names| names.contains(&json!(solid.name())))
            });
            let rule = rules.next().unwrap();
            assert_eq!(rule["then"]["properties"]["tiles"]["items"]["$ref"], sides);
        }
    }
}
