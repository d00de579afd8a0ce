//! Every broken file causes one clear error with the place, the cause and help, exit code 2, and no
//! standard output.

use std::fs;

use tempfile::tempdir;

use crate::session::{run, run_with_input, write};

const FOUR: &str = "tiles:\n  1: [a+, b-, c+, a-]\n  2: [a+, b-, c+, a-]\n  \
                    3: [a+, b-, c+, a-]\n  4: [a+, b-, c+, a-]\n";

/// Solves a file with this content, and asserts that the error has this position and all these
/// words.
fn refused(content: impl AsRef<[u8]>, place: &str, words: &[&str]) {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "bad.yaml", content);
    let path = file.to_str().unwrap();
    for command in [&["solve", path][..], &["info", path], &["check", path, path]] {
        let session = run(command).expect(2);
        assert_eq!(session.stdout, "");
        let place = format!("error: {path}:{place} ");
        session.says(&place);
        for word in words {
            session.says(word);
        }
        assert!(session.stderr.len() < 2000, "an error fits on a screen");
    }
}

#[test]
fn standard_input_is_read_once() {
    for args in [
        &["solve", "-", "--constraints", "-"][..],
        &["solve", "-", "--maximize", "-"],
        &["count", "puzzles/scramble-1.yaml", "--constraints", "-", "--constraints", "-"],
        &["export", "-", "--to", "lp", "--with-cuts", "-"],
        &["check", "-", "-"],
    ] {
        run_with_input(args, "tiles: {1: [a, a, a, a]}")
            .expect(2)
            .says("can't both come from standard input");
    }
}

#[test]
fn text_that_is_not_yaml() {
    refused("tiles: [a, b\n c: {", "2:3:", &["did not find expected"]);
}

#[test]
fn bytes_that_are_not_utf8() {
    refused(b"tiles:\n  1: [\xe9, b, c, d]\n", "2:7:", &["0xe9", "UTF-8"]);
    refused(b"\xff\xfet\0i\0", "1:1:", &["UTF-16"]);
}

#[test]
fn nul_bytes() {
    refused("tiles:\n  1: [a\0, b, c, d]", "2:8:", &["NUL byte"]);
}

#[test]
fn an_empty_file_and_one_of_comments() {
    refused("", "", &["the file is empty", "tiles: {1:"]);
    refused("# soon\n", "", &["nothing but comments"]);
}

#[test]
fn a_list_where_a_mapping_belongs() {
    refused("- 1\n- 2\n", "1:3:", &["1 word for this tile, expected 4"]);
    refused("tiles: [[a, b]]", "1:9:", &["2 words for this tile, expected 4"]);
    refused("tiles: {1: {a: b}}", "1:13:", &["unknown key `a` in a tile", "a list of four edges"]);
    refused("just text", "1:1:", &["found the text", "a mapping"]);
    refused("tiles:\n", "1:7:", &["found nothing"]);
}

#[test]
fn copies_that_are_no_number() {
    let row = |copies: &str| {
        format!("rows: 1\ncols: 2\ntiles: {{1: {{edges: [a, a, a, a], copies: {copies}}}}}\n")
    };
    let expected = "expected a whole number from 1 to 10000, or `any`";
    for copies in ["0", "-1", "10001", "1e5", "1.5", "all", "[2]", "{}"] {
        refused(row(copies), "3:42:", &[expected]);
    }
    refused(row("1"), "3:1:", &["1 tile does not fill"]);
    let square = "tiles: {1: {edges: [a, a, a, a], copies: any}}\n";
    refused(square, "1:1:", &["any number of copies", "rows: …"]);
    refused("tiles: {1: {copies: 4}}", "1:12:", &["tile `1` without its `edges`"]);
}

