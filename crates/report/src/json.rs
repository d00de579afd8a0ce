//! JSON output: one array of objects at the end, or JSON lines as events happen.
//!
//! Every object has a `"type"`: `solution`, `improvement`, `statistics`, `status` or `error`.
//! Counts are numbers with all digits, written as raw text: `serde_json::Value`, and so `json!`,
//! would convert those of at least 2^64 to floats.

use std::io::{self, Write};

use edgematch::analyse::merge::PartStatus;
use edgematch::board::{Cell, CellName};
use edgematch::enumerate::{Conclusion, Marginals, Outcome, RunStatus};
use edgematch::load::LoadError;
use edgematch::problem::{Arrangement, Placed, Problem};
use num_bigint::BigUint;
use serde::Serialize;
use serde_json::value::RawValue;

use super::remarks::Remarks;
use super::{Better, Ending, Report, Scores, Shown, Statistics};
use crate::sizes::Sizes;

/// The formats `json` (an array) and `jsonl` (an object per line).
pub(super) struct Json {
    is_array: bool,
    /// The number of objects written so far.
    written: u64,
}

impl Json {
    /// Begins an array, or JSON lines.
    pub fn new(is_array: bool) -> Self {
        Json { is_array, written: 0 }
    }

    /// Writes an object with the array's punctuation or a line break.
    pub fn object(&mut self, out: &mut dyn Write, object: &impl Serialize) -> io::Result<()> {
        if self.is_array {
            out.write_all(if self.written == 0 { b"[\n" } else { b",\n" })?;
        }
        self.written += 1;
        serde_json::to_writer(&mut *out, object)?;
        if self.is_array { Ok(()) } else { out.write_all(b"\n") }
    }

    /// Writes the last object, the status, and closes the array.
    pub fn end_with(&mut self, out: &mut dyn Write, status: Status<'_>) -> io::Result<()> {
        self.object(out, &Object::Status(status))?;
        if self.is_array { out.write_all(b"\n]\n") } else { Ok(()) }
    }
}

/// An object of the output; its variant is its `"type"`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub(super) enum Object<'a> {
    Solution {
        index: u64,
        placements: &'a RawValue,
        #[serde(skip_serializing_if = "Option::is_none")]
        canonical: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        solutions: Option<&'a RawValue>,
        #[serde(flatten)]
        scores: Option<&'a Scores>,
    },
    Improvement(&'a Better),
    Statistics(Statistics<'a>),
    Status(Status<'a>),
    Error(Error<'a>),
}

/// The object at the end of a run.
#[derive(Default, Serialize)]
pub(super) struct Status<'a> {
    status: &'a str,
    complete: bool,
    distinct: u64,
    classes: Box<RawValue>,
    solutions: Box<RawValue>,
    #[serde(flatten)]
    scores: Option<&'a Scores>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'a PartStatus>,
    #[serde(flatten)]
    remarks: Remarks,
    #[serde(flatten)]
    pub merged: Option<MergedParts>,
}

/// The number of parts of a merged search, and those that are missing or were stopped early.
#[derive(Serialize)]
pub(super) struct MergedParts {
    pub parts: u32,
    pub missing: Vec<u32>,
    pub stopped: Vec<u32>,
}

impl Status<'_> {
    pub fn new(
        known: Conclusion,
        complete: bool,
        distinct: u64,
        [classes, solutions]: [&BigUint; 2],
    ) -> Self {
        Status {
            status: known.name(),
            complete,
            distinct,
            classes: number(classes),
            solutions: number(solutions),
            ..Status::default()
        }
    }
}

/// An error, with its position if it is in a file.
#[derive(Default, Serialize)]
pub(super) struct Error<'a> {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<&'a str>,
}

/// A placement in its JSON form; only a two-sided tile has a `face`.
#[derive(Debug, Clone, Serialize)]
pub struct Placement<'a> {
    cell: &'a CellName,
    tile: &'a str,
    rotation: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<&'static str>,
}

/// A count as raw JSON with all digits.
pub fn number(number: &BigUint) -> Box<RawValue> {
    RawValue::from_string(number.to_string()).expect("decimal digits are JSON")
}

/// The placements of an arrangement as raw JSON, as in the field `placements` of a `solution`.
pub fn placements(problem: &Problem, arrangement: &Arrangement) -> Box<RawValue> {
    let placements = arrangement.0.iter().enumerate();
    let placements: Vec<_> = placements.map(|(cell, p)| placement(problem, cell, p)).collect();
    serde_json::value::to_raw_value(&placements).expect("names and numbers are JSON")
}

