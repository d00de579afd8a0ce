//! `edgematch generate`: new puzzles, as many at once as there are threads.
//!
//! Puzzles are printed in the order of their seeds, whichever thread finished first.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use edgematch::board::Board;
use edgematch::clock::seconds;
use edgematch::enumerate::{Limits, RunStatus};
use edgematch::generate::{
    Classes, Deal, GenerateError, Generator, Made, Recipe, Wish, complete_set, number_of_tiles,
};
use edgematch::load::{self, Form, LoadError, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::scheduler::{Progress, QueueWorker, Sink, Worker, run_jobs};
use edgematch_batch::holds_lines;
use edgematch_report::measured;
use itertools::Itertools;

use super::generated::{flags, written};
use crate::args::{Generate, MatchingArg, Size};
use crate::common::line::Line;
use crate::common::output::{Draft, OutputFolder, Outputs, is_stdout};
use crate::common::talk::{print, say};
use crate::common::{exit, interrupt, patience};

/// Runs the command; gives the exit code.
pub fn run(args: &Generate) -> anyhow::Result<u8> {
    if let Some(colours) = args.all_tiles {
        return every_tile(args, usize::from(colours));
    }
    let limits = args.time.limits();
    let generator = match generator(args, &limits)? {
        Ok(generator) => generator,
        Err(unmade) => return Ok(refused(&unmade)),
    };
    // Who says how long to try knows that it may be in vain.
    if args.time.time_limit.is_none()
        && let Err(unmade) = generator.refuse_hopeless(&Limits::default())
    {
        return Ok(refused(&unmade));
    }
    let run = Run {
        args,
        generator,
        seed: args.seed.unwrap_or_else(|| fastrand::u64(..1_000_000_000)),
        limits,
    };
    run.go()
}

/// Writes a complete set of tiles; gives the exit code.
fn every_tile(args: &Generate, colours: usize) -> anyhow::Result<u8> {
    let may_turn = !args.no_rotations;
    let set = rectangle_or(args, colours, may_turn)?;
    let set = set.and_then(|board| complete_set(board, colours, may_turn));
    let problem = match set {
        Ok(problem) => problem,
        Err(unmade) => return Ok(refused(&unmade)),
    };
    let board = problem.board.in_words();
    let tiles = problem.puzzle.tiles.len();
    let name = problem.puzzle.name.clone();
    let text = written(problem, &name, &flags(args))?;
    let mut output = Output::open(args, 1)?;
    output.add(&name, &text)?;
    output.finish(true)?;
    if !args.messages.quiet {
        say(&format!("{name}: {tiles} tiles on {board}"));
    }
    Ok(0)
}

/// The board that is asked for; else the rectangle nearest to a square that a complete set fills.
fn rectangle_or(
    args: &Generate,
    colours: usize,
    may_turn: bool,
) -> Result<Result<Board, GenerateError>, LoadError> {
    const SIDES: usize = 4;
    if board_in_words(args).is_some() {
        return board(args).map(Ok);
    }
    Ok(number_of_tiles(SIDES, colours, may_turn).map(|tiles| {
        let rows = (1..=tiles.isqrt()).rev().find(|rows| tiles.is_multiple_of(*rows)).unwrap_or(1);
        Board::grid(rows, tiles / rows)
    }))
}

/// Says why there is no puzzle; gives the exit code.
fn refused(unmade: &GenerateError) -> u8 {
    let advice = match unmade {
        GenerateError::Hopeless(_) => "; use --time-limit to try anyway",
        _ => "",
    };
    say(&format!("{unmade}{advice}"));
    code(unmade)
}

fn code(unmade: &GenerateError) -> u8 {
    match unmade {
        GenerateError::Impossible(_) => exit::NONE,
        GenerateError::Hopeless(_)
        | GenerateError::GivenUp { .. }
        | GenerateError::Stopped(RunStatus::Complete) => exit::STOPPED,
        GenerateError::Stopped(status) => exit::of_status(status, false),
    }
}

/// What the flags ask for; the inner error where there is no such puzzle.
fn generator(
    args: &Generate,
    limits: &Limits<'_>,
) -> anyhow::Result<Result<Generator, GenerateError>> {
    let mut wish = Wish {
        classes: args.classes.or(args.unique.then_some(Classes::ONE)),
        difficulty: args.difficulty,
        no_twins: args.no_twins,
    };
    let Some(file) = &args.from else {
        let recipe = Recipe {
            board: board(args)?,
            images: usize::from(args.images.unwrap_or(1)),
            has_halves: args.matching == MatchingArg::Half,
            frame: if args.framed {
                Some(usize::from(args.frame_images.unwrap_or(0)))
            } else {
                None
            },
            may_turn: !args.no_rotations,
            two_sided: args.two_sided,
        };
        return Ok(Generator::new(recipe, wish));
    };
    wish.classes.get_or_insert(Classes::ONE);
    let overrides = ReadOverrides { board: board_in_words(args), ..ReadOverrides::default() };
    let (file, options) = (file.clone(), overrides.options(|name| format!("--{name}"))?);
    let (problem, _) = patience::under(limits, "the puzzle was read", move || {
        load::read_with_bytes(&file, &options)
    })??;
    Ok(Deal::new(&problem).map(|deal| Generator::dealing(deal, wish)))
}

/// The board that is asked for, as one writes it.
fn board_in_words(args: &Generate) -> Option<String> {
    args.board.clone().or(args.size.map(Size::as_board))
}

fn board(args: &Generate) -> Result<Board, LoadError> {
    const USUAL: usize = 3;
    let flag = match args.size {
        Some(_) => "--size",
        None => "--board",
    };
    let written = board_in_words(args);
    written.map_or_else(|| Ok(Board::grid(USUAL, USUAL)), |words| load::read_board(&words, flag))
}

/// One run of the command.
struct Run<'a> {
    args: &'a Generate,
    generator: Generator,
    seed: u64,
    limits: Limits<'static>,
}

