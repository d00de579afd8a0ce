//! The README and some pages show real output: their commands are run, and the output is compared.

#[path = "../../../../examples/search.rs"]
#[allow(dead_code)]
mod search;

use std::fs;
use std::path::Path;

use edgematch::engine::{Backtrack, Engine, Propagate};
use edgematch::load;

use crate::common::complete;
use crate::session::{edgematch, run};

const RUN: [&str; 2] = ["$ edgematch ", "$ cargo run -- "];

fn readme() -> String {
    page("README.md")
}

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(crate::ROOT).join(name)).unwrap()
}

/// The commands on a page with the output shown for each; with `| head -n N`, only its beginning.
fn shown(page: &str) -> Vec<(Vec<String>, Vec<String>)> {
    let blocks = page.split("```console\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks
        .filter_map(|block| {
            let mut lines = block.lines();
            let first = lines.next().unwrap();
            let args = RUN.iter().find_map(|prefix| first.strip_prefix(prefix))?;
            Some((
                args.split_whitespace().map(|arg| arg.trim_matches('\'').to_owned()).collect(),
                lines.map(str::to_owned).collect(),
            ))
        })
        .collect()
}

/// A temporary folder with links to the project's files, for commands that write files.
fn playground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["puzzles", "tests", "benches"] {
        let shown = Path::new(crate::ROOT).join(name);
        symlink(&shown, folder.path().join(name)).unwrap();
    }
    // The files of the tutorial and of the README.
    let cards = [("docs/tutorial.md", "yaml", "my-cards.yaml"), ("README.md", "text", "cards.txt")];
    for (name, language, file) in cards {
        let blocks = blocks(&page(name));
        let (_, cards) = blocks.iter().find(|(found, _)| found == language).unwrap();
        fs::write(folder.path().join(file), cards).unwrap();
    }
    folder
}

#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_dir as symlink;

/// Runs the program in a folder; returns standard output and standard error.
fn run_in(folder: &Path, args: &[&str]) -> (String, String) {
    let output = edgematch(args).current_dir(folder).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

/// A line of the table of `compare` without times, ratios and alignment.
fn without_measurements(line: &str) -> String {
    let fields: Vec<&str> = line.split("  ").map(str::trim).filter(|f| !f.is_empty()).collect();
    match fields.len() {
        9 => fields[..5].join("  "),
        _ => fields.join("  "),
    }
}

/// A line of the table of `results` without the last column and alignment, or of its totals without
/// the time.
fn without_last_time(line: &str) -> String {
    let line = line.split(';').next().unwrap();
    let fields = line.split("  ").map(str::trim).filter(|f| !f.is_empty());
    fields.take(7).collect::<Vec<_>>().join("  ")
}

/// A line of `batch` without times, and of its table without alignment.
fn without_batch_times(line: &str) -> String {
    let words = line.split_whitespace();
    let is_time = |word: &&str| matches!(*word, "µs" | "ms" | "s");
    if line.starts_with(' ') {
        // The time is in the last column.
        let mut words: Vec<&str> = words.collect();
        let time = if words.last().is_some_and(is_time) { 2 } else { 0 };
        words.truncate(words.len() - time);
        return words.join(" ");
    }
    let number = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let words = words.map(|word| word.trim_end_matches([',', ';']));
    let words: Vec<&str> = words.filter(|word| !is_time(word) && !number(word)).collect();
    let words = words.join(" ");
    // A rate usually has a decimal point.
    let words = match words.split_once(" runs per second") {
        Some((before, after)) => {
            let before = before.trim_end_matches(|c: char| c.is_ascii_digit());
            format!("{} runs per second{after}", before.trim_end())
        }
        None => words,
    };
    // A time in microseconds has no decimal point.
    match words.rsplit_once(' ') {
        Some((before, last)) if before.ends_with("complete") || before.ends_with("proven") => {
            last.parse::<u32>().map_or(words.clone(), |_| before.to_owned())
        }
        _ => words,
    }
}

/// A line without times and the statistics after them, which differ between runs.
fn without_times(line: &str) -> String {
    if let Some((before, _)) = line.split_once("mzn-stat: seconds=") {
        return before.to_owned();
    }
    match line.split_once("\"seconds\":") {
        Some((before, _)) => before.to_owned(),
        None => match line.rsplit_once(", ") {
            Some((before, time)) if time.ends_with("s)") => before.to_owned(),
            _ => line.to_owned(),
        },
    }
}

#[test]
fn every_command_of_the_readme_prints_what_it_shows() {
    let shown = shown(&readme());
    assert!(shown.len() >= 3, "the commands of the README are found");
    print_what_they_show(shown);
}

#[test]
fn every_command_of_the_other_pages_prints_what_it_shows() {
    for name in [
        "docs/boards.md",
        "docs/certificates.md",
        "docs/coming-from.md",
        "docs/commands.md",
        "docs/counting.md",
        "docs/formats.md",
        "docs/models.md",
        "docs/troubleshooting.md",
        "docs/tutorial.md",
    ] {
        let shown = shown(&page(name));
        assert!(!shown.is_empty(), "the commands of {name} are found");
        print_what_they_show(shown);
    }
}

/// The code blocks of a page: the language, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let parts = page.split("\n```").collect::<Vec<_>>();
    let blocks = parts.iter().skip(1).step_by(2);
    blocks
        .map(|block| {
            let (language, text) = block.split_once('\n').unwrap();
            (language.to_owned(), text.to_owned())
        })
        .collect()
}