#[test]
fn corners_that_make_no_edges() {
    let tile = |fields: &str| format!("tiles: {{1: {{{fields}}}}}");
    let one = |corner: &str| tile(&format!("corners: [a, {corner}, b, c]"));
    refused(one("d+"), "1:26:", &["the corner `d+` has a sign"]);
    refused(one("d/e"), "1:26:", &["`d/e`", "`/` joins corners and edges"]);
    refused(one("''"), "1:26:", &["needs the name"]);
    refused(one("[d]"), "1:26:", &["the colour of a corner"]);
    // The wrong corner lies between two edges with the border image, which hide it.
    let hidden = "corners: [a, [d], b, c], edges: [x, x, y, y]";
    let hidden = format!("order: clockwise-from-top\nborder: x\n{}", tile(hidden));
    refused(hidden, "3:26:", &["the colour of a corner"]);
    let three = tile("corners: [a, b, c]");
    refused(three, "1:22:", &["tile `1` has 3 corners, expected 4"]);
    let edges = |edges: &str| tile(&format!("corners: [a, b, c, d], edges: [{edges}]"));
    refused(edges("x, x, x"), "1:43:", &["tile `1` has 3 edges, expected 4"]);
    refused(edges("x, x+, y, y"), "1:47:", &["image `x`", "with a sign"]);
    refused(edges("x/y, x, y, y"), "1:44:", &["`x/y`: `/` joins corners"]);
    let mirrored = format!("flip: mirror\n{}", one("d"));
    refused(
        mirrored,
        "2:13:",
        &["`corners` in a file that says `flip: mirror`", "write `flip: reverse`"],
    );
    let back = tile("corners: [a, b, c, d], back: {corner: [a, b, c, d]}");
    refused(back, "1:43:", &["unknown key `corner` in a back"]);
}

#[test]
fn several_documents() {
    refused(format!("{FOUR}---\n{FOUR}"), "6:1:", &["second document", "split the file"]);
    refused(format!("---\n{FOUR}---\n"), "7:1:", &["second document"]);
}

#[test]
fn an_unknown_key_with_a_suggestion() {
    refused(format!("rowz: 2\n{FOUR}"), "1:1:", &["`rowz`", "did you mean `rows`?"]);
    refused(format!("zzz: 2\n{FOUR}"), "1:1:", &["`zzz`", "the keys are name, title"]);
}

#[test]
fn what_a_file_says_does_not_pass_for_the_error() {
    refused(
        format!("'invalid type: map': 2\n{FOUR}"),
        "1:1:",
        &["unknown key `invalid type: map`"],
    );
    refused(format!("\"ro\\x1f[]ws\": 2\n{FOUR}"), "1:1:", &["unknown key `ro?[]ws`"]);
    refused(format!("# \u{2028}\nrowz: 2\n{FOUR}"), "3:1:", &["3 | rowz: 2", "`rowz`"]);
}

#[test]
fn a_file_without_tiles() {
    refused("rows: 3", "1:1:", &["`tiles` is missing"]);
    refused("tiles: {}", "1:8:", &["no tiles"]);
}

#[test]
fn a_tile_with_three_or_five_edges() {
    refused("tiles:\n  1: [a+, b-, c+]", "2:6:", &["tile `1` has 3 edges, expected 4"]);
    refused("tiles:\n  x: [a, b, c, d, e]", "2:6:", &["tile `x` has 5 edges, expected 4"]);
    refused("1: [[a, +], [b, +], [c, +]]", "1:4:", &["tile `1` has 3 edges"]);
}

#[test]
fn a_half_other_than_plus_or_minus() {
    refused("1: [['ylw', '*'], [a, +], [a, +], [a, +]]", "1:13:", &["`*` is not a half"]);
    refused("tiles: {1: [a\u{2212}, b, c, d]}", "1:13:", &["typographic sign"]);
    refused("tiles: {1: [+3, b, c, d]}", "1:13:", &["`+3` starts with its sign"]);
    refused("tiles: {1: [a, +, c, d]}", "1:16:", &["needs the name of an image"]);
    refused("1: [[a, +, +], [a, +], [a, +], [a, +]]", "1:5:", &["an image and its half"]);
}

