//! Boards whose solutions others have counted: docs/records.md.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output};

use edgematch::engine::Contender;
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;
use serde_json::Value;

use crate::common::every_engine;
use crate::session::{at_root, run, run_with_input};

/// Distinct solutions of a puzzle.
fn distinct(path: &str) -> u64 {
    let session = run(&["count", path, "--format", "json"]);
    let counts: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(counts["complete"], true);
    counts["distinct"].as_u64().unwrap()
}

#[test]
fn boards_of_2007_have_as_many_solutions_as_others_found() {
    for (name, number) in [("owen-1-6", 65), ("owen-2-6", 40)] {
        let path = format!("benches/boards/{name}.yaml");
        assert_eq!(distinct(&path), number, "{name}");
    }
}

#[test]
fn seven_nuts_go_together_in_one_way() {
    let problem = load::read(&at_root("benches/boards/drive-ya-nuts.yaml")).unwrap();
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    for Contender { name, engine } in every_engine() {
        if engine.serves(&problem).is_ok() {
            let tally = enumerate::run(&problem, engine.as_ref(), &Limits::default(), ignore).tally;
            assert_eq!(tally.classes, 1u32.into(), "{name}");
            assert_eq!(tally.solutions, 6u32.into(), "{name}");
        }
    }
}

/// A folder as that of the suite: boards of which all solutions are known, and others.
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
        .args([
            "--sample",
            "1",
            "--program",
            env!("CARGO_BIN_EXE_edgematch"),
        ])
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
    // A solution more than there is.
    fs::write(boards.join("5/5/board_1/sol_999.sol"), "").unwrap();
    let output = of_suite(&boards, &results);
    assert_eq!(output.status.code(), Some(1));
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("5/5/board_1/puzzle.puz: "), "{words}");
    assert!(
        String::from_utf8(output.stdout)
            .unwrap()
            .contains("| 1 |\n")
    );
}
