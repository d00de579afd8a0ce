//! The script that recounts a suite of boards, see `docs/measurements.md`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::session::{at_root, run, run_with_input};

/// The number of distinct solutions of a puzzle.
fn distinct(path: &str) -> u64 {
    let session = run(&["count", path, "--format", "json"]);
    let counts: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(counts["complete"], true);
    counts["distinct"].as_u64().unwrap()
}

/// Creates a folder like that of the suite: boards with all solutions known, and others.
fn suite(folder: &Path) {
    for (size, images, is_done) in [(4, 4, true), (5, 5, true), (6, 9, false)] {
        for board in 0..2 {
            let place = format!("{size}/{images}/board_{board}");
            let place = folder.join(place);
            fs::create_dir_all(&place).unwrap();
            let size = format!("{size}x{size}");
            let [images, seed] = [images, board + 1].map(|number| number.to_string());
            let made = run(&[
                "generate",
                "--framed",
                "--matching",
                "equal",
                "--size",
                &size,
                "--images",
                &images,
                "--seed",
                &seed,
            ]);
            let puz = run_with_input(&["convert", "-", "--to", "puz"], made.stdout).stdout;
            let puzzle = place.join("puzzle.puz");
            fs::write(&puzzle, puz).unwrap();
            fs::write(place.join("default_sol.sol"), "").unwrap();
            if is_done {
                for number in 1..=distinct(puzzle.to_str().unwrap()) {
                    fs::write(place.join(format!("sol_{number}.sol")), "").unwrap();
                }
                fs::write(place.join("done"), "").unwrap();
            }
        }
    }
}

fn of_suite(suite: &Path, results: &Path) -> Output {
    Command::new("python3")
        .arg(at_root("benches/records/suite.py"))
        .args([suite, results])
        .args(["--sample", "1", "--program", env!("CARGO_BIN_EXE_edgematch")])
        .output()
        .unwrap()
}

#[test]
#[ignore = "needs python3; .ci/run runs it"]
fn the_script_of_the_suite_compares_its_counts() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("board_suite");
    suite(&boards);
    let results = folder.path().join("runs.sqlite");
    let output = of_suite(&boards, &results);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    for row in ["| 4×4 | 2 | 2 |", "| 5×5 | 2 | 2 |", "| 6×6 | 9 | 1 | 1 |"] {
        assert!(text.contains(row), "{text}");
    }
    // One solution too many.
    fs::write(boards.join("5/5/board_1/sol_999.sol"), "").unwrap();
    let output = of_suite(&boards, &results);
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("5/5/board_1/puzzle.puz: "), "{words}");
    assert!(String::from_utf8(output.stdout).unwrap().contains("| 1 |\n"));
}
