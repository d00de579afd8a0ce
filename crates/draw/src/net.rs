//! The layout of a board in the plane: the place of each cell, and the seams that are cut apart.
//!
//! ```text
//!           ┌─────┐            The cells of a grid are placed in rows and columns. Any other board
//!           │ top │            is unfolded from its most central cell, edge to edge. A cell that
//!    ┌──────┼─────┼─────┬────┐ would overlap another starts a new piece. A seam whose sides
//!    │ left ┊front┊right┊back│ coincide is a fold; any other seam is cut apart and numbered.
//!    └──────┼─────┼─────┴────┘
//!           │ bot.│
//!           └─────┘
//! ```

use std::collections::HashMap;

use edgematch::board::{Board, CellName, CellSide};

use super::TILE;
use super::polygon::{PlacedPolygon, Point, bounds};

/// The space between pieces, in units.
const BETWEEN: f64 = 30.0;

/// A board laid out flat.
pub(super) struct Net {
    /// The polygon of each cell.
    pub polygons: Vec<PlacedPolygon>,
    /// The seams inside the drawing, whose two sides coincide.
    pub folds: Vec<[CellSide; 2]>,
    /// The seams that are cut apart, numbered from 1 in this order.
    pub cuts: Vec<[CellSide; 2]>,
    /// The other side of each cut seam, by side.
    cut_from: HashMap<CellSide, CellSide>,
}

impl Net {
    /// Lays out a board: in rows and columns if its cells are squares of a grid, otherwise
    /// unfolded.
    pub fn new(board: &Board) -> Net {
        let polygons = match board.squares() {
            Some(_) => in_rows(board),
            None => unfolded(board),
        };
        let lies_on = |polygons: &[PlacedPolygon], [first, second]: [CellSide; 2]| {
            let [from, to] = polygons[first.0].ends(first.1);
            let [back, forth] = polygons[second.0].ends(second.1);
            is_near(from, forth) && is_near(to, back)
        };
        let (folds, mut cuts): (Vec<_>, Vec<_>) =
            board.touching().partition(|&ends| lies_on(&polygons, ends));
        cuts.sort_by_key(|ends| ends.iter().min().copied());
        let both_ways = cuts.iter().flat_map(|&[a, b]| [(a, b), (b, a)]);
        Net { polygons, folds, cut_from: both_ways.collect(), cuts }
    }

    /// Returns true if any seam is cut apart in the drawing.
    pub fn is_cut(&self) -> bool {
        !self.cuts.is_empty()
    }

    /// The sides at which the seam of `side` is visible: `side`, and its other side if the seam is
    /// cut apart.
    pub fn places(&self, side: CellSide) -> Vec<CellSide> {
        std::iter::once(side).chain(self.cut_from.get(&side).copied()).collect()
    }
}

/// Returns true if two points coincide, up to rounding.
fn is_near(a: Point, b: Point) -> bool {
    const NEARLY: f64 = 0.01;
    (a.0 - b.0).hypot(a.1 - b.1) < NEARLY
}

/// The cells of a grid in their rows and columns.
fn in_rows(board: &Board) -> Vec<PlacedPolygon> {
    let place = |(index, name): (usize, &CellName)| match *name {
        CellName::At(row, column) => (row, column),
        CellName::Named(_) => (1, index + 1),
    };
    let names = board.cells().iter().map(|cell| &cell.name).enumerate();
    let middle = |number: usize| (number as f64 - 0.5) * TILE;
    names
        .map(place)
        .map(|(row, column)| PlacedPolygon::new(4).moved((middle(column), middle(row))))
        .collect()
}

/// The cells of any board, unfolded in one or more pieces that do not overlap.
fn unfolded(board: &Board) -> Vec<PlacedPolygon> {
    let mut polygons: Vec<Option<PlacedPolygon>> = vec![None; board.size()];
    let mut pieces = Vec::new();
    for cells in board.pieces() {
        for start in from_the_centre(board, cells) {
            if polygons[start].is_none() {
                pieces.push(unfold(board, start, &mut polygons));
            }
        }
    }
    side_by_side(&pieces, &mut polygons);
    // Every cell belongs to a piece, so none is dropped.
    polygons.into_iter().flatten().collect()
}

/// Sorts connected cells by eccentricity, the distance in seams to the farthest cell, the most
/// central first. For many cells, it is approximated by the distances from three cells, including
/// the two ends of a long path.
fn from_the_centre(board: &Board, mut cells: Vec<usize>) -> Vec<usize> {
    /// With more cells, the eccentricity is approximated.
    const LARGE: usize = 1_000;
    let mut farthest: Vec<Option<usize>> = vec![None; board.size()];
    let mut reach = |from: usize| {
        let distances = board.distances(from);
        for (farthest, &distance) in farthest.iter_mut().zip(&distances) {
            *farthest = distance.max(*farthest);
        }
        cells.iter().copied().max_by_key(|&cell| distances[cell])
    };
    if cells.len() > LARGE {
        reach(cells[0]).and_then(&mut reach).and_then(&mut reach);
    } else {
        for &cell in &cells {
            reach(cell);
        }
    }
    cells.sort_by_key(|&cell| (farthest[cell], cell));
    cells
}

