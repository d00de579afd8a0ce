//! Resource limits and signals: solutions found so far are printed, no file is half written,
//! nothing hangs.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use tempfile::tempdir;

use crate::session::{
    Session, finished, puzzle, run, run_in_shell, run_with_input, signal, signalled_at_first_line,
    start, wait_until_busy, write,
};

/// Runs the program in a folder under limits of the shell's `ulimit`.
fn limited(limits: &str, folder: &Path, args: &[&str]) -> Session {
    run_in_shell(&format!("{limits}; exec"), folder, args)
}

/// The absolute path of a puzzle.
fn absolute(name: &str) -> String {
    format!("{}/{}", crate::ROOT, puzzle(name))
}

/// A puzzle with many distinct solutions: no identical tiles, no symmetric solutions.
fn loose(tiles: usize) -> String {
    let tile = |t: usize| format!("  {t}: [a, b{t}, a, c{t}]\n");
    let tiles_text: String = (0..tiles).map(tile).collect();
    format!("rows: 1\ncols: {tiles}\nrotations: false\ntiles:\n{tiles_text}")
}

#[test]
fn every_signal_that_asks_for_the_end_is_obeyed_with_what_was_found() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "loose.yaml", loose(14));
    let file = path.to_str().unwrap();
    let names =
        ["-INT", "-TERM", "-HUP"].into_iter().filter(|&name| name != "-HUP" || !ignores_hangups());
    for name in names {
        let session = signalled_at_first_line(name, &["solve", file]).expect(130);
        assert!(session.stdout.ends_with("----------\n"), "{name}");
        session.says("interrupted, there may be more");
    }
}

/// Returns true if this process, and so each program that it starts, ignores hangups, as under
/// `nohup`.
fn ignores_hangups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // The last bit stands for SIGHUP.
    ignored.is_some_and(|mask| mask.trim_end().ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']))
}

#[cfg(target_os = "linux")]
#[test]
fn commands_that_print_nothing_before_the_end_are_interrupted_with_what_was_found() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "framed.yaml", framed(14));
    let file = file.to_str().unwrap();
    let comparison = ["compare", "--engine", "propagate", "--time-limit", "1h", file];
    for (args, words) in
        [(&["count", "--method", "search", file][..], "at least"), (&comparison, "≥")]
    {
        let child = start(args);
        wait_until_busy(&child);
        signal("-TERM", &child);
        finished(args, child).expect(130).prints(words);
    }
}

/// A puzzle of two framed rows with a huge number of permutations of its columns, and a tile that
/// fits no cell.
fn framed(columns: usize) -> String {
    let column = |t: usize| {
        let right = if t + 1 == columns { "grey" } else { "a" };
        let left = if t == 0 { "grey" } else { "a" };
        format!("  t{t}: [{right}, grey, {left}, b{t}]\n  u{t}: [{right}, b{t}, {left}, grey]\n")
    };
    let tiles: String = (0..columns).map(column).collect();
    format!(
        "rows: 2\ncols: {columns}\nborder: grey\nrotations: false\ntiles:\n{tiles}  \
         spare: [grey, grey, grey, grey]\n"
    )
}

/// A signal sent right after the first warning, before the search, is handled.
#[test]
fn a_handler_is_there_before_anything_is_said() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "warned.yaml", framed(14));
    for _ in 0..5 {
        for verb in ["solve", "count"] {
            let args = [verb, file.to_str().unwrap()];
            let mut child = start(&args);
            let mut stderr = BufReader::new(child.stderr.take().unwrap());
            let mut line = String::new();
            stderr.read_line(&mut line).unwrap();
            assert!(line.starts_with("warning: "), "{verb}: {line}");
            signal("-INT", &child);
            finished(&args, child).expect(130);
        }
    }
}

/// There are 362,880 solutions: storing a picture of each would take 100 MB.
#[test]
fn nothing_is_kept_of_arrangements_that_cannot_come_again() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "loose.yaml", loose(9));
    let session =
        run(&["count", file.to_str().unwrap(), "--memory-limit", "32M", "-j", "1"]).expect(0);
    assert!(session.stdout.starts_with("solutions  362880\n"));
}

