//! The commands that write puzzles, pictures, pages, models and help.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use edgematch::enumerate::Limits;
use edgematch::generate::{Classes, Difficulty};
use edgematch::load::{FORMS, Form};
use edgematch::model::{self, FORMULATIONS};
use edgematch_draw::{PAPERS, Paper};
use itertools::Itertools;

use super::shared::{Extra, NamesArg, PictureArgs, PuzzleFile, Size, rows_and_columns, threads_of};
use super::values::{classes, difficulty, duration, millimetres};

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

    /// An arrangement as `solve` prints it, text, JSON or a link, or - for standard input; the
    /// first one in the file is drawn. A puzzle that is a viewer's link shows its own
    pub solution: Option<PathBuf>,

    /// Write an .svg or a .png file, or SVG to standard output for -; without it a picture of
    /// characters is printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub picture: PictureArgs,

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

    /// Deal the edges of this puzzle to its tiles anew, in place of making new ones; with one
    /// solution unless --classes asks for others
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

    /// Tiles may not be turned, as in `TetraVex`
    #[arg(long)]
    pub no_rotations: bool,

    /// With one solution, up to moving the board, proven
    #[arg(long, conflicts_with = "classes")]
    pub unique: bool,

    /// With so many, counted: 2, 2..5, 10.., ..3; 0 for none
    #[arg(long, value_name = "A..B", value_parser = classes)]
    pub classes: Option<Classes>,

    /// So hard: easy, medium, hard, or tries per distinct solution, 20000..30000. Nine tiles that
    /// are sold are easy, medium and hard in equal numbers; a larger board is hard as a rule
    #[arg(long, value_name = "HOW", value_parser = difficulty)]
    pub difficulty: Option<Difficulty>,

    /// No two tiles are alike
    #[arg(long)]
    pub no_twins: bool,

    /// So many puzzles, with seeds N, N + 1, …
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,

    /// The same seed makes the same puzzle, with this version of the program [default: a random
    /// one, which is printed]
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    pub seed: Option<u64>,

    /// Stop after this time: 500ms, 30s, 2m; a bare number is seconds. Then also what seems
    /// hopeless is tried
    #[arg(long, value_name = "TIME", value_parser = duration, allow_hyphen_values = true)]
    pub time_limit: Option<Duration>,

    /// Make so many puzzles at once, or one with so many threads [default: one a core]. What is
    /// made does not depend on it
    #[arg(short = 'j', long, value_name = "N", allow_hyphen_values = true, value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    /// Write into this file, or a file each into this folder where the name ends in / or is a
    /// folder's
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

/// Serve a page to play on in the browser: by hand, with hints, or by the computer; with random
/// puzzles and your own cards
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

/// Write the 0-1 model for another program
#[derive(Debug, clap::Args)]
#[command(before_help = "\
Examples:
  edgematch export puzzles/scramble-1.yaml --to lp -o scramble-1.lp    for HiGHS, CPLEX, SCIP
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

/// The forms that puzzles are written in.
fn written_forms() -> impl Iterator<Item = &'static Form> {
    FORMS.iter().copied().filter(|form| form.is_written())
}

fn endings_help() -> String {
    let endings = written_forms().flat_map(|form| form.endings);
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
