//! Compares this build with an older one, interleaved: seconds, and instructions per node.
//!
//! The older program is optional and named by `EDGEMATCH_BEFORE`. Instructions are counted if
//! valgrind is installed; they do not depend on the load of the machine.

use std::process::Command;
use std::time::{Duration, Instant};

use edgematch::engine::{Backtrack, Engine, Propagate};

use super::sides;

/// The engines to compare, with the board for each.
const RUNS: [(&str, &str); 12] = [
    ("propagate", "s4-k4-0"),
    ("propagate", "s5-k6-0"),
    ("propagate", "s6-k8-0"),
    ("propagate", "s7-k12-0"),
    ("propagate", "s8-k16-0"),
    ("propagate", "s10-k16-0"),
    ("propagate", "s10-k20-0"),
    ("propagate", "s12-k28-0"),
    ("propagate", "f7-b4k9-0"),
    ("backtrack", "f7-b4k9-0"),
    ("propagate", "f6-b4k5-0"),
    ("backtrack", "f8-b5k11-0"),
];

/// The boards for which instructions are counted.
const COUNTED: [&str; 3] = ["s6-k8-0", "s10-k16-0", "s12-k28-0"];

/// The number of rounds, in which each build runs once; the best run counts.
const ROUNDS: usize = 5;
const ROUND: Duration = Duration::from_millis(100);
const LIMIT: Duration = Duration::from_secs(10);

/// The first argument with which this program runs itself to count instructions.
pub const ALONE: &str = "alone";

const BEFORE: &str = "EDGEMATCH_BEFORE";

/// Prints the table.
pub fn print() {
    let before = std::env::var(BEFORE).ok();
    println!(
        "{:<11}{:<12}{:>10}{:>11}{:>11}{:>8}{:>15}{:>15}",
        "engine", "board", "nodes", "before", "now", "ratio", "before, instr.", "now, per node"
    );
    for (engine, board) in RUNS {
        row(engine, board, before.as_deref());
    }
}

fn row(engine: &str, board: &str, before: Option<&str>) {
    let problem = sides::load(board);
    let (mut now, mut then, mut nodes) = (f64::INFINITY, f64::INFINITY, 1);
    for _ in 0..ROUNDS {
        let older = before.and_then(|program| older(program, engine, board));
        then = then.min(older.unwrap_or(f64::INFINITY));
        let started = Instant::now();
        while started.elapsed() < ROUND {
            let outcome = sides::ours(&problem, engine_named(engine), LIMIT);
            (now, nodes) = (now.min(outcome.seconds), outcome.work.nodes);
        }
    }
    let ratio = if then.is_finite() { format!("{:.2}", then / now) } else { "-".into() };
    let counted = COUNTED.contains(&board).then(|| {
        let older = before.and_then(|program| instructions_of_older(program, engine, board));
        [older, our_instructions(engine, board)]
    });
    let [of_older, of_ours] = counted.unwrap_or_default().map(|count| {
        let per_node = count.map(|count| (count / nodes.max(1)).to_string());
        per_node.unwrap_or("-".into())
    });
    println!(
        "{engine:<11}{board:<12}{nodes:>10}{:>11}{:>11}{ratio:>8}{of_older:>15}{of_ours:>15}",
        time(then),
        time(now),
    );
}

fn engine_named(name: &str) -> &'static dyn Engine {
    match name {
        "propagate" => &Propagate,
        _ => &Backtrack::Fast,
    }
}

/// Solves a board a number of times without output.
pub fn alone(arguments: &[String]) {
    let [engine, board, runs] = arguments else {
        return;
    };
    let problem = sides::load(board);
    for _ in 0..runs.parse().unwrap_or(1) {
        sides::ours(&problem, engine_named(engine), LIMIT);
    }
}

/// The seconds of the older program.
fn older(program: &str, engine: &str, board: &str) -> Option<f64> {
    let folder = tempfile::tempdir().ok()?;
    let report = folder.path().join("report.json");
    let mut command = compare(program, engine, board, 5);
    command.arg("--export-json").arg(&report);
    command.output().ok()?;
    let report: serde_json::Value = serde_json::from_slice(&std::fs::read(report).ok()?).ok()?;
    let seconds = report[0]["engines"][0]["seconds"].as_array()?;
    seconds.iter().filter_map(serde_json::Value::as_f64).reduce(f64::min)
}

fn compare(program: &str, engine: &str, board: &str, runs: u32) -> Command {
    let mut command = Command::new(program);
    command.arg("compare").arg(sides::path(board));
    command.args(["-q", "--engine", engine, "--runs", &runs.to_string()]);
    command
}

fn instructions_of_older(program: &str, engine: &str, board: &str) -> Option<u64> {
    difference(|runs| instructions(&compare(program, engine, board, runs)))
}

fn our_instructions(engine: &str, board: &str) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    difference(|runs| {
        let mut command = Command::new(&program);
        command.args([ALONE, engine, board, &runs.to_string()]);
        instructions(&command)
    })
}

/// The instructions of one solve: half the difference between a process with three solves and one
/// with a single solve, which excludes its start and end.
fn difference(count: impl Fn(u32) -> Option<u64>) -> Option<u64> {
    Some(count(3)?.checked_sub(count(1)?)? / 2)
}

/// The instructions of a command; `None` without valgrind.
fn instructions(command: &Command) -> Option<u64> {
    let folder = tempfile::tempdir().ok()?;
    let out = folder.path().join("counts");
    let counted = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(command.get_program())
        .args(command.get_args())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&counted.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("Collected"))?;
    line.rsplit(' ').next()?.parse().ok()
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s.is_infinite() => "-".into(),
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s => format!("{:.2} ms", s * 1e3),
    }
}
