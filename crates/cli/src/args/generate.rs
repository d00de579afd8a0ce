//! Arguments of `generate`.

use std::path::PathBuf;

use edgematch::generate::{Classes, Difficulty};

use super::headings::{OUTPUT, PUZZLE, SEARCH, TARGET};
use super::shared::{Force, Messages, Size, Threads, TimeLimit, time_limit};
use super::values::{classes, difficulty, number, positive, whole};

/// Generate puzzles as YAML, on request with one solution and of a given difficulty
///
/// Examples:
///   edgematch generate 3x3                                          another one each time
///   edgematch generate --size 5x5 --images 8 --seed 7 -o new.yaml   this one each time
///   edgematch generate --images 4 --unique --difficulty easy
///   edgematch generate --size 6x6 --images 9 --framed --matching equal --count 100 -o folder/
///   edgematch generate --board cube --images 4 --unique
///   edgematch generate --from puzzles/absolut-knifflig.yaml         its edges, dealt anew
///   edgematch generate --all-tiles 3                                MacMahon's 24 squares
///
/// Exit codes:
///   0    all puzzles are generated
///   1    there is no such puzzle, proven
///   3    unreachable, given up, or stopped by the time limit
///   4, 130
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    next_help_heading = PUZZLE,
    group = clap::ArgGroup::new("kind").args(["framed", "plain", "two_sided"]),
    mut_arg("threads", |arg| arg.help(
        "Number of threads, over all puzzles [default: one per core]. It does not change the puzzles"
    )),
    mut_arg(
        "time_limit",
        time_limit("Stop after TIME, and attempt targets that look unreachable", None),
    ),
)]
pub struct Generate {
    /// Rows and columns of the grid, as with --size
    #[arg(value_name = "SIZE", conflicts_with_all = ["size", "board"])]
    pub grid: Option<Size>,

    /// Rows and columns of the grid: 4x5, or 4 for a square [default: 3x3]
    #[arg(long, value_name = "ROWSxCOLUMNS", conflicts_with = "board")]
    pub size: Option<Size>,

    /// Another board: cube, '{grid: [2, 4], wrap: both}'
    #[arg(long, value_name = "BOARD")]
    pub board: Option<String>,

    /// Number of images [default: the fewest that make a second solution unlikely;
    /// with --difficulty, as many as it needs]
    #[arg(long, value_name = "N", value_parser = positive())]
    pub images: Option<u16>,

    /// Deal the edges of this puzzle to its tiles anew, with one solution unless --classes says
    /// otherwise
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["images", "matching", "kind", "frame_images", "no_rotations"],
    )]
    pub from: Option<PathBuf>,

    /// Generate every tile of N colours once: 24 squares of 3. Colours match themselves; the tiles
    /// must fill the board, and some may be left over [default board: the rectangle nearest to a
    /// square that they fill]
    #[arg(
        long,
        value_name = "N",
        value_parser = positive(),
        conflicts_with_all = [
            "images", "from", "matching", "kind", "frame_images", "unique", "classes", "difficulty",
            "no_twins", "count", "seed", "time_limit", "threads",
        ],
    )]
    pub all_tiles: Option<u16>,

    /// How edges match
    #[arg(long, value_name = "HOW", default_value = "half")]
    pub matching: MatchingArg,

    /// Put a border image on the whole rim and nowhere else, as in Eternity II
    #[arg(long)]
    pub framed: bool,

    /// Number of further images, used between the tiles of the frame and nowhere else
    #[arg(long, value_name = "N", requires = "framed", value_parser = positive())]
    pub frame_images: Option<u16>,

    /// No frame, one-sided tiles (the default)
    #[arg(long)]
    pub plain: bool,

    /// Tiles have backs with other edges
    #[arg(long)]
    pub two_sided: bool,

    /// Tiles may not be turned, as in TetraVex
    #[arg(long)]
    pub no_rotations: bool,

    /// Exactly one solution up to symmetry of the board, proven
    #[arg(help_heading = TARGET, long, conflicts_with = "classes")]
    pub unique: bool,

    /// This many solutions up to symmetry, counted: 2, 2..5, 10.., ..3; 0 for none
    #[arg(help_heading = TARGET, long, value_name = "A..B", value_parser = classes)]
    pub classes: Option<Classes>,

    /// easy, medium, hard, or a range of tries per distinct solution: 20000..30000. Bought puzzles
    /// of nine tiles are easy, medium and hard in equal numbers; larger boards are usually hard
    #[arg(help_heading = TARGET, long, value_name = "HOW", value_parser = difficulty)]
    pub difficulty: Option<Difficulty>,

    /// No two tiles alike
    #[arg(help_heading = TARGET, long)]
    pub no_twins: bool,

    /// Generate N puzzles, with consecutive seeds
    #[arg(
        help_heading = OUTPUT,
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = number(1_u32..=1_000_000),
    )]
    pub count: u32,

    /// The same seed gives the same puzzle in this version of the program [default: random, and
    /// printed]
    #[arg(help_heading = SEARCH, long, value_name = "N", value_parser = whole)]
    pub seed: Option<u64>,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub threads: Threads,

    /// Write into this file; into a folder, if the name ends in / or is a folder's, a file for
    /// each puzzle
    #[arg(help_heading = OUTPUT, short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub messages: Messages,
}

impl Generate {
    /// The size of the grid; `None` if none is given.
    pub fn size(&self) -> Option<Size> {
        self.grid.or(self.size)
    }
}

/// How edges match
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum MatchingArg {
    /// A half matches the other half of its image
    Half,
    /// An image matches itself
    Equal,
}
