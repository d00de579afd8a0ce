//! `solve --best`, `--maximize` and `--minimize`: output, limits, and rejected options.

use std::time::Duration;

use crate::session::{puzzle, run, signalled_at_first_line, start, write};

#[test]
fn the_puzzles_without_a_solution_break_one_seam() {
    for name in ["sharks-misread", "random-broken-3x3-4-s1"] {
        for engine in ["auto", "propagate", "milp"] {
            let session = run(&["solve", "--best", "--engine", engine, &puzzle(name)]).expect(0);
            session.prints("% 11 of 12 edges match\n----------\n==========");
            assert!(session.stderr.starts_with("11 of 12 edges match, proven best ("));
        }
    }
    let all = |engine: &str| {
        let file = puzzle("sharks-misread");
        run(&["solve", "--best", "-n", "0", "--sorted", "--engine", engine, &file]).stdout
    };
    assert_eq!(all("auto").matches("----------").count(), 83);
    assert_eq!(all("auto"), all("milp"));
}

#[test]
fn a_solvable_puzzle_is_its_own_best() {
    let session = run(&["solve", "--best", "--format", "jsonl", &puzzle("scramble-1")]);
    session.prints(r#""objective":12}"#);
    session.prints(r#""status":"OPTIMAL_SOLUTION","complete":false,"distinct":1,"classes":1,"solutions":4,"objective":12,"bound":12}"#);
}

#[test]
fn a_run_that_is_stopped_says_what_it_reached_and_the_bound() {
    let file = "benches/boards/f16-b5k17-0.yaml";
    let best = |limit: [&str; 2]| {
        let session = run(&["solve", "--best", "-j", "1", limit[0], limit[1], file]).expect(3);
        assert!(session.stdout.contains("----------") && !session.stdout.contains("=========="));
        session
    };
    let words = " of 480 edges match (upper bound 480); stopped ";
    let timed = best(["--time-limit", "1s"]).stderr;
    assert!(timed.contains(&format!("{words}after 1.00 s")), "{timed}");
    let counted = best(["--node-limit", "300000"]);
    let stopped = counted.stderr.contains(&format!("{words}by the limit of 300000 nodes"));
    assert!(stopped, "{}", counted.stderr);
    let mut lines = counted.stdout.lines();
    let score = lines.find_map(|line| line.strip_prefix("% ")?.strip_suffix(" of 480 edges match"));
    // A random arrangement has far fewer.
    assert!(score.unwrap().parse::<usize>().unwrap() > 200);
}

const FRAMED: &str = "benches/boards/f10-b5k12-0.yaml";

/// The number of matching edges in the comment of the printed arrangement.
fn seams_fit(text: &str) -> usize {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix("% ")?.strip_suffix(" of 180 edges match"));
    value.unwrap().parse().unwrap()
}

#[test]
fn a_run_in_steps_on_one_thread_repeats_itself() {
    let args =
        |seed| ["solve", "--best", "-j", "1", "--node-limit", "300000", "--seed", seed, FRAMED];
    let once = run(&args("7")).expect(3);
    once.says("; stopped by the limit of 300000 nodes (");
    assert_eq!(once.stdout, run(&args("7")).stdout);
    assert_ne!(once.stdout, run(&args("8")).stdout);
    // Steps that a thread does not use return to the others, so the run reaches its limit and ends.
    run(&["solve", "--best", "-j", "2", "--node-limit", "300000", FRAMED])
        .says("; stopped by the limit of 300000 nodes (");
}

#[test]
fn a_run_goes_on_from_an_arrangement() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(&["solve", "--best", "-j", "1", "--node-limit", "300000", FRAMED]);
    let kept = write(folder.path(), "night.txt", &first.stdout);
    let resume = kept.display().to_string();
    let next = |file: &str| {
        run(&["solve", "--best", "--node-limit", "1", "--statistics", "--resume", &resume, file])
    };
    let second = next(FRAMED);
    assert_eq!(second.code, 3, "{}", second.stderr);
    assert_eq!(seams_fit(&second.stdout), seams_fit(&first.stdout));
    second.prints("found_by=\"start\"");
    let other = next("benches/boards/owen-1-10.yaml");
    assert_eq!(other.code, 2);
    other.says("has more faults than mismatched edges");
}

#[test]
fn each_improvement_is_told_with_its_time() {
    let args = ["solve", "--best", "--node-limit", "300000", "--format"];
    let session = run(&[&args[..], &["jsonl", FRAMED]].concat());
    let objects: Vec<serde_json::Value> =
        session.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let improvements: Vec<_> =
        objects.iter().filter(|object| object["type"] == "improvement").collect();
    let values = improvements.iter().map(|object| object["objective"].as_i64());
    assert!(values.is_sorted_by(|a, b| a < b));
    let times = improvements.iter().map(|object| object["seconds"].as_f64());
    assert!(times.is_sorted());
    let last = improvements.last().unwrap();
    let solution = objects.iter().find(|object| object["type"] == "solution");
    assert_eq!(solution.unwrap()["objective"], last["objective"]);
    let methods = ["annealing", "scheduled breaks", "repair"];
    assert!(methods.contains(&last["found_by"].as_str().unwrap()));
    // An array is written at the end only, so it has no improvements.
    let array = run(&[&args[..], &["json", FRAMED]].concat());
    assert!(!array.stdout.contains("improvement"));
}

