//! Arguments of the commands that explain why a puzzle has no solution: `why` and `doctor`.

use std::path::PathBuf;

use super::shared::{Answer, Color, Force, PictureArgs, PuzzleFile, Search};
use super::values::solutions;

/// Explain why there is no solution: counts, or a minimal set of rules that clash
///
/// Examples:
///   edgematch why puzzles/sharks-misread.yaml
///   edgematch why puzzles/sharks-misread.yaml -o why.svg     marked on the drawing
///   edgematch why --mcs --keep 1,corners puzzle.yaml         which constraints to drop instead
///
/// Exit codes:
///   0    there is no solution, and it is explained
///   1    there is a solution
///   3, 4, 130
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Why {
    /// Search for a minimal set even where counts already rule out a solution
    #[arg(long)]
    pub set: bool,

    /// Find the fewest constraints to drop so that there is a solution
    #[arg(long, conflicts_with_all = ["set", "output"])]
    pub mcs: bool,

    /// List all minimal sets of constraints that clash
    #[arg(long, conflicts_with_all = ["set", "output", "mcs"])]
    pub all: bool,

    /// With --all: stop after N sets; 0 means all
    #[arg(short = 'n', long = "sets", value_name = "N", requires = "all", default_value_t = 0, value_parser = solutions)]
    pub sets: u64,

    /// With --mcs or --all: constraints that must hold, by their numbers or names
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "set")]
    pub keep: Vec<String>,

    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,

    /// Draw the arrangement with the most matching seams, with the minimal set marked, into an
    /// .svg or .png file; - writes SVG to standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub picture: PictureArgs,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Find the card that was mistyped, within a minute: which cards to compare first
///
/// Examples:
///   edgematch doctor puzzles/sharks-misread.yaml
///   edgematch doctor -o cards.png puzzle.yaml                the cards as they were read
///
/// Exit codes:
///   0    examined
///   3, 4, 130
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Doctor {
    #[command(flatten)]
    pub search: Search,

    #[command(flatten)]
    pub answer: Answer,

    #[command(flatten)]
    pub color: Color,

    /// Draw the cards as they were read, those to compare first marked, into an .svg or .png file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub picture: PictureArgs,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}
