//! Prints solutions while they are found.
//!
//! A report defines the format; this module flushes it, writes pictures and the log, and prints
//! progress on standard error.

use std::io::{self, IsTerminal, StdoutLock, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use edgematch::analyse::merge::PartStatus;
use edgematch::engine::{Decided, EngineError, Work};
use edgematch::enumerate::solution::{ValueArrangement, check, expand};
use edgematch::enumerate::{
    Improvement, Limits, Listener, NewSolution, Outcome, RunStatus, Solution, StopReason, Tally,
    assign_at_random,
};
use edgematch::problem::{Arrangement, Objective, Problem};
use edgematch::runtime::clock;
use edgematch::runtime::random::Random;
use edgematch_draw as draw;
use edgematch_report::{Best, Better, Ending, Log, Report, Scores, Shown, sizes, steps};

use super::progress::Progress;
use crate::args::{Solve, When};
use crate::common::{
    SolutionPictures, columns, ink, interrupt, is_stdout, note, say, unwritable, warnings,
};

/// The number of cells printed between two checks of the limits while an arrangement is expanded.
const CELLS_PER_POLL: usize = 100_000;

/// Prints solutions as they are found, or with `--sorted` keeps them and prints them at the end.
pub struct Printer<'a> {
    args: &'a Solve,
    problem: &'a Problem,
    /// The objectives; empty if all solutions are sought.
    objectives: &'a [Objective],
    /// The problem that every printed arrangement satisfies: with `--best`, a relaxation in which
    /// edges may mismatch.
    obeyed: &'a Problem,
    limits: Limits<'a>,
    report: Box<dyn Report + 'a>,
    /// True if each solution is drawn with characters.
    draws: bool,
    pictures: Option<SolutionPictures<'a>>,
    out: StdoutLock<'static>,
    progress: Progress<'a>,
    /// The log; `None` if none is requested or writing it has failed.
    log: Option<Log<'a>>,
    /// The number of solutions printed so far.
    printed: u64,
    /// The solutions kept for `--sorted`.
    kept: Vec<Solution>,
    /// The text and the pictures of the incumbent in the folder.
    drawn: [Drawn; 2],
    /// The error that stopped printing; an [`EngineError`] becomes the status of the run.
    error: Option<anyhow::Error>,
}

/// The minimum time between two updates of the incumbent's text or pictures, and the minimum pause
/// after an update as a multiple of the time that it took, so that the search gets most processor
/// time.
const A_MOMENT: Duration = Duration::from_secs(1);
const PAUSE: u32 = 10;

/// The state of a file that shows the incumbent.
struct Drawn {
    /// The incumbent, if it is not written yet.
    waiting: Option<Arrangement>,
    /// The earliest time of the next update.
    next: Instant,
}

impl Drawn {
    /// Nothing drawn yet; the first drawing waits for a moment.
    fn nothing() -> Drawn {
        Drawn { waiting: None, next: Instant::now() + A_MOMENT }
    }
}

/// The result of a run after its end was printed.
pub struct Done {
    pub outcome: Outcome,
    /// The optimum or its bounds, if the run optimises.
    pub best: Option<Best>,
    /// The number of printed solutions.
    pub number: u64,
    /// True if not all found solutions were printed, which happens only with `--sorted`.
    pub is_cut_short: bool,
    /// False if a log was requested and writing it failed.
    pub is_log_whole: bool,
}

/// The width of `% ` in front of each line of a picture.
const MARGIN: usize = 2;

