//! `edgematch site`: writes a page that needs no server, with the solver embedded or with stored
//! solutions.
//!
//! The first signal ends the searches, and the page is written with what was found.

use std::collections::HashSet;
use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use edgematch::engine::{Auto, counted};
use edgematch::enumerate::{self, Limits, NewSolution};
use edgematch::problem::Arrangement;
use edgematch::runtime::scheduler;
use edgematch_batch::catalogue::{Entry, Files, Selection, Survey, Totals, entries};
use edgematch_play::{
    AnswerPart, BatchResults, EXTRA_ASSETS, Findings, KnownAnswers, Library, LoadedPuzzle,
    OfferedPuzzle, Page, Question, Refusal, Solver, answer,
};
use edgematch_report::sentence;

use super::library;
use crate::args::{Site, inputs};
use crate::common::{
    Destination, Line, OutputFolder, Outputs, ending, exit, interrupt, is_stdout, named_after,
    note, say, warnings,
};

/// The name of the page in an output folder.
const INDEX: &str = "index.html";

/// The maximum number of puzzles of a page; with more it would be slow to open.
const MOST_PUZZLES: usize = 5_000;

/// The first bytes of every SQLite file.
const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// The rest of a sentence that the solver is not at `beside`, with the way to build it.
fn missing_solver(beside: &Path) -> String {
    format!(
        "{} does not exist: copy {SOLVER} there from the archive of a release, or pass its path \
         with --wasm (in a checkout, `just web` builds target/web/{SOLVER})",
        beside.display()
    )
}

/// Runs `edgematch site`; returns the exit code: the worst of its searches, where a puzzle without
/// a solution counts as a success, or [`exit::FAILED`] if stored results disagree or do not fit.
pub fn run(args: &Site) -> anyhow::Result<u8> {
    let interrupt = interrupt::flag();
    let mut target = Target::open(args)?;
    let program = env::current_exe().context("the program cannot find its own file")?;
    // An installer may have left a link to it in another folder.
    let beside = program.canonicalize().unwrap_or(program).with_file_name(SOLVER);
    let solver = solver_at_hand(args, &beside)?;
    let threads = scheduler::available();
    let mut content = Content {
        args,
        limits: Limits { threads, ..args.time.limits(Some(&interrupt)) },
        has_solver: solver.is_some(),
        puzzles: Vec::new(),
        solutions: 0,
        unfinished: 0,
        code: exit::FOUND,
    };
    let mut results = None;
    match &args.puzzles[..] {
        [] if solver.is_none() => bail!(
            "a page without a puzzle needs the solver for browsers, and {}",
            missing_solver(&beside)
        ),
        files @ [first, ..] if is_results(first) => results = Some(content.add_results(files)?),
        [_, _, ..] => bail!("several files can be combined only if all are results of `batch`"),
        puzzle => {
            let puzzle = puzzle.first().map(PathBuf::as_path);
            let quiet = args.messages.quiet;
            content.add_library(&library::open(puzzle, &args.extra, quiet, &content.limits)?)?;
        }
    }
    if interrupt.load(Ordering::Relaxed) {
        content.code = exit::INTERRUPTED;
    }
    interrupt::end_at_once();
    if content.puzzles.is_empty() && content.code == exit::FAILED {
        return Ok(content.code);
    }
    let page = Page {
        puzzles: &content.puzzles,
        solver: solver.as_ref(),
        results: results.as_ref(),
        has_files: matches!(target, Target::Folder(_)),
    };
    let html = page.html()?;
    target.write(&html)?;
    if !args.messages.quiet {
        let size = html.len() as f64 / 1000.0;
        say(&format!("{}: {}; {size:.0} KB", target.place(args), content.summary()));
        content.print_notes(&beside);
    }
    Ok(content.code)
}

/// The file name of the solver for browsers, which is looked for beside the program.
const SOLVER: &str = "edgematch.wasm";

