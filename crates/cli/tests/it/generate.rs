//! `edgematch generate`: the puzzles have the requested properties, verified by other means.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use edgematch::engine::{Auto, Backtrack, Engine, Order, Propagate};
use edgematch::generate::{AtLeast, BANDS, Band};
use edgematch::load;
use edgematch::problem::Problem;
use edgematch::puzzle::{Face, Flip};
use itertools::Itertools;

use crate::common::complete;
use crate::session::{at_root, puzzle, run, run_with_input, write};

fn classes(problem: &Problem, engine: &dyn Engine) -> u64 {
    complete(problem, engine).tally.classes.try_into().unwrap()
}

/// Runs `generate`, asserts that it succeeds, and returns its standard output.
fn made(args: &str) -> String {
    let args: Vec<&str> = args.split(' ').collect();
    let session = run(&[&["generate"], &args[..]].concat()).expect(0);
    session.stdout
}

fn problem(args: &str) -> Problem {
    load::from_str(&made(args)).unwrap()
}

/// Generates puzzles into a temporary folder; returns it with the files and the messages.
fn many(args: &str) -> (tempfile::TempDir, Vec<PathBuf>, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("{}/new/", folder.path().display());
    let args = args.split(' ').chain(["-o", &path]);
    let session = run(&std::iter::once("generate").chain(args).collect_vec()).expect(0);
    let files = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path());
    let files = files.sorted().collect();
    (folder, files, session.stderr)
}

fn are_unique(number: usize) {
    for (size, images) in [(3, 4), (4, 6), (5, 8)] {
        let args =
            format!("--size {size}x{size} --images {images} --unique --seed 1 --count {number}");
        let (_folder, files, stderr) = many(&args);
        assert_eq!(files.len(), number);
        for file in &files {
            let problem = load::read(file).unwrap();
            assert_eq!(problem.puzzle.labels.images(), images);
            assert_eq!(classes(&problem, &Backtrack::Fast), 1, "{}", file.display());
        }
        assert!(stderr.contains(&format!("{number} of {number} puzzles, seeds 1 to {number}")));
        eprint!("{size}x{size} of {images} images: {stderr}");
    }
}

#[test]
fn unique_puzzles_have_one_class_by_another_engine() {
    are_unique(8);
}

#[test]
#[ignore = "long"]
fn a_hundred_unique_puzzles_of_each_size() {
    are_unique(100);
}

#[test]
fn the_same_seed_makes_the_same_puzzle_on_any_number_of_threads() {
    for args in [
        "--size 4x4 --images 4 --unique --seed 5",
        "--images 3 --unique --count 7 --seed 5",
        "--images 4 --difficulty easy --unique --count 3 --seed 5",
        "--from puzzles/crazy-turtles.yaml --seed 5",
    ] {
        let one = made(&format!("{args} -j 1"));
        assert_eq!(one, made(&format!("{args} -j 2")));
        assert_ne!(one, made(&args.replace("--seed 5", "--seed 6")));
    }
}

/// A seed gives the same puzzle in every build of a version: a change of the generator requires
/// another version.
#[test]
fn seeds_of_this_version_stay_what_they_are() {
    let text = made("--images 4 --seed 1");
    assert!(text.contains("edgematch 0.2.0: generate --images 4 --seed 1"), "{text}");
    let tiles = &load::from_str(&text).unwrap().puzzle;
    let first = tiles.tiles[0].edges.iter().map(|&edge| tiles.labels.name(edge));
    assert_eq!(first.collect_vec(), FIRST);
    let dealt = problem("--from puzzles/crazy-turtles.yaml --seed 1").into_parts().puzzle;
    let first = dealt.tiles[0].edges.iter().map(|&edge| dealt.labels.name(edge));
    assert_eq!(first.collect_vec(), ["t2-", "t1+", "t3+", "t2+"]);
}

const FIRST: [&str; 4] = ["img1+", "img3-", "img4-", "img3-"];

