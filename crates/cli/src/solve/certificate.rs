//! `solve --certificate`: searches while recording a proof, and writes the folder of the
//! certificate.
//!
//! The files appear together at the end, or not at all: a run that stops early leaves no
//! certificate.

use std::fs;
use std::io::{BufWriter, Write};

use anyhow::Context;
use edgematch::board::CellName;
use edgematch::domains::counting::{self, CountMismatch, Filled};
use edgematch::engine::{Auto, Engine, Traced, counted};
use edgematch::enumerate::{self, Limits};
use edgematch::load::{self, ReadOverrides};
use edgematch::problem::Problem;
use edgematch::puzzle::Label;
use edgematch_proof::{
    Certificate, Claim, CountingStep, Encoding, FileEntry, Manifest, Recorder, sha256,
};
use edgematch_report::arrangement_text;

use super::printer::{Done, Printer};
use crate::args::{Extra, Loaded, PuzzleFile, Solve};
use crate::common::{Draft, OutputFolder, unwritable};

/// The names of the files in the folder, besides the puzzle and its constraints.
pub const MANIFEST: &str = "manifest.json";
pub const FORMULA: &str = "puzzle.cnf";
pub const PROOF: &str = "proof.drat";
pub const SOLUTIONS: &str = "solutions.txt";

/// Returns true for the names of files that are written into the folder.
pub fn is_written(name: &str) -> bool {
    [MANIFEST, FORMULA, PROOF, SOLUTIONS].contains(&name)
        || name.starts_with("puzzle.")
        || name.starts_with("constraints-")
}

/// The SHA-256 of everything that determines the problem: the files, and the pins, forbidden
/// placements and reading options in `extra`.
pub fn hash_inputs(loaded: &Loaded, extra: &Extra) -> String {
    let files = std::iter::once(&loaded.text).chain(&loaded.constraints);
    let files = files.map(|bytes| ("file", &bytes[..]));
    let forbid = extra.forbid.iter().map(|word| ("forbid", word.as_bytes()));
    let pin = extra.pin.iter().map(|word| ("pin", word.as_bytes()));
    let overrides = extra.reading.overrides();
    let overrides = overrides.words().map(|(name, word)| (name, word.as_bytes()));
    let mut all = Vec::new();
    for (what, bytes) in files.chain(forbid).chain(pin).chain(overrides) {
        // With its length, so that different inputs never concatenate to the same bytes.
        all.extend(format!("{what} {}\n", bytes.len()).into_bytes());
        all.extend(bytes);
    }
    sha256(&all)
}

/// The name of each input file in the folder with its content: the puzzle, then the constraints.
type InputFiles<'a> = Vec<(String, &'a [u8])>;

/// Lists the input files.
///
/// # Errors
/// If the puzzle file is not text.
fn input_files<'a>(puzzle: &PuzzleFile, loaded: &'a Loaded) -> load::Result<InputFiles<'a>> {
    let options = puzzle.extra.reading.options()?;
    let form = load::form_of(&loaded.text, &load::shown(&puzzle.file), &options)?;
    let mut files = vec![(format!("puzzle.{}", form.extension()), &loaded.text[..])];
    for (number, bytes) in (1..).zip(&loaded.constraints) {
        files.push((format!("constraints-{number}.yaml"), bytes));
    }
    Ok(files)
}

/// A counting argument that rules out every solution; `None` if none is found, or an engine other
/// than `auto` was requested.
fn counting_claim(args: &Solve, problem: &Problem) -> Option<Claim> {
    args.engine.engine().ok().filter(|engine| engine.name() == Auto.name())?;
    claim_of(problem, &counting::proof(problem)?)
}

/// The size of a proof in words: "12 lemmas", or "a count" for a counting argument, which has none.
pub fn lemmas(number: u64) -> String {
    match number {
        0 => "a count".to_owned(),
        _ => counted(number, "lemma", "lemmas"),
    }
}

/// The folder of a certificate. If it is new and still empty when dropped, it is removed.
struct Folder {
    folder: OutputFolder,
    /// True if this run creates the folder, until the certificate is written.
    is_new: bool,
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_new {
            // Fails if it is not empty.
            let _ = fs::remove_dir(self.folder.path());
        }
    }
}

/// A folder that is ready for a certificate.
pub struct Opened<'a> {
    encoding: Encoding,
    inputs: InputFiles<'a>,
    // Declared, and so dropped, before its folder.
    proof: Draft,
    folder: Folder,
}

impl<'a> Opened<'a> {
    /// Prepares the folder: creates it and removes an earlier certificate.
    ///
    /// # Errors
    /// If the puzzle would need too many clauses, or the folder cannot be written.
    pub fn open(
        folder: OutputFolder,
        puzzle: &PuzzleFile,
        loaded: &'a Loaded,
    ) -> anyhow::Result<Self> {
        let encoding = Encoding::new(&loaded.problem)?;
        encoding.base()?;
        let folder = Folder { is_new: !folder.path().exists(), folder };
        let inputs = input_files(puzzle, loaded)?;
        for (name, _) in &inputs {
            folder.folder.file(name)?;
        }
        // The manifest first: without it the rest is not a certificate.
        for name in [MANIFEST, PROOF, FORMULA, SOLUTIONS] {
            folder.folder.remove(name)?;
        }
        let proof = folder.folder.file(PROOF)?.draft()?;
        Ok(Opened { encoding, inputs, proof, folder })
    }

