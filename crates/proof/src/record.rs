//! Records a proof while a search runs, and the rest of the certificate afterwards.
//!
//! Each conflict and each finished branch becomes a clause that follows by unit propagation, so the
//! proof needs no rule other than RUP.

use std::io::{self, Write};
use std::ops::ControlFlow;

use edgematch::domains::Observer;
use edgematch::engine::BrokenSymmetry;
use edgematch::enumerate::Tally;
use edgematch::problem::{Arrangement, Problem};

use super::counting::Claim;
use super::encode::Encoding;
use super::formula::{Cnf, write_clause};
use super::manifest::{FileEntry, Manifest, Sections, SolutionCounts, SymmetryEntry};

/// Writes a DRAT proof from search events: one lemma per node; the lemmas of its children are
/// deleted after it.
#[derive(Debug)]
pub struct Recorder<'a, W> {
    encoding: &'a Encoding,
    proof: W,
    /// The last placement (cell, value) of each lemma that is not deleted yet, by the depth of its
    /// parent node.
    open: Vec<Vec<(usize, usize)>>,
    /// The arrangements found, as a value for each cell.
    found: Vec<Vec<usize>>,
    /// The number of lemmas written.
    lemmas: u64,
    /// The number of bytes written.
    bytes: u64,
    /// The error that occurred while writing the proof.
    error: Option<io::Error>,
}

/// The parts of a certificate, except for the proof, which is already written.
#[derive(Debug)]
pub struct Certificate {
    /// The formula.
    pub formula: Vec<u8>,
    /// The solutions, one per clause of the last section.
    pub arrangements: Vec<Arrangement>,
    /// The manifest.
    pub manifest: Manifest,
    /// The size of the proof in bytes.
    pub proof_bytes: u64,
}

impl<'a, W: Write> Recorder<'a, W> {
    /// Creates a recorder that writes a proof over the variables of an encoding.
    pub fn new(encoding: &'a Encoding, proof: W) -> Self {
        Recorder {
            encoding,
            proof,
            open: Vec::new(),
            found: Vec::new(),
            lemmas: 0,
            bytes: 0,
            error: None,
        }
    }

    /// Ends the proof of a complete search with the empty clause, and returns the other parts of
    /// the certificate. With a claim, which a counting argument proves, the proof stays empty. The
    /// last argument are the files of the puzzle and of its additional constraints.
    ///
    /// # Errors
    /// If the proof cannot be written, or could not be earlier.
    pub fn finish(
        mut self,
        problem: &Problem,
        broken: &BrokenSymmetry,
        tally: &Tally,
        claim: Option<Claim>,
        (puzzle, constraints): (FileEntry, Vec<FileEntry>),
    ) -> io::Result<Certificate> {
        // The placements are those that symmetry breaking removes.
        let (entry, placements) = match claim {
            Some(_) => (SymmetryEntry::Nothing {}, &[][..]),
            None => {
                self.lemmas += 1;
                self.write(b"0\n");
                symmetry(problem, broken)
            }
        };
        let flushed = self.proof.flush();
        if let Some(error) = self.error {
            return Err(error);
        }
        flushed?;
        let base = self.encoding.base().map_err(|e| io::Error::other(e.to_string()))?;
        let mut removed = Cnf::default();
        for &(cell, value) in placements {
            removed.push(self.encoding.placement_variable(cell, value).map(|variable| -variable));
        }
        let found = self.split_found(problem);
        let [solutions, cuts] = [&found.0, &found.1].map(|found| {
            let mut excluded = Cnf::default();
            for values in found {
                let clause = self.encoding.excluding(values.iter().copied());
                excluded.push(clause.unwrap_or_default());
            }
            excluded
        });
        let sections = Sections {
            base: base.len(),
            symmetry: removed.len(),
            cuts: cuts.len(),
            solutions: solutions.len(),
        };
        let number = sections.base + sections.symmetry + sections.cuts + sections.solutions;
        let name = &problem.puzzle.name;
        let variables = base.variables;
        // Control characters in the name could end the comment line.
        let shown = name.replace(char::is_control, " ");
        let header = format!("c edgematch: {shown}\np cnf {variables} {number}\n");
        let mut formula = header.into_bytes();
        base.write_section(&mut formula, "base");
        removed.write_section(&mut formula, "symmetry");
        if !cuts.is_empty() {
            cuts.write_section(&mut formula, "cuts");
        }
        solutions.write_section(&mut formula, "solutions");
        let deal = |values: &&[usize]| problem.deal(values.iter().copied());
        Ok(Certificate {
            formula,
            arrangements: found.0.iter().map(deal).collect(),
            proof_bytes: self.bytes,
            manifest: Manifest {
                form: Manifest::FORM,
                edgematch: env!("CARGO_PKG_VERSION").into(),
                name: name.clone(),
                puzzle,
                constraints,
                forbid: Vec::new(),
                pin: Vec::new(),
                from: None,
                edge_order: None,
                board: None,
                border: None,
                rotations: None,
                counting: claim,
                symmetry: entry,
                clauses: sections,
                lemmas: self.lemmas,
                found: SolutionCounts {
                    distinct: tally.listed(),
                    classes: tally.classes.to_string(),
                    solutions: tally.solutions.to_string(),
                },
                complete: true,
                variables: self.encoding.map(problem),
            },
        })
    }

