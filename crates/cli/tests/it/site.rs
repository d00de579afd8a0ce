//! `edgematch site`: the files written, and rejected arguments. The pages themselves are tested in
//! a browser.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use rusqlite::Connection;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::filled::Filling;
use crate::session::{Session, at_root, run, write};

/// A stand-in for the solver: the header of a WebAssembly file and the section that identifies it.
const STAND_IN: &[u8] = b"\0asm\x01\0\0\0\0\x0d\x0ajavascript//";

const ONE: &str = "puzzles/scramble-1.yaml";
const NONE: &str = "puzzles/sharks-misread.yaml";
const SEVERAL: &str = "puzzles/absolut-knifflig.yaml";

fn solver(folder: &Path) -> String {
    write(folder, "solver.wasm", STAND_IN).display().to_string()
}

/// The JSON in the element of a page with this id.
fn embedded(page: &Path, id: &str) -> Value {
    let html = fs::read_to_string(page).unwrap();
    let (head, rest) = html.split_once(&format!(" id=\"{id}\">")).unwrap();
    let text = rest.split("</script>").next().unwrap();
    if head.ends_with("application/json\"") {
        return serde_json::from_str(text).unwrap();
    }
    let mut json = String::new();
    let bytes = STANDARD.decode(text).unwrap();
    ZlibDecoder::new(&bytes[..]).read_to_string(&mut json).unwrap();
    serde_json::from_str(&json).unwrap()
}

/// The number of solutions that a page stores of a puzzle, and whether they are all.
fn stored(puzzle: &Value) -> (usize, bool) {
    let solved = &puzzle["known"]["solved"];
    (solved["list"].as_array().unwrap().len(), solved["complete"].as_bool().unwrap())
}

/// A results file that is filled by a test and written as a page.
struct Shown {
    folder: TempDir,
    runs: PathBuf,
    page: PathBuf,
}

impl Shown {
    fn new(fill: impl FnOnce(&mut Filling)) -> Shown {
        let folder = tempdir().unwrap();
        let [runs, page] = ["runs.sqlite", "page.html"].map(|name| folder.path().join(name));
        fill(&mut Filling::new(&runs));
        Shown { folder, runs, page }
    }

    fn write(&self, more: &[&str]) -> Session {
        let [runs, page] = [&self.runs, &self.page].map(|path| path.to_str().unwrap());
        run(&[&["site", runs, "-o", page, "--force"], more].concat())
    }

    fn change(&self, sql: &str) {
        let connection = Connection::open(&self.runs).unwrap();
        assert!(connection.execute(sql, []).unwrap() > 0, "{sql}");
    }

    fn puzzles(&self) -> Vec<Value> {
        embedded(&self.page, "offered").as_array().unwrap().clone()
    }
}

#[test]
fn a_site_is_written_whole_and_asks_for_nothing() {
    let folder = tempdir().unwrap();
    let wasm = solver(folder.path());
    let puzzles = folder.path().join("puzzles");
    fs::create_dir(&puzzles).unwrap();
    write(&puzzles, "good.yaml", "tiles: {1: [a, b, a, b]}");
    write(&puzzles, "bad.yaml", "tiles: {1: [a");
    let site = folder.path().join("site");
    let [puzzles, site] = [&puzzles, &site].map(|path| path.display().to_string());
    let made = run(&["site", &puzzles, "-o", &site, "--wasm", &wasm]).expect(0);
    made.says("left out: bad.yaml:1:14: ");
    made.says("index.html: 1 puzzle, the solver; ");
    let html = fs::read_to_string(Path::new(&site).join("index.html")).unwrap();
    for part in [
        "default-src 'none'",
        "'wasm-unsafe-eval'",
        "worker-src 'self' blob:",
        "id=\"solver\"",
        "id=\"offered\"",
        "manifest.webmanifest",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains("connect-src") && !html.contains("unsafe-inline"));
    for file in ["worker.js", "manifest.webmanifest", "icon.svg"] {
        assert!(Path::new(&site).join(file).is_file(), "{file}");
    }
    let again = run(&["site", "-o", &site, "--wasm", &wasm]);
    again.expect(2).says("is not empty");
    run(&["site", "-q", "--force", "-o", &site, "--wasm", &wasm]).expect(0);
}