    /// Runs the search and prints its solutions. If it is complete, writes the certificate and
    /// returns its size in words; otherwise returns `None` and writes no certificate. If counting
    /// rules out every solution, the certificate states the count instead of a proof.
    ///
    /// # Errors
    /// If standard output or the folder cannot be written.
    pub fn solve(
        self,
        args: &Solve,
        problem: &Problem,
        mut printer: Printer<'_>,
        limits: &Limits<'_>,
    ) -> anyhow::Result<(Done, Option<String>)> {
        let unwritable = || unwritable(&self.folder.folder.path().join(PROOF));
        let mut recorder = Recorder::new(&self.encoding, BufWriter::new(&self.proof.file));
        let claim = counting_claim(args, problem);
        let breaks_symmetry = self.encoding.is_closed(problem, &limits.token());
        let traced = Traced::new(problem, breaks_symmetry, &mut recorder);
        let broken = traced.broken().clone();
        let engine: &dyn Engine = match claim {
            Some(_) => &Auto,
            None => &traced,
        };
        let outcome = enumerate::run(problem, engine, limits, &mut printer);
        drop(traced);
        let done = printer.finish(outcome, None, None)?;
        if let Some(error) = recorder.take_error() {
            return Err(error).with_context(unwritable);
        }
        if !done.outcome.status.is_complete() {
            return Ok((done, None));
        }
        let entries = self.inputs.iter();
        let mut entries =
            entries.map(|(file, bytes)| FileEntry { file: file.clone(), sha256: sha256(bytes) });
        let files = (entries.next().context("no puzzle file")?, entries.collect());
        let tally = &done.outcome.tally;
        let certificate = recorder.finish(problem, &broken, tally, claim, files);
        let certificate = certificate.with_context(unwritable)?;
        let Extra { forbid, pin, reading, .. } = args.puzzle.extra.clone();
        let ReadOverrides { from, edge_order, board, border, rotations } = reading.overrides();
        let Certificate { manifest, .. } = certificate;
        let manifest =
            Manifest { forbid, pin, from, edge_order, board, border, rotations, ..manifest };
        let size = self.write(problem, &Certificate { manifest, ..certificate })?;
        Ok((done, Some(size)))
    }

    /// Writes the files, the manifest last, because without it the folder is not a certificate.
    /// Returns the numbers of clauses, lemmas and bytes in words. Fails if a file cannot be
    /// written.
    fn write(self, problem: &Problem, certificate: &Certificate) -> anyhow::Result<String> {
        let Opened { inputs, proof, mut folder, .. } = self;
        folder.is_new = false;
        let folder = &folder.folder;
        for (name, bytes) in &inputs {
            folder.write(name, bytes)?;
        }
        folder.write(FORMULA, &certificate.formula)?;
        let mut solutions = Vec::new();
        for arrangement in &certificate.arrangements {
            let text = arrangement_text(problem, arrangement);
            writeln!(solutions, "{text}----------")?;
        }
        let is_none = certificate.arrangements.is_empty();
        writeln!(solutions, "{}", if is_none { "=====UNSATISFIABLE=====" } else { "==========" })?;
        folder.write(SOLUTIONS, &solutions)?;
        proof.finish()?;
        let manifest = certificate.manifest.text();
        folder.write(MANIFEST, manifest.as_bytes())?;
        let sections = certificate.manifest.clauses;
        let written = inputs.iter().map(|(_, bytes)| bytes.len());
        let bytes =
            written.sum::<usize>() + certificate.formula.len() + solutions.len() + manifest.len();
        Ok(format!(
            "{}, {}, {}",
            counted(sections.base + sections.symmetry + sections.solutions, "clause", "clauses"),
            lemmas(certificate.manifest.lemmas),
            counted(bytes as u64 + certificate.proof_bytes, "byte", "bytes")
        ))
    }
}

/// The claim that states a count mismatch; `None` for kinds of mismatch that certificates do not
/// have.
fn claim_of(problem: &Problem, count: &CountMismatch) -> Option<Claim> {
    let edge = |label: Label| Claim::Edges { edge: problem.puzzle.labels.name(label) };
    let tiles = |tiles: &[usize]| -> Vec<String> {
        tiles.iter().map(|&tile| problem.puzzle.tiles[tile].name.clone()).collect()
    };
    let cells = |cells: &[usize]| -> Vec<CellName> {
        cells.iter().map(|&cell| problem.board.cells()[cell].name.clone()).collect()
    };
    let step =
        |filled: &Filled| CountingStep { tiles: tiles(&filled.tiles), cells: cells(&filled.cells) };
    Some(match count {
        CountMismatch::Halves { first, .. } => edge(*first),
        CountMismatch::Odd { label, .. } | CountMismatch::Short { label, .. } => edge(*label),
        CountMismatch::Pairs { .. } => Claim::Pairs {},
        CountMismatch::Unplaceable { because, tiles: own, cells: fitting } => Claim::Tiles {
            because: because.iter().map(step).collect(),
            tiles: tiles(own),
            cells: cells(fitting),
        },
        CountMismatch::Unfilled { because, cells: own, tiles: fitting } => Claim::Cells {
            because: because.iter().map(step).collect(),
            tiles: tiles(fitting),
            cells: cells(own),
        },
        CountMismatch::Rim { .. } | CountMismatch::Frame { .. } => return None,
    })
}
