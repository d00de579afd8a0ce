//! Arguments of the commands for many runs: `batch`, `results` and `merge`.

use std::path::PathBuf;

use edgematch::engine::PartOf;
use edgematch::enumerate::Conclusion;
use edgematch_batch::catalogue;

use super::engine::EngineNames;
use super::headings::SELECTION;
use super::shared::{Extra, Messages, TimeLimit, time_limit};
use super::values::{memory_size, one_of, part, positive, solutions};

/// Run many puzzles on all cores, keep the results in a file, and resume
///
/// Examples:
///   edgematch batch puzzles --results runs.sqlite
///   edgematch batch puzzles more/*.yaml --jobs 8 --time-limit 30s --results runs.sqlite
///   edgematch batch puzzles --engine propagate,milp-balance --keep-solutions --results runs.sqlite
///   find . -name '*.yaml' | edgematch batch --list - --results runs.sqlite
///   edgematch batch many.jsonl --results runs.sqlite          one puzzle per line
///
/// Exit codes:
///   0    every run is complete, or has as many solutions as requested
///   3    a run was stopped by a limit
///   4    a run failed; of several codes the worst counts: 4, 2, 3
///   130  interrupted; run it again to resume
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("time_limit", time_limit("Stop each run after TIME", None))
)]
pub struct Batch {
    /// Puzzles: YAML files with one or more puzzles, .jsonl files with one per line, folders, or -
    /// for standard input
    #[arg(value_name = "FILE", required_unless_present = "list")]
    pub files: Vec<PathBuf>,

    /// Also run the puzzles listed in this file, one per line; - for standard input
    #[arg(long, value_name = "FILE")]
    pub list: Option<PathBuf>,

    /// Keep results in this SQLite file. Runs that are already in it are skipped
    #[arg(long, value_name = "FILE")]
    pub results: PathBuf,

    /// Engines: auto, or those of `compare`, by the beginning of their names: milp-balance,
    /// propagate, backtrack, scan-rows, …
    #[arg(
        long = "engine",
        alias = "engines",
        value_name = "NAMES",
        value_delimiter = ',',
        value_parser = EngineNames,
        hide_possible_values = true,
        default_value = "auto"
    )]
    pub engines: Vec<String>,

    /// Stop each run after N distinct arrangements; 0 means all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 0, value_parser = solutions)]
    pub solutions: u64,

    #[command(flatten)]
    pub time: TimeLimit,

    /// Stop a run that needs more memory than SIZE: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = memory_size, default_value = "2G")]
    pub memory_limit: u64,

    /// Run N puzzles at once, each on one thread in a process of its own [default: one per core]
    #[arg(short, long, value_name = "N", value_parser = positive())]
    pub jobs: Option<u16>,

    /// Keep the solutions, not only their number
    #[arg(long)]
    pub keep_solutions: bool,

    /// Run part K of N of the puzzles, so that N machines can share them without talking to each
    /// other; each needs its own results file
    #[arg(long, value_name = "K/N", value_parser = part)]
    pub part: Option<PartOf>,

    /// Run again what failed or was stopped by a limit, with the same engines and options
    #[arg(long)]
    pub retry: bool,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub extra: Extra,
}

/// Run the puzzles that `batch` sends on standard input
#[derive(clap::Args)]
pub struct BatchWorker {
    /// Maximum memory of this process in bytes
    #[arg(long)]
    pub memory_limit: u64,
}

/// Show the results of batches as a table or as data
///
/// Examples:
///   edgematch results runs.sqlite                               a table
///   edgematch results runs.sqlite --status ERROR,UNKNOWN        what went wrong
///   edgematch results one.sqlite two.sqlite --format csv        of two machines, for a spreadsheet
///   edgematch site runs.sqlite -o results.html                  a page with all puzzles and solutions
///
/// Exit codes:
///   0    shown
///   4    complete runs disagree, or a stored solution does not fit its puzzle
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Results {
    /// Results files; a run that is in several of them is shown once
    #[arg(required = true)]
    pub files: Vec<PathBuf>,

    /// Output format
    #[arg(
        long,
        default_value = catalogue::FORMATS[0].name,
        value_parser = one_of(catalogue::FORMATS.iter().map(|format| (format.name, format))),
        ignore_case = true,
    )]
    pub format: &'static catalogue::RowFormat,

    /// Show only runs whose engine name starts with one of these prefixes (comma-separated)
    #[arg(
        help_heading = SELECTION,
        long,
        value_name = "NAME",
        value_delimiter = ',',
        value_parser = EngineNames,
        hide_possible_values = true,
    )]
    pub engine: Vec<String>,

    /// Show only runs with one of these statuses (comma-separated)
    #[arg(
        help_heading = SELECTION,
        long,
        value_name = "NAME",
        value_delimiter = ',',
        ignore_case = true,
        value_parser = one_of(catalogue::STATUSES.map(|status| (status.name(), status))),
    )]
    pub status: Vec<Conclusion>,

    /// Also show runs of earlier versions of the program, and of earlier contents of the files
    #[arg(help_heading = SELECTION, long)]
    pub all: bool,

    #[command(flatten)]
    pub messages: Messages,
}

/// Combine the parts of a search: check that all are complete, and add them up
///
/// Examples:
///   edgematch solve --part 1/2 --format jsonl puzzles/scramble-1.yaml > part-1.jsonl
///   edgematch solve --part 2/2 --format jsonl puzzles/scramble-1.yaml > part-2.jsonl
///   edgematch merge part-*.jsonl                         the totals, or what is missing
///   edgematch merge --format jsonl part-*.jsonl          all solutions too, renumbered
///
/// Exit codes:
///   0    every part is present and complete
///   1    every part is present and complete, and there is no solution
///   3    a part is missing or was stopped early
///   4    parts contradict each other: a solution is in two of them
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Merge {
    /// Output of `solve --part K/N --format jsonl`; names and order do not matter
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: MergeFormat,

    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum MergeFormat {
    #[default]
    Text,
    Json,
    Jsonl,
}