#[test]
fn one_image_with_and_without_a_sign() {
    refused("tiles:\n  1: [a+, b-, c+, a]", "2:19:", &["image `a`", "without a sign"]);
    refused("border: g\ntiles:\n  1: [g+, b-, c+, a]", "3:7:", &["image `g`", "with a sign"]);
}

#[test]
fn images_against_the_stated_matching() {
    refused("matching: half\ntiles: {1: [a, b, c, d]}", "2:13:", &["`a` has no sign"]);
    refused("tiles: {1: [a+, b, c, d]}\nmatching: equal", "1:13:", &["`a+` is a half"]);
    refused(format!("matching: both\n{FOUR}"), "1:11:", &["expected `half` or `equal`"]);
}

#[test]
fn a_key_twice() {
    refused("tiles:\n  1: [a, b, c, d]\n  1: [a, b, c, d]", "3:3:", &["`1` appears a second"]);
    refused(format!("rows: 2\nrows: 2\n{FOUR}"), "2:1:", &["`rows` appears a second time"]);
}

#[test]
fn tiles_that_do_not_fill_the_board() {
    refused(
        format!("rows: 3\ncols: 3\n{FOUR}"),
        "3:1:",
        &["4 tiles do not fill the 9 cells of a 3 × 3 grid"],
    );
    refused("tiles: {1: [a, b, c, d], 2: [a, b, c, d]}", "1:1:", &["do not fill a square"]);
    refused(format!("rows: 2\n{FOUR}"), "1:1:", &["`rows` without `cols`"]);
    refused(format!("rows: 1000\ncols: 1000\n{FOUR}"), "3:1:", &["1000000 cells"]);
}

#[test]
fn numbers_of_rows_that_no_board_has() {
    for rows in ["0", "-3", "2.5", "1000000000", "10e30", "99999999999999999999999", "two", "[2]"] {
        let file = format!("rows: {rows}\ncols: 2\n{FOUR}");
        refused(file, "1:7:", &["a whole number from 1 to 1000"]);
    }
}

#[test]
fn other_values_of_the_wrong_sort() {
    refused(format!("rotations: no\n{FOUR}"), "1:12:", &["`true`, or `false`"]);
    refused(format!("order: spiral\n{FOUR}"), "1:8:", &["unknown order `spiral`"]);
    refused(format!("border: a+\n{FOUR}"), "1:9:", &["write `a`"]);
    refused(
        format!("pictures: same.png\n{FOUR}"),
        "1:11:",
        &["does not contain `{tile}`", "`{tile}.png`"],
    );
    refused(format!("name: [x]\n{FOUR}"), "1:7:", &["found a list", "a name"]);
    refused(format!("1: [a, b, c, d]\n{FOUR}"), "2:1:", &["put the tiles below `tiles:`"]);
    refused(format!("{FOUR}5: [a, b, c, d]\n"), "6:1:", &["tile `5` is outside `tiles:`"]);
}

#[test]
fn a_name_of_a_megabyte() {
    let name = "x".repeat(1_000_000);
    let tiles = format!("tiles:\n  1: [{name}, b, c, d]");
    refused(tiles, "2:7:", &["1000000 characters, at most 256"]);
    let key = "x".repeat(300);
    refused(
        format!(
            "tiles:
  {key}: [a, b, c, d]"
        ),
        "2:3:",
        &["300 characters"],
    );
    refused(format!("title: {name}\n{FOUR}"), "1:8:", &["1000000 characters"]);
}

#[test]
fn files_larger_than_any_puzzle() {
    refused("#".repeat(17 << 20), "", &["larger than 16 MiB"]);
}

