//! Files that leave facts open: the last line of every command says how they were read, and which
//! flags override that.

use serde_json::{Value, json};

use crate::session::{Session, run};

const DIGITS: &str = "tests/cases/vex3.txt";
const JUMPING: &str = "tests/cases/vex3-tlrb.txt";
const TURNED: &str = "tests/cases/vex3-nozero.txt";

fn last_line(session: &Session) -> &str {
    session.stderr.lines().last().unwrap_or_default()
}

#[test]
fn the_last_line_says_what_was_assumed_and_which_flags_decide() {
    let session = run(&["count", JUMPING, "--border", "0"]);
    assert_eq!(session.code, 1);
    assert!(session.stderr.contains("\nno solution as read, proven"), "{}", session.stderr);
    assert_eq!(
        last_line(&session),
        "read as: 9 tiles, 8 images, edges clockwise from the top (assumed; --edge-order), tiles may be \
         turned (assumed; --no-rotation), frame `0`"
    );
    let session = run(&["count", JUMPING]);
    assert_eq!((session.code, &session.stdout[..15]), (0, "solutions  1\ncl"));
    assert_eq!(
        last_line(&session),
        "read as: 9 tiles, 9 images, edges top, left, right, bottom (assumed; --edge-order), tiles may \
         not be turned (assumed; --border none), no frame (assumed; --border 0)"
    );
    let rules = ["--border", "none", "--no-rotation", "--edge-order"];
    let session = run(&[&["count", JUMPING][..], &rules, &["top,left,right,bottom"]].concat());
    assert_eq!((session.code, &session.stdout[..15]), (0, "solutions  1\ncl"));
    assert!(!session.stderr.contains("read as"), "{}", session.stderr);
    let session = run(&["count", DIGITS]);
    assert_eq!(&session.stdout[..15], "solutions  1\ncl");
    assert!(last_line(&session).contains("tiles may not be turned (assumed"));
    // A file that states everything.
    let session = run(&["solve", "tests/cases/vex3-right.yaml"]);
    assert!(!session.stderr.contains("read as"), "{}", session.stderr);
    let session = run(&["solve", "-q", JUMPING]);
    assert_eq!(session.stderr, "");
}

#[test]
fn every_command_says_it_and_takes_the_flags() {
    for args in [
        &["solve"][..],
        &["count"],
        &["why"],
        &["hint"],
        &["doctor"],
        &["estimate"],
        &["info"],
        &["compare", "--engine", "propagate", "--runs", "1"],
        &["show"],
        &["convert"],
        &["export", "--to", "lp"],
    ] {
        let session = run(&[args, &[TURNED]].concat());
        let last = last_line(&session);
        let last = if args[0] == "info" { &session.stdout } else { last };
        let read = "9 tiles, 9 images, edges clockwise from the top (assumed; --edge-order), tiles may be \
                    turned (assumed; --no-rotation), no frame";
        assert!(last.contains(read), "{args:?}: {}", session.stderr);
        assert!(last.contains("read as"), "{args:?}: {last}");
        let told = ["--no-rotation", "--border", "none", "--edge-order", "clockwise-from-top"];
        let session = run(&[args, &[TURNED], &told].concat());
        assert!(session.code < 2, "{args:?}: {}", session.stderr);
        assert!(!session.stderr.contains("read as"), "{args:?}: {}", session.stderr);
    }
}

#[test]
fn json_has_what_was_assumed() {
    let assumed = json!({"order": "clockwise-from-top", "rotations": true});
    for args in [
        &["solve", "--format", "jsonl"][..],
        &["count", "--format", "json"],
        &["why", "--format", "json"],
        &["hint", "--format", "json"],
        &["doctor", "--format", "json"],
        &["estimate", "--format", "json"],
        &["info", "--format", "json"],
    ] {
        let session = run(&[args, &["-q", TURNED]].concat());
        let text = if args[0] == "solve" {
            session.stdout.lines().last().unwrap_or_default()
        } else {
            &session.stdout
        };
        let object: Value = serde_json::from_str(text).unwrap();
        assert_eq!(object["assumed"], assumed, "{args:?}");
        let told = ["--no-rotation", "--edge-order", "clockwise-from-top"];
        let session = run(&[args, &["-q", TURNED], &told].concat());
        assert!(!session.stdout.contains("assumed"), "{args:?}");
    }
    let object: Value =
        serde_json::from_str(&run(&["count", "--format", "json", DIGITS]).stdout).unwrap();
    let assumed = json!({"order": "clockwise-from-top", "border": null, "rotations": false});
    assert_eq!(object["assumed"], assumed);
}

