//! Puzzles in the formats of other programs: reading, writing, and reported losses.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use edgematch::engine::Propagate;
use edgematch::load::{self, PUZZLE_FORMATS, PuzzleFormat, ReadOptions, ReadOverrides, Remedy};
use edgematch::problem::{Arrangement, Problem};
use edgematch::puzzle::Label;
use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use crate::common::shapes::{Draw, Shape, Toy};
use crate::common::{complete, expected, loaded};
use crate::session::{at_root, puzzle, run, run_with_input, write};

/// The files of `tests/forms`: file, the puzzle that it contains, and its format.
const TYPED: [(&str, &str, &str); 10] = [
    ("scramble-1.blog.yaml", "scramble-1", "yaml"),
    ("huberf-cards.json", "huberf-cards", "cards"),
    ("asterix-knobelei.txt", "asterix-knobelei", "text"),
    ("crazy-turtle-1979.txt", "crazy-turtle-1979", "text"),
    ("die-baeren-knobelei.xml", "die-baeren-knobelei", "catalogue"),
    ("framed-4x4-tud.puz", "framed-4x4-tud", "tile"),
    ("framed-4x4-gallicchio.txt", "framed-4x4-gallicchio", "text"),
    ("random-frame-5x5-6-s1.puz", "random-frame-5x5-6-s1", "tile"),
    ("framed-6x6-tud.csv", "framed-6x6-tud", "csv"),
    ("framed-3x3-tud.link.txt", "framed-3x3-tud", "link"),
];

fn typed(file: &str) -> String {
    format!("tests/forms/{file}")
}

fn form(name: &str) -> &'static PuzzleFormat {
    PuzzleFormat::named(name).unwrap()
}

fn told(from: Option<&str>, board: Option<String>) -> ReadOptions {
    let told = ReadOverrides { from: from.map(str::to_owned), board, ..ReadOverrides::default() };
    told.options(str::to_owned).unwrap()
}

/// The numbers of solutions, classes and distinct arrangements.
fn counts(problem: &Problem) -> [u64; 3] {
    let tally = complete(problem, &Propagate).tally;
    let counts = [tally.solutions, tally.classes, tally.distinct];
    counts.map(|count| count.try_into().unwrap())
}

#[test]
fn real_puzzles_have_their_counts_in_every_form() {
    let expected: HashMap<String, _> = expected().into_iter().collect();
    for (file, name, form) in TYPED {
        let bytes = fs::read(at_root(&typed(file))).unwrap();
        let found = load::form_of(&bytes, file, &ReadOptions::AS_WRITTEN).unwrap();
        assert_eq!(found.name, form, "{file}");
        let problem = load::read(&at_root(&typed(file))).unwrap();
        let known = expected[name].as_ref().unwrap();
        let known = [known.solutions, known.classes, known.distinct];
        assert_eq!(counts(&problem), known, "{file}");
    }
    // Text lists are tested together, and the code has its own test.
    let is_typed = |form: &&PuzzleFormat| TYPED.iter().any(|(.., name)| *name == form.name);
    let untyped: Vec<&str> =
        PUZZLE_FORMATS.iter().filter(|form| !is_typed(form)).map(|f| f.name).collect();
    assert_eq!(untyped, ["blog", "whole", "letters", "signed", "eternity", "puz", "code"]);
}

/// Codes written by earlier versions can still be read.
#[test]
fn codes_of_version_one_stay_what_they_are() {
    const SCRAMBLE: &str =
        "em1-AApzY3JhbWJsZS0xAwMEB3lsdwdyZWQHZ3JuB2JsdQAJAOb4x3Fn2IZ6pCli8u_-bCU";
    let solved = run(&["count", SCRAMBLE]);
    assert!(
        solved.stdout.contains("solutions  4\nclasses    1\ndistinct   1\n"),
        "{}",
        solved.stdout
    );
    let written = run(&["convert", "-q", &puzzle("scramble-1"), "--to", "code"]);
    assert_eq!(written.stdout, format!("{SCRAMBLE}\n"));
}

#[test]
fn every_puzzle_of_ours_survives_our_own_form_and_the_code() {
    let folders = ["puzzles", "puzzles/boards"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(at_root(folder)).unwrap());
    let files = files.map(|file| file.unwrap().path());
    let mut number = 0;
    for file in files.filter(|file| file.extension().is_some_and(|e| e == "yaml")) {
        let problem = load::read(&file).unwrap();
        for name in ["yaml", "code"] {
            let written = form(name).write(&problem, None).unwrap();
            let again = load::from_str(&written.text).unwrap();
            let one = everything(&problem, name);
            let other = everything(&again, name);
            assert_eq!(one, other, "{} as {name}", file.display());
        }
        number += 1;
    }
    assert!(number > 90);
}

/// The problem as YAML, without the parts that a code does not store if that is the format.
fn everything(problem: &Problem, form_name: &str) -> String {
    let mut parts = problem.clone().into_parts();
    if form_name == "code" {
        parts.puzzle.title = None;
        parts.puzzle.source = None;
        parts.puzzle.pictures = None;
        parts.puzzle.images = Vec::new();
        parts.puzzle.allowed = Vec::new();
    }
    let problem =
        Problem::new(parts.puzzle, parts.board).unwrap().with_constraints(parts.constraints);
    let sums = format!("{} {}", problem.sums.len(), problem.group.len());
    form("yaml").write(&problem, None).unwrap().text + &sums
}

const CONSTRAINTS: &str = "\
constraints:
  - pin: {cell: [1, 1], tile: a b, rotation: 0}
  - pin: {cells: corners, rotations: [0, 2]}
  - forbid: {cells: row 2, tile: 5, shows: {top: x+, left: y}}
  - rotations: {tile: yes, rotations: [0, 1, 3]}
  - rotations: [0, 1, 2]
  - region: {tiles: [1.10, 5], only_in: border}
  - region: {cells: inside, only_from: [5, 6, 7]}
  - adjacent: {tiles: [5, 6], sides: [right, any]}
  - apart: {tiles: [7, 8]}
  - rim: {image: x, only: true}
  - rim: {same: true}
  - count: {cells: [[1, 2], [2, 1]], shows: {bottom: nowhere}, at_least: 0, at_most: 2}
  - linear: {terms: [{weight: 2, cells: column 1, rotation: 0}, {weight: -1, tile: 6}], exactly: 1}
  - use: {without: 9}
  - use: {tiles: 5}
  - seam: {cells: [[1, 1], [1, 2]], fit: free}
  - seam: {cells: [[2, 1], [3, 1]], fit: wanted}
