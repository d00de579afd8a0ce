//! `edgematch site` and `page --solver` from outside: what they write, and what they refuse. What the
//! pages do is tested in a browser.

use std::fs;
use std::path::Path;

use crate::session::{puzzle, run, write};

/// The beginning of a file of WebAssembly, and the section that makes it the solver.
const STAND_IN: &[u8] = b"\0asm\x01\0\0\0\0\x0d\x0ajavascript//";

fn solver(folder: &Path) -> String {
    write(folder, "solver.wasm", STAND_IN).display().to_string()
}

#[test]
fn a_site_is_written_whole_and_asks_for_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = solver(folder.path());
    let puzzles = folder.path().join("puzzles");
    fs::create_dir(&puzzles).unwrap();
    write(&puzzles, "good.yaml", "tiles: {1: [a, b, a, b]}");
    write(&puzzles, "bad.yaml", "tiles: {1: [a");
    let site = folder.path().join("site");
    let [puzzles, site] = [&puzzles, &site].map(|path| path.display().to_string());
    let made = run(&["site", &puzzles, "-o", &site, "--wasm", &wasm]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert!(made.stderr.contains("left out: bad.yaml:1:14: "), "{}", made.stderr);
    assert!(made.stderr.contains("index.html with 1 puzzle: "), "{}", made.stderr);
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
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("is not empty"), "{}", again.stderr);
    assert_eq!(run(&["site", "-q", "--force", "-o", &site, "--wasm", &wasm]).code, 0);
}

#[test]
fn what_is_no_solver_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let cut = write(folder.path(), "cut.wasm", &STAND_IN[..15]).display().to_string();
    let other = write(folder.path(), "other.wasm", "no").display().to_string();
    let missing = folder.path().join("missing.wasm").display().to_string();
    let site = folder.path().join("site");
    let page = folder.path().join("page.html");
    for (wasm, why) in
        [(&cut, "cut off"), (&other, "is no WebAssembly"), (&missing, "can't be read")]
    {
        let refused = run(&["site", "-o", &site.display().to_string(), "--wasm", wasm]);
        assert_eq!(refused.code, 2, "{why}");
        assert!(refused.stderr.contains(why), "{}", refused.stderr);
        let page = page.display().to_string();
        let refused =
            run(&["page", "--solver", "--wasm", wasm, &puzzle("scramble-1"), "-o", &page]);
        assert_eq!(refused.code, 2, "{why}");
    }
    assert!(!site.exists() && !page.exists());
    let alone = run(&["page", "--wasm", &cut, &puzzle("scramble-1"), "-o", "x.html"]);
    assert_eq!(alone.code, 2);
    assert!(alone.stderr.contains("--solver"), "{}", alone.stderr);
}

#[test]
fn a_page_has_the_solver_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let wasm = solver(folder.path());
    let file = folder.path().join("page.html");
    let page = file.display().to_string();
    let made = run(&["page", "-q", &puzzle("scramble-1"), "-o", &page]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let alone = fs::read_to_string(&file).unwrap();
    assert!(!alone.contains("id=\"solver\"") && !alone.contains("wasm-unsafe-eval'"));
    let made = run(&[
        "page",
        "-q",
        "--force",
        "--solver",
        "--wasm",
        &wasm,
        &puzzle("scramble-1"),
        "-o",
        &page,
    ]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let both = fs::read_to_string(&file).unwrap();
    assert!(both.contains("id=\"solver\"") && both.contains("id=\"known\""));
    assert!(both.contains("worker-src blob:") && !both.contains("manifest.webmanifest\""));
}
