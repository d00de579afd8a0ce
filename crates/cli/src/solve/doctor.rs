//! `edgematch doctor`: finds the card that was probably mistyped.
//!
//! The output lists the images, then the cards in the order in which to compare them, each with its
//! probability and likely mistakes. The probabilities add up to 100 %.

use std::time::Duration;

use anyhow::bail;
use edgematch::analyse::doctor::{Diagnosis, Suspect, diagnose};
use edgematch::engine::Auto;
use edgematch::enumerate::{self, Limits, RunStatus};
use edgematch::load::{printable, tile_text};
use edgematch::problem::Problem;
use edgematch_draw::{self as draw, Marks};
use edgematch_report as report;
use itertools::Itertools;

use crate::args::{AnswerFormat, Doctor, Loaded};
use crate::common::{
    DrawingFile, columns, exit, ink, interrupt, is_stdout, note, patience, pictures, print,
    print_json, warnings,
};

/// The default time limit: a user with the cards at hand will not wait longer.
const USUAL_TIME: Duration = Duration::from_secs(60);

/// The maximum number of mistakes listed for a card, and of cards with such a list.
const SLIPS: usize = 4;
const CARDS: usize = 5;

/// Runs the command, for a minute at most by default; returns the exit code.
///
/// # Errors
/// If the input is invalid, or standard output or the drawing cannot be written.
pub fn run(args: &Doctor) -> anyhow::Result<u8> {
    if args.output.as_deref().is_some_and(is_stdout) {
        bail!("-o needs a file, .svg or .png: standard output has the list");
    }
    let interrupt = interrupt::flag();
    let asked = args.search.limits(&interrupt);
    let limits = Limits { time: asked.time.or(Some(USUAL_TIME)), ..asked };
    let Loaded { problem, text, .. } = patience::load(&args.puzzle, &limits)?;
    let is_quiet = args.answer.messages.quiet;
    warnings::of_text(&args.puzzle, &text, &problem, (false, is_quiet))?;
    let own = pictures::read(args.output.is_some(), &args.puzzle, &problem, is_quiet, &limits)?;
    let output = args.output.as_deref();
    let read = args.puzzle.inputs();
    let output = DrawingFile::of_option(output, args.picture, args.force, read, own.as_ref())?;
    let diagnosis = match diagnose(&problem, &limits) {
        Ok(diagnosis) => diagnosis,
        Err(status) => {
            let code = exit::give_up(args.answer.format, "not examined", &status)?;
            warnings::assumed(&problem, is_quiet);
            return Ok(code);
        }
    };
    let is_json = args.answer.format == AnswerFormat::Json;
    let findings = (!is_json).then(|| findings(&problem, &diagnosis, &limits));
    interrupt::end_at_once();
    if let Some(mut output) = output {
        let style = pictures::style(args.picture, own.as_ref());
        let suspects = diagnosis.suspects.iter().take(CARDS);
        let marks = Marks { seams: Vec::new(), tiles: suspects.filter_map(|it| it.tile).collect() };
        let title = format!("{}: the cards to compare first", problem.puzzle.name);
        let drawing = draw::marked_tiles(&problem, &style, &title, &marks);
        output.write(&drawing)?;
    }
    match findings {
        None => print_json(report::diagnosis(&problem, &diagnosis), &problem)?,
        Some(findings) => {
            let images = draw::text_of_images(&problem, columns(), ink(args.color));
            let lines = findings.iter().map(|line| printable(line) + "\n");
            print(images + "\n" + &lines.collect::<String>())?;
        }
    }
    if diagnosis.status != RunStatus::Complete {
        let [tried, all] = diagnosis.tried;
        note(is_quiet, &format!("tried {tried} of {all} single mistakes: {}", diagnosis.status));
    }
    warnings::assumed(&problem, is_quiet);
    Ok(exit::of_status(&diagnosis.status, true))
}

