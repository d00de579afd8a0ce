//! A forward checker of proofs by reverse unit propagation.
//!
//! A lemma follows if assuming all its literals false and propagating units leads to a conflict.
//! Each clause has two watched literals (Moskewicz et al., DAC 2001). The trail is kept between
//! lemmas as far as the next one starts with the same literals: a depth-first search emits lemmas
//! of which most differ only in the last literal.
//!
//! Deleting a clause only affects speed, never soundness: added clauses follow from the formula.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use itertools::Itertools;

/// A literal: twice the variable, plus one if negated.
type Literal = u32;

/// Converts a DIMACS literal.
fn literal(number: i32) -> Literal {
    2 * number.unsigned_abs() + u32::from(number < 0)
}

/// The literals of a clause, ascending and without duplicates.
fn literals(clause: &[i32]) -> Vec<Literal> {
    clause.iter().map(|&number| literal(number)).sorted_unstable().dedup().collect()
}

/// The opposite literal.
fn negated(literal: Literal) -> Literal {
    literal ^ 1
}

/// A clause that watches a literal.
#[derive(Debug, Clone, Copy)]
struct Watcher {
    /// The position of the clause in the store.
    clause: usize,
    /// The blocking literal: if it is true, the clause needs no visit.
    other: Literal,
}

/// A set of clauses with unit propagation.
pub(super) struct Checker {
    /// The value of each literal; `None` if it is unassigned.
    values: Vec<Option<bool>>,
    /// The decision level of each assigned variable.
    level: Vec<usize>,
    /// Assigned literals in order; those before index `propagated` have been propagated.
    trail: Vec<Literal>,
    propagated: usize,
    /// The assumptions, each with the length of the trail before it.
    assumed: Vec<(Literal, usize)>,
    /// The clauses to visit when a literal becomes false.
    watches: Vec<Vec<Watcher>>,
    /// The clauses: each has its length, then its literals, with the two watched ones first.
    store: Vec<u32>,
    /// Positions of deleted clauses, by length.
    gaps: HashMap<usize, Vec<usize>>,
    /// Positions of clauses, by a hash of their literals.
    places: HashMap<u64, Vec<usize>>,
    /// True if the clauses are contradictory at level 0.
    is_refuted: bool,
}

impl Checker {
    /// Creates a checker without clauses.
    pub fn new(variables: i32) -> Self {
        let number = variables.unsigned_abs() as usize + 1;
        Checker {
            values: vec![None; 2 * number],
            level: vec![0; number],
            trail: Vec::new(),
            propagated: 0,
            assumed: Vec::new(),
            watches: vec![Vec::new(); 2 * number],
            store: Vec::new(),
            gaps: HashMap::new(),
            places: HashMap::new(),
            is_refuted: false,
        }
    }

    /// Returns true if the clause follows from the current clauses by unit propagation; false means
    /// only that propagation does not show it.
    pub fn follows(&mut self, clause: &[i32]) -> bool {
        if self.is_refuted {
            return true;
        }
        let wanted = || clause.iter().map(|&number| negated(literal(number)));
        let assumed = self.assumed.iter().map(|&(literal, _)| literal);
        let kept = assumed.zip(wanted()).take_while(|(a, b)| a == b).count();
        self.go_back(kept);
        for assumption in wanted().skip(kept) {
            if self.value(assumption) == Some(false) {
                return true;
            }
            self.assumed.push((assumption, self.trail.len()));
            if self.value(assumption).is_none() {
                self.assign(assumption);
                if !self.propagate() {
                    self.go_back(self.assumed.len() - 1);
                    return true;
                }
            }
        }
        false
    }

