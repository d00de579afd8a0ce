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
        "{{rows: 72, cols: 8, order: clockwise-from-top, rotations: false, tiles: {{{tiles}}}}}"
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
    assert!(full.stderr.contains("memory"), "{}", full.stderr);
}
