//! One table of arguments, from which the help is made.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use clap::{Parser, Subcommand};
use edgematch::engine::PartOf;
use edgematch::enumerate::{Known, Limits, MemoryLimit};
use edgematch::generate::{BANDS, Classes, Difficulty};
use edgematch::load::{self, FORMS, Form, LoadError, Reading, Told};
use edgematch::model::{self, FORMULATIONS};
use edgematch::problem::Problem;
use edgematch::scheduler;
use edgematch::{REVISION, VERSION};
use edgematch_batch::catalogue;
use edgematch_draw::{LARGEST_SIDE, PAPERS, Paper};
use edgematch_report::FORMATS;
use itertools::Itertools;

use super::engine::{EngineArgs, engines_to_compare, threads_of_engines};
use super::machine;

/// Find every solution of an edge-matching puzzle, and prove that there are no more.
#[derive(Debug, Parser)]
#[command(
    name = "edgematch",
    version,
    long_version = LONG_VERSION.as_str(),
    before_help = "\
Examples:
  edgematch solve puzzles/scramble-1.yaml       every solution, with proof
  edgematch solve -o out puzzles/scramble-1.yaml  the same, with pictures in the folder out
  edgematch show puzzles/scramble-1.yaml        the tiles as they lie in the file
  edgematch info puzzles/scramble-1.yaml        what the puzzle and its models look like
  edgematch estimate puzzles/scramble-1.yaml    how long it would take
  edgematch generate --images 4 --unique        a new one with one solution
  edgematch play puzzles                        play in the browser
  edgematch check puzzles/scramble-1.yaml -     does the arrangement on standard input fit?
  edgematch batch puzzles --results runs.sqlite  every puzzle of a folder",
    after_help = EXIT_CODES
)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

static LONG_VERSION: LazyLock<String> =
    LazyLock::new(|| format!("{VERSION} (revision {REVISION})"));

const EXIT_CODES: &str = "\
Exit codes:
  0    complete, or the asked number of solutions found; check: it fits
  1    complete: there is none; check: it does not fit
  2    bad usage, bad puzzle, bad file, output that cannot be written
  3    stopped early by a limit of time, memory or number: there may be more
  4    engines disagree, or a solver failed
  130  interrupted, by Ctrl-C, SIGTERM or SIGHUP: what was found is printed";

#[derive(Debug, Subcommand)]
pub enum Command {
    Solve(Solve),
    Info(Info),
    Estimate(Estimate),
    Count(Count),
    Hint(Hint),
    Why(Why),
    Check(Check),
    Verify(Verify),
    Show(Show),
    Convert(Convert),
    Generate(Generate),
    Sheet(Sheet),
    Play(Play),
    Page(Page),
    Compare(Compare),
    Batch(Batch),
    #[command(hide = true)]
    BatchWorker(BatchWorker),
    Results(Results),
    Export(Export),
    Merge(Merge),
    Schema(Schema),
    Completions(Completions),
    Man(Man),
}

/// Where the puzzle is
#[derive(Debug, Clone, clap::Args)]
pub struct PuzzleFile {
    /// The puzzle: a file in YAML or another program's form, a code or a viewer's link, a folder with
    /// input/tile_dict.yaml, or - for standard input
    pub file: PathBuf,

    #[command(flatten)]
    pub extra: Extra,
}

impl PuzzleFile {
    /// What is read, and from where.
    pub fn read(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let constraints = self.extra.constraints.iter();
        let constraints = constraints.map(|path| ("the constraints", path.as_path()));
        std::iter::once(("the puzzle", self.file.as_path())).chain(constraints)
    }

    /// The puzzle with all its constraints.
    pub fn load(&self) -> Result<Problem, LoadError> {
        Ok(self.load_with_text()?.0)
    }

    /// The same with the text of the puzzle.
    pub fn load_with_text(&self) -> Result<(Problem, Vec<u8>), LoadError> {
        refuse_two_readers(self.read())?;
        let (problem, text) = self.extra.load_but_pins(&self.file)?;
        Ok((self.extra.pinned(problem)?, text))
    }
}

/// Standard input holds one thing.
pub fn refuse_two_readers<'a>(
    read: impl Iterator<Item = (&'static str, &'a Path)>,
) -> Result<(), LoadError> {
    let from_stdin = read.filter(|(_, path)| *path == Path::new("-"));
    let from_stdin: Vec<&str> = from_stdin.map(|(what, _)| what).collect();
    match from_stdin[..] {
        [first, second, ..] => Err(LoadError::whole_file(
            "-",
            format!("{first} and {second} can't both come from standard input"),
        )),
        _ => Ok(()),
    }
}

/// How the puzzle's file is to be read
#[derive(Debug, Clone, clap::Args)]
pub struct ToldArgs {
    /// Lay the tiles on this board, not on the puzzle's own: cube, '{grid: [2, 4], wrap: both}'
    #[arg(long, value_name = "BOARD", conflicts_with = "size")]
    pub board: Option<String>,

    /// Lay the tiles on so many rows and columns, where the file does not tell or tells others: 2x5
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = rows_and_columns)]
    pub size: Option<Size>,

    /// The file lists edges in this order, where it does not tell or tells another: clockwise-from-top,
    /// counterclockwise-from-right, …
    #[arg(long, value_name = "ORDER")]
    pub edge_order: Option<String>,

    /// The form of the file; otherwise its ending or its text tells
    #[arg(long, value_name = "FORM", value_parser = PossibleValuesParser::new(FORMS.iter().map(|form| form.name)))]
    pub from: Option<String>,
}

