//! A mistyped puzzle, as its owner meets it: warnings.

use std::fs;
use std::path::Path;

use crate::session::{at_root, run, run_with_input, write};

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
        (
            "1: [ant+,",
            "1: [amt+,",
            "typed.yaml:4:7: did you mean `ant+`? `amt` 1+ 0-, `ant` ",
        ),
        ("1: [ant+,", "1: [Ant+,", "did you mean `ant+`?"),
        ("1: [ant+,", "1: [wasp+,", "only one edge shows `wasp`"),
        (
            "1: [ant+, dragonfly-, grasshopper+",
            "1: [wasp+, dragonfly-, wasp+",
            "2 edges show `wasp+` and none",
        ),
        (
            "1: [ant+,",
            "1: [bee+!,",
            "typed.yaml:4:7: `bee+!` has a sign inside its name",
        ),
        (
            "order: counterclockwise-from-right\n",
            "",
            "typed.yaml:3:3: edges are read as right, top, left, bottom",
        ),
        (
            "tiles:",
            "rows: 2\ncols: 2\ntiles:",
            "9 tiles for 4 cells: 5 stay over",
        ),
        (
            "2: [grasshopper+, bug-, ant+, dragonfly-]",
            "2: [dragonfly-, grasshopper+, bug+, ant+]",
            "typed.yaml:5:3: these tiles are alike: `1` and `2`",
        ),
    ] {
        let file = typed(folder.path(), card, instead);
        for command in ["info", "solve"] {
            let session = run(&[command, &file]);
            let said = &session.stderr;
            assert!(said.contains("warning: "), "{said}");
            assert!(said.contains(warning), "{command} {instead}: {said}");
            assert!(said.contains("help: "), "{said}");
            assert_ne!(session.code, 2, "{said}");
            assert!(!run(&[command, "-q", &file]).stderr.contains("warning"));
            let strict = run(&[command, "-q", "--strict", &file]);
            assert_eq!(strict.code, 2);
            assert!(strict.stderr.contains("error: ") && strict.stderr.contains(warning));
        }
    }
}

/// `red 9+ 5-`, where no arrangement can have so many pairs.
#[test]
fn halves_out_of_balance_are_counted() {
    let text = "order: clockwise-from-top\nrotations: false\ntiles: {1: [a+, a+, a+, b+], 2: [b-, a+, a+, a+], 3: \
                [a+, b-, a+, a+], 4: [a+, a-, b+, a+]}\n";
    let session = run_with_input(&["info", "-"], text);
    let counted = "no solution: the board has 4 seams, the tiles make at most 3 pairs: `a` 11+ 1-";
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
        let flags = [
            "generate", "-q", "--size", "3x3", "--images", "3", "--seed", &seed,
        ];
        let made = run(&flags).stdout;
        assert!(
            made.contains("\norder: counterclockwise-from-right\n"),
            "{made}"
        );
        let session = run_with_input(&["info", "--strict", "-"], made);
        assert_eq!((session.code, &*session.stderr), (0, ""));
    }
}
