//! `edgematch site`: pages for any host of files, with the solver inside.

use anyhow::bail;
use edgematch::engine::counted;
use edgematch::enumerate::Limits;
use edgematch_play::{BESIDE, Library, Offered, One, Page, Refusal, Solving};

use super::args::Site;
use super::output::Outputs;
use super::talk::say;
use super::{exit, interrupt, library, solver};

/// The page that a host shows first.
const INDEX: &str = "index.html";

/// Runs the command; gives the exit code.
pub fn run(args: &Site) -> anyhow::Result<u8> {
    interrupt::end_at_once();
    let wasm = args.wasm.iter().map(|path| ("the solver", path.as_path()));
    let puzzle = args.puzzle.iter().map(|path| ("the puzzle", path.as_path()));
    let folder = Outputs::new(args.force, puzzle.chain(wasm)).folder(&args.output)?;
    let solver = solver::read(args.wasm.as_deref())?;
    let library = library::open(args.puzzle.as_deref(), &args.extra, args.messages.quiet)?;
    let puzzles = offered(&library, args.messages.quiet)?;
    let page = Page {
        solving: Some(Solving { solver: &solver, puzzles: &puzzles }),
        has_files: true,
        ..Page::default()
    };
    let html = page.html()?;
    for file in BESIDE {
        folder.write(file.name, file.text.as_bytes())?;
    }
    folder.write(INDEX, html.as_bytes())?;
    if !args.messages.quiet {
        let number = counted(puzzles.len(), "puzzle", "puzzles");
        let kilobytes = html.len() as f64 / 1000.0;
        let first = args.output.join(INDEX);
        say(&format!("{} with {number}: {kilobytes:.0} KB", first.display()));
    }
    Ok(exit::FOUND)
}

/// What the page offers; files that are no puzzles are left out.
fn offered(library: &Library, is_quiet: bool) -> anyhow::Result<Vec<Offered>> {
    let limits = Limits::default();
    let mut all = Vec::new();
    let names = library.names();
    for name in &names {
        let offer = |one: One| Offered::new(name, &one, &limits).map_err(Refusal::wrong);
        match library.find(name, &limits).and_then(offer) {
            Ok(one) => all.push(one),
            Err(why) if !is_quiet => say(&format!("warning: left out: {}", why.located(name))),
            Err(_) => {}
        }
    }
    if all.is_empty() && !names.is_empty() {
        bail!("there is no puzzle that can be read");
    }
    Ok(all)
}
