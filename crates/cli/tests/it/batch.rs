//! `edgematch batch` as a process: streams, resumption, kills, bad files, a full disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use crate::common::generated::halves;
use crate::session::{at_root, puzzle, run, run_with_input, write};

const HARD: &str = "puzzles/eternity2-clue3.yaml";

/// Starts the program without a time limit by the test, so that the test can kill it.
fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .current_dir(crate::ROOT)
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Writes a file of `number` puzzles of `size` × `size` tiles, one per line as JSON; returns its
/// path.
fn many(folder: &Path, number: u64, size: usize) -> PathBuf {
    let mut text = String::new();
    for seed in 0..number {
        text += &halves(seed, size, size, 3 + (seed % 3) as usize);
        text.push('\n');
    }
    write(folder, "many.jsonl", text)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The rows of a results file as text, without times and ids; asserts that the file is intact.
fn rows(results: &Path) -> Vec<String> {
    let database = Connection::open(results).unwrap();
    let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
    let mut rows = database
        .prepare(
            "SELECT p.name, p.board, p.text IS NULL, r.hash, r.engine, r.options, r.version,
             r.revision, r.state, r.status, r.complete, r.reason, r.error, r.exit_code,
             r.distinct_count, r.class_count, r.solution_count, r.nodes, r.tries, r.solves, r.cuts,
             r.has_solutions, (SELECT group_concat(number || placements || solutions, '; ')
                FROM (SELECT * FROM solutions s WHERE s.run = r.id ORDER BY number))
             FROM runs r JOIN puzzles p ON p.hash = r.hash ORDER BY r.hash, r.engine, r.options",
        )
        .unwrap();
    let columns = rows.column_count();
    let row = |row: &rusqlite::Row<'_>| {
        let cells = (0..columns).map(|column| format!("{:?}", row.get_ref(column).unwrap()));
        Ok(cells.collect::<Vec<_>>().join(" | "))
    };
    let rows = rows.query_map([], row).unwrap();
    rows.map(Result::unwrap).collect()
}

/// The values of a column of the runs by the puzzle's name; NULL is empty.
fn column(results: &Path, column: &str) -> BTreeMap<String, String> {
    let database = Connection::open(results).unwrap();
    let find = format!(
        "SELECT p.name, coalesce(CAST(r.{column} AS TEXT), '')
         FROM runs r JOIN puzzles p ON p.hash = r.hash"
    );
    let mut find = database.prepare(&find).unwrap();
    let rows = find.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    rows.unwrap().map(Result::unwrap).collect()
}

/// The ids of the running processes whose parent is this one.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let stats = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let pid: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let parent = stat.rsplit(')').next()?.split_whitespace().nth(1)?;
        Some((pid, parent.parse::<u32>().ok()?))
    });
    stats.filter(|(_, its_parent)| *its_parent == parent).map(|(pid, _)| pid).collect()
}

