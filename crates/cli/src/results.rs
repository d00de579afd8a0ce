//! `edgematch results`: the results of batches as rows or as pages.
//!
//! Complete runs that disagree, and solutions that do not fit, are reported and become the exit
//! code 4.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, anyhow};
use edgematch::compare::named;
use edgematch::engine::counted;
use edgematch::enumerate::Known;
use edgematch_batch::Query;
use edgematch_batch::catalogue::{FORMATS, Files, STATUSES, Selection, Survey, Totals, html};

use super::args::Results;
use super::exit;
use super::output::{OutputFolder, Outputs};
use super::progress::Line;
use super::talk::say;

/// Runs the command; gives the exit code.
pub fn run(args: &Results) -> anyhow::Result<u8> {
    let folder = match &args.html {
        Some(path) => {
            let files = args.files.iter();
            let read = files.map(|path| ("the results", path.as_path()));
            Some(CatalogueFolder {
                folder: Outputs::new(args.force, read).folder(path)?,
                written: HashSet::new(),
            })
        }
        None => None,
    };
    let files = Files::open(&args.files)?;
    let mut selection = selection(args);
    let survey = Survey::new(&files, selection.query)?;
    if !args.engine.is_empty() {
        let known: Vec<String> = survey.engines.iter().cloned().collect();
        selection.engines = named(&known, &args.engine).map_err(|why| anyhow!(why))?;
    }
    let mut code = match folder {
        Some(folder) => write_pages(args, &files, &survey, &selection, folder)?,
        None => print(args, &files, &survey, &selection)?,
    };
    for disagreement in &survey.disagreements {
        say(&format!("disagreement: {disagreement}"));
        code = exit::FAILED;
    }
    Ok(code)
}

fn selection(args: &Results) -> Selection {
    let is_meant = |status: &Known| {
        let mut named = args.status.iter();
        named.any(|name| name.eq_ignore_ascii_case(status.name()))
    };
    Selection {
        query: if args.all { Query::All } else { Query::Newest },
        engines: Vec::new(),
        statuses: STATUSES.into_iter().filter(is_meant).collect(),
    }
}

fn print(
    args: &Results,
    files: &Files,
    survey: &Survey,
    selection: &Selection,
) -> anyhow::Result<u8> {
    let is_asked = |name: &str| args.format.as_ref().is_some_and(|asked| asked == name);
    let asked = FORMATS.iter().find(|format| is_asked(format.name));
    let format = asked.unwrap_or(&FORMATS[0]);
    let mut show = (format.start)(survey);
    let mut totals = Totals::default();
    let mut out = BufWriter::new(io::stdout().lock());
    show.begin(&mut out)?;
    files.rows(survey, selection, |row| {
        totals.add(row);
        anyhow::Ok(show.row(&mut out, row)?)
    })?;
    show.end(&mut out, &totals)?;
    out.flush()?;
    if totals.is_empty() && !args.messages.quiet {
        say("no finished run matches the selection");
    }
    Ok(exit::FOUND)
}

fn write_pages(
    args: &Results,
    files: &Files,
    survey: &Survey,
    selection: &Selection,
    mut folder: CatalogueFolder,
) -> anyhow::Result<u8> {
    let most = match args.drawings {
        0 => u64::MAX,
        most => most,
    };
    let mut line = Line::new(args.messages.quiet);
    let mut progress = |drawn: u64, all: u64| match drawn {
        0 if args.messages.quiet => {}
        0 => say(&format!("drawing {}", counted(all, "solution", "solutions"))),
        _ => line.show(|| format!("{drawn} of {all} solutions drawn")),
    };
    let written = html::write(files, survey, (selection, most), &mut folder, &mut progress)?;
    line.finish();
    folder.clear()?;
    if !args.messages.quiet {
        for note in &written.notes {
            say(&format!("note: {note}"));
        }
    }
    for fault in &written.faults {
        say(&format!("error: {fault}"));
    }
    if !args.messages.quiet {
        say(&format!(
            "{}: {}, {} drawn, {} could not be run",
            folder.folder.path().join("index.html").display(),
            counted(written.puzzles, "puzzle", "puzzles"),
            counted(written.solutions, "solution", "solutions"),
            written.bad,
        ));
    }
    Ok(if written.faults.is_empty() { exit::FOUND } else { exit::FAILED })
}

/// A folder that a catalogue is written into, file by file.
struct CatalogueFolder {
    folder: OutputFolder,
    /// The folders in it that have been written into.
    written: HashSet<OsString>,
}

impl CatalogueFolder {
    /// Takes away the folders of an earlier catalogue whose puzzles are not in this one.
    fn clear(&self) -> anyhow::Result<()> {
        let path = self.folder.path();
        let unreadable = || format!("{} can't be read", path.display());
        for entry in fs::read_dir(path).with_context(unreadable)? {
            let entry = entry.with_context(unreadable)?;
            let name = entry.file_name();
            if !self.written.contains(&name) && is_of_a_catalogue(&name, &entry.path()) {
                let path = entry.path();
                let unremovable = || format!("{} can't be removed", path.display());
                fs::remove_dir_all(&path).with_context(unremovable)?;
            }
        }
        Ok(())
    }
}

/// Whether a folder is one that a catalogue makes, `NAME-HASH`, with nothing in it but pages and
/// drawings.
fn is_of_a_catalogue(name: &OsStr, path: &Path) -> bool {
    const DIGITS: usize = 16;
    let name = name.to_string_lossy();
    let hash = name.rsplit_once('-').map_or("", |(_, hash)| hash);
    let is_hash = hash.len() == DIGITS && hash.bytes().all(|b| b.is_ascii_hexdigit());
    let is_ours = |entry: io::Result<fs::DirEntry>| {
        entry.is_ok_and(|entry| {
            let ending = entry.path().extension().map(OsStr::to_os_string);
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            is_file && ending.is_some_and(|ending| ending == "svg" || ending == "html")
        })
    };
    is_hash
        && path.join("index.html").is_file()
        && fs::read_dir(path).is_ok_and(|mut entries| entries.all(is_ours))
}

impl html::Folder for CatalogueFolder {
    type Error = anyhow::Error;

    fn write(&mut self, name: &str, content: &[u8]) -> anyhow::Result<()> {
        if let Some((folder, _)) = name.split_once('/') {
            self.written.insert(folder.into());
        }
        self.folder.write(name, content)
    }

    fn remove(&mut self, name: &str) -> anyhow::Result<bool> {
        self.folder.remove(name)
    }
}
