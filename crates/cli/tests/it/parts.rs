//! `solve --part`, and `merge`, which reports exactly what is missing.

use std::fs;
use std::path::{Path, PathBuf};

use edgematch::engine::{Auto, PartOf, Share};
use serde_json::Value;

use crate::common::{complete, read};

/// Solves a puzzle in `of` parts; returns a temporary folder and the output file of each part.
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

/// The JSON lines of all solutions without their numbers, sorted.
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
    for field in ["type", "status", "complete", "distinct", "classes", "solutions"] {
        assert_eq!(status[field], of_whole.last().unwrap()[field], "{field}");
    }
    let text = merge(&files, &[]);
    assert_eq!(text.stdout, "solutions  148\nclasses    37\ndistinct   37\n");
    assert!(text.stderr.starts_with(
        "37 solutions (148 with symmetries of the board), proven complete (5 parts, "
    ));
    let json: Value = serde_json::from_str(&merge(&files, &["--format", "json"]).stdout).unwrap();
    assert_eq!(json[0]["index"], 1);
    // The parts may be in any order, and in one file.
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
        assert_eq!(status["status"], if has_found { "SATISFIED" } else { "UNKNOWN" });
        let text =
            crate::session::run(&["solve", &puzzle, "--part", &format!("{part}/4")]).expect(0);
        assert!(!text.stdout.contains("=========="), "{}", text.stdout);
        assert!(!text.stdout.contains("UNSATISFIABLE"), "{}", text.stdout);
        assert!(text.stderr.starts_with(&format!("part {part} of 4: ")), "{}", text.stderr);
        text.says(", complete in this part (");
    }
    assert_eq!(empty, 3);
}

#[test]
fn parts_without_any_solution_prove_that_there_is_none() {
    let (_folder, files) = written(&crate::session::puzzle("sharks-misread"), 3, &[]);
    let merged = merge(&files, &["--format", "jsonl"]);
    assert_eq!(merged.code, 1);
    merged.prints("\"status\":\"UNSATISFIABLE\",\"complete\":true");
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
    merged.prints("\"status\":\"SATISFIED\",\"complete\":false");
    assert!(merged.stderr.ends_with("so far: parts 2, 4–6 of 9 are missing\n"));
    let text = merge(&some(&[1, 3, 7, 8, 9]), &[]).stdout;
    assert!(text.starts_with("solutions  at least "), "{text}");

    // A part that was stopped, one cut off within a line, one between lines, and an empty one.
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
        merged.says(words);
    }
    // Incomplete files are ignored if the part was run again.
    given.extend(some(&[1, 4]));
    let merged = merge(&given, &[]);
    assert_eq!((merged.code, merged.stdout.lines().count()), (0, 3));
    // Only a truncated file.
    let merged = merge(&[cut], &[]);
    assert_eq!(merged.code, 2);
    merged.says("cut.jsonl: ends in the middle of a line");
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
    merged.says("part-1.jsonl:1 occurs again in ");
    merged.says("other.jsonl:1");
    given.push(other);
    let merged = merge(&given, &[]);
    assert_eq!(merged.code, 4);
    merged.says("part 2 was run twice, with different solutions in ");
}

/// The exit code and message of `merge` for a good part and a file with this text.
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
    let forgotten: String = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let lines = text.lines().count();
    for (bad, words) in [
        (&other_puzzle, "its puzzle or constraints differ from those of "),
        (&pinned, "its puzzle or constraints differ from those of "),
        (&other_number, "it is one of 4 parts, "),
        (&other_cut, "its search was divided differently from that of "),
        (&other_version, "it was written by version 9"),
        (&other_revision, "it was written by version "),
        (&whole, "this run is not a part of a search"),
        (&forgotten, "solutions precede it"),
        (&"[1]\n".to_owned(), "bad.jsonl:1:1: expected one JSON object per line"),
        (
            &"{\"type\":\"play\"}\n".to_owned(),
            "`play` is not a type of object in the results of a part",
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
    missing.says("it can't be read");
    assert_eq!(merge(&[folder.to_owned()], &[]).code, 2);
    // Engines with dynamic variable order split the tree in the same way.
    let milp = solve_part(&puzzle(), 2, 3, &["--engine", "milp"]).stdout;
    let milp = crate::session::write(folder, "milp.jsonl", milp);
    assert_eq!(merge(&[files[0].clone(), milp, files[2].clone()], &[]).code, 0);
}

#[test]
fn what_to_expect_of_parts_is_estimated() {
    let board = "benches/boards/s6-k8-0.yaml";
    let json = crate::session::run(&["estimate", board, "--parts", "10", "--format", "json"]);
    let parts = serde_json::from_str::<Value>(&json.stdout).unwrap()["parts"].clone();
    assert_eq!((&parts["parts"], &parts["probed"]), (&10.into(), &10.into()));
    let number = |name: &str| parts[name].as_f64().unwrap();
    assert!(number("leaves") > 1000.0, "{parts}");
    assert!(number("longest") >= number("mean") && number("mean") >= number("frontier"));
    let again = crate::session::run(&["estimate", board, "--parts", "10", "--format", "json"]);
    let again = serde_json::from_str::<Value>(&again.stdout).unwrap()["parts"].clone();
    assert_eq!(parts["nodes"], again["nodes"], "probes are the same each time");
    // Within a factor of two of the actual number.
    let problem = read(board);
    let share = |part| Share::new(&Auto, PartOf { part, of: 10 });
    let nodes = (1..=10).map(|part| complete(&problem, &share(part)).work.nodes);
    let ratio = number("nodes") / nodes.sum::<u64>() as f64;
    assert!((0.5..2.0).contains(&ratio), "{ratio}");
    let text = crate::session::run(&["estimate", board, "--parts", "10"]).stdout;
    let columns = text.lines().rev().nth(1).unwrap();
    let row = text.lines().last().unwrap();
    assert!(columns.contains("frontier") && row.trim().starts_with("10 "), "{text}");
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
        crate::session::run(&["solve", &puzzle(), "--part", part]).expect(2).says(words);
    }
    for flags in [
        &["--best"] as &[&str],
        &["--maximize", "[{weight: 1, cells: corners, rotation: 0}]"],
        &["--certificate", "proof"],
        &["--expand"],
    ] {
        let mut args = vec!["solve", "puzzles/scramble-1.yaml", "--part", "1/2"];
        args.extend(flags);
        crate::session::run(&args).expect(2).says("'--part <K/N>' cannot be used with");
    }
}
