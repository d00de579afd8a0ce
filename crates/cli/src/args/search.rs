//! The commands that search, and those that judge what was found.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use edgematch::engine::PartOf;
use edgematch_report::FORMATS;

use super::shared::{Answer, EXIT_CODES, Extra, PictureArgs, PuzzleFile, Search, Talk};
use super::values::{duration, part};
use crate::engine::{EngineArgs, engines_to_compare};

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

/// Say why there is no solution: counts that decide, or a smallest set of constraints, seams and
/// tiles that is already impossible
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

    /// Name the edges that would give a solution if they showed the other half of their image, or,
    /// of an image without halves, another image
    #[arg(long)]
    pub nearest: bool,

    /// Find a smallest set too where counts decide
    #[arg(long, conflicts_with = "nearest")]
    pub set: bool,

    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,

    /// Draw the arrangement with the most seams that fit, with the set marked, into an .svg or a
    /// .png file, or as SVG to standard output for -
    #[arg(short, long, value_name = "FILE", conflicts_with = "nearest")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub picture: PictureArgs,
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

    /// Print the arrangement with the most seams that fit, and prove that none has more; all other
    /// rules hold. -n 0 prints all of the best
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

    /// Search one of N parts of the puzzle, so that N machines that never talk to one another
    /// search all of it: --part 1/200 … --part 200/200, each with --format jsonl; `merge` puts
    /// them together
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

    /// Write a certificate into this folder: a formula and a proof from which other programs can
    /// see that nothing is missing, see `verify`. Engine propagate on one thread; a run that
    /// stops early leaves none
    #[arg(long, value_name = "FOLDER", conflicts_with = "aim")]
    pub certificate: Option<PathBuf>,

    /// With -o and --certificate: write into a folder that is not empty; pictures and the
    /// certificate of an earlier run are replaced
    #[arg(long, requires = "written")]
    pub force: bool,

    /// Print a picture of characters with each solution
    #[arg(long)]
    pub draw: bool,

    #[command(flatten)]
    pub picture: PictureArgs,

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

    /// Say too what to expect of `solve --part 1/N` … `--part N/N`: what the cutting costs, how
    /// long the mean part and the longest one take
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

    /// One or more arrangements as `solve` prints them, text, JSON or links, or - for standard
    /// input; a puzzle that is a viewer's link shows its own
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

    /// Also run `PROGRAM puzzle.cnf proof.drat`; it must end with exit code 0, and where it prints
    /// a line `s …`, that must be `s VERIFIED`
    #[arg(long, value_name = "PROGRAM")]
    pub checker: Option<PathBuf>,

    #[command(flatten)]
    pub answer: Answer,
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

    /// Measured runs of each engine, in turn, after one that warms up [default: 5 on one file, 1
    /// on several]
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,

    /// Stop each run after this time: 500ms, 30s, 2m; a bare number is seconds [default: none on
    /// one file, 5s on several]
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