/// Reads the solver given by `--wasm`, or the one beside the program. `None` if that does not
/// exist, or `-n` asks for stored solutions instead.
///
/// # Errors
/// If the file cannot be read or is not a solver of this version.
fn solver_at_hand(args: &Site, beside: &Path) -> anyhow::Result<Option<Solver>> {
    let path = match &args.wasm {
        Some(path) => path,
        None if args.solutions.is_none() && beside.is_file() => beside,
        None => return Ok(None),
    };
    let bytes = fs::read(path).with_context(|| format!("{} can't be read", path.display()))?;
    Ok(Some(Solver::new(bytes).with_context(|| path.display().to_string())?))
}

/// Returns true if a regular file begins like an SQLite file. Pipes are not read.
fn is_results(path: &Path) -> bool {
    let mut start = [0; SQLITE.len()];
    let read = |mut file: File| file.read_exact(&mut start).is_ok();
    path.is_file() && File::open(path).is_ok_and(read) && start == *SQLITE
}

/// Returns true for the names of files that are written into an output folder.
fn is_written(name: &str) -> bool {
    name == INDEX || EXTRA_ASSETS.iter().any(|file| file.name == name)
}

/// The destination of the page: a folder of files, or a single file or standard output.
enum Target {
    Folder(OutputFolder),
    Page(Destination),
}

/// The output that is given, or else the usual one.
fn output(args: &Site) -> PathBuf {
    let usual = || named_after(args.puzzles.first().map(PathBuf::as_path), "html");
    args.output.clone().unwrap_or_else(usual)
}

impl Target {
    /// Checks that the destination of `-o` may be written.
    fn open(args: &Site) -> anyhow::Result<Target> {
        let read = inputs("the puzzle", &args.puzzles)
            .chain(inputs("the solver", &args.wasm))
            .chain(inputs("the constraints", &args.extra.constraints));
        let mut outputs = Outputs::new(args.force, read);
        let path = &output(args);
        let is_page = ["html", "htm"].contains(&ending(path).as_str()) && !path.is_dir();
        Ok(if is_page || is_stdout(path) {
            Target::Page(outputs.file_or_stdout(Some(path))?)
        } else {
            Target::Folder(outputs.folder(path, is_written)?)
        })
    }

    /// The path of the page for the closing message; "the page" on standard output.
    fn place(&self, args: &Site) -> String {
        match self {
            Target::Folder(folder) => folder.path().join(INDEX).display().to_string(),
            Target::Page(Destination::File(_)) => output(args).display().to_string(),
            Target::Page(Destination::Stdout) => "the page".to_owned(),
        }
    }

    /// Writes the page, and into a folder also the additional files that it uses.
    fn write(&mut self, html: &str) -> anyhow::Result<()> {
        match self {
            Target::Folder(folder) => {
                for file in EXTRA_ASSETS {
                    folder.write(file.name, file.text.as_bytes())?;
                }
                folder.write(INDEX, html.as_bytes())
            }
            Target::Page(page) => page.write(html.as_bytes()),
        }
    }
}

/// The puzzles of the page as they are collected, with counts for the closing message.
struct Content<'a> {
    args: &'a Site,
    limits: Limits<'a>,
    has_solver: bool,
    puzzles: Vec<OfferedPuzzle>,
    /// The number of stored solutions.
    solutions: usize,
    /// The number of puzzles whose search was stopped by a limit.
    unfinished: usize,
    /// The exit code so far.
    code: u8,
}

