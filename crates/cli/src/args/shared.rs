//! Options that several commands share: the puzzle file, constraints, limits, pictures.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Arg;
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use edgematch::enumerate::{Limits, MemoryLimit};
use edgematch::load;
use edgematch::load::{LoadError, PUZZLE_FORMATS, ReadOptions, ReadOverrides};
use edgematch::optimise;
use edgematch::problem::{Objective, Problem};
use edgematch::runtime::{clock, scheduler};
use edgematch_draw::{Theme, TileNames};

use super::engine::threads_of_engines;
use super::headings::{CONSTRAINTS, LIMITS, OUTPUT, READING, SEARCH};
use super::machine;
use super::values::{duration, memory_size, number, positive, theme, tile_names};

/// The puzzle and its constraints
#[derive(Clone, clap::Args)]
pub struct PuzzleFile {
    /// The puzzle: a file in YAML or in the form of another program, a code, a viewer's link, a
    /// folder with `input/tile_dict.yaml`, or - for standard input
    #[arg(index = 1)]
    pub file: PathBuf,

    #[command(flatten)]
    pub extra: Extra,
}

impl PuzzleFile {
    /// The input files, puzzle first, each with a noun phrase for messages.
    pub fn inputs(&self) -> impl Iterator<Item = Input<'_>> + Clone {
        inputs("the puzzle", [&self.file]).chain(inputs("the constraints", &self.extra.constraints))
    }

    /// Reads the puzzle and adds the constraints of `--constraints`, `--forbid` and `--pin`.
    ///
    /// # Errors
    /// If two inputs are standard input, or a file or an option cannot be read or parsed.
    pub fn load(&self) -> Result<Loaded, LoadError> {
        refuse_two_readers(self.inputs())?;
        let Extra { constraints: files, pin, forbid, reading } = &self.extra;
        let (mut problem, text) = load::read_with_bytes(&self.file, &reading.options()?)?;
        let mut constraints = Vec::new();
        for file in files {
            let bytes = load::read_bytes(file)?;
            problem = load::constraints_from_bytes(problem, &bytes, &file.display().to_string())?;
            constraints.push(bytes);
        }
        problem = load::with_short_constraints(problem, "forbid", forbid, "--forbid")?;
        problem = load::with_short_constraints(problem, "pin", pin, "--pin")?;
        Ok(Loaded { problem, text, constraints })
    }
}

/// The objective of an optimisation
#[derive(Clone, clap::Args)]
pub struct ObjectiveArgs {
    /// Maximize a sum: `[{weight: 2, cells: corners, tile: 5}, …]`, or a file with such a list
    // The terms are parsed once the puzzle is known.
    #[arg(long, value_name = "TERMS", group = "aim", value_parser = NonEmptyStringValueParser::new())]
    pub maximize: Option<String>,

    /// Minimize such a sum
    #[arg(long, value_name = "TERMS", group = "aim", value_parser = NonEmptyStringValueParser::new())]
    pub minimize: Option<String>,
}

impl ObjectiveArgs {
    /// The option that is given.
    pub fn given(&self) -> Option<&'static str> {
        let maximize = self.maximize.as_ref().map(|_| "--maximize");
        maximize.or(self.minimize.as_ref().map(|_| "--minimize"))
    }

    /// The files that the options name, each with a noun phrase for messages. Terms given as text
    /// are included as if they were a path.
    pub fn inputs(&self) -> impl Iterator<Item = Input<'_>> + Clone {
        let terms = self.maximize.iter().chain(&self.minimize);
        terms.map(|terms| ("the terms", Path::new(terms.as_str())))
    }

    /// The objective of the option, or else those of the puzzle. The cost of soft constraints comes
    /// last, unless the puzzle gives it another place.
    ///
    /// # Errors
    /// If the terms are invalid or cannot be read.
    pub fn objectives(&self, problem: &Problem) -> Result<Vec<Objective>, LoadError> {
        let objective = if let Some(terms) = &self.maximize {
            Objective::Largest(load::expression(problem, terms, "--maximize")?)
        } else if self.minimize.as_deref() == Some("cost") {
            Objective::Cost
        } else if let Some(terms) = &self.minimize {
            Objective::Smallest(load::expression(problem, terms, "--minimize")?)
        } else {
            return Ok(optimise::own_objectives(problem));
        };
        Ok(optimise::with_cost(problem, vec![objective]))
    }
}