#[test]
fn the_best_picture_is_there_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("best");
    let output = pictures.display().to_string();
    let args = ["solve", "-q", "--best", "--time-limit", "1h", "-o", &output];
    let mut child = start(&[&args[..], &[FRAMED]].concat());
    while !pictures.join("1.png").is_file() {
        assert_eq!(child.try_wait().unwrap(), None, "it goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resume = pictures.join("1.txt").display().to_string();
    let one_step = ["solve", "--best", "--node-limit", "1", "--resume", &resume];
    let checked = run(&[&one_step[..], &[FRAMED]].concat());
    assert!(seams_fit(&checked.stdout) > 90);
}

#[test]
fn a_method_that_cannot_obey_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let list = "- count: {cells: corners, tiles: [6, 9, 13], at_most: 2}\n";
    let list = write(folder.path(), "list.yaml", list).display().to_string();
    let session = run(&[
        "solve",
        "--best",
        "-v",
        "--statistics",
        "--node-limit",
        "300000",
        "--constraints",
        &list,
        FRAMED,
    ]);
    let why = "scheduled breaks left out: constraints concern several cells";
    session.says(why);
    session.prints("left_out=[\"scheduled breaks: constraints concern several cells\",");
}

/// There are too many optimal arrangements to print: the run ends after the first one.
#[cfg(unix)]
#[test]
fn all_of_the_best_are_not_claimed_where_the_run_was_stopped() {
    let tiles = (0..12).map(|t| format!("  {t}: [a, b{t}, a, c{t}]\n"));
    let yaml = format!("rows: 1\ncols: 12\ntiles:\n{}", tiles.collect::<String>());
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "many.yaml", yaml);
    let args = ["solve", "--best", "-n", "0", file.to_str().unwrap()];
    let session = signalled_at_first_line("-INT", &args).expect(130);
    assert!(!session.stdout.contains("=========="));
    for words in ["proven best", "there may be more"] {
        session.says(words);
    }
}

#[test]
fn wanted_seams_are_free_but_count_for_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let constraints = |fit: &str| {
        let list = format!("- seam: {{cells: [[1, 1], [1, 2]], fit: {fit}}}\n");
        let path = write(folder.path(), &format!("{fit}.yaml"), list);
        path.display().to_string()
    };
    let free = constraints("free");
    let wanted = constraints("wanted");
    let file = puzzle("random-half-3x3-3-s1");
    let count = |list: &str| run(&["count", &file, "--constraints", list]).stdout;
    assert!(count(&free).starts_with("solutions  1330\n"));
    assert_eq!(count(&free), count(&wanted));
    let best = |list: &str| run(&["solve", "--best", &file, "--constraints", list]).stdout;
    assert!(best(&free).contains("% 11 of 11 edges match\n"));
    assert!(best(&wanted).contains("% 12 of 12 edges match\n"));
}

#[test]
fn rules_that_nothing_obeys_leave_no_best() {
    let session =
        run(&["solve", "--best", &puzzle("scramble-1"), "--pin", "1,1=1", "--forbid", "=1"])
            .expect(1);
    assert_eq!(session.stdout, "=====UNSATISFIABLE=====\n");
}

#[test]
fn what_cannot_seek_the_best_is_refused() {
    let file = puzzle("scramble-1");
    let refused = |args: &[&str], reason: &str| {
        run(&[&["solve", &file], args].concat()).expect(2).says(reason);
    };
    refused(&["--best", "--engine", "corners"], "it does not support seams that may be broken");
    refused(&["--best", "--engine", "backtrack"], "it does not support seams that may be broken");
    refused(&["--best", "--maximize", "[{weight: 1, tile: 1}]"], "cannot be used with");
    refused(&["--maximize", "[{weight: 1, tile: 77}]"], "--maximize:1:");
    refused(&["--minimize", "no-such-file.yaml"], "there is no such file");
    refused(&["--minimize", "[]"], "no terms");
    let terms = "[{weight: 1, tile: 1}]";
    refused(&["--maximize", terms, "--seed", "1"], "cannot be used with");
    refused(
        &["--minimize", "{weight: 1, tile: 1, terms: [{weight: 2, tile: 2}]}"],
        "together with",
    );
}

