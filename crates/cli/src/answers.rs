//! Arrangements in a file: as `solve` prints them, or as another program answers to an exported
//! model.

use std::path::{Path, PathBuf};

use clap::Args;
use edgematch::load::{self, LoadError};
use edgematch::model::export::answer::Names;
use edgematch::problem::{Arrangement, Problem};

use super::headings::READING;

/// How to read the answer of another program
#[derive(Debug, Clone, Args)]
pub struct AnswerArgs {
    /// The exported model, in CNF or OPB, that says what the numbers in an answer stand for
    #[arg(help_heading = READING, long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

impl AnswerArgs {
    /// Reads the arrangements of a file; `None` where only [`load`] can.
    fn answers(
        &self,
        bytes: &[u8],
        file: &str,
        problem: &Problem,
    ) -> Result<Option<Vec<Arrangement>>, LoadError> {
        let text = String::from_utf8_lossy(bytes);
        // As `solve` writes them, even where there is none.
        let ours = ["[t=", "\"placements\"", "=====UNSATISFIABLE====="];
        if ours.iter().any(|words| text.contains(words)) {
            return Ok(None);
        }
        let mut names = Names::new(problem);
        if let Some(model) = &self.model {
            names.learn_numbers(&load::read_bytes(model)?, &load::shown(model))?;
        }
        if !names.are_in(&text) {
            return Ok(None);
        }
        names.read(bytes, file).map(Some)
    }

    /// Every arrangement in a file.
    pub fn read(&self, path: &Path, problem: &Problem) -> Result<Vec<Arrangement>, LoadError> {
        let (bytes, file) = (load::read_bytes(path)?, load::shown(path));
        match self.answers(&bytes, &file, problem)? {
            Some(answers) => Ok(answers),
            None => load::read_solutions(&bytes, &file, problem),
        }
    }

    /// The same, which may be nothing where the file says that there is none.
    pub fn read_all(&self, path: &Path, problem: &Problem) -> Result<Vec<Arrangement>, LoadError> {
        let (bytes, file) = (load::read_bytes(path)?, load::shown(path));
        match self.answers(&bytes, &file, problem)? {
            Some(answers) => Ok(answers),
            None => load::read_all_solutions(&bytes, &file, problem),
        }
    }
}
