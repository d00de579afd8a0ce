//! Lists of tiles as people and other programs write them.

use edgematch::load::{self, ReadOptions};
use edgematch::problem::Problem;
use num_bigint::BigUint;

fn read(text: &str, name: &str) -> Problem {
    let read = load::from_bytes_as(text.as_bytes(), name, "list", &ReadOptions::AS_WRITTEN);
    read.unwrap_or_else(|error| panic!("{text}\n{error}"))
}

fn solutions(problem: &Problem) -> BigUint {
    edgematch::solve(problem).outcome.tally.solutions
}

/// The same four tiles in our own form; two images with halves, and two whole ones.
const HALVES: &str = "order: clockwise-from-top\ntiles:\n  1: [A+, B-, A-, B+]\n  2: [A-, B+, B+, A+]\n  \
                      3: [B-, A+, A+, B+]\n  4: [B+, B-, A-, A-]\n";
const WHOLE: &str = "order: clockwise-from-top\ntiles:\n  1: [red, blue, grey, blue]\n  \
                     2: [grey, blue, blue, red]\n  3: [blue, red, red, blue]\n  4: [blue, blue, grey, grey]\n";

#[test]
fn every_notation_of_halves_is_the_same_puzzle() {
    let expected = solutions(&read(HALVES, "own.yaml"));
    assert!(expected > BigUint::ZERO);
    for text in [
        "+1 -2 -1 +2\n-1 +2 +2 +1\n-2 +1 +1 +2\n+2 -2 -1 -1\n",
        "1 -2 -1 2\n-1 2 2 1\n-2 1 1 2\n2 -2 -1 -1\n",
        "A+ B- A- B+\nA- B+ B+ A+\nB- A+ A+ B+\nB+ B- A- A-\n",
        "AbaB\naBBA\nbAAB\nBbaa\n",
        "A b a B\na B B A\nb A A B\nB b a a\n",
        "2 2\nA b a B\na B B A\nb A A B\nB b a a\n",
        "1: A b a B\n2: a B B A\n3: b A A B\n4: B b a a\n",
        "A1,B0,A0,B1\nA0,B1,B1,A1\nB0,A1,A1,B1\nB1,B0,A0,A0\n",
        "A H, B T, A T, B H\nA T, B H, B H, A H\nB T, A H, A H, B H\nB H, B T, A T, A T\n",
        "a head, b tail, a tail, b head\na tail, b head, b head, a head\nb tail, a head, a head, b \
         head\nb head, b tail, a tail, a tail\n",
        "a b' a' b\na' b b a\nb' a a b\nb b' a' a'\n",
        "Top,Right,Bottom,Left\na/top,b/bottom,a/bottom,b/top\na/bottom,b/top,b/top,a/top\nb/bottom,\
         a/top,a/top,b/top\nb/top,b/bottom,a/bottom,a/bottom\n",
        "[[1, -2, -1, 2], [-1, 2, 2, 1], [-2, 1, 1, 2], [2, -2, -1, -1]]",
        "# a comment\nA b a B // another\n\n; and one\na B B A\nb A A B\nB b a a\n",
    ] {
        assert_eq!(solutions(&read(text, "list")), expected, "{text}");
    }
}

#[test]
fn every_notation_of_whole_images_is_the_same_puzzle() {
    let expected = solutions(&read(WHOLE, "own.yaml"));
    assert!(expected > BigUint::ZERO);
    for text in [
        "red blue grey blue\ngrey blue blue red\nblue red red blue\nblue blue grey grey\n",
        "R B G B\nG B B R\nB R R B\nB B G G\n",
        "2\nR B G B\nG B B R\nB R R B\nB B G G\n",
        "0\nR B G B\nG B B R\nB R R B\nB B G G\n",
        "R B G B G B B R B R R B B B G G",
        "1 2 3 2\n3 2 2 1\n2 1 1 2\n2 2 3 3\n",
        "1. 1 2 3 2\n2. 3 2 2 1\n3. 2 1 1 2\n4. 2 2 3 3\n",
        "1232\n3221\n2112\n2233\n",
        "{\"pieces\": [[\"R\",\"B\",\"G\",\"B\"],[\"G\",\"B\",\"B\",\"R\"],[\"B\",\"R\",\"R\",\"B\"],[\"B\",\
         \"B\",\"G\",\"G\"]]}",
        "ID;north;west;south;east\n1;R;B;G;B\n2;G;R;B;B\n3;B;B;R;R\n4;B;G;G;B\n",
    ] {
        assert_eq!(solutions(&read(text, "list")), expected, "{text}");
    }
}

#[test]
fn files_of_other_programs_are_read_and_say_what_they_leave_open() {
    for (file, sides, halves) in [
        ("colours.txt", 4, None),
        ("n-line.txt", 4, None),
        ("header.csv", 4, Some("words")),
        ("letter-bit.txt", 4, Some("a final 0 or 1")),
        ("pieces.json", 4, None),
        ("signed.json", 4, Some("signs")),
        ("signed-flat.txt", 4, Some("signs")),
        ("triangles.csv", 3, None),
    ] {
        let path = format!("{}/tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let problem = read(&text, file);
        assert_eq!(problem.puzzle.tiles[0].sides(), sides, "{file}");
        let stated: Vec<String> = problem.puzzle.assumed.iter().map(ToString::to_string).collect();
        let said = halves.map(|halves| format!("halves of images are told apart by {halves}"));
        let has = said.is_none_or(|said| stated.contains(&said));
        assert!(has, "{file}: {stated:?}");
        let has_order = stated.iter().any(|fact| fact.starts_with("edges are listed"));
        assert_eq!(has_order, sides == 4 && file != "header.csv", "{file}: {stated:?}");
        assert!(stated.contains(&"tiles may be turned".to_owned()), "{file}: {stated:?}");
    }
}

#[test]
fn a_flat_side_matches_itself() {
    let problem = read("0 1 -2 0\n0 2 -2 -1\n-2 0 2 -2\n2 -2 -1 0\n", "list");
    let flat = problem.puzzle.labels.all().find(|&label| problem.puzzle.labels.name(label) == "0");
    let flat = flat.expect("0 is an image");
    assert_eq!(problem.puzzle.labels.mate(flat), flat);
    assert_eq!(problem.puzzle.border, None);
}

#[test]
fn texts_that_are_no_lists_of_tiles_are_refused() {
    for text in
        ["a b c d\n", "a b c d\na b c\n", "this is a sentence\nand another one\n", "1 2\n3 4\n"]
    {
        let read = load::from_bytes_as(text.as_bytes(), "list", "list", &ReadOptions::AS_WRITTEN);
        assert!(read.is_err(), "{text}");
    }
}

#[test]
fn names_of_halves_on_whole_images_are_questioned() {
    let text = "tiles:\n  1: [cat head, b+, cat tail, b-]\n  2: [cat tail, b-, cat head, b+]\nrows: 1\ncols: 2\n";
    let warnings = edgematch::warnings::warnings(&read(text, "cats.yaml"));
    let said: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    assert!(said[0].contains("`cat head` and `cat tail` are two images here"), "{said:?}");
    assert!(warnings[0].help.contains("`cat+` and `cat-`"));
}
