//! The solutions that a run has kept, checked.
//!
//! What a results file says is not believed: each solution is read as text and tested against the
//! puzzle alone. A solution that does not fit, appears twice or counts wrongly becomes a fault.

use std::collections::HashSet;

use edgematch::enumerate::solution::{Picture, check, stands_for};
use edgematch::load;
use edgematch::problem::{Arrangement, Problem};
use num_bigint::BigUint;

use crate::{Kept, Result, RunRow, Store, StoreError};

/// The kept solutions of a run.
#[derive(Debug, Default)]
pub struct Checked {
    /// Those that fit.
    pub list: Vec<Arrangement>,
    /// What is not as the file says.
    pub faults: Vec<String>,
    /// How many more were kept.
    pub left_out: u64,
}

/// Checks at most so many of the solutions that a run has kept against its problem; 0 means all.
/// Counts agree only if the problem has all constraints of the run.
pub(super) fn checked(
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

struct Checker<'a> {
    problem: &'a Problem,
    has_all: bool,
    seen: HashSet<Picture>,
    /// For how many solutions those that fit stand.
    solutions: BigUint,
}

impl Checker<'_> {
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

    /// Counts a solution that fits; it should stand for as many as was said, and be a new one.
    fn count(&mut self, kept: &Kept, arrangement: &Arrangement) -> Result<(), String> {
        let problem = self.problem;
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

    /// The fault that what is kept is not what was counted.
    fn contradiction(&self, run: &RunRow, distinct: usize) -> Option<String> {
        let ended = &run.ended;
        let kept = [distinct.to_string(), self.solutions.to_string()];
        let said = [&ended.distinct, &ended.solutions];
        if kept.iter().zip(said).all(|(kept, said)| Some(kept) == said.as_ref()) {
            return None;
        }
        let said = said.map(|count| count.as_deref().unwrap_or("?"));
        Some(format!(
            "{} counts {} distinct and {} solutions, but what it kept comes to {} and {}",
            run.engine, said[0], said[1], kept[0], kept[1]
        ))
    }
}
