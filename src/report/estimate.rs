//! What an estimate says.

use comfy_table::presets;

use super::cells::Cells;
use super::sentence::seconds;
use crate::estimate::{Estimate, Estimates, Parts};

/// A row an engine, and what `auto` would take.
pub fn text(estimates: &Estimates) -> String {
    let mut cells = Cells::new(&["engine", "nodes", "spread", "time", "from"]);
    for estimate in &estimates.engines {
        cells.rows.push(row(estimate));
    }
    let mut text = cells.drawn(presets::NOTHING);
    if let Some(choice) = &estimates.auto {
        text += &format!("\nauto takes {}: {}\n", choice.engine, choice.why);
    }
    if let Some(parts) = &estimates.parts {
        text += "\n";
        text += &of_parts(parts);
    }
    text
}

/// What to expect of each part.
fn of_parts(parts: &Parts) -> String {
    let mut cells = Cells::new(&[
        "parts", "leaves", "frontier", "mean", "longest", "÷ mean", "all",
    ]);
    cells.rows.push(vec![
        parts.parts.to_string(),
        parts.leaves.to_string(),
        seconds(parts.frontier),
        seconds(parts.mean),
        seconds(parts.longest),
        format!("{:.2}", parts.longest / parts.mean),
        seconds(parts.seconds),
    ]);
    let mut text = cells.drawn(presets::NOTHING);
    if parts.probed < parts.parts as usize {
        text += &format!(
            "\nlongest and mean are those of the first {} parts\n",
            parts.probed
        );
    }
    text
}

fn row(estimate: &Estimate) -> Vec<String> {
    let nodes = match estimate.nodes {
        n if n < 1e6 => format!("{n:.0}"),
        n => format!("{n:.2e}"),
    };
    let share = 100.0 * estimate.spread / estimate.nodes.max(1.0);
    let (spread, from) = match estimate.is_known {
        true => (String::new(), "a whole run".into()),
        false => (
            format!("± {share:.0} %"),
            format!("{} probes", estimate.probes),
        ),
    };
    let time = seconds(estimate.seconds);
    vec![estimate.engine.to_owned(), nodes, spread, time, from]
}
