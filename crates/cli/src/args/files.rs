//! Arguments of the commands that write puzzles, pictures, models and help.

use std::path::PathBuf;

use edgematch::export::{ExportFormat, FORMATS};
use edgematch::load::{PUZZLE_FORMATS, PuzzleFormat};
use edgematch::model::{FORMULATIONS, Formulation};
use edgematch_read::MOST_IMAGES;
use itertools::Itertools;

use super::answers::AnswerArgs;
use super::generate::MatchingArg;
use super::headings::{MODEL, PHOTOGRAPH};
use super::shared::{
    Color, Force, Messages, ObjectiveArgs, PictureArgs, PuzzleFile, Size, TimeLimit, time_limit,
};
use super::values::{number, one_of};

/// Draw the tiles in the order of the file, or an arrangement with its mistakes marked
///
/// Examples:
///   edgematch show puzzles/scramble-1.yaml                     in the terminal
///   edgematch show puzzles/scramble-1.yaml -o tiles.png        as a picture, SVG or PNG
///   edgematch show puzzles/scramble-1.yaml found.txt -o -      an arrangement, as SVG
///
/// Exit codes:
///   0    written
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Show {
    /// An arrangement as `solve` prints it, text, JSON or a link, or the answer of another program,
    /// or - for standard input. The first one of the file is drawn. A puzzle given as a viewer's
    /// link has its own
    #[arg(index = 2)]
    pub solution: Option<PathBuf>,

    #[command(flatten)]
    pub answer: AnswerArgs,

    #[command(flatten)]
    pub color: Color,

    /// Write an .svg or .png file; - writes SVG to standard output [default: draw with characters]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub picture: PictureArgs,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Read a puzzle from photographs of its cards
///
/// Examples:
///   edgematch read cards.jpg -o cards                     one photograph of all cards
///   edgematch read card-*.jpg -o cards                    a photograph of each card
///   edgematch read cards.jpg -o cards --review            with a page to correct it
///   edgematch read cards.jpg -o cards --size 4x4 --images 6
///   edgematch read box.png -o cards --size 3x3 --corners 12,20 812,25 805,830 8,822
///
/// Exit codes:
///   0    written, with a solution
///   1    written, but no likely reading has a solution, or most sides are doubtful (no puzzle.yaml)
///   3    stopped by the time limit, or written but it is not known whether there is a solution
#[derive(clap::Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("time_limit", time_limit("Stop after TIME and write nothing", None))
)]
pub struct Read {
    /// A JPEG or PNG picture of all cards, or one of each
    #[arg(index = 1, required = true, value_name = "PHOTO")]
    pub photos: Vec<PathBuf>,

    #[command(flatten)]
    pub color: Color,

    /// Write puzzle.yaml, a picture of each card, and the contact sheet into this folder
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,

    /// Also write review.html, a page in which the reading is corrected and the puzzle saved
    #[arg(long)]
    pub review: bool,

    #[command(flatten)]
    pub force: Force,

    /// Rows and columns of the cards [default: as in the photograph]
    #[arg(help_heading = PHOTOGRAPH, long, value_name = "RxC")]
    pub size: Option<Size>,

    /// Number of images [default: as many as the photographs show]
    #[arg(help_heading = PHOTOGRAPH, long, value_name = "N", value_parser = number(1..=MOST_IMAGES))]
    pub images: Option<u16>,

    /// What an edge shows: one of two halves, or a whole image [default: whichever fits better]
    #[arg(help_heading = PHOTOGRAPH, long, value_name = "HOW", value_enum)]
    pub matching: Option<MatchingArg>,

    /// The corners of a board whose cards touch each other, in pixels: upper left, then clockwise
    /// [default: the cards are found automatically]
    #[arg(help_heading = PHOTOGRAPH, long, num_args = 4, value_name = "X,Y", value_parser = pixel)]
    pub corners: Option<Vec<(f32, f32)>>,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub messages: Messages,
}

/// Parses `X,Y`, the coordinates of a point in a photograph in pixels; both must be finite.
fn pixel(written: &str) -> Result<(f32, f32), String> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|n| n.is_finite());
    let place = written.split_once(',').and_then(|(x, y)| Some((number(x)?, number(y)?)));
    place.ok_or_else(|| "expected two numbers, such as 120,85".to_owned())
}