#[cfg(unix)]
fn signal(name: &str, pid: u32) {
    let sent = Command::new("kill").args([name, &pid.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Polls a condition until it holds, without a time limit.
fn wait_for(mut is_met: impl FnMut() -> bool) {
    while !is_met() {
        sleep(Duration::from_millis(2));
    }
}

/// The number that a query of a results file returns; 0 if the file or the table does not exist
/// yet.
fn number(results: &Path, query: &str) -> i64 {
    if !results.is_file() {
        return 0;
    }
    let database = Connection::open(results);
    let asked = database.and_then(|database| database.query_row(query, [], |row| row.get(0)));
    asked.unwrap_or(0)
}

/// The number of finished runs in a results file.
fn done(results: &Path) -> i64 {
    number(results, "SELECT count(*) FROM runs WHERE state = 'done'")
}

#[test]
fn a_folder_is_run_once_and_shown_in_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let puzzles = folder.path().join("puzzles/below");
    fs::create_dir_all(&puzzles).unwrap();
    for name in ["scramble-1", "sharks-misread", "absolut-knifflig"] {
        fs::copy(at_root(&puzzle(name)), puzzles.join(name).with_extension("yaml")).unwrap();
    }
    write(&puzzles, "notes.txt", "not a puzzle");
    write(&puzzles, ".hidden.yaml", "not a puzzle");
    let above = folder.path().join("puzzles");
    let args =
        ["batch", text(&above), "--engine", "propagate,scan-rows", "--results", text(&results)];
    let first = run(&args);
    assert_eq!(first.code, 0, "{}", first.stderr);
    assert_eq!(first.stderr.lines().count(), 8, "a line a run, and two more: {}", first.stderr);
    assert!(first.stderr.contains(".txt and .csv files are not read (1)"), "{}", first.stderr);
    let lines: Vec<&str> = first.stdout.lines().collect();
    assert_eq!(lines.len(), 4, "{}", first.stdout);
    let all: Vec<&str> = lines[3].split_whitespace().take(4).collect();
    assert_eq!(all, ["all", "6", "4", "2"], "{}", first.stdout);
    let known = rows(&results);
    assert_eq!(known.len(), 6);
    let again = run(&args);
    assert!(again.stderr.contains("\n0 runs in "), "{}", again.stderr);
    assert!(again.stderr.contains("; 6 skipped (already stored); results in "));
    assert_eq!(rows(&results), known);
    // Change a count by hand: disagreeing engines are reported.
    let database = Connection::open(&results).unwrap();
    let spoil = "UPDATE runs SET distinct_count = '38' WHERE engine = 'scan-rows'
                 AND distinct_count = '37'";
    assert_eq!(database.execute(spoil, []).unwrap(), 1);
    let spoilt = run(&args);
    assert_eq!(spoilt.code, 4);
    assert!(spoilt.stderr.contains("disagreement: "), "{}", spoilt.stderr);
    // A changed file is run again, and the old result is kept.
    let changed = puzzles.join("scramble-1.yaml");
    let more = fs::read_to_string(&changed).unwrap() + "# changed\n";
    fs::write(&changed, more).unwrap();
    let third = run(&args);
    assert_eq!(third.code, 4, "it still is");
    assert!(third.stderr.contains("2 runs in "), "{}", third.stderr);
    assert_eq!(rows(&results).len(), 8);
    // With other options, every file is run again.
    let mut limited = args.to_vec();
    limited.extend(["--solutions", "1", "--pin", "1,1=1"]);
    assert!(run(&limited).stderr.contains("6 runs in "));
}

#[test]
fn counts_are_those_of_solve_and_solutions_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", "puzzles/absolut-knifflig.yaml", "--results", text(&results)];
    assert_eq!(run(&args).code, 0);
    assert_eq!(column(&results, "distinct_count")["absolut-knifflig"], "37");
    assert_eq!(column(&results, "solution_count")["absolut-knifflig"], "148");
    let mut keeping = args.to_vec();
    keeping.push("--keep-solutions");
    let kept = run(&keeping);
    assert!(kept.stderr.contains("1 run in"), "they were not there: {}", kept.stderr);
    let database = Connection::open(&results).unwrap();
    let mut find = database.prepare("SELECT placements FROM solutions").unwrap();
    let found: Vec<String> =
        find.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(found.len(), 37);
    let found: Vec<String> = found
        .iter()
        .map(|placements| format!("{{\"type\":\"solution\",\"placements\":{placements}}}"))
        .collect();
    let check = ["check", "puzzles/absolut-knifflig.yaml", "-", "-q"];
    assert_eq!(run_with_input(&check, found.join("\n")).code, 0);
    assert!(
        run(&args).stderr.contains("1 skipped (already stored)"),
        "more than is needed is there"
    );
}

#[test]
fn streams_are_cut_and_errors_keep_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let yaml = "# three\n---\nname: one\ntiles: {1: [a, a, a, a]}\n--- # second\nname: two\ntiles:\n  1: [a, a, a]\n---\nname: three\ntiles: {1: [b, b, b, b]}\n";
    let file = write(folder.path(), "three.yaml", yaml);
    let session = run(&["batch", text(&file), "--results", text(&results), "-j", "1"]);
    assert_eq!(session.code, 2, "{}", session.stderr);
    let error = format!("{}#2:8:", file.display());
    assert!(session.stderr.contains(&error), "{}", session.stderr);
    assert_eq!(column(&results, "exit_code")["three"], "0");
    assert_eq!(column(&results, "exit_code")["three-2"], "2");
    // Two puzzles in one file are two runs, also after the file becomes shorter.
    write(folder.path(), "three.yaml", "name: one\ntiles: {1: [a, a, a, a]}\n");
    assert_eq!(run(&["batch", text(&file), "--results", text(&results)]).code, 0);
    let database = Connection::open(&results).unwrap();
    let files: i64 =
        database.query_row("SELECT count(*) FROM files", [], |row| row.get(0)).unwrap();
    assert_eq!(files, 1);
    let lines = "{\"name\":\"l1\",\"tiles\":{\"1\":[\"a\",\"a\",\"a\",\"a\"]}}\n\n{\"name\":\"l2\",\"tiles\":7}\n";
    let session = run_with_input(&["batch", "-", "--results", text(&results), "-j", "1"], lines);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("-#2:3:"), "{}", session.stderr);
    let list = "puzzles/scramble-1.yaml\r\n\npuzzles/there-is-none.yaml\n";
    let session = run_with_input(&["batch", "--list", "-", "--results", text(&results)], list);
    assert_eq!(session.code, 2);
    let missing = "puzzles/there-is-none.yaml: there is no such file";
    assert!(session.stderr.contains(missing), "{}", session.stderr);
    let twice = run(&["batch", "-", "--list", "-", "--results", text(&results)]);
    assert!(twice.stderr.contains("can't both come from standard input"));
    let nothing = run(&["batch", "src", "--results", text(&results)]);
    assert_eq!(nothing.code, 2);
    assert!(nothing.stderr.contains("no puzzle was found"), "{}", nothing.stderr);
}

