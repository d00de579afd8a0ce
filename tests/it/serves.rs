//! Every engine supports every board, except as listed in `REFUSALS`.

use edgematch::load;

use crate::common::{Feature, every_engine, serving};

/// The board and everything else before the tiles, the tiles, and the features.
const BOARDS: [(&str, &str, &[Feature]); 24] = [
    ("rows: 2, cols: 2", SQUARES, &[]),
    ("rows: 2, cols: 2, border: b", SQUARES, &[]),
    ("rows: 2, cols: 2, rotations: false", SQUARES, &[]),
    ("rows: 2, cols: 2, flip: mirror", SQUARES, &[]),
    ("rows: 2, cols: 2", "1: {edges: [a, b, a, b], copies: any}", &[]),
    ("rows: 2, cols: 2", "1: {edges: [a, b, a, b], back: [a, a, b, b], copies: 4}", &[]),
    ("rows: 2, cols: 2", "1: {corners: [a, b, c, d], copies: 4}", &[]),
    ("rows: 1, cols: 2", SQUARES, &[Feature::NoRectangle]),
    ("rows: 3, cols: 1", SQUARES, &[Feature::NoRectangle]),
    ("board: {mask: ['##', '#.']}", SQUARES, &[Feature::NoRectangle]),
    ("board: {mask: [AA, BB]}", SQUARES, &[]),
    ("board: {grid: [2, 2], wrap: horizontal}", SQUARES, &[Feature::NoRectangle]),
    ("board: {grid: [2, 2], wrap: both}", SQUARES, &[Feature::NoRectangle]),
    ("board: cube", "1: {edges: [a, b, a, b], copies: 6}", &[Feature::NoRectangle]),
    ("board: tetrahedron", TRIANGLES, &[Feature::NoRectangle]),
    ("board: {triangles: [1, 3]}", TRIANGLES, &[Feature::NoRectangle]),
    ("board: {rhombus: 1}", TRIANGLES, &[Feature::NoRectangle]),
    ("board: flower", HEXAGONS, &[Feature::NoRectangle]),
    ("board: {hexagons: [2, 2]}", HEXAGONS, &[Feature::NoRectangle]),
    (
        "board: {cells: {x: 4, y: 3}, seams: [[x, 0, y, 0], [x, 1, x, 2]]}",
        "1: [a, b, b, a], 2: [a, b, a]",
        &[Feature::NoRectangle],
    ),
    ("rows: 2, cols: 2", "1: {edges: [a, b, '?', b], copies: 4}", &[Feature::UnknownEdges]),
    ("rows: 2, cols: 2", "1: {corners: [a, b, '?', b], copies: 4}", &[Feature::UnknownEdges]),
    (
        "rows: 2, cols: 2, constraints: [seam: {cells: [[1, 1], [1, 2]], fit: free}]",
        SQUARES,
        &[Feature::FreeSeams],
    ),
    (
        "rows: 2, cols: 2, constraints: [seam: {cells: [[1, 1], [1, 2]], fit: wanted}]",
        SQUARES,
        &[Feature::FreeSeams],
    ),
];

const SQUARES: &str = "1: [a, b, a, b], 2: [a, b, a, b], 3: [a, a, b, b], 4: [b, b, a, b]";
const TRIANGLES: &str = "1: {edges: [a, b, a], copies: any}";
const HEXAGONS: &str = "1: {edges: [a, b, a, b, b, b], copies: any}";

#[test]
fn engines_reject_only_the_listed_boards() {
    for (board, tiles, features) in BOARDS {
        let problem = load::from_str(&format!("{{{board}, tiles: {{{tiles}}}}}")).unwrap();
        serving(every_engine(), &problem, features);
        let loose = problem.breaking(1);
        serving(every_engine(), &loose, &[features, &[Feature::BrokenSeams]].concat());
    }
    let square = |tiles: usize, tile: &dyn Fn(usize) -> String| {
        let tiles = itertools::join((0..tiles).map(tile), ", ");
        load::from_str(&format!("{{tiles: {{{tiles}}}}}")).unwrap()
    };
    let labels = square(400, &|t| format!("{t}: [a{t}, b{t}, c{t}, d{t}]"));
    serving(every_engine(), &labels, &[Feature::ManyLabels]);
    let tiles = square(900, &|t| format!("{t}: [a{}, b{}, c{}, d]", t % 10, t / 10 % 10, t / 100));
    serving(every_engine(), &tiles, &[Feature::ManyPlacements]);
}
