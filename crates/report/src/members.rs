//! The names of constraints, seams and tiles in an explanation.

use edgematch::analyse::explain::Members;
use edgematch::board::CellSide;
use edgematch::load::tile_text;
use edgematch::problem::Problem;
use itertools::Itertools;

/// The number of a constraint, from 1, and its name or kind: `2 (pin)`.
pub fn numbered_constraint(problem: &Problem, index: usize) -> String {
    format!("{} ({})", index + 1, problem.constraints[index].title())
}

/// The members of an explanation by their names for people, each list with its noun: constraints by
/// number and name or kind, `2 (pin)`; seams by their cells, `(1,1)-(1,2)`, with the sides if the
/// cells touch more than once; tiles by name.
pub fn named_members(problem: &Problem, members: &Members) -> [(&'static str, Vec<String>); 3] {
    let seam = |ends: [CellSide; 2]| {
        let name = ends.map(|(at, _)| &problem.board.cells()[at].name).iter().join("-");
        match problem.board.ambiguous_side_names(ends) {
            Some(sides) => format!("{name} ({})", sides.join("-")),
            None => name,
        }
    };
    let constraints = members.constraints.iter().map(|&i| numbered_constraint(problem, i));
    let tiles = members.tiles.iter().map(|&i| tile_text(&problem.puzzle.tiles[i].name));
    [
        ("constraint", constraints.collect()),
        ("seam", members.ends(problem).into_iter().map(seam).collect()),
        ("tile", tiles.collect()),
    ]
}
