//! Output, exit codes and flags as users of MiniZinc or clingo expect them.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use edgematch::load::{self, Described};
use serde_json::{Value, json};

use crate::session::{
    Session, at_root, puzzle, run, run_with_input, signalled_at_first_line, start,
};

#[test]
fn text_has_a_row_a_line_and_the_separators_of_minizinc() {
    let session = run(&["solve", &puzzle("quasthoff-example"), "--sorted"]);
    assert_eq!(
        session.stdout,
        "[t=1,r=0] [t=2,r=0]\n[t=3,r=0] [t=4,r=0]\n----------\n\
         [t=3,r=0] [t=4,r=0]\n[t=1,r=3] [t=2,r=3]\n----------\n==========\n"
    );
    assert_eq!(session.stderr.lines().count(), 1);
}

#[test]
fn the_last_line_says_what_is_known_and_so_does_the_exit_code() {
    for (name, code, words) in [
        ("scramble-1", 0, "1 solution (4 with rotations of the board), proven complete ("),
        (
            "python-backtracker-mockup",
            0,
            "2 solutions (8 with rotations of the board), proven complete (",
        ),
        ("sharks-misread", 1, "no solution, proven ("),
    ] {
        let session = run(&["solve", &puzzle(name)]).expect(code);
        assert!(session.stderr.starts_with(words), "{}", session.stderr);
        let is_none = session.stdout == "=====UNSATISFIABLE=====\n";
        assert_eq!(is_none, code == 1, "{name}");
    }
}

#[test]
fn json_and_jsonl_hold_the_same_objects() {
    let path = puzzle("knifflidiffels-version5");
    let by = |format| run(&["solve", &path, "--engine", "milp", "--format", format]).stdout;
    let array = by("json");
    let lines = by("jsonl");
    let array: Vec<Value> = serde_json::from_str(&array).unwrap();
    let lines: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(array.len(), 26 + 2);
    for (index, (a, b)) in array.iter().zip(&lines).enumerate().take(26) {
        assert_eq!(a, b);
        assert_eq!((&a["type"], &a["index"]), (&"solution".into(), &(index + 1).into()));
        assert_eq!(a["solutions"], 288);
        assert_eq!(a["placements"].as_array().unwrap().len(), 9);
        assert_eq!(a["placements"][5]["cell"], serde_json::json!([2, 3]));
        assert!(a["placements"][5]["tile"].is_string());
    }
    let statistics = &array[26];
    assert_eq!(
        (&statistics["type"], &statistics["engine"]),
        (&"statistics".into(), &"milp".into())
    );
    assert_eq!(statistics["cuts"], 26);
    assert_eq!(
        array[27],
        serde_json::json!({"type": "status", "status": "ALL_SOLUTIONS", "complete": true,
            "distinct": 26, "classes": 1872, "solutions": 7488})
    );
}

#[test]
fn n_counts_what_is_printed() {
    let path = puzzle("knifflidiffels-version5");
    for (args, solutions) in [
        (&["-n", "3"][..], 3),
        (&["--solutions", "0"], 26),
        (&["--expand", "-n", "5"], 5),
        (&["--sorted", "-n", "4"], 4),
        (&["--expand"], 7488),
    ] {
        let session = run(&[&["solve", &path], args].concat()).expect(0);
        assert_eq!(session.stdout.matches("----------\n").count(), solutions, "{args:?}");
    }
    let session = run(&["solve", &path, "-n", "3"]);
    assert!(!session.stdout.contains("====="), "three of 26 are not complete");
    session.says("there may be more");
    let session = run(&["solve", &path, "-n", "3", "--format", "jsonl"]);
    let status: Value = serde_json::from_str(session.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&status["status"], &status["complete"]), (&"SATISFIED".into(), &false.into()));
}

#[test]
fn sorted_runs_can_be_compared_whatever_the_formulation() {
    let path = puzzle("random-half-2x2-3-s1");
    let by = |formulation| run(&["solve", &path, "--sorted", "--formulation", formulation]).stdout;
    assert_eq!(by("balance"), by("support"));
    assert_eq!(by("balance"), by("tuple"));
    let path = puzzle("knifflidiffels-version5");
    let sorted = run(&["solve", &path, "--sorted"]).stdout;
    let found = run(&["solve", &path]).stdout;
    let problem = edgematch::load::read(&at_root(&path)).unwrap();
    let canonical = |text: &str| {
        let read = edgematch::load::read_solutions(text.as_bytes(), "solutions", &problem);
        let canonical = read.unwrap().into_iter().map(|arrangement| {
            let arrangement =
                edgematch::enumerate::solution::ValueArrangement::new(&problem, &arrangement);
            arrangement.orbit(&problem).swap_remove(0)
        });
        canonical.collect::<Vec<_>>()
    };
    let listed = canonical(&sorted);
    assert!(listed.is_sorted());
    let mut any_order = canonical(&found);
    assert_ne!(listed, any_order);
    any_order.sort();
    assert_eq!(listed, any_order);
}