impl<'a> Printer<'a> {
    /// Creates a printer that writes to standard output. `obeyed` is the problem that arrangements
    /// must satisfy, `objectives` what is optimised.
    pub fn new(
        args: &'a Solve,
        (problem, obeyed, objectives): (&'a Problem, &'a Problem, &'a [Objective]),
        report: Box<dyn Report + 'a>,
        (pictures, log): (Option<SolutionPictures<'a>>, Option<Log<'a>>),
        limits: Limits<'a>,
    ) -> Self {
        Printer {
            args,
            problem,
            objectives,
            obeyed,
            limits,
            report,
            draws: match args.draw.unwrap_or_default() {
                When::Auto => io::stdout().is_terminal() && !args.talk.quiet,
                When::Always => true,
                When::Never => false,
            },
            pictures,
            out: io::stdout().lock(),
            progress: Progress::new(
                args.talk.quiet,
                args.search.time.time_limit,
                problem,
                args.engine.kind.name,
            ),
            log,
            printed: 0,
            kept: Vec::new(),
            drawn: [Drawn::nothing(), Drawn::nothing()],
            error: None,
        }
    }

    /// Prints the kept solutions and the end of the report, and completes log and pictures.
    /// Solutions are printed even if a limit stopped the search, but [expanding](expand) them obeys
    /// the limits. A part is complete only if all its solutions were printed. An unwritable log is
    /// not an error; see `Done::is_log_whole`.
    ///
    /// # Errors
    /// If standard output or the folder cannot be written, now or earlier.
    pub fn finish(
        mut self,
        mut outcome: Outcome,
        best: Option<Best>,
        mut part: Option<PartStatus>,
    ) -> anyhow::Result<Done> {
        interrupt::end_at_once();
        self.progress.line.finish();
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_unstable_by(|a, b| a.orbit[0].cmp(&b.orbit[0]));
        let done = kept.iter().try_for_each(|distinct| self.print(distinct));
        if let Some(error) = self.error.take() {
            outcome.status = RunStatus::Failed(error.downcast::<EngineError>()?);
        }
        if let ControlFlow::Break(stop) = done
            && stop != StopReason::Enough
            && !outcome.status.is_failure()
        {
            outcome.status = RunStatus::Stopped(stop);
        }
        if let Some(part) = &mut part {
            part.complete = outcome.status.is_complete() && !done.is_break();
        }
        if self.args.cards && self.printed == 0 {
            for line in self.cards().lines() {
                writeln!(self.out, "% {line}")?;
            }
        }
        let sizes = self.args.statistics.then(|| sizes::sizes(self.problem));
        let is_selection = self.args.sample.is_some() || self.args.distance.is_some();
        let is_cut_short = done.is_break() || is_selection;
        let ending = Ending {
            problem: self.problem,
            outcome: &outcome,
            sizes: sizes.as_ref(),
            is_cut_short,
            best: best.clone(),
            part: part.as_ref(),
        };
        self.report.end(&mut self.out, &ending)?;
        self.out.flush()?;
        let was_lost = self.log.is_none() && self.args.log.is_some();
        let finished = self.log.take().map_or(Ok(()), |log| log.finish(&ending));
        let is_log_whole = finished.map_err(|error| self.lose_log(&error)).is_ok() && !was_lost;
        if let Some(pictures) = &self.pictures
            && outcome.status != RunStatus::Stopped(StopReason::Interrupted)
        {
            pictures.add_tiles()?;
        }
        Ok(Done { outcome, best, number: self.printed, is_cut_short, is_log_whole })
    }

    /// Calls `note` with the log, if there is one.
    fn log(&mut self, note: impl FnOnce(&mut Log<'a>)) {
        if let Some(log) = &mut self.log {
            note(log);
        }
    }

    /// Drops the log after a write error and prints the error; the search continues.
    fn lose_log(&mut self, error: &io::Error) {
        self.log = None;
        if let Some(path) = &self.args.log {
            let words = format!("error: {}: {error}", unwritable(path));
            self.progress.line.aside(|| say(&words));
        }
    }

    /// Prints one distinct arrangement, or with `--expand` every solution that it represents.
    /// Breaks if enough are printed, a limit is reached, or printing fails, which sets `error`.
    fn print(&mut self, distinct: &Solution) -> ControlFlow<StopReason> {
        let problem = self.obeyed;
        if !self.args.expand {
            return self.print_one(&distinct.arrangement, Some(distinct));
        }
        let per_poll = CELLS_PER_POLL.div_ceil(problem.board.size());
        for (number, arrangement) in (1_usize..).zip(expand(problem, &distinct.orbit)) {
            self.print_checked(&arrangement, "expand")?;
            if number.is_multiple_of(per_poll) {
                self.limits.token().check()?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Prints the arrangements that were drawn at random, if all solutions are known; the seed
    /// assigns identical tiles. An error of writing sets `error`.
    pub fn print_sample(&mut self, sample: &[ValueArrangement], seed: u64, status: &RunStatus) {
        if status.is_complete() {
            let problem = self.problem;
            let mut random = Random::with_seed(seed);
            let mut drawn =
                sample.iter().map(|values| assign_at_random(problem, values, &mut random));
            // `error` has the reason of an early end.
            let _ = drawn.try_for_each(|arrangement| self.print_checked(&arrangement, "sample"));
        }
    }

    /// Prints an arrangement if it is a solution. Breaks if it is not, or if printing does; `error`
    /// then has the reason. `source` names where it comes from.
    fn print_checked(
        &mut self,
        arrangement: &Arrangement,
        source: &str,
    ) -> ControlFlow<StopReason> {
        if let Err(violation) = check(self.obeyed, arrangement) {
            let violation = violation.describe(self.obeyed);
            let failure = EngineError::DoesNotFit { engine: source.into(), violation };
            self.error = Some(failure.into());
            return ControlFlow::Break(StopReason::Enough);
        }
        self.print_one(arrangement, None)
    }

    /// Prints one arrangement with the requested drawings, and writes its files. `distinct` is the
    /// solution that it represents; `None` with `--expand`. Breaks if enough are printed or writing
    /// fails, which sets `error`.
    fn print_one(
        &mut self,
        arrangement: &Arrangement,
        distinct: Option<&Solution>,
    ) -> ControlFlow<StopReason> {
        let mut picture = String::new();
        if self.args.cards && self.printed == 0 {
            picture += &format!("{}the solution:\n", self.cards());
        }
        if self.draws || self.args.cards {
            picture += &draw::text(
                self.problem,
                arrangement,
                columns().saturating_sub(MARGIN),
                ink(self.args.color),
            );
            if warnings::other_direction(self.problem) == Some("clockwise-from-top") {
                picture += "mirrored if you listed the edges clockwise\n";
            }
        }
        if self.args.steps {
            picture += &steps(self.problem, arrangement);
        }
        let shown = Shown {
            index: self.printed + 1,
            problem: self.problem,
            arrangement,
            distinct,
            picture: Some(&picture),
            scores: (!self.objectives.is_empty())
                .then(|| Scores::of(self.problem, self.objectives, arrangement)),
        };
        let written = self.progress.line.aside(|| -> anyhow::Result<()> {
            self.report.solution(&mut self.out, &shown)?;
            self.out.flush()?;
            if let Some(pictures) = &mut self.pictures {
                pictures.add_text(shown.index, arrangement)?;
                pictures.add_pictures(shown.index, arrangement)?;
            }
            Ok(())
        });
        if let Err(error) = written {
            self.error = Some(error);
            return ControlFlow::Break(StopReason::Enough);
        }
        self.printed += 1;
        if self.printed == self.solution_limit() {
            ControlFlow::Break(StopReason::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }

    /// A drawing of the cards under the line "the cards as they were read:".
    fn cards(&self) -> String {
        let cards = draw::text_of_tiles(
            self.problem,
            columns().saturating_sub(MARGIN),
            ink(self.args.color),
        );
        format!("the cards as they were read:\n{cards}")
    }

    /// Updates the incumbent's text and pictures in the folder, each if it is not current and its
    /// pause since the last update is over. The first error of writing is kept in `error`.
    fn redraw(&mut self) {
        let Some(pictures) = &mut self.pictures else {
            return;
        };
        for (index, drawn) in self.drawn.iter_mut().enumerate() {
            let started = Instant::now();
            if started >= drawn.next
                && let Some(arrangement) = drawn.waiting.take()
            {
                let written = match index {
                    0 => pictures.add_text(1, &arrangement),
                    _ => pictures.add_pictures(1, &arrangement),
                };
                self.error = self.error.take().or(written.err());
                drawn.next = started + A_MOMENT.max(PAUSE * started.elapsed());
            }
        }
    }

    /// The maximum number of solutions to print; 0 for all. With `-o -` it is 1, because standard
    /// output holds one SVG.
    fn solution_limit(&self) -> u64 {
        match &self.args.output {
            Some(path) if is_stdout(path) => 1,
            _ => self.args.solution_limit(!self.objectives.is_empty()),
        }
    }
}

impl Listener for Printer<'_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        self.log(|log| log.found(found));
        if self.args.talk.verbose {
            let place = match found.work.rounds.last() {
                Some(seconds) if found.work.nodes == 0 => {
                    format!("in round {}, {seconds:.3} s", found.work.solves)
                }
                _ => format!("at node {}", found.work.nodes),
            };
            let line = format!("distinct {} {place}", found.tally.distinct);
            self.progress.line.aside(|| say(&line));
        }
        if self.args.sorted {
            // Growing doubles the list, which may exceed the memory.
            if self.kept.try_reserve(1).is_err() {
                return ControlFlow::Break(StopReason::Memory(0));
            }
            self.kept.push(found.distinct.clone());
            return ControlFlow::Continue(());
        }
        self.print(found.distinct)
    }

    fn report_path(&mut self, path: &dyn Fn() -> Vec<Decided>) {
        self.log(|log| log.record_path(path));
    }

    fn report_restart(&mut self, why: &str, work: &Work) {
        self.log(|log| log.report_restart(why, work));
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.log(|log| log.progress(tally, work));
        if let Some(error) = self.log.as_mut().and_then(Log::failure) {
            self.lose_log(&error);
        }
        self.progress.show(tally, work);
        self.redraw();
    }

    fn guessing(&mut self, steps: u64) {
        self.progress.steps = steps;
        self.log(|log| log.guessing(steps));
    }

    fn improved(&mut self, found: &Improvement<'_>) {
        let mut scores = Scores::of(self.problem, self.objectives, found.arrangement);
        scores.0.truncate(found.objective + 1);
        let better = Better {
            bound: self.objectives[found.objective].goal(self.problem).own(found.bound),
            scores,
            found_by: found.method,
            seconds: found.seconds,
        };
        self.log(|log| log.improved(&better));
        let Better { scores, bound, found_by, seconds } = &better;
        let time = clock::seconds(*seconds);
        let words = format!("{scores} (bound {bound}), found after {time} by {found_by}");
        let written = self.progress.line.aside(|| {
            note(!self.args.talk.verbose, &words);
            self.report.improved(&mut self.out, &better)?;
            self.out.flush()
        });
        if let Err(error) = written {
            self.error = Some(error.into());
        }
        self.progress.best = Some(better);
        if self.pictures.is_some() {
            self.drawn.iter_mut().for_each(|it| it.waiting = Some(found.arrangement.clone()));
        }
    }
}
