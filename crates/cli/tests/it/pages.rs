//! Facts in the README and the pages of `docs` that can be counted or looked up.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use edgematch::board::{Board, MOST_SIDES};
use edgematch::engine::{ENGINES, Engine, Propagate};
use edgematch::load::PUZZLE_FORMATS;
use edgematch::problem::constraints::{Field, FieldType, KINDS};
use edgematch::problem::{Problem, ProblemBuilder};
use walkdir::WalkDir;

use crate::session::{at_root, grouped};

/// Asserts that a page contains these words, ignoring line breaks.
fn says(page: &str, words: &str) {
    let text = fs::read_to_string(at_root(page)).unwrap();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(words), "{page} does not say `{words}`");
}

/// A small number as a word.
fn in_words(number: usize) -> &'static str {
    const WORDS: [&str; 23] = [
        "no",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
        "twenty-one",
        "twenty-two",
    ];
    WORDS[number]
}

fn puzzles_in(folder: &str) -> usize {
    let entries = fs::read_dir(at_root(folder)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).count()
}

#[test]
fn puzzles_are_counted() {
    let puzzles = puzzles_in("puzzles") + puzzles_in("puzzles/boards");
    let models = puzzles_in("puzzles/models");
    says("README.md", &format!("`puzzles/` has {puzzles} puzzles, "));
    says("README.md", &format!("and {models} [models of known"));
    says("docs/models.md", &format!("Here are {models} puzzles "));
}

#[test]
fn methods_constraints_and_forms_are_counted() {
    // Without `auto`, which chooses one of the others.
    let methods = in_words(ENGINES.len() - 1);
    let independent = format!("{methods} independent methods");
    let (first, rest) = independent.split_at(1);
    says("README.md", &format!("[{}{rest}](docs/search.md)", first.to_uppercase()));
    says("docs/troubleshooting.md", &format!("tests compare {methods} independent methods"));
    // `any`, `not` and others contain constraints.
    let is_plain =
        |field: &Field| !matches!(field.field_type, FieldType::Constraint | FieldType::Constraints);
    let plain = KINDS.iter().filter(|kind| kind.takes.fields.iter().all(is_plain));
    let kinds = in_words(plain.count());
    says("README.md", &format!("as data: {kinds} kinds, and `any`,"));
    // YAML is our own, and lists of tiles are only read.
    let written = PUZZLE_FORMATS.iter().filter(|form| form.is_written());
    let forms = in_words(written.count() - 1);
    says("README.md", &format!("[{forms} other file formats](docs/formats.md)"));
}

/// The number of the library's dependencies with all and with fewer features.
#[test]
fn crates_are_counted() {
    let number = |features: &[&str]| {
        let tree = ["tree", "--offline", "--locked", "--package", "edgematch"];
        let form = ["--edges", "normal", "--prefix", "none", "--no-dedupe"];
        let output = Command::new(env!("CARGO"))
            .current_dir(crate::ROOT)
            .args(tree)
            .args(form)
            .args(features)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let lines = String::from_utf8(output.stdout).unwrap();
        // Without the first line, the library itself.
        lines.lines().collect::<HashSet<&str>>().len() - 1
    };
    let (all, few) = (number(&[]), number(&["--no-default-features"]));
    says("README.md", &format!("depends on {all} crates, none"));
    says("README.md", &format!("and on {few} without the default features"));
}

#[test]
fn limits_are_those_of_the_engines() {
    let limit = |labels: usize, tiles: usize| {
        let label = |number: usize| format!("x{}", number % labels);
        let tile = |problem: ProblemBuilder, n: usize| {
            let edges = [n, n / labels, n / labels / labels, labels - 1].map(label);
            problem.tile(n.to_string(), edges)
        };
        let problem = (0..tiles).fold(Problem::builder("large"), tile);
        let problem = problem.with_board(Board::grid(1, 1)).build().unwrap();
        let refused = Propagate.serves(&problem).unwrap_err();
        let digits: String = refused.chars().filter(char::is_ascii_digit).collect();
        grouped(digits.parse().unwrap())
    };
    let (values, labels) = (limit(20, 5_000), limit(2_000, 2_000));
    says(
        "README.md",
        &format!("up to {values} combinations of tile and rotation, and {labels} labels"),
    );
    says("README.md", &format!("polygons with 3 to {MOST_SIDES} sides"));
}

#[test]
fn every_command_is_in_the_table_at_the_top() {
    let page = fs::read_to_string(at_root("docs/commands.md")).unwrap();
    let sections = page.split("<!-- options: ").skip(1);
    let names = sections.filter_map(|section| Some(section.split_once(" -->")?.0));
    let (table, _) = page.split_once("**The puzzle.**").unwrap();
    for name in names.filter(|name| *name != "all") {
        assert!(table.contains(&format!("[{name}](#{name})")), "{name}");
    }
}

#[test]
fn the_book_lists_every_page() {
    let summary = fs::read_to_string(at_root("docs/SUMMARY.md")).unwrap();
    let mut listed: Vec<&str> =
        summary.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    let names = fs::read_dir(at_root("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    pages.retain(|name| name.ends_with(".md") && name != "SUMMARY.md");
    pages.sort();
    listed.sort_unstable();
    assert_eq!(listed, pages);
}

const PAGES: [&str; 5] =
    ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "crates/python/README.md", "docs"];

#[test]
fn files_that_pages_name_are_there() {
    let below = |folder: &str| WalkDir::new(at_root(folder)).into_iter().map(Result::unwrap);
    let folders = ["src", "crates", "tests", "benches", "examples"];
    let sources: Vec<String> = folders
        .into_iter()
        .flat_map(below)
        .map(|entry| entry.path().display().to_string())
        .filter(|path| path.ends_with(".rs"))
        .collect();
    let mut named = 0;
    let pages = PAGES.into_iter().flat_map(below).map(|entry| entry.into_path());
    for page in pages.filter(|page| page.extension().is_some_and(|ending| ending == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        let quoted = text.split('`').skip(1).step_by(2);
        for source in quoted.filter(|quoted| quoted.ends_with(".rs") && !quoted.contains(' ')) {
            let is_there = sources.iter().any(|path| path.ends_with(&format!("/{source}")));
            assert!(is_there, "{} names {source}", page.display());
            named += 1;
        }
        for link in text.split("](").skip(1).filter_map(|rest| rest.split_once([')', '#'])) {
            let path = page.parent().unwrap_or(Path::new("")).join(link.0);
            let is_there = link.0.contains("://") || path.exists();
            assert!(is_there, "{} leads to {}", page.display(), link.0);
        }
    }
    assert!(named > 10, "files are found in the pages");
}
