//! Detects duplicates, for engines that may report an arrangement twice.
//!
//! Each canonical arrangement is stored as 16 bytes: the first half of its SHA-256. The probability
//! of a collision among n different arrangements is at most n²/2¹²⁹: for 10⁹ arrangements, 1.5 ·
//! 10⁻²¹. A collision would hide one of the two arrangements and omit it from the counts.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use hmac_sha256::Hash;

use crate::enumerate::solution::ValueArrangement;
use crate::runtime::limits::{CancelToken, Flow, doubled};

/// A set of the fingerprints of arrangements.
#[derive(Debug, Default)]
pub(super) struct Seen {
    fingerprints: HashSet<u128, BuildHasherDefault<LowHalf>>,
}

impl Seen {
    /// Returns true if the arrangement was inserted before.
    pub fn contains(&self, arrangement: &ValueArrangement) -> bool {
        !self.fingerprints.is_empty() && self.fingerprints.contains(&fingerprint(arrangement))
    }

    /// Inserts an arrangement; returns true if it is new. Stops the run and breaks if the set
    /// cannot grow within the memory limit of the token.
    pub fn insert(
        &mut self,
        arrangement: &ValueArrangement,
        token: &CancelToken<'_>,
    ) -> Flow<bool> {
        let room = self.fingerprints.capacity();
        if self.fingerprints.len() == room {
            token.may_take(doubled(room, 16))?;
            if self.fingerprints.try_reserve(1).is_err() {
                token.out_of_memory()?;
            }
        }
        ControlFlow::Continue(self.fingerprints.insert(fingerprint(arrangement)))
    }
}

/// The first 16 bytes of the SHA-256 of the values of an arrangement.
fn fingerprint(arrangement: &ValueArrangement) -> u128 {
    let mut hash = Hash::new();
    for value in arrangement.values() {
        hash.update((value as u32).to_le_bytes());
    }
    first_half(hash.finalize())
}

/// The first 16 bytes of a SHA-256, for which collisions are negligible.
pub fn first_half(digest: [u8; 32]) -> u128 {
    u128::from_le_bytes(*digest.first_chunk().expect("16 of 32 bytes"))
}

/// A hasher that takes half of the fingerprint, which is already uniform.
#[derive(Debug, Default)]
struct LowHalf(u64);

impl Hasher for LowHalf {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {
        unreachable!("fingerprints are numbers");
    }

    fn write_u128(&mut self, number: u128) {
        self.0 = number as u64;
    }
}
