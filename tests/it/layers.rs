//! Data flows in one direction: a folder of the solver imports only from those before it, and no
//! files or folders of a crate import each other in a cycle. Between crates, Cargo forbids cycles.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::imports::{Imports, code, sources};

/// The source folders of the solver: the search, then what is built on it. A place is a path in
/// one of them.
const SOLVER: [&str; 2] = ["crates/core/src", "src"];

/// Folders of the solver that may import only from these modules, besides themselves.
const IMPORTS_ONLY: [(&str, &[&str]); 5] = [
    ("puzzle/", &[]),
    ("board/", &["puzzle"]),
    ("tables/", &["puzzle", "board"]),
    ("problem/", &["puzzle", "board", "tables"]),
    // The checker shares nothing with the searches.
    ("enumerate/solution/", &["runtime::limits", "puzzle", "board", "problem"]),
];

/// Modules of the solver that only these folders may import, besides themselves.
const ONLY_FOR: [(&str, &[&str]); 3] = [
    ("problem::constraints", &["problem/oddities/", "load/", "optimise/"]),
    ("load", &["export/", "analyse/merge/"]),
    ("model", &["engine/milp/", "export/"]),
];

/// The only places that may use the system's clock or threads, so that the solver runs where there
/// is neither.
const DOORS: [(&str, &[&str]); 2] = [
    ("runtime/clock/", &["Instant::now", "SystemTime"]),
    ("runtime/scheduler/", &["thread::spawn", "thread::Builder", "thread::scope", "thread::sleep"]),
];

/// All folders of the project that may contain code.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let is_visited = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        path.is_dir() && !name.starts_with('.') && !["target", "node_modules"].contains(&&*name)
    };
    let below = entries.filter(is_visited).flat_map(|path| folders(&path));
    std::iter::once(folder.to_owned()).chain(below).collect()
}

/// The source folder of each crate, program and test program.
fn crates() -> Vec<PathBuf> {
    let mut all = folders(Path::new(crate::ROOT));
    all.retain(|folder| ["lib.rs", "main.rs"].iter().any(|root| folder.join(root).exists()));
    all
}

/// The files of the solver, each with its place.
fn solver() -> impl Iterator<Item = (PathBuf, String)> {
    SOLVER.into_iter().flat_map(|root| {
        let root = Path::new(crate::ROOT).join(root);
        sources(&root).into_iter().map(move |path| {
            let place = path.strip_prefix(&root).unwrap().display().to_string();
            (path, place)
        })
    })
}

/// The modules named by `crate::…` in the code of a file, with one more path segment each.
fn imported(path: &Path) -> Vec<String> {
    let code = code(path);
    let is_path = |c: &char| c.is_alphanumeric() || *c == '_' || *c == ':';
    let module = |rest: &str| -> String {
        let path: String = rest.trim().chars().take_while(is_path).collect();
        path.split("::").take(2).collect::<Vec<&str>>().join("::")
    };
    let named = code.split("crate::").skip(1);
    named
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap().split(',').map(module).collect(),
            None => vec![module(rest)],
        })
        .collect()
}

/// Returns true if an import is of a module or of an item in it.
fn is_of(import: &str, module: &str) -> bool {
    import.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The folders in the order in which the two `lib.rs` list them.
fn layers() -> Vec<String> {
    let modules = |root: &str| -> Vec<String> {
        let text = fs::read_to_string(Path::new(crate::ROOT).join(root).join("lib.rs")).unwrap();
        let modules = text.lines().filter_map(|l| l.strip_prefix("pub mod "));
        modules.map(|l| l.trim_end_matches(';').to_owned()).collect()
    };
    SOLVER.into_iter().flat_map(modules).collect()
}

#[test]
fn a_folder_imports_only_from_those_before_it() {
    let layers = layers();
    let mut checked = 0;
    for (path, place) in solver() {
        let Some((folder, _)) = place.split_once('/') else { continue };
        let index = layers.iter().position(|layer| layer == folder);
        let index = index.unwrap_or_else(|| panic!("lib.rs does not list {folder}"));
        for import in imported(&path) {
            let before = &layers[..=index];
            assert!(
                before.iter().any(|layer| is_of(&import, layer)),
                "{place} imports {import}, which is not before it in lib.rs"
            );
            for (folder, allowed) in IMPORTS_ONLY.iter().filter(|(f, _)| place.starts_with(f)) {
                let own = folder.trim_end_matches('/').replace('/', "::");
                let may = allowed.iter().any(|module| is_of(&import, module));
                assert!(may || is_of(&import, &own), "{place} imports {import}");
            }
            for (module, users) in ONLY_FOR.iter().filter(|(module, _)| is_of(&import, module)) {
                let own = format!("{}/", module.replace("::", "/"));
                let may = users.iter().any(|user| place.starts_with(user));
                assert!(may || place.starts_with(&own), "{place} imports {import}");
            }
            checked += 1;
        }
    }
    assert!(checked > 50, "the test reads the imports");
}

/// The places that may compare labels, from the table in `ARCHITECTURE.md`.
fn may_compare_labels() -> Vec<String> {
    let text = fs::read_to_string(Path::new(crate::ROOT).join("ARCHITECTURE.md")).unwrap();
    let (_, table) = text.split_once("## Who compares labels").unwrap();
    let rows = table.lines().skip_while(|line| !line.starts_with('|'));
    let rows = rows.take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| Some(row.split('`').nth(1)?.to_owned())).collect()
}

