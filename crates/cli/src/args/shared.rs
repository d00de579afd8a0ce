//! Flags that several commands share.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use edgematch::enumerate::{Limits, MemoryLimit};
use edgematch::load::{FORMS, LoadError, ReadOptions, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::{load, scheduler};

use super::values::{duration, size};
use crate::engine::threads_of_engines;
use crate::machine;

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0    complete, or the asked number of solutions found; check: it fits
  1    complete: there is none; check: it does not fit
  2    bad usage, bad puzzle, bad file, output that cannot be written
  3    stopped early by a limit of time, memory or number: there may be more
  4    engines disagree, or a solver failed
  130  interrupted, by Ctrl-C, SIGTERM or SIGHUP: what was found is printed";

/// Where the puzzle is
#[derive(Debug, Clone, clap::Args)]
pub struct PuzzleFile {
    /// The puzzle: a file in YAML or another program's form, a code or a viewer's link, a folder
    /// with `input/tile_dict.yaml`, or - for standard input
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
    let from_stdin: Vec<&str> = read
        .filter(|(_, path)| *path == Path::new("-"))
        .map(|(what, _)| what)
        .collect();
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
pub struct ReadArgs {
    /// Lay the tiles on this board, not on the puzzle's own: cube, '{grid: [2, 4], wrap: both}'
    #[arg(long, value_name = "BOARD", conflicts_with = "size")]
    pub board: Option<String>,

    /// Lay the tiles on so many rows and columns, where the file does not tell or tells others:
    /// 2x5
    #[arg(long, value_name = "ROWSxCOLUMNS", value_parser = rows_and_columns)]
    pub size: Option<Size>,

    /// The file lists edges in this order, where it does not tell or tells another:
    /// clockwise-from-top, counterclockwise-from-right, …
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
pub(super) fn rows_and_columns(text: &str) -> Result<Size, String> {
    let side = |text: &str| text.parse().ok().filter(|side| (1..=1000).contains(side));
    let (rows, columns) = text.split_once(['x', 'X', '×']).unwrap_or_default();
    match (side(rows), side(columns)) {
        (Some(rows), Some(columns)) => Ok(Size { rows, columns }),
        _ => Err("expected rows and columns from 1 to 1000, such as 2x5".into()),
    }
}

impl ReadArgs {
    /// In words.
    pub fn overrides(&self) -> ReadOverrides {
        ReadOverrides {
            from: self.from.clone(),
            edge_order: self.edge_order.clone(),
            board: self.board.clone().or_else(|| self.size.map(Size::as_board)),
        }
    }

    /// What the words mean.
    pub fn options(&self) -> Result<ReadOptions, LoadError> {
        self.overrides().options_of_flags()
    }
}

/// What is asked beside what the puzzle says
#[derive(Debug, Clone, clap::Args)]
pub struct Extra {
    #[command(flatten)]
    pub overrides: ReadArgs,

    /// Also obey the constraints of this file: `constraints: [{pin: {cell: [1, 1], tile: 5}}, …]`
    #[arg(long, value_name = "FILE")]
    pub constraints: Vec<PathBuf>,

    /// Only what has this tile, so turned, in this cell; parts may be left out: 1,1=5  1,1@0
    /// =5@0; cells may have names, tiles backs: front=5@0/back
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
        let overrides = &self.overrides;
        let given = [
            ("--board", overrides.board.is_some()),
            ("--size", overrides.size.is_some()),
            ("--edge-order", overrides.edge_order.is_some()),
            ("--from", overrides.from.is_some()),
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
    pub fn overrides(&self) -> ReadOverrides {
        self.overrides.overrides()
    }

    /// How the puzzle's file is to be read.
    pub fn options(&self) -> Result<ReadOptions, LoadError> {
        self.overrides.options()
    }

    /// The problem with the constraints that are given in a word.
    pub fn add_words_to(&self, problem: Problem) -> Result<Problem, LoadError> {
        let problem = load::with_short_constraints(problem, "forbid", &self.forbid, "--forbid")?;
        self.pinned(problem)
    }

    /// The same without the pins, and the text of the puzzle.
    pub fn load_but_pins(&self, file: &Path) -> Result<(Problem, Vec<u8>), LoadError> {
        let (problem, text) = load::read_with_bytes(file, &self.options()?)?;
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

/// How pictures look
#[derive(Debug, Clone, Copy, clap::Args)]
pub struct PictureArgs {
    /// Width of a tile in PNG pictures, in pixels from 8 to 4000 [default: 160]
    #[arg(long, value_name = "N", requires = "output", allow_hyphen_values = true, value_parser = clap::value_parser!(u32).range(8..=4000))]
    pixels: Option<u32>,

    /// Names of tiles in pictures
    #[arg(long, value_name = "HOW", requires = "output", value_enum, default_value_t = NamesArg::Turned)]
    pub names: NamesArg,
}

impl PictureArgs {
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
