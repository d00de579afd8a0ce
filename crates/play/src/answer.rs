//! Answers a player's questions: hints, counts, solutions, checks.
//!
//! Every question carries the whole position, so the server keeps no games. Answers come from the
//! engines, and every arrangement is verified like any other solution.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use edgematch::analyse::doctor::{Slip, diagnose};
use edgematch::analyse::hint::{Suggestion, hint};
use edgematch::engine::{Auto, Work};
use edgematch::enumerate::solution::violations;
use edgematch::enumerate::{self, Limits, Listener, NewSolution, RunStatus, StopReason, Tally};
use edgematch::optimise::FirstSolutions;
use edgematch::problem::constraints::{ConstraintKind, FieldValue, Fields, Scene, second_pin};
use edgematch::problem::{Arrangement, Listed, Placed, Problem};
use edgematch::puzzle::{Change, Face, Orientation, ValueSet};
use edgematch::runtime::clock::{self, Instant};
use edgematch_report::sentence;
use serde::{Deserialize, Serialize};

use crate::closest::{ClosestArrangement, closest};
use crate::pieces::{Pieces, PlacedPiece};
use crate::refusal::{Refusal, Result, refuse_failure};
use crate::watch::{self, Recording};

/// The maximum number of placements in all solutions of one answer, which limits it to some tens of
/// megabytes.
const MOST_PLACEMENTS: usize = 1 << 20;

/// The maximum number of steps in one recording.
const MOST_STEPS: usize = 3_000;

/// The maximum of steps times cells in one recording, because a step can describe every cell.
const MOST_STEPS_OF_CELLS: usize = 300_000;

/// The minimum time between two progress reports.
const PERIOD: Duration = Duration::from_millis(250);

/// A piece in a cell, as `[cell, piece, index of the orientation]`.
pub type PlacedTile = [usize; 3];

/// Receives the parts of an answer.
type Tell<'a> = &'a mut dyn FnMut(AnswerPart);

/// A question about a puzzle.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Question {
    /// List solutions.
    Solve {
        /// The maximum number of solutions to list.
        most: u64,
    },
    /// Count the solutions that contain a position.
    Count {
        /// The tiles on the board.
        placed: Vec<PlacedTile>,
    },
    /// Suggest the next move.
    Hint {
        /// The tiles on the board.
        placed: Vec<PlacedTile>,
    },
    /// Check whether a position is a solution.
    Check {
        /// The tiles on the board.
        placed: Vec<PlacedTile>,
    },
    /// Find cards that may be mistyped.
    Doctor {},
    /// Find the arrangement with the most matching seams.
    Best {},
    /// Record two searches step by step.
    Watch {},
}

