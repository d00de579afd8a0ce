//! `edgematch solve`: prints every distinct arrangement, or every solution, as it is found.
//!
//! The stages are: reject contradictory options, create the engine, read the puzzle, search and
//! print, report the status and return its exit code.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use edgematch::analyse::merge::PartStatus;
use edgematch::engine::{Auto, Engine, PartOf, Propagate, Share};
use edgematch::enumerate::{self, Limits, RunStatus};
use edgematch::load::{self, LoadError};
use edgematch::optimise::{self, FirstSolutions};
use edgematch::problem::Problem;
use edgematch::puzzle::Half;
use edgematch_draw::Pictures;
use edgematch_proof::sha256;
use edgematch_report::{
    Best, FORMATS, Log, Origin, Report, apart_sentence, best_sentence, part_sentence, sentence,
};
use itertools::Itertools;

use super::certificate::{self, Opened};
use super::printer::{Done, Printer};
use super::task::Task;
use crate::args::engine::engines_with_threads;
use crate::args::{Loaded, Solve, When, machine, refuse_two_readers};
use crate::common::{
    DrawingFile, OutputFile, Outputs, PictureFolder, SolutionPictures, SvgReport, exit, interrupt,
    is_stdout, note, patience, pictures, quoted, say, warnings,
};

/// Runs `edgematch solve`; returns the exit code, [`exit::NONE`] if the whole puzzle has no
/// solution.
///
/// # Errors
/// If options contradict each other, the input is invalid, the engine does not support it, or an
/// output cannot be written. A failure of the engine is not an error but an exit code.
pub fn run(args: &Solve) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let mut limits = Limits { nodes: args.node_limit, ..args.search.limits(&interrupt) };
    if args.log.is_some() && args.search.threads.threads.is_none() {
        limits.threads = 1;
    }
    refuse_contradictions(args)?;
    let boxed = engine(args)?;
    let engine = boxed.as_ref();
    let share = args.part.map(|part| Share::new(engine, part));
    let is_plain_auto = engine.name() == Auto.name() && share.is_none();
    let searching = share.as_ref().map_or(engine, |share| share as &dyn Engine);
    let Read { loaded, own, task, least } = report_error(args, read(args, searching, &limits))?;
    let problem = &loaded.problem;
    let style = pictures::style(args.picture, own.as_ref());
    report_error(args, note_losses(args, problem))?;
    let report: Box<dyn Report> = match &args.output {
        Some(path) if is_stdout(path) => Box::new(SvgReport(style)),
        _ => (args.format.start)(),
    };
    let writers = Writers::open(args, own.as_ref(), &loaded, engine, &limits);
    let Writers { pictures, log, certificate } = report_error(args, writers)?;
    let what = task.optimisation(args, problem);
    let problems = (problem, least.as_ref().unwrap_or(problem), &task.objectives[..]);
    let mut printer = Printer::new(args, problems, report, (pictures, log), limits);
    let (done, certificate) = match (certificate, &what, args.sample) {
        (Some(opened), ..) => opened.solve(args, problem, printer, &limits)?,
        (None, None, Some(number)) => {
            let seed = args.seed.unwrap_or_default();
            let (outcome, sample) =
                enumerate::sample(problem, &limits, None, (number as usize, seed));
            printer.print_sample(&sample, seed, &outcome.status);
            (printer.finish(outcome, None, None)?, None)
        }
        (None, None, None) => {
            let outcome = match args.distance {
                Some(distance) => {
                    let limits = Limits { distinct: args.solution_limit(false), ..limits };
                    enumerate::run_apart(
                        problem,
                        distance as usize,
                        searching,
                        &limits,
                        &mut printer,
                    )
                }
                None if args.solution_limit(false) > 0 && is_plain_auto => {
                    enumerate::run(problem, &FirstSolutions::new(engine), &limits, &mut printer)
                }
                None => enumerate::run(problem, searching, &limits, &mut printer),
            };
            let part = share.as_ref().map(|share| part_status(args, share, &loaded));
            (printer.finish(outcome, None, part)?, None)
        }
        (None, Some(what), _) => {
            let limits = Limits { distinct: args.solution_limit(true), ..limits };
            let found = optimise::run(what, engine, &limits, &mut printer);
            let best = Best::new(&found, what);
            for (method, why) in &found.left_out {
                note(!args.talk.verbose, &format!("{method} left out: {why}"));
            }
            (printer.finish(found.outcome, Some(best), None)?, None)
        }
    };
    Ok(conclude(args, problem, &done, certificate))
}