/// A number of rows and one of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

impl Size {
    /// The board as one writes it.
    pub fn as_board(self) -> String {
        format!("{{grid: [{}, {}]}}", self.rows, self.columns)
    }
}

/// Reads `2x5`.
fn rows_and_columns(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=1000).contains(side));
    let (rows, columns) = text.split_once(['x', 'X', '×']).unwrap_or_default();
    match (side(rows), side(columns)) {
        (Some(rows), Some(columns)) => Ok(Size { rows, columns }),
        _ => Err("expected rows and columns from 1 to 1000, such as 2x5".into()),
    }
}

impl ToldArgs {
    /// In words.
    pub fn told(&self) -> Told {
        Told {
            from: self.from.clone(),
            edge_order: self.edge_order.clone(),
            board: self.board.clone().or_else(|| self.size.map(Size::as_board)),
        }
    }

    /// What the words mean.
    pub fn reading(&self) -> Result<Reading, LoadError> {
        self.told().reading_of_flags()
    }
}

/// What is asked beside what the puzzle says
#[derive(Debug, Clone, clap::Args)]
pub struct Extra {
    #[command(flatten)]
    pub told: ToldArgs,

    /// Also obey the constraints of this file: `constraints: [{pin: {cell: [1, 1], tile: 5}}, …]`
    #[arg(long, value_name = "FILE")]
    pub constraints: Vec<PathBuf>,

    /// Only what has this tile, so turned, in this cell; parts may be left out: 1,1=5  1,1@0  =5@0;
    /// cells may have names, tiles backs: front=5@0/back
    #[arg(long, value_name = "CELL=TILE@ROTATION")]
    pub pin: Vec<String>,

    /// Only what has not; also corners=5, =5@2, @1
    #[arg(long, value_name = "CELL=TILE@ROTATION")]
    pub forbid: Vec<String>,
}

impl Extra {
    /// The puzzle in a file, with all that is asked beside.
    pub fn load(&self, file: &Path) -> Result<Problem, LoadError> {
        self.pinned(self.load_but_pins(file)?.0)
    }

    /// Refuses what asks for more than the puzzle does, as nothing is there to ask it of.
    pub fn refuse_any(&self, instead: &str) -> anyhow::Result<()> {
        let told = &self.told;
        let given = [
            ("--board", told.board.is_some()),
            ("--size", told.size.is_some()),
            ("--edge-order", told.edge_order.is_some()),
            ("--from", told.from.is_some()),
            ("--constraints", !self.constraints.is_empty()),
            ("--pin", !self.pin.is_empty()),
            ("--forbid", !self.forbid.is_empty()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((flag, _)) => anyhow::bail!("{flag} goes with one puzzle, not {instead}"),
            None => Ok(()),
        }
    }

    /// The problem with the pins.
    fn pinned(&self, problem: Problem) -> Result<Problem, LoadError> {
        load::with_short_constraints(problem, "pin", &self.pin, "--pin")
    }

    /// How the puzzle's file is to be read, in words.
    pub fn told(&self) -> Told {
        self.told.told()
    }

    /// How the puzzle's file is to be read.
    pub fn reading(&self) -> Result<Reading, LoadError> {
        self.told.reading()
    }

    /// The problem with the constraints that are given in a word.
    pub fn add_words_to(&self, problem: Problem) -> Result<Problem, LoadError> {
        let problem = load::with_short_constraints(problem, "forbid", &self.forbid, "--forbid")?;
        self.pinned(problem)
    }

    /// The same without the pins, and the text of the puzzle.
    pub fn load_but_pins(&self, file: &Path) -> Result<(Problem, Vec<u8>), LoadError> {
        let (problem, text) = load::read_with_bytes(file, &self.reading()?)?;
        let mut files = self.constraints.iter();
        let problem = files.try_fold(problem, |problem, file| {
            load::add_constraints(problem, file)
        })?;
        let problem = load::with_short_constraints(problem, "forbid", &self.forbid, "--forbid")?;
        Ok((problem, text))
    }
}

/// How an answer is given
#[derive(Debug, clap::Args)]
pub struct Answer {
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub format: String,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// How long and with what to search
#[derive(Debug, clap::Args)]
pub struct Search {
    /// Stop after this time: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    /// Stop a run that has more memory: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub memory_limit: Option<u64>,

    // Which engines use threads.
    #[arg(
        help = threads_of_engines(),
        short = 'j',
        long,
        value_name = "N",
        allow_hyphen_values = true,
        value_parser = clap::value_parser!(u16).range(1..),
    )]
    pub threads: Option<u16>,
}

impl Search {
    /// The limits of a run that this flag can interrupt.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits {
            distinct: 0,
            nodes: None,
            time: self.time_limit,
            interrupt: Some(interrupt),
            memory: MemoryLimit::measured_by(machine::memory, self.memory_limit, address_space()),
            threads: threads_of(self.threads),
        }
    }
}

/// The address space that the system grants this process, where it does not grant all there is.
#[cfg(unix)]
pub fn address_space() -> Option<u64> {
    let (soft, _) = rlimit::Resource::AS.get().ok()?;
    (soft != rlimit::INFINITY).then_some(soft)
}

/// No limit is known here.
#[cfg(not(unix))]
pub fn address_space() -> Option<u64> {
    None
}

