//! Questions with one answer: counts, optima, explanations, hints, estimates and comparisons.
//!
//! Numbers of solutions are passed as hexadecimal digits: Python parses any number of these, but only
//! 4300 decimal digits. Answers with many fields are passed as the JSON that the command prints.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::SyncSender;

use edgematch::BigUint;
use edgematch::analyse::compare::{self as comparing, NoWatch, Runs};
use edgematch::analyse::doctor::diagnose;
use edgematch::analyse::estimate::{self as estimating, Probing};
use edgematch::analyse::explain::{NoReason, Reasons, SetSearch, reasons};
use edgematch::analyse::hint::{self as hinting, Suggestion};
use edgematch::engine::{Auto, contenders};
use edgematch::enumerate::{self, Limits, NewSolution, Outcome};
use edgematch::load;
use edgematch::optimise::{self, Optimisation};
use edgematch::problem::{Objective, Problem as Inner};
use edgematch::runtime::clock::ProcessorTime;
use edgematch::runtime::random::Random;
use edgematch_report::{self as report, comparison};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::background::Background;
use crate::puzzle::{PyProblem, refused};
use crate::search::{engine_named, limits, refuse_failure, seconds};
use crate::solution::{Placement, PySolution, placement};
use crate::{SearchError, unanswered};

/// Adds the functions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count, module)?)?;
    module.add_function(wrap_pyfunction!(marginals, module)?)?;
    module.add_function(wrap_pyfunction!(sample, module)?)?;
    module.add_function(wrap_pyfunction!(best, module)?)?;
    module.add_function(wrap_pyfunction!(optimize, module)?)?;
    module.add_function(wrap_pyfunction!(why, module)?)?;
    module.add_function(wrap_pyfunction!(doctor, module)?)?;
    module.add_function(wrap_pyfunction!(hint, module)?)?;
    module.add_function(wrap_pyfunction!(estimate, module)?)?;
    module.add_function(wrap_pyfunction!(compare, module)?)
}

/// Answers a question on another thread, which gets the problem with its functions and a flag that
/// stops it. Releases the GIL meanwhile.
///
/// # Errors
/// If a Python function raised an exception, or Python is interrupted.
fn ask<T: Send + 'static>(
    py: Python<'_>,
    problem: &PyProblem,
    question: impl FnOnce(&Inner, &AtomicBool) -> T + Send + 'static,
) -> PyResult<T> {
    let (problem, signals) = problem.for_run(py);
    let work = move |answers: &SyncSender<T>, stop: &AtomicBool| {
        // If nobody waits any more, the answer is not needed.
        let _ = answers.send(question(&problem, stop));
    };
    Background::start(signals, work)?.wait(py)
}

/// A number in hexadecimal digits.
fn hex(number: &BigUint) -> String {
    format!("{number:x}")
}

/// The counts of a run: distinct arrangements, classes and solutions in hexadecimal digits, true if
/// they are complete, the status, and the time in seconds.
type Counts = (String, String, String, bool, String, f64);

/// Converts the counts of a run.
///
/// # Errors
/// If the engine failed or does not support the board.
fn counts(outcome: &Outcome) -> PyResult<Counts> {
    refuse_failure(outcome)?;
    let tally = &outcome.tally;
    let status = &outcome.status;
    let [distinct, classes, all] = [&tally.distinct, &tally.classes, &tally.solutions].map(hex);
    Ok((distinct, classes, all, status.is_complete(), status.to_string(), outcome.seconds))
}

/// Counts solutions with an engine, or with the method that is expected to be fastest.
#[pyfunction]
fn count(
    py: Python<'_>,
    problem: &PyProblem,
    engine: Option<&str>,
    time_limit: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Counts> {
    let engine = engine.map(engine_named).transpose()?;
    let time = seconds(time_limit)?;
    let outcome = ask(py, problem, move |problem, stop| {
        let limits = limits(time, threads, stop);
        match engine {
            None => enumerate::count(problem, &limits, None),
            Some(engine) => {
                let mut ignore = |_: &NewSolution<'_>| ControlFlow::Continue(());
                enumerate::run(problem, engine().as_ref(), &limits, &mut ignore)
            }
        }
    })?;
    counts(&outcome)
}

/// The names of identical tiles, and for each cell the number of solutions with any given one of
/// them there.
type KindMarginals = (Vec<String>, Vec<String>);

/// The problem with each tile as a kind by itself if identical tiles have copies: with different
/// numbers of copies, they are not equally often in a cell.
fn told_apart(problem: &Inner) -> Cow<'_, Inner> {
    let has_twins = problem.kinds.kinds.iter().any(|kind| kind.tiles.len() > 1);
    if has_twins && problem.puzzle.has_copies() {
        Cow::Owned(problem.with_all_distinguished())
    } else {
        Cow::Borrowed(problem)
    }
}

