//! `edgematch engines`: the engines, their options, and what they are good for.

use std::io::{self, Write};

use edgematch::engine::{ENGINES, EngineOption, Value};

use super::exit;

/// Runs the command; gives the exit code.
pub fn run() -> anyhow::Result<u8> {
    let mut out = io::stdout().lock();
    for kind in ENGINES {
        writeln!(out, "{}\n    {}", kind.name, kind.help)?;
        for option in kind.options {
            writeln!(out, "    {}: {}", flag(option), option.help)?;
        }
        if kind.is_compared {
            let names = (kind.forms)().into_iter().map(|(name, _)| name);
            let names: Vec<String> = names.filter(|name| name != kind.name).collect();
            if !names.is_empty() {
                writeln!(out, "    also by these names: {}", names.join(", "))?;
            }
        }
    }
    out.flush()?;
    Ok(exit::FOUND)
}

fn flag(option: &EngineOption) -> String {
    match option.value {
        Value::Flag => format!("--{}", option.name),
        Value::Number => format!("--{} N", option.name),
        Value::Name(names) => format!("--{} {}", option.name, names().join("|")),
    }
}
