//! Verifies a certificate against the puzzle.
//!
//! The search is not repeated. The formula must state the puzzle, each additional clause must be
//! justified, and the proof must refute the formula.

use std::collections::BTreeMap;
use std::io::BufRead;

use edgematch::enumerate::solution::{Picture, check, stands_for};
use edgematch::load::LoadError;
use edgematch::problem::{Arrangement, Problem};
use num_bigint::BigUint;
use thiserror::Error;

use super::counting::Claim;
use super::encode::{Encoding, Meaning};
use super::formula::Cnf;
use super::manifest::{Manifest, Sections, SolutionCounts, SymmetryEntry};
use super::proof::{Proof, StepKind};
use super::rup::Checker;
use super::symmetry::SymmetryBreaking;

/// The files of a certificate, with their names in errors.
pub struct Evidence<'a, F, P> {
    /// The manifest.
    pub manifest: &'a Manifest,
    /// The solutions.
    pub arrangements: &'a [Arrangement],
    /// The formula.
    pub formula: (F, &'a str),
    /// The proof.
    pub proof: (P, &'a str),
}

/// A verified certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verified {
    /// The numbers of solutions, proven complete.
    pub found: SolutionCounts,
    /// The number of clauses of the formula.
    pub clauses: usize,
    /// The number of lemmas, including the empty one.
    pub lemmas: u64,
}

/// The reason why a certificate is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// A file is malformed.
    #[error(transparent)]
    Unreadable(#[from] LoadError),
    /// The files can be read but prove nothing.
    #[error("{0}")]
    Rejected(String),
}

fn reject<T>(why: impl Into<String>) -> Result<T, VerifyError> {
    Err(VerifyError::Rejected(why.into()))
}

/// Verifies a certificate of a puzzle with all its constraints.
///
/// # Errors
/// If the certificate proves nothing.
pub fn verify<F: BufRead, P: BufRead>(
    problem: &Problem,
    evidence: Evidence<'_, F, P>,
) -> Result<Verified, VerifyError> {
    let Evidence {
        manifest,
        arrangements,
        formula: (formula, formula_name),
        proof: (proof, proof_name),
    } = evidence;
    if !manifest.complete {
        return reject("the manifest does not claim that the enumeration is complete");
    }
    let too_large = |e: super::SizeError| VerifyError::Rejected(e.to_string());
    let encoding = Encoding::new(problem).map_err(too_large)?;
    if manifest.variables != encoding.map(problem) {
        return reject("the manifest's variables differ from those of the puzzle");
    }
    let found = solutions(problem, arrangements)?;
    compare_found(&found, &manifest.found)?;
    let base = encoding.base().map_err(too_large)?;
    let formula = Cnf::read(formula, formula_name)?;
    let sections = manifest.clauses;
    let encoding = &encoding;
    compare_base(&base, &formula, sections)?;
    drop(base);
    let removed = removed(encoding, &formula, sections)?;
    if let Err(why) =
        encoding.justify(problem, resolve_symmetry(problem, &manifest.symmetry)?, &removed)
    {
        return reject(format!("the section `symmetry` is not justified: {why}"));
    }
    justify_cuts((problem, encoding), &formula, sections)?;
    compare_solutions((problem, encoding), &formula, sections, arrangements)?;
    let lemmas = match &manifest.counting {
        Some(claim) => bear_out(claim, problem)?,
        None => refute(&formula, proof, proof_name)?,
    };
    if lemmas != manifest.lemmas {
        let claimed = manifest.lemmas;
        return reject(format!("the proof has {lemmas} lemmas, but the manifest claims {claimed}"));
    }
    Ok(Verified { found, clauses: formula.len(), lemmas })
}

