//! `solve --log`: its lines have the fields in `docs/commands.md` and agree with the search.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};

use edgematch::puzzle::Orientation;
use edgematch::{load, runtime::scheduler};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::session::{Session, at_root, finished, puzzle, run, signal, start};

/// The documented keys of each type of line.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let page = fs::read_to_string(at_root("docs/commands.md")).unwrap();
    let table = page.split("## Lines").nth(1).unwrap();
    let table = table.split("\n\n").nth(1).unwrap();
    let quoted = |text: &str| -> BTreeSet<String> {
        let parts = text.split('`').skip(1).step_by(2);
        parts.map(str::to_owned).collect()
    };
    let rows = table.lines().skip(2).map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let kind = quoted(cells[1]).pop_first().unwrap();
        let mut keys = quoted(cells[3]);
        keys.extend(["type", "seconds"].map(str::to_owned));
        (kind, keys)
    });
    rows.collect()
}

/// Runs `solve` with these arguments and a log; returns the run and the lines of the log.
fn logged(args: &[&str]) -> (Session, Vec<Value>) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let log = ["--log", path.to_str().unwrap()];
    let session = run(&[&["solve"], args, &log].concat());
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.ends_with('\n'));
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (session, lines.collect())
}

/// The log of an endless search, which is interrupted once `are_enough` returns true for its lines.
#[cfg(target_os = "linux")]
fn logged_until(args: &[&str], are_enough: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let args = [&["solve", "-q", "--log", "/dev/stderr"], args].concat();
    let mut child = start(&args);
    let mut lines: Vec<Value> = Vec::new();
    let mut is_interrupted = false;
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        lines.push(serde_json::from_str(&line.unwrap()).unwrap());
        if !is_interrupted && are_enough(&lines) {
            signal("-INT", &child);
            is_interrupted = true;
        }
    }
    assert_eq!(finished(&args, child).code, 130, "{lines:?}");
    lines
}

/// The lines of type `sample`.
fn samples(lines: &[Value]) -> impl Iterator<Item = &Value> + Clone {
    lines.iter().filter(|line| line["type"] == "sample")
}

/// The path of a sample without the last decision, which may not fit.
fn path(sample: &Value) -> Option<&[Value]> {
    let (_, path) = sample["path"].as_array()?.split_last()?;
    Some(path)
}

/// Writes a 7×7 puzzle without a frame, which no engine finishes in a second; returns its path.
fn large(folder: &TempDir) -> String {
    let path = folder.path().join("large.yaml");
    let path = path.to_str().unwrap();
    let kind = ["--size", "7x7", "--images", "5", "--seed", "3"];
    let session = run(&[&["generate", "-q", "-o", path], &kind[..]].concat());
    assert_eq!(session.code, 0, "{}", session.stderr);
    path.to_owned()
}

#[test]
fn lines_have_the_keys_of_the_documentation_and_every_type_occurs() {
    let documented = documented();
    let mut seen = BTreeSet::new();
    let framed = "benches/boards/f8-b5k7-0.yaml";
    let mut logs = vec![
        logged(&[&puzzle("absolut-knifflig"), "--engine", "milp", "--lp", "always"]).1,
        logged(&[&puzzle("sharks-misread"), "--best"]).1,
    ];
    if cfg!(target_os = "linux") {
        logs.push(logged_until(&[framed], |lines| samples(lines).count() > 1));
    }
    for lines in logs {
        for line in &lines {
            let kind = line["type"].as_str().unwrap();
            let keys: BTreeSet<String> = line.as_object().unwrap().keys().cloned().collect();
            assert_eq!(Some(&keys), documented.get(kind), "{line}");
            seen.insert(kind.to_owned());
        }
        let number = |line: &Value, key: &str| line[key].as_f64().unwrap();
        let times = lines.iter().map(|line| number(line, "seconds"));
        assert!(times.is_sorted(), "{lines:?}");
        let kinds: Vec<&str> = lines.iter().filter_map(|l| l["type"].as_str()).collect();
        assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("start", "status"));
    }
    assert_eq!(seen, documented.into_keys().collect());
}