/// The writers of the optional output files.
struct Writers<'a> {
    pictures: Option<SolutionPictures<'a>>,
    log: Option<Log<'a>>,
    certificate: Option<Opened<'a>>,
}

impl<'a> Writers<'a> {
    /// Checks all files and folders, then opens them and begins the log. `own` are the tiles' own
    /// pictures.
    ///
    /// # Errors
    /// If a file or folder cannot be written, is also an input or another output, or exists and may
    /// not be replaced without `--force`.
    fn open(
        args: &Solve,
        own: Option<&'a Pictures>,
        loaded: &'a Loaded,
        engine: &dyn Engine,
        limits: &Limits<'_>,
    ) -> anyhow::Result<Writers<'a>> {
        let read = args.puzzle.inputs().chain(Task::inputs(args));
        let mut outputs = Outputs::new(args.force, read.chain(pictures::files(own)));
        let output = args.output.as_deref().filter(|path| !is_stdout(path));
        let (file, folder) = match output {
            Some(path) if pictures::is_drawing(path) && !path.is_dir() => (Some(path), None),
            path => (None, path),
        };
        let picture = args.picture;
        let open = |path| DrawingFile::in_style(&mut outputs, path, picture);
        let file = file.map(open).transpose()?;
        let folder = folder.map(|path| outputs.folder(path, pictures::is_picture)).transpose()?;
        let certificate = args.certificate.as_deref();
        let certificate =
            certificate.map(|path| outputs.folder(path, certificate::is_written)).transpose()?;
        let log = args.log.as_deref().map(|path| outputs.file(path)).transpose()?;
        let style = pictures::style(args.picture, own);
        let begin_log = |file: OutputFile| {
            let arguments = std::env::args().skip(1).collect();
            let origin = Origin { hash: sha256(&loaded.text), arguments };
            let out = Box::new(BufWriter::new(file.stream()?));
            anyhow::Ok(Log::new(out, machine::memory, &origin, (&loaded.problem, engine), limits))
        };
        let problem = &loaded.problem;
        let pictures = match (file, folder) {
            (Some(file), _) => Some(SolutionPictures::First(file, problem, style)),
            (None, Some(folder)) => {
                let folder = PictureFolder::open(folder, problem, args.picture, style)?;
                Some(SolutionPictures::Folder(folder))
            }
            (None, None) => None,
        };
        Ok(Writers {
            pictures,
            log: log.map(begin_log).transpose()?,
            certificate: certificate
                .map(|folder| Opened::open(folder, &args.puzzle, loaded))
                .transpose()?,
        })
    }
}

/// Prints how a run ended on standard error; returns the exit code. `certificate` is the size of
/// the certificate in words, if one was written. A complete part has the exit code [`exit::FOUND`]
/// even without solutions; a log that could not be written has [`exit::BAD_INPUT`].
fn conclude(args: &Solve, problem: &Problem, done: &Done, certificate: Option<String>) -> u8 {
    let outcome = &done.outcome;
    if !args.talk.quiet || matches!(outcome.status, RunStatus::Failed(_)) {
        let mut words = match (&done.best, args.part) {
            (Some(best), _) => best_sentence(problem, outcome, best),
            (None, Some(part)) => part_sentence(problem, outcome, part),
            (None, None) => match args.distance {
                Some(distance) => apart_sentence(problem, outcome, distance as usize),
                None => sentence(problem, outcome),
            },
        };
        if let Some(number) = args.sample {
            words += &if outcome.status.is_complete() {
                format!("; {} of {number} drawn at random", done.number)
            } else {
                "; nothing was drawn, because not all solutions are known".to_owned()
            };
        } else if done.is_cut_short && args.distance.is_none() && outcome.status.is_complete() {
            words += &format!("; printed {}", done.number);
        }
        say(&words);
    }
    let is_none = outcome.status.is_complete() && outcome.tally.listed() == 0;
    if is_none && !args.talk.quiet && args.part.is_none() && done.best.is_none() {
        point_onwards(args, problem);
    }
    if let Some(folder) = args.certificate.as_ref().map(|path| path.display()) {
        let words = match certificate {
            Some(size) => format!("certificate in {folder}: {size}"),
            None => format!("no certificate in {folder}: the run was stopped before its end"),
        };
        note(args.talk.quiet, &words);
    }
    warnings::assumed(problem, args.talk.quiet);
    if !args.talk.quiet && args.part.is_none() && done.best.is_none() {
        warnings::of_direction(&args.puzzle, problem, outcome);
    }
    match args.part {
        _ if !done.is_log_whole => exit::BAD_INPUT,
        // An empty part does not prove that the puzzle has no solution.
        Some(_) if outcome.status.is_complete() => exit::FOUND,
        _ => exit::of_outcome(outcome),
    }
}

