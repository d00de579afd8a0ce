//! Arguments of the commands that search, estimate, check and compare.

use std::path::PathBuf;

use edgematch::engine::PartOf;
use edgematch_report::{FORMATS, Format};

use super::answers::AnswerArgs;
use super::engine::{EngineArgs, EngineNames, engines_to_compare};
use super::shared::{
    Answer, Color, Extra, Force, Messages, ObjectiveArgs, PictureArgs, PuzzleFile, Search, Talk,
    TimeLimit, Warnings, When, time_limit,
};
use super::values::{nodes, number, one_of, part, solutions, whole};

/// Count the solutions, all of them or those with some tiles pinned
///
/// Examples:
///   edgematch count puzzles/absolut-knifflig.yaml
///   edgematch count puzzles/absolut-knifflig.yaml --pin 2,2=4 --pin 1,1=5@0
///   edgematch count --marginals puzzles/absolut-knifflig.yaml    where each tile can be, and how often
///   edgematch count --up-to mirrors,colours puzzles/macmahon.yaml
///   edgematch count --method frontier puzzles/models/floor-tiles.yaml
///
/// Exit codes:
///   0    counted: there are solutions
///   1    counted: there is none
///   3    stopped early by a limit; the counts are lower bounds
///   4, 130
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Count {
    /// How to count [default: the method that is expected to take less time]
    #[arg(long, value_enum, value_name = "METHOD")]
    pub method: Option<CountMethod>,

    /// Also count the distinct arrangements that differ by more than mirror images or exchanges of
    /// images, where these map the set of tiles onto itself
    #[arg(long, value_enum, value_name = "SYMMETRIES", value_delimiter = ',')]
    pub up_to: Vec<Identified>,

    /// Print in how many of the solutions each tile is in each cell
    #[arg(long, conflicts_with = "up_to")]
    pub marginals: bool,

    #[command(flatten)]
    pub search: Search,

    /// Print counts with all digits, not shortened beyond 20, then the sizes of puzzle and tables and
    /// the work
    #[arg(short, long)]
    pub statistics: bool,

    #[command(flatten)]
    pub answer: Answer,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Arrangements that `count --up-to` identifies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Identified {
    /// Mirror images
    Mirrors,
    /// Arrangements that differ by an exchange of images
    Colours,
}

/// A method of counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum CountMethod {
    /// List all solutions
    Search,
    /// Count partial boards with the same completions together, without listing solutions
    Frontier,
}

