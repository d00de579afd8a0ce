//! A cactus plot: the number of puzzles that each engine solves within a given time per puzzle.

use edgematch::analyse::compare::Comparison;
use itertools::Itertools;
use plotters::prelude::*;

use super::{Area, COLOURS, Drawn, FONT, chart, decade_below, legend, line, time_label};

/// An engine with its times on the puzzles that it solved, in ascending order.
struct Solved<'a> {
    name: &'a str,
    seconds: Vec<f64>,
}

/// The times of every engine, in the order of the comparisons.
fn solved(comparisons: &[Comparison]) -> Vec<Solved<'_>> {
    let entries = || comparisons.iter().flat_map(|c| &c.entries);
    let names = entries().map(|entry| entry.name.as_str()).unique();
    let of = |name| {
        let own = entries().filter(|entry| entry.name == name);
        let mut seconds: Vec<f64> = own.filter_map(|entry| entry.min()).collect();
        seconds.sort_by(f64::total_cmp);
        Solved { name, seconds }
    };
    names.map(of).collect()
}

/// The two engines that solved most puzzles, ties broken by total time; `None` if there is only one
/// engine.
pub(super) fn best_two(comparisons: &[Comparison]) -> Option<[&str; 2]> {
    let mut all = solved(comparisons);
    let total = |solved: &Solved<'_>| -> f64 { solved.seconds.iter().sum() };
    all.sort_by(|one, other| {
        other.seconds.len().cmp(&one.seconds.len()).then(total(one).total_cmp(&total(other)))
    });
    match all[..] {
        [ref one, ref other, ..] => Some([one.name, other.name]),
        _ => None,
    }
}

/// Draws the plot with a logarithmic time axis up to `limit`, the time limit in seconds. Draws
/// nothing if no puzzle was solved.
pub(super) fn draw(comparisons: &[Comparison], limit: f64, area: &Area<'_>) -> Drawn {
    let all = solved(comparisons);
    let times = || all.iter().flat_map(|solved| solved.seconds.iter().copied());
    let Some(slowest) = times().reduce(f64::max) else {
        return Ok(());
    };
    let low = decade_below(times().fold(slowest, f64::min));
    let high = limit.max(slowest);
    let puzzles = comparisons.len();
    let (x, y) = ((low..high).log_scale(), 0..puzzles as i32);
    let mut chart = chart(area, "puzzles solved within a time", [44, 56], x, y)?;
    chart
        .configure_mesh()
        .x_desc("time per puzzle")
        .y_desc(format!("solved of {puzzles}"))
        .x_label_formatter(&time_label)
        .y_labels(puzzles.min(10) + 1)
        .label_style(FONT)
        .draw()?;
    for (index, solved) in all.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        // When colours repeat, the lines are thinner.
        let style = colour.stroke_width(if index < COLOURS.len() { 3 } else { 1 });
        let name = format!("{} ({})", solved.name, solved.seconds.len());
        line(&mut chart, name, steps(&solved.seconds, low, high), style)?;
    }
    legend(&mut chart, SeriesLabelPosition::LowerRight)
}

/// The corners of the step function: the number of puzzles solved within each time from `low` to
/// `high`.
fn steps(seconds: &[f64], low: f64, high: f64) -> Vec<(f64, i32)> {
    let mut points = vec![(low, 0)];
    for (index, &time) in seconds.iter().enumerate() {
        points.extend([(time, index as i32), (time, index as i32 + 1)]);
    }
    points.push((high, seconds.len() as i32));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stairs_climb_at_each_time_and_go_on_to_the_end() {
        let points = steps(&[0.1, 0.5], 0.01, 1.0);
        let expected = [(0.01, 0), (0.1, 0), (0.1, 1), (0.5, 1), (0.5, 2), (1.0, 2)];
        assert_eq!(points, expected);
    }
}