#[test]
fn parts_of_a_folder_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = many(folder.path(), 60, 2);
    let mut names = Vec::new();
    for part in ["1/3", "2/3", "3/3"] {
        let results = folder.path().join(part.replace('/', "-"));
        let session = run(&["batch", text(&puzzles), "--part", part, "--results", text(&results)]);
        assert_eq!(session.code, 0, "{}", session.stderr);
        let found = column(&results, "status");
        assert!((5..40).contains(&found.len()), "{} in part {part}", found.len());
        names.extend(found.into_keys());
    }
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 60);
    let results = folder.path().join("none");
    let empty =
        run(&["batch", "puzzles/scramble-1.yaml", "--part", "7/900", "--results", text(&results)]);
    assert_eq!(empty.code, 0, "{}", empty.stderr);
    let wrong = run(&["batch", "puzzles", "--part", "4/3", "--results", text(&results)]);
    assert_eq!(wrong.code, 2);
}

#[test]
fn what_is_proven_is_not_done_again_under_other_limits() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let file = "puzzles/absolut-knifflig.yaml";
    let args = ["batch", file, HARD, "-q", "--results", text(&results)];
    let with = |more: &[&str]| run(&[&args, more].concat());
    assert_eq!(with(&["--time-limit", "100ms"]).code, 3);
    let longer = with(&["--time-limit", "200ms"]);
    assert_eq!(longer.code, 3);
    let cells: Vec<&str> = longer.stdout.lines().nth(1).unwrap().split_whitespace().collect();
    // The last column is the time: a number and its unit.
    let skipped = cells[cells.len() - 3];
    assert_eq!((cells[1], skipped), ("2", "1"), "{}", longer.stdout);
    assert_eq!(rows(&results).len(), 3);
    // With another pin, the puzzle is run again.
    let pinned = with(&["--pin", "1,1=1", "--time-limit", "100ms"]);
    assert!(pinned.stdout.lines().nth(1).unwrap().contains(" 2 "), "{}", pinned.stdout);
    assert_eq!(rows(&results).len(), 5);
}

