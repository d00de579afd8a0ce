//! What a file of results says: rows in every format, pages for a browser, and what is wrong in it.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use tempfile::{TempDir, tempdir};

use crate::filled::{Filling, refused};
use crate::session::{edgematch, run, write};

const FISH: &str = "puzzles/scramble-1";
const ONE: &str = "puzzles/scramble-1.yaml";
const NONE: &str = "puzzles/sharks-misread.yaml";
const SEVERAL: &str = "puzzles/absolut-knifflig.yaml";

/// Two tiles that fit in two ways.
const PAIR: &str = "{rows: 1, cols: 2, tiles: {1: [a+, b, c, d], 2: [e, f, a-, b]}}";

fn file_in(folder: &TempDir, name: &str) -> PathBuf {
    folder.path().join(name)
}

/// A file of results with a puzzle, one without a solution, one of many, and a text that is none.
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
    let words = "no engine `dance`; the engines are milp-balance, propagate, scan-rows";
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
    // The other machine says something else of the same run.
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

/// A file as version 2 of the schema had it, with a puzzle and a run.
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

/// Every link and source of a page, and whether it is valid enough for an XML reader.
fn links(html: &str) -> Vec<String> {
    let parts = ["href=\"", "src=\""].map(|start| html.split(start).skip(1));
    let links = parts.into_iter().flatten();
    links.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// All pages of a catalogue; every link leads to a file in it, and every file is linked.
fn pages(catalogue: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut reached: HashSet<PathBuf> = HashSet::new();
    let mut open = vec![catalogue.join("index.html")];
    while let Some(page) = open.pop() {
        let Ok(canonical) = page.canonicalize() else {
            panic!("{} is linked, but not there", page.display());
        };
        assert!(canonical.starts_with(catalogue.canonicalize().unwrap()));
        if !reached.insert(canonical) || page.extension().is_some_and(|e| e != "html") {
            continue;
        }
        let html = fs::read_to_string(&page).unwrap();
        assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\">"));
        let title = html.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
        assert!(!title.is_empty());
        let scripts = html.matches("<script").count();
        let is_index = html.contains("id=\"find\"");
        assert_eq!(scripts, usize::from(is_index), "{}", page.display());
        for link in links(&html) {
            assert!(!link.contains(':') && !link.starts_with('/'), "{link}");
            open.push(page.parent().unwrap().join(link));
        }
        found.push((page, html));
    }
    let files = walkdir::WalkDir::new(catalogue).into_iter().map(|e| e.unwrap().into_path());
    for file in files.filter(|path| path.is_file()) {
        let file = file.canonicalize().unwrap();
        assert!(reached.contains(&file), "{} is not linked", file.display());
        if file.extension().is_some_and(|e| e == "svg") {
            let text = fs::read_to_string(&file).unwrap();
            let svg = roxmltree::Document::parse(&text).unwrap();
            assert!(svg.descendants().all(|n| !n.has_tag_name("script")));
        }
    }
    found
}

#[test]
fn the_catalogue_draws_every_solution_and_all_its_links_lead_somewhere() {
    let (folder, file) = filled();
    let catalogue = file_in(&folder, "catalogue");
    let out = catalogue.to_str().unwrap();
    let session = run(&["results", &file, "--html", out]);
    assert_eq!((session.code, session.stdout.as_str()), (0, ""), "{}", session.stderr);
    let said = "index.html: 3 puzzles, 38 solutions drawn, 1 could not be run";
    assert!(session.stderr.contains(said), "{}", session.stderr);
    let pages = pages(&catalogue);
    let titled = |title: &str| {
        let title = format!("<title>{title}</title>");
        let page = pages.iter().find(|(_, html)| html.contains(&title));
        page.unwrap_or_else(|| panic!("no page {title}")).1.clone()
    };
    let index = titled("Edge-matching puzzles");
    assert!(index.contains("bad|&lt;b&gt;.yaml"), "a line for what is no puzzle");
    // 220760 tries of `rows --scan` for 37 arrangements.
    assert!(index.contains(">5966<"), "difficulty");
    let several = titled("Pippi Langstrumpf Absolut knifflig!");
    assert_eq!(several.matches("<figure").count(), 37);
    assert!(several.contains("220760 tries") && several.contains("milp-balance"));
    let none = pages.iter().find(|(_, html)| html.contains("There is none."));
    assert!(none.unwrap().1.contains("no solution"));
}

