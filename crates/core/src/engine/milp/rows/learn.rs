//! No-goods learnt from conflicts.
//!
//! They are propagated with two watched literals each and kept in a bounded pool: when it is full,
//! the less used half is dropped.

use super::{Conflict, Literal, Reason, Rows};

/// Literals that cannot all be true; the first two are watched.
pub(super) struct NoGood {
    pub literals: Vec<Literal>,
    /// The number of conflicts that it has explained, halved whenever the pool is full.
    pub uses: u32,
}

/// The number of no-goods at which the pool is full.
const MOST_NO_GOODS: usize = 1 << 13;

impl Rows {
    /// Visits the no-goods that watch a literal which became true.
    ///
    /// # Errors
    /// If all literals of one are true.
    pub(super) fn visit_no_goods(&mut self, literal: Literal) -> Result<(), Conflict> {
        let mut watched = std::mem::take(&mut self.watched_by[literal.index()]);
        let mut conflict = None;
        let mut next = 0;
        while next < watched.len() && conflict.is_none() {
            let index = watched[next];
            self.steps += 1;
            let literals = &mut self.no_goods[index as usize].literals;
            if literals[0] == literal {
                literals.swap(0, 1);
            }
            let other = literals[0];
            if self.is_true[other.negation().index()] {
                next += 1;
                continue;
            }
            let is_true = &self.is_true;
            let open = literals[2..].iter().position(|other| !is_true[other.index()]);
            if let Some(place) = open {
                literals.swap(1, place + 2);
                self.watched_by[literals[1].index()].push(index);
                watched.swap_remove(next);
            } else if self.is_true[other.index()] {
                conflict = Some(literals.clone());
            } else {
                next += 1;
                self.set(other.negation(), Reason::NoGood(index));
            }
        }
        self.watched_by[literal.index()] = watched;
        conflict.map_or(Ok(()), Err)
    }

    /// Learns from a conflict with literals of the current level, which must be at least 1: finds
    /// literals that exclude each other, of which only the first belongs to this level, and omits
    /// those that follow from the others.
    pub fn learn(&mut self, conflict: Conflict) -> Vec<Literal> {
        let level = self.levels.len() as u32;
        let mut marks = vec![None; self.is_true.len() / 2];
        let mut learnt = Vec::new();
        let mut pending = 0;
        let mut causes = conflict;
        let mut place = self.trail.len();
        let last = loop {
            for literal in causes {
                let variable = literal.variable();
                let is_fact =
                    self.level_of[variable] == 0 || self.reasons[variable] == Reason::Fact;
                if is_fact || marks[variable].is_some() {
                    continue;
                }
                marks[variable] = Some(LiteralMark::Kept);
                if self.level_of[variable] == level {
                    pending += 1;
                } else {
                    learnt.push(literal);
                }
            }
            let literal = loop {
                place -= 1;
                if marks[self.trail[place].variable()].is_some() {
                    break self.trail[place];
                }
            };
            pending -= 1;
            if pending == 0 {
                break literal;
            }
            match self.causes(literal) {
                Some(found) => causes = found,
                // A choice is the first literal of its level, so all others have been replaced.
                None => break literal,
            }
        };
        learnt.retain(|&literal| !self.is_redundant(literal, &mut marks, 0));
        learnt.insert(0, last);
        learnt
    }

    /// Returns true if a true literal follows from those that are kept.
    fn is_redundant(
        &mut self,
        literal: Literal,
        marks: &mut [Option<LiteralMark>],
        depth: usize,
    ) -> bool {
        const DEEPEST: usize = 24;
        if depth > DEEPEST {
            return false;
        }
        let Some(causes) = self.causes(literal) else {
            return false;
        };
        for cause in causes {
            let variable = cause.variable();
            let is_known = self.level_of[variable] == 0
                || self.reasons[variable] == Reason::Fact
                || matches!(marks[variable], Some(LiteralMark::Kept | LiteralMark::Follows));
            if is_known {
                continue;
            }
            if marks[variable] == Some(LiteralMark::Open)
                || !self.is_redundant(cause, marks, depth + 1)
            {
                marks[variable] = Some(LiteralMark::Open);
                return false;
            }
            marks[variable] = Some(LiteralMark::Follows);
        }
        true
    }

    /// Adds a no-good, all of whose literals but the first are true, and returns the reason for the
    /// negation of the first.
    pub fn add_no_good(&mut self, mut literals: Vec<Literal>) -> Reason {
        if literals.len() < 2 {
            return Reason::Fact;
        }
        if self.no_goods.len() >= MOST_NO_GOODS {
            self.drop_unused();
        }
        // The second watched literal is the last that becomes open again.
        let level = |place: usize| self.level_of[literals[place].variable()];
        let latest = (1..literals.len()).max_by_key(|&place| level(place)).unwrap_or(1);
        literals.swap(1, latest);
        let index = self.no_goods.len() as u32;
        for literal in &literals[..2] {
            self.watched_by[literal.index()].push(index);
        }
        self.no_goods.push(NoGood { literals, uses: 1 });
        Reason::NoGood(index)
    }

    /// Drops the less used half of the no-goods, except those that are reasons now.
    fn drop_unused(&mut self) {
        let mut is_kept = vec![false; self.no_goods.len()];
        for literal in &self.trail {
            if let Reason::NoGood(index) = self.reasons[literal.variable()] {
                is_kept[index as usize] = true;
            }
        }
        let mut order: Vec<usize> = (0..self.no_goods.len()).collect();
        order.sort_by_key(|&index| {
            let NoGood { literals, uses } = &self.no_goods[index];
            (std::cmp::Reverse(*uses), literals.len())
        });
        for &index in &order[..order.len() / 2] {
            is_kept[index] = true;
        }
        let mut moved = vec![0; self.no_goods.len()];
        let mut kept = Vec::new();
        for (index, mut no_good) in std::mem::take(&mut self.no_goods).into_iter().enumerate() {
            if is_kept[index] {
                moved[index] = kept.len() as u32;
                no_good.uses /= 2;
                kept.push(no_good);
            }
        }
        self.no_goods = kept;
        for literal in &self.trail {
            if let Reason::NoGood(index) = &mut self.reasons[literal.variable()] {
                *index = moved[*index as usize];
            }
        }
        self.watched_by.iter_mut().for_each(Vec::clear);
        for (index, no_good) in self.no_goods.iter().enumerate() {
            for literal in &no_good.literals[..2] {
                self.watched_by[literal.index()].push(index as u32);
            }
        }
    }
}

/// What [`Rows::learn`] knows about a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LiteralMark {
    /// It is part of the no-good, or was replaced by its causes.
    Kept,
    /// It follows from the no-good.
    Follows,
    /// It does not follow.
    Open,
}
