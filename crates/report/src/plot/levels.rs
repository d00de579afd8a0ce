//! A line chart: calls per level of the engines that count them, and the numbers of possible nodes.

use edgematch::analyse::compare::{Comparison, EngineResult};
use plotters::prelude::*;

use super::{Area, COLOURS, Drawn, FONT, chart, legend, line};
use crate::comparison::counting_engines;

/// Numbers of possible nodes from this one on are not drawn: they would squeeze all other lines.
const BEYOND: f64 = 1e24;

/// The number of possible nodes on each level, at most [`BEYOND`].
fn possible(entry: &EngineResult) -> Vec<f64> {
    let numbers = entry.possible.iter().map(|n| n.to_string().parse().unwrap_or(f64::MAX));
    numbers.map(|n: f64| n.min(BEYOND)).collect()
}

/// The two lines of an engine, its calls and the possible nodes: label, value on each level, and
/// width.
fn series(entry: &EngineResult, calls: &[u64]) -> [(String, Vec<f64>, u32); 2] {
    let calls = calls.iter().map(|&calls| calls as f64).collect();
    [(entry.name.clone(), calls, 3), (format!("possible for {}", entry.name), possible(entry), 1)]
}

/// Draws the chart with a logarithmic vertical axis.
pub(super) fn draw(comparison: &Comparison, area: &Area<'_>) -> Drawn {
    let counted: Vec<(&EngineResult, &Vec<u64>)> = counting_engines(comparison).collect();
    let depth = counted.iter().map(|(_, calls)| calls.len()).max().unwrap_or(1);
    let highest = counted.iter().flat_map(|(entry, _)| possible(entry)).fold(10.0, f64::max);
    let (x, y) = (0..depth as i32 - 1, (0.8..highest * 2.0).log_scale());
    let mut chart = chart(area, "calls per level", [34, 60], x, y)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc("tiles placed")
        .x_labels(depth)
        .y_label_formatter(&|n| format!("{n:e}"))
        .label_style(FONT)
        .draw()?;
    for (index, (entry, calls)) in counted.iter().enumerate() {
        let colour = COLOURS[(index + 1) % COLOURS.len()];
        let series = series(entry, calls);
        for (name, numbers, width) in series {
            // A level that was never reached cannot be drawn on a logarithmic axis.
            let points = numbers
                .iter()
                .enumerate()
                .filter(|(_, n)| **n > 0.0 && **n < BEYOND)
                .map(|(level, &n)| (level as i32, n));
            line(&mut chart, name, points, colour.stroke_width(width))?;
        }
    }
    legend(&mut chart, SeriesLabelPosition::UpperLeft)
}
