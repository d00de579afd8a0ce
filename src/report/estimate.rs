//! What an estimate says.

use comfy_table::presets;

use super::cells::Cells;
use super::sentence::seconds;
use crate::estimate::{Estimate, Estimates};

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