#[test]
fn only_listed_places_compare_labels() {
    const COMPARISONS: [&str; 8] = [
        ".mate(",
        ".fit(",
        ".fitting(",
        ".fitting_table(",
        ".fits_mate_only(",
        ".matches(",
        ".are_known(",
        ".parts(",
    ];
    let listed = may_compare_labels();
    let mut compared = HashSet::new();
    for (path, place) in solver() {
        let code = code(&path);
        let builds = code.contains("Tables::build(");
        assert_eq!(builds, place == "problem/mod.rs", "{place} builds tables");
        let is_compared = COMPARISONS.iter().any(|name| code.contains(&format!("labels{name}")));
        let allowed = listed.iter().find(|listed| place.starts_with(*listed));
        assert!(allowed.is_some() || !is_compared, "{place} compares labels");
        compared.extend(allowed.filter(|_| is_compared));
        let searches = place.starts_with("enumerate/solution/") && code.contains(".tables()");
        assert!(!searches, "{place} takes from the tables what it checks");
    }
    let unused = listed.iter().find(|place| !compared.contains(place));
    assert_eq!(unused, None, "a place that compares no labels");
    assert!(compared.len() > 5, "the test reads the comparisons");
}

#[test]
fn no_files_or_folders_of_a_crate_import_each_other_in_a_cycle() {
    let crates = crates();
    for folder in folders(Path::new(crate::ROOT)) {
        let has_sources = crates.iter().any(|sources| sources.starts_with(&folder));
        assert!(
            has_sources || !folder.join("Cargo.toml").exists(),
            "no sources in {}",
            folder.display()
        );
    }
    for place in &crates {
        let imports = Imports::new(place);
        let place = place.display();
        assert_eq!(imports.cycle_of_files(), None, "{place}");
        assert_eq!(imports.cycle_in_a_folder(), None, "{place}");
    }
}

/// Only the command prints, ends the process and knows exit codes.
#[test]
fn libraries_neither_print_nor_exit() {
    const WORDS: [&str; 4] = ["print!", "println!", "process::exit", "ExitCode"];
    let crates = crates();
    for place in crates.iter().filter(|place| place.join("lib.rs").exists()) {
        for path in sources(place) {
            let code = code(&path);
            let named = WORDS.iter().find(|word| code.contains(**word));
            assert_eq!(named, None, "{}", path.display());
        }
    }
}

#[test]
fn the_certificate_checker_imports_no_search() {
    let not_of_the_search =
        ["puzzle", "board", "problem", "load", "enumerate::solution", "runtime::limits", "BigUint"];
    let mut files = sources(&Path::new(crate::ROOT).join("crates/proof/src"));
    files.retain(|path| !path.ends_with("record.rs"));
    assert!(files.iter().any(|path| path.ends_with("verify.rs")));
    for path in files {
        let code = code(&path);
        for rest in code.split("edgematch::").skip(1) {
            let may = not_of_the_search.iter().any(|module| rest.starts_with(module));
            let named: String = rest.chars().take(40).collect();
            assert!(may, "{} names `{named}`", path.display());
        }
        // A problem may also be searched through its methods.
        assert!(!code.contains(".solutions("), "{}", path.display());
        // The one file that sees the search must not be used as a detour.
        let takes = code.contains("record::") && !path.ends_with("lib.rs");
        assert!(!takes, "{}", path.display());
    }
}

#[test]
fn only_one_folder_names_the_solvers() {
    for (path, place) in solver() {
        let code = code(&path);
        let names_solver = code.contains("good_lp::") || code.contains("microlp::");
        assert_eq!(names_solver, place.starts_with("engine/milp/solver/"), "{place}");
        let names_yaml = code.contains("serde_yaml::");
        assert!(!names_yaml || place.starts_with("load/yaml"), "{place}");
    }
}

#[test]
fn time_and_threads_are_used_in_one_place_each() {
    for (door, words) in DOORS {
        let mut home = String::new();
        for (path, place) in solver() {
            let code = code(&path);
            let named = words.iter().find(|word| code.contains(**word));
            assert!(
                named.is_none() || place.starts_with(door),
                "{place} names {}",
                named.unwrap_or(&"")
            );
            if place.starts_with(door) {
                home += &code;
            }
        }
        assert!(words.iter().any(|word| home.contains(word)), "{door} opens nothing");
    }
}

/// A custom constraint or engine needs nothing that the documentation hides.
#[test]
fn examples_use_only_documented_items() {
    for name in ["own_constraint.rs", "own_engine.rs"] {
        let code = code(&Path::new(crate::ROOT).join("examples").join(name));
        for named in code.split("edgematch::").skip(1) {
            let names =
                named.strip_prefix('{').map_or(named, |list| list.split('}').next().unwrap());
            for name in names.split(',').map(str::trim) {
                let path = name.split(';').next().unwrap();
                let is_open = path.starts_with("load") || path.starts_with("model");
                assert!(is_open || !path.contains("::"), "{path}");
            }
        }
    }
}

/// Messages of the library are also shown in a browser and in Python, where there are no flags.
#[test]
fn only_the_command_names_its_flags() {
    const CRATES: [&str; 10] = [
        "src",
        "crates/core/src",
        "crates/proof/src",
        "crates/draw/src",
        "crates/report/src",
        "crates/read/src",
        "crates/batch/src",
        "crates/play/src",
        "crates/web/src",
        "crates/python/src",
    ];
    for place in CRATES {
        let files = sources(&Path::new(crate::ROOT).join(place));
        assert!(!files.is_empty(), "{place}");
        for path in files {
            let code = code(&path);
            let begins_flag =
                |rest: &&str| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == '{');
            let flag = code.split("--").skip(1).find(begins_flag);
            let word = flag.and_then(|rest| rest.split_whitespace().next());
            assert_eq!(word, None, "{} names a flag", path.display());
        }
    }
}
