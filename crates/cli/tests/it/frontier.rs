//! `count` without a list.

use crate::session::{puzzle, run, run_with_input};

#[test]
fn both_methods_count_the_same() {
    for name in ["absolut-knifflig", "random-half-3x4-4-s1", "scramble-1"] {
        let file = puzzle(name);
        let listed = run(&["count", "--method", "search", "-q", &file]);
        let counted = run(&["count", "--method", "frontier", &file]);
        assert_eq!((counted.code, &counted.stdout), (0, &listed.stdout), "{name}");
        assert!(counted.stderr.contains(" states, "), "{}", counted.stderr);
    }
    let json = ["count", "--method", "frontier", "--format", "json", "-q"];
    let none = run(&[&json[..], &[&puzzle("sharks-misread")]].concat());
    assert_eq!(none.code, 1);
    assert_eq!(none.stdout, "{\"classes\":0,\"complete\":true,\"distinct\":0,\"solutions\":0}\n");
}

/// Two images that pass straight on, or turn, on a board too large to list.
#[test]
fn counts_of_any_size_have_all_their_digits() {
    let tiles = "1: {edges: [a, a, a, a], copies: any}, 2: {edges: [b, b, b, b], copies: any}, \
                 3: {edges: [a, b, a, b], copies: any}, 4: {edges: [b, a, b, a], copies: any}";
    let text = format!(
        "{{rows: 76, cols: 4, order: clockwise-from-top, rotations: false, tiles: {{{tiles}}}}}"
    );
    let exact = run_with_input(&["count", "-", "--format", "json", "-q"], text.as_str());
    // Each row and each column has one image.
    let ways = "1208925819614629174706176";
    let expected = format!(
        "{{\"classes\":{ways},\"complete\":true,\"distinct\":{ways},\"solutions\":{ways}}}\n"
    );
    assert_eq!((exact.code, exact.stdout), (0, expected));
    let short = run_with_input(&["count", "-"], text.as_str());
    assert!(
        short.stderr.starts_with("about 1.2e24 solutions, proven complete ("),
        "{}",
        short.stderr
    );
}

/// Each tile is in some cell of every solution, and each cell holds some tile.
#[test]
fn marginals_add_up_to_the_solutions() {
    let file = puzzle("absolut-knifflig");
    let counted = run(&["count", "--marginals", &file]);
    let (_, table) = counted.stdout.split_once("\n\n").expect("a table after the counts");
    let numbers = |line: &str| -> Vec<u32> {
        line.split_whitespace().skip(1).map(|number| number.parse().unwrap()).collect()
    };
    let rows: Vec<Vec<u32>> = table.lines().skip(1).map(numbers).collect();
    assert_eq!(rows.len(), 9);
    for cell in 0..9 {
        assert_eq!(rows.iter().map(|row| row[cell]).sum::<u32>(), 148);
        assert_eq!(rows[cell].iter().sum::<u32>(), 148);
    }
    let json = run(&["count", "--marginals", "--format", "json", "-q", &file]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["marginals"][0]["tiles"], serde_json::json!(["1"]));
    let first = serde_json::json!({"cell": [1, 1], "solutions": rows[0][0]});
    assert_eq!(json["marginals"][0]["cells"][0], first);
    let info = run(&["info", "--format", "json", "-q", &file]);
    let info: serde_json::Value = serde_json::from_str(&info.stdout).unwrap();
    assert_eq!(info["solutions"], json);
}

/// Counts of any size have all their digits in `info`, and a long count is left out.
#[test]
fn info_counts_what_takes_little_time() {
    let tiles = "1: {edges: [a, a, a, a], copies: any}, 2: {edges: [b, b, b, b], copies: any}, \
                 3: {edges: [a, b, a, b], copies: any}, 4: {edges: [b, a, b, a], copies: any}";
    let info = |cols: usize| {
        let text = format!("{{rows: 72, cols: {cols}, rotations: false, tiles: {{{tiles}}}}}");
        run_with_input(&["info", "-", "--format", "json", "-q"], text.as_str()).stdout
    };
    let counted = info(2);
    assert!(counted.contains("\"solutions\": 18889465931478580854784"), "{counted}");
    assert!(!info(16).contains("\"solutions\""));
}