#[cfg(target_os = "linux")]
#[test]
fn samples_tell_what_lies_and_it_fits() {
    let folder = tempdir().unwrap();
    let file = large(&folder);
    let problem = load::read(file.as_ref()).unwrap();
    for engine in [
        &["propagate"][..],
        &["backtrack"],
        &["backtrack", "--plain"],
        &["backtrack", "--scan"],
        &["milp"],
        &["corners"],
        &["xcc"],
    ] {
        let args = [&[&*file, "--engine"], engine].concat();
        let lines = logged_until(&args, |lines| samples(lines).filter_map(path).count() > 1);
        for (sample, path) in samples(&lines).filter_map(|s| Some((s, path(s)?))) {
            let mut placed = BTreeMap::new();
            for step in path {
                let number = |value: &Value| value.as_u64().unwrap() as usize;
                let cell = (number(&step["cell"][0]) - 1) * 7 + number(&step["cell"][1]) - 1;
                let mut tiles = problem.puzzle.tiles.iter();
                let tile = tiles.find(|tile| step["tile"] == *tile.name).unwrap();
                let turned = Orientation::turned(number(&step["rotation"]));
                let before = placed.insert(cell, (tile, turned));
                assert!(before.is_none(), "{engine:?}: two in one cell: {sample}");
                assert!(step["of"].as_u64().is_none_or(|of| of > 0));
            }
            for seam in problem.board.seams() {
                let shown = [seam.first, seam.second].map(|(cell, side)| {
                    let (tile, turned) = placed.get(&cell)?;
                    Some(tile.shows(side, *turned))
                });
                if let [Some(here), Some(there)] = shown {
                    let fits = problem.puzzle.labels.fit(here, there);
                    assert!(fits, "{engine:?}: {sample}");
                }
            }
        }
    }
}

#[test]
fn a_log_changes_nothing_that_is_found() {
    let args = [&*puzzle("absolut-knifflig"), "--format", "jsonl"];
    let (session, lines) = logged(&args);
    let without = run(&[&["solve"], &args[..]].concat());
    let solutions = |session: &Session| {
        let lines = session.stdout.lines();
        let solutions = lines.filter(|line| line.contains(r#""type":"solution""#));
        solutions.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(solutions(&session), solutions(&without));
    assert_eq!(solutions(&session).len(), 37);
    let solutions = lines.iter().filter(|line| line["type"] == "solution");
    assert_eq!(solutions.count(), 37);
    let last = lines.last().unwrap();
    assert_eq!(last["status"], "ALL_SOLUTIONS");
    assert_eq!([&last["distinct"], &last["solutions"]], [37, 148]);
    assert!(last["peak_resident"].as_u64().unwrap() > 1 << 20);
}

#[cfg(target_os = "linux")]
#[test]
fn several_threads_tell_no_decisions_but_count() {
    // Threads share the tree only after a phase that learns which cells fail most.
    const MANY: u64 = 60_000;
    let folder = tempdir().unwrap();
    let args = [&*large(&folder), "--threads", "2"];
    let nodes = |sample: &Value| sample["nodes"].as_u64().unwrap();
    let lines = logged_until(&args, |lines| samples(lines).any(|s| nodes(s) > MANY));
    // There are never more threads than cores.
    let threads = scheduler::available().min(2);
    assert_eq!(lines[0]["threads"], threads);
    let last = samples(&lines).last().unwrap();
    assert_eq!(last["path"].is_null(), threads > 1, "{last}");
    let nodes: Vec<u64> = samples(&lines).map(nodes).collect();
    assert!(nodes.is_sorted(), "{nodes:?}");
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let log = |path: &str| run(&["solve", &puzzle("scramble-1"), "--log", path]);
    let session = log("no/such/folder/run.jsonl");
    assert_eq!((session.code, &*session.stdout), (2, ""));
    let unwritable = "run.jsonl can't be written";
    assert!(session.stderr.contains(unwritable), "{}", session.stderr);
    assert_eq!(log("-").code, 2);
    if cfg!(target_os = "linux") {
        // The solutions are printed nevertheless.
        let session = log("/dev/full");
        assert_eq!(session.code, 2);
        let said = &session.stderr;
        assert!(said.contains("/dev/full can't be written"), "{said}");
        assert!(
            said.contains("1 solution (4 with rotations of the board), proven complete"),
            "{said}"
        );
        assert!(session.stdout.ends_with("==========\n"));
    }
}
