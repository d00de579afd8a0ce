//! `edgematch generate`: generates puzzles, several at once on several threads.
//!
//! Puzzles are written in the order of their seeds, whichever is finished first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use edgematch::board::Board;
use edgematch::enumerate::Limits;
use edgematch::generate::{
    Classes, Deal, GenerateError, GeneratedPuzzle, Generator, Recipe, Target, complete_set,
    number_of_tiles,
};
use edgematch::load::{self, LoadError, PUZZLE_FORMATS, PuzzleFormat, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::runtime::clock::seconds;
use edgematch::runtime::scheduler::{QueueWorker, SearchProgress, Sink, Worker, run_jobs};
use edgematch_batch::holds_lines;
use edgematch_report::measured;
use itertools::Itertools;

use crate::args::{Generate, MatchingArg, Size, inputs};
use crate::common::{
    Draft, Line, OutputFolder, Outputs, exit, interrupt, is_stdout, note, patience, print, quoted,
    say,
};

/// Runs `edgematch generate`; returns the exit code: [`exit::NONE`] if no such puzzle exists,
/// [`exit::STOPPED`] if none was found in time.
pub fn run(args: &Generate) -> anyhow::Result<u8> {
    let made = match args.all_tiles {
        Some(colours) => every_tile(args, usize::from(colours)),
        None => random(args),
    };
    made.or_else(|error| {
        let unmade: GenerateError = error.downcast()?;
        let is_hopeless = matches!(unmade, GenerateError::Hopeless(_));
        let advice = match args.difficulty {
            _ if matches!(unmade, GenerateError::Impossible(_)) => "",
            Some(_) => "; the named difficulties are those of nine cards: try a range, 100000..",
            None if is_hopeless => "; use --time-limit to try anyway",
            None => "",
        };
        say(&format!("{unmade}{advice}"));
        Ok(code(&unmade))
    })
}

/// Generates the requested number of random puzzles, with consecutive seeds; returns the exit code.
///
/// # Errors
/// Among others, without a time limit, if the target looks unreachable.
fn random(args: &Generate) -> anyhow::Result<u8> {
    let limits = args.time.limits(None);
    let generator = generator(args, &limits)?;
    // With a time limit, the user accepts that the search may be in vain.
    if args.time.time_limit.is_none() {
        generator.refuse_hopeless(&Limits::default())?;
    }
    let seed = args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000));
    Run { args, generator, seed, limits }.generate()
}

/// Writes the complete set of tiles of `colours` colours; returns the exit code. The default board
/// is the rectangle nearest to a square that the set fills.
fn every_tile(args: &Generate, colours: usize) -> anyhow::Result<u8> {
    const SIDES: usize = 4;
    let may_turn = !args.no_rotations;
    let board = match board(args)? {
        Some(board) => board,
        None => {
            let tiles = number_of_tiles(SIDES, colours, may_turn)?;
            let divides = |rows: &usize| tiles.is_multiple_of(*rows);
            let rows = (1..=tiles.isqrt()).rev().find(divides).unwrap_or(1);
            Board::grid(rows, tiles / rows)
        }
    };
    let problem = complete_set(board, colours, may_turn)?;
    let (name, tiles) = (problem.puzzle.name.clone(), problem.puzzle.tiles.len());
    let summary = format!("{name}: {tiles} tiles on {}", problem.board.description_with_article());
    let mut output = Output::open(args)?;
    output.add(&name, &yaml(problem, &name, &recipe_flags(args))?, true)?;
    output.finish(true)?;
    note(args.messages.quiet, &summary);
    Ok(exit::FOUND)
}

/// The exit code of a puzzle that could not be generated.
fn code(unmade: &GenerateError) -> u8 {
    match unmade {
        GenerateError::Impossible(_) => exit::NONE,
        GenerateError::Stopped(status) if !status.is_complete() => exit::of_status(status, false),
        _ => exit::STOPPED,
    }
}