/// The JSON form of one placement.
pub fn placement<'a>(problem: &'a Problem, cell: usize, placed: &Placed) -> Placement<'a> {
    let tile = &problem.puzzle.tiles[placed.tile];
    let face = placed.orientation.face().name();
    Placement {
        cell: &problem.board.cells()[cell].name,
        tile: &tile.name,
        rotation: placed.orientation.rotation(),
        face: tile.back.as_ref().map(|_| face),
    }
}

/// The counts of a run in their JSON form.
#[derive(Serialize)]
pub struct Counts<'a> {
    classes: Box<RawValue>,
    complete: bool,
    distinct: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    marginals: Option<Vec<KindMarginals<'a>>>,
    solutions: Box<RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    statistics: Option<Object<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    up_to: Option<Box<RawValue>>,
}

/// The solutions with one of several identical tiles in each cell; cells without any are omitted.
#[derive(Serialize)]
struct KindMarginals<'a> {
    tiles: Vec<&'a str>,
    cells: Vec<CellMarginal<'a>>,
}

#[derive(Serialize)]
struct CellMarginal<'a> {
    cell: &'a CellName,
    solutions: Box<RawValue>,
}

impl<'a> Counts<'a> {
    /// Adds the number of distinct solutions up to more symmetries.
    pub fn with_up_to(self, up_to: &BigUint) -> Counts<'a> {
        Counts { up_to: Some(number(up_to)), ..self }
    }

    /// Adds the marginals.
    pub fn with_marginals(self, problem: &'a Problem, marginals: &Marginals) -> Counts<'a> {
        let cells = |row: &[BigUint]| {
            let row = problem.board.cells().iter().zip(row);
            let counted = row.filter(|(_, solutions)| **solutions != BigUint::ZERO);
            let marginal = |(cell, solutions): (&'a Cell, _)| CellMarginal {
                cell: &cell.name,
                solutions: number(solutions),
            };
            counted.map(marginal).collect()
        };
        let kinds = marginals.kinds.iter().enumerate().map(|(kind, row)| KindMarginals {
            tiles: problem.tiles_of_kind(kind).collect(),
            cells: cells(row),
        });
        Counts { marginals: Some(kinds.collect()), ..self }
    }
}

/// The counts of a run; with `sizes`, also the statistics.
pub fn counts<'a>(outcome: &'a Outcome, sizes: Option<&'a Sizes>) -> Counts<'a> {
    Counts {
        marginals: None,
        classes: number(&outcome.tally.classes),
        complete: outcome.status.is_complete(),
        distinct: number(&outcome.tally.distinct),
        solutions: number(&outcome.tally.solutions),
        statistics: sizes
            .map(|sizes| Object::Statistics(Statistics::new(outcome, Some(sizes), None))),
        up_to: None,
    }
}

impl Report for Json {
    fn solution(&mut self, out: &mut dyn Write, shown: &Shown<'_>) -> io::Result<()> {
        let written = placements(shown.problem, shown.arrangement);
        let solutions = shown.distinct.map(|distinct| number(&distinct.solutions));
        let canonical = shown.distinct.map(|it| placements(shown.problem, &it.canonical));
        let object = Object::Solution {
            index: shown.index,
            placements: &written,
            canonical: canonical.as_deref(),
            solutions: solutions.as_deref(),
            scores: shown.scores.as_ref(),
        };
        self.object(out, &object)
    }

    fn improved(&mut self, out: &mut dyn Write, better: &Better) -> io::Result<()> {
        if self.is_array {
            return Ok(());
        }
        self.object(out, &Object::Improvement(better))
    }

    fn end(&mut self, out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
        let outcome = ending.outcome;
        let statistics = Statistics::new(outcome, ending.sizes, ending.best.as_ref());
        self.object(out, &Object::Statistics(statistics))?;
        if let RunStatus::Failed(failure) = &outcome.status {
            let error = Error { message: failure.to_string(), ..Error::default() };
            self.object(out, &Object::Error(error))?;
        }
        // A complete part does not make the whole search complete.
        let is_complete = outcome.status.is_complete() && ending.part.is_none();
        let tally = &outcome.tally;
        let counts = [&tally.classes, &tally.solutions];
        self.end_with(
            out,
            Status {
                scores: ending.best.as_ref().map(|best| &best.scores),
                bound: ending.best.as_ref().map(|best| best.bound),
                part: ending.part,
                remarks: Remarks::new(ending.problem),
                ..Status::new(ending.conclusion(), is_complete, tally.listed(), counts)
            },
        )
    }

    fn error(&mut self, out: &mut dyn Write, error: &LoadError) -> io::Result<()> {
        let object = Error {
            message: error.message.clone(),
            file: Some(&error.file),
            line: error.position.map(|p| p.0),
            column: error.position.map(|p| p.1),
            help: error.help.as_deref(),
        };
        self.object(out, &Object::Error(object))?;
        self.end_with(out, Status::new(Conclusion::Error, false, 0, [&BigUint::ZERO; 2]))
    }
}