/// An input file with a noun phrase for it, which messages use.
pub type Input<'a> = (&'static str, &'a Path);

/// Pairs each path with a noun phrase for it, `what`, which messages use.
pub fn inputs<'a>(
    what: &'static str,
    paths: impl IntoIterator<Item = &'a PathBuf, IntoIter: Clone>,
) -> impl Iterator<Item = Input<'a>> + Clone {
    paths.into_iter().map(move |path| (what, path.as_path()))
}

/// Returns an error if more than one of these input files is `-`, standard input.
pub fn refuse_two_readers<'a>(read: impl Iterator<Item = Input<'a>>) -> Result<(), LoadError> {
    let from_stdin: Vec<&str> =
        read.filter(|(_, path)| *path == Path::new("-")).map(|(what, _)| what).collect();
    match from_stdin[..] {
        [first, second, ..] => Err(LoadError::whole_file(
            "-",
            format!("{first} and {second} can't both come from standard input"),
        )),
        _ => Ok(()),
    }
}

/// How to read the puzzle file
#[derive(Clone, clap::Args)]
#[command(next_help_heading = READING)]
pub struct ReadArgs {
    /// Use this board instead: cube, '{grid: [2, 4], wrap: both}'
    #[arg(long, value_name = "BOARD", conflicts_with = "size")]
    pub board: Option<String>,

    /// Use a grid of this size instead, such as 2x5
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub size: Option<Size>,

    /// The order of a tile's edges: clockwise-from-top, top,left,right,bottom, …
    #[arg(long, value_name = "ORDER")]
    pub edge_order: Option<String>,

    /// The image on the whole rim and nowhere else, or none
    #[arg(long, value_name = "LABEL")]
    pub border: Option<String>,

    /// Tiles may not be turned, as in TetraVex
    #[arg(long, alias = "no-rotations")]
    pub no_rotation: bool,

    /// The form of the file [default: detected from its ending or its text]
    #[arg(
        long,
        value_name = "FORM",
        value_parser = PossibleValuesParser::new(PUZZLE_FORMATS.iter().map(|form| form.name)),
    )]
    pub from: Option<String>,
}

/// A number of rows and columns, each from 1 to 1000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

impl Size {
    /// The grid in the notation of puzzle files: `{grid: [2, 5]}`.
    pub fn as_board(self) -> String {
        format!("{{grid: [{}, {}]}}", self.rows, self.columns)
    }
}

impl FromStr for Size {
    type Err = String;

    /// Parses `2x5`, rows first, or the side of a square; `X` and `×` are accepted too.
    fn from_str(text: &str) -> Result<Size, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=1000).contains(side));
        let (rows, columns) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        match (side(rows), side(columns)) {
            (Some(rows), Some(columns)) => Ok(Size { rows, columns }),
            _ => Err("expected rows and columns from 1 to 1000, such as 2x5, or 3 for 3x3".into()),
        }
    }
}

impl ReadArgs {
    /// The given options as unparsed strings, which worker processes can receive as JSON.
    pub fn overrides(&self) -> ReadOverrides {
        ReadOverrides {
            from: self.from.clone(),
            edge_order: self.edge_order.clone(),
            board: self.board.clone().or_else(|| self.size.map(Size::as_board)),
            border: self.border.clone(),
            rotations: self.no_rotation.then_some(false),
        }
    }

    /// The parsed options.
    ///
    /// # Errors
    /// If a value cannot be parsed; the error names the flag.
    pub fn options(&self) -> Result<ReadOptions, LoadError> {
        self.overrides().options(|name| format!("--{name}"))
    }
}

