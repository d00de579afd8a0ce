//! A search in parts: whatever their number, together they find what one run finds, each
//! arrangement once; and `merge` says exactly what is missing.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use edgematch::engine::{Auto, ENGINES, Engine, PartOf, Share};
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::solution::Picture;
use num_bigint::BigUint;
use serde_json::Value;

use crate::common::every_engine;
use crate::frameless::BOARDS;

/// What a run finds: each canonical form with the number of solutions that it stands for.
type Pictures = BTreeMap<Picture, BigUint>;

fn found(problem: &Problem, engine: &dyn Engine, threads: usize) -> Pictures {
    let mut pictures = Pictures::new();
    let limits = Limits {
        threads,
        ..Limits::default()
    };
    let outcome = enumerate::run(problem, engine, &limits, &mut |found: &Found<'_>| {
        let Found { distinct, .. } = found;
        let twice = pictures.insert(distinct.orbit[0].clone(), distinct.solutions.clone());
        assert_eq!(twice, None);
        ControlFlow::Continue(())
    });
    assert!(outcome.status.is_complete(), "{:?}", outcome.status);
    pictures
}

/// All parts together, none of which finds what another has found.
fn together(problem: &Problem, engine: &dyn Engine, of: u32, threads: usize) -> Pictures {
    let mut all = Pictures::new();
    for part in 1..=of {
        let share = Share::new(engine, PartOf { part, of });
        for (picture, solutions) in found(problem, &share, threads) {
            let twice = all.insert(picture, solutions);
            assert_eq!(twice, None, "part {part} of {of} finds it, too");
        }
    }
    all
}

/// Puzzles that differ in all that cutting may stumble over.
fn puzzles() -> Vec<(&'static str, Problem)> {
    let same = "tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, b, a, b], 4: [a, b, a, b]}";
    let spare = "{rows: 2, cols: 2, tiles: {1: [a, b, c, a], 2: [a, b, a, b], 3: [c, a, b, b], \
                 4: [a, a, c, b], 5: [b, a, c, c], 6: [a, c, b, a]}}";
    let spare_3 = "{rows: 1, cols: 3, tiles: {1: [a, b, a, b], 2: [a, b, a, b], 3: [c, a, b, b], \
                   4: [a, a, c, b], 5: [b, a, c, c]}}";
    let constrained = "{rows: 2, cols: 3, constraints: [{count: {cells: all, shows: {top: a}, \
                       at_most: 2}}, {adjacent: {tiles: [1, 2]}}], tiles: {1: [a, b, a, a], \
                       2: [a, b, a, b], 3: [b, a, b, b], 4: [a, a, b, b], 5: [b, a, b, a], 6: [a, a, a, b]}}";
    let turnless = "{rows: 2, cols: 3, rotations: false, tiles: {1: [a, b, a, a], 2: [a, b, a, a], \
                    3: [b, a, a, b], 4: [a, a, b, b], 5: [a, a, a, a], 6: [a, b, a, b]}}";
    let texts = [
        ("twins and tiles that equal their turns", same),
        ("more tiles than cells", spare),
        ("more tiles than cells in a row", spare_3),
        ("constraints", constrained),
        ("no turns", turnless),
    ];
    let boards = BOARDS.map(|(name, text, _)| (name, text));
    let texts = texts.into_iter().chain(boards);
    let written = texts.map(|(name, text)| (name, load::from_str(text).unwrap()));
    let files = [
        "scramble-1",
        "absolut-knifflig",
        "knifflidiffels-version5",
        "random-half-3x4-4-s1",
        "framed-3x3-tud",
        "random-frame-4x4-4-s1",
        "sharks-misread",
        "random-vex-3x3-10-s1",
    ]
    .map(|name| {
        let path = format!("{}/{}", crate::ROOT, crate::session::puzzle(name));
        (name, load::read(path.as_ref()).unwrap())
    });
    written.chain(files).collect()
}

