//! `edgematch results`: rows in every format, and reports of inconsistent results.

use std::path::PathBuf;

use rusqlite::Connection;
use tempfile::{TempDir, tempdir};

use crate::filled::{Filling, refused};
use crate::session::{edgematch, run, write};

const ONE: &str = "puzzles/scramble-1.yaml";
const NONE: &str = "puzzles/sharks-misread.yaml";
const SEVERAL: &str = "puzzles/absolut-knifflig.yaml";

/// Two tiles with two solutions.
const PAIR: &str = "{rows: 1, cols: 2, tiles: {1: [a+, b, c, d], 2: [e, f, a-, b]}}";

fn file_in(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

/// A results file with a puzzle with one solution, one without, one with many, and a text that is
/// not a puzzle.
fn filled() -> (TempDir, String) {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    for engine in ["propagate", "scan-rows", "milp-balance"] {
        filling.file(ONE, engine);
        filling.file(SEVERAL, engine);
    }
    filling.file(NONE, "propagate");
    filling.text("bad|<b>.yaml", "bad", b"tiles: [1, 2", "propagate");
    drop(filling);
    (folder, file.to_str().unwrap().to_owned())
}

#[test]
fn the_table_has_a_row_a_run_and_ends_with_totals() {
    let (_folder, file) = filled();
    let session = run(&["results", &file]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    let lines: Vec<&str> = session.stdout.lines().collect();
    let words = |line: &str| -> Vec<String> {
        let words = line.split("  ").map(str::trim).filter(|w| !w.is_empty());
        words.map(str::to_owned).collect()
    };
    let header = "puzzle engine verdict distinct classes solutions work time error";
    assert_eq!(words(lines[0]).join(" "), header);
    let row = |start: &[&str]| {
        let rows = lines.iter().map(|line| words(line));
        rows.filter(|row| {
            row.starts_with(&start.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>())
        })
        .count()
    };
    assert_eq!(row(&[ONE, "scan-rows", "complete", "1", "1", "4", "3442 nodes, 64352 tries"]), 1);
    assert_eq!(row(&[NONE, "propagate", "no solution", "0", "0", "0"]), 1);
    assert_eq!(row(&["bad|<b>.yaml", "propagate", "bad: no puzzle"]), 1);
    let totals = "4 puzzles, 8 runs: 6 complete, 1 no solution, 1 bad; ";
    assert!(lines.last().unwrap().starts_with(totals), "{lines:?}");
}

#[test]
fn runs_are_chosen_by_engine_and_status() {
    let (_folder, file) = filled();
    let lines = |args: &[&str]| {
        let session = run(&[&["results", &file, "--format", "csv"], args].concat());
        assert_eq!(session.code, 0, "{}", session.stderr);
        session.stdout.lines().count() - 1
    };
    assert_eq!(lines(&[]), 8);
    assert_eq!(lines(&["--engine", "scan-rows,milp-balance"]), 4);
    assert_eq!(lines(&["--engine", "propagate", "--status", "unsatisfiable"]), 1);
    assert_eq!(lines(&["--status", "ERROR", "--status", "UNSATISFIABLE"]), 2);
    assert_eq!(lines(&["--status", "UNKNOWN"]), 0);
    let session = run(&["results", &file, "--engine", "dance"]);
    assert_eq!(session.code, 2);
    let words = "`dance` is not an engine; the engines are milp-balance, propagate, scan-rows";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    assert_eq!(run(&["results", &file, "--status", "GREAT"]).code, 2);
}

#[test]
fn json_lines_have_everything_and_counts_in_full() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    let twins = "tiles: {1: [a, a, a, a], 2: [a, a, a, a], 3: [a, a, a, a], 4: [a, a, a, a],\n\
                 5: [a, a, a, a], 6: [a, a, a, a], 7: [a, a, a, a], 8: [a, a, a, a], 9: [a, a, a, a],\n\
                 10: [a, a, a, a], 11: [a, a, a, a], 12: [a, a, a, a], 13: [a, a, a, a],\n\
                 14: [a, a, a, a], 15: [a, a, a, a], 16: [a, a, a, a]}";
    filling.text("twins, \"sixteen\".yaml", "twins", twins.as_bytes(), "propagate");
    drop(filling);
    let file = file.to_str().unwrap();
    let text = run(&["results", file, "--format", "jsonl"]).stdout;
    // 16! · 4^16
    assert!(text.contains("\"solutions\":89862698310039502848000"), "{text}");
    let object: serde_json::Value = serde_json::from_str(&text).unwrap();
    let array = run(&["results", file, "--format", "json"]).stdout;
    let array: serde_json::Value = serde_json::from_str(&array).unwrap();
    assert_eq!(array, serde_json::json!([object]));
    for (key, value) in [
        ("type", "result".into()),
        ("file", "twins, \"sixteen\".yaml".into()),
        ("name", "twins".into()),
        ("board", "4 × 4 grid".into()),
        ("kinds", 1.into()),
        ("engine", "propagate".into()),
        ("options", serde_json::json!({})),
        ("status", "ALL_SOLUTIONS".into()),
        ("complete", true.into()),
        ("distinct", 1.into()),
        ("error", serde_json::Value::Null),
    ] {
        assert_eq!(object[key], value, "{key}");
    }
    let text = run(&["results", file, "--format", "csv"]).stdout;
    let mut lines = text.lines();
    let columns = lines.next().unwrap().split(',').count();
    let row = lines.next().unwrap();
    let quoted = "\"twins, \"\"sixteen\"\".yaml\",1,";
    assert!(row.starts_with(quoted), "{row}");
    assert_eq!(row.split(',').count(), columns + 1, "a comma in quotes");
    let keys = object.as_object().unwrap().len();
    assert_eq!(keys, columns + 1, "the type, and all that csv has");
}

#[test]
fn markdown_is_a_table_whatever_files_are_called() {
    let (_folder, file) = filled();
    let text = run(&["results", &file, "--format", "markdown"]).stdout;
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = text.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(lines.len(), 2 + 8);
    assert!(lines.iter().all(|line| cells(line) == cells(lines[0])), "{text}");
    assert!(text.contains("bad\\|&lt;b&gt;.yaml"));
}

#[test]
fn a_terminal_gets_no_control_characters() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.text("a\u{1b}[31m\nb\u{202e}.yaml", "x", PAIR.as_bytes(), "propagate");
    drop(filling);
    let text = run(&["results", file.to_str().unwrap()]).stdout;
    assert!(text.contains("a?[31m b?.yaml"), "{text}");
    assert_eq!(text.lines().count(), 4);
}