/// Every code block is tested: commands by the tests above or `.ci/run`, code by the library,
/// puzzles here.
#[test]
fn every_block_of_the_readme_is_run() {
    let readme = readme();
    assert!(readme.lines().count() <= 160, "the README is a first page");
    let checks = page(".ci/run") + &page("justfile");
    for (language, text) in blocks(&readme) {
        let first = text.lines().next().unwrap();
        match language.as_str() {
            "rust" => assert!(text.contains("fn main()")),
            // Run by the tests of the Python package.
            "python" => {
                assert!(page("crates/python/tests/test_docs.py").contains("README.md"));
            }
            "yaml" => is_solvable(&text),
            // The content of `cards.txt`, which is solved below.
            "text" => {}
            "console" if RUN.iter().any(|prefix| first.starts_with(prefix)) => {}
            "console" => {
                let command = first.strip_prefix("$ ").unwrap();
                assert!(checks.contains(command), "nothing runs `{command}`");
            }
            other => panic!("a block in {other}: {text}"),
        }
    }
}

#[test]
fn the_puzzles_of_the_tutorial_and_of_the_format_are_solvable() {
    for (name, puzzles) in [("docs/tutorial.md", 1), ("docs/formats.md", 1)] {
        let page = page(name);
        let whole = blocks(&page).into_iter().filter(|(language, text)| {
            language == "yaml" && text.starts_with("name: ") && text.lines().count() > 8
        });
        let whole = whole.map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(whole.len(), puzzles, "{name}");
        for puzzle in whole {
            is_solvable(&puzzle);
        }
    }
}

fn is_solvable(puzzle: &str) {
    let problem = load::from_str(puzzle).unwrap();
    let solved = edgematch::solve(&problem);
    assert!(solved.outcome.status.is_complete());
    assert!(!solved.solutions.is_empty(), "{puzzle}");
}

#[test]
fn the_pictures_of_the_first_puzzle_are_what_the_program_draws() {
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(crate::ROOT);
    let puzzle = crate::session::puzzle("scramble-1");
    let tiles = folder.path().join("tiles.svg");
    let out = folder.path().join("out");
    run(&["show", &puzzle, "-o", tiles.to_str().unwrap()]);
    run(&["solve", "-q", &puzzle, "-o", out.to_str().unwrap()]);
    for (drawn, shown) in
        [(tiles, "docs/tutorial-tiles.svg"), (out.join("1.svg"), "docs/scramble-1.svg")]
    {
        let drawn = fs::read_to_string(drawn).unwrap();
        assert_eq!(drawn, fs::read_to_string(root.join(shown)).unwrap(), "{shown}");
    }
}

