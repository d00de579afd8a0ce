//! Mistyped puzzles: warnings, and the output of `doctor`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::session::{at_root, puzzle, run, run_with_input, write};

const CARDS: &str = "\
# nine cards
order: counterclockwise-from-right
tiles:
  1: [ant+, dragonfly-, grasshopper+, bug+]
  2: [grasshopper+, bug-, ant+, dragonfly-]
  3: [dragonfly+, dragonfly-, bug+, grasshopper+]
  4: [grasshopper-, bug-, bug+, ant+] # four
  5: [dragonfly+, ant-, grasshopper+, bug-]
  6: [bug+, ant-, dragonfly-, grasshopper-]
  7: [bug-, grasshopper+, dragonfly-, ant+]
  8: [ant-, bug+, grasshopper-, dragonfly+]
  9: [ant-, grasshopper+, ant+, dragonfly-]
";

fn typed(folder: &Path, card: &str, instead: &str) -> String {
    assert!(CARDS.contains(card));
    let text = CARDS.replacen(card, instead, 1);
    write(folder, "typed.yaml", text).display().to_string()
}

#[test]
fn what_looks_mistyped_is_said_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for (card, instead, warning) in [
        ("1: [ant+,", "1: [amt+,", "typed.yaml:4:7: did you mean `ant+`? `amt` 1+ 0-, `ant` "),
        ("1: [ant+,", "1: [Ant+,", "did you mean `ant+`?"),
        ("1: [ant+,", "1: [wasp+,", "only one edge shows `wasp`"),
        (
            "1: [ant+, dragonfly-, grasshopper+",
            "1: [wasp+, dragonfly-, wasp+",
            "2 edges show `wasp+`, but none",
        ),
        ("1: [ant+,", "1: [bee+!,", "typed.yaml:4:7: `bee+!` has a sign inside its name"),
        (
            "order: counterclockwise-from-right\n",
            "",
            "typed.yaml:3:3: edges are read as right, top, left, bottom",
        ),
        ("tiles:", "rows: 2\ncols: 2\ntiles:", "9 tiles for 4 cells: 5 will not be used"),
        (
            "2: [grasshopper+, bug-, ant+, dragonfly-]",
            "2: [dragonfly-, grasshopper+, bug+, ant+]",
            "typed.yaml:5:3: these tiles look the same: `1` = `2`",
        ),
    ] {
        let file = typed(folder.path(), card, instead);
        for command in ["info", "solve"] {
            let session = run(&[command, &file]);
            let said = &session.stderr;
            assert!(said.contains("warning: "), "{said}");
            assert!(said.contains(warning), "{command} {instead}: {said}");
            // One line, which names the way out.
            let line = said.lines().find(|line| line.contains(warning)).expect("a warning");
            assert!(line.contains("; "), "{line}");
            assert_ne!(session.code, 2, "{said}");
            assert!(!run(&[command, "-q", &file]).stderr.contains("warning"));
            let strict = run(&[command, "-q", "--strict", &file]);
            assert_eq!(strict.code, 2);
            assert!(strict.stderr.contains("error: ") && strict.stderr.contains(warning));
        }
    }
}

/// Halves that occur too unevenly for any arrangement are reported with their counts.
#[test]
fn halves_out_of_balance_are_counted() {
    let text = "order: clockwise-from-top\nrotations: false\ntiles: {1: [a+, a+, a+, b+], 2: [b-, a+, a+, a+], 3: \
                [a+, b-, a+, a+], 4: [a+, a-, b+, a+]}\n";
    let session = run_with_input(&["info", "-"], text);
    let counted =
        "no solution: the board needs 4 matching pairs, but the tiles make at most 3: `a` 11+ 1-";
    assert!(session.stderr.contains(counted), "{}", session.stderr);
}