/// The `source` of a generated puzzle is a command that generates it again.
#[test]
fn a_puzzle_says_how_to_make_it_again() {
    for args in [
        "--size 3x4 --images 3 --framed --frame-images 2 --matching equal --seed 3 --no-twins",
        "--board octahedron --images 3 --classes 1..3 --seed 3",
        r#"--board {"grid":[2,3],"wrap":"both"} --images 3 --two-sided --seed 3"#,
        "--images 4 --difficulty 20000..50000 --no-rotations --seed 3",
        "--from em1-AApzY3JhbWJsZS0xAwMEB3lsdwdyZWQHZ3JuB2JsdQAJAOb4x3Fn2IZ6pCli8u_-bCU --seed 3",
    ] {
        let text = made(args);
        let source = load::from_str(&text).unwrap().into_parts().puzzle.source.unwrap();
        let (_, again) = source.split_once(": generate ").unwrap();
        assert_eq!(made(&again.replace('\'', "")), text, "{again}");
    }
}

#[test]
fn what_is_asked_for_is_there() {
    let mut seed = 0;
    let mut each = |args: &str, check: &dyn Fn(&Problem)| {
        for _ in 0..5 {
            seed += 1;
            let problem = problem(&format!("{args} --seed {seed}"));
            assert!(classes(&problem, &Auto) >= 1, "{args} --seed {seed}");
            check(&problem);
        }
    };
    each("--size 3x4 --images 5 --framed --frame-images 2 --matching equal", &|problem| {
        let puzzle = &problem.puzzle;
        let board = &problem.board;
        assert_eq!(puzzle.labels.images(), 8);
        assert_eq!(puzzle.labels.halved_images(), 0);
        let border = puzzle.border.unwrap();
        assert_eq!(puzzle.edges_within(board.size())[border.index()], board.rim().len());
        let inner = puzzle.tiles.iter().filter(|tile| !tile.edges.contains(&border));
        let names = inner.flat_map(|tile| tile.edges.iter().map(|&e| puzzle.labels.name(e)));
        assert!(names.into_iter().all(|name| name.starts_with("img")));
    });
    each("--size 2x2 --images 12", &|problem| {
        assert_eq!(problem.puzzle.labels.images(), 12);
        assert_eq!(problem.puzzle.labels.halved_images(), 12);
    });
    each("--two-sided --images 6", &|problem| {
        assert!(problem.puzzle.tiles.iter().all(|tile| tile.back.is_some()));
        assert!(!problem.puzzle.is_printed_through());
    });
    each("--no-rotations --matching equal --images 6", &|problem| {
        assert!(!problem.puzzle.may_turn);
    });
    each("--images 2 --no-twins", &|problem| {
        assert_eq!(problem.kinds.kinds.len(), 9);
    });
    each("--images 4 --classes 5..7", &|problem| {
        assert!((5..=7).contains(&classes(problem, &Auto)));
    });
    each("--board cube --images 3 --unique", &|problem| {
        assert_eq!(classes(problem, &Backtrack::Fast), 1);
        assert_eq!(problem.board.description(), "cube");
    });
    for seed in 0..5 {
        let text = made(&format!("--images 4 --classes 0 --seed {seed}"));
        assert_eq!(classes(&load::from_str(&text).unwrap(), &Backtrack::Fast), 0);
        assert!(text.starts_with("# no solution, "), "{text}");
    }
}

fn difficulty(problem: &Problem) -> f64 {
    let outcome = complete(problem, &Backtrack::Scan(Order::Rows));
    outcome.work.tries as f64 / outcome.tally.listed() as f64
}

#[test]
fn difficulties_hold_when_they_are_measured_again() {
    for (asked, from, to) in [
        ("easy", 0.0, 35_000.0),
        ("medium", 35_000.0, 65_000.0),
        ("hard", 65_000.0, f64::INFINITY),
        ("15000..20000", 15_000.0, 20_000.0),
    ] {
        let args = format!("--images 4 --unique --difficulty {asked} --count 4 --seed 1");
        let (_folder, files, _) = many(&args);
        for file in files {
            let found = difficulty(&load::read(&file).unwrap());
            assert!((from..to).contains(&found), "{asked}: {found}");
            let text = fs::read_to_string(&file).unwrap();
            let found = crate::session::grouped(found.round() as u64);
            assert!(text.contains(&format!(" {found} tries per distinct solution (")), "{text}");
        }
    }
}

