//! Files that something has gone over: whatever they say, the loader gives a puzzle or an error,
//! and does so soon.

mod common;

use std::time::{Duration, Instant};

use edgematch::load;
use proptest::prelude::*;

const OWN: &str = "name: x\nrows: 2\ncols: 2\nmatching: half\nrotations: true\nborder: grey\n\
    tiles:\n  1: [ylw+, red-, grn+, blu+]\n  2: [blu-, blu+, ylw-, grn+]\n  \
    3: &a [red-, grn-, blu+, ylw-]\n  4: *a\n";
const CELLS: &str = "board: {cells: {A: 4, B: 3, 3: 5}, seams: [[A, 0, B, 1], [A, 1, A, 3], [3, 4, B, 0]]}\n\
    border: x\ntiles:\n  1: {edges: [a+, b-, x, b+], back: [a-, b+, x, x]}\n  2: [a-, x, a+]\n  \
    3: [x, x, x, x, a-]\nconstraints:\n  - pin: {cell: 3, tile: 3, face: front}\n  \
    - forbid: {cells: [A, B], face: back, shows: {2: a}}\n  - seam: {cells: [A, B], fit: free}\n";
const WRAPPED: &str = "board: {grid: [2, 2], wrap: both}\nflip: mirror\nrotations: false\n\
    constraints: [{adjacent: {tiles: [1, 2], sides: [right, any]}}]\n\
    tiles: {1: [a, b, c, d], 2: [a, b, c, d], 3: [a, b, c, d], 4: [a, b, c, d]}\n";
const ODD: &str = "A: [t=1,r=0,f=front]\nB: [t=2,r=1]\n3: [t=3,r=2]\n----------\n==========\n";
const ODD_JSON: &str = r#"{"type":"solution","placements":[{"cell":"A","tile":"1","rotation":0,"face":"back"},
    {"cell":"B","tile":"2","rotation":0},{"cell":"3","tile":"3","rotation":4}]}"#;
const BLOG: &str = "1: [['ylw', '+'], ['red', '-'], ['grn', '+'], ['blu', '+']]\n";
const SOLUTION: &str = "[t=1,r=0] [t=2,r=1]\n[t=3,r=2] [t=4,r=3]\n----------\n==========\n";
const JSON: &str = r#"{"type":"solution","placements":[{"cell":[1,1],"tile":"1","rotation":0}]}"#;

/// Bits of syntax that are likely to upset a reader.
const PIECES: [&str; 28] = [
    "[",
    "]",
    "{",
    "}",
    ":",
    ": ",
    "- ",
    "\n",
    "\n  ",
    "*a",
    "&a ",
    "!!int ",
    "|\n",
    ">\n",
    "'",
    "\"",
    "#",
    "---\n",
    "...\n",
    "%YAML 1.1\n",
    "\0",
    "\u{feff}",
    "<<: *a\n",
    "~",
    "9999999999",
    "-1",
    "\u{2028}",
    "tiles: ",
];

fn mangled(original: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        0..4usize,
        0..PIECES.len(),
        any::<u8>(),
    );
    proptest::collection::vec(edit, 1..8).prop_map(move |edits| {
        let mut bytes = original.as_bytes().to_vec();
        for (at, what, piece, byte) in edits {
            let at = at.index(bytes.len() + 1);
            match what {
                0 => drop(bytes.splice(at..at, PIECES[piece].bytes())),
                1 => bytes.truncate(at),
                2 => bytes.insert(at, byte),
                _ => drop(bytes.drain(at..(at + usize::from(byte) % 9).min(bytes.len()))),
            }
        }
        bytes
    })
}

fn read_soon(read: impl FnOnce()) {
    let started = Instant::now();
    read();
    assert!(started.elapsed() < Duration::from_secs(10), "reading hangs");
}

#[test]
fn what_is_mangled_is_a_puzzle_before() {
    for text in [CELLS, WRAPPED, BLOG, &OWN.replace("matching: half\n", "")] {
        load::from_str(text).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_mangled_puzzle_is_a_puzzle_or_an_error(
        bytes in prop_oneof![mangled(OWN), mangled(BLOG), mangled(CELLS), mangled(WRAPPED)],
    ) {
        read_soon(|| {
            if let Err(error) = load::from_bytes(&bytes, "mangled", "mangled") {
                let text = error.render();
                assert!(!error.message.is_empty() && text.len() < 2000, "{text}");
            }
        });
    }

    #[test]
    fn a_mangled_solution_is_an_arrangement_or_an_error(
        bytes in prop_oneof![mangled(SOLUTION), mangled(JSON)],
    ) {
        let problem = load::from_str(&OWN.replace("matching: half\n", "")).unwrap();
        read_soon(|| {
            if let Err(error) = load::read_solutions(&bytes, "mangled", &problem) {
                assert!(error.render().len() < 2000);
            }
        });
    }

    #[test]
    fn so_is_one_on_a_board_of_cells(bytes in prop_oneof![mangled(ODD), mangled(ODD_JSON)]) {
        let problem = load::from_str(CELLS).unwrap();
        read_soon(|| {
            if let Err(error) = load::read_solutions(&bytes, "mangled", &problem) {
                assert!(error.render().len() < 2000);
            }
        });
    }

    #[test]
    fn any_bytes_at_all(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_soon(|| drop(load::from_bytes(&bytes, "bytes", "bytes")));
    }
}
