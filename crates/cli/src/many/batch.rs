//! `edgematch batch`: runs many puzzles in worker processes and stores their results.
//!
//! This module prints progress and totals. Workers and the store are in `edgematch-batch`.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, anyhow, bail};
use edgematch::analyse::compare::named;
use edgematch::engine::{PartOf, counted};
use edgematch::enumerate::RunStatus;
use edgematch::load::{self, printable};
use edgematch::runtime::clock::seconds;
use edgematch::runtime::scheduler;
use edgematch_batch::catalogue::{Files, Survey};
use edgematch_batch::{
    self as batch, BatchStatus, Ended, EngineCounts, Event, Found, Group, Plan, Query, RunFailure,
    RunReport, Source, Store, Summary, Wanted, engines, items,
};
use edgematch_proof::sha256;
use edgematch_report::Cells;
use indicatif::HumanDuration;
use itertools::Itertools;
use serde_json::json;

use crate::args::{Batch, inputs, refuse_two_readers};
use crate::common::{Line, Ticker, ending, exit, interrupt, is_stdout, note, print, say};

/// The time that a worker may take to stop after its time limit, before it is killed: it polls the
/// clock every tenth of a second, but not while it builds the tables of an engine.
const GRACE: Duration = Duration::from_secs(5);

/// The advice if another batch is writing to the results file.
const IN_USE: &str = "; wait for it, or share the work: start each batch with --part K/N and a \
    results file of its own, and show them together with `edgematch results FILE...`";

/// Runs `edgematch batch`; returns the exit code: [`exit::FAILED`] if engines disagree, otherwise
/// that of the worst run.
pub fn run(args: &Batch) -> anyhow::Result<u8> {
    refuse_bad_arguments(args)?;
    let engines = named(&engines(), &args.engines).map_err(|why| anyhow!(why))?;
    let wanted = wanted(args)?;
    let options = options(args, &wanted);
    let workers = args.jobs.map_or_else(scheduler::available, usize::from);
    let plan = Plan {
        engines: &engines,
        wanted: &wanted,
        options: &options,
        program: (edgematch::VERSION, edgematch::REVISION),
        workers,
        grace: GRACE,
        exit_code: |ended| exit::of_group(ended.group()),
    };
    refuse_few_descriptors(workers)?;
    let program = std::env::current_exe().context("the program cannot find its own file")?;
    let launch = || worker_command(&program, args);
    let mut store = Store::open(&args.results).map_err(|error| {
        let help = if error.is_in_use { IN_USE } else { "" };
        anyhow!("{error}{help}")
    })?;
    if args.retry {
        for engine in &engines {
            store.forget_unfinished(&plan.key("", engine))?;
        }
    }
    for (path, text) in &wanted.constraints {
        store.note_constraints(&sha256(text.as_bytes()), path, text)?;
    }
    let started = Instant::now();
    let progress = BatchProgress::start(args, engines.len());
    let shown = Arc::clone(&progress);
    let ticker = Ticker::start(PERIOD, move || shown.show());
    let found = puzzles_to_run(sources(args), args.part);
    // Installed only now: before, a signal ends the program immediately, even while a file is read.
    let interrupt = interrupt::flag();
    let ran = batch::run(&plan, found, store, &launch, &|e| progress.observe(e), &interrupt);
    interrupt::end_at_once();
    drop(ticker);
    progress.line.finish();
    let summary = ran?;
    print(table(&summary))?;
    note(args.messages.quiet, &closing(&summary, started.elapsed(), &args.results));
    // A part may have no puzzles.
    if summary.engines.is_empty() && !summary.is_interrupted && args.part.is_none() {
        bail!(
            "no puzzle was found: of a folder, files such as .yaml, .yml, .xml and .puz are read; name those with \
             another ending"
        );
    }
    let disagreements = match engines.len() {
        1 => Vec::new(),
        _ => Survey::new(&Files::open(&[&args.results])?, Query::Newest)?.disagreements,
    };
    disagreements.iter().for_each(|found| say(&format!("disagreement: {found}")));
    let is_failure = !disagreements.is_empty() && !summary.is_interrupted;
    Ok(if is_failure { exit::FAILED } else { exit_code(&summary) })
}

/// The command that starts a worker process.
fn worker_command(program: &Path, args: &Batch) -> Command {
    let mut command = Command::new(program);
    let limit = args.memory_limit.to_string();
    command.args(["batch-worker", "--memory-limit", &limit]);
    // A panic message is stored as part of the result: keep it short.
    command.env("RUST_BACKTRACE", "0");
    // glibc would reserve 64 MB of address space for each thread, and the worker's is limited.
    command.env("MALLOC_ARENA_MAX", "1");
    command
}