#[test]
fn a_third_each_of_the_puzzles_one_can_buy_is_easy_medium_and_hard() {
    let mut bands: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, counts) in crate::common::expected() {
        let is_bought = !name.starts_with("random") && !name.starts_with("framed");
        let has_solutions = counts.is_some_and(|counts| counts.distinct > 0);
        if !is_bought || !has_solutions {
            continue;
        }
        let problem = load::read(&at_root(&puzzle(&name))).unwrap();
        if problem.board.size() == 9 {
            let difficulty = AtLeast { number: difficulty(&problem), is_all: true };
            *bands.entry(Band::from_difficulty(difficulty).unwrap().name).or_default() += 1;
        }
    }
    let numbers = BANDS.map(|band| bands[band.name]);
    let third = numbers.iter().sum::<usize>() as f64 / 3.0;
    assert!(numbers.iter().all(|&n| (n as f64 - third).abs() <= 1.0), "{numbers:?}");
}

/// The number of edges of each name on all tiles, both faces included.
fn edges(problem: &Problem) -> BTreeMap<String, usize> {
    let puzzle = &problem.puzzle;
    let faces = puzzle.tiles.iter().flat_map(|tile| {
        let faces = Face::ALL.into_iter().take(if tile.back.is_some() { 2 } else { 1 });
        faces.flat_map(|face| tile.face(face)).copied().collect_vec()
    });
    let counts = faces.map(|label| puzzle.labels.name(label)).counts();
    counts.into_iter().collect()
}

#[test]
fn edges_dealt_anew_are_the_same_and_leave_one_class() {
    for name in [
        "absolut-knifflig",
        "huberf-penguins",
        "politiker-knobeleien",
        "framed-4x4-gallicchio",
        "boards/two-sided-3x3-6",
        "boards/transparent-3x3-6",
        "boards/octahedron-4",
    ] {
        let file = puzzle(name);
        let before = load::read(&at_root(&file)).unwrap();
        assert!(classes(&before, &Propagate) > 1, "{name}");
        let after = problem(&format!("--from {file} --seed 2"));
        assert_eq!(edges(&after), edges(&before), "{name}");
        assert_eq!(classes(&after, &Backtrack::Plain(Order::Spiral)), 1, "{name}");
    }
    // The back shows the other halves, so the number of images is kept, but not that of their
    // halves.
    let folder = tempfile::tempdir().unwrap();
    let tiles = "1: [a-, c+, a+, b+], 2: [a+, b-, b-, b-], 3: [d, b-, a-, a+], 4: [b-, a+, b-, c-]";
    let yaml = format!("flip: reverse\ntiles: {{{tiles}}}");
    let file = write(folder.path(), "reversed.yaml", yaml);
    let before = load::read(&file).unwrap();
    let dealt = problem(&format!("--from {} --seed 2", file.display()));
    assert_eq!(dealt.puzzle.flip(), Some(Flip::Reverse));
    assert_eq!(edges(&dealt), edges(&before));
    assert_eq!(classes(&dealt, &Propagate), 1);
    // Sixteen tiles for the six faces of a cube.
    let dealt = problem("--from puzzles/crazy-sheep-game.yaml --board cube --seed 1");
    assert_eq!((dealt.puzzle.tiles.len(), dealt.board.size()), (16, 6));
    assert_eq!(classes(&dealt, &Propagate), 1);
}