/// Counts solutions, and those with a tile of each kind in each cell.
#[pyfunction]
fn marginals(
    py: Python<'_>,
    problem: &PyProblem,
    time_limit: Option<f64>,
    threads: Option<usize>,
) -> PyResult<(Counts, Vec<KindMarginals>)> {
    let time = seconds(time_limit)?;
    let (outcome, kinds) = ask(py, problem, move |problem, stop| {
        let problem = &told_apart(problem);
        let (outcome, marginals) =
            enumerate::marginals(problem, &limits(time, threads, stop), None);
        // Each of the identical tiles is in a cell equally often.
        let row = |(kind, row): (usize, &Vec<BigUint>)| {
            let tiles: Vec<String> = problem.tiles_of_kind(kind).map(str::to_owned).collect();
            let row = row.iter().map(|number| hex(&(number / tiles.len()))).collect();
            (tiles, row)
        };
        (outcome, marginals.kinds.iter().enumerate().map(row).collect())
    })?;
    Ok((counts(&outcome)?, kinds))
}

/// Draws solutions at random, uniformly and independently; none if there is no solution.
///
/// # Errors
/// If a limit ends the run before all solutions were counted.
#[pyfunction]
fn sample(
    py: Python<'_>,
    problem: &PyProblem,
    number: usize,
    seed: u64,
    time_limit: Option<f64>,
    threads: Option<usize>,
) -> PyResult<Vec<PySolution>> {
    let time = seconds(time_limit)?;
    let (outcome, drawn) = ask(py, problem, move |problem, stop| {
        let problem = &told_apart(problem);
        let (outcome, drawn) =
            enumerate::sample(problem, &limits(time, threads, stop), None, (number, seed));
        let mut random = Random::with_seed(seed);
        let drawn =
            drawn.iter().map(|values| enumerate::assign_at_random(problem, values, &mut random));
        (outcome, drawn.collect::<Vec<_>>())
    })?;
    if !outcome.status.is_complete() {
        return Err(unanswered(&outcome.status));
    }
    let solution = |arrangement| PySolution::new(&problem.inner, arrangement, "1".into());
    Ok(drawn.into_iter().map(solution).collect())
}

/// An optimum: an arrangement, its values of the objectives (both missing if none was found), the
/// proven bound of the objective after those that are proven, and true if all are.
type Optimum = (Option<PySolution>, Vec<i64>, i64, bool);

/// Finds an arrangement with the most matching seams.
#[pyfunction]
fn best(
    py: Python<'_>,
    problem: &PyProblem,
    time_limit: Option<f64>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Optimum> {
    optimum(py, problem, vec![Objective::Seams], (time_limit, seed, threads))
}

/// Finds an optimum of the problem's own objectives, and of the weight of its soft constraints.
///
/// # Errors
/// If it has none.
#[pyfunction]
fn optimize(
    py: Python<'_>,
    problem: &PyProblem,
    time_limit: Option<f64>,
    seed: u64,
    threads: Option<usize>,
) -> PyResult<Optimum> {
    let objectives = optimise::own_objectives(&problem.inner);
    if objectives.is_empty() {
        let message =
            "the puzzle has no objective and no soft constraint: use minimize or maximize";
        return Err(PyValueError::new_err(message));
    }
    optimum(py, problem, objectives, (time_limit, seed, threads))
}

/// Finds an optimum of the objectives, of which there is at least one.
fn optimum(
    py: Python<'_>,
    problem: &PyProblem,
    objectives: Vec<Objective>,
    (time_limit, seed, threads): (Option<f64>, u64, Option<usize>),
) -> PyResult<Optimum> {
    let time = seconds(time_limit)?;
    let (found, optimum, best) = ask(py, problem, move |problem, stop| {
        let limits = Limits { distinct: 1, ..limits(time, threads, stop) };
        let mut found = None;
        let mut take = |new: &NewSolution<'_>| {
            found = Some(new.distinct.arrangement.clone());
            ControlFlow::Continue(())
        };
        let mut what = Optimisation::new(problem, objectives);
        what.seed = seed;
        let optimum = optimise::run(&what, &Auto, &limits, &mut take);
        let best = report::Best::new(&optimum, &what);
        (found, optimum, best)
    })?;
    refuse_failure(&optimum.outcome)?;
    let found = found.map(|arrangement| PySolution::new(&problem.inner, arrangement, "1".into()));
    let values = best.scores.0.iter().map(|(_, value)| *value);
    Ok((found, values.collect(), best.bound, best.is_proven))
}

/// Explains why there is no solution. Returns the reasons, and true if none of them is redundant;
/// `None` if there is a solution.
#[pyfunction]
fn why(
    py: Python<'_>,
    problem: &PyProblem,
    time_limit: Option<f64>,
) -> PyResult<Option<(Vec<String>, bool)>> {
    let time = seconds(time_limit)?;
    let answer = ask(py, problem, move |problem, stop| {
        let reasons = reasons(problem, SetSearch::IfNeeded, &limits(time, None, stop));
        reasons.map(|reasons| in_words(problem, &reasons))
    })?;
    match answer {
        Ok(words) => Ok(Some(words)),
        Err(NoReason::Solvable(_)) => Ok(None),
        Err(NoReason::Ended(status)) => Err(unanswered(&status)),
    }
}

