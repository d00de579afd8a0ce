//! Models solved by HiGHS give the same solutions and proofs. Without the feature `highs`, the
//! option is rejected.

use crate::session::{puzzle, run};

#[cfg(not(feature = "highs"))]
#[test]
fn without_the_feature_there_is_no_choice() {
    run(&["solve", "--engine", "milp", "--solver", "highs", &puzzle("scramble-1")])
        .expect(2)
        .says("unexpected argument '--solver'");
}

#[cfg(feature = "highs")]
mod with_highs {
    use super::*;

    fn solve(name: &str, flags: &[&str]) -> crate::session::Session {
        let path = puzzle(name);
        let milp = ["solve", "--engine", "milp", "--sorted", "--solver", "highs"];
        run(&[&milp, flags, &[&path]].concat())
    }

    /// The closing sentence without the work in parentheses, which differs.
    fn sentence(stderr: &str) -> &str {
        stderr.split(" (").next().unwrap()
    }

    #[test]
    fn it_finds_what_propagate_finds_with_proof() {
        for name in [
            "scramble-1",
            "python-backtracker-mockup",
            "sharks-misread",
            "knifflidiffels-version5",
            "random-vex-4x4-10-s1",
            "random-frame-4x4-4-s1",
            "random-half-4x4-6-s1",
        ] {
            let path = puzzle(name);
            let expected = run(&["solve", "--engine", "propagate", "--sorted", &path]);
            let found = solve(name, &[]);
            assert_eq!(found.stdout, expected.stdout, "{name}");
            assert_eq!(found.code, expected.code);
            assert_eq!(sentence(&found.stderr), sentence(&expected.stderr));
        }
    }

    #[test]
    fn every_formulation_does() {
        let usual = solve("python-backtracker-mockup", &["--formulation", "balance"]);
        for formulation in ["support", "tuple"] {
            let flags = ["--formulation", formulation];
            let found = solve("python-backtracker-mockup", &flags);
            assert_eq!(found.stdout, usual.stdout, "{flags:?}");
            found.says("2 solutions (8 with rotations of the board), proven complete");
        }
    }

    #[test]
    fn a_limit_stops_it_in_the_middle_of_a_solve() {
        let board = "benches/boards/s8-k16-0.yaml";
        let flags = ["--time-limit", "500ms", "--engine", "milp", "--solver", "highs"];
        let session = run(&[&["solve"], &flags[..], &[board]].concat()).expect(3);
    }

    #[test]
    fn other_engines_and_other_names_are_refused() {
        let path = puzzle("scramble-1");
        let session = run(&["solve", "--solver", "highs", &path]);
        assert!(session.code == 2 && session.stderr.contains("--solver goes with --engine milp"));
        let session = run(&["solve", "--engine", "milp", "--solver", "x", &path]);
        assert!(session.code == 2 && session.stderr.contains("[possible values: microlp, highs]"));
    }

    #[test]
    fn it_is_compared_under_its_own_name() {
        let engines = "milp-highs,milp-balance,propagate";
        run(&["compare", "--engine", engines, "--runs", "1", &puzzle("scramble-1")])
            .expect(0)
            .prints(" milp-highs ");
    }
}
