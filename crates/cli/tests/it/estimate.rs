//! `estimate`: predictions of searches, and the engine that `auto` would choose.

use serde_json::Value;

use crate::common::generated::large;
use crate::session::{puzzle, run, run_with_input};

#[test]
fn an_estimate_names_each_engine_and_the_choice() {
    let session = run(&["estimate", &puzzle("scramble-1")]);
    assert_eq!((session.code, session.stderr.as_str()), (0, ""));
    for words in ["propagate", "backtrack", "a whole run", "auto chooses propagate"] {
        session.prints(words);
    }
    let json = run(&["estimate", "--format", "json", "--probes", "10", &puzzle("scramble-1")]);
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["auto"]["engine"], "propagate");
    assert_eq!(json["engines"][0]["is_known"], true);
    assert_eq!(run(&["estimate", "--probes", "0", &puzzle("scramble-1")]).code, 2);
    assert_eq!(run(&["estimate", "nothing.yaml"]).code, 2);
}

#[test]
fn the_same_seed_gives_the_same_estimate() {
    let board = large(8, 8, false, 1);
    let guess = |seed: &str| {
        let args = ["estimate", "-", "--format", "json", "--probes", "50", "--seed", seed];
        let json: Value =
            serde_json::from_str(&run_with_input(&args, board.as_str()).stdout).unwrap();
        let backtrack = engine(&json, "backtrack").clone();
        assert_eq!(backtrack["is_known"], false);
        (backtrack["nodes"].as_f64().unwrap(), backtrack["spread"].as_f64().unwrap())
    };
    assert_eq!(guess("1").1, guess("1").1);
    assert_ne!(guess("1").1, guess("2").1);
}

#[test]
fn auto_says_what_it_chose() {
    let args = ["solve", "--statistics", &puzzle("scramble-1")];
    let session = run(&args);
    session.prints("mzn-stat: engine=\"auto\"");
    session.prints("mzn-stat: chosen=\"propagate\"");
    session.says("(propagate, ");
    let session = run(&["solve", "--format", "jsonl", &puzzle("framed-4x4-tud")]);
    let statistics = session.stdout.lines().find(|l| l.contains("statistics")).unwrap();
    let statistics: Value = serde_json::from_str(statistics).unwrap();
    assert_eq!(statistics["chosen"], "backtrack");
    assert!(statistics["why"].as_str().unwrap().contains("finished within"));
}

/// A moment of `auto` is too short to compare the searches of this board.
#[test]
fn auto_is_asked_for_its_choice_on_a_large_board() {
    let args = ["estimate", "-", "--probes", "10"];
    let session = run_with_input(&args, large(16, 6, true, 1).as_str());
    let line = session.stdout.lines().find(|line| line.contains("auto chooses")).unwrap();
    assert!(line.contains("backtrack needs about"), "{line}");
}

/// The sizes of these search trees exceed any float: the searches must reach their time limit, not
/// take the trees for small ones.
#[test]
fn a_tree_without_end_is_no_proof() {
    for images in [4, 8] {
        let board = large(19, images, false, 1);
        for engine in ["backtrack", "propagate", "auto"] {
            let args = ["solve", "-", "--engine", engine, "--time-limit", "300ms"];
            run_with_input(&args, board.as_str()).expect(3);
        }
    }
}

#[test]
fn a_puzzle_without_room_is_described_and_refused() {
    let tiles = (0..400).map(|t| format!("  t{t}: [a{t}, b{t}, c{t}, d{t}]\n"));
    let board = format!("tiles:\n{}", tiles.collect::<String>());
    run_with_input(&["info", "-"], board.as_str()).expect(0);
    run_with_input(&["solve", "-", "--engine", "propagate"], board.as_str())
        .expect(2)
        .says("at most 1024 different edges");
    run_with_input(&["solve", "-"], board.as_str()).expect(1);
}

/// The estimate of an engine.
fn engine<'a>(json: &'a Value, name: &str) -> &'a Value {
    let mut engines = json["engines"].as_array().unwrap().iter();
    engines.find(|engine| engine["engine"] == name).unwrap()
}

/// `backtrack` cannot be probed on this board, and its tree has more than 4 · 10⁷ nodes.
#[test]
fn what_was_seen_is_no_estimate_of_the_rest() {
    let args = ["estimate", "--probes", "200", "tests/cases/estimate-hexagon.yaml"];
    let session = run(&args);
    let line = session.stdout.lines().find(|line| line.contains("backtrack"));
    let line = line.unwrap();
    assert!(line.contains("≥") && line.contains("unknown"), "{line}");
    assert!(line.contains("not probed"), "{line}");
    let json = run(&[&args[..], &["--format", "json"]].concat()).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let backtrack = engine(&json, "backtrack");
    assert_eq!(backtrack["is_at_least"], true);
    assert_eq!(backtrack["spread"], 0.0);
    // A single probe has no standard error, so the size is unknown.
    let one = run_with_input(&["estimate", "-", "--probes", "1"], large(8, 8, false, 1).as_str());
    assert!(!one.stdout.contains('±'), "{}", one.stdout);
}