#[test]
fn the_same_bad_text_is_told_of_each_file() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let one = write(folder.path(), "one.yaml", "tiles: {1: [a, b]}\n");
    let session = run(&["batch", text(&one), "--results", text(&results)]);
    assert!(session.stderr.starts_with(&format!("{}:1:", one.display())), "{}", session.stderr);
    let two = write(folder.path(), "two.yaml", "tiles: {1: [a, b]}\n");
    run(&["batch", text(&two), "--results", text(&results)]);
    let shown = run(&["results", text(&results), "--format", "csv"]).stdout;
    let of_two = shown.lines().find(|line| line.contains("two.yaml")).unwrap();
    assert!(!of_two.contains("one.yaml"), "{of_two}");
    // Results of puzzles from standard input are kept, whatever is read from it later.
    for name in ["first", "second"] {
        let puzzle = format!("name: {name}\ntiles: {{1: [a, a, a, a]}}\n");
        run_with_input(&["batch", "-", "--results", text(&results)], puzzle);
    }
    let shown = run(&["results", text(&results), "--all"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    let shown = run(&["results", text(&results), "--format", "csv"]).stdout;
    assert!(shown.contains(",first,") && shown.contains(",second,"), "{shown}");
}

#[cfg(unix)]
/// After a file is deleted, none of its puzzles is shown.
#[test]
fn what_is_no_longer_in_a_folder_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = folder.path().join("puzzles");
    fs::create_dir_all(puzzles.join("below")).unwrap();
    let tile = |name: &str| format!("tiles: {{{name}: [a, b, a, b]}}\n");
    let three = ["1", "2", "3"].map(tile).join("---\n");
    write(&puzzles, "kept.yaml", tile("k"));
    write(&puzzles, "one.yaml", tile("o"));
    write(&puzzles.join("below"), "three.yaml", &three);
    let other = write(folder.path(), "three.yaml", &three);
    let results = folder.path().join("runs.sqlite");
    let batch = |path: &Path| run(&["batch", "-q", text(path), "--results", text(&results)]).code;
    let shown = || {
        let listed = run(&["results", text(&results), "--format", "jsonl"]).stdout;
        let rows = listed.lines().map(|line| serde_json::from_str(line).unwrap());
        let rows: Vec<serde_json::Value> = rows.collect();
        let files = rows.iter().map(|row| row["file"].as_str().unwrap().to_owned());
        files.collect::<Vec<String>>()
    };
    let name = |name: &str| text(&puzzles.join(name)).to_owned();
    let below = || name("below/three.yaml");
    assert_eq!(batch(&puzzles), 0);
    assert_eq!(shown(), [below(), below(), below(), name("kept.yaml"), name("one.yaml")]);
    fs::remove_file(puzzles.join("one.yaml")).unwrap();
    fs::remove_dir_all(puzzles.join("below")).unwrap();
    assert_eq!(batch(&other), 0);
    assert_eq!(batch(&puzzles), 0);
    let left = text(&other).to_owned();
    assert_eq!(shown(), [name("kept.yaml"), left.clone(), left.clone(), left.clone()]);
    // Named as an argument, a missing file is an error.
    fs::remove_file(&other).unwrap();
    assert_eq!(batch(&other), 2);
    assert_eq!(shown(), [name("kept.yaml"), left]);
    fs::remove_file(puzzles.join("kept.yaml")).unwrap();
    batch(&puzzles);
    assert_eq!(shown().len(), 1);
}

#[test]
fn errors_of_json_lines_name_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let file = "tests/cases/files/jsonl-broken-line-2.jsonl";
    let session = run(&["batch", file, "--results", text(&results)]);
    assert_eq!(session.code, 2);
    let said = session.stderr.contains(&format!("{file}#2:2:"));
    assert!(said, "{}", session.stderr);
}

#[test]
fn a_failure_of_an_earlier_batch_is_named_again() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let bad = write(folder.path(), "bad.yaml", "tiles: [");
    let good = puzzle("scramble-1");
    let batch = || run(&["batch", &good, text(&bad), "--results", text(&results)]);
    let (first, second) = (batch(), batch());
    assert_eq!([first.code, second.code], [2, 2]);
    let line = |session: &crate::session::Session| {
        let mut lines = session.stderr.lines();
        lines.find(|line| line.contains("bad.yaml")).unwrap_or_default().to_owned()
    };
    assert_eq!(line(&second), line(&first) + " (an earlier run)");
    assert!(!second.stderr.contains("scramble-1"), "{}", second.stderr);
}