#[test]
fn a_size_alone_makes_a_puzzle() {
    let (alone, named) = (made("3 --seed 4"), made("--size 3x3 --seed 4"));
    assert_eq!(alone, named);
    assert_eq!(problem("4x2 --seed 1").board.rectangle(), Some((4, 2)));
    assert_eq!(problem("--seed 1").board.size(), 9);
    // With as few images as one solution needs, such puzzles are hard.
    assert!(problem("4x4 --seed 1 --difficulty easy").puzzle.labels.images() > 8);
}

#[test]
fn bad_requests_are_answered_at_once() {
    for (args, code, words) in [
        ("--images 0", 2, "expected a whole number from 1 to"),
        ("--images 25", 1, "it has room for 24"),
        ("--images 1 --unique", 1, "has only 3 different tiles"),
        ("--images 1 --no-twins", 1, "has only 6 different tiles, for 9 cells"),
        ("--size 40x40 --images 2 --unique", 1, "for 1600 cells"),
        ("--size 40x40 --images 10 --unique", 3, "solutions besides the planted one"),
        ("--size 7x7 --images 6 --unique", 3, "hopeless: counting the solutions"),
        ("--size 6x6 --difficulty easy", 3, "puzzles on this board are harder"),
        ("--size 66x66 --images 100 --unique", 3, "propagate cannot count"),
        ("--size 5x5 --framed --frame-images 99 --images 3", 1, "it has room for 16"),
        ("--board cube --framed --images 3", 1, "has no rim"),
        ("--board cub --images 3", 2, "did you mean `cube`"),
        ("--size 0x3 --images 3", 2, "expected rows and columns"),
        ("--images 4 --classes 3..1", 2, "is empty"),
        ("--images 4 --difficulty simple", 2, "expected easy, medium, hard"),
        ("--images 4 --framed --two-sided", 2, "cannot be used with"),
        ("--from nowhere.yaml", 2, "there is no such file"),
        ("--from puzzles/sharks-misread.yaml --images 3", 2, "cannot be used with"),
        ("--from puzzles/framed-4x4-tud.yaml --size 2x2", 1, "border edges"),
        ("--images 4 -o /nowhere/at/all.yaml", 2, "there is no such folder"),
    ] {
        let args = std::iter::once("generate").chain(args.split(' ')).collect_vec();
        let session = run(&args).expect(code);
        session.says(words);
        assert_eq!(session.stdout, "");
    }
    assert_eq!(classes(&problem("--size 1x1 --images 2 --unique"), &Auto), 1);
    let unsigned = "tiles: {1: [a, b, c, d]}";
    let pinned = "constraints: [pin: {cell: [1, 1], tile: 1}]";
    for (text, words) in [
        ("cols: 2\nrows: 1\ntiles: {1: [a+, b+, c+, a+], 2: [a+, b+, b+, c+]}", "at most 0 pairs"),
        (&format!("{unsigned}\n{pinned}"), "its constraints name tiles"),
    ] {
        run_with_input(&["generate", "--from", "-"], text).expect(1).says(words);
    }
}

#[test]
fn a_time_limit_tries_what_seems_hopeless_and_ends_it() {
    for args in ["--size 6x6 --images 2 --unique", "--size 1x1 --images 1 --classes 5"] {
        let args = ["generate"].into_iter().chain(args.split(' '));
        let session = run(&args.chain(["--time-limit", "100ms"]).collect_vec()).expect(3);
        let words = "stopped before a puzzle was found";
        session.says(words);
    }
}

/// A board that the engine which counts nodes does not support.
#[test]
fn a_board_that_nobody_counts_is_made_all_the_same() {
    let text = made("--size 66x66 --images 100 --seed 1");
    assert!(text.starts_with("# solutions uncounted\n"), "{}", &text[..90]);
    assert_eq!(load::from_str(&text).unwrap().puzzle.tiles.len(), 66 * 66);
}

