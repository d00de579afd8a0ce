//! The solver for browsers: a WebAssembly file with the script of its worker.

use thiserror::Error;

/// The header of a WebAssembly file: `\0asm`, version 1.
const MAGIC: [u8; 8] = [0, b'a', b's', b'm', 1, 0, 0, 0];

/// The name of the custom section that contains the script of the worker.
const SECTION: &[u8] = b"javascript";

/// The bytes of a solver file.
#[derive(Debug, Clone)]
pub struct Solver(Vec<u8>);

/// Why a file is not the solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SolverError {
    /// The file is not WebAssembly.
    #[error("is not WebAssembly")]
    Other,
    /// The file is truncated.
    #[error("is WebAssembly, but truncated")]
    Cut,
    /// The file has no worker script, so it was not packed for a page.
    #[error("is WebAssembly, but not the solver prepared for a page")]
    Unpacked,
}

/// Parses an unsigned LEB128 number; returns it and the remaining bytes. `None` if it is truncated
/// or longer than five bytes.
fn leb128(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let length = 1 + bytes.iter().take(5).position(|byte| byte & 0x80 == 0)?;
    let (number, rest) = bytes.split_at(length);
    let number =
        number.iter().rev().fold(0, |number: u64, byte| number << 7 | u64::from(byte & 0x7f));
    Some((usize::try_from(number).ok()?, rest))
}

/// Returns true if the sections, which follow the header, contain [`SECTION`]; `None` if one is
/// truncated.
fn has_script(mut bytes: &[u8]) -> Option<bool> {
    let mut is_found = false;
    while let Some((kind, rest)) = bytes.split_first() {
        let (length, rest) = leb128(rest)?;
        let content = rest.get(..length)?;
        bytes = &rest[length..];
        if *kind == 0 {
            let (length, rest) = leb128(content)?;
            is_found |= rest.get(..length)? == SECTION;
        }
    }
    Some(is_found)
}

impl Solver {
    /// Checks the bytes of a solver file.
    ///
    /// # Errors
    /// If they are not WebAssembly, truncated, or lack the script.
    pub fn new(bytes: Vec<u8>) -> Result<Solver, SolverError> {
        match has_script(bytes.strip_prefix(&MAGIC).ok_or(SolverError::Other)?) {
            None => Err(SolverError::Cut),
            Some(false) => Err(SolverError::Unpacked),
            Some(true) => Ok(Solver(bytes)),
        }
    }

    /// The WebAssembly file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_rejected_with_the_reason() {
        let other = Solver::new(b"\x7fELF".to_vec()).unwrap_err();
        assert_eq!(other, SolverError::Other);
        let unpacked = Solver::new(MAGIC.to_vec()).unwrap_err();
        assert_eq!(unpacked, SolverError::Unpacked);
        let whole = [&MAGIC[..], b"\0\x0d\x0a", SECTION, b"//"].concat();
        for end in MAGIC.len() + 1..whole.len() {
            let cut = Solver::new(whole[..end].to_vec()).unwrap_err();
            assert_eq!(cut, SolverError::Cut, "{end}");
        }
        assert!(Solver::new(whole).is_ok());
    }
}
