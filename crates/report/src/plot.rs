//! A comparison as a picture: times on a logarithmic axis, and calls per level.

use edgematch::compare::{Comparison, Entry};
use plotters::coord::ranged1d::IntoSegmentedCoord;
use plotters::prelude::*;

use super::comparison::counting;

/// Possible nodes from here on are not drawn: beside them nothing else would be seen.
const BEYOND: f64 = 1e24;

const WIDTH: u32 = 1100;
const HEIGHT: u32 = 460;

/// Colours of Okabe and Ito, which people with any colour vision tell apart.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

/// A plot as SVG, with its size.
pub struct Plot {
    /// The document.
    pub svg: String,
    /// Width in units.
    pub width: f64,
    /// Height in units.
    pub height: f64,
}

/// Draws the fastest time of each engine, and behind it calls per level where some were counted.
///
/// # Errors
/// Where nothing was measured, or the plotting library refuses, which it says.
pub fn plot(comparison: &Comparison) -> Result<Plot, String> {
    if comparison
        .entries
        .iter()
        .all(|entry| entry.seconds.is_empty())
    {
        return Err("no engine was measured to the end".into());
    }
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
        root.fill(&WHITE).map_err(|e| e.to_string())?;
        let has_levels = counting(comparison).next().is_some();
        if has_levels {
            let (left, right) = root.split_horizontally(WIDTH / 2);
            draw_times(comparison, &left)?;
            draw_levels(comparison, &right)?;
        } else {
            draw_times(comparison, &root)?;
        }
        root.present().map_err(|e| e.to_string())?;
    }
    Ok(Plot {
        svg,
        width: f64::from(WIDTH),
        height: f64::from(HEIGHT),
    })
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

fn draw_times(comparison: &Comparison, area: &Area<'_>) -> Result<(), String> {
    let measured: Vec<(&Entry, f64)> = comparison
        .entries
        .iter()
        .filter_map(|e| Some((e, e.min()?)))
        .collect();
    let Some(slowest) = measured.iter().map(|m| m.1).reduce(f64::max) else {
        return Ok(());
    };
    let fastest = measured.iter().map(|m| m.1).fold(slowest, f64::min);
    let low = decade_below(fastest);
    let high = decade_below(slowest) * 10.0;
    let names: Vec<String> = measured.iter().rev().map(|m| m.0.name.clone()).collect();
    let rows = names.len() as i32;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{}: seconds", comparison.puzzle),
            ("sans-serif", 20),
        )
        .margin(14)
        .x_label_area_size(34)
        .y_label_area_size(120)
        .build_cartesian_2d((low..high).log_scale(), (0..rows - 1).into_segmented())
        .map_err(|e| e.to_string())?;
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
        .label_style(("sans-serif", 14))
        .draw()
        .map_err(|e| e.to_string())?;
    let bars = measured.iter().rev().enumerate().map(|(row, &(_, time))| {
        let row = row as i32;
        let mut bar = Rectangle::new(
            [
                (low, SegmentValue::Exact(row)),
                (time, SegmentValue::Exact(row + 1)),
            ],
            COLOURS[0].filled(),
        );
        bar.set_margin(5, 5, 0, 0);
        bar
    });
    chart.draw_series(bars).map_err(|e| e.to_string())?;
    Ok(())
}

/// How many nodes are possible, level by level, as far as the axis goes.
fn possible(entry: &Entry) -> Vec<f64> {
    let numbers = entry
        .possible
        .iter()
        .map(|n| n.to_string().parse().unwrap_or(f64::MAX));
    numbers.map(|n: f64| n.min(BEYOND)).collect()
}

/// The calls of an engine and what is possible: names, numbers and widths of lines.
fn series(entry: &Entry, calls: &[u64]) -> [(String, Vec<f64>, u32); 2] {
    let calls = calls.iter().map(|&calls| calls as f64).collect();
    [
        (entry.name.clone(), calls, 3),
        (format!("possible for {}", entry.name), possible(entry), 1),
    ]
}

fn draw_levels(comparison: &Comparison, area: &Area<'_>) -> Result<(), String> {
    let counted: Vec<(&Entry, &Vec<u64>)> = counting(comparison).collect();
    let depth = counted
        .iter()
        .map(|(_, calls)| calls.len())
        .max()
        .unwrap_or(1);
    let highest = counted
        .iter()
        .flat_map(|(entry, _)| possible(entry))
        .fold(10.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption("calls per level", ("sans-serif", 20))
        .margin(14)
        .x_label_area_size(34)
        .y_label_area_size(60)
        .build_cartesian_2d(0..depth as i32 - 1, (0.8..highest * 2.0).log_scale())
        .map_err(|e| e.to_string())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc("tiles placed")
        .x_labels(depth)
        .y_label_formatter(&|n| format!("{n:e}"))
        .label_style(("sans-serif", 14))
        .draw()
        .map_err(|e| e.to_string())?;
    for (index, (entry, calls)) in counted.iter().enumerate() {
        let colour = COLOURS[(index + 1) % COLOURS.len()];
        let series = series(entry, calls);
        for (name, numbers, width) in series {
            // A level that was never reached has no place on a log axis.
            let points = numbers
                .iter()
                .enumerate()
                .filter(|(_, n)| **n > 0.0 && **n < BEYOND)
                .map(|(level, &n)| (level as i32, n));
            let style = colour.stroke_width(width);
            chart
                .draw_series(LineSeries::new(points, style))
                .map_err(|e| e.to_string())?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 14))
        .draw()
        .map_err(|e| e.to_string())
}

fn decade_below(time: f64) -> f64 {
    10f64.powf(time.log10().floor())
}

fn time_label(time: &f64) -> String {
    match *time {
        t if t < 0.000_999 => format!("{:.0} µs", t * 1e6),
        t if t < 0.999 => format!("{:.0} ms", t * 1e3),
        t => format!("{t:.0} s"),
    }
}