/// Tests the claim of the page that no puzzle with nine tiles folds into a cube.
#[test]
fn two_engines_prove_that_no_nine_tiles_fold_into_a_cube() {
    let overrides =
        load::ReadOverrides { board: Some("cube".into()), ..load::ReadOverrides::default() };
    let reading = overrides.options(str::to_owned).unwrap();
    let mut puzzles = 0;
    for (name, _) in crate::common::expected() {
        let path = Path::new(crate::ROOT).join(crate::session::puzzle(&name));
        if load::read(&path).unwrap().puzzle.tiles.len() != 9 {
            continue;
        }
        let (problem, _) = load::read_with_bytes(&path, &reading).unwrap();
        let engines: [&dyn Engine; 2] = [&Propagate, &Backtrack::Fast];
        for engine in engines {
            assert_eq!(complete(&problem, engine).tally.distinct.to_string(), "0", "{name}");
        }
        puzzles += 1;
    }
    let claim = format!(
        "In none of the {puzzles} puzzles with nine tiles in `puzzles/` do six tiles form a cube"
    );
    assert!(page("docs/boards.md").contains(&claim), "docs/boards.md does not say `{claim}`");
}

fn print_what_they_show(shown: Vec<(Vec<String>, Vec<String>)>) {
    let folder = playground();
    for (args, expected) in shown {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (args, shown) = match &args[..] {
            [args @ .., "|", "head", "-n", number] => (args.to_vec(), number.parse().unwrap()),
            all => (all.to_vec(), usize::MAX),
        };
        let (stdout, stderr) = run_in(folder.path(), &args);
        let printed: Vec<String> =
            stdout.lines().take(shown).chain(stderr.lines()).map(without_times).collect();
        let mut expected: Vec<String> = expected.iter().map(|l| without_times(l)).collect();
        if args[0] == "estimate" {
            // Probes are deterministic; times and their results are not.
            assert_eq!(printed.len(), expected.len());
            let choice = |lines: &[String]| {
                let line = lines.last().unwrap();
                line.split(':').next().unwrap().to_owned()
            };
            assert_eq!(choice(&printed), choice(&expected));
            continue;
        }
        if args[0] == "batch" {
            let stable = |lines: &[String]| -> Vec<String> {
                lines.iter().map(|l| without_batch_times(l)).collect()
            };
            assert_eq!(stable(&printed), stable(&expected));
            continue;
        }
        if args[0] == "results" {
            let stable = |lines: &[String]| -> Vec<String> {
                lines.iter().map(|l| without_last_time(l)).collect()
            };
            assert_eq!(stable(&printed), stable(&expected));
            continue;
        }
        if args[0] == "compare" {
            let stable = |lines: &[String]| -> Vec<String> {
                lines.iter().map(|l| without_measurements(l)).collect()
            };
            assert_eq!(stable(&printed), stable(&expected));
            continue;
        }
        if args.contains(&"--format") {
            expected.extend(stderr.lines().map(without_times));
        }
        assert_eq!(printed, expected, "{args:?}");
    }
}

#[test]
fn the_first_command_solves_the_puzzle_that_the_text_file_has() {
    let readme = readme();
    let commands: Vec<&str> = readme.lines().filter(|l| l.starts_with("$ ")).collect();
    assert!(commands[0].ends_with(" solve puzzles/scramble-1.yaml"));
    assert!(commands.contains(&"$ cargo test"));
    let (_, first) = &shown(&readme)[0];
    let (stdout, _) = run_in(playground().path(), &["solve", "cards.txt"]);
    assert_eq!(stdout.lines().collect::<Vec<_>>(), first[..first.len() - 1]);
}

#[test]
fn the_picture_of_a_search_is_what_the_example_draws() {
    let root = Path::new(crate::ROOT);
    let board = edgematch::load::read(&root.join("benches/boards/s6-k12-0.yaml")).unwrap();
    let drawn = search::picture(&board).unwrap();
    assert_eq!(drawn, fs::read_to_string(root.join("docs/search.svg")).unwrap());
}
