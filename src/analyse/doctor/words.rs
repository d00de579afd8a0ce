//! Formats slips as questions to check against the card.

use itertools::Itertools;

use super::Slip;
use super::slips::SlipKind;
use crate::board::side_name;
use crate::problem::Problem;
use crate::puzzle::{Change, Face};

impl Slip {
    /// Formats the slip as questions that use the puzzle's names of edges but do not name the tile.
    pub fn describe(&self, problem: &Problem) -> String {
        let side = |change: &Change| side_of(problem, change);
        match (self.kind, &self.changes[..]) {
            (SlipKind::Order, changes) => {
                let sides = changes.iter().map(side).unique().sorted().format(" and ");
                format!(
                    "are {sides} exchanged on every card? Were the edges listed row by row instead of around the card?"
                )
            }
            (SlipKind::Copied, _) => {
                "is it a copy of another card? Any other card could fit".to_owned()
            }
            (SlipKind::Mirrored, _) => "was it read in the opposite direction?".to_owned(),
            (SlipKind::Exchanged, [one, other]) => {
                format!("are {} and {} exchanged?", side(one), side(other))
            }
            (_, changes) => changes.iter().map(|change| question_about(problem, change)).join("; "),
        }
    }
}

/// Describes one edge that may be mistyped, as a question that does not name the tile.
fn question_about(problem: &Problem, change: &Change) -> String {
    let labels = &problem.puzzle.labels;
    let typed = problem.puzzle.tiles[change.tile].face(change.face)[change.side];
    format!(
        "{}: typed `{}`, but should it be `{}`?",
        side_of(problem, change),
        labels.name(typed),
        labels.name(change.label)
    )
}

/// The name of the side of a change, such as `right`, `edge 2` or `top of the back`.
fn side_of(problem: &Problem, change: &Change) -> String {
    let name = side_name(change.side, problem.puzzle.tiles[change.tile].sides());
    let side = match name.parse::<usize>() {
        Ok(_) => format!("edge {name}"),
        Err(_) => name,
    };
    match change.face {
        Face::Front => side,
        Face::Back => format!("{side} of the back"),
    }
}