";

#[test]
fn our_own_form_loses_nothing() {
    let yaml = format!(
        "name: \"# 1: a\\nb\"\ntitle: \"\\U0001f600 \\u2028 \\x07 'quoted' \\\"too\\\"\"\nsource: \"- no: list\"\n\
         rows: 3\ncols: 3\nrotations: false\npictures: \"p/{{tile}}.png\"\nimages: {{x+: the head, x-: \"the: tail\"}}\n\
         {CONSTRAINTS}tiles: {{a b: [x+, y, x-, y], 'yes': [x+, y, x-, y], '1.10': [x+, y, x-, y], \
         '0x1F': ['1', '1', '1', '1'], 5: ['null', '~', y, y], 6: [y, y, y, y], 7: [y, y, y, y], 8: [y, y, y, y], \
         9: [y, y, y, y], '010': [a-b+, a-b-, 'c d', 'e: f']}}\n"
    );
    let problem = load::from_str(&yaml).unwrap();
    assert_eq!(problem.constraints.len(), 17);
    let written = form("yaml").write(&problem, None).unwrap();
    assert!(written.lost.is_empty());
    let again = load::from_str(&written.text)
        .unwrap_or_else(|e| panic!("{}\n{}", e.render(), written.text));
    assert_eq!(everything(&problem, "yaml"), everything(&again, "yaml"));
    let one = &problem.puzzle;
    let other = &again.puzzle;
    assert_eq!((&one.name, &one.title, &one.source), (&other.name, &other.title, &other.source));
    assert_eq!((&one.pictures, &one.images), (&other.pictures, &other.images));
    let names = |puzzle: &edgematch::puzzle::Puzzle| -> Vec<String> {
        puzzle.tiles.iter().map(|tile| tile.name.clone()).collect()
    };
    assert_eq!(names(one), names(other));
    // Cells keep their names, and values that can be short are written so.
    for line in [
        "  - pin: {cells: corners, rotations: [0, 2]}\n",
        "  - forbid: {cells: row 2, tile: 5, shows: {top: x+, left: y}}\n",
    ] {
        assert!(written.text.contains(line), "{}", written.text);
    }
    let code = form("code").write(&problem, None).unwrap();
    assert_eq!(
        code.lost.iter().map(|lost| &lost.description[..]).collect::<Vec<_>>(),
        ["its title", "its source", "the pictures of the tiles", "the alternative names of images"]
    );
    let again = load::from_str(&code.text).unwrap_or_else(|e| panic!("{}", e.render()));
    assert_eq!(everything(&problem, "code"), everything(&again, "code"));
}

/// A random puzzle of a kind that the tested format can represent.
fn sample(seed: u64, kind: &str) -> Problem {
    let mut random = Rng::with_seed(seed);
    let rows = random.usize(1..5);
    let columns = random.usize(1..5);
    let has_halves = match kind {
        "cards" | "letters" | "signed" | "blog" => true,
        "tile" | "eternity" | "puz" | "csv" => false,
        _ => random.bool(),
    };
    let has_border = random.bool();
    let images = random.usize(1..20);
    let style = random.usize(..4);
    let image = |random: &mut Rng, at_rim: bool| {
        if has_border && at_rim {
            return "frame".to_owned();
        }
        let image = random.usize(..images);
        let name = match style {
            0 => (image + 1).to_string(),
            1 => char::from(b'A' + image as u8).to_string(),
            2 => char::from(b'b' + image as u8).to_string(),
            _ => format!("image {image}"),
        };
        match (has_halves, random.bool()) {
            (false, _) => name,
            (true, false) => name + "+",
            (true, true) => name + "-",
        }
    };
    let names = random.usize(..3);
    let mut yaml = format!("rows: {rows}\ncols: {columns}\n");
    if random.bool() {
        yaml += "title: A title\nsource: 'a <source> & \"more\"'\n";
    }
    if has_border {
        yaml += "border: frame\n";
    }
    if random.u8(..4) == 0 {
        yaml += "rotations: false\n";
    }
    yaml += "tiles:\n";
    for cell in 0..rows * columns {
        let row = cell / columns;
        let column = cell % columns;
        let rim = [column + 1 == columns, row == 0, column == 0, row + 1 == rows];
        let mut edges = rim.map(|at_rim| image(&mut random, at_rim));
        edges.rotate_left(random.usize(..4));
        let name = match names {
            0 => format!("{}", cell + 1),
            1 => format!("{}", 50 - cell),
            _ => format!("tile {cell}"),
        };
        let edges = edges.map(|edge| format!("'{edge}'"));
        yaml += &format!("  {name}: [{}]\n", edges.join(", "));
    }
    load::from_str(&yaml).unwrap_or_else(|e| panic!("{}\n{yaml}", e.render()))
}

/// A puzzle up to the names of tiles and edges: its size, the number of the label on each side of
/// each tile, and the pairs of labels that match.
type Seen = (Option<(usize, usize)>, Vec<Vec<usize>>, Vec<(usize, usize)>);

fn seen(problem: &Problem) -> Seen {
    let puzzle = &problem.puzzle;
    let mut numbers: HashMap<Label, usize> = HashMap::new();
    let mut number = |label: &Label| {
        let next = numbers.len();
        *numbers.entry(*label).or_insert(next)
    };
    let tiles = puzzle.tiles.iter().map(|tile| tile.edges.iter().map(&mut number).collect());
    let tiles = tiles.collect();
    let mut mates: Vec<(usize, usize)> = numbers
        .iter()
        .filter_map(|(label, number)| {
            let mate = numbers.get(&puzzle.labels.mate(*label))?;
            (puzzle.border != Some(*label)).then_some((*number, *mate))
        })
        .collect();
    mates.sort_unstable();
    (problem.board.rectangle(), tiles, mates)
}

