//! `edgematch merge`: combines the outputs of the parts of a search.

use std::io::{self, BufWriter, Write};

use edgematch::analyse::merge::{MergeError, Merged, merge};
use edgematch_report::merged;

use crate::args::{Merge, MergeFormat};
use crate::common::{exit, note, say};

/// Runs `edgematch merge`; returns the exit code: [`exit::FAILED`] if the parts contradict each
/// other, [`exit::STOPPED`] if one is missing or incomplete, [`exit::NONE`] if none has a solution.
pub fn run(args: &Merge) -> anyhow::Result<u8> {
    let merged = match merge(&args.files) {
        Ok(merged) => merged,
        Err(MergeError::BadFile(error)) => return Err(error.into()),
        Err(MergeError::Contradiction(message)) => {
            say(&format!("error: {message}"));
            return Ok(exit::FAILED);
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    match args.format {
        MergeFormat::Text => out.write_all(merged::text(&merged).as_bytes())?,
        format => merged::json(&merged, format == MergeFormat::Json, &mut out)?,
    }
    out.flush()?;
    note(args.messages.quiet, &merged::sentence(&merged));
    Ok(code(&merged))
}

/// The exit code of the merged search: stopped if a part is missing or incomplete.
fn code(merged: &Merged) -> u8 {
    match (merged.is_complete(), merged.totals.distinct) {
        (false, _) => exit::STOPPED,
        (true, 0) => exit::NONE,
        (true, _) => exit::FOUND,
    }
}
