//! `edgematch hint`: suggests a placement, or a pin to take back.

use edgematch::analyse::hint::{Suggestion, hint};
use edgematch::load::{self, printable};
use edgematch_report::{number, readable, step};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::args::{AnswerFormat, Hint as Args, Loaded};
use crate::common::{exit, interrupt, patience, print, print_json, warnings};

/// Runs the command; returns the exit code: [`exit::NONE`] if pins must be taken back or there is
/// no solution.
///
/// # Errors
/// If the input is invalid, or standard output cannot be written.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut puzzle = args.puzzle.clone();
    // Not loaded with the puzzle: pins may have to be taken back.
    let pins = std::mem::take(&mut puzzle.extra.pin);
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let Loaded { problem, text, .. } = patience::load(&puzzle, &limits)?;
    warnings::of_text(&puzzle, &text, &problem, (false, args.answer.messages.quiet))?;
    warnings::of_problem(&problem, args.answer.messages.quiet);
    warnings::ignored_objective(&problem, args.answer.messages.quiet);
    let pinned = load::short_constraints(&problem, "pin", &pins, "--pin")?;
    let hint = match hint(&problem, &pinned, &limits, &mut |_| ()) {
        Ok(hint) => hint,
        Err(status) => {
            let code = exit::give_up(args.answer.format, "no hint", &status)?;
            warnings::assumed(&problem, args.answer.messages.quiet);
            return Ok(code);
        }
    };
    let answer = match hint {
        Suggestion::Place { cell, placed, is_forced, share } => {
            let name = problem.board.cells()[cell].name.bare();
            let tile = &problem.puzzle.tiles[placed.tile];
            let pin = format!("{name}={}@{}", tile.name, tile.describe(placed.orientation));
            let share = share.map(|share| ShownShare {
                solutions: number(&share.with),
                of: number(&share.all),
                words: if share.is_only {
                    "it is part of the only solution".to_owned()
                } else {
                    let [with, all] = [readable(&share.with), readable(&share.all)];
                    let verb = if share.with == 1u32.into() { "has" } else { "have" };
                    format!("{with} of {all} solutions {verb} this tile there")
                },
            });
            let words = step(&problem, cell, &placed);
            Answer::Place { forced: is_forced, pin, words, share }
        }
        Suggestion::Done => Answer::Done,
        Suggestion::TakeBack(indices) => {
            Answer::Back { pins: indices.into_iter().map(|index| pins[index].as_str()).collect() }
        }
        Suggestion::Nothing => Answer::Nothing,
    };
    match args.answer.format {
        AnswerFormat::Json => print_json(&answer, &problem)?,
        AnswerFormat::Text => print(printable(&answer.text()) + "\n")?,
    }
    warnings::assumed(&problem, args.answer.messages.quiet);
    Ok(match answer {
        Answer::Place { .. } | Answer::Done => exit::FOUND,
        Answer::Back { .. } | Answer::Nothing => exit::NONE,
    })
}

/// The solutions with a placement's tile in its cell.
#[derive(Serialize)]
struct ShownShare {
    solutions: Box<RawValue>,
    of: Box<RawValue>,
    #[serde(skip)]
    words: String,
}

/// A hint in its JSON form. Pins are in the notation of `--pin`.
#[derive(Serialize)]
#[serde(tag = "hint", rename_all = "lowercase")]
enum Answer<'a> {
    Place {
        forced: bool,
        pin: String,
        words: String,
        #[serde(flatten)]
        share: Option<ShownShare>,
    },
    Done,
    #[serde(rename = "take back")]
    Back {
        pins: Vec<&'a str>,
    },
    Nothing,
}

impl Answer<'_> {
    /// The hint as a sentence.
    fn text(&self) -> String {
        match self {
            Answer::Place { forced, pin, words, share } => {
                let reason = match share {
                    _ if *forced => "nothing else fits there",
                    Some(share) => &share.words,
                    None => "it is part of a solution",
                };
                format!("place {pin} ({words}): {reason}")
            }
            Answer::Done => "done: this is a solution".into(),
            Answer::Back { pins } => {
                let (them, pins) =
                    (if pins.len() == 1 { "it" } else { "them" }, pins.join(" and "));
                format!(
                    "take back {pins}: with {them} there is no solution, without {them} there is one"
                )
            }
            Answer::Nothing => "taking back pins does not help: the puzzle has no solution".into(),
        }
    }
}