/// The time limit for a hint: a player does not wait longer.
const LONGEST_HINT: Duration = Duration::from_secs(10);

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum AnswerPart {
    /// The progress of a running search.
    Progress {
        /// The number of distinct solutions found so far.
        found: u64,
        /// The number of search nodes visited so far.
        nodes: u64,
        /// The largest number of filled cells so far; 0 if unknown.
        filled: usize,
    },
    /// A solution, with one placement per cell.
    Solution {
        /// The placements.
        placed: Vec<[usize; 2]>,
    },
    /// The end of a list of solutions.
    Solved {
        /// True if it is proven that there are no more.
        complete: bool,
        /// The number of listed arrangements, distinct up to the symmetries of the board.
        distinct: u64,
        /// The exact number of solutions that they represent, in decimal digits.
        solutions: String,
        /// A summary of the run.
        sentence: String,
    },
    /// The number of solutions that contain a position.
    Count {
        /// The number of distinct solutions; a lower bound unless `complete`.
        number: u64,
        /// True if it is proven that there are no more.
        complete: bool,
        /// True if rotations of the whole board count once, because the board is empty.
        turned: bool,
    },
    /// The next tile to place.
    Place {
        /// The cell.
        cell: usize,
        /// The piece and the index of its orientation.
        placed: [usize; 2],
        /// True if the cell has no other candidate.
        forced: bool,
        /// The number of solutions that have the tile there, and of all solutions, if known.
        /// Rotations of the only solution do not count.
        share: Option<[u64; 2]>,
    },
    /// Placed tiles to take back, so that a solution exists again.
    TakeBack {
        /// Their indices in the question's list.
        indices: Vec<usize>,
    },
    /// The board is full, and it is a solution.
    Done {},
    /// The puzzle has no solution, proven, even if all tiles are taken back.
    Nothing {},
    /// The result of verifying a solution.
    Check {
        /// Messages about violations; empty if the arrangement is a solution.
        wrong: Vec<String>,
    },
    /// The arrangement with the most matching seams.
    Best(ClosestArrangement),
    /// Cards that may be mistyped, the most likely first; for a puzzle without a solution.
    Suspects {
        /// The suspects, one per card, and one for all cards.
        cards: Vec<SuspectCard>,
        /// The probability of several mistakes, or of one that was not tried.
        other: f64,
    },
    /// A recorded search; there is one part for each engine.
    Recording {
        /// The engine: `spiral` or `propagate`.
        engine: &'static str,
        /// The recorded steps.
        recording: Recording,
    },
    /// The search was stopped before it had an answer.
    Unknown {
        /// Why it was stopped, as one word; see [`RunStatus::reason`].
        code: &'static str,
        /// The same in words.
        why: String,
    },
}

/// A card that may be mistyped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuspectCard {
    /// The number of the tile's first piece; `None` for mistakes that concern all cards.
    pub tile: Option<usize>,
    /// The probability of its mistakes, between 0 and 1.
    pub likelihood: f64,
    /// Possible mistakes, the most likely first.
    pub slips: Vec<CardSlip>,
}

/// A possible mistake on a card.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CardSlip {
    /// The name of its [kind](edgematch::analyse::doctor::SlipKind).
    pub kind: &'static str,
    /// The corrected edges; none if the card is a copy of another one.
    pub changes: Vec<EdgeChange>,
}

/// An edge that may be mistyped.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EdgeChange {
    /// The side, counted counter-clockwise from the right.
    pub side: usize,
    /// The number of sides of the card.
    pub sides: usize,
    /// True for an edge of the back.
    pub is_back: bool,
    /// The edge as typed.
    pub typed: String,
    /// The edge that gives a solution.
    pub instead: String,
}

/// Answers a question and passes each part of the answer to `tell` as soon as it is known. If a
/// limit stops the search, the answer says so; this is not an error.
///
/// # Errors
/// If the position has cells, tiles or orientations that do not exist or do not fit the board, the
/// engine does not support the problem, or it fails.
pub fn answer(
    problem: &Problem,
    question: &Question,
    limits: &Limits<'_>,
    tell: &mut dyn FnMut(AnswerPart),
) -> Result<()> {
    let part = match question {
        Question::Solve { most } => return solve(problem, *most, limits, tell),
        Question::Count { placed } => {
            let placed = read_position(problem, placed)?;
            count(problem, &placed, limits, &mut ProgressReporter::new(tell))?
        }
        Question::Hint { placed } => {
            let used: Vec<usize> = placed.iter().map(|&[_, piece, _]| piece).collect();
            let limits = limits.token().limits_within(LONGEST_HINT);
            let mut progress = ProgressReporter::new(tell);
            suggest(problem, &read_position(problem, placed)?, &used, &limits, &mut progress)?
        }
        Question::Check { placed } => check(problem, &read_position(problem, placed)?),
        Question::Doctor {} => find_suspects(problem, limits)?,
        Question::Best {} => {
            AnswerPart::Best(closest(problem, limits, &mut ProgressReporter::new(tell))?)
        }
        Question::Watch {} => return record(problem, limits, tell),
    };
    tell(part);
    Ok(())
}

