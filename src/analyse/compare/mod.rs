//! Runs engines side by side on the same puzzle and checks that they agree.
//!
//! Runs are interleaved, so that load on the machine affects all engines alike. Engines that finish
//! must agree on the set of arrangements and on every count; a difference is an error that names
//! them. A [watcher](Watch) is notified of each run and decides how to react to an interrupt.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use num_bigint::BigUint;
use thiserror::Error;

use crate::engine::{Contender, EngineError, Propagate, contenders};
use crate::enumerate::solution::ValueArrangement;
use crate::enumerate::{self, Limits, Listener, NewSolution, Outcome, RunStatus, StopReason};
use crate::problem::Problem;
use crate::runtime::clock::{ProcessorTime, Stopwatch};
use crate::runtime::limits::Flow;
use crate::runtime::scheduler::wait_until_idle;

/// Selects the names that start with one of the words, in the order of `names`. A word that equals
/// a name selects only that name.
///
/// # Errors
/// A message that lists the names if a word matches none of them.
pub fn named(names: &[String], words: &[String]) -> Result<Vec<String>, String> {
    let mut chosen = BTreeSet::new();
    for word in words.iter().map(|word| word.trim()) {
        let is_name = names.iter().any(|name| name == word);
        let fits = |name: &&String| {
            if is_name { name.as_str() == word } else { !word.is_empty() && name.starts_with(word) }
        };
        let fitting: Vec<&String> = names.iter().filter(fits).collect();
        if fitting.is_empty() {
            let names = names.join(", ");
            return Err(format!("`{word}` is not an engine; the engines are {names}"));
        }
        chosen.extend(fitting);
    }
    Ok(names.iter().filter(|name| chosen.contains(name)).cloned().collect())
}

/// The results of one contender in a comparison.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct EngineResult {
    /// The name of the contender.
    pub name: String,
    /// The status of the first run, or a later failure.
    pub status: RunStatus,
    /// The outcome of the first run; `None` if the engine does not support the problem.
    pub outcome: Option<Outcome>,
    /// The canonical forms of the solutions that the first run found.
    pub found: BTreeSet<ValueArrangement>,
    /// The seconds of each measured run that finished.
    pub seconds: Vec<f64>,
    /// The processor seconds of each measured run that finished; empty if they are unknown.
    pub processor_seconds: Vec<f64>,
    /// The number of possible nodes on each level; empty for engines that do not count calls per
    /// level.
    pub possible: Vec<BigUint>,
}

impl EngineResult {
    /// The seconds of the fastest measured run; `None` if no measured run finished.
    pub fn min(&self) -> Option<f64> {
        self.seconds.iter().copied().reduce(f64::min)
    }

    /// The minimum processor seconds of the measured runs; `None` if there are none.
    pub fn min_processor(&self) -> Option<f64> {
        self.processor_seconds.iter().copied().reduce(f64::min)
    }

    /// The median seconds of the measured runs, the mean of the two middle ones if their number is
    /// even; `None` if there are none.
    pub fn median(&self) -> Option<f64> {
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        let middle = sorted.len() / 2;
        match sorted.len() {
            0 => None,
            n if n % 2 == 1 => Some(sorted[middle]),
            _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
        }
    }
}

/// A difference between the results of two engines that both finished.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineDisagreement {
    /// The name of the first engine.
    pub one: String,
    /// The name of the second engine.
    pub other: String,
    /// The arrangements that only the first engine found.
    pub only_one: Vec<ValueArrangement>,
    /// The arrangements that only the second engine found.
    pub only_other: Vec<ValueArrangement>,
    /// True if the number of distinct arrangements, classes or solutions differs.
    pub counts_differ: bool,
}

/// The results of all engines on one puzzle.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Comparison {
    /// The name of the puzzle.
    pub puzzle: String,
    /// The results of the contenders, in their order; those that an interrupt kept from starting
    /// are missing.
    pub entries: Vec<EngineResult>,
    /// The differences between the first finished contender and each other finished one.
    pub disagreements: Vec<EngineDisagreement>,
}