#[test]
fn alias_bombs() {
    let mut bomb = String::from("tiles:\n  a: &a [x, x, x, x]\n");
    for (name, before) in
        ["b", "c", "d", "e", "f", "g", "h"].iter().zip(["a", "b", "c", "d", "e", "f", "g"])
    {
        let nine = vec![format!("*{before}"); 4].join(", ");
        bomb += &format!("  {name}: &{name} [{nine}]\n");
    }
    refused(&bomb, "", &["aliases", "more than any puzzle"]);
    refused("tiles: &t {1: *t}", "1:8:", &["inside each other"]);
    refused("tiles: {1: *t}", "1:12:", &["unknown anchor"]);
    let long = format!(
        "title: &t {}\nimages: [{}]\ntiles: {{1: [a, a, a, a]}}\n",
        "x".repeat(100_000),
        vec!["*t"; 1000].join(", ")
    );
    refused(long, "1:8:", &["aliases", "more than any puzzle"]);
}

#[test]
fn brackets_without_end() {
    let deep = "[".repeat(5000) + &"]".repeat(5000);
    let words = "more than 1000 brackets inside each other";
    refused(&deep, "1:1001:", &[words]);
    refused(format!("tiles: {deep}"), "1:1008:", &[words]);
    refused("[{".repeat(1_000_000), "1:1001:", &[words]);
    let less_deep = "[".repeat(900) + &"]".repeat(900);
    refused(&less_deep, "1:129:", &["inside each other"]);
    refused(format!("tiles: {{1: {less_deep}}}"), "1:138:", &["inside each other"]);
}

#[test]
fn a_folder_without_a_puzzle_and_files_that_are_not_there() {
    let folder = tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let session = run(&["solve", path]).refused();
    session.says("a folder without a puzzle");
    session.says("input/tile_dict.yaml");

    run(&["solve", "no/such.yaml"]).refused().says("no/such.yaml: there is no such file");

    run(&["solve", "Cargo.toml/inside.yaml"]).expect(2).says("it can't be read");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "locked.yaml", FOUR);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&path).is_ok() {
        return; // The superuser reads everything.
    }
    run(&["solve", path.to_str().unwrap()]).expect(2).says("permission denied");
}

#[test]
fn the_source_line_stands_over_a_caret() {
    let session = run_with_input(&["solve", "-"], "tiles:\n  1: [a+, b-, c+, a]\n");
    let expected = "   |\n 2 |   1: [a+, b-, c+, a]\n   |                   ^\n";
    session.says(expected);
}

#[test]
fn json_has_only_the_error_and_the_status() {
    for format in ["json", "jsonl"] {
        let session = run_with_input(&["solve", "-", "--format", format], "rows: 0\n").expect(2);
        let objects: Vec<serde_json::Value> = match format {
            "json" => serde_json::from_str(&session.stdout).unwrap(),
            _ => session.stdout.lines().map(|l| serde_json::from_str(l).unwrap()).collect(),
        };
        assert_eq!(objects.len(), 2);
        assert_eq!(objects[0]["type"], "error");
        assert_eq!((&objects[0]["line"], &objects[0]["column"]), (&1.into(), &7.into()));
        assert_eq!(objects[0]["file"], "-");
        assert_eq!(objects[1]["type"], "status");
        assert_eq!(objects[1]["status"], "ERROR");
        assert_eq!(objects[1]["complete"], false);
    }
}

#[test]
fn a_tile_that_the_border_keeps_out_is_a_warning_and_a_proven_none() {
    let file = "border: grey\nrows: 1\ncols: 2\n\
                tiles: {1: [a, grey, grey, grey], 2: [a, b, grey, grey]}";
    let session = run_with_input(&["solve", "-"], file).expect(1);
    assert_eq!(session.stdout, "=====UNSATISFIABLE=====\n");
    session.says("warning: tile `2` fits no cell");
    session.says("no solution as read, proven");
}

