//! `compare` runs the engines side by side, and reports disagreements.

use std::process::Child;
use std::time::Duration;
use std::{fs, thread};

use edgematch::engine::{ENGINES, contenders};
use serde_json::Value;
use tempfile::tempdir;

use crate::session::{at_root, finished, puzzle, run, signal, start, wait_until_busy, write};

#[test]
fn every_engine_stands_in_the_table_with_the_same_counts() {
    let session = run(&["compare", &puzzle("quasthoff-example"), "--runs", "1"]).expect(0);
    let rows: Vec<Vec<&str>> =
        session.stdout.lines().map(|l| l.split_whitespace().collect()).collect();
    let contenders = contenders();
    assert!(rows.len() > contenders.len());
    for (row, contender) in rows[1..].iter().zip(&contenders) {
        let name = contender.name.as_str();
        assert_eq!(row[..4], [name, "2", "2", "8"]);
    }
}

#[test]
fn the_levels_are_those_of_the_paper_and_correct_its_misprint() {
    let session = run(&["compare", "--levels", &puzzle("python-backtracker-mockup")]);
    let column = |number: usize| -> Vec<&str> {
        session.stdout.lines().skip(1).map(|l| l.split_whitespace().nth(number).unwrap()).collect()
    };
    let calls = ["1", "9", "43", "165", "70", "151", "68", "60", "19", "2", "588"];
    assert_eq!(column(1), calls);
    assert_eq!(column(2)[5], "3,870,720");
    assert_eq!(column(2)[9], "23,781,703,680");
    assert_eq!(column(2)[10], "30,536,311,978");
    assert_eq!(column(4)[9], "95,126,814,720");
}

#[test]
fn exports_hold_every_engine_of_every_file() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let json = path("c.json");
    let csv = path("c.csv");
    let markdown = path("c.md");
    let session = run(&[
        "compare",
        &puzzle("quasthoff-example"),
        &puzzle("scramble-1"),
        "-q",
        "--export-json",
        &json,
        "--export-csv",
        &csv,
        "--export-markdown",
        &markdown,
    ]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    assert_eq!(session.stdout.lines().count(), 3, "one summary table");
    let all: Value = serde_json::from_str(&fs::read_to_string(json).unwrap()).unwrap();
    assert_eq!(all[1]["puzzle"], "scramble-1");
    assert_eq!(all[1]["agree"], true);
    // One form of each engine.
    let engines = ENGINES.iter().filter(|kind| kind.is_compared).count();
    assert_eq!(all[1]["engines"].as_array().unwrap().len(), engines);
    assert_eq!(all[1]["engines"][0]["solutions"], 4);
    let csv = fs::read_to_string(csv).unwrap();
    assert_eq!(csv.lines().count(), 1 + 2 * engines);
    assert!(csv.lines().all(|l| l.matches(',').count() == 13));
    assert!(fs::read_to_string(markdown).unwrap().starts_with("| puzzle "));
}

#[test]
fn the_plot_is_svg_or_png() {
    let folder = tempdir().unwrap();
    for name in ["plot.svg", "plot.png"] {
        let path = folder.path().join(name);
        run(&[
            "compare",
            &puzzle("quasthoff-example"),
            "--runs",
            "1",
            "--plot",
            path.to_str().unwrap(),
        ])
        .expect(0);
    }
    let svg = fs::read_to_string(folder.path().join("plot.svg")).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let texts: String = svg.descendants().filter_map(|n| n.text()).collect();
    for word in ["quasthoff-example: seconds", "milp-balance", "calls per level", "scan-spiral"] {
        assert!(texts.contains(word), "{word}");
    }
    let png = image::open(folder.path().join("plot.png")).unwrap();
    assert_eq!((png.width(), png.height()), (2200, 920));
    run(&["compare", &puzzle("scramble-1"), "--plot", "plot.gif"]).expect(2);
}

#[test]
fn of_several_puzzles_the_plot_shows_what_is_solved_in_time_and_two_engines() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("plot.svg");
    let plot = |more: &[&str]| {
        let two = [puzzle("scramble-1"), puzzle("quasthoff-example")];
        let output = path.to_str().unwrap();
        let args = ["compare", &two[0], &two[1], "--force", "--plot", output];
        let session = run(&[&args[..], more].concat());
        (session.code, session.stderr)
    };
    let (code, stderr) = plot(&["--engine", "milp-balance,propagate,backtrack"]);
    assert_eq!(code, 0, "{stderr}");
    let svg = fs::read_to_string(&path).unwrap();
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let texts: String = svg.descendants().filter_map(|n| n.text()).collect();
    for words in ["puzzles solved within a time", "solved of 2", "milp-balance (2)", " against "] {
        assert!(texts.contains(words), "{words}");
    }
    let dots = svg.descendants().filter(|n| n.has_tag_name("circle"));
    assert_eq!(dots.count(), 2, "a dot a puzzle");

    let (code, stderr) = plot(&["--scatter", "milp,corners"]);
    assert_eq!(code, 0, "{stderr}");
    let svg = fs::read_to_string(&path).unwrap();
    assert!(svg.contains("corners against milp-balance"));
    let pairs = ["corners", "corners,corners", "corners,magic", "a,b,c"];
    for pair in pairs {
        assert_eq!(plot(&["--scatter", pair]).0, 2, "{pair}");
    }
}

