//! Every command on every type of board, run as a process.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::common::boards::BOARDS;
use crate::session::{Session, run, run_with_input, write};

/// A puzzle file in a temporary folder.
struct File {
    name: &'static str,
    counts: [u64; 3],
    path: String,
    home: TempDir,
}

impl File {
    fn run(&self, command: &str, more: &[&str]) -> Session {
        run(&[&[command, &self.path], more].concat())
    }

    /// Runs a command on the puzzle, asserts that it succeeds, and returns its standard output.
    fn out(&self, command: &str, more: &[&str]) -> String {
        let session = self.run(command, more);
        let name = self.name;
        assert_eq!(session.code, 0, "{name} {command} {more:?}: {}", session.stderr);
        session.stdout
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }
}

fn files() -> impl Iterator<Item = File> {
    BOARDS.into_iter().map(|(name, text, counts)| {
        let home = tempdir().unwrap();
        let path = write(home.path(), &format!("{name}.yaml"), text);
        File { name, counts, path: path.to_str().unwrap().to_owned(), home }
    })
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn objects(lines: &str) -> Vec<Value> {
    let object = |line: &str| serde_json::from_str(line).unwrap();
    lines.lines().map(object).collect()
}

fn of_type<'a>(objects: &'a [Value], kind: &str) -> Vec<&'a Value> {
    objects.iter().filter(|object| object["type"] == kind).collect()
}

fn counts(status: &Value) -> [u64; 3] {
    ["solutions", "classes", "distinct"].map(|count| status[count].as_u64().unwrap())
}

/// The placements of the solutions in JSON lines, without the solutions' numbers.
fn placements(lines: &str) -> BTreeSet<String> {
    let objects = objects(lines);
    let solutions = of_type(&objects, "solution");
    let all: BTreeSet<String> = solutions.iter().map(|s| s["placements"].to_string()).collect();
    assert_eq!(all.len(), solutions.len(), "a solution twice");
    all
}

#[test]
fn what_is_solved_is_read_back() {
    for file in files() {
        let [solutions, _, distinct] = file.counts;
        for (args, number) in [
            (&["--format", "text"][..], distinct),
            (&["--format", "json"], distinct),
            (&["--format", "jsonl"], distinct),
            (&["--sorted", "--statistics"], distinct),
            (&["--expand"], solutions),
            (&["--expand", "--format", "jsonl"], solutions),
        ] {
            let solved = file.out("solve", &[args, &["-q"]].concat());
            let checked = run_with_input(&["check", &file.path, "-"], solved).expect(0);
            assert_eq!(checked.stdout.lines().count() as u64, number, "{} {args:?}", file.name);
        }
        let expanded = file.out("solve", &["--expand", "--format", "jsonl"]);
        assert_eq!(placements(&expanded).len() as u64, solutions);
    }
}

/// `check` rejects a solution with one tile turned.
#[test]
fn what_does_not_fit_is_told() {
    for file in files() {
        let solved = file.out("solve", &["-n", "1", "-q"]);
        let turned = if solved.contains("r=1") {
            solved.replacen("r=1", "r=0", 1)
        } else {
            solved.replacen("r=0", "r=1", 1)
        };
        run_with_input(&["check", &file.path, "-"], turned).expect(1).prints("does not fit");
    }
}

#[test]
fn counts_are_those_of_brute_force() {
    for file in files() {
        let [solutions, classes, distinct] = file.counts;
        let expected =
            format!("solutions  {solutions}\nclasses    {classes}\ndistinct   {distinct}\n");
        assert_eq!(file.out("count", &[]), expected, "{}", file.name);
        for engine in ["propagate", "backtrack", "milp", "auto"] {
            let solved = file.out("solve", &["--engine", engine, "--format", "jsonl"]);
            let objects = objects(&solved);
            let status = of_type(&objects, "status")[0];
            assert_eq!(counts(status), file.counts, "{} {engine}", file.name);
        }
        let compared = file.run("compare", &["--runs", "1"]);
        assert_eq!(compared.code, 0, "{}", compared.stderr);
    }
}

#[test]
fn parts_are_merged() {
    for file in files() {
        let parts: Vec<PathBuf> = (1..=3)
            .map(|part| {
                let part = format!("{part}/3");
                let session = file.run("solve", &["--part", &part, "--format", "jsonl"]);
                write(file.home.path(), &format!("{}.jsonl", &part[..1]), session.stdout)
            })
            .collect();
        let parts: Vec<&str> = parts.iter().map(|path| text(path)).collect();
        let merged = run(&[&["merge", "--format", "jsonl"], &parts[..]].concat()).expect(0);
        let whole = file.out("solve", &["--format", "jsonl"]);
        assert_eq!(placements(&merged.stdout), placements(&whole));
        let objects = objects(&merged.stdout);
        assert_eq!(counts(of_type(&objects, "status")[0]), file.counts, "{}", file.name);
    }
}

#[test]
fn certificates_are_verified() {
    for file in files() {
        let folder = file.beside("proof");
        file.out("solve", &["--certificate", text(&folder)]);
        run(&["verify", text(&folder)]).expect(0);
        // `verify` rejects a certificate that lacks a solution.
        let solutions = folder.join("solutions.txt");
        let all = std::fs::read_to_string(&solutions).unwrap();
        let (_, others) = all.split_once("----------\n").unwrap();
        std::fs::write(&solutions, others).unwrap();
        assert_ne!(run(&["verify", text(&folder)]).code, 0, "{}", file.name);
    }
}

