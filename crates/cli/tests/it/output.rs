//! All commands that write obey one rule: existing files are replaced only with `--force`, inputs
//! never.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::{TempDir, tempdir};

use crate::session::{Session, at_root, puzzle, run, write};

/// A stand-in for the solver: the header of a WebAssembly file and the section that identifies it.
const STAND_IN: &[u8] = b"\0asm\x01\0\0\0\0\x0d\x0ajavascript//";

/// Commands that write a file, with `IN` for the puzzle and `OUT` for the file, and the file's
/// ending.
const FILES: [(&str, &str); 17] = [
    ("convert IN --to yaml -o OUT", "yaml"),
    ("export IN --to lp -o OUT", "lp"),
    ("show IN -o OUT", "svg"),
    ("show IN -o OUT", "png"),
    ("why BROKEN -o OUT", "svg"),
    ("doctor IN -o OUT", "svg"),
    ("sheet IN -o OUT", "pdf"),
    ("sheet IN --no-solution -o OUT", "svg"),
    ("site IN -n 9 -o OUT", "html"),
    ("generate --images 4 --seed 1 -o OUT", "yaml"),
    ("generate --from IN --seed 1 -o OUT", "yaml"),
    ("generate --all-tiles 2 -o OUT", "yaml"),
    ("solve IN --log OUT", "jsonl"),
    (COMPARE_TO_JSON, "json"),
    (COMPARE_TO_CSV, "csv"),
    (COMPARE_TO_MARKDOWN, "md"),
    (COMPARE_TO_PLOT, "svg"),
];
const COMPARE_TO_JSON: &str = "compare IN --engine propagate --runs 1 --export-json OUT";
const COMPARE_TO_CSV: &str = "compare IN --engine propagate --runs 1 --export-csv OUT";
const COMPARE_TO_MARKDOWN: &str = "compare IN --engine propagate --runs 1 --export-markdown OUT";
const COMPARE_TO_PLOT: &str = "compare IN --engine propagate --runs 1 --plot OUT";

/// Commands that write into a folder, and the name of a file that each writes there.
const FOLDERS: [(&str, &str); 7] = [
    ("solve IN -o OUT", "1.txt"),
    ("solve IN --certificate OUT", "solutions.txt"),
    ("generate --images 4 --seed 1 -o OUT/", "3x3-4-s1.yaml"),
    ("generate --from IN --seed 1 -o OUT/", "scramble-1-dealt-s1.yaml"),
    ("site IN --wasm WASM -o OUT", "index.html"),
    ("man --all OUT", "edgematch-solve.1"),
    ("read IN -o OUT", ""),
];

const MINE: &str = "mine\n";

/// A temporary folder with a puzzle and a stand-in for the browser solver.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempdir().unwrap();
        write(folder.path(), "mine.yaml", scramble());
        write(folder.path(), "solver.wasm", STAND_IN);
        Desk { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs a command with `IN` and `OUT` replaced by these paths, and more arguments.
    fn run(&self, words: &str, input: &Path, output: &Path, more: &[&str]) -> Session {
        let output = output.display().to_string();
        let word = |word: &str| match word {
            "IN" => input.display().to_string(),
            "BROKEN" => puzzle("random-broken-3x3-4-s1"),
            "WASM" => self.path("solver.wasm").display().to_string(),
            word => word.replace("OUT", &output),
        };
        let words: Vec<String> = words.split(' ').map(word).collect();
        let words = words.iter().map(String::as_str);
        run(&words.chain(more.iter().copied()).collect::<Vec<_>>())
    }
}

fn scramble() -> Vec<u8> {
    fs::read(at_root(&puzzle("scramble-1"))).unwrap()
}