/// A puzzle with its seed, and how long it took.
type Outcome = (u64, Result<Made, GenerateError>, Duration);

/// Says how far it is, and takes what is made.
struct Tell<'a> {
    run: &'a Run<'a>,
    line: Line,
    output: &'a mut Output,
    books: &'a mut Books,
    interrupt: &'a AtomicBool,
}

impl Sink<Outcome> for Tell<'_> {
    fn found(&mut self, (seed, result, time): Outcome, _: u64) -> ControlFlow<()> {
        let run = self.run;
        let output = &mut *self.output;
        let books = &mut *self.books;
        let end = self.line.aside(|| run.take(seed, result, time, output, books));
        // The others need not come to their ends.
        self.interrupt.fetch_or(end.is_break(), Ordering::Relaxed);
        end
    }

    fn progress(&mut self, progress: Progress) -> ControlFlow<()> {
        let made = self.books.made.len();
        let count = self.run.args.count;
        self.line.show(|| format!("{made} of {count} puzzles, {} changes tried", progress.steps));
        ControlFlow::Continue(())
    }
}

impl Run<'_> {
    fn go(&self) -> anyhow::Result<u8> {
        let args = self.args;
        let interrupt = interrupt::flag();
        let seeds = (0..u64::from(args.count)).map(|number| self.seed.wrapping_add(number));
        let mut output = Output::open(args, args.count)?;
        let mut books = Books::default();
        let mut tell = Tell {
            run: self,
            line: Line::new(args.messages.quiet),
            output: &mut output,
            books: &mut books,
            interrupt: &interrupt,
        };
        let work = |worker: &mut QueueWorker<'_, u64, Outcome>| self.work(worker, &interrupt);
        const ROOM: usize = 64;
        let threads = self.args.threads.number().min(args.count as usize);
        let shared = run_jobs(threads, seeds, ROOM, work, &mut tell);
        let Tell { line, .. } = tell;
        line.finish();
        let _ = shared.map_err(|trouble| anyhow!("{trouble}"))?;
        if let Some(error) = books.failed {
            return Err(error);
        }
        output.finish(!books.made.is_empty())?;
        if !args.messages.quiet && args.count > 1 {
            say(&self.summary(&mut books.made));
        }
        Ok(books.code)
    }

    /// What a thread does.
    fn work(&self, worker: &mut QueueWorker<'_, u64, Outcome>, interrupt: &AtomicBool) {
        while let Some(seed) = worker.next_job() {
            let started = Instant::now();
            let limits = Limits {
                interrupt: Some(interrupt),
                // Several puzzles have a thread each.
                threads: if self.args.count == 1 { self.args.threads.number() } else { 1 },
                ..self.limits
            };
            let mut tell = |changes| {
                // Who wants no more says so by the interrupt.
                let _ = worker.progress(Progress::new(changes, 0.0));
            };
            let made = self.generator.make(seed, &limits, &mut tell);
            let changes = made.as_ref().map_or(0, |made| made.changes);
            if worker.found((seed, made, started.elapsed()), changes).is_break() {
                return;
            }
        }
    }

    /// Writes a puzzle, or says why there is none.
    fn take(
        &self,
        seed: u64,
        result: Result<Made, GenerateError>,
        time: Duration,
        output: &mut Output,
        books: &mut Books,
    ) -> ControlFlow<()> {
        let made = match result {
            Ok(made) => made,
            Err(unmade) => {
                say(&format!("seed {seed}: {unmade}"));
                books.code = books.code.max(code(&unmade));
                return match unmade {
                    GenerateError::Stopped(_) | GenerateError::Impossible(_) => {
                        ControlFlow::Break(())
                    }
                    _ => ControlFlow::Continue(()),
                };
            }
        };
        let facts = measured(&made.measured);
        let (name, text) = match self.text(seed, made, &facts) {
            Ok(written) => written,
            Err(error) => return books.fail(error),
        };
        if let Err(error) = output.add(&name, &text) {
            return books.fail(error);
        }
        books.made.push(time);
        if !self.args.messages.quiet && self.args.count == 1 {
            say(&format!("{name}: {facts} (seed {seed}, {})", seconds(time.as_secs_f64())));
        }
        ControlFlow::Continue(())
    }

    /// A puzzle's name and its text.
    fn text(&self, seed: u64, made: Made, facts: &str) -> anyhow::Result<(String, String)> {
        let name = self.name(&made.problem, seed);
        let mut flags = flags(self.args);
        flags.push(format!("--seed {seed}"));
        let text = written(made.problem, &name, &flags)?;
        Ok((name, format!("# {facts}\n{text}")))
    }

    /// What a puzzle is called.
    fn name(&self, problem: &Problem, seed: u64) -> String {
        let args = self.args;
        if args.from.is_some() {
            return format!("{}-dealt-s{seed}", problem.puzzle.name);
        }
        let board = match problem.board.rectangle() {
            Some((rows, columns)) => format!("{rows}x{columns}"),
            None => problem.board.description().replace([' ', '×'], "-"),
        };
        let board = board.split('-').filter(|word| !word.is_empty()).join("-");
        let sort = match () {
            () if args.framed => "framed-",
            () if args.two_sided => "two-sided-",
            () => "",
        };
        format!("{sort}{board}-{}-s{seed}", args.images.unwrap_or(1))
    }

    fn summary(&self, times: &mut [Duration]) -> String {
        let made = times.len();
        let count = self.args.count;
        let last = self.seed.wrapping_add(u64::from(count) - 1);
        times.sort_unstable();
        let median = times.get(times.len() / 2).map_or_else(String::new, |median| {
            format!(", the median in {}", seconds(median.as_secs_f64()))
        });
        format!("{made} of {count} puzzles, seeds {} to {last}{median}", self.seed)
    }
}