fn finds_the_same_in_parts(are_meant: impl Fn(&str, &str) -> bool, numbers: &[u32]) {
    for (name, problem) in puzzles() {
        let whole = found(&problem, &Auto, 1);
        for contender in every_engine() {
            let engine = contender.engine.as_ref();
            if engine.serves(&problem).is_err() || !are_meant(name, &contender.name) {
                continue;
            }
            for &of in numbers {
                let all = together(&problem, engine, of, 1);
                assert_eq!(all, whole, "{name}, {}, {of} parts", contender.name);
            }
        }
    }
}

/// Models take long where there are constraints.
fn is_slow(puzzle: &str, engine: &str) -> bool {
    puzzle == "constraints" && engine.starts_with("milp")
}

#[test]
fn every_engine_finds_the_same_in_parts() {
    finds_the_same_in_parts(|puzzle, engine| !is_slow(puzzle, engine), &[1, 2, 7]);
}

#[test]
fn one_engine_of_each_sort_finds_the_same_in_many_parts() {
    let first = ENGINES.iter().map(|kind| kind.contenders()[0].name.clone());
    let sorts: Vec<String> = first.chain(["scan-spiral".to_owned()]).collect();
    let is_meant = |puzzle: &str, engine: &str| {
        sorts.iter().any(|sort| sort == engine) && !is_slow(puzzle, engine)
    };
    finds_the_same_in_parts(is_meant, &[64]);
}

#[test]
#[ignore = "a minute; .ci/run runs it"]
fn every_engine_finds_the_same_in_every_number_of_parts() {
    finds_the_same_in_parts(|_, _| true, &[1, 2, 7, 64]);
}

#[test]
fn threads_change_nothing_in_a_part() {
    let path = format!("{}/benches/boards/f6-b4k5-0.yaml", crate::ROOT);
    let problem = load::read(path.as_ref()).unwrap();
    let whole = found(&problem, &Auto, 1);
    for engine in every_engine() {
        if ["auto", "backtrack"].contains(&engine.name.as_str()) {
            let all = together(&problem, engine.engine.as_ref(), 3, 2);
            assert_eq!(all, whole, "{}", engine.name);
        }
    }
}

/// A folder with what each of so many parts has written.
fn written(puzzle: &str, of: u32, more: &[&str]) -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    let files = (1..=of)
        .map(|part| {
            let session = solve_part(puzzle, part, of, more);
            assert_eq!(session.code, 0, "{}", session.stderr);
            crate::session::write(folder.path(), &format!("part-{part}.jsonl"), session.stdout)
        })
        .collect();
    (folder, files)
}

fn solve_part(puzzle: &str, part: u32, of: u32, more: &[&str]) -> crate::session::Session {
    let part = format!("{part}/{of}");
    let mut args = vec!["solve", puzzle, "--part", &part, "--format", "jsonl"];
    args.extend(more);
    crate::session::run(&args)
}

fn merge(files: &[PathBuf], more: &[&str]) -> crate::session::Session {
    let mut args = vec!["merge"];
    args.extend(more);
    args.extend(files.iter().map(|file| file.to_str().unwrap()));
    crate::session::run(&args)
}

fn objects(lines: &str) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).unwrap();
    lines.lines().map(object).collect()
}

/// The lines of all solutions without their numbers, sorted.
fn solutions(lines: &str) -> Vec<String> {
    let mut solutions: Vec<String> = objects(lines)
        .into_iter()
        .filter(|object| object["type"] == "solution")
        .map(|object| format!("{} {}", object["placements"], object["solutions"]))
        .collect();
    solutions.sort();
    solutions
}

fn puzzle() -> String {
    crate::session::puzzle("absolut-knifflig")
}

