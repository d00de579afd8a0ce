//! The imports between the files of a crate, read from their text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The path of a module from the root of its crate: `load`, `yaml`.
type Module = Vec<String>;

/// All source files in a folder and its subfolders.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> = entries
        .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
        .collect();
    files.sort();
    files
}

/// The code of a file, without tests and comments.
pub fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The files of a crate, each with the files that it imports from. Imports of a `mod.rs` from its
/// own folder are ignored, because it only lists the folder's contents.
pub struct Imports {
    modules: BTreeMap<Module, File>,
}

struct File {
    place: String,
    is_face: bool,
    /// Every path in this crate that its code names.
    paths: Vec<Module>,
    /// The items that it re-exports, by name.
    handed_on: BTreeMap<String, Module>,
}

impl Imports {
    /// Reads the source folder of a crate.
    pub fn new(folder: &Path) -> Imports {
        let mut files = sources(folder);
        // A program next to a library imports the library as another crate.
        if folder.join("lib.rs").exists() {
            files.retain(|path| *path != folder.join("main.rs"));
        }
        let named = files.iter().map(|path| (module(folder, path), path));
        let names: BTreeSet<Module> = named.clone().map(|(module, _)| module).collect();
        let modules = named.map(|(module, path)| {
            let code = code(path);
            let mut paths = Vec::new();
            let mut handed_on = BTreeMap::new();
            for (is_public, path, name) in uses(&code) {
                if let Some(path) = from_root(&names, &module, &path) {
                    if is_public {
                        handed_on.insert(name, path.clone());
                    }
                    paths.push(path);
                }
            }
            paths.extend(inline(&code).iter().filter_map(|path| from_root(&names, &module, path)));
            let file = File {
                place: path.strip_prefix(folder).unwrap().display().to_string(),
                is_face: ["mod.rs", "lib.rs", "main.rs"].iter().any(|n| path.ends_with(n)),
                paths,
                handed_on,
            };
            (module, file)
        });
        Imports { modules: modules.collect() }
    }

    /// The module in which the item at a path is defined.
    fn home(&self, path: &[String]) -> Option<&Module> {
        let depth =
            (0..=path.len()).rev().find(|&depth| self.modules.contains_key(&path[..depth]))?;
        let (module, file) = self.modules.get_key_value(&path[..depth])?;
        match path.get(depth).and_then(|name| file.handed_on.get(name)) {
            Some(further) => self.home(further),
            None => Some(module),
        }
    }

    fn imported(&self, module: &Module, file: &File) -> BTreeSet<&Module> {
        let homes = file.paths.iter().filter_map(|path| self.home(path));
        homes
            .filter(|home| *home != module && !(file.is_face && home.starts_with(module)))
            .collect()
    }

    /// A cycle of files that import each other; the first file is repeated at the end.
    pub fn cycle_of_files(&self) -> Option<Vec<String>> {
        let imports = self.modules.iter();
        let imports = imports.map(|(module, file)| (module, self.imported(module, file)));
        let cycle = cycle(&imports.collect())?;
        let place = |module: &&Module| self.modules[*module].place.clone();
        Some(cycle.iter().map(place).collect())
    }

    /// A cycle of entries (files or folders) in one folder that import each other.
    pub fn cycle_in_a_folder(&self) -> Option<Vec<String>> {
        self.modules.keys().find_map(|folder| {
            let entry = |module: &Module| {
                let inside = module.starts_with(folder);
                module.get(folder.len()).filter(|_| inside).cloned()
            };
            let mut imports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
            for (module, file) in &self.modules {
                let Some(from) = entry(module) else { continue };
                let homes = self.imported(module, file).into_iter();
                let others = homes.filter_map(entry).filter(|to| *to != from);
                imports.entry(from.clone()).or_default().extend(others);
            }
            cycle(&imports)
        })
    }
}

/// The nodes of a cycle in a graph; the first one is repeated at the end.
fn cycle<T: Ord + Clone>(graph: &BTreeMap<T, BTreeSet<T>>) -> Option<Vec<T>> {
    fn search<T: Ord + Clone>(
        graph: &BTreeMap<T, BTreeSet<T>>,
        node: &T,
        path: &mut Vec<T>,
        done: &mut BTreeSet<T>,
    ) -> Option<Vec<T>> {
        if let Some(start) = path.iter().position(|earlier| earlier == node) {
            return Some([&path[start..], std::slice::from_ref(node)].concat());
        }
        if !done.insert(node.clone()) {
            return None;
        }
        path.push(node.clone());
        let mut next = graph.get(node).into_iter().flatten();
        let found = next.find_map(|next| search(graph, next, path, done));
        path.pop();
        found
    }
    let mut done = BTreeSet::new();
    let mut nodes = graph.keys();
    nodes.find_map(|node| search(graph, node, &mut Vec::new(), &mut done))
}

fn module(folder: &Path, path: &Path) -> Module {
    let place = path.strip_prefix(folder).unwrap().with_extension("");
    let names = place.iter().map(|name| name.to_string_lossy().into_owned());
    names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str())).collect()
}

