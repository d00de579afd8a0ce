//! A scatter plot: a dot for each puzzle at the times of two engines.

use edgematch::analyse::compare::Comparison;
use plotters::prelude::*;

use super::{Area, COLOURS, Drawn, FONT, chart, decade_below, time_label};

/// Draws the plot with two logarithmic axes, `one` horizontally. A run that was stopped is a hollow
/// dot on a line at the time limit, `limit` seconds. Draws nothing if neither engine solved a
/// puzzle.
pub(super) fn draw(
    comparisons: &[Comparison],
    [one, other]: [&str; 2],
    limit: f64,
    area: &Area<'_>,
) -> Drawn {
    // The time of an engine on a puzzle; the inner `None` means it was stopped, the outer not run.
    let time = |comparison: &Comparison, name: &str| {
        let entry = comparison.entries.iter().find(|entry| entry.name == name)?;
        entry.outcome.as_ref().map(|_| entry.min())
    };
    let both = |c: &Comparison| Some([time(c, one)?, time(c, other)?]);
    let points: Vec<[Option<f64>; 2]> = comparisons.iter().filter_map(both).collect();
    let solved = points.as_flattened().iter().flatten();
    let (low, slowest) =
        solved.fold((f64::MAX, 0.0), |(low, high), time| (time.min(low), time.max(high)));
    if slowest == 0.0 {
        return Ok(());
    }
    let low = decade_below(low);
    let stopped = limit.max(slowest);
    let high = stopped * 2.0;
    let range = || (low..high).log_scale();
    let mut chart = chart(area, format!("{other} against {one}"), [44, 64], range(), range())?;
    chart
        .configure_mesh()
        .x_desc(one)
        .y_desc(other)
        .x_label_formatter(&time_label)
        .y_label_formatter(&time_label)
        .label_style(FONT)
        .draw()?;
    let mut lines = vec![[(low, low), (high, high)]];
    if points.as_flattened().contains(&None) {
        lines.extend([[(stopped, low), (stopped, high)], [(low, stopped), (high, stopped)]]);
        chart.draw_series([Text::new("stopped", (low * 1.2, high * 0.9), FONT)])?;
    }
    for line in lines {
        chart.draw_series(LineSeries::new(line, BLACK.mix(0.4)))?;
    }
    let colour = COLOURS[0].mix(0.7);
    chart.draw_series(points.iter().map(|times| {
        let [x, y] = times.map(|time| time.unwrap_or(stopped));
        let is_bound = times.contains(&None);
        let style = if is_bound { colour.stroke_width(2) } else { colour.filled() };
        Circle::new((x, y), 5, style)
    }))?;
    Ok(())
}
