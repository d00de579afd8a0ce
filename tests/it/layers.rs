//! Data flows in one direction: a folder imports only from the folders that it may, the model is
//! seen by one engine alone, and no files import one another in a circle. Between crates that is
//! Cargo's business.

use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::{Imports, code, sources};

/// Each folder of the library with those that it may import from, in the order of the flow.
const LAYERS: [(&str, &[&str]); 25] = [
    ("clock", &[]),
    ("random", &[]),
    ("scheduler", &["clock"]),
    ("puzzle", &[]),
    ("board", &["puzzle"]),
    ("problem", &["puzzle", "board"]),
    ("constraints", &["puzzle", "board", "problem"]),
    ("warnings", &["puzzle", "problem"]),
    (
        "load",
        &["puzzle", "board", "problem", "constraints", "warnings"],
    ),
    ("tables", &["puzzle", "board", "problem"]),
    (
        "domains",
        &[
            "random",
            "scheduler",
            "puzzle",
            "board",
            "problem",
            "tables",
        ],
    ),
    ("counting", &["puzzle", "board", "problem", "domains"]),
    (
        "model",
        &["puzzle", "board", "problem", "load", "tables", "domains"],
    ),
    (
        "engine",
        &[
            "random",
            "clock",
            "scheduler",
            "puzzle",
            "board",
            "problem",
            "tables",
            "domains",
            "counting",
        ],
    ),
    ("solution", &["puzzle", "board", "problem"]),
    (
        "enumerate",
        &[
            "clock",
            "scheduler",
            "puzzle",
            "board",
            "problem",
            "engine",
            "solution",
        ],
    ),
    (
        "halves",
        &[
            "clock",
            "random",
            "scheduler",
            "puzzle",
            "board",
            "problem",
            "tables",
            "domains",
            "engine",
            "solution",
            "enumerate",
        ],
    ),
    (
        "compare",
        &[
            "clock",
            "scheduler",
            "board",
            "problem",
            "engine",
            "enumerate",
            "solution",
        ],
    ),
    (
        "estimate",
        &[
            "random",
            "clock",
            "board",
            "problem",
            "tables",
            "engine",
            "enumerate",
        ],
    ),
    (
        "hint",
        &[
            "clock",
            "puzzle",
            "board",
            "problem",
            "tables",
            "domains",
            "engine",
            "enumerate",
        ],
    ),
    (
        "optimise",
        &[
            "random",
            "clock",
            "scheduler",
            "puzzle",
            "board",
            "problem",
            "constraints",
            "domains",
            "engine",
            "solution",
            "enumerate",
        ],
    ),
    (
        "explain",
        &[
            "clock",
            "puzzle",
            "board",
            "problem",
            "counting",
            "engine",
            "enumerate",
        ],
    ),
    (
        "doctor",
        &[
            "clock",
            "puzzle",
            "board",
            "problem",
            "warnings",
            "engine",
            "enumerate",
        ],
    ),
    (
        "generate",
        &[
            "random",
            "clock",
            "puzzle",
            "board",
            "problem",
            "warnings",
            "engine",
            "enumerate",
        ],
    ),
    // What parts have written.
    ("merge", &["load", "engine"]),
];

/// Folders that may see more than the folder they lie in.
const EXCEPTIONS: [(&str, &[&str]); 1] = [("engine/milp", &["model"])];

/// What knows of the time and of threads: nothing else in the solver asks the system for either, so
/// that it runs where there is neither.
const DOORS: [(&str, &[&str]); 2] = [
    ("clock/", &["Instant::now", "SystemTime"]),
    (
        "scheduler/",
        &[
            "thread::spawn",
            "thread::Builder",
            "thread::scope",
            "thread::sleep",
        ],
    ),
];

/// The crates of the workspace.
const CRATES: [&str; 7] = [
    "src",
    "crates/proof/src",
    "crates/draw/src",
    "crates/report/src",
    "crates/batch/src",
    "crates/play/src",
    "crates/cli/src",
];

fn src() -> PathBuf {
    Path::new(crate::ROOT).join("src")
}