/// Creates the generator that the flags describe; with `--from`, reads that puzzle within the
/// limits.
fn generator(args: &Generate, limits: &Limits<'_>) -> anyhow::Result<Generator> {
    let mut wish = Target {
        classes: args.classes.or(args.unique.then_some(Classes::ONE)),
        difficulty: args.difficulty,
        no_twins: args.no_twins,
    };
    let Some(file) = &args.from else {
        let mut recipe = Recipe {
            board: board(args)?.unwrap_or_else(|| Board::grid(3, 3)),
            images: usize::from(args.images.unwrap_or(1)),
            has_halves: args.matching == MatchingArg::Half,
            frame: args.framed.then(|| usize::from(args.frame_images.unwrap_or(0))),
            may_turn: !args.no_rotations,
            two_sided: args.two_sided,
        };
        if args.images.is_none() {
            recipe = match recipe.clone().with_fitting_images(args.difficulty) {
                // With a time limit, the user accepts that the search may be in vain.
                Err(GenerateError::Hopeless(_)) if limits.time.is_some() => {
                    recipe.with_fitting_images(None)?
                }
                fitting => fitting?,
            };
        }
        return Ok(Generator::new(recipe, wish)?);
    };
    wish.classes.get_or_insert(Classes::ONE);
    let overrides = ReadOverrides { board: board_in_words(args), ..ReadOverrides::default() };
    let (file, options) = (file.clone(), overrides.options(|name| format!("--{name}"))?);
    let (problem, _) = patience::under(limits, "the puzzle was read", move || {
        load::read_with_bytes(&file, &options)
    })??;
    Ok(Generator::dealing(Deal::new(&problem)?, wish))
}

/// The board of `--board` or `--size` in the notation of puzzle files; `None` if neither is given.
fn board_in_words(args: &Generate) -> Option<String> {
    args.board.clone().or(args.size().map(Size::as_board))
}

/// The board of `--board` or `--size`; `None` if neither is given.
fn board(args: &Generate) -> Result<Option<Board>, LoadError> {
    let flag = if args.board.is_some() { "--board" } else { "--size" };
    board_in_words(args).map(|words| load::read_board(&words, flag)).transpose()
}

/// The parameters of a run that generates random puzzles.
struct Run<'a> {
    args: &'a Generate,
    generator: Generator,
    /// The seed of the first puzzle.
    seed: u64,
    limits: Limits<'static>,
}

/// The seed of a puzzle, the puzzle or why there is none, and the time it took.
type Outcome = (u64, Result<GeneratedPuzzle, GenerateError>, Duration);

/// Receives the puzzles in the order of their seeds, writes them, and shows progress.
struct Collector<'a> {
    run: &'a Run<'a>,
    line: Line,
    output: Output,
    interrupt: &'a AtomicBool,
    /// The time that each written puzzle took.
    made: Vec<Duration>,
    /// The exit code so far.
    code: u8,
    /// The error that ended the run.
    failed: Option<anyhow::Error>,
}

impl Sink<Outcome> for Collector<'_> {
    fn found(&mut self, outcome: Outcome, _: u64) -> ControlFlow<()> {
        let end = self.take(outcome).unwrap_or_else(|error| {
            self.failed = Some(error);
            ControlFlow::Break(())
        });
        // Stops the other threads.
        self.interrupt.fetch_or(end.is_break(), Ordering::Relaxed);
        end
    }

    fn progress(&mut self, progress: SearchProgress) -> ControlFlow<()> {
        let (made, count) = (self.made.len(), self.run.args.count);
        self.line.show(|| format!("{made} of {count} puzzles, {} changes tried", progress.steps));
        ControlFlow::Continue(())
    }
}