/// Converts the tiles of a question to cells and placements. It is an error if one does not exist,
/// is not allowed in its cell, or occurs twice.
fn read_position(problem: &Problem, placed: &[PlacedTile]) -> Result<Vec<(usize, Placed)>> {
    let refuse = |what: String| Err(Refusal::unanswerable(what));
    let tiles: Vec<usize> = problem.pieces().collect();
    let mut cells = HashSet::new();
    let mut pieces = HashSet::new();
    let mut all = Vec::new();
    for &[cell, piece, number] in placed {
        let Some(there) = problem.board.cells().get(cell) else {
            return refuse(format!("there is no cell {cell}"));
        };
        let Some(&tile) = tiles.get(piece) else {
            return refuse(format!("there is no tile {piece}"));
        };
        let sides = problem.puzzle.tiles[tile].sides();
        let lies = Orientation::with_index(number, sides)
            .filter(|&o| problem.puzzle.allows_orientation(tile, o) && sides == there.sides);
        let Some(orientation) = lies else {
            return refuse(format!(
                "tile {piece} cannot be placed in cell {cell} with orientation {number}"
            ));
        };
        if !cells.insert(cell) || !pieces.insert(piece) {
            return refuse(format!("cell {cell} or tile {piece} appears twice"));
        }
        all.push((cell, Placed { tile, orientation }));
    }
    Ok(all)
}

/// The requested number of solutions, but at least 1 and at most as many as fit into one answer.
fn most_solutions(problem: &Problem, wanted: u64) -> u64 {
    let most = MOST_PLACEMENTS / problem.board.size().max(1);
    wanted.clamp(1, most.max(1) as u64)
}

/// Sends up to `most` solutions, as far as they fit into an answer, with the progress in between,
/// then a summary.
///
/// # Errors
/// If the engine fails; what was sent before remains valid.
fn solve(problem: &Problem, most: u64, limits: &Limits<'_>, tell: Tell<'_>) -> Result<()> {
    let mut reporter = SolutionReporter {
        problem,
        pieces: Pieces::new(problem),
        progress: ProgressReporter::new(tell),
        left: most_solutions(problem, most),
        reported: Tally::default(),
    };
    let engine = FirstSolutions::new(&Auto);
    let mut outcome = enumerate::run(problem, &engine, limits, &mut reporter);
    outcome.tally = reporter.reported;
    refuse_failure(&outcome.status)?;
    (reporter.progress.tell)(AnswerPart::Solved {
        complete: outcome.status.is_complete(),
        distinct: outcome.tally.listed(),
        solutions: outcome.tally.solutions.to_string(),
        sentence: sentence(problem, &outcome),
    });
    Ok(())
}

/// A listener that reports progress, at most once per [`PERIOD`].
struct ProgressReporter<'a> {
    tell: Tell<'a>,
    last: Instant,
}

impl<'a> ProgressReporter<'a> {
    /// Creates a reporter that sends progress with `tell`.
    fn new(tell: Tell<'a>) -> Self {
        ProgressReporter { tell, last: clock::now() }
    }
}

impl Listener for ProgressReporter<'_> {
    fn found(&mut self, _found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        ControlFlow::Continue(())
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        if self.last.elapsed() >= PERIOD {
            self.last = clock::now();
            let &Work { nodes, filled, .. } = work;
            (self.tell)(AnswerPart::Progress { found: tally.listed(), nodes, filled });
        }
    }
}

/// A listener that also reports solutions. It stops the search at the first solution beyond the
/// limit, not at the last one within it, so a search with exactly that many solutions is complete.
struct SolutionReporter<'a> {
    problem: &'a Problem,
    pieces: Pieces,
    progress: ProgressReporter<'a>,
    /// The number of solutions that may still be reported.
    left: u64,
    /// The tally of the solutions reported so far.
    reported: Tally,
}

