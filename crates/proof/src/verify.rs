//! Verifies a certificate against the puzzle.
//!
//! The search is not repeated. The formula must state the puzzle, each additional clause must be
//! justified, and the proof must refute the formula.

use std::collections::BTreeMap;
use std::io::BufRead;

use edgematch::enumerate::solution::{ValueArrangement, check, stands_for};
use edgematch::load::LoadError;
use edgematch::problem::{Arrangement, Problem};
use itertools::Itertools;
use num_bigint::BigUint;
use thiserror::Error;

use super::encode::{Encoding, Meaning, cell_named};
use super::formula::Cnf;
use super::manifest::{Manifest, Sections, SolutionCounts, SymmetryEntry};
use super::proof::Lines;
use super::rup::Checker;
use super::symmetry::SymmetryBreaking;

/// The files of a certificate to verify; formula and proof are read from streams, with their names
/// for errors.
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
    /// The number of lemmas, including the empty clause; 0 for a proof by counting.
    pub lemmas: u64,
}

/// The reason why a certificate is rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum VerifyError {
    /// A file cannot be read or is malformed.
    #[error(transparent)]
    Unreadable(#[from] LoadError),
    /// The files can be read but prove nothing.
    #[error("{0}")]
    Rejected(String),
}

impl From<String> for VerifyError {
    fn from(why: String) -> VerifyError {
        VerifyError::Rejected(why)
    }
}

/// Verifies a certificate. `problem` is the puzzle with all its constraints; the caller has checked
/// that its files are those of the manifest.
///
/// # Errors
/// If a file is malformed, or the certificate does not prove its claims.
pub fn verify<F: BufRead, P: BufRead>(
    problem: &Problem,
    evidence: Evidence<'_, F, P>,
) -> Result<Verified, VerifyError> {
    let Evidence { manifest, arrangements, formula: (formula, file), proof } = evidence;
    if !manifest.complete {
        return Err("the manifest does not claim that the enumeration is complete"
            .to_owned()
            .into());
    }
    let encoding = Encoding::new(problem).map_err(|e| e.to_string())?;
    if manifest.variables != encoding.map(problem) {
        return Err("the manifest's variables differ from those of the puzzle".to_owned().into());
    }
    let found = solutions(problem, arrangements)?;
    if found != manifest.found {
        let SolutionCounts { distinct, classes, solutions } = &found;
        let claimed = &manifest.found;
        return Err(format!(
            "the arrangements represent {distinct} distinct, {classes} classes and {solutions} \
             solutions, but the manifest claims {}, {} and {}",
            claimed.distinct, claimed.classes, claimed.solutions
        )
        .into());
    }
    let formula = Cnf::read(formula, file)?;
    let base = encoding.base().map_err(|e| e.to_string())?;
    compare_base(&base, &formula, manifest.clauses)?;
    drop(base);
    let mut rest = formula.iter().skip(manifest.clauses.base);
    let mut section = |length: usize| rest.by_ref().take(length).collect_vec();
    let removed = removed(&encoding, &section(manifest.clauses.symmetry))?;
    encoding
        .justify(problem, resolve_symmetry(problem, &manifest.symmetry)?, &removed)
        .map_err(|why| format!("the section `symmetry` is not justified: {why}"))?;
    justify_cuts(problem, &encoding, &section(manifest.clauses.cuts))?;
    compare_solutions(problem, &encoding, &section(manifest.clauses.solutions), arrangements)?;
    let lemmas = match &manifest.counting {
        None => refute(&formula, proof)?,
        Some(claim) => {
            claim.check(problem).map_err(|why| format!("the proof by counting is wrong: {why}"))?;
            0
        }
    };
    if lemmas != manifest.lemmas {
        let claimed = manifest.lemmas;
        return Err(
            format!("the proof has {lemmas} lemmas, but the manifest claims {claimed}").into()
        );
    }
    Ok(Verified { found, clauses: formula.len(), lemmas })
}

