//! Tiles with coloured corners, compared with a search that knows only vertices, not edges as pairs
//! of corners.

use std::collections::HashMap;

use edgematch::engine::{Backtrack, Contender, Engine, Milp, Order, Propagate, contenders};
use edgematch::load;
use edgematch::puzzle::EdgeCorners;
use fastrand::Rng;
use proptest::prelude::*;

use crate::common::{Feature, complete, serving};

/// An unknown corner or edge.
const UNKNOWN: i8 = 99;

/// The corners and edges of a square, clockwise from the top left corner and the top edge.
#[derive(Debug, Clone)]
struct Square {
    corners: [u8; 4],
    edges: [i8; 4],
}

/// The colours at vertices and between them, by position in a grid with twice as many rows and
/// columns.
type Seen = HashMap<(usize, usize), i8>;

impl Square {
    fn turned(&self, turns: usize) -> Square {
        let mut square = self.clone();
        square.corners.rotate_left(turns);
        square.edges.rotate_left(turns);
        square
    }

    /// The colours that the square puts around a cell. An edge shows a half; its sign is that seen
    /// from above or from the left.
    fn around(&self, (row, column): (usize, usize)) -> Vec<((usize, usize), i8)> {
        let (top, left) = (2 * row, 2 * column);
        let corners = [(top, left), (top, left + 2), (top + 2, left + 2), (top + 2, left)];
        let edges = [(top, left + 1), (top + 1, left + 2), (top + 2, left + 1), (top + 1, left)];
        let signs = [1, -1, -1, 1];
        let corners = corners.into_iter().zip(self.corners.map(|colour| colour as i8));
        let edges = edges.into_iter().zip(self.edges.iter().zip(signs));
        corners.chain(edges.map(|(place, (edge, sign))| (place, edge * sign))).collect()
    }
}

/// The number of ways to fill the remaining cells.
fn brute_force(squares: &[Square], columns: usize, used: u32, seen: &Seen) -> u64 {
    let cell = used.count_ones() as usize;
    if cell == squares.len() {
        return 1;
    }
    let mut number = 0;
    for (tile, turns) in itertools::iproduct!(0..squares.len(), 0..4) {
        if used >> tile & 1 == 1 {
            continue;
        }
        let around = squares[tile].turned(turns).around((cell / columns, cell % columns));
        if around.iter().all(|(place, shown)| seen.get(place).is_none_or(|there| there == shown)) {
            let mut seen = seen.clone();
            seen.extend(around);
            number += brute_force(squares, columns, used | 1 << tile, &seen);
        }
    }
    number
}

/// The same if some corners and edges are unknown: touching squares are compared edge by edge.
fn brute_force_in_part(squares: &[Square], columns: usize, laid: &[(usize, Seen)]) -> u64 {
    let cell = laid.len();
    if cell == squares.len() {
        return 1;
    }
    let above = cell.checked_sub(columns);
    let before = cell.checked_sub(1).filter(|_| !cell.is_multiple_of(columns));
    let mut number = 0;
    for (tile, turns) in itertools::iproduct!(0..squares.len(), 0..4) {
        if laid.iter().any(|(used, _)| *used == tile) {
            continue;
        }
        let around = squares[tile].turned(turns);
        let around: Seen = around.around((cell / columns, cell % columns)).into_iter().collect();
        let meets = |other: &usize| {
            around.iter().all(|(place, &shown)| {
                let there = laid[*other].1.get(place).copied().unwrap_or(shown);
                shown == there || [shown, there].iter().any(|s| s.abs() == UNKNOWN)
            })
        };
        if [above, before].iter().flatten().all(meets) {
            let laid = [laid, &[(tile, around)]].concat();
            number += brute_force_in_part(squares, columns, &laid);
        }
    }
    number
}

/// Squares cut from a board with random vertices and rotated; some vertices are then changed.
fn squares(rows: usize, columns: usize, colours: u8, halves: i8, seed: u64) -> Vec<Square> {
    let mut random = Rng::with_seed(seed);
    let mut seen = Seen::new();
    for (row, column) in itertools::iproduct!(0..=2 * rows, 0..=2 * columns) {
        let shown = match (row % 2, column % 2) {
            (0, 0) => random.i8(0..colours as i8),
            _ if halves == 0 => 0,
            _ => random.i8(1..=halves) * [1, -1][random.usize(..2)],
        };
        seen.insert((row, column), shown);
    }
    let blank = Square { corners: [0; 4], edges: [1; 4] };
    let mut squares: Vec<Square> = itertools::iproduct!(0..rows, 0..columns)
        .map(|cell| {
            let shown: Vec<i8> = blank
                .around(cell)
                .into_iter()
                .map(|(place, sign)| seen[&place] * if sign == 0 { 1 } else { sign })
                .collect();
            let corners = std::array::from_fn(|k| shown[k] as u8);
            let edges = std::array::from_fn(|k| shown[4 + k]);
            Square { corners, edges }.turned(random.usize(..4))
        })
        .collect();
    if random.u8(..3) == 0 {
        let spoilt = random.usize(..squares.len());
        squares[spoilt].corners[random.usize(..4)] = random.u8(..colours);
    }
    random.shuffle(&mut squares);
    squares
}