/// The findings about the cards: whether there is a solution, then the suspects with their likely
/// mistakes. If the puzzle has a solution only without its constraints, returns a single line that
/// says so and omits the suspects. This test searches for at most a second.
fn findings(problem: &Problem, diagnosis: &Diagnosis, limits: &Limits<'_>) -> Vec<String> {
    let number = diagnosis.slips().count();
    let is_only_asked_too_much = diagnosis.solution.is_none()
        && !problem.constraints.is_empty()
        && has_solution(&problem.relaxed(Vec::new(), &[], &[]), limits);
    if is_only_asked_too_much {
        return vec![
            "the cards have solutions, but none satisfies the constraints: `edgematch why` shows \
             which constraints conflict"
                .to_owned(),
        ];
    }
    let mut lines = vec![match (diagnosis.solution.is_some(), number) {
        (true, 0) => "there is a solution as it is typed".to_owned(),
        (true, _) => "there is a solution as it is typed. If your cards form the mirror image of \
                      it, their edges were listed in the opposite direction: change `order`. If \
                      the cards differ in another way, compare them in this order:"
            .to_owned(),
        (false, 0) if diagnosis.status != RunStatus::Complete => match diagnosis.tried[0] {
            0 => "there is no solution; no correction has been tried to the end".to_owned(),
            1 => "there is no solution; the first correction tried does not give one".to_owned(),
            tried => format!(
                "there is no solution; none of the {tried} corrections tried so far gives one"
            ),
        },
        (false, 0) => "there is no solution, and no single correction gives one".to_owned(),
        (false, 1) => "there is no solution. This correction gives one:".to_owned(),
        (false, _) => format!(
            "there is no solution. Any one of these {number} corrections gives one; compare in \
             this order:"
        ),
    }];
    let mut percents = percents(diagnosis).into_iter();
    for (suspect, percent) in diagnosis.suspects.iter().zip(percents.by_ref()).take(CARDS) {
        lines.extend(suspect_lines(problem, suspect, &percent));
    }
    let rest = diagnosis.suspects.iter().skip(CARDS).zip(percents.by_ref());
    let rest = rest.map(|(it, percent)| format!("{} ({percent})", card(problem, it.tile)));
    let rest = rest.collect_vec().join(", ");
    lines.extend(percents.next().filter(|_| number > 0).map(|percent| {
        let then = if rest.is_empty() { String::new() } else { format!("then {rest}; ") };
        format!("{then}several mistakes, or one that was not tried: {percent}")
    }));
    lines
}

/// The name of a card, or of all of them.
fn card(problem: &Problem, tile: Option<usize>) -> String {
    match tile {
        Some(tile) => format!("card {}", tile_text(&problem.puzzle.tiles[tile].name)),
        None => "all cards".to_owned(),
    }
}

/// The probability of each suspect, then that of other mistakes, rounded so that they add up to
/// 100 %.
fn percents(diagnosis: &Diagnosis) -> Vec<String> {
    let suspects = diagnosis.suspects.iter().map(|suspect| suspect.likelihood);
    let sums = suspects.chain([diagnosis.other]).scan(0.0, |sum, likelihood| {
        *sum += 100.0 * likelihood;
        Some(*sum)
    });
    let rounded = std::iter::once(0.0).chain(sums.map(f64::round)).tuple_windows();
    let percent = |(before, after): (f64, f64)| match after - before {
        0.0 => "under 1 %".to_owned(),
        percent => format!("{percent} %"),
    };
    rounded.map(percent).collect()
}

/// Returns true if a search of at most a second finds a solution; false also if it does not end in
/// that time.
fn has_solution(problem: &Problem, limits: &Limits<'_>) -> bool {
    let limits = limits.token().limits_within(Duration::from_secs(1));
    matches!(enumerate::first(problem, &Auto, &limits), Ok(Some(_)))
}

/// The lines about one suspect: the card with its likelihood, its [`SLIPS`] likeliest mistakes, and
/// the number of the others.
fn suspect_lines(problem: &Problem, suspect: &Suspect, percent: &str) -> Vec<String> {
    let card = card(problem, suspect.tile);
    let mut lines = vec![format!("{card}, {percent}:")];
    let slips = suspect.slips.iter().take(SLIPS);
    lines.extend(slips.map(|slip| format!("  {}", slip.describe(problem))));
    let more = suspect.slips.len().saturating_sub(SLIPS);
    lines.extend((more > 0).then(|| format!("  and {more} more")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The typed images have odd numbers, so every engine proves at once that there is no solution.
    /// The correction restores a board that no engine solves with a hundred nodes.
    #[test]
    fn corrections_that_were_not_tried_are_not_excluded() {
        let text = include_str!("../../../../benches/boards/f8-b5k7-0.yaml");
        let typed = text.replacen("  2: [c11, c6,", "  2: [c6, c6,", 1);
        assert_ne!(text, typed);
        let problem = edgematch::load::from_str(&typed).unwrap();
        let limits = Limits { nodes: Some(100), ..Limits::default() };
        let diagnosis = diagnose(&problem, &limits).unwrap();
        assert_eq!(diagnosis.slips().count(), 0);
        assert_ne!(diagnosis.status, RunStatus::Complete);
        let [tried, all] = diagnosis.tried;
        assert!(1 < tried && tried < all, "{tried} of {all}");
        let said =
            format!("there is no solution; none of the {tried} corrections tried so far gives one");
        assert_eq!(findings(&problem, &diagnosis, &limits), [said]);
    }
}
