//! The five regular solids, computed from the coordinates of their corners.
//!
//! The faces of a solid of triangles are the triples of corners with minimum pairwise distance. A
//! cube and a dodecahedron are the duals of such solids: each corner becomes a face, and each
//! neighbour of the corner becomes the face across one of its sides. Sides are numbered
//! counter-clockwise as seen from outside.

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
    fn faces(self) -> Vec<Vec<usize>> {
        match self {
            Solid::Tetrahedron => triangles(&TETRAHEDRON),
            Solid::Octahedron => triangles(&OCTAHEDRON),
            Solid::Icosahedron => triangles(&icosahedron()),
            Solid::Cube => dual(&triangles(&OCTAHEDRON), &CUBE_STARTS),
            Solid::Dodecahedron => dual(&triangles(&icosahedron()), &[]),
        }
    }

    /// The names of the faces: words for a cube, otherwise numbers from 1.
    fn names(self, faces: usize) -> Vec<String> {
        match self {
            Solid::Cube => CUBE_NAMES.map(str::to_owned).to_vec(),
            _ => (1..=faces).map(|face| face.to_string()).collect(),
        }
    }
}

type Point = [f64; 3];

const TETRAHEDRON: [Point; 4] =
    [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];

/// The corners of an octahedron: front, right, back, left, top and bottom.
const OCTAHEDRON: [Point; 6] = [
    [0.0, -1.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [-1.0, 0.0, 0.0],
    [0.0, 0.0, 1.0],
    [0.0, 0.0, -1.0],
];

/// The names of the faces of a cube, in the order of the corners of its dual, the octahedron.
const CUBE_NAMES: [&str; 6] = ["front", "right", "back", "left", "top", "bottom"];

/// The face at side 0 of each face of a cube: the one on its right in the cross-shaped net.
const CUBE_STARTS: [usize; 6] = [1, 2, 3, 0, 1, 1];

/// The twelve corners of an icosahedron, around the origin.
fn icosahedron() -> Vec<Point> {
    let golden = (1.0 + 5f64.sqrt()) / 2.0;
    let points = [1.0, -1.0].into_iter().cartesian_product([1.0, -1.0]).flat_map(|(a, b)| {
        let point: Point = [0.0, a, b * golden];
        (0..3).map(move |turn| [point[turn], point[(turn + 1) % 3], point[(turn + 2) % 3]])
    });
    points.collect()
}

/// The vector from `b` to `a`.
fn minus(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The scalar product.
fn dot(a: &Point, b: &Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
fn cross(a: &Point, b: &Point) -> Point {
    let at = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [at(1, 2), at(2, 0), at(0, 1)]
}

/// The faces of a solid of triangles around the origin: the triples of corners with minimum
/// pairwise distance. Each is counter-clockwise as seen from outside, and starts with its smallest
/// corner.
fn triangles(corners: &[Point]) -> Vec<Vec<usize>> {
    const TOLERANCE: f64 = 1.01;
    let distance = |a: usize, b: usize| {
        let between = minus(&corners[a], &corners[b]);
        dot(&between, &between)
    };
    let all = (0..corners.len()).array_combinations();
    let nearest = all.map(|[a, b]| distance(a, b)).fold(f64::MAX, f64::min);
    let is_near = |a: usize, b: usize| distance(a, b) < nearest * TOLERANCE;
    let triples = (0..corners.len()).array_combinations();
    let faces = triples.filter(|&[a, b, c]| is_near(a, b) && is_near(b, c) && is_near(c, a));
    let turned_outside = faces.map(|[a, b, c]| {
        let normal = cross(&minus(&corners[b], &corners[a]), &minus(&corners[c], &corners[a]));
        if dot(&normal, &corners[a]) > 0.0 { vec![a, b, c] } else { vec![a, c, b] }
    });
    turned_outside.collect()
}

/// The faces of the dual solid: one for each corner of the given solid, as the list of given faces
/// around that corner, counter-clockwise as seen from outside. Side 0 of a dual face is towards the
/// corner given in `starts`, or towards the smallest neighbour if `starts` has no entry.
fn dual(faces: &[Vec<usize>], starts: &[usize]) -> Vec<Vec<usize>> {
    let corners = faces.iter().flatten().max().map_or(0, |last| last + 1);
    // The given face in which `to` follows `from`.
    let face_with = |from: usize, to: usize| {
        faces.iter().position(|face| {
            let mut sides = face.iter().circular_tuple_windows();
            sides.any(|(&a, &b)| (a, b) == (from, to))
        })
    };
    let around = |corner: usize| {
        let beside = (0..corners).find(|&other| face_with(corner, other).is_some());
        let start = starts.get(corner).copied().or(beside);
        // The side of the dual that crosses an edge joins the two given faces along that edge. The
        // one that contains the edge in the direction towards `corner` comes first.
        let mut face = start.and_then(|start| face_with(start, corner));
        let mut around = Vec::new();
        while let Some(next) = face.filter(|next| !around.contains(next)) {
            around.push(next);
            let of_face = &faces[next];
            let sides = of_face.len();
            let at = of_face.iter().position(|&c| c == corner);
            face = at.and_then(|at| face_with(corner, of_face[(at + sides - 1) % sides]));
        }
        around
    };
    (0..corners).map(around).collect()
}

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
