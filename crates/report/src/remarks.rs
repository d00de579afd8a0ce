//! The fields `assumed` and `warnings` of JSON output: facts that the puzzle's file does not state
//! and its reader assumed, and what looks like a typing mistake.

use edgematch::domains::Domains;
use edgematch::problem::Problem;
use edgematch::problem::oddities;
use edgematch::puzzle::Assumption;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Fields about a puzzle; each is omitted if it is empty.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Remarks {
    #[serde(skip_serializing_if = "Map::is_empty")]
    assumed: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<Value>,
}

/// A JSON object with additional fields `assumed` and `warnings` about a puzzle.
#[derive(Debug, Serialize)]
pub struct WithRemarks<T> {
    #[serde(flatten)]
    object: T,
    #[serde(flatten)]
    remarks: Remarks,
}

impl<T> WithRemarks<T> {
    /// Adds the remarks about this puzzle to an object.
    pub fn new(object: T, problem: &Problem) -> WithRemarks<T> {
        WithRemarks { object, remarks: Remarks::new(problem) }
    }
}

impl Remarks {
    /// The assumed facts with the keys of the YAML format, and the warnings with the words that
    /// `allow` silences them with.
    pub fn new(problem: &Problem) -> Remarks {
        let assumed = problem.puzzle.assumed.iter().map(|fact| match fact {
            Assumption::Order(order) => ("order".to_owned(), json!(order)),
            Assumption::Border(border) => ("border".to_owned(), json!(border)),
            Assumption::Rotations(may_turn) => ("rotations".to_owned(), json!(may_turn)),
            Assumption::Halves(what) => ("halves".to_owned(), json!(what)),
        });
        let warnings = oddities::warnings(problem).into_iter().map(|warning| {
            let tile = warning.tile.map(|tile| problem.puzzle.tiles[tile].name.as_str());
            json!({
                "kind": warning.oddity.name(),
                "tile": tile,
                "message": warning.message,
                "help": warning.help,
            })
        });
        let obstacles = obstacles(problem).into_iter();
        let obstacles = obstacles.map(|(kind, message)| json!({"kind": kind, "message": message}));
        Remarks { assumed: assumed.collect(), warnings: warnings.chain(obstacles).collect() }
    }
}

/// What cannot be used, as a kind and a message each: a border image that no tile shows, or tiles
/// that fit no cell. With constraints, tiles are not tested.
pub fn obstacles(problem: &Problem) -> Vec<(&'static str, String)> {
    if let Some(border) = problem.puzzle.border
        && problem.puzzle.edges_within(1)[border.index()] == 0
    {
        let name = problem.puzzle.labels.name(border);
        let message = format!("no tile shows the border image `{name}`, so there is no solution");
        return vec![("no-border", message)];
    }
    if !problem.constraints.is_empty() {
        return Vec::new();
    }
    // Without a border, only a cell whose own sides touch each other can exclude a tile.
    let touches_itself = !problem.board.own_seams().is_empty();
    let why = match (problem.puzzle.border, touches_itself) {
        (Some(_), false) => "no cell has its rim where the tile shows the border",
        (Some(_), true) => {
            "no cell has its rim where the tile shows the border, or two sides of the tile would \
             touch each other and do not match"
        }
        (None, _) => "two sides of the tile would touch each other and do not match",
    };
    let is_needed = problem.uses_every_tile();
    let follows = if is_needed { "so there is no solution" } else { "so it is never used" };
    let tiles = Domains::first(problem).unplaceable_tiles(problem).into_iter();
    let unplaceable = tiles.map(|tile| {
        let name = &problem.puzzle.tiles[tile].name;
        ("unplaceable", format!("tile `{name}` fits no cell, {follows}: {why}; check its edges"))
    });
    unplaceable.collect()
}
