//! The schema for editors: it accepts what the loader accepts, and marks as many mistakes as it
//! can.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use edgematch::load::{self, Described};
use edgematch::problem::constraints::KINDS;
use fastrand::Rng;
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::shapes::{Draw, Shape, Toy};

fn validator(described: Described) -> Validator {
    let schema = load::schema(described);
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

/// Converts a YAML document as an editor does: keys become strings.
fn document(yaml: &str) -> Value {
    fn plain(value: serde_yaml::Value) -> Value {
        match value {
            serde_yaml::Value::Mapping(entries) => {
                let text = |key: serde_yaml::Value| match key {
                    serde_yaml::Value::String(key) => key,
                    key => serde_json::to_value(key).unwrap().to_string(),
                };
                entries.into_iter().map(|(key, value)| (text(key), plain(value))).collect()
            }
            serde_yaml::Value::Sequence(values) => values.into_iter().map(plain).collect(),
            value => serde_json::to_value(value).unwrap(),
        }
    }
    plain(serde_yaml::from_str(yaml).unwrap_or_else(|e| panic!("{e}\n{yaml}")))
}

fn marks(validator: &Validator, yaml: &str) -> Vec<String> {
    let document = document(yaml);
    let errors = validator.iter_errors(&document);
    errors.map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn every_puzzle_of_ours_is_what_the_schema_says() {
    let validator = validator(Described::Puzzle);
    let files = ["puzzles", "puzzles/boards", "benches/boards"];
    let files =
        files.iter().flat_map(|folder| fs::read_dir(Path::new(crate::ROOT).join(folder)).unwrap());
    let mut number = 0;
    for file in files.map(|file| file.unwrap().path()) {
        if file.extension().is_some_and(|e| e == "yaml") {
            let yaml = fs::read_to_string(&file).unwrap();
            assert_eq!(marks(&validator, &yaml), [""; 0], "{}", file.display());
            number += 1;
        }
    }
    assert!(number > 100, "{number}");
}

#[test]
fn the_constraints_of_the_docs_are_what_the_schema_says() {
    let page = fs::read_to_string(Path::new(crate::ROOT).join("docs/constraints.md")).unwrap();
    let blocks = page.split("```yaml\n").skip(1).map(|rest| rest.split_once("\n```").unwrap().0);
    let validator = validator(Described::Constraints);
    let mut number = 0;
    for block in blocks {
        assert_eq!(marks(&validator, block), [""; 0], "{block}");
        number += 1;
    }
    assert!(number > 5, "{number}");
    let bare = "- pin: {cell: [1, 1], tile: 5}\n- rotations: [0, 2]\n";
    assert_eq!(marks(&validator, bare), [""; 0]);
    assert!(!marks(&validator, "tiles: {}").is_empty());
}

/// Mistakes that the loader rejects and a schema can express, each in an otherwise valid puzzle.
#[test]
fn mistakes_are_marked() {
    let validator = validator(Described::Puzzle);
    let tiles =
        "tiles: {1: [a+, a-, b, c], 2: [a+, a-, b, c], 3: [b, b, c, c], 4: [a+, a-, b, c]}\n";
    assert_eq!(marks(&validator, tiles), [""; 0]);
    for mistake in [
        "titel: x\n",
        "rows: 2\n",
        "rows: two\ncols: 2\n",
        "rows: 0\ncols: 2\n",
        "rows: 2\ncols: 2\nboard: cube\n",
        "board: cubus\n",
        "board: {grid: [2, 2], wrap: sideways}\n",
        "board: {wrap: both}\n",
        "board: {hexagons: [2, 2], wrap: both}\n",
        "board: {grid: [2]}\n",
        "board: {cells: {A: 2}}\n",
        "board: {cells: {A: 4, B: 4, C: 4, D: 4}, seams: [[A, 0, B]]}\n",
        "order: clockwise-from\n",
        "matching: halves\n",
        "rotations: 2\n",
        "flip: turn\n",
        "pictures: tile.png\n",
        "images: [cat]\n",
        "constraints: {pin: {tile: 1}}\n",
        "constraints: [{pinn: {tile: 1}}]\n",
        "constraints: [{pin: {tile: 1, cells: all}, use: {tile: 1}}]\n",
        "constraints: [{pin: {tile: 1, at_most: 3}}]\n",
        "constraints: [{pin: {tile: 1, rotation: -1}}]\n",
        "constraints: [{where: a < b, pin: {tile: 1, cells: all}}]\n",
        "constraints: [{for: {rows: r}, pin: {cell: [r, 1], tile: 1}}]\n",
        "matches: [a, b]\n",
        "matches: {a: {b: c}}\n",
        "objective: cost\n",
        "objective: {maximize: cost}\n",
        "objective: {most: [{tile: 1}]}\n",
        "objective: []\n",
        "constraints: [{soft: 0, pin: {tile: 1, cells: all}}]\n",
        "constraints: [{sum: {cells: all, exactly: 1}}]\n",
        "constraints: [{lex: {lines: [row 1], of: rotation}}]\n",
        "constraints: [{count: {shows: {up: a+}, at_most: 1}}]\n",
        "constraints: [{linear: {terms: [{weight: 0.5, tile: 1}], at_most: 1}}]\n",
        "constraints: [{seam: {cells: [[1, 1], [1, 2]], fit: maybe}}]\n",
        "constraints: [{adjacent: {tiles: [1, 2], sides: [right]}}]\n",
        "constraints: [{adjacent: {tiles: [1]}}]\n",
        "constraints: [{apart: {sides: [right, any]}}]\n",
        "constraints: [{pin: {rotation: 0}}]\n",
        "constraints: [{pin: {cell: [1, 1], cells: all}}]\n",
        "constraints: [{count: {cells: all}}]\n",
        "constraints: [{count: {cells: all, exactly: 1, at_most: 2}}]\n",
        "constraints: [{region: {tiles: 1}}]\n",
        "constraints: [{any: []}]\n",
        "constraints: [{not: [pin: {cell: [1, 1], tile: 1}]}]\n",
        "constraints: [{if: {pin: {cell: [1, 1], tile: 1}}}]\n",
        "constraints: [{then: {pin: {cell: [1, 1], tile: 1}}}]\n",
        "constraints: [{exactly: {of: [pin: {cell: [1, 1], tile: 1}]}}]\n",
        "placements: {low: {}}\n",
        "constraints: [{region: {tiles: 1, only_from: 2}}]\n",
        "constraints: [{rim: {only: true}}]\n",
        "constraints: [{use: {tiles: 1, without: 2}}]\n",
        "constraints: [{seam: {cells: [[1, 1], [1, 2]]}}]\n",
        "board: octahedron\n",
        "board: {hexagons: [2, 2]}\n",
        "border: x+\n",
    ] {
        let yaml = format!("{mistake}{tiles}");
        assert!(load::from_str(&yaml).is_err(), "{mistake}");
        assert!(!marks(&validator, &yaml).is_empty(), "{mistake}");
    }
    for mistake in [
        "tiles: {}\n",
        "tiles: {1: [a, b]}\n",
        "tiles: {1: {edges: [a, b, c, d], bak: [a, b, c, d]}}\n",
        "tiles: {1: {back: [a, b, c, d]}}\n",
        "tiles: {1: [[a], b, c, d]}\n",
        "tiles: {1: [a, b, c, d, e]}\n",
        "tiles: {1: [+a, b, c, d]}\n",
        "tiles: {1: ['', b, c, d]}\n",
        "flip: mirror\ntiles: {1: {edges: [a, b, c, d], back: [a, b, c, d]}}\n",
        "flip: reverse\ntiles: {1: {edges: [a, b, c, d], back: [a, b, c, d]}}\n",
        "flip: mirror\ntiles: {1: {corners: [a, b, c, d]}}\n",
        "flip: over\ntiles: {1: [a, b, c, d]}\n",
        "tiles: {1: {corners: [a, b, c+, d]}}\n",
        "tiles: {1: {corners: [a, b, c, d/e]}}\n",
        "tiles: {1: {corners: [a, b, c, d], back: {corner: [a, b, c, d]}}}\n",
        "board: {triangles: [1, 1]}\norder: clockwise-from-top\ntiles: {1: [a, b, c]}\n",
        "name: x\n",
    ] {
        assert!(load::from_str(mistake).is_err(), "{mistake}");
        assert!(!marks(&validator, mistake).is_empty(), "{mistake}");
    }
}

/// Numbers may be strings, and lists of cells may contain lists: both the loader and the schema
/// accept that.
#[test]
fn what_is_written_oddly_is_not_marked() {
    let validator = validator(Described::Puzzle);
    let tiles =
        "tiles: {1: [a+, a-, b, c], 2: [a+, a-, b, c], 3: [b, b, c, c], 4: [a+, a-, b, c]}\n";
    for odd in [
        "order: counter-clockwise\n",
        "constraints: [{pin: {tile: 1, rotation: '0'}}]\n",
        "constraints: [{rotations: ['0', '1']}]\n",
        "constraints: [{forbid: {cells: [[[1, 1], row 2], corners], tile: 1}}]\n",
        "constraints: [{forbid: {cells: {row: 1}, shows: {'+1': a+}}}]\n",
        "constraints: [{adjacent: {tiles: [1, 2], sides: ['+1', any]}}]\n",
        "constraints: [{count: {cells: all, at_most: 1e3}}]\n",
        "placements: {low: {tile: 1}}\nconstraints: [{not: {pin: {placement: low, cell: [1, 1]}}}]\n",
        "constraints: [{if: {pin: {cell: [1, 1], tile: 1}}, else: {any: [forbid: {tile: 1, rotation: 0}]}}]\n",
        "board: {cells: {A: '4', B: 4}, seams: [[A, '0', B, 2]]}\n",
        "board: {cells: {1: 4, 2: 4}, seams: [[1, 0, 2, 2]]}\nconstraints: [{pin: {cell: 1, tile: 2}}]\n",
    ] {
        let yaml = format!("{odd}{tiles}");
        load::from_str(&yaml).unwrap_or_else(|e| panic!("{}", e.render()));
        assert_eq!(marks(&validator, &yaml), [""; 0], "{odd}");
    }
}

/// Editors show a description of every key and field.
#[test]
fn every_key_has_a_description() {
    let schema = load::schema(Described::Puzzle);
    let keys = schema["properties"].as_object().unwrap();
    let kinds = schema["definitions"]["constraint"]["properties"].as_object().unwrap();
    for (key, value) in keys.iter().chain(kinds) {
        let text = value["description"].as_str().unwrap_or_default();
        assert!(text.ends_with('.'), "{key}: {text}");
    }
    let keys = KINDS.iter().flat_map(|kind| {
        if kind.is_spread() {
            kind.takes.fields.iter().flat_map(|f| f.keys()).collect()
        } else {
            vec![kind.name]
        }
    });
    let described: BTreeSet<&str> = kinds.keys().map(String::as_str).collect();
    assert_eq!(described, keys.chain(["name", "soft", "for", "where"]).collect());
}

/// Changes a random part of a document.
fn changed(document: &Value, random: &mut Rng) -> Value {
    let others =
        [json!("a+"), json!("cube"), json!(3), json!(true), json!([1, 1]), json!({}), json!(null)];
    let other = others[random.usize(..others.len())].clone();
    match document {
        Value::Object(entries) if !entries.is_empty() && random.u8(..4) > 0 => {
            let mut entries = entries.clone();
            let key = entries.keys().nth(random.usize(..entries.len())).unwrap().clone();
            match random.u8(..6) {
                0 => drop(entries.remove(&key)),
                1 => drop(entries.insert(
                    ["border", "flip", "order", "back", "3", "tile"][random.usize(..6)].to_owned(),
                    other,
                )),
                _ => drop(entries.insert(key.clone(), changed(&document[key], random))),
            }
            Value::Object(entries)
        }
        Value::Array(values) if !values.is_empty() && random.u8(..4) > 0 => {
            let mut values = values.clone();
            let place = random.usize(..values.len());
            match random.u8(..4) {
                0 => drop(values.remove(place)),
                1 => values.push(other),
                _ => values[place] = changed(&values[place], random),
            }
            Value::Array(values)
        }
        _ => other,
    }
}

const CONSTRAINED: &str = "rows: 2\ncols: 2\nborder: x\nimages: {a+: head}\nconstraints:\n\
    - pin: {cell: [1, 1], tile: 1, rotation: 0}\n\
    - rotations: [0, 1]\n- forbid: {cells: corners, shows: {top: a+}}\n\
    - linear: {terms: [{weight: 2, tile: 1}, {weight: 1, cells: row 1}], at_most: 3}\n\
    - adjacent: {tiles: [1, 2], sides: [right, any]}\n- seam: {cells: [[1, 1], [1, 2]], fit: free}\n\
    - {name: first, soft: 3, for: {row: r}, where: r < 2, sum: {cells: row r, of: number, at_most: r + 5}}\n\
    - lex: {lines: [all, turned 2], of: {1: 2}}\n- tree: y\n\
    - rim: {image: x, only: true}\n- region: {cells: {row: 1}, only_from: [1, 2, 3]}\n\
    objective: [{maximize: [{weight: 2, tile: 1}, {cells: row 1}]}, {minimize: {tile: 2}}, {minimize: cost}]\n\
    tiles: {1: [a+, a-, x, x], 2: [a+, a-, x, x], 3: [x, x, a-, a+], 4: [a+, a-, x, x]}\n";

const MATCHED: &str =
    "rows: 1\ncols: 2\nmatches: {a+: [a-, b], b: b}\ntiles: {1: [a+, b, b, b], 2: [b, a-, b, b]}\n";

const CORNERED: &str = "rows: 1\ncols: 2\nborder: x\norder: clockwise-from-top\ntiles:\n  \
    1: {corners: [a, b, '?', a], edges: [x, y+, '?', x]}\n  \
    2: {corners: [a, b, b, a], edges: [x, x, x, y-], back: {corners: [c, c, c, c]}}\n";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// An editor must never mark valid input.
    #[test]
    fn what_the_loader_accepts_the_schema_accepts(seed in any::<u64>()) {
        let mut random = Rng::with_seed(seed);
        let draw = Draw::random(&mut random);
        let shape = Shape::random(&mut random);
        let toy = Toy::new(shape, &draw, &mut random);
        let yaml = match random.u8(..6) {
            0 | 1 => CONSTRAINED.to_owned(),
            2 => CORNERED.to_owned(),
            3 => MATCHED.to_owned(),
            _ => toy.varied(&mut random).yaml(),
        };
        let mut value = document(&yaml);
        for _ in 0..random.usize(..4) {
            value = changed(&value, &mut random);
        }
        // JSON is YAML.
        let text = value.to_string();
        let validator = validator(Described::Puzzle);
        // A text of four letters would be read as another form.
        let told = load::ReadOverrides { from: Some("yaml".into()), ..load::ReadOverrides::default() };
        let reading = told.options(str::to_owned).unwrap();
        if load::from_bytes_as(text.as_bytes(), "text", "text", &reading).is_ok() {
            prop_assert_eq!(marks(&validator, &text), [""; 0], "{}", text);
        }
    }
}
