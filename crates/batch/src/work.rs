//! The work of a worker process: one run after another, as the coordinator orders them.
//!
//! A worker writes nothing to the store. It reads an order as a line of JSON on standard input and
//! answers with lines on standard output.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;

use edgematch::engine::{ENGINES, Engine};
use edgematch::enumerate::{self, Found, Limits, Outcome, RunStatus, StopReason};
use edgematch::load::{self, LoadError};
use edgematch::problem::Problem;
use edgematch_report as report;

use super::order::{Answer, Order};
use super::{Ended, Kept, PuzzleFacts, Report, RunWork};

/// The engines that a batch can run, by name: every one, in every form in which it is listed.
pub fn engines() -> Vec<String> {
    let all = ENGINES.iter().flat_map(|kind| kind.contenders());
    all.map(|contender| contender.name).collect()
}

/// Does the runs that are ordered, one after another, until there are no more. Whoever orders may
/// vanish at any time: then `abandoned` is called, on another thread, while a run may be going on.
///
/// # Errors
/// Where answers can't be written, orders are damaged, or no thread can be started.
pub fn serve(
    input: impl BufRead + Send + 'static,
    output: &mut impl Write,
    abandoned: impl FnOnce() + Send + 'static,
) -> io::Result<()> {
    // No order waits behind another one, so the end of the input is seen at once.
    let (give, orders) = mpsc::sync_channel(1);
    thread::Builder::new().spawn(move || {
        let mut input = input;
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
    for order in orders {
        let (order, text) = order?;
        let mut tell = |answer: Answer| answer.write(output);
        let report = run(&order, &text, &mut tell)?;
        tell(Answer::Report(Box::new(report)))?;
        output.flush()?;
    }
    Ok(())
}

/// One run. What can't be told ends it.
fn run(
    order: &Order,
    text: &[u8],
    tell: &mut dyn FnMut(Answer) -> io::Result<()>,
) -> io::Result<Report> {
    let problem = match load(order, text) {
        Ok(problem) => problem,
        Err(error) => return Ok(bad_puzzle(&error)),
    };
    let puzzle = Some(own_facts(order, text, &problem));
    let Some(engine) = engine_named(&order.engine) else {
        return Err(io::Error::other(format!("no engine {}", order.engine)));
    };
    if let Err(why) = engine.serves(&problem) {
        let ended = Ended::unfinished(RunStatus::NotServed(why));
        return Ok(Report {
            puzzle,
            ended,
            work: RunWork::default(),
        });
    }
    let never = AtomicBool::new(false);
    let limits = Limits {
        distinct: order.wanted.solutions,
        time: order.wanted.time_limit,
        nodes: None,
        interrupt: Some(&never),
        threads: 1,
        ..Limits::default()
    };
    let mut trouble = None;
    let outcome = enumerate::run(&problem, engine.as_ref(), &limits, &mut |found: &Found<
        '_,
    >| {
        if !order.wanted.keeps_solutions {
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
            ended: ended(&outcome, order.wanted.keeps_solutions),
            work: work(&outcome),
        }),
    }
}

fn load(order: &Order, text: &[u8]) -> Result<Problem, LoadError> {
    let wanted = &order.wanted;
    let reading = wanted.overrides.options_of_flags()?;
    let problem = load::from_bytes_as(text, &order.label, &order.name, &reading)
        .map_err(|error| error.moved_down(order.lines_before))?;
    let mut files = wanted.constraints.iter();
    let problem = files.try_fold(problem, |problem, (file, text)| {
        load::constraints_from_bytes(problem, text.as_bytes(), file)
    })?;
    let problem = load::with_short_constraints(problem, "forbid", &wanted.forbid, "--forbid")?;
    load::with_short_constraints(problem, "pin", &wanted.pin, "--pin")
}

fn engine_named(name: &str) -> Option<Box<dyn Engine>> {
    let mut all = ENGINES.iter().flat_map(|kind| kind.contenders());
    let contender = all.find(|contender| contender.name == name)?;
    Some(contender.engine)
}

/// What the puzzle says of itself, on whatever board it was laid.
fn own_facts(order: &Order, text: &[u8], laid: &Problem) -> PuzzleFacts {
    let overrides = &order.wanted.overrides;
    if overrides.board.is_none() {
        return facts(laid);
    }
    let reading = overrides.without_board().options_of_flags();
    let own =
        reading.and_then(|reading| load::from_bytes_as(text, &order.label, &order.name, &reading));
    match own {
        Ok(problem) => facts(&problem),
        Err(_) => PuzzleFacts {
            board: None,
            ..facts(laid)
        },
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
        ended: Ended::unfinished(RunStatus::NoPuzzle(message)),
        work: RunWork::default(),
    }
}

fn ended(outcome: &Outcome, keeps_solutions: bool) -> Ended {
    Ended {
        status: outcome.status.clone(),
        distinct: Some(outcome.tally.distinct.to_string()),
        classes: Some(outcome.tally.classes().to_string()),
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
