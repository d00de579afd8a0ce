//! Certificates: a formula and a proof with which an independent checker can verify that an
//! enumeration is complete.
//!
//! ```text
//!  problem ─► encode ─► base: the puzzle in clauses ──────────────────┐
//!  search ──► record ─► symmetry: placements that have a kept image   ├─► puzzle.cnf
//!                 │     solutions: each found arrangement is excluded ┘
//!                 └───► lemmas: nothing else fits below this node ──────► proof.drat
//! ```
//!
//! If the formula is unsatisfiable, every solution is one of those found, or an image of one. The
//! lemmas prove unsatisfiability, each by unit propagation alone (*reverse unit propagation*, RUP:
//! Goldberg and Novikov, DATE 2003), so any DRAT checker accepts the proof.
//!
//! If a counting argument rules out every solution, the certificate states the count and has no
//! lemmas; see [`Claim`].
//!
//! [`verify`] starts from the puzzle. It shares the encoder, the puzzle and the checker of
//! arrangements with the run, but no tables, domains, models or engines.

mod clauses;
mod counting;
mod encode;
mod formula;
mod manifest;
mod proof;
mod record;
mod rule;
mod rup;
mod symmetry;
mod verify;

use hmac_sha256::Hash;

pub use self::counting::{Claim, CountingStep};
pub use self::encode::{Encoding, SizeError};
pub use self::formula::Cnf;
pub use self::manifest::{FileEntry, Manifest, Sections, SolutionCounts, SymmetryEntry};
pub use self::record::{Certificate, Recorder};
pub use self::verify::{Evidence, Verified, VerifyError, verify};

/// The SHA-256 of the bytes as 64 hexadecimal digits, which identifies a file by its content.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Hash::hash(bytes))
}

/// Formats bytes as two lower-case hexadecimal digits each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}
