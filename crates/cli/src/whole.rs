//! Files that are written whole or not at all: to a temporary file first, which then gets the name.
//!
//! Temporary files of runs that were killed are removed by the next run in the same folder.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use edgematch_batch::Process;
use edgematch_proof::sha256;
use itertools::Itertools;
use tempfile::{Builder, NamedTempFile};

/// Whether a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// What is read is not replaced by what is written.
///
/// # Errors
/// Where the output of a flag is one of the files that are read.
pub fn refuse_replacing<'a>(
    flag: &str,
    output: &Path,
    read: impl Iterator<Item = (&'static str, &'a Path)>,
) -> anyhow::Result<()> {
    let place = |path: &Path| fs::canonicalize(path).ok();
    let there = place(output).filter(|_| output.is_file());
    let mut read = read.filter(|(_, path)| there.is_some() && place(path) == there);
    match read.next() {
        Some((what, _)) => bail!("{flag} {} would replace {what}", output.display()),
        None => Ok(()),
    }
}

/// What all temporary files are called.
const PREFIX: &str = ".edgematch-";
const SUFFIX: &str = ".tmp";

/// A file that takes its place when it is whole.
pub struct Whole {
    path: PathBuf,
    place: Place,
}

enum Place {
    /// Beside, until it is moved there.
    Beside(NamedTempFile),
    /// A device or a pipe is written to; a file in its place would be another thing.
    There(fs::File),
}

impl Whole {
    /// Begins a file.
    pub fn open(path: &Path) -> anyhow::Result<Whole> {
        let place = path.parent().filter(|p| !p.as_os_str().is_empty());
        let folder = place.unwrap_or(Path::new("."));
        let open = || -> io::Result<Place> {
            if path.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if path.exists() && !path.is_file() {
                let device = fs::OpenOptions::new().write(true).open(path)?;
                return Ok(Place::There(device));
            }
            // Its own error would name the temporary file.
            let file = beside(folder).map_err(|e| match e.kind() {
                io::ErrorKind::NotFound => io::Error::other("there is no such folder"),
                kind => kind.into(),
            })?;
            Ok(Place::Beside(file))
        };
        Ok(Whole {
            path: path.to_owned(),
            place: open().with_context(|| unwritable(path))?,
        })
    }

    /// Writes more of it.
    pub fn add(&mut self, content: &[u8]) -> anyhow::Result<()> {
        let written = match &mut self.place {
            // The temporary file's own error would name it.
            Place::Beside(file) => file.as_file_mut().write_all(content),
            Place::There(device) => device.write_all(content),
        };
        written.with_context(|| unwritable(&self.path))
    }

    /// Puts it where it belongs.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.place {
            Place::Beside(file) => persist(file, &self.path),
            Place::There(_) => Ok(()),
        }
    }
}

pub fn unwritable(path: &Path) -> String {
    format!("{} can't be written", path.display())
}

/// Writes a file whole or not at all.
pub fn write_whole(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let mut file = Whole::open(path)?;
    file.add(content)?;
    file.finish()
}

/// A file that is written in a folder before it takes its place there. What a process has left
/// there that was killed meanwhile is removed.
pub fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let process = Process::this();
    let host = sha256(process.host.as_bytes())[..8].to_owned();
    let pid = process.pid;
    let born = &process.born;
    remove_abandoned(folder, &host, &process);
    let prefix = format!("{PREFIX}{host}-{pid}-{born}-");
    Builder::new()
        .prefix(&prefix)
        .suffix(SUFFIX)
        .tempfile_in(folder)
}

/// Removes what processes that are gone have left; `here` is what files call this machine.
fn remove_abandoned(folder: &Path, here: &str, this: &Process) {
    /// Larger folders are not searched to the end for every file.
    const SEARCHED: usize = 1_000;
    let is_abandoned = |name: &str| {
        let words = name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?;
        let (host, pid, born, _) = words.split('-').collect_tuple()?;
        let process = Process {
            host: this.host.clone(),
            pid: pid.parse().ok()?,
            born: born.to_owned(),
        };
        Some(host == here && process.is_known_dead())
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(SEARCHED) {
        if is_abandoned(&entry.file_name().to_string_lossy()) == Some(true) {
            // Somebody else may be faster.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Moves a file that was written beside its place there.
pub fn persist(file: NamedTempFile, path: &Path) -> anyhow::Result<()> {
    let move_it = || -> io::Result<()> {
        readable(&file)?;
        file.persist(path)?;
        Ok(())
    };
    move_it().with_context(|| unwritable(path))
}

/// Temporary files are for their owner alone; pictures are for everybody.
#[cfg(unix)]
fn readable(file: &NamedTempFile) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file()
        .set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &NamedTempFile) -> io::Result<()> {
    Ok(())
}