/// So many threads, or one a core. More would only take turns, and keep those who listen waiting.
pub fn threads_of(wanted: Option<u16>) -> usize {
    wanted
        .map_or(usize::MAX, usize::from)
        .min(scheduler::available())
}

/// Say how many solutions there are, or still are with some tiles pinned
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch count puzzles/absolut-knifflig.yaml
  edgematch count puzzles/absolut-knifflig.yaml --pin 2,2=4 --pin 1,1=5@0",
    after_help = EXIT_CODES
)]
pub struct Count {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,
}

/// Name one placement that keeps a solution, or a pin to take back
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch hint puzzles/scramble-1.yaml
  edgematch hint puzzles/scramble-1.yaml --pin 2,2=5@3 --pin 1,1=1",
    after_help = EXIT_CODES
)]
pub struct Hint {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,
}

/// Say why there is no solution: counts that decide, or a smallest set of constraints, seams and tiles
/// that is already impossible
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch why puzzles/sharks-misread.yaml
  edgematch why puzzles/sharks-misread.yaml --nearest      which edge may be mistyped
  edgematch why puzzles/sharks-misread.yaml -o why.svg     marked on the drawing",
    after_help = "\
Exit codes:
  0    there is no solution, and this is why
  1    there is a solution, so that there is nothing to explain; --nearest: there is no such edge
  2    bad usage, bad puzzle, bad file, output that cannot be written
  3    stopped early by a limit
  4    a solver failed
  130  interrupted"
)]
pub struct Why {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// Name the edges that would give a solution if they showed the other half of their image, or, of
    /// an image without halves, another image
    #[arg(long)]
    pub nearest: bool,

    /// Find a smallest set too where counts decide
    #[arg(long, conflicts_with = "nearest")]
    pub set: bool,

    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,

    /// Draw the arrangement with the most seams that fit, with the set marked, into an .svg or a .png
    /// file, or as SVG to standard output for -
    #[arg(short, long, value_name = "FILE", conflicts_with = "nearest")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub look: Look,
}

/// Print every distinct arrangement once, and prove that there are no more
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch solve puzzles/scramble-1.yaml             all of them
  edgematch solve -n 1 puzzles/absolut-knifflig.yaml  the first one found
  edgematch solve --expand puzzles/scramble-1.yaml    tiles told apart, every turn of the board
  edgematch solve --best puzzles/sharks-misread.yaml  as many seams that fit as possible
  edgematch solve -o out puzzles/scramble-1.yaml      pictures of all of them in the folder out
  edgematch solve --format jsonl - < puzzle.yaml      one JSON object a line, as they are found
  edgematch solve --part 3/200 --format jsonl hard.yaml > part-3.jsonl     a part, see merge",
    after_help = EXIT_CODES,
    group = clap::ArgGroup::new("written").args(["output", "certificate"]).multiple(true)
)]
pub struct Solve {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// Stop after printing N solutions; 0 for all [default: 0, but 1 of the best]
    #[arg(short = 'n', long = "solutions", value_name = "N")]
    pub solutions: Option<u64>,

    /// Print the arrangement with the most seams that fit, and prove that none has more; all other rules
    /// hold. -n 0 prints all of the best
    #[arg(long, group = "aim")]
    pub best: bool,

    /// Print the solution whose Σ weight · number of placements is largest:
    /// `[{weight: 2, cells: corners, tile: 5}, …]`, or a file with such a list
    #[arg(long, value_name = "TERMS", group = "aim", value_parser = NonEmptyStringValueParser::new())]
    pub maximize: Option<String>,

    /// The same, but the smallest
    #[arg(long, value_name = "TERMS", group = "aim", value_parser = NonEmptyStringValueParser::new())]
    pub minimize: Option<String>,

    /// Print every solution: tiles told apart, every orientation, every turn of the board
    #[arg(long)]
    pub expand: bool,

    /// Print in canonical order, after all are found, so that two runs can be compared
    #[arg(long)]
    pub sorted: bool,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Search one of N parts of the puzzle, so that N machines that never talk to one another search all
    /// of it: --part 1/200 … --part 200/200, each with --format jsonl; `merge` puts them together
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub part: Option<PartOf>,

    #[command(flatten)]
    pub search: Search,

    /// Print sizes of puzzle, tables and model, and each round's time, after the solutions
    #[arg(short, long)]
    pub statistics: bool,

    /// How to print
    #[arg(
        long,
        value_name = "FORMAT",
        default_value = FORMATS[0].name,
        value_parser = PossibleValuesParser::new(FORMATS.iter().map(|f| f.name)),
    )]
    pub format: String,

    /// Write unsolved.png, then 1.txt, 1.svg, 1.png, 2.txt, … into this folder, or one SVG to
    /// standard output for -
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Write a certificate into this folder: a formula and a proof from which other programs can see
    /// that nothing is missing, see `verify`. Engine propagate on one thread; a run that stops early
    /// leaves none
    #[arg(long, value_name = "FOLDER", conflicts_with = "aim")]
    pub certificate: Option<PathBuf>,

    /// With -o and --certificate: write into a folder that is not empty; pictures and the certificate
    /// of an earlier run are replaced
    #[arg(long, requires = "written")]
    pub force: bool,

    /// Print a picture of characters with each solution
    #[arg(long)]
    pub draw: bool,

    #[command(flatten)]
    pub look: Look,

    #[command(flatten)]
    pub talk: Talk,
}

impl Solve {
    /// How many to print; 0 for all.
    pub fn wanted(&self) -> u64 {
        self.solutions.unwrap_or(u64::from(self.seeks_best()))
    }

