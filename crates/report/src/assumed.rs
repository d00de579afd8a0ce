//! Facts that the text of a puzzle leaves open, as a field of JSON.

use edgematch::problem::Problem;
use edgematch::puzzle::Assumption;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// An object with a field `assumed`, if something was assumed of its puzzle.
#[derive(Debug, Serialize)]
pub struct WithAssumed<T> {
    #[serde(flatten)]
    object: T,
    #[serde(skip_serializing_if = "Map::is_empty")]
    assumed: Map<String, Value>,
}

impl<T> WithAssumed<T> {
    /// The object with what was assumed of this puzzle.
    pub fn new(object: T, problem: &Problem) -> WithAssumed<T> {
        WithAssumed { object, assumed: assumed(problem) }
    }
}

/// The assumed facts of a puzzle by the keys of our YAML.
pub fn assumed(problem: &Problem) -> Map<String, Value> {
    let entries = problem.puzzle.assumed.iter().map(|fact| match fact {
        Assumption::Order(order) => ("order".to_owned(), json!(order)),
        Assumption::Border(border) => ("border".to_owned(), json!(border)),
        Assumption::Rotations(may_turn) => ("rotations".to_owned(), json!(may_turn)),
        Assumption::Halves(what) => ("halves".to_owned(), json!(what)),
    });
    entries.collect()
}