#[test]
fn a_limit_of_memory_ends_a_run_with_what_was_found() {
    let folder = tempdir().unwrap();
    let path = write(folder.path(), "loose.yaml", loose(14));
    let file = path.to_str().unwrap();
    // Sorted solutions are kept until the end.
    let sorted = ["solve", "--sorted", "-j", "1", file];
    let session = run(&[&sorted[..], &["--memory-limit", "32M"]].concat()).expect(3);
    let words = "stopped: out of memory (limit 32M), there may be more";
    session.says(words);
    session.prints("----------\n");
    let session = limited("ulimit -v 80000", folder.path(), &sorted).expect(3);
    let words = "stopped: out of memory (limit 78M), there may be more";
    session.says(words);
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
        let session = limited("ulimit -v 60000", folder.path(), args).expect(2);
        let words = "error: 60000 kB of address space is too little (ulimit -v): at least 65536 are needed\n";
        assert_eq!(session.stderr, words, "{args:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// With any limit of the address space, a batch ends by itself: its run is done, or it reports a
/// lack of threads or memory. glibc reserves 64 MB for each thread unless told otherwise, and may
/// then abort the program.
#[test]
fn threads_that_cannot_be_started_are_done_without_or_said() {
    let file = absolute("scramble-1");
    for kilobytes in [66_000, 80_000, 100_000, 120_000, 200_000] {
        let folder = tempdir().unwrap();
        let limit = format!("export MALLOC_ARENA_MAX=1; ulimit -v {kilobytes}");
        let args = ["batch", &file, "-j", "8", "-q", "--results", "runs.sqlite"];
        let session = limited(&limit, folder.path(), &args);
        if session.code == 2 && kilobytes < 200_000 {
            let says = |words: &str| session.stderr.contains(words);
            let is_known = says("can be started") || says("memory");
            assert!(is_known, "{limit}: {}", session.stderr);
            continue;
        }
        assert_eq!(session.code, 0, "{limit}: {}", session.stderr);
        let results = folder.path().join("runs.sqlite");
        let results = run(&["results", results.to_str().unwrap(), "--format", "csv"]);
        let is_solved = results.stdout.contains(",ALL_SOLUTIONS,true,");
        assert!(is_solved, "{limit}: {}", results.stdout);
    }
}

#[test]
fn small_puzzles_are_solved_in_little_address_space() {
    let folder = tempdir().unwrap();
    // glibc reserves 64 MB of address space for the heap of each thread.
    for limit in [
        "export MALLOC_ARENA_MAX=1; ulimit -v 100000",
        "export MALLOC_ARENA_MAX=1; ulimit -v 105000",
        "export MALLOC_ARENA_MAX=1; ulimit -v 150000",
        "ulimit -v 400000",
    ] {
        let loose = write(folder.path(), "loose.yaml", loose(8));
        for (file, solutions) in
            [(&absolute("scramble-1")[..], 4), (loose.to_str().unwrap(), 40_320)]
        {
            let session = limited(limit, folder.path(), &["count", file, "-j", "2"]).expect(0);
            assert!(session.stdout.starts_with(&format!("solutions  {solutions}\n")));
        }
    }
}

#[test]
fn few_open_files_are_no_bad_puzzles() {
    let folder = tempdir().unwrap();
    let file = absolute("scramble-1");
    let args = ["batch", &file, "-j", "1", "--results", "runs.sqlite"];
    for granted in [6, 10, 20] {
        let session = limited(&format!("ulimit -n {granted}"), folder.path(), &args).expect(2);
        let words = format!(
            "error: {granted} open files are too few (ulimit -n): 27 are needed for 1 worker\n"
        );
        assert_eq!(session.stderr, words);
    }
    assert_eq!(limited("ulimit -n 27", folder.path(), &args).code, 0);
}

/// Every command that writes, on a full disk: it is not killed by a signal, and leaves only
/// complete files.
#[test]
fn a_file_that_may_not_grow_is_an_error_and_leaves_nothing() {
    let file = absolute("scramble-1");
    let broken = absolute("random-broken-3x3-4-s1");
    let compare = |flag: &'static str, name: &'static str| {
        vec!["compare", "-q", "--engine", "plain", "--runs", "1", flag, name, &file]
    };
    let verbs = [
        vec!["solve", &file, "-o", "pictures"],
        vec!["solve", &file, "--certificate", "proof"],
        vec!["convert", &file, "-o", "out.yaml"],
        vec!["generate", "--size", "3x3", "--images", "4", "-o", "out.yaml"],
        vec!["generate", "--size", "3x3", "--images", "4", "--count", "2", "-o", "out/"],
        vec!["sheet", &file, "-o", "out.pdf"],
        vec!["sheet", &file, "-o", "out.svg"],
        vec!["site", &file, "-n", "9", "-o", "out.html"],
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
        let session = limited("ulimit -f 0", folder.path(), &args).expect(2);
        session.says("can't be written");
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

/// The names of the temporary files in a folder.
fn temporary_files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with(".edgematch-")).collect()
}

#[test]
fn what_a_killed_process_left_is_removed_and_nothing_else() {
    let folder = tempdir().unwrap();
    let file = write(folder.path(), "loose.yaml", loose(14));
    let proof = folder.path().join("proof");
    let [file, into] = [&file, &proof].map(|path| path.to_str().unwrap());
    let mut child = start(&["solve", "-q", file, "--certificate", into]);
    while temporary_files(&proof).is_empty() {
        assert_eq!(child.try_wait().unwrap(), None, "it is at work");
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = temporary_files(&proof);
    let [dead] = &left[..] else {
        panic!("{left:?}");
    };
    // A temporary file of a running process, and a file of somebody else.
    let living = fs::File::create(proof.join(".edgematch-abc.tmp")).unwrap();
    living.lock().unwrap();
    write(&proof, ".edgematch-notes", "");
    assert!(!dead.contains("abc"));
    let scramble = puzzle("scramble-1");
    run(&["solve", "-q", &scramble, "--certificate", into, "--force"]).expect(0);
    let mut left = temporary_files(&proof);
    left.sort();
    assert_eq!(left, [".edgematch-abc.tmp", ".edgematch-notes"]);
}

#[test]
fn lines_without_end_are_refused_in_little_memory() {
    let folder = tempdir().unwrap();
    for args in
        [&["merge", "/dev/zero"][..], &["batch", "--list", "/dev/zero", "--results", "runs.sqlite"]]
    {
        let session = limited("ulimit -v 400000", folder.path(), args).expect(2);
        let said = session.stdout + &session.stderr;
        assert!(said.contains("a line is longer than 16 MiB"), "{args:?}: {said}");
    }
}

#[test]
fn a_part_says_no_numbers_that_no_run_can_have_made() {
    let folder = tempdir().unwrap();
    let part = run(&["solve", &puzzle("scramble-1"), "--part", "1/2", "--format", "jsonl"]);
    let with = |from: &str, to: &str| {
        part.prints(from);
        let path = write(folder.path(), "part.jsonl", part.stdout.replace(from, to));
        limited("ulimit -v 400000", folder.path(), &["merge", path.to_str().unwrap()])
    };
    let many = with("\"of\":2,", "\"of\":2147483647,");
    assert_eq!(many.code, 2);
    let words = "2147483647 parts, but a search has at most 1000000";
    many.says(words);
    let most = with("\"of\":2,", "\"of\":1000000,");
    assert_eq!(most.code, 3);
    most.says("parts 2–1000000 of 1000000 are missing");
    let leaves = with("\"leaves\":", "\"leaves\":99999");
    assert_eq!(leaves.code, 2);
    leaves.says(" leaves, but the search has only ");
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
    // Root ignores permissions, so run as another user.
    let as_nobody = "test $(id -u) = 0 && exec setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" \"$@\"; true";
    let session = limited(as_nobody, folder.path(), &["results", "runs.sqlite"]);
    set(folder.path(), 0o755);
    assert_eq!(session.code, 0, "{}", session.stderr);
    session.prints("complete");
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    for args in
        [&["schema"][..], &["schema", "--of", "constraints"], &["man"], &["completions", "bash"]]
    {
        let mut child = start(args);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), said.as_str()), (Some(0), ""), "{args:?}");
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
    let session = run_with_input(&["info", "-"], format!("tiles:\n{board}")).expect(0);
    let tuple = session.stdout.lines().find(|line| line.trim_start().starts_with("tuple"));
    let variables = tuple.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    assert!(variables.is_some_and(|number| number > 1_000_000_000), "{}", session.stdout);
}

#[test]
fn limits_end_the_reading_of_a_puzzle() {
    // Every constraint is tested under every symmetry of the torus, which takes long.
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
        let session = run_with_input(&[verb, "-", "--time-limit", "1ms"], board.as_str()).expect(3);
        let words = format!("stopped after 1.00 ms, before {what}\n");
        assert_eq!(session.stderr, words, "{verb}");
    }
}

