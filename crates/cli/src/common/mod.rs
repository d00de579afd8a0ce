//! Helpers that several commands share: output files, messages, exit codes, signals, pictures.

pub mod exit;
pub mod interrupt;
mod line;
mod output;
pub mod patience;
pub mod pictures;
mod talk;
pub mod warnings;

pub use self::line::{Line, Ticker};
pub use self::output::{
    Destination, Draft, OutputFile, OutputFolder, Outputs, ending, folder_of, is_stdout,
    named_after, unwritable,
};
pub use self::patience::LimitError;
pub use self::pictures::{DrawingFile, PictureFolder, SolutionPictures, SvgReport};
pub use self::talk::{columns, ink, note, print, print_json, quoted, say, write_line};