    /// Whether the best is sought, not all.
    pub fn seeks_best(&self) -> bool {
        self.best || self.maximize.is_some() || self.minimize.is_some()
    }
}

/// How pictures look
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Look {
    /// Width of a tile in PNG pictures, in pixels from 8 to 4000 [default: 160]
    #[arg(long, value_name = "N", requires = "output", allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(8..=4000))]
    pixels: Option<u32>,

    /// Names of tiles in pictures
    #[arg(long, value_name = "HOW", requires = "output", value_enum, default_value_t = NamesArg::Turned)]
    pub names: NamesArg,
}

impl Look {
    /// Width of a tile in pixels.
    pub fn pixels(&self) -> u32 {
        const USUAL: u32 = 160;
        self.pixels.unwrap_or(USUAL)
    }

    /// Whether a width in pixels was asked for, which only PNG has.
    pub fn asks_for_pixels(&self) -> bool {
        self.pixels.is_some()
    }
}

/// Where the names of tiles are written
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum NamesArg {
    /// Turned with the tile
    Turned,
    /// Always upright
    Upright,
    /// Not at all
    Hidden,
}

/// How much is said on standard error
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct Talk {
    /// Say nothing on standard error but errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Say on standard error what is being done
    #[arg(short, long)]
    pub verbose: bool,
}

/// Say what a puzzle, its tables and its models look like, without solving it
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch info puzzles/scramble-1.yaml
  edgematch info --tables puzzles/scramble-1.yaml    every allowed tuple, by block",
    after_help = EXIT_CODES
)]
pub struct Info {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// List the compatibility tables as blocks and as tuples
    #[arg(long)]
    pub tables: bool,

    /// Stop after this time: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    #[command(flatten)]
    pub answer: Answer,
}

/// Say how long each engine would take, and which one auto takes, without solving
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch estimate puzzles/framed-7x7-em-7-4-8.yaml
  edgematch estimate --probes 10000 --seed 2 puzzles/framed-7x7-em-7-4-8.yaml
  edgematch estimate --parts 1000 puzzles/framed-7x7-em-7-4-8.yaml    on a thousand cores",
    after_help = EXIT_CODES
)]
pub struct Estimate {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// Random ways down each tree
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub probes: u32,

    /// Another seed gives other ways
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// Say too what to expect of `solve --part 1/N` … `--part N/N`: what the cutting costs, how long the
    /// mean part and the longest one take
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(PartOf::MOST)))]
    pub parts: Option<u32>,

    #[command(flatten)]
    pub answer: Answer,
}

/// Check arrangements, as text or JSON, against every rule of a puzzle
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch check puzzles/scramble-1.yaml solution.txt
  edgematch solve --format json puzzle.yaml | edgematch check puzzle.yaml -",
    after_help = EXIT_CODES
)]
pub struct Check {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// One or more arrangements as `solve` prints them, text, JSON or links, or - for standard input; a
    /// puzzle that is a viewer's link shows its own
    pub solution: Option<PathBuf>,

    /// Print nothing; the exit code tells
    #[arg(short, long)]
    pub quiet: bool,
}

/// Check a certificate that `solve --certificate` wrote: that what it lists is all there is
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch solve --certificate proof puzzles/scramble-1.yaml
  edgematch verify proof                                 with the puzzle that lies in the folder
  edgematch verify proof puzzles/scramble-1.yaml         and is it this one?
  edgematch verify --checker drat-trim proof             ask another program, too",
    after_help = "\
Exit codes:
  0    verified: what the certificate lists is all there is
  1    refused, with the reason
  2    bad usage, a file that is missing or cannot be read, a program that cannot be run"
)]
pub struct Verify {
    /// The folder of the certificate
    pub folder: PathBuf,

    /// The puzzle that it should be of: the file must be the same, byte by byte
    pub file: Option<PathBuf>,

    /// Also run `PROGRAM puzzle.cnf proof.drat`; it must end with exit code 0, and where it prints a
    /// line `s …`, that must be `s VERIFIED`
    #[arg(long, value_name = "PROGRAM")]
    pub checker: Option<PathBuf>,

    #[command(flatten)]
    pub answer: Answer,
}

/// Draw the tiles as they lie in the file, or an arrangement with what does not fit marked
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch show puzzles/scramble-1.yaml                     on the terminal
  edgematch show puzzles/scramble-1.yaml -o tiles.png        as a picture, SVG or PNG
  edgematch show puzzles/scramble-1.yaml found.txt -o -      an arrangement, SVG on standard output")]
pub struct Show {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// An arrangement as `solve` prints it, text, JSON or a link, or - for standard input; the first one
    /// in the file is drawn. A puzzle that is a viewer's link shows its own
    pub solution: Option<PathBuf>,

    /// Write an .svg or a .png file, or SVG to standard output for -; without it a picture of
    /// characters is printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub look: Look,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Write a puzzle in another form: our own YAML, or what other programs read
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch convert bought.xml -o bought.yaml                the catalogue's XML as our own YAML
  edgematch convert puzzles/scramble-1.yaml --to code        a code for a message
  edgematch convert cards.json --edge-order clockwise-from-left
  edgematch convert tiles.txt --size 4x6 -o tiles.csv
  edgematch convert puzzle.yaml --to link --arrangement found.txt    a board for the viewer")]
pub struct Convert {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    #[arg(short, long, value_name = "FILE", help = endings_help())]
    pub output: Option<PathBuf>,