#[test]
fn a_sample_has_the_requested_number_of_solutions_and_repeats_itself() {
    let file = puzzle("absolut-knifflig");
    let sample = ["solve", "--sample", "50", "--format", "jsonl"];
    let drawn = |seed: &str| run(&[&sample[..], &["--seed", seed, &file]].concat());
    let [one, same, other] = ["1", "1", "2"].map(drawn);
    assert_eq!((one.code, one.stdout.matches("\"placements\"").count()), (0, 50));
    let solutions = |text: &str| -> Vec<String> {
        text.lines().filter(|line| line.contains("placements")).map(str::to_owned).collect()
    };
    assert_eq!(solutions(&one.stdout), solutions(&same.stdout));
    assert_ne!(solutions(&one.stdout), solutions(&other.stdout));
    let checked = run_with_input(&["check", &file, "-"], one.stdout.as_str());
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    let text = run(&["solve", "--sample", "2", &file]);
    assert!(!text.stdout.contains("=========="), "not all solutions are printed");
    assert!(text.stderr.contains("; 2 of 2 drawn at random"), "{}", text.stderr);
    let none = run(&["solve", "--sample", "2", &puzzle("sharks-misread")]);
    assert_eq!(none.code, 1);
}

#[test]
fn arrangements_are_counted_up_to_mirrors_and_colours() {
    let rim = puzzle("models/sixteen-squares-white-rim");
    let counted = run(&["count", "--up-to", "mirrors,colours", &rim]);
    let last = "distinct   652\ndistinct up to mirrors and colours  82\n";
    assert!(counted.stdout.ends_with(last), "{}", counted.stdout);
    let json = run(&["count", "--up-to", "mirrors", "--format", "json", "-q", &rim]);
    assert!(json.stdout.contains("\"up_to\":82"), "{}", json.stdout);
    let loops = run_with_input(
        &["count", "--up-to", "mirrors", "-"],
        "{rows: 2, cols: 2, constraints: [loop: {image: a}], tiles: {1: [a, a, b, b], \
         2: [a, a, b, b], 3: [a, a, b, b], 4: [a, a, b, b]}}",
    );
    assert_eq!(loops.code, 2);
    assert!(loops.stderr.contains("constraint 1 (`loop`) is not a sum over cells"));
}

#[test]
fn an_unsupported_puzzle_is_refused_with_the_reason() {
    let image = ["count", "--method", "frontier", "-", "--quiet"];
    let text = "{rows: 2, cols: 2, constraints: [loop: {image: a}], tiles: {1: [a, a, b, b], \
                2: [a, a, b, b], 3: [a, a, b, b], 4: [a, a, b, b]}}";
    let refused = run_with_input(&image, text);
    assert_eq!(refused.code, 2);
    let message =
        "--method frontier cannot count this puzzle: constraint 1 (`loop`) is not a sum over cells";
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
}

#[test]
fn a_count_that_is_stopped_says_so() {
    let tile = |number: usize| {
        let colours = (0..4).map(|side| ["a", "b", "c"][number / 3usize.pow(side) % 3]);
        format!("{number}: [{}]", itertools::join(colours, ", "))
    };
    let tiles = itertools::join((0..36).map(tile), ", ");
    let text = format!("{{rows: 6, cols: 6, rotations: false, tiles: {{{tiles}}}}}");
    let frontier = ["count", "--method", "frontier", "-"];
    let stopped =
        run_with_input(&[&frontier[..], &["--time-limit", "300ms"]].concat(), text.as_str());
    assert_eq!(stopped.code, 3);
    assert!(stopped.stdout.starts_with("solutions  at least "));
    assert!(stopped.stderr.contains("stopped after"), "{}", stopped.stderr);
    let full = ["--memory-limit", "60M", "--time-limit", "60s"];
    let full = run_with_input(&[&frontier[..], &full].concat(), text.as_str());
    assert_eq!(full.code, 3);
    assert!(full.stderr.contains("out of memory (limit 60M)"), "{}", full.stderr);
}
