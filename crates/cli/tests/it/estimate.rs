//! `estimate` and `auto`: what is said of a search before it is run, and which one is taken.

use std::ops::ControlFlow;

use edgematch::engine::{Auto, Backtrack, Engine, Milp, Propagate, Work};
use edgematch::enumerate::{self, Found, Limits};
use edgematch::load;
use edgematch::model::FORMULATIONS;
use edgematch::problem::Problem;
use itertools::iproduct;
use serde_json::Value;

use crate::common::generated::Plan;
use crate::session::{puzzle, run, run_with_input};

/// A board cut from drawn seams; `images` with halves, or whole ones inside a frame.
fn planted(size: usize, images: usize, is_framed: bool, seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let sides = 2 * size * (size + 1);
    let plan = Plan {
        rows: size,
        columns: size,
        is_signed: !is_framed,
        has_border: is_framed,
        has_frame_images: is_framed,
        draws: (0..sides)
            .map(|_| (random.usize(..images), random.bool()))
            .collect(),
    };
    let turns = (0..size * size).map(|_| random.usize(..4)).collect();
    let mut order: Vec<usize> = (0..size * size).collect();
    random.shuffle(&mut order);
    plan.cut(Some(&turns), &order).yaml()
}

fn nodes(problem: &Problem, engine: &dyn Engine) -> f64 {
    let ignore = &mut |_: &Found<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(problem, engine, &Limits::default(), ignore);
    assert!(outcome.status.is_complete());
    outcome.work.nodes as f64
}

#[test]
#[ignore = "takes a minute in release; .ci/run runs it"]
fn probes_are_within_a_factor_of_three() {
    for (size, images, is_framed) in [(6, 8, false), (7, 8, true)] {
        for engine in [&Propagate as &dyn Engine, &Backtrack::Fast] {
            // Signed boards are not for rows.
            if !is_framed && engine.name() != "propagate" {
                continue;
            }
            let mut close = 0;
            for seed in 0..10 {
                let problem = load::from_str(&planted(size, images, is_framed, seed)).unwrap();
                let probes = engine.probe(&problem, 1000, 1);
                let mean = probes.iter().sum::<f64>() / probes.len() as f64;
                let nodes = nodes(&problem, engine);
                println!("{} {size}×{size}: {mean:.0} for {nodes:.0}", engine.name());
                close += usize::from((1.0 / 3.0..=3.0).contains(&(mean / nodes)));
            }
            assert!(close >= 8, "{}: {close} of 10", engine.name());
        }
    }
}

#[test]
fn an_estimate_names_each_engine_and_the_choice() {
    let session = run(&["estimate", &puzzle("scramble-1")]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    for words in [
        "propagate",
        "backtrack",
        "milp",
        "a whole run",
        "auto chooses propagate",
    ] {
        assert!(session.stdout.contains(words), "{words}");
    }
    let json = run(&[
        "estimate",
        "--format",
        "json",
        "--probes",
        "10",
        &puzzle("scramble-1"),
    ]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["auto"]["engine"], "propagate");
    assert_eq!(json["engines"][0]["is_known"], true);
    assert_eq!(
        run(&["estimate", "--probes", "0", &puzzle("scramble-1")]).code,
        2
    );
    assert_eq!(run(&["estimate", "nothing.yaml"]).code, 2);
}

#[test]
fn the_same_seed_gives_the_same_estimate() {
    let board = planted(8, 8, false, 1);
    let guess = |seed: &str| {
        let args = [
            "estimate", "-", "--format", "json", "--probes", "50", "--seed", seed,
        ];
        let json: Value =
            serde_json::from_str(&run_with_input(&args, board.as_str()).stdout).unwrap();
        let backtrack = engine(&json, "backtrack").clone();
        assert_eq!(backtrack["is_known"], false);
        (
            backtrack["nodes"].as_f64().unwrap(),
            backtrack["spread"].as_f64().unwrap(),
        )
    };
    assert_eq!(guess("1").1, guess("1").1);
    assert_ne!(guess("1").1, guess("2").1);
}

#[test]
fn auto_says_what_it_chose() {
    let args = ["solve", "--statistics", &puzzle("scramble-1")];
    let session = run(&args);
    assert!(session.stdout.contains("mzn-stat: engine=\"auto\""));
    assert!(session.stdout.contains("mzn-stat: chosen=\"propagate\""));
    assert!(session.stderr.contains("(propagate, "));
    let session = run(&["solve", "--format", "jsonl", &puzzle("framed-4x4-tud")]);
    let statistics = session
        .stdout
        .lines()
        .find(|l| l.contains("statistics"))
        .unwrap();
    let statistics: Value = serde_json::from_str(statistics).unwrap();
    assert_eq!(statistics["chosen"], "backtrack");
    assert!(statistics["why"].as_str().unwrap().contains("ends within"));
}

/// Trees of such boards are larger than any number; none of them is small.
#[test]
fn a_tree_without_end_is_no_proof() {
    for images in [4, 8] {
        let board = planted(19, images, false, 1);
        for engine in ["backtrack", "propagate", "auto"] {
            let args = ["solve", "-", "--engine", engine, "--time-limit", "300ms"];
            let session = run_with_input(&args, board.as_str());
            assert_eq!(session.code, 3, "{engine}: {}", session.stderr);
        }
    }
}

#[test]
fn a_puzzle_without_room_is_described_and_refused() {
    let tiles = (0..400).map(|t| format!("  t{t}: [a{t}, b{t}, c{t}, d{t}]\n"));
    let board = format!("tiles:\n{}", tiles.collect::<String>());
    let session = run_with_input(&["info", "-"], board.as_str());
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run_with_input(&["solve", "-", "--engine", "propagate"], board.as_str());
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("at most 1024 labels"));
    let session = run_with_input(&["solve", "-"], board.as_str());
    assert_eq!(session.code, 1, "rows alone tell that nothing fits");
}