    /// The form to write [default: what the ending of the file tells, yaml on standard output]
    #[arg(long, value_name = "FORM", value_parser = PossibleValuesParser::new(written_forms().map(|form| form.name)))]
    pub to: Option<String>,

    /// The arrangement that a link shows, as `solve` prints it, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub arrangement: Option<PathBuf>,

    /// Write even where a rule is lost, so that the new file has other solutions
    #[arg(long)]
    pub lossy: bool,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Make new puzzles, as YAML: with one solution, as hard as asked for
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch generate --size 3x3 --images 4 --unique               another one each time
  edgematch generate --size 5x5 --images 8 --seed 7 -o new.yaml   this one each time
  edgematch generate --images 4 --unique --difficulty easy
  edgematch generate --size 6x6 --images 9 --framed --matching equal --count 100 -o folder/
  edgematch generate --board cube --images 4 --unique
  edgematch generate --from puzzles/absolut-knifflig.yaml         its edges, dealt anew",
    after_help = "\
Exit codes:
  0    all puzzles are made
  1    there is no such puzzle, proven
  2    bad usage, bad file, output that cannot be written
  3    hopeless, given up, or stopped by the time limit: there may be such a puzzle
  4    a solver failed
  130  interrupted",
    group = clap::ArgGroup::new("kind").args(["framed", "plain", "two_sided"])
)]
pub struct Generate {
    /// So many rows and columns of squares [default: 3x3]
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = rows_and_columns, conflicts_with = "board")]
    pub size: Option<Size>,

    /// Another board: cube, '{grid: [2, 4], wrap: both}'
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,

    /// So many images
    #[arg(long, value_name = "N", required_unless_present = "from", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub images: Option<u16>,

    /// Deal the edges of this puzzle to its tiles anew, in place of making new ones; with one solution
    /// unless --classes asks for others
    #[arg(long, value_name = "FILE", conflicts_with_all = ["images", "matching", "kind", "frame_images", "no_rotations"])]
    pub from: Option<PathBuf>,

    /// Whether images have two halves that match, or each matches itself
    #[arg(long, value_name = "HOW", value_enum, default_value_t = MatchingArg::Half)]
    pub matching: MatchingArg,

    /// With a border on the whole rim and nowhere else, as Eternity II
    #[arg(long)]
    pub framed: bool,

    /// With so many images more, which lie between tiles of the frame and nowhere else
    #[arg(long, value_name = "N", requires = "framed", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub frame_images: Option<u16>,

    /// Without frame and backs; so it is unless something else is asked for
    #[arg(long)]
    pub plain: bool,

    /// Tiles have backs, with other edges
    #[arg(long)]
    pub two_sided: bool,

    /// Tiles may not be turned, as in TetraVex
    #[arg(long)]
    pub no_rotations: bool,

    /// With one solution, up to moving the board, proven
    #[arg(long, conflicts_with = "classes")]
    pub unique: bool,

    /// With so many, counted: 2, 2..5, 10.., ..3; 0 for none
    #[arg(long, value_name = "A..B", value_parser = classes)]
    pub classes: Option<Classes>,

    /// So hard: easy, medium, hard, or tries per distinct solution, 20000..30000. Nine tiles that are
    /// sold are easy, medium and hard in equal numbers; a larger board is hard as a rule
    #[arg(long, value_name = "HOW", value_parser = difficulty)]
    pub difficulty: Option<Difficulty>,

    /// No two tiles are alike
    #[arg(long)]
    pub no_twins: bool,

    /// So many puzzles, with seeds N, N + 1, …
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,

    /// The same seed makes the same puzzle, with this version of the program [default: a random one,
    /// which is printed]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub seed: Option<u64>,

    /// Stop after this time: 500ms, 30s, 2m; a bare number is seconds. Then also what seems hopeless is
    /// tried
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    /// Make so many puzzles at once, or one with so many threads [default: one a core]. What is made does
    /// not depend on it
    #[arg(short = 'j', long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Write into this file, or a file each into this folder where the name ends in / or is a folder's
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// How edges match
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum MatchingArg {
    /// A half fits the other half of its image
    Half,
    /// An image fits itself
    Equal,
}

/// Write pages to print: the tiles, shuffled, to be cut out, and a solution on the last page
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch sheet puzzles/scramble-1.yaml -o sheet.pdf
  edgematch sheet puzzles/scramble-1.yaml -o sheet.pdf --paper letter --size-mm 60
  edgematch sheet puzzles/boards/cube-4.yaml -o cube.pdf         with a net to cut and fold
  edgematch generate --images 4 --unique | edgematch sheet - -o new.pdf",
    after_help = "\
Exit codes:
  0    written, with a solution unless --no-solution
  1    written without a solution: there is none, proven
  2    bad usage, bad puzzle, bad file, output that cannot be written
  3    written without a solution: none was found in time
  4    a solver failed
  130  interrupted"
)]
pub struct Sheet {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// Write all pages into a .pdf file, or each into an .svg file of its own, numbered
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// The paper
    #[arg(long, value_name = "NAME", default_value = PAPERS[0].name, value_parser = PossibleValuesParser::new(PAPERS.map(|paper| paper.name)))]
    pub paper: String,

    /// The side of a tile in millimetres
    #[arg(long, value_name = "MM", default_value_t = 50.0, allow_hyphen_values = true, value_parser = millimetres)]
    pub size_mm: f64,

    /// Another seed shuffles and turns the tiles in another way
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub seed: u64,

