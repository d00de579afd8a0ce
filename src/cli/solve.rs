//! `edgematch solve`: every distinct arrangement, or every solution, as it is found.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use edgematch::board::Problem;
use edgematch::engine::Milp;
use edgematch::enumerate::{self, Limits, Outcome, Verdict};
use edgematch::model::FORMULATIONS;
use edgematch::report::{FORMATS, Report, sentence};
use edgematch::{domains, load};

use super::args::Solve;
use super::pictures::{self, Folder, SvgReport};
use super::printer::Printer;
use super::talk::say;
use super::{exit, interrupt};

/// Runs the command; gives the exit code.
pub fn run(args: &Solve) -> anyhow::Result<u8> {
    refuse_contradictions(args)?;
    let mut report = format_named(&args.format);
    let problem = match load::read(&args.file) {
        Ok(problem) => problem,
        Err(error) => {
            let mut out = io::stdout().lock();
            report.error(&mut out, &error)?;
            out.flush()?;
            return Err(error.into());
        }
    };
    if !args.talk.quiet {
        warn(&problem);
    }
    if args.talk.verbose {
        introduce(args, &problem);
    }
    let own = match args.output {
        Some(_) => pictures::of_tiles(&problem, &args.file, args.talk.quiet)?,
        None => None,
    };
    let style = pictures::style(args.look, own.as_ref());
    let mut folder = None;
    let mut report: Box<dyn Report + '_> = report;
    match &args.output {
        Some(path) if is_stdout(path) => report = Box::new(SvgReport(style)),
        Some(path) => {
            folder = Some(Folder::open(path, args.force, &problem, args.look, style)?);
        }
        None => {}
    }
    let interrupt = interrupt::flag();
    let mut printer = Printer::new(args, &problem, report, folder);
    let outcome = solve(args, &problem, &mut printer, &interrupt);
    let (outcome, printed) = printer.finish(outcome)?;
    if !args.talk.quiet || matches!(outcome.verdict, Verdict::Failed(_)) {
        let mut words = sentence(&outcome);
        if printed.is_cut_short && outcome.verdict.is_complete() {
            words += &format!("; printed {}", printed.number);
        }
        say(&words);
    }
    Ok(exit::of_outcome(&outcome))
}

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// What the table of arguments can't refuse by itself.
fn refuse_contradictions(args: &Solve) -> anyhow::Result<()> {
    let is_text = args.format == FORMATS[0].name;
    if args.draw && !is_text {
        bail!("--draw goes with --format {}", FORMATS[0].name);
    }
    if !args.output.as_deref().is_some_and(is_stdout) {
        return Ok(());
    }
    if !is_text || args.statistics || args.draw || args.force {
        bail!("with -o - standard output is one SVG: no --format, --statistics, --draw or --force");
    }
    if args.solutions > 1 {
        bail!(
            "with -o - standard output is one SVG: -n {} is too many",
            args.solutions
        );
    }
    Ok(())
}

fn format_named(name: &str) -> Box<dyn Report> {
    let format = FORMATS.iter().find(|f| f.name == name);
    (format.expect("clap accepts names of this list only").start)()
}

/// Says of a puzzle what it can't want.
pub fn warn(problem: &Problem) {
    let tiles = &problem.puzzle.tiles;
    if let Some(border) = problem.puzzle.border
        && !tiles.iter().any(|tile| tile.edges.contains(&border))
    {
        let name = problem.puzzle.labels.name(border);
        say(&format!(
            "warning: no tile shows the border image `{name}`, so there is no solution"
        ));
        return;
    }
    let first = domains::Domains::first(problem);
    for tile in first.homeless_tiles(problem) {
        let name = &problem.puzzle.tiles[tile].name;
        let follows = match problem.uses_every_tile() {
            true => "so there is no solution",
            false => "so it is never used",
        };
        say(&format!(
            "warning: tile `{name}` fits no cell because of the border, {follows}"
        ));
    }
}

fn introduce(args: &Solve, problem: &Problem) {
    let (puzzle, board) = (&problem.puzzle, problem.board.description());
    let (tiles, kinds) = (puzzle.tiles.len(), problem.kinds.kinds.len());
    let name = &puzzle.name;
    say(&format!(
        "{name}: {tiles} tiles of {kinds} kinds on a {board}"
    ));
    say(&format!("engine milp, formulation {}", args.formulation));
}

fn solve(
    args: &Solve,
    problem: &Problem,
    printer: &mut Printer<'_>,
    interrupt: &AtomicBool,
) -> Outcome {
    let formulation = FORMULATIONS.iter().find(|f| f.name() == args.formulation);
    let engine = Milp {
        formulation: *formulation.expect("clap accepts names of this list only"),
    };
    let limits = Limits {
        distinct: 0,
        time: args.time_limit,
        interrupt: Some(interrupt),
    };
    enumerate::run(problem, &engine, &limits, printer)
}