#[test]
fn merged_parts_say_what_one_run_says() {
    let (_folder, files) = written(&puzzle(), 5, &[]);
    let whole = crate::session::run(&["solve", &puzzle(), "--format", "jsonl"]);
    let merged = merge(&files, &["--format", "jsonl"]);
    assert_eq!(merged.code, 0, "{}", merged.stderr);
    assert_eq!(solutions(&merged.stdout), solutions(&whole.stdout));
    let merged = objects(&merged.stdout);
    let numbers = merged.iter().filter_map(|object| object["index"].as_u64());
    assert!(numbers.eq(1..=37), "numbered anew");
    let status = merged.last().unwrap();
    let of_whole = objects(&whole.stdout);
    for field in [
        "type",
        "status",
        "complete",
        "distinct",
        "classes",
        "solutions",
    ] {
        assert_eq!(status[field], of_whole.last().unwrap()[field], "{field}");
    }
    let text = merge(&files, &[]);
    assert_eq!(
        text.stdout,
        "solutions  148\nclasses    37\ndistinct   37\n"
    );
    assert!(
        text.stderr
            .starts_with("37 classes, 148 solutions, 37 distinct, complete (5 parts, ")
    );
    let json: Value = serde_json::from_str(&merge(&files, &["--format", "json"]).stdout).unwrap();
    assert_eq!(json[0]["index"], 1);
    // The order of the files does not matter, nor does one file for all.
    let mut all = String::new();
    for file in files.iter().rev() {
        all += &fs::read_to_string(file).unwrap();
    }
    let all = crate::session::write(_folder.path(), "all.jsonl", all);
    assert_eq!(merge(&[all], &[]).stdout, text.stdout);
}

#[test]
fn a_part_proves_nothing_of_the_whole() {
    // Four parts of a puzzle with one solution: three of them are empty, and complete.
    let puzzle = crate::session::puzzle("scramble-1");
    let mut empty = 0;
    for part in 1..=4 {
        let session = solve_part(&puzzle, part, 4, &[]);
        assert_eq!(session.code, 0);
        let status = objects(&session.stdout).pop().unwrap();
        assert_eq!(status["complete"], false);
        assert_eq!(status["part"]["complete"], true);
        let has_found = status["distinct"] == 1;
        empty += i32::from(!has_found);
        assert_eq!(
            status["status"],
            if has_found { "SATISFIED" } else { "UNKNOWN" }
        );
        let text = crate::session::run(&["solve", &puzzle, "--part", &format!("{part}/4")]);
        assert_eq!(text.code, 0);
        assert!(!text.stdout.contains("=========="), "{}", text.stdout);
        assert!(!text.stdout.contains("UNSATISFIABLE"), "{}", text.stdout);
        assert!(
            text.stderr.starts_with(&format!("part {part} of 4: ")),
            "{}",
            text.stderr
        );
        assert!(
            text.stderr.contains(", complete in this part ("),
            "{}",
            text.stderr
        );
    }
    assert_eq!(empty, 3);
}

#[test]
fn parts_without_any_solution_prove_that_there_is_none() {
    let (_folder, files) = written(&crate::session::puzzle("sharks-misread"), 3, &[]);
    let merged = merge(&files, &["--format", "jsonl"]);
    assert_eq!(merged.code, 1);
    assert!(
        merged
            .stdout
            .contains("\"status\":\"UNSATISFIABLE\",\"complete\":true")
    );
    assert!(merged.stderr.starts_with("no solution, proven (3 parts, "));
}

#[test]
fn merge_says_what_is_missing() {
    let (folder, files) = written(&puzzle(), 9, &[]);
    let some = |parts: &[usize]| -> Vec<PathBuf> {
        parts.iter().map(|part| files[part - 1].clone()).collect()
    };
    let merged = merge(&some(&[1, 3, 7, 8, 9]), &["--format", "jsonl"]);
    assert_eq!(merged.code, 3);
    assert!(
        merged
            .stdout
            .contains("\"status\":\"SATISFIED\",\"complete\":false")
    );
    assert!(
        merged
            .stderr
            .ends_with("so far: parts 2, 4–6 of 9 are missing\n")
    );
    let text = merge(&some(&[1, 3, 7, 8, 9]), &[]).stdout;
    assert!(text.starts_with("solutions  at least "), "{text}");

    // A part that was stopped, one that was killed in a line, one between two lines, an empty one.
    let stopped = solve_part(&puzzle(), 4, 9, &["-n", "1"]);
    let stopped = crate::session::write(folder.path(), "stopped.jsonl", stopped.stdout);
    let whole = fs::read_to_string(&files[0]).unwrap();
    let cut = crate::session::write(folder.path(), "cut.jsonl", &whole[..whole.len() - 9]);
    let status = whole.trim_end().rfind('\n').unwrap() + 1;
    let early = crate::session::write(folder.path(), "early.jsonl", &whole[..status]);
    let empty = crate::session::write(folder.path(), "empty.jsonl", "");
    let mut given = some(&[2, 3, 5, 6, 7, 8, 9]);
    given.extend([stopped.clone(), cut.clone(), early, empty]);
    let merged = merge(&given, &[]);
    assert_eq!(merged.code, 3);
    for words in [
        "so far: part 1 of 9 is missing; part 4 was stopped early; ",
        "cut.jsonl ends in the middle of a line; ",
        "early.jsonl ends before its status; ",
        "empty.jsonl is empty\n",
    ] {
        assert!(merged.stderr.contains(words), "{words}: {}", merged.stderr);
    }
    // Nothing of that matters where the part was run again.
    given.extend(some(&[1, 4]));
    let merged = merge(&given, &[]);
    assert_eq!((merged.code, merged.stdout.lines().count()), (0, 3));
    // A file that says nothing by itself.
    let merged = merge(&[cut], &[]);
    assert_eq!(merged.code, 2);
    assert!(
        merged
            .stderr
            .contains("cut.jsonl: ends in the middle of a line"),
        "{}",
        merged.stderr
    );
}