#[test]
fn files_of_several_machines_are_read_as_one() {
    let folder = tempdir().unwrap();
    let [one, two] = ["one.sqlite", "two.sqlite"].map(|name| file_in(&folder, name));
    let mut filling = Filling::new(&one);
    filling.file(ONE, "propagate");
    filling.file(SEVERAL, "propagate");
    let mut filling = Filling::new(&two);
    filling.file(SEVERAL, "propagate");
    filling.file(NONE, "propagate");
    filling.file(SEVERAL, "scan-rows");
    drop(filling);
    let [one, two] = [&one, &two].map(|path| path.to_str().unwrap());
    let session = run(&["results", one, two]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    let totals = session.stdout.lines().last().unwrap();
    assert!(totals.starts_with("3 puzzles, 4 runs: 3 complete, 1 no solution"), "{totals}");
    assert_eq!(session.stdout.matches(SEVERAL).count(), 2);
    // Another machine has a different result of the same run.
    let connection = Connection::open(two).unwrap();
    let lie = "UPDATE runs SET distinct_count = '36' WHERE engine = 'propagate' AND distinct_count = '37'";
    assert_eq!(connection.execute(lie, []).unwrap(), 1);
    drop(connection);
    let session = run(&["results", one, two]);
    assert_eq!(session.code, 4);
    let words =
        "disagreement: puzzles/absolut-knifflig.yaml: propagate (0.1.0 01234567) finds 37 distinct";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    assert_eq!(run(&["results", one]).code, 0);
}

#[test]
fn engines_that_finished_must_agree_under_the_same_constraints() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file(SEVERAL, "propagate");
    filling.options = r#"{"time_limit":5}"#.into();
    filling.file(SEVERAL, "scan-rows");
    filling.options = r#"{"pin":["1,1=1"]}"#.into();
    filling.file(SEVERAL, "backtrack");
    drop(filling);
    let change = |sql: &str| {
        assert_eq!(Connection::open(&file).unwrap().execute(sql, []).unwrap(), 1);
    };
    let path = file.to_str().unwrap();
    change("UPDATE runs SET distinct_count = '3' WHERE engine = 'backtrack'");
    assert_eq!(run(&["results", path]).code, 0, "other constraints, other counts");
    change("UPDATE runs SET class_count = '3' WHERE engine = 'scan-rows'");
    let session = run(&["results", path, "--engine", "propagate"]);
    assert_eq!(session.code, 4);
    assert!(session.stderr.contains("but scan-rows (0.1.0 01234567) finds 37 distinct, 3 classes"));
    change("UPDATE runs SET complete = 0, reason = 'time' WHERE engine = 'scan-rows'");
    assert_eq!(run(&["results", path]).code, 0, "one that was stopped claims nothing");
}