/// The folders named by `crate::…` in the code of a file.
fn folders(path: &Path) -> Vec<String> {
    let code = code(path);
    let name = |rest: &str| -> String {
        rest.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let named = code.split("crate::").skip(1);
    named
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => {
                let list = list.split('}').next().unwrap();
                list.split(',').map(|item| name(item.trim())).collect()
            }
            None => vec![name(rest)],
        })
        .collect()
}

#[test]
fn a_folder_imports_only_from_those_that_it_may() {
    let mut checked = 0;
    for (folder, allowed) in LAYERS {
        for path in sources(&src().join(folder)) {
            let place = path.strip_prefix(src()).unwrap().display().to_string();
            let more = EXCEPTIONS
                .iter()
                .filter(|(prefix, _)| place.starts_with(prefix));
            let more: Vec<&str> = more.flat_map(|(_, more)| more.iter().copied()).collect();
            for import in folders(&path) {
                let is_own = import == folder;
                let is_allowed =
                    allowed.contains(&import.as_str()) || more.contains(&import.as_str());
                assert!(is_own || is_allowed, "src/{place} imports {import}");
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "the test reads the imports");
}

#[test]
fn every_folder_of_the_library_has_its_layer() {
    let text = fs::read_to_string(src().join("lib.rs")).unwrap();
    let listed: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("pub mod "))
        .map(|l| l.trim_end_matches(';'))
        .collect();
    let layers: Vec<&str> = LAYERS.iter().map(|l| l.0).collect();
    assert_eq!(
        listed, layers,
        "lib.rs lists the folders in the order of the flow"
    );
}

#[test]
fn no_files_import_one_another_in_a_circle() {
    for place in CRATES {
        let imports = Imports::new(&Path::new(crate::ROOT).join(place));
        assert!(
            imports.number() > 5,
            "the test reads the imports of {place}"
        );
        assert_eq!(imports.circle(), None, "{place}");
    }
}

#[test]
fn what_checks_a_certificate_sees_nothing_of_what_searched() {
    let not_of_the_search = ["puzzle", "board", "problem", "load", "solution", "BigUint"];
    let mut files = sources(&Path::new(crate::ROOT).join("crates/proof/src"));
    files.retain(|path| !path.ends_with("record.rs"));
    assert!(files.iter().any(|path| path.ends_with("verify.rs")));
    for path in files {
        let code = code(&path);
        for rest in code.split("edgematch::").skip(1) {
            let is_name = |c: &char| c.is_alphanumeric() || *c == '_';
            let named: String = rest.chars().take_while(is_name).collect();
            let may = not_of_the_search.contains(&named.as_str());
            assert!(may, "{} names `{named}`", path.display());
        }
        // What a problem does by itself.
        assert!(!code.contains(".solutions("), "{}", path.display());
        // Nor by way of the one file that sees the search.
        let takes = code.contains("record::") && !path.ends_with("lib.rs");
        assert!(!takes, "{}", path.display());
    }
}

#[test]
fn only_one_folder_names_the_solvers() {
    for path in sources(&src()) {
        let place = path.strip_prefix(src()).unwrap().display().to_string();
        let code = code(&path);
        let names_solver = code.contains("good_lp::") || code.contains("microlp::");
        assert_eq!(
            names_solver,
            place.starts_with("engine/milp/solver/"),
            "{place}"
        );
        let names_yaml = code.contains("serde_yaml::");
        assert!(!names_yaml || place.starts_with("load/yaml"), "{place}");
    }
}

#[test]
fn time_and_threads_have_one_door_each() {
    for (door, words) in DOORS {
        for path in sources(&src()) {
            let place = path.strip_prefix(src()).unwrap().display().to_string();
            let code = code(&path);
            let named = words.iter().find(|word| code.contains(**word));
            assert!(
                named.is_none() || place.starts_with(door),
                "src/{place} names {}",
                named.unwrap_or(&"")
            );
        }
        let home = sources(&src().join(door))
            .iter()
            .map(|path| code(path))
            .collect::<String>();
        assert!(
            words.iter().any(|word| home.contains(word)),
            "{door} opens nothing"
        );
    }
}