/// Asserts that reading what was written gives the same puzzle, except for the reported losses.
fn survives(problem: &Problem, name: &str) -> TestCaseResult {
    let written =
        form(name).write(problem, None).map_err(|e| TestCaseError::fail(format!("{name}: {e}")))?;
    let (rows, columns) = problem.board.rectangle().unwrap();
    let size = written
        .lost
        .iter()
        .any(|lost| lost.remedy == Some(Remedy::Size))
        .then(|| format!("{{grid: [{rows}, {columns}]}}"));
    // In this format, the ending says that the width comes first.
    let untold = if name == "puz" { "file.puz" } else { "file" };
    for from in [None, Some(name)] {
        // Letters of one case are whole images, unless the form is named.
        let letters = written.text.trim_start_matches("# tiles");
        let has_both = letters.contains(char::is_lowercase) && letters.contains(char::is_uppercase);
        if from.is_none() && name == "letters" && !has_both {
            continue;
        }
        let read =
            load::from_bytes_as(written.text.as_bytes(), untold, "file", &told(from, size.clone()));
        let again = read.map_err(|e| {
            TestCaseError::fail(format!("{name}: {}\n{}", e.render(), written.text))
        })?;
        prop_assert_eq!(seen(problem), seen(&again), "{}:\n{}", name, written.text);
        let one = &problem.puzzle;
        let other = &again.puzzle;
        // The catalogue stores only one name, as the title.
        let titled = one.title.clone().or_else(|| (name == "catalogue").then(|| one.name.clone()));
        let loses = |what: &str| written.lost.iter().any(|lost| lost.description.contains(what));
        prop_assert!(titled == other.title || loses("title"), "{}", name);
        prop_assert!(one.source == other.source || loses("source"), "{}", name);
        prop_assert!(one.may_turn == other.may_turn || loses("may not be turned"), "{}", name);
        let tiles = one.tiles.iter().zip(&other.tiles);
        prop_assert!(
            tiles.into_iter().all(|(a, b)| a.name == b.name) || loses("names of the tiles"),
            "{}",
            name
        );
        let edges = |puzzle: &edgematch::puzzle::Puzzle| -> Vec<String> {
            let labels = puzzle.tiles.iter().flat_map(|tile| &tile.edges);
            let labels =
                labels.filter(|label| puzzle.labels.name(**label).trim_end_matches('+') != "frame");
            labels.map(|label| puzzle.labels.name(*label)).collect()
        };
        prop_assert!(edges(one) == edges(other) || loses("names of the images"), "{}", name);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_a_form_can_say_is_read_back(seed in any::<u64>()) {
        for form in PUZZLE_FORMATS.iter().filter(|form| form.is_written() && form.name != "link") {
            survives(&sample(seed, form.name), form.name)?;
        }
    }

    /// Links represent puzzles and arrangements, correct or not.
    #[test]
    fn links_lay_the_tiles_as_they_lay(seed in any::<u64>()) {
        let problem = sample(seed, "link");
        let mut random = Rng::with_seed(seed);
        let mut tiles: Vec<usize> = (0..problem.puzzle.tiles.len()).collect();
        random.shuffle(&mut tiles);
        let placed = tiles.into_iter().map(|tile| {
            let ways: Vec<_> = edgematch::problem::Placed::every(&problem.puzzle, tile).collect();
            ways[random.usize(..ways.len())]
        });
        let arrangement = Arrangement(placed.collect());
        let written = form("link").write(&problem, Some(&arrangement));
        let edges: std::collections::HashSet<Label> = problem.puzzle.tiles.iter().flat_map(|t| t.edges.clone()).collect();
        let is_blank = |tile: &edgematch::puzzle::Tile| tile.edges.iter().all(|l| problem.puzzle.border == Some(*l));
        prop_assume!(edges.len() <= 25 && !problem.puzzle.tiles.iter().any(is_blank));
        let written = written.map_err(|e| TestCaseError::fail(e.to_string()))?;
        let text = written.text.as_bytes();
        let read = load::read_solutions(text, "link", &problem).map_err(|e| TestCaseError::fail(e.render()))?;
        prop_assert_eq!(read.len(), 1);
        let values = |problem: &Problem, arrangement: &Arrangement| -> Vec<Vec<Label>> {
            let placed = arrangement.0.iter();
            placed.map(|p| problem.puzzle.tiles[p.tile].edges_in(p.orientation)).collect()
        };
        // Identical tiles may be exchanged.
        prop_assert_eq!(values(&problem, &read[0]), values(&problem, &arrangement));
        let tiles = |arrangement: &Arrangement| -> Vec<usize> { arrangement.0.iter().map(|p| p.tile).collect() };
        prop_assert_eq!(tiles(&read[0]), tiles(&arrangement));
        let alone = load::from_bytes(text, "link", "link").map_err(|e| TestCaseError::fail(e.render()))?;
        prop_assert_eq!(alone.board.rectangle(), problem.board.rectangle());
        let own = load::own_arrangements(text, &alone).unwrap().unwrap();
        prop_assert_eq!(tiles(&own[0]), (0..alone.board.size()).collect::<Vec<_>>());
    }

    /// YAML and the code store everything: boards of all types, two-sided tiles, borders.
    #[test]
    fn any_board_survives_our_own_form_and_the_code(seed in any::<u64>()) {
        let mut random = Rng::with_seed(seed);
        let draw = Draw::random(&mut random);
        let shape = match random.u8(..5) {
            0 => Shape::cube(),
            1 => Shape::tetrahedron(),
            2 => Shape::grid(random.usize(1..4), random.usize(1..4), random.bool(), random.bool()),
            3 => Shape::grid(2, 3, random.bool(), random.bool()).with_holes(3, &[random.usize(..6)]),
            _ => Shape::random(&mut random),
        };
        let toy = Toy::new(shape, &draw, &mut random).varied(&mut random);
        let problem = load::from_str(&toy.yaml()).unwrap();
        for name in ["yaml", "code"] {
            let written = form(name).write(&problem, None).unwrap();
            let again = load::from_str(&written.text).map_err(|e| TestCaseError::fail(format!("{}\n{}", e.render(), written.text)))?;
            prop_assert_eq!(everything(&problem, name), everything(&again, name));
        }
    }
}

/// Errors name the mistake, its position and a remedy.
#[test]
fn bad_files_are_refused_where_they_are_bad() {
    const XML: &str = "<legespielConfiguration xmlns=\"http://whatsoftwarecando.org\">";
    let relation = |pictures: &str| {
        format!(
            "{XML}<pictures>{pictures}</pictures><cards><card north=\"1\" west=\"1\" east=\"1\" \
             south=\"1\"/></cards></legespielConfiguration>"
        )
    };
    let bomb = format!(
        "<!DOCTYPE a [<!ENTITY b \"&c;&c;&c;\"><!ENTITY c \"&d;&d;&d;\"><!ENTITY d \
         \"lol\">]>{XML}&b;</legespielConfiguration>"
    );
    let outside = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY b SYSTEM \
         \"file:///etc/passwd\">]>{XML}<name>&b;</name></legespielConfiguration>"
    );
    let deep = "<a>".repeat(200_000);
    let one_way = relation("<picture id=\"1\" matchWithIds=\"2\"/>\n<picture id=\"2\"/>");
    let path = relation(
        "<picture id=\"1\" name=\"Cat\" matchWithIds=\"2\"/><picture id=\"2\" matchWithIds=\"1 3\"/>\
         <picture id=\"3\" matchWithIds=\"2 4\"/><picture id=\"4\" name=\"Dog\" \
          matchWithIds=\"3\"/>",
    );
    let unknown = relation("<picture id=\"1\" matchWithIds=\"7\"/>");
    let link = |edges: &str, pieces: &str| {
        format!("board_w=2&board_h=2&board_edges={edges}&board_pieces={pieces}")
    };
    let edges = "abcaaadbcbaadaab";
    let pieces = "001002003004";
    let table: [(&str, &str, &str, &str); 34] = [
        ("csv", " \n", "the file is empty", "expected Eternity II as CSV"),
        ("cards", "[[[\"B\",1],[\"D\",0],", "1:19:", ""),
        (
            "cards",
            "[[[\"B\",1],[\"D\",0],[\"C\",0],[\"A\",0],[\"A\",0]]]",
            "1:2: 5 words for this tile, expected 4",
            "a tile is a line",
        ),
        (
            "cards",
            "[[[\"B\",1],[\"D\",2],[\"C\",0],[\"A\",1]]]",
            "1:16: 2 is not a half: expected 1 or 0",
            "",
        ),
        (
            "cards",
            "[[[\"B\",1],[\"D\",1],[\"C\",0],[\"A\",1]]] []",
            "this is not a list of tiles",
            "",
        ),
        ("cards", "[]", "there are no tiles in this file", ""),
        ("letters", "AbDC dBc", "1:6: `dBc` has 3 letters, expected 4", "rGBw"),
        ("letters", "AbDC\ndB_a", "2:3: `_` is not a letter", "rGBw"),
        ("letters", "AbDC dBca AaBb", "1:15: 3 tiles do not fill a square", "--size"),
        ("signed", "+1 -2 +3 -4\n+1 -2", "2:1: 2 words for this tile, expected 4", "red blue"),
        (
            "tile",
            "p tile 2 2 5\n0 1 2 0\n0 3 1 1\n",
            "3:8: the file announces 2 × 2 = 4 tiles, but their number is 2",
            "cut off",
        ),
        ("tile", "p tile 2 2\n0 1 2 0", "1:1: expected `p tile ROWS COLS COLOURS`", ""),
        (
            "tile",
            "p tile 1 1 5\n0 1 7 0",
            "2:5: colour 7 is more than 5, the number in the first line",
            "",
        ),
        ("tile", "p tile 0 5 5\n0 1 2 0", "1:8: 0 is not a number of rows or columns", ""),
        ("tile", "p tile 1000 1000 5\n0 1 2 0", "1000000 tiles, but their number is 1", ""),
        ("eternity", "2 2\n0 1 2 0\n0 3 1", "3:1: 3 words for this tile, expected 4", "3 1 2 4"),
        ("eternity", "1 0 1 2 0\n1 0 3 1 1", "2:1: tile 1 appears a second time", ""),
        (
            "csv",
            "2,3\n0,1,2,0\n0,3,1,1\n",
            "3:8: the file announces 2 × 3 = 6 tiles, but their number is 2",
            "--size",
        ),
        ("csv", "a,b", "1:1: 2 words for this tile, expected 4", ""),
        ("catalogue", &outside, "2:", "remove <!DOCTYPE …>"),
        ("catalogue", &bomb, "1:1: a document type definition", "remove <!DOCTYPE …>"),
        ("catalogue", &deep, "", ""),
        ("catalogue", "<other/>", "1:1: <other>, expected <legespielConfiguration>", "<pictures>"),
        (
            "catalogue",
            "<legespielConfiguration><pictures>",
            "1:35: the file ends before </legespielConfiguration>",
            "<pictures>",
        ),
        ("catalogue", &one_way, "picture `1` matches `2`, which does not match it", "halves"),
        (
            "catalogue",
            &path,
            "picture `3` matches `4` (Dog) and `1` (Cat) does not, though both match `2`",
            "halves",
        ),
        ("catalogue", &unknown, "picture `1` matches `7`, which does not exist", ""),
        (
            "link",
            &link(&edges[..14], pieces),
            "1:47: `board_edges` has 14 letters, expected 16 for 2 × 2 cells",
            "four letters a cell",
        ),
        ("link", &link(&format!("{edges}ab"), pieces), "1:49: `board_edges` has 18 letters", ""),
        (
            "link",
            &link(edges, "001002003"),
            "`board_pieces` has 9 digits, expected 12 for 2 × 2 cells",
            "",
        ),
        ("link", &link("abcaaadbcbaaaaaa", "001002003000"), "1 of 4 cells are empty", "full board"),
        (
            "link",
            "board_w=2&board_edges=abcaaadbcbaadaab",
            "1:1: a link without `board_h`",
            "board_h=2",
        ),
        (
            "code",
            "em2-AApzY3JhbWJsZS0xAwMEB3ls",
            "a code of version 2: this edgematch reads version 1",
            "newer",
        ),
        (
            "code",
            "em1-AApzY3JhbWJsZS0xAwMEB3lsdwdyZWQHZ3JuB2JsdQAJAOb4x3Fn2IZ6pCli8u_-bCV",
            "damaged",
            "copy the whole code",
        ),
    ];
    let mut wrong = Vec::new();
    for (form, text, message, help) in table {
        let session = run_with_input(&["info", "--from", form, "-"], text);
        let says = |part: &str| session.stderr.contains(part);
        let is_right = session.code == 2
            && session.stderr.starts_with("error: -:")
            && says(message)
            && says(help)
            && session.stderr.len() < 2000
            && session.stdout.is_empty();
        if !is_right {
            wrong.push(format!("{form}: {message}: {}", session.stderr));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn convert_goes_both_ways_through_pipes_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let scramble = puzzle("scramble-1");
    // The ending determines the format of a file; standard output is YAML.
    let session = run(&["convert", &scramble, "-o", &path("a.xml")]);
    assert_eq!((session.code, session.stdout.as_str()), (0, ""));
    assert_eq!(session.stderr, "");
    let session = run(&["convert", &path("a.xml")]);
    assert!(session.stdout.contains("\n  1: [red-, ylw+, blu+, grn+]\n"), "{}", session.stdout);
    assert_eq!(session.stderr, "");
    let session = run(&["convert", &scramble, "--to", "cards"]);
    assert_eq!(session.stderr, "lost: its title; its source\n");
    let session = run_with_input(&["convert", "-", "--to", "letters", "-o", "-"], session.stdout);
    assert_eq!(session.stdout.lines().next(), Some("bADC"));
    let said =
        "lost: the names of the images\nread as: 9 tiles, 4 images in halves, edges clockwise";
    assert!(session.stderr.starts_with(said), "{}", session.stderr);
    let session = run_with_input(&["count", "-"], session.stdout);
    assert!(session.stdout.starts_with("solutions  4\n"), "{}", session.stdout);
    // A JSON list is a list of cards, a JSON object has the keys of the YAML format.
    let cards = path("a.json");
    let own = path("b.json");
    assert_eq!(run(&["convert", "-q", &scramble, "-o", &cards]).code, 0);
    assert!(fs::read_to_string(&cards).unwrap().starts_with("[[["));
    fs::write(&own, r#"{"tiles": {"1": ["a+", "b", "a-", "c"]}}"#).unwrap();
    for (file, solutions) in [(&cards, "solutions  4\n"), (&own, "solutions  4\n")] {
        let session = run(&["count", file]);
        assert!(session.stdout.starts_with(solutions), "{file}: {}", session.stderr);
    }
    // Constraints of the command line are written to YAML.
    let pinned = ["convert", &scramble, "--pin", "2,2=5@3", "--forbid", "corners=9", "-o"];
    let to = path("pinned.yaml");
    assert_eq!(run(&[&pinned[..], &[&to]].concat()).code, 0);
    let text = fs::read_to_string(&to).unwrap();
    let constraints = "constraints:\n  - forbid: {cells: corners, tile: 9}\n  - pin: {cell: [2, \
     2], tile: 5, rotation: 3}\n";
    assert!(text.contains(constraints), "{text}");
    // A cell may be pinned once in a list, but again in another list.
    let twice = path("twice.yaml");
    assert_eq!(run(&["convert", &to, "--pin", "2,2=5", "-o", &twice]).code, 0);
    let counts = [run(&["count", &to]), run(&["count", &twice])].map(|s| s.stdout);
    assert_eq!(counts[0].lines().next(), Some("solutions  1"));
    assert_eq!(counts[0].lines().next(), counts[1].lines().next());
    let session = run(&["convert", &to, "--to", "blog"]);
    assert_eq!((session.code, session.stdout.as_str()), (2, ""));
    assert!(session.stderr.contains("without losing its 2 constraints"), "{}", session.stderr);
    let session = run(&["convert", &to, "--to", "blog", "--lossy"]);
    assert_eq!(
        (session.code, session.stderr.as_str()),
        (0, "lost: its title; its source; its 2 constraints\n")
    );
}

/// Pictures are not moved: the new file has their path relative to its own folder.
#[test]
fn pictures_are_found_from_the_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::create_dir_all(path("blog/input")).unwrap();
    fs::create_dir_all(path("own")).unwrap();
    fs::copy(at_root(&typed("scramble-1.blog.yaml")), path("blog/input/tile_dict.yaml")).unwrap();
    fs::write(path("blog/input/1.png"), "").unwrap();
    let to = path("own/a.yaml");
    assert_eq!(run(&["convert", &path("blog"), "-o", &to]).code, 0);
    let pictures = |file: &str| {
        let text = fs::read_to_string(file).unwrap();
        let line = text.lines().find(|line| line.starts_with("pictures: "));
        line.map(str::to_owned)
    };
    assert_eq!(pictures(&to).as_deref(), Some("pictures: \"../blog/input/{tile}.png\""));
    assert_eq!(run(&["convert", &to, "-o", &path("own/b.yaml")]).code, 0);
    assert_eq!(pictures(&path("own/b.yaml")), pictures(&to));
    assert_eq!(run(&["convert", &to, "-o", &path("c.yaml")]).code, 0);
    assert_eq!(pictures(&path("c.yaml")).as_deref(), Some("pictures: \"blog/input/{tile}.png\""));
    let session = run(&["convert", &path("blog"), "--to", "letters"]);
    assert!(session.stderr.contains("the pictures of the tiles"), "{}", session.stderr);
}

#[test]
fn convert_refuses_what_would_be_wrong_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let to = |name: &str| folder.path().join(name).display().to_string();
    let scramble = puzzle("scramble-1");
    let framed = puzzle("framed-3x3-tud");
    let boards = "puzzles/boards/cube-4.yaml";
    let boards =
        if Path::new(boards).exists() { boards } else { "puzzles/boards/octahedron-4.yaml" };
    for (args, says) in [
        (vec![scramble.as_str(), "--to", "tile"], "here every image matches itself alone"),
        (
            vec![&framed, "--to", "cards"],
            "image `c2` matches itself, and here every image has two halves",
        ),
        (
            vec![&framed, "--to", "link"],
            "let `edgematch solve --format link` print a link for each solution",
        ),
        (vec![boards, "--to", "csv"], "it holds rectangles of squares"),
        (vec![&scramble], "its ending names no form: use --to yaml, blog, cards"),
    ] {
        let out = to("out.txt");
        let session = run(&[&["convert"], &args[..], &["-o", &out]].concat());
        assert_eq!(session.code, 2, "{args:?}");
        assert!(session.stderr.contains(says), "{args:?}: {}", session.stderr);
        assert!(!Path::new(&out).exists());
    }
    let session = run(&["convert", "-", "--arrangement", "-", "--to", "link"]);
    assert!(session.stderr.contains("can't both come from standard input"), "{}", session.stderr);
}

#[test]
fn size_and_order_are_told_where_a_file_does_not() {
    // Two tiles that match side by side, or one below the other with another order of edges.
    let refused = run_with_input(&["count", "-"], "AbCd EfGb BaDc\n");
    assert_eq!(refused.code, 2);
    let text = "AbCd EfGb\n";
    let count = |more: &[&str]| {
        let session = run_with_input(&[&["count", "-", "--format", "json"], more].concat(), text);
        let answer: serde_json::Value =
            serde_json::from_str(&session.stdout).unwrap_or_else(|_| panic!("{}", session.stderr));
        answer["solutions"].to_string()
    };
    assert_eq!(count(&["--size", "1x2"]), count(&["--size", "2x1"]));
    assert_eq!(count(&["--size", "1x2"]), count(&["--board", "{grid: [1, 2]}"]));
    for (args, says) in [
        (&["--size", "1x2", "--board", "cube"][..], "cannot be used with"),
        (&["--size", "2x"], "expected rows and columns from 1 to 1000, such as 2x5"),
        (
            &["--size", "1x2", "--edge-order", "upwards"],
            "error: --edge-order: unknown order `upwards`",
        ),
        (&["--size", "1x2", "--from", "word"], "invalid value 'word'"),
    ] {
        let session = run_with_input(&[&["count", "-"], args].concat(), text);
        assert_eq!(session.code, 2);
        assert!(session.stderr.contains(says), "{}", session.stderr);
    }
    let turned = |order: &str| {
        let args = ["convert", "-", "--size", "1x2", "--edge-order", order];
        let yaml = run_with_input(&args, text).stdout;
        yaml.lines().find(|line| line.starts_with("  1:")).map(str::to_owned)
    };
    // Top, right, bottom, left.
    assert_eq!(turned("clockwise-from-top").as_deref(), Some("  1: [A+, B-, C+, D-]"));
    assert_eq!(turned("counterclockwise-from-right").as_deref(), Some("  1: [B-, A+, D-, C+]"));
    assert_eq!(turned("clockwise-from-left").as_deref(), Some("  1: [B-, C+, D-, A+]"));
    // The order of YAML can be overridden too, but not that of a format that names the sides.
    let session = run(&["convert", &puzzle("scramble-1"), "--edge-order", "clockwise-from-top"]);
    assert!(session.stdout.contains("  1: [ylw+, red-, grn+, blu+]\n"), "{}", session.stdout);
    let session =
        run(&["info", &typed("die-baeren-knobelei.xml"), "--edge-order", "clockwise-from-top"]);
    assert_eq!(session.code, 2);
    assert!(
        session.stderr.contains("the catalogue's XML tells which edge lies on which side"),
        "{}",
        session.stderr
    );
}

#[test]
fn a_link_is_a_puzzle_and_an_arrangement() {
    let text = fs::read_to_string(at_root(&typed("framed-3x3-tud.link.txt"))).unwrap();
    let link = text.trim();
    let framed = puzzle("framed-3x3-tud");
    for args in [&["check", link][..], &["check", &framed, link], &["check", link, link]] {
        let session = run(args);
        assert_eq!(
            (session.code, session.stdout.as_str()),
            (0, "arrangement 1: fits\n"),
            "{}",
            session.stderr
        );
    }
    let session = run(&["show", link]);
    assert!(session.stdout.contains("│a 1↑ b│"), "{}", session.stdout);
    // Change a letter: a mismatched seam is not an error of the link.
    let broken = link.replace("board_edges=abca", "board_edges=adca");
    let session = run(&["check", &broken]);
    assert_eq!(session.code, 1);
    assert!(
        session.stdout.contains("does not fit: cells [1,1] and [1,2] do not match"),
        "{}",
        session.stdout
    );
    let session = run(&["check", &framed, &broken]);
    assert_eq!(session.code, 2);
    assert!(
        session.stderr.contains("cell [1,1] shows `adca`: piece 1 cannot lie there"),
        "{}",
        session.stderr
    );
    let session = run(&["check", &framed]);
    assert!(
        session.stderr.contains("no arrangement to check: `edgematch check"),
        "{}",
        session.stderr
    );
    // Other boards and empty cells are reported.
    let session = run(&["check", &puzzle("framed-4x4-tud"), link]);
    assert!(
        session.stderr.contains("the link shows 3 × 3 cells, the puzzle is on a 4 × 4 grid"),
        "{}",
        session.stderr
    );
}

/// Links of other programs use other letters; their meaning is derived from the pieces.
#[test]
fn links_with_letters_of_another_choice_are_understood() {
    let problem = load::read(&at_root("benches/boards/f16-b5k17-0.yaml")).unwrap();
    for seed in 0..3 {
        let mut random = Rng::with_seed(seed);
        let mut tiles: Vec<usize> = (0..256).collect();
        random.shuffle(&mut tiles);
        let placed = tiles.into_iter().map(|tile| {
            let ways: Vec<_> = edgematch::problem::Placed::every(&problem.puzzle, tile).collect();
            ways[random.usize(..4)]
        });
        let arrangement = Arrangement(placed.collect());
        let link = form("link").write(&problem, Some(&arrangement)).unwrap().text;
        let (head, rest) = link.split_once("board_edges=").unwrap();
        let (edges, tail) = rest.split_once('&').unwrap();
        let mut letters: Vec<char> = ('b'..='z').collect();
        random.shuffle(&mut letters);
        let other = |c: char| {
            if c == 'a' { c } else { letters[c as usize - 'b' as usize] }
        };
        let edges: String = edges.chars().map(other).collect();
        let link = format!("{head}board_edges={edges}&{tail}");
        let read = load::read_solutions(link.as_bytes(), "link", &problem)
            .unwrap_or_else(|e| panic!("{}", e.render()));
        let values = |arrangement: &Arrangement| -> Vec<Vec<Label>> {
            let placed = arrangement.0.iter();
            placed.map(|p| problem.puzzle.tiles[p.tile].edges_in(p.orientation)).collect()
        };
        assert_eq!(values(&read[0]), values(&arrangement));
    }
}

#[test]
fn solve_prints_a_link_for_each_solution() {
    let framed = puzzle("framed-4x4-gallicchio");
    let session = run(&["solve", "--format", "link", &framed]);
    let links: Vec<&str> = session.stdout.lines().collect();
    assert_eq!((session.code, links.len()), (0, 2));
    assert!(links.iter().all(|link| link.starts_with(
        "https://e2.bucas.name/#puzzle=framed%2D4x4%2Dgallicchio&board_w=4&board_h=4&board_edges="
    )));
    assert!(
        session
            .stderr
            .contains("lost: its title; its source; the names of the images; what it allows\n"),
        "{}",
        session.stderr
    );
    let checked = run_with_input(&["check", &framed, "-"], session.stdout.clone());
    assert_eq!(checked.stdout, "arrangement 1: fits\narrangement 2: fits\n", "{}", checked.stderr);
    let alone = run_with_input(&["check", "-"], session.stdout);
    assert_eq!(alone.stdout.lines().next(), Some("arrangement 1: fits"));
    // Statistics are comment lines, which readers skip.
    let session = run(&["solve", "-q", "-s", "--format", "link", &framed]);
    assert!(session.stdout.contains("%%%mzn-stat: distinct=2\n"));
    let checked = run_with_input(&["check", &framed, "-"], session.stdout);
    assert_eq!(checked.stdout, "arrangement 1: fits\narrangement 2: fits\n", "{}", checked.stderr);
    // Links cannot represent halves or other boards.
    let session = run(&["solve", "--format", "link", &puzzle("scramble-1")]);
    assert!(
        session.stderr.contains("which halves fit: each is a letter of its own"),
        "{}",
        session.stderr
    );
    let session = run(&["solve", "--format", "link", "puzzles/boards/octahedron-4.yaml"]);
    assert_eq!((session.code, session.stdout.as_str()), (2, ""));
    assert!(
        session.stderr.contains("it holds rectangles of squares, not an octahedron"),
        "{}",
        session.stderr
    );
}

/// All commands read all formats, and batches and certificates store how a puzzle was read.
#[test]
fn batches_and_certificates_take_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (file, ..) in TYPED {
        fs::copy(at_root(&typed(file)), path(file)).unwrap();
    }
    let converted = run(&["convert", "-q", &puzzle("crazy-turtles"), "--to", "code"]).stdout;
    let code = converted.trim();
    // In a folder, only files with puzzle endings are found; others must be named.
    let all = path("");
    let cards = path("huberf-cards.json");
    let results = path("runs.sqlite");
    let session = run(&["batch", "-q", &all, &cards, code, "--results", &results]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run(&["results", &results, "--format", "jsonl"]);
    let rows: Vec<serde_json::Value> =
        session.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 6, "{}", session.stdout);
    assert!(rows.iter().all(|row| row["status"] == "ALL_SOLUTIONS"), "{}", session.stdout);
    // A certificate stores the format and the edge order of its puzzle.
    let letters = typed("asterix-knobelei.txt");
    let proof = path("proof");
    let args = [
        "solve",
        "-q",
        &letters,
        "--edge-order",
        "clockwise-from-left",
        "--from",
        "letters",
        "--certificate",
        &proof,
    ];
    assert_eq!(run(&args).code, 0);
    assert!(folder.path().join("proof/puzzle.txt").is_file());
    let session = run(&["verify", &proof, &letters]);
    assert_eq!(session.code, 0, "{}{}", session.stdout, session.stderr);
    assert!(
        session.stdout.contains("with --from letters, --edge-order clockwise-from-left"),
        "{}",
        session.stdout
    );
    let page = path("page.html");
    let tall = write(folder.path(), "tall.txt", "AbCd EfGb\n").display().to_string();
    let more = path("more.sqlite");
    let session = run(&[
        "batch",
        "-q",
        &tall,
        "--size",
        "2x1",
        "--from",
        "letters",
        "--results",
        &more,
        "--keep-solutions",
    ]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run(&["site", &more, "-o", &page]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(!session.stderr.contains("no longer be read"), "{}", session.stderr);
}

/// Names of pictures are kept, and stay different if two pictures match the same edge.
#[test]
fn the_catalogues_pictures_keep_their_names() {
    let session = run(&["convert", &typed("die-baeren-knobelei.xml")]);
    assert!(session.stdout.contains("title: Die Bären-Knobelei\n"), "{}", session.stdout);
    assert!(session.stdout.contains("images: {"), "{}", session.stdout);
    let back = run_with_input(&["convert", "-", "--to", "catalogue"], session.stdout.clone());
    assert_eq!(back.stderr, "");
    let again = run_with_input(&["convert", "-"], back.stdout);
    let body = |text: &str| text.split_once("title:").unwrap().1.to_owned();
    let sorted = |text: &str| {
        let names = text.split("images: {").nth(1).unwrap().split('}').next().unwrap();
        let mut names: Vec<String> = names.split(", ").map(str::to_owned).collect();
        names.sort();
        names
    };
    assert_eq!(sorted(&again.stdout), sorted(&session.stdout));
    let tiles = |text: &str| body(text).split_once("tiles:").unwrap().1.to_owned();
    assert_eq!(tiles(&again.stdout), tiles(&session.stdout));
}

/// The table in the documentation has a sample of each format.
#[test]
fn the_samples_of_the_docs_are_read() {
    let page = fs::read_to_string(at_root("docs/formats.md")).unwrap();
    let xml = page.split("```xml\n").nth(1).unwrap().split("```").next().unwrap();
    for name in PUZZLE_FORMATS.iter().map(|form| form.name) {
        let starts = [format!("| [`{name}`]("), format!("| `{name}` |")];
        let row = page.lines().find(|line| starts.iter().any(|start| line.starts_with(start)));
        let row = row.unwrap_or_else(|| panic!("{name} in the table"));
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let sample = cell.split('`').skip(1).step_by(2).collect::<Vec<_>>().join("\n");
        let sample = if name == "catalogue" { xml } else { &sample };
        let read = load::from_bytes_as(sample.as_bytes(), name, name, &told(Some(name), None));
        read.unwrap_or_else(|e| panic!("{name}: {}", e.render()));
        // The text itself determines how it is read.
        let found = load::form_of(sample.as_bytes(), "sample", &ReadOptions::AS_WRITTEN).unwrap();
        let expected = match name {
            "blog" => "yaml",
            "yaml" | "catalogue" | "link" | "code" => name,
            _ => "text",
        };
        assert_eq!((name, found.name), (name, expected));
    }
}

/// A format that would lose a rule is refused, because the file would have other solutions.
#[test]
fn a_form_that_drops_a_rule_is_refused() {
    let puzzle = "tests/cases/convert-rotations-false.yaml";
    let signed =
        "{rows: 1, cols: 2, rotations: false, tiles: {1: [a+, b-, c+, d-], 2: [c-, b+, a-, e+]}}";
    let forms = |halves: bool| {
        let names = ["csv", "tile", "eternity", "puz", "catalogue"];
        let of_halves = ["cards", "letters", "signed", "catalogue", "blog"];
        if halves { of_halves } else { names }
    };
    for (halves, text) in
        [(false, fs::read_to_string(at_root(puzzle)).unwrap()), (true, signed.to_owned())]
    {
        for to in forms(halves) {
            let convert = |args: &[&str]| {
                crate::session::run_with_input(
                    &[&["convert", "-", "--to", to], args].concat(),
                    text.as_str(),
                )
            };
            let refused = convert(&[]);
            assert_eq!((refused.code, refused.stdout.as_str()), (2, ""), "{to}");
            let words = "without losing that tiles may not be turned";
            assert!(refused.stderr.contains(words), "{to}: {}", refused.stderr);
            let written = convert(&["--lossy"]);
            assert_eq!(written.code, 0, "{to}: {}", written.stderr);
            assert!(written.stderr.contains("that tiles may not be turned"), "{to}");
        }
    }
    for to in ["yaml", "code"] {
        let session = run(&["convert", "-q", puzzle, "--to", to]);
        let count = crate::session::run_with_input(&["count", "-"], session.stdout).stdout;
        assert_eq!(count.lines().next(), Some("solutions  2"), "{to}");
    }
}

/// Two programs write `.puz` files, in different formats.
#[test]
fn the_text_of_a_puz_file_tells_its_form() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        crate::session::write(folder.path(), name, text).display().to_string()
    };
    // One of them lists the width first.
    let wide = write("wide.puz", "3 2\n0 1 2 0\n0 3 1 1\n0 0 3 3\n2 4 0 0\n1 2 0 4\n3 0 0 2\n");
    let board = run(&["info", &wide]).stdout;
    assert!(board.contains("2 × 3 grid"), "{board}");
    assert!(run(&["convert", "-q", &wide]).stdout.contains("rows: 2\ncols: 3\n"));
    let back = run(&["convert", "-q", &wide, "--to", "puz"]).stdout;
    assert_eq!(back, fs::read_to_string(&wide).unwrap());
    let tile = write("tile.puz", "p tile 1 1 3\n0 1 2 3\n");
    assert!(run(&["info", &tile]).stdout.contains("1 × 1 grid"));
    let neither = write("neither.puz", "what?\n");
    let session = run(&["info", &neither]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("1 word for this tile, expected 4"), "{}", session.stderr);
}