#[test]
fn a_page_stores_solutions_where_there_is_no_solver() {
    let folder = tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let page = folder.path().join("page.html");
    let one = page.to_str().unwrap();
    let made = run(&["site", ONE, "-o", one]).expect(0);
    made.says("1 solution (4 with rotations of the board), proven complete");
    made.says("page.html: 1 puzzle, 1 stored solution; ");
    made.says("edgematch.wasm does not exist");
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("Content-Security-Policy") && html.contains("script-src 'sha256-"));
    // The page loads nothing from elsewhere.
    assert!(!html.contains("src=\"") && !html.contains("<link rel=\"stylesheet\""));
    assert!(!html.contains("id=\"solver\"") && !html.contains("wasm-unsafe-eval'"));
    let puzzles = embedded(&page, "offered");
    assert_eq!(stored(&puzzles[0]), (1, true));
    assert_eq!(puzzles[0]["known"]["recordings"].as_array().unwrap().len(), 2);

    run(&["site", NONE, "--force", "-o", one]).expect(0);
    assert_eq!(stored(&embedded(&page, "offered")[0]), (0, true));
    let part = run(&["site", SEVERAL, "-n", "5", "--force", "-o", one]).expect(0);
    part.says("5 stored solutions; 1 puzzle may have more");
    assert_eq!(stored(&embedded(&page, "offered")[0]), (5, false));

    let hard = run(&["generate", "-q", "--size", "9x9", "--images", "9", "--seed", "1"]);
    let hard = write(folder.path(), "hard.yaml", hard.stdout).display().to_string();
    run(&["site", &hard, "--time-limit", "100ms", "--force", "-o", one]).expect(3);
    assert_eq!(stored(&embedded(&page, "offered")[0]), (0, false));

    let several = folder.path().join("several");
    fs::create_dir(&several).unwrap();
    for file in [ONE, SEVERAL] {
        fs::copy(at_root(file), several.join(Path::new(file).file_name().unwrap())).unwrap();
    }
    run(&["site", &at("several"), "--force", "-o", one]).expect(0).says(": 2 puzzles, 38 ");
    // A puzzle file is not overwritten by mistake.
    let own = at("several/scramble-1.yaml");
    run(&["site", &own, "-o", &own]).refused().says("is a file, not a folder");
    let printed = run(&["site", "-q", &own, "-o", "-"]).expect(0);
    assert!(printed.stdout.starts_with("<!doctype html>") && printed.stderr.is_empty());
    let nowhere = at("no/such/folder.html");
    run(&["site", ONE, "-o", &nowhere]).refused().says("there is no such folder");
}

#[test]
fn what_makes_no_sense_is_refused_and_nothing_is_written() {
    let folder = tempdir().unwrap();
    let cut = write(folder.path(), "cut.wasm", &STAND_IN[..15]).display().to_string();
    let other = write(folder.path(), "other.wasm", "no").display().to_string();
    let missing = folder.path().join("missing.wasm").display().to_string();
    let filled = Shown::new(|filling| filling.file(ONE, "propagate"));
    let runs = filled.runs.to_str().unwrap();
    for (args, why) in [
        (&["--wasm", &cut][..], "truncated"),
        (&["--wasm", &other], "is not WebAssembly"),
        (&["--wasm", &missing], "can't be read"),
        (&[], "a page without a puzzle needs the solver for browsers, and "),
        (&["--wasm", &cut, "-n", "5"], "cannot be used with"),
        (&["puzzles", "--pin", "1,1=1"], "--pin applies to one puzzle"),
        (&[runs, "--pin", "1,1=1"], "--pin applies to one puzzle, not with the results"),
        (&[ONE, SEVERAL], "several files can be combined only if all are results of `batch`"),
        (&[runs, ONE], "it is not a results file"),
    ] {
        for name in ["site", "page.html"] {
            let output = folder.path().join(name);
            let to = output.to_str().unwrap();
            run(&[&["site", "-o", to], args].concat()).expect(2).says(why);
            assert!(!output.exists(), "{args:?}");
        }
    }
}