impl Listener for SolutionReporter<'_> {
    fn found(&mut self, found: &NewSolution<'_>) -> ControlFlow<StopReason> {
        if self.left == 0 {
            return ControlFlow::Break(StopReason::Enough);
        }
        self.left -= 1;
        self.reported = found.tally.clone();
        let placed = self.pieces.arrangement(self.problem, &found.distinct.arrangement.0);
        (self.progress.tell)(AnswerPart::Solution { placed });
        ControlFlow::Continue(())
    }

    fn progress(&mut self, tally: &Tally, work: &Work) {
        self.progress.progress(tally, work);
    }
}

/// The problem with the filled cells restricted to their values. Equal tiles share a value, so in a
/// solution another equal tile may be in such a cell.
fn restrict_to_placements(problem: &Problem, placed: &[(usize, Placed)]) -> Problem {
    let values = problem.kinds.values.len();
    let mut cells = vec![ValueSet::from_range(values, 0..values); problem.board.size()];
    for (cell, placed) in placed {
        let value = problem.kinds.value_of(placed.tile, placed.orientation);
        cells[*cell] = ValueSet::from_values(values, value);
    }
    problem.confined(cells)
}

/// Counts the solutions that contain the placements, up to the number that fits into an answer.
///
/// # Errors
/// If the engine fails. A limit is not an error: the count is then marked as incomplete.
fn count(
    problem: &Problem,
    placed: &[(usize, Placed)],
    limits: &Limits<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<AnswerPart> {
    let limits = Limits { distinct: most_solutions(problem, u64::MAX), ..*limits };
    let outcome = match placed {
        [] => enumerate::run(problem, &Auto, &limits, progress),
        placed => {
            enumerate::run(&restrict_to_placements(problem, placed), &Auto, &limits, progress)
        }
    };
    refuse_failure(&outcome.status)?;
    Ok(AnswerPart::Count {
        number: outcome.tally.listed(),
        complete: outcome.status.is_complete(),
        turned: placed.is_empty() && problem.group.len() > 1,
    })
}

/// The next move. `used` has the pieces on the board. If the limits do not suffice, the answer is
/// unknown.
///
/// # Errors
/// If the placements are not possible pins, or the engine fails.
fn suggest(
    problem: &Problem,
    placed: &[(usize, Placed)],
    used: &[usize],
    limits: &Limits<'_>,
    progress: &mut ProgressReporter<'_>,
) -> Result<AnswerPart> {
    let progress = &mut |work: &Work| progress.progress(&Tally::default(), work);
    Ok(match hint(problem, &pins(problem, placed)?, limits, progress) {
        Ok(Suggestion::Place { cell, placed, is_forced, share }) => AnswerPart::Place {
            cell,
            placed: free_piece(problem, placed, used),
            forced: is_forced,
            share: share.and_then(|share| {
                let counts = [share.with.try_into().ok()?, share.all.try_into().ok()?];
                Some(if share.is_only { [1, 1] } else { counts })
            }),
        },
        Ok(Suggestion::TakeBack(indices)) => AnswerPart::TakeBack { indices },
        Ok(Suggestion::Done) => AnswerPart::Done {},
        Ok(Suggestion::Nothing) => AnswerPart::Nothing {},
        Err(status) => return unknown(&status),
    })
}

/// The answer for a run that was stopped; an error if it failed.
fn unknown(status: &RunStatus) -> Result<AnswerPart> {
    refuse_failure(status)?;
    Ok(AnswerPart::Unknown { code: status.reason().unwrap_or_default(), why: status.to_string() })
}

/// The placement with the tile's first piece that is not in `used`; if all are, the first one.
fn free_piece(problem: &Problem, placed: Placed, used: &[usize]) -> PlacedPiece {
    let pieces = Pieces::new(problem);
    let used: HashSet<&usize> = used.iter().collect();
    let [first, orientation] = pieces.placed(problem, placed);
    let free = pieces.pieces_of(placed.tile).find(|piece| !used.contains(piece));
    [free.unwrap_or(first), orientation]
}

/// The placements as `pin` constraints. It is an error if two of them contradict each other.
fn pins(problem: &Problem, placed: &[(usize, Placed)]) -> Result<Vec<Listed>> {
    let scene = Scene::new(problem);
    let pin = |(cell, placed): &(usize, Placed)| {
        let rotation = placed.orientation.rotation();
        let mut fields = Fields::default()
            .with("cell", FieldValue::Cells(vec![*cell]))
            .with("tile", FieldValue::Tiles(vec![placed.tile]))
            .with("rotation", FieldValue::Rotations(vec![rotation]));
        if problem.puzzle.tiles[placed.tile].back.is_some() {
            fields = fields.with("face", FieldValue::Face(placed.orientation.face()));
        }
        ConstraintKind::named("pin").ok_or("the constraint `pin` is missing")?.make(&scene, &fields)
    };
    let pins: Result<Vec<_>, String> = placed.iter().map(pin).collect();
    let pins = pins.map_err(Refusal::unanswerable)?;
    match second_pin(&problem.board, &pins) {
        Some((_, message)) => Err(Refusal::unanswerable(message)),
        None => Ok(pins.into_iter().map(Listed::from).collect()),
    }
}

/// The violations of a position; if cells are empty, only their number.
fn check(problem: &Problem, placed: &[(usize, Placed)]) -> AnswerPart {
    let mut placed = placed.to_vec();
    placed.sort_unstable_by_key(|(cell, _)| *cell);
    let empty = problem.board.size() - placed.len();
    let wrong = match empty {
        0 => {
            let arrangement = Arrangement(placed.into_iter().map(|(_, placed)| placed).collect());
            violations(problem, &arrangement).iter().map(|m| m.describe(problem)).collect()
        }
        1 => vec!["1 cell is empty".to_owned()],
        _ => vec![format!("{empty} cells are empty")],
    };
    AnswerPart::Check { wrong }
}

impl CardSlip {
    fn new(problem: &Problem, slip: &Slip) -> CardSlip {
        let change = |change: &Change| {
            let labels = &problem.puzzle.labels;
            let tile = &problem.puzzle.tiles[change.tile];
            EdgeChange {
                side: change.side,
                sides: tile.sides(),
                is_back: change.face == Face::Back,
                typed: labels.name(tile.face(change.face)[change.side]),
                instead: labels.name(change.label),
            }
        };
        CardSlip { kind: slip.kind.name(), changes: slip.changes.iter().map(change).collect() }
    }
}

/// The cards that may be mistyped. If the limits do not suffice, the answer is unknown.
///
/// # Errors
/// If the engine fails.
fn find_suspects(problem: &Problem, limits: &Limits<'_>) -> Result<AnswerPart> {
    let diagnosis = match diagnose(problem, limits) {
        Ok(diagnosis) => diagnosis,
        Err(status) => return unknown(&status),
    };
    let pieces = Pieces::new(problem);
    let cards = diagnosis.suspects.iter().map(|suspect| SuspectCard {
        tile: suspect.tile.map(|tile| pieces.pieces_of(tile).start),
        likelihood: suspect.likelihood,
        slips: suspect.slips.iter().map(|slip| CardSlip::new(problem, slip)).collect(),
    });
    Ok(AnswerPart::Suspects { cards: cards.collect(), other: diagnosis.other })
}

/// Records two engines, one after the other, each up to a number of steps that depends on the
/// board. Sends an unknown answer for a recording that the limits stop.
///
/// # Errors
/// If an engine fails.
fn record(problem: &Problem, limits: &Limits<'_>, tell: Tell<'_>) -> Result<()> {
    let token = &limits.token();
    let most = MOST_STEPS.min(MOST_STEPS_OF_CELLS / problem.board.size().max(1));
    let recordings = [
        ("spiral", watch::spiral(problem, most, token)),
        ("propagate", watch::propagate(problem, most, token)),
    ];
    for (engine, recording) in recordings {
        match recording {
            Ok(recording) => tell(AnswerPart::Recording { engine, recording }),
            Err(status) => tell(unknown(&status)?),
        }
    }
    Ok(())
}