#[test]
fn earlier_versions_are_shown_where_all_is_asked_for() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file(ONE, "propagate");
    filling.revision = "fedcba9876543210".into();
    filling.file(ONE, "propagate");
    filling.text("changed.yaml", "changed", PAIR.as_bytes(), "propagate");
    filling.text("changed.yaml", "changed", b"{tiles: {1: [a, a, a, a]}}", "propagate");
    drop(filling);
    let file = file.to_str().unwrap();
    let rows = |args: &[&str]| {
        let text = run(&[&["results", file, "--format", "jsonl"], args].concat()).stdout;
        text.lines().count()
    };
    assert_eq!((rows(&[]), rows(&["--all"])), (2, 4));
    let text = run(&["results", file, "--all"]).stdout;
    assert!(text.contains("0.1.0 fedcba98") && text.contains("0.1.0 01234567"), "{text}");
}

/// A results file in version 2 of the schema, with a puzzle and a run.
fn of_the_schema_before(folder: &TempDir) -> PathBuf {
    let [new, old] = ["new.sqlite", "old.sqlite"].map(|name| file_in(folder, name));
    Filling::new(&new).file(ONE, "propagate");
    let connection = Connection::open(&old).unwrap();
    connection.execute("ATTACH ?1 AS new", [new.to_str()]).unwrap();
    let list = |query: &str| -> Vec<String> {
        let mut rows = connection.prepare(query).unwrap();
        let rows = rows.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let batches = "CREATE TABLE batches (
        id         INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice
        host       TEXT NOT NULL,
        pid        INTEGER NOT NULL,
        born       TEXT NOT NULL,           -- when the process began, as the system tells it
        started_at TEXT NOT NULL,
        heartbeat  REAL NOT NULL            -- seconds since 1970
    ) STRICT";
    connection.execute_batch(batches).unwrap();
    for sql in list("SELECT sql FROM new.sqlite_schema WHERE sql NOT NULL AND name <> 'writer'") {
        let before =
            sql.replace("    state ", "    batch INTEGER REFERENCES batches (id),\n    state ");
        connection.execute_batch(&before).unwrap();
    }
    let columns = list("SELECT name FROM pragma_table_info('runs', 'new')").join(", ");
    connection
        .execute_batch(&format!(
            "INSERT INTO puzzles SELECT * FROM new.puzzles;
             INSERT INTO files SELECT * FROM new.files;
             INSERT INTO runs ({columns}) SELECT {columns} FROM new.runs;
             CREATE INDEX runs_by_batch ON runs (batch) WHERE state = 'running';
             PRAGMA main.application_id = 0x65646765;
             PRAGMA main.user_version = 2"
        ))
        .unwrap();
    old
}

#[test]
fn a_file_of_the_schema_before_is_read_and_brought_up_to_date() {
    let folder = tempdir().unwrap();
    let file = of_the_schema_before(&folder);
    let has_column = |name: &str| {
        let connection = Connection::open(&file).unwrap();
        connection.prepare(&format!("SELECT {name} FROM runs")).is_ok()
    };
    let path = file.to_str().unwrap();
    let read = run(&["results", path, "--format", "jsonl"]);
    assert_eq!(read.code, 0, "{}", read.stderr);
    assert!(read.stdout.contains("\"revision\":\"0123456789abcdef\""), "{}", read.stdout);
    assert!(has_column("batch"), "reading changes nothing");
    let batch = || run(&["batch", ONE, "-q", "--results", path]);
    let updated = batch();
    assert_eq!(updated.code, 0, "{}", updated.stderr);
    assert!(!has_column("batch"));
    let all = run(&["results", path, "--format", "jsonl", "--all"]).stdout;
    assert_eq!(all.lines().count(), 2, "{all}");
    assert_eq!(batch().code, 0, "its schema is today's");

    let first = "ALTER TABLE runs RENAME COLUMN revision TO sources; PRAGMA user_version = 1";
    Connection::open(&file).unwrap().execute_batch(first).unwrap();
    for refused in [batch(), run(&["results", path])] {
        assert_eq!(refused.code, 2);
        assert!(refused.stderr.contains("bring it up to date with SQLite: "), "{}", refused.stderr);
    }
}

#[test]
fn what_is_no_file_of_results_is_refused() {
    let folder = tempdir().unwrap();
    let text = write(folder.path(), "text", "tiles".repeat(100));
    let empty = write(folder.path(), "empty.sqlite", "");
    let other = file_in(&folder, "other.sqlite");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE x (y)").unwrap();
    let none = file_in(&folder, "none.sqlite");
    let (_keep, good) = filled();
    for bad in [&text, &empty, &other, &none] {
        for format in ["table", "jsonl"] {
            let session = run(&["results", &good, bad.to_str().unwrap(), "--format", format]);
            assert_eq!((session.code, session.stdout.as_str()), (2, ""), "{}", bad.display());
            assert!(session.stderr.contains(bad.to_str().unwrap()));
        }
    }
    assert!(!none.exists());
}

