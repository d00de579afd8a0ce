//! The members of an explanation by their names.

use edgematch::analyse::explain::Members;
use edgematch::board::CellSide;
use edgematch::load::tile_text;
use edgematch::problem::Problem;
use itertools::Itertools;

/// Constraints, seams and tiles as one calls them.
pub struct NamedMembers {
    /// A number from 1 and what it is: `2 (pin)`.
    pub constraints: Vec<String>,
    /// Two cells, and their sides where they touch more than once.
    pub seams: Vec<String>,
    /// Names.
    pub tiles: Vec<String>,
}

impl NamedMembers {
    /// Those of an explanation.
    pub fn new(problem: &Problem, members: &Members) -> Self {
        let constraint = |&index: &usize| {
            let name = problem.constraints[index].name();
            format!("{} ({name})", index + 1)
        };
        let cell = |cell: usize| &problem.board.cells()[cell].name;
        let seam = |ends: [CellSide; 2]| {
            let name = ends.map(|(at, _)| cell(at)).iter().join("-");
            match problem.board.ambiguous_side_names(ends) {
                Some(sides) => format!("{name} ({})", sides.join("-")),
                None => name,
            }
        };
        let tile = |&index: &usize| tile_text(&problem.puzzle.tiles[index].name);
        NamedMembers {
            constraints: members.constraints.iter().map(constraint).collect(),
            seams: members.ends(problem).into_iter().map(seam).collect(),
            tiles: members.tiles.iter().map(tile).collect(),
        }
    }
}
