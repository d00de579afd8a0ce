//! A machine that grants little, and somebody who is in a hurry: what was found is said, nothing is
//! half written, nothing hangs.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use tempfile::tempdir;

use crate::session::{Session, puzzle, run, run_with_input, write};

/// Runs the program in a folder under limits of the shell's `ulimit`.
fn limited(limits: &str, folder: &Path, args: &[&str]) -> Session {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{limits}; exec \"$0\" \"$@\"")])
        .arg(env!("CARGO_BIN_EXE_edgematch"))
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::null());
    let output = shell.output().unwrap();
    let code = output.status.code();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let stdout = text(output.stdout);
    let stderr = text(output.stderr);
    Session {
        code: code.unwrap_or_else(|| panic!("{args:?}: {}: {stderr}", output.status)),
        stdout,
        stderr,
    }
}

/// The path of a puzzle from anywhere.
fn absolute(name: &str) -> String {
    format!("{}/{}", crate::ROOT, puzzle(name))
}

/// A board that many arrangements fill, none of which any two tiles or symmetries make alike.
fn loose(tiles: usize) -> String {
    let tile = |t: usize| format!("  {t}: [a, b{t}, a, c{t}]\n");
    let tiles_text: String = (0..tiles).map(tile).collect();
    format!("rows: 1\ncols: {tiles}\nrotations: false\ntiles:\n{tiles_text}")
}

/// A process under way.
pub fn started(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_edgematch"))
        .current_dir(crate::ROOT)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Sends a process a signal.
pub fn signal(name: &str, child: &Child) {
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &pid])
            .status()
            .unwrap()
            .success()
    );
}

/// What a process says after it was signalled at its first line.
fn signalled_at_first_line(name: &str, args: &[&str]) -> Session {
    let mut child = started(args);
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    signal(name, &child);
    stdout.read_to_string(&mut text).unwrap();
    let mut stderr = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut stderr)
        .unwrap();
    let status = child.wait().unwrap();
    Session {
        code: status
            .code()
            .unwrap_or_else(|| panic!("{args:?}: {status}")),
        stdout: text,
        stderr,
    }
}

#[test]
fn every_signal_that_asks_for_the_end_is_obeyed_with_what_was_found() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "loose.yaml", loose(14));
    let file = path.to_str().unwrap();
    for name in ["-INT", "-TERM", "-HUP"] {
        let session = signalled_at_first_line(name, &["solve", file]);
        assert_eq!(session.code, 130, "{name}: {}", session.stderr);
        assert!(session.stdout.ends_with("----------\n"), "{name}");
        assert!(
            session.stderr.contains("interrupted, there may be more"),
            "{name}"
        );
    }
    // What says nothing before the end is given a moment, a longer one where that was too early.
    for args in [
        &["count", file][..],
        &["compare", "--engines", "propagate", file],
    ] {
        let tells = [500, 5_000, 50_000].into_iter().any(|moment| {
            let child = started(args);
            thread::sleep(Duration::from_millis(moment));
            signal("-TERM", &child);
            let output = child.wait_with_output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            output.status.code() == Some(130) && (text.contains("at least") || text.contains('≥'))
        });
        assert!(tells, "{args:?}");
    }
}

/// A warning is said before the search: a signal right behind it finds a handler.
#[test]
fn a_handler_is_there_before_anything_is_said() {
    let folder = tempdir().unwrap();
    // Too many arrangements to be through, and a tile that fits no cell.
    let board = loose(14).replace("rotations", "border: grey\nrotations");
    let spare = "  spare: [grey, grey, grey, grey]\n";
    let file = write(folder.path(), "warned.yaml", board + spare);
    for _ in 0..5 {
        for verb in ["solve", "count", "why"] {
            let mut child = started(&[verb, file.to_str().unwrap()]);
            let mut stderr = BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            stderr.read_line(&mut line).unwrap();
            assert!(line.starts_with("warning: "), "{verb}: {line}");
            signal("-INT", &child);
            let status = child.wait().unwrap();
            assert!(status.code().is_some(), "{verb}: {status}");
        }
    }
}

