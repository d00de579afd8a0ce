//! The main loop of a worker process, which executes one order after another.
//!
//! A worker does not access the store. It reads orders from standard input and writes answers to
//! standard output.

use std::io::{self, BufRead, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;

use edgematch::engine::{Contender, ENGINES, Engine};
use edgematch::enumerate::{self, Limits, NewSolution, RunStatus, StopReason};
use edgematch::load::{self, LoadError};
use edgematch::problem::Problem;
use edgematch::runtime::clock;
use edgematch_report as report;

use super::protocol::{Order, Wanted, WorkerAnswer, read_line, write_line};
use super::status::{BatchStatus, Ended, RunFailure};
use super::{Kept, PuzzleFacts, RunReport, RunWork};

/// The names of the engines that a batch can run. An engine with variants, such as the formulations
/// of `milp`, is listed once for each.
pub fn engines() -> Vec<String> {
    contenders().into_iter().map(|contender| contender.name).collect()
}

/// All engines, with variants that are listed separately.
fn contenders() -> Vec<Contender> {
    ENGINES.iter().flat_map(|kind| kind.contenders()).collect()
}

/// Executes the orders of `input` one after another, and writes answers to `output`. When the input
/// ends, `abandoned` is called on another thread, even during a run.
///
/// It has no type parameters, so it is compiled in this crate, with its level of optimisation.
///
/// # Errors
/// If answers cannot be written, the input is not in the format of the protocol, an order names an
/// unknown engine, or no thread can be started.
pub fn serve(
    mut input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
    abandoned: Box<dyn FnOnce() + Send>,
) -> io::Result<()> {
    let Some(wanted) = read_line::<Wanted>(&mut input)? else {
        return Ok(());
    };
    let (sender, orders) = mpsc::channel();
    // This thread keeps reading during a run, so it notices the end of the input.
    thread::Builder::new().spawn(move || {
        loop {
            let Some(order) = Order::read(&mut input).transpose() else {
                return abandoned();
            };
            let is_last = order.is_err();
            if sender.send(order).is_err() || is_last {
                return;
            }
        }
    })?;
    let contenders = contenders();
    let mut output = BufWriter::with_capacity(32 << 10, output);
    for next in orders {
        let (order, text) = next?;
        let engine = contenders
            .iter()
            .find(|contender| contender.name == order.engine)
            .ok_or_else(|| io::Error::other(format!("no engine {}", order.engine)))?;
        let run = Run { wanted: &wanted, order: &order, text: &text };
        let report = run.report(engine.engine.as_ref(), &mut output)?;
        write_line(&mut output, &WorkerAnswer::Report(Box::new(report)))?;
        output.flush()?;
    }
    Ok(())
}

/// One order with its text and the settings of the batch.
struct Run<'a> {
    wanted: &'a Wanted,
    order: &'a Order,
    text: &'a [u8],
}

impl Run<'_> {
    /// Loads and solves the puzzle, and writes its solutions to `output` if they are wanted. Errors
    /// of the puzzle or the engine are in the report; the only error is a failure to write.
    fn report(&self, engine: &dyn Engine, output: &mut impl Write) -> io::Result<RunReport> {
        let started = clock::now();
        let problem = match self.load() {
            Ok(problem) => problem,
            Err(error) => return Ok(bad_puzzle(&error)),
        };
        let mut report = RunReport {
            puzzle: Some(self.own_facts(&problem)),
            assumed: itertools::join(&problem.puzzle.assumed, "; "),
            ..RunReport::unfinished(BatchStatus::Ran(RunStatus::Complete))
        };
        if let Err(why) = engine.serves(&problem) {
            report.ended.status = BatchStatus::Ran(RunStatus::Unsupported(why));
            return Ok(report);
        }
        let keeps_solutions = self.wanted.keeps_solutions;
        let never = AtomicBool::new(false);
        let limits = Limits {
            distinct: self.wanted.solutions,
            time: self.wanted.time_limit,
            since: Some(started),
            nodes: None,
            interrupt: Some(&never),
            threads: 1,
            ..Limits::default()
        };
        let mut written = Ok(());
        let outcome = enumerate::run(&problem, engine, &limits, &mut |found: &NewSolution<'_>| {
            if keeps_solutions {
                let kept = Kept {
                    placements: report::placements(&problem, &found.distinct.arrangement),
                    solutions: found.distinct.solutions.to_string(),
                };
                written = write_line(output, &WorkerAnswer::Kept(kept));
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(StopReason::Interrupted),
            }
        });
        written?;
        report.ended = Ended {
            status: BatchStatus::Ran(outcome.status),
            distinct: Some(outcome.tally.distinct.to_string()),
            classes: Some(outcome.tally.classes.to_string()),
            solutions: Some(outcome.tally.solutions.to_string()),
            has_solutions: keeps_solutions,
        };
        report.work = RunWork {
            chosen: outcome.work.choice.map(|choice| choice.engine.to_owned()),
            nodes: outcome.work.nodes,
            tries: outcome.work.tries,
            solves: outcome.work.solves,
            cuts: outcome.work.cuts,
            seconds: outcome.seconds,
        };
        Ok(report)
    }

    /// Loads the puzzle with the board and the constraints of the batch. The error is that of the
    /// puzzle, with its position in the whole file, or of the first invalid setting.
    fn load(&self) -> Result<Problem, LoadError> {
        let Run { wanted, order, text } = self;
        let reading = wanted.overrides.options(str::to_owned)?;
        let problem = load::from_bytes_as(text, &order.label, &order.name, &reading)
            .map_err(|error| error.moved_down(order.lines_before))?;
        let mut files = wanted.constraints.iter();
        let problem = files.try_fold(problem, |problem, (file, text)| {
            load::constraints_from_bytes(problem, text.as_bytes(), file)
        })?;
        let problem = load::with_short_constraints(problem, "forbid", &wanted.forbid, "forbid")?;
        load::with_short_constraints(problem, "pin", &wanted.pin, "pin")
    }

    /// Describes the puzzle on its own board even if the settings replace it. If it cannot be read
    /// with its own board, the description has no board.
    fn own_facts(&self, laid: &Problem) -> PuzzleFacts {
        let overrides = &self.wanted.overrides;
        if overrides.board.is_none() {
            return facts(laid);
        }
        let Order { label, name, .. } = self.order;
        let reading = overrides.without_board().options(str::to_owned);
        let own = reading.and_then(|reading| load::from_bytes_as(self.text, label, name, &reading));
        match own {
            Ok(problem) => facts(&problem),
            Err(_) => PuzzleFacts { board: None, ..facts(laid) },
        }
    }
}

/// The description of a puzzle on its board.
fn facts(problem: &Problem) -> PuzzleFacts {
    let puzzle = &problem.puzzle;
    let number = |number: usize| u32::try_from(number).ok();
    PuzzleFacts {
        name: puzzle.name.clone(),
        title: puzzle.title.clone(),
        source: puzzle.source.clone(),
        board: Some(problem.board.description().to_owned()),
        tiles: number(puzzle.tiles.len()),
        kinds: number(problem.kinds.kinds.len()),
    }
}

/// The report of a text that is not a valid puzzle.
fn bad_puzzle(error: &LoadError) -> RunReport {
    // The file is omitted, since the result is shared by all files with this text.
    let mut message = match error.position {
        Some((line, column)) => format!("{line}:{column}: {}", error.message),
        None => error.message.clone(),
    };
    if let Some(help) = &error.help {
        message += &format!("; help: {help}");
    }
    RunReport::unfinished(BatchStatus::Lost(RunFailure::NoPuzzle, message))
}