/// The reasons in words, and true if they are a set of which none is redundant.
fn in_words(problem: &Inner, reasons: &Reasons) -> (Vec<String>, bool) {
    let counts = reasons.counts.iter().map(|count| count.describe(problem));
    let mut words: Vec<String> = counts.collect();
    let Some((members, smallest)) = &reasons.set else {
        return (words, false);
    };
    for (kind, names) in report::named_members(problem, members) {
        words.extend(names.into_iter().map(|name| format!("{kind} {name}")));
    }
    (words, smallest.is_ok())
}

/// Finds the tiles that may be mistyped. Returns the JSON that `edgematch doctor` prints.
#[pyfunction]
fn doctor(py: Python<'_>, problem: &PyProblem, time_limit: Option<f64>) -> PyResult<String> {
    let time = seconds(time_limit)?;
    let answer = ask(py, problem, move |problem, stop| {
        let diagnosis = diagnose(problem, &limits(time, None, stop));
        diagnosis.map(|diagnosis| report::diagnosis(problem, &diagnosis).to_string())
    })?;
    answer.map_err(|status| unanswered(&status))
}

/// A hint: `place`, `done`, `take back` or `nothing`; the suggested placement, true if nothing else
/// fits there, the numbers of solutions with it and in all, and the pins to take back by index.
type Hint = (&'static str, Option<Placement>, bool, Option<(String, String)>, Vec<usize>);

/// Suggests the next placement after pins, which are a list of constraints in JSON, or none.
#[pyfunction]
fn hint(
    py: Python<'_>,
    problem: &PyProblem,
    pins: Option<&str>,
    time_limit: Option<f64>,
) -> PyResult<Hint> {
    let time = seconds(time_limit)?;
    let inner = &problem.inner;
    let read =
        |pins: &str| load::constraints_from_bytes(Inner::clone(inner), pins.as_bytes(), "the pins");
    let pinned = pins.map(read).transpose().map_err(|error| refused(&error))?;
    let pins = pinned.map(|it| it.constraints[inner.constraints.len()..].to_vec());
    let pins = pins.unwrap_or_default();
    let answer = ask(py, problem, move |problem, stop| {
        hinting::hint(problem, &pins, &limits(time, None, stop), &mut |_| ())
    })?;
    Ok(match answer.map_err(|status| unanswered(&status))? {
        Suggestion::Place { cell, placed, is_forced, share } => {
            let share = share.map(|share| (hex(&share.with), hex(&share.all)));
            let placed = placement(py, inner, cell, &placed)?;
            ("place", Some(placed), is_forced, share, Vec::new())
        }
        Suggestion::Done => ("done", None, false, None, Vec::new()),
        Suggestion::TakeBack(pins) => ("take back", None, false, None, pins),
        Suggestion::Nothing => ("nothing", None, false, None, Vec::new()),
    })
}

/// Estimates the trees of the engines. Returns the JSON that `edgematch estimate` prints.
#[pyfunction]
fn estimate(
    py: Python<'_>,
    problem: &PyProblem,
    probes: u32,
    seed: u64,
    time_limit: Option<f64>,
) -> PyResult<String> {
    let time = seconds(time_limit)?;
    let processor = ProcessorTime::default();
    let probing = Probing { probes, seed, processor, parts: None };
    let estimates = ask(py, problem, move |problem, stop| {
        estimating::estimate(problem, &probing, &limits(time, None, stop))
    })?;
    serde_json::to_string(&estimates).map_err(|error| SearchError::new_err(error.to_string()))
}

/// Runs engines side by side, all of them if none is named. Returns the JSON and the table that
/// `edgematch compare` writes.
#[pyfunction]
fn compare(
    py: Python<'_>,
    problem: &PyProblem,
    engines: Vec<String>,
    runs: usize,
    time_limit: Option<f64>,
) -> PyResult<(String, String)> {
    let time = seconds(time_limit)?;
    let names: Vec<String> = contenders().into_iter().map(|one| one.name).collect();
    let chosen = comparing::named(&names, &engines).map_err(PyValueError::new_err)?;
    ask(py, problem, move |problem, stop| {
        let mut engines = contenders();
        engines.retain(|one| chosen.is_empty() || chosen.contains(&one.name));
        let runs = Runs { number: runs, processor: ProcessorTime::default() };
        // One thread: methods are compared, not machines.
        let limits = limits(time, Some(1), stop);
        let compared = comparing::compare(problem, &engines, runs, &limits, &mut NoWatch);
        let table = comparison::engines_text(&compared)
            + &comparison::disagreements_text(problem, &compared);
        (comparison::export_json(&[compared]), table)
    })
}
