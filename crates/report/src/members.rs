//! The names of constraints, seams and tiles in an explanation.

use edgematch::analyse::explain::Members;
use edgematch::board::CellSide;
use edgematch::load::tile_text;
use edgematch::problem::Problem;
use itertools::Itertools;

/// The members of an explanation by their names for people.
pub struct NamedMembers {
    /// The constraints: number from 1 and name or kind, `2 (pin)`.
    pub constraints: Vec<String>,
    /// The seams: two cells, `(1,1)-(1,2)`, with the sides if the cells touch more than once.
    pub seams: Vec<String>,
    /// The names of the tiles.
    pub tiles: Vec<String>,
}

/// The number of a constraint, from 1, and its name or kind: `2 (pin)`.
pub fn numbered_constraint(problem: &Problem, index: usize) -> String {
    format!("{} ({})", index + 1, problem.constraints[index].title())
}

impl NamedMembers {
    /// Names the members of an explanation.
    pub fn new(problem: &Problem, members: &Members) -> Self {
        let seam = |ends: [CellSide; 2]| {
            let name = ends.map(|(at, _)| &problem.board.cells()[at].name).iter().join("-");
            match problem.board.ambiguous_side_names(ends) {
                Some(sides) => format!("{name} ({})", sides.join("-")),
                None => name,
            }
        };
        let tile = |&index: &usize| tile_text(&problem.puzzle.tiles[index].name);
        NamedMembers {
            constraints: members
                .constraints
                .iter()
                .map(|&i| numbered_constraint(problem, i))
                .collect(),
            seams: members.ends(problem).into_iter().map(seam).collect(),
            tiles: members.tiles.iter().map(tile).collect(),
        }
    }
}
