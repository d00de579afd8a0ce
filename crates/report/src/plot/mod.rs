//! Plots of comparisons: for one puzzle the times and the calls per level, for several a cactus
//! plot and a scatter plot of two engines.

mod cactus;
mod levels;
mod scatter;
mod times;

use std::error::Error;

use edgematch::analyse::compare::Comparison;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged};
use plotters::prelude::*;

use super::comparison::counting_engines;

/// The width of a plot in SVG user units.
pub const WIDTH: u32 = 1100;
/// The height of a plot in SVG user units.
pub const HEIGHT: u32 = 460;

/// The colours of Okabe and Ito, which people with colour vision deficiencies can distinguish.
pub const COLOURS: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// The result of a drawing step; the error comes from the plotting library.
type Drawn<T = ()> = Result<T, Box<dyn Error>>;

/// The font of labels.
const FONT: (&str, u32) = ("sans-serif", 14);

/// Draws the fastest time of each engine on one puzzle, and beside it the calls per level if an
/// engine counted them. Returns an SVG document.
///
/// # Errors
/// If no engine finished a measured run, or the plotting library fails.
pub fn of_one(comparison: &Comparison) -> Drawn<String> {
    refuse_nothing(std::slice::from_ref(comparison))?;
    drawn(|root| {
        if counting_engines(comparison).next().is_none() {
            return times::draw(comparison, root);
        }
        let (left, right) = root.split_horizontally(WIDTH / 2);
        times::draw(comparison, &left)?;
        levels::draw(comparison, &right)
    })
}

/// Draws the number of puzzles that each engine solves within a given time, and beside it the times
/// of two engines on each puzzle. `pair` names these two; by default they are the ones that solved
/// most puzzles, ties broken by total time. `limit` is the time limit of a run in seconds. Returns an
/// SVG document.
///
/// # Errors
/// If no engine finished a measured run, or the plotting library fails.
pub fn of_several(all: &[Comparison], pair: Option<[&str; 2]>, limit: f64) -> Drawn<String> {
    refuse_nothing(all)?;
    drawn(|root| {
        let Some(pair) = pair.or_else(|| cactus::best_two(all)) else {
            return cactus::draw(all, limit, root);
        };
        let (left, right) = root.split_horizontally(WIDTH * 3 / 5);
        cactus::draw(all, limit, &left)?;
        scatter::draw(all, pair, limit, &right)
    })
}

/// Returns an error if no engine finished a measured run.
fn refuse_nothing(comparisons: &[Comparison]) -> Drawn {
    let mut entries = comparisons.iter().flat_map(|c| &c.entries);
    if entries.all(|entry| entry.seconds.is_empty()) {
        return Err(
            "nothing to plot: no engine finished a measured run; raise the time limit".into()
        );
    }
    Ok(())
}

/// Creates a plot of the standard size on a white ground and draws into it.
fn drawn(draw: impl FnOnce(&Area<'_>) -> Drawn) -> Drawn<String> {
    let mut svg = String::new();
    let root = SVGBackend::with_string(&mut svg, (WIDTH, HEIGHT)).into_drawing_area();
    root.fill(&WHITE)?;
    draw(&root)?;
    root.present()?;
    drop(root);
    Ok(svg)
}

type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

/// Creates a chart with the ranges `x` and `y`; `labels` are the sizes of the axes' label areas in
/// pixels, x first.
fn chart<'a, 'b, X: AsRangedCoord, Y: AsRangedCoord>(
    area: &'a Area<'b>,
    caption: impl AsRef<str>,
    labels: [u32; 2],
    x: X,
    y: Y,
) -> Drawn<Chart<'a, 'b, X::CoordDescType, Y::CoordDescType>> {
    let mut chart = ChartBuilder::on(area);
    chart.caption(caption, (FONT.0, 20)).margin(14);
    Ok(chart.x_label_area_size(labels[0]).y_label_area_size(labels[1]).build_cartesian_2d(x, y)?)
}

/// Draws a line through the points and adds it to the legend.
fn line<X, Y>(
    chart: &mut Chart<'_, '_, X, Y>,
    name: String,
    points: impl IntoIterator<Item = (X::ValueType, Y::ValueType)>,
    style: ShapeStyle,
) -> Drawn
where
    X: Ranged<ValueType: Clone + 'static>,
    Y: Ranged<ValueType: Clone + 'static>,
{
    chart
        .draw_series(LineSeries::new(points, style))?
        .label(name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    Ok(())
}

/// Draws the legend of a chart, which names its series, at a position.
fn legend<'a, 'b: 'a, X: Ranged, Y: Ranged>(
    chart: &mut Chart<'a, 'b, X, Y>,
    position: SeriesLabelPosition,
) -> Drawn {
    chart
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.8))
        .label_font(FONT)
        .draw()?;
    Ok(())
}

/// The largest power of ten that is at most `time`, which must be positive.
fn decade_below(time: f64) -> f64 {
    10f64.powf(time.log10().floor())
}

/// The label of a time in seconds on an axis, in µs, ms or s.
fn time_label(time: &f64) -> String {
    match *time {
        t if t < 0.000_999 => format!("{:.0} µs", t * 1e6),
        t if t < 0.999 => format!("{:.0} ms", t * 1e3),
        t => format!("{t:.0} s"),
    }
}