#[test]
fn nothing_in_a_folder_stops_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = folder.path().join("puzzles");
    fs::create_dir(&puzzles).unwrap();
    let copy = |from: &str, to: &str| fs::copy(at_root(from), puzzles.join(to)).unwrap();
    copy("puzzles/scramble-1.yaml", "a-good.yaml");
    copy(HARD, "b-endless.yaml");
    write(&puzzles, "c-broken.yaml", "tiles: {1: [a, b]}\n");
    write(&puzzles, "d-empty.yaml", "");
    std::os::unix::fs::symlink("nowhere.yaml", puzzles.join("e-unreadable.yaml")).unwrap();
    std::os::unix::fs::symlink("..", puzzles.join("f-loop")).unwrap();
    write(&puzzles, "g-huge.yaml", "a: b\n".repeat(4 << 20));
    let deep = format!("tiles: {}1{}", "[".repeat(100_000), "]".repeat(100_000));
    write(&puzzles, "h-deep.yaml", deep);
    copy("puzzles/absolut-knifflig.yaml", "z-good.yaml");
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", text(&puzzles), "--time-limit", "300ms", "--results", text(&results)];
    let session = run(&args);
    assert_eq!(session.code, 2, "{}", session.stderr);
    assert!(
        session.stderr.contains("f-loop/puzzles was already searched under another name"),
        "{}",
        session.stderr
    );
    let reasons = column(&results, "reason");
    let expected = [
        ("scramble-1", ""),
        ("eternity2-clue3", "time"),
        ("c-broken", "puzzle"),
        ("d-empty", "puzzle"),
        ("e-unreadable", "unreadable"),
        ("g-huge", "too large"),
        ("h-deep", "puzzle"),
        ("absolut-knifflig", ""),
    ]
    .map(|(name, reason)| (name.to_owned(), reason.to_owned()));
    assert_eq!(reasons, BTreeMap::from(expected));
    let again = run(&args);
    assert_eq!(again.code, 2, "what is known to be bad still is");
    assert!(again.stderr.contains("8 skipped (already stored)"), "{}", again.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_that_needs_too_much_memory_is_stopped_alone() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let args = [
        "batch",
        "benches/boards/s12-k28-0.yaml",
        "puzzles/scramble-1.yaml",
        "--engine",
        "milp-tuple",
        "--memory-limit",
        "150M",
        "--results",
        text(&results),
        "-j",
        "1",
    ];
    let session = run(&args);
    assert_eq!(session.code, 3, "{}", session.stderr);
    assert_eq!(column(&results, "reason")["s12-k28-0"], "memory");
    assert_eq!(column(&results, "status")["scramble-1"], "ALL_SOLUTIONS");
    let mut retry = args.to_vec();
    retry.push("--retry");
    assert!(run(&retry).stderr.contains("; 1 skipped (already stored)"), "only what was stopped");
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_that_is_killed_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", HARD, "puzzles/scramble-1.yaml", "-j", "1", "--results", text(&results)];
    let batch = start(&args);
    wait_for(|| !children(batch.id()).is_empty());
    signal("-KILL", children(batch.id())[0]);
    let output = batch.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(column(&results, "reason")["eternity2-clue3"], "crash");
    let error = &column(&results, "error")["eternity2-clue3"];
    assert!(error.contains("signal: 9"), "{error}");
    assert_eq!(column(&results, "status")["scramble-1"], "ALL_SOLUTIONS");
}

#[test]
#[ignore = "waits for six seconds; .ci/run runs it"]
fn a_worker_that_hangs_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", HARD, "puzzles/scramble-1.yaml", "-j", "1", "--time-limit", "1s"];
    let batch = start(&[&args[..], &["--results", text(&results)]].concat());
    wait_for(|| !children(batch.id()).is_empty());
    signal("-STOP", children(batch.id())[0]);
    let output = batch.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(column(&results, "reason")["eternity2-clue3"], "hang");
    assert_eq!(column(&results, "status")["scramble-1"], "ALL_SOLUTIONS");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_batch_leaves_no_unfinished_runs_and_no_workers() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["-INT", "-TERM"] {
        let results = folder.path().join(name).with_extension("sqlite");
        let args = ["batch", "puzzles/scramble-1.yaml", HARD, "--results", text(&results)];
        let batch = start(&args);
        wait_for(|| done(&results) >= 1);
        let workers = children(batch.id());
        signal(name, batch.id());
        let output = batch.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        let words = String::from_utf8(output.stderr).unwrap();
        assert!(words.contains("interrupted: run the command again to resume"), "{words}");
        assert_eq!(rows(&results).len(), 1, "nothing is left of the other one");
        let is_gone = |pid: &u32| !Path::new(&format!("/proc/{pid}")).exists();
        wait_for(|| workers.iter().all(is_gone));
    }
}

