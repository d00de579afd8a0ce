//! Helpers to run the program and to write files for it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};

use assert_cmd::Command;

/// The command that runs the program in the root of the project.
pub fn edgematch(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("edgematch").expect("cargo builds the program");
    command.current_dir(crate::ROOT).args(args);
    command
}

/// The result of a run: exit code and output.
pub struct Session {
    args: String,
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Session {
    fn new(args: &[&str], output: Output) -> Session {
        let [stdout, stderr] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let code = output.status.code();
        Session {
            args: args.join(" "),
            code: code.unwrap_or_else(|| panic!("{args:?}: {}: {stderr}", output.status)),
            stdout,
            stderr,
        }
    }

    /// All of it as text, for failed assertions.
    fn described(&self) -> String {
        let Session { args, code, stdout, stderr } = self;
        format!("`{args}` ends with {code}\n{stdout}{stderr}")
    }

    /// Asserts the exit code.
    #[track_caller]
    pub fn expect(self, code: i32) -> Session {
        assert_eq!(self.code, code, "{}", self.described());
        self
    }

    /// Asserts exit code 2 and an empty standard output.
    #[track_caller]
    pub fn refused(self) -> Session {
        assert_eq!(self.stdout, "", "{}", self.described());
        self.expect(2)
    }

    /// Asserts that these words are on standard error.
    #[track_caller]
    pub fn says(&self, words: &str) {
        let is_there = self.stderr.contains(words);
        assert!(is_there, "{words}: {}", self.described());
    }

    /// Asserts that these words are on standard output.
    #[track_caller]
    pub fn prints(&self, words: &str) {
        let is_there = self.stdout.contains(words);
        assert!(is_there, "{words}: {}", self.described());
    }
}

/// Runs the program with this standard input.
pub fn run_with_input(args: &[&str], input: impl Into<Vec<u8>>) -> Session {
    let output = edgematch(args).write_stdin(input.into()).output();
    Session::new(args, output.unwrap())
}

/// Runs the program.
pub fn run(args: &[&str]) -> Session {
    run_with_input(args, "")
}

/// Starts the program with pipes for its output.
pub fn start(args: &[&str]) -> Child {
    std::process::Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .current_dir(crate::ROOT)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends a process a signal such as `-INT`.
#[cfg(unix)]
pub fn signal(name: &str, child: &Child) {
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args([name, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

/// Waits until a process has used half a second of processor time, after which it has begun to
/// search, however busy the machine is.
#[cfg(target_os = "linux")]
pub fn wait_until_busy(child: &Child) {
    const TICKS: u64 = 50;
    loop {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let fields: Vec<&str> = fields.split_whitespace().collect();
        assert_ne!(fields[0], "Z", "the process has ended");
        let ticks = |field: usize| fields[field].parse::<u64>().unwrap();
        if ticks(11) + ticks(12) >= TICKS {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// Waits for a process to end; returns its result. The arguments are for messages.
pub fn finished(args: &[&str], child: Child) -> Session {
    Session::new(args, child.wait_with_output().unwrap())
}

/// Runs a shell command in a folder; its arguments are the program and `args`.
#[cfg(unix)]
pub fn run_in_shell(command: &str, folder: &Path, args: &[&str]) -> Session {
    let output = std::process::Command::new("sh")
        .args(["-c", &format!("{command} \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_edgematch"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    Session::new(args, output.unwrap())
}

/// Runs the program and sends it a signal at its first line; returns the result.
#[cfg(unix)]
pub fn signalled_at_first_line(name: &str, args: &[&str]) -> Session {
    let mut child = start(args);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    signal(name, &child);
    stdout.read_to_string(&mut text).unwrap();
    Session { stdout: text, ..finished(args, child) }
}

/// The absolute path of a file or folder of the project.
pub fn at_root(path: &str) -> PathBuf {
    Path::new(crate::ROOT).join(path)
}

/// The path of a puzzle relative to the root of the project.
pub fn puzzle(name: &str) -> String {
    format!("puzzles/{name}.yaml")
}

/// Writes a file into a folder; returns its path.
pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, content).unwrap();
    path
}

/// A number with its digits in groups of three.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups =
        digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group).into_owned());
    groups.collect::<Vec<_>>().join(",")
}