#[test]
fn an_empty_file_has_an_empty_table() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    drop(Filling::new(&file));
    let path = file.to_str().unwrap();
    let session = run(&["results", path]);
    assert_eq!(session.code, 0);
    assert!(session.stdout.starts_with("0 puzzles, 0 runs"));
    assert!(session.stderr.contains("no finished run"));
}

#[test]
fn a_reader_that_stops_early_has_what_it_wanted() {
    let (_folder, file) = filled();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .args(["results", &file, "--format", "jsonl"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// The SQL queries in the documentation.
fn documented_queries() -> Vec<String> {
    let text = include_str!("../../../../docs/batch.md");
    let blocks = text.split("```sql\n").skip(1);
    blocks.map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

#[test]
fn the_queries_of_the_documentation_answer_what_they_say() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file(ONE, "propagate");
    filling.file(ONE, "scan-rows");
    filling.file(SEVERAL, "propagate");
    filling.file(NONE, "propagate");
    filling.text("bad.yaml", "bad", b"tiles: [1, 2", "propagate");
    filling.revision = "fedcba9876543210".into();
    filling.finished("bad.yaml", "bad", b"tiles: [1, 2", "propagate", &refused("no", "bad"), &[]);
    filling.file(ONE, "propagate");
    drop(filling);
    let connection = Connection::open(&file).unwrap();
    // Another version with another count.
    let change =
        "UPDATE runs SET distinct_count = '3' WHERE revision LIKE 'f%' AND distinct_count = '1'";
    assert_eq!(connection.execute(change, []).unwrap(), 1);
    let queries = documented_queries();
    assert_eq!(queries.len(), 5);
    let answers: Vec<Vec<String>> = queries.iter().map(|sql| answer(&connection, sql)).collect();
    let [hardest, side_by_side, exactly_one, failed, changed] = &answers[..] else {
        panic!("{answers:?}");
    };
    assert!(hardest[0].starts_with("scramble-1|scan-rows|3442"), "{hardest:?}");
    let row = side_by_side.iter().find(|row| row.starts_with("scramble-1|")).unwrap();
    assert_eq!(row.split('|').count(), 4, "{row}");
    assert_eq!(exactly_one.len(), 1, "{exactly_one:?}");
    assert!(exactly_one[0].contains(ONE));
    assert!(failed.iter().all(|row| row.starts_with("bad.yaml|")), "{failed:?}");
    assert!(!failed.is_empty());
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].contains("scramble-1") && changed[0].contains('3'), "{changed:?}");
}

fn answer(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cell = |column| {
            let value: rusqlite::types::Value = row.get(column)?;
            Ok(match value {
                rusqlite::types::Value::Null => String::new(),
                rusqlite::types::Value::Integer(n) => n.to_string(),
                rusqlite::types::Value::Real(x) => x.to_string(),
                rusqlite::types::Value::Text(text) => text,
                rusqlite::types::Value::Blob(_) => "blob".into(),
            })
        };
        let cells: rusqlite::Result<Vec<String>> = (0..columns).map(cell).collect();
        Ok(cells?.join("|"))
    });
    rows.unwrap().map(|row| row.unwrap()).collect()
}

#[test]
#[ignore = "a hundred thousand rows"]
fn a_hundred_thousand_rows_are_shown_in_little_memory() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    Filling::new(&file).file(ONE, "propagate");
    let connection = Connection::open(&file).unwrap();
    connection
        .execute_batch(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
             INSERT INTO puzzles (hash, name, board, tiles) SELECT 'h' || i, 'puzzle ' || i, '3 × 3 grid', 9 FROM n;
             INSERT INTO files SELECT 'folder/puzzle-' || hash || '.yaml', 1, 1, hash FROM puzzles;
             INSERT INTO runs (hash, engine, options, version, revision, state, started_at, status, complete,
                 exit_code, distinct_count, class_count, solution_count, nodes, tries, solves, cuts, seconds,
                 has_solutions)
             SELECT p.hash, engine, options, version, revision, state, started_at, status, complete, exit_code,
                 distinct_count, class_count, solution_count, nodes, tries, solves, cuts, seconds, 0
             FROM puzzles p, runs r WHERE p.hash LIKE 'h%'",
        )
        .unwrap();
    for format in ["csv", "jsonl", "markdown", "table"] {
        let mut command = edgematch(&["results", file.to_str().unwrap(), "--format", format]);
        let output = command.output().unwrap();
        assert!(output.status.success());
        assert!(output.stdout.split(|&b| b == b'\n').count() > 100_000);
    }
}