#[test]
fn an_arrangement_says_for_how_many_solutions_it_stands_unless_it_is_the_group() {
    let twins = run(&["solve", &puzzle("knifflidiffels-version5")]).stdout;
    assert_eq!(twins.matches("% stands for 288 solutions\n----------\n").count(), 26);
    let plain = run(&["solve", &puzzle("scramble-1")]).stdout;
    assert!(!plain.contains('%'));
}

#[test]
fn statistics_give_sizes_work_and_each_round() {
    let session =
        run(&["solve", &puzzle("scramble-1"), "--engine", "milp", "--rounds", "--statistics"]);
    let value = |name: &str| {
        let prefix = format!("%%%mzn-stat: {name}=");
        let line = session.stdout.lines().find_map(|l| l.strip_prefix(&prefix));
        line.unwrap_or_else(|| panic!("no {name}")).to_owned()
    };
    for (name, expected) in [
        ("tiles", "9"),
        ("kinds", "9"),
        ("cells", "9"),
        ("seams", "12"),
        ("horizontal_tuples", "146"),
        ("vertical_tuples", "146"),
        ("horizontal_blocks", "8"),
        ("solves", "2"),
        ("cuts", "1"),
        ("solutions", "4"),
    ] {
        assert_eq!(value(name), expected, "{name}");
    }
    assert_eq!(value("rounds").matches(',').count(), 1);
    for name in ["variables", "rows", "nonzeros"] {
        assert!(value(name).parse::<u64>().unwrap() > 0);
    }
}

#[test]
fn info_says_what_the_puzzle_is_without_solving_it() {
    let session = run(&["info", &puzzle("scramble-1")]).expect(0);
    for words in ["3 × 3 grid", "146 tuples", "8 blocks", "balance", "support", "tuple"] {
        session.prints(words);
    }
    let session = run(&["info", &puzzle("scramble-1"), "--format", "json", "--tables"]);
    let info: Value = serde_json::from_str(&session.stdout).unwrap();
    assert_eq!(info["sizes"]["tables"][0]["tuples"], 146);
    assert_eq!(info["tables"][1]["tuples"].as_array().unwrap().len(), 146);
    assert_eq!(info["tables"][1]["blocks"].as_array().unwrap().len(), 8);
    let session = run(&["info", &puzzle("scramble-1"), "--tables"]);
    let is_tuple = |line: &&str| {
        let fields: Vec<&str> = line.trim().split(',').collect();
        fields.len() == 4 && fields.iter().all(|f| f.parse::<usize>().is_ok())
    };
    assert_eq!(session.stdout.lines().filter(is_tuple).count(), 292);
}

#[test]
fn a_time_limit_stops_with_its_own_code_and_says_so() {
    let session = run(&[
        "solve",
        &puzzle("sample-4x4-tobsef"),
        "--engine",
        "milp",
        "--rounds",
        "--time-limit",
        "200ms",
    ])
    .expect(3);
    assert!(
        session.stdout.ends_with("=====UNKNOWN=====\n") || session.stdout.ends_with("----------\n")
    );
    session.says("stopped after 200 ms, ");
}

#[test]
fn a_puzzle_comes_from_standard_input_too() {
    let text = std::fs::read_to_string(at_root(&puzzle("quasthoff-example"))).unwrap();
    let session = run_with_input(&["solve", "-"], text).expect(0);
    assert!(
        session.stderr.starts_with("2 solutions (8 with rotations of the board), proven complete")
    );
}

#[test]
fn the_blogs_folder_and_its_file_are_the_same_puzzle() {
    let own = run(&["solve", &puzzle("scramble-1")]).stdout;
    for path in ["puzzles/scramble-1", "puzzles/scramble-1/input/tile_dict.yaml"] {
        let session = run(&["solve", path]);
        assert_eq!(session.stdout, own);
        assert!(run(&["info", path]).stdout.starts_with("scramble-1\n"));
    }
}

