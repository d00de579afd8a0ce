//! Running the program, and writing files for it.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

/// The program, run from the root of the project.
pub fn edgematch(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("edgematch").expect("cargo builds the program");
    command.current_dir(crate::ROOT).args(args);
    command
}

/// What a run of the program left behind.
pub struct Session {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the program with this on standard input.
pub fn run_with_input(args: &[&str], input: impl Into<Vec<u8>>) -> Session {
    let output = edgematch(args).write_stdin(input.into()).output().unwrap();
    Session {
        code: output.status.code().expect("not ended by a signal"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs the program.
pub fn run(args: &[&str]) -> Session {
    run_with_input(args, "")
}

/// A file or folder of the project, wherever the test runs.
pub fn at_root(path: &str) -> PathBuf {
    Path::new(crate::ROOT).join(path)
}

/// The path of one of the puzzles, from the root of the project.
pub fn puzzle(name: &str) -> String {
    format!("puzzles/{name}.yaml")
}

/// Writes a file into a folder that vanishes with the test.
pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}