#[test]
fn bad_usage() {
    let scramble = "puzzles/scramble-1.yaml";
    for args in [
        &["solve"][..],
        &["solve", scramble, "--formulation", "magic"],
        &["solve", scramble, "--format", "xml"],
        &["solve", scramble, "-n", "-1"],
        &["solve", scramble, "--time-limit", "soon"],
        &["solve", scramble, "-q", "-v"],
        &["frobnicate"],
        &["check", "-", "-"],
    ] {
        run(args).refused();
    }
}

/// Six identical squares.
const SIX: &str = "tiles:\n  1: [a, b, c, d]\n  2: [a, b, c, d]\n  3: [a, b, c, d]\n  \
                   4: [a, b, c, d]\n  5: [a, b, c, d]\n  6: [a, b, c, d]\n";

#[test]
fn boards_that_are_none() {
    for (board, place, words) in [
        ("cubes", "1:8:", &["unknown board `cubes`", "did you mean `cube`?"][..]),
        ("sphere", "1:8:", &["boards with names are tetrahedron, cube"]),
        ("7", "1:8:", &["found the number `7`"]),
        ("[cube]", "1:8:", &["found a list"]),
        ("{}", "1:8:", &["a board without `grid`", "or `cells`"]),
        ("{wrap: both}", "1:8:", &["a board without `grid`", "or `cells`"]),
        ("{grid: [0, 3]}", "1:16:", &["0 is not a number of rows"]),
        ("{grid: [2]}", "1:15:", &["rows and columns such as [4, 5]"]),
        ("{grid: [2, 3, 4]}", "1:15:", &["rows and columns such as [4, 5]"]),
        ("{grid: 2x3}", "1:15:", &["rows and columns such as [4, 5]"]),
        (
            "{grid: [2, 3], wrap: sideways}",
            "1:29:",
            &["unknown wrap `sideways`: expected `horizontal` or `vertical` or `both`"],
        ),
        ("{grid: [2, 3], warp: both}", "1:23:", &["did you mean `wrap`?"]),
        ("{grid: [2, 3], seams: []}", "1:23:", &["`seams` beside `grid`"]),
        ("{mask: [\"##\", \"#\"]}", "1:22:", &["a row of 1 places in a mask of 2 columns"]),
        ("{mask: [\"..\", \"..\"]}", "1:15:", &["a mask without a cell"]),
        ("{mask: []}", "1:15:", &["or a mask such as"]),
        (
            "{mask: [\"#1\"]}",
            "1:16:",
            &["`1` in a mask: expected `#`, `.` or the letter of a part"],
        ),
        ("{mask: [\"##\"], grid: [1, 2]}", "1:23:", &["`grid` beside `mask`"]),
        ("{hexagons: [\"##\", 3]}", "1:20:", &["found the text"]),
        (
            "{rhombus: 0}",
            "1:18:",
            &["0 is not the length of a side: expected a whole number from 1 to 40"],
        ),
        ("{triangle-hexagon: 41}", "1:27:", &["41"]),
        ("flowers", "1:8:", &["did you mean `flower`?"]),
        ("{cells: {}}", "1:16:", &["no cells"]),
        ("{cells: [A, B]}", "1:16:", &["found a list"]),
        ("{cells: {A: 4, A: 4}}", "1:23:", &["`A` appears a second time"]),
        ("{cells: {A: 2}}", "1:20:", &["2 sides: expected 3 to 16"]),
        ("{cells: {A: 17}}", "1:20:", &["17 sides: expected 3 to 16"]),
        ("{cells: {A: many}}", "1:20:", &["many sides: expected 3 to 16"]),
    ] {
        refused(format!("board: {board}\n{SIX}"), place, words);
    }
    let both = format!("rows: 2\ncols: 3\nboard: cube\n{SIX}");
    refused(both, "3:1:", &["`board` together with `rows` and `cols`"]);
}

