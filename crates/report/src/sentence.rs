//! One honest sentence about a run.

use super::{Best, Score, stop_reason};
use edgematch::engine::{PartOf, counted};
use edgematch::enumerate::{Outcome, Stop, Verdict};
use edgematch::optimise::Goal;

/// Classes, solutions, distinct, whether that is proven, the engine's work, seconds.
pub fn sentence(outcome: &Outcome) -> String {
    let effort = effort(outcome);
    match &outcome.verdict {
        Verdict::All if outcome.tally.distinct == 0 => format!("no solution, proven {effort}"),
        Verdict::All => format!("{}, complete {effort}", counts(outcome)),
        _ => unfinished(outcome, "there may be more"),
    }
}

/// The same of one part of a search, which proves nothing of the whole.
pub fn part_sentence(outcome: &Outcome, part: PartOf) -> String {
    let words = match outcome.verdict {
        Verdict::All => format!(
            "{}, complete in this part {}",
            counts(outcome),
            effort(outcome)
        ),
        _ => unfinished(outcome, "there may be more in this part"),
    };
    format!("{part}: {words}")
}

fn unfinished(outcome: &Outcome, hope: &str) -> String {
    let (found, effort) = (counts(outcome), effort(outcome));
    match &outcome.verdict {
        Verdict::Failed(failure) => format!("failed: {failure}; {found} until then {effort}"),
        Verdict::Stopped(stop) => {
            let reason = stop_reason(*stop);
            format!("{found} so far, {reason}: {hope} {effort}")
        }
        Verdict::All => format!("{found} {effort}"),
    }
}

/// The engine's work, how much is explored where a limit ended it, seconds.
fn effort(outcome: &Outcome) -> String {
    let explored = match (&outcome.verdict, outcome.work.explored) {
        (Verdict::Stopped(Stop::Time(_) | Stop::Memory(_) | Stop::Interrupted), Some(share)) => {
            format!("{:.1} % explored, ", 100.0 * share)
        }
        _ => String::new(),
    };
    let (effort, time) = (&outcome.effort, seconds(outcome.seconds));
    format!("({effort}, {explored}{time})")
}

/// What is reached, whether that is proven to be the best, and how many are as good.
pub fn best_sentence(outcome: &Outcome, best: &Best) -> String {
    let (effort, time) = (&outcome.effort, seconds(outcome.seconds));
    let steps = match best.steps {
        0 => String::new(),
        steps => format!("{} of annealing, ", counted(steps, "step", "steps")),
    };
    let effort = format!("({steps}{effort}, {time})");
    let (goal, bound) = (best.goal, best.bound);
    if let Verdict::Failed(failure) = &outcome.verdict {
        return format!("failed: {failure} {effort}");
    }
    let reason = match outcome.verdict {
        Verdict::Stopped(stop) => stop_reason(stop),
        _ => String::new(),
    };
    let Some(value) = best.value else {
        return match (best.is_proven, goal) {
            (true, Goal::Seams(_)) => {
                format!("no arrangement, whichever seams break: proven {effort}")
            }
            (true, _) => format!("no solution, proven {effort}"),
            (false, _) => format!("nothing found so far, {reason}: there may be more {effort}"),
        };
    };
    let score = Score { value, goal };
    if !best.is_proven {
        let bound = match goal {
            Goal::Seams(_) => format!("at most {bound} can"),
            Goal::Largest => format!("at most {bound} is possible"),
            Goal::Smallest => format!("at least {bound} is certain"),
        };
        return format!("{score} so far, {bound}: {reason} {effort}");
    }
    let found = counts(outcome);
    match outcome.verdict {
        Verdict::All => format!("{score}, proven best; {found}, complete {effort}"),
        Verdict::Stopped(Stop::Enough) => format!("{score}, proven best {effort}"),
        _ => format!("{score}, proven best; {found} so far, {reason}: there may be more {effort}"),
    }
}

fn counts(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    if tally.distinct == 0 {
        return "no solution".into();
    }
    format!(
        "{}, {}, {} distinct",
        counted(tally.classes(), "class", "classes"),
        counted(&tally.solutions, "solution", "solutions"),
        tally.distinct
    )
}

/// A time with three significant digits.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 0.000_999_5 => format!("{:.0} µs", s * 1e6),
        s if s < 0.999_5 => format!("{} ms", three_digits(s * 1e3)),
        s if s < 999_999.5 => format!("{} s", three_digits(s)),
        s => format!("{s:.2e} s"),
    }
}

fn three_digits(number: f64) -> String {
    let decimals = match number {
        n if n < 9.995 => 2,
        n if n < 99.95 => 1,
        _ => 0,
    };
    format!("{number:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let cases = [
            (0.000_041, "41 µs"),
            (0.023_45, "23.4 ms"),
            (0.999_9, "1.00 s"),
            (12.0, "12.0 s"),
            (3600.0, "3600 s"),
            (1.234e38, "1.23e38 s"),
        ];
        for (time, text) in cases {
            assert_eq!(seconds(time), text);
        }
    }
}
