//! Damaged files: for any content, the loader returns a puzzle or an error.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use edgematch::load;
use hmac_sha256::Hash;
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

/// A text in each form of other programs.
const FOREIGN: [(&str, &str); 10] = [
    ("cards", r#"[[["B",1],["D",0],["C",0],[7,1]]]"#),
    ("letters", "AbDC dBca, aaBB\nCCdd # four\n"),
    ("signed", "+1 -2 +3 -4\n-1 2 -3 +4\n1, 1, 2, 2\n3 3 4 4\n"),
    (
        "catalogue",
        r#"<?xml version="1.0"?><legespielConfiguration xmlns="http://whatsoftwarecando.org">
        <name>A &amp; B</name><numberOfRows>1</numberOfRows><numberOfColumns>2</numberOfColumns><pictures>
        <picture id="1" name="Cat 1" matchWithIds="2"/><picture id="2" name="Cat 2" matchWithIds="1 4"/>
        <picture id="3" matchWithIds="3"/><picture id="4" matchWithIds="2"/></pictures><cards>
        <card north="1" west="2" east="3" south="4"/><card north="2" west="2" east="3" south="1"/></cards>
        </legespielConfiguration>"#,
    ),
    ("tile", "c a comment\np tile 2 2 5\n0 1 2 0\n0 3 1 1\n0 0 5 4\n2 2 2 2\n"),
    ("eternity", "2 2\n1 0 1 2 0\n2 0 3 1 1\n17 0 0 5 4\n4 2 2 2 2\n"),
    ("puz", "2 2\n0 1 2 0\n0 3 1 1\n0 0 5 4\n2 2 2 2\n"),
    ("csv", "0,1,2,0\n0,3,1,1\n0,0,5,4\n2,2,2,2\n"),
    (
        "link",
        "https://e2.bucas.name/#puzzle=A%20b&board_w=2&board_h=2&board_edges=abcaaadbcbaadaab&board_pieces=001002003004",
    ),
    ("code", "em1-AApzY3JhbWJsZS0xAwMEB3lsdwdyZWQHZ3JuB2JsdQAJAOb4x3Fn2IZ6pCli8u_-bCU"),
];

/// Pieces of syntax that are likely to upset a parser.
const PIECES: [&str; 45] = [
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
    "<",
    "/>",
    "&amp;",
    "&x;",
    "<!DOCTYPE a [<!ENTITY x \"y\">]>",
    "<picture id=\"1\"/>",
    "matchWithIds=\"9 9\"",
    "+",
    ",",
    "&",
    "=",
    "%ff",
    "board_w=",
    "board_edges=",
    "p tile ",
    "AbcD ",
    "é",
];

fn mangled(original: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let edit = (any::<prop::sample::Index>(), 0..4usize, 0..PIECES.len(), any::<u8>());
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

/// A code with these bytes and a valid checksum.
fn checked(code: &[u8]) -> Vec<u8> {
    let body = code.strip_prefix(b"em1-").unwrap_or(code);
    let letters: Vec<u8> = body.iter().copied().filter(u8::is_ascii_alphanumeric).collect();
    let whole = &letters[..letters.len() / 4 * 4];
    let mut content = URL_SAFE_NO_PAD.decode(whole).unwrap();
    content.truncate(content.len().saturating_sub(3));
    let hash = Hash::hash(&content);
    content.extend(&hash[..3]);
    format!("em1-{}", URL_SAFE_NO_PAD.encode(content)).into_bytes()
}

#[test]
fn originals_are_valid_before_mangling() {
    for text in [CELLS, WRAPPED, BLOG, &OWN.replace("matching: half\n", "")] {
        load::from_str(text).unwrap();
    }
    for (name, text) in FOREIGN {
        let told =
            load::ReadOverrides { from: Some(name.into()), ..load::ReadOverrides::default() };
        let reading = told.options(str::to_owned).unwrap();
        let read = load::from_bytes_as(text.as_bytes(), "text", "text", &reading);
        read.unwrap_or_else(|e| panic!("{name}: {}", e.render()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn a_mangled_puzzle_is_a_puzzle_or_an_error(
        bytes in prop_oneof![mangled(OWN), mangled(BLOG), mangled(CELLS), mangled(WRAPPED)],
    ) {
        if let Err(error) = load::from_bytes(&bytes, "mangled", "mangled") {
            let text = error.render();
            assert!(!error.message.is_empty() && text.len() < 2000, "{text}");
        }
    }

    #[test]
    fn a_mangled_solution_is_an_arrangement_or_an_error(
        bytes in prop_oneof![mangled(SOLUTION), mangled(JSON)],
    ) {
        let problem = load::from_str(&OWN.replace("matching: half\n", "")).unwrap();
        if let Err(error) = load::read_solutions(&bytes, "mangled", &problem) {
            assert!(error.render().len() < 2000);
        }
    }

    #[test]
    fn a_mangled_board_of_cells_is_a_puzzle_or_an_error(bytes in prop_oneof![mangled(ODD), mangled(ODD_JSON)]) {
        let problem = load::from_str(CELLS).unwrap();
        if let Err(error) = load::read_solutions(&bytes, "mangled", &problem) {
            assert!(error.render().len() < 2000);
        }
    }

    #[test]
    fn a_mangled_puzzle_in_any_form_is_a_puzzle_or_an_error(
        (which, bytes) in (0..FOREIGN.len()).prop_flat_map(|which| (Just(which), mangled(FOREIGN[which].1))),
        other in 0..FOREIGN.len(),
        is_damaged_within in any::<bool>(),
    ) {
        let (name, _) = FOREIGN[which];
        let bytes = match name {
            // Otherwise only its checksum would be rejected.
            "code" if is_damaged_within => checked(&bytes),
            _ => bytes,
        };
        for from in [None, Some(name), Some(FOREIGN[other].0)] {
            let told = load::ReadOverrides { from: from.map(str::to_owned), ..load::ReadOverrides::default() };
            let reading = told.options(str::to_owned).unwrap();
            match load::from_bytes_as(&bytes, "mangled", "mangled", &reading) {
                Err(error) => {
                    let text = error.render();
                    assert!(!error.message.is_empty() && text.len() < 2000, "{text}");
                }
                Ok(problem) => {
                    // A puzzle that was read can be written, or the reason why not is reported.
                    for form in load::PUZZLE_FORMATS {
                        let _ = form.write(&problem, None);
                    }
                    let _ = load::own_arrangements(&bytes, &problem);
                }
            }
        }
    }

    #[test]
    fn any_bytes_are_a_puzzle_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = load::from_bytes(&bytes, "bytes", "bytes");
    }
}

/// A visitor that continued after an error made the YAML reader panic. No truncation or insertion
/// may cause a panic.
#[test]
fn truncations_and_insertions_are_read_or_rejected() {
    const CONSTRAINTS: &str = "- pin: {cell: {row: 1}, tile: 1, rotation: 0}\n- linear: {terms: [{weight: 2, cells: [[1, 1], row 2], \
        shows: {top: a}}], at_least: 2}\n- adjacent: {tiles: [1, 2], sides: [right, any]}\n- seam: {cells: [[1, 1], [1, 2]], fit: free}\n";
    let problem = load::from_str(
        "tiles: {1: [a, b, a, b], 2: [a, b, a, b], 3: [a, b, a, b], 4: [a, b, a, b]}",
    )
    .unwrap();
    let read = |form: &str, text: &str| {
        // It does not matter here whether the text is accepted.
        let _ = match form {
            "constraints" => {
                load::constraints_from_bytes(problem.clone(), text.as_bytes(), "file").err()
            }
            "terms" => load::expression(&problem, text, "file").err(),
            "board" => {
                let told = load::ReadOverrides {
                    board: Some(text.to_owned()),
                    ..load::ReadOverrides::default()
                };
                told.options(str::to_owned).err()
            }
            _ => load::from_bytes(text.as_bytes(), "file", "file").err(),
        };
    };
    let own = [
        ("constraints", "- pin: {cell: {}{}ce\n"),
        ("constraints", "- pin: {cell: {}}\n"),
        ("constraints", CONSTRAINTS),
        ("terms", "[{weight: 2, cells: {column: 1}, shows: {top: a}}]"),
        ("board", "{cells: {A: 4, B: 3}, seams: [[A, 0, B, 1]]}"),
        ("own", OWN),
        ("own", CELLS),
        ("own", WRAPPED),
        ("blog", BLOG),
    ];
    for (form, text) in own.into_iter().chain(FOREIGN) {
        for at in (0..=text.len()).filter(|&at| text.is_char_boundary(at)) {
            read(form, &text[..at]);
            for inserted in ["{}", "[]", ",", ":"] {
                read(form, &format!("{}{inserted}{}", &text[..at], &text[at..]));
            }
        }
    }
}
