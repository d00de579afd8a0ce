//! `edgematch solve`: every distinct arrangement, or every solution, as it is found.

use std::io::{self, StdoutLock, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use edgematch::board::{Arrangement, Problem};
use edgematch::engine::{Failure, Milp, Work};
use edgematch::enumerate::{
    self, Distinct, Found, Limits, Listener, Outcome, Stop, Tally, Verdict,
};
use edgematch::model::FORMULATIONS;
use edgematch::report::{FORMATS, Report, Shown, sentence};
use edgematch::solution::{check, expand};
use edgematch::{describe, domains, draw, load};

use super::args::Solve;
use super::pictures::{self, Folder, SvgReport};
use super::progress::Progress;
use super::{exit, interrupt, terminal};

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
        Some(_) => pictures::of_tiles(&problem, &args.file, args.talk)?,
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
    let mut printer = Printer::new(args, &problem, report, folder, &interrupt);
    let outcome = solve(args, &problem, &mut printer, &interrupt);
    let outcome = printer.finish(outcome)?;
    if !args.talk.quiet || matches!(outcome.verdict, Verdict::Failed(_)) {
        eprintln!("{}", sentence(&outcome));
    }
    Ok(exit::of_outcome(&outcome))
}

fn is_stdout(path: &Path) -> bool {
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
    let first = domains::Domains::first(problem);
    for tile in first.homeless_tiles(problem) {
        let name = &problem.puzzle.tiles[tile].name;
        let follows = match problem.uses_every_tile() {
            true => "so there is no solution",
            false => "so it is never used",
        };
        eprintln!("warning: tile `{name}` fits no cell because of the border, {follows}");
    }
}

fn introduce(args: &Solve, problem: &Problem) {
    let (puzzle, board) = (&problem.puzzle, problem.board.description());
    let (tiles, kinds) = (puzzle.tiles.len(), problem.kinds.kinds.len());
    eprintln!(
        "{}: {tiles} tiles of {kinds} kinds on a {board}",
        puzzle.name
    );
    eprintln!("engine milp, formulation {}", args.formulation);
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

/// Prints solutions as they come, or keeps them to print them in order.
struct Printer<'a> {
    args: &'a Solve,
    problem: &'a Problem,
    report: Box<dyn Report + 'a>,
    folder: Option<Folder<'a>>,
    out: StdoutLock<'static>,
    progress: Progress,
    interrupt: &'a AtomicBool,
    started: Instant,
    printed: u64,
    kept: Vec<Distinct>,
    /// What made printing impossible.
    trouble: Option<Trouble>,
}

enum Trouble {
    Output(anyhow::Error),
    DoesNotFit(Failure),
}

impl<'a> Printer<'a> {
    fn new(
        args: &'a Solve,
        problem: &'a Problem,
        report: Box<dyn Report + 'a>,
        folder: Option<Folder<'a>>,
        interrupt: &'a AtomicBool,
    ) -> Self {
        Printer {
            args,
            problem,
            report,
            folder,
            out: io::stdout().lock(),
            progress: Progress::new(args.talk.quiet),
            interrupt,
            started: Instant::now(),
            printed: 0,
            kept: Vec::new(),
            trouble: None,
        }
    }

    /// Prints what was kept and the end of the report.
    fn finish(mut self, mut outcome: Outcome) -> anyhow::Result<Outcome> {
        self.progress.finish();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by(|a, b| a.orbit[0].cmp(&b.orbit[0]));
        for distinct in &kept {
            if let ControlFlow::Break(stop) = self.print(distinct) {
                if stop != Stop::Enough {
                    outcome.verdict = Verdict::Stopped(stop);
                }
                break;
            }
        }
        match self.trouble.take() {
            Some(Trouble::Output(error)) => return Err(error),
            Some(Trouble::DoesNotFit(failure)) => outcome.verdict = Verdict::Failed(failure),
            None => {}
        }
        let sizes = self.args.statistics.then(|| describe::sizes(self.problem));
        self.report.end(&mut self.out, &outcome, sizes.as_ref())?;
        self.out.flush()?;
        Ok(outcome)
    }

    /// Prints one distinct arrangement, or every solution that it stands for.
    fn print(&mut self, distinct: &Distinct) -> ControlFlow<Stop> {
        if !self.args.expand {
            return self.print_one(&distinct.arrangement, Some(distinct));
        }
        for arrangement in expand(self.problem, &distinct.orbit) {
            if let Err(misfit) = check(self.problem, &arrangement) {
                self.trouble = Some(Trouble::DoesNotFit(Failure::DoesNotFit {
                    engine: "expand".into(),
                    misfit: misfit.describe(self.problem),
                }));
                return ControlFlow::Break(Stop::Enough);
            }
            self.print_one(&arrangement, None)?;
            self.go_on()?;
        }
        ControlFlow::Continue(())
    }

    fn print_one(
        &mut self,
        arrangement: &Arrangement,
        stands_for: Option<&Distinct>,
    ) -> ControlFlow<Stop> {
        let picture = self.args.draw.then(|| {
            // The picture stands behind `% `.
            let columns = terminal::columns().saturating_sub(2);
            draw::text(self.problem, arrangement, columns, terminal::ink())
        });
        let shown = Shown {
            index: self.printed + 1,
            arrangement,
            stands_for: stands_for.map(|d| &d.solutions),
            picture: picture.as_deref(),
        };
        let (report, out, problem) = (&mut self.report, &mut self.out, self.problem);
        let folder = &self.folder;
        let written = self.progress.aside(|| -> anyhow::Result<()> {
            report.solution(out, problem, &shown)?;
            out.flush()?;
            match folder {
                Some(folder) => folder.add(shown.index, problem, arrangement),
                None => Ok(()),
            }
        });
        if let Err(error) = written {
            self.trouble = Some(Trouble::Output(error));
            return ControlFlow::Break(Stop::Enough);
        }
        self.printed += 1;
        match self.printed == self.wanted() {
            true => ControlFlow::Break(Stop::Enough),
            false => ControlFlow::Continue(()),
        }
    }

    /// How many to print; 0 for all. Standard output holds one SVG.
    fn wanted(&self) -> u64 {
        match &self.args.output {
            Some(path) if is_stdout(path) => 1,
            _ => self.args.solutions,
        }
    }

    /// The limits hold while one arrangement is expanded, too.
    fn go_on(&self) -> ControlFlow<Stop> {
        if self.interrupt.load(Ordering::Relaxed) {
            return ControlFlow::Break(Stop::Interrupted);
        }
        match self.args.time_limit {
            Some(limit) if self.started.elapsed() >= limit => ControlFlow::Break(Stop::Time(limit)),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl Listener for Printer<'_> {
    fn found(&mut self, found: &Found<'_>) -> ControlFlow<Stop> {
        if self.args.talk.verbose {
            let (index, rounds) = (found.tally.distinct, found.work.solves);
            let seconds = found
                .work
                .rounds
                .iter()
                .copied()
                .map(Duration::from_secs_f64);
            let spent: Duration = seconds.sum();
            self.progress.aside(|| {
                eprintln!("distinct {index} in round {rounds}, {spent:.1?} in the solver")
            });
        }
        if self.args.sorted {
            self.kept.push(found.distinct.clone());
            return ControlFlow::Continue(());
        }
        self.print(found.distinct)
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.progress.show(tally, work);
    }
}