#[test]
fn a_file_says_what_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let file = typed(folder.path(), "1: [ant+,", "1: [wasp+,");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("tiles:", "allow: [once]\ntiles:")).unwrap();
    assert_eq!(run(&["info", "--strict", &file]).stderr, "");
    let again = run(&["convert", &file]).stdout;
    assert!(again.contains("\nallow: [once]\n"), "{again}");
    fs::write(&file, text.replace("tiles:", "allow: [onse]\ntiles:")).unwrap();
    let refused = run(&["info", &file]).stderr;
    assert!(refused.contains("unknown warning `onse`"), "{refused}");
    assert!(refused.contains("did you mean `once`?"), "{refused}");
}

#[test]
fn no_puzzle_of_ours_is_warned_of_in_vain() {
    for folder in ["puzzles", "puzzles/boards", "benches/boards"] {
        for file in fs::read_dir(at_root(folder)).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_none_or(|ending| ending != "yaml") {
                continue;
            }
            let bytes = fs::read(&file).unwrap();
            let options = edgematch::load::ReadOptions::AS_WRITTEN;
            let name = file.display().to_string();
            let problem = edgematch::load::from_bytes(&bytes, &name, "puzzle").unwrap();
            let said = edgematch::load::warnings(&bytes, &name, &options, &problem).unwrap();
            assert_eq!(said, [], "{name}");
        }
    }
}

#[test]
fn what_we_write_says_its_order_and_is_not_warned_of() {
    for seed in 0..20 {
        let seed = seed.to_string();
        let flags = ["generate", "-q", "--size", "3x3", "--images", "3", "--seed", &seed];
        let made = run(&flags).stdout;
        assert!(made.contains("\norder: clockwise-from-top\n"), "{made}");
        let session = run_with_input(&["info", "--strict", "-"], made);
        assert_eq!((session.code, &*session.stderr), (0, ""));
    }
}

fn examined(file: &str) -> Value {
    let session = run(&["doctor", "-q", "--format", "json", file]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    serde_json::from_str(&session.stdout).unwrap()
}

#[test]
fn every_single_slip_is_listed_by_card() {
    let found = examined(&puzzle("sharks-misread"));
    assert_eq!(found["solvable"], false);
    assert_eq!(found["tried"], found["slips"]);
    let cards = found["cards"].as_array().unwrap();
    let likelihoods = cards.iter().map(|card| card["likelihood"].as_f64().unwrap());
    let other = found["other"].as_f64().unwrap();
    assert!((likelihoods.clone().sum::<f64>() + other - 1.0).abs() < 1e-9);
    assert!(cards.iter().any(|card| card["card"].is_null()), "all cards");
    assert!(likelihoods.is_sorted_by(|a, b| a >= b));
    // The known mistake in the source.
    let right = "tile 8";
    let card = cards.iter().find(|card| card["card"] == "8").expect(right);
    let slips = card["slips"].as_array().unwrap().iter();
    let mut changes = slips.map(|slip| &slip["changes"][0]);
    assert!(
        changes.any(|c| c["side"] == "right" && c["typed"] == "blue-" && c["instead"] == "blue+")
    );
    let text = run(&["doctor", &puzzle("sharks-misread")]);
    assert!(text.stdout.contains("◐ brown+        3  1 4 9\n"), "{}", text.stdout);
    assert!(text.stdout.contains("Any one of these 89 corrections gives one"), "{}", text.stdout);
}

/// The mistyped card is among the first cards of the list.
#[test]
fn the_mistyped_card_is_among_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut ranks = Vec::new();
    for (wrong, right, typed_instead) in [
        (1, "1: [ant+, d", "1: [ant-, d"),
        (2, "[grasshopper+, bug-, ant+", "[grasshopper-, bug-, ant+"),
        (3, "[dragonfly+, dragonfly-, bug+", "[dragonfly+, dragonfly-, ant+"),
        (4, "[grasshopper-, bug-, bug+, ant+]", "[ant+, bug+, bug-, grasshopper-]"),
        (5, "[dragonfly+, ant-, grasshopper+, bug-]", "[ant-, dragonfly+, grasshopper+, bug-]"),
        (6, "[bug+, ant-, dragonfly-", "[bug+, ant+, dragonfly-"),
        (7, "[bug-, grasshopper+, dragonfly-, ant+]", "[ant-, grasshopper+, ant+, dragonfly-]"),
        (8, "[ant-, bug+, grass", "[dragonfly-, bug+, grass"),
        (9, "[ant-, grasshopper+, ant+", "[grasshopper+, ant-, ant+"),
    ] {
        let found = examined(&typed(folder.path(), right, typed_instead));
        let cards = found["cards"].as_array().unwrap().iter();
        let listed: Vec<&str> = cards.filter_map(|card| card["card"].as_str()).collect();
        let rank = listed.iter().position(|card| *card == wrong.to_string());
        ranks.push(1 + rank.unwrap_or(listed.len()));
    }
    assert!(ranks.iter().sum::<usize>() <= 4 * ranks.len(), "{ranks:?}");
}

