//! Output files and folders, under one rule for every command that writes.
//!
//! A file that the command reads is never replaced. An existing file, or a folder that is not
//! empty, is refused without `--force`, before the work starts. A file appears whole or not at all.
//! A new file obeys the umask, a replaced one keeps its mode, and a symbolic link is written
//! through.
//!
//! Temporary files of runs that were killed are removed by the next run in the same folder.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use edgematch::load;
use same_file::Handle;
use tempfile::{Builder, NamedTempFile, TempPath};

use super::talk::print;
use crate::args::{Force, Input};

/// Returns true if a path means standard output.
pub fn is_stdout(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens output files under the rules of this module: it knows the files that the command reads,
/// and whether `--force` is given.
#[derive(Debug, Clone)]
pub struct Outputs {
    is_forced: bool,
    /// Each input with a noun phrase for it.
    inputs: Vec<(&'static str, PathBuf)>,
    /// The output files opened so far, with symbolic links resolved.
    opened: Vec<PathBuf>,
}

impl Outputs {
    /// Creates the value for a command that reads these files, each with a noun phrase for
    /// messages.
    pub fn new<'a>(force: Force, inputs: impl IntoIterator<Item = Input<'a>>) -> Outputs {
        // A folder with a puzzle stands for the file in it.
        let file = |path: &Path| load::puzzle_file(path).unwrap_or_else(|_| path.into());
        let inputs = inputs.into_iter();
        Outputs {
            is_forced: force.force,
            inputs: inputs.map(|(what, path)| (what, file(path))).collect(),
            opened: Vec::new(),
        }
    }

    /// Checks that a file may be written; nothing is created or changed yet.
    ///
    /// # Errors
    /// If the path is `-`, an input, another output, a folder, in a folder that does not exist, or
    /// an existing file and `--force` is not given.
    pub fn file(&mut self, path: &Path) -> anyhow::Result<OutputFile> {
        if is_stdout(path) {
            bail!("expected the name of a file, found `-`");
        }
        let file = OutputFile::at(path)?;
        self.refuse_input(path)?;
        if let Place::File(target) = &file.place {
            if target.exists() && !self.is_forced {
                bail!("{} exists; use --force to replace it, or name another file", path.display());
            }
            if self.opened.contains(target) {
                bail!("{} is named as output twice", path.display());
            }
            self.opened.push(target.clone());
        }
        Ok(OutputFile { may_replace: self.is_forced, ..file })
    }

    /// Opens the file of an option `-o`, or standard output if there is none or it is `-`.
    ///
    /// # Errors
    /// As [`file`](Outputs::file).
    pub fn file_or_stdout(&mut self, path: Option<&Path>) -> anyhow::Result<Destination> {
        match path.filter(|path| !is_stdout(path)) {
            Some(path) => self.file(path).map(Destination::File),
            None => Ok(Destination::Stdout),
        }
    }

    /// Checks that files may be written into a folder; nothing is created or changed yet.
    /// `is_written` returns true for the names of files that the command writes there.
    ///
    /// # Errors
    /// If the path is not a folder, the folder is not empty and `--force` is not given, or an input
    /// would be replaced.
    pub fn folder(
        &self,
        path: &Path,
        is_written: fn(&str) -> bool,
    ) -> anyhow::Result<OutputFolder> {
        if path.exists() && !path.is_dir() {
            bail!("{} is a file, not a folder", path.display());
        }
        if !path.exists() && FILES.contains(&ending(path).as_str()) {
            bail!(
                "{}: this command writes a folder here, not a {} file",
                path.display(),
                ending(path)
            );
        }
        let is_filled =
            path.is_dir() && fs::read_dir(path).with_context(|| unwritable(path))?.next().is_some();
        if is_filled && !self.is_forced {
            let path = path.display();
            bail!("the folder {path} is not empty; use --force to write into it anyway");
        }
        for name in self.inputs.iter().filter_map(|(_, input)| input.file_name()?.to_str()) {
            if is_written(name) {
                self.refuse_input(&path.join(name))?;
            }
        }
        Ok(OutputFolder { path: path.to_owned(), outputs: self.clone() })
    }

    /// Returns an error if the path leads to an input file, also by a symbolic or hard link.
    fn refuse_input(&self, path: &Path) -> anyhow::Result<()> {
        // Only regular files are compared: a command may read and write one device, and opening a
        // pipe would disturb its writer.
        let is_file = |(_, input): &&(_, PathBuf)| is_stdout(input) || input.is_file();
        let mut inputs = self.inputs.iter().filter(|_| path.is_file()).filter(is_file);
        match inputs.find(|(_, input)| is_same_file(input, path)) {
            Some((what, _)) => bail!(
                "{} would replace {what}, which the command reads: name another file",
                path.display()
            ),
            None => Ok(()),
        }
    }
}

/// The destination of a document that is written as a whole.
#[derive(Debug)]
pub enum Destination {
    File(OutputFile),
    Stdout,
}

impl Destination {
    /// Writes the document; a file is written as by [`OutputFile::write`].
    pub fn write(&mut self, content: &[u8]) -> anyhow::Result<()> {
        match self {
            Destination::File(file) => file.write(content),
            Destination::Stdout => Ok(print(content)?),
        }
    }
}

/// A file that may be written, as checked by [`Outputs::file`] or [`OutputFolder::file`].
#[derive(Debug)]
pub struct OutputFile {
    /// The path for messages, as the user wrote it.
    path: PathBuf,
    place: Place,
    may_replace: bool,
}

/// The target of a path, with symbolic links resolved.
#[derive(Debug)]
enum Place {
    /// A regular file, or none yet.
    File(PathBuf),
    /// A device, a pipe, or a path in `/proc`: it is appended to, never replaced by a new file.
    Device(PathBuf),
}

impl OutputFile {
    /// The file that a path leads to, without the checks of [`Outputs`]; it may be replaced.
    ///
    /// # Errors
    /// If the path leads to a folder, into a folder that does not exist, or through more than 40
    /// links.
    fn at(path: &Path) -> anyhow::Result<OutputFile> {
        let place = Place::resolve(path).with_context(|| unwritable(path))?;
        Ok(OutputFile { path: path.to_owned(), place, may_replace: true })
    }

    /// Writes the file whole or not at all. Later calls replace it.
    pub fn write(&mut self, content: &[u8]) -> anyhow::Result<()> {
        let mut draft = self.draft()?;
        draft.add(content)?;
        draft.finish()?;
        self.may_replace = true;
        Ok(())
    }

    /// Begins to write a file that appears only when the draft is finished.
    pub fn draft(&self) -> anyhow::Result<Draft> {
        let opened = match &self.place {
            Place::File(target) => temporary_beside(target).map(|temporary| {
                let (file, temporary) = temporary.into_parts();
                (file, Some((temporary, target.clone(), self.may_replace)))
            }),
            Place::Device(target) => appending(target).map(|device| (device, None)),
        };
        let (file, place) = opened.with_context(|| unwritable(&self.path))?;
        Ok(Draft { path: self.path.clone(), file, place })
    }

    /// Creates the file immediately, for output that others may read while it grows.
    pub fn stream(&self) -> anyhow::Result<File> {
        let file = match &self.place {
            Place::File(target) if self.may_replace => File::create(target),
            Place::File(target) => File::create_new(target),
            Place::Device(target) => appending(target),
        };
        file.with_context(|| unwritable(&self.path))
    }
}

impl Place {
    /// Resolves a path.
    ///
    /// # Errors
    /// As [`OutputFile::at`].
    fn resolve(path: &Path) -> io::Result<Place> {
        const MOST_LINKS: usize = 40;
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let target = absolute(&path)?;
            // /dev/stdout leads there, whether it is a file, a pipe or a terminal.
            if target.starts_with("/proc") {
                return Ok(Place::Device(target));
            }
            if !target.is_symlink() {
                return match target.metadata() {
                    Ok(metadata) if metadata.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
                    Ok(metadata) if !metadata.is_file() => Ok(Place::Device(target)),
                    _ => Ok(Place::File(target)),
                };
            }
            path = folder_of(&target).join(target.read_link()?);
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

/// The absolute path with symbolic links in its folder resolved, but not the last component.
///
/// # Errors
/// If the path has no file name, or its folder does not exist.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let Some(name) = path.file_name() else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let folder = folder_of(path).canonicalize();
    let folder = folder.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("there is no such folder"),
        _ => error,
    })?;
    Ok(folder.join(name))
}

