//! `edgematch why`: text, JSON and drawings.

use crate::session::{puzzle, run, run_with_input, write};

#[test]
fn pins_that_contradict_each_other_are_named_alone() {
    let pins = ["--pin", "1,1=1", "--forbid", "corners=9", "--pin", "2,2=5@3", "--pin", "3,3=1"];
    let file = puzzle("scramble-1");
    let session = run(&[&["why", &file][..], &pins[..]].concat()).expect(0);
    assert_eq!(
        session.stdout,
        "there is no solution, because these contradict each other:\n  \
         2 constraints: 2 (pin), 4 (pin)\n  \
         1 tile: 1\n\
         even if the other constraints are ignored, no seam need match and the other tiles may be used \
         any number of times (as far as the constraints allow)\n\
         each of them is needed: without it, the rest of the list can be satisfied\n"
    );
}

#[test]
fn contradicting_pins_are_found_on_boards_that_nobody_solves() {
    let file = "benches/boards/f10-b5k12-0.yaml";
    run(&["why", file, "--pin", "1,1=13", "--pin", "1,10=13", "--time-limit", "60s"])
        .expect(0)
        .prints("2 constraints: 1 (pin), 2 (pin)\n  1 tile: 13\n");
}

#[test]
fn the_fewest_constraints_to_drop_and_all_conflicts_are_found() {
    let rules = ["--pin", "1,1=1", "--pin", "2,2=1", "--forbid", "corners=1", "--pin", "3,3=2"];
    let file = puzzle("random-half-3x3-3-s1");
    let why = |more: &[&str]| run(&[&["why", &file][..], &rules, more].concat());
    why(&["--mcs"]).expect(0).prints("there is one without\n  1 constraint: 2 (pin)\n[t=");
    let session = why(&["--all"]).expect(0);
    session.says("2 minimal sets, proven complete");
    session.prints("  2 constraints: 2 (pin), 3 (pin)\n  2 constraints: 1 (forbid), 2 (pin)\n");
    why(&["--all", "-n", "1"]).says("1 minimal set, there may be more");
    why(&["--mcs", "--keep", "2,3"])
        .expect(0)
        .prints("even without all constraints but those kept");
    why(&["--mcs", "--keep", "5"]).expect(2).says("no constraint `5`: give a number from 1 to 4");
    why(&["--keep", "1"]).expect(2);
    run(&["why", "--mcs", &file]).expect(1).prints("there is a solution");
}

#[test]
fn what_cannot_be_drawn_is_refused_before_the_search() {
    let file = puzzle("sharks-misread");
    for output in ["why.jpg", "/no/such/folder/why.svg"] {
        run(&["why", &file, "-o", output]).refused();
    }
    assert_eq!(run(&["why", &file, "-o", "-", "--format", "json"]).code, 2);
    let session = run(&["why", "-o", "-", &puzzle("scramble-1")]);
    assert_eq!((session.code, session.stdout.as_str()), (1, ""));
}

#[test]
fn counts_decide_before_any_search() {
    let folder = tempfile::tempdir().unwrap();
    let explained = |yaml: &str, words: &str| {
        let file = write(folder.path(), "p.yaml", yaml).display().to_string();
        let session = run(&["why", &file]).expect(0);
        session.prints(words);
        assert!(!session.stdout.contains("already"));
        assert_eq!(run(&["solve", "-q", &file]).code, 1);
        run(&["why", "--set", &file]).prints("these contradict each other:");
    };
    explained(
        "border: x\ntiles: {1: [a+, x, x, b], 2: [a+, x, x, b], 3: [a+, x, x, b], 4: [a-, x, x, \
         b]}",
        "inside the board there must be 3 `a+` but 1 `a-`",
    );
    explained(
        "border: x\ntiles: {1: [a, x, x, b], 2: [a, x, x, b], 3: [a, x, x, b], 4: [b, x, x, b]}",
        "inside the board there must be 3 edges `a`, an odd number",
    );
    explained(
        "tiles: {1: [a+, a+, a+, b+], 2: [a+, b+, a+, c+], 3: [a+, c-, a+, b+], 4: [a-, a-, b+, \
         b+]}",
        "the board needs 4 matching pairs, but the tiles make at most 3",
    );
    explained(
        "border: x\ntiles: {1: [a, x, x, b], 2: [a, x, x, b], 3: [a, x, x, b], 4: [x, b, x, b]}",
        "the board has 4 corners, but only 3 of the tiles could be placed there",
    );
}

#[test]
fn a_puzzle_with_a_solution_has_nothing_to_explain() {
    for flags in [&[][..], &["--set"]] {
        let session = run(&[&["why", &puzzle("scramble-1")][..], flags].concat()).expect(1);
        assert!(session.stdout.starts_with("there is a solution: nothing"));
    }
}

#[test]
fn the_drawing_marks_the_set() {
    let session = run(&["why", "-q", "-o", "-", &puzzle("sharks-misread")]).expect(0);
    let svg = roxmltree::Document::parse(&session.stdout).unwrap();
    let marked = svg.descendants().filter(|n| n.attribute("class") == Some("marked"));
    assert_eq!(marked.count(), 12 + 9);
    let broken = svg.descendants().filter(|n| n.attribute("class") == Some("misfit"));
    assert_eq!(broken.count(), 1);
}

#[test]
fn a_run_that_is_stopped_explains_nothing() {
    let session =
        run(&["why", "--time-limit", "500ms", "benches/boards/f16-b5k17-0.yaml"]).expect(3);
    session.says("not explained: stopped after 500 ms");
    assert_eq!(session.stdout, "");
}

#[test]
fn seams_between_the_same_two_cells_are_told_apart() {
    let board = "board: {cells: {A: 3, B: 3}, seams: [[A, 0, B, 1], [A, 1, B, 0], [A, 2, B, 2]]}\n\
                 rotations: false\ntiles:\n  1: [a, b, c]\n  2: [b, a, d]\n";
    let session = run_with_input(&["why", "--set", "-"], board).expect(0);
    let seams = session.stdout.lines().find(|line| line.contains("1 seam: ")).unwrap();
    assert!(seams.contains("A-B (2-2)"), "{seams}");
    let json = run_with_input(&["why", "--set", "-", "--format", "json"], board).stdout;
    assert!(json.contains(r#""seams":[["A","B"]]"#), "{json}");
    assert!(json.contains(r#""seam_sides":[["2","2"]]"#), "{json}");
}

/// In a cell that touches itself, the match of its two sides is a rule that an explanation may
/// drop.
#[test]
fn a_seam_within_a_cell_is_a_member_like_any_other() {
    let board = "board: {cells: {A: 3}, seams: [[A, 2, A, 1]]}\ntiles:\n  1: [i+, i+, i+]\n";
    let session = run_with_input(&["why", "--set", "-"], board);
    session.prints("1 seam: A-A (1-2)");
    session.prints("every tile may be used any number of times");
}
