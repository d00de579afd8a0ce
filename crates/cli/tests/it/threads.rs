//! The output does not depend on the number of threads.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use crate::session::{at_root, edgematch};

/// Runs `solve`; returns standard output and the last line of standard error, without times.
fn solve(file: &PathBuf, threads: &str, more: &[&str]) -> (String, String) {
    let mut command = edgematch(&[]);
    command.args(["solve", "--threads", threads]).args(more);
    let Output { stdout, stderr, .. } = command.arg(file).output().unwrap();
    let told = String::from_utf8(stderr).unwrap();
    let last = told.lines().last().unwrap_or_default();
    let words = last.rsplit_once(", ").map_or(last, |(words, _)| words);
    let printed = String::from_utf8(stdout).unwrap();
    let lines = printed.split_inclusive('\n');
    let has_time = |line: &&str| {
        let times = ["\"type\":\"statistics\"", "seconds=", "explored=", "rounds="];
        times.iter().any(|time| line.contains(time))
    };
    let without_times = lines.filter(|line| !has_time(line));
    (without_times.collect(), words.to_owned())
}

fn assert_the_same(file: &PathBuf, more: &[&str]) {
    let one = solve(file, "1", more);
    assert!(!one.1.is_empty(), "{file:?}");
    for threads in ["2", "5"] {
        assert_eq!(solve(file, threads, more), one, "{file:?} {threads} {more:?}");
    }
}

/// Most of them are solved before threads start.
#[test]
fn puzzles_print_the_same_with_any_number_of_threads() {
    let mut files: Vec<PathBuf> = fs::read_dir(at_root("puzzles"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "yaml"))
        .collect();
    files.sort();
    files.retain(|path| !path.ends_with("eternity2-clue3.yaml"));
    files.truncate(20);
    assert_eq!(files.len(), 20);
    for file in &files {
        assert_the_same(file, &[]);
    }
}

/// Puzzles that take long enough to be shared among threads, searched completely and with a limit.
#[test]
#[ignore = "takes half a minute; .ci/run runs it"]
fn large_boards_print_the_same_with_any_number_of_threads() {
    for (file, more) in [
        ("benches/boards/s7-k8-1.yaml", &[][..]),
        ("benches/boards/s7-k8-2.yaml", &["--format", "json"]),
        ("benches/boards/f7-b4k6-0.yaml", &["-n", "6"]),
        ("puzzles/framed-7x7-em-7-4-8.yaml", &["--engine", "propagate"]),
        ("puzzles/monkey-puzzle-ilp.yaml", &["-n", "2000"]),
        ("puzzles/eternity2-clue3.yaml", &["-n", "2000", "--format", "jsonl"]),
        ("puzzles/the-ant-trails-puzzle.yaml", &["-n", "500", "--expand"]),
    ] {
        assert_the_same(&PathBuf::from(file), more);
    }
}

#[test]
fn flags_that_have_no_effect_are_refused() {
    for (more, told) in [
        (&["--engine", "corners"][..], "--threads requires --engine auto"),
        (&["--engine", "backtrack", "--plain"], "uses one thread"),
        (&["--engine", "backtrack", "--scan"], "uses one thread"),
    ] {
        let mut command = edgematch(&[]);
        let file = "puzzles/scramble-1.yaml";
        let output = command.args(["solve", "-j2", file]).args(more).output();
        let Output { status, stderr, .. } = output.unwrap();
        assert_eq!(status.code(), Some(2), "{more:?}");
        assert!(String::from_utf8(stderr).unwrap().contains(told), "{more:?}");
        let (printed, _) = solve(&PathBuf::from(file), "1", more);
        assert!(printed.ends_with("==========\n"), "{more:?}");
    }
}

#[test]
fn a_limit_ends_all_threads() {
    for engine in ["propagate", "backtrack"] {
        let mut command = edgematch(&[]);
        let output = command
            .args(["solve", "-j", "5", "--time-limit", "1s", "--engine", engine])
            .arg("benches/boards/f10-b5k12-0.yaml")
            .output();
        let Output { status, stderr, .. } = output.unwrap();
        assert_eq!(status.code(), Some(3), "{engine}");
        let told = String::from_utf8(stderr).unwrap();
        assert!(told.contains("stopped after 1.00 s"), "{engine}: {told}");
    }
}