/// Checks that each arrangement is a solution, and counts the solutions that they represent;
/// repeated and symmetric arrangements count once.
fn solutions(problem: &Problem, arrangements: &[Arrangement]) -> Result<SolutionCounts, String> {
    let mut distinct: BTreeMap<ValueArrangement, usize> = BTreeMap::new();
    for (index, arrangement) in arrangements.iter().enumerate() {
        if let Err(violation) = check(problem, arrangement) {
            let how = violation.describe(problem);
            return Err(format!("arrangement {} is not a solution: {how}", index + 1));
        }
        let mut orbit = ValueArrangement::new(problem, arrangement).orbit(problem);
        let size = orbit.len();
        distinct.insert(orbit.swap_remove(0), size);
    }
    let mut solutions = BigUint::ZERO;
    let mut classes = BigUint::ZERO;
    for (arrangement, &orbit) in &distinct {
        let number = stands_for(problem, arrangement, orbit);
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
fn compare_base(base: &Cnf, formula: &Cnf, sections: Sections) -> Result<(), String> {
    let Sections { base: claimed, symmetry, cuts, solutions } = sections;
    let own = base.len();
    if claimed != own {
        return Err(format!(
            "the manifest claims {claimed} clauses in the section `base`, but the puzzle gives \
             {own}"
        ));
    }
    let found = formula.len();
    let mut others = [symmetry, cuts, solutions].into_iter();
    if others.try_fold(own, usize::checked_add) != Some(found) {
        return Err(format!(
            "the formula has {found} clauses, but the manifest claims {own} + {symmetry} + \
             {cuts} + {solutions}"
        ));
    }
    if formula.variables != base.variables {
        return Err(format!(
            "the formula has {} variables, but the puzzle gives {}",
            formula.variables, base.variables
        ));
    }
    match base.iter().zip(formula.iter()).find_position(|(base, own)| base != own) {
        None => Ok(()),
        Some((index, (base, own))) => Err(format!(
            "clause {} of the section `base` is {own:?}, but the puzzle gives {base:?}",
            index + 1
        )),
    }
}

/// The placements (cell, value) that the section `symmetry` removes.
///
/// # Errors
/// If a clause does not exclude a single placement, as a message.
fn removed(encoding: &Encoding, section: &[&[i32]]) -> Result<Vec<(usize, usize)>, String> {
    let placements = section.iter().enumerate().map(|(index, clause)| {
        let meaning = match **clause {
            [literal] if literal < 0 => {
                encoding.meanings.get((literal.unsigned_abs() as usize).wrapping_sub(1))
            }
            _ => None,
        };
        match meaning {
            Some(&Meaning::Placement { cell, value }) => Ok((cell, value)),
            _ => Err(format!(
                "clause {} of the section `symmetry` does not remove a placement: {clause:?}",
                index + 1
            )),
        }
    });
    placements.collect()
}

/// Resolves the tile or cell that the manifest names.
///
/// # Errors
/// If it does not exist, as a message.
fn resolve_symmetry(problem: &Problem, entry: &SymmetryEntry) -> Result<SymmetryBreaking, String> {
    let (found, name) = match entry {
        SymmetryEntry::Nothing {} => return Ok(SymmetryBreaking::Nothing),
        SymmetryEntry::Tile { tile } => {
            let kind = problem.puzzle.tile_named(tile).map(|tile| problem.kinds.of_tile[tile]);
            (kind.map(SymmetryBreaking::Kind), format!("tile `{tile}`"))
        }
        SymmetryEntry::Cell { cell } => {
            (cell_named(problem, cell).map(SymmetryBreaking::Cell), format!("cell {cell}"))
        }
    };
    found.ok_or_else(|| format!("the manifest's symmetry names {name}, which does not exist"))
}

/// Checks that each clause of the section `cuts` excludes one arrangement, and that this
/// arrangement violates a constraint which the puzzle's clauses do not encode.
fn justify_cuts(problem: &Problem, encoding: &Encoding, section: &[&[i32]]) -> Result<(), String> {
    for (number, clause) in (1..).zip(section) {
        let Some(values) = encoding.excluded(problem, clause) else {
            return Err(format!(
                "clause {number} of the section `cuts` does not exclude one arrangement: {clause:?}"
            ));
        };
        if problem.broken_constraint(&problem.deal(values)).is_none() {
            return Err(format!(
                "the arrangement that clause {number} of the section `cuts` excludes violates no \
                 constraint"
            ));
        }
    }
    Ok(())
}

/// Checks that the section `solutions` has one clause per listed arrangement, in the same order,
/// and that each is the clause that excludes it.
fn compare_solutions(
    problem: &Problem,
    encoding: &Encoding,
    section: &[&[i32]],
    arrangements: &[Arrangement],
) -> Result<(), String> {
    if arrangements.len() != section.len() {
        return Err(format!(
            "{} clauses exclude solutions, but {} arrangements are listed",
            section.len(),
            arrangements.len()
        ));
    }
    for (number, (clause, arrangement)) in (1..).zip(section.iter().zip(arrangements)) {
        let excluding = encoding.excluding(ValueArrangement::new(problem, arrangement).values());
        if excluding.as_deref() != Some(*clause) {
            return Err(format!(
                "clause {number} of the section `solutions` does not exclude arrangement {number}"
            ));
        }
    }
    Ok(())
}

/// Checks that the proof refutes the formula; returns the number of lemmas up to the empty clause.
///
/// # Errors
/// If the proof is malformed, a lemma does not follow, a deleted clause does not exist, or there is
/// no empty clause.
fn refute(formula: &Cnf, (proof, file): (impl BufRead, &str)) -> Result<u64, VerifyError> {
    let mut checker = Checker::new(formula.variables);
    formula.iter().for_each(|clause| checker.add(clause));
    let mut lines = Lines::new(proof, file);
    let mut clause = Vec::new();
    let mut lemmas = 0;
    while let Some(line) = lines.next_line()? {
        let number = line.number;
        if let Some(words) = line.words().strip_prefix(b"d ") {
            line.clause(words, formula.variables, &mut clause)?;
            if !checker.remove(&clause) {
                return Err(format!(
                    "line {number} of the proof deletes a clause that does not exist"
                )
                .into());
            }
            continue;
        }
        line.clause(line.words(), formula.variables, &mut clause)?;
        lemmas += 1;
        if !checker.follows(&clause) {
            return Err(format!(
                "the lemma in line {number} of the proof does not follow by unit propagation"
            )
            .into());
        }
        if clause.is_empty() {
            return Ok(lemmas);
        }
        checker.add(&clause);
    }
    Err("the proof ends without the empty clause".to_owned().into())
}