#[test]
fn a_flag_of_another_engine_is_refused() {
    for args in [
        &["--scan"][..],
        &["--order", "rows"],
        &["--engine", "backtrack", "--formulation", "balance"],
        &["--engine", "corners", "--order", "rows"],
        &["--engine", "backtrack", "--order", "rows"],
        &["--engine", "backtrack", "--plain", "--scan"],
        &["--engine", "backtrack", "--rounds"],
        &["--engine", "propagate", "--plain"],
        &["--rounds"],
        &["--engine", "milp", "--rounds", "--lp", "always"],
    ] {
        run(&[&["solve", &puzzle("scramble-1")], args].concat()).refused();
    }
    let line = "rows: 1\ncols: 2\ntiles: {1: [a, b, c, d], 2: [a, b, c, d]}";
    run_with_input(&["solve", "-", "--engine", "corners"], line)
        .expect(2)
        .says("engine corners cannot solve this puzzle: ");
}

#[test]
fn engines_print_the_same_arrangements() {
    let path = puzzle("knifflidiffels-version5");
    let by = |args: &[&str]| run(&[&["solve", &path, "--sorted"], args].concat()).stdout;
    let model = by(&["--engine", "milp"]);
    assert_eq!(model, by(&[]));
    assert_eq!(model, by(&["--engine", "milp", "--rounds"]));
    assert_eq!(model, by(&["--engine", "propagate"]));
    assert_eq!(model, by(&["--engine", "backtrack"]));
    assert_eq!(model, by(&["--engine", "backtrack", "--plain"]));
    assert_eq!(model, by(&["--engine", "backtrack", "--order", "rows", "--scan"]));
    assert_eq!(model, by(&["--engine", "corners"]));
}

#[test]
fn quiet_says_nothing_and_verbose_says_more() {
    let path = puzzle("quasthoff-example");
    assert_eq!(run(&["solve", &path, "-q"]).stderr, "");
    assert!(run(&["solve", &path, "-v"]).stderr.contains("engine auto\n"));
    let verbose = run(&["solve", &path, "-v", "--engine", "milp", "--rounds"]).stderr;
    assert!(verbose.contains("engine milp, balance rounds"));
    assert!(verbose.contains("distinct 2 in round 2"));
}