/// The puzzle file, listed clockwise or counter-clockwise.
fn yaml(squares: &[Square], (rows, columns): (usize, usize), is_clockwise: bool) -> String {
    let order = if is_clockwise { "clockwise-from-top" } else { "counterclockwise-from-right" };
    let mut text = format!("rows: {rows}\ncols: {columns}\norder: {order}\ntiles:\n");
    for (square, name) in squares.iter().zip(1..) {
        // Counter-clockwise from the right, the first corner is the lower right one.
        let places = if is_clockwise { [0, 1, 2, 3] } else { [2, 1, 0, 3] };
        let corners = places.map(|k| match square.corners[k] as i8 {
            UNKNOWN => "\"?\"".to_owned(),
            colour => format!("c{colour}"),
        });
        let places = if is_clockwise { [0, 1, 2, 3] } else { [1, 0, 3, 2] };
        let edges = places.map(|k| match square.edges[k] {
            UNKNOWN => "\"?\"".to_owned(),
            half @ 1.. => format!("e{half}+"),
            half => format!("e{}-", -half),
        });
        text += &format!("  {name}: {{corners: [{}]", corners.join(", "));
        if square.edges[0] != 0 {
            text += &format!(", edges: [{}]", edges.join(", "));
        }
        text += "}\n";
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]
    #[test]
    fn partly_unknown_edges_match_their_known_parts(
        size in proptest::sample::select(&[(1, 2), (2, 2), (2, 3), (3, 2)][..]),
        colours in 2..4u8,
        halves in 0..3i8,
        seed in any::<u64>(),
    ) {
        let mut squares = squares(size.0, size.1, colours, halves, seed);
        let mut random = Rng::with_seed(seed);
        for _ in 0..random.usize(1..4) {
            let tile = random.usize(..squares.len());
            let square = &mut squares[tile];
            match random.usize(..4) {
                side if random.bool() && halves > 0 => square.edges[side] = UNKNOWN,
                side => square.corners[side] = UNKNOWN as u8,
            }
        }
        let number = brute_force_in_part(&squares, size.1, &[]);
        prop_assume!(number < 2_000);
        let text = yaml(&squares, size, true);
        let problem = load::from_str(&text).unwrap();
        let features = [Feature::of_grid(size), vec![Feature::UnknownEdges]].concat();
        for Contender { name, engine } in serving(contenders(), &problem, &features) {
            if engine.name() != "milp" || number <= 30 {
                let solutions = complete(&problem, engine.as_ref()).tally.solutions;
                prop_assert_eq!(solutions, number.into(), "{}: {}", name, text);
            }
        }
    }

    #[test]
    fn coloured_corners_agree_with_brute_force(
        size in proptest::sample::select(&[(1, 2), (2, 2), (2, 3), (3, 2)][..]),
        colours in 2..4u8,
        halves in 0..3i8,
        seed in any::<u64>(),
    ) {
        let squares = squares(size.0, size.1, colours, halves, seed);
        let number = brute_force(&squares, size.1, 0, &Seen::new());
        for is_clockwise in [true, false] {
            let text = yaml(&squares, size, is_clockwise);
            let problem = load::from_str(&text).unwrap();
            let plain = Backtrack::Plain(Order::Spiral);
            for engine in [&Propagate as &dyn Engine, &plain, &Milp::default()] {
                // The model would need too many no-good cuts.
                if engine.name() == "milp" && number > 100 {
                    continue;
                }
                let solutions = complete(&problem, engine).tally.solutions;
                prop_assert_eq!(solutions, number.into(), "{}", text);
            }
        }
    }
}

#[test]
fn a_back_may_have_corners_and_the_border_has_none() {
    let text = "{rows: 1, cols: 1, order: clockwise-from-top, border: rim, tiles: {1: {
                corners: [a, b, c, d], edges: [rim, x+, y, rim],
                back: {corners: [d, a, a, b]}}}}";
    let problem = load::from_str(text).unwrap();
    let puzzle = &problem.puzzle;
    let names = |labels: &[_]| labels.iter().map(|&l| puzzle.labels.name(l)).collect();
    // Right, top, left, bottom.
    let front: Vec<String> = names(&puzzle.tiles[0].edges);
    assert_eq!(front, ["c/x+/b+", "rim", "rim", "c/y/d-"]);
    let back: Vec<String> = names(puzzle.tiles[0].back.as_ref().unwrap());
    assert_eq!(back, ["a/a", "a/d+", "b/d-", "a/b-"]);
    let corners = EdgeCorners::from_edge(puzzle.labels.edge(puzzle.tiles[0].edges[0])).unwrap();
    assert_eq!((&corners.first[..], &corners.second[..]), ("c", "b"));
}