/// The reason why the agreement of engines cannot be confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// An engine failed, or reported an arrangement that does not fit.
    #[error("engine {engine}: {message}")]
    Failed {
        /// The name of the engine.
        engine: String,
        /// The error message.
        message: String,
    },
    /// A constraint contradicts itself, so engines cannot be compared.
    #[error("{message}")]
    Constraint {
        /// The constraint and the contradiction.
        message: String,
    },
    /// A custom engine does not support the problem.
    #[error("engine {engine} does not support this problem: {reason}")]
    DoesNotServe {
        /// The name of the engine.
        engine: String,
        /// The reason.
        reason: String,
    },
    /// An engine did not finish within the limits.
    #[error("engine {engine} did not finish")]
    Unfinished {
        /// The name of the engine.
        engine: String,
    },
    /// Two engines found different arrangements or counts.
    #[error("engines {} and {} differ: {} arrangements were found only by the first, {} only by the second", .0.one, .0.other, .0.only_one.len(), .0.only_other.len())]
    Differ(Box<EngineDisagreement>),
}

/// Checks custom engines against [all built-in ones](contenders). Every engine must finish, and all
/// must find and count the same. Built-in engines that do not support the problem are skipped.
///
/// Without custom engines, this checks the custom [constraints](crate::problem::Constraint) of the
/// problem: some engines prune by their formulas, others only test complete arrangements. If a lazy
/// constraint [depends on](crate::problem::Constraint::depends_on) less than everything, or engines
/// disagree about a problem with lazy constraints, these are also tested on every labelled
/// arrangement that fits, and the number of accepted ones must equal the engines' counts.
///
/// # Errors
/// If engines disagree, or their agreement cannot be confirmed.
pub fn check(
    problem: &Problem,
    own: Vec<Contender>,
    limits: &Limits<'_>,
) -> Result<Comparison, CheckError> {
    let mut all = contenders();
    let ours = all.len();
    all.extend(own);
    let comparison = compare(problem, &all, Runs::default(), limits, &mut NoWatch);
    for (index, entry) in comparison.entries.iter().enumerate() {
        let engine = || entry.name.clone();
        match &entry.status {
            RunStatus::Complete => {}
            RunStatus::Unsupported(_) if index < ours => {}
            RunStatus::Unsupported(reason) => {
                let reason = reason.clone();
                return Err(CheckError::DoesNotServe { engine: engine(), reason });
            }
            RunStatus::Stopped(_) => return Err(CheckError::Unfinished { engine: engine() }),
            RunStatus::Failed(EngineError::Constraint { message }) => {
                let message = message.clone();
                return Err(CheckError::Constraint { message });
            }
            failed => {
                return Err(CheckError::Failed { engine: engine(), message: failed.to_string() });
            }
        }
    }
    let differ = comparison.disagreements.first();
    let is_whole = problem.within.is_none();
    if is_whole && (problem.trusts_dependence() || (problem.is_lazy() && differ.is_some())) {
        check_lazy(problem, &comparison.entries[..ours], limits)?;
    }
    match differ {
        Some(first) => Err(CheckError::Differ(Box::new(first.clone()))),
        None => Ok(comparison),
    }
}

/// Tests lazy constraints on every labelled arrangement, and compares the number of accepted ones
/// with the engines' counts.
///
/// # Errors
/// If a count differs, or the test does not finish.
fn check_lazy(
    problem: &Problem,
    engines: &[EngineResult],
    limits: &Limits<'_>,
) -> Result<(), CheckError> {
    let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
    let outcome = enumerate::run(&problem.with_all_distinguished(), &Propagate, limits, ignore);
    if !outcome.status.is_complete() {
        let engine = outcome.engine.to_owned();
        return Err(CheckError::Unfinished { engine });
    }
    let right = outcome.tally.solutions;
    let finished = engines.iter().filter(|entry| entry.status.is_complete());
    let mut counts = finished.filter_map(|entry| Some(&entry.outcome.as_ref()?.tally.solutions));
    match counts.find(|count| **count != right) {
        None => Ok(()),
        Some(wrong) => {
            let names = problem.lazy_constraints().map(|c| format!("`{}`", c.name()));
            let names = names.collect::<Vec<_>>().join(", ");
            let message = format!(
                "lazy constraint {names}: {right} labelled solutions satisfy it, but the engines \
                 count {wrong}; its declared dependence or its cuts are wrong"
            );
            Err(CheckError::Constraint { message })
        }
    }
}