impl Collector<'_> {
    /// Writes a puzzle, or prints why there is none. Breaks if the run was stopped, or no puzzle
    /// can meet the target.
    ///
    /// # Errors
    /// If the puzzle cannot be written.
    fn take(&mut self, (seed, result, time): Outcome) -> anyhow::Result<ControlFlow<()>> {
        let made = match result {
            Ok(made) => made,
            Err(unmade) => {
                self.line.aside(|| say(&format!("seed {seed}: {unmade}")));
                self.code = self.code.max(code(&unmade));
                let is_end =
                    matches!(unmade, GenerateError::Stopped(_) | GenerateError::Impossible(_));
                return Ok(if is_end { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
            }
        };
        let facts = measured(&made.measured);
        let (name, text) = self.run.text(seed, made, &facts)?;
        let args = self.run.args;
        self.line.aside(|| self.output.add(&name, &text, args.count == 1))?;
        self.made.push(time);
        let words = format!("{name}: {facts} (seed {seed}, {})", seconds(time.as_secs_f64()));
        self.line.aside(|| note(args.messages.quiet || args.count > 1, &words));
        Ok(ControlFlow::Continue(()))
    }
}

impl Run<'_> {
    /// Generates and writes all puzzles; returns the exit code.
    fn generate(&self) -> anyhow::Result<u8> {
        let args = self.args;
        let interrupt = interrupt::flag();
        let seeds = (0..u64::from(args.count)).map(|number| self.seed.wrapping_add(number));
        let mut collector = Collector {
            run: self,
            line: Line::new(args.messages.quiet),
            output: Output::open(args)?,
            interrupt: &interrupt,
            made: Vec::new(),
            code: exit::FOUND,
            failed: None,
        };
        let work = |worker: &mut QueueWorker<'_, u64, Outcome>| self.work(worker, &interrupt);
        const ROOM: usize = 64;
        let threads = self.args.threads.number().min(args.count as usize);
        let shared =
            run_jobs(threads, seeds, SearchProgress::default(), ROOM, &work, &mut collector);
        let Collector { line, output, mut made, code, failed, .. } = collector;
        drop(line);
        let _ = shared.map_err(|trouble| anyhow!("{trouble}"))?;
        if let Some(error) = failed {
            return Err(error);
        }
        output.finish(!made.is_empty())?;
        note(args.messages.quiet || args.count == 1, &self.summary(&mut made));
        Ok(code)
    }

    /// The main function of a worker thread: generates puzzles for seeds from the queue until it is
    /// empty or the sink wants no more.
    fn work(&self, worker: &mut QueueWorker<'_, u64, Outcome>, interrupt: &AtomicBool) {
        while let Some(seed) = worker.next_job() {
            let started = Instant::now();
            let limits = Limits {
                interrupt: Some(interrupt),
                // With several puzzles, each has one thread.
                threads: if self.args.count == 1 { self.args.threads.number() } else { 1 },
                ..self.limits
            };
            let mut tell = |changes| {
                // The reply is not needed: the sink also sets `interrupt`.
                let _ = worker.progress(SearchProgress::new(changes, 0.0));
            };
            let made = self.generator.make(seed, &limits, &mut tell);
            let changes = made.as_ref().map_or(0, |made| made.changes);
            if worker.found((seed, made, started.elapsed()), changes).is_break() {
                return;
            }
        }
    }

    /// The puzzle's name and the content of its file: a comment with the measured `facts`, then
    /// YAML.
    fn text(
        &self,
        seed: u64,
        made: GeneratedPuzzle,
        facts: &str,
    ) -> anyhow::Result<(String, String)> {
        let name = self.name(&made.problem, seed);
        let mut flags = recipe_flags(self.args);
        flags.push(format!("--seed {seed}"));
        let text = yaml(made.problem, &name, &flags)?;
        Ok((name, format!("# {facts}\n{text}")))
    }

    /// The name of a puzzle, such as `framed-3x3-4-s17`: kind of tiles, board, number of images if given,
    /// seed. With `--from` it is that puzzle's name with `-dealt` and the seed.
    fn name(&self, problem: &Problem, seed: u64) -> String {
        let args = self.args;
        if args.from.is_some() {
            return format!("{}-dealt-s{seed}", problem.puzzle.name);
        }
        let board = match problem.board.rectangle() {
            Some((rows, columns)) => format!("{rows}x{columns}"),
            None => {
                let words = problem.board.description().split([' ', '×', '-']);
                words.filter(|word| !word.is_empty()).join("-")
            }
        };
        let sort = match (args.framed, args.two_sided) {
            (true, _) => "framed-",
            (false, true) => "two-sided-",
            (false, false) => "",
        };
        let images = args.images.map_or_else(String::new, |images| format!("-{images}"));
        format!("{sort}{board}{images}-s{seed}")
    }

    /// The closing message of several puzzles; it sorts `times`, those of the written puzzles.
    fn summary(&self, times: &mut [Duration]) -> String {
        let (made, count, first) = (times.len(), self.args.count, self.seed);
        let last = first.wrapping_add(u64::from(count) - 1);
        times.sort_unstable();
        let median = times.get(made / 2).map(|median| seconds(median.as_secs_f64()));
        let median = median.map(|time| format!(", the median in {time}")).unwrap_or_default();
        format!("{made} of {count} puzzles, seeds {first} to {last}{median}")
    }
}