#[test]
fn seams_that_are_none() {
    for (seams, place, words) in [
        ("{A: B}", "1:37:", "found a mapping"),
        ("[[A, 0, B]]", "1:38:", "a cell, its side, another cell and its side"),
        ("[[A, 0, B, 1, 2]]", "1:38:", "a cell, its side, another cell and its side"),
        ("[[A, 0, B, 3]]", "1:48:", "cell `B` has no side 3: expected 0 to 2"),
        ("[[A, 0, B, -1]]", "1:48:", "cell `B` has no side -1"),
        ("[[A, 0, C, 1]]", "1:45:", "the board has no cell `C`"),
        ("[[A, 0, A, 0]]", "1:48:", "side 0 of cell `A` can't touch itself"),
        (
            "[[A, 0, B, 0], [A, 0, B, 0]]",
            "1:56:",
            "side 0 of cell `A` touches side 0 of cell `B` already",
        ),
        (
            "[[A, 0, B, 0], [B, 1, A, 0]]",
            "1:62:",
            "side 0 of cell `A` touches side 0 of cell `B` already",
        ),
    ] {
        let board = format!("board: {{cells: {{A: 4, B: 3}}, seams: {seams}}}");
        refused(format!("{board}\ntiles: {{1: [a, b, c, d], 2: [a, b, c]}}"), place, &[words]);
    }
}

#[test]
fn tiles_that_are_not_for_the_board() {
    let order = "tiles: {1: [a, b, c], 2: [a, b, c], 3: [a, b, c], 4: [a, b, c]}";
    let order = format!("board: tetrahedron\norder: clockwise-from-top\n{order}");
    refused(order, "2:1:", &["`order` applies only to boards of squares"]);
    refused(format!("board: tetrahedron\n{SIX}"), "3:6:", &["tile `1` has 4 edges, expected 3"]);
    let mixed = "board: {cells: {A: 4, B: 3, C: 3}}\n";
    refused(
        format!("{mixed}tiles: {{1: [a, b, c, d], 2: [a, b, c, d, e]}}"),
        "2:29:",
        &["tile `2` has 5 edges, expected 3 or 4"],
    );
    refused(
        format!("{mixed}tiles: {{1: [a, b, c, d], 2: [a, b, c, d]}}"),
        "2:1:",
        &["0 tiles with 3 sides do not fill 2 cells of a board of 3 cells"],
    );
    refused(
        "board: cube\ntiles: {1: [a, b, c, d]}",
        "2:1:",
        &["1 tile does not fill the 6 cells of a cube"],
    );
}

#[test]
fn backs_that_are_none() {
    let backs = "tiles:\n  1: {edges: [a, b, c, d], back: [a, b, c, d]}\n";
    for flip in ["mirror", "reverse"] {
        refused(
            format!("board: {{grid: [1, 1]}}\nflip: {flip}\n{backs}"),
            "4:28:",
            &[&format!("`back` in a file that says `flip: {flip}`")],
        );
    }
    refused(
        format!("flip: over\n{backs}"),
        "1:7:",
        &["unknown flip `over`: expected `mirror` or `reverse`"],
    );
    refused(
        "tiles:\n  1: {edges: [a, b, c, d], back: [a, b, c]}\n",
        "2:34:",
        &["tile `1` has 3 edges on its back, expected 4"],
    );
    refused(
        "board: {cells: {A: 4, B: 3}}\ntiles:\n  1: {edges: [a, b, c, d], back: [a, b, c]}\n  2: \
         [a, b, c]\n",
        "3:6:",
        &["tile `1` has 4 edges, and 3 on its back"],
    );
    refused("tiles:\n  1: {back: [a, b, c, d]}\n", "2:6:", &["tile `1` without its `edges`"]);
    for (face, words) in [
        ("back", "no tile of this puzzle has a back"),
        ("up", "`up` is not a face: expected `front` or `back`"),
    ] {
        let constraints = format!("constraints: [{{forbid: {{face: {face}}}}}]");
        refused(format!("board: cube\n{constraints}\n{SIX}"), "2:31:", &[words]);
    }
}

