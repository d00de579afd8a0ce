//! The models of known puzzles have as many solutions as their documentation claims.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use edgematch::enumerate::Limits;
use edgematch::{enumerate, load};

/// A line of the table: a model, its distinct arrangements, its solutions.
type Row = (String, String, String);

/// Models that take more than a second or two in unoptimised builds.
const LONG: [&str; 8] = [
    "macmahon-squares-4x6",
    "macmahon-triangles",
    "squarematch-solids",
    "triominoes-hexagon",
    "dominoes-double-four-ring",
    "dominoes-double-four-line",
    "owen-1-6",
    "owen-2-6",
];

fn table() -> Vec<Row> {
    let page = Path::new(crate::ROOT).join("docs/models.md");
    let page = fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| {
        let name = line.strip_prefix("| [`")?.split('`').next()?;
        let columns: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |column: usize| columns[column].replace(',', "");
        Some((name.to_owned(), number(3), number(4)))
    });
    rows.collect()
}

fn assert_counted((name, distinct, solutions): &Row) {
    let file = Path::new(crate::ROOT).join(format!("puzzles/models/{name}.yaml"));
    let problem = load::read(&file).unwrap();
    assert_eq!(&problem.puzzle.name, name);
    assert!(problem.puzzle.title.is_some() && problem.puzzle.source.is_some(), "{name}");
    let limits = Limits { threads: 2, ..Limits::default() };
    let counted = enumerate::count(&problem, &limits, None);
    assert!(counted.status.is_complete(), "{name}: {:?}", counted.status);
    let found = (counted.tally.distinct.to_string(), counted.tally.solutions.to_string());
    assert_eq!(found, (distinct.clone(), solutions.clone()), "{name}");
}

#[test]
fn fast_models_have_the_stated_counts() {
    let table = table();
    let files = fs::read_dir(Path::new(crate::ROOT).join("puzzles/models")).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let files: BTreeSet<String> =
        files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    let rows: BTreeSet<String> = table.iter().map(|(name, ..)| name.clone()).collect();
    assert_eq!(rows, files, "every model has its line");
    assert!(files.len() >= 30);
    let short = table.iter().filter(|(name, ..)| !LONG.contains(&name.as_str()));
    short.for_each(assert_counted);
}

#[test]
#[ignore = "takes half a minute in release; .ci/run runs it"]
fn every_model_has_the_stated_counts() {
    table().iter().for_each(assert_counted);
}
