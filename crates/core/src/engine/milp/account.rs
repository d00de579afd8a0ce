//! Where a relaxation is worth its cost: an account for each level of the search.

use super::Lp;

/// The steps of propagation that take as long as a relaxation, for each row and nonzero
/// coefficient. Counting them instead of time makes runs repeatable.
const STEPS: u64 = 40;

/// The steps of propagation for which there is one step of a relaxation.
const SHARE: u64 = 10;

/// The number of relaxations on a level before they are judged.
const TRIALS: u64 = 4;

/// The relaxations and searches on a level.
#[derive(Debug, Clone, Copy, Default)]
struct Level {
    /// The searches that ended, and their steps.
    searches: u64,
    searched: u64,
    /// The relaxations, how many of them were infeasible, and the steps that all of them took.
    relaxed: u64,
    refuted: u64,
    spent: u64,
}

impl Level {
    /// Returns true if relaxations have saved at least what they cost, or too few are known.
    fn pays(&self) -> bool {
        let saved = self.refuted * self.searched / self.searches.max(1);
        self.relaxed < TRIALS || saved >= self.spent
    }
}

/// The relaxations of a search.
#[derive(Debug)]
pub(super) struct Account {
    lp: Lp,
    levels: Vec<Level>,
    spent: u64,
}

impl Account {
    pub fn new(lp: Lp) -> Account {
        Account { lp, levels: Vec::new(), spent: 0 }
    }

    fn level(&mut self, level: usize) -> &mut Level {
        if self.levels.len() <= level {
            self.levels.resize(level + 1, Level::default());
        }
        &mut self.levels[level]
    }

    /// Returns true if a relaxation with this number of rows and coefficients should be solved on a
    /// level, after `steps` steps of propagation.
    pub fn allows(&mut self, level: usize, steps: u64, size: u64) -> bool {
        let allowed = steps / SHARE;
        match self.lp {
            Lp::Always => true,
            Lp::Never => false,
            Lp::Auto => self.spent + STEPS * size <= allowed && self.level(level).pays(),
        }
    }

    /// Records a relaxation.
    pub fn relaxed(&mut self, level: usize, size: u64, is_refuted: bool) {
        self.spent += STEPS * size;
        let of_level = self.level(level);
        of_level.spent += STEPS * size;
        of_level.relaxed += 1;
        of_level.refuted += u64::from(is_refuted);
    }

    /// Records the end of a search below a decision.
    pub fn searched(&mut self, level: usize, steps: u64) {
        let of_level = self.level(level);
        of_level.searches += 1;
        of_level.searched += steps;
    }
}