/// Returns an error if the limit of open files (`ulimit -n`) is too low for this number of workers.
/// Otherwise a puzzle would seem to be unreadable when the limit is reached.
#[cfg(unix)]
fn refuse_few_descriptors(workers: usize) -> anyhow::Result<()> {
    /// Descriptors needed by this process, which may read a list and a folder, and for each worker
    /// while it starts.
    const OWN: u64 = 24;
    const OF_WORKER: u64 = 3;
    let needed = OWN + OF_WORKER * workers as u64;
    if let Ok((granted, _)) = rlimit::Resource::NOFILE.get()
        && granted < needed
    {
        let workers = counted(workers, "worker", "workers");
        bail!("{granted} open files are too few (ulimit -n): {needed} are needed for {workers}");
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_few_descriptors(_: usize) -> anyhow::Result<()> {
    Ok(())
}

/// Rejects arguments that would make every run fail: two inputs from standard input, a results path
/// that is not a file, or a pin that is not in the notation of `--pin`.
fn refuse_bad_arguments(args: &Batch) -> anyhow::Result<()> {
    let read = inputs("a puzzle", &args.files)
        .chain(inputs("the list", &args.list))
        .chain(inputs("the constraints", &args.extra.constraints));
    refuse_two_readers(read)?;
    let is_other = args.results.metadata().is_ok_and(|m| !m.is_file());
    let is_odd = args.results.to_string_lossy().starts_with(':');
    if is_stdout(&args.results) || is_other || is_odd {
        bail!("--results {}: expected a file", args.results.display());
    }
    if ["csv", "html", "json", "jsonl", "txt"].contains(&ending(&args.results).as_str()) {
        bail!(
            "--results {}: results are kept in a database, such as runs.sqlite, from which `edgematch results` makes \
             tables and `edgematch site` pages",
            args.results.display()
        );
    }
    for (list, words) in [("pin", &args.extra.pin), ("forbid", &args.extra.forbid)] {
        if let Some(word) = words.iter().find(|word| !word.contains(['=', '@'])) {
            bail!("--{list} {word}: expected CELL=TILE@ROTATION; parts may be left out");
        }
    }
    Ok(())
}

/// The sources of puzzles named by the arguments, `--list` last.
fn sources(args: &Batch) -> Vec<Source> {
    let files = args.files.iter().cloned().map(Source::Path);
    files.chain(args.list.iter().cloned().map(Source::List)).collect()
}

/// The puzzles of these sources, only those of `part` if one is given. Reports about sources that
/// cannot be read are always included.
fn puzzles_to_run(
    sources: Vec<Source>,
    part: Option<PartOf>,
) -> impl Iterator<Item = Found> + Send {
    items(sources).filter(move |found| match (found, part) {
        (Found::Item(item), Some(PartOf { part, of })) => item.part(of) + 1 == part,
        _ => true,
    })
}

/// The limits, options and constraints of every run.
///
/// # Errors
/// If a file of constraints cannot be read or is not YAML, or an option cannot be parsed.
fn wanted(args: &Batch) -> anyhow::Result<Wanted> {
    let read = |path: &std::path::PathBuf| -> anyhow::Result<(String, String)> {
        let name = path.display().to_string();
        let text = String::from_utf8(load::read_bytes(path)?)
            .map_err(|_| anyhow!("{name}: it is not UTF-8"))?;
        load::refuse_bad_yaml(&text, &name)?;
        Ok((name, text))
    };
    args.extra.reading.options()?;
    Ok(Wanted {
        solutions: args.solutions,
        time_limit: args.time.time_limit,
        overrides: args.extra.reading.overrides(),
        constraints: args.extra.constraints.iter().map(read).try_collect()?,
        pin: args.extra.pin.clone(),
        forbid: args.extra.forbid.clone(),
        keeps_solutions: args.keep_solutions,
    })
}

/// The limits and constraints of the runs as a JSON object without defaults. It is part of the key
/// under which a result is stored.
fn options(args: &Batch, wanted: &Wanted) -> String {
    let hashes = wanted.constraints.iter().map(|(_, text)| sha256(text.as_bytes()));
    let mut options = json!(wanted.overrides);
    for (name, value) in [
        ("constraints", json!(hashes.collect_vec())),
        ("forbid", json!(wanted.forbid)),
        ("memory_limit", json!(args.memory_limit)),
        ("pin", json!(wanted.pin)),
        ("solutions", json!(wanted.solutions)),
        ("time_limit", json!(wanted.time_limit.map(|limit| limit.as_secs_f64()))),
    ] {
        let is_default = [json!(null), json!([]), json!(0)].contains(&value);
        if !is_default {
            options[name] = value;
        }
    }
    options.to_string()
}

/// The time between two updates of the progress line.
const PERIOD: Duration = Duration::from_millis(200);

/// Progress on standard error: one line on a terminal, otherwise a line for each run.
struct BatchProgress {
    is_quiet: bool,
    /// True if there are several engines, whose names then precede messages.
    has_engines: bool,
    line: Line,
    /// The number of runs that ended or were skipped; so are the next two.
    done: AtomicU64,
    stopped: AtomicU64,
    failed: AtomicU64,
    /// The total number of runs; 0 until it is known.
    all: AtomicU64,
}

impl BatchProgress {
    /// Starts to count the runs on a thread of its own, if a progress line is shown and the sources
    /// can be read twice.
    fn start(args: &Batch, engines: usize) -> Arc<Self> {
        let progress = Arc::new(BatchProgress {
            is_quiet: args.messages.quiet,
            has_engines: engines > 1,
            line: Line::new(args.messages.quiet),
            done: AtomicU64::new(0),
            stopped: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            all: AtomicU64::new(0),
        });
        let (sources, part) = (sources(args), args.part);
        if progress.line.is_wanted && !sources.iter().any(is_stream) {
            let counting = Arc::clone(&progress);
            // If no thread can be started, the total stays unknown.
            let _ = thread::Builder::new().spawn(move || {
                let puzzles =
                    puzzles_to_run(sources, part).filter(|f| matches!(f, Found::Item(_))).count();
                counting.all.store((puzzles * engines) as u64, Ordering::Relaxed);
            });
        }
        progress
    }

    /// Updates the progress line.
    fn show(&self) {
        self.line.show(|| {
            let [done, stopped, failed, all] = [&self.done, &self.stopped, &self.failed, &self.all]
                .map(|n| n.load(Ordering::Relaxed));
            let of = if all > 0 { format!("/{all}") } else { String::new() };
            let left = if 0 < done && done < all {
                let left = self.line.started.elapsed().mul_f64((all - done) as f64 / done as f64);
                format!(", about {} left", HumanDuration(left))
            } else {
                String::new()
            };
            format!("{done}{of} done, {stopped} stopped, {failed} failed{left}")
        });
    }

    /// Prints a line on standard error above the progress line.
    fn say(&self, line: &str) {
        self.line.aside(|| say(line));
    }

    /// Counts a run as done, and as stopped or failed if it was.
    fn count(&self, ended: &Ended) {
        match exit::of_group(ended.group()) {
            exit::FOUND => {}
            exit::STOPPED => _ = self.stopped.fetch_add(1, Ordering::Relaxed),
            _ => _ = self.failed.fetch_add(1, Ordering::Relaxed),
        }
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts and prints an event of the batch.
    fn observe(&self, event: Event<'_>) {
        match event {
            Event::Ended { label, engine, report } => self.ended(label, engine, report),
            Event::Skipped { label, engine, ended } => {
                if !self.is_quiet && is_bad(ended) {
                    let prefix = self.prefix(label, engine, ended);
                    self.say(&format!("{prefix}{} (an earlier run)", words(ended)));
                }
                self.count(ended);
            }
            Event::Note(note) if !self.is_quiet => self.say(&format!("warning: {note}")),
            Event::Note(_) => {}
        }
    }

    /// Counts a run, and prints a line about it; on a terminal only if it failed.
    fn ended(&self, label: &str, engine: &str, report: &RunReport) {
        let RunReport { ended, work, .. } = report;
        if !self.is_quiet && (!self.line.is_wanted || is_bad(ended)) {
            let mut words = words(ended);
            if ended.distinct.is_some() {
                words += &format!(", {}", seconds(work.seconds));
            }
            if !report.assumed.is_empty() {
                words += &format!("; assumed: {}", report.assumed);
            }
            self.say(&format!("{}{words}", self.prefix(label, engine, ended)));
        }
        self.count(ended);
    }

    /// The beginning of a message about a run: `label: `, or `label: engine: ` with several
    /// engines. If the message starts with a position in the puzzle's file, only `label:` precedes
    /// it.
    fn prefix(&self, label: &str, engine: &str, ended: &Ended) -> String {
        let label = printable(label);
        let error = ended.status.message().unwrap_or_default();
        let line = error.split_once(':').map(|(line, _)| line.parse::<usize>());
        let has_place = matches!(ended.status, BatchStatus::Lost(RunFailure::NoPuzzle, _))
            && matches!(line, Some(Ok(_)));
        match (has_place, self.has_engines) {
            (true, _) => format!("{label}:"),
            (false, true) => format!("{label}: {engine}: "),
            (false, false) => format!("{label}: "),
        }
    }
}

/// Returns true if a source is standard input or a pipe, which can be read only once.
fn is_stream(source: &Source) -> bool {
    let (Source::Path(path) | Source::List(path)) = source;
    is_stdout(path) || fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir())
}

/// Returns true if the puzzle is bad or the run failed.
fn is_bad(ended: &Ended) -> bool {
    [Group::Bad, Group::Failed].contains(&ended.group())
}

/// The result of a run in a few words, such as `2 solutions, proven complete`.
fn words(ended: &Ended) -> String {
    let error = ended.status.message().unwrap_or_default();
    let found = match ended.distinct.as_deref() {
        None => return error,
        Some("0") => "no solution".to_owned(),
        Some("1") => "1 solution".to_owned(),
        Some(distinct) => format!("{distinct} solutions"),
    };
    match &ended.status {
        BatchStatus::Ran(RunStatus::Complete) if !ended.has_found() => format!("{found}, proven"),
        BatchStatus::Ran(RunStatus::Complete) => format!("{found}, proven complete"),
        BatchStatus::Ran(RunStatus::Failed(_)) => format!("failed: {error}"),
        status => format!("{found} so far, stopped: {}", status.words()),
    }
}

/// The table of runs by engine and result. Results that no run has get no column, except the first
/// two; with several engines there is a row of totals.
fn table(summary: &Summary) -> String {
    let total = summary.total();
    let is_shown = |group| group <= Group::NoSolution || total.number(group) > 0;
    let groups: Vec<_> = Group::ALL.into_iter().filter(|(group, _)| is_shown(*group)).collect();
    let skipped: &[&str] = if total.skipped > 0 { &["skipped"] } else { &[] };
    let names: Vec<&str> = groups.iter().map(|(_, name)| *name).collect();
    let mut cells = Cells::new(&[&["engine", "runs"], &names[..], skipped, &["time"]].concat());
    let row = |name: &str, counts: &EngineCounts| {
        let groups = groups.iter().map(|(group, _)| counts.number(*group));
        let numbers =
            [counts.runs].into_iter().chain(groups).chain(skipped.iter().map(|_| counts.skipped));
        let numbers = numbers.map(|number| number.to_string());
        std::iter::once(printable(name)).chain(numbers).chain([seconds(counts.seconds)]).collect()
    };
    for (name, counts) in &summary.engines {
        cells.rows.push(row(name, counts));
    }
    if summary.engines.len() > 1 {
        cells.rows.push(row("all", &total));
    }
    cells.drawn(comfy_table::presets::NOTHING)
}

/// The closing message: the number of runs now and before, the time, and the results file.
fn closing(summary: &Summary, elapsed: Duration, results: &Path) -> String {
    let all = summary.total();
    let now = all.runs - all.skipped;
    let took = elapsed.as_secs_f64();
    let mut words = format!("{} in {}", counted(now, "run", "runs"), seconds(took));
    if now > 0 {
        words += &format!(", {:.1} runs per second", now as f64 / took.max(1e-9));
    }
    if all.skipped > 0 {
        words += &format!("; {} skipped (already stored)", all.skipped);
    }
    if summary.is_interrupted {
        words += "; interrupted: run the command again to resume";
    }
    words + &format!("; results in {}", results.display())
}

/// The exit code of the batch: 130 if interrupted, otherwise that of the worst group with a run.
fn exit_code(summary: &Summary) -> u8 {
    if summary.is_interrupted {
        return exit::INTERRUPTED;
    }
    let total = summary.total();
    let present = Group::ALL.into_iter().rev().filter(|(group, _)| total.number(*group) > 0);
    let mut codes = present.map(|(group, _)| exit::of_group(group));
    codes.find(|code| *code != exit::FOUND).unwrap_or(exit::FOUND)
}