    /// Names of tiles
    #[arg(long, value_name = "HOW", value_enum, default_value_t = NamesArg::Turned)]
    pub names: NamesArg,

    /// Without a solution
    #[arg(long)]
    pub no_solution: bool,

    /// Search for solutions so long at most: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, default_value = "10s", conflicts_with = "no_solution")]
    pub time_limit: Duration,

    /// Search with N threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..), conflicts_with = "no_solution")]
    pub threads: Option<u16>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Serve a page to play on in the browser: by hand, with hints, or by the computer; with random puzzles
/// and your own cards
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch play                                  make puzzles on the page
  edgematch play puzzles/scramble-1.yaml          this one
  edgematch play puzzles                          those of a folder
  edgematch play --port 0 puzzles                 at a port that is free",
    after_help = "\
Exit codes:
  0    ended by Ctrl-C
  2    bad usage, bad puzzle, bad file, an address that can't be had"
)]
pub struct Play {
    /// A puzzle as `solve` reads it, or a folder of such files
    #[arg(value_name = "FILE | FOLDER")]
    pub puzzle: Option<PathBuf>,

    #[command(flatten)]
    pub extra: Extra,

    /// Listen at this port; 0 for any that is free
    #[arg(
        long,
        value_name = "N",
        default_value_t = 7373,
        allow_hyphen_values = true
    )]
    pub port: u16,

    /// Listen at this address, 0.0.0.0 for all of this machine's: then others can play, too
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,

    /// Search so long at most for one answer: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, default_value = "60s")]
    pub time_limit: Duration,

    /// Search with N threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Write one file to play a puzzle in the browser without a server, its solutions inside
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch page puzzles/scramble-1.yaml -o play.html
  edgematch generate --size 4x4 --images 6 --unique | edgematch page - -o new.html",
    after_help = "\
Exit codes:
  0    written, with all solutions, or as many as asked for
  1    written: there is no solution, proven
  2    bad usage, bad puzzle, bad file, output that cannot be written
  3    written, with the solutions found in time: there may be more
  4    a solver failed: nothing is written
  130  interrupted: written with the solutions found until then"
)]
pub struct Page {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    /// The .html file, or - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,

    /// Put N different solutions inside at most; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10_000)]
    pub solutions: u64,

    /// Search for solutions so long at most: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true, default_value = "60s")]
    pub time_limit: Duration,

    /// Search with N threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

impl Page {
    /// The limits of the search that this flag can interrupt.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits {
            distinct: self.solutions,
            time: Some(self.time_limit),
            interrupt: Some(interrupt),
            threads: threads_of(self.threads),
            ..Limits::default()
        }
    }
}

impl Sheet {
    /// The paper of this name.
    pub fn paper(&self) -> Paper {
        let named = PAPERS.into_iter().find(|paper| paper.name == self.paper);
        named.unwrap_or(PAPERS[0])
    }

    /// The limits of the search that this flag can interrupt.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits {
            time: Some(self.time_limit),
            interrupt: Some(interrupt),
            threads: threads_of(self.threads),
            ..Limits::default()
        }
    }
}

/// Run the engines side by side: what each finds, what it takes, and whether they agree
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch compare puzzles/scramble-1.yaml
  edgematch compare puzzles/scramble-1.yaml --engines milp-balance,propagate --runs 20
  edgematch compare puzzles/scramble-1.yaml --plot times.svg
  edgematch compare --levels puzzles/python-backtracker-mockup.yaml
  edgematch compare puzzles --time-limit 1s --export-csv all.csv",
    after_help = EXIT_CODES
)]
pub struct Compare {
    /// Puzzles, or folders of them
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub extra: Extra,

    // Which engines there are.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help = engines_to_compare())]
    pub engines: Vec<String>,

    /// Measured runs of each engine, in turn, after one that warms up [default: 5 on one file, 1 on
    /// several]
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,

    /// Stop each run after this time: 500ms, 30s, 2m; a bare number is seconds [default: none on one
    /// file, 5s on several]
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    /// Only the calls per level of the scanning backtrackers, beside the nodes possible there
    #[arg(long)]
    pub levels: bool,

    /// Write everything as JSON; exports are written after each puzzle
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,

    /// Write a line for each puzzle and engine
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,

    /// Write the table as Markdown
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,