/// 362,880 of them: 100 MB where a picture of each is kept.
#[test]
fn nothing_is_kept_of_arrangements_that_cannot_come_again() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "loose.yaml", loose(9));
    let session = run(&[
        "count",
        file.to_str().unwrap(),
        "--memory-limit",
        "32M",
        "-j",
        "1",
    ]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(session.stdout.starts_with("solutions  362880\n"));
}

#[test]
fn a_limit_of_memory_ends_a_run_with_what_was_found() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "loose.yaml", loose(14));
    let file = path.to_str().unwrap();
    // What is sorted is kept until the end.
    let sorted = ["solve", "--sorted", "-j", "1", file];
    let session = run(&[&sorted[..], &["--memory-limit", "32M"]].concat());
    assert_eq!(session.code, 3, "{}", session.stderr);
    let words = "stopped: out of memory (limit 32M), there may be more";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    assert!(session.stdout.contains("----------\n"));
    let session = limited("ulimit -v 80000", folder.path(), &sorted);
    assert_eq!(session.code, 3, "{}", session.stderr);
    let words = "stopped: out of memory (limit 78M), there may be more";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    assert_eq!(run(&["count", file, "--memory-limit", "1M"]).code, 2);
}

#[test]
fn too_little_address_space_is_said_by_every_verb() {
    let folder = tempdir().unwrap();
    let file = absolute("scramble-1");
    for args in [
        &["solve", &file][..],
        &["solve", "--engine", "backtrack", "--plain", &file],
        &["count", &file],
        &["batch", &file, "--results", "runs.sqlite"],
        &["play", "--port", "0"],
        &["schema"],
    ] {
        let session = limited("ulimit -v 60000", folder.path(), args);
        assert_eq!(session.code, 2, "{args:?}: {}", session.stderr);
        let words = "error: 60000 kB of address space is too little (ulimit -v): at least 65536 are needed\n";
        assert_eq!(session.stderr, words, "{args:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Between that limit and plenty, runs end by themselves, with an answer or an error.
#[test]
fn threads_that_cannot_be_started_are_done_without_or_said() {
    let file = absolute("scramble-1");
    for kilobytes in [66_000, 80_000, 100_000, 120_000, 200_000] {
        let folder = tempdir().unwrap();
        let limit = format!("ulimit -v {kilobytes}");
        let args = ["batch", &file, "-j", "8", "-q", "--results", "runs.sqlite"];
        let session = limited(&limit, folder.path(), &args);
        assert!(
            [0, 2].contains(&session.code),
            "{limit}: {}",
            session.stderr
        );
        assert!(!session.stderr.contains("panicked"), "{}", session.stderr);
    }
}

/// Address space that is only reserved is no memory.
#[test]
fn small_puzzles_are_solved_in_little_address_space() {
    let folder = tempdir().unwrap();
    for kilobytes in [100_000, 105_000, 150_000, 200_000] {
        let limit = format!("ulimit -v {kilobytes}");
        let loose = write(folder.path(), "loose.yaml", loose(8));
        for (file, solutions) in [
            (&absolute("scramble-1")[..], 4),
            (loose.to_str().unwrap(), 40_320),
        ] {
            let session = limited(&limit, folder.path(), &["count", file, "-j", "2"]);
            assert_eq!(session.code, 0, "{limit}: {}", session.stderr);
            assert!(
                session
                    .stdout
                    .starts_with(&format!("solutions  {solutions}\n"))
            );
        }
    }
}

#[test]
fn few_open_files_are_no_bad_puzzles() {
    let folder = tempdir().unwrap();
    let file = absolute("scramble-1");
    let args = ["batch", &file, "-j", "1", "--results", "runs.sqlite"];
    for granted in [6, 10, 20] {
        let session = limited(&format!("ulimit -n {granted}"), folder.path(), &args);
        assert_eq!(session.code, 2);
        let words = format!(
            "error: {granted} open files are too few (ulimit -n): 27 are needed for 1 worker\n"
        );
        assert_eq!(session.stderr, words);
    }
    assert_eq!(limited("ulimit -n 27", folder.path(), &args).code, 0);
}

/// Every verb that writes: no signal, and nothing left but what is whole.
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let file = absolute("scramble-1");
    let broken = absolute("random-broken-3x3-4-s1");
    let compare = |flag: &'static str, name: &'static str| {
        vec![
            "compare",
            "-q",
            "--engines",
            "plain",
            "--runs",
            "1",
            flag,
            name,
            &file,
        ]
    };
    let verbs = [
        vec!["solve", &file, "-o", "pictures"],
        vec!["solve", &file, "--certificate", "proof"],
        vec!["convert", &file, "-o", "out.yaml"],
        vec![
            "generate", "--size", "3x3", "--images", "4", "-o", "out.yaml",
        ],
        vec![
            "generate", "--size", "3x3", "--images", "4", "--count", "2", "-o", "out/",
        ],
        vec!["sheet", &file, "-o", "out.pdf"],
        vec!["sheet", &file, "-o", "out.svg"],
        vec!["page", &file, "-o", "out.html"],
        vec!["export", &file, "--to", "lp", "-o", "out.lp"],
        vec!["show", &file, "-o", "out.png"],
        vec!["why", &broken, "-o", "out.svg"],
        compare("--export-json", "out.json"),
        compare("--export-csv", "out.csv"),
        compare("--export-markdown", "out.md"),
        compare("--plot", "out.svg"),
    ];
    for args in verbs {
        let folder = tempdir().unwrap();
        let session = limited("ulimit -f 0", folder.path(), &args);
        assert_eq!(session.code, 2, "{args:?}: {}", session.stderr);
        assert!(
            session.stderr.contains("can't be written"),
            "{args:?}: {}",
            session.stderr
        );
        assert!(!session.stderr.contains(".tmp"), "{}", session.stderr);
        let files: Vec<_> = walkdir::WalkDir::new(folder.path())
            .into_iter()
            .flatten()
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| entry.path().to_owned())
            .collect();
        assert!(files.is_empty(), "{args:?}: {files:?}");
    }
}

/// Temporary files in a folder, by the name that says whose they are.
fn temporary_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names
        .filter(|name| name.starts_with(".edgematch-"))
        .collect()
}