/// The destination of the puzzles.
enum Output {
    /// Standard output, as soon as each is ready.
    Stdout,
    /// One file of all puzzles, which appears at the end.
    File(Draft),
    /// A folder with a file for each puzzle.
    Folder(OutputFolder),
}

impl Output {
    /// Opens the destination of `-o`. A path is a folder if it ends in `/` or the folder exists.
    ///
    /// # Errors
    /// If the path must not be written, or has the ending of a format other than YAML.
    fn open(args: &Generate) -> anyhow::Result<Output> {
        let Some(path) = args.output.as_deref().filter(|path| !is_stdout(path)) else {
            return Ok(Output::Stdout);
        };
        let mut outputs = Outputs::new(args.force, inputs("the puzzle", &args.from));
        let ends_in_slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if ends_in_slash || path.is_dir() {
            return Ok(Output::Folder(outputs.folder(path, |name| name.ends_with(".yaml"))?));
        }
        let other = PuzzleFormat::of_extension(path).is_some_and(|form| form.name != "yaml");
        if other || holds_lines(path) {
            bail!(
                "{}: puzzles are generated as YAML: use a name that ends in .yaml, and `edgematch \
                 convert` for other forms",
                path.display()
            );
        }
        Ok(Output::File(outputs.file(path)?.draft()?))
    }

    /// Writes a puzzle. In a stream of several (`is_one` is false) it is preceded by `---`.
    fn add(&mut self, name: &str, text: &str, is_one: bool) -> anyhow::Result<()> {
        let document = if is_one { text.to_owned() } else { format!("---\n{text}") };
        match self {
            Output::Stdout => Ok(print(document)?),
            Output::File(file) => file.add(document.as_bytes()),
            Output::Folder(folder) => folder.write(format!("{name}.yaml"), text.as_bytes()),
        }
    }

    /// Completes a single output file; without any puzzle (`has_any` is false) no file appears.
    fn finish(self, has_any: bool) -> anyhow::Result<()> {
        match self {
            Output::File(file) if has_any => file.finish(),
            _ => Ok(()),
        }
    }
}

/// The flags that determine the puzzle, except the seed, quoted for a shell.
fn recipe_flags(args: &Generate) -> Vec<String> {
    let classes = args.classes.filter(|_| !args.unique).map(|c| range(c.from, c.to));
    let difficulty = args.difficulty;
    let difficulty = difficulty.map(|d| range(d.from, Some(d.to).filter(|to| to.is_finite())));
    let values = [
        ("size", args.size().map(|size| format!("{}x{}", size.rows, size.columns))),
        ("board", args.board.clone()),
        ("images", args.images.map(|images| images.to_string())),
        ("all-tiles", args.all_tiles.map(|colours| colours.to_string())),
        ("from", args.from.as_ref().map(|file| file.display().to_string())),
        ("frame-images", args.frame_images.map(|images| images.to_string())),
        ("classes", classes),
        ("difficulty", difficulty),
    ];
    let switches = [
        ("--matching equal", args.matching == MatchingArg::Equal),
        ("--framed", args.framed),
        ("--two-sided", args.two_sided),
        ("--no-rotations", args.no_rotations),
        ("--unique", args.unique),
        ("--no-twins", args.no_twins),
    ];
    let values = values
        .into_iter()
        .filter_map(|(flag, value)| Some(format!("--{flag} {}", quoted(&value?))));
    let switches = switches.into_iter().filter(|(_, is_on)| *is_on);
    values.chain(switches.map(|(switch, _)| switch.to_owned())).collect()
}

/// A range in the notation of the options: `2..5`, `10..`, `..3`. A `from` of 0 is left out.
fn range<T: ToString>(from: T, to: Option<T>) -> String {
    let [from, to] = [Some(from), to].map(|end| end.map(|end| end.to_string()).unwrap_or_default());
    format!("{}..{to}", if from == "0" { "" } else { &from })
}

/// The puzzle as YAML, with this name; its `source` names the program and these flags.
fn yaml(problem: Problem, name: &str, flags: &[String]) -> anyhow::Result<String> {
    let source = format!("edgematch {}: generate {}", edgematch::VERSION, flags.join(" "));
    let problem = problem.with_name(name.to_owned(), Some(source));
    Ok(PUZZLE_FORMATS[0].write(&problem, None)?.text)
}