#[test]
fn results_are_shown_with_counts_and_solutions() {
    let shown = Shown::new(|filling| {
        for engine in ["propagate", "scan-rows"] {
            filling.file(ONE, engine);
            filling.file(SEVERAL, engine);
        }
        filling.file(NONE, "propagate");
        filling.text("bad|<b>.yaml", "bad", b"tiles: [1, 2", "propagate");
    });
    let made = shown.write(&[]).expect(0);
    made.says("page.html: 4 puzzles, 38 stored solutions");
    let results = embedded(&shown.page, "of-results");
    let totals = results["totals"].as_str().unwrap();
    assert!(
        totals.starts_with("4 puzzles, 6 runs: 4 complete, 1 no solution, 1 bad; "),
        "{totals}"
    );
    let puzzles = shown.puzzles();
    let called = |name: &str| puzzles.iter().find(|puzzle| puzzle["name"] == name).unwrap();
    let several = called(SEVERAL);
    assert_eq!(
        (stored(several), &several["title"]),
        ((37, true), &"Pippi Langstrumpf Absolut knifflig!".into())
    );
    assert_eq!(several["found"]["distinct"], "37");
    let runs = several["found"]["runs"].as_array().unwrap();
    let scanned = runs[1].as_str().unwrap();
    let expected =
        "scan-rows: complete; 37 distinct, 37 classes, 148 solutions; 14950 nodes, 220760 tries; ";
    assert!(scanned.starts_with(expected), "{scanned}");
    assert!(several["picture"].as_str().unwrap().starts_with("<svg"));
    let none = called(NONE);
    assert_eq!((stored(none), &none["found"]["status"]), ((0, true), &"UNSATISFIABLE".into()));
    let bad = called("bad|<b>.yaml");
    assert_eq!((&bad["text"], &bad["found"]["status"]), (&Value::Null, &"ERROR".into()));
    // The limit of solutions per puzzle.
    shown.write(&["-n", "5"]).expect(0).says("6 stored solutions");
    // Results files of several machines are combined.
    let other = Shown::new(|filling| filling.file("puzzles/framed-3x3-tud.yaml", "propagate"));
    let both = shown.write(&[other.runs.to_str().unwrap()]).expect(0);
    both.says(": 5 puzzles");
    // Inputs are never replaced.
    let runs = shown.folder.path().join("runs.html");
    fs::copy(&shown.runs, &runs).unwrap();
    let runs = runs.to_str().unwrap();
    run(&["site", runs, "-o", runs, "--force"]).refused().says("would replace the puzzle");
}

#[test]
fn the_solver_stands_beside_stored_solutions() {
    let shown = Shown::new(|filling| filling.file(ONE, "propagate"));
    let wasm = solver(shown.folder.path());
    let made = shown.write(&["--wasm", &wasm]).expect(0);
    made.says(": 1 puzzle, the solver, 1 stored solution; ");
    let html = fs::read_to_string(&shown.page).unwrap();
    assert!(html.contains("worker-src blob:") && !html.contains("manifest.webmanifest\""));
}

#[test]
fn five_hundred_small_puzzles_take_few_megabytes() {
    let folder = tempdir().unwrap();
    let [puzzles, file] =
        ["puzzles/", "runs.sqlite"].map(|name| folder.path().join(name).display().to_string());
    let kind = ["--size", "4x4", "--images", "6", "--unique", "--seed", "1"];
    run(&[&["generate", "--count", "50", "-o", &puzzles], &kind[..]].concat()).expect(0);
    run(&["batch", &puzzles, "--keep-solutions", "--results", &file]).expect(0);
    let size = |source: &str| {
        let page = folder.path().join("page.html");
        let to = page.to_str().unwrap();
        run(&["site", source, "-o", to, "--force"]).expect(0).says("50 stored solutions");
        fs::metadata(&page).unwrap().len()
    };
    // The style and the scripts occur once.
    for source in [&file, &puzzles] {
        let size = size(source);
        let most = 300_000 + 50 * 8_000;
        assert!(size <= most, "{size} bytes for 50 puzzles of {source}");
    }
}

#[test]
fn pictures_are_shown_while_the_file_is_the_same() {
    let folder = tempdir().unwrap();
    let copy = folder.path().join("fish");
    let input = copy.join("input");
    fs::create_dir_all(&input).unwrap();
    for entry in fs::read_dir(at_root("puzzles/scramble-1/input")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), input.join(entry.file_name())).unwrap();
    }
    let shown = Shown::new(|filling| filling.file(copy.to_str().unwrap(), "propagate"));
    let has_pictures = || {
        shown.write(&[]).expect(0);
        shown.puzzles()[0]["picture"].as_str().unwrap().contains("data:image/png")
    };
    assert!(has_pictures());
    let tiles = input.join("tile_dict.yaml");
    let text = fs::read_to_string(&tiles).unwrap();
    fs::write(&tiles, text + "# changed\n").unwrap();
    assert!(!has_pictures());
}

