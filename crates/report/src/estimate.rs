//! The output of `estimate`: a table of nodes, their standard error and the time of each engine,
//! and the choice of `auto`.

use comfy_table::presets;
use edgematch::analyse::estimate::{EngineEstimate, Estimates, MOMENT, PartsEstimate};
use edgematch::engine::counted;
use edgematch::runtime::clock::seconds;

use super::cells::Cells;

/// The estimates as text: a table with a row for each engine, the choice of `auto`, and a table of
/// the parts if they were estimated.
pub fn text(estimates: &Estimates) -> String {
    let mut cells = Cells::new(&["engine", "nodes", "spread", "time", "from"]);
    cells.rows = estimates.engines.iter().map(row).collect();
    let mut text = cells.drawn(presets::NOTHING);
    text += "\ntimes are for one thread on an idle core\n";
    if let Some(choice) = &estimates.auto {
        text += &format!("\nauto chooses {}: {}\n", choice.engine, choice.why);
    }
    if let Some(parts) = &estimates.parts {
        text += "\n";
        text += &parts_text(parts);
    }
    text
}

/// The table about a search in parts.
fn parts_text(parts: &PartsEstimate) -> String {
    let mut cells =
        Cells::new(&["parts", "leaves", "frontier", "mean", "longest", "÷ mean", "all"]);
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
        let probed = counted(parts.probed, "part", "parts");
        text += &format!("\nlongest and mean cover only the first {probed}\n");
    }
    text
}

/// The cells of an engine's row.
fn row(estimate: &EngineEstimate) -> Vec<String> {
    let mut nodes = match estimate.nodes {
        n if n < 1e6 => format!("{n:.0}"),
        n => format!("{n:.2e}"),
    };
    let mut time = seconds(estimate.seconds);
    let probes = counted(estimate.probes, "probe", "probes");
    let (spread, from) = if estimate.is_known {
        (String::new(), "a whole run".into())
    } else if estimate.is_at_least {
        nodes = format!("≥ {nodes}");
        time = format!("≥ {time}");
        let moment = seconds(MOMENT.as_secs_f64());
        let why = match estimate.probes {
            0 => format!("a run of {moment}; not probed"),
            _ => format!("a run of {moment}; {probes} added nothing"),
        };
        ("unknown".into(), why)
    } else {
        let share = 100.0 * estimate.spread / estimate.nodes.max(1.0);
        (format!("± {share:.0} %"), probes)
    };
    vec![estimate.engine.to_owned(), nodes, spread, time, from]
}
