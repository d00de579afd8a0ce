//! The three levels of requirement for a seam: it must match, should match, or need not match.

/// Pairs of touching sides, grouped by requirement.
#[derive(Debug, Clone)]
pub(super) struct SeamsByRequirement<T> {
    /// Seams that must match.
    pub required: Vec<T>,
    /// Seams that may break, but are counted.
    pub wanted: Vec<T>,
    /// Seams that may break and are not counted.
    pub free: Vec<T>,
}

impl<T> Default for SeamsByRequirement<T> {
    fn default() -> Self {
        SeamsByRequirement { required: Vec::new(), wanted: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy> SeamsByRequirement<T> {
    /// Moves pairs that `is_free` accepts to the free ones, and the other required pairs that
    /// `is_wanted` accepts to the wanted ones.
    pub fn release(&mut self, is_free: impl Fn(&T) -> bool, is_wanted: impl Fn(&T) -> bool) {
        for list in [&mut self.required, &mut self.wanted] {
            self.free.extend(list.extract_if(.., |one| is_free(one)));
        }
        let wanted = self.required.extract_if(.., |one| is_wanted(one));
        self.wanted.extend(wanted);
    }

    /// Makes all counted pairs wanted if `may_break`, otherwise all of them required, sorted by
    /// `key`. Free pairs stay free.
    pub fn set_breakable<K: Ord>(&mut self, may_break: bool, key: impl Fn(&T) -> K) {
        let mut counted: Vec<T> = self.counted().copied().collect();
        counted.sort_by_key(key);
        let (broken, kept) = if may_break {
            (&mut self.wanted, &mut self.required)
        } else {
            (&mut self.required, &mut self.wanted)
        };
        *broken = counted;
        kept.clear();
    }

    /// The required pairs, then the wanted ones.
    pub fn counted(&self) -> impl Iterator<Item = &T> {
        self.required.iter().chain(&self.wanted)
    }

    /// Returns true if all pairs are required.
    pub fn is_whole(&self) -> bool {
        self.free.is_empty() && self.wanted.is_empty()
    }
}
