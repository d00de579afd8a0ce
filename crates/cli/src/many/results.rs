//! `edgematch results`: prints the results of batches as rows.
//!
//! Complete runs that disagree are reported and lead to exit code 4.

use std::io::{self, BufWriter, Write};

use anyhow::anyhow;
use edgematch::analyse::compare::named;
use edgematch_batch::Query;
use edgematch_batch::catalogue::{Files, Selection, Survey, Totals};

use crate::args::Results;
use crate::common::{exit, note, say};

/// Runs `edgematch results`; returns the exit code: [`exit::FAILED`] if complete runs disagree.
pub fn run(args: &Results) -> anyhow::Result<u8> {
    let files = Files::open(&args.files)?;
    let mut selection = Selection {
        query: if args.all { Query::All } else { Query::Newest },
        engines: Vec::new(),
        statuses: args.status.clone(),
    };
    let survey = Survey::new(&files, selection.query)?;
    if !args.engine.is_empty() {
        let known: Vec<String> = survey.engines.iter().cloned().collect();
        selection.engines = named(&known, &args.engine).map_err(|why| anyhow!(why))?;
    }
    let mut show = (args.format.start)(&survey);
    let mut totals = Totals::default();
    let mut out = BufWriter::new(io::stdout().lock());
    show.begin(&mut out)?;
    files.rows(&survey, &selection, |_, row| {
        totals.add(&row);
        anyhow::Ok(show.row(&mut out, &row)?)
    })?;
    show.end(&mut out, &totals)?;
    out.flush()?;
    note(args.messages.quiet || !totals.is_empty(), "no finished run matches the selection");
    for disagreement in &survey.disagreements {
        say(&format!("disagreement: {disagreement}"));
    }
    Ok(if survey.disagreements.is_empty() { exit::FOUND } else { exit::FAILED })
}
