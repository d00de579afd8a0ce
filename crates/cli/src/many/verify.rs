//! `edgematch verify`: checks a certificate.
//!
//! This module reads the files of the folder and compares their hashes; `edgematch-proof` verifies
//! the proof.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use edgematch::engine::counted;
use edgematch::load::{self, LoadError, printable};
use edgematch::problem::Problem;
use edgematch_proof::{
    self as proof, Evidence, FileEntry, Manifest, Verified, VerifyError, sha256,
};
use edgematch_report::{SYMMETRIES, found};
use serde_json::json;

use crate::args::{AnswerFormat, Verify};
use crate::common::{exit, print, warnings};
use crate::solve::certificate::{FORMULA, MANIFEST, PROOF, SOLUTIONS, lemmas};

/// Runs `edgematch verify`; returns the exit code: [`exit::NONE`] if the certificate is rejected.
pub fn run(args: &Verify) -> anyhow::Result<u8> {
    let manifest = manifest(&args.folder)?;
    let mut read = None;
    let verified = read_problem(args, &manifest).and_then(|problem| {
        let problem = read.insert(problem);
        Ok((verdict(args, &manifest, problem)?, problem.puzzle.name.clone()))
    });
    let verdict = match verified {
        Err(VerifyError::Unreadable(error)) => return Err(error.into()),
        Err(VerifyError::Rejected(why)) => Err(why),
        Ok(verified) => Ok(verified),
    };
    match args.answer.format {
        AnswerFormat::Json => print(format!("{}\n", json(&manifest, &verdict)))?,
        _ if args.answer.messages.quiet => {}
        _ => print(printable(&text(&manifest, &verdict)) + "\n")?,
    }
    if let Some(problem) = &read {
        warnings::assumed(problem, args.answer.messages.quiet);
    }
    Ok(if verdict.is_ok() { exit::FOUND } else { exit::NONE })
}

/// The answer as a line of text.
fn text(manifest: &Manifest, verdict: &Verdict) -> String {
    let (verified, name) = match verdict {
        Ok(verified) => verified,
        Err(why) => return format!("refused: {why}"),
    };
    let counts = &verified.found;
    let found = found(counts.distinct, &counts.classes, &counts.solutions, SYMMETRIES);
    let complete = if counts.distinct == 0 { "" } else { ", proven complete" };
    let size =
        format!("{}, {}", counted(verified.clauses, "clause", "clauses"), lemmas(verified.lemmas));
    let subject = subject(name, manifest);
    format!("{subject}: {found}{complete}: verified ({size})")
}

/// The verified facts with the name of the puzzle, or the reason why the certificate is refused.
type Verdict = Result<(Verified, String), String>;

/// The puzzle's name, followed by the constraints and options that are not in its file: `NAME with
/// --pin 1,1=5, …`.
fn subject(name: &str, manifest: &Manifest) -> String {
    let files = manifest.constraints.iter().map(|entry| entry.file.clone());
    let forbid = manifest.forbid.iter().map(|word| format!("--forbid {word}"));
    let pin = manifest.pin.iter().map(|word| format!("--pin {word}"));
    let overrides = manifest.overrides();
    let overrides = overrides.words().map(|(name, word)| match (name, word) {
        ("rotations", "false") => "--no-rotation".to_owned(),
        _ => format!("--{name} {word}"),
    });
    let more: Vec<String> = overrides.chain(files).chain(forbid).chain(pin).collect();
    if more.is_empty() { name.to_owned() } else { format!("{name} with {}", more.join(", ")) }
}

/// The verdict as JSON: the puzzle with its overrides and the sizes of the proof, or the reason for
/// the rejection.
fn json(manifest: &Manifest, verdict: &Verdict) -> serde_json::Value {
    match verdict {
        Ok((verified, name)) => json!({
            "verified": true,
            "name": name,
            "constraints": manifest.constraints,
            "forbid": manifest.forbid,
            "pin": manifest.pin,
            "from": manifest.from,
            "edge_order": manifest.edge_order,
            "board": manifest.board,
            "border": manifest.border,
            "rotations": manifest.rotations,
            "found": verified.found,
            "clauses": verified.clauses,
            "lemmas": verified.lemmas,
        }),
        Err(why) => json!({"verified": false, "reason": why}),
    }
}