/// Suggests `edgematch why` for a puzzle with constraints, otherwise `edgematch doctor`, unless the
/// puzzle is not a file or options changed or restricted it.
fn point_onwards(args: &Solve, problem: &Problem) {
    let file = &args.puzzle.file;
    let is_file = file.is_file() && !load::is_literal(file);
    if !is_file || args.puzzle.extra.first_given().is_some() {
        return;
    }
    let file = quoted(&file.display().to_string());
    let puzzle = &problem.puzzle;
    let is_whole = |label| puzzle.labels.edge(label).half == Half::Whole;
    if !puzzle.assumed.is_empty() && puzzle.border.is_none() && puzzle.labels.all().all(is_whole) {
        say(
            "each image matches itself here; if pictures are cut in half, name both halves: `cat+`, `cat-`",
        );
    }
    say(&if problem.constraints.iter().all(|one| one.soft.is_some()) {
        format!(
            "if the cards were typed by hand: edgematch doctor {file} names those to compare first"
        )
    } else {
        format!("edgematch why {file} names constraints and other rules that contradict each other")
    });
}

/// The record of a part for `merge`. `complete` is false until everything is printed.
fn part_status(args: &Solve, share: &Share<'_>, loaded: &Loaded) -> PartStatus {
    let PartOf { part, of } = share.part();
    let cut = share.cut();
    PartStatus {
        part,
        of,
        complete: false,
        leaves: cut.map_or(0, |cut| cut.leaves),
        of_leaves: cut.map_or(0, |cut| cut.of_leaves),
        frontier: cut.map(|cut| cut.sha256.clone()).unwrap_or_default(),
        puzzle: certificate::hash_inputs(loaded, &args.puzzle.extra),
        version: edgematch::VERSION.into(),
        revision: edgematch::REVISION.into(),
    }
}

/// The input of a run.
struct Read {
    loaded: Loaded,
    /// The tiles' own pictures, if they are needed.
    own: Option<Pictures>,
    task: Task,
    /// The weakest problem of an optimisation, which every arrangement of any value satisfies;
    /// `None` if all solutions are sought.
    least: Option<Problem>,
}

/// Reads the puzzle, the task and the tiles' own pictures within the limits, and prints warnings.
///
/// # Errors
/// Among others, if the engine does not support the problem.
fn read(args: &Solve, engine: &dyn Engine, limits: &Limits<'_>) -> anyhow::Result<Read> {
    refuse_two_readers(args.puzzle.inputs().chain(Task::inputs(args)))?;
    let own_args = args.clone();
    let (loaded, task) = patience::under(limits, "the puzzle was read", move || {
        let loaded = own_args.puzzle.load()?;
        let task = Task::new(&own_args, &loaded.problem)?;
        Ok::<_, LoadError>((loaded, task))
    })??;
    let problem = &loaded.problem;
    let heed = (args.warnings.strict, args.talk.quiet);
    warnings::of_text(&args.puzzle, &loaded.text, problem, heed)?;
    let objectives = &task.objectives;
    let least = (!objectives.is_empty()).then(|| optimise::weakest(problem, objectives));
    if let Err(why) = engine.serves(least.as_ref().unwrap_or(problem)) {
        let name = engine.name();
        if args.best {
            bail!("engine {name} cannot optimise: {why}")
        }
        bail!("engine {name} cannot solve this puzzle: {why}")
    }
    // If edges may mismatch, more tiles fit a cell.
    let asked = least.as_ref().filter(|_| args.best);
    warnings::of_problem(asked.unwrap_or(problem), args.talk.quiet);
    if args.talk.verbose {
        introduce(engine, problem);
    }
    let is_drawn = args.output.is_some();
    let own = pictures::read(is_drawn, &args.puzzle, problem, args.talk.quiet, limits)?;
    Ok(Read { loaded, own, task, least })
}

