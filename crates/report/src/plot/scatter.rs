//! A scatter plot: each puzzle at the times that two engines took.

use edgematch::analyse::compare::Comparison;
use plotters::prelude::*;

use super::{Area, COLOURS, decade_below, time_label};

/// How an engine did on a puzzle.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Time {
    Solved(f64),
    /// It was not at its end when it was stopped.
    Stopped,
}

/// The time of an engine, where it was run.
fn time_of(comparison: &Comparison, name: &str) -> Option<Time> {
    let entry = comparison.entries.iter().find(|entry| entry.name == name)?;
    entry.outcome.as_ref()?;
    Some(entry.min().map_or(Time::Stopped, Time::Solved))
}

/// Draws the times on two logarithmic axes. A run that was stopped is a hollow dot on a line
/// of its own, at the limit.
pub(super) fn draw(
    comparisons: &[Comparison],
    [one, other]: [&str; 2],
    limit: f64,
    area: &Area<'_>,
) -> Result<(), String> {
    let both = |c: &Comparison| Some([time_of(c, one)?, time_of(c, other)?]);
    let points: Vec<[Time; 2]> = comparisons.iter().filter_map(both).collect();
    let solved = points.as_flattened().iter().filter_map(|time| match time {
        Time::Solved(time) => Some(*time),
        Time::Stopped => None,
    });
    let (low, slowest) =
        solved.fold((f64::MAX, 0.0), |(low, high), time| (time.min(low), time.max(high)));
    if slowest == 0.0 {
        return Ok(());
    }
    let low = decade_below(low);
    let stopped = limit.max(slowest);
    let high = stopped * 2.0;
    let mut chart = ChartBuilder::on(area)
        .caption(format!("{other} against {one}"), ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((low..high).log_scale(), (low..high).log_scale())
        .map_err(|e| e.to_string())?;
    chart
        .configure_mesh()
        .x_desc(one)
        .y_desc(other)
        .x_label_formatter(&time_label)
        .y_label_formatter(&time_label)
        .label_style(("sans-serif", 14))
        .draw()
        .map_err(|e| e.to_string())?;
    let mut line = |from, to| {
        chart
            .draw_series(LineSeries::new([from, to], BLACK.mix(0.4)))
            .map(|_| ())
            .map_err(|e| e.to_string())
    };
    line((low, low), (high, high))?;
    if points.as_flattened().contains(&Time::Stopped) {
        line((stopped, low), (stopped, high))?;
        line((low, stopped), (high, stopped))?;
        let label = Text::new("stopped", (low * 1.2, high * 0.9), ("sans-serif", 14));
        chart.draw_series([label]).map_err(|e| e.to_string())?;
    }
    let dots = points.iter().map(|times| dot(*times, stopped));
    chart.draw_series(dots).map_err(|e| e.to_string())?;
    Ok(())
}

/// A dot at two times; hollow, where one of them is only a bound.
fn dot(times: [Time; 2], stopped: f64) -> Circle<(f64, f64), i32> {
    let colour = COLOURS[0].mix(0.7);
    let [x, y] = times.map(|time| match time {
        Time::Solved(time) => time,
        Time::Stopped => stopped,
    });
    let style =
        if times.contains(&Time::Stopped) { colour.stroke_width(2) } else { colour.filled() };
    Circle::new((x, y), 5, style)
}
