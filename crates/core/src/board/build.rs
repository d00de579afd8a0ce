//! Assembles a board from cells and pairs of sides: seam types, rim and symmetries.
//!
//! Every board is built here, so all obey the same rules: a side touches at most one other, and the
//! group is computed, never declared.

use super::symmetry::{SymmetryError, find_symmetries};
use super::{Board, Cell, CellSide, Seam, SeamType, SeamsByRequirement, Shape, Touching, sorted};

/// The data from which a board is assembled.
pub(super) struct BoardParts {
    pub cells: Vec<Cell>,
    /// Pairs of touching sides, each side at most once. Two sides of the same cell may touch.
    pub seams: Vec<[CellSide; 2]>,
    /// Seam types with their names and directions. A seam that has none of these types gets a new
    /// type.
    pub named_types: Vec<SeamType>,
    /// The shape; `None` if cells and seams are user-defined.
    pub shape: Option<Shape>,
    pub description: String,
}

impl BoardParts {
    /// Creates the data of a board without named seam types.
    pub fn with_unnamed_seam_types(
        shape: Option<Shape>,
        cells: Vec<Cell>,
        seams: Vec<[CellSide; 2]>,
        description: String,
    ) -> BoardParts {
        BoardParts { cells, seams, named_types: Vec::new(), shape, description }
    }

    /// Builds the board, on which every seam is required.
    ///
    /// # Errors
    /// If there are more symmetries than can be stored.
    pub fn assemble(self) -> Result<Board, SymmetryError> {
        let mut touching: Touching = self.cells.iter().map(|c| vec![None; c.sides]).collect();
        for &[first, second] in &self.seams {
            touching[first.0][first.1] = Some(second);
            touching[second.0][second.1] = Some(first);
        }
        let is_uniform = self.cells.windows(2).all(|two| two[0].sides == two[1].sides);
        let mut board = Board {
            symmetries: find_symmetries(&touching)?,
            rim: rim(&touching),
            touching,
            cells: self.cells,
            seam_types: self.named_types,
            seams: SeamsByRequirement::default(),
            own_seams: SeamsByRequirement::default(),
            shape: self.shape,
            description: self.description,
        };
        for ends in self.seams {
            if ends[0].0 == ends[1].0 {
                board.own_seams.required.push(sorted(ends));
            } else {
                board.add_seam(ends, is_uniform);
            }
        }
        Ok(board)
    }
}

/// Lists the sides that touch nothing, by cell and side.
fn rim(touching: &Touching) -> Vec<CellSide> {
    let sides = touching.iter().enumerate().flat_map(|(cell, sides)| {
        let loose = sides.iter().enumerate().filter(|(_, beside)| beside.is_none());
        loose.map(move |(side, _)| (cell, side))
    });
    sides.collect()
}

impl Board {
    /// Adds a required seam between two cells, with its ends swapped if it has a known type in the
    /// opposite direction. If it has no known type, adds one: its first end is the one with the
    /// smaller (number of sides, side). If all cells have the same number of sides, `is_uniform`
    /// omits it from the name.
    fn add_seam(&mut self, ends: [CellSide; 2], is_uniform: bool) {
        let of = |[first, second]: [CellSide; 2]| {
            let sides = |end: CellSide| (self.cells[end.0].sides, end.1);
            [sides(first), sides(second)]
        };
        let is_of = |t: &SeamType, ends| {
            [(t.first_sides, t.first_side), (t.second_sides, t.second_side)] == of(ends)
        };
        let turned = [ends[1], ends[0]];
        for (index, known) in self.seam_types.iter().enumerate() {
            for [first, second] in [ends, turned] {
                if is_of(known, [first, second]) {
                    self.seams.required.push(Seam { first, second, seam_type: index });
                    return;
                }
            }
        }
        let [first, second] = if of(ends) <= of(turned) { ends } else { turned };
        let [(first_sides, first_side), (second_sides, second_side)] = of([first, second]);
        let name = if is_uniform {
            format!("sides {first_side}-{second_side}")
        } else {
            format!("sides {first_sides}.{first_side}-{second_sides}.{second_side}")
        };
        self.seam_types.push(SeamType { name, first_sides, first_side, second_sides, second_side });
        self.seams.required.push(Seam { first, second, seam_type: self.seam_types.len() - 1 });
    }
}