/// Resolves a path in a module from the root of the crate; `None` if it leads out of the crate.
fn from_root(names: &BTreeSet<Module>, module: &Module, path: &[String]) -> Option<Module> {
    let mut here = module.clone();
    let mut rest = path;
    match rest.first()?.as_str() {
        "crate" => {
            here.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                here.pop();
                rest = &rest[1..];
            }
        }
        first => {
            let child = [&here[..], &[first.to_owned()]].concat();
            if !names.contains(&child) {
                return None;
            }
        }
    }
    Some([&here[..], rest].concat())
}

/// The imports of a file: whether each is re-exported, its path, and its local name.
fn uses(code: &str) -> Vec<(bool, Module, String)> {
    let mut found = Vec::new();
    let mut statement: Option<(bool, String)> = None;
    for line in code.lines() {
        let (words, is_public) = match line.split_once("use ") {
            Some(("", rest)) => (rest, false),
            Some((before, rest)) if before.starts_with("pub") => (rest, true),
            _ => (line, false),
        };
        let is_start = words.len() < line.len();
        if is_start && statement.is_none() {
            statement = Some((is_public, String::new()));
        }
        let is_tree = |c: char| c.is_alphanumeric() || "_:{},;* ".contains(c);
        if !words.chars().all(is_tree) {
            statement = None;
        }
        let Some((is_public, text)) = &mut statement else {
            continue;
        };
        *text += if is_start { words } else { line };
        if text.trim_end().ends_with(';') {
            let tree: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
            expand(tree.trim_end_matches(';'), &mut Vec::new(), &mut |path, name| {
                found.push((*is_public, path, name));
            });
            statement = None;
        }
    }
    found
}

/// Expands `a::{b, c::d as e}` to `a::b` and `a::c::d`, the latter named `e`.
fn expand(tree: &str, before: &mut Module, found: &mut dyn FnMut(Module, String)) {
    let tree = tree.trim();
    let brace = tree.find('{');
    if let Some((first, rest)) = tree.split_once("::")
        && brace.is_none_or(|brace| first.len() < brace)
    {
        before.push(first.to_owned());
        expand(rest, before, found);
        before.pop();
    } else if let Some(inner) = tree.strip_prefix('{') {
        let inner = inner.strip_suffix('}').expect("a brace that closes");
        let mut depth = 0;
        let mut start = 0;
        for (at, c) in inner.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    expand(&inner[start..at], before, found);
                    start = at + 1;
                }
                _ => {}
            }
        }
        expand(&inner[start..], before, found);
    } else if !tree.is_empty() {
        let (name, called) = tree.split_once(" as ").unwrap_or((tree, tree));
        let mut path = before.clone();
        if name != "self" && name != "*" {
            path.push(name.to_owned());
        }
        let called = match called {
            "self" => before.last().cloned().unwrap_or_default(),
            called => called.to_owned(),
        };
        found(path, called);
    }
}

/// Paths that are written in full where they are used.
fn inline(code: &str) -> Vec<Module> {
    let starts = ["crate::", "super::"];
    let uses = |line: &&str| !line.contains("use ");
    let lines = code.lines().filter(uses);
    let paths = lines.flat_map(|line| {
        starts.into_iter().flat_map(move |start| {
            line.match_indices(start).map(|(at, _)| {
                let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
                let path: String = line[at..].chars().take_while(|&c| is_name(c)).collect();
                path.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect()
            })
        })
    });
    paths.collect()
}

#[test]
fn use_trees_are_read() {
    let code = "use a::{b, c::{self, d as e}};\npub(super) use super::f::G;\npub use x::{\n    Y,\n    Z,\n};\n";
    let found: Vec<(bool, String, String)> = uses(code)
        .into_iter()
        .map(|(is_public, path, name)| (is_public, path.join("::"), name))
        .collect();
    let expected = [
        (false, "a::b", "b"),
        (false, "a::c", "c"),
        (false, "a::c::d", "e"),
        (true, "super::f::G", "G"),
        (true, "x::Y", "Y"),
        (true, "x::Z", "Z"),
    ]
    .map(|(is_public, path, name)| (is_public, path.into(), name.into()));
    assert_eq!(found, expected);
}

#[test]
fn a_cycle_is_found_through_reexports_and_between_folders() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\n");
    write("a/mod.rs", "mod inner;\npub use inner::Thing;\n");
    write("a/inner.rs", "pub struct Thing;\n");
    write("b.rs", "use crate::a::Thing;\n");
    let cycles = || {
        let imports = Imports::new(folder.path());
        let names = |cycle: Option<Vec<String>>| cycle.map(|cycle| cycle.join(" "));
        [names(imports.cycle_of_files()), names(imports.cycle_in_a_folder())]
    };
    assert_eq!(cycles(), [None, None]);
    write("a/other.rs", "use crate::b::Other;\n");
    assert_eq!(cycles(), [None, Some("a b a".into())]);
    write("a/inner.rs", "use crate::b::Other;\npub struct Thing;\n");
    let files = "a/inner.rs b.rs a/inner.rs";
    assert_eq!(cycles(), [Some(files.into()), Some("a b a".into())]);
}