#[test]
fn what_a_killed_process_left_is_removed_and_nothing_else() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "loose.yaml", loose(14));
    let proof = folder.path().join("proof");
    let [file, into] = [&file, &proof].map(|path| path.to_str().unwrap());
    let mut child = started(&["solve", "-q", file, "--certificate", into]);
    let deadline = Instant::now() + Duration::from_secs(60);
    while temporary_files(&proof).is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = temporary_files(&proof);
    let [dead] = &left[..] else {
        panic!("{left:?}");
    };
    let words: Vec<&str> = dead.split('-').collect();
    let [_, host, pid, born, _] = words[..] else {
        panic!("{dead}");
    };
    assert_eq!(pid, child.id().to_string());
    // One of another machine, one of a process that lives, one of somebody.
    let living = std::process::id();
    let stat = fs::read_to_string(format!("/proc/{living}/stat")).unwrap();
    let since = stat.rsplit(')').next().unwrap().split_whitespace().nth(19);
    let kept = [
        format!(".edgematch-00000000-{pid}-{born}-abc.tmp"),
        format!(".edgematch-{host}-{living}-{}-abc.tmp", since.unwrap()),
        ".edgematch-notes".to_owned(),
    ];
    for name in &kept {
        write(&proof, name, "");
    }
    let scramble = puzzle("scramble-1");
    let session = run(&["solve", "-q", &scramble, "--certificate", into, "--force"]);
    assert_eq!(session.code, 0, "{}", session.stderr);
    let mut left = temporary_files(&proof);
    let mut kept = kept.to_vec();
    left.sort();
    kept.sort();
    assert_eq!(left, kept);
}

#[test]
fn lines_without_end_are_refused_in_little_memory() {
    let folder = tempdir().unwrap();
    for args in [
        &["merge", "/dev/zero"][..],
        &["batch", "--list", "/dev/zero", "--results", "runs.sqlite"],
    ] {
        let session = limited("ulimit -v 400000", folder.path(), args);
        assert_eq!(session.code, 2, "{args:?}: {}", session.stderr);
        let said = session.stdout + &session.stderr;
        assert!(
            said.contains("a line is longer than 16 MiB"),
            "{args:?}: {said}"
        );
    }
}

