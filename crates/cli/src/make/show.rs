//! `edgematch show`: the tiles as they lie in the file, or an arrangement.

use std::io::{self, Write};
use std::path::Path;

use anyhow::bail;
use edgematch::enumerate::solution::violations;
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch::runtime::limits::Limits;
use edgematch_draw as draw;

use crate::args::{Show, inputs, refuse_two_readers};
use crate::common::{DrawingFile, columns, exit, ink, pictures, say, warnings};

/// Runs the command; gives the exit code.
pub fn run(args: &Show) -> anyhow::Result<u8> {
    let read = args.puzzle.read().chain(inputs("the arrangement", &args.solution));
    refuse_two_readers(read)?;
    let is_png = |path: &Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png"));
    if args.picture.pixels.is_some() && !args.output.as_deref().is_some_and(is_png) {
        bail!("--pixels requires a PNG, -o FILE.png");
    }
    let (problem, text) = args.puzzle.load_with_text()?;
    let shown = match &args.solution {
        Some(path) => {
            let bytes = load::read_bytes(path)?;
            let all = load::read_solutions(&bytes, &load::shown(path), &problem)?;
            Some(first(all, &load::shown(path), args))
        }
        None => {
            let own = load::own_arrangements(&text, &problem)?;
            own.map(|all| first(all, &load::shown(&args.puzzle.file), args))
        }
    };
    let mut out = io::stdout().lock();
    match &args.output {
        Some(output) => write_picture(args, &problem, shown.as_ref(), output, &mut out)?,
        None => out.write_all(characters(&problem, shown.as_ref()).as_bytes())?,
    }
    out.flush()?;
    warnings::assumed(&problem, args.messages.quiet);
    Ok(exit::FOUND)
}

/// Draws the tiles, or the arrangement, into a file or as SVG on standard output.
fn write_picture(
    args: &Show,
    problem: &Problem,
    shown: Option<&Arrangement>,
    output: &Path,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let own =
        pictures::of_tiles(problem, &args.puzzle.file, args.messages.quiet, &Limits::default())?;
    let style = pictures::style(args.picture, own.as_ref());
    let drawing = match shown {
        Some(arrangement) => draw::arrangement(problem, arrangement, &style),
        None => draw::tiles(problem, &style),
    };
    let read = args.puzzle.read().chain(inputs("the arrangement", &args.solution));
    match DrawingFile::of_option(Some(output), args.force, read, own.as_ref())? {
        Some(mut file) => file.write(&drawing, args.picture.pixels())?,
        None => out.write_all(drawing.svg.as_bytes())?,
    }
    Ok(())
}

fn first(mut all: Vec<Arrangement>, file: &str, args: &Show) -> Arrangement {
    if all.len() > 1 && !args.messages.quiet {
        let number = all.len();
        say(&format!("{file} holds {number} arrangements; the first one is shown"));
    }
    all.swap_remove(0)
}

/// A picture of characters, with what does not fit below it.
fn characters(problem: &Problem, shown: Option<&Arrangement>) -> String {
    let columns = columns();
    let ink = ink();
    let Some(arrangement) = shown else {
        return draw::text_of_tiles(problem, columns, ink);
    };
    let picture = draw::text(problem, arrangement, columns, ink);
    let violations = violations(problem, arrangement);
    let lines = violations.iter().map(|violation| {
        let what = load::printable(&violation.describe(problem));
        format!("does not fit: {what}\n")
    });
    picture + &lines.collect::<String>()
}