#[test]
fn an_unknown_edge_is_no_image() {
    let tile = |edges: &str| format!("{{tiles: {{1: [{edges}]}}}}");
    for (content, place, words) in [
        (tile("a, ?, b, c"), "1:20:", "write an unknown edge in quotes: \"?\""),
        (tile("a, b, c, '?+'"), "1:23:", "`?+`: an unknown edge, `?`, has no halves"),
        (
            format!("border: '?'\n{FOUR}"),
            "1:9:",
            "`?` is an unknown edge: expected the name of an image",
        ),
        (
            format!("images: {{'?': nobody knows}}\n{FOUR}"),
            "1:10:",
            "`?` is an unknown edge: expected an edge such as `cat+`",
        ),
        (
            format!("constraints: [rim: {{image: '?'}}]\n{FOUR}"),
            "1:28:",
            "`?` is an unknown edge: expected an image",
        ),
        (
            format!("constraints: [forbid: {{shows: {{top: '?'}}}}]\n{FOUR}"),
            "1:37:",
            "`?` is an unknown edge: expected an image",
        ),
        ("tiles: {1: {corners: [a, '?+', b, c]}}".to_owned(), "1:26:", "has no halves"),
    ] {
        refused(content, place, &[words]);
    }
}

#[test]
fn cells_that_are_not_on_a_solid() {
    for (cell, column, words) in [
        ("frnt", 28, "`frnt` is not a cell: expected front, right, back, left, top, bottom"),
        ("centre", 28, "`centre` does not name a cell of a cube"),
        ("corners", 28, "`corners` does not name a cell of a cube"),
        ("[1, 1]", 29, "`1` is not a cell: expected front"),
        ("7", 28, "`7` is not a cell: expected front"),
    ] {
        let constraints = format!("constraints: [{{pin: {{cell: {cell}, tile: 1}}}}]");
        let place = format!("2:{column}:");
        refused(format!("board: cube\n{constraints}\n{SIX}"), &place, &[words]);
    }
    let seam = "constraints: [{seam: {cells: [front, back], fit: free}}]";
    refused(format!("board: cube\n{seam}\n{SIX}"), "2:22:", &["cells front, back do not touch"]);
}

#[test]
fn a_board_in_pieces_is_told_and_solved() {
    let text = "{board: {cells: {A: 3, B: 3}}, tiles: {1: [a, b, c], 2: [a, b, c]}}";
    run_with_input(&["solve", "-"], text).expect(0).says("2 pieces");
    let quiet = run_with_input(&["solve", "-", "-q"], text);
    assert_eq!((quiet.code, quiet.stderr.as_str()), (0, ""));
}

#[test]
fn a_word_alone_is_not_a_puzzle() {
    let one_word = "tests/cases/files/one-word.txt";
    for args in [&["solve", one_word][..], &["info", one_word]] {
        let session = run(args);
        assert_eq!((session.code, session.stdout.as_str()), (2, ""), "{args:?}");
        for words in ["one-word.txt: this is not a puzzle", "help: a tile is a line such as"] {
            assert!(session.stderr.contains(words), "{}", session.stderr);
        }
    }
    for word in ["null", "Null", "TRUE", "true", "test\n", "\"test\"", "hello"] {
        let session = run_with_input(&["count", "-"], word);
        assert_eq!((session.code, session.stdout.as_str()), (2, ""), "{word}");
        assert!(
            session.stderr.contains("tiles: {1: ") || session.stderr.contains("not a puzzle"),
            "{}",
            session.stderr
        );
    }
    let folder = tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let files = [one_word, "tests/cases/files/null.jsonl"];
    let args = ["batch", files[0], files[1], "--results", results.to_str().unwrap()];
    let batch = run(&args);
    assert_eq!(batch.code, 2);
    assert!(!batch.stderr.contains("complete"), "{}", batch.stderr);
}