/// Constraints beside those of the puzzle
#[derive(Clone, clap::Args)]
#[command(next_help_heading = CONSTRAINTS)]
pub struct Extra {
    /// Add the constraints of this file, `constraints: [{pin: {cell: [1, 1], tile: 5}}, …]`;
    /// repeatable
    #[arg(long, value_name = "FILE")]
    pub constraints: Vec<PathBuf>,

    /// Keep only solutions with this placement, any part of which may be left out: 1,1=5 1,1@0 =5@0
    /// front=5@0/back; repeatable
    #[arg(long, value_name = "CELL=TILE@ROTATION")]
    pub pin: Vec<String>,

    /// Exclude this placement; also corners=5; repeatable
    #[arg(long, value_name = "CELL=TILE@ROTATION")]
    pub forbid: Vec<String>,

    #[command(flatten)]
    pub reading: ReadArgs,
}

/// A puzzle with the contents of its input files.
pub struct Loaded {
    pub problem: Problem,
    /// The content of the puzzle file.
    pub text: Vec<u8>,
    /// The contents of the files given by `--constraints`.
    pub constraints: Vec<Vec<u8>>,
}

impl Extra {
    /// Returns an error if any of these options is given, for uses of a command that read no single
    /// puzzle; `instead` names what is used: "--constraints applies to one puzzle, not {instead}".
    pub fn refuse_any(&self, instead: &str) -> anyhow::Result<()> {
        match self.first_given() {
            Some(flag) => anyhow::bail!("{flag} applies to one puzzle, not {instead}"),
            None => Ok(()),
        }
    }

    /// The first of these options that is given, as its flag; `None` if none is.
    pub fn first_given(&self) -> Option<&'static str> {
        let reading = &self.reading;
        let given = [
            ("--board", reading.board.is_some()),
            ("--size", reading.size.is_some()),
            ("--edge-order", reading.edge_order.is_some()),
            ("--border", reading.border.is_some()),
            ("--no-rotation", reading.no_rotation),
            ("--from", reading.from.is_some()),
            ("--constraints", !self.constraints.is_empty()),
            ("--pin", !self.pin.is_empty()),
            ("--forbid", !self.forbid.is_empty()),
        ];
        given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
    }
}

/// Format of the answer and messages beside it
#[derive(clap::Args)]
pub struct Answer {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub format: AnswerFormat,

    #[command(flatten)]
    pub messages: Messages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum AnswerFormat {
    #[default]
    Text,
    Json,
}

/// When to stop
#[derive(Clone, Copy, clap::Args)]
pub struct TimeLimit {
    /// Stop after TIME: 500ms, 30s, 2m; a bare number means seconds
    #[arg(help_heading = LIMITS, long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
}

impl TimeLimit {
    /// Limits whose time starts now; setting the flag `interrupt` stops the run.
    pub fn limits(self, interrupt: Option<&AtomicBool>) -> Limits<'_> {
        let interrupt = interrupt.map(|flag| flag as _);
        Limits { time: self.time_limit, since: Some(clock::now()), interrupt, ..Limits::default() }
    }
}

/// Returns a function for clap's `mut_arg` that sets the help text (`effect` and the notation) and
/// the default of `--time-limit`.
pub fn time_limit(effect: &'static str, default: Option<&'static str>) -> impl FnOnce(Arg) -> Arg {
    move |arg| {
        arg.help(format!("{effect}: 500ms, 30s, 2m; a bare number means seconds"))
            .default_value(default)
    }
}

/// Limits of the search
#[derive(Clone, clap::Args)]
#[command(mut_arg("threads", |arg| arg.help(threads_of_engines())))]
pub struct Search {
    #[command(flatten)]
    pub threads: Threads,

    #[command(flatten)]
    pub time: TimeLimit,

    /// Stop when the program uses more memory than SIZE: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = memory_size)]
    pub memory_limit: Option<u64>,
}