/// The usual name of an output in the current folder: that of the input with another ending, or
/// `edgematch` if the input has no name.
pub fn named_after(input: Option<&Path>, ending: &str) -> PathBuf {
    let named = input.filter(|path| !is_stdout(path) && path.exists());
    let stem = named.and_then(Path::file_stem).unwrap_or(OsStr::new("edgematch"));
    Path::new(stem).with_added_extension(ending)
}

/// The endings of files that nobody gives to a folder.
const FILES: [&str; 11] =
    ["csv", "gif", "htm", "html", "jpeg", "jpg", "json", "pdf", "txt", "yaml", "yml"];

/// The parent folder of a file; `.` for a bare name.
pub fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Opens a device, or a file that another process has open, for appending, which keeps its content.
fn appending(device: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).open(device)
}

/// An output file in progress: a temporary file that [`finish`](Draft::finish) renames to the
/// target. Dropping the draft removes it. Output to a device is not held back.
#[derive(Debug)]
pub struct Draft {
    path: PathBuf,
    /// The file to write into.
    pub file: File,
    /// The temporary file, its target, and whether an existing target is replaced; `None` for a
    /// device.
    place: Option<(TempPath, PathBuf, bool)>,
}

impl Draft {
    /// Appends to the file.
    pub fn add(&mut self, content: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(content).with_context(|| unwritable(&self.path))
    }