/// Starts a process that reads from standard input, which is kept open.
fn reading(args: &[&str]) -> (Child, ChildStdin) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_edgematch"));
    command.current_dir(crate::ROOT).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

#[test]
fn the_time_limit_ends_the_reading_of_standard_input() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let [sheet, page, new, read] = ["a.pdf", "a.html", "a.yaml", "cards"].map(at);
    for (args, what) in [
        (&["solve"][..], "the puzzle was read"),
        (&["count"], "the puzzle was read"),
        (&["why"], "the puzzle was read"),
        (&["doctor"], "the puzzle was read"),
        (&["hint"], "the puzzle was read"),
        (&["info"], "all was counted"),
        (&["sheet", "-o", &sheet], "the puzzle was read"),
        (&["site", "-n", "9", "-o", &page], "the puzzle was read"),
        (&["generate", "-o", &new, "--from"], "the puzzle was read"),
        (&["read", "-o", &read], "the photographs were read"),
    ] {
        let (child, stdin) = reading(&[args, &["-", "--time-limit", "10ms"]].concat());
        let output = child.wait_with_output().unwrap();
        drop(stdin);
        let said = String::from_utf8(output.stderr).unwrap();
        let words = format!("stopped after 10.0 ms, before {what}\n");
        assert_eq!((output.status.code(), said), (Some(3), words), "{args:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_signal_ends_the_reading_of_standard_input() {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let [sheet, new, runs] = ["a.pdf", "a.yaml", "a.sqlite"].map(at);
    let puzzle = puzzle("scramble-1");
    for args in [
        &["solve"][..],
        &["compare"],
        &["estimate"],
        &["check"],
        &["convert"],
        &["show"],
        &["export", "--to", "lp"],
        &["play", "--port", "0"],
        &["sheet", "-o", &sheet],
        &["generate", "-o", &new, "--from"],
        &["batch", &puzzle, "--results", &runs, "--constraints"],
    ] {
        let (mut child, mut stdin) = reading(&[args, &["-"]].concat());
        // More than a pipe buffers: when this returns, the process has begun to read.
        stdin.write_all(&[b'#'; 1 << 17]).unwrap();
        signal("-TERM", &child);
        let status = child.wait().unwrap();
        const SIGTERM: i32 = 15;
        let is_ended = status.code() == Some(130) || status.signal() == Some(SIGTERM);
        assert!(is_ended, "{args:?}: {status}");
    }
}

/// One distinct arrangement represents 12! · 4¹² solutions.
#[test]
fn limits_end_the_printing_of_solutions_that_look_alike() {
    let tiles: String = (0..12).map(|t| format!("  {t}: [a, a, a, a]\n")).collect();
    let board = format!("rows: 1\ncols: 12\ntiles:\n{tiles}");
    for order in [&["--sorted"][..], &[]] {
        let args = [&["solve", "-", "--expand", "--time-limit", "1s"], order].concat();
        let session = run_with_input(&args, board.as_str());
        assert_eq!(session.code, 3, "{order:?}: {}", session.stderr);
        assert!(session.stderr.contains("stopped after 1.00 s"), "{order:?}");
    }
}

#[test]
fn limits_end_the_reading_of_photographs() {
    let folder = tempdir().unwrap();
    let into = folder.path().join("cards").display().to_string();
    let photo = "puzzles/scramble-1/input/1.png";
    let session = run(&["read", photo, "--time-limit", "1ms", "-o", &into]);
    assert_eq!(session.code, 3, "{}", session.stderr);
    let words = "stopped after 1.00 ms, before the ";
    assert!(session.stderr.starts_with(words), "{}", session.stderr);
    let session = run(&["read", photo, "--size", "40x40", "-o", &into]);
    assert_eq!(session.code, 2, "{}", session.stderr);
    let words = "1600 cards are too many: at most 1024 are read";
    assert!(session.stderr.contains(words), "{}", session.stderr);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