impl Search {
    /// Limits of time, memory and threads; the time starts now, and setting the flag `interrupt`
    /// stops the run. The address space granted by the system limits memory too.
    pub fn limits<'a>(&self, interrupt: &'a AtomicBool) -> Limits<'a> {
        Limits {
            memory: MemoryLimit::measured_by(machine::memory, self.memory_limit, address_space()),
            threads: self.threads.number(),
            ..self.time.limits(Some(interrupt))
        }
    }
}

/// The soft limit of this process's address space in bytes (`ulimit -v`); `None` if it is unlimited
/// or unknown.
#[cfg(unix)]
pub fn address_space() -> Option<u64> {
    let (soft, _) = rlimit::Resource::AS.get().ok()?;
    (soft != rlimit::INFINITY).then_some(soft)
}

/// `None`: only Unix has such a limit.
#[cfg(not(unix))]
pub fn address_space() -> Option<u64> {
    None
}

/// Appearance of pictures
#[derive(Clone, Copy, clap::Args)]
pub struct PictureArgs {
    /// Width of a tile in PNG pictures, 8 to 4000 pixels [default: 160]
    #[arg(long, value_name = "N", requires = "output", value_parser = number(8_u32..=4000))]
    pub pixels: Option<u32>,

    /// Names of tiles in pictures: turned with the tile, the same but small, or hidden
    #[arg(
        long,
        value_name = "HOW",
        requires = "output",
        value_parser = tile_names(),
        default_value = "turned",
    )]
    pub names: TileNames,

    /// What the edges show in pictures
    #[arg(
        long,
        value_name = "NAME",
        requires = "output",
        value_parser = theme(),
        default_value = "figures",
    )]
    pub theme: Theme,
}

impl PictureArgs {
    /// The width of a tile in pixels, given or default.
    pub fn pixels(&self) -> u32 {
        const USUAL: u32 = 160;
        self.pixels.unwrap_or(USUAL)
    }
}

/// Permission to replace files
#[derive(Clone, Copy, clap::Args)]
pub struct Force {
    /// Replace existing files, and write into folders that are not empty
    #[arg(help_heading = OUTPUT, long)]
    pub force: bool,
}

/// Messages on standard error
#[derive(Clone, Copy, clap::Args)]
pub struct Messages {
    /// Print nothing on standard error except errors
    #[arg(help_heading = OUTPUT, short, long)]
    pub quiet: bool,
}

/// Treatment of warnings about likely typing mistakes
#[derive(Clone, Copy, clap::Args)]
pub struct Warnings {
    /// Refuse a puzzle with warnings: what looks mistyped is an error
    #[arg(long)]
    pub strict: bool,
}

/// When to do something that is useful on a terminal; `auto`, the default, means only there
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

/// Colours in drawings with characters
#[derive(Clone, Copy, clap::Args)]
pub struct Color {
    /// Colours in drawings: auto, always, never [default: on a terminal]
    #[arg(help_heading = OUTPUT, long, value_name = "WHEN", value_enum, hide_possible_values = true)]
    pub color: Option<When>,
}

/// Number of threads
#[derive(Clone, Copy, clap::Args)]
pub struct Threads {
    /// Number of threads [default: one per core]
    #[arg(
        help_heading = SEARCH,
        short = 'j',
        long,
        short_alias = 'p',
        alias = "parallel",
        value_name = "N",
        value_parser = positive(),
    )]
    pub threads: Option<u16>,
}

impl Threads {
    /// The number of threads to use: as given, but at most one per available core, which is also
    /// the default. More would only take turns, and delay the threads that poll for signals.
    pub fn number(self) -> usize {
        self.threads.map_or(usize::MAX, usize::from).min(scheduler::available())
    }
}

/// Amount of messages on standard error
#[derive(Clone, Copy, clap::Args)]
pub struct Talk {
    /// Print nothing on standard error except errors
    #[arg(short, long, conflicts_with = "verbose")]
    pub quiet: bool,

    /// Report progress step by step on standard error
    #[arg(short, long)]
    pub verbose: bool,
}
