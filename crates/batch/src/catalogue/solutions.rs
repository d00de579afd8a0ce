//! Checking the stored solutions of a run.
//!
//! A results file is not trusted: each solution is parsed and checked against the puzzle. A
//! solution that is wrong, a duplicate or represents another number of solutions than stored
//! becomes a fault.

use std::collections::HashSet;

use edgematch::enumerate::solution::{ValueArrangement, check, stands_for};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use num_bigint::BigUint;

use crate::{Kept, Result, RunRow, Store, StoreError};

/// The result of checking the stored solutions of a run.
#[derive(Debug, Default)]
pub struct Checked {
    /// The solutions that passed the check.
    pub list: Vec<Arrangement>,
    /// A message for each solution that failed, or for counts that do not match.
    pub faults: Vec<String>,
    /// The number of stored solutions beyond the limit, which were not checked.
    pub left_out: u64,
}

/// Checks up to `most` stored solutions of a run against its problem; 0 means all. `has_all` states
/// that the problem has all constraints of the run; otherwise counts are not compared. Solutions
/// that fail the check become faults, not errors.
///
/// # Errors
/// If the results file cannot be read.
pub(super) fn check_stored(
    store: &Store,
    run: &RunRow,
    (problem, has_all): (&Problem, bool),
    most: u64,
) -> Result<Checked> {
    let number = store.number_kept(run.run)?;
    let most = if most == 0 { number } else { number.min(most) };
    let mut checker =
        Checker { problem, has_all, seen: HashSet::new(), solutions: BigUint::default() };
    let mut checked = Checked { left_out: number - most, ..Checked::default() };
    store.kept(run.run, most, |number, kept| {
        match checker.check(&kept) {
            Ok(solution) => checked.list.push(solution),
            Err(fault) => {
                let engine = &run.engine;
                checked.faults.push(format!("solution {number} of {engine} is left out: {fault}"));
            }
        }
        Ok::<(), StoreError>(())
    })?;
    if checked.left_out == 0 && has_all {
        checked.faults.extend(checker.contradiction(run, checked.list.len()));
    }
    Ok(checked)
}

/// The state of checking the stored solutions of a run.
struct Checker<'a> {
    problem: &'a Problem,
    /// True if the problem has all constraints of the run, so that counts must agree.
    has_all: bool,
    /// Canonical forms of the solutions counted so far.
    seen: HashSet<ValueArrangement>,
    /// The number of solutions that those counted so far represent.
    solutions: BigUint,
}

impl Checker<'_> {
    /// Parses a stored solution and checks it; the error says what is wrong with it.
    fn check(&mut self, kept: &Kept) -> Result<Arrangement, String> {
        let problem = self.problem;
        let json = format!("{{\"placements\":{}}}", kept.placements.get());
        let read = load::read_solutions(json.as_bytes(), "solution", problem);
        let arrangement = match read.map_err(|error| error.message)?.as_slice() {
            [one] => one.clone(),
            _ => return Err("it is not one arrangement".into()),
        };
        check(problem, &arrangement).map_err(|violation| violation.describe(problem))?;
        if self.has_all {
            self.count(kept, &arrangement)?;
        }
        Ok(arrangement)
    }

    /// Counts a valid solution. It is an error if it represents another number of solutions than
    /// stored, or is equivalent to an earlier one.
    fn count(&mut self, kept: &Kept, arrangement: &Arrangement) -> Result<(), String> {
        let problem = self.problem;
        let orbit = ValueArrangement::new(problem, arrangement).orbit(problem);
        let solutions = stands_for(problem, &orbit[0], orbit.len()).solutions;
        if solutions.to_string() != kept.solutions {
            let said = &kept.solutions;
            return Err(format!("it represents {solutions} solutions, not {said}"));
        }
        self.solutions += solutions;
        if orbit.into_iter().next().is_some_and(|canonical| self.seen.insert(canonical)) {
            Ok(())
        } else {
            Err("it is equivalent to an earlier one".into())
        }
    }

    /// A fault if the stored solutions do not add up to the counts of the run, otherwise `None`.
    /// `distinct` is the number of those that passed the check.
    fn contradiction(&self, run: &RunRow, distinct: usize) -> Option<String> {
        let ended = &run.ended;
        let kept = [distinct.to_string(), self.solutions.to_string()];
        let said = [&ended.distinct, &ended.solutions];
        if kept.iter().zip(said).all(|(kept, said)| Some(kept) == said.as_ref()) {
            return None;
        }
        let said = said.map(|count| count.as_deref().unwrap_or("?"));
        Some(format!(
            "{} counts {} distinct and {} solutions, but those stored add up to {} and {}",
            run.engine, said[0], said[1], kept[0], kept[1]
        ))
    }
}