/// Compares engines on a puzzle that `milp` with `--rounds` cannot finish, and sends signals
/// once it searches; returns the exit code and the lines of the table.
#[cfg(target_os = "linux")]
fn interrupted(engines: &str, signals: impl Fn(&mut Child)) -> (i32, Vec<String>) {
    let puzzle = puzzle("random-half-4x4-4-s1");
    let args = ["compare", &puzzle, "--runs", "1", "--time-limit", "1h", "--engine", engines];
    let mut compare = start(&args);
    wait_until_busy(&compare);
    signals(&mut compare);
    let session = finished(&args, compare);
    let lines = session.stdout.lines().map(|l| l.trim().to_owned());
    (session.code, lines.collect())
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_skips_to_the_next_engine_and_two_end_the_comparison() {
    let once = |compare: &mut Child| signal("-INT", compare);
    let (code, lines) = interrupted("propagate,milp-rounds,corners", once);
    assert_eq!((code, lines.len()), (3, 4), "{lines:?}");
    assert!(lines[1].starts_with("milp-rounds") && lines[1].ends_with("stopped"));
    assert!(lines[2].starts_with("propagate") && lines[2].ends_with("1.0"));
    assert!(lines[3].starts_with("corners") && !lines[3].ends_with("stopped"));

    // Two signals within a second end all runs. Engines that did not run have no line.
    let again_and_again = |compare: &mut Child| {
        while compare.try_wait().unwrap().is_none() {
            signal("-INT", compare);
            thread::sleep(Duration::from_millis(50));
        }
    };
    let (code, lines) = interrupted("milp-rounds,xcc", again_and_again);
    assert_eq!(code, 130, "{lines:?}");
    assert!(lines.len() <= 3, "{lines:?}");
    let mut ran = lines.iter().skip(1);
    assert!(ran.all(|line| line.ends_with("stopped")), "{lines:?}");

    let terminated = |compare: &mut Child| signal("-TERM", compare);
    let (code, lines) = interrupted("milp-rounds,xcc", terminated);
    assert_eq!((code, lines.len()), (130, 2), "{lines:?}");
    assert!(lines[1].ends_with("stopped"));
}

#[test]
fn what_is_stopped_or_not_for_the_board_is_shown_so() {
    let session = run(&[
        "compare",
        &puzzle("sample-4x4-tobsef"),
        "--engine",
        "milp-rounds,plain-spiral",
        "--runs",
        "1",
        "--time-limit",
        "300ms",
    ])
    .expect(3);
    assert!(session.stdout.lines().nth(1).unwrap().contains("stopped"));

    let folder = tempdir().unwrap();
    let line = "rows: 1\ncols: 2\ntiles: {1: [a, b, c, d], 2: [a, b, a, d]}";
    let line = write(folder.path(), "line.yaml", line);
    run(&["compare", line.to_str().unwrap(), "--runs", "1"])
        .expect(0)
        .prints("board not supported");
}

#[test]
fn the_worst_code_of_several_files_counts() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "bad.yaml", "rows: 0");
    let bad = file.to_str().unwrap();
    run(&["compare", bad]).refused();
    run(&["compare", bad, &puzzle("quasthoff-example")]).expect(2).prints("quasthoff-example");
    run(&["compare", &puzzle("scramble-1"), "--engine", "magic"])
        .expect(2)
        .says("`magic` is not an engine; the engines are milp-balance");
    let empty = tempdir().unwrap();
    assert_eq!(run(&["compare", empty.path().to_str().unwrap()]).code, 2);
}

#[test]
fn what_would_say_nothing_is_refused() {
    let path = puzzle("scramble-1");
    for args in [
        &["--engine", ""][..],
        &["--engine", "backtrack,,corners"],
        &["--levels", "--engine", "milp-balance"],
        &["--export-json", "-"],
        &["--export-csv", "no/such/folder/all.csv"],
        &["--engine", "corners", "--runs", "0", "--plot", "target/nothing.svg"],
    ] {
        assert_eq!(run(&[&["compare", &path], args].concat()).code, 2, "{args:?}");
    }
    let session = run(&["compare", &path, "--engine", "corners, plain-rows", "--runs", "1"]);
    assert_eq!(session.stdout.lines().count(), 3);
}

#[test]
fn a_folder_is_compared_puzzle_by_puzzle() {
    let folder = tempdir().unwrap();
    for name in ["quasthoff-example", "framed-3x3-tud"] {
        fs::copy(at_root(&puzzle(name)), folder.path().join(format!("{name}.yaml"))).unwrap();
    }
    let session = run(&["compare", folder.path().to_str().unwrap(), "-q"]).expect(0);
    let names: Vec<&str> =
        session.stdout.lines().skip(1).map(|l| l.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["framed-3x3-tud", "quasthoff-example"]);
}
