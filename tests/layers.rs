//! Data flows in one direction: a folder imports only from the folders that it may, and the model
//! is seen by one engine alone.

use std::fs;
use std::path::{Path, PathBuf};

/// Each folder of the library with those that it may import from, in the order of the flow.
const LAYERS: [(&str, &[&str]); 28] = [
    ("clock", &[]),
    ("threads", &[]),
    ("puzzle", &[]),
    ("board", &["puzzle"]),
    ("constraints", &["puzzle", "board"]),
    ("load", &["puzzle", "board", "constraints"]),
    ("tables", &["puzzle", "board"]),
    ("domains", &["threads", "puzzle", "board", "tables"]),
    ("model", &["puzzle", "board", "load", "tables", "domains"]),
    (
        "engine",
        &["threads", "puzzle", "board", "tables", "domains"],
    ),
    ("solution", &["puzzle", "board"]),
    ("enumerate", &["puzzle", "board", "engine", "solution"]),
    // The engine is seen by what writes a proof, not by what checks one.
    ("certify", &["puzzle", "board", "load", "solution"]),
    ("draw", &["puzzle", "board", "solution"]),
    // Only the list of formulations, from which it makes its list of engines.
    (
        "compare",
        &["board", "model", "engine", "enumerate", "solution"],
    ),
    (
        "describe",
        &["puzzle", "board", "tables", "domains", "model"],
    ),
    (
        "estimate",
        &["clock", "board", "tables", "engine", "enumerate"],
    ),
    (
        "hint",
        &[
            "puzzle",
            "board",
            "tables",
            "domains",
            "engine",
            "enumerate",
        ],
    ),
    (
        "optimise",
        &[
            "puzzle",
            "board",
            "constraints",
            "domains",
            "solution",
            "engine",
            "enumerate",
        ],
    ),
    ("explain", &["puzzle", "board", "engine", "enumerate"]),
    ("generate", &["puzzle", "board", "engine", "enumerate"]),
    // What parts have written.
    ("merge", &["load", "engine"]),
    // What a run says, from results only.
    (
        "report",
        &[
            "board",
            "load",
            "engine",
            "enumerate",
            "describe",
            "compare",
            "estimate",
            "optimise",
            "merge",
            "generate",
            "solution",
        ],
    ),
    // It stores what a run says.
    (
        "batch",
        &[
            "puzzle",
            "board",
            "load",
            "engine",
            "enumerate",
            "certify",
            "compare",
            "report",
        ],
    ),
    // It shows what is stored.
    (
        "catalogue",
        &[
            "board", "load", "engine", "solution", "certify", "draw", "report", "batch",
        ],
    ),
    (
        "watch",
        &[
            "puzzle",
            "board",
            "domains",
            "engine",
            "enumerate",
            "solution",
        ],
    ),
    // What a page needs to play, and its answers.
    (
        "page",
        &[
            "puzzle",
            "board",
            "constraints",
            "load",
            "engine",
            "solution",
            "enumerate",
            "draw",
            "hint",
            "generate",
            "report",
            "watch",
        ],
    ),
    // The only one that knows of the network.
    (
        "serve",
        &["threads", "board", "load", "draw", "enumerate", "page"],
    ),
];

/// Folders that may see more than the folder they lie in.
const EXCEPTIONS: [(&str, &[&str]); 2] = [
    ("engine/milp", &["model"]),
    ("certify/record.rs", &["engine", "enumerate"]),
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// The folders named by `crate::…` in the code of a file, tests and comments left out.
fn imports(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap();
    let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
    let named = lines.flat_map(|l| {
        l.split("crate::")
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    });
    named
        .map(|rest| {
            rest.chars()
                .take_while(|c| c.is_alphanumeric() || *c == '_')
                .collect()
        })
        .collect()
}

#[test]
fn a_folder_imports_only_from_those_that_it_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut checked = 0;
    for (folder, allowed) in LAYERS {
        for path in sources(&root.join(folder)) {
            let place = path.strip_prefix(&root).unwrap().display().to_string();
            let more = EXCEPTIONS
                .iter()
                .filter(|(prefix, _)| place.starts_with(prefix));
            let more: Vec<&str> = more.flat_map(|(_, more)| more.iter().copied()).collect();
            for import in imports(&path) {
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
    let text =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let listed = text.lines().filter_map(|l| l.strip_prefix("pub mod "));
    let listed: Vec<&str> = listed.map(|l| l.trim_end_matches(';')).collect();
    let layers: Vec<&str> = LAYERS.iter().map(|l| l.0).collect();
    assert_eq!(
        listed, layers,
        "lib.rs lists the folders in the order of the flow"
    );
}

#[test]
fn what_checks_a_certificate_sees_nothing_of_what_searched() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let of_the_search = ["tables", "domains", "model", "engine", "enumerate"];
    let mut files = sources(&root.join("certify"));
    files.retain(|path| !path.ends_with("certify/record.rs"));
    assert!(files.iter().any(|path| path.ends_with("certify/verify.rs")));
    for path in files {
        let own = imports(&path);
        let seen = own
            .iter()
            .find(|name| of_the_search.contains(&name.as_str()));
        assert_eq!(seen, None, "{}", path.display());
        // Nor by way of the one file that sees the search.
        let text = fs::read_to_string(&path).unwrap();
        let takes = text.contains("record::") && !path.ends_with("certify/mod.rs");
        assert!(!takes, "{}", path.display());
    }
}

#[test]
fn only_one_folder_names_the_solvers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in sources(&root) {
        let place = path.strip_prefix(&root).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
        let names_solver = code
            .clone()
            .any(|l| l.contains("good_lp::") || l.contains("microlp::"));
        assert_eq!(
            names_solver,
            place.starts_with("engine/milp/solver/"),
            "{place}"
        );
        let names_yaml = code.clone().any(|l| l.contains("serde_yaml::"));
        assert!(!names_yaml || place.starts_with("load/yaml"), "{place}");
    }
}
