//! The solutions that a run has kept: checked, then drawn.
//!
//! Each is read as text and tested against the puzzle alone. A solution that does not fit, appears
//! twice or counts wrongly is reported as a fault and not drawn.

use std::collections::HashSet;

use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use edgematch::solution::{Picture, check, stands_for};
use num_bigint::BigUint;

use super::SOLUTIONS_A_PAGE;
use super::entry::{Entry, Puzzle, Rules};
use crate::catalogue::Files;
use crate::{Kept, Row, Store, StoreError};

/// A drawing, as a page shows it.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// The file, as the page calls it.
    pub file: String,
    pub width: f64,
    pub height: f64,
    pub solution: Option<Solution>,
}

/// A solution that fits.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// From 1, as it was found.
    pub number: u64,
    pub arrangement: Arrangement,
    /// The same as text.
    pub text: String,
    /// For how many solutions it stands.
    pub solutions: String,
}

/// The solutions of a puzzle, a page at a time.
pub(super) struct Figures<'a> {
    /// The run that has kept them.
    pub run: Option<&'a Row>,
    /// How many are drawn so far.
    pub drawn: u64,
    /// What is not as the file says.
    pub faults: Vec<String>,
    /// What they must obey; `None` where there are none.
    pub rules: Option<Rules>,
    store: Option<&'a Store>,
    /// How many are drawn at most.
    number: u64,
    /// How many more were kept.
    pub left_out: u64,
    read: u64,
    /// The number of the last one that was read.
    last: u64,
    seen: HashSet<Picture>,
    solutions: BigUint,
}

impl<'a> Figures<'a> {
    /// The first ones of the best run that kept any.
    pub fn new(
        files: &'a Files,
        entry: &'a Entry,
        puzzle: Option<&Puzzle>,
        most: u64,
    ) -> Result<Self, StoreError> {
        let kept = entry.kept();
        let store = kept.map(|(file, _)| &files.0[*file]);
        let rules = match (puzzle, kept, store) {
            (Some(puzzle), Some((_, row)), Some(store)) => Some(puzzle.under(&row.options, store)?),
            _ => None,
        };
        let kept_in_all = entry.number_kept(files)?;
        Ok(Figures {
            run: kept.map(|(_, row)| row),
            drawn: 0,
            faults: Vec::new(),
            rules,
            store,
            number: kept_in_all.min(most),
            left_out: kept_in_all.saturating_sub(most),
            read: 0,
            last: 0,
            seen: HashSet::new(),
            solutions: BigUint::default(),
        })
    }

    /// Pages that they fill, at least one.
    pub fn pages(&self) -> usize {
        usize::try_from(self.number).unwrap_or(usize::MAX).div_ceil(SOLUTIONS_A_PAGE).max(1)
    }

    /// The number of the last one.
    pub fn last_number(&self) -> usize {
        usize::try_from(self.number).unwrap_or(usize::MAX)
    }

    /// The solutions of the next page that fit; the others are faults.
    pub fn next_page(&mut self) -> Result<Vec<Solution>, StoreError> {
        let (Some(store), Some(run), Some(rules)) = (self.store, self.run, self.rules.take())
        else {
            return Ok(Vec::new());
        };
        let mut page = Vec::new();
        let most = (self.number - self.read).min(SOLUTIONS_A_PAGE as u64);
        store.kept_from(run.run, self.last + 1, most, |number, kept| {
            self.read += 1;
            self.last = number;
            match self.checked(number, &kept, &rules) {
                Ok(solution) => page.push(solution),
                Err(fault) => self
                    .faults
                    .push(format!("solution {number} of {} is not drawn: {fault}", run.engine)),
            }
            Ok::<(), StoreError>(())
        })?;
        self.drawn += page.len() as u64;
        if self.read == self.number && self.left_out == 0 && rules.lacks.is_none() {
            self.compare_counts(run);
        }
        self.rules = Some(rules);
        Ok(page)
    }

    fn checked(&mut self, number: u64, kept: &Kept, rules: &Rules) -> Result<Solution, String> {
        let problem = &rules.problem;
        let json = format!("{{\"placements\":{}}}", kept.placements.get());
        let read = load::read_solutions(json.as_bytes(), "solution", problem);
        let arrangement = match read.map_err(|error| error.message)?.as_slice() {
            [one] => one.clone(),
            _ => return Err("it is not one arrangement".into()),
        };
        check(problem, &arrangement).map_err(|violation| violation.describe(problem))?;
        if rules.lacks.is_none() {
            self.count(kept, problem, &arrangement)?;
        }
        Ok(Solution {
            number,
            text: edgematch_report::arrangement_text(problem, &arrangement),
            arrangement,
            solutions: kept.solutions.clone(),
        })
    }

    /// Counts a solution that fits; it should stand for as many as was said, and be a new one.
    fn count(
        &mut self,
        kept: &Kept,
        problem: &Problem,
        arrangement: &Arrangement,
    ) -> Result<(), String> {
        let orbit = Picture::new(problem, arrangement).orbit(problem);
        let solutions = stands_for(problem, &orbit[0], orbit.len()).solutions;
        if solutions.to_string() != kept.solutions {
            let said = &kept.solutions;
            return Err(format!("it stands for {solutions} solutions, not for {said}"));
        }
        self.solutions += solutions;
        if orbit.into_iter().next().is_some_and(|picture| self.seen.insert(picture)) {
            Ok(())
        } else {
            Err("it looks like an earlier one".into())
        }
    }

    /// What is kept should be what was counted.
    fn compare_counts(&mut self, run: &Row) {
        let ended = &run.ended;
        let kept = [self.drawn.to_string(), self.solutions.to_string()];
        let said = [&ended.distinct, &ended.solutions];
        let agrees = kept.iter().zip(said).all(|(kept, said)| Some(kept) == said.as_ref());
        if !agrees {
            let said = said.map(|count| count.as_deref().unwrap_or("?"));
            self.faults.push(format!(
                "{} counts {} distinct and {} solutions, but what it kept comes to {} and {}",
                run.engine, said[0], said[1], kept[0], kept[1]
            ));
        }
    }
}
