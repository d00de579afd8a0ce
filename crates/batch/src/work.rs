//! The work of a worker process: one run after another, as the coordinator orders them.
//!
//! A worker writes nothing to the store. It reads an order as a line of JSON on standard input and
//! answers with lines on standard output.

use std::io::{self, BufRead, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use edgematch::clock;
use edgematch::engine::{Contender, ENGINES, Engine};
use edgematch::enumerate::{self, Found, Limits, Outcome, RunStatus, StopReason};
use edgematch::load::{self, LoadError};
use edgematch::problem::Problem;
use edgematch_report as report;

use super::order::{Answer, Order};
use super::{BatchStatus, Ended, Kept, Loss, PuzzleFacts, Report, RunWork, Wanted};

/// The engines that a batch can run, by name: every one, in every form in which it is listed.
pub fn engines() -> Vec<String> {
    let all = contenders().into_iter();
    all.map(|contender| contender.name).collect()
}

fn contenders() -> Vec<Contender> {
    let all = ENGINES.iter().flat_map(|kind| kind.contenders());
    all.collect()
}

/// Does the runs that are ordered, one after another, until there are no more. Whoever orders may
/// vanish at any time: then `abandoned` is called, on another thread, while a run may be going on.
///
/// Answers are written once no order waits, and a few milliseconds late at most.
///
/// It takes no type parameters, so it is compiled here, and not in a program that is less optimised.
///
/// # Errors
/// Where answers can't be written, orders are damaged, or no thread can be started.
pub fn serve(
    mut input: Box<dyn BufRead + Send>,
    output: Box<dyn Write + Send>,
    abandoned: Box<dyn FnOnce() + Send>,
) -> io::Result<()> {
    let Some(wanted) = Wanted::read(&mut input)? else {
        return Ok(());
    };
    let (give, orders) = mpsc::channel();
    // It reads on while a run goes on, so the end of the input is seen at once.
    thread::Builder::new().spawn(move || {
        loop {
            let order = Order::read(&mut input).transpose();
            let Some(order) = order else {
                return abandoned();
            };
            let is_last = order.is_err();
            if give.send(order).is_err() || is_last {
                return;
            }
        }
    })?;
    let answers = Answers::new(output);
    thread::scope(|scope| {
        let flusher =
            thread::Builder::new().spawn_scoped(scope, || answers.flush_now_and_then())?;
        let end = answer(&wanted, &orders, &answers, flusher.thread());
        answers.close();
        flusher.thread().unpark();
        end.and(answers.flush())
    })
}

fn answer(
    wanted: &Wanted,
    orders: &Receiver<io::Result<(Order, Vec<u8>)>>,
    answers: &Answers,
    flusher: &Thread,
) -> io::Result<()> {
    let contenders = contenders();
    loop {
        let next = match orders.try_recv() {
            Err(TryRecvError::Empty) => {
                answers.flush()?;
                orders.recv().ok()
            }
            next => next.ok(),
        };
        let Some(next) = next else {
            return Ok(());
        };
        let (order, text) = next?;
        let named = |contender: &&Contender| contender.name == order.engine;
        let engine = contenders.iter().find(named).ok_or_else(|| {
            let message = format!("no engine {}", order.engine);
            io::Error::other(message)
        })?;
        let mut tell = |answer: Answer| {
            answers.write(&answer)?;
            flusher.unpark();
            Ok(())
        };
        let run = Run { wanted, order: &order, text: &text };
        let report = run.report(engine.engine.as_ref(), &mut tell)?;
        tell(Answer::Report(Box::new(report)))?;
    }
}

/// Answers on their way out.
struct Answers {
    out: Mutex<BufWriter<Box<dyn Write + Send>>>,
    is_closed: AtomicBool,
}

impl Answers {
    /// An answer waits for so long at most.
    const LATEST: Duration = Duration::from_millis(5);

    fn new(out: Box<dyn Write + Send>) -> Self {
        Answers {
            out: Mutex::new(BufWriter::with_capacity(32 << 10, out)),
            is_closed: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BufWriter<Box<dyn Write + Send>>> {
        self.out.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, answer: &Answer) -> io::Result<()> {
        answer.write(&mut *self.lock())
    }

    fn flush(&self) -> io::Result<()> {
        self.lock().flush()
    }

    fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
    }

    /// Flushes what was written, a moment after it is told so.
    fn flush_now_and_then(&self) {
        while !self.is_closed.load(Ordering::Relaxed) {
            thread::park();
            thread::sleep(Self::LATEST);
            // Who writes next has the same error.
            let _ = self.flush();
        }
    }
}

/// What one run needs.
struct Run<'a> {
    wanted: &'a Wanted,
    order: &'a Order,
    text: &'a [u8],
}

impl Run<'_> {
    /// Does it. What can't be told ends it.
    fn report(
        &self,
        engine: &dyn Engine,
        tell: &mut dyn FnMut(Answer) -> io::Result<()>,
    ) -> io::Result<Report> {
        let started = clock::now();
        let problem = match self.load() {
            Ok(problem) => problem,
            Err(error) => return Ok(bad_puzzle(&error)),
        };
        let puzzle = Some(self.own_facts(&problem));
        let assumed = itertools::join(&problem.puzzle.assumed, "; ");
        if let Err(why) = engine.serves(&problem) {
            let ended = Ended::unfinished(BatchStatus::Ran(RunStatus::NotServed(why)));
            return Ok(Report { puzzle, assumed, ended, work: RunWork::default() });
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
        let mut trouble = None;
        let outcome = enumerate::run(&problem, engine, &limits, &mut |found: &Found<'_>| {
            if !keeps_solutions {
                return ControlFlow::Continue(());
            }
            let kept = Kept {
                placements: report::placements(&problem, &found.distinct.arrangement),
                solutions: found.distinct.solutions.to_string(),
            };
            match tell(Answer::Kept(kept)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    trouble = Some(error);
                    ControlFlow::Break(StopReason::Interrupted)
                }
            }
        });
        match trouble {
            Some(error) => Err(error),
            None => Ok(Report {
                puzzle,
                assumed,
                ended: ended(&outcome, keeps_solutions),
                work: work(&outcome),
            }),
        }
    }

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

    /// What the puzzle says of itself, on whatever board it was laid.
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

fn bad_puzzle(error: &LoadError) -> Report {
    // Of the same text in another file the same is wrong.
    let mut message = match error.position {
        Some((line, column)) => format!("{line}:{column}: {}", error.message),
        None => error.message.clone(),
    };
    if let Some(help) = &error.help {
        message += &format!("; help: {help}");
    }
    Report {
        puzzle: None,
        assumed: String::new(),
        ended: Ended::unfinished(BatchStatus::Lost(Loss::NoPuzzle, message)),
        work: RunWork::default(),
    }
}

fn ended(outcome: &Outcome, keeps_solutions: bool) -> Ended {
    Ended {
        status: BatchStatus::Ran(outcome.status.clone()),
        distinct: Some(outcome.tally.distinct.to_string()),
        classes: Some(outcome.tally.classes.to_string()),
        solutions: Some(outcome.tally.solutions.to_string()),
        has_solutions: keeps_solutions,
    }
}

fn work(outcome: &Outcome) -> RunWork {
    let work = &outcome.work;
    RunWork {
        chosen: work.choice.as_ref().map(|choice| choice.engine.to_owned()),
        nodes: work.nodes,
        tries: work.tries,
        solves: work.solves,
        cuts: work.cuts,
        seconds: outcome.seconds,
    }
}