fn text(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[cfg(unix)]
#[test]
fn existing_files_are_replaced_only_if_forced() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    for (words, ending) in FILES {
        let desk = Desk::new();
        let (input, output) = (desk.path("mine.yaml"), desk.path(&format!("out.{ending}")));
        fs::write(&output, MINE).unwrap();
        fs::set_permissions(&output, fs::Permissions::from_mode(0o604)).unwrap();
        let link = desk.path(&format!("link.{ending}"));
        symlink(&output, &link).unwrap();
        for named in [&output, &link] {
            let refused = desk.run(words, &input, named, &[]);
            assert_eq!((refused.code, &*refused.stdout), (2, ""), "{words}");
            let said = refused.stderr.contains("exists; use --force");
            assert!(said, "{words}: {}", refused.stderr);
            assert_eq!(text(&output), MINE, "{words}");
        }
        for named in [&output, &link] {
            fs::write(&output, MINE).unwrap();
            let forced = desk.run(words, &input, named, &["--force"]);
            assert_eq!(forced.code, 0, "{words}: {}", forced.stderr);
            assert_ne!(text(&output), MINE, "{words}");
            assert_eq!(mode(&output), 0o604, "{words}");
            assert!(link.is_symlink(), "{words}");
        }
        // A new file has the usual mode.
        fs::remove_file(&output).unwrap();
        let new = desk.run(words, &input, &link, &[]);
        assert_eq!(new.code, 0, "{words}: {}", new.stderr);
        assert_eq!(mode(&output), mode(&input), "{words}");
        let all = fs::read_dir(desk.folder.path()).unwrap().count();
        assert_eq!(all, 4, "{words}: no other files are left");
    }
}

#[cfg(unix)]
#[test]
fn inputs_are_never_replaced() {
    for (words, ending) in FILES.into_iter().filter(|(words, _)| words.contains("IN")) {
        let desk = Desk::new();
        let input = desk.path(&format!("in.{ending}"));
        fs::write(&input, scramble()).unwrap();
        let [hard, soft] = ["hard", "soft"].map(|name| desk.path(&format!("{name}.{ending}")));
        fs::hard_link(&input, &hard).unwrap();
        std::os::unix::fs::symlink(&input, &soft).unwrap();
        for output in [&input, &hard, &soft] {
            let refused = desk.run(words, &input, output, &["--force"]);
            assert_eq!((refused.code, &*refused.stdout), (2, ""), "{words}");
            let said = refused.stderr.contains("would replace ");
            assert!(said, "{words}: {}", refused.stderr);
            assert_eq!(fs::read(&input).unwrap(), scramble(), "{words}");
        }
    }
    for (words, name) in FOLDERS {
        if !words.contains("IN") || name.is_empty() {
            continue;
        }
        let desk = Desk::new();
        let folder = desk.path("out");
        fs::create_dir(&folder).unwrap();
        let input = folder.join(name);
        fs::write(&input, scramble()).unwrap();
        let refused = desk.run(words, &input, &folder, &["--force"]);
        assert_eq!(refused.code, 2, "{words}");
        let said = refused.stderr.contains("would replace the puzzle");
        assert!(said, "{words}: {}", refused.stderr);
        assert_eq!(fs::read(&input).unwrap(), scramble(), "{words}");
    }
}

#[test]
fn other_inputs_are_not_replaced_either() {
    let desk = Desk::new();
    let puzzle = desk.path("mine.yaml").display().to_string();
    let solution = run(&["solve", "-q", &puzzle]).stdout;
    let list = "constraints: [{pin: {cell: [1, 1], tile: 1}}]\n";
    let list = write(desk.folder.path(), "list.svg", list);
    let solution = write(desk.folder.path(), "found.svg", solution);
    let [list, solution] = [list, solution].map(|path| path.display().to_string());
    for (args, what) in [
        (&["show", &puzzle, &solution, "-o", &solution][..], "arrangement"),
        (&["show", &puzzle, "--constraints", &list, "-o", &list], "constraints"),
        (
            &["convert", &puzzle, "--to", "link", "--arrangement", &solution, "-o", &solution],
            "arrangement",
        ),
        (
            &["export", &puzzle, "--to", "lp", "--with-cuts", &solution, "-o", &solution],
            "solutions",
        ),
    ] {
        let session = run(&[args, &["--force"]].concat());
        assert_eq!(session.code, 2, "{args:?}");
        let said = session.stderr.contains(&format!("would replace the {what}"));
        assert!(said, "{args:?}: {}", session.stderr);
    }
}

