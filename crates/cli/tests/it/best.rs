//! The arrangements that break the fewest seams: every way finds what brute force finds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};
use std::time::Duration;

use edgematch::engine::{Auto, Engine, Milp, Propagate};
use edgematch::enumerate::{self, Found, Limits, Listener, StopReason};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::optimise::{self, Aim, Fit, Linear, Optimum};
use edgematch::problem::Problem;
use edgematch::solution::broken_seams;
use proptest::prelude::*;

use crate::common::generated::{planted, random};
use crate::common::{brute_force, brute_force_best, smallest_picture};
use crate::session::{puzzle, run, write};

/// Limits of time, one after another until one is enough for the machine.
const LIMITS: [&str; 3] = ["300ms", "3s", "30s"];

const SMALL: &[(usize, usize)] = &[(2, 2), (1, 3), (2, 3), (3, 2)];

fn enumerates_the_best(yaml: &str, engines: &[&dyn Engine]) -> Result<(), TestCaseError> {
    let problem = load::from_str(yaml).unwrap();
    let Some((broken, best)) = brute_force_best(&problem) else {
        return Ok(());
    };
    let expected: BTreeSet<_> = best.iter().map(|a| smallest_picture(&problem, a)).collect();
    let loose = problem.breaking(broken);
    for engine in engines {
        let mut found = BTreeSet::new();
        let mut take = |f: &Found<'_>| {
            found.insert(smallest_picture(&problem, &f.distinct.arrangement));
            ControlFlow::Continue(())
        };
        let outcome = enumerate::run(&loose, *engine, &Limits::default(), &mut take);
        prop_assert!(outcome.status.is_complete(), "{:?}", outcome.status);
        prop_assert_eq!(&found, &expected, "{} {}", engine.name(), engine.variant());
        prop_assert_eq!(outcome.tally.solutions, best.len().into());
    }
    Ok(())
}

/// Keeps what is handed over.
#[derive(Default)]
struct Kept(Vec<edgematch::problem::Arrangement>);

impl Listener for Kept {
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<StopReason> {
        self.0.push(found.distinct.arrangement.clone());
        ControlFlow::Continue(())
    }
}

/// The optimum by a search that guesses first, and by the model alone.
fn both_ways(aim: &dyn Aim, limits: &Limits<'_>) -> [(Optimum, Kept); 2] {
    let milp = Milp::default();
    [&Auto as &dyn Engine, &milp].map(|engine| {
        let mut kept = Kept::default();
        let optimum = optimise::run(aim, engine, limits, &mut kept);
        (optimum, kept)
    })
}

fn seeks_the_best(problem: &Problem) -> Result<(), TestCaseError> {
    let seams = problem.board.seams().len();
    let expected = brute_force_best(problem).map(|(broken, _)| (seams - broken) as i64);
    let one = Limits {
        distinct: 1,
        ..Limits::default()
    };
    for (optimum, kept) in both_ways(&Fit::new(problem), &one) {
        prop_assert!(optimum.is_proven);
        prop_assert_eq!(optimum.value, expected);
        prop_assert_eq!(kept.0.len(), usize::from(expected.is_some()));
        for arrangement in &kept.0 {
            let broken = broken_seams(problem, arrangement).len();
            prop_assert_eq!(Some((seams - broken) as i64), expected);
        }
    }
    Ok(())
}