#[test]
fn five_hundred_small_puzzles_take_five_megabytes() {
    let folder = tempdir().unwrap();
    let [puzzles, file, catalogue] = ["puzzles", "runs.sqlite", "catalogue"]
        .map(|name| file_in(&folder, name).to_str().unwrap().to_owned());
    let kind = ["--size", "4x4", "--images", "6", "--unique", "--seed", "1"];
    run(&[&["generate", "--count", "50", "-o", &puzzles], &kind[..]].concat());
    let session = run(&["batch", &puzzles, "--keep-solutions", "--results", &file]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run(&["results", &file, "--html", &catalogue]);
    assert!(session.stderr.contains("50 solutions drawn"));
    let size = |entry: walkdir::DirEntry| entry.metadata().unwrap().len();
    let written = walkdir::WalkDir::new(&catalogue).into_iter();
    let files = written.map(|entry| entry.unwrap());
    let size: u64 = files.filter(|e| e.file_type().is_file()).map(size).sum();
    // The style and the scripts are there once.
    let most = 5_000_000 / 500 * 50 + 10_000;
    assert!(size <= most, "{size} bytes for 50 puzzles");
}

#[test]
fn titles_are_text_and_folders_have_names_of_their_own() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    let evil = "<script>alert(1)</script>";
    let long = "x".repeat(250);
    let names =
        [evil, "\"><img src=x onerror=alert(1)>", "..", "../../etc/passwd", "名前 🧩", &long];
    for (number, name) in names.iter().chain(&names).enumerate() {
        let name = serde_json::Value::from(*name);
        let yaml = format!(
            "name: {name}\ntitle: {name}\nsource: {name}\nrows: 1\ncols: 2\n\
             tiles:\n  {name}: [{name}, b, c, d]\n  2: [e, f, {name}, b]\n# {number}\n"
        );
        filling.text(&format!("{number}/{name}"), "x", yaml.as_bytes(), "propagate");
    }
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let session = run(&["results", file.to_str().unwrap(), "--html", catalogue.to_str().unwrap()]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let pages = pages(&catalogue);
    assert_eq!(pages.len(), 13);
    for (page, html) in &pages {
        assert!(
            !html.contains("alert(1)</script>") && !html.contains("<img src=x"),
            "{}",
            page.display()
        );
    }
    let titles = pages.iter().filter(|(_, html)| html.contains("<h1>&lt;script&gt;alert(1)"));
    assert_eq!(titles.count(), 2);
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let entries = fs::read_dir(&catalogue).unwrap().map(|e| e.unwrap().path());
    let folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    assert_eq!(folders.len(), 12);
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        assert!(name.len() < 80 && name.chars().all(is_plain), "{name}");
    }
}

#[test]
fn pictures_are_drawn_while_the_file_is_the_same() {
    let folder = tempdir().unwrap();
    let copy = file_in(&folder, "fish");
    let input = copy.join("input");
    fs::create_dir_all(&input).unwrap();
    for entry in fs::read_dir(Path::new(crate::ROOT).join(FISH).join("input")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), input.join(entry.file_name())).unwrap();
    }
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file(copy.to_str().unwrap(), "propagate");
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let args =
        ["results", file.to_str().unwrap(), "--html", catalogue.to_str().unwrap(), "--force"];
    let has_pictures = || {
        let session = run(&args);
        assert_eq!(session.code, 0, "{}", session.stderr);
        let drawn = pages(&catalogue);
        let page = drawn.iter().find(|(_, html)| html.contains("<figure")).unwrap();
        let svg = fs::read_to_string(page.0.with_file_name("1.svg")).unwrap();
        svg.contains("data:image/png")
    };
    assert!(has_pictures());
    let tiles = input.join("tile_dict.yaml");
    let text = fs::read_to_string(&tiles).unwrap();
    fs::write(&tiles, text + "# changed\n").unwrap();
    assert!(!has_pictures());
}

#[test]
fn the_number_of_drawings_is_limited_and_told_before() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file(SEVERAL, "propagate");
    filling.file(ONE, "propagate");
    drop(filling);
    let out = file_in(&folder, "out");
    for (most, drawn) in [("5", 6), ("0", 38), ("37", 38), ("36", 37)] {
        let args = ["results", file.to_str().unwrap(), "--html", out.to_str().unwrap()];
        let session = run(&[&args[..], &["--force", "--drawings", most]].concat());
        assert_eq!(session.code, 0, "{}", session.stderr);
        let said = format!("drawing {drawn} solutions\n");
        assert!(session.stderr.starts_with(&said), "{}", session.stderr);
        let found = format!("{drawn} solutions drawn");
        assert!(session.stderr.contains(&found), "{}", session.stderr);
        let all = walkdir::WalkDir::new(&out).into_iter().flatten();
        let drawings = all.filter(|entry| entry.path().extension().is_some_and(|e| e == "svg"));
        assert_eq!(drawings.count(), drawn, "{most}");
        let is_said = pages(&out).iter().any(|(_, html)| html.contains("of 37 are drawn"));
        assert_eq!(is_said, drawn < 38, "{most}");
    }
}

