//! Extra constraints on the command line.

use edgematch::engine::contenders;

use crate::session::{puzzle, run};

#[test]
fn a_constraint_that_cannot_be_met_is_a_proof() {
    let puzzle = puzzle("scramble-1");
    for pins in [&["--pin", "1,1=1@0"][..], &["--forbid", "all"]] {
        let session = run(&[&["solve", &puzzle], pins].concat()).expect(1);
        assert_eq!(session.stdout, "=====UNSATISFIABLE=====\n");
    }
}

#[test]
fn count_and_hint_go_on_from_pins() {
    let puzzle = puzzle("scramble-1");
    let count = |pins: &[&str]| run(&[&["count", "-q", &puzzle], pins].concat());
    assert_eq!(count(&[]).stdout, "solutions  4\nclasses    1\ndistinct   1\n");
    assert_eq!(
        count(&["--pin", "2,2=5@3", "--format", "json"]).stdout,
        "{\"classes\":1,\"complete\":true,\"distinct\":1,\"solutions\":1}\n"
    );
    assert_eq!(count(&["--pin", "1,1=2@2"]).code, 1);

    let mut pins: Vec<String> = Vec::new();
    let hint = |pins: &[String]| {
        let flags = pins.iter().flat_map(|pin| ["--pin", pin.as_str()]);
        let args: Vec<&str> = ["hint", puzzle.as_str()].into_iter().chain(flags).collect();
        run(&args)
    };
    loop {
        let session = hint(&pins);
        assert_eq!(session.code, 0, "{}", session.stderr);
        match session.stdout.strip_prefix("place ") {
            Some(text) => pins.push(text.split(" (").next().unwrap().to_owned()),
            None => break assert_eq!(session.stdout, "done: this is a solution\n"),
        }
    }
    assert_eq!(pins.len(), 9);
    pins.truncate(2);
    pins.push("3,3=4".into());
    let session = hint(&pins);
    assert_eq!(session.code, 1);
    assert!(session.stdout.starts_with("take back 3,3=4: "), "{}", session.stdout);
}

#[test]
fn compare_and_info_know_the_constraints() {
    let puzzle = puzzle("random-half-3x3-3-s1");
    let session = run(&["compare", &puzzle, "--runs", "1", "--pin", "2,2=5"]).expect(0);
    let lines = session.stdout.lines();
    let counts = lines.filter(|line| line.split_whitespace().skip(1).take(3).eq(["2", "4", "16"]));
    assert_eq!(counts.count(), contenders().len());
    let info = run(&["info", &puzzle, "--pin", "2,2=5"]).stdout;
    assert!(
        info.contains(
            "constraints  1: pin; backtrack, corners, xcc, regions check it on each arrangement"
        ),
        "{info}"
    );
}