/// Checks that the numbers of arrangements agree with the manifest.
fn compare_found(found: &SolutionCounts, claimed: &SolutionCounts) -> Result<(), VerifyError> {
    if found == claimed {
        return Ok(());
    }
    reject(format!(
        "the arrangements represent {} distinct, {} classes and {} solutions, but the manifest claims \
         {}, {} and {}",
        found.distinct,
        found.classes,
        found.solutions,
        claimed.distinct,
        claimed.classes,
        claimed.solutions
    ))
}

/// Checks a count; returns the number of lemmas, which is 0.
fn bear_out(claim: &Claim, problem: &Problem) -> Result<u64, VerifyError> {
    match claim.check(problem) {
        Ok(()) => Ok(0),
        Err(why) => reject(format!("the proof by counting is wrong: {why}")),
    }
}

/// Checks that each arrangement is a solution, and counts the solutions that they represent.
fn solutions(
    problem: &Problem,
    arrangements: &[Arrangement],
) -> Result<SolutionCounts, VerifyError> {
    let mut distinct: BTreeMap<Picture, usize> = BTreeMap::new();
    for (index, arrangement) in arrangements.iter().enumerate() {
        if let Err(violation) = check(problem, arrangement) {
            let how = violation.describe(problem);
            return reject(format!("arrangement {} is not a solution: {how}", index + 1));
        }
        let mut orbit = Picture::new(problem, arrangement).orbit(problem);
        let size = orbit.len();
        distinct.insert(orbit.swap_remove(0), size);
    }
    let mut solutions = BigUint::ZERO;
    let mut classes = BigUint::ZERO;
    for (picture, &orbit) in &distinct {
        let number = stands_for(problem, picture, orbit);
        solutions += number.solutions;
        classes += number.classes;
    }
    Ok(SolutionCounts {
        distinct: distinct.len() as u64,
        classes: classes.to_string(),
        solutions: solutions.to_string(),
    })
}

/// Checks that the formula starts with the encoding of the puzzle, and has the claimed number of
/// clauses.
fn compare_base(base: &Cnf, formula: &Cnf, sections: Sections) -> Result<(), VerifyError> {
    let Sections { symmetry, cuts, solutions, .. } = sections;
    if sections.base != base.len() {
        return reject(format!(
            "the manifest claims {} clauses in the section `base`, but the puzzle gives {}",
            sections.base,
            base.len()
        ));
    }
    if base
        .len()
        .checked_add(symmetry)
        .and_then(|n| n.checked_add(cuts))
        .and_then(|n| n.checked_add(solutions))
        != Some(formula.len())
    {
        let base = base.len();
        let found = formula.len();
        return reject(format!(
            "the formula has {found} clauses, but the manifest claims {base} + {symmetry} + {cuts} + \
             {solutions}"
        ));
    }
    if formula.variables != base.variables {
        return reject(format!(
            "the formula has {} variables, but the puzzle gives {}",
            formula.variables, base.variables
        ));
    }
    match (0..base.len()).find(|&index: &usize| formula.clause(index) != base.clause(index)) {
        None => Ok(()),
        Some(index) => reject(format!(
            "clause {} of the section `base` is {:?}, but the puzzle gives {:?}",
            index + 1,
            formula.clause(index),
            base.clause(index)
        )),
    }
}

/// The placements (cell, value) that the section `symmetry` removes.
fn removed(
    encoding: &Encoding,
    formula: &Cnf,
    sections: Sections,
) -> Result<Vec<(usize, usize)>, VerifyError> {
    let mut removed = Vec::new();
    for index in sections.base..sections.base + sections.symmetry {
        let placement = match *formula.clause(index) {
            [literal] if literal < 0 => {
                let variable = literal.unsigned_abs() as usize;
                encoding.meanings.get(variable.wrapping_sub(1)).copied()
            }
            _ => None,
        };
        let Some(Meaning::Placement { cell, value }) = placement else {
            let number = index - sections.base + 1;
            let clause = formula.clause(index);
            return reject(format!(
                "clause {number} of the section `symmetry` does not remove a placement: {clause:?}"
            ));
        };
        removed.push((cell, value));
    }
    Ok(removed)
}

