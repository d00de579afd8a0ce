//! `count --by-halves`, which lists no solutions.

use crate::session::{puzzle, run, run_with_input};

#[test]
fn the_same_is_counted_without_a_list() {
    for name in ["absolut-knifflig", "random-half-3x4-4-s1", "scramble-1"] {
        let file = puzzle(name);
        let listed = run(&["count", "-q", &file]);
        let counted = run(&["count", "--by-halves", &file]);
        assert_eq!((counted.code, &counted.stdout), (0, &listed.stdout), "{name}");
        assert!(counted.stderr.contains(" half boards, "), "{}", counted.stderr);
    }
    let json = ["count", "--by-halves", "--format", "json", "-q", &puzzle("sharks-misread")];
    let none = run(&json);
    assert_eq!(none.code, 1);
    assert_eq!(none.stdout, "{\"classes\":0,\"complete\":true,\"distinct\":0,\"solutions\":0}\n");
}

#[test]
fn why_it_cannot_is_said() {
    let refused = run(&["count", "--by-halves", &puzzle("scramble-1"), "--pin", "=5@0"]);
    assert_eq!(refused.code, 2);
    assert!(
        refused.stderr.contains(
            "--by-halves: constraint 1 (`pin`) concerns several cells, which may be in different halves"
        ),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_count_that_is_stopped_says_so() {
    let tile = |number: usize| {
        let colours = (0..4).map(|side| ["a", "b", "c"][number / 3usize.pow(side) % 3]);
        format!("{number}: [{}]", itertools::join(colours, ", "))
    };
    let tiles = itertools::join((0..36).map(tile), ", ");
    let text = format!("{{rows: 6, cols: 6, rotations: false, tiles: {{{tiles}}}}}");
    let stopped =
        run_with_input(&["count", "--by-halves", "-", "--time-limit", "300ms"], text.as_str());
    assert_eq!(stopped.code, 3);
    assert!(stopped.stdout.starts_with("solutions  at least "));
    assert!(stopped.stderr.contains("stopped after"), "{}", stopped.stderr);
    let full = ["count", "--by-halves", "-", "--memory-limit", "60M", "--time-limit", "60s"];
    let full = run_with_input(&full, text.as_str());
    assert_eq!(full.code, 3);
    assert!(full.stderr.contains("memory"), "{}", full.stderr);
}
