//! What is asked of a seam: to match, to match if possible, or nothing.

/// Pairs of sides that touch, by what is asked of them.
#[derive(Debug, Clone)]
pub(super) struct Asked<T> {
    /// They must fit.
    pub required: Vec<T>,
    /// They need not fit, but count where they do.
    pub wanted: Vec<T>,
    /// They need not fit.
    pub free: Vec<T>,
}

impl<T> Default for Asked<T> {
    fn default() -> Self {
        Asked { required: Vec::new(), wanted: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy> Asked<T> {
    /// Some need not fit any more, others need not but count.
    pub fn release(&mut self, is_free: impl Fn(&T) -> bool, is_wanted: impl Fn(&T) -> bool) {
        for list in [&mut self.required, &mut self.wanted] {
            self.free.extend(list.extract_if(.., |one| is_free(one)));
        }
        let wanted = self.required.extract_if(.., |one| is_wanted(one));
        self.wanted.extend(wanted);
    }

    /// All that count may break, or none of them.
    pub fn let_break<K: Ord>(&mut self, may_break: bool, key: impl Fn(&T) -> K) {
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

    /// Those that must fit, and those that are wanted to.
    pub fn counted(&self) -> impl Iterator<Item = &T> {
        self.required.iter().chain(&self.wanted)
    }

    /// Whether all must fit.
    pub fn is_whole(&self) -> bool {
        self.free.is_empty() && self.wanted.is_empty()
    }
}