#[test]
fn solutions_that_do_not_fit_are_named_and_not_drawn() {
    for (change, words) in [
        (
            "UPDATE solutions SET placements = replace(placements, '\"rotation\":1', '\"rotation\":2')",
            "the seam",
        ),
        ("UPDATE solutions SET placements = '[]'", "no placement for cell"),
        ("UPDATE solutions SET placements = '{}'", "not drawn"),
        (
            "UPDATE solutions SET placements = replace(placements, '\"tile\":\"1\"', '\"tile\":\"77\"')",
            "no tile `77`",
        ),
        ("UPDATE solutions SET solutions = '5'", "stands for 4 solutions, not for 5"),
        (
            "INSERT INTO solutions SELECT run, 2, placements, solutions FROM solutions",
            "like an earlier one",
        ),
        ("UPDATE runs SET distinct_count = '2'", "counts 2 distinct"),
        ("DELETE FROM solutions", "what it kept comes to 0 and 0"),
    ] {
        let folder = tempdir().unwrap();
        let file = file_in(&folder, "runs.sqlite");
        Filling::new(&file).file(ONE, "propagate");
        let connection = Connection::open(&file).unwrap();
        assert_eq!(connection.execute(change, []).unwrap(), 1);
        drop(connection);
        let catalogue = file_in(&folder, "catalogue");
        let session =
            run(&["results", file.to_str().unwrap(), "--html", catalogue.to_str().unwrap()]);
        assert_eq!(session.code, 4, "{change}");
        assert!(session.stderr.contains(words), "{change}: {}", session.stderr);
        let pages = pages(&catalogue);
        let wrong = pages.iter().filter(|(_, html)| html.contains("class=\"wrong\""));
        assert_eq!(wrong.count(), 1, "{change}");
    }
}

#[test]
fn solutions_under_constraints_are_checked_under_them() {
    let folder = tempdir().unwrap();
    let path = file_in(&folder, "runs.sqlite");
    let file = path.to_str().unwrap();
    let batch = |more: &[&str]| {
        let args = ["batch", SEVERAL, "--results", file, "--keep-solutions", "-q"];
        assert_eq!(run(&[&args, more].concat()).code, 0);
    };
    let constraints = write(folder.path(), "pinned.yaml", "- pin: {cell: [1, 1], tile: 1}\n");
    batch(&["--constraints", constraints.to_str().unwrap()]);
    let catalogue = file_in(&folder, "catalogue");
    let out = catalogue.to_str().unwrap();
    let page = || {
        let session = run(&["results", file, "--html", out, "--force"]);
        assert_eq!(session.code, 0, "{}", session.stderr);
        let mut pages = pages(&catalogue).into_iter();
        pages.find(|(_, html)| html.contains("<figure")).unwrap().1
    };
    assert!(page().contains("stands for 1 solution<"));
    assert!(!page().contains("Checked against"));
    let forget = Connection::open(file).unwrap();
    forget.execute("DELETE FROM constraint_files", []).unwrap();
    drop(forget);
    assert!(page().contains("Checked against the puzzle alone: a file of constraints is not in"));
    batch(&["--pin", "1,1=1"]);
    assert!(page().contains("stands for 1 solution<"));
    assert!(!page().contains("Checked against"));
    let connection = Connection::open(file).unwrap();
    let other =
        "UPDATE runs SET options = replace(options, '1,1=1', '1,1=2') WHERE options LIKE '%pin%'";
    assert_eq!(connection.execute(other, []).unwrap(), 1);
    drop(connection);
    let session = run(&["results", file, "--html", out, "--force"]);
    assert_eq!(session.code, 4);
    assert!(session.stderr.contains("is not drawn"), "{}", session.stderr);
    // Without any the puzzle is shown as it is.
    batch(&[]);
    assert_eq!(page().matches("<figure").count(), 37);
}