impl Content<'_> {
    /// A one-line summary for the closing message: `3 puzzles, the solver, 20 stored solutions; 1
    /// puzzle may have more`.
    fn summary(&self) -> String {
        let mut parts = vec![counted(self.puzzles.len(), "puzzle", "puzzles")];
        if self.has_solver {
            parts.push("the solver".to_owned());
        }
        if self.solutions > 0 || !self.has_solver {
            parts.push(counted(self.solutions, "stored solution", "stored solutions"));
        }
        let summary = parts.join(", ");
        match self.unfinished {
            0 => summary,
            number => format!("{summary}; {} may have more", counted(number, "puzzle", "puzzles")),
        }
    }

    /// Prints notes if the page has no solver because the file `beside` the program is missing, or
    /// if solutions were found but none is stored.
    fn print_notes(&self, beside: &Path) {
        if !self.has_solver && !beside.is_file() {
            say(&format!("note: the page has no solver, as {}", missing_solver(beside)));
        }
        let mut found = self.puzzles.iter().filter_map(|one| one.found.as_ref()?.distinct.as_ref());
        if self.solutions == 0 && found.any(|distinct| distinct != "0") {
            say("note: no solutions are stored: `batch --keep-solutions` keeps them");
        }
    }

    /// The maximum number of solutions to store for each puzzle, if there are so many puzzles; 0
    /// means all.
    fn solution_limit(&self, puzzles: usize) -> u64 {
        self.args.solutions.unwrap_or(if puzzles == 1 { 10_000 } else { 100 })
    }

    /// Adds the puzzles of a library, solved unless the page has a solver. A puzzle that cannot be
    /// read or offered is left out with a warning.
    ///
    /// # Errors
    /// If no puzzle is left.
    fn add_library(&mut self, library: &Library) -> anyhow::Result<()> {
        let names = library.names();
        let line = Line::new(self.args.messages.quiet);
        // The time limit is for searches only: a puzzle without stored solutions can still be
        // played.
        let reading = Limits { time: None, ..self.limits };
        for (number, name) in names.iter().enumerate() {
            line.show(|| format!("{number} of {} puzzles", names.len()));
            let one = match library.find(name, &reading) {
                Ok(one) => one,
                Err(why) => {
                    self.leave_out(name, &why);
                    continue;
                }
            };
            let offered = OfferedPuzzle::new(name, &one);
            match offered.map(|offered| offered.rated(&one, &self.limits)) {
                Ok(offered) if self.has_solver => self.puzzles.push(offered),
                Ok(offered) => self.add_solved(offered, &one, (number, names.len())),
                Err(why) => self.leave_out(name, &why),
            }
            if matches!(library, Library::One(_)) {
                warnings::assumed(&one.problem, self.args.messages.quiet);
            }
        }
        drop(line);
        if self.puzzles.is_empty() && !names.is_empty() && self.code != exit::FAILED {
            bail!("none of the puzzles can be shown on the page; the warnings say why");
        }
        Ok(())
    }

    /// Prints a warning that a puzzle is left out, unless quiet.
    fn leave_out(&self, name: &str, why: &Refusal) {
        note(self.args.messages.quiet, &format!("warning: left out: {}", why.located(name)));
    }

    /// Searches a puzzle and adds it with its solutions, unless the engine fails. It is number
    /// `number`, from 0, of `all`; the remaining time is divided equally among the remaining
    /// puzzles.
    fn add_solved(
        &mut self,
        offered: OfferedPuzzle,
        one: &LoadedPuzzle,
        (number, all): (usize, usize),
    ) {
        let problem = &one.problem;
        let token = self.limits.token();
        let left = all - number;
        let share = token.time_left().unwrap_or_default() / u32::try_from(left).unwrap_or(u32::MAX);
        let limits = if left == 1 { self.limits } else { token.limits_within(share) };
        let limits =
            Limits { distinct: self.solution_limit(all), threads: self.limits.threads, ..limits };
        // First, because the search for all solutions may use up the time.
        let recordings = if all == 1 { self.recordings(one) } else { Vec::new() };
        let mut solutions: Vec<Arrangement> = Vec::new();
        let outcome = enumerate::run(problem, &Auto, &limits, &mut |found: &NewSolution<'_>| {
            solutions.push(found.distinct.arrangement.clone());
            ControlFlow::Continue(())
        });
        let says = sentence(problem, &outcome);
        let is_failure = outcome.status.is_failure();
        if (all == 1 && !self.args.messages.quiet) || is_failure {
            say(&says);
        }
        match exit::of_outcome(&outcome) {
            exit::NONE => {}
            code => self.code = self.code.max(code),
        }
        if !is_failure {
            let is_complete = outcome.status.is_complete();
            self.unfinished += usize::from(!is_complete);
            self.solutions += solutions.len();
            let known = KnownAnswers::new(problem, &solutions, is_complete, says, recordings);
            self.puzzles.push(offered.with_known(one, known, None));
        }
    }

    /// Records the searches that the page replays step by step; empty with a message if they cannot
    /// be shown.
    fn recordings(&self, one: &LoadedPuzzle) -> Vec<AnswerPart> {
        let mut recordings = Vec::new();
        let mut record = |said: AnswerPart| {
            if matches!(said, AnswerPart::Recording { .. }) {
                recordings.push(said);
            }
        };
        // Without recordings the puzzle can still be played.
        let told = answer(&one.problem, &Question::Watch {}, &self.limits, &mut record);
        if let Err(refused) = told {
            let why = format!("the page does not show a search: {refused}");
            note(self.args.messages.quiet, &why);
        }
        recordings
    }

    /// Adds the puzzles of the results files of `batch`, and prints disagreements, which set the
    /// exit code 4.
    ///
    /// # Errors
    /// If a file cannot be read, or there are more than [`MOST_PUZZLES`].
    fn add_results(&mut self, files: &[PathBuf]) -> anyhow::Result<BatchResults> {
        self.args.extra.refuse_any("with the results of batches")?;
        // There is no search to stop gracefully from here on.
        interrupt::end_at_once();
        let files = Files::open(files)?;
        let selection = Selection::default();
        let survey = Survey::new(&files, selection.query)?;
        let mut totals = Totals::default();
        files.rows(&survey, &selection, |_, row| {
            totals.add(&row);
            anyhow::Ok(())
        })?;
        let entries = entries(&files, &survey, &selection)?;
        if entries.len() > MOST_PUZZLES {
            bail!(
                "{} puzzles are too many for a page: at most {MOST_PUZZLES}; `edgematch results` lists them",
                entries.len()
            );
        }
        let mut names = HashSet::new();
        let line = Line::new(self.args.messages.quiet);
        for (number, entry) in entries.iter().enumerate() {
            line.show(|| format!("{number} of {} puzzles", entries.len()));
            let place = entry.place();
            let is_new = names.insert(place.clone());
            let name = if is_new { place } else { format!("{place} ({number})") };
            self.add_entry(&files, entry, &name, self.solution_limit(entries.len()))?;
        }
        drop(line);
        let disagreements: Vec<String> =
            survey.disagreements.iter().map(|found| format!("disagreement: {found}")).collect();
        for disagreement in &disagreements {
            say(disagreement);
            self.code = exit::FAILED;
        }
        Ok(BatchResults { totals: totals.to_string(), disagreements })
    }

    /// Adds one puzzle of results files with at most `most` of its stored solutions. If it cannot
    /// be restored, it is listed with the reason but cannot be played. A stored solution that does
    /// not fit sets the exit code 4.
    fn add_entry(
        &mut self,
        files: &Files,
        entry: &Entry,
        name: &str,
        most: u64,
    ) -> anyhow::Result<()> {
        let ended = entry.ended();
        let mut findings = Findings {
            status: ended.known().name(),
            distinct: ended.distinct.clone(),
            shown: entry.shown(),
            complete: ended.status.is_complete(),
            runs: entry.lines(),
            notes: Vec::new(),
            faults: Vec::new(),
        };
        let offered = match entry.puzzle.board {
            None => Err(entry.error().unwrap_or_default()),
            Some(_) => entry.restored(files, most)?.and_then(|restored| {
                findings.notes = restored.notes;
                findings.faults = restored.solutions.faults;
                let one = LoadedPuzzle { problem: restored.problem, pictures: restored.pictures };
                let offered = OfferedPuzzle::new(name, &one).map_err(|why| why.message)?;
                let list = restored.solutions.list;
                self.solutions += list.len();
                let is_complete = restored.is_complete;
                let known =
                    KnownAnswers::new(&one.problem, &list, is_complete, restored.run, Vec::new());
                Ok(offered.with_known(&one, known, list.first()))
            }),
        };
        let mut offered = offered.unwrap_or_else(|why| {
            findings.notes.push(why);
            let board = entry.puzzle.board.clone().unwrap_or_default();
            OfferedPuzzle::unplayable(name, entry.title(), board)
        });
        for fault in &findings.faults {
            say(&format!("error: {}: {fault}", entry.title()));
            self.code = exit::FAILED;
        }
        // The batch has already reported files that are not puzzles.
        let is_quiet = self.args.messages.quiet || entry.puzzle.board.is_none();
        for found in &findings.notes {
            note(is_quiet, &format!("note: {}: {found}", entry.title()));
        }
        offered.found = Some(findings);
        self.puzzles.push(offered);
        Ok(())
    }
}