#[test]
fn a_part_may_be_there_twice_but_no_solution() {
    let (folder, files) = written(&puzzle(), 3, &[]);
    let mut given = files.clone();
    let sorted = solve_part(&puzzle(), 2, 3, &["--sorted"]).stdout;
    given.push(crate::session::write(folder.path(), "again.jsonl", sorted));
    assert_eq!(merge(&given, &[]).code, 0);

    let text = fs::read_to_string(&files[0]).unwrap();
    let as_part_2 = text.replace("\"part\":1,", "\"part\":2,");
    let other = crate::session::write(folder.path(), "other.jsonl", as_part_2);
    let merged = merge(&[files[0].clone(), other.clone(), files[2].clone()], &[]);
    assert_eq!(merged.code, 4);
    assert!(
        merged.stderr.contains("part-1.jsonl:1 stands in "),
        "{}",
        merged.stderr
    );
    assert!(
        merged.stderr.contains("other.jsonl:1, too"),
        "{}",
        merged.stderr
    );
    given.push(other);
    let merged = merge(&given, &[]);
    assert_eq!(merged.code, 4);
    assert!(
        merged.stderr.contains("part 2 is there twice, and "),
        "{}",
        merged.stderr
    );
}

/// What `merge` says of one good part and this file, and the exit code.
fn refusal(folder: &Path, good: &Path, text: &str) -> (i32, String) {
    let bad = crate::session::write(folder, "bad.jsonl", text);
    let merged = merge(&[good.to_owned(), bad], &[]);
    (merged.code, merged.stderr)
}

#[test]
fn parts_of_something_else_are_refused() {
    let (folder, files) = written(&puzzle(), 3, &[]);
    let folder = folder.path();
    let good = files[0].as_path();
    let other_puzzle = solve_part(&crate::session::puzzle("scramble-1"), 2, 3, &[]).stdout;
    let pinned = solve_part(&puzzle(), 2, 3, &["--pin", "2,2=4"]).stdout;
    let other_number = solve_part(&puzzle(), 2, 4, &[]).stdout;
    let other_cut = solve_part(&puzzle(), 2, 3, &["--engine", "backtrack", "--plain"]).stdout;
    let text = fs::read_to_string(&files[1]).unwrap();
    let other_version = text.replace("\"version\":\"", "\"version\":\"9");
    let other_revision = text.replace("\"revision\":\"", "\"revision\":\"9");
    let whole = crate::session::run(&["solve", &puzzle(), "--format", "jsonl"]).stdout;
    let forgotten: String = text
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    let lines = text.lines().count();
    for (bad, words) in [
        (
            &other_puzzle,
            "it is part of another puzzle, or other constraints, than ",
        ),
        (
            &pinned,
            "it is part of another puzzle, or other constraints, than ",
        ),
        (&other_number, "it is one of 4 parts, "),
        (
            &other_cut,
            "its search was divided differently from that of ",
        ),
        (&other_version, "it was written by version 9"),
        (&other_revision, "it was written by version "),
        (&whole, "this run was not cut into parts"),
        (&forgotten, "stand before it"),
        (
            &"[1]\n".to_owned(),
            "bad.jsonl:1:1: expected one JSON object a line",
        ),
        (
            &"{\"type\":\"play\"}\n".to_owned(),
            "`solve` writes no object of type `play`",
        ),
    ] {
        let (code, said) = refusal(folder, good, bad);
        assert_eq!(code, 2, "{said}");
        assert!(said.contains(words), "{words}: {said}");
        assert!(said.contains("bad.jsonl:"), "{said}");
    }
    let (_, said) = refusal(folder, good, &other_version);
    assert!(said.contains(&format!("bad.jsonl:{lines}:1: ")), "{said}");
    let missing = merge(&[folder.join("nowhere.jsonl")], &[]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("it can't be read"),
        "{}",
        missing.stderr
    );
    assert_eq!(merge(&[folder.to_owned()], &[]).code, 2);
    // Engines that choose cells as they go cut alike.
    let milp = solve_part(&puzzle(), 2, 3, &["--engine", "milp"]).stdout;
    let milp = crate::session::write(folder, "milp.jsonl", milp);
    assert_eq!(
        merge(&[files[0].clone(), milp, files[2].clone()], &[]).code,
        0
    );
}