/// The settings for the measured runs of a comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct Runs {
    /// The number of measured runs per engine, after a first run that is not measured.
    pub number: usize,
    /// The source of processor time; by default processor time is not measured.
    pub processor: ProcessorTime,
}

/// An observer of a comparison.
pub trait Watch {
    /// Called when a run begins, with the contender's name and the number of the measured run. The
    /// first run is not measured and has no number (`None`).
    fn starting(&mut self, _name: &str, _run: Option<usize>) {}

    /// Called when the interrupt flag ended a run. `Break`, the default, ends the comparison.
    /// `Continue` skips this contender from now on; the implementation must then clear the flag.
    fn interrupted(&mut self, _name: &str) -> Flow {
        ControlFlow::Break(())
    }
}

/// An observer that does nothing: an interrupt ends the comparison.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoWatch;

impl Watch for NoWatch {}

/// Runs every contender once to warm up and to record its results, then measures all of them in
/// turn for the given number of runs. A contender whose first run did not finish is not measured.
/// Contenders that did not start because of an interrupt have no entry.
pub fn compare(
    problem: &Problem,
    contenders: &[Contender],
    runs: Runs,
    limits: &Limits<'_>,
    watch: &mut dyn Watch,
) -> Comparison {
    let mut comparing = Comparing { problem, processor: runs.processor, limits, watch };
    let mut entries = Vec::new();
    // An early end leaves the entries measured so far.
    let _ = comparing.run_all(contenders, &mut entries, runs.number);
    Comparison {
        puzzle: problem.puzzle.name.clone(),
        disagreements: disagreements(&entries),
        entries,
    }
}

/// The maximum time to wait for a stopped engine to become idle, for example until a solver has
/// finished its slice.
const AFTERMATH: Duration = Duration::from_secs(2);

/// The state of a comparison.
struct Comparing<'a> {
    problem: &'a Problem,
    processor: ProcessorTime,
    limits: &'a Limits<'a>,
    watch: &'a mut dyn Watch,
}