    /// Renames the temporary file to its target; a replaced file's permissions are kept.
    pub fn finish(self) -> anyhow::Result<()> {
        let put = match self.place {
            None => Ok(()),
            // If the target was created meanwhile, this fails and leaves it alone.
            Some((temporary, target, false)) => {
                temporary.persist_noclobber(target).map_err(io::Error::from)
            }
            Some((temporary, target, true)) => {
                let permissions = target.metadata().map(|replaced| replaced.permissions());
                let kept = permissions.map_or(Ok(()), |kept| self.file.set_permissions(kept));
                kept.and_then(|()| temporary.persist(target).map_err(io::Error::from))
            }
        };
        put.with_context(|| unwritable(&self.path))
    }
}

/// A folder that may be written into; files in it are replaced, except inputs.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    outputs: Outputs,
}

impl OutputFolder {
    /// The path as the user wrote it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the folder with its parents; called early, so that a failure is reported before the
    /// search.
    pub fn create(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.path).with_context(|| unwritable(&self.path))
    }

    /// Opens a file by its path relative to the folder, and creates missing folders.
    ///
    /// # Errors
    /// If it is an input or a folder, or a folder cannot be created.
    pub fn file(&self, name: impl AsRef<Path>) -> anyhow::Result<OutputFile> {
        let path = self.path.join(name);
        let folder = folder_of(&path);
        fs::create_dir_all(folder).with_context(|| unwritable(folder))?;
        self.outputs.refuse_input(&path)?;
        OutputFile::at(&path)
    }

    /// Writes a file by its path relative to the folder, whole or not at all.
    pub fn write(&self, name: impl AsRef<Path>, content: &[u8]) -> anyhow::Result<()> {
        self.file(name)?.write(content)
    }

    /// Removes a file by its path relative to the folder, if it exists.
    pub fn remove(&self, name: impl AsRef<Path>) -> anyhow::Result<()> {
        let path = self.path.join(name);
        self.outputs.refuse_input(&path)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("{} can't be replaced", path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// The message for a path that cannot be written, used as the context of an error.
pub fn unwritable(path: &Path) -> String {
    format!("{} can't be written", path.display())
}

/// Returns true if two paths lead to the same file, resolving symbolic and hard links; `-` is
/// standard input.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let handle =
        |path: &Path| if is_stdout(path) { Handle::stdin() } else { Handle::from_path(path) };
    handle(one).is_ok_and(|one| handle(other).is_ok_and(|other| one == other))
}

/// The extension of a path in lower case; empty if it has none.
pub fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Prefix and suffix of the names of temporary files.
const PREFIX: &str = ".edgematch-";
const SUFFIX: &str = ".tmp";

/// Creates and locks a temporary file in the folder of its target, and removes those that killed
/// processes left there. The lock marks the file as in use.
fn temporary_beside(target: &Path) -> io::Result<NamedTempFile> {
    let folder = folder_of(target);
    remove_abandoned(folder);
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    // Further restricted by the umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    loop {
        // Keep only the kind of error: its message would name the temporary file.
        let file = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        let is_locked = !matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
        // Another process may have removed it before it was locked.
        if is_locked && file.path().exists() {
            return Ok(file);
        }
    }
}

/// Removes our temporary files in this folder that no process has locked; failures are ignored.
fn remove_abandoned(folder: &Path) {
    /// The maximum number of entries to look at.
    const SEARCHED: usize = 1_000;
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.take(SEARCHED) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && name.starts_with(PREFIX)
            && name.ends_with(SUFFIX)
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            // Another process may have removed it already.
            let _ = fs::remove_file(entry.path());
        }
    }
}