#[test]
fn solutions_that_do_not_fit_are_named_and_left_out() {
    for (change, words) in [
        (
            "UPDATE solutions SET placements = replace(placements, '\"rotation\":1', '\"rotation\":2')",
            "do not match",
        ),
        ("UPDATE solutions SET placements = '[]'", "no placement for cell"),
        ("UPDATE solutions SET placements = '{}'", "is left out"),
        (
            "UPDATE solutions SET placements = replace(placements, '\"tile\":\"1\"', '\"tile\":\"77\"')",
            "no tile `77`",
        ),
        ("UPDATE solutions SET solutions = '5'", "represents 4 solutions, not 5"),
        (
            "INSERT INTO solutions SELECT run, 2, placements, solutions FROM solutions",
            "equivalent to an earlier one",
        ),
        ("UPDATE runs SET distinct_count = '2'", "counts 2 distinct"),
        ("DELETE FROM solutions", "those stored add up to 0 and 0"),
    ] {
        let shown = Shown::new(|filling| filling.file(ONE, "propagate"));
        shown.change(change);
        shown.write(&[]).expect(4).says(words);
        let puzzle = &shown.puzzles()[0];
        assert!(puzzle["found"]["faults"][0].as_str().unwrap().contains(words), "{change}");
        assert!(!stored(puzzle).1, "{change}: there may be more");
    }
}

#[test]
fn solutions_under_constraints_are_checked_and_played_under_them() {
    let folder = tempdir().unwrap();
    let [runs, page] = ["runs.sqlite", "page.html"].map(|name| folder.path().join(name));
    let shown = Shown { folder, runs, page };
    let file = shown.runs.to_str().unwrap();
    let batch = |more: &[&str]| {
        let args = ["batch", SEVERAL, "--results", file, "--keep-solutions", "-q"];
        run(&[&args, more].concat()).expect(0);
    };
    let list = "- pin: {cell: [1, 1], tile: 1}\n";
    let list = write(shown.folder.path(), "pinned.yaml", list);
    let written = || {
        let session = shown.write(&[]).expect(0);
        (session.stderr, shown.puzzles().swap_remove(0))
    };
    const LACKS: &str = "checked against the puzzle alone: the constraints file of this run is not";
    batch(&["--constraints", list.to_str().unwrap()]);
    let (said, puzzle) = written();
    assert!(!said.contains(LACKS) && stored(&puzzle).1);
    assert_eq!(puzzle["game"]["constraints"], serde_json::json!(["pin"]));
    shown.change("DELETE FROM constraint_files");
    let (said, puzzle) = written();
    assert!(said.contains(LACKS) && !stored(&puzzle).1, "{said}");
    batch(&["--pin", "1,1=1"]);
    let (said, puzzle) = written();
    assert!(!said.contains(LACKS) && said.contains("with constraints: {\"pin\""), "{said}");
    assert!(stored(&puzzle).1);
    shown.change(
        "UPDATE runs SET options = replace(options, '1,1=1', '1,1=2') WHERE options LIKE '%pin%'",
    );
    shown.write(&[]).expect(4).says("is left out");
    // Without constraints, the puzzle is shown as it is.
    batch(&[]);
    let puzzle = written().1;
    assert_eq!((stored(&puzzle), &puzzle["game"]["plain"]), ((37, true), &true.into()));
}

#[test]
fn a_page_knows_what_it_does_not_know() {
    // Without stored solutions, the page knows only of puzzles that have none.
    let shown = Shown::new(|filling| {
        filling.keeps = false;
        filling.file(ONE, "propagate");
        filling.file(NONE, "propagate");
    });
    shown.write(&["-q"]).expect(0);
    let puzzles = shown.puzzles();
    let known: Vec<_> = puzzles.iter().map(stored).collect();
    assert_eq!(known, [(0, false), (0, true)]);
    // Disagreements between engines are shown on the page.
    let shown = Shown::new(|filling| {
        filling.file(ONE, "propagate");
        filling.file(ONE, "scan-rows");
    });
    shown.change("UPDATE runs SET class_count = '3' WHERE engine = 'scan-rows'");
    shown.write(&[]).expect(4).says("disagreement: ");
    let results = embedded(&shown.page, "of-results");
    assert!(results["disagreements"][0].as_str().unwrap().contains("but scan-rows"));
}