#[test]
fn folders_that_are_not_empty_are_written_into_only_if_forced() {
    for (words, name) in FOLDERS {
        let desk = Desk::new();
        let (input, folder) = (desk.path("mine.yaml"), desk.path("out"));
        fs::create_dir(&folder).unwrap();
        let mine = write(&folder, if name.is_empty() { "x" } else { name }, MINE);
        let refused = desk.run(words, &input, &folder, &[]);
        assert_eq!((refused.code, &*refused.stdout), (2, ""), "{words}");
        let said = refused.stderr.contains("is not empty; use --force");
        assert!(said, "{words}: {}", refused.stderr);
        assert_eq!(text(&mine), MINE, "{words}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "{words}");
        if name.is_empty() {
            continue;
        }
        let other = write(&folder, "other", MINE);
        let forced = desk.run(words, &input, &folder, &["--force"]);
        assert_eq!(forced.code, 0, "{words}: {}", forced.stderr);
        assert_ne!(text(&mine), MINE, "{words}");
        assert_eq!(text(&other), MINE, "{words}");
    }
}

#[test]
fn pages_of_a_sheet_are_refused_before_the_search() {
    let desk = Desk::new();
    let last = write(desk.folder.path(), "sheet-2.svg", MINE);
    let (input, output) = (desk.path("mine.yaml"), desk.path("sheet.svg"));
    let refused = desk.run("sheet IN -o OUT", &input, &output, &[]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("sheet-2.svg exists"), "{}", refused.stderr);
    assert!(!desk.path("sheet-1.svg").exists());
    assert_eq!(text(&last), MINE);
}

#[test]
fn two_outputs_are_two_files() {
    let desk = Desk::new();
    let input = desk.path("mine.yaml").display().to_string();
    let output = desk.path("out.csv").display().to_string();
    let args = ["compare", &input, "--export-json", &output, "--export-csv", &output];
    let session = run(&args);
    assert_eq!(session.code, 2);
    assert!(session.stderr.contains("named as output twice"), "{}", session.stderr);
}

/// Output to a device is written to it and does not replace it.
#[cfg(target_os = "linux")]
#[test]
fn devices_and_pipes_need_no_force() {
    use std::os::unix::fs::FileTypeExt;
    let desk = Desk::new();
    let input = desk.path("mine.yaml").display().to_string();
    for device in ["/dev/null", "/dev/stdout", "/dev/fd/1"] {
        let session = run(&["convert", &input, "--to", "code", "-o", device]);
        assert_eq!(session.code, 0, "{device}: {}", session.stderr);
        assert_eq!(session.stdout.is_empty(), device == "/dev/null");
    }
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    // Content that another process wrote to the file is kept.
    let kept = write(desk.folder.path(), "kept.txt", MINE);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_edgematch"));
    let stdout = fs::OpenOptions::new().append(true).open(&kept).unwrap();
    command.args(["convert", &input, "--to", "code", "-o", "/dev/stdout"]);
    assert!(command.stdout(stdout).status().unwrap().success());
    assert!(text(&kept).starts_with(MINE) && text(&kept).len() > MINE.len());
}

#[test]
fn edits_of_a_generated_puzzle_are_kept() {
    let desk = Desk::new();
    let folder = format!("{}/", desk.path("folder").display());
    let generate = ["generate", "--seed", "1", "--images", "4", "-o", &folder];
    assert_eq!(run(&generate).code, 0);
    let file = desk.path("folder/3x3-4-s1.yaml");
    fs::write(&file, "# edited\n").unwrap();
    assert_eq!(run(&[&generate[..], &["--no-twins"]].concat()).code, 2);
    assert_eq!(text(&file), "# edited\n");
}

/// A batch adds to existing results files, but not to other files.
#[test]
fn results_are_added_only_to_results() {
    let desk = Desk::new();
    let input = desk.path("mine.yaml").display().to_string();
    let results = desk.path("runs.sqlite").display().to_string();
    for _ in 0..2 {
        assert_eq!(run(&["batch", "-q", &input, "--results", &results]).code, 0);
    }
    let session = run(&["batch", "-q", &input, "--results", &input]);
    assert_eq!(session.code, 2, "{}", session.stderr);
    assert_eq!(fs::read(&input).unwrap(), scramble());
}

#[cfg(target_os = "linux")]
#[test]
fn the_file_behind_standard_input_is_not_replaced() {
    let desk = Desk::new();
    let input = desk.path("mine.yaml");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_edgematch"));
    command.stdin(fs::File::open(&input).unwrap());
    command.args(["convert", "-", "--force", "-o"]).arg(&input);
    assert_eq!(command.status().unwrap().code(), Some(2));
    assert_eq!(fs::read(&input).unwrap(), scramble());
}