#[test]
fn after_unsatisfiable_the_way_out_is_named() {
    let session = run(&["solve", &puzzle("sharks-misread")]);
    assert_eq!(session.code, 1);
    assert!(session.stderr.contains("edgematch doctor"), "{}", session.stderr);
    assert!(!run(&["solve", "-q", &puzzle("sharks-misread")]).stderr.contains("doctor"));
}

#[test]
fn a_puzzle_alone_is_solved() {
    let path = puzzle("scramble-1");
    let solved = run(&["solve", "--format", "link", "-q", &path]);
    let alone = run(&[&path, "--format", "link", "-q"]);
    assert_eq!((alone.code, &alone.stdout), (0, &solved.stdout));
    let missing = run(&["scramble-1.yaml"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains(
            "scramble-1.yaml: there is no such file\n  help: did you mean puzzles/scramble-1.yaml?"
        ),
        "{}",
        missing.stderr
    );
    assert!(run(&["sovle"]).stderr.contains("unrecognized subcommand"));
}

#[test]
fn a_folder_of_puzzles_says_what_to_do_with_it() {
    for arguments in [&["solve", "puzzles"][..], &["puzzles"]] {
        let session = run(arguments);
        assert_eq!(session.code, 2);
        for said in
            ["a folder with 82 puzzles", "puzzles/abcd-test-board.yaml", "edgematch batch puzzles"]
        {
            assert!(session.stderr.contains(said), "{}", session.stderr);
        }
    }
}

#[test]
fn cards_as_they_were_read_stand_before_the_answer() {
    let session = run(&["solve", "--cards", &puzzle("absolut-knifflig")]);
    let read = "% the cards as they were read:\n% ┌";
    assert_eq!(session.stdout.matches(read).count(), 1);
    assert!(session.stdout.contains("% the solution:\n% ┌"));
    let checked = run_with_input(&["check", &puzzle("absolut-knifflig"), "-"], session.stdout);
    assert_eq!(checked.code, 0);
    let refused = run(&["solve", "--cards", "--format", "json", &puzzle("scramble-1")]);
    assert!(refused.stderr.contains("--cards requires --format text"));
}

#[test]
fn constraints_are_not_blamed_on_the_cards() {
    let folder = tempfile::tempdir().unwrap();
    let file = typed(
        folder.path(),
        "tiles:",
        "constraints: [{pin: {cell: [1, 1], tile: 8}}, {pin: {cell: [2, 2], \
         tile: 1}}]\ntiles:",
    );
    let session = run(&["doctor", &file]);
    assert!(session.stdout.contains("none satisfies the constraints"), "{}", session.stdout);
    let unsolvable = run(&["solve", "-q", "--cards", &puzzle("sharks-misread")]);
    assert!(unsolvable.stdout.starts_with("% the cards as they were read:\n% ┌"));
}