/// Every share that an engine tells is as large as the one before, and below 1 until the end.
#[test]
fn the_share_explored_never_falls() {
    struct Shares(Vec<f64>);
    impl enumerate::Listener for Shares {
        fn found(&mut self, _: &Found<'_>) -> ControlFlow<enumerate::StopReason> {
            ControlFlow::Continue(())
        }

        fn progress(&mut self, _: &enumerate::Tally, work: &Work) {
            self.0.extend(work.explored);
        }
    }
    let signed = load::from_str(&planted(6, 7, false, 1)).unwrap();
    let framed = load::from_str(&planted(8, 9, true, 2)).unwrap();
    let cases: [(&Problem, &dyn Engine); 4] = [
        (&signed, &Propagate),
        (&framed, &Backtrack::Fast),
        (&framed, &Auto),
        (&signed, &Milp::new(FORMULATIONS[0])),
    ];
    for ((problem, engine), threads) in iproduct!(cases, [1, 3]) {
        // A loaded machine needs longer until something is told.
        let attempts = [1, 10, 100].map(|seconds| {
            let limits = Limits {
                time: Some(std::time::Duration::from_secs(seconds)),
                threads,
                ..Limits::default()
            };
            move || {
                let mut shares = Shares(Vec::new());
                let outcome = enumerate::run(problem, engine, &limits, &mut shares);
                (outcome, shares.0)
            }
        });
        let told = attempts.into_iter().map(|attempt| attempt());
        let (outcome, shares) = told
            .into_iter()
            .find(|(_, shares)| shares.len() > 1)
            .unwrap_or_else(|| panic!("{} tells no share", engine.name()));
        assert!(shares.is_sorted(), "{}", engine.name());
        assert!(
            shares.iter().all(|share| (0.0..1.0).contains(share)),
            "{}",
            engine.name()
        );
        if outcome.status.is_complete() {
            assert_eq!(outcome.work.explored, Some(1.0));
        }
    }
}

/// What is said of an engine.
fn engine<'a>(json: &'a Value, name: &str) -> &'a Value {
    let mut engines = json["engines"].as_array().unwrap().iter();
    engines.find(|engine| engine["engine"] == name).unwrap()
}

/// `backtrack` cannot be probed on this board, and its tree has more than 4 · 10⁷ nodes.
#[test]
fn what_was_seen_is_no_estimate_of_the_rest() {
    let args = [
        "estimate",
        "--probes",
        "200",
        "tests/cases/estimate-hexagon.yaml",
    ];
    let session = run(&args);
    let line = session
        .stdout
        .lines()
        .find(|line| line.contains("backtrack"));
    let line = line.unwrap();
    assert!(line.contains("≥") && line.contains("unknown"), "{line}");
    assert!(line.contains("it can't be probed here"), "{line}");
    let json = run(&[&args[..], &["--format", "json"]].concat()).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let backtrack = engine(&json, "backtrack");
    assert_eq!(backtrack["is_at_least"], true);
    assert_eq!(backtrack["spread"], 0.0);
    // One probe has no spread, which says nothing either.
    let one = run_with_input(
        &["estimate", "-", "--probes", "1"],
        planted(8, 8, false, 1).as_str(),
    );
    assert!(!one.stdout.contains('±'), "{}", one.stdout);
}