#[cfg(unix)]
#[test]
fn a_long_run_keeps_no_short_ones_waiting() {
    let folder = tempfile::tempdir().unwrap();
    let hard = fs::read_to_string(Path::new(crate::ROOT).join(HARD)).unwrap();
    let short = |seeds: std::ops::Range<u64>| seeds.map(|seed| halves(seed, 3, 3, 4) + "\n---\n");
    // The hard puzzle comes after many short ones, when runs are dispatched in groups.
    let text_of_all = short(0..300).chain([hard + "\n---\n"]).chain(short(300..400));
    let puzzles = write(folder.path(), "mixed.yaml", text_of_all.collect::<String>());
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", text(&puzzles), "-q", "--results", text(&results), "-j", "2"];
    let mut batch = start(&args);
    wait_for(|| done(&results) >= 400);
    assert!(batch.try_wait().unwrap().is_none(), "the long one goes on");
    batch.kill().unwrap();
    batch.wait().unwrap();
}

/// A second batch on the same results file is refused while the first one runs, also after that was
/// killed and another batch resumes it.
#[test]
fn one_batch_at_a_time_writes_to_a_file_and_others_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let good = puzzle("scramble-1");
    let args = ["batch", &good, HARD, "-q", "--results", text(&results), "-j", "2"];
    for _ in 0..2 {
        let mut batch = start(&args);
        let writer = || number(&results, "SELECT pid FROM writer");
        wait_for(|| writer() == i64::from(batch.id()) && done(&results) == 1);
        let second = run(&args);
        assert_eq!(second.code, 2);
        let help = format!(
            "{}: another batch is writing to it (process {}, since 2",
            results.display(),
            batch.id()
        );
        assert!(second.stderr.contains(&help), "{}", second.stderr);
        assert!(second.stderr.contains("--part K/N"), "{}", second.stderr);
        let read = run(&["results", text(&results)]);
        assert_eq!((read.code, read.stdout.matches("complete").count()), (0, 2), "{}", read.stdout);
        batch.kill().unwrap();
        batch.wait().unwrap();
    }
    assert_eq!(run(&["batch", &good, "-q", "--results", text(&results)]).code, 0);
}

/// Two files with the same content are one run, whichever comes first.
#[test]
fn a_text_in_several_files_is_run_once() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = folder.path().join("puzzles");
    fs::create_dir(&puzzles).unwrap();
    for number in 0..40 {
        write(&puzzles, &format!("{number}.yaml"), halves(number % 4, 3, 3, 4));
    }
    let results = folder.path().join("runs.sqlite");
    let session = run(&["batch", text(&puzzles), "--results", text(&results), "-j", "2"]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(session.stderr.contains("\n4 runs in "), "{}", session.stderr);
    assert!(session.stderr.contains("; 36 skipped (already stored); "), "{}", session.stderr);
    assert_eq!(rows(&results).len(), 4);
    let shown = run(&["results", text(&results), "--format", "jsonl"]).stdout;
    assert_eq!(shown.lines().count(), 40);
}

#[test]
fn a_batch_that_is_killed_often_ends_with_the_same_rows() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = many(folder.path(), 200, 3);
    let args = |results: &'static str| {
        let results = folder.path().join(results).to_str().unwrap().to_owned();
        let puzzles = text(&puzzles).to_owned();
        let args = ["batch", &puzzles, "--keep-solutions", "-j", "2", "--results", &results];
        args.map(str::to_owned)
    };
    let undisturbed = args("undisturbed.sqlite");
    let alone = undisturbed.each_ref().map(String::as_str);
    assert_eq!(run(&alone).code, 0);
    let disturbed = args("disturbed.sqlite");
    let interrupted = disturbed.each_ref().map(String::as_str);
    let results = Path::new(disturbed.last().unwrap());
    for killed in 1..=4 {
        let mut batch = start(&interrupted);
        wait_for(|| done(results) >= 40 * killed);
        batch.kill().unwrap();
        batch.wait().unwrap();
    }
    let session = run(&interrupted);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let known = rows(Path::new(undisturbed.last().unwrap()));
    assert_eq!(known.len(), 200);
    assert_eq!(rows(results), known);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_and_the_results_open_again() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = many(folder.path(), 600, 3);
    let results = folder.path().join("runs.sqlite");
    let program = env!("CARGO_BIN_EXE_edgematch");
    let line = format!(
        "ulimit -f 300; exec {program} batch {} -q --results {}",
        text(&puzzles),
        text(&results)
    );
    let output = Command::new("bash").args(["-c", &line]).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}");
    assert!(words.starts_with(&format!("error: {}: ", results.display())), "{words}");
    assert!(words.contains("the disk is full"), "{words}");
    let kept = rows(&results);
    assert!(!kept.is_empty() && kept.len() < 600);
    let session = run(&["batch", text(&puzzles), "-q", "--results", text(&results)]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert_eq!(rows(&results).len(), 600);
}

