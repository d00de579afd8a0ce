//! Counts beyond 2^64: exact in all formats for programs, shortened for people.

use std::fs;

use tempfile::tempdir;

use crate::session::run;

/// Puzzles whose counts have 20 and 41 digits: the file, the number of solutions (4^32 and
/// 25!·4^25), and the number of classes.
const CASES: [(&str, &str, &str); 2] = [
    ("tests/cases/counts/count-json-2e64.json", "18446744073709551616", "9223372039002259456"),
    (
        "tests/cases/counts/twins25.json",
        "17464069942802730897824646237782016000000",
        "4366017485700682724456161559445504000000",
    ),
];

/// Runs the program, asserts that it succeeds, and returns its standard output.
fn printed(args: &[&str]) -> String {
    let session = run(args);
    assert_eq!(session.code, 0, "{args:?}: {}", session.stderr);
    session.stdout
}

/// Returns true if a JSON text has these counts as numbers with all digits.
fn has(json: &str, solutions: &str, classes: &str) -> bool {
    let json = json.replace("\": ", "\":");
    [("solutions", solutions), ("classes", classes)].iter().all(|(name, count)| {
        let field = format!("\"{name}\":{count}");
        [",", "}", "\n"].iter().any(|end| json.contains(&(field.clone() + end)))
    })
}

#[test]
fn a_run_writes_its_counts_with_all_digits() {
    for (file, solutions, classes) in CASES {
        for args in [
            &["count", file, "--format", "json"][..],
            &["count", file, "--format", "json", "-s"],
            &["solve", file, "--format", "json"],
            &["solve", file, "--format", "jsonl"],
        ] {
            let json = printed(args);
            assert!(has(&json, solutions, classes), "{args:?}: {json}");
        }
        for (command, field) in [
            ("count", format!("solutions  {solutions}\nclasses    {classes}\n")),
            ("solve", format!("mzn-stat: classes={classes}\n")),
            ("solve", format!("mzn-stat: solutions={solutions}\n")),
        ] {
            let text = printed(&[command, "-s", file]);
            assert!(text.contains(&field), "{command}: {text}");
        }
        let folder = tempdir().unwrap();
        let log = folder.path().join("log.jsonl");
        printed(&["solve", file, "--log", log.to_str().unwrap()]);
        let log = fs::read_to_string(log).unwrap();
        assert!(has(&log, solutions, classes), "{log}");
    }
}

#[test]
fn a_merge_writes_counts_with_all_digits() {
    let (file, solutions, classes) = CASES[1];
    let folder = tempdir().unwrap();
    let part = folder.path().join("part.jsonl");
    let written = printed(&["solve", file, "--part", "1/1", "--format", "jsonl"]);
    fs::write(&part, written).unwrap();
    let part = part.to_str().unwrap();
    for format in ["json", "jsonl"] {
        let json = printed(&["merge", part, "--format", format]);
        assert!(has(&json, solutions, classes), "{json}");
    }
    assert_eq!(
        printed(&["merge", part]),
        "solutions  about 1.7e40\nclasses    about 4.3e39\ndistinct   1\n"
    );
}

#[test]
fn a_comparison_writes_counts_with_all_digits() {
    for (file, solutions, classes) in CASES {
        let folder = tempdir().unwrap();
        let exported = ["json", "csv"].map(|ending| folder.path().join(ending));
        let [json, csv] = exported.each_ref().map(|path| path.to_str().unwrap());
        let args = ["compare", file, "--engine", "propagate", "--runs", "1"];
        let table = printed(&[&args[..], &["--export-json", json, "--export-csv", csv]].concat());
        assert!(has(&fs::read_to_string(json).unwrap(), solutions, classes));
        let csv = fs::read_to_string(csv).unwrap();
        assert!(csv.contains(&format!(",1,{classes},{solutions},")), "{csv}");
        assert_eq!(table.contains("about 1.7e40"), solutions.len() > 20);
    }
    let levels = tempdir().unwrap();
    let levels = levels.path().join("levels.json");
    let scan = ["--engine", "scan-rows", "--runs", "1", "--time-limit", "1ms"];
    let args = ["compare", CASES[1].0, "--export-json", levels.to_str().unwrap()];
    run(&[&args[..], &scan].concat());
    let levels = fs::read_to_string(levels).unwrap();
    assert!(levels.contains(CASES[1].1), "25!·4^25 nodes are possible");
}

#[test]
fn a_file_of_results_has_all_digits() {
    let folder = tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let results = results.to_str().unwrap();
    for (file, solutions, classes) in CASES {
        printed(&["batch", "-q", file, "--keep-solutions", "--results", results]);
        let json = printed(&["results", results, "--format", "jsonl"]);
        assert!(has(&json, solutions, classes), "{json}");
        let csv = printed(&["results", results, "--format", "csv"]);
        assert!(csv.contains(&format!(",1,{classes},{solutions},")), "{csv}");
        let file = rusqlite::Connection::open(results).unwrap();
        let query =
            "SELECT class_count, solution_count, solutions FROM runs JOIN solutions ON run = id
                     WHERE solution_count = ?1";
        let row = file.query_row(query, [solutions], |row| {
            Ok([row.get::<_, String>(0)?, row.get(1)?, row.get(2)?])
        });
        assert_eq!(row.unwrap(), [classes, solutions, solutions]);
    }
    let table = printed(&["results", results]);
    for count in ["about 4.3e39", "about 1.7e40", "18446744073709551616"] {
        assert!(table.contains(&format!("  {count}  ")), "{table}");
    }
}

#[test]
fn people_read_the_beginning_of_a_long_count() {
    let (file, ..) = CASES[1];
    let counted = run(&["count", file]);
    assert_eq!(counted.stdout, "solutions  about 1.7e40\nclasses    about 4.3e39\ndistinct   1\n");
    let sentence = "about 4.3e39 classes, about 1.7e40 solutions, 1 distinct, proven complete (";
    let group = "these tiles look the same: `1` = `2` = `3` = `4` = 21 more;";
    assert!(counted.stderr.contains(group), "{}", counted.stderr);
    assert!(counted.stderr.contains(sentence), "{}", counted.stderr);
    let solved = printed(&["solve", "-q", file]);
    assert!(solved.contains("% stands for about 1.7e40 solutions\n"));
}
