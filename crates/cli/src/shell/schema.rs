//! `edgematch schema`: what editors need to know of our own form.

use std::io::{self, Write};

use edgematch::load::{self, Described};

use crate::args::{DescribedArg, Schema};
use crate::common::exit;

/// Runs the command; gives the exit code.
pub fn run(args: &Schema) -> anyhow::Result<u8> {
    let described = match args.of {
        DescribedArg::Puzzle => Described::Puzzle,
        DescribedArg::Constraints => Described::Constraints,
    };
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &load::schema(described)).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(exit::FOUND)
}