/// Placing tiles one by one as `hint` suggests leads to a solution.
#[test]
fn hints_lead_to_a_solution() {
    for file in files() {
        let mut pins: Vec<String> = Vec::new();
        loop {
            let mut args = vec!["--format", "json"];
            for pin in &pins {
                args.extend(["--pin", pin]);
            }
            let hint: Value = serde_json::from_str(&file.out("hint", &args)).unwrap();
            if hint["hint"] == "done" {
                break;
            }
            assert_eq!(hint["hint"], "place", "{} {hint}", file.name);
            pins.push(hint["pin"].as_str().unwrap().to_owned());
            assert!(pins.len() <= 6);
        }
        let pins: Vec<&str> = pins.iter().flat_map(|pin| ["--pin", pin]).collect();
        let solved = file.out("solve", &[&pins[..], &["--expand", "--format", "jsonl"]].concat());
        assert_eq!(placements(&solved).len(), 1, "{}", file.name);
    }
}

#[test]
fn a_pin_may_name_a_face() {
    let files: Vec<File> = files().collect();
    let two_sided = files.iter().find(|file| file.name == "two-sided").unwrap();
    let number = |pin: &str| {
        let session = two_sided.run("solve", &["--pin", pin, "--format", "jsonl", "--expand"]);
        assert!(session.code < 2, "{}", session.stderr);
        placements(&session.stdout).len()
    };
    let faces = ["=t2@/front", "=t2@/back"].map(number);
    assert_eq!(faces.iter().sum::<usize>(), 8);
    let turned = (0..4).map(|r| number(&format!("=t2@{r}/front")));
    assert_eq!(turned.sum::<usize>(), faces[0]);
    for (pin, words) in [
        ("=t2@0/up", "`up` is not a face: expected `front` or `back`"),
        ("=t2@x/back", "`x` is not a rotation"),
        ("=t2@", "`` is not a rotation"),
    ] {
        let session = two_sided.run("solve", &["--pin", pin]);
        assert_eq!(session.code, 2, "{pin}: {}", session.stdout);
        session.says(words);
    }
}

#[test]
fn estimates_and_facts_are_told() {
    for file in files() {
        for engine in ["propagate", "backtrack"] {
            assert!(file.out("estimate", &[]).contains(engine), "{}", file.name);
        }
        let facts = file.out("info", &[]);
        let group = file.counts[0] / file.counts[1];
        let words = match group {
            1 => "no symmetry".to_owned(),
            _ => format!("group of {group}"),
        };
        assert!(facts.contains(&words) || group == 1, "{facts}");
    }
}

/// On every board, `why` names the constraints that contradict each other.
#[test]
fn it_is_told_why_nothing_fits() {
    for file in files() {
        let session = file.run("why", &[]);
        assert_eq!(session.code, 1);
        session.prints("there is a solution");
        let constraints = "- forbid: {tile: t0}\n- use: {tiles: [t0]}\n";
        let list = write(file.home.path(), "list.yaml", constraints);
        let session = file.run("why", &["--constraints", text(&list)]);
        let told = session.stdout;
        for words in ["no solution", "contradict each other", "1 (forbid)"] {
            assert!(told.contains(words), "{} {told} {}", file.name, session.stderr);
        }
    }
}

#[test]
fn the_best_of_what_fits_is_what_fits() {
    for file in files() {
        let solved = file.out("solve", &["--best", "--format", "jsonl"]);
        run_with_input(&["check", &file.path, "-"], solved).expect(0);
    }
}

#[test]
fn batches_keep_the_counts() {
    let folder = tempdir().unwrap();
    for (name, puzzle, _) in BOARDS {
        write(folder.path(), &format!("{name}.yaml"), puzzle);
    }
    let results = folder.path().join("runs.sqlite");
    run(&[
        "batch",
        text(folder.path()),
        "--results",
        text(&results),
        "--keep-solutions",
        "--engine",
        "propagate,backtrack",
        "-q",
    ])
    .expect(0);
    let table = run(&["results", text(&results), "--format", "jsonl"]).expect(0);
    let runs = objects(&table.stdout);
    assert_eq!(runs.len(), 2 * BOARDS.len());
    for run in &runs {
        let name = run["puzzle"].as_str().or(run["name"].as_str()).unwrap();
        let known = BOARDS.iter().find(|(own, ..)| *own == name).unwrap();
        let number = |count: &str| match &run[count] {
            Value::String(text) => text.parse().unwrap(),
            other => other.as_u64().unwrap_or_else(|| panic!("{run}")),
        };
        assert_eq!(["solutions", "classes", "distinct"].map(number), known.2, "{name}");
    }
}

#[test]
fn an_engine_that_does_not_serve_a_board_says_so() {
    for file in files().filter(|file| !["two-sided", "reversed"].contains(&file.name)) {
        let session = file.run("solve", &["--engine", "corners"]);
        assert_eq!(session.code, 2, "{}", file.name);
        session.says("engine corners cannot solve this puzzle");
    }
}
