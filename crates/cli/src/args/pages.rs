//! Arguments of the commands that write or serve pages: `sheet`, `play` and `site`.

use std::path::PathBuf;

use edgematch_draw::{PAPERS, Paper, Theme, TileNames};

use super::headings::{OUTPUT, SERVER};
use super::shared::{Extra, Force, Messages, PuzzleFile, Threads, TimeLimit, time_limit};
use super::values::{millimetres, number, one_of, solutions, theme, tile_names, whole};

/// Write pages to print and cut out: the tiles, shuffled, and a solution
///
/// Examples:
///   edgematch sheet puzzles/scramble-1.yaml -o sheet.pdf
///   edgematch sheet puzzles/scramble-1.yaml -o sheet.pdf --paper letter --size-mm 60
///   edgematch sheet puzzles/boards/cube-4.yaml -o cube.pdf         with a net to cut and fold
///   edgematch generate --images 4 --unique | edgematch sheet - -o new.pdf
///
/// Exit codes:
///   0    written, with a solution unless --no-solution
///   1    written without a solution: there is none, proven
///   3    written without a solution: none was found in time
///   4, 130
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("time_limit", time_limit("Search for a solution for at most TIME", Some("10s")))
)]
pub struct Sheet {
    /// Write all pages into a .pdf file, or each into a numbered .svg file [default: the puzzle's
    /// name with .pdf, in this folder]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    /// Paper size
    #[arg(
        long,
        value_name = "NAME",
        default_value = PAPERS[0].name,
        value_parser = one_of(PAPERS.map(|paper| (paper.name, paper))),
        ignore_case = true,
    )]
    pub paper: Paper,

    /// Side of a tile in millimetres
    #[arg(long, value_name = "MM", default_value_t = 50.0, value_parser = millimetres)]
    pub size_mm: f64,

    /// Seed for shuffling and turning the tiles
    #[arg(help_heading = OUTPUT, long, value_name = "N", default_value_t = 1, value_parser = whole)]
    pub seed: u64,

    /// Where to print the names of tiles
    #[arg(long, value_name = "HOW", value_parser = tile_names(), default_value = "turned")]
    pub names: TileNames,

    /// What the edges show
    #[arg(long, value_name = "NAME", value_parser = theme(), default_value = "figures")]
    pub theme: Theme,

    /// Leave out the page with the solution
    #[arg(long, conflicts_with_all = ["time_limit", "threads"])]
    pub no_solution: bool,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Serve a page to play in the browser: by hand, with hints, or solved step by step
///
/// Examples:
///   edgematch play                                  make puzzles on the page
///   edgematch play puzzles/scramble-1.yaml          this one
///   edgematch play puzzles                          those of a folder
///   edgematch play --port 0 puzzles                 on any free port
///
/// Exit codes:
///   0    ended by Ctrl-C
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("time_limit", time_limit("Search for at most TIME for one answer", Some("60s")))
)]
pub struct Play {
    /// A puzzle as `solve` reads it, or a folder of puzzles
    #[arg(value_name = "FILE | FOLDER")]
    pub puzzle: Option<PathBuf>,

    /// Port to listen on; 0 for any free one
    #[arg(help_heading = SERVER, long, value_name = "N", default_value_t = 7373, value_parser = number(0..=u16::MAX))]
    pub port: u16,

    /// Address to listen on. With 0.0.0.0 other machines can reach the page
    #[arg(help_heading = SERVER, long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: String,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub extra: Extra,
}

/// Write a page to play on without a server: one file, or a folder for any host
///
/// Examples:
///   edgematch site puzzles/scramble-1.yaml -o play.html      one file, to open or to send
///   edgematch site puzzles -o public                         the puzzles of a folder, for a host
///   edgematch site runs.sqlite -o results.html               the puzzles of a batch, with counts and solutions
///   edgematch site -o public                                 only own cards and random puzzles
///   edgematch generate --size 4x4 --images 6 --unique | edgematch site - -o new.html
///
/// Exit codes:
///   0    written
///   3    written, with the solutions found in time; or stopped before the puzzle was read
///   4    written, but results disagree or a stored solution does not fit; or the engine failed
///   130  interrupted; written with the solutions found until then
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg(
        "time_limit",
        time_limit(
            "Search for at most TIME, and store the solutions found until then",
            Some("60s")
        ),
    )
)]
pub struct Site {
    /// A puzzle as `solve` reads it, a folder of puzzles, or results of `batch` (several are read as one)
    #[arg(value_name = "FILE | FOLDER | RESULTS")]
    pub puzzles: Vec<PathBuf>,

    /// Write one file, if the name ends in .html (- for standard output), or index.html and what
    /// belongs to it into a folder [default: the name of the input with .html, in this folder]
    #[arg(short, long, value_name = "FILE.html | DIR")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    /// The solver for browsers to embed [default: edgematch.wasm beside the program, if it exists;
    /// otherwise solutions are stored]
    #[arg(long, value_name = "FILE", conflicts_with = "solutions")]
    pub wasm: Option<PathBuf>,

    /// Store at most N distinct solutions of each puzzle, in place of the solver; 0 means all
    /// [default without the solver, and for results: 10000 of one puzzle, 100 each of several]
    #[arg(short = 'n', long, value_name = "N", value_parser = solutions)]
    pub solutions: Option<u64>,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub extra: Extra,
}