/// Resolves the symmetry entry of the manifest.
fn resolve_symmetry(
    problem: &Problem,
    entry: &SymmetryEntry,
) -> Result<SymmetryBreaking, VerifyError> {
    match entry {
        SymmetryEntry::Nothing {} => Ok(SymmetryBreaking::Nothing),
        SymmetryEntry::Tile { tile } => match problem.puzzle.tile_named(tile) {
            Some(tile) => Ok(SymmetryBreaking::Kind(problem.kinds.of_tile[tile])),
            None => {
                reject(format!("the manifest's symmetry names tile `{tile}`, which does not exist"))
            }
        },
        SymmetryEntry::Cell { cell } => {
            let mut cells = problem.board.cells().iter();
            match cells.position(|own| own.name == *cell) {
                Some(cell) => Ok(SymmetryBreaking::Cell(cell)),
                None => reject(format!(
                    "the manifest's symmetry names cell {cell}, which does not exist"
                )),
            }
        }
    }
}

/// Checks that each clause of the section `cuts` excludes one arrangement, and that this
/// arrangement violates a constraint which the puzzle's clauses do not encode.
fn justify_cuts(
    (problem, encoding): (&Problem, &Encoding),
    formula: &Cnf,
    sections: Sections,
) -> Result<(), VerifyError> {
    let first = sections.base + sections.symmetry;
    for index in first..first + sections.cuts {
        let clause = formula.clause(index);
        let number = index - first + 1;
        let Some(values) = encoding.excluded(problem, clause) else {
            return reject(format!(
                "clause {number} of the section `cuts` does not exclude one arrangement: {clause:?}"
            ));
        };
        if problem.broken_constraint(&problem.deal(values)).is_none() {
            return reject(format!(
                "the arrangement that clause {number} of the section `cuts` excludes violates no constraint"
            ));
        }
    }
    Ok(())
}

/// Checks that the section `solutions` excludes exactly the listed arrangements.
fn compare_solutions(
    (problem, encoding): (&Problem, &Encoding),
    formula: &Cnf,
    sections: Sections,
    arrangements: &[Arrangement],
) -> Result<(), VerifyError> {
    if arrangements.len() != sections.solutions {
        return reject(format!(
            "{} clauses exclude solutions, but {} arrangements are listed",
            sections.solutions,
            arrangements.len()
        ));
    }
    let first = sections.base + sections.symmetry + sections.cuts;
    for (index, arrangement) in arrangements.iter().enumerate() {
        let excluding = encoding.excluding(Picture::new(problem, arrangement).values());
        if excluding.as_deref() != Some(formula.clause(first + index)) {
            return reject(format!(
                "clause {} of the section `solutions` does not exclude arrangement {0}",
                index + 1
            ));
        }
    }
    Ok(())
}

/// Checks that the proof refutes the formula; returns the number of its lemmas.
fn refute(formula: &Cnf, proof: impl BufRead, file: &str) -> Result<u64, VerifyError> {
    let mut checker = Checker::new(formula.variables);
    formula.iter().for_each(|clause| checker.add(clause));
    let mut proof = Proof::new(proof, file, formula.variables);
    let mut lemmas = 0;
    while let Some(step) = proof.next_step()? {
        match step {
            StepKind::Add => {
                lemmas += 1;
                if !checker.follows(&proof.clause) {
                    let line = proof.line();
                    return reject(format!(
                        "the lemma in line {line} of the proof does not follow by unit propagation"
                    ));
                }
                if proof.clause.is_empty() {
                    return Ok(lemmas);
                }
                checker.add(&proof.clause);
            }
            StepKind::Delete => {
                if !checker.remove(&proof.clause) {
                    let line = proof.line();
                    return reject(format!(
                        "line {line} of the proof deletes a clause that does not exist"
                    ));
                }
            }
        }
    }
    reject("the proof ends without the empty clause")
}