/// Passes a result through; an error is also written to standard output, if the format has a place
/// for errors, such as JSON. If that fails, the result is the error of writing.
fn report_error<T>(args: &Solve, result: anyhow::Result<T>) -> anyhow::Result<T> {
    if let Err(error) = &result {
        let file = args.puzzle.file.display();
        let whole_file = || LoadError::whole_file(file, format!("{error:#}"));
        let error = error.downcast_ref().map_or_else(whole_file, exit::advised);
        let mut out = io::stdout().lock();
        (args.format.start)().error(&mut out, &error)?;
        out.flush()?;
    }
    result
}

/// Returns an error for combinations of `--certificate`, `-o -` and other options that the table of
/// arguments cannot rule out.
fn refuse_contradictions(args: &Solve) -> anyhow::Result<()> {
    if let Some(folder) = &args.certificate {
        if is_stdout(folder) {
            bail!("--certificate requires a folder, not standard output");
        }
        if args.output.as_ref() == Some(folder) {
            bail!("-o and --certificate require two different folders");
        }
        if args.solutions.unwrap_or_default() > 0 {
            bail!("--certificate cannot be used with -n: it proves that all solutions are known");
        }
    }
    let is_text = args.format.name == FORMATS[0].name;
    let asks_for_drawing = args.draw == Some(When::Always);
    let of_text = [("--draw", asks_for_drawing), ("--cards", args.cards), ("--steps", args.steps)];
    for (flag, is_given) in of_text {
        if is_given && !is_text {
            bail!("{flag} requires --format {}", FORMATS[0].name);
        }
    }
    if !args.output.as_deref().is_some_and(is_stdout) {
        return Ok(());
    }
    let why = if !is_text || args.statistics || of_text.iter().any(|(_, is_given)| *is_given) {
        "--format, --statistics, --draw, --cards and --steps cannot be used with it".to_owned()
    } else if args.picture.pixels.is_some() {
        "--pixels requires a PNG".to_owned()
    } else if let Some(number @ 2..) = args.solutions {
        format!("use -n 1 instead of -n {number}, or name a file")
    } else {
        return Ok(());
    };
    bail!("-o - writes one SVG to standard output: {why}")
}

/// Prints which information the output format loses, unless quiet.
///
/// # Errors
/// If the format cannot represent the puzzle at all.
fn note_losses(args: &Solve, problem: &Problem) -> anyhow::Result<()> {
    let lost = (args.format.start)().losses(problem);
    let lost = lost.with_context(|| format!("--format {}", args.format.name))?;
    note(args.talk.quiet || lost.is_empty(), &format!("lost: {}", lost.join("; ")));
    Ok(())
}

/// Creates the engine that the flags describe; for a certificate, `propagate` in place of `auto`.
///
/// # Errors
/// If the engine cannot be combined with `--certificate`, `--sample` or several threads.
fn engine(args: &Solve) -> anyhow::Result<Box<dyn Engine>> {
    let engine = args.engine.engine()?;
    let name = engine.name();
    let engine = match args.certificate {
        Some(_) if name == Auto.name() => Box::new(Propagate),
        Some(_) if name != Propagate.name() => {
            let [auto, propagate] = [Auto.name(), Propagate.name()];
            bail!("--certificate requires --engine {auto} or {propagate}");
        }
        _ => engine,
    };
    if args.sample.is_some() && name != Auto.name() {
        bail!("--sample cannot be used with --engine: it chooses the method itself");
    }
    if args.search.threads.threads.unwrap_or(1) <= 1 {
        return Ok(engine);
    }
    if args.certificate.is_some() {
        bail!("--threads cannot be used with --certificate: one thread writes the proof");
    }
    if !args.engine.kind.usual().uses_threads() {
        bail!("--threads requires --engine {}", engines_with_threads("or"));
    }
    if !engine.uses_threads() {
        bail!("--threads: engine {name} with {} uses one thread", args.engine.flags());
    }
    Ok(engine)
}

/// Prints the sizes of the puzzle and the engine with its options, for `--verbose`.
fn introduce(engine: &dyn Engine, problem: &Problem) {
    let (tiles, kinds) = (problem.puzzle.tiles.len(), problem.kinds.kinds.len());
    let board = problem.board.description_with_article();
    say(&format!("{}: {tiles} tiles of {kinds} kinds on {board}", problem.puzzle.name));
    let how = [engine.name().to_owned(), engine.variant()];
    say(&format!("engine {}", how.iter().filter(|w| !w.is_empty()).join(", ")));
}
