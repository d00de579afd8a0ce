//! Measures `milp`, each formulation and `--rounds`, beside `propagate`, and beside HiGHS and CP-SAT
//! on the exported rows.
//!
//! The peers are optional. `EDGEMATCH_ROWS` is a command to which the names of solvers, the time
//! limit and an MPS file are appended, such as `target/peers/bin/python benches/peers/rows.py`; it
//! prints the seconds of each, or `-` if the limit did not suffice.

use std::fs::File;
use std::process::Command;
use std::time::Duration;

use edgematch::domains::{Domains, Rarest, break_symmetry, reduce};
use edgematch::engine::{Engine, Lp, Milp, Propagate};
use edgematch::export::{FORMATS, NamedModel};
use edgematch::model::{FORMULATIONS, Model};
use edgematch::problem::Problem;

use super::sides;

const BOARDS: [&str; 11] = [
    "s3-k4-0",
    "s4-k4-0",
    "s4-k5-0",
    "s4-k6-0",
    "s5-k6-0",
    "s5-k8-0",
    "s5-k10-0",
    "s6-k8-0",
    "s6-k12-0",
    "f5-k5-0",
    "f6-b4k8-0",
];

const PEERS: [&str; 2] = ["highs", "cp-sat"];

/// The number of runs, of which the fastest counts, while they take less than a second.
const RUNS: usize = 3;
const LIMIT: Duration = Duration::from_secs(10);

/// Prints the milliseconds for all solutions.
pub fn print() {
    println!("all solutions: milliseconds, and the work of balance");
    print!("{:<10}{:>10}", "board", "propagate");
    for formulation in FORMULATIONS {
        print!("{:>10}", formulation.name());
    }
    println!("{:>10}{:>10}{:>10}{:>10}{:>10}", "no LP", "each LP", "rounds", "HiGHS", "CP-SAT");
    for board in BOARDS {
        let problem = sides::load(board);
        let milp = Milp::default();
        let lp = |lp| Milp { lp, ..milp };
        print!("{board:<10}{:>10}", milliseconds(&problem, &Propagate));
        for formulation in FORMULATIONS {
            print!("{:>10}", milliseconds(&problem, &Milp::new(formulation)));
        }
        for engine in [lp(Lp::Never), lp(Lp::Always), Milp { rounds: true, ..milp }] {
            print!("{:>10}", milliseconds(&problem, &engine));
        }
        for answer in peers(&problem).unwrap_or(vec!["-".into(); PEERS.len()]) {
            print!("{answer:>10}");
        }
        println!("  {}", sides::ours(&problem, &milp, LIMIT).effort);
    }
}

fn milliseconds(problem: &Problem, engine: &dyn Engine) -> String {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let outcome = sides::ours(problem, engine, LIMIT);
        if !outcome.status.is_complete() {
            return "-".into();
        }
        least = least.min(outcome.seconds);
        if outcome.seconds > 1.0 {
            break;
        }
    }
    format!("{:.2}", 1e3 * least)
}

/// The milliseconds of each peer; `None` if there are no peers.
fn peers(problem: &Problem) -> Option<Vec<String>> {
    let command = std::env::var("EDGEMATCH_ROWS").ok()?;
    let mut domains = Domains::first(problem);
    reduce(problem, &mut domains).ok()?;
    let part = break_symmetry(problem, domains, Rarest::Placements).pop()?;
    let model = Model::build_whole(problem, &[], &part.domains, FORMULATIONS[0]);
    let folder = tempfile::tempdir().ok()?;
    let path = folder.path().join("model.mps");
    let format = FORMATS.iter().find(|format| format.name == "mps")?;
    let named = NamedModel::new(problem, &model, Vec::new());
    format.write(&named, &mut File::create(&path).ok()?).ok()?;
    let mut words = command.split_whitespace();
    let output = Command::new(words.next()?)
        .args(words)
        .args([PEERS.join(","), LIMIT.as_secs().to_string()])
        .arg(path)
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let answers = text.split_whitespace().map(|word| match word.parse::<f64>() {
        Ok(seconds) => format!("{:.2}", 1e3 * seconds),
        Err(_) => word.to_owned(),
    });
    Some(answers.collect())
}
