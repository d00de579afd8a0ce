//! The solver as it is built for browsers: a file of WebAssembly.

use thiserror::Error;

/// What every such file begins with: `\0asm`, version 1.
const MAGIC: [u8; 8] = [0, b'a', b's', b'm', 1, 0, 0, 0];

/// The name of the section with the script of its worker.
const SECTION: &[u8] = b"\x0ajavascript";

/// A file of the solver.
#[derive(Debug, Clone)]
pub struct Solver(Vec<u8>);

/// A file that is not the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SolverError {
    /// It is something else, or cut off.
    #[error("is no WebAssembly")]
    Other,
    /// It is not made ready for a page.
    #[error("is WebAssembly, but not the solver made ready for a page")]
    Unpacked,
}

impl Solver {
    /// From the bytes of its file.
    ///
    /// # Errors
    /// Where they are something else.
    pub fn new(bytes: Vec<u8>) -> Result<Solver, SolverError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(SolverError::Other);
        }
        let has_script = bytes.windows(SECTION.len()).any(|part| part == SECTION);
        if !has_script {
            return Err(SolverError::Unpacked);
        }
        Ok(Solver(bytes))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_told_apart() {
        let other = Solver::new(b"\x7fELF".to_vec()).unwrap_err();
        assert_eq!(other, SolverError::Other);
        let unpacked = Solver::new(MAGIC.to_vec()).unwrap_err();
        assert_eq!(unpacked, SolverError::Unpacked);
        assert!(Solver::new([&MAGIC[..], b"\0\x0b", SECTION].concat()).is_ok());
    }
}
