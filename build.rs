//! Names the sources by their content, so that results can be told apart by what computed them.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn main() {
    let mut files: Vec<PathBuf> = ["Cargo.toml", "Cargo.lock", "build.rs"]
        .map(PathBuf::from)
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    collect(Path::new("src"), &mut files);
    files.sort();
    let mut hash = Sha256::new();
    for path in &files {
        let bytes = fs::read(path).expect("cargo reads the sources, too");
        // The length keeps the end of one file apart from the beginning of the next.
        let name = path.to_string_lossy().replace('\\', "/");
        hash.update(format!("{name}\n{}\n", bytes.len()));
        hash.update(&bytes);
        println!("cargo::rerun-if-changed={}", path.display());
    }
    // Files that come and go.
    println!("cargo::rerun-if-changed=src");
    let digits: String = hash.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    println!("cargo::rustc-env=EDGEMATCH_SOURCES={digits}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("a folder of the project");
    for entry in entries.flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => collect(&path, files),
            false => files.push(path),
        }
    }
}
