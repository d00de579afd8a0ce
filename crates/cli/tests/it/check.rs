//! `check` reads all output formats of `solve`, and names violations.

use tempfile::tempdir;

use crate::session::{puzzle, run, run_with_input, write};

fn solved(name: &str, args: &[&str]) -> String {
    let path = puzzle(name);
    let session = run(&[&["solve", &path, "-q"], args].concat()).expect(0);
    session.stdout
}

#[test]
fn every_format_is_read_back() {
    for name in ["scramble-1", "knifflidiffels-version5", "random-vex-3x3-10-s1", "framed-4x4-tud"]
    {
        let path = puzzle(name);
        for args in [
            &["--format", "text"][..],
            &["--format", "json"],
            &["--format", "jsonl"],
            &["--format", "text", "--statistics"],
            &["--format", "json", "--statistics"],
            &["--expand", "-n", "7"],
            &["--sorted"],
        ] {
            let session = run_with_input(&["check", &path, "-"], solved(name, args)).expect(0);
            assert!(session.stdout.lines().all(|l| l.ends_with(": fits")));
        }
    }
}

#[test]
fn every_solution_in_a_file_is_checked() {
    let solutions = solved("absolut-knifflig", &["-n", "5"]);
    let session = run_with_input(&["check", &puzzle("absolut-knifflig"), "-"], solutions);
    assert_eq!(session.stdout.lines().count(), 5);
    assert!(session.stdout.ends_with("arrangement 5: fits\n"));
}

#[test]
fn what_follows_the_end_of_a_run_is_checked_too() {
    let good = solved("scramble-1", &[]);
    let both = format!("{good}{}", good.replacen("[t=5,r=1]", "[t=5,r=2]", 1));
    let session = run_with_input(&["check", &puzzle("scramble-1"), "-"], both).expect(1);
    assert!(session.stdout.starts_with("arrangement 1: fits\narrangement 2: does not fit"));
}

#[test]
fn the_whole_name_of_a_tile_counts() {
    let name = "x".repeat(256);
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "long.yaml", format!("tiles: {{? {name} : [a, b, c, d]}}"));
    let check = |name: &str| {
        let solution = format!("[t={name},r=0]\n");
        run_with_input(&["check", path.to_str().unwrap(), "-"], solution).code
    };
    assert_eq!((check(&name), check(&"x".repeat(300))), (0, 2));
}

#[test]
fn the_first_seam_that_does_not_fit_is_named() {
    let solution = solved("scramble-1", &[]);
    let turned = solution.replacen("[t=5,r=1]", "[t=5,r=2]", 1);
    assert_ne!(solution, turned);
    let session = run_with_input(&["check", &puzzle("scramble-1"), "-"], turned).expect(1);
    assert_eq!(
        session.stdout,
        "arrangement 1: does not fit: cells [1,2] and [2,2] do not match: \
         `grn-` against `blu+`; 3 more, which `edgematch show` lists\n"
    );
}

#[test]
fn a_tile_in_two_cells_and_a_forbidden_turn_are_named() {
    let twice = solved("scramble-1", &[]).replacen("[t=5,", "[t=2,", 1);
    run_with_input(&["check", &puzzle("scramble-1"), "-"], twice)
        .expect(1)
        .prints("tile 2 is placed twice, in cells [1,1] and [2,2]");

    let turned = solved("random-vex-3x3-10-s1", &[]).replacen("r=0]", "r=1]", 1);
    run_with_input(&["check", &puzzle("random-vex-3x3-10-s1"), "-"], turned)
        .expect(1)
        .prints("the tile in cell [1,1] has an orientation that this puzzle does not allow");
}

#[test]
fn a_border_inside_and_another_image_on_the_rim_are_named() {
    let puzzle = "rows: 1\ncols: 2\nborder: g\ntiles: {1: [a, g, g, g], 2: [a, g, g, g]}";
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "framed.yaml", puzzle);
    let check =
        |solution: &str| run_with_input(&["check", path.to_str().unwrap(), "-"], solution).stdout;
    assert_eq!(check("[t=1,r=0] [t=2,r=2]"), "arrangement 1: fits\n");
    assert!(check("[t=1,r=2] [t=2,r=0]").contains("border image inside the board"));
    assert!(check("[t=1,r=1] [t=2,r=1]").contains("border image inside the board"));
}

#[test]
fn solutions_of_another_puzzle_are_refused_at_their_place() {
    let path = puzzle("scramble-1");
    for (solution, place, words) in [
        ("[t=1,r=0] [t=2,r=0]\n", "1:1:", "2 placements in this row, the board has 3"),
        ("[t=1,r=0] [t=2,r=0] [t=77,r=0]\n", "1:21:", "no tile `77`"),
        ("[t=1,r=0] [t=2,r=4] [t=3,r=0]\n", "1:11:", "r=4 is not a rotation"),
        ("[t=1,r=0] [t=2,r=0] [t=3,r=0]\n----------\n", "2:1:", "1 rows for a 3 × 3 grid"),
        ("[t=1,r=0] [t=2;r=0] [t=3,r=0]\n", "1:11:", "a placement such as [t=3,r=1]"),
        ("hello\n", "1:1:", "a placement such as [t=3,r=1]"),
        ("==========\n", "", "no arrangement in this file"),
        ("", "", "no arrangement in this file"),
        ("{\"type\":\"status\"}", "", "no arrangement in this file"),
        ("{\"placements\":[]}", "1:1:", "no placement for cell [1,1]"),
        (
            "{\"placements\":[\n{\"cell\":[4,1],\"tile\":\"1\",\"rotation\":0}]}",
            "2:1:",
            "a 3 × 3 grid has no cell [4,1]",
        ),
        (
            "{\"placements\":[\n{\"cell\":[1,1],\"tile\":\"x\",\"rotation\":0}]}",
            "2:1:",
            "no tile `x`",
        ),
        ("[{\"placements\": 3}]", "1:17:", "invalid type"),
        ("{\"placements\":[", "1:", "EOF"),
        ("{\"é é é é é é\":1, oops}", "1:19:", "key must be a string"),
        (
            "{\"placements\":[{\"cell\":[1,1],\"tile\":1,\"rotation\":-1}]}",
            "1:16:",
            "-1 is not a rotation",
        ),
    ] {
        let session = run_with_input(&["check", &path, "-"], solution).refused();
        let expected = format!("error: -:{place}");
        assert!(session.stderr.starts_with(&expected), "{solution}: {}", session.stderr);
        session.says(words);
    }
}

#[test]
fn names_that_are_not_plain_words_are_quoted_and_read_back() {
    let puzzle = "rows: 1\ncols: 2\nrotations: false\n\
                  tiles: {'a, b]': [x, y, z, y], 'say \"hi\"': [z, y, x, y], ~: [q, q, q, q]}";
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "names.yaml", puzzle);
    let path = file.to_str().unwrap();
    for format in ["text", "json", "jsonl"] {
        let session = run(&["solve", path, "-q", "--format", format]).expect(0);
        let session = run_with_input(&["check", path, "-"], session.stdout);
        assert_eq!(session.stdout, "arrangement 1: fits\narrangement 2: fits\n");
    }
}
