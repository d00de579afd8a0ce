//! A small puzzle on each kind of board, with counts found by brute force.

/// The name of a puzzle, its YAML, and its numbers of solutions, classes and distinct arrangements.
pub type Known = (&'static str, &'static str, [u64; 3]);

pub const BOARDS: [Known; 6] = [
    (
        "cube",
        "board: cube
tiles:
  t0: [d, c, b, c]
  t1: [d, c, b, c]
  t2: [d, c, c, c]
  t3: [c, c, c, c]
  t4: [b, c, b, d]
  t5: [b, c, b, c]
",
        [768, 32, 2],
    ),
    (
        "torus",
        "board: {grid: [2, 3], wrap: both}
tiles:
  t0: [a-, c-, c+, a+]
  t1: [a-, a-, a+, a-]
  t2: [a+, a+, c-, a-]
  t3: [a+, b-, a+, a-]
  t4: [a-, a+, c+, b+]
  t5: [a-, b+, c+, b+]
  t6: [a+, a-, a-, a+]
",
        [36, 3, 3],
    ),
    (
        "two-sided",
        "board: {grid: [2, 2]}
tiles:
  t0: [d-, e-, b-, d-]
  t1: [b+, a-, c-, c+]
  t2: {edges: [c+, b+, e+, e+], back: [a-, b-, b+, d+]}
  t3: {edges: [b-, c-, a+, a+], back: [a+, c-, b-, a+]}
",
        [8, 2, 2],
    ),
    (
        "mirrored",
        "board: tetrahedron
flip: mirror
tiles:
  t0: [a-, a+, d+]
  t1: [a+, a+, a-]
  t2: [c-, d-, a-]
  t3: [a-, a+, c+]
",
        [96, 4, 2],
    ),
    (
        "reversed",
        "board: {grid: [2, 2]}
flip: reverse
tiles:
  t0: [a-, c+, a+, b+]
  t1: [a+, b-, b-, b-]
  t2: [d, b-, a-, a+]
  t3: [b-, a+, b-, b-]
",
        [96, 12, 6],
    ),
    (
        "mixed",
        "board:
  cells: {c0: 4, c1: 3, c2: 5, c3: 3}
  seams: [[c0, 0, c1, 0], [c0, 1, c0, 3], [c0, 2, c2, 0], [c2, 2, c3, 0], [c2, 3, c3, 1]]
tiles:
  t0: {edges: [c+, a+, b, c+, a+], back: [a-, c-, a+, c-, b]}
  t1: {edges: [c-, a-, c+], back: [a+, c+, b]}
  t2: {edges: [b, a+, a+], back: [b, b, b]}
  t3: {edges: [a+, a+, b, a-], back: [b, b, b, b]}
  t4: {edges: [c-, c+, c+], back: [a+, c+, b]}
",
        [5, 5, 3],
    ),
];
