//! The possible mistakes in a puzzle as a JSON object.

use edgematch::analyse::doctor::{Diagnosis, Slip};
use edgematch::board::side_name;
use edgematch::enumerate::RunStatus;
use edgematch::problem::Problem;
use serde_json::{Value, json};

/// The object: the images, and all suspects with all their mistakes.
pub fn diagnosis(problem: &Problem, diagnosis: &Diagnosis) -> Value {
    let puzzle = &problem.puzzle;
    let names = |tiles: &[usize]| -> Value {
        tiles.iter().map(|&tile| puzzle.tiles[tile].name.as_str()).collect()
    };
    let images = puzzle.image_uses();
    let images = images.iter().map(|image| {
        let halves = image.halves.iter().map(|half| {
            let edge = puzzle.labels.name(half.label);
            json!({"edge": edge, "number": half.tiles.len(), "cards": names(&half.tiles)})
        });
        json!({"image": image.name, "edges": halves.collect::<Value>()})
    });
    let cards = diagnosis.suspects.iter().map(|suspect| {
        let slips = suspect.slips.iter().map(|slip| slip_json(problem, slip));
        json!({
            "card": suspect.tile.map(|tile| puzzle.tiles[tile].name.as_str()),
            "likelihood": suspect.likelihood,
            "slips": slips.collect::<Value>(),
        })
    });
    let [tried, all] = diagnosis.tried;
    json!({
        "type": "doctor",
        "solvable": diagnosis.solution.is_some(),
        "complete": diagnosis.status == RunStatus::Complete,
        "tried": tried,
        "slips": all,
        "images": images.collect::<Value>(),
        "alike": problem.kinds.twins().map(names).collect::<Value>(),
        "cards": cards.collect::<Value>(),
        "other": diagnosis.other,
    })
}

/// A possible typing mistake as JSON, with its corrections.
fn slip_json(problem: &Problem, slip: &Slip) -> Value {
    let changes = slip.changes.iter().map(|change| {
        let labels = &problem.puzzle.labels;
        let tile = &problem.puzzle.tiles[change.tile];
        let mut object = json!({
            "card": tile.name,
            "side": side_name(change.side, tile.sides()),
            "typed": labels.name(tile.face(change.face)[change.side]),
            "instead": labels.name(change.label),
        });
        if tile.back.is_some() {
            object["face"] = change.face.name().into();
        }
        object
    });
    json!({
        "kind": slip.kind.name(),
        "likelihood": slip.likelihood,
        "solutions": slip.solutions,
        "words": slip.describe(problem),
        "changes": changes.collect::<Value>(),
    })
}
