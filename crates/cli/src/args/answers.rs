//! Arrangements in a file: as `solve` prints them, or as another program answers to an exported
//! model.

use std::path::{Path, PathBuf};

use clap::Args;
use edgematch::load::{self, LoadError};
use edgematch::model::export::answer::PlacementNames;
use edgematch::problem::{Arrangement, Problem};

/// How to read the answer of another program
#[derive(Clone, Args)]
pub struct AnswerArgs {
    /// The exported model, in CNF or OPB, that says what the numbers in an answer stand for
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
}

/// What is read.
type Arrangements = Result<Vec<Arrangement>, LoadError>;

impl AnswerArgs {
    /// Every arrangement in a file. What `solve` has written is read by `ours`.
    pub fn read(
        &self,
        path: &Path,
        problem: &Problem,
        ours: fn(&[u8], &str, &Problem) -> Arrangements,
    ) -> Arrangements {
        let (bytes, file) = (load::read_bytes(path)?, load::shown(path));
        let text = String::from_utf8_lossy(&bytes);
        // Even where there is none.
        let signs = ["[t=", "\"placements\"", "=====UNSATISFIABLE====="];
        if signs.iter().any(|words| text.contains(words)) {
            return ours(&bytes, &file, problem);
        }
        let mut names = PlacementNames::new(problem);
        if let Some(model) = &self.model {
            names.learn_numbers(&load::read_bytes(model)?, &load::shown(model))?;
        }
        if names.are_in(&text) { names.read(&bytes, &file) } else { ours(&bytes, &file, problem) }
    }
}