#[test]
fn many_puzzles_stream_into_a_batch_and_fill_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = made("--images 4 --count 5 --seed 1");
    assert_eq!(text.matches("---\n").count(), 5);
    let results_path = folder.path().join("r.sqlite");
    let results = results_path.to_str().unwrap();
    run_with_input(&["batch", "-", "--results", results], text.clone()).expect(0).says("5 runs");
    let file = write(folder.path(), "all.yaml", "something older");
    made(&format!("--images 4 --count 5 --seed 1 --force -o {}", file.display()));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    // A named pipe is written to and not replaced.
    #[cfg(unix)]
    {
        let pipe = folder.path().join("pipe");
        let is_made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(is_made.unwrap().success());
        let there = pipe.clone();
        let reader = std::thread::spawn(move || fs::read_to_string(there).unwrap());
        made(&format!("--images 4 --count 5 --seed 1 -o {}", pipe.display()));
        assert!(!pipe.is_file());
        assert_eq!(reader.join().unwrap(), text);
    }
}

#[test]
fn complete_sets_have_every_tile_once() {
    for (args, cells, tiles) in [
        (&["3"][..], "4 × 6 grid", 24),
        (&["1"], "1 × 1 grid", 1),
        (&["3", "--no-rotations"], "9 × 9 grid", 81),
        (&["3", "--size", "4x5"], "4 × 5 grid", 24),
        (&["2", "--board", "cube"], "cube", 6),
        (&["4", "--board", "{triangles: [4, 6]}"], "field of 4 × 6 triangles", 24),
        (&["2", "--board", "{hexagons: [2, 7]}"], "field of 2 × 7 hexagons", 14),
        (&["2", "--board", "flower"], "flower of 7 hexagons", 14),
        (&["4", "--board", "{triangle-hexagon: 2}"], "hexagon of 24 triangles", 24),
        (&["3", "--board", "{rhombus: 2}"], "rhombus of 8 triangles", 11),
        (&["2", "--board", "{mask: ['##.', '###'], wrap: both}"], "2 × 3 torus with 1 hole", 6),
        (
            &["2", "--board", "{hexagons: ['.##', '###']}"],
            "field of 2 × 3 hexagons with 1 hole",
            14,
        ),
    ] {
        let session = run(&[&["generate", "--all-tiles"], args].concat()).expect(0);
        let problem = load::from_str(&session.stdout).unwrap();
        assert_eq!(problem.puzzle.tiles.len(), tiles, "{args:?}");
        assert_eq!(problem.kinds.kinds.len(), tiles, "{args:?}");
        assert_eq!(problem.board.description(), cells);
        let said = format!("{tiles} tile");
        session.says(&said);
        // The source is the command that generates it again.
        let source = problem.puzzle.source.as_deref().unwrap();
        let flags = source.split_once(": ").unwrap().1;
        if !flags.contains('\'') {
            let again = run(&flags.split(' ').collect_vec());
            assert_eq!(again.stdout, session.stdout, "{flags}");
        }
    }
}

#[test]
fn complete_sets_that_cannot_be_are_refused() {
    for (args, code, why) in [
        (&["3", "--size", "5x5"][..], 1, "24 tiles do not fill"),
        (&["15"], 1, "more than 10000 tiles"),
        (&["0"], 2, "expected a whole number from 1 to"),
        (&["3", "--unique"], 2, "cannot be used with"),
        (&["3", "--images", "4"], 2, "cannot be used with"),
    ] {
        let session = run(&[&["generate", "--all-tiles"], args].concat()).expect(code);
        session.says(why);
        assert_eq!(session.stdout, "");
    }
}

#[test]
fn a_name_of_another_form_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, code) in [
        ("new.yaml", 0),
        ("new.YML", 0),
        ("new", 0),
        ("new.txt", 0),
        ("new.json", 2),
        ("new.jsonl", 2),
        ("new.csv", 2),
        ("new.puz", 2),
        ("new.xml", 2),
    ] {
        let file = folder.path().join(name);
        let path = file.to_str().unwrap();
        let session = run(&["generate", "--images", "4", "-o", path]).expect(code);
        if code == 0 {
            assert_eq!(run(&["info", path]).code, 0, "{name}");
        } else {
            session.says("generated as YAML");
            assert!(!file.exists());
        }
    }
}
