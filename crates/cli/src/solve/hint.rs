//! `edgematch hint`: what to lay next, or what to take back.

use edgematch::analyse::hint::{Hint, hint};
use edgematch::load::{self, printable};
use edgematch::problem::Problem;
use serde_json::{Value, json};

use crate::args::{AnswerFormat, Hint as Args, refuse_two_readers};
use crate::common::{exit, interrupt, patience, print, print_json, warnings};

/// Runs the command; gives the exit code.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    refuse_two_readers(args.puzzle.read())?;
    let pins = &args.puzzle.extra.pin;
    let interrupt = interrupt::flag();
    let limits = args.search.limits(&interrupt);
    let problem = patience::read(&args.puzzle, &limits, |puzzle| {
        Ok(puzzle.extra.load_but_pins(&puzzle.file)?.problem)
    })?;
    warnings::of_problem(&problem, args.answer.messages.quiet);
    let pinned = load::short_constraints(&problem, "pin", pins, "--pin")?;
    let hint = match hint(&problem, &pinned, &limits) {
        Ok(hint) => hint,
        Err(status) => {
            let code = exit::give_up(args.answer.format, "no hint", &status)?;
            warnings::assumed(&problem, args.answer.messages.quiet);
            return Ok(code);
        }
    };
    match args.answer.format {
        AnswerFormat::Json => print_json(as_json(&problem, &hint, pins), &problem)?,
        AnswerFormat::Text => print(printable(&as_text(&problem, &hint, pins)) + "\n")?,
    }
    warnings::assumed(&problem, args.answer.messages.quiet);
    Ok(match hint {
        Hint::Place { .. } | Hint::Done => exit::FOUND,
        Hint::TakeBack(_) | Hint::Nothing => exit::NONE,
    })
}

/// A placement as `--pin` takes it.
fn pin(problem: &Problem, hint: &Hint) -> Option<String> {
    let Hint::Place { cell, placed, .. } = hint else {
        return None;
    };
    let cell = problem.board.cells()[*cell].name.bare();
    let tile = &problem.puzzle.tiles[placed.tile];
    Some(format!("{cell}={}@{}", tile.name, tile.word(placed.orientation)))
}

fn as_text(problem: &Problem, hint: &Hint, pins: &[String]) -> String {
    match hint {
        Hint::Place { is_forced, .. } => {
            let pin = pin(problem, hint).unwrap_or_default();
            let why =
                if *is_forced { "nothing else fits there" } else { "it is part of a solution" };
            format!("place {pin}: {why}")
        }
        Hint::Done => "done: this is a solution".into(),
        Hint::TakeBack(indices) => {
            let pins: Vec<&str> = indices.iter().map(|&i| pins[i].as_str()).collect();
            let them = if pins.len() == 1 { "it" } else { "them" };
            let pins = pins.join(" and ");
            format!(
                "take back {pins}: with {them} there is no solution, without {them} there is one"
            )
        }
        Hint::Nothing => "taking back pins does not help: the puzzle has no solution".into(),
    }
}

fn as_json(problem: &Problem, hint: &Hint, pins: &[String]) -> Value {
    match hint {
        Hint::Place { is_forced, .. } => json!({
            "hint": "place",
            "pin": pin(problem, hint),
            "forced": is_forced,
        }),
        Hint::Done => json!({"hint": "done"}),
        Hint::TakeBack(indices) => {
            let pins: Vec<&String> = indices.iter().map(|&i| &pins[i]).collect();
            json!({"hint": "take back", "pins": pins})
        }
        Hint::Nothing => json!({"hint": "nothing"}),
    }
}