#[test]
fn of_stopped_runs_the_one_that_found_most_is_drawn() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    for (engine, most) in [("propagate", 12), ("scan-rows", 3), ("backtrack", 7)] {
        filling.most = most;
        filling.file("puzzles/absolut-knifflig.yaml", engine);
    }
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let file = file.to_str().unwrap();
    let out = catalogue.to_str().unwrap();
    assert_eq!(run(&["results", file, "--html", out]).code, 0);
    let drawn: usize =
        pages(&catalogue).into_iter().map(|(_, html)| html.matches("<figure").count()).sum();
    assert_eq!(drawn, 12);
}

#[test]
fn puzzles_that_are_no_longer_shown_lose_their_pages() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.file("puzzles/scramble-1.yaml", "propagate");
    filling.file("puzzles/sharks-misread.yaml", "backtrack");
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let file = file.to_str().unwrap();
    let out = catalogue.to_str().unwrap();
    assert_eq!(run(&["results", file, "--html", out]).code, 0);
    let own = catalogue.join("own-0123456789abcdef");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("index.html"), "mine").unwrap();
    fs::write(own.join("notes.txt"), "mine").unwrap();
    let fewer = run(&["results", file, "--html", out, "--force", "--engine", "back"]);
    assert_eq!(fewer.code, 0, "{}", fewer.stderr);
    let mut folders: Vec<String> = fs::read_dir(&catalogue)
        .unwrap()
        .filter_map(|entry| {
            let path = entry.unwrap().path();
            path.is_dir().then(|| path.file_name().unwrap().to_str().unwrap().to_owned())
        })
        .collect();
    folders.sort();
    assert_eq!(folders.len(), 2, "{folders:?}");
    assert_eq!(folders[0], "own-0123456789abcdef", "what is not ours stays");
    assert!(folders[1].starts_with("sharks-misread-"));
}

#[test]
fn many_solutions_are_split_over_pages_and_a_shorter_catalogue_leaves_nothing_behind() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.most = 230;
    filling.file("puzzles/monkey-puzzle-ilp.yaml", "propagate");
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let file = file.to_str().unwrap();
    let out = catalogue.to_str().unwrap();
    let session = run(&["results", file, "--html", out, "--drawings", "0"]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let found = pages(&catalogue);
    assert_eq!(found.len(), 4);
    let figures = |pages: &[(PathBuf, String)]| {
        let figures = pages.iter().map(|(_, html)| html.matches("<figure").count());
        figures.filter(|number| *number > 0).collect::<BTreeSet<usize>>()
    };
    assert_eq!(figures(&found), BTreeSet::from([30, 100]));
    assert!(found.iter().any(|(_, html)| html.contains("201 to 230 of 230")));
    assert!(
        found
            .iter()
            .all(|(_, html)| !html.contains("<figure") || html.contains("there may be more"))
    );
    // Not into what is there, but where that is asked for.
    let session = run(&["results", file, "--html", out, "--drawings", "0"]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("is not empty; use --force"));
    let connection = Connection::open(file).unwrap();
    connection.execute("DELETE FROM solutions WHERE number > 20", []).unwrap();
    connection.execute("UPDATE runs SET distinct_count = '20'", []).unwrap();
    drop(connection);
    run(&["results", file, "--html", out, "--force"]);
    assert_eq!(pages(&catalogue).len(), 2);
}

#[test]
fn without_kept_solutions_a_page_says_that_none_is_kept() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    let mut filling = Filling::new(&file);
    filling.keeps = false;
    filling.file(ONE, "propagate");
    drop(filling);
    let catalogue = file_in(&folder, "catalogue");
    let out = catalogue.to_str().unwrap();
    assert_eq!(run(&["results", file.to_str().unwrap(), "--html", out, "-q"]).code, 0);
    let pages = pages(&catalogue);
    assert!(pages.iter().any(|(_, html)| html.contains("The file of results keeps none.")));
    assert!(catalogue.join("index.html").is_file());
}

#[test]
fn an_empty_file_has_an_empty_table_and_an_empty_catalogue() {
    let folder = tempdir().unwrap();
    let file = file_in(&folder, "runs.sqlite");
    drop(Filling::new(&file));
    let path = file.to_str().unwrap();
    let session = run(&["results", path]);
    assert_eq!(session.code, 0);
    assert!(session.stdout.starts_with("0 puzzles, 0 runs"));
    assert!(session.stderr.contains("no finished run"));
    let catalogue = file_in(&folder, "catalogue");
    assert_eq!(run(&["results", path, "--html", catalogue.to_str().unwrap()]).code, 0);
    assert_eq!(pages(&catalogue).len(), 1);
    // A file in the folder's place.
    assert_eq!(run(&["results", path, "--html", path]).code, 2);
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

/// The queries of the documentation, each with its heading.
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
    // Another version that counts something else.
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
