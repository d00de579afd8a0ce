//! Which arrangements were found before, where an engine may meet one again.
//!
//! Of each canonical picture 16 bytes are kept: the first half of its SHA-256. Two of n different
//! pictures have the same with a probability of at most n²/2¹²⁹: of 10⁹ pictures, 1.5 · 10⁻²¹. Then
//! one of them would be missing from what is shown and counted.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use hmac_sha256::Hash;

use crate::enumerate::solution::Picture;
use crate::runtime::limits::doubled;

/// Fingerprints of pictures.
#[derive(Debug, Default)]
pub(super) struct Seen {
    fingerprints: HashSet<u128, BuildHasherDefault<LowHalf>>,
}

/// There is no memory for more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Full;

impl Seen {
    /// Whether a picture was entered before.
    pub fn contains(&self, picture: &Picture) -> bool {
        !self.fingerprints.is_empty() && self.fingerprints.contains(&fingerprint(picture))
    }

    /// Enters a picture; says whether it is new. `may_take` is asked before so many bytes are taken
    /// at once.
    ///
    /// # Errors
    /// Where there is no memory for it.
    pub fn insert(
        &mut self,
        picture: &Picture,
        may_take: impl FnOnce(u64) -> bool,
    ) -> Result<bool, Full> {
        let entries = self.fingerprints.len();
        let room = self.fingerprints.capacity();
        if entries == room {
            if !may_take(doubled(room, 16)) {
                return Err(Full);
            }
            self.fingerprints.try_reserve(1).map_err(|_| Full)?;
        }
        Ok(self.fingerprints.insert(fingerprint(picture)))
    }
}

fn fingerprint(picture: &Picture) -> u128 {
    let mut hash = Hash::new();
    for value in picture.values() {
        hash.update((value as u32).to_le_bytes());
    }
    let digest = hash.finalize();
    let mut first = [0; 16];
    first.copy_from_slice(&digest[..16]);
    u128::from_le_bytes(first)
}

/// A fingerprint is spread evenly as it is.
#[derive(Debug, Default)]
struct LowHalf(u64);

impl Hasher for LowHalf {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut low = [0; 8];
        for (to, from) in low.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.0 = u64::from_le_bytes(low);
    }

    fn write_u128(&mut self, number: u128) {
        self.0 = number as u64;
    }
}