/// Lays out a piece by breadth-first search from a cell, and returns its cells. A cell that would
/// overlap one of the piece is left for another piece.
fn unfold(board: &Board, start: usize, polygons: &mut [Option<PlacedPolygon>]) -> Vec<usize> {
    let first = PlacedPolygon::new(board.touching_sides(start).len());
    let mut plane = Plane::default();
    plane.add(first);
    polygons[start] = Some(first);
    let mut piece = vec![start];
    let mut next = 0;
    while let Some(&cell) = piece.get(next) {
        next += 1;
        let Some(polygon) = polygons[cell] else {
            continue;
        };
        for (side, touches) in board.touching_sides(cell).iter().enumerate() {
            let Some((other, its_side)) = *touches else {
                continue;
            };
            let there = polygon.adjacent(side, board.touching_sides(other).len(), its_side);
            if polygons[other].is_none() && plane.is_free(&there) {
                plane.add(there);
                polygons[other] = Some(there);
                piece.push(other);
            }
        }
    }
    piece
}

/// The polygons of a piece, in square buckets, so that only those nearby are tested for overlap.
#[derive(Default)]
struct Plane(HashMap<(i64, i64), Vec<PlacedPolygon>>);

impl Plane {
    /// The side of a bucket, in units: at least the diameter of the largest polygon, with 16 sides.
    const SQUARE: f64 = 6.0 * TILE;

    /// The bucket that contains the middle of a polygon.
    fn square(polygon: &PlacedPolygon) -> (i64, i64) {
        let of = |at: f64| (at / Plane::SQUARE).floor() as i64;
        (of(polygon.x), of(polygon.y))
    }

    /// Adds a polygon, without testing whether it overlaps others.
    fn add(&mut self, polygon: PlacedPolygon) {
        let square = Plane::square(&polygon);
        self.0.entry(square).or_default().push(polygon);
    }

    /// Returns true if a polygon overlaps none of those added.
    fn is_free(&self, polygon: &PlacedPolygon) -> bool {
        let (x, y) = Plane::square(polygon);
        let around = itertools::iproduct!(x - 1..=x + 1, y - 1..=y + 1);
        let mut near = around.filter_map(|square| self.0.get(&square)).flatten();
        !near.any(|other| other.overlaps(polygon))
    }
}

/// Moves pieces next to each other, in lines of about 1.4 times the side of a square with their
/// total area; the top left corner is at 0.
fn side_by_side(pieces: &[Vec<usize>], polygons: &mut [Option<PlacedPolygon>]) {
    let bounds: Vec<(Point, Point)> = pieces
        .iter()
        .map(|piece| bounds(piece.iter().filter_map(|&cell| polygons[cell].as_ref())))
        .collect();
    let size = |&((left, top), (right, bottom)): &(Point, Point)| (right - left, bottom - top);
    let sizes: Vec<Point> = bounds.iter().map(size).collect();
    let area = |(width, height): &Point| (width + BETWEEN) * (height + BETWEEN);
    let area: f64 = sizes.iter().map(area).sum();
    let line = sizes.iter().map(|size| size.0).fold(0.0, f64::max).max(area.sqrt() * 1.4);
    let mut x = 0.0;
    let mut y = 0.0;
    let mut height = 0.0;
    for ((piece, bounds), size) in pieces.iter().zip(&bounds).zip(&sizes) {
        if x > 0.0 && x + size.0 > line {
            (x, y, height) = (0.0, y + height + BETWEEN, 0.0);
        }
        let by = (x - bounds.0.0, y - bounds.0.1);
        for &cell in piece {
            polygons[cell] = polygons[cell].map(|polygon| polygon.moved(by));
        }
        x += size.0 + BETWEEN;
        height = f64::max(height, size.1);
    }
}

#[cfg(test)]
mod tests {
    use edgematch::board::{Solid, Wrap};
    use fastrand::Rng;

    use super::*;

    fn assert_nothing_overlaps(net: &Net) {
        for (index, polygon) in net.polygons.iter().enumerate() {
            for other in &net.polygons[..index] {
                assert!(!polygon.overlaps(other), "{polygon:?} {other:?}");
            }
        }
    }

    /// Asserts that every side that touches another is in exactly one fold or cut.
    fn assert_all_seams(board: &Board, net: &Net) {
        let mut ends: Vec<CellSide> =
            net.folds.iter().chain(&net.cuts).flatten().copied().collect();
        let sides: usize = board.cells().iter().map(|cell| cell.sides).sum();
        assert_eq!(ends.len() + board.rim().len(), sides);
        ends.sort_unstable();
        assert!(ends.windows(2).all(|two| two[0] != two[1]));
    }

    /// The number of pieces that the folds hold together.
    fn pieces(net: &Net) -> usize {
        let mut piece: Vec<usize> = (0..net.polygons.len()).collect();
        for &[first, second] in &net.folds {
            let from = piece[first.0];
            let to = piece[second.0];
            piece.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
        }
        piece.sort_unstable();
        piece.dedup();
        piece.len()
    }