/// A list in YAML without `order`: the warning comes first, and the last line repeats it.
#[test]
fn the_last_line_names_an_order_that_our_own_form_leaves_out() {
    let text =
        "tiles: {1: [a+, b+, a-, b-], 2: [a+, d, a-, c], 3: [d, a-, c, a+], 4: [d, e, c, f]}";
    let folder = tempfile::tempdir().unwrap();
    let path = crate::session::write(folder.path(), "typed.yaml", text).display().to_string();
    let session = run(&["solve", &path]);
    assert!(session.stderr.contains("edges are read as right, top, left, bottom"));
    assert_eq!(
        last_line(&session),
        "read as: 4 tiles, 2 images in halves, 4 images, edges counter-clockwise from the right (assumed; \
         --edge-order), tiles may be turned, no frame"
    );
}

/// Two pieces that may not be turned fit side by side in one direction only.
#[test]
fn the_last_line_says_if_the_other_direction_has_another_number_of_solutions() {
    let text = "{rows: 1, cols: 2, rotations: false, tiles: {1: [a, b, c, d], 2: [e, f, a, g]}}";
    let folder = tempfile::tempdir().unwrap();
    let path = crate::session::write(folder.path(), "typed.yaml", text).display().to_string();
    for command in ["solve", "count"] {
        let session = run(&[command, &path]);
        assert!(session.stderr.contains("1 solution, proven"), "{}", session.stderr);
        let expected = "with --edge-order clockwise-from-top, the number of solutions is 0";
        assert_eq!(last_line(&session), expected);
        let session = run(&[command, &path, "--edge-order", "clockwise-from-top"]);
        assert_eq!(session.code, 1);
    }
    let drawn = run(&["solve", "--draw=always", &path]).stdout;
    assert!(drawn.contains("% mirrored if you listed the edges clockwise\n"), "{drawn}");
}

/// Puzzles in certificates and results are read with the same options again.
#[test]
fn certificates_and_results_remember_the_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let told = ["--border", "none", "--no-rotation", "--edge-order", "top,left,right,bottom"];
    let proof = path("proof");
    let session = run(&[&["solve", "-q", JUMPING, "--certificate", &proof][..], &told].concat());
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run(&["verify", &proof, JUMPING]);
    assert_eq!(session.code, 0, "{}{}", session.stdout, session.stderr);
    let with = "with --edge-order top,left,right,bottom, --border none, --no-rotation";
    assert!(session.stdout.contains(with), "{}", session.stdout);
    let (results, page) = (path("runs.sqlite"), path("page.html"));
    let batch = ["batch", JUMPING, "--results", &results, "--keep-solutions"];
    let session = run(&[&batch[..], &told].concat());
    assert!(session.stderr.contains("1 solution, proven complete"), "{}", session.stderr);
    let session = run(&["site", &results, "-o", &page]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let session = run(&batch);
    assert!(session.stderr.contains("; assumed: edges are listed top, left"), "{}", session.stderr);
}

/// The library's messages have no flags; the command adds them.
#[test]
fn errors_name_the_flags_that_help() {
    let folder = tempfile::tempdir().unwrap();
    let tall =
        crate::session::write(folder.path(), "tall.txt", "AbCd EfGb BaDc\n").display().to_string();
    let session = run(&["count", &tall]);
    assert!(session.stderr.ends_with("help: give the size of the board: `--size 4x5`\n"));
    let error = edgematch::load::read(tall.as_ref()).unwrap_err();
    assert_eq!(error.help.as_deref(), Some("give the size of the board"));
    let session = run(&["convert", &tall, "--size", "1x3", "--to", "letters"]);
    let lost = "the size, 1 × 3: read it with `--size 1x3`";
    assert!(session.stderr.contains(lost), "{}", session.stderr);
    std::fs::write(folder.path().join("a.yaml"), "tiles: {1: [a, a, a, a]}").unwrap();
    std::fs::write(folder.path().join("b.yaml"), "tiles: {1: [a, a, a, a]}").unwrap();
    let session = run(&["count", &folder.path().display().to_string()]);
    assert!(
        session.stderr.contains("; to solve all of them: edgematch batch "),
        "{}",
        session.stderr
    );
}