#[test]
fn objectives_of_a_file_are_optimised_in_order() {
    let file = &puzzle("random-half-3x3-3-s1");
    let folder = tempfile::tempdir().unwrap();
    let solve = |objective: &str, more: &[&str]| {
        let path = write(folder.path(), "objective.yaml", objective).display().to_string();
        let args = ["solve", file, "--constraints", &path, "--format", "jsonl"];
        run(&[&args[..], more].concat())
    };
    let both = "objective: [{maximize: [{rotation: 0}]}, {minimize: cost}]\n\
                constraints: [{soft: 2, pin: {cell: [1, 1], tile: 9}}]\n";
    solve(both, &[]).prints("\"objective\":2,\"objectives\":[6,2]");
    // An option replaces the objectives, but not the soft constraints.
    solve(both, &["--minimize", "[{rotation: 1}]"]).prints("\"objectives\":[0,");
    let session = solve("objective: {maximize: [{rotation: 0}]}\n", &["--gap", "1", "-n", "0"]);
    let status: serde_json::Value =
        serde_json::from_str(session.stdout.lines().last().unwrap()).unwrap();
    assert_eq!((&status["objective"], &status["complete"]), (&6.into(), &true.into()));
    solve(both, &["--sample", "3"]).says("--sample cannot be used with an objective");
    solve("objective: {maximize: cost}", &[]).says("`cost` can only be minimised");
    solve("objective: {best: cost}", &[]).says("unknown objective `best`");
    run(&["solve", file, "--gap", "1"]).expect(2).says("--gap requires an objective");
}

/// Two touching sides of one cell are a seam like any other.
#[test]
fn seams_within_cells_count_and_may_break() {
    let best = |args: &[&str]| run(&[&["solve", "--best"], args].concat());
    let session = best(&["tests/cases/best-self-seam.yaml", "-n", "0"]);
    session.prints("% 2 of 4 edges match");
    session.says("proven best");
    let session = best(&["tests/cases/best-self-seam-1x3.yaml"]);
    session.prints("% 5 of 6 edges match");
    session.says("proven best");
    // The same with the 0-1 model alone.
    let session = best(&["tests/cases/best-self-seam.yaml", "--engine", "milp"]);
    session.prints("% 2 of 4 edges match");
}

#[test]
fn a_torus_has_two_seams_a_cell_however_narrow() {
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)] {
        let tiles: String = (0..rows * columns).map(|t| format!("  {t}: [a, b, a, b]\n")).collect();
        let board = format!("board: {{grid: [{rows}, {columns}], wrap: both}}\ntiles:\n{tiles}");
        let info = crate::session::run_with_input(&["info", "-"], board.as_str()).stdout;
        let seams = format!("{} seams", 2 * rows * columns);
        assert!(info.contains(&seams), "{info}");
        let best = crate::session::run_with_input(&["solve", "--best", "-"], board.as_str()).stdout;
        let all = 2 * rows * columns;
        assert!(best.contains(&format!("% {all} of {all} edges match")), "{best}");
    }
}

#[test]
fn a_seam_within_a_cell_can_be_freed_or_wanted() {
    let board = |fit: &str| {
        format!(
            "board: {{grid: [1, 2], wrap: vertical}}\nrotations: false\n\
             constraints: [seam: {{cell: [1, 1], fit: {fit}}}]\n\
             tiles: {{1: [c, b, q, d], 2: [c, x, c, x]}}\n"
        )
    };
    let count = |fit: &str| crate::session::run_with_input(&["count", "-"], board(fit)).stdout;
    assert!(count("free").starts_with("solutions  1\n"), "{}", count("free"));
    assert_eq!(count("free"), count("wanted"));
    let best =
        |fit: &str| crate::session::run_with_input(&["solve", "--best", "-"], board(fit)).stdout;
    assert!(best("free").contains("% 2 of 2 edges match"), "{}", best("free"));
    assert!(best("wanted").contains("% 2 of 3 edges match"), "{}", best("wanted"));
    let wrong =
        board("free").replace("wrap: vertical", "wrap: horizontal").replace("[1, 2]", "[1, 3]");
    crate::session::run_with_input(
        &["count", "-"],
        wrong.replace(", x]}", ", x], 3: [c, x, c, x]}"),
    )
    .expect(2)
    .says("cell [1,1] does not touch itself");
}

/// A tile whose own sides do not match may be placed in a cell that touches itself, as a mismatch.
#[test]
fn no_warning_denies_what_the_best_arrangement_lays() {
    let board = "board: {grid: [1, 1], wrap: both}\norder: counterclockwise-from-right\n\
                 allow: [once, few-pairs]\ntiles: {1: [a, b, a, c]}\n";
    let session = crate::session::run_with_input(&["solve", "--best", "-"], board);
    session.prints("% 1 of 2 edges match");
    assert!(!session.stderr.contains("warning"), "{}", session.stderr);
    crate::session::run_with_input(&["solve", "-"], board).says("warning: tile `1` fits no cell");
}