/// What became of the puzzles.
#[derive(Default)]
struct Books {
    /// How long each took that was written.
    made: Vec<Duration>,
    code: u8,
    failed: Option<anyhow::Error>,
}

impl Books {
    fn fail(&mut self, error: anyhow::Error) -> ControlFlow<()> {
        self.failed = Some(error);
        ControlFlow::Break(())
    }
}

/// Where puzzles go.
enum Output {
    /// As they come.
    Stdout { is_one: bool },
    /// All into one file, at the end.
    File { file: Draft, is_one: bool },
    /// A file each.
    Folder(OutputFolder),
}

impl Output {
    fn open(args: &Generate, count: u32) -> anyhow::Result<Output> {
        let is_one = count == 1;
        let path = args.output.as_deref().filter(|path| !is_stdout(path));
        let Some(path) = path else {
            return Ok(Output::Stdout { is_one });
        };
        let read = args.from.iter().map(|path| ("the puzzle", path.as_path()));
        let mut outputs = Outputs::new(args.force, read);
        let ends_in_slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if ends_in_slash || path.is_dir() {
            return Ok(Output::Folder(outputs.folder(path, |name| name.ends_with(".yaml"))?));
        }
        let other = Form::of_ending(path).is_some_and(|form| form.name != "yaml");
        if other || holds_lines(path) {
            bail!(
                "{}: puzzles are generated as YAML: end the name in .yaml, and let `edgematch \
                 convert` write other forms",
                path.display()
            );
        }
        let file = outputs.file(path)?.draft()?;
        Ok(Output::File { file, is_one })
    }

    fn add(&mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let document = |is_one: bool| {
            if is_one { text.to_owned() } else { format!("---\n{text}") }
        };
        match self {
            Output::Stdout { is_one } => Ok(print(document(*is_one))?),
            Output::File { file, is_one } => file.add(document(*is_one).as_bytes()),
            Output::Folder(folder) => folder.write(format!("{name}.yaml"), text.as_bytes()),
        }
    }

    /// What was made is kept; nothing leaves nothing.
    fn finish(self, has_any: bool) -> anyhow::Result<()> {
        match self {
            Output::File { file, .. } if has_any => file.finish(),
            _ => Ok(()),
        }
    }
}