/// Suggest one placement that leads to a solution, or a pin to take back
///
/// Examples:
///   edgematch hint puzzles/scramble-1.yaml
///   edgematch hint puzzles/scramble-1.yaml --pin 2,2=5@3 --pin 1,1=1
///
/// Exit codes:
///   0    a placement that leads to a solution, or done
///   1    no solution with these pins
///   3, 4, 130
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Hint {
    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Print every distinct arrangement once, and prove that there are no more
///
/// Examples:
///   edgematch solve puzzles/scramble-1.yaml             all of them
///   edgematch solve -n 1 puzzles/absolut-knifflig.yaml  the first one found
///   edgematch solve --expand puzzles/scramble-1.yaml    all solutions, twins and rotations included
///   edgematch solve --best puzzles/sharks-misread.yaml  as many matching edges as possible
///   edgematch solve -o out puzzles/scramble-1.yaml      pictures of all of them in the folder out
///   edgematch solve --format jsonl - < puzzle.yaml      one JSON object per line, as they are found
///   edgematch solve --part 3/200 --format jsonl hard.yaml > part-3.jsonl     a part, see merge
///
/// Exit codes:
///   0    complete, or as many solutions as requested
///   1    complete: there is no solution
///   130  interrupted; what was found is printed
///   3, 4
#[derive(Clone, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Solve {
    /// Stop after N solutions; 0 means all [default: 0; of the best: 1]
    #[arg(short = 'n', long = "solutions", value_name = "N", value_parser = solutions)]
    pub solutions: Option<u64>,

    /// Find an arrangement with the most matching seams
    #[arg(long, groups = ["aim", "guess"])]
    pub best: bool,

    /// With --best: start from the best arrangement in this file
    #[arg(long, value_name = "FILE", requires = "best", conflicts_with_all = ["maximize", "minimize"])]
    pub resume: Option<PathBuf>,

    /// With --best or --sample: seed of the random numbers [default: 0]
    #[arg(
        long,
        value_name = "N",
        value_parser = whole,
        requires = "guess",
        conflicts_with_all = ["maximize", "minimize"],
    )]
    pub seed: Option<u64>,

    #[command(flatten)]
    pub objective: ObjectiveArgs,

    /// List all solutions up to G worse than the best; with -n N, the N best
    #[arg(long, value_name = "G", value_parser = number(0_u32..=1_000_000_000))]
    pub gap: Option<u32>,

    /// Find solutions that differ from each other in at least D cells
    #[arg(
        long,
        value_name = "D",
        value_parser = number(1_u32..=1_000_000),
        conflicts_with_all = ["expand", "part", "certificate", "sample", "gap"],
    )]
    pub distance: Option<u32>,

    /// Draw N of all solutions at random, each equally often, with repetition
    #[arg(
        long,
        value_name = "N",
        group = "guess",
        value_parser = number(1_u32..=1_000_000),
        conflicts_with_all = ["solutions", "aim", "expand", "sorted", "part", "certificate", "log"],
    )]
    pub sample: Option<u32>,

    /// Print every solution: distinguish twins, repeat each under every symmetry of the tiles and the board
    #[arg(long)]
    pub expand: bool,

    /// Print in canonical order, once all solutions are found
    #[arg(long)]
    pub sorted: bool,

    /// Search part K of N alone, so that N machines share the puzzle; `merge` combines the parts,
    /// each printed with --format jsonl
    #[arg(
        long,
        value_name = "K/N",
        value_parser = part,
        conflicts_with_all = ["aim", "certificate", "expand"],
    )]
    pub part: Option<PartOf>,

    #[command(flatten)]
    pub search: Search,

    /// Stop soon after N nodes; steps of the methods that guess count as nodes
    #[arg(long, value_name = "N", value_parser = nodes)]
    pub node_limit: Option<u64>,

    /// Print the sizes of puzzle, tables and model, and the work done
    #[arg(short, long, alias = "stats")]
    pub statistics: bool,

    /// Write a log of the search as JSON lines; the default is then -j 1
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,

    /// Output format
    #[arg(
        long,
        default_value = FORMATS[0].name,
        value_parser = one_of(FORMATS.iter().map(|format| (format.name, format))),
        ignore_case = true,
    )]
    pub format: &'static Format,

    /// Write pictures into this folder: unsolved.png, 1.txt, 1.svg, 1.png, …; FILE.svg or FILE.png
    /// draws the first solution, - writes an SVG
    #[arg(short, long, value_name = "FOLDER | FILE")]
    pub output: Option<PathBuf>,

    /// Write a proof that no solution is missing, for `verify`, with one thread of `propagate`
    #[arg(long, value_name = "FOLDER", conflicts_with = "aim")]
    pub certificate: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    /// Draw each solution with characters [default: on a terminal]
    #[arg(
        long,
        value_name = "WHEN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "always",
        value_enum,
    )]
    pub draw: Option<When>,

    #[command(flatten)]
    pub color: Color,

    /// Draw the cards as they were read, before the first solution
    #[arg(long)]
    pub cards: bool,

    /// Say where each card goes and how it is turned
    #[arg(long)]
    pub steps: bool,

    #[command(flatten)]
    pub picture: PictureArgs,

    #[command(flatten)]
    pub talk: Talk,

    #[command(flatten)]
    pub warnings: Warnings,

    #[command(flatten)]
    pub puzzle: PuzzleFile,

    #[command(flatten)]
    pub engine: EngineArgs,
}

impl Solve {
    /// An option that cannot be used with objectives; `None` if none is given.
    pub fn not_with_objective(&self) -> Option<&'static str> {
        let given = [
            ("--sample", self.sample.is_some()),
            ("--part", self.part.is_some()),
            ("--certificate", self.certificate.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// The maximum number of solutions to print; 0 for all. The default is all, or 1 if the search
    /// has an objective and neither a gap nor a distance.
    pub fn solution_limit(&self, has_objective: bool) -> u64 {
        let is_one = has_objective && self.gap.is_none() && self.distance.is_none();
        self.solutions.unwrap_or(u64::from(is_one))
    }
}

/// Show the sizes of a puzzle, its tables and its models, without solving it
///
/// Examples:
///   edgematch info puzzles/scramble-1.yaml
///   edgematch info --tables puzzles/scramble-1.yaml        every allowed tuple, by block
///   edgematch info --relaxation puzzles/scramble-1.yaml    the models as linear programs
///
/// Exit codes:
///   0    measured
///   3    stopped by the time limit
///   130
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Info {
    /// List the compatibility tables as blocks and as tuples
    #[arg(long)]
    pub tables: bool,

    /// Build the model in each formulation and solve its linear relaxation
    #[arg(long)]
    pub relaxation: bool,

    #[command(flatten)]
    pub objective: ObjectiveArgs,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub answer: Answer,

    #[command(flatten)]
    pub warnings: Warnings,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Estimate how long propagate and backtrack would take, and which one auto would choose
///
/// Examples:
///   edgematch estimate puzzles/framed-7x7-em-7-4-8.yaml
///   edgematch estimate --probes 10000 --seed 2 puzzles/framed-7x7-em-7-4-8.yaml
///   edgematch estimate --parts 1000 puzzles/framed-7x7-em-7-4-8.yaml    on a thousand cores
///
/// Exit codes:
///   0    estimated
///   3    stopped by the time limit; what was estimated until then is printed
///   130  interrupted, likewise
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Estimate {
    /// Random paths to follow in each search tree
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number(1_u32..=10_000_000))]
    pub probes: u32,

    /// Seed of the random paths
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole)]
    pub seed: u64,

    /// Also estimate a search in N parts, `solve --part 1/N` to `--part N/N`: the cost of cutting,
    /// the mean part, the longest part
    #[arg(long, value_name = "N", value_parser = number(1..=PartOf::MOST))]
    pub parts: Option<u32>,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub answer: Answer,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Check arrangements against every rule of a puzzle
