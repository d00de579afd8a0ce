//! The field `assumed` of JSON output: facts that the puzzle's file does not state and its reader
//! assumed.

use edgematch::problem::Problem;
use edgematch::puzzle::Assumption;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// A JSON object with an additional field `assumed`, which is omitted if nothing was assumed.
#[derive(Debug, Serialize)]
pub struct WithAssumed<T> {
    #[serde(flatten)]
    object: T,
    #[serde(skip_serializing_if = "Map::is_empty")]
    assumed: Map<String, Value>,
}

impl<T> WithAssumed<T> {
    /// Adds the assumptions about this puzzle to an object.
    pub fn new(object: T, problem: &Problem) -> WithAssumed<T> {
        WithAssumed { object, assumed: assumed(problem) }
    }
}

/// The assumed facts of a puzzle as JSON, with the keys of the YAML format.
pub fn assumed(problem: &Problem) -> Map<String, Value> {
    let entries = problem.puzzle.assumed.iter().map(|fact| match fact {
        Assumption::Order(order) => ("order".to_owned(), json!(order)),
        Assumption::Border(border) => ("border".to_owned(), json!(border)),
        Assumption::Rotations(may_turn) => ("rotations".to_owned(), json!(may_turn)),
        Assumption::Halves(what) => ("halves".to_owned(), json!(what)),
    });
    entries.collect()
}