#[test]
fn help_opens_with_examples_and_version_is_known() {
    let verbs = ["solve", "info", "check", "show", "compare", "completions", "man"];
    let all = verbs.iter().map(|verb| vec![*verb, "--help"]);
    for args in all.chain([vec!["--help"]]) {
        let session = run(&args).expect(0);
        assert!(session.stdout.starts_with("Examples:\n  edgematch "), "{args:?}");
    }
    let short = format!("edgematch {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["-V"]).stdout, format!("{short}\n"));
    let long = run(&["--version"]).stdout;
    let revision = edgematch::REVISION;
    assert_eq!(long, format!("{short} (revision {revision})\n"));
}

#[test]
fn habits_of_other_programs_are_answered() {
    for (args, tip) in [
        ("enumerate x", "'solve'"),
        ("lint x", "'check'"),
        ("draw x", "'show'"),
        ("serve", "'play'"),
        ("new", "'generate'"),
        ("best x", "'solve --best'"),
        ("photo cards.jpg", "'read'"),
        ("solve --json x", "tip: use --format json"),
        ("find x", "'solve'"),
        ("solve", "a puzzle is a file such as cards.txt"),
        ("solve --all x", "tip: use -n 0"),
        ("solve --threads two x", "expected a whole number from 1 to 65535"),
        ("export --format lp x", "tip: use --to FORM"),
        ("count --timeout 3 x", "tip: use --time-limit TIME"),
        ("solve --milp x", "tip: use --engine milp"),
        ("solve --jobs 2 x", "tip: use -j N"),
        ("generate 3x3 --colors 5", "tip: use --images N"),
        ("generate 3x3 --frame", "'--framed'"),
        ("solve --engine magic puzzles/scramble-1.yaml", "backtrack"),
    ] {
        run(&args.split(' ').collect::<Vec<_>>()).expect(2).says(tip);
    }
    // Other names are not near enough, and `show` has no formats.
    for args in [["solve", "--presolve", "x"], ["show", "--json", "x"]] {
        let unknown = run(&args).expect(2);
        assert!(!unknown.stderr.contains("tip:"), "{}", unknown.stderr);
    }
    let unknown = run(&["solve", "--magic", "puzzles/scramble-1.yaml"]).expect(2);
    assert!(!unknown.stderr.contains("as a value"), "{}", unknown.stderr);
}

#[test]
fn drawings_have_colours_on_request() {
    let show = |when: &str| run(&["show", "--color", when, &puzzle("scramble-1")]).expect(0).stdout;
    assert!(show("always").contains("\x1b["));
    assert!(!show("never").contains('\x1b'));
    assert_eq!(show("never"), show("auto"));
}

#[test]
fn a_screen_of_help_names_the_usual_options() {
    let (brief, all) = (run(&["solve", "-h"]).expect(0), run(&["solve", "--help"]).expect(0));
    let is_in = |session: &Session, option: &str| session.stdout.contains(option);
    assert!(brief.stdout.lines().count() <= 50, "{}", brief.stdout);
    assert!(is_in(&brief, "--expand") && is_in(&brief, "--help"));
    assert!(!is_in(&brief, "--lp") && is_in(&all, "--lp"));
}

#[test]
fn what_only_a_batch_calls_is_not_offered() {
    for shell in ["bash", "fish", "zsh"] {
        let script = run(&["completions", shell]).stdout;
        assert!(script.contains("keep-solutions") && !script.contains("batch-worker"), "{shell}");
    }
    assert!(!run(&["--help"]).stdout.contains("batch-worker"));
    let unknown = run(&["man", "bathc"]).stderr;
    assert!(unknown.contains("batch, ") && !unknown.contains("batch-worker"), "{unknown}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = start(&["solve", &puzzle("knifflidiffels-version5"), "--expand"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("[t="));
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(stderr, "");
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .args(["solve", &puzzle("quasthoff-example")])
        .current_dir(crate::ROOT)
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8(output.stderr)
            .unwrap()
            .contains("standard output can't be written: No space left")
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_standard_error_that_cannot_be_written_changes_nothing() {
    for (path, code) in [(puzzle("quasthoff-example"), 0), ("nope".to_owned(), 2)] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = Command::new(env!("CARGO_BIN_EXE_edgematch"))
            .args(["solve", &path])
            .current_dir(crate::ROOT)
            .stdout(Stdio::null())
            .stderr(full)
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(code));
    }
}

#[test]
fn a_closed_pipe_is_no_error_for_info_either() {
    let mut child = start(&["info", &puzzle("danger-puzzle"), "--tables", "--format", "json"]);
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn what_is_not_all_shown_is_not_marked_as_all() {
    let args = ["solve", &puzzle("knifflidiffels-version5"), "--sorted", "-n", "2"];
    let session = run(&args);
    assert!(!session.stdout.contains("====="));
    assert!(session.stderr.trim_end().ends_with("; printed 2"), "{}", session.stderr);
    let session = run(&[&args[..], &["--format", "jsonl"]].concat());
    let status: Value = serde_json::from_str(session.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(status["status"], "SATISFIED");
    assert_eq!((&status["complete"], &status["distinct"]), (&true.into(), &26.into()));
}

#[test]
fn what_was_found_in_time_is_printed_even_if_that_takes_longer() {
    let args = [
        "solve",
        &puzzle("four-pictures-sample"),
        "--engine",
        "milp",
        "--rounds",
        "--time-limit",
        "1s",
        "--format",
        "jsonl",
    ];
    let session = run(&[&args[..], &["--sorted", "--expand"]].concat()).expect(3);
    let printed = session.stdout.matches("\"type\":\"solution\"").count();
    let status: Value = serde_json::from_str(session.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(status["solutions"], printed);
}

#[test]
fn boards_too_large_for_the_model_stop_in_time_all_the_same() {
    let tile = |t: usize| {
        let a = t % 31;
        let b = t % 29;
        let c = (t + 3) % 31;
        let d = (t * 3 + 1) % 29;
        format!("  {t}: [a{a}+, b{b}-, a{c}-, b{d}+]\n")
    };
    let tiles: String = (0..900).map(tile).collect();
    run_with_input(&["solve", "-", "--time-limit", "300ms"], format!("tiles:\n{tiles}")).expect(3);
}

#[test]
fn every_engine_stops_in_time_where_there_is_no_end_of_arrangements() {
    let twins: String = (0..144).map(|t| format!("  {t}: [a, a, a, b]\n")).collect();
    for engine in ["auto", "milp", "propagate", "backtrack", "corners"] {
        let args = ["solve", "-", "--engine", engine, "--time-limit", "300ms"];
        run_with_input(&args, format!("tiles:\n{twins}")).expect(3);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_was_found_and_says_that_it_is_not_complete() {
    // The solution is printed long before the search of this board ends.
    let args = ["solve", &puzzle("monkey-puzzle-ilp"), "--format", "jsonl"];
    let session = signalled_at_first_line("-INT", &args).expect(130);
    let words = "interrupted, there may be more";
    session.says(words);
    let status: Value = serde_json::from_str(session.stdout.lines().last().unwrap()).unwrap();
    assert_eq!(status["complete"], false);
}

#[test]
fn schema_prints_it() {
    for (args, described) in [
        (&["schema"][..], Described::Puzzle),
        (&["schema", "--of", "constraints"], Described::Constraints),
    ] {
        let session = run(args);
        let printed: Value = serde_json::from_str(&session.stdout).unwrap();
        assert_eq!((session.code, printed), (0, load::schema(described)));
    }
}

/// What is not a puzzle gets one sentence; a link of the page is one.
#[test]
fn what_is_no_puzzle_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("program"), b"\x7fELF\0\xd0").unwrap();
    fs::write(path("solved.txt"), run(&["solve", "-q", &puzzle("scramble-1")]).stdout).unwrap();
    for (file, words) in [
        ("README.md", "README.md: this is not a puzzle"),
        ("src/lib.rs", "src/lib.rs: this is not a puzzle"),
        ("https://example.org/puzzle", "a link, not a file"),
        ("docs/page.png", "read the cards from the photograph: `edgematch read"),
        (&path("program"), "a binary file, not a text"),
        (&path("solved.txt"), "an arrangement, not a puzzle"),
    ] {
        run(&["solve", file]).expect(2).says(words);
    }
    let output = path("solved.pdf");
    run(&["solve", &puzzle("scramble-1"), "-o", &output]).expect(2).says("a folder here");
    let code = run(&["convert", "-q", &puzzle("scramble-1"), "--to", "code"]).stdout;
    let shared = format!("https://example.org/play/#{}~abc", code.trim());
    let solved = run(&["solve", &puzzle("scramble-1")]).stdout;
    assert_eq!(run(&["solve", &shared]).stdout, solved);
}

/// Every format has the rotation of the board with the most tiles upright, and JSON the canonical
/// form, too.
#[test]
fn most_tiles_lie_upright() {
    for name in ["absolut-knifflig", "nobs-arrows", "boards/cube-4", "boards/two-sided-3x3-6"] {
        let path = puzzle(name);
        let problem = load::read(&at_root(&path)).unwrap();
        let printed = run(&["solve", "-q", "-n", "40", &path]).stdout;
        let arrangements = load::read_solutions(printed.as_bytes(), "out", &problem).unwrap();
        for arrangement in &arrangements {
            let by_value =
                edgematch::enumerate::solution::ValueArrangement::new(&problem, arrangement);
            let images = by_value.orbit(&problem);
            let most = images.iter().map(|image| image.upright(&problem)).max();
            assert_eq!(Some(by_value.upright(&problem)), most, "{name}");
        }
        let lines = run(&["solve", "-q", "-n", "40", "--format", "jsonl", &path]).stdout;
        let read = |text: &str| load::read_solutions(text.as_bytes(), "out", &problem).unwrap();
        assert_eq!(read(&lines), arrangements, "{name}");
        let first: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
        let canonical = read(&json!({"placements": first["canonical"]}).to_string());
        let by_value =
            edgematch::enumerate::solution::ValueArrangement::new(&problem, &canonical[0]);
        assert_eq!(by_value, by_value.orbit(&problem)[0], "{name}");
    }
}

#[test]
fn drawings_and_steps_are_text_alone() {
    let path = puzzle("scramble-1");
    let plain = run(&["solve", &path]).stdout;
    assert!(!plain.contains('┌'), "not where nobody sees it");
    assert_eq!(run(&["solve", "--draw=never", &path]).stdout, plain);
    assert!(run(&["solve", "--draw=always", &path]).stdout.contains("% ┌"));
    assert!(run(&["solve", "--draw", &path]).stdout.contains("% ┌"));
    for flag in ["--draw", "--steps"] {
        let session = run(&["solve", flag, "--format", "json", &path]).expect(2);
        let refused = format!("{flag} requires --format text");
        session.says(&refused);
    }
    let steps = run(&["solve", "--steps", &puzzle("boards/cube-4")]).stdout;
    assert!(steps.contains("% card 2 in front, upright\n"), "{steps}");
    run_with_input(&["check", &puzzle("boards/cube-4"), "-"], steps).expect(0);
}
