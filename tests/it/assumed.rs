//! Assumptions about texts that do not state everything, and overrides that replace them.

use std::path::Path;

use edgematch::load::{self, PuzzleFormat, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::puzzle::Assumption;
use itertools::Itertools;

/// The overrides given by the entries of a JSON object.
fn told(words: &str) -> ReadOverrides {
    serde_json::from_str(&format!("{{{words}}}")).unwrap()
}

fn read(text: &str, words: &str) -> Problem {
    let options = told(words).options(str::to_owned).unwrap();
    load::from_bytes_as(text.as_bytes(), "file.txt", "file", &options).unwrap()
}

fn case(name: &str) -> String {
    std::fs::read_to_string(Path::new(crate::ROOT).join("tests/cases").join(name)).unwrap()
}

fn solutions(problem: &Problem) -> String {
    let solved = problem.solutions().all();
    assert!(solved.outcome.status.is_complete());
    solved.outcome.tally.solutions.to_string()
}

fn assumed(problem: &Problem) -> String {
    problem.puzzle.assumed.iter().join("; ")
}

const ORDER: &str = "edges are listed clockwise from the top";
const DIGITS: &str = "`0` is not the border; tiles may not be turned";
const FRAMED: &str = "`0` is the border; tiles may be turned";

#[test]
fn numbers_without_a_frame_are_read_as_tetravex() {
    let right = load::from_str(&case("vex3-right.yaml")).unwrap();
    assert_eq!((solutions(&right), assumed(&right)), ("1".into(), String::new()));
    let jumping = r#""edge_order": "top,left,right,bottom""#;
    let rules = r#""border": "none", "rotations": false"#;
    for (file, words, number, expected) in [
        ("vex3.txt", "", "1", format!("{ORDER}; {DIGITS}")),
        ("vex3-digits.txt", "", "1", format!("{ORDER}; {DIGITS}")),
        ("vex3.txt", rules, "1", ORDER.to_owned()),
        ("vex3.txt", r#""border": "0""#, "0", format!("{ORDER}; tiles may be turned")),
        ("vex3.txt", r#""border": "none""#, "4", format!("{ORDER}; tiles may be turned")),
        ("vex3-nozero.txt", "", "4", format!("{ORDER}; tiles may be turned")),
        ("vex3-nozero.txt", r#""rotations": false"#, "1", ORDER.to_owned()),
        ("vex3-tlrb.txt", "", "1", format!("edges are listed top, left, right, bottom; {DIGITS}")),
        ("vex3-tlrb.txt", jumping, "1", DIGITS.to_owned()),
        // Three wrong orders have enough pairs, the right one has two more.
        ("vex3-tblr.txt", "", "1", format!("edges are listed top, bottom, left, right; {DIGITS}")),
        // In the right order, there are also enough pairs without a frame.
        (
            "framed4-tlrb.txt",
            "",
            "4",
            format!("edges are listed top, left, right, bottom; {FRAMED}"),
        ),
        ("vex3-tlrb.txt", &format!("{jumping}, {rules}"), "1", String::new()),
    ] {
        let problem = read(&case(file), words);
        assert_eq!(assumed(&problem), expected, "{file} {words}");
        assert_eq!(solutions(&problem), number, "{file} {words}");
    }
}

/// A frame is recognised even if one of its tiles is mistyped.
#[test]
fn one_mistyped_tile_does_not_hide_a_frame() {
    let framed = load::read(&Path::new(crate::ROOT).join("puzzles/framed-4x4-tud.yaml")).unwrap();
    let text = PuzzleFormat::named("eternity").unwrap().write(&framed, None).unwrap().text;
    let problem = read(&text, "");
    assert_eq!(assumed(&problem), format!("{ORDER}; {FRAMED}"));
    assert_eq!(solutions(&problem), solutions(&framed));
    let numbers = |text: &str| text.split_whitespace().map(str::to_owned).collect_vec();
    for place in 2..numbers(&text).len() {
        let mut mistyped = numbers(&text);
        let slip = if mistyped[place] == "0" { "1" } else { "0" };
        slip.clone_into(&mut mistyped[place]);
        let lines = mistyped[2..].chunks(4).map(|tile| tile.join(" "));
        let problem = read(&lines.collect_vec().join("\n"), "");
        assert_eq!(assumed(&problem), format!("{ORDER}; {FRAMED}"), "{mistyped:?}");
    }
}

#[test]
fn only_texts_that_leave_something_open_assume_it() {
    let tiles = "tiles: {1: [a, b, c, d]}";
    let yaml = |header: &str| assumed(&load::from_str(&format!("{header}{tiles}")).unwrap());
    assert_eq!(yaml(""), "edges are listed counter-clockwise from the right");
    assert_eq!(yaml("order: clockwise-from-top\n"), "");
    assert_eq!(yaml("order: [top, right, bottom, left]\n"), "");
    assert_eq!(yaml("order: top, left, right, bottom\n"), "");
    assert_eq!(assumed(&read(tiles, r#""edge_order": "clockwise-from-top", "from": "yaml""#)), "");
    // The mirror image of each of these tiles is the tile itself.
    let mirrored = load::from_str(
        "tiles: {1: [a, b, c, b], 2: [a, a, b, b], 3: [a, a, a, b], 4: [c, c, c, c]}",
    );
    assert_eq!(assumed(&mirrored.unwrap()), "");
    // Some forms define order, border and rotations; others define only halves.
    assert_eq!(assumed(&read("p tile 1 1 3\n0 1 2 3\n", "")), "");
    assert_eq!(assumed(&load::from_str("1: [[a, +], [b, +], [c, +], [d, +]]").unwrap()), "");
    let by_case = "halves of images are distinguished by case";
    let turned = format!("{ORDER}; tiles may be turned; {by_case}");
    assert_eq!(assumed(&load::from_str("AbCd").unwrap()), turned);
    assert_eq!(assumed(&read("AbCd", r#""rotations": false"#)), format!("{ORDER}; {by_case}"));
}

#[test]
fn our_form_states_what_was_assumed() {
    let problem = read(&case("vex3-nozero.txt"), "");
    let text = PuzzleFormat::named("yaml").unwrap().write(&problem, None).unwrap().text;
    let stated = "\norder: clockwise-from-top\nrotations: true\n";
    assert!(text.contains(stated), "{text}");
    let again = load::from_str(&text).unwrap();
    assert_eq!(assumed(&again), "");
    assert_eq!(solutions(&again), solutions(&problem));
}

#[test]
fn overrides_apply_to_every_form() {
    let yaml = "{rows: 1, cols: 2, border: x, tiles: {1: [a, x, x, x], 2: [x, x, a, x]}}";
    let by = |words: &str| {
        let problem = read(yaml, words);
        let border = problem.puzzle.border.map(|border| problem.puzzle.labels.name(border));
        (border, problem.puzzle.may_turn, solutions(&problem))
    };
    assert_eq!(by(r#""from": "yaml""#), (Some("x".into()), true, "2".into()));
    assert_eq!(by(r#""from": "yaml", "rotations": false"#), (Some("x".into()), false, "1".into()));
    let (border, _, number) = by(r#""from": "yaml", "border": "none""#);
    assert_eq!((border, number.parse::<u32>().unwrap() > 2), (None, true));
    let code = PuzzleFormat::named("code").unwrap();
    let code = code.write(&load::from_str(yaml).unwrap(), None).unwrap().text;
    assert_eq!(read(&code, r#""border": "none""#).puzzle.border, None);
    for (border, says) in [
        ("y", "no edge shows the border `y`"),
        ("x+", "border: the border is a whole image, not a half: write `x`"),
        ("?", "border: `?` is an unknown edge"),
    ] {
        let words = told(&format!(r#""border": "{border}""#));
        let read = words.options(str::to_owned).and_then(|options| {
            load::from_bytes_as(yaml.as_bytes(), "file.yaml", "file", &options)
        });
        assert!(read.unwrap_err().to_string().contains(says), "{border}");
    }
    let halves = told(r#""border": "a""#).options(str::to_owned).unwrap();
    let error = load::from_bytes_as(b"AbCd", "file.txt", "file", &halves).unwrap_err();
    assert!(error.to_string().ends_with("no edge shows the border `a`"), "{error}");
    assert_eq!(error.help.as_deref(), Some("did you mean `A`?"));
}

#[test]
fn an_order_of_corners_must_go_around_the_tile() {
    let text = |order| format!("{{order: '{order}', tiles: {{1: {{corners: [a, b, c, d]}}}}}}");
    assert!(load::from_str(&text("left,top,right,bottom")).is_ok());
    let error = load::from_str(&text("top,left,right,bottom")).unwrap_err();
    assert!(error.to_string().contains("corners in the order `top,left,right,bottom`"), "{error}");
}

#[test]
fn overrides_are_not_listed_as_assumptions() {
    let words = r#""edge_order": "clockwise-from-left", "border": "0", "rotations": true"#;
    let problem = read(&case("vex3.txt"), words);
    assert_eq!(problem.puzzle.assumed, Vec::<Assumption>::new());
    assert!(problem.puzzle.may_turn && problem.puzzle.border.is_some());
}