impl Comparing<'_> {
    /// Runs and measures all contenders, and adds one entry each to `entries`. If the watcher ends
    /// the comparison, breaks with the entries so far.
    fn run_all(
        &mut self,
        contenders: &[Contender],
        entries: &mut Vec<EngineResult>,
        runs: usize,
    ) -> Flow {
        for contender in contenders {
            let entry = self.first_run(contender);
            let is_interrupted = entry.status == RunStatus::Stopped(StopReason::Interrupted);
            entries.push(entry);
            if is_interrupted {
                self.watch.interrupted(&contender.name)?;
            }
        }
        let mut is_skipped = vec![false; entries.len()];
        for run in 1..=runs {
            for (index, entry) in entries.iter_mut().enumerate() {
                if is_skipped[index] || !entry.status.is_complete() {
                    continue;
                }
                self.watch.starting(&entry.name, Some(run));
                if self.measure(&contenders[index], entry).is_break() {
                    self.watch.interrupted(&entry.name)?;
                    is_skipped[index] = true;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Runs a contender for the first time and records its status and its results. If it does not
    /// support the problem, it is not run, and the watcher is not called.
    fn first_run(&mut self, contender: &Contender) -> EngineResult {
        let engine = contender.engine.as_ref();
        let mut entry = EngineResult {
            name: contender.name.clone(),
            status: RunStatus::Complete,
            outcome: None,
            found: BTreeSet::new(),
            seconds: Vec::new(),
            processor_seconds: Vec::new(),
            possible: Vec::new(),
        };
        if let Err(why) = engine.serves(self.problem) {
            entry.status = RunStatus::Unsupported(why);
            return entry;
        }
        self.watch.starting(&entry.name, None);
        let possible = engine.possible(self.problem, &self.limits.token());
        entry.possible = possible.continue_value().unwrap_or_default();
        let (outcome, _) = self.run(contender, &mut |found: &NewSolution<'_>| {
            entry.found.insert(found.distinct.orbit[0].clone());
            ControlFlow::Continue(())
        });
        entry.status = outcome.status.clone();
        entry.outcome = Some(outcome);
        entry
    }

    /// Measures one run of an engine whose first run finished, and adds its times to `entry`. A run
    /// that reaches a limit is not recorded; a failure replaces the status. Breaks if the run is
    /// interrupted.
    fn measure(&self, contender: &Contender, entry: &mut EngineResult) -> Flow {
        let ignore = &mut |_: &NewSolution<'_>| ControlFlow::Continue(());
        let (outcome, processor_seconds) = self.run(contender, ignore);
        match outcome.status {
            RunStatus::Complete => {
                entry.seconds.push(outcome.seconds);
                entry.processor_seconds.extend(processor_seconds);
            }
            RunStatus::Stopped(StopReason::Interrupted) => return ControlFlow::Break(()),
            RunStatus::Failed(failure) => entry.status = RunStatus::Failed(failure),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    /// Runs an engine; also returns its processor seconds, `None` if unknown. If the run did not
    /// finish, waits until the process is idle, for at most two seconds.
    fn run(&self, contender: &Contender, listener: &mut dyn Listener) -> (Outcome, Option<f64>) {
        let watch = Stopwatch::start(self.processor);
        let engine = contender.engine.as_ref();
        let outcome = enumerate::run(self.problem, engine, self.limits, listener);
        let processor_seconds = watch.processor_seconds();
        if !outcome.status.is_complete() {
            wait_until_idle(self.processor, AFTERMATH);
        }
        (outcome, processor_seconds)
    }
}

/// Compares each finished contender with the first one that finished; empty if all agree.
fn disagreements(entries: &[EngineResult]) -> Vec<EngineDisagreement> {
    let mut finished = entries.iter().filter(|e| e.status.is_complete());
    let Some(one) = finished.next() else {
        return Vec::new();
    };
    let differing = finished.filter_map(|other| {
        let tally = |entry: &EngineResult| entry.outcome.as_ref().map(|o| o.tally.clone());
        let counts_differ = tally(one) != tally(other);
        let is_agreed = one.found == other.found && !counts_differ;
        (!is_agreed).then(|| EngineDisagreement {
            one: one.name.clone(),
            other: other.name.clone(),
            only_one: one.found.difference(&other.found).cloned().collect(),
            only_other: other.found.difference(&one.found).cloned().collect(),
            counts_differ,
        })
    });
    differing.collect()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::engine::{Backtrack, Engine, EngineError, FilteringHost, Host, Work};
    use crate::load;

    /// An engine that omits every other arrangement.
    struct Forgetful(Backtrack);

    /// A host that drops every other arrangement.
    struct Skipping<'a>(&'a mut dyn Host, bool);

    impl Host for Skipping<'_> {
        fn found(
            &mut self,
            arrangement: &crate::problem::Arrangement,
            work: &Work,
        ) -> ControlFlow<()> {
            self.1 = !self.1;
            if self.1 { self.0.found(arrangement, work) } else { ControlFlow::Continue(()) }
        }

        fn poll(&mut self, work: &Work) -> ControlFlow<()> {
            self.0.poll(work)
        }
    }

    impl Engine for Forgetful {
        fn name(&self) -> &'static str {
            "forgetful"
        }

        fn search(
            &self,
            problem: &Problem,
            host: &mut FilteringHost<'_>,
            work: &mut Work,
        ) -> Result<ControlFlow<()>, EngineError> {
            let token = host.token();
            (&self.0 as &dyn Engine).run(problem, token, &mut Skipping(host, false), work)
        }
    }

    fn compare_once(problem: &Problem, contenders: &[Contender]) -> Comparison {
        let runs = Runs { number: 1, ..Runs::default() };
        compare(problem, contenders, runs, &Limits::default(), &mut NoWatch)
    }

    /// An engine that runs until it is interrupted.
    struct Endless;

    impl Engine for Endless {
        fn name(&self) -> &'static str {
            "endless"
        }

        fn search(
            &self,
            _: &Problem,
            host: &mut FilteringHost<'_>,
            work: &mut Work,
        ) -> Result<ControlFlow<()>, EngineError> {
            while host.poll(work).is_continue() {}
            Ok(ControlFlow::Break(()))
        }
    }

    /// An observer that interrupts every run of the endless engine.
    struct Impatient<'a> {
        flag: &'a AtomicBool,
        then: ControlFlow<()>,
        started: Vec<String>,
    }

    impl Watch for Impatient<'_> {
        fn starting(&mut self, name: &str, _: Option<usize>) {
            self.started.push(name.into());
            self.flag.store(name == "endless", Ordering::Relaxed);
        }

        fn interrupted(&mut self, name: &str) -> ControlFlow<()> {
            assert_eq!(name, "endless");
            self.then
        }
    }

    #[test]
    fn an_interrupt_skips_an_engine_or_ends_the_comparison() {
        let problem = load::from_str("tiles: {1: [a, a, a, a]}").unwrap();
        let contender =
            |name: &str, engine: Box<dyn Engine>| Contender { name: name.into(), engine };
        let contenders = [
            contender("one", Box::<Backtrack>::default()),
            contender("endless", Box::new(Endless)),
            contender("other", Box::<Backtrack>::default()),
        ];
        for (then, names) in [
            (ControlFlow::Continue(()), &["one", "endless", "other"][..]),
            (ControlFlow::Break(()), &["one", "endless"]),
        ] {
            let flag = AtomicBool::new(false);
            let limits = Limits { interrupt: Some(&flag), ..Limits::default() };
            let mut watch = Impatient { flag: &flag, then, started: Vec::new() };
            let runs = Runs { number: 1, ..Runs::default() };
            let comparison = compare(&problem, &contenders, runs, &limits, &mut watch);
            let entries = comparison.entries.iter();
            assert!(entries.clone().map(|entry| &entry.name).eq(names));
            let measured: Vec<usize> = entries.map(|entry| entry.seconds.len()).collect();
            match then {
                ControlFlow::Continue(()) => {
                    assert_eq!(measured, [1, 0, 1]);
                    assert_eq!(watch.started, ["one", "endless", "other", "one", "other"]);
                }
                ControlFlow::Break(()) => assert_eq!(measured, [0, 0]),
            }
        }
    }

    #[test]
    fn an_engine_that_misses_an_arrangement_is_reported() {
        let problem = load::from_str(
            "tiles: {1: [blue-, green+, white+, red-], 2: [red-, white+, blue+, green-],
             3: [white-, red+, white+, white-], 4: [red-, green+, white+, blue-]}",
        )
        .unwrap();
        let mut contenders = contenders();
        let comparison = compare_once(&problem, &contenders);
        assert_eq!(comparison.disagreements, []);
        assert!(comparison.entries.iter().all(|e| e.status.is_complete()));

        let line = load::from_str(
            "{rows: 1, cols: 2, rotations: false, tiles: {1: [a, b, a, b], 2: [a, c, a, c]}}",
        )
        .unwrap();
        contenders.push(Contender {
            name: "forgetful".into(),
            engine: Box::new(Forgetful(Backtrack::default())),
        });
        let comparison = compare_once(&line, &contenders);
        assert_eq!(comparison.disagreements.len(), 1);
        let disagreement = &comparison.disagreements[0];
        assert_eq!(disagreement.other, "forgetful");
        assert_eq!((disagreement.only_one.len(), disagreement.only_other.len()), (1, 0));
        let corners = comparison.entries.iter().find(|e| e.name == "corners");
        let status = corners.map(|corners| &corners.status);
        assert!(matches!(status, Some(RunStatus::Unsupported(_))));
    }
}
