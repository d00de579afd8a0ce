//! A bar chart: the fastest time of each engine on one puzzle.

use edgematch::analyse::compare::{Comparison, EngineResult};
use plotters::coord::ranged1d::IntoSegmentedCoord;
use plotters::prelude::*;

use super::{Area, COLOURS, Drawn, FONT, chart, decade_below, time_label};

/// Draws the chart with a logarithmic time axis. Draws nothing if no engine was measured.
pub(super) fn draw(comparison: &Comparison, area: &Area<'_>) -> Drawn {
    let measured: Vec<(&EngineResult, f64)> =
        comparison.entries.iter().filter_map(|e| Some((e, e.min()?))).collect();
    let Some(slowest) = measured.iter().map(|m| m.1).reduce(f64::max) else {
        return Ok(());
    };
    let fastest = measured.iter().map(|m| m.1).fold(slowest, f64::min);
    let low = decade_below(fastest);
    let high = decade_below(slowest) * 10.0;
    let names: Vec<String> = measured.iter().rev().map(|m| m.0.name.clone()).collect();
    let rows = names.len() as i32;
    let (x, y) = ((low..high).log_scale(), (0..rows - 1).into_segmented());
    let mut chart = chart(area, format!("{}: seconds", comparison.puzzle), [34, 120], x, y)?;
    let name = |row: &SegmentValue<i32>| match row {
        SegmentValue::CenterOf(row) => names.get(*row as usize).cloned().unwrap_or_default(),
        _ => String::new(),
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .y_labels(names.len())
        .y_label_formatter(&name)
        .x_label_formatter(&time_label)
        .label_style(FONT)
        .draw()?;
    let bars = measured.iter().rev().enumerate().map(|(row, &(_, time))| {
        let row = row as i32;
        let mut bar = Rectangle::new(
            [(low, SegmentValue::Exact(row)), (time, SegmentValue::Exact(row + 1))],
            COLOURS[0].filled(),
        );
        bar.set_margin(5, 5, 0, 0);
        bar
    });
    chart.draw_series(bars)?;
    Ok(())
}
