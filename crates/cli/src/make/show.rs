//! `edgematch show`: draws the tiles in the order of the file, or an arrangement.

use edgematch::enumerate::solution::violations;
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch::runtime::limits::Limits;
use edgematch_draw as draw;

use crate::args::{Color, Show, inputs, refuse_two_readers};
use crate::common::{DrawingFile, columns, exit, ink, pictures, print, say, warnings};

/// Runs `edgematch show`; returns the exit code, 0 even if the arrangement is not a solution.
pub fn run(args: &Show) -> anyhow::Result<u8> {
    let read = args.puzzle.inputs().chain(inputs("the arrangement", &args.solution));
    let read = read.chain(inputs("the model", &args.answer.model));
    refuse_two_readers(read)?;
    let loaded = args.puzzle.load()?;
    let shown = args.answer.arrangements(&loaded, args.solution.as_ref())?;
    let shown = shown.map(|all| first(all, args));
    let problem = &loaded.problem;
    if args.output.is_some() {
        write_picture(args, problem, shown.as_ref())?;
    } else {
        print(characters(problem, shown.as_ref(), args.color))?;
    }
    warnings::assumed(problem, args.messages.quiet);
    Ok(exit::FOUND)
}

/// Draws the tiles, or the arrangement if there is one, into the file of `-o` or as SVG on standard
/// output.
fn write_picture(
    args: &Show,
    problem: &Problem,
    shown: Option<&Arrangement>,
) -> anyhow::Result<()> {
    let limits = Limits::default();
    let own = pictures::read(true, &args.puzzle, problem, args.messages.quiet, &limits)?;
    let style = pictures::style(args.picture, own.as_ref());
    let drawing = match shown {
        Some(arrangement) => draw::arrangement(problem, arrangement, &style),
        None => draw::tiles(problem, &style),
    };
    let read = args.puzzle.inputs().chain(inputs("the arrangement", &args.solution));
    let output = args.output.as_deref();
    let file = DrawingFile::of_option(output, args.picture, args.force, read, own.as_ref())?;
    file.map_or(Ok(()), |mut file| file.write(&drawing))
}

/// The first of at least one arrangement; prints a message if there are more, unless quiet.
fn first(mut all: Vec<Arrangement>, args: &Show) -> Arrangement {
    if all.len() > 1 && !args.messages.quiet {
        let number = all.len();
        let file = load::shown(args.solution.as_ref().unwrap_or(&args.puzzle.file));
        say(&format!("{file} contains {number} arrangements; the first one is shown"));
    }
    all.swap_remove(0)
}

/// A drawing of characters, of the tiles if `shown` is `None`. Below an arrangement, its violations
/// are listed.
fn characters(problem: &Problem, shown: Option<&Arrangement>, color: Color) -> String {
    let Some(arrangement) = shown else {
        return draw::text_of_tiles(problem, columns(), ink(color));
    };
    let picture = draw::text(problem, arrangement, columns(), ink(color));
    let lines = violations(problem, arrangement).into_iter().map(|violation| {
        let what = load::printable(&violation.describe(problem));
        format!("does not fit: {what}\n")
    });
    picture + &lines.collect::<String>()
}