fn milps() -> Vec<Milp> {
    let usual = FORMULATIONS.map(Milp::new);
    let whole = Milp {
        leaf: Milp::WHOLE,
        ..Milp::default()
    };
    usual.into_iter().chain([whole]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn propagate_finds_all_arrangements_that_break_the_fewest(puzzle in random(SMALL)) {
        enumerates_the_best(&puzzle.yaml(), &[&Propagate])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn the_model_finds_them_in_every_formulation(puzzle in random(&[(2, 2), (1, 3)])) {
        let milps = milps();
        let engines: Vec<&dyn Engine> = milps.iter().map(|milp| milp as &dyn Engine).collect();
        enumerates_the_best(&puzzle.yaml(), &engines)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn both_ways_seek_what_brute_force_says_is_best(puzzle in random(&[(2, 2), (2, 3)])) {
        seeks_the_best(&load::from_str(&puzzle.yaml()).unwrap())?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn both_ways_find_the_extremes_of_an_expression(
        puzzle in planted(&[(2, 2), (1, 3)], 4..7),
        weights in proptest::collection::vec(-3i64..1_000, 4),
    ) {
        let problem = load::from_str(&puzzle.yaml()).unwrap();
        let [a, b, c, d] = weights[..] else { unreachable!("four were drawn") };
        let terms = format!(
            "[{{weight: {a}, cell: [1, 1], rotation: 0}}, {{weight: {b}, tile: t0}}, \
              {{weight: {c}, cells: row 1, tile: t1}}, {{weight: -{d}, tile: t2, cell: [1, 2]}}]",
        ).replace("--", "");
        let expression = load::expression(&problem, &terms, "terms").unwrap();
        let solutions = brute_force(&problem).solutions;
        let values: BTreeSet<i64> = solutions.iter().map(|s| expression.value(&problem.puzzle, s)).collect();
        let largest = Linear::maximize(&problem, expression.clone());
        let smallest = Linear::minimize(&problem, expression.clone());
        for (aim, expected) in [(largest, values.last()), (smallest, values.first())] {
            for (optimum, kept) in both_ways(&aim, &Limits::default()) {
                prop_assert!(optimum.is_proven);
                let own = optimum.value.map(|value| aim.goal().own(value));
                prop_assert_eq!(own.as_ref(), expected);
                let all = kept.0.iter().map(|k| expression.value(&problem.puzzle, k));
                prop_assert!(all.clone().all(|value| Some(&value) == expected));
                let as_good = solutions.iter().filter(|s| Some(&expression.value(&problem.puzzle, s)) == expected);
                prop_assert_eq!(&optimum.outcome.tally.solutions, &as_good.count().into());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn both_ways_agree_on_boards_of_3x3(puzzle in random(&[(3, 3)])) {
        let problem = load::from_str(&puzzle.yaml()).unwrap();
        let limits = Limits { distinct: 1, ..Limits::default() };
        let [(search, _), (model, _)] = both_ways(&Fit::new(&problem), &limits);
        prop_assert!(search.is_proven && model.is_proven);
        prop_assert_eq!(search.value, model.value);
    }
}

#[test]
fn the_puzzles_without_a_solution_break_one_seam() {
    for name in ["sharks-misread", "random-broken-3x3-4-s1"] {
        for engine in ["auto", "propagate", "milp"] {
            let session = run(&["solve", "--best", "--engine", engine, &puzzle(name)]);
            assert_eq!(session.code, 0, "{}", session.stderr);
            assert!(
                session
                    .stdout
                    .contains("% 11 of 12 seams fit\n----------\n==========")
            );
            assert!(
                session
                    .stderr
                    .starts_with("11 of 12 seams fit, proven best (")
            );
        }
    }
    let all = |engine: &str| {
        let file = puzzle("sharks-misread");
        run(&[
            "solve", "--best", "-n", "0", "--sorted", "--engine", engine, &file,
        ])
        .stdout
    };
    assert_eq!(all("auto").matches("----------").count(), 83);
    assert_eq!(all("auto"), all("milp"));
}

#[test]
fn a_solvable_puzzle_is_its_own_best() {
    let session = run(&[
        "solve",
        "--best",
        "--format",
        "jsonl",
        &puzzle("scramble-1"),
    ]);
    assert!(session.stdout.contains(r#""objective":12}"#));
    assert!(session.stdout.contains(
        r#""status":"OPTIMAL_SOLUTION","complete":false,"distinct":1,"classes":1,"solutions":4,"objective":12,"bound":12}"#
    ));
}

#[test]
fn a_run_that_is_stopped_says_what_it_reached_and_the_bound() {
    let file = "benches/boards/f16-b5k17-0.yaml";
    // A loaded machine needs longer to be better than chance.
    let is_better = LIMITS.into_iter().any(|limit| {
        let session = run(&["solve", "--best", "--time-limit", limit, file]);
        assert_eq!(session.code, 3, "{}", session.stderr);
        assert!(session.stdout.contains("----------") && !session.stdout.contains("=========="));
        assert!(
            session
                .stderr
                .contains(" of 480 seams fit (upper bound 480); stopped after")
        );
        let mut lines = session.stdout.lines();
        let score =
            lines.find_map(|line| line.strip_prefix("% ")?.strip_suffix(" of 480 seams fit"));
        score.unwrap().parse::<usize>().unwrap() > 200
    });
    assert!(is_better);
}

const FRAMED: &str = "benches/boards/f10-b5k12-0.yaml";

/// The value in the comment of an arrangement.
fn seams_fit(text: &str) -> usize {
    let mut lines = text.lines();
    let value = lines.find_map(|line| line.strip_prefix("% ")?.strip_suffix(" of 180 seams fit"));
    value.unwrap().parse().unwrap()
}

#[test]
fn a_run_in_steps_on_one_thread_repeats_itself() {
    let args = |seed| {
        [
            "solve",
            "--best",
            "-j",
            "1",
            "--guess-steps",
            "300000",
            "--seed",
            seed,
            FRAMED,
        ]
    };
    let once = run(&args("7"));
    assert_eq!(once.code, 3, "{}", once.stderr);
    assert!(
        once.stderr
            .contains("; stopped by the limit of 300000 steps (")
    );
    assert_eq!(once.stdout, run(&args("7")).stdout);
    assert_ne!(once.stdout, run(&args("8")).stdout);
    // What methods leave over on several threads counts, too: the run ends.
    let session = run(&[
        "solve",
        "--best",
        "-j",
        "2",
        "--guess-steps",
        "300000",
        FRAMED,
    ]);
    assert!(
        session
            .stderr
            .contains("; stopped by the limit of 300000 steps (")
    );
}

#[test]
fn a_run_goes_on_from_an_arrangement() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(&[
        "solve",
        "--best",
        "-j",
        "1",
        "--guess-steps",
        "300000",
        FRAMED,
    ]);
    let kept = write(folder.path(), "night.txt", &first.stdout);
    let resume = kept.display().to_string();
    let next = |file: &str| {
        run(&[
            "solve",
            "--best",
            "--guess-steps",
            "1",
            "--statistics",
            "--resume",
            &resume,
            file,
        ])
    };
    let second = next(FRAMED);
    assert_eq!(second.code, 3, "{}", second.stderr);
    assert_eq!(seams_fit(&second.stdout), seams_fit(&first.stdout));
    assert!(second.stdout.contains("found_by=\"start\""));
    let other = next("benches/boards/owen-1-10.yaml");
    assert_eq!(other.code, 2);
    assert!(
        other.stderr.contains("breaks more than seams"),
        "{}",
        other.stderr
    );
}

#[test]
fn each_improvement_is_told_with_its_time() {
    let args = ["solve", "--best", "--guess-steps", "300000", "--format"];
    let session = run(&[&args[..], &["jsonl", FRAMED]].concat());
    let objects: Vec<serde_json::Value> = session
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let improvements: Vec<_> = objects
        .iter()
        .filter(|object| object["type"] == "improvement")
        .collect();
    let values = improvements
        .iter()
        .map(|object| object["objective"].as_i64());
    assert!(values.is_sorted_by(|a, b| a < b));
    let times = improvements.iter().map(|object| object["seconds"].as_f64());
    assert!(times.is_sorted());
    let last = improvements.last().unwrap();
    let solution = objects.iter().find(|object| object["type"] == "solution");
    assert_eq!(solution.unwrap()["objective"], last["objective"]);
    let methods = ["annealing", "scheduled breaks", "repair"];
    assert!(methods.contains(&last["found_by"].as_str().unwrap()));
    // An array is written when all is known.
    let array = run(&[&args[..], &["json", FRAMED]].concat());
    assert!(!array.stdout.contains("improvement"));
}

#[test]
fn the_best_picture_is_there_while_the_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let pictures = folder.path().join("best");
    let output = pictures.display().to_string();
    let args = ["solve", "--best", "--time-limit", "60", "-o", &output];
    let mut child = Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .current_dir(crate::ROOT)
        .args(args)
        .arg(FRAMED)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let text = pictures.join("1.txt");
    let is_there = (0..300).any(|_| {
        std::thread::sleep(Duration::from_millis(100));
        pictures.join("1.png").is_file()
    });
    let was_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_there && was_running);
    let checked = run(&[
        "solve",
        "--best",
        "--guess-steps",
        "1",
        "--resume",
        &text.display().to_string(),
        FRAMED,
    ]);
    assert!(seams_fit(&checked.stdout) > 90);
}

#[test]
fn a_method_that_cannot_obey_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let list = "- count: {cells: corners, tiles: [6, 9, 13], at_most: 2}\n";
    let list = write(folder.path(), "list.yaml", list)
        .display()
        .to_string();
    let session = run(&[
        "solve",
        "--best",
        "-v",
        "--statistics",
        "--guess-steps",
        "300000",
        "--constraints",
        &list,
        FRAMED,
    ]);
    let why = "scheduled breaks left out: constraints concern several cells";
    assert!(session.stderr.contains(why), "{}", session.stderr);
    assert!(
        session
            .stdout
            .contains("left_out=\"scheduled breaks: constraints concern several cells\"")
    );
}

#[test]
fn all_of_the_best_are_not_claimed_where_the_time_was_up() {
    let tiles = (0..9).map(|t| format!("  {t}: [a, b{t}, a, c{t}]\n"));
    let yaml = format!("rows: 1\ncols: 9\ntiles:\n{}", tiles.collect::<String>());
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "many.yaml", yaml)
        .display()
        .to_string();
    let is_proven = LIMITS.into_iter().any(|limit| {
        let session = run(&["solve", "--best", "-n", "0", "--time-limit", limit, &file]);
        assert_eq!(session.code, 3, "{}", session.stderr);
        assert!(!session.stdout.contains("=========="));
        assert!(
            session.stderr.contains("there may be more"),
            "{}",
            session.stderr
        );
        session.stderr.contains("proven best")
    });
    assert!(is_proven);
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
    assert!(best(&free).contains("% 11 of 11 seams fit\n"));
    assert!(best(&wanted).contains("% 12 of 12 seams fit\n"));
}

#[test]
fn rules_that_nothing_obeys_leave_no_best() {
    let session = run(&[
        "solve",
        "--best",
        &puzzle("scramble-1"),
        "--pin",
        "1,1=1",
        "--forbid",
        "=1",
    ]);
    assert_eq!(session.code, 1, "{}", session.stderr);
    assert_eq!(session.stdout, "=====UNSATISFIABLE=====\n");
}

#[test]
fn what_cannot_seek_the_best_is_refused() {
    let file = puzzle("scramble-1");
    let refused = |args: &[&str], reason: &str| {
        let session = run(&[&["solve", &file], args].concat());
        assert_eq!(session.code, 2, "{}", session.stderr);
        assert!(session.stderr.contains(reason), "{}", session.stderr);
    };
    refused(
        &["--best", "--engine", "corners"],
        "it does not count seams that break",
    );
    refused(
        &["--best", "--engine", "backtrack"],
        "it does not count seams that break",
    );
    refused(
        &["--best", "--maximize", "[{weight: 1, tile: 1}]"],
        "cannot be used with",
    );
    refused(
        &["--maximize", "[{tile: 1}]"],
        "a term without its `weight`",
    );
    refused(&["--maximize", "[{weight: 1, tile: 77}]"], "--maximize:1:");
    refused(
        &["--minimize", "no-such-file.yaml"],
        "there is no such file",
    );
    refused(&["--minimize", "[]"], "no terms");
    let terms = "[{weight: 1, tile: 1}]";
    refused(
        &["--minimize", terms, "--guess-steps", "1"],
        "cannot be used with",
    );
    refused(&["--maximize", terms, "--seed", "1"], "cannot be used with");
    refused(&["--guess-steps", "1"], "--best");
    refused(
        &["--best", "--engine", "milp", "--guess-steps", "1"],
        "--guess-steps and --seed cannot be used with engine milp",
    );
    refused(
        &[
            "--minimize",
            "{weight: 1, tile: 1, terms: [{weight: 2, tile: 2}]}",
        ],
        "together with",
    );
}

/// Two sides of one cell that touch make a seam like any other.
#[test]
fn seams_within_cells_count_and_may_break() {
    let best = |args: &[&str]| run(&[&["solve", "--best"], args].concat());
    let session = best(&["tests/cases/best-self-seam.yaml", "-n", "0"]);
    assert!(
        session.stdout.contains("% 2 of 4 seams fit"),
        "{}",
        session.stdout
    );
    assert!(session.stderr.contains("proven best"), "{}", session.stderr);
    let session = best(&["tests/cases/best-self-seam-1x3.yaml"]);
    assert!(
        session.stdout.contains("% 5 of 6 seams fit"),
        "{}",
        session.stdout
    );
    assert!(session.stderr.contains("proven best"), "{}", session.stderr);
    // By the model alone, too.
    let session = best(&[
        "tests/cases/best-self-seam.yaml",
        "--engine",
        "milp",
        "--whole",
    ]);
    assert!(
        session.stdout.contains("% 2 of 4 seams fit"),
        "{}",
        session.stdout
    );
}

#[test]
fn a_torus_has_two_seams_a_cell_however_narrow() {
    for (rows, columns) in [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (2, 3), (3, 1)] {
        let tiles: String = (0..rows * columns)
            .map(|t| format!("  {t}: [a, b, a, b]\n"))
            .collect();
        let board = format!("board: {{grid: [{rows}, {columns}], wrap: both}}\ntiles:\n{tiles}");
        let info = crate::session::run_with_input(&["info", "-"], board.as_str()).stdout;
        let seams = format!("{} seams", 2 * rows * columns);
        assert!(info.contains(&seams), "{info}");
        let best = crate::session::run_with_input(&["solve", "--best", "-"], board.as_str()).stdout;
        let all = 2 * rows * columns;
        assert!(
            best.contains(&format!("% {all} of {all} seams fit")),
            "{best}"
        );
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
    assert!(
        count("free").starts_with("solutions  1\n"),
        "{}",
        count("free")
    );
    assert_eq!(count("free"), count("wanted"));
    let best =
        |fit: &str| crate::session::run_with_input(&["solve", "--best", "-"], board(fit)).stdout;
    assert!(
        best("free").contains("% 2 of 2 seams fit"),
        "{}",
        best("free")
    );
    assert!(
        best("wanted").contains("% 2 of 3 seams fit"),
        "{}",
        best("wanted")
    );
    let wrong = board("free")
        .replace("wrap: vertical", "wrap: horizontal")
        .replace("[1, 2]", "[1, 3]");
    let session = crate::session::run_with_input(
        &["count", "-"],
        wrong.replace(", x]}", ", x], 3: [c, x, c, x]}"),
    );
    assert_eq!(session.code, 2);
    assert!(
        session.stderr.contains("cell [1,1] does not touch itself"),
        "{}",
        session.stderr
    );
}

/// A tile whose sides do not fit one another lies where that seam may break.
#[test]
fn no_warning_denies_what_the_best_arrangement_lays() {
    let board = "board: {grid: [1, 1], wrap: both}\norder: counterclockwise-from-right\n\
                 allow: [once, few-pairs]\ntiles: {1: [a, b, a, c]}\n";
    let session = crate::session::run_with_input(&["solve", "--best", "-"], board);
    assert!(
        session.stdout.contains("% 1 of 2 seams fit"),
        "{}",
        session.stdout
    );
    assert!(!session.stderr.contains("warning"), "{}", session.stderr);
    let session = crate::session::run_with_input(&["solve", "-"], board);
    assert!(
        session.stderr.contains("warning: tile `1` fits no cell"),
        "{}",
        session.stderr
    );
}