#[test]
fn what_to_expect_of_parts_is_estimated() {
    let board = "benches/boards/s6-k8-0.yaml";
    let json = crate::session::run(&["estimate", board, "--parts", "10", "--format", "json"]);
    let parts = serde_json::from_str::<Value>(&json.stdout).unwrap()["parts"].clone();
    assert_eq!(
        (&parts["parts"], &parts["probed"]),
        (&10.into(), &10.into())
    );
    let number = |name: &str| parts[name].as_f64().unwrap();
    assert!(number("leaves") > 1000.0, "{parts}");
    assert!(number("longest") >= number("mean") && number("mean") >= number("frontier"));
    let again = crate::session::run(&["estimate", board, "--parts", "10", "--format", "json"]);
    let again = serde_json::from_str::<Value>(&again.stdout).unwrap()["parts"].clone();
    assert_eq!(
        parts["nodes"], again["nodes"],
        "probes are the same each time"
    );
    // Within a factor of two of what there is.
    let problem = load::read(format!("{}/{board}", crate::ROOT).as_ref()).unwrap();
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    let nodes = (1..=10).map(|part| {
        let share = Share::new(&Auto, PartOf { part, of: 10 });
        enumerate::run(&problem, &share, &Limits::default(), ignore)
            .work
            .nodes
    });
    let ratio = number("nodes") / nodes.sum::<u64>() as f64;
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
    let text = crate::session::run(&["estimate", board, "--parts", "10"]).stdout;
    let columns = text.lines().rev().nth(1).unwrap();
    let row = text.lines().last().unwrap();
    assert!(
        columns.contains("frontier") && row.trim().starts_with("10 "),
        "{text}"
    );
}

#[test]
fn what_is_no_part_is_refused() {
    for (part, words) in [
        ("3", "such as 3/200"),
        ("x/3", "such as 3/200"),
        ("0/3", "there is no part 0 of 3: parts are numbered from 1"),
        ("4/3", "there is no part 4 of 3"),
        ("1/1000001", "there are at most 1000000 parts"),
    ] {
        let session = crate::session::run(&["solve", &puzzle(), "--part", part]);
        assert_eq!(session.code, 2, "{part}");
        assert!(session.stderr.contains(words), "{part}: {}", session.stderr);
    }
    for flags in [
        &["--best"] as &[&str],
        &["--maximize", "[{weight: 1, cells: corners, rotation: 0}]"],
        &["--certificate", "proof"],
        &["--expand"],
    ] {
        let mut args = vec!["solve", "puzzles/scramble-1.yaml", "--part", "1/2"];
        args.extend(flags);
        let session = crate::session::run(&args);
        assert_eq!(session.code, 2, "{flags:?}");
        assert!(
            session.stderr.contains("--part cannot be used with"),
            "{}",
            session.stderr
        );
    }
}