#[test]
fn bad_results_and_bad_words_are_refused_before_anything_runs() {
    let folder = tempfile::tempdir().unwrap();
    let other = write(folder.path(), "other.sqlite", "tiles: {}\n".repeat(100));
    let session = run(&["batch", "puzzles", "--results", text(&other)]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("not an SQLite database"), "{}", session.stderr);
    let nowhere = folder.path().join("none/runs.sqlite");
    let session = run(&["batch", "puzzles", "--results", text(&nowhere)]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("does the folder exist"), "{}", session.stderr);
    let results = folder.path().join("runs.sqlite");
    let session = run(&["batch", "puzzles", "--results", text(&results), "--engine", "cp"]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("`cp` is not an engine; the engines are auto, milp-"));
    for (flag, word) in [("--pin", "foo"), ("--results", "-"), ("--results", ":memory:")] {
        let mut args = vec!["batch", "puzzles", flag, word];
        if flag != "--results" {
            args.extend(["--results", text(&results)]);
        }
        let session = run(&args);
        assert_eq!(session.code, 2);
        assert!(session.stderr.contains(&format!("{flag} {word}: expected")), "{}", session.stderr);
    }
    let broken = write(folder.path(), "broken.yaml", "- pin: {cell: [1, 1], tile: 5\n");
    let session =
        run(&["batch", "puzzles", "--constraints", text(&broken), "--results", text(&results)]);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("broken.yaml:"), "{}", session.stderr);
    assert!(!results.exists());
}

/// Checks the memory of the batch process, and compares a sample of results with `solve`.
#[test]
#[ignore = "half a minute"]
fn ten_thousand_puzzles_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let puzzles = many(folder.path(), 10_000, 3);
    let results = folder.path().join("runs.sqlite");
    let args = ["batch", text(&puzzles), "--jobs", "2", "--results", text(&results)];
    let mut batch = Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .args(args)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let mut most = 0;
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", batch.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(kilobytes.unwrap_or(0));
        if let Some(status) = batch.try_wait().unwrap() {
            break status;
        }
        sleep(Duration::from_millis(10));
    };
    let per_second = 10_000.0 / started.elapsed().as_secs_f64();
    println!("{per_second:.0} puzzles a second, {most} kB beside the workers");
    assert!(status.success());
    assert!(most < 100_000, "{most} kB");
    let counts = column(&results, "solution_count");
    assert_eq!(counts.len(), 10_000);
    for seed in (0..10_000).step_by(50) {
        let puzzle = halves(seed, 3, 3, 3 + (seed % 3) as usize);
        let problem = edgematch::load::from_str(&puzzle).unwrap();
        let solved = run_with_input(&["count", "-", "--format", "json", "-q"], puzzle);
        let answer: serde_json::Value = serde_json::from_str(&solved.stdout).unwrap();
        assert_eq!(answer["solutions"].to_string(), counts[&problem.puzzle.name], "seed {seed}");
    }
}

/// An interrupted batch ends even if a list on standard input never does.
#[cfg(unix)]
#[test]
fn an_endless_list_can_be_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let results = folder.path().join("runs.sqlite");
    let mut batch = Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .args(["batch", "--list", "-", "--results", text(&results)])
        .current_dir(crate::ROOT)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut list = batch.stdin.take().unwrap();
    list.write_all(b"puzzles/scramble-1.yaml\n").unwrap();
    wait_for(|| done(&results) >= 1);
    signal("-INT", batch.id());
    assert_eq!(batch.wait().unwrap().code(), Some(130));
}