    #[test]
    fn solids_unfold_in_one_piece() {
        for solid in Solid::ALL {
            let board = Board::solid(solid);
            let net = Net::new(&board);
            assert_nothing_overlaps(&net);
            assert_all_seams(&board, &net);
            assert_eq!(pieces(&net), 1, "{solid:?}");
            assert_eq!(net.folds.len(), board.size() - 1, "{solid:?}");
        }
    }

    #[test]
    fn a_cube_unfolds_to_a_cross() {
        let board = Board::solid(Solid::Cube);
        let net = Net::new(&board);
        let place = |name: &str| {
            let mut cells = board.cells().iter();
            let cell = cells.position(|cell| cell.name.bare() == name).unwrap();
            let polygon = net.polygons[cell];
            assert!(polygon.sides == 4 && polygon.turn == 0.0);
            let of = |at: f64| (at / TILE).round() as i32;
            (of(polygon.x - TILE / 2.0), of(polygon.y - TILE / 2.0))
        };
        let names = ["front", "left", "right", "top", "bottom", "back"];
        let places = [(1, 1), (0, 1), (2, 1), (1, 0), (1, 2), (3, 1)];
        assert_eq!(names.map(place), places);
    }

    #[test]
    fn a_large_field_lies_flat_in_one_piece() {
        let board = Board::plane(edgematch::board::Polygon::Hexagon, 60, 60);
        let net = Net::new(&board);
        assert_all_seams(&board, &net);
        assert!(!net.is_cut());
        let places = [(5, 0), (3_599, 2)].map(|side| net.places(side));
        assert_eq!(places, [vec![(5, 0)], vec![(3_599, 2)]]);
    }

    #[test]
    fn joined_ends_of_a_grid_are_cut_apart() {
        for (rows, columns, wrap, cuts) in [
            (3, 4, Wrap::Both, 7),
            (2, 2, Wrap::Both, 4),
            (1, 1, Wrap::Both, 2),
            (3, 4, Wrap::Horizontal, 3),
            (3, 4, Wrap::Vertical, 4),
        ] {
            let board = Board::wrapped(rows, columns, wrap).unwrap();
            let net = Net::new(&board);
            assert_all_seams(&board, &net);
            assert_eq!(net.cuts.len(), cuts);
            assert_eq!(net.polygons[0], PlacedPolygon::new(4).moved((50.0, 50.0)));
            for [one, other] in &net.cuts {
                assert_eq!(net.places(*one), [*one, *other]);
                assert_eq!(net.places(*other), [*other, *one]);
            }
        }
        assert!(!Net::new(&Board::grid(3, 3)).is_cut());
    }

    fn named(sides: &[usize]) -> Vec<(String, usize)> {
        sides.iter().enumerate().map(|(index, &sides)| (index.to_string(), sides)).collect()
    }

    #[test]
    fn pieces_that_no_seam_joins_lie_beside_each_other() {
        let seams = vec![[(0, 0), (1, 0)], [(2, 1), (3, 2)]];
        let board = Board::from_cells(named(&[3, 3, 4, 6]), seams).unwrap();
        let net = Net::new(&board);
        assert_nothing_overlaps(&net);
        assert_all_seams(&board, &net);
        assert_eq!((pieces(&net), net.is_cut()), (2, false));
    }

    #[test]
    fn overlapping_cells_are_cut_apart() {
        // Six squares around a corner overlap.
        let seams = (0..6).map(|cell| [(cell, 0), ((cell + 1) % 6, 1)]);
        let board = Board::from_cells(named(&[4; 6]), seams.collect()).unwrap();
        let net = Net::new(&board);
        assert_nothing_overlaps(&net);
        assert_all_seams(&board, &net);
        assert_eq!((pieces(&net), net.cuts.len()), (2, 2));
        // Six triangles around a corner do not.
        let seams = (0..6).map(|cell| [(cell, 0), ((cell + 1) % 6, 1)]);
        let board = Board::from_cells(named(&[3; 6]), seams.collect()).unwrap();
        assert!(!Net::new(&board).is_cut());
    }

    #[test]
    fn polygons_joined_at_random_never_overlap() {
        let mut drawn = 0;
        for seed in 0..60 {
            let mut random = Rng::with_seed(seed);
            let cells = random.usize(2..60);
            let sides: Vec<usize> = (0..cells).map(|_| random.usize(3..=16)).collect();
            let all = sides.iter().enumerate();
            let mut ends: Vec<CellSide> =
                all.flat_map(|(cell, &sides)| (0..sides).map(move |side| (cell, side))).collect();
            random.shuffle(&mut ends);
            ends.truncate(random.usize(..=ends.len()));
            let seams = ends.chunks_exact(2).map(|two| [two[0], two[1]]).collect();
            // Boards with many identical isolated cells have too many symmetries and are rejected.
            let Ok(board) = Board::from_cells(named(&sides), seams) else {
                continue;
            };
            let net = Net::new(&board);
            assert_nothing_overlaps(&net);
            assert_all_seams(&board, &net);
            drawn += 1;
        }
        assert!(drawn >= 40, "{drawn} boards");
    }
}