///
/// Examples:
///   edgematch check puzzles/scramble-1.yaml solution.txt
///   edgematch solve --format json puzzle.yaml | edgematch check puzzle.yaml -
///   edgematch check puzzle.yaml highs.sol                  the answer of HiGHS, CBC, SCIP, clingo, …
///   edgematch check puzzle.yaml answer.txt --model puzzle.cnf              of a SAT solver
///
/// Exit codes:
///   0    every arrangement fits
///   1    an arrangement does not fit
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Check {
    /// One or more arrangements as `solve` prints them, text, JSON or links, or the answer of another
    /// program to an exported model; - for standard input. A puzzle given as a viewer's link has its
    /// own
    #[arg(index = 2)]
    pub solution: Option<PathBuf>,

    #[command(flatten)]
    pub answer: AnswerArgs,

    /// Print nothing; the exit code is the answer
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub warnings: Warnings,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Check a certificate of `solve`: that its list of solutions is complete
///
/// Examples:
///   edgematch solve --certificate proof puzzles/scramble-1.yaml
///   edgematch verify proof                                 with the puzzle in the folder
///   edgematch verify proof puzzles/scramble-1.yaml         and is it this one?
///
/// Exit codes:
///   0    verified: the list of solutions is complete
///   1    refused, with the reason
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Verify {
    /// The folder of the certificate
    pub folder: PathBuf,

    /// The puzzle that the certificate must be of, compared byte by byte
    #[arg(index = 2)]
    pub file: Option<PathBuf>,

    #[command(flatten)]
    pub answer: Answer,
}

/// Run the engines side by side and compare their times and their solutions
///
/// Examples:
///   edgematch compare puzzles/scramble-1.yaml
///   edgematch compare puzzles/scramble-1.yaml --engine milp-balance,propagate --runs 20
///   edgematch compare puzzles/scramble-1.yaml --plot times.svg
///   edgematch compare --levels puzzles/python-backtracker-mockup.yaml
///   edgematch compare puzzles --time-limit 1s --export-csv all.csv
///   edgematch compare puzzles --plot cactus.svg --scatter propagate,backtrack
///
/// Exit codes:
///   0    every engine finished, and all agree
///   3    a run was stopped by a limit, or skipped by Ctrl-C
///   4    engines disagree, or one failed
///   130  ended by Ctrl-C twice within a second, SIGTERM or SIGHUP
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("time_limit", time_limit("Stop each run after TIME", Some("5s")))
)]
pub struct Compare {
    /// Puzzles, or folders of puzzles
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    // The help lists the names of the engines.
    #[arg(
        long = "engine",
        alias = "engines",
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = EngineNames,
        hide_possible_values = true,
        help = engines_to_compare(),
    )]
    pub engines: Vec<String>,

    /// Measured runs of each engine, in turn, after one to warm up [default: 5 for one file, 3 for
    /// several]
    #[arg(long, value_name = "N")]
    pub runs: Option<usize>,

    #[command(flatten)]
    pub time: TimeLimit,

    /// Print only the calls per level of the plain backtrackers, beside the number of possible
    /// nodes
    #[arg(long)]
    pub levels: bool,

    /// Write all results to a JSON file, updated after each puzzle
    #[arg(long, value_name = "FILE")]
    pub export_json: Option<PathBuf>,

    /// Write a CSV file with a row for each puzzle and engine
    #[arg(long, value_name = "FILE")]
    pub export_csv: Option<PathBuf>,

    /// Write the table as Markdown
    #[arg(long, value_name = "FILE")]
    pub export_markdown: Option<PathBuf>,

    /// Plot into an .svg or .png file: of one puzzle times and calls per level; of several a cactus
    /// plot, how many are solved within a time, and a scatter plot of two engines
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// The two engines of the scatter plot [default: those that solve most puzzles]
    #[arg(long, value_name = "ONE,OTHER", value_delimiter = ',', requires = "plot")]
    pub scatter: Vec<String>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub extra: Extra,
}