    /// Adds a clause. It must be from the formula or have been shown to [follow](Checker::follows).
    pub fn add(&mut self, clause: &[i32]) {
        if self.is_refuted {
            return;
        }
        let mut literals = literals(clause);
        // Sort by descending level; literals that are not false come first.
        let rank = |checker: &Checker, literal: Literal| match checker.value(literal) {
            Some(false) => checker.level_of(literal),
            _ => usize::MAX,
        };
        literals.sort_by_key(|&literal| std::cmp::Reverse(rank(self, literal)));
        // A literal that is false at level 0 stays false.
        let first_level = literals.first().map_or(0, |&first| rank(self, first));
        if first_level == 0 {
            self.is_refuted = true;
            return;
        }
        if first_level != usize::MAX {
            self.go_back(first_level - 1);
            literals.sort_by_key(|&literal| std::cmp::Reverse(rank(self, literal)));
        }
        let first = literals[0];
        let second = literals.get(1).copied();
        let forced_at = second.map_or(0, |second| rank(self, second));
        if literals.len() > 1 {
            self.store_clause(&literals);
        }
        if forced_at == usize::MAX {
            return;
        }
        // All but the first literal are false, the last of them since level `forced_at`.
        if self.value(first) == Some(true) && self.level_of(first) <= forced_at {
            return;
        }
        self.go_back(forced_at);
        self.assign(first);
        if !self.propagate() {
            match self.assumed.len() {
                0 => self.is_refuted = true,
                level => self.go_back(level - 1),
            }
        }
    }

    /// Deletes a clause, whatever the order of its literals; returns false if there is no such
    /// clause. Unit clauses are kept, which returns true.
    pub fn remove(&mut self, clause: &[i32]) -> bool {
        let literals = literals(clause);
        if literals.len() < 2 || self.is_refuted {
            return true;
        }
        let Entry::Occupied(mut places) = self.places.entry(hash(&literals)) else {
            return false;
        };
        let store = &self.store;
        let is_same = |&place: &usize| {
            let stored = &store[place + 1..=place + store[place] as usize];
            stored.iter().sorted_unstable().eq(&literals)
        };
        let Some(index) = places.get().iter().rposition(is_same) else {
            return false;
        };
        let place = places.get_mut().swap_remove(index);
        if places.get().is_empty() {
            places.remove();
        }
        for watched in [self.store[place + 1], self.store[place + 2]] {
            let watches = &mut self.watches[watched as usize];
            if let Some(index) = watches.iter().position(|watch| watch.clause == place) {
                watches.swap_remove(index);
            }
        }
        self.gaps.entry(literals.len()).or_default().push(place);
        true
    }

    /// Stores a clause of at least two literals and watches the first two.
    fn store_clause(&mut self, literals: &[Literal]) {
        let gap = self.gaps.get_mut(&literals.len()).and_then(Vec::pop);
        let place = gap.unwrap_or(self.store.len());
        if place == self.store.len() {
            self.store.push(literals.len() as u32);
            self.store.extend(literals);
        } else {
            self.store[place + 1..=place + literals.len()].copy_from_slice(literals);
        }
        for (watched, other) in [(literals[0], literals[1]), (literals[1], literals[0])] {
            let clause = place;
            self.watches[watched as usize].push(Watcher { clause, other });
        }
        self.places.entry(hash(literals)).or_default().push(place);
    }

    /// The value of a literal; `None` if it is unassigned.
    fn value(&self, literal: Literal) -> Option<bool> {
        self.values[literal as usize]
    }

    /// The decision level of an assigned literal.
    fn level_of(&self, literal: Literal) -> usize {
        self.level[literal as usize / 2]
    }

    /// Makes a literal true at the current decision level.
    fn assign(&mut self, literal: Literal) {
        self.values[literal as usize] = Some(true);
        self.values[negated(literal) as usize] = Some(false);
        self.level[literal as usize / 2] = self.assumed.len();
        self.trail.push(literal);
    }

    /// Backtracks to a decision level; does nothing if that is not below the current one.
    fn go_back(&mut self, level: usize) {
        let Some(&(_, length)) = self.assumed.get(level) else {
            return;
        };
        for literal in self.trail.drain(length..) {
            self.values[literal as usize] = None;
            self.values[negated(literal) as usize] = None;
        }
        self.assumed.truncate(level);
        self.propagated = length;
    }