/// Convert a puzzle to another form: our YAML, or what other programs read
///
/// Examples:
///   edgematch convert bought.xml -o bought.yaml                XML of the catalogue to YAML
///   edgematch convert puzzles/scramble-1.yaml --to code        a code to send in a message
///   edgematch convert cards.json --edge-order clockwise-from-left
///   edgematch convert tiles.txt --size 4x6 -o tiles.csv
///   edgematch convert puzzle.yaml --to link --arrangement found.txt    a board for the viewer
///
/// Exit codes:
///   0    written
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Convert {
    #[arg(short, long, value_name = "FILE", help = endings_help())]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    /// The form to write [default: by the ending of the output file, else yaml]
    #[arg(
        long,
        value_name = "FORM",
        value_parser = one_of(written_forms().map(|form| (form.name, form))),
        ignore_case = true,
    )]
    pub to: Option<&'static PuzzleFormat>,

    /// The arrangement that a link shows, as `solve` or another program prints it; - for standard
    /// input
    #[arg(long, value_name = "FILE")]
    pub arrangement: Option<PathBuf>,

    #[command(flatten)]
    pub answer: AnswerArgs,

    /// Write even if a rule is lost and the new file has other solutions
    #[arg(long)]
    pub lossy: bool,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Export the 0-1 model for another solver
///
/// Examples:
///   edgematch export puzzles/scramble-1.yaml -o scramble-1.lp    for HiGHS, CPLEX, SCIP
///   edgematch export puzzles/scramble-1.yaml --to mzn | minizinc -       solved by MiniZinc
///   edgematch export puzzles/scramble-1.yaml --to asp | clingo - 0 | edgematch check puzzles/scramble-1.yaml -                          and the answers read back
///   edgematch export puzzles/scramble-1.yaml --to cnf --formulation support -o scramble-1.cnf
///   edgematch solve puzzle.yaml | edgematch export puzzle.yaml --to mps --with-cuts -  infeasible
///
/// Exit codes:
///   0    written
///   3, 130
#[derive(Clone, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Export {
    #[arg(
        long,
        value_name = "FORMAT",
        help = format!("Format: {}", FORMATS.iter().map(|format| format.what).join(", ")),
        value_parser = one_of(FORMATS.iter().map(|format| (format.name, format))),
        ignore_case = true,
    )]
    pub to: Option<&'static ExportFormat>,

    #[arg(
        help_heading = MODEL,
        long,
        value_name = "NAME",
        help = format!("How the model encodes matching edges [default: {}]", FORMULATIONS[0].name()),
        value_parser = one_of(FORMULATIONS.map(|formulation| (formulation.name(), formulation))),
    )]
    pub formulation: Option<&'static dyn Formulation>,

    #[command(flatten)]
    pub objective: ObjectiveArgs,

    /// Keep one solution of each symmetry class
    #[arg(help_heading = MODEL, long)]
    pub break_symmetry: bool,

    /// Exclude these solutions and their images under the symmetries: arrangements as `check` reads
    /// them; - for standard input
    #[arg(help_heading = MODEL, long, value_name = "SOLUTIONS")]
    pub with_cuts: Option<PathBuf>,

    /// Write into this file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,

    #[command(flatten)]
    pub time: TimeLimit,

    #[command(flatten)]
    pub answer: AnswerArgs,

    #[command(flatten)]
    pub messages: Messages,

    #[command(flatten)]
    pub puzzle: PuzzleFile,
}

/// Print a JSON Schema of our YAML, with which editors complete keys and mark mistakes
///
/// Examples:
///   edgematch schema > edgematch.schema.json                 for files with puzzles
///   edgematch schema --of constraints > constraints.json     for files that --constraints reads
///
/// Exit codes:
///   0    written
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Schema {
    /// The kind of file to describe
    #[arg(long, value_name = "FILE", value_enum, default_value_t = DescribedArg::Puzzle)]
    pub of: DescribedArg,
}

/// The kind of file to describe
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DescribedArg {
    /// A file with a puzzle
    Puzzle,
    /// A file with constraints alone
    Constraints,
}

/// Print completions for a shell
///
/// Examples:
///   edgematch completions bash > ~/.local/share/bash-completion/completions/edgematch
///   edgematch completions fish > ~/.config/fish/completions/edgematch.fish
///
/// Exit codes:
///   0    written
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// Print the manual page of the program or of one of its commands
///
/// Examples:
///   edgematch man | man -l -
///   edgematch man solve | man -l -
///   edgematch man --all --force ~/.local/share/man/man1    a page for each command
///
/// Exit codes:
///   0    written
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Man {
    /// The command
    #[arg(value_name = "COMMAND")]
    pub verb: Option<String>,

    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "FOLDER", conflicts_with = "verb")]
    pub all: Option<PathBuf>,

    #[command(flatten)]
    pub force: Force,
}

/// The puzzle formats that can be written, not only read.
fn written_forms() -> impl Iterator<Item = &'static PuzzleFormat> {
    PUZZLE_FORMATS.iter().copied().filter(|form| form.is_written())
}

/// The help text of `convert --output`, with the list of file endings.
fn endings_help() -> String {
    let endings = written_forms().flat_map(|form| form.extensions);
    let endings = endings.unique().map(|ending| format!(".{ending}")).join(", ");
    format!(
        "Write into this file, in the form of its ending ({endings}) [default: standard output]"
    )
}
