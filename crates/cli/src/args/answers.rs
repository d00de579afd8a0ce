//! Reads files of arrangements: output of `solve`, or another solver's answer to an exported model.

use std::path::{Path, PathBuf};

use clap::Args;
use edgematch::export::answer::PlacementNames;
use edgematch::load;
use edgematch::optimise;
use edgematch::problem::{Arrangement, Problem};

use super::shared::Loaded;

/// How to read the answer of another program
#[derive(Clone, Args)]
pub struct AnswerArgs {
    /// The exported model, in CNF or OPB, that says what the numbers in an answer stand for
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

impl AnswerArgs {
    /// Reads every arrangement in a file, or without one those of the puzzle's own text; `None` if that
    /// has none.
    ///
    /// # Errors
    /// If the file has no arrangement, or one cannot be read.
    pub fn arrangements(
        &self,
        loaded: &Loaded,
        file: Option<&PathBuf>,
    ) -> load::Result<Option<Vec<Arrangement>>> {
        match file {
            Some(path) => self.read(path, &loaded.problem, load::read_solutions).map(Some),
            None => load::own_arrangements(&loaded.text, &loaded.problem),
        }
    }

    /// Reads every arrangement in a file. A file without the variables of an exported model is
    /// taken for output of `solve` and parsed by `read_own`, which gets the bytes, the name for
    /// messages and the problem.
    pub fn read(
        &self,
        path: &Path,
        problem: &Problem,
        read_own: fn(&[u8], &str, &Problem) -> load::Result<Vec<Arrangement>>,
    ) -> load::Result<Vec<Arrangement>> {
        let (bytes, file) = (load::read_bytes(path)?, load::shown(path));
        let text = String::from_utf8_lossy(&bytes);
        // These occur only in output of `solve`, even if it contains no arrangement.
        let signs = ["[t=", "\"placements\"", "=====UNSATISFIABLE====="];
        if signs.iter().any(|words| text.contains(words)) {
            return read_own(&bytes, &file, problem);
        }
        // An exported model has the names of the problem with its objectives.
        let objectives = optimise::own_objectives(problem);
        let exported = optimise::weakest(problem, &objectives);
        let mut names = PlacementNames::new(&exported);
        if let Some(model) = &self.model {
            names.learn_numbers(&load::read_bytes(model)?, &load::shown(model))?;
        }
        if names.are_in(&text) {
            names.read(&bytes, &file)
        } else {
            read_own(&bytes, &file, problem)
        }
    }
}