    /// Separates the arrangements found into solutions and those that violate a constraint which
    /// the formula does not encode.
    fn split_found(&self, problem: &Problem) -> (Vec<&[usize]>, Vec<&[usize]>) {
        self.found.iter().map(Vec::as_slice).partition(|values| problem.lazy_cut(values).is_none())
    }

    /// Takes the error that occurred while writing the proof; `None` if there is none.
    pub fn take_error(&mut self) -> Option<io::Error> {
        self.error.take()
    }

    /// Appends to the proof, unless an earlier write failed.
    fn write(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.proof.write_all(bytes).err();
            self.bytes += bytes.len() as u64;
        }
    }

    /// The clause that excludes these placements together.
    fn lemma(&self, path: impl IntoIterator<Item = (usize, usize)>) -> Vec<i32> {
        let variables =
            path.into_iter().map(|(cell, value)| self.encoding.placement_variable(cell, value));
        // A placement without a variable is always false.
        variables.flatten().map(|variable| -variable).collect()
    }
}

impl<W: Write> Observer for Recorder<'_, W> {
    fn found(&mut self, values: &[usize]) -> ControlFlow<()> {
        self.found.push(values.to_vec());
        ControlFlow::Continue(())
    }

    fn done(&mut self, path: &mut dyn Iterator<Item = (usize, usize)>) -> ControlFlow<()> {
        let way: Vec<(usize, usize)> = path.collect();
        let Some((&last, above)) = way.split_last() else {
            return ControlFlow::Continue(());
        };
        let clause = self.lemma(way.iter().copied());
        let mut text = Vec::new();
        write_clause(&mut text, &clause);
        if self.open.len() <= way.len() {
            self.open.resize(way.len() + 1, Vec::new());
        }
        for child in std::mem::take(&mut self.open[way.len()]) {
            text.extend(b"d ");
            write_clause(&mut text, &[&clause[..], &self.lemma([child])].concat());
        }
        self.open[above.len()].push(last);
        self.lemmas += 1;
        self.write(&text);
        if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn failure(&self) -> Option<String> {
        let error = self.error.as_ref()?;
        Some(format!("the proof can't be written: {error}"))
    }
}

/// The symmetry entry of the manifest, and the placements that symmetry breaking removes.
fn symmetry<'b>(
    problem: &Problem,
    broken: &'b BrokenSymmetry,
) -> (SymmetryEntry, &'b [(usize, usize)]) {
    match broken {
        BrokenSymmetry::Not => (SymmetryEntry::Nothing {}, &[]),
        BrokenSymmetry::Tile { kind, removed } => {
            let tile = problem.kinds.kinds[*kind].tiles[0];
            let tile = problem.puzzle.tiles[tile].name.clone();
            (SymmetryEntry::Tile { tile }, removed)
        }
        BrokenSymmetry::Cell { cell, removed } => {
            let cell = problem.board.cells()[*cell].name.clone();
            (SymmetryEntry::Cell { cell }, removed)
        }
    }
}