/// Reads the manifest of the certificate in this folder.
fn manifest(folder: &Path) -> Result<Manifest, LoadError> {
    if !folder.exists() {
        return Err(whole(folder, "there is no such folder"));
    }
    if !folder.is_dir() {
        return Err(whole(folder, "it is a file, not the folder of a certificate"));
    }
    let path = folder.join(MANIFEST);
    let bytes = read(&path).map_err(|error| LoadError {
        help: Some("a certificate is a folder that `edgematch solve --certificate` wrote".into()),
        ..error
    })?;
    Manifest::parse(&bytes, &path.display().to_string())
}

/// Reads solutions, formula and proof, and verifies them.
fn verdict(args: &Verify, manifest: &Manifest, problem: &Problem) -> Result<Verified, VerifyError> {
    let [solutions, formula, proof] =
        [SOLUTIONS, FORMULA, PROOF].map(|name| args.folder.join(name));
    let shown = solutions.display().to_string();
    let evidence = Evidence {
        manifest,
        arrangements: &load::read_all_solutions(&read(&solutions)?, &shown, problem)?,
        formula: (open(&formula)?, &formula.display().to_string()),
        proof: (open(&proof)?, &proof.display().to_string()),
    };
    proof::verify(problem, evidence)
}

/// Reads the puzzle in the folder with all its constraints.
///
/// # Errors
/// If a file cannot be read or parsed; rejects the certificate if a hash or the puzzle's name
/// differs from the manifest, or the puzzle from that of the command line.
fn read_problem(args: &Verify, manifest: &Manifest) -> Result<Problem, VerifyError> {
    let (path, bytes) = read_entry(&args.folder, &manifest.puzzle)?;
    if let Some(file) = &args.file
        && load::read_bytes(&load::puzzle_file(file)?)? != bytes
    {
        let why = format!("{} is not the puzzle of the certificate", file.display());
        return Err(VerifyError::Rejected(why));
    }
    let place = |name: &str| format!("{}: {name}", args.folder.join(MANIFEST).display());
    let reading = manifest.overrides().options(place)?;
    let mut problem = load::from_bytes_as(&bytes, &path, UNNAMED, &reading)?;
    if problem.puzzle.name != UNNAMED && problem.puzzle.name != manifest.name {
        return Err(VerifyError::Rejected(format!(
            "the puzzle's name is {}, but the manifest says {}",
            load::tile_text(&problem.puzzle.name),
            load::tile_text(&manifest.name)
        )));
    }
    for entry in &manifest.constraints {
        let (path, bytes) = read_entry(&args.folder, entry)?;
        problem = load::constraints_from_bytes(problem, &bytes, &path)?;
    }
    for (kind, words) in [("forbid", &manifest.forbid), ("pin", &manifest.pin)] {
        let list = format!("{}: {kind}", args.folder.join(MANIFEST).display());
        problem = load::with_short_constraints(problem, kind, words, &list)?;
    }
    Ok(problem)
}

/// Stands for the name of a puzzle whose file contains none; its name then came from the name of
/// the original file, which the certificate does not preserve.
const UNNAMED: &str = "puzzle";

/// Reads a file that the manifest names; returns its path and its content.
///
/// # Errors
/// If the name is not a plain file name (subfolders are not allowed either), or the file cannot be
/// read; rejects the certificate if the hash differs.
fn read_entry(folder: &Path, entry: &FileEntry) -> Result<(String, Vec<u8>), VerifyError> {
    let is_name = Path::new(&entry.file).file_name() == Some(entry.file.as_ref());
    if !is_name {
        let message = format!("`{}` is not a file of this folder", entry.file);
        return Err(whole(&folder.join(MANIFEST), message).into());
    }
    let path = folder.join(&entry.file);
    let bytes = read(&path)?;
    let path = path.display();
    if sha256(&bytes) != entry.sha256 {
        let why = format!("{path} is not the file of the certificate: its hash differs");
        return Err(VerifyError::Rejected(why));
    }
    Ok((path.to_string(), bytes))
}

/// An error about a file as a whole, without a position in it.
fn whole(path: &Path, message: impl Into<String>) -> LoadError {
    LoadError::whole_file(path.display(), message.into())
}

/// Reads a whole file.
fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes).map_err(|error| whole(path, load::read_failure(&error)))?;
    Ok(bytes)
}

/// Opens a file. A device or a pipe, which may never end, is an error.
fn open(path: &Path) -> Result<BufReader<File>, LoadError> {
    if path.exists() && !path.is_dir() && !path.is_file() {
        return Err(whole(path, "it is a device or a pipe, not a file"));
    }
    Ok(BufReader::new(File::open(path).map_err(|error| whole(path, load::read_failure(&error)))?))
}