/// Files with unusual names in them can be read back.
#[test]
fn names_of_any_sort_are_read_back() {
    for case in ["tests/cases/roundtrip-1.yaml", "tests/cases/roundtrip-2.txt"] {
        let before = run(&["count", "-q", case]);
        assert_eq!(before.code, 0, "{case}: {}", before.stderr);
        let written = run(&["convert", "-q", case]);
        assert_eq!(written.code, 0, "{case}: {}", written.stderr);
        let after = crate::session::run_with_input(&["count", "-q", "-"], written.stdout);
        assert_eq!(after.stdout, before.stdout, "{case}: {}", after.stderr);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_name_of_anything_is_read_back(
        names in proptest::collection::vec("(.{1,20}|[\\[{\"\\\\']{1,256}|[\u{feff}\u{200b}\u{7f}-\u{9f}]{1,256})", 4),
    ) {
        // Escape what may not occur literally in a file.
        let escaped = |name: &String| -> String {
            name.chars().map(|c| format!("\\U{:08x}", c as u32)).collect()
        };
        let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", escaped(name))).collect();
        let [cell, tile, image, title] = &quoted[..] else { unreachable!() };
        let yaml = format!(
            "{{title: {title}, board: {{cells: {{? {cell} : 3}}, seams: []}}, tiles: {{? {tile} : \
             {{edges: [{image}, {image}, {image}], back: [{image}, b, b]}}}}}}"
        );
        // Some names are not allowed.
        let problem = loaded(&yaml, &[
            "without a name",
            "needs the name of an image",
            "starts with its sign",
            "with a sign",
            "typographic sign",
            "has no halves",
        ]);
        prop_assume!(problem.is_some());
        let problem = problem.unwrap();
        let written = form("yaml").write(&problem, None).unwrap();
        let again = load::from_str(&written.text)
            .map_err(|e| TestCaseError::fail(format!("{}\n{}", e.render(), written.text)))?;
        prop_assert_eq!(&again.puzzle.tiles, &problem.puzzle.tiles);
        prop_assert_eq!(&again.puzzle.title, &problem.puzzle.title);
        prop_assert_eq!(again.board.cells(), problem.board.cells());
    }
}
