//! Malicious puzzles: names with commands for a terminal, a spreadsheet or a database.

use std::fs;

use edgematch::load::is_unprintable;
use tempfile::tempdir;

use crate::session::{Session, at_root, run, write};

/// Puzzles with control characters, line breaks and bidirectional overrides in all names.
const PUZZLES: [&str; 2] = ["tests/cases/text/escapes.yaml", "tests/cases/text/lines.yaml"];

/// The command lines that print names of a puzzle as text.
const COMMANDS: [&str; 25] = [
    "solve FILE",
    "solve FILE -s -v",
    "solve FILE --steps",
    "solve FILE --cards --draw",
    "solve FILE --best",
    "solve FILE --format link",
    "solve FILE --log no/such/folder",
    "info FILE",
    "info FILE --tables",
    "count FILE",
    "estimate FILE",
    "hint FILE",
    "hint FILE --pin 1,2@3",
    "why FILE",
    "why FILE --pin 1,1@1",
    "doctor FILE",
    "check FILE LIST",
    "check FILE LIST --pin 1,1@3",
    "show FILE",
    "show FILE LIST",
    "compare FILE --runs 1 --engine propagate,milp-b",
    "compare FILE FILE --runs 1 --engine propagate",
    "compare FILE FILE --runs 1 --levels --engine scan",
    "convert FILE --to letters",
    "export FILE",
];

/// Asserts that the output contains no control characters and no name begins a line.
fn assert_harmless(session: &Session, what: &str) {
    for text in [&session.stdout, &session.stderr] {
        let obeyed = |c: &char| is_unprintable(*c) && *c != '\n';
        assert_eq!(text.chars().find(obeyed), None, "{what}: {text:?}");
        let begins = text.lines().any(|line| line.starts_with("FAKE"));
        assert!(!begins, "{what}: {text}");
    }
}

#[test]
fn names_do_not_command_the_terminal() {
    let folder = tempdir().unwrap();
    for puzzle in PUZZLES {
        let found = run(&["solve", "-q", puzzle]).stdout;
        let list = write(folder.path(), "list.txt", found).display().to_string();
        for command in COMMANDS {
            let word = |word: &'static str| match word {
                "FILE" => puzzle.to_owned(),
                "LIST" => list.clone(),
                word => word.to_owned(),
            };
            let words: Vec<String> = command.split(' ').map(word).collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            assert_harmless(&run(&words), &format!("{puzzle}: {command}"));
        }
    }
}

/// Output of `solve` with such names is read back unchanged.
#[test]
fn escaped_names_are_read_back() {
    for puzzle in PUZZLES {
        let solved = run(&["solve", "-q", "--best", puzzle]);
        let folder = tempdir().unwrap();
        let list = write(folder.path(), "list.txt", &solved.stdout);
        let shown = run(&["show", puzzle, list.to_str().unwrap()]);
        assert_eq!(shown.code, 0, "{}", shown.stderr);
    }
}

#[test]
fn many_puzzles_do_not_command_the_terminal_either() {
    let folder = tempdir().unwrap();
    let results = folder.path().join("runs.sqlite").display().to_string();
    let bad = write(folder.path(), "bad\nFAKE\u{1b}.yaml", "tiles: {\"\\e[1m\\nFAKE\": [a]}\n");
    let bad = bad.display().to_string();
    let files = [&PUZZLES[..], &[&bad]].concat();
    let batch = run(&[&["batch", "--results", &results], &files[..]].concat());
    assert_harmless(&batch, "batch");
    for format in ["table", "markdown"] {
        let shown = run(&["results", &results, "--format", format]);
        assert_harmless(&shown, format);
    }
    let proof = folder.path().join("proof").display().to_string();
    let made = run(&["solve", "--certificate", &proof, PUZZLES[1]]);
    assert_harmless(&made, "--certificate");
    let verified = run(&["verify", &proof]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert_harmless(&verified, "verify");
}

#[test]
fn names_are_no_formulas() {
    let folder = tempdir().unwrap();
    let results = folder.path().join("runs.sqlite").display().to_string();
    let puzzle = "tests/cases/text/formula.yaml";
    run(&["batch", "-q", puzzle, "--results", &results]);
    let shown = run(&["results", &results, "--format", "csv"]).stdout;
    assert!(shown.contains(",\"'=HYPERLINK("), "{shown}");
    let csv = folder.path().join("all.csv");
    let args = ["compare", "-q", puzzle, "--runs", "1", "--engine", "propagate", "--export-csv"];
    let compared = run(&[&args[..], &[csv.to_str().unwrap()]].concat());
    assert_eq!(compared.code, 0, "{}", compared.stderr);
    let written = fs::read_to_string(csv).unwrap();
    assert!(written.contains("\n\"'=HYPERLINK("), "{written}");
}

/// No command embeds a file outside the folder of the puzzle, reached by a path or a link.
#[cfg(unix)]
#[test]
fn pictures_outside_the_folder_are_refused() {
    let folder = tempdir().unwrap();
    let picture = at_root("puzzles/scramble-1/input/1.png");
    for secret in ["secret-1.png", "secret-2.png"] {
        fs::copy(&picture, folder.path().join(secret)).unwrap();
    }
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    for tile in ["1", "2"] {
        let secret = folder.path().join(format!("secret-{tile}.png"));
        std::os::unix::fs::symlink(secret, inside.join(format!("link-{tile}.png"))).unwrap();
    }
    let anywhere = format!("{}/secret-{{tile}}.png", folder.path().display());
    let wasm = write(folder.path(), "solver.wasm", b"\0asm\x01\0\0\0\0\x0d\x0ajavascript//");
    let wasm = wasm.display().to_string();
    for pattern in ["../secret-{tile}.png", "link-{tile}.png", &anywhere] {
        let text = format!(
            "{{rows: 1, cols: 2, pictures: '{pattern}', tiles: {{1: [x, y, z, y], 2: [z, y, x, y]}}}}"
        );
        let file = write(&inside, "puzzle.yaml", text).display().to_string();
        let results = folder.path().join("runs.sqlite").display().to_string();
        let out = |name: &str| folder.path().join(name).display().to_string();
        for args in [
            &["show", &file, "-o", "-"][..],
            &["solve", &file, "-o", "-"],
            &["solve", &file, "-o", &out("solved")],
            &["why", &file, "-o", "-"],
            &["doctor", &file, "-o", &out("cards.svg")],
            &["sheet", &file, "-o", &out("sheet.pdf")],
            &["site", &file, "-n", "9", "-o", &out("page.html")],
            &["site", &file, "-o", &out("site"), "--wasm", &wasm],
            &["play", &file, "--port", "0"],
        ] {
            let session = run(args);
            assert_eq!((session.code, &*session.stdout), (2, ""), "{args:?}");
            let said = session.stderr.contains("is outside the folder of the puzzle");
            assert!(said, "{args:?}: {}", session.stderr);
        }
        let folder = inside.display().to_string();
        let site = run(&["site", &folder, "-o", &out("site"), "--wasm", &wasm]);
        assert!(site.stderr.contains("is outside the folder"), "{}", site.stderr);
        run(&["batch", "-q", &file, "--results", &results, "--keep-solutions"]);
        let pages = run(&["site", &results, "-o", &out("results.html"), "--force"]);
        assert!(pages.stderr.contains("drawn without its pictures"), "{}", pages.stderr);
    }
}