#[test]
fn a_part_says_no_numbers_that_no_run_can_have_made() {
    let folder = tempdir().unwrap();
    let part = run(&[
        "solve",
        &puzzle("scramble-1"),
        "--part",
        "1/2",
        "--format",
        "jsonl",
    ]);
    let with = |from: &str, to: &str| {
        assert!(part.stdout.contains(from), "{from}: {}", part.stdout);
        let path = write(folder.path(), "part.jsonl", part.stdout.replace(from, to));
        limited(
            "ulimit -v 400000",
            folder.path(),
            &["merge", path.to_str().unwrap()],
        )
    };
    let many = with("\"of\":2,", "\"of\":2147483647,");
    assert_eq!(many.code, 2);
    let words = "2147483647 parts: a search is cut into at most 1000000";
    assert!(many.stderr.contains(words), "{}", many.stderr);
    let most = with("\"of\":2,", "\"of\":1000000,");
    assert_eq!(most.code, 3);
    assert!(
        most.stderr
            .contains("parts 2–1000000 of 1000000 are missing"),
        "{}",
        most.stderr
    );
    let leaves = with("\"leaves\":", "\"leaves\":99999");
    assert_eq!(leaves.code, 2);
    assert!(leaves.stderr.contains(" leaves of "), "{}", leaves.stderr);
}

#[test]
fn results_are_read_from_a_file_that_may_not_be_written() {
    let folder = tempdir().unwrap();
    let file = absolute("scramble-1");
    let args = ["batch", &file, "-j", "1", "-q", "--results", "runs.sqlite"];
    assert_eq!(limited("true", folder.path(), &args).code, 0);
    let results = folder.path().join("runs.sqlite");
    let set =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    set(&results, 0o444);
    set(folder.path(), 0o555);
    // Root may write everywhere.
    let as_nobody = "test $(id -u) = 0 && exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"; true";
    let session = limited(as_nobody, folder.path(), &["results", "runs.sqlite"]);
    set(folder.path(), 0o755);
    assert_eq!(session.code, 0, "{}", session.stderr);
    assert!(session.stdout.contains("complete"), "{}", session.stdout);
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    for args in [
        &["schema"][..],
        &["schema", "--of", "constraints"],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut child = started(args);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), said.as_str()),
            (Some(0), ""),
            "{args:?}"
        );
    }
}

#[test]
fn large_boards_are_described_without_their_models() {
    let mut random = fastrand::Rng::with_seed(1);
    let mut edge = |sign: char| format!("i{}{sign}", random.u8(..9));
    let mut tile = |t: usize| {
        let edges = ['+', '-', '+', '-'].map(&mut edge).join(", ");
        format!("  {t}: [{edges}]\n")
    };
    let board: String = (0..1600).map(&mut tile).collect();
    let session = run_with_input(&["info", "-"], format!("tiles:\n{board}"));
    assert_eq!(session.code, 0, "{}", session.stderr);
    let tuple = session
        .stdout
        .lines()
        .find(|line| line.trim_start().starts_with("tuple"));
    let variables = tuple.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    assert!(
        variables.is_some_and(|number| number > 1_000_000_000),
        "{}",
        session.stdout
    );
}

#[test]
fn limits_end_the_reading_of_a_puzzle() {
    // Every constraint is asked of every symmetry of the torus.
    let tiles: String = (0..900).map(|t| format!("  {t}: [a, b, a, b]\n")).collect();
    let board = format!(
        "board: {{grid: [30, 30], wrap: both}}\nconstraints:\n{}tiles:\n{tiles}",
        "  - adjacent: {tiles: [1, 2]}\n".repeat(20)
    );
    for (verb, what) in [
        ("solve", "the puzzle was read"),
        ("count", "the puzzle was read"),
        ("why", "the puzzle was read"),
        ("info", "all was counted"),
    ] {
        let session = run_with_input(&[verb, "-", "--time-limit", "1ms"], board.as_str());
        assert_eq!(session.code, 3, "{verb}: {}", session.stderr);
        let words = format!("stopped after 1.00 ms, before {what}\n");
        assert_eq!(session.stderr, words, "{verb}");
    }
}
