//! The statistics of a run: sizes of the puzzle and work of the engine.

use std::io::{self, Write};

use edgematch::engine::Work;
use edgematch::enumerate::Outcome;
use itertools::Itertools;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Best, Ending};
use crate::sizes::Sizes;

/// The statistics of a run in their JSON form.
#[derive(Debug, Serialize)]
pub struct Statistics<'a> {
    engine: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    variant: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    seconds: f64,
    #[serde(flatten)]
    work: &'a Work,
    #[serde(flatten)]
    sizes: Option<&'a Sizes>,
    #[serde(flatten)]
    best: Option<&'a Best>,
}

impl<'a> Statistics<'a> {
    /// Collects the statistics of a run; those of the puzzle and of an optimisation are left out if
    /// `None`.
    pub fn new(outcome: &'a Outcome, sizes: Option<&'a Sizes>, best: Option<&'a Best>) -> Self {
        let choice = outcome.work.choice.as_ref();
        Statistics {
            engine: outcome.engine,
            variant: &outcome.variant,
            chosen: choice.map(|choice| choice.engine),
            why: choice.map(|choice| choice.why.as_str()),
            seconds: outcome.seconds,
            work: &outcome.work,
            sizes,
            best,
        }
    }
}

/// Writes the statistics and the counts, with all digits, as MiniZinc does (`%%%mzn-stat: …`).
/// Writes nothing if `ending` has no sizes, that is, if no statistics are requested.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(out: &mut dyn Write, ending: &Ending<'_>) -> io::Result<()> {
    if ending.sizes.is_none() {
        return Ok(());
    }
    let all = Statistics::new(ending.outcome, ending.sizes, ending.best.as_ref());
    write_value(out, "", &serde_json::to_value(all)?)?;
    let tally = &ending.outcome.tally;
    // A JSON value would turn large counts into floats.
    writeln!(out, "%%%mzn-stat: distinct={}", tally.distinct)?;
    writeln!(out, "%%%mzn-stat: classes={}", tally.classes)?;
    writeln!(out, "%%%mzn-stat: solutions={}", tally.solutions)?;
    writeln!(out, "%%%mzn-stat-end")
}

/// Writes a value under a name: a scalar or a list of scalars as one line, an object as a line for
/// each member with the name as prefix. An object in a list uses its own `name` instead; null is
/// skipped.
fn write_value(out: &mut dyn Write, name: &str, value: &Value) -> io::Result<()> {
    match value {
        Value::Null => Ok(()),
        Value::Object(members) => write_members(out, name, members),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            items.iter().filter_map(Value::as_object).try_for_each(|members| {
                let name = members.get("name").and_then(Value::as_str).unwrap_or(name);
                write_members(out, name, members)
            })
        }
        Value::Array(items) => {
            writeln!(out, "%%%mzn-stat: {name}=[{}]", items.iter().map(scalar).join(","))
        }
        value => writeln!(out, "%%%mzn-stat: {name}={}", scalar(value)),
    }
}

/// Writes each member of an object except `name`, as `name_member` or without a prefix if `name` is
/// empty.
fn write_members(out: &mut dyn Write, name: &str, members: &Map<String, Value>) -> io::Result<()> {
    members.iter().filter(|(member, _)| *member != "name").try_for_each(|(member, value)| {
        let name = if name.is_empty() { member } else { &format!("{name}_{member}") };
        write_value(out, name, value)
    })
}

/// A scalar as text; floats have six decimals, as seconds are not measured more precisely.
fn scalar(value: &Value) -> String {
    match value.as_f64().filter(|_| value.is_f64()) {
        Some(number) => format!("{number:.6}"),
        None => value.to_string(),
    }
}