    /// Propagates units; returns false on a conflict.
    fn propagate(&mut self) -> bool {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let is_false = negated(literal);
            let mut watches = std::mem::take(&mut self.watches[is_false as usize]);
            let is_fine = self.visit(is_false, &mut watches);
            self.watches[is_false as usize] = watches;
            if !is_fine {
                return false;
            }
        }
        true
    }

    /// Visits the clauses that watch a literal that became false. Clauses with a new watched
    /// literal are removed from `watches`. Returns false on a conflict.
    fn visit(&mut self, is_false: Literal, watches: &mut Vec<Watcher>) -> bool {
        let mut kept = 0;
        for index in 0..watches.len() {
            let watch = watches[index];
            watches[kept] = watch;
            kept += 1;
            if self.values[watch.other as usize] == Some(true) {
                continue;
            }
            let length = self.store[watch.clause] as usize;
            let clause = &mut self.store[watch.clause + 1..=watch.clause + length];
            if clause[0] == is_false {
                clause.swap(0, 1);
            }
            let first = clause[0];
            let value = self.values[first as usize];
            if value != Some(true) {
                let mut rest = clause[2..].iter().map(|&literal| self.values[literal as usize]);
                if let Some(found) = rest.position(|value| value != Some(false)) {
                    clause.swap(1, found + 2);
                    let moved = Watcher { other: first, ..watch };
                    self.watches[clause[1] as usize].push(moved);
                    kept -= 1;
                    continue;
                }
            }
            watches[kept - 1].other = first;
            match value {
                Some(true) => {}
                None => self.assign(first),
                Some(false) => {
                    let rest = watches.len() - (index + 1);
                    watches.copy_within(index + 1.., kept);
                    watches.truncate(kept + rest);
                    return false;
                }
            }
        }
        watches.truncate(kept);
        true
    }
}

/// A hash that does not depend on the order of the literals.
fn hash(literals: &[Literal]) -> u64 {
    // The increment of the Weyl sequence in SplitMix64, and a mixing shift.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    let spread = |&literal: &Literal| {
        let number = (u64::from(literal) + 1).wrapping_mul(STEP);
        number ^ (number >> 31)
    };
    literals.iter().map(spread).fold(0, u64::wrapping_add)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(variables: i32, clauses: &[&[i32]]) -> Checker {
        let mut checker = Checker::new(variables);
        clauses.iter().for_each(|clause| checker.add(clause));
        checker
    }

    /// Each clause excludes one of the eight assignments of three variables.
    const ALL_WAYS: [&[i32]; 8] = [
        &[1, 2, 3],
        &[1, 2, -3],
        &[1, -2, 3],
        &[1, -2, -3],
        &[-1, 2, 3],
        &[-1, 2, -3],
        &[-1, -2, 3],
        &[-1, -2, -3],
    ];

    #[test]
    fn what_does_not_follow_is_refused() {
        let mut checker = checker(3, &ALL_WAYS);
        assert!(!checker.follows(&[]));
        assert!(!checker.follows(&[1]));
        assert!(checker.follows(&[1, 2]));
        checker.add(&[1, 2]);
        assert!(checker.follows(&[1, -2]) && checker.follows(&[1]));
        checker.add(&[1]);
        assert!(!checker.is_refuted);
        assert!(checker.follows(&[2]));
        checker.add(&[2]);
        assert!(checker.is_refuted && checker.follows(&[]));
    }

    #[test]
    fn nothing_follows_from_a_formula_with_a_model_but_what_is_true_in_it() {
        let mut checker = checker(3, &ALL_WAYS[..7]);
        // Its only model makes 1, 2 and 3 true.
        for clause in [&[-1][..], &[-2], &[-3], &[], &[-1, -2], &[-1, -2, -3]] {
            assert!(!checker.follows(clause), "{clause:?}");
        }
        for clause in [&[1, 2][..], &[2, 3], &[1, 2, -3]] {
            assert!(checker.follows(clause), "{clause:?}");
            checker.add(clause);
        }
        assert!(checker.follows(&[2]) && !checker.follows(&[]));
    }

    #[test]
    fn a_clause_is_taken_away_once() {
        let mut checker = checker(3, &ALL_WAYS);
        assert!(checker.remove(&[3, 1, 2]));
        assert!(!checker.remove(&[1, 2, 3]));
        assert!(!checker.remove(&[1, 3]));
        assert!(!checker.follows(&[1, 2]));
        checker.add(&[3, 2, 1]);
        assert!(checker.follows(&[1, 2]));
    }

    #[test]
    fn equal_and_opposite_literals_in_a_clause_do_no_harm() {
        let mut checker = checker(2, &[&[1, 1], &[2, -2], &[-1, -1, 2]]);
        assert!(checker.follows(&[2]) && !checker.follows(&[-2]));
        assert!(!checker.is_refuted);
        checker.add(&[-2, -2]);
        assert!(checker.is_refuted);
    }
}
