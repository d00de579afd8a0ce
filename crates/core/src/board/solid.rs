//! The five regular solids, as lists of the corners of their faces.
//!
//! Sides are numbered counter-clockwise as seen from outside.

use itertools::Itertools;

use super::build::BoardParts;
use super::{Cell, CellName, CellSide, Shape};

/// A regular solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solid {
    /// Four triangles.
    Tetrahedron,
    /// Six squares.
    Cube,
    /// Eight triangles.
    Octahedron,
    /// Twelve pentagons.
    Dodecahedron,
    /// Twenty triangles.
    Icosahedron,
}

impl Solid {
    /// Every solid.
    pub const ALL: [Solid; 5] = [
        Solid::Tetrahedron,
        Solid::Cube,
        Solid::Octahedron,
        Solid::Dodecahedron,
        Solid::Icosahedron,
    ];

    /// The name in puzzle files.
    pub fn name(self) -> &'static str {
        match self {
            Solid::Tetrahedron => "tetrahedron",
            Solid::Cube => "cube",
            Solid::Octahedron => "octahedron",
            Solid::Dodecahedron => "dodecahedron",
            Solid::Icosahedron => "icosahedron",
        }
    }

    /// The faces, each as its corners in counter-clockwise order as seen from outside. Side i joins
    /// corners i and i + 1.
    fn faces(self) -> Vec<&'static [u8]> {
        let faces = match self {
            Solid::Tetrahedron => "abc adb acd bdc",
            Solid::Cube => "bacd feab hgef dcgh aegc fbdh",
            Solid::Octahedron => "abe afb aed adf bce bfc cde cfd",
            Solid::Dodecahedron => {
                "abedc bafhg acijf ghlmk jinpo dersq cdqni ebgkr hfjol mlopt pnqst kmtsr"
            }
            Solid::Icosahedron => {
                "acb abh agc afg ahf bci bdh bid cge cei dlh dij djl egk eji ekj fkg fhl flk jkl"
            }
        };
        faces.split(' ').map(str::as_bytes).collect()
    }

    /// The names of the faces: words for a cube, otherwise numbers from 1.
    fn names(self, faces: usize) -> Vec<String> {
        match self {
            Solid::Cube => CUBE_NAMES.map(str::to_owned).to_vec(),
            _ => (1..=faces).map(|face| face.to_string()).collect(),
        }
    }
}

/// The names of the faces of a cube. Side 0 of each face is on its right in the cross-shaped net.
const CUBE_NAMES: [&str; 6] = ["front", "right", "back", "left", "top", "bottom"];

/// The data of a board whose cells are the faces of a solid. Two sides touch if they are the same
/// edge of the solid, so there is no rim.
pub(super) fn board_parts(solid: Solid) -> BoardParts {
    let faces = solid.faces();
    let sides = |face: usize| faces[face].iter().copied().circular_tuple_windows().enumerate();
    let mut seams: Vec<[CellSide; 2]> = Vec::new();
    for [first, second] in (0..faces.len()).array_combinations() {
        for ((side, (a, b)), (other, (c, d))) in sides(first).cartesian_product(sides(second)) {
            if (a, b) == (d, c) {
                seams.push([(first, side), (second, other)]);
            }
        }
    }
    let names = solid.names(faces.len()).into_iter().zip(&faces);
    let cells = names.map(|(name, face)| Cell { name: CellName::Named(name), sides: face.len() });
    BoardParts::with_unnamed_seam_types(
        Some(Shape::Solid(solid)),
        cells.collect(),
        seams,
        solid.name().to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::Board;
    use super::*;
    use crate::puzzle::Face;

    #[test]
    fn solids_have_their_faces_seams_and_groups() {
        for (solid, faces, sides, group) in [
            (Solid::Tetrahedron, 4, 3, 12),
            (Solid::Cube, 6, 4, 24),
            (Solid::Octahedron, 8, 3, 24),
            (Solid::Dodecahedron, 12, 5, 60),
            (Solid::Icosahedron, 20, 3, 60),
        ] {
            let board = Board::solid(solid);
            assert_eq!(board.size(), faces);
            assert!(board.cells().iter().all(|cell| cell.sides == sides));
            assert_eq!(board.seams().len(), faces * sides / 2);
            assert!(board.rim().is_empty() && board.own_seams().is_empty());
            let rotations = board.symmetries().iter().filter(|s| s.motion[0].face() == Face::Front);
            assert_eq!(rotations.count(), group, "{solid:?}");
            assert_eq!(board.symmetries().len(), 2 * group);
        }
    }

    #[test]
    fn the_faces_of_a_cube_touch_as_in_its_net() {
        let board = Board::solid(Solid::Cube);
        let named = |name: &str| CUBE_NAMES.iter().position(|n| *n == name).unwrap();
        let touch = |first: (&str, usize), second: (&str, usize)| {
            let ends = [(named(first.0), first.1), (named(second.0), second.1)];
            let mut seams = board.seams().iter();
            seams.any(|s| [s.first, s.second] == ends || [s.second, s.first] == ends)
        };
        const RIGHT: usize = 0;
        const TOP: usize = 1;
        const LEFT: usize = 2;
        const BOTTOM: usize = 3;
        for (left, right) in
            [("left", "front"), ("front", "right"), ("right", "back"), ("back", "left")]
        {
            assert!(touch((left, RIGHT), (right, LEFT)), "{left} {right}");
        }
        assert!(touch(("top", BOTTOM), ("front", TOP)));
        assert!(touch(("bottom", TOP), ("front", BOTTOM)));
        assert!(touch(("top", RIGHT), ("right", TOP)));
        assert!(touch(("bottom", RIGHT), ("right", BOTTOM)));
    }
}
