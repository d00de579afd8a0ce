//! Plots how the number of solutions, and the work to find one or all of them, depend on the number
//! of images: the picture in `docs/measurements.md`. Also prints the table of that page.
//!
//! `benches/hardness/run.sh` generates the puzzles, solves them and calls this program with three
//! paths: the output of `results --format jsonl` for the runs that find all solutions and for those
//! that find one, and the picture to write.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;

use edgematch_report::plot::COLOURS;
use itertools::Itertools;
use plotters::coord::Shift;
use plotters::prelude::*;
use serde_json::Value;

const PANEL: u32 = 430;
const HEIGHT: u32 = 440;

/// The measurements of all puzzles of one size and number of images.
#[derive(Default)]
struct Runs {
    solutions: Vec<f64>,
    nodes: Vec<f64>,
    stopped: usize,
}

impl Runs {
    fn mean_solutions(&self) -> f64 {
        self.solutions.iter().sum::<f64>() / self.solutions.len() as f64
    }

    fn median_nodes(&self) -> f64 {
        let sorted = self.nodes.iter().copied().sorted_by(f64::total_cmp);
        sorted.collect_vec()[self.nodes.len() / 2]
    }
}

type Measured = BTreeMap<(usize, usize), Runs>;

/// Reads a file of results, grouped by board size and number of images. A run for which `is_done`
/// is false counts as stopped.
fn read(file: &str, is_done: fn(&Value) -> bool) -> Result<Measured, Box<dyn Error>> {
    let mut measured = Measured::new();
    for line in fs::read_to_string(file)?.lines() {
        let run: Value = serde_json::from_str(line)?;
        let name = run["name"].as_str().ok_or("a run has no name")?;
        let (size, rest) = name.split_once('x').ok_or("a name is not a `3x3-4-s1`")?;
        let images = rest.split('-').nth(1).ok_or("a name is not a `3x3-4-s1`")?;
        let runs = measured.entry((size.parse()?, images.parse()?)).or_default();
        let number =
            |key: &str| -> Option<f64> { run[key].to_string().trim_matches('"').parse().ok() };
        runs.stopped += usize::from(!is_done(&run));
        runs.solutions.extend(number("solutions"));
        runs.nodes.extend(number("nodes"));
    }
    Ok(measured)
}

/// The expected number of labelled solutions of an n × n board of random tiles with k images:
/// n²!·4^(n²)/(2k)^(2n(n−1)).
fn expected(n: usize, images: f64) -> f64 {
    let cells = n * n;
    let arrangements: f64 = (1..=cells).map(|cell| 4.0 * cell as f64).map(f64::ln).sum();
    (arrangements - (2 * n * (n - 1)) as f64 * (2.0 * images).ln()).exp()
}

/// A panel of the picture. `points` are (images, number) for each board size, `curves` adds the
/// expected numbers, and `highest` is the end of the vertical axis.
struct Panel<'a> {
    title: &'a str,
    points: Vec<(usize, Vec<(f64, f64)>)>,
    curves: bool,
    highest: f64,
}

fn draw(
    panel: &Panel<'_>,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
) -> Result<(), Box<dyn Error>> {
    const MOST_IMAGES: f64 = 24.5;
    let font = ("sans-serif", 14);
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(38)
        .y_label_area_size(58)
        .build_cartesian_2d(0.5..MOST_IMAGES, (0.8..panel.highest).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("images")
        .x_labels(12)
        .x_label_formatter(&|images| format!("{images:.0}"))
        .y_label_formatter(&|number| format!("{number:e}"))
        .light_line_style(TRANSPARENT)
        .label_style(font)
        .draw()?;
    for ((n, points), colour) in panel.points.iter().zip(COLOURS) {
        let style = colour.stroke_width(2);
        if panel.curves {
            let steps = (4..=49).map(|half| f64::from(half) / 2.0);
            // The planted solution adds four, with its rotations.
            let curve = steps
                .map(|images| (images, 4.0 + expected(*n, images)))
                .filter(|&(_, number)| number < panel.highest);
            chart.draw_series(LineSeries::new(curve, colour.stroke_width(1)))?;
        } else {
            chart.draw_series(LineSeries::new(points.iter().copied(), style))?;
        }
        let dots = points.iter().map(|&point| Circle::new(point, 3, colour.filled()));
        chart
            .draw_series(dots)?
            .label(format!("{n} × {n}"))
            .legend(move |(x, y)| Circle::new((x + 8, y), 4, colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .label_font(font)
        .draw()?;
    Ok(())
}

/// The points (images, value) for each board size; configurations with a stopped run are left out.
fn points(measured: &Measured, of: fn(&Runs) -> f64) -> Vec<(usize, Vec<(f64, f64)>)> {
    let done = measured.iter().filter(|(_, runs)| runs.stopped == 0);
    let by_size = done.chunk_by(|((n, _), _)| *n);
    let all = by_size.into_iter().map(|(n, runs)| {
        let points = runs.map(|((_, images), runs)| (*images as f64, of(runs)));
        (n, points.collect())
    });
    all.collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let args = std::env::args().skip(1).collect_vec();
    let [all, first, picture] = &args[..] else {
        return Err("usage: hardness ALL.jsonl FIRST.jsonl PICTURE.svg".into());
    };
    let all = read(all, |run| run["complete"] == true)?;
    let first = read(first, |run| run["distinct"] == 1)?;
    let panels = [
        Panel {
            title: "solutions, mean; lines: expected",
            points: points(&all, Runs::mean_solutions),
            curves: true,
            highest: 1e6,
        },
        Panel {
            title: "nodes to the first solution, median",
            points: points(&first, Runs::median_nodes),
            curves: false,
            highest: 1e7,
        },
        Panel {
            title: "nodes to find all, median",
            points: points(&all, Runs::median_nodes),
            curves: false,
            highest: 1e7,
        },
    ];
    let mut svg = String::new();
    {
        let size = (PANEL * panels.len() as u32, HEIGHT);
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        for (panel, area) in panels.iter().zip(root.split_evenly((1, panels.len()))) {
            draw(panel, &area)?;
        }
        root.present()?;
    }
    fs::write(picture, svg)?;
    println!("| board | images | expected | solutions, mean | nodes to the first | nodes to all |");
    println!("|---|---|---|---|---|---|");
    for ((n, images), runs) in &all {
        let one = first
            .get(&(*n, *images))
            .filter(|runs| runs.stopped == 0)
            .map_or("-".into(), |runs| format!("{:.0}", runs.median_nodes()));
        let mean = runs.mean_solutions();
        let nodes = runs.median_nodes();
        let least = if runs.stopped > 0 { "stopped, > " } else { "" };
        let expected = expected(*n, *images as f64);
        println!(
            "| {n} × {n} | {images} | {expected:.2e} | {least}{mean:.1} | {one} | \
             {least}{nodes:.0} |"
        );
    }
    Ok(())
}