    /// Draw times and calls per level into an .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Run folders of puzzles on all cores, keep what comes out, and go on where it stopped
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch batch puzzles --results runs.sqlite
  edgematch batch puzzles more/*.yaml --jobs 8 --time-limit 30s --results runs.sqlite
  edgematch batch puzzles --engines propagate,milp-balance --keep-solutions --results runs.sqlite
  find . -name '*.yaml' | edgematch batch --list - --results runs.sqlite
  edgematch batch many.jsonl --results runs.sqlite          a puzzle a line",
    after_help = "\
Exit codes:
  0    every puzzle is complete, or has as many solutions as asked for
  2    bad usage, or some puzzle or file is bad, or the results can't be written
  3    some run was stopped by a limit
  4    some run failed
  130  interrupted: run it again to go on
The worst of them counts: 4, then 2, then 3."
)]
pub struct Batch {
    /// Puzzles: YAML files of one or more, JSON files with one a line, folders with all below them, or
    /// - for standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub files: Vec<PathBuf>,

    /// Also those that this file names, one a line, or - for standard input
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// Keep results in this SQLite file; what is finished there is not done again
    #[arg(long, value_name = "FILE")]
    pub results: PathBuf,

    /// Engines: auto, or those of `compare`, by the beginning of their names: milp-balance, propagate,
    /// backtrack, scan-rows, …
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        default_value = "auto"
    )]
    pub engines: Vec<String>,

    /// Stop each run after N distinct arrangements; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 0)]
    pub solutions: u64,

    /// Stop each run after this time: 500ms, 30s, 2m; a bare number is seconds
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    /// Stop a run that needs more memory: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true, default_value = "2G")]
    pub memory_limit: u64,

    /// Run so many puzzles at once, each in a process of its own on one thread [default: one a core]
    #[arg(short, long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,

    /// Keep the solutions, not only their number
    #[arg(long)]
    pub keep_solutions: bool,

    /// Run one of N parts of the puzzles, so that N machines that never talk to one another run all of
    /// them; each needs results of its own
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub part: Option<PartOf>,

    /// Run again what failed or was stopped by a limit, with the same engines and options
    #[arg(long)]
    pub retry: bool,

    #[command(flatten)]
    pub extra: Extra,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Does what a batch orders on standard input
#[derive(Debug, clap::Args)]
pub struct BatchWorker {
    /// Bytes of memory
    #[arg(long)]
    pub memory_limit: u64,
}

/// Show what batches have written, as a table, as data, or as pages for a browser
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch results runs.sqlite                               a table
  edgematch results runs.sqlite --status ERROR,UNKNOWN        what went wrong
  edgematch results one.sqlite two.sqlite --format csv        of two machines, for a spreadsheet
  edgematch results runs.sqlite --html catalogue              then open catalogue/index.html",
    after_help = "\
Exit codes:
  0    shown
  2    bad usage, bad file, output that cannot be written
  4    complete runs disagree, or a solution in the file does not fit its puzzle"
)]
pub struct Results {
    /// Files of results; a run that is in several of them is shown once
    #[arg(required = true)]
    pub files: Vec<PathBuf>,

    /// How to print [default: table]
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = PossibleValuesParser::new(catalogue::FORMATS.iter().map(|f| f.name)),
    )]
    pub format: Option<String>,

    /// Write pages with all kept solutions drawn into this folder; index.html is the first of them
    #[arg(long, value_name = "FOLDER", conflicts_with = "format")]
    pub html: Option<PathBuf>,

    /// With --html: write into a folder that is not empty; an earlier catalogue in it is replaced
    #[arg(long, requires = "html")]
    pub force: bool,

    /// Only runs of engines whose names, as `batch` was told them, begin so; several with commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub engine: Vec<String>,

    /// Only runs that ended so
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        ignore_case = true,
        value_parser = PossibleValuesParser::new(catalogue::STATUSES.map(Known::name)),
    )]
    pub status: Vec<String>,

    /// Also runs of earlier versions of the program, and of earlier contents of the files
    #[arg(long)]
    pub all: bool,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Write the 0-1 model for another program
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch export puzzles/scramble-1.yaml --to lp -o scramble-1.lp    for HiGHS, CPLEX, Gurobi, SCIP
  edgematch export puzzles/scramble-1.yaml --to mzn | minizinc -       solved by MiniZinc
  edgematch export puzzles/scramble-1.yaml --to cnf --formulation support -o scramble-1.cnf
  edgematch solve puzzle.yaml | edgematch export puzzle.yaml --to mps --with-cuts -  infeasible")]
pub struct Export {
    #[command(flatten)]
    pub puzzle: PuzzleFile,

    #[arg(
        long,
        value_name = "FORMAT",
        help = formats_help(),
        value_parser = PossibleValuesParser::new(model::export::FORMATS.iter().map(|f| f.name)),
    )]
    pub to: String,

    /// How the model states that edges match
    #[arg(
        long,
        value_name = "NAME",
        default_value = FORMULATIONS[0].name(),
        value_parser = PossibleValuesParser::new(FORMULATIONS.iter().map(|f| f.name())),
    )]
    pub formulation: String,

    /// Leave one of each solution and its turns
    #[arg(long)]
    pub break_symmetry: bool,

    /// Cut these solutions and all their turns off: arrangements as `solve` prints them, text or
    /// JSON, or - for standard input
    #[arg(long, value_name = "SOLUTIONS")]
    pub with_cuts: Option<PathBuf>,

    /// Write into this file, whole or not at all, instead of to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Put the parts of a search together: are all there and complete, and what did they find?
#[derive(Debug, clap::Args)]
#[command(
    before_help = "\
Examples:
  edgematch solve --part 1/2 --format jsonl puzzles/scramble-1.yaml > part-1.jsonl
  edgematch solve --part 2/2 --format jsonl puzzles/scramble-1.yaml > part-2.jsonl
  edgematch merge part-*.jsonl                         the totals, or what is missing
  edgematch merge --format jsonl part-*.jsonl          all solutions too, numbered anew",
    after_help = "\
Exit codes:
  0    every part is there and complete
  1    every part is there and complete, and there is no solution
  2    bad usage, a file that can't be read or is no part, parts of different puzzles
  3    a part is missing or was stopped early
  4    parts contradict one another: a solution stands in two of them"
)]
pub struct Merge {
    /// What `solve --part K/N --format jsonl` wrote; the names and the order do not matter
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json", "jsonl"])]
    pub format: String,

    /// Say nothing on standard error but errors
    #[arg(short, long)]
    pub quiet: bool,
}

/// Print a JSON Schema of our own YAML, with which an editor completes keys and marks mistakes
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch schema > edgematch.schema.json                 for files with puzzles
  edgematch schema --of constraints > constraints.json     for files that --constraints reads")]
pub struct Schema {
    /// What it is of
    #[arg(long, value_name = "FILE", value_enum, default_value_t = DescribedArg::Puzzle)]
    pub of: DescribedArg,
}

/// A file in our own form
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DescribedArg {
    /// A file with a puzzle
    Puzzle,
    /// A file with constraints alone
    Constraints,
}

/// Print the completions for a shell
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch completions bash > ~/.local/share/bash-completion/completions/edgematch
  edgematch completions fish > ~/.config/fish/completions/edgematch.fish")]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print the manual page, of the program or of one of its commands
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch man | man -l -
  edgematch man solve > ~/.local/share/man/man1/edgematch-solve.1")]
pub struct Man {
    /// The command
    #[arg(value_name = "COMMAND")]
    pub verb: Option<String>,
}

/// Reads a length.
fn millimetres(text: &str) -> Result<f64, String> {
    const LEAST: f64 = 5.0;
    let length = text.strip_suffix("mm").unwrap_or(text).trim().parse();
    match length {
        Ok(length) if (LEAST..=LARGEST_SIDE).contains(&length) => Ok(length),
        _ => Err(format!(
            "expected millimetres from {LEAST} to {LARGEST_SIDE}"
        )),
    }
}

/// Reads `2`, `2..5`, `10..` and `..3`.
fn classes(text: &str) -> Result<Classes, String> {
    let expected = || "expected a number or a range, such as 1, 2..5 or 10..".to_owned();
    let number = |text: &str| text.parse::<u64>().map_err(|_| expected());
    let classes = match text.split_once("..") {
        None => Classes {
            from: number(text)?,
            to: Some(number(text)?),
        },
        Some((from, to)) => Classes {
            from: if from.is_empty() { 0 } else { number(from)? },
            to: if to.is_empty() {
                None
            } else {
                Some(number(to)?)
            },
        },
    };
    match classes.to {
        Some(to) if to < classes.from => Err(format!("nothing is both {text}")),
        _ => Ok(classes),
    }
}

/// Reads the name of a band, or `20000..30000`.
fn difficulty(text: &str) -> Result<Difficulty, String> {
    if let Some(band) = BANDS.iter().find(|band| band.name == text) {
        return Ok(Difficulty {
            from: band.from,
            to: band.to,
        });
    }
    let expected = || {
        let names = BANDS.map(|band| band.name).join(", ");
        format!("expected {names}, or tries per distinct solution such as 20000..30000")
    };
    let number = |text: &str| text.parse::<u32>().map_err(|_| expected()).map(f64::from);
    let (from, to) = text.split_once("..").ok_or_else(expected)?;
    let range = Difficulty {
        from: if from.is_empty() { 0.0 } else { number(from)? },
        to: if to.is_empty() {
            f64::INFINITY
        } else {
            number(to)?
        },
    };
    match range.from < range.to {
        true => Ok(range),
        false => Err(format!("nothing is both: {text}")),
    }
}

/// Reads `500ms`, `30s`, `2m`, `1.5h`; a bare number is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let expected = || "expected a time such as 500ms, 30s or 2m".to_owned();
    let seconds = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    let number: f64 = digits.parse().map_err(|_| expected())?;
    Duration::try_from_secs_f64(number * seconds).map_err(|_| expected())
}

/// Reads `500M`, `2G`, `64KiB`: bytes, in steps of 1024.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let expected = || "expected a size such as 500M or 2G".to_owned();
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(expected()),
    };
    let number: u64 = digits.parse().map_err(|_| expected())?;
    let bytes = number.checked_mul(1 << shift).ok_or_else(expected)?;
    // Less is not enough to say what is wrong.
    const LEAST: u64 = 32 << 20;
    match bytes >= LEAST {
        true => Ok(bytes),
        false => Err("expected at least 32M".to_owned()),
    }
}

/// Reads `3/200`.
fn part(text: &str) -> Result<PartOf, String> {
    let expected = || "expected a part and their number, such as 3/200".to_owned();
    let (part, of) = text.split_once('/').ok_or_else(expected)?;
    let number = |digits: &str| digits.parse::<u32>().map_err(|_| expected());
    let (part, of) = (number(part)?, number(of)?);
    if of > PartOf::MOST {
        return Err(format!("there are at most {} parts", PartOf::MOST));
    }
    match part >= 1 && part <= of {
        true => Ok(PartOf { part, of }),
        false => Err(format!(
            "of {of} parts there is no part {part}; the first one is 1"
        )),
    }
}

/// The forms that puzzles are written in.
fn written_forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter().copied().filter(|form| form.is_written())
}

fn endings_help() -> String {
    let endings = written_forms().flat_map(|form| form.endings.first());
    let endings = endings
        .unique()
        .map(|ending| format!(".{ending}"))
        .join(", ");
    format!(
        "Write into this file, whole or not at all, instead of to standard output; its ending tells the \
         form: {endings}"
    )
}

fn formats_help() -> String {
    let formats = model::export::FORMATS.iter();
    format!(
        "The format: {}",
        formats.map(|format| format.what).join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("64MiB"), Ok(64 << 20));
        for bad in ["", "G", "-1G", "2X", "1M", "99999999999999T"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_table_of_arguments_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "-1s", "5 weeks", "1e400", "nan", "ms"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
